"""areia mesh: what is in a mesh file, for people and for programs."""
import json

import areia

# a tetrahedron with a triangle too many
TETRA = """v 0 0 0
v 30 0 0
v 0 30 0
v 0 0 30
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
f 1 1 2
"""


class Mesh(areia.Case):
    def test_report(self):
        file = self.write("tetra.obj", TETRA)
        text = self.expect(0, "mesh", file)
        for part in ("4 triangles, 4 vertices, 1 part", "closed, volume 4500 m^3", "1 triangle without area dropped",
                     "if the file is in millimetres"):
            self.assertIn(part, text)
        self.assertNotIn("millimetres", self.expect(0, "mesh", file, "--scale", "0.001"))

    def test_json(self):
        report = json.loads(self.expect(0, "mesh", self.write("tetra.obj", TETRA), "--scale", "0.001", "--json"))
        self.assertEqual(report["kept_triangles"], 4)
        self.assertEqual(report["degenerate_triangles"], 1)
        self.assertAlmostEqual(report["volume"], 4.5e-6)
        self.assertTrue(report["closed"])
        self.assertEqual(report["bounds"], [[0, 0, 0], [0.03, 0.03, 0.03]])

    def test_wrong_files_exit_2(self):
        for name, text in (("a.obj", ""), ("a.ply", "ply\n"), ("a.stl", "solid"), ("a.txt", ""), ("b.obj", "v 0 0 nan\nf 1 1 1\n")):
            with self.subTest(name):
                self.assertIn("1 problem; nothing was run", self.expect(2, "mesh", self.write(name, text)))
        self.expect(2, "mesh", "nowhere.stl")

    def test_results_reproduce_the_run_without_the_file(self):
        self.write("tetra.obj", TETRA)
        case = self.write("case.toml", areia.BALL + '\n[walls.stone]\nmesh = { file = "tetra.obj", scale = 0.001, shift = [1, 0, 0] }\n')
        self.expect(0, "run", case, "--out", "a", "--quiet", "--set", "stages[1].duration=0.02")
        self.expect(0, "run", self.path("a", "case.toml"), "--out", "b", "--quiet")
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))
        with open(self.path("a", "log.txt")) as log:
            self.assertIn("walls.stone: mesh tetra.obj: 4 triangles", log.read())


if __name__ == "__main__":
    areia.main()
