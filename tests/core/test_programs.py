"""Programs of a net: which one a call runs, what takes its place, and what is kept between calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import HybridBlock, nn
from d2lhybrid.internals.core import backends, cached_op, parallel, pipeline, promotion, tape
from d2lhybrid.internals.core.cached_op import MAX_PROGRAMS, CachedOp, Newest
from d2lhybrid.internals.core.history import Event
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.internals.core.prepared import _kept_in_place, prepared_entries, prepared_values
from d2lhybrid.internals.core.typed_graph import typed_graph
from d2lhybrid.internals.support import clock
from d2lhybrid.internals.support.events import listening


def program(text: str | None, values: dict[str, Any]) -> Any:
    prepare = None if text is None else SimpleNamespace(text=text)
    return SimpleNamespace(prepare=prepare, prepared_values=values, heads=(True,), replaced=None)


@pytest.mark.parametrize("is_used_by_another", [False, True])
def test_a_program_takes_the_place_of_another(is_used_by_another: bool) -> None:
    cached = CachedOp(sym.exp(sym.var("x")), ["x"], 1)
    values = {"turned": "weights", "packed": "others"}
    old, new = program("turned", values), program("packed", values)
    other = program("turned" if is_used_by_another else None, values)
    cached.programs.update({"key": old, "other": other})
    cached._programs_of_heads.update({("key", (True,)): old, ("other", (True,)): other})
    event = Event("promote", ("it is called often",), 0.0)
    cached.replace("key", old, new, event)
    assert cached.programs == {"key": new, "other": other} and new.replaced is old
    assert cached._programs_of_heads == {("key", (True,)): new, ("other", (True,)): other}
    assert cached.history == [event] and cached.events == {"key": event}
    assert values == {"packed": "others", **({"turned": "weights"} if is_used_by_another else {})}
    late = program(None, values)
    cached.replace("other", old, late, event)  # somebody has taken its place meanwhile
    assert cached.programs["other"] is other and cached._programs_of_heads["other", (True,)] is other
    assert cached.history == [event, event]


def test_a_recording_finds_new_values_where_the_first_ones_were() -> None:
    base = numpy.arange(6.0).reshape(2, 3)
    first = [base[0], numpy.ones(2)]
    places = _kept_in_place(first, None)
    assert places[0].base is None and places[0].tolist() == [0, 1, 2] and places[1] is first[1]
    again = _kept_in_place([numpy.full(3, 7.0), numpy.full(2, 8.0)], places)
    assert all(a is b for a, b in zip(again, places, strict=True))
    assert [a.tolist() for a in again] == [[7, 7, 7], [8, 8]]


def test_the_oldest_programs_go_first() -> None:
    table = Newest[int, int](3)
    for i in (1, 2, 3, 2, 4):
        table[i] = -i
    assert table == {2: -2, 3: -3, 4: -4} and MAX_PROGRAMS > 64


class Counting(HybridBlock):
    """A dense layer that counts how often it is traced."""

    def __init__(self) -> None:
        super().__init__()
        self.traces = 0
        self.dense = nn.Dense(2, in_units=3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.traces += F is mx.sym
        return self.dense(x)


def test_every_kind_of_call_has_its_program_and_says_why() -> None:
    net: Any = Counting()
    net.initialize()
    net.hybridize()
    x, wide = nd.ones((1, 3)), nd.ones((4, 3))
    for _ in range(2):
        net(x)
        net(wide)
        with autograd.record():
            net(x)
        with autograd.record(train_mode=False):
            net(x)
        with autograd.train_mode():
            net(x)
    cached = net._cached_op
    assert net.traces == 1 and len(cached.programs) == 5
    traced, first, second, *others = cached.history
    assert traced.kind == "trace" and (first.kind, first.reasons) == ("compile", ("first call",))
    assert (second.kind, second.reasons) == ("recompile", ("the shape of data changed from (1, 3) to (4, 3)",))
    assert [event.kind for event in others] == ["recompile"] * 3
    arrays = [x, *(p.data() for p in cached.form.parameters)]
    raws = [a._data for a in arrays]
    assert cached.program_for(raws, mx.cpu()) is cached.programs[cached.signature(arrays, mx.cpu())]
    with autograd.record():
        key = cached.signature(arrays, mx.cpu())
        assert key[:2] == (True, (False, True, True)) and key in cached.programs
        assert cached.program_for(raws, mx.cpu()) is not cached.programs[key]
    assert cached.program_for([nd.ones((9, 3))._data, *raws[1:]], mx.cpu()) is None


class Steps(HybridBlock):
    """A loop whose body moves a state, so that the net runs operator by operator."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.norm = nn.BatchNorm(in_channels=2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            return self.norm(y) * 2, [i + 1, y + 1]

        loop = F.contrib.while_loop(lambda i, y: i < self.limit, body, [F.zeros((1,)), x], max_iterations=4)
        rows, (_, last) = loop
        return rows, last


