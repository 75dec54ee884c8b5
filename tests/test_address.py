"""Where arrays begin in memory, of all kinds."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid.internals.device.address import address

MATRIX = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
CONSTANT = MATRIX.copy()
CONSTANT.flags.writeable = False


@pytest.mark.parametrize(
    "array",
    [MATRIX, MATRIX[1:], MATRIX.T, MATRIX[:, ::2], MATRIX[::-1], MATRIX[:0], CONSTANT, CONSTANT[1:].T,
     numpy.array(1.0), numpy.broadcast_to(MATRIX[0], (5, 4)), numpy.empty((0, 3)), numpy.ones(3, bool),
     numpy.ones(2, "f2")],
)  # fmt: skip
def test_an_array_begins_where_numpy_says(array: Any) -> None:
    assert address(array) == array.__array_interface__["data"][0]


def test_nothing_is_kept_of_an_array_that_was_asked_for() -> None:
    array = numpy.zeros(3)
    address(array)
    array.resize(5)  # which it refuses while somebody looks at its memory
    assert address(array) == array.__array_interface__["data"][0]
