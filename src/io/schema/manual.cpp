// The manual page and the JSON Schema, both made from the schema and from the tables of the laws.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "areia/case_file.h"
#include "core/units.h"
#include "io/schema/schema.h"
#include "physics/law_info.h"

namespace areia {
namespace {

using namespace io;
using Form = KeyInfo::Form;
using Json = nlohmann::ordered_json;

// --- Markdown -------------------------------------------------------------------------------------------------------
std::string type_text(const KeyInfo& k) {
  switch (k.form) {
    case Form::text:
      return "text";
    case Form::number:
      return k.keys.empty() ? "number" : "number or table";
    case Form::integer:
      return "integer";
    case Form::boolean:
      return "true or false";
    case Form::vector:
      return "vector";
    case Form::word:
      return "word";
    case Form::texts:
      return k.words.empty() ? "array of texts" : "array of words";
    case Form::integers:
      return "array of integers";
    case Form::integer_pairs:
      return "array of pairs of integers";
    case Form::motion_rows:
    case Form::time_rows:
      return "array of lines";
    case Form::box:
      return "two corners";
    case Form::rows:
      return "three rows";
    case Form::table:
      return "table";
    case Form::tables:
      return "table or array of tables";
    case Form::named:
      return "named tables";
    case Form::listed:
      return "array of tables";
    case Form::contacts:
      return "named tables";
    case Form::settings:
      return "table of paths";
  }
  return "";
}

std::string in_table(const std::string& text) {  // a bar would end the cell
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string range_text(const Range& range) {
  std::string text = range.text();
  if (text.starts_with("must be ")) text.erase(0, 8);
  return text == "must not be negative" ? "not negative" : text;
}

std::string allowed_text(const KeyInfo& k) {
  std::string text = range_text(k.range);
  for (const std::string& w : k.words) text += fmt::format("{}`\"{}\"`", text.empty() ? "" : ", ", w);
  return text;
}

// "Exactly one of `a`, `b`."
std::string one_of_text(const std::vector<OneOf>& groups) {
  std::string text;
  for (const OneOf& group : groups) {
    std::string names;
    for (const std::string& n : group.names) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", n);
    text += fmt::format("{}{} of {}.", text.empty() ? "" : " ", group.required ? "Exactly one" : "At most one", names);
  }
  return text;
}

void row(std::string& out, const std::string& path, const KeyInfo& k, const std::string& note = "") {
  const std::string preset = k.required ? "**required**" : k.preset.empty() ? "" : "`" + k.preset + "`";
  out += fmt::format("| `{}` | {} | {} | {} | {} | {}{}{} |\n", path, type_text(k), k.unit, in_table(preset),
                     in_table(allowed_text(k)), in_table(k.text), note.empty() ? "" : " ", note);
}

void rows(std::string& out, const std::string& prefix, const std::vector<KeyInfo>& keys) {
  for (const KeyInfo& k : keys) {
    row(out, prefix + k.name, k, one_of_text(k.one_of));
    const std::string below = k.form == Form::listed  ? prefix + k.name + "[]."
                              : k.form == Form::named ? prefix + k.name + ".NAME."
                                                      : prefix + k.name + ".";
    rows(out, below, k.keys);
  }
}

constexpr const char* kHeader =
    "| key | type | unit | default | allowed | meaning |\n"
    "|---|---|---|---|---|---|\n";

std::string parameter_preset(const ParameterInfo& p) {
  const std::string words = p.words;
  if (!words.empty()) return fmt::format("`\"{}\"`", words.substr(0, words.find('|')));
  if (!std::isnan(p.preset)) return fmt::format("`{}`", p.preset);
  return *p.instead ? "" : "**required**";
}

std::string parameter_allowed(const ParameterInfo& p) {
  if (!*p.words) return range_text({p.min, p.max});
  std::string all;
  for (const char c : std::string("`\"") + p.words + "\"`") c == '|' ? all += "\"`, `\"" : all += c;
  return all;
}

void laws_text(std::string& out) {
  for (const std::string slot : {"normal", "tangential", "rolling", "twisting", "adhesion", "impact"}) {
    out += fmt::format("\n### contacts.A-B.{}\n\n", slot);
    out +=
        fmt::format("A table with `law` and the parameters of that law, or only the name of the law as text. {}\n",
                    slot == "normal"   ? "Required, except with `numerics.engine = \"events\"`."
                    : slot == "impact" ? "Required with `numerics.engine = \"events\"`, in place of all others; `law` "
                                         "may be left out."
                                       : "Without it there is no such force: `\"none\"`.");
    for (const LawInfo& law : all_laws()) {
      if (slot != law.slot) continue;
      out += fmt::format("\n#### {} law `{}`\n\n{} Source: {}.\n\n{}", slot, law.name, law.text, law.source, kHeader);
      for (const ParameterInfo& p : law.parameters)
        out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", p.name, *p.words ? "word" : "number", p.unit,
                           parameter_preset(p), parameter_allowed(p), in_table(p.text));
    }
  }
}

// --- JSON Schema ----------------------------------------------------------------------------------------------------
void add_range(Json& j, const Range& r) {
  if (std::isfinite(r.min)) j[r.open_min ? "exclusiveMinimum" : "minimum"] = r.min;
  if (std::isfinite(r.max)) j[r.open_max ? "exclusiveMaximum" : "maximum"] = r.max;
}

// A number in SI units, a quantity with a unit, or one of the words that may stand for a number.
Json number_schema(const std::string& unit, const Range& range, const std::vector<std::string>& words) {
  Json si{{"type", "number"}};
  add_range(si, range);
  Json any = Json::array({si, Json{{"type", "string"}, {"pattern", "^\\s*[-+]?([0-9]|\\.[0-9])"}}});
  if (!words.empty()) any.push_back(Json{{"enum", words}});
  return Json{{"anyOf", any}, {"$comment", unit.empty() ? "pure number" : unit}};
}

Json table_schema(const std::vector<KeyInfo>& keys, const std::vector<OneOf>& one_of);

Json value_schema(const KeyInfo& k) {
  Json j;
  switch (k.form) {
    case Form::text:
      j = {{"type", "string"}};
      break;
    case Form::number:
      j = number_schema(k.unit, k.range, k.words);
      if (!k.keys.empty()) j["anyOf"].push_back(table_schema(k.keys, k.one_of));
      break;
    case Form::integer: {
      Json number{{"type", "integer"}};
      add_range(number, k.range);
      if (k.words.empty()) j = number;
      else j = {{"anyOf", Json::array({number, Json{{"enum", k.words}}})}};
      break;
    }
    case Form::boolean:
      j = {{"type", "boolean"}};
      break;
    case Form::vector:
      j = {{"type", "array"}, {"items", number_schema(k.unit, {}, {})}, {"minItems", 3}, {"maxItems", 3}};
      break;
    case Form::rows:
    case Form::box: {
      Json corner{{"type", "array"}, {"items", number_schema(k.unit, {}, {})}, {"minItems", 3}, {"maxItems", 3}};
      j = {{"type", "array"},
           {"items", corner},
           {"minItems", k.form == Form::box ? 2 : 3},
           {"maxItems", k.form == Form::box ? 2 : 3}};
      break;
    }
    case Form::word:
      j = {{"enum", k.words}};
      break;
    case Form::texts: {
      Json item{{"type", "string"}};
      if (!k.words.empty()) item = {{"enum", k.words}};
      j = {{"type", "array"}, {"items", item}};
      break;
    }
    case Form::integers:
      j = {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}};
      break;
    case Form::integer_pairs: {
      const Json pair{
          {"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}, {"minItems", 2}, {"maxItems", 2}};
      j = {{"type", "array"}, {"items", pair}};
      break;
    }
    case Form::motion_rows: {
      const auto vector = [](const char* unit) {
        return Json{{"type", "array"}, {"items", number_schema(unit, {}, {})}, {"minItems", 3}, {"maxItems", 3}};
      };
      Json line{{"type", "array"}, {"minItems", 2}, {"maxItems", 3}};
      line["prefixItems"] = Json::array({number_schema("s", kNotNegative, {}), vector("m"), vector("rad")});
      j = {{"type", "array"}, {"items", line}};
      break;
    }
    case Form::time_rows: {
      Json line{{"type", "array"}, {"minItems", 2}, {"maxItems", 2}};
      line["prefixItems"] = Json::array({number_schema("s", kNotNegative, {}), number_schema(k.unit, k.range, {})});
      j = {{"type", "array"}, {"items", line}};
      break;
    }
    case Form::table:
      j = table_schema(k.keys, k.one_of);
      break;
    case Form::tables: {
      const Json one = table_schema(k.keys, k.one_of);
      j = {{"anyOf", Json::array({one, Json{{"type", "array"}, {"items", one}, {"minItems", 1}}})}};
      break;
    }
    case Form::named:
      j = {{"type", "object"}, {"additionalProperties", table_schema(k.keys, k.one_of)}};
      break;
    case Form::listed:
      j = {{"type", "array"}, {"items", table_schema(k.keys, k.one_of)}};
      break;
    case Form::contacts:
      j = {{"$ref", "#/$defs/contacts"}};
      break;
    case Form::settings:
      j = {{"type", "object"}};
      break;
  }
  std::string text = k.text;
  if (!k.unit.empty()) text += fmt::format(" [{}]", k.unit);
  j["description"] = text;
  if (!k.preset.empty()) j["$comment"] = "default: " + k.preset;
  return j;
}

Json table_schema(const std::vector<KeyInfo>& keys, const std::vector<OneOf>& one_of) {
  Json j{{"type", "object"}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const KeyInfo& k : keys) {
    j["properties"][k.name] = value_schema(k);
    if (k.required) required.push_back(k.name);
  }
  if (!required.empty()) j["required"] = required;
  j["additionalProperties"] = false;
  Json rules = Json::array();
  for (const OneOf& group : one_of) {
    Json any = Json::array();
    for (std::size_t a = 0; a < group.names.size(); ++a) {
      any.push_back(Json{{"required", Json::array({group.names[a]})}});
      for (std::size_t b = a + 1; b < group.names.size(); ++b)
        rules.push_back(Json{{"not", {{"required", Json::array({group.names[a], group.names[b]})}}}});
    }
    if (group.required) rules.push_back(Json{{"anyOf", any}});
  }
  if (!rules.empty()) j["allOf"] = rules;
  return j;
}

Json contacts_schema() {
  Json pair{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const KeyInfo& k : contact_keys()) pair["properties"][k.name] = value_schema(k);
  for (const std::string slot : {"normal", "tangential", "rolling", "twisting", "adhesion", "impact"}) {
    Json names = Json::array({"none"});
    Json table{{"type", "object"}, {"properties", {{"law", Json::object()}}}, {"additionalProperties", false}};
    for (const LawInfo& law : all_laws()) {
      if (slot != law.slot) continue;
      names.push_back(law.name);
      for (const ParameterInfo& p : law.parameters) {
        Json value;
        if (*p.words) {
          value["enum"] = Json::array();
          const std::string words = p.words;
          for (std::size_t begin = 0; begin <= words.size();) {
            const std::size_t bar = std::min(words.find('|', begin), words.size());
            value["enum"].push_back(words.substr(begin, bar - begin));
            begin = bar + 1;
          }
        } else {
          value = number_schema(p.unit, {p.min, p.max}, {});
        }
        // laws of one slot may share a name; the checker knows the difference
        const Json& other = table["properties"].value(p.name, Json::object());
        value["description"] = fmt::format(
            "{}{}: {}", other.empty() ? "" : other["description"].get<std::string>() + "; ", law.name, p.text);
        table["properties"][p.name] = value;
      }
    }
    table["properties"]["law"] = {{"enum", names}, {"description", "Name of the law."}};
    pair["properties"][slot] = {{"anyOf", Json::array({table, Json{{"enum", names}}})}};
  }
  return {{"type", "object"}, {"additionalProperties", pair}};
}

}  // namespace

std::string manual_markdown() {
  std::string out =
      "# Reference of case files\n\n"
      "A case is a TOML file. Numbers are in SI units. Where a number is expected, a text may give a quantity with its "
      "unit, as in `\"5 mm\"`, `\"2.5 g/cm^3\"` or `\"9.81 m/s^2\"`; its dimension is checked. A vector is an array of "
      "three such components.\n\nKnown units, with the SI prefixes where they are usual:";
  for (const std::string& s : unit_symbols()) out += fmt::format(" `{}`", s);
  out += ".\n\n## Top level\n\n";
  out += kHeader;
  for (const KeyInfo& k : case_table().infos()) row(out, k.name, k);
  for (const KeyInfo& k : case_table().infos()) {
    if (k.keys.empty()) continue;
    const std::string header = k.form == Form::listed     ? fmt::format("[[{}]]", k.name)
                               : k.form == Form::named    ? fmt::format("[{}.NAME]", k.name)
                               : k.form == Form::contacts ? fmt::format("[{}.A-B]", k.name)
                                                          : fmt::format("[{}]", k.name);
    out += fmt::format("\n## {}\n\n{}\n\n", header, k.text);
    if (!k.one_of.empty()) out += one_of_text(k.one_of) + "\n\n";
    out += kHeader;
    rows(out, "", k.keys);
    if (k.form == Form::contacts) laws_text(out);
  }
  return out;
}

std::string json_schema() {
  Json j{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Areia case file"}};
  j.update(table_schema(case_table().infos(), {}));
  j["$defs"] = {{"contacts", contacts_schema()}};
  return j.dump(2) + "\n";
}

}  // namespace areia
