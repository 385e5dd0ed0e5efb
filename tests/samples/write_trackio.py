# SPDX-License-Identifier: Apache-2.0
"""Writes the trackio samples into $TRACKIO_DIR (0.2.9: $HF_HOME/trackio)."""
import math

import trackio

try:
    from trackio import Histogram  # with it came configurations, ids of runs and numbers that are not finite
except ImportError:
    Histogram = None
for name, lr in (("one", 0.1), ("two", 0.01)):
    trackio.init(project="proj", name=name, config={"lr": lr, "arch": {"depth": 3}, "opt": "adam"})
    for s in range(6):
        row = {"loss": 2 / (s + 1), "train/acc": s / 6, "note": "text", "ok": True}
        if Histogram:
            row.update(nan=math.nan if s == 3 else 1.0, inf=-math.inf if s == 4 else 2.0, weights=Histogram([1.0, 2.0, 3.0]))
        trackio.log(row, step=2 * s)
    trackio.log({"loss": 99.0}, step=4)
    if Histogram:
        trackio.log_system({"gpu.0.util": 50.0})
    trackio.finish()
