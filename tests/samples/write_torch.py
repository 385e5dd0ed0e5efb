# SPDX-License-Identifier: Apache-2.0
"""Writes small files with torch.save in all its forms, and what torch.load finds in them.

usage: write_torch.py FOLDER             each case NAME.EXT beside NAME.EXT.json: {tensor: [dtype, shape, values]}
       write_torch.py FOLDER NAME.EXT...  only these, beside NAME.EXT.txt: a line for each tensor, without values

Values are those of a C-ordered copy, flat: integers and floats as Python prints them, complex as pairs.
"""
import argparse
import collections
import dataclasses
import enum
import io
import json
import os
import pathlib
import pickle
import sys
import types
import warnings
import zipfile

import numpy as np
import torch
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(7)


@dataclasses.dataclass
class Settings:
    lr: float = 0.1
    kind: str = "adam"
    table: object = None


class Color(enum.Enum):
    RED = "red"


class Holder:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class Slots:
    __slots__ = ("first", "second")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 4)
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4)) for _ in range(2)])
        self.rnn = nn.LSTM(4, 3, num_layers=2)
        self.bn = nn.BatchNorm1d(4)
        self.head = nn.Linear(4, 6, bias=False)
        self.head.weight = self.embed.weight
        self.scale = nn.Parameter(torch.tensor(2.5))
        self.extra = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": nn.Parameter(torch.zeros(3))})
        self.plist = nn.ParameterList([nn.Parameter(torch.arange(3.0))])
        self.register_buffer("table", torch.arange(4))
        self.half = nn.Linear(2, 2).half()

    def forward(self, x):
        return self.head(self.embed(x))


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.register_buffer("mean", torch.ones(2))

    def forward(self, x):
        return self.fc(x) + self.mean


def values_of(t):
    """The elements of a tensor, flat."""
    if isinstance(t, np.ndarray):
        t = np.ascontiguousarray(t)
        if t.dtype.kind == "c":
            return [[float(v.real), float(v.imag)] for v in t.reshape(-1)]
        return [v.item() for v in t.reshape(-1)]
    t = t.detach()
    if t.is_quantized:
        t = t.int_repr()
    t = t.resolve_conj().resolve_neg().contiguous()
    if t.is_complex():
        return [[v.real, v.imag] for v in t.reshape(-1).tolist()]
    if t.dtype.is_floating_point and t.dtype != torch.float64:
        t = t.to(torch.float32)
    return t.reshape(-1).tolist()


def entry(t):
    name = (t.dtype.name if isinstance(t, np.ndarray) else str(t.dtype)).replace("torch.", "")
    name = {"qint8": "int8", "quint8": "uint8", "qint32": "int32"}.get(name, name)
    return [name, list(t.shape), values_of(t)]


def add(out, name, value):
    """What a walk by keys finds, as torch.load gave it."""
    if isinstance(value, (torch.Tensor, np.ndarray)) and not (isinstance(value, np.ndarray) and value.dtype.kind not in "fiubc"):
        if isinstance(value, torch.Tensor) and value.layout == torch.sparse_coo:
            add(out, name + ".indices", value._indices())
            add(out, name + ".values", value._values())
        elif isinstance(value, torch.Tensor) and value.layout == torch.sparse_csc:
            add(out, name + ".ccol_indices", value.ccol_indices())
            add(out, name + ".row_indices", value.row_indices())
            add(out, name + ".values", value.values())
        elif isinstance(value, torch.Tensor) and value.layout in (torch.sparse_csr, torch.sparse_bsr):
            add(out, name + ".crow_indices", value.crow_indices())
            add(out, name + ".col_indices", value.col_indices())
            add(out, name + ".values", value.values())
        elif hasattr(value, "to_local"):
            out[name] = entry(value.to_local())
        elif not (isinstance(value, torch.Tensor) and value.is_meta):
            out[name] = entry(value)
        return
    if isinstance(value, nn.Module):
        value = value.state_dict()
    if dataclasses.is_dataclass(value) or isinstance(value, (Holder, argparse.Namespace, types.SimpleNamespace)):
        value = {k: v for k, v in vars(value).items() if v is not value}
    if isinstance(value, Slots):
        value = {k: getattr(value, k) for k in Slots.__slots__}
    if isinstance(value, dict):
        for k, v in value.items():
            key = ".".join(str(x) for x in k) if isinstance(k, tuple) else str(k)
            add(out, name + "." + key if name else key, v)
    elif isinstance(value, (list, tuple, collections.deque)):
        for i, v in enumerate(value):
            add(out, "%s.%d" % (name, i) if name else str(i), v)


