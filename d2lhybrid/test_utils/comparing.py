"""Functions that compare arrays, graphs, and errors, with MXNet's error messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ..ndarray.ndarray import NDArray, waitall
from .tolerances import Tolerance, get_atol, get_etol, get_rtol, get_tols

__all__ = [
    "almost_equal", "assert_allclose", "assert_almost_equal", "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err", "assert_exception", "checkShapes", "compare_ndarray_tuple", "locationError",
    "retry", "same", "same_array", "same_symbol_structure",
]  # fmt: skip


def _numpy(value: Any) -> Any:
    return value.asnumpy() if isinstance(value, NDArray) else value


def same(a: Any, b: Any) -> bool:
    """Return whether two arrays have the same shape and elements.

    Parameters
    ----------
    a, b : array
        The arrays to compare.

    Returns
    -------
    bool
        Whether the shapes and all elements are equal.

    Examples
    --------
    >>> same(numpy.ones(2), numpy.ones(2)), same(numpy.ones(2), numpy.ones(3))
    (True, False)
    """
    return bool(numpy.array_equal(_numpy(a), _numpy(b)))


def same_array(array1: NDArray, array2: NDArray) -> bool:
    """Return whether two arrays share memory, so that writes to one array change the other array.

    Parameters
    ----------
    array1, array2 : NDArray
        The arrays. The function writes to ``array1``, and then restores its values.

    Returns
    -------
    bool
        Whether the arrays share memory.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> x = nd.ones((2, 3))
    >>> same_array(x, x.reshape((2, 3))), same_array(x, x.copy())
    (True, False)
    """
    array1[:] += 1
    seen = same(array1, array2)
    array1[:] -= 1
    return seen and same(array1, array2)


def same_symbol_structure(sym1: Any, sym2: Any) -> bool:
    """Return whether two graphs have the same operators in the same order.

    As in MXNet, the comparison ends with the last node of the smaller graph.

    Parameters
    ----------
    sym1, sym2 : Symbol
        The graphs.

    Returns
    -------
    bool
        Whether the operators and their order are the same.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x, y = sym.var("x"), sym.var("y")
    >>> same_symbol_structure(sym.exp(x), sym.exp(y)), same_symbol_structure(sym.exp(x), sym.log(y))
    (True, False)
    """
    first, second = (json.loads(symbol.tojson())["nodes"] for symbol in (sym1, sym2))
    return all(a["op"] == b["op"] for a, b in zip(first, second, strict=False))


def checkShapes(a: Any, b: Any) -> None:  # noqa: N802
    """Raise an AssertionError unless two arrays have the same shape.

    Parameters
    ----------
    a, b : array
        The arrays to compare.

    Raises
    ------
    AssertionError
        If the shapes differ.

    Examples
    --------
    >>> checkShapes(numpy.ones(2), numpy.zeros(2))
    """
    if a.shape != b.shape:
        told = f"a.shape = {a.shape} and b.shape = {b.shape} are not equal"
        raise AssertionError(numpy.testing.build_err_msg([a, b], err_msg=told))


def almost_equal(
    a: Any,
    b: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Return whether two arrays are equal within tolerances.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    rtol, atol : float, optional
        Relative tolerance (with respect to ``b``) and absolute tolerance; by default, the tolerances of double
        precision.
    equal_nan : bool
        Whether NaN equals NaN.
    use_broadcast : bool
        Whether the arrays may have different shapes, which are then broadcast.

    Returns
    -------
    bool
        Whether all elements are equal within the tolerances.

    Examples
    --------
    >>> almost_equal(numpy.array([1.0]), numpy.array([1.1])), almost_equal(numpy.array([1.0]), numpy.array([1.1]), 0.2)
    (False, True)
    """
    if not use_broadcast:
        checkShapes(a, b)
    return bool(numpy.allclose(_numpy(a), _numpy(b), rtol=get_rtol(rtol), atol=get_atol(atol), equal_nan=equal_nan))


