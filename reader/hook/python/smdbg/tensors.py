# SPDX-License-Identifier: Apache-2.0
"""Values of torch: those of other processes are gathered; those of a device are reduced there and copied without waiting."""

import array
import ctypes
import math

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
    """The full value; of a DTensor all processes must ask for it. One that is on its way from others is waited for."""
    if is_sharded(tensor):
        return tensor.detach().full_tensor()
    return tensor.trigger_wait() if hasattr(tensor, "trigger_wait") else tensor    # AsyncCollectiveTensor


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


def is_remote(tensor):
    """Whether it lies on a device."""
    return not tensor.is_cpu


def _addresses(tensors):
    """Where float32 tensors lie whose elements are read one after the other, and how many each has; None: one of them is of
    another kind."""
    found, counts = array.array("Q"), array.array("Q")
    for tensor in tensors:
        if type(tensor) not in ORDINARY or tensor.dtype is not torch.float32 or is_remote(tensor) \
                or tensor.layout is not torch.strided or not tensor.is_contiguous():
            return None
        try:
            address = tensor.data_ptr()
        except RuntimeError:                               # inside torch.func
            return None
        if not address:
            return None
        found.append(address)
        counts.append(tensor.numel())
    return found, counts


def _sums_of_squares(counts, addresses, less=None):
    """In float64, one for each tensor."""
    sums = array.array("d", bytes(8 * len(addresses)))
    _squares(len(addresses), addresses.buffer_info()[0], less and less.buffer_info()[0], counts.buffer_info()[0],
             sums.buffer_info()[0])
    return sums


_squares = smdbg_hook._lib.smdbg_squares


def _room(elements):
    """For float32 of this machine, whatever device and type new tensors have in this program."""
    return torch.empty(elements, dtype=torch.float32, device="cpu")


class Before:
    """Copies of parameters, taken before they change. Small ones keep their memory, because fresh memory is slow."""

    KEPT = 1 << 22                                         # elements

    def __init__(self):
        self._room = _room(0)
        self._names = self._parameters = self._copies = self._counts = self._places = None

    def take(self, named):
        """named: pairs of name and parameter."""
        self._names = [name for name, _ in named]
        self._parameters = [parameter for _, parameter in named]
        found = _addresses(self._parameters)
        if found is None:
            self._copies = [parameter.detach().clone() for parameter in self._parameters]
            return
        addresses, self._counts = found
        self._copies = None
        if sum(self._counts) > self._room.numel():
            self._room = _room(sum(self._counts))
        place, self._places = self._room.data_ptr(), array.array("Q")
        if named and not place:                            # inside FakeTensorMode
            raise RuntimeError("no memory for copies of the weights")
        for address, count in zip(addresses, self._counts):
            ctypes.memmove(place, address, 4 * count)
            self._places.append(place)
            place += 4 * count

    def changes(self):
        """Names; L2 norms of the changes and of the old values: a tensor of two rows. Forgets the copies. None: no copies."""
        names, parameters, self._names, self._parameters = self._names, self._parameters, None, None
        try:
            return (names, self._norms(parameters)) if names else None
        finally:
            self._copies = None
            if self._room.numel() > self.KEPT:
                self._room = _room(0)

    def _norms(self, parameters):
        found = None if self._copies else _addresses(parameters)
        if found is not None and found[1] == self._counts:
            rows = _sums_of_squares(self._counts, found[0], self._places), _sums_of_squares(self._counts, self._places)
            return torch.tensor([[math.sqrt(square) for square in row] for row in rows], dtype=torch.float64, device="cpu")
        copies = self._copies or [part.view_as(parameter) for part, parameter in zip(self._room.split(list(self._counts)), parameters)]
        rows = norms([parameter.detach() - copy for parameter, copy in zip(parameters, copies)]), norms(copies)
        return torch.stack([column([whole(part) for part in row]) for row in rows])


def norm(tensors):
    """The L2 norm of all elements of all tensors, on the device of the first; None if there are none."""
    if not tensors:
        return None
    found = _addresses(tensors)
    return _norm_by_torch(tensors) if found is None else math.sqrt(sum(_sums_of_squares(found[1], found[0])))


@torch.no_grad()
def _norm_by_torch(tensors):
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


ORDINARY = (torch.Tensor, torch.nn.Parameter)              # no classes of DTensor and the like
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
    """Saves an ordinary tensor of the CPU that needs no look at how it lies in memory. False: it needs one."""
    code = _codes.get(tensor.dtype)
    if not code or tensor.layout is not torch.strided or not tensor.is_contiguous() or tensor.is_neg():
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
        self.waiting = []                                 # (host tensor, function that takes it)
        self._events = {}                                  # by stream: recorded behind its last copy; None: not yet

    def add(self, tensor, take):
        """take(host) is called by the next take_all."""
        stream = self._stream(tensor)
        host = self._room(tensor, stream)
        if stream is None:
            host.copy_(tensor)
        else:
            self._copy(host, tensor, stream)
            self._events[stream] = None
        self.waiting.append((host, take))

    def _stream(self, tensor):
        """The stream that copies it; None: the copy is waited for."""
        return torch.cuda.current_stream(tensor.device) if tensor.device.type == "cuda" else None

    def _room(self, tensor, stream):
        return torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=stream is not None)

    def _copy(self, host, tensor, stream):
        if torch.cuda.is_current_stream_capturing():       # each replay of the graph would write into host
            raise RuntimeError("nothing is recorded while a CUDA graph is captured")
        host.copy_(tensor, non_blocking=True)
        tensor.record_stream(stream)                       # its memory may belong to another stream, which must not reuse it now

    def mark(self):
        """Remembers where the copies so far end in their streams."""
        for stream in self._events:
            self._events[stream] = stream.record_event()

    def take_all(self):
        if not self.waiting:
            return
        waiting, events = self.waiting, self._events
        self.waiting, self._events = [], {}
        for stream, event in events.items():
            (event or stream.record_event()).synchronize()
        for host, take in waiting:
            take(host)
