"""A call of an operator, or of a hybridized net: what it returns, what it tells, and what it writes into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import HybridBlock, nn
from d2lhybrid.internals.core import parallel, pipeline
from d2lhybrid.internals.core.cached_op import CachedOp
from d2lhybrid.internals.core.fallback_call import CallByOperator
from d2lhybrid.internals.core.invoke import _write_out, invoke, is_watched, prepare_write
from d2lhybrid.internals.core.operator import Array, get_operator, operator
from d2lhybrid.internals.support import clock
from d2lhybrid.internals.support.events import listening

VIEWS: dict[str, Callable[[Any], Any]] = {
    "identity": nd.identity,
    "BlockGrad": nd.BlockGrad,
    "cast to its type": lambda x: nd.cast(x, dtype="float32"),
    "reshape": lambda x: nd.reshape(x, shape=(3, 2)),
    "expand_dims": lambda x: nd.expand_dims(x, axis=0),
    "transpose": nd.transpose,
    "slice_axis": lambda x: nd.slice_axis(x, axis=1, begin=0, end=2),
    "broadcast_to": lambda x: nd.broadcast_to(x, shape=(2, 3)),
    "split": lambda x: nd.split(x, num_outputs=3, axis=1)[0],
    "Dropout": lambda x: nd.Dropout(x, p=0.5),
    "concat of one": lambda x: nd.concat(x, dim=0),
    "a sum": lambda x: nd.sum(x, axis=()),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_result_shares_no_memory_with_what_was_given(view: Callable[[Any], Any]) -> None:
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    y = view(x)
    y[:] = 7
    assert x.asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_result_that_hides_whose_memory_it_uses_shares_none() -> None:
    with own_operators():

        @operator("_windows", differentiable=False)
        def windows(xp: Any, data: Array) -> Any:
            """Pairs of neighbours, as a view whose base is not the input."""
            view = numpy.lib.stride_tricks.as_strided(data, (len(data) - 1, 2), data.strides * 2)
            assert view.base is not data and numpy.may_share_memory(view, data)
            return view

        x = nd.array([1, 2, 3])
        y = invoke(windows, [x], {}, nd.NDArray)
        y[:] = 7
        assert x.asnumpy().tolist() == [1, 2, 3] and y.asnumpy().tolist() == [[7, 7]] * 2


def test_a_result_goes_where_it_is_to_go() -> None:
    x, out = nd.ones((2, 3)), nd.zeros((2, 3))
    assert nd.exp(x, out=out) is out and nd.exp(x).asnumpy().tolist() == out.asnumpy().tolist()
    halves = [nd.zeros((2, 1)) for _ in range(3)]
    assert nd.split(x, num_outputs=3, axis=1, out=halves) is halves and halves[2].asnumpy().tolist() == [[1], [1]]
    message = r"at 0-th output: expected \[2,3\], got \[3,2\]"
    with pytest.raises(mx.MXNetError, match=message):
        nd.exp(x, out=nd.zeros((3, 2)))
    with pytest.raises(mx.MXNetError, match="at 0-th output: expected float32, got float64"):
        nd.exp(x, out=nd.zeros((2, 3), dtype="float64"))


def test_what_is_needed_for_a_gradient_is_not_written_over() -> None:
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record(), pytest.raises(mx.MXNetError, match="Assigning to NDArrays"):
        nd.exp(x, out=x)
    nd.exp(x, out=x)
    assert x.asnumpy().tolist() == [numpy.exp(numpy.float32(1))] * 2


class Late:
    """Ones, which are read in the middle of a write, and the time then."""

    shape, dtype = (2,), numpy.dtype("float32")
    time: Any = None

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.time = clock.last_write
        return numpy.ones(2, "float32")


def write_updates(x: Any, late: Late) -> None:
    @operator("_moved_by_itself", differentiable=False)
    def moved_by_itself(xp: Any, data: Array) -> Any:
        """Zeros; the input becomes ones."""
        return data * 0

    moved_by_itself.updates_in_forward(lambda F, y, data: {"data": late})
    invoke(moved_by_itself, [x], {}, nd.NDArray)


def write_states(x: Any, late: Late) -> None:
    CachedOp(sym.exp(sym.var("x")), ["x"], 1)._write_states([x._data], [0], [late], True)


@pytest.mark.parametrize("write", [_write_out, write_updates, write_states])
def test_a_write_is_told_before_it_and_after_it(write: Callable[[Any, Any], None]) -> None:
    x, late = nd.array([3, 4]), Late()
    clock.watch([x._data])
    before = clock.last_write
    with own_operators():
        write(x, late)
    assert x.asnumpy().tolist() == [1, 1]
    assert len({id(time) for time in (before, late.time, clock.last_write)}) == 3  # another thread may read meanwhile


def test_an_input_that_is_missing_is_passed_as_none() -> None:
    with own_operators():

        @operator("_whether_there", differentiable=False)
        def whether_there(xp: Any, data: Array | None = None) -> Any:
            """Whether there is an input."""
            return numpy.array([data is not None], "float32")

        given = [None], [nd.ones((2,))]
        assert [invoke(whether_there, x, {}, nd.NDArray, ctx=mx.cpu()).asscalar() for x in given] == [0, 1]


def test_whoever_records_or_listens_watches_calls() -> None:
    assert is_watched() is False
    with autograd.record():
        assert is_watched() is True
    for event in ("call_begins", "operator_ran"):
        with listening(**{event: lambda *told: None}):
            assert is_watched() is True


def test_who_listens_hears_of_every_call_and_its_gradient() -> None:
    x = nd.ones((2,))
    x.attach_grad()
    heard: list[Any] = []
    with listening(
        call_begins=lambda op, params, backward: heard.append((op.name, dict(params), backward)),
        operator_ran=lambda op, params, results: heard.append((op.name, results[0].shape)),
        gradient_ended=lambda op, params: heard.append(op.name),
    ):
        with autograd.record():
            y = nd.split(x * 2, num_outputs=2, axis=0)[0]
        y.backward()
    begun = [what for what in heard if isinstance(what, tuple) and len(what) == 3]
    assert begun[:2] == [
        ("_mul_scalar", {"scalar": 2.0}, False), ("SliceChannel", {"num_outputs": 2, "axis": 0}, False),
    ]  # fmt: skip
    assert [what[0] for what in begun if what[2]] == ["SliceChannel", "_mul_scalar"]
    assert ("_mul_scalar", (2,)) in heard and ("SliceChannel", (1,)) in heard
    assert [what for what in heard if isinstance(what, str)] == ["SliceChannel", "_mul_scalar"]


class Policy(parallel.Unlimited):
    """Other programs need processors: notes what was limited."""

    def __init__(self) -> None:
        self.limited_calls, self.ran = 0, list[str]()
        self.is_worth = True

    def worth_dividing(self, arrays: Any) -> bool:
        return self.is_worth

    def crowded(self, arrays: Any = ()) -> bool:
        return True

    def limited(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        self.limited_calls += 1
        self.ran.append(function.__name__)
        return function(*args, **kwargs)


def test_a_product_is_limited_where_other_programs_need_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy()
    monkeypatch.setattr(parallel, "threads", policy)
    x = nd.ones((2, 2))
    assert nd.exp(x).shape == (2, 2) and policy.limited_calls == 0
    assert nd.dot(x, x).asnumpy().tolist() == [[2, 2], [2, 2]] and policy.limited_calls == 1
    net: Any = nn.Dense(2, in_units=2)
    net.initialize(mx.init.One())
    net.hybridize()
    x.attach_grad()
    with autograd.record():
        net(x).backward()
    [program] = net._cached_op.programs.values()
    program.forward.threaded = program.backward.threaded = True
    before = policy.limited_calls
    with autograd.record():
        y = net(x)
    assert policy.limited_calls == before + 1
    y.backward()
    assert policy.limited_calls == before + 2 and x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]
    program.forward.threaded = program.backward.threaded = False
    with autograd.record():
        net(x).backward()
    assert policy.limited_calls == before + 2


def test_a_gradient_of_a_product_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy()
    monkeypatch.setattr(parallel, "threads", policy)
    x = nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = nd.dot(nd.exp(x), nd.exp(x))
        z = nd.dot(nd.exp(x), nd.exp(x))
    policy.ran.clear()
    y.backward()
    assert policy.ran == ["vjp"]  # of the product alone
    policy.is_worth = False
    z.backward()
    assert policy.ran == ["vjp"]


def test_an_operator_with_several_results_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy()
    monkeypatch.setattr(parallel, "threads", policy)
    nd.split(nd.ones((2, 2)), num_outputs=2)
    assert policy.ran == []
    nd.linalg.gelqf(nd.ones((2, 2)))
    assert policy.ran == [get_operator("linalg_gelqf").kernel.__name__]
    policy.is_worth = False
    nd.linalg.gelqf(nd.ones((2, 2)))
    assert len(policy.ran) == 1


def test_a_gradient_of_a_gradient_is_where_the_arrays_are() -> None:
    x = nd.array([1, 2], ctx=mx.cpu(1))
    x.attach_grad()
    with autograd.record():
        [gradient] = autograd.grad(nd.exp(x * x), [x], create_graph=True)
        assert gradient.context == mx.cpu(1)
    gradient.backward()
    value = numpy.exp(numpy.array([1.0, 4.0]))
    assert x.grad.context == mx.cpu(1)
    numpy.testing.assert_allclose(x.grad.asnumpy(), value * (2 + 4 * numpy.array([1, 4])), rtol=1e-5)


def test_a_gradient_that_nothing_reaches_is_on_the_tape_too_when_nobody_records() -> None:
    x, other = nd.array([1, 2]), nd.array([3, 4])
    for array in (x, other):
        array.attach_grad()
    with autograd.record():
        y = x * x + nd.BlockGrad(other)
    [gradient] = autograd.grad(y, [other], create_graph=True)
    assert gradient.asnumpy().tolist() == [0, 0]
    other.grad[:] = 9
    gradient.backward()
    assert other.grad.asnumpy().tolist() == [0, 0]


class Normed(HybridBlock):
    """A dense layer and a normalization, whose two results are both used, or one of them."""

    def __init__(self) -> None:
        super().__init__()
        self.dense, self.norm = nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.dense(x)
        return F.tanh(self.norm(y)), y * y


class NormedTwice(Normed):
    """One normalization of two values; what was made first is returned last."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.dense(x)
        first = self.norm(y)
        return self.norm(y * y * 3) * 2, F.tanh(first)


