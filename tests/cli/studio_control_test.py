"""What the page of areia studio can change: cases are edited, runs are started, paused and resumed. Nothing outside of the
folder is written or signalled, whatever is asked for."""
import json
import os
import signal
import subprocess
import threading
import time

import areia
from studio_test import PATIENCE, Server as Looking, WITHOUT, has_studio, unpack
from studio_view_test import LOOK

ROUTES = {"/api/save": {"case": "a.toml", "text": "", "version": ""}, "/api/check": {"case": "a.toml", "text": ""},
          "/api/example": {"name": "01_head_on_impact"}, "/api/start": {"case": "a.toml"}, "/api/stop": {"run": "a.out"},
          "/api/resume": {"run": "a.out"}}
LONGER, LONG = (areia.GRAINS[:areia.GRAINS.rindex('"0.2 s"')] + f'{duration}\n[output]\nframes = "10 ms"\n' for duration in (2, 1000))


class Server(Looking):
    def post(self, path, body, headers=None, token=True):
        """Status, and what came back as JSON where it is that."""
        given = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json", **(headers or {})}
        data = body if isinstance(body, (str, bytes)) else json.dumps(body)
        status, got = self.ask(path, method="POST", body=data, token=token,
                               headers={k: v for k, v in given.items() if v is not None})
        return status, got if got.startswith(b"ARM1") else json.loads(got)


