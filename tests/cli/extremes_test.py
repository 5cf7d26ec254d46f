"""Extreme numbers: whatever is written for a number of a case, it is refused in words or computed, and nothing crashes or
goes on for ever."""
import re
import signal
import subprocess

import areia
from areia import program

KEYS = ["materials.grain.density", "materials.grain.young", "materials.grain.poisson", "contacts.default.normal.xi",
        "contacts.default.tangential.mu", "particles.a.radius", "particles.a.velocity[0]", "particles.b.list",
        "particles.a.mass", "particles.a.charge", "walls.floor.plane.point[2]", "fields.g.acceleration[2]", "fluid.density",
        "fluid.viscosity", "forces.pull.k_at", "forces.pull.a_at", "numerics.dt", "numerics.skin", "numerics.max_speed",
        "numerics.dt_fraction", "domain.box", "stages.fall.duration", "output.frames", "output.series"]
VALUES = ["1e155", "-1e155", "1e308", "1e100", "-1e100", "1e60", "1e20", "1e-20", "1e-100", "1e-300"]
CASE = """
[materials.grain]
density = {materials.grain.density:2500}
young = {materials.grain.young:1e7}
poisson = {materials.grain.poisson:0.3}
[contacts.default]
normal = {{ law = "hertz", xi = {contacts.default.normal.xi:0.1} }}
tangential = {{ law = "coulomb_history", mu = {contacts.default.tangential.mu:0.3} }}
[particles.a]
material = "grain"
radius = {particles.a.radius:0.01}
velocity = [{particles.a.velocity[0]:0.1}, 0, 0]
mass = {particles.a.mass:0.01}
charge = {particles.a.charge:1e-9}
list = [{{ x = [0, 0, 0.02] }}, {{ x = [0.05, 0, 0.02] }}]
[particles.b]
material = "grain"
radius = 0.01
list = [{{ x = [0, 0.1, 0.02], v = [{particles.b.list:0}, 0, 0] }}]
[walls.floor]
plane = {{ point = [0, 0, {walls.floor.plane.point[2]:0}], normal = [0, 0, 1] }}
[fields.g]
acceleration = [0, 0, {fields.g.acceleration[2]:-9.81}]
[fluid]
density = {fluid.density:1.2}
viscosity = {fluid.viscosity:1.8e-5}
drag = "stokes"
[forces.pull]
law = "power"
k_at = {forces.pull.k_at:1e-9}
a_at = {forces.pull.a_at:2}
k_rep = 0
a_rep = 3
cutoff = 0.2
[domain]
box = [[-1, -1, -1], [1, {domain.box:1}, 1]]
periodic = ["y"]
[numerics]
{numerics.dt}
{numerics.skin}
{numerics.max_speed}
dt_fraction = {numerics.dt_fraction:20}
[output]
{output.frames}
{output.series}
[[stages]]
name = "fall"
duration = {stages.fall.duration:1e-3}
"""
OPTIONAL = ("numerics.dt", "numerics.skin", "numerics.max_speed", "output.frames", "output.series")


def case_with(key, value):
    def fill(match):
        name, _, preset = match.group(1).partition(":")
        if name in OPTIONAL:
            return f"{name.split('.')[-1]} = {value}" if name == key else ""
        return value if name == key else preset
    return re.sub(r"\{([a-z][^{}]*?)\}", fill, CASE).replace("{{", "{").replace("}}", "}")


class Extremes(areia.Case):
    def ends_in_words(self, what, *arguments):
        process = subprocess.Popen([program, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            said, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.fail(f"{what}: areia {' '.join(arguments)} does not end")
        self.assertIn(process.returncode, (0, 2, 3), f"{what}: {arguments} ended with {process.returncode}\n{said}")
        return process.returncode

    def test_every_number(self):
        self.write("case.toml", case_with("", ""))
        self.expect(0, "check", "case.toml")
        for key in KEYS:
            for value in VALUES:
                with self.subTest(key=key, value=value):
                    self.write("case.toml", case_with(key, value))
                    self.ends_in_words(f"{key} = {value}", "check", "case.toml")

    def test_speeds_that_no_square_holds(self):
        for value in ("1e155", "1e300"):
            for key in ("particles.b.list", "particles.a.velocity[0]"):
                self.write("case.toml", case_with(key, value))
                self.assertIn("at most 1e100", self.expect(2, "check", "case.toml"))
        self.write("grains.csv", "x,y,z,vx\n0,0,0,1e155\n")
        self.write("case.toml", case_with("", "").replace("list = [{ x = [0, 0.1, 0.02], v = [0, 0, 0] }]",
                                                          'file = "grains.csv"'))
        self.assertIn("grains.csv:2: vx", self.expect(2, "check", "case.toml"))

    def test_a_few_steps(self):
        for key, value in (("particles.b.list", "1e50"), ("numerics.skin", "1e90"), ("fields.g.acceleration[2]", "-1e60"),
                           ("domain.box", "1e60"), ("particles.a.velocity[0]", "-1e90")):
            text = case_with(key, value).replace("[numerics]", "[numerics]\ndt = 1e-5")
            self.write("case.toml", text)
            self.ends_in_words(f"{key} = {value}", "run", "case.toml", "--out", "out", "--overwrite")


if __name__ == "__main__":
    areia.main()
