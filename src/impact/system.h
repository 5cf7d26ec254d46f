// What the event-driven simulation asks of a mechanical system with minimal coordinates q: mass matrix, forces, and for
// each contact its gap and the rows of its relative velocity,
//
//   M(q) q'' = F(t, q, q') + W R        D = W^t q' + w        (R reactions, w prescribed motions)
//
// The gap is positive when the bodies are apart; D_N < 0 means approach.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impact/local.h"
#include "impact/small_matrix.h"

namespace areia::impact {

struct State {
  double t = 0;
  Vector q, v;
};

// The columns of W at one contact with the prescribed part of the relative velocity. `th` is empty where no relative
// rotation is defined.
struct Rows : ContactRows {
  Rows(Vector n, Vector t, Vector rotation = {}, Velocity prescribed = {})
      : ContactRows{std::move(n), std::move(t), std::move(rotation)}, w(prescribed) {}
  Velocity w;

  double DN(const Vector& v) const { return dot(N, v) + w.N; }
  double DT(const Vector& v) const { return dot(T, v) + w.T; }
};

// A piece of a picture: a segment between two points, a disc with its angle, or an immovable line.
struct Shape {
  enum class Kind { segment, disc, wall };
  Kind kind = Kind::segment;
  std::string name;
  std::array<double, 2> a{}, b{};  // ends; of a disc: centre and nothing
  double radius = 0, angle = 0;    // of a disc
};

// A number worth showing besides coordinates and energy: ends of a bar, position of a bob.
struct Shown {
  std::string name;
  double value = 0;
};

class System {
 public:
  virtual ~System() = default;

  virtual std::string kind() const = 0;
  virtual std::vector<std::string> coordinates() const = 0;  // names of q
  virtual std::vector<std::string> velocities() const;       // of q'; default: d(name)
  virtual std::vector<std::string> contacts() const = 0;

  virtual Matrix mass(const Vector& q) const = 0;
  virtual Vector force(double t, const Vector& q, const Vector& v) const = 0;
  virtual double potential(const Vector& q) const = 0;

  virtual double gap(std::size_t contact, double t, const Vector& q) const = 0;
  // gap(t + dt, q + dq) - gap(t, q), without the loss of digits that the difference of two gaps has: bounces that die
  // out are smaller than the rounding of q.
  virtual double gap_change(std::size_t contact, double t, const Vector& q, double dt, const Vector& dq) const;
  virtual Rows rows(std::size_t contact, const Vector& q) const = 0;
  // dW/dt^t q' for N and T: the part of dD/dt that does not come from q''.
  virtual std::array<double, 2> bias(std::size_t contact, const Vector& q, const Vector& v) const = 0;

  // Flight with a closed form: all q'' constant. Then gap'' >= -gap_fall() during a flight that begins with (q, v).
  virtual std::optional<Vector> constant_acceleration() const { return std::nullopt; }
  virtual double gap_fall(std::size_t /*contact*/, const Vector& /*v*/) const { return 0; }

  virtual double length() const = 0;            // length scale
  virtual double gravity() const { return 0; }  // 0: no gravity

  virtual std::vector<Shown> shown(const State&) const { return {}; }
  virtual std::vector<Shape> shapes(const State&) const { return {}; }

  double kinetic(const State& s) const { return 0.5 * dot(s.v, times(mass(s.q), s.v)); }
  double energy(const State& s) const { return kinetic(s) + potential(s.q); }
};

}  // namespace areia::impact
