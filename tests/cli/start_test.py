"""Cases that start from another run, checkpoints that describe themselves, the material library."""
import os
import re
import shutil

import areia

MATTER = """
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.2 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[output]
frames = 0.02
"""
GRAINS = """
[particles.grains]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0.0005], [0.056, 0.045, 0.023]] }, spacing = 0.0111 }
velocity_std = 0.02
"""
FALL = "[[stages]]\nname = \"fall\"\nduration = 0.04\n"
GO_ON = "[[stages]]\nname = \"go on\"\nduration = 0.04\n"
FROM = "[start]\nfrom = \"first.out\"\n"


class Start(areia.Case):
    def setUp(self):
        super().setUp()
        self.write("first.toml", MATTER + GRAINS + FALL)
        self.write("second.toml", FROM + MATTER + GO_ON)

    def arrays(self, results, names=("x", "v", "w", "q")):
        """Columns of the particles in the last checkpoint, as bytes."""
        import h5py
        folder = self.path(results, "checkpoints")
        with h5py.File(os.path.join(folder, sorted(os.listdir(folder))[-1]), "r") as file:
            return {name: file["real/particles/" + name][...].tobytes() for name in names}

    def text(self, *names):
        with open(self.path(*names)) as file:
            return file.read()

    def test_two_runs_are_one(self):
        self.write("whole.toml", MATTER + GRAINS + FALL + GO_ON)
        self.expect(0, "run", "whole.toml", "--quiet")
        self.expect(0, "run", "first.toml", "--quiet")
        out = self.expect(0, "check", "second.toml")
        self.assertRegex(out, r"start: 40 particles of first.out \(checkpoint at t = 0.04 s, step 2000\); \d+ contacts go on")
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith("second.out")], [])
        hashes = set()
        for k, options in enumerate((["--threads", "1"], ["--threads", "3"], ["--engine", "reference"])):
            self.expect(0, "run", "second.toml", "--out", f"second{k}", "--quiet", *options)
            self.assertEqual(self.arrays(f"second{k}"), self.arrays("whole.out"))
            hashes.add(self.hash_of(f"second{k}"))
        self.assertEqual(len(hashes), 1)
        self.assertIn("start: 40 particles of first.out", self.text("second0", "log.txt"))

    def test_the_folder_reproduces_the_run_by_itself(self):
        self.expect(0, "run", "first.toml", "--quiet")
        self.expect(0, "run", "second.toml", "--quiet")
        shutil.rmtree(self.path("first.out"))
        self.assertIn('from = "start.h5"', self.text("second.out", "case.toml"))
        self.expect(0, "run", self.path("second.out", "case.toml"), "--out", "again", "--quiet")
        self.assertEqual(self.hash_of("again"), self.hash_of("second.out"))
        # stopped and resumed, and extended
        self.expect(0, "run", self.path("second.out", "case.toml"), "--out", "cut", "--quiet", "--max-wall", "0.02")
        self.assertEqual(self.summary("cut")["ending"], "out of wall time")
        self.expect(0, "run", "--resume", "cut", "--quiet", "--engine", "reference")
        self.assertEqual(self.hash_of("cut"), self.hash_of("second.out"))
        self.expect(0, "run", "--resume", "cut", "--quiet", "--extend", "1ms")
        # a run from a run from a run
        self.write("third.toml", FROM.replace("first", "second") + MATTER + GO_ON)
        self.expect(0, "run", "third.toml", "--quiet")
        self.assert_readable("third.out")

    def test_unfinished_and_damaged_sources(self):
        self.expect(0, "run", "first.toml", "--quiet", "--max-wall", "0.01", "--set", "stages.fall.duration=4")
        out = self.expect(0, "check", "second.toml")
        self.assertIn("has not come to its end", out)
        folder = self.path("first.out", "checkpoints")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "r+b") as file:
                file.seek(2000)
                file.write(b"x" * 10)
        for command in ("check", "run"):
            out = self.expect(2, command, "second.toml")
            self.assertRegex(out, r"second.toml:2: start.from = \"first.out\".*no sound checkpoint")
            self.assertIn("checksum", out)
        self.assertFalse(os.path.exists(self.path("second.out")))

    def test_a_source_that_is_still_running(self):
        process = self.start("run", "first.toml", "--quiet", "--checkpoint", "0.05", "--set", "stages.fall.duration=400")
        self.assertTrue(self.wait_for(lambda: areia.checkpoints(self.path("first.out")) > 0, process))
        for k in range(5):
            self.expect(0, "run", "second.toml", "--out", f"second{k}", "--quiet", "--set", "stages[1].duration=1e-4")
        self.assertIsNone(process.poll())
        self.assertIn("has not come to its end", self.text("second0", "log.txt"))

    def test_from_frames(self):
        self.expect(0, "run", "first.toml", "--quiet")
        out = self.expect(0, "run", "second.toml", "--set", "start.time=0.02")
        self.assertIn("(frame at t = 0.02 s)", out)
        self.assertIn("knows nothing of what contacts remember", out)
        # a frame becomes a state of its own
        shutil.rmtree(self.path("first.out"))
        self.expect(0, "run", self.path("second.out", "case.toml"), "--out", "again", "--quiet")
        self.assertEqual(self.hash_of("again"), self.hash_of("second.out"))

    def test_checkpoints_describe_themselves(self):
        import h5py
        self.expect(0, "run", "first.toml", "--quiet")
        folder = self.path("first.out", "checkpoints")
        undescribed = []
        with h5py.File(os.path.join(folder, sorted(os.listdir(folder))[-1]), "r") as file:
            self.assertEqual(file.attrs["program"].decode(), "areia")
            self.assertRegex(file.attrs["version"].decode(), r"^\d+\.\d+")
            self.assertEqual(file.attrs["format"], 2)
            self.assertEqual(file.attrs["units"].decode(), "SI")
            self.assertEqual(file.attrs["step"], 2000)
            self.assertAlmostEqual(file.attrs["time"], 0.04)
            self.assertEqual(file.attrs["state_hash"].decode(), self.hash_of("first.out"))
            case = file["text/case"][()].decode()
            self.assertIn("[particles.grains]", case)
            self.assertEqual(file["text/names/groups"][()].decode().split(), ["grains"])
            self.assertEqual(file["text/names/walls"][()].decode().split(), ["floor"])
            x = file["real/particles/x"]
            self.assertEqual(x.shape, (40, 3))
            self.assertEqual(x.attrs["unit"].decode(), "m")
            self.assertEqual(x.attrs["columns"].decode(), "x, y, z")
            self.assertEqual(file["real/walls/numbers"].shape, (1, 24))

            def look(name, item):
                if isinstance(item, h5py.Dataset) and item.attrs["meaning"].decode() == "of the program alone":
                    undescribed.append(name)
            file.visititems(look)
        self.assertEqual(undescribed, [])
        self.expect(0, "check", self.write("again.toml", case))  # it has no long lists: so it is the case itself

    def test_every_dataset_of_rich_cases_is_described(self):
        import h5py
        cases = {"measures": MATTER + GRAINS + FALL + """
[output.measure.flow]
kind = "mass_flow"
axis = [0, 0, -1]
point = [0, 0, 0.01]
[output.measure.stay]
kind = "residence"
region = { box = [[0, 0, 0], [1, 1, 1]] }
[output.measure.worn]
kind = "wear"
""", "stream": MATTER + FALL + """
[particles.rain]
material = "grain"
radius = 0.004
stream = { region = { box = [[0, 0, 0.03], [0.05, 0.05, 0.06]] }, rate = 1000 }
"""}
        for name, text in cases.items():
            self.expect(0, "run", self.write(name + ".toml", text), "--quiet")
            folder = self.path(name + ".out", "checkpoints")
            with h5py.File(os.path.join(folder, os.listdir(folder)[0]), "r") as file:
                file.visititems(lambda where, item: self.assertNotEqual(
                    item.attrs["meaning"].decode() if isinstance(item, h5py.Dataset) else "", "of the program alone", where))


