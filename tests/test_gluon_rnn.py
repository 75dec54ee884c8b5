"""Recurrent cells and layers: unrolling, states, names, and what the recorded cases do not cover."""

import json

import numpy
import pytest
from exact_messages import raises

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, init, nd, sym
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.name import NameManager

CELLS = {
    "rnn": lambda: rnn.RNNCell(3),
    "lstm": lambda: rnn.LSTMCell(3),
    "gru": lambda: rnn.GRUCell(3),
}
LAYERS = {"rnn": rnn.RNN, "lstm": rnn.LSTM, "gru": rnn.GRU}


def random(*shape):
    return nd.array(numpy.random.default_rng(0).normal(size=shape))


def ready(block):
    block.initialize(init.Uniform(0.5))
    return block


def assert_close(a, b, rtol=1e-4, atol=1e-6):
    numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=rtol, atol=atol)


# Layers and cells compute the same --------------------------------------------------------------------


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("num_layers", [1, 2])
@pytest.mark.parametrize("mode", LAYERS)
def test_a_layer_equals_its_cells(mode, num_layers, bidirectional):
    extra = {"activation": "tanh"} if mode == "rnn" else {}
    layer = ready(LAYERS[mode](3, num_layers, bidirectional=bidirectional, **extra))
    x = random(5, 2, 4)
    start = [random(*info["shape"]) for info in layer.state_info(2)]
    outputs, states = layer(x, start)
    cells = layer._unfuse()
    cell_states = [s[i] for i in range(num_layers * (2 if bidirectional else 1)) for s in start]
    cell_outputs, cell_states = cells.unroll(5, x, cell_states, layout="TNC", merge_outputs=True)
    assert_close(outputs, cell_outputs)
    per_state = len(start)
    for i, state in enumerate(states):
        assert_close(state, nd.stack(*cell_states[i::per_state], axis=0))


def test_structural_names_are_those_of_the_cells():
    for layer in (rnn.GRU(2, 2, bidirectional=True), rnn.LSTM(2, 3)):
        names = layer._collect_params_with_prefix("net")
        cells = layer._unfuse()._collect_params_with_prefix("net._unfused")
        assert {n: p.name for n, p in names.items()} == {n: p.name for n, p in cells.items()}


def test_files_of_a_layer(tmp_path):
    path = str(tmp_path / "net.params")
    net = nn.HybridSequential()
    net.add(rnn.LSTM(3, 2), nn.Dense(2, flatten=False))
    ready(net)
    x = random(4, 2, 5)
    expected = net(x)
    net.save_parameters(path)
    assert "0._unfused.1.h2h_bias" in nd.load(path)
    other = nn.HybridSequential()
    other.add(rnn.LSTM(3, 2), nn.Dense(2, flatten=False))
    other.load_parameters(path)
    assert_close(other(x), expected)


# Layers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("mode", LAYERS)
def test_layer_with_and_without_states(mode, hybrid):
    layer = ready(LAYERS[mode](3, layout="NTC"))
    layer.hybridize(hybrid)
    x = random(2, 5, 4)
    for _ in range(2):
        alone = layer(x)
        outputs, states = layer(x, layer.begin_state(2))
        assert alone.shape == outputs.shape == (2, 5, 3)
        assert_close(alone, outputs)
        assert isinstance(states, list) and len(states) == (2 if mode == "lstm" else 1)
        assert_close(states[0][0], outputs[:, -1])
    if mode != "lstm":
        outputs, states = layer(x, nd.ones((1, 2, 3)))
        assert not (outputs.asnumpy() == alone.asnumpy()).all()


def test_layer_inside_a_network_hybridized_first():
    """Shapes of weights and of the first states follow from the data."""
    net = nn.HybridSequential()
    net.add(rnn.LSTM(3, 2, bidirectional=True), nn.Dense(2, flatten=False))
    ready(net)
    net.hybridize()
    x = random(5, 2, 4)
    first = net(x)
    assert first.shape == (5, 2, 2) and net[0].l0_i2h_weight.shape == (12, 4)
    assert net(random(6, 3, 4)).shape == (6, 3, 2)
    net.hybridize(False)
    assert_close(net(x), first)


@pytest.mark.parametrize("mode", LAYERS)
def test_layer_gradients(mode):
    grads = []
    for hybrid in (False, True):
        layer = LAYERS[mode](3, prefix="r_")
        layer.initialize(init.One())
        layer.hybridize(hybrid)
        x = random(3, 2, 4) * 0.1
        x.attach_grad()
        with autograd.record():
            loss = (layer(x) ** 2).sum()
        loss.backward()
        grads.append([x.grad] + [p.grad() for p in layer.collect_params().values()])
    for a, b in zip(*grads, strict=True):
        assert_close(a, b)
        assert a.asnumpy().any()


