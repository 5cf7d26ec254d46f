// The slow truth: serial, every pair tested on every step, particles in the order of their ids, contacts in a map.
// No lists, no grid, no chunks. It runs the same laws; fast backends are tested against it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "areia/error.h"
#include "engine/backend.h"
#include "engine/distance_plan.h"
#include "engine/ledger.h"
#include "engine/outer_forces.h"
#include "engine/wall_outline.h"
#include "packing/make_bonds.h"
#include "physics/interaction.h"
#include "physics/magnetic.h"
#include "scene/motion.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"

namespace areia {

namespace {

struct Key {
  std::size_t i;
  std::int64_t j;   // particle id > i, or -1 at a wall
  int wall, patch;  // -1, 0 for a pair
  auto operator<=>(const Key&) const = default;
};

struct Record {
  std::array<double, kMostHistory> history{};
  Geometry<double> bodies{};
  bool rolls = false;
  FrameContact shown;
};

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend(const Scene& scene, const BackendSettings& settings)
      : scene_(scene), p_(scene.particles), dt_(settings.dt), outer_(scene), plan_(plan_forces(scene)) {
    const Domain& d = scene.settings.domain;
    periodicity_ = {d.periodic, d.box.min, d.box.max - d.box.min};
    present_.assign(p_.size(), 1);
    force_.resize(p_.size());
    partners_.resize(p_.size());
    torque_.resize(p_.size());
    field_.resize(p_.size());
    drag_.resize(p_.size());
    distant_.resize(p_.size());
    a_.resize(p_.size());
    b_.resize(p_.size());
    wall_present_.assign(scene.walls.size(), 1);
    wall_force_.resize(scene.walls.size());
    wall_torque_.resize(scene.walls.size());
    poses_.resize(scene.walls.size());
    placed_x_ = p_.x;
    placed_q_ = p_.q;
    for (std::size_t a = 0; a < scene.materials.size(); ++a)
      for (std::size_t b = 0; b < scene.materials.size(); ++b)
        if (const std::int32_t k = scene.contact_index(a, b); k >= 0)
          laws_.emplace(std::pair(a, b),
                        Interaction(scene.settings.contacts[k], {scene.materials[a], scene.materials[b]}));
  }

  void set_schedule(const Schedule& s) override {
    schedule_ = s;
    outer_.set(schedule_, time());
  }

  void start() override {
    gravity_ = gravity_at(schedule_, 0);
    place_bodies(0);
    start_bonds(bond_sets_of(scene_.settings, ""));
    evaluate(0);
    evaluate_outer(0);
    for (std::size_t i = 0; i < p_.size(); ++i) {
      a_[i] = acceleration(i);
      b_[i] = turning(i);
    }
    const Energy e = stored_energy();
    book_start(sums_, e);
  }

  void advance(std::int64_t steps, bool) override {
    for (std::int64_t k = 0; k < steps; ++k) one_step();
  }

