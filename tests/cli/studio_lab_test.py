"""The impact lab and the verification of areia studio: the numbers of `areia impact run` for the same case, reports as their
files have them, and rubbish refused without the server being held up."""
import csv
import http.client
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

import areia
import studio_test
from studio_test import PATIENCE, Server, has_studio, unpack

RUN = "/api/lab/run"
BAR = {"model": "kane", "params": {"e": 1, "mu": 1}, "system": {"kind": "bar"}, "start": {"y": 1.2, "theta": "45 deg"},
       "run": {"t_end": 0.9}}


def from_page(server, headers=None):
    """The headers with which the page posts."""
    return {"Origin": f"http://127.0.0.1:{server.port}", "Content-Type": "application/json", **(headers or {})}


def changed(**tables):
    """BAR with keys of its tables replaced; None removes one."""
    case = json.loads(json.dumps(BAR))
    for name, keys in tables.items():
        if not isinstance(keys, dict):
            case[name] = keys
            continue
        for key, value in keys.items():
            case.setdefault(name, {})[key] = value
            if value is None:
                del case[name][key]
    return case


@areia.unittest.skipUnless(has_studio(), studio_test.WITHOUT)
class Lab(areia.Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("all"))
        self.server = Server(self.path("all"), "--port", "0")
        self.addCleanup(self.server.end)

    def post(self, body, headers=None, token=True):
        return self.server.ask(RUN, method="POST", body=body if isinstance(body, (bytes, str)) else json.dumps(body),
                               headers=from_page(self.server, headers), token=token)

    def read(self, *names):
        with open(self.path(*names)) as file:
            return file.read()

    def run_case(self, case, plane=None):
        status, body = self.post({"case": case, "plane": plane})
        self.assertEqual(status, 200, body[:500])
        return unpack(body)

    def refused(self, body, *words):
        status, answer = self.post(body)
        self.assertEqual(status, 422, (body if len(str(body)) < 300 else "...", answer[:300]))
        told = json.loads(answer)["error"]
        for word in words:
            self.assertIn(word, told)

    def alive(self):
        self.assertEqual(self.server.json("/api/runs")["runs"], [])
        self.run_case(BAR)
        self.assertEqual(os.listdir(self.path("all")), [])

    def test_choices_are_the_tables_of_the_program(self):
        choices = self.server.json("/api/lab")
        told = self.expect(0, "impact", "models")
        self.assertEqual(len(choices["models"]), 12)
        for model in choices["models"]:
            self.assertIn(model["title"], told)
            for coefficient in model["coefficients"]:
                self.assertTrue(coefficient["text"], coefficient)
        kinds = {s["kind"] for s in choices["systems"]}
        self.assertIn("linear", kinds)
        self.assertEqual({e["case"]["system"]["kind"] for e in choices["examples"]}, kinds)
        for example in choices["examples"]:
            for key in example["keys"]:
                self.assertTrue(key["text"], key)
            given = [f"{table}.{key}" for table in ("system", "start", "run") for key in example["case"].get(table, {})]
            self.assertEqual(set(given) - {k["path"] for k in example["keys"]} - {"system.kind"}, set())
        bar = next(e for e in choices["examples"] if e["name"] == "bar")
        keys = {k["path"]: k for k in bar["keys"]}
        self.assertEqual((keys["system.g"]["unit"], keys["system.g"]["preset"], keys["system.g"]["min"]), ("m/s^2", 9.8, 0))
        self.assertAlmostEqual(keys["start.theta"]["value"], 0.7853981633974483, 15)  # "45 deg"

    def test_numbers_are_those_of_the_command(self):
        for example in self.server.json("/api/lab")["examples"]:
            head, arrays = self.run_case(example["case"])
            self.write(f"{example['name']}.toml", head["text"])
            self.expect(0, "impact", "run", f"{example['name']}.toml", "--out", example["name"])
            read = lambda file, of=example["name"]: json.loads(self.read(of, file))
            self.assertEqual(head["run"], read("run.json"), example["name"])
            self.assertEqual(head["events"], read("events.json"), example["name"])
            rows = list(csv.reader(self.read(example["name"], "series.csv").splitlines()))
            self.assertEqual(rows[0], head["names"])
            for k in range(len(rows[0])):
                self.assertEqual(list(arrays[f"series {k}"]), [float(row[k]) for row in rows[1:]], (example["name"], rows[0][k]))
            moving = read("animation.json")
            self.assertEqual(list(arrays["times"]), moving["t"])
            for k, shape in enumerate(moving["shapes"]):
                self.assertEqual(list(arrays[f"shape {k}"]), [v for places in shape.get("frames", []) for v in places])
            diagrams = self.path(example["name"], "diagrams")
            for name in [n for n in sorted(os.listdir(diagrams)) if n.endswith(".json")][:3] if os.path.isdir(diagrams) else []:
                head, _ = self.run_case(example["case"], int(name[:4]))
                self.assertEqual(head["plane"], read(f"diagrams/{name}"), (example["name"], name))

    def test_warns_where_energy_is_gained(self):
        head, _ = self.run_case(BAR)
        gain, = [w for w in head["warnings"] if w["kind"] == "energy_gain"]
        self.assertEqual(gain["events"], 1)
        self.assertAlmostEqual(gain["energy"], 0.211439, 5)  # docs/impact-lab.md: 11.76 J before, 11.971439 J after
        self.assertEqual(self.run_case(changed(model="stronge"))[0]["warnings"], [])
        coins = {"model": "stronge", "params": {"e": 1, "mu": 0}, "system": {"kind": "coins"}, "run": {"t_end": 5}, "start": {
            "y1": -2, "vy1": 1, "x2": 2 ** 0.5, "y2": 2 ** 0.5, "x3": -2 ** 0.5, "y3": 2 ** 0.5}}
        self.assertEqual([w["kind"] for w in self.run_case(coins)[0]["warnings"]], ["simultaneous"])
        stopped, = [w for w in self.run_case(changed(model="stronge", run={"max_impacts": 1}))[0]["warnings"]]
        self.assertEqual(stopped["kind"], "stopped")
        self.assertIn("at t = ", stopped["reason"])

    def test_wrong_cases_are_told_with_key_and_rule(self):
        status, body = self.post({"case": changed(params={"mu": -1, "ee": 2}, system={"mass": 0})})
        self.assertEqual(status, 422)
        problems = {p["key"]: p for p in json.loads(body)["problems"]}
        self.assertEqual(set(problems), {"params.mu", "params.ee", "system.mass"})
        self.assertIn(">= 0", problems["params.mu"]["rule"])
        self.assertGreater(problems["params.mu"]["line"], 0)
        self.refused({"case": changed(model="kain")}, "kane")
        self.refused({"case": changed(system={"kind": "barr"})}, "system.kind")
        self.refused({"case": changed(start={"y": 0})}, "overlap")
        self.refused({"case": changed(start={"speed": 1})}, "start.speed")
        self.refused({"case": changed(run={"t_end": -1})}, "t_end")
        self.refused({"case": {}}, "model", "system")
        for value in (None, "x", [], {}, [1], True):
            self.refused({"case": changed(start={"y": value})} if value is not None else
                         {"case": {**BAR, "start": {"y": None}}}, "start.y")

    def test_text_of_a_file(self):
        text = 'model = "kane"\nparams = { e = 1, mu = 1 }\nsystem.kind = "bar"\nstart = { y = 1.2, theta = "45 deg" }\nrun.t_end = 0.9\n'
        head, arrays = self.run_case(text)
        self.assertEqual(head["case"], {**BAR})
        self.assertEqual(arrays, self.run_case(BAR)[1])
        self.refused({"case": "[["}, "case.toml")
        self.refused({"case": text.replace("kane", "kain")}, "model")
        self.refused({"case": "a" + ".a" * 20000 + " = 1"})
        self.refused({"case": 'system = { kind = "coins", mass = [' + "1," * 5000 + "] }"}, "lists")

    def test_rubbish(self):
        for body in ("", "{", "[]", "null", "3", '"case"', "{}", '{"case": 1}', '{"case": {}, "other": 1}', '{"case": null}',
                     '{"case": {"start": {"y": NaN}}}', '{"case": {"start": {"y": Infinity}}}', '{"case": {"start": {"y": 1e999}}}',
                     b"\xff\xfe{", b"\0" * 100, "[" * 30000 + "]" * 30000, '{"case":' * 5000 + "1" + "}" * 5000,
                     json.dumps({"case": BAR, "plane": -1}), json.dumps({"case": BAR, "plane": "0"}),
                     json.dumps({"case": BAR, "plane": 0.5}), json.dumps({"case": {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}}),
                     json.dumps({"case": {**BAR, 'quote"\n]': {'x"\n[y]': 1}}}), json.dumps({"case": {**BAR, "title": ["a"]}}),
                     json.dumps({"case": changed(system={"kind": "coins", "mass": [1] * 5000, "radius": [1] * 5000})})):
            self.refused(body)
        head, _ = self.run_case(BAR, 10 ** 9)
        self.assertIsNone(head["plane"])
        title = '<b>"bold"</b>\n\\ \t\u00e9 [x] = 1'
        self.assertEqual(self.run_case({**BAR, "title": title})[0]["title"], title)
        self.alive()

    def test_numbers_beyond_all_bounds_end_in_time(self):
        cases = [changed(start={key: value}) for key in ("y", "theta", "vx", "vy", "omega") for value in (1e300, 1e100, 1e99, 1e12, 1e-300)]
        cases += [changed(system={key: value}) for key in ("mass", "length", "g") for value in (1e300, 1e90, 1e-90, 1e-300)]
        cases += [changed(run={"t_end": 1e300}), changed(run={"t_end": 1e99}), changed(run={"t_end": 1e9}),
                  changed(run={"sample_step": 1e-300}), changed(run={"sample_step": 1e-9}), changed(run={"max_impacts": 10 ** 9, "t_end": 1e9}),
                  changed(params={"mu": 1e300}), changed(params={"e": 0, "mu": 0}, run={"t_end": 1e6})]
        for kind, start in (("box_pendulum", {"theta": 0.3, "omega": 1e9}), ("double_pendulum", {"q1": 0.3, "omega2": 1e12}),
                            ("pinned_bar", {"theta": 1.2, "omega": 1e30}), ("rigid_pendulum", {"theta": 1.4, "omega": -1e6})):
            cases += [{**BAR, "system": {"kind": kind}, "start": start, "run": {"t_end": 1e12}}]
        cases += [{"model": "newton", "params": {"e": 1}, "system": {"kind": "box_pendulum", "driven": True, "amplitude": 1,
                                                                       "frequency": 1e8}, "run": {"t_end": 1e6}}]
        for case in cases:
            status, body = self.post({"case": case})  # in time, or asking fails
            self.assertIn(status, (200, 422), (case, body[:200]))
            if status == 200:
                head, _ = unpack(body)
                self.assertTrue(head["run"]["complete"] or any(w["kind"] == "stopped" for w in head["warnings"]), case)
        self.alive()

    def test_a_long_run_holds_nobody_up(self):
        long = json.dumps({"case": {**BAR, "system": {"kind": "box_pendulum"}, "start": {"theta": 0.1}, "run": {"t_end": 1e9}}})
        answers = []

        def ask():
            try:
                answers.append(self.post(long))
            except (OSError, http.client.HTTPException):
                answers.append((0, b""))  # the server ended meanwhile

        asking = [threading.Thread(target=ask) for _ in range(40)]
        for thread in asking:
            thread.start()
        end = time.monotonic() + PATIENCE
        # most are refused at once; 17 are not, and take two seconds each, one after the other
        while len([1 for status, _ in answers if status == 503]) <= 10 and time.monotonic() < end:
            self.server.json("/api/runs")
            time.sleep(0.05)
        self.assertGreater(len([1 for status, _ in answers if status == 503]), 10)
        self.server.json("/api/runs")
        self.server.process.terminate()
        self.assertEqual(self.server.process.wait(PATIENCE), 0)
        for thread in asking:
            thread.join()
        self.assertIn(0, [status for status, _ in answers])  # it ended, and was asked, while runs waited

    def test_who_may_ask(self):
        for headers in ({}, {"X-Areia-Token": "0" * 32}):
            self.assertEqual(self.post({"case": BAR}, headers=headers, token=False)[0], 401)
            self.assertEqual(self.server.ask("/api/lab", headers=headers, token=False)[0], 401)
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{self.server.port + 1}"):
            self.assertEqual(self.post({"case": BAR}, headers={"Origin": origin})[0], 403)
        self.assertEqual(self.post({"case": BAR}, headers={"Host": "evil.example"})[0], 403)
        self.assertEqual(self.post({"case": BAR}, headers={"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(self.server.ask(RUN, method="POST", body=json.dumps({"case": BAR}))[0], 403)  # no Origin
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
            self.assertEqual(self.server.ask(RUN, method=method)[0], 405, method)
        for path in ("/api/lab", "/api/lab/", "/api/lab/run/", "/api/lab/../runs", "/api/lab/run/../../runs"):
            self.assertIn(self.server.ask(path, method="POST", body=json.dumps({"case": BAR}))[0], (404, 405), path)

    def test_huge_bodies(self):
        head = f"POST {RUN} HTTP/1.1\r\nHost: localhost\r\nX-Areia-Token: {self.server.token}\r\n" \
            "Origin: http://localhost\r\nContent-Type: application/json\r\n"
        told = self.server.raw((head + "Content-Length: 1000000000\r\n\r\n").encode() + b"x" * 200000)
        self.assertTrue(told.startswith(b"HTTP/1.1 413"), told[:100])
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        told = self.server.raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + 64 * chunk)
        self.assertTrue(told == b"" or told.startswith(b"HTTP/1.1 413"), told[:100])
        self.alive()


REPORT = ("verify", "000-4.2-explicit", "002-trajectories", "--threads", "1", "--report")


@areia.unittest.skipUnless(has_studio(), studio_test.WITHOUT)
class Reports(areia.Case):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="areia-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        subprocess.run([areia.program, *REPORT, "all/deep/report"], cwd=cls.made, check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        self.server = Server(self.path("all"), "--port", "0")
        self.addCleanup(self.server.end)

    def get(self, *path):
        return self.server.ask("/api/verification/report", **({"report": path[0]} if path else {}))

    def test_lists_and_serves_the_file(self):
        self.assertEqual(self.server.json("/api/verification"), {"reports": [{"path": "deep/report", "data": True}], "quick": {
            "running": False, "done": 0, "of": 0, "there": False}})
        with open(self.path("all", "deep", "report", "verification.json"), "rb") as file:
            self.assertEqual(self.get("deep/report"), (200, file.read()))
        self.assertEqual(self.get()[0], 404)  # nothing was run here yet
        self.assertEqual(self.server.json("/api/runs")["runs"], [])

    def test_paths_out_of_the_folder(self):
        subprocess.run([areia.program, *REPORT, "outside"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        os.symlink(self.path("outside"), self.path("all", "link"))
        for path in ("", "..", "../outside", "deep/../../outside", "/", self.path("outside"), "link", "./deep/report", "deep/report/",
                     "deep", "deep/report/verification.json", "a\0b", "%2e%2e/outside", "x" * 5000):
            self.assertIn(self.get(path)[0], (400, 404), path)
        data = self.path("all", "deep", "report", "verification.json")
        os.remove(data)
        self.assertEqual(self.server.json("/api/verification")["reports"], [{"path": "deep/report", "data": False}])
        os.symlink(self.path("outside", "verification.json"), data)
        self.assertEqual(self.get("deep/report")[0], 404)
        os.remove(data)
        os.mkfifo(data)
        self.assertEqual(self.get("deep/report")[0], 404)
        os.remove(data)
        with open(data, "wb") as file:
            file.truncate(100 << 20)
        self.assertEqual(self.get("deep/report")[0], 422)

    def test_who_may_ask(self):
        quick = "/api/verification/quick"
        for path, method in (("/api/verification", "GET"), ("/api/verification/report", "GET"), (quick, "POST")):
            self.assertEqual(self.server.ask(path, method=method, token=False)[0], 401)
            self.assertEqual(self.server.ask(path, method=method, headers={"Origin": "http://evil.example"})[0], 403)
        for path, method in ((quick, "GET"), (quick, "DELETE"), ("/api/verification", "POST"), ("/api/verification/report", "POST")):
            self.assertEqual(self.server.ask(path, method=method)[0], 405, (path, method))
        self.assertFalse(self.server.json("/api/verification")["quick"]["running"])

    def test_quick_examples_run_here(self):
        begin = time.monotonic()
        for _ in range(20):  # more questions do not start more
            self.assertEqual(self.server.ask("/api/verification/quick", method="POST", body="x" * 1000,
                                             headers=from_page(self.server))[0], 200)
        seen = set()
        while True:
            quick = self.server.json("/api/verification")["quick"]  # others are answered meanwhile
            seen.add(quick["done"])
            if not quick["running"] or time.monotonic() - begin > 400:
                break
            time.sleep(0.05)
        self.assertTrue(quick["there"], quick)
        self.assertGreater(len(seen), 1)
        report = json.loads(self.get()[1])
        names = [line.split()[0] for line in self.expect(0, "verify", "--list").splitlines() if line.split()[1] == "quick"]
        self.assertEqual([e["name"] for e in report["examples"]], names)
        self.assertEqual(report["fail"], 0)
        with open(self.path("all", "deep", "report", "verification.json")) as file:
            written = {e["name"]: e for e in json.load(file)["examples"]}
        for example in report["examples"]:
            if example["name"] in written:  # the same code, the same bits
                self.assertEqual({**example, "seconds": 0}, {**written[example["name"]], "seconds": 0})
        # Ctrl-C ends it although they run
        self.server.ask("/api/verification/quick", method="POST")
        self.server.process.terminate()
        self.assertEqual(self.server.process.wait(PATIENCE), 0)


if __name__ == "__main__":
    areia.main()
