"""Functions that check a symbol's outputs and gradients against expected values and finite differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..context import Context
from ..ndarray import ndarray, sparse
from ..ndarray.ndarray import NDArray, array
from ..symbol import Symbol, Variable, make_loss
from ..symbol.numpy import _Symbol
from .comparing import assert_almost_equal
from .making import create_sparse_array
from .surroundings import default_context
from .tolerances import Tolerance, default_numeric_eps, get_tolerance

__all__ = [
    "check_numeric_gradient", "check_symbolic_backward", "check_symbolic_forward", "numeric_grad", "simple_forward",
]  # fmt: skip

_FLOATS = (numpy.float16, numpy.float32, numpy.float64)
Values = Sequence[Any] | dict[str, Any]


def simple_forward(sym: Symbol, ctx: Context | None = None, is_train: bool = False, **inputs: Any) -> Any:
    """Compute the outputs of a symbol.

    Parameters
    ----------
    sym : Symbol
        The symbol.
    ctx : Context, optional
        Device to compute on; the default context by default.
    is_train : bool
        Whether to compute in training mode.
    **inputs : array
        Values of the variables.

    Returns
    -------
    numpy.ndarray or list of numpy.ndarray
        The output, or a list of outputs.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> simple_forward(sym.var("x") * 2, x=numpy.ones(2))
    array([2., 2.], dtype=float32)
    """
    executor = sym.bind(ctx or default_context(), args={name: array(value) for name, value in inputs.items()})
    executor.forward(is_train=is_train)
    outputs = [output.asnumpy() for output in executor.outputs]
    return outputs[0] if len(outputs) == 1 else outputs


def _own_type(dtype: Any) -> bool:
    assert dtype in (("asnumpy",) if isinstance(dtype, str) else _FLOATS)
    return isinstance(dtype, str)


def _arguments(sym: Symbol, location: Values, ctx: Any, dtype: Any) -> dict[str, NDArray]:
    """Return the values of a symbol's arguments by name, in the order of the arguments."""
    own = _own_type(dtype)
    assert isinstance(location, (dict, list, tuple))
    names = sym.list_arguments()
    if not isinstance(location, dict):
        location = dict(zip(names, location, strict=False))
    elif set(location) != set(names):
        raise ValueError(
            f"Symbol arguments and keys of the given location do not match.symbol args:{set(names)}, "
            f"location.keys():{set(location)}"
        )
    return {
        name: array(value, ctx, value.dtype if own else dtype) if isinstance(value, numpy.ndarray) else value
        for name, value in sorted(location.items())
    }


def _states(sym: Symbol, aux_states: Values | None, ctx: Any, dtype: Any) -> dict[str, NDArray] | None:
    """Return the values of a symbol's auxiliary states by name."""
    own = _own_type(dtype)
    if aux_states is None:
        return None
    names = sym.list_auxiliary_states()
    if not isinstance(aux_states, dict):
        aux_states = dict(zip(names, aux_states, strict=False))
    elif set(aux_states) != set(names):
        raise ValueError(
            f"Symbol aux_states names and given aux_states do not match.symbol aux_names:{set(names)}, "
            f"aux_states.keys:{set(aux_states)}"
        )
    return {name: array(value, ctx, value.dtype if own else dtype) for name, value in aux_states.items()}


def _compare_gradient(
    name: str, expected: Any, gradient: Any, before: Any, request: str, names: tuple[str, str], **settings: Any
) -> None:
    """Compare a gradient with the expected gradient, given the previous contents of its array."""
    if request == "write":
        assert_almost_equal(expected, gradient, names=names, **settings)
    elif request == "add":
        assert_almost_equal(expected, gradient.asnumpy() - before, names=names, **settings)
    elif request == "null":
        assert_almost_equal(before, gradient, names=names, **settings)
    else:
        raise ValueError(f"Invalid grad_req {request} for argument {name}")


# --- finite differences --------------------------------------------------------------------------------


