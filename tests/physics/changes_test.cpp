// What a program changes while a simulation runs: the same state on any number of threads, by both engines, after a
// save and a load, with a ledger that balances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "areia/areia.h"

using namespace areia;

namespace {

const std::string kBed = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.low]
material = "grain"
radius = 0.01
lattice = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.04]] }, spacing = 0.02 }
[particles.high]
material = "grain"
radius = 0.01
lattice = { region = { box = [[0, 0, 0.05], [0.1, 0.1, 0.09]] }, spacing = 0.022 }
[walls.box]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.5] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
name = "a"
duration = 0.1
)";

constexpr const char* kSchemes[] = {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"};

Case bed(const std::string& scheme, int threads = 1) {
  Case c = parse_case(kBed, "bed", {"numerics.scheme=\"" + scheme + "\""});
  c.numerics.threads = threads;
  return c;
}

void change(Simulation& s, int which) {
  if (which == 0) s.remove({3, 17, 30, 3});
  if (which == 1) s.set_velocity("high", {0.2, 0.1, -0.5});
  if (which == 2) s.set_gravity({4, 0, -8});
  if (which == 3) s.set_wall_velocity("box", {0.1, 0, 0.2});
  if (which == 4) s.set_wall_velocity("box", {0, -0.1, 0}, {0, 0, 3}, {0.05, 0.05, 0});
  if (which == 5) s.set_wall_velocity("box", {});
}

// Hashes after each change and after the steps that follow it.
std::vector<std::string> story(const Case& c, Engine engine = Engine::cpu, bool through_archives = false,
                               Engine then = Engine::cpu) {
  std::vector<std::string> hashes;
  auto at_work = std::make_unique<Simulation>(c, engine);
  at_work->advance(60);
  for (int k = 0; k < 6; ++k) {
    change(*at_work, k);
    hashes.push_back(state_hash(at_work->frame()));
    if (through_archives) {
      const Archive a = at_work->save();
      at_work = std::make_unique<Simulation>(c, then);
      at_work->load(a);
      EXPECT_EQ(state_hash(at_work->frame()), hashes.back()) << k;
    }
    at_work->advance(50);
    hashes.push_back(state_hash(at_work->frame()));
  }
  return hashes;
}

}  // namespace

TEST(Changes, OneResult) {
  for (const char* scheme : kSchemes) {
    const std::vector<std::string> one = story(bed(scheme));
    EXPECT_EQ(story(bed(scheme, 2)), one) << scheme;
    EXPECT_EQ(story(bed(scheme), Engine::reference), one) << scheme;
    EXPECT_EQ(story(bed(scheme), Engine::cpu, true), one) << scheme;
    EXPECT_EQ(story(bed(scheme), Engine::cpu, true, Engine::reference), one) << scheme;
    for (std::size_t k = 1; k < one.size(); ++k) EXPECT_NE(one[k], one[k - 1]) << scheme << k;
  }
}

TEST(Changes, DoWhatTheySay) {
  Simulation s(bed("drift_kick"));
  s.advance(100);
  const Frame before = s.frame();
  EXPECT_GT(before.contacts.size(), 20u);
  s.remove({3});
  Frame f = s.frame();
  EXPECT_EQ(f.particles.id.size(), before.particles.id.size() - 1);
  EXPECT_EQ(f.removed, 1);
  EXPECT_FALSE(std::binary_search(f.particles.id.begin(), f.particles.id.end(), 3));
  // the others are shown as they were, coordination too
  for (const FrameContact& c : f.contacts) EXPECT_TRUE(c.i != 3 && c.j != 3);
  EXPECT_GT(f.contacts.size(), 20u);
  std::int64_t partners = 0, ends = 0;
  for (const std::int32_t n : f.particles.coordination) partners += n;
  for (const FrameContact& c : f.contacts) ends += !(c.overlap > 0) ? 0 : c.j >= 0 ? 2 : 1;
  EXPECT_EQ(partners, ends);

  s.set_velocity("high", {0.2, 0.1, -0.5});
  f = s.frame();
  const auto high = static_cast<std::int32_t>(std::find(f.groups.begin(), f.groups.end(), "high") - f.groups.begin());
  for (std::size_t k = 0; k < f.particles.id.size(); ++k)
    EXPECT_EQ(f.particles.v[k] == (Vec3d{0.2, 0.1, -0.5}), f.particles.group[k] == high) << k;

  s.set_gravity({0, 0, 0});
  s.advance(1);
  f = s.frame();
  for (std::size_t k = 0; k < f.particles.id.size(); ++k)
    if (f.particles.coordination[k] == 0) { EXPECT_EQ(norm(f.particles.force[k]), 0) << k; }
}

