"""The settled bed that the benchmarks share: made once by Areia itself, kept under build/bench/.

Equal spheres in a closed box of six frictional walls, about 20 diameters deep. Only what a peer code can read too is
kept of it: positions and velocities, no contact springs, so every code starts from the same state.
"""
import array
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "bench"

DIAMETER = 0.01
DENSITY = 2500.0
YOUNG = 1e7
POISSON = 0.25
FRICTION = 0.5
RESTITUTION = 0.5
GRAVITY = 9.81
DT = 1e-5
SKIN = 0.125 * DIAMETER  # Areia's default, given to all codes


def box_of(count):
    """Base of the box in metres for a bed about 20 d deep, and a height that leaves room above it."""
    base = DIAMETER * round(math.sqrt(count / 20))
    return base, 80 * DIAMETER


def case_text(particles, base, height, restitution, dt, stage, extra=""):
    return f"""title = "Benchmark: settled bed"

[materials.grain]
density = {DENSITY!r}
young = {YOUNG!r}
poisson = {POISSON!r}

[contacts.grain-grain]
normal = {{ law = "hertz", restitution = {restitution!r} }}
tangential = {{ law = "coulomb_history", mu = {FRICTION!r}, xi = 0.2 }}

{particles}

[walls.box]
box = {{ min = [0, 0, 0], max = [{base!r}, {base!r}, {height!r}] }}
material = "grain"

[fields.gravity]
acceleration = [0, 0, {-GRAVITY!r}]

[[stages]]
{stage}

[output]
series = 10.0

[numerics]
dt = {dt!r}
{extra}
"""


def read_vtp(path, names):
    """Named arrays of a .vtp written by Areia, as flat array.array."""
    data = path.read_bytes()
    at = data.index(b'<AppendedData encoding="raw">')
    start = data.index(b"_", at) + 1
    head = data[:at].decode()
    out = {}
    for tag in re.findall(r"<DataArray [^>]*>", head):
        keys = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if keys.get("Name") not in names or "offset" not in keys:
            continue
        begin = start + int(keys["offset"])
        size = int.from_bytes(data[begin:begin + 8], "little")
        values = array.array({"Float64": "d", "Int64": "q", "Int32": "i", "UInt8": "B"}[keys["type"]])
        values.frombytes(data[begin + 8:begin + 8 + size])
        out[keys["Name"]] = values
    return out


def last_frame(folder, kind):
    return sorted((folder / "frames").glob(f"{kind}_*.vtp"))[-1]


def run_areia(areia, case, out, *options):
    """Runs a case; its summary."""
    command = [str(areia), "run", str(case), "--out", str(out), "--overwrite", "--quiet", "--checkpoint", "0", *options]
    subprocess.run(command, check=True)
    return json.loads((out / "summary.json").read_text())


def settled(areia, count, threads):
    """Path of the CSV with the settled bed of `count` spheres; made when it is not there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    state = CACHE / f"bed_{count}.csv"
    if state.exists():
        return state
    base, height = box_of(count)
    r = DIAMETER / 2
    # random places at a solid fraction of 0.3
    top = count * math.pi / 6 * DIAMETER**3 / 0.3 / base**2 + DIAMETER
    particles = f"""[particles.bed]
material = "grain"
radius = {r!r}
fill = {{ method = "rsa", region = {{ box = [[0, 0, 0], [{base!r}, {base!r}, {top!r}]] }}, count = {count} }}"""
    print(f"settling {count} spheres, once ...", file=sys.stderr)
    case = CACHE / f"settle_{count}.toml"
    # a coarse step and strong damping; what is measured later starts from the positions only
    case.write_text(case_text(particles, base, height, 0.1, 4e-5,
                              'until = { at_rest = true, at_most = "0.8 s" }', "ledger = false"))
    out = CACHE / f"settle_{count}"
    run_areia(areia, case, out, "--threads", str(threads))
    frame = read_vtp(last_frame(out, "particles"), ["points", "velocity", "spin"])
    x, v, w = frame["points"], frame["velocity"], frame["spin"]
    # in rows along x, so that no code suffers from the order of the file
    h = 1.25 * DIAMETER
    order = sorted(range(count), key=lambda k: (int(x[3 * k + 2] / h), int(x[3 * k + 1] / h), x[3 * k]))
    part = state.with_suffix(".part")
    with open(part, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow("x y z vx vy vz wx wy wz radius".split())
        for k in order:
            s = slice(3 * k, 3 * k + 3)
            rows.writerow([*map(repr, [*x[s], *v[s], *w[s], r])])
    os.replace(part, state)
    return state


def read_state(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return [[float(a) for a in row] for row in rows]


def measured_case(state, count, steps, folder, name):
    """An Areia case that runs the settled state for `steps` steps; `state` may be any CSV in the cache."""
    base, height = box_of(count)
    particles = f'[particles.bed]\nmaterial = "grain"\nfile = "{os.path.relpath(state, folder)}"'
    case = folder / f"{name}.toml"
    case.write_text(case_text(particles, base, height, RESTITUTION, DT, f"duration = {steps * DT!r}"))
    return case
