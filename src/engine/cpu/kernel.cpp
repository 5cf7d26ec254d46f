#include "engine/cpu/kernel.h"

#include <algorithm>
#include <memory>

#include "engine/cpu/contact_block.h"
#include "physics/laws.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

bool same_laws(const ContactPair& a, const ContactPair& b) {
  auto name = [](const LawChoice& c) { return c.law == "none" ? std::string() : c.law; };
  return name(a.normal) == name(b.normal) && name(a.tangential) == name(b.tangential) &&
         name(a.rolling) == name(b.rolling);
}

namespace {

template <class Law, bool kLedger, bool kPeriodic>
class KernelOf final : public Kernel {
 public:
  KernelOf(const Scene& scene, const ContactPair& like) : materials_(scene.materials.size()) {
    table_.resize(materials_ * materials_);
    for (std::size_t a = 0; a < materials_; ++a)
      for (std::size_t b = 0; b < materials_; ++b) {
        const std::int32_t k = scene.contact_index(a, b);
        if (k < 0 || !same_laws(scene.settings.contacts[k], like)) continue;
        table_[a * materials_ + b] =
            Law::prepare(scene.settings.contacts[k], MaterialPair{scene.materials[a], scene.materials[b]});
      }
  }

  int history() const override { return Law::kHistory; }

  void run(const KernelContext& context, Chunk& chunk, ContactList& list) const override {
    pairs(context, chunk, list);
    walls(context, chunk, list);
    if (!list.meshes.entries.empty()) meshes(context, chunk, list);
  }

  void stored(const KernelContext& context, const Chunk& chunk, const ContactList& list,
              Energy& energy) const override {
    const State& s = context.state;
    auto add = [&](const typename Law::Pair& p, double r_star, const double* history) {
      energy.elastic_normal += Law::normal_energy(p, r_star, history);
      energy.elastic_tangential += Law::tangential_energy(p, r_star, history);
    };
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
      for (std::uint32_t e = list.row[i - chunk.begin]; e < list.row[i - chunk.begin + 1]; ++e) {
        if (list.contact[e] < 0) continue;
        const std::uint32_t j = list.j[e];
        const double ri = s.position[i].w, rj = s.position[j].w;
        add(table_[s.material[i] * materials_ + s.material[j]], ri * rj / (ri + rj), list.pool.at(list.contact[e]));
      }
    for (const WallEntry& w : list.walls)
      if (w.contact >= 0)
        add(table_[s.material[w.i] * materials_ + context.scene.walls[w.wall].material], s.position[w.i].w,
            list.pool.at(w.contact));
    for (const MeshEntry& m : list.meshes.entries)
      for (std::int32_t k = m.record; k >= 0; k = list.meshes.records[k].next)
        add(table_[s.material[m.i] * materials_ + context.scene.walls[m.wall].material], s.position[m.i].w,
            list.pool.at(list.meshes.records[k].contact));
  }

 private:
  // Closes the record of a contact that has opened. Seldom needed: kept out of the loop over the list.
  [[gnu::noinline]] static void open(const typename Law::Pair& p, double r_star, double overlap, std::int32_t& contact,
                                     ContactPool& pool, LedgerSums& sums) {
    if constexpr (kLedger) sums.contact += Law::open(p, r_star, overlap, pool.at(contact));
    pool.give_back(contact);
    contact = -1;
  }

  // The velocity with which a particle moved to where it is: a contact that is new now was open one step back along
  // it. velocity_verlet holds predictions for the end of the step here; it moved at v - a dt/2.
  static Vec3d velocity_of_last_move(const KernelContext& context, std::uint32_t i) {
    const State& s = context.state;
    if (s.old_acceleration.empty()) return s.velocity[i].xyz();
    return s.velocity[i].xyz() - (0.5 * context.dt) * s.old_acceleration[i];
  }

  // Opens the record of a pair that touches now. Seldom needed: kept out of the loop over the list.
  [[gnu::noinline]] void close_up(const KernelContext& context, std::size_t pair, std::uint32_t i, std::uint32_t j,
                                  const Vec3d& d, ContactList& list, std::int32_t& contact) const {
    const double ri = context.state.position[i].w, rj = context.state.position[j].w, distance = norm(d);
    const Vec3d n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
    const Vec3d v = velocity_of_last_move(context, i) - velocity_of_last_move(context, j);
    contact = list.pool.take();
    Law::begin(table_[pair], ri * rj / (ri + rj), ri + rj - distance - context.dt * dot(v, n), list.pool.at(contact));
  }

  static ContactRecord record(std::uint32_t i, std::uint32_t j, int wall, int patch, const Vec3d& n, double overlap,
                              const Vec3d& force, double normal, const Vec3d& tangential, const double* history) {
    Vec3d spring;
    if constexpr (Law::kFriction) spring = {history[2], history[3], history[4]};
    return {i, j, wall, patch, n, force, spring, overlap, normal, norm(tangential)};
  }

  using Block = ContactBlock<Law>;
  static constexpr std::uint32_t kAhead = 16;  // entries of the list between asking for a position and using it

