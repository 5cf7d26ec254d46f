#include "scene/validate_walls.h"

#include "core/rotation.h"

namespace areia {

namespace {

void check_shape(Rules& r, const std::string& key, const PlaneShape& s) {
  r.finite(key + ".plane.point", s.point);
  r.direction(key + ".plane.normal", s.normal);
}

void check_shape(Rules& r, const std::string& key, const BoxShape& s) {
  if (r.finite(key + ".box.min", s.min) && r.finite(key + ".box.max", s.max) && !Rules::ordered(s.min, s.max))
    r.add(key + ".box.max", Rules::text(s.max), "must be above `min` along x, y and z");
  if (std::all_of(s.open.begin(), s.open.end(), [](bool o) { return o; }))
    r.add(key + ".box.open", "", "at least one face must be left");
}

void check_shape(Rules& r, const std::string& key, const CylinderShape& s) {
  r.axis(key + ".cylinder", s.from, s.to);
  r.positive(key + ".cylinder.radius", s.radius);
}

void check_shape(Rules& r, const std::string& key, const ConeShape& s) {
  r.axis(key + ".cone", s.from, s.to);
  const bool good =
      r.not_negative(key + ".cone.radius_from", s.radius_from) && r.not_negative(key + ".cone.radius_to", s.radius_to);
  if (good && s.radius_from == 0 && s.radius_to == 0)
    r.add(key + ".cone.radius_to", "0", "one of the two radii must be positive");
}

void check_shape(Rules& r, const std::string& key, const SphereShape& s) {
  r.finite(key + ".sphere.center", s.center);
  r.positive(key + ".sphere.radius", s.radius);
}

void check_shape(Rules& r, const std::string& key, const DiskShape& s) {
  r.finite(key + ".disk.center", s.center);
  r.direction(key + ".disk.normal", s.normal);
  if (r.positive(key + ".disk.radius", s.radius) && r.not_negative(key + ".disk.hole", s.hole))
    r.rule(s.hole < s.radius, key + ".disk.hole", s.hole, "must be smaller than `radius`");
}

void check_shape(Rules& r, const std::string& key, const RectangleShape& s) {
  r.finite(key + ".rectangle.corner", s.corner);
  if (!r.direction(key + ".rectangle.edge_a", s.edge_a) || !r.direction(key + ".rectangle.edge_b", s.edge_b)) return;
  if (std::fabs(dot(unit(s.edge_a), unit(s.edge_b))) > 1e-9)
    r.add(key + ".rectangle.edge_b", Rules::text(s.edge_b), "must be at a right angle to `edge_a`");
}

void check_shape(Rules& r, const std::string& wall, const MeshShape& s) {
  const std::string key = wall + ".mesh";
  r.positive(key + ".scale", s.scale);
  r.finite(key + ".shift", s.shift);
  r.rule(s.patch_angle >= 0 && s.patch_angle <= 1.5707963267948966, key + ".patch_angle", s.patch_angle,
         "must be in [0, 90 deg]");
  if (!s.file.empty())
    return r.add(key + ".file", s.file, "the file has not been read; `read_mesh` gives its vertices and triangles");
  if (s.triangles.empty()) return r.add(key, s.origin, "the mesh has no triangles");
  for (const Vec3d& v : s.vertices)
    if (!(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)))
      return r.add(key, Rules::text(v), "the vertices of the mesh must be finite numbers");
  const auto count = static_cast<std::int64_t>(s.vertices.size());
  for (const auto& t : s.triangles)
    for (const std::int32_t k : t)
      if (k < 0 || k >= count)
        return r.add(key, std::to_string(k),
                     fmt::format("a triangle names a vertex that is not there; there are {}, numbered from 0", count));
}

void check_servo(Rules& r, const std::string& key, const Servo& s) {
  r.direction(key + ".axis", s.axis);
  r.not_negative(key + ".force", s.force);
  r.not_negative(key + ".pressure", s.pressure);
  r.not_negative(key + ".area", s.area);
  r.not_negative(key + ".gain", s.gain);
  r.positive(key + ".max_speed", s.max_speed);
  if ((s.force > 0) == (s.pressure > 0)) r.add(key, "", "needs one of `force` and `pressure`");
  if (s.pressure > 0 && s.area == 0) r.add(key + ".area", "", "is missing: the area that `pressure` acts on");
  r.rule(s.min_shift <= 0, key + ".min_shift", s.min_shift, "must not be positive: the wall starts at 0");
  r.rule(s.max_shift >= 0, key + ".max_shift", s.max_shift, "must not be negative: the wall starts at 0");
  r.interval(key + ".when", s.when);
}

// Which walls are there, stage by stage: a wall whose first mention is an insertion is not there before.
void check_presence(Rules& r) {
  const Case& c = r.settings();
  const std::vector<std::string> walls = Rules::names(c.walls);
  std::set<std::string> gone, known;
  for (const Stage& s : c.stages) {
    for (const std::string& w : s.insert_walls)
      if (known.insert(w).second) gone.insert(w);
    for (const std::string& w : s.remove_walls) known.insert(w);
  }
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    const std::string key = fmt::format("stages[{}]", k + 1);
    for (const std::string& w : c.stages[k].remove_walls) {
      r.known(key + ".remove", w, walls, "wall");
      if (!gone.insert(w).second) r.add(key + ".remove", "walls." + w, "was removed before");
    }
    for (const std::string& w : c.stages[k].insert_walls) {
      r.known(key + ".insert", w, walls, "wall");
      if (gone.erase(w) == 0) r.add(key + ".insert", "walls." + w, "is there already");
    }
  }
  for (const Wall& w : c.walls)
    if (!(w.when == Interval{}) && known.contains(w.name))
      r.add("walls." + w.name + ".when", "", "stages insert or remove this wall; give one of both");
}

}  // namespace

void check_walls(Rules& r) {
  for (const Wall& w : r.settings().walls) {
    const std::string key = "walls." + w.name;
    if (!w.material.empty()) r.known(key + ".material", w.material, Rules::names(r.settings().materials), "material");
    r.motion(key + ".motion", w.motion);
    r.interval(key + ".when", w.when);
    if (w.servo.on) check_servo(r, key + ".servo", w.servo);
    std::visit([&](const auto& s) { check_shape(r, key, s); }, w.shape);
  }
  check_presence(r);
}

}  // namespace areia