def test_begin_state():
    layer = rnn.LSTM(3, 2)
    states = layer.begin_state(4, ctx=mx.cpu(1), dtype="float16")
    assert [s.shape for s in states] == [(2, 4, 3)] * 2
    assert states[0].context == mx.cpu(1) and states[0].dtype is numpy.float16
    assert layer.begin_state(1, func=nd.ones)[0].asnumpy().min() == 1
    assert [s.name for s in layer.begin_state(func=sym.var)] == [f"{layer.prefix}h0_0", f"{layer.prefix}h0_1"]
    layer.cast("float16")
    assert layer.begin_state(1)[0].dtype is numpy.float16
    assert rnn.GRU(3).state_info(2) == [{"shape": (1, 2, 3), "__layout__": "LNC", "dtype": "float32"}]


def test_projection():
    layer = ready(rnn.LSTM(3, projection_size=2, input_size=4))
    assert repr(layer) == "LSTM(4 -> 3, TNC)"
    outputs, states = layer(random(5, 2, 4), layer.begin_state(2))
    assert outputs.shape == (5, 2, 2) and [s.shape for s in states] == [(1, 2, 2), (1, 2, 3)]
    with raises(AssertionError, "_unfuse does not support projection layer yet!"):
        layer._unfuse()


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize(("layer", "wanted"), [(rnn.RNN, 1), (rnn.GRU, 1), (rnn.LSTM, 2)])
def test_states_of_another_number_are_refused(layer, wanted, hybridize):
    net = ready(layer(3, input_size=4))
    if hybridize:
        net.hybridize()
    x, state = nd.ones((2, 1, 4)), nd.zeros((1, 1, 3))
    for given in range(4):
        if given == wanted:
            assert len(net(x, [state] * given)[1]) == wanted
            continue
        with pytest.raises(mx.MXNetError, match=rf"Operator RNN expects {wanted + 2} inputs, but got {given + 2} inst"):
            net(x, [state] * given)


def test_sequence_length():
    layer = ready(rnn.GRU(3, use_sequence_length=True))
    x = random(5, 2, 4)
    outputs, states = layer(x, layer.begin_state(2), nd.array([2, 5]))
    assert_close(states[0][0, 0], outputs[1, 0])
    assert_close(states[0][0, 1], outputs[4, 1])


def test_layer_messages():
    with raises(AssertionError, "Invalid layout NTX; must be one of ['TNC' or 'NTC']"):
        rnn.LSTM(2, layout="NTX")
    with pytest.raises(KeyError, match="rnn_foo"):
        rnn.RNN(2, activation="foo")
    layer = ready(rnn.RNN(3, input_size=5))
    with raises(ValueError, "Invalid recurrent state shape. Expecting (1, 2, 3), got (1, 3, 3)."):
        layer(random(4, 2, 5), nd.zeros((1, 3, 3)))


# Cells ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("mode", CELLS)
def test_unroll(mode, hybrid):
    cell = ready(CELLS[mode]())
    cell.hybridize(hybrid)
    x = random(2, 5, 4)
    states = cell.begin_state(2)
    steps = []
    for i in range(5):
        output, states = cell(x[:, i], states)
        steps.append(output)
    listed, last = cell.unroll(5, x)
    merged, merged_last = cell.unroll(5, x, merge_outputs=True)
    assert isinstance(listed, list) and merged.shape == (2, 5, 3)
    for a, b in zip(steps, listed, strict=True):
        assert_close(a, b)
    assert_close(merged, nd.stack(*steps, axis=1))
    for a, b, c in zip(states, last, merged_last, strict=True):
        assert_close(a, b)
        assert_close(a, c)
    from_list, _ = cell.unroll(5, [x[:, i] for i in range(5)], layout="TNC", merge_outputs=True)
    assert_close(from_list, nd.stack(*steps, axis=0))
    one, _ = cell.unroll(1, x[:, :1])
    assert_close(one[0], steps[0])


@pytest.mark.parametrize("merge", [None, True, False])
@pytest.mark.parametrize("make", [*CELLS.values(), lambda: rnn.ResidualCell(rnn.GRUCell(4))])
def test_valid_length(make, merge):
    cell = ready(make())
    x, lengths = random(3, 4, 4), nd.array([1, 4, 2])
    outputs, states = cell.unroll(4, x, valid_length=lengths, merge_outputs=merge)
    if merge is False:
        outputs = nd.stack(*outputs, axis=1)
    full, _ = cell.unroll(4, x, merge_outputs=True)
    for row, length in enumerate((1, 4, 2)):
        assert_close(outputs[row, :length], full[row, :length])
        assert not outputs[row, length:].asnumpy().any() if length < 4 else True
        _, part_states = cell.unroll(length, x[row : row + 1, :length])
        for a, b in zip(states, part_states, strict=True):
            assert_close(a[row : row + 1], b)


