# SPDX-License-Identifier: Apache-2.0
"""What modules return: which modules are looked at, and the names of their tensors."""

import dataclasses

import torch


def is_chosen(expression, name):
    """Whether an output of the module may be meant. Keys of mappings are not known yet: the model itself is always looked at."""
    return any(expression.search(f"{name}_output_{n}") for n in range(10))


def in_backward():
    """Whether this is a recomputation (activation checkpointing)."""
    return torch._C._current_graph_task_id() != -1


class Outputs:
    """The outputs of one step. n counts the tensors of a module over tuples and repeated calls."""

    def __init__(self, expression):
        self._expression = expression
        self._counts = {}
        self._outermost = set()                            # modules that were called from outside in this step
        self.done = False                                  # a second micro-batch: nothing more in this step
        self.matched = False

    def begin_step(self):
        self._counts, self._outermost, self.done = {}, set(), False

    def has(self, module):
        return module in self._counts

    def enter(self, module):
        """A forward pass begins from outside."""
        self.done = self.done or id(module) in self._outermost
        self._outermost.add(id(module))

    def forget(self, module):
        self._outermost.discard(id(module))

    def tensors(self, module, value):
        """Pairs of name and tensor that match the expression."""
        self._counts.setdefault(module, 0)
        for key, tensor in self._flat(value, None):
            if key is None:
                key = self._counts[module]
                self._counts[module] += 1
            name = f"{module}_output_{key}"
            if self._expression.search(name):
                self.matched = True
                yield name, tensor

    def _flat(self, value, key):
        if isinstance(value, torch.Tensor):
            yield key, value
        elif hasattr(value, "items") and hasattr(value, "keys"):
            for name, part in value.items():
                yield from self._flat(part, name if key is None else f"{key}.{name}")
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            for field in dataclasses.fields(value):
                yield from self._flat(getattr(value, field.name, None), field.name if key is None else f"{key}.{field.name}")
        elif isinstance(value, (tuple, list)):
            for i, part in enumerate(value):
                yield from self._flat(part, None if key is None else f"{key}.{i}")
