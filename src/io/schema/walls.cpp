// Walls and motions in the schema of case files.
#include <numbers>

#include "io/case/motion_csv.h"
#include "io/meshes/mesh_file.h"
#include "io/particles/particle_csv.h"
#include "io/schema/parts.h"

namespace areia::io {
namespace {

// frequency and omega fill the same member; only omega is written back.
Field<Motion> frequency_field() {
  Rule rule{.unit = "Hz", .range = kNotNegative, .text = "Frequency in cycles per second, in place of `omega`."};
  Field<Motion> f = declare<Motion>("frequency", KeyInfo::Form::number, rule);
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.number(node, path, "Hz", kNotNegative)) m.omega = 2 * std::numbers::pi * *v;
  };
  f.write = [](const Motion&) { return std::string(); };
  return f;
}

// [t, [shift], [turn]]; the turn may be left out.
Field<Motion> rows_field() {
  Rule rule{.text =
                "Lines `[t, [x, y, z], [ax, ay, az]]`: time since the start of the motion, displacement in m, and "
                "rotation vector in rad (may be left out). The first line is at t = 0."};
  Field<Motion> f = declare<Motion>("rows", KeyInfo::Form::motion_rows, rule);
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

Field<Motion> motion_file_field() {
  Rule rule{.text =
                "The same as comma separated values in a file, relative to the case file. Its header names the "
                "columns: `t`, and of `x`, `y`, `z`, `ax`, `ay`, `az` those that are used."};
  Field<Motion> f = declare<Motion>("file", KeyInfo::Form::text, rule);
  f.read = [](Motion& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto name = r.text(node, path);
    if (!name) return;
    std::string why;
    const std::filesystem::path file = r.folder() / *name;
    const std::size_t before = r.problems.size();
    if (const auto content = read_text_file(file, why)) parse_motion_csv(*content, file.string(), m.table, r.problems);
    else r.problem(node, path, "cannot read the file: " + why);
    if (r.problems.size() > before) r.excuse(path.substr(0, path.rfind('.')) + ".rows");
  };
  f.write = [](const Motion&) { return std::string(); };
  return f;
}

Field<MeshShape> mesh_file_field() {
  Rule rule{.text = "An STL, OBJ or PLY file, relative to the case file."};
  Field<MeshShape> f = declare<MeshShape>("file", KeyInfo::Form::text, rule);
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
  f.write = [](const MeshShape&) { return std::string(); };
  return f;
}

Field<MeshShape> obj_field() {
  Rule rule{.text = "The mesh itself as a multi-line text in the format of OBJ: lines `v x y z` and `f a b c`."};
  Field<MeshShape> f = declare<MeshShape>("obj", KeyInfo::Form::text, rule);
  f.read = [](MeshShape& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto content = r.text(node, path);
    std::string why;
    if (content && parse_obj(*content, m, why)) return;
    if (content) r.problem(node, path, "is not a mesh: " + why);
    r.excuse(path.substr(0, path.rfind('.')));
  };
  f.write = [](const MeshShape& m) { return "'''\n" + write_obj(m) + "'''"; };
  return f;
}

template <class T>
Field<T> when_field(Interval T::*member, std::string text) {
  return table<T, Interval>(
      "when", interval_table(), [=](T& t) -> Interval& { return t.*member; },
      [=](const T& t) { return t.*member == Interval{} ? nullptr : &(t.*member); }, {.text = std::move(text)});
}

const Table<Servo>& servo_table() {
  static const Table<Servo> table{
      "Moves the wall along an axis until the particles push it with a given force.",
      {vector("axis", &Servo::axis,
              {.required = true,
               .text = "Direction in which the particles push; the wall presses the other way. Its length does not "
                       "matter."}),
       number("force", &Servo::force,
              {.unit = "N", .range = kPositive, .unset_is_zero = true, .text = "Force to reach."}),
       number("pressure", &Servo::pressure,
              {.unit = "Pa", .range = kPositive, .unset_is_zero = true, .text = "Pressure to reach, on `area`."}),
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
       when_field<Servo>(&Servo::when, "It acts only in this time; else the wall keeps its place.")},
      {{{"force", "pressure"}, true}}};
  return table;
}

}  // namespace

