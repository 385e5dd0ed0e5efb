# SPDX-License-Identifier: Apache-2.0
"""Plays random sessions with smdbg-tui on a pseudo-terminal: keys, commands, sizes, slow terminals and signals, over odd
trials. It reports a crash, a sanitizer's report, silence, a control character that a name has brought to the terminal, and
a terminal that is not restored; makes the session shorter, and prints the line that plays it again.

Usage: play.py PROGRAM [--sessions N] [--seed N] [--length N] [--jobs N] [--keep-going]
       play.py PROGRAM --cases FILE      plays the sessions of the file, one a line
       play.py PROGRAM --session LINE    plays this one; --verbose shows its screen output
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import child  # noqa: E402
import odd_trials  # noqa: E402
import session as sessions  # noqa: E402

MEMORY_MAX = 3 << 30
NOT_RUN = re.compile(r"^(shell|pipe|signal|info environment)")


def environment(folder, place=None):
    place = place or {}
    found = {"PATH": os.environ["PATH"], "HOME": folder, "INPUTRC": "/dev/null", "TZ": "UTC0",
             "TERM": place.get("term", "xterm-256color"), "LC_ALL": place.get("locale", "C.UTF-8"),
             "ASAN_OPTIONS": "detect_leaks=0:allow_user_segv_handler=0:handle_abort=1:allocator_may_return_null=1:"
                             "max_allocation_size_mb=2000:color=never:log_path=%s/report" % folder,
             "UBSAN_OPTIONS": "print_stacktrace=1:color=never:log_path=%s/report" % folder}
    return {name: value for name, value in found.items() if value}


def table_of_words(program, folder):
    """What the program completes: commands, subcommands, settings, and the values of settings."""
    def complete(starts):
        lines = "".join("echo == %s\\n\ncomplete %s\n" % (s.replace(" ", "_"), s) for s in starts)
        out = subprocess.run([program, "-n", "-batch", "-x", "-", "--keep-going", folder + "/t/nan"], input=lines,
                             env=environment(folder), capture_output=True, text=True, check=False).stdout
        found, at = {}, ""
        for line in out.splitlines():
            if line.startswith("== ") or line == "==":
                at = line[3:].replace("_", " ")
            elif not NOT_RUN.match(line):
                found.setdefault(at, []).append(line)
        return found
    words = complete([""])
    for _ in range(2):
        words.update(complete([w + " " for found in list(words.values()) for w in found if w + " " not in words]))
    return words


class Player:
    """Plays sessions in a folder of its own."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.mkdtemp(prefix="smdbg-player-")
        with open(self.program, "rb") as file:
            self.busy_s = 2 * (4 if b"__asan_init" in file.read() else 1)
        os.mkdir(self.folder + "/t")
        self.trials = odd_trials.make(self.folder + "/t", self.program, environment(self.folder))
        self.words = table_of_words(self.program, self.folder)
        self.seen = b""

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def random(self, seed, length):
        return sessions.random_session(seed, length, self.words, self.trials)

    # ---- one session ----

    def play(self, s):
        """Returns the Finding, or None."""
        home = tempfile.mkdtemp(prefix="home-", dir=self.folder)
        os.mkdir(home + "/t")
        for name in self.trials:
            os.symlink("../../t/" + name, home + "/t/" + name) if name != "live" else odd_trials.live(home + "/t/live")
        trial = s.place.get("trial", "")
        argv = [self.program, "--no-tui" if int(s.place.get("prompt", 0)) else "--tui"] + (["t/" + trial] if trial else [])
        size = [int(n) for n in s.place.get("size", "80x24").split("x")]
        self.steps = 0
        c = child.Child(argv, environment(home, s.place), home, size, self.busy_s)
        try:
            self.act_all(c, s, home)
            self.finish(c, s.place.get("ending", "quit"))
            c.check_output()
            return self.report(home, c)
        except child.Finding as found:
            c.kill()
            return self.report(home, c) or found
        finally:
            self.seen = bytes(c.seen)
            c.close()
            shutil.rmtree(home, ignore_errors=True)

    def act_all(self, c, s, home):
        c.start()
        for verb, text in s.actions:
            if c.over():
                return
            self.act(c, verb, text, home)
            if not c.over() and c.memory() > MEMORY_MAX:
                raise child.Finding("memory", "%d MiB after %s" % (c.memory() >> 20, text))

    def act(self, c, verb, text, home):
        data = text.encode("utf-8", "surrogateescape")
        if verb == "key":
            c.type(data)
        elif verb == "run":
            c.type((b"\x1b\x1b:" if c.full_screen() else b"\x07\x15") + data + b"\r")
        elif verb == "size":
            c.resize(*[int(n) for n in text.split("x")])
        elif verb in ("slow", "fast"):
            c.slow = verb == "slow"
        elif verb == "stop":
            c.signal(signal.SIGTSTP)
            c.rest(False)
            c.signal(signal.SIGCONT)
        elif verb == "cancel":
            c.signal(signal.SIGINT)
        else:
            self.change_live(verb, home)
        c.rest(False)

    def change_live(self, verb, home):
        path = home + "/t/live"
        if verb == "wipe":
            shutil.rmtree(path, ignore_errors=True)
            self.steps = 0
            return
        trial = odd_trials.Trial(path)
        if verb == "end":
            trial.end()
        else:
            self.steps += 1
            name = odd_trials.HOSTILE[self.steps % len(odd_trials.HOSTILE)]
            trial.write(self.steps, [odd_trials.loss(self.steps), odd_trials.matrix("w0", self.steps),
                                     odd_trials.matrix(name, self.steps)])

    # ---- its end ----

    def probe(self, c):
        """It answers: a key or Ctrl-C is taken, also when it waits for a live trial."""
        c.slow = False
        c.signal(signal.SIGCONT)
        for key in (b"\x11", b"\x03", b"\x1b", b"\x1b", b"\x0c"):
            c.type(key)
        for _ in range(3):
            if c.over():
                return
            c.rest(False)
            if not c.unread():
                return
            c.type(b"\x03")
        c.rest()

    def finish(self, c, ending):
        if not c.over():
            self.probe(c)
        asked = not c.over()
        if asked and ending in ("quit", "QUIT-slow"):
            c.slow = ending == "QUIT-slow"
            c.type(b"\x1b\x03\x1b:set confirm off\r")
            c.rest(False)
            c.type(b"\x1b\x03\x1b:quit\r\x04")
            for _ in range(20):  # a body that is not complete, a pager, a question
                if c.over():
                    break
                c.rest(False)
                c.type(b"q\x03\r:quit\r\x04" if not c.over() else b"")
            c.signal(signal.SIGTERM)
            c.signal(signal.SIGCONT)
        elif asked and ending == "stopped":  # by Ctrl-S: the program cannot write, and a second signal ends it
            c.type(b"\x03\x1b\x03:tui disable\rhelp all\r\x13")
            c.rest(False)
            for _ in range(2):
                c.signal(signal.SIGTERM)
                c.rest(False)
            c.type(b"\x11")
        elif asked:
            c.signal(signal.SIGTERM if ending == "TERM" else signal.SIGHUP)
            c.signal(signal.SIGCONT)
        c.end()
        slow, c.slow = c.slow or ending == "stopped", False
        while c.read():
            pass
        if c.status < 0 and -c.status not in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            raise child.Finding("signal %d" % -c.status, "ended by a signal")
        c.check_terminal(not slow)

    def report(self, home, c):
        """The Finding of a sanitizer, if it has written a report."""
        text = ""
        for path in glob.glob(home + "/report*"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
        text += bytes(c.seen).decode("utf-8", "replace") if b"runtime error: " in c.seen else ""
        what = re.search(r"runtime error: [^\r\n]*|ERROR: AddressSanitizer: [\w-]+", text)
        if not what:
            return None
        where = re.search(r"\b(?:tui|commands|rules|reader|plot)/[\w./-]+\.c:\d+", text)
        key = "%s at %s" % (re.sub(r"0x\w+|\d+", "N", what[0]), where[0] if where else "?")
        return child.Finding(key, text[max(0, what.start() - 200):])


def shorten(player, s, key):
    def fails(shorter):
        found = player.play(shorter)
        return found is not None and found.key == key
    return sessions.shrink(s, fails)


def tell(program, name, s, found, verbose):
    print("%s: %s" % (name, found.key))
    print("\n".join(found.text.splitlines()[:40 if verbose else 14]))
    print("again: tests/player/play.py %s --session '%s'\n" % (program, s.line().replace("'", "'\\''")), flush=True)


def play_seeds(options, seeds):
    """In a process of its own: plays the seeds, and shortens what fails, once for each kind of finding."""
    player, failures = Player(options.program), set()
    try:
        for seed in seeds:
            s = player.random(seed, options.length)
            found = player.play(s)
            if not found:
                continue
            if found.key not in failures:
                tell(options.program, "seed %d" % seed, shorten(player, s, found.key), found, options.verbose)
            else:
                print("seed %d: %s again" % (seed, found.key), flush=True)
            failures.add(found.key)
            if not options.keep_going:
                break
    finally:
        player.close()
    return failures


def play_random(options):
    ranges = [range(options.seed + i, options.seed + options.sessions, options.jobs) for i in range(options.jobs)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        failures = set().union(*pool.map(play_seeds, [options] * options.jobs, ranges))
    print("%d sessions of %d actions: %d kinds of failure" % (options.sessions, options.length, len(failures)))
    return 1 if failures else 0


def play_lines(options, lines):
    player, failed = Player(options.program), 0
    try:
        for line in lines:
            s = sessions.Session.parse(line)
            found = player.play(s)
            if options.verbose:
                print(player.seen)
            if found:
                failed += 1
                tell(options.program, "session", s, found, options.verbose)
    finally:
        player.close()
    print("%d sessions, %d failed" % (len(lines), failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    for name, default in (("sessions", 200), ("seed", 1), ("length", 130), ("jobs", 2)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--cases")
    parser.add_argument("--session")
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.session:
        return play_lines(options, [options.session])
    if options.cases:
        with open(options.cases, encoding="utf-8") as file:
            return play_lines(options, [line for line in file.read().splitlines() if line and line[0] != "#"])
    return play_random(options)


if __name__ == "__main__":
    sys.exit(main())
