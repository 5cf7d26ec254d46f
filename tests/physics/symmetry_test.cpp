// What must not matter: where one looks from, a mirror, a frame of reference that moves along, the units. Random cases
// and their images go through the same motion.
//
// Grains that collide are chaotic: rounding, which differs between a case and its image, grows by a factor at every
// collision. So each case is run a second time from places that differ by 1e-13 of its size, and it is compared with
// its images as long as these two runs agree to 1e-10. What rounding does is smaller than what 1e-13 does; what is left
// at 1e-9 is wrong.
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "case_image.h"
#include "random_case.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr int kCases = 200, kStepsBetween = 40, kMostSteps = 240;
constexpr double kAgreement = 1e-9, kBeforeChaos = 1e-10, kNudge = 1e-13;
constexpr double kSize = 0.1, kRadius = 0.01;  // of the space; of a grain

Matrix any_turn(Random& random) {
  const Vec3d axis = unit(random.uniform({-1, -1, -1}, {1, 1, 1}));
  const Quat q = about_axis(axis, random.uniform(0, 6));
  const Vec3d x = rotate(q, {1, 0, 0}), y = rotate(q, {0, 1, 0}), z = rotate(q, {0, 0, 1});
  return {Vec3d{x.x, y.x, z.x}, Vec3d{x.y, y.y, z.y}, Vec3d{x.z, y.z, z.z}};
}

// Axes to axes, as all that boxes along the axes allow.
Matrix turn_of_axes(Random& random, double handed) {
  const int first = static_cast<int>(3 * random.uniform()), step = random.uniform() < 0.5 ? 1 : 2;
  Matrix m{};
  for (int k = 0; k < 3; ++k) {
    const int a = (first + step * k) % 3;
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    m[k] = sign * Vec3d{a == 0 ? 1.0 : 0, a == 1 ? 1.0 : 0, a == 2 ? 1.0 : 0};
  }
  if (dot(cross(m[0], m[1]), m[2]) * handed < 0) m[2] = -m[2];
  return m;
}

std::vector<Image> images(const Case& c, Random& random) {
  Image turned{"turned"}, mirrored{"mirrored"}, moving{"in a frame that moves"}, scaled{"in other units"};
  turned.turn = any_turn(random);
  mirrored.turn = turn_of_axes(random, -1);
  const Matrix axes = turn_of_axes(random, 1);
  if (!has_image(c, turned)) turned.turn = axes;
  moving.boost = random.uniform({-1, -1, -1}, {1, 1, 1});
  if (c.domain.dimension == 2) moving.boost.z = 0;
  const auto power_of_ten = [&] { return std::pow(10, random.uniform(-3, 3)); };
  scaled.length = power_of_ten();
  scaled.time = power_of_ten();
  scaled.mass = power_of_ten();
  scaled.charge = power_of_ten();
  return {turned, mirrored, moving, scaled};
}

struct Scales {
  double v = 0, w = 0;
};

// Largest distance of places, velocities, spins and orientations, over the size of the case, its largest velocity and
// spin. `there` is the image of `here`; the domain is that of the image.
double distance(const Frame& here, const Frame& there, const Image& g, const Domain& domain, const Scales& scales) {
  const FrameParticles &p = here.particles, &q = there.particles;
  if (p.id != q.id) return kForever;
  double most = std::fabs(there.time - g.time * here.time) / (g.time * here.dt);
  const Vec3d box = domain.box.max - domain.box.min;
  const auto nearest = [](double d, bool periodic, double length) {
    return periodic ? d - length * std::round(d / length) : d;
  };
  for (std::size_t i = 0; i < p.id.size(); ++i) {
    Vec3d d = q.x[i] - (g.polar(p.x[i], "m") + there.time * g.drift());
    d = {nearest(d.x, domain.periodic[0], box.x), nearest(d.y, domain.periodic[1], box.y),
         nearest(d.z, domain.periodic[2], box.z)};
    const Vec3d turn = g.axial({p.q[i][1], p.q[i][2], p.q[i][3]});
    const double cosine = p.q[i][0] * q.q[i][0] + dot(turn, Vec3d{q.q[i][1], q.q[i][2], q.q[i][3]});
    const double sign = cosine < 0 ? -1 : 1;
    const Vec3d turned = turn - sign * Vec3d{q.q[i][1], q.q[i][2], q.q[i][3]};
    most = std::max({most, norm(d) / (kSize * g.of("m")),
                     norm(q.v[i] - (g.polar(p.v[i], "m/s") + g.drift())) / (scales.v * g.of("m/s")),
                     norm(q.w[i] - g.axial(p.w[i], "1/s")) / (scales.w * g.of("1/s")), norm(turned)});
  }
  return most;
}

