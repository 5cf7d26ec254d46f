// areia materials: published properties by name, with their sources.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "app/commands.h"
#include "app/print.h"
#include "core/suggest.h"
#include "scene/material_library.h"

namespace areia::app {

namespace {

std::string density_text(const LibraryMaterial& m) { return m.density > 0 ? fmt::format("{:g}", m.density) : "-"; }

std::string source_text(std::string_view key) {
  const LibrarySource& s = library_source(key);
  return s.doi.empty() ? std::string(s.text) : fmt::format("{}, doi:{}", s.text, s.doi);
}

int list() {
  print("{:<18} {:>14} {:>12} {:>8}  {}\n", "material", "density kg/m^3", "young GPa", "poisson", "source");
  for (const LibraryMaterial& m : library_materials())
    print("{:<18} {:>14} {:>12.4g} {:>8g}  {}\n", m.name, density_text(m), m.young / 1e9, m.poisson, m.elastic);
  print("\n{:<34} {:>11} {:>8}  {}\n", "pair", "restitution", "friction", "source");
  for (const LibraryPair& p : library_pairs())
    print("{:<34} {:>11g} {:>8g}  {}\n", p.name(), p.restitution, p.friction, p.source);
  print("\nareia materials NAME tells more; in a case: [materials.grain] with library = \"NAME\"\n");
  return kDone;
}

int show(const std::string& name) {
  const LibraryMaterial* m = find_library_material(name);
  if (!m) {
    std::vector<std::string> known;
    for (const LibraryMaterial& one : library_materials()) known.emplace_back(one.name);
    throw InputError("materials", name, "no such material" + suggestion(name, known) + "; areia materials lists them");
  }
  print("{}: {}\n", m->name, m->what);
  print("  young   {:.6g} Pa\n  poisson {:g}\n    {}\n", m->young, m->poisson, source_text(m->elastic));
  if (m->density > 0) print("  density {:g} kg/m^3\n    {}\n", m->density, source_text(m->dense));
  else print("  density is not in the library: give it in the case\n");
  for (const LibraryPair& p : library_pairs()) {
    if (p.a != name && p.b != name) continue;
    print("  {}: restitution {:g}, friction {:g} ({})\n    {}\n", p.name(), p.restitution, p.friction, p.what,
          source_text(p.source));
  }
  print("\nIn a case:\n\n[materials.grain]\nlibrary = \"{}\"\n", m->name);
  if (m->density == 0) print("density = \"... kg/m^3\"\n");
  if (find_library_pair(name, name)) print("\n[contacts.grain-grain]\nlibrary = \"{0}-{0}\"\n", m->name);
  return kDone;
}

// docs/materials.md
int page() {
  print(
      "# Material library\n\n"
      "Made by `areia materials --markdown`. Published elastic constants, densities, restitutions and coefficients of\n"
      "friction, with their sources. How to use them is told in the [guide](guide.md#material-library).\n\n"
      "| Material | What | Density (kg/m^3) | Young's modulus (GPa) | Poisson's ratio | Elastic constants | Density |\n"
      "|---|---|---|---|---|---|---|\n");
  std::vector<std::string_view> sources;
  const auto cite = [&](std::string_view key) {
    if (!key.empty() && std::find(sources.begin(), sources.end(), key) == sources.end()) sources.push_back(key);
  };
  for (const LibraryMaterial& m : library_materials()) {
    print("| `{}` | {} | {} | {:.4g} | {:g} | {} | {} |\n", m.name, m.what, density_text(m), m.young / 1e9, m.poisson,
          m.elastic, m.dense.empty() ? "-" : m.dense);
    cite(m.elastic);
    cite(m.dense);
  }
  print("\n| Pair | Restitution | Friction | What was measured | Source |\n|---|---|---|---|---|\n");
  for (const LibraryPair& p : library_pairs()) {
    print("| `{}` | {:g} | {:g} | {} | {} |\n", p.name(), p.restitution, p.friction, p.what, p.source);
    cite(p.source);
  }
  print(
      "\nA `-` means that no source is cited: the case has to give the value. Young's modulus of quartz "
      "follows from\nits bulk and shear modulus, 37 and 44 GPa.\n\n## Sources\n\n");
  for (const std::string_view key : sources) print("- **{}**: {}\n", key, source_text(key));
  return kDone;
}

}  // namespace

void add_materials(CLI::App& app, int& exit_code) {
  auto name = std::make_shared<std::string>();
  auto markdown = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("materials", "list published properties of materials, or show those of one");
  c->add_option("name", *name, "material");
  c->add_flag("--markdown", *markdown, "the page of the manual");
  c->callback([=, &exit_code] { exit_code = *markdown ? page() : name->empty() ? list() : show(*name); });
}

}  // namespace areia::app