  // Walks the list: closes contacts that have opened and puts the touching pairs into blocks, one open block for each
  // pair of materials. The order in which forces are added follows from the list alone.
  void pairs(const KernelContext& context, Chunk& chunk, ContactList& list) const {
    const State& s = context.state;
    const Vec4 *const position = s.position.data(), *const velocity = s.velocity.data(), *const spin = s.spin.data();
    const std::uint16_t* const material = s.material.data();
    const std::uint32_t* const partner = list.j.data();
    const std::uint32_t* inbox = list.inbox.data();
    std::int32_t* const contact = list.contact.data();
    const std::uint32_t begin = chunk.begin, size = chunk.end - chunk.begin;
    const double max_overlap = context.max_overlap;
    const auto final = static_cast<std::uint32_t>(list.j.size()) - 1;  // not used when there is none
    static thread_local std::vector<Block> blocks;  // kept by the thread: no allocation from the second step on
    blocks.resize(table_.size());
    for (std::uint32_t i = begin; i < chunk.end; ++i) {
      const Vec4& xi = position[i];
      const std::size_t table_row = material[i] * materials_;
      const std::uint32_t last = list.row[i - begin + 1];
      for (std::uint32_t e = list.row[i - begin]; e < last; ++e) {
        __builtin_prefetch(&position[partner[std::min(e + kAhead, final)]]);
        const std::uint32_t j = partner[e];
        const std::uint32_t letter = j - begin < size ? Block::kOwn : *inbox++;
        const Vec4& xj = position[j];
        Vec3d d{xj.x - xi.x, xj.y - xi.y, xj.z - xi.z};
        if constexpr (kPeriodic) d = context.periodicity.nearest(d);
        const double reach = xi.w + xj.w;
        const double distance2 = norm2(d);
        const std::size_t pair = table_row + material[j];
        const bool touching = distance2 < reach * reach;
        if (touching != (contact[e] >= 0)) [[unlikely]] {
          if (touching) close_up(context, pair, i, j, d, list, contact[e]);
          else open(table_[pair], xi.w * xj.w / reach, reach - std::sqrt(distance2), contact[e], list.pool, chunk.sums);
        }
        if (letter != Block::kOwn) context.letter_full[letter] = touching;
        const double closest = reach - max_overlap * std::min(xi.w, xj.w);
        if (distance2 < closest * closest) [[unlikely]]
          chunk.failed = std::min(chunk.failed, s.id[i]);
        // Whether a pair touches is hard to foretell, so there is no branch: the place of a pair that does not is taken
        // by the next one.
        Block& block = blocks[pair];
        block.put(i, j, letter, contact[e], d);
        block.count += touching;
        // needed when the block is full
        __builtin_prefetch(&velocity[j]);
        __builtin_prefetch(&spin[j]);
        __builtin_prefetch(list.pool.at(std::max(contact[e], 0)));
        if (block.count == kBlock) evaluate(block, pair, context, chunk, list);
      }
    }
    for (std::size_t pair = 0; pair < table_.size(); ++pair)
      if (blocks[pair].count > 0) evaluate(blocks[pair], pair, context, chunk, list);
  }

  // The law over a full block; then forces, histories and bookings go where they belong, in the block's order.
  void evaluate(Block& block, std::size_t pair, const KernelContext& context, Chunk& chunk, ContactList& list) const {
    State& s = context.state;
    block.gather(s, list.pool);
    evaluate_(table_[pair], context.dt, context.overlap_share[pair], block.fill_up(), block);
    const auto& out = block.out;
    Vec3d *const force_on = s.force.data(), *const torque_on = s.torque.data();
    LedgerSums sums = chunk.sums;  // in registers
    for (int k = 0; k < block.count; ++k) {
      const std::uint32_t i = block.i[k], j = block.j[k];
      double* history = list.pool.at(block.contact[k]);
      for (int h = 0; h < Law::kHistory; ++h) history[h] = block.history.of[h][k];
      const Vec3d force = out.vector(k, Block::kForce), torque_j = out.vector(k, Block::kTorqueJ);
      force_on[i] += force;
      torque_on[i] += out.vector(k, Block::kTorqueI);
      if constexpr (Law::kRolls) ++s.contacts[i];
      if (block.letter[k] == Block::kOwn) {
        force_on[j] -= force;
        torque_on[j] += torque_j;
        if constexpr (Law::kRolls) ++s.contacts[j];
      } else {
        context.letters[block.letter[k]] = {-force, torque_j};
      }
      if constexpr (kLedger) {
        sums.contact += block.booking(k);
        // a prescribed particle puts in the power of the force on i at its material point
        if (block.in.of[Block::kMi][k] == 0)
          sums.wall_work -= power(force, s, i, out.of[Block::kLeverI][k] * out.vector(k, Block::kN)) * context.dt;
        if (block.in.of[Block::kMj][k] == 0)
          sums.wall_work += power(force, s, j, -out.of[Block::kLeverJ][k] * out.vector(k, Block::kN)) * context.dt;
      }
      if (context.record)
        chunk.records.push_back(record(i, j, -1, 0, out.vector(k, Block::kN), out.of[Block::kOverlap][k], force,
                                       out.of[Block::kNormal][k], out.vector(k, Block::kTangential), history));
    }
    chunk.sums = sums;
    block.count = 0;
  }

