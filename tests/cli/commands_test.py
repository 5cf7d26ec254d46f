"""The small commands, --set, and what is refused."""
import json
import os

import areia


class Commands(areia.Case):
    def test_version_and_help(self):
        self.assertRegex(self.expect(0, "--version"), r"^\d+\.\d+\.\d+\n$")
        text = self.expect(0, "--help")
        for command in ("run", "check", "new", "examples", "schema", "reference", "info"):
            self.assertIn(command, text)

    def test_wrong_arguments_exit_2(self):
        for arguments in ([], ["dance"], ["run"], ["run", "--threads", "0", "x.toml"], ["check"], ["run", "--wat"],
                          ["run", "x.toml", "--resume", "y"], ["run", "x.toml", "--max-wall", "-1"]):
            with self.subTest(arguments):
                self.expect(2, *arguments)
        self.assertEqual(os.listdir(self.folder), [])

    def test_new_writes_a_case_that_is_sound_and_does_not_overwrite(self):
        self.expect(0, "new", "mine.toml")
        self.assertIn("no problems", self.expect(0, "check", "mine.toml"))
        self.assertIn("exists already", self.expect(2, "new", "mine.toml"))

    def test_schema_is_json(self):
        schema = json.loads(self.expect(0, "schema"))
        self.assertIn("materials", schema["properties"])

    def test_reference_names_every_section(self):
        text = self.expect(0, "reference")
        for section in json.loads(self.expect(0, "schema"))["properties"]:
            self.assertIn(section, text)

    def test_info(self):
        text = self.expect(0, "info")
        self.assertIn("areia", text)
        self.assertIn("threads", text)

    def test_examples_are_listed_copied_and_sound(self):
        names = [line.split()[0] for line in self.expect(0, "examples").splitlines()
                 if os.path.exists(os.path.join(areia.source, "examples", line.split(" ")[0], "case.toml"))]
        for name in names:
            with self.subTest(name):
                self.expect(0, "examples", name)
                self.expect(0, "check", self.path(name, "case.toml"))
                self.expect(2, "examples", name)
        self.assertIn("no such example", self.expect(2, "examples", "no_such"))

    def test_set_overrides(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--set", "stages[1].duration=0.02", "--set", "materials.grain.young=5 MPa",
                    "--quiet")
        self.assertAlmostEqual(self.summary("a")["time"], 0.02, delta=self.summary("a")["dt"])
        with open(self.path("a", "case.toml")) as kept:
            self.assertRegex(kept.read(), r"young *= *(5e\+?0?6|5000000)")
        self.assertIn("materials.grain.yuong", self.expect(2, "check", case, "--set", "materials.grain.yuong=1"))
        self.assertIn("--set", self.expect(2, "run", "--resume", "a", "--set", "title=x"))

    def test_results_are_not_overwritten_unasked(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--quiet")
        first = self.hash_of("ball.out")
        text = self.expect(2, "run", case)
        self.assertIn("--overwrite", text)
        self.assertEqual(self.hash_of("ball.out"), first)
        self.expect(0, "run", case, "--overwrite", "--quiet")
        self.assertEqual(self.hash_of("ball.out"), first)

    def test_the_resolved_case_reproduces_the_run(self):
        case = self.write("grains.toml", areia.GRAINS)
        short = ["--quiet", "--set", "stages[1].duration=0.05", "--set", "stages[2].duration=0.05"]
        self.expect(0, "run", case, "--out", "a", *short)
        self.expect(0, "run", self.path("a", "case.toml"), "--out", "b", "--quiet")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))

    def test_quiet_prints_nothing(self):
        case = self.write("ball.toml", areia.BALL)
        self.assertEqual(self.expect(0, "run", case, "--quiet"), "")

    def test_profile_accounts_for_all_steps_of_every_engine(self):
        grains = self.write("grains.toml", areia.GRAINS)
        for options in [], ["--set", 'numerics.scheme="trapezoid"'], ["--engine", "reference"]:
            with self.subTest(options=options):
                told = self.expect(0, "run", grains, "--out", "out", "--overwrite", "--profile",
                                   "--set", "stages=[{duration=0.02}]", *options)
                self.assertIn("finding neighbours", told)
                summary = self.summary("out")
                profile = summary["profile"]
                steps = sum(t for name, t in profile.items() if name not in ("frames_and_series", "checkpoints"))
                self.assertAlmostEqual(steps, summary["loop_s"], delta=1e-6 + 1e-9 * summary["loop_s"])
                self.assertGreater(profile["other_steps" if options else "forces"], 0)

    def test_resume_of_nothing_exits_4(self):
        self.assertIn("case.toml", self.expect(4, "run", "--resume", "nowhere"))

    def test_a_finished_run_can_be_resumed_without_harm(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--quiet")
        first = self.hash_of("a")
        self.expect(0, "run", "--resume", "a", "--quiet")
        self.assertEqual(self.hash_of("a"), first)

    def test_reference_engine_agrees(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--quiet")
        self.expect(0, "run", case, "--out", "b", "--quiet", "--engine", "reference")
        a, b = self.summary("a"), self.summary("b")
        self.assertEqual(a["steps"], b["steps"])
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))
        self.assertAlmostEqual(a["energy"]["damping"], b["energy"]["damping"], delta=1e-9 * a["energy"]["turned_over"])

    def test_reference_engine_resumes(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--quiet")
        self.expect(0, "run", case, "--out", "b", "--quiet", "--engine", "reference", "--max-wall", "1e-3")
        self.expect(0, "run", "--resume", "b", "--quiet", "--engine", "reference")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))


if __name__ == "__main__":
    areia.main()
