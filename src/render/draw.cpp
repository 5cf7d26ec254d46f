#include "render/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "areia/error.h"
#include "render/chains.h"
#include "render/colour.h"
#include "render/lighting.h"
#include "render/raster.h"
#include "render/wall_shapes.h"

namespace areia {

using namespace picture;

namespace {

// As they are on the screen: the page mixes what is displayed, not light.
struct Theme {
  Colour paper, wall, edge;
};
constexpr Colour bytes(int r, int g, int b) {
  return {static_cast<float>(r) / 255, static_cast<float>(g) / 255, static_cast<float>(b) / 255};
}
// web/src/style.css: --paper, --wall, --edge.
constexpr Theme kLight{bytes(0xff, 0xff, 0xff), bytes(0xd3, 0xd8, 0xdf), bytes(0x7d, 0x87, 0x94)};
constexpr Theme kDark{bytes(0x16, 0x1a, 0x21), bytes(0x4a, 0x53, 0x61), bytes(0x8b, 0x95, 0xa4)};
constexpr float kWallOpacity = 0.5f, kEdgeOpacity = 0.7f;
const Vec3d kSun = unit(Vec3d{-0.45, 0.75, -0.55});  // camera coordinates: over the left shoulder of the viewer

float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

class Sheet {
 public:
  Sheet(const Frame& frame, const DrawOptions& options)
      : frame_(frame),
        o_(options),
        theme_(options.dark ? kDark : kLight),
        width_(options.samples * options.width),
        height_(options.samples * options.height),
        camera_(look_from(options.camera, width_, height_)),
        grains_(width_, height_),
        colour_(grains_.depth.size(), theme_.paper),
        what_(std::size_t(options.width) * std::size_t(options.height), Drawing::kNothing) {
    for (const CutPlane& cut : options.cuts) {
      if (!(norm(cut.normal) > 0)) throw InputError("cut", "normal", "must be a direction");
      kept_.push_back(in_camera(cut, camera_));
    }
  }

  Drawing drawing() {
    Drawing made;
    draw_grains(made);
    if (o_.walls || !o_.lines.empty()) draw_walls();
    if (o_.contacts || o_.bonds) draw_chains(made);
    made.image = resolved();
    made.what = std::move(what_);
    return made;
  }

 private:
  void draw_grains(Drawing& made) {
    const FrameParticles& p = frame_.particles;
    if (!o_.shown.empty() && o_.shown.size() != p.id.size())
      throw InputError("shown", fmt::format("{}", o_.shown.size()), "must have a value for each particle");
    spheres_.resize(p.x.size());
    in_parallel(static_cast<std::int64_t>(spheres_.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        spheres_[k] = {camera_.to_camera(p.x[k]), o_.shown.empty() || o_.shown[k] ? p.radius[k] : 0};
    });
    draw_spheres(grains_, camera_, spheres_, kept_);
    const Colouring by = o_.values.empty() ? colouring(frame_, o_.colour_by, o_.up) : given_values();
    made.colours = scale_of(by, frame_, o_.duration);
    if (o_.low) made.colours.low = *o_.low;
    if (o_.high) made.colours.high = *o_.high;
    base_.resize(p.id.size());
    for (std::size_t k = 0; k < base_.size(); ++k) {
      const double value = by.values[k];
      if (!std::isfinite(value)) base_[k] = {0.5f, 0.5f, 0.5f};
      else if (!o_.table.empty()) base_[k] = of_table(by.kinds ? value : 255 * made.colours.position(value), by.kinds);
      else
        base_[k] = displayed(by.kinds ? kind_colour(static_cast<std::int32_t>(value))
                                      : map_colour(made.colours.position(value)));
    }
    marked_ = o_.marks && p.q.size() == p.x.size();
    if (o_.chosen) {
      const auto found = std::lower_bound(p.id.begin(), p.id.end(), *o_.chosen);
      if (found != p.id.end() && *found == *o_.chosen) chosen_ = static_cast<std::int32_t>(found - p.id.begin());
    }
    in_parallel(o_.height, 8, [&](std::int64_t begin, std::int64_t end) {
      for (auto row = static_cast<int>(begin); row < end; ++row) shade_row(row);
    });
  }

