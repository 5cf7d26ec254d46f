#include "engine/cpu/kernel.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/cpu/contact_block.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

bool same_laws(const ContactPair& a, const ContactPair& b) {
  auto same = [](const LawChoice& c, const LawChoice& d) {
    return (c.law.empty() ? "none" : c.law) == (d.law.empty() ? "none" : d.law);
  };
  return same(a.normal, b.normal) && same(a.adhesion, b.adhesion) && same(a.tangential, b.tangential) &&
         same(a.rolling, b.rolling) && same(a.twisting, b.twisting);
}

namespace {

using B = ContactBlock;
constexpr std::uint32_t kOwn = ~0u;  // in place of a letter: j is of the same chunk

// Pairs of two materials that touch now, until there are enough for a block.
struct PairQueue {
  int count = 0;
  std::uint32_t i[kBlock], j[kBlock], letter[kBlock];
  std::int32_t contact[kBlock];
  Vec3d d[kBlock];
};

// Wall contacts of two materials, likewise.
struct WallQueue {
  int count = 0;
  std::uint32_t i[kBlock];
  std::int32_t wall[kBlock], patch[kBlock], contact[kBlock];
  Vec3d n[kBlock], point[kBlock];
  double overlap[kBlock];
};

// What a thread works in; kept by the thread, so there is no allocation from the second step on.
struct Workspace {
  std::vector<PairQueue> pairs;
  std::vector<WallQueue> walls;
  MeshWork mesh;
  ContactBlock block;
};

template <bool kLedger, bool kPeriodic, bool kGap>
class KernelOf final : public Kernel {
 public:
  KernelOf(const Scene& scene, const ContactPair& like, std::vector<std::optional<Interaction>> table)
      : materials_(scene.materials.size()), table_(std::move(table)) {
    const auto any = std::find_if(table_.begin(), table_.end(), [](const auto& t) { return t.has_value(); });
    first_ = static_cast<std::size_t>(any - table_.begin());
    rolls_ = laws().rolls();
    auto add = [&](Slot slot, BlockStage stage) {
      if (stage) stages_.push_back({slot, stage});
    };
    add(kNormal, normal_stage(like.normal.law, kLedger));
    add(kAdhesion, adhesion_stage(like.adhesion.law, kLedger));
    add(kTangential, tangential_stage(like.tangential.law, kLedger));
    add(kRolling, rolling_stage(like.rolling.law, kLedger));
    add(kTwisting, twisting_stage(like.twisting.law, kLedger));
  }

  int history() const override { return laws().history(); }
  int scalars() const override { return laws().scalars(); }
  double reach(double largest_radius) const override {
    double most = 0;  // ranges may grow with r*, which is at most the largest radius
    for (const auto& law : table_)
      if (kGap && law) most = std::max(most, law->hold_range(largest_radius));
    return most;
  }

  void run(const KernelContext& context, Chunk& chunk, ContactList& list) const override {
    static thread_local Workspace work;
    work.pairs.resize(table_.size());
    work.walls.resize(table_.size());
    pairs(context, chunk, list, work);
    walls(context, chunk, list, work);
  }

  void stored(const KernelContext& context, const Chunk& chunk, const ContactList& list,
              Energy& energy) const override {
    const State& s = context.state;
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
      for (std::uint32_t e = list.row[i - chunk.begin]; e < list.row[i - chunk.begin + 1]; ++e) {
        if (list.contact[e] < 0) continue;
        const std::uint32_t j = list.j[e];
        table_[s.material[i] * materials_ + s.material[j]]->store(bodies(s.position[i].w, s.position[j].w),
                                                                  list.pool.at(list.contact[e]), energy);
      }
    for (const WallEntry& w : list.walls)
      if (w.contact >= 0)
        table_[wall_pair(context, w.i, w.wall)]->store(bodies(s.position[w.i].w, 0), list.pool.at(w.contact), energy);
    for (const MeshEntry& m : list.meshes.entries)
      for (std::int32_t k = m.record; k >= 0; k = list.meshes.records[k].next)
        table_[wall_pair(context, m.i, m.wall)]->store(bodies(s.position[m.i].w, 0),
                                                       list.pool.at(list.meshes.records[k].contact), energy);
  }

 private:
  struct Stage {
    Slot slot;
    BlockStage run;
  };
  static constexpr std::uint32_t kAhead = 16;  // entries of the list between asking for a position and using it

