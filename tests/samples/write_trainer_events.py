# SPDX-License-Identifier: Apache-2.0
# Writes tests/samples/hf_tensorboard: the output folder of Hugging Face's Trainer that reports to TensorBoard, killed after its second
# checkpoint, with the names and files of transformers' TensorBoardCallback: python write_trainer_events.py DIR
import json
import math
import os
import sys

from tensorboardX import SummaryWriter

out = sys.argv[1]
board = SummaryWriter(os.path.join(out, "runs", "Nov24_03-02-09_host"))
board.add_text("args", json.dumps({"learning_rate": 5e-05, "seed": 42, "optim_args": None}))
history = []


def log(step, values):
    history.append({**values, "step": step})
    for name, value in values.items():
        tag = "eval/" + name[5:] if name.startswith("eval_") else "train/" + name
        board.add_scalar(tag, value, step)


for step in range(5, 56, 5):
    log(step, {"loss": round(3 * math.exp(-step / 50), 4), "learning_rate": 5e-5 * (1 - step / 60), "epoch": step / 20})
    if step % 20 == 0:
        log(step, {"eval_loss": 3 * math.exp(-step / 50) + 0.1, "epoch": step / 20})
        folder = os.path.join(out, f"checkpoint-{step}")
        os.makedirs(folder)
        state = {"best_metric": None, "epoch": step / 20, "global_step": step, "log_history": history, "logging_steps": 5, "max_steps": 60}
        with open(os.path.join(folder, "trainer_state.json"), "w") as f:
            json.dump(state, f, indent=2)
board.close()
