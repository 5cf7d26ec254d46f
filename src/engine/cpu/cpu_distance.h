// Forces at a distance on the cpu backend. Theory manual, section 5.
//
// Four slots that follow each other make a cell; slots lie along a Morton curve, so a cell is compact. Each particle
// has a list of the cells that may hold partners within cut-off and skin, and goes through it with all lanes of a cell
// at once, of two where the machine has eight; lanes beyond the cut-off add zero. Without cut-off the list is all
// cells. Every pair is thus computed from both sides, with exactly opposite results, and no force has to be handed to
// another chunk. A particle's sum has no order (engine/distance_plan.h), so neither lists nor slots enter it.
#pragma once
#include <cstdint>
#include <vector>

#include "core/team.h"
#include "core/vector_width.h"
#include "engine/cpu/state.h"
#include "engine/distance_plan.h"

namespace areia::cpu {

inline constexpr int kCell = 4;

// One particle against a list of cells.
struct DistanceRow {
  const double *x, *y, *z, *weight;  // by slot
  const std::uint32_t* cells;
  std::size_t count;
  std::uint32_t nowhere;      // a cell without partners, the second one where their number is odd
  double xi, yi, zi, factor;  // factor of i: 1 or its charge
};
struct DistanceConstants {
  DistanceLaw law;
  double cutoff2;
  Periodicity periodicity;
  FineGrid grid;
};
using DistanceKernel = Vec3d (*)(const DistanceConstants&, const DistanceRow&);

class DistanceForces {
 public:
  DistanceForces(const Scene& scene, const Periodicity& periodicity);
  bool any() const { return !entries_.empty(); }

  // After slots were given anew.
  void make_lists(const State& state, double skin, Team& team);
  // Positions of the slots [begin, end) for the next evaluation.
  void gather(const State& state, std::uint32_t begin, std::uint32_t end);
  // state.distant of the chunk, sums on walls, work of moving walls over dt.
  void run(const KernelContext& context, Chunk& chunk) const;
  // Energy of the chunk's particles, half of each pair.
  void energy(const State& state, const std::vector<WallState>& walls, const Chunk& chunk, ExactSum& sum) const;

 private:
  enum Partners { kNone, kOfA, kOfB, kOfBoth };  // whose partners: j in B, j in A, j in either
  struct Entry {
    DistanceConstants constants;
    PlannedForce plan;
    DistanceKernel kernel;
    std::vector<std::uint8_t> role;      // by slot: Partners
    std::vector<double> factor;          // by slot
    std::vector<double> weight[4];       // by Partners and slot: factor of j, or 0
    std::vector<double> free_weight[4];  // the same without prescribed j, for a prescribed i
    std::vector<std::size_t> start;      // by slot: its list in `cells`
    std::vector<std::uint32_t> cells;
    bool whole = false;  // no cut-off: every cell has all of `cells`
  };
  struct Bounds {
    Vec3d low, high;
  };
  void list_cells(Entry& entry, const State& state, double reach, Team& team) const;
  DistanceRow row(const Entry& entry, const State& state, std::uint32_t i) const;
  template <class F>
  void for_each_wall(const Entry& entry, const std::vector<WallState>& walls, const Vec3d& x, F&& f) const;

  const Scene& scene_;
  Periodicity periodicity_;
  std::vector<Entry> entries_;
  std::vector<double> x_, y_, z_;  // by slot, filled up to whole cells with places far away, and one more cell
  std::vector<std::vector<Bounds>> levels_;  // boxes around cells, around kFan cells, ...
};

// The results are the same bits for any width.
DistanceKernel distance_kernel(const DistanceLaw& law, bool periodic, VectorWidth width = widest_vectors());

}  // namespace areia::cpu
