#include "engine/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/simulation.h"
#include "core/rounding.h"
#include "engine/packing_support.h"
#include "engine/start_from.h"
#include "packing/place.h"
#include "scene/body_mass.h"
#include "scene/radius.h"
#include "scene/region_mesh.h"
#include "scene/scene.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

using Listed = std::vector<ListedParticle>;
using Method = RandomAddition::Method;

constexpr double kLooseFraction = 0.25, kLooseFractionFlat = 0.4;  // easily reached by random addition
constexpr double kLayerFraction = 0.3, kLayerFractionFlat = 0.45;
constexpr std::int64_t kTestInterval = 50;  // steps between looks at the kinetic energy
constexpr double kLongest = 1e6;            // s, longer than any settling

// Contacts without any damping would never come to rest.
void make_damped(LawChoice& normal) {
  const char* ratio = normal.law == "hertz" ? "xi" : normal.law == "linear" ? "beta" : nullptr;
  if (!ratio) return;
  const auto e = normal.numbers.find("restitution"), x = normal.numbers.find(ratio);
  const bool weak = e != normal.numbers.end() ? e->second > 0.9 : x == normal.numbers.end() || x->second < 0.03;
  if (!weak) return;
  normal.numbers.erase(ratio);
  normal.numbers["restitution"] = 0.5;
}

// Contacts without a tangential law stay without friction.
void set_friction(LawChoice& tangential, double mu) {
  if (tangential.law.empty() || tangential.law == "none") return;
  tangential.numbers.erase("mu_static");
  tangential.numbers.erase("mu_dynamic");
  tangential.numbers["mu"] = mu;
}

LawChoice growing_spring() {
  LawChoice spring;
  spring.law = "linear";
  spring.numbers = {{"stiffness", 1}, {"restitution", 0.3}};
  return spring;
}

// The set as one that waits for its particles; tells the choice of the time step which sizes are to come.
void wait_for_particles(ParticleSet& set) {
  Stream later;
  later.region = std::get<RandomAddition>(set.source).region;
  later.rate = 1e-9;
  later.every = 2 * kLongest;
  later.when.start = 2 * kLongest;
  set.source = later;
  set.prescribed = false;
  set.motion = {};
  set.velocity_std = 0;
}

class Packer {
 public:
  Packer(const Case& c, std::size_t k, const PrepareOptions& options)
      : case_(c),
        index_(k),
        options_(options),
        set_(c.particles[k]),
        fill_(std::get<RandomAddition>(set_.source)),
        flat_(c.domain.dimension == 2 ? c.domain.flat_axis : -1),
        gravity_(uniform_gravity(c)),
        random_(mixed_seed({c.numerics.seed, k, 3})) {
    const double g = norm(gravity_);
    if (g > 0) up_ = -(1 / g) * gravity_;
    double density = 0;
    for (const Material& m : c.materials)
      if (m.name == set_.material) density = m.density;
    const double r = rounded(mean_radius(set_.radius));
    weight_energy_ = body_mass(c.domain, r, set_.mass, density).mass * g * 2 * r;
  }

  Packing pack() {
    const std::vector<Ball> balls = packed();
    return {listed(balls), std::move(notes_)};
  }

  // Everything that the packing follows from: the case that its simulations are derived from, the set, gravity.
  std::string depends_on() const {
    Case d = derived();
    for (ParticleSet& s : d.particles)
      if (s.name == set_.name) s.source = fill_;
    d.numerics.threads = 0;
    std::string text = fmt::format("set {}, gravity {} {} {}, start {}\n", index_, gravity_.x, gravity_.y, gravity_.z,
                                   d.start.digest) +
                       to_toml(d);
    for (const ParticleSet& s : d.particles) {
      const auto* f = std::get_if<RandomAddition>(&s.source);
      if (!f || f->region.kind != Region::Kind::mesh) continue;
      const MeshShape mesh = read_mesh(f->region.mesh);  // the case has its name alone
      for (const Vec3d& v : mesh.vertices) text += fmt::format("{} {} {}\n", v.x, v.y, v.z);
      for (const auto& t : mesh.triangles) text += fmt::format("{} {} {}\n", t[0], t[1], t[2]);
    }
    return text;
  }

