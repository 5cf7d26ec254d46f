"""Belts, turntables, motions of several parts, loadings by walls and of a periodic cell: one hash on any number of threads, by both
engines, and after a stop and a resume. The examples of each, for a short time."""
import os

import areia

SHORT = {
    "24_conveyor": ["stages.convey.duration=0.25"],
    "25_spreader": ["stages.spread.duration=0.06"],
    "26_triaxial_walls": ["stages.compress.duration=0.002", "stages.shear.duration=0.001"],
    "28_shear_cell": ["stages.press.duration=0.004", "stages.shear.duration=0.002"],
    "29_triaxial_cell": ["stages.compress.duration=0.001", "stages.shear.until.at_most=0.0005"],
}


class ExampleHash(areia.Case):
    def run_short(self, example, *options):
        case = os.path.join(areia.source, "examples", example, "case.toml")
        sets = [word for s in SHORT[example] + ["output.frames=ends"] for word in ("--set", s)]
        self.expect(0, "run", case, "--out", "out", "--overwrite", *sets, *options)

    def test_threads_engines_and_resume(self):
        for example in SHORT:
            self.run_short(example, "--threads", "1")
            one = self.hash_of("out")
            for options in (["--threads", "2"], ["--threads", "3"], ["--engine", "reference"]):
                self.run_short(example, *options)
                self.assertEqual(self.hash_of("out"), one, f"{example} {options}")
            self.run_short(example, "--max-wall", "1e-3")
            self.assertNotEqual(self.summary("out")["ending"], "finished", example)
            self.expect(0, "run", "--resume", "out", "--threads", "2")
            self.assertEqual(self.hash_of("out"), one, f"{example} resumed")


if __name__ == "__main__":
    areia.main()
