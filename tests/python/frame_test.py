"""Frames: arrays that nobody can write to and that outlive everything, only what was asked for, tables, pictures."""
import gc
import resource
import time

import numpy as np

import support
from support import areia

FIELDS = {"x": (3, "f8"), "v": (3, "f8"), "w": (3, "f8"), "q": (4, "f8"), "force": (3, "f8"), "torque": (3, "f8"),
          "radius": (1, "f8"), "mass": (1, "f8"), "charge": (1, "f8"), "material": (1, "i4"), "group": (1, "i4"),
          "coordination": (1, "i4"), "prescribed": (1, "u1")}


def settled():
    simulation = areia.Simulation(support.small_case("grains"), threads=1)
    simulation.run(until="0.25 s")
    return simulation


def many(count):
    """A lattice of grains that touch nothing."""
    side = round(count ** (1 / 3))
    return areia.Case({"materials": {"m": {"density": 2500, "young": 1e7, "poisson": 0.2}},
                       "contacts": {"m-m": {"normal": {"law": "hertz"}}},
                       "particles": {"all": {"material": "m", "radius": 0.01, "lattice": {
                           "region": {"box": [[0, 0, 0], [side * 0.03] * 3]}, "spacing": 0.03}}},
                       "stages": [{"name": "s", "duration": 1}]})


class FrameTest(support.Case):
    def test_arrays(self):
        simulation = settled()
        frame = simulation.frame()
        n = simulation.particle_count
        self.assertEqual(len(frame), n)
        self.assertEqual(frame.id.tolist(), list(range(n)))
        for name, (width, kind) in FIELDS.items():
            array = getattr(frame, name)
            self.assertEqual(array.shape, (n,) if width == 1 else (n, width), name)
            self.assertEqual(array.dtype, np.dtype(kind), name)
            with self.assertRaises(ValueError):
                array[0] = 0
            with self.assertRaises(ValueError):
                array.setflags(write=True)
            one = simulation.frame(name)
            self.assertEqual(getattr(one, name).tobytes(), array.tobytes(), name)
            self.assertEqual(one.fields, ["id", name])
        self.assertEqual(frame.hash, simulation.hash)
        self.assertAlmostEqual(0.5 * (frame.mass * (frame.v ** 2).sum(axis=1)).sum(), frame.energy["kinetic"], places=12)

    def test_contacts_walls_and_forces_agree(self):
        frame = settled().frame()
        contacts = frame.contacts
        self.assertGreater(len(contacts), 100)
        degree = np.zeros(len(frame), int)
        touching = contacts.overlap > 0
        np.add.at(degree, contacts.i[touching], 1)
        np.add.at(degree, contacts.j[touching & (contacts.j >= 0)], 1)
        self.assertEqual(degree.tolist(), frame.coordination.tolist())
        names = list(frame.walls)
        floor = contacts.force[contacts.wall == names.index("floor")].sum(axis=0)
        np.testing.assert_allclose(-floor, frame.walls["floor"].force, rtol=1e-9, atol=1e-9)
        with self.assertRaises(ValueError):
            contacts.force[0] = 0
        with self.assertRaises(AttributeError):
            contacts.forces
        self.assertEqual(len(frame.bonds), 0)

    def test_only_what_was_asked_for(self):
        simulation = settled()
        frame = simulation.frame("x", "radius")
        with self.assertRaises(areia.Error) as error:
            frame.v
        self.assertIn("taken without `v`", str(error.exception))
        for part in ("contacts", "walls", "bonds", "energy", "hash"):
            with self.assertRaises(areia.Error):
                getattr(frame, part)
        self.assertEqual(simulation.frame("contacts").fields, ["id", "x", "radius", "coordination"])
        self.assertEqual(simulation.frame("energy").energy, simulation.frame().energy)
        self.assertIn("radius", self.problems_of(lambda: simulation.frame("radus"))[0].rule)

    def test_views_outlive_their_simulation(self):
        simulation = settled()
        frame = simulation.frame()
        x, contacts, walls = frame.x, frame.contacts, frame.walls
        kept = x.copy(), contacts.force.copy(), walls["floor"].vertices.copy()
        simulation.step(50)
        del simulation, frame
        gc.collect()
        others = [settled().frame() for _ in range(3)]
        self.assertEqual(len(others), 3)
        for view, copy in zip((x, contacts.force, walls["floor"].vertices), kept):
            self.assertEqual(view.tobytes(), copy.tobytes())

    def test_memory_is_constant(self):
        simulation = settled()

        def frames(count):
            for _ in range(count):
                frame = simulation.frame()
                frame.x, frame.contacts.force, frame.walls
                simulation.step()

        def held():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        frames(100)
        before = held()
        frames(1000)
        self.assertLess(held() - before, 4e6)  # of 200 MB that these frames had

    def test_a_few_fields_of_many_particles_are_cheap(self):
        simulation = areia.Simulation(many(125_000), threads=1)

        def least(*fields):
            times = []
            for _ in range(7):
                begin = time.process_time()
                simulation.frame(*fields)
                times.append(time.process_time() - begin)
            return min(times)

        self.assertGreater(simulation.particle_count, 100_000)
        self.assertLess(least("x", "radius"), 0.5 * least())

    def test_tables(self):
        frame = settled().frame()
        try:
            import pandas
            import xarray
        except ImportError as error:
            self.skipTest(str(error))
        table = frame.to_pandas()
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(table.index.name, "id")
        np.testing.assert_array_equal(table[["x", "y", "z"]].to_numpy(), frame.x)
        np.testing.assert_array_equal(table["force_z"], frame.force[:, 2])
        self.assertEqual(set(table["group"]), {"grains"})
        contacts = frame.contacts.to_pandas()
        self.assertEqual(len(contacts), len(frame.contacts))
        np.testing.assert_array_equal(contacts["force_x"], frame.contacts.force[:, 0])
        self.assertEqual(list(frame.walls.to_pandas().index), list(frame.walls))
        data = frame.to_xarray()
        self.assertIsInstance(data, xarray.Dataset)
        self.assertEqual(data.v.attrs["units"], "m/s")
        np.testing.assert_array_equal(data.x.sel(axis="z"), frame.x[:, 2])

    def test_picture(self):
        frame = settled().frame()
        png = frame._repr_png_()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(png, frame._repr_png_())
        self.assertNotEqual(png, frame.picture(colour="radius"))
        self.assertIsNone(settled().frame("v")._repr_png_())
        self.problems_of(lambda: frame.picture(colour="mood"))


if __name__ == "__main__":
    support.main()
