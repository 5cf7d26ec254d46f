"""The same bits whatever code the C library chooses for its powers: with fused multiply-adds or without."""
import subprocess
import sys
import unittest

import areia

PLAIN = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"  # names of glibc 2.36
SUM = "import math; print(sum(hash(math.pow(0.5 + 1e-5 * k, 1.37)) for k in range(100000)))"

# Attraction by a power that is no whole number, between all pairs, on every step.
POWER = """
[materials.grain]
density = 2000
young = 2e8
[contacts.default]
normal = { law = "hertz", xi = 0.3 }
[particles.cluster]
material = "grain"
radius = 0.01
fill = { region = { sphere = { center = [0, 0, 0], radius = 1 } }, count = 150 }
[forces.cohesion]
law = "power"
k_at = 0.5
a_at = 1.37
k_rep = 0.0
a_rep = 2
[numerics]
dt = "50 us"
skin = 0.05
[[stages]]
duration = "3 ms"
"""

# All else that has a power, a sine or a logarithm in it: motions, drag, random radii and velocities.
REST = """
[materials.grain]
density = 2500
young = 1e7
poisson = 0.3
[contacts.default]
normal = { law = "penalty", K = 1e7, P = 1.3, xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.grains]
material = "grain"
radius = { gaussian = { mean = 0.01, std = 0.001 } }
velocity_std = 0.3
fill = { region = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }, count = 60 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0, 0, 0.003], frequency = 31 } }
[walls.drum]
cylinder = { from = [-0.1, 0.1, 0.1], to = [0.3, 0.1, 0.1], radius = 0.2 }
motion = { rotating = { point = [0, 0.1, 0.1], axis = [1, 0, 0], rate = 3 } }
[fields.g]
acceleration = [0, 0, -9.81]
[fluid]
density = 1.2
viscosity = 1.8e-5
drag = "schiller_naumann"
[numerics]
dt = 2e-5
[[stages]]
duration = 0.01
"""

# A cell that deforms, with servos whose gains come from contact times.
CELL = """
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.006 } }
velocity_std = 0.1
fill = { region = { box = [[0, 0, 0], [0.05, 0.05, 0.05]] }, solid_fraction = 0.3 }
[domain]
box = [[0, 0, 0], [0.05, 0.05, 0.05]]
periodic = ["x", "y", "z"]
[domain.loading.sides]
axes = ["x", "y"]
stress = 2000
max_rate = 10
[domain.loading.top]
axes = ["z"]
strain_rate = 10
[[stages]]
duration = 0.05
"""


class OneHash(areia.Case):
    def test_with_and_without_fused_operations_in_the_library(self):
        of_library = [subprocess.run([sys.executable, "-c", SUM], capture_output=True, text=True, check=True,
                                     env={"GLIBC_TUNABLES": t}).stdout for t in ("", PLAIN)]
        if of_library[0] == of_library[1]:
            self.skipTest("the C library has no fused code for this processor, or is not told by its name")
        for name, text in (("power", POWER), ("rest", REST), ("cell", CELL)):
            self.write(name + ".toml", text)
            hashes = {}
            for engine in ("cpu", "reference"):  # vectors of this machine, and one number after the other
                for tunables in ("", PLAIN):
                    self.expect(0, "run", name + ".toml", "--out", "out", "--overwrite", "--engine", engine,
                                environment={"GLIBC_TUNABLES": tunables})
                    hashes[engine, tunables] = self.hash_of("out")
            self.assertEqual(len(set(hashes.values())), 1, f"{name}: {hashes}")


if __name__ == "__main__":
    areia.main()
