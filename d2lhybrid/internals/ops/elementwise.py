"""The factories that create families of element-wise operators.

The three dialects have different names for ``a + b``:

* legacy ``nd`` uses ``broadcast_add``, which broadcasts sizes of 1.
* legacy ``sym`` uses ``elemwise_add``, which requires equal shapes.
* ``np`` uses ``_npi_add``, with NumPy's broadcasting and promotion of mixed element types.

Operators with a number have other names (``_minus_scalar`` for ``x - 2``, ``_rminus_scalar`` for ``2 - x``). Legacy
operators never promote: ``int32 + 0.5`` truncates the number, and ``exp`` of an integer array is an integer array.

The tables are in :mod:`.unary`, :mod:`.binary`, :mod:`.comparison` and :mod:`.numpy_elementwise`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy

from ...error import MXNetError, ShapeError
from ..core.operator import Array, Operator, operator
from . import rules
from .repeated import MIN_SIZE, repeated

__all__ = [
    "Kernel",
    "Rule",
    "at_least",
    "at_most",
    "binary",
    "check_same_dtype",
    "declare_ufunc",
    "in_double",
    "in_integers",
    "kernel_of",
    "reduce_like",
    "scalar_operand",
    "scalar_type",
    "unary",
    "with_input_names",
    "with_scalar",
]

FAMILY = "elementwise"
MEANINGS = {
    "data": "An array of any shape, which is also the shape of the result.",
}

Kernel = Callable[..., Any]
Rule = Callable[..., Any]


def kernel_of(function: Kernel | str, is_reversed: bool = False) -> Kernel:
    """Return the kernel for a function or a NumPy function's name; with ``is_reversed``, the operands are swapped."""
    if not isinstance(function, str):
        return function
    name, on_host = function, getattr(numpy, function)
    if is_reversed:
        return lambda xp, x, y: (on_host if xp is numpy else getattr(xp, name))(y, x)
    return lambda xp, *operands: (on_host if xp is numpy else getattr(xp, name))(*operands)


def declare_ufunc(op: Operator, function: Kernel | str | None, is_reversed: bool = False) -> None:
    """Declare the NumPy function of an operator, if `function` is the name of a NumPy function."""
    if isinstance(function, str):
        op.ufunc(function, is_reversed)


# --- integers and numbers ------------------------------------------------------------------------


def in_double(xp: Any, function: Kernel, *operands: Any) -> Any:
    """Compute a function of real numbers on integer arrays in float64, and truncate the result.

    ``operands`` are arrays, or an array and a NumPy number of the same element type.

    Raises
    ------
    MXNetError
        If the arrays are boolean.
    """
    dtype = operands[0].dtype
    if dtype.kind == "b":
        error = MXNetError("Unknown type enum 7")
        error.add_note(
            "This operator does not support boolean arrays. Cast the array first, for example with x.astype('float32')."
        )
        raise error
    return function(xp, *(a.astype(numpy.float64) for a in operands)).astype(dtype)


def with_scalar(data: Any, scalar: float, is_int: bool) -> tuple[Any, Any]:
    """Return an integer or boolean array and a Python number in a common element type.

    If `is_int` is True, a boolean array becomes int64, and the number is converted to the array's type, as
    :func:`in_integers` describes. If `is_int` is False, the array and the number become float64. Python's operators on
    legacy arrays pass True for all numbers, so fractions are truncated.

    Examples
    --------
    >>> with_scalar(numpy.array([7], "int32"), 0.5, True)
    (array([7], dtype=int32), np.int32(0))
    >>> with_scalar(numpy.array([7], "int32"), 0.5, False)
    (array([7.]), 0.5)
    """
    if not is_int:
        return data.astype(numpy.float64), scalar
    if data.dtype.kind == "b":
        data = data.astype(numpy.int64)
    return data, in_integers(scalar, data.dtype)


