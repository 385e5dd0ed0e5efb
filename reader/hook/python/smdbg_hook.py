# SPDX-License-Identifier: Apache-2.0
"""Saves the tensors of a training run from Python as a trial that smdbg-tui can read.

    import smdbg_hook
    with smdbg_hook.Hook("debug-output", save_interval=10) as hook:
        hook.collection("weights", reductions="mean,abs_max")
        for ...:
            hook.step(smdbg_hook.TRAIN)                    # a forward pass starts
            hook.save("conv0_weight", weight)              # an array or a tensor; Python does not copy it
            hook.scalar("accuracy", accuracy)

With PyTorch, tensors and collections have the names of the original hook:

    hook = smdbg_hook.TorchHook("debug-output", save_interval=10)
    hook.register_module(model)
    hook.register_loss(loss)
    hook.set_mode(smdbg_hook.TRAIN)                        # every forward pass is a step

Only making a hook raises: ValueError or TypeError for a wrong argument, OSError for a directory that cannot be written, that
another process writes, or that holds a run (FileExistsError; if_exists="new", "overwrite" or "resume" says what to do then).
All other calls raise nothing, whatever is passed: the call returns False, Hook.error has the message and Hook.counts the
number of errors. The first error, and what was asked for and never saved, are also a RuntimeWarning. Settings, modes and steps are
described in smdbg_hook.h.
"""

import collections
import ctypes
import functools
import itertools
import operator
import os
import struct
import sys
import warnings
import weakref

TRAIN, EVAL, PREDICT, GLOBAL = 1, 2, 3, 4

# smdbg_dtype by the kind and size of numpy's element types, and by torch's names
_ARRAY_TYPES = {
    "f2": 1, "f4": 3, "f8": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "u1": 9, "u2": 10, "u4": 11, "u8": 12, "b1": 13,
    "c8": 14, "c16": 15,
}
_TORCH_TYPES = {
    "torch.float16": 1, "torch.bfloat16": 2, "torch.float32": 3, "torch.float64": 4, "torch.int8": 5, "torch.int16": 6,
    "torch.int32": 7, "torch.int64": 8, "torch.uint8": 9, "torch.uint16": 10, "torch.uint32": 11, "torch.uint64": 12,
    "torch.bool": 13, "torch.complex64": 14, "torch.complex128": 15,
}
# a Python number is saved as one element, as in the original hook
_NUMBER_TYPES = {bool: (13, "?"), int: (8, "q"), float: (4, "d"), complex: (15, "dd")}

Counts = collections.namedtuple("Counts", "tensors steps bytes dropped errors")


class _Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Counts._fields]


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    places = (os.path.join(here, "smdbg", "libsmdbg-hook.so.0"),    # of a wheel; of an installation, whose modules are in share/smdbg-tui
              os.path.join(here, "..", "..", "lib", "libsmdbg-hook.so.0"))
    installed = next((place for place in places if os.path.exists(place)), "libsmdbg-hook.so.0")
    lib = ctypes.CDLL(os.environ.get("SMDBG_HOOK_LIBRARY") or installed, use_errno=True)
    hook, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    longs = ctypes.POINTER(ctypes.c_int64)
    for name, result, arguments in (
        ("smdbg_hook_new", hook, [text]),
        ("smdbg_hook_from_config", hook, [text]),
        ("smdbg_hook_set", number, [hook, text, text]),
        ("smdbg_collection_set", number, [hook, text, text, text]),
        ("smdbg_collection_save", number, [hook, text]),
        ("smdbg_collection_add", number, [hook, text, text]),
        ("smdbg_hook_open", number, [hook]),
        ("smdbg_hook_dir", text, [hook]),
        ("smdbg_hook_next_step", ctypes.c_int64, [hook, number]),
        ("smdbg_hook_step", number, [hook, number]),
        ("smdbg_hook_step_at", number, [hook, number, ctypes.c_int64, ctypes.c_int64]),
        ("smdbg_hook_wants", number, [hook, text]),
        ("smdbg_hook_selects", number, [hook, text]),
        ("smdbg_hook_save", number, [hook, text, number, ctypes.c_uint, longs, longs, ctypes.c_void_p]),
        ("smdbg_hook_save_reduction", number, [hook, text, text, number, ctypes.c_double]),
        ("smdbg_hook_save_strings", number, [hook, text, ctypes.c_size_t, ctypes.POINTER(text)]),
        ("smdbg_hook_number", number, [hook, text, ctypes.c_double]),
        ("smdbg_hook_scalar", number, [hook, text, ctypes.c_double]),
        ("smdbg_hook_metric", number, [hook, text, ctypes.c_double]),
        ("smdbg_hook_flush", number, [hook]),
        ("smdbg_hook_end", number, [hook]),
        ("smdbg_hook_close", number, [hook]),
        ("smdbg_hook_error", text, [hook]),
        ("smdbg_hook_report", number, [hook, text]),
        ("smdbg_hook_counts", None, [hook, ctypes.POINTER(_Counts)]),
        ("smdbg_squares", None, [ctypes.c_size_t] + [ctypes.c_void_p] * 4),
    ):
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = arguments
    return lib


