# SPDX-License-Identifier: Apache-2.0
"""A session is its circumstances (trial, terminal, size, locale) and a list of actions, made from a seed and written as
one line of words: NAME=VALUE for the circumstances, VERB:ARGUMENT for the actions, both percent-encoded."""

import random
import urllib.parse

TERMS = ["xterm-256color"] * 6 + ["screen", "tmux-256color", "linux", "vt100", "dumb", "unknown-term", ""]
LOCALES = ["C.UTF-8"] * 6 + ["C", "POSIX"]
SIZES = [(80, 24)] * 4 + [(200, 60), (120, 40), (40, 10), (39, 9), (20, 30), (5, 3), (2, 2), (1, 1)]
SPECIAL = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1b[H", "\x1b[F", "\x1b[5~",
           "\x1b[6~", "\x1b[2~", "\x1b[3~", "\x1b[Z", "\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~",
           "\x1b[18~", "\x1b[19~", "\x1b[20~", "\x1b[24~", "\x1b", "\x1b\x1b", "\x1b[", "\x1b[?2026;2$y", "\x1b[?1;2c",
           "\x1b[200~j\x1b[201~", "\x1b[200~print 1\nprint 2\n\x1b[201~", "\x1b[200~", "\x1b[201~", "\x1b[I", "\x1b[<",
           "\x1b[M !!", "\x1b[M#!!", "\x1b[M`%%", "\x1b[Ma%%", "\x1b[<0;9;9M", "\x1b[<64;9;9M", "\x1b[999;999R"]
TEXT = ["ä", "木", "🙂", "e\u0301", "\udcff", "\udcc3", "\udce2\udc82", "0", "w0", "loss", "*", "/w", "w0[0", "..", "'", '"']
PLAIN = [chr(c) for c in range(32, 127) if chr(c) not in "QP!|"]
CONTROL = [chr(c) for c in range(1, 32) if c not in (26, 28)]
USEFUL = list("jjjkkkhlgG+-zL[]{}0$feEbpDcavVstxHIyd<>nN=?qU1234567mS:/\\ \r\t") + ["\x7f", "\x04", "\x15", "\x0c"]
OPEN = ["open t/%s", "add-trial t/%s", "open t/%s as x", "remove-trial 1", "close", "close", "trial 1", "trial 2"]
FIXED = ["layout rules", "layout health", "layout compare", "layout plots", "layout value", "layout run", "layout cmd",
         "layout next", "tui disable", "tui enable", "tui disable", "tui enable", "rule auto", "rule detach *", "set title on",
         "set mouse on", "set confirm off", "set tui altscreen off", "with width 100000000 -- plot *",
         "with height 100000000 -- plot *", "plot * 100000000x100000000", "set width 2147483647", "set height 1", "set width 1",
         "image image", "heatmap w0", "scatter w0 w1", "confusion", "hist w0", "layers", "backtrace -worst", "find nan",
         "info tensors", "help all", "tensor * [0]", "diff", "report", "rule status", "why", "list", "continue", "run",
         "reverse-continue", "until nan(w0)", "step 5", "tui new-layout a tensors 1 {-horizontal rules 2 health 1} 2",
         "layout a", "pane tensors hide", "pane value set slice [0]", "pane value set view image", "pane value show", "focus next",
         "winheight tensors +3", "winwidth tensors 500", "key list j down", "screen save s.svg", "screen save s.ansi",
         "snapshot save a.smdz", "save settings f", "set memory-limit 1", "set threads 0", "set screen-reader on",
         "set style text red", "set symbols ascii", "bookmark a", "watch w0", "tbreak loss", "display loss", "at 1 print 1",
         "while 1", "if 1", "end", "define f", "echo a", "source nothing", "print w0", "print *", "print $_tensor", "x/9 w0"]


def quote(text):
    return urllib.parse.quote(text.encode("utf-8", "surrogateescape"), safe="/:;,*-_.~()[]+=<>{}'@^&")


def unquote(word):
    return urllib.parse.unquote_to_bytes(word).decode("utf-8", "surrogateescape")


class Session:
    def __init__(self, place, actions):
        self.place, self.actions = place, actions

    def line(self):
        words = ["%s=%s" % (name, quote(str(value))) for name, value in self.place.items()]
        return " ".join(words + ["%s:%s" % (verb, quote(text)) for verb, text in self.actions])

    @staticmethod
    def parse(line):
        place, actions = {}, []
        for word in line.split():
            verb, colon, text = word.partition(":")
            if colon and "=" not in verb:
                actions.append((verb, unquote(text)))
            else:
                name, _, value = word.partition("=")
                place[name] = unquote(value)
        return Session(place, actions)


def a_size(rng):
    return rng.choice(SIZES) if rng.random() < .5 else (rng.randint(1, 200), rng.randint(1, 60))


def a_command(rng, words, trials):
    """words: from the program's own completion, by the beginning of a line."""
    kind = rng.random()
    if kind < .15:
        line = rng.choice(OPEN)
        return line % rng.choice(trials) if "%" in line else line
    if kind < .5:
        return rng.choice(FIXED)
    line = rng.choice(words[""])
    while line + " " in words and rng.random() < .8:
        line = rng.choice(words[line + " "])
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        line += " " + rng.choice(TEXT + ["1", "-1", "step 3", "-all", "nan", "w0", "1e9", "-", "99999999999999999999", ">", "f"])
    return line


def an_action(rng, words, trials):
    kind = rng.random()
    if kind < .60:
        pool = rng.choice([USEFUL, USEFUL, USEFUL, PLAIN, CONTROL, SPECIAL, TEXT])
        return "key", "".join(rng.choice(pool) for _ in range(rng.choice([1, 1, 2, 4])))
    if kind < .82:
        return "run", a_command(rng, words, trials)
    if kind < .92:
        return "size", "%dx%d" % a_size(rng)
    if kind < .95:
        return rng.choice([("slow", ""), ("fast", ""), ("fast", "")])
    return rng.choice([("stop", ""), ("grow", ""), ("grow", ""), ("grow", ""), ("end", ""), ("wipe", ""), ("cancel", "")])


def random_session(seed, length, words, trials):
    rng = random.Random(seed)
    columns, lines = a_size(rng)
    place = {"trial": rng.choice([*trials, "live", "live", "", "", "absent"]), "term": rng.choice(TERMS),
             "locale": rng.choice(LOCALES), "size": "%dx%d" % (columns, lines), "prompt": int(rng.random() < .1),
             "ending": rng.choice(["quit", "quit", "TERM", "HUP", "hangup", "stopped", "QUIT-slow"])}
    return Session(place, [an_action(rng, words, trials) for _ in range(length)])


def shrink(session, fails):
    """Removes actions as long as the session fails in the same way (ddmin); fails(session) runs it."""
    actions, parts = session.actions, 2
    while len(actions) > 1:
        size = max(1, len(actions) // parts)
        for at in range(0, len(actions), size):
            shorter = Session(session.place, actions[:at] + actions[at + size:])
            if fails(shorter):
                actions, parts = shorter.actions, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(actions), 2 * parts)
    return Session(session.place, actions)
