"""Functions that join and split arrays in ``np``."""

from __future__ import annotations

from typing import Any

from ...support.notes import with_note
from .space import Array, Space

__all__ = [
    "append", "array_split", "column_stack", "concatenate", "dsplit", "dstack", "hsplit", "hstack", "row_stack",
    "split", "stack", "vsplit", "vstack",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "seq": "The arrays, in a list or a tuple.",
    "arrays": "The arrays, in a list or a tuple.",
    "tup": "The vectors and matrices, in a list or a tuple.",
    "arr": "The first array.",
    "values": "The second array.",
    "axis": "The axis along which to join or split; None joins the flattened arrays.",
    "ary": "The array to split.",
    "indices_or_sections": "The number of pieces, or the indices at which to split.",
    "stack.axis": "The position of the new axis in the result.",
    "split.axis": "The axis along which to split.",
    "array_split.axis": "The axis along which to split.",
}


def concatenate(F: Space, seq: Any, axis: int | None = 0, out: Any = None) -> Array:
    """Join arrays along an axis; if the axis is None, the arrays are flattened first."""
    return F.call("_npi_concatenate", *seq, axis=axis, out=out)


def append(F: Space, arr: Any, values: Any, axis: int | None = None) -> Array:
    """Join two arrays along an axis; by default, the arrays are flattened first."""
    return F.call("_npi_concatenate", arr, values, axis=axis)


def stack(F: Space, arrays: Any, axis: int = 0, out: Any = None) -> Array:
    """Join arrays along a new axis."""
    return F.call("_npi_stack", *arrays, axis=axis, out=out)


def vstack(F: Space, arrays: Any, out: Any = None) -> Array:
    """Join arrays vertically, along the first axis; vectors become rows."""
    return F.call("_npi_vstack", *arrays, out=out)


row_stack = vstack


def hstack(F: Space, arrays: Any) -> Array:
    """Join arrays horizontally: along the second axis or, for vectors, along the first axis."""
    return F.call("_npi_hstack", *arrays)


def dstack(F: Space, arrays: Any) -> Array:
    """Join arrays along the third axis."""
    return F.call("_npi_dstack", *arrays)


def column_stack(F: Space, tup: Any) -> Array:
    """Join vectors and the columns of matrices as the columns of one matrix."""
    return F.call("_npi_column_stack", *tup)


# --- splitting -----------------------------------------------------------------------------------


def _pieces(F: Space, operator: str, ary: Any, where: Any, axis: int, uneven: bool = False) -> list[Array]:
    """Split an array into a number of pieces, or at indices."""
    sections, indices = 0, []
    if isinstance(where, int):
        sections = where
        shape = F.shape_of(ary)
        if shape is not None and shape[axis] % sections:
            if not uneven:
                error = ValueError("array split does not result in an equal division")
                raise with_note(
                    error,
                    f"The size of axis {axis} is {shape[axis]}, which is not a multiple of {sections}. For pieces of "
                    "different sizes, call np.array_split.",
                )
            size, longer = divmod(shape[axis], sections)
            sections, indices = 0, [i * size + min(i, longer) for i in range(where)]
    elif isinstance(where, list | set | tuple):
        indices = [0, *where]
    else:
        raise ValueError("indices_or_sections must be either int, or tuple / list / set of ints")
    result = F.call(operator, ary, indices=indices, axis=axis, squeeze_axis=False, sections=sections)
    return list(result) if isinstance(result, list | tuple) else [result]


def split(F: Space, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Split an array into equal pieces, or at indices.

    Raises
    ------
    ValueError
        If the array can't be split into equal pieces, or if ``indices_or_sections`` has an unsupported type.
    """
    return _pieces(F, "_npi_split", ary, indices_or_sections, axis)


def array_split(F: Space, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Split an array into pieces whose sizes differ by at most one, or at indices."""
    return _pieces(F, "_npi_split", ary, indices_or_sections, axis, uneven=True)


def _needs_axes(F: Space, name: str, ary: Any, count: int) -> None:
    shape = F.shape_of(ary)
    if shape is not None and len(shape) < count:
        raise ValueError(f"{name} only works on arrays of {count} or more dimensions")


def hsplit(F: Space, ary: Any, indices_or_sections: Any) -> list[Array]:
    """Split an array between columns, or a vector between elements; the sizes of the pieces may differ by one."""
    _needs_axes(F, "hsplit", ary, 1)
    shape = F.shape_of(ary)
    if shape is not None and len(shape) == 1:
        return _pieces(F, "_npi_split", ary, indices_or_sections, 0, uneven=True)
    return _pieces(F, "_npi_hsplit", ary, indices_or_sections, 1, uneven=True)


def vsplit(F: Space, ary: Any, indices_or_sections: Any) -> list[Array]:
    """Split an array between rows."""
    _needs_axes(F, "vsplit", ary, 2)
    return _pieces(F, "_npi_split", ary, indices_or_sections, 0)


def dsplit(F: Space, ary: Any, indices_or_sections: Any) -> list[Array]:
    """Split an array along the third axis."""
    _needs_axes(F, "dsplit", ary, 3)
    return _pieces(F, "_npi_dsplit", ary, indices_or_sections, 2)
