"""Runs on several processes, joined by mpirun: the files of one process, resumed on any number of them, whatever ends
them."""
import os
import shutil
import signal
import subprocess
import sys
import time

import areia

library = os.path.join(os.path.dirname(areia.program), "libareia_mpi.so")
mpirun = shutil.which("mpirun")
if not mpirun or not os.path.exists(library):
    print("skipped: there is no mpirun" if not mpirun else "skipped: the program was built without MPI")
    sys.exit(77)

# More processes than cores, as anybody, and nothing that asks for a network.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                  OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl="self,vader")

CASE = areia.GRAINS.replace("count = 500", "count = 200").replace('duration = "0.2 s"', 'duration = "0.1 s"')
PULL = """
[forces.pull]
law  = "power"
k_at = 1e-9
a_at = 2
"""
OTHERS = {"log.txt", "summary.json", "heartbeat.json"}  # times of day, counts of lists


class Ranks(areia.Case):
    def on(self, ranks, *arguments):
        """Command line on so many processes; on one there is no mpirun."""
        start = [mpirun, "-n", str(ranks)] if ranks > 1 else []
        return [*start, areia.program, *arguments]

    def run_on(self, ranks, *arguments, code=0):
        done = subprocess.run(self.on(ranks, *arguments), cwd=self.folder, capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, code, f"{ranks} ranks, {arguments}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def files(self, results):
        found = {}
        for folder, _, names in os.walk(self.path(results)):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path(results))] = file.read()
        return found

    def datasets(self, results):
        """Numbers of the newest checkpoint, less what tells of the way there."""
        import h5py

        folder = self.path(results, "checkpoints")
        found = {}
        with h5py.File(os.path.join(folder, sorted(os.listdir(folder))[-1]), "r") as file:
            file.visititems(lambda name, item: found.update({name: item[()].tobytes()})
                            if isinstance(item, h5py.Dataset) and item.dtype.kind != "O" else None)
        for name in [n for n in found if n.split("/")[-1] in ("wall_s", "pickings")]:
            del found[name]
        return found

    def test_files_are_those_of_one_process_and_any_number_resumes(self):
        case = self.write("case.toml", CASE)
        self.run_on(1, "run", case, "--out", "one", "--threads", "1", "--quiet")
        said = self.run_on(3, "run", case, "--out", "three", "--threads", "1")
        wanted = self.summary("one")["state_hash"]
        self.assertEqual(said.count("state hash"), 1, said)  # one rank speaks
        self.assertEqual(self.summary("three")["state_hash"], wanted)
        self.assertEqual(self.summary("three")["ranks"], 3)
        one, three = self.files("one"), self.files("three")
        self.assertEqual(sorted(one), sorted(three))
        self.assertGreater(len(one), 60)
        checkpoints = [name for name in one if name.startswith("checkpoints")]
        for name in sorted(set(one) - OTHERS - set(checkpoints)):
            self.assertEqual(one[name], three[name], name)
        try:
            self.assertEqual(self.datasets("one"), self.datasets("three"))
            self.assertGreater(len(self.datasets("one")), 20)
        except ImportError:
            pass  # h5py is not there

        # stopped on three, resumed on two and on one
        self.run_on(3, "run", case, "--out", "part", "--threads", "1", "--quiet", "--max-wall", "0.01")
        self.assertEqual(self.summary("part")["ending"], "out of wall time")
        shutil.copytree(self.path("part"), self.path("again"))
        for ranks, results in ((2, "part"), (1, "again")):
            self.run_on(ranks, "run", "--resume", results, "--threads", "1", "--quiet")
            self.assertEqual(self.summary(results)["state_hash"], wanted)

    def test_what_ranks_do_not_do_is_told_before_anything_starts(self):
        case = self.write("case.toml", CASE + PULL)
        said = self.run_on(2, "run", case, "--out", "out", code=2)
        self.assertIn("forces at a distance", said)
        self.assertEqual(said.count("forces at a distance"), 1, said)
        self.assertFalse(os.path.exists(self.path("out", "manifest.txt")))
        self.assertIn("cpu engine", self.run_on(2, "run", self.write("b.toml", CASE), "--engine", "reference", code=2))
        self.assertIn("no.toml", self.run_on(2, "run", "no.toml", code=2))

    def test_what_others_than_runs_do_and_who_does_not_want_ranks(self):
        case = self.write("case.toml", CASE)
        self.assertEqual(self.run_on(2, "check", case).count("Grains into a box"), 1)
        for place, code, words, count in (("off", 0, "Grains into a box", 2), ("/nowhere/mpi.so", 2, "cannot join", 1)):
            command = self.on(2, "check" if code == 0 else "run", case)
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=100,
                                  env={**os.environ, "AREIA_MPI": place})
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertEqual((done.stdout + done.stderr).count(words), count, done.stdout + done.stderr)

    def test_a_run_that_cannot_go_on_ends_on_all_ranks_with_one_message(self):
        case = self.write("case.toml", CASE.replace("acceleration = [0, 0, -9.81]", "acceleration = [0, 0, 30]") + """
[domain]
box = [[-0.1, -0.1, -0.1], [0.3, 0.3, 0.5]]
rule = "stop"
""")
        said = {ranks: self.run_on(ranks, "run", case, "--out", f"out{ranks}", "--quiet", code=3) for ranks in (1, 3)}
        line = next(text for text in said[1].splitlines() if text.startswith("stopped:"))
        self.assertIn("left the domain", line)
        self.assertEqual([text for text in said[3].splitlines() if text.startswith("stopped:")], [line])

    def begin(self, ranks, *arguments):
        return self.start_command(self.on(ranks, *arguments), start_new_session=True)

    def ranks_of(self, process):
        """Process ids of the program below mpirun, by rank."""
        found = {}
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
                if parent != process.pid:
                    continue
                with open(f"/proc/{name}/environ") as file:
                    known = dict(v.split("=", 1) for v in file.read().split("\0") if "=" in v)
                found[int(known["OMPI_COMM_WORLD_RANK"])] = int(name)
            except (OSError, ValueError, KeyError):
                continue
        return found

    def wait_for_checkpoint(self, results, process):
        folder = self.path(results, "checkpoints")
        self.assertTrue(self.wait_for(lambda: os.path.isdir(folder) and os.listdir(folder), process, seconds=60))

    def test_killed_ranks_and_signals(self):
        case = self.write("case.toml", CASE.replace('duration = "0.1 s"', 'duration = "0.15 s"'))
        self.run_on(1, "run", case, "--out", "one", "--threads", "1", "--quiet")
        wanted = self.summary("one")["state_hash"]
        arguments = ("run", case, "--threads", "1", "--quiet", "--checkpoint", "0.1")

        killed = self.begin(3, *arguments, "--out", "killed")
        self.wait_for_checkpoint("killed", killed)
        began = time.monotonic()
        os.kill(self.ranks_of(killed)[2], signal.SIGKILL)
        _, said = killed.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 30)
        self.assertNotEqual(killed.returncode, 0)
        self.assertIn("rank 2", said)
        self.run_on(2, "run", "--resume", "killed", "--threads", "1", "--quiet")
        self.assertEqual(self.summary("killed")["state_hash"], wanted)

        # the first rank is asked to stop, and all stop with a checkpoint; a signal to another one is nothing
        asked = self.begin(2, *arguments, "--out", "asked")
        self.wait_for_checkpoint("asked", asked)
        ranks = self.ranks_of(asked)
        os.kill(ranks[1], signal.SIGTERM)
        os.kill(ranks[0], signal.SIGTERM)
        asked.communicate(timeout=60)
        self.assertEqual(asked.returncode, 130)
        self.assertEqual(self.summary("asked")["ending"], "interrupted")
        self.run_on(1, "run", "--resume", "asked", "--threads", "1", "--quiet")
        self.assertEqual(self.summary("asked")["state_hash"], wanted)


if __name__ == "__main__":
    areia.main()
