#include "engine/cpu/kernel.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "engine/cpu/block_fused.h"
#include "engine/cpu/block_moves.h"
#include "engine/cpu/contact_block.h"
#include "motion/schemes.h"

namespace areia::cpu {

bool same_laws(const ContactPair& a, const ContactPair& b) {
  auto same = [](const LawChoice& c, const LawChoice& d) { return type_name(c) == type_name(d); };
  return same(a.normal, b.normal) && same(a.adhesion, b.adhesion) && same(a.tangential, b.tangential) &&
         same(a.rolling, b.rolling) && same(a.twisting, b.twisting);
}

namespace {

using B = ContactBlock;
// Wall contacts of two materials, until the block is full. Columns that belong to j alone stay zero, but for its spin.
struct WallQueue {
  int count = 0;
  std::uint32_t i[kBlock];
  std::int32_t wall[kBlock], patch[kBlock], contact[kBlock];
  Vec3d point[kBlock];
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
    counts_ = rolls_ || std::any_of(table_.begin(), table_.end(), [](const auto& t) { return t && t->shares(); });
    auto add = [&](Slot slot, BlockStage stage) {
      if (stage) stages_.push_back({slot, stage});
    };
    bookings_ = 3u | (laws().part(kTangential) ? 12u : 0) | (rolls_ ? 16u : 0) | (laws().part(kAdhesion) ? 32u : 0);
    add(kNormal, normal_stage(type_name(like.normal), kLedger));
    add(kAdhesion, adhesion_stage(type_name(like.adhesion), kLedger));
    add(kTangential, tangential_stage(type_name(like.tangential), kLedger));
    add(kRolling, rolling_stage(type_name(like.rolling), kLedger));
    add(kTwisting, twisting_stage(type_name(like.twisting), kLedger));
    fused_ = fused_stage(like, kLedger, widest_vectors());
  }

  int history() const override { return laws().history(); }
  bool counts() const override { return counts_; }
  double reach(double largest_radius) const override {
    double most = 0;  // ranges may grow with r*, which is at most the largest radius
    for (const auto& law : table_)
      if (kGap && law) most = std::max(most, law->hold_range(largest_radius));
    return most;
  }

  const Interaction& laws_of(std::size_t pair) const override { return *table_[pair]; }
  const Interaction* across_gap(std::size_t pair) const override {
    return table_[pair] && table_[pair]->reaches() ? &*table_[pair] : nullptr;
  }

  void run_pairs(const KernelContext& context, Chunk& chunk, ContactList& list) const override {
    static thread_local ContactBlock block;  // kept by the thread, so that a step allocates nothing
    for (std::size_t pair = 0; pair < table_.size(); ++pair) {
      run_pairs_of<true>(pair, context, chunk, list.own[pair], block);
      run_pairs_of<false>(pair, context, chunk, list.across[pair], block);
    }
  }

  void run_walls(const KernelContext& context, Chunk& chunk, ContactList& list,
                 const WallMeetings& walls) const override {
    static thread_local std::vector<WallQueue> queues;
    queues.resize(std::max(queues.size(), table_.size()));
    const auto kernel = static_cast<std::int32_t>(&list - chunk.lists.data());
    for (const WallOpening& o : walls.openings) {
      if (o.kernel != kernel) continue;
      if constexpr (kLedger)
        chunk.sums.contact += table_[wall_pair(context, o.i, o.wall)]->open(bodies(context.state.position(o.i).w, 0),
                                                                            o.overlap, list.pool.at(o.contact));
      list.pool.give_back(o.contact);
    }
    for (const WallMeeting& m : walls.meetings)
      if (m.kernel == kernel) meet_wall(m, context, chunk, list, queues);
    for (std::size_t pair = 0; pair < table_.size(); ++pair)
      if (queues[pair].count > 0) evaluate(queues[pair], pair, context, chunk, list);
  }

