# SPDX-License-Identifier: Apache-2.0
"""A request that carries its place: the answer depends on nothing else, and nothing is left behind."""
import os
import random
import unittest

from talk import ENVIRONMENT, PROGRAM, events, load_client, results, talk

FIRST, SECOND = "tests/trials/cnn_healthy", "tests/trials/mlp_exploding_tensor"
PLACED = [
    {"cmd": "tensor", "args": {"name": "CNN_fc1.bias"}, "trial": 1, "step": 30},
    {"cmd": "tensor", "args": {"name": "CNN_fc1.bias", "slice": "[:2]"}, "trial": "1", "step": "last"},
    {"cmd": "stat", "args": {"name": "CNN_fc1.weight"}, "trial": 1, "step": 10, "mode": "train"},
    {"cmd": "stat", "args": {"name": "CNN_fc1.weight"}, "trial": 1, "mode": "eval"},
    {"cli": "print $_step", "trial": 1, "step": 20},
    {"cli": "print mean(CNN_fc1.weight)", "trial": 1, "step": 54},
    {"cli": "goto 20\nstep\ntensor CNN_conv0.bias", "trial": 1, "step": 0},
    {"cli": "trial 2\ninfo location MSELoss_output_0", "trial": 1},
    {"cmd": "bt", "trial": 2, "step": 1},
    {"cmd": "info location", "args": {"name": "MSELoss_output_0"}, "trial": 2, "step": 2, "worker": "worker_0"},
    {"cmd": "tensors", "args": {"field": "name,steps"}, "trial": 2},
    {"cmd": "print", "args": {"expr": "$_mode"}, "trial": 2, "step": 1},
    {"cmd": "tensor", "args": {"name": "nosuch"}, "trial": 2, "step": 1},
    {"cmd": "print", "args": {"expr": "1"}, "trial": 2, "step": 123456},
    {"cmd": "print", "args": {"expr": "1"}, "trial": 9},
    {"cmd": "print", "args": {"expr": "1"}, "trial": 1, "worker": "nobody"},
    {"cmd": "print", "args": {"expr": "1"}, "trial": 1, "mode": "nosuch"},
    {"cmd": "tensor", "trial": 1, "step": 10},
    {"cmd": "run", "trial": 1},
    {"cmd": "next", "trial": 1, "step": 10},
]
MOVES = ["goto 10", "goto 30", "step", "tensor CNN_fc1.bias step 50", "trial 1", "tensor CNN_conv0.bias", "goto last", "reverse-step"]


def without_id(line):
    return {key: value for key, value in line.items() if key != "id"}


class Places(unittest.TestCase):
    def alone(self, request):
        return without_id(results(talk([{"id": 1, **request}], FIRST, SECOND))[1])

    def test_interleaved_requests_answer_as_each_alone(self):
        alone = [self.alone(request) for request in PLACED]
        self.assertEqual([answer["status"] for answer in alone].count("error"), 8)
        chance = random.Random(14)
        for _ in range(4):
            asked = [{"id": f"{i} {again}", **request} for i, request in enumerate(PLACED) for again in range(2)]
            asked += [{"id": f"now {i}", "now": True, **request} for i, request in enumerate(PLACED) if request.get("cmd") in ("stat", "tensors")]
            asked += [{"id": f"move {i}", "cli": line} for i, line in enumerate(MOVES)]
            chance.shuffle(asked)
            lines = talk(asked, FIRST, SECOND)
            got = results(lines)
            for request in asked:
                if not str(request["id"]).startswith("move"):
                    with self.subTest(request=request):
                        number = request["id"].split()[-1 if request["id"].startswith("now") else 0]
                        self.assertEqual(without_id(got[request["id"]]), alone[int(number)])

    def test_the_place_of_the_session_stays(self):
        where = "print $_trial\nprint $_tensor\nprint $_step\nprint $_mode\nprint $_worker"
        asked = [{"id": "goto", "cli": "tensor CNN_fc1.bias step 30 mode train"}, {"id": "before", "cli": where}]
        for i, request in enumerate(PLACED):
            asked += [{"id": i, **request}, {"id": f"after {i}", "cli": where}]
        lines = talk(asked, FIRST, SECOND)
        got = results(lines)
        self.assertEqual(len(got["before"]["answers"]), 5)
        for i, request in enumerate(PLACED):
            with self.subTest(request=request):
                self.assertEqual(without_id(got[f"after {i}"]), without_id(got["before"]))
        self.assertEqual(events(lines, "stopped"), [])

    def test_a_waiting_request_with_a_place_does_not_move_others(self):
        """`wait` runs at its place until it is cancelled; what runs in between is where the session is."""
        client = load_client()
        os.environ.update(ENVIRONMENT)
        debugger = client.Debugger("--follow", "tests/trials/killed_midrun", program=PROGRAM)
        debugger.line("goto 3")
        waits = debugger.send(cli="at 5 -- wait step 1000000", step=10)
        asked = [(debugger.send(cli="print $_step", now=True), debugger.send(cli="print $_step", now=True, step=5)) for _ in range(5)]
        for ours, theirs in asked:
            self.assertEqual([debugger.result(ours)["data"]["value"], debugger.result(theirs)["data"]["value"]], [3, 5])
        debugger.send(cancel=waits)
        self.assertEqual(debugger.result(waits)["code"], "cancelled")
        self.assertEqual(debugger.line("print $_step")["data"]["value"], 3)
        self.assertEqual(debugger.close(), 0)

    def test_the_trial_of_the_place_is_closed(self):
        got = results(talk([{"id": 1, "cli": "goto 30"}, {"id": 2, "cli": "close", "trial": 2}, {"id": 3, "cli": "print $_step"},
                            {"id": 4, "cli": "close", "trial": 1}, {"id": 5, "cmd": "tensors"}, {"id": 6, "cmd": "tensors", "step": 1}], FIRST, SECOND))
        self.assertEqual(got[3]["data"]["value"], 30)
        self.assertEqual([got[i].get("code") for i in (2, 4, 5, 6)], [None, None, "no-trial", "no-trial"])
