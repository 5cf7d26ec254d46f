// Systems with one or two angles: their flight has no closed form. Angles are measured from the downward vertical, the
// pin is the origin.
#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"
#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

class PinnedBar final : public System {
 public:
  explicit PinnedBar(const PinnedBarParameters& p) : p_(p) {
    require_positive("system.mass", p.mass);
    require_positive("system.length", p.length);
    require_positive("system.stop_distance", p.stop_distance);
    require_not_negative("system.g", p.g);
    if (p.side != 1 && p.side != -1) throw InputError("system.side", fmt::format("{}", p.side), "must be 1 or -1");
    if (p.stop_distance > p.length)
      throw InputError("system.stop_distance", fmt::format("{}", p.stop_distance),
                       fmt::format("must not exceed the length {}", p.length));
  }
  std::string kind() const override { return "pinned_bar"; }
  std::vector<std::string> coordinates() const override { return {"theta"}; }
  std::vector<std::string> velocities() const override { return {"omega"}; }
  std::vector<std::string> contacts() const override { return {"stop"}; }

  Matrix mass(const Vector&) const override { return diagonal({p_.mass * p_.length * p_.length / 3}); }
  Vector force(double, const Vector& q, const Vector&) const override {
    return {-0.5 * p_.mass * p_.g * p_.length * std::sin(q[0])};
  }
  double potential(const Vector& q) const override { return -0.5 * p_.mass * p_.g * p_.length * std::cos(q[0]); }

  double gap(std::size_t, double, const Vector& q) const override { return arm() * (q[0] - p_.stop_angle); }
  double gap_change(std::size_t, double, const Vector&, double, const Vector& dq) const override {
    return arm() * dq[0];
  }
  Rows rows(std::size_t, const Vector&) const override { return {{arm()}, {0}, {}, {}}; }
  std::array<double, 2> bias(std::size_t, const Vector&, const Vector&) const override { return {0, 0}; }
  double length() const override { return p_.length; }
  double gravity() const override { return p_.g; }

  // The impulse at the pin along the normal follows from the momentum of the bar, m (L/2) sigma d(omega) - I_N. In
  // terms of I_N = M d(omega)/(sigma d) it is (3d/(2L) - 1) I_N: none at the centre of percussion d = 2L/3.
  std::vector<Shown> shown(const State& s) const override {
    return {{"end_x", p_.length * std::sin(s.q[0])}, {"end_y", -p_.length * std::cos(s.q[0])}};
  }
  std::vector<Shape> shapes(const State& s) const override {
    const auto e = shown(s);
    const double sx = p_.stop_distance * std::sin(p_.stop_angle), sy = -p_.stop_distance * std::cos(p_.stop_angle);
    return {{Shape::Kind::segment, "bar", {0, 0}, {e[0].value, e[1].value}, 0, 0},
            {Shape::Kind::disc, "stop", {sx, sy}, {}, 0.02 * p_.length, 0}};
  }

 private:
  double arm() const { return p_.side * p_.stop_distance; }
  PinnedBarParameters p_;
};

class BoxPendulum final : public System {
 public:
  explicit BoxPendulum(const BoxParameters& p) : p_(p), theta_(p.driven ? 0 : 1) {
    require_positive("system.mass", p.mass);
    require_positive("system.length", p.length);
    require_not_negative("system.bob_radius", p.bob_radius);
    require_positive("system.half_width - bob_radius", p.half_width - p.bob_radius);
    require_not_negative("system.g", p.g);
    if (!p.driven) require_positive("system.box_mass", p.box_mass);
    require_not_negative("system.box_stiffness", p.box_stiffness);
  }
  std::string kind() const override { return "box_pendulum"; }
  std::vector<std::string> coordinates() const override {
    return p_.driven ? std::vector<std::string>{"theta"} : std::vector<std::string>{"X", "theta"};
  }
  std::vector<std::string> velocities() const override {
    return p_.driven ? std::vector<std::string>{"omega"} : std::vector<std::string>{"vX", "omega"};
  }
  std::vector<std::string> contacts() const override { return {"right", "left"}; }

  Matrix mass(const Vector& q) const override {
    const double l = p_.length, m = p_.mass;
    if (p_.driven) return diagonal({m * l * l});
    Matrix M = square(2);
    M[0][0] = p_.box_mass + m;
    M[0][1] = M[1][0] = m * l * std::cos(q[1]);
    M[1][1] = m * l * l;
    return M;
  }
  Vector force(double t, const Vector& q, const Vector& v) const override {
    const double l = p_.length, m = p_.mass, th = q[theta_], om = v[theta_];
    const double weight = -m * p_.g * l * std::sin(th);
    if (p_.driven) return {weight - m * l * drive_acceleration(t) * std::cos(th)};
    return {m * l * std::sin(th) * om * om + p_.box_force - p_.box_stiffness * q[0], weight};
  }
  double potential(const Vector& q) const override {
    const double swing = -p_.mass * p_.g * p_.length * std::cos(q[theta_]);
    return p_.driven ? swing : swing + 0.5 * p_.box_stiffness * q[0] * q[0] - p_.box_force * q[0];
  }

