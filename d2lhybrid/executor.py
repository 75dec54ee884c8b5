"""Executors: a symbol bound to arrays, MXNet's way of running a graph without Gluon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from . import autograd
from .context import Context, current_context
from .core.cached_op import CachedOp
from .core.invoke import wrap
from .device import backend
from .errors import MXNetError
from .ndarray.ndarray import NDArray
from .support import clock
from .support.dtypes import as_dtype

__all__ = ["Executor", "bind", "simple_bind"]

_GRAD_REQS = {"null": 0, "write": 1, "add": 3}


class Executor:
    """A graph with arrays for its variables, gradients and states.

    Attributes
    ----------
    arg_arrays, grad_arrays, aux_arrays : list of NDArray
        In the order of ``list_arguments()`` and ``list_auxiliary_states()``; no gradient is None.
    outputs : list of NDArray
        Results of the last ``forward``.
    """

    def __init__(
        self, symbol: Any, ctx: Context, arg_arrays: list[Any], grad_arrays: list[Any], grad_reqs: list[str],
        aux_arrays: list[Any],
    ) -> None:  # fmt: skip
        self._symbol, self._ctx = symbol, ctx
        self.arg_arrays, self.grad_arrays, self.aux_arrays = arg_arrays, grad_arrays, aux_arrays
        self._grad_reqs = grad_reqs
        self._arguments, self._states = symbol.list_arguments(), symbol.list_auxiliary_states()
        self._cached = CachedOp(symbol, self._arguments + self._states, len(self._arguments))
        self.outputs: list[Any] = []
        self._last_training = False

    @property
    def arg_dict(self) -> dict[str, Any]:
        """Arrays of the arguments by name."""
        return dict(zip(self._arguments, self.arg_arrays, strict=True))

    @property
    def grad_dict(self) -> dict[str, Any]:
        """Arrays of the gradients by name."""
        return dict(zip(self._arguments, self.grad_arrays, strict=True))

    @property
    def aux_dict(self) -> dict[str, Any]:
        """Arrays of the auxiliary states by name."""
        return dict(zip(self._states, self.aux_arrays, strict=True))

    @property
    def output_dict(self) -> dict[str, Any]:
        """Results of the last ``forward`` by name."""
        return dict(zip(self._symbol.list_outputs(), self.outputs, strict=True))

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[Any]:
        """Run the graph.

        Parameters
        ----------
        is_train : bool
            Whether layers behave as in training, and ``backward`` may follow.
        **kwargs : NDArray
            New values for arguments, copied into their arrays.

        Raises
        ------
        TypeError
            For an unknown argument.
        ValueError
            For a value of another shape.
        """
        arguments = self.arg_dict
        for name, value in kwargs.items():
            if name not in arguments:
                raise TypeError(f"Unknown argument {name}")
            target = arguments[name]
            if target.shape != value.shape:
                raise ValueError(f"Shape not match! Argument {name}, need: {target.shape}, received: {value.shape}")
            clock.note_write()
            target._data[...] = backend.to_context(value._data, target._ctx)
            clock.note_write()
        arrays = []
        for array, gradient, request in zip(self.arg_arrays, self.grad_arrays, self._grad_reqs, strict=True):
            leaf = wrap(NDArray, array._data, array._ctx)
            if gradient is not None and request != "null":
                autograd.mark_variables([leaf], [gradient], request)
            arrays.append(leaf)
        with autograd.record(train_mode=True) if is_train else autograd.pause(train_mode=False):
            self.outputs = self._cached(arrays + self.aux_arrays, NDArray, self._ctx)
        return self.outputs

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Compute the gradients of the arguments.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            Gradients with respect to the outputs; loss operators need none.
        is_train : bool
            Accepted for compatibility.

        Raises
        ------
        MXNetError
            If a head gradient is needed and missing.
        """
        if out_grads is None:
            for node, _ in self._symbol._entries:
                if node.op is None or not node.op.is_loss:
                    raise MXNetError(
                        "Check failed: i < head_grads.size() && !head_grads[i].is_none(): Because the last operator is "
                        "not Loss function, head_gradient is required when calling backward. If you are attempting "
                        "to minimize the output as an objective, please modify your network and pass it through the "
                        "make_loss symbol."
                    )
        elif isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        autograd.backward(self.outputs, out_grads, retain_graph=True)

    def copy_params_from(
        self,
        arg_params: dict[str, Any],
        aux_params: dict[str, Any] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into arguments and states.

        Raises
        ------
        ValueError
            For a name that is neither, unless ``allow_extra_params``.
        """
        for given, known, what in (
            (arg_params, self.arg_dict, "arguments"),
            (aux_params or {}, self.aux_dict, "auxiliary states"),
        ):
            for name, value in given.items():
                if name in known:
                    target = known[name]
                    clock.note_write()
                    target._data[...] = backend.to_context(value._data, target._ctx)
                    clock.note_write()
                elif not allow_extra_params:
                    raise ValueError(f'Find name "{name}" that is not in the {what}')

    def reshape(self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any) -> Executor:
        """Return an executor for other input shapes that shares the parameters.

        Raises
        ------
        MXNetError
            If an array would have to grow, unless ``allow_up_sizing``.
        """
        shapes, _, _ = self._symbol.infer_shape(**kwargs)
        arrays, grads = [], []
        for name, array, gradient, shape in zip(
            self._arguments, self.arg_arrays, self.grad_arrays, shapes, strict=True
        ):
            if array.shape == shape:
                arrays.append(array)
                grads.append(gradient)
                continue
            if int(numpy.prod(shape)) > array.size and not allow_up_sizing:
                raise MXNetError(
                    f"Check failed: allow_up_sizing: New shape of arg: {name} is larger than original.First making a "
                    "big executor and then down sizing it is more efficient than the reverse.If you really want to "
                    "up size, set allow_up_sizing=True to enable allocation of new arrays."
                )
            arrays.append(_zeros(shape, array._data.dtype, array._ctx))
            grads.append(None if gradient is None else _zeros(shape, gradient._data.dtype, array._ctx))
        return Executor(self._symbol, self._ctx, arrays, grads, self._grad_reqs, self.aux_arrays)

    def debug_str(self) -> str:
        """Return a listing of the graph."""
        return self._symbol.debug_str()


def _zeros(shape: tuple[int, ...], dtype: Any, ctx: Context) -> NDArray:
    return wrap(NDArray, backend.array_module(ctx).zeros(shape, dtype), ctx)


def _arrays(given: Any, names: Sequence[str], what: str, allow_missing: bool) -> list[Any]:
    if isinstance(given, list | tuple):
        if len(given) != len(names):
            raise ValueError(f"Length of {what} does not match the number of arguments")
        given = dict(zip(names, given, strict=True))
    elif not isinstance(given, dict):
        raise TypeError("Only accept list of NDArrays or dict of str to NDArray")
    arrays = []
    for name in names:
        value = given.get(name)
        if value is None:
            if not allow_missing:
                raise ValueError(f"key `{name}` is missing in `{what}`")
        elif not isinstance(value, NDArray):
            raise TypeError("Only accept list of NDArrays or dict of str to NDArray")
        arrays.append(value)
    return arrays


def _requests(grad_req: Any, names: Sequence[str]) -> list[str]:
    if isinstance(grad_req, str):
        if grad_req not in _GRAD_REQS:
            raise ValueError(f"grad_req must be in {_GRAD_REQS}")
        return [grad_req] * len(names)
    if isinstance(grad_req, dict):
        return [grad_req.get(name, "null") for name in names]
    return list(grad_req)


def bind(
    symbol: Any, ctx: Any, args: Any, args_grad: Any = None, grad_req: Any = "write", aux_states: Any = None
) -> Executor:
    """Return an executor of a symbol on given arrays; see ``Symbol.bind``."""
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    arrays = _arrays(args, names, "args", allow_missing=False)
    grads = [None] * len(names) if args_grad is None else _arrays(args_grad, names, "args_grad", allow_missing=True)
    aux = _arrays({} if aux_states is None else aux_states, states, "aux_states", allow_missing=False)
    return Executor(symbol, ctx or current_context(), arrays, grads, _requests(grad_req, names), aux)


def simple_bind(symbol: Any, ctx: Any, grad_req: Any, type_dict: Any, shapes: dict[str, Any]) -> Executor:
    """Return an executor whose arrays are made from the shapes of the data; see ``Symbol.simple_bind``."""
    names = symbol.list_arguments()
    arg_shapes, _, aux_shapes = symbol._infer_shape((), shapes)
    if any(not s or 0 in s for s in arg_shapes):
        unknown = "".join(
            f"{n}: {list(s) if s else None}, " for n, s in zip(names, arg_shapes, strict=True) if not s or 0 in s
        )
        raise RuntimeError(
            "simple_bind error. Arguments:\n"
            + "".join(f"{name}: {shape}\n" for name, shape in shapes.items())
            + "InferShape pass cannot decide shapes for the following arguments (-1 means unknown dimensions). "
            f"Please consider providing them as inputs:\n{unknown}"
        )
    dtypes = {name: as_dtype(d) for name, d in (type_dict or {}).items()}
    requests = _requests(grad_req, names)
    ctx = ctx or current_context()

    def make(name: str, shape: tuple[int, ...]) -> NDArray:
        return _zeros(shape, dtypes.get(name, as_dtype(None)), ctx)

    arrays = [make(n, s) for n, s in zip(names, arg_shapes, strict=True)]
    grads = [None if r == "null" else make(n, s) for n, s, r in zip(names, arg_shapes, requests, strict=True)]
    aux = [make(n, s) for n, s in zip(symbol.list_auxiliary_states(), aux_shapes, strict=True)]
    return Executor(symbol, ctx, arrays, grads, requests, aux)
