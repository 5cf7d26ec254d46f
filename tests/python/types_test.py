"""Types: mypy --strict on the package, on a program that uses it and on all examples as typed mappings, stubtest on the stub
of the compiled part; types of keys follow from the schema; every name has a docstring; the wheel holds what was built."""
import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib
import zipfile

import support
from support import areia
import areia.keys  # behind support, which skips where there is no module

PROGRAM = '''
import areia
import areia.keys
case: areia.Case = areia.load("a.toml", set={"numerics.seed": 2})
sim = areia.Simulation(case, threads=2)
@sim.every("10 ms")
def watch(s: areia.Simulation) -> dict[str, float]:
    f = s.frame("x", "radius")
    return {"top": float((f.x[:, 2] + f.radius).max())}
sim.run(until="settle")
names: list[str] = watch.names
for p in case.check():
    line: int = p.line
results: areia.Results = areia.run(case, out="a.out")
energy: float = results.frames[-1].energy["kinetic"]
WRONG: int = sim.time
typed: areia.keys.Case = {"stages": [{"duraton": 1}]}
areia.Case(typed)
'''


class Types(support.Case):
    def mypy(self, *arguments, tool="mypy"):
        if not shutil.which(tool):
            self.skipTest(f"no {tool} here; tools/setup python-test installs it")
        with open(self.path("mypy.ini"), "w") as file:  # pandas has no types here, those of xarray take long to read
            file.write("[mypy]\n[mypy-pandas.*,xarray.*]\nfollow_imports = skip\nignore_missing_imports = True\n")
        path = os.path.dirname(os.path.dirname(areia.__file__))
        return subprocess.run([shutil.which(tool), *arguments], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "MYPYPATH": path, "PYTHONPATH": path})

    def test_package_and_program(self):
        with open(self.path("program.py"), "w") as file:
            file.write(PROGRAM)
            for example in sorted(pathlib.Path(support.source, "examples").glob("*/case.toml")):
                file.write(f"case_{example.parent.name}: areia.keys.Case = {tomllib.loads(example.read_text())!r}\n")
        package = os.path.dirname(areia.__file__)
        files = sorted(os.path.join(package, f) for f in os.listdir(package) if f.endswith((".py", ".pyi")))
        done = self.mypy("--strict", "--config-file", "mypy.ini", "program.py", *files)
        errors = [line for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(len(errors), 2, done.stdout + done.stderr)
        self.assertIn("program.py:16", errors[0])  # those that were meant
        self.assertIn('program.py:17: error: Extra key "duraton"', errors[1])

    def test_types_of_keys_follow_from_the_schema(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(support.source, "python", "make_keys.py")], capture_output=True,
                              text=True, check=True, input=areia._areia.json_schema())
        with open(areia.keys.__file__) as file:
            self.assertEqual(file.read(), done.stdout, "python/make_keys.py tells how they are made again")

    def test_stub(self):
        with open(self.path("allowed"), "w") as file:  # pybind11's metaclass; classes that Python does not make
            file.write("areia\\._areia\\.[A-Z]\\w+\nareia\\._areia\\.(Frame|Problem)\\.__init__\n")
        done = self.mypy("areia._areia", "--ignore-missing-stub", "--allowlist", "allowed", "--mypy-config-file", "mypy.ini", tool="stubtest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_docstrings(self):
        missing = []
        for name in areia.__all__:
            thing = getattr(areia, name)
            if name == "__version__":
                continue
            if not thing.__doc__:
                missing.append(name)
            if isinstance(thing, type):
                missing += [f"{name}.{key}" for key, value in vars(thing).items()
                            if not key.startswith("_") and (callable(value) or isinstance(value, property))
                            and not value.__doc__]
        self.assertEqual(missing, [])

    def test_wheel(self):
        sys.path.insert(0, os.path.join(support.source, "python"))
        import build_backend

        wheel = build_backend.pack(os.path.dirname(support.program), self.folder)
        with zipfile.ZipFile(self.path(wheel)) as archive:
            archive.extractall(self.path("site"))
            names = set(archive.namelist())
        info = f"areia-{areia.__version__}.dist-info"
        self.assertLessEqual({"areia/__init__.py", "areia/py.typed", "areia/_areia.pyi", info + "/METADATA"}, names)
        with open(self.path("site", info, "RECORD")) as file:
            for line in file.read().split():
                name, digest, size = line.rsplit(",", 2)
                if digest:
                    data = pathlib.Path(self.path("site", name)).read_bytes()
                    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, int(size)), ("sha256=" + found, len(data)))
        done = subprocess.run([sys.executable, "-c", "import areia; print(areia.__file__)"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": self.path("site")})
        self.assertTrue(done.stdout.startswith(self.path("site")), done.stderr)


if __name__ == "__main__":
    support.main()
