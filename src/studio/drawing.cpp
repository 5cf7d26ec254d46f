#include "studio/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "areia/error.h"
#include "io/frames/contact_lines.h"
#include "render/in_parallel.h"
#include "render/raster.h"
#include "render/wall_shapes.h"
#include "studio/frame_message.h"
#include "studio/message.h"

namespace areia::studio {

using nlohmann::json;
using picture::Camera;
using picture::DepthBuffer;

namespace {

constexpr int kLargest = 4096;            // pixels along a side
constexpr std::int64_t kMost = 12 << 20;  // samples of a picture
constexpr std::size_t kMostCuts = 6;

// --- what the page says ----------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const char* key, const std::string& rule) { throw InputError("look", key, rule); }

double number_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || !found->is_number() || !std::isfinite(found->get<double>())) refuse(key, "must be a number");
  return found->get<double>();
}

int integer_of(const json& look, const char* key, int low, int high) {
  const double value = number_of(look, key);
  if (!(value >= low && value <= high) || value != std::floor(value))
    refuse(key, fmt::format("must be a whole number from {} to {}", low, high));
  return static_cast<int>(value);
}

template <std::size_t N>
std::array<double, N> numbers_of(const json& value, const char* key) {
  std::array<double, N> numbers;
  if (!value.is_array() || value.size() != N) refuse(key, fmt::format("must be {} numbers", N));
  for (std::size_t k = 0; k < N; ++k) {
    if (!value[k].is_number() || !std::isfinite(value[k].get<double>()))
      refuse(key, fmt::format("must be {} numbers", N));
    numbers[k] = value[k].get<double>();
  }
  return numbers;
}

Vec3d vector_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end()) refuse(key, "is missing");
  const std::array<double, 3> v = numbers_of<3>(*found, key);
  return {v[0], v[1], v[2]};
}

bool is_set(const json& look, const char* key) {
  const auto found = look.find(key);
  return found != look.end() && found->is_boolean() && found->get<bool>();
}

std::string text_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || !found->is_string()) refuse(key, "must be a text");
  return found->get<std::string>();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// "rrggbbrrggbb...".
std::vector<ScreenColour> colours_of(const json& look, const char* key, std::size_t count) {
  const std::string text = text_of(look, key);
  if (text.size() != 6 * count || std::any_of(text.begin(), text.end(), [](char c) { return hex_digit(c) < 0; }))
    refuse(key, fmt::format("must be {} colours of six hexadecimal digits", count));
  const auto part = [&](std::size_t at) {
    return static_cast<float>(16 * hex_digit(text[at]) + hex_digit(text[at + 1])) / 255;
  };
  std::vector<ScreenColour> colours(count);
  for (std::size_t k = 0; k < count; ++k) colours[k] = {part(6 * k), part(6 * k + 2), part(6 * k + 4)};
  return colours;
}

ColourTable table_of(const json& look, const char* key) {
  ColourTable table;
  const std::vector<ScreenColour> colours = colours_of(look, key, table.size());
  std::copy(colours.begin(), colours.end(), table.begin());
  return table;
}

std::optional<std::set<std::string>> names_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || found->is_null()) return {};
  if (!found->is_array()) refuse(key, "must be names");
  std::set<std::string> names;
  for (const json& name : *found) {
    if (!name.is_string()) refuse(key, "must be names");
    names.insert(name.get<std::string>());
  }
  return names;
}

// --- what is drawn ---------------------------------------------------------------------------------------------------

float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}
ScreenColour mix(const ScreenColour& a, const ScreenColour& b, float t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}
ScreenColour scaled(const ScreenColour& c, float s, float more = 0) {
  return {s * c.r + more, s * c.g + more, s * c.b + more};
}

// What of a polygon, or of a line, lies in a half space of camera coordinates.
std::vector<Vec3d> kept_of(const std::vector<Vec3d>& points, const picture::HalfSpace& space, bool closed) {
  std::vector<Vec3d> kept;
  const auto room = [&](const Vec3d& p) { return space.offset - dot(space.normal, p); };
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3d& p = points[k];
    const double here = room(p);
    if (here >= 0) kept.push_back(p);
    if (k + 1 == points.size() && !closed) break;
    const Vec3d& q = points[(k + 1) % points.size()];
    const double there = room(q);
    if ((here >= 0) != (there >= 0)) kept.push_back(p + (here / (here - there)) * (q - p));
  }
  return kept;
}

