// Parts that several tables of the schema share.
#pragma once
#include <variant>

#include "io/schema/schema.h"

namespace areia::io {

void read_box(Box& box, const toml::node& node, Reader& r, const std::string& path);
std::string write_box(const Box& box);
const Table<Region>& region_table();
const Table<Motion>& motion_table();
const Table<Implicit>& implicit_table();
const Table<Events>& events_table();
const Table<CellLoad>& cell_load_table();
const Table<Interval>& interval_table();

// The inside of an array of texts.
inline std::string array_of_texts(const std::vector<std::string>& all, const std::string& prefix = "") {
  std::string list;
  for (const std::string& s : all) list += (list.empty() ? "" : ", ") + toml_text(prefix + s);
  return list;
}

template <class T>
std::vector<Key<T>> joined(std::vector<Key<T>> a, const std::vector<Key<T>>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A key of a member struct as a key of the struct that holds it.
template <class T, class U>
Key<T> lifted(const Key<U>& f, U T::*member) {
  Key<T> g;
  static_cast<KeyInfo&>(g) = f;
  g.read = [member, read = f.read](T& t, const toml::node& node, Reader& r, const std::string& path) {
    read(t.*member, node, r, path);
  };
  g.write = [member, write = f.write](const T& t) { return write(t.*member); };
  if (f.check)
    g.check = [member, check = f.check](const T& t, Rules& r, const std::string& path) { check(t.*member, r, path); };
  return g;
}

// A table bound to a member that is a struct of its own.
template <class T, class U>
Key<T> table_of(std::string name, const Table<U>& below, U T::*member, Rule rule) {
  return table<T, U>(
      std::move(name), below, [member](T& t) -> U& { return t.*member; }, [member](const T& t) { return &(t.*member); },
      std::move(rule));
}

// A table whose keys lie in the same struct, and whose presence is recorded in a `kind`.
template <class T, class K>
Key<T> same_struct(std::string name, const Table<T>& below, K T::*kind, K value) {
  return table<T, T>(
      std::move(name), below,
      [=](T& t) -> T& {
        t.*kind = value;
        return t;
      },
      [=](const T& t) { return t.*kind == value ? &t : nullptr; }, {});
}

// A table that chooses one alternative of a variant.
template <class T, class U, class... V>
Key<T> alternative(std::string name, const Table<U>& below, std::variant<V...> T::*member) {
  return table<T, U>(
      std::move(name), below, [=](T& t) -> U& { return (t.*member).template emplace<U>(); },
      [=](const T& t) { return std::get_if<U>(&(t.*member)); }, {});
}

// `motion` of a wall or of prescribed particles.
template <class T>
Key<T> motion_key(Motion T::*member) {
  return table<T, Motion>(
      "motion", motion_table(), [=](T& t) -> Motion& { return t.*member; },
      [=](const T& t) { return (t.*member).kind == Motion::Kind::fixed ? nullptr : &(t.*member); },
      {.text = "How it moves; without this key it stands still."});
}

// The times between which something acts: start, stop, start_stage, stop_stage.
template <class T>
std::vector<Key<T>> interval_keys() {
  return {
      written_if([](const T& t) { return t.start_stage.empty(); },
                 number("start", &T::start, {.unit = "s", .range = kNotNegative, .text = "Time at which it begins."})),
      written_if([](const T& t) { return t.stop_stage.empty(); }, number("stop", &T::stop,
                                                                         {.unit = "s",
                                                                          .range = kNotNegative,
                                                                          .word = "never",
                                                                          .word_value = kForever,
                                                                          .text = "Time at which it ends."})),
      text("start_stage", &T::start_stage, {.text = "Stage with whose beginning it begins, in place of `start`."}),
      text("stop_stage", &T::stop_stage, {.text = "Stage with whose beginning it ends, in place of `stop`."})};
}

}  // namespace areia::io
