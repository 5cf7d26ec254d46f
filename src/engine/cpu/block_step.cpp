#include "engine/cpu/block_step.h"

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

inline void step_one(const StepCall& call, std::uint32_t i, State& s, StepResult& result) {
  const double dt = call.dt;
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
    if (call.weigh && velocity.w > 0) call.sums->field_work += potential_change(call.dg, x, velocity.w);
    const double own2 = norm2(step - call.flow), limit = s.limit[i];
    result.moved2 = max_of(own2, result.moved2);
    result.hurried = result.hurried || own2 > limit * limit;
    s.orientation[i] = turned(s.orientation[i], pace.turn, dt, true);
  });
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
    Pace<T> now{vector_of(velocity), vector_of(spin)}, none;
    if (call.kick) {
      const Columns force = rows_at<2>(s.force(i)), torque = rows_at<2>(s.torque(i));
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
    if (call.weigh) {
      const T inv_m(velocity.w), change = select(inv_m > zero, potential_change(dg, x, inv_m), zero);
      const Whole raised = (change + magic).whole() - grid.base;
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

BlockStep block_step([[maybe_unused]] bool wide) {
#if defined(__x86_64__)
  if (wide) return step_wide;
#endif
  return step_plain;
}

}  // namespace areia::cpu