  Colouring given_values() const {
    if (o_.values.size() != frame_.particles.id.size())
      throw InputError("values", fmt::format("{}", o_.values.size()), "must be one for each particle");
    Colouring by;
    by.values = o_.values;
    by.kinds = o_.kinds;
    return by;
  }

  Colour of_table(double at, bool kinds) const {
    const auto k = kinds ? static_cast<std::size_t>(std::max(at, 0.0)) % 256
                         : static_cast<std::size_t>(std::lround(std::clamp(at, 0.0, 255.0)));
    return bytes(o_.table[3 * k], o_.table[3 * k + 1], o_.table[3 * k + 2]);
  }

  // Where all samples of a pixel show one grain, one of them is enough.
  void shade_row(int row) {
    const int n = o_.samples;
    for (int column = 0; column < o_.width; ++column) {
      const int x0 = n * column, y0 = n * row;
      const std::int32_t first = grains_.index[grains_.at(x0, y0)];
      bool same = true;
      for (int k = 1; k < n * n; ++k) same = same && grains_.index[grains_.at(x0 + k % n, y0 + k / n)] == first;
      what_[pixel(column, row)] = grains_.index[grains_.at(x0 + n / 2, y0 + n / 2)];
      if (same && first < 0) continue;
      if (same) {
        const Colour c = grain_colour(first, x0 + n / 2, y0 + n / 2);
        for (int k = 0; k < n * n; ++k) colour_[grains_.at(x0 + k % n, y0 + k / n)] = c;
        continue;
      }
      for (int k = 0; k < n * n; ++k) {
        const std::size_t sample = grains_.at(x0 + k % n, y0 + k / n);
        if (const std::int32_t g = grains_.index[sample]; g >= 0)
          colour_[sample] = grain_colour(g, x0 + k % n, y0 + k / n);
      }
    }
  }

  Colour grain_colour(std::int32_t grain, int x, int y) const {
    const auto k = static_cast<std::size_t>(grain);
    const Vec3d point = camera_.at(x + 0.5, y + 0.5, grains_.depth[grains_.at(x, y)]);
    const Vec3d normal = surface_normal(spheres_[k], point, kept_), eye = camera_.towards_eye(point);
    const auto facing = static_cast<float>(std::max(0.0, dot(normal, eye)));
    const double tilt = dot(normal, kSun);
    const auto diffuse = static_cast<float>(std::max(0.0, tilt));
    const double mirror = std::max(0.0, dot(2 * tilt * normal - kSun, eye));
    const double m2 = mirror * mirror, m8 = m2 * m2 * m2 * m2;
    const auto shine = static_cast<float>(0.12 * m8 * m8 * m8);  // the 24th power
    const float light = (0.42f + 0.2f * facing + 0.5f * diffuse), rim = 0.55f + 0.45f * smoothstep(0, 0.45f, facing);
    Colour base = base_[k];
    if (marked_) base = mark_shade(frame_.particles.q[k], camera_.to_world(point) - frame_.particles.x[k]) * base;
    Colour lit{rim * (light * base.r + shine), rim * (light * base.g + shine), rim * (light * base.b + shine)};
    // a flat face is evenly lit, as a section on paper
    if (!kept_.empty() && norm2(point - spheres_[k].centre) < 0.998 * spheres_[k].radius * spheres_[k].radius)
      lit = 0.88f * base;
    const bool pale = !o_.shown.empty() && o_.shown[k] == 2;
    if (pale || o_.contacts || o_.bonds) lit = mix(lit, theme_.paper, 0.72f + 0.2f * facing);
    if (grain == chosen_) lit = facing < 0.5f ? Colour{1, 0.36f, 0.1f} : mix(lit, {1, 0.62f, 0.2f}, 0.35f);
    return lit;
  }

