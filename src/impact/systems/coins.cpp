#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"
#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

class Coins final : public System {
 public:
  explicit Coins(std::vector<Coin> coins) : coins_(std::move(coins)) {
    if (coins_.size() < 2) throw InputError("system.coins", fmt::format("{}", coins_.size()), "at least two coins");
    for (std::size_t i = 0; i < coins_.size(); ++i) {
      require_positive(fmt::format("system.coins[{}].mass", i).c_str(), coins_[i].mass);
      require_positive(fmt::format("system.coins[{}].radius", i).c_str(), coins_[i].radius);
      for (std::size_t j = i + 1; j < coins_.size(); ++j) pairs_.push_back({i, j});
    }
  }
  std::string kind() const override { return "coins"; }
  std::vector<std::string> coordinates() const override { return numbered({"x", "y", "theta"}); }
  std::vector<std::string> velocities() const override { return numbered({"vx", "vy", "omega"}); }
  std::vector<std::string> contacts() const override {
    std::vector<std::string> names;
    for (const auto& p : pairs_) names.push_back(fmt::format("{}-{}", p[0] + 1, p[1] + 1));
    return names;
  }

  Matrix mass(const Vector&) const override {
    Vector d;
    for (const Coin& c : coins_) d.insert(d.end(), {c.mass, c.mass, 0.5 * c.mass * c.radius * c.radius});
    return diagonal(d);
  }
  Vector force(double, const Vector& q, const Vector&) const override { return Vector(q.size(), 0.0); }
  double potential(const Vector&) const override { return 0; }

  double gap(std::size_t k, double, const Vector& q) const override {
    const Line l = line(k, q);
    return l.distance - l.reach;
  }
  // |c + d| - |c| = d.(2c + d)/(|c + d| + |c|)
  double gap_change(std::size_t k, double, const Vector& q, double, const Vector& dq) const override {
    const auto [i, j] = pairs_[k];
    const double cx = q[3 * j] - q[3 * i], cy = q[3 * j + 1] - q[3 * i + 1];
    const double dx = dq[3 * j] - dq[3 * i], dy = dq[3 * j + 1] - dq[3 * i + 1];
    return (dx * (2 * cx + dx) + dy * (2 * cy + dy)) / (std::hypot(cx + dx, cy + dy) + std::hypot(cx, cy));
  }
  // n from i to j, t = n turned by -90 degrees.
  Rows rows(std::size_t k, const Vector& q) const override {
    const auto [i, j] = pairs_[k];
    const Line l = line(k, q);
    const Vector none(q.size(), 0.0);
    Rows r(none, none, none);
    r.N[3 * i] = -l.nx, r.N[3 * i + 1] = -l.ny, r.N[3 * j] = l.nx, r.N[3 * j + 1] = l.ny;
    r.T[3 * i] = -l.ny, r.T[3 * i + 1] = l.nx, r.T[3 * j] = l.ny, r.T[3 * j + 1] = -l.nx;
    r.T[3 * i + 2] = coins_[i].radius, r.T[3 * j + 2] = coins_[j].radius;
    r.th[3 * i + 2] = -1, r.th[3 * j + 2] = 1;
    return r;
  }
  // With u = c_j' - c_i': n' = (u.t) t/|c|, t' = -(u.t) n/|c|.
  std::array<double, 2> bias(std::size_t k, const Vector& q, const Vector& v) const override {
    const auto [i, j] = pairs_[k];
    const Line l = line(k, q);
    const double ux = v[3 * j] - v[3 * i], uy = v[3 * j + 1] - v[3 * i + 1];
    const double un = ux * l.nx + uy * l.ny, ut = ux * l.ny - uy * l.nx;
    return {ut * ut / l.distance, -ut * un / l.distance};
  }

  // Straight flight: the distance of two points is a convex function of time, gap'' >= 0.
  std::optional<Vector> constant_acceleration() const override { return Vector(3 * coins_.size(), 0.0); }
  double length() const override {
    double r = 0;
    for (const Coin& c : coins_) r = std::max(r, c.radius);
    return r;
  }

  std::vector<Shape> shapes(const State& s) const override {
    std::vector<Shape> all;
    for (std::size_t i = 0; i < coins_.size(); ++i)
      all.push_back({Shape::Kind::disc,
                     fmt::format("coin{}", i + 1),
                     {s.q[3 * i], s.q[3 * i + 1]},
                     {},
                     coins_[i].radius,
                     s.q[3 * i + 2]});
    return all;
  }

 private:
  struct Line {
    double nx, ny, distance, reach;
  };
  Line line(std::size_t k, const Vector& q) const {
    const auto [i, j] = pairs_[k];
    const double x = q[3 * j] - q[3 * i], y = q[3 * j + 1] - q[3 * i + 1], d = std::hypot(x, y);
    return {x / d, y / d, d, coins_[i].radius + coins_[j].radius};
  }
  std::vector<std::string> numbered(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < coins_.size(); ++i)
      for (const std::string& n : names) all.push_back(fmt::format("{}{}", n, i + 1));
    return all;
  }
  std::vector<Coin> coins_;
  std::vector<std::array<std::size_t, 2>> pairs_;
};

}  // namespace

std::unique_ptr<System> make_coins(const std::vector<Coin>& coins) { return std::make_unique<Coins>(coins); }

}  // namespace areia::impact