def numeric_grad(
    executor: Any,
    location: dict[str, Any],
    aux_states: dict[str, Any] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = numpy.float32,
) -> dict[str, numpy.ndarray]:
    """Return the gradients of the sum of an output with respect to each argument, from finite differences.

    Parameters
    ----------
    executor : Executor
        The executor, whose first output is differentiated.
    location : dict of str to numpy.ndarray
        Values of the arguments.
    aux_states : dict of str to numpy.ndarray, optional
        Values of the auxiliary states before each forward pass.
    eps : float
        Step size of the finite difference.
    use_forward_train : bool
        Whether to compute in training mode.
    dtype : dtype
        Element type: float16, float32, or float64.

    Returns
    -------
    dict of str to numpy.ndarray
        The gradients, which are zero for arguments of integer types.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x = numpy.array([1, 2], "float32")
    >>> executor = sym.square(sym.var("x")).bind(default_context(), {"x": array(x)})
    >>> numeric_grad(executor, {"x": x}, eps=2.0**-8)
    {'x': array([2., 4.], dtype=float32)}
    """
    assert dtype in _FLOATS
    gradients = {name: numpy.zeros(value.shape, dtype) for name, value in location.items()}

    def put(place: NDArray, value: Any) -> None:
        place[:] = ndarray.array(value, dtype=dtype).tostype(place.stype)

    def result_at(name: str, value: numpy.ndarray) -> numpy.ndarray:
        put(executor.arg_dict[name], value)
        for state, kept in (aux_states or {}).items():
            put(executor.aux_dict[state], kept)
        executor.forward(is_train=use_forward_train)
        return executor.outputs[0].asnumpy()

    for name, value in location.items():
        if executor.arg_dict[name].stype == "default":
            put(executor.arg_dict[name], value)
    for name in location:
        value = numpy.array(location[name], order="C")
        if value.dtype.kind != "f":
            continue
        for i, element in enumerate(value.copy().flat):
            value.flat[i] = element + value.dtype.type(eps / 2)
            above = result_at(name, value)
            value.flat[i] -= value.dtype.type(eps)
            below = result_at(name, value)
            value.flat[i] = element
            gradients[name].flat[i] = (above - below).sum() / eps
        put(executor.arg_dict[name], value)
    return gradients


