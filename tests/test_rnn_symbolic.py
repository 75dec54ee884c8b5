"""Recurrent cells on symbols: their names, their parameters in both forms, sentences in buckets."""

from __future__ import annotations

import random

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import rnn

RANDOM = numpy.random.RandomState(5)

CELLS = {
    "rnn": (lambda: rnn.RNNCell(4, prefix="a_"), 2),
    "lstm": (lambda: rnn.LSTMCell(4, prefix="a_"), 2),
    "gru": (lambda: rnn.GRUCell(4, prefix="a_"), 2),
    "residual": (lambda: rnn.ResidualCell(rnn.GRUCell(3, prefix="a_")), 2),
    "zoneout": (lambda: rnn.ZoneoutCell(rnn.LSTMCell(4, prefix="a_"), 0.3, 0.2), 2),
    "both ways": (lambda: rnn.BidirectionalCell(rnn.GRUCell(4, prefix="l_"), rnn.RNNCell(4, prefix="r_")), 2),
}


def stack():
    cell = rnn.SequentialRNNCell()
    cell.add(rnn.LSTMCell(4, prefix="a_"))
    cell.add(rnn.DropoutCell(0.5))
    cell.add(rnn.BidirectionalCell(rnn.GRUCell(2, prefix="l_"), rnn.GRUCell(2, prefix="r_")))
    return cell


CELLS["a stack"] = (stack, 2)


def run(symbol, values, **shapes):
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    for name, array in executor.arg_dict.items():
        if name in values:
            array[:] = values[name]
    return [output.asnumpy() for output in executor.forward()]


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("merge", [True, False])
def test_cells_give_outputs_of_every_step(name, merge):
    make, batch = CELLS[name]
    outputs, _ = make().unroll(5, mx.sym.var("data"), merge_outputs=merge)
    symbol = outputs if merge else mx.sym.Group(outputs)
    found = run(symbol, {}, data=(batch, 5, 3))
    assert [f.shape[:2] for f in found] == ([(batch, 5)] if merge else [(batch, found[0].shape[1])] * 5)


@pytest.mark.parametrize("name", [n for n in CELLS if n != "zoneout"])
def test_merged_outputs_are_those_of_the_steps(name):
    make, _ = CELLS[name]
    results = []
    for merge in (True, False):
        outputs, _ = make().unroll(4, mx.sym.var("data"), merge_outputs=merge)
        symbol = outputs if merge else mx.sym.Group(outputs)
        names = symbol.infer_shape(data=(2, 4, 3))[0]
        values = {
            n: numpy.random.RandomState(len(n)).randn(*s) for n, s in zip(symbol.list_arguments(), names, strict=True)
        }
        results.append(run(symbol, values, data=(2, 4, 3)))
    numpy.testing.assert_allclose(results[0][0], numpy.stack(results[1], axis=1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 3])
def test_a_fused_cell_and_its_single_cells_give_the_same(mode, bidirectional, layers):
    fused = rnn.FusedRNNCell(4, layers, mode, bidirectional, prefix="f_")
    single = fused.unfuse()
    data = RANDOM.randn(2, 5, 3)
    with pytest.warns(UserWarning, match="NTC layout detected"):
        one = fused.unroll(5, mx.sym.var("data"), merge_outputs=True)[0]
    size = dict(zip(one.list_arguments(), one.infer_shape(data=(2, 5, 3))[0], strict=True))["f_parameters"]
    whole = {"f_parameters": mx.nd.array(RANDOM.randn(*size) * 0.5)}
    divided = fused.unpack_weights(whole)
    packed = single.pack_weights(divided)
    many = single.unroll(5, mx.sym.var("data"), merge_outputs=True)[0]
    assert set(packed) == set(many.list_arguments()) - {"data"} - {n for n in many.list_arguments() if "begin" in n}
    found = run(many, {**packed, "data": data}, data=(2, 5, 3))[0]
    expected = run(one, {**whole, "data": data}, data=(2, 5, 3))[0]
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    again = fused.pack_weights(single.unpack_weights(packed))["f_parameters"]
    numpy.testing.assert_array_equal(again.asnumpy(), whole["f_parameters"].asnumpy())


@pytest.mark.parametrize("kind", ["ConvRNNCell", "ConvLSTMCell", "ConvGRUCell"])
def test_cells_on_images_keep_their_size(kind):
    cell = getattr(rnn, kind)((1, 3, 6, 8), num_hidden=2)
    outputs, states = cell.unroll(3, mx.sym.var("data"), merge_outputs=True)
    assert outputs.infer_shape(data=(2, 3, 3, 6, 8))[1] == [(2, 3, 2, 6, 8)]
    assert cell.state_shape == [(0, 2, 6, 8)] * len(states)
    assert cell._prefix == f"{kind[:-4]}_"


