# SPDX-License-Identifier: Apache-2.0
"""Files of a profile's timelines, for smdbg_profile: doc/recording.md describes them. Nothing here is for programs."""

import ast
import json
import os
import threading
import time
import warnings

now = time.perf_counter_ns
_FLUSH_NS, _FLUSH_EVENTS = 1_000_000_000, 256
_ERRORS_MAX = 50                                           # failed writes in a row, after which it gives up


def _number(text, least):
    return int(text) if text and text.isdigit() and int(text) >= least else None


def node_of_environment():
    """The number of this machine, from 1, as smdbg-tui sample finds it."""
    host = os.environ.get("SM_CURRENT_HOST", "")
    found = _number(os.environ.get("SMDBG_NODE"), 1)
    if found is None and host.startswith("algo-"):
        found = _number(host[5:], 1)
    for name in ("GROUP_RANK", "NODE_RANK", "SLURM_NODEID"):
        if found is None and _number(os.environ.get(name), 0) is not None:
            found = int(os.environ[name]) + 1
    return found or 1


# ---- what SageMaker's configuration asks for ----

def _lowered(value):
    return {str(key).lower(): part for key, part in value.items()} if isinstance(value, dict) else {}


def _is_true(value):
    return value if isinstance(value, bool) else str(value).lower() in ("true", "1")


class Config:
    """profilerconfig.json, if the environment names one; a name without a file means that nothing is recorded."""

    def __init__(self, path=None):
        self.enabled, self.root, self.detailed = True, None, None
        self.file_bytes, self.file_seconds = 10485760, 60
        path = path or os.environ.get("SMPROFILER_CONFIG_PATH")
        if path:
            try:
                with open(path, encoding="utf-8") as file:
                    self._read(_lowered(dict(json.load(file))))
            except (OSError, ValueError, SyntaxError, TypeError):
                self.enabled = False

    def _read(self, config):
        given = _lowered(config.get("profilingparameters"))
        self.enabled = not _is_true(config.get("disableprofiler", False)) and _is_true(given.get("profilerenabled", True))
        self.root = given.get("localpath")
        self.file_bytes = int(given.get("rotatemaxfilesizeinbytes", self.file_bytes))
        self.file_seconds = float(given.get("rotatefilecloseintervalinseconds", self.file_seconds))
        detailed = given.get("detailedprofilingconfig")
        if isinstance(detailed, str):
            detailed = ast.literal_eval(detailed) if detailed.strip() else {}
        detailed = _lowered(detailed)
        if "startstep" in detailed:
            self.detailed = (int(detailed["startstep"]), int(detailed.get("numsteps", 1)))


