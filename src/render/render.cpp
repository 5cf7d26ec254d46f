// The picture as a whole: what is seen, how it is lit, and what is written beside it.
#include "render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "render/camera.h"
#include "render/chains.h"
#include "render/colour.h"
#include "render/legend.h"
#include "render/lighting.h"
#include "render/overlay.h"
#include "render/raster.h"
#include "render/wall_shapes.h"

namespace areia {

using namespace picture;

namespace {

constexpr int kSupersampling = 2;  // per direction

double largest_extent(const Box& box) {
  const Vec3d size = box.max - box.min;
  return std::max({size.x, size.y, size.z});
}

// Interval that holds all but a few values; grains that flew away would otherwise shrink the rest to a dot. Of eight
// and more grains one may be left out at each end, of many half a per cent; `slack`: the radius of a grain, so that a
// few in a row do not pass for one.
std::pair<double, double> typical_interval(std::vector<double> values, double slack) {
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  const double low = *least, high = *largest;
  if (values.size() < 8) return {low, high};
  const std::size_t few = std::max<std::size_t>(1, values.size() / 200);
  const auto at = [&](std::size_t rank) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return values[rank];
  };
  const double most_low = at(few), most_high = at(values.size() - 1 - few), most = most_high - most_low + 2 * slack;
  const bool strays = high - low + 2 * slack > 2.5 * most;
  return strays ? std::pair{most_low - 0.1 * most, most_high + 0.1 * most} : std::pair{low, high};
}

}  // namespace

Box grain_box(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  std::vector<double> x, y, z;
  double radius = 0;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    if (!std::isfinite(p.x[k].x + p.x[k].y + p.x[k].z)) continue;
    x.push_back(p.x[k].x);
    y.push_back(p.x[k].y);
    z.push_back(p.x[k].z);
    radius = std::max(radius, p.radius[k]);
  }
  if (x.empty()) return empty_box();
  const auto [x0, x1] = typical_interval(std::move(x), radius);
  const auto [y0, y1] = typical_interval(std::move(y), radius);
  const auto [z0, z1] = typical_interval(std::move(z), radius);
  return inflated({{x0, y0, z0}, {x1, y1, z1}}, radius);
}

namespace {

std::vector<Sphere> spheres_seen(const Frame& frame, const Camera& camera) {
  const FrameParticles& p = frame.particles;
  std::vector<Sphere> spheres(p.x.size());
  for (std::size_t k = 0; k < spheres.size(); ++k) spheres[k] = {camera.to_camera(p.x[k]), p.radius[k]};
  return spheres;
}

// What must be on the picture: the grains in view and the walls around them. They fill it better than the corners of
// the box would.
std::vector<Ball> balls_shown(const Frame& frame, const Box& focus, bool with_walls,
                              const std::vector<CutPlane>& cuts) {
  const FrameParticles& p = frame.particles;
  const auto left = [&](const Vec3d& x) {
    return std::all_of(cuts.begin(), cuts.end(), [&](const CutPlane& c) { return dot(c.normal, x - c.point) <= 0; });
  };
  std::vector<Ball> balls;
  balls.reserve(p.x.size());
  for (std::size_t k = 0; k < p.x.size(); ++k)
    if (inside(focus, p.x[k]) && left(p.x[k])) balls.push_back({p.x[k], p.radius[k]});
  const Box around = inflated(focus, 1e-9 * diagonal(focus));
  if (with_walls)
    for (const FrameWall& wall : frame.walls)
      for (const Vec3d& v : wall.vertices)
        if (wall.polygons.size() > 1 && inside(around, v) && left(v)) balls.push_back({v, 0});
  return balls.empty() ? corners(focus) : balls;
}

// Grains whose centre is seen.
std::vector<Arrow> velocity_arrows(const Frame& frame, const Picture& scene, double metres_per_speed) {
  const FrameParticles& p = frame.particles;
  std::vector<Arrow> arrows;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    const Vec3d& c = scene.spheres[k].centre;
    if (!std::isfinite(c.x + c.y + c.z) || (scene.camera.perspective && c.z <= scene.camera.nearest)) continue;
    const auto [x, y] = scene.camera.project(c);
    if (!(x >= 0 && y >= 0 && x < scene.grains.width && y < scene.grains.height)) continue;
    const std::size_t sample = scene.grains.at(static_cast<int>(x), static_cast<int>(y));
    if (scene.grains.index[sample] == static_cast<std::int32_t>(k))
      arrows.push_back({c, metres_per_speed * scene.camera.turned(p.v[k])});
  }
  return arrows;
}

