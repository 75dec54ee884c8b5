"""The functions of ``mx.sym`` that are not generated, and the code that all generated functions share."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ..attribute import of_operator
from ..error import MXNetError
from ..internals.core.operator import Operator, get_operator
from ..internals.frontends.frontend import NameSpace, make_function, passed_over
from ..internals.support.dtypes import as_dtype
from ..internals.support.plugins import service
from ..internals.support.plural import counted
from ..internals.support.remedies import with_remedy
from .compose import compose
from .symbol import Symbol, call_symbolic

__all__ = [
    "Custom", "arange", "eye", "full", "histogram", "hypot", "linspace", "maximum", "minimum", "ones", "pow", "power",
    "split_v2", "zeros",
]  # fmt: skip


def _check(op: Operator, name: str, argument: str, value: Any) -> Any:
    if value is None:
        return None
    if not isinstance(value, Symbol):
        error = AssertionError(f"Argument {argument} must be Symbol instances, but got {value}")
        raise with_remedy(error, "array" if hasattr(value, "_data") else "not a symbol")
    if not value._legacy:
        from ..internals.frontends.legacy_operators import legacy_operator_error

        raise legacy_operator_error(op, name)
    return value


def _check_all(op: Operator, name: str, values: tuple[Any, ...]) -> list[Any]:
    for value in values:
        if not isinstance(value, Symbol):
            error = AssertionError(f"Positional arguments must be Symbol instances, but got {value}")
            raise with_remedy(error, "array" if hasattr(value, "_data") else "not a symbol")
        _check(op, name, "data", value)
    return list(values)


def _counted(op: Operator, params: dict[str, Any], arrays: list[Any], named: dict[str, Any], count: Any) -> list[Any]:
    """Return the inputs of a variadic operator in the order of their names; None for inputs that were only counted."""
    if arrays and named:
        raise TypeError(
            "Operators with variable length input can only accept input"
            "Symbols either as positional or keyword arguments, not both"
        )
    if named and op._input_names is not None:
        return list(named.values())
    provided = len(arrays) + len(named)
    required = provided
    if count is not None and op._input_names is None:
        required = op.parse({**params, "num_args": count})["num_args"] * op.inputs_each
    if named:
        input_names = [f"arg{i}" for i in range(required)]
        if unknown := [key for key in named if key not in input_names]:
            raise MXNetError(f"Symbol.ComposeKeyword argument name {unknown[0]} not found.")
        return [named.get(place) for place in input_names]
    if required < provided:
        raise MXNetError(
            f"Check failed: arg_vec.size() <= n_req ({provided} vs. {required}) : "
            f"Incorrect number of arguments, requires {required}, provided {provided}"
        )
    return [*arrays, *[None] * (required - provided)]


def _extra(op: Operator, name: str, arrays: list[Any], params: dict[str, Any], kwargs: dict[str, Any]) -> Any:
    """Assign keyword arguments that are not in the signature: attributes ``__this__``, and symbols by name."""
    count = kwargs.pop("num_args", None)
    if op.variadic is not None:
        named = {k: kwargs.pop(k) for k in list(kwargs) if isinstance(kwargs[k], Symbol)}
        arrays = _counted(op, params, arrays, named, count)
    for key in list(kwargs):
        if key.startswith("__") and key.endswith("__"):
            params[key] = kwargs.pop(key)
        elif key not in op.attributes and key not in (made := of_operator({key: kwargs[key]})):
            params |= made
            del kwargs[key]
    if kwargs and not passed_over(op, kwargs):
        op.parse({**params, **kwargs})  # raises an error that names the argument and suggests a correction
    return arrays, {**params, **kwargs}


def operators(place: str, module: str, globals_: dict[str, Any]) -> NameSpace:
    """Return the namespace that creates the functions of a submodule of ``sym`` on demand.

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
            op, name, call=call_symbolic, check=_check, check_all=_check_all, extra=_extra, array_class=Symbol,
            tail=("name", "attr", "out"), module=module, parse=False,
            none_is_double=True,
        )  # fmt: skip

    return NameSpace(place, module, make, globals_)


