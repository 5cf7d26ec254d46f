"""The step takes no more instructions than it did: counted by callgrind, which gives the same number on a busy machine.

Two runs of different length from the same state; their difference is that of the steps alone. Callgrind knows vectors of
256 bits, so this is the path of a machine without AVX-512. Numbers are those of gcc 12 in a release build: another compiler
has others, so there the test is skipped.

To renew the numbers after a change that is worth it: AREIA_PRINT_INSTRUCTIONS=1 prints them.
"""
import os
import random
import re
import shutil
import subprocess

import areia

CASE = areia.BED + """
[walls.box]
box = { min = [0, 0, 0], max = [0.12, 0.12, 0.3] }
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
duration = %g
[numerics]
dt            = 4e-5
start_overlap = 0.5
[output]
series = 10
"""
SIDE, HIGH, DIAMETER = 11, 12, 0.01


def state(spacing, speed):
    """A cubic lattice, somewhat out of order, as CSV."""
    random.seed(1)
    lines = ["x,y,z,vx,vy,vz,radius"]
    for k in range(SIDE * SIDE * HIGH):
        cell = (k % SIDE, k // SIDE % SIDE, k // SIDE // SIDE)
        x = [DIAMETER * (0.55 + spacing * c + random.uniform(-0.02, 0.02)) for c in cell]
        v = [random.gauss(0, speed) for _ in cell]
        lines.append(",".join(map(repr, [*x, *v, DIAMETER / 2])))
    return "\n".join(lines) + "\n"


# instructions per particle and step, and the share by which they may grow
DENSE, FLOWING = 900, 605
MAY_GROW = 0.05


def count(folder, case, steps):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", areia.program, "run", case,
                           "--out", f"out{steps}", "--quiet", "--checkpoint", "0", "--threads", "1"],
                          cwd=folder, capture_output=True, text=True, timeout=500)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise RuntimeError(done.stdout + done.stderr)
    return int(found[1])


def why_not():
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if not areia.is_plain_release():
        return "not a release build"
    compiler = areia.build_cache()["CMAKE_CXX_COMPILER"]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    if not re.search(r"(g\+\+|c\+\+|gcc).* 12\.", version):
        return f"numbers are those of gcc 12, not of {version}"
    return None


class Instructions(areia.Case):
    def setUp(self):
        super().setUp()
        reason = why_not()
        if reason:
            self.skipTest(reason)

    def cost(self, spacing, speed):
        few, many = 50, 150
        self.write("bed.csv", state(spacing, speed))
        total = [count(self.folder, self.write(f"case{n}.toml", CASE % (n * 4e-5)), n) for n in (few, many)]
        summary = self.summary(f"out{many}")
        self.assertEqual(summary["steps"], many)
        cost = (total[1] - total[0]) / (many - few) / summary["particles"]
        if os.environ.get("AREIA_PRINT_INSTRUCTIONS"):
            print(f"{cost:.1f} instructions per particle and step, {summary['contacts'] / summary['particles']:.2f} "
                  f"contacts per particle")
        return cost

    def check(self, before, spacing, speed):
        now = self.cost(spacing, speed)
        self.assertLess(now, (1 + MAY_GROW) * before, "the step has become longer")
        self.assertGreater(now, 0.8 * before, "the step has become much shorter: renew the number in this test")

    def test_dense_bed(self):
        self.check(DENSE, spacing=0.98, speed=0.01)

    def test_flow(self):
        self.check(FLOWING, spacing=1.01, speed=1)


if __name__ == "__main__":
    areia.main()
