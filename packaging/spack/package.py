# Not tested. Address and checksum are those of a release (make dist).
from spack.package import *


class Areia(CMakePackage, CudaPackage):
    """Discrete element simulator for granular materials, with the same bits on any number of threads."""

    homepage = "https://example.org"
    url = "https://example.org/areia-0.1.0.tar.gz"
    license("Apache-2.0")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")
    variant("python", default=True, description="The Python module")

    generator("ninja")
    requires("%gcc@12:", "%clang@14:", policy="one_of", msg="C++20")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11")
    depends_on("expat")
    depends_on("fmt")
    depends_on("freetype")
    depends_on("hdf5~mpi")
    depends_on("libpng")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("cuda@12:", when="+cuda")
    with when("+python"):
        extends("python")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type=("build", "run"))

    def cmake_args(self):
        # DejaVuSans.ttf is looked for on the system; AREIA_FONT names another place
        args = [
            self.define("AREIA_TESTS", False),
            self.define_from_variant("AREIA_CUDA", "cuda"),
            self.define_from_variant("AREIA_PYTHON", "python"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("AREIA_PYTHON_EXECUTABLE", python.path))
        return args
