#include "engine/events/meetings.h"

#include "core/pack.h"
#include "core/transposed.h"
#include "core/vector_width.h"

namespace areia::events {

namespace {

// Written by components: the compiler keeps vectors of packs in memory, single packs in registers.
template <class T>
struct FlightOf {
  T x, y, z, vx, vy, vz, t, radius;
};

template <class T>
struct Equation {
  T b, c, d;
};

inline double select(bool c, double a, double b) { return c ? a : b; }

// Periodicity::nearest
template <class T>
[[gnu::always_inline]] inline T nearest(const T& d, const T& length) {
  const T half = T(0.5) * length;
  return d - select(d > half, length, select(d < -half, -length, T(0)));
}

// The other at the time of f, then b, c and the discriminant d of |dx + dv t| = s.
template <class T>
[[gnu::always_inline]] inline Equation<T> equation(const FlightOf<T>& f, const FlightOf<T>& other, const Vec3d& g,
                                                   bool falls, const Periodicity* images) {
  const T dt = f.t - other.t;
  T x = other.x - f.x, y = other.y - f.y, z = other.z - f.z;
  T vx = other.vx - f.vx, vy = other.vy - f.vy, vz = other.vz - f.vz;
  if (falls) {
    const T half = T(0.5) * dt;
    x = x + dt * (other.vx + half * T(g.x));
    y = y + dt * (other.vy + half * T(g.y));
    z = z + dt * (other.vz + half * T(g.z));
    vx = vx + dt * T(g.x);
    vy = vy + dt * T(g.y);
    vz = vz + dt * T(g.z);
  } else {
    x = x + dt * other.vx;
    y = y + dt * other.vy;
    z = z + dt * other.vz;
  }
  if (images) {
    if (images->on[0]) x = nearest(x, T(images->length.x));
    if (images->on[1]) y = nearest(y, T(images->length.y));
    if (images->on[2]) z = nearest(z, T(images->length.z));
  }
  const T s = f.radius + other.radius;
  const T b = x * vx + y * vy + z * vz, c = x * x + y * y + z * z - s * s;
  return {b, c, b * b - (vx * vx + vy * vy + vz * vz) * c};
}

#if defined(__x86_64__)
template <bool kFalls, bool kImages>
[[gnu::target("avx2"), gnu::flatten]] void four_at_once(const MeetingSearch& s, Meetings& m) {
  using T = Pack<4>;
  static_assert(sizeof(Flight) == 8 * sizeof(double));
  const Flight& of = s.all[s.self];
  const FlightOf<T> f{of.x.x, of.x.y, of.x.z, of.v.x, of.v.y, of.v.z, of.t, of.radius};
  std::uint32_t* const id = m.id.data();
  double *const b = m.b.data(), *const c = m.c.data(), *const d = m.d.data();
  for (std::size_t k = s.count; k < s.count + 3; ++k) id[k] = s.self;
  for (std::size_t first = 0; first < s.count; first += 64) {
    std::uint64_t word = 0;
    for (std::size_t k = first; k < std::min(first + 64, s.count); k += 4) {
      const double* const p[4] = {&s.all[id[k]].x.x, &s.all[id[k + 1]].x.x, &s.all[id[k + 2]].x.x,
                                  &s.all[id[k + 3]].x.x};
      const Columns x =
          transposed(_mm256_load_pd(p[0]), _mm256_load_pd(p[1]), _mm256_load_pd(p[2]), _mm256_load_pd(p[3]));
      const Columns v = transposed(_mm256_load_pd(p[0] + 4), _mm256_load_pd(p[1] + 4), _mm256_load_pd(p[2] + 4),
                                   _mm256_load_pd(p[3] + 4));
      const FlightOf<T> other{T(x.x), T(x.y), T(x.z), T(x.w), T(v.x), T(v.y), T(v.z), T(v.w)};
      const Equation<T> e = equation(f, other, s.gravity, kFalls, kImages ? s.images : nullptr);
      _mm256_storeu_pd(b + k, e.b.lanes);
      _mm256_storeu_pd(c + k, e.c.lanes);
      _mm256_storeu_pd(d + k, e.d.lanes);
      const auto meet = e.b < T(0) && (e.c <= T(0) || e.d > T(0));
      const auto bits =
          static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(reinterpret_cast<__m256i>(meet.bits))));
      word |= static_cast<std::uint64_t>(bits) << (k - first);
    }
    m.meet[first / 64] = word;
  }
}

void find_meetings_wide(const MeetingSearch& s, Meetings& m) {
  if (s.gravity == Vec3d{}) return s.images ? four_at_once<false, true>(s, m) : four_at_once<false, false>(s, m);
  return s.images ? four_at_once<true, true>(s, m) : four_at_once<true, false>(s, m);
}
#endif

}  // namespace

void find_meetings_plain(const MeetingSearch& s, Meetings& m) {
  const auto flight_of = [&](std::uint32_t i) {
    const Flight& f = s.all[i];
    return FlightOf<double>{f.x.x, f.x.y, f.x.z, f.v.x, f.v.y, f.v.z, f.t, f.radius};
  };
  const FlightOf<double> f = flight_of(s.self);
  const bool falls = !(s.gravity == Vec3d{});
  for (std::size_t first = 0; first < s.count; first += 64) m.meet[first / 64] = 0;
  for (std::size_t k = 0; k < s.count; ++k) {
    const Equation<double> e = equation(f, flight_of(m.id[k]), s.gravity, falls, s.images);
    m.b[k] = e.b;
    m.c[k] = e.c;
    m.d[k] = e.d;
    m.meet[k / 64] |= static_cast<std::uint64_t>((e.b < 0) & ((e.c <= 0) | (e.d > 0))) << (k % 64);
  }
}

FindMeetings fastest_find_meetings() {
#if defined(__x86_64__)
  if (has_wide_vectors()) return find_meetings_wide;
#endif
  return find_meetings_plain;
}

}  // namespace areia::events
