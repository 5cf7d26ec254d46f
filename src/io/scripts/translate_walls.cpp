// Walls: planes, cylinders, regions and meshes of fix wall/gran, and how they move.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/scripts/translation.h"

namespace areia::io {

// A plane of a script acts on both sides and across the whole box. On a face of the box, or outside it, only one side
// can be touched; within it a rectangle from face to face has two.
WallShape Translation::plane_at(int axis, double at) const {
  Vec3d point, normal;
  component(point, axis) = at;
  component(normal, axis) = 1;
  if (!box_) return PlaneShape{point, normal};
  const double low = component(box_->min, axis), high = component(box_->max, axis), near = 1e-6 * (high - low);
  if (at <= low + near) return PlaneShape{point, normal};
  component(normal, axis) = -1;
  if (at >= high - near) return PlaneShape{point, normal};
  const auto [i, j] = across(axis);
  RectangleShape r;
  r.corner = box_->min;
  component(r.corner, axis) = at;
  component(r.edge_a, i) = component(box_->max, i) - component(box_->min, i);
  component(r.edge_b, j) = component(box_->max, j) - component(box_->min, j);
  return r;
}

WallShape Translation::endless_cylinder(int axis, double c1, double c2, double radius) const {
  if (!box_) throw NotTakenOver{"a cylinder without end, and there is no box yet"};
  CylinderShape s;
  const auto [i, j] = across(axis);
  component(s.from, i) = component(s.to, i) = c1;
  component(s.from, j) = component(s.to, j) = c2;
  component(s.from, axis) = component(box_->min, axis);
  component(s.to, axis) = component(box_->max, axis);
  s.radius = radius;
  return s;
}

// The faces of a region. In the script they act on what is inside (or outside) and let everything else through; ours
// are solid from both sides, so that the upper end is left open for particles that come from above.
std::vector<WallShape> Translation::wall_shapes(const std::string& name) {
  const ScriptRegion& r = named_region(name);
  if (r.style == "plane") {
    const PlaneShape p{{r.n[0], r.n[1], r.n[2]}, (r.outside ? -1 : 1) * Vec3d{r.n[3], r.n[4], r.n[5]}};
    if (!(norm(p.normal) > 0)) throw WrongArgument{"normal", "0 0 0", "must not be zero"};
    return {p};
  }
  if (r.style == "sphere") return {SphereShape{{r.n[0], r.n[1], r.n[2]}, r.n[3]}};
  const Box b = bounds(ScriptRegion{r.style, r.axis, r.n, false, {}});
  const Vec3d g = gravity_;
  const auto is_open = [&](int axis, bool high, bool endless) {
    const bool up = !r.outside && norm(g) > 0 && (high ? -1 : 1) * component(g, axis) > 0.7 * norm(g);
    if (up && !endless) note(fmt::format("region {}: its upper end is open, for what comes from above", name));
    return endless || up;
  };
  if (r.style == "block") {
    BoxShape s;
    s.min = b.min;
    s.max = b.max;
    for (int k = 0; k < 6; ++k) s.open[k] = r.open[k] || is_open(k / 2, k % 2 == 1, std::isinf(r.n[k]));
    return {s};
  }
  const bool low = !r.open[0] && !is_open(r.axis, false, std::isinf(r.n[4])),
             high = !r.open[1] && !is_open(r.axis, true, std::isinf(r.n[5]));
  Vec3d from, to, up, down;
  const auto [i, j] = across(r.axis);
  component(from, i) = component(to, i) = r.n[0];
  component(from, j) = component(to, j) = r.n[1];
  component(from, r.axis) = component(b.min, r.axis);
  component(to, r.axis) = component(b.max, r.axis);
  component(up, r.axis) = 1;
  component(down, r.axis) = -1;
  std::vector<WallShape> shapes;
  if (!r.open[2] && r.n[2] == r.n[3]) shapes.emplace_back(CylinderShape{from, to, r.n[2], false, false});
  else if (!r.open[2]) shapes.emplace_back(ConeShape{from, to, r.n[2], r.n[3]});
  if (low && r.n[2] > 0) shapes.emplace_back(DiskShape{from, up, r.n[2], 0});
  if (high && r.n[3] > 0) shapes.emplace_back(DiskShape{to, down, r.n[3], 0});
  return shapes;
}

void Translation::add_wall(const ScriptFix& f, const std::string& name, WallShape shape, const std::string& material,
                           const Motion& motion, const Surface& surface) {
  Wall w;
  w.name = name;
  w.material = material;
  w.shape = std::move(shape);
  w.motion = motion;
  w.surface = surface;
  if (f.runs.begin > 0) case_.stages[f.runs.begin].insert_walls.push_back(name);
  if (f.runs.end >= 0 && f.runs.end < static_cast<int>(runs_.size()))
    case_.stages[f.runs.end].remove_walls.push_back(name);
  case_.walls.push_back(std::move(w));
}

// shear DIM SPEED: the wall stays, its surface moves along an axis. A cylinder along z whose surface moves along
// another one turns, clockwise seen from above, with that speed at its surface (LAMMPS, fix wall/gran).
Surface Translation::sheared(const ScriptFix& f, Arguments& a, const WallShape& shape) {
  const std::string& dim = a.word("axis");
  if (dim != "x" && dim != "y" && dim != "z") a.wrong("axis", dim, "must be x, y or z");
  const double speed = a.number("speed", units.velocity());
  Surface surface;
  const auto* cylinder = std::get_if<CylinderShape>(&shape);
  if (cylinder && component(cylinder->to - cylinder->from, dim[0] - 'x') == 0) {
    if (cylinder->to.z == cylinder->from.z) {
      note(fmt::format("fix {}: the cylinder stands still; its surface does not turn", f.id));
      return surface;
    }
    surface.rate = -speed / cylinder->radius;
    surface.point = cylinder->from;
  } else {
    component(surface.velocity, dim[0] - 'x') = speed;
  }
  return surface;
}

void Translation::wall(const ScriptFix& f) {
  const std::vector<std::string>& words = f.command.words;
  const auto place = [&](const char* word) {
    return static_cast<std::size_t>(std::find(words.begin() + 4, words.end(), word) - words.begin());
  };
  const std::size_t primitive = place("primitive"), by_mesh = place("mesh");
  if (primitive < words.size()) wall_of_liggghts(f, primitive + 1, false);
  else if (by_mesh < words.size()) wall_of_liggghts(f, by_mesh + 1, true);
  else wall_of_lammps(f);
}

void Translation::wall_of_liggghts(const ScriptFix& f, std::size_t first, bool by_mesh) {
  Arguments a(*this, f.command, first);
  if (by_mesh) {
    std::int64_t count = 1;
    if (a.take("n_meshes")) count = a.whole("n_meshes");
    if (!a.take("meshes")) a.wrong("meshes", a.peek(), "must follow: meshes ID ...");
    for (std::int64_t k = 0; k < count; ++k) {
      const std::string& id = a.word("mesh");
      const auto at = meshes_.find(id);
      if (at == meshes_.end()) throw NotTakenOver{fmt::format("the mesh `{}` is not there, or was not taken over", id)};
      ScriptMesh& m = at->second;
      MeshShape shape;
      if (m.turned) {
        shape = vertices_of(m);
        shape.origin = m.path;
      } else {
        shape.file = m.path;
        shape.scale = m.scale * units.length;
        shape.shift = units.length * m.shift;
      }
      m.walls.push_back(unique_name(id));
      add_wall(f, m.walls.back(), std::move(shape), material(m.type, 0), {}, m.surface);
    }
    return;
  }
  if (!a.take("type")) a.wrong("type", a.peek(), "must follow `primitive`");
  const std::int64_t type = a.whole("type");
  if (type < 1 || type > std::max(types_, 1))
    a.wrong("type", fmt::format("{}", type), "must be one of the types of the box");
  const std::string style = a.word("style");
  const std::string name = unique_name(f.id);
  const auto add = [&](const WallShape& shape) {
    const Surface surface = a.take("shear") ? sheared(f, a, shape) : Surface{};
    add_wall(f, name, shape, material(static_cast<int>(type), 0), {}, surface);
  };
  if (style == "xplane" || style == "yplane" || style == "zplane") {
    const double at = a.number("place", units.length);
    return add(plane_at(style[0] - 'x', at));
  }
  if (style == "xcylinder" || style == "ycylinder" || style == "zcylinder") {
    const double radius = a.positive("radius", units.length), c1 = a.number("centre", units.length),
                 c2 = a.number("centre", units.length);
    return add(endless_cylinder(style[0] - 'x', c1, c2, radius));
  }
  throw NotTakenOver{fmt::format("a primitive wall of style `{}`", style)};
}

void Translation::wall_of_lammps(const ScriptFix& f) {
  const std::vector<std::string>& words = f.command.words;
  static const std::set<std::string> styles{"xplane", "yplane", "zplane", "zcylinder", "region"};
  const auto at =
      std::find_if(words.begin() + 4, words.end(), [&](const std::string& w) { return styles.contains(w); });
  if (at == words.end()) throw NotTakenOver{"a wall without a plane, a cylinder, a region or a mesh"};
  Arguments a(*this, f.command, static_cast<std::size_t>(at - words.begin()));
  const std::string style = a.word("style");
  std::vector<WallShape> shapes;
  if (style == "region") {
    shapes = wall_shapes(a.word("region"));
  } else if (style == "zcylinder") {
    shapes.push_back(endless_cylinder(2, 0, 0, a.positive("radius", units.length)));
  } else {
    const int axis = style[0] - 'x';
    for (const double side : {1.0, -1.0}) {
      if (const auto where = a.number_or_null("place")) {
        PlaneShape p;  // the low one looks up, the high one down
        p.normal = {};
        component(p.point, axis) = *where * units.length;
        component(p.normal, axis) = side;
        shapes.emplace_back(p);
      }
    }
  }
  Motion motion;
  Surface surface;
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "wiggle") {
      const std::string& dim = a.word("axis");
      if (dim != "x" && dim != "y" && dim != "z") a.wrong("axis", dim, "must be x, y or z");
      motion.kind = Motion::Kind::oscillating;
      component(motion.amplitude, dim[0] - 'x') = a.number("amplitude", units.length);
      motion.omega = 2 * std::numbers::pi / a.positive("period", units.time);
      motion.phase = -std::numbers::pi / 2;  // A - A cos(omega t)
    } else if (key == "shear") {
      if (style == "region") {
        note(fmt::format("fix {}: the wall stands still; its surface does not move", f.id));
        break;
      }
      if (!shapes.empty()) surface = sheared(f, a, shapes[0]);
    } else if (key != "contacts") {
      note(fmt::format("fix {}: without `{}`", f.id, key));
      break;
    }
  }
  // walls with the same words have the same laws
  std::string laws;
  for (auto w = words.begin() + 4; w != at; ++w) laws += *w + " ";
  auto own = std::find_if(own_walls_.begin(), own_walls_.end(), [&](const OwnWall& o) { return o.laws == laws; });
  if (own == own_walls_.end()) own = own_walls_.insert(own, {unique_name("wall"), laws, f.command});
  for (std::size_t k = 0; k < shapes.size(); ++k)
    add_wall(f, unique_name(shapes.size() == 1 ? f.id : fmt::format("{}_{}", f.id, k + 1)), shapes[k], own->material,
             motion, surface);
}

