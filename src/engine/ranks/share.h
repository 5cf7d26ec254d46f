// The part of a rank: a cpu engine over the bodies that it owns, and over copies of those of other ranks that may touch
// one of them before lists are made again.
//
// Every step each rank moves its own bodies and tells the others where those are that they hold copies of; then each
// evaluates all pairs of which it owns a body. A pair across ranks is evaluated by both owners from the same numbers,
// so both find the same force, to the bit, and keep the same history; what it does to the copy is thrown away. Sums of
// forces are whole numbers (engine/force_sum.h): it does not matter who else touched the body, and in which order.
//
// The books of a pair across ranks, its energy, its place in frames and checkpoints, are kept by the lower rank. Copies
// of bodies of lower ranks lie before the own bodies, those of higher ones behind; a pair is listed by its lower slot;
// so the pairs whose books others keep are those of the chunks before the own ones, and nobody has to ask for it.
//
// When lists are made anew, on all ranks at once, bodies go to the rank that owns their place (cut.h), and take along
// what their contacts remember.
#pragma once
#include <optional>
#include <random>
#include <vector>

#include "engine/cpu/cpu_bodies.h"
#include "engine/cpu/cpu_motion.h"
#include "engine/ranks/cut.h"
#include "engine/ranks/wire.h"

namespace areia::ranks {

// Thrown on the ranks behind rank 0 when the run cannot go on and all have agreed on it: rank 0 tells why.
struct Ended {};

// The same on rank 0.
struct AgreedStop : StoppedError {
  using StoppedError::StoppedError;
};

class Share final : public cpu::Others {
 public:
  Share(const Scene& scene, const BackendSettings& settings, Link& link);

  // --- asked for on all ranks alike ---

  // A state to go on from; rank 0 brings all of its bodies and contacts, the others none.
  void take(const WorldState& world, const std::vector<Body>& bodies, const SnapshotContacts& contacts);
  void set_schedule(const Schedule& schedule);
  void set_step_times(const StepTimes& times) { world_.set_step_times(times); }
  void advance(std::int64_t steps, bool record);
  cpu::Forces::MotionSums motion() { return sum_of_all(forces_.motion()); }  // of all bodies, on rank 0
  double unrest(double limit);                                               // likewise
  // Of all ranks, on rank 0.
  void gather_state(Snapshot& to);
  void gather_frame(Frame& frame, const FrameChoice& choice);
  BackendStatistics gather_statistics();

  // --- of this rank ---

  World& world() { return world_; }
  std::int64_t bodies() const { return static_cast<std::int64_t>(all_bodies_); }  // of all ranks
  void measure_profile(bool on) { explicit_.measure_profile(on); }

  void meet(bool counted) override;
  void check() override;
  void join_walls() override;
  void join(GridSum& sum) override;
  double kinetic_energy() override;

 private:
  // Where messages of a neighbour come from and go to, in the order of the bodies in them.
  struct Neighbour {
    int rank = 0;
    std::vector<std::uint32_t> sent, copied;  // slots
    Message message;
  };

  Body body_in(std::uint32_t slot) const;
  void put_body(const Body& body, std::uint32_t slot);
  void bring_moves();
  void agree_on_trouble(double& lists);
  void lose(const std::vector<std::uint32_t>& own);  // ids
  void forget(std::uint32_t id);
  [[noreturn]] void stop_all(const std::string& why);
  std::uint32_t slot_of(std::uint32_t id) const;

  // share_out.cpp
  struct Stock;
  void share_out_anew();
  void share_out(std::vector<Body> own, SnapshotContacts contacts, double gap, bool first);
  Stock take_stock(const std::vector<Body>& own, double gap);
  void migrate(std::vector<Body>& own, SnapshotContacts& contacts);
  std::vector<std::vector<std::uint32_t>> needed_elsewhere(const std::vector<Body>& own, double skin, double largest);
  void lay_out(const std::vector<Body>& own, const std::vector<std::vector<std::uint32_t>>& given,
               const std::vector<std::vector<Body>>& copies);
  template <class Sums>
  Sums sum_of_all(const Sums& own);

  Link& link_;
  World world_;
  cpu::State state_;
  cpu::Chunks chunks_;
  cpu::Laws laws_;
  cpu::Forces forces_;
  cpu::Lists lists_;
  cpu::CpuBodies bodies_;
  cpu::ExplicitSteps explicit_;

  std::optional<Cut> cut_;
  std::vector<Neighbour> neighbours_;
  double all_bodies_ = 0;      // of all ranks ...
  std::uint64_t all_ids_ = 0;  // ... and a sum over their ids, by which none is lost and none comes twice
  bool counted_ = false;       // others.h
  bool shown_ = false;         // forces on walls of the last recorded step are not yet in the world of rank 0
  bool random_cuts_ = false;
  std::mt19937_64 random_;
};

// The sum over all ranks, on rank 0; elsewhere the own part.
template <class Sums>
Sums Share::sum_of_all(const Sums& own) {
  Writer w;
  w.put(own);
  const std::vector<Message> all = gather(link_, w.message());
  Sums sum = own;
  for (std::size_t r = 1; r < all.size(); ++r) sum += Reader(all[r]).get<Sums>();
  return sum;
}

}  // namespace areia::ranks
