"""Hooks of operators: names, order and values as MXNet 1.9.1 tells them (its answers stand here as lists)."""

import copy

import numpy
import pytest
from operator_cases import samples_of

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.op_hook import hook_names
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.symbol.compose import compose


def make():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(2), nn.Dropout(0.5))
    net.initialize(mx.init.One())
    return net


class Heard(list):
    def __call__(self, name, operator, array):
        assert type(name) is bytes and type(operator) is bytes
        self.append((name.decode(), operator.decode(), array))

    @property
    def names(self):
        return [name for name, _, _ in self]


def hooked(net, monitor_all=False, **flags):
    heard = Heard()
    net.hybridize(**flags)
    net.register_op_hook(heard, monitor_all)
    return heard


FORWARD = [
    ("net_dense0_fwd_output", "FullyConnected"),
    ("net_dense0_relu_fwd_output", "Activation"),
    ("net_batchnorm0_fwd_output", "BatchNorm"),
    ("net_dense1_fwd_output", "FullyConnected"),
    ("net_dropout0_fwd_output", "Dropout"),
]
WITH_INPUTS = [
    "net_dense0_fwd_data", "net_dense0_fwd_weight", "net_dense0_fwd_bias", "net_dense0_fwd_output",
    "net_dense0_relu_fwd_input0", "net_dense0_relu_fwd_output", "net_batchnorm0_fwd_data", "net_batchnorm0_fwd_gamma",
    "net_batchnorm0_fwd_beta", "net_batchnorm0_fwd_moving_mean", "net_batchnorm0_fwd_moving_var",
    "net_batchnorm0_fwd_output", "net_dense1_fwd_data", "net_dense1_fwd_weight", "net_dense1_fwd_bias",
    "net_dense1_fwd_output", "net_dropout0_fwd_data", "net_dropout0_fwd_output",
]  # fmt: skip
BACKWARD = [
    "net_dropout0_fwd_backward_0", "net_dense1_fwd_backward_0", "net_dense1_fwd_backward_1",
    "net_dense1_fwd_backward_2", "net_batchnorm0_fwd_backward_0", "net_batchnorm0_fwd_backward_1",
    "net_batchnorm0_fwd_backward_2", "net_dense0_relu_fwd_backward_0", "net_dense0_fwd_backward_1",
    "net_dense0_fwd_backward_2",
]  # fmt: skip


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=str)
def test_outputs_are_told_in_their_order(flags):
    net = make()
    heard = hooked(net, **flags)
    y = net(nd.ones((2, 4)))
    assert [(name, operator) for name, operator, _ in heard] == FORWARD
    numpy.testing.assert_array_equal(heard[-1][2].asnumpy(), y.asnumpy())
    net(nd.ones((2, 4)))
    assert len(heard) == 2 * len(FORWARD)


def test_inputs_are_told_too():
    net = make()
    heard = hooked(net, monitor_all=True)
    net(nd.ones((2, 4)))
    assert heard.names == WITH_INPUTS


def test_the_way_back_is_told_as_it_goes():
    net = make()
    heard = hooked(net)
    with autograd.record():
        y = net(nd.ones((2, 4)))
    assert heard.names == [name for name, _ in FORWARD]
    heard.clear()
    y.backward()
    assert heard.names == BACKWARD and heard[1][1] == "_backward_FullyConnected"
    weight = net[0].weight.grad()
    numpy.testing.assert_array_equal(heard[-2][2].asnumpy(), weight.asnumpy())


def test_values_and_gradients_are_those_of_the_program():
    def outcome(hook):
        mx.random.seed(3)
        net, x = make(), nd.random.normal(shape=(5, 4))
        x.attach_grad()
        net.hybridize()
        if hook:
            net.register_op_hook(Heard())
        mx.random.seed(4)
        with autograd.record():
            y = net(x) ** 2
        y.backward()
        params = net.collect_params().values()
        return [y, x.grad, *(p.grad() for p in params if p.grad_req != "null"), *(p.data() for p in params)]

    for one, other in zip(outcome(False), outcome(True), strict=True):
        numpy.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-5)


def test_gradients_of_gradients():
    net = nn.HybridLambda(lambda F, x: x * x * x)
    heard = hooked(net)
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        first = autograd.grad(net(x), x, create_graph=True)[0]
    first.backward()
    assert first.asscalar() == 12 and x.grad.asscalar() == 12 and any("backward" in name for name in heard.names)


def test_only_hybridized_blocks_tell():
    net = make()
    heard = hooked(net)
    net.hybridize(False)
    net(nd.ones((2, 4)))
    assert not heard


@pytest.mark.filterwarnings("ignore:All children")
def test_children_of_a_block_tell_each_for_itself():
    outer = nn.Sequential(prefix="s_")
    with outer.name_scope():
        outer.add(nn.Dense(2), nn.Dense(1))
    outer.initialize()
    heard = hooked(outer)
    outer(nd.ones((2, 4)))
    assert heard.names == ["s_dense0_fwd_output", "s_dense1_fwd_output"]


