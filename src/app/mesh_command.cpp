// areia mesh: what a mesh file holds, and what would be repaired when it becomes a wall.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/print.h"
#include "scene/triangle_mesh.h"

namespace areia::app {

namespace {

int show(const std::string& file, double scale, bool json) {
  MeshShape shape = read_mesh(file);
  shape.scale = scale;
  const TriangleMesh mesh = make_triangle_mesh(shape, file);
  const MeshReport& r = mesh.report;
  const MeshWords words = describe(r);
  if (!json) {
    print("{}\n", file);
    for (const std::string& fact : words.facts) print("  {}\n", fact);
    print("  {} planes, {} smooth patches at 5 degrees\n", mesh.planes.size(), mesh.patches);
    for (const std::string& s : words.suspicious) print("  note: {}\n", s);
    return kDone;
  }
  const auto vector = [](const Vec3d& v) { return nlohmann::ordered_json::array({v.x, v.y, v.z}); };
  nlohmann::ordered_json j;
  j["file"] = file;
  j["scale"] = scale;
  j["triangles"] = r.triangles;
  j["vertices"] = r.vertices;
  j["kept_triangles"] = r.kept_triangles;
  j["kept_vertices"] = r.kept_vertices;
  j["bounds"] = {vector(r.bounds.min), vector(r.bounds.max)};
  j["area"] = r.area;
  j["closed"] = r.closed;
  if (r.closed) j["volume"] = r.volume;
  j["parts"] = r.shells;
  j["merged_vertices"] = r.merged_vertices;
  j["unused_vertices"] = r.unused_vertices;
  j["degenerate_triangles"] = r.degenerate;
  j["duplicate_triangles"] = r.duplicate;
  j["turned_facets"] = r.turned;
  j["inverted"] = r.inverted;
  j["one_sided"] = r.one_sided;
  j["open_edges"] = r.open_edges;
  j["holes"] = r.holes;
  j["non_manifold_edges"] = r.non_manifold_edges;
  j["planes"] = mesh.planes.size();
  j["patches"] = mesh.patches;
  j["notes"] = words.suspicious;
  print("{}\n", j.dump(2));
  return kDone;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>();
  auto scale = std::make_shared<double>(1);
  auto json = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("mesh", "examine a mesh file (STL, OBJ, PLY) for use as a wall");
  c->add_option("file", *file, "mesh file")->type_name(kFile)->required();
  c->add_option("--scale", *scale, "metres per unit of the file")->check(CLI::PositiveNumber)->check(finite_number());
  c->add_flag("--json", *json, "as JSON");
  c->callback([=, &exit_code] { exit_code = show(*file, *scale, *json); });
}

}  // namespace areia::app
