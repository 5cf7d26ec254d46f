// The physical checkpoint: a run goes on from it with the same bits, and what does not fit is told.
#include "engine/snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "areia/error.h"
#include "engine/bookkeeping.h"
#include "meshes.h"
#include "support.h"

using namespace areia;
using namespace areia::test;
using testing::HasSubstr;

namespace {

// A little of everything: bonds that break, a mesh, a prescribed grain, a stream, a servo, fields, removed and frozen
// grains, a periodic direction.
const char* const kEverything = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[domain]
box = [[0, 0, -0.05], [0.1, 0.1, 0.3]]
periodic = ["x"]
rule = "delete"
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0.02, 0.03, 0.011], v = [-1, 0.1, -0.2], w = [5, 0, 3] }, { x = [0.042, 0.034, 0.012], v = [-0.9, 0, 0] }, { x = [0.07, 0.06, 0.05], v = [0, 0, -1] }]
charge = 0.01
[particles.beam]
material = "grain"
radius = 0.005
list = [{ x = [0.05, 0.08, 0.03] }, { x = [0.0601, 0.08, 0.03] }, { x = [0.0702, 0.08, 0.03], v = [0, 0, -0.5] }]
[particles.pusher]
material = "grain"
radius = 0.006
list = [{ x = [0.09, 0.05, 0.02] }]
prescribed = true
motion = { rotating = { point = [0.05, 0.05, 0], axis = [0, 0, 1], rate = 10 } }
[particles.rain]
material = "grain"
radius = 0.003
velocity = [0, 0, -1]
stream = { region = { box = [[0.01, 0.01, 0.1], [0.09, 0.09, 0.11]] }, rate = 150 }
[bonds.glue]
group_a = "beam"
max_gap = 0.001
stiffness = 1e4
damping = "critical"
anchors = 2
ring_radius = 0.002
strength = 0.4
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.side]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[walls.lid]
plane = { point = [0, 0, 0.2], normal = [0, 0, -1] }
servo = { axis = [0, 0, 1], force = 1, max_speed = 2 }
[fields.g]
acceleration = [0, 0, -9.81]
[fields.b]
magnetic = [0, 0, 2]
[numerics]
dt = 2e-5
[[stages]]
name = "a"
duration = 0.02
[[stages]]
name = "b"
duration = 0.02
remove = ["walls.side"]
freeze = ["particles.beam"]
)";

Case everything(const std::string& scheme) {
  Case c = parse_case(kEverything, "test", {fmt::format("numerics.scheme=\"{}\"", scheme)});
  MeshShape floor = square_mesh(5);
  for (Vec3d& v : floor.vertices) v = 0.2 * (v - Vec3d{0.2, 0.2, 0});
  c.walls[0].shape = floor;
  if (scheme == "trapezoid") c.walls[2].servo = {};
  return c;
}

std::string why_not(const Case& c, const Archive& archive, Engine engine) {
  Simulation s(c, engine);
  try {
    s.load(archive);
  } catch (const FileError& e) { return e.what(); }
  return "";
}

}  // namespace

TEST(Snapshot, ReferenceGoesOnWithTheSameBits) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
    const Case c = everything(scheme);
    const Frame whole = last_frame(Simulation(c, Engine::reference));
    EXPECT_FALSE(whole.contacts.empty());
    EXPECT_GT(whole.inserted, 1);
    for (const std::int64_t stop : {1, 500, 999, 1000, 1001, 1500, 1999}) {
      Simulation first(c, Engine::reference), second(c, Engine::reference);
      first.advance(stop);
      const Archive archive = first.save();
      second.load(archive);
      EXPECT_EQ(second.save().real, archive.real) << scheme << " " << stop;
      EXPECT_EQ(second.save().integer, archive.integer) << scheme << " " << stop;
      const Frame end = last_frame(std::move(second));
      EXPECT_EQ(state_hash(end), state_hash(whole)) << scheme << " stopped at " << stop;
      EXPECT_EQ(end.energy.residual, whole.energy.residual) << scheme << " stopped at " << stop;
    }
  }
}