def test_a_hook_can_be_changed_and_taken_away():
    net, x = make(), nd.ones((2, 4))
    net.hybridize()
    before = net(x)
    heard = Heard()
    net.register_op_hook(heard)
    net(x)
    assert len(heard) == 5
    net.register_op_hook(None)
    numpy.testing.assert_array_equal(net(x).asnumpy(), before.asnumpy())
    net(x)
    assert len(heard) == 5
    with pytest.raises(TypeError, match="must be a function of three arguments, not '"):
        net.register_op_hook("loud")


def test_a_hook_that_fails_fails_the_call():
    net = make()
    net.hybridize()

    def hook(name, operator, array):
        raise ArithmeticError(name)

    net.register_op_hook(hook)
    with pytest.raises(ArithmeticError, match="net_dense0_fwd_output"):
        net(nd.ones((2, 4)))


def test_what_a_hook_computes_is_not_recorded():
    net, seen = make(), []
    net.hybridize()
    net.register_op_hook(lambda name, operator, array: seen.append(autograd.is_recording() or array._tape is not None))
    with autograd.record():
        net(nd.ones((2, 4)))
    assert seen and not any(seen)


def test_several_results_layers_with_states_and_arrays_of_numpy():
    class Two(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            a, b = F.split(x, num_outputs=2, axis=1, name="spl")
            return F.dot(a, b, transpose_b=True) + 1, x * 2, x

    net = Two(prefix="b_")
    heard, x = hooked(net), nd.ones((2, 4))
    outputs = net(x)
    assert heard.names == ["b_spl_output0", "b_spl_output1", "b_dot0_0", "b__plusscalar0_0", "b__mulscalar0_0"]
    assert outputs[2] is not x
    lstm = gluon.rnn.LSTM(3, prefix="l_")
    lstm.initialize()
    heard = hooked(lstm, True)
    lstm(nd.ones((2, 1, 4)))
    assert heard.names[:4] == ["l_reshape0_input0", "l_reshape0_0", "l_reshape1_input0", "l_reshape1_0"]
    assert heard.names[-6:] == [
        "l__rnn_param_concat0_output", "l_rnn0_data", "l_rnn0_parameters", "l_rnn0_state", "l_rnn0_state_cell",
        "l_rnn0_output",
    ]  # fmt: skip
    with mx.util.np_array(True), mx.util.np_shape(True):
        dense = nn.Dense(2, prefix="d_")
        dense.initialize()
        heard = hooked(dense, True)
        y = dense(mx.np.ones((2, 3)))
    assert heard.names == ["d_fwd_data", "d_fwd_weight", "d_fwd_bias", "d_fwd_output"]
    assert {type(array) for *_, array in heard} == {mx.np.ndarray} and type(y) is mx.np.ndarray


def test_with_peek_copies_and_blocks_of_symbols():
    net, x = make(), nd.ones((2, 4))
    heard = hooked(net)
    with net.peek("dense0_relu_fwd") as seen:
        net(x)
    assert len(heard) == 5 and seen["dense0_relu_fwd"].shape == (2, 3)
    copy.deepcopy(net)(x)
    data = mx.sym.var("data", dtype="float32")
    block = gluon.SymbolBlock(net(data), data, params=net.collect_params())
    heard = Heard()
    block.register_op_hook(heard)
    block(x)
    assert heard.names == [name for name, _ in FORWARD]


#: What MXNet tells of one call of an operator: its inputs, then its outputs.
NAMES = {
    "Activation": "input0 output", "dot": "lhs rhs 0", "elemwise_add": "lhs rhs output", "elemwise_sub": "lhs rhs 0",
    "softmax": "data output", "log_softmax": "data 0", "Concat": "arg0 arg1 output", "stack": "arg0 arg1 0",
    "Pooling": "data output", "Embedding": "data weight 0", "sum": "input0 0", "transpose": "input0 0",
    "squeeze": "data 0", "LayerNorm": "data gamma beta output", "_np_sum": "a 0", "_npi_var": "a var",
    "_npi_multinomial": "input0 0", "_np_any": "data 0", "_npi_equal_scalar": "data 0", "make_loss": "input0 loss",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_operators(name):
    op = get_operator(name)
    sample = next(s for s in samples_of(op) if len(s.present) == len(NAMES[name].split()) - 1)
    given = [mx.sym.var(f"x{i}") for i in sample.present]
    symbol = compose(op, "op", given, sample.attributes, mx.sym.Symbol, name="op")
    inputs, outputs = hook_names(symbol._entries[0][0])
    assert [n.removeprefix("op_") for n in inputs + outputs] == NAMES[name].split()
