"""The functions of ``mx.nd`` that are not generated, and the code that all generated functions share.

A function such as ``nd.maximum`` calls one operator for two arrays and another operator for an array and a number.
Other functions of this module have arguments that are not attributes of an operator.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..context import Context, context_of
from ..error import MXNetError
from ..internals.core.invoke import invoke
from ..internals.core.operator import Operator, get_operator
from ..internals.frontends.frontend import NameSpace, make_function, namespace_of, passed_over
from ..internals.frontends.legacy_operators import legacy_operator_error
from ..internals.support.plugins import service
from .ndarray import NDArray
from .ndarray import array as new_array
from .sparse_calls import call_with_sparse

__all__ = [
    "Custom", "add", "arange", "concatenate", "divide", "equal", "eye", "full", "greater", "greater_equal", "histogram",
    "imdecode", "lesser", "lesser_equal", "linspace", "load", "load_frombuffer", "logical_and", "logical_or",
    "logical_xor", "maximum", "minimum", "modulo", "moveaxis", "multiply", "not_equal", "onehot_encode", "power",
    "save", "split_v2", "subtract", "true_divide",
]  # fmt: skip


# --- code shared by generated functions ------------------------------------------------------------


def _check(op: Operator, name: str, argument: str, value: Any) -> Any:
    """Return an NDArray or an absent input (None) unchanged, and raise MXNet's error for any other value."""
    if value is None:
        return None
    if not isinstance(value, NDArray):
        message = f"Argument {argument} must have NDArray type, but got {value}"
        raise _not_an_array(message, _name_in_f(op, name), argument, value)
    if not value._legacy:
        raise legacy_operator_error(op, name)
    return value


def _name_in_f(op: Operator, name: str) -> str:
    """Return the name of an operator's function with its module, such as ``linalg.gemm2``, for use after ``F.``."""
    places = [place for place, public in map(namespace_of, op.names) if public == name and not place.startswith("np")]
    return name if not places or "" in places else f"{places[0]}.{name}"


def _not_an_array(message: str, name: str, argument: str, value: Any) -> AssertionError:
    """Return MXNet's error for an input that is not an NDArray, with a note that says what to do."""
    error = AssertionError(message)
    if hasattr(value, "list_arguments"):
        error.add_note(f"This function takes arrays, not Symbols: in hybrid_forward, write F.{name}.")
    elif isinstance(value, numpy.ndarray | list | tuple):
        error.add_note(
            "In hybrid_forward, call operators of F instead of NumPy. Elsewhere, convert the argument with "
            f"nd.array({argument})."
        )
    return error


def _check_all(op: Operator, name: str, values: tuple[Any, ...]) -> list[Any]:
    for value in values:
        if not isinstance(value, NDArray):
            message = f"Positional arguments must have NDArray type, but got {value}"
            raise _not_an_array(message, _name_in_f(op, name), "...", value)
        if not value._legacy:
            raise legacy_operator_error(op, name)
    return list(values)


def _extra(op: Operator, name: str, arrays: list[Any], params: dict[str, Any], kwargs: dict[str, Any]) -> Any:
    """Process keyword arguments that are not in the signature.

    ``attr`` and ``num_args`` have no effect. Arrays are inputs of an operator with a variable number of inputs. Any
    other argument raises an error.
    """
    kwargs.pop("attr", None)
    kwargs.pop("num_args", None)
    for key in list(kwargs):
        if op.variadic is not None and isinstance(kwargs[key], NDArray):
            arrays = [*arrays, kwargs.pop(key)]
    if kwargs and not passed_over(op, kwargs):
        op.parse({**params, **kwargs})  # raises an error that names the argument and suggests a correction
    return arrays, params


def _in_places(op: Operator, arrays: list[Any], wanted: Sequence[str]) -> list[Any]:
    """Return the arrays at the positions of the operator's inputs, with None for absent inputs."""
    present = [array for array in arrays if array is not None]
    if len(present) != len(wanted) or all(
        array is None or i.name in wanted for i, array in zip(op.inputs, arrays, strict=True)
    ):
        return arrays
    places = dict(zip(wanted, present, strict=True))
    return [places.get(i.name) for i in op.inputs]


