// Bonds of a set: which bodies are joined, and where the anchors are. Theory manual, section 11.
#include "packing/make_bonds.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/random.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"
#include "search/wall_images.h"

namespace areia {

namespace {

// Bodies that were placed in touch are in touch, whatever rounding made of it.
constexpr double kRoundOff = 1e-9;

class Maker {
 public:
  Maker(const Scene& scene, std::size_t set, const BondableBodies& bodies)
      : scene_(scene), set_(scene.settings.bonds[set]), set_index_(static_cast<std::int32_t>(set)), bodies_(bodies) {
    periodicity_ = periodicity_of(scene.settings.domain);
  }

  std::vector<Bond> run() {
    if (!set_.wall.empty()) to_wall();
    else if (set_.between == BondSet::Between::list) listed();
    else searched();
    return std::move(bonds_);
  }

 private:
  std::optional<std::uint16_t> group(const std::string& name) const {
    const auto at = std::find(scene_.groups.begin(), scene_.groups.end(), name);
    if (at == scene_.groups.end()) return {};
    return static_cast<std::uint16_t>(at - scene_.groups.begin());
  }
  bool belongs(std::size_t k, const std::string& name) const { return name.empty() || bodies_.group[k] == group(name); }

  void listed() {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& p : set_.pairs) {
      const auto [low, high] = std::minmax(p[0], p[1]);
      const auto i = std::lower_bound(bodies_.id.begin(), bodies_.id.end(), low);
      const auto j = std::lower_bound(bodies_.id.begin(), bodies_.id.end(), high);
      if (i == bodies_.id.end() || *i != low || j == bodies_.id.end() || *j != high) continue;
      pairs.emplace_back(i - bodies_.id.begin(), j - bodies_.id.begin());
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& p : pairs) join(p.first, p.second);
  }

  void searched() {
    const bool near = set_.between == BondSet::Between::near;
    const std::string& other = set_.group_b.empty() ? set_.group_a : set_.group_b;
    std::vector<std::size_t> member;
    std::vector<std::uint8_t> in_a, in_b;
    std::vector<Vec4> position;
    double largest = 0;
    for (std::size_t k = 0; k < bodies_.id.size(); ++k) {
      const bool a = belongs(k, set_.group_a), b = belongs(k, other);
      if (!a && !b) continue;
      member.push_back(k);
      in_a.push_back(a);
      in_b.push_back(b);
      const Vec3d x = periodicity_.wrapped(bodies_.x[k]);
      position.push_back({x.x, x.y, x.z, near ? 0.5 * set_.max_distance : bodies_.radius[k]});
      largest = std::max(largest, position.back().w);
    }
    SizeClassGrid grid;
    grid.build(position, (near ? 0 : set_.max_gap) + 4 * kRoundOff * largest, periodicity_);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::uint32_t i = 0; i < position.size(); ++i)
      grid.for_each_candidate(i, [&](std::uint32_t j) {
        if (!(in_a[i] && in_b[j]) && !(in_b[i] && in_a[j])) return;
        const double distance = norm(periodicity_.nearest(position[j].xyz() - position[i].xyz()));
        const double reach = position[i].w + position[j].w;
        if (distance - reach > (near ? 0 : set_.max_gap) + kRoundOff * reach) return;
        pairs.emplace_back(std::minmax(member[i], member[j]));
      });
    std::sort(pairs.begin(), pairs.end());
    for (const auto& p : pairs) join(p.first, p.second);
  }

  void to_wall() {
    for (std::size_t w = 0; w < scene_.walls.size(); ++w) {
      if (scene_.walls[w].name != set_.wall || !bodies_.wall_present[w]) continue;
      for (std::size_t k = 0; k < bodies_.id.size(); ++k)
        if (belongs(k, set_.group_a)) to_wall(k, w);
    }
  }

  void to_wall(std::size_t k, std::size_t w) {
    const Pose& pose = bodies_.wall[w];
    const double r = bodies_.radius[k];
    const double limit = set_.between == BondSet::Between::near ? set_.max_distance : r + set_.max_gap;
    const double most = limit + kRoundOff * r;
    const auto [nearest, centre] = nearest_on_wall(periodicity_, scene_.walls[w], pose, bodies_.x[k], most);
    if (!nearest.found || nearest.distance > most) return;
    const Vec3d& n = nearest.n;
    const double at_i = set_.anchor == BondSet::Anchor::common ? 0.5 * (r + nearest.distance) : r;
    const double at_j = set_.anchor == BondSet::Anchor::common ? at_i : nearest.distance;
    Bond b;
    b.wall = static_cast<std::int32_t>(w);
    b.axis = rotate(conjugate(pose.q), n);  // fixed in the wall
    const JointSize joint{r, nearest.distance, bodies_.inv_m[k]};
    place(b, k, pose.q, joint, n, at_i * n, centre + at_j * n - pose.center - pose.shift);
  }

  void join(std::size_t i, std::size_t j) {
    const Vec3d d = periodicity_.nearest(periodicity_.wrapped(bodies_.x[j]) - periodicity_.wrapped(bodies_.x[i]));
    const double distance = norm(d), ri = bodies_.radius[i], rj = bodies_.radius[j];
    const Vec3d n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
    const bool common = set_.anchor == BondSet::Anchor::common;
    const double at_i = common ? ri + 0.5 * (distance - ri - rj) : ri;
    Bond b;
    b.j = bodies_.id[j];
    const JointSize joint{std::min(ri, rj), distance > 0 ? distance : ri + rj, bodies_.inv_m[i] + bodies_.inv_m[j]};
    place(b, i, bodies_.q[j], joint, n, at_i * n, common ? at_i * n - d : -rj * n);
  }

