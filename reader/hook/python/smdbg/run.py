# SPDX-License-Identifier: Apache-2.0
"""A run that is recorded: its steps, its numbers and its values, for any framework. After it is made nothing raises.

A step of the hook is of one mode. A TRAIN step may be interrupted by EVAL steps: what comes after them is written as a
further record of the same TRAIN step."""

import atexit
import functools
import os
import re
import time
import warnings

import smdbg_hook

from .number import number

TRAIN, EVAL, GLOBAL = smdbg_hook.TRAIN, smdbg_hook.EVAL, smdbg_hook.GLOBAL

# Names of losses, as smdbg-tui has them for runs of numbers (reader/kind/scalar_names.c).
_LOSS = re.compile(r"(?i)loss(?:es)?(?![a-z])(?![ _./-]*(?:scal|weight|coef|factor|lambda|count|grad|lr|learning))"
                   r"|cross[ _-]?entropy|(?:^|[^a-z])(?:xent|nll|logloss)(?![a-z])")

_save_number = smdbg_hook._lib.smdbg_hook_number
_process = os.getpid()                                     # of a forked child: its own


def _forked():
    global _process
    _process = os.getpid()


os.register_at_fork(after_in_child=_forked)


def quiet(method):
    """What goes wrong in the method is told once and does not reach the training; the call returns None."""
    @functools.wraps(method)
    def call(self, *arguments, **keywords):
        if not self.is_active():
            return None
        try:
            return method(self, *arguments, **keywords)
        except Exception as error:
            self.tell_exception(method.__name__, error)
            return None
    return call


def text_of(value):
    try:
        return str(value)
    except Exception:
        return "no message"


def from_environment(*names):
    """The number in the first of these variables that has one; None: there is none."""
    for name in names:
        if os.environ.get(name, "").isdecimal():
            return int(os.environ[name])
    return None