def Custom(*data: Any, **kwargs: Any) -> Any:  # noqa: N802  MXNet's name
    """Create a node of an operator that was registered with :func:`d2lhybrid.operator.register`.

    Parameters
    ----------
    *data : Symbol
        The operator's inputs, followed by its states. You can also pass inputs and states by name. Missing inputs
        become variables.
    **kwargs
        ``op_type``, the name of the operator; inputs by name; ``name`` and ``attr`` of the node; and arguments of the
        operator's class, which receives them as strings.

    Returns
    -------
    Symbol
        The node's outputs.

    Raises
    ------
    MXNetError
        If an input is unknown, or if there are too many inputs.
    AssertionError
        If a positional argument is not a symbol.
    """
    name, attr = kwargs.pop("name", None), kwargs.pop("attr", None)
    named = {key: kwargs.pop(key) for key, value in list(kwargs.items()) if isinstance(value, Symbol)}
    extra = {key: kwargs.pop(key) for key in list(kwargs) if key.startswith("__") and key.endswith("__")}
    op, params = service("custom_operator")(kwargs)
    names = [i.name for i in op.inputs]
    inputs = dict(zip(names, data, strict=False)) | named
    unknown = [key for key in named if key not in names]
    if unknown or len(data) > len(names):
        inputs_text = f"The inputs are {', '.join(names)}" if names else "The operator has no inputs"
        problem = (
            f"no input {unknown[0]!r}"
            if unknown
            else f"{counted(len(names), 'input')}, but the call passes {len(data)}"
        )
        raise MXNetError(f"custom operator {params['op_type']!r} has {problem}. {inputs_text}")
    for value in inputs.values():
        if not isinstance(value, Symbol):
            error = AssertionError(f"Positional arguments must be Symbol instances, but got {value}")
            raise with_remedy(error, "array" if hasattr(value, "_data") else "not a symbol")
    number = params.pop("instance")
    cls = type(next(iter(inputs.values()))) if inputs else Symbol
    symbol = compose(op, "custom", [inputs.get(n) for n in names], params, cls, name, {**extra, **(attr or {})} or None)
    symbol._entries[0][0].params["instance"] = number  # makes each call unique
    return symbol


# --- symbols or numbers --------------------------------------------------------------------------


def _symbol_or_number(
    name: str, array_op: str, scalar_op: str, reverse_op: str, of_numbers: Callable[[Any, Any], Any], doc: str,
    hints: tuple[str, str, str] | None = None,
) -> Callable[..., Symbol]:  # fmt: skip
    hint, scalar_hint, reverse_hint = hints or (array_op, scalar_op, reverse_op)

    def function(left: Any, right: Any) -> Symbol:
        if isinstance(left, Symbol) and isinstance(right, Symbol):
            return compose(get_operator(array_op), hint, [left, right], {}, Symbol)
        if isinstance(left, Symbol) and isinstance(right, numbers.Number):
            return compose(get_operator(scalar_op), scalar_hint, [left], {"scalar": right}, Symbol)
        if isinstance(right, Symbol) and isinstance(left, numbers.Number):
            return compose(get_operator(reverse_op), reverse_hint, [right], {"scalar": left}, Symbol)
        if isinstance(left, numbers.Number) and isinstance(right, numbers.Number):
            return of_numbers(left, right)
        raise TypeError(f"types ({type(left)}, {type(right)}) not supported")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{doc}\n\nParameters\n----------\nleft, right : Symbol or number\n"
        "    The operands. Two symbols must have equal shapes.\n\n"
        "Raises\n------\nTypeError\n    If an operand is neither a symbol nor a number.\n"
    )
    return function


_power = _symbol_or_number(
    "pow", "_power", "_power_scalar", "_rpower_scalar", lambda a, b: a**b, "Return ``base ** exp``.",
    ("_power", "_powerscalar", "_rpowerscalar"),
)  # fmt: skip


def pow(base: Any, exp: Any) -> Symbol:
    """Return ``base ** exp``.

    Parameters
    ----------
    base, exp : Symbol or number
        The operands. Two symbols must have equal shapes.

    Returns
    -------
    Symbol
        The powers.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> sym.pow(base=2, exp=sym.var("x")).eval(x=nd.array([1, 3]))[0]
    <BLANKLINE>
    [2. 8.]
    <NDArray 2 @cpu(0)>
    """
    return _power(base, exp)


power = pow
maximum = _symbol_or_number(
    "maximum", "_maximum", "_maximum_scalar", "_maximum_scalar", max, "Return the larger of two values.",
    ("_maximum", "_maximumscalar", "_maximumscalar"),
)  # fmt: skip
minimum = _symbol_or_number(
    "minimum", "_minimum", "_minimum_scalar", "_minimum_scalar", min, "Return the smaller of two values.",
    ("_minimum", "_minimumscalar", "_minimumscalar"),
)  # fmt: skip
hypot = _symbol_or_number(
    "hypot", "_hypot", "_hypot_scalar", "_hypot_scalar", lambda a, b: (a * a + b * b) ** 0.5,
    "Return ``sqrt(left**2 + right**2)``.", ("_hypot", "_hypotscalar", "_hypotscalar"),
)  # fmt: skip


# --- creation ----------------------------------------------------------------------------------------


