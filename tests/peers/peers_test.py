#!/usr/bin/python3
"""Areia beside LAMMPS and LIGGGHTS: the same start, the same laws, trajectories side by side.

    tests/peers/peers_test.py build/areia [--only TITLE] [--keep FOLDER]

One impact on a wall, one oblique impact, and a bed that settles. Impacts are compared instant by instant; of the bed, whose
grains go their own ways after some collisions, the energies, the force on the walls, the coordination and the height. What
each code is given: Hertz's force with a dashpot in parallel, no pull, Mindlin's spring without slip in the contact,
Coulomb's limit. Damping ratios are converted: LIGGGHTS takes xi = sqrt(5/6) ln e/sqrt(ln^2 e + pi^2), LAMMPS a polynomial in
e for alpha = 2 sqrt(3/2) xi (Tsuji, Tanaka and Ishida 1992); Areia gets the xi of the code that it stands beside.

Where codes differ by convention, the cases are such that it does not matter. LIGGGHTS shortens the lever of a force by half
the overlap, so impacts are stiff: an overlap of 0.002 r. LAMMPS' wall/gran of 2021 makes E/(2(1 - nu)) of material data where
its pairs make E/(2(1 - nu^2)), so it gets stiffnesses in place of moduli. All are told that a contact does not pull (Areia's
clamp, limit_damping, limitForce), and no code damps the tangential spring.

Where conventions are the point, Areia takes the variant of the code that it stands beside: oblique impacts with tangential
dashpots, whose coefficient LAMMPS takes from the normal dashpot and LIGGGHTS from its ratio, and which share Coulomb's limit
with the spring in LAMMPS and come on top of it in LIGGGHTS; contacts that pull, while which LAMMPS rubs with mu |N|; springs
that keep their force, and springs that are rescaled.

Of the bed each code runs a dozen starts that differ by a hundredth of a diameter. A value agrees where the means of the two
dozens do, by Welch's test at 99.9 %: they may differ by 4.44 deviations of their difference (Student's distribution with the
least number of degrees of freedom there can be, 11).

Exit code 0: all agree; 1: some do not; 77: a peer is not installed (tools/setup peers).
"""
import argparse
import csv
import dataclasses
import math
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

PEERS = {"LAMMPS": "lmp", "LIGGGHTS": "liggghts"}
YOUNG, POISSON, DENSITY, RADIUS, GRAVITY = 1e11, 0.25, 2500.0, 0.005, 9.81
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
INERTIA = 0.4 * MASS * RADIUS**2
BEDS, STUDENT = 12, 4.44  # starts of the bed in each code, and the largest |t|
COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")


def damping_ratio(peer, e):
    if peer == "LIGGGHTS":
        return -math.sqrt(5 / 6) * math.log(e) / math.hypot(math.log(e), math.pi)
    powers = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
    return sum(c * e**k for k, c in enumerate(powers)) / (2 * math.sqrt(1.5))


@dataclasses.dataclass
class Friction:
    """A convention of friction, as each code is told to follow it."""
    areia: str = ""               # further parameters of the tangential law
    pulls: bool = False           # the normal dashpot may pull
    lammps: str = "mindlin"
    lammps_damping: float = 0.0   # tangential over normal coefficient
    liggghts_damping: str = "off"


# Title, sliding speed, restitution, convention. A tangential dashpot of LAMMPS that passes Coulomb's limit by itself winds the
# spring backwards, further the less deep the first step goes; 0.15 times the normal one does not.
VARIANTS = {
    "LAMMPS": [
        ("dashpot that sticks", 0.2, 0.5,
         Friction(', dashpot = "normal", cap = "remainder"', lammps_damping=1.0)),
        ("dashpot that slides", 1.5, 0.5,
         Friction(', dashpot = "normal", dashpot_factor = 0.15, cap = "remainder"', lammps_damping=0.15)),
        ("contact that pulls", 1.5, 0.3, Friction(', limit = "magnitude"', pulls=True)),
        ("force kept", 0.5, 1.0, Friction(', history = "force"', lammps="mindlin/force")),
        ("force rescaled", 0.5, 1.0, Friction(', history = "force", rescale = "on"', lammps="mindlin_rescale/force")),
        ("elongation rescaled", 0.5, 1.0, Friction(', rescale = "on"', lammps="mindlin_rescale")),
    ],
    "LIGGGHTS": [
        ("dashpot that sticks", 0.2, 0.5,
         Friction(', dashpot = "normal_ratio", cap = "spring"', liggghts_damping="on")),
        ("dashpot that slides", 1.5, 0.5,
         Friction(', dashpot = "normal_ratio", cap = "spring"', liggghts_damping="on")),
        ("contact that pulls", 1.5, 0.3, Friction(', limit = "magnitude"', pulls=True)),
    ],
}