_lib = _load()


def _error(handle):
    return _lib.smdbg_hook_error(handle).decode(errors="replace")


# What may lie between the line of a program and its hook.
_BETWEEN = {"smdbg", "smdbg_hook", "torch", "lightning", "pytorch_lightning", "transformers", "accelerate", "keras", "tf_keras", "tensorflow",
            "xgboost", "contextlib", "functools", "weakref"}


def _stacklevel():
    """For a warning of the function that calls this one: the level of the program's own line. 2 if none is left, as at exit."""
    frame, level = sys._getframe(1), 1
    while frame and str(frame.f_globals.get("__name__")).partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    return level if frame else 2


def _warn(told, message):
    """A warning, once for each message. Nothing is raised, also where warnings are errors."""
    if message in told or None in told:
        return
    told.add(message)
    try:
        warnings.warn(f"smdbg_hook: {message}", RuntimeWarning, stacklevel=_stacklevel())
    except Exception:
        pass


def _close(handle, pid, told, last):
    """Closes the hook, but not in a forked child, which shares its files. last: gets directory and error."""
    if os.getpid() != pid:
        return True
    ok = _lib.smdbg_hook_end(handle) == 0
    last.update(dir=os.fsdecode(_lib.smdbg_hook_dir(handle)), error=_error(handle))
    _lib.smdbg_hook_close(handle)
    if not ok:
        _warn(told, last["error"])
    return ok


def _bytes(name):
    """A name as C takes it. Raises for what is no text, and for NUL, at which C would cut the name."""
    if not isinstance(name, str):
        raise TypeError(f"a {type(name).__name__} is no name")
    if "\0" in name:
        raise ValueError(f"{name!r} contains NUL")
    return name.encode()


def _text(value):
    """The text of an object, also if it has none: what its __str__ raises must not reach the training."""
    try:
        return str(value)
    except Exception:
        return "no message"


def _reports(method):
    """Exceptions in the method become an error of the hook; the call returns False."""
    @functools.wraps(method)
    def call(self, *arguments, **keywords):
        try:
            answer = method(self, *arguments, **keywords)
        except Exception as error:
            about = arguments[0] if arguments and issubclass(type(arguments[0]), str) else method.__name__
            answer = self._report(f"{about}: {type(error).__name__}: {_text(error)}")
        if answer is False and not self._handle:
            self._last["error"] = self._last["error"] or "the hook is closed"
        elif answer is False and not self._told and method.__name__ != "wants":
            _warn(self._told, self.error)
        return answer
    return call


def _setting(value):
    if isinstance(value, (list, tuple)):
        return _bytes(",".join(map(str, value)))
    return _bytes(str(value))


def _path(path):
    path = os.fsencode(path)
    if b"\0" in path:
        raise ValueError(f"{path!r} contains NUL")
    return path


def _integer(value, bits):
    """A number as C takes it: ctypes would silently cut one that is too large."""
    value = operator.index(value)
    if not -2 ** (bits - 1) <= value < 2 ** (bits - 1):
        raise ValueError(f"{value} is out of range")
    return value


def _extent(tensor):
    """The elements of its storage up to the last that a tensor of torch uses."""
    if not tensor.numel():
        return 0
    return tensor.storage_offset() + 1 + sum((n - 1) * stride for n, stride in zip(tensor.shape, tensor.stride()))


