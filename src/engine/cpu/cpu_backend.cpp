// The cpu backend from outside: how it begins and goes on, what it shows, checkpoints.
#include "engine/cpu/cpu_backend.h"

#include <algorithm>

#include "areia/error.h"
#include "engine/cpu/cpu_shown.h"
#include "engine/cpu/cpu_snapshot.h"
#include "engine/images.h"
#include "engine/wear.h"
#include "motion/schemes.h"

namespace areia::cpu {

State::Uses columns_of(const Scene& scene, const Forces& forces, const Laws& laws) {
  const Scheme scheme = scene.settings.numerics.scheme;
  const bool trapezoid = scheme == Scheme::trapezoid, verlet = scheme == Scheme::velocity_verlet;
  const auto any = [](const auto& column) {
    return std::any_of(column.begin(), column.end(), [](auto one) { return one != 0; });
  };
  return {.outer = forces.any_outer(),
          .old_acceleration = verlet || trapezoid,
          .old_turning = verlet,
          .built_at = trapezoid || forces.distance().any(),
          .contacts_before = laws.counts,
          .charge = any(scene.particles.charge),
          .placed = any(scene.particles.prescribed),
          .committed = trapezoid && scene.settings.numerics.ledger};
}

CpuBackend::CpuBackend(const Scene& scene, const BackendSettings& settings)
    : world_(scene, settings.dt, settings.bookings, settings.forces),
      chunks_(settings.threads),
      laws_(scene),
      forces_(world_, state_, chunks_, laws_),
      lists_(world_, state_, chunks_, laws_, forces_, settings),
      bodies_(world_, state_, forces_, lists_),
      explicit_(world_, state_, chunks_, forces_, lists_, bodies_) {
  const Scheme scheme = scene.settings.numerics.scheme;
  if (scheme == Scheme::trapezoid) implicit_.emplace(world_, state_, chunks_, forces_, lists_, bodies_);

  const SceneParticles& p = scene.particles;
  state_.uses = columns_of(scene, forces_, laws_);
  state_.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const bool free = !p.prescribed[i];
    const double inv_j = p.turns[i] ? 1 / p.inertia[i] : 0;
    const Vec3d x = world_.periodicity().wrapped(p.x[i]);
    state_.position(i) = {x.x, x.y, x.z, p.radius[i]};
    state_.velocity(i) = {p.v[i].x, p.v[i].y, p.v[i].z, free ? 1 / p.mass[i] : 0};
    state_.spin[i] = {p.w[i].x, p.w[i].y, p.w[i].z, free ? inv_j : 0};
    state_.orientation[i] = p.q[i];
    state_.id[i] = static_cast<std::uint32_t>(i);
    state_.material[i] = p.material[i];
    state_.group[i] = p.group[i];
    state_.set[i] = p.set[i];
    state_.mass[i] = p.mass[i];
    if (state_.uses.charge) state_.charge[i] = p.charge[i];
    if (!free) state_.placed[i] = {p.x[i], p.q[i], inv_j};
  }
}

void CpuBackend::set_schedule(const Schedule& schedule) {
  world_.set_schedule(schedule);
  lists_.pick_walls();  // some may begin to move
  if (implicit_) implicit_->forget_forces();
}

void CpuBackend::set_step_times(const StepTimes& times) {
  forces_.bonds().flush();  // their last kick was one of the old length
  world_.set_step_times(times);
}

void CpuBackend::start() {
  world_.now().gravity = gravity_at(world_.schedule(), 0);  // fields that wait for a stage do not act yet
  forces_.bonds().start(bond_sets_of(world_.scene().settings, ""));
  world_.place_walls(0);
  place_prescribed(world_, state_, 0, [](std::size_t, const Vec3d&) {});
  lists_.begin();
  forces_.evaluate_as_given();
  if (world_.cell().deforms()) world_.now().cell.kinetic = sum_kinetic(world_, state_, chunks_);
  if (state_.uses.old_turning)
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const Pace<double> rate = forces_.rate(i);
      state_.old_acceleration[i] = rate.move;
      state_.old_turning[i] = rate.turn;
    }
  check(world_, state_, chunks_, bodies_);
  book_start(world_.now().ledger, forces_.stored_energy());
}

void CpuBackend::advance(std::int64_t steps, bool record) {
  if (implicit_) implicit_->advance(steps, record);
  else explicit_.advance(steps, record);
}

