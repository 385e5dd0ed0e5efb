# SPDX-License-Identifier: Apache-2.0
"""A run of a framework whose variables can be read as NumPy arrays: Keras with any backend."""

import sys

from .run import TRAIN, Run, quiet


def as_array(value):
    """The value in NumPy. Raises if it has none: it is part of a graph that is traced."""
    if hasattr(value, "numpy"):
        return (value.detach().cpu() if hasattr(value, "detach") else value).numpy()
    import numpy
    return numpy.asarray(value)


def _is_traced(value):
    """Whether it is a symbol in a graph and has no value."""
    tensorflow = sys.modules.get("tensorflow")
    jax = sys.modules.get("jax")
    return bool(tensorflow and not tensorflow.executing_eagerly() or jax and isinstance(value, jax.core.Tracer))


def _path(variable):
    """layer/kernel; Keras 2 puts :0 behind it."""
    return getattr(variable, "path", None) or variable.name.partition(":")[0]


class ArrayRun(Run):
    _restore = None                                        # puts the optimizer's method back

    @quiet
    def begin_batch(self, model):
        """Begins a TRAIN step. At the steps of `every` the weights are recorded as they are before the batch."""
        self.begin(TRAIN)
        rate = getattr(model.optimizer, "learning_rate", None)
        if rate is not None:
            self.scalar("lr/group0", as_array(rate))
        if not self.is_due() or "weights" not in self.options.save:
            return
        for variable in model.trainable_variables:
            name = _path(variable)
            self.save("biases" if "bias" in name.rpartition("/")[2] else "weights", name, as_array(variable))

    @quiet
    def watch_updates(self, model):
        """Records the gradients where the optimizer runs eagerly: behind clipping and accumulation in Keras 3."""
        if "gradients" not in self.options.save:
            return
        optimizer = model.optimizer
        while hasattr(optimizer, "inner_optimizer"):       # of mixed precision
            optimizer = optimizer.inner_optimizer
        name = next(name for name in ("_backend_update_step", "apply_gradients") if hasattr(optimizer, name))
        original = getattr(optimizer, name)

        def update(gradients, *arguments, **keywords):
            if name == "apply_gradients":
                gradients = list(gradients)                # pairs with the variables
            pairs = gradients if name == "apply_gradients" else zip(gradients, arguments[0])
            self._record_gradients(pairs)
            return original(gradients, *arguments, **keywords)

        setattr(optimizer, name, update)
        self._restore = lambda: optimizer.__dict__.pop(name, None)

    @quiet
    def _record_gradients(self, pairs):
        for gradient, variable in pairs if self.is_due() and self._mode == TRAIN else ():
            if gradient is not None and not _is_traced(gradient):
                self.save("gradients", f"gradient/{_path(variable)}", as_array(gradient))

    @quiet
    def _finish(self):
        self.flush()
        if self._restore:
            self._restore()