  double gap(std::size_t k, double, const Vector& q) const override {
    return p_.half_width - p_.bob_radius - side(k) * p_.length * std::sin(q[theta_]);
  }
  double gap_change(std::size_t k, double, const Vector& q, double, const Vector& dq) const override {
    return -side(k) * p_.length * sin_change(q[theta_], dq[theta_]);
  }
  Rows rows(std::size_t k, const Vector& q) const override {
    const double n = -side(k) * p_.length * std::cos(q[theta_]), t = p_.length * std::sin(q[theta_]);
    if (p_.driven) return {{n}, {t}};
    return {{0, n}, {0, t}};
  }
  std::array<double, 2> bias(std::size_t k, const Vector& q, const Vector& v) const override {
    const double a = p_.length * v[theta_] * v[theta_];
    return {side(k) * a * std::sin(q[theta_]), a * std::cos(q[theta_])};
  }
  double length() const override { return p_.length; }
  double gravity() const override { return p_.g; }

  std::vector<Shown> shown(const State& s) const override {
    const double X = box(s), th = s.q[theta_], l = p_.length;
    std::vector<Shown> all{{"bob_x", X + l * std::sin(th)}, {"bob_y", -l * std::cos(th)}};
    if (p_.driven) all.push_back({"X", X});
    else all.push_back({"momentum_x", (p_.box_mass + p_.mass) * s.v[0] + p_.mass * l * std::cos(th) * s.v[1]});
    return all;
  }
  std::vector<Shape> shapes(const State& s) const override {
    const auto e = shown(s);
    const double X = box(s), a = p_.half_width, low = -1.2 * p_.length;
    return {{Shape::Kind::segment, "rod", {X, 0}, {e[0].value, e[1].value}, 0, 0},
            {Shape::Kind::disc, "bob", {e[0].value, e[1].value}, {}, std::max(p_.bob_radius, 0.02 * p_.length), 0},
            {Shape::Kind::segment, "top", {X - a, 0}, {X + a, 0}, 0, 0},
            {Shape::Kind::segment, "wall_left", {X - a, 0}, {X - a, low}, 0, 0},
            {Shape::Kind::segment, "wall_right", {X + a, 0}, {X + a, low}, 0, 0}};
  }

 private:
  static double side(std::size_t k) { return k == 0 ? 1 : -1; }
  double box(const State& s) const {
    return p_.driven ? p_.amplitude * std::sin(p_.frequency * s.t + p_.phase) : s.q[0];
  }
  double drive_acceleration(double t) const {
    return -p_.amplitude * p_.frequency * p_.frequency * std::sin(p_.frequency * t + p_.phase);
  }
  BoxParameters p_;
  std::size_t theta_;  // which coordinate is the angle
};

class RigidPendulum final : public System {
 public:
  explicit RigidPendulum(const RigidPendulumParameters& p) : p_(p) {
    require_positive("system.mass", p.mass);
    require_positive("system.length", p.length);
    require_not_negative("system.g", p.g);
    if (!(p.contact_angle > 0 && p.contact_angle < 2 * std::atan(1.0)))
      throw InputError("system.contact_angle", fmt::format("{}", p.contact_angle), "must be in (0, pi/2)");
  }
  std::string kind() const override { return "rigid_pendulum"; }
  std::vector<std::string> coordinates() const override { return {"theta"}; }
  std::vector<std::string> velocities() const override { return {"omega"}; }
  std::vector<std::string> contacts() const override { return {"tip"}; }

  Matrix mass(const Vector&) const override { return diagonal({p_.mass * p_.length * p_.length / 3}); }
  Vector force(double, const Vector& q, const Vector&) const override {
    return {-0.5 * p_.mass * p_.g * p_.length * std::sin(q[0])};
  }
  double potential(const Vector& q) const override { return -0.5 * p_.mass * p_.g * p_.length * std::cos(q[0]); }

  double gap(std::size_t, double, const Vector& q) const override {
    return p_.length * (std::cos(p_.contact_angle) - std::cos(q[0]));
  }
  double gap_change(std::size_t, double, const Vector& q, double, const Vector& dq) const override {
    return -p_.length * cos_change(q[0], dq[0]);
  }
  Rows rows(std::size_t, const Vector& q) const override {
    return {{p_.length * std::sin(q[0])}, {p_.length * std::cos(q[0])}, {}, {0, -p_.surface_speed, 0}};
  }
  std::array<double, 2> bias(std::size_t, const Vector& q, const Vector& v) const override {
    const double a = p_.length * v[0] * v[0];
    return {a * std::cos(q[0]), -a * std::sin(q[0])};
  }
  double length() const override { return p_.length; }
  double gravity() const override { return p_.g; }

