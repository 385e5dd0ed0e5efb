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
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, (list, tuple, set, frozenset)) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"{name}: expected words, as a text with commas or a list of texts, not {value!r}")
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


def _count(name, value):
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, not {value!r}") from None
    if not 1 <= count < 2 ** 47:
        raise ValueError(f"{name}: {count} is not from 1 to {2 ** 47 - 1}")
    return count


def _path(name, value):
    if value is None:
        return None
    try:
        path = os.fsdecode(value)
    except TypeError:
        raise TypeError(f"{name}: expected a path, not {value!r}") from None
    if not path or "\0" in path:
        raise ValueError(f"{name}: {path!r} is no path")
    return path


def _expression(name, value):
    try:
        expression = None if value is None else re.compile(value)
        if expression is None or isinstance(expression.pattern, str):
            return expression
    except re.error as error:
        raise ValueError(f"{name}: {value!r} is no regular expression: {error}") from None
    except TypeError:
        pass
    raise TypeError(f"{name}: expected a regular expression as text, not {value!r}")


class Options:
    """The keywords as attributes: outputs is a compiled expression or None, stats and save are tuples of words."""

    def __init__(self, **keywords):
        for name in keywords:
            if name not in DEFAULTS:
                raise TypeError(f"attach has no keyword {name!r}: {', '.join(DEFAULTS)}")
        given = {**DEFAULTS, **keywords}
        self.dir = _path("dir", given["dir"])
        self.every = _count("every", given["every"])
        self.save = _words("save", given["save"] or (), KINDS)
        self.outputs = _expression("outputs", given["outputs"])
        self.stats = _words("stats", given["stats"] or (), [p + s for p in ("", "abs_") for s in STATISTICS])
        self.raw = _flag("raw", given["raw"])
        if not self.raw and not self.stats:
            raise ValueError("stats is empty, and raw is False: nothing would be saved of a tensor")
        self.optimizer_state = _flag("optimizer_state", given["optimizer_state"])
        self.workers = _one_of("workers", given["workers"], ("rank0", "all"))
        self.if_exists = _one_of("if_exists", given["if_exists"], ("new", "error", "overwrite", "resume"))
