"""What a finished run leaves: a checkpoint, the story of its stages; and how it goes on from there."""
import csv
import hashlib
import json
import os

import areia

STAGES = """
[[stages]]
name = "more"
duration = 0.02
"""


class GoingOn(areia.Case):
    def setUp(self):
        super().setUp()
        self.case = self.write("grains.toml", areia.GRAINS)

    def contents(self, results):
        """Every file of a results folder but its log, by a digest."""
        found = {}
        for folder, _, names in os.walk(self.path(results)):
            for name in names:
                if name not in ("log.txt", "lock"):
                    with open(os.path.join(folder, name), "rb") as file:
                        found[os.path.join(folder, name)] = hashlib.sha256(file.read()).hexdigest()
        return found

    def test_a_finished_run_is_told_so(self):
        self.expect(0, "run", self.case, "--out", "a", "--quiet", "--checkpoint", "0")
        self.assertEqual(areia.checkpoints(self.path("a")), 1)
        before = self.contents("a")
        text = self.expect(0, "run", "--resume", "a")
        self.assertIn("finished already", text)
        self.assertIn(self.hash_of("a"), text)
        self.assertIn("--extend", text)
        self.assertEqual(self.contents("a"), before)

    def test_a_summary_that_was_not_written_is(self):
        self.expect(0, "run", self.case, "--out", "a", "--quiet")
        wanted = self.hash_of("a")
        os.remove(self.path("a", "summary.json"))
        self.expect(0, "run", "--resume", "a", "--quiet")
        self.assertEqual(self.hash_of("a"), wanted)

    def test_an_extended_run_is_that_of_a_case_with_one_stage_more(self):
        longer = self.write("longer.toml", areia.GRAINS + STAGES.replace("more", "extended"))
        self.expect(0, "run", longer, "--out", "whole", "--quiet")
        self.expect(0, "run", self.case, "--out", "a", "--quiet")
        self.expect(0, "run", "--resume", "a", "--extend", "20ms", "--quiet", "--threads", "2")
        self.assertEqual(self.hash_of("a"), self.hash_of("whole"))
        self.assertEqual([s["name"] for s in self.summary("a")["stages"]][-1], "extended")
        with open(self.path("a", "energy.csv")) as file:
            times = [float(line["time_s"]) for line in csv.DictReader(file)]
        self.assertEqual(times, sorted(set(times)))
        self.assertAlmostEqual(times[-1], self.summary("whole")["time"], places=12)
        # and once more, and the case that is kept is the one that was run
        self.expect(0, "run", "--resume", "a", "--extend", "0.01", "--quiet")
        self.assertEqual([s["name"] for s in self.summary("a")["stages"]][-2:], ["extended", "extended2"])
        self.expect(0, "run", self.path("a", "case.toml"), "--out", "again", "--quiet")
        self.assertEqual(self.hash_of("again"), self.hash_of("a"))

    def test_a_run_that_was_stopped_can_be_extended(self):
        longer = self.write("longer.toml", areia.GRAINS + STAGES.replace("more", "extended"))
        self.expect(0, "run", longer, "--out", "whole", "--quiet")
        self.expect(0, "run", self.case, "--out", "a", "--quiet", "--max-wall", "0.05")
        self.assertEqual(self.summary("a")["ending"], "out of wall time")
        self.expect(0, "run", "--resume", "a", "--extend", "20 ms", "--quiet")
        self.assertEqual(self.hash_of("a"), self.hash_of("whole"))

    def test_a_case_that_was_edited_is_not_replaced(self):
        self.expect(0, "run", self.case, "--out", "a", "--quiet")
        with open(self.path("a", "case.toml"), "a") as file:
            file.write("# mine\n")
        self.assertIn("case.toml", self.expect(2, "run", "--resume", "a", "--extend", "1 ms"))
        with open(self.path("a", "case.toml")) as file:
            self.assertTrue(file.read().endswith("# mine\n"))

    def test_wrong_extensions(self):
        self.assertIn("--extend = 1s: is for resumed runs", self.expect(2, "run", self.case, "--extend", "1s"))
        self.expect(0, "run", self.case, "--out", "a", "--quiet")
        before = self.contents("a")
        for wrong in ("1kg", "soon", "-1s", "0", "nan"):
            self.assertIn(f"--extend = {wrong}:", self.expect(2, "run", "--resume", "a", f"--extend={wrong}"))
        self.assertEqual(self.contents("a"), before)

    def test_stages_tell_how_they_went(self):
        case = self.write("two.toml", areia.GRAINS + STAGES + """
[[stages]]
name = "fewer"
until = { value = "state.particles", below = 0.5, at_most = "3 ms" }
""")
        text = self.expect(0, "run", case, "--out", "a")
        stages = self.summary("a")["stages"]
        self.assertEqual([s["name"] for s in stages][-2:], ["more", "fewer"])
        self.assertEqual([s["ended_by"] for s in stages][-2:], ["time", "limit"])
        for one, other in zip(stages, stages[1:]):
            self.assertEqual(one["end"], other["begin"])
            self.assertEqual(one["last_step"], other["first_step"])
        with open(self.path("a", "log.txt")) as file:
            log = file.read()
        for line in ("stage more begins at t = ", "stage more ends at t = ", "its time is over",
                     "what it waited for did not come in the time it had"):
            self.assertIn(line, text)
            self.assertIn(line, log)
        with open(self.path("a", "stages.csv")) as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([int(line["stage"]) for line in lines], list(range(1, len(stages) + 1)))
        self.assertEqual([line["ended_by"] for line in lines], [s["ended_by"] for s in stages])
        self.assertEqual([float(line["time_s"]) for line in lines], [s["end"] for s in stages])
        # stopped in between it is the same story
        wall = 0.2
        self.expect(0, "run", case, "--out", "b", "--quiet", "--max-wall", f"{wall}")
        while self.summary("b")["ending"] != "finished":
            wall *= 1.5  # a slow machine comes to the end, too
            self.expect(0, "run", "--resume", "b", "--quiet", "--max-wall", f"{wall}")
        with open(self.path("a", "stages.csv")) as a, open(self.path("b", "stages.csv")) as b:
            self.assertEqual(a.read(), b.read())

    def test_profile_after_a_stop(self):
        text = self.expect(0, "run", self.case, "--out", "a", "--max-wall", "0.2", "--profile")
        self.assertIn("finding neighbours", text)
        self.assertIn("forces", json.dumps(self.summary("a")["profile"]))


if __name__ == "__main__":
    areia.main()