  const Interaction& laws() const { return *table_[first_]; }
  std::size_t wall_pair(const KernelContext& context, std::uint32_t i, std::size_t wall) const {
    return context.state.material[i] * materials_ + context.scene.walls[wall].material;
  }

  // The velocity with which a particle moved to where it is: a contact that is new now was open one step back along
  // it. velocity_verlet holds predictions for the end of the step here; it moved at v - a dt/2.
  static Vec3d velocity_of_last_move(const KernelContext& context, std::uint32_t i) {
    const State& s = context.state;
    if (s.old_acceleration.empty()) return s.velocity[i].xyz();
    return s.velocity[i].xyz() - (0.5 * context.dt) * s.old_acceleration[i];
  }

  // Closes the record of a contact that has opened. Seldom needed: kept out of the loop over the list.
  [[gnu::noinline]] void open(std::size_t pair, const Geometry<double>& g, double overlap, std::int32_t& contact,
                              ContactPool& pool, LedgerSums& sums) const {
    if constexpr (kLedger) sums.contact += table_[pair]->open(g, overlap, pool.at(contact));
    pool.give_back(contact);
    contact = -1;
  }

  // Opens the record of a pair that touches now. Seldom needed: kept out of the loop over the list.
  [[gnu::noinline]] void close_up(const KernelContext& context, std::size_t pair, std::uint32_t i, std::uint32_t j,
                                  const Vec3d& d, ContactList& list, std::int32_t& contact) const {
    const double ri = context.state.position[i].w, rj = context.state.position[j].w, distance = norm(d);
    const Vec3d n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
    const Vec3d v = velocity_of_last_move(context, i) - velocity_of_last_move(context, j);
    contact = list.pool.take();
    table_[pair]->begin(bodies(ri, rj), ri + rj - distance - context.dt * dot(v, n), list.pool.at(contact));
  }

  // Whether the laws act across this distance: contacts that exist reach further than new ones begin.
  bool acts(std::size_t pair, double ri, double rj, double distance2, bool exists) const {
    const double r_star = ri * rj / (ri + rj);
    const double reach = ri + rj + (exists ? table_[pair]->hold_range(r_star) : table_[pair]->form_range(r_star));
    return distance2 < reach * reach;
  }

  // Walks the list: closes contacts that have opened and queues the touching pairs, one queue for each pair of
  // materials. The order in which forces are added follows from the list alone.
  void pairs(const KernelContext& context, Chunk& chunk, ContactList& list, Workspace& work) const {
    const State& s = context.state;
    const Vec4 *const position = s.position.data(), *const velocity = s.velocity.data(), *const spin = s.spin.data();
    const std::uint16_t* const material = s.material.data();
    const std::uint32_t* const partner = list.j.data();
    const std::uint32_t* inbox = list.inbox.data();
    std::int32_t* const contact = list.contact.data();
    const std::uint32_t begin = chunk.begin, size = chunk.end - chunk.begin;
    const double max_overlap = context.max_overlap;
    const auto final = static_cast<std::uint32_t>(list.j.size()) - 1;  // not used when there is none
    for (std::uint32_t i = begin; i < chunk.end; ++i) {
      const Vec4& xi = position[i];
      const std::size_t table_row = material[i] * materials_;
      const std::uint32_t last = list.row[i - begin + 1];
      for (std::uint32_t e = list.row[i - begin]; e < last; ++e) {
        __builtin_prefetch(&position[partner[std::min(e + kAhead, final)]]);
        const std::uint32_t j = partner[e];
        const std::uint32_t letter = j - begin < size ? kOwn : *inbox++;
        const Vec4& xj = position[j];
        Vec3d d{xj.x - xi.x, xj.y - xi.y, xj.z - xi.z};
        if constexpr (kPeriodic) d = context.periodicity.nearest(d);
        const double reach = xi.w + xj.w;
        const double distance2 = norm2(d);
        const std::size_t pair = table_row + material[j];
        bool touching = distance2 < reach * reach;
        if constexpr (kGap) touching = touching || acts(pair, xi.w, xj.w, distance2, contact[e] >= 0);
        if (touching != (contact[e] >= 0)) [[unlikely]] {
          if (touching) close_up(context, pair, i, j, d, list, contact[e]);
          else open(pair, bodies(xi.w, xj.w), reach - std::sqrt(distance2), contact[e], list.pool, chunk.sums);
        }
        if (letter != kOwn) context.letter_full[letter] = touching;
        const double closest = reach - max_overlap * std::min(xi.w, xj.w);
        if (distance2 < closest * closest) [[unlikely]]
          chunk.failed = std::min(chunk.failed, s.id[i]);
        // Whether a pair touches is hard to foretell, so there is no branch: the place of a pair that does not is taken
        // by the next one.
        PairQueue& queue = work.pairs[pair];
        const int k = queue.count;
        queue.i[k] = i;
        queue.j[k] = j;
        queue.letter[k] = letter;
        queue.contact[k] = contact[e];
        queue.d[k] = d;
        queue.count += touching;
        // needed when the queue is full
        __builtin_prefetch(&velocity[j]);
        __builtin_prefetch(&spin[j]);
        __builtin_prefetch(list.pool.at(std::max(contact[e], 0)));
        if (queue.count == kBlock) evaluate(queue, pair, context, chunk, list, work.block);
      }
    }
    for (std::size_t pair = 0; pair < table_.size(); ++pair)
      if (work.pairs[pair].count > 0) evaluate(work.pairs[pair], pair, context, chunk, list, work.block);
  }