class Run:
    """dir: where it is written; "" in a process that does not write. error: the last message; "" if there was none."""

    COLLECTIONS = ("weights", "biases", "gradients", "outputs")

    def __init__(self, options):
        self.options = options
        self._pid = _process
        self._told = set()
        self._losses = set()
        self._error = ""
        self._dir = ""                                     # after the end
        self._members = {}                                 # name: its bytes, of those that are in a collection
        self._mode = None                                  # of the present step; None before the first
        self._open = False                                 # the last TRAIN step has begun, its optimizer has not stepped
        self.writes = self.place()[0] == 0
        path = options.dir or os.path.join("smdbg-runs", time.strftime("%Y-%m-%d-%H%M%S"))
        self._hook = self._make_hook(path if self.writes else "", options.if_exists)
        self._count_on()
        atexit.register(self.close)

    def _make_hook(self, path, if_exists):
        """path "": a hook that writes nothing."""
        options = self.options
        rank, size = self._known = self.place()
        place = {"rank": rank, "world_size": size} if size > 1 else {}                 # else they may be known later
        hook = smdbg_hook.Hook(path, save_interval=options.every, if_exists=if_exists, share_event_files="true",
                               include_workers="all" if options.workers == "all" else "one", **place)
        hook.be_quiet()                                    # errors are told here
        reductions = {} if options.raw else {"reductions": options.stats}
        for name in self.COLLECTIONS + (("optimizer_variables",) if options.optimizer_state else ()):
            if not hook.collection(name, include_regex="", save_interval=options.every, **reductions):
                raise ValueError(hook.error)
        if not all(hook.collection(name, include_regex="", save_interval=1) for name in ("scalars", "losses")):
            raise ValueError(hook.error)
        return hook

    def _count_on(self):
        """The numbers of the next steps: with if_exists="resume" those of the earlier run go on."""
        self._next = {mode: self._hook.next_step(mode) for mode in (TRAIN, EVAL, GLOBAL)}
        self._global = self._hook.next_step(0)

    # ---- for the training ----

    @property
    def dir(self):
        return self._hook.dir if self._hook else self._dir

    @property
    def error(self):
        return self._error or (self._hook.error if self._hook and self.writes else "")

    def log(self, values=None, /, **named):
        """Records numbers with the present step: log(loss=loss), or log({"val/loss": loss}) for other names."""
        self._log({**(values if isinstance(values, dict) else {}), **named})
        if values is not None and not isinstance(values, dict):
            self.tell("log", f"log: expected a dict or keywords, not a {type(values).__name__}")

    def close(self):
        """Writes the end of the run and takes all hooks off. Called at exit of the interpreter, too."""
        if not self.is_active():
            return
        self._finish()
        hook, self._hook, self._dir = self._hook, None, self.dir
        try:
            if self.writes:
                self._error = self._error or hook.error
            if not hook.close() and self.writes:
                self.tell("close", f"the run in {self._dir} is not complete: {self._error or hook.error}")
        finally:
            atexit.unregister(self.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- for what is built on it ----

    def place(self):
        """Rank of this process and their number, as far as they are known."""
        return from_environment("RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID") or 0, \
            from_environment("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS") or 1

    def is_active(self):
        """False: closed, or in a forked child."""
        return self._hook is not None and _process == self._pid

    def tell(self, about, message):
        """Tells a mistake once: as a warning, and as error."""
        self._error = message
        if about in self._told:
            return
        self._told.add(about)
        try:
            warnings.warn(f"smdbg: {message}", RuntimeWarning, stacklevel=smdbg_hook._stacklevel())
        except Exception:
            pass                                           # warnings are errors here

    def tell_exception(self, where, error):
        self.tell((where, type(error).__name__), f"{where.strip('_')}: {type(error).__name__}: {text_of(error)}")

    def begin(self, mode):
        """Begins the next step of the mode."""
        self.flush()
        self._hook._begin(mode, self._global, self._next[mode])
        self._mode = mode
        self._global += 1
        self._next[mode] += 1
        self._open = mode == TRAIN or self._open            # EVAL steps inside a TRAIN step do not end it

    def resume_train(self):
        """Goes on with the TRAIN step that EVAL steps have interrupted; begins the next if none is open."""
        if not self._open:
            self.begin(TRAIN)
        elif self._mode != TRAIN:
            self.flush()
            self._hook._begin(TRAIN, self._global, self._next[TRAIN] - 1)
            self._global += 1
            self._mode = TRAIN

    def step_number(self, mode=TRAIN):
        return self._next[mode] - 1

    def is_due(self, mode=TRAIN):
        """Whether tensors are recorded at the present step of the mode."""
        return self.step_number(mode) % self.options.every == 0

    def scalar(self, name, value):
        """value: a float, recorded with the present step in the collection scalars."""
        member = self._members.get(name) or self.member("scalars", name)
        if member:
            _save_number(self._hook._handle, member, value)

    def loss(self, name):
        """The series is a loss, which rules look for in the collection."""
        if name not in self._losses and self.member("scalars", name):
            self._losses.add(name)
            self._hook._add(b"losses", name)

    def save(self, collection, name, value):
        """value: what smdbg_hook.Hook.save takes."""
        if self.member(collection, name) and not self._hook.save(name, value):
            self.tell(name, f"{name}: {self._hook.error}")

    def member(self, collection, name):
        """The bytes of a name, which is a member of the collection from now on; None: it cannot be a name."""
        known = self._members.get(name)
        if known is None:
            if not self._hook._add(collection.encode(), name):
                self.tell(name, f"{name!r}: {self._hook.error}")
                return None
            known = self._members[name] = name.encode()
        return known

    def flush(self):
        """What is still under way from a device is written with the present step."""

    def mode_now(self):
        """The mode of log()."""
        return TRAIN

    @quiet
    def begin_quietly(self, mode):
        self.begin(mode)

    def log_in(self, mode, values):
        """log() for a framework that knows the mode."""
        self._log(dict(values), mode)

    @quiet
    def _log(self, values, mode=None):
        mode = mode or self.mode_now()
        for name, value in values.items():
            try:
                value = self.to_number(name, value)
            except Exception:
                self.tell(("log", name), f"log: {name!r} is no number but a {type(value).__name__}")
                continue
            self._open_for_log(mode)
            if name not in self._members and isinstance(name, str) and _LOSS.search(name):
                self.loss(name)
            if value is not None:
                self.scalar(name, value)

    def to_number(self, name, value):
        """A float; None: it comes later. Raises if it is none."""
        return number(value)

    def _open_for_log(self, mode):
        if self._mode == mode:
            return
        if mode == TRAIN:
            self.resume_train()
        else:
            self.begin(mode)

    @quiet
    def _finish(self):
        self.flush()
