"""Functions that bind a symbol to arrays of the caller, to new arrays, or to arrays of another executor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ..context import Context, current_context
from ..error import BindError, MXNetError
from ..internals.core.invoke import wrap
from ..internals.core.sparse_rows import sources_of
from ..internals.device import array_modules
from ..internals.support.dtypes import as_dtype
from ..internals.support.notes import with_note
from ..internals.support.plural import counted
from ..internals.support.scopes import collecting_later
from ..ndarray.ndarray import NDArray
from ..symbol.inference import infer_shape_partial
from .executor import Bound, Executor

__all__ = ["bind", "simple_bind"]

_GRAD_REQS = {"null": 0, "write": 1, "add": 3}
_NO_ARRAYS = "Only accept list of NDArrays or dict of str to NDArray"


def bind(
    symbol: Any,
    ctx: Any,
    args: Any,
    args_grad: Any = None,
    grad_req: Any = "write",
    aux_states: Any = None,
    group2ctx: Any = None,
    shared_exec: Any = None,
) -> Executor:
    """Bind a symbol to existing arrays, and return the executor (``Symbol.bind``).

    Parameters
    ----------
    symbol : Symbol
        The graph.
    ctx : Context, optional
        The device; the current device by default.
    args : list of NDArray or dict of str to NDArray
        The arguments, in order or by name.
    args_grad : list of NDArray or dict of str to NDArray, optional
        The arrays for the gradients.
    grad_req : str, list of str or dict of str to str
        The gradient request (``"write"``, ``"add"``, or ``"null"``), for all arguments or for each argument.
    aux_states : list of NDArray or dict of str to NDArray, optional
        The auxiliary states, which operators update.
    group2ctx : dict of str to Context, optional
        The device of each context group. The attribute ``ctx_group`` of a node names the node's group.
    shared_exec : Executor, optional
        Ignored. In MXNet, the new executor shares the memory of this executor.

    Returns
    -------
    Executor
        The executor.

    Raises
    ------
    TypeError
        If ``ctx`` is not a Context, or if another argument is not a list or dictionary of arrays.
    ValueError
        If an array is missing, or if a gradient request is invalid.
    MXNetError
        If two variables have the same name, or if the shapes of the arrays are inconsistent.
    """
    if ctx is not None and not isinstance(ctx, Context):
        raise with_note(TypeError("Context type error"), f"Pass a Context such as mx.cpu() as ctx, not {ctx!r}.")
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    arrays = _arrays(args, names, "args", allow_missing=False)
    grads = [None] * len(names) if args_grad is None else _arrays(args_grad, names, "args_grad", allow_missing=True)
    aux = _arrays([] if aux_states is None else aux_states, states, "aux_states", False)
    requests = _requests(grad_req, names)
    _refuse_equal_names(names, "arg_names.size() == in_args_map.size()")
    _refuse_equal_names(states, "aux_names.size() == aux_states_map.size()")
    _check_shapes(symbol, names, arrays)
    return Executor(Bound(arrays, grads, requests, aux), symbol, ctx or current_context(), grad_req, group2ctx)


def _arrays(given: Any, names: Sequence[str], what: str, allow_missing: bool) -> list[Any]:
    if isinstance(given, list | tuple):
        if len(given) != len(names):
            error = ValueError(f"Length of {what} does not match the number of arguments")
            wanted = f"{counted(len(names), 'array')} ({', '.join(names)})" if names else "no arrays"
            raise with_note(error, f"Pass {wanted} in {what}, not {len(given)}.")
        values = list(given)
    elif isinstance(given, dict):
        values = [given.get(name) for name in names]
    else:
        raise with_note(TypeError(_NO_ARRAYS), f"{what} has the type {type(given).__name__}.")
    for name, value in zip(names, values, strict=True):
        if value is None and isinstance(given, dict) and not allow_missing:
            raise ValueError(f"key `{name}` is missing in `{what}`")
        if not isinstance(value, NDArray) and not (value is None and allow_missing):
            note = f"The value of {name} in {what} has the type {type(value).__name__}."
            raise with_note(TypeError(_NO_ARRAYS), note)
    return values


def _refuse_equal_names(names: Sequence[str], check: str) -> None:
    """Raise an error if two variables have the same name. A note contains the names, and MXNet's message does not."""
    if (count := len(set(names))) != len(names):
        raise with_note(MXNetError(f"Check failed: {check} ({len(names)} vs. {count}) : "), _repeated(names))


