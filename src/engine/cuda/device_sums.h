// Sums on the device, none of which has an order: what a body feels from its contacts, in quanta of the force grid
// (engine/force_sum.h), bookings in quanta of the ledger's grid (core/grid_sum.h), and exact sums (core/exact_sum.h).
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/exact_sum.h"
#include "core/grid_sum.h"
#include "engine/cuda/machine.h"
#include "engine/force_sum.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// Terms that the grid of forces does not take, in 128 bits: force x, y, z and torque x, y, z.
struct LargeTerms {
  __int128 quanta[6];
  bool any;             // else the quanta are not set
  std::uint8_t beyond;  // one bit for each component that is not a number

  AREIA_PORTABLE void clear() {
    any = false;
    beyond = 0;
  }
  AREIA_SELDOM void add(double quantum, int c, double a) {
    const double whole = std::rint(a / quantum);
    if (!(std::fabs(whole) < 0x1p110)) {
      beyond = static_cast<std::uint8_t>(beyond | 1u << c);
      return;
    }
    begin();
    // 62 bits at a time, exactly: |whole| < 2^110 has 53 significant ones
    const double high = std::trunc(whole * 0x1p-62), low = whole - high * 0x1p62;
    quanta[c] += (static_cast<__int128>(static_cast<std::int64_t>(high)) << 62) + static_cast<std::int64_t>(low);
  }
  AREIA_SELDOM void add(const LargeTerms& other) {
    beyond |= other.beyond;
    if (!other.any) return;
    begin();
    for (int c = 0; c < 6; ++c) quanta[c] += other.quanta[c];
  }
  // With the quanta of all other terms.
  AREIA_SELDOM double value(double quantum, int c, std::int64_t others) const {
    if (beyond >> c & 1) return std::numeric_limits<double>::quiet_NaN();
    return number((any ? quanta[c] : 0) + others) * quantum;
  }

 private:
  AREIA_PORTABLE void begin() {
    if (any) return;
    for (__int128& n : quanta) n = 0;
    any = true;
  }
  // A whole number as the nearest double, of two that are as near the even one.
  AREIA_PORTABLE static double number(__int128 n) {
    const bool negative = n < 0;
    auto left = static_cast<unsigned __int128>(negative ? -n : n);
    int shift = 0;
    bool rest = false;
    while (left >> 62 != 0) {  // what falls out counts only as being there
      rest = rest || (left & 1) != 0;
      left >>= 1;
      ++shift;
    }
    double a = static_cast<double>(static_cast<std::int64_t>(left) | static_cast<std::int64_t>(rest));
    for (; shift > 0; --shift) a *= 2;
    return negative ? -a : a;
  }
};

// Force and torque on one body. Large terms, which are few, lie elsewhere, so that the rest stays in registers.
struct PushSum {
  std::int64_t quanta[6];
  std::uint32_t contacts;
  LargeTerms* large;

  AREIA_PORTABLE explicit PushSum(LargeTerms& terms) : contacts(0), large(&terms) {
    for (std::int64_t& n : quanta) n = 0;
    large->clear();
  }
  AREIA_PORTABLE void add(const ForceGrid& grid, const Vec3d& force, const Vec3d& torque) {
    add(grid.force, 0, force.x), add(grid.force, 1, force.y), add(grid.force, 2, force.z);
    add(grid.torque, 3, torque.x), add(grid.torque, 4, torque.y), add(grid.torque, 5, torque.z);
    ++contacts;
  }
  AREIA_PORTABLE Vec3d force(const ForceGrid& grid) const {
    return {value(grid.force, 0), value(grid.force, 1), value(grid.force, 2)};
  }
  AREIA_PORTABLE Vec3d torque(const ForceGrid& grid) const {
    return {value(grid.torque, 3), value(grid.torque, 4), value(grid.torque, 5)};
  }

 private:
  AREIA_PORTABLE void add(const Grid& grid, int c, double a) {
    const std::uint64_t n = grid.raised(a);
    if (n <= Grid::kFits) [[likely]]
      quanta[c] += static_cast<std::int64_t>(n) - Grid::kZero;
    else large->add(grid.quantum, c, a);
  }
  AREIA_PORTABLE double value(const Grid& grid, int c) const {
    if (large->any || large->beyond != 0) [[unlikely]]
      return large->value(grid.quantum, c, quanta[c]);
    return static_cast<double>(quanta[c]) * grid.quantum;
  }
};

// The same, kept for the step: what walls do to a body.
struct KeptPush {
  std::int64_t quanta[6];
  std::uint32_t contacts;
  LargeTerms large;

  AREIA_PORTABLE void keep(const PushSum& p) {
    for (int c = 0; c < 6; ++c) quanta[c] = p.quanta[c];
    contacts = p.contacts;
    if (p.large->any || p.large->beyond != 0) large = *p.large;
    else large.clear();
  }
  AREIA_PORTABLE void add_to(PushSum& p) const {
    for (int c = 0; c < 6; ++c) p.quanta[c] += quanta[c];
    p.contacts += contacts;
    if (large.any || large.beyond != 0) p.large->add(large);
  }
};

// Digits of exact sums. Threads add to them; the host makes numbers of them.
inline constexpr int kExactWords = ExactSum::kDigits + 1;  // the last one counts what is infinite or not a number

AREIA_SELDOM inline void add_exactly(std::int64_t* digits, double a) {
  const bool finite = ExactSum::spread(a, [&](int place, std::int64_t n) {
    if (n != 0) add_to(digits + place, n);
  });
  if (!finite) add_to(digits + ExactSum::kDigits, 1);
}

// Bookings of the ledger: those of contacts in the order of Booking, then the work of walls and that of fields.
enum BookingSum { kWallWork = 6, kFieldWork, kBookingSums };

struct Books {
  Grid grid;
  std::int64_t* large = nullptr;  // kExactWords for each sum: terms that the grid does not take
  bool contacts = true;           // what contacts do is booked; what periodic faces and a gravity that turns do always

  AREIA_PORTABLE void book(Tally& tally, int k, double a) const {
    const std::uint64_t n = grid.raised(a);
    if (n <= Grid::kFits) [[likely]]
      tally.add(k, static_cast<std::int64_t>(n) - Grid::kZero);
    else add_exactly(large + k * kExactWords, a);
  }
  template <class Booking>
  AREIA_PORTABLE void book_contact(Tally& tally, const Booking& b) const {
    if (!contacts) return;
    book(tally, 0, b.elastic);
    book(tally, 1, b.damping);
    book(tally, 2, b.tangential);
    book(tally, 3, b.tangential_damper);
    book(tally, 4, b.rolling);
    book(tally, 5, b.adhesion);
  }
  // What a prescribed body or a wall puts into a contact.
  AREIA_PORTABLE void book_drive(Tally& tally, double work) const {
    if (contacts) book(tally, kWallWork, work);
  }
};

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
