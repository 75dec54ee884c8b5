"""Operators for NumPy's index grids and window functions."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..core.operator import REQUIRED, DType, Operator, Shape, operator
from ..support.dtypes import DEFAULT_DTYPE
from .create import creation_type

FAMILY = "other"

INT32 = numpy.dtype("int32")


@operator("_npi_indices", differentiable=False)
def np_indices(xp, dimensions: Shape = REQUIRED, dtype: DType = INT32, ctx: str = ""):
    """Return the indices of a grid; ``result[i]`` contains the i-th index of each point."""
    if not dimensions:
        return xp.empty((0,), dtype=dtype)
    grids = [xp.arange(n, dtype=dtype) for n in dimensions]
    return xp.stack(xp.broadcast_arrays(*xp.ix_(*grids)))


@np_indices.infer_shape
def _(*, dimensions, **_):
    return [], [(len(dimensions), *dimensions)]


np_indices.infer_type(creation_type)


def _window(name: str, cosines: tuple[float, ...], doc: str) -> Operator:
    """Register a window that is a sum of cosines, ``sum(c_j * cos(2 pi j n / (M - 1)))``."""

    def run(xp, M: int | None = None, ctx: str = "", dtype: DType = DEFAULT_DTYPE):
        size = max(M or 0, 0)
        if size == 1:
            return xp.ones(1, dtype=dtype)
        angle = xp.arange(size) * (2 * math.pi / max(size - 1, 1))
        values: Any = cosines[0]
        for j, factor in enumerate(cosines[1:], 1):
            values = values + factor * xp.cos(j * angle)
        return values.astype(dtype)

    run.__doc__ = doc
    op = operator(name, differentiable=False)(run)
    op.infer_shape(lambda *, M, **_: ([], [(max(M or 0, 0),)]))
    op.infer_type(creation_type)
    return op


_window("_npi_hanning", (0.5, -0.5), "Return the Hann window, which is one period of a raised cosine.")
_window("_npi_hamming", (0.54, -0.46), "Return the Hamming window, which is a raised cosine that does not reach 0.")
_window("_npi_blackman", (0.42, -0.5, 0.08), "Return the Blackman window, which is a sum of two cosines.")