def _storage_bytes(tensor):
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()    # before torch 2
    return storage.nbytes()


def _knows_rank():
    """Whether this process knows its rank, or has none: a process started by multiprocessing may get it later."""
    if any(name in os.environ for name in ("RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID")) or _distributed():
        return True
    multiprocessing = sys.modules.get("multiprocessing")
    return not multiprocessing or multiprocessing.parent_process() is None


def _is_tensor(value):
    torch = sys.modules.get("torch")
    return bool(torch) and isinstance(value, torch.Tensor)


def _distributed():
    """torch.distributed, if it is in use."""
    distributed = sys.modules.get("torch.distributed")
    return distributed if distributed and distributed.is_available() and distributed.is_initialized() else None


def _numpy():
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _readable(first, end):
    """Whether the bytes from one address to another can be read. The kernel is asked, page by page: it does not crash."""
    page = 4096
    reader, writer = os.pipe()
    try:
        write = ctypes.CDLL(None, use_errno=True).write
        write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
        for address in itertools.chain((end - 1,), range(first, end, page)):
            if write(writer, address, 1) != 1:
                return False
            os.read(reader, 1)
        return True
    finally:
        os.close(reader)
        os.close(writer)


def _span(interface):
    """The first address that an __array_interface__ names, and the end."""
    size, shape, first = int(interface["typestr"][2:]), interface["shape"], interface["data"][0]
    steps, step = interface.get("strides"), size
    if steps is None:
        steps = []
        for n in reversed(shape):
            steps.insert(0, step)
            step *= n
    ways = [(n - 1) * step for n, step in zip(shape, steps)]
    return first + sum(way for way in ways if way < 0), first + size + sum(way for way in ways if way > 0)


def _as_array(numpy, value):
    """An array of numpy. What an object says of its memory is not believed before the kernel has confirmed it."""
    if hasattr(value, "__array__"):
        value = value.__array__()
    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "__array_struct__"):
        raise TypeError("an __array_struct__ cannot be checked")
    interface = getattr(value, "__array_interface__", None)
    if interface and isinstance(interface.get("data"), tuple):
        first, end = _span(interface)
        if 0 not in interface["shape"] and not (0 < first < end and _readable(first, end)):
            raise ValueError("the memory that its __array_interface__ names cannot be read")
    return numpy.asarray(value)


def _longs(values):
    return (ctypes.c_int64 * len(values))(*values)


