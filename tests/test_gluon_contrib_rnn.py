"""Cells of gluon.contrib: convolutions, a projection, one dropout mask for a sequence."""

from __future__ import annotations

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid.gluon.contrib import rnn

SIZES = {1: (9,), 2: (6, 8), 3: (3, 4, 5)}


@pytest.mark.parametrize(("dims", "last"), [(1, False), (2, False), (2, True), (3, False), (3, True)])
@pytest.mark.parametrize(("kind", "states"), [("RNN", 1), ("LSTM", 2), ("GRU", 1)])
def test_cells_on_images_are_the_same_hybridized(dims, last, kind, states):
    layout = {2: "NHWC", 3: "NDHWC"}[dims] if last else {1: "NCW", 2: "NCHW", 3: "NCDHW"}[dims]
    shape = (*SIZES[dims], 2) if last else (2, *SIZES[dims])
    cell = getattr(rnn, f"Conv{dims}D{kind}Cell")(shape, 3, 3, 3, i2h_pad=1, conv_layout=layout)
    cell.initialize(mx.init.Normal(0.3))
    assert len(cell.state_info(4)) == states
    x = mx.nd.random.normal(shape=(4, 2, *shape))
    eager, _ = cell.unroll(2, x, layout="NTC", merge_outputs=True)
    cell.hybridize()
    hybrid, last_states = cell.unroll(2, x, layout="NTC", merge_outputs=True)
    numpy.testing.assert_allclose(hybrid.asnumpy(), eager.asnumpy(), rtol=1e-4, atol=1e-5)
    assert [s.shape for s in last_states] == [info["shape"] for info in cell.state_info(4)]


def test_an_output_is_projected():
    cell = rnn.LSTMPCell(10, 4)
    cell.initialize()
    outputs, states = cell.unroll(3, mx.nd.ones((2, 3, 5)), merge_outputs=True)
    assert outputs.shape == (2, 3, 4)
    assert [s.shape for s in states] == [(2, 4), (2, 10)]
    assert repr(cell) == "LSTMPCell(5 -> 40 -> 4)"


@pytest.mark.parametrize("states", [0.0, 0.4])
def test_the_same_elements_are_dropped_in_every_step(states):
    cell = rnn.VariationalDropoutCell(mx.gluon.rnn.RNNCell(50, activation="sigmoid"), 0.2, states, 0.5)
    cell.initialize()
    with mx.autograd.train_mode():
        outputs, _ = cell.unroll(4, mx.nd.ones((2, 4, 6)), merge_outputs=True)
    zeros = outputs.asnumpy() == 0
    assert 0.2 < zeros.mean() < 0.8
    assert (zeros == zeros[:, :1]).all()
    plain, _ = cell.unroll(4, mx.nd.ones((2, 4, 6)), merge_outputs=True)
    assert (plain.asnumpy() != 0).all()


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
@pytest.mark.parametrize("lengths", [None, [2, 4]])
def test_a_loop_gives_what_the_steps_give(layout, lengths):
    cell = mx.gluon.rnn.GRUCell(3, input_size=5)
    cell.initialize()
    x = mx.nd.random.normal(shape=(4, 2, 5) if layout == "TNC" else (2, 4, 5))
    valid = None if lengths is None else mx.nd.array(lengths)
    expected, state = cell.unroll(4, x, cell.begin_state(2), layout, True, valid)
    found, carried = rnn.rnn_cell.dynamic_unroll(
        cell, x, cell.begin_state(2), layout=layout, valid_length=None if valid is None else valid
    )
    numpy.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    numpy.testing.assert_allclose(carried[0].asnumpy(), state[0].asnumpy(), rtol=1e-5, atol=1e-6)


MISTAKES = {
    "an even kernel": (lambda: rnn.Conv2DRNNCell((1, 4, 4), 2, 3, 2), "Only support odd number, get h2h_kernel= 2"),
    "two sizes for one": (lambda: rnn.Conv1DRNNCell((1, 4), 2, (3, 3), 3), "For 1D convolution, the convolution sett"),
    "states of both ways": (
        lambda: rnn.VariationalDropoutCell(
            mx.gluon.rnn.BidirectionalCell(mx.gluon.rnn.RNNCell(2), mx.gluon.rnn.RNNCell(2)), drop_states=0.5),
        "BidirectionalCell doesn't support variational state dropout",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    make, message = MISTAKES[name]
    with pytest.raises(AssertionError, match=message):
        make()
