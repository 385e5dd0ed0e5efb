#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How often `rule auto` raises a finding on trainings of which the fault is known.

Usage: tests/bench/alarms.py PROGRAM FOLDER... [--before PROGRAM] [--jobs N] [--list]

FOLDER has trials NAME and NAME.expected.json with the key "fault": "none" is a healthy run. Prints how many healthy
and how many faulty runs raise each rule, and how many raise anything. A faulty run counts as named if one of the
rules that are about its fault fired (NAMES below). --before does the same with another program, or with the published
definitions of this one (--before definitions), and lists the faulty runs that it names and PROGRAM does not.
Status 1 if more than 1 healthy run in 20 raises something, or a fault that was named is lost.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

# The rules of which the finding leads to the fault.
NAMES = {
    "learning_rate_too_high": ("WeightUpdateRatio", "LossNotDecreasing", "ExplodingTensor", "TensorVariance"),
    "learning_rate_too_low": ("WeightUpdateRatio", "LossNotDecreasing", "UnchangedTensor"),
    "non_finite_input": ("ExplodingTensor",),
    "non_finite_value": ("ExplodingTensor",),
    "exploding_values": ("ExplodingTensor", "TensorVariance", "PoorWeightInitialization", "LossNotDecreasing",
                         "WeightUpdateRatio"),
    "vanishing_gradients": ("VanishingGradient", "PoorWeightInitialization", "LossNotDecreasing"),
    "dead_relu": ("DeadRelu", "AllZero"),
    "saturated_activation": ("SaturatedActivation", "PoorWeightInitialization"),
    "symmetric_initialization": ("PoorWeightInitialization", "TensorVariance"),
    "zero_initialization": ("PoorWeightInitialization", "TensorVariance", "AllZero", "VanishingGradient"),
    "poor_weight_scale": ("PoorWeightInitialization", "TensorVariance"),
    "layer_not_trained": ("UnchangedTensor", "WeightUpdateRatio"),
    "labels_do_not_fit_inputs": ("LossNotDecreasing", "ClassImbalance", "Confusion", "Overfit"),
    "overfitting": ("Overfit", "Overtraining"),
    "class_imbalance": ("ClassImbalance", "Confusion"),
    "unnormalized_input": ("CheckInputImages", "SaturatedActivation", "DeadRelu", "PoorWeightInitialization"),
    "data_not_shuffled": ("LossNotDecreasing", "Confusion", "ClassImbalance"),
    "stalled": ("StalledTrainingRule",),
}


def trials(folders):
    for folder in folders:
        for file in sorted(os.listdir(folder)):
            if file.endswith(".expected.json"):
                path = os.path.join(folder, file[:-len(".expected.json")])
                with open(path + ".expected.json", encoding="utf-8") as f:
                    yield path, json.load(f)["fault"]


def fired(program, path, definitions):
    """The classes of the rules that fired, and those that ended with an error."""
    commands = ["-ex", "rule auto definition" if definitions else "rule auto", "-ex", "rule status -wait -json"]
    p = subprocess.run([program, "-n", "-batch", "--no-follow", *commands, path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8", timeout=300, check=False)
    rows = next((json.loads(line) for line in reversed(p.stdout.splitlines()) if line.startswith("[")), None)
    if rows is None:
        sys.exit(f"alarms: {path}: {p.stderr.strip()[-300:]}")
    return ({row["rule"]: row for row in rows if row["triggered"] > 0},
            {row["rule"] for row in rows if row["status"] == "Error"})


def measure(program, runs, jobs, definitions=False):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip((path for path, _ in runs),
                        pool.map(lambda run: fired(program, run[0], definitions), runs)))


def named(fault, rows):
    return any(rule in NAMES.get(fault, ()) for rule in rows)


def table(runs, columns):
    """columns: (title, results)"""
    rules = sorted({rule for _, results in columns for rows, _ in results.values() for rule in rows})
    print(f"{'rule':28}" + "".join(f"{title + ' healthy':>18}{title + ' faulty':>18}" for title, _ in columns))

    def line(name, test):
        cells = ""
        for _, results in columns:
            for healthy in (True, False):
                of = [(path, fault) for path, fault in runs if (fault == "none") == healthy]
                n = sum(bool(test(fault, *results[path])) for path, fault in of)
                cells += f"{f'{n} of {len(of)}':>18}"
        print(f"{name:28}{cells}")

    for rule in rules:
        line(rule, lambda fault, rows, errors, rule=rule: rule in rows)
    line("any", lambda fault, rows, errors: rows)
    line("its fault is named", lambda fault, rows, errors: named(fault, rows))
    line("ends with an error", lambda fault, rows, errors: errors)


def faults(runs, columns):
    print(f"\n{'fault':28}{'runs':>6}" + "".join(f"{title + ' any':>16}{title + ' named':>16}" for title, _ in columns))
    of = collections.defaultdict(list)
    for path, fault in runs:
        of[fault].append(path)
    for fault, paths in sorted(of.items()):
        print(f"{fault:28}{len(paths):6}" + "".join(
            f"{sum(bool(r[p][0]) for p in paths):16}{sum(named(fault, r[p][0]) for p in paths):16}" for _, r in columns))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--before", help="another program, or: definitions")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="what each healthy run raises, and the faulty that are quiet")
    a = parser.parse_args()
    runs = list(trials(a.folders))
    if not runs:
        sys.exit("alarms: no trial with its NAME.expected.json")
    columns = [("now", measure(a.program, runs, a.jobs))]
    if a.before == "definitions":
        columns.insert(0, ("before", measure(a.program, runs, a.jobs, definitions=True)))
    elif a.before:
        columns.insert(0, ("before", measure(a.before, runs, a.jobs)))
    table(runs, columns)
    faults(runs, columns)
    now, before = columns[-1][1], columns[0][1]
    lost = [(path, fault) for path, fault in runs
            if fault != "none" and named(fault, before[path][0]) and not named(fault, now[path][0])]
    for path, fault in lost:
        print(f"lost: {os.path.basename(path)} {fault}: {', '.join(sorted(before[path][0]))}, now "
              f"{', '.join(sorted(now[path][0])) or 'nothing'}")
    for path, fault in runs if a.list else ():
        rows = now[path][0]
        for rule, row in rows.items() if fault == "none" else ():
            print(f"alarm: {os.path.basename(path)}: {rule} at {row['first_step']}: {row['tensor']}: {row['what']}")
        if fault != "none" and not rows:
            print(f"quiet: {os.path.basename(path)}: {fault}")
    healthy = [path for path, fault in runs if fault == "none"]
    alarms = sum(bool(now[path][0]) for path in healthy)
    return 1 if lost or 20 * alarms > len(healthy) else 0


if __name__ == "__main__":
    sys.exit(main())