def test_bidirectional():
    forward, backward = rnn.RNNCell(3), rnn.LSTMCell(2)
    cell = ready(rnn.BidirectionalCell(forward, backward))
    x = random(2, 4, 5)
    outputs, states = cell.unroll(4, x, merge_outputs=True)
    assert outputs.shape == (2, 4, 5) and len(states) == 3
    ahead, _ = forward.unroll(4, x, merge_outputs=True)
    behind, _ = backward.unroll(4, x[:, ::-1], merge_outputs=True)
    assert_close(outputs, nd.concat(ahead, behind[:, ::-1], dim=2))
    with raises(NotImplementedError, "Bidirectional cannot be stepped. Please use unroll"):
        cell(x[:, 0], cell.begin_state(batch_size=2))
    masked, _ = cell.unroll(4, x, valid_length=nd.array([2, 4]), merge_outputs=True)
    assert_close(masked[1], outputs[1])
    part, _ = cell.unroll(2, x[:1, :2], merge_outputs=True)
    assert_close(masked[0, :2], part[0])


def test_rows_of_cells():
    for make in (rnn.SequentialRNNCell, rnn.HybridSequentialRNNCell):
        row = make()
        row.add(rnn.LSTMCell(3))
        row.add(rnn.DropoutCell(0.3))
        row.add(rnn.GRUCell(2))
        ready(row)
        x = random(2, 4, 5)
        assert len(row) == 3 and isinstance(row[1], rnn.DropoutCell)
        assert [i["shape"] for i in row.state_info(2)] == [(2, 3), (2, 3), (2, 2)]
        outputs, states = row.unroll(4, x)
        stepped = row.begin_state(batch_size=2)
        for i in range(4):
            output, stepped = row(x[:, i], stepped)
        assert_close(output, outputs[-1])
        assert len(states) == len(stepped) == 3
    row.hybridize()
    assert_close(row(x[:, 0], row.begin_state(batch_size=2))[0], outputs[0])
    row = rnn.SequentialRNNCell()
    row.add(rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2)))
    with pytest.raises(AssertionError, match=r"call unroll\(\)"):
        row(x[:, 0], [None, None])


def test_modifiers():
    base = rnn.RNNCell(4)
    cell = ready(rnn.ResidualCell(base))
    x = random(2, 3, 4)
    plain = rnn.RNNCell(4, params=base.params)
    expected, _ = plain.unroll(3, x, merge_outputs=True)
    got, _ = cell.unroll(3, x, merge_outputs=True)
    assert_close(got, expected + x)
    assert cell.params is base.params and cell.base_cell is base
    message = (
        "After applying modifier cells (e.g. ZoneoutCell) the base cell cannot be called directly. Call the "
        "modifier cell instead."
    )
    with raises(AssertionError, message):
        base.begin_state(1)
    with pytest.raises(AssertionError, match="doesn't support zoneout since it doesn't support step"):
        rnn.ZoneoutCell(rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2)))
    with raises(AssertionError, "rate must be a number"):
        rnn.DropoutCell("a")


def test_zoneout():
    base = rnn.RNNCell(50)
    cell = ready(rnn.ZoneoutCell(base, 0.5, 0.5))
    x = random(2, 1, 4)
    plain, _ = rnn.RNNCell(50, params=base.params).unroll(1, x)
    outputs, states = cell.unroll(1, x)
    assert_close(outputs[0], plain[0])
    with autograd.train_mode():
        outputs, states = cell.unroll(1, x)
    kept = outputs[0].asnumpy() == 0
    assert 20 < kept.sum() < 80, "about half of the old output, zero, is kept"
    assert (outputs[0].asnumpy()[~kept] == plain[0].asnumpy()[~kept]).all()
    assert 20 < (states[0].asnumpy() == 0).sum() < 80


def test_dropout_cell():
    cell = rnn.DropoutCell(0.5)
    x = nd.ones((2, 30, 4))
    assert cell.unroll(30, x)[0].shape == (2, 30, 4)
    assert len(cell.unroll(30, x, merge_outputs=False)[0]) == 30
    with autograd.train_mode():
        assert set(cell.unroll(30, x)[0].asnumpy().ravel()) == {0, 2}