def views():
    base = torch.arange(60, dtype=torch.float32)
    m = base.view(6, 10)
    c = torch.view_as_complex(torch.randn(3, 4, 2))
    return {"base": base, "t": m.t(), "row": m[2], "col": m[:, 3], "step": base[5:55:7], "flip": torch.flip(m, [0]),
            "expanded": base[:3].view(3, 1).expand(3, 4), "strided": base.as_strided((3, 3), (1, 2), 4), "unfold": base.unfold(0, 5, 3),
            "empty": m[0:0], "scalar": base[7], "conj": c.conj(), "cl": torch.randn(2, 3, 4, 4).contiguous(memory_format=torch.channels_last),
            "same": base, "param": nn.Parameter(m[:2]), "perm": torch.randn(2, 3, 4).permute(2, 0, 1), "deep": torch.zeros([1] * 20)}


def retyped():
    base = torch.arange(60, dtype=torch.float32)
    c = torch.view_as_complex(torch.randn(3, 4, 2))
    return {"imag": c.conj().imag, "real": c.real, "bytes": base[:2].view(torch.uint8), "i16": base.clone().view(torch.int16)[3:9]}


def all_types():
    out = {}
    raw = torch.arange(64, dtype=torch.uint8)
    for d in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
              torch.uint16, torch.uint32, torch.uint64, torch.bool, torch.complex64, torch.complex128):
        out[str(d)[6:]] = (torch.arange(12) - 3).to(torch.float64).abs().to(d).view(3, 4)
    for d in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu):
        out[str(d)[6:]] = raw.view(d)[:48].view(6, 8)
        out[str(d)[6:] + "_t"] = raw.view(d)[:48].view(6, 8).t()
    return out


def numpy_values():
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    return {"a": a, "fortran": np.asfortranarray(a), "slice": a[:, ::2, 1:], "big": a.astype(">f4"), "zero": np.zeros((0, 3)), "s": np.array(3.5),
            "u64": np.array([2**64 - 1, 0], dtype=np.uint64), "c": np.array([1 + 2j, 3 - 4j]), "b": np.array([True, False]),
            "long": np.arange(70000).astype(np.uint8), "bytes": np.arange(256, dtype=np.uint8), "f16": np.arange(5, dtype=np.float16),
            "text": np.array(["a", "bc"]), "objects": np.array([None, {"x": 1}], dtype=object), "scalar": np.float64(2.5), "i": np.int64(7)}


def objects():
    s = Slots()
    s.first, s.second = torch.ones(2), 5
    holder = Holder(w=torch.arange(3), name="x", inner=Holder(v=torch.zeros(1)))
    holder.me = holder
    return {"settings": Settings(table=torch.eye(2)), "color": Color.RED, "holder": holder, "slots": s,
            "ns": argparse.Namespace(lr=0.1, w=torch.ones(1)), "simple": types.SimpleNamespace(z=torch.ones(1)),
            "od": collections.OrderedDict([("x", torch.ones(1)), (3, torch.zeros(2))]), "dd": collections.defaultdict(dict, {"k": {"v": torch.ones(3)}}),
            "deque": collections.deque([torch.ones(2), 3]), "counter": collections.Counter("aab"), "set": {1, 2}, "tuple_key": {(1, "a"): torch.ones(2)},
            "size": torch.Size([2, 3]), "dtype": torch.bfloat16, "device": torch.device("cuda", 1), "path": __import__("pathlib").PurePosixPath("/a/b"),
            "generator": torch.get_rng_state(), "big": 2**200, "complex": 1 + 2j, "long": "x" * 70000, "many": list(range(20000)), "fn": torch.relu,
            "func": values_of, "param": nn.Parameter(torch.randn(3), requires_grad=False), "bytes": b"\0\1\2"}


def other_layouts():
    q = torch.quantize_per_tensor(torch.randn(3, 4), 0.1, 3, torch.qint8)
    return {"coo": torch.eye(3).to_sparse(), "csr": torch.eye(3).to_sparse_csr(), "meta": torch.empty(2, 3, device="meta"), "q": q,
            "qu": torch.quantize_per_tensor(torch.randn(5), 0.1, 3, torch.quint8), "buffer": nn.Buffer(torch.ones(2)), "plain": torch.ones(1)}


def sparse():
    m = torch.eye(4)
    return {"csc": m.to_sparse_csc(), "bsr": m.to_sparse_bsr((2, 2))}


def distributed():
    """A DTensor of one process: its local part is all of it."""
    from torch.distributed import init_process_group
    from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29733", RANK="0", WORLD_SIZE="1")
    init_process_group("gloo")
    t = distribute_tensor(torch.arange(12.0).view(4, 3), init_device_mesh("cpu", (1,)), [Shard(0)])
    return {"w": t, "p": nn.Parameter(t)}


def dates():
    """Values of Python's and numpy's that are no tensors, each made by a call."""
    import datetime as d
    east = d.timezone(d.timedelta(hours=-3, minutes=-30))
    return {"at": d.datetime(2026, 1, 2, 3, 4, 5, 678), "zone": d.datetime(2026, 1, 2, tzinfo=east), "day": d.date(2026, 12, 31), "time": d.time(23, 59),
            "took": d.timedelta(days=2, seconds=90, microseconds=5), "short": d.timedelta(seconds=90), "text": np.str_("h\u00e9"), "type": np.dtype("float32"),
            "path": pathlib.Path("/a/b"), "half": np.float16(0.5), "day64": np.datetime64("2026-01-01")}


