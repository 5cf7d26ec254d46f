// heartbeat.json of a results folder: how far its run is, for those who look on. Written again every other second while
// the run takes steps; what stays behind is the last sign of life. Nothing of the run depends on it, and a run that
// cannot write it goes on.
#pragma once
#include <filesystem>

#include "run/run.h"

namespace areia {

inline constexpr const char* kHeartbeatFile = "heartbeat.json";

class Heartbeat {
 public:
  explicit Heartbeat(std::filesystem::path results) : file_(std::move(results) / kHeartbeatFile) {}

  bool is_due(double wall) const { return wall - last_ >= kEvery; }
  // {"pid": .., "at": s since 1970, "step": .., "time": s, "planned": s or null, "steps_per_s": ..,
  //  "particle_steps_per_s": .., "seconds_left": s or null, "particles": .., "stage": ".."}
  void beat(const Progress& p);

 private:
  static constexpr double kEvery = 2;  // s of wall time
  std::filesystem::path file_;
  double last_ = -kEvery;
};

}  // namespace areia
