// Walls and motions in the schema of case files.
#include <numbers>

#include "io/case/motion_csv.h"
#include "io/meshes/mesh_file.h"
#include "io/particles/particle_csv.h"
#include "io/schema/course.h"
#include "io/schema/parts.h"
#include "scene/wall_geometry.h"

namespace areia::io {
namespace {

// frequency and omega fill the same member; only omega is written back.
Key<Motion> frequency_key() {
  Rule rule{.unit = "Hz", .range = kNotNegative, .text = "Frequency in cycles per second, in place of `omega`."};
  Key<Motion> f = declare<Motion>("frequency", KeyInfo::Form::number, rule);
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.number(node, path, "Hz", kNotNegative)) m.omega = 2 * std::numbers::pi * *v;
  };
  f.write = [](const Motion&) { return std::string(); };
  return f;
}

// [t, [shift], [turn]]; the turn may be left out.
Key<Motion> rows_key() {
  Rule rule{.text =
                "Lines `[t, [x, y, z], [ax, ay, az]]`: time since the start of the motion, displacement in m, and "
                "rotation vector in rad (may be left out). The first line is at t = 0."};
  Key<Motion> f = declare<Motion>("rows", KeyInfo::Form::motion_rows, rule);
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* all = node.as_array();
    if (!all) return r.problem(node, path, "must be an array of lines, such as [[0, [0, 0, 0]], [1, [0, 0, 0.1]]]");
    for (std::size_t k = 0; k < all->size(); ++k) {
      const std::string one = fmt::format("{}[{}]", path, k + 1);
      r.remember(one, (*all)[k]);
      const toml::array* line = (*all)[k].as_array();
      if (!line || line->size() < 2 || line->size() > 3) {
        r.problem((*all)[k], one, "must be [t, [x, y, z]] or [t, [x, y, z], [ax, ay, az]]");
        r.excuse(path);
        continue;
      }
      const auto time = r.number((*line)[0], one, "s", kNotNegative);
      const auto shift = r.vector((*line)[1], one, "m");
      const auto turn = line->size() > 2 ? r.vector((*line)[2], one, "rad") : Vec3d{};
      if (!time || !shift || !turn) {
        r.excuse(path);
        continue;
      }
      m.table.push_back({*time, *shift, *turn});
    }
  };
  f.write = [](const Motion& m) {
    std::string text = "[";
    for (const MotionRow& row : m.table)
      text += fmt::format("\n  [{}, {}, {}],", toml_number(row.time), toml_vector(row.shift), toml_vector(row.turn));
    return text + "\n]";
  };
  return f;
}

Key<Motion> motion_file_key() {
  Rule rule{.text =
                "The same as comma separated values in a file, relative to the case file. Its header names the "
                "columns: `t`, and of `x`, `y`, `z`, `ax`, `ay`, `az` those that are used."};
  Key<Motion> f = declare<Motion>("file", KeyInfo::Form::text, rule);
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto name = r.text(node, path);
    if (!name) return;
    std::string why;
    const std::filesystem::path file = r.folder() / *name;
    const std::size_t before = r.problems.size();
    if (const auto content = read_text_file(file, why)) parse_motion_csv(*content, file.string(), m.table, r.problems);
    else r.problem(node, path, "cannot read the file: " + why);
    if (r.problems.size() == before) return;
    m.table.clear();  // its rows were told of where they stand
    r.excuse(path.substr(0, path.rfind('.')) + ".rows");
  };
  f.write = [](const Motion&) { return std::string(); };
  return f;
}

Key<MeshShape> mesh_file_key() {
  Rule rule{.text = "An STL, OBJ or PLY file, relative to the case file."};
  Key<MeshShape> f = declare<MeshShape>("file", KeyInfo::Form::text, rule);
  f.read = [](MeshShape& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto name = r.text(node, path);
    if (!name) return r.excuse(path.substr(0, path.rfind('.')));
    std::string why;
    if (auto read = read_mesh_file(r.folder() / *name, why)) {
      m.vertices = std::move(read->vertices);
      m.triangles = std::move(read->triangles);
      m.origin = *name;
      return;
    }
    r.problem(node, path, "cannot read the mesh: " + why);
    r.excuse(path.substr(0, path.rfind('.')));
  };
  f.write = [](const MeshShape& m) { return m.file.empty() ? "" : toml_text(m.file); };
  return f;
}

Key<MeshShape> obj_key() {
  Rule rule{.text = "The mesh itself as a multi-line text in the format of OBJ: lines `v x y z` and `f a b c`."};
  Key<MeshShape> f = declare<MeshShape>("obj", KeyInfo::Form::text, rule);
  f.read = [](MeshShape& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto content = r.text(node, path);
    std::string why;
    if (content && parse_obj(*content, m, why)) return;
    if (content) r.problem(node, path, "is not a mesh: " + why);
    r.excuse(path.substr(0, path.rfind('.')));
  };
  f.write = [](const MeshShape& m) { return m.file.empty() ? "'''\n" + write_obj(m) + "'''" : ""; };
  return f;
}

