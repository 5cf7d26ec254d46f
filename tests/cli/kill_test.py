"""kill -9 at random moments: every file left is whole, and the resumed run ends with the hash of one never stopped.

kill_test.py PROGRAM [KILLS]   default 5. AREIA_KILL_SEED repeats a series of moments.
"""
import os
import random
import sys
import time

import areia

# what is carried from look to look: windows, stays, the wear of walls, the numbers of pictures
MEASURES = """
[output.measure.stay]
kind = "residence"
region = { box = [[0, 0, 0.05], [0.2, 0.2, 0.1]] }
every = "1 ms"
[output.measure.smooth]
kind = "field"
region = { box = [[0, 0, 0], [0.2, 0.2, 0.4]] }
width = "2 cm"
cell = "2 cm"
average = "20 ms"
[output.measure.worn]
kind = "wear"
"""
kills = int(sys.argv[2]) if len(sys.argv) > 2 else 5
seed = int(os.environ.get("AREIA_KILL_SEED", time.time_ns() % 100000))


class Killed(areia.Case):
    def measured(self, results):
        """The bytes of all that measures wrote."""
        names = ["stay.csv", "smooth.csv", "worn.csv", "smooth.pvd"]
        names += [os.path.join("fields", name) for name in sorted(os.listdir(self.path(results, "fields")))]
        found = {}
        for name in names:
            with open(self.path(results, name), "rb") as file:
                found[name] = file.read()
        return found

    def test_files_are_whole_and_the_resumed_run_is_the_same(self):
        print(f"AREIA_KILL_SEED={seed}", file=sys.stderr)
        moments = random.Random(seed)
        case = self.write("grains.toml", areia.GRAINS.replace('frames = "10 ms"', 'frames = "4 ms"') + MEASURES)
        began = time.monotonic()
        self.expect(0, "run", case, "--out", "whole", "--quiet", "--checkpoint", "0.05")
        took = time.monotonic() - began
        wanted = self.hash_of("whole")
        measured = self.measured("whole")
        self.assertEqual(len(measured), 3 + 1 + 20)

        done = runs = checkpoints_seen = 0
        while done < kills:
            runs += 1
            results = f"killed{runs}"
            arguments = [case, "--out", results]
            while done < kills:
                process = self.start("run", *arguments, "--quiet", "--checkpoint", "0.05")
                time.sleep(moments.uniform(0.02, 0.6 * took))
                process.kill()
                if process.wait() != -9:
                    break  # it was faster
                done += 1
                if not os.path.exists(self.path(results, "case.toml")):
                    continue  # nothing was written yet
                self.assert_readable(results)
                checkpoints_seen += areia.checkpoints(self.path(results)) > 0
                arguments = ["--resume", results]
            if arguments[0] == "--resume":
                self.expect(0, "run", *arguments, "--quiet")
            if os.path.exists(self.path(results, "case.toml")):
                self.assertEqual(self.hash_of(results), wanted)
                self.assertEqual(self.measured(results), measured)
        print(f"{done} kills in {runs} runs, {checkpoints_seen} of them with a checkpoint to go on from", file=sys.stderr)


if __name__ == "__main__":
    areia.main()
