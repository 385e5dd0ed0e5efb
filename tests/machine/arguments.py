# SPDX-License-Identifier: Apache-2.0
"""Arguments of requests, and requests that are odd: each gives one error object with the id of the request."""
import unittest

from readonly import commands
from talk import HEALTHY, results, talk


class Arguments(unittest.TestCase):
    def test_an_unknown_argument_is_an_error(self):
        asked = [("break", {"loc": "*w", "cond": "$v > 1"}, "if"), ("series", {"name": "CNN_fc1.bias", "reduction": "max"}, "reduce"),
                 ("tensor", {"nmae": "CNN_fc1.bias"}, "name"), ("tensors", {"patern": "*"}, "pattern"), ("stat", {"tensor": "*"}, None)]
        lines = talk([*[{"id": i, "cmd": cmd, "args": args} for i, (cmd, args, _) in enumerate(asked)], {"id": "b", "cli": "info breakpoints"}],
                     HEALTHY)
        got = results(lines)
        for i, (cmd, args, meant) in enumerate(asked):
            with self.subTest(cmd=cmd):
                self.assertEqual((got[i]["status"], got[i]["code"], got[i]["exit"]), ("error", "no-such-argument", 1))
                self.assertIn(f'"{cmd}" has no argument "{list(args)[-1]}".', got[i]["msg"])
                self.assertEqual(f'Did you mean "{meant}"?' in got[i]["msg"], meant is not None)
                self.assertIn("It has: ", got[i]["msg"])
        self.assertEqual(got["b"]["data"], [])

    def test_every_command_refuses_an_unknown_argument(self):
        names = [command["name"] for command in commands()]
        for now in (False, True):
            got = results(talk([{"id": name, "cmd": name, "args": {"zzz_zzz": 1}, "now": now} for name in names], HEALTHY))
            self.assertEqual({name: got[name].get("code") for name in names}, dict.fromkeys(names, "no-such-argument"))

    def test_unknown_fields_of_the_request_are_ignored(self):
        got = results(talk([{"id": 1, "cmd": "print", "args": {"expr": "1"}, "later": {"args": {"x": [1]}}, "arg": 3}]))
        self.assertEqual(got[1]["data"]["value"], 1)

    def test_numbers_stay_exact(self):
        asked = ["9007199254740993", "-9223372036854775808", "9223372036854775807", "18446744073709551615"]
        lines = talk(['{"id":"%s","cmd":"print","args":{"expr":%s}}' % (n, n) for n in asked[:1]] +
                     ['{"id":"goto %s","cmd":"goto","args":{"step":%s}}' % (n, n) for n in asked] +
                     ['{"id":0,"cmd":"print","args":{"expr":-0}}', '{"id":1,"cmd":"print","args":{"expr":"-0.0"}}'], HEALTHY)
        got = results(lines)
        self.assertEqual([str(got[i]["data"]["value"]) for i in (0, 1)], ["-0.0", "-0.0"])
        self.assertIn("There is no step 9007199254740993 (", got["goto 9007199254740993"]["msg"])
        self.assertIn("There is no step 9223372036854775807 (", got["goto 9223372036854775807"]["msg"])

    def test_a_setting_takes_true_and_false(self):
        got = results(talk([{"id": 1, "cmd": "set", "args": {"name": "confirm", "value": False}}, {"id": 2, "cli": "show confirm"},
                            {"id": 3, "cmd": "set", "args": {"name": "confirm", "value": True}}, {"id": 4, "cli": "show confirm"}]))
        self.assertEqual([got[i]["status"] for i in (1, 3)], ["done", "done"])
        self.assertNotEqual({**got[2], "id": 0}, {**got[4], "id": 0})

    def test_a_script_is_not_read_from_the_requests(self):
        got = results(talk([{"id": 1, "cli": "source -"}, {"id": 2, "cli": "source /dev/stdin"}, {"id": 3, "cli": "print 1"}]))
        self.assertEqual([(got[i]["status"], got[i].get("code")) for i in (1, 2, 3)], [("error", "usage"), ("error", "usage"), ("done", None)])