def locationError(a: Any, b: Any, index: Any, names: Any, maxError: bool = False) -> str:  # noqa: N802, N803
    """Return a description of a difference between two arrays.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    index : tuple of int
        Index of the element.
    names : tuple of str
        Names of the arrays in the description.
    maxError : bool
        Whether to describe the difference as the largest difference.

    Returns
    -------
    str
        The description.

    Examples
    --------
    >>> locationError(numpy.ones(2), numpy.zeros(2), (1,), ("a", "b"))
    'Location of error: (1,), a=1.00000000, b=0.00000000'
    """
    kind = "maximum " if maxError else ""
    return f"Location of {kind}error: {index}, {names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"


def _worst(a: Any, b: Any, rtol: float, atol: float) -> tuple[tuple[int, ...], float]:
    """Return the position of the largest difference relative to the tolerance, and the difference."""
    with numpy.errstate(invalid="ignore"):
        apart = numpy.where(numpy.equal(a, b), 0, numpy.abs(a - b)) / (atol + rtol * numpy.abs(b) + 1e-20)
    place = numpy.unravel_index(numpy.argmax(apart), apart.shape)
    return tuple(map(int, place)), float(numpy.max(apart))


def _worst_first(a: Any, b: Any, rtol: float, atol: float, equal_nan: bool) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the indices and sizes of the differences that exceed the tolerances, the largest first."""
    a, b = a.copy(), b.copy()
    while True:
        place, far = _worst(a, b, rtol, atol)
        yield place, far
        a[place] = b[place] = 0
        if almost_equal(a, b, rtol, atol, equal_nan=equal_nan):
            return


def _told(a: Any, b: Any, rtol: float, atol: float, names: Any, equal_nan: bool, mismatches: tuple[int, int]) -> str:
    """Return MXNet's message for arrays that differ, and print the first differences."""
    place, far = _worst(a, b, rtol, atol)
    shown, counted = mismatches
    if place == ():
        told = f"Error {far:f} exceeds tolerance rtol={rtol:e}, atol={atol:e}.\n"
    else:
        print(f"\n*** Maximum errors for vector of size {a.size}:  rtol={rtol}, atol={atol}\n")
        number, more = 0, False
        for where, how_far in _worst_first(a, b, rtol, atol, equal_nan):
            more = 0 < counted <= number
            number += 1
            if more:
                break
            if number <= shown:
                print(f"{number:3d}: Error {how_far:f}  {locationError(a, b, where, names)}")
        part = f"{'at least ' if more else ''}{100 * number / a.size:f}%"
        told = (
            f"Error {far:f} exceeds tolerance rtol={rtol:e}, atol={atol:e} (mismatch {part}).\n"
            f"{locationError(a, b, place, names, maxError=True)}"
        )
    with numpy.printoptions(threshold=4, suppress=True):
        return numpy.testing.build_err_msg([a, b], err_msg=told)