@pytest.mark.parametrize("limit", [0, 1, 3, 9])
def test_a_loop_that_runs_operator_by_operator_makes_as_many_rows_as_it_may(limit: int) -> None:
    net = Steps(limit)
    net.initialize()
    net.hybridize()
    x = nd.array([[1, 2], [3, 4]])
    rows, last = net(x)
    steps = min(limit, 4)
    assert rows.shape == (4, 2, 2) and numpy.allclose(last.asnumpy(), x.asnumpy() + steps)
    for i in range(4):
        expected = 2 * (x.asnumpy() + i) / numpy.sqrt(1 + 1e-5) if i < steps else numpy.zeros((2, 2))
        numpy.testing.assert_allclose(rows[i].asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}], ids=str)
def test_calls_that_wait_for_their_gradients_keep_what_they_need(flags: dict[str, bool]) -> None:
    mx.random.seed(0)
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="tanh", in_units=3), nn.Dense(2, activation="sigmoid", in_units=4))
    net.initialize(mx.init.Uniform(1))
    data = [nd.array(numpy.full((2, 3), value)) for value in (0.1, -0.7, 0.9)]

    def gradients(together: bool) -> list[Any]:
        for x in data:
            x.attach_grad()
        results = []
        for x in data:
            with autograd.record():
                results.append(net(x))
            if not together:
                results[-1].backward()
        if together:
            for y in results:
                y.backward()
        return [x.grad.asnumpy().tolist() for x in data]

    expected = gradients(False)
    net.hybridize(**flags)
    for together in (False, True, False, True):
        numpy.testing.assert_allclose(gradients(together), expected, rtol=1e-4)


class Workspaces:
    """The workspaces of a program that are free: one, at first."""

    def __init__(self, run: Any) -> None:
        self.free = [run]

    def take(self) -> Any:
        return self.free.pop()

    def give(self, run: Any) -> None:
        self.free.append(run)


class Scaled(HybridBlock):
    """Two inputs, so that no call takes the short way."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        return F.exp(x) * y


def test_a_call_keeps_its_workspace_as_long_as_a_gradient_may_be_asked_for() -> None:
    net: Any = Scaled()
    net.hybridize()
    x, y = nd.array([0, 0]), nd.array([3, 4])
    x.attach_grad()
    for scope in (autograd.predict_mode, autograd.record):
        with scope():
            net(x, y)
    free = []
    for made in net._cached_op.programs.values():
        made.forward.workspaces = Workspaces(made.forward.function)
        free.append(made.forward.workspaces.free)
    predicting, recording = free
    assert net(x, y).asnumpy().tolist() == [3, 4] and (len(predicting), len(recording)) == (1, 1)
    with autograd.record():
        z = net(x, y)
    assert (len(predicting), len(recording)) == (1, 0)
    z.backward()
    assert x.grad.asnumpy().tolist() == [3, 4] and len(recording) == 1
    with autograd.record():
        z = net(x, y)
    assert len(recording) == 0
    del z
    assert len(recording) == 1


class Chosen(HybridBlock):
    """How many elements are chosen is only known from the values."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return F.contrib.boolean_mask(x, mask)


def test_a_call_for_which_there_is_no_program_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def begin(symbol: Any, names: Any, shapes: Any, *rest: Any, **settings: Any) -> Any:
        begun.append(shapes[names[0]])
        return pipeline.begin_compilation(symbol, names, shapes, *rest, **settings)

    monkeypatch.setattr(cached_op, "begin_compilation", begin)
    net = Chosen()
    net.hybridize()
    for _ in range(2):
        for x in ([1, 2], [3, 4, 5]):
            assert net(nd.array(x), nd.array([0, *[1] * (len(x) - 1)])).asnumpy().tolist() == x[1:]
    assert begun == [(2,), (3,)]


