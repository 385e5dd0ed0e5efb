# SPDX-License-Identifier: Apache-2.0
"""Puts control characters into every name that a trial can hold, shows it with every command, format and front end, and
fails if one comes out: on the terminal, on stderr, or in a file that somebody may print.

Usage: escapes.py PROGRAM
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import child  # noqa: E402
import odd_trials  # noqa: E402
import play  # noqa: E402
import session as sessions  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
EVIL = "\x1b]0;PWNED\x07\u202e\u009b\u2066"
SGR = re.compile(rb"\x1b\[[0-9;:]*m")
RAW = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
# what curses, readline and the title send: control sequences, character sets, ends of lines
OF_CURSES = re.compile(rb"\x1b\[[0-9;?<>=$]*[A-Za-z]|\x1b[()][0B]|\x1b[=>78DEM]|\x1b\]2;[^\x07\x1b]*(\x07|\x1b\\)|\x1b\]104\x07|\x1b\]52;c;[\w+/=]*(\x07|\x1b\\)|"
                       rb"[\x07\x08\x0e\x0f\r]")
SELECTORS = ["", "*", "'esc*'", "'bidi*'", "'c1*'", "'nl*'", "'del*'", "loss", "text", "1", "'worker_1*'", "worker '*1*'"]
# these run programs, end the session, wait, or print what the user has typed
NOT_RUN = re.compile(r"^(shell|pipe|quit|define|document|while|if|source|echo|printf|dprintf|tui|wait|complete|commands|"
                     r"open|add-trial|remove-trial|close|info environment|rule remove|rule disable)\b")


def evil_trial(path):
    """Every name and text of it is hostile, and so is its path."""
    odd_trials.hostile(path)
    trial = odd_trials.Trial(path, 2, {"losses": "loss", "bad" + EVIL: "esc", "w": EVIL})
    for step in range(6, 9):
        trial.write(step, [odd_trials.loss(step), ("text", "string", [1], [EVIL.encode()]),
                           odd_trials.matrix("gradient/" + EVIL, step, float("nan")), odd_trials.matrix("\udcff\udcc3", step)])
    for step in range(9):
        trial.write(20 + step, [odd_trials.matrix("w_only", step)])
        trial.write(20 + step, [odd_trials.matrix("w_only", step, float("nan"))], odd_trials.WORKER)
    trial.put("index/000000000/00000000000%d_x%s.json" % (9, EVIL), b"{")
    trial.put("index/000000000/000000000010_worker_0.json", json.dumps(
        {"meta": {"mode": EVIL, "mode_step": EVIL, "event_file_name": "events/" + EVIL},
         "tensor_payload": [{"tensorname": EVIL, "start_idx": 0, "length": 40}], EVIL: EVIL}).encode())
    trial.put("events/000000000011/000000000011_worker%s.tfevents" % EVIL, b"\0" * 64)
    trial.put("hook_config%s.json" % EVIL, b"{")
    trial.put("framework/hyperparameters.json", json.dumps({EVIL: EVIL}).encode())
    trial.put("collections/000000000/worker_2%s_collections.json" % EVIL, b"{")


class Escapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="smdbg-escapes-")
        cls.environment = play.environment(cls.folder)
        cls.trial = os.path.join(cls.folder, "run" + EVIL)
        evil_trial(cls.trial)
        odd_trials.tensorboard(os.path.join(cls.folder, "tb"))
        cls.rules = os.path.join(cls.folder, "rules.json")
        with open(cls.rules, "w", encoding="utf-8") as file:
            json.dump([{"RuleConfigurationName": name + EVIL, "RuleParameters": {"rule_to_invoke": rule, EVIL: EVIL}}
                       for name, rule in (("a", "ExplodingTensor"), ("b", "Nothing" + EVIL))]
                      + [{"RuleConfigurationName": "c" + EVIL, "RuleParameters": {"rule_to_invoke": "ExplodingTensor"}}], file)
        os.mkdir(cls.folder + "/t")
        odd_trials.nan(cls.folder + "/t/nan")
        cls.words = play.table_of_words(PROGRAM, cls.folder)
        archive = os.path.join(cls.folder, "kept%s.smdz" % EVIL)
        cls.run_program(cls, ["-batch", "--keep-going", "-ex", "rule load rules.json", "-ex", "rule auto", "-ex", "rule status -wait",
                              "-ex", "snapshot save '%s'" % archive, cls.trial])
        cls.trials = [cls.trial, archive, cls.folder + "/tb"]
        cls.found = {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_program(self, arguments, script=""):
        return subprocess.run([PROGRAM, "-n", "--no-follow", *arguments], input=script.encode("utf-8", "surrogateescape"), cwd=self.folder,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100, check=False)

    def check(self, what, data, allowed=b"\n"):
        for line in SGR.sub(b"", data).split(b"\n"):
            line = line.translate(None, allowed)
            found = RAW.search(line)
            with self.subTest(what):
                self.assertIsNone(found, "%s: %r" % (what, line[max(0, found.start() - 50):found.end() + 40] if found else ""))

    def check_run(self, what, arguments, script="", allowed=b"\n"):
        done = self.run_program(arguments, script)
        self.check(what, done.stdout, allowed)
        self.check(what + ", stderr", done.stderr)

    def commands(self):
        """Each command of the program with each selector."""
        known = {w.split(" ")[0] for w in self.words[""]} | {w for ws in self.words.values() for w in ws if len(w.split()) == 2}
        return [c + " " + s for c in sorted(known) if not NOT_RUN.match(c) and not c.startswith(("set ", "show ", "help "))
                for s in SELECTORS] + ["tensor '%s'" % EVIL, "open '%s'" % EVIL, "goto '%s'" % EVIL, "set '%s' 1" % EVIL, "layout '%s'" % EVIL,
                                       "rule add nothing as '%s'" % EVIL, "print '%s'" % EVIL, "bookmark '%s'" % EVIL, EVIL]

    def script(self):
        return "\n".join(["rule load rules.json", "rule auto", *self.commands()]) + "\n"

    def test_text_of_every_command(self):
        for trial in self.trials:
            self.check_run("text", ["-batch", "--keep-going", "-x", "-", trial], self.script())

    def test_colours(self):
        self.check_run("colours", ["-batch", "--color=always", "--keep-going", "-x", "-", self.trial], self.script())

    # not -0, which gives the bytes of names to programs
    def test_every_format(self):
        for format, allowed in (("-json", b""), ("-jsonl", b""), ("-csv", b"\t"), ("-tsv", b"\t"), ("-field step,tensor", b"")):
            script = "\n".join("%s %s" % (c, format) for c in self.commands()) + "\n"
            self.check_run(format, ["-batch", "--keep-going", "-x", "-", self.trial], script, allowed)

    def test_machine(self):
        script = "".join(json.dumps({"id": i, "cli": c}) + "\n" for i, c in enumerate(self.script().splitlines()))
        self.check_run("json interpreter", ["-i", "json", self.trial], script)

    def test_options(self):
        for trial in self.trials:
            for options in (["--check"], ["--inspect"], ["--rules", "auto", "-batch"], ["--rules", "rules.json", "-batch"],
                            ["--rules", "auto", "-batch", "--json"], ["--rules", "rules.json", "-batch", "--follow"],
                            ["--worker", EVIL, "--inspect"], ["--mode", EVIL], ["--steps", EVIL], ["--nothing" + EVIL],
                            ["-batch", "-x", EVIL], ["-batch", "-ex", EVIL]):
                self.check_run(" ".join(options), [*options, trial])
        for options in (["--inspect", self.trial + EVIL], ["--replay", self.trial + EVIL, "x"], ["--demo", EVIL], ["--keys", EVIL]):
            self.check_run(" ".join(options), options)

    def test_files(self):
        names = ["report", "redirect", "log", "breaks", "notes"]
        script = "\n".join(["rule load rules.json", "rule add ExplodingTensor action=\"log notes\" as \"x%s\"" % EVIL, "rule auto",
                            "set rule-actions on", "set logging file log", "set logging enabled on", "info tensors > redirect", "report report",
                            "report report.md", "report report.html", "rule status -wait", "break 'esc*'", "watch 'c1*' if max(x) > 0",
                            "save breakpoints breaks", "info events", "info problems", "plot loss", "save plot.svg", "plot 'esc*'"])
        self.check_run("files", ["-batch", "--keep-going", "-x", "-", self.trial], script + "\n")
        for path in [os.path.join(self.folder, n) for n in names] + glob.glob(self.folder + "/report.*") + glob.glob(self.folder + "/*.svg"):
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.check(os.path.basename(path), file.read())

    # ---- on a terminal ----

    def on_terminal(self, options, actions, term="xterm-256color"):
        """Plays the actions with the trial, and looks at all that the terminal got."""
        home = tempfile.mkdtemp(prefix="home-", dir=self.folder)
        c = child.Child([PROGRAM, "-n", *options], play.environment(home, {"term": term}), self.folder, (100, 40), 60)
        try:
            c.start()
            for text in actions:
                c.type(text.encode("utf-8", "surrogateescape"))
                c.rest(False)
            c.check_output()
        finally:
            c.close()
        self.check("terminal", OF_CURSES.sub(b"", bytes(c.seen)))
        for path in glob.glob(self.folder + "/s.*"):
            with open(path, "rb") as file:
                self.check(os.path.basename(path), file.read())

    def test_prompt(self):
        lines = [line for line in self.script().splitlines() if EVIL not in line]
        self.on_terminal(["--no-tui", self.trial], ["set pagination off\r", "set height 100000\r", "set prompt context on\r"]
                         + [line + "\r" for line in lines[::3]] + ["tensor " + w + "\t\t" + "\x15" for w in ("e", "b", "c", "n", "d", "")])

    def test_dashboard(self):
        keys = [":set title on\r", ":rule load rules.json\r", ":rule auto\r"]
        keys += [k for name in ("main", "plots", "value", "rules", "health", "compare", "run", "cmd")
                 for k in (":layout %s\r" % name, "\t", "jjj\r", "e", "E", "n", "?", "\x1b", ":screen save s.%s\r" % name, "c")]
        keys += [":info tensors\r", "\x1b", ":tensor \t\t\x1b", "b", "mx", ":info events\r", "\x1b", "P", ":screen save s.svg\r", ":screen save s.ansi\r"]
        for trial in self.trials:
            self.on_terminal(["--tui", trial], keys)

    def test_player_words(self):
        """The lines that replay a session hold any bytes."""
        s = sessions.Session({"trial": "x"}, [("key", EVIL + "\udcff %\n")])
        self.assertEqual(sessions.Session.parse(s.line()).actions, s.actions)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