// The same checkpoint from both engines, and each goes on from it with the bits of the other, whatever the skin, the
// threads and the order in memory.
TEST(Snapshot, AnyEngineGoesOnFromAny) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
    Case c = everything(scheme), other = c;
    c.numerics.threads = 2;
    c.numerics.skin = 2e-3;
    other.numerics.skin = 5e-4;
    other.numerics.threads = 3;
    const Frame whole = last_frame(Simulation(c, Engine::cpu));
    EXPECT_FALSE(whole.breaks.empty());
    Simulation fast(c, Engine::cpu), slow(c, Engine::reference);
    std::int64_t now = 0;
    for (const std::int64_t stop : {1, 500, 999, 1000, 1001, 1500, 1999}) {
      fast.advance(stop - now);
      slow.advance(stop - now);
      now = stop;
      Archive of_fast = fast.save(), of_slow = slow.save();
      for (Archive* a : {&of_fast, &of_slow}) a->real.erase("implicit/driver");  // counts sweeps cut short by lists
      for (const auto& [name, numbers] : of_fast.real)
        EXPECT_EQ(numbers, of_slow.real[name]) << name << " with " << scheme << " stopped at " << stop;
      EXPECT_EQ(of_fast.integer, of_slow.integer) << scheme << " " << stop;
      const auto expect_same_end = [&](const Simulation& from, Simulation to, const char* how) {
        to.load(from.save());
        const Frame end = last_frame(std::move(to));
        EXPECT_EQ(state_hash(end), state_hash(whole)) << scheme << " " << how << " stopped at " << stop;
        EXPECT_EQ(end.energy.residual, whole.energy.residual) << scheme << " " << how << " stopped at " << stop;
      };
      expect_same_end(fast, Simulation(other, Engine::cpu), "cpu to cpu");
      expect_same_end(fast, Simulation(other, Engine::reference), "cpu to reference");
      expect_same_end(slow, Simulation(other, Engine::cpu), "reference to cpu");
      expect_same_end(fast, Simulation(other, Engine::cpu, {.chunk_size = 4, .shuffle = 5, .extra_lists = 7}), "odd");
    }
  }
}

// The forces of contacts are no part of what the next step depends on, but of what a frame shows.
TEST(Snapshot, ShowsTheContactsThatItShowed) {
  for (const Engine engine : {Engine::cpu, Engine::reference})
    for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
      const Case c = everything(scheme);
      Simulation first(c, engine);
      std::size_t shown = 0;
      for (const std::int64_t steps : {20, 580, 450, 400, 400}) {
        first.advance(steps);
        Simulation second(c, engine), without(c, engine);
        second.load(first.save());
        without.load(first.save(false));
        const Frame a = first.frame(), b = second.frame();
        EXPECT_EQ(state_hash(a), state_hash(b)) << scheme;
        shown += a.contacts.size();
        ASSERT_EQ(a.contacts.size(), b.contacts.size()) << scheme;
        for (std::size_t k = 0; k < a.contacts.size(); ++k) {
          const FrameContact &d = a.contacts[k], &e = b.contacts[k];
          EXPECT_TRUE(d.i == e.i && d.j == e.j && d.wall == e.wall && d.patch == e.patch && d.point == e.point &&
                      d.n == e.n && d.overlap == e.overlap && d.force == e.force && d.normal == e.normal &&
                      d.tangential == e.tangential && d.elongation == e.elongation)
              << scheme << " contact " << k;
        }
        EXPECT_TRUE(without.frame().contacts.empty());
        first.advance(1);
        second.advance(1);
        without.advance(1);
        EXPECT_EQ(state_hash(first.frame()), state_hash(second.frame())) << scheme;
        EXPECT_EQ(state_hash(first.frame()), state_hash(without.frame())) << scheme;
      }
      EXPECT_GT(shown, 0u) << scheme;
    }
}

