"""The case printed in the README is sound, runs, and gives what the README says it gives."""
import os
import re

import areia


class Readme(areia.Case):
    def setUp(self):
        super().setUp()
        with open(os.path.join(areia.source, "README.md")) as file:
            self.text = file.read()
        self.case = self.write("pour.toml", re.search("```toml\n(.*?)```", self.text, re.S).group(1))

    def test_the_case_gives_what_is_printed(self):
        printed = re.search(r"`areia run pour.toml` prints.*?\n\n```\n(.*?)```", self.text, re.S).group(1)
        self.expect(0, "run", self.case, "--out", "pour.out", "--quiet")
        with open(self.path("pour.out", "walls.csv")) as file:
            force = -float(file.read().splitlines()[-1].split(",")[3])
        # Another mathematical library may round elsewhere, so only on the named system must every digit be the same.
        with open("/etc/os-release") as file:
            if 'VERSION_CODENAME=bookworm' in file.read():
                summary = self.summary("pour.out")
                self.assertIn(f"{summary['steps']} steps to t = {summary['time']:.6g} s", printed)
                self.assertIn(f"{summary['contacts']} contacts", printed)
                self.assertIn(f"state hash {summary['state_hash']}", printed, "renew the output in README.md")
        said = re.search(r"on the box:\s+([0-9.]+) N\s+downwards; the grains weigh ([0-9.]+) N", self.text)
        self.assertAlmostEqual(force, float(said.group(2)), delta=0.002 * force)
        self.assertAlmostEqual(float(said.group(1)), float(said.group(2)), delta=0.002 * force)

    def test_the_slip_is_told_as_printed(self):
        said = r'With `"(.*?)"` and `(.*?)` in it, `areia check pour.toml` prints\n\n```\n(.*?)```'
        young, restitution, printed = re.search(said, self.text, re.S).groups()
        with open(self.case) as file:
            text = file.read()
        self.write("pour.toml", text.replace(young[:-1], young).replace("restitution = 0.6", restitution))
        self.assertEqual(self.expect(2, "check", "pour.toml"), printed)


if __name__ == "__main__":
    areia.main()
