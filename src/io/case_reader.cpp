#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <set>
#include <tuple>

#include "areia/case_file.h"
#include "core/suggest.h"
#include "io/contacts.h"
#include "io/particle_csv.h"
#include "io/places.h"
#include "io/pyparticles.h"
#include "io/schema.h"

namespace areia {
namespace io {
namespace {

constexpr int kDeepestKey = 16;
constexpr std::size_t kMostMaterials = 256;

// The TOML library limits nested values, but not the parts of a dotted key, each of which opens a table; destroying
// thousands of tables inside each other overflows the stack. Counts the dots that join parts of a key.
bool has_deep_key(std::string_view text) {
  int dots = 0;
  bool after_part = false, after_space = false;
  for (const char c : text) {
    const bool part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == '-' || c == '"' || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
    if (c == ' ' || c == '\t') {
      after_space = true;
    } else if (c == '.' && after_part) {
      if (++dots > kDeepestKey) return true;
      after_part = after_space = false;
    } else if (part) {
      if (after_part && after_space) dots = 0;  // two words without a dot between them are no key
      after_part = true;
      after_space = false;
    } else {
      dots = 0;
      after_part = after_space = false;
    }
  }
  return false;
}

[[noreturn]] void fail(const std::string& file, int line, std::string value, std::string rule) {
  throw InputError(std::vector<Problem>{{file, line, "", std::move(value), std::move(rule)}});
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  if (has_deep_key(text)) fail(name, 0, "", fmt::format("a key has more than {} parts", kDeepestKey));
  try {
    return toml::parse(text, std::string_view(name));
  } catch (const toml::parse_error& e) {
    const int line = static_cast<int>(e.source().begin.line);
    std::string_view rest = text;
    for (int k = 1; k < line && !rest.empty(); ++k) {
      const std::size_t end = rest.find('\n');
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    std::string quote(rest.substr(0, std::min<std::size_t>(rest.find_first_of("\r\n"), 80)));
    for (char& c : quote)  // what is not valid may not even be text
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
    fail(name, line, std::move(quote), fmt::format("is not valid TOML: {}", e.description()));
  }
}

// --- overrides ------------------------------------------------------------------------------------------------------
class Overrides {
 public:
  Overrides(toml::table& root, Reader& reader) : root_(root), reader_(reader) {}

  void apply(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string path = text.substr(0, equals);
    if (equals == std::string::npos || path.empty()) return problem(text, "", "must have the form path=value");
    const std::string value = text.substr(equals + 1);

    toml::table* parent = &root_;
    std::size_t begin = 0;
    for (int depth = 0;; ++depth) {
      const std::size_t dot = path.find('.', begin);
      std::string part = path.substr(begin, dot == std::string::npos ? dot : dot - begin);
      if (part.empty() || depth > kDeepestKey) return problem(path, value, "is not the path of a key");
      if (dot == std::string::npos) return assign(*parent, part, path, value);
      parent = step(*parent, part, path, begin, dot);
      if (!parent) return problem(path, value, fmt::format("`{}` is not there, or is not a table", part));
      if (begin == std::string::npos) return problem(path, value, "is not the path of a key");
    }
  }

 private:
  void problem(const std::string& key, const std::string& value, std::string rule) {
    reader_.problems.push_back({std::string(kOverrideFile), 0, key, value, std::move(rule)});
  }

  // The table named by `part`; made when it is not there. Advances `begin` behind what was used of the path.
  toml::table* step(toml::table& parent, const std::string& part, const std::string& path, std::size_t& begin,
                    std::size_t dot) {
    begin = dot + 1;
    const std::size_t bracket = part.find('[');
    const std::string name = part.substr(0, bracket);
    toml::node* node = parent.get(name);
    if (bracket != std::string::npos) {
      toml::array* array = node ? node->as_array() : nullptr;
      char* end = nullptr;
      const unsigned long index = std::strtoul(part.c_str() + bracket + 1, &end, 10);
      if (!array || std::string_view(end) != "]" || index < 1 || index > array->size()) return nullptr;
      return (*array)[index - 1].as_table();
    }
    if (!node) {
      auto [at, inserted] = parent.insert(name, toml::table{});
      return at->second.as_table();
    }
    if (toml::array* array = node->as_array()) {  // stages.settle: by name
      const std::size_t next = path.find('.', begin);
      const std::string wanted = path.substr(begin, next == std::string::npos ? next : next - begin);
      begin = next == std::string::npos ? next : next + 1;
      for (toml::node& element : *array)
        if (toml::table* t = element.as_table())
          if (const toml::node* n = t->get("name"); n && n->is_string() && n->as_string()->get() == wanted) return t;
      return nullptr;
    }
    return node->as_table();
  }

  void assign(toml::table& parent, const std::string& key, const std::string& path, const std::string& value) {
    if (has_deep_key(value)) return problem(path, value, "is nested too deeply");
    toml::table parsed;
    try {
      parsed = toml::parse("value = " + value + "\n", kOverrideFile);
      if (parsed.size() != 1) return problem(path, value, "must be one value");
    } catch (const toml::parse_error& e) {
      // 20 MPa or a name is a text without quotes; a table, an array or a quote that does not end is a slip.
      if (value.find_first_of("{[\"'") == 0)
        return problem(path, value, fmt::format("is not valid TOML: {}", e.description()));
      parsed = toml::parse("value = " + toml_text(value) + "\n", kOverrideFile);
    }
    // Moving a node keeps its source, by which problems know that it came from the command line.
    toml::node& node = *parsed.get("value");
    texts_.push_back("value = " + value);
    if (node.source().path) reader_.add_source(node.source().path, texts_.back());
    node.visit([&](auto& concrete) { parent.insert_or_assign(key, std::move(concrete)); });
  }

  toml::table& root_;
  Reader& reader_;
  std::list<std::string> texts_;
};

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

Case parse_case(std::string_view text, const std::string& name, const std::vector<std::string>& overrides,
                KeyPlaces* places) {
  using namespace io;
  toml::table root = parse_toml(text, name);
  Reader reader(std::filesystem::path(name).parent_path());
  if (root.source().path) reader.add_source(root.source().path, text);
  Overrides set(root, reader);
  for (const std::string& o : overrides) set.apply(o);

  Case c;
  read_table(case_table(), c, root, reader, "");
  if (c.materials.size() + c.walls.size() > kMostMaterials) {
    reader.problems.push_back({name, 0, "materials", std::to_string(c.materials.size() + c.walls.size()),
                               fmt::format("at most {} materials and walls", kMostMaterials)});
  } else {
    complete(c, reader);
    resolve_contacts(c, reader);
    add_validation(c, name, reader);
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

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides, KeyPlaces* places) {
  std::string why;
  const auto text = io::read_text_file(file, why);
  if (!text) io::fail(file.string(), 0, "", "cannot read the case file: " + why);
  if (is_pyparticles_file(file.string()))
    return parse_case(to_toml(import_pyparticles(*text, file.string()).settings), file.string() + " as TOML", overrides,
                      places);
  return parse_case(*text, file.string(), overrides, places);
}

}  // namespace areia
