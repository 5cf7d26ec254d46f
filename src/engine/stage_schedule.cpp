#include "engine/stage_schedule.h"

#include <algorithm>

#include "scene/loaded_box.h"

namespace areia {

double Timetable::resolved(double given, const std::string& stage_name) const {
  if (stage_name.empty()) return given;
  for (std::size_t k = 0; k < stage_start.size(); ++k)
    if (settings.stages[k].name == stage_name) return stage_start[k];
  return kForever;
}

bool Timetable::is_stopped(std::size_t set, const Motion& m) const {
  const ParticleSet& particles = settings.particles[set];
  const std::string& group = particles.group.empty() ? particles.name : particles.group;
  for (std::size_t k = stage_start.size(); k-- > 0;) {
    const std::vector<std::string>& frozen = settings.stages[k].freeze_groups;
    if (std::find(frozen.begin(), frozen.end(), group) == frozen.end()) continue;
    const double start = resolved(m.start, m.start_stage);
    return start < stage_start[k] || (start == stage_start[k] && m.start_stage.empty());
  }
  return false;
}

namespace {

struct Planner {
  const Scene& scene;
  const Timetable& times;
  const ServoEstimates& estimates;

  double gain_of(double given) const { return given > 0 ? given : automatic_gain(estimates.bed, estimates.dt); }

  LoadingPlan plan(const Loading& l) const {
    LoadingPlan p;
    p.name = l.name;
    const std::array<BoxSide, 3> sides = sides_of(scene.settings, l);
    for (std::size_t a = 0; a < 3; ++a) {
      p.axis[a] = {sides[a].low, sides[a].high, sides[a].first, l.axis[a].by,
                   l.axis[a].by == Loading::Axis::By::stress ? l.axis[a].stress : l.axis[a].strain_rate};
      if (sides[a].low < 0) continue;
      // walls that begin where another run has left them
      const auto begin = [&](int w) {
        return component(scene.walls[static_cast<std::size_t>(w)].begins.shift, static_cast<int>(a));
      };
      p.axis[a].first += begin(sides[a].high) - begin(sides[a].low);
    }
    p.max_speed = l.max_speed;
    p.gain = gain_of(l.gain);
    p.response = response_of(p.gain, estimates.bed.damping);
    times.acts_during(l.when, p);
    return p;
  }
  // Walls of a loading move outwards along its axes.
  void add_loadings(Schedule& s) const {
    for (const Loading& l : scene.settings.loading) {
      s.loading.push_back(plan(l));
      for (int a = 0; a < 3; ++a) {
        const LoadingPlan::Axis& axis = s.loading.back().axis[static_cast<std::size_t>(a)];
        const auto load = [&](int w, double outwards) {
          ServoPlan& servo = s.servo[static_cast<std::size_t>(w)];
          servo.on = servo.loaded = true;
          servo.axis = {};
          component(servo.axis, a) = outwards;
        };
        if (axis.low < 0) continue;
        load(axis.low, -1);
        load(axis.high, 1);
      }
    }
  }
  ServoPlan plan(const SceneWall& w) const {
    ServoPlan p;
    p.on = w.servo.on;
    if (!p.on) return p;
    p.axis = unit(w.servo.axis);
    p.target = w.servo.force.given() ? w.servo.force : w.servo.pressure;
    p.area = w.servo.force.given() ? 1 : w.servo.area;
    p.max_speed = w.servo.max_speed;
    p.gain = gain_of(w.servo.gain);
    p.response = response_of(p.gain, estimates.bed.damping);
    p.min_shift = w.servo.min_shift;
    p.max_shift = w.servo.max_shift;
    times.acts_during(w.servo.when, p);
    return p;
  }
  CellPlan plan(const CellLoad& load) const {
    CellPlan p;
    p.axes = load.axes;
    p.holds_stress = load.control == CellLoad::Control::stress;
    p.target = p.holds_stress ? load.stress : load.strain_rate;
    times.acts_during(load.when, p);
    if (!p.holds_stress) return p;
    p.max_rate = load.max_rate > 0 ? load.max_rate : automatic_rate(estimates.cell, load.stress);
    p.gain = load.gain * automatic_gain(estimates.cell, estimates.dt);
    p.response = response_of(p.gain, estimates.cell.damping);
    return p;
  }
};

}  // namespace

Schedule schedule_of(const Scene& scene, const Timetable& times, const ServoEstimates& estimates,
                     const std::optional<Vec3d>& gravity) {
  const Planner planner{scene, times, estimates};
  Schedule s;
  s.stage_start = times.stage_start;
  s.gravity = gravity;
  for (const SceneWall& w : scene.walls) {
    s.wall_motion.push_back(times.resolved(w.motion));
    s.servo.push_back(planner.plan(w));
    s.surface.push_back(w.surface);
    s.surface.back().when = times.resolved(w.surface.when);
  }
  planner.add_loadings(s);
  for (std::size_t k = 0; k < scene.set_motion.size(); ++k) {
    std::vector<Motion> parts = parts_of(scene.set_motion[k]);
    std::erase_if(parts, [&](const Motion& m) { return times.is_stopped(k, m); });
    s.set_motion.push_back(times.resolved(motion_of(parts)));
  }
  for (const ForceField& f : scene.settings.fields) s.fields.push_back(times.resolved(f));
  if (gravity) {
    std::erase_if(s.fields, is_uniform_gravity);
    s.fields.emplace_back().value = *gravity;
  }
  for (const Flow& f : scene.settings.fluid.flows) s.flows.push_back(times.resolved(f));
  for (const CellLoad& load : scene.settings.domain.loading) s.cell.push_back(planner.plan(load));
  return s;
}

}  // namespace areia
