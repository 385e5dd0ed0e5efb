# SPDX-License-Identifier: Apache-2.0
"""The program on a pseudo-terminal: what it prints is read, and whether it rests is seen in /proc, without a clock."""

import errno
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

TICKS = os.sysconf("SC_CLK_TCK")
CALM = 40  # looks in a row at which a program sleeps that will not take a key now
PATIENCE_S = 120  # of wall time, for a program that neither works nor answers
RAW = re.compile(rb"\x1b\]0;PWN|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
MODES = {b"1049": b"l", b"25": b"h", b"2004": b"l", b"1000": b"l", b"1002": b"l", b"1006": b"l", b"2026": b"l"}


class Finding(Exception):
    """What a session has found. key: the same for two sessions that find the same."""

    def __init__(self, key, text=""):
        super().__init__("%s: %s" % (key, text[:300]))
        self.key, self.text = key, text


class Child:
    def __init__(self, argv, environment, folder, size, busy_s):
        self.busy_s = busy_s  # how long it may work on one key, CPU time
        self.master, self.slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.seen = bytearray()
        self.slow = False
        self.status = None
        self.pid = os.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.login_tty(self.slave)
            for signo in (signal.SIGINT, signal.SIGPIPE, signal.SIGTSTP, signal.SIGHUP, signal.SIGTERM):
                signal.signal(signo, signal.SIG_DFL)
            os.closerange(3, 64)
            os.execve(argv[0], argv, environment)
        os.set_blocking(self.master, False)

    def start(self):
        """Waits for the first output: before it, signals end the program."""
        since = time.monotonic()
        while not self.over() and not self.seen:
            self.read(.01)
            if time.monotonic() - since > PATIENCE_S:
                raise Finding("silence", "prints nothing at the start")
        self.rest()

    # ---- what it gets ----

    def resize(self, columns, lines):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, data):
        for tries in range(1000):
            try:
                data = data[os.write(self.master, data):]
            except BlockingIOError:
                self.rest()
            if not data or self.over():
                return

    def signal(self, signo):
        if not self.over():
            os.kill(self.pid, signo)

    # ---- what it does ----

    def over(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None

    def read(self, wait_s=0):
        """Reads what there is, unless the terminal is slow; false if there was nothing."""
        if self.slow or not select.select([self.master], [], [], wait_s)[0]:
            if self.slow and wait_s:
                time.sleep(wait_s)
            return False
        try:
            self.seen += os.read(self.master, 1 << 16)
        except OSError as e:
            if e.errno != errno.EIO:
                raise
            return False
        return True

    def stat(self):
        """The state of the main thread and its CPU time in seconds."""
        with open("/proc/%d/task/%d/stat" % (self.pid, self.pid), encoding="latin-1") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return fields[0], (int(fields[11]) + int(fields[12])) / TICKS

    def unread(self):
        """Bytes typed that the program has not read."""
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0]

    def full_screen(self):
        """The dashboard reads Ctrl-C as a key, the prompt does not."""
        return not termios.tcgetattr(self.slave)[3] & termios.ISIG

    def memory(self):
        with open("/proc/%d/statm" % self.pid, encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    def rest(self, reads_all=True):
        """Until it waits for the next event and has taken what was typed; or, unless it must read all, until it looks
        as if it did not want more keys now. Raises a Finding if that never comes."""
        since, calm = time.monotonic(), 0
        try:
            start = self.stat()[1]
            while not self.over():
                got = self.read(.001)
                state, used = self.stat()
                calm = 0 if got or state not in "ST" else calm + 1
                if calm > 2 and (state == "T" or not self.unread() or (calm > CALM and (self.slow or not reads_all))):
                    return
                if used - start > self.busy_s:
                    raise Finding("silence", "busy for %.1f s of CPU time" % (used - start))
                if time.monotonic() - since > PATIENCE_S:
                    raise Finding("silence", "does not take what was typed, state " + state)
        except (FileNotFoundError, ProcessLookupError):
            self.over()

    def kill(self):
        if not self.over():
            os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def end(self):
        """Waits for the end, which was asked for, and reads the rest."""
        since, start = time.monotonic(), self.stat()[1] if not self.over() else 0
        while not self.over():
            self.read(.002)
            if time.monotonic() - since > PATIENCE_S:
                raise Finding("silence", "does not end")
            try:
                if not self.over() and self.stat()[1] - start > self.busy_s:
                    raise Finding("silence", "busy at the end")
            except (FileNotFoundError, ProcessLookupError):
                pass
        while self.read():
            pass

    def close(self):
        self.kill()
        os.close(self.master)
        os.close(self.slave)

    # ---- what it leaves ----

    def check_output(self):
        found = RAW.search(self.seen)
        if found:
            raise Finding("escape", repr(bytes(self.seen[max(0, found.start() - 60):found.end() + 20])))
        if b"out of memory" in self.seen:
            raise Finding("memory", "ended with \"out of memory\"")

    def check_terminal(self, reads):
        """After the end: the modes of the line, and, if the terminal reads, what was switched on is off again."""
        if termios.tcgetattr(self.slave)[:4] != self.before[:4]:
            raise Finding("terminal", "its modes were not restored")
        for mode, last in MODES.items() if reads else ():
            sent = re.findall(rb"\x1b\[\?(?:\d+;)*" + mode + rb"(?:;\d+)*([hl])", self.seen)
            if sent and sent[-1] != last:
                raise Finding("terminal", "?%s was not restored" % mode.decode())