  void stored(const KernelContext& context, const Chunk& chunk, const ContactList& list,
              StoredSums& energy) const override {
    const State& s = context.state;
    double kept[kMostHistory];
    for (std::size_t pair = 0; pair < table_.size(); ++pair)
      for (const PairList* pairs : {&list.own[pair], &list.across[pair]})
        for (std::uint32_t k = 0; k < pairs->count; ++k) {
          if (!pairs->touches(k)) continue;
          take_out(*pairs, k, kept);
          table_[pair]->store(bodies(s.position(pairs->i[k]).w, s.position(pairs->j[k]).w), kept, energy);
        }
    for (const WallEntry& w : chunk.walls.entries)
      for (std::int32_t k = w.record; k >= 0; k = chunk.walls.records[k].next) {
        const WallRecord& r = chunk.walls.records[k];
        const auto& laws_there = table_[wall_pair(context, w.i, r.place.wall)];
        if (laws_there) laws_there->store(bodies(s.position(w.i).w, 0), list.pool.at(r.contact), energy);
      }
  }

 private:
  struct Stage {
    Slot slot;
    BlockStage run;
  };
  const Interaction& laws() const { return *table_[first_]; }
  std::size_t wall_pair(const KernelContext& context, std::uint32_t i, std::size_t wall) const {
    return context.state.material[i] * materials_ + context.scene.walls[wall].material;
  }

  // Schemes that keep no accelerations moved at the present velocity.
  static Vec3d velocity_of_last_move(const KernelContext& context, std::uint32_t i) {
    const State& s = context.state;
    if (s.old_acceleration.empty()) return s.velocity(i).xyz();
    return areia::velocity_of_last_move(s.velocity(i).xyz(), s.old_acceleration[i], context.dt);
  }

  // The history of one pair, number after number, and back into its lane.
  void take_out(const PairList& pairs, std::uint32_t k, double* history) const {
    const double* lane = pairs.lane(k, this->history());
    for (int h = 0; h < this->history(); ++h) history[h] = lane[h * kBlock];
  }
  void put_back(PairList& pairs, std::uint32_t k, const double* history) const {
    double* lane = pairs.lane(k, this->history());
    for (int h = 0; h < this->history(); ++h) lane[h * kBlock] = history[h];
  }

  // Pairs of one block that have come to touch, or do so no longer, since the last evaluation. Seldom any.
  [[gnu::noinline]] void change(std::size_t pair, const KernelContext& context, Chunk& chunk, PairList& pairs,
                                std::uint32_t first, std::uint32_t touching, const ContactBlock& block) const {
    double kept[kMostHistory] = {};
    std::uint32_t& before = pairs.touching[first / kBlock];
    for (std::uint32_t changed = before ^ touching; changed != 0; changed &= changed - 1) {
      const int lane = std::countr_zero(changed);
      const std::uint32_t k = first + lane, i = pairs.i[k], j = pairs.j[k];
      const bool touches = touching >> lane & 1;
      const double ri = context.state.position(i).w, rj = context.state.position(j).w;
      const Vec3d d = block.vector(lane, B::kD);
      if (touches) {
        Vec3d v = velocity_of_last_move(context, i) - velocity_of_last_move(context, j);
        if (context.cell) v += context.cell->closing(d);
        table_[pair]->begin(bodies(ri, rj), overlap_before(d, ri, rj, v, context.dt), kept);
        put_back(pairs, k, kept);
      } else if constexpr (kLedger) {
        take_out(pairs, k, kept);
        chunk.sums.contact += table_[pair]->open(bodies(ri, rj), overlap_now(d, ri, rj), kept);
      }
    }
    before = touching;
  }

