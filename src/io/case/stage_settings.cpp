#include "io/case/stage_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "areia/case_file.h"
#include "areia/error.h"
#include "core/suggest.h"
#include "io/case/contacts.h"
#include "io/schema/parts.h"
#include "io/schema/schema.h"

namespace areia {
namespace io {
namespace {

std::string text_of(const toml::node& node) {
  if (const auto* s = node.as_string()) return toml_text(s->get());
  if (const auto* n = node.as_floating_point()) return toml_number(n->get());
  if (const auto* n = node.as_integer()) return fmt::format("{}", n->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  if (const auto* all = node.as_array()) {
    std::string list;
    for (const toml::node& one : *all) list += (list.empty() ? "" : ", ") + text_of(one);
    return "[" + list + "]";
  }
  return "";
}

std::vector<std::string> pieces_of(const std::string& path) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    pieces.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return pieces;
}

// The value below the pieces from `first` on, as tables within tables.
toml::table nested(const std::vector<std::string>& pieces, std::size_t first, const toml::node& value) {
  toml::table table;
  if (first + 1 == pieces.size()) value.visit([&](const auto& concrete) { table.insert(pieces[first], concrete); });
  else table.insert(pieces[first], nested(pieces, first + 1, value));
  return table;
}

class Setter {
 public:
  Setter(Case& c, Reader& reader) : c_(c), reader_(reader) {}

  void set(const StageSetting& one) {
    const toml::table parsed = toml::parse("value = " + one.value + "\n");
    const toml::node& value = *parsed.get("value");
    const std::vector<std::string> pieces = pieces_of(one.key);
    const std::string& where = pieces[0];
    const std::size_t n = pieces.size();
    if (where == "contacts" && n == 4) return contact(pieces, value, one);
    if (where == "fluid" && n >= 2) return key_of(fluid_table(), c_.fluid, pieces, 1, value, one);
    if (where == "materials" && n == 3) {
      if (Rules::contains({"density", "rigid", "library"}, pieces[2]))
        return wrong(one, "the masses of particles stay; only what contacts are made of may change");
      return named(material_table(), c_.materials, "material", pieces, value, one);
    }
    if (where == "fields" && n >= 3) return named(field_table(), c_.fields, "field", pieces, value, one);
    if (where == "forces" && n >= 3) return named(force_table(), c_.forces, "force", pieces, value, one);
    wrong(one,
          "is not among what a stage may set: contacts.TABLE.SLOT.PARAMETER, materials.NAME.KEY, fields.NAME.KEY, "
          "fluid.KEY, forces.NAME.KEY");
  }

 private:
  void wrong(const StageSetting& one, std::string rule) {
    reader_.problems.push_back({"", 0, one.key, one.value, std::move(rule)});
  }

  void contact(const std::vector<std::string>& pieces, const toml::node& value, const StageSetting& one) {
    if (pieces[3] == "law") return wrong(one, "the laws of a contact stay; their parameters may change");
    toml::table parameter;
    value.visit([&](const auto& concrete) { parameter.insert(pieces[3], concrete); });
    if (set_parameters(c_, pieces[1], pieces[2], parameter, reader_)) return;
    std::vector<std::string> known;
    for (const ContactPair& p : c_.contacts) known.push_back(p.table.name);
    wrong(one, fmt::format("no two materials that can meet use the table `contacts.{}`{}", pieces[1],
                           suggestion(pieces[1], known)));
  }

  template <class T>
  void named(const Table<T>& table, std::vector<T>& all, const char* what, const std::vector<std::string>& pieces,
             const toml::node& value, const StageSetting& one) {
    for (T& t : all)
      if (t.name == pieces[1]) return key_of(table, t, pieces, 2, value, one);
    wrong(one, fmt::format("there is no {} `{}`{}", what, pieces[1], suggestion(pieces[1], Rules::names(all))));
  }

  template <class T>
  void key_of(const Table<T>& table, T& target, const std::vector<std::string>& pieces, std::size_t k,
              const toml::node& value, const StageSetting& one) {
    std::vector<std::string> known;
    for (const Key<T>& key : table.keys) {
      if (key.name == pieces[k]) {
        const toml::table below = nested(pieces, k, value);
        return key.read(target, *below.get(pieces[k]), reader_, one.key);
      }
      known.push_back(key.name);
    }
    wrong(one, "unknown key" + suggestion(pieces[k], known));
  }

  Case& c_;
  Reader& reader_;
};

}  // namespace

void read_settings(const toml::table& written, const std::string& prefix, const std::string& path,
                   std::vector<StageSetting>& to, Reader& reader) {
  for (const auto& [key, node] : in_file_order(written)) {
    const std::string own = joined_path(prefix, key);
    reader.remember(path + "." + own, *node);
    if (const toml::table* below = node->as_table()) read_settings(*below, own, path, to, reader);
    else if (text_of(*node).empty()) reader.problem(*node, path + "." + own, "must be a number, a text or an array");
    else to.push_back({own, text_of(*node)});
  }
}

std::vector<Problem> apply_settings(Case& c, const std::vector<StageSetting>& settings, const std::string& path) {
  std::vector<Problem> all;
  for (const StageSetting& one : settings) {
    Reader reader{std::filesystem::path()};
    Setter(c, reader).set(one);
    for (Problem& p : reader.problems) all.push_back({"", 0, path + "." + one.key, one.value, std::move(p.rule)});
  }
  return all;
}

std::vector<StageSetting> for_each_pair(const Case& c, const std::vector<StageSetting>& settings) {
  std::vector<StageSetting> all;
  for (const StageSetting& one : settings) {
    const std::vector<std::string> pieces = pieces_of(one.key);
    if (pieces[0] != "contacts" || pieces.size() != 4) {
      all.push_back(one);
      continue;
    }
    for (const ContactPair& p : c.contacts)
      if (uses_table(p, pieces[1]))
        all.push_back({fmt::format("contacts.{}-{}.{}.{}", p.a, p.b, pieces[2], pieces[3]), one.value});
  }
  return all;
}

}  // namespace io

Case with_settings(Case c, const std::vector<StageSetting>& settings) {
  std::vector<Problem> problems = io::apply_settings(c, settings, "set");
  if (!problems.empty()) throw InputError(std::move(problems));
  return c;
}

}  // namespace areia
