"""Every page: links and their anchors lead somewhere, commands and their options exist, TOML is TOML and whole cases are sound."""
import glob
import json
import os
import re
import subprocess
import tomllib

import areia
import pages

NAMES = [os.path.relpath(path, areia.source) for pattern in ("*.md", "docs/*.md", "docs/verification/*.md", "examples/README.md",
                                                              "examples/*/README.md", "examples/notebooks/*.ipynb", "bench/README.md",
                                                              "packaging/README.md")
         for path in sorted(glob.glob(os.path.join(areia.source, pattern)))]


def read(name):
    """The text of a page; of a notebook, that between its code."""
    with open(os.path.join(areia.source, name), encoding="utf-8") as file:
        if not name.endswith(".ipynb"):
            return file.read()
        cells = json.load(file)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown") + "\n"


def dead_links(name, text, anchors):
    """Links of a page to files that are not there, or to headings that these do not have; `anchors` tells those of a file."""
    dead = []
    for target in pages.links(text):
        if re.match(r"[a-z]+:", target):
            continue  # another host
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(os.path.join(areia.source, file)) or (anchor and anchor not in anchors(file)):
            dead.append(target)
    return dead


class Docs(areia.Case):
    def setUp(self):
        super().setUp()
        self.assertGreater(len(NAMES), 50)
        self.known = {}

    def anchors(self, name):
        if name not in self.known:
            self.known[name] = pages.anchors(read(name))
        return self.known[name]

    def test_links_lead_somewhere(self):
        seen = 0
        for name in NAMES:
            with self.subTest(name):
                text = read(name)
                seen += len(pages.links(text))
                self.assertEqual(dead_links(name, text, self.anchors), [])
        self.assertGreater(seen, 300)

    def test_a_dead_link_is_found(self):
        text = "## Two words\n[a](#two-words) [b](#three) [c](docs/guide.md#install) [d](docs/guide.md#nowhere)\n[e](no.md)\n`[f](g)`\n"
        dead = dead_links("README.md", text, lambda file: pages.anchors(text) if file == "README.md" else self.anchors(file))
        self.assertEqual(dead, ["#three", "docs/guide.md#nowhere", "no.md"])

    def options(self, path):
        """The options of a command by its help, and whether what follows its name is another command; None: there is none."""
        if path not in self.known:
            done = subprocess.run([areia.program, *path, "--help"], capture_output=True, text=True)
            sub = set(re.findall(r"^  ([a-z]\w*) ", done.stdout.split("Subcommands:")[1], re.M)) if "Subcommands:" in done.stdout else set()
            self.known[path] = (set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", done.stdout)), sub) if done.returncode == 0 else None
        return self.known[path]

    def wrong_of(self, words):
        """What a command line has that the program does not, or None."""
        path, (options, sub) = (), self.options(())
        while sub and words and not words[0].startswith("-"):
            if words[0] not in sub:
                return words[0] if re.fullmatch(r"[a-z]+", words[0]) else None  # COMMAND: any
            path += (words[0],)
            words = words[1:]
            options, sub = self.options(path)
        for word in words:
            option = re.match(r"--?[A-Za-z][\w-]*", word)
            if option and option.group() not in options:
                return " ".join((*path, option.group()))
        return None

    def test_commands_and_options_exist(self):
        seen = 0
        for name in NAMES:
            if name == "CHANGELOG.md":
                continue
            with self.subTest(name):
                found = pages.commands(read(name))
                seen += len(found)
                self.assertEqual([" ".join(words) for words in found if self.wrong_of(words)], [])
        self.assertGreater(seen, 250)

    def test_a_wrong_command_is_found(self):
        self.assertIsNone(self.wrong_of(["run", "case.toml", "--set", "a.b=-1"]))
        self.assertIsNone(self.wrong_of(["impact", "run", "case.toml", "--out", "x"]))
        self.assertEqual(self.wrong_of(["walk", "case.toml"]), "walk")
        self.assertEqual(self.wrong_of(["run", "case.toml", "--sett=1"]), "run --sett")
        self.assertEqual(self.wrong_of(["impact", "run", "--threads", "1"]), "impact run --threads")
        self.assertEqual(pages.commands("`areia\nrun a` b areia run c\n\n    x | time build/areia check d --json > e; areia info # f\n"),
                         [["check", "d", "--json"], ["info"], ["run", "a"]])

    def test_toml_is_sound(self):
        blocks = cases = 0
        for name in NAMES:
            for kind, _, content in pages.blocks(read(name)):
                if kind != "toml":
                    continue
                blocks += 1
                with self.subTest(f"{name}: {content[:50]}"):
                    # Some list lines for one key, one of which is to be chosen: each is TOML by itself.
                    try:
                        document = tomllib.loads(content)
                    except tomllib.TOMLDecodeError as problem:
                        self.assertIn("overwrite", str(problem))
                        document = [tomllib.loads(line) for line in content.splitlines() if line.strip()][0]
                    if {"materials", "contacts", "particles", "stages"} <= document.keys():
                        cases += 1
                        self.write("case.toml", content)
                        self.expect(0, "check", "case.toml", "--skip-packings")
        self.assertGreater(blocks, 25)
        self.assertGreaterEqual(cases, 2)

    def test_our_words_beside_those_of_other_programs_exist(self):
        known = "".join(read(f"docs/{page}.md") for page in ("reference", "python", "guide"))
        table = read("docs/from-other-programs.md").split("\n### What is different for all", 1)[1]
        ours = [row.rsplit(" | ", 1)[1] for row in table.splitlines() if row.startswith("| ") and row.endswith(" |")]
        words = {word for code in re.findall(r"`([^`]+)`", "\n".join(ours)) for word in re.findall(r"(?<!\w)[a-z][a-z_]{2,}(?!\w)", code)}
        self.assertGreater(len(words), 90)
        self.assertEqual(sorted(word for word in words if not re.search(rf"\b{word}\b", known)), [])


if __name__ == "__main__":
    areia.main()
