"""A page of the documentation: its links, the commands in it, and how these are run.

A block `toml` is written to the file that the paragraph before it names last; a block `sh` is run; a block `text` has what
the block `sh` before it printed: its lines in their order, with `...` for any number of others.

    pages.py PROGRAM PAGE FOLDER    runs a page in FOLDER, and prints what its commands print
"""
import os
import re
import subprocess
import sys


def blocks(text):
    """(kind, file that is named before it, content) of each block."""
    found = []
    for match in re.finditer(r"^```(toml|sh|text)\n(.*?)^```$", text, re.M | re.S):
        before = text[: match.start()].rstrip().rsplit("\n\n", 1)[-1]
        names = re.findall(r"`(\w+\.toml)`", before)
        found.append((match.group(1), names[-1] if names else None, match.group(2)))
    return found


def parts(text):
    """(prose, code): a page without its code; blocks of commands and spans of code. Blocks of other languages are neither."""
    code = []

    def block(match):
        code.append(match.group(1))
        return ""

    def span(match):
        code.append(match.group(1).replace("\n", " "))
        return ""

    prose = re.sub(r"^```(?:sh)?\n(.*?)^```$", block, text, flags=re.M | re.S)
    prose = re.sub(r"^```.*?^```$", "", prose, flags=re.M | re.S)
    prose = re.sub(r"(?<=\n\n)((?:    .*\n|\n(?=    ))+)", block, prose)
    return re.sub(r"(?<!`)`([^`]+)`(?!`)", span, prose), code


def links(text):
    """Where the links and pictures of a page lead."""
    return re.findall(r"\]\(<?([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)>?\)", parts(text)[0])


def anchors(text):
    """The headings of a page as its addresses name them."""
    found = re.findall(r'<a id="([^"]+)">', text)
    for title in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        title = re.sub(r"\]\([^)]*\)", "", title).strip().lower()
        name = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        found.append(name if name not in found else f"{name}-{sum(f == name or f.startswith(name + '-') for f in found)}")
    return found


def commands(text):
    """The words behind `areia` in each command line of a page's code."""
    found = []
    for code in parts(text)[1]:
        for command in re.split(r"[|;&()<>#\n]", code.replace("\\\n", " ")):
            words = re.sub(r"^\s*mpirun -n \S+", "", command).split()
            while words and re.match(r"(time|source|\w+=.*)$", words[0]):
                words = words[1:]
            if len(words) > 1 and words[0].rsplit("/", 1)[-1] == "areia":
                found.append(words[1:])
    return found


def missing(expected, printed):
    """The first line of `expected` that `printed` does not have, in this order; None when all are there."""
    lines = iter(printed.splitlines())
    for line in expected.splitlines():
        if line.strip() != "..." and line not in lines:
            return line
    return None


def run(commands, program, folder):
    environment = {**os.environ, "PATH": os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"]}
    done = subprocess.run(["sh", "-ec", commands], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode} of\n{commands}{done.stdout}")
    return done.stdout


def play(text, program, folder):
    """Runs a page; yields (commands, what they printed, what the page says or None) for each block `sh`."""
    page = blocks(text)
    for k, (kind, name, content) in enumerate(page):
        if kind == "toml":
            with open(os.path.join(folder, name), "w") as file:
                file.write(content)
        elif kind == "sh":
            says = page[k + 1][2] if k + 1 < len(page) and page[k + 1][0] == "text" else None
            yield content, run(content, program, folder), says


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        for commands, printed, _ in play(file.read(), sys.argv[1], sys.argv[3]):
            print(*("$ " + line for line in commands.splitlines()), sep="\n")
            print(printed, flush=True)
