"""Products of arrays in ``np``."""

from __future__ import annotations

import numbers
from typing import Any

from . import registered
from .space import Array, Space

__all__ = ["einsum", "inner", "matmul", "outer", "polyval", "tensordot", "vdot"]

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The left factor.",
    "b": "The right factor.",
    "operands": "The subscripts, such as ``ij,jk->ik``, followed by the arrays.",
    "einsum.kwargs": "``out``, the destination of the result; ``optimize``, whether to search for the best order.",
    "matmul.kwargs": "No keyword arguments are supported.",
    "p": "The coefficients, starting with that of the highest power.",
    "x": "The points at which the polynomial is evaluated.",
}


def matmul(F: Space, a: Any, b: Any, out: Any = None, **kwargs: Any) -> Array:
    """Return the matrix product over the last two axes; all other axes are broadcast.

    Raises
    ------
    TypeError
        If a keyword argument is passed; MXNet supports none of NumPy's keyword arguments.
    """
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))} is an invalid keyword to function 'matmul'")
    return F.call("_npi_matmul", a, b, out=out)


def tensordot(F: Space, a: Any, b: Any, axes: Any = 2) -> Array:
    """Return the tensor dot product: the sums of products over pairs of axes.

    Parameters
    ----------
    F : Space
        The function space.
    a, b : array
        The left and the right factor.
    axes : int, or pair of (int or tuple of int)
        The axes to sum over: the number of last axes of ``a`` and of first axes of ``b``, or a pair with the axes of
        ``a`` and the axes of ``b``.

    Raises
    ------
    ValueError
        If ``axes`` is neither an integer nor a pair.
    """
    if isinstance(axes, numbers.Integral):
        return F.call("_npi_tensordot_int_axes", a, b, axes=int(axes))
    if len(axes) != 2:
        raise ValueError("Axes must consist of two arrays.")
    of_a, of_b = ((one,) if isinstance(one, int) else one for one in axes)
    return F.call("_npi_tensordot", a, b, a_axes_summed=of_a, b_axes_summed=of_b)


def inner(F: Space, a: Any, b: Any) -> Array:
    """Return the inner product: the sums of products over the last axes."""
    return tensordot(F, a, b, [-1, -1])


def _flat(F: Space, a: Any) -> Array:
    return registered.reshape(F, a, (-1,))


def outer(F: Space, a: Any, b: Any) -> Array:
    """Return the outer product: the products of each element of ``a`` and each element of ``b``."""
    return tensordot(F, _flat(F, a), _flat(F, b), 0)


def vdot(F: Space, a: Any, b: Any) -> Array:
    """Return the sum of the products of corresponding elements of the flattened arrays."""
    return tensordot(F, _flat(F, a), _flat(F, b), 1)


def einsum(F: Space, *operands: Any, **kwargs: Any) -> Array:
    """Return sums of products in Einstein's summation convention: ``np.einsum("ij,jk->ik", a, b)``.

    The only keyword arguments are ``out`` and ``optimize``.

    Raises
    ------
    TypeError
        If another keyword argument is passed.
    """
    optimize = kwargs.pop("optimize", False)
    out = kwargs.pop("out", None)
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))} is an invalid keyword to function 'einsum'")
    subscripts, *arrays = operands
    return F.call("_npi_einsum", *arrays, subscripts=subscripts, optimize=int(optimize), out=out)


def polyval(F: Space, p: Any, x: Any) -> Array:
    """Return the values of a polynomial at points; the coefficient of the highest power comes first."""
    return F.call("_npi_polyval", p, x)