// Of the ledger, over what has been turned over. It is the same in all but a moving frame.
double distance_of_energies(const Energy& here, const Energy& there, const Image& g) {
  const double joule = g.of("J");
  double most = 0;
  for (double Energy::*e : {&Energy::kinetic,
                            &Energy::rotational,
                            &Energy::potential,
                            &Energy::elastic_normal,
                            &Energy::elastic_tangential,
                            &Energy::elastic_rolling,
                            &Energy::adhesive,
                            &Energy::distant,
                            &Energy::bonds,
                            &Energy::damping,
                            &Energy::sliding,
                            &Energy::rolling,
                            &Energy::adhesion,
                            &Energy::bond_damping,
                            &Energy::broken,
                            &Energy::drag,
                            &Energy::wall_work,
                            &Energy::field_work,
                            &Energy::removed,
                            &Energy::numerical,
                            &Energy::residual})
    most = std::max(most, std::fabs(there.*e - joule * here.*e) / (joule * (here.kinetic + here.turned_over)));
  return most;
}

Case nudged(Case c, Random& random) {
  for (ParticleSet& s : c.particles)
    for (ListedParticle& p : std::get<0>(s.source)) {
      Vec3d d = random.uniform({-1, -1, -1}, {1, 1, 1});
      if (c.domain.dimension == 2) d.z = 0;
      p.x += kNudge * kSize * d;
    }
  return c;
}

// False: the case stops by itself, as some do that random laws blow up.
bool goes_on(Simulation& s) {
  try {
    return s.advance(kStepsBetween) == kStepsBetween;
  } catch (const StoppedError&) { return false; }
}

struct Compared {
  int steps = 0;                // before chaos
  std::size_t contacts = 0;     // made until then
  std::array<bool, 4> image{};  // which there are
};

Compared compare(int seed) {
  const RandomCase random_case(static_cast<std::uint64_t>(seed));
  const Case& c = random_case.made();
  Random random(mixed_seed({static_cast<std::uint64_t>(seed), 30}));
  Compared result;

  std::vector<Frame> frames;
  std::set<std::array<std::int64_t, 4>> contacts;
  Scales scales;
  Simulation here(c), beside(nudged(c, random));
  const int most_steps = c.numerics.scheme == Scheme::trapezoid ? kMostSteps / 3 : kMostSteps;
  for (int step = kStepsBetween; step <= most_steps && goes_on(here) && goes_on(beside); step += kStepsBetween) {
    const Frame f = here.frame();
    for (const Vec3d& v : f.particles.v) scales.v = std::max(scales.v, norm(v));
    for (const Vec3d& w : f.particles.w) scales.w = std::max({scales.w, norm(w), scales.v / kRadius});
    if (distance(f, beside.frame(), {}, c.domain, scales) > kBeforeChaos) break;
    for (const FrameContact& k : f.contacts) contacts.insert({k.i, k.j, k.wall, k.patch});
    frames.push_back(f);
    result.steps = step;
  }
  result.contacts = contacts.size();

  const std::vector<Image> all = images(c, random);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Image& g = all[k];
    if (!has_image(c, g)) continue;
    result.image[k] = true;
    const Case image = image_of(c, g);
    std::optional<Simulation> there;
    try {
      there.emplace(image);
    } catch (const InputError& e) {
      ADD_FAILURE() << "case " << seed << " " << g.name << " is refused: " << e.what() << "\n" << random_case.text();
      continue;
    }
    for (const Frame& f : frames) {
      if (!goes_on(*there)) {
        ADD_FAILURE() << "case " << seed << " " << g.name << " stops\n" << random_case.text();
        break;
      }
      const Frame t = there->frame();
      const double apart = distance(f, t, g, image.domain, scales);
      const double energies = g.boosts() ? 0 : distance_of_energies(f.energy, t.energy, g);
      if (apart <= kAgreement && energies <= kAgreement) continue;
      ADD_FAILURE() << "case " << seed << " " << g.name << " is off by " << apart << " and its energies by " << energies
                    << " at step " << f.step << "\n"
                    << random_case.text();
      break;
    }
  }
  return result;
}

}  // namespace

