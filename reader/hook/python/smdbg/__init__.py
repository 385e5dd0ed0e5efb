# SPDX-License-Identifier: Apache-2.0
"""Records a training for smdbg-tui with one line.

    import smdbg
    run = smdbg.attach(model, optimizer)                   # smdbg-runs/<time>; every 100 steps weights and gradients
    ...
    run.log(loss=loss, accuracy=accuracy)                  # every call is kept

For frameworks that own the loop there are callbacks with the same keywords: HuggingFaceCallback, LightningCallback,
KerasCallback, XGBoostCallback. A framework is imported when its callback is made. doc/attach.md says what is recorded."""

from .attach import attach
from .run import Run

__all__ = ["HuggingFaceCallback", "KerasCallback", "LightningCallback", "Run", "XGBoostCallback", "attach"]


def HuggingFaceCallback(**keywords):
    """A callback for transformers.Trainer(callbacks=[...])."""
    from .huggingface import make
    return make(keywords)


def LightningCallback(**keywords):
    """A callback for lightning.Trainer(callbacks=[...])."""
    from .lightning import make
    return make(keywords)


def KerasCallback(**keywords):
    """A callback for model.fit(callbacks=[...]) of Keras 3 or of TensorFlow 2."""
    from .keras import make
    return make(keywords)


def XGBoostCallback(dir=None, every=10, if_exists="new"):
    """A callback for xgboost.train(callbacks=[...])."""
    from .xgboost import make
    return make(dir=dir, every=every, if_exists=if_exists)
