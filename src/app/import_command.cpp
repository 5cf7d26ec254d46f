// areia import: cases of other programs as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "app/commands.h"
#include "app/print.h"
#include "areia/simulation.h"
#include "engine/prepare.h"
#include "io/case/pyparticles.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/particles/particle_csv.h"
#include "io/scripts/script_import.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string file, out, format = "auto";
  std::vector<std::string> variables;
  bool overwrite = false;
};

std::string text_of(const std::string& file) {
  std::string why;
  auto text = io::read_text_file(file, why);
  if (!text) throw InputError("import", file, "cannot read the case file: " + why);
  return std::move(*text);
}

std::map<std::string, std::string> variables_of(const Arguments& a) {
  std::map<std::string, std::string> variables;
  for (const std::string& v : a.variables) {
    const std::size_t equals = v.find('=');
    if (equals == std::string::npos || equals == 0) throw InputError("--var", v, "must have the form NAME=VALUE");
    variables[v.substr(0, equals)] = v.substr(equals + 1);
  }
  return variables;
}

ImportedCase import_file(const Arguments& a) {
  const std::string text = text_of(a.file);
  const bool script = a.format == "auto" ? !is_pyparticles_file(a.file) && is_script_file(a.file, text)
                                         : a.format == "lammps" || a.format == "liggghts";
  if (script)
    return import_script(text, a.file, {variables_of(a), a.out.empty() ? "" : fs::path(a.out).parent_path(), {}, {}});
  if (!a.variables.empty()) throw InputError("--var", a.variables[0], "only scripts have variables");
  if (a.format == "auto" && !is_pyparticles_file(a.file) && text.find("[Simulation Data]") == std::string::npos)
    throw InputError("import", a.file, "neither name nor content tells what it is; give --format");
  return import_pyparticles(text, a.file);
}

// The case file, after what `areia check` would say about it; what cannot be run is told now. A time step that contacts
// do not allow here is chosen instead.
std::string runnable_toml(ImportedCase& imported, const Arguments& a) {
  // files are named as seen from where the case will be
  const fs::path name = fs::path(a.out).parent_path() / (fs::path(a.file).filename().string() + " as TOML");
  for (;;) {
    std::string toml = imported_toml(imported, a.file);
    const Case c = parse_case(toml, name.string());
    try {
      const Simulation check(needs_preparation(c) ? without_packings(c) : c);
      return toml;
    } catch (const InputError& e) {
      const bool step =
          std::all_of(e.problems.begin(), e.problems.end(), [](const Problem& p) { return p.key == "numerics.dt"; });
      if (!step || imported.settings.numerics.dt == 0) throw;
      imported.notes.push_back(fmt::format("the time step is chosen: the script's, {:g} s, {}",
                                           imported.settings.numerics.dt, e.problems[0].rule));
      imported.settings.numerics.dt = 0;
    }
  }
}

int import(const Arguments& a) {
  if (!a.out.empty()) {
    std::error_code none;
    if (fs::equivalent(a.file, a.out, none))
      throw InputError("--out", a.out, "is the file to import; choose another name");
    refuse_existing(a.out, "--out", a.overwrite);
  }
  ImportedCase imported = import_file(a);
  const std::string toml = runnable_toml(imported, a);
  for (const std::string& w : imported.warnings) tell("warning: {}: {}\n", a.file, w);
  for (const std::string& n : imported.notes) tell("note: {}\n", n);
  for (const LeftOutLine& l : imported.left_out)
    tell("not taken over: {}:{}: {}\n    {}\n", l.file, l.line, l.text, l.reason);
  if (a.out.empty()) print("{}", toml);
  else write_file_atomically(a.out, toml);
  return kDone;
}

}  // namespace

void warn_about_unused(const KeyPlaces& places) {
  for (const std::string& table : places.unused)
    write_error(coloured(Colour::warning,
                         plain_text(fmt::format("warning: {} is used by no two things that can meet\n", table))));
}

void warn_about_import(const std::string& file) {
  if (!is_pyparticles_file(file)) return;
  for (const std::string& w : import_pyparticles(text_of(file), file).warnings) tell("warning: {}: {}\n", file, w);
}

void add_import(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("import", "turn a LAMMPS or LIGGGHTS script, or a case of PyParticles, into TOML");
  c->add_option("case", a->file, "input script (in.*, *.in, *.lmp, *.liggghts), or case of PyParticles (.ini)")
      ->type_name(kFile)
      ->required();
  c->add_option("--out", a->out, "case file to write; default: to the terminal")->type_name(kFile);
  c->add_option("--format", a->format, "what the file is; default: told by its name and content")
      ->check(CLI::IsMember({"auto", "lammps", "liggghts", "pyparticles"}));
  c->add_option("--var", a->variables, "NAME=VALUE: a variable of the script (repeatable)")->allow_extra_args(false);
  c->add_flag("--overwrite", a->overwrite, "replace the file to write if it is there");
  c->callback([a, &exit_code] { exit_code = import(*a); });
}

}  // namespace areia::app