 private:
  std::vector<Ball> packed() {
    std::vector<Ball> balls;
    switch (fill_.method) {
      case Method::layers:
        return layers();
      case Method::grow:
        balls = grow();
        break;
      case Method::rsa:
        balls = scattered(1, draw_radii(set_, fill_, flat_, random_));
        break;
    }
    if (fill_.relax) {
      if (norm(gravity_) > 0) balls = relaxed(balls);
      else note("nothing to relax without gravity");
    }
    return balls;
  }

  void note(const std::string& text) { notes_.push_back(fmt::format("particles.{}: {}", set_.name, text)); }
  void report(double done, std::size_t particles) const {
    if (options_.progress)
      options_.progress({set_.name, std::clamp(done, 0.0, 1.0), static_cast<std::int64_t>(particles)});
  }
  void look_for_interrupt() const {
    if (options_.interrupt && options_.interrupt->load() != 0)
      throw StoppedError(
          fmt::format("interrupted while the packing of particles.{} was made; nothing was written", set_.name));
  }
  [[noreturn]] void fail(const std::string& key, const std::string& value, const std::string& rule) const {
    throw InputError(fmt::format("particles.{}.fill{}", set_.name, key), value, rule);
  }
  static Listed listed(const std::vector<Ball>& balls) {
    Listed list;
    for (const Ball& b : balls) {
      ListedParticle p;
      p.x = b.x;
      p.radius = b.radius;
      list.push_back(p);
    }
    return list;
  }
  double height(const Vec3d& x) const { return dot(x, up_); }
  // Sizes count as volumes, or as areas in two dimensions.
  double measure(double radius) const { return flat_ < 0 ? radius * radius * radius : radius * radius; }

  // The user's case with this set alone in motion, as a set that waits for its particles.
  Case derived() const {
    Case d = case_;
    d.title = "packing of " + set_.name;
    d.particles.clear();
    for (std::size_t j = 0; j < case_.particles.size(); ++j) {
      ParticleSet s = case_.particles[j];
      s.velocity = s.spin = {};
      s.velocity_std = 0;
      s.motion = {};
      if (j == index_) {
        wait_for_particles(s);
      } else {
        const bool placed = std::holds_alternative<Listed>(s.source) || std::holds_alternative<Lattice>(s.source) ||
                            std::holds_alternative<Carried>(s.source);
        if (std::holds_alternative<Stream>(s.source) || (j > index_ && !placed)) continue;
        s.prescribed = true;
      }
      d.particles.push_back(std::move(s));
    }
    std::erase_if(d.walls, [](const Wall& w) { return w.when.start > 0 || !w.when.start_stage.empty(); });
    for (Wall& w : d.walls) {
      w.motion = {};
      w.surface = {};
      w.servo = {};
      w.when = {};
    }
    d.loading.clear();
    d.fields.clear();
    d.fluid = {};
    d.forces.clear();
    d.bonds.clear();
    Stage stage;
    stage.name = "packing";
    stage.duration = kLongest;
    d.stages = {stage};
    d.domain.rule = DomainRule::open;
    d.domain.loading.clear();
    d.output = {};
    if (d.numerics.scheme == Scheme::trapezoid) d.numerics.dt = 0;
    d.numerics.scheme = Scheme::drift_kick;
    d.numerics.implicit = {};
    if (d.numerics.collisions == Collisions::hard)  // hard spheres can only grow, and that is done with springs
      for (ContactPair& p : d.contacts) {
        p.normal = growing_spring();
        p.impact = {};
      }
    d.numerics.collisions = Collisions::soft;
    d.numerics.events = {};
    d.numerics.ledger = false;
    return d;
  }
  Case under_gravity() const {
    Case d = derived();
    ForceField g;
    g.name = "gravity";
    g.value = gravity_;
    d.fields = {g};
    for (ContactPair& p : d.contacts) {
      make_damped(p.normal);
      if (fill_.friction != RandomAddition::kFrictionOfCase) set_friction(p.tangential, fill_.friction);
    }
    return d;
  }