  // Block by block: which pairs touch, what they feel, and where it goes. kOwn: both are in this chunk.
  template <bool kOwn>
  void run_pairs_of(std::size_t pair, const KernelContext& context, Chunk& chunk, PairList& pairs,
                    ContactBlock& block) const {
    if (pairs.count == 0) return;
    const State& s = context.state;
    FusedCall call = fused_call(pair, context);
    const PushTargets to{context.grid, context.state.sums(), chunk.large};
    Push* const letters = context.letters.data() + (kOwn ? 0 : pairs.first_letter);
    block.open_sums(chunk.sums.contact);
    alignas(32) std::uint32_t partners[kBlock];
    for (std::uint32_t first = 0; first < pairs.count; first += kBlock) {
      const auto count = static_cast<int>(std::min<std::uint32_t>(kBlock, pairs.count - first));
      const int lanes = whole_vectors(count);
      const std::uint32_t real = ~0u >> (kBlock - count);
      const int ahead = first + kBlock < pairs.count ? kBlock : 0;
      const int ahead_felt = ahead && pairs.touching[first / kBlock + 1] != 0 ? kBlock : 0;
      const std::uint32_t *const i = &pairs.i[first], *const j = &pairs.j[first];
      PairBlock at{i, j, lanes, i + ahead, j + ahead, partners, ahead_felt ? partners : i};
      const std::uint32_t near = moves_.approach(s.positions(), at, context.periodicity, block);
      std::uint32_t touching = near & real;
      const std::uint32_t before = pairs.touching[first / kBlock];
      if constexpr (kGap)
        for (int k = 0; k < count; ++k)
          if (acts_across(*table_[pair], norm2(block.vector(k, B::kD)), block.of[B::kRi][k], block.of[B::kRj][k],
                          before >> k & 1))
            touching |= 1u << k;
      if (touching != before) [[unlikely]] {
        change(pair, context, chunk, pairs, first, touching, block);
        if constexpr (!kOwn)  // letters of pairs that do not touch are empty
          if (touching == 0) std::fill_n(letters + first, lanes, Push{});
      }
      if (touching == 0) continue;
      if (touching != near)
        for (int k = 0; k < lanes; ++k) block.of[B::kTouch][k] = touching >> k & 1;
      block.history = reinterpret_cast<double(*)[kBlock]>(pairs.lane(first, history()));
      const bool fused = fused_ && context.dt > 0 && !context.record;
      if (fused) at.felt = call.felt = touching;
      call.begins = kGap || chunk.barely_before || (touching & ~before) != 0;
      moves_.motion(s.velocities(), s.spin.data(), at, block);
      if (context.cell) move_with(*context.cell, touching, block);
      if (counts_)
        for (int k = 0; k < lanes; ++k) {
          block.of[B::kCi][k] = s.contacts_before[i[k]];
          block.of[B::kCj][k] = s.contacts_before[j[k]];
        }
      if (fused) {
        call.lanes = lanes;
        call.next_history = pairs.lane(first + ahead_felt, history());
        fused_(call, block);
        chunk.barely = chunk.barely || block.any_barely;
        if (block.any_deep) [[unlikely]]
          look_for_deep(context, chunk, i, touching, block);
      } else {
        chunk.barely = true;  // it was not looked for
        look_for_deep(context, chunk, i, touching, block);
        geometry_({nullptr, context.dt, context.overlap_share[pair], lanes, 0, 0}, block);
        run_laws(pair, context, lanes, block);
        if constexpr (kLedger) book(block, lanes, bookings_);
      }
      at.felt = touching;
      if constexpr (kOwn) moves_.give(block, at, to, nullptr);
      else moves_.send(block, at, to, letters + first);
      if (kLedger && context.prescribed) book_prescribed(context, chunk, i, j, count, block);
      if (context.cell) add_virial(touching, block, chunk.virial);
      if (context.record) record(chunk, pairs, first, touching, block);
    }
    if constexpr (kLedger) block.close_sums();
  }

  // The homogeneous motion of the cell, between the two of a pair.
  [[gnu::noinline]] static void move_with(const Cell& cell, std::uint32_t touching, ContactBlock& block) {
    for (; touching != 0; touching &= touching - 1) {
      const int k = std::countr_zero(touching);
      block.set(k, B::kDv, block.vector(k, B::kDv) + cell.closing(block.vector(k, B::kD)));
    }
  }
  [[gnu::noinline]] static void add_virial(std::uint32_t touching, const ContactBlock& block, CellSums& sum) {
    for (; touching != 0; touching &= touching - 1) {
      const int k = std::countr_zero(touching);
      sum.add(virial_of(block.vector(k, B::kForce), block.vector(k, B::kD)));
    }
  }

  // Lanes with too large an overlap, from what touch_of makes of them.
  [[gnu::noinline]] void look_for_deep(const KernelContext& context, Chunk& chunk, const std::uint32_t* i,
                                       std::uint32_t touching, const ContactBlock& block) const {
    for (; touching != 0; touching &= touching - 1) {
      const int k = std::countr_zero(touching);
      const double ri = block.of[B::kRi][k], rj = block.of[B::kRj][k];
      const Touch<double> t = touch_of(block.vector(k, B::kD), ri, rj, 1.0, 1.0);
      if (is_deep(t.overlap, ri, rj, context.max_overlap))
        chunk.failed = std::min(chunk.failed, context.state.id[i[k]]);
    }
  }