def settle_inputs(op: Operator, arrays: list[Any], params: dict[str, Any]) -> list[Any]:
    """Move the arrays to the positions of the operator's inputs, and drop absent trailing inputs.

    Parameters
    ----------
    op : Operator
        The operator.
    arrays : list of NDArray or None
        The arrays of all inputs; None for an absent input.
    params : dict
        The operator's attributes, which determine the inputs that it reads.

    Returns
    -------
    list of NDArray or None
        The inputs for the call.

    Raises
    ------
    MXNetError
        If an input that the operator requires is missing.
    """
    wanted = op.list_inputs(params)
    arrays = _in_places(op, arrays, wanted)
    absent = [i.name for i, given in zip(op.inputs, arrays, strict=True) if given is None]
    if not set(absent).isdisjoint(wanted):
        count = len(arrays) - len(absent)
        error = MXNetError(
            f"Check failed: num_inputs == infered_num_inputs ({count} vs. {len(wanted)}) : "
            f"Operator {op.name} expects {len(wanted)} inputs, but got {count} instead."
        )
        error.add_note(f"Pass the missing inputs: {', '.join(name for name in absent if name in wanted)}.")
        raise error
    while arrays and arrays[-1] is None:
        arrays.pop()
    return arrays


def call_eager(op: Operator, name: str, arrays: list[Any], params: dict[str, Any], out: Any, _name: Any) -> Any:
    """Run the operator of a generated function.

    Parameters
    ----------
    op : Operator
        The operator.
    name : str
        The name of the function.
    arrays : list of NDArray or None
        The inputs.
    params : dict
        The operator's attributes.
    out : NDArray or sequence of NDArray, optional
        The arrays to write to.
    _name : object
        Ignored: the function's argument ``name`` has no effect on arrays.

    Returns
    -------
    NDArray or list of NDArray
        The results.
    """
    if out is not None and not isinstance(out, NDArray) and len(out) == 1:
        invoke(op, arrays, params, NDArray, out[0])
        return out
    for array in arrays:
        if type(array) is not NDArray and array is not None:
            return call_with_sparse(op, arrays, params, out)
    return invoke(op, arrays, params, NDArray, out)


def operators(place: str, module: str, globals_: dict[str, Any]) -> NameSpace:
    """Return the namespace that creates the functions of a submodule of ``nd`` on demand.

    Parameters
    ----------
    place : str
        The submodule, such as ``"linalg"``.
    module : str
        The ``__module__`` of the functions.
    globals_ : dict
        The submodule's global variables.
    """

    def make(op: Operator, name: str) -> Callable[..., Any]:
        return make_function(
            op, name, call=call_eager, check=_check, check_all=_check_all, extra=_extra, array_class=NDArray,
            tail=("out", "name"), module=module, parse=True, settle=settle_inputs,
            none_is_double=True,
        )  # fmt: skip

    return NameSpace(place, module, make, globals_)


def Custom(*data: Any, **kwargs: Any) -> Any:  # noqa: N802  MXNet's name
    """Run an operator that was registered with :func:`d2lhybrid.operator.register`.

    Parameters
    ----------
    *data : NDArray
        The operator's inputs, followed by its states. You can also pass inputs and states by name.
    **kwargs
        ``op_type``, the name of the operator; inputs by name; ``out``, the array to write to; and arguments of the
        operator's class, which receives them as strings.

    Returns
    -------
    NDArray or list of NDArray
        The output, or the outputs.

    Raises
    ------
    MXNetError
        If an input is unknown, or if the number of inputs is wrong.
    AssertionError
        If a positional argument is not an array.
    """
    out = kwargs.pop("out", None)
    for nothing in ("name", "attr"):
        kwargs.pop(nothing, None)
    named = {key: kwargs.pop(key) for key, value in list(kwargs.items()) if isinstance(value, NDArray)}
    op, params = service("custom_operator")(kwargs)
    names = [i.name for i in op.inputs]
    unknown = [key for key in named if key not in names]
    if unknown:
        raise MXNetError(
            f"custom operator {params['op_type']!r} has no input {unknown[0]!r}. "
            + (f"The inputs are {', '.join(names)}" if names else "The operator has no inputs")
        )
    arrays = [*data, *(named[name] for name in names if name in named)]
    for value in arrays:
        if not isinstance(value, NDArray):
            raise _not_an_array(f"Positional arguments must have NDArray type, but got {value}", "Custom", "...", value)
    if len(arrays) != len(names):
        raise MXNetError(
            f"Check failed: num_inputs == infered_num_inputs ({len(arrays)} vs. {len(names)}) : "
            f"Operator Custom expects {len(names)} inputs, but got {len(arrays)} instead."
        )
    cls = type(arrays[0]) if arrays else NDArray
    return invoke(op, arrays, params, cls, out)


