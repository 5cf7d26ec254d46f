#include "engine/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <variant>

#include "areia/error.h"
#include "engine/cuda/plugin.h"
#include "engine/wall_contacts.h"
#include "motion/schemes.h"
#include "physics/material_pair.h"

namespace areia::cuda {

namespace {
using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

// f(), with what goes wrong on the device as the end of the run; the last checkpoint stands. `when` is empty where
// nobody knows the time yet.
template <class F>
auto asking_device(const std::string& when, std::int64_t particles, F&& f) {
  constexpr const char* kGoOn = "`--resume` with `--engine cpu` goes on from the last checkpoint";
  try {
    return f();
  } catch (const DeviceFull& e) {
    throw StoppedError(
        fmt::format("{}the device has too little memory for {} particles: {}; {}", when, particles, e.what(), kGoOn));
  } catch (const DeviceFault& e) {
    throw StoppedError(fmt::format("{}the device gave up: {}; {}", when, e.what(), kGoOn));
  }
}
template <class F>
auto asking_device(const World& world, F&& f) {
  return asking_device(fmt::format("at t = {:.9g} s ", world.time()), world.now().count.ids, f);
}
}  // namespace

std::vector<std::string> what_a_device_lacks(const Case& c) {
  std::vector<std::string> lacks;
  const auto lack = [&](bool is, std::string_view what) {
    if (is) lacks.emplace_back(what);
  };
  lack(c.numerics.collisions == Collisions::hard, "numerics.engine = \"events\"");
  lack(c.numerics.scheme == Scheme::trapezoid || c.numerics.scheme == Scheme::velocity_verlet,
       "numerics.scheme: a device knows drift_kick, kick_drift and forward_euler");
  // They lose a grain at the end of a step, which a device cannot take back.
  lack(forces_first(c.numerics.scheme) && c.domain.bounded && c.domain.rule != DomainRule::open,
       "domain.rule with kick_drift or forward_euler");
  lack(!c.bonds.empty(), "bonds");
  lack(!c.forces.empty(), "forces at a distance");
  lack(!c.domain.loading.empty(), "domain.loading");
  lack(!c.loading.empty(), "loading");
  lack(c.fluid.drag != Fluid::Drag::none || c.fluid.magnus != 0 || c.fluid.buoyancy, "fluid");
  for (const ForceField& f : c.fields) {
    lack(!is_uniform_gravity(f), fmt::format("fields.{}: only gravity that acts everywhere", f.name));
  }
  for (const Wall& w : c.walls) {
    lack(std::holds_alternative<MeshShape>(w.shape), fmt::format("walls.{}: a mesh", w.name));
    lack(w.servo.on, fmt::format("walls.{}.servo", w.name));
  }
  for (const ParticleSet& s : c.particles)
    lack(s.motion.kind != Motion::Kind::fixed, fmt::format("particles.{}.motion", s.name));
  return lacks;
}

DeviceCase device_case(const Scene& scene, const BackendSettings& settings) {
  const Case& c = scene.settings;
  const std::size_t n = scene.materials.size();
  DeviceCase d;
  d.materials = static_cast<int>(n);
  d.laws.resize(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const MaterialPair materials{scene.materials[a], scene.materials[b]};
      if (c.numerics.lever == Lever::deformed) d.share.push_back(overlap_share_of_i(materials));
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0) continue;
      const Interaction laws(c.contacts[k], materials);
      d.laws[a * n + b] = plain_laws(laws, c.contacts[k]);
      d.counts = d.counts || laws.shares() || laws.rolls();
    }
  d.ledger = c.numerics.ledger;
  d.scheme = c.numerics.scheme;
  d.domain = c.domain;
  d.exact_rotation = c.numerics.exact_rotation;
  d.max_overlap = c.numerics.max_overlap;
  d.skin = settings.skin;
  d.most_skin = std::max(settings.skin, settings.most_skin);
  d.bookings = settings.bookings;
  d.forces = settings.forces;
  const std::size_t walls = scene.walls.size();
  for (const SceneWall& w : scene.walls) {
    d.shapes.push_back(*plain_shape(w.shape));
    d.wall_material.push_back(w.material);
    d.wall_turns.push_back(turns(w.motion));
  }
  d.may_go_on.resize(n * walls * walls);
  for (std::size_t grain = 0; grain < n; ++grain) {
    const auto goes_on = goes_on_for(scene, grain);
    for (std::size_t from = 0; from < walls; ++from)
      for (std::size_t to = 0; to < walls; ++to)
        d.may_go_on[(grain * walls + from) * walls + to] =
            goes_on(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
  }
  return d;
}

CudaBackend::CudaBackend(const Scene& scene, const BackendSettings& settings, const MakeDevice& make)
    : scene_(scene),
      cpu_(make_cpu_backend(scene, settings)),
      world_(scene, settings.dt, settings.bookings, settings.forces) {
  const DeviceCase c = device_case(scene, settings);
  asking_device("", world_.now().count.ids, [&] {
    device_ = make(c);
    use_.name = device_->name();
  });
}

// --- where the state is ---

void CudaBackend::to_device() {
  if (on_device_) return;
  const auto began = Clock::now();
  Archive state;
  cpu_->save(state);
  snapshot_ = read_snapshot(state, scene_);
  world_.go_on_from(snapshot_.world);
  asking_device(world_, [&] {
    device_->load(snapshot_.particles, snapshot_.contacts, {world_.now().walls.begin(), world_.now().walls.end()});
  });
  on_device_ = true;
  ++use_.handovers;
  use_.handover_seconds += seconds_since(began);
}

void CudaBackend::bring_snapshot(bool kept) const {
  asking_device(world_, [&] { device_->save(snapshot_.particles, snapshot_.contacts, kept); });
  snapshot_.world = kept ? world_kept_ : world_.now();
}

void CudaBackend::to_host() const {
  if (!on_device_) return;
  const auto began = Clock::now();
  bring_snapshot(kept_);
  on_device_ = false;
  Archive state;
  write(std::move(snapshot_), state);
  snapshot_ = {};
  cpu_->load(state);
  if (kept_) cpu_->advance(1, true);
  kept_ = false;
  ++use_.handovers;
  use_.handover_seconds += seconds_since(began);
}

// --- steps ---

// Whether a servo moves some wall.
bool CudaBackend::leads_walls() const {
  const auto& servos = world_.schedule().servo;
  return !world_.schedule().loading.empty() ||
         std::any_of(servos.begin(), servos.end(), [](const ServoPlan& s) { return s.on; });
}

// Of a step, counted from the next one.
double CudaBackend::time_of_forces(std::int64_t step) const {
  return world_.time_after(step + (forces_first(scene_.settings.numerics.scheme) ? 0 : 1));
}

// So many of the next steps are of a kind that a device takes: up to the next one at which kinetic energy is asked for,
// and while gravity stays or turns. Where it is switched, the change counts as stored energy; the cpu engine does that.
std::int64_t CudaBackend::steps_for_device(std::int64_t most) const {
  if (leads_walls()) return 0;
  std::int64_t n = 0;
  Vec3d before = world_.now().gravity;
  while (n < most) {
    const double t = time_of_forces(n);
    const Vec3d g = gravity_at(world_.schedule(), t);
    if (!(g == before) && !gravity_turns(world_.schedule(), t)) break;
    before = g;
    ++n;
    if ((world_.now().count.step + n) % 100 == 0) break;
  }
  return n;
}

std::int64_t CudaBackend::run_on_device(std::int64_t steps) {
  const Schedule& schedule = world_.schedule();
  const bool moving =
      std::any_of(schedule.wall_motion.begin(), schedule.wall_motion.end(),
                  [](const Motion& m) { return m.kind != Motion::Kind::fixed; }) ||
      std::any_of(schedule.surface.begin(), schedule.surface.end(), [](const Surface& s) { return s.moves(); });
  DeviceBatch batch{steps, world_.dt(), world_.now().gravity, {}, {}, {}};
  for (std::int64_t k = 0; k < steps; ++k) {
    const double t = time_of_forces(k);
    batch.gravity.push_back(gravity_at(schedule, t));
    batch.turns.push_back(gravity_turns(schedule, t));
    if (k > 0 && !moving) continue;
    world_.place_walls(t);
    batch.walls.insert(batch.walls.end(), world_.now().walls.begin(), world_.now().walls.end());
  }
  const auto began = Clock::now();
  const DeviceResult result = asking_device(world_, [&] { return device_->advance(batch); });
  LedgerSums& ledger = world_.now().ledger;
  GridSum* const sums[] = {
      &ledger.contact.elastic, &ledger.contact.damping,  &ledger.contact.tangential, &ledger.contact.tangential_damper,
      &ledger.contact.rolling, &ledger.contact.adhesion, &ledger.wall_work,          &ledger.field_work};
  for (std::size_t k = 0; k < result.booked.size(); ++k) *sums[k] += result.booked[k];
  for (std::int64_t k = 0; k < result.taken; ++k) world_.finish_step([&] { return kinetic_energy(); });
  if (result.taken > 0) {
    world_.now().gravity = batch.gravity[result.taken - 1];
    if (moving) world_.place_walls(time_of_forces(-1));
  }
  use_.steps += result.taken;
  use_.seconds += seconds_since(began);
  if (result.failed >= 0) {
    bring_snapshot(false);
    const SnapshotParticles& p = snapshot_.particles;
    const std::size_t k = std::lower_bound(p.id.begin(), p.id.end(), result.failed) - p.id.begin();
    world_.stop_blown_up(p.id[k], p.x[k], p.radius[k], p.v[k]);
  }
  return result.taken;
}

void CudaBackend::advance(std::int64_t steps, bool record) {
  kept_ = false;
  for (std::int64_t left = steps; left > 0;) {
    if (!on_device_ && !leads_walls()) to_device();
    if (std::int64_t n = on_device_ ? steps_for_device(left) : 0; n > 0) {
      if (record && n == left && left > 1) n = left - 1;
      if (record && left == 1) {
        asking_device(world_, [&] { device_->keep(); });
        world_kept_ = world_.now();
      }
      if (const std::int64_t taken = run_on_device(n); taken > 0) {
        left -= taken;
        kept_ = record && left == 0;
        continue;
      }
    }
    to_host();
    cpu_->advance(1, record && left == 1);
    --left;
  }
}

// --- what is done by the cpu engine ---

void CudaBackend::start() { cpu_->start(); }

void CudaBackend::set_schedule(const Schedule& schedule) {
  to_host();
  cpu_->set_schedule(schedule);
  world_.set_schedule(schedule);
}

void CudaBackend::set_step_times(const StepTimes& times) {
  if (kept_) to_host();  // its last step was one of the old length
  cpu_->set_step_times(times);
  world_.set_step_times(times);
}

void CudaBackend::apply(const Change& change) {
  to_host();
  cpu_->apply(change);
}

Surroundings CudaBackend::surroundings(const Box& box) const {
  to_host();
  return cpu_->surroundings(box);
}

void CudaBackend::fill(Frame& frame, const FrameChoice& choice) const {
  to_host();
  cpu_->fill(frame, choice);
}

void CudaBackend::book_wear(WearBook& book) const {
  to_host();
  cpu_->book_wear(book);
}

double CudaBackend::kinetic_energy() const {
  if (!on_device_) return cpu_->kinetic_energy();
  const DeviceKinetic e = asking_device(world_, [&] { return device_->kinetic_energy(); });
  return e.moving + e.turning;
}

double CudaBackend::unrest(double limit) const {
  if (on_device_) {  // all of it, or that of motion alone, may decide
    const DeviceKinetic e = asking_device(world_, [&] { return device_->kinetic_energy(); });
    if (e.moving + e.turning < limit || e.moving >= limit) return e.moving + e.turning;
  }
  to_host();
  return cpu_->unrest(limit);
}

std::int64_t CudaBackend::particle_count() const {
  return on_device_ ? static_cast<std::int64_t>(snapshot_.particles.size()) : cpu_->particle_count();
}

std::int64_t CudaBackend::free_count() const {
  if (!on_device_) return cpu_->free_count();
  const auto& prescribed = snapshot_.particles.prescribed;
  return particle_count() - std::count_if(prescribed.begin(), prescribed.end(), [](auto p) { return p != 0; });
}

BackendStatistics CudaBackend::statistics() const {
  BackendStatistics s = cpu_->statistics();
  const DeviceStatistics d = device_->statistics();
  s.rebuilds += d.rebuilds;
  if (on_device_) s.pairs = d.pairs;
  s.device = use_;
  s.device.bytes = d.bytes;
  return s;
}

void CudaBackend::save(Archive& archive) const {
  if (!on_device_) return cpu_->save(archive);
  bring_snapshot(false);
  Snapshot copy = snapshot_;
  write(std::move(copy), archive);
}

void CudaBackend::load(const Archive& archive) {
  on_device_ = kept_ = false;
  cpu_->load(archive);
}

}  // namespace areia::cuda

namespace areia {
std::unique_ptr<Backend> make_cuda_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<cuda::CudaBackend>(
      scene, settings, settings.bookkeeping.device_on_host ? cuda::make_host_engine : cuda::make_device_engine);
}
}  // namespace areia
