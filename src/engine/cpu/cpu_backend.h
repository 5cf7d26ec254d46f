// The fast backend: neighbour lists over size-class grids, chunks on all cores, sums in a fixed order.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/team.h"
#include "engine/backend.h"
#include "engine/cpu/block_step.h"
#include "engine/cpu/bond_state.h"
#include "engine/cpu/cpu_distance.h"
#include "engine/cpu/cpu_implicit.h"
#include "engine/cpu/kernel.h"
#include "engine/cpu/pick.h"
#include "engine/cpu/state.h"
#include "engine/outer_forces.h"
#include "motion/explicit_step.h"

namespace areia::cpu {

// How far lists reach and how long near pairs last is chosen anew whenever they are made, from the motion.
inline constexpr double kStepsPerList = 30;
inline constexpr double kLeastLimit = 1e-5;  // of the least skin
inline constexpr double kPickingCost = 0.5;  // picking all pairs once, against looking at those in a gap for one step
inline constexpr int kMostStepsPerPicking = 1000;

class CpuBackend final : public Backend, private ImplicitSystem {
 public:
  CpuBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& schedule) override {
    schedule_ = schedule;
    for (Chunk& c : chunks_) pick_walls(c);  // some may begin to move
    set_outer(time());
    forget_forces();
  }
  void apply(const Change& change) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& frame) const override;
  double kinetic_energy() const override;
  std::int64_t particle_count() const override { return static_cast<std::int64_t>(state_.size()); }
  std::int64_t free_count() const override;
  std::int64_t step() const override { return step_; }
  double time() const override { return static_cast<double>(step_) * dt_; }
  BackendStatistics statistics() const override;
  void measure_profile(bool on) override { profiling_ = on; }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;

 private:
  // cpu_backend.cpp: the step
  void move_prescribed(double t);
  void set_walls(double t);
  void move_servos(double t);
  void evaluate_forces(double dt, bool record);
  // Contacts of all chunks; as soon as nobody writes to a chunk any more, its particles add their letters, and
  // `then(chunk)` follows.
  template <class F>
  void evaluate_contacts(const KernelContext& c, F&& then);
  void open_letters(Chunk& chunk);
  void run_kernels(const KernelContext& c, Chunk& chunk);
  void sum_walls();
  void begin_step(Chunk& chunk);
  void take(const StepResult& result, Chunk& chunk) const;
  void finish_step(Chunk& chunk);
  void step_plainly(Chunk& chunk, bool drift);
  Vec3d acceleration(std::size_t i) const;  // of the present forces, with gravity
  template <bool kOn>
  struct FieldsOf;
  template <bool kOuter>
  void open_step(Chunk& chunk);
  template <bool kOuter>
  void kick(Chunk& chunk);
  const Periodicity* faces() const { return periodicity_.any() ? &periodicity_ : nullptr; }
  // cpu_outer.cpp: forces from outside and at a distance
  void set_outer(double t);
  void evaluate_outer(std::size_t i);
  Vec3d outer_force(std::size_t i) const;                                        // all of them, for frames
  Vec3d magnetic_turn(std::size_t i) const;                                      // (q/m) B
  void book_outer(Chunk& chunk, std::size_t i, const Vec3d& mean_v, double dt);  // work over dt at a mean velocity
  Vec3d turning(std::size_t i) const;
  void drift(Chunk& chunk, std::uint32_t i, const Pace<double>& pace);
  void check_health();
  void switch_gravity(double t);
  void weigh_next(double t);
  KernelContext context(double dt, bool record);
  // Chunks on all threads, in any order; f touches its own chunk only.
  template <class F>
  void for_each_chunk(F&& f) {
    team_.for_each(static_cast<std::int64_t>(chunks_.size()), [&](std::int64_t k, int) { f(chunks_[k]); });
  }

  void store_accelerations(const Chunk& chunk, std::vector<Vec3d>& a, std::vector<Vec3d>& b) const;

  // cpu_implicit.cpp: the scheme "trapezoid"
  void prepare_implicit();
  void advance_implicit(std::int64_t steps, bool record);
  void evaluate_state(double dt, bool record, std::vector<Vec3d>& a, std::vector<Vec3d>& b);
  void keep(double t) override;
  void restore() override;
  void restore_contacts();
  void restore_outer();
  Vec3d magnetic_acceleration(std::size_t i) const;
  Sweep predict(double t_end, double h) override;
  Sweep sweep(double h) override;
  Sweep jacobi(double h);
  Sweep gauss_seidel(double h);
  Sweep sum_of_sweep() const;
  void move_iterate(Chunk& chunk, std::uint32_t i, double h, Sweep& sum);
  Vec3d origin_of_errors() const;
  Vec3d way_of_step(std::size_t i) const;
  void commit(double t_end, double h, bool record) override;
  void book_scheme(Chunk& chunk, double h);
  std::vector<const ContactRecord*> records_in_order() const;
  void renew_lists() override;
  void forget_forces() {  // bodies or fields have changed since the forces were evaluated
    if (implicit_) implicit_->forces_known = false;
  }
  void save_implicit(Archive& archive) const;
  void load_implicit(const Archive& archive);

  // cpu_lists.cpp: neighbour lists
  bool lists_are_stale() const;  // implicit: the present iterate is not covered
  void renew_stale_lists();      // explicit: after every move
  double farthest_wall() const;  // travel of the wall that moved most since the lists were made
  void choose_skin();
  void reach_for(double closer);  // surfaces come closer by this in a step
  bool choose_limits();           // false: the lists do not reach far enough for it
  double horizon() const { return static_cast<double>(horizon_); }
  std::vector<Vec4> positions() const;
  double charge(std::uint32_t id) const { return charge_.empty() ? 0 : charge_[id]; }
  void rebuild();                                        // new spatial order, new lists
  void relist(const std::vector<std::uint32_t>& order);  // order[new slot] = old slot; histories are carried over
  void make_chunks();
  void make_lists(const std::vector<std::uint32_t>& old_slot, std::vector<Chunk>& old_chunks);
  void list_chunk(Chunk& chunk, const SizeClassGrid& grid, const std::vector<Vec4>& built);
  void list_by_lower_slot();
  void carry_walls(Chunk& chunk, const std::vector<std::uint32_t>& old_slot, const std::vector<Chunk>& old_chunks,
                   std::uint32_t old_chunk_size);
  // cpu_pairs.cpp: pairs that are near now
  void pick_walls(Chunk& chunk) const;
  void pick_pairs();  // from the neighbour lists; histories stay with their pairs
  void pick_pairs(const std::vector<std::uint32_t>& old_slot, const std::vector<Chunk>& old_chunks,
                  std::uint32_t old_chunk_size);  // new slots
  void restore_pairs(const std::vector<std::int64_t>& pair, const std::vector<double>& history);
  void address_letters();
  double wall_travel(std::size_t wall) const;
  void permute(const std::vector<std::uint32_t>& order);
  void remove_lost();

  // cpu_insert.cpp: particles that come while the simulation runs
  void insert(const std::vector<NewParticle>& particles);

  // cpu_bonds.cpp: bonds
  void start_bonds(const std::vector<std::uint16_t>& sets);
  void renew_bonds();
  void list_bonds_apart();
  void drop_bonds(const std::vector<std::uint32_t>& order);
  void erase_bonds(const std::vector<std::uint8_t>& gone);
  void evaluate_bonds(double dt);
  void compute_bonds();
  void settle_bonds(double dt);
  void add_bond_forces();
  void flush_bonds();
  BondBody bond_body_of(std::uint32_t slot) const;
  BondBody bond_body_j(std::size_t bond) const;
  BondNow bond_now(std::size_t bond) const;
  BondBooking pending_work(std::size_t bond) const;
  void book_pending_work(LedgerSums& sums) const;
  void add_energy_of_bonds(ExactSum& sum) const;
  void fill_bonds(Frame& frame) const;
  void save_bonds(Archive& archive) const;
  void load_bonds(const Archive& archive);

  // cpu_frames.cpp: showing and keeping the state
  Energy stored_energy() const;
  LedgerSums booked() const;       // so far
  LedgerSums ledger_sums() const;  // and what the state shows already
  void book_switch(const Energy& before);
  std::size_t wall_laws(std::int64_t slot, std::int64_t wall) const;
  void save_meshes(Archive& archive) const;
  void load_meshes(const Archive& archive);
  template <class Self, class F>
  static void for_each_array(Self& self, F&& f);

  const Scene& scene_;
  double dt_, skin_;
  mutable Team team_;
  Scheme scheme_;
  bool exact_rotation_;
  FreeAxes axes_;
  Periodicity periodicity_;
  bool watch_domain_ = false;
  bool has_servos_ = false;
  bool plain_ = false;    // nothing but contacts and uniform gravity, in three dimensions: block_step.h
  bool weighs_ = false;   // the next drift books what a turning gravity does to the potential ...
  bool weighed_ = false;  // ... and the last one did
  Vec3d dg_;              // by which gravity turns
  bool counted_ = false;  // contacts_before is that of the last evaluation
  BlockStep block_step_ = block_step();

  State state_;
  std::vector<WallState> walls_;
  std::vector<WallState> walls_at_build_;
  Schedule schedule_;
  Vec3d gravity_;
  OuterForces outer_;
  DistanceForces distance_;
  bool outer_on_ = false;                   // any forces besides contacts and uniform gravity
  std::size_t placed_count_ = 0;            // particles at the start
  std::vector<double> mass_;                // by id
  std::vector<double> charge_;              // by id, or empty: none has any
  std::vector<std::uint16_t> group_, set_;  // by id
  std::vector<std::uint8_t> prescribed_;    // by id
  struct Placed {  // where a prescribed particle's motion starts from, and 1/j once it is released
    Vec3d at;
    Quat turn{1, 0, 0, 0};
    double inv_j = 0;
  };
  std::vector<Placed> placed_;  // by id, or empty: none is prescribed
  std::vector<double> overlap_share_;

  std::vector<std::unique_ptr<Kernel>> kernels_;
  double law_reach_ = 0;                 // largest gap that a law bridges: lists reach that far beyond the skin
  std::vector<std::int32_t> kernel_of_;  // per ordered material pair, or -1: no interaction
  std::vector<Chunk> chunks_;
  std::uint32_t chunk_size_ = 64;
  LineVector<Letter> letters_;             // across chunks
  std::vector<std::uint32_t> shared_at_;  // by these letters: the entry of an inbox that reads it
  std::vector<std::vector<std::unique_ptr<ChunkWork>>> spare_work_;  // by thread
  std::unique_ptr<std::atomic<std::uint32_t>[]> waiting_;  // per chunk, within a step: whom it has to wait for
  double least_skin_, most_skin_;
  double near_gap_ = 0;  // implicit: largest gap of the pairs that are looked at
  double moved_ = 0;  // bound on the way of any particle since the neighbour lists were made, counted from the flow ...
  double flowed_ = 0;              // ... and on that of the flow
  Vec3d flow_;                     // mean step of the particles, when pairs were picked
  double least_limit_ = 0;         // of all particles
  std::int64_t best_horizon_ = 0;  // steps that near pairs should last ...
  std::int64_t horizon_ = 0;       // ... and do if all keep to their limits ...
  std::int64_t drifts_ = 0;        // ... and those taken
  bool hurried_ = false;           // some did not
  std::optional<Places> places_;   // from the choice of limits till pairs are picked
  bool rolls_ = false;             // some law shares a limit among the contacts of a particle
  bool any_prescribed_ = false;
  double reach_at_build_ = 0;  // distance of the farthest particle from any rotation axis, bound

  std::unique_ptr<ImplicitRun> implicit_;  // scheme = trapezoid only
  bool trying_ = false;                    // forces of an iterate: nothing may be decided by them

  BondState bonds_;
  LedgerSums carried_;  // bookings of earlier lists
  bool profiling_ = false;
  Profile profile_;
  std::int64_t pickings_ = 0;
  std::int64_t listed_at_ = 0;  // step
  std::int64_t step_ = 0, rebuilds_ = 0, lost_ = 0, removed_ = 0, inserted_ = 0;
};

}  // namespace areia::cpu