  // Particles of this set in a simulation of a derived case: all that are not prescribed.
  std::vector<Ball> mine(const Frame& f) const {
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < f.particles.id.size(); ++i)
      if (!f.particles.prescribed[i]) balls.push_back({f.particles.x[i], f.particles.radius[i]});
    return balls;
  }

  // Random addition at reduced size among the other sets and the walls.
  std::vector<Ball> scattered(double scale, const std::vector<double>& radii) {
    const Scene scene = scene_of(derived());
    PlacedBalls placed(periodicity_of(case_.domain));
    for (std::size_t i = 0; i < scene.particles.size(); ++i)
      placed.add({scene.particles.x[i], scene.particles.radius[i]});
    const std::vector<PlacedWall> walls = walls_at_start(scene.walls);
    const PlaceRule rule{fill_.region, fill_.min_gap, fill_.max_attempts, flat_, periodicity_of(case_.domain)};
    std::vector<std::size_t> order(radii.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
    std::vector<Ball> balls(radii.size());
    std::int64_t attempts = 0;
    std::size_t done = 0;
    for (std::size_t i : order) {
      const double radius = scale * radii[i];
      const auto x = find_place(rule, radius, random_, placed, walls, attempts);
      if (!x)
        fail("", fmt::format("{}", radii.size()),
             fmt::format("only {} of {} particles found room for {:.3g} of their size; the region is too small, or "
                         "walls and other particles fill it",
                         done, radii.size(), scale));
      placed.add({*x, radius});
      balls[i] = {*x, radius};
      ++done;
    }
    return balls;
  }

  void require_support(const Simulation& s) const {
    const Frame f = s.frame();
    const double low = lowest_support(s.settings().walls, f, up_);
    const std::vector<Ball> balls = mine(f);
    const auto fallen =
        std::count_if(balls.begin(), balls.end(), [&](const Ball& b) { return height(b.x) + b.radius < low; });
    if (fallen > 0)
      fail(
          ".region", "",
          fmt::format("does not hold its particles: {} of {} fell below all walls and particles that stand still; give "
                      "it a floor that is there from the start",
                      fallen, balls.size()));
  }
  // From the lowest point of a packing to its highest.
  std::pair<double, double> extent(const std::vector<Ball>& balls) const {
    double low = kForever, high = -kForever;
    for (const Ball& b : balls) {
      low = std::min(low, height(b.x) - b.radius);
      high = std::max(high, height(b.x) + b.radius);
    }
    return {low, high};
  }

  // Runs until the kinetic energy falls below `quiet`, at least and at most so long; returns the time it took.
  // Meanwhile the work done is told to go from `done` to `then`.
  double settle(Simulation& s, double quiet, double at_least, double at_most, double done, double then) const {
    const double start = s.time();
    while (s.time() - start < at_most) {
      look_for_interrupt();
      report(done + (then - done) * (s.time() - start) / at_most, static_cast<std::size_t>(s.particle_count()));
      s.advance(kTestInterval, false);
      if (s.time() - start >= at_least && s.kinetic_energy() < quiet) break;
    }
    return s.time() - start;
  }

  std::vector<Ball> relaxed(const std::vector<Ball>& balls) {
    Simulation s(under_gravity());
    s.insert(set_.name, listed(balls));
    const auto [low, high] = extent(balls);
    const double fall = std::sqrt(2 * (high - low) / norm(gravity_));
    const auto n = static_cast<double>(balls.size());
    const double quiet = n * (fill_.settle_energy > 0 ? fill_.settle_energy : 1e-4 * weight_energy_);
    const double most = most_time(high - low);
    const double time = settle(s, quiet, std::min(fall, most), most, fill_.method == Method::grow ? 0.5 : 0, 1);
    require_support(s);
    note(fmt::format("relaxed for {:.4g} s to {:.3g} J of kinetic energy per particle", time, s.kinetic_energy() / n));
    return mine(s.frame());
  }
  double most_time(double drop) const {
    return fill_.settle_time > 0 ? fill_.settle_time : 6 * std::sqrt(2 * drop / norm(gravity_));
  }

  // The part of the region between two heights; beyond its ends it is continued.
  Region slice(double low, double high) const {
    Region r = fill_.region;
    if (r.kind == Region::Kind::cylinder) {
      r.from = fill_.region.from + (low - height(fill_.region.from)) * up_;
      r.to = fill_.region.from + (high - height(fill_.region.from)) * up_;
    } else {
      const int a = up_axis(case_);
      const double sign = component(up_, a) > 0 ? 1 : -1;
      component(r.box.min, a) = sign > 0 ? low : -high;
      component(r.box.max, a) = sign > 0 ? high : -low;
    }
    return r;
  }

  std::vector<Ball> layers() {
    const Region& region = fill_.region;
    const int a = up_axis(case_);
    const double sign = component(up_, a) > 0 ? 1 : -1;
    const bool box = region.kind == Region::Kind::box;
    const double end_a = box ? sign * component(region.box.min, a) : height(region.from);
    const double end_b = box ? sign * component(region.box.max, a) : height(region.to);
    const double bottom = std::min(end_a, end_b), top = std::max(end_a, end_b);
    const double thickness = fill_.layer > 0 ? fill_.layer : 6 * largest_radius(set_.radius);
    const double room = solid_fraction_of({{{}, 1}}, slice(0, thickness), flat_);  // of a ball of radius 1
    const double wanted = (flat_ < 0 ? kLayerFraction : kLayerFractionFlat) / room;

    const Scene scene = scene_of(derived());  // for its walls
    Simulation s(under_gravity());
    std::deque<double> next;  // radii to be placed, in the order they were drawn
    std::int64_t drawn = 0, placed_count = 0;
    int layer_count = 0;
    double surface = bottom;
    std::vector<Ball> balls;
    for (;;) {
      std::vector<double> radii;
      double sum = 0;
      while (sum < wanted && (!next.empty() || fill_.count == 0 || drawn < fill_.count)) {
        if (next.empty()) {
          next.push_back(draw_radius(set_.radius, random_));
          ++drawn;
        }
        radii.push_back(next.front());
        next.pop_front();
        sum += measure(radii.back());
      }
      if (radii.empty()) break;
      std::stable_sort(radii.begin(), radii.end(), std::greater<>());
      const PlaceRule rule{slice(surface, surface + thickness), fill_.min_gap,
                           std::min<std::int64_t>(fill_.max_attempts, 2000), flat_, periodicity_of(case_.domain)};
      PlacedBalls placed(periodicity_of(case_.domain));
      const Frame now = s.frame();
      for (std::size_t i = 0; i < now.particles.x.size(); ++i)
        placed.add({now.particles.x[i], now.particles.radius[i]});
      const std::vector<PlacedWall> walls = walls_at_start(scene.walls);
      std::vector<Ball> layer;
      std::vector<double> again;
      std::int64_t attempts = 0;
      for (double radius : radii) {
        const auto x = find_place(rule, radius, random_, placed, walls, attempts);
        if (!x) {
          again.push_back(radius);
          continue;
        }
        placed.add({*x, radius});
        layer.push_back({*x, radius});
      }
      next.insert(next.begin(), again.begin(), again.end());
      if (layer.empty())
        fail(".layer", fmt::format("{}", thickness),
             fmt::format("no particle finds room in the layer above height {:.6g} m", surface));
      s.insert(set_.name, listed(layer));
      ++layer_count;
      placed_count += static_cast<std::int64_t>(layer.size());
      const bool last = fill_.count > 0 && placed_count >= fill_.count;
      const double per_grain = fill_.settle_energy > 0 ? fill_.settle_energy : (last ? 1e-4 : 1e-2) * weight_energy_;
      const auto counted = static_cast<double>(last ? placed_count : static_cast<std::int64_t>(layer.size()));
      const double most = most_time(thickness), fall = std::sqrt(2 * thickness / norm(gravity_));
      const auto share = [&](double count, double up_to) {
        return fill_.count > 0 ? count / static_cast<double>(fill_.count) : (up_to - bottom) / (top - bottom);
      };
      const auto settled = static_cast<double>(placed_count) - static_cast<double>(layer.size());
      settle(s, counted * per_grain, std::min(fall, most), most, share(settled, surface),
             share(static_cast<double>(placed_count), surface + 0.5 * thickness));
      require_support(s);
      balls = mine(s.frame());
      surface = std::max(bottom, extent(balls).second);
      if (last || (fill_.count == 0 && surface >= top)) break;
    }
    if (fill_.count == 0) std::erase_if(balls, [&](const Ball& b) { return height(b.x) + b.radius > top; });
    if (balls.empty()) fail(".region", "", "is too low: no particle that settled lies below its top");
    const auto [low, high] = extent(balls);
    note(fmt::format(
        "{} particles in {} layers, {:.4g} s of settling, height {:.4g} m, solid fraction {:.4f} over it, kinetic "
        "energy per particle {:.3g} J",
        balls.size(), layer_count, s.time(), high - low, solid_fraction_of(balls, slice(low, high), flat_),
        s.kinetic_energy() / static_cast<double>(std::max<std::size_t>(1, balls.size()))));
    return balls;
  }

  // A case for growing: springs of one stiffness, strongly damped, no friction, no gravity, masses of 1 kg, and the
  // region as a wall. Lengths are the user's; times have no meaning.
  Case for_growing() const {
    Case d = derived();
    for (ParticleSet& s : d.particles)
      if (s.name == set_.name) s.mass = 1;
    const std::string wall_name = "packing_region_of_" + set_.name;
    Wall wall;
    wall.name = wall_name;
    const Region& r = fill_.region;
    if (r.kind == Region::Kind::box) {
      BoxShape b{r.box.min, r.box.max, {}};
      for (int a = 0; a < 3; ++a) {
        const bool spans =
            case_.domain.periodic[a] && component(r.box.max - r.box.min, a) >=
                                            (1 - 1e-9) * component(case_.domain.box.max - case_.domain.box.min, a);
        if (!spans && a != flat_) continue;
        b.open[2 * a] = b.open[2 * a + 1] = true;
        component(b.min, a) -= 1;
        component(b.max, a) += 1;
      }
      wall.shape = b;
      if (!std::all_of(b.open.begin(), b.open.end(), [](bool o) { return o; })) d.walls.push_back(wall);
    } else if (r.kind == Region::Kind::sphere) {
      wall.shape = SphereShape{r.center, r.radius};
      d.walls.push_back(wall);
    } else if (r.kind == Region::Kind::mesh) {
      MeshShape mesh = read_mesh(r.mesh);
      mesh.scale = r.scale;
      wall.shape = mesh;
      d.walls.push_back(wall);
    } else {
      wall.shape = CylinderShape{r.from, r.to, r.radius, true, true};
      d.walls.push_back(wall);
    }
    Material rigid;
    rigid.name = wall_name;
    rigid.rigid = true;
    d.materials.push_back(rigid);
    for (const ParticleSet& s : d.particles) {
      const bool there = std::any_of(d.contacts.begin(), d.contacts.end(),
                                     [&](const ContactPair& p) { return p.b == wall_name && p.a == s.material; });
      if (there) continue;
      ContactPair pair;
      pair.a = s.material;
      pair.b = wall_name;
      d.contacts.push_back(pair);
    }
    for (ContactPair& p : d.contacts) {
      p.normal = growing_spring();
      p.tangential = p.rolling = p.twisting = p.adhesion = {};
    }
    d.numerics.dt = 0.15;  // 1/15 of pi sqrt(m*/k) with m* = 1/2 kg
    d.numerics.skin = 0;
    d.numerics.lever = Lever::radius;
    d.numerics.max_overlap = 1;
    return d;
  }

  std::vector<Ball> grow() {
    constexpr double kGrowth = 0.01, kBeyond = 1.002;  // per round; final size, so that at the true one nothing touches
    constexpr int kSteps = 60, kMostWaits = 500;       // rounds without growth after which the packing counts as jammed
    const std::vector<double> radii = draw_radii(set_, fill_, flat_, random_);
    std::vector<Ball> full;
    for (double r : radii) full.push_back({{}, r});
    const double target = solid_fraction_of(full, fill_.region, flat_);
    const double loose = flat_ < 0 ? kLooseFraction : kLooseFractionFlat;
    double scale = target <= loose ? 1 : rounded(flat_ < 0 ? std::cbrt(loose / target) : std::sqrt(loose / target));
    std::vector<Ball> balls = scattered(scale, radii);
    if (scale == 1) {
      note(fmt::format("{} particles by random addition, solid fraction {:.4f}", balls.size(), target));
      return balls;
    }
    const Case base = for_growing();
    Listed list = listed(balls);
    const double smallest = *std::min_element(radii.begin(), radii.end());
    double overlap = 0;  // of the particles at their true size, over the smallest radius
    int rounds = 0, waits = 0;
    bool done = false;
    const double first_scale = scale;
    for (; waits < kMostWaits && !done; ++rounds) {
      look_for_interrupt();
      report((fill_.relax ? 0.5 : 1) * (scale - first_scale) / (kBeyond - first_scale), list.size());
      // springs that are still pressed hard get time before the next growth
      const double before = scale;
      if (overlap < 0.02) scale = std::min(kBeyond, scale * (1 + kGrowth));
      waits = scale > before ? 0 : waits + 1;
      for (std::size_t i = 0; i < list.size(); ++i) list[i].radius = scale * radii[i];
      Simulation s(base);
      s.insert(set_.name, list);
      s.advance(kSteps);
      const Frame f = s.frame();
      std::size_t first = 0;
      while (f.particles.prescribed[first]) ++first;  // others stand still and have the lower ids
      const std::int64_t first_id = f.particles.id[first];
      for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].x = f.particles.x[first + i];
        list[i].v = f.particles.v[first + i];
      }
      const auto excess = [&](std::int64_t id) { return id >= first_id ? (scale - 1) * radii[id - first_id] : 0.0; };
      double worst = 0, real = 0;
      for (const FrameContact& c : f.contacts) {
        worst = std::max(worst, c.overlap);
        real = std::max(real, c.overlap - excess(c.i) - (c.j >= 0 ? excess(c.j) : 0.0));
      }
      overlap = worst / smallest;
      done = scale == kBeyond && real <= 0;
    }
    if (!done)
      fail("", fmt::format("{:.4g}", target),
           fmt::format(
               "grown to {:.4f} of their size (solid fraction {:.4f}), the particles jam; random packings of equal "
               "spheres reach about 0.63",
               std::min(1.0, scale), target * (flat_ < 0 ? scale * scale * scale : scale * scale)));
    for (std::size_t i = 0; i < balls.size(); ++i) balls[i] = {list[i].x, radii[i]};
    note(fmt::format("{} particles grown in {} rounds to a solid fraction of {:.4f}", balls.size(), rounds, target));
    return balls;
  }

  const Case& case_;
  std::size_t index_;
  const PrepareOptions& options_;
  const ParticleSet& set_;
  const RandomAddition& fill_;
  int flat_;
  Vec3d gravity_, up_{0, 0, 1};
  Random random_;
  double weight_energy_ = 0;  // what the mean particle gains by falling through its diameter
  std::vector<std::string> notes_;
};

