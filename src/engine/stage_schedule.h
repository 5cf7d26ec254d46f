// What a case wants of motions, fields, servos and flows, once it is known when its stages began.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cell.h"
#include "engine/servo.h"
#include "scene/scene.h"

namespace areia {

// Motions and fields tied to a stage start and stop when it begins; before that they wait.
struct Timetable {
  const Case& settings;
  const std::vector<double>& stage_start;  // s, of the stages begun so far

  double resolved(double given, const std::string& stage_name) const;
  // Anything that starts and stops at times or with stages.
  template <class Timed>
  Timed resolved(Timed of) const {
    of.start = resolved(of.start, of.start_stage);
    of.stop = resolved(of.stop, of.stop_stage);
    return of;
  }
  Motion resolved(Motion m) const {
    m = resolved<Motion>(std::move(m));
    for (Motion& next : m.then) next = resolved(std::move(next));
    return m;
  }
  template <class Plan>
  void acts_during(const Interval& when, Plan& p) const {
    const Interval known = resolved(when);
    p.start = known.start;
    p.stop = known.stop;
  }
  // Whether a part of the motion of a set is over because a stage has frozen it. One that begins with that stage or
  // later moves it from where it was frozen.
  bool is_stopped(std::size_t set, const Motion& m) const;
};

// By which servos choose their gains.
struct ServoEstimates {
  BedEstimate bed;    // of walls
  CellEstimate cell;  // of the cell
  double dt = 0;
};

// `gravity`: that was set while it ran, in place of the case's.
Schedule schedule_of(const Scene& scene, const Timetable& times, const ServoEstimates& estimates,
                     const std::optional<Vec3d>& gravity);

}  // namespace areia
