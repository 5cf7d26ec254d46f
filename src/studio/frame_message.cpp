#include "studio/frame_message.h"

#include <algorithm>
#include <cmath>

#include "io/frames/contact_lines.h"
#include "io/frames/frame_files.h"
#include "render/render.h"
#include "render/wall_shapes.h"
#include "studio/message.h"

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

void add_particles(Message& message, const Frame& frame, const Vec3d& origin, const std::set<std::string>& arrays) {
  const FrameParticles& p = frame.particles;
  Points positions(origin);
  positions.numbers.reserve(3 * p.x.size());
  for (const Vec3d& x : p.x) positions.add(x);
  message.add("position", 3, positions.numbers);
  // ids are no floats: from 2^24 on those have gaps
  message.add("id", 1, std::vector<double>(p.id.begin(), p.id.end()));
  json& there = message.head["particle_arrays"] = json::array();
  for (const ParticleColumn& column : particle_columns(p)) {
    there.push_back({{"name", column.name}, {"components", column.components}});
    if (column.name == "id" || (column.name != "radius" && !arrays.contains(column.name))) continue;
    std::vector<float> numbers;
    numbers.reserve(p.id.size() * static_cast<std::size_t>(column.components));
    for (std::size_t k = 0; k < p.id.size(); ++k)
      for (int c = 0; c < column.components; ++c) numbers.push_back(static_cast<float>(column.value(k, c)));
    message.add(column.name, column.components, numbers);
  }
}

void add_walls(Message& message, const Frame& frame, const Vec3d& origin, const Box& view) {
  Points corners(origin), edges(origin);
  std::vector<float> normals;
  std::vector<std::uint32_t> wall_of_corner;
  json names = json::array();
  const Box around = picture::neighbourhood(view);
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const FrameWall& wall = frame.walls[w];
    const picture::WallFacets shown = picture::wall_facets(wall, around);
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
    names.push_back({{"name", wall.name}, {"force", as_json(wall.force)}, {"endless", shown.endless}});
  }
  message.head["walls"] = std::move(names);
  message.add("wall_corner", 3, corners.numbers);
  message.add("wall_normal", 3, normals);
  message.add("wall_of_corner", 1, wall_of_corner);
  message.add("wall_edge", 3, edges.numbers);
}

void add_lines(Message& message, const Frame& frame, const Vec3d& origin) {
  Points contacts(origin), bonds(origin);
  std::vector<float> contact_force, bond_force;
  for (const FrameContact& contact : frame.contacts) {
    for (const Vec3d& end : contact_line(frame, contact)) contacts.add(end);
    contact_force.push_back(static_cast<float>(contact.normal));
  }
  for (const FrameBond& bond : frame.bonds) {
    const auto line = bond_line(frame, bond);
    bonds.add(line[0]);
    bonds.add(line[3]);
    bond_force.push_back(static_cast<float>(norm(bond.force)));
  }
  message.add("contact_line", 3, contacts.numbers);
  message.add("contact_force", 1, contact_force);
  message.add("bond_line", 3, bonds.numbers);
  message.add("bond_force", 1, bond_force);
}

}  // namespace

std::string frame_message(const Frame& frame, const std::set<std::string>& arrays) {
  const Box view = automatic_view(frame);
  const Box focus = focus_box(frame);
  const Vec3d origin = 0.5 * (view.min + view.max);
  Message message;
  message.head = {{"time", frame.time},
                  {"step", frame.step},
                  {"stage", frame.stage},
                  {"title", frame.title},
                  {"origin", as_json(origin)},
                  {"materials", frame.materials},
                  {"groups", frame.groups},
                  {"view", {as_json(view.min), as_json(view.max)}},
                  {"focus", {as_json(focus.min), as_json(focus.max)}},
                  {"bond_sets", frame.bond_sets},
                  {"arrays", json::object()}};
  add_particles(message, frame, origin, arrays);
  add_walls(message, frame, origin, view);
  add_lines(message, frame, origin);
  return message.bytes();
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
