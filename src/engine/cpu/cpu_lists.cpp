// Neighbour lists of the cpu backend. Spec section 16.
//
// Two particles whose steps differ from a common one, the flow, by a and b come closer by a + b at most in that step.
// The flow may be any; the mean step is a good one where all move together.
//
// The lists hold every pair whose gap was at most `skin` when they were made. They are complete as long as no two
// surfaces can have come closer by more than that: twice the sum of the largest steps, counted from the flow, which
// needs no memory of old positions; for walls, the sum of these and the flow's and the wall's own travel.
//
// Of the lists, each step looks at the near pairs (cpu_pairs.cpp). When they are picked, every particle gets a limit
// for its steps, somewhat above its present one, and near are those pairs that can touch within `horizon` steps if both
// keep to their limits. They are picked again after so many steps, or as soon as a particle goes beyond its limit. So
// the few that are fast have many near pairs, and the others need none for them. All that is tested on every step.
#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/inserted_wall.h"
#include "scene/wall_geometry.h"
#include "search/spatial_order.h"

#include <fmt/format.h>

namespace areia::cpu {

static Vec3d least(const Vec3d& a, const Vec3d& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
static Vec3d most(const Vec3d& a, const Vec3d& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

// Largest distance a point of the wall near the particles can have moved since the lists were made.
double CpuBackend::wall_travel(std::size_t w) const {
  const Pose &now = walls_[w].pose, &then = walls_at_build_[w].pose;
  double travel = norm(now.shift - then.shift);
  if (turns(schedule_.wall_motion[w]) && !(now.q == then.q)) {
    const bool same = schedule_.wall_motion[w].kind == Motion::Kind::rotating &&
                      std::visit(
                          [&](const auto& s) {
                            return is_symmetric_about(s, schedule_.wall_motion[w].point, schedule_.wall_motion[w].axis);
                          },
                          scene_.walls[w].shape);
    if (!same) {
      // |2 sin(theta/2)| from the relative quaternion, times the distance from the axis
      const Quat turn = multiply(now.q, conjugate(then.q));
      travel += 2 * norm(Vec3d{turn[1], turn[2], turn[3]}) * reach_at_build_;
    }
  }
  return travel;
}

bool CpuBackend::lists_are_stale() const {
  if (bonds_.relist) return true;
  double moved2 = 0;
  for (const Chunk& c : chunks_) moved2 = std::max(moved2, c.moved2);
  const double moved = std::sqrt(moved2);
  return 2 * moved > skin_ || moved + farthest_wall() > skin_;
}

double CpuBackend::farthest_wall() const {
  double travel = 0;
  for (std::size_t w = 0; w < walls_.size(); ++w)
    if (walls_[w].present) travel = std::max(travel, wall_travel(w));
  return travel;
}

// The way that two surfaces can have come closer since the lists were made, per step, tells how far the next ones
// should reach. A choice of speed alone: what is computed does not depend on it, but for the rounding of sums, and it
// follows from the motion, not from the clock, so that it is the same in every run.
void CpuBackend::choose_skin() {
  const auto steps = static_cast<double>(step_ - listed_at_);
  if (steps > 1) reach_for((moved_ + std::max(moved_, flowed_ + farthest_wall())) / steps);
  listed_at_ = step_;
}

void CpuBackend::reach_for(double closer) {
  const auto picking = static_cast<double>(best_horizon_);
  if (most_skin_ > least_skin_)
    skin_ = std::clamp((picking + std::max(kStepsPerList, 2 * picking)) * closer, least_skin_, most_skin_);
}

// Flow, limits and horizon for the next near pairs. Limits are the present steps and a little more, which is doubled
// when particles have gone beyond them and lowered slowly when they have not. The horizon T balances the cost of a
// picking, shared by T steps, with that of the pairs in a gap of T mean limits. All pairs that near ones may be picked
// from must be in the lists: two of the largest limits, T times, must fit into what is left of the skin.
bool CpuBackend::choose_limits() {
  const std::size_t n = state_.size(), parts = (n + chunk_size_ - 1) / chunk_size_;
  state_.limit.resize(n);
  struct Sum {
    Vec3d v, low, high;
    double limit = 0, most = 0;
  };
  std::vector<Sum> sum(parts);
  const auto for_each_part = [&](auto&& f) {
    team_.for_each_piece(static_cast<std::int64_t>(n), chunk_size_, [&](std::int64_t begin, std::int64_t end, int) {
      f(sum[begin / chunk_size_], begin, end);
    });
  };
  for_each_part([&](Sum& s, std::size_t begin, std::size_t end) {
    s.low = s.high = state_.position(begin).xyz();
    for (std::size_t i = begin; i < end; ++i) {
      s.v += state_.velocity(i).xyz();
      s.low = least(s.low, state_.position(i).xyz());
      s.high = most(s.high, state_.position(i).xyz());
    }
  });
  Vec3d v, low, high;
  for (const Sum& s : sum) {
    v += s.v;
    low = &s == sum.data() ? s.low : least(low, s.low);
    high = &s == sum.data() ? s.high : most(high, s.high);
  }
  flow_ = n > 0 && !implicit_ ? (dt_ / static_cast<double>(n)) * v : Vec3d{};
  if (drifts_ > 0) least_limit_ *= hurried_ ? 2 : 0.9;
  least_limit_ = std::max(least_limit_, kLeastLimit * least_skin_);
  hurried_ = false;
  drifts_ = 0;
  places_.emplace(n, low, high, periodicity_);
  for_each_part([&](Sum& s, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      places_->set(i, state_.position(i));
      if (implicit_) continue;
      const auto limit = static_cast<float>(least_limit_ + norm(dt_ * state_.velocity(i).xyz() - flow_));
      state_.limit[i] = limit;
      s.limit += limit;
      s.most = std::max<double>(s.most, limit);
    }
  });
  if (n == 0 || implicit_) return true;
  double mean = 0, most = 0;
  for (const Sum& s : sum) {
    mean += s.limit / static_cast<double>(n);
    most = std::max(most, s.most);
  }
  const auto steps = [](double t) { return static_cast<std::int64_t>(std::clamp<double>(t, 0, kMostStepsPerPicking)); };
  best_horizon_ = 1 + steps(std::sqrt(kPickingCost * least_skin_ / mean));
  horizon_ = std::min(best_horizon_, steps((skin_ - 2 * moved_) / (2 * most)));
  return 4 * horizon_ > best_horizon_;
}

void CpuBackend::renew_stale_lists() {
  double step2 = 0;
  for (Chunk& c : chunks_) {
    step2 = std::max(step2, c.moved2);
    hurried_ = hurried_ || c.hurried;
    c.moved2 = 0;
    c.hurried = false;
  }
  moved_ += std::sqrt(step2);
  flowed_ += norm(flow_);
  ++drifts_;
  const bool stale = bonds_.relist || 2 * moved_ > skin_ || moved_ + flowed_ + farthest_wall() > skin_;
  if (!stale && !hurried_ && drifts_ <= horizon_) return;
  if (choose_limits() && !stale) return pick_pairs();
  choose_skin();
  rebuild();
}

template <class Array>
static void reorder(Array& a, const std::vector<std::uint32_t>& order) {
  if (a.empty()) return;
  Array b(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) b[k] = a[order[k]];
  a.swap(b);
}

void CpuBackend::permute(const std::vector<std::uint32_t>& order) {
  reorder(state_.moving, order);
  reorder(state_.spin, order);
  reorder(state_.orientation, order);
  reorder(state_.pushed, order);
  reorder(state_.outer, order);
  reorder(state_.drag, order);
  reorder(state_.distant, order);
  reorder(state_.old_acceleration, order);
  reorder(state_.old_turning, order);
  reorder(state_.contacts_before, order);
  reorder(state_.id, order);
  reorder(state_.material, order);
  if (!state_.built_at.empty()) state_.built_at.resize(order.size());
}

std::vector<Vec4> CpuBackend::positions() const {
  std::vector<Vec4> all(state_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = state_.position(i);
  return all;
}

void CpuBackend::rebuild() {
  Vec3d low;
  if (state_.size() > 0) low = state_.position(0).xyz();
  double r_mean = 0;
  const std::vector<Vec4> position = positions();
  for (const Vec4& p : position) {
    low = least(low, p.xyz());
    r_mean += p.w;
  }
  r_mean /= static_cast<double>(std::max<std::size_t>(1, state_.size()));
  const std::vector<std::uint32_t> order = spatial_order(position, low, 2 * r_mean + skin_);
  relist(order);
}

void CpuBackend::relist(const std::vector<std::uint32_t>& order) {
  if (!bonds_.empty()) drop_bonds(order);
  permute(order);
  for (std::size_t i = 0; i < state_.built_at.size(); ++i) state_.built_at[i] = state_.position(i).xyz();
  moved_ = flowed_ = 0;
  walls_at_build_ = walls_;
  list_bonds_apart();
  std::vector<Chunk> old = std::move(chunks_);
  make_lists(order, old);
  ++rebuilds_;
}

// The size of a chunk follows from the number of particles alone.
void CpuBackend::make_chunks() {
  const std::size_t n = state_.size();
  chunk_size_ = 64;
  while (chunk_size_ < 2048 && static_cast<std::size_t>(chunk_size_) * 32 < n) chunk_size_ *= 2;
  const std::size_t count = (n + chunk_size_ - 1) / chunk_size_;
  if (count != chunks_.size() || !waiting_) waiting_ = std::make_unique<std::atomic<std::uint32_t>[]>(count);
  chunks_.clear();
  chunks_.resize(count);
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    chunks_[k].begin = static_cast<std::uint32_t>(k * chunk_size_);
    chunks_[k].end = static_cast<std::uint32_t>(std::min(n, (k + 1) * chunk_size_));
    chunks_[k].sums = LedgerSums(carried_.wall_work.grid());
    chunks_[k].lists.resize(kernels_.size());
    for (std::size_t l = 0; l < kernels_.size(); ++l) {
      chunks_[k].lists[l].own.resize(kernel_of_.size());
      chunks_[k].lists[l].across.resize(kernel_of_.size());
      chunks_[k].lists[l].pool.reset(kernels_[l]->history());
    }
  }
}

void CpuBackend::make_lists(const std::vector<std::uint32_t>& old_slot, std::vector<Chunk>& old_chunks) {
  const std::uint32_t old_chunk_size = chunk_size_;
  for (const Chunk& c : old_chunks) carried_ += c.sums;
  make_chunks();
  if (!bonds_.empty()) renew_bonds();

  any_prescribed_ = free_count() < particle_count();
  std::vector<Vec4> built = positions();
  reach_at_build_ = 0;
  double largest = 0;
  for (const Vec4& p : built) largest = std::max(largest, p.w);
  law_reach_ = 0;
  for (const auto& kernel : kernels_) law_reach_ = std::max(law_reach_, kernel->reach(largest));
  for (std::size_t i = 0; i < built.size(); ++i) {
    if (!state_.built_at.empty()) built[i].set_xyz(state_.built_at[i]);
    const Vec3d x = built[i].xyz();
    for (const Motion& m : schedule_.wall_motion)
      if (m.kind == Motion::Kind::rotating)
        reach_at_build_ =
            std::max(reach_at_build_, norm(cross(x - m.point, unit(m.axis))) + built[i].w + skin_ + law_reach_);
      else if (turns(m))
        reach_at_build_ = std::max(reach_at_build_, norm(x - m.point) + built[i].w + skin_ + law_reach_);
  }
  SizeClassGrid grid;
  grid.build(built, skin_ + law_reach_, periodicity_);
  for_each_chunk([&](Chunk& c) {
    list_chunk(c, grid, built);
    carry_walls(c, old_slot, old_chunks, old_chunk_size);
  });
  list_by_lower_slot();
  if (!choose_limits()) horizon_ = std::max<std::int64_t>(horizon_, 1);
  pick_pairs(old_slot, old_chunks, old_chunk_size);
  if (distance_.any()) distance_.make_lists(state_, group_, charge_, skin_, team_);
}

void CpuBackend::list_chunk(Chunk& chunk, const SizeClassGrid& grid, const std::vector<Vec4>& built) {
  const std::size_t materials = scene_.materials.size();
  chunk.row.reserve(chunk.end - chunk.begin + 1);
  chunk.row.assign(1, 0);
  static thread_local std::vector<std::uint32_t> listed;
  listed.clear();
  SizeClassGrid::Around around;
  const bool any_apart = !bonds_.apart.empty();
  const bool choosy =
      any_apart || any_prescribed_ || std::any_of(kernel_of_.begin(), kernel_of_.end(), [](auto k) { return k < 0; });
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Vec4& xi = built[i];
    const bool moves = state_.velocity(i).w > 0;
    const std::span<std::uint32_t> near = grid.near(i, skin_ + law_reach_, around);
    const auto excluded = [&](std::uint32_t j) {
      return kernel_of_[state_.material[i] * materials + state_.material[j]] < 0 ||
             (!moves && !(state_.velocity(j).w > 0)) ||
             (any_apart && bonds_.are_apart(BondState::key(state_.id[i], state_.id[j])));
    };
    listed.insert(listed.end(), near.begin(), choosy ? std::remove_if(near.begin(), near.end(), excluded) : near.end());
    chunk.row.push_back(static_cast<std::uint32_t>(listed.size()));

    if (!moves) continue;
    // centres come in at the opposite face of a periodic box, and meet the walls there
    static thread_local std::vector<Vec3d> images;
    images.clear();
    periodicity_.for_each_image(xi.xyz(), skin_, [&](const Vec3d& image) { images.push_back(image); });
    for (std::size_t w = 0; w < walls_.size(); ++w) {
      if (!walls_[w].present) continue;
      const std::int32_t k = kernel_of_[state_.material[i] * materials + scene_.walls[w].material];
      if (k < 0 || (any_apart && bonds_.are_apart(BondState::wall_key(state_.id[i], w)))) continue;
      if (scene_.walls[w].mesh) {
        MeshList& meshes = chunk.lists[k].meshes;
        const auto first = static_cast<std::uint32_t>(meshes.candidates.size());
        for (const Vec3d& image : images)
          find_triangles(*scene_.walls[w].mesh, walls_at_build_[w].to_body(image), xi.w + skin_ + law_reach_,
                         meshes.candidates);
        if (images.size() > 1) {
          const auto begin = meshes.candidates.begin() + first;
          std::sort(begin, meshes.candidates.end());
          meshes.candidates.erase(std::unique(begin, meshes.candidates.end()), meshes.candidates.end());
        }
        const auto last = static_cast<std::uint32_t>(meshes.candidates.size());
        if (last > first) meshes.entries.push_back({i, static_cast<std::uint16_t>(w), first, last});
      }
      const double reach = xi.w + skin_ + law_reach_;
      const auto any_image = [&](auto&& is_near) {
        return std::any_of(images.begin(), images.end(),
                           [&](const Vec3d& image) { return is_near(walls_at_build_[w].to_body(image)); });
      };
      if (const auto* box = std::get_if<BoxShape>(&scene_.walls[w].shape);
          box && !any_image([&](const Vec3d& x) { return !is_deep_inside(*box, x, reach); }))
        continue;
      std::visit(
          [&](const auto& shape) {
            for (int patch = 0; patch < patch_count(shape); ++patch) {
              // edges may change hands while the lists live, so a neighbour's edge counts as near, too
              if (any_image([&](const Vec3d& x) { return patch_distance(shape, patch, x) <= reach; }))
                chunk.lists[k].walls.push_back(
                    {i, static_cast<std::uint16_t>(w), static_cast<std::uint16_t>(patch), -1});
            }
          },
          scene_.walls[w].shape);
    }
  }
  listed.resize(listed.size() + kBehindRows);
  chunk.near = listed;  // no larger than it must be
}

// Particles of a finer size class list those of coarser ones, whichever slot is the lower. Such pairs go over to the
// lower slot; the order of the rows stays ascending.
void CpuBackend::list_by_lower_slot() {
  struct Turned {
    std::uint32_t i, j;  // i < j
  };
  std::vector<std::vector<Turned>> to(chunks_.size());
  for (const Chunk& c : chunks_)
    for (std::uint32_t i = c.begin; i < c.end; ++i)
      for (std::uint32_t e = c.row[i - c.begin]; e < c.row[i - c.begin + 1]; ++e)
        if (c.near[e] < i) to[c.near[e] / chunk_size_].push_back({c.near[e], i});
  if (std::all_of(to.begin(), to.end(), [](const auto& t) { return t.empty(); })) return;
  for_each_chunk([&](Chunk& c) {
    std::vector<Turned>& more = to[&c - chunks_.data()];
    std::sort(more.begin(), more.end(),
              [](const Turned& a, const Turned& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
    std::vector<std::uint32_t> row{0}, near;
    near.reserve(c.near.size() + more.size());
    auto next = more.begin();
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      const std::size_t first = near.size();
      for (std::uint32_t e = c.row[i - c.begin]; e < c.row[i - c.begin + 1]; ++e)
        if (c.near[e] > i) near.push_back(c.near[e]);
      const auto middle = static_cast<std::ptrdiff_t>(near.size());
      for (; next != more.end() && next->i == i; ++next) near.push_back(next->j);
      std::inplace_merge(near.begin() + static_cast<std::ptrdiff_t>(first), near.begin() + middle, near.end());
      row.push_back(static_cast<std::uint32_t>(near.size()));
    }
    c.row = std::move(row);
    near.resize(near.size() + kBehindRows);
    c.near = std::move(near);
  });
}

// Wall contacts of the old lists keep their histories.
void CpuBackend::carry_walls(Chunk& chunk, const std::vector<std::uint32_t>& old_slot,
                             const std::vector<Chunk>& old_chunks, std::uint32_t old_chunk_size) {
  if (old_chunks.empty()) return;
  for (std::size_t l = 0; l < chunk.lists.size(); ++l) {
    ContactList& list = chunk.lists[l];
    const int stride = kernels_[l]->history();
    for (WallEntry& w : list.walls) {
      const std::uint32_t a = old_slot[w.i];
      if (a / old_chunk_size >= old_chunks.size()) continue;  // came in just now
      const ContactList& o = old_chunks[a / old_chunk_size].lists[l];
      const auto at = std::lower_bound(o.walls.begin(), o.walls.end(), a,
                                       [](const WallEntry& e, std::uint32_t slot) { return e.i < slot; });
      for (auto e = at; e != o.walls.end() && e->i == a; ++e)
        if (e->wall == w.wall && e->patch == w.patch && e->contact >= 0) {
          w.contact = list.pool.take();
          std::copy_n(o.pool.at(e->contact), stride, list.pool.at(w.contact));
        }
    }
    for (MeshEntry& m : list.meshes.entries) {
      const std::uint32_t a = old_slot[m.i];
      if (a / old_chunk_size >= old_chunks.size()) continue;
      const ContactList& o = old_chunks[a / old_chunk_size].lists[l];
      const std::vector<MeshEntry>& entries = o.meshes.entries;
      const auto at = std::lower_bound(entries.begin(), entries.end(), a,
                                       [](const MeshEntry& e, std::uint32_t slot) { return e.i < slot; });
      for (auto e = at; e != entries.end() && e->i == a; ++e)
        for (std::int32_t k = e->wall == m.wall ? e->record : -1; k >= 0; k = o.meshes.records[k].next) {
          MeshRecord& record = list.meshes.append(m);
          record.place = o.meshes.records[k].place;
          record.contact = list.pool.take();
          std::copy_n(o.pool.at(o.meshes.records[k].contact), stride, list.pool.at(record.contact));
        }
    }
  }
}

static std::vector<std::uint32_t> slots_without(const std::vector<std::uint8_t>& gone) {
  std::vector<std::uint32_t> stay;
  for (std::uint32_t i = 0; i < gone.size(); ++i)
    if (!gone[i]) stay.push_back(i);
  return stay;
}

void CpuBackend::remove_lost() {
  const Domain& d = scene_.settings.domain;
  std::vector<std::uint8_t> gone(state_.size(), 0);
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    gone[i] = state_.velocity(i).w > 0 && is_outside(d, state_.position(i).xyz());
    if (gone[i]) ids.push_back(state_.id[i]);
  }
  if (ids.empty()) return;
  if (d.rule == DomainRule::stop) {
    const std::uint32_t id = *std::min_element(ids.begin(), ids.end());
    std::size_t i = 0;
    while (state_.id[i] != id) ++i;
    const Vec4& x = state_.position(i);
    throw StoppedError(
        fmt::format("particle {} left the domain at t = {:.9g} s (step {}), position ({:.6g}, {:.6g}, {:.6g}); the "
                    "case says domain.rule = \"stop\"",
                    id, time(), step_, x.x, x.y, x.z));
  }
  lost_ += static_cast<std::int64_t>(ids.size());
  const Energy before = stored_energy();
  relist(slots_without(gone));
  forget_forces();
  book_switch(before);
}

void CpuBackend::apply(const Change& change) {
  forget_forces();
  if (!change.insert.empty()) return insert(change.insert);  // such a change brings nothing else
  if (!bonds_.empty()) flush_bonds();
  const Energy before = stored_energy();  // freeing and freezing change it, too
  auto contains = [](const std::vector<std::uint16_t>& v, std::uint16_t k) {
    return std::find(v.begin(), v.end(), k) != v.end();
  };
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const std::uint32_t id = state_.id[i];
    if (contains(change.release_groups, group_[id]) && prescribed_[id]) {
      prescribed_[id] = 0;
      state_.velocity(i).w = 1 / mass_[id];
      state_.spin[i].w = placed_[id].inv_j;
    }
    if (contains(change.freeze_groups, group_[id]) && !prescribed_[id]) {
      prescribed_[id] = 1;
      placed_.resize(mass_.size());
      placed_[id] = {state_.position(i).xyz(), state_.orientation[i], state_.spin[i].w};
      state_.velocity(i) = {};
      state_.spin[i] = {};
    }
  }
  for (std::uint16_t w : change.remove_walls) walls_[w].present = false;
  for (std::uint16_t w : change.insert_walls) {
    walls_[w].present = true;
    for (std::size_t i = 0; i < state_.size(); ++i)
      if (state_.velocity(i).w > 0)
        check_inserted(scene_, w, walls_[w].pose, state_.id[i], state_.position(i).xyz(), state_.position(i).w, time());
  }
  std::vector<std::uint8_t> gone(state_.size(), 0);
  for (std::size_t i = 0; i < state_.size(); ++i) {
    gone[i] = contains(change.remove_groups, group_[state_.id[i]]);
    removed_ += gone[i];
  }
  relist(slots_without(gone));         // also drops contacts with removed walls and lists pairs of released particles
  if (!change.insert_walls.empty()) evaluate_forces(0, true);  // contacts with it exist from now on
  book_switch(before);
  if (change.make_bonds.empty()) return;
  const Energy unbonded = stored_energy();
  start_bonds(change.make_bonds);
  relist(slots_without(std::vector<std::uint8_t>(state_.size(), 0)));  // bonded pairs may have no contact from now on
  book_switch(unbonded);
}

}  // namespace areia::cpu
