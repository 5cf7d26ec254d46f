"""Results folders: files of others are never changed or removed, and one run at a time works in one."""
import os
import shutil
import signal
import subprocess

import areia

SHORT = ["--quiet", "--set", "stages[1].duration=0.02", "--set", "stages[2].duration=0.02"]


def everything(folder):
    """Each entry below a folder: the target of a link, the bytes and the time of a file."""
    found = {}
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = file.read(), os.stat(path).st_mtime_ns
    return found


class Folder(areia.Case):
    def put(self, *names, text="mine"):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w") as file:
            file.write(text)

    def refused(self, *arguments, naming=()):
        """Exit code 2, nothing written, nothing lost, and every file in the way is named."""
        before = everything(self.folder)
        text = self.expect(2, *arguments)
        self.assertEqual(everything(self.folder), before)
        for name in naming:
            self.assertIn(name, text)
        return text


class ForeignFiles(Folder):
    LOOK_ALIKES = ["case.toml", "log.txt", "summary.json", "heartbeat.json", "energy.csv", "all.pvd", "particles.pvd",
                   "frames/particles_000000.vtp", "frames/walls_7.vtp", "checkpoints/ck_000000000001.h5"]

    def setUp(self):
        super().setUp()
        self.case = self.write("grains.toml", areia.GRAINS)

    def test_each_look_alike_is_named_and_kept(self):
        for name in self.LOOK_ALIKES:
            for overwrite in ([], ["--overwrite"]):
                with self.subTest(name, overwrite=bool(overwrite)):
                    shutil.rmtree(self.path("out"), ignore_errors=True)
                    self.put("out", name)
                    self.refused("run", self.case, "--out", "out", *SHORT, *overwrite, naming=[os.path.join("out", name)])

    def test_all_of_them_are_told_at_once(self):
        for name in self.LOOK_ALIKES:
            self.put("out", name)
        self.refused("run", self.case, "--out", "out", "--overwrite", naming=self.LOOK_ALIKES)

    def test_a_run_leaves_what_it_would_not_write(self):
        kept = ["experiment.csv", "packing_list.csv", "notes.txt", "frames/mine.vtp", "frames/sub/particles_000000.vtp",
                "checkpoints/old.h5", ".energy.csv.areia-part.bak", ".mine.areia-part", "diagrams/0000.svg"]
        for name in kept:
            self.put("out", name, text="time_s,mine\n")
        for arguments in ([self.case, "--out", "out", *SHORT], [self.case, "--out", "out", "--overwrite", *SHORT],
                          ["--resume", "out", "--quiet"]):
            self.expect(0, "run", *arguments)
            for name in kept:
                with open(self.path("out", name)) as file:
                    self.assertEqual(file.read(), "time_s,mine\n", name)

    def test_a_users_case_is_never_replaced(self):
        os.rename(self.case, self.path("case.toml"))
        for overwrite in ([], ["--overwrite"]):
            self.refused("run", "case.toml", "--out", ".", *SHORT, *overwrite, naming=["case.toml"])
        self.expect(0, "run", "case.toml", "--out", "out", *SHORT)
        self.expect(0, "run", self.path("out", "case.toml"), "--out", "out", "--overwrite", *SHORT)
        with open(self.path("out", "case.toml"), "a") as file:
            file.write("# a thought of mine\n")
        for case in ("case.toml", "out/case.toml"):
            self.refused("run", case, "--out", "out", "--overwrite", *SHORT, naming=["has been changed"])

    def test_nothing_is_done_through_links(self):
        self.expect(0, "run", self.case, "--out", "out", *SHORT)
        for name in ("frames", "checkpoints", "energy.csv", "case.toml", "manifest.txt"):
            with self.subTest(name):
                shutil.rmtree(self.path("linked"), ignore_errors=True)
                shutil.rmtree(self.path("elsewhere"), ignore_errors=True)
                shutil.copytree(self.path("out"), self.path("linked"))
                os.makedirs(self.path("elsewhere"))
                if os.path.exists(self.path("linked", name)):
                    os.rename(self.path("linked", name), self.path("elsewhere", name))
                else:
                    os.makedirs(self.path("elsewhere", name))
                os.symlink(self.path("elsewhere", name), self.path("linked", name))
                self.refused("run", self.case, "--out", "linked", "--overwrite", *SHORT, naming=[f"linked/{name}"])
                if name != "case.toml":  # a resumed run reads it only
                    self.refused("run", "--resume", "linked", naming=[f"linked/{name}"])

    def test_temporary_files_do_not_follow_links(self):
        self.put("mine.txt")
        self.expect(0, "run", self.case, "--out", "out", *SHORT)
        for name in ("case.toml", "summary.json", "all.pvd", "energy.csv"):
            os.symlink(self.path("mine.txt"), self.path("out", f".{name}.areia-part"))
        self.expect(0, "run", self.case, "--out", "out", "--overwrite", *SHORT)
        with open(self.path("mine.txt")) as file:
            self.assertEqual(file.read(), "mine")

    def test_copies_made_of_hard_links_stay_as_they_were(self):
        self.expect(0, "run", self.case, "--out", "out", "--quiet", "--max-wall", "0.2")
        shutil.copytree(self.path("out"), self.path("copy"), copy_function=os.link)
        before = {path: what[0] for path, what in everything(self.path("copy")).items()}
        self.expect(0, "run", "--resume", "out", "--quiet")
        after = {path: what[0] for path, what in everything(self.path("copy")).items()}
        self.assertEqual({p for p in before if before[p] != after.get(p)}, set())

    def test_the_manifest_names_all_that_is_there(self):
        self.expect(0, "run", self.case, "--out", "out", *SHORT)
        self.expect(0, "run", self.case, "--out", "out", "--overwrite", "--quiet", "--max-wall", "0.2")
        self.expect(0, "run", "--resume", "out", "--quiet", "--checkpoint", "0.05")
        named = set()
        with open(self.path("out", "manifest.txt")) as file:
            self.assertEqual(file.readline(), "areia manifest: run\n")
            for line in file:
                sign, name = line.split()[:2]
                named.add(name) if sign == "+" else named.remove(name)
        there = {os.path.relpath(path, self.path("out")) for path in everything(self.path("out"))}
        self.assertEqual(named, there - {"manifest.txt"})

    def test_results_without_a_manifest_are_not_ours(self):
        self.expect(0, "run", self.case, "--out", "out", *SHORT)
        os.remove(self.path("out", "manifest.txt"))
        self.refused("run", self.case, "--out", "out", "--overwrite", naming=["out/energy.csv"])
        self.assertIn("manifest.txt", self.expect(4, "run", "--resume", "out"))


