#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "areia/case_file.h"
#include "core/suggest.h"
#include "io/case/case_tree.h"
#include "io/case/contacts.h"
#include "io/case/places.h"
#include "io/case/pyparticles.h"
#include "io/case/stage_settings.h"
#include "io/case/start_files.h"
#include "io/case/toml_text.h"
#include "io/particles/particle_csv.h"
#include "io/schema/schema.h"
#include "io/scripts/script_import.h"
#include "scene/case_facts.h"

namespace areia {
namespace io {
namespace {

constexpr std::size_t kMostMaterials = 256;

// --- after reading: what one key says about another -----------------------------------------------------------------
void check_names(const Case& c, Reader& reader) {
  // Material names stand in "A-B" and wall names serve as material names: no dash in them. All names appear in paths
  // and in names of columns and files.
  const auto check = [&](const std::string& path, const std::string& name, bool dash) {
    bool good = !name.empty() && name.size() <= 100;
    for (const char ch : name)
      good = good && ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' ||
                      (dash && ch == '-') || static_cast<unsigned char>(ch) >= 0x80);
    if (good) return;
    Problem p{"", 0, path, "", fmt::format("a name consists of letters, digits and `_`{}", dash ? " and `-`" : "")};
    reader.locate(p);
    reader.problems.push_back(std::move(p));
  };
  for (const Material& m : c.materials) check("materials." + m.name, m.name, false);
  for (const Wall& w : c.walls) check("walls." + w.name, w.name, false);
  for (const ParticleSet& s : c.particles) {
    check("particles." + s.name, s.name, true);
    if (s.group != s.name) check("particles." + s.name + ".group", s.group, true);
  }
  for (const BondSet& b : c.bonds) check("bonds." + b.name, b.name, true);
  for (const Loading& l : c.loading) check("loading." + l.name, l.name, true);
  for (const ForceField& f : c.fields) check("fields." + f.name, f.name, true);
  for (const Flow& f : c.fluid.flows) check("fluid.flows." + f.name, f.name, true);
  for (const DistanceForce& f : c.forces) check("forces." + f.name, f.name, true);
}

void complete(Case& c, Reader& reader) {
  for (std::size_t k = 0; k < c.stages.size(); ++k)
    if (c.stages[k].name.empty()) c.stages[k].name = fmt::format("stage{}", k + 1);
  for (ParticleSet& set : c.particles) {
    if (set.group.empty()) set.group = set.name;
    // Only prescribed particles have a motion, so it need not be said twice.
    if (set.motion.kind != Motion::Kind::fixed && !reader.knows("particles." + set.name + ".prescribed"))
      set.prescribed = true;
  }
  check_names(c, reader);
  for (const Wall& w : c.walls) {
    if (!w.material.empty()) continue;
    const bool taken =
        std::any_of(c.materials.begin(), c.materials.end(), [&](const Material& m) { return m.name == w.name; });
    if (!taken) {
      Material rigid;
      rigid.name = w.name;
      rigid.rigid = true;
      c.materials.push_back(std::move(rigid));
    } else {
      Problem p{"", 0, "walls." + w.name, "",
                fmt::format("without `material` the wall is a rigid material of its own name, but there is a material "
                            "`{}` already; give `material` or another name",
                            w.name)};
      reader.locate(p);
      reader.problems.push_back(std::move(p));
    }
  }
}

// Whether one of the keys is `key`, encloses it or lies within it.
bool concerns(const std::set<std::string>& keys, const std::string& key) {
  for (std::size_t end = key.size(); end != std::string::npos && end > 0; end = key.rfind('.', end - 1))
    if (keys.contains(key.substr(0, end))) return true;
  const auto below = keys.lower_bound(key + ".");
  return below != keys.end() && below->starts_with(key + ".");
}

// Problems of the finished case, except where reading has complained about the same key.
void add_validation(const Case& c, const std::string& name, Reader& reader) {
  std::set<std::string> told(reader.excused.begin(), reader.excused.end());
  for (const Problem& p : reader.problems) told.insert(p.key);
  std::set<std::pair<std::string, std::string>> seen;
  for (Problem& p : validate(c)) {
    const std::string key = p.key;
    reader.locate(p);
    if (p.file.empty()) p.file = name;
    if (concerns(told, key) || concerns(told, p.key)) continue;
    if (seen.emplace(p.key, p.rule).second) reader.problems.push_back(std::move(p));
  }
}

// The settings of stages, one after the other, and what they make of the case.
void check_stage_settings(const Case& c, const std::string& name, Reader& reader) {
  if (!any_settings(c)) return;
  Case changed = c;
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    if (c.stages[k].set.empty()) continue;
    const std::string path = fmt::format("stages[{}].set", k + 1);
    std::vector<Problem> found = apply_settings(changed, c.stages[k].set, path);
    if (found.empty())
      for (const Problem& p : validate(changed))
        found.push_back({"", 0, path, p.value, fmt::format("{}: {}", p.key, p.rule)});
    for (Problem& p : found) {
      reader.locate(p);
      if (p.file.empty()) p.file = name;
      reader.problems.push_back(std::move(p));
    }
    if (!found.empty()) return;
  }
}

}  // namespace
}  // namespace io

