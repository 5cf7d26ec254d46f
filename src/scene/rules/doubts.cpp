#include "scene/rules/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "scene/case_facts.h"
#include "scene/radius.h"
#include "scene/wall_geometry.h"

namespace areia {
namespace {

// Of all particles that the case places or brings.
double largest_radius_of(const Case& c) {
  double most = 0;
  for (const ParticleSet& set : c.particles) {
    most = std::max(most, largest_radius(set.radius));
    if (const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source))
      for (const ListedParticle& p : *list) most = std::max(most, p.radius);
  }
  return most;
}

// A hopper is some tens to some thousands of grains wide. Ten thousand times the radius and more is what a drawing in
// millimetres looks like in metres.
void meshes(const Case& c, std::vector<std::string>& out) {
  constexpr double kManyRadii = 1e4;
  const double radius = largest_radius_of(c);
  for (const Wall& w : c.walls) {
    const auto* mesh = std::get_if<MeshShape>(&w.shape);
    if (!mesh || mesh->vertices.empty() || radius == 0) continue;
    Vec3d low = mesh->vertices[0], high = low;
    for (const Vec3d& v : mesh->vertices) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const double extent = mesh->scale * std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    if (extent > kManyRadii * radius)
      out.push_back(fmt::format(
          "walls.{}: the mesh is {:.4g} m wide, {:.2g} times the largest radius; if its file is in millimetres, give "
          "`scale = {:g}`",
          w.name, extent, extent / radius, 1e-3 * mesh->scale));
  }
}

void materials(const Case& c, std::vector<std::string>& out) {
  constexpr double kSofterThanJelly = 1e4;  // Pa
  for (const Material& m : c.materials) {
    if (!m.rigid && m.young > 0 && m.young < kSofterThanJelly)
      out.push_back(
          fmt::format("materials.{}: young = {:g} Pa is softer than jelly; was \"{:g} GPa\" or \"{:g} MPa\" meant?",
                      m.name, m.young, m.young, m.young));
    const bool used = std::any_of(c.particles.begin(), c.particles.end(),
                                  [&](const ParticleSet& s) { return s.material == m.name; }) ||
                      std::any_of(c.walls.begin(), c.walls.end(), [&](const Wall& w) {
                        return w.material == m.name || (w.material.empty() && w.name == m.name);
                      });
    if (!used) out.push_back(fmt::format("materials.{} is used by no particles and no wall", m.name));
  }
}

// A roller that reaches over a periodic face meets its own image there, which turns about another point.
void surfaces(const Case& c, std::vector<std::string>& out) {
  for (const Wall& w : c.walls)
    for (int a = 0; a < 3; ++a) {
      double low = kForever, high = -kForever;
      std::visit(
          [&]<class S>(const S& s) {
            ShapeInfo<S>::hull(s, [&](const Vec3d& center, double radius) {
              low = std::min(low, component(center, a) - radius);
              high = std::max(high, component(center, a) + radius);
            });
          },
          w.shape);
      const double period = component(c.domain.box.max - c.domain.box.min, a);
      if (turns_across(w.surface, c.domain, a) && high - low >= period)
        out.push_back(
            fmt::format("walls.{}: its surface turns about another axis than {}, along which the domain repeats itself "
                        "after {:.4g} m; "
                        "where the wall reaches over that face, its images move differently",
                        w.name, "xyz"[a], period));
    }
}

void gravity(const Case& c, std::vector<std::string>& out) {
  if (c.domain.dimension != 2) return;
  constexpr const char* kPlanes[] = {"yz", "xz", "xy"};
  for (const ForceField& f : c.fields) {
    if (f.kind != ForceField::Kind::gravity) continue;
    const double across = component(f.value, c.domain.flat_axis);
    if (across != 0)
      out.push_back(
          fmt::format("fields.{}: {:.4g} m/s2 of it point out of the plane {} of this 2-D run and move nothing", f.name,
                      across, kPlanes[c.domain.flat_axis]));
  }
}

void stages(const Case& c, std::vector<std::string>& out) {
  for (const Stage& s : c.stages)
    if (s.ends_by_event() && s.duration == 0)
      out.push_back(fmt::format("stage {} waits for {} however long that takes; `at_most` would end it", s.name,
                                s.at_rest ? "rest" : s.value));
}

}  // namespace

std::vector<std::string> doubts(const Case& c) {
  std::vector<std::string> all;
  meshes(c, all);
  materials(c, all);
  surfaces(c, all);
  gravity(c, all);
  stages(c, all);
  return all;
}

}  // namespace areia
