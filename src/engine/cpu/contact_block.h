// Touching pairs in blocks, one array per quantity: each law runs over a whole block in packs of as many lanes as the
// machine's vectors have. Lane by lane these are the IEEE operations of the scalar code, so the bits do not depend on
// the width.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/grid_sum.h"
#include "engine/cpu/chunk.h"
#include "physics/interaction.h"

namespace areia::cpu {

inline constexpr int kLanes = 8;  // a block is filled up to a multiple of the widest vector
inline constexpr int kBookings = sizeof(Booking<double>) / sizeof(double);

// Lanes of vectors that hold so many contacts.
template <class Count>
constexpr Count whole_vectors(Count count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

struct ContactBlock {
  // columns
  enum Column {
    // motion of the two bodies; of the velocities only their difference is felt
    kD = 0,
    kRi = 3,
    kRj,
    kDv,
    kMi = kDv + 3,
    kMj,
    kWi,
    kJi = kWi + 3,
    kWj,
    kJj = kWj + 3,
    kCi,
    kCj,
    // geometry: from the distance vector of a pair, or from a wall
    kN,
    kOverlap = kN + 3,
    kRstar,
    kMstar,
    kLeverI,
    kLeverJ,
    // kinematics that laws share
    kRadius,
    kRadiusBefore,
    kOverlapBefore,
    kRate,
    kStiffness,
    kDamper,
    // what comes out
    kForce,
    kTorqueI = kForce + 3,
    kTorqueJ = kTorqueI + 3,
    kTangentialForce = kTorqueJ + 3,
    kNormalForce = kTangentialForce + 3,
    kPressing,
    kBooking,
    kTouch = kBooking + kBookings,  // 1: in contact, 0: the lane counts for nothing
    kColumns
  };
  alignas(64) double of[kColumns][kBlock];
  alignas(64) double scratch[kMostHistory][kBlock];  // histories of wall contacts
  // Bookings of lanes that touch, over any number of blocks, in quanta of the ledger's grid (core/grid_sum.h): eight
  // sums side by side, so that they do not wait for each other. Lane k adds to number k % kLanes. The fused loop adds
  // the bits of amount + magic as they are, modulo 2^64, and counts how often: terms[0] for lanes 0 to 3, terms[1] for
  // 4 to 7.
  alignas(64) std::uint64_t sums[kBookings][kLanes];
  std::uint64_t terms[2];
  unsigned used;    // bookings that the fused loop adds to, one bit each
  bool any_deep;    // some lane of the fused loop overlaps too much; it may be one that does not count
  bool any_barely;  // some lane of it touches to the last bit
  Grid grid;
  Booking<GridSum>* ledger = nullptr;
  double (*history)[kBlock] = scratch;  // in use: scratch, or a block of a list of pairs

  void set(int lane, int first, const Vec3d& a) {
    of[first][lane] = a.x;
    of[first + 1][lane] = a.y;
    of[first + 2][lane] = a.z;
  }
  Vec3d vector(int lane, int first) const { return {of[first][lane], of[first + 1][lane], of[first + 2][lane]}; }
  // From here on bookings go to `to`, which gets them when they are closed.
  void open_sums(Booking<GridSum>& to) {
    std::fill_n(&sums[0][0], kBookings * kLanes, 0);
    terms[0] = terms[1] = 0;
    used = 0;
    ledger = &to;
    grid = to.elastic.grid();
  }
  void close_sums() const {
    const std::uint64_t zero = grid.base + Grid::kZero;  // the bits of magic
    for (int b = 0; b < kBookings; ++b) {
      __int128 quanta = 0;
      for (int k = 0; k < kLanes; ++k)
        quanta += static_cast<std::int64_t>(sums[b][k] - (used >> b & 1 ? terms[k / 4] * zero : 0));
      booked(b).add_quanta(quanta);
    }
  }
  GridSum& booked(int b) const {
    GridSum* const all[kBookings] = {&ledger->elastic,           &ledger->damping, &ledger->tangential,
                                     &ledger->tangential_damper, &ledger->rolling, &ledger->adhesion};
    return *all[b];
  }
  // Lanes without a contact repeat the first one. Returns how many lanes there are now.
  int fill_up(int count, int stride) {
    const int full = (count + kLanes - 1) / kLanes * kLanes;
    for (int k = count; k < full; ++k) {
      for (int c = 0; c < kRadius; ++c) of[c][k] = of[c][0];
      for (int h = 0; h < stride; ++h) scratch[h][k] = scratch[h][0];
    }
    return full;
  }
};

// One part of the work on a block: `pair` is the law's Pair, scalar and vector its columns of the history.
struct BlockCall {
  const void* pair;
  double dt;
  double share;  // part of the overlap that shortens the lever of i
  int lanes;
  int scalar, vector;
  Kick kick = {};
  bool shares = false;  // the laws ask for the columns kCi and kCj (Interaction::shares)
};
using BlockStage = void (*)(const BlockCall&, ContactBlock&);

// Normal, overlap, effective radius and levers of pairs, from their distance vectors.
BlockStage pair_geometry();
// What the laws share: radii of contact, m*, rate of overlap. Clears the outcome.
BlockStage shared_kinematics();
// A type of law of the registry; null for a name that is none. One of each slot is in a file of its own.
BlockStage normal_stage(std::string_view law, bool ledger);
BlockStage adhesion_stage(std::string_view law, bool ledger);
BlockStage tangential_stage(std::string_view law, bool ledger);
BlockStage rolling_stage(std::string_view law, bool ledger);
BlockStage twisting_stage(std::string_view law, bool ledger);

}  // namespace areia::cpu
