// areia import: case files of other programs as TOML.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/print.h"
#include "io/case/pyparticles.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/particles/particle_csv.h"

namespace areia::app {

namespace {

ImportedCase import_file(const std::string& file) {
  std::string why;
  const auto text = io::read_text_file(file, why);
  if (!text) throw InputError("import", file, "cannot read the case file: " + why);
  return import_pyparticles(*text, file);
}

int import(const std::string& file, const std::string& out, bool overwrite) {
  if (!out.empty()) {
    std::error_code none;
    if (std::filesystem::equivalent(file, out, none))
      throw InputError("--out", out, "is the file to import; choose another name");
    refuse_existing(out, "--out", overwrite);
  }
  const ImportedCase imported = import_file(file);
  for (const std::string& w : imported.warnings) tell("warning: {}: {}\n", file, w);
  const std::string toml = to_toml(imported.settings);
  parse_case(toml, file + " as TOML");  // what cannot be run is told now
  if (out.empty()) print("{}", toml);
  else write_file_atomically(out, toml);
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
  for (const std::string& w : import_file(file).warnings) tell("warning: {}: {}\n", file, w);
}

void add_import(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("import", "turn a case of PyParticles (.ini) into TOML");
  c->add_option("case", *file, "case file (.ini)")->required();
  c->add_option("--out", *out, "case file to write; default: to the terminal");
  auto overwrite = std::make_shared<bool>(false);
  c->add_flag("--overwrite", *overwrite, "replace the file to write if it is there");
  c->callback([=, &exit_code] { exit_code = import(*file, *out, *overwrite); });
}

}  // namespace areia::app
