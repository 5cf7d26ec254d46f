"""areia film and areia report: what they write, and what they refuse."""
import os
import re
import shutil
import stat

import areia

# HTML in the title: a report must show it as text.
CASE = areia.BALL.replace('title = "', 'title = "<script>alert(1)</script> & ', 1) if 'title = "' in areia.BALL else \
    'title = "<script>alert(1)</script> & \\"ação\\""\n' + areia.BALL


class Pictures(areia.Case):
    def run_ball(self):
        self.write("case.toml", CASE)
        self.expect(0, "run", "case.toml", "--quiet")

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def fake_ffmpeg(self, script):
        os.makedirs(self.path("bin"), exist_ok=True)
        program = self.path("bin/ffmpeg")
        with open(program, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        os.environ["PATH"] = self.path("bin") + ":/usr/bin:/bin"

    def setUp(self):
        super().setUp()
        self.kept_path = os.environ["PATH"]

    def tearDown(self):
        os.environ["PATH"] = self.kept_path
        super().tearDown()

    def test_film(self):
        self.run_ball()
        small = ("--size", "64x48")
        frames = len([f for f in os.listdir(self.path("case.out/frames")) if f.startswith("particles_")])
        # without ffmpeg: pictures, and what to do with them
        os.makedirs(self.path("empty"), exist_ok=True)
        os.environ["PATH"] = self.path("empty")
        said = self.expect(0, "film", "case.out", "--out", "a.mp4", *small)
        self.assertIn("no ffmpeg here", said)
        self.assertEqual(len([f for f in os.listdir(self.path("a")) if f.endswith(".png")]), frames)
        self.assertFalse(os.path.exists(self.path("a.mp4")))
        self.expect(0, "film", "case.out", "--out", "numbered", *small)
        self.assertTrue(self.read_bytes("numbered/frame_000000.png").startswith(b"\x89PNG"))
        # all bytes of all pictures go into it, in one stream; the film appears under its name when it is whole
        self.fake_ffmpeg('for last; do :; done\nwc -c > "${last#file:}"\n')
        self.expect(0, "film", "case.out", "--out", "b.mp4", *small)
        self.assertEqual(int(self.read_bytes("b.mp4")), frames * 64 * 48 * 3)
        self.assertIn("exists already", self.expect(2, "film", "case.out", "--out", "b.mp4", *small))
        self.expect(0, "film", "case.out", "--out", "b.mp4", "--overwrite", *small)
        # one that fails leaves nothing
        self.fake_ffmpeg('for last; do :; done\necho half > "${last#file:}"\nexit 1\n')
        self.assertIn("ffmpeg", self.expect(4, "film", "case.out", "--out", "c.webm", *small))
        self.assertEqual([f for f in os.listdir(self.path("")) if f.startswith("c.webm")], [])
        for wrong, why in ((("--out", "d.avi"), ".mp4"), (("--size", "63x48"), "even"), (("--fps", "0"), "--fps"),
                           (("--cut", "w<1"), "--cut"), (("--cut", "0,0,0,0,0,0"), "--cut"),
                           (("--eye", "1,2,3"), "--target"), (("--eye", "1,2", "--target", "0,0,0"), "--eye"),
                           (("--colour", "taste"), "no such array")):
            self.assertIn(why, self.expect(2, "film", "case.out", *wrong), wrong)
        self.expect(4, "film", "nothing.out")

    @areia.unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "no ffmpeg")
    def test_real_film(self):
        self.run_ball()
        for name, codec in (("film.mp4", "h264"), ("film.webm", "vp9")):
            self.expect(0, "film", "case.out", "--out", name, "--size", "64x48")
            told = areia.subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height",
                                         "-of", "csv=p=0", self.path(name)], capture_output=True, text=True).stdout
            self.assertEqual(told.strip(), f"{codec},64,48")

    def test_render_options(self):
        self.run_ball()
        self.expect(0, "render", "case.out", "--out", "a.png", "--size", "64x48", "--cut", "z<1", "--arrows", "--no-axes")
        self.expect(0, "render", "case.out", "--out", "b.png", "--size", "64x48", "--eye", "0,-3,1", "--target", "0,0,1",
                    "--fov", "40")
        self.assertNotEqual(self.read_bytes("a.png"), self.read_bytes("b.png"))
        self.assertIn("orientation", self.expect(2, "render", "case.out", "--out", "c.png", "--marks"))
        self.expect(2, "render", "case.out", "--eye", "0,0,0", "--target", "0,0,0")

    def test_report(self):
        self.run_ball()
        self.expect(0, "report", "case.out", "--size", "96x72")
        with open(self.path("case.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("<script", page)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt; &amp;", page)
        with open(self.path("case.out/summary.json")) as file:
            self.assertIn(areia.json.load(file)["state_hash"], page)
        for part in ("Energy ledger", "time step", "What the program chose", "Warnings", "[materials."):
            self.assertIn(part, page)
        self.assertGreaterEqual(page.count("data:image/png;base64,"), 2)
        self.assertGreaterEqual(page.count("data:image/svg+xml;base64,"), 2)
        # nothing from elsewhere: every address is within the page
        self.assertEqual([a for a in re.findall(r'(?:src|href)="([^"]*)"', page) if not a.startswith("data:")], [])
        self.assertIn("default-src 'none'", page)
        self.assertIn("exists already", self.expect(2, "report", "case.out"))
        self.expect(0, "report", "case.out", "--overwrite", "--size", "96x72")
        self.assertIn(".html", self.expect(2, "report", "case.out", "--out", "page.pdf"))
        self.expect(4, "report", "nothing.out")
        os.makedirs(self.path("empty.out"))
        self.assertIn("no case.toml there", self.expect(4, "report", "empty.out"))
        self.write("case.out/summary.json", "[1")
        self.assertIn("damaged", self.expect(4, "report", "case.out", "--out", "other.html", "--size", "96x72"))


if __name__ == "__main__":
    areia.main()
