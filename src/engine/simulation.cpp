// The loop over stages: what happens when, in whole time steps. Spec section 13 (groups), blueprint "stages".
#include "areia/simulation.h"

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/backend.h"
#include "engine/time_step.h"

namespace areia {

namespace {

constexpr std::int64_t kRestInterval = 100;  // steps between tests for rest
constexpr std::int64_t kRestTests = 10;      // how many in a row must find rest

// Kinetic energy per particle that counts as rest: 1e-6 of what the mean particle gains by falling through its own
// diameter. Without gravity: 1e-9 of the initial kinetic energy per particle.
double default_rest_energy(const Scene& scene) {
  const SceneParticles& p = scene.particles;
  const Vec3d g = uniform_gravity(scene.settings);
  double weight = 0, kinetic = 0, n = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.prescribed[i]) continue;
    n += 1;
    weight += p.mass[i] * norm(g) * 2 * p.radius[i];
    kinetic += 0.5 * p.mass[i] * norm2(p.v[i]) + 0.5 * p.inertia[i] * norm2(p.w[i]);
  }
  if (n == 0) return 0;
  return weight > 0 ? 1e-6 * weight / n : 1e-9 * kinetic / n;
}

std::int64_t whole_steps(double duration, double dt) {
  const double n = duration / dt, nearest = std::round(n);
  return static_cast<std::int64_t>(std::fabs(n - nearest) < 1e-6 * std::max(1.0, nearest) ? nearest : std::ceil(n));
}

}  // namespace

struct Simulation::Parts {
  Scene scene;
  Choices choices;
  std::unique_ptr<Backend> backend;
  double rest_energy = 0;

  // progress through the stages
  std::size_t stage = 0;
  std::int64_t stage_first_step = 0;
  std::int64_t quiet_tests = 0;
  std::vector<double> stage_start;  // s, of the stages begun so far
  bool over = false;                // the present stage has ended; the next one begins with the next step
  bool done = false;

  const Case& settings() const { return scene.settings; }
  const Stage& present() const { return settings().stages[stage]; }
  std::int64_t stage_steps() const {
    return present().duration > 0 ? whole_steps(present().duration, choices.dt)
                                  : std::numeric_limits<std::int64_t>::max();
  }

  // Motions and fields tied to a stage start and stop when it begins; before that they wait.
  double resolved(double given, const std::string& stage_name) const {
    if (stage_name.empty()) return given;
    for (std::size_t k = 0; k < stage_start.size(); ++k)
      if (settings().stages[k].name == stage_name) return stage_start[k];
    return kForever;
  }
  Motion resolved(Motion m) const {
    m.start = resolved(m.start, m.start_stage);
    m.stop = resolved(m.stop, m.stop_stage);
    return m;
  }
  Schedule schedule() const {
    Schedule s;
    for (const SceneWall& w : scene.walls) s.wall_motion.push_back(resolved(w.motion));
    for (const Motion& m : scene.set_motion) s.set_motion.push_back(resolved(m));
    for (ForceField f : settings().fields) {
      f.start = resolved(f.start, f.start_stage);
      f.stop = resolved(f.stop, f.stop_stage);
      s.fields.push_back(f);
    }
    for (Flow f : settings().fluid.flows) {
      f.start = resolved(f.start, f.start_stage);
      f.stop = resolved(f.stop, f.stop_stage);
      s.flows.push_back(f);
    }
    return s;
  }

  void begin_stage() {
    stage_start.push_back(backend->time());
    stage_first_step = backend->step();
    quiet_tests = 0;
    backend->set_schedule(schedule());
    Change c;
    const Stage& s = present();
    for (const std::string& name : s.remove_walls)
      for (std::size_t w = 0; w < scene.walls.size(); ++w)
        if (scene.walls[w].name == name) c.remove_walls.push_back(static_cast<std::uint16_t>(w));
    auto groups = [&](const std::vector<std::string>& names, std::vector<std::uint16_t>& out) {
      for (const std::string& name : names)
        for (std::size_t k = 0; k < scene.groups.size(); ++k)
          if (scene.groups[k] == name) out.push_back(static_cast<std::uint16_t>(k));
    };
    groups(s.remove_groups, c.remove_groups);
    groups(s.release_groups, c.release_groups);
    groups(s.freeze_groups, c.freeze_groups);
    if (!s.name.empty()) c.make_bonds = bond_sets_of(settings(), s.name);
    if (!c.make_bonds.empty() || !c.remove_walls.empty() || !c.remove_groups.empty() || !c.release_groups.empty() ||
        !c.freeze_groups.empty())
      backend->apply(c);
  }

