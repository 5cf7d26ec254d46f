// The commands of the program. Each adds itself to the command line and sets the exit code when it is called.
#pragma once
#include <CLI/CLI.hpp>

#include "areia/case_file.h"
#include "areia/error.h"

namespace areia::app {

// Exit codes of the program.
enum ExitCode { kDone = 0, kDefect = 1, kWrongInput = 2, kStopped = 3, kFiles = 4, kInterrupted = 130 };

// Does `work` on a case that was read with `places`: what only shows when the particles stand, such as an overlap, is
// told with its line in the case file too.
template <class Work>
auto with_places(const KeyPlaces& places, const Work& work) {
  try {
    return work();
  } catch (const InputError& e) {
    std::vector<Problem> problems = e.problems;
    for (Problem& p : problems)
      if (p.file.empty() && !p.key.starts_with("--")) locate(p, places);
    throw InputError(std::move(problems));
  }
}

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_small_commands(CLI::App& app, int& exit_code);  // new, examples, schema, reference, info

}  // namespace areia::app