class Materials(areia.Case):
    def test_list_and_show(self):
        out = self.expect(0, "materials")
        self.assertRegex(out, r"(?m)^glass +2800 +48 +0.2 +Chung and Ooi \(2011\)$")
        self.assertRegex(out, r"(?m)^glass-glass +0.97 +0.092")
        out = self.expect(0, "materials", "glass")
        for line in ("young   4.8e+10 Pa", "10.1007/s10035-011-0277-0", 'library = "glass"', 'library = "glass-glass"'):
            self.assertIn(line, out)
        self.assertIn("density is not in the library", self.expect(0, "materials", "acrylic"))
        self.assertIn("did you mean `glass`", self.expect(2, "materials", "glas"))

    def test_every_value_has_its_source(self):
        page = self.expect(0, "materials", "--markdown")
        sources = set(re.findall(r"(?m)^- \*\*(.*?)\*\*", page))
        for row in re.findall(r"(?m)^\| `.*$", page):
            cells = [c.strip() for c in row.strip("|").split("|")]
            cited = cells[5:7] if len(cells) == 7 else cells[4:5]
            if len(cells) == 7:
                self.assertEqual(cells[2] == "-", cells[6] == "-", row)
            for source in cited:
                self.assertTrue(source == "-" or source in sources, row)

    def test_in_a_case(self):
        case = self.write("case.toml", """
[materials.bead]
density = 2400
library = "soda_lime_glass"
[materials.quartz]
library = "quartz"
young = "20 MPa"
[contacts.bead-bead]
library = "soda_lime_glass-soda_lime_glass"
tangential = { xi = 0.1 }
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
[particles.beads]
material = "bead"
radius = 0.001
list = [{ x = [0, 0, 0] }, { x = [0.01, 0, 0] }]
[particles.sand]
material = "quartz"
radius = 0.001
list = [{ x = [0, 0.01, 0] }]
[[stages]]
duration = 1e-6
""")
        self.expect(0, "run", case, "--quiet")
        with open(self.path("case.out", "case.toml")) as file:
            text = file.read()
        self.assertNotIn("library", text)
        self.assertRegex(text, r"\[materials.bead\]\ndensity = 2400.0\nyoung = 69000000000.0\npoisson = 0.2\n")
        self.assertRegex(text, r"\[materials.quartz\]\ndensity = 2650.0\nyoung = 20000000.0\npoisson = 0.08\n")
        self.assertRegex(text, r'\[contacts.bead-bead\]\nnormal = \{ law = "hertz", restitution = 0.97')
        self.assertRegex(text, r'tangential = \{ law = "coulomb_history", .*mu = 0.092, .*xi = 0.1')


if __name__ == "__main__":
    areia.main()
