"""The cuda engine on a GPU: one hash with the cpu engine for every example that it accepts, on repeat, and after a run
that was stopped on one engine and resumed by the other. Stages are cut to a part of their time.

    tests/device/engine_test.py AREIA [--part 0.02] [--only NAME ...]

AREIA has its library libareia_cuda.so beside it. Exit code 77: there is no GPU here.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def shortened(folder, to, part):
    """A copy of an example whose stages have this part of their time; returns its case file."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*.out", "*.png"))
    case = to / "case.toml"

    def cut(match):
        seconds = float(match[3]) * {"": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "min": 60}[match[4] or ""]
        return f"{match[1]} = {seconds * part!r}"

    head, mark, stages = case.read_text().partition("[[stages]]")
    time = r"\b(duration|at_most)[ ]*=[ ]*(\"?)([0-9.eE+-]+)[ ]*(s|ms|us|min)?\2"
    case.write_text(head + mark + re.sub(time, cut, stages))
    return case


class Runs:
    def __init__(self, areia):
        self.areia = areia
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="areia-device-"))

    def areia_run(self, *words):
        return subprocess.run([self.areia, "run", *map(str, words), "--quiet"], capture_output=True, text=True,
                              cwd=self.folder)

    def run(self, case, engine, *options):
        out = self.folder / f"{case.parent.name}.{engine}"
        return out, self.areia_run(case, "--out", out, "--overwrite", "--engine", engine, "--set",
                                   'output.frames="ends"', *options)

    def summary(self, out):
        return json.loads((out / "summary.json").read_text())


def look_at(runs, example, part):
    """One line for the table, and whether all is well."""
    case = shortened(example, runs.folder / example.name, part)
    out, cuda = runs.run(case, "cuda")
    if cuda.returncode == 2 and "a device does not do all of this case yet" in cuda.stderr:
        return "refused: " + cuda.stderr.split("yet: ")[1].split("; take")[0].replace("\n", " "), True
    if cuda.returncode != 0:
        return f"exit code {cuda.returncode}: {cuda.stderr.strip()[-300:]}", False
    first = runs.summary(out)
    cpu_out, cpu = runs.run(case, "cpu")
    if cpu.returncode != 0:
        return f"cpu: exit code {cpu.returncode}: {cpu.stderr.strip()[-300:]}", False
    hashes = {"cpu": runs.summary(cpu_out)["state_hash"], "cuda": first["state_hash"]}
    runs.run(case, "cuda")
    hashes["again"] = runs.summary(out)["state_hash"]
    for engine, other in (("cuda", "cpu"), ("cpu", "cuda")):
        out, stopped = runs.run(case, engine, "--max-wall", "0.2")
        if runs.summary(out)["ending"] == "finished":
            continue
        resumed = runs.areia_run("--resume", out, "--engine", other)
        if resumed.returncode != 0:
            return f"{engine} to {other}: exit code {resumed.returncode}: {resumed.stderr.strip()[-300:]}", False
        hashes[f"{engine} to {other}"] = runs.summary(out)["state_hash"]
    same = len(set(hashes.values())) == 1
    words = f"one hash of {len(hashes)}" if same else f"NOT THE SAME: {hashes}"
    return f"{words}, {first['device']['steps']} of {first['steps']} steps on the device", same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("areia", type=pathlib.Path)
    parser.add_argument("--part", type=float, default=0.02)
    parser.add_argument("--only", nargs="+")
    a = parser.parse_args()
    info = subprocess.run([a.areia, "info"], capture_output=True, text=True).stdout
    engines = next((line for line in info.splitlines() if line.startswith("engines")), "")
    print(engines)
    if "cuda (no:" in engines:
        sys.exit(77)
    runs = Runs(a.areia.resolve())
    bad = 0
    for example in sorted(case.parent for case in EXAMPLES.glob("[0-9]*/case.toml")):
        if a.only and example.name not in a.only:
            continue
        line, fine = look_at(runs, example, a.part)
        print(f"{example.name:24} {line}", flush=True)
        bad += not fine
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