  // A prescribed particle puts in the power of what acts on its partner: minus that of force and torque on it.
  [[gnu::noinline]] void book_prescribed(const KernelContext& context, Chunk& chunk, const std::uint32_t* i,
                                         const std::uint32_t* j, int count, const ContactBlock& block) const {
    const State& s = context.state;
    GridSum& work = chunk.sums.wall_work;
    for (int k = 0; k < count; ++k) {
      if (block.of[B::kTouch][k] == 0) continue;
      const Vec3d force = block.vector(k, B::kForce);
      if (block.of[B::kMi][k] == 0)
        work -=
            (dot(force, s.velocity(i[k]).xyz()) + dot(block.vector(k, B::kTorqueI), s.spin[i[k]].xyz())) * context.dt;
      if (block.of[B::kMj][k] == 0)
        work +=
            (dot(force, s.velocity(j[k]).xyz()) - dot(block.vector(k, B::kTorqueJ), s.spin[j[k]].xyz())) * context.dt;
    }
  }

  [[gnu::noinline]] void record(Chunk& chunk, const PairList& pairs, std::uint32_t first, std::uint32_t touching,
                                const ContactBlock& block) const {
    double kept[kMostHistory];
    for (; touching != 0; touching &= touching - 1) {
      const int k = std::countr_zero(touching);
      take_out(pairs, first + k, kept);
      chunk.records.push_back({pairs.i[first + k], pairs.j[first + k], -1, 0, block.vector(k, B::kN),
                               block.vector(k, B::kForce), laws().elongation(kept), block.of[B::kOverlap][k],
                               block.of[B::kNormalForce][k], norm(block.vector(k, B::kTangentialForce))});
    }
  }

  FusedCall fused_call(std::size_t pair, const KernelContext& context) const {
    FusedCall call{};
    call.dt = context.dt;
    call.share = context.overlap_share[pair];
    call.kick = kick_of(context.scene.settings.numerics.scheme, context.dt);
    call.shares = table_[pair]->shares();
    call.max_overlap = context.max_overlap;
    for (const Stage& stage : stages_) {
      call.pair[stage.slot] = table_[pair]->part(stage.slot)->pair();
      call.scalar[stage.slot] = table_[pair]->scalar_at(stage.slot);
      call.vector[stage.slot] = table_[pair]->vector_at(stage.slot);
    }
    return call;
  }

  // Runs all laws over the block.
  void run_laws(std::size_t pair, const KernelContext& context, int lanes, ContactBlock& block) const {
    const Interaction& laws = *table_[pair];
    BlockCall call{
        nullptr,      context.dt, 0, lanes, 0, 0, kick_of(context.scene.settings.numerics.scheme, context.dt),
        laws.shares()};
    kinematics_(call, block);
    for (const Stage& stage : stages_) {
      call.pair = laws.part(stage.slot)->pair();
      call.scalar = laws.scalar_at(stage.slot);
      call.vector = laws.vector_at(stage.slot);
      stage.run(call, block);
    }
  }

  // ---- walls ----

  void meet_wall(const WallMeeting& m, const KernelContext& context, Chunk& chunk, ContactList& list,
                 std::vector<WallQueue>& queues) const {
    const State& s = context.state;
    const WallState& wall = context.walls[m.wall];
    const std::size_t pair = wall_pair(context, m.i, m.wall);
    const Vec3d velocity = wall.at_rest ? Vec3d{} : wall.velocity_at(m.place, m.n);
    const double radius = s.position(m.i).w;
    std::int32_t& contact = chunk.walls.records[m.record].contact;
    if (contact < 0) {
      contact = list.pool.take();
      const Vec3d v = velocity_of_last_move(context, m.i) - velocity;
      table_[pair]->begin(bodies(radius, 0), overlap_before_at_wall(m.n, m.overlap, v, context.dt),
                          list.pool.at(contact));
    }
    if (is_deep_in_wall(m.overlap, radius, context.max_overlap)) chunk.failed = std::min(chunk.failed, s.id[m.i]);
    WallQueue& queue = queues[pair];
    const int k = queue.count++;
    queue.i[k] = m.i;
    queue.wall[k] = m.wall;
    queue.patch[k] = m.patch;
    queue.contact[k] = contact;
    queue.point[k] = m.place;
    ContactBlock& block = queue.block;
    block.of[B::kRi][k] = radius;
    block.set(k, B::kDv, s.velocity(m.i).xyz() - velocity);
    block.of[B::kMi][k] = s.velocity(m.i).w;
    block.set(k, B::kWi, s.spin[m.i].xyz());
    block.of[B::kJi][k] = s.spin[m.i].w;
    block.of[B::kCi][k] = counts_ ? s.contacts_before[m.i] : 0;
    block.set(k, B::kWj, wall.spin());
    block.set(k, B::kN, m.n);
    block.of[B::kOverlap][k] = m.overlap;
    const double* kept = list.pool.at(contact);
    for (int h = 0; h < history(); ++h) block.scratch[h][k] = kept[h];
    if (queue.count == kBlock) evaluate(queue, pair, context, chunk, list);
  }

