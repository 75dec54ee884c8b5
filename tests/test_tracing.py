"""The trace: when it runs, what it leaves behind when it fails, and what may differ between calls.

That ``hybrid_forward`` runs when MXNet runs it is in the session ``tracing`` of
``tests/transcript``, what goes wrong in a block's life in the session ``gluon``.
"""

import gc
import threading
import warnings

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.infer import same_type
from d2lhybrid.internals.core.operator import _OPERATORS, operator
from d2lhybrid.internals.core.typed_graph import typed_graph
from d2lhybrid.symbol import compose
from d2lhybrid.symbol.compose import new_source


class Counting(nn.HybridBlock):
    """Counts the runs of its hybrid_forward, and fails on request."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.failure = None
        self.runs = []
        with self.name_scope():
            self.hidden = nn.Dense(3, activation="relu")
            self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        self.runs.append(F.__name__.rpartition(".")[2])
        x = self.hidden(x)
        if self.failure is not None:
            raise self.failure
        return self.output(x)


@pytest.fixture
def net():
    net = Counting()
    net.initialize()
    return net


X = nd.array([[1.0, -2.0, 3.0, 4.0]])


# What was read before -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [
        ("smooth_l1", [{"scalar": v} for v in (0.0, -0.0, 0, False, "0", numpy.float32(0), numpy.int64(0))]),
        ("Reshape", [{"shape": v} for v in ((1, 4), [1, 4], "(1, 4)", (1.0, 4.0), (True, 4), (numpy.int32(1), 4))]),
        ("sum", [{}, {"axis": None}, {"axis": 1}, {"axis": True}, {"axis": (1,)}, {"axis": "1"}, {"keepdims": 1}]),
    ],
)
def test_attributes_that_are_equal_but_written_otherwise_are_no_less_read(operator, attributes):
    def reading(given):
        try:
            node = getattr(sym, operator)(sym.var("x"), name="y", **given)._entries[0][0]
        except mx.MXNetError as error:
            return str(error)
        return str(node.attrs), str(node.params)

    for _ in range(2):
        for given in attributes:
            now = reading(given)
            compose._readings.clear()
            assert now == reading(given), given
            for other in attributes:  # these are there when it is asked the second time
                reading(other)


def test_an_operator_may_be_given_another_rule():
    registered = dict(_OPERATORS)
    try:

        @operator("rows_of_a_notebook")
        def rows_of_a_notebook(xp, data: "Array", times: "int" = 1):  # noqa: F821
            return xp.tile(data, (times, 1))

        rows_of_a_notebook.infer_type(same_type)
        net = compose.compose(rows_of_a_notebook, "rows", [sym.var("x")], {"times": 2}, sym.Symbol)
        for factor in (3, 2):

            @rows_of_a_notebook.infer_shape
            def _(data, *, times, factor=factor):
                return [data], [None if data is None else (data[0] * factor, data[1])]

            graph = typed_graph(net, ["x"], {"x": (2, 5)}, {"x": numpy.dtype("float32")}, training=False)
            assert graph.types[graph.outputs[0]].shape == (2 * factor, 5)
    finally:
        _OPERATORS.clear()
        _OPERATORS.update(registered)


def test_who_writes_into_a_node_writes_into_no_other(net):
    first, second = (sym.FullyConnected(sym.var("x"), num_hidden=3, name="fc") for _ in range(2))
    first._set_attr(__mood__="fine")
    assert second.attr("__mood__") is None and sym.FullyConnected(sym.var("x"), num_hidden=3).attr("__mood__") is None
    assert second._entries[0][0].attrs == {"num_hidden": "3"}


# Garbage --------------------------------------------------------------------------------------------


class Looking(nn.HybridBlock):
    """Notes whether garbage is collected."""

    def hybrid_forward(self, F, x):
        self.seen = gc.isenabled()
        if self.failure is not None:
            raise self.failure
        return x + 1


@pytest.mark.parametrize("failure", [None, ValueError("no"), KeyboardInterrupt()])
@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_waits_for_a_trace_and_for_nothing_else(enabled, failure):
    net = Looking()
    net.failure = failure
    net.hybridize()
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        if failure is None:
            net(X)
        else:
            with pytest.raises(type(failure)):
                net(X)
        assert gc.isenabled() is enabled and net.seen is False
    finally:
        (gc.enable if before else gc.disable)()


# A trace that fails ---------------------------------------------------------------------------------

FAILURES = [ValueError("no"), KeyboardInterrupt(), SystemExit(1), GeneratorExit()]
each_failure = pytest.mark.parametrize("failure", FAILURES, ids=lambda f: type(f).__name__)


@each_failure
@pytest.mark.parametrize("called_before", [False, True])
def test_a_net_is_usable_after_a_failed_trace(net, failure, called_before):
    expected = net(X).asnumpy() if called_before else None
    net.hybridize()
    net.failure = failure
    for _ in range(2):
        with pytest.raises(type(failure)):
            net(X)
    net.failure = None
    compiled = net(X).asnumpy()
    assert net.runs[-1] == "symbol" and len(net.programs) == 1
    net.hybridize(False)
    numpy.testing.assert_allclose(net(X).asnumpy(), compiled, rtol=1e-6)
    if expected is not None:
        numpy.testing.assert_array_equal(net(X).asnumpy(), expected)


@each_failure
def test_unhybridized_work_goes_on_after_a_failed_trace(net, failure):
    net.hybridize()
    net.failure = failure
    with pytest.raises(type(failure)):
        net(X)
    net.failure = None
    net.hybridize(False)
    assert net(X).shape == (1, 2)
    assert net.runs == ["symbol", "ndarray"]
    # What a trace sets up is taken down: names, scopes, the memory of lines.
    assert nn.Dense(1).name.startswith("dense")
    assert sym.relu(sym.var("x")).name.startswith("relu")
    assert new_source() is None
    assert not autograd.is_recording() and mx.current_context() == mx.cpu()


@each_failure
def test_a_failed_trace_while_recording(net, failure):
    net.hybridize()
    net.failure = failure
    with pytest.raises(type(failure)), autograd.record():
        net(X)
    assert not autograd.is_recording() and not autograd.is_training()
    net.failure = None
    x = X.copy()
    x.attach_grad()
    with autograd.record():
        loss = net(x).sum()
    loss.backward()
    assert (net.output.bias.grad().asnumpy() == 1).all()


def test_a_failure_in_an_eager_call_leaves_the_context(net):
    net.initialize(ctx=mx.cpu(1), force_reinit=True)
    net.failure = ValueError("no")
    with pytest.raises(ValueError, match="no"):
        net(X.as_in_context(mx.cpu(1)))
    assert mx.current_context() == mx.cpu(0)


def test_a_failure_while_shapes_are_inferred_for_a_parameter():
    class Own(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.broken = True
            self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            if self.broken:
                raise ValueError("not yet")
            return F.FullyConnected(x, weight, num_hidden=2, no_bias=True)

    net = Own()
    net.initialize()
    with pytest.raises(ValueError, match=r"Deferred initialization failed because shape cannot be inferred\. not yet"):
        net(X)
    net.broken = False
    assert net(X).shape == (1, 2)
    assert net.weight.shape == (2, 4)


def test_a_call_that_does_not_fit_leaves_the_other_programs(net):
    net.hybridize()
    expected = net(X).asnumpy()
    with pytest.raises(mx.MXNetError, match="Shape inconsistent"):
        net(nd.ones((1, 5)))
    with pytest.raises(mx.MXNetError, match="expected float64, got float32"):
        net(X.astype("float64"))
    numpy.testing.assert_array_equal(net(X).asnumpy(), expected)
    assert net.runs == ["symbol"] and len(net.programs) == 1


def test_the_shape_error_names_the_layer_and_the_sizes(net):
    for active in (False, True):
        net.hybridize(active)
        net(X)
        with pytest.raises(mx.MXNetError) as caught:
            net(nd.ones((1, 5)))
        notes = "\n".join(caught.value.__notes__)
        assert f"Counting {net.name!r}" in notes
        assert "(1, 5)" in notes and "(3, 4)" in notes
        assert net.hidden.name in notes


def test_forgetting_super_is_explained():
    class Forgetful(nn.HybridBlock):
        def __init__(self):
            self.hidden = nn.Dense(2)

    with pytest.raises(AttributeError, match="'Forgetful' object has no attribute '_children'") as caught:
        Forgetful()
    assert "super().__init__()" in caught.value.__notes__[0]


# One trace, several programs -------------------------------------------------------------------------


def test_every_kind_of_call_has_its_program_and_none_is_traced_again(net):
    net.hybridize()
    assert net.programs == []
    net(X)
    net(nd.ones((7, 4)))
    with autograd.train_mode():
        net(X)
    with autograd.record():
        net(X)
    assert len(net.programs) == 4
    for _ in range(2):
        net(X)
        net(nd.ones((7, 4)))
    assert len(net.programs) == 4 and net.runs == ["symbol"]
    assert [p.backward is None for p in net.programs] == [True, True, True, False]
    assert "def forward(" in net.programs[0].source and "def backward(" in net.programs[3].source
    net.hybridize()
    assert net.programs == []


def test_children_keep_their_own_programs(net):
    net.hybridize()
    net(X)
    assert net.hidden.programs == []
    net.hidden(X)
    assert len(net.hidden.programs) == 1 and len(net.programs) == 1


def test_what_python_decided_stays_decided():
    class Deciding(nn.HybridBlock):
        factor, double = 2, False

        def hybrid_forward(self, F, x):
            x = x * self.factor
            return x + x if self.double else x

    net = Deciding()
    net.hybridize()
    one = nd.ones((1,))
    assert net(one).asscalar() == 2
    net.factor, net.double = 10, True
    assert net(one).asscalar() == 2
    net.hybridize()
    assert net(one).asscalar() == 20


@pytest.mark.parametrize("np_mode", [False, True], ids=["legacy", "np"])
def test_eager_and_compiled_agree_in_both_semantics(np_mode):
    with mx.util.np_shape(np_mode), mx.util.np_array(np_mode):
        net = Counting()
        net.initialize()
        x = X.as_np_ndarray() if np_mode else X
        expected = net(x)
        net.hybridize()
        found = net(x)
        assert type(found) is type(expected)
        numpy.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-6)
        assert net.runs == ["ndarray", "symbol"]


def test_threads_trace_once_each_and_agree(net):
    net.hybridize()
    expected, results = net(X).asnumpy(), []
    threads = [threading.Thread(target=lambda: results.append(net(X).asnumpy())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all((r == expected).all() for r in results)
    assert net.runs == ["symbol"] and len(net.programs) == 1


def test_a_plain_sequential_hybridizes_its_children():
    class Printing(nn.Block):
        def forward(self, x):
            return x

    inner = Counting()
    net = nn.Sequential()
    net.add(inner, Printing())
    net.initialize()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.hybridize()
        net(X)
        net(X)
    assert inner.runs == ["symbol"] and len(inner.programs) == 1


def test_the_trace_of_an_nd_program_is_the_program(net):
    """Symbols go through the same code: the graph computes what the eager call computes."""
    expected = net(X).asnumpy()
    out = net(sym.var("data"))
    values = {p.name: p.data() for p in net.collect_params().values()}
    (found,) = out.eval(ctx=mx.cpu(), data=X, **values)
    numpy.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)


# Inputs and outputs -----------------------------------------------------------------------------------


class Nested(nn.HybridBlock):
    def hybrid_forward(self, F, x, states, scale=None):
        h, c = states
        y = x + h
        if scale is not None:
            y = F.broadcast_mul(y, scale)
        return y, [c * 2, [h]]


def test_nested_inputs_and_outputs():
    one, two, three = (nd.full((2,), v) for v in (1, 2, 3))
    net = Nested()
    eager = net(one, [two, three])
    net.hybridize()
    y, (c, (h,)) = net(one, [two, three])
    for found, expected in zip((y, c, h), (eager[0], eager[1][0], eager[1][1][0]), strict=True):
        numpy.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())
    assert isinstance(net(one, [two, three]), list), "compiled, tuples come back as lists"


def test_none_is_an_argument_like_others():
    one = nd.ones((2,))
    net = Nested()
    net.hybridize()
    y, _ = net(one, [one, one], None)
    assert y.asnumpy().tolist() == [2, 2]
    with pytest.raises(ValueError, match="The argument structure of HybridBlock does not match the cached version"):
        net(one, [one, one], nd.ones((1,)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (lambda one: (one, [one]), r"Stored format = \[0, \[0\]\], input format = \[0, \[0, 0\]\]"),
        (
            lambda one: (one, [one, one, one]),
            r"Stored format = \[0, \[0, 0, 0\]\], input format = \[0, \[0, 0\]\]",
        ),
        (lambda one: (one, one), r"Stored format = \[0, 0\], input format = \[0, \[0, 0\]\]"),
        (lambda one: (one,), r"Stored format = \[0\], input format = \[0, \[0, 0\]\]"),
    ],
)
def test_another_structure_of_arguments(arguments, message):
    one = nd.ones((2,))
    net = Nested()
    net.hybridize()
    net(one, [one, one])
    with pytest.raises(ValueError, match=message):
        net(*arguments(one))
    assert net(one, [one, one])[0].asnumpy().tolist() == [2, 2]


def test_two_contexts_in_one_call():
    class Sum(nn.HybridBlock):
        def hybrid_forward(self, F, x, y):
            return x + y

    here, there = nd.ones((2,)), nd.ones((2,), ctx=mx.cpu(1))
    net = Sum()
    net.hybridize()
    assert net(there, there).context == mx.cpu(1)
    with pytest.raises(ValueError, match="Find multiple contexts in the input") as caught:
        net(here, there)
    assert "cpu(0)" in str(caught.value) and "cpu(1)" in str(caught.value)
    assert net(here, here).asnumpy().tolist() == [2, 2]


def test_unused_inputs_and_parameters_are_named_once_and_where_the_call_is():
    class Unused(nn.HybridBlock):
        def __init__(self):
            super().__init__(prefix="u_")
            with self.name_scope():
                self.spare = nn.Dense(1, in_units=1)

        def hybrid_forward(self, F, x, y):
            return x * 2

    net = Unused()
    net.initialize()
    net.hybridize()
    one = nd.ones((1,))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net(one, one)
        net(one, one)
    assert [str(w.message) for w in caught] == [
        "The 1-th input to HybridBlock is not used by any computation. Is this intended?",
        "Parameter u_dense0_weight, u_dense0_bias is not used by any computation. Is this intended?",
    ]
    assert {w.filename for w in caught} == {__file__}


def test_inputs_that_are_not_used_are_named_by_one_warning():
    class Second(nn.HybridBlock):
        def hybrid_forward(self, F, x, rest):
            return rest[0]

    net = Second()
    net.hybridize()
    one = nd.ones((1,))
    with pytest.warns(UserWarning, match="^The 0-th, 2-th input to HybridBlock is not used by any") as caught:
        net(one, [one, one])
    assert len(caught) == 1


# Hooks, options, export --------------------------------------------------------------------------------


def test_hooks_run_at_every_call_in_both_modes(net):
    calls = []
    before = net.register_forward_pre_hook(lambda block, inputs: calls.append("before"))
    after = net.register_forward_hook(lambda block, inputs, output: calls.append(output.shape))
    net(X)
    with pytest.warns(UserWarning, match="is being hybridized while still having forward hook"):
        net.hybridize()
    net(X)
    net(X)
    assert calls == ["before", (1, 2)] * 3
    before.detach()
    after.detach()
    net(X)
    assert len(calls) == 6


@pytest.mark.parametrize(
    "options",
    [
        {"static_alloc": True},
        {"static_alloc": True, "static_shape": True},
        {"inline_limit": 2, "forward_bulk_size": 3, "backward_bulk_size": None},
        {"unknown_option": 1},
    ],
    ids=str,
)
def test_options_change_no_result(net, options):
    expected = net(X).asnumpy()
    net.hybridize(**options)
    for _ in range(3):
        numpy.testing.assert_allclose(net(X).asnumpy(), expected, rtol=1e-6)


def test_static_shape_needs_static_alloc(net):
    net.hybridize(static_shape=True)
    with pytest.raises(mx.MXNetError, match="static_alloc must be True when static_shape is True"):
        net(X)
    net.hybridize()
    assert net(X).shape == (1, 2)


def test_optimize_for_leaves_a_program(net):
    with pytest.raises(ValueError, match='Must specify "backend" to optimize_for'):
        net.optimize_for(X)
    net.optimize_for(X, backend="numpy")
    assert len(net.programs) == 1 and net.runs == ["symbol"]


def test_export_needs_a_trace_and_keeps_it(net, tmp_path):
    path = str(tmp_path / "net")
    message = "Please first call block.hybridize\\(\\) and then run forward with this block at least once"
    for prepare in (lambda: None, lambda: net(X), net.hybridize):
        prepare()
        with pytest.raises(RuntimeError, match=message):
            net.export(path)
    expected = net(X).asnumpy()
    assert net.export(path, epoch=3) is None
    assert net.runs == ["ndarray", "symbol"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0003.params")
    numpy.testing.assert_allclose(again(X).asnumpy(), expected, rtol=1e-6)


# Where MXNet refuses ------------------------------------------------------------------------------------


def test_a_graph_without_inputs_runs():
    """MXNet refuses it, in code that is about gradients which nobody asked for."""

    class Constant(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.ones((2,))

    net = Constant()
    net.hybridize()
    with pytest.warns(UserWarning, match="The 0-th input to HybridBlock is not used by any computation"):
        assert net(nd.zeros((1,))).asnumpy().tolist() == [1, 1]


def test_half_precision_runs_on_the_cpu():
    net = nn.Dense(2, in_units=2, dtype="float16")
    net.initialize()
    for active in (False, True):
        net.hybridize(active)
        assert net(nd.ones((1, 2), dtype="float16")).asnumpy().dtype == numpy.float16


def test_inputs_are_positional(net):
    with pytest.raises(TypeError, match=r"__call__\(\) got an unexpected keyword argument 'x'"):
        net(x=X)
