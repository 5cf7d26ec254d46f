#include "engine/time_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "core/cores.h"
#include "core/range.h"
#include "core/rounding.h"
#include "engine/one_impact.h"
#include "engine/streams.h"
#include "engine/time_step_bonds.h"
#include "engine/time_step_outer.h"
#include "physics/interaction.h"
#include "scene/case_facts.h"
#include "scene/meeting_pairs.h"
#include "scene/mesh_doubts.h"
#include "scene/motion.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

// From a line along an axis of unit length, or, where that is zero, from the point.
double distance_from(const Vec3d& point, const Vec3d& axis, const Vec3d& x) {
  const Vec3d d = x - point;
  return norm(d - dot(d, axis) * axis);
}

// How far from that line a wall touches something: no farther than it reaches, or, if it is endless, the particles.
double arm_of(const SceneWall& wall, const SceneParticles& p, const Vec3d& point, const Vec3d& axis) {
  double most = -1;
  const auto include = [&](const Vec3d& center, double radius) {
    most = std::max(most, distance_from(point, axis, center) + radius);
  };
  std::visit([&]<class S>(const S& s) { ShapeInfo<S>::hull(s, include); }, wall.shape);
  if (wall.mesh)
    for (const Vec3d& v : wall.mesh->vertices) include(v, 0);
  if (most < 0)
    for (std::size_t i = 0; i < p.size(); ++i) include(p.x[i], p.radius[i]);
  return std::max(most, 0.0);
}

// Largest closing speed to expect: twice the fastest initial particle, the walls' own speed, and the fall through the
// height of the scene.
double closing_speed(const Scene& scene, const SceneParticles& p) {
  double fastest = 0, wall = 0;
  const Vec3d g = uniform_gravity(scene.settings);
  double low = kForever, high = -kForever;
  const double until = known_duration(scene.settings);
  const double strength = norm(g);
  for (std::size_t i = 0; i < p.size(); ++i) {
    fastest = std::max(fastest, norm(p.v[i]));
    if (strength > 0) {
      const double height = -dot(p.x[i], g) / strength;
      low = std::min(low, height - p.radius[i]);
      high = std::max(high, height + p.radius[i]);
    }
  }
  Fall fall{g, strength, {}};
  for (const Vec3d& x : p.x) fall.mean += x;
  fall.mean *= 1.0 / static_cast<double>(std::max<std::size_t>(1, p.size()));
  for (const SceneWall& w : scene.walls) {
    const auto arm = [&](const Vec3d& point, const Vec3d& axis) { return arm_of(w, p, point, axis); };
    wall = std::max(wall, top_speed(w.motion, arm, until) + (w.servo.on ? w.servo.max_speed : 0) +
                              top_speed(w.surface, arm, until));
    if (strength <= 0) continue;
    // down to the wall, along gravity, where the wall has a lowest point
    auto include = [&](const Vec3d& x) { low = std::min(low, -dot(x, g) / strength); };
    std::visit([&]<class S>(const S& s) { ShapeInfo<S>::lowest_points(s, fall, include); }, w.shape);
    if (w.mesh)
      for (const Vec3d& v : w.mesh->vertices) include(v);
  }
  for (std::size_t set = 0; set < scene.set_motion.size(); ++set) {
    const auto arm = [&](const Vec3d& point, const Vec3d& axis) {
      double most = 0;
      for (std::size_t i = 0; i < p.size(); ++i)
        if (p.set[i] == set) most = std::max(most, distance_from(point, axis, p.x[i]) + p.radius[i]);
      return most;
    };
    wall = std::max(wall, top_speed(scene.set_motion[set], arm, until));
  }
  for (const Loading& l : scene.settings.loading) wall = std::max(wall, l.max_speed);
  const double falling = strength > 0 && high > low ? std::sqrt(2 * strength * (high - low)) : 0;
  return std::max({2 * fastest, falling, fastest + wall, field_speed(scene, fastest), 1e-3});
}

struct Shortest {
  double contact = kForever, friction = kForever, adhesion = kForever, rolling = kForever;
  std::string contact_pair, friction_pair, adhesion_pair, rolling_pair;
};

