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

// A table that is written when it is not as it begins.
template <class T, class U>
Key<T> table_if_given(std::string name, const Table<U>& below, U T::*member, const std::string& text) {
  return table<T, U>(
      std::move(name), below, [=](T& t) -> U& { return t.*member; },
      [=](const T& t) { return t.*member == U{} ? nullptr : &(t.*member); }, {.text = text});
}

// The path of a part of a motion: of several they are numbered.
inline std::string part_path(const std::string& path, const Motion& whole, std::size_t part) {
  return whole.then.empty() ? path : fmt::format("{}[{}]", path, part + 1);
}

// `motion` of a wall or of prescribed particles.
template <class T>
Key<T> motion_key(Motion T::*member) {
  Key<T> f = declare<T>("motion", KeyInfo::Form::tables,
                        {.text = "How it moves; without this key it stands still. Of several parts in an array each "
                                 "carries what those before it have moved."});
  f.keys = motion_table().infos();
  f.one_of = motion_table().one_of;
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* all = node.as_array();
    if (!all) {
      if (const toml::table* written = r.table(node, path, "a table, or an array of tables"))
        read_table(motion_table(), t.*member, *written, r, path);
      return;
    }
    std::vector<Motion> parts;
    for (std::size_t k = 0; k < all->size(); ++k) {
      const std::string one = all->size() > 1 ? fmt::format("{}[{}]", path, k + 1) : path;
      r.remember(one, (*all)[k]);
      if (const toml::table* written = r.table((*all)[k], one))
        read_table(motion_table(), parts.emplace_back(), *written, r, one);
    }
    if (all->empty()) r.problem(node, path, "needs at least one part");
    if (!parts.empty()) t.*member = parts[0];
    if (parts.size() > 1) (t.*member).then.assign(parts.begin() + 1, parts.end());
  };
  f.write = [=](const T& t) -> std::string {
    const Motion& m = t.*member;
    if (m.kind == Motion::Kind::fixed) return "";
    if (m.then.empty()) return write_inline(motion_table(), m);
    std::string text = write_inline(motion_table(), m);
    for (const Motion& next : m.then) text += ", " + write_inline(motion_table(), next);
    return "[" + text + "]";
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    const Motion& m = t.*member;
    if (m.kind != Motion::Kind::fixed) check_table(motion_table(), m, r, part_path(path, m, 0));
    for (std::size_t k = 0; k < m.then.size(); ++k)
      check_table(motion_table(), m.then[k], r, part_path(path, m, k + 1));
  };
  return f;
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
