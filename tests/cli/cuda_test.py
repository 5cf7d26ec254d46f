"""--engine cuda where there is no GPU, and cases that it does not do: told before anything starts, nothing written."""
import os
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
        other = self.path("other.so")
        with open(self.path("other.c"), "w") as file:
            file.write('const char* areia_cuda_version(void) { return "0.0.1 0"; }\n')
        subprocess.run(["cc", "-shared", "-fPIC", "-o", other, self.path("other.c")], check=True)
        self.refused("01_head_on_impact", "its library belongs to version 0.0.1 0", other)


if __name__ == "__main__":
    areia.main()
