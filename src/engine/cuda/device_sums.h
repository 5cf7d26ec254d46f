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

// Force x, y, z and torque x, y, z on the bodies of a group, which a team adds up in the memory that it shares. Whole
// numbers of 64 bits in two words each: quanta, and apart from them the upper part of terms that the grid does not
// take, in units of 2^56 quanta. Of 2^110 quanta, the most, 2^54 units, so that more terms fit than a body has
// neighbours.
struct GroupSums {
  std::uint32_t low[6][kGroup], high[6][kGroup];
  std::uint32_t large_low[6][kGroup], large_high[6][kGroup];
  std::uint32_t contacts[kGroup];
  std::uint32_t beyond[kGroup];  // one bit for each component that is not a number
  std::uint32_t has_large;

  AREIA_PORTABLE void clear(const Team& team) {
    team.each(kGroup, [&](std::uint32_t i) {
      for (int c = 0; c < 6; ++c) low[c][i] = high[c][i] = large_low[c][i] = large_high[c][i] = 0;
      contacts[i] = beyond[i] = 0;
    });
    if (team.thread == 0) has_large = 0;
  }

  // What a contact does to body a and, if there is one in the group, with the opposite force to body b; one that is not
  // in the group has a number of kGroup or more.
  AREIA_PORTABLE void add(const ForceGrid& grid, std::uint32_t a, std::uint32_t b, const Vec3d& force,
                          const Vec3d& torque_a, const Vec3d& torque_b) {
    const std::uint64_t n[9] = {
        grid.force.raised(force.x),     grid.force.raised(force.y),     grid.force.raised(force.z),
        grid.torque.raised(torque_a.x), grid.torque.raised(torque_a.y), grid.torque.raised(torque_a.z),
        grid.torque.raised(torque_b.x), grid.torque.raised(torque_b.y), grid.torque.raised(torque_b.z)};
    bool fits = true;
    for (const std::uint64_t one : n) fits = fits && one <= Grid::kFits;
    const auto quanta = [&](int k) { return static_cast<std::int64_t>(n[k]) - Grid::kZero; };
    if (a < kGroup) {
      if (fits) [[likely]]
        for (int c = 0; c < 6; ++c) add_to(&low[c][a], &high[c][a], quanta(c));
      else add_large(grid, a, force, torque_a);
      add_to(&contacts[a], 1);
    }
    if (b < kGroup) {
      if (fits) [[likely]]
        for (int c = 0; c < 6; ++c) add_to(&low[c][b], &high[c][b], c < 3 ? -quanta(c) : quanta(c + 3));
      else add_large(grid, b, -force, torque_b);
      add_to(&contacts[b], 1);
    }
  }

  AREIA_PORTABLE Vec3d force(const ForceGrid& grid, std::uint32_t i) const {
    return {value(grid.force, 0, i), value(grid.force, 1, i), value(grid.force, 2, i)};
  }
  AREIA_PORTABLE Vec3d torque(const ForceGrid& grid, std::uint32_t i) const {
    return {value(grid.torque, 3, i), value(grid.torque, 4, i), value(grid.torque, 5, i)};
  }

 private:
  // Terms of any size, exactly: they have 53 significant bits.
  AREIA_SELDOM void add_large(const ForceGrid& grid, std::uint32_t i, Vec3d force, Vec3d torque) {
    const double a[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    raise_flag(&has_large, 1);
    for (int c = 0; c < 6; ++c) {
      const double whole = std::rint(a[c] / (c < 3 ? grid.force : grid.torque).quantum);
      if (!(std::fabs(whole) < 0x1p110)) {
        raise_flag(&beyond[i], 1u << c);
        continue;
      }
      const double upper = std::trunc(whole * 0x1p-56), lower = whole - upper * 0x1p56;
      add_to(&large_low[c][i], &large_high[c][i], static_cast<std::int64_t>(upper));
      add_to(&low[c][i], &high[c][i], static_cast<std::int64_t>(lower));
    }
  }

  AREIA_PORTABLE static std::int64_t joined(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
  }
  AREIA_PORTABLE double value(const Grid& grid, int c, std::uint32_t i) const {
    const std::int64_t quanta = joined(low[c][i], high[c][i]);
    if (has_large != 0) [[unlikely]]
      return with_large(quanta, c, i) * grid.quantum;
    return static_cast<double>(quanta) * grid.quantum;
  }
  AREIA_SELDOM double with_large(std::int64_t quanta, int c, std::uint32_t i) const {
    if (beyond[i] >> c & 1) return std::numeric_limits<double>::quiet_NaN();
    return number((static_cast<__int128>(joined(large_low[c][i], large_high[c][i])) << 56) + quanta);
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