// Two materials that may meet, each with its smallest particle.
struct PairOfMaterials {
  const ContactPair& choice;
  Interaction laws;
  Geometry<double> g;  // before its overlap is known
  double m_star, inv_j;
  std::string name;
};

struct Lightest {  // of a material
  double radius = kForever, mass = kForever;
  double inv_j = 0;  // largest
};

// f(PairOfMaterials) for each pair.
template <class F>
void for_each_pair(const Scene& scene, const SceneParticles& p, F&& f) {
  const std::size_t n = scene.materials.size();
  std::vector<Lightest> smallest(n);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Lightest& s = smallest[p.material[i]];
    s.radius = std::min(s.radius, p.radius[i]);
    if (p.prescribed[i]) continue;
    s.mass = std::min(s.mass, p.mass[i]);
    if (p.turns[i]) s.inv_j = std::max(s.inv_j, 1 / p.inertia[i]);
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0 || smallest[a].mass == kForever) continue;
      const bool wall = smallest[b].radius == kForever;
      if (!wall && b < a) continue;
      // a partner without finite mass: a wall, or a material with prescribed particles only
      const double m_star = 1 / (1 / smallest[a].mass + (smallest[b].mass == kForever ? 0 : 1 / smallest[b].mass));
      const ContactPair& pair = scene.settings.contacts[k];
      f(PairOfMaterials{pair, Interaction(pair, {scene.materials[a], scene.materials[b]}),
                        bodies(smallest[a].radius, wall ? 0 : smallest[b].radius), m_star,
                        smallest[a].inv_j + (wall ? 0 : smallest[b].inv_j),
                        scene.materials[a].name + "-" + scene.materials[b].name});
    }
}

// Shortest contact over all pairs of materials.
Shortest shortest_contact(const Scene& scene, const SceneParticles& p, double speed) {
  Shortest out;
  for_each_pair(scene, p, [&](const PairOfMaterials& pair) {
    const auto& [choice, laws, start, m_star, inv_j, name] = pair;
    Geometry<double> g = start;
    const LawPart& normal = *laws.part(kNormal);
    auto shorter = [&](double& shortest, std::string& whose, double t) {
      if (!(t < shortest)) return;
      shortest = t;
      whose = pair.name;  // clang 14 captures no structured binding
    };
    shorter(out.contact, out.contact_pair, normal.contact_time(g, m_star, speed));
    if (const LawPart* adhesion = laws.part(kAdhesion)) {
      // somewhere below this strain the contact must begin to push, or the bodies fall into each other
      constexpr double kStrain = 0.1;
      g.overlap = kStrain * g.length();
      g.contact_radius = contact_radius_of(g.r_star, g.overlap);
      const double push = normal.elastic(g), pull = adhesion->elastic(g);
      if (pull >= push)
        throw InputError(fmt::format("contacts.{}.adhesion", name), choice.adhesion.law,
                         fmt::format("nothing holds the bodies apart: at a strain of {:g} the adhesion pulls with "
                                     "{:.4g} N and the contact pushes with {:.4g} N only",
                                     kStrain, pull, push));
    }
    g.overlap = normal.largest_overlap(g, m_star, speed);
    g.contact_radius = contact_radius_of(g.r_star, g.overlap);
    // a sphere that sticks turns as well: 3.5 times the stiffness (theory manual, section 13.2)
    for (auto [slot, factor] : {std::pair(kTangential, 3.5), std::pair(kAdhesion, 1.0)}) {
      const double stiffness = laws.part(slot) ? factor * laws.part(slot)->stiffness(g) : 0;
      if (stiffness > 0)
        shorter(slot == kTangential ? out.friction : out.adhesion,
                slot == kTangential ? out.friction_pair : out.adhesion_pair,
                2 * std::numbers::pi * std::sqrt(m_star / stiffness));
    }
    // bodies that turn on the spot, without rolling
    for (const Slot slot : {kRolling, kTwisting})
      if (const LawPart* law = laws.part(slot); law && inv_j > 0)
        shorter(out.rolling, out.rolling_pair,
                2 * std::numbers::pi / std::sqrt(law->turning_stiffness(g, normal.stiffness(g)) * inv_j));
  });
  return out;
}

