#include "io/case/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/suggest.h"
#include "core/units.h"
#include "io/case/places.h"

namespace areia::io {
namespace {

constexpr std::size_t kLongestQuote = 80;

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::none:
      return "nothing";
    default:
      return "a date or time";
  }
}

// Columns count code points; bytes 10xxxxxx continue one.
std::size_t byte_of_column(std::string_view line, std::uint32_t column) {
  std::size_t at = 0;
  for (std::uint32_t c = 1; c < column && at < line.size(); ++c) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

std::string shortened(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() <= kLongestQuote) return std::string(text);
  std::size_t end = kLongestQuote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

void Reader::add_source(const toml::source_path_ptr& path, std::string_view text) {
  std::vector<std::string_view>& lines = sources_[path.get()];
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
}

KeyPlace Reader::place(const toml::node& node) const {
  const toml::source_region& region = node.source();
  KeyPlace place;
  if (!region.path) {  // made on the way to an override
    place.file = kOverrideFile;
    return place;
  }
  place.file = *region.path;
  place.line = place.file == kOverrideFile ? 0 : static_cast<int>(region.begin.line);
  const auto lines = sources_.find(region.path.get());
  if (lines == sources_.end() || region.begin.line == 0 || region.begin.line > lines->second.size()) return place;
  // A table opened by a [header] has no value to quote.
  if (const toml::table* t = node.as_table(); t && !t->is_inline()) return place;
  if (const toml::array* a = node.as_array(); a && a->is_array_of_tables() && region.begin.line != region.end.line)
    return place;
  const std::string_view line = lines->second[region.begin.line - 1];
  const std::size_t begin = byte_of_column(line, region.begin.column);
  const bool one_line = region.end.line == region.begin.line;
  const std::size_t end = one_line ? byte_of_column(line, region.end.column) : line.size();
  if (begin < end) place.value = shortened(line.substr(begin, end - begin));
  return place;
}

void Reader::problem(const toml::node& node, std::string key, std::string rule) {
  KeyPlace p = place(node);
  problems.push_back({std::move(p.file), p.line, std::move(key), std::move(p.value), std::move(rule)});
}

std::optional<double> Reader::number(const toml::node& node, const std::string& path, const std::string& unit,
                                     const Range& range, const std::string& word, double word_value) {
  std::optional<double> value;
  const std::string or_word = word.empty() ? "" : fmt::format(" or \"{}\"", word);
  if (const auto* s = node.as_string()) {
    if (!word.empty() && s->get() == word) return word_value;
    std::string error;
    value = parse_quantity(s->get(), unit, error);
    if (!value) {
      if (!word.empty() && error == "does not begin with a number")
        error = fmt::format("must be {}{}{}", describe_unit(unit), or_word, suggestion(s->get(), {word}));
      problem(node, path, error);
      return std::nullopt;
    }
  } else if (const auto* f = node.as_floating_point()) {
    value = f->get();
  } else if (const auto* i = node.as_integer()) {
    value = static_cast<double>(i->get());
  } else {
    problem(node, path, fmt::format("must be {}{}, not {}", describe_unit(unit), or_word, type_name(node)));
    return std::nullopt;
  }
  if (!is_usable(*value)) {
    problem(node, path, kUsableRule + or_word);
    return std::nullopt;
  }
  if (!range.contains(*value)) {
    problem(node, path, range.text() + (unit.empty() ? "" : fmt::format(" [{}]", unit)) + or_word);
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> Reader::integer(const toml::node& node, const std::string& path, const Range& range,
                                            const std::string& word, std::int64_t word_value) {
  if (const auto* s = node.as_string(); s && !word.empty() && s->get() == word) return word_value;
  const std::string or_word = word.empty() ? "" : fmt::format(" or \"{}\"", word);
  std::optional<std::int64_t> value;
  if (const auto* i = node.as_integer()) {
    value = i->get();
  } else if (const auto* f = node.as_floating_point()) {
    // 1e6 is a float in TOML, but a count to its writer. Beyond 2^53 a float no longer names one integer.
    if (std::abs(f->get()) <= 9007199254740992.0 && f->get() == std::floor(f->get()))
      value = static_cast<std::int64_t>(f->get());
  }
  if (!value) {
    problem(node, path, fmt::format("must be an integer{}", or_word));
    return std::nullopt;
  }
  if (!range.contains(static_cast<double>(*value))) {
    problem(node, path, range.text() + or_word);
    return std::nullopt;
  }
  return value;
}

std::optional<bool> Reader::boolean(const toml::node& node, const std::string& path) {
  if (const auto* b = node.as_boolean()) return b->get();
  problem(node, path, "must be true or false");
  return std::nullopt;
}

std::optional<std::string> Reader::text(const toml::node& node, const std::string& path) {
  if (const auto* s = node.as_string()) return s->get();
  problem(node, path, fmt::format("must be a text in quotes, not {}", type_name(node)));
  return std::nullopt;
}

std::optional<Vec3d> Reader::vector(const toml::node& node, const std::string& path, const std::string& unit) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != 3) {
    problem(node, path, fmt::format("must be an array of three components, each {}", describe_unit(unit)));
    return std::nullopt;
  }
  std::array<double, 3> component{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::optional<double> value = number((*array)[k], path, unit, Range{});
    if (!value) return std::nullopt;
    component[k] = *value;
  }
  return Vec3d{component[0], component[1], component[2]};
}

std::optional<std::size_t> Reader::word(const toml::node& node, const std::string& path,
                                        const std::vector<std::string>& words) {
  const auto* s = node.as_string();
  if (s) {
    const auto found = std::find(words.begin(), words.end(), s->get());
    if (found != words.end()) return found - words.begin();
  }
  std::string choice;
  for (const std::string& w : words) choice += (choice.empty() ? "\"" : ", \"") + w + "\"";
  problem(
      node, path,
      fmt::format("must be {}{}{}", words.size() > 1 ? "one of " : "", choice, s ? suggestion(s->get(), words) : ""));
  return std::nullopt;
}

std::vector<std::string> Reader::texts(const toml::node& node, const std::string& path) {
  std::vector<std::string> all;
  const toml::array* array = node.as_array();
  if (!array) {
    problem(node, path, fmt::format("must be an array of texts, such as [\"a\", \"b\"], not {}", type_name(node)));
    return all;
  }
  for (const toml::node& element : *array)
    if (const std::optional<std::string> s = text(element, path)) all.push_back(*s);
  return all;
}

const toml::table* Reader::table(const toml::node& node, const std::string& path, const std::string& what) {
  const toml::table* t = node.as_table();
  if (!t) problem(node, path, fmt::format("must be {}, not {}", what, type_name(node)));
  return t;
}

void Reader::locate(Problem& p) const {
  locate_key(p, aliases_, [&](const std::string& key) -> std::optional<KeyPlace> {
    const auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    return place(*found->second);
  });
}

KeyPlaces Reader::places(const std::string& file) const {
  KeyPlaces all{file, {}, aliases_, unused};
  for (const auto& [key, node] : places_) all.keys.emplace_hint(all.keys.end(), key, place(*node));
  return all;
}

std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
  const auto position = [](const toml::node* n) {
    const toml::source_region& s = n->source();
    const bool from_command_line = !s.path || *s.path == kOverrideFile;
    return std::tuple(from_command_line, s.begin.line, s.begin.column);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return position(a.second) < position(b.second); });
  return entries;
}

}  // namespace areia::io
