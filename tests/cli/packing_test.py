"""Computed packings and streams in results folders: kept for resuming, readable by other cases, stopped by signals."""
import os
import signal
import time

import areia

LAYERS = """
[materials.g]
density = 2500
young = 2e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
[particles.p]
material = "g"
radius = { gaussian = { mean = 0.01, std = 0.001 } }
SOURCE
[particles.rain]
material = "g"
radius = 0.01
stream = { region = { box = [[0, 0, 0.3], [0.1, 0.1, 0.4]] }, rate = 100 }
[walls.b]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.5], open = ["+z"] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.3
[output]
checkpoint = "never"
"""
FILL = 'fill = { method = "layers", region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, count = COUNT }'


class Packings(areia.Case):
    def test_kept_for_resuming_and_for_other_cases(self):
        case = self.write("case.toml", LAYERS.replace("SOURCE", FILL.replace("COUNT", "60")))
        self.expect(0, "run", case, "--out", self.path("whole"), "--quiet")
        whole = self.hash_of("whole")
        self.expect(0, "run", case, "--out", self.path("cut"), "--quiet", "--max-wall", "0.001")
        packing = self.path("cut", "packing_p.csv")
        with open(packing) as kept, open(self.path("whole", "packing_p.csv")) as same:
            self.assertEqual(kept.read(), same.read())
        before = os.stat(packing).st_mtime_ns
        self.assertEqual(areia.checkpoints(self.path("cut")), 1)
        self.expect(0, "run", "--resume", self.path("cut"), "--quiet")
        self.assertEqual(self.hash_of("cut"), whole)
        self.assertEqual(os.stat(packing).st_mtime_ns, before)
        with open(self.path("cut", "log.txt")) as log:
            self.assertEqual(log.read().count("layers"), 1)  # it was not made a second time

        other = self.write("other.toml", LAYERS.replace("SOURCE", 'file = "whole/packing_p.csv"'))
        self.expect(0, "run", other, "--quiet")
        self.assertEqual(self.hash_of("other.out"), whole)
        # the resolved case reproduces the run by itself
        self.expect(0, "run", self.path("whole", "case.toml"), "--out", self.path("again"), "--quiet")
        self.assertEqual(self.hash_of("again"), whole)
        with open(self.path("whole", "state.csv")) as table:
            lines = table.read().splitlines()
        column = lines[0].split(",").index("inserted")
        self.assertEqual(int(lines[-1].split(",")[column]), self.summary("whole")["inserted"])
        self.assertGreater(self.summary("whole")["inserted"], 20)

        with open(packing, "w") as file:
            file.write("x,y\n")
        self.assertIn("packing_p.csv", self.expect(4, "run", "--resume", self.path("cut")))

    def check_without_its_time(self, case, *arguments, environment=None):
        """What `areia check` prints, but for how long the run would take here, which no two checks agree on."""
        text = self.expect(0, "check", case, *arguments, environment=environment)
        return [line for line in text.splitlines() if not line.startswith("  time   ")]

    def test_check_and_run_compute_a_packing_once(self):
        case = self.write("case.toml", LAYERS.replace("SOURCE", FILL.replace("COUNT", "60")))
        plain = self.check_without_its_time(case, "--no-cache")
        self.assertTrue(any(line.startswith("  time step") for line in plain))
        cache = {"AREIA_CACHE": self.path("cache")}
        self.assertEqual(self.check_without_its_time(case, environment=cache), plain)
        (entry,) = os.listdir(self.path("cache", "packings"))
        written = os.stat(self.path("cache", "packings", entry)).st_ino
        self.expect(0, "run", case, "--out", self.path("a"), "--quiet", environment=cache)
        self.assertEqual(os.stat(self.path("cache", "packings", entry)).st_ino, written)  # read, not made again
        self.expect(0, "run", case, "--out", self.path("b"), "--quiet", "--no-cache")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))
        with open(self.path("a", "packing_p.csv")) as first, open(self.path("b", "packing_p.csv")) as second:
            self.assertEqual(first.read(), second.read())
        with open(self.path("cache", "packings", entry), "w") as file:
            file.write("nonsense")
        self.assertEqual(self.check_without_its_time(case, environment=cache), plain)

    def test_check_may_skip_packings(self):
        case = self.write("case.toml", LAYERS.replace("SOURCE", FILL.replace("COUNT", "2000000")))
        text = self.expect(0, "check", case, "--skip-packings")
        self.assertIn("particles.p: packing not computed", text)
        self.assertIn("no problems", text)

    def test_a_packing_that_falls_through_is_told_with_its_line(self):
        case = self.write("case.toml", LAYERS.replace("SOURCE", FILL.replace("COUNT", "60"))
                          .replace('open = ["+z"]', 'open = ["+z", "-z"]'))
        text = self.expect(2, "check", case)
        self.assertRegex(text, r"case.toml:11: particles.p.fill.region.*does not hold its particles")

    def test_signal_while_packing(self):
        case = self.write("case.toml", LAYERS.replace("SOURCE", FILL.replace("COUNT", "20000")))
        process = self.start("run", case, "--out", self.path("out"))
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.assertIn("interrupted before the first step", process.stderr.read())
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    areia.main()
