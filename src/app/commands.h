// The commands of the program. Each adds itself to the command line and sets the exit code when it is called.
#pragma once
#include <CLI/CLI.hpp>

namespace areia::app {

// Exit codes of the program.
enum ExitCode { kDone = 0, kWrongInput = 2, kStopped = 3, kFiles = 4, kInterrupted = 130 };

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_small_commands(CLI::App& app, int& exit_code);  // new, examples, schema, reference, info

}  // namespace areia::app
