# SPDX-License-Identifier: Apache-2.0
"""FullyShardedDataParallel (FSDP1), which keeps the parameters of a unit as parts of one vector: each unit is gathered for a
moment, one after the other. All processes must take part."""

import torch

from . import tensors
from .names import SEGMENTS, is_fsdp1


class Flat:
    """The parameters of a model that has units of FSDP1."""

    def __init__(self, around, model):
        self._root = next((module for module in around if is_fsdp1(module)), model)
        self._units = [(path, module) for path, module in self._root.named_modules() if is_fsdp1(module)]
        self.has_gradients = self._units[0][1]._use_orig_params                    # of each parameter by itself
        self._before = None                                # copies of parameters by name

    @torch.no_grad()
    def take(self, use, copies):
        """Calls use(name, parameter) for each. copies: of those that are trained, for changes()."""
        self._before = {} if copies else None

        def take(name, parameter):
            use(name, parameter)
            if copies and parameter.requires_grad:
                self._before[name] = parameter.detach().clone()
        self._each(take)

    @torch.no_grad()
    def changes(self):
        """As tensors.Before.changes. All processes ask, as they did for the copies."""
        found, before, self._before = [], self._before or {}, None

        def take(name, parameter):
            old = before.pop(name, None)
            if old is not None:
                found.append((name, *tensors.norms([parameter.detach() - old, old])))
        self._each(take)
        names, *rows = zip(*found) if found else (None,)
        return names and (names, torch.stack([tensors.column(list(row)) for row in rows]))

    def _each(self, take):
        """Calls take(name, parameter) with the whole value, and the whole gradient in .grad if there is one."""
        from torch.distributed.fsdp import FullyShardedDataParallel
        if not is_fsdp1(self._root):
            self._take_own("", self._root, take)
        for path, unit in self._units:
            with FullyShardedDataParallel.summon_full_params(unit, recurse=False, writeback=False, with_grads=self.has_gradients):
                self._take_own(path, unit, take)

    def _take_own(self, path, module, take):
        """Those of a module that are not those of a unit inside it."""
        prefix = f"{path}." if path else ""
        inside = {id(p) for other, unit in self._units if unit is not module and other.startswith(prefix) for p in unit.parameters()}
        for name, parameter in module.named_parameters():
            if id(parameter) not in inside:
                take(".".join(part for part in (prefix + name).split(".") if part not in SEGMENTS), parameter)

    @torch.no_grad()
    def norm(self, parameters):
        """The L2 norm of all gradients, of which each process has a part."""
        first = self._units[0][1]
        shared = {id(p) for _, unit in self._units for p in unit.parameters()}
        squares = [torch.zeros((), dtype=torch.float64, device="cpu") for _ in range(2)]
        for p in parameters:
            if p.grad is not None:
                at = id(p) in shared
                squares[at] = squares[at].to(p.grad.device) + p.grad.double().square().sum()
        if first.sharding_strategy.name != "NO_SHARD":
            squares[1] = squares[1].to(first.compute_device)
            torch.distributed.all_reduce(squares[1], group=first.process_group)
        return (squares[0].to(squares[1].device) + squares[1]).sqrt()
