#include <fmt/format.h>

#include <algorithm>

#include "areia/case_file.h"
#include "io/case/short_toml.h"
#include "io/schema/schema.h"

namespace areia {
namespace {

using namespace io;

template <class T>
void section(std::string& out, const std::string& header, const Table<T>& table, const T& value) {
  std::string body;
  for (const Key<T>& f : table.keys) {
    const std::string text = written_text(table, f, value);
    if (!text.empty()) body += f.name + " = " + text + "\n";
  }
  const bool is_named = header.find('.') != std::string::npos || header.starts_with("[[");
  if (!body.empty() || is_named) out += "\n" + header + "\n" + body;
}

template <class T>
void sections(std::string& out, const std::string& name, const Table<T>& table, const std::vector<T>& all) {
  for (const T& one : all) section(out, "[" + name + "." + toml_key(one.name) + "]", table, one);
}

std::string law_text(const LawChoice& choice) {
  std::string text = "{ law = " + toml_text(choice.law.empty() ? "none" : choice.law);
  for (const auto& [name, value] : choice.numbers) text += ", " + name + " = " + toml_number(value);
  for (const auto& [name, value] : choice.words) text += ", " + name + " = " + toml_text(value);
  return text + " }";
}

std::string text_of(const Case& c) {
  const bool all = ShortTexts::alive == 0;
  std::string out = "title = " + toml_text(c.title) + "\n";
  section(out, "[start]", start_table(), c.start);
  for (const Material& m : c.materials) {
    // The material of a rigid wall comes with the wall.
    const bool of_wall = m.rigid && std::any_of(c.walls.begin(), c.walls.end(),
                                                [&](const Wall& w) { return w.material.empty() && w.name == m.name; });
    if (!of_wall) section(out, "[materials." + toml_key(m.name) + "]", material_table(), m);
  }
  for (const ContactPair& p : c.contacts) {
    out += fmt::format("\n[contacts.{}]\n", toml_key(p.a + "-" + p.b));
    const auto slot = [&](const char* name, const LawChoice& choice, bool always) {
      if (always || (!choice.law.empty() && choice.law != "none"))
        out += std::string(name) + " = " + law_text(choice) + "\n";
    };
    slot("normal", p.normal, true);
    slot("tangential", p.tangential, all);
    slot("rolling", p.rolling, all);
    slot("twisting", p.twisting, all);
    slot("adhesion", p.adhesion, all);
    slot("impact", p.impact, false);
  }
  sections(out, "particles", particle_table(), c.particles);
  sections(out, "walls", wall_table(), c.walls);
  sections(out, "loading", loading_table(), c.loading);
  sections(out, "fields", field_table(), c.fields);
  sections(out, "bonds", bond_table(), c.bonds);
  section(out, "[fluid]", fluid_table(), c.fluid);
  sections(out, "forces", force_table(), c.forces);
  for (const Stage& s : c.stages) section(out, "[[stages]]", stage_table(), s);
  section(out, "[domain]", domain_table(), c.domain);
  section(out, "[numerics]", numerics_table(), c.numerics);
  section(out, "[output]", output_table(), c.output);
  return out;
}

}  // namespace

std::string to_toml(const Case& c) { return text_of(c); }

std::string to_short_toml(const Case& c) {
  const ShortTexts short_texts;
  return text_of(c);
}

}  // namespace areia
