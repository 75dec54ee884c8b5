"""NVIDIA's own compiler takes every kernel that is generated, for an old GPU and a new one, without a warning."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from nvrtc import ARCHITECTURES, errors_of, find_nvrtc

from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends.cuda_region import index_type
from d2lhybrid.internals.compiler.backends.cupy_program import cuda_source
from d2lhybrid.internals.core.pipeline import compile_graph

from ..compiler.networks import NETWORKS, make
from .test_compiled_on_a_gpu import product_calls, together

pytestmark = pytest.mark.skipif(find_nvrtc() is None, reason="nvidia-cuda-nvrtc is not installed")


def sources_of(net: Any, inputs: list[Any]) -> list[str]:
    """Return the CUDA sources for prediction and for training of a net that is on the CPU."""
    net.hybridize()
    net(*inputs)
    for x in inputs:
        x.attach_grad()
    with autograd.record():
        net(*inputs)
    return [cuda_source(program) for program in net.programs]


@pytest.mark.parametrize("name", NETWORKS)
def test_programs_of_networks(name: str) -> None:
    for source in sources_of(*make(name)):
        assert "__global__" in source
        assert errors_of(source) == ""


@pytest.mark.parametrize(("dtype", "architecture"), list(zip(["float32", "float64"], ARCHITECTURES, strict=True)))
def test_every_product(dtype: str, architecture: str) -> None:
    program = together(product_calls(dtype), numpy)
    assert errors_of(cuda_source(program), architecture) == ""


def test_large_arrays_are_counted_with_long_numbers() -> None:
    assert index_type(1 << 20, (1 << 31) - 1) == "int"
    assert index_type(1 << 20, 1 << 31) == "long long"
    shapes, dtypes = {"x": ((1 << 31) + 3,)}, {"x": "float32"}
    program = compile_graph(sym.tanh(sym.var("x") * 2), ["x"], shapes, dtypes, False, None, numpy)
    source = cuda_source(program)
    assert "const long long p" in source and errors_of(source) == ""


def test_a_wrong_text_is_refused() -> None:
    assert "error" in errors_of("__global__ void f() { g(); }")


def test_names_of_a_net_do_not_get_into_the_text() -> None:
    net = nn.Dense(2, in_units=3, prefix='x");}/*é*/_')
    net.initialize()
    for source in sources_of(net, [nd.zeros((1, 3))]):
        assert errors_of(source) == "" and "é" not in source and "/*" not in source


def test_branches_that_meet_again_are_one_kernel() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(F.exp(-x * x) * F.tanh(8 * x) + 1))
    assert sources_of(net, [nd.ones((4,))])[0].count("__global__") == 1


def test_branches_that_meet_by_way_of_a_sum_are_not() -> None:
    net = nn.HybridLambda(lambda F, x: F.broadcast_mul(F.exp(x), F.tanh(F.sum(F.exp(x) * 2, axis=0, keepdims=True))))
    assert sources_of(net, [nd.ones((4, 3))])[0].count("__global__") == 3
