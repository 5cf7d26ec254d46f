"""Facts that packaging has to repeat: the version, which CMakeLists.txt tells, and what is installed where, which a Debian
package has to take."""
import fnmatch
import os
import re
import unittest

source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def read(*path):
    with open(os.path.join(source, *path), encoding="utf-8") as file:
        return file.read()


version = re.search(r"^project\(areia VERSION ([\d.]+)", read("CMakeLists.txt"), re.M)[1]
soname = ".".join(version.split(".")[:2])  # SOVERSION of cmake/install.cmake

# As GNUInstallDirs and debian/rules set them.
FOLDERS = {"CMAKE_INSTALL_BINDIR": "bin", "CMAKE_INSTALL_DATADIR": "share", "CMAKE_INSTALL_DOCDIR": "share/doc/areia",
           "CMAKE_INSTALL_INCLUDEDIR": "include", "CMAKE_INSTALL_LIBDIR": "lib/x86_64-linux-gnu", "CMAKE_INSTALL_MANDIR": "share/man",
           **dict(re.findall(r"-D(AREIA_\w+_DIR)=(\S+)", read("debian", "rules")))}
TARGETS = {"areia_cli": ["areia"], "areia_shared": ["libareia.so", f"libareia.so.{version}"], "areia_python": ["_areia.so"]}


def installed():
    """What the calls of install() bring, below the prefix: files, and folders that come whole."""
    for name in ("install", "shell", "python"):
        text = re.sub(r"(?m)#.*$", "", read("cmake", name + ".cmake"))
        calls = re.findall(r"(?m)^\s*install\(([^()]*)\)", text)
        assert len(calls) == len(re.findall(r"\binstall\(", text)), f"cmake/{name}.cmake has a call that is not understood"
        for what in calls:
            words = re.sub(r"\$\{(\w+)\}", lambda found: FOLDERS.get(found[1], found[0]), what).split()
            folder = words[words.index("DESTINATION") + 1]
            names = {"FILES": [os.path.basename(file) for file in words[1:words.index("DESTINATION")]],
                     "TARGETS": TARGETS.get(words[1], [])}.get(words[0], [""])
            yield from (os.path.join(folder, name).rstrip("/") for name in names)


def takes(line, path):
    """Whether a line of a .install file takes the path: a name of it, or of a folder that it is in."""
    line, path = line.split("/"), path.split("/")
    return len(line) <= len(path) and all(fnmatch.fnmatchcase(have, want) for want, have in zip(line, path))


class Release(unittest.TestCase):
    def test_every_file_tells_the_version(self):
        for pattern, *path in ((r"\Aareia \(([^-)]+)", "debian", "changelog"),
                               (r'{% set version = "(.*?)"', "packaging", "conda", "meta.yaml"),
                               (r'(?m)^    version\("(.*?)"', "packaging", "spack", "package.py"),
                               (r"/areia-([\d.]+)\.tar", "packaging", "spack", "package.py"),
                               (r'<release version="(.*?)"', "packaging", "areia.metainfo.xml"),
                               (r"(?m)^version: (.*)$", "CITATION.cff")):
            with self.subTest("/".join(path)):
                self.assertEqual(re.search(pattern, read(*path))[1], version)
        self.assertIn(version, re.search(r"(?m)^## \[.*$", read("CHANGELOG.md"))[0])

    def test_the_package_of_the_library_is_named_by_its_soname(self):
        self.assertEqual(set(re.findall(r"libareia[\d.]+", read("debian", "control"))), {"libareia" + soname})
        self.assertTrue(os.path.exists(os.path.join(source, "debian", f"libareia{soname}.install")))
        self.assertIn("VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}",
                      read("cmake", "install.cmake"))

    def test_every_installed_path_belongs_to_a_package(self):
        lines = []
        for name in os.listdir(os.path.join(source, "debian")):
            if name.endswith(".install"):
                lines += read("debian", name).split()
        paths = ["usr/" + path for path in installed()]
        self.assertFalse([path for path in paths if re.search(r"\$\{CMAKE|\$\{AREIA", path)], "folders that FOLDERS lacks")
        self.assertIn("usr/bin/areia", paths)
        for path in paths:
            with self.subTest(path):
                self.assertTrue(any(takes(line, path) for line in lines))
        for line in lines:  # dh_install fails where a line takes nothing
            with self.subTest(line):
                self.assertTrue(any(takes(line, path) for path in paths))


if __name__ == "__main__":
    unittest.main(verbosity=2)
