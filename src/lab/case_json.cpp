#include "lab/case_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/case/toml_text.h"

namespace areia::lab {

namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 4;  // [[system.contacts]] has rows of numbers

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += fmt::format("\\{}", c);
    else if (code < 0x20 || code == 0x7f) out += fmt::format("\\u{:04x}", code);
    else out += c;
  }
  return out + "\"";
}

std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? key : quoted(key);
}

std::string value_text(const ordered_json& value, const std::string& path, int depth) {
  if (depth > kDeepest) throw InputError(path, "", "is nested too deeply");
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_string()) return quoted(value.get<std::string>());
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) throw InputError(path, value.dump().substr(0, 80), "has no place in a case");
  std::string out = "[";
  for (std::size_t k = 0; k < value.size(); ++k) out += (k ? ", " : "") + value_text(value[k], path, depth + 1);
  return out + "]";
}

bool is_tables(const ordered_json& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const ordered_json& x) { return x.is_object(); });
}

void write_table(const ordered_json& table, const std::string& path, int depth, std::string& out) {
  if (depth > kDeepest) throw InputError(path, "", "is nested too deeply");
  const auto below = [&](const std::string& key) { return (path.empty() ? "" : path + ".") + key_text(key); };
  for (const auto& [key, value] : table.items())
    if (!value.is_object() && !is_tables(value))
      out += fmt::format("{} = {}\n", key_text(key), value_text(value, below(key), depth + 1));
  for (const auto& [key, value] : table.items()) {
    if (value.is_object()) {
      out += fmt::format("\n[{}]\n", below(key));
      write_table(value, below(key), depth + 1, out);
    } else if (is_tables(value)) {
      for (const ordered_json& one : value) {
        out += fmt::format("\n[[{}]]\n", below(key));
        write_table(one, below(key), depth + 1, out);
      }
    }
  }
}

}  // namespace

std::string lab_case_text(const ordered_json& value) {
  if (!value.is_object()) throw InputError("case", value.dump().substr(0, 80), "must be an object of keys");
  std::string text;
  write_table(value, "", 0, text);
  return text;
}

ordered_json to_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    ordered_json out = ordered_json::object();
    for (const auto& [key, value] : io::in_file_order(*table)) out[key] = to_json(*value);
    return out;
  }
  if (const toml::array* list = node.as_array()) {
    ordered_json out = ordered_json::array();
    for (const toml::node& value : *list) out.push_back(to_json(value));
    return out;
  }
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  return nullptr;  // dates, which no case has
}

ordered_json lab_case_json(std::string_view text, const std::string& name) {
  return to_json(io::parse_toml(text, name));
}

}  // namespace areia::lab
