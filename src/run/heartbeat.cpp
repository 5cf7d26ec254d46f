#include "run/heartbeat.h"

#include <unistd.h>

#include <cmath>
#include <ctime>

#include "areia/error.h"
#include "io/files/atomic_file.h"

namespace areia {

void Heartbeat::beat(const Progress& p) {
  using nlohmann::json;
  last_ = p.wall;
  const auto told = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  const json text{{"pid", ::getpid()},
                  {"at", std::time(nullptr)},
                  {"step", p.step},
                  {"time", p.time},
                  {"planned", told(p.planned_time)},
                  {"steps_per_s", told(p.steps_per_s)},
                  {"particle_steps_per_s", told(p.particle_steps_per_s)},
                  {"seconds_left", told(p.seconds_left)},
                  {"particles", p.particles},
                  {"stage", p.stage}};
  try {
    AtomicFile file(file_);
    file.write(text.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
    file.commit(AtomicFile::Lasting::no);  // waiting for the disk would cost the run more than the news is worth
  } catch (const FileError&) {}
}

}  // namespace areia
