# SPDX-License-Identifier: Apache-2.0
"""profile export: the file follows the rules of the trace event format that viewers rely on."""
import json
import os
import subprocess
import tempfile
import unittest

from talk import ENVIRONMENT, PROGRAM

SAMPLES = ["profile", "profile_computes", "profile_with_values", "profile_slow_loader", "profile_straggler"]
KEYS = {"M": {"name", "ph", "pid", "args"}, "X": {"name", "ph", "pid", "tid", "ts", "dur", "args"},
        "C": {"name", "ph", "pid", "ts", "args"}, "i": {"name", "ph", "pid", "tid", "ts", "s", "args"}}


def export(sample):
    profile = sample if os.path.isabs(sample) else f"tests/samples/{sample}"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        subprocess.run([PROGRAM, "-n", "-batch", "-ex", f"profile export {path}", profile],
                       stdout=subprocess.DEVNULL, env=ENVIRONMENT, timeout=600, check=True)
        with open(path, encoding="utf-8") as f:
            return json.load(f)


def crossing(events):
    """Pairs of one thread that overlap without one being inside of the other: viewers cannot show them."""
    found, open_until = [], []
    for start, end in sorted(((e["ts"], e["ts"] + e["dur"]) for e in events), key=lambda x: (x[0], -x[1])):
        while open_until and open_until[-1] <= start + 1e-6:
            open_until.pop()
        if open_until and end > open_until[-1] + 1e-6:
            found.append((start, end, open_until[-1]))
        open_until.append(end)
    return found


def overlapping(folder):
    """A profile with events of one process that overlap in any way."""
    os.makedirs(os.path.join(folder, "framework", "pevents", "2020091312"))
    rows = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1600000000000000}},
            {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "DataIterator"}}]
    rows += [{"name": "next", "ph": "X", "pid": 1, "ts": ts, "dur": dur, "args": {}}
             for ts, dur in ((0, 100), (10, 50), (50, 100), (90, 5), (120, 100), (120, 20), (400, 10))]
    with open(os.path.join(folder, "framework", "pevents", "2020091312", "1600000001000000_1-host_pythontimeline.json"), "w",
              encoding="utf-8") as f:
        json.dump(rows, f)


class Traces(unittest.TestCase):
    def test_each_event_has_what_its_kind_needs(self):
        for sample in SAMPLES:
            trace = export(sample)
            named = {e["pid"] for e in trace if e["ph"] == "M" and e["name"] == "process_name"}
            self.assertIsInstance(trace, list)
            for e in trace:
                with self.subTest(sample=sample, event=e):
                    self.assertEqual(set(e) - ({"tid"} if e["name"] == "thread_name" else set()), KEYS[e["ph"]])
                    self.assertIsInstance(e["name"], str)
                    self.assertIsInstance(e["args"], dict)
                    self.assertIn(e["pid"], named)
                    for key in ("ts", "dur"):
                        self.assertIsInstance(e.get(key, 0), (int, float))
                    self.assertGreaterEqual(e.get("dur", 0), 0)
                    if e["ph"] == "i":
                        self.assertIn(e["s"], "gpt")
                    if e["ph"] == "C":
                        self.assertTrue(all(isinstance(v, (int, float)) for v in e["args"].values()))

    def test_events_of_a_thread_do_not_cross(self):
        for sample in SAMPLES:
            threads = {}
            for e in export(sample):
                if e["ph"] == "X":
                    threads.setdefault((e["pid"], e["tid"]), []).append(e)
            for thread, events in threads.items():
                with self.subTest(sample=sample, thread=thread):
                    self.assertEqual(crossing(events), [])

    def test_events_that_overlap_get_threads_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            overlapping(folder)
            trace = export(folder)
        events = [e for e in trace if e["ph"] == "X"]
        threads = {e["tid"] for e in events}
        self.assertEqual(len(events), 7)
        self.assertEqual(len(threads), 2)
        for thread in threads:
            self.assertEqual(crossing([e for e in events if e["tid"] == thread]), [])
        self.assertEqual([e["args"]["name"] for e in trace if e["name"] == "thread_name"], ["0 (2)"])
