#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of profiles a second time, written from their definitions (doc/rules.md) alone and as plainly as possible: it keeps all
of a profile in lists and shares nothing with the program. It compares what it finds with what the program writes.

    profiler_rules.py PROGRAM TREE [Rule_parameter=value ...]

The last line says 'N passed, N failed': the rules that agree in all counts and details."""

import decimal
import gzip
import json
import math
import os
import re
import subprocess
import sys
import tempfile

RULES = ("CPUBottleneck", "IOBottleneck", "LowGPUUtilization", "StepOutlier", "GPUMemoryIncrease", "BatchSize", "MaxInitializationTime",
         "LoadBalancing", "OverallSystemUsage", "Dataloader", "OverallFrameworkMetrics")
DEFAULTS = {
    "CPUBottleneck": {"threshold": 50, "cpu_threshold": 90, "gpu_threshold": 10, "patience": 1000},
    "IOBottleneck": {"threshold": 50, "io_threshold": 50, "gpu_threshold": 10, "patience": 1000},
    "LowGPUUtilization": {"threshold_p95": 70, "threshold_p5": 10, "window": 500, "patience": 1000},
    "StepOutlier": {"stddev": 3, "mode": None, "n_outliers": 10},
    "GPUMemoryIncrease": {"increase": 5, "patience": 1000, "window": 10},
    "BatchSize": {"cpu_threshold_p95": 70, "gpu_threshold_p95": 70, "gpu_memory_threshold_p95": 70, "patience": 1000, "window": 500},
    "MaxInitializationTime": {"threshold": 20},
    "LoadBalancing": {"threshold": 0.5, "patience": 1000},
    "OverallSystemUsage": {},
    "Dataloader": {"min_threshold": 70, "max_threshold": 200},
    "OverallFrameworkMetrics": {},
}
WINDOW_NS = 60 * 10**9


# ---- reading: times are integer nanoseconds ----

def decimal_ns(text, digits):
    """A decimal number of 10^digits nanoseconds, never through a float."""
    return int((decimal.Decimal(text) * 10**digits).to_integral_value(decimal.ROUND_HALF_UP))


class Number(float):
    def __new__(cls, text):
        self = float.__new__(cls, text)
        self.text = text
        return self


def loads(text):
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=lambda x: Number("nan"))


def opened(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return f.read().decode("utf-8", "replace")


def read_metrics(root):
    """[(ns, node, name, dimension, value)], a line each, in the order of their files."""
    files = []
    for folder, _, names in os.walk(os.path.join(root, "system")):
        files += [(int(m.group(1)), n, os.path.join(folder, n)) for n in names for m in [re.match(r"(\d{10})\.algo-\d+\.json", n)] if m]
    rows = []
    for _, _, path in sorted(files):
        for line in opened(path).split("\n"):
            try:
                x = loads(line)
                row = (decimal_ns(x["Timestamp"].text, 9), x["NodeId"], x.get("Name", ""), x["Dimension"], float(x["Value"]))
            except (ValueError, KeyError, AttributeError, TypeError):
                continue
            if math.isfinite(row[4]):
                rows.append(row)
    return rows


def items(text):
    """The objects of a list that may lack its end, one a line or not."""
    decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=lambda x: Number("nan"))
    at, start = 0, re.compile(r"\{")
    while (m := start.search(text, at)):
        try:
            x, at = decoder.raw_decode(text, m.start())
            yield x
        except ValueError:
            at = m.start() + 1


KINDS = (("pythontimeline.json", "python"), ("model_timeline.json", "model"), ("horovod_timeline.json", "horovod"),
         ("smdataparallel_timeline.json", "dataparallel"))


class Event:
    def __init__(self, start, duration, phase, name, node, kind, args):
        self.start, self.duration, self.end = start, duration, start + duration
        self.phase, self.name, self.node, self.kind, self.args = phase, name, node, kind, args


def node_name(field):
    m = re.fullmatch(r"(\d+)-(algo-\d+)", field)
    return "%s-%s" % (m.group(2), m.group(1)) if m else field


def timeline(text, node, kind, base):
    phases, found, stacks = {}, [], {}
    objects = list(items(text))
    if objects and "traceEvents" in objects[0]:
        objects = objects[0]["traceEvents"]
    for x in objects:
        args = x.get("args") if isinstance(x.get("args"), dict) else {}
        ph, pid = x.get("ph"), x.get("pid", Number("0"))
        if ph == "M":
            if "start_time_since_epoch_in_micros" in args:
                base = decimal_ns(args["start_time_since_epoch_in_micros"].text, 3)
            if x.get("name") == "process_name" and "name" in args:
                phases[pid] = args["name"]
            continue
        if ph not in ("X", "B", "E") or not isinstance(x.get("ts"), Number):
            continue
        start = base + decimal_ns(x["ts"].text, 3)
        if ph == "B":
            stacks.setdefault(pid, []).append((start, x.get("name", ""), args))
        elif ph == "E" and stacks.get(pid):
            begin, name, args = stacks[pid].pop()
            if start >= begin:
                found.append((begin, start - begin, pid, name, args))
        elif ph == "X":
            duration = decimal_ns(x["dur"].text, 3) if isinstance(x.get("dur"), Number) else 0
            if duration >= 0:
                found.append((start, duration, pid, x.get("name", ""), args))
    instants = sum(x.get("ph") in ("i", "I", "R") and isinstance(x.get("ts"), Number) for x in objects)
    return [Event(s, d, phases.get(pid, "Unknown"), n, node, kind, a) for s, d, pid, n, a in found], instants


def read_events(root):
    """The events that have a duration, and how many instants there are."""
    events, instants = [], 0
    for folder, _, names in sorted(os.walk(os.path.join(root, "framework"))):
        start = [n for n in names if n.endswith(".metadata")]
        for name in sorted(names):
            path, plain = os.path.join(folder, name), name[:-3] if name.endswith(".gz") else name
            kind = [k for ending, k in KINDS if plain.endswith(ending) or plain.endswith(ending + ".tmp")]
            if plain.endswith(".trace.json"):
                above = folder
                while not start and above != root:
                    above = os.path.dirname(above)
                    start = [n for n in os.listdir(above) if n.endswith(".metadata")]
                base = int(start[0].split("_")[1]) * 1000 if start else 0
                found = timeline(opened(path), plain[:-len(".trace.json")], "tensorflow", base)
            elif kind and ("pevents" in path or plain.endswith(".tmp")):
                fields = plain.split("_")
                found = timeline(opened(path), node_name(fields[0 if plain.endswith(".tmp") else 1]), kind[0], 0)
            else:
                continue
            events, instants = events + found[0], instants + found[1]
    return events, instants


# ---- statistics ----

def quantile(values, q):
    x = sorted(values)
    at = q * (len(x) - 1)
    low = math.floor(at)
    high = min(low + 1, len(x) - 1)
    return x[low] + (x[high] - x[low]) * (at - low)


def box(x):
    p25, p50, p75, p95 = (quantile(x, q) for q in (.25, .5, .75, .95))
    return {"p25": p25, "p50": p50, "p75": p75, "p95": p95, "upper": min(p75 + 1.5 * (p75 - p25), max(x)),
            "lower": max(p25 - 1.5 * (p75 - p25), min(x))}


def histogram(values, bins=100):
    if not values:
        return [], []
    low, high = min(values), max(values)
    if low == high:
        low, high = low - .5, high + .5
    edges = [low + (high - low) * i / bins for i in range(bins + 1)]
    counts = [0] * bins
    for v in values:
        counts[min(int((v - low) / (high - low) * bins), bins - 1)] += 1
    return counts, edges


def is_step(phase):
    return "Step:ModeKeys" in phase


# ---- the profile as the rules see it: one window after the other ----

class Series:
    """Values of (node, name) in one dimension, by time."""

    def __init__(self, profile, dimension):
        self.of = {}
        for t, node, name, d, v in profile.rows:
            if d.lower() == dimension.lower():
                self.of.setdefault((node, name), []).append((t, v))

    def until(self, key, end):
        return [v for t, v in self.of[key] if t < end]


class Profile:
    def __init__(self, root):
        self.rows = read_metrics(root)
        self.rows.sort(key=lambda r: r[0])
        self.events, self.instants = read_events(root)
        self.events.sort(key=lambda e: e.start)
        self.cpu, self.io = Series(self, "CPUUtilization"), Series(self, "I/OWaitPercentage")
        self.gpu, self.memory = Series(self, "GPUUtilization"), Series(self, "GPUMemoryUtilization")
        times = [r[0] for r in self.rows] + [e.start for e in self.events]
        ends = [r[0] for r in self.rows] + [e.end for e in self.events]
        self.first, self.last = (min(times), max(ends)) if times else (0, -1)
        self.windows = []
        full = {(t - self.first) // WINDOW_NS for t in times}
        for k in range((self.last - self.first) // WINDOW_NS + 1):
            if k in full:  # a window without data is left out
                self.windows.append((self.first + k * WINDOW_NS, self.first + (k + 1) * WINDOW_NS))

    def nodes(self):
        return list(dict.fromkeys(r[1] for r in self.rows))

    def total(self, series, node, end):
        """The mean over the devices of a node that were sampled at each time: usually all."""
        at = {}
        for k in [k for k in series.of if k[0] == node]:
            for t, v in series.of[k]:
                if t < end:
                    at.setdefault(t, []).append(v)
        return [sum(at[t]) / len(at[t]) for t in sorted(at)]


class Rounded(float):
    """What the program rounds to two decimals."""


class Result(dict):
    def __init__(self):
        super().__init__(RuleTriggered=0, Violations=0, Datapoints=0, Details={})

    def fire(self, violations=1, triggered=1):
        self["Violations"] += violations
        self["RuleTriggered"] += triggered


# ---- breakdown of the framework's time ----

def phase_class(e):
    if "cpu" in e.phase.lower():
        return "CPU"
    if "gpu" in e.phase.lower():
        return "GPU"
    if "Step" in e.phase:
        return "step"
    if e.phase == "Forward-SubModuleInternal":
        return "forward"
    if e.phase == "Backward-SubModuleInternal":
        return "backward"
    return "horovod" if e.kind == "horovod" else "general"


class Breakdown:
    def __init__(self):
        self.phases, self.names = {}, {}

    def add(self, e, times=1):
        of = phase_class(e)
        for table, key in ((self.phases, e.phase), (self.names, e.name)):
            sums = table.setdefault(of, {})
            sums[key] = sums.get(key, 0) + e.duration * times

    def details(self, others=None):
        out = {}
        operators = {**self.phases.get("CPU", {}), **self.phases.get("GPU", {})}
        if sum(operators.values()) > 0:
            out["ratio"] = {k: 100 * v / sum(operators.values()) for k, v in operators.items()}
        for of in ("CPU", "GPU", "horovod"):
            sums = self.names.get(of, {})
            kept = {k: v for k, v in sums.items() if 100 * v > 2 * sum(sums.values())}
            if kept:
                out[of] = {k: 100 * v / sum(kept.values()) for k, v in kept.items()}
                if of != "horovod":
                    out[of + "_total"] = {k: v / 1000 for k, v in kept.items()}
        steps = dict(self.phases.get("step", {}))
        if others is not None:
            steps["others"] = others
        if sum(steps.values()) > 0:
            out["phase"] = {k: 100 * v / sum(steps.values()) for k, v in steps.items()}
        general = self.phases.get("general", {})
        if sum(general.values()) > 0:
            out["general"] = {k: 100 * v / sum(general.values()) for k, v in general.items()}
        forward, backward = (sum(self.phases.get(k, {}).values()) for k in ("forward", "backward"))
        if forward > 0 and backward > 0:
            out["forward_backward"] = {"Forward pass": 100 * forward / (forward + backward), "Backward pass": 100 * backward / (forward + backward)}
        return out


# ---- the rules ----

def bottleneck(p, v, series, limit):
    r, found, low, snapshots = Result(), {}, 0, 0
    at = sorted([(t, "gpu", x) for s in p.gpu.of.values() for t, x in s] + [(t, "core", x) for s in series.of.values() for t, x in s],
                key=lambda x: x[0])
    current, gpus, cores, k, fired = None, 0, 0, 0, False
    for start, end in p.windows:
        while k < len(at) and at[k][0] < end:
            t, what, x = at[k]
            k += 1
            if current is None or t - current > 20 * 10**6:
                current, gpus, cores = t, 0, 0
                snapshots += 1
            before = gpus
            gpus += what == "gpu" and x < v["gpu_threshold"]
            cores += what == "core" and x > v[limit]
            low += not before and gpus > 0
            if gpus and cores:
                found[current] = {"GPUs": gpus, "CPUs": cores}
        r["Datapoints"], r["Violations"] = snapshots, len(found)
        if snapshots > v["patience"] and 100 * len(found) / snapshots > v["threshold"]:
            r["RuleTriggered"] += 1
            fired = True
    r["Details"] = {"bottlenecks": {"%d.%06d" % (t // 10**9, t % 10**9 // 1000): x for t, x in found.items()}, "low_gpu_utilization": low}
    if fired:
        b = Breakdown()
        for e in p.events:
            times = sum(e.start < t < e.end for t in found)
            if times:
                b.add(e, times)
        r["Details"].update(b.details())
    return r


def cpu_bottleneck(p, v):
    return bottleneck(p, v, p.cpu, "cpu_threshold")


def io_bottleneck(p, v):
    return bottleneck(p, v, p.io, "io_threshold")


def low_gpu_utilization(p, v):
    r = Result()
    for _, end in p.windows:
        for node, gpu in p.gpu.of:
            x = p.gpu.until((node, gpu), end)
            r["Datapoints"] = max(r["Datapoints"], len(x))
            if len(x) <= v["patience"]:
                continue
            h = x[-int(v["window"]):]
            p95, p5 = quantile(h, .95), quantile(h, .05)
            if p95 < v["threshold_p95"] or (p95 > v["threshold_p95"] and p5 < v["threshold_p5"]):
                r.fire()
                b = box(x)
                r["Details"].setdefault(node, {})[gpu] = {"gpu_max": max(x), "gpu_95": b["p95"], "gpu_5": quantile(x, .05), **b}
                r["Details"]["last_timestamp"] = end // 1000
    return r


def gpu_memory_increase(p, v):
    r, w, seen = Result(), int(v["window"]), {}
    for _, end in p.windows:
        for node, gpu in p.memory.of:
            x, most = p.memory.until((node, gpu), end), None
            r["Datapoints"] = max(r["Datapoints"], len(x))
            for n in range(seen.get((node, gpu), 0) + 1, len(x) + 1):
                if n > w + 1:
                    d = sum(x[n - w:n]) / w - sum(x[n - w - 1:n - 2]) / (w - 1)
                    if d > v["increase"] and n > v["patience"]:
                        r.fire()
                        most = d if most is None or d > most else most
            seen[(node, gpu)] = len(x)
            if most is not None:
                r["Details"].setdefault(node, {})[gpu] = {"increase": most, "gpu_max": max(x), "p05": quantile(x, .05), **box(x)}
                r["Details"]["last_timestamp"] = end // 1000
    return r


def batch_size(p, v):
    r, w = Result(), int(v["window"])
    nodes = [n for n in p.nodes() if any(k[0] == n for k in p.cpu.of)]
    for _, end in p.windows:
        for number, node in enumerate(nodes):
            cpu = p.total(p.cpu, node, end)
            if number == 0:
                r["Datapoints"] = len(cpu)
            if not (len(cpu) > w and len(cpu) > v["patience"] and quantile(cpu[-w:], .95) < v["cpu_threshold_p95"]):
                continue
            for key in [k for k in p.gpu.of if k[0] == node]:
                gpu = p.gpu.until(key, end)
                memory = p.memory.until(key, end) if key in p.memory.of else []
                if (len(gpu) > w and memory and quantile(gpu[-w:], .95) < v["gpu_threshold_p95"]
                        and quantile(memory[-w:], .95) < v["gpu_memory_threshold_p95"]):
                    r.fire()
                    of = r["Details"].setdefault(node, {})
                    of.update({"cpu": box(cpu), key[1]: box(gpu), key[1] + "_memory": box(memory)})
                    r["Details"]["last_timestamp"] = end // 1000
    return r


def max_initialization_time(p, v):
    r, steps = Result(), [e for e in p.events if is_step(e.phase)]
    for start, end in p.windows:
        r["Datapoints"] = sum(e.start < end for e in steps)
        if p.events and not r["Datapoints"] and start - p.first > v["threshold"] * 60 * 10**9:
            r.fire()
    if p.rows:
        r["Details"] = {"job_start": p.rows[0][0] / 1e9, "job_end": p.rows[-1][0] / 1e9}
    if steps:
        r["Details"]["step_num"] = {"first": steps[0].start // 1000, "last": steps[-1].start // 1000}
    return r


def load_balancing(p, v):
    r, distances = Result(), {}

    def bins(x):
        out = [0] * 50
        for y in x:
            if 0 <= y <= 100:
                out[min(int(y / 2), 49)] += 1
        return out

    def distance(a, b):
        a, b = [x / sum(a) for x in a], [x / sum(b) for x in b]
        m = [(x + y) / 2 for x, y in zip(a, b)]
        kl = sum(x * math.log(x / y) for x, y in zip(a, m) if x) + sum(x * math.log(x / y) for x, y in zip(b, m) if x)
        return math.sqrt(max(kl, 0) / 2)

    nodes = [n for n in p.nodes() if any(k[0] == n for k in p.gpu.of)]
    names = list(dict.fromkeys(k[1] for k in p.gpu.of))
    loads = {}
    for _, end in p.windows:
        for key in p.gpu.of:
            x = p.gpu.until(key, end)
            loads[key] = bins(x)
            r["Datapoints"] = max(r["Datapoints"], len(x))
        for i, a in enumerate(nodes):
            for b in nodes[i:]:
                for j, g1 in enumerate(names):
                    for g2 in names[j + 1:]:
                        one, two = loads.get((a, g1)), loads.get((b, g2))
                        if not one or not two or not sum(one) or not sum(two) or len(p.gpu.until((a, g1), end)) <= v["patience"]:
                            continue
                        d = distance(one, two)
                        if d > v["threshold"]:
                            r.fire()
                            distances.setdefault(a, {}).setdefault(g1, {})[g2 if a == b else "%s of %s" % (g2, b)] = d
    for node in nodes:
        r["Details"][node] = {"workloads": {k[1]: x for k, x in loads.items() if k[0] == node}, "distances": distances.get(node, {})}
    return r


def overall_system_usage(p, _):
    r = Result()

    def put(metric, node, x):
        if x:
            r["Details"].setdefault(metric, {})[node] = {
                k: Rounded(max(0, y)) for k, y in (("max", max(x)), ("p99", quantile(x, .99)), ("p95", quantile(x, .95)),
                                                    ("p50", quantile(x, .5)), ("min", min(x)))}

    def sums(node, wanted):
        out = {}
        for t, n, name, dimension, v in p.rows:
            if n == node and wanted(name, dimension):
                out[t] = out.get(t, 0) + v
        return [out[t] for t in sorted(out)]

    end = p.windows[-1][1] if p.windows else 0
    for metric in ("Network", "GPU", "CPU", "CPU memory", "GPU memory", "I/O"):
        r["Details"][metric] = {}
    for node in p.nodes():
        put("Network", node, sums(node, lambda name, dimension: dimension == "Algorithm"))
        put("CPU memory", node, sums(node, lambda name, dimension: name == "MemoryUsedPercent"))
        for metric, series in (("GPU", p.gpu), ("CPU", p.cpu), ("GPU memory", p.memory), ("I/O", p.io)):
            put(metric, node, p.total(series, node, end))
    if p.nodes():
        r["Datapoints"] = len(p.total(p.cpu, p.nodes()[0], end))
    return r


def dataloader(p, v):
    r, cores, parallel, m, times = Result(), 0, [], 0, []
    pin, workers = None, 0
    for start, end in p.windows:
        if not cores:
            cores = len({k[1] for k, s in p.cpu.of.items() if any(start <= t < end for t, _ in s)})
        seconds = {}
        for e in p.events:
            if not start <= e.start < end:
                continue
            if e.phase in ("DataLoaderWorker", "DataLoaderIter"):
                r["Datapoints"] += 1
                times.append(e.duration / 1e9)
                seconds.setdefault(e.start // 10**9, set()).add(e.args.get("pid"))
            elif e.phase == "DataLoaderIterInitialize":
                pin, workers = str(e.args.get("pin_memory")).lower() == "true", int(e.args.get("num_workers", 0))
        if not seconds:
            continue
        for s in sorted(seconds):
            parallel = [] if len(parallel) > 1000 else parallel
            parallel.append(len(seconds[s]))
        m = math.floor(quantile(parallel, .5))
        if len(parallel) > 10 and cores:
            few, many = m < cores * v["min_threshold"] / 100, m > cores * v["max_threshold"] / 100
            r["Violations"] += few + many
            r["RuleTriggered"] = int(r["Violations"] > 0)
    probs, edges = histogram(times)
    r["Details"] = {"pin_memory": pin, "num_workers": workers, "prefetch": False, "cores": cores, "dataloaders": m, "dataloading_time": {}}
    if times:
        r["Details"]["dataloading_time"] = {"p25": quantile(times, .25), "p50": quantile(times, .5), "p95": quantile(times, .95), "probs": probs,
                                            "binedges": edges}
    return r


def overall_framework_metrics(p, _):
    r, b = Result(), Breakdown()
    for e in p.events:
        b.add(e)
    r["Datapoints"] = len(p.events) + p.instants
    steps, others = [e for e in p.events if "Step" in e.phase], None
    if steps:
        gpus = len(b.phases.get("GPU", {}))
        others = max(0, max(e.end for e in steps) - min(e.start for e in steps) - sum(b.phases["step"].values()) / max(1, gpus))
    r["Details"] = b.details(others)
    return r


def step_outlier(p, v):
    r, groups, limits, fired = Result(), {}, {}, set()
    mode = None if v["mode"] in (None, "None") else v["mode"].split(".")[-1].upper()
    for start, end in p.windows:
        for e in p.events:
            if start <= e.start < end and is_step(e.phase) and mode in (None, e.phase.split(".")[-1]):
                groups.setdefault((e.node, e.phase), []).append(e)
                r["Datapoints"] += 1
        for key, of in groups.items():
            x = [e.duration / 1e9 for e in of]
            if len(x) <= 100:
                continue
            mean = sum(x) / len(x)
            limits[key] = limit = mean + v["stddev"] * math.sqrt(sum((y - mean)**2 for y in x) / len(x))
            n = sum(y > limit for y in x)
            if n > v["n_outliers"]:
                r.fire(n)
                fired.add(key)
    details = {}
    for (node, phase), of in groups.items():
        x, limit = [e.duration / 1e9 for e in of], limits.get((node, phase), math.inf)
        mean = sum(x) / len(x)
        name = node if sum(k[0] == node for k in groups) == 1 else "%s %s" % (node, phase.split(".")[-1])
        probs, edges = histogram([y for y in x if y < limit])
        details[name] = {
            "step_stats": {"mean": mean, "max": max(x), "p99": quantile(x, .99), "p95": quantile(x, .95), "p50": quantile(x, .5), "min": min(x)},
            "number_of_outliers": sum(y > limit for y in x), "phase": phase,
            "stddev": Rounded(math.sqrt(sum((y - mean)**2 for y in x) / len(x))), "probs": probs, "binedges": edges,
            "step_numbers": sorted(int(e.args["step_num"]) for e in of if e.duration / 1e9 > limit)}
    r["Details"] = {"step_details": details}
    b, outliers = Breakdown(), [e for k in fired for e in groups[k] if e.duration / 1e9 > limits[k]]
    for e in p.events:
        if any(e.end >= o.start and e.start <= o.end for o in outliers):
            b.add(e)
    r["Details"].update(b.details())
    return r


EVALUATE = {"CPUBottleneck": cpu_bottleneck, "IOBottleneck": io_bottleneck, "LowGPUUtilization": low_gpu_utilization,
            "StepOutlier": step_outlier, "GPUMemoryIncrease": gpu_memory_increase, "BatchSize": batch_size,
            "MaxInitializationTime": max_initialization_time, "LoadBalancing": load_balancing, "OverallSystemUsage": overall_system_usage,
            "Dataloader": dataloader, "OverallFrameworkMetrics": overall_framework_metrics}


# ---- the comparison ----

def differences(want, got, path, out):
    number = (int, float)
    if isinstance(want, dict) and isinstance(got, dict):
        for k in list(want) + [k for k in got if k not in want]:
            if k not in want or k not in got:
                out.append("%s: only the %s" % ("/".join(path + [k]), "program" if k in got else "script"))
            else:
                differences(want[k], got[k], path + [k], out)
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for i, (a, b) in enumerate(zip(want, got)):
            differences(a, b, path + [str(i)], out)
    elif not (isinstance(want, number) and isinstance(got, number)
              and abs(want - got) <= (.005 if isinstance(want, Rounded) else 0) + 1e-9 * max(1, abs(want))) and want != got:
        out.append("%s: the script %s, the program %s" % ("/".join(path), str(want)[:60], str(got)[:60]))


def ask(program, tree, parameters, out):
    """What the program writes of each rule."""
    add = "rule add ProfilerReport output=%s/report %s" % (out, " ".join(parameters))
    done = subprocess.run([program, "-n", "-batch", "--no-follow", "-ex", "set rule-actions on", "-ex", add, "-ex", "rule status", tree],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                          env=dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", HOME="/nonexistent"))
    folder = os.path.join(out, "report", "profiler-reports")
    if not os.path.isdir(folder):
        sys.exit("%s: no report: %s %s" % (tree, done.stdout[-300:], done.stderr[-300:]))
    return {name: json.load(open(os.path.join(folder, name + ".json"), encoding="utf-8")) for name in RULES}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, tree, parameters = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    values = {name: dict(v) for name, v in DEFAULTS.items()}
    for p in parameters:
        key, value = p.split("=")
        name, parameter = key.split("_", 1)
        values[name][parameter] = float(value) if re.fullmatch(r"[-0-9.]+", value) else value
    profile, good = Profile(tree), 0
    with tempfile.TemporaryDirectory() as out:
        answers = ask(program, tree, parameters, out)
    for name in RULES:
        faults = []
        differences(EVALUATE[name](profile, values[name]), {k: x for k, x in answers[name].items() if k != "RuleParameters"}, [name], faults)
        good += not faults
        for f in faults[:8]:
            print(f)
    print("%d passed, %d failed" % (good, len(RULES) - good))
    sys.exit(good != len(RULES))


if __name__ == "__main__":
    main()
