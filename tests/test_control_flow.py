"""Loops and branches: the same on arrays, in graphs and compiled; gradients, files, errors."""

import json

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn, rnn

X = numpy.random.default_rng(0).normal(size=(5, 3)).astype("float32")
VECTOR = numpy.array([0.5, -1.0, 2.0], "float32")


class Block(nn.HybridBlock):
    """A block of one function of F."""

    def __init__(self, function, **kwargs):
        super().__init__(**kwargs)
        self.function = function

    def hybrid_forward(self, F, *inputs):
        return self.function(F, *inputs)


class Recurrent(nn.HybridBlock):
    """A cell of Gluon as the body of a loop, with parameters and two states."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = rnn.LSTMCell(4)
            self.dense = nn.Dense(2, flatten=False)

    def hybrid_forward(self, F, x, h, c):
        outputs, states = F.contrib.foreach(self.cell, x, [h, c])
        return self.dense(outputs), *states


def flat(value):
    return [v for part in value for v in flat(part)] if isinstance(value, list | tuple) else [value]


def run(net, inputs, hybridized):
    """Return outputs, gradients of inputs and gradients of parameters."""
    net.hybridize(hybridized)
    arrays = [nd.array(x) for x in inputs]
    for array in arrays:
        array.attach_grad()
    mx.random.seed(3)
    with autograd.record():
        outputs = flat(net(*arrays))
    rng = numpy.random.default_rng(1)
    autograd.backward(outputs, [nd.array(rng.normal(size=o.shape)) for o in outputs])
    parameters = [p for p in net.collect_params().values() if p.grad_req != "null"]
    return [*outputs, *(a.grad for a in arrays), *(p.grad() for p in parameters)]


def nested(F, x, s):
    def inner(row, state):
        rows = F.contrib.foreach(lambda e, t: (e * t + F.mean(row), t + e), F.expand_dims(row, 1), F.sum(state))[0]
        return rows, F.tanh(state + row)

    return F.contrib.foreach(inner, x, s)


def growing(F, x):
    start = F.reshape(F.sum(x), (1,)) * 0 + 1

    def step(i, s):
        return F.broadcast_mul(s, i), (i + 1, F.broadcast_add(s * 1.7, F.sum(x) * 0.1))

    return F.contrib.while_loop(lambda i, s: F.sum(s) < 30, step, (start, F.abs(x)), max_iterations=20)


def branches(F, x):
    return F.contrib.cond(F.sum(x) > 0, lambda: [F.sin(x), x * 2], lambda: [x * x, F.exp(x)])


SUM = (lambda F, x, s: F.contrib.foreach(lambda d, t: (d + t, d + t), x, s), (X, VECTOR))
PROGRAMS = {
    "cumulative sum": SUM,
    "two states": (
        lambda F, x, s: F.contrib.foreach(lambda d, t: (d * t[0], [d + t[0], F.sin(t[1])]), x, [s, s * 2]),
        (X, VECTOR),
    ),
    "two arrays, the same one": (
        lambda F, x, s: F.contrib.foreach(lambda d, t: (d[0] * d[1], t + d[0]), [x, x], s), (X, VECTOR)
    ),
    "free variable": (
        lambda F, x, s: F.contrib.foreach(lambda d, t: (F.broadcast_mul(d, s), t * 0.5 + d), x, s), (X, VECTOR)
    ),
    "an input of another computation": (
        lambda F, x, s: F.contrib.foreach(lambda d, t: (d * F.exp(s) + F.relu(x).sum(axis=0), t + d), x, s),
        (X, VECTOR),
    ),
    "nested": (nested, (X, VECTOR)),
    "nested lists": (
        lambda F, x, s: F.contrib.foreach(lambda d, t: ([d, [d * t]], t + 1), x, s * 1), (X, VECTOR)
    ),
    "while": (growing, (VECTOR,)),
    "a loop that never runs": (
        lambda F, x: F.contrib.while_loop(lambda i: F.sum(i) < 0, lambda i: (i * 2, i + 1), F.abs(x), 4)[1],
        (VECTOR,),
    ),
    "then": (branches, (numpy.abs(VECTOR),)),
    "else": (branches, (-numpy.abs(VECTOR),)),
    "a branch in a loop": (
        lambda F, x, s: F.contrib.foreach(
            lambda d, t: (F.contrib.cond(F.sum(d) > 0, lambda: d * t, lambda: d + t), t + d), x, s
        ),
        (X, VECTOR),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_hybridized_as_imperative(name):
    function, inputs = PROGRAMS[name]
    net = Block(function)
    for here, there in zip(run(net, inputs, False), run(net, inputs, True), strict=True):
        numpy.testing.assert_allclose(there.asnumpy(), here.asnumpy(), rtol=2e-5, atol=1e-5)


def test_a_cell_with_parameters():
    net = Recurrent()
    net.initialize(mx.init.Xavier())
    inputs = X.reshape(5, 1, 3), numpy.zeros((1, 4), "float32"), numpy.ones((1, 4), "float32")
    run(net, inputs, False)
    first, second = run(net, inputs, False), run(net, inputs, True)
    assert len(first) == 3 + 3 + 6
    for here, there in zip(first, second, strict=True):
        numpy.testing.assert_allclose(there.asnumpy(), here.asnumpy(), rtol=2e-5, atol=1e-6)


def test_dropout_in_a_body_drops_the_same_elements_on_the_way_back():
    net = Block(lambda F, x: F.contrib.foreach(lambda d, s: (F.Dropout(d, p=0.5), s), x, F.zeros((1,)))[0])
    net.hybridize()
    x = nd.ones((20, 10))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert (y.asnumpy() == x.grad.asnumpy()).all()
    assert 50 < (y.asnumpy() == 0).sum() < 150
    rows = {tuple(row) for row in y.asnumpy()}
    assert len(rows) > 15, "every step draws anew"
    assert (net(x).asnumpy() == 1).all()


def test_rows_beyond_the_last_step_are_zero():
    outputs, last = nd.contrib.while_loop(lambda i: i < 2, lambda i: (i + 1, i + 1), nd.zeros((1,)), max_iterations=4)
    assert outputs.asnumpy().ravel().tolist() == [1, 2, 0, 0]
    assert last.asscalar() == 2


def test_a_hybridized_loop_that_never_runs_has_outputs_of_zeros():
    net = Block(lambda F, x: F.contrib.while_loop(lambda i: i < 0, lambda i: (i * 2, i + 1), x, max_iterations=3))
    net.hybridize()
    outputs, last = net(nd.ones((1,)))
    assert outputs.asnumpy().tolist() == [[0.0]] * 3
    assert last.asscalar() == 1


@pytest.mark.parametrize("hybridized", [False, True])
def test_np_arrays(hybridized):
    mx.npx.set_np()
    try:
        ones = mx.np.ones((2,))
        net = Block(lambda F, x: F.contrib.foreach(lambda d, s: (d + s, d + s), x, F.np.zeros((2,))))
        net.hybridize(hybridized)
        outputs, state = net(mx.np.arange(6).reshape(3, 2))
        assert type(outputs) is mx.np.ndarray
        assert outputs.tolist() == [[0, 1], [2, 4], [6, 9]] and state.tolist() == [6, 9]
        net = Block(lambda F, x: F.contrib.cond(F.np.sum(x) > 0, lambda: x * 2, lambda: x))
        net.hybridize(hybridized)
        assert net(ones).tolist() == [2, 2]
        net = Block(lambda F, x: F.contrib.while_loop(lambda i: i < 3, lambda i: (i, i + 1), x, max_iterations=4))
        net.hybridize(hybridized)
        outputs, last = net(mx.np.array(0.0))
        assert outputs.tolist() == [0, 1, 2, 0] and last.shape == ()
    finally:
        mx.npx.reset_np()


def test_the_body_is_called_once_while_tracing():
    calls = []

    def body(d, s):
        calls.append(d)
        return d + s, s

    sym.contrib.foreach(body, sym.var("x"), sym.var("s"))
    assert len(calls) == 1
    nd.contrib.foreach(body, nd.ones((3, 2)), nd.ones((2,)))
    assert len(calls) == 4


def test_shapes_and_types_go_through_a_body_in_both_directions():
    outputs, state = sym.contrib.foreach(
        lambda d, s: (sym.FullyConnected(d, num_hidden=4, name="fc"), s + d), sym.var("x"), sym.var("s")
    )
    both = sym.Group([outputs, state])
    shapes = dict(zip(both.list_arguments(), both.infer_shape(x=(5, 2, 3))[0], strict=True))
    assert shapes == {"x": (5, 2, 3), "s": (2, 3), "fc_weight": (4, 3), "fc_bias": (4,)}
    assert both.infer_shape(x=(5, 2, 3))[1] == [(5, 2, 4), (2, 3)]
    assert both.infer_type(x="float16")[1] == [numpy.float16, numpy.float16]


# --- files ------------------------------------------------------------------------------------------------


def everything(F, x, s):
    outputs, state = F.contrib.foreach(lambda d, t: (F.tanh(d + t), t * 0.5 + d), x, s)
    rows, (_, last) = F.contrib.while_loop(
        lambda i, v: i < 3, lambda i, v: (v, (i + 1, v * 1.5)), (F.zeros((1,)), state), max_iterations=3
    )
    return outputs, rows, F.contrib.cond(F.sum(last) > 0, lambda: last * 2, lambda: F.relu(state))


def test_an_exported_block_computes_the_same(tmp_path):
    net = Block(everything, prefix="net_")
    net.hybridize()
    inputs = nd.array(X), nd.array(VECTOR)
    expected = net(*inputs)
    net.export(str(tmp_path / "net"))
    text = (tmp_path / "net-symbol.json").read_text(encoding="utf-8")
    assert sym.load_json(text).tojson() == text
    with pytest.warns(UserWarning, match="Cannot decide type"):
        again = gluon.SymbolBlock.imports(
            str(tmp_path / "net-symbol.json"), ["data0", "data1"], str(tmp_path / "net-0000.params")
        )
    for here, there in zip(expected, again(*inputs), strict=True):
        assert (here.asnumpy() == there.asnumpy()).all()


def _file(name):
    net = Block(everything)
    graph = json.loads(sym.Group(flat(net(sym.var("x"), sym.var("s")))).tojson())
    return graph, next(node for node in graph["nodes"] if node["op"] == name)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("_foreach", "in_data_locs", "[7]"),
        ("_foreach", "in_state_locs", "[]"),
        ("_foreach", "num_outputs", "3"),
        ("_foreach", "num_out_data", "-1"),
        ("_foreach", "num_args", "2"),
        ("_while_loop", "cond_input_locs", "[9]"),
        ("_while_loop", "func_input_locs", "[0]"),
        ("_while_loop", "func_var_locs", "[0, 0]"),
        ("_cond", "then_input_locs", "[-1]"),
        ("_cond", "num_outputs", "2"),
        ("_cond", "subgraphs", None),
    ],
)
def test_a_damaged_node_is_refused(name, key, value):
    graph, node = _file(name)
    if value is None:
        node[key].pop()
    else:
        node["attrs"][key] = value
    with pytest.raises(MXNetError, match=f"of type {name}"):
        sym.load_json(json.dumps(graph))


NOT_USED = "have to be used in the loop body"


# --- errors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        ("foreach(lambda d, s: (d * 1, d * 2), x, s)", AssertionError, f"the state arrays {NOT_USED}"),
        ("foreach(lambda d, s: (s * 1, s * 2), x, s)", AssertionError, f"the data arrays {NOT_USED}"),
        (
            "foreach(lambda d, s: (d, [s, s]), x, s)", AssertionError,
            "The input and output loop_vars have different format",
        ),
        (
            "foreach(lambda d, s: (d, s), 5, s)", AssertionError,
            "foreach input must be (nested) list of Symbol, but got 5 of type <class 'int'>",
        ),
        ("while_loop(lambda i: i < 3, lambda i: (i, i), x)", ValueError, "max_iterations should be specified"),
        (
            "while_loop(lambda i, j: i < 3, lambda i, j: (i, [i, i]), [x, s], max_iterations=2)", ValueError,
            "The 2-th loop_var doesn't involve into the computation",
        ),
        (
            "while_loop(lambda i: i < 3, lambda i: (i, [i, i]), [x], max_iterations=3)", ValueError,
            "The number of loop_vars should be consistent during the loop",
        ),
        ("while_loop(lambda i: 5, lambda i: (i, i), x, 3)", ValueError, "Return of cond must be a Symbol"),
        (
            "cond(x, lambda: [x, s], lambda: [x])", ValueError,
            "Number of outputs differs between then-branch and else-branch",
        ),
    ],
)  # fmt: skip
def test_errors_on_symbols(program, kind, message):
    with pytest.raises(kind) as caught:
        eval(f"sym.contrib.{program}", {"sym": sym, "x": sym.var("x"), "s": sym.var("s")})
    assert str(caught.value) == message


def test_an_error_in_a_body_says_where():
    net = Block(lambda F, x, s: F.contrib.foreach(lambda d, t: (d + t, t), x, s), prefix="net_")
    net.hybridize()
    with pytest.raises(MXNetError, match="Error in operator net__plus0") as caught:
        net(nd.array(X), nd.ones((1,)))
    assert any("F.broadcast_add" in note for note in caught.value.__notes__)


class Normalized(nn.HybridBlock):
    """BatchNorm, Dense, a GRU, and a function that uses them."""

    def __init__(self, function, **kwargs):
        super().__init__(**kwargs)
        self.function = function
        with self.name_scope():
            self.norm = nn.BatchNorm(in_channels=3)
            self.dense = nn.Dense(3, in_units=3)
            self.gru = rnn.GRU(2, input_size=3)

    def hybrid_forward(self, F, x, s):
        return self.function(self, F, x, s)


def either(F, test, then, other):
    return F.contrib.cond(test, lambda: then, lambda: other)


#: Nets of which it follows from values, or from what is used of a loop, whether a gradient reaches a layer.
REACHED = {
    "an output of a loop that nobody uses": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: ([d * 2, t * 3], t + 1), net.norm(x), s
    )[0][1],
    "a state that nobody uses": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (d * 2, t + d), x, F.sum(net.norm(x), axis=0)
    )[0],
    "a state that is used one step later": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (t[0] * 2, [t[1] + d, t[1]]), x, [s, F.sum(net.norm(x), axis=0)]
    )[0],
    "a gradient that is stopped in the body": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (F.BlockGrad(d) + t, t * 2), net.norm(x), s
    )[0],
    "a loop in a loop": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (F.contrib.foreach(lambda e, u: ([e * d, u * 1], u + 1), x, t)[0][1], t + d), net.norm(x), s
    )[0],
    "the branch that is taken": lambda net, F, x, s: either(F, F.sum(x) < 1e9, net.norm(x), x * 2),
    "the branch that is not taken": lambda net, F, x, s: either(F, F.sum(x) > 1e9, net.norm(x) * 1, x * 2),
    "a layer in the branch that is taken": lambda net, F, x, s: F.contrib.cond(
        F.sum(x) < 1e9, lambda: net.norm(x), lambda: x * 2
    ),
    "a loop that ends at once": lambda net, F, x, s: F.contrib.while_loop(
        lambda i, y: i < -5, lambda i, y: (y * 2, [i + 1, F.broadcast_add(y, F.sum(net.norm(x), axis=0))]),
        [F.zeros((1,)), s], max_iterations=4,
    )[1][1],
    "a loop of three steps": lambda net, F, x, s: F.contrib.while_loop(
        lambda i, y: i < 3, lambda i, y: (y * 2, [i + 1, y + F.sum(net.norm(x), axis=0)]),
        [F.zeros((1,)), s], max_iterations=4,
    )[1][1],
    "a layer in a body": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (F.sum(net.norm(F.broadcast_add(x, F.expand_dims(d, 0))), axis=0) + t, t * 2), x, s
    )[0],
    "a layer called twice in a body": lambda net, F, x, s: F.contrib.while_loop(
        lambda i, y: i < 3, lambda i, y: (net.norm(net.norm(y) * 2), [i + 1, y * 1.5]),
        [F.zeros((1,)), x], max_iterations=4,
    )[0],
    "parameters of a branch": lambda net, F, x, s: either(F, F.sum(x) > 1e9, net.dense(x) * 1, net.norm(x) * 2),
    "a recurrent layer in a body": lambda net, F, x, s: F.contrib.foreach(
        lambda d, t: (net.gru(F.reshape(d, (1, 1, -1))), t + d), x, s
    )[0],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is not used by any computation")
@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}], ids=["hybrid", "static"])
@pytest.mark.parametrize("name", REACHED)
def test_updates_and_gradients_are_made_where_the_imperative_net_makes_them(name, flags):
    """Running statistics, gradients that nobody wrote, and gradients of both."""

    def trained(hybridized):
        net = Normalized(REACHED[name], prefix="net_")
        net.initialize(mx.init.Constant(0.3))
        if hybridized:
            net.hybridize(**flags)
        x, s = nd.array(X), nd.array(VECTOR)
        x.attach_grad()
        s.attach_grad()
        marked = [x.grad, s.grad, *(p.grad() for p in net.collect_params().values() if p.grad_req != "null")]
        for _ in range(2):
            with autograd.record():
                y = net(x, s)
            y.backward()
        return [y, *marked, *(p.data() for p in net.collect_params().values())]

    for got, expected in zip(trained(True), trained(False), strict=True):
        numpy.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.*is not used by any computation")
def test_a_loop_whose_gradients_are_certain_stays_a_program():
    net = Normalized(REACHED["an output of a loop that nobody uses"])
    net.initialize()
    net.hybridize()
    x, s = nd.array(X), nd.array(VECTOR)
    x.attach_grad()
    with autograd.record():
        net(x, s)
    assert [program.backward is not None for program in net.programs] == [True]


@pytest.mark.parametrize("hybridized", [False, True])
def test_rows_of_a_vector_have_one_axis_and_none_in_numpys_dialect(hybridized):
    legacy = Block(lambda F, x: F.contrib.foreach(lambda d, s: (d * 2, s + d), x, F.zeros((1,))))
    legacy.hybridize(hybridized)
    x = nd.array([1.0, 2.0, 3.0])
    x.attach_grad()
    with autograd.record():
        outputs, state = legacy(x)
    outputs.backward()
    assert outputs.asnumpy().tolist() == [[2], [4], [6]] and state.asnumpy().tolist() == [6]
    assert x.grad.asnumpy().tolist() == [2, 2, 2]
    with mx.util.np_shape(), mx.util.np_array():
        net = Block(lambda F, x: F.contrib.foreach(lambda d, s: (d * 2, s + d), x, F.np.zeros(())))
        net.hybridize(hybridized)
        outputs, state = net(mx.np.array([1.0, 2.0, 3.0]))
        assert outputs.asnumpy().tolist() == [2, 4, 6] and state.shape == ()


@pytest.mark.parametrize("name", ["foreach", "while_loop", "cond"])
def test_second_derivatives_go_through_a_hybridized_loop(name):
    functions = {
        "foreach": lambda F, x: F.contrib.foreach(lambda d, s: (d * d * s, s * d), x, F.sum(x, axis=0))[0],
        "while_loop": lambda F, x: F.contrib.while_loop(
            lambda i, y: i < 2, lambda i, y: (y * y, [i + 1, y * x]), [F.zeros((1,)), x * x], max_iterations=3
        )[0],
        "cond": lambda F, x: F.contrib.cond(F.sum(x) < 1e9, lambda: x * x * x, lambda: x),
    }

    def second(hybridized):
        net = Block(functions[name])
        net.hybridize(hybridized)
        x = nd.array(X)
        x.attach_grad()
        with autograd.record():
            (gradient,) = autograd.grad(net(x).sum(), x, create_graph=True)
            total = (gradient * gradient).sum()
        total.backward()
        return x.grad.asnumpy()

    numpy.testing.assert_allclose(second(True), second(False), rtol=1e-5)


def test_second_derivatives_of_what_a_body_draws_are_refused_by_name():
    """The imperative loop draws other numbers."""
    net = Block(lambda F, x: F.contrib.foreach(lambda d, s: (F.Dropout(d * d), s), x, F.zeros((1,)))[0])
    net.hybridize()
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        (gradient,) = autograd.grad(net(x).sum(), x, create_graph=True)
        total = (gradient * gradient).sum()
    with pytest.raises(MXNetError, match="_backward_foreach is non-differentiable"):
        total.backward()


#: Loops and branches with a result that nobody uses, whose derivative is no number.
NO_NUMBER = {
    "an output": lambda F, x: F.contrib.foreach(
        lambda d, s: (F.broadcast_mod(s, s * 0), s + d), x, F.sum(x, axis=0)
    )[1],
    "a state": lambda F, x: F.contrib.foreach(
        lambda d, s: (d * s[0], [s[0] + d, F.sqrt(s[1] * 0)]), x, [F.sum(x, axis=0), F.max(x, axis=0)]
    )[0],
    "a variable of a loop": lambda F, x: F.contrib.while_loop(
        lambda i, y, z: i < 3, lambda i, y, z: (y * 2, [i + 1, y * y, F.sqrt(z * 0)]), [F.zeros((1,)), x, x],
        max_iterations=4,
    )[0],
    "a branch": lambda F, x: F.contrib.cond(F.sum(x) < 1e9, lambda: [x * 2, F.log(x * 0)], lambda: [x, x])[0],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("name", NO_NUMBER)
def test_an_infinite_derivative_that_nobody_asks_for_stays_away(name):
    def gradient(hybridized):
        net = Block(NO_NUMBER[name])
        net.hybridize(hybridized)
        x = nd.array(X)
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
        return x.grad.asnumpy()

    expected = gradient(False)
    assert numpy.isfinite(expected).all()
    numpy.testing.assert_allclose(gradient(True), expected, rtol=1e-5)
