#!/usr/bin/env python3
"""Examples: `areia check` accepts each one, its folder is complete, and the cheap ones give the numbers of their READMEs.

Usage: check_examples.py check|run AREIA SOURCE_DIR
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

what, areia, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
examples = sorted(p.parent for p in (source / "examples").glob("*/case.toml"))
problems = []


def expect(good, text):
    print(("ok    " if good else "WRONG ") + text)
    if not good:
        problems.append(text)


def near(name, value, expected, tolerance):
    expect(abs(value - expected) <= tolerance, f"{name}: {value:.9g}, expected {expected:.9g} +- {tolerance:g}")


def run(name, folder, *settings):
    out = results_of(name, "case.toml", folder, *settings)
    return series(out / "particles.csv"), json.loads((out / "summary.json").read_text())


def results_of(name, case, folder, *settings):
    out = folder / f"{name}_{len(list(folder.iterdir()))}.out"
    command = [areia, "run", str(source / "examples" / name / case), "--out", str(out), "--threads", "1", "--quiet"]
    for s in settings:
        command += ["--set", s]
    subprocess.run(command, check=True)
    return out


def series(path):
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def mean(rows, key, since):
    values = [r[key] for r in rows if r["time_s"] >= since]
    return math.fsum(values) / len(values)


def check_all():
    expect(len(examples) >= 15, f"{len(examples)} examples")
    for e in examples:
        done = subprocess.run([areia, "check", str(e / "case.toml")], capture_output=True, text=True)
        expect(done.returncode == 0, f"{e.name}: areia check\n{done.stderr}".rstrip())
        readme = (e / "README.md").read_text() if (e / "README.md").exists() else ""
        expect(readme.startswith("# "), f"{e.name}: README.md begins with a title")
        expect("areia run case.toml" in readme, f"{e.name}: README.md gives the command")
        picture = e / "picture.png"
        expect(picture.exists() and picture.stat().st_size < 300_000, f"{e.name}: picture.png below 300 kB")
    for case in sorted((source / "examples").glob("*/*.ini")):
        done = subprocess.run([areia, "check", str(case)], capture_output=True, text=True)
        expect(done.returncode == 0, f"{case.parent.name}/{case.name}: areia check\n{done.stderr}".rstrip())
    contents = (source / "examples" / "README.md").read_text()
    for e in sorted(p.parent for p in (source / "examples").glob("[0-9]*/README.md")):
        expect(f"({e.name}/README.md)" in contents, f"{e.name}: listed in examples/README.md")


# Numbers with their origin in the READMEs of the examples.
def run_cheap(folder):
    # 000, Table 1; the entry for 2.5e-4 by erratum E18. Six digits are printed there, and six are compared.
    for dt, rebound in (("5e-4", -1.011929), ("2.5e-4", -1.001418), ("1.25e-4", -1.000154), ("2.5e-5", -1.000006)):
        rows, summary = run("01_head_on_impact", folder, f"numerics.dt={dt}", f"output.series={dt}", "output.frames=ends")
        near(f"01 rebound at dt = {dt}", rows[-1]["p0.vx_m/s"], rebound, 6e-7)
        near("01 residual of the ledger", summary["energy_residual_relative"], 0, 1e-12)

    # Exact solution of 000 4.3. The undamped vibration scatters single lines; means over 2 s are compared.
    rows, summary = run("02_skid_and_roll", folder, "output.frames=ends")
    near("02 rolling speed", mean(rows, "p0.vx_m/s", 3), 8.941, 1e-3)
    near("02 rolling spin", mean(rows, "p0.wz_rad/s", 3), -44.705, 5e-3)
    near("02 way at 5 s", rows[-1]["p0.x_m"], 35.8619, 2e-3)
    start = next(r["time_s"] for r in rows if r["p0.vx_m/s"] + 0.2 * r["p0.wz_rad/s"] > -0.02)
    near("02 rolling begins", start, 2.6854, 6e-3)  # series every 5 ms
    near("02 residual of the ledger", summary["energy_residual_relative"], 0, 1e-6)

    # Results printed in 000 4.4, to about their last digit; the vibration on the floor allows no more.
    rows, summary = run("03_three_rolling_balls", folder, "output.frames=ends")
    after = next(r for r in rows if r["time_s"] > 0.4695)
    near("03 vx at 0.47 s", after["p0.vx_m/s"], -1.691, 2e-3)
    near("03 vy at 0.47 s", after["p0.vy_m/s"], -0.976, 2e-3)
    near("03 vx, rolling", mean(rows, "p0.vx_m/s", 1), -0.760, 2e-3)
    near("03 vy, rolling", mean(rows, "p0.vy_m/s", 1), -0.439, 2e-3)
    near("03 vy of ball 2, rolling", mean(rows, "p2.vy_m/s", 1), 0.877, 2e-3)
    near("03 wx of ball 2, rolling", mean(rows, "p2.wx_rad/s", 1), -4.387, 1e-2)
    back = next(r["time_s"] for r in rows if r["time_s"] > 0.5 and r["p0.x_m"] <= -1)
    near("03 back at the start", back, 1.38, 6e-3)
    near("03 residual of the ledger", summary["energy_residual_relative"], 0, 1e-5)

    # Balance of weight, buoyancy and Chow's drag, solved for the speed (README of the example).
    rows, summary = run("09_settling_in_fluid", folder, "output.frames=ends")
    near("09 terminal speed of the small grain", rows[-1]["p0.vz_m/s"], -0.14159, 1e-4)
    large = min(r["p1.vz_m/s"] for r in rows)
    near("09 largest speed of the large grain", large, -0.3962, 2e-3)
    near("09 residual of the ledger", summary["energy_residual_relative"], 0, 1e-4)

    # The target of the servo; grains that still settle push the piston a little, so it is given time.
    out = results_of("11_servo_press", "case.toml", folder, "output.frames=ends", 'stages.press.duration="0.6 s"',
                     'stages.lift.duration="2 ms"')
    pressing = [r["piston.force_z_N"] for r in series(out / "walls.csv") if 0.88 < r["time_s"] < 0.9]
    near("11 force on the piston, largest difference from 10 N", max(abs(f - 10) for f in pressing), 0, 1e-4)

    # The impact itself is not chaotic; how many anchors break in all is told to a quarter.
    rows, summary = run("12_bonded_beam", folder, "output.frames=ends")
    near("12 anchors broken", summary["broken"], 82, 20)
    near("12 anchors in all", summary["broken"] + summary["bonds"], 640, 0)
    near("12 residual of the ledger", summary["energy_residual_relative"], 0, 1e-3)

    # 001 6.1: exact at phi = 1/2; the converged values at phi = 1 are those of the note of the reference case.
    rows, summary = run("13_implicit_impact", folder, "numerics.implicit={phi=0.5}", "numerics.dt=1e-4")
    near("13 vx", rows[-1]["p0.vx_m/s"], 0.9, 2e-4)
    near("13 vy", rows[-1]["p0.vy_m/s"], 1, 2e-4)
    near("13 wz", rows[-1]["p0.wz_rad/s"], -5, 2e-4)
    for dt, rebound in (("1e-4", 0.8901), ("1e-5", 0.9883)):
        rows, summary = run("13_implicit_impact", folder, "numerics.implicit={phi=1}", f"numerics.dt={dt}")
        near(f"13 vy at phi = 1, dt = {dt}", rows[-1]["p0.vy_m/s"], rebound, 6e-5)
    rows, summary = run("13_implicit_impact", folder)
    expect(summary["implicit"]["sub_steps"] > summary["steps"], "13 steps follow the contact")
    expect(summary["implicit"]["stalled"] == 0, "13 no stalls")

    # Exact: equal masses exchange their velocities. 31 steps per contact leave an error of some 1e-4.
    rows = series(results_of("14_pyparticles", "chain.ini", folder) / "particles.csv")
    for particle, speed in ((0, 0), (1, 0), (2, 1)):
        near(f"14 chain: v of particle {particle}", rows[-1][f"p{particle}.vx_m/s"], speed, 1e-3)
    # Seen from the lower ball, the upper one starts 1 m above touching with -0.5 m/s: m (v^2/2 + g (h + d)) = k d^2/2.
    rows = series(results_of("14_pyparticles", "pushed_ball.ini", folder) / "state.csv")
    deepest = (10 + math.sqrt(100 + 2 * 500 * (0.5**2 / 2 + 10))) / 500
    largest = max(r["max_overlap_over_radius"] for r in rows)
    expect(0.97 * deepest < largest < 1.001 * deepest, f"14 largest overlap: {largest:.4f}, exact {deepest:.4f}")

    # 4 kg/s for 1 s. Grains per mass by the grading (theory manual, "Packings and streams"); they scatter by their root.
    per_kg = 0
    for a, b, share in ((0.008, 0.011, 0.35), (0.011, 0.016, 0.65)):
        per_kg += share * (a**-3 - b**-3) / (3 * math.log(b / a)) / (4 / 3 * math.pi * 2600)
    out = results_of("15_stream_on_belt", "case.toml", folder, "output.frames=ends", 'stages.feed.duration="1.05 s"',
                'particles.gravel.stream.stop="1 s"')
    summary = json.loads((out / "summary.json").read_text())
    near("15 waiting", summary["waiting"], 0, 0)
    near("15 grains", summary["inserted"], 4 * per_kg, 3 * math.sqrt(4 * per_kg))

    # What the case asks for, and no overlap at the start.
    out = results_of("16_dense_packing", "case.toml", folder, "output.frames=ends", 'stages.settle.duration="1 ms"')
    first = series(out / "state.csv")[0]
    near("16 contacts at the start", first["contacts"], 0, 0)
    solid = math.fsum(4 / 3 * math.pi * r["radius"] ** 3 for r in series(out / "packing_beads.csv"))
    near("16 solid fraction", solid / (math.pi * 0.05**2 * 0.12), 0.55, 5e-4)

    # Haff's law with Enskog's collision rate (docs/hard-spheres.md); 5000 particles scatter by about 1 %.
    out = results_of("17_hard_gas", "case.toml", folder, "output.frames=ends")
    rows, summary = series(out / "gas.csv"), json.loads((out / "summary.json").read_text())
    start, end = rows[0]["temperature_m2/s2"], rows[-1]["temperature_m2/s2"]
    solid, e = 5000 * math.pi / 6 * 0.001**3 / 0.05**3, 0.9
    rate = 4 * math.sqrt(math.pi * start) * 5000 / 0.05**3 * 0.001**2 * (1 - solid / 2) / (1 - solid) ** 3
    a2 = 16 * (1 - e) * (1 - 2 * e**2) / (81 - 17 * e + 30 * e**2 * (1 - e))
    tau = 6 / ((1 - e**2) * rate * (1 + 3 / 16 * a2))
    near("17 temperature after 1 s over Haff's law", end / start * (1 + 1 / tau) ** 2, 1, 0.03)
    near("17 residual of the ledger", summary["energy_residual_relative"], 0, 1e-12)
    expect(summary["events"]["collisions"] > 150_000, "17 collisions")

    # A belt of 0.8 m/s: what comes on it arrives at its head, but for what rolls.
    out = results_of("24_conveyor", "case.toml", folder, "output.frames=ends")
    rows = series(out / "dropped.csv")
    head = [r for r in rows if 2 <= r["time_s"] <= 4]
    rate = (head[-1]["total_number"] - head[0]["total_number"]) / (head[-1]["time_s"] - head[0]["time_s"])
    near("24 grains per second over the head", rate, 180, 9)

    # Dense sample: the lateral stress is held within 1 %, the stress ratio has a peak and softens, the volume shrinks
    # first and then grows.
    out = results_of("26_triaxial_walls", "case.toml", folder, "output.frames=ends")
    rows = series(out / "curve.csv")
    start = next(r for r in rows if r["time_s"] >= 0.05)
    shear = [r for r in rows if r["time_s"] >= 0.055]
    off = max(abs(r[k] / 1e5 - 1) for r in shear for k in ("stress_x_Pa", "stress_y_Pa"))
    near("26 lateral stress, largest deviation", off, 0, 0.01)
    ratio = [r["deviator_Pa"] / r["mean_Pa"] for r in shear]
    at_peak = shear[ratio.index(max(ratio))]["strain_z"] - start["strain_z"]
    expect(1.2 < max(ratio) < 2 and 0.02 < at_peak < 0.15, f"26 peak of q/p: {max(ratio):.3f} at {at_peak:.3f}")
    expect(ratio[-1] < 0.75 * max(ratio), f"26 softens to {ratio[-1]:.3f}")
    most = max(r["volume_strain"] for r in shear)
    expect(most > start["volume_strain"] + 0.005, "26 contracts first")
    expect(shear[-1]["volume_strain"] < start["volume_strain"] - 0.05, "26 dilates then")

    # The table of the servo is followed within 1 % while it loads.
    out = results_of("27_oedometer", "case.toml", folder, "output.frames=ends")
    loading = [r for r in series(out / "walls.csv") if 0.29 < r["time_s"] < 0.345]
    off = max(abs(r["lid.force_z_N"] / 2.8274e-3 / (20e3 + 1.8e6 * (r["time_s"] - 0.25)) - 1) for r in loading)
    near("27 stress on the lid, largest deviation", off, 0, 0.01)

    # Steady shear of spheres with mu = 0.5.
    out = results_of("28_shear_cell", "case.toml", folder, "output.frames=ends")
    flow = [r for r in series(out / "walls.csv") if r["time_s"] >= 0.3]
    normal = math.fsum(r["upper.force_z_N"] for r in flow) / len(flow)
    near("28 normal force", normal, 18, 0.18)
    friction = -math.fsum(r["upper.force_x_N"] for r in flow) / len(flow) / normal
    near("28 shear over normal stress", friction, 0.3, 0.06)


if what == "check":
    check_all()
else:
    with tempfile.TemporaryDirectory() as name:
        run_cheap(pathlib.Path(name))
if problems:
    sys.exit(f"{len(problems)} wrong")
