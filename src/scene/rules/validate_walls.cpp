#include "scene/rules/validate_walls.h"

#include "core/rotation.h"
#include "scene/case_facts.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

void check_servo(Rules& r, const std::string& key, const Servo& s) {
  if (s.force.given() == s.pressure.given()) r.add(key, "", "needs one of `force` and `pressure`");
  if (s.pressure.given() && s.area == 0) r.add(key + ".area", "", "is missing: the area that `pressure` acts on");
  r.rule(s.min_shift <= 0, key + ".min_shift", s.min_shift, "must not be positive: the wall starts at 0");
  r.rule(s.max_shift >= 0, key + ".max_shift", s.max_shift, "must not be negative: the wall starts at 0");
  r.interval(key + ".when", s.when);
}

void check_surface(Rules& r, const Wall& w) {
  if (w.surface == Surface{}) return;
  const std::string key = "walls." + w.name + ".surface";
  if (!w.surface.moves()) r.add(key, "", "needs a `velocity` or a `rate`");
  r.interval(key + ".when", w.surface.when);
  for (const BondSet& b : r.settings().bonds)
    if (b.wall == w.name)
      r.add(key, "", fmt::format("bonds.{} hold on to this wall, and would be torn by its surface", b.name));
  // From one period to the next w x r changes by w x L, and the plane is its own image.
  const Domain& d = r.settings().domain;
  for (int a = 0; a < 3; ++a)
    if (std::holds_alternative<PlaneShape>(w.shape) && turns_across(w.surface, d, a))
      r.add(key + ".axis", Rules::text(w.surface.axis),
            fmt::format("an endless plane in a domain that is periodic along {} cannot turn about another axis: its "
                        "speed would not repeat; use a disk or a rectangle",
                        "xyz"[a]));
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
    check_surface(r, w);
    std::visit([&]<class S>(const S& s) { ShapeInfo<S>::check(r, key + "." + ShapeInfo<S>::kName, s); }, w.shape);
  }
  check_presence(r);
}

}  // namespace areia
