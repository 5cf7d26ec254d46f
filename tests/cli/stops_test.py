"""Runs that cannot go on: blow-up, a particle out of the domain, a full disk. What was written before stands."""
import os
import shutil
import subprocess

import areia

# Two balls shot at each other with a speed for which their contact is far too soft.
CRASH = areia.BALL.replace("list     = [{ x = [0, 0, 0.02] }]",
                           "list     = [{ x = [0, 0, 1], v = [10, 0, 0] }, { x = [1, 0, 1], v = [-300, 0, 0] }]")


class Stops(areia.Case):
    def test_blow_up_exits_3_with_particle_time_and_reason(self):
        case = self.write("crash.toml", CRASH)
        for engine in ("cpu", "reference"):
            with self.subTest(engine):
                text = self.expect(3, "run", case, "--out", engine, "--engine", engine)
                self.assertRegex(text, r"stopped: blow-up at t = [0-9.e-]+ s")
                self.assertRegex(text, r"particle [01]\b")
                self.assertRegex(text, r"overlap|further than its radius")
                self.assertTrue(self.assert_readable(engine))
                with open(self.path(engine, "log.txt")) as log:
                    self.assertIn("blow-up", log.read())

    def test_small_max_overlap_is_a_blow_up(self):
        case = self.write("ball.toml", areia.BALL)
        self.assertIn("1e-05 of the smaller radius", self.expect(3, "run", case, "--set", "numerics.max_overlap=1e-5"))

    def test_rule_stop_exits_3(self):
        case = self.write("out.toml", areia.BALL.replace("v = [0, 0, 0]", "").replace(
            "x = [0, 0, 0.02] }", "x = [0, 0, 0.02], v = [5, 0, 0] }") +
            '\n[domain]\nbox = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]\nrule = "stop"\n')
        text = self.expect(3, "run", case, "--out", "a")
        self.assertRegex(text, r"particle 0 .*t = [0-9.e-]+ s")
        self.assertTrue(self.assert_readable("a"))

    def test_rule_delete_counts(self):
        case = self.write("out.toml", areia.BALL.replace(
            "x = [0, 0, 0.02] }", "x = [0, 0, 0.02], v = [5, 0, 0] }") +
            '\n[domain]\nbox = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]\nrule = "delete"\n')
        self.assertIn("1 lost", self.expect(0, "run", case, "--out", "a"))
        self.assertEqual(self.summary("a")["lost"], 1)

    def test_full_disk_exits_4_and_earlier_files_stand(self):
        unshare = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-rm"]
        disk = self.path("disk")
        os.mkdir(disk)
        mount = f"mount -t tmpfs -o size=300k areia {disk}"
        if not shutil.which("unshare") or subprocess.run([*unshare, "sh", "-c", mount], capture_output=True).returncode:
            self.skipTest("no small disk can be mounted here")
        case = self.write("grains.toml", areia.GRAINS)
        done = subprocess.run([*unshare, "sh", "-c", f"{mount} && {areia.program} run {case} --out {disk}/out; code=$?; "
                               f"cp -r {disk}/out {self.path('kept')}; exit $code"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr, r"files: .*/disk/out/.*[Nn]o space left")
        self.assertGreater(areia.frames(self.path("kept")), 0)
        self.assertGreater(self.assert_readable("kept"), 3)

    def test_unwritable_place_exits_4(self):
        case = self.write("ball.toml", areia.BALL)
        self.write("file", "")
        self.assertIn("files:", self.expect(4, "run", case, "--out", self.path("file", "out")))


if __name__ == "__main__":
    areia.main()