  // Runs all laws over the block.
  void run_laws(std::size_t pair, const KernelContext& context, int lanes, ContactBlock& block) const {
    const Interaction& laws = *table_[pair];
    BlockCall call{nullptr, context.dt, 0, lanes, 0, 0};
    kinematics_(call, block);
    for (const Stage& stage : stages_) {
      call.pair = laws.part(stage.slot)->pair();
      call.scalar = laws.scalar_at(stage.slot);
      call.vector = laws.vector_at(stage.slot);
      stage.run(call, block);
    }
  }

  void gather_i(const State& s, std::uint32_t i, std::int32_t contact, int k, const ContactPool& pool,
                ContactBlock& block) const {
    block.of[B::kRi][k] = s.position[i].w;
    block.set(k, B::kVi, s.velocity[i].xyz());
    block.of[B::kMi][k] = s.velocity[i].w;
    block.set(k, B::kWi, s.spin[i].xyz());
    block.of[B::kJi][k] = s.spin[i].w;
    block.of[B::kCi][k] = rolls_ ? s.contacts_before[i] : 0;
    const double* kept = pool.at(contact);
    const int stride = history();
    for (int h = 0; h < stride; ++h) block.history[h][k] = kept[h];
  }

  void keep_history(std::int32_t contact, int k, ContactPool& pool, const ContactBlock& block) const {
    double* kept = pool.at(contact);
    const int stride = history();
    for (int h = 0; h < stride; ++h) kept[h] = block.history[h][k];
  }

  // The laws over a block of pairs; then forces, histories and bookings go where they belong, in the queue's order.
  void evaluate(PairQueue& queue, std::size_t pair, const KernelContext& context, Chunk& chunk, ContactList& list,
                ContactBlock& block) const {
    State& s = context.state;
    for (int k = 0; k < queue.count; ++k) {
      const std::uint32_t j = queue.j[k];
      gather_i(s, queue.i[k], queue.contact[k], k, list.pool, block);
      block.of[B::kRj][k] = s.position[j].w;
      block.set(k, B::kVj, s.velocity[j].xyz());
      block.of[B::kMj][k] = s.velocity[j].w;
      block.set(k, B::kWj, s.spin[j].xyz());
      block.of[B::kJj][k] = s.spin[j].w;
      block.of[B::kCj][k] = rolls_ ? s.contacts_before[j] : 0;
      block.set(k, B::kD, queue.d[k]);
    }
    const int lanes = block.fill_up(queue.count, history());
    geometry_({nullptr, context.dt, context.overlap_share[pair], lanes, 0, 0}, block);
    run_laws(pair, context, lanes, block);

    Vec3d *const force_on = s.force.data(), *const torque_on = s.torque.data();
    LedgerSums sums = chunk.sums;  // in registers
    for (int k = 0; k < queue.count; ++k) {
      const std::uint32_t i = queue.i[k], j = queue.j[k];
      keep_history(queue.contact[k], k, list.pool, block);
      const Vec3d force = block.vector(k, B::kForce), torque_j = block.vector(k, B::kTorqueJ);
      force_on[i] += force;
      torque_on[i] += block.vector(k, B::kTorqueI);
      if (rolls_) ++s.contacts[i];
      if (queue.letter[k] == kOwn) {
        force_on[j] -= force;
        torque_on[j] += torque_j;
        if (rolls_) ++s.contacts[j];
      } else {
        context.letters[queue.letter[k]] = {-force, torque_j};
      }
      if constexpr (kLedger) {
        sums.contact += block.booking(k);
        // a prescribed particle puts in the power of what acts on its partner: minus that of force and torque on it
        if (block.of[B::kMi][k] == 0)
          sums.wall_work -=
              (dot(force, s.velocity[i].xyz()) + dot(block.vector(k, B::kTorqueI), s.spin[i].xyz())) * context.dt;
        if (block.of[B::kMj][k] == 0)
          sums.wall_work += (dot(force, s.velocity[j].xyz()) - dot(torque_j, s.spin[j].xyz())) * context.dt;
      }
      if (context.record)
        chunk.records.push_back({i, j, -1, 0, block.vector(k, B::kN), force,
                                 laws().elongation(list.pool.at(queue.contact[k])), block.of[B::kOverlap][k],
                                 block.of[B::kNormalForce][k], norm(block.vector(k, B::kTangentialForce))});
    }
    chunk.sums = sums;
    queue.count = 0;
  }