class Help(unittest.TestCase):
    def test_arguments_are_data(self):
        everything = {command["name"]: command for command in commands()}
        arguments = {name: {row["name"]: row for row in command["arguments"]} for name, command in everything.items()}
        self.assertEqual(arguments["hist"]["bins"], {"name": "bins", "kind": "text", "form": "option", "required": False, "repeats": False,
                                                     "values": None, "default": "10", "unit": None,
                                                     "help": "number of bins (10, as in numpy; those saved in a histogram), or tb for TensorBoard's 30 bins"})
        self.assertEqual([(row["kind"], row["form"], row["required"], row["repeats"]) for row in everything["plot"]["arguments"][:4]],
                         [("pattern", "positional", True, True), ("text", "keyword", False, False), ("mode", "keyword", False, False),
                          ("worker", "keyword", False, False)])
        self.assertEqual(arguments["heatmap"]["map"]["values"], ["viridis", "cividis", "grey"])
        self.assertEqual((arguments["wait"]["timeout"]["kind"], arguments["set"]["name"]["kind"]), ("duration", "setting"))
        self.assertEqual((arguments["heatmap"]["h"]["default"], arguments["heatmap"]["h"]["unit"]), ("18", "rows"))
        self.assertEqual((arguments["tensor"]["slice"]["form"], arguments["x"]["format"]["form"]), ("slice", "format"))
        self.assertNotIn("slice", arguments["print"])

    def test_the_names_are_those_that_requests_take(self):
        """A wrong value: the answer says that it is wrong, so the name was known."""
        asked = {(command["name"], row["name"]): 1 if row["kind"] == "flag" else True for command in commands() for row in command["arguments"]
                 if row["kind"] != "expression"}
        got = results(talk([{"id": " ".join(name), "cmd": name[0], "args": {name[1]: value}} for name, value in asked.items()]))
        for name in asked:
            with self.subTest(name=name):
                self.assertIn(f'The argument "{name[1]}" must be', got[" ".join(name)]["msg"])

    def test_help_of_one_command(self):
        got = results(talk([{"id": 1, "cmd": "help", "args": {"command": "stat"}}, {"id": 2, "cli": "help info steps"}]))
        self.assertEqual([row["name"] for row in got[1]["data"]["arguments"]][:4], ["name", "step", "mode", "worker"])
        self.assertEqual(got[2]["data"]["arguments"][0]["kind"], "step")


class OddRequests(unittest.TestCase):
    def test_each_gives_an_error_with_its_id(self):
        deep = "[" * 60 + "]" * 60
        deeper = "[" * 5000 + "]" * 5000
        odd = ['{"id":1,"cli":"info","cli":"close"}', '{"id":1,"id":2,"cli":"info"}', '{"cmd":"stat","args":{"name":"a","name":"b"},"id":3}',
               '{"id":4,"cmd":"stat","args":{"name":%s}}' % deep, '{"id":5,"x":%s,"cli":"close"}' % deeper,
               '{"cmd":"stat","args":{"name":{"id":7}},"id":6}', '{"id":7,"cmd":"stat","args":[["a"]]}', '{"id":8,"cancel":true,"cli":"info"}',
               '{"id":9,"more":"x","step":1}', '{"id":10,"cli":"echo","args":{"text":"x"}}', '{"id":11,"cmd":"echo\\u0000"}',
               '{"id":12,"cli":"echo' + " " * (1 << 20) + '"}']
        lines = talk([*odd, {"id": "on", "cli": "echo on"}], HEALTHY)
        self.assertEqual([line.get("code") for line in lines[:-1]], ["bad-request"] * 11 + ["limit"])
        self.assertEqual([line["id"] for line in lines[2:11]], list(range(3, 12)))
        self.assertEqual(lines[-1]["text"], "on")

    def test_what_is_unknown_may_be_deep(self):
        got = results(talk(['{"id":1,"x":%s,"cli":"echo on"}' % ("[" * 60 + "]" * 60)]))
        self.assertEqual(got[1]["text"], "on")

    def test_controls_leave_as_escapes(self):
        """talk() looks for raw control characters in every line; these requests bring them in."""
        bad = "\u001b]0;x\u0007\u009b2J\u202e\u007f\u0001"
        got = results(talk([{"id": bad, "cli": f"echo {bad}"}, {"id": 1, "cmd": bad}, {"id": 2, "cmd": "stat", "args": {bad: 1}},
                            {"id": 3, "cmd": "stat", "args": {"name": bad}}, {"id": 4, "cli": f"print \"{bad}\""}, {"id": 5, "more": bad},
                            {"id": 6, "cli": "print 1", "worker": bad}, {"id": 7, "cli": f"set prompt {bad}"}, {"id": 8, "cli": "info settings"},
                            {"id": 9, "cli": f"alias zz = echo {bad}"}, {"id": 10, "cli": "help zz"}], HEALTHY))
        self.assertEqual(len(got), 11)
        self.assertEqual(got[4]["data"]["value"], bad)
