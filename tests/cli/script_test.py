"""Scripts of LAMMPS and LIGGGHTS on the command line: areia import; areia export, and what reads its files."""
import os
import re
import shutil
import subprocess
import unittest

import areia

EXAMPLE = os.path.join(areia.source, "examples", "19_liggghts_hopper")

FALL = """units si
atom_style sphere
boundary f f f
region space block 0 1 0 1 0 1 units box
create_box 1 space
create_atoms 1 single 0.5 0.5 0.1
create_atoms 1 single 0.5 0.6 0.3
set type 1 diameter 0.1 density 2500
set atom 2 diameter 0.05
velocity all set 0.1 0.2 -0.3
set atom 2 omega 1 2 3
pair_style granular
pair_coeff * * hertz/material 1e7 0.5 0.25 tangential mindlin NULL 0.5 0.4 damping tsuji
fix floor all wall/gran granular hertz/material 1e7 0.5 0.25 tangential mindlin NULL 0.5 0.4 damping tsuji zplane 0 NULL
fix weight all gravity 9.81 vector 0 0 -1
fix motion all nve/sphere
timestep 1e-4
dump d all custom 100 d.txt id x y z
run 300
"""


class Import(areia.Case):
    def test_the_example_is_what_import_writes(self):
        for name in ("in.hopper", "hopper.stl"):
            shutil.copy(os.path.join(EXAMPLE, name), self.folder)
        text = self.expect(0, "import", self.path("in.hopper"), "--out", self.path("case.toml"))
        self.assertRegex(text, r"not taken over: .*in\.hopper:\d+: compute spin all erotate/sphere")
        with open(self.path("case.toml")) as ours, open(os.path.join(EXAMPLE, "case.toml")) as kept:
            self.assertEqual(ours.read(), kept.read())
        self.assertIn("no problems", self.expect(0, "check", self.path("case.toml")))
        # to the terminal; then names of meshes are seen from here
        code, out, err = self.areia("import", "in.hopper")
        self.assertEqual(code, 0)
        with open(self.path("case.toml")) as file:
            self.assertEqual(out, file.read())

    def test_from_another_folder(self):
        os.makedirs(self.path("scripts"))
        os.makedirs(self.path("cases"))
        for name in ("in.hopper", "hopper.stl"):
            shutil.copy(os.path.join(EXAMPLE, name), self.path("scripts"))
        self.expect(0, "import", "scripts/in.hopper", "--out", "cases/h.toml")
        with open(self.path("cases", "h.toml")) as file:
            self.assertIn('file = "../scripts/hopper.stl"', file.read())
        self.expect(0, "check", "cases/h.toml")

    def test_variables_and_formats(self):
        self.assertIn("areia import", self.expect(2, "run", self.write("in.fall", FALL)))
        script = self.write("fall.txt", FALL)  # known by its content
        self.expect(0, "import", script, "--out", self.path("fall.toml"))
        self.write("words.txt", "speed 7\n")
        self.assertIn("give --format", self.expect(2, "import", "words.txt"))
        self.assertIn("no `run`", self.expect(2, "import", "words.txt", "--format", "lammps"))
        self.write("in.var", FALL.replace("run 300", "variable n index 300\nrun ${n}"))
        for n, duration in ((None, "0.03"), (500, "0.05")):
            out = self.areia("import", "in.var", *(["--var", f"n={n}"] if n else []))[1]
            self.assertIn(f"duration = {duration}\n", out)
        self.assertIn("NAME=VALUE", self.expect(2, "import", "in.var", "--var", "n"))
        self.expect(2, "import", "in.var", "--format", "gadget")

    def test_wrong_scripts(self):
        """File, line, key, value, rule; exit code 2; nothing written."""
        for line, key in (("timestep soon", "timestep"), ("run -5", "run.steps"), ("region r block 1 0 0 1 0 1", "region"),
                          ("units metal", "units.style"), ("fix m all mesh/surface file none.stl type 1", "fix.file"),
                          ("read_data none.data", "read_data.file")):
            with self.subTest(line):
                self.write("in.wrong", FALL + line + "\nrun 10\n" if not line.startswith("read") else
                           line + "\n" + FALL)
                text = self.expect(2, "import", "in.wrong", "--out", "wrong.toml")
                number = 1 if line.startswith("read") else FALL.count("\n") + 1
                self.assertIn(f"in.wrong:{number}: {key}", text)
                self.assertFalse(os.path.exists(self.path("wrong.toml")))
        text = self.expect(2, "import", self.write("in.none", FALL.replace("granular", "lj/cut")), "--out", "none.toml")
        self.assertRegex(text, r"in.none:12: pair_style.style = lj/cut: must be gran")
        self.assertIn("in.empty", self.expect(2, "import", self.write("in.empty", "")))
        self.expect(2, "import", "in.nowhere")

    def test_nothing_of_others_is_overwritten(self):
        script = self.write("in.fall", FALL)
        self.assertIn("is the file to import", self.expect(2, "import", script, "--out", "in.fall", "--overwrite"))
        os.symlink(script, self.path("link.toml"))
        self.expect(2, "import", script, "--out", "link.toml", "--overwrite")
        self.write("mine.toml", "mine\n")
        self.expect(2, "import", script, "--out", "mine.toml")
        with open(script) as a, open(self.path("mine.toml")) as b:
            self.assertEqual((a.read(), b.read()), (FALL, "mine\n"))
        self.expect(0, "import", script, "--out", "mine.toml", "--overwrite")


