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
#include "render/raster.h"
#include "render/text.h"
#include "render/wall_shapes.h"

namespace areia {

using namespace picture;

namespace {

constexpr int kSupersampling = 2;  // per direction

double largest_extent(const Box& box) {
  const Vec3d size = box.max - box.min;
  return std::max({size.x, size.y, size.z});
}

// Interval that holds all but a few values; grains that flew away would otherwise shrink the rest to a dot.
std::pair<double, double> typical_interval(std::vector<double> values) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double share) {
    const auto rank = static_cast<std::ptrdiff_t>(share * last);
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
  };
  const double low = at(0.0), high = at(1.0), most_low = at(0.005), most_high = at(0.995);
  const double most = most_high - most_low;
  const bool strays = values.size() >= 200 && high - low > 2.5 * most;
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
  const auto [x0, x1] = typical_interval(std::move(x));
  const auto [y0, y1] = typical_interval(std::move(y));
  const auto [z0, z1] = typical_interval(std::move(z));
  return inflated({{x0, y0, z0}, {x1, y1, z1}}, radius);
}

namespace {

std::vector<Sphere> spheres_seen(const Frame& frame, const Camera& camera) {
  const FrameParticles& p = frame.particles;
  std::vector<Sphere> spheres(p.x.size());
  for (std::size_t k = 0; k < spheres.size(); ++k) spheres[k] = {camera.to_camera(p.x[k]), p.radius[k]};
  return spheres;
}

// What must be on the picture: the grains in the view and the walls in it. They fill it better than the corners of the
// view would.
std::vector<Ball> balls_shown(const Frame& frame, const Box& view, bool with_walls) {
  const FrameParticles& p = frame.particles;
  std::vector<Ball> balls;
  balls.reserve(p.x.size());
  for (std::size_t k = 0; k < p.x.size(); ++k)
    if (inside(view, p.x[k])) balls.push_back({p.x[k], p.radius[k]});
  if (with_walls)
    for (const FrameWall& wall : frame.walls)
      for (const Vec3d& v : wall.vertices)
        if (inside(view, v)) balls.push_back({v, 0});
  return balls.empty() ? corners(view) : balls;
}

void write_caption(Image& image, const Frame& frame) {
  const double u = unit_of(image);
  const auto letters = static_cast<std::size_t>(std::max(8.0, (image.width - 24 * u) / (8.4 * u)));
  const std::string title = frame.title.substr(0, letters);
  std::string line = fmt::format("t = {:.6g} s", frame.time);
  if (!frame.stage.empty()) line += fmt::format("   {}", frame.stage);
  const std::size_t grains = frame.particles.id.size();
  line += fmt::format("   {} {}", grains, grains == 1 ? "grain" : "grains");
  const double second = (title.empty() ? 11 : 27) * u;
  const double width = std::max(text_width(title, 1.4 * u), text_width(line, u));
  make_pale(image, 8 * u, 7 * u, 16 * u + width, second + 12 * u);
  draw_text(image, 12 * u, 11 * u, 1.4 * u, title);
  draw_text(image, 12 * u, second, u, line);
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

Image render(const Frame& frame, const RenderOptions& options) {
  if (options.width < 16 || options.height < 16 || options.width > 16384 || options.height > 16384)
    throw InputError("size", fmt::format("{}x{}", options.width, options.height), "must be 16 to 16384 pixels");
  if (!(norm(options.up) > 0)) throw InputError("up", "0", "must be a direction");
  if (options.direction && !(norm(*options.direction) > 0)) throw InputError("direction", "0", "must be a direction");
  if (!(options.zoom > 0)) throw InputError("zoom", fmt::format("{}", options.zoom), "must be positive");

  Image image{options.width, options.height, {}};
  const double u = unit_of(image);
  const int width = kSupersampling * options.width, height = kSupersampling * options.height;
  const double margin = 14 * u, top = options.text ? 42 * u : margin;
  const double right = options.legend ? legend_width(image) + 6 * u : margin;
  const Rectangle area{kSupersampling * margin, kSupersampling * top, kSupersampling * (options.width - right),
                       kSupersampling * (options.height - margin)};

  const Box view = options.view.value_or(automatic_view(frame));
  Vec3d direction = options.direction.value_or(default_direction(options.up));
  if (options.flat_axis && !options.direction)
    direction = *options.flat_axis == 0 ? Vec3d{-1, 0, 0} : *options.flat_axis == 1 ? Vec3d{0, 1, 0} : Vec3d{0, 0, -1};
  const bool perspective = options.perspective && !options.flat_axis;
  const std::vector<Ball> shown = options.view ? corners(view) : balls_shown(frame, view, options.walls);
  const Camera camera = look_at(view, shown, direction, options.up, perspective, area, options.zoom);

  const double radius = mean_radius(frame);
  Picture scene(width, height, camera);
  scene.spheres = spheres_seen(frame, camera);
  draw_spheres(scene.grains, camera, scene.spheres);
  if (options.walls) {
    WallShapes walls = wall_shapes(frame, camera, view);
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
  if (options.contacts) {
    const std::vector<ForceLine> lines = force_lines(frame, true, true);
    forces = force_scale(lines);
    Chains chains = chains_of(lines, forces, camera, radius, {});
    draw_lines(scene.chains, camera, chains.lines);
    scene.chain_lines = std::move(chains.lines);
    scene.chain_colours = std::move(chains.colours);
    scene.pale_grains = true;
  }

  scene.set_light(options.up, view, radius, !options.flat_axis && !options.contacts);
  if (!options.flat_axis && !options.contacts) scene.cast_shadows(frame.particles.x, frame.particles.radius);
  scene.shade(image, kSupersampling);

  if (options.legend) {
    if (options.contacts) draw_bar(image, "force (N)", forces, false, chain_colour);
    else if (by.kinds) draw_names(image, by.label, options.colour_by == "group" ? frame.groups : frame.materials);
    else draw_bar(image, by.label, scale, by.whole, map_colour);
  }
  if (options.text) write_caption(image, frame);
  return image;
}

}  // namespace areia
