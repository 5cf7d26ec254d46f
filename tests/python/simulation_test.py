"""The same bits from Python as from the command line: examples for a few steps, on 1, 2 and 8 threads, cut into any calls,
after save and resume, by both engines."""
import glob
import os
import subprocess

import support
from support import areia

# 14 and 19 are imported, 31 starts from another run; the others take seconds to place their particles
LEFT_OUT = ("04_heap_collapse", "14_pyparticles", "16_dense_packing", "19_liggghts_hopper", "20_lifted_tube",
            "21_oedometer", "31_settle_once")
STEPS = 40


def examples():
    names = [os.path.basename(os.path.dirname(f))
             for f in glob.glob(os.path.join(support.source, "examples", "*", "case.toml"))]
    return sorted(set(names) - set(LEFT_OUT))


def shortened(name):
    """What makes an example take a few steps in each of its stages."""
    case = areia.load(support.example(name))
    dt = areia.Simulation(case, threads=1).dt
    sets = {"output.frames": "ends"}
    for k, stage in enumerate(case["stages"]):
        sets[f"stages[{k + 1}]." + ("until.at_most" if "until" in stage else "duration")] = STEPS * dt
    return sets


class SimulationTest(support.Case):
    def test_examples_have_the_bits_of_the_command_line(self):
        seen = examples()
        self.assertGreater(len(seen), 20)
        for number, name in enumerate(seen):
            sets = shortened(name)
            options = [word for key, value in sets.items() for word in ("--set", f"{key}={value!r}".replace("'", ""))]
            case = areia.load(support.example(name), set=sets)
            try:
                summary = self.run_program(support.example(name), name, "--threads", "1", *options)
            except subprocess.CalledProcessError as stopped:  # a wall comes before its bed has settled
                self.assertEqual(stopped.returncode, 3)
                with self.assertRaises(areia.StoppedError):
                    areia.Simulation(case).run()
                continue
            for threads in (1, 2, 8) if number % 4 == 0 else (1, 2):  # where there are few cores, many threads take long
                simulation = areia.Simulation(case, threads=threads)
                simulation.step(STEPS // 2)
                if threads == 1:
                    simulation.save(self.path("kept.h5"))
                simulation.run()
                self.assertEqual(simulation.hash, summary["state_hash"], f"{name} on {threads} threads")
                self.assertEqual(simulation.steps, summary["steps"], name)
            resumed = areia.resume(self.path("kept.h5"), threads=2)
            while not resumed.finished:
                resumed.step(7)
            self.assertEqual(resumed.hash, summary["state_hash"], f"{name} resumed")
            self.assertEqual([s["ended_by"] for s in resumed.stages], [s["ended_by"] for s in summary["stages"]])

    def test_saved_state_is_the_state(self):
        simulation = areia.Simulation(support.small_case("grains"))
        simulation.run(until="0.25 s")
        self.assertGreater(len(simulation.frame("contacts").contacts), 100)
        simulation.save(self.path("a.h5"))
        again = areia.resume(self.path("a.h5"))
        self.assertEqual(again.hash, simulation.hash)
        self.assertEqual(again.case, simulation.case)
        self.assertEqual(again.stages, simulation.stages)
        for engine in ("cpu", "reference"):
            other = areia.resume(self.path("a.h5"), engine=engine)
            other.step(20)
            simulation_hash = other.hash if engine == "cpu" else simulation_hash
            self.assertEqual(other.hash, simulation_hash)

    def test_a_case_that_started_from_a_run_is_kept_whole(self):
        case = areia.load(support.small_case("grains"), set={"stages.settle.duration": "20 ms", "stages.flow.duration": "5 ms"})
        areia.run(case, out=self.path("first.out"))
        case["start"] = {"from": self.path("first.out")}
        del case["particles"]
        case["stages"] = [{"name": "on", "duration": "5 ms"}]
        simulation = areia.Simulation(case)
        simulation.step(10)
        simulation.save(self.path("a.h5"))
        simulation.run()
        os.rename(self.path("first.out"), self.path("gone.out"))
        again = areia.resume(self.path("a.h5"))
        again.run()
        self.assertEqual(again.hash, simulation.hash)

    def test_run_stops_where_it_is_asked_to(self):
        simulation = areia.Simulation(support.small_case("grains"))
        simulation.run(until="0.05 s")
        self.assertAlmostEqual(simulation.time, 0.05, delta=simulation.dt)
        simulation.run(until=0.02)
        self.assertAlmostEqual(simulation.time, 0.05, delta=simulation.dt)
        simulation.run(until="settle")
        self.assertEqual([s["ended_by"] for s in simulation.stages], ["time"])
        self.assertGreater(len(simulation.frame().contacts), 0)
        at = simulation.steps
        simulation.run(until="settle")
        self.assertEqual(simulation.steps, at)
        self.assertEqual(simulation.step(3), 3)
        self.assertEqual(simulation.stage, "flow")
        simulation.run()
        self.assertTrue(simulation.finished)
        self.assertEqual(simulation.step(5), 0)
        problem, = self.problems_of(lambda: simulation.run(until="setle"))
        self.assertEqual((problem.key, problem.value), ("until", "setle"))

    def test_a_stage_that_ends_at_rest(self):
        case = areia.load(support.small_case("grains"))
        case["fields"]["gravity"]["acceleration"] = [0, 0, 0]
        case["stages"] = [{"name": "still", "until": {"at_rest": True, "at_most": "1 s"}}, {"name": "on", "duration": "1 ms"}]
        one, other = areia.Simulation(case), areia.Simulation(case)
        one.run(until="still")
        self.assertEqual(one.stages[0]["ended_by"], "rest")
        one.run()
        other.run()
        self.assertEqual(one.hash, other.hash)

    def test_insertion_is_part_of_the_state(self):
        simulation = areia.Simulation(support.small_case("grains"))
        simulation.step(10)
        before = simulation.particle_count
        simulation.insert("grains", x=[[0.1, 0.1, 0.7], [0.05, 0.05, 0.75]], v=[0, 0, -1], radius=0.008)
        frame = simulation.frame("x", "v", "radius")
        self.assertEqual(len(frame), before + 2)
        self.assertEqual(frame.v[-1].tolist(), [0, 0, -1])
        simulation.step(5)
        simulation.save(self.path("a.h5"))
        again = areia.resume(self.path("a.h5"))
        simulation.step(5), again.step(5)
        self.assertEqual(simulation.hash, again.hash)
        problem, = self.problems_of(lambda: simulation.insert("grain", x=[[0, 0, 1]]))
        self.assertIn("grain", problem.key + problem.value)

    def test_changes_are_part_of_the_state(self):
        before = areia.Simulation(support.small_case("grains"))
        before.run(until="0.2 s")
        before.save(self.path("before.h5"))

        def changed(**how):
            simulation = areia.resume(self.path("before.h5"), **how)
            simulation.remove(range(0, 100, 3))
            simulation.set_velocity("grains", [0.1, 0, 0.3])
            simulation.set_gravity([1, 0, -5])
            simulation.set_wall_velocity("floor", [0, 0, 0.1], [0.2, 0, 0], [0, 0.1, 0])
            return simulation

        simulation = changed(threads=1)
        self.assertEqual(simulation.frame().removed, 34)
        self.assertNotIn(3, simulation.frame().id)
        simulation.save(self.path("a.h5"))
        again = areia.resume(self.path("a.h5"), threads=2)
        self.assertEqual(again.hash, simulation.hash)
        self.assertEqual(again.frame().coordination.tolist(), simulation.frame().coordination.tolist())
        others = [simulation, again, changed(threads=8), changed(engine="reference")]
        for one in others:
            one.step(100)
        self.assertEqual(len({one.hash for one in others}), 1)
        for wrong in (lambda: simulation.remove([0]), lambda: simulation.set_velocity("grain", [0, 0, 0]),
                      lambda: simulation.set_gravity([float("inf"), 0, 0]),
                      lambda: simulation.set_wall_velocity("flor", [0, 0, 0]),
                      lambda: simulation.set_wall_velocity("floor", [0, 0, float("nan")])):
            self.problems_of(wrong)

    def test_walls_that_are_set_move_as_walls_of_the_case(self):
        step = {"numerics.dt": 2.5e-5}  # the case's own follows from the speed of its walls
        moved = areia.load(support.small_case("grains"), set=step)
        moved["walls"]["box"]["motion"] = [
            {"rotating": {"axis": [0, 0, 2], "rate": 3, "point": [0.1, 0.1, 0]}, "start": "10 ms", "stop": "0.15 s"},
            {"constant": {"velocity": [0.3, 0, 0.1]}, "start": "10 ms", "stop": "0.15 s"}]
        moved.write(self.path("moved.toml"))
        summary = self.run_program(self.path("moved.toml"), "moved.out")
        simulation = areia.Simulation(areia.load(support.small_case("grains"), set=step))
        simulation.run(until="10 ms")
        simulation.set_wall_velocity("box", [0.3, 0, 0.1], [0, 0, 3], [0.1, 0.1, 0])
        shown = simulation.frame("walls").walls["box"]
        simulation.run(until="0.1 s")
        there = simulation.frame("walls").walls["box"]
        self.assertEqual(there.velocity, shown.velocity)
        # as long as it has been set once its bits are those of the case; from then on it stands where it has come to
        same = areia.Simulation(moved)
        same.run(until="0.1 s")
        self.assertEqual(same.hash, simulation.hash)
        simulation.set_wall_velocity("box", [0, 0, 0])
        self.assertNotEqual(same.hash, simulation.hash)
        simulation.step(100)
        after = simulation.frame("walls").walls["box"]
        self.assertLess(max(abs(a - b) for a, b in zip(after.origin, there.origin)), 1e-15)
        self.assertEqual(tuple(after.velocity), (0, 0, 0))
        same.run()
        self.assertEqual(same.hash, summary["state_hash"])

    def test_errors(self):
        case = areia.load(support.small_case("grains"))
        self.assertEqual(self.problems_of(lambda: areia.Simulation(case, engine="gpu"))[0].key, "engine")
        case["particles"]["grains"]["radius"] = -1
        problem, = self.problems_of(lambda: areia.Simulation(case))
        self.assertEqual((problem.file, problem.key), ("Python", "particles.grains.radius"))
        with self.assertRaises(areia.FileError):
            areia.resume(self.path("none.h5"))
        with open(self.path("bad.h5"), "w") as file:
            file.write("no such thing")
        with self.assertRaises(areia.FileError):
            areia.resume(self.path("bad.h5"))
        with self.assertRaises(areia.FileError):
            areia.Simulation(areia.load(support.small_case("grains"))).save("/proc/none/a.h5")
        # a step far too large: the run blows up, and what is left is not to be used
        case = areia.load(support.example("01_head_on_impact"), set={"numerics.dt": "0.5 ms", "stages.impact.duration": 1,
                                                                     "numerics.max_overlap": 0.001})
        simulation = areia.Simulation(case)
        with self.assertRaises(areia.StoppedError) as stopped:
            simulation.run()
        self.assertIn("blow-up", str(stopped.exception))
        with self.assertRaises(areia.StoppedError):
            simulation.step()
        with self.assertRaises(areia.StoppedError):
            simulation.frame()


if __name__ == "__main__":
    support.main()
