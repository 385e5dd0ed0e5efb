#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Presses Tab in bash, zsh and fish on a pseudo-terminal, with the completions of FOLDER. Usage: completions.py FOLDER [SHELL]...

In each shell smdbg-tui is a function that prints its arguments, so what a Tab has made of a word is seen when the line is run.
"""
import os
import pty
import select
import shutil
import signal
import sys
import tempfile
import time

# what is typed, and what the line must then be
LINES = (
    ("--no-fo\t", "--no-follow"),
    ("--interpreter j\t", "--interpreter json"),
    ("--interpreter=j\t", "--interpreter=json"),
    ("--layout heal\t", "--layout health"),
    ("--layout=heal\t", "--layout=health"),
    ("--demo sat\t", "--demo saturated_activation"),
    ("--rules vani\t", "--rules vanishing_gradient"),
    ("--rules a_r\t", "--rules a_rules.txt"),
    ("--rules=overf\t", "--rules=overfit"),
    ("--rules overfit,dead\t", "--rules overfit,dead_relu"),
    ("-batch -ex bookm\t", "-batch -ex bookmark"),
    ("-x a_sc\t", "-x a_script.smdbg"),
    ("a_tr\t", "a_trial/"),
    ("-nw a_tr\t", "-nw a_trial/"),
    ("samp\t", "sample"),
    ("sample --inter\t", "sample --interval"),
    ("sample --out a_t\t", "sample --out a_trial/"),
    ("a_trial --no-fo\t", "a_trial --no-follow"),
)
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set bell-style none'; source {0}/smdbg-tui.bash; smdbg-tui() {{ echo \"GOT<$*>\"; }}; PS1=; echo REA''DY\n"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1= RPS1=; unsetopt beep; fpath=({0} $fpath); autoload -Uz compinit; compinit -u -d {1}/dump; "
            "smdbg-tui() {{ echo \"GOT<$*>\" }}; echo REA''DY\n"),
    "fish": (["fish", "--no-config", "-i"],
             "function fish_prompt; end; set -g fish_autosuggestion_enabled 0; source {0}/smdbg-tui.fish; "
             "function smdbg-tui; echo \"GOT<$argv>\"; end; echo REA''DY\n"),
}
SECONDS = 30


class Shell:
    def __init__(self, name, folder, scratch):
        command, setup = START[name]
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(scratch)
            os.environ.update(HOME=scratch, TERM="dumb" if name == "zsh" else "xterm", LC_ALL="C.UTF-8", XDG_CONFIG_HOME=scratch)
            os.execvp(command[0], command)
        self.ask(setup.format(folder, scratch), b"READY")

    def ask(self, text, until):
        """Types text and returns what follows until on the screen's next such line."""
        self.seen = b""
        os.write(self.fd, text.encode())
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if until in self.seen and self.seen.find(b"\n", self.seen.find(until)) >= 0:
                return self.seen.split(until, 1)[1].split(b"\n")[0].decode(errors="replace").strip()
            if select.select([self.fd], [], [], 0.5)[0]:
                self.seen += os.read(self.fd, 65536)
        return "nothing: " + repr(self.seen[-300:])

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def check(name, folder):
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.mkdir(os.path.join(scratch, "a_trial"))
        for made in ("a_script.smdbg", "a_rules.txt"):
            with open(os.path.join(scratch, made), "w", encoding="ascii"):
                pass
        shell = Shell(name, folder, scratch)
        for typed, wanted in LINES:
            got = shell.ask(f"smdbg-tui {typed}\n", b"GOT<").rstrip("> ")
            if got not in (wanted, wanted.rstrip("/")):          # zsh takes the last slash away again
                print(f"{name}: {typed.strip()!r} and Tab: {got!r}, not {wanted!r}")
                failed += 1
        shell.close()
    return failed


def main():
    folder = os.path.realpath(sys.argv[1])
    names = sys.argv[2:] or list(START)
    for name in names:
        if not shutil.which(name):
            sys.exit(f"completions: there is no {name}")
    sys.exit(1 if sum(check(name, folder) for name in names) else 0)


if __name__ == "__main__":
    main()
