#!/usr/bin/python3
"""Scripts that LAMMPS and LIGGGHTS run, and that Areia runs after `areia import`: the same happens.

    tests/peers/import_test.py build/areia [--only TITLE] [--keep FOLDER]

The hopper of examples/19_liggghts_hopper with eight seeds in each code. What has left it at some times, and when half of it
has, agree where the means of the two eights do, by Welch's test at 99.9 %: they may differ by 5.41 deviations of their
difference (Student's distribution with the least number of degrees of freedom there can be, 7). Grains are placed at random
by both, not in the same places.

Two grains that fall onto a floor and onto each other, under the styles that are taken over: their velocities between and after
the impacts. Where the law of the script is one of ours, they agree to a thousandth of the largest. The dashpot of
gran/hertz/history is another; Areia has the restitution that it leaves at a speed near by, and a fiftieth is allowed. A
hundredth is, where the friction of linear springs (gran/hooke/history) differs while they pull, and two thousandths with cdt,
whose torque reverses the rolling from step to step where ours ends it.

Meshes that are scaled, turned and moved, and that move: where they are.

Areia's particles are read from what `areia export` writes. LAMMPS reads that, too.

Exit code 0: all agree; 1: some do not; 77: a peer is not installed (tools/setup peers).
"""
import argparse
import math
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS, STUDENT = (10007, 12007, 14009, 16007, 18013, 20011, 22003, 24001), 5.41
COUNT, DT = 600, 1e-5


