"""The notebooks of examples/notebooks: their code runs, cell after cell in a process of its own, and its assertions hold."""
import glob
import json
import os
import subprocess
import sys

import support

FOLDER = os.path.join(support.source, "examples", "notebooks")


def code_of(name):
    """The code cells of a notebook as one program, whose errors name the cell."""
    with open(os.path.join(FOLDER, name)) as file:
        cells = json.load(file)["cells"]
    cells = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return "\n".join(f"exec(compile({text!r}, '{name}, cell {k}', 'exec'))" for k, text in enumerate(cells, 1)), cells


class Notebooks(support.Case):
    def test_they_run(self):
        names = sorted(os.path.basename(path) for path in glob.glob(os.path.join(FOLDER, "*.ipynb")))
        self.assertGreaterEqual(len(names), 4)
        with open(os.path.join(FOLDER, "README.md")) as file:
            page = file.read()
        for name in names:
            with self.subTest(name):
                self.assertIn(f"({name})", page)
                program, cells = code_of(name)
                self.assertIn("assert ", cells[-1])
                done = subprocess.run([sys.executable, "-c", program], cwd=FOLDER, capture_output=True, text=True, timeout=300,
                                      env={**os.environ, "TMPDIR": self.folder, "OMP_NUM_THREADS": "1"})
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_they_are_kept_without_what_they_printed(self):
        for path in glob.glob(os.path.join(FOLDER, "*.ipynb")):
            with self.subTest(path), open(path) as file:
                notebook = json.load(file)
                self.assertEqual(notebook["nbformat"], 4)
                self.assertEqual(len({cell["id"] for cell in notebook["cells"]}), len(notebook["cells"]))
                for cell in notebook["cells"]:
                    self.assertFalse(cell.get("outputs"))
                    self.assertIsNone(cell.get("execution_count"))
                self.assertTrue(notebook["cells"][0]["source"][0].startswith("# "))


if __name__ == "__main__":
    support.main()
