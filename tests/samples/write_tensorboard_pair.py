# SPDX-License-Identifier: Apache-2.0
# Writes tests/samples/tensorboard/pair, as Keras' callback lays it out: python write_tensorboard_pair.py DIR
import math
import os
import random
import sys

from tensorboardX import SummaryWriter

random.seed(1)
train = SummaryWriter(os.path.join(sys.argv[1], "train"))
validation = SummaryWriter(os.path.join(sys.argv[1], "validation"))
for epoch in range(40):
    loss = 2 * math.exp(-epoch / 8) + 0.01 * random.random()
    train.add_scalar("epoch_loss", loss + 0.05, epoch)
    train.add_scalar("epoch_learning_rate", 0.01, epoch)
    validation.add_scalar("epoch_loss", loss + 0.3 + 0.05 * max(0, epoch - 12), epoch)
    validation.add_scalar("evaluation_loss_vs_iterations", loss + 0.3, 3 * epoch)
train.close()
validation.close()
