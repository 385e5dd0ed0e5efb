# SPDX-License-Identifier: Apache-2.0
"""Names of parameters and modules as the user's own model has them, whatever it is wrapped in."""

import torch

SEGMENTS = {"_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"}
REPLICATING = (torch.nn.parallel.DistributedDataParallel, torch.nn.DataParallel)


def is_fsdp1(module):
    return any(kind.__name__ == "FullyShardedDataParallel" for kind in type(module).__mro__)


def wrappers(model):
    """The modules around the user's model, outermost first, and the model."""
    around = []
    while True:
        if isinstance(model, REPLICATING) or is_fsdp1(model):
            inner = model.module
        elif type(model).__name__ == "OptimizedModule" and isinstance(getattr(model, "_orig_mod", None), torch.nn.Module):
            inner = model._orig_mod
        else:
            return around, model
        around.append(model)
        model = inner


def kind_of(model):
    """The name of its class; fully_shard puts a class of its own in front."""
    kind = type(model)
    if kind.__name__.startswith("FSDP") and len(kind.__bases__) == 2 and kind.__bases__[0].__name__ == "FSDPModule":
        kind = kind.__bases__[1]
    return kind.__name__


class Names:
    """Takes the parts of a path out that wrappers inside the model have put in."""

    def __init__(self, model):
        self._dropped = {f"{path}.module" if path else "module"
                         for path, module in model.named_modules(remove_duplicate=False) if isinstance(module, REPLICATING)}
        self._clean = {}

    def __call__(self, path):
        known = self._clean.get(path)
        if known is None:
            known = self._clean[path] = self._without_wrappers(path)
        return known

    def _without_wrappers(self, path):
        parts = path.split(".")
        return ".".join(part for i, part in enumerate(parts)
                        if part not in SEGMENTS and ".".join(parts[:i + 1]) not in self._dropped)
