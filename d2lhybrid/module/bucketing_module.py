"""A group of modules with shared parameters, one module for each bucket, such as sentences of equal length."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .. import ndarray as nd
from .. import symbol as sym
from ..context import cpu
from ..initializer import Uniform
from ..internals.support.filesystem import files_together
from ..internals.support.number_arguments import epoch_file
from ..model.checkpoint import load_params
from ..name import NameManager
from .base_module import BaseModule
from .inputs import check_input_names, require, require_ready
from .module import Module

__all__ = ["BucketingModule"]


class BucketingModule(BaseModule):
    """A group of modules with shared parameters, one module for each bucket key.

    Parameters
    ----------
    sym_gen : callable
        Function of a key that returns a tuple of the symbol, the names of the data, and the names of the labels.
    default_bucket_key : hashable
        Key of the module whose memory all modules share. The batches of this key must be the largest.
    logger, context, work_load_list, fixed_param_names, state_names, group2ctxs, compression_params
        Arguments of :class:`Module`.

    Raises
    ------
    AssertionError
        If there is no default key.
    """

    params_initialized: bool
    for_training: bool
    inputs_need_grad: bool

    def __init__(
        self,
        sym_gen: Callable[[Any], tuple[Any, Any, Any]],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Any = cpu(),  # noqa: B008
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger=logger)
        require(default_bucket_key is not None, "default_bucket_key is required")
        self._default_bucket_key, self._sym_gen = default_bucket_key, sym_gen
        symbol, data_names, label_names = self._call_sym_gen(default_bucket_key)
        check_input_names(symbol, list(data_names or []), "data", True)
        check_input_names(symbol, list(label_names or []), "label", False)
        check_input_names(symbol, list(state_names or []), "state", True)
        check_input_names(symbol, list(fixed_param_names or []), "fixed_param", True)
        self._settings = {
            "logger": logger, "context": context, "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names, "state_names": state_names, "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }  # fmt: skip
        self._buckets: dict[Any, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Any = None
        self._params_dirty = False
        self._monitor: Any = None
        self._grad_req: Any = None

    def _call_sym_gen(self, key: Any) -> tuple[Any, Any, Any]:
        with NameManager():  # each key gets the same automatic names
            return self._sym_gen(key)

    def _module_for(self, key: Any) -> Module:
        return Module(*self._call_sym_gen(key), **self._settings)

    # --- properties of the current module ----------------------------------------------------------

    @property
    def data_names(self) -> Any:
        """The names of the inputs."""
        return self._curr_module.data_names if self.binded else self._call_sym_gen(self._default_bucket_key)[1]

    @property
    def output_names(self) -> Any:
        """The names of the outputs."""
        if self.binded:
            return self._curr_module.output_names
        return self._call_sym_gen(self._default_bucket_key)[0].list_outputs()

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the inputs."""
        require(self.binded, "call bind() before you read data_shapes")
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels."""
        require(self.binded, "call bind() before you read label_shapes")
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs."""
        require(self.binded, "call bind() before you read output_shapes")
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Any:
        """The symbol of the current module."""
        require(self.binded, "call bind() before you read symbol")
        return self._curr_module.symbol

    # --- parameters --------------------------------------------------------------------------------

    def get_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the current arguments and auxiliary states.

        Returns
        -------
        tuple of (dict of str to NDArray, dict of str to NDArray)
            The arguments and the auxiliary states, by name.
        """
        require(self.params_initialized, "call init_params() before get_params()")
        self._curr_module._params_dirty = self._params_dirty
        params = self._curr_module.get_params()
        self._params_dirty = False
        return params

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Set the values of parameters. With ``allow_missing``, parameters without a value stay unchanged.

        The parameters are those of :meth:`Module.set_params`.
        """
        if not allow_missing:
            self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warnings.warn("Parameters already initialized and force_init=False. set_params call ignored.", stacklevel=2)
            return
        self._curr_module.set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
        self._params_dirty = self.params_initialized = True

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize all parameters.

        The parameters are those of :meth:`Module.init_params`.
        """
        if self.params_initialized and not force_init:
            return
        require(self.binded, "call bind() before init_params()")
        self._curr_module.init_params(initializer, arg_params, aux_params, allow_missing, force_init, allow_extra)
        self._params_dirty, self.params_initialized = False, True

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states of the current module.

        The parameters are those of :meth:`Module.get_states`.

        Returns
        -------
        list of list of NDArray
            A list for each state, with one array for each device.
        """
        require_ready(self, "get_states()")
        return self._curr_module.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states of the current module.

        The parameters are those of :meth:`Module.set_states`.
        """
        require_ready(self, "set_states()")
        self._curr_module.set_states(states, value)

    # --- binding -----------------------------------------------------------------------------------

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
        """Bind the module of the default key.

        The parameters are those of :meth:`Module.bind`.
        """
        params = self.get_params() if self.params_initialized else None
        if force_rebind:
            self.binded, self._buckets, self._curr_module, self._curr_bucket_key = False, {}, None, None
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(shared_module is None, "shared_module for BucketingModule is not supported")
        module = self._buckets.get(self._default_bucket_key)
        if module is None:
            module = self._module_for(self._default_bucket_key)
        module.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self.for_training, self.inputs_need_grad, self._grad_req = for_training, inputs_need_grad, grad_req
        self.binded: bool = True
        self._curr_module, self._curr_bucket_key = module, self._default_bucket_key
        self._buckets[self._default_bucket_key] = module
        if params is not None:
            self.set_params(*params)

    def switch_bucket(self, bucket_key: Any, data_shapes: Any, label_shapes: Any = None) -> None:
        """Switch to the module of a key, which is created and bound on first use.

        Parameters
        ----------
        bucket_key : hashable
            Bucket key of the module.
        data_shapes, label_shapes : list of DataDesc or of (name, shape)
            Descriptions of the inputs of the key's module.
        """
        require(self.binded, "call bind() before switch_bucket()")
        module = self._buckets.get(bucket_key)
        if module is None or not module.binded:
            require(
                data_shapes is not None,
                f"the data shapes of bucket {bucket_key!r} are unknown: set bucket_key and provide_data of the batch",
            )
        if module is None:
            module = self._module_for(bucket_key)
        if not module.binded:
            module.bind(
                data_shapes, label_shapes, self._curr_module.for_training, self._curr_module.inputs_need_grad,
                shared_module=self._buckets[self._default_bucket_key], grad_req=self._grad_req,
            )  # fmt: skip
            if self._monitor is not None:
                module.install_monitor(self._monitor)
        self._buckets[bucket_key] = module
        self._curr_module, self._curr_bucket_key = module, bucket_key

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Create the optimizer that all modules share.

        The parameters are those of :meth:`Module.init_optimizer`.
        """
        require_ready(self, "init_optimizer()")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        self._curr_module.init_optimizer(kvstore, optimizer, optimizer_params, force_init=force_init)
        for module in self._buckets.values():
            if module is not self._curr_module:
                module.borrow_optimizer(self._curr_module)
        self.optimizer_initialized = True

    # --- running -----------------------------------------------------------------------------------

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Create and bind the module for the next batch if necessary, but keep the current module.

        The parameters are those of :meth:`BaseModule.prepare`.
        """
        require_ready(self, "prepare()")
        current = self._curr_bucket_key
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self.switch_bucket(current, None, None)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the forward pass of the module for the batch's bucket key.

        The parameters are those of :meth:`BaseModule.forward`.
        """
        require_ready(self, "forward()")
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.forward(data_batch, is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass of the current module.

        The parameters are those of :meth:`BaseModule.backward`.
        """
        require_ready(self, "backward()")
        self._curr_module.backward(out_grads=out_grads)

    def update(self) -> None:
        """Update the parameters with the optimizer."""
        ready = self.binded and self.params_initialized and self.optimizer_initialized
        require(ready, "call bind(), init_params(), and init_optimizer() before update()")
        self._params_dirty = True
        self._curr_module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last ``forward``.

        The parameters are those of :meth:`BaseModule.get_outputs`.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The outputs, or a list for each output with one array for each device.
        """
        require_ready(self, "get_outputs()")
        return self._curr_module.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the inputs.

        The parameters are those of :meth:`BaseModule.get_input_grads`.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The gradients, or a list for each input with one array for each device.
        """
        ready = self.binded and self.params_initialized and self.inputs_need_grad
        require(ready, "to get the gradients of the inputs, call bind() with inputs_need_grad=True")
        return self._curr_module.get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last ``forward``.

        The parameters are those of :meth:`BaseModule.update_metric`.
        """
        require_ready(self, "update_metric()")
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor in all modules, including modules that are created later.

        The parameters are those of :meth:`BaseModule.install_monitor`.
        """
        require(self.binded, "call bind() before install_monitor()")
        self._monitor = mon
        for module in self._buckets.values():
            module.install_monitor(mon)

    # --- files -------------------------------------------------------------------------------------

    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool = False) -> None:
        """Save the parameters, the graph of each bucket, and the bucket keys, which must be numbers.

        Parameters
        ----------
        prefix : str
            Prefix of the file paths. The bucket keys are in ``prefix.buckets``.
        epoch : int
            Epoch number in the name of the parameter file.
        remove_amp_cast : bool
            Ignored; accepted because MXNet's method has this parameter.
        """
        require(len(self._buckets) > 0, "Empty BucketingModule cannot be saved")
        keys = nd.array(list(self._buckets), dtype=numpy.int32)  # fails if a key is not a number
        graphs = {key: self._sym_gen(key)[0] for key in self._buckets}
        with files_together():
            self.save_params(epoch_file(prefix, epoch))
            for key, graph in graphs.items():
                graph.save(f"{prefix}-{key}-symbol.json", remove_amp_cast=remove_amp_cast)
            nd.save(f"{prefix}.buckets", keys)

    @staticmethod
    def load(
        prefix: str, epoch: int, sym_gen: Any = None, default_bucket_key: Any = None, **kwargs: Any
    ) -> BucketingModule:
        """Return an unbound module from the files of :meth:`save_checkpoint`.

        Parameters
        ----------
        prefix, epoch
            Arguments of :meth:`save_checkpoint`.
        sym_gen, default_bucket_key
            Arguments of :class:`BucketingModule`.
        **kwargs : object
            Additional arguments of :class:`BucketingModule`.

        Returns
        -------
        BucketingModule
            The module, with the saved parameters.

        Raises
        ------
        AssertionError
            If ``sym_gen`` or ``default_bucket_key`` is missing.
        """
        require(sym_gen is not None, "sym_gen is required for loading BucketingModule")
        require(default_bucket_key is not None, "default_bucket_key is required for loading BucketingModule")
        keys = [int(key) for key in nd.load(f"{prefix}.buckets")[0].asnumpy().astype("int32")]
        symbols = {key: sym.load(f"{prefix}-{key}-symbol.json") for key in keys}
        arg_params, aux_params = load_params(prefix, epoch)
        return BucketingModule.load_dict(symbols, sym_gen, default_bucket_key, arg_params, aux_params, **kwargs)

    @staticmethod
    def load_dict(
        sym_dict: Any = None,
        sym_gen: Any = None,
        default_bucket_key: Any = None,
        arg_params: Any = None,
        aux_params: Any = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Return an unbound module from a dictionary of symbols, and from parameters.

        Parameters
        ----------
        sym_dict : dict, optional
            The symbol of each key, which takes precedence over the symbol from ``sym_gen``.
        sym_gen, default_bucket_key
            Arguments of :class:`BucketingModule`.
        arg_params, aux_params : dict of str to NDArray, optional
            Values of arguments and of auxiliary states.
        **kwargs : object
            Additional arguments of :class:`BucketingModule`.

        Returns
        -------
        BucketingModule
            The module, with the parameters.

        Raises
        ------
        AssertionError
            If ``sym_dict``, ``arg_params``, ``aux_params``, or ``default_bucket_key`` is missing.
        """
        for name, value in (("sym_dict", sym_dict), ("arg_params", arg_params), ("aux_params", aux_params)):
            require(value is not None, f"{name} needs to be provided for BucketingModule.load_dict")
        require(default_bucket_key is not None, "default_bucket_key needs to be provided for BucketingModule.load_dict")
        module = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        for key, symbol in sym_dict.items():
            _, data_names, label_names = sym_gen(key)
            module._buckets[key] = Module(symbol, data_names, label_names, **kwargs)
        module._curr_module = module._buckets[default_bucket_key]
        module._curr_module._arg_params, module._curr_module._aux_params = arg_params, aux_params
        module._curr_module.params_initialized = module.params_initialized = True
        return module