// --- meshes ---------------------------------------------------------------------------------------------------------
void Translation::mesh(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  if (!a.take("file")) throw NotTakenOver{"a mesh that does not come from a file"};
  a.take("cad");
  ScriptMesh m;
  const std::string& name = a.word("file");
  m.source = std::filesystem::path(file_).parent_path() / name;
  m.path = m.source.generic_string();
  if (const std::filesystem::path& to = options_.case_folder; !to.empty())
    m.path = std::filesystem::absolute(m.source).lexically_proximate(std::filesystem::absolute(to)).generic_string();
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "type") m.type = static_cast<int>(std::clamp<std::int64_t>(a.whole("type"), 1, std::max(types_, 1)));
    else if (key == "scale") {
      const double s = a.positive("scale");
      m.scale *= s;
      m.shift *= s;
    } else if (key == "move") {
      m.shift += a.vector("move");
    } else if (key == "rotate") {
      if (!a.take("axis")) a.wrong("rotate", a.peek(), "must be: rotate axis x y z angle a");
      Vec3d n = a.vector("axis");
      if (!a.take("angle")) a.wrong("rotate", a.peek(), "must be: rotate axis x y z angle a");
      const double angle = a.number("angle") * std::numbers::pi / 180;
      if (!(norm(n) > 0)) a.wrong("axis", f.command.text, "must not be zero");
      n = unit(n);
      const auto turned = [&](const Vec3d& x) {
        return std::cos(angle) * x + std::sin(angle) * cross(n, x) + (1 - std::cos(angle)) * dot(n, x) * n;
      };
      for (Vec3d& column : m.turn) column = turned(column);
      m.shift = turned(m.shift);
      m.turned = true;
    } else if (key == "verbose" || key == "heal" || key == "precision" || key == "curvature" ||
               key == "curvature_tolerant" || key == "min_feature_length" || key == "stress") {
      a.word("value");
    } else if (key == "element_exclusion_list") {
      a.word("value");
      a.word("value");
    } else if (key == "reference_point") {
      a.vector("point");
    } else if (key == "surface_vel") {
      m.surface.velocity = a.vector("velocity", units.velocity());
    } else if (key == "surface_ang_vel") {
      a.take("origin");
      m.surface.point = a.vector("origin", units.length);
      a.take("axis");
      m.surface.axis = a.vector("axis");
      if (!(norm(m.surface.axis) > 0)) a.wrong("axis", f.command.text, "must not be zero");
      a.take("omega");
      m.surface.rate = a.number("omega") / units.time;
    } else {
      note(fmt::format("fix {}: without `{}` and what follows it", f.id, key));
      break;
    }
  }
  std::string why;
  if (!options_.read_mesh(m.source, why)) a.wrong("file", m.source.string(), "cannot read the mesh: " + why);
  meshes_[f.id] = m;
}

