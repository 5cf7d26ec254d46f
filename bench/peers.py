#!/usr/bin/python3
"""Areia beside LAMMPS and LIGGGHTS, on the same states, with the same laws.

    bench/peers                            B1, B2, B3 and B4 with 50 000 spheres on one core, then Areia on two
    bench/peers --cases b1 --size 10000    one case, another size
    bench/peers --areia-only --size 1000000 --cases b1
    bench/peers --json                     an object of ratios, rates and bytes on standard output

Each code runs the same steps from the same state; the runs take turns, and the best of each counts, so that other work on
the machine disturbs all alike. Only the stepping loop is timed, as each code reports it. Contacts per particle at the end
show that the work is the same. Peers get the better of several skins where lists are made often.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import bed

G = bed.YOUNG / (2 * (1 + bed.POISSON))
K_N = 4 * G / (3 * (1 - bed.POISSON))
K_T = 4 * G / (2 - bed.POISSON)
GAMMA_N = 4e6  # of the legacy style, whose damping has no restitution: about 0.5 at the overlaps of the bed

LAMMPS = {
    "LAMMPS granular": (
        f"granular\npair_coeff * * hertz/material {bed.YOUNG} {bed.RESTITUTION} {bed.POISSON} "
        f"tangential mindlin NULL 1.0 {bed.FRICTION} damping tsuji",
        f"granular hertz/material {bed.YOUNG} {bed.RESTITUTION} {bed.POISSON} "
        f"tangential mindlin NULL 1.0 {bed.FRICTION} damping tsuji"),
    "LAMMPS gran/hertz/history": (
        f"gran/hertz/history {K_N} {K_T} {GAMMA_N} NULL {bed.FRICTION} 1\npair_coeff * *",
        f"hertz/history {K_N} {K_T} {GAMMA_N} NULL {bed.FRICTION} 1"),
}
LIGGGHTS = "LIGGGHTS hertz history"


class Benchmark:
    """A state, its box or mesh, its step, and the skins that the peers are given."""

    def __init__(self, name, areia, count, threads, peers_too=True):
        self.name, self.count, self.mesh, self.turning, self.dt = name, count, None, 0, bed.DT
        self.gravity = (0.0, 0.0, -bed.GRAVITY)
        self.skins, self.neighbour = [bed.SKIN], "bin"
        self.box = bed.box_of(count)
        if name == "b1":
            self.title, self.state = "settled bed", bed.settled(areia, count, threads)
        elif name == "b2":
            self.title, self.state = "tumbling box", bed.tumbling(areia, count, threads)
            self.dt, self.turning = 4e-5, bed.TURN
            angle = bed.TURN * bed.TUMBLED
            self.gravity = (-bed.GRAVITY * math.sin(angle), 0.0, -bed.GRAVITY * math.cos(angle))
            self.skins = [0.25 * bed.DIAMETER, 0.4 * bed.DIAMETER]
        elif name == "b3":
            self.title, self.state = "diameters 1:5", bed.graded(areia, count, threads)
            self.box, self.dt, self.neighbour = bed.graded_box(count), 2e-6, "multi"
            self.skins = [0.0004]
        elif name == "b4":
            bed.CACHE.mkdir(parents=True, exist_ok=True)
            self.mesh = bed.CACHE / "hopper.stl"
            self.triangles = bed.hopper_mesh(self.mesh)
            self.title = f"hopper of {self.triangles} triangles"
            self.state = bed.hopper(areia, count, threads, self.mesh)
            self.box = None
        self.folder = bed.CACHE / f"{name}_{count}"
        self.folder.mkdir(exist_ok=True)
        if peers_too:
            self.write_data()

    def write_data(self):
        rows = bed.read_state(self.state)
        if self.box:
            low, high = (0, 0, 0), self.box
        else:
            r = bed.HOPPER["radius"]
            low, high = (-r, -r, 0), (r, r, bed.HOPPER["top"])
        with open(self.folder / "state.data", "w") as f:
            f.write(f"benchmark\n\n{len(rows)} atoms\n1 atom types\n\n")
            for a, lo, hi in zip("xyz", low, high):  # a little larger than the walls, so that nobody is lost
                f.write(f"{lo - bed.DIAMETER} {hi + bed.DIAMETER} {a}lo {a}hi\n")
            f.write("\nAtoms\n\n")
            for k, r in enumerate(rows, 1):
                f.write(f"{k} 1 {2 * r[9]!r} {bed.DENSITY} {r[0]!r} {r[1]!r} {r[2]!r}\n")
            f.write("\nVelocities\n\n")
            for k, r in enumerate(rows, 1):
                f.write(f"{k} " + " ".join(map(repr, r[3:9])) + "\n")

    def areia_case(self, steps, primitive=False):
        wall = (bed.box_wall(*self.box) if self.box else
                bed.primitive_wall() if primitive else bed.mesh_wall(self.mesh))
        text = bed.case_text(bed.from_file(self.state), wall, bed.RESTITUTION, self.dt,
                             f"duration = {steps * self.dt!r}", self.gravity, self.turning)
        case = self.folder / f"areia{'_primitive' if primitive else ''}.toml"
        case.write_text(text)
        return case

    def weight(self):
        if not self.turning:
            return f"fix weight all gravity {bed.GRAVITY} vector 0 0 -1"
        return (f"variable a equal {self.turning}*({bed.TUMBLED}+step*{self.dt})\nvariable gx equal -sin(v_a)\n"
                f"variable gz equal -cos(v_a)\nfix weight all gravity {bed.GRAVITY} vector v_gx 0 v_gz")

    def measured(self, steps):
        """The steps, and then the ends of contacts in c_sum."""
        return f"""timestep {self.dt}
