"""The states that the benchmarks share: made once by Areia itself, kept under build/bench/.

Spheres of one material in a closed box of six frictional walls, or in a hopper of triangles. Only what a peer code can
read too is kept: positions, velocities and radii, no contact springs, so every code starts from the same state.
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
import zlib

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
TILE = 50000
SKIN = 0.125 * DIAMETER  # of the settled bed, for the peers; Areia chooses its own
TURN = 2 * math.pi  # rad/s of the gravity of the tumbling box
TUMBLED = 0.4  # s of tumbling before the measured steps


def tiles_of(count):
    """A bed of several times 50 000 spheres is put together from copies of that one: how many along x and y."""
    if count <= TILE or count % TILE:
        return 1, 1
    n = count // TILE
    a = max(k for k in range(1, math.isqrt(n) + 1) if n % k == 0)
    return a, n // a


def box_of(count):
    """Sides of the box in metres for a bed about 20 d deep, and a height that leaves room above it."""
    a, b = tiles_of(count)
    base = DIAMETER * round(math.sqrt(count / (a * b) / 20))
    return a * base, b * base, 80 * DIAMETER


def box_wall(x, y, height):
    return f"[walls.box]\nbox = {{ min = [0, 0, 0], max = [{x!r}, {y!r}, {height!r}] }}\nmaterial = \"grain\""


def case_text(particles, walls, restitution, dt, stage, gravity=(0, 0, -GRAVITY), turning=0, extra=""):
    turn = f"turning = {{ axis = [0, 1, 0], rate = {turning!r} }}" if turning else ""
    return f"""title = "Benchmark"

[materials.grain]
density = {DENSITY!r}
young = {YOUNG!r}
poisson = {POISSON!r}

[contacts.grain-grain]
normal = {{ law = "hertz", restitution = {restitution!r} }}
tangential = {{ law = "coulomb_history", mu = {FRICTION!r}, xi = 0.2 }}

{particles}

{walls}

[fields.gravity]
acceleration = {list(gravity)!r}
{turn}

[[stages]]
{stage}

[output]
series = 10.0

[numerics]
dt = {dt!r}
start_overlap = 0.5
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
        word = lambda k: int.from_bytes(data[begin + 8 * k:begin + 8 * k + 8], "little")
        values = array.array({"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt8": "B"}[keys["type"]])
        if "compressor=" in head:
            at = begin + 8 * (3 + word(0))
            for k in range(word(0)):
                values.frombytes(zlib.decompress(data[at:at + word(3 + k)]))
                at += word(3 + k)
        else:
            values.frombytes(data[begin + 8:begin + 8 + word(0)])
        out[keys["Name"]] = values
    return out


def last_frame(folder, kind):
    return sorted((folder / "frames").glob(f"{kind}_*.vtp"))[-1]


def run_areia(areia, case, out, *options):
    """Runs a case; its summary."""
    command = [str(areia), "run", str(case), "--out", str(out), "--overwrite", "--quiet", "--checkpoint", "0", *options]
    subprocess.run(command, check=True)
    return json.loads((out / "summary.json").read_text())