const Table<Interval>& interval_table() {
  static const Table<Interval> table{"A part of the time.",
                                     interval_fields<Interval>(),
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
       frequency_field(),
       number("omega", &Motion::omega, {.unit = "rad/s", .range = kNotNegative, .text = "Angular frequency."}),
       number("phase", &Motion::phase, {.unit = "rad", .text = "Phase at the start."})},
      {{{"frequency", "omega"}, true}}};
  static const Table<Motion> rotating{
      "Rotation about a fixed axis.",
      {vector("axis", &Motion::axis, {.required = true, .text = "Direction of the axis; the right hand rule applies."}),
       vector("point", &Motion::point, {.unit = "m", .text = "A point on the axis."}),
       number("rate", &Motion::omega, {.unit = "rad/s", .required = true, .text = "Angular velocity."})}};
  static const Table<Motion> tabulated{
      "A motion by a table of places over time; between the lines it is a cubic whose velocity does not jump.",
      {rows_field(), motion_file_field(),
       vector("point", &Motion::point, {.unit = "m", .text = "The point about which it turns."})},
      {{{"rows", "file"}, true}}};
  static const Table<Motion> table{
      "A prescribed motion.",
      joined<Motion>({same_struct("constant", constant, &Motion::kind, Motion::Kind::constant),
                      same_struct("oscillating", oscillating, &Motion::kind, Motion::Kind::oscillating),
                      same_struct("rotating", rotating, &Motion::kind, Motion::Kind::rotating),
                      same_struct("table", tabulated, &Motion::kind, Motion::Kind::table)},
                     interval_fields<Motion>()),
      {{{"constant", "oscillating", "rotating", "table"}, true},
       {{"start", "start_stage"}, false},
       {{"stop", "stop_stage"}, false}}};
  return table;
}