class Hook:
    """Writes one trial. Settings are those of smdbg_hook_set; use set() for names with a dot (train.save_interval)."""

    def __init__(self, out_dir, **settings):
        path = _path(out_dir)
        ctypes.set_errno(0)
        self._attach(_lib.smdbg_hook_new(path))
        if path:
            self._check(ctypes.get_errno())
        for name, value in settings.items():
            if not self.set(name, value):
                self._refuse(ValueError(self.error))
        if _distributed():
            self._take_rank()
        if path and _knows_rank():
            _lib.smdbg_hook_open(self._handle)
            self._check(ctypes.get_errno())

    @classmethod
    def from_config(cls, path=None):
        """Reads SageMaker's JSON configuration; path None: $SMDEBUG_CONFIG_FILE_PATH or SageMaker's default path."""
        self = cls.__new__(cls)
        path = None if path is None else _path(path)
        ctypes.set_errno(0)
        self._attach(_lib.smdbg_hook_from_config(path))
        self._check(ctypes.get_errno())
        return self

    def _attach(self, handle):
        if not handle:
            raise MemoryError("no memory for a hook")
        self._handle = handle
        self._told, self._last = set(), {"dir": "", "error": ""}
        self._asks_rank = True                             # of torch.distributed, at the first step
        self._finalizer = weakref.finalize(self, _close, handle, os.getpid(), self._told, self._last)

    def _refuse(self, error):
        self._told.add(self.error)                         # it is raised
        self.close()
        raise error

    def _check(self, number):
        """Raises if the directory cannot be used: number is errno."""
        if number:
            self._refuse(OSError(number, self.error))

    def be_quiet(self):
        """No warnings: for a caller that tells errors by itself."""
        self._told.add(None)

    # ---- before the first step ----

    @_reports
    def set(self, name, value):
        if name in ("rank", "world_size"):
            self._asks_rank = False
        return _lib.smdbg_hook_set(self._handle, _bytes(name), _setting(value)) == 0

    @_reports
    def collection(self, name, tensors=(), **settings):
        """Saves this collection, created if it is new. tensors: names to add; settings: include_regex, save_interval ...
        What is wrong is left out."""
        known = _bytes(name)
        done = [_lib.smdbg_collection_save(self._handle, known) == 0]
        done += [self.collection_set(name, key, value) for key, value in settings.items()]
        done += [self._add(known, tensor) for tensor in ([tensors] if isinstance(tensors, str) else tensors)]
        return all(done)

    @_reports
    def collection_set(self, collection, name, value):
        return _lib.smdbg_collection_set(self._handle, _bytes(collection), _bytes(name), _setting(value)) == 0

    @_reports
    def _add(self, collection, tensor):
        return _lib.smdbg_collection_add(self._handle, collection, _bytes(tensor)) == 0

    def _take_rank(self):
        """Rank and number of workers, if torch.distributed knows them by now and nobody has said otherwise."""
        distributed = self._asks_rank and _distributed()
        self._asks_rank = False
        if distributed:
            _lib.smdbg_hook_set(self._handle, b"rank", _setting(distributed.get_rank()))
            _lib.smdbg_hook_set(self._handle, b"world_size", _setting(distributed.get_world_size()))

    @_reports
    def open(self):
        """Takes the directory, as the first step does otherwise."""
        self._take_rank()
        return _lib.smdbg_hook_open(self._handle) == 0

    # ---- during the training ----

    def next_step(self, mode=0):
        """The number of the next step of the mode; 0: of all modes."""
        return _lib.smdbg_hook_next_step(self._handle, mode)

    @_reports
    def step(self, mode=GLOBAL):
        self._take_rank()
        return _lib.smdbg_hook_step(self._handle, _integer(mode, 32)) == 0

    @_reports
    def step_at(self, mode, step, mode_step):
        return self._begin(_integer(mode, 32), _integer(step, 64), _integer(mode_step, 64))

    def _begin(self, mode, step, mode_step):
        if self._asks_rank:
            self._take_rank()
        return _lib.smdbg_hook_step_at(self._handle, mode, step, mode_step) == 0

    @_reports
    def wants(self, name=None):
        """Whether this tensor would be saved at this step; name None: whether any tensor may be."""
        return _lib.smdbg_hook_wants(self._handle, None if name is None else _bytes(name)) == 1

    @_reports
    def save(self, name, value):
        """value: a torch tensor, a number, a string or strings, a numpy array, or what numpy makes one of: a list of
        numbers, an object with __array__ or a buffer."""
        tensor = _bytes(name)
        if _lib.smdbg_hook_wants(self._handle, tensor) != 1:
            return self._save_at(tensor, 0, (), None, None)                    # reports a name that cannot be saved
        if type(value) in _NUMBER_TYPES:
            return self._save_number(tensor, value)
        if isinstance(value, str):
            value = [value]
        if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
            return self._save_strings(tensor, value)
        if _is_tensor(value):
            return self._save_torch(tensor, value)
        return self._save_array(tensor, value)

    @_reports
    def save_reduction(self, name, reduction, dtype, value):
        """A reduction computed elsewhere of a tensor whose type has this number in smdbg_hook.h."""
        value, dtype = float(value), _integer(dtype, 32)
        return _lib.smdbg_hook_save_reduction(self._handle, _bytes(name), _bytes(reduction), dtype, value) == 0

    @_reports
    def scalar(self, name, value, sm_metric=False):
        """sm_metric: in a SageMaker job, also write it to SageMaker's metrics."""
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{value!r} is not a number")
        save = _lib.smdbg_hook_metric if sm_metric else _lib.smdbg_hook_scalar
        value = float(value.detach() if hasattr(value, "detach") else value)
        return save(self._handle, _bytes(name), value) == 0

    # ---- the end ----

    @_reports
    def flush(self):
        return _lib.smdbg_hook_flush(self._handle) == 0

    def close(self):
        """Writes the remaining data and the end marker. Called at exit if the program does not call it."""
        self._handle = None
        return self._finalizer() is not False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def dir(self):
        """The directory that is written: with if_exists="new" it may not be the one that was asked for."""
        return os.fsdecode(_lib.smdbg_hook_dir(self._handle)) if self._handle else self._last["dir"]

    @property
    def error(self):
        return _error(self._handle) if self._handle else self._last["error"]

    @property
    def counts(self):
        counts = _Counts()
        _lib.smdbg_hook_counts(self._handle, counts)
        return Counts(*(getattr(counts, name) for name in Counts._fields))

    # ---- passing values to the library ----

    def _report(self, message):
        _lib.smdbg_hook_report(self._handle, message.replace("\0", "").encode(errors="replace"))
        return False

    def _save_at(self, tensor, dtype, shape, strides, address):
        steps = None if strides is None else _longs(strides)
        return _lib.smdbg_hook_save(self._handle, tensor, dtype, len(shape), _longs(shape), steps, address) == 0

    def _save_number(self, tensor, value):
        dtype, code = _NUMBER_TYPES[type(value)]
        parts = (value.real, value.imag) if code == "dd" else (value,)
        return self._save_at(tensor, dtype, (1,), None, struct.pack("=" + code, *parts))

    def _save_strings(self, tensor, strings):
        pointers = (ctypes.c_char_p * len(strings))(*map(_bytes, strings))
        return _lib.smdbg_hook_save_strings(self._handle, tensor, len(strings), pointers) == 0

    def _save_array(self, tensor, value):
        numpy = _numpy()
        if numpy and isinstance(value, numpy.generic):
            value = value.reshape(1)
        if numpy and not isinstance(value, numpy.ndarray):
            value = _as_array(numpy, value)
        interface = value.__array_interface__ if numpy and isinstance(value, numpy.ndarray) else None
        if not interface:
            return self._report(f"{tensor.decode()}: a {type(value).__name__} cannot be saved without numpy")
        code = interface["typestr"]
        if code[1:] not in _ARRAY_TYPES:
            return self._report(f"{tensor.decode()}: values of type {getattr(value, 'dtype', code)} cannot be saved")
        if code[0] == (">" if sys.byteorder == "little" else "<"):
            value = value.astype(code[1:])
            interface = value.__array_interface__
        dtype, strides = _ARRAY_TYPES[code[1:]], interface.get("strides")
        return self._save_at(tensor, dtype, interface["shape"], strides, interface["data"][0])

    def _save_torch(self, tensor, value):
        value = value.detach()
        if getattr(value, "is_nested", False):
            return self._report(f"{tensor.decode()}: a nested tensor has no shape; save its parts")
        if value.is_quantized:
            value = value.dequantize()
        if str(value.layout) != "torch.strided":
            value = value.to_dense()
        value = value.cpu().resolve_conj().resolve_neg()
        if str(value.dtype) not in _TORCH_TYPES:
            return self._report(f"{tensor.decode()}: values of type {value.dtype} cannot be saved")
        size, address = value.element_size(), value.data_ptr()
        if not address and value.numel():                  # DTensor: its elements lie on several processes
            return self._report(f"{tensor.decode()}: a {type(value).__name__} has no memory of its own here; "
                                "save its full_tensor() or to_local()")
        if size * _extent(value) > _storage_bytes(value):
            return self._report(f"{tensor.decode()}: its storage is too small: it was released or resized")
        return self._save_at(tensor, _TORCH_TYPES[str(value.dtype)], value.shape,
                             [size * stride for stride in value.stride()], address)


