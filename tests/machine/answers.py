# SPDX-License-Identifier: Apache-2.0
"""Every answer has the shape that doc/protocol.schema.json gives it: those of the language's tests, and one at least of every command."""
import concurrent.futures
import glob
import json
import re
import subprocess
import tempfile
import unittest

from schema import check
from talk import ENVIRONMENT, HEALTHY, PROGRAM, SCHEMA, results, talk

# Lines that bring an answer with data from every command that has one; the trials are open in this order.
TRIALS = [HEALTHY, "tests/trials/mlp_exploding_tensor"]
LINES = """
info trial | info trials | info collections | info collection weights | info steps | info modes | info workers | info size | info files
info session | info sessions | info settings | info environment | info memory | info keys | info errors | info events | info problems | info win
info tensor CNN_fc1.bias | info tensors CNN* | info tensors CNN* -stats | info location CNN_fc1.bias | info expr mean(CNN_fc1.weight)
tensors | tensors -stats | whatis CNN_fc1.bias | ptype CNN_fc1.bias | tensor CNN_fc1.bias | tensor CNN_fc1.bias -s | tensor CNN_fc1.weight[0,:2]
tensor CNN_fc1.bias where x>0 | stat CNN_fc1.bias | stat * | hist CNN_fc1.bias | hist CNN_fc1.bias step 10:30 | series CNN_fc1.bias reduce max
hist CNN_fc1.bias -trials all | plot CNN_fc1.bias reduce l2 | spark CNN_fc1.bias | heatmap CNN_fc1.weight | scatter CNN_fc1.weight | strip CNN_fc1.weight step 10:30
image CNN_conv0.weight | x/4g CNN_fc1.bias | find nan | find 0 in CNN_fc1.bias | health | layers | snapshot | snapshot save {}/a.smdz
print 1 | print mean(CNN_fc1.bias) | print CNN_fc1.bias | print CNN_fc1.bias@all | output 1 | display $_step | display | info display
diff 1 2 | diff @10 @20 | updates | info size -by module | why CNN_fc1.bias step 10 | doctor | report | confusion probabilities by labels step 10 | rule list | rule list overfit | rule needs
verdict | verdict signals | rule add overfit | rule status -wait | info rules | rule test overfit | rule explain Overfit | explain | explain overfit
break step if $s == 21 | tbreak end | run | watch CNN_fc1.bias | dprintf step,"x" | info breakpoints | info watchpoints
goto 10 | step | tensor CNN_fc1.bias | next | reverse-next | reverse-step | continue | reverse-continue | until $s >= 30
bookmark a 10 | bookmark | bisect $s > 20 | trial 2 | bt | frame 0 | up | down | trial
complete info t | help | help tensor | help info | help data | apropos histogram | history | show width
condition 1 $s > 3 | condition 1 | ignore 1 2 | bookmark b 1 | wait end | wait step 1 | rule auto | refresh | save {}/a.npy MSELoss_output_0
save breakpoints {}/b | add-trial tests/trials/killed_midrun as more | remove-trial more | open tests/trials/shapes_only | close | explain
runs | range 10:30 | range off | info config | info summary | info system | log
open tests/samples/profile | profile summary | profile phases | profile system
profile heat | profile ops | profile steps | profile steps -outliers -stddev 1 | profile export {}/trace.json | info profiler
profile rules | profile rules preset doc | profile report {}/report | profile report | profile report -read {}/report | profile rule low_gpu_utilization | profile rule step_outlier | profile rule overall_system_usage
rule test low_gpu_utilization patience=4 window=4
open tests/samples/traces/ranks | profile summary | profile steps | profile ops | profile kernels | profile kernels -types | profile comms
profile comms -overlap | profile idle | profile launches | profile queue | profile memory | profile blame | profile blame ranks
profile blame matrix | profile blame steps | verdict | open tests/samples/traces/snapshots | profile memory -from 1 | info trial
open tests/samples/traces/flight | hang
help steps | help expressions | help set width | help show width | help rule overfit | rule load doc/rules/large_mean.rule
rule load doc/rules/large_mean.rule -define | show version | show values | show convenience | show user | show history | show print
"""


