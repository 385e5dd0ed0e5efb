# SPDX-License-Identifier: Apache-2.0
"""The hooks on the modules of a model, and what those record that `outputs` asks for: outputs, attention, load of experts."""

import torch
from torch.compiler import is_compiling

from .attention import Attention
from .callback import Callback
from .experts import Experts
from .outputs import Outputs, in_backward, is_chosen
from .run import EVAL, Run


class ForwardHook(Callback):
    """A hook on a module: while torch.compile traces, it leaves nothing in the graph."""

    def __call__(self, *values):
        if is_compiling():
            return None
        return super().__call__(*values)


class BreakingHook(Callback):
    """A hook that torch.compile calls outside its graphs: of a module whose output is recorded, of an optimizer."""

    def __call__(self, *values):
        return self._outside(*values) if is_compiling() else super().__call__(*values)

    @torch.compiler.disable
    def _outside(self, *values):
        return super().__call__(*values)


class WatchedRun(Run):
    """A run with self._model, and self._names for the paths of its modules."""

    def _prepare_outputs(self):
        self._outputs = Outputs(self.options.outputs) if self.options.outputs else None
        self._attention = None                             # where `outputs` asks for it
        self._outermost = None                             # the module that was called from outside
        self.evaluates = True                              # a forward pass in EVAL is a step
        self._handles = []                                 # hooks

    def _keep(self, register, *arguments, **keywords):
        try:
            self._handles.append(register(*arguments, **keywords))
        except Exception as error:                         # a module of torch.jit
            self.tell_exception("attach", error)

    def _register_outputs(self, modules):
        """modules: pairs of path and module."""
        named = [(self._names(path) or self._kind, module) for path, module in modules]
        outer = {}                                         # by name: a wrapper returns what is in it
        for name, module in named:
            if outer.setdefault(name, module) is module and (module is self._model or is_chosen(self.options.outputs, name)):
                self._keep(module.register_forward_hook, BreakingHook(self, WatchedRun._on_output, name))
            if Experts.is_block(module) and self.options.outputs.search(f"{name}_expert_load"):
                self._register_experts(name, module)
        attention = Attention(self.options.outputs, named, self._found_attention)
        self._attention = attention if attention.is_wanted() else None

    def _register_experts(self, name, block):
        experts = Experts(name, block)
        self._keep(block.register_forward_pre_hook, BreakingHook(self, WatchedRun._on_block, experts))
        for i, part in enumerate(experts.parts):
            self._keep(part.register_forward_pre_hook, BreakingHook(self, WatchedRun._on_expert, experts, i), with_kwargs=True)
        if not experts.parts:
            self._keep(block.experts.register_forward_pre_hook, BreakingHook(self, WatchedRun._on_expert, experts, None), with_kwargs=True)
        self._keep(block.register_forward_hook, BreakingHook(self, WatchedRun._on_load, experts))

    # ---- while the model is called ----

    def _on_output(self, name, module, _, value):
        if in_backward():
            return
        if self._outermost is None:
            self._begin_unseen(name)
        if self._records_outputs():
            for tensor_name, tensor in self._outputs.tensors(name, value):
                self.record("outputs", tensor_name, tensor)

    def _records_outputs(self):
        return not self._outputs.done and self._mode is not None and self.is_due(self._mode) and not in_backward()

    def _found_attention(self, name, values):
        if self._records_outputs():
            self._outputs.matched = True
            self.record("outputs", name, values)

    def _on_block(self, experts, *_):
        experts.clear()

    def _on_expert(self, experts, i, _, arguments, keywords):
        if self._records_outputs():
            experts.add_routed(arguments, keywords) if i is None else experts.add_part(i, arguments, keywords)

    def _on_load(self, experts, *_):
        load = experts.take_load((self._mode, self.step_number(self._mode))) if self._records_outputs() else None
        if load is not None:
            self._outputs.matched = True
            self.record("outputs", experts.name, load)

    def _begin_unseen(self, name):
        """Inside torch.compile the beginning of a forward pass is not seen: a module that comes again is in the next one."""
        again = self._outputs.has(name)
        if self._model.training:
            self._outputs.done = self._outputs.done or (again and self._open)
            self.resume_train()
        elif self.evaluates and (again or self._mode != EVAL):
            self.begin(EVAL)

    def _tell_outputs(self):
        if self._outputs and not self._outputs.matched:
            self.tell("outputs", f"outputs: {self.options.outputs.pattern!r} matches no name of what was called; a module that "
                      "torch.compile compiled before attach is not seen")
