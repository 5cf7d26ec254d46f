#include "io/case/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "io/schema/key.h"

namespace areia::io {
namespace {

constexpr int kDeepestKey = 16;

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

}  // namespace

// The library reads some numbers through streams, which take a lack of memory for a number that is wrong. So what fails
// is read again, and its second verdict counts.
static toml::table parse_twice(std::string_view text, std::string_view name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error&) { return toml::parse(text, name); }
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  if (has_deep_key(text)) fail(name, 0, "", fmt::format("a key has more than {} parts", kDeepestKey));
  try {
    return parse_twice(text, name);
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

void Overrides::apply(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  if (equals == std::string::npos || path.empty()) return problem(text, "", "must have the form path=value");
  const std::string value = text.substr(equals + 1);

  toml::table* parent = &root_;
  std::size_t begin = 0;
  why_.clear();
  for (int depth = 0;; ++depth) {
    const std::size_t dot = path.find('.', begin);
    std::string part = path.substr(begin, dot == std::string::npos ? dot : dot - begin);
    if (part.empty() || depth > kDeepestKey) return problem(path, value, "is not the path of a key");
    if (dot == std::string::npos) return assign(*parent, part, path, value);
    parent = step(*parent, part, path, begin, dot);
    if (!parent)
      return problem(path, value, why_.empty() ? fmt::format("`{}` is not there, or is not a table", part) : why_);
    if (begin == std::string::npos) return problem(path, value, "is not the path of a key");
  }
}

void Overrides::problem(const std::string& key, const std::string& value, std::string rule) {
  reader_.problems.push_back({std::string(kOverrideFile), 0, key, value, std::move(rule)});
}

// The table named by `part`; made when it is not there. Advances `begin` behind what was used of the path.
toml::table* Overrides::step(toml::table& parent, const std::string& part, const std::string& path, std::size_t& begin,
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
    std::vector<std::string> names;
    for (toml::node& element : *array)
      if (toml::table* t = element.as_table())
        if (const toml::node* n = t->get("name"); n && n->is_string()) {
          if (n->as_string()->get() == wanted) return t;
          names.push_back(n->as_string()->get());
        }
    why_ = fmt::format("`{}` has none with the name `{}`{}", name, wanted, suggestion(wanted, names));
    return nullptr;
  }
  return node->as_table();
}

void Overrides::assign(toml::table& parent, const std::string& key, const std::string& path, const std::string& value) {
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

}  // namespace areia::io
