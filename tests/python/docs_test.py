"""The page of the manual and the programs of examples/python do what they say."""
import os
import re
import subprocess
import sys

import support
from support import areia

HEAP = """
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.grain-grain]
normal = { law = "hertz", restitution = 0.4 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
[particles.pile]
material = "grain"
radius = 0.01
fill = { region = { box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.15]] }, count = 60 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
name = "settle"
until = { at_rest = true, at_most = "1 s" }
[[stages]]
name = "end"
duration = "50 ms"
"""


class Docs(support.Case):
    def python(self, *arguments):
        return subprocess.run([sys.executable, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=250)

    def test_page(self):
        with open(os.path.join(support.source, "docs", "python.md")) as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.S | re.M)
        self.assertGreater(len(blocks), 6)
        with open(self.path("heap.toml"), "w") as file:
            file.write(HEAP)
        done = self.python("-c", "\n".join(blocks))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hertz-wall-closed pass", done.stdout)
        self.assertTrue(os.path.exists(self.path("heap.out", "summary.json")))

    def test_programs(self):
        folder = os.path.join(support.source, "examples", "python")
        one = self.python(os.path.join(folder, "angle_of_repose.py"), "0.1", "0.6")
        self.assertEqual(one.returncode, 0, one.stderr)
        flat, steep = (float(a) for a in re.findall(r"about ([0-9.]+) degrees", one.stdout))
        self.assertLess(flat, steep)
        two = self.python(os.path.join(folder, "servo.py"))
        self.assertEqual(two.returncode, 0, two.stderr)

    def test_impact_lab(self):
        found = areia.impact.run(os.path.join(support.source, "examples", "impact", "ball.toml"), set={"run.t_end": 3})
        self.assertGreater(len(found.events), 1)
        self.assertEqual(len(found.series.names), len(set(found.series.names)))
        with open(os.path.join(support.source, "tests", "data", "impact.json")) as file:
            import json
            cases = json.load(file)
        answer = areia.impact.solve({"cases": cases["cases"][:3]})
        self.assertIn("result", json.dumps(answer))
        self.problems_of(lambda: areia.impact.run({"model": "none"}))
        self.problems_of(lambda: areia.verify("no-such-example"))


if __name__ == "__main__":
    support.main()
