# SPDX-License-Identifier: Apache-2.0
"""What smdbg_profile knows of PyTorch. Imports torch only where torch is used already. Nothing here is for programs."""

import bisect
import gzip  # noqa: F401  the trace is compressed at exit, too, when it cannot be imported any more
import os
import re
import socket
import time

from smdbg_timeline import Recorder, Timeline, now

TRAIN, EVAL = "TRAIN", "EVAL"


class WorkerInit:
    """The first call in a process of a data loader of torch: from then on each batch that it makes is an event."""

    def __init__(self, first, root, node, config):
        self._first, self._root, self._node, self._config = first, root, node, config

    def __call__(self, worker):
        if self._first is not None:
            self._first(worker)
        timeline = Timeline(self._root, f"{os.getpid()}-algo-{self._node}", self._config)
        recorder = Recorder(timeline)
        recorder.guard(self._measure, recorder, worker)

    @staticmethod
    def _measure(recorder, worker):
        from multiprocessing import util
        from torch.utils.data._utils import fetch
        args = {"worker_id": worker}
        for kind in (fetch._MapDatasetFetcher, fetch._IterableDatasetFetcher):
            def measured(self, indices, before=kind.fetch):
                start = now()
                batch = before(self, indices)
                recorder.add("DataLoaderWorker", "DataLoaderWorker", start, now(), -1, args)
                return batch
            kind.fetch = measured
        util.Finalize(recorder, recorder.close_timeline, exitpriority=10)

