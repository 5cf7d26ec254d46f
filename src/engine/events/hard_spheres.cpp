#include "engine/events/hard_spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "areia/error.h"
#include "core/rotation.h"
#include "scene/wall_geometry.h"
#include "search/cell_number.h"

namespace areia::events {

namespace {
constexpr double kPerCell = 0.4;             // particles; measured
constexpr std::int32_t kFarthest = 1 << 30;  // cell number at which a particle counts as gone
}  // namespace

HardSpheres::HardSpheres(HardSettings settings) : s_(std::move(settings)) {
  pushing_.resize(s_.walls);
  pushed_.resize(s_.walls);
  statistics_.on = true;
}

// --- prediction ------------------------------------------------------------------------------------------------------

// Among the first n candidates: the earliest partner of i.
void HardSpheres::look_at(std::uint32_t i, std::size_t n, Next& best) {
  for (std::size_t k = 0; k < n; ++k) __builtin_prefetch(&flight[near_.id[k]]);
  find_meetings_({flight.data(), n, i, gravity, cells_.at_period(i) ? &s_.periodicity : nullptr}, near_);
  const double now = flight[i].t;
  for (std::size_t first = 0; first < n; first += 64)
    for (std::uint64_t meet = near_.meet[first / 64]; meet; meet &= meet - 1) {
      const std::size_t k = first + static_cast<std::size_t>(std::countr_zero(meet));
      const double t = near_.c[k] > 0 ? now + near_.c[k] / (std::sqrt(near_.d[k]) - near_.b[k]) : now;
      const auto id = static_cast<std::int32_t>(near_.id[k]);
      // among equal times the lowest id, so that the order of the list does not matter
      if (t > best.collision || (t == best.collision && best.partner <= id) || t > next_[id].collision) continue;
      best.collision = t;
      best.partner = id;
      best.partner_count = next_[id].count;
    }
}

void HardSpheres::predict_planes(const Flight& f, Next& best) const {
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const Plane& p = planes[k];
    const double gap = dot(p.n, f.x) - p.offset - f.radius;
    const double t = f.t + time_to_close(gap, dot(p.n, f.v), dot(p.n, gravity));
    if (!(t < best.collision)) continue;
    best.collision = t;
    best.partner = plane_code(k);
  }
}

void HardSpheres::predict_crossing(std::uint32_t i) {
  const Flight& f = flight[i];
  const CellNumber& at = cells_.at(i);
  Next& n = next_[i];
  double soonest = kNever;
  for (int a = 0; a < 3; ++a) {
    const EventCells::Axis& axis = cells_.axis(a);
    if (axis.n == 1) continue;
    const double s = component(f.x, a) - (axis.low + at[a] * axis.edge);
    const Leave leave = time_to_leave(s, axis.edge, component(f.v, a), component(gravity, a));
    if (!(leave.time < soonest)) continue;
    soonest = leave.time;
    n.face = 2 * a + leave.above;
  }
  n.crossing = f.t + soonest;
}

// The next collision of i, which is at its own time, from all that surrounds it.
void HardSpheres::predict(std::uint32_t i) {
  ++statistics_.predictions;
  Next best = next_[i];
  best.collision = kNever;
  best.partner = kNobody;
  if (!planes.empty()) predict_planes(flight[i], best);
  near_.make_room(cells_.room());
  look_at(i, cells_.gather_around(i, near_.id.data()), best);
  next_[i] = best;
}

// --- events ----------------------------------------------------------------------------------------------------------

void HardSpheres::cross_face(std::uint32_t i) {
  ++statistics_.crossings;
  const int axis = next_[i].face / 2, up = next_[i].face % 2;
  Flight& f = flight[i];
  fly(f, gravity, next_[i].crossing);
  const double shift = cells_.cross(i, axis, up ? 1 : -1);
  if (shift != 0) {
    component(f.x, axis) += shift;
    across_periods_ -= mass[i] * component(gravity, axis) * shift;
  }
  if (std::abs(cells_.at(i)[axis]) >= kFarthest)
    throw StoppedError(fmt::format("particle {} has flown {:.3g} m away at t = {:.9g} s; nothing holds it", i,
                                   std::fabs(component(f.x, axis)), f.t));
  Next best = next_[i];
  near_.make_room(cells_.room());
  look_at(i, cells_.gather_face(i, next_[i].face, near_.id.data()), best);
  next_[i] = best;
  predict_crossing(i);
  queue_.update(i, next_[i].when());
}