// Each change is booked: what it takes away or brings is not missing afterwards.
TEST(Changes, LedgerBalances) {
  for (const char* scheme : kSchemes)
    for (int which = 0; which < 3; ++which) {
      Simulation s(bed(scheme)), plain(bed(scheme));
      s.advance(60);
      change(s, which);
      s.advance(100);
      plain.advance(160);
      const Energy e = s.frame().energy, without = plain.frame().energy;
      EXPECT_LT(std::fabs(e.residual), std::max(3 * std::fabs(without.residual), 2e-3 * e.turned_over))
          << scheme << " " << which;
    }
}

TEST(Changes, WrongOnesAreRefusedAndChangeNothing) {
  Simulation s(bed("drift_kick"));
  s.advance(10);
  const std::string hash = state_hash(s.frame());
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(s.remove({0, 100000}), InputError);
  EXPECT_THROW(s.remove({-1}), InputError);
  EXPECT_THROW(s.set_velocity("hihg", {0, 0, 0}), InputError);
  EXPECT_THROW(s.set_velocity("high", {inf, 0, 0}), InputError);
  EXPECT_THROW(s.set_gravity({0, 0, std::nan("")}), InputError);
  EXPECT_THROW(s.set_wall_velocity("bax", {1, 0, 0}), InputError);
  EXPECT_THROW(s.set_wall_velocity("box", {1, 0, inf}), InputError);
  EXPECT_THROW(s.set_wall_velocity("box", {}, {0, std::nan(""), 0}), InputError);
  ListedParticle wrong;
  wrong.x = {0.05, 0.05, 0.3};
  wrong.radius = inf;
  EXPECT_THROW(s.insert("high", {wrong}), InputError);
  wrong.radius = -0.01;
  EXPECT_THROW(s.insert("high", {wrong}), InputError);
  wrong.radius = 0;
  wrong.x.y = std::nan("");
  EXPECT_THROW(s.insert("high", {wrong}), InputError);
  s.remove({});
  EXPECT_EQ(state_hash(s.frame()), hash);
}

// The work of a wall that was set is booked as that of a wall which the case moves in the same way.
TEST(Changes, WallsThatAreSetDoTheWorkOfThoseOfTheCase) {
  for (const char* scheme : kSchemes)
    for (int which = 3; which < 5; ++which) {
      Case still = bed(scheme);
      still.numerics.dt = Simulation(still).dt();
      Simulation s(still);
      s.advance(60);
      // Where the forces of this instant are there already, they knew the wall at rest; the trapezoid has used them
      // for the step before and computes them anew, which no motion of a case does.
      const bool forces_first =
          s.settings().numerics.scheme == Scheme::kick_drift || s.settings().numerics.scheme == Scheme::forward_euler;
      const double start = forces_first ? s.time() : std::nextafter(s.time(), 1);
      const double same_to = s.settings().numerics.scheme == Scheme::trapezoid ? 5e-3 : 1e-9;
      Case moved = still;
      Motion way;
      way.kind = Motion::Kind::constant;
      way.velocity = which == 3 ? Vec3d{0.1, 0, 0.2} : Vec3d{0, -0.1, 0};
      way.start = start;
      Motion turn;
      turn.kind = Motion::Kind::rotating;
      turn.omega = 3;
      turn.point = {0.05, 0.05, 0};
      turn.start = start;
      turn.then = {way};
      moved.walls[0].motion = which == 3 ? way : turn;
      change(s, which);
      s.advance(100);
      Simulation same(moved);
      same.advance(160);
      const Energy e = s.frame().energy, expected = same.frame().energy;
      EXPECT_NE(e.wall_work, 0) << scheme << " " << which;
      EXPECT_NEAR(e.wall_work, expected.wall_work, same_to * e.turned_over) << scheme << " " << which;
      EXPECT_NEAR(e.residual, expected.residual, same_to * e.turned_over) << scheme << " " << which;
    }
}

