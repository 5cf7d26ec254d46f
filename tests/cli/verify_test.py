"""areia verify: names, JSON, report, exit codes."""
import json
import os
import xml.etree.ElementTree

import areia


class Verify(areia.Case):
    def test_names_by_their_beginning(self):
        code, out, _ = self.areia("verify", "wall-mod", "rodrigues", "--threads", "1")
        self.assertEqual(code, 0)
        self.assertIn("2 examples", out)
        self.assertIn("0 fail", out)

    def test_unknown_name_is_wrong_input(self):
        out = self.expect(2, "verify", "wall-modulo")
        self.assertIn("wall-moduli", out)

    def test_list_and_choice_of_extent(self):
        names = [line.split()[0] for line in self.expect(0, "verify", "--list").splitlines()]
        self.assertIn("000-4.3", names)
        self.assertEqual(len(names), len(set(names)))
        self.expect(2, "verify", "--quick", "--full")

    def test_json_has_every_row(self):
        code, out, _ = self.areia("verify", "000-4.2-explicit", "--json")
        self.assertEqual(code, 0)
        result = json.loads(out)
        rows = result["examples"][0]["rows"]
        self.assertEqual(len(rows),
                         result["pass"] + result["explained"] + result["not_reproduced"] + result["fail"])
        explained = [r for r in rows if r["verdict"] == "explained"]
        self.assertTrue(explained)
        for row in explained:
            self.assertIn("misprint", row["note"])
            self.assertTrue(row["claims"])
            self.assertTrue(all(claim["holds"] for claim in row["claims"]))

    def test_report_has_pages_and_plots(self):
        self.expect(0, "verify", "000-4.2-explicit", "--report", "report")
        for name in ("index.md", "index.html"):
            with open(self.path("report", name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("areia verify 000-4.2-explicit", text)
            self.assertIn("000-4.2-explicit-1.svg", text)
            self.assertIn("000-4.2-explicit-sketch.svg", text)
            self.assertIn("Escola Politécnica da Universidade de São Paulo, 2016", text)
        for picture in ("1", "sketch"):
            root = xml.etree.ElementTree.parse(self.path("report", f"000-4.2-explicit-{picture}.svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))
        self.assertLess(os.path.getsize(self.path("report", "000-4.2-explicit-1.svg")), 100000)

    def test_report_has_data_for_programs(self):
        names = ("000-4.2-explicit", "002-trajectories", "wall-moduli")
        self.expect(0, "verify", *names, "--report", "report")
        with open(self.path("report", "verification.json"), encoding="utf-8") as file:
            report = json.load(file)
        with open(self.path("report", "manifest.txt")) as file:
            self.assertIn("+ verification.json", file.read())
        told = json.loads(self.areia("verify", *names, "--json")[1])
        for name in ("version", "pass", "explained", "not_reproduced", "fail"):
            self.assertEqual(report[name], told[name])
        self.assertEqual([s["key"] for s in report["sources"]][:2], ["000", "002"])
        for example, other in zip(report["examples"], told["examples"], strict=True):
            self.assertEqual(example["rows"], other["rows"])
            self.assertIn("<svg", example["sketch"])
        head_on, lab, formula = sorted(report["examples"], key=lambda e: names.index(e["name"]))
        for curve in head_on["plots"][0]["curves"]:
            self.assertIn(curve["look"], ("line", "points"))
            self.assertEqual(len(curve["x"]), len(curve["y"]))
            self.assertGreater(len(curve["x"]), 1)
        self.assertEqual(head_on["references"][0]["case"], "000-4.2-explicit")
        self.assertEqual((formula["ran"], {r["ran"] for r in formula["rows"]}), ([], {None}))
        # the cases behind values run
        case = head_on["ran"][next(r["ran"] for r in head_on["rows"] if r["ran"] is not None)]
        self.expect(0, "check", self.write("case.toml", case["text"]), *(word for s in case["set"] for word in ("--set", s)))
        for k, case in enumerate(lab["ran"]):
            self.assertTrue(case["lab"])
            self.expect(0, "impact", "run", self.write("lab.toml", case["text"]), "--out", f"lab{k}")

    def test_reports_are_joined(self):
        self.expect(0, "verify", "wall-moduli", "--report", "a")
        self.expect(0, "verify", "rodrigues", "--report", "b")
        self.expect(0, "verify", "--join", "a", "b", "--report", "all")
        with open(self.path("all", "index.md"), encoding="utf-8") as file:
            text = file.read()
        for words in ("areia verify --join a b", "areia verify wall-moduli", "areia verify rodrigues", "2 examples"):
            self.assertIn(words, text)
        self.expect(0, "verify", "--join", "all", "a", "--report", "all")  # an example renewed in its place
        os.mkdir(self.path("c"))
        self.write("c/verification.json", "{}")
        for name, words in (("nothing", "verify --report"), ("c", "no report")):
            self.assertIn(words, self.expect(2, "verify", "--join", name, "--report", "d"))
            self.assertFalse(os.path.exists(self.path("d")))
        self.expect(2, "verify", "wall-moduli", "--join", "a", "--full")

    def test_every_quick_example_has_a_sketch(self):
        self.expect(0, "verify", "--quick", "--threads", "1", "--report", "report")
        names = [line.split() for line in self.expect(0, "verify", "--list").splitlines()]
        for name in (words[0] for words in names if words[1] == "quick"):
            root = xml.etree.ElementTree.parse(self.path("report", name + "-sketch.svg")).getroot()
            self.assertGreater(len(list(root)), 1, name)

    def test_measures_are_series_of_a_run(self):
        case = self.write("grains.toml", areia.GRAINS)
        short = ("--set", "stages[1].duration=0.1", "--set", "stages[2].duration=0.05", "--quiet")
        measures = ("--set", 'output.measure.heat={kind="granular_temperature"}', "--set",
                    'output.measure.net={kind="fabric"}')
        self.expect(0, "run", case, "--out", "a", *short, *measures)
        with open(self.path("a", "heat.csv")) as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[0].startswith("time_s,particles,temperature_m2/s2"))
        self.assertGreater(len(lines), 3)
        self.expect(0, "run", case, "--out", "a", "--overwrite", *short)
        self.assertFalse(os.path.exists(self.path("a", "heat.csv")))


if __name__ == "__main__":
    areia.main()
