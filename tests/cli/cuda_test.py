"""--engine cuda where there is no GPU, and cases that it does not do: told before anything starts, nothing written."""
import ctypes
import glob
import os
import shutil
import subprocess

import areia


class Cuda(areia.Case):
    def refused(self, example, words, library=None):
        case = os.path.join(areia.source, "examples", example, "case.toml")
        told = self.expect(2, "run", case, "--engine", "cuda", "--out", "out",
                           environment={"AREIA_CUDA": library} if library else None)
        self.assertIn(words, told)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_what_a_device_does_not_do(self):
        self.refused("12_bonded_beam", "does not do all of this case yet: bonds; take --engine cpu")
        self.refused("10_mesh_hopper", "a mesh")
        self.refused("13_implicit_impact", "numerics.scheme")
        self.refused("17_hard_gas", "numerics.engine")

    def test_no_device(self):
        line = next(line for line in self.expect(0, "info").splitlines() if line.startswith("engines"))
        if "cuda (no: " not in line:
            self.skipTest("there is a GPU here")  # then tests/device/engine_test.py is the test
        why = line.split("cuda (no: ")[1].rstrip(")")
        self.refused("01_head_on_impact", "there is no device here: " + why)

    def test_a_library_that_does_not_belong_here(self):
        self.refused("01_head_on_impact", "its library cannot be opened", os.path.abspath(__file__))
        self.refused("01_head_on_impact", "its library belongs to version 0.0.1 0", self.other("other.so"))

    def other(self, *where):
        """A library of another version, which says by its refusal that it was found."""
        library = self.path(os.path.join(*where))
        os.makedirs(os.path.dirname(library), exist_ok=True)
        with open(self.path("other.c"), "w") as file:
            file.write('const char* areia_cuda_version(void) { return "0.0.1 0"; }\n')
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, self.path("other.c")], check=True)
        return library

    def test_where_a_program_is_installed(self):
        self.other("prefix", areia.build_cache()["CMAKE_INSTALL_LIBDIR"], "areia", "libareia_cuda.so")
        os.makedirs(self.path("prefix/bin"))
        installed = shutil.copy(areia.program, self.path("prefix/bin/areia"))
        told = subprocess.run([installed, "info"], capture_output=True, text=True, check=True).stdout
        self.assertIn("its library belongs to version 0.0.1 0", told)

    def test_where_the_shared_library_is_installed(self):
        shared = glob.glob(os.path.join(os.path.dirname(areia.program), "libareia.so.*.*.*"))
        if not shared:
            self.skipTest("there is no shared library in this build")
        self.other("there", "areia", "libareia_cuda.so")
        library = ctypes.CDLL(shutil.copy(shared[0], self.path("there/libareia.so")))
        found = library["_ZN5areia4cuda12found_deviceEv"]  # two std::string: the name, why there is none
        found.restype = ctypes.POINTER(ctypes.c_char_p * 8)
        self.assertIn(b"its library belongs to version 0.0.1 0", found().contents[4])


if __name__ == "__main__":
    areia.main()
