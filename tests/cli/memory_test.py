"""A run takes little more memory than its state: bytes per particle from two sizes, so that the program itself does not
count. Read from /proc while steps are taken, and at the highest, when a frame is made from the contacts."""
import os
import re
import time

import areia

CASE = areia.BED + """
[domain]
box      = [[0, 0, 0], [%.9g, %.9g, %.9g]]
periodic = ["x", "y", "z"]
[[stages]]
duration = 10
[numerics]
dt      = 1e-5
threads = 1
"""
SIDE, DIAMETER, SPACING = 40, 0.01, 0.0099
FEW, MANY = 10, 40  # layers


def bed(layers):
    """A periodic cubic lattice of spheres that overlap: three contacts per particle, in balance."""
    lines = ["x,y,z,radius"]
    for k in range(SIDE * SIDE * layers):
        cell = (k % SIDE, k // SIDE % SIDE, k // SIDE // SIDE)
        lines.append(",".join(repr(SPACING * (c + 0.5)) for c in cell) + f",{DIAMETER / 2}")
    return "\n".join(lines) + "\n"


class Memory(areia.Case):
    def setUp(self):
        super().setUp()
        if not os.path.exists("/proc/self/status"):
            self.skipTest("there is no /proc here")
        if not areia.is_plain_release():
            self.skipTest("not a release build: sanitizers take memory of their own")

    def measure(self, layers):
        self.write("bed.csv", bed(layers))
        case = self.write("case.toml", CASE % (SPACING * SIDE, SPACING * SIDE, SPACING * layers))
        out = f"out{layers}"
        process = self.start("run", case, "--out", out, "--quiet")
        end = time.monotonic() + 120
        while not os.path.exists(self.path(out, "frames", "particles_000000.vtp")):
            self.assertIsNone(process.poll(), "the run has ended")
            self.assertLess(time.monotonic(), end, "no frame after two minutes")
            time.sleep(0.05)
        time.sleep(1)  # some steps, and the thread that wrote the frame has ended
        with open(f"/proc/{process.pid}/status") as file:
            status = file.read()
        process.kill()
        process.wait()
        return [1024 * int(re.search(rf"{name}:\s*(\d+) kB", status)[1]) for name in ("VmRSS", "VmHWM")]

    def test_bytes_per_particle(self):
        few, many = self.measure(FEW), self.measure(MANY)
        resident, peak = ((b - a) / (SIDE * SIDE * (MANY - FEW)) for a, b in zip(few, many))
        if os.environ.get("AREIA_PRINT_MEMORY"):
            print(f"{resident:.0f} bytes per particle while it runs, {peak:.0f} at most")
        self.assertLess(resident, 500)
        self.assertLess(peak, 1750)


if __name__ == "__main__":
    areia.main()