def _create(op: str, attributes: dict[str, Any], kwargs: dict[str, Any]) -> Symbol:
    name, attr = kwargs.pop("name", None), dict(kwargs.pop("attr", None) or {})
    ctx = kwargs.pop("ctx", None)
    if ctx is not None:
        attributes["ctx"] = ctx
    for key in [key for key in kwargs if key.startswith("__") and key.endswith("__")]:
        attr[key] = kwargs.pop(key)
    return compose(get_operator(op), op, [], {**attributes, **kwargs}, Symbol, name, attr)


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Return a symbol for an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``name`` and ``attr`` of the node.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    return _create("_zeros", {"shape": shape, "dtype": as_dtype(dtype).name}, kwargs)


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Return a symbol for an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``name`` and ``attr`` of the node.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    return _create("_ones", {"shape": shape, "dtype": as_dtype(dtype).name}, kwargs)


def full(shape: Any, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Return a symbol for an array filled with a value.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    val : float
        The value.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``name`` and ``attr`` of the node.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    return _create("_full", {"shape": shape, "dtype": as_dtype(dtype).name, "value": float(val)}, kwargs)


def arange(
    start: float, stop: float | None = None, step: float = 1.0, repeat: int = 1, infer_range: bool = False,
    name: str | None = None, dtype: Any = None,
) -> Symbol:  # fmt: skip
    """Return a symbol for evenly spaced values, each repeated ``repeat`` times.

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
        Whether shape inference determines the number of values from the nodes that read them, if ``stop`` is None.
    name : str, optional
        Name of the node.
    dtype : str or type, optional
        The element type; float32 by default.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    attributes = {"start": start, "stop": stop, "step": step, "repeat": repeat, "infer_range": infer_range}
    return _create("_arange", {**attributes, "dtype": as_dtype(dtype).name}, {"name": name})


def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, name: str | None = None, dtype: Any = None
) -> Symbol:
    """Return a symbol for ``num`` evenly spaced values.

    Parameters
    ----------
    start, stop : float
        First value, and upper end of the range.
    num : int
        Number of values.
    endpoint : bool
        Whether ``stop`` is the last value.
    name : str, optional
        Name of the node.
    dtype : str or type, optional
        The element type; float32 by default.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    attributes = {"start": start, "stop": stop, "num": num, "endpoint": endpoint, "dtype": as_dtype(dtype).name}
    return _create("_linspace", attributes, {"name": name})


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Return a symbol for a matrix with ones on a diagonal.

    Parameters
    ----------
    N, M : int
        Number of rows, and number of columns. With ``M=0``, the matrix is square.
    k : int
        Index of the diagonal. Positive indices are above the main diagonal.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``name`` and ``attr`` of the node.

    Returns
    -------
    Symbol
        A node without inputs.
    """
    return _create("_eye", {"N": N, "M": M, "k": k, "dtype": as_dtype(dtype).name}, kwargs)


# --- arguments that aren't attributes --------------------------------------------------------------------


def histogram(a: Symbol, bins: Any = 10, range: tuple[float, float] | None = None, **kwargs: Any) -> Symbol:
    """Return symbols for the counts and the bin edges of a histogram.

    Parameters
    ----------
    a : Symbol
        The values.
    bins : int or Symbol
        Number of bins of equal width, or the edges of the bins.
    range : (float, float), optional
        Lowest and highest edge, required if ``bins`` is an integer.
    **kwargs
        ``name`` of the node. Other arguments are ignored.

    Returns
    -------
    Symbol
        The counts and the edges, as the two outputs of a symbol.

    Raises
    ------
    ValueError
        If ``range`` is missing, or if ``bins`` is neither a symbol nor an integer.
    """
    op = get_operator("_histogram")
    name = kwargs.pop("name", None)
    if isinstance(bins, Symbol):
        return compose(op, "_histogram", [a, bins], {}, Symbol, name)
    if isinstance(bins, int):
        if range is None:
            raise ValueError("null range is not supported in symbol mode")
        return compose(op, "_histogram", [a], {"bin_cnt": bins, "range": range}, Symbol, name)
    raise ValueError("bins argument should be either an integer or an NDArray")


def split_v2(ary: Symbol, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Symbol:
    """Split an array into sections of equal size, or at indices.

    Parameters
    ----------
    ary : Symbol
        The array.
    indices_or_sections : int or tuple of int
        Number of sections of equal size, or the indices at which all sections except the first start.
    axis : int
        The axis to split.
    squeeze_axis : bool
        Whether to remove the axis from the sections, which requires sections of size 1.

    Returns
    -------
    Symbol
        The sections, as the outputs of a symbol.

    Raises
    ------
    ValueError
        If ``indices_or_sections`` is neither an integer nor a sequence.
    """
    attributes: dict[str, Any] = {"indices": [], "axis": axis, "squeeze_axis": squeeze_axis}
    if isinstance(indices_or_sections, int):
        attributes["sections"] = indices_or_sections
    elif isinstance(indices_or_sections, tuple | list):
        attributes.update(indices=[0, *indices_or_sections], sections=0)
    else:
        raise ValueError("indices_or_sections must either int, or tuple / list / set of ints")
    return compose(get_operator("_split_v2"), "_split_v2", [ary], attributes, Symbol)
