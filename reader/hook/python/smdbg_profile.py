# SPDX-License-Identifier: Apache-2.0
"""Records where the time of a training goes, as a profile that smdbg-tui can read.

    import smdbg_profile
    with smdbg_profile.profile("profiler-output") as prof:
        for batch in prof.loader(loader):                  # how long next() takes
            with prof.step():                              # a step of TRAIN
                with prof.forward(): ...
                with prof.backward(): ...
                with prof.optimizer(): ...

With PyTorch, steps, forward, backward and optimizer are found by themselves:

    with smdbg_profile.profile("profiler-output", sample_ms=500) as prof:
        prof.watch(model, optimizer)                       # modules=True: each module, too
        for batch in prof.loader(loader):
            ...

Plain Python: it needs neither the hook's library nor PyTorch. Only making a profile raises (ValueError, TypeError); what
goes wrong later is counted in Profile.errors and said once by warnings. Times are those of the CPU: of a GPU they are when
its work was given to it. doc/recording.md describes the files.
"""

import atexit
import os
import shutil
import signal
import subprocess
import weakref

from smdbg_timeline import Config, Recorder, Timeline, node_of_environment, now

TRAIN, EVAL, PREDICT, GLOBAL = "TRAIN", "EVAL", "PREDICT", "GLOBAL"


# ---- pieces of time ----

class _Span:
    """A context that records itself as one event."""
    __slots__ = ("_profile", "_phase", "_name", "_args", "_start")

    def __init__(self, profile, phase, name, args):
        self._profile, self._phase, self._name, self._args = profile, phase, name, args

    def __enter__(self):
        self._start = now()
        return self

    def __exit__(self, *_):
        self._profile.event(self._phase, self._name, self._start, now(), self._args)


class _Step:
    """A context that is one step."""
    __slots__ = ("_profile", "_mode")

    def __init__(self, profile, mode):
        self._profile, self._mode = profile, mode

    def __enter__(self):
        self._profile.begin_step(self._mode)
        return self

    def __exit__(self, *_):
        self._profile.end_step(self._mode)

class _Loader:
    """An iterable whose next() is measured. All else is that of the iterable."""

    def __init__(self, profile, iterable, mode):
        self._profile, self._iterable, self._mode = profile, iterable, mode

    def __iter__(self):
        start = now()
        iterator = self._begin()
        end = now()
        known = {}
        for name in ("num_workers", "pin_memory", "prefetch_factor", "batch_size"):
            value = getattr(self._iterable, name, None)
            if isinstance(value, (bool, int)):
                known[name] = value
        self._profile.event("DataLoaderIterInitialize", "DataLoaderIterInitialize", start, end, known)
        return self._each(iterator)

    def _begin(self):
        """The iterator; processes that a loader of torch starts for it record themselves."""
        profile, loader = self._profile, self._iterable
        if profile.timeline is None or not getattr(loader, "num_workers", 0) or not hasattr(loader, "worker_init_fn"):
            return iter(loader)
        before = loader.worker_init_fn
        from smdbg_profile_torch import WorkerInit
        loader.worker_init_fn = WorkerInit(before, profile.root, profile.node, profile._config)
        try:
            return iter(loader)
        finally:
            loader.worker_init_fn = before

    def _each(self, iterator):
        event, mode = self._profile.event, self._mode
        while True:
            start = now()
            try:
                value = next(iterator)
            except StopIteration:
                return
            event("DataLoaderIter", "DataLoaderIter", start, now(), None, mode)
            yield value

    def __len__(self):
        return len(self._iterable)

    def __getattr__(self, name):
        return getattr(self._iterable, name)


_open_profiles = weakref.WeakSet()


