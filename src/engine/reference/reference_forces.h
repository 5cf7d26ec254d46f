// All forces of the reference backend. What a particle adds up is the sum of its contacts, which has no order
// (engine/force_sum.h), then bonds in the order they were made. Fields, fluid and forces at a distance are kept apart
// (Forces::rate).
//
// reference_contacts.cpp, reference_bonds.cpp, reference_outer.cpp.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "engine/distance_plan.h"
#include "engine/reference/reference_state.h"
#include "engine/wall_contacts.h"
#include "engine/world.h"

namespace areia::reference {

struct Evaluation {
  double dt = 0;        // since the last one; 0: a given state
  bool trial = false;   // of an iterate: histories change, but nothing is decided or booked
  bool record = false;  // contacts are kept for frames
};

class Forces {
 public:
  Forces(World& world, State& state);

  void evaluate(const Evaluation& how);
  std::int64_t failed() const { return failed_; }  // lowest id that overlaps too deeply, or kNone
  static constexpr std::int64_t kNone = INT64_MAX;
  const std::vector<FrameContact>& shown() const { return shown_; }
  void forget_shown() { shown_.clear(); }
  const Interaction* laws_of(std::size_t material_i, std::size_t material_j) const;  // or null
  int history_of(std::size_t material_i, std::size_t material_j) const;  // numbers of a contact; -1: no laws

  Pace<double> rate(const Particle& p) const;                 // accelerations by the forces there are
  Vec3d turning(const Particle& p, const Vec3d& spin) const;  // t of dv/dt = v x t
  void set_outer(Particle& p) const;                          // fields and fluid
  void book_outer(const Particle& p, const Vec3d& mean_v, double dt);
  Energy stored_energy() const;
  void add_energy(const Particle& p, StoredSums& sum) const;                     // of its motion and its height
  void add_energy(const Key& key, const Record& record, StoredSums& sum) const;  // of a contact

  void book_second_half(const Key& key, const Record& record, double times);  // world.h

  void start_bonds(const std::vector<std::uint16_t>& sets);
  void drop_bonds(const std::vector<std::uint8_t>& stays);  // of particles that go and of walls that are gone
  void flush_bonds();
  BondNow bond_now(const Bond& b) const;
  void book_pending_work(LedgerSums& sums) const;
  bool is_apart(std::int64_t i, std::int64_t j, std::int32_t wall) const;

 private:
  const BondSet& set_of(const Bond& b) const { return world_.scene().settings.bonds[b.set]; }
  double share_of_i(std::size_t a, std::size_t b) const;
  Vec3d velocity_of_last_move(const Particle& p) const;

  void meet(Particle& i, Particle& j);
  void meet_walls(Particle& i);
  void list_walls(const Particle& i);
  double reach_of(const Particle& i, std::size_t wall) const;  // of the laws between them, from the centre
  bool meet_point(Particle& i, const Key& key, const WallHit& hit, Record* known, Record& record);
  void open(const Particle& i, const Record& record, double overlap);
  Outcome<double> act(const Interaction& laws, const Key& key, const Touch<double>& touch, Particle& i,
                      const Vec3d& v_i, const Body<double>& j, Record& record);
  void push(const Particle& p, const Vec3d& force, const Vec3d& torque);
  void evaluate_bonds();
  void evaluate_outer();
  BondBody body_of(const Particle& p) const;
  BondBody body_j(const Bond& b) const;
  BondBooking pending_work(const Bond& b) const;
  static bool acts_between(const PlannedForce& force, const Particle& i, const Particle& j);
  static double factors_of(const PlannedForce& force, const Particle& i, const Particle& j);
  Vec3d distant_force(const PlannedForce& force, const Particle& p) const;
  template <class F>
  void for_each_distant_wall(const PlannedForce& force, const Particle& p, F&& f) const;

  World& world_;
  State& state_;
  Scheme scheme_;
  std::map<std::pair<std::size_t, std::size_t>, Interaction> laws_;
  std::vector<PlannedForce> plan_;

  // of the present evaluation
  Evaluation how_;
  LedgerSums trial_sums_;
  LedgerSums& sums() { return how_.trial ? trial_sums_ : world_.now().ledger; }
  std::vector<ForceSum> pushed_;    // by contacts, of each particle so far ...
  std::vector<std::uint16_t> met_;  // ... and how many there were
  std::vector<FrameContact> shown_;
  WallSums on_walls_;
  CellSums virial_;
  std::vector<WallCandidate> candidates_;  // of the particle that meets the walls
  std::vector<std::int32_t> triangles_;
  WallScratch scratch_;
  std::int64_t failed_ = kNone;
};

}  // namespace areia::reference