  // Power of a force at the material point of a body (arm from its centre).
  static double power(const Vec3d& force, const State& s, std::uint32_t i, const Vec3d& arm) {
    return dot(force, s.velocity[i].xyz() + cross(s.spin[i].xyz(), arm));
  }

  void walls(const KernelContext& context, Chunk& chunk, ContactList& list) const {
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
      meet_wall(entry.i, entry.wall, entry.patch, at, entry.contact, context, chunk, list);
    }
  }

  void meshes(const KernelContext& context, Chunk& chunk, ContactList& list) const {
    static thread_local MeshWork mesh_work;  // kept by the thread: no allocation from the second step on
    const State& s = context.state;
    for (MeshEntry& entry : list.meshes.entries) {
      const Vec4& xi = s.position[entry.i];
      run_mesh_entry(
          *context.scene.walls[entry.wall].mesh, list.meshes, entry, context.walls[entry.wall].pose.to_body(xi.xyz()),
          xi.w, xi.w, mesh_work,
          [&](int patch, const WallPoint& at, std::int32_t& contact) {
            meet_wall(entry.i, entry.wall, patch, at, contact, context, chunk, list);
          },
          [&](double overlap, std::int32_t& contact) {
            open(table_[s.material[entry.i] * materials_ + context.scene.walls[entry.wall].material], xi.w, overlap,
                 contact, list.pool, chunk.sums);
          });
    }
  }

  void meet_wall(std::uint32_t i, int wall_index, int patch, const WallPoint& at, std::int32_t& contact,
                 const KernelContext& context, Chunk& chunk, ContactList& list) const {
    State& s = context.state;
    const WallState& wall = context.walls[wall_index];
    const Vec4 xi = s.position[i];
    const std::size_t pair = s.material[i] * materials_ + context.scene.walls[wall_index].material;
    const typename Law::Pair& p = table_[pair];
    const double overlap = at.found ? xi.w - at.distance : 0;
    if (!(overlap > 0)) {
      if (contact >= 0) open(p, xi.w, overlap, contact, list.pool, chunk.sums);
      return;
    }
    Touch<double> t;
    t.n = rotate(wall.pose.q, at.n);
    t.overlap = overlap;
    t.r_star = xi.w;
    t.lever_i = xi.w - context.overlap_share[pair] * overlap;
    t.lever_j = 0;
    const Vec3d point = xi.xyz() + at.distance * t.n;
    const Vec4 vi = s.velocity[i], wi = s.spin[i];
    const Body<double> body_i{vi.xyz(), wi.xyz(), xi.w, vi.w, wi.w, double(s.contacts_before[i])};
    const Body<double> body_w{wall.pose.velocity_at(point), wall.pose.w, 0, 0, 0, 0};
    if (contact < 0) {
      contact = list.pool.take();
      Law::begin(p, t.r_star, overlap - context.dt * dot(velocity_of_last_move(context, i) - body_w.v, t.n),
                 list.pool.at(contact));
    }
    const Outcome<double> out =
        Law::template evaluate<kLedger>(p, t, body_i, body_w, context.dt, list.pool.at(contact));
    if (overlap > context.max_overlap * xi.w) chunk.failed = std::min(chunk.failed, s.id[i]);
    if constexpr (kLedger) {
      chunk.sums.contact += out.booking;
      // torque_j at a wall is that of the rolling law alone (no lever), so it works on the wall's spin
      chunk.sums.wall_work += (dot(out.force, body_w.v) - dot(out.torque_j, body_w.w)) * context.dt;
    }
    s.force[i] += out.force;
    s.torque[i] += out.torque_i;
    if constexpr (Law::kRolls) ++s.contacts[i];
    WallSum& sum = chunk.wall_sums[wall_index];
    sum.force -= out.force;
    sum.torque += out.torque_j - cross(point - wall.pose.center - wall.pose.shift, out.force);
    if (context.record)
      chunk.records.push_back(
          record(i, 0, wall_index, patch, t.n, overlap, out.force, out.normal, out.tangential, list.pool.at(contact)));
  }

  std::size_t materials_;
  std::vector<typename Law::Pair> table_;
  EvaluateBlock<Law> evaluate_ = evaluate_for_this_cpu<Law, kLedger>();
};

}  // namespace

std::unique_ptr<Kernel> make_kernel(const Scene& scene, const ContactPair& like, bool ledger, bool periodic) {
  std::unique_ptr<Kernel> kernel;
  with_interaction(like, [&]<class Law>(Law) {
    if (ledger && periodic) kernel = std::make_unique<KernelOf<Law, true, true>>(scene, like);
    if (ledger && !periodic) kernel = std::make_unique<KernelOf<Law, true, false>>(scene, like);
    if (!ledger && periodic) kernel = std::make_unique<KernelOf<Law, false, true>>(scene, like);
    if (!ledger && !periodic) kernel = std::make_unique<KernelOf<Law, false, false>>(scene, like);
  });
  return kernel;
}

}  // namespace areia::cpu
