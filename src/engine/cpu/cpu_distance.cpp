#include "engine/cpu/cpu_distance.h"

#include <algorithm>
#include <cmath>

#include "scene/wall_geometry.h"
#include "search/wall_images.h"

namespace areia::cpu {

constexpr std::size_t kFan = 8;     // boxes in the next larger box
constexpr double kFarAway = 1e100;  // of places that no particle takes: no force reaches them

DistanceForces::DistanceForces(const Scene& scene, const Periodicity& periodicity)
    : scene_(scene), periodicity_(periodicity) {
  for (PlannedForce& plan : plan_forces(scene)) {
    Entry e;
    e.constants = {plan.law, plan.law.cutoff * plan.law.cutoff, periodicity, plan.grid};
    e.kernel = distance_kernel(plan.law, periodicity.any());
    e.whole = !(plan.law.cutoff < kForever);
    e.plan = std::move(plan);
    entries_.push_back(std::move(e));
  }
}

void DistanceForces::make_lists(const State& state, double skin, Team& team) {
  const std::size_t n = state.size(), cells = (n + kCell - 1) / kCell, full = (cells + 1) * kCell;
  x_.assign(full, kFarAway);
  y_.assign(full, kFarAway);
  z_.assign(full, kFarAway);

  levels_.clear();
  levels_.emplace_back(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    Bounds& b = levels_[0][c];
    b.low = b.high = state.built_at[c * kCell];
    for (std::size_t i = c * kCell + 1; i < std::min(n, (c + 1) * kCell); ++i) {
      const Vec3d& x = state.built_at[i];
      b.low = {std::min(b.low.x, x.x), std::min(b.low.y, x.y), std::min(b.low.z, x.z)};
      b.high = {std::max(b.high.x, x.x), std::max(b.high.y, x.y), std::max(b.high.z, x.z)};
    }
  }
  while (levels_.back().size() > 1) {
    const std::vector<Bounds>& fine = levels_.back();
    std::vector<Bounds> coarse((fine.size() + kFan - 1) / kFan);
    for (std::size_t c = 0; c < fine.size(); ++c) {
      Bounds& b = coarse[c / kFan];
      if (c % kFan == 0) b = fine[c];
      b.low = {std::min(b.low.x, fine[c].low.x), std::min(b.low.y, fine[c].low.y), std::min(b.low.z, fine[c].low.z)};
      b.high = {std::max(b.high.x, fine[c].high.x), std::max(b.high.y, fine[c].high.y),
                std::max(b.high.z, fine[c].high.z)};
    }
    levels_.push_back(std::move(coarse));
  }

  for (Entry& e : entries_) {
    e.role.assign(n, kNone);
    e.factor.assign(full, 0);
    for (auto& w : e.weight) w.assign(full, 0);
    for (auto& w : e.free_weight) w.assign(full, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint16_t g = state.group[i];
      const bool a = e.plan.in_a[g], b = e.plan.in_b[g], free = state.velocity(i).w > 0;
      e.role[i] = static_cast<std::uint8_t>((a ? kOfA : kNone) | (b ? kOfB : kNone));
      e.factor[i] = e.constants.law.charges ? state.charge_of(i) : 1;
      if (b) e.weight[kOfA][i] = e.factor[i];
      if (a) e.weight[kOfB][i] = e.factor[i];
      if (a || b) e.weight[kOfBoth][i] = e.factor[i];
      if (free)
        for (int k : {kOfA, kOfB, kOfBoth}) e.free_weight[k][i] = e.weight[k][i];
    }
    list_cells(e, state, e.plan.law.cutoff + skin, team);
  }
}

// For each particle, in ascending order, the cells that hold a partner and come within reach.
void DistanceForces::list_cells(Entry& e, const State& state, double reach, Team& team) const {
  const std::size_t cells = levels_[0].size(), n = e.role.size();
  std::vector<std::uint8_t> used(cells, 0);
  for (std::size_t k = 0; k < n; ++k)
    if (e.role[k] != kNone && e.factor[k] != 0) used[k / kCell] = 1;
  e.start.clear();
  e.cells.clear();
  if (e.whole) {
    for (std::uint32_t c = 0; c < cells; ++c)
      if (used[c]) e.cells.push_back(c);
    return;
  }
  const double reach2 = reach * reach * (1 + 1e-12);
  const auto near = [&](const Bounds& a, const Bounds& b) {
    const Vec3d d = 0.5 * (b.low + b.high - a.low - a.high), size = 0.5 * (b.high - b.low + a.high - a.low);
    double gap2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      double distance = std::fabs(component(d, axis));
      if (periodicity_.on[axis]) {
        const double length = component(periodicity_.length, axis);
        distance = std::fabs(distance - length * std::nearbyint(distance / length));
      }
      const double gap = std::max(0.0, distance - component(size, axis));
      gap2 += gap * gap;
    }
    return gap2 <= reach2;
  };
  std::vector<std::vector<std::uint32_t>> lists(n);
  const auto list_around = [&](std::size_t c) {
    // first what is near the whole cell, then what is near each of its particles
    std::vector<std::uint32_t> around;
    const auto descend = [&](auto&& self, std::size_t level, std::size_t box) -> void {
      if (!near(levels_[0][c], levels_[level][box])) return;
      if (level == 0) {
        if (used[box]) around.push_back(static_cast<std::uint32_t>(box));
        return;
      }
      for (std::size_t k = box * kFan; k < std::min(levels_[level - 1].size(), (box + 1) * kFan); ++k)
        self(self, level - 1, k);
    };
    descend(descend, levels_.size() - 1, 0);
    for (std::size_t i = c * kCell; i < std::min(n, (c + 1) * kCell); ++i)
      for (const std::uint32_t k : around)
        if (near({state.built_at[i], state.built_at[i]}, levels_[0][k])) lists[i].push_back(k);
  };
  team.for_each_piece(static_cast<std::int64_t>(cells), 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t c = begin; c < end; ++c)
      if (used[c]) list_around(c);
  });
  e.start.push_back(0);
  for (const auto& list : lists) {
    e.cells.insert(e.cells.end(), list.begin(), list.end());
    e.start.push_back(e.cells.size());
  }
}

