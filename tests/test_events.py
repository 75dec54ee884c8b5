"""Whoever listens hears of what his own thread does, for as long as his scope is open; nobody else pays."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy
import pytest

from d2lhybrid import check_hybridization, compile_steps, nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.observing import observe
from d2lhybrid.internals.pictures.lines import tracing
from d2lhybrid.internals.support import events
from d2lhybrid.internals.support.events import listening

X = nd.ones((2, 3))
EVENTS = events._EVENTS


@pytest.fixture(autouse=True)
def nobody_listens_afterwards() -> Iterator[None]:
    """See that every test leaves all events, and the tracer, as it found them."""
    before = sys.gettrace()
    yield
    gc.collect()
    assert not any(EVENTS.values())
    assert sys.gettrace() is before


class Heard(list[str]):
    """The names of the operators that ran."""

    def ran(self, op: Any, params: dict[str, Any], results: list[Any]) -> None:
        """Hear of an operator."""
        self.append(op.name)


def make() -> nn.HybridSequential:
    """Return a net of two layers, hybridized."""
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize()
    net.hybridize()
    return net


# --- what is told -------------------------------------------------------------------------------------


def test_operators_on_arrays_are_told_with_what_they_were_given_and_made() -> None:
    seen = []
    with listening(operator_ran=lambda *what: seen.append(what)):
        y = X + 2
        parts = nd.split(X, num_outputs=3, axis=1)
    (plus, params, results), (split, _, made) = seen
    assert (plus.name, params, split.name) == ("_plus_scalar", {"scalar": 2.0}, "SliceChannel")
    assert results[0] is y and all(a is b for a, b in zip(made, parts, strict=True))


def test_a_compilation_is_told_from_the_nodes_to_the_program() -> None:
    heard: dict[str, list[Any]] = {name: [] for name in EVENTS if name != "function_entered"}
    net = make()
    with listening(**{name: (lambda *what, name=name: heard[name].append(what)) for name in heard}):
        net(X)
    assert [node.op.name for (node,) in heard["node_made"]] == ["FullyConnected", "Activation", "FullyConnected"]
    assert [type(block).__name__ for block, _, _ in heard["block_called"]] == ["Activation", "Dense", "Dense"]
    (program,) = heard["program_compiled"][0]
    assert program is net.programs[0]
    assert [stage for (stage,) in heard["pass_done"]] == program.stages
    shapes = {(node.op.name, found) for node, (_, _), found in heard["shape_found"] if isinstance(found, tuple)}
    assert {("FullyConnected", (2, 4)), ("FullyConnected", (4, 3)), ("FullyConnected", (2, 2))} <= shapes
    again = {name: len(what) for name, what in heard.items()}
    net(X)
    assert {name: len(what) for name, what in heard.items()} == again


def test_an_event_that_does_not_exist_is_named() -> None:
    with pytest.raises(TypeError, match=r"unknown event 'operator_run'\. The events are operator_ran, node_made"):
        listening(operator_run=print, node_made=print)


# --- scopes -------------------------------------------------------------------------------------------


def test_nested_scopes_are_all_told_the_outer_ones_first() -> None:
    order: list[str] = []
    with listening(operator_ran=lambda *_: order.append("outer")):
        with listening(operator_ran=lambda *_: order.append("inner")):
            nd.ones((1,))
        nd.ones((1,))
    nd.ones((1,))
    assert order == ["outer", "inner", "outer"]


def test_the_same_function_in_two_scopes_is_told_twice() -> None:
    heard = Heard()
    with listening(operator_ran=heard.ran):
        with listening(operator_ran=heard.ran):
            nd.ones((1,))
        nd.ones((1,))
    assert heard == ["_ones"] * 3


def test_a_scope_can_be_used_again_but_not_within_itself() -> None:
    heard = Heard()
    scope = listening(operator_ran=heard.ran)
    for _ in range(2):
        with scope:
            nd.ones((1,))
            with pytest.raises(RuntimeError, match="cannot be entered again before it ends"):
                scope.__enter__()
    assert heard == ["_ones"] * 2


def test_a_scope_that_an_exception_leaves_is_left() -> None:
    heard = Heard()
    with pytest.raises(KeyError), listening(operator_ran=heard.ran, node_made=print):
        raise KeyError
    nd.ones((1,))
    assert heard == []


def test_scopes_may_end_in_another_order_than_they_began() -> None:
    first, second = Heard(), Heard()
    a, b = listening(operator_ran=first.ran), listening(operator_ran=second.ran)
    a.__enter__()
    b.__enter__()
    a.__exit__(None, None, None)
    a.__exit__(None, None, None)  # once is enough, twice does no harm
    nd.ones((1,))
    b.__exit__(None, None, None)
    nd.ones((1,))
    assert (first, second) == ([], ["_ones"])


def test_a_generator_listens_from_where_it_begins_to_where_it_ends() -> None:
    inner, outer = Heard(), Heard()

    def generator() -> Iterator[int]:
        with listening(operator_ran=inner.ran):
            yield 1
            yield 2

    running = generator()
    next(running)
    with listening(operator_ran=outer.ran):
        nd.ones((1,))
        running.close()  # its scope began before this one, and ends within it
        nd.zeros((1,))
    assert (inner, outer) == (["_ones"], ["_ones", "_zeros"])


def test_a_generator_that_another_thread_ends_stops_listening_to_the_first() -> None:
    heard = Heard()

    def generator() -> Iterator[None]:
        with listening(operator_ran=heard.ran):
            yield

    running = generator()
    next(running)
    thread = threading.Thread(target=running.close)
    thread.start()
    thread.join()
    nd.ones((1,))
    assert heard == []


def test_a_generator_that_nobody_finishes_stops_listening_when_it_is_gone() -> None:
    heard = Heard()

    def generator() -> Iterator[None]:
        with listening(operator_ran=heard.ran):
            yield

    running = generator()
    next(running)
    del running
    gc.collect()
    nd.ones((1,))
    assert heard == []


def test_ctrl_c_leaves_no_listener_behind() -> None:
    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for n in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 2e-5 + n * 1e-6)
                for _ in range(1000):
                    with listening(operator_ran=print, node_made=print, shape_found=print):
                        pass
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert not any(EVENTS.values())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 100


# --- threads ------------------------------------------------------------------------------------------


def test_two_threads_hear_each_of_themselves() -> None:
    barrier, heard = threading.Barrier(3), {"a": Heard(), "b": Heard()}
    work = {"a": lambda: X + 1, "b": lambda: X * 2}

    def run(name: str) -> None:
        with listening(operator_ran=heard[name].ran):
            barrier.wait(60)
            for _ in range(50):
                work[name]()
            barrier.wait(60)

    threads = [threading.Thread(target=run, args=name) for name in work]
    for thread in threads:
        thread.start()
    barrier.wait(60)
    nd.zeros((1,))  # this one listens to nothing, while the others do
    barrier.wait(60)
    for thread in threads:
        thread.join()
    assert heard == {"a": ["_plus_scalar"] * 50, "b": ["_mul_scalar"] * 50}


def test_programs_that_another_thread_compiles_are_not_collected() -> None:
    with observe() as programs:
        thread = threading.Thread(target=lambda: make()(X))
        thread.start()
        thread.join()
        assert programs == []
        net = make()
        net(X)
    assert programs == net.programs


# --- listeners that do something ----------------------------------------------------------------------


def test_what_a_listener_raises_comes_out_of_the_act_and_all_go_on_listening() -> None:
    heard, fail = Heard(), [True]

    def refuse(*_: Any) -> None:
        if fail:
            raise ValueError(fail.pop())

    with listening(operator_ran=refuse), listening(operator_ran=heard.ran):
        with pytest.raises(ValueError, match="True"):
            nd.ones((1,))
        nd.zeros((1,))
        fail.append(True)
        with pytest.raises(ValueError, match="True"):
            nd.zeros((1,))
    assert heard == ["_zeros"]


def test_a_listener_that_fails_while_a_net_is_traced_leaves_the_net_usable() -> None:
    def refuse(*_: Any) -> None:
        raise ValueError("no")

    net = make()
    for event in ("node_made", "block_called", "shape_found", "pass_done", "program_compiled"):
        with pytest.raises(ValueError, match="no"), listening(**{event: refuse}):
            make()(X)
        with pytest.raises(ValueError, match="no"), listening(**{event: refuse}):
            net(X)
        expected = net(X).asnumpy()
        net.hybridize(False)
        numpy.testing.assert_allclose(net(X).asnumpy(), expected, rtol=1e-5)
        net.hybridize()


def test_a_listener_hears_nothing_of_what_it_does_itself_but_others_do() -> None:
    heard, other = [], Heard()

    def double(op: Any, params: dict[str, Any], results: list[Any]) -> None:
        heard.append((op.name, (results[0] * 2).asnumpy().tolist()))

    with listening(operator_ran=double), listening(operator_ran=other.ran):
        nd.ones((1,))
    assert heard == [("_ones", [2.0])]
    assert other == ["_mul_scalar", "_ones"]


def test_a_net_that_a_listener_traces_for_the_first_time_can_be_peeked_into() -> None:
    net = make()

    def call(*_: Any) -> None:
        net(X)

    with listening(operator_ran=call, block_called=lambda *_: None):
        nd.ones((1,))
    with net.peek(net[0]) as seen:
        net(X)
    assert len(seen) == 1


def test_who_leaves_during_an_event_is_not_told_of_it_any_more() -> None:
    heard = Heard()
    later = listening(operator_ran=heard.ran)

    def leave(*_: Any) -> None:
        later.__exit__(None, None, None)

    with listening(operator_ran=leave), contextlib.suppress(RuntimeError):
        later.__enter__()
        nd.ones((1,))
        nd.zeros((1,))
    assert heard == []


def test_a_listener_may_leave_by_itself_and_those_after_it_are_told() -> None:
    once, heard = Heard(), Heard()

    def hear_once(op: Any, params: dict[str, Any], results: list[Any]) -> None:
        once.append(op.name)
        scope.__exit__(None, None, None)

    scope = listening(operator_ran=hear_once)
    scope.__enter__()
    with listening(operator_ran=heard.ran):
        nd.ones((1,))
        nd.zeros((1,))
    assert (once, heard) == (["_ones"], ["_ones", "_zeros"])


def test_who_comes_during_an_event_is_told_of_the_next_one() -> None:
    heard = Heard()
    later = listening(operator_ran=heard.ran)

    def come(*_: Any) -> None:
        with contextlib.suppress(RuntimeError):
            later.__enter__()

    with listening(operator_ran=come):
        nd.ones((1,))
        nd.zeros((1,))
    later.__exit__(None, None, None)
    assert heard == ["_zeros"]


# --- lines --------------------------------------------------------------------------------------------


def one(x: int) -> int:
    """Return a number."""
    y = x + 1
    return y * 2


def lines_of_one(seen: list[Any]) -> Any:
    """Return what traces the lines of :func:`one`, from its first."""
    first = one.__code__.co_firstlineno

    def follow(frame: FrameType, event: str, argument: Any) -> None:
        seen.append((frame.f_lineno - first, event, argument))

    return lambda frame: follow if frame.f_code is one.__code__ else None


ONE = [(2, "line", None), (3, "line", None), (3, "return", 4)]


def test_tracers_within_tracers_all_hear_of_a_function() -> None:
    outer, inner = [], []
    with tracing(lines_of_one(outer)):
        with tracing(lines_of_one(inner)):
            one(1)
        one(1)
    one(1)
    assert (outer, inner) == (ONE * 2, ONE)


def test_a_tracer_hears_of_its_own_thread_alone() -> None:
    seen: list[Any] = []
    thread = threading.Thread(target=one, args=(1,))
    with tracing(lines_of_one(seen)):
        thread.start()
        thread.join()
        assert seen == []
        one(1)
    assert seen == ONE


def test_a_tracer_of_somebody_elses_is_there_again_even_after_an_exception() -> None:
    def other(*_: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(other)
    try:
        with pytest.raises(KeyError), tracing(lambda frame: None):
            raise KeyError
        assert sys.gettrace() is other
    finally:
        sys.settrace(before)


def test_a_generator_that_is_traced_in_parts_is_followed_inside_the_scope_only() -> None:
    def numbers() -> Iterator[int]:
        yield 1
        yield 2
        yield 3

    seen: list[tuple[str, Any]] = []

    def follow(frame: FrameType, event: str, argument: Any) -> None:
        seen.append((event, argument))

    running = numbers()
    next(running)
    with tracing(lambda frame: follow if frame.f_code is numbers.__code__ else None):
        next(running)
    next(running)
    assert seen == [("line", None), ("return", 2)]


def test_a_net_is_traced_stepped_through_and_checked_at_once() -> None:
    class Net(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            y = F.relu(x)
            return y + y

    net = Net()
    net.hybridize()
    alone = str(compile_steps(net, X, measure=False))
    with print_trace(net) as trace:
        assert str(compile_steps(net, X, measure=False)) == alone
        assert not check_hybridization(net, X)
        net(X)
    assert [call.kind for call in trace.calls][-1] == "traced"
    assert any("F.relu" in line for line in trace.to_text().splitlines())
