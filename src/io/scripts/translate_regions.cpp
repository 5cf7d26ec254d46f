// Regions, lattices and the box of a script.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/range.h"
#include "io/scripts/translation.h"

namespace areia::io {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// An end of a region, which may be that of the box.
double end_of(Arguments& a, const char* what, double unit, double endless) {
  if (a.peek() == "INF" || a.peek() == "EDGE" || a.peek() == "-INF") {
    a.word(what);
    return endless;
  }
  return a.number(what, unit);
}

int axis_of(Arguments& a) {
  const std::string& w = a.word("axis");
  if (w != "x" && w != "y" && w != "z") a.wrong("axis", w, "must be x, y or z");
  return w[0] - 'x';
}

}  // namespace

void Translation::lattice(Arguments& a) {
  const std::string& style = a.word("style");
  lattice_style_ = style;
  double scale = a.positive("scale");
  if (!a.done()) throw NotTakenOver{"a lattice with an origin or directions of its own"};
  const double points = style == "bcc" || style == "sq2" || style == "hex" ? 2 : style == "fcc" ? 4 : 1;
  if (style != "none" && style != "sc" && style != "bcc" && style != "fcc" && style != "sq" && style != "sq2" &&
      style != "hex")
    throw NotTakenOver{fmt::format("lattice of style `{}`", style)};
  const double y = style == "hex" ? std::numbers::sqrt3 : 1;
  // a reduced density in units lj, else the length of the cell
  if (lj_ && style != "none") scale = std::pow(points / (scale * y), 1.0 / (case_.domain.dimension == 2 ? 2 : 3));
  lattice_spacing_ = (scale * units.length) * Vec3d{1, y, 1};
}

Vec3d Translation::lattice_spacing() const { return lattice_spacing_.value_or(units.length * Vec3d{1, 1, 1}); }

void Translation::region(const Command& c, Arguments& a) {
  const std::string name = a.word("id");
  regions_.erase(name);
  // lengths are those of the lattice unless `units box` says otherwise; without a lattice they are the same
  Vec3d unit = lattice_spacing();
  for (std::size_t k = 0; k + 1 < c.words.size(); ++k)
    if (c.words[k] == "units" && c.words[k + 1] == "box") unit = units.length * Vec3d{1, 1, 1};
  ScriptRegion r;
  r.style = a.word("style");
  if (r.style == "delete") return;
  if (r.style == "block") {
    for (int k = 0; k < 3; ++k) {
      r.n[2 * k] = end_of(a, "low end", component(unit, k), -kEndless);
      r.n[2 * k + 1] = end_of(a, "high end", component(unit, k), kEndless);
      if (!(r.n[2 * k] < r.n[2 * k + 1])) a.wrong("high end", c.text, "must be above the low end");
    }
  } else if (r.style == "sphere") {
    for (int k = 0; k < 3; ++k) r.n[k] = a.number("centre", component(unit, k));
    r.n[3] = a.positive("radius", unit.x);
  } else if (r.style == "cylinder" || r.style == "cone") {
    r.axis = axis_of(a);
    const auto [first, second] = across(r.axis);
    r.n[0] = a.number("centre", component(unit, first));
    r.n[1] = a.number("centre", component(unit, second));
    r.n[2] = r.style == "cone" ? a.number("low radius", component(unit, first))
                               : a.positive("radius", component(unit, first));
    r.n[3] = r.style == "cone" ? a.number("high radius", component(unit, first)) : r.n[2];
    if (r.n[2] < 0 || r.n[3] < 0) a.wrong("radius", c.text, "must not be negative");
    r.n[4] = end_of(a, "low end", component(unit, r.axis), -kEndless);
    r.n[5] = end_of(a, "high end", component(unit, r.axis), kEndless);
    if (!(r.n[4] < r.n[5])) a.wrong("high end", c.text, "must be above the low end");
  } else if (r.style == "plane") {
    for (int k = 0; k < 3; ++k) r.n[k] = a.number("point", component(unit, k));
    for (int k = 3; k < 6; ++k) r.n[k] = a.number("normal");
  } else {
    throw NotTakenOver{fmt::format("regions of style `{}` are no shape here", r.style)};
  }
  while (!a.done()) {
    const std::string& key = a.word("keyword");
    if (key == "side") r.outside = a.word("side") == "out";
    else if (key == "units" || key == "seed" || key == "volume_limit") a.word("value");
    else if (key == "open") {
      const std::int64_t face = a.whole("face");
      if (face < 1 || face > 6) a.wrong("open", fmt::format("{}", face), "must be from 1 to 6");
      r.open[face - 1] = true;
    } else if (key == "move" || key == "rotate") {
      note(fmt::format("line {}: the region `{}` stands still", c.line, name));
      for (int k = key == "move" ? 3 : 7; k > 0; --k) a.word(key.c_str());
    } else throw NotTakenOver{fmt::format("regions with `{}`", key)};
  }
  regions_[name] = r;
}