def _repeated(names: Sequence[str]) -> str:
    listed = ", ".join(sorted(name for name, times in Counter(names).items() if times > 1))
    return f"Give each variable a unique name. The graph uses these names more than once: {listed}."


def _check_shapes(symbol: Any, names: Sequence[str], arrays: Sequence[Any]) -> None:
    """Run shape inference to report mismatches before the first run."""
    infer_shape_partial(symbol, (), {n: a.shape for n, a in zip(names, arrays, strict=True) if a.shape})


def _requests(grad_req: Any, names: Sequence[str]) -> list[str]:
    """Return the gradient request of each argument. Arguments that a dictionary lacks have ``"null"``."""
    if isinstance(grad_req, str):
        requests = [grad_req] * len(names)
    elif isinstance(grad_req, dict):
        requests = [grad_req.get(name, "null") for name in names]
    elif isinstance(grad_req, list | tuple):
        if len(grad_req) < len(names):
            raise ValueError(
                f"grad_req has {counted(len(grad_req), 'value')}, but the graph has {counted(len(names), 'argument')}"
            )
        requests = list(grad_req[: len(names)])
    else:
        raise TypeError(f"grad_req must be a string, a list, or a dictionary, not {type(grad_req).__name__}")
    for request in requests:
        if request not in _GRAD_REQS:
            error = ValueError(f"grad_req must be in {_GRAD_REQS}")
            raise with_note(error, f"Pass 'null', 'write', or 'add' as grad_req, not {request!r}.")
    return requests


def simple_bind(
    symbol: Any,
    ctx: Any,
    grad_req: Any,
    type_dict: Any,
    shapes: dict[str, Any],
    group2ctx: Any = None,
    shared_arg_names: Sequence[str] | None = None,
    shared_exec: Any = None,
    shared_buffer: dict[str, Any] | None = None,
    stype_dict: dict[str, str] | None = None,
) -> Executor:
    """Bind a symbol to new arrays of inferred shapes, and return the executor (``Symbol.simple_bind``).

    Parameters
    ----------
    symbol, ctx, grad_req, group2ctx
        Arguments of :func:`bind`.
    type_dict : dict of str to type, optional
        Element types of arguments, by name. Other types are inferred, or float32 if inference has no result.
    shapes : dict
        Known shapes of arguments by name. Names that are not in the graph are ignored.
    shared_arg_names : sequence of str, optional
        Names of the arguments that the executor shares with ``shared_exec``, including their gradients. States of equal
        shapes are also shared.
    shared_exec : Executor, optional
        The executor whose arrays are shared.
    shared_buffer : dict, optional
        Memory for all other arguments, by name. If an array is missing, too small, or of another element type, a new
        array is stored.
    stype_dict : dict of str to str, optional
        Storage types of arguments, by name; by default, the declared types of the variables.

    Returns
    -------
    Executor
        The executor.

    Raises
    ------
    MXNetError
        If shapes are missing or inconsistent, or if a request is invalid. The message lists the arguments.
    """
    arguments = "".join(f"{name}: {shape}\n" for name, shape in shapes.items())
    try:
        device = ctx or current_context()
        bound = collecting_later(
            _bound, symbol, device, grad_req, type_dict, shapes, group2ctx, shared_arg_names, shared_exec,
            shared_buffer, stype_dict,
        )  # fmt: skip
        return collecting_later(Executor, bound, symbol, device, grad_req, group2ctx)
    except (MXNetError, ValueError, TypeError) as error:
        failure = BindError(f"simple_bind error. Arguments:\n{arguments}{error}")
        for note in getattr(error, "__notes__", ()):
            failure.add_note(note)
        raise failure from error


