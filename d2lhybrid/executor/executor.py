"""The executor, which runs a graph on arrays for its variables, gradients, states, and results."""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from .. import autograd
from ..context import Context
from ..error import MXNetError
from ..internals.core import tape
from ..internals.core.cached_op import CachedOp
from ..internals.core.control_flow_bodies import has_bodies
from ..internals.core.footprint import graph_bytes
from ..internals.core.gradient_starts import nodes_that_start
from ..internals.core.infer import format_shape
from ..internals.core.invoke import wrap
from ..internals.core.no_program import NoProgramError
from ..internals.core.node import Entry
from ..internals.core.passes.differentiate import differentiate
from ..internals.core.typed_graph import typed_graph
from ..internals.device import array_modules
from ..internals.formats.serialization import limits
from ..internals.support import clock
from ..internals.support.display import Shown
from ..internals.support.notes import with_note
from ..ndarray.ndarray import NDArray
from ..ndarray.sparse_arrays import copy_places, give_storage
from ..symbol.inference import infer_shape_partial
from .output_storage import OutputStorage
from .watched import Watch, WatchedRun

__all__ = ["Bound", "Executor"]

HEAD_NEEDED = (
    "Check failed: i < head_grads.size() && !head_grads[i].is_none(): Because the last operator is not Loss function, "
    "head_gradient is required when calling backward. If you are attempting to minimize the output as an objective, "
    "please modify your network and pass it through the make_loss symbol."
)
UP_SIZING = (
    "Check failed: allow_up_sizing: New shape of arg: {} is larger than original.First making a big executor and then "
    "down sizing it is more efficient than the reverse.If you really want to up size, set allow_up_sizing=True to "
    "enable allocation of new arrays."
)
OTHER_CHANGED = (
    "Shape of unspecifie arg: {} changed. This can cause the new executor to not share parameters with the old one. "
    "Please check for error in network.If this is intended, set partial_shaping=True to suppress this warning."
)


class Bound(NamedTuple):
    """The arrays of an executor.

    Attributes
    ----------
    args, grads : list of NDArray
        Arrays in the order of ``list_arguments()``. For an argument without a gradient, ``grads`` contains None.
    requests : list of str
        ``"write"``, ``"add"``, or ``"null"`` for each argument.
    aux : list of NDArray
        Arrays in the order of ``list_auxiliary_states()``.
    """

    args: list[Any]
    grads: list[Any]
    requests: list[str]
    aux: list[Any]