def check_numeric_gradient(
    sym: Symbol,
    location: Values,
    aux_states: Values | None = None,
    numeric_eps: Tolerance = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Any = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: dict[str, str] | None = None,
    dtype: Any = numpy.float32,
) -> None:
    """Raise an AssertionError unless a symbol's gradients agree with finite differences.

    The function multiplies the output by random numbers first, so that errors do not cancel in the sum of the output.

    Parameters
    ----------
    sym : Symbol
        A symbol with one output.
    location : list or dict of numpy.ndarray
        Values of the arguments, in order or by name.
    aux_states : list or dict of numpy.ndarray, optional
        Values of the auxiliary states.
    numeric_eps : float or dict, optional
        Step size of the finite difference.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.
    grad_nodes : list of str, or dict of str to str, optional
        Names of the arguments whose gradients are checked. A dict also contains the request of each gradient
        (``"write"``, ``"add"``, or ``"null"``).
    use_forward_train : bool
        Whether to compute finite differences in training mode.
    ctx : Context, optional
        Device to compute on; the default context by default.
    grad_stype_dict : dict of str to str, optional
        Storage types of the gradients.
    dtype : dtype
        Element type: float16, float32, or float64.

    Raises
    ------
    AssertionError
        If a gradient differs.
    ValueError
        If ``grad_nodes`` is neither a sequence nor a dictionary.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> check_numeric_gradient(sym.tanh(sym.var("x")), [numpy.array([0.1, 0.2])])
    """
    assert dtype in _FLOATS
    ctx = default_context() if ctx is None else ctx
    arguments = _arguments(sym, location, ctx, dtype)
    values = {name: value.asnumpy() for name, value in arguments.items()}
    states = _states(sym, aux_states, ctx, dtype)
    if grad_nodes is None:
        grad_nodes = sym.list_arguments()
    elif not isinstance(grad_nodes, (list, tuple, dict)):
        error = ValueError()  # as in MXNet
        error.add_note(f"grad_nodes must be a list, a tuple, or a dict, not {type(grad_nodes).__name__}.")
        raise error
    requests = dict(grad_nodes) if isinstance(grad_nodes, dict) else dict.fromkeys(grad_nodes, "write")

    shape = sym.infer_shape(**{name: value.shape for name, value in arguments.items()})[1][0]
    factor: Any = Variable("__random_proj")
    if isinstance(sym, _Symbol):
        scaled = (sym * factor.as_np_ndarray()).as_nd_ndarray()
    else:
        scaled = sym * factor
    # With small factors, rounding would dominate the differences.
    arguments["__random_proj"] = array(numpy.random.rand(*shape) + 0.1, ctx, dtype)
    before = {name: numpy.random.normal(0, 0.01, arguments[name].shape) for name in [*requests, "__random_proj"]}
    gradients = {name: array(value, ctx, dtype) for name, value in before.items()}
    if grad_stype_dict is not None:
        assert isinstance(grad_stype_dict, dict), "grad_stype_dict must be a dict"
        for name in gradients.keys() & grad_stype_dict.keys():
            if grad_stype_dict[name] in ("row_sparse", "csr"):
                gradients[name] = sparse.zeros(grad_stype_dict[name], gradients[name].shape, ctx, dtype)

    executor = make_loss(scaled).bind(ctx, arguments, gradients, requests, states)
    if len(executor.arg_arrays) != len(arguments):
        raise ValueError(
            "Executor arg_arrays and and location len do not match."
            f"Got {len(executor.arg_arrays)} inputs and {len(arguments)} locations"
        )
    assert len(executor.outputs) == 1
    executor.forward(is_train=True)
    eps = get_tolerance(executor.outputs[0], numeric_eps, default_numeric_eps())
    assert dtype is numpy.float64 or eps >= 1e-5  # rounding hides smaller differences
    executor.backward()

    kept = None if states is None else {name: value.asnumpy() for name, value in states.items()}
    expected = numeric_grad(executor, values, kept, eps, use_forward_train, dtype)
    for name, request in requests.items():
        names = (f"NUMERICAL_{name}", f"BACKWARD_{name}")
        gradient = executor.grad_dict[name]
        _compare_gradient(name, expected[name], gradient, before[name], request, names, rtol=rtol, atol=atol)


# --- expected results ------------------------------------------------------------------------------------


def check_symbolic_forward(
    sym: Symbol,
    location: Values,
    expected: Values,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Values | None = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = numpy.float32,
) -> list[NDArray]:
    """Raise an AssertionError unless a symbol's outputs equal the expected outputs within tolerances.

    Parameters
    ----------
    sym : Symbol
        The symbol.
    location : list or dict of numpy.ndarray
        Values of the arguments, in order or by name.
    expected : list or dict of numpy.ndarray
        The expected outputs, in order or by name.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.
    aux_states : list or dict of numpy.ndarray, optional
        Values of the auxiliary states.
    ctx : Context, optional
        Device to compute on; the default context by default.
    equal_nan : bool
        Whether NaN equals NaN.
    dtype : dtype or "asnumpy"
        Element type to compute in. ``"asnumpy"`` selects the type of each value.

    Returns
    -------
    list of NDArray
        The outputs.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> _ = check_symbolic_forward(sym.exp(sym.var("x")), [numpy.zeros(2)], [numpy.ones(2)])
    """
    own = _own_type(dtype)
    ctx = default_context() if ctx is None else ctx
    arguments = _arguments(sym, location, ctx, dtype)
    states = _states(sym, aux_states, ctx, dtype)
    names = sym.list_outputs()
    if isinstance(expected, dict):
        expected = [expected[name] for name in names]
    gradients = {
        name: ndarray.zeros(value.shape, ctx, value.dtype if own else dtype) for name, value in arguments.items()
    }
    executor = sym.bind(ctx, arguments, gradients, aux_states=states)
    executor.forward(is_train=False)
    for name, wanted, output in zip(names, expected, executor.outputs, strict=False):
        told = (f"EXPECTED_{name}", f"FORWARD_{name}")
        assert_almost_equal(wanted, output, rtol, atol, told, equal_nan=equal_nan)
    return executor.outputs