# ---- files ----
class Timeline:
    """Writes events into framework/NODE_pythontimeline.json.tmp, which becomes a file below framework/pevents when it is
    full, old, or the hour is over. Raises OSError."""

    def __init__(self, root, node, config):
        self.folder, self.node, self.config = os.path.join(root, "framework"), node, config
        self.path = os.path.join(self.folder, f"{node}_pythontimeline.json.tmp")
        self.file, self.phases, self.names, self.pid = None, {}, {}, os.getpid()

    def _text(self, value):
        """A name as JSON has it; names come again and again."""
        if value not in self.names:
            if len(self.names) > 10000:
                self.names.clear()
            self.names[value] = json.dumps(value if isinstance(value, str) else str(value))
        return self.names[value]

    def _open(self, first):
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(self.path):                      # of a process with our number, which was killed
            self._keep(os.stat(self.path).st_mtime_ns // 1000)
        self.file = open(self.path, "wb", buffering=0)    # a fork takes no bytes along
        self.clock_ns = time.time_ns() - now()
        self.base_us = (first + self.clock_ns) // 1000
        self.opened, self.in_hour, self.end_us, self.size = time.monotonic(), self.hour(time.time_ns() // 1000), self.base_us, 0
        self.phases = {}                                   # names of phases that are in this file: their numbers
        self._write('[\n{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": '
                    f'{self.base_us}}}}},\n'
                    '{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},\n')

    @staticmethod
    def hour(us):
        return time.strftime("%Y%m%d%H", time.gmtime(us / 1e6))

    def _write(self, text):
        """All of it, or nothing: a full disk leaves no half of an event."""
        data = text.encode("utf-8", "replace")
        written = self.file.write(data)
        if written != len(data):
            self.file.truncate(self.size)
            self.file.seek(self.size)
            raise OSError(f"{self.path}: only {written} of {len(data)} bytes could be written")
        self.size += len(data)

    def _phase(self, phase, lines):
        number = self.phases.get(phase)
        if number is None:
            number = self.phases[phase] = len(self.phases) + 1
            lines.append(f'{{"name": "process_name", "ph": "M", "pid": {number}, "args": {{"name": {self._text(phase)}}}}},\n'
                         f'{{"name": "process_sort_index", "ph": "M", "pid": {number}, '
                         f'"args": {{"sort_index": {number}}}}},\n')
        return number

    def write(self, events):
        """events: (phase, name, start, end, step, args), times of now()."""
        if self.file is None:
            self._open(min(event[2] for event in events))
        base, lines, before = self.base_us * 1000 - self.clock_ns, [], dict(self.phases)
        for phase, name, start, end, step, args in events:
            number = self._phase(phase, lines)
            ts, until = (start - base) // 1000, (end - base) // 1000
            more = "".join(f", {self._text(key)}: {json.dumps(value, default=str)}" for key, value in args.items()) \
                if args else ""
            known = f', "step_num": "{step}"' if step >= 0 else ""
            lines.append(f'{{"name": {self._text(name)}, "pid": {number}, "ph": "X", "ts": {ts}, "dur": {until - ts}, '
                         f'"args": {{"pid": {self.pid}{known}{more}}}}},\n')
            if self.base_us + until > self.end_us:
                self.end_us = self.base_us + until
        try:
            self._write("".join(lines))
        except OSError:
            self.phases = before
            raise
        if self.size >= self.config.file_bytes or time.monotonic() - self.opened >= self.config.file_seconds \
                or self.hour(time.time_ns() // 1000) != self.in_hour:
            self.close()

    def close(self):
        """The file gets its end and its name. One without events is removed."""
        if self.file is None:
            return
        file, self.file = self.file, None
        with file:
            if self.phases:
                file.seek(-2, os.SEEK_END)
                file.write(b"\n]\n")
        if not self.phases:
            os.remove(self.path)
            return
        self._keep(self.end_us)

    def _keep(self, end_us):
        """The temporary file becomes one of those below pevents."""
        folder = os.path.join(self.folder, "pevents", self.hour(end_us))
        os.makedirs(folder, exist_ok=True)
        while os.path.exists(path := os.path.join(folder, f"{end_us}_{self.node}_pythontimeline.json")):
            end_us += 1
        os.replace(self.path, path)


class Recorder:
    """Events of one process, on their way into its timeline. timeline None: nothing is recorded."""

    def __init__(self, timeline):
        self.timeline, self._events, self._due, self._lock = timeline, [], now(), threading.Lock()
        self.errors, self._failed = 0, 0

    def add(self, *event):
        events = self._events
        events.append(event)
        if event[3] >= self._due or len(events) >= _FLUSH_EVENTS:
            self.flush()

    def guard(self, function, *arguments):
        """Nothing is raised into the training, also where warnings are errors."""
        try:
            return function(*arguments)
        except Exception as error:
            self.errors += 1
            if self.errors == 1:
                try:
                    warnings.warn(f"smdbg_profile: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=3)
                except RuntimeWarning:
                    pass
            return None

    def flush(self):
        """Gives the events so far to the kernel. After 50 failures in a row nothing is recorded any more."""
        with self._lock:
            events, self._events, self._due = self._events, [], now() + _FLUSH_NS
            if not events or self.timeline is None:
                return
            before = self.errors
            self.guard(self.timeline.write, events)
            self._failed = self._failed + 1 if self.errors > before else 0
            if self._failed >= _ERRORS_MAX:
                self.timeline = None

    def close_timeline(self):
        self.flush()
        timeline, self.timeline = self.timeline, None
        if timeline:
            self.guard(timeline.close)

    def forget(self):
        if self.timeline and self.timeline.file:
            self.timeline.file.close()
        self.timeline, self._events, self._lock = None, [], threading.Lock()