thermo {steps}
run {steps}
compute touching all contact/atom
compute sum all reduce sum c_touching
thermo_style custom step c_sum"""

    def lammps(self, style, skin, steps):
        pair, wall = LAMMPS[style]
        x, y, height = self.box
        return f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data state.data
neighbor {skin} {self.neighbour}
neigh_modify delay 0 every 1 check yes
pair_style {pair}
fix move all nve/sphere
{self.weight()}
fix sx all wall/gran {wall} xplane 0 {x}
fix sy all wall/gran {wall} yplane 0 {y}
fix sz all wall/gran {wall} zplane 0 {height}
{self.measured(steps)}
run 0 post no
print "ends in touching: $(c_sum)"
"""

    def liggghts(self, skin, steps):
        if self.box:
            walls = "\n".join(
                f"fix {a}{k} all wall/gran model hertz tangential history primitive type 1 {a}plane {at}"
                for a, top in zip("xyz", self.box)
                for k, at in ((0, 0.0), (1, top)))
        else:
            walls = (f"fix hopper all mesh/surface file {self.mesh} type 1 curvature 1e-5\n"
                     "fix walls all wall/gran model hertz tangential history mesh n_meshes 1 meshes hopper")
        return f"""units si
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
read_data state.data
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
fix m1 all property/global youngsModulus peratomtype {bed.YOUNG}
fix m2 all property/global poissonsRatio peratomtype {bed.POISSON}
fix m3 all property/global coefficientRestitution peratomtypepair 1 {bed.RESTITUTION}
fix m4 all property/global coefficientFriction peratomtypepair 1 {bed.FRICTION}
pair_style gran model hertz tangential history
pair_coeff * *
{walls}
{self.weight()}
fix move all nve/sphere
{self.measured(steps)}
run 0
variable total equal c_sum
print "ends in touching: ${{total}}"
"""


