// The vocabulary in which the schema of case files is written. A Table<T> describes how a TOML table becomes a T: one
// Key<T> for each key, bound to a member. Reading, writing, the check of values, the manual page and the JSON Schema
// all walk these keys, so a key with its unit and range is declared in one line and nowhere else.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/suggest.h"
#include "io/case/reader.h"
#include "scene/rules/rules.h"
#include "scene/shapes/shape.h"

namespace areia::io {

// Keys that exclude each other.
struct OneOf {
  std::vector<std::string> names;
  bool required;  // one of them must be given
};

// What the manual page and the JSON Schema know of a key.
struct KeyInfo {
  enum class Form {
    text,
    number,
    integer,
    boolean,
    vector,
    word,
    texts,
    integers,
    integer_pairs,
    motion_rows,
    time_rows,  // times and numbers
    box,
    rows,  // three vectors
    table,
    tables,  // a table, or an array of them
    named,
    listed,
    contacts,
    settings  // any keys of the case
  };

  std::string name;
  Form form = Form::text;
  std::string unit;  // of numbers and vectors
  Range range;
  std::vector<std::string> words;  // all that are allowed; for a number: stands beside the numbers ("auto")
  std::string preset;              // default as TOML; "" when there is none
  bool required = false;
  std::string text;
  std::vector<KeyInfo> keys;  // of the tables below
  std::vector<OneOf> one_of;
};

// What is declared of a key beside its name and the member it fills.
using Rule = KeyRule;

template <class T>
struct Key : KeyInfo {
  std::function<void(T&, const toml::node&, Reader&, const std::string& path)> read;
  std::function<std::string(const T&)> write;  // the value as TOML; "" = leave the key out
  // Whether the value is possible by itself, wherever it came from. Keys that other keys fill have none.
  std::function<void(const T&, Rules&, const std::string& path)> check;
};

template <class T>
struct Table {
  std::string text;
  std::vector<Key<T>> keys;
  std::vector<OneOf> one_of = {};

