#!/usr/bin/env python3
"""`areia render`: the same bytes again, the frame asked for, films, and what it says when it cannot.

Usage: check_render.py AREIA SOURCE_DIR
"""
import pathlib
import subprocess
import sys
import tempfile

areia, source = sys.argv[1], pathlib.Path(sys.argv[2])


def render(*arguments, code=0, says=""):
    done = subprocess.run([areia, "render", *map(str, arguments)], capture_output=True, text=True)
    text = done.stdout + done.stderr
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}, expected {code}\n{text}"
    assert says in text, f"{arguments}: `{says}` expected in\n{text}"
    return text


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    results = folder / "impact.out"
    case = source / "examples/01_head_on_impact/case.toml"
    subprocess.run([areia, "run", case, "--out", results, "--quiet", "--threads", "1"], check=True)

    small = ("--size", "160x120")
    render(results, *small, says="t = 0.005 s")
    render(results, *small, "--out", folder / "again.png")
    first = (folder / "impact.png").read_bytes()
    assert first.startswith(b"\x89PNG") and first == (folder / "again.png").read_bytes(), "same frame, other bytes"
    render(str(results) + "/", *small, says="impact.png")
    render(results, *small, "--time", "0.0016", "--contacts", "--direction", "-1,-1,-1", "--up", "0,1,0", says="t = 0.0015 s")
    render(results, *small, "--no-walls", "--no-legend", "--no-text", "--flat", "--range", "0,2", "--zoom", "2")
    render(results, *small, "--all", "--out", folder / "film", says="11 pictures")
    assert len(list((folder / "film").glob("frame_*.png"))) == 11

    with open(results / "case.toml", "a") as file:
        file.write("\nunknown = 1\n")
    render(results, *small, says="cannot be read by this version")

    render(folder / "nothing", code=4, says="no such results folder")
    render(folder / "film", code=4, says="no frames there")
    render(results, "--size", "12", code=2, says="--size")
    render(results, "--range", "2,1", code=2, says="--range")
    render(results, "--up", "0,0,0", code=2, says="--up")
    render(results, "--direction", "left", code=2, says="--direction")
    render(results, "--colour", "taste", code=2, says="velocity")
    render(results, "--cut", "x", code=2, says="--cut")
    render(results, *small, "--out", folder / "no/such/folder.png", code=4, says="no/such")
print("ok")
