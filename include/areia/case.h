// A case: everything a user may say about a simulation, typed, in SI units. Plain data without behaviour.
// io/ makes it from a TOML file; a C++ program may fill it by hand. `validate` (io-free) checks either.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "areia/vec3.h"

namespace areia {

inline constexpr double kForever = std::numeric_limits<double>::infinity();

struct Box {
  Vec3d min, max;
  friend bool operator==(const Box&, const Box&) = default;
};

struct Material {
  std::string name;
  double density = 0;     // kg/m^3; needed by particles without a mass of their own
  double young = 0;       // E, Pa; 0 = not given (the linear law does not need it)
  double poisson = 0.25;  // nu
  double stiffness = 0;   // k of the linear law, N/m; 0 = not given
  bool rigid = false;     // E -> infinity; only walls may be rigid
  friend bool operator==(const Material&, const Material&) = default;
};

// A law by name with its parameters, as the registry in physics/laws.h declares them.
struct LawChoice {
  std::string law;                           // "" or "none": absent
  std::map<std::string, double> numbers;     // xi, restitution, mu, ...
  std::map<std::string, std::string> words;  // xi_from_e = "exact_clamp", ...
  friend bool operator==(const LawChoice&, const LawChoice&) = default;
};

// What acts between two materials. a == b is allowed; (a, b) and (b, a) are the same entry.
struct ContactPair {
  std::string a, b;
  LawChoice normal, tangential, rolling;
  friend bool operator==(const ContactPair&, const ContactPair&) = default;
};

struct Motion {
  enum class Kind { fixed, constant, oscillating, rotating };
  Kind kind = Kind::fixed;
  Vec3d velocity;                       // constant: m/s
  Vec3d amplitude;                      // oscillating: displacement = amplitude sin(omega (t - t0) + phase), m
  double omega = 0;                     // oscillating and rotating: rad/s
  double phase = 0;                     // rad
  Vec3d point, axis{0, 0, 1};           // rotating: about the axis through the point
  double start = 0, stop = kForever;    // s; before start and after stop the body keeps its place
  std::string start_stage, stop_stage;  // if named: the start of that stage replaces start / stop
  friend bool operator==(const Motion&, const Motion&) = default;
};

struct RadiusDistribution {
  enum class Kind { fixed, uniform, gaussian };
  Kind kind = Kind::fixed;
  double value = 0;          // fixed
  double min = 0, max = 0;   // uniform
  double mean = 0, std = 0;  // gaussian
  double truncate = 3;       // gaussian: in standard deviations, by rejection
  friend bool operator==(const RadiusDistribution&, const RadiusDistribution&) = default;
};

struct Region {
  enum class Kind { box, sphere, cylinder };
  Kind kind = Kind::box;
  Box box;
  Vec3d center;       // sphere
  double radius = 0;  // sphere, cylinder
  Vec3d from, to;     // cylinder axis
  friend bool operator==(const Region&, const Region&) = default;
};

struct ListedParticle {
  Vec3d x, v, w;
  double radius = 0;  // 0: the set's radius
  double mass = 0;    // 0: from density
  friend bool operator==(const ListedParticle&, const ListedParticle&) = default;
};

struct Lattice {  // simple cubic or hexagonal layers inside a region, filled upwards
  enum class Kind { cubic, hexagonal };
  Kind kind = Kind::cubic;
  Region region;
  double spacing = 0;      // 0: twice the largest radius
  double jitter = 0;       // largest random shift per axis, m
  std::int64_t count = 0;  // 0: as many as fit
  friend bool operator==(const Lattice&, const Lattice&) = default;
};

struct RandomAddition {  // random sequential addition
  Region region;
  std::int64_t count = 0;  // one of count and solid_fraction
  double solid_fraction = 0;
  double min_gap = 0;
  std::int64_t max_attempts = 100000;  // consecutive rejections
  friend bool operator==(const RandomAddition&, const RandomAddition&) = default;
};

struct ParticleSet {
  std::string name;
  std::string group;  // "": the set's name
  std::string material;
  RadiusDistribution radius;
  double mass = 0;  // 0: from the density
  Vec3d velocity, spin;
  std::variant<std::vector<ListedParticle>, Lattice, RandomAddition> source;
  bool prescribed = false;  // moves by `motion` only (fixed by default): acts on others, infinite mass
  Motion motion;
  bool inhibit_rotation = false;
  friend bool operator==(const ParticleSet&, const ParticleSet&) = default;
};

struct PlaneShape {
  Vec3d point, normal{0, 0, 1};  // normal points into the domain
  friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};
struct BoxShape {  // six faces seen from inside and outside; open ones are left out
  Vec3d min, max;
  std::array<bool, 6> open{};  // -x, +x, -y, +y, -z, +z
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct CylinderShape {  // lateral surface between two end points; caps are discs if asked for
  Vec3d from, to;
  double radius = 0;
  bool inside = true;  // particles are inside (drum, silo) or outside (post, roller)
  bool cap_from = false, cap_to = false;
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};

struct Wall {
  std::string name;
  std::string material;  // "": rigid, with the wall's own name in contact tables
  std::variant<PlaneShape, BoxShape, CylinderShape> shape;
  Motion motion;
  friend bool operator==(const Wall&, const Wall&) = default;
};

struct GravityField {
  std::string name;
  Vec3d acceleration;
  double start = 0, stop = kForever;
  std::string start_stage, stop_stage;
  friend bool operator==(const GravityField&, const GravityField&) = default;
};

struct Stage {
  std::string name;
  double duration = 0;                      // > 0: runs this long; with at_rest: at most this long
  bool at_rest = false;                     // ends when kinetic energy per particle stays below rest_energy
  double rest_energy = 0;                   // J per particle; 0: 1e-6 of m g d of the mean particle
  std::vector<std::string> remove_walls;    // at the start of the stage
  std::vector<std::string> remove_groups;   // particles taken out, counted as removed, not lost
  std::vector<std::string> release_groups;  // prescribed particles become free
  std::vector<std::string> freeze_groups;   // free particles become fixed
  friend bool operator==(const Stage&, const Stage&) = default;
};

enum class Scheme { drift_kick, kick_drift, velocity_verlet, forward_euler };
enum class DomainRule { open, remove, stop };
enum class Lever { radius, deformed };

struct Numerics {
  Scheme scheme = Scheme::drift_kick;
  double dt = 0;            // 0: automatic
  double dt_fraction = 20;  // automatic: shortest contact time / this
  double max_speed = 0;     // closing speed for the estimate; 0: from the case
  double skin = 0;          // 0: automatic
  bool ledger = true;
  bool exact_rotation = true;  // rotation_increment = exact | source
  Lever lever = Lever::radius;
  double start_overlap = 0.05;  // of the smaller radius; beyond it a case is refused
  double max_overlap = 0.5;     // of the smaller radius; beyond it the run stops as blown up
  int threads = 0;              // 0: all cores
  std::uint64_t seed = 1;
  friend bool operator==(const Numerics&, const Numerics&) = default;
};

struct Domain {
  bool bounded = false;  // false: open everywhere
  Box box;
  std::array<bool, 3> periodic{};
  DomainRule rule = DomainRule::open;  // what happens to a centre outside the box in other directions
  int dimension = 3;
  int flat_axis = 2;          // dimension 2: the axis without motion
  double disk_thickness = 0;  // dimension 2: > 0 gives disks, m = pi r^2 h rho, j = m r^2 / 2
  friend bool operator==(const Domain&, const Domain&) = default;
};

struct SolidFractionRegion {
  std::string name;
  Region region;
  friend bool operator==(const SolidFractionRegion&, const SolidFractionRegion&) = default;
};

struct Output {
  double frames = 0;                // s between frames; 0: only first and last
  double series = 0;                // s between lines of the series; 0: automatic (1/200 of the run)
  double checkpoint_wall = 60;      // s of wall time between checkpoints; 0: none
  bool contacts = true;             // write contacts with the frames
  std::vector<std::int64_t> track;  // ids whose motion is written to the series
  std::vector<SolidFractionRegion> solid_fraction;
  friend bool operator==(const Output&, const Output&) = default;
};

struct Case {
  std::string title;
  std::vector<Material> materials;
  std::vector<ContactPair> contacts;
  std::vector<ParticleSet> particles;
  std::vector<Wall> walls;
  std::vector<GravityField> gravity;
  std::vector<Stage> stages;  // at least one
  Domain domain;
  Numerics numerics;
  Output output;
  friend bool operator==(const Case&, const Case&) = default;
};

// Every rule that does not need a file position: unknown materials, missing pairs, impossible values.
// Empty when the case is sound.
struct Problem;
std::vector<Problem> validate(const Case& c);

}  // namespace areia
