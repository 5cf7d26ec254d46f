// Each stage is a linear complementarity problem with friction. Its modes are gone through in a fixed order, each a
// system of linear equations, and the first that fulfils all inequalities is taken.
#include "impact/many_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "impact/dense.h"
#include "impact/stages.h"

namespace areia::impact {

namespace {

constexpr int kFrictionModes[] = {0, +1, -1};  // stick, slip+, slip-: the sign of D_T

// One stage over k contacts, two unknowns each: (I_N, I_T) of contact i at 2i, 2i+1.
struct Stage {
  std::vector<double> I, D;
  std::vector<int> slip;
  std::vector<bool> closed;
};

class StageProblem {
 public:
  StageProblem(const Dense& G, const std::vector<double>& D0, const std::vector<double>& least, double mu)
      : G_(G), D0_(D0), least_(least), mu_(mu), k_(least.size()) {
    double v = 0;
    for (const double d : D0) v = std::max(v, std::fabs(d));
    for (std::size_t i = 0; i < k_; ++i) unit_ = std::max(unit_, G.at(2 * i, 2 * i));
    for (const double l : least) v = std::max(v, l * unit_);
    velocity_tolerance_ = 1e-11 * v;
    impulse_tolerance_ = 1e-11 * v / unit_;
  }

  // Open before closed, stick before slip+ before slip-, the last contact varying fastest.
  bool solve(Stage& out) const {
    for (unsigned set = 0; set < 1u << k_; ++set) {
      std::vector<bool> closed(k_);
      std::vector<std::size_t> rubbing;  // where friction acts: the others have no normal impulse
      for (std::size_t i = 0; i < k_; ++i) {
        closed[i] = set >> (k_ - 1 - i) & 1;
        if (mu_ > 0 && (closed[i] || least_[i] > 0)) rubbing.push_back(i);
      }
      std::size_t combinations = 1;
      for (std::size_t j = 0; j < rubbing.size(); ++j) combinations *= 3;
      for (std::size_t f = 0; f < combinations; ++f) {
        std::vector<int> slip(k_, kNoFriction);
        std::size_t rest = f;
        for (std::size_t j = rubbing.size(); j-- > 0; rest /= 3) slip[rubbing[j]] = kFrictionModes[rest % 3];
        if (consistent(closed, slip, out)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr int kNoFriction = 2;

  bool consistent(const std::vector<bool>& closed, const std::vector<int>& slip, Stage& out) const {
    const std::size_t n = 2 * k_;
    Dense K(n);
    std::vector<double> b(n);
    for (std::size_t i = 0; i < k_; ++i) {
      const std::size_t N = 2 * i, T = N + 1;
      if (closed[i]) {  // D_N = 0, in units of the largest A so that all rows weigh alike
        for (std::size_t j = 0; j < n; ++j) K.at(N, j) = G_.at(N, j) / unit_;
        b[N] = -D0_[N] / unit_;
      } else {
        K.at(N, N) = 1;
        b[N] = least_[i];
      }
      if (slip[i] == 0) {  // D_T = 0
        for (std::size_t j = 0; j < n; ++j) K.at(T, j) = G_.at(T, j) / unit_;
        b[T] = -D0_[T] / unit_;
      } else {
        K.at(T, T) = 1;
        if (slip[i] != kNoFriction) K.at(T, N) = slip[i] * mu_;
      }
    }
    std::vector<double> I;
    if (!solve_linear(K, b, I)) return false;
    std::vector<double> D = G_.times(I);
    for (std::size_t j = 0; j < n; ++j) D[j] += D0_[j];
    for (std::size_t i = 0; i < k_; ++i) {
      const std::size_t N = 2 * i, T = N + 1;
      if (closed[i] ? I[N] < least_[i] - impulse_tolerance_ : D[N] < -velocity_tolerance_) return false;
      if (slip[i] == 0 ? std::fabs(I[T]) > mu_ * I[N] + impulse_tolerance_
                       : slip[i] != kNoFriction && slip[i] * D[T] < -velocity_tolerance_)
        return false;
      if (closed[i] && std::fabs(D[N]) > velocity_tolerance_) return false;  // equations that contradict each other
      if (slip[i] == 0 && std::fabs(D[T]) > velocity_tolerance_) return false;
      if (closed[i]) D[N] = 0;
      if (slip[i] == 0) D[T] = 0;
    }
    out = {std::move(I), std::move(D), slip, closed};
    for (int& s : out.slip)
      if (s == kNoFriction) s = 0;
    return true;
  }

  const Dense& G_;
  const std::vector<double>&D0_, &least_;
  double mu_, unit_ = 0, velocity_tolerance_ = 0, impulse_tolerance_ = 0;
  std::size_t k_;
};

std::vector<Velocity> velocities(const std::vector<double>& D) {
  std::vector<Velocity> v;
  for (std::size_t i = 0; i < D.size(); i += 2) v.push_back({D[i], D[i + 1], 0});
  return v;
}
std::vector<Impulse> impulses(const std::vector<double>& I) {
  std::vector<Impulse> v;
  for (std::size_t i = 0; i < I.size(); i += 2) v.push_back({I[i], I[i + 1], 0});
  return v;
}

void check(const MassMatrix& M, const std::vector<ContactRows>& contacts, std::span<const double> qdotA,
           const std::vector<Velocity>& w, const Model& model) {
  std::vector<Problem> problems;
  const auto wrong_size = [&](const std::string& key, std::size_t n) {
    if (n != M.size())
      problems.push_back(
          {"", 0, key, fmt::format("{} numbers", n), fmt::format("the system has {} coordinates", M.size())});
  };
  if (contacts.empty() || contacts.size() > kMostContacts)
    problems.push_back({"", 0, "WN", fmt::format("{} contacts", contacts.size()),
                        fmt::format("from 1 to {} contacts can be solved together", kMostContacts)});
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    wrong_size(fmt::format("WN[{}]", i), contacts[i].N.size());
    wrong_size(fmt::format("WT[{}]", i), contacts[i].T.size());
  }
  wrong_size("qdotA", qdotA.size());
  const auto finite = [&](const std::string& key, std::span<const double> row) {
    for (const double x : row)
      if (!std::isfinite(x)) problems.push_back({"", 0, key, fmt::format("{}", x), "must be finite"});
  };
  finite("qdotA", qdotA);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    finite(fmt::format("WN[{}]", i), contacts[i].N);
    finite(fmt::format("WT[{}]", i), contacts[i].T);
  }
  if (!w.empty() && w.size() != contacts.size())
    problems.push_back({"", 0, "w", fmt::format("{} contacts", w.size()), "must name every contact"});
  if (!(model.e >= 0 && model.e <= 1))
    problems.push_back({"", 0, "e", fmt::format("{}", model.e), "must be from 0 to 1"});
  if (!(model.mu >= 0 && std::isfinite(model.mu)))
    problems.push_back({"", 0, "mu", fmt::format("{}", model.mu), "must be >= 0"});
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

ManyImpact solve_many(const MassMatrix& M, const std::vector<ContactRows>& contacts, std::span<const double> qdotA,
                      const std::vector<Velocity>& w, const Model& model) {
  check(M, contacts, qdotA, w, model);
  const std::size_t k = contacts.size();
  const double mu = model.law == Law::newton ? 0.0 : model.mu;
  ManyImpact r;
  r.substituted = model.law != Law::newton && model.law != Law::gp1;

  // G = W^T M^-1 W over all directions of all contacts, with its plain signs: no -B and -E here.
  Dense G(2 * k);
  std::vector<double> DA(2 * k), wA(2 * k);
  const auto row = [&](std::size_t j) -> const std::vector<double>& {
    return j % 2 == 0 ? contacts[j / 2].N : contacts[j / 2].T;
  };
  for (std::size_t j = 0; j < 2 * k; ++j) {
    const std::vector<double> x = M.solve(row(j));
    for (std::size_t i = 0; i < 2 * k; ++i)
      for (std::size_t q = 0; q < x.size(); ++q) G.at(i, j) += row(i)[q] * x[q];
    if (!w.empty()) wA[j] = j % 2 == 0 ? w[j / 2].N : w[j / 2].T;
    DA[j] = wA[j];
    for (std::size_t q = 0; q < qdotA.size(); ++q) DA[j] += row(j)[q] * qdotA[q];
  }
  r.A = velocities(DA);
  r.qdotE.assign(qdotA.begin(), qdotA.end());
  r.C = r.E = r.A;
  r.I.resize(k), r.IC.resize(k), r.IE.resize(k);
  const auto stopped = [&](Status status, const char* reason, const char* phase = "") {
    r.status = status;
    r.reason = reason;
    r.phase = phase;
    return r;
  };
  bool approach = false, touch = false;
  for (std::size_t i = 0; i < k; ++i) {
    if (!(G.at(2 * i, 2 * i) > 0))
      return stopped(Status::singular, "a contact's normal impulse does not act on the motion");
    approach = approach || DA[2 * i] < 0;
    touch = touch || DA[2 * i] == 0;
  }
  if (!approach)
    return touch ? stopped(Status::grazing, "no approach") : stopped(Status::separating, "the bodies move apart");

  Stage C, E;
  std::vector<double> least(k);
  if (!StageProblem(G, DA, least, mu).solve(C))
    return stopped(Status::no_solution, "no combination of open, sticking and sliding contacts is consistent",
                   "compression");
  for (std::size_t i = 0; i < k; ++i) least[i] = model.e * std::max(0.0, C.I[2 * i]);
  if (!StageProblem(G, C.D, least, mu).solve(E))
    return stopped(Status::no_solution, "no combination of open, sticking and sliding contacts is consistent",
                   "expansion");

  std::vector<double> I(2 * k), force(M.size());
  for (std::size_t j = 0; j < 2 * k; ++j) {
    I[j] = C.I[j] + E.I[j];
    for (std::size_t q = 0; q < force.size(); ++q) force[q] += row(j)[q] * I[j];
    r.dT += I[j] * (DA[j] + E.D[j]) / 2;
    r.dT_inertial -= I[j] * wA[j];
  }
  r.dT_inertial += r.dT;
  const std::vector<double> change = M.solve(force);
  for (std::size_t q = 0; q < change.size(); ++q) r.qdotE[q] += change[q];
  r.IC = impulses(C.I), r.IE = impulses(E.I), r.I = impulses(I);
  r.C = velocities(C.D), r.E = velocities(E.D);
  for (std::size_t i = 0; i < k; ++i)
    r.modes.emplace_back(r.I[i].N <= 0 ? "open" : mu == 0 ? "frictionless" : stage_modes(C.slip[i], E.slip[i]));
  // Scale of the flag: the sum of D_NA^2/(2A), a lower bound of what the contacts can change.
  double scale = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < k; ++i) scale += DA[2 * i] * DA[2 * i] / (2 * G.at(2 * i, 2 * i));
  r.energy_gain = r.dT > 1e-12 * scale;
  return r;
}

}  // namespace areia::impact
