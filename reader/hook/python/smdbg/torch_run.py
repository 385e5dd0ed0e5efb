# SPDX-License-Identifier: Apache-2.0
"""A run of PyTorch: a step of TRAIN is an attempted optimizer.step(), a step of EVAL a forward pass of the model."""

import functools

import torch
from torch.compiler import is_compiling

import smdbg_hook

from . import scaler, tensors
from .callback import Callback
from .fsdp import Flat
from .names import Names, is_fsdp1, kind_of, wrappers
from .number import number
from .outputs import in_backward
from .run import EVAL, TRAIN, quiet, text_of
from .watched import BreakingHook, ForwardHook, WatchedRun


class _InnerHook(Callback):
    """A hook on each module inside the model: it has something to do once a step."""

    def __call__(self, *values):
        if is_compiling() or self._run._open and self._run._seen:
            return None
        return super().__call__(*values)


class TorchRun(WatchedRun):
    def __init__(self, model, optimizer, options):
        self._copies = tensors.Copies()
        self._vectors = []                                 # (name, dtype, statistics) that a device computes
        super().__init__(options)
        self._around, self._model = wrappers(model)
        self._optimizer = optimizer
        self._names = Names(self._model)
        self._kind = kind_of(self._model)
        self._prepare_outputs()
        self._started = False
        self._seen = False                                 # a forward pass was seen
        self._has_stepped = False                          # the optimizer has
        self._depth = 0                                    # of calls of optimizer.step() inside each other
        self._in_closure = 0                               # calls of what optimizer.step() was given
        self._taken = False                                # the values of this optimizer.step() are recorded
        self._due = False                                  # they have tensors
        self._before = tensors.Before()                    # the weights before the update
        self._scale = None                                 # of the GradScaler that is stepping now
        self._skipped = False                              # it skips this step
        self._flat = None                                  # weights and gradients are parts of one vector (FSDP1)
        self._inner = []                                   # hooks of the modules inside the model
        try:
            self._register()
        except BaseException:
            self.close()
            raise

    # ---- hooks ----

    def _register(self):
        modules = [(path, module) for path, module in self._model.named_modules()
                   if module is self._model or not isinstance(module, torch.jit.ScriptModule)]    # these take no hooks
        watched = [module for _, module in modules] if self._outputs else [self._model]
        for module in [*self._around, *watched]:
            self._keep(module.register_forward_pre_hook, ForwardHook(self, TorchRun._on_forward))
            self._keep(module.register_forward_hook, ForwardHook(self, TorchRun._on_done), always_call=True)
        outer, self._handles = self._handles, []
        for _, module in [] if self._outputs else modules[1:]:
            self._keep(module.register_forward_pre_hook, _InnerHook(self, TorchRun._on_inner_forward))
        self._inner, self._handles = self._handles, outer
        if self._outputs:
            self._register_outputs(modules)
        self._keep(self._optimizer.register_step_pre_hook, BreakingHook(self, TorchRun._on_step))
        self._keep(self._optimizer.register_step_post_hook, BreakingHook(self, TorchRun._on_stepped))
        scaler.watch(self._optimizer, self)

    @quiet
    def _finish(self):
        self.flush()
        self._remove_hooks()
        if self.writes and self._open and not self._has_stepped:
            self.tell("optimizer", "the optimizer that was attached made no step: only outputs and logged numbers are recorded")

    def _remove_hooks(self):
        scaler.leave(self._optimizer, self)
        if self._attention:
            self._attention.stop()
        for handles in (self._handles, self._inner):
            while handles:
                handles.pop().remove()

    def _leave_inner(self):
        """The model itself is called: its modules need no hooks, each of which costs microseconds a step. Where something
        was compiled they stay, because without them it would be compiled again."""
        inner, self._inner = self._inner, []
        if not any(kind_of(m) == "OptimizedModule" or getattr(m, "_compiled_call_impl", None) for m in self._model.modules()):
            for handle in inner:
                handle.remove()

    # ---- forward passes ----

    def _on_forward(self, module, _):
        if self._inner and module is self._model and self._next[TRAIN] > 1:
            self._leave_inner()
        if self._attention:
            self._attention.enter(module)
        if self._outermost is not None or in_backward():
            return
        self._outermost = module
        self._seen = True
        self._end_failed_step()
        is_model = module is self._model or module in self._around
        if self._model.training if is_model else module.training:
            self.resume_train()
        elif is_model and self.evaluates:
            self.begin(EVAL)
        if self._outputs:
            self._outputs.enter(module)
            if self._attention and self._records_outputs():
                self._attention.start()
                self._attention.enter(module)

    def _on_done(self, module, _, value):
        if self._attention:
            self._attention.leave(module)
        if self._outermost is module:
            self._outermost = None
            if self._attention:
                self._attention.stop()
            if self._outputs and value is None:            # it raised: the next try is no second micro-batch
                self._outputs.forget(module)

    def _on_inner_forward(self, module, _):
        self._seen = True
        if not self._open and module.training and self._outermost is None and not in_backward():
            self.resume_train()

    def _on_gradient(self, _):
        self._end_failed_step()
        if not self._open:
            self.resume_train()

    # ---- steps ----

    def begin(self, mode):
        if not self._started:
            self._start()
        super().begin(mode)
        self._taken = self._taken and mode != TRAIN
        if self._outputs:
            self._outputs.begin_step()
        if self._attention:
            self._attention.begin_step()

    def resume_train(self):
        if self._open and self._mode == TRAIN:
            return
        interrupted = self._open
        super().resume_train()
        if interrupted and self._outputs:
            self._outputs.done = True

    def _start(self):
        """Rank and size are known now."""
        self._started = True
        rank, size = self.place()
        self.writes = rank == 0 or self.options.workers == "all"
        if (rank, size) != self._known:
            self._hook.set("rank", rank)
            self._hook.set("world_size", size)
        if size > 1 and self.options.workers == "all" and torch.distributed.is_initialized():
            self._share_folder(rank)
        self._count_on()
        if any(is_fsdp1(module) for module in [*self._around, *self._model.modules()]):
            self._flat = Flat(self._around, self._model)
            self._tell_flat()
        elif not self.writes and not any(tensors.is_sharded(parameter) for parameter in self._model.parameters()):
            self._remove_hooks()

    def _tell_flat(self):
        missing = [] if self._flat.has_gradients or "gradients" not in self.options.save else ["gradients (with use_orig_params=True they are)"]
        missing += ["the optimizer's state"] if self.options.optimizer_state else []
        if missing:
            self.tell("fsdp", f"FullyShardedDataParallel: not recorded are {', '.join(missing)}; with fully_shard all is")

    def _share_folder(self, rank):
        """All processes write into the folder of the first."""
        if rank == 0:
            self._hook.open()
        shared = [self._hook.dir]
        torch.distributed.broadcast_object_list(shared)
        if rank and shared[0]:
            self._hook.close()
            self._hook = self._make_hook(shared[0], "error" if self.options.if_exists == "new" else self.options.if_exists)

    def place(self):
        distributed = torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
        return super().place()

    def log(self, values=None, /, **named):
        self._log_outside(values, named) if is_compiling() else super().log(values, **named)

    @torch.compiler.disable
    def _log_outside(self, values, named):
        super().log(values, **named)

    def mode_now(self):
        return TRAIN if self._model.training else EVAL

    def _on_step(self, optimizer, arguments, keywords):
        self._depth += 1
        if self._depth > 1:                                # step() of a subclass calls that of its base, which has hooks, too
            return None
        closure = keywords.get("closure", arguments[1] if len(arguments) > 1 else None)
        if not callable(closure):
            self._take()
            return None
        closure = self._watched(closure)
        if "closure" in keywords:
            return arguments, {**keywords, "closure": closure}
        return (arguments[0], closure, *arguments[2:]), keywords

    def _watched(self, closure):
        """The closure; when it first returns, the values are taken."""
        waiting = [Callback(self, TorchRun._take)]

        @functools.wraps(closure)
        def watched(*arguments, **keywords):
            self._in_closure += 1
            try:
                value = closure(*arguments, **keywords)
            finally:
                self._in_closure -= 1
            if waiting:
                waiting.pop()()
            return value
        return watched

    def _end_failed_step(self):
        """optimizer.step() has raised: that was a step."""
        if self._depth and not self._in_closure:
            self._depth, self._open, self._due = 0, False, False

    def _on_stepped(self, *_):
        self._depth = max(0, self._depth - 1)
        if self._depth:
            return
        self._has_stepped = True
        if self._due:
            self._due = False
            self._record_after()
            self._tell_outputs()
        if not self._seen:
            self._watch_gradients()
        if self._is_under_way():
            self.send()
        self._open = False                                 # the next forward pass begins the next step

    def _watch_gradients(self):
        """Forward passes cannot be seen (torch.compile): the next step begins with the first gradient."""
        self._seen = True
        parameters = [p for p in self._model.parameters() if p.requires_grad and not tensors.is_lazy(p)]
        hook = Callback(self, TorchRun._on_gradient)
        self._keep(torch.autograd.graph.register_multi_grad_hook, parameters, hook, mode="any")

    # ---- GradScaler ----

    @quiet
    def on_scaler(self, gradscaler):
        scale = gradscaler._scale
        self._scale = scale.detach().clone() if isinstance(scale, torch.Tensor) else gradscaler.get_scale()
        self._taken = False

    @quiet
    def on_scaled(self, done):
        if done and not self._taken:
            self._skipped = True                           # it did not reach the optimizer
            self._take()
            self._on_stepped()
        self._scale, self._skipped = None, False

    def _unscaled(self, value):
        """Fused optimizers divide by the scale themselves."""
        scale = getattr(self._optimizer, "grad_scale", None)
        return value if scale is None or value is None else value / scale

    # ---- values ----

    def _take(self):
        self.resume_train()
        self._taken = True
        self._take_series()
        self._due = self.is_due()
        if self._due and self._flat:
            self._flat.take(self._record_whole, self.writes and "weights" in self.options.save)
        elif self._due:
            self._take_tensors()

    def _record_whole(self, name, parameter):
        if "weights" in self.options.save:
            self._record_weight(name, parameter)
        if "gradients" in self.options.save and parameter.grad is not None:
            self.record("gradients", f"gradient/{name}", self._unscaled(parameter.grad))

    def _record_weight(self, name, parameter):
        self.record("biases" if "bias" in name.rpartition(".")[2] else "weights", name, parameter)

    @torch.no_grad()
    def _take_tensors(self):
        parameters = self._parameters()
        if "weights" in self.options.save:
            for name, parameter in parameters:
                self._record_weight(name, parameter)
            self._before.take([(name, parameter) for name, parameter in parameters if parameter.requires_grad])
        for name, parameter in parameters if "gradients" in self.options.save else []:
            if parameter.grad is not None:
                self.record("gradients", f"gradient/{name}", self._unscaled(parameter.grad))

    def _parameters(self):
        """Pairs of name and parameter, tied ones once."""
        return [(self._names(path), parameter) for path, parameter in self._model.named_parameters() if not tensors.is_lazy(parameter)]

    def _take_series(self):
        parameters = []
        for i, group in enumerate(self._optimizer.param_groups):
            self._number(f"lr/group{i}", group.get("lr"))
            parameters += group["params"]
        norm = self._flat.norm(parameters) if self._flat else tensors.norm([p.grad for p in parameters if p.grad is not None])
        self._number("grad_norm", self._unscaled(norm))
        if self._scale is not None:                        # a GradScaler is stepping
            found = getattr(self._optimizer, "found_inf", None)
            self._number("loss_scale", self._scale)
            self._number("skipped", float(self._skipped) if found is None else (found != 0).double())

    def _number(self, name, value):
        """A number of a series; what has none, such as an optimizer without lr, is left out."""
        if type(value) is not float and value is not None:
            value = self.to_number(name, value)
        if value is not None:
            self.scalar(name, value)

    def to_number(self, name, value):
        if type(value) is torch.Tensor and value.numel() == 1 and not tensors.is_remote(value):
            return float(value.item())                     # the usual case; TypeError for complex
        if not isinstance(value, torch.Tensor) or value.numel() != 1 or not tensors.is_remote(value):
            return number(value)
        if not value.is_complex():
            return self._copies.add(value.detach().reshape(()), lambda host: self.scalar(name, host.item()))
        raise TypeError

    @torch.no_grad()
    def _record_after(self):
        """What the optimizer has made of the weights, and its own state."""
        if self._flat:
            changes = self._flat.changes() if "weights" in self.options.save else None
        else:
            changes = self._before.changes()
        if changes:
            self._ratios(*changes)
        if self.options.optimizer_state and not self._flat:
            for name, parameter in self._parameters():
                self._record_state(name, parameter)

    def _ratios(self, names, both):
        """both: a row of changes and one of what has changed."""
        def take(host):
            for name, change, size in zip(names, *host.tolist()):
                if size:
                    self.scalar(f"update_ratio/{name}", change / size)

        if tensors.is_remote(both):
            self._copies.add(both, take)
        else:
            take(both)

    def _record_state(self, name, parameter):
        for key, value in self._optimizer.state.get(parameter, {}).items():
            if isinstance(value, torch.Tensor) and value.numel() > 1:
                self.record("optimizer_variables", f"optimizer/{name}/{key}", value)

    # ---- tensors ----

    def record(self, collection, name, tensor):
        try:
            if type(tensor) not in tensors.ORDINARY:
                tensor = tensors.whole(tensor)
            member = (self._members.get(name) or self.member(collection, name)) if self.writes else None
            if member and tensor.numel():
                self._send(member, tensor)
        except Exception as error:
            self.tell(("record", collection, type(error)), f"{name}: {type(error).__name__}: {text_of(error)}")

    def _send(self, member, tensor):
        if not tensors.is_remote(tensor):
            self._save_here(member, tensor)
            return
        dtype = smdbg_hook._TORCH_TYPES.get(str(tensor.dtype))
        if self.options.raw or not dtype or tensor.is_complex() or tensor.layout != torch.strided:
            self._copies.add(tensor, lambda host: self._save_here(member, host))
        else:
            self._vectors.append((member, dtype, tensors.statistics(self.options.stats, tensor)))

    def _save_here(self, member, tensor):
        plain = type(tensor) in tensors.ORDINARY
        if not (plain and tensors.save_plain(self._hook, member, tensor) or self._hook._save_torch(member, tensor)):
            self.tell(("save", str(tensor.dtype)), self._hook.error)

    def send(self):
        """Statistics that devices have computed go on their way, one copy for each device."""
        by_device = {}
        for member, dtype, vector in self._vectors:
            by_device.setdefault(vector.device, []).append((member, dtype, vector))
        self._vectors = []
        for found in by_device.values():
            heads = [(member, dtype) for member, dtype, _ in found]
            self._copies.add(torch.stack([vector for *_, vector in found]), functools.partial(self._take_statistics, heads))
        self._copies.mark()

    def _take_statistics(self, heads, host):
        for (member, dtype), values in zip(heads, host.tolist()):
            for name, value in zip(self.options.stats, values):
                self._hook.save_reduction(member.decode(), name, dtype, value)

    def _is_under_way(self):
        return self._vectors or self._copies.waiting

    def flush(self):
        if self._is_under_way():
            self.send()
            self._copies.take_all()