const Table<Wall>& wall_table() {
  static const Table<PlaneShape> plane{
      "An infinite plane.",
      {vector("point", &PlaneShape::point, {.unit = "m", .required = true, .text = "A point of the plane."}),
       vector("normal", &PlaneShape::normal,
              {.required = true, .text = "Normal, to the side of the particles; its length does not matter."})}};
  static const Table<BoxShape> box{
      "The faces of a box, solid from inside and outside.",
      {vector("min", &BoxShape::min, {.unit = "m", .required = true, .text = "Lowest corner."}),
       vector("max", &BoxShape::max, {.unit = "m", .required = true, .text = "Highest corner."}), [] {
         const char* names[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
         std::vector<std::pair<std::string, std::function<bool&(BoxShape&)>>> faces;
         for (int k = 0; k < 6; ++k) faces.emplace_back(names[k], [k](BoxShape& b) -> bool& { return b.open[k]; });
         return flags<BoxShape>("open", faces, {.text = "Faces that are left out."});
       }()}};
  static const Table<CylinderShape> cylinder{
      "The lateral surface of a cylinder between two points, solid from inside (drum, silo) and outside (roller).",
      {vector("from", &CylinderShape::from, {.unit = "m", .required = true, .text = "One end of the axis."}),
       vector("to", &CylinderShape::to, {.unit = "m", .required = true, .text = "Other end of the axis."}),
       number("radius", &CylinderShape::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."}),
       flags<CylinderShape>("caps",
                            {{"from", [](CylinderShape& c) -> bool& { return c.cap_from; }},
                             {"to", [](CylinderShape& c) -> bool& { return c.cap_to; }}},
                            {.text = "Ends that are closed by a disc."})}};
  static const Table<ConeShape> cone{
      "The lateral surface of a truncated cone, solid from inside and outside.",
      {vector("from", &ConeShape::from, {.unit = "m", .required = true, .text = "One end of the axis."}),
       vector("to", &ConeShape::to, {.unit = "m", .required = true, .text = "Other end of the axis."}),
       number("radius_from", &ConeShape::radius_from,
              {.unit = "m", .range = kNotNegative, .required = true, .text = "Radius at `from`; 0 makes it a tip."}),
       number("radius_to", &ConeShape::radius_to,
              {.unit = "m", .range = kNotNegative, .required = true, .text = "Radius at `to`; 0 makes it a tip."})}};
  static const Table<SphereShape> sphere{
      "A sphere, solid from inside and outside.",
      {vector("center", &SphereShape::center, {.unit = "m", .required = true, .text = "Centre."}),
       number("radius", &SphereShape::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."})}};
  static const Table<DiskShape> disk{
      "A flat disk, solid from both sides.",
      {vector("center", &DiskShape::center, {.unit = "m", .required = true, .text = "Centre."}),
       vector("normal", &DiskShape::normal,
              {.required = true, .text = "Normal to the disk; its length does not matter."}),
       number("radius", &DiskShape::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."}),
       number("hole", &DiskShape::hole,
              {.unit = "m", .range = kNotNegative, .text = "Radius of an opening in its middle."})}};
  static const Table<RectangleShape> rectangle{
      "A flat rectangle, solid from both sides.",
      {vector("corner", &RectangleShape::corner, {.unit = "m", .required = true, .text = "One corner."}),
       vector("edge_a", &RectangleShape::edge_a,
              {.unit = "m", .required = true, .text = "From the corner along one edge to the next corner."}),
       vector("edge_b", &RectangleShape::edge_b,
              {.unit = "m", .required = true, .text = "The same along the other edge, at a right angle."})}};
  static const Table<MeshShape> mesh{
      "A mesh of triangles, solid from both sides.",
      {mesh_file_field(), obj_field(),
       number("scale", &MeshShape::scale,
              {.range = kPositive, .text = "Metres per unit of the file: 0.001 for millimetres."}),
       vector("shift", &MeshShape::shift, {.unit = "m", .text = "Added to all places after scaling."}),
       number("patch_angle", &MeshShape::patch_angle,
              {.unit = "rad",
               .range = {0, 1.5707963267948966},
               .text = "Facets that meet at less than this belong to one smooth surface."}),
       boolean("repair", &MeshShape::repair,
               {.text = "Join equal vertices, drop triangles without area and double ones, turn facets alike."}),
       text("origin", &MeshShape::origin, {.text = "Name of the file that `obj` was made from."})},
      {{{"file", "obj"}, true}}};
  static const Table<Wall> table{
      "A wall.",
      {text("material", &Wall::material,
            {.text = "Name of the material. Without it the wall is rigid and goes by its own name in contact tables."}),
       alternative<Wall, PlaneShape>("plane", plane, &Wall::shape),
       alternative<Wall, BoxShape>("box", box, &Wall::shape),
       alternative<Wall, CylinderShape>("cylinder", cylinder, &Wall::shape),
       alternative<Wall, ConeShape>("cone", cone, &Wall::shape),
       alternative<Wall, SphereShape>("sphere", sphere, &Wall::shape),
       alternative<Wall, DiskShape>("disk", disk, &Wall::shape),
       alternative<Wall, RectangleShape>("rectangle", rectangle, &Wall::shape),
       alternative<Wall, MeshShape>("mesh", mesh, &Wall::shape), motion_field<Wall>(&Wall::motion),
       areia::io::table<Wall, Servo>(
           "servo", servo_table(),
           [](Wall& w) -> Servo& {
             w.servo.on = true;
             return w.servo;
           },
           [](const Wall& w) { return w.servo.on ? &w.servo : nullptr; }, {}),
       when_field<Wall>(&Wall::when, "The wall is there only in this time; without this key always.")},
      {{{"plane", "box", "cylinder", "cone", "sphere", "disk", "rectangle", "mesh"}, true}}};
  return table;
}

}  // namespace areia::io
