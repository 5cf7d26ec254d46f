"""The server of areia studio: what it answers, and what it refuses. Attacks get 4xx or a closed connection, the server
stays up, and nothing outside of its folder is served."""
import gzip
import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.parse

import areia

WITHOUT = "this build has no studio"
PATIENCE = 120  # s; for what comes at once on a machine that has nothing else to do


def has_studio():
    done = subprocess.run([areia.program, "studio", "/nonexistent"], capture_output=True, text=True)
    return WITHOUT not in done.stderr


def unpack(body):
    """A head in JSON and arrays behind it: src/studio/message.h."""
    assert body[:4] == b"ARM1"
    length, = struct.unpack("<I", body[4:8])
    head = json.loads(body[8:8 + length])
    arrays = {}
    for name, a in head["arrays"].items():
        letter = {"f32": "f", "f64": "d", "u32": "I"}[a["type"]]
        count = a["count"] * a["components"]
        arrays[name] = struct.unpack_from(f"<{count}{letter}", body, 8 + length + a["offset"])
    return head, arrays


class Server:
    def __init__(self, folder, *options):
        self.process = subprocess.Popen([areia.program, "studio", folder, *options], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port, self.token = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})$", line).groups()
        self.port = int(self.port)
        self.lines = [line, self.process.stdout.readline()]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def processor_time(self):
        """Seconds of the server and of those it waited for, which do not depend on what else the machine does."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            numbers = file.read().rpartition(")")[2].split()
        return sum(int(n) for n in numbers[11:15]) / os.sysconf("SC_CLK_TCK")

    def ask(self, path, headers=None, token=True, method="GET", body=None, **query):
        """Status and body."""
        return self.take(self.send(path, headers, token, method, body, **query))

    def send(self, path, headers=None, token=True, method="GET", body=None, **query):
        """A connection on which this was asked."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        words = "?" + urllib.parse.urlencode(query) if query else ""
        headers = {**({"X-Areia-Token": self.token} if token else {}), **(headers or {})}
        connection.request(method, path + words, headers=headers, body=body)
        return connection

    def take(self, connection):
        """Status and body of the answer."""
        answer = connection.getresponse()
        got = answer.read()
        connection.close()
        if answer.getheader("Content-Encoding") == "gzip":
            got = gzip.decompress(got)
        return answer.status, got

    def json(self, path, **query):
        status, body = self.ask(path, **query)
        assert status == 200, (status, body)
        return json.loads(body)

    def raw(self, data, seconds=PATIENCE):
        """What comes back for these bytes until the connection is closed; b"" where it is closed without a word."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            got = b""
            try:
                s.sendall(data)
                while True:
                    more = s.recv(65536)
                    if not more:
                        break
                    got += more
            except (ConnectionResetError, BrokenPipeError):
                pass
            return got


@areia.unittest.skipUnless(has_studio(), WITHOUT)
class Studio(areia.Case):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="areia-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        with open(os.path.join(cls.made, "grains.toml"), "w") as file:
            file.write(areia.GRAINS)
        subprocess.run([areia.program, "run", "grains.toml", "--out", "all/a", "--quiet", "--set",
                        "stages.flow.duration=0.001", "--set", 'title="<b>bold</b>"'], cwd=cls.made, check=True)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        os.makedirs(self.path("all", "deep"))
        self.server = Server(self.path("all"), "--port", "0")
        self.addCleanup(self.server.end)

    def alive(self):
        self.assertEqual(len(self.server.json("/api/runs")["runs"]), 1)

    def test_prints_where_it_is_and_ends_with_0(self):
        self.assertRegex(self.server.lines[1], rf"ssh -L {self.server.port}:127\.0\.0\.1:{self.server.port} ")
        taken = self.expect(2, "studio", "all", "--port", str(self.server.port))
        self.assertIn("--port", taken)
        self.assertIn("no such folder", self.expect(4, "studio", "none"))
        self.server.process.send_signal(signal.SIGINT)
        self.assertEqual(self.server.process.wait(PATIENCE), 0)

    def test_lists_runs(self):
        run, = self.server.json("/api/runs")["runs"]
        self.assertEqual((run["path"], run["title"], run["state"]), ("a", "<b>bold</b>", "finished"))
        summary = self.summary("all/a")
        self.assertEqual((run["hash"], run["particles"], run["time"]),
                         (summary["state_hash"], summary["particles"], summary["time"]))
        # of a results folder itself
        inner = Server(self.path("all", "a"), "--port", "0")
        self.addCleanup(inner.end)
        self.assertEqual([r["path"] for r in inner.json("/api/runs")["runs"]], ["."])
        self.assertGreater(len(inner.json("/api/run", run=".")["frames"]), 0)

    def test_tells_running_and_stopped_runs(self):
        process = self.start("run", self.path("grains.toml"), "--out", "all/deep/b", "--quiet", "--threads", "1", "--set",
                             "stages.flow.duration=1000")
        self.assertTrue(self.wait_for(lambda: areia.frames(self.path("all/deep/b")) > 1, process))
        run = self.server.json("/api/run", run="deep/b")
        self.assertEqual(run["state"], "running")
        self.assertGreater(run["planned"], run["time"])
        self.assertGreaterEqual(len(run["frames"]), 1)
        process.kill()
        process.wait()
        self.assertEqual(self.server.json("/api/run", run="deep/b")["state"], "died")

    def test_asking_does_not_disturb_a_run_that_begins(self):
        over = threading.Event()

        def ask():
            while not over.is_set():
                self.server.ask("/api/runs")

        asking = [threading.Thread(target=ask) for _ in range(2)]
        for thread in asking:
            thread.start()
        try:
            for _ in range(3):
                self.expect(0, "run", self.path("grains.toml"), "--out", "all/a", "--overwrite", "--quiet", "--set",
                            "stages.flow.duration=1e-4")
        finally:
            over.set()
            for thread in asking:
                thread.join()

    def test_frames_are_those_of_the_files(self):
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
        run = self.server.json("/api/run", run="a")
        entry = run["frames"][-1]
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(self.path("all", "a", "frames", f"particles_{entry['index']:06}.vtp"))
        reader.Update()
        points = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
        data = reader.GetOutput().GetPointData()
        status, body = self.server.ask("/api/frame", run="a", index=entry["index"], arrays="velocity", lines="all")
        self.assertEqual(status, 200)
        head, arrays = unpack(body)
        self.assertEqual(head["time"], entry["time"])
        self.assertEqual(len(arrays["id"]), len(points))
        for k in range(len(points)):
            for c in range(3):
                self.assertAlmostEqual(head["origin"][c] + arrays["position"][3 * k + c], points[k][c], delta=1e-6)
                self.assertAlmostEqual(arrays["velocity"][3 * k + c], vtk_to_numpy(data.GetArray("velocity"))[k][c], 6)
        self.assertNotIn("force", arrays)
        self.assertIn("force", [a["name"] for a in head["particle_arrays"]])
        self.assertGreater(len(arrays["wall_corner"]), 0)
        self.assertGreater(len(arrays["line_force"]), 0)
        self.assertEqual(len(arrays["line"]), 6 * len(arrays["line_force"]))
        # one particle in all digits
        k = len(points) // 2
        particle = self.server.json("/api/particle", run="a", index=entry["index"], id=int(arrays["id"][k]))
        self.assertEqual(particle["position"], [float(x) for x in points[k]])
        self.assertEqual(particle["radius"], float(vtk_to_numpy(data.GetArray("radius"))[k]))

    def test_series_are_those_of_the_files(self):
        with open(self.path("all", "a", "energy.csv"), "rb") as file:
            text = file.read()
        self.assertEqual(self.server.ask("/api/series", run="a", name="energy", **{"as": "csv"}), (200, text))
        head, arrays = unpack(self.server.ask("/api/series", run="a", name="energy")[1])
        lines = text.decode().splitlines()
        self.assertEqual(head["names"], lines[0].split(","))
        for k in range(len(head["names"])):
            self.assertEqual(list(arrays[str(k)]), [float(line.split(",")[k]) for line in lines[1:]])
        with open(self.path("all", "a", "case.toml"), "rb") as file:
            self.assertEqual(self.server.ask("/api/case", run="a"), (200, file.read()))

    def test_page_allows_nothing_from_elsewhere(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("GET", f"/?token={self.server.token}")
        answer = connection.getresponse()
        page = gzip.decompress(answer.read()).decode()
        connection.close()
        policy = answer.getheader("Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        self.assertRegex(policy, "script-src 'sha256-[^']+' 'sha256-[^']+';")
        self.assertEqual(answer.getheader("Referrer-Policy"), "no-referrer")
        self.assertEqual(re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?!data:)', page), [])

    def test_token(self):
        for path in ("/", "/api/runs", "/api/run", "/api/frame", "/api/picture", "/api/history", "/api/series",
                     "/api/case", "/nothing"):
            for headers in ({}, {"X-Areia-Token": ""}, {"X-Areia-Token": "0" * 32},
                            {"X-Areia-Token": self.server.token[:-1]}, {"X-Areia-Token": self.server.token + "0"}):
                self.assertEqual(self.server.ask(path, headers=headers, token=False)[0], 401, (path, headers))
        self.assertEqual(self.server.ask(f"/api/runs?token={self.server.token}", token=False)[0], 200)
        self.assertEqual(self.server.ask(f"/api/runs?token={'0' * 32}")[0], 401)
        self.assertEqual(self.server.ask(f"/api/runs?token={self.server.token}&token=x", token=False)[0], 400)

    def test_host_and_origin(self):
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1.evil.example", "", "localhost:80@evil"):
            self.assertEqual(self.server.ask("/api/runs", headers={"Host": host})[0], 403, host)
        for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://127.0.0.1:{self.server.port + 1}"):
            self.assertEqual(self.server.ask("/api/runs", headers={"Origin": origin})[0], 403, origin)
        self.assertEqual(self.server.ask("/api/runs", headers={"Origin": f"http://127.0.0.1:{self.server.port}"})[0], 200)
        two = f"GET /api/runs HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nX-Areia-Token: {self.server.token}\r\n\r\n"
        self.assertRegex(self.server.raw(two.encode()), rb"^HTTP/1.1 (400|403)")

    def test_listens_on_the_loopback_device_only(self):
        with open(f"/proc/{self.server.process.pid}/net/tcp") as file:
            listening = [line.split()[1] for line in file.readlines()[1:] if line.split()[3] == "0A"]
        mine = [a for a in listening if a.endswith(f":{self.server.port:04X}")]
        if not mine:
            self.skipTest("the system does not tell who listens")
        self.assertEqual(mine, [f"0100007F:{self.server.port:04X}"])

    def test_paths_out_of_the_folder(self):
        self.expect(0, "run", self.path("grains.toml"), "--out", "outside", "--quiet", "--set",
                    "stages.flow.duration=1e-4")
        os.symlink(self.path("outside"), self.path("all", "link"))
        os.symlink(self.path("outside", "log.txt"), self.path("all", "a", "link.csv"))
        os.mkfifo(self.path("all", "a", "pipe.csv"))
        paths = ("../outside", "a/../../outside", "/", self.path("outside"), "link", "./a", "a/", "a/.", "", "..", "a\0b",
                 "%2e%2e/outside", "..%2foutside", "a/frames", "nothing", "x" * 5000)
        routes = ("/api/run", "/api/frame", "/api/particle", "/api/picture", "/api/history", "/api/series", "/api/case",
                  "/api/log")
        for route in routes:
            for path in paths:
                status, body = self.server.ask(route, run=path, index=0, id=0, name="energy")
                self.assertIn(status, (400, 404), (route, path, body))
        for name in ("../../outside/energy", "..", "", "link", "pipe", "/etc/passwd", "frames/particles_000000", "a\0b",
                     "energy.csv", "log.txt"):
            for kind in ("csv", "columns"):
                status, _ = self.server.ask("/api/series", run="a", name=name, **{"as": kind})
                self.assertIn(status, (400, 404), (name, kind))
        for index in ("-1", "999999", "1e3", "../0", "", "99999999999999999999"):
            self.assertEqual(self.server.ask("/api/frame", run="a", index=index)[0], 404, index)
        for path in ("/../../etc/passwd", "/etc/passwd", "/api/../../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd"):
            self.assertIn(self.server.ask(path)[0], (400, 404), path)
        self.assertEqual([r["path"] for r in self.server.json("/api/runs")["runs"]], ["a"])
        self.assertNotIn("link", self.server.json("/api/run", run="a")["series"])
        # a frame behind a link, and all frames behind one
        index = self.server.json("/api/run", run="a")["frames"][0]["index"]
        frame = self.path("all", "a", "frames", f"particles_{index:06}.vtp")
        os.remove(frame)
        os.symlink(self.path("outside", "frames", "particles_000000.vtp"), frame)
        self.assertEqual(self.server.ask("/api/frame", run="a", index=index)[0], 404)
        os.rename(self.path("all", "a", "frames"), self.path("frames"))
        os.symlink(self.path("frames"), self.path("all", "a", "frames"))
        self.assertEqual(self.server.json("/api/run", run="a")["frames"], [])
        os.remove(self.path("all", "a", "case.toml"))
        os.symlink(self.path("outside", "case.toml"), self.path("all", "a", "case.toml"))
        self.assertEqual(self.server.ask("/api/case", run="a")[0], 404)

    def test_damaged_files_are_told(self):
        index = self.server.json("/api/run", run="a")["frames"][-1]["index"]
        path = self.path("all", "a", "frames", f"contacts_{index:06}.vtp")
        with open(path, "rb") as file:
            whole = file.read()
        with open(path, "wb") as file:
            file.write(whole[:len(whole) // 2])
        status, body = self.server.ask("/api/frame", run="a", index=index, lines="all")
        self.assertEqual(status, 422)
        self.assertIn(f"contacts_{index:06}.vtp", json.loads(body)["error"])
        with open(self.path("all", "a", "summary.json"), "w") as file:
            file.write('{"ending": [], "title": 3, "particles": "x", "time": null')
        with open(self.path("all", "a", "energy.csv"), "a") as file:
            file.write("1,2,3\n")
        self.assertEqual(self.server.ask("/api/series", run="a", name="energy")[0], 422)
        self.alive()

    def test_methods_and_bodies(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"):
            self.assertIn(self.server.ask("/api/runs", method=method)[0], (400, 405), method)
        head = f"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nX-Areia-Token: {self.server.token}\r\n"
        told = self.server.raw((head + "Content-Length: 1000000000\r\n\r\n").encode() + b"x" * 200000)
        self.assertTrue(told.startswith(b"HTTP/1.1 413"), told[:100])
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        told = self.server.raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + 64 * chunk)
        self.assertTrue(told == b"" or told.startswith(b"HTTP/1.1 405"), told[:100])
        told = self.server.raw((head + "X-Long: " + "x" * 100000 + "\r\n\r\n").encode())
        self.assertTrue(told == b"" or told.startswith(b"HTTP/1.1 431"), told[:100])
        self.alive()

    def test_malformed_requests(self):
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01" * 20, b"\0" * 1000,
                     b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /?a=%0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                     b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\xff\xff"):
            told = self.server.raw(data)
            self.assertTrue(told == b"" or re.match(rb"HTTP/1.1 4\d\d", told), (data[:60], told[:100]))
        self.alive()

    def test_slow_sender_is_let_go(self):
        end = time.monotonic() + PATIENCE
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as s:
            s.sendall(b"GET /api/runs HTTP/1.1\r\n")
            closed = False
            while not closed and time.monotonic() < end:
                try:
                    s.sendall(b"a")
                except OSError:
                    closed = True
                    break
                ready, _, _ = select.select([s], [], [], 0.5)
                if ready:
                    try:
                        closed = s.recv(1000) == b""
                    except ConnectionResetError:
                        closed = True
                self.alive()
        self.assertTrue(closed)  # although it never ceased to send

    def test_many_connections(self):
        many = []
        try:
            for _ in range(1000):
                s = socket.socket()
                s.setblocking(False)
                try:
                    s.connect_ex(("127.0.0.1", self.server.port))
                except OSError:
                    pass
                many.append(s)
        except OSError:
            pass  # no more descriptors here
        self.assertGreater(len(many), 300)
        time.sleep(0.5)
        self.assertIsNone(self.server.process.poll())
        for s in many:
            s.close()
        for _ in range(10 * PATIENCE):  # its own side is let go soon
            try:
                self.alive()
                return
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
        self.alive()

    def test_list_of_a_thousand_runs(self):
        with open(self.path("all", "a", "summary.json")) as file:
            summary = file.read()
        for k in range(1000):
            folder = self.path("all", "many", f"{k:04}")
            os.makedirs(folder)
            for name, text in (("manifest.txt", "areia manifest: run\n"), ("summary.json", summary),
                               ("log.txt", "2026-01-01 00:00:00 areia 0.1.0: one of many\n2026-01-01 00:00:00 finished\n")):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
        began, busy = time.monotonic(), self.server.processor_time()
        runs = self.server.json("/api/runs")["runs"]
        took, busy = time.monotonic() - began, self.server.processor_time() - busy
        self.assertEqual(len(runs), 1001)
        self.assertEqual({r["state"] for r in runs}, {"finished"})
        print(f"1001 runs in {took:.3f} s, {busy:.2f} s of a processor")
        if areia.is_plain_release():
            self.assertLess(busy, 1)


class WithoutStudio(areia.Case):
    @areia.unittest.skipIf(has_studio(), "this build has a studio")
    def test_says_so(self):
        self.assertIn(WITHOUT, self.expect(2, "studio", "."))


if __name__ == "__main__":
    areia.main()
