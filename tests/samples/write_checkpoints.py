# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/checkpoints with safetensors, numpy and ml_dtypes."""
import json
import os
import shutil
import struct

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoints")
rng = np.random.default_rng(20)


def path(*parts):
    whole = os.path.join(HERE, *parts)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    return whole


def normal(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def lora():
    """An adapter that never trained: in layer 1, B stays zero and A does not move."""
    names = {"layers.%d.%s.lora_%s.weight" % (i, m, ab): (2, 4) if ab == "A" else (4, 2)
             for i in range(2) for m in ("q_proj", "v_proj") for ab in "AB"}
    values = {n: normal(*s, scale=0.5) if "_A" in n else np.zeros(s, np.float32) for n, s in names.items()}
    for step in (10, 20, 30):
        for n in values:
            if "layers.1" not in n:
                values[n] = values[n] + normal(*values[n].shape, scale=0.01)
        save_file(values, path("lora", "checkpoint-%d" % step, "adapter_model.safetensors"))
        with open(path("lora", "checkpoint-%d" % step, "adapter_config.json"), "w") as f:
            json.dump({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj", "v_proj"]}, f)


def converted():
    """A model, and a conversion of it to bfloat16 under other names, with two layers exchanged."""
    source = {"embed.weight": normal(6, 4)}
    for i in range(3):
        source["layers.%d.attn.weight" % i] = normal(4, 4)
        source["layers.%d.norm.weight" % i] = 1 + normal(4, scale=0.1)
    target = {}
    for n, v in source.items():
        other = "model." + n.replace("attn.weight", "self_attn.kernel")
        other = other.replace("layers.1.", "layers.X.").replace("layers.2.", "layers.1.").replace("layers.X.", "layers.2.") \
            if "attn" in n else other
        target[other] = v.astype(ml_dtypes.bfloat16)
    save_file(source, path("converted", "source", "model.safetensors"))
    save_file(target, path("converted", "target", "model.safetensors"))
    with open(path("converted", "pairs.txt"), "w") as f:
        f.write("# names of the source, names of the target\n"
                "embed.weight          model.embed.weight\n"
                "layers.*.attn.weight  model.layers.*.self_attn.kernel\n"
                "layers.*.norm.weight  model.layers.*.norm.weight\n")


def nan():
    """A training whose fourth checkpoint has NaN in one matrix, and a matrix that had grown before."""
    w = {"block%d.weight" % i: normal(4, 4) for i in range(3)}
    w["frozen.weight"] = normal(3, 3)
    for step in (100, 200, 300, 400, 500):
        for n in w:
            if n != "frozen.weight":
                w[n] = w[n] + normal(4, 4, scale=0.02)
        if step >= 200:
            w["block1.weight"] = w["block1.weight"] * np.float32(3)
        if step >= 400:
            w["block1.weight"] = w["block1.weight"].copy()
            w["block1.weight"][1, 2] = np.nan
        np.savez(path("nan", "step_%d.npz" % step), **w)


def types():
    """Element types, views that numpy writes, names of all kinds."""
    codes = np.arange(16, dtype=np.uint8)
    save_file({
        "e4m3": codes.view(ml_dtypes.float8_e4m3fn), "e5m2": (codes * 16).view(ml_dtypes.float8_e5m2),
        "bf16": normal(3).astype(ml_dtypes.bfloat16), "half": normal(2, 2).astype(np.float16),
        "bool": np.array([True, False]), "empty": np.zeros((0, 3), np.float32), "scalar": np.array(7, np.int64),
        "c64": np.array([1 + 2j], np.complex64), "esc\x1b[31mape": np.ones(1, np.float32)},
        path("types", "model.safetensors"), metadata={"format": "np", "step": "12"})
    raw("types_packed", "model.safetensors", {
        "f4": {"dtype": "F4", "shape": [4], "data_offsets": [0, 2]},
        "f6": {"dtype": "F6_E2M3", "shape": [4], "data_offsets": [2, 5]}}, bytes([0x21, 0x97, 0x41, 0x20, 0x0c]))
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.savez(path("arrays", "step_1.npz"), fortran=np.asfortranarray(a), big=a.astype(">f4"), plain=a, words=np.array(["a", "βγ"]))
    np.savez_compressed(path("arrays", "step_2.npz"), fortran=np.asfortranarray(a * 2), big=(a * 2).astype(">f4"), plain=a * 2,
                        words=np.array(["", "two words"]))


def raw(folder, name, header, data):
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    with open(path(folder, name), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def damaged():
    """One good file, and others that are each wrong in one way."""
    one = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    good = struct.pack("<2f", 1, 2)
    headers = [
        {"w": one},
        {"w": one, "v": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}},
        {"w": dict(one, data_offsets=[0, 800])},
        {"w": dict(one, shape=[2 ** 62, 2 ** 62])},
        {"w": dict(one, shape=[3])},
        {"w": dict(one, dtype="F31")},
        b'{"w": {"dtype": "F32"',
        b"[1, 2]",
        {"w": dict(one, shape=[1.5, "a"])},
        {"w": dict(one, data_offsets=[8, 0])},
        b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
        {"w": one},
    ]
    for i, h in enumerate(headers):
        raw("damaged/step_%d" % (i + 1), "model.safetensors", h, good + struct.pack("<f", 3) * (i in (1, 11)))
    with open(path("damaged", "step_20", "model.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", 10 ** 11) + b"{}")
    with open(path("damaged", "step_21", "model.safetensors"), "wb"):
        pass
    raw("damaged/step_22", "model.safetensors", {"w": one}, good)


def sharded():
    """Two of three shards; the index names the third one."""
    save_file({"a.weight": normal(2, 2)}, path("sharded", "model-00001-of-00003.safetensors"))
    save_file({"c.weight": normal(2, 2)}, path("sharded", "model-00003-of-00003.safetensors"))
    with open(path("sharded", "model.safetensors.index.json"), "w") as f:
        json.dump({"metadata": {"total_size": 48}, "weight_map": {
            "a.weight": "model-00001-of-00003.safetensors", "b.weight": "model-00002-of-00003.safetensors",
            "c.weight": "model-00003-of-00003.safetensors"}}, f)


def transposed():
    """A conversion that exchanged rows and columns, made the embedding larger, and left one out."""
    own = np.random.default_rng(21)
    source = {"up.weight": own.standard_normal((2, 3)), "square.weight": own.standard_normal((4, 4)),
              "embed.weight": own.standard_normal((5, 2)), "bias": own.standard_normal(4), "gone": own.standard_normal(3)}
    source = {n: v.astype(np.float32) for n, v in source.items()}
    target = {"up.weight": source["up.weight"].T.copy(), "square.weight": source["square.weight"].T.copy(),
              "embed.weight": np.concatenate([source["embed.weight"], np.zeros((3, 2), np.float32)]), "bias": source["bias"],
              "other.weight": source["square.weight"].T.copy()}
    save_file(source, path("transposed", "source", "model.safetensors"))
    save_file(target, path("transposed", "target", "model.safetensors"))


if __name__ == "__main__":
    shutil.rmtree(HERE, ignore_errors=True)
    for write in (lora, converted, nan, types, damaged, sharded, transposed):
        write()