def _after_fork():
    """A child writes nothing: the files are its parent's."""
    for profile in list(_open_profiles):
        profile.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Profile(Recorder):
    """One recording. All methods may be called after close(), and in a forked child: they then do nothing."""

    def __init__(self, root=None, *, node=None, sample_ms=0, torch_steps=None, config=None):
        """root: the profiler's directory; None: $SMDBG_PROFILER_DIR (smdbg-tui sample sets it), else that of SageMaker's
        configuration, else ./profiler-output. node: number of the machine. sample_ms: also records the machine, by
        starting smdbg-tui sample, unless somebody does already. torch_steps: (first, count) of the steps of TRAIN that
        torch.profiler records in detail."""
        self._config = config = Config(config)
        if sample_ms and not 100 <= int(sample_ms) <= 60000:
            raise ValueError(f"sample_ms is 100 to 60000, not {sample_ms}")
        if torch_steps is not None:
            first, count = torch_steps
            if first < 0 or count < 1:
                raise ValueError(f"torch_steps is (first, count), not {torch_steps}")
        self.root = os.path.abspath(os.fspath(root or os.environ.get("SMDBG_PROFILER_DIR") or config.root
                                              or "profiler-output"))
        self.node = int(node or node_of_environment())
        super().__init__(Timeline(self.root, f"{os.getpid()}-algo-{self.node}", config) if config.enabled else None)
        self._sampler, self._detail = None, self._make_detail(torch_steps or config.detailed)
        self._steps = {mode: 0 for mode in (TRAIN, EVAL, PREDICT, GLOBAL)}
        self._open, self._mode, self._hooks = {}, TRAIN, []
        if self.timeline:
            _open_profiles.add(self)
            atexit.register(_close_at_exit, weakref.ref(self))
            self.guard(self._mark, False)
            if sample_ms and not os.environ.get("SMDBG_PROFILER_DIR"):
                self.guard(self._start_sampler, int(sample_ms))

    # ---- events ----

    def event(self, phase, name, start, end, args=None, mode=None):
        """Records a piece of time, from start to end as time.perf_counter_ns() gives them."""
        if self.timeline is not None:
            self.add(phase, name, start, end, self._steps[mode or self._mode], args)

    def phase(self, phase, name=None, **args):
        """A context that records how long it takes."""
        return _Span(self, phase, name or phase, args)

    def forward(self, name="model"):
        return _Span(self, "Forward", name, None)

    def backward(self, name="model"):
        return _Span(self, "Backward(post-forward)", name, None)

    def optimizer(self, name="optimizer"):
        return _Span(self, "Optimizer", name, None)

    def step(self, mode=TRAIN):
        """A context that is one step of this mode; they are counted from 0."""
        if mode not in self._steps:
            raise ValueError(f"{mode!r} is none of TRAIN, EVAL, PREDICT, GLOBAL")
        return _Step(self, mode)

    def loader(self, iterable, mode=TRAIN):
        """The iterable, with the time that each next() takes recorded."""
        return _Loader(self, iterable, mode)

    def begin_step(self, mode, start=None):
        if mode in self._open or self.timeline is None:
            return
        self._open[mode] = now() if start is None else start
        self._mode = mode
        if mode == TRAIN and self._detail:
            self.guard(self._detail.begin, self._steps[mode])

    def end_step(self, mode, end=None):
        start = self._open.pop(mode, None)
        if start is None:
            return
        name = f"Step:ModeKeys.{mode}"
        self.event(name, name, start, now() if end is None else end, None, mode)
        if mode == TRAIN and self._detail:
            self.guard(self._detail.end, self._steps[mode])
        self._steps[mode] += 1
        self._mode = TRAIN

    def close(self):
        """Writes what is left, and the marker of the end. Called at exit if the program does not call it."""
        if self.timeline is None:
            return
        while self._hooks:
            self.guard(self._hooks.pop().remove)
        if self._detail:
            self.guard(self._detail.finish)
        self.close_timeline()
        self.guard(self._stop_sampler)
        self.guard(self._mark, True)
        _open_profiles.discard(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def forget(self):
        super().forget()
        self._sampler = None

    def _mark(self, ended):
        """Of several processes the first one says that the job is over."""
        if os.environ.get("RANK", "0") != "0":
            return
        path = os.path.join(self.root, "framework", "training_job_end.ts")
        if ended:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb"):
                pass
        elif os.path.exists(path):
            os.remove(path)

    def _make_detail(self, steps):
        if not steps:
            return None
        from smdbg_profile_torch import Detail
        return Detail(self, *steps)

    # ---- the machine ----

    def _start_sampler(self, interval_ms):
        here = os.path.dirname(os.path.abspath(__file__))
        installed = os.path.join(here, "..", "..", "bin", "smdbg-tui")     # from share/smdbg-tui
        program = os.environ.get("SMDBG_TUI") or (installed if os.path.exists(installed) else shutil.which("smdbg-tui"))
        if not program:
            raise FileNotFoundError("smdbg-tui is not found, so the machine is not recorded")
        if os.environ.get("LOCAL_RANK", "0") == "0":       # one for each machine
            self._sampler = subprocess.Popen(
                [program, "sample", "-p", str(os.getpid()), "-o", self.root, "-i", str(interval_ms), "-n", str(self.node)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)

    def _stop_sampler(self):
        sampler, self._sampler = self._sampler, None
        if sampler:
            sampler.send_signal(signal.SIGTERM)
            sampler.wait(10)

    # ---- PyTorch ----
    def watch(self, model, optimizer=None, modules=False):
        """Records the forward passes of a module of torch, its backward passes and the steps of an optimizer. A step of
        TRAIN begins with a forward pass in training mode and ends with the optimizer's step, or without an optimizer with
        the backward pass. modules: True, or a regular expression of names, records submodules, too."""
        import smdbg_profile_torch
        if self.timeline is not None:
            self._hooks += smdbg_profile_torch.watch(self, model, optimizer, modules)


def _close_at_exit(reference):
    profile = reference()
    if profile is not None:
        profile.close()


def profile(root=None, **settings):
    """Begins a recording; see Profile."""
    return Profile(root, **settings)
