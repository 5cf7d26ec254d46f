"""Frames, series and checkpoints, wherever they fall, leave the result as it is."""
import areia


class Output(areia.Case):
    def test_what_is_written_does_not_change_the_result(self):
        case = self.write("grains.toml", areia.GRAINS)
        hashes = set()
        for k, options in enumerate([[], ["--set", "output.frames=0.0117"],
                                     ["--set", "output.frames=0.05", "--set", "output.series=0.0031"],
                                     ["--checkpoint", "0.05"]]):
            self.expect(0, "run", case, "--out", f"out{k}", "--quiet", *options)
            hashes.add(self.summary(f"out{k}")["state_hash"])
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    areia.main()