def _inert(*_):
    """What a callback becomes in a copy of a module: it does nothing."""


class _Callback:
    """A function registered with torch. Copies of the module, also pickled ones, get _inert instead."""

    def __init__(self, hook, function, *arguments):
        self._hook, self._function, self._arguments = hook, function, arguments

    def __call__(self, *values):
        self._hook._call(self._function, *self._arguments, *values)

    def __reduce__(self):
        return _inert_callback, ()


def _inert_callback():
    return _inert


def _module_name(module):
    if not hasattr(module, "register_forward_hook"):
        raise TypeError(f"a {type(module).__name__} is no module of torch")
    return type(module).__name__


def _is_lazy(parameter):
    """Its shape is not known before the first forward pass."""
    return hasattr(parameter, "materialize")


class TorchHook(Hook):
    """A hook that saves the tensors of PyTorch modules. A forward pass of a registered model is a step."""

    def _attach(self, handle):
        super()._attach(handle)
        self._mode = GLOBAL
        self._active = False                               # tensors may be saved at this step
        self._calls = {}                                   # prefix of a name: how many tensors it has in this step
        self._hooks = []

    def set_mode(self, mode):
        self._mode = mode

    @_reports
    def step(self, mode=None):
        ok = super().step(self._mode if mode is None else mode)
        self._calls = {}
        self._active = self.wants()
        return ok

    @_reports
    def register_module(self, model):
        """Saves parameters, gradients, inputs and outputs of a model and its submodules. Not for torch.jit modules."""
        kind = _module_name(model)
        self._hooks.append(model.register_forward_pre_hook(_Callback(self, TorchHook._on_model_forward, kind, model)))
        for path, module in model.named_modules():
            self._hook_module(module, path or kind)
        lazy = [path for path, parameter in model.named_parameters() if not self._hook_gradient(kind, path, parameter)]
        if lazy:
            self._hooks.append(model.register_forward_hook(_Callback(self, TorchHook._on_lazy_forward, kind, model, lazy)))
        return True

    @_reports
    def register_loss(self, loss):
        """Saves inputs and output of a loss module; the output is in the collection "losses"."""
        self._hook_module(loss, _module_name(loss))
        return True

    def close(self):
        self._active = False
        self._remove_hooks()
        return super().close()

    @_reports
    def _remove_hooks(self):
        while self._hooks:
            self._hooks.pop().remove()

    @_reports
    def _call(self, function, *arguments):
        function(self, *arguments)

    def _on_model_forward(self, kind, model, *_):
        self.step()
        if not self._active:
            return
        for path, parameter in model.named_parameters():
            if not _is_lazy(parameter):
                self._save_part(f"{kind}_{path}", parameter)

    def _on_lazy_forward(self, kind, model, paths, *_):
        """Registers the parameters that have become known."""
        for path, parameter in model.named_parameters():
            if path in paths and self._hook_gradient(kind, path, parameter):
                paths.remove(path)

    def _hook_module(self, module, name):
        hook = _Callback(self, TorchHook._on_forward, name)
        try:
            self._hooks.append(module.register_forward_hook(hook, with_kwargs=True))
        except TypeError:                                  # before torch 2
            self._hooks.append(module.register_forward_hook(hook))

    def _on_forward(self, name, _, inputs, *rest):
        """rest: the inputs that were given by keyword, and the outputs."""
        if not self._active:
            return
        for values in (inputs, *rest[:-1]):
            self._save_all(f"{name}_input_", values)
        self._save_all(f"{name}_output_", rest[-1])

    def _hook_gradient(self, kind, path, parameter):
        """False: not yet possible."""
        if _is_lazy(parameter):
            return False
        if parameter.requires_grad:
            self._hooks.append(parameter.register_hook(
                _Callback(self, TorchHook._on_gradient, f"gradient/{kind}_{path}")))
        return True

    def _on_gradient(self, name, gradient):
        if self._active:
            self._save_part(name, gradient)

    def _save_part(self, name, value):
        """Saves a tensor of a module: only if a collection has it."""
        if _lib.smdbg_hook_selects(self._handle, _bytes(name)) == 1:
            self.save(name, value)

    def _save_all(self, prefix, value):
        """Saves the tensors in nested tuples and lists, numbered, and those in mappings, by their keys; other values are
        skipped and not counted."""
        if isinstance(value, (tuple, list)):
            for part in value:
                self._save_all(prefix, part)
        elif hasattr(value, "items") and hasattr(value, "keys"):
            for key, part in value.items():
                self._save_key(f"{prefix}{key}", part)
        elif _is_tensor(value):
            self._save_part(f"{prefix}{self._count(prefix)}", value)

    def _save_key(self, name, value):
        if not _is_tensor(value):
            self._save_all(f"{name}.", value)
            return
        again = self._count(name)                          # the module is called several times in this step
        self._save_part(f"{name}.{again}" if again else name, value)

    def _count(self, prefix):
        """How many there were in this step."""
        k = self._calls.get(prefix, 0)
        self._calls[prefix] = k + 1
        return k
