"""areia impact run, plot, compare, characteristic: files, exit codes, what is refused."""
import csv
import json
import os
import re

import areia

BAR = os.path.join(areia.source, "examples", "impact", "bar.toml")


class ImpactLab(areia.Case):
    def test_run_writes_series_events_and_diagrams(self):
        text = self.expect(0, "impact", "run", BAR, "--out", "out", "--set", "model=kane", "--set", "params={e=1,mu=1}",
                           "--set", "run.t_end=0.9")
        self.assertIn("energy gain", text)
        with open(self.path("out", "run.json")) as f:
            run = json.load(f)
        self.assertTrue(run["complete"])
        self.assertEqual(run["impacts"], 2)
        with open(self.path("out", "events.json")) as f:
            events = json.load(f)
        self.assertAlmostEqual(events[0]["t"], 0.4156250786482604, delta=1e-12)
        self.assertAlmostEqual(events[1]["energy_after"], 11.971439386445986, delta=1e-9)
        with open(self.path("out", "series.csv")) as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(float(rows[0]["y"]), 1.2)
        self.assertEqual(float(rows[-1]["t"]), 0.9)
        for name in ("0000.json", "0000.svg", "0001.json", "0001.svg"):
            self.assertTrue(os.path.exists(self.path("out", "diagrams", name)), name)
        text = self.expect(0, "impact", "plot", "out")
        for name in ("motion.svg", "impulses.svg", "strobe.svg", "path.svg", "spin.svg"):
            self.assertIn(name, text)
            self.assertTrue(os.path.exists(self.path("out", name)), name)

    def test_names_of_contacts_may_have_commas(self):
        with open(os.path.join(areia.source, "examples", "impact", "linear.toml")) as file:
            text = file.read()
        name = re.search(r'name *= *"([^"]*)"', text).group(1)
        self.expect(0, "impact", "run", self.write("linear.toml", text.replace(f'"{name}"', """'left, "or" so'""")), "--out", "out")
        with open(self.path("out", "events.csv")) as file:
            rows = list(csv.reader(file))
        self.assertIn('left, "or" so', [row[3] for row in rows])
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_wrong_cases_are_told_and_nothing_is_written(self):
        case = self.write("wrong.toml", 'model = "newton"\n[params]\ne = 2\n[system]\nkind = "bar"\nmasss = 1\n')
        text = self.expect(2, "impact", "run", case, "--out", "out")
        self.assertIn("wrong.toml:3: params.e = 2", text)
        self.assertIn("wrong.toml:6: system.masss = 1", text)
        self.assertIn("2 problems", text)
        self.assertFalse(os.path.exists(self.path("out")))
        self.assertIn("overlap", self.expect(2, "impact", "run", BAR, "--out", "out", "--set", "start.y=0"))
        self.assertIn("model", self.expect(2, "impact", "run", BAR, "--out", "out", "--set", "model=newtan"))
        self.expect(2, "impact", "run", "no_such.toml", "--out", "out")
        self.assertFalse(os.path.exists(self.path("out")))
        self.assertIn("impact run", self.expect(2, "impact", "plot", "nowhere"))

    def test_a_jam_stops_and_keeps_what_was_reached(self):
        case = self.write("jam.toml", 'model = "wm_poisson"\nparams = { e = 0.7, mu = 0.9 }\n[system]\n'
                          'kind = "rigid_pendulum"\ng = 0\ncontact_angle = 0.5\nsurface_speed = -0.4\n[start]\n'
                          'theta = 0.7\nomega = -2\n')
        text = self.expect(3, "impact", "run", case, "--out", "out")
        self.assertIn("no_solution", text)
        with open(self.path("out", "run.json")) as f:
            run = json.load(f)
        self.assertEqual(run["status"], "no_solution")
        self.assertAlmostEqual(run["t_reached"], 0.1, delta=1e-12)

    def test_limit_of_impacts(self):
        ball = os.path.join(areia.source, "examples", "impact", "ball.toml")
        self.assertIn("3 impacts", self.expect(3, "impact", "run", ball, "--out", "out", "--set", "run.max_impacts=3"))

    def test_compare(self):
        text = self.expect(0, "impact", "compare", "--sweep", "mu=0,1", "--models", "wm_newton,wm_poisson", "--out", "out")
        self.assertIn("0.1125*", text)
        self.assertIn("-0.072", text)
        for name in ("compare.csv", "compare.json", "compare.svg"):
            self.assertTrue(os.path.exists(self.path("out", name)), name)
        text = self.expect(0, "impact", "compare", BAR, "--sweep", "e=0:1:0.5", "--models", "newton,gp1", "--show", "IN", "--mu", "0")
        self.assertIn("3.2585", text)
        self.expect(2, "impact", "compare", "--sweep", "mu=a")
        self.expect(2, "impact", "compare", "--sweep", "mu=0,1", "--models", "newtan")
        self.expect(2, "impact", "compare", "--sweep", "mu=0,1", "--DN", "1")

    def test_characteristic(self):
        self.expect(0, "impact", "characteristic", "--mu", "0.5", "--out", self.path("law.svg"))
        self.assertTrue(os.path.exists(self.path("law.svg")))
        self.expect(2, "impact", "characteristic", "--mu", "0.5", "--ITC", "1", "--out", self.path("law2.svg"))


if __name__ == "__main__":
    areia.main()
