#include "engine/events/event_cells.h"

#include <algorithm>
#include <cmath>

#include "scene/wall_geometry.h"

namespace areia::events {

void EventCells::plan(const Vec3d& low, const Vec3d& high, double smallest, double per_cell, std::size_t count,
                      int flat, const Periodicity& periodicity) {
  double volume = 1;
  int dimensions = 0;
  for (int a = 0; a < 3; ++a) {
    if (a == flat) continue;
    volume *= std::max(component(high, a) - component(low, a), smallest);
    ++dimensions;
  }
  const double share = per_cell * volume / static_cast<double>(std::max<std::size_t>(1, count));
  // an edge by comparisons and products only: the bits are the same on every machine
  double edge = smallest;
  const auto room = [&](double h) { return dimensions == 3 ? h * h * h : h * h; };
  while (room(edge) < share) edge *= 1.03125;
  std::int32_t stride = 1;
  for (int a = 0; a < 3; ++a) {
    Axis& x = axis_[a];
    x = {};
    const double length = component(high, a) - component(low, a);
    x.low = component(low, a);
    if (a != flat) {
      if (periodicity.on[a]) {
        x.low = component(periodicity.low, a);
        x.period = component(periodicity.length, a);
        x.n = std::max(kFewestPeriodic, static_cast<std::int32_t>(std::min(1000.0, std::floor(x.period / edge))));
        x.edge = x.period / x.n;
      } else {
        x.n = std::max(3, static_cast<std::int32_t>(std::min(1000.0, std::ceil(length / edge) + 1)));
        x.edge = edge;
      }
    }
    x.index.resize(x.n);
    for (std::int32_t b = 0; b < x.n; ++b)
      for (int d = -1; d <= 1; ++d) x.index[b][d + 1] = bucket_of(x, b + d) * stride;
    stride *= x.n;
  }
  count_ = static_cast<std::size_t>(stride);
  buckets_.assign(count_ * width_ + 1, 0);
}

void EventCells::clear(std::size_t particles) {
  std::fill(buckets_.begin(), buckets_.end(), 0);
  at_.assign(particles, {0, 0, 0});
}

CellNumber EventCells::number_of(const Vec3d& x) const {
  CellNumber c{0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    const Axis& axis = axis_[a];
    if (axis.n == 1) continue;
    const double at = std::floor((component(x, a) - axis.low) / axis.edge);
    c[a] = static_cast<std::int32_t>(std::clamp(at, -1e9, 1e9));
    if (axis.period > 0) c[a] = std::clamp(c[a], 0, axis.n - 1);
  }
  return c;
}

void EventCells::add(std::uint32_t i, const CellNumber& at) {
  at_[i] = at;
  if (*bucket_at(at) == width_ - 1) grow();
  std::uint32_t* b = bucket_at(at);
  b[++*b] = i;
}

void EventCells::remove(std::uint32_t i) {
  std::uint32_t* b = bucket_at(at_[i]);
  std::uint32_t k = 1;
  while (b[k] != i) ++k;
  b[k] = b[(*b)--];
}

void EventCells::grow() {
  std::vector<std::uint32_t> wider(2 * count_ * width_ + 1);
  for (std::size_t b = 0; b < count_; ++b) std::copy_n(&buckets_[b * width_], width_, &wider[2 * b * width_]);
  buckets_ = std::move(wider);
  width_ *= 2;
}

double EventCells::cross(std::uint32_t i, int axis, int direction) {
  CellNumber c = at_[i];
  const Axis& x = axis_[axis];
  double shift = 0;
  c[axis] += direction;
  if (x.period > 0 && c[axis] < 0) {
    c[axis] = x.n - 1;
    shift = x.period;
  } else if (x.period > 0 && c[axis] >= x.n) {
    c[axis] = 0;
    shift = -x.period;
  }
  remove(i);
  add(i, c);
  return shift;
}

std::size_t EventCells::gather_around(std::uint32_t i, std::uint32_t* out) const {
  const CellNumber& at = at_[i];
  const auto& ix = axis_[0].index[bucket_of(axis_[0], at[0])];
  const auto& iy = axis_[1].index[bucket_of(axis_[1], at[1])];
  const auto& iz = axis_[2].index[bucket_of(axis_[2], at[2])];
  const int x0 = axis_[0].n > 1 ? 0 : 1, y0 = axis_[1].n > 1 ? 0 : 1, z0 = axis_[2].n > 1 ? 0 : 1;
  std::uint32_t* end = out;
  for (int z = z0; z < 3 - z0; ++z)
    for (int y = y0; y < 3 - y0; ++y) {
      const std::int32_t row = iz[z] + iy[y];
      for (int x = x0; x < 3 - x0; ++x) end += copy(row + ix[x], end);
    }
  return static_cast<std::size_t>(end - out);
}

std::size_t EventCells::gather_face(std::uint32_t i, int face, std::uint32_t* out) const {
  const CellNumber& at = at_[i];
  std::array<std::array<std::int32_t, 3>, 3> index;
  std::array<int, 3> count;
  for (int a = 0; a < 3; ++a) {
    const auto& around = axis_[a].index[bucket_of(axis_[a], at[a])];
    const bool one = a == face / 2 || axis_[a].n == 1;
    count[a] = one ? 1 : 3;
    if (one) index[a][0] = around[a == face / 2 ? (face % 2 ? 2 : 0) : 1];
    else index[a] = around;
  }
  std::size_t n = 0;
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) n += copy(index[0][x] + index[1][y] + index[2][z], out + n);
  return n;
}

std::size_t EventCells::bytes() const {
  return buckets_.capacity() * sizeof(std::uint32_t) + at_.capacity() * sizeof(CellNumber);
}

}  // namespace areia::events
