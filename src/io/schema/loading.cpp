// Keys of [loading.NAME].
#include "io/schema/course.h"
#include "io/schema/schema.h"

namespace areia::io {
namespace {

using Axis = Loading::Axis;
using By = Axis::By;

Key<Axis> walls_key() {
  Key<Axis> f = declare<Axis>(
      "walls", KeyInfo::Form::texts,
      {.text = "The two walls across this axis, the lower one first: planes or rectangles. Without them nothing moves "
               "here, and the length is the period of the domain."});
  f.read = [](Axis& a, const toml::node& node, Reader& r, const std::string& path) {
    const std::size_t before = r.problems.size();
    std::vector<std::string> names = r.texts(node, path);
    for (std::string& name : names)
      if (name.starts_with("walls.")) name.erase(0, 6);
    if (r.problems.size() != before) return;
    if (names.size() != 2 || names[0] == names[1])
      return r.problem(node, path, "must name two walls, as [\"a\", \"b\"]");
    a.low = names[0];
    a.high = names[1];
  };
  f.write = [](const Axis& a) {
    return a.low.empty() && a.high.empty() ? "" : "[" + array_of_texts({a.low, a.high}) + "]";
  };
  return f;
}

Key<Axis> choosing(By by, Key<Axis> f) {
  f.read = [by, read = f.read](Axis& a, const toml::node& node, Reader& r, const std::string& path) {
    a.by = by;
    read(a, node, r, path);
  };
  f.preset.clear();
  return written_if([by](const Axis& a) { return a.by == by; }, std::move(f));
}

const Table<Axis>& axis_table() {
  static const Table<Axis> table{
      "How the sample is loaded along an axis; without `stress` and `strain_rate` its walls keep their distance.",
      {walls_key(),
       choosing(
           By::stress,
           course("stress", &Axis::stress,
                  {.unit = "Pa", .range = kNotNegative, .text = "Compressive stress to hold, or its course in time."})),
       choosing(
           By::strain_rate,
           course("strain_rate", &Axis::strain_rate,
                  {.unit = "1/s",
                   .text = "Rate at which the present length shrinks, or its course in time; negative: it grows."}))},
      {{{"stress", "strain_rate"}, false}}};
  return table;
}

Key<Loading> axis_key(std::size_t axis, const char* name) {
  return areia::io::table<Loading, Axis>(
      name, axis_table(), [axis](Loading& l) -> Axis& { return l.axis[axis]; },
      [axis](const Loading& l) { return l.axis[axis] == Axis{} ? nullptr : &l.axis[axis]; }, {});
}

}  // namespace

const Table<Loading>& loading_table() {
  static const Table<Loading> table{
      "Loads a sample between pairs of walls, by stresses or strain rates along x, y and z. Of two loadings that run "
      "at "
      "once and drive the same walls the later one in the file does.",
      {axis_key(0, "x"), axis_key(1, "y"), axis_key(2, "z"),
       number("max_speed", &Loading::max_speed,
              {.unit = "m/s",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Largest speed of a wall that follows a stress; needed by those."}),
       number("gain", &Loading::gain,
              {.unit = "s/kg",
               .range = kPositive,
               .word = "auto",
               .text = "Speed per missing force (m/s per N); auto: from the stiffness of the contacts and the step."}),
       table_if_given<Loading, Interval>("when", interval_table(), &Loading::when,
                                         "It acts only in this time; else the walls keep their places.")}};
  return table;
}

}  // namespace areia::io
