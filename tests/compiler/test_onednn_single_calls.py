"""oneDNN computes the convolutions of single calls, eager ones and those of NumPy's programs, where they are large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.compiler.onednn import single_calls
from d2lhybrid.internals.ops import conv
from d2lhybrid.internals.ops.unfold import windows

pytestmark = pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}")

MAPS = [conv.convolve, conv.convolve_data_gradient, conv.convolve_weight_gradient]


class Counted(single_calls.SingleCalls):
    """The library, which counts what it computed itself."""

    count = 0

    def compute(self, *arguments: Any) -> Any:
        result = super().compute(*arguments)
        self.count += result is not None
        return result


@pytest.fixture(autouse=True)
def library() -> Iterator[Counted]:
    """Have the library compute, whatever another test has left."""
    before = conv.library()
    conv.install_library(found := Counted())
    yield found
    conv.install_library(before)


def heavy(x: Any, weight: Any, **attributes: Any) -> list[Any]:
    """Return a convolution and its gradients, eagerly."""
    x, weight = nd.array(x, dtype=x.dtype), nd.array(weight, dtype=weight.dtype)
    x.attach_grad()
    weight.attach_grad()
    with autograd.record():
        y = nd.Convolution(x, weight, no_bias=True, num_filter=len(weight), **attributes)
    y.backward(nd.cos(y.detach()))
    return [y.asnumpy(), x.grad.asnumpy(), weight.grad.asnumpy()]


def close(found: Any, expected: Any) -> None:
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * max(1.0, float(numpy.abs(expected).max())))


axes = st.lists(
    st.tuples(*(st.integers(*ends) for ends in ((1, 9), (1, 3), (1, 3), (1, 2), (0, 2)))), min_size=1, max_size=3
)


@given(
    batch=st.integers(1, 3), groups=st.sampled_from([1, 2, 3]), channels=st.integers(1, 9), filters=st.integers(1, 9),
    axes=axes, last=st.booleans(), function=st.sampled_from(MAPS), seed=st.integers(0, 99),
)  # fmt: skip
def test_each_map_is_numpys_for_all_sizes_and_both_layouts(
    batch: int, groups: int, channels: int, filters: int, axes: Any, last: bool, function: Any, seed: int
) -> None:
    sizes, kernel, stride, dilate, pad = zip(*axes, strict=True)
    if any(d * (k - 1) + 1 > n + 2 * p for n, k, _, d, p in axes) or any(
        p >= d * (k - 1) + 1 for _, k, _, d, p in axes
    ):
        return
    rng, w = numpy.random.RandomState(seed), windows(sizes, kernel, stride, dilate, pad)
    first = (batch, groups * channels, *sizes), (batch, groups * filters, *w.output)
    shapes = {
        conv.convolve: (first[0], (groups * filters, channels, *kernel)),
        conv.convolve_data_gradient: (first[1], (groups * filters, channels, *kernel)),
        conv.convolve_weight_gradient: (first[1], first[0]),
    }[function]
    a, b = (rng.normal(size=shape).astype("float32") for shape in shapes)
    expected = function(numpy, a, b, w, groups)
    if last:
        a, b, expected = (numpy.moveaxis(array, 1, -1) for array in (a, b, expected))
    call = single_calls.call_for.__wrapped__(function, a.shape, b.shape, w, groups, last, least=0)
    assert call is not None
    result = call(a, b)
    assert result.flags.c_contiguous
    close(result, expected)


@pytest.mark.parametrize(
    ("shape", "weight", "attributes"),
    [
        ((8, 64, 28, 28), (64, 64, 3, 3), {"kernel": (3, 3), "pad": (1, 1)}),
        ((8, 64, 28, 28), (64, 1, 3, 3), {"kernel": (3, 3), "pad": (1, 1), "num_group": 64}),
        ((8, 28, 28, 32), (48, 3, 3, 32), {"kernel": (3, 3), "stride": (2, 2), "layout": "NHWC"}),
        ((2, 16, 8, 14, 14), (16, 16, 3, 3, 3), {"kernel": (3, 3, 3), "dilate": (1, 2, 2)}),
        ((64, 3, 32, 32), (16, 3, 5, 5), {"kernel": (5, 5)}),
    ],
)
def test_an_eager_call_and_its_gradients_are_those_of_numpy(
    library: Counted, shape: Any, weight: Any, attributes: Any
) -> None:
    rng = numpy.random.RandomState(0)
    x, w = rng.normal(size=shape).astype("float32"), rng.normal(size=weight).astype("float32")
    found = heavy(x, w, **attributes)
    assert library.count >= 2  # NumPy computes the gradient of three channels
    conv.install_library(None)
    expected = heavy(x, w, **attributes)
    for a, b in zip(found, expected, strict=True):
        close(a, b)


def test_small_and_other_convolutions_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(single_calls, "is_available", lambda: asked.append(1) or True)
    rng = numpy.random.RandomState(0)
    small = rng.normal(size=(1, 6, 14, 14)), rng.normal(size=(16, 6, 5, 5))
    heavy(small[0].astype("float32"), small[1].astype("float32"), kernel=(5, 5))
    large = rng.normal(size=(8, 64, 28, 28)), rng.normal(size=(64, 64, 3, 3))
    heavy(*large, kernel=(3, 3))
    assert not asked


def test_half_precision_is_computed_in_single_precision() -> None:
    rng = numpy.random.RandomState(0)
    x, w = rng.normal(size=(8, 64, 28, 28)).astype("float16"), rng.normal(size=(64, 64, 3, 3)).astype("float16")
    y = nd.Convolution(
        nd.array(x, dtype="float16"), nd.array(w, dtype="float16"), kernel=(3, 3), num_filter=64, no_bias=True
    )
    single = nd.Convolution(nd.array(x), nd.array(w), kernel=(3, 3), num_filter=64, no_bias=True)
    assert y.dtype == numpy.float16
    numpy.testing.assert_array_equal(y.asnumpy(), single.asnumpy().astype("float16"))


def test_what_is_not_a_number_stays_so() -> None:
    x = nd.ones((8, 32, 28, 28))
    x[3, 5, 10, 10] = float("nan")
    y = nd.Convolution(x, nd.ones((32, 32, 3, 3)), kernel=(3, 3), num_filter=32, no_bias=True).asnumpy()
    assert numpy.isnan(y[3, :, 8:11, 8:11]).all() and numpy.isnan(y).sum() == 32 * 9


def test_a_program_of_numpy_keeps_the_batch_first_and_its_report_names_the_library() -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, 3, padding=1), nn.Conv2D(8, 3), nn.Dense(2))
    net.initialize()
    net.hybridize(backend="numpy")
    x = nd.random.normal(shape=(8, 64, 28, 28))
    hybridized = net(x).asnumpy()
    [program] = net.explain(x).programs
    assert program.functions[0].libraries == ("oneDNN (2)",)
    assert "batch_last" not in program.source
    net.hybridize(active=False)
    close(hybridized, net(x).asnumpy())
