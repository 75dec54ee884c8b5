"""A chain of modules, which is itself a module. The outputs of each module are the inputs of the next module."""

from __future__ import annotations

import copy
import logging
from collections.abc import Sequence
from typing import Any

from ..initializer import Uniform
from ..internals.support.plural import counted
from .base_module import BaseModule
from .inputs import require, require_ready

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """A chain of modules, which is itself a module.

    Parameters
    ----------
    logger : logging.Logger
        Logger for progress messages.
    """

    binded: bool
    for_training: bool
    inputs_need_grad: bool

    #: Keywords of :meth:`add`: whether the module receives the labels, and whether to rename its inputs automatically.
    META_TAKE_LABELS = "take_labels"
    META_AUTO_WIRING = "auto_wiring"

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger=logger)
        self._modules: list[Any] = []
        self._metas: list[dict[str, Any]] = []
        self._label_shapes: Any = None

    def add(self, module: Any, **kwargs: Any) -> SequentialModule:
        """Append a module, and return the chain.

        Parameters
        ----------
        module : BaseModule
            The module.
        **kwargs : bool
            ``take_labels``: whether the module receives the labels. ``auto_wiring``: whether to rename the previous
            module's outputs to the names of this module's inputs.

        Returns
        -------
        SequentialModule
            This chain.

        Raises
        ------
        AssertionError
            If a keyword is unknown.
        """
        for key in kwargs:
            require(key in (self.META_TAKE_LABELS, self.META_AUTO_WIRING), f'Unknown meta "{key}", a typo?')
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    @property
    def data_names(self) -> Any:
        """The names of the inputs of the first module."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> Any:
        """The names of the outputs of the last module."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the inputs of the first module."""
        require(self.binded, "call bind() before you read data_shapes")
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels, or None if no module uses labels."""
        require(self.binded, "call bind() before you read label_shapes")
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs of the last module."""
        require(self.binded, "call bind() before you read output_shapes")
        return self._modules[-1].output_shapes

    def get_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the parameters of all modules.

        Returns
        -------
        tuple of (dict of str to NDArray, dict of str to NDArray)
            The arguments and the auxiliary states, by name.
        """
        require_ready(self, "get_params()")
        arguments: dict[str, Any] = {}
        states: dict[str, Any] = {}
        for module in self._modules:
            own, own_states = module.get_params()
            arguments.update(own)
            states.update(own_states)
        return arguments, states

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize the parameters of all modules.

        The parameters are those of :meth:`BaseModule.init_params`.

        Raises
        ------
        AssertionError
            If two modules have parameters with the same name.
        """
        if self.params_initialized and not force_init:
            return
        require(self.binded, "call bind() before init_params()")
        for module in self._modules:
            module.init_params(initializer, arg_params, aux_params, allow_missing, force_init, allow_extra)
        for part in (0, 1):
            self._refuse_twice([module.get_params()[part] for module in self._modules])
        self.params_initialized: bool = True

    def _refuse_twice(self, params: Sequence[dict[str, Any]]) -> None:
        layer_of: dict[str, int] = {}
        for i, names in enumerate(params):
            for name in names:
                other = layer_of.get(name)
                if other is not None:
                    raise AssertionError(
                        f'Duplicated parameter names: name "{name}" in layer {i} ({type(self._modules[i])}) is already '
                        f"used in layer {other} ({type(self._modules[other])})."
                    )
                layer_of[name] = i

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Bind each module to the outputs of the previous module.

        The parameters are those of :meth:`BaseModule.bind`.
        """
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(for_training or not inputs_need_grad, "inputs_need_grad=True requires for_training=True")
        require(shared_module is None, "Shared module is not supported")
        require(len(self._modules) > 0, "Attempting to bind an empty SequentialModule")
        shapes = data_shapes
        for i, (module, meta) in enumerate(zip(self._modules, self._metas, strict=True)):
            if meta.get(self.META_AUTO_WIRING, False):
                expected = len(module.data_names)
                require(
                    expected == len(shapes),
                    f"module {i} takes {counted(expected, 'input')}, but receives {len(shapes)}",
                )
                shapes = [(name, shape) for name, (_, shape) in zip(module.data_names, shapes, strict=True)]
            module.bind(
                data_shapes=shapes, label_shapes=label_shapes if meta.get(self.META_TAKE_LABELS) else None,
                for_training=for_training, inputs_need_grad=bool(inputs_need_grad or (for_training and i > 0)),
                force_rebind=force_rebind, shared_module=None, grad_req=grad_req,
            )  # fmt: skip
            shapes = module.output_shapes
        self.for_training, self.inputs_need_grad, self.binded = for_training, inputs_need_grad, True
        labels_used = any(meta.get(self.META_TAKE_LABELS) for meta in self._metas)
        self._label_shapes = label_shapes if labels_used else None

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Create an optimizer for each module.

        The parameters are those of :meth:`BaseModule.init_optimizer`.
        """
        require_ready(self, "init_optimizer()")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(kvstore, optimizer, optimizer_params, force_init=force_init)
        self.optimizer_initialized: bool = True

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the forward pass through all modules.

        The parameters are those of :meth:`BaseModule.forward`.
        """
        require_ready(self, "forward()")
        batch = copy.copy(data_batch)
        for i, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if i + 1 < len(self._modules):
                batch.data = module.get_outputs()
                names = [shape[0] for shape in module.output_shapes]
                if self._metas[i + 1].get(self.META_AUTO_WIRING, False):
                    names = self._modules[i + 1].data_names
                batch.provide_data = [(name, x.shape) for name, x in zip(names, batch.data, strict=True)]

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass through all modules.

        The parameters are those of :meth:`BaseModule.backward`.
        """
        require_ready(self, "backward()")
        for i, module in reversed(list(enumerate(self._modules))):
            module.backward(out_grads=out_grads)
            if i:
                out_grads = module.get_input_grads()

    def update(self) -> None:
        """Update the parameters with the optimizers."""
        ready = self.binded and self.params_initialized and self.optimizer_initialized
        require(ready, "call bind(), init_params(), and init_optimizer() before update()")
        for module in self._modules:
            module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last module.

        The parameters are those of :meth:`BaseModule.get_outputs`.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The outputs, or a list for each output with one array for each device.
        """
        require_ready(self, "get_outputs()")
        return self._modules[-1].get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the inputs of the first module.

        The parameters are those of :meth:`BaseModule.get_input_grads`.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The gradients, or a list for each input with one array for each device.
        """
        ready = self.binded and self.params_initialized and self.inputs_need_grad
        require(ready, "to get the gradients of the inputs, call bind() with inputs_need_grad=True")
        return self._modules[0].get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the modules that use labels.

        The parameters are those of :meth:`BaseModule.update_metric`.
        """
        require_ready(self, "update_metric()")
        for module, meta in zip(self._modules, self._metas, strict=True):
            if meta.get(self.META_TAKE_LABELS):
                module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor in all modules.

        The parameters are those of :meth:`BaseModule.install_monitor`.
        """
        require(self.binded, "call bind() before install_monitor()")
        for module in self._modules:
            module.install_monitor(mon)