void check(const Frame& frame, const RenderOptions& o) {
  if (o.width < 16 || o.height < 16 || o.width > 16384 || o.height > 16384)
    throw InputError("size", fmt::format("{}x{}", o.width, o.height), "must be 16 to 16384 pixels");
  if (!(norm(o.up) > 0)) throw InputError("up", "0", "must be a direction");
  if (o.direction && !(norm(*o.direction) > 0)) throw InputError("direction", "0", "must be a direction");
  if (!(o.zoom > 0)) throw InputError("zoom", fmt::format("{}", o.zoom), "must be positive");
  for (const CutPlane& cut : o.cuts)
    if (!(norm(cut.normal) > 0)) throw InputError("cut", "0", "its normal must be a direction");
  const std::size_t grains = frame.particles.id.size();
  const auto missing = [&](const char* option, const char* array) {
    throw InputError(option, array, "is not among the arrays of the frame; output.arrays of its case left it out");
  };
  if (o.arrows && frame.particles.v.size() != grains) missing("arrows", "velocity");
  if (o.marks && frame.particles.q.size() != grains) missing("marks", "orientation");
}

Camera camera_of(const Frame& frame, const RenderOptions& o, const Rectangle& area) {
  if (o.camera) return look_from(*o.camera, kSupersampling * o.width, kSupersampling * o.height);
  Vec3d direction = o.direction.value_or(default_direction(o.up));
  if (o.flat_axis && !o.direction)
    direction = *o.flat_axis == 0 ? Vec3d{-1, 0, 0} : *o.flat_axis == 1 ? Vec3d{0, 1, 0} : Vec3d{0, 0, -1};
  const Box focus = o.view.value_or(focus_box(frame));
  const std::vector<Ball> shown = o.view ? corners(focus) : balls_shown(frame, focus, o.walls, o.cuts);
  return look_at(focus, shown, direction, o.up, o.perspective && !o.flat_axis, area, o.zoom);
}

}  // namespace

void look_as_case_says(const Case& c, RenderOptions& options) {
  const Vec3d g = uniform_gravity(c);
  if (norm(g) > 0) options.up = -unit(g);
  if (c.domain.dimension != 2) return;
  options.flat_axis = c.domain.flat_axis;
  // without gravity, or with gravity across the plane, any direction of the plane may point up
  Vec3d across{};
  component(across, c.domain.flat_axis) = 1;
  if (norm(options.up - dot(options.up, across) * across) < 1e-6)
    options.up = c.domain.flat_axis == 2 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}

Box automatic_view(const Frame& frame) {
  Box grains = grain_box(frame);
  const bool none = !(grains.max.x >= grains.min.x);
  Box view = grains;
  // A wall belongs to the view when it is about as large as the heap; endless planes are only clipped to it.
  const Box around = none ? grains : inflated(grains, 1.5 * largest_extent(grains));
  for (const FrameWall& wall : frame.walls) {
    const bool fits = none || std::all_of(wall.vertices.begin(), wall.vertices.end(),
                                          [&](const Vec3d& p) { return inside(around, p); });
    if (fits)
      for (const Vec3d& p : wall.vertices) enclose(view, p);
  }
  if (!(view.max.x >= view.min.x)) return {{0, 0, 0}, {1, 1, 1}};
  if (diagonal(view) <= 0) return inflated(view, 0.5);
  return view;
}

Box focus_box(const Frame& frame) {
  const Box view = automatic_view(frame);
  Box focus = grain_box(frame);
  if (!(focus.max.x >= focus.min.x)) return view;
  const Box around = inflated(view, 1e-6 * diagonal(view));
  for (const FrameWall& wall : frame.walls) {
    const auto seen = [&](const Vec3d& p) { return inside(around, p); };
    if (wall.polygons.size() > 1 && std::all_of(wall.vertices.begin(), wall.vertices.end(), seen))
      for (const Vec3d& p : wall.vertices) enclose(focus, p);
  }
  return focus;
}

