"""areia impact solve, models, random: results beside their runs, wrong input refused with its place, nothing written."""
import json
import os
import subprocess

import areia

LOCAL = '"local": {"A": 2.5, "B": 1.5, "C": 2.5}, "pre": {"DNA": -1, "DTA": 0.6}'
RUN = '{"model": "kane", "params": {"e": 0.5, "mu": 1}}'


def case(data=LOCAL, run=RUN):
    return '{"cases": [\n  {%s,\n   "runs": [%s]}\n]}\n' % (data, run)


class Impact(areia.Case):
    def solve(self, text, *options):
        done = subprocess.run([areia.program, "impact", "solve", "-", *options], input=text, capture_output=True,
                              text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_reference_file(self):
        file = os.path.join(areia.source, "tests", "data", "impact.json")
        code, out, err = self.areia("impact", "solve", file)
        self.assertEqual(code, 0)
        self.assertIn("10 cases of other kinds left as they are", err)
        with open(file) as f:
            before = json.load(f)
        after = json.loads(out)
        results = 0
        for was, now in zip(before["cases"], after["cases"]):
            for owner, old in zip(now.get("runs", [now]), was.get("runs", [was])):
                result = owner.pop("result", None)
                if was["kind"] in ("trajectory", "rest", "zeno"):
                    self.assertIsNone(result)
                    continue
                results += 1
                self.assertLessEqual(set(old["expected"]), set(result) | {"table21"}, was["id"])
                for name, value in old["expected"].items():
                    if isinstance(value, float):
                        self.assertAlmostEqual(result[name], value, delta=max(1e-9 * abs(value), 1e-14))
                    elif isinstance(value, (str, bool)):
                        self.assertEqual(result[name], value)
        self.assertEqual(results, 184)
        self.assertEqual(before, after)

    def test_standard_input_and_file_agree(self):
        file = self.write("a.json", case())
        _, out, _ = self.areia("impact", "solve", file)
        self.assertEqual(self.solve(case())[1], out)
        self.expect(0, "impact", "solve", file, "--out", "b.json")
        with open(self.path("b.json")) as f:
            self.assertEqual(f.read(), out)
        self.assertIn('"result": {"status":"ok","mode":"sticking","IN":0.7125', out)

    def test_wrong_input_exits_2_and_writes_nothing(self):
        wrong = {
            "non-symmetric": ('"M": [[2, 0.1], [0.3, 2]], "WN": [0, 1], "WT": [1, 0], "qdotA": [0, -1]', RUN, "symmetric"),
            "singular": ('"M": [[1, 1], [1, 1]], "WN": [0, 1], "WT": [1, 0], "qdotA": [0, -1]', RUN, "positive definite"),
            "local": ('"local": {"A": 1, "B": 2, "C": 1}, "pre": {"DNA": -1, "DTA": 0}', RUN, "semidefinite"),
            "friction": (LOCAL, '{"model": "kane", "params": {"e": 0.5, "mu": -0.1}}', "params.mu = -0.1"),
            "restitution": (LOCAL, '{"model": "kane", "params": {"e": 1.1, "mu": 0.1}}', "params.e = 1.1"),
            "model": (LOCAL, '{"model": "cane", "params": {"e": 0.5, "mu": 0.1}}', "did you mean `kane`?"),
            "parameter": (LOCAL, '{"model": "gp2", "params": {"e": 0.5, "mu": 0.1, "e_t": 1}}', "did you mean `et`?"),
            "sign": ('"M": [[1, 0], [0, 1]], "WN": [0, 1], "WT": [1, 0], "qdotA": [0, -1], "pre": {"DNA": 1, "DTA": 0}', RUN,
                     "approach is negative"),
            "pendulum": ('"system": {"m": 1, "L": 1, "theta0": 0.6, "omegaA": 1, "v": 1}', RUN, "must be negative"),
        }
        for name, (data, run, says) in wrong.items():
            with self.subTest(name):
                code, out, err = self.solve(case(data, run))
                self.assertEqual((code, out), (2, ""), err)
                self.assertIn(says, err)
                self.assertRegex(err, r"standard input:[23]: cases\[0\]")
                file = self.write("wrong.json", case(data, run))
                self.expect(2, "impact", "solve", file, "--out", "out.json")
                self.assertFalse(os.path.exists(self.path("out.json")))

    def test_separating_is_a_status_or_an_error(self):
        text = case(LOCAL.replace("-1", "1"))
        code, out, err = self.solve(text)
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["cases"][0]["runs"][0]["result"]["status"], "separating")
        self.assertIn("approach is D_N < 0", err)
        code, out, err = self.solve(text, "--approaching")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cases[0].pre.DNA = 1", err)

    def test_no_solution_is_a_status(self):
        data = '"system": {"m": 1, "L": 1, "theta0": 0.5, "omegaA": -2, "v": -0.4}'
        code, out, _ = self.solve(case(data, '{"model": "wm_poisson", "params": {"e": 0.7, "mu": 0.9}}'))
        result = json.loads(out)["cases"][0]["runs"][0]["result"]
        self.assertEqual((code, result["status"], result["phase"]), (0, "no_solution", "compression"))
        self.assertIn("jam", result["reason"])

    def test_broken_files(self):
        for text in ("", "{", "[]", '{"cases": [1]}', case() + "x"):
            with self.subTest(text):
                self.assertEqual(self.solve(text)[0], 2)
        self.expect(4, "impact", "solve", "nowhere.json")

    def test_models(self):
        text = self.expect(0, "impact", "models")
        for name in ("newton", "kane", "brach", "gp1", "gp2", "wm_newton", "wm_poisson", "stronge", "smith", "cs", "walton",
                     "fremond"):
            self.assertIn(f"\n{name}: ", "\n" + text)
        one = self.expect(0, "impact", "models", "cs")
        self.assertIn("emC = emE = -1: gp2", one)
        self.assertNotIn("kane:", one)
        models = json.loads(self.areia("impact", "models", "--json")[1])
        self.assertEqual(len(models), 12)
        self.assertEqual([c["name"] for c in models[3]["coefficients"]], ["e", "mu"])
        self.assertIn("did you mean `smith`?", self.expect(2, "impact", "models", "smyth"))

    def test_random_cases_are_the_same_each_time_and_solvable(self):
        _, one, _ = self.areia("impact", "random", "--count", "240", "--seed", "7")
        self.assertEqual(one, self.areia("impact", "random", "--count", "240", "--seed", "7")[1])
        self.assertNotEqual(one, self.areia("impact", "random", "--count", "240", "--seed", "8")[1])
        code, out, _ = self.solve(one, "--approaching")
        self.assertEqual(code, 0)
        states = [c["runs"][0]["result"]["status"] for c in json.loads(out)["cases"]]
        self.assertEqual(len(states), 240)
        self.assertLessEqual(set(states), {"ok", "moment_infeasible", "no_solution"})
        self.assertGreater(states.count("ok"), 200)


if __name__ == "__main__":
    areia.main()
