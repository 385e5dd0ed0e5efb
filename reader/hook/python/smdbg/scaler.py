# SPDX-License-Identifier: Apache-2.0
"""Watches torch.amp.GradScaler: the steps that it skips never reach the optimizer."""

import functools
import weakref

from torch.amp.grad_scaler import GradScaler

_runs = weakref.WeakKeyDictionary()                        # by optimizer
_original = GradScaler.step


@functools.wraps(_original)
def _step(self, optimizer, *arguments, **keywords):
    runs = [run for run in _runs.get(optimizer, ()) if run.is_active()] if self.is_enabled() else ()
    for run in runs:
        run.on_scaler(self)
    done = False
    try:
        result = _original(self, optimizer, *arguments, **keywords)
        done = True
        return result
    finally:
        for run in runs:
            run.on_scaled(done)


def watch(optimizer, run):
    _runs.setdefault(optimizer, []).append(run)
    if GradScaler.step is _original:
        GradScaler.step = _step


def leave(optimizer, run):
    rest = [other for other in _runs.get(optimizer, ()) if other is not run]
    if rest:
        _runs[optimizer] = rest
    else:
        _runs.pop(optimizer, None)
    if not _runs and GradScaler.step is _step:
        GradScaler.step = _original
