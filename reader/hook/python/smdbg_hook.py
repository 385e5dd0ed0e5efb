"""Saving the tensors of a training run from Python, so that smdbg-tui can watch and question it.

    import smdbg_hook
    with smdbg_hook.Hook("debug-output", save_interval=10) as hook:
        hook.collection("weights", reductions="mean,abs_max")
        for ...:
            hook.step(smdbg_hook.TRAIN)                    # a forward pass begins
            hook.save("conv0_weight", weight)              # an array or a tensor; never copied here
            hook.scalar("accuracy", accuracy)

With PyTorch, names and collections are those of the original hook:

    hook = smdbg_hook.TorchHook("debug-output", save_interval=10)
    hook.register_module(model)
    hook.register_loss(loss)
    hook.set_mode(smdbg_hook.TRAIN)                        # every forward pass is a step

A mistake in the settings raises ValueError. What cannot be written while the training runs raises nothing: the call
returns False, Hook.error says why, Hook.counts counts it. Settings, modes and steps are explained in smdbg_hook.h.
"""

import collections
import ctypes
import os
import struct
import sys
import weakref

TRAIN, EVAL, PREDICT, GLOBAL = 1, 2, 3, 4

# smdbg_dtype, by the type and size of an array's elements, and by torch's names
_ARRAY_TYPES = {
    "f2": 1, "f4": 3, "f8": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "u1": 9, "u2": 10, "u4": 11, "u8": 12, "b1": 13,
    "c8": 14, "c16": 15,
}
_TORCH_TYPES = {
    "torch.float16": 1, "torch.bfloat16": 2, "torch.float32": 3, "torch.float64": 4, "torch.int8": 5, "torch.int16": 6,
    "torch.int32": 7, "torch.int64": 8, "torch.uint8": 9, "torch.bool": 13, "torch.complex64": 14, "torch.complex128": 15,
}
# a number of Python is saved as one element, as the original does
_NUMBER_TYPES = {bool: (13, "?"), int: (8, "q"), float: (4, "d"), complex: (15, "dd")}

Counts = collections.namedtuple("Counts", "tensors steps bytes dropped errors")


class _Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Counts._fields]


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("SMDBG_HOOK_LIBRARY")
    beside = os.path.join(here, "..", "..", "lib", "libsmdbg-hook.so.0")       # share/smdbg-tui, as installed
    lib = ctypes.CDLL(named or (beside if os.path.exists(beside) else "libsmdbg-hook.so.0"))
    hook, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    longs = ctypes.POINTER(ctypes.c_int64)
    for name, result, arguments in (
        ("smdbg_hook_new", hook, [text]),
        ("smdbg_hook_from_config", hook, [text]),
        ("smdbg_hook_set", number, [hook, text, text]),
        ("smdbg_collection_set", number, [hook, text, text, text]),
        ("smdbg_collection_save", number, [hook, text]),
        ("smdbg_collection_add", number, [hook, text, text]),
        ("smdbg_hook_step", number, [hook, number]),
        ("smdbg_hook_step_at", number, [hook, number, ctypes.c_int64, ctypes.c_int64]),
        ("smdbg_hook_wants", number, [hook, text]),
        ("smdbg_hook_save", number, [hook, text, number, ctypes.c_uint, longs, longs, ctypes.c_void_p]),
        ("smdbg_hook_save_strings", number, [hook, text, ctypes.c_size_t, ctypes.POINTER(text)]),
        ("smdbg_hook_scalar", number, [hook, text, ctypes.c_double]),
        ("smdbg_hook_metric", number, [hook, text, ctypes.c_double]),
        ("smdbg_hook_flush", number, [hook]),
        ("smdbg_hook_close", number, [hook]),
        ("smdbg_hook_error", text, [hook]),
        ("smdbg_hook_counts", None, [hook, ctypes.POINTER(_Counts)]),
    ):
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = arguments
    return lib


_lib = _load()


def _close(handle, pid):
    """Only where the hook was made: its thread is not in a forked child."""
    return _lib.smdbg_hook_close(handle) == 0 if os.getpid() == pid else True


