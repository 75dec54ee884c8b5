"""NumPy's own functions called on our arrays: ``numpy.mean(x)`` is ``mx.np.mean(x)``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy

from .. import numpy as mx_np
from ..error import MXNetError
from ..internals.core import tape
from ..internals.frontends.numpy_dialect.space import unsupported
from ..ndarray.ndarray import NDArray
from .fallback import run

__all__ = ["call_function", "call_ufunc"]


def call_ufunc(array: Any, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the function of ``mx.np`` of the same name as a ufunc.

    Raises
    ------
    TypeError
        For NumPy arrays among the arguments: ``mx.np.array`` converts them.
    """
    if method != "__call__":
        return NotImplemented
    for i, value in enumerate(inputs):
        if isinstance(value, numpy.ndarray):
            # MXNet names what is on the right, where the operator's method was looked for
            raise unsupported(array if i == 0 and len(inputs) > 1 else value)
        if isinstance(value, NDArray) and value._legacy:
            raise unsupported(value)
    function = getattr(mx_np, ufunc.__name__, None)
    if function is None:
        return run(ufunc, inputs, kwargs)
    out = kwargs.pop("out", None)
    if out is not None:
        kwargs["out"] = out[0] if isinstance(out, tuple) else out
    return function(*inputs, **kwargs)


def call_function(function: Any, types: Collection[type], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the function of ``mx.np`` (or ``mx.np.linalg``) of the same name, or NumPy's on host copies.

    Where there are arrays of NumPy's among ours, NumPy computes: Matplotlib, for one, puts its own beside a program's.
    So it does with numbers and lists that a function of ours does not take.

    Raises
    ------
    TypeError
        For NumPy arrays among ours while recording, which the tape couldn't record.
    """
    if numpy.ndarray in types:
        if not tape.state.recording:
            return run(function, args, kwargs)
        error = TypeError(
            f"no implementation found for 'numpy.{function.__name__}' on types that implement __array_function__: "
            f"{list(types)}"
        )
        error.add_note("Gradients go through arrays of mx.np alone: mx.np.array(x) makes one of an array of NumPy's.")
        raise error
    place: Any = mx_np
    for part in function.__module__.split(".")[1:]:
        place = getattr(place, part, None)
    own = getattr(place, function.__name__, None)
    if own is None:
        return run(function, args, kwargs)
    try:
        return own(*args, **kwargs)
    except (AssertionError, AttributeError, TypeError, ValueError, MXNetError) as error:
        # Numbers and lists are arrays to NumPy's functions, and not to all of ours.
        if tape.state.recording or "out" in kwargs:
            raise
        try:
            return run(function, args, kwargs)
        except Exception:
            raise error from None
