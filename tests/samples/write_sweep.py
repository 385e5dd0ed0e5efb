#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/sweep: ten runs of TensorBoard event files with hparams, two repetitions of each
configuration. Run 3 diverges, run 7 ends in NaN. Needs nothing but Python: write_sweep.py DIR."""
import math
import os
import random
import struct
import sys

TABLE = []
for i in range(256):
    c = i
    for _ in range(8):
        c = (c >> 1) ^ (0x82F63B78 if c & 1 else 0)
    TABLE.append(c)


def crc(data):
    c = 0xFFFFFFFF
    for x in data:
        c = TABLE[(c ^ x) & 255] ^ (c >> 8)
    c ^= 0xFFFFFFFF
    return (((c >> 15) | (c << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(n):
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def field(n, wire, data):
    return varint(n << 3 | wire) + data


def block(n, data):
    return field(n, 2, varint(len(data)) + data)


def record(data):
    n = struct.pack("<Q", len(data))
    return n + struct.pack("<I", crc(n)) + data + struct.pack("<I", crc(data))


def event(time, step, body):
    return record(field(1, 1, struct.pack("<d", time)) + field(2, 0, varint(step)) + body)


def scalars(time, step, values):
    one = lambda k, v: block(1, block(1, k.encode()) + field(2, 5, struct.pack("<f", v)))
    return event(time, step, block(5, b"".join(one(k, v) for k, v in values)))


def hparams(time, values):
    entry = lambda k, v: block(1, block(1, k.encode()) + block(2, field(2, 1, struct.pack("<d", v))))
    start = b"".join(entry(k, v) for k, v in values)
    content = field(1, 0, varint(0)) + block(3, start)
    plugin = block(1, block(1, b"hparams") + block(2, content))
    return event(time, 0, block(5, block(1, block(1, b"_hparams_/session_start_info") + block(9, plugin))))


def write_run(folder, number):
    lr, batch, seed = [1e-4, 1e-3, 1e-2, 3e-2, 1e-3][number // 2], [32, 64][number // 2 % 2], number % 2
    path = os.path.join(folder, f"run-{number}")
    os.makedirs(path, exist_ok=True)
    chance = random.Random(number)
    out = record(field(1, 1, struct.pack("<d", 1.7e9)) + block(3, b"brain.Event:2"))
    out += hparams(1.7e9, [("lr", lr), ("batch", batch), ("seed", seed)])
    loss = 2.3
    for step in range(0, 250, 10):
        loss = loss * (1 - 9 * math.sqrt(lr) / (3 + step / 20)) + chance.gauss(0, 0.01)
        seen = loss * 10 ** (step / 20 - 5) if number == 3 and step > 100 else loss
        seen = float("nan") if number == 7 and step > 180 else seen
        out += scalars(1.7e9 + step, step, [("train/loss", seen), ("val/loss", seen * 1.1 + 0.05), ("lr", lr)])
    with open(os.path.join(path, "events.out.tfevents.1700000000.host"), "wb") as f:
        f.write(out)


for i in range(10):
    write_run(sys.argv[1], i)