// It goes on from where it was, by whatever moved it; the case's motion is over, also that which was to begin later.
TEST(Changes, WallsGoOnFromWhereTheyAre) {
  Case c = bed("drift_kick");
  c.walls.push_back({});
  Wall& lid = c.walls.back();
  lid.name = "lid";
  lid.material = "grain";
  lid.shape = DiskShape{{0.05, 0.05, 0.3}, {0, 0, 1}, 0.04};
  lid.motion.kind = Motion::Kind::rotating;
  lid.motion.omega = 5;
  lid.motion.point = {0.05, 0, 0.3};
  lid.motion.axis = {1, 0, 0};
  lid.motion.then.emplace_back().kind = Motion::Kind::constant;
  lid.motion.then.back().velocity = {0, 0, 0.1};
  lid.motion.then.back().start = 0.05;
  Simulation s(c);
  s.advance(200);
  const auto origin = [&] {
    for (const FrameWall& w : s.frame().walls)
      if (w.name == "lid") return w;
    return FrameWall{};
  };
  const FrameWall before = origin();
  const double from = s.time();
  s.set_wall_velocity("lid", {0.3, 0, 0});
  EXPECT_EQ(norm(origin().origin - before.origin), 0);
  while (s.time() < 0.08) s.advance(50);
  const FrameWall after = origin();
  const Vec3d way = after.origin - before.origin;
  EXPECT_NEAR(way.x, 0.3 * (s.time() - from), 1e-15);
  EXPECT_EQ(way.y, 0);
  EXPECT_EQ(way.z, 0);
  for (std::size_t a = 0; a < 4; ++a) EXPECT_NEAR(after.turn[a], before.turn[a], 1e-15);
  EXPECT_EQ(norm(after.velocity - Vec3d{0.3, 0, 0}), 0);
  s.set_wall_velocity("lid", {}, {0, 0, 2}, {0.05, 0.05, 0});
  s.advance(50);
  EXPECT_NEAR(norm(origin().velocity), 2 * std::hypot(origin().origin.x - 0.05, origin().origin.y - 0.05), 1e-12);
}

TEST(Changes, DamagedArchivesOfSetWallsAreRefused) {
  Simulation s(bed("drift_kick"));
  s.set_wall_velocity("box", {0, 0, 0.1});
  const Archive whole = s.save();
  Archive short_of_one = whole, of_none = whole;
  short_of_one.real["set_walls"].pop_back();
  of_none.integer["set_walls"][0] = 7;
  EXPECT_THROW(Simulation(bed("drift_kick")).load(short_of_one), FileError);
  EXPECT_THROW(Simulation(bed("drift_kick")).load(of_none), FileError);
  EXPECT_NO_THROW(Simulation(bed("drift_kick")).load(whole));
}

TEST(Changes, WallsThatFollowAForceAreNotSet) {
  Case c = bed("drift_kick");
  c.walls[0].servo.on = true;
  c.walls[0].servo.axis = {0, 0, 1};
  c.walls[0].servo.force = Course{1};
  c.walls[0].servo.max_speed = 0.1;
  Simulation s(c);
  EXPECT_THROW(s.set_wall_velocity("box", {0, 0, 1}), InputError);
}

TEST(Changes, GravityStaysThroughStages) {
  Case c = bed("drift_kick");
  c.stages[0].duration = 0.01;
  c.stages.push_back({});
  c.stages[1].name = "b";
  c.stages[1].duration = 0.01;
  Simulation s(c);
  s.set_gravity({0, 0, 0});
  while (!s.finished()) s.advance(1000);
  EXPECT_TRUE(s.frame().gravity_set);
  EXPECT_EQ(norm(s.frame().gravity), 0);
}

// Parts of a frame are those of the whole one.
TEST(Changes, ChosenPartsOfFrames) {
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s(bed("drift_kick"), engine);
    s.advance(100);
    const Frame all = s.frame();
    FrameChoice choice = FrameChoice::none();
    choice.v = choice.coordination = true;
    const Frame some = s.frame(choice);
    EXPECT_EQ(some.particles.id, all.particles.id);
    EXPECT_EQ(some.particles.v, all.particles.v);
    EXPECT_EQ(some.particles.coordination, all.particles.coordination);
    EXPECT_TRUE(some.particles.x.empty() && some.contacts.empty() && some.walls.empty());
    choice = FrameChoice::none();
    choice.contacts = true;
    EXPECT_EQ(s.frame(choice).contacts.size(), all.contacts.size());
    EXPECT_EQ(s.frame(choice).particles.x, all.particles.x);
  }
}