class Scene {
 public:
  Scene(const Frame& frame, const Drawing& drawing)
      : frame_(frame), drawing_(drawing), camera_(camera_of(drawing)), view_(automatic_view(frame)),
        width_(drawing.width * drawing.samples), height_(drawing.height * drawing.samples), grains_(width_, height_) {
    for (const CutSpace& cut : drawing.cuts)
      kept_.push_back({turned(cut.normal), cut.distance - dot(cut.normal, camera_.eye)});
    middle_ = camera_.to_camera(0.5 * (view_.min + view_.max));
    size_ = std::max(0.5 * picture::diagonal(view_), 1e-30);
    add_grains();
    if (drawing.walls) add_walls();
    if (drawing.chains) add_chains();
  }

  Image image() const;

 private:
  struct Facet {
    bool fades = false;
    float shade = 1;
  };

  static Camera camera_of(const Drawing& d) {
    Camera camera;
    camera.eye = d.eye;
    camera.right = d.right;
    camera.up = d.up;
    camera.forward = cross(d.up, d.right);
    camera.scale = 0.5 * d.height * d.samples / d.tangent;
    camera.centre_x = 0.5 * d.width * d.samples;
    camera.centre_y = 0.5 * d.height * d.samples;
    return camera;
  }
  Vec3d turned(const Vec3d& v) const {
    return {dot(v, camera_.right), dot(v, camera_.up), dot(v, camera_.forward)};
  }

  void add_grains();
  void add_walls();
  void add_chains();
  std::vector<float> presence() const;  // of each grain: 1 shown, 0 pale, -1 not at all
  ScreenColour grain_colour(std::size_t k, const Vec3d& point) const;
  ScreenColour sample(int x, int y) const;

  const Frame& frame_;
  const Drawing& drawing_;
  Camera camera_;
  Box view_;
  int width_, height_;
  Vec3d middle_;  // of the view, camera coordinates
  double size_;   // half its diagonal
  std::vector<picture::HalfSpace> kept_;

  DepthBuffer grains_;
  std::vector<picture::Sphere> spheres_;
  std::vector<ScreenColour> colours_;
  std::vector<char> pale_;
  std::int32_t chosen_ = -1;
  // Walls behind and before the grains, edges, and chains; not there where nothing of the kind is shown.
  std::optional<DepthBuffer> walls_[2], edges_, chains_;
  std::vector<Facet> facets_[2];
  std::vector<picture::Line> chain_lines_;
  std::vector<ScreenColour> chain_colours_;
};

std::vector<float> Scene::presence() const {
  const FrameParticles& p = frame_.particles;
  const Selection& only = drawing_.only;
  std::vector<float> shown(p.x.size(), 1);
  const float otherwise = only.fades ? 0 : -1;
  const auto choose = [&](const std::optional<std::set<std::string>>& wanted, const std::vector<std::int32_t>& kinds,
                          const std::vector<std::string>& names) {
    if (!wanted || kinds.size() != shown.size()) return;
    std::vector<bool> in;
    for (const std::string& name : names) in.push_back(wanted->contains(name));
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const auto kind = static_cast<std::size_t>(kinds[k]);
      if (kind >= in.size() || !in[kind]) shown[k] = otherwise;
    }
  };
  choose(only.groups, p.group, frame_.groups);
  choose(only.materials, p.material, frame_.materials);
  if (only.box)
    for (std::size_t k = 0; k < shown.size(); ++k)
      if (!picture::inside(*only.box, p.x[k])) shown[k] = otherwise;
  return shown;
}

