# SPDX-License-Identifier: Apache-2.0
"""Which experts of a mixture get the tokens. A block is a module with a part "experts": a list of modules, of which each is
called with its own tokens, or one module, which is called with the numbers of the experts of each token."""

import torch


class Experts:
    """The tokens of the experts of a block in the present forward pass."""

    def __init__(self, name, block):
        self.name = f"{name}_expert_load"
        self.parts = list(block.experts.children()) if isinstance(block.experts, (torch.nn.ModuleList, torch.nn.ModuleDict)) else []
        self._whole = block.experts
        self._tokens = None
        self._step = None                                  # for which it was taken

    @staticmethod
    def is_block(module):
        return any(name == "experts" for name, _ in module.named_children())

    def clear(self):
        """The block is called."""
        self._tokens = None

    def add_part(self, i, arguments, keywords):
        """Expert i of a list is called."""
        tokens = next(value for value in (*arguments, *keywords.values()) if isinstance(value, torch.Tensor))
        if self._tokens is None:
            self._tokens = torch.zeros(len(self.parts), dtype=torch.float32, device="cpu")
        self._tokens[i] += tokens.shape[:-1].numel()

    def add_routed(self, arguments, keywords):
        """All are called at once. A module that is not told which experts the tokens have is none of these."""
        chosen = next((value.detach().flatten() for value in (*arguments, *keywords.values()) if _is_index(value)), None)
        n = self._count()
        if chosen is None or not n:
            return
        at = chosen.where((chosen >= 0) & (chosen < n), n).long()                  # others say that a token has no expert
        tokens = torch.zeros(n + 1, dtype=torch.float32, device=chosen.device).index_add_(0, at, torch.ones_like(at, dtype=torch.float32))[:n]
        self._tokens = tokens if self._tokens is None else self._tokens + tokens

    def _count(self):
        for name in ("num_experts", "n_experts", "num_local_experts"):
            if isinstance(getattr(self._whole, name, None), int):
                return getattr(self._whole, name)
        return next((p.shape[0] for p in self._whole.parameters() if p.dim() == 3), 0)

    def take_load(self, step):
        """The share of the tokens of each expert; None: none was called, or the step has one already."""
        if self._tokens is None or step == self._step:
            return None
        self._step = step
        return self._tokens / self._tokens.sum()


def _is_index(value):
    return isinstance(value, torch.Tensor) and not value.is_floating_point() and not value.is_complex() and value.dtype != torch.bool
