"""Cases as nested mappings: every example read, changed, written and read again; problems as the command line tells them."""
import glob
import json
import os
import re
import subprocess
import unittest

import support
from support import areia


class CaseTest(support.Case):
    def test_examples_survive_as_dictionaries_and_texts(self):
        files = glob.glob(os.path.join(support.source, "examples", "*", "case.toml"))
        self.assertGreater(len(files), 25)
        for file in files:
            case = areia.load(file)
            here = os.path.join(os.path.dirname(file), "written.toml")  # files that it names lie there
            again = areia.Case.parse(case.to_toml(), here)
            self.assertEqual(again.to_dict(), case.to_dict(), file)
            self.assertEqual(list(again), list(case), file)
            if "start" in case:  # needs another run
                continue
            complete = case.to_toml(complete=True)
            self.assertEqual(again.to_toml(complete=True), complete, file)
            self.assertEqual(areia.Case.parse(complete).to_toml(complete=True), complete, file)

    def test_mapping(self):
        case = areia.load(support.example("04_heap_collapse"))
        self.assertEqual(case["materials"]["grain"]["young"], "20 MPa")
        self.assertEqual(case["stages"][-1]["name"], "collapse")
        self.assertEqual([s["name"] for s in case["stages"]], ["settle", "collapse"])
        self.assertIn("floor", case["walls"])
        self.assertNotIn("roof", case["walls"])
        with self.assertRaises(KeyError):
            case["walls"]["roof"]
        with self.assertRaises(IndexError):
            case["stages"][2]
        case["stages"].append({"name": "more", "duration": "1 s"})
        case["stages"].insert(0, {"name": "first", "duration": 0.5})
        del case["stages"][1]
        self.assertEqual([s["name"] for s in case["stages"]], ["first", "collapse", "more"])
        case["walls"]["floor"]["plane"]["point"][1] = -0.25
        self.assertEqual(case["walls"]["floor"]["plane"]["point"], [0, -0.25, 0])
        table = case["walls"]
        del case["walls"]["cage"]
        self.assertEqual(list(table), ["floor"])
        other = case.copy()
        other["title"] = "another"
        self.assertNotEqual(case, other)
        self.assertEqual(case["title"], "Collapse of a pile of grains")
        with self.assertRaises(TypeError):
            case["title"] = object()
        with self.assertRaises(TypeError):
            case[3] = 4

    def test_order_of_sets_is_kept(self):
        ball = {"material": "m", "radius": 0.1, "list": [{"x": [0, 0, 0]}]}
        case = areia.Case({"materials": {"m": {"density": 1000, "young": 1e7, "poisson": 0.2}},
                           "contacts": {"m-m": {"normal": {"law": "hertz"}}},
                           "particles": {"z": ball, "a": {**ball, "list": [{"x": [1, 0, 0]}]}},
                           "stages": [{"name": "s", "duration": 0.1}]})
        self.assertEqual(case.check(), [])
        case["particles"]["m"] = {**ball, "list": [{"x": [2, 0, 0]}]}
        case["particles"]["z"] = {**ball, "list": [{"x": [3, 0, 0]}]}
        self.assertEqual(list(case["particles"]), ["z", "a", "m"])
        self.assertEqual(re.findall(r"\[particles\.(\w)\]", case.to_toml(complete=True)), ["z", "a", "m"])

    def test_set_as_on_the_command_line(self):
        file = support.example("04_heap_collapse")
        sets = {"stages.settle.until.at_most": "3 s", "numerics.seed": 7, "contacts.grain-grain.tangential.mu": "0.3",
                "stages[2].duration": 0.25}
        case = areia.load(file, set=sets)
        done = subprocess.run([support.program, "run", file, "--out", self.path("out"), "--max-wall", "1e-3", "--quiet",
                               *[w for k, v in sets.items() for w in ("--set", f"{k}={v}")]])
        self.assertEqual(done.returncode, 0)
        with open(self.path("out", "case.toml")) as kept:
            self.assertEqual(case.to_toml(complete=True), kept.read())
        problem, = self.problems_of(lambda: case.set("stages.settled.duration", 1))
        self.assertEqual((problem.file, problem.key), ("Python", "stages.settled.duration"))
        self.assertIn("none with the name", problem.rule)

    def test_wrong_cases_are_told_as_by_check(self):
        for file in sorted(glob.glob(os.path.join(support.source, "tests", "cases", "wrong", "*.toml")))[::6]:
            done = subprocess.run([support.program, "check", file, "--json"], capture_output=True, text=True)
            told = json.loads(done.stdout)["problems"]
            try:
                problems = areia.load(file).check()
            except areia.InputError as error:
                problems = error.problems
            self.assertEqual([{k: getattr(p, k) for k in ("file", "line", "key", "value", "rule")} for p in problems],
                             told, file)

    def test_problems_of_changes_name_python(self):
        case = areia.load(support.example("04_heap_collapse"))
        case["contacts"]["grain-grain"]["tangential"]["mu"] = -0.4
        case["walls"]["floor"]["plaen"] = 1
        found = {p.key: p for p in case.check()}
        self.assertEqual(set(found), {"contacts.grain-grain.tangential.mu", "walls.floor.plaen"})
        for problem in found.values():
            self.assertEqual((problem.file, problem.line), ("Python", 0))
        self.assertIn("must be in", found["contacts.grain-grain.tangential.mu"].rule)
        self.assertIn("mu = -0.4", str(found["contacts.grain-grain.tangential.mu"]))
        error = self.problems_of(lambda: areia.load("there-is-no-such-file.toml"))[0]
        self.assertIn("no such file", error.rule)
        self.assertTrue(issubclass(areia.InputError, ValueError) and issubclass(areia.FileError, OSError))

    def test_written_case_runs_alike(self):
        case = areia.load(support.example("01_head_on_impact"))
        case["stages"][0]["duration"] = "1 ms"
        case.write(self.path("case.toml"))
        case.write(self.path("complete.toml"), complete=True)
        one = self.run_program(self.path("case.toml"), "one.out")
        self.assertEqual(self.run_program(self.path("complete.toml"), "two.out")["state_hash"], one["state_hash"])


if __name__ == "__main__":
    support.main()
