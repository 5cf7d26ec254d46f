#include "engine/cpu/block_step.h"

#include <bit>

#include "core/pack.h"
#include "core/transposed.h"
#include "motion/explicit_step.h"

namespace areia::cpu {
namespace {

// Into the box, with the work of the faces that were crossed.
Vec3d wrap(const StepCall& call, const Vec3d& x, double inv_m) {
  const Vec3d image = call.periodicity->wrapped(x);
  if (inv_m > 0) call.sums->wall_work += work_of_face(inv_m, call.gravity, image - x);
  return image;
}

// As is_outside of scene/wall_geometry.h has it.
template <class T>
[[gnu::always_inline]] inline auto is_within(const Bounds& b, const Vec3<T>& x) {
  return x.x >= T(b.low.x) && x.x <= T(b.high.x) && x.y >= T(b.low.y) && x.y <= T(b.high.y) && x.z >= T(b.low.z) &&
         x.z <= T(b.high.z);
}

// Never part of a function for wider vectors: where gcc 12 makes vectors of straight code, it joins a product with the
// sums and differences that follow it (vfmaddsub), whatever -ffp-contract says. tests/cli/contraction_test.py.
[[gnu::noinline]] void step_one(const StepCall& call, std::uint32_t i, State& s, StepResult& result) {
  const double dt = call.dt;
  if (call.quanta) settle_plain(*call.quanta, &s.pushed[i], 1);
  Vec4 &velocity = s.velocity(i), &spin = s.spin[i];
  Pace<double> now{velocity.xyz(), spin.xyz()}, none;
  const auto stay = [](const Pace<double>&) {};
  if (call.kick) {
    after_forces(Scheme::drift_kick, dt, now,
                 {acceleration_of(velocity.w, s.force(i).xyz(), call.gravity), spin.w * s.torque(i).xyz()}, none,
                 NoFields{}, stay);
    velocity.set_xyz(now.move);
    spin.set_xyz(now.turn);
    if (!slow_enough(now.move, dt, s.position(i).w)) result.failed = std::min(result.failed, s.id[i]);
  }
  if (!call.drift) return;
  before_forces(Scheme::drift_kick, dt, now, none, NoFields{}, [&](const Pace<double>& pace) {
    const Vec3d step = dt * pace.move;
    Vec3d x = s.position(i).xyz() + step;
    if (call.periodicity && call.periodicity->left_by(x)) x = wrap(call, x, velocity.w);
    s.position(i).set_xyz(x);
    if (call.watched && velocity.w > 0 && !is_within(*call.watched, x)) ++result.outside;
    if (call.weigh && velocity.w > 0) call.sums->field_work += potential_change(call.dg, x, velocity.w);
    const double own2 = norm2(step - call.flow), limit = s.limit[i];
    result.moved2 = max_of(own2, result.moved2);
    result.hurried = result.hurried || own2 > limit * limit;
    s.orientation[i] = turned(s.orientation[i], pace.turn, dt, true);
  });
  if (!s.contacts_before.empty()) s.contacts_before[i] = s.contacts(i);
  if (call.quanta) s.pushed[i] = {};
}

void step_plain(const StepCall& call, State& s, StepResult& result) {
  for (std::uint32_t i = call.begin; i < call.end; ++i) step_one(call, i, s, result);
}

#if defined(__x86_64__)
AREIA_WIDE inline Vec3<Pack<4>> vector_of(const Columns& c) { return {Pack<4>(c.x), Pack<4>(c.y), Pack<4>(c.z)}; }
// Of four particles; they lie kStride vectors apart.
template <int kStride>
AREIA_WIDE inline Columns rows_at(const Vec4& a) {
  const Vec4* const p = &a;
  return transposed(row(p[0]), row(p[kStride]), row(p[2 * kStride]), row(p[3 * kStride]));
}
template <int kStride>
AREIA_WIDE inline void put_rows(const Vec3<Pack<4>>& a, __m256d w, Vec4& to) {
  Vec4* const p = &to;
  const Columns r = transposed(a.x.lanes, a.y.lanes, a.z.lanes, w);
  _mm256_store_pd(&p[0].x, r.x);
  _mm256_store_pd(&p[kStride].x, r.y);
  _mm256_store_pd(&p[2 * kStride].x, r.z);
  _mm256_store_pd(&p[3 * kStride].x, r.w);
}

// From quanta, by the way back of core/grid_sum.h. w of the torque stays a whole number. False: a sum does not fit the
// grid, or has too many terms.
AREIA_WIDE inline bool settle_columns(const ForceGrid& grid, Columns& force, Columns& torque) {
  __m256i large = _mm256_cmpgt_epi64(_mm256_castpd_si256(torque.w), _mm256_set1_epi64x(kMostSafeTerms));
  const auto settle = [&](__m256d & n, const Grid& g) __attribute__((target("avx2"), always_inline)) {
    const __m256d magic = _mm256_set1_pd(g.magic);
    const __m256i bits = _mm256_add_epi64(_mm256_castpd_si256(n), _mm256_castpd_si256(magic));
    large = _mm256_or_si256(large, _mm256_xor_si256(bits, _mm256_set1_epi64x(static_cast<long long>(g.base))));
    n = _mm256_sub_pd(_mm256_castsi256_pd(bits), magic);
  };
  settle(force.x, grid.force), settle(force.y, grid.force), settle(force.z, grid.force);
  settle(torque.x, grid.torque), settle(torque.y, grid.torque), settle(torque.z, grid.torque);
  return _mm256_testz_si256(large, _mm256_set1_epi64x(~static_cast<long long>(Grid::kFits)));
}

// The same where one instruction makes doubles of whole numbers.
AREIA_WIDER inline bool settle_columns_wider(const ForceGrid& grid, Columns& force, Columns& torque) {
  const __m256d f = _mm256_set1_pd(grid.force.quantum), t = _mm256_set1_pd(grid.torque.quantum);
  for (__m256d* n : {&force.x, &force.y, &force.z}) *n = _mm256_mul_pd(_mm256_cvtepi64_pd(_mm256_castpd_si256(*n)), f);
  for (__m256d* n : {&torque.x, &torque.y, &torque.z})
    *n = _mm256_mul_pd(_mm256_cvtepi64_pd(_mm256_castpd_si256(*n)), t);
  return _mm256_cmpgt_epi64_mask(_mm256_castpd_si256(torque.w), _mm256_set1_epi64x(kMostSafeTerms)) == 0;
}

[[gnu::noinline]] void turn_one(Quat& q, const Vec3d& w, double dt) { q = turned(q, w, dt, true); }

// One by one.
[[gnu::noinline]] AREIA_WIDE void settle_four(const ForceGrid& grid, const Twin* places, Columns& force,
                                              Columns& torque) {
  Twin settled[4];
  std::copy_n(places, 4, settled);
  settle_plain(grid, settled, 4);
  const __m256d counts = torque.w;
  force = rows_at<2>(settled[0].first);
  torque = rows_at<2>(settled[0].second);
  torque.w = counts;
}

AREIA_WIDE inline int lanes_of(const PackMask<4>& mask) {
  return _mm256_movemask_pd(_mm256_castsi256_pd(reinterpret_cast<__m256i>(mask.bits)));
}

// Those of four that have left the box. Seldom any.
[[gnu::noinline]] AREIA_WIDE void wrap_lanes(const StepCall& call, int lanes, __m256d inv_m, Vec3<Pack<4>>& x) {
  for (int k = 0; k < 4; ++k) {
    if (!(lanes >> k & 1)) continue;
    const Vec3d image = wrap(call, {x.x.lanes[k], x.y.lanes[k], x.z.lanes[k]}, inv_m[k]);
    x.x.lanes[k] = image.x;
    x.y.lanes[k] = image.y;
    x.z.lanes[k] = image.z;
  }
}

template <auto kSettle>
[[gnu::always_inline]] AREIA_WIDE inline void step_wide(const StepCall& call, State& s, StepResult& result) {
  using T = Pack<4>;
  const T dt = call.dt, zero = 0.0;
  const Vec3<T> g{T(call.gravity.x), T(call.gravity.y), T(call.gravity.z)};
  const Vec3<T> flow{T(call.flow.x), T(call.flow.y), T(call.flow.z)};
  using Whole = T::Whole;
  const Grid grid = call.sums->field_work.grid();
  const T magic = grid.magic;
  Whole weighed{};
  T moved2 = 0.0;
  const Vec3<T> dg{T(call.dg.x), T(call.dg.y), T(call.dg.z)};
  typename T::Mask hurried{};
  std::uint32_t i = call.begin;
  for (; i + 4 <= call.end; i += 4) {
    for (const std::uint32_t ahead : {i + 32, i + 34})  // the forces did not bring them into the cache
      if (ahead < call.end) __builtin_prefetch(&s.orientation[ahead], 1);
    const Columns velocity = rows_at<2>(s.velocity(i)), spin = rows_at<1>(s.spin[i]),
                  position = rows_at<2>(s.position(i));
    Pace<T> now{vector_of(velocity), vector_of(spin)}, none;
    __m256i counts = _mm256_setzero_si256();
    if (call.kick) {
      Columns force = rows_at<2>(s.force(i)), torque = rows_at<2>(s.torque(i));
      if (call.quanta) {
        if (!kSettle(*call.quanta, force, torque)) [[unlikely]]
          settle_four(*call.quanta, &s.pushed[i], force, torque);
        counts = _mm256_castpd_si256(torque.w);
      }
      const Pace<T> rate{acceleration_of(T(velocity.w), vector_of(force), g), T(spin.w) * vector_of(torque)};
      after_forces(Scheme::drift_kick, dt, now, rate, none, NoFields{}, [](const Pace<T>&) {});
      put_rows<2>(now.move, velocity.w, s.velocity(i));
      put_rows<1>(now.turn, spin.w, s.spin[i]);
      const auto fine = slow_enough(now.move, dt, T(position.w));
      if (lanes_of(fine) != 15) [[unlikely]]
        for (int k = 0; k < 4; ++k)
          if (!fine.bits[k]) result.failed = std::min(result.failed, s.id[i + k]);
    }
    if (!call.drift) continue;
    // the drift of before_forces; all that it does besides is done for four at once
    const Vec3<T>& w = now.turn;
    const Vec3<T> step = dt * now.move;
    Vec3<T> x = vector_of(position) + step;
    if (call.periodicity) [[unlikely]] {
      const int out = lanes_of(call.periodicity->left_by(x));
      if (out != 0) wrap_lanes(call, out, velocity.w, x);
    }
    put_rows<2>(x, position.w, s.position(i));
    if (call.watched) {
      const auto out = !is_within(*call.watched, x) && T(velocity.w) > zero;
      if (lanes_of(out) != 0) [[unlikely]]
        result.outside += static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(lanes_of(out))));
    }
    if (call.weigh) {
      const T inv_m(velocity.w), change = select(inv_m > zero, potential_change(dg, x, inv_m), zero);
      const Whole raised = reinterpret_cast<Whole>((change + magic).lanes) - grid.base;
      if (_mm256_testz_si256(reinterpret_cast<__m256i>(raised),
                             _mm256_set1_epi64x(~static_cast<long long>(Grid::kFits)))) [[likely]]
        weighed += raised - std::uint64_t{Grid::kZero};
      else
        for (int k = 0; k < 4; ++k) call.sums->field_work += change.lanes[k];
    }
    const T own2 = norm2(step - flow), limit(_mm256_cvtps_pd(_mm_loadu_ps(&s.limit[i])));
    moved2 = max_of(own2, moved2);
    hurried = hurried || own2 > limit * limit;
    const T y = square_of_half_turn(w, dt);
    if (lanes_of(y < T(kLittleSquare)) == 15) [[likely]] {
      auto* const q = reinterpret_cast<Vec4*>(&s.orientation[i]);
      const Columns before = transposed(_mm256_loadu_pd(&q[0].x), _mm256_loadu_pd(&q[1].x), _mm256_loadu_pd(&q[2].x),
                                        _mm256_loadu_pd(&q[3].x));
      const std::array<T, 4> next = turned_a_little({T(before.x), T(before.y), T(before.z), T(before.w)}, w, dt, y);
      const Columns r = transposed(next[0].lanes, next[1].lanes, next[2].lanes, next[3].lanes);
      _mm256_storeu_pd(&q[0].x, r.x);
      _mm256_storeu_pd(&q[1].x, r.y);
      _mm256_storeu_pd(&q[2].x, r.z);
      _mm256_storeu_pd(&q[3].x, r.w);
    } else {
      for (int k = 0; k < 4; ++k) turn_one(s.orientation[i + k], {w.x.lanes[k], w.y.lanes[k], w.z.lanes[k]}, call.dt);
    }
    if (!s.contacts_before.empty())
      for (int k = 0; k < 4; ++k)
        s.contacts_before[i + k] = call.quanta ? static_cast<std::uint16_t>(counts[k]) : s.contacts(i + k);
    if (call.quanta)
      for (int k = 0; k < 4; ++k) s.pushed[i + k] = {};
  }
  for (int k = 0; k < 4; ++k) {
    result.moved2 = max_of(moved2.lanes[k], result.moved2);
    result.hurried = result.hurried || hurried.bits[k];
    call.sums->field_work.add_quanta(static_cast<std::int64_t>(weighed[k]));
  }
  for (; i < call.end; ++i) step_one(call, i, s, result);
}

[[gnu::target("avx2"), gnu::flatten]] void step_avx2(const StepCall& call, State& s, StepResult& result) {
  step_wide<settle_columns>(call, s, result);
}
AREIA_WIDER void step_avx512(const StepCall& call, State& s, StepResult& result) {
  step_wide<settle_columns_wider>(call, s, result);
}
#endif

}  // namespace

BlockStep block_step([[maybe_unused]] VectorWidth width) {
#if defined(__x86_64__)
  if (width == VectorWidth::avx512) return step_avx512;
  if (width == VectorWidth::avx2) return step_avx2;
#endif
  return step_plain;
}

}  // namespace areia::cpu