void Scene::add_grains() {
  const FrameParticles& p = frame_.particles;
  const std::optional<std::vector<float>> values = particle_values(frame_, drawing_.colour, drawing_.world_up);
  if (!values)
    throw InputError("look.colour", drawing_.colour, "the frame has no such array; output.arrays of its case left it out");
  const std::vector<float> shown = presence();
  const auto count = p.x.size();
  spheres_.resize(count);
  colours_.resize(count);
  pale_.assign(count, 0);
  const double span = drawing_.high > drawing_.low ? drawing_.high - drawing_.low : 1;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d c = camera_.to_camera(p.x[k]);
    // hidden, or before the near plane: behind the eye nothing is drawn
    const bool there = shown[k] >= 0 && c.z - p.radius[k] > drawing_.nearest;
    spheres_[k] = {there ? c : Vec3d{0, 0, -1}, p.radius[k]};
    pale_[k] = shown[k] == 0;
    const double v = (*values)[k];
    if (!std::isfinite(v)) colours_[k] = {0.5f, 0.5f, 0.5f};
    else if (drawing_.kinds) colours_[k] = drawing_.colours[static_cast<std::size_t>(std::max(v, 0.0)) % 256];
    else
      colours_[k] = drawing_.colours[static_cast<std::size_t>(
          std::lround(255 * std::clamp((v - drawing_.low) / span, 0.0, 1.0)))];
  }
  if (drawing_.chosen) {
    const auto found = std::lower_bound(p.id.begin(), p.id.end(), *drawing_.chosen);
    if (found != p.id.end() && *found == *drawing_.chosen) chosen_ = static_cast<std::int32_t>(found - p.id.begin());
  }
  draw_spheres(grains_, camera_, spheres_, kept_);
}

void Scene::add_walls() {
  const Box box = wall_box(frame_);
  std::vector<picture::HalfSpace> kept = kept_;
  kept.push_back({{0, 0, -1}, -std::max(drawing_.nearest, 1e-6 * size_)});
  const Vec3d light = unit(Vec3d{-0.45, 0.75, -0.55});
  std::vector<picture::Polygon> polygons[2];
  std::vector<picture::Line> edges;
  for (const FrameWall& wall : frame_.walls) {
    const picture::WallFacets shown = picture::wall_facets(wall, box);
    for (const picture::WallFacet& facet : shown.facets) {
      picture::Polygon polygon;
      polygon.fades = shown.endless;
      for (const Vec3d& point : facet.points) polygon.points.push_back(camera_.to_camera(point));
      const Vec3d first = polygon.points[0];
      for (const picture::HalfSpace& space : kept) polygon.points = kept_of(polygon.points, space, true);
      if (polygon.points.size() < 3) continue;
      polygon.normal = turned(facet.normal);
      if (dot(polygon.normal, first) > 0) polygon.normal = -polygon.normal;
      if (std::abs(dot(polygon.normal, unit(first))) < 1e-4) continue;  // edge on
      const std::size_t before = dot(polygon.normal, middle_ - first) < -1e-4 * size_ ? 1 : 0;
      facets_[before].push_back(
          {polygon.fades, static_cast<float>(0.86 + 0.2 * std::abs(dot(polygon.normal, light)))});
      polygons[before].push_back(std::move(polygon));
    }
    for (const picture::WallEdge& edge : shown.edges) {
      if (!edge.is_sharp()) continue;
      std::vector<Vec3d> line{camera_.to_camera(edge.from), camera_.to_camera(edge.to)};
      for (const picture::HalfSpace& space : kept) line = kept_of(line, space, false);
      if (line.size() == 2) edges.push_back({line[0], line[1], 1.2 * drawing_.samples});
    }
  }
  for (const std::size_t before : {0, 1})
    if (!polygons[before].empty()) draw_polygons(walls_[before].emplace(width_, height_), camera_, polygons[before]);
  if (!edges.empty()) draw_lines(edges_.emplace(width_, height_), camera_, edges);
}

void Scene::add_chains() {
  const double high = chain_scale(frame_).high;
  double radius = 0;
  for (const double r : frame_.particles.radius) radius += r;
  radius /= static_cast<double>(std::max<std::size_t>(1, frame_.particles.radius.size()));
  std::vector<picture::HalfSpace> kept = kept_;
  kept.push_back({{0, 0, -1}, -std::max(drawing_.nearest, 1e-6 * size_)});
  const auto add = [&](const Vec3d& from, const Vec3d& to, double force, double least) {
    const double strength = std::clamp(std::abs(force) / (high > 0 ? high : 1), 0.0, 1.0);
    const double shown = std::max(strength, least);
    if (!(shown >= 0.04)) return;
    std::vector<Vec3d> line{camera_.to_camera(from), camera_.to_camera(to)};
    for (const picture::HalfSpace& space : kept) line = kept_of(line, space, false);
    if (line.size() != 2) return;
    const double width = radius * std::pow(shown, 0.7) * camera_.samples_per_length(0.5 * (line[0].z + line[1].z));
    chain_lines_.push_back({line[0], line[1], std::max(width, 1.0)});
    chain_colours_.push_back(drawing_.chain_colours[static_cast<std::size_t>(std::lround(255 * strength))]);
  };
  for (const FrameContact& contact : frame_.contacts) {
    const auto [from, to] = contact_line(frame_, contact);
    add(from, to, contact.normal, 0);
  }
  for (const FrameBond& bond : frame_.bonds) {
    const auto line = bond_line(frame_, bond);
    add(line[0], line[3], norm(bond.force), 0.1);
  }
  draw_lines(chains_.emplace(width_, height_), camera_, chain_lines_);
}

