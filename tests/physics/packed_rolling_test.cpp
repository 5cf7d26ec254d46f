// A bed with strong rolling resistance comes to rest, and its ledger balances: torque and spin booked at one instant
// only would dissipate energy that is not there, and a cap that each contact claims for itself would keep the bed
// trembling.
#include <gtest/gtest.h>

#include <cmath>

#include "areia/areia.h"

using namespace areia;

TEST(PackedRolling, BedComesToRestAndLedgerBalances) {
  const Case c = parse_case(R"(
[materials.grain]
density = 2500
young = "20 MPa"

[contacts.grain-grain]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
rolling = { law = "constant", mu = 0.45 }

[particles.bed]
material = "grain"
radius = { gaussian = { mean = "20 mm", std = "2 mm" } }
fill = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.45]] }, count = 300 }

[walls.box]
box = { min = [0, 0, 0], max = [0.3, 0.3, 0.5], open = ["+z"] }

[fields.gravity]
acceleration = [0, 0, -9.81]

[[stages]]
duration = "0.8 s"

[numerics]
dt = "0.1 ms"
threads = 1
)",
                            "packed.toml");
  Simulation simulation(c);
  while (!simulation.finished()) simulation.advance(1000);
  const Energy e = simulation.frame().energy;
  EXPECT_GT(e.rolling, 0.05 * e.turned_over);  // the law is at work
  EXPECT_LT(std::fabs(e.residual), 0.002 * e.turned_over);
}
