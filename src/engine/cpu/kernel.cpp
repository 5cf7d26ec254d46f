#include "engine/cpu/kernel.h"

#include <algorithm>

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
  }

 private:
  static void book(LedgerSums& sums, const Booking<double>& b) {
    sums.contact.elastic += b.elastic;
    sums.contact.damping += b.damping;
    sums.contact.tangential += b.tangential;
    sums.contact.tangential_damper += b.tangential_damper;
    sums.contact.rolling += b.rolling;
  }

  // Closes the record of a contact that has opened.
  static void open(const typename Law::Pair& p, double r_star, double overlap, std::int32_t& contact, ContactPool& pool,
                   LedgerSums& sums) {
    if constexpr (kLedger) book(sums, Law::open(p, r_star, overlap, pool.at(contact)));
    pool.give_back(contact);
    contact = -1;
  }

  // Overlap one step ago of a contact that is new now: back along the relative velocity of the last move. The
  // velocities of velocity_verlet are predictions for the end of the step; its move was at v - a dt/2.
  static double overlap_before(const KernelContext& context, const Touch<double>& t, const Vec3d& v_i,
                               const Vec3d& v_j, const Vec3d& a_i, const Vec3d& a_j) {
    return t.overlap - context.dt * dot((v_i - v_j) - (0.5 * context.dt) * (a_i - a_j), t.n);
  }
  static Vec3d old_acceleration(const State& s, std::uint32_t i) {
    return s.old_acceleration.empty() ? Vec3d{} : s.old_acceleration[i];
  }

  static ContactRecord record(std::uint32_t i, std::uint32_t j, int wall, int patch, const Touch<double>& t,
                              const Outcome<double>& out, const double* history) {
    Vec3d spring;
    if constexpr (Law::kFriction) spring = {history[2], history[3], history[4]};
    return {i, j, wall, patch, t.n, out.force, spring, t.overlap, out.normal, norm(out.tangential)};
  }

  void pairs(const KernelContext& context, Chunk& chunk, ContactList& list) const {
    State& s = context.state;
    std::uint32_t outgoing = 0;
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
      const std::uint32_t first = list.row[i - chunk.begin], last = list.row[i - chunk.begin + 1];
      if (first == last) continue;
      const Vec4 xi = s.position[i], vi = s.velocity[i], wi = s.spin[i];
      const Body<double> body_i{vi.xyz(), wi.xyz(), xi.w, vi.w, wi.w};
      const std::size_t table_row = s.material[i] * materials_;
      Vec3d force, torque;
      for (std::uint32_t e = first; e < last; ++e) {
        const std::uint32_t j = list.j[e];
        const bool own = j - chunk.begin < chunk.end - chunk.begin;
        const std::uint32_t letter = own ? 0 : list.inbox[outgoing++];
        const Vec4 xj = s.position[j];
        Vec3d d = xj.xyz() - xi.xyz();
        if constexpr (kPeriodic) d = context.periodicity.nearest(d);
        const double reach = xi.w + xj.w;
        const double distance2 = norm2(d);
        if (!(distance2 < reach * reach)) {
          if (list.contact[e] >= 0) {
            const double overlap = reach - std::sqrt(distance2);
            open(table_[table_row + s.material[j]], xi.w * xj.w / reach, overlap, list.contact[e], list.pool,
                 chunk.sums);
          }
          if (!own) context.letter_full[letter] = 0;
          continue;
        }
        const std::size_t pair = table_row + s.material[j];
        const double distance = std::sqrt(distance2);
        Touch<double> t;
        // coincident centres have no direction: a fixed one (and the overlap check stops the run)
        t.n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
        t.overlap = reach - distance;
        t.r_star = xi.w * xj.w / reach;
        const double share = context.overlap_share[pair];
        t.lever_i = xi.w - share * t.overlap;
        t.lever_j = xj.w - (share > 0 ? 1 - share : 0.0) * t.overlap;
        const Vec4 vj = s.velocity[j], wj = s.spin[j];
        const Body<double> body_j{vj.xyz(), wj.xyz(), xj.w, vj.w, wj.w};
        if (list.contact[e] < 0) {
          list.contact[e] = list.pool.take();
          Law::begin(table_[pair], t.r_star,
                     overlap_before(context, t, body_i.v, body_j.v, old_acceleration(s, i), old_acceleration(s, j)),
                     list.pool.at(list.contact[e]));
        }
        const Outcome<double> out =
            Law::template evaluate<kLedger>(table_[pair], t, body_i, body_j, context.dt, list.pool.at(list.contact[e]));
        if (t.overlap > context.max_overlap * std::min(xi.w, xj.w)) chunk.failed = std::min(chunk.failed, s.id[i]);
        if constexpr (kLedger) {
          book(chunk.sums, out.booking);
          if (vi.w == 0) chunk.sums.wall_work -= prescribed_power(out, body_i, t.lever_i * t.n) * context.dt;
          if (vj.w == 0) chunk.sums.wall_work += prescribed_power(out, body_j, -t.lever_j * t.n) * context.dt;
        }
        force += out.force;
        torque += out.torque_i;
        if (own) {
          s.force[j] -= out.force;
          s.torque[j] += out.torque_j;
        } else {
          context.letters[letter] = {-out.force, out.torque_j};
          context.letter_full[letter] = 1;
        }
        if (context.record)
          chunk.records.push_back(record(i, j, -1, 0, t, out, list.pool.at(list.contact[e])));
      }
      s.force[i] += force;
      s.torque[i] += torque;
    }
  }

  // Power of the force on i at the material point of a prescribed body (arm from its centre): what it puts in.
  static double prescribed_power(const Outcome<double>& out, const Body<double>& body, const Vec3d& arm) {
    return dot(out.force, body.v + cross(body.w, arm));
  }

  void walls(const KernelContext& context, Chunk& chunk, ContactList& list) const {
    State& s = context.state;
    for (WallEntry& entry : list.walls) {
      const WallState& wall = context.walls[entry.wall];
      const std::uint32_t i = entry.i;
      const Vec4 xi = s.position[i];
      const typename Law::Pair& p = table_[s.material[i] * materials_ + context.scene.walls[entry.wall].material];
      WallPoint at;
      if (wall.present)
        at = std::visit([&](const auto& shape) { return closest_point(shape, entry.patch, wall.pose.to_body(xi.xyz())); },
                        context.scene.walls[entry.wall].shape);
      const double overlap = at.found ? xi.w - at.distance : 0;
      if (!(overlap > 0)) {
        if (entry.contact >= 0) open(p, xi.w, overlap, entry.contact, list.pool, chunk.sums);
        continue;
      }
      Touch<double> t;
      t.n = rotate(wall.pose.q, at.n);
      t.overlap = overlap;
      t.r_star = xi.w;
      const double share =
          context.overlap_share[s.material[i] * materials_ + context.scene.walls[entry.wall].material];
      t.lever_i = xi.w - share * overlap;
      t.lever_j = 0;
      const Vec3d point = xi.xyz() + at.distance * t.n;
      const Vec4 vi = s.velocity[i], wi = s.spin[i];
      const Body<double> body_i{vi.xyz(), wi.xyz(), xi.w, vi.w, wi.w};
      const Body<double> body_w{wall.pose.velocity_at(point), wall.pose.w, 0, 0, 0};
      if (entry.contact < 0) {
        entry.contact = list.pool.take();
        Law::begin(p, t.r_star, overlap_before(context, t, body_i.v, body_w.v, old_acceleration(s, i), {}),
                   list.pool.at(entry.contact));
      }
      const Outcome<double> out =
          Law::template evaluate<kLedger>(p, t, body_i, body_w, context.dt, list.pool.at(entry.contact));
      if (overlap > context.max_overlap * xi.w) chunk.failed = std::min(chunk.failed, s.id[i]);
      if constexpr (kLedger) {
        book(chunk.sums, out.booking);
        // torque_j at a wall is that of the rolling law alone (no lever), so it works on the wall's spin
        chunk.sums.wall_work += (dot(out.force, body_w.v) - dot(out.torque_j, body_w.w)) * context.dt;
      }
      s.force[i] += out.force;
      s.torque[i] += out.torque_i;
      WallSum& sum = chunk.wall_sums[entry.wall];
      sum.force -= out.force;
      sum.torque += out.torque_j - cross(point - wall.pose.center - wall.pose.shift, out.force);
      if (context.record)
        chunk.records.push_back(record(i, 0, entry.wall, entry.patch, t, out, list.pool.at(entry.contact)));
    }
  }

  std::size_t materials_;
  std::vector<typename Law::Pair> table_;
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
