# SPDX-License-Identifier: Apache-2.0
"""The folder of a run."""

import itertools
import os
import time


def _names(path):
    yield path
    for i in itertools.count(2):
        yield f"{path}-{i}"


def _is_free(path):
    return not os.path.lexists(path) or (os.path.isdir(path) and not os.listdir(path))


def choose(path, if_exists):
    """Makes the folder of a run and returns its path. path None: smdbg-runs/<time>. Raises OSError."""
    if path is None:
        path = os.path.join("smdbg-runs", time.strftime("%Y-%m-%d-%H%M%S"))
    if if_exists == "error" and not _is_free(path):
        raise FileExistsError(f"{path} is not empty: give another dir, or if_exists=\"new\"")
    if if_exists in ("error", "overwrite", "resume"):
        os.makedirs(path, exist_ok=True)
        return path
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    for name in _names(path):
        try:
            os.mkdir(name)
        except FileExistsError:
            if not _is_free(name):
                continue
        return name


def leave(path):
    """Removes the folder of a process that does not write after all."""
    try:
        os.rmdir(path)
    except OSError:
        pass