  // ---- walls ----

  void walls(const KernelContext& context, Chunk& chunk, ContactList& list, Workspace& work) const {
    const State& s = context.state;
    for (WallEntry& entry : list.walls) {
      const WallState& wall = context.walls[entry.wall];
      WallPoint at;
      if (wall.present)
        at = std::visit(
            [&](const auto& shape) {
              return closest_point(shape, entry.patch, wall.pose.to_body(s.position[entry.i].xyz()));
            },
            context.scene.walls[entry.wall].shape);
      meet_wall(entry.i, entry.wall, entry.patch, at, entry.contact, context, chunk, list, work);
    }
    for (MeshEntry& entry : list.meshes.entries) {
      const Vec4& xi = s.position[entry.i];
      const std::size_t pair = wall_pair(context, entry.i, entry.wall);
      double reach = xi.w;
      if constexpr (kGap) reach += std::max(table_[pair]->form_range(xi.w), table_[pair]->hold_range(xi.w));
      run_mesh_entry(
          *context.scene.walls[entry.wall].mesh, list.meshes, entry, context.walls[entry.wall].pose.to_body(xi.xyz()),
          xi.w, reach, work.mesh,
          [&](int patch, const WallPoint& at, std::int32_t& contact) {
            meet_wall(entry.i, entry.wall, patch, at, contact, context, chunk, list, work);
          },
          [&](double overlap, std::int32_t& contact) {
            open(pair, bodies(xi.w, 0), overlap, contact, list.pool, chunk.sums);
          });
    }
    for (std::size_t pair = 0; pair < table_.size(); ++pair)
      if (work.walls[pair].count > 0) evaluate(work.walls[pair], pair, context, chunk, list, work.block);
  }

  // A sphere and the closest point of a wall's patch (in the wall's frame): queued if they act on each other, else the
  // record of a contact that has opened is closed.
  void meet_wall(std::uint32_t i, int wall_index, int patch, const WallPoint& at, std::int32_t& contact,
                 const KernelContext& context, Chunk& chunk, ContactList& list, Workspace& work) const {
    const State& s = context.state;
    const WallState& wall = context.walls[wall_index];
    const Vec4 xi = s.position[i];
    const std::size_t pair = wall_pair(context, i, wall_index);
    const double overlap = at.found ? xi.w - at.distance : 0;
    bool acts = at.found && overlap > 0;
    if constexpr (kGap) {
      const double range = contact >= 0 ? table_[pair]->hold_range(xi.w) : table_[pair]->form_range(xi.w);
      acts = at.found && (overlap > 0 || overlap > -range);
    }
    if (!acts) {
      if (contact >= 0) open(pair, bodies(xi.w, 0), overlap, contact, list.pool, chunk.sums);
      return;
    }
    const Vec3d n = rotate(wall.pose.q, at.n);
    const Vec3d point = xi.xyz() + at.distance * n;
    if (contact < 0) {
      contact = list.pool.take();
      const Vec3d v = velocity_of_last_move(context, i) - wall.pose.velocity_at(point);
      table_[pair]->begin(bodies(xi.w, 0), overlap - context.dt * dot(v, n), list.pool.at(contact));
    }
    if (overlap > context.max_overlap * xi.w) chunk.failed = std::min(chunk.failed, s.id[i]);
    WallQueue& queue = work.walls[pair];
    const int k = queue.count++;
    queue.i[k] = i;
    queue.wall[k] = wall_index;
    queue.patch[k] = patch;
    queue.contact[k] = contact;
    queue.n[k] = n;
    queue.point[k] = point;
    queue.overlap[k] = overlap;
    if (queue.count == kBlock) evaluate(queue, pair, context, chunk, list, work.block);
  }