template <class T>
Key<T> when_key(Interval T::*member, std::string text) {
  return table_if_given("when", interval_table(), member, std::move(text));
}

// Three formulas, of which "" stands for none.
Key<Motion> shift_key() {
  Key<Motion> f = declare<Motion>(
      "shift", KeyInfo::Form::texts,
      {.text =
           "Displacements along x, y and z in m as three formulas of the time `t` since the start of the motion, as in "
           "`[\"0\", \"0\", \"0.01*sin(40*t)\"]`; their values at t = 0 are taken off."});
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    const std::size_t before = r.problems.size();
    const std::vector<std::string> texts = r.texts(node, path);
    if (r.problems.size() != before) return;
    if (texts.size() != 3) return r.problem(node, path, "must be three formulas, for x, y and z");
    for (std::size_t a = 0; a < 3; ++a) m.shift[a] = texts[a] == "0" ? Formula() : Formula(texts[a]);
  };
  f.write = [](const Motion& m) -> std::string {
    if (m.shift == std::array<Formula, 3>{}) return "";
    std::string text;
    for (const Formula& one : m.shift) text += (text.empty() ? "" : ", ") + toml_text(one.given() ? one.text() : "0");
    return "[" + text + "]";
  };
  f.check = [](const Motion& m, Rules& r, const std::string& path) {
    for (const Formula& one : m.shift)
      if (one.given()) check_formula(one, r, path);
  };
  return f;
}

const Table<Surface>& surface_table() {
  static const Table<Surface> table{
      "The surface moves in itself, as that of a belt, a roller or a turntable, while the wall stays in its place. At "
      "a "
      "contact its velocity is the part of factor (velocity + rate axis x (x - point)) along the surface; vectors go "
      "along with the motion of the wall.",
      {vector("velocity", &Surface::velocity, {.unit = "m/s", .text = "Of a belt."}),
       number("rate", &Surface::rate, {.unit = "rad/s", .text = "Of a roller or a turntable, about the axis."}),
       vector("axis", &Surface::axis,
              {.direction = true, .text = "Direction of the axis; the right hand rule applies."}),
       vector("point", &Surface::point, {.unit = "m", .text = "A point on the axis."}),
       course("factor", &Surface::factor, {.text = "Times all this: a number, or its course in time."}),
       when_key<Surface>(&Surface::when, "The surface moves only in this time.")}};
  return table;
}

