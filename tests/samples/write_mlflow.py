# SPDX-License-Identifier: Apache-2.0
"""Writes the MLflow samples: write_mlflow.py sqlite:///mlflow.db, or write_mlflow.py file:./mlruns (MLFLOW_ALLOW_FILE_STORE=true)."""
import math
import sys

from mlflow.tracking import MlflowClient

MS = 1700000000000
c = MlflowClient(sys.argv[1])
alpha, beta, gone = (c.create_experiment(n, artifact_location="/data/" + n.replace(" ", "")) for n in ("alpha", "beta gamma", "gone"))


def run(experiment, name, status=None, steps=6, params={}, **more):
    i = c.create_run(experiment, run_name=name, start_time=MS, **more).info.run_id
    for k, v in params.items():
        c.log_param(i, k, v)
    for s in range(steps):
        c.log_metric(i, "loss", 2 / (s + 1), timestamp=MS + 500 * s, step=s)
        c.log_metric(i, "system/cpu_percent", 50 + s, timestamp=MS + 500 * s, step=s)
    if status:
        c.set_terminated(i, status, end_time=MS + 60000)
    return i


i = run(alpha, "first", params={"lr": 0.01, "model/depth": 4, "opt": "adam"}, tags={"team": "vision"})
for t, v, s in ((1, .5, 3), (2, .25, 1), (5, .75, 3), (3, -math.inf, 2), (4, math.nan, 9), (9, 1.5, 9), (6, 7., 1)):
    c.log_metric(i, "val/odd", v, timestamp=MS + 500 * t, step=s)
c.set_terminated(i, "FINISHED", end_time=MS + 60000)
run(alpha, "failed: 'it' # broke, and it has a name that is so long that PyYAML folds its line", "FAILED", params={"lr": 0.1})
run(beta, "goes on", params={"lr": 0.3})
c.delete_run(run(beta, "deleted", "FINISHED"))
run(gone, "of a deleted experiment", "FINISHED")
c.delete_experiment(gone)
