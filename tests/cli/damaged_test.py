"""Damaged files: told in words, within seconds, without memory that the file does not justify."""
import os
import re
import resource
import struct
import subprocess
import zlib

import areia
from areia import program

PARTICLES = """
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[particles.p]
material = "grain"
radius = 0.1
file = "FILE"
[[stages]]
duration = 1e-9
[numerics]
dt = 1e-9
"""


class Damaged(areia.Case):
    def refused_within(self, megabytes, *arguments):
        """The program exits with 2 or 4, in a few seconds, and asks for no more memory than it is given."""
        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        done = subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=None if areia.build_cache().get("AREIA_SANITIZE") else limits)
        self.assertIn(done.returncode, (2, 4), done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_small_file_that_unpacks_to_a_gigabyte(self):
        block = zlib.compress(bytes(1 << 23), 9)
        blocks = 128
        data = struct.pack("<3Q", blocks, 1 << 23, 0) + struct.pack("<Q", len(block)) * blocks + block * blocks
        head = ('<?xml version="1.0"?>\n<VTKFile type="PolyData" byte_order="LittleEndian" header_type="UInt64" '
                'compressor="vtkZLibDataCompressor"><PolyData><Piece NumberOfPoints="1"><Points><DataArray '
                'type="Float64" Name="Points" NumberOfComponents="3" format="appended" offset="0"/></Points></Piece>'
                '</PolyData><AppendedData encoding="raw">_')
        with open(self.path("bomb.vtp"), "wb") as file:
            file.write(head.encode() + data + b"</AppendedData></VTKFile>")
        self.write("case.toml", PARTICLES.replace("FILE", "bomb.vtp"))
        self.assertIn("bomb.vtp:2: points", self.refused_within(512, "check", "case.toml"))

    def test_results_of_the_lab(self):
        lab = os.path.join(areia.source, "examples", "impact", "ball.toml")
        self.expect(0, "impact", "run", lab, "--out", "lab")
        self.expect(0, "impact", "plot", "lab", "--out", "pictures")
        sound = {}
        for name in ("run.json", "events.json", "animation.json", "series.csv"):
            with open(self.path("lab", name)) as file:
                sound[name] = file.read()

        def refused(name, text):
            self.write(os.path.join("lab", name), text)
            said = self.refused_within(512, "impact", "plot", "lab", "--out", "pictures")
            self.write(os.path.join("lab", name), sound[name])
            return said

        lines = sound["series.csv"].splitlines()
        # a name and a line that ran into one another: as many numbers as before, but one column less
        self.assertIn("series.csv:2: has", refused("series.csv", "\n".join(["t,event,x,y," + lines[0][20:]] + lines[1:])))
        self.assertIn("series.csv:3: has", refused("series.csv", "\n".join(lines[:2] + [lines[2] + ",1"] + lines[3:])))
        self.assertIn("is not a number", refused("series.csv", sound["series.csv"].replace(",-1,", ",one,", 1)))
        self.assertIn("holds no numbers", refused("series.csv", lines[0]))
        self.assertIn("is not among", refused("series.csv", sound["series.csv"].replace(",-1,", ",1e18,", 1)))
        for name in ("run.json", "events.json", "animation.json"):
            self.assertIn("is not JSON", refused(name, sound[name][:-20]))
        self.assertIn("damaged", refused("run.json", "{}"))
        self.assertIn("damaged", refused("run.json", sound["run.json"].replace("t_reached", "t")))
        self.assertIn("damaged", refused("animation.json", '{"t": [0, 1], "shapes": [{"kind": "segment"}]}'.replace(
            '"kind": "segment"', '"kind": "segment", "frames": [[0, 0, 1, 1]]')))
        self.assertIn("less than 4 numbers", refused("animation.json",
                      '{"t": [0, 1], "shapes": [{"kind": "segment", "frames": [[0], [0]]}]}'))
        self.expect(0, "impact", "plot", "lab", "--out", "pictures")

    def test_a_line_with_many_turns_is_drawn(self):
        """As deep a recursion as there are lines would be too deep."""
        lab = os.path.join(areia.source, "examples", "impact", "ball.toml")
        self.expect(0, "impact", "run", lab, "--out", "lab")
        with open(self.path("lab", "series.csv")) as file:
            head, first = file.read().splitlines()[:2]
        width = len(head.split(","))
        with open(self.path("lab", "series.csv"), "w") as file:
            file.write(head + "\n" + first + "\n")
            for k in range(2000):
                file.write(",".join([str(k * 1e-3), "-1"] + [str((k % 2) * 0.999 ** k)] * (width - 2)) + "\n")
        self.expect(0, "impact", "plot", "lab", "--out", "pictures")

    def test_a_frame_with_more_contacts_than_its_file_can_hold(self):
        self.write("grains.csv", "x,y,z\n0,0,0\n0.199,0,0\n")
        self.write("case.toml", PARTICLES.replace("FILE", "grains.csv"))
        self.expect(0, "run", "case.toml", "--out", "out")
        name = sorted(n for n in os.listdir(self.path("out", "frames")) if n.startswith("contacts_"))[-1]
        with open(self.path("out", "frames", name), "rb") as file:
            frame = file.read()
        spoiled = re.sub(rb'NumberOfLines="\d+"', b'NumberOfLines="1999999999"', frame)
        spoiled = re.sub(rb'NumberOfPoints="\d+"', b'NumberOfPoints="1999999999"', spoiled)
        self.assertNotEqual(spoiled, frame)
        with open(self.path("out", "frames", name), "wb") as file:
            file.write(spoiled)
        said = self.refused_within(4096, "render", "out", "--contacts", "--out", "out.png")
        self.assertIn(name, said)


if __name__ == "__main__":
    areia.main()