bool HardSpheres::is_soon(std::uint32_t i, double t) const { return t - ball[i].last < s_.contact_time; }

void HardSpheres::note(std::uint32_t i, std::int32_t partner, double t) {
  Ball& r = ball[i];
  r.last = t;
  if (t - r.since > s_.collapse_time) {
    r.since = t;
    r.burst = 0;
  } else if (++r.burst >= s_.collapse_count) {
    report_collapse(i, partner, t);
  }
}

void HardSpheres::report_collapse(std::uint32_t i, std::int32_t partner, double t) const {
  throw StoppedError(fmt::format(
      "inelastic collapse at t = {:.9g} s: particle {} at ({:.6g}, {:.6g}, {:.6g}) collided {} times within {:.3g} s, "
      "last with {}; hard spheres cannot rest on each other, so give numerics.events.contact_time, or use soft "
      "contacts",
      t, i, flight[i].x.x, flight[i].x.y, flight[i].x.z, s_.collapse_count, t - ball[i].since,
      partner >= 0 ? fmt::format("particle {}", partner)
                   : fmt::format("the wall `{}`", s_.wall_names[planes[-2 - partner].wall])));
}

ImpactPair HardSpheres::law(std::size_t a, std::size_t b, bool elastic) const {
  ImpactPair p = s_.laws[a * s_.materials + b];
  if (elastic) p.e = 1;
  return p;
}

void HardSpheres::kick(std::uint32_t i, const Vec3d& dv, const Vec3d& turn, double t) {
  Ball& b = ball[i];
  flight[i].v += dv;
  if (b.inv_j > 0 && !(turn == Vec3d{})) {
    turning[i] = {turned_at(i, t), t};
    b.w += b.inv_j * turn;
  }
  ++next_[i].count;
}

void HardSpheres::collide(std::uint32_t i, std::uint32_t j, double t) {
  fly(flight[i], gravity, t);
  fly(flight[j], gravity, t);
  const Flight &a = flight[i], &b = flight[j];
  // Divided, not times 1/d: spheres of one size always meet at the same d, and the rounding of 1/d would be an error of
  // the same sign in every collision.
  const Vec3d dx = s_.periodicity.any() ? s_.periodicity.nearest(b.x - a.x) : b.x - a.x;
  const double d = norm(dx);
  const Vec3d n{dx.x / d, dx.y / d, dx.z / d};
  const bool elastic = s_.contact_time > 0 && (is_soon(i, t) || is_soon(j, t));
  const ImpactPair pair = law(ball[i].material, ball[j].material, elastic);
  const Impact hit = Walton::collide(pair, n, {a.v, ball[i].w, a.radius, ball[i].inv_m, ball[i].inv_j},
                                     {b.v, ball[j].w, b.radius, ball[j].inv_m, ball[j].inv_j});
  const Vec3d turn = pair.smooth() ? Vec3d{} : cross(n, hit.tangential);
  kick(i, hit.dv_i, a.radius * turn, t);
  kick(j, hit.dv_j, b.radius * turn, t);
  lost_normal_ += hit.lost_normal;
  lost_tangential_ += hit.lost_tangential;
  ++statistics_.collisions;
  statistics_.elastic += elastic;
  note(i, static_cast<std::int32_t>(j), t);
  note(j, static_cast<std::int32_t>(i), t);
}

void HardSpheres::collide_plane(std::uint32_t i, std::size_t k, double t) {
  const Plane& p = planes[k];
  fly(flight[i], gravity, t);
  const Flight& f = flight[i];
  const bool elastic = s_.contact_time > 0 && is_soon(i, t);
  const ImpactPair pair = law(ball[i].material, p.material, elastic);
  const Impact hit = Walton::collide(pair, -p.n, {f.v, ball[i].w, f.radius, ball[i].inv_m, ball[i].inv_j}, {});
  const Vec3d at = f.x - f.radius * p.n;
  kick(i, hit.dv_i, pair.smooth() ? Vec3d{} : f.radius * cross(-p.n, hit.tangential), t);
  lost_normal_ += hit.lost_normal;
  lost_tangential_ += hit.lost_tangential;
  turn_window(t);
  pushing_[p.wall].impulse -= hit.impulse;
  pushing_[p.wall].moment -= cross(at, hit.impulse);
  ++statistics_.wall_collisions;
  statistics_.elastic += elastic;
  note(i, plane_code(k), t);
}

