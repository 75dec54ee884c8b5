"""Shape and type inference for a symbol, with results in MXNet's form.

With legacy shapes, an unknown size is 0, and an unknown shape is (). With NumPy's shapes, which allow sizes of 0 and
arrays without axes, an unknown size is -1, and an unknown shape is None.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from operator import index
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.core import infer
from ..util import is_np_shape

__all__ = ["infer_shape", "infer_shape_partial", "infer_type", "infer_type_partial"]


def infer_shape(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Infer the shapes of arguments, outputs, and auxiliary states.

    Parameters
    ----------
    symbol : Symbol
        The symbol.
    args, kwargs : tuple of shapes, dict of str to shape
        Known shapes of arguments, by position or by name.

    Returns
    -------
    tuple of three lists
        The shapes. If a shape cannot be inferred, the function warns and returns (None, None, None).

    Raises
    ------
    MXNetError
        If shapes contradict each other.
    """
    with _arguments_shown("infer_shape", args, kwargs):
        inferred = _infer_shapes(symbol, args, kwargs)
    shapes = _split_result(symbol, inferred, lambda shape: shape)
    result = _split_result(symbol, inferred, _write_shape)
    if any(not _known(s) for part in shapes for s in part):
        every = zip(symbol.list_arguments(), shapes[0], result[0], strict=True)
        unknown = [f"{n}: {written}" for n, shape, written in every if not _known(shape)]
        warnings.warn(
            "Cannot decide shape for the following arguments (0s in shape means unknown dimensions). "
            "Consider providing them as input:\n\t" + "\n\t".join(unknown),
            stacklevel=3,
        )
        return None, None, None
    return result


@contextlib.contextmanager
def _arguments_shown(function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[None]:
    """Print the arguments of a function if inference fails, as MXNet does."""
    try:
        yield
    except MXNetError:
        print(f"{function} error. Arguments:")
        for i, value in enumerate(args):
            print(f"  #{i}: {value}")
        for key, value in kwargs.items():
            print(f"  {key}: {value}")
        raise


def infer_shape_partial(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Infer the shapes of arguments, outputs, and auxiliary states as far as possible.

    Parameters
    ----------
    symbol : Symbol
        The symbol.
    args, kwargs : tuple of shapes, dict of str to shape
        Known shapes of arguments, by position or by name.

    Returns
    -------
    tuple of three lists
        The shapes. An unknown size is 0 (-1 with NumPy's shapes), and an unknown shape is () (None with NumPy's
        shapes).
    """
    return _split_result(symbol, _infer_shapes(symbol, args, kwargs), _write_shape)


def _infer_shapes(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> infer.Inference:
    known_shapes = {}
    for key, shape in _by_name(symbol, args, kwargs, "InferShapeKeyword").items():
        if not isinstance(shape, tuple | list):
            raise TypeError(f"Arguments need to be shapes (tuple), but '{key}' is {type(shape)}.")
        known_shapes[key] = _read_shape(shape)
    return infer.infer_shapes(symbol._entries, {k: v for k, v in known_shapes.items() if v is not None})


def infer_type(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Infer the element types of arguments, outputs, and auxiliary states.

    Parameters
    ----------
    symbol : Symbol
        The symbol.
    args, kwargs : tuple of types, dict of str to type
        Known element types of arguments, by position or by name.

    Returns
    -------
    tuple of three lists
        The types. If a type cannot be inferred, the function warns and returns (None, None, None).
    """
    with _arguments_shown("infer_type", args, kwargs):
        result = infer_type_partial(symbol, args, kwargs)
    if any(d is None for part in result for d in part):
        unknown = [f"{n}: {d}" for n, d in zip(symbol.list_arguments(), result[0], strict=True) if d is None]
        warnings.warn(
            "Cannot decide type for the following arguments. Consider providing them as input:\n\t"
            + "\n\t".join(unknown),
            stacklevel=3,
        )
        return None, None, None
    return result


def infer_type_partial(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Infer the element types of arguments, outputs, and auxiliary states as far as possible.

    Parameters
    ----------
    symbol : Symbol
        The symbol.
    args, kwargs : tuple of types, dict of str to type
        Known element types of arguments, by position or by name.

    Returns
    -------
    tuple of three lists
        The types, with None for an unknown type.
    """
    known_types = {k: numpy.dtype(v) for k, v in _by_name(symbol, args, kwargs, "InferTypeKeyword").items()}
    inferred = infer.infer_types(symbol._entries, known_types)
    return _split_result(symbol, inferred, lambda d: None if d is None else d.type)


def _by_name(symbol: Any, args: tuple[Any, ...], kwargs: dict[str, Any], what: str) -> dict[str, Any]:
    if args and kwargs:
        known = "shapes" if what == "InferShapeKeyword" else "types"
        raise ValueError(f"Can only specify known argument {known} either by positional or kwargs way.")
    arguments = symbol.list_arguments()
    values = {n: a for n, a in zip(arguments, args, strict=False) if a is not None}
    names = set(symbol.list_inputs())
    for key, value in kwargs.items():
        if key not in names:
            candidates = "".join(f"\n\t[{i}]{n}" for i, n in enumerate(arguments))
            raise MXNetError(f"{what} argument name {key} not found.\nCandidate arguments:{candidates}")
        values[key] = value
    return values


def _split_result(symbol: Any, found: infer.Inference, convert: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    aux = symbol._aux_nodes()
    variables = [n for n in found.order if n.op is None]
    return (
        [convert(found[n, 0]) for n in variables if n not in aux],
        [convert(found[e]) for e in symbol._entries],
        [convert(found[n, 0]) for n in variables if n in aux],
    )


def _read_shape(shape: Any) -> Any:
    """Return a shape with None for unknown sizes, or None for an unknown shape."""
    if is_np_shape():
        return tuple(None if n is None or n < 0 else index(n) for n in shape)
    return tuple(None if n is None or n <= 0 else index(n) for n in shape) or None


def _write_shape(shape: Any) -> Any:
    """Return a shape in MXNet's form."""
    if is_np_shape():
        return None if shape is None else tuple(-1 if n is None else n for n in shape)
    return () if shape is None else tuple(n or 0 for n in shape)


def _known(shape: Any) -> bool:
    """Return whether a shape is known, including the shape of a scalar, which MXNet writes like an unknown shape."""
    return shape is not None and None not in shape and (is_np_shape() or 0 not in shape)
