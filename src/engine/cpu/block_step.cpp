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
bool is_within(const Bounds& b, const Vec3d& x) {
  return x.x >= b.low.x && x.x <= b.high.x && x.y >= b.low.y && x.y <= b.high.y && x.z >= b.low.z && x.z <= b.high.z;
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
// ---- several particles side by side: what differs between vectors of four and of eight ----

struct Four {
  static constexpr int kCount = 4;
  using T = Pack<4>;
  using Columns = areia::Columns;

  // Of four particles; their rows lie kStride vectors apart.
  template <int kStride>
  AREIA_WIDE static Columns rows_at(const double* p) {
    return transposed(_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4 * kStride), _mm256_loadu_pd(p + 8 * kStride),
                      _mm256_loadu_pd(p + 12 * kStride));
  }
  template <int kStride>
  AREIA_WIDE static void put_rows(const T& x, const T& y, const T& z, const T& w, double* p) {
    const Columns r = transposed(x.lanes, y.lanes, z.lanes, w.lanes);
    _mm256_storeu_pd(p, r.x);
    _mm256_storeu_pd(p + 4 * kStride, r.y);
    _mm256_storeu_pd(p + 8 * kStride, r.z);
    _mm256_storeu_pd(p + 12 * kStride, r.w);
  }
  AREIA_WIDE static unsigned lanes_of(const T::Mask& mask) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(reinterpret_cast<__m256i>(mask.bits))));
  }
  AREIA_WIDE static unsigned below(const T& a, const T& b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.lanes, b.lanes, _CMP_LT_OQ)));
  }
  AREIA_WIDE static unsigned at_most(const T& a, const T& b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.lanes, b.lanes, _CMP_LE_OQ)));
  }
  AREIA_WIDE static bool any_bit(const T::Whole& a) {
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(a));
  }
  AREIA_WIDE static T limits(const float* p) { return T(_mm256_cvtps_pd(_mm_loadu_ps(p))); }

  // From quanta, by the way back of core/grid_sum.h. w of the torque stays a whole number. False: a sum does not fit
  // the grid, or has too many terms.
  AREIA_WIDE static bool settle(const ForceGrid& grid, Columns& force, Columns& torque) {
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
};

struct Eight {
  static constexpr int kCount = 8;
  using T = Pack<8>;
  using Columns = EightColumns;

  template <int kStride>
  AREIA_EIGHT static Columns rows_at(const double* p) {
    constexpr int kRow = 4 * kStride;
    return transposed(rows(p, p + 4 * kRow), rows(p + kRow, p + 5 * kRow), rows(p + 2 * kRow, p + 6 * kRow),
                      rows(p + 3 * kRow, p + 7 * kRow));
  }
  template <int kStride>
  AREIA_EIGHT static void put_rows(const T& x, const T& y, const T& z, const T& w, double* p) {
    constexpr int kRow = 4 * kStride;
    const Columns r = transposed(x.lanes, y.lanes, z.lanes, w.lanes);
    areia::put_rows(r.x, p, p + 4 * kRow);
    areia::put_rows(r.y, p + kRow, p + 5 * kRow);
    areia::put_rows(r.z, p + 2 * kRow, p + 6 * kRow);
    areia::put_rows(r.w, p + 3 * kRow, p + 7 * kRow);
  }
  AREIA_EIGHT static unsigned lanes_of(const T::Mask& mask) {
    // as a choice of numbers: gcc 12 makes a comparison for its own sake lane by lane
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(select(mask, T(-1), T(1)).lanes));
  }
  AREIA_EIGHT static unsigned below(const T& a, const T& b) { return _mm512_cmp_pd_mask(a.lanes, b.lanes, _CMP_LT_OQ); }
  AREIA_EIGHT static unsigned at_most(const T& a, const T& b) {
    return _mm512_cmp_pd_mask(a.lanes, b.lanes, _CMP_LE_OQ);
  }
  AREIA_EIGHT static bool any_bit(const T::Whole& a) {
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(a)) != 0;
  }
  AREIA_EIGHT static T limits(const float* p) { return T(_mm512_cvtps_pd(_mm256_loadu_ps(p))); }

  // Here one instruction makes doubles of whole numbers.
  AREIA_EIGHT static bool settle(const ForceGrid& grid, Columns& force, Columns& torque) {
    const __m512d f = _mm512_set1_pd(grid.force.quantum), t = _mm512_set1_pd(grid.torque.quantum);
    for (__m512d* n : {&force.x, &force.y, &force.z})
      *n = _mm512_mul_pd(_mm512_cvtepi64_pd(_mm512_castpd_si512(*n)), f);
    for (__m512d* n : {&torque.x, &torque.y, &torque.z})
      *n = _mm512_mul_pd(_mm512_cvtepi64_pd(_mm512_castpd_si512(*n)), t);
    return _mm512_cmpgt_epi64_mask(_mm512_castpd_si512(torque.w), _mm512_set1_epi64(kMostSafeTerms)) == 0;
  }
};

