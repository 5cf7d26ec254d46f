#include "studio/frame_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "areia/error.h"
#include "render/chains.h"
#include "render/render.h"
#include "render/wall_shapes.h"

namespace areia::studio {

namespace {

using nlohmann::json;

json as_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

// Points relative to the origin, in single precision.
class Points {
 public:
  explicit Points(const Vec3d& origin) : origin_(origin) {}
  void add(const Vec3d& p) {
    const Vec3d d = p - origin_;
    numbers.insert(numbers.end(), {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
  std::vector<float> numbers;

 private:
  Vec3d origin_;
};

// FNV-1a over the bytes of numbers, eight at a time: tells whether two parts are the same.
class Key {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    const char* bytes = reinterpret_cast<const char*>(values.data());
    const std::size_t size = values.size() * sizeof(T);
    for (std::size_t at = 0; at < size; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min<std::size_t>(8, size - at));
      add(word);
    }
  }
  void add(std::uint64_t word) { hash_ = (hash_ ^ word ^ word >> 29) * 0x100000001b3ull; }
  std::string text(char kind) const { return fmt::format("{}{:016x}", kind, hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

std::string key_of_grains(const FrameParticles& p) {
  Key key;
  key.add(p.id);
  key.add(p.radius);
  key.add(p.material);
  key.add(p.group);
  return key.text('g');
}

std::string key_of_shapes(const Frame& frame, const Box& box) {
  Key key;
  key.add(std::vector<Vec3d>{box.min, box.max});
  for (const FrameWall& wall : frame.walls) {
    key.add(wall.vertices);
    key.add(wall.polygons.size());
    for (const std::vector<std::int32_t>& polygon : wall.polygons) key.add(polygon);
  }
  return key.text('w');
}

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

void add_grains(Message& message, const FrameParticles& p) {
  // ids are no floats: from 2^24 on those have gaps
  message.add("id", 1, std::vector<double>(p.id.begin(), p.id.end()));
  message.add("radius", 1, std::vector<float>(p.radius.begin(), p.radius.end()));
  message.add("material", 1, std::vector<float>(p.material.begin(), p.material.end()));
  message.add("group", 1, std::vector<float>(p.group.begin(), p.group.end()));
}

const std::set<std::string> kOfGrains{"id", "radius", "material", "group"};

void add_arrays(Message& message, const KeptFrame& kept, const FrameRequest& request) {
  const FrameParticles& p = kept.frame.particles;
  const std::set<std::string>& wanted = request.arrays;
  json& there = message.head["particle_arrays"] = json::array();
  for (const ParticleColumn& column : kept.arrays)
    there.push_back({{"name", column.name}, {"components", column.components}});
  for (const ParticleColumn& column : particle_columns(p)) {
    if (kOfGrains.contains(column.name) || !wanted.contains(column.name)) continue;
    std::vector<float> numbers;
    numbers.reserve(p.id.size() * static_cast<std::size_t>(column.components));
    for (std::size_t k = 0; k < p.id.size(); ++k)
      for (int c = 0; c < column.components; ++c) numbers.push_back(static_cast<float>(column.value(k, c)));
    message.add(column.name, column.components, numbers);
  }
  for (const std::string& name : wanted)
    if (name != array_behind(name))
      if (const auto by = colours_of(kept.frame, name, request.up)) message.add(name, 1, as_floats(by->values));
  if (request.colour.empty() || wanted.contains(request.colour)) return;
  const auto by = colours_of(kept.frame, request.colour, request.up);
  if (!by) return;
  const ColourScale scale = picture::scale_of(*by, kept.frame, request.duration);
  message.head["range"] = {
      {"low", scale.low}, {"high", scale.high}, {"beyond", scale.beyond}, {"at_rest", scale.at_rest}};
  if (!kOfGrains.contains(request.colour)) message.add(request.colour, 1, as_floats(by->values));
}

void add_wall_numbers(Message& message, const Frame& frame, const Box& box) {
  json& walls = message.head["walls"] = json::array();
  for (const FrameWall& wall : frame.walls) {
    const auto outside = [&](const Vec3d& v) { return !picture::inside(box, v); };
    walls.push_back({{"name", wall.name},
                     {"force", as_json(wall.force)},
                     {"torque", as_json(wall.torque)},
                     {"origin", as_json(wall.origin)},
                     {"velocity", as_json(wall.velocity)},
                     {"endless", std::any_of(wall.vertices.begin(), wall.vertices.end(), outside)}});
  }
}

void add_shapes(Message& message, const Frame& frame, const Box& box) {
  const Vec3d origin = 0.5 * (box.min + box.max);
  message.head["shapes_origin"] = as_json(origin);
  Points corners(origin), edges(origin);
  std::vector<float> normals;
  std::vector<std::uint32_t> wall_of_corner;
  json& bends = message.head["bends"] = json::array();  // of each wall: see picture::facets_before
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const picture::WallFacets shown = picture::wall_facets(frame.walls[w], box);
    bends.push_back(shown.bends_round);
    for (const picture::WallFacet& facet : shown.facets)
      for (std::size_t k = 2; k < facet.points.size(); ++k)
        for (const std::size_t corner : {std::size_t{0}, k - 1, k}) {
          corners.add(facet.points[corner]);
          wall_of_corner.push_back(static_cast<std::uint32_t>(w));
          for (int a = 0; a < 3; ++a) normals.push_back(static_cast<float>(component(facet.normal, a)));
        }
    for (const picture::WallEdge& edge : shown.edges)
      if (edge.is_sharp()) {
        edges.add(edge.from);
        edges.add(edge.to);
      }
  }
  message.add("wall_corner", 3, corners.numbers);
  message.add("wall_normal", 3, normals);
  message.add("wall_of_corner", 1, wall_of_corner);
  message.add("wall_edge", 3, edges.numbers);
}

// A push is positive, a pull negative; bonds come after the contacts.
void add_lines(Message& message, const Frame& frame, const Vec3d& origin, FrameRequest::Lines wanted) {
  const std::vector<picture::ForceLine> lines = picture::force_lines(frame, true, true);
  const ColourScale scale = picture::force_scale(lines);
  message.head["chains"] = {{"count", lines.size()},
                            {"bonds", frame.bonds.size()},
                            {"high", scale.high},
                            {"beyond", scale.beyond},
                            {"pulls", picture::some_pull(lines, scale)}};
  if (wanted != FrameRequest::Lines::all) return;
  Points ends(origin);
  ends.numbers.reserve(6 * lines.size());
  std::vector<float> force;
  force.reserve(lines.size());
  for (const picture::ForceLine& line : lines) {
    ends.add(line.from);
    ends.add(line.to);
    force.push_back(static_cast<float>(line.force));
  }
  message.add("line", 3, ends.numbers);
  message.add("line_force", 1, force);
}

}  // namespace

Needs FrameRequest::needs() const {
  Needs needs;
  for (const std::string& name : arrays) needs.arrays.insert(array_behind(name));
  if (!colour.empty()) needs.arrays.insert(array_behind(colour));
  needs.lines = lines != Lines::none;
  return needs;
}

std::string array_behind(const std::string& name) { return name.substr(0, name.find('.')); }

Box wall_box(const Frame& frame) {
  Box box = picture::neighbourhood(automatic_view(frame));
  const double step = std::exp2(std::ceil(std::log2(picture::diagonal(box) / 8)));
  for (int a = 0; a < 3; ++a) {
    component(box.min, a) = step * std::floor(component(box.min, a) / step);
    component(box.max, a) = step * std::ceil(component(box.max, a) / step);
  }
  return box;
}

Message frame_as_message(const KeptFrame& kept, const FrameRequest& request) {
  const Frame& frame = kept.frame;
  const Box view = automatic_view(frame), walls = wall_box(frame);
  const Box focus = focus_box(frame);
  const Vec3d origin = 0.5 * (view.min + view.max);
  const std::string grains = key_of_grains(frame.particles), shapes = key_of_shapes(frame, walls);
  Message message;
  message.head = {{"time", frame.time},
                  {"step", frame.step},
                  {"stage", frame.stage},
                  {"title", frame.title},
                  {"origin", as_json(origin)},
                  {"count", frame.particles.id.size()},
                  {"grains", grains},
                  {"shapes", shapes},
                  {"materials", frame.materials},
                  {"groups", frame.groups},
                  {"view", {as_json(view.min), as_json(view.max)}},
                  {"focus", {as_json(focus.min), as_json(focus.max)}},
                  {"bond_sets", frame.bond_sets},
                  {"arrays", json::object()}};
  Points positions(origin);
  positions.numbers.reserve(3 * frame.particles.x.size());
  for (const Vec3d& x : frame.particles.x) positions.add(x);
  message.add("position", 3, positions.numbers);
  add_arrays(message, kept, request);
  add_wall_numbers(message, frame, walls);
  if (request.lines != FrameRequest::Lines::none) add_lines(message, frame, origin, request.lines);
  if (!request.have.contains(grains)) add_grains(message, frame.particles);
  if (!request.have.contains(shapes)) add_shapes(message, frame, walls);
  return message;
}

std::optional<picture::Colouring> colours_of(const Frame& frame, const std::string& name, const Vec3d& up) {
  try {
    return picture::colouring(frame, name, up);
  } catch (const InputError&) { return {}; }
}

json particle_numbers(const Frame& frame, std::int64_t id) {
  const FrameParticles& p = frame.particles;
  const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
  if (found == p.id.end() || *found != id) return nullptr;
  const auto k = static_cast<std::size_t>(found - p.id.begin());
  json numbers{{"position", as_json(p.x[k])}};
  for (const ParticleColumn& column : particle_columns(p)) {
    json& value = numbers[column.name];
    for (int c = 0; c < column.components; ++c)
      if (column.components == 1) value = column.value(k, c);
      else value.push_back(column.value(k, c));
  }
  numbers["id"] = id;
  const auto named = [&](const char* key, const std::vector<std::int32_t>& index,
                         const std::vector<std::string>& names) {
    if (k < index.size() && index[k] >= 0 && static_cast<std::size_t>(index[k]) < names.size())
      numbers[key] = names[static_cast<std::size_t>(index[k])];
  };
  named("material", p.material, frame.materials);
  named("group", p.group, frame.groups);
  return numbers;
}

}  // namespace areia::studio