// For a cell that is loaded: the speed of its faces, and that of an impact with the force of a strong contact under the
// stress, which makes a contact as stiff. The mean force between grains of diameter d is about p d^2 (Rumpf, with a
// solid fraction of 0.6 and a coordination of 6); triaxial loading and force chains bring ten times that.
double loading_speed(const Scene& scene, const SceneParticles& p) {
  constexpr double kStrong = 10, kSlowest = 1e-3, kFastest = 1e6;
  const Domain& d = scene.settings.domain;
  double stress = 0, speed = 0;
  for (const CellLoad& load : d.loading) {
    stress = std::max(stress, std::fabs(load.stress));
    for (int a = 0; a < 3; ++a)
      if (load.axes[a]) speed = std::max(speed, std::fabs(load.strain_rate) * component(d.box.max - d.box.min, a));
  }
  if (stress == 0) return speed;
  for_each_pair(scene, p, [&](const PairOfMaterials& pair) {
    const LawPart& normal = *pair.laws.part(kNormal);
    Geometry<double> g = pair.g;
    const double diameter = 2 * std::min(g.radius_i, g.radius_j), force = kStrong * stress * diameter * diameter;
    for (double v = kSlowest; v < kFastest; v *= 1.25) {
      g.overlap = normal.largest_overlap(g, pair.m_star, v);
      g.contact_radius = contact_radius_of(g.r_star, g.overlap);
      speed = std::max(speed, v);
      if (normal.elastic(g) >= force) break;
    }
  });
  return speed;
}

// Where a finite step leaves another restitution than small ones. A strong dashpot stops the bodies within the first
// step, and the spring gives them back F(v dt) dt/m* by itself; one that may pull does so up to a moment within the
// last step that nobody knows in advance. So an impact of each pair is tried.
void tell_of_dashpots(const Scene& scene, const SceneParticles& p, double speed, Choices& c) {
  const Scheme scheme = scene.settings.numerics.scheme;
  if (scheme == Scheme::trapezoid) return;
  for_each_pair(scene, p, [&](const PairOfMaterials& pair) {
    const LawPart& normal = *pair.laws.part(kNormal);
    Geometry<double> g = pair.g;
    g.overlap = normal.largest_overlap(g, pair.m_star, speed);
    g.contact_radius = contact_radius_of(g.r_star, g.overlap);
    if (!(normal.damper(g, pair.m_star) > 0)) return;
    const RestitutionAtStep e = restitution_at_step({pair.laws, pair.g, pair.m_star, speed}, scheme, c.dt);
    if (e.holds()) return;
    c.notes.push_back(
        fmt::format("the dashpot of {}: of an impact at {:.3g} m/s this step leaves between {:.3g} and {:.3g} of the "
                    "speed, by the moment of touching, where small steps leave {:.3g}; a larger numerics.dt_fraction "
                    "brings them closer",
                    pair.name, speed, e.least, e.most, e.limit));
  });
}

// The least of 1, 2, 5, 10, ... times a power of ten that takes a hundred steps or more. A step that divides it ends
// at all round times, where stages end and frames are due as a rule, whatever is written; it is less than 1 % shorter.
double round_interval(double step) {
  const int decade = static_cast<int>(std::floor(std::log10(100 * step)));
  for (int power = decade - 1;; ++power)
    for (const int times : {1, 2, 5}) {
      const double interval = std::stod(fmt::format("{}e{}", times, power));  // the nearest double, on any machine
      if (interval >= 100 * step) return interval;
    }
}

// Fixed-point sweeps contract if phi dt sqrt(k*/m*) < 1; at the deepest point of a Hertz impact sqrt(k*/m*) is 4/t_c.
void warn_of_sweeps(const Scene& scene, Choices& c) {
  const Implicit& i = scene.settings.numerics.implicit;
  const double contraction = c.contact_time > 0 ? i.phi * c.dt * 4 / c.contact_time : 0;
  if (i.adapt == Implicit::Adapt::none && contraction > 1)
    c.warnings.push_back(
        fmt::format("phi dt sqrt(k*/m*) is about {:.3g} in the stiffest contact; sweeps contract below 1, so steps may "
                    "not converge",
                    contraction));
  constexpr std::size_t kManyForGaussSeidel = 2000;
  if (i.sweep == Implicit::Sweep::gauss_seidel && scene.particles.size() > kManyForGaussSeidel)
    c.warnings.push_back(
        fmt::format("sweep = \"gauss_seidel\" takes a time that grows with the square of the number "
                    "of particles, {}; \"jacobi\" does not",
                    scene.particles.size()));
}

}  // namespace

