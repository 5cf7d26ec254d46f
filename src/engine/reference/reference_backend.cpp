// The slow truth: serial, every pair tested on every step, particles in the order of their ids, contacts in a map.
// No lists, no grid, no chunks. It runs the same laws; fast backends are tested against it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "areia/error.h"
#include "engine/backend.h"
#include "engine/distance_plan.h"
#include "engine/images.h"
#include "engine/inserted_wall.h"
#include "engine/ledger.h"
#include "engine/outer_forces.h"
#include "engine/servo.h"
#include "engine/wall_outline.h"
#include "motion/implicit_driver.h"
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
  int serial = 0;   // tells contacts of one patch of a mesh apart
  auto operator<=>(const Key&) const = default;
};

struct Record {
  std::array<double, kMostHistory> history{};
  Geometry<double> bodies{};
  bool rolls = false;
  MeshMemory place;  // at a mesh
  FrameContact shown;
};

class ReferenceBackend final : public Backend, private ImplicitSystem {
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
    for (const SceneWall& w : scene.walls) wall_present_.push_back(w.present);
    servo_.resize(scene.walls.size());
    wall_force_.resize(scene.walls.size());
    wall_torque_.resize(scene.walls.size());
    poses_.resize(scene.walls.size());
    placed_x_ = p_.x;
    placed_q_ = p_.q;
    if (scene.settings.numerics.scheme == Scheme::trapezoid) implicit_.emplace(scene.settings.numerics.implicit, dt_);
    for (std::size_t a = 0; a < scene.materials.size(); ++a)
      for (std::size_t b = 0; b < scene.materials.size(); ++b)
        if (const std::int32_t k = scene.contact_index(a, b); k >= 0)
          laws_.emplace(std::pair(a, b),
                        Interaction(scene.settings.contacts[k], {scene.materials[a], scene.materials[b]}));
  }

  void set_schedule(const Schedule& s) override {
    schedule_ = s;
    outer_.set(schedule_, time());
    forces_known_ = false;
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
    for (std::int64_t k = 0; k < steps; ++k) {
      if (!implicit_) {
        one_step();
        continue;
      }
      implicit_->advance(*this, time(), static_cast<double>(step_ + 1) * dt_, true);
      ++step_;
      if (step_ % 100 == 0) sums_.most_kinetic = std::max(sums_.most_kinetic, kinetic_energy());
    }
  }

  Surroundings surroundings(const Box& box) const override {
    Surroundings s;
    for (std::size_t i = 0; i < p_.size(); ++i)
      if (present_[i]) add_images(s, periodicity_, box, periodicity_.wrapped(p_.x[i]), p_.radius[i]);
    s.wall_pose = poses_;
    s.wall_present = wall_present_;
    return s;
  }

  void apply(const Change& c) override {
    forces_known_ = false;
    flush_bonds();
    const Energy before = stored_energy();
    for (const NewParticle& n : c.insert) insert(n);
    auto contains = [](const auto& v, std::uint16_t k) { return std::find(v.begin(), v.end(), k) != v.end(); };
    for (std::uint16_t w : c.remove_walls) wall_present_[w] = 0;
    for (std::uint16_t w : c.insert_walls) insert_wall(w);
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
    if (!c.insert_walls.empty()) evaluate(0);  // contacts with it exist from now on
    book_change(sums_, before, stored_energy());
  }

  void fill(Frame& f) const override {
    f.time = time();
    f.dt = dt_;
    f.step = step_;
    f.lost = lost_;
    f.removed = removed_;
    f.inserted = inserted_;
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
    std::stable_sort(f.contacts.begin(), f.contacts.end(), [](const FrameContact& a, const FrameContact& b) {
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
  BackendStatistics statistics() const override {
    BackendStatistics s;
    s.contacts = static_cast<std::int64_t>(contacts_.size());
    if (implicit_) s.implicit = implicit_->statistics();
    return s;
  }
  void save(Archive&) const override { throw FileError("the reference engine writes no checkpoints"); }
  void load(const Archive&) override { throw FileError("the reference engine reads no checkpoints"); }

 private:
  void insert(const NewParticle& n) {
    p_.x.push_back(n.x);
    p_.v.push_back(n.v);
    p_.w.push_back(n.w);
    p_.q.push_back({1, 0, 0, 0});
    p_.radius.push_back(n.radius);
    p_.mass.push_back(n.mass);
    p_.inertia.push_back(n.inertia);
    p_.charge.push_back(n.charge);
    p_.material.push_back(n.material);
    p_.group.push_back(n.group);
    p_.set.push_back(n.set);
    p_.prescribed.push_back(0);
    p_.turns.push_back(n.turns);
    present_.push_back(1);
    force_.emplace_back();
    torque_.emplace_back();
    partners_.push_back(0);
    placed_x_.push_back(n.x);
    placed_q_.push_back({1, 0, 0, 0});
    a_.push_back(acceleration(p_.size() - 1));
    b_.emplace_back();
    ++inserted_;
  }

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

  void insert_wall(std::uint16_t w) {
    wall_present_[w] = 1;
    for (std::size_t i = 0; i < p_.size(); ++i)
      if (present_[i] && !p_.prescribed[i])
        check_inserted(scene_, w, poses_[w], static_cast<std::int64_t>(i), p_.x[i], p_.radius[i], time());
  }

  // Walls and prescribed particles where they are at time t.
  void place_bodies(double t) {
    for (std::size_t w = 0; w < poses_.size(); ++w) {
      poses_[w] = pose_at(schedule_.wall_motion[w], t);
      if (schedule_.servo[w].on) place(schedule_.servo[w], servo_[w], poses_[w]);
    }
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
    for (std::size_t w = 0; w < servo_.size(); ++w)
      if (schedule_.servo[w].on && wall_present_[w])
        areia::advance(schedule_.servo[w], servo_[w], wall_force_[w], t, dt_);
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
    const Energy after = stored_energy();
    if (gravity_turns(schedule_, t)) sums_.field_work += after.potential - before.potential;
    else book_change(sums_, before, after);
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
      forces_known_ = false;
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
        if (wall_present_[w] && !is_apart(i, -1, static_cast<std::int32_t>(w))) {
          if (scene_.walls[w].mesh) mesh(i, w, *scene_.walls[w].mesh, dt);
          std::visit(
              [&](const auto& s) {
                for (int patch = 0; patch < patch_count(s); ++patch)
                  wall({i, -1, static_cast<int>(w), patch}, closest_point(s, patch, poses_[w].to_body(p_.x[i])), dt);
              },
              scene_.walls[w].shape);
        }
    }
    evaluate_bonds(dt);
  }

  // ---- the scheme "trapezoid", see motion/implicit_driver.h ----

  bool is_free(std::size_t i) const { return present_[i] && !p_.prescribed[i]; }

  // All forces in the state as it stands, from the committed contacts.
  void evaluate_state(double dt, std::vector<Vec3d>& a, std::vector<Vec3d>& b) {
    evaluate(dt);
    a.resize(p_.size());
    b.resize(p_.size());
    for (std::size_t i = 0; i < p_.size(); ++i) {
      a[i] = acceleration(i);
      b[i] = turning(i);
    }
  }

  void keep(double t) override {
    switch_gravity(t);
    if (!forces_known_) {
      place_bodies(t);
      evaluate(0);
      forces_known_ = true;
    }
    Kept& k = kept_;
    k.x = p_.x;
    k.v = p_.v;
    k.w = p_.w;
    k.q = p_.q;
    k.force = force_;
    k.torque = torque_;
    k.poses = poses_;
    k.contacts = contacts_;
    k.sums = sums_;
    k.gravity = gravity_;
    k.a.resize(p_.size());
    k.b.resize(p_.size());
    for (std::size_t i = 0; i < p_.size(); ++i) {
      k.a[i] = acceleration(i);
      k.b[i] = turning(i);
    }
  }

  void restore() override {
    const Kept& k = kept_;
    p_.x = k.x;
    p_.v = k.v;
    p_.w = k.w;
    p_.q = k.q;
    force_ = k.force;
    torque_ = k.torque;
    poses_ = k.poses;
    contacts_ = k.contacts;
    sums_ = k.sums;
    gravity_ = k.gravity;
  }

  Sweep predict(double t_end, double h) override {
    Sweep sum;
    switch_gravity(t_end);
    sums_at_end_ = sums_;  // with the bookings of the switch
    turn_.assign(p_.size(), Vec3d{});
    const bool uniform = scene_.settings.numerics.implicit.predictor == Implicit::Predictor::uniform;
    for (std::size_t i = 0; uniform && i < p_.size(); ++i) {
      if (!is_free(i)) continue;
      p_.x[i] += h * p_.v[i];
      p_.q[i] = turned(p_.q[i], p_.w[i], h, scene_.settings.numerics.exact_rotation);
      turn_[i] = h * p_.w[i];
      sum.wild = sum.wild || !(norm2(h * p_.v[i]) < p_.radius[i] * p_.radius[i]);
    }
    place_bodies(t_end);
    return sum;
  }

  void move_iterate(std::size_t i, double h, Sweep& sum) {
    const double phi = scene_.settings.numerics.implicit.phi;
    const Kept& k = kept_;
    const Vec3d v = k.v[i] + h * ((1 - phi) * k.a[i] + phi * new_a_[i]);
    const Vec3d w = k.w[i] + h * ((1 - phi) * k.b[i] + phi * new_b_[i]);
    const Vec3d mean_w = (1 - phi) * k.w[i] + phi * w;
    const Vec3d x = k.x[i] + h * ((1 - phi) * k.v[i] + phi * v), turn = h * mean_w;
    const Vec3d origin = scene_.settings.domain.bounded ? scene_.settings.domain.box.min : Vec3d{};
    sum.x += {norm(x - p_.x[i]), norm(x - k.x[i]), norm(x - origin)};
    sum.a += {norm(turn - turn_[i]), norm(turn), 0};
    sum.v += {norm(v - p_.v[i]), norm(v - k.v[i]), norm(v)};
    sum.w += {norm(w - p_.w[i]), norm(w - k.w[i]), norm(w)};
    sum.wild = sum.wild || !(norm2(x - k.x[i]) < p_.radius[i] * p_.radius[i]);
    p_.x[i] = x;
    p_.v[i] = v;
    p_.w[i] = w;
    p_.q[i] = turned(k.q[i], mean_w, h, scene_.settings.numerics.exact_rotation);
    turn_[i] = turn;
  }

  // Jacobi: all forces first. Gauss-Seidel: those of the iterate as it stands when a particle has its turn.
  Sweep sweep(double h) override {
    const bool one_by_one = scene_.settings.numerics.implicit.sweep == Implicit::Sweep::gauss_seidel;
    Sweep sum;
    bool evaluated = false;
    trial_ = true;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!is_free(i)) continue;
      if (one_by_one || !evaluated) {
        contacts_ = kept_.contacts;
        evaluate_state(h, new_a_, new_b_);
        evaluated = true;
      }
      move_iterate(i, h, sum);
    }
    trial_ = false;
    return sum;
  }

  void commit(double, double h, bool) override {
    const double phi = scene_.settings.numerics.implicit.phi;
    contacts_ = kept_.contacts;
    sums_ = sums_at_end_;
    // so that v - a h/2 is the mean velocity of the step
    for (std::size_t i = 0; i < p_.size(); ++i) a_[i] = (2 * (1 - phi) / h) * (p_.v[i] - kept_.v[i]);
    evaluate_state(h, new_a_, new_b_);
    friction_.resize(p_.size());
    bond_torque_.resize(p_.size());
    std::vector<Vec3d> friction(p_.size()), bond_torque(p_.size());
    for (const Bond& b : bonds_) {
      const BondForce f = bond_now(b).force;
      bond_torque[b.i] += f.torque_i();
      if (b.j >= 0) bond_torque[b.j] += f.torque_j();
    }
    for (const auto& entry : contacts_) {
      const FrameContact& c = entry.second.shown;
      const Vec3d f = c.force - dot(c.force, c.n) * c.n;
      friction[c.i] += f;
      if (c.j >= 0) friction[c.j] -= f;
    }
    // booked at the velocity of the end of the step: friction and the torques of contacts; the rest along the path
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (!is_free(i)) continue;
      const Kept& k = kept_;
      sums_.scheme -= 0.5 * dot(friction_[i] + friction[i], h * p_.v[i] - (p_.x[i] - k.x[i]));
      sums_.scheme +=
          0.5 * p_.mass[i] * (dot(p_.v[i] - k.v[i], p_.v[i] + k.v[i]) - dot(k.a[i] + new_a_[i], p_.x[i] - k.x[i]));
      if (p_.turns[i])
        sums_.scheme +=
            0.5 * p_.inertia[i] * (dot(p_.w[i] - k.w[i], p_.w[i] + k.w[i]) - h * dot(k.b[i] + new_b_[i], p_.w[i])) +
            0.5 * dot(bond_torque_[i] + bond_torque[i], h * p_.w[i] - turn_[i]);
    }
    friction_ = std::move(friction);
    bond_torque_ = std::move(bond_torque);
    leave_domain();
  }

  void renew_lists() override {}

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
      const bool broken = !trial_ && breaks(set_of(b), now.force);
      if (dt > 0 || broken)
        sums_.bonds += book_bond(b, now, periodicity_, body_of(b.i), body_j(b), dt, broken, implicit_.has_value());
      if (broken) {
        const bool forces_first = scene_.settings.numerics.scheme == Scheme::kick_drift ||
                                  scene_.settings.numerics.scheme == Scheme::forward_euler;
        const double t = dt > 0 && !forces_first ? static_cast<double>(step_ + 1) * dt_ : time();
        breaks_.push_back({t, b.i, b.j, b.wall, b.set, now.anchor_i + 0.5 * now.stretch,
                           norm(set_of(b).break_on_elastic ? now.force.elastic : now.force.total())});
        continue;
      }
      if (!trial_) b.last = kick_of(now, set_of(b).stiffness, dt > 0 || !kicks_once());
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
    if (scene_.settings.numerics.scheme == Scheme::velocity_verlet || implicit_)
      v -= (0.5 * dt) * (key.j >= 0 ? a_[key.i] - a_[key.j] : a_[key.i]);
    return t.overlap - dt * dot(v, t.n);
  }

  void close(std::map<Key, Record>::iterator at, std::size_t material_j, double overlap) {
    if (const Interaction* laws = laws_of(p_.material[at->first.i], material_j))
      sums_.contact += laws->open(at->second.bodies, overlap, at->second.history.data());
    contacts_.erase(at);
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
      if (at != contacts_.end()) close(at, material_j, t.overlap);
      return;
    }
    const double smaller = key.j >= 0 ? std::min(p_.radius[i], p_.radius[key.j]) : p_.radius[i];
    if (dt > 0 && !trial_ && t.overlap > scene_.settings.numerics.max_overlap * smaller)
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

  // Every triangle is tested. Contacts of the last evaluation that are not found again have opened.
  void mesh(std::size_t i, std::size_t w, const TriangleMesh& mesh, double dt) {
    const Vec3d x = poses_[w].to_body(p_.x[i]);
    const Key first{i, -1, static_cast<int>(w), 0, 0};
    std::vector<Key> keys;
    std::vector<MeshMemory> places;
    for (auto at = contacts_.lower_bound(first); at != contacts_.end(); ++at) {
      if (at->first.i != i || at->first.j != -1 || at->first.wall != first.wall) break;
      keys.push_back(at->first);
      places.push_back(at->second.place);
    }
    std::vector<std::int32_t> all(mesh.triangles.size()), of;
    std::iota(all.begin(), all.end(), 0);
    double reach = p_.radius[i];  // and as far as a law bridges gaps
    if (const Interaction* laws = laws_of(p_.material[i], scene_.walls[w].material))
      reach += std::max(laws->form_range(p_.radius[i]), laws->hold_range(p_.radius[i]));
    MeshScratch scratch;
    find_mesh_hits(mesh, all.data(), all.data() + all.size(), x, reach, scratch);
    match_hits(scratch.hits, places, places.size(), of);
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (std::find(of.begin(), of.end(), static_cast<std::int32_t>(k)) == of.end()) {
        // along the direction it had, it has opened by this
        const double overlap = p_.radius[i] - dot(places[k].point - x, places[k].n);
        close(contacts_.find(keys[k]), scene_.walls[w].material, overlap);
      }
    for (std::size_t h = 0; h < scratch.hits.size(); ++h) {
      const MeshHit& hit = scratch.hits[h];
      Key key{i, -1, static_cast<int>(w), hit.patch, 0};
      if (of[h] >= 0) key = keys[of[h]];
      else
        while (contacts_.contains(key)) ++key.serial;
      wall(key, {true, hit.distance, hit.n}, dt);
      if (const auto at = contacts_.find(key); at != contacts_.end()) at->second.place = {hit.patch, hit.point, hit.n};
    }
  }

  void wall(const Key& key, const WallPoint& at, double dt) {
    const std::size_t i = key.i;
    const auto w = static_cast<std::size_t>(key.wall);
    if (!at.found) {
      if (const auto known = contacts_.find(key); known != contacts_.end()) close(known, scene_.walls[w].material, 0);
      return;
    }
    Touch<double> t;
    t.n = rotate(poses_[w].q, at.n);
    t.overlap = p_.radius[i] - at.distance;
    t.r_star = p_.radius[i];
    t.lever_i = p_.radius[i] - share_of_i(p_.material[i], scene_.walls[w].material) * t.overlap;
    t.lever_j = 0;
    const Vec3d point = p_.x[i] + at.distance * t.n;
    const Body<double> body_w{poses_[w].velocity_at(point), poses_[w].w, 0, 0, 0, 0};
    contact(key, scene_.walls[w].material, t, body_w, dt, [&](const Outcome<double>& out) {
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
  std::vector<ServoState> servo_;
  std::map<std::pair<std::size_t, std::size_t>, Interaction> laws_;
  std::map<Key, Record> contacts_;
  std::vector<Bond> bonds_;
  std::vector<Vec3d> bond_force_;  // of the last evaluation
  std::vector<FrameBreak> breaks_;
  LedgerSums sums_;
  struct Kept {  // the committed state while an implicit step is tried
    std::vector<Vec3d> x, v, w, force, torque, a, b;
    std::vector<Quat> q;
    std::vector<Pose> poses;
    std::map<Key, Record> contacts;
    LedgerSums sums;
    Vec3d gravity;
  };
  std::optional<ImplicitDriver> implicit_;  // scheme = trapezoid only
  Kept kept_;
  LedgerSums sums_at_end_;
  std::vector<Vec3d> new_a_, new_b_, turn_, friction_, bond_torque_;
  bool forces_known_ = false, trial_ = false;
  std::int64_t step_ = 0, lost_ = 0, removed_ = 0, inserted_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<ReferenceBackend>(scene, settings);
}

}  // namespace areia
