"""What the tests of the command line share: running the program, small cases, readers of the files that are not ours.

Every test file is called as  FILE_test.py PROGRAM [...]  and exits with 0, with 1 on a failure, with 77 when all of it
was skipped. It uses the standard library, and VTK and h5py where result files are read.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

program = os.path.abspath(sys.argv[1])
os.environ["AREIA_CACHE"] = "off"  # nothing of an earlier test, or of the user, is used
source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def read(name):
    with open(os.path.join(os.path.dirname(__file__), name)) as file:
        return file.read()


GRAINS, BALL, BED = (read(name) for name in ("grains.toml", "ball.toml", "bed.toml"))


def build_cache():
    """What the program was configured with, as CMake keeps it."""
    with open(os.path.join(os.path.dirname(program), "CMakeCache.txt")) as file:
        return dict(re.findall(r"^(\w+):\w+=(.*)$", file.read(), re.M))


def is_plain_release():
    cache = build_cache()
    return cache["CMAKE_BUILD_TYPE"] == "Release" and not cache.get("AREIA_SANITIZE")


class Case(unittest.TestCase):
    """A test with a scratch folder as its working folder."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="areia-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def areia(self, *arguments, timeout=300, environment=None):
        """Runs the program; returns exit code, standard output, standard error."""
        done = subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout, done.stderr

    def expect(self, code, *arguments, environment=None):
        """Runs the program, which must exit with `code`; returns what it printed."""
        got, out, err = self.areia(*arguments, environment=environment)
        self.assertEqual(got, code, f"areia {' '.join(arguments)}\n{out}{err}")
        return out + err

    def start(self, *arguments):
        return self.start_command([program, *arguments])

    def start_command(self, command, **options):
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   **options)

        def end():
            process.kill()
            process.wait()
            process.stderr.close()

        self.addCleanup(end)
        return process

    def summary(self, results):
        with open(self.path(results, "summary.json")) as file:
            return json.load(file)

    def hash_of(self, results):
        summary = self.summary(results)
        self.assertEqual(summary["ending"], "finished")
        self.assertRegex(summary["state_hash"], "^[0-9a-f]{32}$")
        return summary["state_hash"]

    def wait_for(self, condition, process, seconds=120):
        """Waits until something has happened in a running process; False when the process ended before."""
        for _ in range(int(seconds / 0.01)):
            if condition():
                return True
            if process.poll() is not None:
                return False
            time.sleep(0.01)
        self.fail("waited in vain")

    def assert_readable(self, results):
        """Every file under its final name is whole: VTK and h5py read it, tables have whole lines."""
        import h5py
        import vtk
        seen = 0
        for folder, _, names in os.walk(self.path(results)):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith((".vtp", ".vti")):
                    errors = []
                    reader = vtk.vtkXMLPolyDataReader() if name.endswith(".vtp") else vtk.vtkXMLImageDataReader()
                    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
                    reader.SetFileName(path)
                    reader.Update()
                    self.assertEqual(errors, [])
                elif name.endswith(".h5"):
                    with h5py.File(path, "r") as file:
                        file.visititems(lambda _, item: item[()] if isinstance(item, h5py.Dataset) else None)
                elif name.endswith(".json"):
                    with open(path) as file:
                        json.load(file)
                elif name.endswith(".pvd"):
                    with open(path) as file:
                        text = file.read()
                    self.assertIn("</VTKFile>", text)
                    for frame in re.findall('file="([^"]*)"', text):
                        self.assertTrue(os.path.exists(os.path.join(folder, frame)), f"{path} names {frame}")
                elif name.endswith(".toml"):
                    self.expect(0, "check", path)
                else:
                    continue
                seen += 1
        return seen


def frames(path):
    """How many particle frames a results folder holds."""
    folder = os.path.join(path, "frames")
    return len([n for n in os.listdir(folder) if n.startswith("particles_")]) if os.path.isdir(folder) else 0


def checkpoints(path):
    folder = os.path.join(path, "checkpoints")
    return len([n for n in os.listdir(folder) if n.endswith(".h5")]) if os.path.isdir(folder) else 0


def main():
    result = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun and len(result.skipped) == result.testsRun else 0)
