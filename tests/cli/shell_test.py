"""Manual pages, completion in real shells, and the doctor."""
import json
import os
import re
import shutil
import subprocess
import unittest

import areia

CASE = """
[materials.sand]
density = 2500
young = 1e7
poisson = 0.2
[contacts.sand-sand]
normal = { law = "hertz", restitution = 0.5 }
[particles.heap]
material = "sand"
radius = 0.01
list = [{ x = [0, 0, 0.1] }]
[[stages]]
name = "fall"
duration = 0.1
"""


def commands(text):
    """The commands that a help text lists."""
    return re.findall(r"^  (\w[\w-]*) ", text.split("Subcommands:")[-1], re.M)


class Shell(areia.Case):
    def setUp(self):
        super().setUp()
        self.write("case.toml", CASE)
        os.mkdir(self.path("my cases"))
        self.write("my cases/heap.toml", CASE)
        os.mkdir(self.path("results.out"))
        os.mkdir(self.path("bin"))
        os.symlink(areia.program, self.path("bin", "areia"))
        self.environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], "HOME": self.folder,
                            "XDG_CONFIG_HOME": self.folder, "XDG_DATA_HOME": self.folder, "LC_ALL": "C.UTF-8"}

    def shell(self, *words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=300, env=self.environment,
                              stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_every_command_has_a_page_with_all_of_its_options(self):
        self.expect(0, "man", "--out", "pages")
        names = commands(self.expect(0, "--help"))
        self.assertIn("doctor", names)
        for path in [[], *([n] for n in names), *(["impact", n] for n in commands(self.expect(0, "impact", "--help")))]:
            page = self.path("pages", "-".join(["areia", *path]) + ".1")
            with open(page) as file:
                text = file.read()
            self.assertEqual(self.expect(0, "man", *path), text)
            for option in set(re.findall(r"(?<=[ ,])--[\w-]+", self.expect(0, *path, "--help"))):
                self.assertIn(option.replace("-", r"\-"), text, (path, option))
            if shutil.which("man"):  # formats without a complaint
                self.shell("man", "--warnings=all", "--local-file", page)
        self.assertIn("no such command", self.expect(2, "man", "dance"))

    # ---- completion ----

    def bash(self, line):
        script = self.expect(0, "completion", "bash")
        self.write("completion.bash", script)
        words = re.findall(r"(?:\\.|[^ =])+|=|(?<= )$", line)  # as bash takes a line apart
        return self.shell("bash", "-c", 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _areia 2>/dev/null; '
                          'printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words).split()

    def fish(self, line):
        self.write("completion.fish", self.expect(0, "completion", "fish"))
        return [offer.split("\t")[0] for offer in
                self.shell("fish", "--no-config", "-c", f"source completion.fish; complete -C '{line}'").splitlines()]

    def zsh(self, line):
        os.makedirs(self.path("functions"), exist_ok=True)
        self.write("functions/_areia", self.expect(0, "completion", "zsh"))
        # A terminal in which the line is typed and completed; what is offered comes one on a line between marks.
        return self.shell("zsh", "-fc", r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; zstyle ":completion:*" list-prompt ""'
zpty -w z 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi; typeset -a __; builtin compadd -A __ "$@"; builtin compadd "$@"; local r=$?; print -rl -- $__ >>offers; return $r; }'
zpty -w z 'done-complete() { _main_complete "$@"; print >finished }; zle -C complete-word complete-word done-complete; bindkey "^I" complete-word; print >ready'
for k in {1..1000}; do [[ -e ready ]] && break; sleep 0.1; done
zpty -n -w z "$1"$'\t'
for k in {1..1000}; do [[ -e finished ]] && break; sleep 0.1; done
zpty -d z
[[ -e offers ]] && cat offers; rm -f offers ready finished
""", "zsh", line).split()

    def offers(self, line):
        yield "bash", self.bash(line)
        if shutil.which("fish"):
            yield "fish", self.fish(line)
        if shutil.which("zsh"):
            yield "zsh", self.zsh(line)

    def test_shells_complete_commands_options_choices_files_and_keys(self):
        for line, wanted, unwanted in (("areia ru", ["run"], ["check"]),
                                       ("areia run --thr", ["--threads"], ["--quiet"]),
                                       ("areia impact mod", ["models"], ["run"]),
                                       ("areia impact run --pl", ["--plot"], ["--threads"]),
                                       ("areia run --engine re", ["reference"], ["cuda"]),
                                       ("areia completion z", ["zsh"], ["bash"]),
                                       ("areia examples 04_", ["04_heap_collapse"], ["05_rotating_drum"]),
                                       ("areia run ca", ["case.toml"], ["results.out"]),
                                       ("areia run case.toml --set materials.sand.y", ["materials.sand.young="], []),
                                       ("areia run case.toml --set stages.fa", ["stages.fall.duration="], []),
                                       (r"areia run my\ cases/heap.toml --set materials.sand.y", ["materials.sand.young="], []),
                                       ("areia run ~/case.toml --set materials.sand.y", ["materials.sand.young="], []),
                                       ("areia run --set particles.grains.fill.c", ["particles.grains.fill.count="], [])):
            for shell, offers in self.offers(line):
                plain = [o.rstrip("/") for o in offers]
                with self.subTest(line, shell=shell):
                    for word in wanted:
                        self.assertIn(word, plain)
                    for word in unwanted:
                        self.assertNotIn(word, plain)

    def test_folders_are_completed_where_folders_are_wanted(self):
        for shell, offers in self.offers("areia render re"):
            with self.subTest(shell=shell):
                self.assertIn("results.out", [o.rstrip("/") for o in offers])

    def test_functions_of_the_user_stay_as_they_are(self):
        self.write("a.bash", self.expect(0, "completion", "bash"))
        self.assertEqual(self.shell("bash", "-c", "words() { echo mine; }; source ./a.bash; COMP_WORDS=(areia ru); COMP_CWORD=1; _areia; words"),
                         "mine\n")

    def test_scripts_are_sound(self):
        self.write("a.bash", self.expect(0, "completion", "bash"))
        self.shell("bash", "-n", "a.bash")
        self.assertIn("which shell", self.expect(2, "completion"))
        self.expect(2, "completion", "tcsh")

    def test_keys_of_a_broken_case_are_those_of_the_starter(self):
        self.write("broken.toml", "materials = 3")
        for file in ("broken.toml", ""):
            self.assertIn("particles.grains.fill.count=\n", self.expect(0, "completion", "--keys", file))
        self.assertEqual(self.expect(0, "completion", "--keys", "missing.toml"), "")

    # ---- the doctor ----

    def test_the_doctor_finds_this_machine_well(self):
        text = self.expect(0, "doctor")
        for subject in ("areia", "cpu", "threads", "memory", "disk", "gpu", "python", "studio", "1 thread", "saved", "reference"):
            self.assertRegex(text, rf"(?m)^(ok|--) {subject} ")
        found = json.loads(self.expect(0, "doctor", "--json"))
        self.assertEqual(found["wrong"], 0)
        hashes = {f["text"].split()[2] for f in found["findings"] if f["text"].startswith("state hash")}
        self.assertEqual(len(hashes), 1)

    def test_the_doctor_does_not_mind_a_bare_machine(self):
        code, text, _ = self.areia("doctor", environment={"PATH": "/nowhere"})
        self.assertEqual(code, 0)
        self.assertRegex(text, r"(?m)^-- python +no python3 on the PATH")

    def test_a_module_of_another_version_is_no_fault_of_the_machine(self):
        self.write("bin/python3", "#!/bin/sh\necho 99.9\n")
        os.chmod(self.path("bin", "python3"), 0o700)
        code, text, _ = self.areia("doctor", environment={"PATH": self.path("bin")})
        self.assertEqual(code, 0)
        self.assertRegex(text, r"(?m)^-- python +its module areia is 99\.9")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_cannot_be_written_is_told(self):
        os.chmod(self.folder, 0o500)
        code, text, _ = self.areia("doctor")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"(?m)^!! disk ")


if __name__ == "__main__":
    areia.main()
