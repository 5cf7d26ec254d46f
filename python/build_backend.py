"""Builds a wheel of the Python module with CMake: the build backend of pyproject.toml (PEP 517).

Uses the standard library alone, so that `pip install .` needs no network. The build stays in build-pip, or where
--config-settings=build-dir=FOLDER says, and goes on from there the next time.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^project\(areia VERSION ([0-9.]+)", file.read(), re.M).group(1)


def _metadata():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (f"Metadata-Version: 2.1\nName: areia\nVersion: {_version()}\n"
            "Summary: Discrete element simulator for granular materials\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _run(*command):
    subprocess.run(command, check=True, cwd=SOURCE)


def _build(build):
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not os.path.exists(os.path.join(build, "CMakeCache.txt")) else []
    _run("cmake", "-S", SOURCE, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DAREIA_TESTS=OFF",
         "-DAREIA_PYTHON=ON", f"-DAREIA_PYTHON_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", build, "--target", "areia_python", "--parallel", str(os.cpu_count() or 1))


def pack(build, wheel_directory):
    """A wheel of the module that was built in this folder; its file name."""
    info = f"areia-{_version()}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["cmake", "--install", os.path.abspath(build), "--component", "python", "--prefix", scratch],
                       check=True, stdout=subprocess.DEVNULL)
        files = {}
        for folder, _, names in os.walk(scratch):
            for name in names:
                files["areia/" + name] = pathlib.Path(folder, name).read_bytes()
    files[info + "/METADATA"] = _metadata().encode()
    files[info + "/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: areia\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()
    record = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
              for name, data in sorted(files.items())]
    files[info + "/RECORD"] = "\n".join([*record, info + "/RECORD,,", ""]).encode()
    wheel = f"areia-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(name, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = (config_settings or {}).get("build-dir", os.path.join(SOURCE, "build-pip"))
    _build(build)
    return pack(build, wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    name = f"areia-{_version()}"
    _run("git", "archive", "--format=tar.gz", f"--prefix={name}/", "-o", os.path.join(sdist_directory, name + ".tar.gz"), "HEAD")
    return name + ".tar.gz"
