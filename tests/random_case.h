// Random cases: forty grains of two materials between walls of every shape, under every law, in every scheme. What a
// seed gives is the same on every machine. Sizes are those of grains of 10 mm at 1 m/s, whose contacts last about a
// millisecond.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "areia/areia.h"
#include "areia/error.h"
#include "core/random.h"
#include "core/rotation.h"
#include "meshes.h"
#include "random_law.h"

namespace areia::test {

class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : random_(mixed_seed({seed, 20})) {
    materials();
    numerics();
    container();
    if (c_.numerics.scheme != Scheme::trapezoid && chance(0.1)) servo();  // which needs an explicit scheme
    if (chance(0.6)) obstacle();
    place();
    fields();
    if (chance(0.25)) fluid();
    if (chance(0.2)) force();
    if (chance(0.25)) bonds();
    random_ = Random(mixed_seed({seed, 21}));
    if (chance(0.4)) surfaces();
    if (chance(0.3)) parts_of_motions();
    stages();
  }

  const Case& made() const { return c_; }
  std::string text() const { return what_; }

 private:
  static constexpr double kRadius = 0.01, kHalf = 0.04;  // of grains; of the space between walls

  double in(double a, double b) { return random_.uniform(a, b); }
  bool chance(double p) { return random_.uniform() < p; }
  int one_of(int n) { return static_cast<int>(n * random_.uniform()); }
  Vec3d direction() {
    for (;;) {
      const Vec3d v = random_.uniform({-1, -1, -1}, {1, 1, 1});
      if (norm2(v) < 1 && norm2(v) > 0.01) return unit(flat_ ? Vec3d{v.x, v.y, 0} : v);
    }
  }
  void say(const std::string& what) { what_ += (what_.empty() ? "" : ", ") + what; }

  // ---- materials and laws ----

  void materials() {
    Material soft{"soft", in(1500, 3000), in(1e7, 4e7), in(0.1, 0.4), in(4e4, 1e5)};
    Material hard{"hard", in(3000, 6000), in(3e7, 8e7), in(0.1, 0.4), in(8e4, 2e5)};
    Material plate{"plate", 0, in(2e7, 1e8), in(0.1, 0.4), in(8e4, 2e5)};
    plate.rigid = chance(0.5);
    c_.materials = {soft, hard, plate};
    const char* const pairs[][2] = {
        {"soft", "soft"}, {"soft", "hard"}, {"hard", "hard"}, {"soft", "plate"}, {"hard", "plate"}};
    for (const auto& names : pairs) {
      ContactPair p;
      p.a = names[0];
      p.b = names[1];
      p.normal = random_law("normal", random_);
      if (chance(0.8)) p.tangential = random_law("tangential", random_);
      const auto clamp = p.normal.words.find("clamp");  // |N| matters where the normal law may pull
      if (p.normal.law != "jkr" && !(clamp != p.normal.words.end() && clamp->second == "off"))
        p.tangential.words.erase("limit");
      if (chance(0.4)) p.rolling = random_law("rolling", random_);
      if (chance(0.4)) p.twisting = random_law("twisting", random_);
      if (chance(0.3) && p.normal.law != "jkr") p.adhesion = random_law("adhesion", random_);
      say(fmt::format("{}-{}: {} {} {} {} {}", p.a, p.b, p.normal.law, p.tangential.law, p.rolling.law, p.twisting.law,
                      p.adhesion.law));
      c_.contacts.push_back(p);
    }
  }

  // ---- walls ----

  Wall& wall(const std::string& name, WallShape shape) {
    Wall w;
    w.name = name;
    w.material = "plate";
    w.shape = std::move(shape);
    c_.walls.push_back(std::move(w));
    return c_.walls.back();
  }

  void rectangles(const Vec3d& a, const Vec3d& b, const Vec3d& d) {
    const Vec3d e[3] = {a, b, d};
    for (int k = 0; k < 3; ++k)
      for (const int side : {-1, 1}) {
        const Vec3d p = e[(k + 1) % 3], q = e[(k + 2) % 3];
        wall(fmt::format("side{}", c_.walls.size()), RectangleShape{double(side) * e[k] - p - q, 2.0 * p, 2.0 * q});
      }
  }

