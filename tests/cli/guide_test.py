"""Blocks of the guide: every key in them is known and has a value that may be there; columns of measures have the names it says."""
import os
import re

import areia
import pages

# What a block cannot have by itself: it speaks of materials, groups, walls, stages and files that stand elsewhere.
ELSEWHERE = re.compile(r"there is no (material|rigid wall|stage|group|wall|field|such file)|is no number of a series of this case"
                       r"|no two materials that can meet use|the case has 0 particles|needs `start.from`: the run that they come from"
                       r"|the box must be longer than two largest diameters")  # of no particles


class Guide(areia.Case):
    def setUp(self):
        super().setUp()
        with open(os.path.join(areia.source, "docs", "guide.md")) as file:
            self.text = file.read()

    def problems(self, case):
        """Lines that `areia check` prints about a case, those left out that come from what is not in it."""
        self.write("block.toml", case)
        code, out, err = self.areia("check", "block.toml", "--skip-packings")
        self.assertIn(code, (0, 2, 4), out + err)
        return [line for line in (out + err).splitlines() if line.startswith("block.toml:") and code and not ELSEWHERE.search(line)]

    def test_keys_of_blocks_are_sound(self):
        blocks = [content for kind, _, content in pages.blocks(self.text) if kind == "toml"]
        self.assertGreater(len(blocks), 15)
        for block in blocks:
            if block.startswith(("normal ", "tangential ")):
                block = "[contacts.default]\n" + block
            elif not block.startswith("["):
                continue  # lines that are alternatives to each other
            if "[[stages]]" not in block:
                block += "\n[[stages]]\nduration = 1\n"
            self.assertEqual(self.problems(block), [], block)

    def test_columns_of_measures_are_named(self):
        lines = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", self.text.split("### Measuring")[1].split("####")[0], re.M))
        lines = {kind: line for kind, line in lines.items() if "`" in line.split("|")[1]}  # those that name columns
        self.assertGreaterEqual(len(lines), 15)
        box = "region = { box = [[-1, -1, -1], [1, 1, 1]] }"
        keys = {"deposit": "radius = 0.1", "mixing": 'group = "a"\nother_group = "b"', "stress": box, "fabric": box, "profile": box,
                "residence": box, "field": box + "\nwidth = 0.5\ncell = 0.5", "radial_distribution": box + "\nradius = 0.1",
                "wear": "wear_coefficient = 1e-12"}
        other = '[particles.b]\nmaterial = "grain"\nradius = "1 cm"\nlist = [{ x = [0.5, 0, 0.02] }]\n\n[particles.a]'
        case = areia.BALL.replace("[particles.ball]", other)
        for kind in lines:
            case += f"\n[output.measure.{kind}]\nkind = \"{kind}\"\n{keys.get(kind, '')}\n"
        self.write("measures.toml", case)
        self.expect(0, "run", "measures.toml", "--out", "m.out", "--quiet")
        for kind, line in lines.items():
            with open(self.path("m.out", kind + ".csv")) as file:
                columns = file.readline().strip().split(",")[1:]
            for name in re.findall(r"`([\w./+-]+)`", line.split("|")[1]):
                name = name.replace("WALL", "floor").replace("GROUP", "a")
                self.assertIn(name, columns, kind)

    def test_a_wrong_key_is_found(self):
        self.assertTrue(self.problems("[walls.a]\nrectangle = { corner = [0, 0, 0], edge = [1, 0, 0], edge_b = [0, 1, 0] }\n"
                                      "[[stages]]\nduration = 1\n"))


if __name__ == "__main__":
    areia.main()