def cases():
    """The arguments and the lines on stdin of each case of tests/lang (see tests/lang/run.sh)."""
    for path in sorted(glob.glob("tests/lang/*.t")):
        with open(path, encoding="utf-8") as file:
            for case in re.split(r"\n(?=\n|\$(?: |$))", file.read(), flags=re.MULTILINE):
                lines = [line for line in case.split("\n") if line]
                start = next((i for i, line in enumerate(lines) if line.startswith("$ ")), None)
                if start is not None and "| cut" not in lines[start] and "/dev/stdout" not in lines[start]:
                    yield path, lines[start][2:], [line[2:] for line in lines[start:] if line.startswith("< ") or line == "<"]


def run_case(case):
    """The answers of one case in the JSON interpreter, as (case, answer)."""
    path, arguments, stdin = case
    variables = re.match(r"(?:[A-Za-z_]+=[^ ]* )*", arguments).group(0)
    arguments = re.sub(r"(^| )--?batch( |$)", " ", arguments[len(variables):])
    text = "".join(json.dumps({"id": i, "cli": line}) + "\n" for i, line in enumerate(stdin))
    with tempfile.TemporaryDirectory() as root:
        done = subprocess.run(["sh", "-c", f'{variables}"$SMDBG" -i json {arguments}'], input=text.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env={**ENVIRONMENT, "T": root, "SMDBG": PROGRAM}, timeout=600, check=False)
    lines = done.stdout.splitlines()
    if not lines or not lines[0].startswith(b'{"type":"hello"'):        # --check, --inspect: no session
        return []
    return [(f"{path}: {arguments}", json.loads(line)) for line in lines]


def parts(line):
    """The answers of a result."""
    return [answer for answer in line.get("answers", [line]) if "data" in answer]


class Shapes(unittest.TestCase):
    def test_the_cases_of_the_language(self):
        asked = list(cases())
        self.assertGreater(len(asked), 500)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for lines in pool.map(run_case, asked):
                for case, line in lines:
                    wrong = check(line, SCHEMA, SCHEMA)
                    if wrong:
                        self.fail(f"{case}\n{wrong}\n{json.dumps(line)[:300]}")

    def test_every_command_is_seen(self):
        with tempfile.TemporaryDirectory() as root:
            lines = [line.strip().format(root) for row in LINES.strip().split("\n") for line in row.split(" | ")]
            got = results(talk([{"id": i, "cli": line} for i, line in enumerate(lines)], *TRIALS))
            other = talk([{"id": 1, "cli": "report xgb"}], "tests/trials/xgb_classifier")
        failed = {lines[i]: line["msg"] for i, line in got.items() if line["status"] == "error"}
        seen = {answer["cmd"] for line in [*got.values(), *other] for answer in parts(line)}
        named = {name for name in SCHEMA["$defs"]["command"]["enum"] if f"data_{re.sub('[ -]', '_', name)}" in SCHEMA["$defs"]}
        self.assertEqual(named - seen, set(), failed)
        prose = {answer["cmd"] for line in got.values() for answer in line.get("answers", [line]) if "text" in answer}
        self.assertEqual(prose, {"echo"})           # of dprintf

    def test_wrong_answers_are_found(self):
        """The schema is tight: an unknown key, a missing key or a wrong type does not pass."""
        right = results(talk([{"id": 1, "cli": "info steps"}], HEALTHY))[1]
        row = right["data"][0]
        wrong = [{**row, "new": 1}, {key: value for key, value in row.items() if key != "time"}, {**row, "step": "10"}, {**row, "mode": "train"},
                 {**row, "complete": None}, {**row, "workers": "worker_0"}, {**row, "time": True}]
        self.assertIsNone(check(right, SCHEMA, SCHEMA))
        for one in wrong:
            self.assertIsNotNone(check({**right, "data": [one]}, SCHEMA, SCHEMA), one)
        self.assertIsNotNone(check({**right, "cmd": "info modes"}, SCHEMA, SCHEMA))
        self.assertIsNotNone(check({**right, "cmd": "nosuch"}, SCHEMA, SCHEMA))
        self.assertIsNotNone(check({**right, "cmd": "echo"}, SCHEMA, SCHEMA))
