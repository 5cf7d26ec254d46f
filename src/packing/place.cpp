#include "packing/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "core/rounding.h"
#include "scene/radius.h"
#include "scene/region_measure.h"
#include "scene/region_mesh.h"
#include "scene/wall_geometry.h"
#include "search/cell_number.h"
#include "search/wall_images.h"

namespace areia {

static std::uint64_t cell_key(std::int64_t x, std::int64_t y, std::int64_t z) {
  constexpr std::uint64_t kMask = 0x1fffff;
  return (static_cast<std::uint64_t>(x) & kMask) << 42 | (static_cast<std::uint64_t>(y) & kMask) << 21 |
         (static_cast<std::uint64_t>(z) & kMask);
}

void PlacedBalls::add(const Ball& ball) {
  const Ball b{periodicity_.wrapped(ball.x), ball.radius};
  int exponent = 0;
  std::frexp(b.radius, &exponent);  // radius in [2^(e-1), 2^e)
  Level& level = levels_.try_emplace(exponent, Level{std::ldexp(2.0, exponent), {}}).first->second;
  const auto index = static_cast<std::uint32_t>(balls_.size());
  balls_.push_back(b);
  auto cell = [&](double a) { return cell_number(a / level.h); };
  level.cells[cell_key(cell(b.x.x), cell(b.x.y), cell(b.x.z))].push_back(index);
}

bool PlacedBalls::collides(const Ball& b, double gap) const {
  const Vec3d x = periodicity_.wrapped(b.x);
  bool found = false;
  for (const auto& entry : levels_)
    periodicity_.for_each_image(x, b.radius + 0.5 * entry.second.h + gap, [&](const Vec3d& image) {
      found = found || collides(entry.second, {image, b.radius}, gap);
    });
  return found;
}

bool PlacedBalls::collides(const Level& level, const Ball& b, double gap) const {
  const double reach = b.radius + 0.5 * level.h + gap;
  auto cell = [&](double a) { return cell_number(a / level.h); };
  for (auto cx = cell(b.x.x - reach); cx <= cell(b.x.x + reach); ++cx)
    for (auto cy = cell(b.x.y - reach); cy <= cell(b.x.y + reach); ++cy)
      for (auto cz = cell(b.x.z - reach); cz <= cell(b.x.z + reach); ++cz) {
        const auto at = level.cells.find(cell_key(cx, cy, cz));
        if (at == level.cells.end()) continue;
        for (std::uint32_t k : at->second) {
          const double d = b.radius + balls_[k].radius + gap;
          if (norm2(balls_[k].x - b.x) < d * d) return true;
        }
      }
  return false;
}

double draw_radius(const RadiusDistribution& d, Random& random) {
  switch (d.kind) {
    case RadiusDistribution::Kind::fixed:
      return d.value;
    case RadiusDistribution::Kind::uniform:
      return random.uniform(d.min, d.max);
    case RadiusDistribution::Kind::gaussian:
      return d.mean + d.std * random.truncated_normal(d.truncate);
    case RadiusDistribution::Kind::grading: {
      const std::size_t classes = d.shares.size() - 1;
      double sum = 0;
      for (std::size_t k = 0; k < classes; ++k) sum += rounded(number_in_class(d, k));
      double left = random.uniform() * sum;
      std::size_t k = 0;
      for (; k + 1 < classes; ++k) {
        const double here = rounded(number_in_class(d, k));
        if (left < here) break;
        left -= here;
      }
      // inside the class numbers go as r^-3 per ln r: their running sum is linear in r^-3
      const double a = d.shares[k].radius, b = d.shares[k + 1].radius;
      const double low = 1 / (a * a * a), high = 1 / (b * b * b);
      return std::clamp(rounded(1 / std::cbrt(low - random.uniform() * (low - high))), a, b);
    }
    case RadiusDistribution::Kind::table: {
      double sum = 0;
      for (const RadiusShare& s : d.shares) sum += s.share;
      double left = random.uniform() * sum;
      for (const RadiusShare& s : d.shares) {
        if (left < s.share) return s.radius;
        left -= s.share;
      }
      return d.shares.back().radius;
    }
  }
  return 0;
}

// What a solid fraction refers to: volumes, or areas in the plane of a 2-D case, where regions may be flat.
static double measure_of(const Region& r, int flat) {
  using std::numbers::pi;
  if (flat < 0) return volume_of(r);
  switch (r.kind) {
    case Region::Kind::box: {
      const Vec3d e = r.box.max - r.box.min;
      return component(e, (flat + 1) % 3) * component(e, (flat + 2) % 3);
    }
    case Region::Kind::sphere:
      return pi * r.radius * r.radius;
    case Region::Kind::cylinder: {
      const Vec3d axis = r.to - r.from;
      const bool across = std::fabs(component(axis, flat)) > 0.5 * norm(axis);
      return across ? pi * r.radius * r.radius : 2 * r.radius * norm(axis);
    }
    case Region::Kind::half_space:
    case Region::Kind::slab:
    case Region::Kind::mesh:
    case Region::Kind::all:
      break;  // no finite volume; refused by the rules of a case
  }
  return 0;
}
static double measure_of_ball(double radius, int flat) {
  using std::numbers::pi;
  return flat < 0 ? 4.0 / 3 * pi * radius * radius * radius : pi * radius * radius;
}

bool contains_ball(const Region& r, const Vec3d& x, double radius) {
  switch (r.kind) {
    case Region::Kind::box:
      for (int a = 0; a < 3; ++a) {
        if (component(r.box.max, a) == component(r.box.min, a)) continue;  // flat region of a 2-D case
        const double slack = 1e-12 * (component(r.box.max, a) - component(r.box.min, a));
        if (component(x, a) - radius < component(r.box.min, a) - slack ||
            component(x, a) + radius > component(r.box.max, a) + slack)
          return false;
      }
      return true;
    case Region::Kind::sphere:
      return norm(x - r.center) + radius <= r.radius * (1 + 1e-12);
    case Region::Kind::cylinder: {
      const Vec3d axis = unit(r.to - r.from);
      const double along = dot(x - r.from, axis);
      const double rho = norm(x - r.from - along * axis);
      const double slack = 1e-12 * (r.radius + norm(r.to - r.from));
      return along - radius >= -slack && along + radius <= norm(r.to - r.from) + slack &&
             rho + radius <= r.radius + slack;
    }
    case Region::Kind::mesh: {
      const TriangleMesh& mesh = surface_of(r);
      return inside_mesh(mesh, x) && !(mesh_distance(mesh, x, radius) < radius * (1 - 1e-12));
    }
    case Region::Kind::half_space:
    case Region::Kind::slab:
    case Region::Kind::all:
      break;  // no finite volume; refused by the rules of a case
  }
  return false;
}

// The same in the plane of a 2-D case: the extent of the region across the plane does not matter.
static bool contains_disc(Region r, const Vec3d& x, double radius, int flat) {
  const double level = component(x, flat);
  if (r.kind == Region::Kind::box) {
    component(r.box.min, flat) = component(r.box.max, flat) = level;
  } else if (r.kind == Region::Kind::cylinder) {
    const Vec3d axis = r.to - r.from;
    if (std::fabs(component(axis, flat)) > 0.5 * norm(axis)) {
      component(r.from, flat) = level - 2 * radius;
      component(r.to, flat) = level + 2 * radius;
    }
  }
  return contains_ball(r, x, radius);
}

int up_axis(const Case& c) {
  const Vec3d g = uniform_gravity(c);
  int up = 2;
  double most = 0;
  for (int a = 0; a < 3; ++a)
    if (std::fabs(component(g, a)) > most) {
      most = std::fabs(component(g, a));
      up = a;
    }
  return up;
}

std::vector<Ball> place_lattice(const ParticleSet& set, const Lattice& l, PlaceContext& context) {
  const Domain& domain = context.settings.domain;
  const double spacing = l.spacing > 0 ? l.spacing : 2 * largest_radius(set.radius) + 2 * l.jitter;
  const int up = up_axis(context.settings), u = (up + 1) % 3, v = (up + 2) % 3;
  const bool hexagonal = l.kind == Lattice::Kind::hexagonal;
  const double row = hexagonal ? spacing * std::sqrt(3.0) / 2 : spacing;
  const double layer = hexagonal ? spacing * std::sqrt(2.0 / 3) : spacing;
  const Box b = bounds_of(l.region);
  const double margin = largest_radius(set.radius) + l.jitter;
  const int flat = domain.dimension == 2 ? domain.flat_axis : -1;
  auto sites = [&](int axis, double step) {  // as reals: with a count there may be more than integers tell
    if (axis == flat) return 1.0;
    const double room = component(b.max, axis) - component(b.min, axis) - 2 * margin;
    return room < -1e-12 * spacing ? 0.0 : std::floor(room / step + 1e-9) + 1;
  };
  std::vector<Ball> out;
  const double layers = sites(up, layer), rows = sites(v, row), columns = sites(u, spacing);
  const auto wanted = static_cast<std::size_t>(l.count);
  const auto enough = [&] { return wanted > 0 && out.size() == wanted; };
  for (std::int64_t k = 0; static_cast<double>(k) < layers && !enough(); ++k)
    for (std::int64_t r = 0; static_cast<double>(r) < rows && !enough(); ++r)
      for (std::int64_t c = 0; static_cast<double>(c) < columns && !enough(); ++c) {
        Vec3d x;
        component(x, up) = component(b.min, up) + margin + static_cast<double>(k) * layer;
        component(x, v) = component(b.min, v) + margin + static_cast<double>(r) * row;
        component(x, u) = component(b.min, u) + margin + static_cast<double>(c) * spacing;
        if (hexagonal) {  // every other row shifts by half a spacing, every other layer by a third of a row pair
          component(x, u) += 0.5 * spacing * static_cast<double>((r + k) % 2);
          component(x, v) += row * static_cast<double>(k % 2) / 3;
        }
        if (l.jitter > 0)
          for (int a = 0; a < 3; ++a)
            if (a != flat) component(x, a) += context.random.uniform(-l.jitter, l.jitter);
        if (flat >= 0) component(x, flat) = 0.5 * (component(b.min, flat) + component(b.max, flat));
        const double radius = draw_radius(set.radius, context.random);
        if (!(flat < 0 ? contains_ball(l.region, x, radius) : contains_disc(l.region, x, radius, flat))) continue;
        out.push_back({x, radius});
      }
  if (wanted > 0 && out.size() < wanted)
    throw InputError(fmt::format("particles.{}.lattice.count", set.name), std::to_string(l.count),
                     fmt::format("only {} sites of spacing {:.6g} m fit into the region", out.size(), spacing));
  if (out.empty())
    throw InputError(fmt::format("particles.{}.lattice.region", set.name), "",
                     fmt::format("no site of spacing {:.6g} m fits into the region", spacing));
  context.notes.push_back(
      fmt::format("particles.{}: lattice of {} particles, spacing {:.6g} m", set.name, out.size(), spacing));
  return out;
}

std::vector<PlacedWall> walls_at_start(const std::vector<SceneWall>& walls) {
  std::vector<PlacedWall> there;
  for (const SceneWall& w : walls)
    if (w.present) there.push_back({&w, w.begins});
  return there;
}

static bool near_wall(const Periodicity& periodicity, const PlacedWall& w, const Vec3d& x, double reach) {
  return wall_distance(periodicity, *w.wall, w.pose, x, reach) < reach;
}

std::optional<Vec3d> find_place(const PlaceRule& rule, double radius, Random& random, const PlacedBalls& placed,
                                const std::vector<PlacedWall>& walls, std::int64_t& attempts) {
  const Box b = bounds_of(rule.region);
  const Vec3d e{radius, radius, radius};
  for (std::int64_t rejected = 0; rejected < rule.max_attempts; ++rejected) {
    ++attempts;
    Vec3d x = random.uniform(b.min + e, b.max - e);
    if (rule.flat >= 0) component(x, rule.flat) = 0.5 * (component(b.min, rule.flat) + component(b.max, rule.flat));
    if (!(rule.flat < 0 ? contains_ball(rule.region, x, radius) : contains_disc(rule.region, x, radius, rule.flat)))
      continue;
    if (placed.collides({x, radius}, rule.min_gap)) continue;
    if (std::none_of(walls.begin(), walls.end(),
                     [&](const PlacedWall& w) { return near_wall(rule.periodicity, w, x, radius + rule.min_gap); }))
      return x;
  }
  return std::nullopt;
}

std::vector<double> draw_radii(const ParticleSet& set, const RandomAddition& r, int flat, Random& random) {
  std::vector<double> radii;
  double volume = 0;
  const double target = r.solid_fraction * measure_of(r.region, flat);
  while (r.count > 0 ? radii.size() < static_cast<std::size_t>(r.count) : volume < target) {
    radii.push_back(draw_radius(set.radius, random));
    volume += measure_of_ball(radii.back(), flat);
  }
  return radii;
}

double solid_fraction_of(const std::vector<Ball>& balls, const Region& region, int flat) {
  double sum = 0;
  for (const Ball& b : balls) sum += measure_of_ball(b.radius, flat);
  return sum / measure_of(region, flat);
}

std::vector<Ball> place_randomly(const ParticleSet& set, const RandomAddition& r, PlaceContext& context) {
  const Domain& domain = context.settings.domain;
  const int flat = domain.dimension == 2 ? domain.flat_axis : -1;
  // Radii first, largest placed first: small ones still fit between large ones, not the other way round.
  std::vector<double> radii = draw_radii(set, r, flat, context.random);
  std::sort(radii.begin(), radii.end(), std::greater<>());
  const std::vector<PlacedWall> walls = walls_at_start(context.walls);
  const PlaceRule rule{r.region, r.min_gap, r.max_attempts, flat, periodicity_of(domain)};
  std::vector<Ball> out;
  std::int64_t attempts = 0;
  for (double radius : radii) {
    const auto x = find_place(rule, radius, context.random, context.placed, walls, attempts);
    if (!x)
      throw InputError(
          fmt::format("particles.{}.fill", set.name),
          r.count > 0 ? std::to_string(r.count) : fmt::format("{:g}", r.solid_fraction),
          fmt::format("only {} of {} particles found room after {} consecutive rejections (solid fraction {:.4f}); "
                      "random addition reaches about {} at most: enlarge the region, raise max_attempts, or take "
                      "method = \"grow\"",
                      out.size(), radii.size(), r.max_attempts, solid_fraction_of(out, r.region, flat),
                      flat < 0 ? "0.38" : "0.54"));
    context.placed.add({*x, radius});
    out.push_back({*x, radius});
  }
  context.notes.push_back(
      fmt::format("particles.{}: {} particles by random addition, {} attempts, solid fraction {:.4f}", set.name,
                  out.size(), attempts, solid_fraction_of(out, r.region, flat)));
  return out;
}

}  // namespace areia