def _setting(value):
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)).encode()
    return str(value).encode()


def _longs(values):
    return (ctypes.c_int64 * len(values))(*values)


class Hook:
    """Writes one trial. Settings are those of smdbg_hook_set; for "train.save_interval" and the like use set()."""

    def __init__(self, out_dir, **settings):
        self._begin(_lib.smdbg_hook_new(os.fsencode(out_dir)))
        for name, value in settings.items():
            self.set(name, value)

    @classmethod
    def from_config(cls, path=None):
        """As SageMaker's JSON says; None: $SMDEBUG_CONFIG_FILE_PATH or SageMaker's own path."""
        self = cls.__new__(cls)
        self._begin(_lib.smdbg_hook_from_config(None if path is None else os.fsencode(path)))
        return self

    def _begin(self, handle):
        if not handle:
            raise MemoryError("no memory for a hook")
        self._handle = handle
        self._end = weakref.finalize(self, _close, handle, os.getpid())

    def _check(self, result):
        if result != 0:
            raise ValueError(self.error)

    # ---- before the first step ----

    def set(self, name, value):
        self._check(_lib.smdbg_hook_set(self._handle, name.encode(), _setting(value)))

    def collection(self, name, tensors=(), **settings):
        """Saves this collection, made if it is new: tensors by name, by include_regex, and what holds for it alone."""
        self._check(_lib.smdbg_collection_save(self._handle, name.encode()))
        for tensor in tensors:
            self._check(_lib.smdbg_collection_add(self._handle, name.encode(), tensor.encode()))
        for key, value in settings.items():
            self.collection_set(name, key, value)

    def collection_set(self, collection, name, value):
        self._check(_lib.smdbg_collection_set(self._handle, collection.encode(), name.encode(), _setting(value)))

    # ---- while it trains ----

    def step(self, mode=GLOBAL):
        return _lib.smdbg_hook_step(self._handle, mode) == 0

    def step_at(self, mode, step, mode_step):
        return _lib.smdbg_hook_step_at(self._handle, mode, step, mode_step) == 0

    def wants(self, name=None):
        """Whether this tensor would be saved at this step; None: whether any might be."""
        return _lib.smdbg_hook_wants(self._handle, None if name is None else name.encode()) == 1

    def save(self, name, value):
        """An array of numpy (or whatever has __array_interface__), a tensor of torch, a number, a string or a list of those."""
        tensor = name.encode()
        if _lib.smdbg_hook_wants(self._handle, tensor) != 1:
            return True
        if type(value) in _NUMBER_TYPES:
            return self._save_number(tensor, value)
        if isinstance(value, str):
            value = [value]
        if isinstance(value, (list, tuple)):
            return self._save_strings(tensor, value)
        if hasattr(value, "data_ptr"):
            return self._save_torch(tensor, value)
        return self._save_array(tensor, value)

    def scalar(self, name, value, sm_metric=False):
        """sm_metric: also a line for SageMaker, where the job runs there."""
        save = _lib.smdbg_hook_metric if sm_metric else _lib.smdbg_hook_scalar
        return save(self._handle, name.encode(), value) == 0

    # ---- the end ----

    def flush(self):
        return _lib.smdbg_hook_flush(self._handle) == 0

    def close(self):
        """Writes what is left and the end marker. Done at exit otherwise."""
        self._handle = None
        return self._end() is not False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def error(self):
        return _lib.smdbg_hook_error(self._handle).decode(errors="replace")

    @property
    def counts(self):
        counts = _Counts()
        _lib.smdbg_hook_counts(self._handle, counts)
        return Counts(*(getattr(counts, name) for name in Counts._fields))

    # ---- what comes in ----

    def _save_at(self, tensor, dtype, shape, strides, address):
        steps = None if strides is None else _longs(strides)
        return _lib.smdbg_hook_save(self._handle, tensor, dtype, len(shape), _longs(shape), steps, address) == 0

    def _save_number(self, tensor, value):
        dtype, code = _NUMBER_TYPES[type(value)]
        parts = (value.real, value.imag) if code == "dd" else (value,)
        return self._save_at(tensor, dtype, (1,), None, struct.pack("=" + code, *parts))

    def _save_strings(self, tensor, strings):
        if not all(isinstance(part, str) for part in strings):
            return self._save_at(tensor, 0, (), None, None)                    # refused there
        pointers = (ctypes.c_char_p * len(strings))(*(part.encode() for part in strings))
        return _lib.smdbg_hook_save_strings(self._handle, tensor, len(strings), pointers) == 0

    def _save_array(self, tensor, value):
        numpy = sys.modules.get("numpy")
        if numpy and isinstance(value, numpy.generic):
            value = value.reshape(1)
        face = getattr(value, "__array_interface__", None)
        code = face["typestr"] if face else "none"
        if code[1:] not in _ARRAY_TYPES:
            return self._save_at(tensor, 0, (), None, None)                    # refused there
        if code[0] == (">" if sys.byteorder == "little" else "<"):
            value = value.astype(code[1:])
            face = value.__array_interface__
        return self._save_at(tensor, _ARRAY_TYPES[code[1:]], face["shape"], face.get("strides"), face["data"][0])

    def _save_torch(self, tensor, value):
        value = value.detach()
        if value.is_quantized:
            value = value.dequantize()
        if str(value.layout) != "torch.strided":
            value = value.to_dense()
        value = value.cpu().resolve_conj().resolve_neg()
        dtype = _TORCH_TYPES.get(str(value.dtype), 0)
        size = value.element_size()
        return self._save_at(tensor, dtype, value.shape, [size * stride for stride in value.stride()], value.data_ptr())


