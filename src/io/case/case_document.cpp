#include "io/case/case_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "io/case/case_tree.h"
#include "io/schema/key.h"

namespace areia::io {
namespace {

std::string joined(const CaseDocument::Path& path) { return fmt::format("{}", fmt::join(path, ".")); }

std::optional<std::size_t> number_in(const std::string& text) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::string inline_text(const toml::node& node) {
  std::string out;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : in_file_order(*table))
      out += fmt::format("{} {} = {}", out.empty() ? "" : ",", toml_key(key), inline_text(*value));
    return out.empty() ? "{}" : "{" + out + " }";
  }
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& value : *array) out += (out.empty() ? "" : ", ") + inline_text(value);
    return "[" + out + "]";
  }
  if (const auto* s = node.as_string()) return toml_text(s->get());
  if (const auto* f = node.as_floating_point()) return toml_number(f->get());
  if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  std::ostringstream date;  // no case has any; it is refused with what was written
  node.visit([&](const auto& value) {
    if constexpr (toml::is_date<decltype(value)> || toml::is_time<decltype(value)> ||
                  toml::is_date_time<decltype(value)>)
      date << value.get();
  });
  return date.str();
}

void write_keys(const toml::table& table, std::string& out) {
  for (const auto& [key, value] : in_file_order(table)) out += toml_key(key) + " = " + inline_text(*value) + "\n";
}

bool holds_tables(const toml::table& table) {
  return !table.empty() &&
         std::all_of(table.begin(), table.end(), [](auto&& entry) { return entry.second.is_table(); });
}

bool is_tables(const toml::node& node) {
  const toml::array* array = node.as_array();
  return array && !array->empty() &&
         std::all_of(array->begin(), array->end(), [](const toml::node& n) { return n.is_table(); });
}

}  // namespace

CaseDocument::CaseDocument(std::string text, std::string name)
    : name_(std::move(name)),
      text_(std::move(text)),
      root_(parse_toml(text_, name_)),
      sources_(std::filesystem::path(name_).parent_path()) {
  if (root_.source().path) sources_.add_source(root_.source().path, text_);
}

CaseDocument::CaseDocument(const CaseDocument& other) : CaseDocument(other.text_, other.name_) {
  for (const Change& c : other.changes_) change(c);
}

const toml::node* CaseDocument::find(const Path& path) const {
  const toml::node* node = &root_;
  for (const std::string& part : path) {
    if (const toml::table* table = node->as_table()) {
      node = table->get(part);
    } else if (const toml::array* array = node->as_array()) {
      const auto n = number_in(part);
      node = n && *n < array->size() ? array->get(*n) : nullptr;
    } else {
      node = nullptr;
    }
    if (!node) return nullptr;
  }
  return node;
}

void CaseDocument::change(Change c) {
  if (c.kind == Change::Kind::set) {
    overrides_.apply(c.value);
    if (!sources_.problems.empty()) throw InputError(std::exchange(sources_.problems, {}));
  } else {
    if (c.path.empty()) throw InputError("", "", "a key is missing");
    const auto* parent = find({c.path.begin(), c.path.end() - 1});
    if (!parent || (!parent->is_table() && !parent->is_array()))
      throw InputError(joined(c.path), c.value, "is not within a table");
    put(c, const_cast<toml::node&>(*parent));  // of root_, which is not const here
  }
  changes_.push_back(std::move(c));
}

void CaseDocument::put(const Change& c, toml::node& parent) {
  const std::string& key = c.path.back();
  const auto index = number_in(key);
  toml::table* const table = parent.as_table();
  toml::array* const array = parent.as_array();
  const std::size_t most = array ? array->size() + (c.kind == Change::Kind::insert ? 1 : 0) : 0;
  if (array && (!index || *index >= most)) throw InputError(joined(c.path), c.value, "is no element of the array");
  if (c.kind == Change::Kind::erase) {
    if (array) array->erase(array->begin() + static_cast<std::ptrdiff_t>(*index));
    else if (table->erase(key) == 0) throw InputError(joined(c.path), "", "is not there");
    return;
  }
  // Each on a line of its own, further down than the last: the order of keys is that of their lines.
  texts_.push_back(std::string(changes_.size(), '\n') + "value = " + c.value + "\n");
  toml::table parsed;
  try {
    parsed = parse_toml(texts_.back(), std::string(kOverrideFile));
  } catch (const InputError& e) { throw InputError(joined(c.path), c.value, e.problems.at(0).rule); }
  if (parsed.size() != 1) throw InputError(joined(c.path), c.value, "must be one value");
  toml::node& node = *parsed.get("value");
  if (node.source().path) sources_.add_source(node.source().path, texts_.back());
  // A table stays where it was: the order of the tables of particles is that of their ids.
  toml::table* const old = table && table->get(key) ? table->get(key)->as_table() : nullptr;
  if (toml::table* const given = node.as_table(); old && given) {
    old->clear();
    for (auto&& entry : *given)  // clang 14 captures no structured binding
      entry.second.visit([&](auto& value) { old->insert(entry.first, std::move(value)); });
    return;
  }
  node.visit([&](auto& value) {
    if (table) table->insert_or_assign(key, std::move(value));
    else if (c.kind == Change::Kind::insert)
      array->insert(array->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    else array->replace(array->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  });
}

Case CaseDocument::read(KeyPlaces* places) const {
  Reader reader = sources_;
  return read_tree(root_, name_, reader, places);
}

std::string CaseDocument::text() const {
  std::string out, sections;
  for (const auto& [key, node] : in_file_order(root_)) {
    const std::string name = toml_key(key);
    const auto section = [&](const std::string& header, const toml::node& of) {
      sections += "\n" + header + "\n";
      write_keys(*of.as_table(), sections);
    };
    if (is_tables(*node)) {
      for (const toml::node& one : *node->as_array()) section("[[" + name + "]]", one);
    } else if (!node->is_table()) {
      out += name + " = " + inline_text(*node) + "\n";
    } else if (holds_tables(*node->as_table())) {
      for (const auto& [below, one] : in_file_order(*node->as_table()))
        section("[" + name + "." + toml_key(below) + "]", *one);
    } else {
      section("[" + name + "]", *node);
    }
  }
  return out + sections;
}

}  // namespace areia::io
