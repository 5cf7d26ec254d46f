"""Every wrong case is told with file, line and key, exits with 2, and leaves nothing behind."""
import glob
import os
import re

import areia

FOLDERS = [os.path.join(areia.source, "tests", "cases", name) for name in ("wrong", "wrong_at_setup")]


def expectations(file):
    """The `# expect:` lines at the top of a case, as dictionaries."""
    found = []
    with open(file) as lines:
        for line in lines:
            if not line.startswith("# expect:"):
                break
            pairs = re.findall(r" (\w+)=(?:\"([^\"]*)\"|'([^']*)'|(\S*))", line)
            found.append({name: a or b or c for name, a, b, c in pairs})
    return found


class WrongCases(areia.Case):
    def test_each_is_told(self):
        files = sorted(file for folder in FOLDERS for file in glob.glob(f"{folder}/*.toml"))
        self.assertGreater(len(files), 70)
        before = {folder: sorted(os.listdir(folder)) for folder in FOLDERS}
        for file in files:
            with self.subTest(os.path.basename(file)):
                for command in (["check", file], ["run", file, "--out", self.path("out")]):
                    text = self.expect(2, *command)
                    for e in expectations(file):
                        where = os.path.join(os.path.dirname(file), e["file"]) if "file" in e else file
                        line = ":" + e.get("line", r"\d+") if e.get("line") != "0" else ""  # 0: the parser knows none
                        key = re.escape(e["key"])
                        self.assertRegex(text, f"(?m)^{re.escape(where)}{line}: {key}.*{re.escape(e['contains'])}")
                    self.assertRegex(text, r"\d+ problems?; nothing was run")
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual({folder: sorted(os.listdir(folder)) for folder in FOLDERS}, before)


if __name__ == "__main__":
    areia.main()