class TorchHook(Hook):
    """A hook that follows modules of PyTorch. A forward pass of a registered module is a step."""

    def _begin(self, handle):
        super()._begin(handle)
        self._mode = GLOBAL
        self._active = False                               # something may be saved at this step
        self._calls = {}                                   # of each module's inputs or outputs: how many in this step
        self._hooks = []

    def set_mode(self, mode):
        self._mode = mode

    def step(self, mode=None):
        told = super().step(self._mode if mode is None else mode)
        self._calls = {}
        self._active = self.wants()
        return told

    def register_module(self, model):
        """Parameters, gradients, inputs and outputs of a model and all in it. Not for torch.jit's modules."""
        kind = type(model).__name__
        self._hooks.append(model.register_forward_pre_hook(lambda *_: self._model_begins(kind, model)))
        for path, module in model.named_modules():
            self._follow(module, path or kind)
        for path, parameter in model.named_parameters():
            if parameter.requires_grad:
                self._follow_gradient(parameter, f"gradient/{kind}_{path}")

    def register_loss(self, loss):
        """A loss that is a module; of its inputs and its output, the output is in "losses"."""
        self._follow(loss, type(loss).__name__)

    def close(self):
        for hook in self._hooks:
            hook.remove()
        self._hooks = []
        self._active = False
        return super().close()

    def _model_begins(self, kind, model):
        self.step()
        if not self._active:
            return
        for path, parameter in model.named_parameters():
            self.save(f"{kind}_{path}", parameter)

    def _follow(self, module, name):
        def passed(_, inputs, outputs):
            if self._active:
                self._save_all(f"{name}_input_", inputs)
                self._save_all(f"{name}_output_", outputs)

        self._hooks.append(module.register_forward_hook(passed))

    def _follow_gradient(self, parameter, name):
        def arrived(gradient):
            if self._active:
                self.save(name, gradient)

        self._hooks.append(parameter.register_hook(arrived))

    def _save_all(self, prefix, value):
        """Tensors within tuples and lists are numbered; what is no tensor has no number."""
        if isinstance(value, (tuple, list)):
            for part in value:
                self._save_all(prefix, part)
        elif hasattr(value, "data_ptr"):
            k = self._calls.get(prefix, 0)
            self._calls[prefix] = k + 1
            self.save(f"{prefix}{k}", value)
