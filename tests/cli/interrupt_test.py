"""Signals and --max-wall: a checkpoint, the right exit code, and a resumed run that ends as one never stopped."""
import signal

import areia


class Interrupted(areia.Case):
    def setUp(self):
        super().setUp()
        self.case = self.write("grains.toml", areia.GRAINS)
        self.expect(0, "run", self.case, "--out", "whole", "--quiet")
        self.wanted = self.hash_of("whole")

    def interrupt(self, results, with_signal):
        process = self.start("run", self.case, "--out", results)
        self.assertTrue(self.wait_for(lambda: areia.frames(self.path(results)) > 10, process), "too short a run")
        process.send_signal(with_signal)
        return process

    def test_signals(self):
        for name, with_signal in (("int", signal.SIGINT), ("term", signal.SIGTERM)):
            with self.subTest(name):
                process = self.interrupt(name, with_signal)
                _, text = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, text)
                self.assertIn(f"--resume {name}", text)
                self.assertEqual(areia.checkpoints(self.path(name)), 1)
                self.assertEqual(self.summary(name)["ending"], "interrupted")
                self.assert_readable(name)
                self.expect(0, "run", "--resume", name, "--threads", "1")
                self.assertEqual(self.hash_of(name), self.wanted)
                self.assertEqual(areia.frames(self.path(name)), areia.frames(self.path("whole")))
                for table in ("energy.csv", "walls.csv"):
                    with open(self.path(name, table)) as a, open(self.path("whole", table)) as b:
                        self.assertEqual(a.read(), b.read(), table)

    def test_usr1_writes_a_checkpoint_and_goes_on(self):
        process = self.interrupt("usr1", signal.SIGUSR1)
        self.wait_for(lambda: areia.checkpoints(self.path("usr1")) > 0, process)
        self.assertEqual(process.wait(timeout=300), 0)
        self.assertGreater(areia.checkpoints(self.path("usr1")), 0)
        self.assertEqual(self.hash_of("usr1"), self.wanted)

    def test_max_wall(self):
        text = self.expect(0, "run", self.case, "--out", "a", "--max-wall", "0.3")
        self.assertIn("--resume a", text)
        self.assertEqual(self.summary("a")["ending"], "out of wall time")
        for _ in range(3):
            self.expect(0, "run", "--resume", "a", "--max-wall", "0.2")
        self.expect(0, "run", "--resume", "a")
        self.assertEqual(self.hash_of("a"), self.wanted)


if __name__ == "__main__":
    areia.main()
