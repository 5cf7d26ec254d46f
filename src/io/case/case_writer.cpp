#include <fmt/format.h>

#include <algorithm>

#include "areia/case_file.h"
#include "io/case/short_toml.h"
#include "io/schema/schema.h"

namespace areia {
namespace {

using namespace io;

// Every key, or those that differ from what is read where they are not written.
enum class Keys { all, needed };

// One of several keys of which one must be there: that it is says which, whatever its value.
template <class T>
bool is_choice(const Table<T>& table, const std::string& name) {
  return std::any_of(table.one_of.begin(), table.one_of.end(), [&](const OneOf& group) {
    return group.required && std::find(group.names.begin(), group.names.end(), name) != group.names.end();
  });
}

template <class T>
void section(std::string& out, const std::string& header, const Table<T>& table, const T& value, Keys keys) {
  const T preset{};
  std::string body;
  for (const Key<T>& f : table.keys) {
    const std::string text = f.write(value);
    if (!text.empty() && (keys == Keys::all || f.required || is_choice(table, f.name) || text != f.write(preset)))
      body += f.name + " = " + text + "\n";
  }
  const bool is_named = header.find('.') != std::string::npos || header.starts_with("[[");
  if (keys == Keys::needed && body.empty() && !is_named) return;
  out += "\n" + header + "\n" + body;
}

template <class T>
void sections(std::string& out, const std::string& name, const Table<T>& table, const std::vector<T>& all, Keys keys) {
  for (const T& one : all) section(out, "[" + name + "." + toml_key(one.name) + "]", table, one, keys);
}

std::string law_text(const LawChoice& choice) {
  std::string text = "{ law = " + toml_text(choice.law.empty() ? "none" : choice.law);
  for (const auto& [name, value] : choice.numbers) text += ", " + name + " = " + toml_number(value);
  for (const auto& [name, value] : choice.words) text += ", " + name + " = " + toml_text(value);
  return text + " }";
}

std::string text_of(const Case& c, Keys keys) {
  std::string out = "title = " + toml_text(c.title) + "\n";
  for (const Material& m : c.materials) {
    // The material of a rigid wall comes with the wall.
    const bool of_wall = m.rigid && std::any_of(c.walls.begin(), c.walls.end(),
                                                [&](const Wall& w) { return w.material.empty() && w.name == m.name; });
    if (!of_wall) section(out, "[materials." + toml_key(m.name) + "]", material_table(), m, keys);
  }
  for (const ContactPair& p : c.contacts) {
    out += fmt::format("\n[contacts.{}]\n", toml_key(p.a + "-" + p.b));
    const auto slot = [&](const char* name, const LawChoice& choice, bool always) {
      if (always || (!choice.law.empty() && choice.law != "none"))
        out += std::string(name) + " = " + law_text(choice) + "\n";
    };
    slot("normal", p.normal, true);
    slot("tangential", p.tangential, keys == Keys::all);
    slot("rolling", p.rolling, keys == Keys::all);
    slot("twisting", p.twisting, keys == Keys::all);
    slot("adhesion", p.adhesion, keys == Keys::all);
    slot("impact", p.impact, false);
  }
  sections(out, "particles", particle_table(), c.particles, keys);
  sections(out, "walls", wall_table(), c.walls, keys);
  sections(out, "fields", field_table(), c.fields, keys);
  sections(out, "bonds", bond_table(), c.bonds, keys);
  section(out, "[fluid]", fluid_table(), c.fluid, keys);
  sections(out, "forces", force_table(), c.forces, keys);
  for (const Stage& s : c.stages) section(out, "[[stages]]", stage_table(), s, keys);
  section(out, "[domain]", domain_table(), c.domain, keys);
  section(out, "[numerics]", numerics_table(), c.numerics, keys);
  section(out, "[output]", output_table(), c.output, keys);
  return out;
}

}  // namespace

std::string to_toml(const Case& c) { return text_of(c, Keys::all); }
std::string to_short_toml(const Case& c) { return text_of(c, Keys::needed); }

}  // namespace areia