// The fragment shader of spheres.
ScreenColour Scene::grain_colour(std::size_t k, const Vec3d& point) const {
  static const Vec3d light = unit(Vec3d{-0.45, 0.75, -0.55});
  const Vec3d ray = unit(point);
  const Vec3d normal = kept_.empty() ? (1 / spheres_[k].radius) * (point - spheres_[k].centre)
                                     : surface_normal(spheres_[k], point, kept_);
  const auto facing = static_cast<float>(-dot(normal, ray));
  const double lit = dot(normal, light);
  // reflect(-light, normal) = 2 (light . normal) normal - light
  const double mirrored = std::max(0.0, -dot(2 * lit * normal - light, ray));
  const double eighth = std::pow(mirrored * mirrored, 4);
  const auto shine = static_cast<float>(eighth * eighth * eighth);
  ScreenColour c = scaled(colours_[k], 0.42f + 0.2f * facing + 0.5f * static_cast<float>(std::max(0.0, lit)), 0.12f * shine);
  c = scaled(c, 0.55f + 0.45f * smoothstep(0, 0.45f, facing));
  if (drawing_.chains || pale_[k]) c = mix(c, drawing_.paper, 0.72f + 0.2f * facing);
  if (static_cast<std::int32_t>(k) == chosen_)
    c = facing < 0.5f ? ScreenColour{1, 0.36f, 0.1f} : mix(c, {1, 0.62f, 0.2f}, 0.35f);
  return c;
}

ScreenColour Scene::sample(int x, int y) const {
  const std::size_t at = grains_.at(x, y);
  const std::int32_t grain = grains_.index[at];
  const float depth = grains_.depth[at];
  ScreenColour colour = drawing_.paper;
  if (grain >= 0) colour = grain_colour(static_cast<std::size_t>(grain), camera_.at(x + 0.5, y + 0.5, depth));
  for (const std::size_t before : {0, 1}) {
    if (!walls_[before]) continue;
    const std::int32_t wall = walls_[before]->index[at];
    if (wall < 0 || walls_[before]->depth[at] > depth) continue;
    const Facet& facet = facets_[before][static_cast<std::size_t>(wall)];
    float alpha = before == 1 ? 0.06f : 0.5f;
    if (facet.fades) {
      const Vec3d place = camera_.at(x + 0.5, y + 0.5, walls_[before]->depth[at]);
      alpha *= 1 - smoothstep(0.55f, 1.25f, static_cast<float>(norm(place - middle_) / size_));
    }
    colour = mix(colour, scaled(drawing_.wall, facet.shade), alpha);
  }
  if (edges_ && edges_->index[at] >= 0 && edges_->depth[at] < depth) colour = mix(colour, drawing_.edge, 0.7f);
  if (chains_ && chains_->index[at] >= 0) {
    // a round rod: darker towards its sides
    const auto k = static_cast<std::size_t>(chains_->index[at]);
    const picture::Line& line = chain_lines_[k];
    const auto p = camera_.project(line.from), q = camera_.project(line.to);
    const double dx = q[0] - p[0], dy = q[1] - p[1], length = std::max(std::hypot(dx, dy), 1e-9);
    const double off = ((x + 0.5 - p[0]) * dy - (y + 0.5 - p[1]) * dx) / length / (0.5 * line.width);
    colour = scaled(chain_colours_[k], static_cast<float>(0.72 + 0.34 * std::sqrt(std::max(0.0, 1 - off * off))));
  }
  return colour;
}