def _bound(
    symbol: Any,
    ctx: Context,
    grad_req: Any,
    type_dict: Any,
    shapes: dict[str, Any],
    group2ctx: Any,
    shared_arg_names: Any,
    shared_exec: Any,
    shared_buffer: Any,
    stype_dict: Any,
) -> Bound:
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    requests = _simple_requests(grad_req, names)
    inputs = {*names, *states}
    known_shapes = {k: tuple(v) for k, v in shapes.items() if k in inputs and isinstance(v, tuple)}
    arg_shapes, _, aux_shapes = infer_shape_partial(symbol, (), known_shapes)
    for role, group in (("Input", names), ("Auxiliary", states)):
        if len(set(group)) != len(group):  # in MXNet, the two arguments would share an array
            raise with_note(MXNetError(f"{role} argument NDArray cannot be un-allocated"), _repeated(group))
    _refuse_unknown(symbol.list_inputs(), dict(zip([*names, *states], [*arg_shapes, *aux_shapes], strict=True)))
    types = {k: as_dtype(v) for k, v in (type_dict or {}).items() if k in inputs}
    arg_types, _, aux_types = symbol.infer_type_partial(**types)
    contexts = _places(symbol, ctx, group2ctx)
    shared_names = frozenset(shared_arg_names or ())
    their_args = {} if shared_exec is None else shared_exec.arg_dict
    their_grads = {} if shared_exec is None else shared_exec.grad_dict
    their_aux = {} if shared_exec is None else shared_exec.aux_dict
    args, grads, aux = [], [], []
    stypes = _storage_types(symbol, stype_dict)
    of_gradients = _storage_of_gradients(symbol, stypes)
    for name, shape, dtype, request in zip(names, arg_shapes, arg_types, requests, strict=True):
        context, dtype = contexts.get(name, ctx), as_dtype(dtype)
        if name in shared_names and name in their_args:
            args.append(_shared(name, their_args[name], shape, dtype))
        elif name in stypes:
            args.append(_zeros(shape, dtype, context).tostype(stypes[name]))
        elif shared_buffer is not None and name not in shared_names:
            args.append(_from_buffer(shared_buffer, name, shape, dtype, context))
        else:
            args.append(_zeros(shape, dtype, context))
        gradient = their_grads.get(name) if name in shared_names else None
        if request == "null":
            grads.append(None)
        else:
            new = gradient is None
            gradient = _zeros(shape, dtype, context) if new else _shared(name, gradient, shape, dtype)
            grads.append(gradient.tostype("row_sparse") if new and name in of_gradients else gradient)
    for name, shape, dtype in zip(states, aux_shapes, aux_types, strict=True):
        shared = their_aux.get(name)
        fits = shared is not None and shared.shape == shape
        aux.append(shared if fits else _zeros(shape, as_dtype(dtype), contexts.get(name, ctx)))
    return Bound(args, grads, requests, aux)


#: Storage types by the value of a variable's attribute ``__storage_type__``.
_STORAGE = {"1": "row_sparse", "2": "csr"}


def _storage_types(symbol: Any, given: Mapping[str, str] | None) -> dict[str, str]:
    """Return the requested or declared storage types of sparse variables."""
    declared = {
        name: _STORAGE.get(of.get("__storage_type__", "0"), "default") for name, of in symbol.attr_dict().items()
    }
    return {name: stype for name, stype in {**declared, **(given or {})}.items() if stype != "default"}


