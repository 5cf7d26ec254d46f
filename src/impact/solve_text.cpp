#include "impact/solve_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "impact/case_text.h"
#include "impact/result_text.h"

namespace areia::impact {

namespace {

constexpr std::size_t kMostProblems = 100;

// A system given by its mass matrix.
struct Built {
  MassMatrix M;
  std::vector<ContactRows> W;
  std::vector<Velocity> w;
};

Built build(const CaseText& c) {
  if (c.kind == CaseKind::pendulum) {
    const double S = std::sin(c.theta0), K = std::cos(c.theta0);
    return {MassMatrix(std::vector(1, std::vector{c.m * c.L * c.L / 3})), {{{c.L * S}, {c.L * K}, {}}}, {{0, -c.v, 0}}};
  }
  Built b{MassMatrix(c.M), {}, {}};
  for (std::size_t i = 0; i < c.WN.size(); ++i)
    b.W.push_back({c.WN[i], c.WT[i], c.Wth.empty() ? std::vector<double>{} : c.Wth[i]});
  for (const std::vector<double>& w : c.w) b.w.push_back({w[0], w[1], w.size() > 2 ? w[2] : 0.0});
  return b;
}

bool agree(double a, double b, double scale) { return std::fabs(a - b) <= 1e-9 * scale; }

class Solver {
 public:
  Solver(std::string_view text, const std::string& file, const SolveOptions& options)
      : text_(text), scan_(text, file), reader_(scan_, problems_), options_(options) {}

  // Without `out` all is checked and nothing solved.
  SolveReport go(TextOut* out) {
    bool cases = false;
    copied_ = text_.data();
    std::size_t index = 0;
    scan_.object([&](std::string_view key) {
      if (key != "cases" || std::exchange(cases, true)) return scan_.skip();
      scan_.array([&] {
        if (reader_.read(index, case_) && problems_.empty()) handle(out);
        ++index;
        if (problems_.size() >= kMostProblems) {
          problems_.push_back({scan_.file(), 0, "cases", "", "more problems may follow; these are the first"});
          throw InputError(std::move(problems_));
        }
      });
    });
    if (!scan_.done()) scan_.fail("is not JSON: something follows the end");
    if (!cases) problems_.push_back({scan_.file(), 1, "cases", "", "is missing: a list of cases"});
    if (!problems_.empty()) throw InputError(std::move(problems_));
    report_.cases = index;
    if (out) out->text({copied_, static_cast<std::size_t>(text_.data() + text_.size() - copied_)});
    return report_;
  }

 private:
  void handle(TextOut* out) {
    switch (case_.kind) {
      case CaseKind::passed_on:
        ++report_.passed_on;
        return;
      case CaseKind::impact:
        if (!out) return check_approach(case_.pre.DNA);
        return write(*out, [&](int run) {
          const Model& model = case_.runs[run].resolved;
          const Impact r = solve(case_.mass, case_.pre, model);
          count(r.status);
          write_result(*out, r, model.law, case_.rotates, {nullptr, nullptr, !case_.w.empty()});
        });
      case CaseKind::diagram:
        if (!out) return;
        return write(*out, [&](int) { write_result(*out, diagram(case_.mass, case_.pre, {case_.own.resolved})); });
      default:
        handle_system(out);
    }
  }

  void handle_system(TextOut* out) {
    try {
      const Built b = build(case_);
      if (case_.kind == CaseKind::pendulum) case_.qdotA = {case_.omegaA};
      if (case_.kind == CaseKind::multi) return handle_many(out, b);
      const LocalMass m = local_mass(b.M, b.W[0]);
      const Pre a = pre_impact(b.W[0], case_.qdotA, b.w.empty() ? Velocity{} : b.w[0]);
      if (!out) return check_system(m, a);
      write(*out, [&](int run) {
        const Model& model = case_.runs[run].resolved;
        const Impact r = solve(m, a, model);
        count(r.status);
        const std::vector<double> qdotE = velocities_after(b.M, b.W[0], case_.qdotA, r.I);
        const bool pendulum = case_.kind == CaseKind::pendulum;
        write_result(*out, r, model.law, !case_.Wth.empty(),
                     {pendulum ? nullptr : &qdotE, pendulum ? qdotE.data() : nullptr, true});
      });
    } catch (const InputError& e) {
      for (const Problem& p : e.problems) reader_.problem(case_.at, reader_.key(p.key), p.value, p.rule);
    }
  }

