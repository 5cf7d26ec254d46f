// A number that changes in time as a key: a number or quantity, or a table with one of a ramp, a table and a formula.
//   pressure = "100 kPa"
//   pressure = { from = "10 kPa", to = "100 kPa", over = "0.2 s" }
//   pressure = { table = [[0, "10 kPa"], ["0.2 s", "100 kPa"]] }
//   pressure = { formula = "1e5*smooth(t/0.2)" }
#pragma once
#include "areia/course.h"
#include "io/schema/parts.h"

namespace areia::io {

// The table of a course whose values have this unit and range.
Table<Course> course_table(const Rule& rule);
// A sound course by itself, whatever time it is asked for; what is known of a formula are samples over the run.
void check_course(const Course& course, const Rule& rule, Rules& r, const std::string& path);
// Whether the text is a formula and has finite values over the run.
bool check_formula(const Formula& formula, Rules& r, const std::string& path);

template <class T>
Key<T> course(std::string name, Course T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::number, rule);
  const Table<Course> below = course_table(rule);
  f.keys = below.infos();
  f.one_of = below.one_of;
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    t.*member = {};
    if (const toml::table* written = node.as_table()) read_table(below, t.*member, *written, r, path);
    else if (const auto v = r.number(node, path, rule.unit, rule.range)) t.*member = *v;
  };
  f.write = [=](const T& t) -> std::string {
    const Course& c = t.*member;
    if (c.kind != Course::Kind::constant) return write_inline(below, c);
    return rule.unset_is_zero && c.value == 0 ? "" : toml_number(c.value);
  };
  f.check = [=](const T& t, Rules& r, const std::string& path) { check_course(t.*member, rule, r, path); };
  return with_preset(std::move(f));
}

// A formula as a key of its own.
template <class T>
Key<T> formula(std::string name, Formula T::*member, Rule rule) {
  Key<T> f = declare<T>(std::move(name), KeyInfo::Form::text, rule);
  f.read = [=](T& t, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.text(node, path)) t.*member = Formula(*v);
  };
  f.write = [=](const T& t) { return (t.*member).given() ? toml_text((t.*member).text()) : ""; };
  f.check = [=](const T& t, Rules& r, const std::string& path) {
    if ((t.*member).given()) check_formula(t.*member, r, path);
  };
  return with_preset(std::move(f));
}

}  // namespace areia::io