def _storage_of_gradients(symbol: Any, stypes: Mapping[str, str]) -> set[str]:
    """Return the variables with row-sparse gradients, which the graph uses only for lookups of rows."""
    nodes = symbol._nodes()
    if not any(node.op is not None and node.op.looks_up for node in nodes):
        return set()
    users: dict[Any, list[Any]] = {}
    for node in nodes:
        for child, _ in node.inputs:
            users.setdefault(child, []).append(node)
    row_sparse = set()
    for node in nodes:
        if node.op is None:
            sources = sources_of(node, users, {n for n in nodes if n.op is not None}, set(symbol._entries))
            if sources and all(s.kind != "columns" or stypes.get(s.value[0].name) == "csr" for s in sources):
                row_sparse.add(node.name)
    return row_sparse


def _simple_requests(grad_req: Any, names: Sequence[str]) -> list[str]:
    """Return the gradient requests, or raise ``simple_bind``'s error for invalid requests."""
    if isinstance(grad_req, list | tuple) and len(grad_req) != len(names):
        raise MXNetError(
            f"Check failed: provided_grad_req_list_len == in_arg_names.size() ({len(grad_req)} vs. {len(names)}) : The "
            "length of grad_req list does not match the number of input arguments in simple_bind, expected "
            f"{len(names)}, provided {len(grad_req)}"
        )
    try:
        return _requests(grad_req, names)
    except ValueError:
        requests = [grad_req] if isinstance(grad_req, str) else list(getattr(grad_req, "values", lambda: grad_req)())
        wrong = next(g for g in requests if g not in _GRAD_REQS)
        raise MXNetError(
            f"Check failed: req_map.count(provided_grad_req_types[0]) == 1U (0 vs. 1) : grad_req={wrong} is not a "
            "valid input in simple_bind; only 'null', 'write', and 'add' are supported"
        ) from None


def _refuse_unknown(names: Sequence[str], shapes: dict[str, Any]) -> None:
    unknown = [
        f"{name}: {list(shapes[name]) if shapes[name] else None}, "
        for name in names
        if not shapes[name] or -1 in shapes[name] or 0 in shapes[name]
    ]
    if unknown:
        raise MXNetError(
            "InferShape pass cannot decide shapes for the following arguments (-1 means unknown dimensions). Please "
            "consider providing them as inputs:\n" + "".join(unknown)
        )


def _places(symbol: Any, ctx: Context, group2ctx: Any) -> dict[str, Context]:
    """Return the contexts of variables in context groups."""
    if not group2ctx:
        return {}
    contexts = {}
    for name, attributes in symbol.attr_dict().items():
        group = attributes.get("__ctx_group__", attributes.get("ctx_group"))
        if group is not None:
            contexts[name] = group2ctx.get(group, ctx)
    return contexts


def _shared(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    if array.shape != tuple(shape) or array._data.dtype != dtype:
        error = MXNetError(
            f"Check failed: the inferred shape and type of the shared argument {name} are {tuple(shape)} and "
            f"{numpy.dtype(dtype).name}, but the array {name} of shared_exec has the shape {array.shape} and the type "
            f"{array._data.dtype.name}"
        )
        raise with_note(
            error,
            f"Remove {name!r} from shared_arg_names, or bind with the shape and type of the array in shared_exec.",
        )
    return array


def _from_buffer(buffer: dict[str, Any], name: str, shape: tuple[int, ...], dtype: Any, place: Context) -> Any:
    """Return an array in the buffer's memory for a name. The memory is created or enlarged if necessary."""
    count, memory = int(numpy.prod(shape)), buffer.get(name)
    if memory is None or memory.size < count or memory._data.dtype != dtype:
        memory = buffer[name] = _zeros(shape, dtype, place)
        return memory
    if memory.shape == tuple(shape):
        return memory
    return wrap(NDArray, memory._data.reshape(-1)[:count].reshape(shape), memory._ctx)


def _zeros(shape: tuple[int, ...], dtype: Any, ctx: Context) -> NDArray:
    return wrap(NDArray, array_modules.array_module(ctx).zeros(tuple(shape), dtype), ctx)
