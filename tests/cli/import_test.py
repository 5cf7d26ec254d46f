"""Particles and cases of other programs, from files that those programs write themselves: LAMMPS, VTK, PyParticles."""
import csv
import os
import shutil
import subprocess
import unittest

import areia

try:
    import vtk
except ImportError:
    vtk = None

CASE = """
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = {{ law = "hertz", xi = 0.1 }}
[particles.p]
material = "grain"
radius = 0.1
file = "{file}"
{more}
[[stages]]
duration = 1e-9
[numerics]
dt = 1e-9
"""

LAMMPS = """
units si
atom_style sphere
dimension 3
boundary f f f
newton off
comm_modify vel yes
region box block -2 2 -2 2 -2 2
create_box 1 box
create_atoms 1 single 0.25 0.5 -0.125
create_atoms 1 single -1 0.75 1.5
create_atoms 1 single 1 1 1
set atom 1 diameter 0.5 density 2000
set atom 2 diameter 0.25 density 1000
set atom 3 diameter 0.125 density 3000
velocity all set 1.5 -0.5 0.25
set atom 2 omega 1 2 3
pair_style zero 0.6
pair_coeff * *
neighbor 0.1 bin
fix 1 all nve/sphere
timestep 0.01
dump d all custom 1 steps.dump id type x y z vx vy vz omegax omegay omegaz radius mass
dump_modify d format float %.17g
write_data grains.data
run 2
"""


