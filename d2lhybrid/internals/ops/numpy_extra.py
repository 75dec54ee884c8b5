"""Operators of MXNet's ``npx`` that belong to no family."""

from __future__ import annotations

import numpy

from ...error import MXNetError
from ..core.operator import Array, operator

FAMILY = "other"
MEANINGS = {
    "input": "The boolean array of conditions.",
    "msg": "The message of the error if a condition is false.",
}

_BOOL = numpy.dtype(bool)


@operator("_npx_constraint_check", differentiable=False)
def constraint_check(xp, input: Array, msg: str = "Constraint violated."):
    """Return True if all elements of a boolean array are true; otherwise, raise an error with the message ``msg``.

    On a GPU, the host waits for the result, which determines whether the program continues.
    """
    if input.dtype != _BOOL:
        raise MXNetError("Check failed: in_attrs->at(0) == mshadow: :kBool: ")
    result = input.all()
    if not bool(result):
        raise MXNetError(f"Check failed: red_output == true (0 vs. 1) : {msg}")
    return result


constraint_check.infer_shape(lambda input, *, msg: ([input], [()]))
constraint_check.asks_device = "the host checks whether all values are true"
constraint_check.infer_type(lambda input, *, msg: ([_BOOL], [_BOOL]))