const Table<Servo>& servo_table() {
  static const Table<Servo> table{
      "Moves the wall along an axis until the particles push it with a given force.",
      {vector("axis", &Servo::axis,
              {.required = true,
               .direction = true,
               .text = "Direction in which the particles push; the wall presses the other way. Its length does not "
                       "matter."}),
       course(
           "force", &Servo::force,
           {.unit = "N", .range = kPositive, .unset_is_zero = true, .text = "Force to reach, or its course in time."}),
       course("pressure", &Servo::pressure,
              {.unit = "Pa",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Pressure to reach on `area`, or its course in time."}),
       number("area", &Servo::area,
              {.unit = "m^2", .range = kPositive, .unset_is_zero = true, .text = "Area that the pressure acts on."}),
       number("max_speed", &Servo::max_speed,
              {.unit = "m/s", .range = kPositive, .required = true, .text = "Largest speed of the wall."}),
       number("gain", &Servo::gain,
              {.unit = "s/kg",
               .range = kPositive,
               .word = "auto",
               .text = "Speed per missing force (m/s per N); auto: from the stiffness of the contacts and the step."}),
       number("min_shift", &Servo::min_shift,
              {.unit = "m", .word = "none", .word_value = -kForever, .text = "Least displacement along the axis."}),
       number("max_shift", &Servo::max_shift,
              {.unit = "m", .word = "none", .word_value = kForever, .text = "Largest displacement along the axis."}),
       when_key<Servo>(&Servo::when, "It acts only in this time; else the wall keeps its place.")},
      {{{"force", "pressure"}, true}}};
  return table;
}

}  // namespace

const Table<Interval>& interval_table() {
  static const Table<Interval> table{"A part of the time.",
                                     interval_keys<Interval>(),
                                     {{{"start", "start_stage"}, false}, {{"stop", "stop_stage"}, false}}};
  return table;
}

const Table<Motion>& motion_table() {
  static const Table<Motion> constant{
      "Constant velocity.",
      {vector("velocity", &Motion::velocity, {.unit = "m/s", .required = true, .text = "Velocity."})}};
  static const Table<Motion> oscillating{
      "Harmonic: displacement = amplitude (sin(omega (t - start) + phase) - sin(phase)), zero at its start.",
      {vector("amplitude", &Motion::amplitude,
              {.unit = "m", .required = true, .text = "Direction and size of the largest displacement."}),
       frequency_key(),
       number("omega", &Motion::omega, {.unit = "rad/s", .range = kNotNegative, .text = "Angular frequency."}),
       number("phase", &Motion::phase, {.unit = "rad", .text = "Phase at the start."})},
      {{{"frequency", "omega"}, true}}};
  static const Table<Motion> rotating{
      "Rotation about a fixed axis.",
      {vector("axis", &Motion::axis,
              {.required = true, .direction = true, .text = "Direction of the axis; the right hand rule applies."}),
       vector("point", &Motion::point, {.unit = "m", .text = "A point on the axis."}),
       number("rate", &Motion::omega, {.unit = "rad/s", .required = true, .text = "Angular velocity."})}};
  static const Table<Motion> tabulated{
      "A motion by a table of places over time; between the lines it is a cubic whose velocity does not jump.",
      {rows_key(), motion_file_key(),
       vector("point", &Motion::point, {.unit = "m", .text = "The point about which it turns."})},
      {{{"rows", "file"}, true}}};
  static const Table<Motion> by_formula{
      "A motion by formulas of time. Its velocity is their derivative.",
      {shift_key(),
       formula(
           "angle", &Motion::angle,
           {.text = "Turn about the axis in rad, a formula of the time `t` since the start of the motion; its value at "
                    "t = 0 is taken off."}),
       vector("axis", &Motion::axis,
              {.direction = true, .text = "Direction of the axis; the right hand rule applies."}),
       vector("point", &Motion::point, {.unit = "m", .text = "A point on the axis."})}};
  static const Table<Motion> table{
      "A prescribed motion.",
      joined<Motion>({same_struct("constant", constant, &Motion::kind, Motion::Kind::constant),
                      same_struct("oscillating", oscillating, &Motion::kind, Motion::Kind::oscillating),
                      same_struct("rotating", rotating, &Motion::kind, Motion::Kind::rotating),
                      same_struct("table", tabulated, &Motion::kind, Motion::Kind::table),
                      same_struct("formula", by_formula, &Motion::kind, Motion::Kind::formula)},
                     interval_keys<Motion>()),
      {{{"constant", "oscillating", "rotating", "table", "formula"}, true},
       {{"start", "start_stage"}, false},
       {{"stop", "stop_stage"}, false}}};
  return table;
}

// The keys of a shape, as its table gives them (scene/shapes/).
template <class S>
std::vector<Key<S>> keys_of_shape() {
  std::vector<Key<S>> keys;
  for (const auto& one : ShapeInfo<S>::keys())
    keys.push_back(std::visit(
        []<class K>(const K& k) -> Key<S> {
          if constexpr (std::is_same_v<K, VectorKey<S>>) return vector(k.name, k.member, k.rule);
          else if constexpr (std::is_same_v<K, NumberKey<S>>) return number(k.name, k.member, k.rule);
          else return flags<S>(k.name, k.flags, k.rule);
        },
        one));
  return keys;
}

template <class S>
const Table<S>& shape_table() {
  static const Table<S> table{ShapeInfo<S>::kText, keys_of_shape<S>()};
  return table;
}
template <>
const Table<MeshShape>& shape_table() {
  static const Table<MeshShape> table{
      ShapeInfo<MeshShape>::kText,
      joined<MeshShape>(
          joined<MeshShape>({mesh_file_key(), obj_key()}, keys_of_shape<MeshShape>()),
          {boolean("repair", &MeshShape::repair,
                   {.text = "Join equal vertices, drop triangles without area and double ones, turn facets alike."}),
           text("origin", &MeshShape::origin, {.text = "Name of the file that `obj` was made from."})}),
      {{{"file", "obj"}, true}}};
  return table;
}

template <class... S>
std::vector<Key<Wall>> shape_choices(std::variant<S...> Wall::*member) {
  return {alternative<Wall, S>(ShapeInfo<S>::kName, shape_table<S>(), member)...};
}

const Table<Wall>& wall_table() {
  static const Table<Wall> table = [] {
    const std::vector<Key<Wall>> shapes = shape_choices(&Wall::shape);
    OneOf one_shape{{}, true};
    for (const Key<Wall>& k : shapes) one_shape.names.push_back(k.name);
    std::vector<Key<Wall>> keys = joined<Wall>(
        {text("material", &Wall::material,
              {.text =
                   "Name of the material. Without it the wall is rigid and goes by its own name in contact tables."})},
        shapes);
    return Table<Wall>{
        "A wall.",
        joined<Wall>(std::move(keys),
                     {motion_key<Wall>(&Wall::motion),
                      table_if_given("surface", surface_table(), &Wall::surface, surface_table().text),
                      areia::io::table<Wall, Servo>(
                          "servo", servo_table(),
                          [](Wall& w) -> Servo& {
                            w.servo.on = true;
                            return w.servo;
                          },
                          [](const Wall& w) { return w.servo.on ? &w.servo : nullptr; }, {}),
                      when_key<Wall>(&Wall::when, "The wall is there only in this time; without this key always.")}),
        {one_shape}};
  }();
  return table;
}

}  // namespace areia::io