def test_activations():
    x = random(1, 2)
    for activation in ("relu", "sigmoid", "softrelu", nn.LeakyReLU(0.1), nn.ELU()):
        cell = ready(rnn.RNNCell(2, activation))
        assert cell.unroll(2, x.reshape((1, 1, 2)).tile((1, 2, 1)))[0][0].shape == (1, 2)
    layer = rnn.LSTMCell(2, activation="relu", recurrent_activation="tanh")
    ready(layer)
    assert layer(x, layer.begin_state(1))[0].shape == (1, 2)


def test_wrong_lengths():
    cell = rnn.RNNCell(2)
    with pytest.raises(AssertionError, match="the sequence has 2 steps, but length is 3"):
        cell.unroll(3, [nd.ones((1, 2))] * 2)
    with pytest.raises(AssertionError, match="the sequence has 3 steps, but length is 2"):
        cell.unroll(2, nd.ones((1, 3, 2)))


# Graphs -----------------------------------------------------------------------------------------------


def test_graph_of_a_layer():
    graph = json.loads(rnn.GRU(2, prefix="g_")(sym.var("x")).tojson())
    nodes = {n["name"]: n for n in graph["nodes"]}
    assert nodes["g_h0_0"]["attrs"] == {"__layout__": "LNC", "dtype": "float32", "shape": "(1, 0, 2)"}
    assert nodes["g_reshape0"]["attrs"] == {"shape": "-1"}
    assert nodes["g__rnn_param_concat0"]["attrs"] == {"dim": "0", "num_args": "4"}
    assert nodes["g_rnn0"]["attrs"] == {
        "bidirectional": "False", "lstm_state_clip_max": "None", "lstm_state_clip_min": "None",
        "lstm_state_clip_nan": "False", "mode": "gru", "num_layers": "1", "p": "0", "projection_size": "None",
        "state_outputs": "True", "state_size": "2", "use_sequence_length": "False",
    }  # fmt: skip


def test_graph_of_an_unrolled_cell():
    cell = rnn.RNNCell(2, prefix="c_")
    with NameManager():
        outputs, states = cell.unroll(2, sym.var("x"))
    assert [o.name for o in outputs] == ["c_t0_out", "c_t1_out"] and states[0].name == "c_t1_out"
    names = sym.Group(outputs).get_internals().list_outputs()
    assert names[1:] == [
        "split0_output0", "split0_output1", "c_i2h_weight", "c_i2h_bias", "c_t0_i2h_output",
        "c_begin_state_0_output", "c_h2h_weight", "c_h2h_bias", "c_t0_h2h_output", "c_t0_plus0_output",
        "c_t0_out_output", "c_t1_i2h_output", "c_t1_h2h_output", "c_t1_plus0_output", "c_t1_out_output",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", LAYERS)
def test_layers_with_numpy_arrays(mode):
    with mx.util.np_shape(), mx.util.np_array():
        layer = ready(LAYERS[mode](3))
        x = mx.np.ones((5, 2, 4))
        for _ in range(2):
            outputs, states = layer(x, layer.begin_state(2))
            assert type(outputs) is type(states[0]) is type(x)
            assert layer(x).shape == (5, 2, 3)
            layer.hybridize()


def test_language_model_learns():
    """A small LSTM learns to say which element came two steps before."""
    rng = numpy.random.default_rng(0)
    x = rng.integers(0, 4, size=(8, 32))
    inputs, labels = nd.array(x), nd.array(numpy.vstack([numpy.zeros((2, 32)), x[:-2]]))
    net = nn.HybridSequential()
    net.add(nn.Embedding(4, 8), rnn.LSTM(24), nn.Dense(4, flatten=False))
    mx.random.seed(1)
    net.initialize(init.Xavier())
    net.hybridize()
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.03})
    losses = []
    for _ in range(60):
        with autograd.record():
            loss = loss_function(net(inputs)[2:], labels[2:]).mean()
        loss.backward()
        trainer.step(1)
        losses.append(loss.asscalar())
    assert losses[0] > 1.2 and losses[-1] < 0.3


# Unrolled inside a hybridized block ---------------------------------------------------------------------


class Unrolled(gluon.HybridBlock):
    """A cell that runs over three steps, from states of its own."""

    def __init__(self, make, merge=True, **kwargs):
        super().__init__(**kwargs)
        self.merge = merge
        with self.name_scope():
            self.cell = make()

    def hybrid_forward(self, F, x):
        outputs, states = self.cell.unroll(3, x, merge_outputs=self.merge)
        return [outputs, *states] if self.merge else [*outputs, *states]