void locate(Problem& p, const KeyPlaces& places) {
  io::locate_key(p, places.aliases, [&](const std::string& key) -> std::optional<KeyPlace> {
    const auto found = places.keys.find(key);
    if (found == places.keys.end()) return std::nullopt;
    return found->second;
  });
  if (p.file.empty()) p.file = places.file;
}

Case io::read_tree(const toml::table& root, const std::string& name, Reader& reader, KeyPlaces* places) {
  Case c;
  read_table(case_table(), c, root, reader, "");
  if (!c.start.from.empty())
    for (Problem& p : take_start(c, reader.folder(), reader.excused)) {
      reader.locate(p);
      reader.problems.push_back(std::move(p));
    }
  if (c.materials.size() + c.walls.size() > kMostMaterials) {
    reader.problems.push_back({name, 0, "materials", std::to_string(c.materials.size() + c.walls.size()),
                               fmt::format("at most {} materials and walls", kMostMaterials)});
  } else {
    complete(c, reader);
    resolve_contacts(c, reader);
    add_validation(c, name, reader);
    if (reader.problems.empty()) check_stage_settings(c, name, reader);
    for (Stage& s : c.stages) s.set = for_each_pair(c, s.set);
  }
  if (!reader.problems.empty()) {
    std::stable_sort(reader.problems.begin(), reader.problems.end(), [&](const Problem& a, const Problem& b) {
      return std::tuple(a.file != name, a.file, a.line) < std::tuple(b.file != name, b.file, b.line);
    });
    throw InputError(std::move(reader.problems));
  }
  if (places) *places = reader.places(name);
  return c;
}

Case parse_case(std::string_view text, const std::string& name, const std::vector<std::string>& overrides,
                KeyPlaces* places) {
  using namespace io;
  toml::table root = parse_toml(text, name);
  Reader reader(std::filesystem::path(name).parent_path());
  if (root.source().path) reader.add_source(root.source().path, text);
  Overrides set(root, reader);
  for (const std::string& o : overrides) set.apply(o);
  return read_tree(root, name, reader, places);
}

io::CaseText io::read_case_text(const std::filesystem::path& file) {
  std::string why;
  auto text = read_text_file(file, why);
  if (!text) throw InputError(std::vector<Problem>{{file.string(), 0, "", "", "cannot read the case file: " + why}});
  if (is_pyparticles_file(file.string()))
    return {to_toml(import_pyparticles(*text, file.string()).settings), file.string() + " as TOML"};
  if (is_script_name(file.string()))
    throw InputError(std::vector<Problem>{
        {file.string(), 0, "", "", "is a script of LAMMPS or LIGGGHTS by its name; areia import makes a case of it"}});
  return {std::move(*text), file.string()};
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides, KeyPlaces* places) {
  const auto [text, name] = io::read_case_text(file);
  return parse_case(text, name, overrides, places);
}

}  // namespace areia
