# SPDX-License-Identifier: Apache-2.0
"""Writes the samples of alerts: python write_alerts.py wandb|trackio FOLDER, with wandb or trackio installed (samples/README.md)."""
import os
import sys

WHICH, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)


def wandb_run():
    os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_X_DISABLE_STATS="true", WANDB_CONSOLE="off")
    import wandb

    r = wandb.init(project="p", dir=FOLDER, name="alerts", id="aaaa0003", config={"lr": 0.5})
    r.alert("Started", "nothing was logged yet", level=wandb.AlertLevel.INFO)
    for i in range(4):
        r.log({"loss": 4 - i}, step=10 * i)
    r.alert("Low accuracy", "0.1 is below 0.5\n\033[31mred", level=wandb.AlertLevel.WARN)
    r.log({"loss": 1}, step=40)
    r.finish()


def trackio_run():
    os.environ["TRACKIO_DIR"] = FOLDER
    import trackio

    for name in "one", "two":
        trackio.init(project="alerts", name=name, config={"lr": 0.5})
        for i in range(4):
            trackio.log({"loss": 4 - i}, step=10 * i)
            if i == 2 and name == "two":
                trackio.alert("Diverged", text="loss is 2", level=trackio.AlertLevel.ERROR)
                trackio.alert("Title alone")
        trackio.finish()


wandb_run() if WHICH == "wandb" else trackio_run()
