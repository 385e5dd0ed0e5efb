# SPDX-License-Identifier: Apache-2.0
"""Reads a trial for the tests of smdbg.attach, with nothing but the standard library: every record, in order."""

import collections
import json
import os
import pathlib
import struct
import sys
import tempfile
import unittest
import warnings

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "reader/hook/python"))
if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):    # not in a process that a test has spawned
    build = pathlib.Path(sys.argv.pop(1)).resolve()
    os.environ["SMDBG_HOOK_LIBRARY"] = str(build / "libsmdbg-hook.so.0")
for name in ("RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK"):
    os.environ.pop(name, None)

Record = collections.namedtuple("Record", "step mode mode_step name shape values")
FORMATS = {1: "f", 2: "d", 3: "i", 4: "B", 6: "b", 9: "q", 10: "?", 19: "e", 23: "Q"}


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """[(number, value)] of a message; bytes for what has a length."""
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            n, at = varint(data, at)
            value, at = data[at:at + n], at + n
        else:
            n = 8 if key & 7 == 1 else 4
            value, at = data[at:at + n], at + n
        found.append((key >> 3, value))
    return found


def first(data, number):
    return next(value for n, value in fields(data) if n == number)


def tensor_of(event):
    tensor = dict(fields(first(first(first(event, 5), 1), 8)))
    shape = tuple(dict(fields(dim)).get(1, 0) for n, dim in fields(tensor.get(2, b"")) if n == 2)
    content = tensor.get(4, b"")
    if tensor[1] == 14:                                    # bfloat16: the upper half of a float32
        content, tensor[1] = b"".join(b"\0\0" + content[i:i + 2] for i in range(0, len(content), 2)), 1
    code = FORMATS[tensor[1]]
    return shape, struct.unpack(f"<{len(content) // struct.calcsize(code)}{code}", content)


def load(trial, worker="worker_0"):
    """The records of all steps, in order."""
    found = []
    for path in sorted(pathlib.Path(trial).glob(f"index/*/*_{worker}.json")):
        index = json.loads(path.read_text())
        meta, step = index["meta"], int(path.name[:12])
        events = (pathlib.Path(trial) / meta["event_file_name"]).read_bytes() if index["tensor_payload"] else b""
        for entry in index["tensor_payload"]:
            event = events[entry["start_idx"] + 12:entry["start_idx"] + entry["length"] - 4]
            found.append(Record(step, meta["mode"], meta["mode_step"], entry["tensorname"], *tensor_of(event)))
    return found


def members(trial, collection):
    path = pathlib.Path(trial) / "collections/000000000/worker_0_collections.json"
    return sorted(json.loads(path.read_text())["collections"][collection]["tensor_names"])


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.trial = os.path.join(self.folder.name, "trial")

    def series(self, name, mode="TRAIN"):
        """[(mode step, value)] of a number."""
        return [(r.mode_step, r.values[0]) for r in load(self.trial) if r.name == name and r.mode == mode]

    def named(self, mode="TRAIN"):
        return sorted({r.name for r in load(self.trial) if r.mode == mode})

    def warned(self, function, *arguments, **keywords):
        """The texts of the warnings of a call."""
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            function(*arguments, **keywords)
        return [str(w.message) for w in seen if "smdbg" in str(w.message)]