  // Facets are mixed in their order, as the page does; those before the grains are all but clear.
  void draw_walls() {
    const Box view = o_.view ? *o_.view : automatic_view(frame_);
    const Vec3d middle = camera_.to_camera(0.5 * (view.min + view.max));
    const double size = std::max(0.5 * diagonal(view), 1e-300);
    const Box around = neighbourhood(view);
    std::vector<Polygon> facets;
    std::vector<std::pair<std::int32_t, bool>> wall_of;  // and whether the facet is before the grains
    std::vector<Line> edges;
    const double edge_width = std::max(1.0, 0.6 * o_.samples);
    for (std::size_t w = 0; o_.walls && w < frame_.walls.size(); ++w) {
      const WallFacets shown = wall_facets(frame_.walls[w], around);
      const std::vector<bool> before = facets_before(shown, camera_, frame_, view);
      for (std::size_t k = 0; k < shown.facets.size(); ++k) {
        const WallFacet& facet = shown.facets[k];
        Polygon polygon;
        polygon.fades = shown.endless;
        for (const Vec3d& p : facet.points) polygon.points.push_back(camera_.to_camera(p));
        polygon.points = cut_polygon(std::move(polygon.points), kept_);
        if (polygon.points.size() < 3) continue;
        polygon.normal = camera_.turned(facet.normal);
        wall_of.emplace_back(static_cast<std::int32_t>(w), before[k]);
        facets.push_back(std::move(polygon));
      }
      for (const WallEdge& edge : shown.edges) {
        if (!edge.is_sharp()) continue;
        Line line{camera_.to_camera(edge.from), camera_.to_camera(edge.to), edge_width};
        if (cut_line(line, kept_)) edges.push_back(line);
      }
    }
    for (std::size_t k = 0; k + 1 < o_.lines.size(); k += 2) {
      Line line{camera_.to_camera(o_.lines[k]), camera_.to_camera(o_.lines[k + 1]), edge_width};
      if (cut_line(line, kept_)) edges.push_back(line);
    }
    std::vector<float> wall_depth(what_.size(), DepthBuffer::kFar);
    const int n = o_.samples;
    scan_polygons(width_, height_, camera_, facets, [&](std::int32_t k, int x, int y, double z) {
      const std::size_t sample = grains_.at(x, y);
      if (static_cast<float>(z) >= grains_.depth[sample]) return;
      const Polygon& facet = facets[static_cast<std::size_t>(k)];
      const Vec3d place = camera_.at(x + 0.5, y + 0.5, z);
      const auto [wall, before] = wall_of[static_cast<std::size_t>(k)];
      float alpha = before ? 0.12f * kWallOpacity : kWallOpacity;
      if (facet.fades) alpha *= 1 - smoothstep(0.55f, 1.25f, static_cast<float>(norm(place - middle) / size));
      const auto light = static_cast<float>(0.86 + 0.2 * std::abs(dot(facet.normal, kSun)));
      colour_[sample] = mix(colour_[sample], light * theme_.wall, alpha);
      if (x % n != n / 2 || y % n != n / 2 || alpha < 0.01f) return;
      // a clear facet is picked only where nothing else is
      const std::size_t p = pixel(x / n, y / n);
      const float depth = before ? 1e30f : static_cast<float>(z);
      if (depth >= wall_depth[p] || (before && what_[p] >= 0)) return;
      wall_depth[p] = depth;
      what_[p] = -2 - wall;
    });
    DepthBuffer lines(width_, height_);
    draw_lines(lines, camera_, edges);
    in_parallel(height_, 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t s = lines.at(0, static_cast<int>(begin)); s < lines.at(0, static_cast<int>(end)); ++s)
        if (lines.index[s] >= 0 && lines.depth[s] < grains_.depth[s])
          colour_[s] = mix(colour_[s], theme_.edge, kEdgeOpacity);
    });
  }

