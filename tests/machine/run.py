# SPDX-License-Identifier: Apache-2.0
"""Tests smdbg-tui --interpreter=json: checks every line against doc/protocol.schema.json, and runs the clients in doc/examples.

Usage: python3 tests/machine/run.py PROGRAM [TEST...]
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from answers import Shapes  # noqa: E402, F401
from bucket import Bucket  # noqa: E402, F401
from bucket_logins import Keys, Machines, Roles, Sso  # noqa: E402, F401
from bucket_open import Opening  # noqa: E402, F401
from bucket_profiles import BucketProfiles  # noqa: E402, F401
from bucket_requests import BucketRequests  # noqa: E402, F401
from bucket_network import Network, Tls  # noqa: E402, F401
from arguments import Arguments, Help, OddRequests  # noqa: E402, F401
from places import Places  # noqa: E402, F401
from readonly import NothingIsDone, OneDoor  # noqa: E402, F401
from schema import check  # noqa: E402
from talk import ENVIRONMENT, HEALTHY, PROGRAM, SCHEMA, events, load_client, results, talk  # noqa: E402
from traces import Traces  # noqa: E402, F401


class Requests(unittest.TestCase):
    def test_requests_match_the_schema(self):
        for good in ({"id": 1, "cmd": "print", "args": {"expr": "1"}}, {"cli": "info"}, {"id": "x", "cancel": True},
                     {"id": 2, "cancel": 1}, {"id": 3, "cli": "info trial", "now": True}):
            self.assertIsNone(check(good, SCHEMA["$defs"]["request"], SCHEMA))
        for bad in ({"id": 1}, {"cmd": "print", "cli": "info"}, {"id": [], "cli": "info"}, {"cancel": False},
                    {"cli": "info", "now": 1}):
            self.assertIsNotNone(check(bad, SCHEMA["$defs"]["request"], SCHEMA))

    def test_a_command_with_arguments_equals_its_line(self):
        pairs = [
            ({"cmd": "tensor", "args": {"name": "CNN_fc1.bias", "step": 10, "a": True}}, "tensor CNN_fc1.bias step 10 -a"),
            ({"cmd": "tensor", "args": {"name": "CNN_fc1.weight", "slice": "[0,:2]", "step": "last"}},
             "tensor CNN_fc1.weight[0,:2] step last"),
            ({"cmd": "stat", "args": {"name": ["*.bias", "!*conv*"], "step": "10:30"}}, "stat *.bias !*conv* step 10:30"),
            ({"cmd": "tensors", "args": {"where": "max(abs($t)) > 0.1", "sort": "name", "field": "name,steps"}},
             "tensors -where 'max(abs($t)) > 0.1' -sort name -field name,steps"),
            ({"cmd": "info modes"}, "info modes"),
            ({"cmd": "print", "args": {"expr": "mean(CNN_fc1.weight@10)"}}, "print mean(CNN_fc1.weight@10)"),
            ({"cmd": "print", "args": ["1 + 2"]}, "print 1 + 2"),
            ({"cmd": "info tensor", "args": ["loss"]}, "info tensor loss"),
        ]
        for request, line in pairs:
            with self.subTest(line=line):
                got = results(talk([{"id": "cmd", **request}, {"id": "cli", "cli": line}], HEALTHY))
                self.assertEqual({**got["cmd"], "id": 0}, {**got["cli"], "id": 0})

    def test_data_equals_the_output_of_json_option(self):
        for line in ("info trial", "info steps", "tensors", "hist CNN_fc1.weight step 10", "rule list"):
            with self.subTest(line=line):
                printed = subprocess.run([PROGRAM, "-n", "-batch", "-ex", f"{line} -json", HEALTHY], stdout=subprocess.PIPE,
                                         env=ENVIRONMENT, timeout=600, check=True).stdout
                self.assertEqual(results(talk([{"id": 1, "cli": line}], HEALTHY))[1]["data"], json.loads(printed))

    def test_ids_are_returned_unchanged(self):
        ids = [0, -1, 1.5, "a\"b\u20ac\n", ""]
        got = [line["id"] for line in talk([{"id": i, "cli": "echo x"} for i in ids]) if line["type"] == "result"]
        self.assertEqual(got, ids)

    def test_names_are_not_parsed_as_syntax(self):
        got = results(talk([{"id": i, "cmd": "tensor", "args": {"name": name}} for i, name in
                            enumerate(["a > b", "-a", "*", "x | touch /tmp/nothing", "a\nquit 9", "step"])], HEALTHY))
        self.assertEqual({line["code"] for line in got.values()}, {"no-such-tensor"})
        self.assertEqual(len(got), 6)


class Answers(unittest.TestCase):
    def test_errors_have_a_code_and_a_status(self):
        asked = [("nosuch", "no-such-command", 1), ("tensor nosuch", "no-such-tensor", 4), ("assert 0", "verdict", 3),
                 ("wait step 1000000 -timeout 1ms", "timeout", 6), ("shell true", "refused", 1), ("print (", "usage", 1),
                 ("info nosuch", "no-such-command", 1), ("set nosuch 1", "no-such-command", 1), ("in", "ambiguous", 1),
                 ("set h 1", "ambiguous", 1), ("tensors -nosuch", "usage", 1),
                 ("info tensor nosuch", "no-such-tensor", 4), ("print nosuch", "no-such-tensor", 4),
                 ("stat * mode nosuch", "usage", 1), ("echo No tensor > /nonexistent/file", "usage", 1)]
        got = results(talk([{"id": i, "cli": line} for i, (line, _, _) in enumerate(asked)], "--follow",
                           "tests/trials/killed_midrun"))
        self.assertEqual([(got[i]["code"], got[i]["exit"]) for i in range(len(asked))], [a[1:] for a in asked])

    def test_no_trial_and_missing_trial(self):
        self.assertEqual(results(talk([{"id": 1, "cli": "tensors"}]))[1]["code"], "no-trial")
        self.assertEqual(results(talk([], "/nonexistent"))[None]["exit"], 5)

    def test_bad_requests_do_not_end_the_program(self):
        lines = talk(["nonsense", "[]", "7", '{"id":3}', '{"id":4,"cli":"echo x","cmd":"print"}', "", '{"id":5', {"id": 6, "cli": "echo x"},
                      '{"id":7,"cli":"echo \\u0000"}', '{"id":8,"cli":"' + "x" * (1 << 20) + '"}', {"id": 9, "cli": "echo y"}])
        self.assertEqual([line.get("code") for line in lines].count("bad-request"), 7)
        self.assertEqual([line["code"] for line in lines if line.get("code") == "limit"], ["limit"])
        self.assertEqual([results(lines)[i]["text"] for i in (6, 9)], ["x", "y"])

    def test_an_id_is_a_number_or_a_string(self):
        lines = talk(['{"id":[1],"cli":"echo x"}', '{"id":false,"cli":"echo x"}', '{"id":7,"cli":["echo x"]}'])
        self.assertEqual([line.get("msg") for line in lines], ['"id" must be a number or a string.'] * 2 + ['"cli" must be a string.'])
        self.assertEqual([line["id"] for line in lines], [None, None, 7])

    def test_a_script_answers_with_a_list(self):
        got = results(talk([{"id": 1, "cli": "define two\n  echo a\n  -nosuch\n  print 2\nend"}, {"id": 2, "cmd": "two"},
                            {"id": 3, "cli": "if 1\n  echo never ends"}, {"id": 4, "cli": "print 1"},
                            {"id": 5, "cli": "if 1\n  echo b\n  nosuch\n  echo c\nend"}]))
        self.assertEqual(got[1], {"id": 1, "type": "result", "status": "done"})
        self.assertEqual(got[2]["answers"], [{"text": "a", "cmd": "echo"},
                                             {"data": {"expr": "2", "type": "number", "value": 2}, "cmd": "print"}])
        self.assertEqual(got[2]["warnings"], ['request:3: Undefined command: "nosuch".  Try "help".'])
        self.assertEqual(got[3]["code"], "usage")
        self.assertEqual(got[4]["data"]["value"], 1)
        self.assertEqual((got[5]["code"], got[5]["text"]), ("no-such-command", "b"))

    def test_long_answers_come_in_parts(self):
        client = load_client()
        os.environ.update(ENVIRONMENT)
        debugger = client.Debugger("tests/trials/many_steps", program=PROGRAM)
        debugger.line("define many\n  set $i = 0\n  while $i < 20\n    info steps\n    set $i = $i + 1\n  end\nend")
        first = debugger.result(debugger.send(cli="many"))
        whole = debugger.line("many")["answers"]
        self.assertEqual(len(whole), 20)
        self.assertEqual({len(answer["data"]) for answer in whole}, {240})
        with self.assertRaises(RuntimeError):
            debugger.ask(more="99:0")
        self.assertEqual(debugger.close(), 0)
        self.assertIn("part", first)

    def test_quit_sets_the_exit_status(self):
        lines = talk([{"id": 1, "cli": "quit 9"}, {"id": 2, "cli": "echo never"}], status=9)
        self.assertEqual([line["id"] for line in lines], [1])
        talk([{"id": 1, "cli": "nosuch"}], status=0)

    def test_shell_output_does_not_mix_with_answers(self):
        got = results(talk([{"id": 1, "cli": "shell true"}, {"id": 2, "cli": "print $_shell_exitcode"}], "--allow-shell"))
        self.assertEqual((got[1]["status"], got[2]["data"]["value"]), ("done", 0))


class Events(unittest.TestCase):
    def test_stop_events_precede_the_answer(self):
        lines = talk([{"id": 1, "cmd": "goto", "args": {"step": 20}}, {"id": 2, "cli": "step"}], HEALTHY)
        self.assertEqual([line.get("class", line.get("id")) for line in lines], ["stopped", 1, "stopped", 2])
        self.assertEqual([(e["reason"], e["step"]) for e in events(lines, "stopped")], [("goto", 20), ("step", 30)])

    def test_stop_event_of_a_breakpoint(self):
        lines = talk([{"id": 1, "cmd": "break", "args": {"loc": "MSELoss_output_0", "if": "$v > 100"}}, {"id": 2, "cmd": "run"}],
                     "tests/trials/mlp_exploding_tensor")
        stop = events(lines, "stopped")[0]
        self.assertEqual((stop["reason"], stop["bkpt"], stop["step"], stop["tensor"]), ("breakpoint", 1, 1, "MSELoss_output_0"))
        self.assertGreater(stop["value"], 100)

    def test_rule_events(self):
        lines = talk([{"id": 1, "cmd": "rule auto"}, {"id": 2, "cmd": "rule status", "args": {"wait": True}}],
                     "tests/trials/cnn_dead_relu")
        fired = {e["rule"]: e for e in events(lines, "rule") if e["status"] == "IssuesFound"}
        status = results(lines)[2]["data"]
        self.assertEqual(set(fired), {row["rule"] for row in status if row["status"] == "IssuesFound"})
        self.assertEqual(fired["DeadRelu"]["trial"], 1)
        self.assertIn("tensor", fired["DeadRelu"]["details"])

    def test_rule_events_of_many_runs(self):
        with tempfile.TemporaryDirectory() as root:
            for run in range(12):
                os.mkdir(f"{root}/run_{run:02}")
                with open(f"{root}/run_{run:02}/log.csv", "w", encoding="utf-8") as file:
                    file.write("step,loss\n" + "".join(f"{i},{'nan' if run == 10 and i > 50 else 3 / (i + 1)}\n" for i in range(100)))
                os.utime(file.name, (1.7e9, 1.7e9))  # at rest, so that waiting ends
            lines = talk([{"id": 1, "cmd": "rule status", "args": {"wait": True, "all": True}}], "--rules", "auto", root)
            fired = [(e["trial"], e["rule"], e["step"]) for e in events(lines, "rule") if e["status"] == "IssuesFound"]
            status = results(lines)[1]["data"]
            self.assertEqual(sorted(fired), [(11, "ExplodingTensor", 51), (11, "LossNotDecreasing", 51)])
            self.assertEqual({row["trial"] for row in status if row["status"] == "IssuesFound"}, {"run_10"})

    def test_step_events(self):
        with tempfile.TemporaryDirectory() as root:
            writer = subprocess.Popen([PROGRAM, "--replay", HEALTHY, f"{root}/trial", "--interval", "20"], env=ENVIRONMENT)
            try:
                lines = talk([{"id": 1, "cli": "wait end -timeout 600s"}], "--follow", "--wait", f"{root}/trial")
            finally:
                writer.wait(timeout=600)
            steps = [e["step"] for e in events(lines, "step")]
            known = results(talk([{"id": 1, "cli": "info steps"}], HEALTHY))[1]["data"]
            known = [row["step"] for row in known if row["complete"]]
            self.assertEqual(steps, known[len(known) - len(steps):])
            self.assertEqual(results(lines)[1]["status"], "done")

    def test_a_waiting_request_can_be_cancelled(self):
        lines = talk([{"id": 1, "cli": "wait step 1000000"}, {"id": 2, "cancel": True}, {"id": 3, "cli": "echo on"}], "--follow",
                     "tests/trials/killed_midrun")
        got = results(lines)
        self.assertEqual(got[2]["status"], "done")
        self.assertEqual(got[3]["text"], "on")
        self.assertEqual(got[1]["code"], "cancelled")

    def test_one_of_several_requests_is_cancelled(self):
        lines = talk([{"id": 1, "cli": "wait step 1000000"}, {"id": "b", "cli": "echo never"}, {"id": 3, "cli": "echo on"},
                      {"id": 4, "cancel": "b"}, {"id": 5, "cancel": "nosuch"}, {"id": 6, "cancel": 1}], "--follow",
                     "tests/trials/killed_midrun")
        got = results(lines)
        self.assertEqual([got[i].get("code") for i in (1, "b", 3)], ["cancelled", "cancelled", None])
        self.assertEqual([got[i]["data"]["cancelled"] for i in (4, 5, 6)], [1, 0, 1])

    def test_requests_with_now_run_during_a_wait(self):
        waits = {"id": 1, "cli": "wait step 1000000"}
        beside = [{"id": "trial", "cmd": "info trial", "now": True}, {"id": "stat", "cli": "stat *", "now": True},
                  {"id": "print", "cli": "print mean(abs(CNN_fc1.weight@10))", "now": True}]
        lines = talk([waits, *beside, {"id": 2, "cli": "echo later"}, {"id": 3, "cancel": 1}], "--follow", "tests/trials/killed_midrun")
        got = results(lines)
        self.assertEqual([got[i]["status"] for i in ("trial", "stat", 1, 2)], ["done", "done", "error", "done"])
        alone = results(talk([{**request, "now": False} for request in beside], "--follow", "tests/trials/killed_midrun"))
        for x in (got, alone):  # live, or stalled by now: the files were written minutes ago, and nobody knows how many
            self.assertIn(x["trial"]["data"].pop("state"), ("live", "stalled"))
        for name in ("trial", "stat", "print"):
            self.assertEqual(got[name], alone[name])

    def test_commands_with_side_effects_refuse_now(self):
        asked = ["goto 10", "close", "shell true", "set height 3", "rule auto", "info trial > x", "info trial\ninfo steps", "rule status"]
        got = results(talk([{"id": i, "cli": line, "now": True} for i, line in enumerate(asked)], HEALTHY))
        self.assertEqual([got[i].get("code") for i in range(len(asked))], ["refused"] * 7 + [None])

    def test_closing_the_trial_cancels_requests_with_now(self):
        beside = [{"id": i, "cli": "stat * step 100", "now": True} for i in range(2, 10)]
        for first in ("close", f"open {HEALTHY}"):
            got = results(talk([*beside, {"id": 1, "cli": first}, {"id": 11, "cli": "echo on"}], HEALTHY))
            self.assertEqual(got[11]["text"], "on")
            self.assertLessEqual({got[i].get("code") for i in range(2, 10)}, {None, "cancelled"})

    def test_an_open_id_cannot_be_used_again(self):
        got = talk([{"id": 1, "cli": "wait step 1000000"}, {"id": 1, "cli": "echo x"}, {"id": 1, "cli": "info trial", "now": True},
                    {"id": 2, "cancel": True}, {"cli": "echo y"}, {"cli": "echo z"}], "--follow", "tests/trials/killed_midrun")
        self.assertEqual([line.get("code") for line in got if line["id"] == 1], ["bad-request", "bad-request", "cancelled"])
        self.assertEqual([line["text"] for line in got if line["id"] is None], ["y", "z"])

    def test_a_breakpoint_on_a_live_run(self):
        client = load_client()
        os.environ.update(ENVIRONMENT)
        with tempfile.TemporaryDirectory() as root:
            debugger = client.Debugger("--follow", "--wait", f"{root}/trial", program=PROGRAM)
            debugger.call("break", loc="CNN_fc1.weight", **{"if": "$s >= 20"})
            waits = debugger.send(cmd="continue")
            self.assertEqual(debugger.ask(cmd="info breakpoints", now=True)["data"][0]["hits"], 0)
            writer = subprocess.Popen([PROGRAM, "--replay", HEALTHY, f"{root}/trial", "--interval", "5"], env=ENVIRONMENT)
            try:
                stop = debugger.result(waits)["data"]
            finally:
                writer.wait(timeout=600)
            stops = [e for e in debugger.events if e["class"] == "stopped"]
            self.assertEqual(debugger.close(), 0)
        self.assertEqual((stop["step"], stops[0]["step"], stops[0]["bkpt"]), (20, 20, 1))
        self.assertTrue([e for e in debugger.events if e["class"] == "step"])
        for event in debugger.events:
            self.assertIsNone(check(event, SCHEMA, SCHEMA))

    def test_exits_when_both_pipes_are_closed(self):
        process = subprocess.Popen([PROGRAM, "-n", "-i", "json", "--follow", "tests/trials/killed_midrun"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env=ENVIRONMENT)
        process.stdout.readline()
        process.stdin.write(b'{"id":1,"cli":"wait step 1000000"}\n')
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=600)


class Examples(unittest.TestCase):
    def test_python(self):
        out = subprocess.run([sys.executable, "-B", "doc/examples/client.py", HEALTHY, PROGRAM], stdout=subprocess.PIPE, text=True,
                             env=ENVIRONMENT, timeout=600, check=True).stdout.splitlines()
        self.assertEqual(out[0], "cnn_healthy: 16 steps, 29 tensors, ended")
        self.assertEqual(len(out), 6)

    def test_shell(self):
        if not shutil.which("jq"):
            self.skipTest("jq is not installed")
        out = subprocess.run(["sh", "doc/examples/client.sh", "tests/trials/cnn_dead_relu", PROGRAM], stdout=subprocess.PIPE, text=True,
                             env=ENVIRONMENT, timeout=600, check=True).stdout
        self.assertIn("DeadRelu: first at step 8\n", out)

    def test_error_messages_of_clients(self):
        python, shell = [sys.executable, "-B", "doc/examples/client.py"], ["sh", "doc/examples/client.sh"]
        missing = "/nonexistent: no such trial directory (--wait waits for it).\n"
        cases = [(python, [], "usage: client.py DIR [PROGRAM]\n"), (python, ["/nonexistent", PROGRAM], f"client.py: {missing}")]
        if shutil.which("jq"):
            cases += [(shell, ["x", "/no/such"], "client.sh: /no/such: not found\n"), (shell, ["/nonexistent", PROGRAM], f"client.sh: {missing}")]
        for client, arguments, said in cases:
            done = subprocess.run([*client, *arguments], capture_output=True, text=True, env=ENVIRONMENT, timeout=600, check=False)
            self.assertEqual((done.returncode, done.stderr[:len(said)]), (1, said))


if __name__ == "__main__":
    unittest.main()