class Export(areia.Case):
    def setUp(self):
        super().setUp()
        self.write("in.fall", FALL)
        self.expect(0, "import", "in.fall", "--out", "fall.toml")
        self.expect(0, "run", "fall.toml", "--out", "fall.out", "--quiet", "--set", 'output.precision="double"')

    def rows(self, file, more=""):
        """The particles of a file as a case reads them."""
        self.write("again.toml", f"""
[materials.grain]
young = 1e7
[contacts.default]
normal = {{ law = "hertz", xi = 0.1 }}
[particles.p]
material = "grain"
file = "{file}"
{more}
[[stages]]
duration = 1e-9
[numerics]
dt = 1e-9
""")
        self.expect(0, "run", "again.toml", "--out", "again.out", "--overwrite", "--quiet")
        with open(self.path("again.out", "case.toml")) as kept:
            return [[float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", line)]
                    for line in kept.read().split("list = [")[1].split("\n]")[0].strip().splitlines()]

    def frame(self, number):
        """The same of a frame of the run, which is read without export."""
        return self.rows(f"fall.out/frames/particles_{number:06d}.vtp")

    def assert_same(self, rows, wanted):
        self.assertEqual(len(rows), len(wanted))
        for a, b in zip(rows, wanted):
            self.assertEqual(a[:-1], b[:-1])  # bit by bit; masses go through the density
            self.assertAlmostEqual(a[-1] / b[-1], 1, delta=1e-14)

    def test_round_trip(self):
        self.assertIn("2 particles", self.expect(0, "export", "fall.out"))  # the last frame, beside the results
        last = self.frame(3)
        self.assertNotEqual(last, self.frame(0))
        self.assert_same(self.rows("fall.data"), last)
        self.expect(0, "export", "fall.out", "--frame", "1", "--out", "one.data")
        self.assert_same(self.rows("one.data"), self.frame(1))
        self.expect(0, "export", "fall.out", "--time", "0.019", "--out", "two.data")
        self.assert_same(self.rows("two.data"), self.frame(2))
        self.assertIn("4 frames", self.expect(0, "export", "fall.out", "--format", "lammps-dump"))
        self.assert_same(self.rows("fall.dump"), last)
        self.assert_same(self.rows("fall.dump", "file_step = 100"), self.frame(1))
        # and as the start of a script
        self.write("in.again", "units si\natom_style sphere\nboundary f f f\nread_data fall.data\n" +
                   FALL[FALL.index("pair_style"):])
        self.assertIn("no problems", self.expect(0, "import", "in.again", "--out", "a.toml") +
                      self.expect(0, "check", "a.toml"))

    def test_wrong(self):
        self.assertIn("--frame = 9", self.expect(2, "export", "fall.out", "--frame", "9"))
        self.expect(2, "export", "fall.out", "--frame", "1", "--time", "0")
        self.expect(2, "export", "fall.out", "--format", "xyz")
        self.expect(4, "export", "nowhere.out")
        self.write("fall.data", "mine\n")
        self.expect(2, "export", "fall.out")
        self.expect(0, "run", "fall.toml", "--out", "bare.out", "--quiet", "--set", 'output.arrays=["velocity"]')
        self.assertIn("output.arrays", self.expect(2, "export", "bare.out"))
        self.assertFalse(os.path.exists(self.path("bare.data")))

    @unittest.skipUnless(shutil.which("lmp"), "LAMMPS is not installed (tools/setup peers)")
    def test_lammps_reads_it(self):
        self.expect(0, "export", "fall.out")
        self.expect(0, "export", "fall.out", "--format", "lammps-dump")
        self.write("in.back", """units si
atom_style sphere
boundary f f f
newton off
read_data fall.data
pair_style zero 0.2
pair_coeff * *
fix n all nve/sphere
read_dump fall.dump 0 x y z vx vy vz
write_dump all custom back.dump id x y z vx vy vz omegax omegay omegaz radius mass modify sort id format float %.17g
""")
        done = subprocess.run(["lmp", "-in", "in.back", "-log", "none"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        first, last = self.frame(0), self.frame(3)
        for k, row in enumerate(self.rows("back.dump")):
            for a, b in zip(row, [*first[k][:6], *last[k][6:]]):  # places and velocities of the dump, the rest of the data
                self.assertAlmostEqual(a, b, delta=1e-12 * max(1, abs(b)))


if __name__ == "__main__":
    areia.main()
