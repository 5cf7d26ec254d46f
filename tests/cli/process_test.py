"""A run beside the rest of the world: terminals that go away, full devices, signals, work without an end."""
import json
import os
import resource
import signal
import subprocess
import time

import areia

SHORT = ["--set", "stages[1].duration=0.05", "--set", "stages[2].duration=0.05"]


class Streams(areia.Case):
    def setUp(self):
        super().setUp()
        self.case = self.write("grains.toml", areia.GRAINS)
        self.expect(0, "run", self.case, "--out", "whole", "--quiet", *SHORT)
        self.wanted = self.hash_of("whole")

    def shell(self, text):
        """Runs a line in which A is the program, after which the codes of its pipe are told."""
        done = subprocess.run(["bash", "-c", f'A() {{ "{areia.program}" "$@"; }}; {text}; exit ${{PIPESTATUS[0]}}'],
                              cwd=self.folder, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def test_output_that_cannot_be_written_does_not_matter_to_a_run(self):
        run = f"A run {self.case} {' '.join(SHORT)} --out"
        for k, where in enumerate(("2>/dev/full", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>&1",
                                   "2>&1 | head -1", "2>&1 | true")):
            with self.subTest(where):
                code, _, _ = self.shell(f"{run} out{k} {where}")
                self.assertEqual(code, 0)
                self.assertEqual(self.hash_of(f"out{k}"), self.wanted)
                with open(self.path(f"out{k}", "energy.csv")) as a, open(self.path("whole", "energy.csv")) as b:
                    self.assertEqual(a.read(), b.read())  # no message went into a file

    def test_commands_that_only_print_tell_that_they_could_not(self):
        for command in (f"check {self.case}", "info", "schema", "reference", "examples", "impact models", "--help",
                        "--version", "verify --list"):
            for where in (">/dev/full", ">&-"):
                with self.subTest(command, where=where):
                    code, _, err = self.shell(f"A {command} {where}")
                    self.assertEqual(code, 4)
                    self.assertIn("cannot write to standard output", err)
        self.assertEqual(self.shell("A reference 2>/dev/full >text")[0], 0)

    def test_wrong_input_keeps_its_code(self):
        self.assertEqual(self.shell("A check nowhere.toml 2>/dev/full")[0], 2)
        self.assertEqual(self.shell("A run nowhere.toml 2>&-")[0], 2)

    def test_a_terminal_is_not_acted_on(self):
        text = self.expect(0, "run", self.case, *SHORT, "--out", "title", "--set", "title=a\x1b]0;b\x07\u009bc",
                           "--set", "stages[1].name=d\x1be")
        for name in ("log.txt",):
            with open(self.path("title", name)) as file:
                text += file.read()
        text += self.expect(0, "check", self.path("title", "case.toml"))
        text += self.expect(2, "check", self.case, "--set", "materials.grain.young=\x1b[2J")
        self.assertEqual([c for c in text if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], [])
        self.assertIn("\\x1b]0;b", text)


class Signals(areia.Case):
    def setUp(self):
        super().setUp()
        self.case = self.write("grains.toml", areia.GRAINS)

    def started(self, out, *prefix):
        process = subprocess.Popen([*prefix, areia.program, "run", self.case, "--out", out], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(self.wait_for(lambda: areia.frames(self.path(out)) > 3, process), "too short a run")
        return process

    def test_hup_ends_with_a_checkpoint(self):
        self.expect(0, "run", self.case, "--out", "whole", "--quiet")
        process = self.started("hup")
        for _ in range(2):  # a terminal that is closed sends two
            process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(120), 130)
        self.assertEqual(areia.checkpoints(self.path("hup")), 1)
        self.expect(0, "run", "--resume", "hup", "--quiet")
        self.assertEqual(self.hash_of("hup"), self.hash_of("whole"))

    def test_nohup_goes_on(self):
        process = self.started("nohup", "nohup")
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(300), 0)

    def test_pipe_and_xfsz_are_no_end(self):
        process = self.started("out")
        for which in (signal.SIGPIPE, signal.SIGXFSZ):
            process.send_signal(which)
        self.assertEqual(process.wait(300), 0)

    def test_a_limit_on_files_is_told(self):
        done = subprocess.run([areia.program, "run", self.case, "--out", "out", "--quiet"], cwd=self.folder, timeout=300,
                              capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("File too large", done.stderr)

    def ends_soon(self, text, which):
        case = self.write("long.toml", text)
        process = self.start("run", case, "--out", "out")
        time.sleep(1.5)
        self.assertIsNone(process.poll(), "ended by itself")
        process.send_signal(which)
        self.assertEqual(process.wait(20), 130)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_signals_are_obeyed_while_particles_are_placed(self):
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(which.name):
                self.ends_soon(areia.BALL.replace('list     = [{ x = [0, 0, 0.02] }]', 'fill = { method = "rsa", '
                               'region = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }, count = 700000 }')
                               .replace('"1 cm"', '"1 mm"'), which)


class WithoutEnd(areia.Case):
    """What nobody can run is refused with the reason, and at once."""

    def refused(self, text, *naming):
        case = self.write("case.toml", text)
        for command in (["check", case], ["run", case, "--out", "out"]):
            code, _, err = self.areia(*command, timeout=60)
            self.assertEqual(code, 2, err)
            for name in naming:
                self.assertIn(name, err)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_steps(self):
        self.refused(areia.BALL.replace('"20 MPa"', "1e90"), "numerics.dt", "steps, more than anybody can run")
        self.refused(areia.BALL.replace("x = [0, 0, 0.02]", "x = [0, 0, 0.02], v = [1e100, 0, 0]"), "steps")

    def test_sites_of_a_lattice(self):
        lattice = 'lattice = { kind = "cubic", region = { box = [[0, 0, 0.02], [0.1, 0.1, 0.1]] }, spacing = 2e-8 }'
        ball = areia.BALL.replace('list     = [{ x = [0, 0, 0.02] }]', lattice)
        self.refused(ball, "lattice.spacing", "would make 1e+20 particles")
        # with a count the sites after the last particle are not looked at
        self.refused(ball.replace("spacing = 2e-8", "spacing = 2e-8, count = 3"), "overlaps")

    def test_a_file_that_does_not_end(self):
        for command in (["impact", "run", "/dev/zero", "--out", "out"], ["check", "/dev/zero"],
                        ["impact", "solve", "/dev/zero"]):
            with self.subTest(command):
                code, _, err = self.areia(*command, timeout=60)
                self.assertIn(code, (2, 4), err)

    def test_nan_is_no_time(self):
        case = self.write("ball.toml", areia.BALL)
        for value in ("nan", "inf", "-nan"):
            for option in ("--max-wall", "--checkpoint"):
                self.expect(2, "run", case, "--out", "out", option, value)
            self.expect(2, "render", "out", "--time", value)
        self.assertFalse(os.path.exists(self.path("out")))


class LostLines(areia.Case):
    # long enough not to be over when it is stopped
    GRAINS = areia.GRAINS.replace("0.2 s", "1 s")

    def test_resume_tells_what_is_missing(self):
        case = self.write("grains.toml", self.GRAINS + "[output.measure.heat]\nkind = \"granular_temperature\"\n")
        self.expect(0, "run", case, "--out", "whole", "--quiet")
        self.expect(0, "run", case, "--out", "half", "--quiet", "--max-wall", "0.6")
        for table in ("energy.csv", "state.csv", "walls.csv", "heat.csv"):
            path = self.path("half", table)
            with open(path) as file:
                text = file.read()
            lines = text.splitlines(keepends=True)
            self.assertGreater(len(lines), 3, "too short a run")
            for damage in (None, "", "".join(lines[:len(lines) // 2]), text[:-10], text[:1],
                           "".join(lines[:2] + lines[3:])):
                os.remove(path)
                if damage is not None:
                    with open(path, "w") as file:
                        file.write(damage)
                told = self.expect(4, "run", "--resume", "half")
                self.assertIn(table, told)
                self.assertIn("lines", told)
                with open(path, "w") as file:
                    file.write(text)
        self.expect(0, "run", "--resume", "half", "--quiet")
        self.assertEqual(self.hash_of("half"), self.hash_of("whole"))
        for table in ("energy.csv", "state.csv", "walls.csv", "heat.csv"):
            with open(self.path("half", table)) as a, open(self.path("whole", table)) as b:
                self.assertEqual(a.read(), b.read())

    def test_a_gap_may_be_accepted(self):
        case = self.write("grains.toml", self.GRAINS)
        self.expect(0, "run", case, "--out", "out", "--quiet", "--max-wall", "0.4")
        os.remove(self.path("out", "energy.csv"))
        self.expect(4, "run", "--resume", "out")
        self.assertIn("has a gap", self.expect(0, "run", "--resume", "out", "--accept-gaps"))

    def test_counts_go_on(self):
        case = self.write("grains.toml", self.GRAINS)
        self.expect(0, "run", case, "--out", "out", "--quiet", "--max-wall", "0.6")
        before = self.summary("out")["pair_pickings"]
        self.expect(0, "run", "--resume", "out", "--quiet", "--max-wall", "0.05")
        self.assertGreaterEqual(self.summary("out")["pair_pickings"], before)
        self.assertGreater(before, 1)


class Arguments(areia.Case):
    def test_a_resumed_run_has_its_folder(self):
        case = self.write("ball.toml", areia.BALL)
        self.expect(0, "run", case, "--out", "a", "--quiet")
        self.assertIn("--out", self.expect(2, "run", "--resume", "a", "--out", "b"))
        self.assertIn("--overwrite", self.expect(2, "run", "--resume", "a", "--overwrite"))
        self.assertFalse(os.path.exists(self.path("b")))

    def test_names_that_cannot_be_files(self):
        measure = '[output.measure.{}]\nkind = "granular_temperature"\n'
        for name in ("implicit", "packing_ball", "x" * 201):
            text = self.expect(2, "check", self.write("case.toml", areia.BALL + measure.format(name)))
            self.assertIn(f"output.measure.{name}", text)
        self.expect(2, "check", self.write("case.toml", areia.BALL.replace("particles.ball", "particles." + "y" * 201)))
        longest = "x" * 200
        self.expect(0, "run", self.write("case.toml", areia.BALL + measure.format(longest)), "--out", "out", "--quiet")
        self.assertTrue(os.path.exists(self.path("out", longest + ".csv")))


if __name__ == "__main__":
    areia.main()
