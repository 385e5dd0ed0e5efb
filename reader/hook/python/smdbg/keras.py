# SPDX-License-Identifier: Apache-2.0
"""model.fit of Keras 3, or of Keras 2 in TensorFlow: a TRAIN step is a batch, an EVAL step a batch of an evaluation."""

import os
import sys

from .array_run import ArrayRun
from .attach import quietly
from .options import Options
from .run import EVAL, TRAIN


def _base():
    if os.environ.get("TF_USE_LEGACY_KERAS") == "1" or ("tf_keras" in sys.modules and "keras" not in sys.modules):
        from tf_keras.callbacks import Callback
    else:
        from keras.callbacks import Callback
    return Callback


def make(keywords):
    options = Options(**keywords)                          # mistakes are told now

    class KerasCallback(_base()):
        """run: the Run of the present training; None before and after."""

        run = None

        def on_train_begin(self, logs=None):
            self.on_train_end()
            self.run = quietly(ArrayRun, options)
            if self.run:
                self.run.watch_updates(self.model)

        def on_train_batch_begin(self, batch, logs=None):
            if self.run:
                self.run.begin_batch(self.model)

        def on_train_batch_end(self, batch, logs=None):
            if self.run:
                self.run.log_in(TRAIN, logs or {})

        def on_test_batch_begin(self, batch, logs=None):
            if self.run:
                self.run.begin_quietly(EVAL)

        def on_test_batch_end(self, batch, logs=None):
            if self.run:
                self.run.log_in(EVAL, {f"val_{name}": value for name, value in (logs or {}).items()})

        def on_train_end(self, logs=None):
            if self.run:
                self.run.close()
            self.run = None

    return KerasCallback()
