"""Every operator on a GPU: the same results and gradients as on the CPU, and no trips to the host on the way.

They run on the GPU of the machine; where there is none, on the simulated one, which also counts the trips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
from golden.expected_failures import ARRAYS, each_case
from golden.runner import Case, check_arrays, families
from operator_cases import Sample, samples_of
from simulated_gpu import simulated_gpu
from simulated_gpu.kernels import compiler
from test_every_operator import (
    NO_OUTPUTS,
    ONCE,
    SEED,
    check_close,
    differentiable,
    each_operator,
    heads_of,
    make_arrays,
    make_symbol,
    wanted_inputs,
)
from test_every_operator import OPERATORS as ALL

import d2lhybrid as mx
from d2lhybrid import autograd
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.cached_op import CachedOp
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.device import array_modules
from d2lhybrid.ndarray import NDArray

GPU = mx.gpu(0)
OPERATORS = [n for n in ALL if n not in NO_OUTPUTS]

pytestmark = pytest.mark.usefixtures("gpu")


@pytest.fixture(scope="module")
def gpu() -> Iterator[Any]:
    """The simulated GPU, one for all of these tests; None on a machine with a GPU."""
    if array_modules.has_gpu():
        yield None
        return
    with simulated_gpu() as machine:
        yield machine


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with numpy.errstate(all="ignore"):
        yield


def run_eagerly(sample: Sample, arrays: list[Any], context: Any) -> list[Any]:
    mx.random.seed(SEED)
    given = arrays and arrays[0] is not None
    result = invoke(sample.op, arrays, sample.params, NDArray, ctx=None if given else context)
    return result if isinstance(result, list) else [result]


def run_compiled(sample: Sample, arrays: list[Any], context: Any) -> list[Any]:
    symbol, names = make_symbol(sample)
    present = [a for a in arrays if a is not None]
    mx.random.seed(SEED)
    return CachedOp(symbol, names, len(names))(present, NDArray, context)


def mode_of(sample: Sample) -> Any:
    return autograd.train_mode() if sample.training else autograd.predict_mode()


def compare(sample: Sample, found: list[Any], expected: list[Any]) -> None:
    assert len(found) == len(expected), sample
    for f, e in zip(found, expected, strict=True):
        assert f.context == GPU, sample
        if sample.op.uses_generator:  # other numbers, drawn by another generator
            assert f.shape == e.shape and f.dtype == e.dtype, sample
        else:
            check_close(f.asnumpy(), e.asnumpy(), sample, rtol=1e-5)


@each_operator(OPERATORS)
def test_results_are_those_of_the_cpu(name: str) -> None:
    for sample in samples_of(ALL[name]):
        here, there = make_arrays(sample), make_arrays(sample, GPU)
        with mode_of(sample):
            expected = run_eagerly(sample, here, mx.cpu())
            compare(sample, run_eagerly(sample, there, GPU), expected)
        for i in sample.present:  # states that the operator writes
            if not sample.op.uses_generator:
                check_close(there[i].asnumpy(), here[i].asnumpy(), (sample, "state", i), rtol=1e-5)


@each_operator(OPERATORS)
def test_compiled_results_are_those_of_the_cpu(name: str, gpu: Any) -> None:
    """One sample an operator: each makes a kernel of its own, which has to be compiled."""
    if gpu is not None and compiler() is None:
        pytest.skip("there is neither a GPU nor a C++ compiler to stand in for one")
    for sample in samples_of(ALL[name])[:1]:
        with mode_of(sample):
            expected = run_eagerly(sample, make_arrays(sample), mx.cpu())
            compare(sample, run_compiled(sample, make_arrays(sample, GPU), GPU), expected)


def gradients(sample: Sample, wanted: list[int], context: Any) -> list[Any]:
    arrays = make_arrays(sample, context)
    for i in wanted:
        arrays[i].attach_grad()
    with autograd.record(train_mode=sample.training):
        outputs = run_eagerly(sample, arrays, context)
    heads = [h.as_in_context(context) for h in heads_of(outputs)]
    autograd.backward(outputs, heads, train_mode=sample.training)
    return [arrays[i].grad for i in wanted]


@each_operator([n for n in OPERATORS if differentiable(n) and not ALL[n].uses_generator])
def test_gradients_are_those_of_the_cpu(name: str) -> None:
    for sample in samples_of(ALL[name]):
        wanted = wanted_inputs(sample)
        if not wanted:
            continue
        try:
            expected = gradients(sample, wanted, mx.cpu())
        except MXNetError as error:
            assert ONCE.search(str(error)), sample
            continue
        for found, e in zip(gradients(sample, wanted, GPU), expected, strict=True):
            assert found.context == GPU, sample
            check_close(found.asnumpy(), e.asnumpy(), (sample, "gradient"), rtol=1e-5)


def is_for_every_device(case: Case) -> bool:
    """Return whether a case is as in MXNet, and says nothing about the CPU itself."""
    return (case.family, case.id) not in ARRAYS and "mx.cpu(" not in case.record.get("code", "")


@each_case(families(), {}, is_for_every_device)
def test_recorded_calls_of_mxnet(case: Case) -> None:
    with GPU:
        check_arrays(case)


# --- trips to the host ----------------------------------------------------------------------------


@pytest.fixture
def counted(gpu: Any) -> Callable[[], tuple[int, int]]:
    """Return a function that says how many copies there were to the host and to the device since it was called last."""
    if gpu is None:
        pytest.skip("only the simulated GPU counts copies")
    device = gpu.devices[0]

    def count() -> tuple[int, int]:
        found = device.transfers_to_host, device.transfers_to_device
        device.reset_counters()
        return found

    return count


@each_operator(OPERATORS)
def test_no_trips_to_the_host(name: str, counted: Any) -> None:
    """Each would make the host wait for all work before it, and forbid to record the operator in a CUDA graph."""
    asked = told = 0
    for sample in samples_of(ALL[name]):
        arrays = make_arrays(sample, GPU)
        for _ in range(2):  # the first call may make tables that are kept
            with mode_of(sample):
                counted()
                run_eagerly(sample, arrays, GPU)
                to_host, to_device = counted()
        asked, told = asked + to_host, told + to_device
    assert bool(asked) == bool(ALL[name].asks_device), f"{asked} copies to the host"
    assert bool(told) == bool(ALL[name].tells_device), f"{told} copies to the device"