// Made now, or as it was made before.
Packing find_packing(const Case& c, std::size_t k, const PrepareOptions& options) {
  Packer packer(c, k, options);
  const PackingMemory& memory = options.memory;
  const std::string depends_on = memory.recall || memory.keep ? packer.depends_on() : "";
  if (memory.recall)
    if (std::optional<Packing> known = memory.recall(depends_on)) return std::move(*known);
  Packing made = packer.pack();
  if (memory.keep) memory.keep(depends_on, made);
  return made;
}

}  // namespace

bool needs_preparation(const ParticleSet& set) {
  const auto* f = std::get_if<RandomAddition>(&set.source);
  return f && (f->method != Method::rsa || f->relax);
}

bool needs_preparation(const Case& c) {
  return std::any_of(c.particles.begin(), c.particles.end(), [](const ParticleSet& s) { return needs_preparation(s); });
}

void allow_packed_overlaps(Case& c) {
  constexpr double kPacked = 0.2;  // of the smaller radius
  c.numerics.start_overlap = std::max(c.numerics.start_overlap, kPacked);
}

Case prepared(const Case& c, const PrepareOptions& options) {
  std::vector<Problem> problems = validate(c);
  if (!problems.empty()) throw InputError(std::move(problems));
  Case out = c;
  prepare_regions(out);
  allow_packed_overlaps(out);
  for (std::size_t k = 0; k < out.particles.size(); ++k) {
    if (!needs_preparation(out.particles[k])) continue;
    Packing packing = find_packing(out, k, options);
    if (options.note)
      for (const std::string& n : packing.notes) options.note(n);
    out.particles[k].source = std::move(packing.particles);
  }
  return out;
}

Case without_packings(Case c) {
  for (ParticleSet& set : c.particles)
    if (needs_preparation(set)) wait_for_particles(set);
  return c;
}

}  // namespace areia