[[gnu::noinline]] void turn_one(Quat& q, const Vec3d& w, double dt) { q = turned(q, w, dt, true); }

// One by one, and not in place.
template <int kCount>
[[gnu::noinline]] void settle_each(const ForceGrid& grid, const Twin* places, Twin (&settled)[kCount]) {
  std::copy_n(places, kCount, settled);
  settle_plain(grid, settled, kCount);
}

// Those of several particles that have left the box. Seldom any.
[[gnu::noinline]] void wrap_lanes(const StepCall& call, unsigned lanes, const double* inv_m, double* x, double* y,
                                  double* z) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int k = std::countr_zero(lanes);
    const Vec3d image = wrap(call, {x[k], y[k], z[k]}, inv_m[k]);
    x[k] = image.x;
    y[k] = image.y;
    z[k] = image.z;
  }
}

// Lanes that are outside, as Periodicity::left_by and is_within have it.
template <class Wide, class T>
[[gnu::always_inline]] inline unsigned left(const Periodicity& box, const Vec3<T>& x) {
  const auto beside = [](const T& a, double begin, double length) __attribute__((always_inline)) {
    return Wide::below(a, T(begin)) | Wide::at_most(T(begin + length), a);
  };
  return (box.on[0] ? beside(x.x, box.low.x, box.length.x) : 0) |
         (box.on[1] ? beside(x.y, box.low.y, box.length.y) : 0) |
         (box.on[2] ? beside(x.z, box.low.z, box.length.z) : 0);
}
template <class Wide, class T>
[[gnu::always_inline]] inline unsigned within(const Bounds& b, const Vec3<T>& x) {
  const auto between = [](const T& a, double low, double high) __attribute__((always_inline)) {
    return Wide::at_most(T(low), a) & Wide::at_most(a, T(high));
  };
  return between(x.x, b.low.x, b.high.x) & between(x.y, b.low.y, b.high.y) & between(x.z, b.low.z, b.high.z);
}

