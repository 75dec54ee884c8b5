"""Comparing arrays, and making random ones."""

from __future__ import annotations

from typing import Any

import numpy

from ..context import Context, current_context, num_gpus
from ..ndarray.ndarray import NDArray, array

__all__ = [
    "almost_equal", "assert_almost_equal", "default_context", "list_gpus", "rand_ndarray", "rand_shape_nd", "same",
]  # fmt: skip


def list_gpus() -> range:
    """Return the numbers of the GPUs.

    Examples
    --------
    >>> isinstance(list_gpus(), range)
    True
    """
    return range(num_gpus())


def default_context() -> Context:
    """Return the context that tests run on."""
    return current_context()


def _numpy(value: Any) -> numpy.ndarray:
    return value.asnumpy() if isinstance(value, NDArray) else numpy.asarray(value)


def same(a: Any, b: Any) -> bool:
    """Return whether two arrays are equal."""
    return bool(numpy.array_equal(_numpy(a), _numpy(b)))


def almost_equal(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-20, equal_nan: bool = False) -> bool:
    """Return whether two arrays are equal within tolerances."""
    return bool(numpy.allclose(_numpy(a), _numpy(b), rtol=rtol, atol=atol, equal_nan=equal_nan))


def assert_almost_equal(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-20, names: Any = ("a", "b"), equal_nan: bool = False
) -> None:
    """Raise AssertionError unless two arrays are equal within tolerances."""
    numpy.testing.assert_allclose(
        _numpy(a),
        _numpy(b),
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        err_msg=f"{names[0]} and {names[1]} differ",
    )


def rand_shape_nd(num_dim: int, dim: int = 10) -> tuple[int, ...]:
    """Return a random shape with sizes from 1 to ``dim``."""
    return tuple(int(n) for n in numpy.random.default_rng().integers(1, dim + 1, num_dim))


def rand_ndarray(shape: Any, stype: str = "default", dtype: Any = None, ctx: Context | None = None) -> Any:
    """Return an array of random values in [-1, 1)."""
    values = numpy.random.default_rng().uniform(-1, 1, shape)
    result = array(values, ctx, dtype)
    return result if stype == "default" else result.tostype(stype)
