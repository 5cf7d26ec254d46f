"""What happens while steps are taken: other threads, signals, functions that look on, forks, any sequence of calls."""
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import support
from support import areia


def heap(count=3000):
    """A bed that keeps moving for long."""
    return areia.load(support.small_case("grains"), set={"particles.grains.fill.region.box": "[[0,0,0],[0.4,0.4,1.2]]",
                                                         "particles.grains.fill.count": count,
                                                         "walls.box.box.max": "[0.4,0.4,2]",
                                                         "stages.settle.duration": "1000 s"})


class RunningTest(support.Case):
    def test_other_threads_go_on(self):
        simulation = areia.Simulation(heap(), threads=1)
        counted = [0]
        done = threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        other = threading.Thread(target=count)
        before = time.thread_time()
        other.start()
        simulation.step(300)
        spent = time.thread_time() - before
        done.set()
        other.join()
        # whoever held the lock for all of the steps would have let the other thread count for a moment or two
        self.assertGreater(counted[0], 1000)
        self.assertGreater(spent, 0)

    def test_frames_from_another_thread(self):
        simulation = areia.Simulation(heap(500), threads=2)
        failures, seen, done = [], [], threading.Event()

        def look():
            while not done.is_set():
                try:
                    seen.append(float(simulation.frame("x").x[:, 2].max()))
                    simulation.frame().contacts
                except areia.Error as error:
                    if "not known" not in str(error):
                        failures.append(error)

        threads = [threading.Thread(target=look) for _ in range(3)]
        for t in threads:
            t.start()
        simulation.step(2000)
        done.set()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(seen), 0)
        alone = areia.Simulation(heap(500), threads=1)
        alone.step(2000)
        self.assertEqual(simulation.hash, alone.hash)

    def interrupted(self, simulation):
        """Seconds from the signal to the exception."""
        sent = []

        def send():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.2, send)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            simulation.run()
        took = time.perf_counter() - sent[0]
        timer.join()
        return took

    def test_ctrl_c(self):
        case = heap()
        simulation = areia.Simulation(case, threads=2)
        # one of several, since another program may have had the processor
        self.assertTrue(any(self.interrupted(simulation) < 0.1 for _ in range(10)))
        self.assertGreater(simulation.steps, 0)
        kept = simulation.hash  # contacts of this step are known
        simulation.save(self.path("a.h5"))
        self.assertEqual(areia.resume(self.path("a.h5")).hash, kept)
        other = areia.Simulation(case, threads=1)
        other.step(simulation.steps)
        self.assertEqual(other.hash, kept)

    def test_functions_that_look_on(self):
        simulation = areia.Simulation(support.small_case("grains"))

        @simulation.every("10 ms")
        def top(s):
            frame = s.frame("x", "radius")
            return {"top": float((frame.x[:, 2] + frame.radius).max()), "steps": s.steps}

        times = []
        simulation.every(0.05)(lambda s: times.append(s.time))
        simulation.run(until="0.1 s")
        self.assertEqual(len(top), 10)
        for k, t in enumerate(top["time"]):
            self.assertAlmostEqual(t, 0.01 * (k + 1), delta=0.51 * simulation.dt)
        self.assertEqual(len(times), 2)
        self.assertEqual(top.names, ["time", "top", "steps"])
        plain = areia.Simulation(support.small_case("grains"))
        plain.run(until="0.1 s")
        self.assertEqual(plain.hash, simulation.hash)
        with self.assertRaises(ValueError):
            simulation.every(0)
        self.assertEqual(self.problems_of(lambda: simulation.every("10 mm"))[0].key, "every")

    def test_their_exceptions_stop_at_a_step(self):
        simulation = areia.Simulation(support.small_case("grains"))

        @simulation.every("20 ms")
        def stop(s):
            if s.time > 0.05:
                raise LookupError("enough")

        with self.assertRaises(LookupError):
            simulation.run()
        self.assertAlmostEqual(simulation.time, 0.06, delta=simulation.dt)
        plain = areia.Simulation(support.small_case("grains"))
        plain.step(simulation.steps)
        self.assertEqual(plain.hash, simulation.hash)
        self.assertEqual(simulation.step(3), 3)

    def test_fork_is_refused(self):
        simulation = areia.Simulation(heap(500), threads=2)
        simulation.step(10)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                simulation.step()
                told = "went on"
            except areia.Error as error:
                told = str(error)
            fresh = areia.Simulation(heap(500), threads=2)  # one of its own is another matter
            fresh.step(10)
            os.write(write, (told + "\n" + fresh.hash).encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as answer:
            told, found = answer.read().split("\n")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIn("forked", told)
        self.assertEqual(found, simulation.hash)

    def test_stepping_costs_what_it_costs_on_the_command_line(self):
        case = heap(2000)
        case["stages"] = [{"name": "s", "duration": "60 ms"}]
        case["output"] = {"frames": "ends"}
        case.write(self.path("case.toml"))

        def by_program():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.run_program(self.path("case.toml"), "out", "--threads", "1", "--overwrite")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime

        def by_module():
            before = resource.getrusage(resource.RUSAGE_SELF)
            areia.Simulation(case, threads=1).run()
            return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before.ru_utime

        theirs, ours = [], []
        for _ in range(6):  # processor times of a busy machine scatter
            theirs.append(by_program())
            ours.append(by_module())
            if min(ours) < 1.1 * min(theirs):
                break
        self.assertLess(min(ours), 1.1 * min(theirs))


ANY = """
import random, sys
import areia
first, last, case, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
draw = random.Random()
names = ["x", "v", "q", "radius", "contacts", "walls", "bonds", "energy", "nothing"]
frames, simulations = [], []  # what earlier sequences left is there for later ones
def new(): simulations.append(areia.Simulation(areia.load(case, set={"particles.grains.fill.count": draw.choice([0, 1, 40, -1])}),
                                               threads=draw.choice([0, 1, 2, 3]), engine=draw.choice(["cpu", "reference", "x"])))
def one(): return draw.choice(simulations)
calls = [new,
  lambda: one().step(draw.choice([0, 1, 7, 60, -3])),
  lambda: one().run(until=draw.choice([0.01, "20 ms", "settle", "?", -1, float("nan")])),
  lambda: frames.append(one().frame(*draw.sample(names, draw.randrange(4)))),
  lambda: getattr(draw.choice(frames), draw.choice(names)),
  lambda: draw.choice(frames).to_pandas(), lambda: draw.choice(frames).hash, lambda: draw.choice(frames).contacts.to_pandas(),
  lambda: one().insert(draw.choice(["grains", "none"]), x=[[0.1, 0.1, draw.uniform(0.5, 2)]] * draw.randrange(3),
                       radius=draw.choice([None, 0.01, -1, float("inf")])),
  lambda: one().remove([draw.randrange(-1, 45) for _ in range(draw.randrange(3))]),
  lambda: one().set_velocity(draw.choice(["grains", "none"]), [draw.choice([0, 1, float("nan")])] * draw.choice([3, 2])),
  lambda: one().set_gravity([0, 0, draw.choice([0, -9.81, float("inf")])]),
  lambda: one().set_wall_velocity(draw.choice(["floor", "box", "none"]), [0, 0, draw.choice([0, 0.1, float("nan")])],
                                  [0, 0, draw.choice([0, 1])], [draw.choice([0, 0.1])] * draw.choice([3, 2])),
  lambda: one().save(folder + "/a.h5"), lambda: simulations.append(areia.resume(folder + "/a.h5")),
  lambda: one().hash, lambda: one().choices, lambda: one().statistics, lambda: one().stages, lambda: repr(one()),
  lambda: one().every(draw.choice([0.01, "1 ms", -1, "x"]))(lambda s: {"n": s.particle_count}),
  lambda: simulations.pop(draw.randrange(len(simulations))), lambda: frames.pop(draw.randrange(len(frames))),
  lambda: one().case.check()]
for sequence in range(first, last):
    draw.seed(sequence)
    del frames[:-20], simulations[:-5]
    print(sequence, file=sys.stderr)
    for _ in range(draw.randrange(1, 30)):
        try:
            draw.choice(calls)()
        except (areia.Error, ValueError, TypeError, KeyError, IndexError, AttributeError):
            pass
print("done")
"""


class AnyCalls(support.Case):
    def test_no_sequence_of_calls_ends_the_process(self):
        count, each = int(os.environ.get("AREIA_SEQUENCES", "140")), 35
        for first in range(0, count, each):
            done = subprocess.run([sys.executable, "-c", ANY, str(first), str(min(count, first + each)), support.small_case("grains"),
                                   self.folder], capture_output=True, text=True, timeout=1200)
            self.assertEqual((done.returncode, done.stdout), (0, "done\n"), f"from sequence {first}: {done.stderr[-6000:]}")
        print(f"{count} sequences", file=sys.stderr)


if __name__ == "__main__":
    support.main()