class Written:
    """A call's states, and what was written into them."""

    def __init__(self, *numbers: float) -> None:
        self.cached = CachedOp(sym.exp(sym.var("x")), ["x"], 1)
        self.states = [numpy.full(2, number) for number in numbers]

    def write(self, *numbers: float, training: bool = False) -> list[float]:
        clock.watch(self.states)
        raws = [numpy.zeros(1), *self.states]
        before = clock.last_write
        values = [numpy.full(2, number) for number in numbers]
        self.cached._write_states(raws, [i + 1 for i in range(len(numbers))], values, training)
        self.noted = clock.last_write is not before
        return [state.tolist()[0] for state in self.states]


def test_states_of_a_prediction_are_written_once_and_again_after_a_write() -> None:
    call = Written(3, 4)
    assert call.write(1, 2) == [1, 2] and call.noted
    call.states[0][:] = 5  # nobody was told
    assert call.write(1, 2) == [5, 2] and not call.noted
    clock.note_write([call.states[0]])
    assert call.write(1, 2) == [1, 2] and call.noted
    call.states = [state + 5 for state in call.states]
    assert call.write(1, 2) == [1, 2] and call.noted


def test_states_that_do_not_change_are_not_written() -> None:
    call = Written(1, 2)
    assert call.write(1, 2) == [1, 2] and not call.noted
    call.states[0][:] = 5
    assert call.write(1, 2) == [5, 2] and not call.noted  # as no write was noted, nothing was compared
    call = Written(1, 2)
    assert call.write(1, 7) == [1, 7] and call.noted


def test_states_in_shared_memory_are_compared_at_every_call() -> None:
    call = Written(1)
    clock.note_sharing(call.states[0])
    for number in (1, 5, 1):
        call.states[0][:] = number
        assert call.write(1) == [1]


def test_states_in_training_are_always_written() -> None:
    call = Written(1)
    for _ in range(2):
        assert call.write(1, training=True) == [1] and call.noted
        call.states[0][:] = 5
    assert call.write(2) == [2]


def test_what_is_installed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, install in (
        (tape, "store", tape.install_store), (tape, "_recorded_space", tape.install_recorded_space),
        (parallel, "threads", parallel.install_threads), (promotion, "promoter", promotion.install_promoter),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, getattr(module, name))
        installed = parallel.Unlimited()
        install(installed)
        assert getattr(module, name) is installed


def test_every_stage_of_a_compilation_is_told() -> None:
    net: Any = nn.Dense(1, in_units=2)
    net.initialize()
    net.hybridize()
    stages: list[Any] = []
    with listening(pass_done=stages.append):
        net(nd.ones((1, 2)))
    [program] = net._cached_op.programs.values()
    assert [stage.name for stage in stages] == [stage.name for stage in program.stages] and stages[0].name == "infer"
    assert stages[0].num_operators == stages[0].graph.num_operators == 1
    assert "infer" in repr(stages[0]) and "1 operator," in repr(stages[0])
    html = stages[0]._repr_html_()
    assert html is not None and "infer" in html


class Prepared:
    """A program with one prepared value, ten times its parameter, and a count of how often it was computed."""

    def __init__(self, recorded: bool = False) -> None:
        self.count = 0
        prepare = SimpleNamespace(text="tenfold", function=self.compute, threaded=False)
        graph = SimpleNamespace(num_data=1)
        self.program: Any = SimpleNamespace(prepare=prepare, prepared_values={}, graph=graph, _recorded=recorded)

    def compute(self, x: Any, weight: Any) -> tuple[Any, ...]:
        self.count += 1
        return (weight * 10,)

    def __call__(self, weight: Any) -> Any:
        [value] = prepared_values(self.program, [numpy.zeros(1), weight])
        return value


