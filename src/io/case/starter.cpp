#include "areia/case_file.h"

namespace areia {

std::string starter_case() {
  return R"(# A case for Areia. Numbers are in SI units; a text may carry a unit: "5 mm", "2.5 g/cm^3", "30 deg".
# `areia check` tells what is wrong with a case, the reference page lists every key.

title = "Grains fall into a box, then a side opens"

# What bodies are made of.
[materials.glass]
density = "2500 kg/m^3"
young   = "10 MPa"       # softer than real glass: larger time steps, same flow as long as overlaps stay small
poisson = 0.25

# What acts where two materials touch. A wall without material is rigid and goes by its own name.
[contacts.glass-glass]
normal     = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling    = { law = "constant", mu = 0.05 }

[contacts.glass-floor]
like       = "glass-glass"
tangential = { mu = 0.6 }

# Particles: one by one (`list`, `file`), on a `lattice`, or by random `fill`.
[particles.grains]
material = "glass"
radius   = { uniform = { min = "8 mm", max = "12 mm" } }
fill     = { region = { box = [[0, 0, 0], ["20 cm", "20 cm", "60 cm"]] }, count = 1000 }

[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }

[walls.sides]
box = { min = [0, 0, 0], max = ["20 cm", "20 cm", "80 cm"], open = ["-z", "+z", "+x"] }

[walls.gate]
plane = { point = ["20 cm", 0, 0], normal = [-1, 0, 0] }

[fields.gravity]
acceleration = [0, 0, -9.81]

# A run is a sequence of stages.
[[stages]]
name  = "settle"
until = { at_rest = true, at_most = "2 s" }

[[stages]]
name     = "flow"
remove   = ["walls.gate"]
duration = "1 s"

# Particles that come so far are taken out and counted.
[domain]
box  = [[-1, -1, -1], [2, 2, 2]]
rule = "delete"

[output]
frames = "20 ms"

# Time step, neighbour lists and threads are chosen by the program; [numerics] overrides them.
)";
}

}  // namespace areia
