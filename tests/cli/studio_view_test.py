"""What the server of areia studio answers for the picture of a run: frames in parts, pictures, histories; and what it
refuses of them."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading

import areia
from studio_test import Server, WITHOUT, has_studio, unpack

LOOK = {"width": 200, "height": 150, "samples": 1, "eye": [0.3, -0.4, 0.3], "target": [0, 0, 0.05], "up": [0, 0, 1],
        "field_of_view": 26, "height_along": [0, 0, 1], "colour": "velocity.length", "low": 0, "high": 1,
        "table": "ff8000" * 256, "walls": True, "chains": False}


@areia.unittest.skipUnless(has_studio(), WITHOUT)
class StudioView(areia.Case):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="areia-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        with open(os.path.join(cls.made, "grains.toml"), "w") as file:
            file.write(areia.GRAINS)
        subprocess.run([areia.program, "run", "grains.toml", "--out", "all/a", "--quiet", "--set",
                        "stages.flow.duration=0.001"], cwd=cls.made, check=True)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        self.server = Server(self.path("all"), "--port", "0")
        self.addCleanup(self.server.end)
        self.frames = self.server.json("/api/run", run="a")["frames"]
        self.last = self.frames[-1]["index"]

    def frame(self, index, **query):
        status, body = self.server.ask("/api/frame", run="a", index=index, **query)
        self.assertEqual(status, 200, body)
        return unpack(body)

    def picture(self, look=None, client="me", **changed):
        return self.server.ask("/api/picture", run="a", index=self.last, client=client,
                               look=json.dumps({**LOOK, **changed}) if look is None else look)

    def test_what_does_not_change_travels_once(self):
        head, arrays = self.frame(self.frames[0]["index"])
        for name in ("id", "radius", "material", "group", "wall_corner", "wall_edge"):
            self.assertIn(name, arrays)
        self.assertNotIn("line", arrays)
        _, rest = self.frame(self.frames[0]["index"], have=f"{head['grains']},{head['shapes']}")
        self.assertEqual(sorted(rest), ["position"])
        later, rest = self.frame(self.last, have=head["grains"])
        self.assertEqual(later["grains"], head["grains"])
        self.assertNotIn("radius", rest)
        self.assertEqual(later["count"], len(arrays["id"]))
        self.assertIn("radius", self.frame(self.last, have="g0000000000000000,w0")[1])

    def test_parts_of_vectors(self):
        _, arrays = self.frame(self.last, arrays="velocity,velocity.length,velocity.x,velocity.w,nothing.x,radius.y")
        v = arrays["velocity"]
        self.assertEqual(list(arrays["velocity.x"]), list(v[0::3]))
        for k in range(0, len(v) // 3, 7):
            self.assertAlmostEqual(arrays["velocity.length"][k], sum(c * c for c in v[3 * k:3 * k + 3]) ** 0.5, 6)
        for name in ("velocity.w", "nothing.x", "radius.y"):
            self.assertNotIn(name, arrays)

    def test_the_range_of_the_scale_is_told(self):
        head, arrays = self.frame(self.last, colour="velocity.length")
        speeds = arrays["velocity.length"]
        self.assertEqual(head["range"]["low"], 0)
        self.assertAlmostEqual(head["range"]["high"], max(speeds), 6)
        self.assertFalse(head["range"]["beyond"] or head["range"]["at_rest"])
        head, arrays = self.frame(self.last, colour="height", up="0,0,2")
        heights = [head["origin"][2] + z for z in arrays["position"][2::3]]
        self.assertAlmostEqual(head["range"]["low"], min(heights), 6)
        for value, height in zip(arrays["height"], heights):
            self.assertAlmostEqual(value, height, 6)
        head, arrays = self.frame(self.last, colour="velocity.z")
        self.assertEqual((round(head["range"]["low"], 6), round(head["range"]["high"], 6)),
                         (round(min(arrays["velocity.z"]), 6), round(max(arrays["velocity.z"]), 6)))
        head, arrays = self.frame(self.last, colour="radius")
        self.assertAlmostEqual(head["range"]["high"], max(arrays["radius"]), 9)
        for name in ("", "nothing", "velocity.q", "radius.x", "position.x.y"):
            self.assertNotIn("range", self.frame(self.last, colour=name)[0], name)
        for up in ("x", "1,2", "0,0,0", "1,2,3,4", "1,1,1e999", '"a","b","c"', "[1,2,3]"):
            self.assertEqual(self.server.ask("/api/frame", run="a", index=self.last, colour="height", up=up)[0], 400, up)

    def test_grains_at_rest(self):
        """They move less than a thousandth of their radius from the first to the last frame."""
        slow = areia.GRAINS.replace("[walls.floor]", "velocity = [1e-6, 0, 0]\n\n[walls.floor]").replace("-9.81", "0")
        self.write("slow.toml", slow[:slow.rindex("[[stages]]")] + slow[slow.rindex("[output]"):])
        self.expect(0, "run", "slow.toml", "--out", "all/slow", "--quiet", "--set", "stages.settle.duration=0.02")
        index = self.server.json("/api/run", run="slow")["frames"][-1]["index"]
        head, arrays = unpack(self.server.ask("/api/frame", run="slow", index=index, colour="velocity.length")[1])
        self.assertTrue(head["range"]["at_rest"])
        mean = sum(arrays["radius"]) / len(arrays["radius"])
        self.assertAlmostEqual(head["range"]["high"], 1e-3 * mean / 0.02, 9)

    def test_lines_when_asked_for(self):
        head, arrays = self.frame(self.last, lines="range")
        self.assertGreater(head["chains"]["count"], 0)
        self.assertNotIn("line", arrays)
        whole, arrays = self.frame(self.last, lines="all")
        self.assertEqual(whole["chains"], head["chains"])
        self.assertEqual(len(arrays["line_force"]), head["chains"]["count"])
        self.assertEqual(self.server.ask("/api/frame", run="a", index=self.last, lines="some")[0], 400)

    def test_pictures(self):
        status, body = self.picture()
        self.assertEqual(status, 200, body[:200])
        self.assertEqual(body[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(body[16:20], "big"), int.from_bytes(body[20:24], "big")), (200, 150))
        self.assertEqual(self.picture()[1], body)
        others = [self.picture(**change)[1] for change in
                  ({"table": "0080ff" * 256}, {"dark": True}, {"cuts": [[0, 0, 1, 0.0]]}, {"chains": True}, {"samples": 2},
                   {"eye": [0.5, -0.4, 0.3]}, {"box": [9, 9, 9, 10, 10, 10]}, {"walls": False})]
        for k, other in enumerate(others):
            self.assertEqual(other[:4], b"\x89PNG", (k, other[:200]))
            self.assertNotEqual(other, body, k)
        # nothing is left of grains outside of the box, but the pale ones
        self.assertNotEqual(self.picture(box=[9, 9, 9, 10, 10, 10], fades=True)[1], others[6])

    def test_looks_that_are_refused(self):
        nan = float("nan")
        for change in ({"width": 0}, {"width": 5000}, {"height": 1e9}, {"width": 12.5}, {"width": "200"}, {"samples": 9},
                       {"width": 4096, "height": 4096, "samples": 3}, {"eye": [0, 0]}, {"eye": ["a", "b", "c"]},
                       {"eye": LOOK["target"]}, {"eye": None}, {"up": [0, 0, 0]}, {"field_of_view": 0},
                       {"field_of_view": 180}, {"height_along": [0, 0, 0]}, {"table": "ff"}, {"table": "zz" * 768},
                       {"table": 3}, {"colour": 7}, {"colour": "nothing"}, {"colour": "velocity.q"}, {"low": None},
                       {"low": nan}, {"cuts": 3}, {"cuts": [[0, 0, 1]]}, {"cuts": [[0, 0, 0, 1]]},
                       {"cuts": [[0, 0, 1, 0]] * 7}, {"groups": "all"}, {"groups": [1]}, {"box": [1, 2]}):
            status, body = self.picture(**change)
            self.assertEqual(status, 422, (change, body[:200]))
            self.assertIn("error", json.loads(body))
        for text in ("", "{", "[]", "null", "3", "[" * 3000, '{"width": 1e999}', "\xff\xfe"):
            self.assertEqual(self.picture(look=text)[0], 422, text[:20])
        for key in ("width", "eye", "target", "table", "colour"):
            self.assertEqual(self.picture(look=json.dumps({k: v for k, v in LOOK.items() if k != key}))[0], 422, key)
        self.assertIn(self.picture(look=json.dumps({**LOOK, "colour": "x" * 20000}))[0], (413, 431))
        self.assertEqual(self.picture()[0], 200)

    def test_newer_pictures_of_a_client_come_first(self):
        self.server.process.send_signal(signal.SIGSTOP)  # it finds all of them when it goes on
        asked = [(client, self.server.send("/api/picture", run="a", index=self.last, client=client, look=json.dumps(
            {**LOOK, "width": 1500, "height": 1200, "samples": 2}))) for client in ["mover"] * 12 + [str(k) for k in range(6)]]
        self.server.process.send_signal(signal.SIGCONT)
        answers = [(client, self.server.take(connection)[0]) for client, connection in asked]
        self.assertEqual({status for client, status in answers if client != "mover"}, {200})
        mover = [status for client, status in answers if client == "mover"]
        self.assertIn(200, mover)
        self.assertIn(204, mover)  # also one that was being drawn when another came
        self.assertEqual(set(mover), {200, 204})
        # many clients are many names, not more memory
        for k in range(200):
            self.assertEqual(self.picture(client=f"{k}" * 50)[0], 200)

    def test_other_answers_do_not_wait_for_pictures(self):
        begun = threading.Thread(target=lambda: self.picture(width=1900, height=1500, samples=2))
        begun.start()
        self.assertEqual(len(self.server.json("/api/runs")["runs"]), 1)
        begun.join()

    def test_histories(self):
        head, arrays = self.frame(self.last)
        particle = int(arrays["id"][5])
        values = []
        while len(values) < len(self.frames):
            more = self.server.json("/api/history", run="a", id=particle, arrays="velocity", **{"from": len(values)})
            self.assertEqual(more["from"], len(values))
            self.assertGreater(len(more["values"]), 0)
            values += more["values"]
        self.assertEqual(len(values), len(self.frames))
        exact = self.server.json("/api/particle", run="a", index=self.last, id=particle)
        self.assertEqual(values[-1]["velocity"], exact["velocity"])
        self.assertEqual(values[-1]["position"], exact["position"])
        self.assertNotIn("force", values[-1])
        wall = head["walls"][0]
        of_wall = self.server.json("/api/history", run="a", wall=wall["name"], **{"from": len(self.frames) - 1})["values"]
        self.assertEqual(of_wall[0]["force"], wall["force"])
        self.assertEqual(self.server.json("/api/history", run="a", wall="../a", **{"from": 0})["values"][0], None)
        self.assertEqual(self.server.json("/api/history", run="a", id=-5, **{"from": 0})["values"][0], None)
        self.assertEqual(self.server.json("/api/history", run="a", id=0, **{"from": 10 ** 9})["values"], [])
        for query in ({"from": 0}, {"from": -1, "id": 0}, {"from": "x", "id": 0}, {"from": 0, "id": 0, "wall": "floor"},
                      {"from": 0, "id": "1e3"}, {"id": 0}):
            self.assertEqual(self.server.ask("/api/history", run="a", **query)[0], 400, query)

    def test_damaged_frames_are_told(self):
        path = self.path("all", "a", "frames", f"particles_{self.last:06}.vtp")
        with open(path, "rb") as file:
            whole = file.read()
        os.remove(path)
        with open(path, "wb") as file:
            file.write(whole[:len(whole) // 2])
        for route, query in (("/api/frame", {}), ("/api/particle", {"id": 0}),
                             ("/api/picture", {"client": "me", "look": json.dumps(LOOK)}),
                             ("/api/history", {"id": 0, "from": len(self.frames) - 1})):
            status, body = self.server.ask(route, run="a", index=self.last, **query)
            self.assertEqual(status, 422, (route, body[:200]))
            self.assertIn(f"particles_{self.last:06}.vtp", json.loads(body)["error"])

    def test_pictures_only_of_frames_that_are_there(self):
        for index in ("-1", "999999", "", "x"):
            self.assertEqual(self.server.ask("/api/picture", run="a", index=index, client="me", look=json.dumps(LOOK))[0], 404)
        self.assertEqual(self.server.ask("/api/picture", run="../a", index=0, look=json.dumps(LOOK))[0], 404)


if __name__ == "__main__":
    areia.main()
