"""Measures that write VTK files: VTK's own readers open them, and what they hold adds up."""
import csv
import os
import re
import sys

import areia

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    sys.exit(77)


BED = """
title = "A bed at rest"

[materials.grain]
density = 2500
young = "1 MPa"

[contacts.default]
normal = { law = "hertz", restitution = 0.2 }
tangential = { law = "coulomb_history", mu = 0.3, xi = 0.2 }

[particles.grain]
material = "grain"
radius = "1 cm"
velocity = [0.1, 0.03, 0]
lattice = { region = { box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.08]] } }

[walls.box]
box = { min = [-0.0505, -0.0505, -0.001], max = [0.0505, 0.0505, 1], open = ["+z", "-z"] }

[walls.floor]
mesh = { file = "floor.obj" }

[fields.g]
acceleration = [0, 0, -9.81]

[[stages]]
duration = "0.3 s"

[output]
series = "10 ms"

[output.measure.continuum]
kind = "field"
region = { box = [[-0.12, -0.12, -0.08], [0.12, 0.12, 0.16]] }
width = "2 cm"
cell = "1 cm"
every = "0.1 s"

[output.measure.worn]
kind = "wear"
wear_coefficient = "1e-12 1/Pa"
every = "0.1 s"
"""
FLOOR = "v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0.1 0.1 0\nv -0.1 0.1 0\nf 1 2 3\nf 1 3 4\n"


def read(reader, path):
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    assert errors == [], errors
    return reader.GetOutput()


def pictures(folder, name):
    """Times and files of NAME.pvd."""
    with open(os.path.join(folder, name + ".pvd")) as file:
        found = re.findall(r'timestep="([^"]*)".*file="([^"]*)"', file.read())
    return [(float(time), os.path.join(folder, path)) for time, path in found]


class Measures(areia.Case):
    def setUp(self):
        super().setUp()
        self.write("floor.obj", FLOOR)
        self.expect(0, "run", self.write("bed.toml", BED), "--out", self.path("bed.out"), "--quiet")

    def test_fields_are_images_that_add_up(self):
        found = pictures(self.path("bed.out"), "continuum")
        self.assertEqual([round(time, 3) for time, _ in found], [0, 0.1, 0.2, 0.3])
        image = read(vtk.vtkXMLImageDataReader(), found[-1][1])
        self.assertEqual(image.GetDimensions(), (25, 25, 25))
        for got, wanted in zip(image.GetOrigin() + image.GetSpacing(), (-0.12, -0.12, -0.08, 0.01, 0.01, 0.01)):
            self.assertAlmostEqual(got, wanted)
        self.assertAlmostEqual(image.GetFieldData().GetArray("TimeValue").GetValue(0), found[-1][0])
        cells = image.GetCellData()
        names = {cells.GetArrayName(k): cells.GetArray(k).GetNumberOfComponents()
                 for k in range(cells.GetNumberOfArrays())}
        self.assertEqual(names, {"density": 1, "solid_fraction": 1, "velocity": 3, "temperature": 1,
                                 "kinetic_stress": 9, "contact_stress": 9, "pressure": 1, "wall_force": 3})
        n = 100
        weight = n * 2500 * 4 / 3 * 3.14159265358979 * 0.01**3
        cell = 1e-6
        density = vtk_to_numpy(cells.GetArray("density"))
        self.assertAlmostEqual(density.sum() * cell / weight, 1, delta=1e-4)
        self.assertAlmostEqual(vtk_to_numpy(cells.GetArray("wall_force"))[:, 2].sum() * cell / (weight * 9.81), 1,
                               delta=0.02)
        # stress through a level plane in the bed bears what lies above it: sums over layers of cells, floor far below
        stress = vtk_to_numpy(cells.GetArray("contact_stress"))[:, 8].reshape(24, 24, 24)
        layers = density.reshape(24, 24, 24).sum(axis=(1, 2)) * cell * 9.81
        walls = vtk_to_numpy(cells.GetArray("wall_force"))[:, 2].reshape(24, 24, 24).sum(axis=(1, 2)) * cell
        for k in range(24):
            above = layers[k + 1:].sum() + layers[k] / 2 - walls[k + 1:].sum() - walls[k] / 2
            self.assertAlmostEqual(stress[k].sum() * 1e-4, above, delta=0.02 * weight * 9.81)

    def test_wear_is_on_the_triangles_of_meshes(self):
        found = pictures(self.path("bed.out"), "worn")
        self.assertEqual(len(found), 4)
        surface = read(vtk.vtkXMLPolyDataReader(), found[-1][1])
        self.assertEqual(surface.GetNumberOfPolys(), 2)
        cells = surface.GetCellData()
        with open(self.path("bed.out", "worn.csv")) as file:
            last = list(csv.DictReader(file))[-1]
        for array, column in (("sliding", "floor.sliding_J"), ("loaded_slip", "floor.loaded_slip_J"),
                              ("impact", "floor.impact_J"), ("depth", "floor.worn_m3")):
            sum_over_area = vtk_to_numpy(cells.GetArray(array)).sum() * 0.02
            self.assertAlmostEqual(sum_over_area / float(last[column]), 1, delta=1e-5)
        self.assertGreater(float(last["floor.impact_J"]), 0)

    def test_results_are_whole_and_make_way_for_others(self):
        self.assertGreater(self.assert_readable("bed.out"), 10)
        self.expect(0, "run", self.path("bed.toml"), "--out", self.path("bed.out"), "--overwrite", "--quiet",
                    "--set", 'output.measure.continuum.every="0.15 s"')
        self.assertEqual(len(pictures(self.path("bed.out"), "continuum")), 3)
        self.assertEqual(len([n for n in os.listdir(self.path("bed.out", "fields")) if n.endswith(".vti")]), 3)

    def test_files_of_others_are_left_alone(self):
        os.makedirs(self.path("mine.out", "fields"))
        self.write("mine.out/fields/continuum_000000.vti", "mine")
        text = self.expect(2, "run", self.path("bed.toml"), "--out", self.path("mine.out"), "--quiet")
        self.assertIn("continuum_000000.vti", text)
        with open(self.path("mine.out", "fields", "continuum_000000.vti")) as file:
            self.assertEqual(file.read(), "mine")


if __name__ == "__main__":
    areia.main()