def keep_state(out, state):
    """The last frame of a run as CSV, in rows along x, so that no code suffers from the order of the file."""
    frame = read_vtp(last_frame(out, "particles"), ["points", "velocity", "spin", "radius"])
    x, v, w, r = frame["points"], frame["velocity"], frame["spin"], frame["radius"]
    h = 1.25 * DIAMETER
    order = sorted(range(len(r)), key=lambda k: (int(x[3 * k + 2] / h), int(x[3 * k + 1] / h), x[3 * k]))
    part = state.with_suffix(".part")
    with open(part, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow("x y z vx vy vz wx wy wz radius".split())
        for k in order:
            s = slice(3 * k, 3 * k + 3)
            rows.writerow([*map(repr, [*x[s], *v[s], *w[s], r[k]])])
    os.replace(part, state)


def make(areia, state, what, text, threads):
    """Runs a case once to make a state; nothing to do where it is there."""
    if state.exists():
        return state
    CACHE.mkdir(parents=True, exist_ok=True)
    print(f"making {what}, once ...", file=sys.stderr)
    case = state.with_suffix(".make.toml")
    case.write_text(text)
    run_areia(areia, case, state.with_suffix(".make"), "--threads", str(threads), "--set",
              'output.precision="double"')
    keep_state(state.with_suffix(".make"), state)
    return state


# A coarse step and strong damping; what is measured later starts from the positions only.
def settled(areia, count, threads):
    """B1: equal spheres at rest."""
    if tiles_of(count) != (1, 1):
        return tiled(areia, count, threads)
    base, _, height = box_of(count)
    # random places at a solid fraction of 0.3
    top = count * math.pi / 6 * DIAMETER**3 / 0.3 / base**2 + DIAMETER
    particles = f"""[particles.bed]
material = "grain"
radius = {DIAMETER / 2!r}
fill = {{ method = "rsa", region = {{ box = [[0, 0, 0], [{base!r}, {base!r}, {top!r}]] }}, count = {count} }}"""
    text = case_text(particles, box_wall(base, base, height), 0.1, 4e-5, 'until = { at_rest = true, at_most = "0.8 s" }',
                     extra="ledger = false")
    return make(areia, CACHE / f"bed_{count}.csv", f"a settled bed of {count} spheres", text, threads)


def tiled(areia, count, threads):
    """Copies of the bed of 50 000 side by side, every other one mirrored, so that spheres that touched a wall touch their
    own image where it was; then a moment to settle."""
    state = CACHE / f"bed_{count}.csv"
    if state.exists():
        return state
    rows = read_state(settled(areia, TILE, threads))
    base = box_of(TILE)[0]
    copies = CACHE / f"tiles_{count}.csv"
    with open(copies, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["x", "y", "z", "radius"])
        for a in range(tiles_of(count)[0]):
            for b in range(tiles_of(count)[1]):
                for r in rows:
                    x, y = (base - r[0] if a % 2 else r[0]), (base - r[1] if b % 2 else r[1])
                    out.writerow([repr(a * base + x), repr(b * base + y), repr(r[2]), repr(r[9])])
    text = case_text(from_file(copies), box_wall(*box_of(count)), 0.1, 4e-5, 'duration = "0.1 s"',
                     extra="ledger = false")
    return make(areia, state, f"a settled bed of {count} spheres", text, threads)


def from_file(state):
    return f'[particles.bed]\nmaterial = "grain"\nfile = "{state}"'


def tumbling(areia, count, threads):
    """B2: the bed after 0.4 s under a gravity that turns once per second."""
    text = case_text(from_file(settled(areia, count, threads)), box_wall(*box_of(count)), RESTITUTION, 4e-5,
                     f"duration = {TUMBLED!r}", turning=TURN, extra="ledger = false")
    return make(areia, CACHE / f"tumble_{count}.csv", f"a tumbling bed of {count} spheres", text, threads)


def graded_box(count):
    """Base and height of the box of B3, whose spheres have 0.2 of the volume of those of B1."""
    base = DIAMETER * round(math.sqrt(0.2 * count / 20))
    return base, base, 80 * DIAMETER


def graded(areia, count, threads):
    """B3: diameters from 3 to 15 mm, linear in mass over the logarithm of the size, nearly at rest. Poured under a
    quarter of gravity: large spheres that fall half a metre squeeze small ones by more than half of their radius."""
    base, _, height = graded_box(count)
    particles = f"""[particles.bed]
material = "grain"
radius = {{ grading = [{{ radius = 0.0015, passing = 0 }}, {{ radius = 0.0075, passing = 1 }}] }}
fill = {{ method = "rsa", region = {{ box = [[0, 0, 0], [{base!r}, {base!r}, 0.7]] }}, count = {count} }}"""
    text = case_text(particles, box_wall(base, base, height), 0.1, 1e-5,
                     'until = { at_rest = true, at_most = "1 s" }\n\n[[stages]]\nduration = "0.1 s"\n'
                     f'set = {{ "fields.gravity.acceleration" = [0, 0, {-GRAVITY!r}] }}',
                     gravity=(0, 0, -GRAVITY / 4), extra="ledger = false")
    return make(areia, CACHE / f"graded_{count}.csv", f"a graded bed of {count} spheres", text, threads)


# B4: a cylinder, a cone and a bottom of triangles.
HOPPER = {"radius": 0.18, "top": 1.6, "cone": 0.25, "outlet": 0.05}


def hopper_mesh(path, around=140):
    """Writes the hopper as STL, about 10 000 triangles; returns how many."""
    h = HOPPER
    rings = [(h["outlet"] * k / 4, 0.0) for k in range(5)]
    rings += [(h["outlet"] + (h["radius"] - h["outlet"]) * k / 12, h["cone"] * k / 12) for k in range(1, 13)]
    rings += [(h["radius"], h["cone"] + (h["top"] - h["cone"]) * k / 20) for k in range(1, 21)]
    point = [[(r * math.cos(2 * math.pi * a / around), r * math.sin(2 * math.pi * a / around), z)
              for a in range(around)] for r, z in rings]
    triangles = []
    for k in range(len(rings) - 1):
        for a in range(around):
            b = (a + 1) % around
            if rings[k][0] > 0:
                triangles.append((point[k][a], point[k][b], point[k + 1][b]))
            triangles.append((point[k][a], point[k + 1][b], point[k + 1][a]))
    with open(path, "w") as f:
        f.write("solid hopper\n")
        for t in triangles:
            u = [t[1][c] - t[0][c] for c in range(3)]
            v = [t[2][c] - t[0][c] for c in range(3)]
            n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            size = math.sqrt(sum(c * c for c in n))
            f.write("facet normal %r %r %r\nouter loop\n" % tuple(c / size for c in n))
            for p in t:
                f.write("vertex %r %r %r\n" % p)
            f.write("endloop\nendfacet\n")
        f.write("endsolid hopper\n")
    return len(triangles)


def mesh_wall(path):
    return f'[walls.hopper]\nmesh = {{ file = "{path}" }}\nmaterial = "grain"'


def primitive_wall():
    """The same hopper from a cylinder, a cone and a disk."""
    h = HOPPER
    return f"""[walls.side]
cylinder = {{ from = [0, 0, {h['cone']!r}], to = [0, 0, {h['top']!r}], radius = {h['radius']!r} }}
material = "grain"
[walls.cone]
cone = {{ from = [0, 0, 0], to = [0, 0, {h['cone']!r}], radius_from = {h['outlet']!r}, radius_to = {h['radius']!r} }}
material = "grain"
[walls.bottom]
disk = {{ center = [0, 0, 0], normal = [0, 0, 1], radius = {h['outlet']!r} }}
material = "grain"
"""


def hopper(areia, count, threads, mesh):
    h = HOPPER
    top = h["cone"] + count * math.pi / 6 * DIAMETER**3 / 0.25 / (math.pi * h["radius"]**2)
    particles = f"""[particles.bed]
material = "grain"
radius = {DIAMETER / 2!r}
fill = {{ method = "rsa", region = {{ cylinder = {{ from = [0, 0, {h['cone']!r}], to = [0, 0, {top!r}], radius = {h['radius']!r} }} }}, count = {count} }}"""
    text = case_text(particles, mesh_wall(mesh), 0.1, 4e-5, 'until = { at_rest = true, at_most = "1 s" }',
                     extra="ledger = false")
    return make(areia, CACHE / f"hopper_{count}.csv", f"a hopper with {count} spheres", text, threads)


def read_state(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return [[float(a) for a in row] for row in rows]


def measured_case(state, count, steps, folder, name):
    """An Areia case that runs the settled bed for `steps` steps; `state` may be any CSV in the cache."""
    case = folder / f"{name}.toml"
    case.write_text(case_text(from_file(os.path.relpath(state, folder)), box_wall(*box_of(count)), RESTITUTION, DT,
                              f"duration = {steps * DT!r}"))
    return case