def trained():
    net = Small()
    opts = {"adam": torch.optim.AdamW(net.parameters(), lr=0.1, amsgrad=True), "sgd": torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)}
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opts["adam"], 10)
    for _ in range(3):
        for o in opts.values():
            o.zero_grad()
            net(torch.randn(4, 3)).sum().backward()
            o.step()
        sched.step()
    return {"epoch": 3, "state_dict": net.state_dict(), "optimizer_states": [o.state_dict() for o in opts.values()], "sched": sched.state_dict(),
            "ema": {k: v.clone() for k, v in net.state_dict().items()}, "args": argparse.Namespace(lr=0.1), "loss": float("nan"), "best": float("inf")}


def deflate(path):
    with zipfile.ZipFile(path) as z:
        members = [(i.filename, z.read(i)) for i in z.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members:
            z.writestr(name, data)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    cases = {"views": views(), "retyped": retyped(), "types": all_types(), "numpy": numpy_values(), "objects": objects(), "layouts": other_layouts(), "trained": trained(), "sparse": sparse(), "dtensor": distributed(),
             "module": {"model": Net(), "epoch": 1}, "bare_module": Net(), "tensor": torch.arange(6).view(2, 3), "list": [torch.ones(1), [torch.zeros(2)]],
             "state_dict": Net().state_dict(), "nothing": {}, "number": 3}

    def done(name, ext):
        path = os.path.join(folder, name + "." + ext)
        try:
            with open(path, "rb") as f:
                value = pickle.load(f) if ext == "pkl" else torch.load(f, weights_only=False)
        except Exception as e:
            print("torch cannot read its own %s: %s" % (name, str(e)[:100]), file=sys.stderr)
            os.unlink(path)
            return
        out = {}
        add(out, "", value)
        with open(os.path.join(folder, name + "." + ext + ".json"), "w") as f:
            json.dump(out, f)

    for name, value in cases.items():
        for label, kw in (("zip", {}), ("old", {"_use_new_zipfile_serialization": False}), ("p4", {"pickle_protocol": 4}), ("p5", {"pickle_protocol": 5}),
                          ("old4", {"_use_new_zipfile_serialization": False, "pickle_protocol": 4})):
            full = "%s_%s" % (name, label)
            try:
                torch.save(value, os.path.join(folder, full + ".pt"), **kw)
            except Exception as e:
                print("not saved: %s: %s" % (full, str(e)[:100]), file=sys.stderr)
                os.unlink(os.path.join(folder, full + ".pt"))
                continue
            done(full, "pt")
        if label and os.path.exists(os.path.join(folder, name + "_zip.pt")):
            with open(os.path.join(folder, name + "_zip.pt"), "rb") as f:
                data = f.read()
            with open(os.path.join(folder, name + "_deflated.pt"), "wb") as f:
                f.write(data)
            deflate(os.path.join(folder, name + "_deflated.pt"))
            done(name + "_deflated", "pt")
    buffer = io.BytesIO()
    torch.save(views(), buffer)
    with open(os.path.join(folder, "memory.pt"), "wb") as f:
        f.write(buffer.getvalue())
    done("memory", "pt")
    for p in range(2, 6):
        with open(os.path.join(folder, "numpy_%d.pkl" % p), "wb") as f:
            pickle.dump(numpy_values(), f, p)
        done("numpy_%d" % p, "pkl")
        with open(os.path.join(folder, "plain_%d.pkl" % p), "wb") as f:
            pickle.dump(Small().state_dict(), f, p)
        done("plain_%d" % p, "pkl")
        with open(os.path.join(folder, "dates_%d.pkl" % p), "wb") as f:
            pickle.dump(dates(), f, p)
        done("dates_%d" % p, "pkl")
    for name, script in (("jit", torch.jit.script(Small())), ("traced", torch.jit.trace(Small(), torch.ones(1, 3)))):
        torch.jit.save(script, os.path.join(folder, name + ".pt"))
        out = {}
        add(out, "", script.state_dict())
        with open(os.path.join(folder, name + ".pt.json"), "w") as f:
            json.dump(out, f, sort_keys=True)


def keep(folder, names):
    """Removes what was not asked for, and makes lists of the answers."""
    for file in os.listdir(folder):
        name = file[:-5] if file.endswith(".json") else file
        if name in names and file.endswith(".json"):
            with open(os.path.join(folder, file)) as f:
                answer = json.load(f)
            with open(os.path.join(folder, name + ".txt"), "w") as f:
                for key in sorted(answer):
                    f.write("%s %s %s\n" % (key, answer[key][0], answer[key][1]))
        if name not in names or file.endswith(".json"):
            if name.split(".")[-1] != "txt" or name[:-4] not in names:
                os.unlink(os.path.join(folder, file))


main(sys.argv[1])
if sys.argv[2:]:
    keep(sys.argv[1], sys.argv[2:])
