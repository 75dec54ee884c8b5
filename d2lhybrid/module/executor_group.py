"""Executors of a symbol on several devices, each of which processes a slice of the batch."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from .. import ndarray as nd
from ..context import Context, cpu
from ..executor_manager import split_input_slice
from ..internals.core.infer import dtype_in
from ..internals.support.display import Shown
from ..internals.support.plural import counted
from ..io import DataDesc
from .inputs import require

__all__ = ["DataParallelExecutorGroup"]


class DataParallelExecutorGroup(Shown):
    """A group of executors of a symbol, one executor for each device.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    contexts : list of Context
        The devices.
    workload : list of number
        Relative workload of each device.
    data_shapes, label_shapes : list of DataDesc
        Descriptions of the inputs.
    param_names : list of str
        Names of the arguments that are parameters.
    for_training, inputs_need_grad : bool
        Whether to compute gradients, and whether to also compute gradients of the inputs.
    shared_group : DataParallelExecutorGroup, optional
        Another group, whose parameters and memory this group shares.
    logger : logging.Logger
        Logger for progress messages.
    fixed_param_names, state_names : list of str, optional
        Names of parameters without a gradient, and names of arguments that are states.
    grad_req : str, list of str or dict of str
        Gradient requests of the parameters.
    group2ctxs : dict or list of dict, optional
        Devices of the variables in each context group.

    Attributes
    ----------
    execs : list of Executor
        An executor for each device.
    param_arrays, grad_arrays, aux_arrays, state_arrays : list of list of NDArray
        A list for each name, with an array for each device.
    """

    symbol: Any
    contexts: list[Context]
    workload: Sequence[float]
    logger: Any
    arg_names: Any
    aux_names: Any
    for_training: bool
    inputs_need_grad: bool
    fixed_param_names: list[str]
    state_names: list[str]
    data_shapes: Any
    label_shapes: Any | None

    def __init__(
        self,
        symbol: Any,
        contexts: list[Context],
        workload: Sequence[float],
        data_shapes: Any,
        label_shapes: Any,
        param_names: list[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: DataParallelExecutorGroup | None = None,
        logger: Any = logging,
        fixed_param_names: list[str] | None = None,
        grad_req: Any = "write",
        state_names: list[str] | None = None,
        group2ctxs: Any = None,
    ) -> None:
        self.symbol, self.contexts, self.workload, self.logger = symbol, contexts, workload, logger
        self.param_names = param_names
        self.arg_names, self.aux_names = symbol.list_arguments(), symbol.list_auxiliary_states()
        self.group2ctxs: list[dict[str, Context] | None] = prepare_group2ctxs(group2ctxs, len(contexts))
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self.fixed_param_names, self.state_names = fixed_param_names or [], state_names or []
        data_shapes = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in data_shapes]
        if label_shapes is not None:
            label_shapes = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in label_shapes]
        self.grad_req: dict[str, str] = self._requests(
            grad_req if for_training else "null", {x.name for x in data_shapes}
        )
        self.shared_data_arrays: list[dict[str, Any]] = (
            [{} for _ in contexts] if shared_group is None else shared_group.shared_data_arrays
        )
        self.output_names: list[str] = symbol.list_outputs()
        self.output_layouts: list[int] = [
            DataDesc.get_batch_axis(symbol[i].attr("__layout__")) for i in range(len(self.output_names))
        ]
        self.execs: list[Any] = []
        self._default_execs: list[Any] | None = None
        self._total_exec_bytes = 0
        self.bind_exec(data_shapes, label_shapes, shared_group)

    def _requests(self, grad_req: Any, data_names: set[str]) -> dict[str, str]:
        """Return the gradient request of each argument."""
        if isinstance(grad_req, list | tuple):
            require(
                len(grad_req) == len(self.arg_names),
                f"grad_req must have {counted(len(self.arg_names), 'value')}, one per argument, not {len(grad_req)}",
            )
            return dict(zip(self.arg_names, grad_req, strict=True))
        if not isinstance(grad_req, str | dict):
            raise ValueError("grad_req must be one of str, list, tuple, or dict.")
        usual = grad_req if isinstance(grad_req, str) else "write"
        requests, trained = {}, set(self.param_names) - set(self.fixed_param_names)
        for name in self.arg_names:
            requests[name] = usual if name in trained or (name in data_names and self.inputs_need_grad) else "null"
        return {**requests, **(grad_req if isinstance(grad_req, dict) else {})}

    # --- binding -----------------------------------------------------------------------------------

    def _decide_slices(self, shapes: Sequence[DataDesc]) -> list[int]:
        """Return the batch axis of each input, after checking that all batch sizes are equal."""
        axes = [DataDesc.get_batch_axis(x.layout) for x in shapes]
        for (name, shape), axis in zip(shapes, axes, strict=True):
            if axis == -1:
                continue
            if self.batch_size is None:
                self.batch_size = shape[axis]
                self.slices = split_input_slice(self.batch_size, self.workload)
            require(
                shape[axis] == self.batch_size,
                f"all data must have the same batch size: batch_size = {self.batch_size}, but {name} has shape {shape}",
            )
        return axes

    def bind_exec(self, data_shapes: Any, label_shapes: Any, shared_group: Any = None, reshape: bool = False) -> None:
        """Create the executors.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc
            Descriptions of the inputs.
        shared_group : DataParallelExecutorGroup, optional
            Another group, whose memory this group shares.
        reshape : bool
            Whether to share all memory with the executors of the original shapes.
        """
        require(len(data_shapes) > 0, "data_shapes must not be empty")
        self.batch_size: int | None = None
        self.slices: list[slice] = []
        self.data_layouts: list[int] = self._decide_slices(data_shapes)
        self.label_layouts: list[int] = [] if label_shapes is None else self._decide_slices(label_shapes)
        executors = []
        for i in range(len(self.contexts)):
            data = self._sliced(data_shapes, i, self.data_layouts)
            labels = self._sliced(label_shapes or [], i, self.label_layouts)
            if reshape:
                assert self._default_execs is not None
                shapes = dict(d for d in [*data, *labels] if d.name in self.arg_names)
                executors.append(self._default_execs[i].reshape(allow_up_sizing=True, **shapes))
            else:
                executors.append(self._bind_one(i, data, labels, shared_group))
        self.execs = executors
        self.data_shapes, self.label_shapes = data_shapes, label_shapes
        self.data_names: list[Any] = [x.name for x in data_shapes]
        self.label_names = [x.name for x in label_shapes or []]
        self._collect()

    def _bind_one(self, i: int, data: list[DataDesc], labels: list[DataDesc], shared_group: Any) -> Any:
        types = {x.name: x.dtype for x in data}
        attributes = self.symbol.attr_dict()
        for name in types:
            types[name] = dtype_in(attributes.get(name, {}), name) or types[name]
        types.update({x.name: x.dtype for x in labels})
        executor = self.symbol.simple_bind(
            ctx=self.contexts[i], grad_req=self.grad_req, type_dict=types, shared_arg_names=self.param_names,
            shared_exec=None if shared_group is None else shared_group.execs[i], group2ctx=self.group2ctxs[i],
            shared_buffer=self.shared_data_arrays[i], **dict([*data, *labels]),
        )  # fmt: skip
        self._total_exec_bytes += sum(output._data.nbytes for output in executor.outputs)
        return executor

    def _sliced(self, shapes: Sequence[DataDesc], i: int, axes: Sequence[int]) -> list[DataDesc]:
        sliced = []
        for described, axis in zip(shapes, axes, strict=True):
            shape = list(described.shape)
            if axis >= 0:
                shape[axis] = self.slices[i].stop - self.slices[i].start
            sliced.append(DataDesc(described.name, tuple(shape), described.dtype, described.layout))
        return sliced

    def _collect(self) -> None:
        """Collect the arrays of all executors, by name."""
        kinds = ("arg_dict", "grad_dict", "aux_dict")
        by_name = {kind: [getattr(e, kind) for e in self.execs] for kind in kinds}

        def of_each(name: str, kind: str = "arg_dict") -> list[Any]:
            return [arrays[name] for arrays in by_name[kind]]

        params = set(self.param_names)
        parameters = [name for name in self.arg_names if name in params]
        self.state_arrays: list[list[Any]] = [of_each(name) for name in self.state_names]
        self.param_arrays: list[list[Any]] = [of_each(name) for name in parameters]
        self.grad_arrays: list[list[Any]] | None = (
            [of_each(name, "grad_dict") for name in parameters] if self.for_training else None
        )
        self.aux_arrays: list[list[Any]] = [of_each(name, "aux_dict") for name in self.aux_names]
        self.input_grad_arrays: list[list[Any]] | None = None
        if self.inputs_need_grad:
            named = [name for name in self.data_names if name in self.arg_names]
            self.input_grad_arrays = [of_each(name, "grad_dict") for name in named]

    def reshape(self, data_shapes: Any, label_shapes: Any) -> None:
        """Switch to inputs of other shapes, and keep the memory of the original shapes.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc
            Descriptions of the inputs.
        """
        if data_shapes == self.data_shapes and label_shapes == self.label_shapes:
            return
        if self._default_execs is None:
            self._default_execs = list(self.execs)
        self.bind_exec(data_shapes, label_shapes, reshape=True)

    # --- parameters ----------------------------------------------------------------------------------

    def set_params(self, arg_params: Any, aux_params: Any, allow_extra: bool = False) -> None:
        """Copy parameters to all devices.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values of the parameters and of the auxiliary states.
        allow_extra : bool
            Whether to accept names that the graph lacks.
        """
        for executor in self.execs:
            executor.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(self, arg_params: dict[str, Any], aux_params: dict[str, Any]) -> None:
        """Average each parameter and auxiliary state over the devices, and copy the means into existing arrays.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            The arrays to write to, by name.
        """
        averaged = set(self.param_names)
        names = [name for name in self.arg_names if name in averaged]
        for target, block_names, blocks in (
            (arg_params, names, self.param_arrays),
            (aux_params, self.aux_names, self.aux_arrays),
        ):
            for name, block in zip(block_names, blocks, strict=True):
                total = block[0].copyto(cpu())
                for other in block[1:]:
                    total = total + other.copyto(cpu())
                mean = total / len(block) if len(block) > 1 else total
                mean.astype(target[name].dtype).copyto(target[name])

    # --- running -------------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Copy a batch into the inputs, and run the forward pass on all devices.

        Parameters
        ----------
        data_batch : DataBatch or list of DataBatch
            The batch, or a batch for each device.
        is_train : bool, optional
            Whether layers behave as in training; by default, the value of ``for_training``.
        """
        in_parts = isinstance(data_batch, list)
        first = data_batch[0] if in_parts else data_batch
        kinds = [("data", self.data_names, self.data_layouts)]
        if self.label_shapes is not None and first.label:
            kinds.append(("label", self.label_names, self.label_layouts))
        for kind, names, axes in kinds:
            for k, (name, axis) in enumerate(zip(names, axes, strict=True)):
                targets = [e.arg_dict.get(name) for e in self.execs]
                if in_parts:
                    parts = [getattr(b, kind)[k] for b in data_batch]
                else:
                    parts = self._parts(getattr(data_batch, kind)[k], axis)
                for part, target in zip(parts, targets, strict=True):
                    if target is not None:
                        part.copyto(target)
        for executor in self.execs:
            executor.forward(is_train=self.for_training if is_train is None else is_train)

    def _parts(self, array: Any, axis: int) -> list[Any]:
        """Return the slice of an array for each device, or the whole array if it has no batch axis."""
        if axis < 0 or len(self.execs) == 1:
            return [array] * len(self.execs)
        return [nd.slice_axis(array, axis=axis, begin=s.start, end=s.stop) for s in self.slices]

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass on all devices.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            Gradients with respect to the outputs. Not required if the outputs are losses.
        """
        require(self.for_training, "to run backward(), call bind() with for_training=True")
        grads = [] if out_grads is None else out_grads
        split = [self._parts(g, axis) for g, axis in zip(grads, self.output_layouts, strict=False)]
        for i, executor in enumerate(self.execs):
            executor.backward(out_grads=[parts[i].as_in_context(self.contexts[i]) for parts in split])

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the names and shapes of the outputs for the whole batch.

        Returns
        -------
        list of (str, tuple of int)
            Names and shapes.
        """
        shapes = []
        for name, output, axis in zip(self.output_names, self.execs[0].outputs, self.output_layouts, strict=True):
            shape = list(output.shape)
            if axis >= 0:
                assert self.batch_size is not None
                shape[axis] = self.batch_size
            shapes.append((name, tuple(shape)))
        return shapes

    def get_outputs(self, merge_multi_context: bool = True, begin: int = 0, end: int | None = None) -> Any:
        """Return the outputs of the last ``forward``.

        Parameters
        ----------
        merge_multi_context : bool
            Whether to concatenate the arrays of all devices.
        begin, end : int
            Range of outputs to return, where ``end`` is exclusive; all outputs by default.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The outputs, or a list for each output with one array for each device.
        """
        chosen = range(len(self.output_names))[begin:end]
        outputs = [[e.outputs[i] for e in self.execs] for i in chosen]
        return merge_parts(outputs, [self.output_layouts[i] for i in chosen]) if merge_multi_context else outputs

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the inputs.

        Parameters
        ----------
        merge_multi_context : bool
            Whether to concatenate the arrays of all devices.

        Returns
        -------
        list of NDArray, or list of list of NDArray
            The gradients, or a list for each input with one array for each device.
        """
        require(
            self.input_grad_arrays is not None,
            "to get the gradients of the inputs, call bind() with inputs_need_grad=True",
        )
        assert self.input_grad_arrays is not None
        return merge_parts(self.input_grad_arrays, self.data_layouts) if merge_multi_context else self.input_grad_arrays

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
        require(not merge_multi_context, "merge_multi_context=True is not supported for get_states yet.")
        return self.state_arrays

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states on each device, or set all elements to a number.

        The parameters are those of :meth:`BaseModule.set_states`.
        """
        require(states is None or value is None, "Only one of states & value can be specified.")
        require(states is not None or value is not None, "At least one of states & value must be specified.")
        for i, targets in enumerate(self.state_arrays):
            for k, target in enumerate(targets):
                if states is None:
                    target[:] = value
                else:
                    (states[i][k] if isinstance(states[i], list | tuple) else states[i]).copyto(target)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool) -> None:
        """Update a metric with the outputs of each device.

        The parameters are those of :meth:`BaseModule.update_metric`.
        """
        split = None
        if not pre_sliced:
            split = [self._parts(label, axis) for label, axis in zip(labels, self.label_layouts, strict=False)]
        for i, executor in enumerate(self.execs):
            labels_of_device = labels[i] if split is None else [parts[i] for parts in split]
            eval_metric.update_dict(
                dict(zip(self.label_names, labels_of_device, strict=False)),
                dict(zip(self.output_names, executor.outputs, strict=True)),
            )

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor in all executors.

        Parameters
        ----------
        mon : Monitor
            The monitor.
        """
        for executor in self.execs:
            mon.install(executor)


def merge_parts(outputs: Sequence[Sequence[Any]], major_axis: Sequence[int]) -> list[Any]:
    """Concatenate the results of several devices along the batch axis of each result.

    Parameters
    ----------
    outputs : sequence of list of NDArray
        The arrays of all devices, for each result.
    major_axis : sequence of int
        Batch axis of each result. For a negative axis, the array of the first device is returned.

    Returns
    -------
    list of NDArray
        The results.
    """
    merged = []
    for parts, axis in zip(outputs, major_axis, strict=False):
        if axis >= 0 and len(parts) > 1:
            merged.append(nd.concat(*[part.as_in_context(parts[0].context) for part in parts], dim=axis))
        else:
            merged.append(parts[0])
    return merged


def prepare_group2ctxs(group2ctxs: Any, count: int) -> list[dict[str, Context] | None]:
    """Return the mapping from context groups to devices for each device of a module.

    Parameters
    ----------
    group2ctxs : dict, list of dict, or None
        The device, or list of devices, of each context group; or a list with such a dictionary for each device.
    count : int
        Number of devices.

    Returns
    -------
    list of dict of str to Context
        The mapping for each device. Without groups, each element is None.

    Raises
    ------
    AssertionError
        If the type of ``group2ctxs`` is wrong, or if the length of a list differs from the number of devices.
    """
    if group2ctxs is None:
        return [None] * count
    if isinstance(group2ctxs, list):
        require(len(group2ctxs) == count, f"length of group2ctxs should be {count}")
        return group2ctxs
    require(
        isinstance(group2ctxs, dict),
        "group2ctxs should be list of dict of str to context, or dict of str to context or list of context",
    )
    contexts: list[dict[str, Context]] = [{} for _ in range(count)]
    for key, value in group2ctxs.items():
        places = [value] if isinstance(value, Context) else list(value)
        require(len(places) in (1, count), f"length of group2ctxs[{key}] should be {count} or 1")
        for i in range(count):
            contexts[i][key] = places[0] if len(places) == 1 else places[i]
    return list(contexts)


# User-defined groups import this name from this module.
_split_input_slice = split_input_slice
_merge_multi_context, _prepare_group2ctxs = merge_parts, prepare_group2ctxs