def assert_almost_equal(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Any = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Raise an AssertionError unless two arrays are equal within tolerances.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    rtol, atol : float or dict, optional
        Relative tolerance (with respect to ``b``) and absolute tolerance: a number, or a number for each element type.
        By default, the tolerances of the less precise element type.
    names : tuple of str
        Names of the arrays in the message.
    equal_nan : bool
        Whether NaN equals NaN.
    use_broadcast : bool
        Whether the arrays may have different shapes, which are then broadcast.
    mismatches : tuple of int
        Maximum number of printed differences, and maximum number of counted differences.

    Raises
    ------
    AssertionError
        If the arrays differ. The message lists the largest differences.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> assert_almost_equal(nd.ones(2), numpy.array([1, 1.0001]))
    """
    if not use_broadcast:
        checkShapes(a, b)
    rtol, atol = get_tols(a, b, rtol, atol)
    a, b = _numpy(a), _numpy(b)
    if all(getattr(z, "dtype", None) == numpy.bool_ for z in (a, b)):
        numpy.testing.assert_equal(a, b)
    elif not almost_equal(a, b, rtol, atol, equal_nan=equal_nan):
        raise AssertionError(_told(a, b, rtol, atol, names, equal_nan, mismatches))


def assert_allclose(a: Any, b: Any, rtol: Tolerance = 1e-07, atol: Tolerance = 0, equal_nan: bool = True) -> None:
    """Raise an AssertionError unless two arrays are equal within tolerances, with NumPy's defaults.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    rtol, atol : float or dict
        Relative tolerance (with respect to ``b``) and absolute tolerance.
    equal_nan : bool
        Whether NaN equals NaN.

    Examples
    --------
    >>> assert_allclose(numpy.ones(2), numpy.ones(2))
    """
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_with_err(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: Any = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Raise an AssertionError unless most elements of two arrays are equal within tolerances.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.
    etol : float, optional
        Fraction of the elements that may differ; 0 by default.
    names, equal_nan, mismatches
        Arguments of :func:`assert_almost_equal`.

    Raises
    ------
    AssertionError
        If too many elements differ.

    Examples
    --------
    >>> assert_almost_equal_with_err(numpy.array([1.0, 2, 3, 4]), numpy.array([1.0, 2, 3, 9]), etol=0.3)
    """
    if get_etol(etol) <= 0:
        assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
        return
    rtol, atol = get_tols(a, b, rtol, atol)
    a, b = _numpy(a), _numpy(b)
    close = numpy.isclose(a, b, rtol=rtol, atol=atol)
    if 1 - numpy.count_nonzero(close) / close.size > get_etol(etol):
        raise AssertionError(_told(a, b, rtol, atol, names, equal_nan, mismatches))


def assert_almost_equal_ignore_nan(
    a: Any, b: Any, rtol: Tolerance = None, atol: Tolerance = None, names: Any = ("a", "b")
) -> None:
    """Raise an AssertionError unless two arrays are equal within tolerances at all positions without NaN.

    Parameters
    ----------
    a, b : array
        The arrays to compare.
    rtol, atol, names
        Arguments of :func:`assert_almost_equal`.

    Examples
    --------
    >>> assert_almost_equal_ignore_nan(numpy.array([1, numpy.nan]), numpy.array([1, 2.0]))
    """
    a, b = numpy.copy(_numpy(a)), numpy.copy(_numpy(b))
    unknown = numpy.isnan(a) | numpy.isnan(b)
    a[unknown] = b[unknown] = 0
    assert_almost_equal(a, b, rtol, atol, names)


def assert_exception(f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any) -> None:
    """Raise an AssertionError unless a call of a function raises an error of the expected type.

    Parameters
    ----------
    f : callable
        The function.
    exception_type : type
        The expected type of the error.
    *args, **kwargs
        Arguments of the call.

    Raises
    ------
    AssertionError
        If the call raises no error. An error of another type is not caught.

    Examples
    --------
    >>> assert_exception(int, ValueError, "seven")
    """
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError()


def retry(n: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that runs a randomized test up to ``n`` times, until the test passes.

    Parameters
    ----------
    n : int
        Maximum number of runs.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> tries = iter([False, False, True])
    >>> @retry(3)
    ... def test():
    ...     assert next(tries)
    >>> test()
    """
    assert n > 0

    def decorate(f: Callable[..., None]) -> Callable[..., None]:
        def wrapper(*args: Any, **kwargs: Any) -> None:
            for left in reversed(range(n)):
                try:
                    f(*args, **kwargs)
                    return
                except AssertionError:
                    if not left:
                        raise
                    waitall()

        return wrapper

    return decorate


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Tolerance = None, atol: Tolerance = None) -> None:
    """Raise an AssertionError unless corresponding arrays in nested tuples are equal within tolerances.

    Parameters
    ----------
    t1, t2 : tuple, array or None
        The arrays to compare. Elements that are None are skipped.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.

    Examples
    --------
    >>> compare_ndarray_tuple((numpy.ones(2), None), (numpy.ones(2), None))
    """
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for one, other in zip(t1, t2, strict=False):
            compare_ndarray_tuple(one, other, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)