  // Rods before everything else, round by their shade.
  void draw_chains(Drawing& made) {
    const std::vector<ForceLine> all = force_lines(frame_, o_.contacts, o_.bonds);
    made.forces = force_scale(all);
    if (o_.most_force) made.forces.high = *o_.most_force;
    made.pulls = some_pull(all, made.forces);
    const Chains chains = chains_of(all, made.forces, camera_, mean_radius(frame_), kept_, o_.dark);
    DepthBuffer rods(width_, height_);
    draw_lines(rods, camera_, chains.lines);
    in_parallel(height_, 16, [&](std::int64_t begin, std::int64_t end) {
      for (int y = static_cast<int>(begin); y < end; ++y)
        for (int x = 0; x < width_; ++x) {
          const std::size_t s = rods.at(x, y);
          if (rods.index[s] < 0) continue;
          const auto k = static_cast<std::size_t>(rods.index[s]);
          const Line& rod = chains.lines[k];
          const auto p = camera_.project(rod.from), q = camera_.project(rod.to);
          const double dx = q[0] - p[0], dy = q[1] - p[1], length = std::max(std::hypot(dx, dy), 1e-9);
          const double off = ((x + 0.5 - p[0]) * dy - (y + 0.5 - p[1]) * dx) / length / (0.5 * rod.width);
          const auto shade = static_cast<float>(0.72 + 0.34 * std::sqrt(std::max(0.0, 1 - off * off)));
          colour_[s] = shade * displayed(chains.colours[k]);
        }
    });
  }

  Image resolved() const {
    Image image{o_.width, o_.height, {}};
    image.rgb.resize(what_.size() * 3);
    const int n = o_.samples;
    const float share = 255.0f / static_cast<float>(n * n);
    in_parallel(o_.height, 16, [&](std::int64_t begin, std::int64_t end) {
      for (int row = static_cast<int>(begin); row < end; ++row)
        for (int column = 0; column < o_.width; ++column) {
          Colour sum;
          for (int k = 0; k < n * n; ++k) {
            const Colour& c = colour_[grains_.at(n * column + k % n, n * row + k / n)];
            sum.r += c.r, sum.g += c.g, sum.b += c.b;
          }
          std::uint8_t* out = image.rgb.data() + 3 * pixel(column, row);
          const auto byte = [&](float v) {
            return static_cast<std::uint8_t>(std::floor(std::clamp(v * share, 0.0f, 255.0f) + 0.5f));
          };
          out[0] = byte(sum.r), out[1] = byte(sum.g), out[2] = byte(sum.b);
        }
    });
    return image;
  }

  std::size_t pixel(int x, int y) const { return std::size_t(y) * std::size_t(o_.width) + std::size_t(x); }

  const Frame& frame_;
  const DrawOptions& o_;
  const Theme& theme_;
  int width_, height_;  // samples
  Camera camera_;
  DepthBuffer grains_;
  std::vector<Colour> colour_;  // of each sample, as displayed
  std::vector<std::int32_t> what_;
  std::vector<HalfSpace> kept_;
  std::vector<Sphere> spheres_;
  std::vector<Colour> base_;
  std::int32_t chosen_ = -1;
  bool marked_ = false;
};

}  // namespace

Drawing draw(const Frame& frame, const DrawOptions& options) {
  if (options.width < 16 || options.height < 16 || options.width > 4096 || options.height > 4096)
    throw InputError("size", fmt::format("{}x{}", options.width, options.height), "must be 16 to 4096 pixels");
  if (options.samples < 1 || options.samples > 4)
    throw InputError("samples", fmt::format("{}", options.samples), "must be 1 to 4");
  if (!options.table.empty() && options.table.size() != 768)
    throw InputError("table", fmt::format("{}", options.table.size()), "must be 256 colours of three bytes");
  return Sheet(frame, options).drawing();
}

}  // namespace areia