def run_timed(command, folder, log, threads=1):
    """Runs a program; its output, its resident memory half of the time, and its peak."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    resident, peak = [], 0
    with open(log, "w") as out:
        child = subprocess.Popen(list(map(str, command)), cwd=folder, env=env, stdout=out, stderr=subprocess.STDOUT)
        while True:
            ended, status = os.waitpid(child.pid, os.WNOHANG)
            if ended:
                break
            # not by the usage of a child, in which the memory of this process before exec counts
            now = dict(re.findall(r"(VmRSS|VmHWM):\s*(\d+) kB", pathlib.Path(f"/proc/{child.pid}/status").read_text()))
            if now:
                resident.append(1024 * int(now["VmRSS"]))
                peak = 1024 * int(now["VmHWM"])
            time.sleep(0.05)
        child.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(errors="replace")
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{text[-1500:]}")
    return text, statistics.median(resident or [0]), peak


def run_peer(b, style, skin, steps):
    program = "liggghts" if style == LIGGGHTS else "lmp"
    script = b.folder / f"in.{re.sub('[^a-z]', '_', style.lower())}"
    script.write_text(b.liggghts(skin, steps) if style == LIGGGHTS else b.lammps(style, skin, steps))
    text, resident, peak = run_timed([program, "-in", script.name, "-log", "none"], b.folder, b.folder / "peer.log")
    loop = re.search(r"Loop time of ([0-9.eE+-]+) on 1 procs for (\d+) steps with (\d+) atoms", text)
    if not loop or int(loop[2]) != steps or int(loop[3]) != b.count:
        raise RuntimeError(f"{style}: no loop time of {steps} steps with {b.count} particles:\n{text[-1500:]}")
    touching = float(re.findall(r"^ends in touching: (\S+)", text, re.M)[-1])
    builds = re.search(r"Neighbor list builds = (\d+)", text)
    # what the code says it has allocated
    memory = re.findall(r"(?:Memory usage per processor|memory allocation \(min/avg/max\)) = ([0-9.]+)", text)
    return {"state_bytes": float(memory[-1]) * 2**20 / b.count if memory else 0,
            "rate": b.count * steps / float(loop[1]), "contacts": touching / 2 / b.count,
            "resident_bytes": resident / b.count, "peak_bytes": peak / b.count, "skin": skin,
            "lists": int(builds[1]) if builds else None}


def run_areia(b, areia, steps, threads=1, ledger=True, primitive=False, frames=0, folder="areia"):
    out = b.folder / folder
    options = [] if ledger else ["--set", "numerics.ledger=false"]
    if frames:
        options += ["--set", f"output.frames={frames}"]
    env_threads = ["--threads", str(threads)]
    command = [areia, "run", b.areia_case(steps, primitive), "--out", out, "--overwrite", "--quiet", "--checkpoint", "0",
               *env_threads, *options]
    _, resident, peak = run_timed(command, b.folder, b.folder / f"{folder}.log", threads)
    s = json.loads((out / "summary.json").read_text())
    if s["steps"] != steps or s["particles"] != b.count:
        raise RuntimeError(f"areia made {s['steps']} steps with {s['particles']} particles")
    walls = bed.read_vtp(bed.last_frame(out, "contacts"), ["wall"])["wall"]
    return {"rate": b.count * steps / s["loop_s"], "contacts": sum(w < 0 for w in walls) / b.count,
            "resident_bytes": resident / b.count, "peak_bytes": peak / b.count,
            "state_bytes": s["state_bytes"] / b.count, "lists": s["list_rebuilds"],
            "wall_s": s["wall_s"], "loop_s": s["loop_s"], "hash": s["state_hash"]}


def run_two_at_once(b, areia, steps):
    """Two runs side by side, each on one core: what the machine gives to two cores at best. Their rates together."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(run_areia, b, areia, steps, folder=f"areia-{k}") for k in (1, 2)]
        return sum(r.result()["rate"] for r in runs)


def better(results, key, r):
    r = dict(r, rates=results.get(key, {}).get("rates", []) + [r["rate"]])
    if key in results and results[key]["rate"] >= r["rate"]:
        results[key]["rates"] = r["rates"]
    else:
        results[key] = r


def machine():
    model = "unknown"
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} cores"