  std::vector<Shown> shown(const State& s) const override {
    return {{"end_x", p_.length * std::sin(s.q[0])}, {"end_y", -p_.length * std::cos(s.q[0])}};
  }
  std::vector<Shape> shapes(const State& s) const override {
    const auto e = shown(s);
    const double y = -p_.length * std::cos(p_.contact_angle);
    return {{Shape::Kind::segment, "bar", {0, 0}, {e[0].value, e[1].value}, 0, 0},
            {Shape::Kind::wall, "surface", {0, y}, {1, y}, 0, 0}};
  }

 private:
  RigidPendulumParameters p_;
};

class DoublePendulum final : public System {
 public:
  explicit DoublePendulum(const DoublePendulumParameters& p) : p_(p) {
    require_positive("system.mass", p.mass);
    require_positive("system.length", p.length);
    require_positive("system.depth", p.depth);
    require_not_negative("system.g", p.g);
  }
  std::string kind() const override { return "double_pendulum"; }
  std::vector<std::string> coordinates() const override { return {"q1", "q2"}; }
  std::vector<std::string> velocities() const override { return {"omega1", "omega2"}; }
  std::vector<std::string> contacts() const override { return {"tip"}; }

  Matrix mass(const Vector& q) const override {
    const double J = p_.mass * p_.length * p_.length;
    Matrix M = square(2);
    M[0][0] = 4 * J / 3;
    M[0][1] = M[1][0] = 0.5 * J * std::cos(q[0] - q[1]);
    M[1][1] = J / 3;
    return M;
  }
  Vector force(double, const Vector& q, const Vector& v) const override {
    const double J = p_.mass * p_.length * p_.length, w = p_.mass * p_.g * p_.length, s = std::sin(q[0] - q[1]);
    return {-0.5 * J * s * v[1] * v[1] - 1.5 * w * std::sin(q[0]),
            0.5 * J * s * v[0] * v[0] - 0.5 * w * std::sin(q[1])};
  }
  double potential(const Vector& q) const override {
    return -p_.mass * p_.g * p_.length * (1.5 * std::cos(q[0]) + 0.5 * std::cos(q[1]));
  }

  double gap(std::size_t, double, const Vector& q) const override {
    return p_.depth - p_.length * (std::cos(q[0]) + std::cos(q[1]));
  }
  double gap_change(std::size_t, double, const Vector& q, double, const Vector& dq) const override {
    return -p_.length * (cos_change(q[0], dq[0]) + cos_change(q[1], dq[1]));
  }
  Rows rows(std::size_t, const Vector& q) const override {
    const double l = p_.length;
    return {{l * std::sin(q[0]), l * std::sin(q[1])}, {l * std::cos(q[0]), l * std::cos(q[1])}};
  }
  std::array<double, 2> bias(std::size_t, const Vector& q, const Vector& v) const override {
    const double l = p_.length, a = v[0] * v[0], b = v[1] * v[1];
    return {l * (std::cos(q[0]) * a + std::cos(q[1]) * b), -l * (std::sin(q[0]) * a + std::sin(q[1]) * b)};
  }
  double length() const override { return p_.length; }
  double gravity() const override { return p_.g; }

  std::vector<Shown> shown(const State& s) const override {
    const double l = p_.length, x = l * std::sin(s.q[0]), y = -l * std::cos(s.q[0]);
    return {{"joint_x", x}, {"joint_y", y}, {"end_x", x + l * std::sin(s.q[1])}, {"end_y", y - l * std::cos(s.q[1])}};
  }
  std::vector<Shape> shapes(const State& s) const override {
    const auto e = shown(s);
    return {{Shape::Kind::segment, "upper", {0, 0}, {e[0].value, e[1].value}, 0, 0},
            {Shape::Kind::segment, "lower", {e[0].value, e[1].value}, {e[2].value, e[3].value}, 0, 0},
            {Shape::Kind::wall, "ground", {0, -p_.depth}, {1, -p_.depth}, 0, 0}};
  }

 private:
  DoublePendulumParameters p_;
};

}  // namespace

std::unique_ptr<System> make_pinned_bar(const PinnedBarParameters& p) { return std::make_unique<PinnedBar>(p); }
std::unique_ptr<System> make_box_pendulum(const BoxParameters& p) { return std::make_unique<BoxPendulum>(p); }
std::unique_ptr<System> make_rigid_pendulum(const RigidPendulumParameters& p) {
  return std::make_unique<RigidPendulum>(p);
}
std::unique_ptr<System> make_double_pendulum(const DoublePendulumParameters& p) {
  return std::make_unique<DoublePendulum>(p);
}

}  // namespace areia::impact
