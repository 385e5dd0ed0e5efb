# SPDX-License-Identifier: Apache-2.0
"""Writes the samples wandb_*: python write_wandb.py FOLDER, with wandb installed (samples/README.md)."""
import math
import os
import sys

os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true")
import wandb


def run(name, run_id, config, steps, **more):
    r = wandb.init(project="p", dir=sys.argv[1], name=name, id=run_id, config=config, reinit=True, **more)
    r.define_metric("epoch")
    r.define_metric("val/*", step_metric="epoch")
    for i in range(steps):
        d = {"loss": 4 * math.exp(-i * config["lr"]), "opt": {"lr": config["lr"] / (1 + i)}, "ok": i % 2 == 0, "word": "w"}
        if i == 5:
            d["loss"] = float("nan")
        if i % 6 == 0:
            d["weights"] = wandb.Histogram([1, 2, 3, i], num_bins=4)
        r.log(d, step=2 * i)
        if i % 4 == 3:
            r.log({"val/acc": 1 - 1 / (i + 1), "epoch": i // 4}, step=2 * i)
            print("epoch", i // 4, "of", name)
    r.config.update({"late": {"n": 5}})
    r.summary["best"] = 0.125
    return r


os.makedirs(sys.argv[1], exist_ok=True)
run("first", "aaaa0001", {"lr": 0.5, "net": {"depth": 3, "act": "relu"}, "layers": [4, 4]}, 12).finish()
run("second", "aaaa0002", {"lr": 0.05, "net": {"depth": 4, "act": "relu"}, "layers": [4, 4]}, 12).finish(exit_code=1)