class Scene:
    """Spheres of one size over a floor, or in a box, from the start to the end; what happens is seen every `every` steps."""

    def __init__(self, places, velocities, e, mu, box, gravity, dt, steps, every, young=YOUNG,
                 friction=Friction()):
        self.places, self.velocities, self.e, self.mu, self.box = places, velocities, e, mu, box
        self.gravity, self.dt, self.steps, self.every, self.young = gravity, dt, steps, every, young
        self.friction = friction

    def areia(self, program, folder, xi):
        lines = "\n".join(",".join(map(repr, (*x, *v, *(0.0, 0.0, 0.0)))) for x, v in zip(self.places, self.velocities))
        if self.box:
            walls = f"[walls.walls]\nmaterial = \"a\"\nbox = {{ min = [0, 0, 0], max = {list(self.box)!r} }}\n"
        else:
            walls = "[walls.walls]\nmaterial = \"a\"\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n"
        field = f"[fields.g]\nacceleration = [0, 0, {-self.gravity!r}]\n" if self.gravity else ""
        (folder / "case.toml").write_text(f"""
[materials.a]
density = {DENSITY!r}
young = {self.young!r}
poisson = {POISSON!r}
[contacts.a-a]
normal = {{ law = "hertz", xi = {xi!r}, clamp = "{'off' if self.friction.pulls else 'on'}" }}
tangential = {{ law = "coulomb_history", mu = {self.mu!r}{self.friction.areia} }}
[particles.a]
material = "a"
radius = {RADIUS!r}
csv = \"\"\"
x,y,z,vx,vy,vz,wx,wy,wz
{lines}
\"\"\"
{walls}{field}
[[stages]]
duration = {self.dt * self.steps!r}
[numerics]
dt = {self.dt!r}
scheme = "velocity_verlet"
[output]
series = {self.dt * self.every!r}
track = {list(range(len(self.places)))!r}
""")
        run([program, "run", "case.toml", "--out", "out", "--quiet", "--threads", "1"], folder)
        with open(folder / "out" / "particles.csv") as file:
            rows = list(csv.DictReader(file))
        with open(folder / "out" / "walls.csv") as file:
            forces = [-float(row["walls.force_z_N"]) for row in csv.DictReader(file)]
        names = [f"{axis}_m" for axis in "xyz"] + [f"v{a}_m/s" for a in "xyz"] + [f"w{a}_rad/s" for a in "xyz"]
        frames = [[tuple(float(row[f"p{k}.{n}"]) for n in names) for k in range(len(self.places))] for row in rows]
        return [float(row["time_s"]) for row in rows], frames, forces

    def peer(self, name, folder):
        size = self.box or (0.2, 0.2, 0.2)
        low = (0, 0, 0) if self.box else (-0.1, -0.1, 0)
        with open(folder / "state.data", "w") as f:
            f.write(f"start\n\n{len(self.places)} atoms\n1 atom types\n\n")
            for a, lo, d in zip("xyz", low, size):
                f.write(f"{lo - 0.02} {lo + d + 0.02} {a}lo {a}hi\n")
            f.write("\nAtoms\n\n")
            for k, x in enumerate(self.places, 1):
                f.write(f"{k} 1 {2 * RADIUS!r} {DENSITY!r} {x[0]!r} {x[1]!r} {x[2]!r}\n")
            f.write("\nVelocities\n\n")
            for k, v in enumerate(self.velocities, 1):
                f.write(f"{k} {v[0]!r} {v[1]!r} {v[2]!r} 0 0 0\n")
        (folder / "in.txt").write_text(self.lammps() if name == "LAMMPS" else self.liggghts())
        run([PEERS[name], "-in", "in.txt"], folder)
        times, frames, forces = [], [], []
        lines = iter((folder / "dump.txt").read_text().splitlines())
        for line in lines:
            if line == "ITEM: TIMESTEP":
                times.append(int(next(lines)) * self.dt)
            elif line.startswith("ITEM: ATOMS"):
                atoms = [list(map(float, next(lines).split())) for _ in self.places]
                frames.append([tuple(a[1:10]) for a in atoms])
                forces.append(sum(a[10] + MASS * self.gravity for a in atoms))
        return times, frames, forces

    def end(self):
        weight = f"fix weight all gravity {GRAVITY} vector 0 0 -1\n" if self.gravity else ""
        return f"""{weight}fix move all nve/sphere
timestep {self.dt!r}
thermo {self.steps}
dump d all custom {self.every} dump.txt id x y z vx vy vz omegax omegay omegaz fz
dump_modify d sort id format {{}}
run {self.steps}
"""

    def lammps(self):
        normal = 4 / 3 * self.young / (2 * (1 - POISSON**2))
        tangential = 8 * self.young / (4 * (1 + POISSON) * (2 - POISSON))
        law = (f"hertz {normal!r} {self.e!r} tangential {self.friction.lammps} {tangential!r} "
               f"{self.friction.lammps_damping} {self.mu!r} damping tsuji{'' if self.friction.pulls else ' limit_damping'}")
        top = self.box or ("NULL", "NULL", "NULL")
        sides = "".join(f"fix s{a} all wall/gran granular {law} {a}plane 0 {d}\n" for a, d in zip("xyz", top)
                        if self.box or a == "z")
        return f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data state.data