  // Called after each batch of steps: is the stage's time over, or all quiet?
  void test_for_end() {
    const std::int64_t in_stage = backend->step() - stage_first_step;
    over = in_stage >= stage_steps();
    if (!over && present().at_rest && backend->step() % kRestInterval == 0 && in_stage > 0) {
      const double limit = present().rest_energy > 0 ? present().rest_energy : rest_energy;
      const auto n = static_cast<double>(std::max<std::int64_t>(1, backend->free_count()));
      quiet_tests = backend->kinetic_energy() / n < limit ? quiet_tests + 1 : 0;
      over = quiet_tests >= kRestTests;
    }
    done = over && stage + 1 == settings().stages.size();
  }
};

Simulation::Simulation(const Case& c, Engine engine) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.scene = make_scene(c);
  p.choices = choose(p.scene);
  p.rest_energy = default_rest_energy(p.scene);
  const BackendSettings settings{p.choices.dt, p.choices.skin, p.choices.threads};
  p.backend =
      engine == Engine::reference ? make_reference_backend(p.scene, settings) : make_cpu_backend(p.scene, settings);
  p.stage_start.push_back(0);
  p.backend->set_schedule(p.schedule());
  p.backend->start();
  p.stage_start.clear();
  p.begin_stage();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

std::int64_t Simulation::advance(std::int64_t steps, bool show_contacts) {
  Parts& p = *parts_;
  std::int64_t taken = 0;
  while (taken < steps && !p.done) {
    if (p.over) {
      p.over = false;
      ++p.stage;
      p.begin_stage();
    }
    const std::int64_t left = p.stage_steps() - (p.backend->step() - p.stage_first_step);
    std::int64_t n = std::min(steps - taken, left);
    if (p.present().at_rest) n = std::min(n, kRestInterval - p.backend->step() % kRestInterval);
    const bool may_finish = p.stage + 1 == p.settings().stages.size() && (p.present().at_rest || n == left);
    p.backend->advance(n, may_finish || (show_contacts && taken + n == steps));
    taken += n;
    p.test_for_end();
  }
  return taken;
}

bool Simulation::finished() const { return parts_->done; }
Frame Simulation::frame() const {
  Frame f;
  parts_->backend->fill(f);
  f.title = parts_->settings().title;
  f.stage = parts_->present().name;
  return f;
}
const Case& Simulation::settings() const { return parts_->settings(); }
const Choices& Simulation::choices() const { return parts_->choices; }
Statistics Simulation::statistics() const {
  const BackendStatistics s = parts_->backend->statistics();
  return {s.rebuilds, s.pairs, s.contacts, s.bytes};
}
double Simulation::time() const { return parts_->backend->time(); }
double Simulation::dt() const { return parts_->choices.dt; }
std::int64_t Simulation::step() const { return parts_->backend->step(); }
std::int64_t Simulation::particle_count() const { return parts_->backend->particle_count(); }
double Simulation::kinetic_energy() const { return parts_->backend->kinetic_energy(); }
const std::string& Simulation::stage() const { return parts_->present().name; }

double Simulation::planned_time() const {
  const Parts& p = *parts_;
  double t = static_cast<double>(p.stage_first_step) * p.choices.dt;
  for (std::size_t k = p.stage; k < p.settings().stages.size(); ++k) t += p.settings().stages[k].duration;
  return t;
}

Archive Simulation::save() const {
  const Parts& p = *parts_;
  Archive a;
  p.backend->save(a);
  a.integer["stage"] = {static_cast<std::int64_t>(p.stage), p.stage_first_step, p.quiet_tests, p.over, p.done};
  a.real["stage_start"] = p.stage_start;
  a.real["choices"] = {p.choices.dt, p.choices.skin};
  return a;
}

void Simulation::load(const Archive& a) {
  Parts& p = *parts_;
  const auto stage = a.integer.find("stage");
  const auto start = a.real.find("stage_start"), choices = a.real.find("choices");
  if (stage == a.integer.end() || stage->second.size() != 5 || start == a.real.end() || choices == a.real.end() ||
      static_cast<std::size_t>(stage->second[0]) >= p.settings().stages.size() || choices->second.size() != 2)
    throw FileError("checkpoint does not belong to this case");
  if (choices->second[0] != p.choices.dt || choices->second[1] != p.choices.skin)
    throw FileError("checkpoint was written with another time step or skin than this case gives");
  p.stage = static_cast<std::size_t>(stage->second[0]);
  p.stage_first_step = stage->second[1];
  p.quiet_tests = stage->second[2];
  p.over = stage->second[3] != 0;
  p.done = stage->second[4] != 0;
  p.stage_start = start->second;
  p.backend->set_schedule(p.schedule());
  p.backend->load(a);
}

}  // namespace areia
