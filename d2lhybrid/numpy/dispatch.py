"""NumPy's own functions, called with ``np`` arrays: ``numpy.mean(x)`` is ``mx.np.mean(x)``."""

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
    """Call the ``mx.np`` function that corresponds to a NumPy ufunc.

    Parameters
    ----------
    array : ndarray
        The array whose ``__array_ufunc__`` NumPy called.
    ufunc, method, inputs, kwargs
        Arguments of ``__array_ufunc__``.

    Returns
    -------
    ndarray or NotImplemented
        The result, or NotImplemented for a method of the function, such as ``reduce``.

    Raises
    ------
    TypeError
        If an argument is a NumPy array or a legacy array. ``mx.np.array`` and ``as_np_ndarray()`` convert these.
    """
    if method != "__call__":
        return NotImplemented
    for i, value in enumerate(inputs):
        if isinstance(value, numpy.ndarray):
            # MXNet's error names the operand on the right of the operator.
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
    """Call the ``mx.np`` (or ``mx.np.linalg``) function with the same name, or NumPy's function on host copies.

    NumPy computes the function in three cases: ``mx.np`` lacks the function, an argument is a NumPy array (Matplotlib
    mixes both classes), or the ``mx.np`` function rejects a number or a list.

    Parameters
    ----------
    function, types, args, kwargs
        Arguments of ``__array_function__``.

    Returns
    -------
    object
        The result of the function.

    Raises
    ------
    TypeError
        If an argument is a NumPy array while recording, because the tape cannot record NumPy arrays.
    """
    if numpy.ndarray in types:
        if not tape.state.recording:
            return run(function, args, kwargs)
        error = TypeError(
            f"no implementation found for 'numpy.{function.__name__}' on types that implement __array_function__: "
            f"{list(types)}"
        )
        error.add_note("Convert NumPy arrays with mx.np.array(x), because only mx.np arrays have gradients.")
        raise error
    namespace: Any = mx_np
    for part in function.__module__.split(".")[1:]:
        namespace = getattr(namespace, part, None)
    own = getattr(namespace, function.__name__, None)
    if own is None:
        return run(function, args, kwargs)
    try:
        return own(*args, **kwargs)
    except (AssertionError, AttributeError, TypeError, ValueError, MXNetError) as error:
        # NumPy's functions accept numbers and lists as arrays, but not all mx.np functions do.
        if tape.state.recording or "out" in kwargs:
            raise
        try:
            return run(function, args, kwargs)
        except Exception:
            raise error from None
