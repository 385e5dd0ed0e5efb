# SPDX-License-Identifier: Apache-2.0
"""transformers.Trainer: a TRAIN step is a step of its optimizer, whatever is accumulated."""

import numbers

from .attach import attach_quietly
from .options import Options


def make(keywords):
    from transformers import TrainerCallback
    Options(**keywords)                                    # mistakes are told now

    class HuggingFaceCallback(TrainerCallback):
        """run: the Run of the present training; None before and after."""

        run = None

        def on_train_begin(self, args, state, control, model=None, optimizer=None, **_):
            self.on_train_end()
            self.run = attach_quietly(model, optimizer, **keywords)

        def on_log(self, args, state, control, logs=None, **_):
            if self.run:
                self.run.log({"grad_norm_before_clip" if name == "grad_norm" else name: value
                              for name, value in (logs or {}).items() if isinstance(value, numbers.Number)})

        def on_train_end(self, *_, **__):
            if self.run:
                self.run.close()
            self.run = None

    return HuggingFaceCallback()
