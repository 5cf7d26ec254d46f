// A case: everything a user may say about a simulation, typed, in SI units. Plain data without behaviour.
// io/ makes it from a TOML file; a C++ program may fill it by hand. `validate` (io-free) checks either.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "areia/course.h"
#include "areia/vec3.h"
#include "areia/wall_shape.h"

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

// Where the laws of a pair come from: the name of a contact table of the case file, which may be that of another pair.
// It makes no difference between two pairs.
struct TableName {
  std::string name;  // "": filled in by a program
  friend bool operator==(const TableName&, const TableName&) { return true; }
};

// What acts between two materials. a == b is allowed; (a, b) and (b, a) are the same entry.
struct ContactPair {
  std::string a, b;
  TableName table;
  LawChoice normal, tangential, rolling, twisting, adhesion;
  LawChoice impact;  // engine = events: takes the place of all the others
  friend bool operator==(const ContactPair&, const ContactPair&) = default;
};

struct MotionRow {  // a line of a tabulated motion; between lines it is interpolated
  double time = 0;  // s since the start of the motion, ascending, the first one 0
  Vec3d shift;      // m, from the first placement
  Vec3d turn;       // rotation vector about `point`, rad
  friend bool operator==(const MotionRow&, const MotionRow&) = default;
};

struct Motion {
  enum class Kind { fixed, constant, oscillating, rotating, table, formula };
  Kind kind = Kind::fixed;
  Vec3d velocity;                       // constant: m/s
  Vec3d amplitude;                      // oscillating: displacement = amplitude sin(omega (t - t0) + phase), m
  double omega = 0;                     // oscillating and rotating: rad/s
  double phase = 0;                     // rad
  Vec3d point, axis{0, 0, 1};           // rotating, formula: about the axis through the point; table: turns about it
  std::vector<MotionRow> table;         // table: cubic in time, with the rates of neighbouring lines
  std::array<Formula, 3> shift;         // formula: displacement along x, y, z in m, less its value at t = 0
  Formula angle;                        // formula: turn about the axis in rad, likewise
  double start = 0, stop = kForever;    // s; before start and after stop the body keeps its place
  std::string start_stage, stop_stage;  // if named: the start of that stage replaces start / stop
  // Further parts, one after the other: each carries what those before it have moved. They have no such parts.
  std::vector<Motion> then;
  friend bool operator==(const Motion&, const Motion&) = default;
};

struct RadiusShare {  // a line of a grading curve or of a table of radii
  double radius = 0;  // m
  double share = 0;   // grading: mass fraction passing this size, 0 to 1, ascending; table: relative number
  friend bool operator==(const RadiusShare&, const RadiusShare&) = default;
};

struct RadiusDistribution {
  enum class Kind { fixed, uniform, gaussian, grading, table };
  Kind kind = Kind::fixed;
  double value = 0;                 // fixed
  double min = 0, max = 0;          // uniform
  double mean = 0, std = 0;         // gaussian
  double truncate = 3;              // gaussian: in standard deviations, by rejection
  std::vector<RadiusShare> shares;  // grading, table
  friend bool operator==(const RadiusDistribution&, const RadiusDistribution&) = default;
};

struct TriangleMesh;

// The closed surface of a region, prepared for the question of what lies inside. It follows from the file alone, so
// that it makes no difference between two regions.
struct RegionSurface {
  std::shared_ptr<const TriangleMesh> mesh;  // none before a scene is made of the case
  friend bool operator==(const RegionSurface&, const RegionSurface&) { return true; }
};

// The periods of the domain, along which a region repeats itself; 0 along axes that do not. They follow from the case,
// and make no difference between two regions, either.
struct RegionPeriods {
  Vec3d length;
  bool any() const { return length.x > 0 || length.y > 0 || length.z > 0; }
  friend bool operator==(const RegionPeriods&, const RegionPeriods&) { return true; }
};