// The step is physics; the skin is not.
TEST(Snapshot, AnotherStepIsRefused) {
  Case c = everything("drift_kick");
  Simulation s(c);
  s.advance(10);
  c.numerics.dt = 1e-5;
  EXPECT_THAT(why_not(c, s.save(), Engine::cpu), HasSubstr("time step of 2e-05 s; this case gives 1e-05 s"));
}

TEST(Snapshot, TellsWhatDoesNotFit) {
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Case c = everything("drift_kick");
    Simulation s(c, engine);
    s.advance(1100);
    const Archive good = s.save();
    EXPECT_EQ(why_not(c, good, engine), "");
    const auto with = [&](const std::function<void(Archive&)>& spoil) {
      Archive a = good;
      spoil(a);
      return why_not(c, a, engine);
    };
    EXPECT_THAT(with([](Archive& a) { a.real.erase("particles/x"); }), HasSubstr("lacks the array 'particles/x'"));
    EXPECT_THAT(with([](Archive& a) { a.real["particles/v"].resize(3); }), HasSubstr("'particles/v' has 1 entries"));
    EXPECT_THAT(with([](Archive& a) { a.integer["particles/material"][0] = 77; }),
                HasSubstr("particle 0 has a material"));
    EXPECT_THAT(with([](Archive& a) { std::swap(a.integer["particles/id"][0], a.integer["particles/id"][1]); }),
                HasSubstr("out of order"));
    EXPECT_THAT(with([](Archive& a) { a.integer["contacts/j"].back() = 12345; }), HasSubstr("not there"));
    EXPECT_THAT(with([](Archive& a) {
                  ++a.integer["contacts/numbers"][0];
                  a.real["contacts/history"].push_back(0);
                }),
                HasSubstr("other laws"));
    EXPECT_THAT(with([](Archive& a) { a.real["contacts/history"].pop_back(); }), HasSubstr("remember"));
    EXPECT_THAT(with([](Archive& a) { a.real["contacts/place"].push_back(1); }), HasSubstr("places on walls"));
    EXPECT_THAT(with([](Archive& a) { a.real["ledger"].pop_back(); }), HasSubstr("'ledger'"));
    EXPECT_THAT(with([](Archive& a) { a.integer["walls/present"].pop_back(); }), HasSubstr("walls"));
    EXPECT_THAT(with([](Archive& a) { a.real["implicit/driver"] = {1}; }), HasSubstr("another scheme"));
    EXPECT_THAT(with([](Archive& a) { a.real["shown_contacts/what"].pop_back(); }), HasSubstr("other lengths"));
    EXPECT_THAT(with([](Archive& a) { a.integer.erase("shown_contacts/who"); }), HasSubstr("other lengths"));
    EXPECT_THAT(with([](Archive& a) { a.integer["shown_contacts/who"][0] = 4711; }),
                HasSubstr("shows a contact of particle 4711"));
  }
}

// Ids are never used twice, and what is gone takes no room.
TEST(Snapshot, HoldsOnlyWhatIsThere) {
  const Case c =
      parse_case(kEverything, "test",
                 {"stages=[{name=\"a\",duration=0.03},{name=\"b\",duration=0.01,remove=[\"particles.rain\"]}]"});
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s(c, engine);
    s.advance(1600);
    const Archive a = s.save();
    const std::size_t there = a.integer.at("particles/id").size();
    EXPECT_EQ(there, 7u + a.integer.at("counters")[3] - a.integer.at("counters")[2] - a.integer.at("counters")[1]);
    EXPECT_GT(a.integer.at("counters")[4], static_cast<std::int64_t>(there));
    EXPECT_EQ(a.real.at("particles/x").size(), 3 * there);
    EXPECT_EQ(a.real.at("particles/placed_x").size(), 3 * there);
    EXPECT_TRUE(a.real.at("particles/old_acceleration").empty());  // drift_kick has none
    EXPECT_TRUE(a.real.at("particles/friction").empty());
  }
}