  void apply(const Change& c) override {
    flush_bonds();
    const Energy before = stored_energy();
    auto contains = [](const auto& v, std::uint16_t k) { return std::find(v.begin(), v.end(), k) != v.end(); };
    for (std::uint16_t w : c.remove_walls) wall_present_[w] = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!present_[i]) continue;
      if (contains(c.release_groups, p_.group[i])) p_.prescribed[i] = 0;
      if (contains(c.freeze_groups, p_.group[i])) {
        p_.prescribed[i] = 1;
        p_.v[i] = p_.w[i] = {};
        placed_x_[i] = p_.x[i];
        placed_q_[i] = p_.q[i];
      }
      if (contains(c.remove_groups, p_.group[i])) {
        present_[i] = 0;
        ++removed_;
      }
    }
    drop_bonds();
    std::erase_if(contacts_, [&](const auto& entry) {
      const Key& k = entry.first;
      return !present_[k.i] || (k.j >= 0 && !present_[k.j]) || (k.wall >= 0 && !wall_present_[k.wall]);
    });
    start_bonds(c.make_bonds);
    book_change(sums_, before, stored_energy());
  }

  void fill(Frame& f) const override {
    f.time = time();
    f.dt = dt_;
    f.step = step_;
    f.lost = lost_;
    f.removed = removed_;
    f.groups = scene_.groups;
    f.materials.clear();
    for (const Material& m : scene_.materials) f.materials.push_back(m.name);
    std::vector<std::int32_t> touching(p_.size(), 0);
    f.contacts.clear();
    for (const auto& [key, record] : contacts_) {
      touching[key.i] += record.shown.overlap > 0;
      if (key.j >= 0) touching[key.j] += record.shown.overlap > 0;
      f.contacts.push_back(record.shown);
    }
    std::sort(f.contacts.begin(), f.contacts.end(), [](const FrameContact& a, const FrameContact& b) {
      return std::tie(a.i, a.wall, a.j, a.patch) < std::tie(b.i, b.wall, b.j, b.patch);
    });
    FrameParticles& out = f.particles;
    out = {};
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!present_[i]) continue;
      out.id.push_back(static_cast<std::int64_t>(i));
      out.x.push_back(periodicity_.wrapped(p_.x[i]));
      out.v.push_back(p_.v[i]);
      out.w.push_back(p_.w[i]);
      out.q.push_back(p_.q[i]);
      Vec3d force = force_[i] + field_[i] + drag_[i] + distant_[i];
      if (!p_.prescribed[i]) force += p_.mass[i] * gravity_ + p_.mass[i] * cross(p_.v[i], magnetic_turn(i));
      out.force.push_back(force);
      out.torque.push_back(torque_[i]);
      out.radius.push_back(p_.radius[i]);
      out.mass.push_back(p_.mass[i]);
      out.charge.push_back(p_.charge[i]);
      out.material.push_back(p_.material[i]);
      out.group.push_back(p_.group[i]);
      out.coordination.push_back(touching[i]);
      out.prescribed.push_back(p_.prescribed[i]);
    }
    f.walls = outline_walls(
        scene_, [&](std::size_t w) { return poses_[w]; }, [&](std::size_t w) { return wall_present_[w] != 0; }, out);
    for (std::size_t w = 0; w < f.walls.size(); ++w) {
      f.walls[w].force = wall_force_[w];
      f.walls[w].torque = wall_torque_[w];
    }
    fill_bonds(f);
    f.energy = stored_energy();
    LedgerSums sums = sums_;
    sums.bonds += pending_work();
    balance(f.energy, sums);
  }

  double kinetic_energy() const override {
    const Energy e = stored_energy();
    return e.kinetic + e.rotational;
  }
  std::int64_t particle_count() const override { return std::count(present_.begin(), present_.end(), 1); }
  std::int64_t free_count() const override {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) n += present_[i] && !p_.prescribed[i];
    return n;
  }
  std::int64_t step() const override { return step_; }
  double time() const override { return static_cast<double>(step_) * dt_; }
  BackendStatistics statistics() const override { return {0, 0, static_cast<std::int64_t>(contacts_.size()), 0}; }
  void save(Archive&) const override { throw FileError("the reference engine writes no checkpoints"); }
  void load(const Archive&) override { throw FileError("the reference engine reads no checkpoints"); }

 private:
  double inv_m(std::size_t i) const { return p_.prescribed[i] ? 0 : 1 / p_.mass[i]; }
  double inv_j(std::size_t i) const { return p_.prescribed[i] || !p_.turns[i] ? 0 : 1 / p_.inertia[i]; }

  // In two dimensions nothing moves along the flat axis and nothing turns about another.
  Vec3d acceleration(std::size_t i) const {
    Vec3d a = inv_m(i) * (force_[i] + field_[i] + drag_[i] + distant_[i]);
    if (!p_.prescribed[i]) a += gravity_;
    if (scene_.settings.domain.dimension == 2) component(a, scene_.settings.domain.flat_axis) = 0;
    return a;
  }
  Vec3d turning(std::size_t i) const {
    Vec3d b = inv_j(i) * torque_[i];
    if (scene_.settings.domain.dimension == 2)
      for (int axis = 0; axis < 3; ++axis)
        if (axis != scene_.settings.domain.flat_axis) component(b, axis) = 0;
    return b;
  }

  // Walls and prescribed particles where they are at time t.
  void place_bodies(double t) {
    for (std::size_t w = 0; w < poses_.size(); ++w) poses_[w] = pose_at(schedule_.wall_motion[w], t);
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!p_.prescribed[i] || schedule_.set_motion[p_.set[i]].kind == Motion::Kind::fixed) continue;
      const Pose pose = pose_at(schedule_.set_motion[p_.set[i]], t);
      p_.x[i] = pose.to_world(placed_x_[i]);
      p_.v[i] = pose.velocity_at(p_.x[i]);
      p_.w[i] = pose.w;
      p_.q[i] = multiply(pose.q, placed_q_[i]);
    }
  }

  void drift(std::size_t i, const Vec3d& v, const Vec3d& w) {
    p_.x[i] += dt_ * v;
    p_.q[i] = turned(p_.q[i], w, dt_, scene_.settings.numerics.exact_rotation);
  }

  void one_step() {
    const Scheme scheme = scene_.settings.numerics.scheme;
    const bool forces_first = scheme == Scheme::kick_drift || scheme == Scheme::forward_euler;
    const double t = static_cast<double>(step_ + (forces_first ? 0 : 1)) * dt_;
    const std::size_t n = p_.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (scheme == Scheme::drift_kick) drift(i, p_.v[i], p_.w[i]);
      if (scheme == Scheme::velocity_verlet) {
        p_.v[i] = turned_by_magnetic(p_.v[i], magnetic_turn(i), 0.5 * dt_);
        book_outer(i, p_.v[i] + (0.25 * dt_) * a_[i], 0.5 * dt_);
        drift(i, p_.v[i] + (0.5 * dt_) * a_[i], p_.w[i] + (0.5 * dt_) * b_[i]);
        p_.v[i] += dt_ * a_[i];
        p_.w[i] += dt_ * b_[i];
      }
    }
    switch_gravity(t);
    outer_.set(schedule_, t);
    place_bodies(t);
    leave_domain();
    evaluate(dt_);
    evaluate_outer(dt_);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3d a = acceleration(i), b = turning(i), before = p_.v[i];
      if (scheme == Scheme::forward_euler) drift(i, p_.v[i], p_.w[i]);
      const double share = scheme == Scheme::velocity_verlet ? 0.5 * dt_ : dt_;
      if (scheme == Scheme::velocity_verlet) {
        p_.v[i] += share * (a - a_[i]);
        book_outer(i, 0.5 * (before - share * a_[i] + p_.v[i]), share);
        p_.v[i] = turned_by_magnetic(p_.v[i], magnetic_turn(i), share);
      } else {  // Boris: the magnetic turn in the middle of the kick
        const Vec3d half = before + (0.5 * dt_) * a, turned = turned_by_magnetic(half, magnetic_turn(i), dt_);
        p_.v[i] = turned + (0.5 * dt_) * a;
        book_outer(i, 0.25 * (before + half + turned + p_.v[i]), dt_);
      }
      p_.w[i] += scheme == Scheme::velocity_verlet ? share * (b - b_[i]) : share * b;
      if (scheme == Scheme::kick_drift) drift(i, p_.v[i], p_.w[i]);
      a_[i] = a;
      b_[i] = b;
      if (present_[i] && !(norm2(p_.v[i]) * dt_ * dt_ < p_.radius[i] * p_.radius[i]))
        throw StoppedError(
            fmt::format("blow-up at t = {:.9g} s: particle {} moved further than its radius in one step", t, i));
    }
    ++step_;
    if (step_ % 100 == 0) sums_.most_kinetic = std::max(sums_.most_kinetic, kinetic_energy());
  }

  void switch_gravity(double t) {
    const Vec3d g = gravity_at(schedule_, t);
    if (g == gravity_) return;
    const Energy before = stored_energy();
    gravity_ = g;
    (gravity_turns(schedule_, t) ? sums_.field_work : sums_.switched) += stored(stored_energy()) - stored(before);
  }

  // Fields, fluid, and forces at a distance on every particle.
  void evaluate_outer(double dt) {
    for (std::size_t i = 0; i < p_.size(); ++i) {
      field_[i] = drag_[i] = distant_[i] = {};
      if (!present_[i] || p_.prescribed[i]) continue;
      const OuterForce f =
          outer_.at(periodicity_.wrapped(p_.x[i]), p_.v[i], p_.w[i], p_.radius[i], p_.mass[i], p_.charge[i], gravity_);
      field_[i] = f.field;
      drag_[i] = f.drag;
    }
    for_each_distant([&](const PlannedForce& force, double factor, std::size_t i, std::size_t j, const Vec3d& d) {
      const double distance = norm(d);
      if (!(distance > 0)) return;
      const Vec3d f = (factor * distance_force(force.law, distance) / distance) * d;
      distant_[i] += f;
      distant_[j] -= f;
    });
    for_each_distant_wall([&](const PlannedForce& force, std::size_t i, std::size_t w, double d, const Vec3d& n) {
      const Vec3d f = distance_force(force.law, d) * n, point = p_.x[i] + d * n;
      distant_[i] += f;
      wall_force_[w] -= f;
      wall_torque_[w] -= cross(point - poses_[w].center - poses_[w].shift, f);
      const double work = dot(f, poses_[w].velocity_at(point)) * dt;
      sums_.wall_work += work;
      sums_.distant_work -= work;
    });
  }

  // f(force, factor, i, j, x_j - x_i) for every pair that a force acts between.
  template <class F>
  void for_each_distant(F&& f) const {
    for (const PlannedForce& force : plan_)
      for (std::size_t i = 0; i < p_.size(); ++i)
        for (std::size_t j = i + 1; present_[i] && j < p_.size(); ++j) {
          if (!present_[j] || (p_.prescribed[i] && p_.prescribed[j])) continue;
          const std::uint16_t a = p_.group[i], b = p_.group[j];
          if (!(force.in_a[a] && force.in_b[b]) && !(force.in_a[b] && force.in_b[a])) continue;
          f(force, force.law.charges ? p_.charge[i] * p_.charge[j] : 1.0, i, j,
            periodicity_.nearest(periodicity_.wrapped(p_.x[j]) - periodicity_.wrapped(p_.x[i])));
        }
  }
  template <class F>
  void for_each_distant_wall(F&& f) const {
    for (const PlannedForce& force : plan_)
      for (const std::uint16_t w : force.walls)
        for (std::size_t i = 0; wall_present_[w] && i < p_.size(); ++i) {
          if (!present_[i] || p_.prescribed[i] || !force.in_a[p_.group[i]]) continue;
          const WallPoint at = nearest_point(scene_.walls[w].shape, poses_[w].to_body(p_.x[i]));
          if (at.found && at.distance > 0) f(force, i, w, at.distance, rotate(poses_[w].q, at.n));
        }
  }

  // (q/m) B; in two dimensions only what is across the plane.
  Vec3d magnetic_turn(std::size_t i) const {
    if (!outer_.magnetic() || p_.prescribed[i]) return {};
    Vec3d b = (p_.charge[i] / p_.mass[i]) * outer_.magnetic_at(periodicity_.wrapped(p_.x[i]));
    if (scene_.settings.domain.dimension == 2)
      for (int axis = 0; axis < 3; ++axis)
        if (axis != scene_.settings.domain.flat_axis) component(b, axis) = 0;
    return b;
  }

  void book_outer(std::size_t i, const Vec3d& mean_v, double dt) {
    const double distant = dot(distant_[i], mean_v) * dt;
    sums_.distant_work += distant;
    if (p_.prescribed[i]) sums_.wall_work -= distant;
    sums_.field_work += dot(field_[i], mean_v) * dt;
    sums_.drag -= dot(drag_[i], mean_v) * dt;
  }

  void leave_domain() {
    const Domain& d = scene_.settings.domain;
    if (!d.bounded || d.rule == DomainRule::open) return;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!is_outside(d, p_.x[i]) || !present_[i] || p_.prescribed[i]) continue;
      if (d.rule == DomainRule::stop)
        throw StoppedError(fmt::format("particle {} left the domain at t = {:.9g} s", i, time()));
      const Energy before = stored_energy();
      present_[i] = 0;
      ++lost_;
      drop_bonds();
      std::erase_if(contacts_,
                    [&](const auto& e) { return e.first.i == i || e.first.j == static_cast<std::int64_t>(i); });
      book_change(sums_, before, stored_energy());
    }
  }

  // The laws between two materials; null: they do not act on each other.
  const Interaction* laws_of(std::size_t material_i, std::size_t material_j) const {
    const auto at = laws_.find({material_i, material_j});
    return at == laws_.end() ? nullptr : &at->second;
  }

  double share_of_i(std::size_t a, std::size_t b) const {
    return scene_.settings.numerics.lever == Lever::deformed
               ? overlap_share_of_i({scene_.materials[a], scene_.materials[b]})
               : 0;
  }

  void evaluate(double dt) {
    // contacts of each particle at the last evaluation that a rolling law acts in
    std::fill(partners_.begin(), partners_.end(), 0.0);
    for (const auto& entry : contacts_) {
      if (!entry.second.rolls) continue;
      partners_[entry.first.i] += 1;
      if (entry.first.j >= 0) partners_[entry.first.j] += 1;
    }
    std::fill(force_.begin(), force_.end(), Vec3d{});
    std::fill(torque_.begin(), torque_.end(), Vec3d{});
    std::fill(wall_force_.begin(), wall_force_.end(), Vec3d{});
    std::fill(wall_torque_.begin(), wall_torque_.end(), Vec3d{});
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!present_[i]) continue;
      for (std::size_t j = i + 1; j < p_.size(); ++j)
        if (present_[j] && !(p_.prescribed[i] && p_.prescribed[j]) && !is_apart(i, static_cast<std::int64_t>(j), -1))
          pair(i, j, dt);
      if (p_.prescribed[i]) continue;
      for (std::size_t w = 0; w < scene_.walls.size(); ++w)
        if (wall_present_[w] && !is_apart(i, -1, static_cast<std::int32_t>(w)))
          std::visit(
              [&](const auto& s) {
                for (int patch = 0; patch < patch_count(s); ++patch)
                  wall(i, w, patch, closest_point(s, patch, poses_[w].to_body(p_.x[i])), dt);
              },
              scene_.walls[w].shape);
    }
    evaluate_bonds(dt);
  }

  // ---- bonds ----

  bool kicks_once() const {
    const Scheme s = scene_.settings.numerics.scheme;
    return s == Scheme::drift_kick || s == Scheme::kick_drift || s == Scheme::forward_euler;
  }
  const BondSet& set_of(const Bond& b) const { return scene_.settings.bonds[b.set]; }

  bool is_apart(std::size_t i, std::int64_t j, std::int32_t wall) const {
    return std::any_of(bonds_.begin(), bonds_.end(), [&](const Bond& b) {
      return !set_of(b).contact && b.i == static_cast<std::int64_t>(i) && b.j == j && b.wall == wall;
    });
  }

  void start_bonds(const std::vector<std::uint16_t>& sets) {
    BondableBodies bodies;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!present_[i]) continue;
      bodies.id.push_back(static_cast<std::int64_t>(i));
      bodies.x.push_back(p_.x[i]);
      bodies.q.push_back(p_.q[i]);
      bodies.radius.push_back(p_.radius[i]);
      bodies.inv_m.push_back(inv_m(i));
      bodies.group.push_back(p_.group[i]);
    }
    bodies.wall = poses_;
    bodies.wall_present = wall_present_;
    for (const std::uint16_t set : sets)
      for (Bond b : make_bonds(scene_, set, bodies)) {
        b.last = kick_of(bond_now(b), set_of(b).stiffness, false);
        bonds_.push_back(b);
        bond_force_.emplace_back();
      }
    // bonded pairs of such sets have no contact from now on
    std::erase_if(contacts_,
                  [&](const auto& entry) { return is_apart(entry.first.i, entry.first.j, entry.first.wall); });
  }

  BondBody body_of(std::int64_t id) const {
    BondBody b{periodicity_.wrapped(p_.x[id]), p_.q[id], p_.v[id], p_.w[id], p_.v[id], p_.w[id], inv_m(id), inv_j(id)};
    if (scene_.settings.numerics.scheme == Scheme::velocity_verlet) {
      b.v_move -= (0.5 * dt_) * a_[id];
      b.w_move -= (0.5 * dt_) * b_[id];
    }
    return b;
  }
  BondBody body_j(const Bond& b) const { return b.j < 0 ? bond_body(poses_[b.wall]) : body_of(b.j); }
  BondNow bond_now(const Bond& b) const { return evaluate_bond(b, set_of(b), periodicity_, body_of(b.i), body_j(b)); }

  void evaluate_bonds(double dt) {
    std::vector<Bond> kept;
    bond_force_.clear();
    for (Bond& b : bonds_) {
      const BondNow now = bond_now(b);
      const bool broken = breaks(set_of(b), now.force);
      if (dt > 0 || broken) sums_.bonds += book_bond(b, now, periodicity_, body_of(b.i), body_j(b), dt, broken, false);
      if (broken) {
        const bool forces_first = scene_.settings.numerics.scheme == Scheme::kick_drift ||
                                  scene_.settings.numerics.scheme == Scheme::forward_euler;
        const double t = dt > 0 && !forces_first ? static_cast<double>(step_ + 1) * dt_ : time();
        breaks_.push_back({t, b.i, b.j, b.wall, b.set, now.anchor_i + 0.5 * now.stretch,
                           norm(set_of(b).break_on_elastic ? now.force.elastic : now.force.total())});
        continue;
      }
      b.last = kick_of(now, set_of(b).stiffness, dt > 0 || !kicks_once());
      force_[b.i] += now.force.total();
      torque_[b.i] += now.force.torque_i();
      if (b.j >= 0) {
        force_[b.j] -= now.force.total();
        torque_[b.j] += now.force.torque_j();
      } else {
        wall_force_[b.wall] -= now.force.total();
        wall_torque_[b.wall] += now.force.torque_j();
      }
      kept.push_back(b);
      bond_force_.push_back(now.force.total());
    }
    bonds_ = std::move(kept);
  }

  // The second half of the last kick: booked at the next evaluation, or before that for a frame or a change of bodies.
  BondBooking pending_work(const Bond& b) const {
    BondBody i = body_of(b.i), j = body_j(b);
    i.v_move = i.v;
    i.w_move = i.w;
    j.v_move = j.v;
    j.w_move = j.w;
    const BondForce& f = b.last.force;
    return half_kick(f, i, j, dt_ * (i.v + cross(i.w, f.arm_i)), dt_ * (j.v + cross(j.w, f.arm_j)), dt_, false);
  }
  BondBooking pending_work() const {
    BondBooking sum;
    if (kicks_once())
      for (const Bond& b : bonds_) sum += pending_work(b);
    return sum;
  }
  void flush_bonds() {
    sums_.bonds += pending_work();
    if (kicks_once())
      for (Bond& b : bonds_) b.last.force = {};
  }

  void drop_bonds() {
    std::vector<Bond> kept;
    for (const Bond& b : bonds_) {
      if (present_[b.i] && (b.j >= 0 ? present_[b.j] : wall_present_[b.wall])) kept.push_back(b);
      else sums_.bonds += pending_work(b);
    }
    if (kept.size() == bonds_.size()) return;
    bonds_ = std::move(kept);
    bond_force_.assign(bonds_.size(), Vec3d{});
  }

  void fill_bonds(Frame& f) const {
    f.bond_sets.clear();
    f.bonds.clear();
    for (const BondSet& set : scene_.settings.bonds) f.bond_sets.push_back(set.name);
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
      const Bond& b = bonds_[k];
      const BondNow now = bond_now(b);
      f.bonds.push_back({b.i, b.j, b.wall, b.set, now.anchor_i, now.anchor_i + now.stretch, bond_force_[k]});
    }
    std::stable_sort(f.bonds.begin(), f.bonds.end(), [](const FrameBond& a, const FrameBond& b) {
      return std::tie(a.i, a.j, a.wall) < std::tie(b.i, b.j, b.wall);
    });
    f.breaks = breaks_;
  }

  // ---- contacts ----

  // One step ago: back along the velocity of the last move, which in velocity_verlet was v - a dt/2.
  double overlap_before(const Key& key, const Touch<double>& t, const Body<double>& body_j, double dt) const {
    Vec3d v = p_.v[key.i] - body_j.v;
    if (scene_.settings.numerics.scheme == Scheme::velocity_verlet)
      v -= (0.5 * dt) * (key.j >= 0 ? a_[key.i] - a_[key.j] : a_[key.i]);
    return t.overlap - dt * dot(v, t.n);
  }

  // Runs the law of a touching contact, or closes the record of one that has opened.
  template <class F>
  void contact(const Key& key, std::size_t material_j, const Touch<double>& t, const Body<double>& body_j, double dt,
               F&& use) {
    const std::size_t i = key.i;
    auto at = contacts_.find(key);
    const Interaction* laws = laws_of(p_.material[i], material_j);
    if (!laws) return;
    const Geometry<double> g = bodies(p_.radius[i], body_j.radius);
    const double range = at == contacts_.end() ? laws->form_range(g.r_star) : laws->hold_range(g.r_star);
    if (!(t.overlap > 0 || t.overlap > -range)) {
      if (at == contacts_.end()) return;
      sums_.contact += laws->open(g, t.overlap, at->second.history.data());
      contacts_.erase(at);
      return;
    }
    const double smaller = key.j >= 0 ? std::min(p_.radius[i], p_.radius[key.j]) : p_.radius[i];
    if (dt > 0 && t.overlap > scene_.settings.numerics.max_overlap * smaller)
      throw StoppedError(
          fmt::format("blow-up at t = {:.9g} s: particle {} overlaps a partner by more than {:g} of the "
                      "smaller radius",
                      time(), i, scene_.settings.numerics.max_overlap));
    if (at == contacts_.end()) {
      at = contacts_.emplace(key, Record{}).first;
      laws->begin(g, overlap_before(key, t, body_j, dt), at->second.history.data());
    }
    Record& record = at->second;
    record.bodies = g;
    record.rolls = laws->rolls();
    const Body<double> body_i{p_.v[i], p_.w[i], p_.radius[i], inv_m(i), inv_j(i), partners_[i]};
    const Outcome<double> out = laws->evaluate(t, body_i, body_j, dt, record.history.data());
    sums_.contact += out.booking;
    FrameContact& c = record.shown;
    c.i = static_cast<std::int64_t>(i);
    c.j = key.j;
    c.wall = key.wall;
    c.patch = key.patch;
    c.n = t.n;
    c.overlap = t.overlap;
    c.force = out.force;
    c.normal = out.normal;
    c.tangential = norm(out.tangential);
    c.elongation = laws->elongation(record.history.data());
    c.point = p_.x[i] + (p_.radius[i] - (key.j >= 0 ? 0.5 : 1.0) * t.overlap) * t.n;
    force_[i] += out.force;
    torque_[i] += out.torque_i;
    use(out);
  }

  void pair(std::size_t i, std::size_t j, double dt) {
    const Vec3d d = periodicity_.nearest(periodicity_.wrapped(p_.x[j]) - periodicity_.wrapped(p_.x[i]));
    const double distance = norm(d), reach = p_.radius[i] + p_.radius[j];
    Touch<double> t;
    t.n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
    t.overlap = reach - distance;
    t.r_star = p_.radius[i] * p_.radius[j] / reach;
    const double share = share_of_i(p_.material[i], p_.material[j]);
    t.lever_i = p_.radius[i] - share * t.overlap;
    t.lever_j = p_.radius[j] - (share > 0 ? 1 - share : 0.0) * t.overlap;
    const Body<double> body_j{p_.v[j], p_.w[j], p_.radius[j], inv_m(j), inv_j(j), partners_[j]};
    contact({i, static_cast<std::int64_t>(j), -1, 0}, p_.material[j], t, body_j, dt, [&](const Outcome<double>& out) {
      force_[j] -= out.force;
      torque_[j] += out.torque_j;
      if (p_.prescribed[i]) sums_.wall_work -= (dot(out.force, p_.v[i]) + dot(out.torque_i, p_.w[i])) * dt;
      if (p_.prescribed[j]) sums_.wall_work += (dot(out.force, p_.v[j]) - dot(out.torque_j, p_.w[j])) * dt;
    });
  }

  void wall(std::size_t i, std::size_t w, int patch, const WallPoint& at, double dt) {
    Touch<double> t;
    t.n = at.found ? rotate(poses_[w].q, at.n) : Vec3d{1, 0, 0};
    t.overlap = at.found ? p_.radius[i] - at.distance : 0;
    t.r_star = p_.radius[i];
    t.lever_i = p_.radius[i] - share_of_i(p_.material[i], scene_.walls[w].material) * t.overlap;
    t.lever_j = 0;
    const Vec3d point = p_.x[i] + at.distance * t.n;
    const Body<double> body_w{poses_[w].velocity_at(point), poses_[w].w, 0, 0, 0, 0};
    contact({i, -1, static_cast<int>(w), patch}, scene_.walls[w].material, t, body_w, dt,
            [&](const Outcome<double>& out) {
              wall_force_[w] -= out.force;
              wall_torque_[w] += out.torque_j - cross(point - poses_[w].center - poses_[w].shift, out.force);
              sums_.wall_work += (dot(out.force, body_w.v) - dot(out.torque_j, body_w.w)) * dt;
            });
  }

  Energy stored_energy() const {
    Energy e;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!present_[i] || p_.prescribed[i]) continue;
      e.kinetic += 0.5 * p_.mass[i] * norm2(p_.v[i]);
      if (p_.turns[i]) e.rotational += 0.5 * p_.inertia[i] * norm2(p_.w[i]);
      e.potential -= p_.mass[i] * dot(gravity_, p_.x[i]);
    }
    for_each_distant([&](const PlannedForce& force, double factor, std::size_t, std::size_t, const Vec3d& d) {
      e.distant += factor * distance_energy(force.law, norm(d));
    });
    for_each_distant_wall([&](const PlannedForce& force, std::size_t, std::size_t, double d, const Vec3d&) {
      e.distant += distance_energy(force.law, d);
    });
    for (const auto& entry : contacts_) {
      const Key& key = entry.first;
      const Record& record = entry.second;
      const std::size_t other = key.j >= 0 ? p_.material[key.j] : scene_.walls[key.wall].material;
      laws_of(p_.material[key.i], other)->store(record.bodies, record.history.data(), e);
    }
    for (const Bond& b : bonds_) e.bonds += bond_energy(set_of(b).stiffness, bond_now(b).stretch);
    return e;
  }

  const Scene& scene_;
  SceneParticles p_;
  double dt_;
  Periodicity periodicity_;
  Schedule schedule_;
  Vec3d gravity_;
  OuterForces outer_;
  std::vector<PlannedForce> plan_;
  std::vector<Vec3d> field_, drag_, distant_;
  std::vector<std::uint8_t> present_, wall_present_;
  std::vector<Vec3d> force_, torque_, a_, b_, wall_force_, wall_torque_, placed_x_;
  std::vector<double> partners_;
  std::vector<Quat> placed_q_;
  std::vector<Pose> poses_;
  std::map<std::pair<std::size_t, std::size_t>, Interaction> laws_;
  std::map<Key, Record> contacts_;
  std::vector<Bond> bonds_;
  std::vector<Vec3d> bond_force_;  // of the last evaluation
  std::vector<FrameBreak> breaks_;
  LedgerSums sums_;
  std::int64_t step_ = 0, lost_ = 0, removed_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<ReferenceBackend>(scene, settings);
}

}  // namespace areia
