"""Hard spheres from the command line: results folder, the same bits when resumed, collapse, what is refused."""
import os

import areia

GAS = """
[materials.ball]
density = 1000
[contacts.default]
impact = { restitution = 0.9, mu = 0.3, tangential_restitution = 0.2 }
[particles.gas]
material = "ball"
radius = 0.02
velocity_std = 1
fill = { region = { box = [[0, 0, 0], [1, 1, 1]] }, count = 2000 }
[walls.box]
box = { min = [0, 0, 0], max = [1, 1, 1] }
[fields.gravity]
acceleration = [0, 0, -1]
[[stages]]
name = "fly"
duration = 1.5
[numerics]
engine = "events"
events = { contact_time = 1e-4 }
[output]
frames = 0.5
"""

BALL = """
[materials.ball]
density = 1000
[contacts.default]
impact = { restitution = 0.5 }
[particles.one]
material = "ball"
radius = 0.1
list = [{ x = [0, 0, 1.1] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.gravity]
acceleration = [0, 0, -10]
[[stages]]
duration = 3
[numerics]
engine = "events"
"""


class Events(areia.Case):
    def test_resumed_runs_have_the_same_bits(self):
        case = self.write("gas.toml", GAS)
        text = self.expect(0, "run", case, "--out", "whole")
        self.assertRegex(text, r"\d+ collisions of particles, \d+ with walls")
        summary = self.summary("whole")
        self.assertEqual(summary["engine"], "events")
        self.assertGreater(summary["events"]["collisions"], 5000)
        self.assertGreater(summary["events"]["wall_collisions"], 500)
        self.assertLess(abs(summary["energy_residual_relative"]), 1e-12)
        for share in (0.5, 0.3, 0.1):  # of the time that the whole run took, until it is cut indeed
            limit = str(share * summary["wall_s"])
            self.expect(0, "run", case, "--out", "cut", "--overwrite", "--max-wall", limit, "--threads", "2")
            if self.summary("cut")["ending"] == "out of wall time":
                break
        self.assertEqual(self.summary("cut")["ending"], "out of wall time")
        self.assertGreater(self.summary("cut")["steps"], 0)
        self.expect(0, "run", "--resume", "cut")
        self.assertEqual(self.hash_of("cut"), self.hash_of("whole"))
        self.assertGreater(self.assert_readable("cut"), 5)
        for name in ("energy.csv", "state.csv", "walls.csv"):
            with open(self.path("whole", name)) as whole, open(self.path("cut", name)) as cut:
                self.assertEqual(whole.read(), cut.read(), name)
        self.expect(0, "render", "whole", "--out", "gas.png")
        self.assertTrue(os.path.exists(self.path("gas.png")))

    def test_collapse_exits_3_with_particle_time_and_reason(self):
        case = self.write("ball.toml", BALL)
        text = self.expect(3, "run", case, "--out", "a")
        self.assertRegex(text, r"inelastic collapse at t = 1\.341\d+ s: particle 0 .* the wall `floor`")
        self.assertTrue(self.assert_readable("a"))
        self.expect(0, "run", case, "--out", "b", "--set", "numerics.events.contact_time=1e-3")

    def test_the_reference_engine_is_refused(self):
        case = self.write("ball.toml", BALL)
        text = self.expect(2, "run", case, "--out", "a", "--engine", "reference")
        self.assertIn("the reference engine has soft contacts only", text)
        self.assertFalse(os.path.exists(self.path("a")))


if __name__ == "__main__":
    areia.main()