neighbor {0.5 * RADIUS} bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * {law}
{sides}{self.end().format("float %.16g")}"""

    def liggghts(self):
        planes = [(a, at) for a, d in zip("xyz", self.box) for at in (0.0, d)] if self.box else [("z", 0.0)]
        flags = f"limitForce {'off' if self.friction.pulls else 'on'} tangential_damping {self.friction.liggghts_damping}"
        sides = "".join(f"fix s{a}{k} all wall/gran model hertz tangential history primitive type 1 {a}plane {at} {flags}\n"
                        for k, (a, at) in enumerate(planes))
        number = " ".join(["%.16g"] * 10)
        return f"""units si
atom_style granular
atom_modify map array
hard_particles yes
boundary f f f
newton off
communicate single vel yes
read_data state.data
neighbor {0.5 * RADIUS} bin
neigh_modify delay 0 every 1 check yes
fix m1 all property/global youngsModulus peratomtype {self.young!r}
fix m2 all property/global poissonsRatio peratomtype {POISSON!r}
fix m3 all property/global coefficientRestitution peratomtypepair 1 {self.e!r}
fix m4 all property/global coefficientFriction peratomtypepair 1 {self.mu!r}
pair_style gran model hertz tangential history {flags}
pair_coeff * *
{sides}{self.end().format(chr(34) + "%d " + number + chr(34))}"""


def run(command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed in {folder}:\n{done.stdout[-1500:]}")


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def near(self, what, theirs, ours, tolerance):
        good = abs(theirs - ours) <= tolerance
        self.passed += good
        self.failed += not good
        print(f"  {what:<58} {theirs:>13.6g} {ours:>13.6g} {abs(theirs - ours):>9.2g} {tolerance:>9.2g}  "
              f"{'pass' if good else 'FAIL'}")


def impact(report, program, peer, folder, v, e, mu, share, friction=Friction()):
    """One sphere meets the floor; the instants lie before, in and after the contact."""
    modulus = YOUNG / (2 * (1 - POISSON**2))
    deepest = (1.25 * MASS * v[2]**2 / (4 / 3 * modulus * math.sqrt(RADIUS)))**0.4
    dt = 2.94 * deepest / abs(v[2]) / 4000
    scene = Scene([(0.0, 0.0, RADIUS + 200 * dt * abs(v[2]))], [v], e, mu, None, 0.0, dt, 6000, 100,
                  friction=friction)
    xi = damping_ratio(peer, e)
    times, ours, _ = scene.areia(program, folder, xi)
    peer_times, theirs, _ = scene.peer(peer, folder)
    assert len(times) == len(peer_times) and all(abs(a - b) < 0.01 * dt for a, b in zip(times, peer_times)), (
        times[:3], peer_times[:3], len(times), len(peer_times))
    speed = math.hypot(*v)
    scales = dict.fromkeys(COLUMNS[:3], deepest) | dict.fromkeys(COLUMNS[3:6], speed)
    scales |= dict.fromkeys(COLUMNS[6:], speed / RADIUS)
    for k, name in enumerate(COLUMNS):
        if any(t[0][k] != 0 for t in theirs):
            worst = max(range(len(times)), key=lambda n: abs(ours[n][0][k] - theirs[n][0][k]))
            report.near(f"{name} where they differ most, of {len(times)} instants", theirs[worst][0][k], ours[worst][0][k],
                        share * scales[name])
    report.near("v_z at the end (m/s)", theirs[-1][0][5], ours[-1][0][5], share * speed)


def energies(frame, inertia=INERTIA):
    kinetic = sum(0.5 * MASS * (a[3]**2 + a[4]**2 + a[5]**2) for a in frame)
    spin = sum(0.5 * inertia * (a[6]**2 + a[7]**2 + a[8]**2) for a in frame)
    return kinetic + spin, sum(MASS * GRAVITY * a[2] for a in frame)


def coordination(frame):
    pairs = 0
    for i, a in enumerate(frame):
        for b in frame[:i]:
            pairs += (a[0] - b[0])**2 + (a[1] - b[1])**2 + (a[2] - b[2])**2 < 4 * RADIUS**2
    return 2 * pairs / len(frame)


def bed(report, program, peer, folder):
    """400 spheres fall from a loose lattice into a box and come to rest."""
    dice = random.Random(1)
    places = [((i + 0.5) * 0.012 + dice.uniform(-1, 1) * 5e-4, (j + 0.5) * 0.012 + dice.uniform(-1, 1) * 5e-4,
               (k + 0.6) * 0.0125) for k in range(16) for j in range(5) for i in range(5)]
    xi = damping_ratio(peer, 0.3)
    weight = len(places) * MASS * GRAVITY

    def scene(shift):
        moved = [(x + dice.uniform(-shift, shift), y, z) for x, y, z in places]
        return Scene(moved, [(0.0, 0.0, 0.0)] * len(places), 0.3, 0.4, (0.06, 0.06, 0.3), GRAVITY, 1e-5, 60000, 1000,
                     young=1e8)

    def values(times, frames, forces):
        at = {round(t, 9): n for n, t in enumerate(times)}
        found = {f"{what} energy at {t} s (J)": energies(frames[at[t]])[k]
                 for t in (0.03, 0.1, 0.2) for what, k in (("kinetic", 0), ("potential", 1))}
        found["kinetic energy at rest (J)"] = energies(frames[-1])[0]
        found["force on the walls at rest over the weight"] = forces[-1] / weight
        found["mean height over the diameter"] = energies(frames[-1])[1] / weight / (2 * RADIUS)
        found["coordination among grains"] = coordination(frames[-1])
        return found

    def dozen(name, simulate):
        runs = []
        for k in range(BEDS):
            own = folder / f"{name}-{k}"
            own.mkdir(exist_ok=True)
            runs.append(values(*simulate(scene(1e-4), own)))
        return runs

    ours = dozen("areia", lambda bed, own: bed.areia(program, own, xi))
    theirs = dozen("peer", lambda bed, own: bed.peer(peer, own))
    # Some values do not scatter. At 0.03 s all grains still fall, and schemes differ in what half a step means: by no more
    # than what changes in one. At rest the walls carry the weight, and what still moves is a hundred-thousandth of what fell.
    fallen, in_one_step = weight * 0.05, weight * GRAVITY * 0.03 * 1e-5
    least = {"kinetic energy at 0.03 s (J)": in_one_step, "potential energy at 0.03 s (J)": in_one_step,
             "kinetic energy at rest (J)": 1e-5 * fallen, "force on the walls at rest over the weight": 1e-3}
    for what in theirs[0]:
        a, b = [v[what] for v in theirs], [v[what] for v in ours]
        of_difference = math.sqrt((statistics.variance(a) + statistics.variance(b)) / BEDS)
        report.near(f"{what}, means of {BEDS}", statistics.mean(a), statistics.mean(b),
                    max(STUDENT * of_difference, least.get(what, 0)))


def main():
    parser = argparse.ArgumentParser(description="Areia beside LAMMPS and LIGGGHTS on impacts and a settling bed")
    parser.add_argument("areia", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose title begins so")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for inputs and outputs of all codes")
    options = parser.parse_args()
    missing = [program for program in PEERS.values() if not shutil.which(program)]
    if missing:
        print(f"not installed: {', '.join(missing)}; tools/setup peers")
        return 77
    program, report = options.areia.resolve(), Report()
    with tempfile.TemporaryDirectory() as temporary:
        top = options.keep or pathlib.Path(temporary)
        for peer in PEERS:
            cases = {
                "impact, elastic": lambda f: impact(report, program, peer, f, (0.0, 0.0, -1.0), 1.0, 0.0, 1e-3),
                "impact, e = 0.5": lambda f: impact(report, program, peer, f, (0.0, 0.0, -1.0), 0.5, 0.0, 1e-3),
                "oblique impact that sticks": lambda f: impact(report, program, peer, f, (0.2, 0.0, -1.0), 1.0, 0.5, 2e-3),
                "oblique impact that slides": lambda f: impact(report, program, peer, f, (3.0, 0.0, -1.0), 1.0, 0.3, 2e-3),
                "oblique impact, e = 0.5": lambda f: impact(report, program, peer, f, (0.5, 0.0, -1.0), 0.5, 0.3, 2e-3),
                "settled bed": lambda f: bed(report, program, peer, f),
            }
            cases |= {f"oblique impact, {title}": lambda f, v=v, e=e, friction=friction:
                      impact(report, program, peer, f, (v, 0.0, -1.0), e, 0.3, 2e-3, friction)
                      for title, v, e, friction in VARIANTS[peer]}
            for k, (title, case) in enumerate(cases.items()):
                if not title.startswith(options.only):
                    continue
                folder = top / f"{peer.lower()}-{k}"
                folder.mkdir(parents=True, exist_ok=True)
                print(f"\n{peer}: {title}\n  {'':<58} {peer:>13} {'Areia':>13} {'differ':>9} {'tolerance':>9}")
                case(folder)
                sys.stdout.flush()
    print(f"\n{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
