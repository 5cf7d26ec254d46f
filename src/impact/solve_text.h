// Collisions as JSON text, in the shape of the reference cases: `cases[]`, each with its data and `runs[]`. The answer
// is the same text with a `result` in each run (docs/impact.md has the shape).
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "areia/error.h"

namespace areia::impact {

struct SolveReport {
  std::size_t cases = 0, runs = 0;
  std::size_t ok = 0, separating = 0, unsolved = 0;  // of the runs
  std::size_t passed_on = 0;                         // cases of other kinds (trajectories), left as they are
};

struct SolveOptions {
  bool approaching = false;  // a contact that separates is wrong input, not a status
};

// Checks all of the text before `write` is called for the first time; throws InputError with all problems (at most a
// hundred), each with file, line and key.
SolveReport solve_text(std::string_view text, const std::string& file, const SolveOptions& options,
                       const std::function<void(std::string_view)>& write);

}  // namespace areia::impact
