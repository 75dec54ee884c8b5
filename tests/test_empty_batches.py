"""No elements along an axis: every operator answers with as few, or says in words of its own that it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from operator_cases import Sample, run_kernel, samples_of

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np, npx
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.core.operator import all_operators, get_operator

#: What NumPy says where a kernel did not think of it: a size that it cannot infer, an index into nothing.
UNTHOUGHT = re.compile(r"newaxis|cannot reshape|tuple index out of range|division by zero|modulo by zero")

#: Operators that passes make of others: their inputs fit each other, which those here need not.
MADE_BY_PASSES = {"_fused", "_convolution_batch_last", "_dense_batch_last", "_convolution_direct"}

#: Refusals in words of NumPy's which are to the point, because the inputs do not fit each other.
TO_THE_POINT = {
    "GridGenerator", "_contrib_box_iou", "_gather_along", "_image_resize", "_npi_backward_ediff1d", "_npi_einsum",
    "_reduce_like",
}  # fmt: skip

#: Gradients are called through the operators that they belong to.
NAMES = [op.name for op in all_operators() if op.name not in MADE_BY_PASSES and not op.name.startswith("_backward_")]


def without_elements(name: str) -> Iterator[Sample]:
    """Iterate over the samples of an operator without the elements of their first or second axis."""
    for sample in samples_of(get_operator(name)):
        for axis in (0, 1):
            sizes = [a.shape[axis] for a in sample.arrays if a is not None and a.ndim > axis]
            if sizes:
                arrays = tuple(
                    numpy.take(a, [], axis=axis) if a is not None and a.ndim > axis and a.shape[axis] == sizes[0] else a
                    for a in sample.arrays
                )
                yield sample._replace(arrays=arrays)


def run(sample: Sample) -> None:
    """Call an operator as its kernel is called, and then as arrays are, with its gradient."""
    run_kernel(sample.op, numpy, sample.arrays, sample.params, sample.training, numpy.random.default_rng(0))
    arrays = [None if a is None else nd.array(a, dtype=a.dtype) for a in sample.arrays]
    for array in arrays:
        if array is not None and array.dtype in (numpy.float32, numpy.float64):
            array.attach_grad()
    with autograd.record(train_mode=sample.training):
        result = invoke(sample.op, arrays, sample.params, nd.NDArray, ctx=mx.cpu())
    heads = result if isinstance(result, list) else [result]
    if sample.op.differentiable and any(a is not None and a.grad is not None for a in arrays):
        autograd.backward([head for head in heads if head.dtype in (numpy.float32, numpy.float64)])


@pytest.mark.parametrize("name", NAMES)
def test_an_operator_thinks_of_axes_without_elements(name: str) -> None:
    for sample in without_elements(name):
        with mx.util.np_shape(True), numpy.errstate(all="ignore"):
            try:
                run(sample)
            except Exception as error:
                assert name in TO_THE_POINT or not UNTHOUGHT.search(str(error)), (sample, error)


class Normalized(gluon.HybridBlock):
    """All that has to know how many elements there are; but for BatchNorm: a mean of none is no number, as in MXNet."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.layers = nn.HybridSequential()
            self.layers.add(nn.Conv2D(4, 3, padding=1), nn.GroupNorm(2), nn.InstanceNorm())
            self.layers.add(nn.Conv2DTranspose(2, 2), nn.LayerNorm(), nn.MaxPool2D(2))
            self.recurrent = [rnn.LSTM(3), rnn.GRU(3), rnn.RNN(3, bidirectional=True)]
            for layer in self.recurrent:
                self.register_child(layer)
            self.out = nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.Reshape(self.layers(x), shape=(0, 2, -1))
        y = F.SwapAxis(y, dim1=0, dim2=1)
        for layer in self.recurrent:
            y = layer(y)
        y = F.SequenceReverse(y)
        return F.log_softmax(self.out(F.SwapAxis(y, dim1=0, dim2=1)))


@pytest.mark.parametrize("settings", [{"active": False}, {}, {"static_alloc": True}, {"backend": "c"}], ids=str)
def test_a_net_takes_an_empty_batch_and_learns_nothing_from_it(settings: dict[str, Any]) -> None:
    net = Normalized()
    net.initialize()
    net.hybridize(**settings)
    full = nd.random.normal(shape=(2, 3, 6, 6))
    with autograd.record():
        net(full).sum().backward()
    with mx.util.np_shape(True):
        empty = nd.zeros((0, 3, 6, 6))
        empty.attach_grad()
        with autograd.record():
            y = net(empty)
        y.backward()
        assert y.shape == (0, 2) and empty.grad.shape == (0, 3, 6, 6)
        for parameter in net.collect_params().values():
            if parameter.grad_req != "null":
                assert not parameter.grad().asnumpy().any(), parameter


def test_nothing_can_be_picked_where_nothing_is() -> None:
    npx.set_np()
    try:
        assert npx.pick(np.zeros((0, 4)), np.zeros((0,))).shape == (0,)
        with pytest.raises(mx.MXNetError, match="cannot take elements along an axis of size 0"):
            npx.pick(np.zeros((3, 0)), np.zeros((3,)))
    finally:
        npx.reset_np()