@pytest.mark.parametrize("recorded", [False, True])
def test_a_prepared_value_is_computed_again_after_a_write_or_for_another_array(recorded: bool) -> None:
    call, weight = Prepared(recorded), numpy.ones(2)
    first = call(weight)
    assert call(weight) is first and call.count == 1 and first.tolist() == [10, 10]
    elsewhere = numpy.ones(2)
    clock.watch([elsewhere])
    clock.note_write([elsewhere])
    assert call(weight) is first and call.count == 1
    weight[:] = 2
    clock.note_write([weight])
    again = call(weight)
    assert again.tolist() == [20, 20] and call.count == 2 and call(weight) is again
    assert (again is first) == recorded  # a recording reads the same memory
    assert call(numpy.full(2, 3.0)).tolist() == [30, 30] and call.count == 3


def test_a_value_from_shared_memory_is_computed_at_every_call() -> None:
    call, weight = Prepared(), numpy.ones(2)
    clock.note_sharing(weight)
    for number in (1, 2):
        weight[:] = number
        assert call(weight).tolist() == [10 * number] * 2
    assert call.count == 2
    call.program.prepare = None
    assert prepared_values(call.program, [weight]) == ()


class Turned(HybridBlock):
    """A product with a transposed parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = self.params.get("weight", shape=(3, 2), init="ones")

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        return F.dot(x, F.transpose(weight))


def test_nothing_is_prepared_where_a_gradient_may_arrive() -> None:
    net: Any = Turned()
    net.initialize()
    net.hybridize()
    x = nd.ones((1, 2))
    x.attach_grad()
    net(x)
    with autograd.record(train_mode=False):
        y = net(x)
    predicting, recording = net._cached_op.programs.values()
    assert predicting.prepare is not None and recording.prepare is None
    y.backward()
    assert y.asnumpy().tolist() == [[2, 2, 2]] and net.weight.grad().asnumpy().tolist() == [[1, 1]] * 3


def test_programs_for_other_shapes_share_what_is_prepared() -> None:
    net: Any = Turned()
    net.initialize()
    net.hybridize()
    for count in (1, 4):
        assert net(nd.ones((count, 2))).asnumpy().tolist() == [[2, 2, 2]] * count
    first, second = net._cached_op.programs.values()
    [(_, _, values, _)] = first.prepared_values.values()
    assert second.prepared_values is first.prepared_values and len(values) == 1


def test_what_is_prepared_keeps_no_memory_for_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bool, bool]] = []

    class Own(backends.Backend):
        def options(self, graph: Any, settings: Any) -> Any:
            asked.append((settings.static_alloc, settings.static_shape))
            return super().options(graph, settings)

    monkeypatch.setattr(backends, "BACKENDS", {**backends.BACKENDS, "own": Own})
    symbol = sym.dot(sym.var("x"), sym.transpose(sym.var("w")))
    shapes, dtypes = {"x": (1, 2), "w": (3, 2)}, dict.fromkeys("xw", "float32")
    flags: dict[str, Any] = {"static_alloc": True, "static_shape": True}
    program = compile_graph(symbol, ["x", "w"], shapes, dtypes, False, None, numpy, num_data=1, backend="own", **flags)
    assert program.prepare is not None and asked == [(True, True), (False, False)]
    backends.get_backend.cache_clear()


def test_what_is_prepared_depends_on_parameters_alone_and_is_no_output() -> None:
    def prepared(symbol: Any, num_data: int, training: bool = False) -> list[str]:
        names = symbol.list_inputs()
        shapes, dtypes = dict.fromkeys(names, (2, 2)), dict.fromkeys(names, "float32")
        graph = typed_graph(symbol, sorted(names, reverse=True), shapes, dtypes, training, num_data)
        return sorted(node.name for node, _ in prepared_entries(graph))

    x, w = sym.var("x"), sym.var("w")
    turned = sym.transpose(w, name="turned")
    used = sym.dot(x, turned, name="used")
    assert prepared(used, 1) == ["turned"]
    assert prepared(used, 2) == [] == prepared(used, 1, training=True)  # all is data; parameters change
    assert prepared(sym.Group([turned, x * 2]), 1) == []  # the caller may write into an output
    deep = sym.exp(turned, name="deep")
    assert prepared(sym.dot(x, deep), 1) == ["deep"] and prepared(sym.exp(x), 1) == []
    noisy = sym.random.uniform(shape=(2, 2), name="noise") + w
    assert prepared(sym.dot(x, noisy), 1) == []
