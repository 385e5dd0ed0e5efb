# SPDX-License-Identifier: Apache-2.0
"""Writes the sample of W&B's histograms, images and tables: write_wandb_media.py, with WANDB_MODE=offline."""
import numpy as np
import wandb

r = wandb.init(project="p", name="media", settings=wandb.Settings(x_disable_stats=True, console="off"))
for s in range(3):
    d = {"loss": 1 / (s + 1), "counts": wandb.Histogram(np_histogram=(np.array([s, 2, 3]), np.array([-1., 0, 0.5, 2])))}
    if s != 1:
        d["net/picture"] = wandb.Image(np.arange(12, dtype=np.uint8).reshape(2, 2, 3) * (s + 1))
        d["pair"] = [wandb.Image(np.full((2, 3), 50 * k + s, dtype=np.uint8)) for k in range(2)]
    if s == 2:
        d["photo"] = wandb.Image(np.zeros((8, 8, 3), dtype=np.uint8), file_type="jpg")
        d["gone"] = wandb.Image(np.zeros((1, 1, 3), dtype=np.uint8))
        d["table"] = wandb.Table(columns=["text", "value"], data=[["a", 0.5], ["b", 0.25], ["c", 1]])
    r.log(d)
r.finish()
