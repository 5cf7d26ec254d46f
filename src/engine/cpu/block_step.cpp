#include "engine/cpu/block_step.h"

#include "core/pack.h"
#include "core/rotation.h"
#include "core/transposed.h"
#include "engine/cpu/block_stages.h"

namespace areia::cpu {
namespace {

inline void step_one(const StepCall& call, std::uint32_t i, State& s, StepResult& result) {
  const double dt = call.dt;
  Vec4 &velocity = s.velocity(i), &spin = s.spin[i];
  Vec3d v = velocity.xyz(), w = spin.xyz();
  if (call.kick) {
    Vec3d a = velocity.w * s.force(i).xyz();
    if (velocity.w > 0) a += call.gravity;
    v += dt * a;
    w += dt * (spin.w * s.torque(i).xyz());
    velocity.set_xyz(v);
    spin.set_xyz(w);
    // a step may not carry a centre further than the radius; written so that a NaN fails too
    const double radius = s.position(i).w;
    if (!(norm2(v) * dt * dt < radius * radius)) result.failed = std::min(result.failed, s.id[i]);
  }
  if (!call.drift) return;
  const Vec3d step = dt * v;
  s.position(i) += step;
  if (call.weigh && velocity.w > 0)
    call.sums->field_work += potential_change(call.dg, s.position(i).xyz(), velocity.w);
  const double own2 = norm2(step - call.flow), limit = s.limit[i];
  result.moved2 = max_of(own2, result.moved2);
  result.hurried = result.hurried || own2 > limit * limit;
  s.orientation[i] = turned(s.orientation[i], w, dt, true);
  if (!s.contacts_before.empty()) s.contacts_before[i] = static_cast<std::uint16_t>(s.force(i).w);
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

[[gnu::target("avx2"), gnu::flatten]] void step_wide(const StepCall& call, State& s, StepResult& result) {
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
    Vec3<T> v = vector_of(velocity), w = vector_of(spin);
    if (call.kick) {
      const Columns force = rows_at<2>(s.force(i)), torque = rows_at<2>(s.torque(i));
      const T inv_m(velocity.w), inv_j(spin.w);
      Vec3<T> a = inv_m * vector_of(force);
      a = select(inv_m > zero, a + g, a);
      v = v + dt * a;
      w = w + dt * (inv_j * vector_of(torque));
      put_rows<2>(v, velocity.w, s.velocity(i));
      put_rows<1>(w, spin.w, s.spin[i]);
      const T radius(position.w);
      const auto fine = norm2(v) * dt * dt < radius * radius;
      if (_mm256_movemask_pd(_mm256_castsi256_pd(reinterpret_cast<__m256i>(fine.bits))) != 15) [[unlikely]]
        for (int k = 0; k < 4; ++k)
          if (!fine.bits[k]) result.failed = std::min(result.failed, s.id[i + k]);
    }
    if (!call.drift) continue;
    const Vec3<T> step = dt * v;
    const Vec3<T> x = vector_of(position) + step;
    put_rows<2>(x, position.w, s.position(i));
    if (call.weigh) {
      const T inv_m(velocity.w), change = select(inv_m > zero, potential_change(dg, x, inv_m), zero);
      const Whole raised = (change + magic).bits() - grid.base;
      if (_mm256_testz_si256(reinterpret_cast<__m256i>(raised), _mm256_set1_epi64x(~static_cast<long long>(Grid::kFits)))) [[likely]]
        weighed += raised - std::uint64_t{Grid::kZero};
      else
        for (int k = 0; k < 4; ++k) call.sums->field_work += change.lanes[k];
    }
    const T own2 = norm2(step - flow), limit(_mm256_cvtps_pd(_mm_loadu_ps(&s.limit[i])));
    moved2 = max_of(own2, moved2);
    hurried = hurried || own2 > limit * limit;
    const T y = T(0.25) * dt * dt * norm2(w);
    const auto little = y < T(kLittleSquare);
    if (_mm256_movemask_pd(_mm256_castsi256_pd(reinterpret_cast<__m256i>(little.bits))) == 15) [[likely]] {
      auto* const q = reinterpret_cast<Vec4*>(&s.orientation[i]);
      const Columns now = transposed(_mm256_loadu_pd(&q[0].x), _mm256_loadu_pd(&q[1].x), _mm256_loadu_pd(&q[2].x),
                                     _mm256_loadu_pd(&q[3].x));
      const T sine = T(0.5) * dt * sin_over_little(y), cosine = cos_of_little_square(y);
      const std::array<T, 4> turn{cosine, sine * w.x, sine * w.y, sine * w.z};
      const std::array<T, 4> next =
          renormalized(multiply(turn, std::array<T, 4>{T(now.x), T(now.y), T(now.z), T(now.w)}));
      const Columns r = transposed(next[0].lanes, next[1].lanes, next[2].lanes, next[3].lanes);
      _mm256_storeu_pd(&q[0].x, r.x);
      _mm256_storeu_pd(&q[1].x, r.y);
      _mm256_storeu_pd(&q[2].x, r.z);
      _mm256_storeu_pd(&q[3].x, r.w);
    } else {
      for (int k = 0; k < 4; ++k)
        s.orientation[i + k] = turned(s.orientation[i + k], {w.x.lanes[k], w.y.lanes[k], w.z.lanes[k]}, call.dt, true);
    }
    if (!s.contacts_before.empty())
      for (int k = 0; k < 4; ++k) s.contacts_before[i + k] = static_cast<std::uint16_t>(s.force(i + k).w);
  }
  for (int k = 0; k < 4; ++k) {
    result.moved2 = max_of(moved2.lanes[k], result.moved2);
    result.hurried = result.hurried || hurried.bits[k];
    call.sums->field_work.add_quanta(static_cast<std::int64_t>(weighed[k]));
  }
  for (; i < call.end; ++i) step_one(call, i, s, result);
}
#endif

}  // namespace

BlockStep block_step() {
#if defined(__x86_64__)
  if (has_wide_vectors()) return step_wide;
#endif
  return step_plain;
}

}  // namespace areia::cpu