Image render(const Frame& frame, const RenderOptions& options) {
  check(frame, options);
  Image image{options.width, options.height, {}};
  const double u = unit_of(image);
  const double margin = 14 * u, top = options.text ? 46 * u : margin;
  const double right = options.legend ? legend_width(image) + 6 * u : margin;
  const Rectangle area{kSupersampling * margin, kSupersampling * top, kSupersampling * (options.width - right),
                       kSupersampling * (options.height - margin)};
  const Camera camera = camera_of(frame, options, area);
  const Box view = options.view.value_or(automatic_view(frame));

  const double radius = mean_radius(frame);
  Picture scene(kSupersampling * options.width, kSupersampling * options.height, camera);
  for (const CutPlane& cut : options.cuts) scene.kept.push_back(in_camera(cut, camera));
  scene.spheres = spheres_seen(frame, camera);
  if (options.marks) scene.turns = &frame.particles.q;
  draw_spheres(scene.grains, camera, scene.spheres, scene.kept);
  if (options.walls) {
    WallShapes walls = wall_shapes(frame, camera, view, scene.kept);
    const double line = std::max(1.5, 0.9 * u) * kSupersampling / 2;
    for (Line& edge : walls.edges) edge.width = line;
    scene.surfaces = std::move(walls.surfaces);
    scene.near_edge = std::move(walls.near);
    draw_polygons(scene.walls, camera, scene.surfaces);
    draw_lines(scene.edges, camera, walls.edges);
  }

  const Colouring by = colouring(frame, options.colour_by, options.up);
  ColourScale scale = scale_of(by, frame, options.duration);
  if (options.colour_min) scale.low = *options.colour_min;
  if (options.colour_max) scale = {scale.low, *options.colour_max};
  scene.colours.reserve(by.values.size());
  for (const double value : by.values)
    scene.colours.push_back(by.kinds ? kind_colour(static_cast<std::int32_t>(value))
                                     : map_colour(scale.position(value)));

  ColourScale forces;
  bool pulls = false;
  if (options.contacts) {
    const std::vector<ForceLine> lines = force_lines(frame, true, true);
    forces = force_scale(lines);
    pulls = some_pull(lines, forces);
    Chains chains = chains_of(lines, forces, camera, radius, scene.kept);
    draw_lines(scene.chains.emplace(scene.grains.width, scene.grains.height), camera, chains.lines);
    scene.chain_lines = std::move(chains.lines);
    scene.chain_colours = std::move(chains.colours);
    scene.pale_grains = true;
  }

  const bool shadows = !options.flat_axis && !options.contacts;
  scene.set_light(options.up, view, radius, shadows);
  if (shadows) scene.cast_shadows(frame.particles.x, frame.particles.radius, options.cuts);
  scene.shade(image, kSupersampling);

  double arrow_length = 0, arrow_speed = 0;  // pixels, m/s
  const double depth = camera.to_camera(0.5 * (view.min + view.max)).z;
  if (options.arrows && !frame.particles.v.empty()) {
    const Colouring speeds = colouring(frame, "velocity", options.up);
    arrow_speed = scale_of(speeds, frame, options.duration).high;
    const double metres = arrow_speed > 0 ? 4 * radius / arrow_speed : 0;
    draw_arrows(image, camera, kSupersampling, velocity_arrows(frame, scene, metres));
    arrow_length = metres * arrow_speed * camera.samples_per_length(depth) / kSupersampling;
  }
  if (options.legend) {
    if (options.contacts && pulls) {
      // towards both ends stronger: pushes upwards, pulls downwards
      draw_bar(
          image, "force (N)", {-forces.high, forces.high, forces.beyond}, false,
          [](double t) { return t < 0.5 ? pull_colour(1 - 2 * t) : chain_colour(2 * t - 1); }, "pulls below 0");
    } else if (options.contacts) draw_bar(image, "force (N)", forces, false, chain_colour);
    else if (by.kinds) draw_names(image, by.label, options.colour_by == "group" ? frame.groups : frame.materials);
    else draw_bar(image, by.label, scale, by.whole, map_colour);
    if (options.arrows && arrow_length > 0) explain_arrows(image, arrow_length, arrow_speed);
  }
  if (options.axes) {
    draw_axes(image, camera);
    draw_scale_bar(image, camera, kSupersampling, depth, options.width - right);
  }
  if (options.text) write_caption(image, frame);
  return image;
}

}  // namespace areia