class Detail:
    """torch.profiler for some steps of TRAIN. Its trace lies below framework/pytorch, its operators are events, too."""

    def __init__(self, profile, first, count):
        self._profile, self._first, self._end = profile, first, first + count
        self._profiler, self._annotation, self._over, self._steps = None, None, False, []

    def begin(self, step):
        if self._over or not (self._profiler or self._first <= step < self._end):
            return
        import torch
        if not self._profiler:
            kinds = [torch.profiler.ProfilerActivity.CPU]
            if torch.cuda.is_available():
                kinds.append(torch.profiler.ProfilerActivity.CUDA)
            self._profiler, self._first = torch.profiler.profile(activities=kinds, record_shapes=True), step
            self._profiler.start()
        self._annotation = torch.profiler.record_function(f"ProfilerStep#{step}")
        self._annotation.__enter__()
        self._steps.append((now(), step))

    def end(self, step):
        if self._annotation:
            self._annotation.__exit__(None, None, None)
            self._annotation = None
        if self._profiler and step + 1 >= self._end:
            self.finish()

    def finish(self):
        profiler, self._profiler, self._over = self._profiler, None, True
        if not profiler:
            return
        profiler.stop()
        ns = time.time_ns()
        folder = os.path.join(self._profile.root, "framework", "pytorch", "detailed_profiling", Timeline.hour(ns // 1000),
                              f"{self._first:09}")
        os.makedirs(folder, exist_ok=True)
        profiler.export_chrome_trace(os.path.join(folder, f"{socket.gethostname()}_{os.getpid()}.{ns}.pt.trace.json.gz"))
        self._add_operators(profiler, time.time_ns() - now())

    def _add_operators(self, profiler, clock_ns):
        """As the original hook has them: operators of the CPU, also those within others, and kernels of each GPU."""
        events = profiler.events()
        base = profiler.profiler.kineto_results.trace_start_ns() - clock_ns
        launched = {kernel.name: event.name for event in events for kernel in event.kernels}
        for event in events:
            if event.name.startswith("ProfilerStep"):
                continue
            start = base + round(event.time_range.start * 1000)
            end = base + round(event.time_range.end * 1000)
            phase, args = "cpu_functions", {"device": "cpu"}
            if not str(event.device_type).endswith("CPU"):
                phase = f"gpu_functions-dev:{event.device_index}"
                args = {"device": "gpu", "event_name": launched.get(event.name, "")}
            self._profile.add(phase, event.name, start, end, self._step_at(start), args)

    def _step_at(self, at):
        """The step during which something began; -1: before the first."""
        i = bisect.bisect(self._steps, (at, float("inf")))
        return self._steps[i - 1][1] if i else -1


def watch(profile, model, optimizer, modules):
    """The hooks of Profile.watch."""
    if not hasattr(model, "register_forward_hook"):
        raise TypeError(f"a {type(model).__name__} is no module of torch")
    if optimizer is not None and not hasattr(optimizer, "register_step_post_hook"):
        raise TypeError(f"a {type(optimizer).__name__} is no optimizer of torch 2.0")
    hooks = _Watched(profile, model, type(model).__name__, optimizer is None).hooks
    if optimizer is not None:
        hooks += _WatchedOptimizer(profile, optimizer).hooks
    wanted = re.compile(modules if isinstance(modules, str) else "") if modules else None
    for name, module in model.named_modules() if wanted else ():
        if module is not model and wanted.search(name):
            hooks += _WatchedPart(profile, module, name).hooks
    return hooks


def _first_tensor(value):
    """The first tensor in an output that gets a gradient."""
    if getattr(value, "requires_grad", False) is True:
        return value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    for part in parts:
        found = _first_tensor(part)
        if found is not None:
            return found
    return None


def _inert(*_):
    """What a hook becomes in a copy of a module: it does nothing."""


class _Hook:
    """A method registered with torch. Copies of the module, also pickled ones, get _inert instead."""

    def __init__(self, profile, method):
        self._profile, self._method = profile, method

    def __call__(self, *values):
        if self._profile.timeline is not None:
            self._profile.guard(self._method, *values)

    def __deepcopy__(self, _):
        return _inert

    def __reduce__(self):
        return _inert_hook, ()


def _inert_hook():
    return _inert


def _waits_for_others(model):
    """Whether the backward pass ends with waiting for the gradients of other ranks. Of a GPU only its queue waits, which is not seen."""
    first = next(iter(model.parameters()), None)
    return type(model).__name__ == "DistributedDataParallel" and first is not None and first.device.type == "cpu"


class _Watched:
    """A whole model."""

    def __init__(self, profile, model, name, ends_step):
        self._profile, self._name, self._ends_step = profile, name, ends_step
        self._parameters = [] if ends_step else list(model.parameters())
        self._reduces = _waits_for_others(model)
        self._depth, self._start, self._backward, self._waits = 0, 0, None, None
        self._graded, self._ended = None, 0                # a parameter that has got a gradient, and when that was
        self.hooks = [model.register_forward_pre_hook(_Hook(profile, self._before)),
                      model.register_forward_hook(_Hook(profile, self._after))]

    def _before(self, module, *_):
        self._depth += 1
        if self._depth > 1:
            return
        self._start = now()
        if self._was_skipped():
            self._profile.end_step(TRAIN, self._ended)
        self._profile.begin_step(TRAIN if module.training else EVAL, self._start)

    def _was_skipped(self):
        """A GradScaler has found infinities: the gradients are gone, and the optimizer has not made its step."""
        graded, self._graded = self._graded, None
        return graded is not None and graded.grad is None and not self._ends_step

    def _after(self, module, _, output):
        self._depth = max(self._depth - 1, 0)
        if self._depth:
            return
        mode = TRAIN if module.training else EVAL
        self._profile.event("Forward", self._name, self._start, now(), None, mode)
        if mode == EVAL:
            self._profile.end_step(EVAL)
            return
        tensor = _first_tensor(output)
        if tensor is not None:
            tensor.register_hook(_Hook(self._profile, self._begin_backward))

    def _begin_backward(self, _):
        """The first gradient of the model; autograd calls back when the whole pass is over."""
        if self._backward is None:
            import torch
            self._backward = now()
            torch.autograd.Variable._execution_engine.queue_callback(_Hook(self._profile, self._end_backward))

    def _end_backward(self):
        """DDP has asked to be called back after us, to wait for the other ranks: that is still backward."""
        import torch
        self._waits = now()
        torch.autograd.Variable._execution_engine.queue_callback(_Hook(self._profile, self._end_wait))

    def _end_wait(self):
        start, self._backward = self._backward, None
        self._ended = now()
        if self._reduces:
            self._profile.event("Communication", "wait for gradients", self._waits, self._ended, None, TRAIN)
        self._profile.event("Backward(post-forward)", self._name, start, self._ended, None, TRAIN)
        self._graded = next((p for p in self._parameters if p.grad is not None), None)
        if self._ends_step:
            self._profile.end_step(TRAIN)


class _WatchedPart:
    """A module in a model. Its backward pass is from the gradient of its output to that of its input."""

    def __init__(self, profile, module, name):
        self._profile, self._name, self._starts, self._backward = profile, name, [], None
        self.hooks = [module.register_forward_pre_hook(_Hook(profile, self._before)),
                      module.register_forward_hook(_Hook(profile, self._after))]

    def _before(self, *_):
        self._starts.append(now())

    def _after(self, module, inputs, output):
        end = now()
        start = self._starts.pop() if self._starts else end
        self._profile.event("Forward-SubModuleInternal", self._name, start, end)
        came, went = _first_tensor(inputs), _first_tensor(output)
        if module.training and came is not None and went is not None and came is not went:
            went.register_hook(_Hook(self._profile, self._begin_backward))
            came.register_hook(_Hook(self._profile, self._end_backward))

    def _begin_backward(self, _):
        self._backward = now()

    def _end_backward(self, _):
        start, self._backward = self._backward, None
        if start is not None:
            self._profile.event("Backward-SubModuleInternal", self._name, start, now())


class _WatchedOptimizer:
    def __init__(self, profile, optimizer):
        self._profile, self._name, self._start = profile, type(optimizer).__name__, None
        self.hooks = [optimizer.register_step_pre_hook(_Hook(profile, self._before)),
                      optimizer.register_step_post_hook(_Hook(profile, self._after))]

    def _before(self, *_):
        self._start = now()

    def _after(self, *_):
        start, self._start = self._start, None
        if start is not None:
            self._profile.event("Optimizer", self._name, start, now(), None, TRAIN)
        self._profile.end_step(TRAIN)
