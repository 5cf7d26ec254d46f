#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

class Ball final : public System {
 public:
  explicit Ball(const BallParameters& p)
      : m_(p.mass),
        r_(p.radius),
        h_(p.height),
        g_(p.g),
        J_(p.inertia > 0 ? p.inertia : 0.4 * p.mass * p.radius * p.radius) {
    require_positive("system.mass", p.mass);
    require_positive("system.radius", p.radius);
    require_positive("system.height - 2 radius", p.height - 2 * p.radius);
    require_not_negative("system.inertia", p.inertia);
    require_not_negative("system.g", p.g);
  }
  std::string kind() const override { return "ball"; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "theta"}; }
  std::vector<std::string> velocities() const override { return {"vx", "vy", "omega"}; }
  std::vector<std::string> contacts() const override { return {"lower", "upper"}; }

  Matrix mass(const Vector&) const override { return diagonal({m_, m_, J_}); }
  Vector force(double, const Vector&, const Vector&) const override { return {0, -m_ * g_, 0}; }
  double potential(const Vector& q) const override { return m_ * g_ * q[1]; }

  double gap(std::size_t k, double, const Vector& q) const override { return k == 0 ? q[1] - r_ : h_ - q[1] - r_; }
  double gap_change(std::size_t k, double, const Vector&, double, const Vector& dq) const override {
    return k == 0 ? dq[1] : -dq[1];
  }
  Rows rows(std::size_t k, const Vector&) const override {
    if (k == 0) return {{0, 1, 0}, {1, 0, r_}, {0, 0, -1}};
    return {{0, -1, 0}, {-1, 0, r_}, {0, 0, -1}};
  }
  std::array<double, 2> bias(std::size_t, const Vector&, const Vector&) const override { return {0, 0}; }

  std::optional<Vector> constant_acceleration() const override { return Vector{0, -g_, 0}; }
  // The gap is a parabola that falls with g above the lower wall: the safe step is then its root.
  double gap_fall(std::size_t k, const Vector&) const override { return k == 0 ? g_ : 0; }
  double length() const override { return r_; }
  double gravity() const override { return g_; }

  std::vector<Shape> shapes(const State& s) const override {
    return {{Shape::Kind::disc, "ball", {s.q[0], s.q[1]}, {}, r_, s.q[2]},
            {Shape::Kind::wall, "lower", {0, 0}, {1, 0}, 0, 0},
            {Shape::Kind::wall, "upper", {0, h_}, {1, h_}, 0, 0}};
  }

 private:
  double m_, r_, h_, g_, J_;
};

}  // namespace

std::unique_ptr<System> make_ball(const BallParameters& p) { return std::make_unique<Ball>(p); }

}  // namespace areia::impact