  // A direction in the contact plane: across the plane's normal in two dimensions, so that two anchors resist bending;
  // else from the coordinate axis that is farthest from n.
  Vec3d first_direction(const Vec3d& n) const {
    Vec3d axis;
    const Domain& d = scene_.settings.domain;
    if (d.dimension == 2) {
      component(axis, d.flat_axis) = 1;
      const Vec3d t = cross(axis, n);
      if (norm2(t) > 0.25) return unit(t);
      axis = {};
    }
    int least = 0;
    for (int k = 1; k < 3; ++k)
      if (std::fabs(component(n, k)) < std::fabs(component(n, least)) - kRoundOff) least = k;
    component(axis, least) = 1;
    return unit(axis - dot(axis, n) * n);
  }

  // One for all anchors of a joint. Its scatter follows from the seed and from who is joined, not from when the joint
  // is made or what else there is.
  BondStrength strength_of(const Bond& b, const JointSize& joint) const {
    const double cement = cement_radius(set_, joint.radius);
    const double area = std::numbers::pi * cement * cement / set_.anchors;
    const auto either = [&](double force, double stress) { return stress < kForever ? stress * area : force; };
    BondStrength s{set_.strength, either(set_.tensile_strength, set_.tensile_stress),
                   either(set_.shear_strength, set_.shear_stress),
                   either(set_.compressive_strength, set_.compressive_stress)};
    constexpr std::uint64_t kStrength = 7;  // tells this use of the seed from others
    const auto number = [](std::int64_t one) { return static_cast<std::uint64_t>(one); };
    if (set_.weibull_modulus > 0)
      s.scale(weibull_factor(set_.weibull_modulus, mixed_seed({scene_.settings.numerics.seed, number(set_index_),
                                                               kStrength, number(b.i), number(b.j), number(b.wall)})));
    return s;
  }

  // arm_i, arm_j: from the bodies' centres to the anchors' common middle.
  void place(Bond b, std::size_t i, const Quat& q_j, const JointSize& joint, const Vec3d& n, const Vec3d& arm_i,
             const Vec3d& arm_j) {
    b.i = bodies_.id[i];
    b.set = set_index_;
    b.law = law_of(set_, joint);
    b.strength = strength_of(b, joint);
    // bends and twists as a cylinder of the cement's radius R does: R^2 A/4 and R^2 A/2 in place of rho^2 A/2, rho^2 A
    const double ring = set_.ring_radius > 0 ? set_.ring_radius : cement_radius(set_, joint.radius) / std::sqrt(2.0);
    const Vec3d t1 = first_direction(n), t2 = cross(n, t1);
    for (int k = 0; k < set_.anchors; ++k) {
      Vec3d offset;
      if (set_.anchors > 1) {
        const SinCos a = sin_cos(2 * std::numbers::pi * k / set_.anchors);
        offset = ring * (a.cos * t1 + a.sin * t2);
      }
      b.a_i = rotate(conjugate(bodies_.q[i]), arm_i + offset);
      b.a_j = rotate(conjugate(q_j), arm_j + offset);
      bonds_.push_back(b);
    }
  }

  const Scene& scene_;
  const BondSet& set_;
  std::int32_t set_index_;
  const BondableBodies& bodies_;
  Periodicity periodicity_;
  std::vector<Bond> bonds_;
};

}  // namespace

BondableBodies bodies_at_start(const Scene& scene) {
  const SceneParticles& p = scene.particles;
  BondableBodies b;
  for (std::size_t i = 0; i < p.size(); ++i) {
    b.id.push_back(static_cast<std::int64_t>(i));
    b.inv_m.push_back(p.prescribed[i] ? 0 : 1 / p.mass[i]);
  }
  b.x = p.x;
  b.q = p.q;
  b.radius = p.radius;
  b.group = p.group;
  for (const SceneWall& w : scene.walls) {
    b.wall.push_back(composed(w.begins, pose_at(w.motion, 0)));
    b.wall_present.push_back(w.present);
  }
  return b;
}

double cement_radius(const BondSet& set, double smaller_radius) {
  return set.radius_factor > 0 ? set.radius_factor * smaller_radius : set.radius;
}

// The cement is a bar from centre to centre: young area/length along it, shared by the anchors.
BondLaw law_of(const BondSet& set, const JointSize& joint) {
  const double cement = cement_radius(set, joint.radius);
  BondLaw law;
  law.k = set.young > 0 ? set.young * std::numbers::pi * cement * cement / (joint.length * set.anchors) : set.stiffness;
  law.k_across = set.shear_ratio * law.k;
  law.c = law.c_across = set.damper;
  if (set.damping == BondSet::Damping::critical)
    law.c = law.c_across = critical_damper(law.k, joint.inv_m_star, set.anchors);
  if (set.damping_ratio > 0) {
    law.c = set.damping_ratio * critical_damper(law.k, joint.inv_m_star, set.anchors);
    law.c_across = set.damping_ratio * critical_damper_across(law.k_across, joint.inv_m_star, set.anchors);
  }
  return law;
}

std::vector<Bond> make_bonds(const Scene& scene, std::size_t set, const BondableBodies& bodies) {
  return Maker(scene, set, bodies).run();
}

}  // namespace areia
