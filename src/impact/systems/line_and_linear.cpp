// Systems with constant matrices: two masses on a line, and whatever a user writes down.
#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"
#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

class Linear final : public System {
 public:
  Linear(LinearParameters p, std::string kind) : p_(std::move(p)), kind_(std::move(kind)), factor_(p_.mass) {
    if (p_.stiffness.empty() && p_.damping.empty()) acceleration_ = factor_.solve(p_.force);
  }
  std::string kind() const override { return kind_; }
  std::vector<std::string> coordinates() const override { return p_.coordinates; }
  std::vector<std::string> contacts() const override {
    std::vector<std::string> names;
    for (const LinearContact& c : p_.contacts) names.push_back(c.name);
    return names;
  }

  Matrix mass(const Vector&) const override { return p_.mass; }
  Vector force(double, const Vector& q, const Vector& v) const override {
    Vector f = p_.force;
    if (!p_.stiffness.empty()) add(f, -1, times(p_.stiffness, q));
    if (!p_.damping.empty()) add(f, -1, times(p_.damping, v));
    return f;
  }
  double potential(const Vector& q) const override {
    return (!p_.stiffness.empty() ? 0.5 * dot(q, times(p_.stiffness, q)) : 0.0) - dot(p_.force, q);
  }

  double gap(std::size_t k, double t, const Vector& q) const override {
    const LinearContact& c = p_.contacts[k];
    return c.gap0 + dot(c.N, q) + c.w.N * t;
  }
  double gap_change(std::size_t k, double, const Vector&, double dt, const Vector& dq) const override {
    const LinearContact& c = p_.contacts[k];
    return dot(c.N, dq) + c.w.N * dt;
  }
  Rows rows(std::size_t k, const Vector&) const override {
    const LinearContact& c = p_.contacts[k];
    return {c.N, c.T, c.theta, c.w};
  }
  std::array<double, 2> bias(std::size_t, const Vector&, const Vector&) const override { return {0, 0}; }

  std::optional<Vector> constant_acceleration() const override { return acceleration_; }
  double gap_fall(std::size_t k, const Vector&) const override {
    return std::max(0.0, -dot(p_.contacts[k].N, *acceleration_));
  }
  double length() const override { return p_.length; }
  double gravity() const override { return p_.gravity; }

  std::vector<Shape> shapes(const State& s) const override {
    if (kind_ != "masses") return {};
    std::vector<Shape> all;
    for (std::size_t i = 0; i < 2; ++i)
      all.push_back({Shape::Kind::disc, fmt::format("mass{}", i + 1), {s.q[i], 0}, {}, 0.5 * p_.length, 0});
    return all;
  }

 private:
  LinearParameters p_;
  std::string kind_;
  MassMatrix factor_;
  std::optional<Vector> acceleration_;
};

void check(const LinearParameters& p) {
  std::vector<Problem> problems;
  const auto wrong = [&](std::string key, std::string value, std::string rule) {
    problems.push_back({"", 0, std::move(key), std::move(value), std::move(rule)});
  };
  const std::size_t n = p.mass.size();
  const auto square = [&](const Matrix& m, const char* key) {
    for (const Vector& row : m)
      if (m.size() != n || row.size() != n) return wrong(key, "", fmt::format("must have {0} rows of {0} numbers", n));
  };
  try {
    MassMatrix{p.mass};
  } catch (const InputError& e) {
    for (const Problem& q : e.problems) wrong("system." + q.key, q.value, q.rule);
  }
  square(p.stiffness, "system.stiffness");
  square(p.damping, "system.damping");
  if (p.force.size() != n) wrong("system.force", "", fmt::format("must have {} numbers", n));
  if (p.coordinates.size() != n) wrong("system.coordinates", "", fmt::format("must have {} names", n));
  if (!(p.length > 0)) wrong("system.length", fmt::format("{}", p.length), "must be positive");
  if (!(p.gravity >= 0)) wrong("system.g", fmt::format("{}", p.gravity), "must not be negative");
  if (p.contacts.empty()) wrong("system.contacts", "[]", "needs at least one contact");
  for (std::size_t k = 0; k < p.contacts.size(); ++k) {
    const LinearContact& c = p.contacts[k];
    const std::string key = fmt::format("system.contacts[{}]", k);
    if (c.N.size() != n) wrong(key + ".N", "", fmt::format("must have {} numbers", n));
    if (c.T.size() != n) wrong(key + ".T", "", fmt::format("must have {} numbers", n));
    if (!c.theta.empty() && c.theta.size() != n) wrong(key + ".theta", "", fmt::format("must have {} numbers", n));
    if (dot(c.N, c.N) == 0) wrong(key + ".N", "0", "must not be zero: no impulse could act on the motion");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

std::unique_ptr<System> make_linear(const LinearParameters& p) {
  LinearParameters filled = p;
  const std::size_t n = p.mass.size();
  if (filled.force.empty()) filled.force.assign(n, 0.0);
  if (filled.coordinates.empty())
    for (std::size_t i = 0; i < n; ++i) filled.coordinates.push_back(fmt::format("q{}", i + 1));
  for (LinearContact& c : filled.contacts)
    if (c.T.empty()) c.T.assign(n, 0.0);
  check(filled);
  return std::make_unique<Linear>(std::move(filled), "linear");
}

std::unique_ptr<System> make_masses(const MassesParameters& p) {
  require_positive("system.mass[0]", p.mass[0]);
  require_positive("system.mass[1]", p.mass[1]);
  require_not_negative("system.stiffness[0]", p.stiffness[0]);
  require_not_negative("system.stiffness[1]", p.stiffness[1]);
  require_not_negative("system.spacing", p.spacing);
  LinearParameters l;
  l.coordinates = {"x1", "x2"};
  l.mass = diagonal({p.mass[0], p.mass[1]});
  l.force = {p.stiffness[0] * p.anchor[0], p.stiffness[1] * p.anchor[1]};
  if (p.stiffness[0] > 0 || p.stiffness[1] > 0) l.stiffness = diagonal({p.stiffness[0], p.stiffness[1]});
  l.contacts = {{"1-2", {-1, 1}, {0, 0}, {}, {}, -p.spacing}};
  if (p.spacing > 0) l.length = p.spacing;
  return std::make_unique<Linear>(std::move(l), "masses");
}

}  // namespace areia::impact
