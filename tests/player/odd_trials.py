# SPDX-License-Identifier: Apache-2.0
"""Writes odd trials: TFRecord files, index files and collections of the format of smdebug, without any package."""

import json
import os
import struct
import subprocess

HOSTILE = ("esc\x1b]0;PWNED\x07x", "bidi\u202eevil\u2066x", "c1\u009b31mred\u0085x", "nl\nx\r\ty", "del\x7f\x01x")
WORKER = "worker_1\x1b]0;PWNED\x07\u202e\u009b"


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


CRC = list(_table())


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data, checked=False):
    length = struct.pack("<Q", len(data))
    return length + masked_crc(length) + data + (masked_crc(data) if checked else b"\xb3\xc0\x2d\x06")


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def field(number, kind, data):
    return varint(number << 3 | kind) + (varint(len(data)) if kind == 2 else b"") + data


TYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "string": 7, "complex64": 8, "int64": 9, "bool": 10,
         "bfloat16": 14, "float16": 19, "uint64": 23}
MODES = {1: "TRAIN", 2: "EVAL", 4: "GLOBAL"}


def raw(text):
    return text.encode("utf-8", "surrogateescape")


def tensor_event(name, dtype, dims, data, step, mode):
    shape = b"".join(field(2, 2, field(1, 0, varint(d))) for d in dims)
    body = field(1, 0, varint(TYPES[dtype])) + field(2, 2, shape)
    body += b"".join(field(8, 2, s) for s in data) if dtype == "string" else field(4, 2, data)
    pairs = (("mode_step", step), ("mode", mode))
    plugin = b"".join(field(1, 2, field(1, 2, raw(k)) + field(2, 2, raw(str(v)))) for k, v in pairs)
    value = field(1, 2, raw(name)) + field(8, 2, body) + field(9, 2, plugin)
    head = field(1, 1, struct.pack("<d", 1.7e9 + step)) + field(2, 0, varint(step))
    return record(head + field(5, 2, field(1, 2, value)))


def floats(values):
    return struct.pack("<%df" % len(values), *values)


