#include "io/schema/course.h"

#include "scene/case_facts.h"

namespace areia::io {
namespace {

// What changes may pass through the end of a range that a constant must not have: a pressure may begin at 0.
Range closed(Range range) {
  range.open_min = range.open_max = false;
  return range;
}

// A key that says by itself which kind of course it is.
template <class F>
Key<Course> choosing(Course::Kind kind, Key<Course> key, F&& read) {
  key.read = [=](Course& c, const toml::node& node, Reader& r, const std::string& path) {
    c.kind = kind;
    read(c, node, r, path);
  };
  key.check = nullptr;  // check_course does
  return written_if([=](const Course& c) { return c.kind == kind; }, std::move(key));
}

Key<Course> rows_key(const Rule& rule) {
  const Range range = closed(rule.range);
  Key<Course> key = declare<Course>(
      "table", KeyInfo::Form::time_rows,
      {.unit = rule.unit,
       .range = range,
       .text = "Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays."});
  key.write = [](const Course& c) {
    std::string text;
    for (const CourseRow& row : c.table)
      text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", toml_number(row.time), toml_number(row.value));
    return "[" + text + "]";
  };
  return choosing(Course::Kind::table, std::move(key),
                  [unit = rule.unit, range](Course& c, const toml::node& node, Reader& r, const std::string& path) {
                    const toml::array* all = node.as_array();
                    if (!all) return r.problem(node, path, "must be an array of lines, such as [[0, 0], [1, 0.5]]");
                    for (std::size_t k = 0; k < all->size(); ++k) {
                      const std::string one = fmt::format("{}[{}]", path, k + 1);
                      r.remember(one, (*all)[k]);
                      const toml::array* line = (*all)[k].as_array();
                      if (!line || line->size() != 2) {
                        r.problem((*all)[k], one, "must be [t, value]");
                        r.excuse(path);
                        continue;
                      }
                      const auto time = r.number((*line)[0], one, "s", kNotNegative);
                      const auto value = r.number((*line)[1], one, unit, range);
                      if (time && value) c.table.push_back({*time, *value});
                      else r.excuse(path);
                    }
                  });
}

}  // namespace

Table<Course> course_table(const Rule& rule) {
  const auto end = [&](const char* name, double Course::*member, const char* text) {
    return written_if([](const Course& c) { return c.kind == Course::Kind::ramp; },
                      number(name, member, {.unit = rule.unit, .range = closed(rule.range), .text = text}));
  };
  const Rule over{
      .unit = "s", .range = kPositive, .text = "Time in which it goes from `from` to `to`, where it stays."};
  const Rule formula_rule{
      .text =
          "A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, "
          "`exp`, `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 "
          "at 1)."};
  return {"A number that changes in time; `t` counts from when that begins which it belongs to.",
          {end("from", &Course::from, "Where a ramp begins."), end("to", &Course::to, "Where a ramp ends."),
           choosing(Course::Kind::ramp, number("over", &Course::over, over),
                    [=](Course& c, const toml::node& node, Reader& r, const std::string& path) {
                      if (const auto v = r.number(node, path, over.unit, over.range)) c.over = *v;
                    }),
           rows_key(rule),
           choosing(Course::Kind::formula, formula("formula", &Course::formula, formula_rule),
                    [](Course& c, const toml::node& node, Reader& r, const std::string& path) {
                      if (const auto v = r.text(node, path)) c.formula = Formula(*v);
                      else r.excuse(path);
                    })},
          {{{"over", "table", "formula"}, true}}};
}

bool check_formula(const Formula& formula, Rules& r, const std::string& path) {
  const std::string quoted = fmt::format("\"{}\"", formula.text());
  if (!formula.given()) r.add(path, "", "is missing: a formula of t");
  else if (!formula.problem().empty()) r.add(path, quoted, "is no formula: " + formula.problem());
  else if (const double until = known_duration(r.settings()); !bounds_of(formula, until).finite)
    r.add(path, quoted, fmt::format("has no finite value or rate at some t between 0 and {} s", until));
  else return true;
  return false;
}

void check_course(const Course& c, const Rule& rule, Rules& r, const std::string& path) {
  const Range range = closed(rule.range);
  switch (c.kind) {
    case Course::Kind::constant:
      if (!is_word_or_unset(rule, c.value)) r.within(path, c.value, rule.range);
      return;
    case Course::Kind::ramp:
      r.within(path + ".from", c.from, range);
      r.within(path + ".to", c.to, range);
      r.within(path + ".over", c.over, kPositive);
      return;
    case Course::Kind::table:
      if (c.table.empty()) r.add(path + ".table", "0", "at least one line is needed");
      for (std::size_t k = 0; k < c.table.size(); ++k) {
        const std::string at = fmt::format("{}.table[{}]", path, k + 1);
        r.within(at, c.table[k].time, kNotNegative);
        r.within(at, c.table[k].value, range);
        if (k > 0) r.rule(c.table[k].time > c.table[k - 1].time, at, c.table[k].time, "times must ascend");
      }
      return;
    case Course::Kind::formula: {
      if (!check_formula(c.formula, r, path + ".formula")) return;
      const CourseBounds b = bounds_of(c.formula, known_duration(r.settings()));
      for (const double v : {b.least, b.most})
        if (!range.contains(v) || !is_usable(v))
          return r.add(
              path + ".formula", fmt::format("\"{}\"", c.formula.text()),
              fmt::format("{}; it comes to {:.6g} at some t", range.contains(v) ? kUsableRule : range.text(), v));
      return;
    }
  }
}

}  // namespace areia::io
