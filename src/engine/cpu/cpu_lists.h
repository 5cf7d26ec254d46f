// Neighbour lists of the cpu backend, and the near pairs of them that each step looks at (theory manual, section 14).
// How far they reach and when they are made is a matter of speed alone: no bit of a result follows from it.
//
// cpu_lists.cpp: when, and how far; cpu_candidates.cpp: what a list holds; cpu_pairs.cpp: near pairs.
#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "engine/cpu/cpu_forces.h"
#include "engine/cpu/pick.h"

namespace areia::cpu {

// How far lists reach and how long near pairs last is chosen anew whenever they are made, from the motion.
inline constexpr double kStepsPerList = 30;
inline constexpr double kLeastLimit = 1e-5;  // of the least skin
inline constexpr double kPickingCost = 1;    // picking all pairs once, against looking at those in a gap for one step
inline constexpr int kMostStepsPerPicking = 1000;

// Particles of a chunk: many, so that few pairs are across chunks, but no more than the nearest cache of a core holds,
// and few enough that threads can share the chunks evenly.
inline constexpr std::uint32_t kMostInChunk = 4096, kLeastInChunk = 64;
inline constexpr std::size_t kChunksPerThread = 16;

// The lists that were there before, and who of the new slots was where in them.
struct OldLists {
  const std::vector<std::uint32_t>& slot;  // of each new slot
  std::vector<Chunk> chunks;
  std::uint32_t chunk_size;
};

class Lists {
 public:
  Lists(World& world, State& state, Chunks& chunks, const Laws& laws, Forces& forces, const BackendSettings& settings);

  // The first lists of a state, with nothing known of what was before. Surfaces of contacts that it has are at most
  // `gap` apart.
  void begin(double gap = 0);
  void expect(double step, double gap);  // the first part of it: of bodies whose largest step that is
  enum class Due { nothing, near_pairs, lists };
  Due look();           // explicit: what is to be made anew after a move, which it books
  void renew(Due due);  // and does it
  void renew_stale() { renew(look()); }
  void choose_skin();  // for the next lists
  double skin() const { return skin_; }
  // Of bodies that were shared out among ranks, which all use this skin and count steps from this flow. They are in
  // their order; contacts are laid onto the lists afterwards.
  void list_shared(double skin, const Vec3d& flow);
  bool are_stale() const;    // implicit: the present iterate is not covered
  void renew_for_further();  // implicit: at the committed positions, with twice the skin if they are from there
  void renew_at_random();    // where a test asks for it
  void rebuild();            // new spatial order, new lists
  void relist(const std::vector<std::uint32_t>& order);  // order[new slot] = old slot; histories are carried over
  void pick_walls();                                     // some may have begun to move, or touch
  void give_up(std::size_t slot);                        // of a particle without contacts that is taken out
  void close_up() {                                      // no slot is empty any more
    if (state_.gone > 0) rebuild();
  }

  const Vec3d& flow() const { return flow_; }  // mean step of the particles, when pairs were picked
  std::int64_t made() const { return made_; }
  std::int64_t pickings() const { return pickings_; }

 private:
  // Gap of pairs that are near though neither moves by itself.
  double near_gap() const { return near_gap_ + law_reach_ + strain_gap_; }
  // By how much two surfaces within the reach of the lists come closer by a strain of the cell.
  double closer_by(double strain) const { return strain * (2 * largest_ + skin_ + law_reach_); }
  double horizon() const { return static_cast<double>(horizon_); }
  double wall_travel(std::size_t wall) const;
  double farthest_wall() const;      // travel of the wall that moved most since the lists were made
  bool by_chance();                  // a test asks for lists now
  void reach_for(double closer);     // surfaces come closer by this in a step
  bool choose_limits();              // false: the lists do not reach far enough for it
  std::uint32_t chunk_size() const;  // that suits the particles and threads of now
  void make_chunks();
  void make_lists(const OldLists& old);
  void list_chunk(Chunk& chunk, const SizeClassGrid& grid, const std::vector<Vec4>& built);
  void list_walls(Chunk& chunk, std::uint32_t i, const Vec4& x);
  void pick_walls(Chunk& chunk) const;
  void pick_pairs();                     // from the neighbour lists; histories stay with their pairs
  void pick_pairs(const OldLists& old);  // new slots

  World& world_;
  State& state_;
  Chunks& chunks_;
  const Laws& laws_;
  Forces& forces_;
  const Scene& scene_;
  const Periodicity& periodicity_;
  const double dt_;
  const bool implicit_;
  const Bookkeeping bookkeeping_;
  std::mt19937_64 random_;  // for tests that shuffle particles or lists

  double skin_, least_skin_, most_skin_;
  std::vector<WallState> walls_at_build_;
  double law_reach_ = 0;       // lists reach that far beyond the skin
  double largest_ = 0;         // radius in them
  double near_gap_;            // implicit: largest gap of the pairs that are looked at
  double reach_at_build_ = 0;  // how far from its axis a wall that turns may be met, bound
  double moved_ = 0;  // bound on the way of any particle since the neighbour lists were made, counted from the flow ...
  double flowed_ = 0;    // ... and on that of the flow
  double strained_ = 0;  // bound on the strain of the cell since then
  Vec3d flow_;
  bool flow_given_ = false;
  double least_limit_ = 0;         // of all particles
  std::int64_t best_horizon_ = 0;  // steps that near pairs should last ...
  std::int64_t horizon_ = 0;       // ... and do if all keep to their limits ...
  std::int64_t drifts_ = 0;        // ... and those taken
  bool hurried_ = false;           // some did not
  double strain_left_ = 0;         // that the cell may take till pairs are picked again ...
  double strain_gap_ = 0;          // ... and by how much two surfaces may come closer by it
  std::optional<Places> places_;   // from the choice of limits till pairs are picked
  std::int64_t listed_at_ = 0;     // step
  std::int64_t made_ = 0, pickings_ = 0;
};

}  // namespace areia::cpu