# --- arrays or numbers -------------------------------------------------------------------------------


def _array_or_number(
    name: str, array_op: str, scalar_op: str, reverse_op: str, of_numbers: Callable[[Any, Any], Any], doc: str
) -> Callable[..., NDArray]:
    def function(lhs: Any, rhs: Any) -> NDArray:
        left, right = isinstance(lhs, NDArray), isinstance(rhs, NDArray)
        if left and right:
            for value in (lhs, rhs):
                if not value._legacy:
                    raise legacy_operator_error(get_operator(array_op), array_op)
            return call_eager(get_operator(array_op), name, [lhs, rhs], {}, None, None)
        if left and isinstance(rhs, numbers.Number):
            scalar = {"scalar": float(rhs)}  # type: ignore[arg-type]
            return call_eager(get_operator(scalar_op), name, [lhs], scalar, None, None)
        if right and isinstance(lhs, numbers.Number):
            scalar = {"scalar": float(lhs)}  # type: ignore[arg-type]
            return call_eager(get_operator(reverse_op), name, [rhs], scalar, None, None)
        if isinstance(lhs, numbers.Number) and isinstance(rhs, numbers.Number):
            return of_numbers(lhs, rhs)
        raise TypeError(f"type {type(lhs if not left else rhs)} not supported")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{doc}\n\nParameters\n----------\nlhs, rhs : NDArray or number\n"
        "    The operands. Two arrays are broadcast.\n\n"
        "Raises\n------\nTypeError\n    If an operand is neither an array nor a number.\n"
    )
    return function


