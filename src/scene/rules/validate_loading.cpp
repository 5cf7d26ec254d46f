// Rules of [loading.NAME].
#include "scene/rules/validate_loading.h"

#include "scene/loaded_box.h"
#include "scene/rules/rules.h"

namespace areia {
namespace {

using By = Loading::Axis::By;

void check_wall(Rules& r, const std::string& key, const std::string& name, int axis) {
  const Case& c = r.settings();
  const auto quoted = fmt::format("\"{}\"", name);
  const std::string_view letter = std::string_view("xyz").substr(static_cast<std::size_t>(axis), 1);
  for (const Wall& w : c.walls) {
    if (w.name != name) continue;
    if (!place_across(w.shape, axis))
      r.add(key, quoted, fmt::format("must be a plane or a rectangle across {}", letter));
    if (w.motion.kind != Motion::Kind::fixed || w.servo.on)
      r.add(key, quoted, "has a `motion` or a `servo` of its own; the loading moves it");
  }
}

void check_axis(Rules& r, const std::string& key, const Loading& l, int a) {
  const Case& c = r.settings();
  const Loading::Axis& axis = l.axis[static_cast<std::size_t>(a)];
  if (axis.low.empty() && axis.high.empty()) {
    if (axis.by != By::nothing) r.add(key + ".walls", "", "is missing: the walls that move");
    return;
  }
  const std::vector<std::string> walls = Rules::names(c.walls);
  for (const std::string& name : {axis.low, axis.high}) {
    r.known(key + ".walls", name, walls, "wall");
    check_wall(r, key + ".walls", name, a);
  }
  if (c.domain.periodic[static_cast<std::size_t>(a)])
    r.add(key + ".walls", "", fmt::format("the domain is periodic along {}", "xyz"[a]));
  const std::array<BoxSide, 3> sides = sides_of(c, l);
  const auto placed = [&](int wall) {
    return wall >= 0 && place_across(c.walls[static_cast<std::size_t>(wall)].shape, a).has_value();
  };
  const BoxSide& side = sides[static_cast<std::size_t>(a)];
  if (placed(side.low) && placed(side.high) && !(side.first > 0))
    r.add(key + ".walls", "", fmt::format("the first wall must lie below the second along {}", "xyz"[a]));
  if (axis.by != By::stress) return;
  if (!(l.max_speed > 0))
    r.add("loading." + l.name + ".max_speed", "", "is missing: walls that follow a stress need it");
  for (int b = 0; b < 3; ++b) {
    const Loading::Axis& other = l.axis[static_cast<std::size_t>(b)];
    if (b != a && other.low.empty() && !c.domain.periodic[static_cast<std::size_t>(b)])
      r.add(key + ".stress", "",
            fmt::format("needs the area of the walls: give `{}` its walls, too, or a periodic domain", "xyz"[b]));
  }
}

}  // namespace

void check_loading(Rules& r) {
  const Case& c = r.settings();
  r.unique("loading", c.loading);
  for (const Loading& l : c.loading) {
    const std::string key = "loading." + l.name;
    bool any = false;
    for (int a = 0; a < 3; ++a) {
      check_axis(r, fmt::format("{}.{}", key, "xyz"[a]), l, a);
      any = any || l.axis[static_cast<std::size_t>(a)].by != By::nothing;
    }
    if (!any) r.add(key, "", "needs a `stress` or a `strain_rate` along x, y or z");
    if (c.numerics.scheme == Scheme::trapezoid)
      r.add(key, "", "walls follow a loading step by step: it needs an explicit `numerics.scheme`");
    r.interval(key + ".when", l.when);
  }
}

}  // namespace areia
