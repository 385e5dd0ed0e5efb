# SPDX-License-Identifier: Apache-2.0
"""The one line for PyTorch."""

import sys
import warnings

from .options import Options


def _optimizer_of(optimizer, kind):
    """The optimizer inside those of Accelerate and Lightning."""
    while isinstance(getattr(optimizer, "optimizer", None), kind):
        optimizer = optimizer.optimizer
    return optimizer


def attach(model, optimizer, **keywords):
    """Records the training of a torch module by a torch optimizer from now on, and returns its Run.

    dir: where to; None: smdbg-runs/<time>. every: of how many steps one has tensors. save: which of "weights" and
    "gradients". outputs: a regular expression for names such as "relu1_output_0". stats: what is saved of a tensor.
    raw: its values instead. optimizer_state: the optimizer's tensors, too. workers: "rank0" or "all". if_exists: what to
    do if dir holds a run: "new" (take dir-2, ...), "error", "overwrite", "resume".

    Raises TypeError, ValueError or OSError. After that nothing raises: a mistake is told once by warnings and Run.error."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"model: expected a torch.nn.Module, not a {type(model).__name__}")
    optimizer = _optimizer_of(optimizer, torch.optim.Optimizer)
    if not isinstance(optimizer, torch.optim.Optimizer):
        several = "; a run has one: call attach for each" if isinstance(optimizer, (list, tuple, dict)) else ""
        raise TypeError(f"optimizer: expected a torch.optim.Optimizer, not a {type(optimizer).__name__}{several}")
    options = Options(**keywords)
    from .torch_run import TorchRun
    return TorchRun(model, optimizer, options)


def quietly(make, *arguments, **keywords):
    """For callbacks, which make their Run when the training has begun: None and a warning if that is not possible."""
    try:
        return make(*arguments, **keywords)
    except Exception as error:
        hook = sys.modules.get("smdbg_hook")               # None: its library cannot be loaded
        level = hook._stacklevel() if hasattr(hook, "_stacklevel") else 3
        warnings.warn(f"smdbg: nothing is recorded: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=level)
        return None


def attach_quietly(model, optimizer, **keywords):
    """As quietly(attach, ...). If one of several processes cannot record, such as the one that writes, none does: the others
    would wait for it where values are gathered."""
    run = quietly(attach, model, optimizer, **keywords)
    if not _by_all(run is not None) and run:
        run.close()
        run = None
    return run


def _by_all(made):
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return made
    answers = [made] * distributed.get_world_size()
    distributed.all_gather_object(answers, made)
    return all(answers)