void CpuBackend::apply(const Change& change) {
  if (implicit_) implicit_->forget_forces();
  if (change.insert.empty()) lists_.close_up();  // new particles bring new lists by themselves
  world_.apply(change, bodies_);
}

Surroundings CpuBackend::surroundings(const Box& box) const {
  Surroundings s;
  const Periodicity& periodicity = world_.periodicity();
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < state_.size(); ++i) {
    if (state_.is_gone(i)) continue;
    const Vec4& p = state_.position(i);
    if (periodicity.any() || reaches_into(box, p.xyz(), p.w)) near.push_back(i);
  }
  std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });
  for (std::uint32_t i : near) add_images(s, periodicity, box, state_.position(i).xyz(), state_.position(i).w);
  for (const WallState& w : world_.now().walls) {
    s.wall_pose.push_back(w.pose);
    s.wall_present.push_back(w.present);
  }
  return s;
}

std::int64_t CpuBackend::free_count() const {
  return std::count_if(state_.moving.begin(), state_.moving.end(), [](const Twin& t) { return t.second.w > 0; });
}

BackendStatistics CpuBackend::statistics() const {
  BackendStatistics s;
  s.rebuilds = lists_.made();
  s.pickings = lists_.pickings();
  s.profile = explicit_.profile();
  if (implicit_) s.implicit = implicit_->driver().statistics();
  s.bytes = state_.bytes() + forces_.contacts().bytes();
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  for (const Chunk& c : chunks_.all) {
    s.pairs += c.row.back();
    s.bytes += size(c.row) + size(c.near) + size(c.mail) + c.walls.bytes();
    for (const ContactList& l : c.lists) {
      s.contacts += l.pool.touching();
      s.bytes += l.pool.bytes();
      for (const auto* lists : {&l.own, &l.across})
        for (const PairList& pairs : *lists) {
          s.contacts += pairs.contacts();
          s.near_pairs += pairs.count;
          s.bytes += sizeof pairs + pairs.bytes();
        }
    }
  }
  return s;
}

// ---- frames ----

void CpuBackend::fill(Frame& frame, const FrameChoice& choice) const {
  fill_frame(frame, choice, world_, Shown{state_, chunks_, forces_});
}

void CpuBackend::book_wear(WearBook& book) const {
  const WorldState& now = world_.now();
  const double back = kicks_once(world_.scene().settings.numerics.scheme) ? 0.5 * world_.dt() : 0;
  for (const Chunk& c : chunks_.all)
    for (const ContactRecord& r : c.records) {
      if (r.wall < 0) continue;
      const std::uint32_t i = r.i;
      const Vec3d a =
          acceleration_of(state_.velocity(i).w, state_.force(i).xyz() + forces_.outer_force(i), now.gravity);
      const Vec3d b = state_.spin[i].w * state_.torque(i).xyz();
      book.enter({state_.id[i], state_.position(i).xyz(), state_.velocity(i).xyz() - back * world_.axes().moving(a),
                  state_.spin[i].xyz() - back * world_.axes().turning(b), state_.position(i).w},
                 r.wall, r.patch, r.n, r.overlap, r.force, now.walls[static_cast<std::size_t>(r.wall)]);
    }
}

// ---- checkpoints ----

void CpuBackend::save(Archive& archive) const {
  Snapshot s;
  keep_particles(state_, s.particles);
  keep_contacts(state_, world_.scene(), chunks_, laws_, s.contacts);
  forces_.bonds().keep(s.bonds);
  s.world = world_.now();
  s.world.ledger = forces_.booked();
  if (implicit_) s.implicit = implicit_->kept();
  write(std::move(s), archive);
}

void CpuBackend::load(const Archive& archive) {
  const Snapshot s = read_snapshot(archive, world_.scene());
  chunks_.all.clear();
  take_over_particles(s.particles, state_);
  world_.go_on_from(s.world);
  world_.set_fields(time());
  forces_.bonds().take_over(s.bonds);
  if (implicit_ && !implicit_->load(s.implicit))
    throw FileError("the checkpoint does not belong to this case: its implicit steps have another size");
  lists_.begin(widest_gap(s.contacts, state_, world_));
  take_over_contacts(s.contacts, state_, world_.scene(), chunks_, laws_);
  forces_.contacts().address_letters();
  lists_.pick_walls();
}

}  // namespace areia::cpu

namespace areia {
std::unique_ptr<Backend> make_cpu_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<cpu::CpuBackend>(scene, settings);
}
}  // namespace areia