// A wall that appears far off, at any moment of an impact on another one that moves, or is at rest in another frame.
TEST(Symmetry, AWallThatAppearsSeesTheOthersWhereTheyAre) {
  const std::string text = R"(
[materials.grain]
density = 2500
young = 1e6
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
tangential = { law = "coulomb_history", mu = 0.1, xi = 0.1 }
[particles.a]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0.0101], v = [0.3, 0, -0.5] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { constant = { velocity = [0, 0, 0.4] } }
[walls.far]
plane = { point = [0, 0, 1], normal = [0, 0, -1] }
when = { start = 0 }
[numerics]
dt = 2e-5
[[stages]]
duration = 0.003
)";
  for (const char* scheme : {"drift_kick", "kick_drift", "forward_euler", "velocity_verlet"})
    for (const int step : {4, 5, 6, 7, 60, 110})
      for (const Engine engine : {Engine::cpu, Engine::reference}) {
        const std::vector<std::string> common{fmt::format("numerics.scheme=\"{}\"", scheme),
                                              fmt::format("walls.far.when.start={:.17g}", 2e-5 * step)};
        std::vector<std::string> at_rest = common;
        at_rest.emplace_back("walls.floor.motion.constant.velocity=[0,0,0]");
        at_rest.emplace_back("particles.a.list=[{x=[0,0,0.0101],v=[0.3,0,-0.9]}]");
        const auto end = [&](const std::vector<std::string>& set) {
          Simulation s(parse_case(text, "test", set), engine);
          s.advance(1 << 20);
          return s.frame().particles;
        };
        const FrameParticles a = end(common), b = end(at_rest);
        EXPECT_LT(norm(a.v[0] - b.v[0] - Vec3d{0, 0, 0.4}), 1e-11) << scheme << " " << step;
        EXPECT_LT(norm(a.w[0] - b.w[0]), 1e-9) << scheme << " " << step;
      }
}

TEST(Symmetry, RandomCasesAndTheirImages) {
  int long_enough = 0, of_image[4] = {};
  std::size_t contacts = 0;
  for (int seed = 0; seed < kCases; ++seed) {
    const Compared c = compare(seed);
    for (int k = 0; k < 4; ++k) of_image[k] += c.image[k] && c.steps > 0;
    contacts += c.contacts;
    long_enough += c.steps >= 150 && c.contacts >= 10;
  }
  // not an empty promise
  EXPECT_GT(long_enough, kCases * 2 / 3);
  EXPECT_GT(contacts, 15u * kCases);
  EXPECT_GT(of_image[0], kCases * 3 / 4);
  EXPECT_GT(of_image[1], kCases * 3 / 4);
  EXPECT_GT(of_image[2], kCases / 4);
  EXPECT_GT(of_image[3], kCases * 9 / 10);
}
