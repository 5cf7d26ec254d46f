// The small rules that checks of a case are made of, and the list of problems they write to. Whether a value is
// possible by itself is said by its key (io/schema/); the checks here are about values that depend on each other. Each
// topic has its own file of checks (validate.cpp, validate_*.cpp); all of them take the Rules of the case.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"
#include "core/range.h"
#include "core/suggest.h"
#include "scene/region_measure.h"

namespace areia {

class Rules {
 public:
  explicit Rules(const Case& c) : c_(c) {}
  const Case& settings() const { return c_; }
  std::vector<Problem> problems() && { return std::move(problems_); }

  void add(std::string key, std::string value, std::string rule) {
    problems_.push_back({"", 0, std::move(key), std::move(value), std::move(rule)});
  }
  // What several pairs lack is told for the first of them.
  void missing_once(const std::string& key, std::string rule) {
    if (missing_.insert(key).second) add(key, "", std::move(rule));
  }
  bool rule(bool holds, const std::string& key, double value, const std::string& text) {
    if (!holds) add(key, fmt::format("{}", value), text);
    return holds;
  }
  // A value by itself.
  bool within(const std::string& key, double v, const Range& range) {
    return rule(is_usable(v), key, v, kUsableRule) && rule(range.contains(v), key, v, range.text());
  }
  bool finite(const std::string& key, const Vec3d& v) {
    if (!is_finite(v)) add(key, text(v), "must have finite components, at most 1e100");
    return is_finite(v);
  }
  bool direction(const std::string& key, const Vec3d& v) {
    if (finite(key, v) && !is_direction(v)) add(key, text(v), "must not be the zero vector");
    return is_direction(v);
  }
  // The same without a word, where another check needs to know and the value's own key complains.
  static bool is_positive(double v) { return is_usable(v) && v > 0; }
  static bool is_finite(const Vec3d& v) { return is_usable(v.x) && is_usable(v.y) && is_usable(v.z); }
  // The length must be neither 0 nor so extreme that its square over- or underflows.
  static bool is_direction(const Vec3d& v) { return norm(v) > 1e-150 && std::isfinite(norm(v)); }

  static std::string text(const Vec3d& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }
  static bool ordered(const Vec3d& low, const Vec3d& high) {
    return low.x < high.x && low.y < high.y && low.z < high.z;
  }
  // A region of space by two corners; across the plane of a 2-D run it may have no thickness.
  bool box(const std::string& key, const Vec3d& low, const Vec3d& high) {
    if (!finite(key, low) || !finite(key, high)) return false;
    const auto sound = [&](int axis, double a, double b) {
      return a < b || (a == b && c_.domain.dimension == 2 && c_.domain.flat_axis == axis);
    };
    const bool good = sound(0, low.x, high.x) && sound(1, low.y, high.y) && sound(2, low.z, high.z);
    if (!good) add(key, text(low) + ", " + text(high), "the first corner must be below the second along x, y and z");
    return good;
  }
  template <class T>
  void unique(const std::string& section, const std::vector<T>& all) {
    std::set<std::string> seen;
    for (const T& one : all)
      if (!seen.insert(one.name).second) add(section + "." + one.name, "", "this name is given twice");
  }
  template <class T>
  static std::vector<std::string> names(const std::vector<T>& all) {
    std::vector<std::string> list;
    for (const T& one : all) list.push_back(one.name);
    return list;
  }
  static bool contains(const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  }
  void known(const std::string& key, const std::string& name, const std::vector<std::string>& all, const char* what) {
    if (contains(all, name)) return;
    add(key, fmt::format("\"{}\"", name), fmt::format("there is no {} `{}`{}", what, name, suggestion(name, all)));
  }
  const Material* material(const std::string& name) const {
    for (const Material& m : c_.materials)
      if (m.name == name) return &m;
    return nullptr;
  }

  template <class T>
  void interval(const std::string& key, const T& t) {
    const std::vector<std::string> stage_names = names(c_.stages);
    if (!t.start_stage.empty()) known(key + ".start_stage", t.start_stage, stage_names, "stage");
    if (!t.stop_stage.empty()) known(key + ".stop_stage", t.stop_stage, stage_names, "stage");
    if (t.start_stage.empty() && t.stop_stage.empty())
      rule(!(t.stop < t.start), key + ".stop", t.stop, "must not be before `start`");
  }