template <class Wide>
[[gnu::always_inline]] inline void step_wide(const StepCall& call, State& s, StepResult& result) {
  using T = typename Wide::T;
  using Whole = typename T::Whole;
  using Columns = typename Wide::Columns;
  constexpr int kCount = Wide::kCount;
  constexpr unsigned kAll = (1u << kCount) - 1;
  const auto vector_of = [](const Columns& c) { return Vec3<T>{T(c.x), T(c.y), T(c.z)}; };
  const T dt = call.dt, zero = 0.0, one = 1.0;
  const Vec3<T> g{T(call.gravity.x), T(call.gravity.y), T(call.gravity.z)};
  const Vec3<T> flow{T(call.flow.x), T(call.flow.y), T(call.flow.z)};
  const Grid grid = call.sums->field_work.grid();
  const T magic = grid.magic;
  Whole weighed{};
  T moved2 = 0.0, hurried = 0.0;  // hurried: 1 where some drift was beyond its limit
  const Vec3<T> dg{T(call.dg.x), T(call.dg.y), T(call.dg.z)};
  std::uint32_t i = call.begin;
  for (; i + kCount <= call.end; i += kCount) {
    for (std::uint32_t ahead = i + 32; ahead < i + 32 + kCount; ahead += 2)  // the forces did not bring them in
      if (ahead < call.end) __builtin_prefetch(&s.orientation[ahead], 1);
    const Columns velocity = Wide::template rows_at<2>(&s.velocity(i).x),
                  spin = Wide::template rows_at<1>(&s.spin[i].x),
                  position = Wide::template rows_at<2>(&s.position(i).x);
    const T inv_m(velocity.w), inv_j(spin.w), radius(position.w);
    Pace<T> now{vector_of(velocity), vector_of(spin)}, none;
    Whole counts{};  // of contacts, if they are in quanta
    if (call.kick) {
      Columns force = Wide::template rows_at<2>(&s.force(i).x), torque = Wide::template rows_at<2>(&s.torque(i).x);
      counts = T(torque.w).whole();
      if (call.quanta && !Wide::settle(*call.quanta, force, torque)) [[unlikely]] {
        Twin settled[kCount];
        settle_each(*call.quanta, &s.pushed[i], settled);
        force = Wide::template rows_at<2>(&settled[0].first.x),
        torque = Wide::template rows_at<2>(&settled[0].second.x);
      }
      const Pace<T> rate{acceleration_of(inv_m, vector_of(force), g), inv_j * vector_of(torque)};
      after_forces(Scheme::drift_kick, dt, now, rate, none, NoFields{}, [](const Pace<T>&) {});
      Wide::template put_rows<2>(now.move.x, now.move.y, now.move.z, inv_m, &s.velocity(i).x);
      Wide::template put_rows<1>(now.turn.x, now.turn.y, now.turn.z, inv_j, &s.spin[i].x);
      const unsigned fine = Wide::lanes_of(slow_enough(now.move, dt, radius));
      if (fine != kAll) [[unlikely]]
        for (int k = 0; k < kCount; ++k)
          if (!(fine >> k & 1)) result.failed = std::min(result.failed, s.id[i + k]);
    }
    if (!call.drift) continue;
    // the drift of before_forces; all that it does besides is done for all of them at once
    const Vec3<T>& w = now.turn;
    const Vec3<T> step = dt * now.move;
    Vec3<T> x = vector_of(position) + step;
    if (call.periodicity) [[unlikely]] {
      const unsigned out = left<Wide>(*call.periodicity, x);
      if (out != 0) {
        alignas(64) double of[4][kCount];
        x.x.store(of[0]), x.y.store(of[1]), x.z.store(of[2]), inv_m.store(of[3]);
        wrap_lanes(call, out, of[3], of[0], of[1], of[2]);
        x = {T::load(of[0]), T::load(of[1]), T::load(of[2])};
      }
    }
    Wide::template put_rows<2>(x.x, x.y, x.z, radius, &s.position(i).x);
    if (call.watched) {
      const unsigned out = ~within<Wide>(*call.watched, x) & kAll;
      if (out != 0) [[unlikely]]
        result.outside += static_cast<std::uint32_t>(std::popcount(out & Wide::below(zero, inv_m)));
    }
    if (call.weigh) {
      const T change = select(inv_m > zero, potential_change(dg, x, inv_m), zero);
      const Whole raised = (change + magic).whole() - grid.base;
      if (!Wide::any_bit(raised & ~Grid::kFits)) [[likely]]
        weighed += raised - std::uint64_t{Grid::kZero};
      else
        for (int k = 0; k < kCount; ++k) call.sums->field_work += change.lanes[k];
    }
    const T own2 = norm2(step - flow), limit = Wide::limits(&s.limit[i]);
    moved2 = max_of(own2, moved2);
    hurried = select(own2 > limit * limit, one, hurried);
    const T y = square_of_half_turn(w, dt);
    if (Wide::below(y, T(kLittleSquare)) == kAll) [[likely]] {
      double* const q = s.orientation[i].data();
      const Columns before = Wide::template rows_at<1>(q);
      const std::array<T, 4> next = turned_a_little({T(before.x), T(before.y), T(before.z), T(before.w)}, w, dt, y);
      Wide::template put_rows<1>(next[0], next[1], next[2], next[3], q);
    } else {
      for (int k = 0; k < kCount; ++k)
        turn_one(s.orientation[i + k], {w.x.lanes[k], w.y.lanes[k], w.z.lanes[k]}, call.dt);
    }
    if (!s.contacts_before.empty())
      for (int k = 0; k < kCount; ++k)
        s.contacts_before[i + k] = call.quanta ? static_cast<std::uint16_t>(counts[k]) : s.contacts(i + k);
    if (call.quanta)
      for (int k = 0; k < kCount; ++k) s.pushed[i + k] = {};
  }
  for (int k = 0; k < kCount; ++k) {
    result.moved2 = max_of(moved2.lanes[k], result.moved2);
    result.hurried = result.hurried || hurried.lanes[k] != 0;
    call.sums->field_work.add_quanta(static_cast<std::int64_t>(weighed[k]));
  }
  for (; i < call.end; ++i) step_one(call, i, s, result);
}

[[gnu::target("avx2"), gnu::flatten]] void step_avx2(const StepCall& call, State& s, StepResult& result) {
  step_wide<Four>(call, s, result);
}
AREIA_WIDER void step_avx512(const StepCall& call, State& s, StepResult& result) { step_wide<Eight>(call, s, result); }
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
