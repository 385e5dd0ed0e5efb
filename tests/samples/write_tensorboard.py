# SPDX-License-Identifier: Apache-2.0
# Writes tests/samples/tensorboard/x: python write_tensorboard.py DIR
import os
import sys

import numpy as np
from tensorboardX import SummaryWriter

np.random.seed(1)
w = SummaryWriter(os.path.join(sys.argv[1], "exp1"))
for i in range(20):
    w.add_scalar("loss", 1 / (i + 1), i)
w.add_hparams({"lr": 0.25, "opt": "adam", "flag": True, "n": 7}, {"acc": 0.9}, name="1790000000.1234567")
w.add_text("notes", "# Title\n\nsecond *line*\nthird", 3)
w.add_pr_curve("pr/x", np.random.randint(2, size=100), np.random.rand(100), 5, num_thresholds=9)
w.add_image("picture", np.random.rand(3, 6, 8), 1)
w.close()
