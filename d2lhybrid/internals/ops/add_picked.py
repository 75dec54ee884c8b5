"""The operator that adds a few picked elements to an array, which a compiler pass makes from the gradient of ``pick``.

The pass is :mod:`d2lhybrid.internals.compiler.passes.add_picked`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy

from ..core.operator import Array, operator
from . import rules
from .index import pick_axis, pick_positions

if TYPE_CHECKING:
    from ..compiler.emitter import Emitter

__all__ = ["add_picked"]

FAMILY = "shape"


@operator("_add_picked", differentiable=False, fresh=True)
def add_picked(
    xp,
    data: Array,
    values: Array,
    index: Array,
    axis: int | None = -1,
    mode: Literal["clip", "wrap"] = "clip",
):
    """Return an array with values added at the positions from which ``pick`` would read them."""
    return _increase_picked(xp, data.copy(order="C"), values, index, axis, mode)


def _increase_picked(xp, data, values, index, axis, mode):
    """Add values to a contiguous array in place."""
    positions = pick_positions(xp, data, index, pick_axis(axis, data.ndim), mode)
    # No element is picked twice, so a plain assignment suffices.
    data.reshape(-1)[positions.reshape(-1)] += values.reshape(-1)
    return data


add_picked.infer_shape(lambda data, values, index, **_: ([data, values, index], [data]))
add_picked.infer_type(rules.type_of_first)
add_picked.overwrites = (0,)


@add_picked.lowering
def _(emit: Emitter) -> None:
    attributes = add_picked.complete(emit.node.params)
    axis, mode = attributes["axis"], attributes["mode"]

    def run(data: Any, values: Any, index: Any, out: Any = None) -> Any:
        if out is None:
            return _increase_picked(numpy, data.copy(order="C"), values, index, axis, mode)
        if out is not data:
            numpy.copyto(out, data)
        if out.flags.c_contiguous:
            return _increase_picked(numpy, out, values, index, axis, mode)
        out[...] = _increase_picked(numpy, out.copy(order="C"), values, index, axis, mode)
        return out

    emit.call_bound(emit.host.bound("add_picked", run), *emit.arguments)