  void motion(const std::string& key, const Motion& m) {
    if (m.kind == Motion::Kind::fixed && m.then.empty()) return;
    motion_part(m.then.empty() ? key : key + "[1]", m);
    for (std::size_t k = 0; k < m.then.size(); ++k) {
      const std::string at = fmt::format("{}[{}]", key, k + 2);
      motion_part(at, m.then[k]);
      if (!m.then[k].then.empty()) add(at, "", "a part of a motion has no parts of its own");
    }
  }
  void motion_part(const std::string& key, const Motion& m) {
    if (m.kind == Motion::Kind::fixed) add(key, "", "a part of a motion must move");
    if (m.kind == Motion::Kind::table) motion_table(key + ".table", m);
    if (m.kind == Motion::Kind::formula && m.shift == std::array<Formula, 3>{} && !m.angle.given())
      add(key + ".formula", "", "needs `shift` or `angle`");
    interval(key, m);
  }

  void motion_table(const std::string& key, const Motion& m) {
    if (m.table.size() < 2) add(key + ".rows", std::to_string(m.table.size()), "at least two lines are needed");
    for (std::size_t k = 0; k < m.table.size(); ++k) {
      const std::string at = key + ".rows[" + std::to_string(k + 1) + "]";
      rule(is_usable(m.table[k].time), at, m.table[k].time, kUsableRule);
      finite(at, m.table[k].shift);
      finite(at, m.table[k].turn);
      if (k == 0) rule(m.table[0].time == 0, at, m.table[0].time, "the first line must be at t = 0");
      else rule(m.table[k].time > m.table[k - 1].time, at, m.table[k].time, "times must ascend");
    }
    if (!m.table.empty() && !(m.table[0].shift == Vec3d{} && m.table[0].turn == Vec3d{}))
      add(key + ".rows[1]", text(m.table[0].shift), "the first line must be the first placement: all zeros");
  }

  // Volume of a sound region; 0 for one that is not, or has none that is finite.
  double region(const std::string& key, const Region& r) {
    switch (r.kind) {
      case Region::Kind::box:
        return box(key + ".box", r.box.min, r.box.max) ? volume_of(r) : 0;
      case Region::Kind::sphere:
        return is_finite(r.center) && is_positive(r.radius) ? volume_of(r) : 0;
      case Region::Kind::cylinder:
        return axis(key + ".cylinder", r.from, r.to) && is_positive(r.radius) ? volume_of(r) : 0;
      case Region::Kind::slab:
        if (axis(key + ".slab", r.from, r.to)) slab_in_periods(key + ".slab", r.to - r.from);
        return 0;
      case Region::Kind::mesh:
        if (r.mesh.empty()) add(key + ".mesh.file", "", "is missing: the file of the surface");
        return 0;
      case Region::Kind::half_space:
      case Region::Kind::all:
        return 0;
    }
    return 0;
  }
  // An oblique slab and its images would not be one: which of them holds a point depends on where the box begins.
  void slab_in_periods(const std::string& key, const Vec3d& across) {
    const double along[] = {across.x, across.y, across.z};
    for (int a = 0; a < 3; ++a)
      if (c_.domain.periodic[a] && along[a] != 0 && std::fabs(along[a]) < norm(across))
        return add(key + ".to", text(across),
                   fmt::format("a slab across the periodic direction {0} must be across {0} alone; an oblique one does "
                               "not repeat itself with the box",
                               "xyz"[a]));
  }
  // The same where the region must have a finite volume that the program can fill or measure.
  double bounded_region(const std::string& key, const Region& r, bool mesh = false) {
    const bool good = !r.outside && (r.kind == Region::Kind::box || r.kind == Region::Kind::sphere ||
                                     r.kind == Region::Kind::cylinder || (mesh && r.kind == Region::Kind::mesh));
    if (!good) {
      add(key, "",
          fmt::format("must be a box, a sphere{} a cylinder{}, not the outside of one", mesh ? "," : " or",
                      mesh ? " or a mesh" : ""));
      return 0;
    }
    return region(key, r);
  }
  bool axis(const std::string& key, const Vec3d& from, const Vec3d& to) {
    if (!is_finite(from) || !is_finite(to)) return false;
    const bool good = is_direction(to - from);
    if (!good) add(key + ".to", text(to), "must differ from `from`");
    return good;
  }

 protected:
  const Case& c_;
  std::set<std::string> missing_;
  std::vector<Problem> problems_;
};

}  // namespace areia
