"""Products of arrays."""

from __future__ import annotations

from typing import Any

from . import registered
from .space import Array, Space

__all__ = ["einsum", "inner", "matmul", "outer", "polyval", "tensordot", "vdot"]

#: The meanings of parameters here; see ``documentation.py``.
MEANINGS = {
    "a": "The left factor.",
    "b": "The right factor.",
    "operands": "The formula, and then the arrays.",
    "einsum.kwargs": "``out``, where to write the result; ``optimize``, whether to look for a cheaper order.",
    "matmul.kwargs": "None: NumPy's others are not possible.",
    "p": "The coefficients, that of the highest power first.",
    "x": "Where it is evaluated.",
}


def matmul(F: Space, a: Any, b: Any, out: Any = None, **kwargs: Any) -> Array:
    """Return the matrix product of the last two axes; axes before them are broadcast.

    Raises
    ------
    TypeError
        For NumPy's keyword arguments that MXNet doesn't have.
    """
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))} is an invalid keyword to function 'matmul'")
    return F.call("_npi_matmul", a, b, out=out)


def tensordot(F: Space, a: Any, b: Any, axes: Any = 2) -> Array:
    """Return the sums of products over axes.

    Parameters
    ----------
    F : Space
        The function space.
    a, b : array
        The factors.
    axes : int or pair of axes (or of tuples of axes)
        The number of last axes of ``a`` and first axes of ``b`` to sum over, or the axes of both.

    Raises
    ------
    ValueError
        If ``axes`` is neither a number nor a pair.
    """
    if isinstance(axes, int):
        return F.call("_npi_tensordot_int_axes", a, b, axes=axes)
    if len(axes) != 2:
        raise ValueError("Axes must consist of two arrays.")
    of_a, of_b = ((one,) if isinstance(one, int) else one for one in axes)
    return F.call("_npi_tensordot", a, b, a_axes_summed=of_a, b_axes_summed=of_b)


def inner(F: Space, a: Any, b: Any) -> Array:
    """Return the sums of products over the last axes."""
    return tensordot(F, a, b, [-1, -1])


def _flat(F: Space, a: Any) -> Array:
    return registered.reshape(F, a, (-1,))


def outer(F: Space, a: Any, b: Any) -> Array:
    """Return all products of an element of ``a`` and an element of ``b``."""
    return tensordot(F, _flat(F, a), _flat(F, b), 0)


def vdot(F: Space, a: Any, b: Any) -> Array:
    """Return the sum of all products of corresponding elements."""
    return tensordot(F, _flat(F, a), _flat(F, b), 1)


def einsum(F: Space, *operands: Any, **kwargs: Any) -> Array:
    """Return sums of products by Einstein's convention: ``np.einsum("ij,jk->ik", a, b)``.

    Keyword arguments are ``out`` and ``optimize``.
    """
    optimize = kwargs.pop("optimize", False)
    out = kwargs.pop("out", None)
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))} is an invalid keyword to function 'einsum'")
    subscripts, *arrays = operands
    return F.call("_npi_einsum", *arrays, subscripts=subscripts, optimize=int(optimize), out=out)


def polyval(F: Space, p: Any, x: Any) -> Array:
    """Return a polynomial's values; the first coefficient is that of the highest power."""
    return F.call("_npi_polyval", p, x)