def run(command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed in {folder}:\n{done.stdout[-1500:]}")


def frames(dump):
    """Step and atoms, by id, of each frame; atoms as columns by name."""
    lines = iter(dump.read_text().splitlines())
    for line in lines:
        if line == "ITEM: TIMESTEP":
            step = int(next(lines))
        elif line == "ITEM: NUMBER OF ATOMS":
            count = int(next(lines))
        elif line.startswith("ITEM: ATOMS"):
            names = line.split()[2:]
            atoms = [dict(zip(names, map(float, next(lines).split()))) for _ in range(count)]
            yield step, sorted(atoms, key=lambda a: a["id"])


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def near(self, what, theirs, ours, tolerance):
        good = abs(theirs - ours) <= tolerance
        self.passed += good
        self.failed += not good
        print(f"  {what:<58} {theirs:>13.6g} {ours:>13.6g} {abs(theirs - ours):>9.2g} {tolerance:>9.2g}  "
              f"{'pass' if good else 'FAIL'}")


def discharge(dump):
    """What has left the hopper at some times, and when half of it has, both since the shutter opened."""
    gone = {round(step * DT - 0.4, 6): COUNT - sum(a["z"] > 0 for a in atoms) for step, atoms in frames(dump)}
    values = {f"grains that have left after {t} s": gone[t] for t in (0.1, 0.2, 0.3)}
    half = COUNT / 2
    times = sorted(t for t in gone if t >= 0)
    late = next(k for k, t in enumerate(times) if gone[t] >= half)
    a, b = times[late - 1], times[late]
    values["time until half has left (s)"] = a + (b - a) * (half - gone[a]) / (gone[b] - gone[a])
    settled = next(atoms for step, atoms in frames(dump) if step == 40000)
    values["mean height before (m)"] = statistics.fmean(a["z"] for a in settled)
    return values


def hopper(report, program, folder):
    example = ROOT / "examples" / "19_liggghts_hopper"
    theirs, ours = [], []
    for seed in SEEDS:
        own = folder / str(seed)
        own.mkdir(exist_ok=True)
        for name in ("in.hopper", "hopper.stl"):
            shutil.copy(example / name, own)
        run(["liggghts", "-in", "in.hopper", "-var", "seed", seed], own)
        run([program, "import", "in.hopper", "--var", f"seed={seed}", "--out", "case.toml", "--overwrite"], own)
        run([program, "run", "case.toml", "--out", "out", "--overwrite", "--quiet", "--threads", "1"], own)
        run([program, "export", "out", "--format", "lammps-dump", "--out", "ours.dump", "--overwrite"], own)
        theirs.append(discharge(own / "hopper.dump"))
        ours.append(discharge(own / "ours.dump"))
    for what in theirs[0]:
        a, b = [r[what] for r in theirs], [r[what] for r in ours]
        deviation = math.sqrt((statistics.variance(a) + statistics.variance(b)) / len(SEEDS))
        report.near(f"{what}, means of {len(SEEDS)}", statistics.fmean(a), statistics.fmean(b), STUDENT * deviation)


FALL = """
units           si
atom_style      sphere
boundary        f f f
newton          off
comm_modify     vel yes
region          space block -0.1 0.1 -0.1 0.1 0 0.1 units box
create_box      1 space
create_atoms    1 single 0 0 0.0056 units box
create_atoms    1 single 0.002 0 0.0165 units box
set             type 1 diameter 0.01 density 2500
velocity        all set 0.1 0 -0.5
pair_style      {pair}
pair_coeff      * * {coeff}
fix             floor all wall/gran {wall} zplane 0 NULL
fix             weight all gravity 9.81 vector 0 0 -1
fix             motion all nve/sphere
timestep        1e-7
neighbor        0.002 bin
thermo          10000
dump            d all custom 1000 fall.dump id x y z vx vy vz omegax omegay omegaz
dump_modify     d sort id format float %.16g
run             {steps}
"""
# Of material data LAMMPS' walls of 2021 make E/(2(1 - nu)), its pairs E/(2(1 - nu^2)): springs in place of them.
# A tangential dashpot that passes Coulomb's limit by itself winds the spring backwards, further the less deep the first step
# goes (peers_test.py); 0.15 times the normal one does not.
TSUJI = "hertz 7.1e8 0.5 tangential mindlin 9e8 0.15 0.4 damping tsuji"
LINEAR = "1e5 NULL 2000 NULL 0.4 1"
HERTZ = "7.1e8 NULL 3e6 NULL 0.4 1"
STYLES = {
    "granular, tsuji": (dict(pair="granular", coeff=TSUJI, wall=f"granular {TSUJI}"), 1e-3),
    "granular, tsuji, limited": (dict(pair="granular", coeff=TSUJI + " limit_damping",
                                      wall=f"granular {TSUJI} limit_damping"), 1e-3),
    "gran/hooke/history": (dict(pair=f"gran/hooke/history {LINEAR}", coeff="", wall=f"hooke/history {LINEAR}"), 1e-2),
    "gran/hertz/history": (dict(pair=f"gran/hertz/history {HERTZ}", coeff="", wall=f"hertz/history {HERTZ}"), 2e-2),
}


FALL_OF_LIGGGHTS = """
units           si
atom_style      granular
atom_modify     map array
hard_particles  yes
boundary        f f f
newton          off
communicate     single vel yes
region          space block -0.1 0.1 -0.1 0.1 0 0.1 units box
create_box      1 space
create_atoms    1 single 0 0 0.0056 units box
create_atoms    1 single 0.002 0 0.0165 units box
set             group all diameter 0.01 density 2500
velocity        all set 0.1 0 -0.5
fix             m1 all property/global youngsModulus peratomtype 1e11
fix             m2 all property/global poissonsRatio peratomtype 0.25
fix             m3 all property/global coefficientRestitution peratomtypepair 1 {e}
fix             m4 all property/global coefficientFriction peratomtypepair 1 0.4
fix             m5 all property/global coefficientRollingFriction peratomtypepair 1 0.2
fix             m6 all property/global cohesionEnergyDensity peratomtypepair 1 2e8
fix             m7 all property/global characteristicVelocity scalar 0.5
pair_style      gran {model} {options}
pair_coeff      * *
fix             floor all wall/gran {model} primitive type 1 zplane 0.0 {options}
fix             weight all gravity 9.81 vector 0 0 -1
fix             motion all nve/sphere
timestep        2e-8
neighbor        0.002 bin
thermo          50000
dump            d all custom 5000 fall.dump id x y z vx vy vz omegax omegay omegaz
dump_modify     d sort id format "%d %.16g %.16g %.16g %.16g %.16g %.16g %.16g %.16g %.16g"
run             {steps}
"""
# LIGGGHTS shortens the lever of a force by half the overlap, so its grains are stiff. The torque of cdt follows the elastic
# part of the normal force, ours the whole of it: without a dashpot they are the same. Linear springs do not rub here while they
# pull, and share Coulomb's limit with their dashpot: without both they are those of LIGGGHTS.
HERTZ_OF_LIGGGHTS = "model hertz tangential history"
MODELS = {
    "hertz": (HERTZ_OF_LIGGGHTS, "", 0.5, 1e-3),
    "hertz, limited": (HERTZ_OF_LIGGGHTS, "limitForce on tangential_damping off", 0.5, 1e-3),
    "rolling": (HERTZ_OF_LIGGGHTS + " rolling_friction cdt", "", 1.0, 2e-3),
    "cohesion": (HERTZ_OF_LIGGGHTS + " cohesion sjkr", "", 0.5, 1e-3),
    "hooke": ("model hooke tangential history", "tangential_damping off limitForce on", 0.5, 1e-3),
}


def fall(report, program, folder, script, peer, dt, share):
    (folder / "in.fall").write_text(script)
    run([peer, "-in", "in.fall", "-log", "none"], folder)
    run([program, "import", "in.fall", "--out", "case.toml", "--overwrite"], folder)
    run([program, "run", "case.toml", "--out", "out", "--overwrite", "--quiet", "--threads", "1", "--set",
         'output.precision="double"'], folder)
    run([program, "export", "out", "--format", "lammps-dump", "--out", "ours.dump", "--overwrite"], folder)
    theirs, ours = dict(frames(folder / "fall.dump")), dict(frames(folder / "ours.dump"))
    last = max(theirs)
    assert set(theirs) == set(ours), (len(theirs), len(ours))
    for step in (last // 3, last):  # between the first impact and the second, and after the third
        for name, scale in (("vz", 0.5), ("vx", 0.5), ("omegay", 100)):
            for k, grain in enumerate(("lower", "upper")):
                if theirs[step][k][name] != ours[step][k][name]:
                    report.near(f"{name} of the {grain} grain at {step * dt:.4f} s", theirs[step][k][name],
                                ours[step][k][name], share * scale)


MESHES = """
units           si
atom_style      granular
atom_modify     map array
boundary        f f f
newton          off
communicate     single vel yes
region          space block -0.2 0.2 -0.2 0.2 -0.2 0.2 units box
create_box      1 space
create_atoms    1 single 0 0 -0.1 units box
set             group all diameter 0.01 density 2500
fix             m1 all property/global youngsModulus peratomtype 1e7
fix             m2 all property/global poissonsRatio peratomtype 0.3
fix             m3 all property/global coefficientRestitution peratomtypepair 1 0.5
fix             m4 all property/global coefficientFriction peratomtypepair 1 0.3
pair_style      gran model hertz tangential history
pair_coeff      * *
timestep        1e-5
fix             a all mesh/surface file one.stl type 1 scale 0.5 move 0.01 0 0 rotate axis 1 1 0 angle 30 scale 2 move 0 0.01 0
fix             b all mesh/surface file one.stl type 1
fix             c all mesh/surface file one.stl type 1
fix             d all mesh/surface file one.stl type 1
fix             w all wall/gran model hertz tangential history mesh n_meshes 4 meshes a b c d
fix             turn all move/mesh mesh b rotate origin 0.01 0 0 axis 0 0 1 period 0.5
fix             shake all move/mesh mesh c wiggle amplitude 0 0 0.02 period 0.3
fix             shift all move/mesh mesh d linear 0.1 0 0.2
fix             motion all nve/sphere
neighbor        0.005 bin
dump            s all mesh/stl 5000 mesh*.stl a b c d
run             5000
"""


def meshes(report, program, folder):
    """Where meshes are that are scaled, moved and turned, and that move: the vertices that each code writes after 0.05 s."""
    import vtk
    (folder / "one.stl").write_text("solid one\nfacet normal 0 0 1\nouter loop\nvertex 0.01 0.02 0.03\nvertex 0.05 0.02 0.03\n"
                                    "vertex 0.01 0.06 0.04\nendloop\nendfacet\nendsolid one\n")
    (folder / "in.meshes").write_text(MESHES)
    run(["liggghts", "-in", "in.meshes", "-log", "none"], folder)
    run([program, "import", "in.meshes", "--out", "case.toml", "--overwrite"], folder)
    run([program, "run", "case.toml", "--out", "out", "--overwrite", "--quiet", "--threads", "1"], folder)
    theirs = [tuple(map(float, line.split()[1:])) for line in (folder / "mesh5000.stl").read_text().splitlines()
              if line.strip().startswith("vertex")]
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(sorted((folder / "out" / "frames").glob("walls_*.vtp"))[-1]))
    reader.Update()
    ours = [reader.GetOutput().GetPoint(k) for k in range(reader.GetOutput().GetNumberOfPoints())]
    assert len(theirs) == len(ours) == 12
    # LIGGGHTS adds up velocities: half a step of the fastest mesh, 0.42 m/s, and float in our frames
    report.near("distance of a vertex to ours, the largest of 12 (m)",
                max(min(math.dist(x, y) for y in ours) for x in theirs), 0, 3e-6)


def back_to_lammps(report, program, folder):
    """What Areia exports is what LAMMPS reads."""
    run([program, "export", "out", "--out", "back.data", "--overwrite"], folder)
    (folder / "in.back").write_text("""
units si
atom_style sphere
boundary f f f
newton off
read_data back.data
pair_style zero 0.02
pair_coeff * *
fix n all nve/sphere
dump d all custom 1 back.dump id x y z vx vy vz omegax omegay omegaz radius mass
dump_modify d sort id format float %.16g
run 0
reset_timestep 0
read_dump ours.dump 60000 x y z vx vy vz
write_dump all custom again.dump id x y z vx vy vz modify sort id format float %.16g
""")
    run(["lmp", "-in", "in.back", "-log", "none"], folder)
    _, ours = list(frames(folder / "ours.dump"))[-1]
    for name in ("back.dump", "again.dump"):
        _, theirs = list(frames(folder / name))[-1]
        worst = max(abs(a[c] - b[c]) / max(1e-9, abs(b[c])) for a, b in zip(theirs, ours) for c in a)
        report.near(f"largest relative difference of {name}", worst, 0, 1e-12)
    assert len(theirs) == len(ours) == 2


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("areia", type=pathlib.Path)
    p.add_argument("--only", default="")
    p.add_argument("--keep", type=pathlib.Path)
    a = p.parse_args()
    missing = [name for name in ("lmp", "liggghts") if not shutil.which(name)]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed; tools/setup peers installs them")
        return 77
    report = Report()
    program = a.areia.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        base = a.keep or pathlib.Path(scratch)

        def part(title, f):
            if a.only not in title:
                return
            print(title)
            folder = base / "".join(c if c.isalnum() else "_" for c in title)
            folder.mkdir(parents=True, exist_ok=True)
            f(folder)

        for style, (laws, share) in STYLES.items():
            script = FALL.format(**laws, steps=60000)
            part(f"LAMMPS, {style}", lambda folder: fall(report, program, folder, script, "lmp", 1e-7, share))
            if style == "granular, tsuji":
                part("LAMMPS, granular, tsuji", lambda folder: back_to_lammps(report, program, folder))
        for style, (model, options, e, share) in MODELS.items():
            script = FALL_OF_LIGGGHTS.format(model=model, options=options, e=e, steps=300000)
            part(f"LIGGGHTS, {style}", lambda folder: fall(report, program, folder, script, "liggghts", 2e-8, share))
        part("LIGGGHTS, meshes", lambda folder: meshes(report, program, folder))
        part("LIGGGHTS, hopper", lambda folder: hopper(report, program, folder))
    print(f"{report.passed} agree, {report.failed} do not")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
