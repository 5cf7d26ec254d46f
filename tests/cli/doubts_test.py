"""Warnings about what is possible and probably not meant."""
import math

import areia

CASE = """
[materials.grain]
density = 2500
young = "10 MPa"
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
[particles.grains]
material = "grain"
radius = "5 mm"
list = [{ x = [0, 0, 0.02] }, { x = [0.02, 0, 0.02] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = "10 ms"
"""


def stl(triangles):
    lines = ["solid s"]
    for corners in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex %.12g %.12g %.12g" % c for c in corners]
        lines += ["endloop", "endfacet"]
    return "\n".join(lines + ["endsolid s", ""])


def cylinder(facets, radius, height):
    def at(k, z):
        return (radius * math.cos(2 * math.pi * k / facets), radius * math.sin(2 * math.pi * k / facets), z)
    return stl([t for k in range(facets) for t in
                ((at(k, 0), at(k + 1, 0), at(k + 1, height)), (at(k, 0), at(k + 1, height), at(k, height)))])


class Doubts(areia.Case):
    def warnings(self, text, *overrides):
        case = self.write("case.toml", text)
        sets = [part for o in overrides for part in ("--set", o)]
        printed = self.expect(0, "check", case, *sets)
        return [line.split("warning: ", 1)[1] for line in printed.splitlines() if "warning: " in line]

    def test_a_sound_case_has_none(self):
        self.assertEqual(self.warnings(CASE), [])

    def test_soft_materials(self):
        self.assertRegex(self.warnings(CASE, "materials.grain.young=50")[0], r'materials.grain: young = 50 Pa .* "50 GPa"')

    def test_gravity_out_of_the_plane(self):
        text = CASE + "[domain]\ndimension = 2\nplane = \"xz\"\n"
        self.assertEqual(self.warnings(text), [])
        found = self.warnings(text, "fields.g.acceleration=[0, -9.81, 0]")
        self.assertRegex(found[0], "fields.g: -9.81 m/s2 of it point out of the plane xz")

    def test_surfaces_that_turn_over_a_periodic_face(self):
        text = CASE + ("[domain]\nbox = [[-1, -1, -1], [1, 1, 1]]\nperiodic = [\"x\"]\n[walls.roller]\n"
                       "cylinder = { from = [-1, 0, -0.5], to = [1, 0, -0.5], radius = 0.1 }\nsurface = { rate = 1, axis = [1, 0, 0] }\n")
        self.assertEqual(self.warnings(text), [])
        found = self.warnings(text, "walls.roller.surface.axis=[0, 1, 0]")
        self.assertRegex(found[0], "walls.roller: its surface turns about another axis than x, .* after 2 m")
        short = ("walls.roller.cylinder.from=[-0.1, 0, -0.5]", "walls.roller.cylinder.to=[0.1, 0, -0.5]")
        self.assertEqual(self.warnings(text, "walls.roller.surface.axis=[0, 1, 0]", *short), [])

    def test_stages_without_an_end(self):
        text = CASE.replace('duration = "10 ms"', "until = { at_rest = true }")
        self.assertRegex(self.warnings(text)[0], "stage stage1 waits for rest however long that takes")
        self.assertEqual(self.warnings(text.replace("true }", "true, at_most = 1 }")), [])

    def test_what_serves_nothing(self):
        found = self.warnings(CASE + "[materials.other]\ndensity = 1000\nyoung = 1e7\n"
                              "[contacts.other-other]\nnormal = { law = \"hertz\" }\n")
        self.assertTrue(any("materials.other is used by no particles and no wall" in w for w in found), found)
        self.assertTrue(any("contacts.other-other is used by no two things that can meet" in w for w in found), found)

    def test_meshes_in_millimetres(self):
        self.write("hopper.stl", cylinder(90, 300, 500))
        text = CASE + "[walls.hopper]\nmesh = { file = \"hopper.stl\" }\n"
        found = [w for w in self.warnings(text) if "hopper" in w]
        self.assertRegex(found[0], r"walls.hopper: the mesh is 600 m wide, .* give `scale = 0.001`")
        self.assertEqual(self.warnings(text, "walls.hopper.mesh.scale=0.001"), [])

    def test_rounded_surfaces_in_patches(self):
        self.write("round.stl", cylinder(72, 0.3, 0.5))
        text = CASE + "[walls.round]\nmesh = { file = \"round.stl\" }\n"
        found = self.warnings(text)
        self.assertRegex(found[0], r'walls.round: .* bend by up to 5 degrees.* `patch_angle = "6 deg"`')
        self.assertEqual(self.warnings(text, 'walls.round.mesh.patch_angle="6 deg"'), [])
        self.write("round.stl", cylinder(6, 0.3, 0.5))  # a hexagon is meant to have edges
        self.assertEqual(self.warnings(text), [])

    def test_bonds_that_decide_on_the_step(self):
        text = CASE.replace("x = [0.02, 0, 0.02]", "x = [0.0101, 0, 0.02]") + """
[bonds.glue]
group_a = "grains"
max_gap = 0.001
stiffness = 1e7
damping = "critical"
anchors = 1
"""
        self.assertRegex(self.warnings(text)[0], "the time step is .* times shorter than contacts ask for: .*bonds.glue")

    def test_time_and_memory(self):
        case = self.write("case.toml", areia.GRAINS)
        printed = self.expect(0, "check", case, "--set", "stages.flow.duration=200")
        self.assertRegex(printed, r"memory +about [0-9.]+ MB")
        self.assertRegex(printed, r"time +about [0-9:]+ here, by the first [0-9]+ steps")


if __name__ == "__main__":
    areia.main()