class Executor(Shown):
    """A graph with arrays for its variables, gradients, and states, created by ``Symbol.bind`` or ``simple_bind``.

    Parameters
    ----------
    handle : Bound
        The arrays.
    symbol : Symbol
        The graph.
    ctx : Context
        The device.
    grad_req : str, list of str or dict of str
        The gradient request, as passed to ``bind``.
    group2ctx : dict, optional
        The device of the variables in each ``ctx_group``.

    Raises
    ------
    TypeError
        If ``handle`` is not a ``Bound``.

    Attributes
    ----------
    arg_arrays, grad_arrays, aux_arrays : list of NDArray
        Arrays in the order of ``list_arguments()`` and ``list_auxiliary_states()``. For an argument without a gradient,
        ``grad_arrays`` contains None.
    outputs : list of NDArray
        The results. The arrays exist from the beginning, and each ``forward`` writes to them.
    """

    arg_arrays: list[Any]
    grad_arrays: list[Any]
    aux_arrays: list[Any]

    def __init__(self, handle: Bound, symbol: Any, ctx: Context, grad_req: Any, group2ctx: Any = None) -> None:
        if not isinstance(handle, Bound):
            raise with_note(TypeError("Handle type error"), "Create executors with symbol.bind or symbol.simple_bind.")
        symbol = copy.copy(symbol)  # copied, because the caller may still set attributes of the nodes
        self._symbol, self._ctx, self._grad_req, self._group2ctx = symbol, ctx, grad_req, group2ctx
        self.arg_arrays, self.grad_arrays, self._grad_reqs, self.aux_arrays = handle
        self._arguments, self._states = symbol.list_arguments(), symbol.list_auxiliary_states()
        self._cached = CachedOp(symbol, self._arguments + self._states, len(self._arguments))
        self._storage = OutputStorage(symbol._entries, self._arguments + self._states)
        self._head_needed = self._heads_needed()
        kinds = self._output_types()
        size = sum(math.prod(shape) * numpy.dtype(dtype).itemsize for shape, dtype in kinds)
        fits = ctx.device_typeid == 2 or size <= limits.allowed_memory  # an error is raised in the first call
        self.outputs: list[Any] = [_zeros(shape, dtype, ctx) for shape, dtype in kinds] if fits else []
        #: The recorded results of the last ``forward``, or None if it was not recorded.
        self._recorded: list[Any] | None = None
        self._draws: Any = None
        self._ran_with: list[Any] | None = None
        self._watch: Watch | None = None

    # --- arrays by name --------------------------------------------------------------------------

    @property
    def arg_dict(self) -> dict[str, Any]:
        """The arrays of the arguments by name. Duplicate names raise a ``ValueError``."""
        return _by_name(self._arguments, self.arg_arrays)

    @property
    def grad_dict(self) -> dict[str, Any]:
        """The arrays of the gradients by name."""
        return _by_name(self._arguments, self.grad_arrays)

    @property
    def aux_dict(self) -> dict[str, Any]:
        """The arrays of the auxiliary states by name."""
        return _by_name(self._states, self.aux_arrays)

    @property
    def output_dict(self) -> dict[str, Any]:
        """The arrays of the outputs by name."""
        return _by_name(self._symbol.list_outputs(), self.outputs)

    # --- running ---------------------------------------------------------------------------------

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[Any]:
        """Copy new values into arguments, and run the graph.

        Parameters
        ----------
        is_train : bool
            Whether layers behave as in training, and whether the run is recorded for ``backward``.
        **kwargs : NDArray or numpy.ndarray
            New values of arguments, which are copied into their arrays.

        Returns
        -------
        list of NDArray
            The outputs.

        Raises
        ------
        TypeError
            If an argument is unknown.
        ValueError
            If a value is not an array, or if its shape is not the argument's shape. In this case, no value is copied.
        """
        arguments = self.arg_dict if kwargs else {}
        for name, value in kwargs.items():
            if not isinstance(value, NDArray | numpy.ndarray):
                error = ValueError("only accept keyword argument of NDArrays and numpy.ndarray")
                raise with_note(error, f"{name} has the type {type(value).__name__}.")
            if name not in arguments:
                raise with_note(TypeError(f"Unknown argument {name}"), f"The arguments are {', '.join(arguments)}.")
            target = arguments[name]
            if target.shape != value.shape:
                raise ValueError(f"Shape not match! Argument {name}, need: {target.shape}, received: {value.shape}")
        for name, value in kwargs.items():
            _write(arguments[name], value)
        self._run(bool(is_train), record=bool(is_train))
        return self.outputs

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Compute the gradients of the arguments, and write them to ``grad_arrays``.

        Parameters
        ----------
        out_grads : NDArray, list of NDArray or dict of str to NDArray, optional
            Gradients with respect to the outputs. None is allowed for an output that requires no gradient, such as a
            loss or a ``BlockGrad``.
        is_train : bool
            Whether layers behave as in training, if the last ``forward`` recorded nothing and must run again.

        Raises
        ------
        MXNetError
            If a head gradient is required but missing, or if its shape differs from the output's shape.
        TypeError
            If a head gradient is not an array.
        """
        if isinstance(out_grads, dict):
            out_grads = [out_grads[name] for name in self._symbol.list_outputs()]
        elif isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        head_grads = [] if out_grads is None else list(out_grads)
        for gradient in head_grads:
            if not isinstance(gradient, NDArray):
                note = f"An element of out_grads has the type {type(gradient).__name__}."
                raise with_note(TypeError("inputs must be NDArray"), note)
        for i, (needed, output) in enumerate(zip(self._head_needed, self.outputs, strict=True)):
            if needed and i >= len(head_grads):
                raise MXNetError(HEAD_NEEDED)
            if needed and head_grads[i].shape != output.shape:
                raise MXNetError(
                    "Check failed: from.shape() == to.shape(): operands shape mismatch from.shape = "
                    f"{format_shape(head_grads[i].shape)} to.shape={format_shape(output.shape)}"
                )
        if self._recorded is None:
            self._run(bool(is_train), record=True, again=True)
        assert self._recorded is not None
        heads, values = [], []
        for i, (result, needed) in enumerate(zip(self._recorded, self._head_needed, strict=True)):
            if not tape.is_tracked(result) or not (needed or self._goes_back[i]):
                continue
            heads.append(result)
            values.append(_as_head(head_grads[i], result) if needed else None)
        if not heads or self._watch is not None:  # some arguments may need no gradient
            for gradient, request in zip(self.grad_arrays, self._grad_reqs, strict=True):
                if gradient is not None and request == "write":
                    gradient[:] = _zeros(gradient.shape, gradient._data.dtype, gradient._ctx)
        if heads:
            autograd.backward(heads, values, retain_graph=True)
        if self._watch is not None and isinstance(self._ran, WatchedRun):
            self._ran.tell_gradients(self._watch)

    def _run(self, training: bool, record: bool, again: bool = False) -> None:
        """Run the graph. With ``again``, run it for the backward pass of a call that was not recorded."""
        arrays = []
        for array, gradient, request in zip(self.arg_arrays, self.grad_arrays, self._grad_reqs, strict=True):
            leaf = array.detach()
            if record and gradient is not None and request != "null":
                autograd.mark_variables([leaf], [gradient], request)
            arrays.append(leaf)
        scope = autograd.record(train_mode=training) if record else autograd.pause(train_mode=training)
        self._ran: Any = None
        if not again:
            self._draws = array_modules.random_state(array_modules.generator(self._ctx))
        draws = self._draws if again else None
        same = contextlib.nullcontext() if draws is None else array_modules.drawing_from(draws)
        with scope, same:  # a second run draws the same random numbers
            if self._watch is None:
                results = self._cached(arrays + self.aux_arrays, NDArray, self._ctx)
            else:
                self._ran = WatchedRun(self._symbol, self._arguments + self._states, [*arrays, *self.aux_arrays])
                results = self._ran.run(None if again else self._watch, self._ctx, record)
        self._recorded = results if record else None
        if not again:
            for output, result in zip(self.outputs, results, strict=True):
                _keep(output, result)
            bound_arrays = [*self.arg_arrays, *self.aux_arrays]
            if self._storage.matters(bound_arrays):
                for output, stored in zip(self.outputs, self._storage.of(bound_arrays), strict=True):
                    give_storage(output, *stored)

    def _heads_needed(self) -> list[bool]:
        """Return whether each output requires a head gradient.

        Also find the outputs that start the backward pass themselves.
        """
        wanted = {name for name, r in zip(self._arguments, self._grad_reqs, strict=False) if r != "null"}
        used: dict[Any, bool] = {}
        for node in self._symbol._nodes():
            if node.op is None:
                used[node] = node.name in wanted
            else:
                passes = node.op.differentiable and (has_bodies(node) or not node.op.starts(node.params))
                used[node] = passes and any(used[child] for child, _ in node.inputs)
        entries: Sequence[Entry] = self._symbol._entries
        starting = nodes_that_start(self._symbol._nodes())
        self._goes_back = [node in starting for node, _ in entries]
        return [used[node] for node, _ in entries]

    def _output_types(self) -> list[tuple[tuple[int, ...], Any]]:
        """Return the shapes and element types of the results, or ``()`` and float32 if inference has no result."""
        arrays = dict(zip([*self._arguments, *self._states], [*self.arg_arrays, *self.aux_arrays], strict=True))
        _, shapes, _ = infer_shape_partial(self._symbol, (), {k: v.shape for k, v in arrays.items() if v.shape})
        _, types, _ = self._symbol.infer_type_partial(**{k: v.dtype for k, v in arrays.items()})
        return [
            (tuple(max(n, 0) for n in shape or ()), dtype or numpy.float32)
            for shape, dtype in zip(shapes, types, strict=True)
        ]

    # --- monitoring ------------------------------------------------------------------------------

    def set_monitor_callback(self, callback: Callable[[bytes, Any], Any], monitor_all: bool = False) -> None:
        """Register a callback for the outputs of all operators.

        While a callback is registered, the graph runs operator by operator, not as a compiled program.

        Parameters
        ----------
        callback : callable
            The callback. It receives the name of an output, as bytes, and the array. The name of a gradient from
            ``backward`` is the operator's name followed by ``_backward_output0`` for the first input, and so on.
        monitor_all : bool
            Whether to also report the inputs of an operator before the operator runs.

        Raises
        ------
        TypeError
            If the callback is not callable.
        """
        if not callable(callback):  # raise an error now instead of in each run
            raise TypeError(f"callback must be callable, not {callback!r}")
        self._watch = Watch(callback, bool(monitor_all))

    # --- parameters and other shapes -------------------------------------------------------------

    def copy_params_from(
        self,
        arg_params: dict[str, Any],
        aux_params: dict[str, Any] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into arguments and states.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values by name.
        allow_extra_params : bool
            Whether to accept names that are neither arguments nor states.

        Raises
        ------
        ValueError
            If a name is unknown, unless ``allow_extra_params`` is True.
        """
        for given, known, message in (
            (arg_params, self.arg_dict, 'Find name "{}" that is not in the arguments'),
            (aux_params or {}, self.aux_dict, "Find name {} that is not in the auxiliary states"),
        ):
            for name, value in given.items():
                if name in known:
                    target = known[name]
                    value.astype(target.dtype).copyto(target)
                elif not allow_extra_params:
                    raise ValueError(message.format(name))

    def reshape(self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any) -> Executor:
        """Return an executor for new input shapes, with the same parameters and, if possible, in the same memory.

        Parameters
        ----------
        partial_shaping : bool
            Whether the shapes of arguments that are not in ``kwargs`` may change.
        allow_up_sizing : bool
            Whether arrays may become larger. Larger arrays are new and share no memory.
        **kwargs : tuple of int
            The new shapes.

        Returns
        -------
        Executor
            The new executor.

        Raises
        ------
        MXNetError
            If an array must grow although ``allow_up_sizing`` is False, or if the shape of an array that is not in
            ``kwargs`` must change although ``partial_shaping`` is False.
        """
        shapes, _, aux_shapes = infer_shape_partial(
            self._symbol, (), {k: v for k, v in kwargs.items() if v is not None}
        )
        arrays, grads, aux = [], [], []
        for name, array, gradient, shape in zip(
            self._arguments, self.arg_arrays, self.grad_arrays, shapes, strict=True
        ):
            if array.shape != shape:
                if name not in kwargs and not partial_shaping:
                    raise MXNetError(OTHER_CHANGED.format(name))
                if int(numpy.prod(shape)) > array.size and not allow_up_sizing:
                    raise MXNetError(UP_SIZING.format(name))
            arrays.append(_resized(array, shape))
            grads.append(None if gradient is None else _resized(gradient, shape))
        for name, array, shape in zip(self._states, self.aux_arrays, aux_shapes, strict=True):
            if array.shape != shape and not partial_shaping:
                raise MXNetError(OTHER_CHANGED.format(name))
            aux.append(_resized(array, shape))
        new_executor = Executor(
            Bound(arrays, grads, self._grad_reqs, aux), self._symbol, self._ctx, self._grad_req, self._group2ctx
        )
        new_executor._watch, new_executor._cached = self._watch, self._cached
        new_executor.outputs = [_sharing(new, old) for new, old in zip(new_executor.outputs, self.outputs, strict=True)]
        return new_executor

    def debug_str(self) -> str:
        """Return a listing of the graph, with the memory that a run requires in addition to the arguments.

        The amount of memory is a minimum, computed without running the graph. It includes results, values that the
        backward pass needs, and gradients that are alive at the same time.
        """
        return (
            f"{self._symbol.debug_str()}Total {self._bytes_of_run() >> 20} MB allocated\n"
            f"Total {len(self.outputs)} TempSpace resource requested\n"
        )

    def _bytes_of_run(self) -> int:
        names = self._arguments + self._states
        arrays = dict(zip(names, self.arg_arrays + self.aux_arrays, strict=True))
        wanted = [r != "null" and g is not None for r, g in zip(self._grad_reqs, self.grad_arrays, strict=True)]
        shapes, dtypes = {n: a.shape for n, a in arrays.items()}, {n: a.dtype for n, a in arrays.items()}
        try:
            graph = typed_graph(self._symbol, names, shapes, dtypes, any(wanted), len(wanted))
            if any(wanted):
                heads = [graph.types[entry].dtype.kind == "f" for entry in graph.outputs]
                graph = differentiate(graph, [*wanted, *[False] * len(self._states)], heads)
        except NoProgramError:  # sizes depend on values
            return sum(output._data.nbytes for output in self.outputs)
        return graph_bytes(graph)

    def get_optimized_symbol(self) -> Any:
        """Return the executor's graph as a symbol. Unlike MXNet's graph, this graph is not optimized."""
        return type(self._symbol)(self._symbol._entries)