  void handle_many(TextOut* out, const Built& b) {
    const auto solved = [&](const Model& model) { return solve_many(b.M, b.W, case_.qdotA, b.w, model); };
    if (!out) {
      const ManyImpact r = solved(case_.has_runs ? case_.runs[0].resolved : case_.own.resolved);
      if (options_.approaching && (r.status == Status::separating || r.status == Status::grazing))
        reader_.problem(case_.at, reader_.key("qdotA"), "", "no contact approaches");
      return;
    }
    write(*out, [&](int run) {
      const ManyImpact r = solved(run >= 0 ? case_.runs[run].resolved : case_.own.resolved);
      count(r.status);
      write_result(*out, r);
    });
  }

  // What is written beside M and W must follow from them.
  void check_system(const LocalMass& m, const Pre& a) {
    if (!(m.A > 0)) {
      reader_.problem(case_.at, reader_.key("WN"), "", "the normal impulse does not act on the motion: W_N is zero");
      return;
    }
    const LocalMass& l = case_.mass;
    const Pre& p = case_.pre;
    const double v = std::fabs(a.DNA) + std::fabs(a.DTA);
    if (case_.has_local && !(agree(l.A, m.A, m.A) && agree(l.B, m.B, std::sqrt(m.A * m.C)) && agree(l.C, m.C, m.C)))
      reader_.problem(case_.at, reader_.key("local"), fmt::format("A {} B {} C {}", l.A, l.B, l.C),
                      fmt::format("does not follow from M and W, which give A {} B {} C {}", m.A, m.B, m.C));
    if (case_.has_pre && !(agree(p.DNA, a.DNA, v) && agree(p.DTA, a.DTA, v)))
      reader_.problem(
          case_.at, reader_.key("pre"), fmt::format("DNA {} DTA {}", p.DNA, p.DTA),
          fmt::format("does not follow from W, qdotA and w, which give DNA {} DTA {} (approach is negative)", a.DNA,
                      a.DTA));
    check_approach(a.DNA);
  }

  void check_approach(double DNA) {
    if (options_.approaching && DNA > 0)
      reader_.problem(case_.at, reader_.key("pre", "DNA"), fmt::format("{}", DNA),
                      "must be negative: the bodies approach with D_N < 0");
  }

  void count(Status s) {
    ++report_.runs;
    ++(s == Status::ok                                   ? report_.ok
       : s == Status::separating || s == Status::grazing ? report_.separating
                                                         : report_.unsolved);
  }

  // The text so far with results in their places.
  template <class Result>
  void write(TextOut& out, Result&& result) {
    std::vector<Edit>& edits = case_.edits;
    const bool own = !case_.has_runs || case_.kind == CaseKind::diagram;
    if (!std::is_sorted(edits.begin(), edits.end(), [](const Edit& x, const Edit& y) { return x.from < y.from; }))
      std::stable_sort(edits.begin(), edits.end(), [](const Edit& x, const Edit& y) { return x.from < y.from; });
    for (const Edit& e : edits) {
      out.text({copied_, static_cast<std::size_t>(e.from - copied_)});
      copied_ = e.to;
      if (e.run == Edit::kDrop || (e.run == Edit::kCase && !own) || (e.run >= 0 && own)) { continue; }
      out.text(e.indent.empty() ? ", " : ",");
      out.text(e.indent);
      out.text("\"result\": ");
      result(e.run);
    }
  }

  std::string_view text_;
  JsonScan scan_;
  std::vector<Problem> problems_;
  CaseReader reader_;
  SolveOptions options_;
  CaseText case_;
  SolveReport report_;
  const char* copied_ = nullptr;
};

}  // namespace

SolveReport solve_text(std::string_view text, const std::string& file, const SolveOptions& options,
                       const std::function<void(std::string_view)>& write) {
  Solver(text, file, options).go(nullptr);
  TextOut out(write);
  const SolveReport report = Solver(text, file, options).go(&out);
  out.flush();
  return report;
}

}  // namespace areia::impact