  std::vector<KeyInfo> infos() const {
    std::vector<KeyInfo> all;
    for (const Key<T>& k : keys) all.push_back(k);
    return all;
  }
};

// --- text of values -------------------------------------------------------------------------------------------------
// Shortest decimal that reads back to the same bits; a point or exponent marks it as a float.
std::string toml_number(double v);
std::string toml_text(const std::string& s);
std::string toml_vector(const Vec3d& v);
std::string toml_key(const std::string& name);

// While one of these lives, texts of tables leave out what has its default.
class ShortTexts {
 public:
  ShortTexts() { ++alive; }
  ~ShortTexts() { --alive; }
  ShortTexts(const ShortTexts&) = delete;
  ShortTexts& operator=(const ShortTexts&) = delete;
  static inline thread_local int alive = 0;
};

// The text of a key that is to be written, or "". Of several keys of which one must be there, that it is says which.
template <class T>
std::string written_text(const Table<T>& table, const Key<T>& key, const T& value) {
  std::string text = key.write(value);
  if (text.empty() || ShortTexts::alive == 0 || key.required) return text;
  for (const OneOf& group : table.one_of)
    for (const std::string& name : group.names)
      if (group.required && name == key.name) return text;
  return text == key.write(T{}) ? "" : text;
}

template <class T>
std::string write_inline(const Table<T>& table, const T& value) {
  std::string text;
  for (const Key<T>& f : table.keys) {
    const std::string v = written_text(table, f, value);
    if (!v.empty()) text += (text.empty() ? "" : ", ") + f.name + " = " + v;
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

// --- checking and reading a whole table ------------------------------------------------------------------------------
inline std::string joined_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

// Every value by itself, with the ranges that reading uses: for cases that a program filled, which no reader has seen.
template <class T>
void check_table(const Table<T>& table, const T& value, Rules& rules, const std::string& path) {
  for (const Key<T>& k : table.keys)
    if (k.check) k.check(value, rules, joined_path(path, k.name));
}

template <class T>
void read_table(const Table<T>& table, T& target, const toml::table& written, Reader& reader, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const auto& [key, node] : in_file_order(written)) {
    const Key<T>* found = nullptr;
    for (const Key<T>& f : table.keys)
      if (f.name == key) found = &f;
    if (!found) {
      std::vector<std::string> known;
      std::string list;
      for (const Key<T>& f : table.keys) {
        known.push_back(f.name);
        list += (list.empty() ? "" : ", ") + f.name;
      }
      reader.problem(*node, prefix + key, fmt::format("unknown key{}; there are: {}", suggestion(key, known), list));
      continue;
    }
    reader.remember(prefix + key, *node);
    found->read(target, *node, reader, prefix + key);
  }
  for (const Key<T>& f : table.keys)
    if (f.required && !written.contains(f.name))
      reader.problem(written, prefix + f.name, fmt::format("is missing: {}", f.text));
  for (const auto& group : table.one_of) {
    std::string choice, given;
    int count = 0;
    for (const std::string& name : group.names) {
      choice += (choice.empty() ? "`" : ", `") + name + "`";
      if (!written.contains(name)) continue;
      given = name;
      ++count;
    }
    if (count > 1)
      reader.problem(*written.get(given), prefix + given, fmt::format("only one of {} may be given", choice));
    if (count == 0 && group.required)
      reader.problem(written, path, fmt::format("needs {}{}", group.names.size() > 1 ? "one of " : "", choice));
  }
}

// --- declarations of keys --------------------------------------------------------------------------------------------
template <class T>
// NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved from
Key<T> declare(std::string name, KeyInfo::Form form, const Rule& rule) {
  Key<T> f;
  f.name = std::move(name);
  f.form = form;
  f.unit = rule.unit;
  f.range = rule.range;
  if (!rule.word.empty()) f.words = {rule.word};
  f.required = rule.required;
  f.text = rule.text;
  return f;
}

// The default of a key is what a fresh T holds.
template <class T>
Key<T> with_preset(Key<T> f) {
  if (!f.required) f.preset = f.write(T{});
  if (f.preset == "\"\"") f.preset.clear();
  return f;
}

// The value stands for a word of the case file, or for a key that is not given.
inline bool is_word_or_unset(const Rule& rule, double v) {
  return (rule.unset_is_zero && v == 0) || (!rule.word.empty() && v == rule.word_value);
}

template <class T>
Key<T> number(std::string name, double T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::number, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.number(node, path, rule.unit, rule.range, rule.word, rule.word_value)) t.*member = *v;
  };
  f.write = [=](const T& t) -> std::string {
    if (rule.unset_is_zero && t.*member == 0) return "";
    if (!rule.word.empty() && t.*member == rule.word_value) return toml_text(rule.word);
    return toml_number(t.*member);
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    if (!is_word_or_unset(rule, t.*member)) r.within(path, t.*member, rule.range);
  };
  return with_preset(std::move(f));
}

template <class T, class I>
Key<T> integer(std::string name, I T::*member, Rule rule) {
  static_assert(std::is_integral_v<I>);
  // Whatever the rule says, the value has to fit into its member. 2^63 is the first double beyond the largest int64.
  if (std::is_unsigned_v<I>) rule.range.min = std::max(rule.range.min, 0.0);
  if (sizeof(I) < 8) {
    rule.range.min = std::max(rule.range.min, static_cast<double>(std::numeric_limits<I>::min()));
    rule.range.max = std::min(rule.range.max, static_cast<double>(std::numeric_limits<I>::max()));
  }
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::integer, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    const auto v = r.integer(node, path, rule.range, rule.word, static_cast<std::int64_t>(rule.word_value));
    if (v) t.*member = static_cast<I>(*v);
  };
  f.write = [=](const T& t) -> std::string {
    if (rule.unset_is_zero && t.*member == 0) return "";
    if (!rule.word.empty() && static_cast<double>(t.*member) == rule.word_value) return toml_text(rule.word);
    return fmt::format("{}", t.*member);
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    const auto v = static_cast<double>(t.*member);
    if (!is_word_or_unset(rule, v)) r.within(path, v, rule.range);
  };
  return with_preset(std::move(f));
}

template <class T>
Key<T> boolean(std::string name, bool T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::boolean, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.boolean(node, path)) t.*member = *v;
  };
  f.write = [=](const T& t) { return t.*member ? "true" : "false"; };
  return with_preset(std::move(f));
}

template <class T>
Key<T> text(std::string name, std::string T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::text, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.text(node, path)) t.*member = *v;
  };
  f.write = [=](const T& t) { return (t.*member).empty() ? "" : toml_text(t.*member); };
  return with_preset(std::move(f));
}