def _by_name(names: Sequence[str], arrays: Sequence[Any]) -> dict[str, Any]:
    by_name = dict(zip(names, arrays, strict=True))
    if len(by_name) != len(names):
        raise ValueError(f"Duplicate names detected, {list(names)}")
    return by_name


def _zeros(shape: tuple[int, ...], dtype: Any, ctx: Context) -> NDArray:
    return wrap(NDArray, array_modules.array_module(ctx).zeros(shape, dtype), ctx)


def _write(target: Any, value: Any) -> None:
    if target.stype != "default":
        target._places = None
        copy_places(value, target)
    clock.note_write([target._data])
    target._data[...] = array_modules.to_context(value._data if isinstance(value, NDArray) else value, target._ctx)
    clock.note_write([target._data])


def _resized(array: Any, shape: tuple[int, ...]) -> Any:
    """Return an array with another shape, in the memory of the array if the memory is large enough."""
    if array.shape == shape:
        return array
    count = int(numpy.prod(shape))
    if count > array.size or array.stype != "default":
        return wrap(type(array), _zeros(shape, array._data.dtype, array._ctx)._data, array._ctx)
    return wrap(NDArray, array._data.reshape(-1)[:count].reshape(shape), array._ctx)


def _sharing(new: Any, old: Any) -> Any:
    """Return a result in the memory of another executor's result if that memory is large enough."""
    fits = new.size <= old.size and new._data.dtype == old._data.dtype
    return _resized(old, new.shape) if fits and new.shape != old.shape else old if fits else new


def _as_head(given: Any, result: Any) -> Any:
    """Return the head gradient of an output, on the output's device and with the output's element type."""
    return given.as_in_context(result._ctx).astype(result.dtype, copy=False).as_nd_ndarray()


def _keep(output: Any, result: Any) -> None:
    """Copy a result into an output's array. A result of another shape or element type replaces the array's memory."""
    target, raw = output._data, result._data
    if target.shape == raw.shape and target.dtype == raw.dtype:
        clock.note_write([target])
        target[...] = raw
        clock.note_write([target])
    else:
        output._data = raw
