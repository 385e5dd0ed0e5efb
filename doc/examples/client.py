#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Queries smdbg-tui about a trial through --interpreter=json. Needs only the standard library.

    python3 doc/examples/client.py DIR [PROGRAM]

prints the tensors with the largest newest values. Copy the class `Debugger` into your own program.
"""
import json
import subprocess
import sys


class Debugger:
    """One smdbg-tui process. call() runs a command and waits for its answer. Events are collected in .events, answers to
    other requests are kept for result()."""

    def __init__(self, *arguments, program="smdbg-tui"):
        self.process = subprocess.Popen([program, "-n", "-i", "json", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.events = []
        self.answers = {}
        self.last_id = 0
        self.hello = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError("smdbg-tui has ended")
        return json.loads(line)

    def send(self, **request):
        self.last_id += 1
        self.process.stdin.write(json.dumps({"id": self.last_id, **request}) + "\n")
        self.process.stdin.flush()
        return self.last_id

    def result(self, request_id):
        while request_id not in self.answers:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["id"] is not None:
                self.answers[message["id"]] = message
            elif message["status"] == "error":
                raise RuntimeError(message["msg"])
        return self.answers.pop(request_id)

    def ask(self, **request):
        """Sends a request and returns its complete answer, joined from its parts."""
        answer = self.result(self.send(**request))
        if "part" in answer:
            text = answer["part"]
            while "more" in answer:
                answer = self.result(self.send(more=answer["cursor"]))
                text += answer["part"]
            answer = {**answer, **json.loads(text)}
        if answer["status"] == "error":
            raise RuntimeError(answer["msg"])
        return answer

    def call(self, cmd, **args):
        """call("tensor", name="fc1.bias", step=10, a=True) is the line "tensor fc1.bias step 10 -a"."""
        return self.ask(cmd=cmd, args=args).get("data")

    def line(self, text):
        """Runs a line as typed at the prompt, or several lines if a command has a body."""
        return self.ask(cli=text)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else "smdbg-tui"
    debugger = Debugger(sys.argv[1], program=program)
    trial = debugger.call("info trial")
    print(f"{trial['name']}: {trial['steps']} steps, {trial['tensors']} tensors, {trial['state']}")
    rows = debugger.call("stat", name="*")
    rows = [row for row in rows if isinstance(row["abs_max"], (int, float))]
    for row in sorted(rows, key=lambda row: -row["abs_max"])[:5]:
        print(f"{row['abs_max']:12.6g}  {row['name']}")
    return debugger.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: client.py DIR [PROGRAM]")
    try:
        sys.exit(main())
    except (OSError, RuntimeError) as problem:
        sys.exit(f"client.py: {problem}")