def triad(areia):
    """Bandwidth of one core by a = b + s c over arrays far beyond the caches, bytes/s; None without the benchmark."""
    program = areia.parent / "bench" / "areia_micro"
    if not program.exists():
        return None
    text = subprocess.run([str(program), "--benchmark_filter=triad", "--benchmark_format=json"], capture_output=True,
                          text=True).stdout
    return max(b["bytes_per_second"] for b in json.loads(text)["benchmarks"])


def measure(b, areia, steps, repeats, wanted, note):
    results = {}
    styles = [s for s in wanted if (shutil.which("liggghts") if s == LIGGGHTS else shutil.which("lmp") and b.box)]
    for turn in range(repeats):
        plan = [("Areia, ledger off", lambda: run_areia(b, areia, steps, ledger=False))]
        if b.mesh:
            plan.append(("Areia, cylinder and cone", lambda: run_areia(b, areia, steps, primitive=True)))
        for skin in b.skins:  # as many runs of Areia as of each peer, whose skins are tried one after the other
            plan.append(("Areia", lambda: run_areia(b, areia, steps)))
            for style in styles:
                plan.append((style, lambda style=style, skin=skin: run_peer(b, style, skin, steps)))
        for name, run in plan:
            try:
                r = run()
            except RuntimeError as e:
                note(f"{b.name}: {name} left out: {str(e)[-600:]}")
                continue
            better(results, name, r)
            print(f"  {b.name} turn {turn + 1}: {name:26} {r['rate'] / 1e6:6.2f} M/s", file=sys.stderr)
    return results


COLUMNS = ["version", "date", "machine", "case", "particles", "cores", "particle_steps_per_s", "contacts", *LAMMPS, LIGGGHTS,
           "bytes_per_particle", "state_hash"]