class OtherCommands(Folder):
    """What writes into folders keeps a manifest; a single file that is there already is not replaced unasked."""

    def lab(self, *more):
        return ["impact", "run", os.path.join(areia.source, "examples", "impact", "bar.toml"), "--out", "out", *more]

    def test_the_impact_lab(self):
        self.expect(0, *self.lab("--plot"))
        self.expect(0, *self.lab())
        for name in ("diagrams/mine.svg", "notes.txt"):
            self.put("out", name)
        self.expect(0, *self.lab("--plot"))
        for name in ("diagrams/mine.svg", "notes.txt"):
            with open(self.path("out", name)) as file:
                self.assertEqual(file.read(), "mine")
        self.put("out", "diagrams/0000.svg")  # ours, and replaced by ours
        self.expect(0, *self.lab())
        self.assertFalse(os.path.exists(self.path("out", "motion.svg")), "a picture of another run")
        self.put("out", "motion.svg")
        self.refused("impact", "plot", "out", naming=["out/motion.svg"])
        self.put("out", "compare.csv")
        self.refused("impact", "compare", "--sweep", "mu=0,1", "--out", "out", naming=["out/compare.csv"])
        os.rename(self.path("out", "diagrams"), self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("out", "diagrams"))
        self.refused(*self.lab(), naming=["out/diagrams"])

    def test_what_cannot_be_replaced_is_told_before_anything_is(self):
        self.expect(0, *self.lab())
        os.remove(self.path("out", "series.csv"))
        os.mkdir(self.path("out", "series.csv"))
        self.refused(*self.lab(), naming=["out/series.csv"])

    def test_runs_and_labs_do_not_mix(self):
        self.expect(0, *self.lab())
        case = self.write("grains.toml", areia.GRAINS)
        self.refused("run", case, "--out", "out", "--overwrite", naming=["out/manifest.txt"])

    def test_pictures(self):
        case = self.write("grains.toml", areia.GRAINS)
        self.expect(0, "run", case, "--out", "out", *SHORT)
        small = ["render", "out", "--size", "64x48"]
        for _ in range(2):
            self.expect(0, *small, "--out", "a.png")
            self.expect(0, *small, "--all")
        self.put("mine.png")
        self.put("out", "pictures", "mine.png")
        self.refused(*small, "--out", "mine.png", naming=["mine.png"])
        self.expect(0, *small, "--out", "mine.png", "--overwrite")
        self.put("film", "frame_000001.png")
        self.refused(*small, "--all", "--out", "film", naming=["film/frame_000001.png"])
        os.symlink(self.path("a.png"), self.path("link.png"))
        self.refused(*small, "--out", "link.png", "--overwrite", naming=["link.png"])

    def test_reports(self):
        verify = ["verify", "000-4.2-explicit", "--report", "report"]
        for _ in range(2):
            self.expect(0, *verify)
        self.put("report", "notes.md")
        self.expect(0, *verify)
        self.put("mine", "index.md")
        self.refused(*verify[:-1], "mine", naming=["mine/index.md"])

    def test_single_files(self):
        shutil.copy(os.path.join(areia.source, "examples", "14_pyparticles", "chain.ini"), self.path("c.ini"))
        for more in ([], ["--overwrite"]):
            self.refused("import", "c.ini", "--out", "c.ini", *more, naming=["c.ini"])
        self.put("mine.txt")
        solve = ["impact", "solve", self.write("in.json", '{"cases": []}')]
        law = ["impact", "characteristic", "--mu", "0.5"]
        for command in (["import", "c.ini"], solve, law):
            self.refused(*command, "--out", "mine.txt", naming=["mine.txt"])
        self.refused("new", "mine.txt", naming=["mine.txt"])
        os.symlink(self.path("nowhere"), self.path("dangling"))
        for command in (["new", "dangling"], ["examples", "01_head_on_impact", "--to", "dangling"]):
            self.refused(*command, naming=["dangling"])
        for command in (["import", "c.ini"], law):
            self.expect(0, *command, "--out", "out.txt")
            self.expect(2, *command, "--out", "out.txt")
            self.expect(0, *command, "--out", "out.txt", "--overwrite")
            os.remove(self.path("out.txt"))


