"""Runs with a results folder: the files of the command line, read back; interrupted and resumed."""
import filecmp
import os
import signal
import threading

import numpy as np

import support
from support import areia

# these tell of times, processes and paths
OWN = {"log.txt", "summary.json", "heartbeat.json", "manifest.txt", "checkpoints"}


class ResultsTest(support.Case):
    def setUp(self):
        super().setUp()
        self.sets = {"stages.settle.duration": "0.1 s", "stages.flow.duration": "20 ms", "numerics.seed": 3}
        self.case = areia.load(support.small_case("grains"))

    def same_files(self, one, other):
        files = {os.path.relpath(os.path.join(at, f), one) for at, _, found in os.walk(one) for f in found}
        theirs = {os.path.relpath(os.path.join(at, f), other) for at, _, found in os.walk(other) for f in found}
        self.assertEqual(files, theirs)
        for file in files:
            if file.split(os.sep)[0] not in OWN:
                self.assertTrue(filecmp.cmp(os.path.join(one, file), os.path.join(other, file), shallow=False), file)

    def test_the_folder_is_that_of_the_command_line(self):
        lines, reports = [], []
        results = areia.run(self.case, out=self.path("py.out"), set=self.sets, threads=2, log=lines.append,
                            progress=reports.append)
        options = [word for key, value in self.sets.items() for word in ("--set", f"{key}={value}")]
        summary = self.run_program(support.small_case("grains"), "cli.out", "--threads", "2", *options)
        self.assertEqual(results.summary["state_hash"], summary["state_hash"])
        self.assertEqual(set(results.summary), set(summary))
        self.same_files(self.path("py.out"), self.path("cli.out"))
        self.assertEqual(lines[-1], "finished")
        self.assertEqual(reports[-1]["stage"], "flow")
        self.assertNotIn("seed", self.case.get("numerics", {}))  # the case itself is as it was
        self.assertEqual(results.case["numerics"]["seed"], 3)

        again = areia.open(self.path("cli.out"))
        energy = again.series["energy"]
        self.assertEqual(energy.names[0], "time_s")
        self.assertEqual(len(energy.time_s), len(energy.kinetic_J))
        self.assertEqual(energy.kinetic_J[-1], summary["energy"]["kinetic"])
        self.assertIn("state", again.series)
        with self.assertRaises(KeyError):
            again.series["mood"]
        frame = again.frames[-1]
        self.assertAlmostEqual(frame.time, summary["time"])
        self.assertEqual(len(frame), summary["particles"])
        simulation = areia.resume(self.path("cli.out"))
        self.assertEqual(simulation.hash, summary["state_hash"])
        np.testing.assert_allclose(frame.x, simulation.frame().x, atol=1e-6)
        self.assertEqual(len(frame.contacts), len(simulation.frame().contacts))
        self.assertEqual(frame._repr_png_()[:4], b"\x89PNG")
        self.assertEqual(len(again.frames[::2]), (len(again.frames) + 1) // 2)
        with self.assertRaises(IndexError):
            again.frames[len(again.frames)]
        with self.assertRaises(areia.Error):
            frame.hash
        try:
            self.assertEqual(list(energy.to_pandas().columns), energy.names)
        except ImportError as error:
            self.skipTest(str(error))

    def test_ctrl_c_and_resume(self):
        out = self.path("py.out")
        sets = {**self.sets, "stages.settle.duration": "3 s"}
        began = threading.Event()
        threading.Thread(target=lambda: (began.wait(), os.kill(os.getpid(), signal.SIGINT))).start()
        with self.assertRaises(KeyboardInterrupt):
            areia.run(self.case, out=out, set=sets, progress=lambda p: p["step"] > 50 and began.set())
        self.assertEqual(areia.open(out).summary["ending"], "interrupted")
        simulation = areia.resume(out)
        self.assertGreater(simulation.steps, 0)
        with self.assertRaises(areia.Error):
            simulation.hash
        simulation.step()
        self.assertEqual(len(simulation.hash), 32)

        class Enough(Exception):
            pass

        def stop(line):
            raise Enough

        with self.assertRaises(Enough):
            areia.open(out).resume(log=stop)
        self.case["stages"] = [{"name": "s", "duration": "20 ms"}]
        whole = areia.run(self.case, out=self.path("whole.out"))
        areia.run(self.case, out=self.path("cut.out"), max_wall=1e-3)
        cut = areia.open(self.path("cut.out"))
        self.assertEqual(cut.resume().summary["state_hash"], whole.summary["state_hash"])
        self.assertAlmostEqual(cut.resume(extend="5 ms").summary["time"], 0.025)

    def test_wrong_input(self):
        areia.run(self.case, out=self.path("a.out"), set={**self.sets, "stages.settle.duration": "1 ms"})
        problem, = self.problems_of(lambda: areia.run(self.case, out=self.path("a.out")))
        self.assertEqual(problem.key, "out")
        self.assertIn("overwrite=True", problem.rule)
        self.assertNotIn("--", problem.rule)
        with self.assertRaises(TypeError):
            areia.run(areia.Case({}))
        self.problems_of(lambda: areia.run(areia.Case({}), out=self.path("b.out")))
        self.assertFalse(os.path.exists(self.path("b.out")))
        for folder in (self.path("none"), self.folder):
            with self.assertRaises(areia.FileError):
                areia.open(folder)


if __name__ == "__main__":
    support.main()