Image Scene::image() const {
  const int n = drawing_.samples;
  Image image{drawing_.width, drawing_.height, {}};
  image.rgb.resize(std::size_t(image.width) * std::size_t(image.height) * 3);
  in_parallel(image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
      for (int column = 0; column < image.width; ++column) {
        ScreenColour sum;
        for (int k = 0; k < n * n; ++k) {
          const ScreenColour c = sample(n * column + k % n, n * row + k / n);
          const auto shown = [](float v) { return std::clamp(v, 0.0f, 1.0f); };
          sum = {sum.r + shown(c.r), sum.g + shown(c.g), sum.b + shown(c.b)};
        }
        std::uint8_t* pixel =
            image.rgb.data() + 3 * (std::size_t(row) * std::size_t(image.width) + std::size_t(column));
        const float share = 255.0f / static_cast<float>(n * n);
        const float parts[3] = {sum.r, sum.g, sum.b};
        for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(std::lround(share * parts[c]));
      }
  });
  return image;
}

}  // namespace

Needs Drawing::needs() const {
  Needs needs;
  needs.arrays.insert(array_behind(colour));
  needs.lines = chains;
  return needs;
}

Drawing read_drawing(const std::string& text) {
  const json look = json::parse(text, nullptr, false);
  if (!look.is_object()) throw InputError("look", "", "must be an object of JSON");
  Drawing d;
  d.width = integer_of(look, "width", 16, kLargest);
  d.height = integer_of(look, "height", 16, kLargest);
  d.samples = integer_of(look, "samples", 1, 3);
  if (std::int64_t{d.width} * d.height * d.samples * d.samples > kMost)
    refuse("width", fmt::format("a picture has at most {} samples", kMost));
  d.eye = vector_of(look, "eye");
  d.right = vector_of(look, "right");
  d.up = vector_of(look, "up");
  if (std::abs(norm(d.right) - 1) > 1e-3 || std::abs(norm(d.up) - 1) > 1e-3 || std::abs(dot(d.right, d.up)) > 1e-3)
    refuse("right", "right and up must be unit vectors across each other");
  d.world_up = vector_of(look, "height_along");
  d.tangent = number_of(look, "tangent");
  d.nearest = number_of(look, "nearest");
  if (!(d.tangent > 1e-3 && d.tangent < 1e3)) refuse("tangent", "must be in (0.001, 1000)");
  if (!(d.nearest >= 0)) refuse("nearest", "must not be negative");
  d.colour = text_of(look, "colour");
  d.low = number_of(look, "low");
  d.high = number_of(look, "high");
  d.kinds = is_set(look, "kinds");
  d.colours = table_of(look, "colours");
  d.chain_colours = table_of(look, "chain_colours");
  d.paper = colours_of(look, "paper", 1)[0];
  d.wall = colours_of(look, "wall", 1)[0];
  d.edge = colours_of(look, "edge", 1)[0];
  d.walls = is_set(look, "walls");
  d.chains = is_set(look, "chains");
  if (const auto cuts = look.find("cuts"); cuts != look.end()) {
    if (!cuts->is_array() || cuts->size() > kMostCuts) refuse("cuts", fmt::format("must be at most {} planes", kMostCuts));
    for (const json& cut : *cuts) {
      const std::array<double, 4> n = numbers_of<4>(cut, "cuts");
      d.cuts.push_back({{n[0], n[1], n[2]}, n[3]});
    }
  }
  d.only.groups = names_of(look, "groups");
  d.only.materials = names_of(look, "materials");
  if (const auto box = look.find("box"); box != look.end() && !box->is_null()) {
    const std::array<double, 6> b = numbers_of<6>(*box, "box");
    d.only.box = Box{{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
  }
  d.only.fades = is_set(look, "fades");
  if (const auto chosen = look.find("chosen"); chosen != look.end() && chosen->is_number_integer())
    d.chosen = chosen->get<std::int64_t>();
  return d;
}

Image draw(const Frame& frame, const Drawing& drawing) { return Scene(frame, drawing).image(); }

std::string pixels_message(const Image& image, double milliseconds) {
  std::vector<std::uint32_t> pixels(std::size_t(image.width) * std::size_t(image.height));
  for (std::size_t k = 0; k < pixels.size(); ++k)
    pixels[k] = 0xff000000u | std::uint32_t{image.rgb[3 * k + 2]} << 16 | std::uint32_t{image.rgb[3 * k + 1]} << 8 |
                image.rgb[3 * k];
  Message message;
  message.head = {{"width", image.width}, {"height", image.height}, {"took", milliseconds}, {"arrays", json::object()}};
  message.add("pixel", 1, pixels);
  return message.bytes();
}

}  // namespace areia::studio
