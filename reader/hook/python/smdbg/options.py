# SPDX-License-Identifier: Apache-2.0
"""The keywords of attach, checked once. A mistake raises ValueError or TypeError."""

import operator
import os
import re

KINDS = ("weights", "gradients")
STATISTICS = ("min", "max", "mean", "median", "std", "variance", "sum", "prod", "l1_norm", "l2_norm")
DEFAULTS = {
    "dir": None, "every": 100, "save": KINDS, "outputs": None, "stats": "mean,std,abs_max,l2_norm", "raw": False,
    "optimizer_state": False, "workers": "rank0", "if_exists": "new",
}


def _words(name, value, known):
    """A tuple of known words, from one text with commas or from several texts."""
    words = value.split(",") if isinstance(value, str) else list(value)
    words = tuple(word.strip() for word in words if word.strip())
    for word in words:
        if word not in known:
            raise ValueError(f"{name}: {word!r} is none of {', '.join(known)}")
    return words


def _one_of(name, value, known):
    if value not in known:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(known)}")
    return value


def _flag(name, value):
    if value is not True and value is not False:
        raise TypeError(f"{name}: expected True or False, not {value!r}")
    return value


class Options:
    """The keywords as attributes: outputs is a compiled expression or None, stats and save are tuples of words."""

    def __init__(self, **keywords):
        for name in keywords:
            if name not in DEFAULTS:
                raise TypeError(f"attach has no keyword {name!r}: {', '.join(DEFAULTS)}")
        given = {**DEFAULTS, **keywords}
        self.dir = None if given["dir"] is None else os.fsdecode(given["dir"])
        if self.dir is not None and (not self.dir or "\0" in self.dir):
            raise ValueError(f"dir: {self.dir!r} is no path")
        self.every = operator.index(given["every"])
        if not 1 <= self.every < 2 ** 47:
            raise ValueError(f"every: {self.every} is not at least 1")
        self.save = _words("save", given["save"] or (), KINDS)
        try:
            self.outputs = None if given["outputs"] is None else re.compile(given["outputs"])
        except re.error as error:
            raise ValueError(f"outputs: {given['outputs']!r} is no regular expression: {error}") from None
        self.stats = _words("stats", given["stats"] or (), [p + s for p in ("", "abs_") for s in STATISTICS])
        self.raw = _flag("raw", given["raw"])
        if not self.raw and not self.stats:
            raise ValueError("stats is empty, and raw is False: nothing would be saved of a tensor")
        self.optimizer_state = _flag("optimizer_state", given["optimizer_state"])
        self.workers = _one_of("workers", given["workers"], ("rank0", "all"))
        self.if_exists = _one_of("if_exists", given["if_exists"], ("new", "error", "overwrite", "resume"))
