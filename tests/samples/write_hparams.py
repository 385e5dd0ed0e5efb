# SPDX-License-Identifier: Apache-2.0
# Writes tests/samples/hparams_runs: python write_hparams.py DIR
import os
import re
import sys

import tensorboardX
import torch.utils.tensorboard as board

HPARAMS = {"lr": 0.25, "opt": "adam", "flag": True, "n": 7}


def at(name):
    return os.path.join(sys.argv[1], name)


def train(w, last=0.0):
    for i in range(1, 9):
        w.add_scalar("loss", 1 / i + last, 10 * i)


# One training with one session, and with two runs of add_scalars below it.
with board.SummaryWriter(at("torch")) as w:
    train(w)
    w.add_scalars("pair", {"a": 1.0, "b": 2.0}, 10)
    w.add_hparams(HPARAMS, {"hparam/accuracy": 0.9, "loss": 0.125}, run_name="trial-7")
w = tensorboardX.SummaryWriter(at("tbx"))
train(w, 0.5)
w.add_hparams(HPARAMS, {"hparam/accuracy": 0.75}, name="final")
w.close()
# The same hyperparameters after each epoch, in folders called by the time.
with board.SummaryWriter(at("epochs")) as w:
    train(w, 1.0)
    for epoch in range(3):
        w.add_hparams({"lr": 0.5, "opt": "sgd"}, {"hparam/accuracy": 0.25 * epoch}, global_step=epoch)
# A sweep of one writer, which logs nothing itself.
with board.SummaryWriter(at("sweep")) as w:
    for i in range(3):
        w.add_hparams({"lr": 0.1 * i, "batch": 2**i}, {"hparam/accuracy": 0.25 * i}, run_name=f"try{i}")

# File names without the machine and its processes; folders called by the time with a fixed one.
for folder, _, names in list(os.walk(sys.argv[1], topdown=False)):
    for i, name in enumerate(sorted(names)):
        os.rename(os.path.join(folder, name), os.path.join(folder, f"events.out.tfevents.179000000{i}.host.77.{i}"))
for i, name in enumerate(sorted(x for x in os.listdir(at("epochs")) if re.match(r"\d+\.\d+$", x))):
    os.rename(os.path.join(at("epochs"), name), os.path.join(at("epochs"), f"179000000{i}.25"))
