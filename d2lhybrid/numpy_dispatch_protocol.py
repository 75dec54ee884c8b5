"""Functions that call NumPy's functions on ``np`` arrays: here that always works, in MXNet from some NumPy on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["with_array_function_protocol", "with_array_ufunc_protocol"]


def _run(protocol: str, func: Callable[..., Any]) -> Callable[..., None]:
    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            func(*args, **kwargs)
        except Exception as error:
            raise RuntimeError(
                f"Running function {func.__name__} with NumPy {protocol} protocol failed with exception {error}"
            ) from error

    return run


def with_array_function_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorate a function that hands ``np`` arrays to NumPy's functions; what it raises becomes a RuntimeError."""
    return _run("array function", func)


def with_array_ufunc_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorate a function that hands ``np`` arrays to NumPy's ufuncs; what it raises becomes a RuntimeError."""
    return _run("array ufunc", func)