  void evaluate(WallQueue& queue, std::size_t pair, const KernelContext& context, Chunk& chunk,
                ContactList& list) const {
    ContactBlock& block = queue.block;
    block.history = block.scratch;
    const int count = queue.count, lanes = block.fill_up(count, history());
    const std::uint32_t felt = ~0u >> (kBlock - count);
    for (int k = 0; k < lanes; ++k) block.of[B::kTouch][k] = k < count;
    std::fill(queue.i + count, queue.i + lanes, queue.i[0]);
    block.open_sums(chunk.sums.contact);
    if (fused_ && context.dt > 0 && !context.record) {
      FusedCall call = fused_call(pair, context);
      call.lanes = lanes;
      call.next_history = &block.scratch[0][0];
      call.felt = felt;
      call.wall = true;
      fused_(call, block);
    } else {
      for (int k = 0; k < lanes; ++k) {
        block.of[B::kRstar][k] = block.of[B::kRi][k];
        block.of[B::kMstar][k] = 1 / block.of[B::kMi][k];
        block.of[B::kLeverI][k] = block.of[B::kRi][k] - context.overlap_share[pair] * block.of[B::kOverlap][k];
      }
      run_laws(pair, context, lanes, block);
      if constexpr (kLedger) book(block, lanes, bookings_);
    }
    if constexpr (kLedger) block.close_sums();
    moves_.give_at_wall(block, {queue.i, nullptr, lanes, nullptr, nullptr, nullptr, nullptr, felt},
                        {context.grid, context.state.sums(), chunk.large}, nullptr);
    for (int k = 0; k < count; ++k) {
      const std::uint32_t i = queue.i[k];
      double* kept = list.pool.at(queue.contact[k]);
      for (int h = 0; h < history(); ++h) kept[h] = block.scratch[h][k];
      const Vec3d force = block.vector(k, B::kForce);
      if (!context.feel_walls && context.walls[queue.wall[k]].at_rest) continue;
      feel_wall(queue, k, force, context, chunk);
      if (context.record)
        chunk.records.push_back({i, 0, queue.wall[k], queue.patch[k], block.vector(k, B::kN), force,
                                 laws().elongation(kept), block.of[B::kOverlap][k], block.of[B::kNormalForce][k],
                                 norm(block.vector(k, B::kTangentialForce))});
    }
    queue.count = 0;
  }

  // What a contact does to the wall, and what the wall puts in.
  void feel_wall(const WallQueue& queue, int k, const Vec3d& force, const KernelContext& context, Chunk& chunk) const {
    const WallState& wall = context.walls[queue.wall[k]];
    const Pose& pose = wall.pose;
    const Vec3d torque_w = queue.block.vector(k, B::kTorqueJ);
    if constexpr (kLedger) {  // torque_w is that of the rolling laws alone (no lever), so it works on the wall's spin
      const Vec3d v = wall.velocity_at(queue.point[k], queue.block.vector(k, B::kN));
      chunk.sums.wall_work += (dot(force, v) - dot(torque_w, wall.spin())) * context.dt;
    }
    if (context.feel_walls)
      chunk.on_walls.push_back({static_cast<std::uint32_t>(queue.wall[k]), -force,
                                torque_w - cross(queue.point[k] - pose.center - pose.shift, force)});
  }

  std::size_t materials_;
  std::vector<std::optional<Interaction>> table_;  // per ordered pair of materials
  std::size_t first_ = 0;                          // a pair that there is
  bool rolls_ = false, counts_ = false;
  unsigned bookings_ = 0;  // columns in use, one bit each
  std::vector<Stage> stages_;
  BlockStage geometry_ = pair_geometry(), kinematics_ = shared_kinematics();
  FusedStage fused_ = nullptr;
  BlockMoves moves_ = block_moves(kPeriodic);
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
