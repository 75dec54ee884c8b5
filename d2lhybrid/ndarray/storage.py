"""Rules that determine the storage type of an operator's result from sparse inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..error import MXNetError
from ..internals.core.operator import Operator

__all__ = ["Stored", "storage_of_result"]


class Stored(NamedTuple):
    """The storage type and shape of an input, which determine the storage type of a result.

    Attributes
    ----------
    stype : str
        The storage type: ``"default"``, ``"row_sparse"``, or ``"csr"``.
    shape : tuple of int
        Shape of the input.
    """

    stype: str
    shape: tuple[int, ...]


def _of_product(inputs: Sequence[Stored], transpose_a: bool = False, forward_stype: Any = None, **_: Any) -> str:
    """Return the storage type of a matrix product: ``forward_stype``, or MXNet's default on a CPU."""
    lhs, rhs = inputs
    if forward_stype is not None:
        return forward_stype
    if len(lhs.shape) != 2 or len(rhs.shape) != 2:
        return "default"
    if lhs.stype == "csr":
        return "row_sparse" if transpose_a and rhs.stype != "csr" else "default"
    return "csr" if lhs.stype == "default" and rhs.stype == "csr" and not transpose_a else "default"


def _of_factors(inputs: Sequence[Stored], **_: Any) -> str:
    """Return the storage type of an element-wise product, which is sparse if one factor is sparse."""
    kinds = {one.stype for one in inputs} - {"default"}
    return kinds.pop() if len(kinds) == 1 else "default"


def _of_broadcast(inputs: Sequence[Stored], **_: Any) -> str:
    """Return the storage type of a matrix whose rows or columns are multiplied or divided."""
    lhs, rhs = inputs
    return "csr" if lhs.stype == "csr" and rhs.stype == "default" and len(rhs.shape) <= 2 else "default"


def _of_slice(inputs: Sequence[Stored], step: Any = (), **_: Any) -> str:
    return "csr" if inputs[0].stype == "csr" and not any(step or ()) else "default"


def _of_concat(inputs: Sequence[Stored], dim: int = 1, **_: Any) -> str:
    return "csr" if dim == 0 and all(one.stype == "csr" for one in inputs) else "default"


def _of_taken(inputs: Sequence[Stored], axis: int = 0, mode: str = "clip", **_: Any) -> str:
    """Return the storage type of rows that ``take`` selects with a list of indices."""
    data, indices = inputs
    is_list = indices.stype == "default" and len(indices.shape) == 1
    return "csr" if data.stype == "csr" and is_list and axis == 0 and mode != "raise" else "default"


def _of_sum(inputs: Sequence[Stored], **_: Any) -> str:
    return "row_sparse" if all(one.stype == "row_sparse" for one in inputs) else "default"


def _of_square_sum(inputs: Sequence[Stored], axis: Any = None, keepdims: bool = False, **_: Any) -> str:
    """Return the storage type of the sum of squares of each row."""
    return "row_sparse" if inputs[0].stype == "row_sparse" and axis in (1, (1,), [1]) and keepdims else "default"


def _of_cast(inputs: Sequence[Stored], stype: str, **_: Any) -> str:
    if stype == "csr" and len(inputs[0].shape) != 2:
        raise ValueError(f"csr storage requires a matrix, but the array has shape {tuple(inputs[0].shape)}")
    return stype


def _of_retained(inputs: Sequence[Stored], **_: Any) -> str:
    if inputs[0].stype != "row_sparse":
        error = MXNetError(
            "Check failed: infer_stype_success: Operator not implemented: operator = _sparse_retain, "
            f"input storage types = [{', '.join(one.stype for one in inputs)}]"
        )
        error.add_note("Convert the array with x.tostype('row_sparse'), or select rows with an index.")
        raise error
    return "row_sparse"


#: The function from inputs and attributes to the storage type of the result, by operator.
_RULES: dict[str, Callable[..., str]] = {
    "Concat": _of_concat,
    "_sparse_retain": _of_retained,
    "_square_sum": _of_square_sum,
    "add_n": _of_sum,
    "broadcast_div": _of_broadcast,
    "broadcast_mul": _of_broadcast,
    "cast_storage": _of_cast,
    "dot": _of_product,
    "elemwise_mul": _of_factors,
    "slice": _of_slice,
    "take": _of_taken,
}


def storage_of_result(op: Operator, inputs: Sequence[Stored], params: dict[str, Any], shape: tuple[int, ...]) -> str:
    """Return the storage type that a single-output operator's result has in MXNet.

    Parameters
    ----------
    op : Operator
        The operator.
    inputs : sequence of Stored
        The storage types and shapes of the inputs.
    params : dict
        The operator's attributes.
    shape : tuple of int
        The shape of the result.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> matrix = Stored("csr", (2, 3))
    >>> [storage_of_result(get_operator(name), [matrix], {}, (2, 3)) for name in ("sqrt", "exp")]
    ['csr', 'default']
    """
    if op.name in _RULES:
        return _RULES[op.name](inputs, **params)
    if not inputs or shape != inputs[0].shape or op.zero_stays is None or not op.zero_stays(**params):
        return "default"
    kind = inputs[0].stype
    return kind if all(one.stype == kind for one in inputs) else "default"
