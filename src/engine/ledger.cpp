#include "engine/ledger.h"

#include <cmath>

#include "areia/error.h"

namespace areia {

// Theory manual, section 16.2: half a kick that is not booked where a run begins with contacts, of what springs hold;
// the same of tangential dashpots while the motion turns round; and a verdict on laws that give back more than was put
// in.
static constexpr double kHalfKick = 0.01, kTurningRound = 0.05, kTooMuch = 0.1;

const char* negative_dissipation(const Energy& e) {
  const double springs =
      std::fabs(e.elastic_normal) + e.elastic_tangential + e.elastic_rolling + std::fabs(e.adhesive) + e.bonds;
  const double scale = springs + e.turned_over, dashpots = -kHalfKick * scale, others = -kTooMuch * scale;
  if (e.damping + kTurningRound * e.elastic_tangential < dashpots)
    return "the dashpots of the normal and tangential laws (damping)";
  if (e.bond_damping < dashpots) return "the dampers of bonds (bond_damping)";
  if (e.damping + e.sliding + e.elastic_tangential < others) return "friction (sliding)";
  if (e.rolling + e.elastic_rolling < others) return "rolling and twisting resistance (rolling)";
  if (e.adhesion < others) return "adhesion (adhesion)";
  return nullptr;
}

void save_ledger(Archive& archive, const LedgerSums& sums) {
  std::vector<double>& values = archive.real["ledger"];
  std::vector<std::int64_t>& lengths = archive.integer["ledger_parts"];
  LedgerSums::for_each_number(sums, [&](double a) { values.push_back(a); });
  LedgerSums::for_each_sum(sums, [&](const GridSum& sum) {
    const std::vector<double> parts = sum.parts();
    lengths.push_back(static_cast<std::int64_t>(parts.size()));
    values.insert(values.end(), parts.begin(), parts.end());
  });
}

void load_ledger(const Archive& archive, LedgerSums& sums) {
  const auto values = archive.real.find("ledger");
  const auto lengths = archive.integer.find("ledger_parts");
  if (values == archive.real.end() || lengths == archive.integer.end())
    throw FileError("checkpoint lacks the energy ledger");
  std::size_t next = 0, sum_at = 0;
  const auto wrong = [] {
    throw FileError("checkpoint does not belong to this case: the numbers of 'ledger' are others");
  };
  LedgerSums::for_each_number(sums, [&](double& a) {
    if (next >= values->second.size()) wrong();
    a = values->second[next++];
  });
  LedgerSums::for_each_sum(sums, [&](GridSum& sum) {
    if (sum_at >= lengths->second.size()) wrong();
    const auto length = static_cast<std::size_t>(lengths->second[sum_at++]);
    if (length > values->second.size() - next) wrong();
    const auto first = values->second.begin() + static_cast<std::ptrdiff_t>(next);
    sum = GridSum(sum.grid(), {first, first + static_cast<std::ptrdiff_t>(length)});
    next += length;
  });
  if (next != values->second.size() || sum_at != lengths->second.size()) wrong();
}

}  // namespace areia
