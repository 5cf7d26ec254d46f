// areia import: case files of other programs as TOML.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/commands.h"
#include "io/case/pyparticles.h"
#include "io/files/atomic_file.h"
#include "io/particles/particle_csv.h"

namespace areia::app {

namespace {

ImportedCase import_file(const std::string& file) {
  std::string why;
  const auto text = io::read_text_file(file, why);
  if (!text) throw InputError("import", file, "cannot read the case file: " + why);
  return import_pyparticles(*text, file);
}

int import(const std::string& file, const std::string& out) {
  const ImportedCase imported = import_file(file);
  for (const std::string& w : imported.warnings) fmt::print(stderr, "warning: {}: {}\n", file, w);
  const std::string toml = to_toml(imported.settings);
  parse_case(toml, file + " as TOML");  // what cannot be run is told now
  if (out.empty()) fmt::print("{}", toml);
  else write_file_atomically(out, toml);
  return kDone;
}

}  // namespace

void warn_about_import(const std::string& file) {
  if (!is_pyparticles_file(file)) return;
  for (const std::string& w : import_file(file).warnings) fmt::print(stderr, "warning: {}: {}\n", file, w);
}

void add_import(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("import", "turn a case of PyParticles (.ini) into TOML");
  c->add_option("case", *file, "case file (.ini)")->required();
  c->add_option("--out", *out, "case file to write; default: to the terminal");
  c->callback([=, &exit_code] { exit_code = import(*file, *out); });
}

}  // namespace areia::app
