# SPDX-License-Identifier: Apache-2.0
"""Tests smdbg.attach with several processes, by gloo: who writes, and the values of DDP, fully_shard and tensor parallelism.
Usage: tests/attach/processes.py BUILD"""

import glob
import os
import unittest
import warnings

import recorded
import smdbg
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh


def net():
    torch.manual_seed(7)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def batch(i, n=8):
    g = torch.Generator().manual_seed(i)
    return torch.randn(n, 4, generator=g), torch.randint(0, 2, (n,), generator=g)


def part(i, rank, size):
    x, y = batch(i)
    return x[rank::size], y[rank::size]


def start(rank, size, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=size)


def train(run, model, optimizer, rank, size, steps=3):
    for i in range(steps):
        x, y = part(i, rank, size)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        run.log(loss=loss)


def finish(run, rank):
    error = run.error
    run.close()
    if error:
        raise AssertionError(f"rank {rank}: {error}")
    leave()


def leave():
    """Ends the process without destroying the group: after a gathered DTensor gloo aborts there at times, also without smdbg
    (1 of 25 with torch 2.15: "terminate called without an active exception")."""
    dist.barrier()
    os._exit(0)


def run_ddp(rank, size, store, trial, workers, early):
    if early:                                              # attached before rank and size are known
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = smdbg.attach(model, optimizer, dir=trial, every=1, raw=True, workers=workers, outputs="2_output")
        start(rank, size, store)
        model = nn.parallel.DistributedDataParallel(model)
    else:
        start(rank, size, store)
        model = nn.parallel.DistributedDataParallel(net())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = smdbg.attach(model, optimizer, dir=trial, every=1, raw=True, workers=workers, outputs="2_output")
    train(run, model, optimizer, rank, size)
    model.eval()
    model(batch(9)[0])
    run.log(val=1)
    finish(run, rank)


def run_sharded(rank, size, store, trial, late):
    from torch.distributed.fsdp import fully_shard
    start(rank, size, store)
    mesh = init_device_mesh("cpu", (size,))
    model = net()
    if late:                                               # attached first, with an optimizer of the sharded parameters
        fully_shard(model[0], mesh=mesh)
    else:
        for layer in (model[0], model[2]):
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    run = smdbg.attach(model, optimizer, dir=trial, every=2, raw=True, optimizer_state=True, outputs="2_output")
    train(run, model, optimizer, rank, size)
    finish(run, rank)


