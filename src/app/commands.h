// The commands of the program. Each adds itself to the command line and sets the exit code when it is called.
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>

#include "areia/case_file.h"
#include "areia/error.h"
#include "io/case/located.h"

namespace areia::app {

// Exit codes of the program.
enum ExitCode { kDone = 0, kDefect = 1, kWrongInput = 2, kStopped = 3, kFiles = 4, kInterrupted = 130 };

// Types of values, as help and manual write them: they tell a shell what to offer (command_words.h).
inline constexpr char kFile[] = "FILE", kFolder[] = "FOLDER", kSetting[] = "KEY=VALUE", kExample[] = "EXAMPLE";

// CLI::Number takes `nan` and `inf`.
inline CLI::Validator finite_number() {
  return {[](const std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && !std::isfinite(value) ? "must be a finite number" : "";
          },
          "finite"};
}

// What a file of another program says that this one takes otherwise, to stderr.
void warn_about_import(const std::string& file);

// Contact tables that serve nothing, to stderr.
void warn_about_unused(const KeyPlaces& places);

// Reads a case and hands it to f; problems that f finds get the file and line of their key.
template <class F>
auto with_case(const std::string& file, const std::vector<std::string>& set, F&& f) {
  KeyPlaces places;
  Case c = read_case(file, set, &places);
  warn_about_import(file);
  warn_about_unused(places);
  return located(places, [&] { return f(std::move(c)); });
}

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_film(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_studio(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_materials(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_impact(CLI::App& app, int& exit_code);          // planar collisions: solve, models, random
void add_impact_lab(CLI::App& app, int& exit_code);      // run, plot, compare, characteristic of `areia impact`
void add_small_commands(CLI::App& app, int& exit_code);  // new, examples, schema, reference, info
void add_shell_commands(CLI::App& app, int& exit_code);  // man, completion
void add_doctor(CLI::App& app, int& exit_code);

}  // namespace areia::app
