// A run with a results folder: frames, series, checkpoints, log and summary, resumable at any moment.
#pragma once
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "areia/case.h"
#include "areia/simulation.h"
#include "engine/prepare.h"
#include "engine/ranks/link.h"

namespace areia {

struct Progress {
  double time = 0, planned_time = 0;
  std::int64_t step = 0, particles = 0;
  double wall = 0;  // s since the start of this process's run
  double steps_per_s = 0, particle_steps_per_s = 0, seconds_left = 0;
  double kinetic = 0;
  std::string stage;
};

struct RunOptions {
  std::filesystem::path out;
  bool resume = false, overwrite = false;
  Engine engine = Engine::cpu;
  ranks::Link* link = nullptr;                  // to the ranks that take part; null: there are none
  int threads = 0;                              // 0: as the case says
  bool profile = false;                         // measure where the time goes; part of the summary
  double max_wall = 0;                          // s; 0: no limit
  std::optional<double> checkpoint_wall;        // s; overrides the case
  const std::atomic<int>* interrupt = nullptr;  // non-zero: write a checkpoint and stop
  std::atomic<int>* checkpoint_now = nullptr;   // non-zero: write a checkpoint and go on; set back to zero
  bool accept_gaps = false;                     // resume although lines of series are lost
  double extend = 0;                            // s; > 0: resume with a stage of this duration after the last one
  std::function<void()> begins;                 // all is set up, and the first step comes
  std::function<void(const std::string&)> log;  // every line that also goes to log.txt
  std::function<void(const Progress&)> progress;
  std::function<void(const PackingProgress&)> packing_progress;
  std::optional<std::filesystem::path> cache;  // folder in which packings are kept for other runs (packing_cache.h)
};

// A part of the time of a run: its key in the summary, and what it is in words.
struct ProfilePart {
  const char *key, *words;
};
inline constexpr std::array kProfileParts{
    ProfilePart{"neighbour_lists", "finding neighbours"},
    ProfilePart{"near_pairs", "picking near pairs"},
    ProfilePart{"forces", "forces (where nothing but contacts and gravity acts: the whole step)"},
    ProfilePart{"motion", "moving particles"},
    ProfilePart{"walls_and_fields", "walls, fields, checks"},
    ProfilePart{"other_steps",
                "other work of steps (all of it with implicit steps, hard spheres, the reference engine)"},
    ProfilePart{"frames_and_series", "waiting for frames and series"},
    ProfilePart{"checkpoints", "checkpoints"}};

enum class Ending { finished, interrupted, out_of_time };

struct RunResult {
  Ending ending = Ending::finished;
  nlohmann::json summary;
  bool was_finished = false;  // there was nothing left to resume
};

// Runs a case into options.out, or, with options.resume, continues what is there (the case is then read from the
// folder and `c` is ignored). Throws InputError, StoppedError, FileError.
RunResult run_case(Case c, const RunOptions& options);

}  // namespace areia
