"""The same bits on any number of threads."""
import areia

SHORT = ("--set", "stages[1].duration=0.1", "--set", "stages[2].duration=0.05", "--quiet")


class Threads(areia.Case):
    def test_hash_does_not_depend_on_threads(self):
        case = self.write("grains.toml", areia.GRAINS)
        hashes = {}
        for n in (1, 2, 3, 4, 8):
            self.expect(0, "run", case, "--out", f"t{n}", "--threads", str(n), *SHORT)
            self.assertEqual(self.summary(f"t{n}")["threads"], n)
            hashes[n] = self.hash_of(f"t{n}")
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_a_repeat_gives_the_same(self):
        case = self.write("grains.toml", areia.GRAINS)
        for name in ("a", "b"):
            self.expect(0, "run", case, "--out", name, *SHORT)
        self.assertEqual(self.hash_of("a"), self.hash_of("b"))


if __name__ == "__main__":
    areia.main()
