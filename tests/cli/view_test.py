"""The script for ParaView: what areia view starts, and where ParaView is installed, the picture that it draws."""
import os
import shutil
import stat
import subprocess

import areia


class View(areia.Case):
    def setUp(self):
        super().setUp()
        case = self.write("grains.toml", areia.GRAINS)
        self.expect(0, "run", case, "--out", "a", "--quiet", "--set", 'title="it\'s \\"\\"\\" a\\ttitle"',
                    "--set", "stages.flow.duration=0.001")

    def test_starts_paraview_on_the_script(self):
        os.mkdir(self.path("bin"))
        with open(self.path("bin", "paraview"), "w") as file:
            file.write('#!/bin/sh\necho "$@" "$AREIA_RESULTS"\n')
        os.chmod(self.path("bin", "paraview"), stat.S_IRWXU)
        with_it = {"PATH": self.path("bin") + ":" + os.environ["PATH"]}
        folder = os.path.realpath(self.path("a"))
        self.assertEqual(self.expect(0, "view", "a", environment=with_it).split(),
                         [f"--script={folder}/view.py", folder])
        os.mkdir(self.path("none"))
        self.assertIn("ParaView is not installed", self.expect(4, "view", "a", environment={"PATH": self.path("none")}))
        self.assertIn("no such results folder", self.expect(4, "view", "b", environment=with_it))
        os.remove(self.path("a", "view.py"))
        self.assertIn("view.py: not there", self.expect(4, "view", "a", environment=with_it))

    def test_is_python(self):
        with open(self.path("a", "view.py")) as file:
            compile(file.read(), "view.py", "exec")

    @areia.unittest.skipUnless(shutil.which("pvbatch") and shutil.which("xvfb-run"), "ParaView is not installed")
    def test_draws_a_picture(self):
        from vtkmodules.vtkIOImage import vtkPNGReader
        from vtkmodules.util.numpy_support import vtk_to_numpy
        seen = []
        for words in (["a.png"], ["b.png", "solid"]):
            done = subprocess.run(["xvfb-run", "-a", "pvbatch", self.path("a", "view.py"), *words], cwd=self.folder,
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            reader = vtkPNGReader()
            reader.SetFileName(self.path(words[0]))
            reader.Update()
            pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
            coloured = ((pixels.max(axis=1) - pixels.min(axis=1)) > 60).mean()
            seen.append(coloured)
            self.assertGreater(pixels.shape[0], 1000000)
        self.assertGreater(seen[1], 0.05)  # grains fill a good part of the picture,
        self.assertGreater(seen[1], 1.3 * seen[0])  # and through glass ones the white behind is seen


if __name__ == "__main__":
    areia.main()
