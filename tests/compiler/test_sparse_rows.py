"""Rows of sparse gradients in programs of the C and oneDNN backends."""

from __future__ import annotations

import pytest

from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.compiler.backends import c_compiler

from ..test_sparse_like_mxnet import assert_the_rows_are_those_of_eager_calls


@pytest.mark.parametrize(
    "backend",
    [
        pytest.param("c", marks=pytest.mark.skipif(c_compiler.find_compiler() is None, reason="no C compiler")),
        pytest.param(
            "onednn", marks=pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}")
        ),
    ],
)
def test_a_backend_finds_the_rows_that_are_looked_up_at_computed_places(backend: str) -> None:
    assert_the_rows_are_those_of_eager_calls(backend=backend)
