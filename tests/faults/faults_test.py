"""System calls that fail, and kills, one at a time: a run ends with exit code 4 or goes on, and what it leaves behind is
resumed to the same bytes as a run that nothing happened to. Files of others stay.

faults_test.py PROGRAM SHIM [all]    without `all` some of the calls, seconds; with it each of the first 300 of every kind.
The last lines are the table of docs/faults.md.
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import areia  # noqa: E402

if os.access("/dev/shm", os.W_OK):  # where nothing waits for a disk
    tempfile.tempdir = "/dev/shm"
shim = os.path.abspath(sys.argv[2])
everything = len(sys.argv) > 3 and sys.argv[3] == "all"
MOST = 300
CALLS = {"write": "ENOSPC", "fsync": "EIO", "rename": "EIO", "open": "EACCES", "close": "EIO", "unlink": "EIO",
         "read": "EIO"}
# with every one that follows checkpoints, frames, series, a measure and its pictures are written
CASE = areia.BALL.replace("0.1 s", "0.004 s") + """
[output]
frames = "2 ms"
series = "1 ms"
[output.measure.heat]
kind = "granular_temperature"
[output.measure.grid]
kind = "field"
region = { box = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]] }
width = "5 cm"
cell = "5 cm"
every = "2 ms"
"""
OTHER = CASE.replace("20 MPa", "10 MPa").replace("heat", "warmth")


def chosen(count, few):
    """Which calls fail: all of the first, or some from the first to the last."""
    if everything:
        return range(1, min(count, MOST) + 1)
    return sorted({1 + k * (count - 1) // max(1, few - 1) for k in range(few)}) if count else []


class Faults(areia.Case):
    table = collections.OrderedDict()

    def setUp(self):
        super().setUp()
        if areia.build_cache().get("AREIA_SANITIZE"):
            self.skipTest("the sanitizers must be loaded first")
        self.case, self.other = self.write("case.toml", CASE), self.write("other.toml", OTHER)
        self.expect(0, *self.run_of(self.case, "whole"))
        self.wanted = self.bytes_of("whole")

    @staticmethod
    def run_of(case, out, *more):
        return ["run", case, "--out", out, "--quiet", "--threads", "1", "--checkpoint", "1e-6", *more]

    def bytes_of(self, results):
        """All that does not tell of times on a clock, or how often a run was begun."""
        found = {}
        for folder, _, names in os.walk(self.path(results)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.path(results))
                if name not in ("log.txt", "summary.json", "heartbeat.json", "manifest.txt") and not path.startswith("checkpoints"):
                    with open(os.path.join(folder, name), "rb") as file:
                        found[path] = file.read()
        found["hash"] = self.hash_of(results)
        return found

    def faulty(self, fault, *arguments):
        """Exit code of the program with a fault; how many such calls there were."""
        counted = self.path("count")
        done = subprocess.run([areia.program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LD_PRELOAD": shim, "AREIA_FAULT": fault, "AREIA_FAULT_COUNT": counted,
                                   "AREIA_FAULT_IN": self.path("out")})
        self.told = done.stderr
        with open(counted) as file:
            return done.returncode, int(file.read())

    def each(self, what, few, prepare, arguments, go_on):
        """Lets each chosen call fail, once; `go_on` must then bring the folder to the bytes that are wanted."""
        kinds = {**CALLS, "any": "KILL"}
        for call, error in kinds.items():
            shutil.rmtree(self.path("out"), ignore_errors=True)
            prepare()
            code, count = self.faulty(f"{call}:0", *arguments)
            self.assertEqual(code, 0, self.told)
            row = collections.Counter()
            for k in chosen(count, few if call != "any" else 2 * few):
                with self.subTest(what, call=call, k=k):
                    shutil.rmtree(self.path("out"), ignore_errors=True)
                    prepare()
                    code, _ = self.faulty(f"{call}:{k}:{error}", *arguments)
                    self.assertIn(code, (-9,) if call == "any" else (0, 4), self.told)
                    if code == 4:
                        self.assertIn("files: ", self.told)
                    row[code] += 1
                    go_on()
                    row["same"] += 1
            self.table[what, "kill" if call == "any" else call] = row

    def resume_or_begin(self):
        begun = os.path.exists(self.path("out", "case.toml"))
        self.expect(0, *(["run", "--resume", "out", "--quiet"] if begun else self.run_of(self.case, "out")))
        self.assertEqual(self.bytes_of("out"), self.wanted)
        self.assertEqual([n for _, _, names in os.walk(self.path("out")) for n in names if "areia-part" in n], [])

    def test_a_run(self):
        self.each("run", 2, lambda: None, self.run_of(self.case, "out"), self.resume_or_begin)

    def test_a_resumed_run(self):
        self.expect(0, *self.run_of(self.case, "half", "--max-wall", "1e-3"))
        self.each("resume", 2, lambda: shutil.copytree(self.path("half"), self.path("out")),
                  ["run", "--resume", "out", "--quiet", "--threads", "1", "--checkpoint", "1e-6"], self.resume_or_begin)

    def test_a_run_in_place_of_another(self):
        self.expect(0, *self.run_of(self.other, "earlier"))

        def prepare():
            shutil.copytree(self.path("earlier"), self.path("out"))
            os.mkdir(self.path("out", "mine"))
            for name in ("mine/notes.txt", "frames/notes.vtp"):
                with open(self.path("out", name), "w") as file:
                    file.write("mine")

        def go_on():
            for name in ("mine/notes.txt", "frames/notes.vtp"):
                with open(self.path("out", name)) as file:
                    self.assertEqual(file.read(), "mine")
            self.expect(0, *self.run_of(self.case, "out", "--overwrite"))
            self.assertEqual(self.bytes_of("out"), {**self.wanted, "mine/notes.txt": b"mine", "frames/notes.vtp": b"mine"})

        self.each("overwrite", 2, prepare, self.run_of(self.case, "out", "--overwrite"), go_on)

    def test_a_disk_that_fills(self):
        """Disks of many sizes, from none at all for the run to nearly enough; then copied to where there is room."""
        unshare = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-rm"]
        disk, out = self.path("disk"), self.path("out")
        os.mkdir(disk)
        mounted = ["mount", "-t", "tmpfs", "-o", "size=64k", "areia", disk]
        if not shutil.which("unshare") or subprocess.run([*unshare, *mounted], capture_output=True).returncode:
            self.skipTest("no small disk can be mounted here")
        row = collections.Counter()
        # tmpfs counts in pages of 4 kB
        room = sum(-(-os.path.getsize(os.path.join(folder, name)) // 4096) + 1
                   for folder, _, names in os.walk(self.path("whole")) for name in names)
        sizes = 20 if everything else 4
        for k in range(sizes):
            pages = 2 + k * room // sizes
            with self.subTest("full disk", pages=pages):
                shutil.rmtree(out, ignore_errors=True)
                run = " ".join([areia.program, *self.run_of(self.case, f"{disk}/out")])
                done = subprocess.run([*unshare, "sh", "-c", f"mount -t tmpfs -o size={4 * pages}k areia {disk} && {{ {run}; "
                                       f"code=$?; [ ! -d {disk}/out ] || cp -r {disk}/out {out}; exit $code; }}"],
                                      cwd=self.folder, capture_output=True, text=True, timeout=300)
                self.assertIn(done.returncode, (0, 4), done.stderr)
                if done.returncode == 4:
                    self.assertIn("files: ", done.stderr)
                row[done.returncode] += 1
                self.resume_or_begin()
                row["same"] += 1
        self.assertGreater(row[4], sizes // 2)
        self.table["run", "full disk"] = row

    def test_a_lab_run_in_place_of_another(self):
        bar = os.path.join(areia.source, "examples", "impact", "bar.toml")
        lab = ["impact", "run", bar, "--out", "out"]
        self.expect(0, *lab, "--set", "model=kane", "--set", "params={e=1,mu=1}")
        os.rename(self.path("out"), self.path("earlier"))
        self.expect(0, *lab)
        os.rename(self.path("out"), self.path("wanted"))

        def all_of(results):
            found = {}
            for folder, _, names in os.walk(self.path(results)):
                for name in names:
                    if name != "manifest.txt":
                        with open(os.path.join(folder, name), "rb") as file:
                            found[os.path.relpath(os.path.join(folder, name), self.path(results))] = file.read()
            return found

        def go_on():
            if os.path.exists(self.path("out", "run.json")):  # then all is of one run
                now = {name: text for name, text in all_of("out").items() if "areia-part" not in name}
                self.assertIn(now, (all_of("earlier"), all_of("wanted")))
            self.expect(0, *lab)
            self.assertEqual(all_of("out"), all_of("wanted"))

        self.each("impact run", 2, lambda: shutil.copytree(self.path("earlier"), self.path("out")), lab, go_on)

    @classmethod
    def tearDownClass(cls):
        lines = ["| command | call | tried | went on, exit code 0 | exit code 4 | killed | same bytes after it |",
                 "|---|---|---:|---:|---:|---:|---:|"]
        for (what, call), row in cls.table.items():
            tried = row[0] + row[4] + row[-9]
            lines.append(f"| {what} | {call} | {tried} | {row[0]} | {row[4]} | {row[-9]} | {row['same']} |")
        print("\n".join(lines), file=sys.stderr)


if __name__ == "__main__":
    areia.main()