class NormedApart(Normed):
    """Two normalizations; the second derivative only needs the results of one."""

    def __init__(self) -> None:
        super().__init__()
        self.other = nn.BatchNorm(in_channels=3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.dense(x)
        return self.other(y * y * 3) * 2, F.tanh(self.norm(y))


def moved_statistics(make: type[Normed], hybridize: bool, steps: Callable[[Any, Any], None]) -> list[Any]:
    mx.random.seed(0)
    net = make()
    net.initialize(mx.init.Uniform(1))
    if hybridize:
        net.hybridize()
    x = nd.array([[1, 2], [3, 5], [-1, 0]])
    x.attach_grad()
    steps(net, x)
    states = [p.data().asnumpy() for p in net.collect_params().values() if p.grad_req == "null"]
    assert len(states) == (4 if make is NormedApart else 2)
    return [*states, x.grad.asnumpy()]


def first_and_second_derivative(net: Any, x: Any) -> None:
    with autograd.record():
        y, _ = net(x)
        [dx] = autograd.grad(y, [x], create_graph=True)
        z = (dx * dx).sum() + y.sum()
    z.backward()


def one_result_of_two(which: int) -> Callable[[Any, Any], None]:
    def steps(net: Any, x: Any) -> None:
        for _ in range(3):
            with autograd.record():
                y = net(x)[which]
            y.backward()

    return steps


def twice_over_one_call(net: Any, x: Any) -> None:
    with autograd.record():
        y, z = net(x)
    y.backward(retain_graph=True)
    z.backward()


def derivatives_of_both_results(net: Any, x: Any) -> None:
    with autograd.record():
        y, z = net(x)
        [dx] = autograd.grad([y, z], [x], create_graph=True)
        total = (dx * dx).sum() + y.sum() + z.sum()
    total.backward()


class NormedTogether(Normed):
    """One normalization of two values, of which the second result needs one and the first both."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.dense(x)
        first = self.norm(y)
        return self.norm(y * y * 3) * 2 + F.sin(first), F.tanh(first)


def derivative_of_the_second_result_and_the_first(net: Any, x: Any) -> None:
    with autograd.record():
        y, z = net(x)
        [dx] = autograd.grad(z, [x], create_graph=True)
        total = (dx * dx).sum() + y.sum()
    total.backward()


STEPS = {
    "both derivatives in one walk": first_and_second_derivative, "the first result": one_result_of_two(0),
    "the second result": one_result_of_two(1), "one result after the other": twice_over_one_call,
}  # fmt: skip


@pytest.mark.parametrize("make", [Normed, NormedApart, NormedTwice])
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_statistics_are_moved_as_by_the_imperative_net(steps: Callable[[Any, Any], None], make: Any) -> None:
    for eager, hybrid in zip(moved_statistics(make, False, steps), moved_statistics(make, True, steps), strict=True):
        numpy.testing.assert_allclose(hybrid, eager, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", [Normed, NormedApart, NormedTogether])
def test_statistics_that_two_runs_of_a_call_reach_are_moved_in_the_order_of_the_imperative_walk(make: Any) -> None:
    steps = derivative_of_the_second_result_and_the_first
    eager, hybrid = (moved_statistics(make, hybridize, steps) for hybridize in (False, True))
    for expected, got in zip(eager, hybrid, strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", [Normed, NormedApart])
def test_statistics_that_one_walk_reaches_in_two_runs_of_a_call_are_moved_once(make: Any) -> None:
    eager, hybrid = (moved_statistics(make, hybridize, derivatives_of_both_results) for hybridize in (False, True))
    for expected, got in zip(eager, hybrid, strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


class Product(HybridBlock):
    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        return x * y


@pytest.mark.parametrize("hybridize", [False, True])
def test_an_array_that_is_passed_twice_is_two_inputs_in_a_derivative_of_a_derivative(hybridize: bool) -> None:
    net = Product()
    if hybridize:
        net.hybridize()
    x = nd.array([3, 5])
    x.attach_grad()
    with autograd.record():
        [dx] = autograd.grad(net(x, x), [x], create_graph=True)
    dx.backward()
    assert dx.asnumpy().tolist() == [6, 10] and x.grad.asnumpy().tolist() == [2, 2]


def test_what_runs_again_is_what_was_traced_before_any_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    with own_operators():

        @operator("_fast_exp")
        def fast_exp(xp: Any, data: Array) -> Any:
            """The exponential function."""
            return xp.exp(data)

        fast_exp.gradient(lambda F, dy, y, data: [dy * y])
        for attach in (fast_exp.infer_shape, fast_exp.infer_type):
            attach(lambda data: ([data], [data]))

        def replace(graph: Any) -> Any:
            exp = get_operator("exp")
            return graph.rewrite(
                lambda node, inputs: [graph.make(fast_exp, "fast", inputs)] if node.op is exp else None
            )

        monkeypatch.setattr(pipeline, "FORWARD_PASSES", [("replace", replace)])
        net: Any = nn.HybridLambda("exp")
        net.hybridize()
        x = nd.array([0, 0])
        x.attach_grad()
        ran: list[str] = []
        with autograd.record():
            y = net(x)
            with listening(operator_ran=lambda op, params, results: ran.append(op.name)):
                [dx] = autograd.grad(y, [x], create_graph=True)
        dx.backward()
        assert x.grad.asnumpy().tolist() == [1, 1] and "exp" in ran and "_fast_exp" not in ran
        [program] = net._cached_op.programs.values()
        assert "_fast_exp(" in str(program.graph)


class Tables(HybridBlock):
    """One table, in which two arrays of numbers are looked up; what a caller wants is chosen."""

    def __init__(self, results: Callable[[Any, Any, Any, Any], Any]) -> None:
        super().__init__()
        self.results = results
        self.table = self.params.get("table", shape=(6, 2), init="ones", grad_stype="row_sparse")

    def hybrid_forward(self, F: Any, a: Any, b: Any, table: Any) -> Any:
        def look_up(x: Any) -> Any:
            return F.Embedding(x, table, input_dim=6, output_dim=2, sparse_grad=True)

        return self.results(F, look_up(a), look_up(b), table)


#: What is returned, and the rows of the gradient of the first result: imperatively, and of a hybridized net.
ROWS: dict[str, tuple[Callable[..., Any], list[int], list[int]]] = {
    "one": (lambda F, a, b, table: (a, F.BlockGrad(b)), [1, 3], [1, 3]),
    "both": (lambda F, a, b, table: (F.concat(a, b, dim=0), F.ones((1,))), [0, 1, 3, 4], [0, 1, 3, 4]),
    "each a result": (lambda F, a, b, table: (a, b), [1, 3], [0, 1, 3, 4]),  # zeros go back from the other, as in MXNet
    "each a result, and one is scaled": (lambda F, a, b, table: (a, b * 2), [1, 3], [0, 1, 3, 4]),
    "the table, too": (lambda F, a, b, table: (F.concat(a, table, dim=0), b), list(range(6)), list(range(6))),
    "scaled": (lambda F, a, b, table: (a * 3, F.BlockGrad(b)), [1, 3], [1, 3]),
    "one chooses": (
        lambda F, a, b, table: [F.where(F.slice_axis(F.tile(b, reps=(2, 1)), axis=0, begin=0, end=3), a, a * 2)],
        [1, 3],
        [1, 3],
    ),
}


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("case", ROWS.values(), ids=ROWS)
def test_a_gradient_has_the_rows_that_were_looked_up(case: Any, hybridize: bool) -> None:
    results, eager, hybrid = case
    net = Tables(results)
    net.initialize()
    if hybridize:
        net.hybridize()
    for _ in range(2):
        with autograd.record():
            y = net(nd.array([3, 1, 3]), nd.array([0, 4]))[0]
        y.backward()
        gradient: Any = net.table.grad()
        assert gradient.indices.asnumpy().tolist() == (hybrid if hybridize else eager)


def test_what_is_looked_up_counts_no_more_where_a_dense_gradient_arrives() -> None:
    table = nd.ones((4, 2))
    table.attach_grad(stype="row_sparse")
    with autograd.record():
        y = nd.Embedding(nd.array([1]), table, input_dim=4, output_dim=2, sparse_grad=True)
    autograd.backward([y, table], [nd.zeros((1, 2)), nd.array([[1, 1], [0, 0], [2, 2], [3, 3]])])
    gradient: Any = table.grad
    assert gradient.asnumpy().tolist() == [[1, 1], [0, 0], [2, 2], [3, 3]]
    assert gradient.indices.asnumpy().tolist() == [0, 2, 3]


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_call_drops_what_it_kept_once_its_gradient_was_computed(hybridize: bool) -> None:
    net = Product()
    if hybridize:
        net.hybridize()
    x = nd.array([3, 5])
    x.attach_grad()
    with autograd.record():
        y = net(nd.exp(x), x)
    call = y._tape[0]
    kept = ["arrays", "outputs", *(["raws", "residuals"] if hybridize else [])]
    y.backward(retain_graph=True)
    assert call.arrays and call.outputs and not call.released
    y.backward()
    assert call.released and not any(len(getattr(call, name)) for name in (*kept, "parents"))


def test_a_loop_ends_at_its_limit() -> None:
    class Count(HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.contrib.while_loop(lambda i: i < 100, lambda i: (i * 2, [i + 1]), [x], max_iterations=3)

    net = Count()
    for _ in range(2):
        rows, [last] = net(nd.array([1]))
        assert rows.asnumpy().tolist() == [[2], [4], [6]] and last.asscalar() == 4
        net.hybridize()


def test_a_walk_back_begins_where_something_was_recorded() -> None:
    x = nd.ones((2,))
    for head in (x, x * 2):
        with pytest.raises(mx.MXNetError, match="Cannot differentiate node"):
            head.backward()
    x.attach_grad()
    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    y.backward(nd.array([1, 3]))
    assert x.grad.asnumpy().tolist() == [2, 6]
    with pytest.raises(mx.MXNetError, match="Cannot differentiate node"):
        y.backward()
    with autograd.record():
        y = x * x
    with pytest.raises(mx.MXNetError, match=r"expected \[3\], got \[2\]"):
        y.backward(nd.ones((3,)))
    with pytest.raises(ValueError, match="same length, but their lengths are 1 and 2"):
        autograd.backward([y], [None, None])


class Masked(HybridBlock):
    """Chooses elements by a mask, so that it runs operator by operator; the last input leads to no result."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any, unused: Any) -> Any:
        F.exp(unused)
        chosen = F.contrib.boolean_mask(x, mask)
        return chosen, x


def test_a_call_without_a_program_is_one_call_on_the_tape() -> None:
    net = Masked()
    net.hybridize()
    x, mask, unused = nd.array([1, 2, 3]), nd.array([1, 0, 1]), nd.ones((1,))
    for array in (x, mask, unused):
        array.attach_grad()
        array.grad[:] = 5
    with pytest.warns(UserWarning, match="not used"), autograd.record():
        chosen, same = net(x, mask, unused)
        [call] = {y._tape[0] for y in (chosen, same)}
        assert type(call) is CallByOperator
        loss = (chosen * chosen).sum() + same.sum()
    loss.backward()
    assert chosen.asnumpy().tolist() == [1, 3] and x.grad.asnumpy().tolist() == [3, 1, 7]
    assert mask.grad.asnumpy().tolist() == [0, 0, 0]
    same[:] = 0
    assert x.asnumpy().tolist() == [1, 2, 3]


class MaskedTwice(HybridBlock):
    """Returns one array twice, and runs operator by operator."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        chosen = F.contrib.boolean_mask(x, mask)
        return chosen, chosen


def test_results_of_a_call_without_a_program_are_arrays_of_their_own() -> None:
    net = MaskedTwice()
    net.hybridize()
    first, second = net(nd.array([1, 2, 3]), nd.array([1, 0, 1]))
    first[:] = 7
    assert second.asnumpy().tolist() == [1, 3] and first._tape is None


def test_a_call_without_a_program_hands_rows_on_to_its_results_alone() -> None:
    call, rows = CallByOperator([None] * 3, 2), [numpy.array([1]), None]
    assert [call.rows_of(i, rows) for i in range(3)] == [rows[0], None, None]


def test_numbers_that_a_kernel_returns_are_arrays() -> None:
    with own_operators():

        @operator("_ends", outputs=2, differentiable=False)
        def ends(xp: Any, data: Array) -> Any:
            """The smallest and the largest element."""
            return data.min(), data.max()

        @operator("_least", differentiable=False)
        def least(xp: Any, data: Array) -> Any:
            """The smallest element."""
            return data.min()

        x = nd.array([3, 1, 2])
        results = [*invoke(ends, [x], {}, nd.NDArray), invoke(least, [x], {}, nd.NDArray)]
        assert all(type(y._data) is numpy.ndarray for y in results)
        assert [y.asnumpy().tolist() for y in results] == [1, 3, 1]


def test_what_was_gone_back_over_is_a_constant() -> None:
    x, weight = nd.array([[1, 2]]), nd.array([[3, 4]])
    for array in (x, weight):
        array.attach_grad()
    with autograd.record():
        squared = x * x
    squared.backward()
    with autograd.record():
        settings = {"num_hidden": 1, "no_bias": True}
        y = invoke(get_operator("FullyConnected"), [x, weight], settings, nd.NDArray) * squared  # a constant by now
    y.backward()
    assert y.asnumpy().tolist() == [[11, 44]] and x.grad.asnumpy().tolist() == [[15, 20]]
    assert weight.grad.asnumpy().tolist() == [[5, 10]]


class BlockedLoss(HybridBlock):
    """A loss that starts a gradient of its own, and some layers, behind which nothing goes back."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = layers

    def hybrid_forward(self, F: Any, x: Any, label: Any) -> Any:
        y = F.SoftmaxOutput(x * 2, label)
        for _ in range(self.layers):
            y = F.relu(y)
        return F.BlockGrad(y) * 3


@pytest.mark.parametrize("layers", [0, 1, 2])
@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_loss_starts_its_gradient_where_none_arrives(hybridize: bool, create_graph: bool, layers: int) -> None:
    net = BlockedLoss(layers)
    if hybridize:
        net.hybridize()
    x, label = nd.array([[0, 0], [0, 0]]), nd.array([0, 1])
    x.attach_grad()
    with autograd.record():
        y = net(x, label)
        gradient = autograd.grad(y, [x], create_graph=True)[0] if create_graph else None
    if gradient is None:
        y.backward()
        gradient = x.grad
    assert gradient.asnumpy().tolist() == [[-1, 1], [1, -1]]


class Momentum(HybridBlock):
    """Two updates that write one state, one after the other."""

    def hybrid_forward(self, F: Any, weight: Any, gradient: Any, momentum: Any) -> Any:
        settings = {"lr": 0.5, "momentum": 0.5}
        first = F.sgd_mom_update(weight, gradient, momentum, **settings)
        second = F.sgd_mom_update(first, gradient * 2, momentum, **settings)
        return first, second, momentum + 0


def test_a_state_that_is_written_twice_holds_the_last_value() -> None:
    net = Momentum()
    for _ in range(2):
        weight, gradient, momentum = nd.array([4]), nd.array([2]), nd.array([1])
        results = net(weight, gradient, momentum)
        # 0.5 * 1 - 0.5 * 2 = -0.5, and 0.5 * -0.5 - 0.5 * 4 = -2.25
        assert [y.asscalar() for y in results] == [3.5, 1.25, -2.25] and momentum.asscalar() == -2.25
        net.hybridize()


class Drawn(HybridBlock):
    """Draws a number that nothing else uses, beside what has no program."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return F.contrib.boolean_mask(x, mask), F.random.uniform(2, 3)


def test_a_draw_without_a_size_that_nothing_uses_is_one_number() -> None:
    net = Drawn()
    for _ in range(2):
        chosen, drawn = net(nd.array([1, 2, 3]), nd.array([1, 0, 1]))
        assert chosen.asnumpy().tolist() == [1, 3] and drawn.shape == (1,) and 2 <= drawn.asscalar() < 3
        net.hybridize()


class Made(HybridBlock):
    """Ones that depend on no input, beside what has no program."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return F.contrib.boolean_mask(x, mask), F.ones((2,))


@pytest.mark.parametrize("make", [Made, Drawn])
def test_what_depends_on_no_input_is_made_where_the_inputs_are(make: type[HybridBlock]) -> None:
    net = make()
    net.hybridize()
    made = net(nd.array([1, 2, 3], ctx=mx.cpu(1)), nd.array([1, 0, 1], ctx=mx.cpu(1)))
    assert [y.context for y in made] == [mx.cpu(1)] * 2


class Rows(HybridBlock):
    """A loop over rows, after which comes what has no program."""

    def hybrid_forward(self, F: Any, rows: Any, state: Any, mask: Any) -> Any:
        made, last = F.contrib.foreach(lambda row, s: (row * s, s + row), rows, state)
        return made, F.contrib.boolean_mask(last, mask)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_loop_of_a_net_without_a_program_makes_a_row_for_each_row(count: int) -> None:
    net = Rows()
    net.hybridize()
    rows = nd.array(numpy.array([[1, 2], [3, 4], [5, 6]])[:count])
    with mx.util.np_shape(True):  # there may be no rows
        made, last = net(rows, nd.array([1, 1]), nd.array([0, 1]))
    sums = numpy.array([[1, 1], [2, 3], [5, 7], [10, 13]])
    assert made.asnumpy().tolist() == (rows.asnumpy() * sums[:count]).tolist()
    assert last.asnumpy().tolist() == [sums[count][1]]


def test_a_sparse_array_that_is_written_stores_what_is_not_zero() -> None:
    x: Any = nd.sparse.row_sparse_array(([[0, 0], [1, 2]], [0, 2]), shape=(4, 2))
    assert x.indices.asnumpy().tolist() == [0, 2]
    prepare_write(x)
    assert x.indices.asnumpy().tolist() == [2]
