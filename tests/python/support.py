"""What the tests of the Python module share. Each is called as  FILE_test.py PROGRAM  with the module in PYTHONPATH, and
exits with 0, with 1 on a failure, with 77 where the module was not built."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

program = os.path.abspath(sys.argv[1])
os.environ["AREIA_CACHE"] = "off"
source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

try:
    import areia
except ImportError:
    if glob.glob(os.path.join(os.path.dirname(program), "python", "areia", "_areia*.so")):  # built, and cannot be loaded
        raise
    print("skipped: the Python module was not built (tools/setup python)")
    sys.exit(77)


def example(name):
    return os.path.join(source, "examples", name, "case.toml")


def small_case(name):
    """One of the small cases that the tests of the command line use."""
    return os.path.join(source, "tests", "cli", name + ".toml")


class Case(unittest.TestCase):
    """A test with a scratch folder."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="areia-python-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, case, out, *options):
        """The command line; returns the summary of its run."""
        subprocess.run([program, "run", case, "--out", self.path(out), "--quiet", *options], check=True, cwd=self.folder,
                       stderr=subprocess.DEVNULL)
        with open(self.path(out, "summary.json")) as file:
            return json.load(file)

    def problems_of(self, call):
        with self.assertRaises(areia.InputError) as caught:
            call()
        return caught.exception.problems


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