  void evaluate(WallQueue& queue, std::size_t pair, const KernelContext& context, Chunk& chunk, ContactList& list,
                ContactBlock& block) const {
    State& s = context.state;
    const double share = context.overlap_share[pair];
    for (int k = 0; k < queue.count; ++k) {
      const Pose& pose = context.walls[queue.wall[k]].pose;
      const double radius = s.position[queue.i[k]].w;
      gather_i(s, queue.i[k], queue.contact[k], k, list.pool, block);
      block.of[B::kRj][k] = block.of[B::kMj][k] = block.of[B::kJj][k] = block.of[B::kCj][k] = 0;
      block.set(k, B::kVj, pose.velocity_at(queue.point[k]));
      block.set(k, B::kWj, pose.w);
      block.set(k, B::kD, {});
      block.set(k, B::kN, queue.n[k]);
      block.of[B::kOverlap][k] = queue.overlap[k];
      block.of[B::kRstar][k] = radius;
      block.of[B::kLeverI][k] = radius - share * queue.overlap[k];
      block.of[B::kLeverJ][k] = 0;
    }
    const int lanes = block.fill_up(queue.count, history());
    run_laws(pair, context, lanes, block);

    for (int k = 0; k < queue.count; ++k) {
      const std::uint32_t i = queue.i[k];
      const Pose& pose = context.walls[queue.wall[k]].pose;
      keep_history(queue.contact[k], k, list.pool, block);
      const Vec3d force = block.vector(k, B::kForce), torque_w = block.vector(k, B::kTorqueJ);
      if constexpr (kLedger) {
        chunk.sums.contact += block.booking(k);
        // torque_w is that of the rolling laws alone (no lever), so it works on the wall's spin
        chunk.sums.wall_work += (dot(force, block.vector(k, B::kVj)) - dot(torque_w, pose.w)) * context.dt;
      }
      s.force[i] += force;
      s.torque[i] += block.vector(k, B::kTorqueI);
      if (rolls_) ++s.contacts[i];
      WallSum& sum = chunk.wall_sums[queue.wall[k]];
      sum.force -= force;
      sum.torque += torque_w - cross(queue.point[k] - pose.center - pose.shift, force);
      if (context.record)
        chunk.records.push_back({i, 0, queue.wall[k], queue.patch[k], queue.n[k], force,
                                 laws().elongation(list.pool.at(queue.contact[k])), queue.overlap[k],
                                 block.of[B::kNormalForce][k], norm(block.vector(k, B::kTangentialForce))});
    }
    queue.count = 0;
  }

  std::size_t materials_;
  std::vector<std::optional<Interaction>> table_;  // per ordered pair of materials
  std::size_t first_ = 0;                          // a pair that there is
  bool rolls_ = false;
  std::vector<Stage> stages_;
  BlockStage geometry_ = pair_geometry(), kinematics_ = shared_kinematics();
};

template <bool kLedger, bool kPeriodic>
std::unique_ptr<Kernel> make(const Scene& scene, const ContactPair& like, bool gap,
                             std::vector<std::optional<Interaction>> table) {
  if (gap) return std::make_unique<KernelOf<kLedger, kPeriodic, true>>(scene, like, std::move(table));
  return std::make_unique<KernelOf<kLedger, kPeriodic, false>>(scene, like, std::move(table));
}

}  // namespace

std::unique_ptr<Kernel> make_kernel(const Scene& scene, const ContactPair& like, bool ledger, bool periodic) {
  const std::size_t n = scene.materials.size();
  std::vector<std::optional<Interaction>> table(n * n);
  bool gap = false;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0 || !same_laws(scene.settings.contacts[k], like)) continue;
      table[a * n + b].emplace(scene.settings.contacts[k], MaterialPair{scene.materials[a], scene.materials[b]});
      gap = gap || table[a * n + b]->reaches();
    }
  if (ledger && periodic) return make<true, true>(scene, like, gap, std::move(table));
  if (ledger) return make<true, false>(scene, like, gap, std::move(table));
  if (periodic) return make<false, true>(scene, like, gap, std::move(table));
  return make<false, false>(scene, like, gap, std::move(table));
}

}  // namespace areia::cpu