@areia.unittest.skipUnless(has_studio(), WITHOUT)
class Control(areia.Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("all", "deep"))
        self.write("all/a.toml", areia.GRAINS)
        self.server = Server(self.path("all"), "--port", "0")
        self.addCleanup(self.server.end)
        self.addCleanup(self.end_runs)

    def end_runs(self):
        """Those that the server started outlive it, and one that was just resumed has not written its number yet."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                if b"run" in words and any(self.folder.encode() in word for word in words):
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass

    def heartbeat(self, folder):
        with open(os.path.join(folder, "heartbeat.json")) as file:
            return json.load(file)

    def ok(self, path, body):
        status, got = self.server.post(path, body)
        self.assertEqual(status, 200, got)
        return got

    def state(self, run):
        return self.server.json("/api/run", run=run)

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                self.fail("waited in vain")
            time.sleep(0.05)

    def until_state(self, run, state):
        self.until(lambda: self.state(run)["state"] == state)

    def steps(self, run):
        return os.path.exists(self.path("all", run, "heartbeat.json")) and self.heartbeat(self.path("all", run))["step"] > 0

    def check(self, text, case="a.toml"):
        head, arrays = unpack(self.ok("/api/check", {"case": case, "text": text}))
        return head, arrays

    # --- cases --------------------------------------------------------------------------------------------------------
    def test_lists_cases_and_nothing_else(self):
        self.write("all/deep/b.toml", 'title = "Another <b>one</b>"\n' + areia.BALL.split("\n", 1)[1])
        self.write("all/pyproject.toml", "[project]\nname = 'x'\n")
        self.write("all/.hidden.toml", areia.GRAINS)
        self.write("outside.toml", areia.GRAINS)
        os.symlink(self.path("outside.toml"), self.path("all", "link.toml"))
        self.expect(0, "run", self.path("all/a.toml"), "--out", "all/r", "--quiet", "--set", "stages.flow.duration=1e-4")
        self.assertEqual([c["path"] for c in self.server.json("/api/cases")], ["a.toml", "deep/b.toml"])

    def test_reads_and_saves(self):
        read = self.server.json("/api/file", case="a.toml")
        self.assertEqual(read["text"], areia.GRAINS)
        text = "# mine: ä\n" + areia.GRAINS
        saved = self.ok("/api/save", {"case": "a.toml", "text": text, "version": read["version"]})
        with open(self.path("all/a.toml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), text)
        self.assertEqual(self.server.json("/api/file", case="a.toml")["version"], saved["version"])
        # somebody else was faster
        self.assertEqual(self.server.post("/api/save", {"case": "a.toml", "text": "x", "version": read["version"]})[0], 409)
        self.assertEqual(self.server.post("/api/save", {"case": "a.toml", "text": "x", "version": ""})[0], 409)
        with open(self.path("all/a.toml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), text)
        # a new one
        self.ok("/api/save", {"case": "deep/new.toml", "text": "x", "version": ""})
        self.assertEqual(sorted(os.listdir(self.path("all", "deep"))), ["new.toml"])

    def test_checks_with_the_words_of_areia_check(self):
        wrong = areia.GRAINS.replace("[materials.", "# a line\n[materials.", 1) + "\n[output]\nframse = 3\n"
        self.write("all/wrong.toml", wrong)
        told = self.expect(2, "check", self.path("all/wrong.toml"))
        head, _ = self.check(wrong, "wrong.toml")
        self.assertGreater(len(head["check"]["problems"]), 0)
        for p in head["check"]["problems"]:
            self.assertEqual(p["file"], "wrong.toml")
            line, = [t for t in told.splitlines() if f"wrong.toml:{p['line']}: {p['key']}" in t]
            self.assertIn(p["rule"], line)
        self.assertEqual(self.check("title = [")[0]["check"]["problems"][0]["line"], 1)
        # a name that looks like an option is a name
        self.assertEqual(self.check(wrong, "--help.toml")[0]["check"]["problems"][0]["file"], "--help.toml")
        # the same as JSON on the command line
        code, out, _ = self.areia("check", "--json", self.path("all/wrong.toml"))
        self.assertEqual((code, len(json.loads(out)["problems"])), (2, len(head["check"]["problems"])))

    def test_shows_the_scene_and_what_was_chosen(self):
        head, arrays = self.check(areia.GRAINS)
        found = head["check"]
        self.assertEqual(found["problems"], [])
        self.assertEqual([c["what"] for c in found["choices"]], ["time step", "skin", "cell", "threads"])
        for choice in found["choices"]:
            self.assertGreater(len(choice["reason"]), 3)
        self.assertEqual(len(arrays["id"]), found["particles"])
        self.assertGreater(found["particles"], 0)
        self.assertEqual(len(arrays["outline"]), 0)
        self.assertEqual(len(head["up"]), 3)
        # a packing that has to be computed is its region: a cylinder, two rings of 32 lines and four along it
        with open(os.path.join(areia.source, "examples", "16_dense_packing", "case.toml")) as file:
            packed = file.read()
        began, busy = time.monotonic(), self.server.processor_time()
        head, arrays = self.check(packed)
        took, busy = time.monotonic() - began, self.server.processor_time() - busy
        self.assertEqual(head["check"]["problems"], [])
        self.assertEqual(len(arrays["outline"]), (2 * 32 + 4) * 2 * 3)
        self.assertFalse(head["check"]["complete"])
        if areia.is_plain_release():
            self.assertLess(busy, 1)
        print(f"a check of a packing in {took:.3f} s, {busy:.2f} s of a processor")

    def test_draws_the_scene_for_browsers_without_webgl(self):
        look = {**LOOK, "colour": "height"}

        def picture(text=areia.GRAINS, **changed):
            return self.server.ask("/api/check", method="POST", headers={
                "Origin": f"http://127.0.0.1:{self.server.port}", "Content-Type": "application/json"}, body=json.dumps(
                {"case": "a.toml", "text": text, "look": json.dumps({**look, **changed})}))

        status, png = picture()
        self.assertEqual((status, png[:4]), (200, b"\x89PNG"), png[:200])
        self.assertNotEqual(picture(eye=[0.5, -0.4, 0.3])[1], png)
        # a packing that has to be computed is seen as its region
        with open(os.path.join(areia.source, "examples", "16_dense_packing", "case.toml")) as file:
            packed = file.read()
        outlined = picture(packed, eye=[1, -1.5, 1.2], target=[0, 0, 0.1])[1]
        self.assertEqual(outlined[:4], b"\x89PNG", outlined[:200])
        self.assertNotEqual(picture(packed, eye=[1, 1.5, 99], target=[0, 0, 98])[1], outlined)
        for text in ("x = 1", "", areia.GRAINS + '[particles.more]\nmaterial = "grain"\nfile = "../secret.csv"\n'):
            self.assertEqual(picture(text)[0], 422, text[-40:])
        for changed in ({"width": 0}, {"colour": "nothing"}, {"table": "zz"}, {"eye": None}):
            self.assertEqual(picture(**changed)[0], 422, changed)
        self.assertEqual(picture(groups=["x" * 20000])[0], 413)
        self.assertEqual(self.server.post("/api/check", {"case": "a.toml", "text": "", "look": 7})[0], 400)

    def test_a_check_gets_no_more_than_its_share(self):
        huge = areia.GRAINS + '\n[particles.huge]\nmaterial = "grain"\nradius = 1e-6\nfill = { method = "cubic", region = { box = [[5, 5, 5], [9, 9, 9]] } }\n'
        status, got = self.server.post("/api/check", {"case": "a.toml", "text": huge})
        if status == 200:
            self.assertGreater(len(unpack(got)[0]["check"]["problems"]), 0)
        else:
            self.assertEqual(status, 503, got)
        self.assertEqual(len(self.server.json("/api/cases")), 1)

    def test_files_outside_are_not_read(self):
        self.write("secret.csv", "x,y,z\n1,2,3\n")
        os.symlink(self.path("secret.csv"), self.path("all", "link.csv"))
        for name in ("../secret.csv", self.path("secret.csv"), "link.csv", "deep/../../secret.csv"):
            text = areia.GRAINS + f'\n[particles.more]\nmaterial = "grain"\nradius = 0.001\nfile = "{name}"\n'
            problem, = self.check(text)[0]["check"]["problems"]
            self.assertIn("outside", problem["rule"])
            self.assertEqual(problem["line"], text.splitlines().index(f'file = "{name}"') + 1)
            self.write("all/b.toml", text)
            status, got = self.server.post("/api/start", {"case": "b.toml"})
            self.assertEqual(status, 422, got)
        self.assertEqual(sorted(os.listdir(self.path("all"))), ["a.toml", "b.toml", "deep", "link.csv"])

    def test_schema_and_examples(self):
        self.assertIn("materials", self.server.json("/api/schema")["properties"])
        names = [e["name"] for e in self.server.json("/api/examples")]
        self.assertIn("10_mesh_hopper", names)
        made = self.ok("/api/example", {"name": "10_mesh_hopper"})
        self.assertEqual(made["case"], "10_mesh_hopper/case.toml")
        self.assertTrue(os.path.exists(self.path("all", "10_mesh_hopper", "hopper.stl")))
        self.assertEqual(self.ok("/api/example", {"name": "10_mesh_hopper"})["case"], "10_mesh_hopper-2/case.toml")
        self.assertEqual(self.check(self.server.json("/api/file", case=made["case"])["text"], made["case"])[0]["check"]["problems"], [])
        self.assertEqual(self.server.ask("/api/example_picture", name="10_mesh_hopper")[1][1:4], b"PNG")
        for name in ("", "..", "../examples/10_mesh_hopper", "/etc", "impact", "a\0b"):
            self.assertIn(self.server.post("/api/example", {"name": name})[0], (404, 422), name)
            self.assertIn(self.server.ask("/api/example_picture", name=name)[0], (400, 404), name)

    # --- runs ---------------------------------------------------------------------------------------------------------
    def test_a_run_that_is_paused_and_resumed_has_the_hash_of_an_unbroken_one(self):
        self.write("all/a.toml", LONGER)
        self.expect(0, "run", self.path("all/a.toml"), "--out", "whole", "--quiet", "--threads", "1")
        run = self.ok("/api/start", {"case": "a.toml"})["run"]
        self.assertEqual(run, "a.out")
        self.until(lambda: self.steps(run))
        pid = self.heartbeat(self.path("all", run))["pid"]
        os.kill(pid, signal.SIGSTOP)  # it stays where it is, however slow this test is
        try:
            shown = self.state(run)
            self.assertEqual(shown["state"], "running")
            self.assertGreater(shown["beat"], time.time() - 60)
            self.assertEqual(self.server.post("/api/resume", {"run": run})[0], 422)  # it is at work
            self.ok("/api/stop", {"run": run})
        finally:
            os.kill(pid, signal.SIGCONT)
        self.until_state(run, "paused")
        self.assertEqual(areia.checkpoints(self.path("all", run)) > 0, True)
        self.ok("/api/resume", {"run": run})
        self.until_state(run, "finished")
        self.assertEqual(self.state(run)["hash"], self.hash_of("whole"))
        # another one gets a folder of its own; a finished one can be extended
        self.assertEqual(self.server.post("/api/stop", {"run": run})[0], 409)
        time_before = self.state(run)["time"]
        self.ok("/api/resume", {"run": run, "extend": "1 ms"})
        self.until(lambda: self.state(run)["state"] == "finished" and self.state(run)["time"] > time_before)
        self.assertAlmostEqual(self.state(run)["time"], time_before + 0.001, 9)

    def test_runs_go_on_without_the_server_and_a_killed_one_is_told_and_resumed(self):
        self.write("all/a.toml", LONG)
        begin = int(time.time())
        run = self.ok("/api/start", {"case": "a.toml"})["run"]
        self.until(lambda: self.steps(run))
        pid = self.heartbeat(self.path("all", run))["pid"]
        self.server.process.send_signal(signal.SIGINT)
        self.assertEqual(self.server.process.wait(PATIENCE), 0)
        before = self.heartbeat(self.path("all", run))["step"]
        self.until(lambda: self.heartbeat(self.path("all", run))["step"] > before)
        self.assertNotEqual(os.getpgid(pid), os.getpgid(0))
        again = Server(self.path("all"), "--port", str(self.server.port))  # no run holds on to the port
        self.addCleanup(again.end)
        self.server = again
        self.assertEqual(self.state(run)["state"], "running")
        self.assertGreater(self.state(run)["speed"], 0)
        # one that this server did not start, by its heartbeat
        self.ok("/api/stop", {"run": run})
        self.until_state(run, "paused")
        self.ok("/api/resume", {"run": run})
        self.until(lambda: self.heartbeat(self.path("all", run))["pid"] != pid)
        os.kill(self.heartbeat(self.path("all", run))["pid"], signal.SIGKILL)
        self.until_state(run, "died")
        self.assertGreaterEqual(self.state(run)["beat"], begin)
        self.ok("/api/resume", {"run": run})
        self.until_state(run, "running")

    def test_a_run_that_cannot_begin_says_why(self):
        self.write("all/bad.toml", areia.GRAINS.replace("[materials.", "[mterials.", 1))
        run = self.ok("/api/start", {"case": "bad.toml"})["run"]
        self.until_state(run, "died")
        with open(self.path("all", run, "console.txt")) as file:
            text = file.read()
        self.assertRegex(text, r"^areia studio started this: run .*\n")
        self.assertIn("mterials", text)
        self.assertEqual(self.state(run)["note"], text.splitlines()[-1])

    def test_only_the_process_of_the_run_is_signalled(self):
        """A heartbeat that names another process, or one that is no run any more."""
        self.write("all/a.toml", LONG)
        run = self.ok("/api/start", {"case": "a.toml"})["run"]
        self.until(lambda: self.steps(run))
        pid = self.heartbeat(self.path("all", run))["pid"]
        again = Server(self.path("all"), "--port", "0")  # it does not know whom the first one started
        self.addCleanup(again.end)
        victim = subprocess.Popen(["sleep", "600"])
        self.addCleanup(victim.wait)
        self.addCleanup(victim.kill)
        os.kill(pid, signal.SIGSTOP)  # so that it does not write its heartbeat anew
        try:
            beat = self.heartbeat(self.path("all", run))
            for named in (victim.pid, os.getpid(), again.process.pid, 1, 0, -1, "7", None, 2**40):
                with open(self.path("all", run, "heartbeat.json"), "w") as file:
                    json.dump({**beat, "pid": named}, file)
                self.assertEqual(again.post("/api/stop", {"run": run})[0], 409, named)
            self.assertIsNone(victim.poll())
        finally:
            os.kill(pid, signal.SIGKILL)
        self.until_state(run, "died")
        with open(self.path("all", run, "heartbeat.json"), "w") as file:
            json.dump(beat, file)
        self.assertEqual(again.post("/api/stop", {"run": run})[0], 409)
        self.assertEqual(len(again.json("/api/runs")["runs"]), 1)

    def test_a_run_that_cannot_write_its_heartbeat_goes_on(self):
        self.write("all/a.toml", LONGER)
        process = self.start("run", self.path("all/a.toml"), "--out", "all/r", "--threads", "1", "--quiet")
        beat = self.path("all", "r", "heartbeat.json")
        self.assertTrue(self.wait_for(lambda: os.path.exists(beat), process))
        process.send_signal(signal.SIGSTOP)  # or it writes another one between the next two lines
        os.remove(beat)
        os.mkdir(beat)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertTrue(os.path.isdir(beat))
        self.assertEqual([n for n in os.listdir(self.path("all", "r")) if "areia-part" in n], [])
        self.expect(0, "run", self.path("all/a.toml"), "--out", "whole", "--quiet")
        self.assertEqual(self.hash_of("all/r"), self.hash_of("whole"))
        self.assertEqual(self.state("r")["state"], "finished")

    def test_a_console_of_somebody_else_is_kept(self):
        self.expect(0, "run", self.path("all/a.toml"), "--out", "all/r", "--quiet", "--max-wall", "0.05")
        for put in (lambda p: self.write("all/r/console.txt", "mine"), lambda p: os.symlink(self.path("all/a.toml"), p)):
            path = self.path("all", "r", "console.txt")
            put(path)
            self.assertEqual(self.server.post("/api/resume", {"run": "r"})[0], 422)
            os.remove(path)
        with open(self.path("all/a.toml")) as file:
            self.assertEqual(file.read(), areia.GRAINS)

    def test_a_run_names_the_case_beside_it(self):
        for name in ("a.out", "a-2.out", "deep/a.out", "a-x.out", "b.out", "a"):
            self.expect(0, "run", self.path("all/a.toml"), "--out", f"all/{name}", "--quiet", "--set", "stages.flow.duration=1e-4",
                        "--set", "stages.settle.duration=1e-4")
        os.symlink(self.path("all/a.toml"), self.path("all/b.toml"))
        self.assertEqual([self.state(run)["case_file"] for run in ("a.out", "a-2.out", "deep/a.out", "a-x.out", "b.out", "a")],
                         ["a.toml", "a.toml", "", "", "", ""])

    def test_a_link_that_takes_a_place_leads_nowhere(self):
        """Folders and files are swapped for links to the outside, and back, while the server is asked."""
        self.expect(0, "run", self.path("all/a.toml"), "--out", "all/deep/r", "--quiet", "--set", "stages.flow.duration=1e-4",
                    "--set", "stages.settle.duration=1e-4")
        os.makedirs(self.path("outside/r"))
        with open(self.path("all/deep/r/manifest.txt")) as file:
            manifest = file.read()
        for name, text in (("manifest.txt", manifest), ("log.txt", "secret"), ("case.toml", "secret"), ("state.csv", "secret")):
            self.write(f"outside/r/{name}", text)
        self.write("outside/new.toml", "untouched")
        os.symlink(self.path("outside"), self.path("link"))
        over = threading.Event()

        def swap():
            while not over.is_set():
                for a, b in (("all/deep", "kept"), ("link", "all/deep"), ("all/deep", "link"), ("kept", "all/deep")):
                    os.rename(self.path(a), self.path(b))

        swapping = threading.Thread(target=swap)
        swapping.start()
        try:
            for _ in range(300):
                for route, query in (("/api/log", {"run": "deep/r"}), ("/api/case", {"run": "deep/r"}),
                                     ("/api/series", {"run": "deep/r", "name": "state", "as": "csv"}), ("/api/file", {"case": "deep/new.toml"})):
                    self.assertNotIn(b"secret", self.server.ask(route, **query)[1])
                self.server.post("/api/save", {"case": "deep/new.toml", "text": "mine", "version": ""})
        finally:
            over.set()
            swapping.join()
        with open(self.path("outside/new.toml")) as file:
            self.assertEqual(file.read(), "untouched")

    def test_columns_are_changed_keys_and_results(self):
        for k, mu in enumerate((0.1, 0.2)):
            self.expect(0, "run", self.path("all/a.toml"), "--out", f"all/r{k}", "--quiet", "--set",
                        f"output.series={1e-5 * (k + 1)}", "--set", "stages.flow.duration=1e-4")
        columns = self.server.json("/api/columns")
        self.assertEqual([columns[f"r{k}"]["output.series"] for k in range(2)], [1e-5, 2e-5])
        self.assertEqual(columns["r0"]["steps"], self.summary("all/r0")["steps"])
        self.assertNotIn("stages.flow.duration", columns["r0"])

    # --- attacks ------------------------------------------------------------------------------------------------------
    def test_token_origin_and_kind_of_body(self):
        before = sorted(os.listdir(self.path("all")))
        port = self.server.port
        for path, body in ROUTES.items():
            for headers in ({}, {"X-Areia-Token": "0" * 32}):
                self.assertEqual(self.server.post(path, body, headers=headers, token=False)[0], 401, path)
            self.assertEqual(self.server.post(f"{path}?token={self.server.token}", body, token=False)[0], 401, path)
            for origin in (None, "null", "http://evil.example", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}",
                           f"http://localhost:{port}", f"http://127.0.0.1:{port}.evil.example", ""):
                self.assertEqual(self.server.post(path, body, headers={"Origin": origin})[0], 403, (path, origin))
            self.assertEqual(self.server.post(path, body, headers={"Host": "evil.example"})[0], 403, path)
            for kind in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                self.assertEqual(self.server.post(path, body, headers={"Content-Type": kind})[0], 415, (path, kind))
            for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
                self.assertEqual(self.server.ask(path, method=method)[0], 405, (path, method))
        for path in ("/api/cases", "/api/file", "/api/schema", "/api/examples", "/api/columns", "/", "/editor.js"):
            self.assertEqual(self.server.post(path, {})[0], 405, path)
            self.assertEqual(self.server.ask(path, token=False)[0], 401, path)
        self.assertEqual(sorted(os.listdir(self.path("all"))), before)

    def test_malformed_and_long_bodies(self):
        for path in ROUTES:
            for body in ("", "{", "[]", "null", "3", '"x"', "{}", '{"case": 3, "run": [], "name": {}, "text": null}', b"\xff\xfe\0\0",
                         "[" * 100000, '{"case": 7, "text": 7, "version": 7, "run": 7, "name": 7}'):
                status, _ = self.server.post(path, body)
                self.assertIn(status, (400, 422), (path, body[:40]))
        head = (f"POST /api/save HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nOrigin: http://127.0.0.1:{self.server.port}\r\n"
                f"Content-Type: application/json\r\nX-Areia-Token: {self.server.token}\r\n")
        told = self.server.raw((head + "Content-Length: 1000000000\r\n\r\n").encode() + b"x" * 200000)
        self.assertTrue(told.startswith(b"HTTP/1.1 413"), told[:100])
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        told = self.server.raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + 128 * chunk)
        self.assertTrue(told == b"" or told.startswith(b"HTTP/1.1 413"), told[:100])
        # whoever has no token is not listened to
        told = self.server.raw((head.replace(self.server.token, "0" * 32) + "Content-Length: 2000000\r\n\r\n").encode())
        self.assertTrue(told.startswith(b"HTTP/1.1 401"), told[:100])
        self.assertEqual(self.server.post("/api/save", {"case": "b.toml", "text": "x" * 1100000, "version": ""})[0], 413)
        self.assertEqual(os.listdir(self.path("all", "deep")), [])
        self.assertEqual(sorted(os.listdir(self.path("all"))), ["a.toml", "deep"])

    def test_paths_out_of_the_folder(self):
        self.expect(0, "run", self.path("all/a.toml"), "--out", "all/r", "--quiet", "--set", "stages.flow.duration=1e-4")
        self.expect(0, "run", self.path("all/a.toml"), "--out", "outside", "--quiet", "--max-wall", "0.05")
        self.write("out.toml", areia.GRAINS)
        os.symlink(self.path("out.toml"), self.path("all", "link.toml"))
        os.symlink(self.path("nowhere.toml"), self.path("all", "dangling.toml"))
        os.symlink(self.path(), self.path("all", "up"))
        os.mkfifo(self.path("all", "pipe.toml"))
        os.mkdir(self.path("all", "folder.toml"))
        before = self.everything()
        cases = ("../out.toml", "deep/../../out.toml", self.path("out.toml"), "link.toml", "dangling.toml", "up/out.toml",
                 "up/new.toml", "pipe.toml", "folder.toml", "r/case.toml", "r/new.toml", "r/frames/new.toml", ".new.toml",
                 ".git/x.toml", "nothing/new.toml", "a.txt", "a.toml/", "./a.toml", "", ".toml", "x" * 5000 + ".toml",
                 "x" * 300 + ".toml", "a\0.toml", "%2e%2e/out.toml", "//out.toml")
        for case in cases:
            status, got = self.server.ask("/api/file", case=case)
            self.assertIn(status, (400, 404), (case, got))
            self.assertIn(self.server.post("/api/save", {"case": case, "text": "x", "version": ""})[0], (404, 409, 422), case)
            self.assertIn(self.server.post("/api/start", {"case": case})[0], (404, 422), case)
        for case in cases[:8]:
            self.assertEqual(self.server.post("/api/check", {"case": case, "text": "x = 1"})[0], 404, case)
        os.symlink(self.path("outside"), self.path("all", "linked"))
        for run in ("../outside", self.path("outside"), "linked", "deep/../../outside", "", "..", "r/..", "r/frames", "deep", "a\0b"):
            self.assertEqual(self.server.post("/api/stop", {"run": run})[0], 404, run)
            self.assertEqual(self.server.post("/api/resume", {"run": run})[0], 404, run)
        os.remove(self.path("all", "linked"))
        for extend in ("-1 s", "0 s", "x", "1 kg", "--overwrite", "", "1e400 s"):
            self.assertEqual(self.server.post("/api/resume", {"run": "r", "extend": extend})[0], 422, extend)
        self.assertEqual(self.everything(), before)

    def everything(self):
        found = {}
        for folder, folders, names in os.walk(self.path()):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    found[path] = os.path.islink(path) and os.readlink(path)
                    continue
                with open(path, "rb") as file:
                    found[path] = file.read()
            found.update({os.path.join(folder, name): None for name in folders})
        return found

    def test_nothing_but_its_run_writes_into_a_results_folder(self):
        self.expect(0, "run", self.path("all/a.toml"), "--out", "all/r", "--quiet", "--max-wall", "0.05")
        inner = Server(self.path("all", "r"), "--port", "0")
        self.addCleanup(inner.end)
        before = self.everything()
        self.assertFalse(inner.json("/api/runs")["writes"])
        for path, body in ROUTES.items():
            self.assertIn(inner.post(path, body)[0], (404, 409), path)
        self.assertEqual(self.everything(), before)
        # but its own run can go on
        self.assertEqual(inner.post("/api/resume", {"run": "."})[0], 200)
        self.until(lambda: inner.json("/api/run", run=".")["state"] == "finished")


if __name__ == "__main__":
    areia.main()
