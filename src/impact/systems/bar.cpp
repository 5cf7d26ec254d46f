#include <fmt/format.h>

#include "areia/error.h"
#include "impact/systems/systems.h"

namespace areia::impact {

void require_positive(const char* key, double value) {
  if (!(value > 0) || !std::isfinite(value)) throw InputError(key, fmt::format("{}", value), "must be positive");
}
void require_not_negative(const char* key, double value) {
  if (!(value >= 0) || !std::isfinite(value)) throw InputError(key, fmt::format("{}", value), "must not be negative");
}

namespace {

class Bar final : public System {
 public:
  explicit Bar(const BarParameters& p) : m_(p.mass), L_(p.length), g_(p.g) {
    require_positive("system.mass", p.mass);
    require_positive("system.length", p.length);
    require_not_negative("system.g", p.g);
  }
  std::string kind() const override { return "bar"; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "theta"}; }
  std::vector<std::string> velocities() const override { return {"vx", "vy", "omega"}; }
  std::vector<std::string> contacts() const override { return {"left", "right"}; }

  Matrix mass(const Vector&) const override { return diagonal({m_, m_, m_ * L_ * L_ / 12}); }
  Vector force(double, const Vector&, const Vector&) const override { return {0, -m_ * g_, 0}; }
  double potential(const Vector& q) const override { return m_ * g_ * q[1]; }

  double gap(std::size_t k, double, const Vector& q) const override { return q[1] + end(k) * std::sin(q[2]); }
  double gap_change(std::size_t k, double, const Vector& q, double, const Vector& dq) const override {
    return dq[1] + end(k) * sin_change(q[2], dq[2]);
  }
  Rows rows(std::size_t k, const Vector& q) const override {
    const double r = end(k);
    return {{0, 1, r * std::cos(q[2])}, {1, 0, -r * std::sin(q[2])}, {0, 0, k == 0 ? -1.0 : 1.0}};
  }
  std::array<double, 2> bias(std::size_t k, const Vector& q, const Vector& v) const override {
    const double r = end(k) * v[2] * v[2];
    return {-r * std::sin(q[2]), -r * std::cos(q[2])};
  }

  std::optional<Vector> constant_acceleration() const override { return Vector{0, -g_, 0}; }
  // gap'' = -g -+ (L/2) omega^2 sin(theta)
  double gap_fall(std::size_t, const Vector& v) const override { return g_ + 0.5 * L_ * v[2] * v[2]; }
  double length() const override { return L_; }
  double gravity() const override { return g_; }

  std::vector<Shown> shown(const State& s) const override {
    const double c = 0.5 * L_ * std::cos(s.q[2]), h = 0.5 * L_ * std::sin(s.q[2]);
    return {{"left_x", s.q[0] - c}, {"left_y", s.q[1] - h}, {"right_x", s.q[0] + c}, {"right_y", s.q[1] + h}};
  }
  std::vector<Shape> shapes(const State& s) const override {
    const auto e = shown(s);
    return {{Shape::Kind::segment, "bar", {e[0].value, e[1].value}, {e[2].value, e[3].value}, 0, 0},
            {Shape::Kind::wall, "floor", {0, 0}, {1, 0}, 0, 0}};
  }

 private:
  double end(std::size_t k) const { return (k == 0 ? -0.5 : 0.5) * L_; }  // sigma L/2
  double m_, L_, g_;
};

}  // namespace

std::unique_ptr<System> make_bar(const BarParameters& p) { return std::make_unique<Bar>(p); }

}  // namespace areia::impact