def keep(path, areia, out):
    """One line per case: rates, ratios to the peers, memory, and the hash of the state at the end."""
    version = subprocess.run([str(areia), "--version"], capture_output=True, text=True).stdout.split()[-1]
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = not path.exists()
    with open(path, "a", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if fresh:
            rows.writerow(COLUMNS)
        for name, results in out["results"].items():
            for ours, cores in (("Areia", 1), ("Areia, two cores", 2)):
                if ours not in results:
                    continue
                r = results[ours]
                ratios = [f"{r['rate'] / results[s]['rate']:.3f}" if s in results and cores == 1 else ""
                          for s in (*LAMMPS, LIGGGHTS)]
                rows.writerow([version, out["date"], out["machine"], name, out["size"], cores, f"{r['rate']:.0f}",
                               f"{r['contacts']:.3f}", *ratios, f"{r['state_bytes']:.0f}", r["hash"]])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", nargs="+", default=["b1", "b2", "b3", "b4"], choices=["b1", "b2", "b3", "b4"])
    p.add_argument("--size", type=int, default=50000, help="number of spheres (10000, 50000, 200000, 1000000)")
    p.add_argument("--steps", type=int, help="default: 25 million particle-steps")
    p.add_argument("--repeats", type=int, default=3)
    p.add_argument("--areia", type=pathlib.Path, default=bed.ROOT / "build" / "areia")
    p.add_argument("--areia-only", action="store_true")
    p.add_argument("--peers", nargs="+", default=[*LAMMPS, LIGGGHTS], choices=[*LAMMPS, LIGGGHTS])
    p.add_argument("--csv", type=pathlib.Path, help="append a line per case to this file, e.g. bench/results/NAME.csv")
    p.add_argument("--json", action="store_true", help="print an object; tables go to standard error")
    a = p.parse_args()
    a.areia = a.areia.resolve()
    steps = a.steps or max(100, 25_000_000 // a.size)
    notes = []
    k = f"{a.size // 1000}k"
    out = {"machine": machine(), "date": time.strftime("%F"), "load": os.getloadavg()[0], "size": a.size, "steps": steps,
           "repeats": a.repeats, "results": {}}
    text = []
    for name in a.cases:
        b = Benchmark(name, a.areia, a.size, os.cpu_count(), not a.areia_only)
        results = measure(b, a.areia, steps, a.repeats, [] if a.areia_only else a.peers, notes.append)
        out["results"][name] = results
        ours = results["Areia"]
        peers = {s: r for s, r in results.items() if not s.startswith("Areia")}
        text.append(f"{name.upper()} {b.title}, {a.size} spheres, {steps} steps, one core, best of {a.repeats}")
        text.append(f"  {'code':26} {'M/s':>6} {'Areia/it':>8} {'contacts':>8} {'state B':>7} {'resident':>8} {'peak B':>7} "
                    f"{'lists':>5}")
        for s, r in results.items():
            text.append(f"  {s:26} {r['rate'] / 1e6:6.2f} {ours['rate'] / r['rate']:8.2f} {r['contacts']:8.3f} "
                        f"{r['state_bytes']:7.0f} {r['resident_bytes']:8.0f} {r['peak_bytes']:7.0f} {r['lists'] or 0:5}")
        if peers:
            fastest = max(peers, key=lambda s: peers[s]["rate"])
            out[f"ratio_{name}_{k}_1core"] = ours["rate"] / peers[fastest]["rate"]
            text.append(f"  Areia / fastest peer ({fastest}): {ours['rate'] / peers[fastest]['rate']:.2f}")
        if b.mesh:
            out["mesh_over_primitive"] = results["Areia, cylinder and cone"]["rate"] / ours["rate"]
        if name == "b1":
            out["bytes_per_particle"] = ours["state_bytes"]
            if (os.cpu_count() or 1) >= 2:
                one, two, pair = {}, {}, 0  # in turns; many, because two cores are seldom both undisturbed
                for _ in range(4 * a.repeats):
                    better(one, "Areia", run_areia(b, a.areia, steps))
                    better(two, "Areia", run_areia(b, a.areia, steps, threads=2))
                    pair = max(pair, run_two_at_once(b, a.areia, steps))
                results["Areia, two cores"] = two["Areia"]
                out["scaling_2cores"] = two["Areia"]["rate"] / one["Areia"]["rate"]
                out["two_runs_at_once"] = pair / one["Areia"]["rate"]
                text.append(f"  two cores: {two['Areia']['rate'] / 1e6:.2f} M/s, {out['scaling_2cores']:.2f} times one; "
                            f"two runs at once: {out['two_runs_at_once']:.2f} times one")
            # ten frames in 0.01 s: a tenth of what they cost scatters less than what one costs
            every, frames, plain, framed = 0.01, 10, math.inf, math.inf
            many = max(steps, round(every / b.dt))
            for _ in range(a.repeats):
                plain = min(plain, run_areia(b, a.areia, many)["wall_s"])
                framed = min(framed, run_areia(b, a.areia, many, frames=every / frames)["wall_s"])
            out["cost_of_frame_per_10ms"] = (framed - plain) / plain / frames
            text.append(f"  a frame every 0.01 s costs {100 * out['cost_of_frame_per_10ms']:.1f} % of the run")
    bandwidth = triad(a.areia)
    if bandwidth:
        # each step reads and writes the state (position, velocity, spin, orientation: 128 B), histories and indices of
        # near pairs (48 B each, histories twice), letters; 570 flops
        contacts = out["results"].get("b1", {}).get("Areia", {}).get("contacts", 2.5)
        moved = 2 * 128 + contacts * (2 * 40 + 8) + 0.6 * 2 * 64
        out["roofline"] = {"triad_bytes_per_s": bandwidth, "bytes_per_particle_step": moved,
                           "bound_particle_steps_per_s": bandwidth / moved}
        text.append(f"triad {bandwidth / 1e9:.1f} GB/s; about {moved:.0f} B per particle-step: at most "
                    f"{bandwidth / moved / 1e6:.0f} M particle-steps/s")
    out["notes"] = notes
    if a.csv:
        keep(a.csv, a.areia, out)
    print("\n".join(text + notes), file=sys.stderr if a.json else sys.stdout)
    if a.json:
        print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