def row_of_cells():
    row = rnn.HybridSequentialRNNCell()
    with row.name_scope():
        row.add(rnn.LSTMCell(4))
        row.add(rnn.RNNCell(3))
    return row


UNROLLED = {
    "rnn": lambda: rnn.RNNCell(4),
    "lstm": lambda: rnn.LSTMCell(4),
    "gru": lambda: rnn.GRUCell(4),
    "residual": lambda: rnn.ResidualCell(rnn.RNNCell(5)),
    "zoneout": lambda: rnn.ZoneoutCell(rnn.LSTMCell(4), 0.5, 0.5),
    "row": row_of_cells,
    "bidirectional": lambda: rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.GRUCell(3)),
}


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("make", UNROLLED.values(), ids=UNROLLED)
def test_cells_unrolled_inside_a_hybridized_block_find_the_size_of_the_batch(make, merge):
    net = Unrolled(make, merge)
    net.initialize(init.Xavier())
    net.hybridize()
    for batch in (2, 4):  # the hybridized call comes first: it finds the shapes of parameters, too
        x = nd.random.normal(shape=(batch, 3, 5))
        x.attach_grad()
        found = []
        for active in (True, False):
            net.hybridize(active)
            with autograd.record(train_mode=False):
                results = net(x)
                total = sum((r * r).sum() for r in results)
            total.backward()
            found.append([r.asnumpy() for r in results] + [x.grad.asnumpy()])
        for hybrid, eager in zip(*found, strict=True):
            numpy.testing.assert_allclose(hybrid, eager, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float16"])
@pytest.mark.parametrize("make", UNROLLED.values(), ids=UNROLLED)
def test_cells_unrolled_in_another_type_are_the_same_hybridized(make, dtype):
    net = Unrolled(make)
    net.initialize(init.Xavier())
    net.cast(dtype)
    x = nd.random.normal(shape=(2, 3, 5)).astype(dtype)
    eager = net(x)
    net.hybridize()
    for hybrid, expected in zip(net(x), eager, strict=True):
        assert hybrid.dtype == expected.dtype == numpy.dtype(dtype)
        numpy.testing.assert_allclose(hybrid.asnumpy(), expected.asnumpy(), rtol=1e-2 if dtype == "float16" else 1e-12)


SETTINGS = [
    (rnn.LSTM, {}), (rnn.LSTM, {"projection_size": 3}), (rnn.GRU, {}), (rnn.RNN, {}), (rnn.RNN, {"activation": "tanh"}),
]  # fmt: skip


@pytest.mark.parametrize("given_state", [False, True], ids=["zeros", "states"])
@pytest.mark.parametrize("more", [{}, {"num_layers": 2, "bidirectional": True, "dropout": 0.4}], ids=["one", "deep"])
@pytest.mark.parametrize(("layer", "settings"), SETTINGS)
def test_a_hybridized_layer_runs_forward_once_and_has_the_same_gradients(layer, settings, more, given_state):
    net = layer(5, input_size=4, **settings, **more)
    net.initialize()
    x = nd.random.normal(shape=(6, 3, 4))
    states = [nd.random.normal(shape=s.shape) for s in net.begin_state(3)] if given_state else []

    def step():
        seen = [x, *states]
        for array in seen:
            array.attach_grad()
        mx.random.seed(5)
        with autograd.record():
            out = net(x, states) if states else net(x)
            outputs = [out[0], *out[1]] if states else [out]
            loss = sum((o * o).sum() for o in outputs)
        loss.backward()
        return [a.asnumpy() for a in (*outputs, *(a.grad for a in seen), *(p.grad() for p in params))]

    params = list(net.collect_params().values())
    expected = step()
    net.hybridize()
    for a, b in zip(step(), expected, strict=True):
        numpy.testing.assert_array_equal(a, b)
    operators = [node.op.name for node in net.programs[-1].graph.nodes if node.op is not None]
    assert "_RNN_keeping" in operators and "_backward_RNN" not in operators


def test_a_layer_that_is_used_twice_keeps_each_of_its_runs():
    class Twice(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.layer = rnn.GRU(3, input_size=3, dropout=0.3, num_layers=2)

        def hybrid_forward(self, F, x):
            return self.layer(self.layer(x)) + self.layer(x)

    net = Twice()
    net.initialize()
    x = nd.random.normal(shape=(4, 2, 3))
    x.attach_grad()
    found = []
    for _ in range(2):
        mx.random.seed(7)
        with autograd.record():
            y = net(x)
        y.backward()
        found.append([y.asnumpy(), x.grad.asnumpy(), *(p.grad().asnumpy() for p in net.collect_params().values())])
        net.hybridize()
    for a, b in zip(*found, strict=True):
        numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
