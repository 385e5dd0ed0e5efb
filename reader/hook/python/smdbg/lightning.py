# SPDX-License-Identifier: Apache-2.0
"""lightning.Trainer (or pytorch_lightning): an EVAL step is a batch of validation or test."""

import importlib.util

from .attach import attach_quietly
from .number import number
from .options import Options
from .run import EVAL


def differs(value, before):
    try:
        value, before = number(value), number(before)
    except Exception:
        return False
    return value != before and (value == value or before == before)


def make(keywords):
    if importlib.util.find_spec("lightning"):
        from lightning.pytorch import Callback
    else:
        from pytorch_lightning import Callback
    Options(**keywords)                                    # mistakes are told now

    class LightningCallback(Callback):
        """run: the Run of the present training; None before and after."""

        run = None

        def on_train_start(self, trainer, module):
            self.run = attach_quietly(module, trainer.optimizers[0] if trainer.optimizers else None, **keywords)
            self.trained, self.last = set(), {}            # names of metrics of the training; all that were there at the last look
            if self.run:
                self.run.evaluates = False                 # the module's forward may not be what evaluates
                self._tell_others(len(trainer.optimizers) - 1)

        def _tell_others(self, others):
            if others:
                self.run.tell("optimizers", f"the steps are those of the first optimizer; not recorded is what {others} more "
                              "use: smdbg.attach makes a run for each")

        def on_train_batch_end(self, trainer, module, *_):
            if self.run:                                   # what validation has logged stays there until it logs again
                new = {name: value for name, value in trainer.logged_metrics.items() if self.last.get(name) is not value}
                self.trained.update(new)
                self.last = dict(trainer.logged_metrics)
                self.run.log(new)

        def on_validation_batch_start(self, trainer, *_, **__):
            if self.run and not trainer.sanity_checking:
                self.run.begin_quietly(EVAL)

        def on_validation_end(self, trainer, module):
            if self.run and not trainer.sanity_checking:
                metrics = dict(trainer.logged_metrics)
                self.run.log_in(EVAL, {name: value for name, value in metrics.items()
                                       if name not in self.trained or differs(value, self.last.get(name))})
                self.last = metrics

        def teardown(self, *_, **__):
            if self.run:
                self.run.close()
            self.run = None

    return LightningCallback()
