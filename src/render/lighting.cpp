#include "render/lighting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "render/in_parallel.h"

namespace areia::picture {

namespace {

// Points spread evenly over the unit disc: the spiral of a sunflower. Fixed, so that pictures repeat.
template <std::size_t N>
std::array<std::array<double, 2>, N> disc_points() {
  std::array<std::array<double, 2>, N> points;
  for (std::size_t k = 0; k < N; ++k) {
    const double r = std::sqrt((static_cast<double>(k) + 0.5) / N), angle = 2.399963229728653 * static_cast<double>(k);
    points[k] = {r * std::cos(angle), r * std::sin(angle)};
  }
  return points;
}
const auto kCreviceTaps = disc_points<16>();
const auto kShadowTaps = disc_points<12>();
constexpr int kShadowMap = 1600;

constexpr Colour kWhite{1, 1, 1};
constexpr Colour kWall{0.80f, 0.82f, 0.85f};
constexpr Colour kNearEdge{0.10f, 0.11f, 0.13f};
constexpr Colour kFarEdge{0.32f, 0.34f, 0.38f};

}  // namespace

void Picture::set_light(const Vec3d& world_up, const Box& view, double radius, bool with_crevices) {
  // From above, over the left shoulder of the viewer.
  const Vec3d up = unit(world_up);
  world_sun_ = unit(0.95 * up - 0.5 * camera.right - 0.45 * camera.forward);
  const auto turned = [&](const Vec3d& v) {
    return Vec3d{dot(v, camera.right), dot(v, camera.up), dot(v, camera.forward)};
  };
  sun_ = turned(world_sun_);
  sky_ = turned(up);
  view_ = view;
  radius_ = radius;
  with_crevices_ = with_crevices && radius > 0;
}

void Picture::cast_shadows(const std::vector<Vec3d>& centres, const std::vector<double>& radii,
                           const std::vector<CutPlane>& cuts) {
  if (centres.empty()) return;
  const Vec3d up = std::abs(dot(world_sun_, camera.up)) < 0.99 ? camera.up : camera.right;
  sun_camera_ = look_at(view_, corners(view_), -world_sun_, up, false, {2, 2, kShadowMap - 2, kShadowMap - 2}, 1);
  sun_depth_.emplace(kShadowMap, kShadowMap);
  std::vector<Sphere> seen(centres.size());
  for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = {sun_camera_->to_camera(centres[k]), radii[k]};
  std::vector<HalfSpace> left;
  for (const CutPlane& cut : cuts) left.push_back(in_camera(cut, *sun_camera_));
  draw_spheres(*sun_depth_, *sun_camera_, seen, left);
}

// Share of the sun that reaches a point: comparisons with the depth map of the sun over a small disc, which softens the
// border of the shadow. The bias keeps a sphere from shading itself by the coarseness of the map.
float Picture::open_sun(const Vec3d& point, const Vec3d& normal) const {
  if (!sun_depth_) return 1;
  const Vec3d c = sun_camera_->to_camera(camera.to_world(point + (0.06 * radius_) * normal));
  const auto [sx, sy] = sun_camera_->project(c);
  const double softness = std::max(1.5, 0.5 * radius_ * sun_camera_->scale);
  const auto limit = static_cast<float>(c.z - std::max(0.12 * radius_, 2.0 / sun_camera_->scale));
  int open = 0;
  for (const auto& tap : kShadowTaps) {
    const double x = sx + softness * tap[0], y = sy + softness * tap[1];
    if (x < 0 || y < 0 || x >= kShadowMap || y >= kShadowMap) ++open;
    else open += sun_depth_->depth[sun_depth_->at(static_cast<int>(x), static_cast<int>(y))] >= limit;
  }
  return static_cast<float>(open) / static_cast<float>(kShadowTaps.size());
}

// Share of the sky seen: neighbours on the picture that stand out of the tangent plane cover some of it.
float Picture::open_sky(const Vec3d& point, const Vec3d& normal, int x, int y) const {
  if (!with_crevices_) return 1;
  // In single precision and without a division for each tap: this is most of the work of a picture.
  const auto reach = static_cast<float>(1.8 * radius_);
  const double spread = std::clamp(1.8 * radius_ * camera.samples_per_length(point.z), 3.0, 90.0);
  const auto per_scale = static_cast<float>(1 / camera.scale), cx = static_cast<float>(camera.centre_x),
             cy = static_cast<float>(camera.centre_y);
  const auto px = static_cast<float>(point.x), py = static_cast<float>(point.y), pz = static_cast<float>(point.z);
  const auto nx = static_cast<float>(normal.x), ny = static_cast<float>(normal.y), nz = static_cast<float>(normal.z);
  float covered = 0;
  for (const auto& tap : kCreviceTaps) {
    const int tx = static_cast<int>(x + 0.5 + spread * tap[0]), ty = static_cast<int>(y + 0.5 + spread * tap[1]);
    if (tx < 0 || ty < 0 || tx >= grains.width || ty >= grains.height) continue;
    const std::size_t sample = grains.at(tx, ty);
    const float depth = std::min(grains.depth[sample], walls.depth[sample]);
    if (depth == DepthBuffer::kFar) continue;
    const float along = camera.perspective ? depth * per_scale : per_scale;
    const float vx = (static_cast<float>(tx) + 0.5f - cx) * along - px;
    const float vy = (cy - static_cast<float>(ty) - 0.5f) * along - py, vz = depth - pz;
    const float over = vx * nx + vy * ny + vz * nz;
    if (over <= 0) continue;
    const float distance = std::sqrt(vx * vx + vy * vy + vz * vz) + 1e-30f;
    const float height = over / distance - 0.08f;
    if (height <= 0) continue;
    const float fade = distance > reach ? reach / distance : 1;  // things far before the point do not cover it
    covered += height * fade * fade;
  }
  return std::max(0.0f, 1 - 1.5f * covered / static_cast<float>(kCreviceTaps.size()));
}

Picture::Received Picture::received(const Vec3d& point, const Vec3d& normal, int x, int y) const {
  return {open_sky(point, normal, x, y), dot(normal, sun_) > 0 ? open_sun(point, normal) : 0.0f};
}

Colour Picture::grain_colour(std::size_t k, const Vec3d& point, const Received& light) const {
  const Vec3d normal = surface_normal(spheres[k], point, kept);
  const Vec3d to_eye = camera.towards_eye(point);
  const double sun = std::max(0.0, dot(normal, sun_)), eye = std::max(0.0, dot(normal, to_eye));
  const double sky = 0.5 + 0.5 * dot(normal, sky_);
  const auto brightness = static_cast<float>(0.72 * sun * light.sun + (0.16 + 0.22 * sky + 0.20 * eye) * light.sky);
  const Vec3d half = unit(sun_ + to_eye);
  const double glint = std::max(0.0, dot(normal, half)), g2 = glint * glint, g4 = g2 * g2, g8 = g4 * g4;
  const double shine = g8 * g8 * g8 * g8 * g8 * 0.10 * light.sun;  // the 40th power
  Colour base = pale_grains ? Colour{0.75f, 0.75f, 0.75f} : colours[k];
  if (turns) base = mark_shade((*turns)[k], camera.to_world(point) - camera.to_world(spheres[k].centre)) * base;
  const Colour lit = brightness * base;
  const auto s = static_cast<float>(shine);
  return {lit.r + s, lit.g + s, lit.b + s};
}

Colour Picture::wall_colour(const Vec3d& normal, const Received& light) const {
  const double tilt = dot(normal, sun_), facing = std::clamp(3 * tilt, 0.0, 1.0);
  return static_cast<float>((0.72 + 0.18 * light.sun * facing) * (0.4 + 0.6 * light.sky) + 0.07 * (1 + tilt)) * kWall;
}

// How much of an endless wall is still seen at a point: all inside the view, nothing at the border of its
// neighbourhood.
float Picture::presence(const Vec3d& point) const {
  const Vec3d p = camera.to_world(point);
  const auto beyond = [](double x, double low, double high) { return std::max({0.0, low - x, x - high}); };
  const Vec3d out{beyond(p.x, view_.min.x, view_.max.x), beyond(p.y, view_.min.y, view_.max.y),
                  beyond(p.z, view_.min.z, view_.max.z)};
  const double t = std::clamp(1 - norm(out) / (0.29 * diagonal(view_)), 0.0, 1.0);
  return static_cast<float>(t * t * (3 - 2 * t));
}

float mark_shade(const Quat& q, const Vec3d& normal) {
  // into the grain's own axes: v + 2 u x (u x v - w v), the inverse of the turn
  const Vec3d u{q[1], q[2], q[3]};
  const Vec3d own = normal + 2.0 * cross(u, cross(u, normal) - q[0] * normal);
  return own.x * own.y * own.z > 0 ? 0.45f : 1.0f;
}

// Chains as round rods: darker towards their sides.
Colour Picture::chain_sample(std::size_t k, double x, double y) const {
  const auto p = camera.project(chain_lines[k].from), q = camera.project(chain_lines[k].to);
  const double dx = q[0] - p[0], dy = q[1] - p[1], length = std::max(std::hypot(dx, dy), 1e-9);
  const double off = ((x - p[0]) * dy - (y - p[1]) * dx) / length / (0.5 * chain_lines[k].width);
  return static_cast<float>(1 - 0.55 * std::min(1.0, off * off)) * chain_colours[k];
}

void Picture::shade(Image& image, int supersampling) const {
  image.rgb.assign(std::size_t(image.width) * std::size_t(image.height) * 3, 255);
  const float share = 1.0f / static_cast<float>(supersampling * supersampling);
  const auto shade_row = [&](int row) {
    for (int column = 0; column < image.width; ++column) {
      std::array<float, 3> sum{};
      // Light received changes little within a pixel: it is found once per grain and per wall there.
      std::int32_t last_grain = -1, last_wall = -1;
      Received grain_light, wall_light;
      for (int k = 0; k < supersampling * supersampling; ++k) {
        const int x = supersampling * column + k % supersampling, y = supersampling * row + k / supersampling;
        const std::size_t sample = grains.at(x, y);
        const std::int32_t grain = grains.index[sample], wall = walls.index[sample];
        const float grain_depth = grains.depth[sample], wall_depth = walls.depth[sample];
        Colour colour = kWhite;
        Colour surface = kWhite;
        if (wall >= 0) {
          const Vec3d& normal = surfaces[static_cast<std::size_t>(wall)].normal;
          if (wall != last_wall) wall_light = received(camera.at(x + 0.5, y + 0.5, wall_depth), normal, x, y);
          last_wall = wall;
          surface = wall_colour(normal, wall_light);
          if (surfaces[static_cast<std::size_t>(wall)].fades)
            surface = mix(kWhite, surface, presence(camera.at(x + 0.5, y + 0.5, wall_depth)));
          colour = surface;
        }
        if (grain >= 0) {
          const auto g = static_cast<std::size_t>(grain);
          const Vec3d point = camera.at(x + 0.5, y + 0.5, grain_depth);
          if (grain != last_grain) grain_light = received(point, surface_normal(spheres[g], point, kept), x, y);
          last_grain = grain;
          Colour lit = grain_colour(g, point, grain_light);
          if (pale_grains) lit = mix(kWhite, lit, 0.35f);
          const bool behind_wall = wall_depth < grain_depth - 0.5 * radius_;
          colour = behind_wall ? mix(lit, surface, 0.35f) : lit;
        }
        const std::int32_t edge = edges.index[sample];
        if (edge >= 0 && edges.depth[sample] < grain_depth) {
          const bool near = near_edge[static_cast<std::size_t>(edge)];
          colour = mix(colour, near ? kNearEdge : kFarEdge, near ? 0.8f : 0.7f);
        }
        const std::int32_t chain = chains ? chains->index[sample] : -1;
        if (chain >= 0) colour = chain_sample(static_cast<std::size_t>(chain), x + 0.5, y + 0.5);
        sum[0] += display_value(colour.r);
        sum[1] += display_value(colour.g);
        sum[2] += display_value(colour.b);
      }
      std::uint8_t* pixel = image.rgb.data() + (std::size_t(row) * std::size_t(image.width) + std::size_t(column)) * 3;
      for (std::size_t c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(std::lround(sum[c] * share));
    }
  };
  in_parallel(image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<int>(begin); row < end; ++row) shade_row(row);
  });
}

}  // namespace areia::picture