void DistanceForces::gather(const State& state, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; ++i) {
    x_[i] = state.position(i).x;
    y_[i] = state.position(i).y;
    z_[i] = state.position(i).z;
  }
}

DistanceRow DistanceForces::row(const Entry& e, const State& state, std::uint32_t i) const {
  const Vec4& x = state.position(i);
  const auto& weight = state.velocity(i).w > 0 ? e.weight : e.free_weight;
  DistanceRow r{x_.data(),
                y_.data(),
                z_.data(),
                weight[e.role[i]].data(),
                e.cells.data(),
                e.cells.size(),
                static_cast<std::uint32_t>(levels_[0].size()),
                x.x,
                x.y,
                x.z,
                e.factor[i]};
  if (!e.whole) {
    r.cells += e.start[i];
    r.count = e.start[i + 1] - e.start[i];
  }
  return r;
}

// Nearest point of each wall of the entry: f(wall, distance, direction to it in space, where the wall is).
template <class F>
void DistanceForces::for_each_wall(const Entry& e, const std::vector<WallState>& walls, const Vec3d& x, F&& f) const {
  for (const std::uint16_t w : e.plan.walls) {
    if (!walls[w].present) continue;
    const auto [at, centre] = nearest_on_wall(periodicity_, scene_.walls[w], walls[w].pose, x, e.plan.law.cutoff);
    if (at.found && at.distance > 0) f(w, at.distance, at.n, centre + at.distance * at.n);
  }
}

void DistanceForces::run(const KernelContext& context, Chunk& chunk) const {
  State& state = context.state;
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    Vec3d total;
    for (const Entry& e : entries_) {
      if (e.role[i] == kNone) continue;
      const DistanceRow r = row(e, state, i);
      if (r.factor != 0) total += e.kernel(e.constants, r);
      if (e.plan.walls.empty() || !(e.role[i] & kOfA) || !(state.velocity(i).w > 0)) continue;
      const Vec3d x = state.position(i).xyz();
      for_each_wall(e, context.walls, x, [&](std::uint16_t w, double d, const Vec3d& n, const Vec3d& point) {
        const Vec3d force = distance_force(e.plan.law, d) * n;
        const Pose& pose = context.walls[w].pose;
        total += force;
        if (context.feel_walls) chunk.on_walls.push_back({w, -force, -cross(point - pose.center - pose.shift, force)});
        const double work = dot(force, pose.velocity_at(point)) * context.dt;
        chunk.sums.wall_work += work;
        chunk.sums.distant_work -= work;
      });
    }
    state.distant[i] = total;
  }
}

void DistanceForces::energy(const State& state, const std::vector<WallState>& walls, const Chunk& chunk,
                            ExactSum& sum) const {
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
    for (const Entry& e : entries_) {
      if (e.role[i] == kNone) continue;
      const DistanceRow r = row(e, state, i);
      const Vec3d x = state.position(i).xyz();
      for (std::size_t c = 0; c < r.count; ++c)
        for (std::size_t j = r.cells[c] * std::size_t{kCell};
             j < std::min(state.size(), (r.cells[c] + std::size_t{1}) * kCell); ++j) {
          if (j == i || r.weight[j] == 0) continue;
          const double d2 = norm2(periodicity_.nearest(state.position(j).xyz() - x));
          if (d2 < e.constants.cutoff2)
            sum += 0.5 * (r.factor * r.weight[j] * distance_energy(e.plan.law, std::sqrt(d2)));
        }
      if (!(e.role[i] & kOfA) || !(state.velocity(i).w > 0)) continue;
      for_each_wall(e, walls, x, [&](std::uint16_t, double d, const Vec3d&, const Vec3d&) {
        sum += distance_energy(e.plan.law, d);
      });
    }
}

}  // namespace areia::cpu
