#include "scene/region_mesh.h"

#include <fmt/format.h>

#include <map>

#include "areia/case_file.h"
#include "areia/error.h"
#include "scene/region.h"

namespace areia {

namespace {

std::shared_ptr<const TriangleMesh> closed_mesh(const Region& region, const std::string& key) {
  MeshShape shape;
  try {
    shape = read_mesh(region.mesh);
  } catch (const InputError& e) { throw InputError(key, region.mesh, e.problems.at(0).rule); }
  shape.scale = region.scale;
  auto mesh = std::make_shared<TriangleMesh>(make_triangle_mesh(shape, key));
  if (!mesh->report.closed)
    throw InputError(
        key, region.mesh,
        fmt::format("a region needs a closed mesh; this one has {} open edges and {} of more than two facets",
                    mesh->report.open_edges, mesh->report.non_manifold_edges));
  return mesh;
}

}  // namespace

void prepare_surface(Region& region, const std::string& key) {
  if (region.kind == Region::Kind::mesh && !region.surface.mesh) region.surface.mesh = closed_mesh(region, key);
}

void prepare_regions(Case& c) {
  std::map<std::pair<std::string, double>, std::shared_ptr<const TriangleMesh>> known;
  const auto prepare = [&](Region& region, const std::string& key) {
    repeat_with(c.domain, region);
    if (region.kind != Region::Kind::mesh) return;
    std::shared_ptr<const TriangleMesh>& mesh = known[{region.mesh, region.scale}];
    if (!region.surface.mesh) region.surface.mesh = mesh;
    prepare_surface(region, key + ".region.mesh");
    mesh = region.surface.mesh;
  };
  for (ParticleSet& s : c.particles) {
    const std::string key = "particles." + s.name;
    if (auto* fill = std::get_if<RandomAddition>(&s.source)) prepare(fill->region, key + ".fill");
    if (auto* stream = std::get_if<Stream>(&s.source)) prepare(stream->region, key + ".stream");
  }
  for (ForceField& f : c.fields) prepare(f.region, "fields." + f.name);
  for (Flow& f : c.fluid.flows) prepare(f.region, "fluid.flows." + f.name);
}

const TriangleMesh& surface_of(const Region& region) {
  if (!region.surface.mesh)
    throw InputError("region.mesh", region.mesh, "the file has not been read: no scene was made of this region");
  return *region.surface.mesh;
}

}  // namespace areia