class TwoAtOnce(Folder):
    def test_the_second_is_refused_and_the_first_unharmed(self):
        case = self.write("grains.toml", areia.GRAINS)
        self.expect(0, "run", case, "--out", "whole", "--quiet")
        wanted = self.hash_of("whole")
        with open(self.path("whole", "energy.csv")) as file:
            energy = file.read()
        refusals = 0
        for trial in range(5):
            name = f"out{trial}"
            first = self.start("run", case, "--out", name, "--quiet", "--checkpoint", "0.05")
            self.assertTrue(self.wait_for(lambda: areia.checkpoints(self.path(name)) > 0, first))
            # stopped, so that it is at work whatever the load of the machine
            first.send_signal(signal.SIGSTOP)
            for arguments in (["--resume", name], [case, "--out", name, "--overwrite"], [case, "--out", name],
                              ["--resume", name, "--engine", "reference"]):
                text = self.expect(2, "run", *arguments)
                self.assertIn("another process is at work", text)
                refusals += 1
            first.send_signal(signal.SIGCONT)
            self.assertEqual(first.wait(timeout=300), 0)
            self.assertEqual(self.hash_of(name), wanted)
            with open(self.path(name, "energy.csv")) as file:
                self.assertEqual(file.read(), energy)
        self.assertEqual(refusals, 20)

    def test_of_two_that_begin_in_a_new_folder_one_runs(self):
        case = self.write("grains.toml", areia.GRAINS)
        for trial in range(5):
            both = [subprocess.Popen([areia.program, "run", case, "--out", f"out{trial}", *SHORT], cwd=self.folder,
                                     stderr=subprocess.DEVNULL) for _ in range(2)]
            self.assertEqual(sorted(p.wait(timeout=300) for p in both), [0, 2])
            self.hash_of(f"out{trial}")

    def test_a_killed_run_leaves_no_lock(self):
        case = self.write("grains.toml", areia.GRAINS)
        first = self.start("run", case, "--out", "out", "--quiet", "--checkpoint", "0.05")
        self.assertTrue(self.wait_for(lambda: areia.checkpoints(self.path("out")) > 0, first))
        first.kill()
        first.wait()
        self.expect(0, "run", "--resume", "out", "--quiet")


if __name__ == "__main__":
    areia.main()
