# SPDX-License-Identifier: Apache-2.0
"""What attention looks at: the largest logit and the entropy of each head. Modules hand out neither, so the functions of torch
that compute attention are watched while a forward pass is recorded."""

import functools

import torch
from torch.compiler import is_compiling

STATISTICS = ("max_logit", "entropy")
PLACES = ((torch.nn.functional, "scaled_dot_product_attention"), (torch, "softmax"), (torch.Tensor, "softmax"))
BLOCK = 1 << 24                                            # logits that are in memory at once
BLOCK_CPU = 1 << 18                                        # that stay in its cache


class Attention:
    """The attention of one step. found(name, values) is called with the first of each module, one element a head."""

    def __init__(self, expression, named, found):
        """named: pairs of name and module."""
        self._expression, self._found = expression, found
        self._names = {id(module): name for name, module in named}
        self._inside = []                                  # modules that are called now
        self._seen = set()
        self._restore = []

    def is_wanted(self):
        return any(self._is_chosen(name) for name in self._names.values())

    def _is_chosen(self, name):
        return any(self._expression.search(f"{name}_attention_{statistic}") for statistic in STATISTICS)

    def begin_step(self):
        self._seen.clear()

    def enter(self, module):
        if self._restore:
            self._inside.append(module)

    def leave(self, module):
        while self._inside and self._inside.pop() is not module:
            pass                                           # they raised before their hooks were called

    def start(self):
        """A forward pass begins that is recorded."""
        self._inside.clear()
        for owner, name in PLACES if not self._restore else ():
            original = getattr(owner, name)
            self._restore.append((owner, name, original if name in vars(owner) else None))
            setattr(owner, name, self._watched(original, _of_product if "attention" in name else _of_softmax))

    def stop(self):
        while self._restore:
            owner, name, original = self._restore.pop()
            setattr(owner, name, original) if original else delattr(owner, name)

    def _watched(self, original, blocks_of):
        @functools.wraps(original)
        def call(*arguments, **keywords):
            if self._inside and not is_compiling() and not torch.jit.is_tracing():
                self._take(blocks_of, arguments, keywords)
            return original(*arguments, **keywords)
        return call

    @torch.no_grad()
    def _take(self, blocks_of, arguments, keywords):
        try:
            module, blocks = blocks_of(self._inside, *arguments, **keywords)
            name = self._names.get(id(module))
            if blocks is None or name is None or name in self._seen or not self._is_chosen(name):
                return
            self._seen.add(name)
            for statistic, values in zip(STATISTICS, _of_heads(blocks)):
                if self._expression.search(f"{name}_attention_{statistic}"):
                    self._found(f"{name}_attention_{statistic}", values)
        except Exception:                                  # arguments that torch refuses, too: it says so itself
            pass


def _of_product(inside, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    return inside[-1], _product(query.detach(), key.detach(), attn_mask, is_causal, scale)


def _of_softmax(inside, logits, dim=None, *_, **__):
    """Softmax over keys: in the innermost module that is called attention, of (batch, heads, queries, keys)."""
    module = next((module for module in reversed(inside) if "att" in type(module).__name__.lower()), None)
    logits, is_last = logits.detach(), dim in (-1, logits.dim() - 1)
    if isinstance(module, torch.nn.MultiheadAttention) and logits.dim() == 3:
        logits = logits.unflatten(0, (-1, module.num_heads))
    if module is None or logits.dim() != 4 or not is_last:
        return module, None
    return module, (part.float() for part in logits.split(_at_once(logits.device, logits[0].numel())))


def _at_once(device, logits):
    """How many elements of the batch, of so many logits each, make a block."""
    return max(1, (BLOCK_CPU if device.type == "cpu" else BLOCK) // max(1, logits))


def _product(query, key, mask, is_causal, scale):
    """The logits, scaled and masked, of some elements of the batch or of some queries of one: (batch, heads, queries, keys)."""
    query, key = (x.unsqueeze(-3) if x.dim() == 3 else x for x in (query, key))
    batch, heads, queries, width = query.shape
    keys = key.shape[-2]
    scale = width ** -0.5 if scale is None else scale
    mask = mask if mask is None else torch.broadcast_to(mask.detach(), (batch, heads, queries, keys))
    together = min(batch, _at_once(query.device, heads * queries * keys))
    rows = _at_once(query.device, heads * keys) if together == 1 else queries
    for b in range(0, batch, together):
        part, seen = slice(b, b + together), key[b:b + together].float().repeat_interleave(heads // key.shape[1], 1).mT
        for first in range(0, queries, rows):
            last = min(keys, first + rows) if is_causal else keys      # no query of the block sees keys behind these
            logits = query[part, :, first:first + rows].float() @ seen[..., :last] * scale
            if mask is not None:
                some = mask[part, :, first:first + rows, :last]
                logits = logits.masked_fill(~some, -torch.inf) if some.dtype == torch.bool else logits + some
            if is_causal:
                logits += torch.full(logits.shape[2:], -torch.inf, device=logits.device).triu_(1 + first)
            yield logits


def _of_heads(blocks):
    """The largest logit; the entropy in nats, the mean over batch and queries. A query without a key has neither."""
    largest, total, count = None, 0, 0
    for logits in blocks:
        logs = logits.log_softmax(-1)
        shares = logs.exp()
        entropy = -(shares * logs.clamp_(min=torch.finfo(logs.dtype).min)).sum(-1)      # 0 for a share of 0
        some = ~entropy.isnan()
        total, count = total + entropy.nan_to_num().sum((0, -1)), count + some.sum((0, -1))
        here = logits.amax((0, -2, -1))
        largest = here if largest is None else torch.maximum(largest, here)
    return largest, total / count
