// The systems of docs/impact-lab.md and one given by its matrices. All throw InputError for numbers outside their
// range; keys are those of a case file.
#pragma once
#include <memory>

#include "impact/system.h"

namespace areia::impact {

// 10.1: a slender bar and a fixed floor y = 0; q = (x, y, theta), contacts left, right.
struct BarParameters {
  double mass = 1, length = 1, g = 9.8;
};
std::unique_ptr<System> make_bar(const BarParameters&);

// 10.2: a ball between the walls y = 0 and y = height; q = (x, y, theta), contacts lower, upper.
struct BallParameters {
  double mass = 1, radius = 0.1, height = 1.01, g = 0;
  double inertia = 0;  // 0: solid sphere, 2/5 m r^2
};
std::unique_ptr<System> make_ball(const BallParameters&);

// 10.3: discs on a frictionless table; q = (x_i, y_i, theta_i) one after the other, one contact per pair.
struct Coin {
  double mass = 1, radius = 1;
};
std::unique_ptr<System> make_coins(const std::vector<Coin>&);

// 10.4: two masses on a line, each with an optional spring to a point of its own.
struct MassesParameters {
  std::array<double, 2> mass{1, 1}, stiffness{0, 0}, anchor{0, 0};
  double spacing = 0;  // distance of the centres at contact
};
std::unique_ptr<System> make_masses(const MassesParameters&);

// 10.5: a bar pinned at one end and a stop; q = theta from the downward vertical.
struct PinnedBarParameters {
  double mass = 1, length = 1, g = 9.8;
  double stop_distance = 1, stop_angle = 0;
  int side = 1;  // the bar lives at side * (theta - stop_angle) > 0
};
std::unique_ptr<System> make_pinned_bar(const PinnedBarParameters&);

// 10.6: a pendulum whose pivot sits on a box with walls at +-a. The box is free on a rail, q = (X, theta), or driven as
// X = amplitude sin(frequency t + phase), q = theta.
struct BoxParameters {
  double mass = 1, length = 1, half_width = 0.5, bob_radius = 0, g = 9.8;
  bool driven = false;
  double box_mass = 1, box_stiffness = 0, box_force = 0;
  double amplitude = 0, frequency = 1, phase = 0;
};
std::unique_ptr<System> make_box_pendulum(const BoxParameters&);

// 10.7: a rigid pendulum whose tip meets a surface that moves with a speed along itself; q = theta.
struct RigidPendulumParameters {
  double mass = 1, length = 1, g = 9.8;
  double contact_angle = 0.5;  // in (0, pi/2)
  double surface_speed = 0;
};
std::unique_ptr<System> make_rigid_pendulum(const RigidPendulumParameters&);

// 10.8: Kane's double pendulum above the ground; q = (q1, q2) from the downward vertical.
struct DoublePendulumParameters {
  double mass = 1, length = 1, g = 9.8, depth = 1.8;  // of the ground below the pin
};
std::unique_ptr<System> make_double_pendulum(const DoublePendulumParameters&);

// Any system with constant matrices: M q'' = force - stiffness q - damping q' + W R, gap = gap0 + N.q + w_N t.
struct LinearContact {
  std::string name;
  Vector N, T, theta;
  Velocity w;
  double gap0 = 0;
};
struct LinearParameters {
  std::vector<std::string> coordinates;
  Matrix mass;
  Vector force;
  Matrix stiffness, damping;  // empty: none
  std::vector<LinearContact> contacts;
  double length = 1, gravity = 0;  // scales of the tests for chatter
};
std::unique_ptr<System> make_linear(const LinearParameters&);

// sin(a + d) - sin(a) and cos(a + d) - cos(a) without cancellation.
inline double sin_change(double a, double d) { return 2 * std::cos(a + 0.5 * d) * std::sin(0.5 * d); }
inline double cos_change(double a, double d) { return -2 * std::sin(a + 0.5 * d) * std::sin(0.5 * d); }

// Throws InputError unless value > 0 (or >= 0).
void require_positive(const char* key, double value);
void require_not_negative(const char* key, double value);

}  // namespace areia::impact