// In place, in metres.
MeshShape Translation::vertices_of(const ScriptMesh& m) const {
  std::string why;
  auto read = options_.read_mesh(m.source, why);
  if (!read) throw WrongArgument{"file", m.source.string(), "cannot read the mesh: " + why};
  for (Vec3d& x : read->vertices)
    x = units.length * (m.scale * (x.x * m.turn[0] + x.y * m.turn[1] + x.z * m.turn[2]) + m.shift);
  read->scale = 1;
  return std::move(*read);
}

Motion Translation::motion_of(const ScriptFix& f, Arguments& a) {
  Motion m;
  const std::string style = a.word("style");
  if (style == "linear") {
    m.kind = Motion::Kind::constant;
    for (int k = 0; k < 3; ++k)
      if (!a.take("NULL")) component(m.velocity, k) = a.number("velocity", units.velocity());
  } else if (style == "wiggle") {
    m.kind = Motion::Kind::oscillating;
    a.take("amplitude");
    for (int k = 0; k < 3; ++k)
      if (!a.take("NULL")) component(m.amplitude, k) = a.number("amplitude", units.length);
    a.take("period");
    m.omega = 2 * std::numbers::pi / a.positive("period", units.time);
  } else if (style == "rotate") {
    m.kind = Motion::Kind::rotating;
    a.take("origin");
    m.point = a.vector("origin", units.length);
    a.take("axis");
    m.axis = a.vector("axis");
    if (!(norm(m.axis) > 0)) a.wrong("axis", f.command.text, "must not be zero");
    a.take("period");
    const double period = a.number("period", units.time);
    if (period == 0) a.wrong("period", f.command.text, "must not be zero");
    m.omega = 2 * std::numbers::pi / period;
  } else {
    throw NotTakenOver{fmt::format("a motion of style `{}`: [walls] has motions by a table", style)};
  }
  set_interval(f.runs, m.start_stage, m.stop_stage);
  return m;
}

void Translation::move_mesh(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  if (!a.take("mesh")) a.wrong("mesh", a.peek(), "must be: move/mesh mesh ID style ...");
  const std::string& id = a.word("mesh");
  const auto at = meshes_.find(id);
  if (at == meshes_.end()) throw NotTakenOver{fmt::format("the mesh `{}` is not there, or was not taken over", id)};
  if (at->second.motion) throw NotTakenOver{"a mesh has one motion, and one was taken over already"};
  at->second.motion = motion_of(f, a);
}

void Translation::finish_meshes() {
  for (const auto& [id, m] : meshes_)
    for (const std::string& name : m.walls)
      for (Wall& w : case_.walls)
        if (w.name == name && m.motion) w.motion = *m.motion;
}

}  // namespace areia::io
