"""The tutorial: its commands run in their order and print what stands there; its numbers and pictures are those of the runs."""
import os
import re

import areia
import pages


class Tutorial(areia.Case):
    def setUp(self):
        super().setUp()
        with open(os.path.join(areia.source, "docs", "tutorial.md")) as file:
            self.text = file.read()
        # Another mathematical library may round elsewhere, so only on the named system must every digit be the same.
        with open("/etc/os-release") as file:
            self.same_digits = "VERSION_CODENAME=bookworm" in file.read()

    def angle(self, results):
        with open(self.path(results, "repose.csv")) as file:
            return float(file.read().splitlines()[-1].split(",")[1])

    def test_commands_print_what_the_page_says(self):
        for commands, printed, says in pages.play(self.text, areia.program, self.folder):
            if says is not None and self.same_digits:
                self.assertIsNone(pages.missing(says, printed), f"\n{commands}\nprints\n{printed}\nand the page says\n{says}")

        # What holds with any digits: everything came to rest, nothing was lost, and rounder grains lie flatter.
        for results in ("heap", "flat", "fine", "seed2", "seed3", "stiff"):
            summary = self.summary(results + ".out")
            self.assertEqual(summary["ending"], "finished")
            self.assertLess(abs(summary["energy_residual_relative"]), 1e-3)
            with open(self.path(results + ".out", "stages.csv")) as file:
                ends = [line.split(",")[5] for line in file.read().splitlines()[1:]]
            self.assertEqual(ends, ["rest", "time", "rest"], results)
        angles = [self.angle(results + ".out") for results in ("heap", "fine", "seed2", "seed3", "stiff")]
        said = float(re.search(r"The answer is ([0-9]+) degrees", self.text).group(1))
        self.assertLess(max(abs(a - said) for a in angles), 8, angles)  # two standard deviations of one heap
        self.assertLess(self.angle("flat.out"), min(angles) - 3)
        self.assertEqual(self.hash_of("one.out"), self.hash_of("two.out"))

        for name in re.findall(r"\(images/(\w+\.png)\)", self.text):
            with open(os.path.join(areia.source, "docs", "images", name), "rb") as kept, open(self.path(name), "rb") as drawn:
                kept = kept.read()
                self.assertLess(len(kept), 150_000, name)
                if self.same_digits:
                    self.assertTrue(kept == drawn.read(), f"{name}: docs/images/make renews it")

    def test_the_case_is_that_of_the_example(self):
        with open(os.path.join(areia.source, "examples", "20_lifted_tube", "case.toml")) as file:
            self.assertIn(("toml", "heap.toml", file.read()), pages.blocks(self.text))

    def test_a_line_that_is_not_printed_is_found(self):
        self.assertIsNone(pages.missing("a\n...\nc\n", "a\nb\nc\n"))
        self.assertEqual(pages.missing("a\nd\n", "a\nb\nc\n"), "d")
        self.assertEqual(pages.missing("c\na\n", "a\nb\nc\n"), "a")


if __name__ == "__main__":
    areia.main()
