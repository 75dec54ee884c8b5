"""Transforms along the last axis: discrete Fourier transforms, and sketches that preserve inner products.

Complex numbers are pairs of neighboring real numbers. An axis of n complex numbers has 2n elements: the real and the
imaginary part of the first number, then the two parts of the second number, and so on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...error import MXNetError
from ..core.infer import require
from ..core.operator import REQUIRED, Array, operator
from . import rules
from .nn import require_float
from .portable import sums_at

FAMILY = "other"
MEANINGS = {
    "compute_size": "Ignored; the number of rows that MXNet transforms at a time.",
    "processing_batch_size": "Ignored; the number of rows that MXNet sketches at a time.",
    "out_dim": "The number of elements in a sketch of a row, at least 1.",
}

# --- Fourier transforms -------------------------------------------------------------------------------


def _check_rank(data: Any, name: str) -> None:
    require(
        len(data) in (2, 4),
        f"dshape.ndim() == 2 || dshape.ndim() == 4: the data of {name} must have 2 or 4 axes, not {len(data)}",
    )


def _precision(dtype: Any) -> Any:
    """Return the element type in which a transform is computed, because there are no half-precision complex numbers."""
    return numpy.promote_types(dtype, numpy.float32)


@operator("_contrib_fft", fresh=True)
def fft(xp, data: Array, compute_size: int = 128):
    """Return the discrete Fourier transform of each row, as pairs of a real and an imaginary part.

    Parameters
    ----------
    data : array
        The rows of real numbers, of shape ``(row, n)`` or ``(a, b, c, n)``.

    Returns
    -------
    array
        The transforms, in rows of length 2n: ``[real 0, imaginary 0, real 1, imaginary 1, ...]``.

    Examples
    --------
    >>> nd.contrib.fft(nd.array([[1, 2, 3, 4]]))
    <BLANKLINE>
    [[10.  0. -2.  2. -2.  0. -2. -2.]]
    <NDArray 1x8 @cpu(0)>
    """
    require_float(data)
    shape = (*data.shape[:-1], 2 * data.shape[-1])
    if data.size == 0:
        return xp.empty(shape, data.dtype)
    kind = _precision(data.dtype)
    spectrum = xp.fft.fft(data.astype(kind, copy=False), axis=-1)
    pairs = xp.stack([spectrum.real, spectrum.imag], axis=-1)
    return pairs.reshape(shape).astype(data.dtype, copy=False)


fft.names_outputs = fft.lenient = True
fft.infer_type(rules.same_type)


@fft.infer_shape
def _(data, *, compute_size):
    if data is None:
        return [None], [None]
    _check_rank(data, "fft")
    return [data], [(*data[:-1], None if data[-1] is None else 2 * data[-1])]


@fft.gradient
def _(F, dy, y, data, **attributes):
    return [F._contrib_ifft(dy, **attributes)]  # the matrix of each transform is the transpose of the other


@operator("_contrib_ifft", fresh=True)
def ifft(xp, data: Array, compute_size: int = 128):
    """Return the real part of each row's inverse discrete Fourier transform, without the division by the row's length.

    Parameters
    ----------
    data : array
        The rows of complex numbers as pairs, of shape ``(row, 2n)`` or ``(a, b, c, 2n)``.

    Returns
    -------
    array
        The real parts, in rows of length n. Divided by n, they equal the argument of ``fft``.

    Examples
    --------
    >>> nd.contrib.ifft(nd.contrib.fft(nd.array([[1, 2, 3, 4]]))) / 4
    <BLANKLINE>
    [[1. 2. 3. 4.]]
    <NDArray 1x4 @cpu(0)>
    """
    require_float(data)
    n = data.shape[-1] // 2
    shape = (*data.shape[:-1], n)
    if data.size == 0:
        return xp.empty(shape, data.dtype)
    pairs = data.astype(_precision(data.dtype), copy=False).reshape(*shape, 2)
    spectrum = pairs[..., 0] + 1j * pairs[..., 1]
    return xp.fft.ifft(spectrum, axis=-1, norm="forward").real.astype(data.dtype)


ifft.names_outputs = ifft.lenient = True
ifft.infer_type(rules.same_type)


@ifft.infer_shape
def _(data, *, compute_size):
    if data is None:
        return [None], [None]
    _check_rank(data, "ifft")
    n = data[-1]
    require(
        n is None or n % 2 == 0,
        "dshape[ndim - 1] % 2 == 0: the size of the last axis, which holds real and imaginary parts, must be even, "
        f"not {n}",
    )
    return [data], [(*data[:-1], None if n is None else n // 2)]


@ifft.gradient
def _(F, dy, y, data, **attributes):
    return [F._contrib_fft(dy, **attributes)]


# --- count sketch -----------------------------------------------------------------------------------


def _table(xp: Any, h: Any, s: Any, out_dim: int) -> tuple[Any, Any]:
    """Return the position and the sign of each element in the sketch, from the first rows of the tables.

    On a GPU, where the host doesn't wait for a check, an element with an invalid position becomes NaN.
    """
    row, signs = h[0], s[0]
    inside = (row >= 0) & (row < out_dim)
    if xp is not numpy:
        row, signs = xp.where(inside, row, 0), xp.where(inside, signs, signs.dtype.type(numpy.nan))
    elif not inside.all():
        raise MXNetError(
            f"Check failed: 0 <= h && h < out_dim: h contains {row[~inside][0]:g}, but indices must be at least 0 and "
            f"less than out_dim, which is {out_dim}"
        )
    return row.astype(int), signs


@operator("_contrib_count_sketch", fresh=True)
def count_sketch(
    xp,
    data: Array,
    h: Array,
    s: Array,
    out_dim: int = REQUIRED,
    processing_batch_size: int = 32,
):
    """Return a sketch of each row: every element is multiplied by a sign and added at a position.

    With random positions and signs, the expected inner product of two sketches is the inner product of the rows.

    Parameters
    ----------
    data : array
        The rows, of shape ``(row, n)`` or ``(a, b, c, n)``.
    h : array
        The position of each element in a sketch, from 0 to ``out_dim - 1``, of shape ``(1, n)``. Further rows are
        ignored.
    s : array
        The sign of each element, 1 or -1, of shape ``(1, n)``. Neither ``s`` nor ``h`` has a gradient.

    Examples
    --------
    >>> x, h, s = nd.array([[1.2, 2.5, 3.4]]), nd.array([[0, 3, 4]]), nd.array([[1, -1, 1]])
    >>> nd.contrib.count_sketch(x, h, s, out_dim=5)
    <BLANKLINE>
    [[ 1.2  0.   0.  -2.5  3.4]]
    <NDArray 1x5 @cpu(0)>
    """
    require_float(data)
    places, signs = _table(xp, h, s, out_dim)
    count = math.prod(data.shape[:-1])
    rows = data.reshape(count, data.shape[-1]) * signs
    positions = xp.arange(count)[:, None] * out_dim + places
    sums = sums_at(xp, positions.reshape(-1), rows.reshape(-1), count * out_dim)
    return sums.reshape(*data.shape[:-1], out_dim).astype(data.dtype)


def _sketch_inputs(data: Any, h: Any, s: Any) -> list[Any]:
    """Check the shapes of the inputs and return them, completed from each other."""
    n = None
    if data is not None:
        _check_rank(data, "count_sketch")
        n = data[-1]
    for table in (h, s):
        require(
            table is None or (len(table) == 2 and table[0] != 0),
            f"hshape.ndim() == 2: h and s of count_sketch must be matrices with at least one row, not of shape {table}",
        )
        if table is not None and table[1] is not None:
            require(
                n is None or n == table[1],
                f"hshape[1] == dshape[ndim - 1] ({table[1]} vs. {n}) : the last axes of h, s, and data must have "
                "the same size",
            )
            n = table[1]
    return [
        None if data is None else (*data[:-1], n),
        *((None if t is None else (t[0], n)) for t in (h, s)),
    ]


count_sketch.names_outputs = count_sketch.lenient = True
count_sketch.infer_type(rules.same_type)


@count_sketch.infer_shape
def _(data, h, s, *, out_dim, processing_batch_size):
    require(out_dim > 0, f"out_dim > 0: out_dim must be positive, not {out_dim}")
    inputs = _sketch_inputs(data, h, s)
    return inputs, [None if data is None else (*data[:-1], out_dim)]


@count_sketch.gradient
def _(F, dy, y, data, h, s, *, out_dim, **attributes):
    return [F._backward_count_sketch(dy, h, s, out_dim=out_dim), None, None]


@operator("_backward_count_sketch", fresh=True)
def count_sketch_gradient(xp, dy: Array, h: Array, s: Array, out_dim: int = REQUIRED):
    """Return the gradient of count_sketch with respect to the data."""
    places, signs = _table(xp, h, s, out_dim)
    return dy[..., places] * signs


@count_sketch_gradient.infer_shape
def _(dy, h, s, *, out_dim):
    length = next((t[1] for t in (h, s) if t is not None), None)
    return [dy, h, s], [None if dy is None else (*dy[:-1], length)]


count_sketch_gradient.infer_type(rules.same_type)


@count_sketch_gradient.gradient
def _(F, g, y, dy, h, s, *, out_dim):
    return [F._contrib_count_sketch(g, h, s, out_dim=out_dim), None, None]