Choices choose(const Scene& scene) {
  if (scene.settings.numerics.collisions == Collisions::hard) return choose_for_events(scene);
  const bool streams = has_streams(scene.settings);
  const Expected expected = streams ? expected_particles(scene) : Expected{{}, scene.particles.size()};
  const Numerics& numerics = scene.settings.numerics;
  const SceneParticles& p = streams ? expected.particles : scene.particles;
  Choices c;
  c.notes = scene.notes;
  double r_min = kForever, r_max = 0;
  for (double r : p.radius) {
    r_min = std::min(r_min, r);
    r_max = std::max(r_max, r);
  }
  const double speed =
      numerics.max_speed > 0 ? numerics.max_speed : std::max(closing_speed(scene, p), loading_speed(scene, p));
  c.closing_speed = speed;
  const Shortest s = anything_can_meet(scene.settings) ? shortest_contact(scene, p, speed) : Shortest{};
  c.contact_time = s.contact == kForever ? 0 : s.contact;

  double limit = kForever;
  std::string reason = "no contacts: 1/100 of the time a particle takes to cross its radius";
  if (s.contact < kForever) {
    limit = s.contact / numerics.dt_fraction;
    reason = fmt::format("1/{:g} of the shortest contact, {:.4g} s ({} at {:.3g} m/s)", numerics.dt_fraction, s.contact,
                         s.contact_pair, speed);
  }
  if (s.friction / 10 < limit) {
    limit = s.friction / 10;
    reason = fmt::format("1/10 of the tangential period, {:.4g} s ({})", s.friction, s.friction_pair);
  }
  if (s.adhesion / 10 < limit) {
    limit = s.adhesion / 10;
    reason = fmt::format("1/10 of the period of the adhesion, {:.4g} s ({})", s.adhesion, s.adhesion_pair);
  }
  if (s.rolling / 10 < limit) {
    limit = s.rolling / 10;
    reason = fmt::format("1/10 of the period of the rolling spring, {:.4g} s ({})", s.rolling, s.rolling_pair);
  }
  const double of_contacts = limit;
  const BondLimit bonds = bond_limit(scene);
  if (bonds.dt() < limit) {
    limit = bonds.dt();
    reason = bonds.reason();
  }
  const OuterLimit outer = outer_limit(scene, speed);
  c.warnings.insert(c.warnings.end(), outer.warnings.begin(), outer.warnings.end());
  if (outer.dt < limit) {
    limit = outer.dt;
    reason = outer.reason;
  }
  // a lone particle under drag, say: what it passes over within a step it does not feel
  if (s.contact == kForever && limit < kForever && p.size() > 0 && 0.1 * r_min / speed < limit) {
    limit = 0.1 * r_min / speed;
    reason = "no contacts: 1/10 of the time a particle takes to cross its radius";
  }
  limit = rounded(limit);
  if (!(limit < kForever)) limit = p.size() > 0 ? 0.01 * r_min / speed : 1e-3;

  if (numerics.dt > 0) {
    c.dt = numerics.dt;
    c.dt_reason = "given by the case";
    if (c.contact_time > 0 && c.dt > 0.5 * c.contact_time)
      throw InputError(
          "numerics.dt", fmt::format("{:g}", c.dt),
          fmt::format("must be below half the shortest contact, {:.4g} s ({} at {:.3g} m/s); \"auto\" takes {:.3g} s",
                      c.contact_time, s.contact_pair, speed, limit));
    if (c.contact_time > 0 && c.dt > 1.0001 * c.contact_time / 10)
      c.warnings.push_back(
          fmt::format("numerics.dt = {:.4g} s exceeds 1/10 of the shortest contact, {:.4g} s ({} at "
                      "{:.3g} m/s); contacts are poorly resolved",
                      c.dt, c.contact_time, s.contact_pair, speed));
    if (c.dt > 1.0001 * bonds.period / 10)
      c.warnings.push_back(fmt::format(
          "numerics.dt = {:.4g} s exceeds 1/10 of the shortest period of a bonded pair, {:.4g} s (bonds.{})", c.dt,
          bonds.period, bonds.period_set));
    else if (c.dt > bonds.stable)
      c.warnings.push_back(fmt::format(
          "numerics.dt = {:.4g} s may be unstable: the bonds and dampers of one particle allow {:.4g} s (bonds.{}){}",
          c.dt, bonds.stable, bonds.stable_set, bonds.cost_of_dampers()));
    // a spring without damping is stable up to T/pi
    if (numerics.scheme != Scheme::trapezoid && c.dt > s.rolling / std::numbers::pi)
      c.warnings.push_back(
          fmt::format("numerics.dt = {:.4g} s may be unstable: it exceeds 1/pi of the period of the rolling spring, "
                      "{:.4g} s ({})",
                      c.dt, s.rolling, s.rolling_pair));
    if (c.dt > 1.0001 * outer.dt)
      c.warnings.push_back(fmt::format("numerics.dt = {:.4g} s exceeds {:.4g} s: {}", c.dt, outer.dt, outer.reason));
  } else {
    if (!(limit >= 1 / kLargestNumber && limit <= kLargestNumber))
      throw InputError(
          "numerics.dt", "\"auto\"",
          fmt::format("gives {:.3g} s: {}; the numbers of the case are too extreme to compute with", limit, reason));
    constexpr double kMuchShorter = 3;
    if (of_contacts < kForever && limit == rounded(bonds.dt()) && kMuchShorter * limit < of_contacts)
      c.warnings.push_back(
          fmt::format("the time step is {:.2g} times shorter than contacts ask for: {}", of_contacts / limit, reason));
    const double interval = round_interval(limit);
    c.dt = interval / std::ceil((1 - 1e-9) * interval / limit);
    c.dt_reason = fmt::format("{}, rounded down to fit {:g} s", reason, interval);
  }

  for (const SceneWall& w : scene.walls)
    if (const std::string why = w.mesh ? split_patches(*w.mesh) : ""; !why.empty())
      c.warnings.push_back(fmt::format("walls.{}: {}", w.name, why));
  if (numerics.scheme == Scheme::trapezoid) warn_of_sweeps(scene, c);
  tell_of_dashpots(scene, p, speed, c);

  c.skin = numerics.skin > 0 ? numerics.skin : p.size() > 0 ? 0.25 * r_min : 1;
  c.skin_reason = numerics.skin > 0
                      ? "given by the case"
                      : fmt::format("a quarter of the smallest radius, up to {:g} times that where particles move fast",
                                    kMostSkinOverChosen);
  c.cell = 2 * r_max + c.skin;
  c.cell_reason = r_max < 2 * r_min
                      ? "largest diameter and skin, one size class"
                      : fmt::format("largest diameter and skin; {} size classes, each half the one before",
                                    1 + static_cast<int>(std::floor(std::log2(r_max / r_min))));
  const auto [cores, which_cores] = usable_cores();
  // below this a thread waits longer for the others than it works
  constexpr std::size_t kParticlesPerThread = 2000;
  const auto useful = static_cast<int>(std::min<std::size_t>(cores, 1 + expected.count / kParticlesPerThread));
  c.threads = numerics.threads > 0 ? numerics.threads : useful;
  c.threads_reason = numerics.threads > 0 ? "given"
                     : useful == cores    ? which_cores
                                       : fmt::format("one per {} particles, of {} cores", kParticlesPerThread, cores);
  // state, lists, and histories of about three contacts per particle; measured on a settled bed
  c.bytes_estimate = 520.0 * static_cast<double>(expected.count);

  const Domain& d = scene.settings.domain;
  for (int a = 0; a < 3; ++a)
    if (d.periodic[a] && component(d.box.max - d.box.min, a) < 4 * r_max + 2 * c.skin)
      throw InputError(
          "domain.periodic", std::string(1, "xyz"[a]),
          fmt::format("the box must be longer than two largest diameters and twice the skin, {:.4g} m; it is {:.4g} m",
                      4 * r_max + 2 * c.skin, component(d.box.max - d.box.min, a)));
  return c;
}

}  // namespace areia
