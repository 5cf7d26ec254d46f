"""Memory and threads that cannot be had: the k-th allocation fails, or the k-th thread does not start. The program ends
with code 3 and a message, or does without; never by a crash, and every file that is there is whole.

    memory_refused_test.py PROGRAM [LAST]   every k up to LAST; without it some of them up to 300
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import areia

last = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 0
CASE = """
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[particles.p]
material = "grain"
radius = 0.1
list = [{ x = [0, 0, 0.0999] }, { x = [0.1999, 0, 0.1] }, { x = [0.1, 0.1, 0.5] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
duration = 1e-4
[numerics]
dt = 1e-5
"""


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
@unittest.skipUnless(areia.is_plain_release(), "sanitizers have allocators of their own")
class MemoryRefused(areia.Case):
    @classmethod
    def setUpClass(cls):
        cls.shim = os.path.join(tempfile.mkdtemp(prefix="areia-shim-"), "fail.so")
        cls.addClassCleanup(shutil.rmtree, os.path.dirname(cls.shim))
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", cls.shim,
                        os.path.join(areia.source, "tests", "faults", "fail_allocation.c"), "-ldl"], check=True)

    def failing(self, what, k, *arguments):
        return self.areia(*arguments, environment={"LD_PRELOAD": self.shim, "AREIA_FAIL_" + what: str(k)}, timeout=60)

    def some(self):
        return range(1, last + 1) if last else [*range(1, 40), *range(40, 300, 13)]

    def assert_told(self, code, err, what):
        self.assertIn(code, (0, 3), f"{what}: exit code {code}\n{err}")
        if code == 3:
            self.assertIn("stopped: ", err, what)

    def test_allocations_of_a_run(self):
        self.write("case.toml", CASE)
        self.expect(0, "run", "case.toml", "--out", "sound")
        wanted = self.hash_of("sound")
        # the first ones, some of all up to where files are written, and everything from some moment on
        for spread in (1, 17):
            for k in self.some():
                shutil.rmtree(self.path("out"), ignore_errors=True)
                code, _, err = self.failing("ALLOCATION", k * spread, "run", "case.toml", "--out", "out")
                self.assert_told(code, err, f"allocation {k * spread}")
                if code == 0:
                    self.assertEqual(self.hash_of("out"), wanted)
        for k in (1, 50, 500, 2000, 4000):
            shutil.rmtree(self.path("out"), ignore_errors=True)
            code, _, err = self.failing("ALLOCATION", f"{k}+", "run", "case.toml", "--out", "out")
            self.assert_told(code, err, f"allocations from {k} on")
            if os.path.isdir(self.path("out")):
                self.assert_readable("out")

    def test_allocations_of_a_resumed_run(self):
        self.write("case.toml", CASE)
        self.expect(0, "run", "case.toml", "--out", "sound")
        wanted = self.hash_of("sound")
        code, _, _ = self.areia("run", "case.toml", "--out", "out", "--max-wall", "1e-9")
        self.assertEqual(code, 0)
        shutil.copytree(self.path("out"), self.path("kept"))
        for k in [*range(100, 5000, 97 if last else 331)]:
            shutil.rmtree(self.path("out"))
            shutil.copytree(self.path("kept"), self.path("out"))
            code, _, err = self.failing("ALLOCATION", k, "run", "--resume", "out")
            self.assert_told(code, err, f"allocation {k}")
            if code == 3:
                self.expect(0, "run", "--resume", "out")
            self.assertEqual(self.hash_of("out"), wanted, f"allocation {k}")

    def test_threads(self):
        self.write("case.toml", CASE)
        # of four that compute, and the one that writes frames
        for k, threads in ((1, "4"), (2, "4"), (3, "4"), (1, "1")):
            shutil.rmtree(self.path("out"), ignore_errors=True)
            code, _, err = self.failing("THREAD", f"{k}+", "run", "case.toml", "--out", "out", "--threads", threads)
            self.assertEqual(code, 3, err)
            self.assertIn("stopped: the system gives no more threads", err)
        self.expect(0, "run", "case.toml", "--out", "out", "--overwrite")
        self.assert_told(*self.failing("THREAD", "1+", "render", "out", "--out", "out.png")[::2], "render")


if __name__ == "__main__":
    areia.main()