struct Region {
  enum class Kind { box, sphere, cylinder, half_space, slab, mesh, all };
  Kind kind = Kind::box;
  Box box;
  Vec3d center;           // sphere
  double radius = 0;      // sphere, cylinder
  Vec3d from, to;         // cylinder axis; slab: between the two planes normal to from - to
  Vec3d point, normal;    // half_space: where (x - point) . normal > 0
  std::string mesh;       // mesh: file of a closed surface; inside it
  double scale = 1;       // mesh: metres per unit of the file
  bool outside = false;   // the complement
  RegionSurface surface;  // mesh: filled in by the program
  RegionPeriods periods;  // filled in by the program
  friend bool operator==(const Region&, const Region&) = default;
};

// A region that stands for all space: the default of everything that acts everywhere.
inline Region everywhere() {
  Region r;
  r.kind = Region::Kind::all;
  return r;
}

// When something acts: between two times, or from the start of a stage to the start of another.
struct Interval {
  double start = 0, stop = kForever;    // s
  std::string start_stage, stop_stage;  // if named: the start of that stage replaces start / stop
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct ListedParticle {
  Vec3d x, v, w;
  double radius = 0;  // 0: the set's radius
  double mass = 0;    // 0: from density
  double charge = 0;  // C; 0: the set's charge
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

// Random sequential addition, by itself or as the beginning of a denser packing.
struct RandomAddition {
  // layers: added in layers above the present surface, each left to settle under gravity; grow: placed with reduced
  // radii that grow while the packing relaxes (beyond the limit of random addition)
  enum class Method { rsa, layers, grow };
  Method method = Method::rsa;
  bool relax = false;        // rsa, grow: afterwards run with damping until at rest
  double layer = 0;          // layers: thickness of one, m; 0: chosen
  double settle_energy = 0;  // layers, relax: kinetic energy per particle that counts as rest, J; 0: chosen
  double settle_time = 0;    // layers, relax: longest time of one settling, s; 0: chosen
  static constexpr double kFrictionOfCase = -1;
  double friction = kFrictionOfCase;  // layers, relax: coefficient of all contacts while they settle
  Region region;
  std::int64_t count = 0;  // one of count and solid_fraction
  double solid_fraction = 0;
  double min_gap = 0;
  std::int64_t max_attempts = 100000;  // consecutive rejections
  friend bool operator==(const RandomAddition&, const RandomAddition&) = default;
};

struct Stream {            // an inlet: particles that come while the simulation runs
  Region region;           // they appear here, without overlap
  double rate = 0;         // particles per second; one of rate and mass_rate
  double mass_rate = 0;    // kg/s
  std::int64_t count = 0;  // in all; 0: without end
  double every = 0;        // s between insertions; 0: chosen
  Interval when;
  friend bool operator==(const Stream&, const Stream&) = default;
};

// Particles that come from the start state of the case (Case::start): those of the set of this name there.
struct Carried {
  friend bool operator==(const Carried&, const Carried&) = default;
};

struct ParticleSet {
  std::string name;
  std::string group;  // "": the set's name
  std::string material;
  RadiusDistribution radius;
  double mass = 0;    // 0: from the density
  double charge = 0;  // C, of each particle
  Vec3d velocity, spin;
  double velocity_std = 0;  // m/s, of each component of a random velocity with zero mean over the set
  std::variant<std::vector<ListedParticle>, Lattice, RandomAddition, Stream, Carried> source;
  bool prescribed = false;  // moves by `motion` only (fixed by default): acts on others, infinite mass; carried ones
                            // that were prescribed stay so, whatever this says
  Motion motion;
  bool inhibit_rotation = false;
  friend bool operator==(const ParticleSet&, const ParticleSet&) = default;
};

// The surface of a wall that moves in itself, as that of a belt, a roller or a turntable, while the wall stays where
// its motion has it. At a contact its velocity is the part of
//   factor (velocity + rate axis x (x - point))
// along the surface. Vectors are those of the wall as it was placed; they go along with its motion.
struct Surface {
  Vec3d velocity;              // m/s
  double rate = 0;             // rad/s
  Vec3d axis{0, 0, 1}, point;  // of the rate
  Course factor{1};            // times all this
  Interval when;               // else the surface rests
  bool moves() const { return !(velocity == Vec3d{}) || rate != 0; }
  friend bool operator==(const Surface&, const Surface&) = default;
};

// A wall that moves along an axis until the particles push it with a given force.
struct Servo {
  bool on = false;
  Vec3d axis{0, 0, 1};   // the wall moves along it; a push of the particles along +axis counts positive
  Course force;          // N; one of force and pressure
  Course pressure;       // Pa on
  double area = 0;       // m^2
  double max_speed = 0;  // m/s
  double gain = 0;       // m/s per N of missing force; 0: chosen
  double min_shift = -kForever, max_shift = kForever;  // m along the axis from the first placement
  Interval when;
  friend bool operator==(const Servo&, const Servo&) = default;
};

struct Wall {
  std::string name;
  std::string material;  // "": rigid, with the wall's own name in contact tables
  WallShape shape;
  Motion motion;
  Surface surface;
  Servo servo;
  Interval when;  // the wall is there only then
  friend bool operator==(const Wall&, const Wall&) = default;
};

// Pairs of walls across x, y and z that load a sample by stresses or strain rates. Both walls of a pair move alike,
// away from the middle between them or towards it. Compression counts positive.
struct Loading {
  struct Axis {
    std::string low, high;  // walls; none: the domain is periodic here, or the length does not count
    Course stress;          // Pa to hold: the mean force on the two walls over the area between the other walls
    Course strain_rate;     // 1/s of the present length
    enum class By { nothing, stress, strain_rate } by = By::nothing;  // nothing: the walls keep their places
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::string name;
  std::array<Axis, 3> axis;
  double max_speed = 0;  // m/s, of a wall that follows a stress
  double gain = 0;       // m/s per N of missing force; 0: chosen
  Interval when;
  friend bool operator==(const Loading&, const Loading&) = default;
};

struct ForceField {
  enum class Kind { gravity, electric, magnetic };
  std::string name;
  Kind kind = Kind::gravity;
  Vec3d value;                   // m/s^2, V/m or T
  Vec3d turn_axis{0, 0, 1};      // the vector turns about this axis ...
  double turn_rate = 0;          // ... at this rate, rad/s, from the start of the field
  Region region = everywhere();  // by the particle's centre
  double start = 0, stop = kForever;
  std::string start_stage, stop_stage;
  friend bool operator==(const ForceField&, const ForceField&) = default;
};

// A part of the fluid's velocity: velocity + gradient (x - point). Parts that overlap add.
struct Flow {
  std::string name;
  Vec3d velocity;                   // m/s
  std::array<Vec3d, 3> gradient{};  // rows d v_x/d(x,y,z), d v_y/d.., d v_z/d.., 1/s
  Vec3d point;                      // m
  Region region = everywhere();
  double start = 0, stop = kForever;
  std::string start_stage, stop_stage;
  friend bool operator==(const Flow&, const Flow&) = default;
};

struct Fluid {
  enum class Drag { none, chow, schiller_naumann, linear, stokes };
  double density = 0, viscosity = 0;  // kg/m^3, Pa s
  Drag drag = Drag::none;
  double coefficient = 0;  // linear: p_A in kg/s; stokes: c_e in Pa s, 0 takes the viscosity
  double magnus = 0;       // M in kg; 0: none
  bool buoyancy = false;
  std::vector<Flow> flows;  // at rest without any
  friend bool operator==(const Fluid&, const Fluid&) = default;
};

// Attraction and repulsion at a distance: f_i = (k_at d^-a_at - k_rep d^-a_rep) n for d < cutoff.
struct DistanceForce {
  enum class Law { power, lennard_jones, coulomb };
  std::string name;
  Law law = Law::power;
  std::string group_a, group_b;                     // "": all particles
  double k_at = 0, a_at = 0, k_rep = 0, a_rep = 0;  // power; k in N m^a
  double depth = 0, size = 0;                       // lennard_jones: epsilon in J, sigma in m
  double permittivity = 8.8541878128e-12;           // coulomb: F/m; the charges are those of the particles
  double cutoff = kForever;                         // m; none: every pair, exactly
  bool shift = false;                               // subtract the force at the cut-off
  std::vector<std::string> walls;                   // walls that act on group_a with the same law, d to the wall
  friend bool operator==(const DistanceForce&, const DistanceForce&) = default;
};

// Geometric bonds (GBPM): springs between anchors that are fixed in the bodies.
struct BondSet {
  enum class Between { touching, near, list };  // touching: gap <= max_gap; near: centres within max_distance
  enum class Damping { value, critical };
  enum class Anchor { common, surface };
  enum class Point { midpoint, anchors };
  std::string name;
  Between between = Between::touching;
  std::string group_a, group_b;                    // group_b "": among group_a
  std::string wall;                                // bonds of group_a to this wall, in place of group_b
  double max_gap = 0;                              // touching: m
  double max_distance = 0;                         // near: m
  std::vector<std::array<std::int64_t, 2>> pairs;  // list: particle ids
  int anchors = 1;                                 // per pair; from 2 on, on a ring in the contact plane
  double ring_radius = 0;                          // m; 0 with a cement radius: that over sqrt(2)
  double radius = 0;                               // of the cement, m; its area is pi radius^2
  double radius_factor = 0;                        // the same over the smaller radius of the two bodies
  double stiffness = 0;                            // k of one anchor along the line of centres, N/m
  double young = 0;                                // of the cement, Pa, in place of k: young area/(length anchors)
  double shear_ratio = 1;                          // k across the line of centres over k along it
  Damping damping = Damping::value;
  double damper = 0;           // c of one anchor, N s/m
  double damping_ratio = 0;    // in place of c: of the critical damper, along and across the line of centres alike
  double strength = kForever;  // of one anchor, N, whatever the direction of its force; or by direction:
  double tensile_strength = kForever, shear_strength = kForever, compressive_strength = kForever;  // N
  double tensile_stress = kForever, shear_stress = kForever,
         compressive_stress = kForever;  // Pa on its share of the area
  double weibull_modulus = 0;            // 0: no scatter
  bool break_on_elastic = false;         // else on the total force
  Anchor anchor = Anchor::common;
  Point point = Point::midpoint;
  bool contact = true;      // bonded pairs touch as others do
  std::string start_stage;  // made when this stage begins; "": at the start
  friend bool operator==(const BondSet&, const BondSet&) = default;
};

// A key of the case that has another value from a stage on: "contacts.grain-grain.tangential.mu", and the value as
// TOML.
struct StageSetting {
  std::string key, value;
  friend bool operator==(const StageSetting&, const StageSetting&) = default;
};

struct Stage {
  std::string name;
  double duration = 0;                      // > 0: runs this long; where an event ends it: at most this long
  bool at_rest = false;                     // ends when kinetic energy per particle stays below rest_energy
  double rest_energy = 0;                   // J per particle; 0: 1e-6 of m g d, or 1e-9 of the most seen
  std::string value;                        // ends when this number of a series, "state.particles", passes a bound:
  double above = kForever;                  // rises above this one,
  double below = -kForever;                 // or falls below that one
  double every = 0;                         // s between two looks at it; 0: 100 steps
  std::vector<StageSetting> set;            // keys with another value from the start of the stage on
  std::vector<std::string> remove_walls;    // at the start of the stage
  std::vector<std::string> insert_walls;    // walls that were not there before, or had been removed
  std::vector<std::string> remove_groups;   // particles taken out, counted as removed, not lost
  std::vector<std::string> release_groups;  // prescribed particles become free
  std::vector<std::string> freeze_groups;   // free particles become fixed

  bool ends_by_event() const { return at_rest || !value.empty(); }
  friend bool operator==(const Stage&, const Stage&) = default;
};

enum class Scheme { drift_kick, kick_drift, velocity_verlet, forward_euler, trapezoid };
enum class DomainRule { open, remove, stop };
enum class Lever { radius, deformed };

// The generalized trapezoid: fixed-point sweeps and the control of the step size.
struct Implicit {
  enum class Sweep { jacobi, gauss_seidel };
  enum class Predictor { uniform, rest };
  enum class Adapt { none, campello, zohdi };
  enum class OnStall { accept, stop };
  double phi = 0.5;
  Sweep sweep = Sweep::jacobi;
  Predictor predictor = Predictor::uniform;
  int max_sweeps = 50;
  double tol_x = 1e-6, tol_a = 1e-6, tol_v = 1e-5, tol_w = 1e-5, tol_abs = 1e-15;
  bool test_velocities = true;
  Adapt adapt = Adapt::none;
  int desired_sweeps = 6;  // N_des of campello, K_d of zohdi
  double max_error = 1e6;  // beyond it a step is given up
  double dt_min = 0;       // adaptive: smallest step; 0: 1e-3 of numerics.dt, which is the largest
  OnStall on_stall = OnStall::accept;
  friend bool operator==(const Implicit&, const Implicit&) = default;
};

enum class Collisions { soft, hard };  // soft contacts in time steps, or hard spheres from collision to collision

// engine = events only.
struct Events {
  double contact_time = 0;   // s; a body that collided less than this ago collides elastically; 0: off
  double collapse_time = 0;  // s; a hundred collisions of a particle within it are a collapse; 0: 1e-10 of the run
  friend bool operator==(const Events&, const Events&) = default;
};

struct Numerics {
  Collisions collisions = Collisions::soft;
  Scheme scheme = Scheme::drift_kick;
  double dt = 0;            // 0: automatic
  double dt_fraction = 20;  // automatic: shortest contact time / this
  double max_speed = 0;     // closing speed for the estimate; 0: from the case
  double skin = 0;          // 0: automatic
  Implicit implicit;        // scheme = trapezoid only
  Events events;            // engine = events only
  bool ledger = true;
  bool exact_rotation = true;  // rotation_increment = exact | source
  Lever lever = Lever::radius;
  double start_overlap = 0.05;  // of the smaller radius; beyond it a case is refused
  double max_overlap = 0.5;     // of the smaller radius; beyond it the run stops as blown up
  int threads = 0;              // 0: as many as help, of the cores it may use
  std::uint64_t seed = 1;
  friend bool operator==(const Numerics&, const Numerics&) = default;
};

// A load on the periodic cell along some of its axes: a rate of strain, or a stress that a servo holds. Shortening and
// compression count positive.
struct CellLoad {
  enum class Control { strain_rate, stress };
  std::string name;
  std::array<bool, 3> axes{};
  Control control = Control::strain_rate;
  double strain_rate = 0;  // 1/s, of the present length: -(d length/dt)/length
  double stress = 0;       // Pa, normal stress across the axis
  double max_rate = 0;     // stress: largest rate of strain of the servo, 1/s; 0: chosen
  double gain = 1;         // stress: times the gain that is chosen
  Interval when;           // where several loads act on an axis, the last of them leads
  friend bool operator==(const CellLoad&, const CellLoad&) = default;
};

struct Domain {
  bool bounded = false;  // false: open everywhere
  Box box;
  std::array<bool, 3> periodic{};
  DomainRule rule = DomainRule::open;  // what happens to a centre outside the box in other directions
  int dimension = 3;
  int flat_axis = 2;              // dimension 2: the axis without motion
  double disk_thickness = 0;      // dimension 2: > 0 gives disks, m = pi r^2 h rho, j = m r^2 / 2
  std::vector<CellLoad> loading;  // none: the box stays as it is

  bool deforms() const { return !loading.empty(); }
  friend bool operator==(const Domain&, const Domain&) = default;
};

struct SolidFractionRegion {
  std::string name;
  Region region;
  friend bool operator==(const SolidFractionRegion&, const SolidFractionRegion&) = default;
};

// Something measured while the case runs, into its own file NAME.csv; fields and wear also into VTK files.
struct Measure {
  enum class Kind {
    repose_angle,          // four-slope method on the heap of `group`
    deposit,               // distances and thickness on a plate, share within `radius` of the axis
    granular_temperature,  // fluctuation of the velocities in `region`
    mixing,                // Lacey index of group and other_group over cells
    stress,                // average stress tensor in `region`
    fabric,                // fabric tensor in `region`
    mass_flow,             // through the plane at `point` with `axis`, within `radius`
    count,                 // number and mass of the particles in `region`
    center_of_mass,        // of the particles in `region`, and its velocity
    field,                 // coarse-grained density, velocity, stress, temperature on a grid over `region`
    profile,               // the same in slices of `region` along `axis`
    residence,             // how long particles stay in `region`
    force_distribution,    // histograms of the contact forces in `region`
    radial_distribution,   // g(r) about the particles in `region`
    wear,                  // work of sliding and of impacts on walls, triangle by triangle on meshes
    loading                // stress, strain and volume between the walls of a loading
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::loading) + 1;
  enum class Weight { number, mass };
  std::string name;
  Kind kind = Kind::repose_angle;
  double every = 0;                // s between looks; 0: with the series
  double average = 0;              // s: each line is the mean over a window of this length; 0: of one instant
  std::string group, other_group;  // "": all free particles
  Region region = everywhere();
  Vec3d axis{0, 0, 1};  // up (repose_angle), plate normal towards the particles (deposit), flow direction (mass_flow),
                        // across the slices (profile)
  Vec3d point;          // on the axis: base centre, plate, surface
  double radius = 0;    // deposit: target; mass_flow: of the opening, 0 = the whole plane; radial_distribution: largest
  double cell = 0;      // mixing: m; 0: chosen; field: edge of the grid's cells
  double width = 0;     // field: standard deviation of the coarse-graining function along an axis, m
  std::int64_t bins = 50;          // profile, force_distribution, radial_distribution
  double up_to = 10;               // force_distribution: largest force over the mean
  Weight weight = Weight::number;  // mixing
  std::vector<std::string> walls;  // wear; none: all
  double wear_coefficient = 0;     // wear: volume worn off over normal force and slip, 1/Pa; 0: none
  std::string loading;             // loading: its name
  friend bool operator==(const Measure&, const Measure&) = default;
};

struct Output {
  double frames = 0;              // s between frames; 0: only first and last
  double series = 0;              // s between lines of the series; 0: automatic (1/200 of the run)
  double checkpoint_wall = 60;    // s of wall time between checkpoints; 0: none
  bool contacts = true;           // write contacts with the frames
  double contact_frames = 0;      // s between frames that have contacts; 0: all have
  bool double_precision = false;  // numbers of frames as doubles, else as floats where that is enough
  // Arrays of particles and contacts in frames, beside those that are always there: points, id, radius; i, j, wall.
  std::vector<std::string> arrays{"velocity", "spin",  "force",        "mass",      "charge",
                                  "material", "group", "coordination", "prescribed"};
  std::vector<std::string> contact_arrays{"patch", "force", "normal", "tangential", "overlap"};
  std::vector<std::int64_t> track;  // ids whose motion is written to the series
  std::vector<SolidFractionRegion> solid_fraction;
  std::vector<Measure> measure;
  friend bool operator==(const Output&, const Output&) = default;
};

// The state of another run, once it was read (areia/start.h). The digest of a start tells it from others.
struct StartState;
struct HeldState {
  std::shared_ptr<const StartState> held;
  friend bool operator==(const HeldState&, const HeldState&) { return true; }
};

// Where the case begins: with particles of its own alone, or from the state of another run.
struct Start {
  enum class Walls { as_left, as_written };
  static constexpr double kLast = -1;
  std::string from;              // a results folder, a checkpoint or a frame; "": no other run
  double time = kLast;           // s: the frame of the folder that is nearest to it; kLast: its last checkpoint
  Walls walls = Walls::as_left;  // walls of the same name and shape begin where the run left them, or as written here
  std::string digest;            // of the state; "": not read yet
  HeldState state;
  friend bool operator==(const Start&, const Start&) = default;
};

struct Case {
  std::string title;
  Start start;
  std::vector<Material> materials;
  std::vector<ContactPair> contacts;
  std::vector<ParticleSet> particles;
  std::vector<Wall> walls;
  std::vector<Loading> loading;
  std::vector<ForceField> fields;
  Fluid fluid;
  std::vector<DistanceForce> forces;
  std::vector<BondSet> bonds;
  std::vector<Stage> stages;  // at least one
  Domain domain;
  Numerics numerics;
  Output output;
  friend bool operator==(const Case&, const Case&) = default;
};

// The sum of the gravity entries that act everywhere, whatever their time: "down" for pictures and estimates.
inline Vec3d uniform_gravity(const Case& c) {
  Vec3d g;
  for (const ForceField& f : c.fields)
    if (f.kind == ForceField::Kind::gravity && f.region.kind == Region::Kind::all) g += f.value;
  return g;
}

// Every rule that does not need a file position: unknown materials, missing pairs, impossible values.
// Empty when the case is sound.
struct Problem;
std::vector<Problem> validate(const Case& c);

}  // namespace areia
