"""areia plot: all series and the ledger, columns of series, as SVG and PNG, and what is refused."""
import os
import xml.etree.ElementTree

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
        self.expect(0, "plot", "case.out", "--y", "energy.kinetic_J", "--out", "one.png")
        with open(self.path("one.png"), "rb") as file:
            self.assertTrue(file.read().startswith(b"\x89PNG"))
        self.assertIn(".svg or .png", self.expect(2, "plot", "case.out", "--y", "energy.kinetic_J", "--out", "a.pdf"))

    def test_everything(self):
        self.write("case.toml", CASE)
        self.expect(0, "run", "case.toml", "--quiet")
        self.assertIn("plots, each as SVG and PNG", self.expect(0, "plot", "case.out"))
        there = set(os.listdir(self.path("case.out/plots")))
        for name in ("ledger", "energy", "state", "cell"):
            self.assertLessEqual({name + ".svg", name + ".png"}, there)
            tree = xml.etree.ElementTree.parse(self.path(f"case.out/plots/{name}.svg"))
            self.assertTrue(tree.getroot().tag.endswith("svg"))
        self.assertNotIn("stages.svg", there)
        with open(self.path("case.out/plots/ledger.svg")) as file:
            text = file.read()
        self.assertIn("supplied", text)
        self.assertIn("residual", text)
        self.expect(0, "plot", "case.out")  # its own plots it draws again
        os.makedirs(self.path("others"))
        self.write("others/energy.svg", "mine")
        self.assertIn("energy.svg", self.expect(2, "plot", "case.out", "--out", "others"))
        self.expect(2, "plot", "case.out", "--from", "1")  # of no column
        os.makedirs(self.path("empty.out"))
        self.assertIn("no series", self.expect(4, "plot", "empty.out"))
        self.write("case.out/extra.csv", "time_s,a\n0,1\n1\n")
        self.assertIn("extra.csv:3", self.expect(4, "plot", "case.out", "--out", "again"))


if __name__ == "__main__":
    areia.main()