def _arrays(values: Any, ctx: Any, dtype: Any) -> Any:
    """Convert NumPy arrays to arrays of this package, in a list or by name."""
    own = _own_type(dtype)

    def of(value: Any) -> Any:
        return array(value, ctx, value.dtype if own else dtype) if isinstance(value, numpy.ndarray) else value

    if isinstance(values, dict):
        return {name: of(value) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [of(value) for value in values]
    assert values is None
    return None


def check_symbolic_backward(
    sym: Symbol,
    location: Values,
    out_grads: Values | None,
    expected: Values,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Values | None = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: dict[str, str] | None = None,
    equal_nan: bool = False,
    dtype: Any = numpy.float32,
) -> dict[str, NDArray]:
    """Raise an AssertionError unless a symbol's gradients equal the expected gradients within tolerances.

    Parameters
    ----------
    sym : Symbol
        The symbol.
    location : list or dict of numpy.ndarray
        Values of the arguments, in order or by name.
    out_grads : list or dict of numpy.ndarray, or None
        Gradients of the outputs.
    expected : list or dict of numpy.ndarray
        The expected gradients of the arguments, in order or by name.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.
    aux_states : list or dict of numpy.ndarray, optional
        Values of the auxiliary states.
    grad_req : str, or list or dict of str
        The gradient requests: ``"write"``, ``"add"``, or ``"null"``.
    ctx : Context, optional
        Device to compute on; the default context by default.
    grad_stypes : dict of str to str, optional
        Storage types of the gradients.
    equal_nan : bool
        Whether NaN equals NaN.
    dtype : dtype or "asnumpy"
        Element type to compute in. ``"asnumpy"`` selects the type of each value.

    Returns
    -------
    dict of str to NDArray
        The gradients.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x = numpy.array([1.0, 2.0])
    >>> check_symbolic_backward(sym.square(sym.var("x")), [x], [numpy.ones(2)], [2 * x])["x"].asnumpy()
    array([2., 4.], dtype=float32)
    """
    own = _own_type(dtype)
    ctx = default_context() if ctx is None else ctx
    arguments = _arguments(sym, location, ctx, dtype)
    states = _states(sym, aux_states, ctx, dtype)
    names = sym.list_arguments()
    wanted: Any = dict(zip(names, expected, strict=False)) if isinstance(expected, (list, tuple)) else expected
    # Sentinel values reveal which arrays the backward pass writes to.
    before = {name: numpy.random.normal(size=value.shape) for name, value in sorted(wanted.items())}
    gradients = {name: array(value, ctx, wanted[name].dtype if own else dtype) for name, value in before.items()}
    for name, stype in (grad_stypes or {}).items():
        if name in gradients and stype not in (None, "default"):
            gradients[name] = create_sparse_array(gradients[name].shape, stype, density=0.0)
    if isinstance(grad_req, str):
        grad_req = dict.fromkeys(names, grad_req)
    elif isinstance(grad_req, (list, tuple)):
        grad_req = dict(zip(names, grad_req, strict=False))

    executor = sym.bind(ctx, arguments, gradients, grad_req, states)
    executor.forward(is_train=True)
    executor.backward(_arrays(out_grads, ctx, dtype))
    for name, right in wanted.items():
        told = (f"EXPECTED_{name}", f"BACKWARD_{name}")
        settings = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan}
        _compare_gradient(name, right, gradients[name], before[name], grad_req[name], told, **settings)
    return gradients
