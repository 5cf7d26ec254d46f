// Which pairs of a chunk's neighbour lists are near now.
//
// All pairs of the lists are looked at, and most of their partners lie elsewhere in memory, so a picking reads places
// of 16 bytes: whole numbers of a unit that is 2^-30 of the extent, or 2^-32 of a period, where the difference of two
// such numbers is that of the nearest images by itself. Distances of these in single precision are a little off, which
// a margin covers; on any machine the same pairs are picked.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/cpu/state.h"

namespace areia::cpu {

struct Place {
  std::int32_t x, y, z;
  float radius;
};

class Places {
 public:
  // For positions in this box, or near it along a period.
  Places(std::size_t count, const Vec3d& low, const Vec3d& high, const Periodicity& periodicity);
  void set(std::size_t i, const Vec4& x) {
    of_[i] = {whole((x.x - low_.x) * per_metre_.x), whole((x.y - low_.y) * per_metre_.y),
              whole((x.z - low_.z) * per_metre_.z), static_cast<float>(x.w)};
  }
  const Place& operator[](std::size_t i) const { return of_[i]; }
  const Vec3<float>& unit() const { return unit_; }  // m
  float margin() const { return margin_; }           // of distances, m

 private:
  // The nearest whole number modulo 2^32: the last bits of a sum with 1.5 * 2^52.
  static std::int32_t whole(double a) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(a + 6755399441055744.0)));
  }
  LineVector<Place> of_;
  Vec3d low_, per_metre_;
  Vec3<float> unit_;
  float margin_;
};

// Pairs of one list while they are picked: those that touch and those that do not.
struct Picked {
  struct Part {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> low, high;  // slots
  };
  Part part[2];
};

// Those whose surfaces are at most `gap` and `steps` steps of both at their limits apart, in the order of the lists:
// own pairs and pairs across chunks in turn, for each ordered pair of materials, that of the lower id first.
void pick(const Chunk& chunk, const Places& places, const State& state, std::size_t materials, double gap, double steps,
          std::vector<Picked>& lists);
// The same without vectors.
void pick_plain(const Chunk& chunk, const Places& places, const State& state, std::size_t materials, double gap,
                double steps, std::vector<Picked>& lists);

}  // namespace areia::cpu