def run_tensor_parallel(rank, size, store, trial):
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    start(rank, size, store)
    mesh = init_device_mesh("cpu", (size,))
    model = parallelize_module(net(), mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
    run = smdbg.attach(model, optimizer, dir=trial, every=1, raw=True, outputs="2_output")
    train(run, model, optimizer, 0, 1)
    finish(run, rank)


def run_fsdp1(rank, size, store, trial, how):
    from torch.distributed.fsdp import FullyShardedDataParallel as Flat
    from torch.distributed.fsdp import ShardingStrategy
    start(rank, size, store)
    cpu = {"device_id": torch.device("cpu"), "use_orig_params": how != "flat"}
    if how == "whole":                                     # each process has all of it
        cpu["sharding_strategy"] = ShardingStrategy.NO_SHARD
    model = net()
    if how == "nested":
        model[0] = Flat(model[0], **cpu)
    model = Flat(model, **cpu)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run = smdbg.attach(model, optimizer, dir=trial, every=2, raw=True, outputs="2_output")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        train(run, model, optimizer, rank, size)
    told = [str(w.message) for w in seen if "smdbg" in str(w.message)]
    if len(told) != (how == "flat") or how != "flat" and run.error:
        raise AssertionError(f"rank {rank}: {told} {run.error}")
    run.close()
    leave()


def run_nowhere(rank, size, store, trial):
    """The first process cannot write."""
    from smdbg.attach import attach_quietly
    from torch.distributed.fsdp import fully_shard
    start(rank, size, store)
    model = net()
    fully_shard(model, mesh=init_device_mesh("cpu", (size,)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run = attach_quietly(model, optimizer, dir=f"{store}/in-a-file", every=1)
    told = [str(w.message) for w in seen if "nothing is recorded" in str(w.message)]
    if run or len(told) != (rank == 0):
        raise AssertionError(f"rank {rank}: {run} {told}")
    x, y = part(0, rank, size)
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    leave()


def reference(size, kind=torch.optim.SGD, steps=3, whole=False):
    """What one process gets: weights and gradients of each step."""
    model = net()
    optimizer = kind(model.parameters(), lr=0.1)
    found = []
    for i in range(steps):
        optimizer.zero_grad()
        for rank in range(1 if whole else size):
            x, y = batch(i) if whole else part(i, rank, size)
            (nn.functional.cross_entropy(model(x), y) / (1 if whole else size)).backward()
        values = {name: p.detach().clone() for name, p in model.named_parameters()}
        values.update({f"gradient/{name}": p.grad.clone() for name, p in model.named_parameters()})
        values["grad_norm"] = torch.cat([p.grad.flatten() for p in model.parameters()]).norm().reshape(1)
        optimizer.step()
        found.append(values)
    return found


class TestProcesses(recorded.Case):
    def spawn(self, function, *arguments, size=2):
        torch.multiprocessing.spawn(function, (size, self.trial + ".store", self.trial, *arguments), size)

    def equal(self, expected, steps=None):
        found = {(r.mode_step, r.name): r for r in recorded.load(self.trial) if r.mode == "TRAIN"}
        for i, values in enumerate(expected):
            if steps is not None and i not in steps:
                values = {"grad_norm": values["grad_norm"]}
            for name, value in values.items():
                got = torch.tensor(found[i, name].values).reshape(found[i, name].shape)
                self.assertTrue(torch.allclose(got.double(), value.double(), rtol=1e-4, atol=1e-6), (i, name, got, value))

    def folders(self):
        return sorted(os.path.basename(path) for path in glob.glob(self.trial + "*") if not path.endswith(".store"))

    def workers(self):
        return sorted({path.split("_", 1)[1] for path in map(os.path.basename, glob.glob(f"{self.trial}/index/*/*"))})

    def test_ddp(self):
        self.spawn(run_ddp, "rank0", False)
        self.equal(reference(2))
        self.assertEqual((self.folders(), self.workers()), (["trial"], ["worker_0.json"]))
        self.assertEqual(recorded.members(self.trial, "outputs"), ["2_output_0"])
        self.assertEqual(self.series("val", "EVAL"), [(0, 1.0)])

    def test_ddp_attached_before(self):
        self.spawn(run_ddp, "rank0", True)
        self.equal(reference(2))
        self.assertEqual((self.folders(), self.workers()), (["trial"], ["worker_0.json"]))
        self.assertEqual(self.series("val", "EVAL"), [(0, 1.0)])

    def test_all_workers(self):
        for early in (False, True):
            self.trial = os.path.join(self.folder.name, f"all{early}")
            self.spawn(run_ddp, "all", early)
            self.equal(reference(2))
            self.assertEqual((self.folders(), self.workers()), ([f"all{early}"], ["worker_0.json", "worker_1.json"]))
            losses = [[r.values for r in recorded.load(self.trial, f"worker_{k}") if r.name == "loss"] for k in (0, 1)]
            self.assertEqual(len(losses[0]), 3)
            self.assertNotEqual(*losses)

    def test_fully_shard(self):
        for late in (False, True):
            self.trial = os.path.join(self.folder.name, f"sharded{late}")
            self.spawn(run_sharded, late)
            if not late:
                self.equal(reference(2, torch.optim.AdamW), (0, 2))
            names = self.named()
            self.assertIn("optimizer/0.weight/exp_avg", names)
            self.assertEqual([s for s, _ in self.series("update_ratio/0.weight")], [0, 2])
            self.assertEqual(self.workers(), ["worker_0.json"])

    def test_tensor_parallel(self):
        self.spawn(run_tensor_parallel)
        expected = reference(1, whole=True)
        expected[0]["2_output_0"] = net()(batch(0)[0]).detach()
        self.equal(expected)

    def test_one_that_cannot_write(self):
        self.spawn(run_nowhere)

    def test_fsdp1(self):
        for how in ("one", "nested", "whole", "flat"):
            self.trial = os.path.join(self.folder.name, how)
            self.spawn(run_fsdp1, how)
            expected = reference(2)
            if how == "flat":                              # has no gradients of single parameters
                expected = [{name: value for name, value in step.items() if "gradient/" not in name} for step in expected]
            self.equal(expected, (0, 2))
            names = {"0.weight", "0.bias", "2.weight", "2.bias"}
            self.assertEqual({name for name in self.named() if name.startswith(("0.", "2."))}, names)
            self.assertEqual(len(self.series("grad_norm")), 3)
            self.assertEqual([s for s, _ in self.series("update_ratio/2.weight")], [0, 2])
            self.assertEqual(recorded.members(self.trial, "outputs"), ["2_output_0"])
            self.assertEqual(self.workers(), ["worker_0.json"])


if __name__ == "__main__":
    unittest.main(verbosity=0)
