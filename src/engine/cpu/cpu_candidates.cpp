// What a neighbour list holds: pairs within the skin, patches of walls and triangles of meshes that a particle may
// touch before lists are made again.
#include <algorithm>

#include "engine/cpu/cpu_lists.h"
#include "engine/turning_arm.h"
#include "engine/wall_candidates.h"
#include "scene/scene_wall.h"

namespace areia::cpu {

namespace {

// Particles of a finer size class list those of coarser ones, whichever slot is the lower. Such pairs go over to the
// lower slot; the order of the rows stays ascending.
void list_by_lower_slot(Chunks& chunks) {
  struct Turned {
    std::uint32_t i, j;  // i < j
  };
  std::vector<std::vector<Turned>> to(chunks.all.size());
  for (const Chunk& c : chunks.all)
    for (std::uint32_t i = c.begin; i < c.end; ++i)
      for (std::uint32_t e = c.row[i - c.begin]; e < c.row[i - c.begin + 1]; ++e)
        if (c.near[e] < i) to[chunks.number_of(c.near[e])].push_back({c.near[e], i});
  if (std::all_of(to.begin(), to.end(), [](const auto& t) { return t.empty(); })) return;
  chunks.for_each([&](Chunk& c) {
    std::vector<Turned>& more = to[&c - chunks.all.data()];
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

// Wall contacts of the old lists keep their histories, but those with walls that act no longer.
void carry_walls(const Laws& laws, const Scene& scene, const State& state, const OldLists& old,
                 const std::vector<WallState>& walls, const Bonds& bonds, Chunk& chunk) {
  if (old.chunks.empty()) return;
  for (WallEntry& entry : chunk.walls.entries) {
    const std::uint32_t a = old.slot[entry.i];
    if (a / old.chunk_size >= old.chunks.size()) continue;  // came in just now
    const Chunk& from = old.chunks[a / old.chunk_size];
    const WallEntry* const before = WallList::find(from.walls, a);
    for (std::int32_t k = before ? before->record : -1; k >= 0; k = from.walls.records[k].next) {
      const WallRecord& known = from.walls.records[k];
      const std::int32_t w = known.place.wall;
      if (!walls[w].present || (bonds.any_apart() && bonds.is_apart_from_wall(state.id[entry.i], w))) continue;
      const std::int32_t l = laws.between(state.material[entry.i], scene.walls[w].material);
      ContactPool& pool = chunk.lists[l].pool;
      WallRecord& record = chunk.walls.append(entry);
      record.place = known.place;
      record.contact = pool.take();
      std::copy_n(from.lists[l].pool.at(known.contact), laws.kernels[l]->history(), pool.at(record.contact));
    }
  }
}

}  // namespace

void Lists::make_lists(const OldLists& old) {
  state_.any_prescribed = false;
  for (std::size_t i = 0; i < state_.size(); ++i) state_.any_prescribed = state_.any_prescribed || !state_.free(i);
  const std::vector<Vec4> built = state_.places();
  largest_ = 0;
  for (const Vec4& p : built) largest_ = std::max(largest_, p.w);
  law_reach_ = laws_.reach(largest_);
  reach_at_build_ = 0;
  for (std::size_t w = 0; w < world_.schedule().wall_motion.size(); ++w) {
    const Motion& m = world_.schedule().wall_motion[w];
    if (!turns(m)) continue;
    const bool about_axis = m.kind == Motion::Kind::rotating && m.then.empty() && !world_.schedule().servo[w].on;
    const Pose& pose = world_.now().walls[w].pose;
    const auto distance = [&](const Vec3d& x) {
      const Vec3d arm = x - (about_axis ? m.point : pose.center + pose.shift);
      return about_axis ? norm(cross(arm, unit(m.axis))) : norm(arm);
    };
    double within = 0;
    for (const Vec4& p : built) within = std::max(within, distance(p.xyz()) + p.w + skin_ + law_reach_);
    reach_at_build_ =
        std::max(reach_at_build_, turning_arm(periodicity_, extent_of(scene_.walls[w]), pose, within, distance));
  }
  SizeClassGrid grid;
  grid.build(built, skin_ + law_reach_, periodicity_);
  chunks_.for_each([&](Chunk& c) {
    list_chunk(c, grid, built);
    carry_walls(laws_, scene_, state_, old, world_.now().walls, forces_.bonds(), c);
  });
  list_by_lower_slot(chunks_);
  if (!choose_limits()) horizon_ = std::max<std::int64_t>(horizon_, 1);
  pick_pairs(old);
  if (forces_.distance().any()) forces_.distance().make_lists(state_, skin_, chunks_.team);
}

void Lists::list_chunk(Chunk& chunk, const SizeClassGrid& grid, const std::vector<Vec4>& built) {
  const std::size_t materials = laws_.materials;
  chunk.row.reserve(chunk.end - chunk.begin + 1);
  chunk.row.assign(1, 0);
  static thread_local std::vector<std::uint32_t> listed;
  listed.clear();
  SizeClassGrid::Around around;
  const Bonds& bonds = forces_.bonds();
  const bool any_apart = bonds.any_apart();
  const bool any_copies = state_.copies_before + state_.copies_behind > 0;
  const bool choosy = any_apart || any_copies || state_.any_prescribed ||
                      std::any_of(laws_.kernel_of.begin(), laws_.kernel_of.end(), [](auto k) { return k < 0; });
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Vec4& xi = built[i];
    const bool moves = state_.free(i), copy = state_.is_copy(i);
    const std::span<std::uint32_t> near = grid.near(i, skin_ + law_reach_, around);
    const auto excluded = [&](std::uint32_t j) {
      return laws_.kernel_of[state_.material[i] * materials + state_.material[j]] < 0 ||
             (!moves && !(state_.free(j))) || (copy && state_.is_copy(j)) ||
             (any_apart && bonds.are_apart(state_.id[i], state_.id[j]));
    };
    listed.insert(listed.end(), near.begin(), choosy ? std::remove_if(near.begin(), near.end(), excluded) : near.end());
    chunk.row.push_back(static_cast<std::uint32_t>(listed.size()));

    if (moves && !copy) list_walls(chunk, i, xi);
  }
  listed.resize(listed.size() + kBehindRows);
  chunk.near = listed;  // no larger than it must be
}

// What a free particle at x may touch of the walls.
void Lists::list_walls(Chunk& chunk, std::uint32_t i, const Vec4& x) {
  const Bonds& bonds = forces_.bonds();
  const bool any_apart = bonds.any_apart();
  const double reach = x.w + skin_ + law_reach_;
  WallList& list = chunk.walls;
  const auto first = static_cast<std::uint32_t>(list.candidates.size());
  for (std::size_t w = 0; w < world_.now().walls.size(); ++w) {
    const SceneWall& wall = scene_.walls[w];
    const WallState& now = walls_at_build_[w];
    if (!world_.now().walls[w].present || laws_.between(state_.material[i], wall.material) < 0 ||
        (any_apart && bonds.is_apart_from_wall(state_.id[i], w)))
      continue;
    const auto number = static_cast<std::uint16_t>(w);
    if (!wall.mesh) {
      for_each_near_patch(periodicity_, wall.shape, now, turns(world_.schedule().wall_motion[w]), x.xyz(), skin_, reach,
                          [&](int patch, const ShiftRange::Shift& by) {
                            list.candidates.push_back({number, static_cast<std::int16_t>(patch), by, 0, 0});
                          });
      continue;
    }
    shifts_on_the_way(periodicity_, extent_of(wall), now.pose, x.xyz(), skin_, reach)
        .for_each_by_length([&](const ShiftRange::Shift& by) {
          const auto begin = static_cast<std::uint32_t>(list.triangles.size());
          int images = 0;
          is_any_image(periodicity_, now, x.xyz(), skin_, by, [&](const Vec3d& at) {
            find_triangles(*wall.mesh, at, reach, list.triangles);
            ++images;
            return false;
          });
          if (images > 1) {
            const auto from = list.triangles.begin() + begin;
            std::sort(from, list.triangles.end());
            list.triangles.erase(std::unique(from, list.triangles.end()), list.triangles.end());
          }
          const auto end = static_cast<std::uint32_t>(list.triangles.size());
          if (end > begin) list.candidates.push_back({number, WallCandidate::kMesh, by, begin, end});
        });
  }
  const auto last = static_cast<std::uint32_t>(list.candidates.size());
  if (last > first) list.entries.push_back({i, first, last});
}

}  // namespace areia::cpu
