#include "engine/cpu/pushes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/transposed.h"
#include "core/vector_width.h"

namespace areia::cpu {

void add_push(const ForceGrid& grid, std::uint32_t slot, const Vec3d& force, const Vec3d& torque, Push& to,
              std::vector<LargeTerm>& large) {
  const auto add = [&](const Grid& g, double a, std::int64_t& sum, int component) {
    const std::uint64_t n = g.raised(a);
    if (n <= Grid::kFits) [[likely]]  // modulo 2^64, as in vectors: settle() tells when that was too much
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + n - Grid::kZero);
    else large.push_back({slot, component, a});
  };
  add(grid.force, force.x, to.force.x, 0);
  add(grid.force, force.y, to.force.y, 1);
  add(grid.force, force.z, to.force.z, 2);
  add(grid.torque, torque.x, to.torque.x, 3);
  add(grid.torque, torque.y, to.torque.y, 4);
  add(grid.torque, torque.z, to.torque.z, 5);
  ++to.torque.w;
}

namespace {

bool overflows(const Push& push) {
  if (push.torque.w <= kMostSafeTerms) [[likely]]
    return false;
  for (const std::int64_t n : {push.force.x, push.force.y, push.force.z, push.torque.x, push.torque.y, push.torque.z})
    if (n >= kMostQuantaOfMany || n <= -kMostQuantaOfMany) return true;
  return false;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Push& push_at(Twin& place) { return reinterpret_cast<Push&>(place); }
const Push& push_at(const Twin& place) { return reinterpret_cast<const Push&>(place); }

double& component_of(Twin& place, int k) {
  Vec4& v = k < 3 ? place.first : place.second;
  return k % 3 == 0 ? v.x : k % 3 == 1 ? v.y : v.z;
}

}  // namespace

void settle_plain(const ForceGrid& grid, Twin* places, std::size_t count) {
  const double f = grid.force.quantum, t = grid.torque.quantum;
  for (Twin* place = places; place != places + count; ++place) {
    const Push push = push_at(*place);
    const auto number = [](std::int64_t n) { return static_cast<double>(n); };
    const double unit = overflows(push) ? kNone : f;
    *place = {{number(push.force.x) * unit, number(push.force.y) * unit, number(push.force.z) * unit, 0},
              {number(push.torque.x) * t, number(push.torque.y) * t, number(push.torque.z) * t, number(push.torque.w)}};
  }
}

#if defined(__x86_64__)
namespace {

// Whole numbers as doubles, rounded once. The upper 32 bits go into the fraction of a double of 3 * 2^67 or so, the
// lower ones into that of 2^52: the difference of the first and both constants is exact.
AREIA_WIDE inline __m256d numbers(__m256i n) {
  const __m256i upper = _mm256_blend_epi16(_mm256_srai_epi32(n, 16), _mm256_setzero_si256(), 0x33);
  const __m256i lower = _mm256_blend_epi16(n, _mm256_castpd_si256(_mm256_set1_pd(0x1p52)), 0x88);
  const __m256i raised = _mm256_add_epi64(upper, _mm256_castpd_si256(_mm256_set1_pd(0x3p67)));
  return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(raised), _mm256_set1_pd(0x3p67 + 0x1p52)),
                       _mm256_castsi256_pd(lower));
}

AREIA_WIDE void settle_wide(const ForceGrid& grid, Twin* places, std::size_t count) {
  const __m256d f = _mm256_set1_pd(grid.force.quantum);
  const double quantum = grid.torque.quantum;
  const __m256d t = _mm256_set_pd(1, quantum, quantum, quantum);
  for (Twin* place = places; place != places + count; ++place) {
    auto* const at = reinterpret_cast<__m256i*>(place);
    const __m256i force = _mm256_load_si256(at), torque = _mm256_load_si256(at + 1);
    __m256d unit = f;
    if (push_at(*place).torque.w > kMostSafeTerms && overflows(push_at(*place))) [[unlikely]]
      unit = _mm256_set1_pd(kNone);
    _mm256_store_pd(&place->first.x, _mm256_mul_pd(numbers(force), unit));
    _mm256_store_pd(&place->second.x, _mm256_mul_pd(numbers(torque), t));
  }
}

}  // namespace
#endif

void settle(const ForceGrid& grid, Twin* places, std::size_t count) {
#if defined(__x86_64__)
  if (has_wide_vectors()) return settle_wide(grid, places, count);
#endif
  settle_plain(grid, places, count);
}

std::vector<LargeForce> sums_with(std::vector<LargeTerm> terms, const ForceGrid& grid, const Twin* places,
                                  std::uint32_t first) {
  const auto key = [](const LargeTerm& term) { return std::tuple(term.slot, term.component); };
  std::sort(terms.begin(), terms.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<LargeForce> sums;
  for (std::size_t k = 0; k < terms.size();) {
    const LargeTerm& at = terms[k];
    const Push& push = push_at(places[at.slot - first]);
    const Quanta& of = at.component < 3 ? push.force : push.torque;
    const Grid& g = at.component < 3 ? grid.force : grid.torque;
    WholeSum sum;
    sum.add_quanta(at.component % 3 == 0 ? of.x : at.component % 3 == 1 ? of.y : of.z);
    for (; k < terms.size() && key(terms[k]) == key(at); ++k) sum.add(g, terms[k].amount);
    sums.push_back({at.slot, at.component, overflows(push) ? kNone : sum.value(g)});
  }
  return sums;
}

void put(const std::vector<LargeForce>& sums, Twin* places, std::uint32_t first) {
  for (const LargeForce& s : sums) component_of(places[s.slot - first], s.component) = s.value;
}

}  // namespace areia::cpu
