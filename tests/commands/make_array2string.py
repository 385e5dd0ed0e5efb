# SPDX-License-Identifier: Apache-2.0
"""Writes tests/commands/array2string.txt: arrays as bytes and what numpy 1.24 makes of them.

    python3 tests/commands/make_array2string.py [COUNT [SEED]] > tests/commands/array2string.txt

A case is five lines or more: "dtype dims threshold edgeitems precision linewidth style lines", the bytes in hex,
and as many lines of text."""
import random
import sys

import numpy as np

FLOATS = ["float16", "float32", "float64"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def floats(rng, n, dtype):
    kind = rng.randrange(9)
    with np.errstate(all="ignore"):
        if kind == 0:
            v = [rng.gauss(0, 1) for _ in range(n)]
        elif kind == 1:
            v = [rng.gauss(0, 1) * 10 ** rng.randint(-12, 12) for _ in range(n)]
        elif kind == 2:
            v = [float(rng.randint(-50, 50)) for _ in range(n)]
        elif kind == 3:
            v = [round(rng.uniform(-10, 10), rng.randint(0, 4)) for _ in range(n)]
        elif kind == 4:
            v = [rng.choice([0.0, -0.0, 1e-4, 9.9999e-5, 1e8, 99999999.0, 0.5, 1000.0, 1.0, 1001.0]) for _ in range(n)]
        elif kind == 5:
            v = [rng.choice([float("nan"), float("inf"), float("-inf"), 1.5, 0.0, -2.25]) for _ in range(n)]
        elif kind == 6:
            v = [rng.choice([float("nan"), float("inf")]) for _ in range(n)]
        elif kind == 7:
            v = [2.0 ** rng.randint(-40, 40) * rng.choice([1, -1, 1]) for _ in range(n)]
        else:
            scale = 10 ** rng.randint(-3, 6)
            v = [rng.uniform(0, 1) * scale for _ in range(n)]
        return np.array(v, dtype=np.float64).astype(dtype)


def values(rng, n, dtype):
    if dtype in FLOATS:
        return floats(rng, n, dtype)
    if dtype == "complex64":
        return (floats(rng, n, "float32") + np.complex64(1j) * 0).astype(dtype) if n == 0 else \
            np.stack([floats(rng, n, "float32"), floats(rng, n, "float32")], -1).copy().view("complex64")[:, 0]
    if dtype == "complex128":
        return np.stack([floats(rng, n, "float64"), floats(rng, n, "float64")], -1).copy().view("complex128")[:, 0] \
            if n else np.zeros(0, dtype)
    if dtype == "bool":
        return np.array([rng.random() < 0.5 for _ in range(n)], dtype=bool)
    info = np.iinfo(dtype)
    span = rng.choice([10, 100, 1 << 62])
    lo, hi = max(info.min, -span), min(info.max, span)
    return np.array([rng.choice([rng.randint(lo, hi), info.min, info.max]) if span > 100 else rng.randint(lo, hi)
                     for _ in range(n)], dtype=dtype)


def shape(rng):
    while True:
        dims = [rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 8, 12, 30]) if rng.random() < 0.97 else 0 for _ in range(rng.randint(0, 4))]
        if all(dims) or rng.random() < 0.1:
            if int(np.prod(dims)) <= 260:
                return dims


def case(rng):
    dtype = rng.choice(FLOATS * 4 + INTS + ["bool", "complex64", "complex128", "complex64", "complex128"])
    dims = shape(rng)
    a = values(rng, int(np.prod(dims)), dtype).reshape(dims)
    threshold = rng.choice([1000, 1000, 0, 5, 20])
    edge = rng.choice([3, 3, 1, 2])
    precision = rng.choice([8, 8, 8, 4, 2, 0, 1, 3, 12, 16])
    width = rng.choice([75, 75, 75, 40, 20, 120, 5])
    style = rng.choice(["numpy", "numpy", "numpy", "full"])
    text = np.array2string(a, threshold=threshold, edgeitems=edge, precision=precision, max_line_width=width,
                           floatmode="maxprec" if style == "numpy" else "unique")
    lines = text.split("\n")
    print(dtype, "x".join(map(str, dims)) or "-", threshold, edge, precision, width, style, len(lines))
    print(a.tobytes().hex() or "-")
    print(text)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(count):
        case(rng)


main()
