// From a case to a scene: names become numbers, generators place their particles, and what overlaps is told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "packing/place.h"
#include "scene/body_mass.h"
#include "scene/region_mesh.h"
#include "scene/scene.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"
#include "search/wall_images.h"

namespace areia {

namespace {

constexpr std::size_t kProblemsShown = 20;
constexpr double kHardOverlap = 1e-9;  // of the smaller radius: round-off of positions

template <class V>
std::size_t index_of(const V& v, const std::string& name) {
  for (std::size_t k = 0; k < v.size(); ++k)
    if (v[k].name == name) return k;
  throw InputError("case", name, "no such name");
}

// Random velocities of a set, from `first` on, without net momentum. They come from a seed of their own: places do not
// depend on them.
void agitate(Scene& scene, std::size_t set_index, std::size_t first) {
  const ParticleSet& set = scene.settings.particles[set_index];
  const Domain& domain = scene.settings.domain;
  SceneParticles& p = scene.particles;
  if (set.velocity_std == 0 || p.size() < first + 2) return;
  Random random(mixed_seed({scene.settings.numerics.seed, set_index, 5}));
  const std::size_t n = p.size() - first;
  std::vector<Vec3d> added(n);
  Vec3d momentum;
  double mass = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (int a = 0; a < 3; ++a) {
      const double v = set.velocity_std * random.truncated_normal(5);
      if (domain.dimension == 3 || a != domain.flat_axis) component(added[k], a) = v;
    }
    momentum += p.mass[first + k] * added[k];
    mass += p.mass[first + k];
  }
  for (std::size_t k = 0; k < n; ++k) p.v[first + k] += added[k] - (1 / mass) * momentum;
}

void reserve(SceneParticles& p, std::size_t n) {
  for (auto* vectors : {&p.x, &p.v, &p.w}) vectors->reserve(n);
  p.q.reserve(n);
  for (auto* numbers : {&p.radius, &p.mass, &p.inertia, &p.charge}) numbers->reserve(n);
  for (auto* indices : {&p.material, &p.group, &p.set}) indices->reserve(n);
  for (auto* flags : {&p.prescribed, &p.turns}) flags->reserve(n);
}

std::uint16_t group_of(Scene& scene, const ParticleSet& set) {
  const std::string group = set.group.empty() ? set.name : set.group;
  auto at = std::find(scene.groups.begin(), scene.groups.end(), group);
  if (at == scene.groups.end()) at = scene.groups.insert(scene.groups.end(), group);
  return static_cast<std::uint16_t>(at - scene.groups.begin());
}

// Those that another run has left, where they are.
void add_carried(Scene& scene, const SceneParticles& carried, PlaceContext& context) {
  SceneParticles& p = scene.particles;
  p = carried;
  p.material.clear();
  p.group.clear();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const ParticleSet& set = scene.settings.particles[p.set[i]];
    p.material.push_back(static_cast<std::uint16_t>(index_of(scene.materials, set.material)));
    p.group.push_back(group_of(scene, set));
    context.placed.add({p.x[i], p.radius[i]});
  }
}

void add_set(Scene& scene, std::size_t set_index, PlaceContext& context) {
  const Case& c = scene.settings;
  const ParticleSet& set = c.particles[set_index];
  SceneParticles& p = scene.particles;
  const std::size_t material = index_of(scene.materials, set.material);
  const std::uint16_t group_index = group_of(scene, set);

  auto add = [&](const Vec3d& x, const Vec3d& v, const Vec3d& w, double radius, double mass, double charge) {
    const BodyMass body = body_mass(c.domain, radius, mass > 0 ? mass : set.mass, scene.materials[material].density);
    p.x.push_back(x);
    p.v.push_back(v);
    p.w.push_back(w);
    p.q.push_back({1, 0, 0, 0});
    p.radius.push_back(radius);
    p.mass.push_back(body.mass);
    p.charge.push_back(charge);
    p.inertia.push_back(body.inertia);
    p.material.push_back(static_cast<std::uint16_t>(material));
    p.group.push_back(group_index);
    p.set.push_back(static_cast<std::uint16_t>(set_index));
    p.prescribed.push_back(set.prescribed);
    p.turns.push_back(!set.inhibit_rotation);
  };

  const std::size_t first = p.size();
  if (const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source)) {
    reserve(p, first + list->size());
    for (const ListedParticle& l : *list) {
      const double radius = l.radius > 0 ? l.radius : draw_radius(set.radius, context.random);
      add(l.x, set.velocity + l.v, set.spin + l.w, radius, l.mass, l.charge != 0 ? l.charge : set.charge);
      context.placed.add({l.x, radius});
    }
    return agitate(scene, set_index, first);
  }
  std::vector<Ball> balls;
  if (const auto* l = std::get_if<Lattice>(&set.source)) {
    balls = place_lattice(set, *l, context);
    for (const Ball& b : balls) context.placed.add(b);
  } else if (const auto* f = std::get_if<RandomAddition>(&set.source)) {
    balls = place_randomly(set, *f, context);
  }
  for (const Ball& b : balls) add(b.x, set.velocity, set.spin, b.radius, 0, set.charge);
  agitate(scene, set_index, first);
}