class Particles(areia.Case):
    def particles(self, file, more=""):
        """What the program reads from a file, as it writes it into the resolved case and the first frame."""
        case = self.write("case.toml", CASE.format(file=file, more=more) + '[output]\nprecision = "double"\ntrack = [0, 1, 2]\n')
        self.expect(0, "run", case, "--out", self.path("out"), "--overwrite", "--quiet")
        with open(self.path("out", "particles.csv")) as table:
            row = {k: float(v) for k, v in next(csv.DictReader(table)).items()}
        return [[row[f"p{k}.{c}"] for c in ("x_m", "y_m", "z_m", "vx_m/s", "vy_m/s", "vz_m/s", "wx_rad/s", "wy_rad/s",
                                           "wz_rad/s")] for k in range(3)], self.frame()

    def frame(self):
        if not vtk:
            return None
        reader = vtk.vtkXMLPolyDataReader()
        first = sorted(n for n in os.listdir(self.path("out", "frames")) if n.startswith("particles_"))[0]
        reader.SetFileName(self.path("out", "frames", first))
        reader.Update()
        data = reader.GetOutput().GetPointData()
        return [[data.GetArray(name).GetTuple1(k) for k in range(3)] for name in ("radius", "mass")]

    def near(self, got, wanted):
        for a, b in zip(got, wanted):
            self.assertAlmostEqual(a, b, delta=1e-12 * max(1, abs(b)))

    @unittest.skipUnless(shutil.which("lmp"), "LAMMPS (lmp) is not installed")
    def test_lammps(self):
        self.write("in.lammps", LAMMPS)
        done = subprocess.run(["lmp", "-in", "in.lammps", "-log", "none"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows, sizes = self.particles("grains.data")
        self.near(rows[0], [0.25, 0.5, -0.125, 1.5, -0.5, 0.25, 0, 0, 0])
        self.near(rows[1], [-1, 0.75, 1.5, 1.5, -0.5, 0.25, 1, 2, 3])
        if sizes:
            self.near(sizes[0], [0.25, 0.125, 0.0625])
            self.near(sizes[1], [2000 * 0.06544984694978735, 1000 * 0.008181230868723419, 3000 * 0.0010226538585904274])
        rows, sizes = self.particles("steps.dump")
        self.near(rows[1], [-1 + 0.03, 0.75 - 0.01, 1.5 + 0.005, 1.5, -0.5, 0.25, 1, 2, 3])
        rows, sizes = self.particles("steps.dump", "file_step = 1")
        self.near(rows[1][:3], [-1 + 0.015, 0.75 - 0.005, 1.5 + 0.0025])
        if sizes:
            self.near(sizes[0], [0.25, 0.125, 0.0625])
        text = self.expect(2, "check", self.write("c.toml", CASE.format(file="steps.dump", more="file_step = 7")))
        self.assertIn("steps.dump", text)
        self.assertIn("no such time step", text)

    @unittest.skipUnless(vtk, "VTK is not installed")
    def test_vtk(self):
        points = vtk.vtkPoints()
        points.SetDataTypeToDouble()
        arrays = {}
        for name, width in (("radius", 1), ("v", 3), ("omega", 3)):
            arrays[name] = vtk.vtkDoubleArray()
            arrays[name].SetName(name)
            arrays[name].SetNumberOfComponents(width)
        wanted = []
        for k in range(3):
            x, v, w = [k + 0.1, -k / 3, 2.5 * k], [1 / 7, k, 0], [0, k / 11, 1e-3]
            points.InsertNextPoint(x)
            arrays["radius"].InsertNextValue(0.125 / (k + 1))
            arrays["v"].InsertNextTuple(v)
            arrays["omega"].InsertNextTuple(w)
            wanted.append(x + v + w)
        poly, grid = vtk.vtkPolyData(), vtk.vtkUnstructuredGrid()
        for data in (poly, grid):
            data.SetPoints(points)
            for a in arrays.values():
                data.GetPointData().AddArray(a)
        files = []
        for kind, writer, data in (("vtp", vtk.vtkXMLPolyDataWriter, poly), ("vtu", vtk.vtkXMLUnstructuredGridWriter, grid)):
            for mode in ("Ascii", "Binary", "Appended"):
                for zipped in (True, False):
                    for coded in ((True, False) if mode == "Appended" else (True,)):
                        w = writer()
                        w.SetInputData(data)
                        getattr(w, f"SetDataModeTo{mode}")()
                        if not zipped:
                            w.SetCompressorTypeToNone()
                        w.SetEncodeAppendedData(coded)
                        if coded and mode == "Appended":
                            w.SetHeaderTypeToUInt64()
                        files.append(f"{mode}_{zipped}_{coded}.{kind}")
                        w.SetFileName(self.path(files[-1]))
                        w.Write()
        for kind, writer, data in (("poly", vtk.vtkPolyDataWriter, poly), ("grid", vtk.vtkUnstructuredGridWriter, grid)):
            w = writer()
            w.SetInputData(data)
            files.append(f"{kind}.vtk")
            w.SetFileName(self.path(files[-1]))
            w.Write()
        for file in files:
            with self.subTest(file):
                rows, sizes = self.particles(file)
                exact = "Ascii" not in file and not file.endswith(".vtk")
                for row, w in zip(rows, wanted):
                    for a, b in zip(row, w):
                        self.assertAlmostEqual(a, b, delta=1e-12 if exact else 1e-5)
                self.near(sizes[0], [0.125, 0.0625, 0.125 / 3] if exact else sizes[0])

    @unittest.skipUnless(vtk, "VTK is not installed")
    def test_own_frames(self):
        self.write("a.csv", "x,y,z,vx,vy,vz,wx,wy,wz,radius,mass\n0,0,0,1,2,3,4,5,6,0.1,2\n1,0,0,0,0,0,0,0,0,0.2,3\n2,0,0,0,0,0,0,0,0,0.3,4\n")
        first, _ = self.particles("a.csv")
        frame = sorted(n for n in os.listdir(self.path("out", "frames")) if n.startswith("particles_"))[0]
        shutil.copy(self.path("out", "frames", frame), self.path("frame.vtp"))
        again, sizes = self.particles("frame.vtp")
        self.assertEqual(again, first)
        self.near(sizes[0], [0.1, 0.2, 0.3])
        self.near(sizes[1], [2, 3, 4])


class Cases(areia.Case):
    def test_ini_runs_and_imports(self):
        chain = os.path.join(areia.source, "examples", "14_pyparticles", "chain.ini")
        self.expect(0, "import", chain, "--out", self.path("chain.toml"))
        self.expect(0, "run", self.path("chain.toml"), "--out", self.path("a"), "--quiet")
        self.expect(0, "run", chain, "--out", self.path("b"), "--quiet")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))
        self.assertEqual(self.summary("a")["steps"], 2000)
        wrong = self.write("wrong.ini", "[Simulation Data]\ntime_step = soon\nnSteps = 5\n")
        self.assertIn("wrong.ini:2", self.expect(2, "run", wrong))
        with open(chain) as file:
            warned = self.write("warn.ini", file.read().replace("kn_r = 200", "kn_r = 200\nkn_a = 3"))
        self.assertIn("no effect without db_max", self.expect(0, "import", warned))


if __name__ == "__main__":
    areia.main()
