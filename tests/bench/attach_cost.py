# SPDX-License-Identifier: Apache-2.0
"""What smdbg.attach costs: the time of a step beside the same step without it, in turns, on one thread. Prints one row for
each model, interval and what is saved, and what of it is over its bar. On a machine that does other things too the ratio of
CPU times, which has the writing thread, too, says more than that of wall times. Files go to $TMPDIR.
Usage: attach_cost.py BUILD [MODEL...]. With smdebug installed its hook is measured, too; it needs numpy 1, protobuf 3.20, pandas for that, boto3
and pyinstrument 3."""

import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time
import warnings

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / "reader/hook/python"))
os.environ["SMDBG_HOOK_LIBRARY"] = str(pathlib.Path(sys.argv[1]).resolve() / "libsmdbg-hook.so.0")

import smdbg  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

try:
    os.environ.setdefault("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")      # smdebug's code is older than protobuf's
    import smdebug.pytorch as original
except Exception:
    original = None

BARS = {("statistics", 10): 1.05, ("raw", 1): 1.25}
ROUNDS = int(os.environ.get("ROUNDS", 40))


class Attention(nn.Module):
    def __init__(self, size=128):
        super().__init__()
        self.embed = nn.Embedding(256, size)
        layer = nn.TransformerEncoderLayer(size, 4, size * 4, batch_first=True, norm_first=True, dropout=0.0)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(size, 256)

    def forward(self, x):
        return self.head(self.layers(self.embed(x))).transpose(1, 2)


def mlp():
    model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    return model, torch.randn(256, 256), torch.randint(0, 10, (256,))


def cnn():
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(576, 10))
    return model, torch.randn(64, 1, 16, 16), torch.randint(0, 10, (64,))


def transformer():
    x = torch.randint(0, 256, (8, 64))
    return Attention(), x, torch.randint(0, 256, (8, 64))


class Training:
    """hook: a function of the model and the optimizer that returns what logs the loss and what ends; None: no hook."""

    def __init__(self, make, hook=None):
        torch.manual_seed(1)
        self.model, self.x, self.y = make()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.log, self.end = hook(self.model, self.optimizer) if hook else (lambda loss: None, lambda: None)

    def steps(self, n):
        """[(wall time, CPU time)] of n steps."""
        found = []
        for _ in range(n):
            begin, cpu = time.perf_counter(), time.process_time()
            loss = nn.functional.cross_entropy(self.model(self.x), self.y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.log(loss)
            found.append((time.perf_counter() - begin, time.process_time() - cpu))
        return found


def attached(folder, every, what):
    keywords = {"raw": {"raw": True, "outputs": "."}, "statistics": {}, "outputs": {"outputs": "."}}[what]

    def hook(model, optimizer):
        run = smdbg.attach(model, optimizer, dir=folder, every=every, if_exists="overwrite", **keywords)
        return (lambda loss: run.log(loss=loss)), run.close
    return hook


def of_original(folder, every, what):
    def hook(model, optimizer):
        collections = ["weights", "gradients", "biases", "losses"]
        reductions = None if what == "raw" else original.ReductionConfig(reductions=["mean", "std"], abs_reductions=["max"], norms=["l2"])
        theirs = original.Hook(out_dir=folder, save_config=original.SaveConfig(save_interval=every), include_collections=collections,
                               reduction_config=reductions, save_all=what != "statistics")
        theirs.register_module(model)
        return (lambda loss: theirs.record_tensor_value("loss", loss)), theirs.close
    return hook


BLOCK = 13                                                 # steps in a turn: the steps of `every` come at all places in it


def usual(times):
    """A step that nothing else has interrupted: the first quintile, because other programs only ever add time."""
    return statistics.quantiles(times, n=5)[0]


def mean_step(times, every, first):
    """The mean over a period of `every` steps: of the usual step that has tensors and of the usual other."""
    due = [t for i, t in enumerate(times, first) if i % every == 0]
    others = [t for i, t in enumerate(times, first) if i % every]
    return (usual(due) + (every - 1) * usual(others)) / every if others else usual(due)


def compare(make, hook, every):
    """Wall time of a step without and with; the ratios of wall times and of CPU times."""
    pair = Training(make), Training(make, hook)
    first, times = 2 * every, ([], [])
    for training in pair:
        training.steps(first)
    for _ in range(max(ROUNDS, 5 * every // BLOCK + 1)):
        for training, found in zip(pair, times):
            found += training.steps(BLOCK)
    pair[1].end()
    (plain, plain_cpu), (hooked, hooked_cpu) = ([mean_step([t[i] for t in found], every, first) for i in (0, 1)] for found in times)
    return plain, hooked, hooked / plain, hooked_cpu / plain_cpu


def original_runs():
    """Whether smdebug works with the torch and the NumPy that are installed."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            Training(mlp, of_original(os.path.join(folder, "run"), 1, "statistics")).steps(2)
        return True
    except Exception as error:
        print(f"smdebug does not run here: {type(error).__name__}: {error}")
        return False


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    chosen = [{"mlp": mlp, "cnn": cnn, "transformer": transformer}[name] for name in sys.argv[2:] or ("mlp", "cnn", "transformer")]
    kinds = [("smdbg", attached)] + ([("smdebug", of_original)] if original and original_runs() else [])
    print(f"{'model':12} {'hook':8} {'saved':11} {'every':>5} {'plain ms':>9} {'hooked ms':>9} {'wall':>6} {'CPU':>6} {'bar':>5}")
    for make in chosen:
        for name, kind in kinds:
            for what in ("statistics", "outputs", "raw"):
                for every in (1, 10, 100):
                    folder = tempfile.mkdtemp()
                    plain, hooked, wall, cpu = compare(make, kind(os.path.join(folder, "run"), every, what), every)
                    shutil.rmtree(folder)
                    bar = BARS.get((what, every)) if name == "smdbg" else None
                    print(f"{make.__name__:12} {name:8} {what:11} {every:5} {plain * 1e3:9.2f} {hooked * 1e3:9.2f} {wall:6.3f} {cpu:6.3f} "
                          f"{bar or '':>5}{'  over' if bar and min(wall, cpu) > bar else ''}", flush=True)


if __name__ == "__main__":
    main()
