// The slow truth: serial, every pair tested on every step, particles in the order of their ids, contacts in a map.
// No lists, no grid, no chunks. It runs the same laws; fast backends are tested against it.
// Its parts: reference_backend.cpp (start, changes between stages), reference_step.cpp, reference_contacts.cpp,
// reference_outer.cpp, reference_bonds.cpp, reference_implicit.cpp, reference_frames.cpp.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "engine/backend.h"
#include "engine/distance_plan.h"
#include "engine/ledger.h"
#include "engine/outer_forces.h"
#include "engine/servo.h"
#include "motion/implicit_driver.h"
#include "motion/schemes.h"
#include "packing/make_bonds.h"
#include "physics/interaction.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"

namespace areia::reference {

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
  ReferenceBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& s) override;
  void apply(const Change& c) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& f) const override;
  double kinetic_energy() const override;
  std::int64_t particle_count() const override;
  std::int64_t free_count() const override;
  std::int64_t step() const override { return step_; }
  double time() const override { return static_cast<double>(step_) * dt_; }
  BackendStatistics statistics() const override;
  void save(Archive&) const override;
  void load(const Archive&) override;

 private:
  bool is_free(std::size_t i) const { return present_[i] && !p_.prescribed[i]; }
  double inv_m(std::size_t i) const { return p_.prescribed[i] ? 0 : 1 / p_.mass[i]; }
  double inv_j(std::size_t i) const { return p_.prescribed[i] || !p_.turns[i] ? 0 : 1 / p_.inertia[i]; }

  // changes between stages
  void insert(const NewParticle& n);
  void insert_wall(std::uint16_t w);

  // the step
  void one_step();
  void drift(std::size_t i, const Vec3d& v, const Vec3d& w);
  Vec3d acceleration(std::size_t i) const;
  Vec3d turning(std::size_t i) const;
  Vec3d across_plane(const Vec3d& turn) const;
  void place_bodies(double t);
  void move_servos(double t);
  void switch_gravity(double t);
  void leave_domain();

  // contacts
  void evaluate(double dt);
  const Interaction* laws_of(std::size_t material_i, std::size_t material_j) const;
  double share_of_i(std::size_t a, std::size_t b) const;
  void pair(std::size_t i, std::size_t j, double dt);
  void wall(const Key& key, const WallPoint& at, double dt);
  void mesh(std::size_t i, std::size_t w, const TriangleMesh& mesh, double dt);
  template <class F>
  void contact(const Key& key, std::size_t material_j, const Touch<double>& t, const Body<double>& body_j, double dt,
               F&& use);
  double overlap_before(const Key& key, const Touch<double>& t, const Body<double>& body_j, double dt) const;
  void close(std::map<Key, Record>::iterator at, std::size_t material_j, double overlap);

  // fields, fluid, forces at a distance
  void evaluate_outer(double dt);
  template <class F>
  void for_each_distant(F&& f) const;
  template <class F>
  void for_each_distant_wall(F&& f) const;
  double distant_energy() const;
  Vec3d magnetic_turn(std::size_t i) const;
  void book_outer(std::size_t i, const Vec3d& mean_v, double dt);

  // bonds
  const BondSet& set_of(const Bond& b) const { return scene_.settings.bonds[b.set]; }
  void start_bonds(const std::vector<std::uint16_t>& sets);
  bool is_apart(std::size_t i, std::int64_t j, std::int32_t wall) const;
  BondBody body_of(std::int64_t id) const;
  BondBody body_j(const Bond& b) const;
  BondNow bond_now(const Bond& b) const;
  void evaluate_bonds(double dt);
  BondBooking pending_work(const Bond& b) const;
  BondBooking pending_work() const;
  void flush_bonds();
  void drop_bonds();
  void fill_bonds(Frame& f) const;

  // the scheme "trapezoid"
  void evaluate_state(double dt, std::vector<Vec3d>& a, std::vector<Vec3d>& b);
  Vec3d magnetic_acceleration(std::size_t i) const;
  void keep(double t) override;
  void restore() override;
  Sweep predict(double t_end, double h) override;
  void move_iterate(std::size_t i, double h, Sweep& sum);
  Sweep sweep(double h) override;
  void commit(double, double h, bool) override;
  void renew_lists() override {}

  Energy stored_energy() const;

  const Scene& scene_;
  Scheme scheme_;
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
    std::vector<Vec3d> x, v, w, force, torque, field, drag, distant, wall_force, wall_torque, magnetic, a, b;
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

}  // namespace areia::reference
