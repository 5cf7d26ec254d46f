"""What people see: a bar that fits, colours where they help, names that are nearly right."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import areia


class Terminal(areia.Case):
    def on_terminal(self, columns, *arguments, environment=None):
        """What the program writes to a terminal of this width."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here: {error}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([areia.program, *arguments], cwd=self.folder, stdout=slave, stderr=slave,
                                   env={**os.environ, "TERM": "xterm", **(environment or {})})
        os.close(slave)
        text = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        os.close(master)
        return process.wait(), text.decode()

    def test_the_bar_fits(self):
        case = self.write("grains.toml", areia.GRAINS)
        for columns in (30, 60, 80, 120, 200):
            code, text = self.on_terminal(columns, "run", case, "--out", f"r{columns}", "--max-wall", "1.5")
            self.assertEqual(code, 0, text)
            bars = [re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", part.split("\n")[0]) for part in text.split("\r")
                    if "%" in part.split("\n")[0]]
            self.assertTrue(bars, text)
            for bar in bars:
                self.assertLess(len(bar), columns, bar)
            if columns >= 60:
                self.assertTrue(all("[" in bar and "left" in bar for bar in bars), bars)
            if columns >= 120:
                self.assertTrue(all("particle-steps" in bar for bar in bars), bars)

    def test_colours(self):
        wrong = self.write("wrong.toml", "title = 3\n")
        for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            code, text = self.on_terminal(80, "check", wrong, environment=environment)
            self.assertEqual(code, 2)
            self.assertEqual("\x1b[31m" in text, coloured, text)
        self.assertNotIn("\x1b", self.expect(2, "check", wrong))

    def test_nearly_right_names(self):
        self.assertIn("there is no command `rnu` (did you mean `run`?)", self.expect(2, "rnu"))
        self.assertIn("there is no command `solv` (did you mean `solve`?)", self.expect(2, "impact", "solv"))
        case = self.write("grains.toml", areia.GRAINS)
        self.assertIn("there is no option `--thread` (did you mean `--threads`?)",
                      self.expect(2, "run", case, "--thread", "3"))
        self.assertIn("there is no option `--threds` (did you mean `--threads`?)",
                      self.expect(2, "run", case, "--threds=3"))
        self.assertIn("`stages` has none with the name `setle`",
                      self.expect(2, "check", case, "--set", "stages.setle.duration=1"))
        self.assertFalse(os.path.exists(self.path("grains.out")))

    def test_without_a_command_there_is_help(self):
        text = self.expect(0)
        self.assertIn("run a case, or continue a run", text)
        self.assertEqual(text, self.expect(0, "--help"))

    def test_names_of_the_wrong_kind(self):
        case = self.write("grains.toml", areia.GRAINS)
        self.write("afile", "")
        self.assertIn("--out = afile: is a file; results go into a folder of their own",
                      self.expect(2, "run", case, "--out", "afile"))
        self.assertIn("--out = x.jpg: pictures are PNG files", self.expect(2, "render", "nothing.out", "--out", "x.jpg"))


if __name__ == "__main__":
    areia.main()
