"""Frames, series and checkpoints, wherever they fall, leave the result as it is."""
import areia


class Output(areia.Case):
    def test_what_is_written_does_not_change_the_result(self):
        case = self.write("grains.toml", areia.GRAINS)
        hashes = set()
        for k, options in enumerate([[], ["--set", "output.frames=0.0117"],
                                     ["--set", "output.frames=0.05", "--set", "output.series=0.0031"],
                                     ["--checkpoint", "0.05"], ["--set", 'output.precision="double"'],
                                     ["--set", "output.frames=0.02", "--set", "output.contact_frames=0.05", "--set",
                                      'output.arrays=["all"]', "--set", "output.contact_arrays=[]"]]):
            self.expect(0, "run", case, "--out", f"out{k}", "--quiet", *options)
            hashes.add(self.summary(f"out{k}")["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_arrays_are_chosen_by_name(self):
        case = self.write("grains.toml", areia.GRAINS)
        text = self.expect(2, "check", case, "--set", 'output.arrays=["velocity", "orientaton"]')
        self.assertIn("output.arrays", text)
        for name in ('"velocity"', '"orientation"', '"all"', "did you mean `orientation`"):
            self.assertIn(name, text)
        self.expect(0, "run", case, "--out", "out", "--quiet", "--set", "output.arrays=[]")
        self.expect(0, "render", "out", "--colour", "radius", "--out", "a.png")
        self.assertIn("colour = speed: the frame has no such array; it has id, radius", self.expect(2, "render", "out", "--out", "b.png"))


if __name__ == "__main__":
    areia.main()