def _number(test: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: 1 if test(a, b) else 0


add = _array_or_number(
    "add", "broadcast_add", "_plus_scalar", "_plus_scalar", lambda a, b: a + b, "Return ``lhs + rhs``."
)
subtract = _array_or_number(
    "subtract", "broadcast_sub", "_minus_scalar", "_rminus_scalar", lambda a, b: a - b, "Return ``lhs - rhs``."
)
multiply = _array_or_number(
    "multiply", "broadcast_mul", "_mul_scalar", "_mul_scalar", lambda a, b: a * b, "Return ``lhs * rhs``."
)
divide = _array_or_number(
    "divide", "broadcast_div", "_div_scalar", "_rdiv_scalar", lambda a, b: a / b, "Return ``lhs / rhs``."
)
true_divide = divide
modulo = _array_or_number(
    "modulo", "broadcast_mod", "_mod_scalar", "_rmod_scalar", lambda a, b: a % b, "Return ``lhs % rhs``."
)
_power = _array_or_number(
    "power", "broadcast_power", "_power_scalar", "_rpower_scalar", lambda a, b: a**b, "Return ``base ** exp``."
)


def power(base: Any, exp: Any) -> NDArray:
    """Return ``base ** exp``.

    Parameters
    ----------
    base, exp : NDArray or number
        The operands. Two arrays are broadcast.

    Returns
    -------
    NDArray
        The powers.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.power(base=nd.array([1, 2]), exp=2)
    <BLANKLINE>
    [1. 4.]
    <NDArray 2 @cpu(0)>
    """
    return _power(base, exp)


maximum = _array_or_number(
    "maximum", "broadcast_maximum", "_maximum_scalar", "_maximum_scalar", max, "Return the larger of two values."
)
minimum = _array_or_number(
    "minimum", "broadcast_minimum", "_minimum_scalar", "_minimum_scalar", min, "Return the smaller of two values."
)
equal = _array_or_number(
    "equal", "broadcast_equal", "_equal_scalar", "_equal_scalar", _number(lambda a, b: a == b),
    "Return 1 where ``lhs == rhs``, and 0 elsewhere.",
)  # fmt: skip
not_equal = _array_or_number(
    "not_equal", "broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar", _number(lambda a, b: a != b),
    "Return 1 where ``lhs != rhs``, and 0 elsewhere.",
)  # fmt: skip
greater = _array_or_number(
    "greater", "broadcast_greater", "_greater_scalar", "_lesser_scalar", _number(lambda a, b: a > b),
    "Return 1 where ``lhs > rhs``, and 0 elsewhere.",
)  # fmt: skip
greater_equal = _array_or_number(
    "greater_equal", "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar",
    _number(lambda a, b: a >= b), "Return 1 where ``lhs >= rhs``, and 0 elsewhere.",
)  # fmt: skip
lesser = _array_or_number(
    "lesser", "broadcast_lesser", "_lesser_scalar", "_greater_scalar", _number(lambda a, b: a < b),
    "Return 1 where ``lhs < rhs``, and 0 elsewhere.",
)  # fmt: skip
lesser_equal = _array_or_number(
    "lesser_equal", "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar",
    _number(lambda a, b: a <= b), "Return 1 where ``lhs <= rhs``, and 0 elsewhere.",
)  # fmt: skip
logical_and = _array_or_number(
    "logical_and", "broadcast_logical_and", "_logical_and_scalar", "_logical_and_scalar",
    _number(lambda a, b: a and b), "Return 1 where both arguments are nonzero, and 0 elsewhere.",
)  # fmt: skip
logical_or = _array_or_number(
    "logical_or", "broadcast_logical_or", "_logical_or_scalar", "_logical_or_scalar",
    _number(lambda a, b: a or b), "Return 1 where at least one argument is nonzero, and 0 elsewhere.",
)  # fmt: skip
logical_xor = _array_or_number(
    "logical_xor", "broadcast_logical_xor", "_logical_xor_scalar", "_logical_xor_scalar",
    _number(lambda a, b: bool(a) ^ bool(b)), "Return 1 where exactly one argument is nonzero, and 0 elsewhere.",
)  # fmt: skip


# --- creation ------------------------------------------------------------------------------------------


def _create(name: str, ctx: Any, out: Any = None, **attributes: Any) -> Any:
    op = get_operator(name)
    return invoke(op, (), op.parse(attributes), NDArray, out, context_of(ctx))


def _name(dtype: Any) -> str:
    return "float32" if dtype is None else numpy.dtype(dtype).name


def full(shape: Any, val: float, ctx: Context | None = None, dtype: Any = None, out: Any = None) -> NDArray:
    """Return an array filled with a value.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    val : float
        The value.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default.
    out : NDArray, optional
        The array to write to.

    Returns
    -------
    NDArray
        A new array of shape ``shape``, or ``out``.
    """
    return _create("_full", ctx, out, shape=shape, value=val, dtype=_name(dtype))


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | None = None,
    ctx: Context | None = None,
    dtype: Any = numpy.float32,
) -> NDArray:
    """Return evenly spaced values, each repeated ``repeat`` times.

    Parameters
    ----------
    start, stop : float
        First value, and exclusive upper bound. With ``start`` alone, ``start`` is the upper bound, and the first value
        is 0.
    step : float
        Distance between consecutive values.
    repeat : int
        Number of repetitions of each value.
    infer_range : bool
        Ignored; accepted because MXNet's function has this parameter.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default. None selects float64, as in MXNet.

    Returns
    -------
    NDArray
        A vector of the values.
    """
    if stop is None:
        start, stop = 0, start
    return _create(
        "_arange", ctx, start=start, stop=stop, step=step, repeat=repeat, dtype=numpy.dtype(dtype).name
    )  # fmt: skip