void check_places(const Scene& scene) {
  const SceneParticles& p = scene.particles;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < p.size() && problems.size() < kProblemsShown; ++i)
    if (!is_resolved(p.x[i], p.radius[i]))
      problems.push_back(
          {"", 0, fmt::format("particles.{}", scene.settings.particles[p.set[i]].name),
           fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g})", i, p.x[i].x, p.x[i].y, p.x[i].z),
           fmt::format(
               "is too far from the origin: with a radius of {:.6g} m it may be up to {:.3g} m away, so that its "
               "place is known to a thousandth of that",
               p.radius[i], farthest_place(p.radius[i]))});
  if (!problems.empty()) throw InputError(std::move(problems));
}

void check_overlaps(const Scene& scene, const CarriedBodies& carried) {
  const SceneParticles& p = scene.particles;
  const bool hard = scene.settings.numerics.collisions == Collisions::hard;
  const double allowed = hard ? kHardOverlap : scene.settings.numerics.start_overlap;
  const Periodicity periodicity = periodicity_of(scene.settings.domain);
  std::vector<Vec4> position(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3d x = periodicity.wrapped(p.x[i]);
    position[i] = {x.x, x.y, x.z, p.radius[i]};
  }
  SizeClassGrid grid;
  grid.build(position, 0, periodicity);
  std::vector<Problem> problems;
  std::size_t count = 0;
  auto name = [&](std::size_t i) { return fmt::format("particles.{}", scene.settings.particles[p.set[i]].name); };
  auto report = [&](std::size_t i, const std::string& what) {
    if (++count > kProblemsShown) return;
    problems.push_back({"", 0, name(i),
                        fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g})", i, p.x[i].x, p.x[i].y, p.x[i].z), what});
  };
  auto overlaps = [&](const std::string& other, double overlap) {
    return hard ? fmt::format("overlaps {} by {:.4g} m; hard spheres do not overlap", other, overlap)
                : fmt::format(
                      "overlaps {} by {:.4g} m; at the start at most {:g} of the smaller radius is allowed "
                      "(numerics.start_overlap)",
                      other, overlap, allowed);
  };
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    grid.for_each_candidate(i, [&](std::uint32_t j) {
      if (p.prescribed[i] && p.prescribed[j]) return;
      if (std::max<std::size_t>(i, j) < carried.particles.size()) return;  // as they were
      const double d = norm(periodicity.nearest(position[j].xyz() - position[i].xyz()));
      const double overlap = p.radius[i] + p.radius[j] - d;
      const auto other = [&] {
        return fmt::format("particle {} of particles.{}", j, scene.settings.particles[p.set[j]].name);
      };
      if (!(d > 0))
        report(i, fmt::format("has the same centre as {}; nothing says which way they push each other", other()));
      else if (overlap > allowed * std::min(p.radius[i], p.radius[j])) report(i, overlaps(other(), overlap));
    });
    if (p.prescribed[i]) continue;
    for (std::size_t k = 0; k < scene.walls.size(); ++k) {
      const SceneWall& w = scene.walls[k];
      if (!w.present || carried.touching.contains({i, k})) continue;
      const double overlap = p.radius[i] - wall_distance(periodicity, w, w.begins, p.x[i], p.radius[i]);
      if (overlap > allowed * p.radius[i]) report(i, overlaps(fmt::format("walls.{}", w.name), overlap));
    }
  }
  if (count > kProblemsShown)
    problems.push_back({"", 0, "particles", "", fmt::format("{} more overlaps", count - kProblemsShown)});
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

Scene make_bare_scene(Case from) {
  std::vector<Problem> problems = validate(from);
  if (!problems.empty()) throw InputError(std::move(problems));
  prepare_regions(from);
  Scene scene;
  scene.settings = std::move(from);
  const Case& c = scene.settings;
  scene.materials = c.materials;
  const std::size_t m = scene.materials.size();
  scene.contact_of.assign(m * m, -1);
  for (std::size_t k = 0; k < c.contacts.size(); ++k) {
    const std::size_t a = index_of(scene.materials, c.contacts[k].a), b = index_of(scene.materials, c.contacts[k].b);
    scene.contact_of[a * m + b] = scene.contact_of[b * m + a] = static_cast<std::int32_t>(k);
  }
  for (const Wall& w : c.walls) {
    const auto material =
        static_cast<std::uint16_t>(index_of(scene.materials, w.material.empty() ? w.name : w.material));
    scene.walls.push_back(make_wall(c, w, material, scene.notes));
  }
  for (const ParticleSet& set : c.particles) scene.set_motion.push_back(set.motion);
  return scene;
}

Scene make_scene(Case from, const CarriedBodies& carried) {
  Scene scene = make_bare_scene(std::move(from));
  const Case& c = scene.settings;
  for (std::size_t w = 0; w < carried.walls.size(); ++w) scene.walls[w].begins = carried.walls[w];
  Random random(c.numerics.seed);
  PlacedBalls placed(periodicity_of(c.domain));
  PlaceContext context{scene.settings, scene.walls, random, placed, scene.notes};
  add_carried(scene, carried.particles, context);
  for (std::size_t s = 0; s < c.particles.size(); ++s) add_set(scene, s, context);
  check_places(scene);
  check_overlaps(scene, carried);
  return scene;
}

}  // namespace areia
