# SPDX-License-Identifier: Apache-2.0
"""Values of torch: those of other processes are gathered; those of a device are reduced there and copied without waiting."""

import torch

import smdbg_hook


def _median(x):
    """As numpy: the mean of the two in the middle."""
    x = x.flatten()
    ordered = x.sort().values
    middle = (ordered[(x.numel() - 1) // 2] + ordered[x.numel() // 2]) / 2
    return torch.where(x.isnan().any(), torch.nan, middle)


STATISTICS = {
    "min": torch.min, "max": torch.max, "mean": torch.mean, "median": _median, "std": torch.std, "variance": torch.var,
    "sum": torch.sum, "prod": torch.prod, "l1_norm": lambda x: torch.linalg.vector_norm(x, 1), "l2_norm": torch.linalg.vector_norm,
}


def is_sharded(tensor):
    return type(tensor) not in (torch.Tensor, torch.nn.Parameter) and hasattr(tensor, "full_tensor") and hasattr(tensor, "placements")


def whole(tensor):
    """The full value; of a DTensor all processes must ask for it."""
    return tensor.detach().full_tensor() if is_sharded(tensor) else tensor


def is_lazy(parameter):
    """Its shape is not known before the first forward pass."""
    return hasattr(parameter, "materialize")


def _statistic(name, x):
    if x.numel() == 1 and name.endswith(("std", "variance")):
        return torch.full((), torch.nan, device=x.device)  # torch warns of it
    return STATISTICS[name[4:]](x.abs()) if name.startswith("abs_") else STATISTICS[name](x)


def statistics(names, tensor):
    """One vector of float64 or, where the device has none, of float32 on the tensor's device."""
    wide = _wide(tensor.device)
    x = tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.to(torch.float32 if tensor.is_floating_point() else wide)
    return torch.stack([_statistic(name, x).to(wide) for name in names])


def norm(tensors):
    """The L2 norm of all elements of all tensors, on the device of the first; None if there are none."""
    if not tensors:
        return None
    if all(type(tensor) is torch.Tensor for tensor in tensors):                    # the usual case, without a look at each
        return torch.linalg.vector_norm(column(norms(tensors)))
    here = [tensor.detach() for tensor in tensors if not is_sharded(tensor)]
    parts = norms(here) + [_shared_norm(group) for group in _by_mesh(tensors)]
    return torch.linalg.vector_norm(column([whole(part) for part in parts]))


def _by_mesh(tensors):
    """The sharded tensors, those of one mesh together."""
    groups = {}
    for tensor in tensors:
        if is_sharded(tensor):
            groups.setdefault(tensor.device_mesh, []).append(tensor.detach())
    return groups.values()


def _shared_norm(tensors):
    """The L2 norm of all elements of sharded tensors of one mesh, by one all-reduce."""
    total = torch.nn.utils.get_total_norm(tensors)
    return total.full_tensor() if is_sharded(total) else total


def column(parts):
    """Numbers of any devices as one vector on the device of the first."""
    device = parts[0].device
    if any(part.device != device for part in parts):
        parts = [part.to(device) for part in parts]
    return torch.stack(parts).to(_wide(device))


def _wide(device):
    return torch.float32 if device.type == "mps" else torch.float64


PLAIN = (torch.float32, torch.float64)                     # of which foreach takes the norm as it should be


def norms(tensors):
    """The L2 norm of each. Half precision is summed in float32: its squares do not fit."""
    if not tensors:
        return []
    if all(t.dtype in PLAIN and t.layout == torch.strided and not is_sharded(t) for t in tensors):
        return list(torch._foreach_norm(tensors, 2.0))
    return [torch.linalg.vector_norm(t.coalesce().values() if t.layout == torch.sparse_coo else t,
                                     dtype=torch.float32 if t.dtype in (torch.float16, torch.bfloat16) else None)
            for t in tensors]


_codes = {getattr(torch, name[6:]): code for name, code in smdbg_hook._TORCH_TYPES.items()
          if hasattr(torch, name[6:]) and "complex" not in name}
_shapes = {}                                               # as C takes them, by shape


def save_plain(hook, member, tensor):
    """Saves a tensor that needs no look at how it lies in memory. False: it needs one."""
    code = _codes.get(tensor.dtype)
    if not code or type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout is not torch.strided \
            or not tensor.is_contiguous() or tensor.is_neg():
        return False
    address, shape = tensor.data_ptr(), tensor.shape
    end = (tensor.storage_offset() + tensor.numel()) * tensor.element_size()
    if not address or end > tensor.untyped_storage().nbytes():
        return False
    longs = _shapes.get(shape)
    if longs is None:
        longs = smdbg_hook._longs(shape)
        if len(_shapes) < 1000:
            _shapes[shape] = longs
    return smdbg_hook._lib.smdbg_hook_save(hook._handle, member, code, len(shape), longs, None, address) == 0


class Copies:
    """What is under way from a device to this machine: copied into pinned memory, and taken when the copy is done."""

    def __init__(self):
        self._waiting = []                                 # (host tensor, function that takes it)
        self._events = {}                                  # by device: recorded behind the last copy

    def add(self, tensor, take):
        """take(host) is called by the next take_all."""
        pinned = tensor.device.type == "cuda"
        host = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=pinned)
        host.copy_(tensor, non_blocking=pinned)
        if pinned:
            self._events[tensor.device] = None
        self._waiting.append((host, take))

    def mark(self):
        """Remembers where the copies so far end in the streams of their devices."""
        for device in self._events:
            self._events[device] = torch.cuda.current_stream(device).record_event()

    def take_all(self):
        if not self._waiting:
            return
        waiting, events = self._waiting, self._events
        self._waiting, self._events = [], {}
        for device, event in events.items():
            (event or torch.cuda.current_stream(device).record_event()).synchronize()
        for host, take in waiting:
            take(host)
