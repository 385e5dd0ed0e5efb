# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/pickle: one value in each protocol of Python's pickle."""
import collections
import os
import pickle

HERE = os.path.dirname(os.path.abspath(__file__))
value = {"a": [1, -2, 300, 70000, 2**40, -2**63, 2**64 - 1, -2**70],
         "t": (1.5, True, False, None, -0.0), "s": "h\u00e9\n\\x\u20ac", "b": b"\x00\xff", "set": {1}, "n": {},
         "o": collections.OrderedDict(x=1), "c": complex(1, 2)}
value["self"] = value
os.makedirs(os.path.join(HERE, "pickle"), exist_ok=True)
for protocol in range(6):
    with open(os.path.join(HERE, "pickle", "protocol_%d.pkl" % protocol), "wb") as f:
        pickle.dump(value, f, protocol)