// Windows are [k w, (k + 1) w]; what is shown is the mean over the last one that is complete.
void HardSpheres::turn_window(double t) {
  if (!(s_.wall_window < kNever)) return;
  const auto now = cell_number(t / s_.wall_window * (1 + 1e-12));
  if (now == window_) return;
  const double share = now == window_ + 1 ? 1 / s_.wall_window : 0;
  for (std::size_t w = 0; w < pushing_.size(); ++w) {
    pushed_[w] = {share * pushing_[w].impulse, share * pushing_[w].moment};
    pushing_[w] = {};
  }
  window_ = now;
}

void HardSpheres::run(double t_end) {
  while (queue_.time() <= t_end) {
    const std::uint32_t i = queue_.id();
    const Next& e = next_[i];
    if (e.crossing < e.collision) {
      cross_face(i);
      continue;
    }
    const double t = e.collision;
    if (e.partner >= 0) {
      const auto j = static_cast<std::uint32_t>(e.partner);
      if (next_[j].count == e.partner_count) {
        collide(i, j, t);
        predict(j);
        predict_crossing(j);
        queue_.update(j, next_[j].when());
      } else {
        fly(flight[i], gravity, t);
      }
    } else {
      collide_plane(i, static_cast<std::size_t>(-2 - e.partner), t);
    }
    predict(i);
    predict_crossing(i);
    queue_.update(i, next_[i].when());
  }
}

void HardSpheres::run_until(double t) {
  if (!queue_.empty()) run(t);
  turn_window(t);
}

void HardSpheres::stop_at(double t) {
  for (std::size_t i = 0; i < flight.size(); ++i)
    if (present[i]) fly(flight[i], gravity, t);
}

void HardSpheres::plan_cells() {
  double largest = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < flight.size(); ++i) {
    if (!present[i]) continue;
    largest = std::max(largest, flight[i].radius);
    ++count;
  }
  cells_.plan(s_.low, s_.high, 2 * largest * (1 + 1e-9), kPerCell, count, s_.flat, s_.periodicity);
  cells_.clear(flight.size());
}

void HardSpheres::restart(double t) {
  stop_at(t);
  plan_cells();
  next_.resize(flight.size());
  for (std::uint32_t i = 0; i < flight.size(); ++i) {
    const std::uint32_t collisions = next_[i].count;
    next_[i] = {};
    next_[i].count = collisions;
    if (!present[i]) continue;
    const Vec3d wrapped = s_.periodicity.wrapped(flight[i].x);
    across_periods_ -= mass[i] * dot(gravity, wrapped - flight[i].x);
    flight[i].x = wrapped;
    cells_.add(i, cells_.number_of(flight[i].x));
  }
  std::vector<double> times(flight.size(), kNever);
  for (std::uint32_t i = 0; i < flight.size(); ++i) {
    if (!present[i]) continue;
    predict(i);
    predict_crossing(i);
    times[i] = next_[i].when();
  }
  queue_.build(times);
}

Quat HardSpheres::turned_at(std::size_t i, double t) const {
  const Ball& b = ball[i];
  const double spin = norm(b.w);
  const Turning& from = turning[i];
  if (spin == 0 || t == from.t) return from.q;
  constexpr double kTurn = 6.283185307179586477;
  double angle = spin * (t - from.t);
  if (angle > 1e5) angle = std::fmod(angle, kTurn);  // beyond it sin_cos loses digits, and nobody counts the turns
  return renormalized(multiply(about_axis((1 / spin) * b.w, angle), from.q));
}

std::size_t HardSpheres::bytes() const {
  return flight.capacity() * sizeof(Flight) + ball.capacity() * sizeof(Ball) + next_.capacity() * sizeof(Next) +
         turning.capacity() * sizeof(Turning) + cells_.bytes() + queue_.bytes();
}

}  // namespace areia::events