def in_integers(number: Any, dtype: numpy.dtype) -> Any:
    """Return the integer to which C converts a number on common CPUs.

    The number is converted to int64 for 64-bit types, and to int32 for all other types; the integer then wraps around.
    A number that doesn't fit into int64 or int32, respectively, becomes the smallest integer of this type.

    Examples
    --------
    >>> in_integers(-1e18, numpy.dtype("int32")), in_integers(300, numpy.dtype("uint8"))
    (np.int32(-2147483648), np.uint8(44))
    """
    held = numpy.iinfo(numpy.int64 if dtype.itemsize == 8 else numpy.int32)
    whole = int(number) if math.isfinite(number) else held.min
    return numpy.int64(whole if held.min <= whole <= held.max else held.min).astype(dtype)


def scalar_type(data: numpy.dtype | None, *, is_int: bool = True, **_: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule of an operator of an array and a number; see :func:`with_scalar`."""
    if data is None or data.kind == "f":
        return [data], [data]
    if not is_int:
        return [data], [numpy.dtype(numpy.float64)]
    return [data], [numpy.dtype(numpy.int64) if data.kind == "b" else data]


def at_least(xp: Any, x: Any, bound: float, out: Any = None) -> Any:
    """Return the maximum of a floating-point array and a number."""
    return _compared(xp, xp.maximum, x, bound, out)


def at_most(xp: Any, x: Any, bound: float, out: Any = None) -> Any:
    """Return the minimum of a floating-point array and a number."""
    return _compared(xp, xp.minimum, x, bound, out)


def _compared(xp: Any, function: Callable[..., Any], x: Any, bound: float, out: Any) -> Any:
    if xp is numpy and x.size >= MIN_SIZE and x.flags.c_contiguous:
        return function(x, repeated(bound, x.shape, x.dtype), out=out)
    return function(x, bound, out=out)


def check_same_dtype(lhs: Any, rhs: Any) -> None:
    """Raise MXNet's error if two arrays have different element types.

    Raises
    ------
    ShapeError
        If the element types differ: ``... Incompatible attr in node  at 1-th input: expected float32, got int32``.
    """
    if lhs.dtype != rhs.dtype:
        raise ShapeError(
            "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
            f"expected {lhs.dtype.name}, got {rhs.dtype.name}"
        )


def with_input_names(kernel: Kernel, *names: str) -> Kernel:
    """Return the kernel with public names for its array parameters."""
    signature = inspect.signature(kernel)
    parameters = list(signature.parameters.values())
    for i, name in enumerate(names, start=1):
        parameters[i] = parameters[i].replace(name=name)
    kernel.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return kernel


# --- one array -----------------------------------------------------------------------------------


def _unary_kernel(function: Kernel, integers: bool) -> Kernel:
    if integers:

        def run(xp, data: Array):
            return function(xp, data)
    else:

        def run(xp, data: Array):
            if data.dtype.kind == "f":
                return function(xp, data)
            return in_double(xp, function, data)

    return run


def unary(
    names: tuple[str, ...],
    function: Kernel | str,
    vjp: Rule | None,
    doc: str,
    integers: bool = False,
    npi: str | tuple[str, ...] = (),
    fresh: bool = True,
    ufunc: str | None = None,
    identity: Literal["", "always", "same type"] = "",
) -> Operator:
    """Register a unary element-wise operator.

    Parameters
    ----------
    names : tuple of str
        MXNet's names, the canonical name first.
    function : callable or str
        The function ``function(xp, x)``, or the name of a NumPy function.
    vjp : callable or None
        The gradient ``vjp(F, dy, y, x)``; None if the gradient is zero.
    doc : str
        A sentence that becomes the summary of the docstring.
    integers : bool
        Whether the function is correct for integers. If not, the kernel converts integers to float64, and converts the
        result back.
    npi : str or tuple of str
        The names of the operator in MXNet's ``np``, where the name of its input is ``x``.
    fresh : bool
        Whether the function never returns its argument or a view of it.
    ufunc : str, optional
        The NumPy function with the same results on floating-point arrays, if ``function`` isn't the name of this
        function.
    identity : str
        The value of :attr:`~d2lhybrid.internals.core.facts.Facts.identity`, which says when programs omit the operator.

    Returns
    -------
    Operator
        The legacy operator.
    """
    compute = kernel_of(function)
    registered = []
    for group in (names, (npi,) if isinstance(npi, str) else npi):
        if not group:
            continue
        run = _unary_kernel(compute, integers)
        run.__doc__ = doc
        if group is not names:
            with_input_names(run, "x")
        op = operator(*group, differentiable=vjp is not None, elementwise=True, fresh=fresh)(run)
        op.infer_shape(rules.same)
        op.infer_type(rules.same_type)
        declare_ufunc(op, ufunc or function)
        op.identity = identity
        if vjp is not None:
            op.gradient(lambda F, dy, y, data: [vjp(F, dy, y, data)])
        registered.append(op)
    return registered[0]


# --- two arrays ----------------------------------------------------------------------------------


@operator("_reduce_like")
def reduce_like(xp, data: Array, like: Array):
    """Return the gradient of broadcasting: the sum over the broadcast axes, in the shape of ``like``."""
    if data.shape == like.shape:
        return data
    lead = data.ndim - like.ndim
    axes = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(like.shape) if n == 1 and data.shape[lead + i] != 1
    )
    return xp.add.reduce(data, axis=axes, keepdims=True).reshape(like.shape)


reduce_like.infer_shape(lambda data, like: ([data, like], [like]))
reduce_like.infer_type(rules.type_of_first)
reduce_like.family = "reduction"
reduce_like.reduces = True
reduce_like.identity = "same type"
reduce_like.gradient(lambda F, dy, y, data, like: [F.broadcast_add(F.zeros_like(data), dy), None])


def _gradient_of_both(vjp: tuple[Rule | None, Rule | None], reduce: str | None) -> Rule:
    """Return the gradient rule of two operands, which computes only the gradients that are needed."""

    def rule(F, dy, y, lhs, rhs, *, needs=(True, True)):
        gradients = []
        for wanted, partial, operand in zip(needs, vjp, (lhs, rhs), strict=True):
            g = partial(F, dy, y, lhs, rhs) if wanted and partial is not None else None
            gradients.append(g if g is None or reduce is None else getattr(F, reduce)(g, operand))
        return gradients

    return rule


def _by_kind(function: Kernel, integers: Kernel) -> Kernel:
    """Return a kernel of two arrays that selects one of two kernels by the element type of the first array."""

    def compute(xp, lhs, rhs):
        return (function if lhs.dtype.kind == "f" else integers)(xp, lhs, rhs)

    return compute


def _describe_operands(op: Operator, agreement: str) -> None:
    """Add the meanings of an operator's two operands; ``agreement`` says how they must agree with ``{other}``."""
    for name, side, other in (("lhs", "left", "rhs"), ("rhs", "right", "lhs")):
        MEANINGS[f"{op.name}.{name}"] = f"The {side} operand, {agreement.format(other=other)}."


def binary(
    elemwise: tuple[str, ...],
    broadcast: tuple[str, ...],
    function: Kernel | str,
    vjp: tuple[Rule | None, Rule | None] | None,
    doc: str,
    integers: Kernel | None = None,
) -> None:
    """Register a binary operator in the two legacy dialects.

    Parameters
    ----------
    elemwise, broadcast : tuple of str
        The names of the operator that requires equal shapes, and of the operator that broadcasts.
    function : callable or str
        The function ``function(xp, a, b)``, or the name of a NumPy function.
    vjp : pair of callables, or None
        The gradients ``vjp(F, dy, y, a, b)`` of the left and the right operand, in the shape of ``dy``;
        None instead of a callable if the gradient is zero.
    doc : str
        A sentence that becomes the documentation of both operators.
    integers : callable, optional
        The function ``integers(xp, a, b)`` that replaces ``function`` for arrays that don't contain floats.
    """
    compute = kernel_of(function) if integers is None else _by_kind(kernel_of(function), integers)

    def run_elemwise(xp, lhs: Array, rhs: Array):
        if lhs.dtype is not rhs.dtype:  # equal element types are nearly always the same object
            check_same_dtype(lhs, rhs)
        if lhs.shape != rhs.shape:
            rules.unify_all([lhs.shape, rhs.shape])
        return compute(xp, lhs, rhs)

    def run_broadcast(xp, lhs: Array, rhs: Array):
        if lhs.dtype is not rhs.dtype:
            check_same_dtype(lhs, rhs)
        return compute(xp, lhs, rhs)

    for names, run, rule, agreement in (
        (elemwise, run_elemwise, rules.same, "of the shape and the element type of ``{other}``"),
        (
            broadcast, run_broadcast, rules.broadcast,
            "of the element type of ``{other}``, and of a shape that broadcasts with its shape",
        ),
    ):  # fmt: skip
        if not names:
            continue
        run.__doc__ = doc
        op = operator(*names, differentiable=vjp is not None, elementwise=True, fresh=True)(run)
        op.infer_shape(rule)
        op.infer_type(rules.same_type)
        op.precision = "widest"
        declare_ufunc(op, function)
        _describe_operands(op, agreement)
        if vjp is not None:
            op.gradient(_gradient_of_both(vjp, None if run is run_elemwise else "_reduce_like"))


# --- an array and a number -----------------------------------------------------------------------


def scalar_operand(
    names: tuple[str, ...],
    function: Kernel | str,
    vjp: Rule | None,
    doc: str,
    integers: Kernel | None = None,
    npi: str | None = None,
    is_reversed: bool = False,
    ufunc: str | None = None,
    neutral: float | None = None,
) -> Operator:
    """Register an operator of an array and a Python number.

    Parameters
    ----------
    names : tuple of str
        MXNet's names, the canonical name first.
    function : callable or str
        The function ``function(xp, x, s)``, or the name of a NumPy function. ``s`` is a Python number, or a NumPy
        number of the element type of ``x`` if that is an integer type.
    vjp : callable or None
        The gradient ``vjp(F, dy, y, x, s)``; None if the gradient is zero.
    doc : str
        A sentence that becomes the documentation.
    integers : callable, optional
        The function ``integers(xp, x, s)`` that replaces ``function`` for arrays that don't contain floats.
    npi : str, optional
        The name of the operator in MXNet's ``np``.
    is_reversed : bool
        Whether NumPy's function takes the number first.
    ufunc : str, optional
        The NumPy function with the same results on floating-point arrays, if ``function`` isn't the name of this
        function.
    neutral : float, optional
        The value of ``scalar`` with which the operator returns the array unchanged.

    Returns
    -------
    Operator
        The legacy operator.
    """
    on_floats = kernel_of(function, is_reversed)
    on_integers = integers or on_floats
    on_host = getattr(numpy, function) if isinstance(function, str) and not is_reversed else None

    def run(xp, data: Array, scalar: float = 1.0, is_int: bool = True):
        if data.dtype.kind == "f":
            return on_host(data, scalar) if on_host is not None and xp is numpy else on_floats(xp, data, scalar)
        data, scalar = with_scalar(data, scalar, is_int)
        return (on_floats if data.dtype.kind == "f" else on_integers)(xp, data, scalar)

    run.__doc__ = doc
    registered = []
    for group in (names, (npi,) if npi else ()):
        if not group:
            continue
        op = operator(*group, differentiable=vjp is not None, elementwise=True, fresh=True)(run)
        op.infer_shape(rules.same)
        op.infer_type(scalar_type)
        declare_ufunc(op, ufunc or function, is_reversed)
        op.neutral = neutral
        if vjp is not None:
            op.gradient(lambda F, dy, y, data, *, scalar, is_int=True: [vjp(F, dy, y, data, scalar)])
        registered.append(op)
    return registered[0]
