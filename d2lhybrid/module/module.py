"""A symbol with its parameters, which can be bound, initialized, trained, and saved."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from typing import Any

from ..context import Context, cpu
from ..initializer import InitDesc, Uniform
from ..internals.support.filesystem import files_together
from ..internals.support.number_arguments import epoch_file
from ..internals.support.plural import counted
from ..io import DataDesc
from ..model.checkpoint import load_checkpoint
from .executor_group import DataParallelExecutorGroup
from .inputs import check_input_names, describe_inputs, require, require_ready, shapes_of, zeros_like_first
from .optimized import Optimized

__all__ = ["Module"]


class Module(Optimized):
    """A symbol with its parameters.

    Parameters
    ----------
    symbol : Symbol
        The graph, usually with a loss at its end.
    data_names, label_names : sequence of str
        Names of the arguments that are inputs from a batch.
    logger : logging.Logger
        Logger for progress messages.
    context : Context or list of Context
        Device, or list of devices over which batches are split.
    work_load_list : list of number, optional
        Relative workload of each device.
    fixed_param_names, state_names : sequence of str, optional
        Names of parameters that training does not change, and of arguments that the module carries from batch to batch.
    group2ctxs : dict or list of dict, optional
        The device, or list of devices, for the variables of each context group.
    compression_params : dict, optional
        Settings of the compression of gradients; see :meth:`~d2lhybrid.kvstore.KVStore.set_gradient_compression`.

    Raises
    ------
    ValueError
        If the symbol has no argument with one of the specified names. A missing label name only causes a warning.
    TypeError
        If ``context`` is neither a context nor a list of contexts.
    AssertionError
        If ``work_load_list`` does not have a number for each context.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    >>> module = mx.mod.Module(mx.sym.SoftmaxOutput(x, name="softmax"))
    >>> module.bind([("data", (4, 3))], [("softmax_label", (4,))])
    >>> module.init_params(mx.init.One())
    >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]), is_train=False)
    >>> module.get_outputs()[0].shape, module.output_shapes
    ((4, 2), [('softmax_output', (4, 2))])
    """

    for_training: bool
    inputs_need_grad: bool

    def __init__(
        self,
        symbol: Any,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Any = cpu(),  # noqa: B008
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger=logger)
        self._context: list[Context] = [context] if isinstance(context, Context) else list(context)
        if not self._context or not all(isinstance(ctx, Context) for ctx in self._context):
            raise TypeError(
                f"context must be a context such as mx.cpu(), or a nonempty list of contexts, not {context!r}"
            )
        self._work_load_list = [1] * len(self._context) if work_load_list is None else work_load_list
        require(
            len(self._work_load_list) == len(self._context),
            f"work_load_list must have {counted(len(self._context), 'number')}, one for each context, not "
            f"{len(self._work_load_list)}",
        )
        self._group2ctxs, self._symbol, self._compression_params = group2ctxs, symbol, compression_params
        self._data_names, self._label_names = list(data_names or []), list(label_names or [])
        self._state_names, self._fixed_param_names = list(state_names or []), list(fixed_param_names or [])
        check_input_names(symbol, self._data_names, "data", True)
        check_input_names(symbol, self._label_names, "label", False)
        check_input_names(symbol, self._state_names, "state", True)
        check_input_names(symbol, self._fixed_param_names, "fixed_param", True)
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names = [name for name in symbol.list_arguments() if name not in inputs]
        self._aux_names, self._output_names = symbol.list_auxiliary_states(), symbol.list_outputs()
        self._arg_params: Any = None
        self._aux_params: Any = None
        self._params_dirty = False
        self._grad_req: Any = None
        self._exec_group: Any = None
        self._data_shapes: Any = None
        self._label_shapes: Any = None

    # --- files -----------------------------------------------------------------------------------

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: Any) -> Module:
        """Return a module from a checkpoint. The module is not bound.

        Parameters
        ----------
        prefix, epoch
            Arguments of :meth:`save_checkpoint`.
        load_optimizer_states : bool
            Whether to restore the saved states of the optimizer.
        **kwargs
            Additional arguments of :class:`Module`.

        Returns
        -------
        Module
            The module.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        module = Module(symbol=symbol, **kwargs)
        module._arg_params, module._aux_params = arg_params, aux_params
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = epoch_file(prefix, epoch, "states")
        return module

    def save_checkpoint(
        self, prefix: str, epoch: int, save_optimizer_states: bool = False, remove_amp_cast: bool = True
    ) -> None:
        """Save the graph, the parameters, and optionally the states of the optimizer, to separate files.

        Parameters
        ----------
        prefix : str
            Prefix of the file paths.
        epoch : int
            Epoch number in the names of the files.
        save_optimizer_states : bool
            Whether to also save the states of the optimizer.
        remove_amp_cast : bool
            Ignored; accepted because MXNet's method has this parameter.
        """
        ready = self.optimizer_initialized or not save_optimizer_states
        require(ready, "call init_optimizer() before save_checkpoint(save_optimizer_states=True)")
        name, states = epoch_file(prefix, epoch), epoch_file(prefix, epoch, "states")
        with files_together():
            self._symbol.save(f"{prefix}-symbol.json", remove_amp_cast=remove_amp_cast)
            self.save_params(name)
            if save_optimizer_states:
                self.save_optimizer_states(states)
        logging.info('Saved checkpoint to "%s"', name)
        if save_optimizer_states:
            logging.info('Saved optimizer state to "%s"', states)

    # --- properties ------------------------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """The names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the inputs."""
        require(self.binded, "call bind() before you read data_shapes")
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels, or None if the module is bound without labels."""
        require(self.binded, "call bind() before you read label_shapes")
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """The names and shapes of the outputs."""
        require(self.binded, "call bind() before you read output_shapes")
        return self._exec_group.get_output_shapes()

    # --- parameters ------------------------------------------------------------------------------

    def get_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the current arguments and auxiliary states as arrays on the CPU.

        Returns
        -------
        tuple of (dict of str to NDArray, dict of str to NDArray)
            The arguments and the auxiliary states, by name.
        """
        require(self.params_initialized, "call init_params() before get_params()")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params

    def _sync_params_from_devices(self) -> None:
        self._exec_group.get_params(self._arg_params, self._aux_params)
        self._params_dirty = False

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

        Parameters
        ----------
        initializer : Initializer
            Initializer of parameters without a value.
        arg_params, aux_params : dict of str to NDArray, optional
            Values by name.
        allow_missing : bool
            Whether to use the initializer for parameters that the dictionaries lack, instead of raising an error.
        force_init : bool
            Whether to initialize parameters that are already initialized.
        allow_extra : bool
            Ignored. This method always accepts additional names, such as those of other modules in a sequence, but
            :meth:`set_params` does not if ``allow_missing`` is True.

        Raises
        ------
        AssertionError
            If the module is not bound.
        RuntimeError
            If a dictionary is passed without the value of a parameter, and ``allow_missing`` is False.
        """
        if self.params_initialized and not force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. init_params call ignored.", stacklevel=2
            )
            return
        require(self.binded, "call bind() before init_params()")
        attributes = self._symbol.attr_dict()
        for arrays, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            for name, array in sorted(arrays.items()):
                value = None if given is None else given.get(name)
                if value is not None:
                    if value is not array:
                        value.copyto(array)
                    continue
                if given is not None and not allow_missing:
                    raise RuntimeError(f"{name} is not presented")
                if initializer is not None:
                    initializer(InitDesc(name, attributes.get(name)), array)
        self.params_initialized, self._params_dirty = True, False
        self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=allow_extra)

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Set the values of parameters.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values by name.
        allow_missing : bool
            Whether to leave parameters without a value unchanged.
        force_init : bool
            Whether to set parameters that are already initialized.
        allow_extra : bool
            Whether to accept values without a parameter if ``allow_missing`` is True.

        Raises
        ------
        RuntimeError
            If ``allow_missing`` is False and a parameter has no value.
        ValueError
            If ``allow_missing`` is True and a value has no parameter, unless ``allow_extra`` is True.
        """
        if not allow_missing:
            self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warnings.warn("Parameters already initialized and force_init=False. set_params call ignored.", stacklevel=2)
            return
        self._exec_group.set_params(arg_params, aux_params, allow_extra=allow_extra)
        self._params_dirty = self.params_initialized = True

    # --- binding ---------------------------------------------------------------------------------

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
        """Create the executors for inputs of fixed shapes.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc or of (name, shape)
            Descriptions of the inputs.
        for_training, inputs_need_grad : bool
            Whether to compute gradients, and whether to also compute gradients of the inputs.
        force_rebind : bool
            Whether to bind a module that is already bound.
        shared_module : Module, optional
            Another module, whose parameters, memory, and optimizer this module shares.
        grad_req : str, list of str or dict of str
            Gradient requests of the parameters.

        Raises
        ------
        ValueError
            If the names of the data differ from the module's names.
        AssertionError
            If the options contradict each other, or if ``shared_module`` is not a bound module with parameters or is
            bound on too few devices.
        """
        if force_rebind:
            self.binded, self._exec_group, self._data_shapes, self._label_shapes = False, None, None, None
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(for_training or not inputs_need_grad, "inputs_need_grad=True requires for_training=True")
        data, labels = describe_inputs(self._data_names, self._label_names, data_shapes, label_shapes)
        shared_group = None
        if shared_module is not None:
            require(
                isinstance(shared_module, Module) and shared_module.binded and shared_module.params_initialized,
                "shared_module must be a bound Module with initialized parameters",
            )
            shared_group = shared_module._exec_group
            require(
                len(shared_group.execs) >= len(self._context),
                f"shared_module has {counted(len(shared_group.execs), 'device')}, but this module has "
                f"{len(self._context)}: bind shared_module on at least {counted(len(self._context), 'device')}",
            )
        self._exec_group = DataParallelExecutorGroup(
            self._symbol, self._context, self._work_load_list, data, labels, self._param_names, for_training,
            inputs_need_grad, shared_group, logger=self.logger, fixed_param_names=self._fixed_param_names,
            grad_req=grad_req, group2ctxs=self._group2ctxs, state_names=self._state_names,
        )  # fmt: skip
        self.for_training, self.inputs_need_grad, self._grad_req = for_training, inputs_need_grad, grad_req
        self._data_shapes, self._label_shapes = data, labels
        self._total_exec_bytes = self._exec_group._total_exec_bytes
        if shared_module is not None:
            self.params_initialized: bool = True
            self._arg_params, self._aux_params = shared_module._arg_params, shared_module._aux_params
        elif self.params_initialized:
            self._exec_group.set_params(self._arg_params, self._aux_params)
        else:
            group = self._exec_group
            self._arg_params = zeros_like_first(self._param_names, group.param_arrays, self._symbol.attr_dict())
            self._aux_params = zeros_like_first(self._aux_names, group.aux_arrays)
        if shared_module is not None and shared_module.optimizer_initialized:
            self.borrow_optimizer(shared_module)
        self.binded: bool = True

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Switch to inputs of other shapes, and keep the parameters.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc or of (name, shape)
            Descriptions of the inputs.
        """
        require(self.binded, "call bind() before reshape()")
        data, labels = describe_inputs(self._data_names, self._label_names, data_shapes, label_shapes)
        self._exec_group.reshape(data, labels)
        self._data_shapes, self._label_shapes = data, labels

    # --- running ---------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the forward pass.

        Parameters
        ----------
        data_batch : DataBatch or list of DataBatch
            A batch of any size, or a list with a batch for each device.
        is_train : bool, optional
            Whether layers behave as in training; by default, the setting of ``bind``.
        """
        require_ready(self, "forward()")
        shapes = shapes_of(data_batch)
        if shapes != tuple(x.shape for x in self._data_shapes):
            first = data_batch[0] if isinstance(data_batch, list) else data_batch
            data = getattr(data_batch, "provide_data", None)
            labels = getattr(data_batch, "provide_label", None)
            if not data:
                data = [
                    DataDesc(x.name, shape, x.dtype, x.layout)
                    for x, shape in zip(self._data_shapes, shapes, strict=False)  # additional arrays are ignored
                ]
            if not labels and getattr(first, "label", None) and self._label_shapes:
                count = len(data_batch) if isinstance(data_batch, list) else 1
                labels = [
                    DataDesc(x.name, (label.shape[0] * count, *label.shape[1:]), x.dtype, x.layout)
                    for x, label in zip(self._label_shapes, first.label, strict=False)
                ]
            self.reshape(data, labels or None)
        self._exec_group.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            Gradients with respect to the outputs. Not required if the outputs are losses.
        """
        require_ready(self, "backward()")
        self._exec_group.backward(out_grads=out_grads)

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last ``forward``.

        The parameters are those of :meth:`BaseModule.get_outputs`.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The outputs, or a list for each output with one array for each device.
        """
        require_ready(self, "get_outputs()")
        return self._exec_group.get_outputs(merge_multi_context=merge_multi_context)

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
        return self._exec_group.get_input_grads(merge_multi_context=merge_multi_context)

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states on all devices.

        Parameters
        ----------
        merge_multi_context : bool
            Must be False, because the states of the devices cannot be concatenated.

        Returns
        -------
        list of list of NDArray
            A list for each state, with one array for each device.
        """
        require_ready(self, "get_states()")
        return self._exec_group.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states to arrays, or set all their elements to a number.

        The parameters are those of :meth:`BaseModule.set_states`.
        """
        require_ready(self, "set_states()")
        self._exec_group.set_states(states, value)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last ``forward``.

        The parameters are those of :meth:`BaseModule.update_metric`.
        """
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor, which records computed values.

        Parameters
        ----------
        mon : Monitor
            The monitor.
        """
        require(self.binded, "call bind() before install_monitor()")
        self._exec_group.install_monitor(mon)

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Do nothing, because row-sparse parameters always contain all rows.

        Parameters
        ----------
        data_batch : DataBatch
            Ignored.
        sparse_row_id_fn : callable, optional
            Ignored. The method warns if this argument is passed and the store does not update the parameters.
        """
        require(self.binded, "call bind() before prepare()")
        if sparse_row_id_fn is not None and not (self._kvstore and self._update_on_kvstore):
            warnings.warn("Parameters are not updated in the KVStore. No need to call sparse_row_id_fn.", stacklevel=2)
