// Grains that leave the domain while they touch others: nobody else notices how they are taken out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/bookkeeping.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// A dense stream through a pipe, with rolling resistance and a law that acts across gaps; the domain ends within it.
const std::string kStream = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[materials.steel]
density = 7800
young = 5e7
[contacts.grain-grain]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "epsd", mu = 0.1 }
adhesion = { law = "capillary", tension = 0.07, volume = 1e-10, angle = 0.2 }
[contacts.grain-steel]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.005 } }
velocity = [0, 0, -1]
fill = { region = { box = [[-0.02, -0.02, 0.005], [0.02, 0.02, 0.15]] }, count = 180 }
[walls.pipe]
material = "steel"
cylinder = { from = [0, 0, -1], to = [0, 0, 1], radius = 0.03 }
[domain]
box = [[-0.1, -0.1, 0], [0.1, 0.1, 0.4]]
rule = "delete"
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.03
)";

// The same in a box that repeats along two axes, without the pipe.
const std::vector<std::string> kPeriodic{"domain.box=[[-0.025,-0.025,0],[0.025,0.025,0.4]]",
                                         "domain.periodic=[\"x\",\"y\"]"};

Case stream(const std::vector<std::string>& set, bool pipe = true) {
  const std::size_t begin = kStream.find("[walls.pipe]"), end = kStream.find("[domain]");
  return parse_case(pipe ? kStream : kStream.substr(0, begin) + kStream.substr(end), "test", set);
}

}  // namespace

TEST(Leaving, AllEnginesAndBooksAgree) {
  for (const char* scheme : {"drift_kick", "velocity_verlet", "kick_drift", "forward_euler", "trapezoid"})
    for (const bool periodic : {false, true}) {
      std::vector<std::string> set{fmt::format("numerics.scheme=\"{}\"", scheme)};
      if (periodic) set.insert(set.end(), kPeriodic.begin(), kPeriodic.end());
      if (std::string(scheme) == "trapezoid") set.emplace_back("stages=[{duration=0.013}]");
      const Case c = stream(set, !periodic);
      Simulation slow(c, Engine::reference), fast(c),
          odd(c, Engine::cpu, {.chunk_size = 8, .shuffle = 20, .extra_lists = 50});
      while (!slow.finished()) {
        for (Simulation* s : {&slow, &fast, &odd}) s->advance(17, true);
        const Frame a = slow.frame(), b = fast.frame(), d = odd.frame();
        ASSERT_EQ(state_hash(a), state_hash(b)) << scheme << " at " << a.time;
        ASSERT_EQ(state_hash(a), state_hash(d)) << scheme << " at " << a.time;
        ASSERT_EQ(a.lost, b.lost);
        ASSERT_EQ(a.energy.removed, b.energy.removed) << scheme << " at " << a.time;
        ASSERT_EQ(a.energy.residual, d.energy.residual) << scheme << " at " << a.time;
        ASSERT_EQ(slow.particle_count(), fast.particle_count());
        // from a state with slots that are empty
        Simulation again(c);
        again.load(fast.save());
        ASSERT_EQ(state_hash(again.frame()), state_hash(b)) << scheme << " at " << a.time;
      }
      const Frame end = slow.frame();
      EXPECT_GT(end.lost, 2) << scheme;
    }
}

// What goes with them is what the balance of all energies lacks afterwards: no more is left over in a step in which one
// leaves than in others.
TEST(Leaving, TakeTheirEnergyAlong) {
  Simulation s(stream({}));
  double most = 0;
  for (Energy before = s.frame().energy; !s.finished(); before = s.frame().energy) {
    s.advance(1);
    const Energy now = s.frame().energy;
    if (now.removed != before.removed) most = std::max(most, std::fabs(now.residual - before.residual));
  }
  const Frame end = s.frame();
  EXPECT_GT(end.lost, 30);
  EXPECT_LT(most, 1e-2 * std::fabs(end.energy.removed) / static_cast<double>(end.lost));
}

// Stages change what is left.
TEST(Leaving, ChangesComeAfterwards) {
  const Case c =
      stream({"stages=[{name=\"a\",duration=0.02},{name=\"b\",duration=0.004,freeze=[\"particles.grains\"]},"
              "{name=\"c\",duration=0.01,release=[\"particles.grains\"]},{name=\"d\",duration=0.001,remove=["
              "\"particles.grains\"]}]"});
  const Frame slow = last_frame(Simulation(c, Engine::reference)), fast = last_frame(Simulation(c));
  EXPECT_EQ(state_hash(slow), state_hash(fast));
  EXPECT_EQ(slow.removed, fast.removed);
  EXPECT_EQ(slow.lost + slow.removed, 180);
  EXPECT_EQ(slow.energy.removed, fast.energy.removed);
}

// Lists are made because grains move, not because one has left.
TEST(Leaving, CostsNoLists) {
  Simulation open(stream({"domain.rule=\"open\""})), leaving(stream({}));
  const std::int64_t before = leaving.statistics().rebuilds;
  open.advance(1 << 20);
  leaving.advance(1 << 20);
  EXPECT_GT(leaving.frame().lost, 30);
  EXPECT_LT(leaving.statistics().rebuilds - before, 1.2 * static_cast<double>(open.statistics().rebuilds - before) + 4);
}
