"""The GPU of these tests: the real one where there is one, else a pretended one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simulated_gpu import simulated_gpu
from simulated_gpu.kernels import compiler

from d2lhybrid.internals.device import array_modules


@pytest.fixture
def gpu() -> Iterator[Any]:
    """Two pretended devices, and what is counted on them; None on a machine with a GPU, where nothing is pretended."""
    if array_modules.num_gpus():
        yield None
        return
    if compiler() is None:
        pytest.skip("there is neither a GPU nor a C++ compiler to stand in for one")
    with simulated_gpu() as machine:
        yield machine
