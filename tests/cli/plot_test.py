"""areia plot: columns of series as SVG, and what is refused."""
import areia

CASE = """
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz" }
[particles.grains]
material = "grain"
radius = 0.001
lattice = { region = { box = [[0, 0, 0], [0.008, 0.008, 0.008]] } }
[domain]
box = [[0, 0, 0], [0.008, 0.008, 0.008]]
periodic = ["x", "y", "z"]
[domain.loading.top]
axes = ["z"]
strain_rate = 1
[[stages]]
duration = 0.01
"""


class Plot(areia.Case):
    def test_columns_over_columns(self):
        self.write("case.toml", CASE)
        self.expect(0, "run", "case.toml", "--quiet")
        self.expect(0, "plot", "case.out", "--x", "cell.strain_z", "--y", "cell.stress_x_Pa,cell.stress_z_Pa", "--y",
                    "energy.elastic_normal_J", "--from", "0.005")
        with open(self.path("case.svg")) as file:
            text = file.read()
        self.assertTrue(text.startswith("<svg"))
        for label in ("strain_z", "stress_x_Pa", "stress_z_Pa", "elastic_normal_J"):
            self.assertIn(label, text)
        self.assertIn("exists already", self.expect(2, "plot", "case.out", "--y", "energy.kinetic_J"))
        for wrong, why in (("cell.strain", "did you mean"), ("nothing.strain", "is no column of a series"),
                           ("cell", "is no column of a series")):
            self.assertIn(why, self.expect(2, "plot", "case.out", "--y", wrong, "--out", "other.svg"))
        self.expect(4, "plot", "nothing.out", "--y", "energy.kinetic_J")


if __name__ == "__main__":
    areia.main()