const ScriptRegion& Translation::named_region(const std::string& name) const {
  const std::map<std::string, ScriptRegion>& known = translated_ ? translated_->regions : regions_;
  const auto at = known.find(name);
  if (at == known.end()) throw NotTakenOver{fmt::format("the region `{}` is not there, or was not taken over", name)};
  return at->second;
}

bool Translation::contains(const ScriptRegion& r, const Vec3d& x) const {
  bool in = true;
  if (r.style == "block") {
    for (int k = 0; k < 3; ++k) in = in && component(x, k) >= r.n[2 * k] && component(x, k) <= r.n[2 * k + 1];
  } else if (r.style == "sphere") {
    in = norm(x - Vec3d{r.n[0], r.n[1], r.n[2]}) <= r.n[3];
  } else if (r.style == "plane") {
    in = dot(x - Vec3d{r.n[0], r.n[1], r.n[2]}, Vec3d{r.n[3], r.n[4], r.n[5]}) >= 0;
  } else {
    const auto [first, second] = across(r.axis);
    const double h = component(x, r.axis), d = std::hypot(component(x, first) - r.n[0], component(x, second) - r.n[1]);
    const double up = r.n[2] == r.n[3] ? 0 : (h - r.n[4]) / (r.n[5] - r.n[4]);
    in = h >= r.n[4] && h <= r.n[5] && d <= r.n[2] + up * (r.n[3] - r.n[2]);
  }
  return in != r.outside;
}

// The box around a region, within that of the simulation where the region is endless.
Box Translation::bounds(const ScriptRegion& r) const {
  Box b{{-kEndless, -kEndless, -kEndless}, {kEndless, kEndless, kEndless}};
  if (r.outside || r.style == "plane") {
  } else if (r.style == "block") {
    b = {{r.n[0], r.n[2], r.n[4]}, {r.n[1], r.n[3], r.n[5]}};
  } else if (r.style == "sphere") {
    const Vec3d c{r.n[0], r.n[1], r.n[2]}, d{r.n[3], r.n[3], r.n[3]};
    b = {c - d, c + d};
  } else {
    const auto [first, second] = across(r.axis);
    const double radius = std::max(r.n[2], r.n[3]);
    component(b.min, first) = r.n[0] - radius;
    component(b.max, first) = r.n[0] + radius;
    component(b.min, second) = r.n[1] - radius;
    component(b.max, second) = r.n[1] + radius;
    component(b.min, r.axis) = r.n[4];
    component(b.max, r.axis) = r.n[5];
  }
  for (int k = 0; k < 3; ++k) {
    if (std::isinf(component(b.min, k))) component(b.min, k) = box_ ? component(box_->min, k) : kEndless;
    if (std::isinf(component(b.max, k))) component(b.max, k) = box_ ? component(box_->max, k) : kEndless;
    if (std::isinf(component(b.min, k)) || std::isinf(component(b.max, k)))
      throw NotTakenOver{"the region has no end, and there is no box yet"};
  }
  return b;
}

// As a place in which particles are put.
Region Translation::insertion_region(const std::string& name) {
  const ScriptRegion& r = named_region(name);
  if (r.outside) throw NotTakenOver{fmt::format("region `{}`: the outside of a shape", name)};
  const Box b = bounds(r);
  Region out;
  if (r.style == "block") {
    out.kind = Region::Kind::box;
    out.box = b;
  } else if (r.style == "sphere") {
    out.kind = Region::Kind::sphere;
    out.center = {r.n[0], r.n[1], r.n[2]};
    out.radius = r.n[3];
  } else if (r.style == "cylinder") {
    out.kind = Region::Kind::cylinder;
    const auto [first, second] = across(r.axis);
    component(out.from, first) = component(out.to, first) = r.n[0];
    component(out.from, second) = component(out.to, second) = r.n[1];
    component(out.from, r.axis) = component(b.min, r.axis);
    component(out.to, r.axis) = component(b.max, r.axis);
    out.radius = r.n[2];
  } else {
    throw NotTakenOver{fmt::format("region `{}`: a {} cannot be filled here", name, r.style)};
  }
  return out;
}

void Translation::create_box(Arguments& a) {
  const std::int64_t types = a.whole("types");
  if (types < 1 || types > 100) a.wrong("types", fmt::format("{}", types), "must be from 1 to 100");
  types_ = static_cast<int>(types);
  set_box(bounds(named_region(a.word("region"))));
}

void Translation::set_box(const Box& box) {
  box_ = box;
  constexpr std::string_view kAxes = "xyz";
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, kAxes[k]);
    reader_.set_keyword(axis + "lo", component(box.min, k) / units.length);
    reader_.set_keyword(axis + "hi", component(box.max, k) / units.length);
    reader_.set_keyword("l" + axis, (component(box.max, k) - component(box.min, k)) / units.length);
  }
}

}  // namespace areia::io
