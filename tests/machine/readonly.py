# SPDX-License-Identifier: Apache-2.0
"""--readonly: nothing is written and nothing is run. Without --allow-shell a program that sends requests runs nothing."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from talk import ENVIRONMENT, HEALTHY, PROGRAM, results, talk

TRIAL = os.path.abspath(HEALTHY)
# Every command that is known to write a file or to run a command, with a line that would; {} is the directory that stays empty.
WRITES = {
    "save": ["save {}/a.npy CNN_fc1.bias", "save {}/a.csv CNN_fc1.bias", "save -f {}/a.json CNN_fc1.bias", "save breakpoints {}/b"],
    "snapshot save": ["snapshot save {}/a.smdz", "snapshot save -f {}/a.smdz * -stats-only"],
    "set": ["set logging file {}/log\nset logging enabled on\necho logged", "set logging redirect on\nset logging file {}/log\nset logging enabled on"],
    "with": ["with width 80 -- print 1 > {}/a"],
    "at": ["at 10 -- print 1 > {}/a"],
    "alias": ["alias zz = print 1 > {}/a\nzz"],
    "define": ["define zz\nprint 1 > {}/a\nend\nzz"],
    "source": ["source {}/../script"],
    "if": ["if 1\nprint 1 > {}/a\nend"],
    "screen save": ["screen save {}/a.svg"],
    "break": ["set stop-action file {}/stop\nbreak step\nrun",
              "break step\ncommands\nprint 1 > {}/a\nend\nrun"],
    "rule add": ["set rule-actions on\nrule add Expr expr='max(abs($t)) > 0' tensor_regex=fc1.bias action='log {}/a'\nrule status -wait",
                 "set rule-actions on\nset stop-action file {}/stop\nrule add Expr expr='max(abs($t)) > 0' tensor_regex=fc1.bias action=stop\nrule status -wait"],
    "eval": ["eval \"print 1 > {}/a\""],
}
RUNS = {
    "shell": ["shell touch {}/a", "!touch {}/a", "shell"],
    "pipe": ["pipe print 1 | touch {}/a", "|print 1 | touch {}/a"],
    "with": ["with width 80 -- shell touch {}/a"],
    "at": ["at 10 -- print 1 | touch {}/a"],
    "define": ["define zz\nshell touch {}/a\nend\nzz"],
    "eval": ["eval \"shell touch {}/a\""],
    "source": ["source {}/../shell"],
    "while": ["while 1\nshell touch {}/a\nloop_break\nend"],
    "break": ["set stop-action shell touch {}/a\nbreak step\nrun", "break step\ncommands\nshell touch {}/a\nend\nrun",
              "set confirm off\nset stop-action shell touch {}/a\ntbreak step\ncontinue\ninfo events"],
    "rule add": ["set rule-actions on\nrule add Expr expr='max(abs($t)) > 0' tensor_regex=fc1.bias action='shell touch {}/a'\nrule status -wait",
                 "set rule-actions on\nset notify-action touch {}/a\nrule add Expr expr='max(abs($t)) > 0' tensor_regex=fc1.bias action=notify\nrule status -wait",
                 "set rule-actions on\nset stop-action shell touch {}/a\nrule add Expr expr='max(abs($t)) > 0' tensor_regex=fc1.bias action=stop\nrule status -wait"],
}


def commands():
    printed = subprocess.run([PROGRAM, "-n", "-batch", "-ex", "help all -json"], stdout=subprocess.PIPE, env=ENVIRONMENT, timeout=600,
                             check=True).stdout
    return [command for command in json.loads(printed) if not command["subcommands"]]


class NothingIsDone(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.empty = os.path.join(self.root.name, "empty")
        os.mkdir(self.empty)
        for name, line in (("script", "print 1 > {}/a"), ("shell", "shell touch {}/a")):
            with open(os.path.join(self.root.name, name), "w", encoding="utf-8") as file:
                file.write(line.format(self.empty) + "\n")
        self.addCleanup(self.root.cleanup)

    def nothing(self, lines, *options):
        """Each line runs in the JSON interpreter; afterwards the directory is empty. Returns the results."""
        asked = [{"id": i, "cli": line.format(self.empty)} for i, line in enumerate(lines)]
        # what waits for the pool: a started command would end before this
        got = results(talk([*asked, {"id": "last", "cli": "info events"}, {"id": "end", "cli": "wait end -timeout 100ms"}], *options, TRIAL))
        self.assertEqual(os.listdir(self.empty), [])
        return got

    def test_readonly(self):
        for what in (WRITES, RUNS):
            for name, lines in what.items():
                with self.subTest(name=name):
                    self.nothing(lines, "--readonly")
                    self.nothing(lines, "--readonly", "--allow-shell")

    def test_no_shell_for_programs(self):
        for name, lines in RUNS.items():
            with self.subTest(name=name):
                self.nothing(lines)

    def test_what_is_refused_without_readonly_is_done(self):
        """The lines above are good ones: with the permission each of them does something."""
        for what, options in ((WRITES, []), (RUNS, ["--allow-shell"])):
            for name, lines in what.items():
                for line in lines:
                    # a program may not live long enough to see what a worker runs: tests/lang/stop_action.t waits for it
                    if name == "screen save" or line == "shell" or "action shell" in line or "='shell" in line or "notify" in line:
                        continue
                    with self.subTest(line=line):
                        self.setUp()
                        before = ["break step"] if "save breakpoints" in line else []
                        talk([{"id": i, "cli": each.format(self.empty)} for i, each in enumerate([*before, line])], *options, TRIAL)
                        self.assertNotEqual(os.listdir(self.empty), [])

    def test_every_command_of_the_table(self):
        """Redirections and pipes of every command, and every argument that is a file."""
        lines = []
        for command in commands():
            name = command["name"]
            if name in ("quit", "shell"):
                continue
            needed = " ".join("1" for argument in command.get("arguments", []) if argument["required"])
            lines += [f"{name} {needed} > {{}}/a", f"{name} {needed} >> {{}}/a", f"{name} {needed} | touch {{}}/a",
                      f"{name} {{}}/a", f"{name} {{}}/a.npy CNN_fc1.bias", f"{name} 1 {{}}/a"]
        got = self.nothing(["tensor CNN_fc1.bias step 10", *[line + "\nend" if line.split()[0] in ("define", "document", "if", "while", "commands")
                                                          else line for line in lines]], "--readonly")
        refused = [line for i, line in enumerate(lines, 1) if got[i].get("code") == "refused"]
        self.assertGreater(len(refused), len(lines) / 4)

    def test_a_batch_keeps_no_log(self):
        done = subprocess.run([PROGRAM, "-n", "-batch", "--readonly", "-ex", f"set logging file {self.empty}/log", "-ex", "set logging enabled on",
                               "-ex", "print 1", TRIAL], capture_output=True, text=True, env=ENVIRONMENT, timeout=600, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "smdbg: Writing files is refused with --readonly.\n"))
        self.assertEqual(os.listdir(self.empty), [])


class OneDoor(unittest.TestCase):
    def test_files_are_opened_and_commands_are_run_in_few_places(self):
        """Whatever opens a file for writing, runs a command or sends a signal asks commands/session/permission.h before."""
        known = {
            "commands/session/outfile.c",       # asks
            "commands/judge/action.c",          # asks; action_command.c is only called by it
            "commands/judge/action_command.c",
            "commands/judge/keeper.c",          # only called by action_command.c
            "tui/terminal/history.c",           # asks; tui/app/user_files.c uses reader/base/replace.h
            "tui/terminal/shell.c",             # sm_shell_run: only called by the exec, which asks
            "tui/terminal/term_writer.c", "tui/terminal/terminal.c",  # the terminal, /dev/null
            "tui/app/stdin_log.c",              # the terminal, /dev/null
            "tui/dashboard/prompt.c",           # /dev/null
            "tui/demo.c",                       # --demo, before a session exists
            "tui/sample.c",                     # "smdbg-tui sample", which has no session
        }
        deed = re.compile(r'fopen\([^;]*"[wa]e?[+]?"|O_WRONLY|O_RDWR|O_CREAT|\b(posix_spawnp?|popen|system|v?fork|exec[vl]p?e?|kill|creat)\(')
        found = set()
        for top in ("commands", "tui"):
            for folder, _, names in os.walk(top):
                for name in names:
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        if name.endswith(".c") and deed.search(file.read()):
                            found.add(path)
        self.assertLessEqual(found, known)