  // Space for the grains with walls around it; `inside_` is where they may be placed.
  void container() {
    const double h = kHalf;
    const Vec3d n = direction(), a = unit(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})),
                b = cross(n, a);
    inside_.kind = Region::Kind::box;
    inside_.box = {{-h, -h, -h}, {h, h, h}};
    const int kind = one_of(13);
    static const char* const names[] = {"box",
                                        "open box",
                                        "planes",
                                        "cylinder",
                                        "sphere",
                                        "cone",
                                        "mesh box",
                                        "mesh tube",
                                        "rectangles",
                                        "periodic slab",
                                        "periodic",
                                        "periodic pipe",
                                        "plane of a 2-D run"};
    say(names[kind]);
    const auto cylindrical = [&](double radius) {
      inside_.kind = Region::Kind::cylinder;
      inside_.from = -h * n;
      inside_.to = h * n;
      inside_.radius = radius;
    };
    const auto period = [&](bool x, bool y, bool z) {
      c_.domain.bounded = true;
      c_.domain.box = inside_.box;
      c_.domain.periodic = {x, y, z};
    };
    switch (kind) {
      case 0:
        wall("box", BoxShape{inside_.box.min, inside_.box.max, {}});
        break;
      case 1:
        wall("box", BoxShape{inside_.box.min, inside_.box.max, {false, true, false, false, false, true}});
        break;
      case 2:
        for (const Vec3d& m : {a, b, n})
          for (const double side : {-1.0, 1.0})
            wall(fmt::format("plane{}", c_.walls.size()),
                 PlaneShape{(1.6 * h * side) * m, -side * m + 0.1 * direction()});
        break;
      case 3:
        cylindrical(1.1 * h);
        wall("can", CylinderShape{inside_.from, inside_.to, 1.1 * h, true, true});
        break;
      case 4:
        inside_.kind = Region::Kind::sphere;
        inside_.radius = 1.25 * h;
        wall("ball", SphereShape{{}, 1.25 * h});
        break;
      case 5:
        cylindrical(h);
        wall("cone", ConeShape{inside_.from, inside_.to, h, 1.4 * h});
        wall("base", DiskShape{inside_.from, n, h, 0.5 * kRadius});
        wall("lid", DiskShape{inside_.to, n, 1.4 * h, 0});
        break;
      case 6: {
        MeshShape mesh = box_mesh(inside_.box.min, inside_.box.max, 1 + one_of(3));
        const Quat q = about_axis(n, in(0, 0.3));
        for (Vec3d& v : mesh.vertices) v = 1.3 * rotate(q, v);
        wall("mesh", mesh);
        break;
      }
      case 7:
        cylindrical(0.95 * h);
        wall("tube", tube_mesh(inside_.from, inside_.to, 1.05 * h, 16, 2));
        wall("from", PlaneShape{inside_.from, n});
        wall("to", PlaneShape{inside_.to, -n});
        break;
      case 8:
        cylindrical(1.2 * h);
        rectangles(1.2 * h * a, 1.2 * h * b, h * n);
        break;
      case 9:
        period(true, true, false);
        wall("floor", PlaneShape{{0, 0, -h}, {0, 0, 1}});
        wall("lid", PlaneShape{{0, 0, h}, {0, 0, -1}});
        break;
      case 10:
        period(true, true, true);
        break;
      case 11:
        inside_.kind = Region::Kind::cylinder;
        inside_.from = {0, 0, -h};
        inside_.to = {0, 0, h};
        inside_.radius = 1.1 * h;
        inside_.box = {{-2 * h, -2 * h, -h}, {2 * h, 2 * h, h}};
        period(false, false, true);
        wall("pipe", CylinderShape{{0, 0, -h}, {0, 0, h}, 1.1 * h});
        break;
      default:
        flat_ = true;
        c_.domain.dimension = 2;
        if (chance(0.5)) c_.domain.disk_thickness = kRadius;
        inside_.box = {{-2 * h, -2 * h, 0}, {2 * h, 2 * h, 0}};
        if (chance(0.5)) {
          inside_.box.max.z = 4 * kRadius;
          inside_.box.min.z = -4 * kRadius;
          period(true, false, false);
          inside_.box.min.z = inside_.box.max.z = 0;
          wall("south", PlaneShape{{0, -2 * h, 0}, {0, 1, 0}});
          wall("north", PlaneShape{{0, 2 * h, 0}, {0, -1, 0}});
        } else {
          wall("box", BoxShape{{-2 * h, -2 * h, -h}, {2 * h, 2 * h, h}, {}});
        }
    }
    if (!c_.walls.empty() && chance(0.4)) {
      const Motion m = motion({}, 0.5);
      // all of it, or a part that goes nowhere by it
      if (m.kind == Motion::Kind::oscillating || m.kind == Motion::Kind::constant || !c_.domain.bounded)
        for (Wall& w : c_.walls) w.motion = m;
    }
  }

  // A motion of about `speed` m/s at the size of the container.
  Motion motion(const Vec3d& point, double speed) {
    Motion m;
    m.axis = flat_ ? Vec3d{0, 0, 1} : direction();
    switch (one_of(4)) {
      case 0:
        m.kind = Motion::Kind::constant;
        m.velocity = in(0.2, 1) * speed * direction();
        break;
      case 1:
        m.kind = Motion::Kind::oscillating;
        m.omega = in(100, 500);
        m.amplitude = speed / m.omega * direction();
        m.phase = in(0, 6);
        break;
      case 2:
        m.kind = Motion::Kind::rotating;
        m.omega = in(-1, 1) * speed / kHalf;
        m.point = point;
        break;
      default: {
        m.kind = Motion::Kind::table;
        m.point = point;
        MotionRow row;
        for (int k = 0; k < 30; ++k) {
          m.table.push_back(row);
          row.time += in(0.005, 0.015);
          row.shift += 0.005 * speed * direction();
          row.turn += 0.1 * speed * (flat_ ? Vec3d{0, 0, in(-1, 1)} : direction());
        }
      }
    }
    say(fmt::format("motion {}", static_cast<int>(m.kind)));
    return m;
  }

  // Something in the midst of the grains, or at a face of the periodic box.
  void obstacle() {
    const Vec3d n = flat_ ? Vec3d{0, 0, 1} : direction(), a = unit(cross(n, {0.3, 0.5, 0.81})), b = cross(n, a);
    const double r = kRadius;
    Vec3d x = 0.6 * kHalf * direction();
    if (c_.domain.periodic[0] && chance(0.5)) x.x = -inside_.box.max.x;
    const int kind = flat_ ? one_of(2) : one_of(9);
    static const char* const names[] = {"ball",  "rod",        "cone",      "ring", "plate",
                                        "block", "mesh block", "half tube", "tip"};
    say(names[kind]);
    switch (kind) {
      case 0:
        wall("obstacle", SphereShape{x, 1.3 * r});
        break;
      case 1:
        wall("obstacle", CylinderShape{x - 1.5 * r * n, x + 1.5 * r * n, 0.8 * r, true, true});
        break;
      case 2:
        wall("obstacle", ConeShape{x, x + 2 * r * n, 0.5 * r, 1.5 * r});
        break;
      case 3:
        wall("obstacle", DiskShape{x, n, 2 * r, 0.8 * r});
        break;
      case 4:
        wall("obstacle", RectangleShape{x, 2.5 * r * a, 1.5 * r * b});
        break;
      case 5:
        wall("obstacle", BoxShape{x - Vec3d{r, r, r}, x + Vec3d{r, 0.5 * r, 1.2 * r}, {}});
        break;
      case 6: {
        MeshShape mesh = box_mesh({-r, -r, -r}, {r, r, r}, 1);
        const Quat q = about_axis(n, in(0, 3));
        for (Vec3d& v : mesh.vertices) v = x + rotate(q, v);
        wall("obstacle", mesh);
        break;
      }
      case 7:
        wall("obstacle", tube_mesh(x, x + 2 * r * n, 1.2 * r, 9, 1));
        break;
      default:
        wall("obstacle", ConeShape{x, x + 2 * r * n, r, 0});
    }
    if (chance(0.6)) c_.walls.back().motion = motion(x, 1);
    if (chance(0.15)) c_.walls.back().when = {in(1e-3, 2e-3), in(0.01, 0.02), "", ""};
  }

  void servo() {
    const Vec3d n = direction();
    Wall& w = wall("press", RectangleShape{0.8 * kHalf * n, 2 * kRadius * unit(cross(n, {0.1, 0.2, 0.9})), {}});
    auto& plate = std::get<RectangleShape>(w.shape);
    plate.edge_b = 2 * kRadius * unit(cross(n, plate.edge_a));
    w.servo.on = true;
    w.servo.axis = n;
    w.servo.force = in(1, 10);
    w.servo.max_speed = in(0.2, 1);
    w.servo.gain = in(0.05, 0.3);
    say("servo");
  }

  // Walls that convey: along, or about an axis, for a while or with a factor that changes.
  void surfaces() {
    for (Wall& w : c_.walls) {
      const bool glued = !c_.bonds.empty() && c_.bonds[0].wall == w.name;  // a surface would tear such bonds
      if (glued || !chance(0.5)) continue;
      Surface& s = w.surface;
      if (chance(0.6) || c_.domain.bounded) s.velocity = in(0.2, 1) * direction();
      // what turns is not the same in each image of a periodic wall
      if (!s.moves() || (chance(0.3) && !c_.domain.bounded)) {
        s.rate = in(-20, 20);
        s.axis = flat_ ? Vec3d{0, 0, 1} : direction();
        s.point = 0.5 * kHalf * direction();
      }
      if (chance(0.3)) s.when = {in(1e-3, 2e-3), in(0.01, 0.02), "", ""};
      if (chance(0.3)) {
        s.factor.kind = Course::Kind::ramp;
        s.factor.from = in(-1, 0.5);
        s.factor.to = in(0.5, 2);
        s.factor.over = in(1e-3, 5e-3);
      }
      say("surface of " + w.name);
    }
  }

  // What moves, moves in a second way besides.
  void parts_of_motions() {
    for (Wall& w : c_.walls)
      if (w.motion.kind != Motion::Kind::fixed && !c_.domain.bounded) w.motion.then.push_back(motion({}, 0.5));
  }

  // ---- grains ----

  void place() {
    ParticleSet grains;
    grains.material = "soft";
    grains.radius.kind = RadiusDistribution::Kind::uniform;
    grains.radius.min = 0.6 * kRadius;
    grains.radius.max = 1.1 * kRadius;
    RandomAddition fill;
    fill.region = inside_;
    fill.count = 40;
    grains.source = fill;
    grains.name = "all";
    Case placed = c_;
    placed.numerics = {};
    placed.particles = {grains};
    placed.numerics.seed = static_cast<std::uint64_t>(one_of(1 << 20));
    placed.stages = {Stage{}};
    placed.stages[0].duration = 1e-3;
    const FrameParticles p = Simulation(placed).frame().particles;
    ParticleSet sets[3];
    static const char* const names[] = {"light", "heavy", "pushed"};
    const double speed = in(0.6, 2), spin = chance(0.7) ? in(10, 100) : 0, charge = chance(0.5) ? 2e-7 : 0;
    const bool pushed = chance(0.15);
    for (std::size_t i = 0; i < p.id.size(); ++i) {
      const int k = pushed && i < 2 ? 2 : chance(0.6) ? 0 : 1;
      ListedParticle one;
      one.x = p.x[i];
      one.radius = p.radius[i];
      if (k < 2) {
        one.v = in(0, 2) * speed * direction();
        one.w = in(0, 2) * spin * (flat_ ? Vec3d{0, 0, in(-1, 1)} : direction());
        one.charge = charge * in(-1, 1);
      }
      if (chance(0.1)) one.mass = in(5e-3, 2e-2);
      std::get<0>(sets[k].source).push_back(one);
    }
    for (int k = 0; k < 3; ++k) {
      if (std::get<0>(sets[k].source).empty()) continue;
      sets[k].name = names[k];
      sets[k].material = k == 1 ? "hard" : "soft";
      c_.particles.push_back(sets[k]);
      if (k == 1) c_.particles.back().inhibit_rotation = chance(0.1);
      if (k == 2) {
        c_.particles.back().prescribed = true;
        c_.particles.back().motion = motion({}, 0.7);
      }
    }
    if (charge > 0) say("charged");
  }

  // ---- what acts on them ----

  Region part_of_space() {
    Region r;
    const Vec3d n = direction();
    switch (one_of(4)) {
      case 0:
        r.kind = Region::Kind::half_space;
        r.normal = n;
        r.point = 0.2 * kHalf * n;
        break;
      case 1:
        r.kind = Region::Kind::sphere;
        r.radius = 0.8 * kHalf;
        break;
      case 2:
        r.kind = Region::Kind::cylinder;
        r.from = -kHalf * n;
        r.to = kHalf * n;
        r.radius = 0.5 * kHalf;
        break;
      default: {
        Vec3d across = n;
        const auto& periodic = c_.domain.periodic;
        if (periodic[0] || periodic[1] || periodic[2]) {  // along the axis that is nearest to it
          const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
          across = x >= y && x >= z ? Vec3d{1, 0, 0} : y >= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
        }
        r.kind = Region::Kind::slab;
        r.from = -0.4 * kHalf * across;
        r.to = 0.5 * kHalf * across;
      }
    }
    r.outside = chance(0.2);
    return r;
  }

  void field(const std::string& name, ForceField::Kind kind, const Vec3d& value) {
    ForceField f;
    f.name = name;
    f.kind = kind;
    f.value = value;
    if (chance(0.2)) f.region = part_of_space();
    if (chance(0.2)) {
      f.turn_axis = flat_ ? Vec3d{0, 0, 1} : direction();
      f.turn_rate = in(-50, 50);
    }
    if (chance(0.2)) f.start = in(1e-3, 3e-3);
    if (chance(0.2)) f.stop = in(0.01, 0.02);
    c_.fields.push_back(f);
    say(name);
  }

  void fields() {
    if (chance(0.7)) field("gravity", ForceField::Kind::gravity, in(5, 15) * direction());
    if (chance(0.1)) field("wind", ForceField::Kind::gravity, in(5, 15) * direction());
    if (chance(0.2)) field("electric", ForceField::Kind::electric, in(1e5, 5e5) * direction());
    if (chance(0.2))
      field("magnetic", ForceField::Kind::magnetic, in(3e5, 1e6) * (flat_ ? Vec3d{0, 0, 1} : direction()));
  }

  void fluid() {
    Fluid& f = c_.fluid;
    f.density = in(1, 500);
    f.viscosity = in(1e-3, 0.1);
    f.drag = static_cast<Fluid::Drag>(one_of(5));
    if (f.drag == Fluid::Drag::linear) f.coefficient = in(0.02, 0.1);
    if (f.drag == Fluid::Drag::stokes && chance(0.5)) f.coefficient = in(0.02, 0.2);
    if (chance(0.3)) f.magnus = in(1e-5, 1e-3);
    f.buoyancy = chance(0.3);
    if (chance(0.6)) {
      Flow w;
      w.name = "wind";
      w.velocity = in(0, 2) * direction();
      if (chance(0.5)) {
        w.gradient = {in(-9, 9) * direction(), in(-9, 9) * direction(), in(-9, 9) * direction()};
        if (flat_) w.gradient[2] = {};
        w.point = 0.01 * direction();
      }
      if (chance(0.3)) w.region = part_of_space();
      f.flows.push_back(w);
    }
    say(fmt::format("drag {}", static_cast<int>(f.drag)));
  }

  void force() {
    DistanceForce f;
    f.name = "distant";
    f.law = static_cast<DistanceForce::Law>(one_of(3));
    if (f.law == DistanceForce::Law::power) {
      f.a_at = in(1, 3);
      f.a_rep = in(1, 3);
      f.k_at = in(0.1, 1) * std::pow(0.02, f.a_at);
      f.k_rep = in(0.1, 1) * std::pow(0.02, f.a_rep);
    } else if (f.law == DistanceForce::Law::lennard_jones) {
      f.depth = in(1e-4, 1e-3);
      f.size = in(0.015, 0.02);
    }
    if (c_.domain.bounded || chance(0.5)) f.cutoff = 0.035;
    f.shift = f.cutoff < kForever && chance(0.5);
    if (f.law != DistanceForce::Law::coulomb && !c_.walls.empty() && chance(0.3)) f.walls = {c_.walls[0].name};
    c_.forces.push_back(f);
    c_.numerics.implicit.sweep = Implicit::Sweep::jacobi;  // the other takes seconds with forces of all pairs
    say(fmt::format("force {}", static_cast<int>(f.law)));
  }

  void bonds() {
    BondSet b;
    b.name = "glue";
    b.max_gap = in(0.1, 0.4) * kRadius;
    b.stiffness = in(1e4, 5e4);
    b.anchors = chance(0.4) ? 2 + one_of(3) : 1;
    if (b.anchors > 1) b.ring_radius = in(0.2, 0.5) * kRadius;
    if (chance(0.5)) b.damping_ratio = in(0, 0.5);
    else b.damper = in(0, 3);
    if (chance(0.4)) b.strength = in(3, 20);
    else if (chance(0.4)) {
      b.tensile_strength = in(3, 20);
      b.shear_strength = in(3, 20);
      if (chance(0.5)) b.weibull_modulus = in(2, 8);
    }
    b.break_on_elastic = chance(0.5);
    b.anchor = chance(0.5) ? BondSet::Anchor::common : BondSet::Anchor::surface;
    b.point = chance(0.5) ? BondSet::Point::midpoint : BondSet::Point::anchors;
    if (b.point == BondSet::Point::midpoint && chance(0.5)) b.shear_ratio = in(0.3, 1);
    b.contact = chance(0.7);
    if (!c_.walls.empty() && chance(0.2)) {
      b.wall = c_.walls[0].name;
      b.max_gap = kRadius;
    }
    c_.bonds.push_back(b);
    say(fmt::format("bonds of {} anchors{}", b.anchors, b.wall.empty() ? "" : " to a wall"));
  }

  // ---- time ----

  void numerics() {
    Numerics& n = c_.numerics;
    const int kind = one_of(9);
    n.scheme = kind > 3 ? Scheme::drift_kick : static_cast<Scheme>(1 + kind);
    if (n.scheme == Scheme::trapezoid) {
      // sweeps go on until rounding is all that is left of the error
      n.implicit.tol_x = n.implicit.tol_v = n.implicit.tol_a = n.implicit.tol_w = 1e-11;
      n.implicit.phi = chance(0.5) ? 0.5 : in(0.5, 1);
      n.implicit.sweep = chance(0.5) ? Implicit::Sweep::jacobi : Implicit::Sweep::gauss_seidel;
      n.implicit.predictor = chance(0.5) ? Implicit::Predictor::uniform : Implicit::Predictor::rest;
    }
    n.exact_rotation = chance(0.7);
    n.lever = chance(0.7) ? Lever::radius : Lever::deformed;
    n.max_overlap = 1;
    n.threads = 1;
    say(fmt::format("scheme {}", static_cast<int>(n.scheme)));
  }

  // The step is what the program would choose, from then on a number of the case like others.
  void stages() {
    c_.stages = {Stage{}};
    c_.stages[0].duration = 1;
    const Simulation chooses(c_);
    c_.numerics.dt = chooses.choices().dt;
    c_.numerics.max_speed = chooses.choices().closing_speed;
    c_.stages[0].duration = 3000 * c_.numerics.dt;
    if (!chance(0.3)) return;
    Stage second = c_.stages[0];
    c_.stages[0].name = "first";
    c_.stages[0].duration = (one_of(200) + 60.4) * c_.numerics.dt;  // between two steps
    second.name = "second";
    const bool obstacle = !c_.walls.empty() && c_.walls.back().name == "obstacle" && c_.walls.back().when == Interval{};
    const bool bonded = !c_.bonds.empty() && !c_.bonds[0].wall.empty();
    if (obstacle && !bonded && chance(0.5)) second.remove_walls = {"obstacle"};
    else if (c_.particles.back().prescribed && chance(0.5)) second.release_groups = {"pushed"};
    else if (chance(0.5)) second.freeze_groups = {"heavy"};
    c_.stages.push_back(second);
    say("two stages");
  }

  Random random_;
  Case c_;
  Region inside_;
  bool flat_ = false;
  std::string what_;
};

}  // namespace areia::test