def test_checkpoints_are_divided_by_gates(tmp_path):
    cell = rnn.LSTMCell(3, prefix="a_")
    symbol = cell.unroll(2, mx.sym.var("data"), merge_outputs=True)[0]
    values = {"a_i2h_weight": mx.nd.array(RANDOM.randn(12, 2)), "a_h2h_weight": mx.nd.array(RANDOM.randn(12, 3)),
              "a_i2h_bias": mx.nd.array(RANDOM.randn(12)), "a_h2h_bias": mx.nd.array(RANDOM.randn(12))}  # fmt: skip
    rnn.do_rnn_checkpoint(cell, str(tmp_path / "net"), 2)(1, symbol, values, {})
    stored = mx.nd.load(str(tmp_path / "net-0002.params"))
    assert "arg:a_i2h_f_weight" in stored
    assert stored["arg:a_i2h_f_weight"].shape == (3, 2)
    _, loaded, _ = rnn.load_rnn_checkpoint([cell], str(tmp_path / "net"), 2)
    for name, value in values.items():
        numpy.testing.assert_array_equal(loaded[name].asnumpy(), value.asnumpy())


@pytest.mark.parametrize("layout", ["NT", "TN"])
def test_sentences_of_a_bucket_come_with_the_words_that_follow(layout):
    random.seed(0)
    numpy.random.seed(0)
    sentences = [list(range(1, n + 1)) for n in [2, 3, 5, 5, 6, 9]]
    batches = rnn.BucketSentenceIter(sentences, 2, buckets=[6, 3], invalid_label=0, layout=layout)
    assert (batches.buckets, batches.default_bucket_key) == ([3, 6], 6)
    assert batches.provide_data[0].shape == ((2, 6) if layout == "NT" else (6, 2))
    seen = list(batches)
    assert sorted(b.bucket_key for b in seen) == [3, 6]
    for batch in seen:
        data, label = (x.asnumpy() if layout == "NT" else x.asnumpy().T for x in (batch.data[0], batch.label[0]))
        numpy.testing.assert_array_equal(label[:, :-1], data[:, 1:])
        assert (label[:, -1] == 0).all()
    batches.reset()
    assert len(list(batches)) == 2


def test_words_get_numbers():
    coded, vocabulary = rnn.encode_sentences([["a", "b"], ["a", "c"]], invalid_label=0, start_label=1)
    assert coded == [[1, 2], [1, 3]]
    assert rnn.encode_sentences([["b"]], vocab=vocabulary)[0] == [[2]]
    with pytest.raises(AssertionError, match="Unknown token z"):
        rnn.encode_sentences([["z"]], vocab=vocabulary)
    assert rnn.encode_sentences([["z", "b"]], vocab=dict(vocabulary), unknown_token="c")[0] == [[3, 2]]


MISTAKES = {
    "stepping a fused cell": (lambda: rnn.FusedRNNCell(2)(None, None), NotImplementedError, "cannot be stepped"),
    "a mode that is none": (lambda: rnn.FusedRNNCell(2, mode="tanh"), ValueError, "mode must be one of rnn_relu"),
    "zoneout of a fused cell": (lambda: rnn.ZoneoutCell(rnn.FusedRNNCell(2)), AssertionError, "Please unfuse first"),
    "a cell inside of another": (
        lambda: [c := rnn.RNNCell(2), rnn.ResidualCell(c), c.begin_state()], AssertionError, "After applying modifier"
    ),
    "dropout that is no number": (lambda: rnn.DropoutCell("half"), AssertionError, "must be a number"),
    "fewer inputs than steps": (
        lambda: rnn.RNNCell(2).unroll(3, [mx.sym.var("a")]), AssertionError, "inputs has 1 step, but length is 3"
    ),
    "no inputs": (lambda: rnn.RNNCell(2).unroll(3, None), AssertionError, "inputs=None"),
    "a layout that is none": (
        lambda: rnn.BucketSentenceIter([[1]], 1, layout="TC"), ValueError, "Invalid layout TC: Must by NT"
    ),
    "no sentence fits": (lambda: rnn.BucketSentenceIter([[1, 2]], 1, buckets=[1]), ValueError, "no sentence fits"),
    "a parameter that is missing": (lambda: rnn.LSTMCell(2).unpack_weights({}), KeyError, "lstm_i2h_weight"),
    "parameters of another size": (
        lambda: rnn.FusedRNNCell(2, prefix="f_").unpack_weights({"f_parameters": mx.nd.ones(9)}), AssertionError,
        "Invalid parameters size",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    make, kind, message = MISTAKES[name]
    with pytest.raises(kind, match=message):
        make()
