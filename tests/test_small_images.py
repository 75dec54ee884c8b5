"""What a function of a user's for one small image costs, and that what is quick gives what the operators give."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import data
from d2lhybrid.gluon.data import batchify
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.support import events
from d2lhybrid.ndarray import NDArray
from d2lhybrid.ndarray.arithmetic import ARITHMETIC


def calls_of(function: Callable[[], Any]) -> int:
    """Return how many functions of Python a call enters."""
    count = 0

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def own_function(image: Any) -> Any:
    return (image.transpose((2, 0, 1)).astype("float32") / 255 - 0.5) / 0.25


def test_a_function_of_one_image_calls_few_functions() -> None:
    images = nd.array(numpy.arange(4 * 28 * 28).reshape(4, 28, 28, 1) % 256, dtype="uint8")
    dataset = data.ArrayDataset(images, numpy.arange(4)).transform_first(own_function)
    expected = own_function(images[2])
    assert calls_of(lambda: dataset[2]) <= 36
    numpy.testing.assert_array_equal(dataset[2][0].asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
@pytest.mark.parametrize("shape", [(1,), (0, 2), (2, 3, 4)])
@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_with_a_number_gives_what_the_operator_gives(name: str, shape: tuple[int, ...], dtype: str) -> None:
    raw = (numpy.arange(numpy.prod(shape)).reshape(shape) + 1).astype(dtype)
    for value in (nd.array(raw, dtype=dtype), nd.array(raw, dtype=dtype).T):
        for number in (3, 0.25, numpy.float32(2), numpy.int64(2), True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = getattr(value, f"__{name}__")(number)
                scalar: Any = float(number)
                expected = invoke(get_operator(ARITHMETIC[name][1]), (value,), {"scalar": scalar}, NDArray)
            assert type(found) is NDArray
            assert found.dtype == expected.dtype
            numpy.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())
            assert not numpy.shares_memory(found._data, value._data)


@pytest.mark.parametrize("function", [lambda x: x - 0.5, lambda x: 2 / x, lambda x: x.astype("float64")])
def test_a_quick_call_is_recorded_and_heard_of(function: Callable[[Any], Any]) -> None:
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    assert x.grad.asnumpy().any()
    for event in ("operator_ran", "call_begins"):
        heard: list[Any] = []
        with events.listening(**{event: lambda op, *rest, to=heard: to.append(op.name)}):
            function(x)
        assert len(heard) == 1


def test_a_quick_call_that_fails_says_what_the_operator_says(monkeypatch: pytest.MonkeyPatch) -> None:
    x = nd.ones((2,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((RuntimeWarning, mx.MXNetError)) as quick:
            _ = x / 0
        with pytest.raises((RuntimeWarning, mx.MXNetError)) as slow:
            invoke(get_operator("_div_scalar"), (x,), {"scalar": 0.0}, NDArray)
    assert (type(quick.value), str(quick.value)) == (type(slow.value), str(slow.value))


def test_a_cast_is_a_copy_in_the_usual_order() -> None:
    x = nd.array(numpy.arange(6).reshape(2, 3), dtype="uint8")
    for dtype in ("uint8", "float32", numpy.float32, None):
        cast = x.astype(dtype)
        assert not numpy.shares_memory(cast._data, x._data)
        assert cast._data.flags.c_contiguous
    assert x.astype("uint8", copy=False) is x


def test_a_row_of_a_matrix_that_is_turned_shares_no_memory_with_it() -> None:
    images = nd.arange(24).reshape((2, 3, 4))
    turned = images[1].transpose((1, 0))
    turned[:] = 0
    assert images.asnumpy().ravel().tolist() == list(range(24))
    whole = nd.transpose(images, axes=(0, 1, 2))
    whole[:] = 0
    assert images.asnumpy().any()


@pytest.mark.parametrize("kind", ["nd", "np"])
def test_batches_of_small_arrays_are_stacked(kind: str) -> None:
    make: Any = mx.np.array if kind == "np" else nd.array
    rows = numpy.arange(12, dtype="float32").reshape(3, 2, 2)
    views = [make(rows)[0], make(rows)[1], make(rows[2].T.copy()).T]
    batch = batchify.default_batchify_fn(views)
    assert type(batch) is type(views[0]) and batch._data.flags.c_contiguous
    numpy.testing.assert_array_equal(batch.asnumpy(), rows)
    assert batchify.default_batchify_fn([make(rows)[:, :0, 0]] * 2).shape == (2, 3, 0)
    mixed = batchify.default_batchify_fn([make([1, 2], dtype="int32"), make([0.5, 1], dtype="float64")])
    assert mixed.asnumpy().tolist() == [[1, 2], [0.5, 1]] and numpy.dtype(mixed.dtype) == "float64"


@pytest.mark.parametrize("shapes", [((1, 4), (3, 4)), ((2,), (2, 2)), ((2, 3), (3, 2))])
def test_items_of_different_shapes_are_refused(shapes: tuple[tuple[int, ...], ...]) -> None:
    for items in ([nd.ones(shape) for shape in shapes], [numpy.ones(shape) for shape in shapes]):
        for workers in (0, 2):
            with pytest.raises(ValueError) as raised:
                list(data.DataLoader(data.SimpleDataset(items), 2, num_workers=workers))
            assert "have different shapes" in raised.value.__notes__[0]
            assert "batchify" in raised.value.__notes__[0]
    with pytest.raises(ValueError, match="inhomogeneous"):
        batchify.default_batchify_fn([[1, [2, 3]], [4, 5]])


def test_a_loader_can_be_copied() -> None:
    loader = data.DataLoader(data.SimpleDataset([1, 2, 3]), 2, num_workers=2)
    assert [batch.asnumpy().tolist() for batch in copy.deepcopy(loader)] == [[1, 2], [3]]
