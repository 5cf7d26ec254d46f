"""The small commands, --set, and what is refused."""
import json
import os

import areia


TABLES = """
[materials.sand]
density = 2500
young = 2e7
[materials.clay]
density = 2000
young = 1e7
[contacts.sand-sand]
normal = { law = "hertz", xi = 0.1 }
[contacts.lid-sand]
normal = { law = "hertz", xi = 0.3 }
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
[particles.a]
material = "sand"
radius = 0.01
list = [{ x = [0, 0, 0.1] }, { x = [0.1, 0, 0.1] }]
[particles.b]
material = "clay"
radius = 0.01
list = [{ x = [0, 0.1, 0.1] }, { x = [0.1, 0.1, 0.1] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.lid]
plane = { point = [0, 0, 1], normal = [0, 0, -1] }
[[stages]]
duration = 0.1
"""

LONE = """
[materials.ball]
density = 2500
[particles.a]
material = "ball"
radius = 0.01
list = [{ x = [0, 0, 1], v = [1, 0, 0] }]
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.1
"""


class Commands(areia.Case):
    def test_version_and_help(self):
        self.assertRegex(self.expect(0, "--version"), r"^\d+\.\d+\.\d+\n$")
        text = self.expect(0, "--help")
        for command in ("run", "check", "new", "examples", "schema", "reference", "info"):
            self.assertIn(command, text)

    def test_wrong_arguments_exit_2(self):
        for arguments in (["dance"], ["run"], ["run", "--threads", "0", "x.toml"], ["check"], ["run", "--wat"],
                          ["run", "x.toml", "--resume", "y"], ["run", "x.toml", "--max-wall", "-1"]):
            with self.subTest(arguments):
                self.expect(2, *arguments)
        self.assertEqual(os.listdir(self.folder), [])

    def test_new_writes_a_case_that_is_sound_and_does_not_overwrite(self):
        self.expect(0, "new", "mine.toml")
        self.assertIn("no problems", self.expect(0, "check", "mine.toml"))
        self.assertIn("exists already", self.expect(2, "new", "mine.toml"))

    def test_check_tells_the_table_of_every_pair(self):
        case = self.write("case.toml", TABLES)
        text = self.expect(0, "check", case)
        for pair, table in (("sand-sand", "[contacts.sand-sand], its own"),
                            ("sand-clay", "[contacts.default], since it has none of its own"),
                            ("clay-clay", "[contacts.default], since it has none of its own"),
                            ("sand-floor", "[contacts.default], since it has none of its own; this comes before "
                                           "[contacts.sand-sand]"),
                            ("sand-lid", "[contacts.lid-sand], its own"),
                            ("clay-lid", "[contacts.default], since it has none of its own")):
            self.assertIn(f"{pair}: {table}\n", text)
        log = self.expect(0, "run", case)
        self.assertIn("contacts.sand-floor: [contacts.default], since", log)
        self.assertEqual(log.count("this comes before"), 1)
        # without the default the wall goes with the grain
        text = self.expect(0, "check", self.write("without.toml", TABLES.replace("contacts.default", "contacts.clay-clay")
                                                  + '[contacts.sand-clay]\nlike = "clay-clay"\n'))
        for pair, table in (("sand-floor", "[contacts.sand-sand], that of the grain with itself, since there is no other"),
                            ("clay-lid", "[contacts.clay-clay], that of the grain with itself, since there is no other"),
                            ("sand-clay", "[contacts.sand-clay], its own")):
            self.assertIn(f"{pair}: {table}\n", text)

    def test_a_lone_particle_needs_no_contacts(self):
        case = self.write("case.toml", LONE)
        text = self.expect(0, "check", case)
        self.assertIn("none: nothing can meet", text)
        self.assertNotIn("shortest contact", text)
        hashes = set()
        for engine in ("cpu", "reference"):
            self.expect(0, "run", case, "--out", engine, "--quiet", "--engine", engine)
            hashes.add(self.hash_of(engine))
        self.assertEqual(len(hashes), 1)
        # with a wall the table of this pair is needed, that of the particle with another one is not
        wall = LONE + "[walls.floor]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n"
        self.assertIn("contacts.ball-floor", self.expect(2, "check", self.write("wall.toml", wall)))
        wall += '[contacts.ball-floor]\nnormal = { law = "hertz", xi = 0.1 }\n'
        text = self.expect(0, "check", self.write("wall.toml", wall.replace("density", "young = 1e7\ndensity")))
        self.assertIn("ball-floor: [contacts.ball-floor], its own", text)
        self.assertNotIn("ball-ball", text)

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
        self.assertEqual(a["energy"], b["energy"])

    def test_reference_engine_resumes(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--quiet")
        self.expect(0, "run", case, "--out", "b", "--quiet", "--engine", "reference", "--max-wall", "1e-3")
        self.expect(0, "run", "--resume", "b", "--quiet", "--engine", "reference")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))


if __name__ == "__main__":
    areia.main()