def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, ctx: Context | None = None, dtype: Any = numpy.float32
) -> NDArray:
    """Return ``num`` evenly spaced values from ``start`` to ``stop``.

    Parameters
    ----------
    start, stop : float
        First value, and upper end of the range.
    num : int
        Number of values.
    endpoint : bool
        Whether ``stop`` is the last value.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default. None selects float64, as in MXNet.

    Returns
    -------
    NDArray
        A vector of shape (num,).
    """
    return _create("_linspace", ctx, start=start, stop=stop, num=num, endpoint=endpoint, dtype=numpy.dtype(dtype).name)


def eye(N: int, M: int = 0, k: int = 0, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """Return a matrix with ones on a diagonal.

    Parameters
    ----------
    N, M : int
        Number of rows, and number of columns. With ``M=0``, the matrix is square.
    k : int
        Index of the diagonal. Positive indices are above the main diagonal.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``out``, the array to write to.

    Returns
    -------
    NDArray
        A matrix with ``N`` rows, or ``out``.
    """
    return _create("_eye", ctx, N=N, M=M, k=k, dtype=_name(dtype), **kwargs)


# --- arguments that aren't attributes -----------------------------------------------------------------


def moveaxis(tensor: NDArray, source: Any, destination: Any) -> NDArray:
    """Move axes of an array to new positions.

    Parameters
    ----------
    tensor : NDArray
        The array.
    source, destination : int or sequence of int
        The axes to move, and their new positions.

    Returns
    -------
    NDArray
        The array with its axes in the new order.

    Raises
    ------
    ValueError
        If an axis is out of range or is repeated, or if ``source`` and ``destination`` differ in length.
    """
    from numpy.lib.array_utils import normalize_axis_tuple

    try:
        source = normalize_axis_tuple(source, tensor.ndim)
    except IndexError as error:
        raise ValueError(f"Source should verify 0 <= source < tensor.ndimGot {source}") from error
    destination = normalize_axis_tuple(destination, tensor.ndim)
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [axis for axis in range(tensor.ndim) if axis not in source]
    for to, axis in sorted(zip(destination, source, strict=True)):
        order.insert(to, axis)
    return invoke(get_operator("transpose"), (tensor,), {"axes": tuple(order)}, NDArray)


def concatenate(arrays: list[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Concatenate arrays along an axis.

    Parameters
    ----------
    arrays : list of NDArray
        The arrays.
    axis : int
        The axis.
    always_copy : bool
        Whether to copy the array of a list that contains only one array. If False, this array itself is returned.

    Returns
    -------
    NDArray
        The concatenated array.

    Raises
    ------
    ValueError
        If the list is empty.
    """
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    return invoke(get_operator("Concat"), list(arrays), {"dim": axis}, NDArray)


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Write a one-hot row for each index into ``out``, and return ``out``.

    Parameters
    ----------
    indices : NDArray
        The indices, of shape (n,).
    out : NDArray
        The array to write to, of shape (n, classes).

    Returns
    -------
    NDArray
        ``out``.
    """
    return invoke(get_operator("_onehot_encode"), (indices, out), {}, NDArray, out)


def _float64_range(values: Any) -> tuple[float, float] | None:
    """Return the extremes of floating-point numbers as float64, from which NumPy 1 computes the edges of a histogram.

    NumPy 2 computes the edges in the element type of the extremes. The result is None if NumPy has to find the range.
    """
    if values.dtype.kind != "f" or not numpy.isfinite(values).all() or not values.size:
        return None
    return float(values.min()), float(values.max())


def histogram(a: NDArray, bins: Any = 10, range: tuple[float, float] | None = None) -> Any:
    """Return the counts and the bin edges of a histogram.

    Parameters
    ----------
    a : NDArray
        The values.
    bins : int or NDArray
        Number of bins of equal width, or the edges of the bins.
    range : (float, float), optional
        Lowest and highest edge, if ``bins`` is an integer; the minimum and maximum of ``a`` by default. Without a
        range, NumPy computes the histogram, and the counts are floating-point numbers.

    Returns
    -------
    tuple or list of NDArray
        The counts and the edges.

    Raises
    ------
    ValueError
        If ``bins`` is neither an integer nor an NDArray.
    """
    op = get_operator("_histogram")
    if isinstance(bins, NDArray):
        return invoke(op, (a, bins), {}, NDArray)
    if not isinstance(bins, int | numpy.integer):
        raise ValueError("bins argument should be either an integer or an NDArray")
    if range is None:
        warnings.warn("range is not specified, using numpy's result to ensure consistency with numpy", stacklevel=2)
        values = a.asnumpy()
        counts, edges = numpy.histogram(values, bins, _float64_range(values))
        return new_array(counts), new_array(edges)
    return invoke(op, (a,), op.parse({"bin_cnt": bins, "range": range}), NDArray)


def split_v2(ary: NDArray, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Any:
    """Split an array into sections of equal size, or at indices.

    Parameters
    ----------
    ary : NDArray
        The array.
    indices_or_sections : int or tuple of int
        Number of sections of equal size, or the indices at which all sections except the first start.
    axis : int
        The axis to split.
    squeeze_axis : bool
        Whether to remove the axis from the sections, which requires sections of size 1.

    Returns
    -------
    NDArray or list of NDArray
        The sections.

    Raises
    ------
    ValueError
        If the axis cannot be divided into equal sections, or if ``indices_or_sections`` is neither an integer nor a
        sequence.
    """
    op = get_operator("_split_v2")
    if isinstance(indices_or_sections, int):
        if ary.shape[axis] % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
        attributes: dict[str, Any] = {"indices": (0,), "sections": indices_or_sections}
    elif isinstance(indices_or_sections, tuple | list):
        attributes = {"indices": (0, *indices_or_sections), "sections": 0}
    else:
        raise ValueError("indices_or_sections must either int, or tuple / list / set of ints")
    return invoke(op, (ary,), op.parse({**attributes, "axis": axis, "squeeze_axis": squeeze_axis}), NDArray)


def imdecode(
    str_img: bytes,
    clip_rect: tuple[int, int, int, int] = (0, 0, 0, 0),
    out: Any = None,
    index: int = 0,
    channels: int = 3,
    mean: Any = None,
) -> Any:
    """Raise an error, because this function is deprecated. Use :func:`mx.image.imdecode` instead.

    Parameters
    ----------
    str_img, clip_rect, out, index, channels, mean
        Arguments of MXNet's function.

    Raises
    ------
    NotImplementedError
        Always. A note names the function to call.
    """
    error = NotImplementedError("nd.imdecode is not part of d2lhybrid")
    error.add_note("Call mx.image.imdecode(data), which returns the pixels as (height, width, channels).")
    raise error


# --- files ---------------------------------------------------------------------------------------------


def save(fname: str, data: Any) -> None:
    """Save an array, a list of arrays, or a dict of arrays in MXNet's format.

    Parameters
    ----------
    fname : str
        Path of the file.
    data : NDArray, list of NDArray or dict of str to NDArray
        The arrays.
    """
    from .io import save

    save(fname, data)


def load(fname: str) -> Any:
    """Load arrays that :func:`save` or MXNet wrote.

    Parameters
    ----------
    fname : str
        Path of the file.

    Returns
    -------
    list or dict of NDArray
        The arrays: a dictionary if the file contains names, and a list otherwise.
    """
    from .io import load

    return load(fname)


def load_frombuffer(buf: bytes) -> Any:
    """Load arrays from the bytes of a file.

    Parameters
    ----------
    buf : bytes
        Contents of a file.

    Returns
    -------
    list or dict of NDArray
        The arrays, as from :func:`load`.
    """
    from .io import load_frombuffer

    return load_frombuffer(buf)
