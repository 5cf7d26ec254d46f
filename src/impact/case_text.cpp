#include "impact/case_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/suggest.h"

namespace areia::impact {

namespace {

using Names = std::vector<std::string>;
constexpr std::array<std::string_view, 6> kLocal = {"A", "B", "C", "D", "E", "F"};
constexpr std::array<std::string_view, 3> kPre = {"DNA", "DTA", "DthA"};
constexpr std::array<std::string_view, 5> kPendulum = {"m", "L", "theta0", "omegaA", "v"};

// The keys of a case that are read; their order numbers the bits of `seen`.
enum CaseKey { kKind, kLocalKey, kPreKey, kRuns, kM, kWN, kWT, kWth, kQdotA, kW, kSystem, kModel, kParams, kOtherKey };
CaseKey case_key(std::string_view k) {
  static constexpr std::string_view kKeys[] = {"kind", "local", "pre", "runs",   "M",     "WN",    "WT",
                                               "Wth",  "qdotA", "w",   "system", "model", "params"};
  for (int i = 0; i < kOtherKey; ++i)
    if (k == kKeys[i]) return static_cast<CaseKey>(i);
  return kOtherKey;
}

// The names of a model and its coefficients, with their lengths counted once.
struct KnownModel {
  const ModelInfo* info;
  std::string_view name;
  std::vector<std::string_view> coefficients;
  unsigned required = 0;
};
const KnownModel* known_model(std::string_view name) {
  static const std::vector<KnownModel> all = [] {
    std::vector<KnownModel> models;
    for (const ModelInfo& m : all_models()) {
      KnownModel k{&m, m.name, {}, 0};
      for (std::size_t i = 0; i < m.coefficients.size(); ++i) {
        k.coefficients.emplace_back(m.coefficients[i].name);
        k.required |= unsigned{m.coefficients[i].required} << i;
      }
      models.push_back(std::move(k));
    }
    return models;
  }();
  for (const KnownModel& m : all)
    if (name == m.name) return &m;
  return nullptr;
}

// W^T M^-1 W has no negative direction, up to the rounding of numbers that were written out.
bool semidefinite(const LocalMass& m) {
  constexpr double kSlack = -1e-9;
  const double det = m.A * m.C * m.F - m.A * m.E * m.E - m.B * m.B * m.F + 2 * m.B * m.D * m.E - m.C * m.D * m.D;
  return m.C >= 0 && m.F >= 0 && m.determinant() >= kSlack * m.A * m.C && m.A * m.F - m.D * m.D >= kSlack * m.A * m.F &&
         m.C * m.F - m.E * m.E >= kSlack * m.C * m.F && det >= kSlack * m.A * m.C * m.F;
}

}  // namespace

void CaseText::clear() {
  kind = CaseKind::unknown;
  mass = {};
  pre = {};
  has_local = has_pre = rotates = has_system = has_runs = false;
  one_contact = true;
  M.clear(), WN.clear(), WT.clear(), Wth.clear(), w.clear(), qdotA.clear();
  own.params_size = 0;
  own.model = {};
  runs.clear();
  edits.clear();
}

CaseReader::CaseReader(JsonScan& scan, std::vector<Problem>& problems) : scan_(scan), problems_(problems) {
  scan_.where = [this] { return key(part_, item_); };
}

std::string CaseReader::key(std::string_view part, std::string_view item) const {
  std::string k = fmt::format("cases[{}]", case_);
  if (run_ >= 0) k += fmt::format(".runs[{}]", run_);
  if (!part.empty()) (k += '.') += part;
  if (!item.empty()) (k += '.') += item;
  return k;
}

void CaseReader::problem(const char* at, std::string key, std::string_view value, std::string rule) {
  problems_.push_back(
      {scan_.file(), scan_.line(at), std::move(key), std::string(value.substr(0, 60)), std::move(rule)});
}

// Members of an object that is to carry a result: notes where it goes, and what an older one occupies.
template <class Member>
void CaseReader::members(CaseText& c, int run, Member&& member) {
  scan_.need('{');
  const char* open = scan_.at();
  scan_.peek();
  const std::string_view indent(open, scan_.at() - open);
  const char* last = open;    // end of the last member that stays
  const char* old = nullptr;  // an older result that is not the last member
  bool any = false, result = false;
  if (!scan_.take('}')) {
    do {
      scan_.peek();
      const char* start = scan_.at();
      if (old) {
        c.edits.push_back({old, start, Edit::kDrop, {}});
        old = nullptr;
      }
      const std::string_view name = scan_.string();
      scan_.need(':');
      scan_.peek();
      if (name == "result") {
        if (result) problem(start, key("result"), "", "stands there twice");
        result = true;
        scan_.skip();
        old = start;
        continue;
      }
      member(name);
      last = scan_.at();
      any = true;
    } while (scan_.take(','));
    scan_.need('}');
  }
  if (!any) problem(open, key(), "{}", "is empty");
  // An older result at the end: from the end of the member before it.
  const char* to = last;
  if (old) {
    to = scan_.at() - 1;
    while (to > last && (to[-1] == ' ' || to[-1] == '\n' || to[-1] == '\t' || to[-1] == '\r')) --to;
  }
  c.edits.push_back({last, to, run, indent});
}

// An object of numbers with known names; returns which were given, bit by bit.
template <std::size_t N>
unsigned CaseReader::numbers(std::string_view part, const std::array<std::string_view, N>& names,
                             std::array<double, N>& values, unsigned required) {
  const char* at = scan_.at();
  unsigned given = 0;
  std::size_t next = 0;  // mostly they come in order
  scan_.object([&](std::string_view name) {
    std::size_t i = next;
    if (i >= N || name != names[i])
      for (i = 0; i < N && name != names[i];) ++i;
    next = i + 1;
    item_ = name;
    if (i == N) {
      const char* from = scan_.at();
      scan_.skip();
      problem(from, key(part, name), {from, static_cast<std::size_t>(scan_.at() - from)},
              "is not known here" + suggestion(name, Names(names.begin(), names.end())));
      return;
    }
    if (given >> i & 1) problem(scan_.at(), key(part, name), "", "stands there twice");
    given |= 1u << i;
    values[i] = scan_.number();
  });
  item_ = {};
  for (std::size_t i = 0; i < N; ++i)
    if ((required & ~given) >> i & 1) problem(at, key(part, names[i]), "", "is missing");
  return given;
}

// A row of numbers, or rows of numbers.
void CaseReader::rows(std::string_view part, std::vector<std::vector<double>>& out, bool& flat) {
  const char* at = scan_.at();
  out.clear();
  flat = false;
  bool nested = false;
  scan_.array([&] {
    if (scan_.peek() == '[') {
      nested = true;
      out.emplace_back();
      scan_.array([&] { out.back().push_back(scan_.number()); });
    } else {
      if (!flat) out.emplace_back();
      flat = true;
      out.back().push_back(scan_.number());
    }
  });
  if (flat && nested) problem(at, key(part), "", "must be a list of numbers, or a list of such lists");
}

void CaseReader::read_params(RunText& run) {
  scan_.object([&](std::string_view name) {
    item_ = name;
    if (run.params_size == static_cast<int>(run.params.size())) scan_.fail("more coefficients than any model has");
    WrittenParam& p = run.params[run.params_size++];
    p = {name, {}, 0, scan_.peek() == '"', scan_.at()};
    if (p.is_word) p.word = scan_.string();
    else p.number = scan_.number();
  });
  item_ = {};
}

void CaseReader::read_run(CaseText& c, RunText& run, int index) {
  run_ = index;
  run.at = scan_.at();
  run.params_size = 0;
  run.model = {};
  bool model = false, params = false;
  members(c, index, [&](std::string_view name) {
    part_ = name;
    if (name == "model" && !std::exchange(model, true)) {
      run.model = scan_.string();
    } else if (name == "params" && !std::exchange(params, true)) {
      read_params(run);
    } else {
      if (name == "model" || name == "params") problem(scan_.at(), key(name), "", "stands there twice");
      scan_.skip();
    }
    part_ = {};
  });
  resolve(run, "");
  run_ = -1;
}

void CaseReader::resolve(RunText& run, std::string_view fallback_model) {
  const std::string_view name = run.model.empty() ? fallback_model : run.model;
  const std::size_t before = problems_.size();
  if (name.empty()) {
    problem(run.at, key("model"), "", "is missing");
    return;
  }
  const KnownModel* known = known_model(name);
  if (!known) {
    unknown_model(name, key("model"), problems_);
  } else {
    const ModelInfo* info = known->info;
    run.resolved = {.law = info->law};
    unsigned given = 0;
    for (int k = 0; k < run.params_size; ++k) {
      const WrittenParam& p = run.params[k];
      std::size_t i = 0;
      while (i < info->coefficients.size() && p.name != known->coefficients[i]) ++i;
      const std::size_t mark = problems_.size();
      if (i == info->coefficients.size()) {
        unknown_coefficient(*info, p.name, p.is_word ? std::string(p.word) : fmt::format("{}", p.number),
                            key("params", p.name), problems_);
      } else {
        if (given >> i & 1) problem(p.at, key("params", p.name), "", "stands there twice");
        given |= 1u << i;
        const Coefficient& c = info->coefficients[i];
        if (c.number && !p.is_word && p.number >= c.min && p.number <= c.max) run.resolved.*c.number = p.number;
        else take(c, {p.number, std::string(p.word), p.is_word}, run.resolved, key("params", p.name), problems_);
      }
      for (std::size_t j = mark; j < problems_.size(); ++j) problems_[j].line = scan_.line(p.at);
    }
    if ((given & known->required) != known->required || info->law == Law::fremond)
      check_complete(*info, given, key("params"), problems_);
  }
  for (std::size_t j = before; j < problems_.size(); ++j) {
    problems_[j].file = scan_.file();
    if (problems_[j].line == 0) problems_[j].line = scan_.line(run.at);
  }
}

bool CaseReader::read(std::size_t index, CaseText& c) {
  case_ = index;
  run_ = -1;
  part_ = item_ = {};
  const std::size_t before = problems_.size();
  c.clear();
  c.at = c.own.at = scan_.at();
  unsigned seen = 0;
  std::string_view kind;
  members(c, Edit::kCase, [&](std::string_view name) {
    const CaseKey k = case_key(name);
    if (k == kOtherKey) return scan_.skip();
    part_ = name;
    if (seen >> k & 1) problem(scan_.at(), key(name), "", "stands there twice");
    seen |= 1u << k;
    bool flat = false;
    switch (k) {
      case kKind:
        kind = scan_.string();
        break;
      case kLocalKey: {
        std::array<double, 6> v{};
        const unsigned given = numbers("local", kLocal, v, 0b111);
        c.mass = {v[0], v[1], v[2], v[3], v[4], v[5]};
        c.rotates = c.rotates || given >> 3;
        c.has_local = true;
        break;
      }
      case kPreKey: {
        std::array<double, 3> v{};
        const unsigned given = numbers("pre", kPre, v, 0b11);
        c.pre = {v[0], v[1], v[2], {}};
        c.rotates = c.rotates || given >> 2;
        c.has_pre = true;
        break;
      }
      case kRuns:
        c.has_runs = true;
        part_ = {};
        scan_.array([&] {
          const int i = static_cast<int>(c.runs.size());
          read_run(c, c.runs.emplace_back(), i);
        });
        break;
      case kM:
        rows("M", c.M, flat);
        break;
      case kWN:
        rows("WN", c.WN, c.one_contact);
        break;
      case kWT:
        rows("WT", c.WT, flat);
        break;
      case kWth:
        rows("Wth", c.Wth, flat);
        break;
      case kW:
        rows("w", c.w, flat);
        break;
      case kQdotA:
        scan_.array([&] { c.qdotA.push_back(scan_.number()); });
        break;
      case kSystem:
        // The systems of trajectories are words.
        if (scan_.peek() == '{') {
          std::array<double, 5> v{};
          numbers("system", kPendulum, v, 0b11111);
          c.m = v[0], c.L = v[1], c.theta0 = v[2], c.omegaA = v[3], c.v = v[4];
          c.has_system = true;
        } else {
          scan_.skip();
        }
        break;
      case kModel:
        c.own.model = scan_.string();
        break;
      case kParams:
        read_params(c.own);
        break;
      case kOtherKey:
        break;
    }
    part_ = {};
  });
  check(c, kind);
  return problems_.size() == before;
}

void CaseReader::check(CaseText& c, std::string_view kind) {
  const auto missing = [&](std::string_view what, const char* rule = "is missing") {
    problem(c.at, key(what), "", rule);
  };
  if (kind == "impact" || (kind.empty() && c.has_local && c.M.empty())) {
    c.kind = CaseKind::impact;
  } else if (kind == "pendulum" || (kind.empty() && c.has_system)) {
    c.kind = CaseKind::pendulum;
  } else if (kind == "general" || kind == "multi" || (kind.empty() && !c.M.empty())) {
    c.kind = kind == "multi" || (kind.empty() && !c.one_contact) ? CaseKind::multi : CaseKind::general;
  } else if (kind == "diagram") {
    c.kind = CaseKind::diagram;
  } else if (kind == "trajectory" || kind == "rest" || kind == "zeno") {
    c.kind = CaseKind::passed_on;
    return;
  } else {
    static const Names kinds = {"impact", "general", "multi", "pendulum", "diagram", "trajectory", "rest", "zeno"};
    problem(c.at, key("kind"), kind,
            kind.empty() ? "is missing, and neither `local` nor `M` nor `system` says what it is"
                         : "must be impact, general, multi, pendulum or diagram" + suggestion(kind, kinds));
    return;
  }
  const bool own_result = c.kind == CaseKind::diagram || (c.kind == CaseKind::multi && !c.has_runs);
  if (own_result) resolve(c.own, c.kind == CaseKind::diagram ? "wm_poisson" : "gp1");
  else if (c.runs.empty()) missing("runs", "is missing: which models are to be solved");

  if (c.kind == CaseKind::impact || c.kind == CaseKind::diagram) {
    if (!c.has_local) missing("local");
    if (!c.has_pre) missing("pre");
    if (c.has_local && !(c.mass.A > 0))
      problem(c.at, key("local", "A"), fmt::format("{}", c.mass.A),
              "must be positive: the normal impulse acts on the motion");
    else if (c.has_local && !semidefinite(c.mass))
      problem(
          c.at, key("local"),
          fmt::format("A {} B {} C {} D {} E {} F {}", c.mass.A, c.mass.B, c.mass.C, c.mass.D, c.mass.E, c.mass.F),
          "must be positive semidefinite (C, F >= 0, A C >= B^2, A F >= D^2, C F >= E^2): no mass matrix gives these");
    if (!c.w.empty()) {
      if (c.w.size() != 1 || c.w[0].size() < 2 || c.w[0].size() > 3)
        problem(c.at, key("w"), "", "must be the two or three numbers [w_N, w_T, w_th]");
      else c.pre.w = {c.w[0][0], c.w[0][1], c.w[0].size() > 2 ? c.w[0][2] : 0.0};
    }
  }
  if (c.kind == CaseKind::pendulum) {
    if (!c.has_system) return missing("system");
    const auto wrong = [&](const char* name, double value, const char* rule) {
      problem(c.at, key("system", name), fmt::format("{}", value), rule);
    };
    if (!(c.m > 0)) wrong("m", c.m, "must be positive");
    if (!(c.L > 0)) wrong("L", c.L, "must be positive");
    if (!(c.theta0 > 0 && c.theta0 < std::numbers::pi / 2)) wrong("theta0", c.theta0, "must lie between 0 and pi/2");
    if (!(c.omegaA < 0)) wrong("omegaA", c.omegaA, "must be negative: the pendulum comes from larger angles");
  }
  if (c.kind == CaseKind::general || c.kind == CaseKind::multi) {
    for (const auto& part : {std::pair{"M", c.M.empty()}, std::pair{"WN", c.WN.empty()}, std::pair{"WT", c.WT.empty()},
                             std::pair{"qdotA", c.qdotA.empty()}})
      if (part.second) missing(part.first);
    if (c.kind == CaseKind::general && c.WN.size() > 1)
      problem(c.at, key("WN"), fmt::format("{} rows", c.WN.size()),
              "one contact has one row; several are of the kind `multi`");
    if (c.WT.size() != c.WN.size() || (!c.Wth.empty() && c.Wth.size() != c.WN.size()))
      problem(c.at, key("WT"), fmt::format("{} rows", c.WT.size()), "needs a row for each row of WN, and so does Wth");
    for (const auto& part : {std::pair{"WN", &c.WN}, std::pair{"WT", &c.WT}, std::pair{"Wth", &c.Wth}})
      for (const std::vector<double>& row : *part.second)
        if (row.size() != c.M.size())
          problem(c.at, key(part.first), fmt::format("{} numbers", row.size()),
                  fmt::format("the mass matrix has {} coordinates", c.M.size()));
    if (c.qdotA.size() != c.M.size())
      problem(c.at, key("qdotA"), fmt::format("{} numbers", c.qdotA.size()),
              fmt::format("the mass matrix has {} coordinates", c.M.size()));
    if (!c.w.empty() && (c.w.size() != c.WN.size() || c.w[0].size() < 2 || c.w[0].size() > 3))
      problem(c.at, key("w"), "", "must be the numbers [w_N, w_T] or [w_N, w_T, w_th], one list per contact");
  }
}

}  // namespace areia::impact
