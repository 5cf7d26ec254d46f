#include "scene/region_mesh.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>

#include "areia/case_file.h"
#include "areia/error.h"

namespace areia {

const TriangleMesh& region_mesh(const Region& region, const std::string& key) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, double>, std::unique_ptr<TriangleMesh>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<TriangleMesh>& mesh = known[{region.mesh, region.scale}];
  if (mesh) return *mesh;
  MeshShape shape;
  try {
    shape = read_mesh(region.mesh);
  } catch (const InputError& e) { throw InputError(key, region.mesh, e.problems.at(0).rule); }
  shape.scale = region.scale;
  auto made = std::make_unique<TriangleMesh>(make_triangle_mesh(shape, key));
  if (!made->report.closed)
    throw InputError(
        key, region.mesh,
        fmt::format("a region needs a closed mesh; this one has {} open edges and {} of more than two facets",
                    made->report.open_edges, made->report.non_manifold_edges));
  mesh = std::move(made);
  return *mesh;
}

}  // namespace areia
