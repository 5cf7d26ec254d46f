// Grains of two sizes and materials that fall into a box and stay in motion: a case in parts, for tests of engines.
#pragma once
#include <string>

namespace areia::test {

inline const std::string kMaterials = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[materials.steel]
density = 7800
young = 2e7
poisson = 0.3
)";
inline const std::string kHertz = R"(
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
)";
inline const std::string kMixed = kHertz + R"(
rolling = { law = "constant", mu = 0.1 }
[contacts.steel-grain]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.2, xi = 0.1 }
adhesion = { law = "strain", k = 5, beta = 1 }
)";
inline const std::string kGrains = R"(
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.007 } }
velocity = [0.3, 0, -2]
fill = { region = { box = [[0, 0, 0], [0.06, 0.06, 0.08]] }, count = 80 }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.06
)";
inline const std::string kLarge = R"(
[particles.large]
material = "steel"
radius = 0.012
list = [{ x = [0.02, 0.02, 0.1], w = [5, 0, 3] }, { x = [0.04, 0.04, 0.14], v = [0, 0.1, -1] }]
)";
inline const std::string kBox = R"(
[walls.box]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.3] }
)";

}  // namespace areia::test