class Trial:
    """A trial that grows by write(step, tensors); a tensor is (name, type, dims, bytes)."""

    def __init__(self, path, workers=1, collections=None):
        self.path, self.workers = path, workers
        for i in range(workers):
            self.put("collections/000000000/worker_%d_collections.json" % i, json.dumps({
                "collections": {name: {"name": name, "include_regex": [regex], "tensor_names": []}
                                for name, regex in (collections or {"losses": "loss", "weights": "^w"}).items()},
                "_meta": {"num_workers": workers}}).encode())

    def put(self, name, data):
        path = raw(os.path.join(self.path, name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + b".new", "wb") as file:
            file.write(data)
        os.rename(path + b".new", path)

    def write(self, step, tensors, worker="worker_0", mode=1):
        events = "events/%012d/%012d_%s.tfevents" % (step, step, worker)
        data, rows = b"", []
        for name, dtype, dims, payload in tensors:
            one = tensor_event(name, dtype, dims, payload, step, mode)
            rows.append({"tensorname": name, "start_idx": len(data), "length": len(one)})
            data += one
        self.put(events, data)
        self.put("index/%09d/%012d_%s.json" % (step // 1000, step, worker), json.dumps(
            {"meta": {"mode": MODES[mode], "mode_step": step, "event_file_name": events}, "tensor_payload": rows,
             "shape_payload": []}, ensure_ascii=False).encode("utf-8", "surrogateescape"))

    def end(self):
        self.put("training_job_end.ts", b"")


def loss(step):
    return ("loss", "float32", [], floats([1 / (step + 1)]))


def matrix(name, step, bad=None):
    values = [(step * 7 + i * 3) % 11 / 10 - .5 for i in range(12)]
    values[3] = bad if bad is not None else values[3]
    return (name, "float32", [3, 4], floats(values))


def one(path):
    trial = Trial(path)
    trial.write(0, [loss(0), matrix("w0", 0)])
    trial.end()


def nan(path):
    trial = Trial(path)
    for step in range(12):
        trial.write(step, [loss(step), matrix("w0", step, float("nan") if step == 5 else None),
                           matrix("w1", step, float("inf") if step > 8 else None), matrix("gradient/w0", step)])
    trial.end()


def types(path):
    trial = Trial(path)
    for step in range(0, 9, 2):
        trial.write(step, [
            ("text", "string", [2], [b"a\x1b]0;PWNED\x07", "\u202eb\u009b".encode()]),
            ("complex", "complex64", [2], floats([1, 2, float("nan"), step])), ("empty", "float32", [0, 3], b""),
            ("five", "float16", [1, 2, 1, 3, 2], bytes(range(24))), ("flag", "bool", [3], b"\1\0\1"),
            ("long", "uint64", [2], struct.pack("<2Q", 2**64 - 1, 2**53 + step)),
            ("image", "uint8", [2, 3, 8, 9], bytes((i * step) & 255 for i in range(432))),
            ("w_half", "bfloat16", [4], b"\x80\x3f\xc0\x7f\x80\x7f\0\0"), ("nothing", "float64", [], b"\0" * 8)])


def no_loss(path):
    trial = Trial(path, collections={"odd": "."})
    for step in (1, 3, 1000, 10**12):
        trial.write(step, [matrix("w" + "x" * 2000, step), matrix("a/b/c/d", step)], mode=2)
        trial.write(step + 1, [matrix("a/b/c/d", step)])


def hostile(path):
    trial = Trial(path, 2, {"losses": "loss", "bad\x1b]0;PWNED\x07\u202e\u009b": "bidi", "w": "["})
    for step in range(6):
        tensors = [loss(step)] + [matrix(name, step, float("nan") if step > 2 else None) for name in HOSTILE]
        trial.write(step, tensors)
        trial.write(step, tensors, WORKER)
    trial.put("training_job_end.ts", b"\x1b]0;PWNED\x07")


def damaged(path):
    nan(path)
    trial = Trial(path)
    trial.put("index/000000000/000000000001_worker_0.json", b"[]")
    trial.put("index/000000000/000000000002_worker_0.json", b'{"meta": {"event_file_name": ""}, "tensor_payload": [3]}')
    trial.put("events/000000000003/000000000003_worker_0.tfevents", b"\0" * 40)
    trial.put("events/000000000004/000000000004_worker_0.tfevents", b"")
    trial.put("collections/000000000/worker_0_collections.json", b'{"collections": []}')


def scalar_event(step, values):
    summary = b"".join(field(1, 2, field(1, 2, raw(tag)) + field(2, 5, struct.pack("<f", v))) for tag, v in values)
    return record(field(1, 1, struct.pack("<d", 1.7e9 + step)) + field(2, 0, varint(step)) + field(5, 2, summary), True)


def tensorboard(path):
    head = record(field(1, 1, struct.pack("<d", 1.7e9)) + field(3, 2, b"brain.Event:2"), True)
    data = head + b"".join(scalar_event(s, [("train/loss", 1 / (s + 1)), (HOSTILE[0], s)]) for s in range(20))
    os.makedirs(path)
    with open(path + "/events.out.tfevents.1700000000.host", "wb") as file:
        file.write(data)


def workers(path):
    trial = Trial(path, 3)
    for step in range(15):
        for worker in range(3 if step < 6 else 2):
            trial.write(step, [loss(step), matrix("w0", step + worker)], "worker_%d" % worker)


def many(path):
    trial = Trial(path)
    for step in range(0, 300, 3):
        trial.write(step, [loss(step)] + [matrix("w%d" % i, step) for i in range(4)], mode=2 if step % 30 == 0 else 1)
    trial.end()


def live(path):
    Trial(path).write(0, [loss(0), matrix("w0", 0)])


KINDS = {"one": one, "nan": nan, "types": types, "no_loss": no_loss, "hostile": hostile, "damaged": damaged,
         "tensorboard": tensorboard, "workers": workers, "many": many, "live": live}


def make(folder, program, environment):
    """Makes all trials below the folder; returns their names."""
    for name, kind in KINDS.items():
        kind(os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "empty"))
    archive = os.path.join(folder, "archive.smdz")
    subprocess.run([program, "-n", "-batch", "-ex", "snapshot save " + archive, os.path.join(folder, "nan")],
                   env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [*KINDS, "empty", "archive.smdz"]