template <class T>
Key<T> vector(std::string name, Vec3d T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::vector, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.vector(node, path, rule.unit)) t.*member = *v;
  };
  f.write = [=](const T& t) { return toml_vector(t.*member); };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    if (rule.direction) r.direction(path, t.*member);
    else r.finite(path, t.*member);
  };
  return with_preset(std::move(f));
}

// One of several words, each standing for a value of the member.
template <class T, class E>
Key<T> word(std::string name, E T::*member, std::vector<std::pair<std::string, E>> values, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::word, rule);
  for (const auto& [w, e] : values) f.words.push_back(w);
  f.read = [=, words = f.words](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto index = r.word(node, path, words)) t.*member = values[*index].second;
  };
  f.write = [=](const T& t) -> std::string {
    for (const auto& [w, e] : values)
      if (t.*member == e) return toml_text(w);
    return "";
  };
  return with_preset(std::move(f));
}

// An array of words that switches flags.
template <class T>
Key<T> flags(std::string name, std::vector<std::pair<std::string, std::function<bool&(T&)>>> values, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::texts, rule);
  for (const auto& [w, flag] : values) f.words.push_back(w);
  f.read = [=, words = f.words](T& t, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* array = node.as_array();
    if (!array) return r.problem(node, path, fmt::format("must be an array of words, such as [\"{}\"]", words[0]));
    for (const toml::node& element : *array)
      if (const auto index = r.word(element, path, words)) values[*index].second(t) = true;
  };
  f.write = [=](const T& t) {
    std::string list;
    T copy = t;
    for (const auto& [w, flag] : values)
      if (flag(copy)) list += (list.empty() ? "" : ", ") + toml_text(w);
    return "[" + list + "]";
  };
  return with_preset(std::move(f));
}

// A table that fills a part of T. `part` makes the part ready for reading; `shown` gives it for writing, or null when
// the case at hand does not have it (another alternative was chosen).
template <class T, class U>
Key<T> table(std::string name, const Table<U>& below, std::function<U&(T&)> part,
             std::function<const U*(const T&)> shown, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::table, rule);
  f.keys = below.infos();
  f.one_of = below.one_of;
  if (f.text.empty()) f.text = below.text;
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const toml::table* written = r.table(node, path)) read_table(below, part(t), *written, r, path);
  };
  f.write = [=](const T& t) -> std::string {
    const U* u = shown(t);
    return u ? write_inline(below, *u) : "";
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    if (const U* u = shown(t)) check_table(below, *u, r, path);
  };
  return f;
}

// [name.X] tables, in the order of the file; X becomes the member `name`.
template <class T, class U>
Key<T> named(std::string name, std::vector<U> T::*member, const Table<U>& below, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::named, rule);
  f.keys = below.infos();
  f.one_of = below.one_of;
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    const toml::table* all = r.table(node, path);
    if (!all) return;
    for (const auto& [key, one] : in_file_order(*all)) {
      const std::string one_path = path + "." + key;
      r.remember(one_path, *one);
      const toml::table* written = r.table(*one, one_path);
      if (!written) continue;
      U u;
      u.name = key;
      read_table(below, u, *written, r, one_path);
      (t.*member).push_back(std::move(u));
    }
  };
  f.write = [=](const T& t) {
    std::string text;
    for (const U& u : t.*member) text += (text.empty() ? "" : ", ") + toml_key(u.name) + " = " + write_inline(below, u);
    return text.empty() ? "" : "{ " + text + " }";
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    for (const U& u : t.*member) check_table(below, u, r, path + "." + u.name);
  };
  return f;
}

// [[name]] tables.
template <class T, class U>
Key<T> listed(std::string name, std::vector<U> T::*member, const Table<U>& below, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::listed, rule);
  f.keys = below.infos();
  f.one_of = below.one_of;
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* all = node.as_array();
    if (!all) return r.problem(node, path, fmt::format("must be an array of tables, written [[{}]]", path));
    for (std::size_t k = 0; k < all->size(); ++k) {
      const std::string one_path = fmt::format("{}[{}]", path, k + 1);
      r.remember(one_path, (*all)[k]);
      const toml::table* written = r.table((*all)[k], one_path);
      if (!written) continue;
      U u;
      read_table(below, u, *written, r, one_path);
      (t.*member).push_back(std::move(u));
    }
  };
  f.write = [](const T&) { return std::string(); };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    for (std::size_t k = 0; k < (t.*member).size(); ++k)
      check_table(below, (t.*member)[k], r, fmt::format("{}[{}]", path, k + 1));
  };
  return f;
}

}  // namespace areia::io
