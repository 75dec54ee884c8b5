"""First calls, casts and scopes that are disturbed at the moment that matters."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import cached_op
from d2lhybrid.internals.support import clock

from ..forked import is_right_in_a_fork
from .lines import lines_of, pause
from .scenarios import Scopes, check_net, check_switches, data, make_net
from .trying import interruptions


class Disturbed(mx.init.Uniform):
    """Fills a parameter, and lets something happen before that."""

    def __init__(self, happen: Any) -> None:
        super().__init__(0.5)
        self.happen = happen

    def _init_weight(self, name: Any, arr: Any) -> None:
        self.happen()
        super()._init_weight(name, arr)


def net_with(happen: Any, active: bool = True) -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(3))
    net.initialize(Disturbed(happen))
    net.hybridize(active)
    return net


@pytest.mark.parametrize("active", [True, False], ids=["hybridized", "imperative"])
@pytest.mark.parametrize("which", [0, 1])
def test_a_parameter_is_usable_after_ctrl_c_while_it_was_filled(active: bool, which: int) -> None:
    calls: list[int] = []

    def ctrl_c() -> None:
        calls.append(1)
        if len(calls) == which + 1:
            raise KeyboardInterrupt

    net = net_with(ctrl_c, active)
    with pytest.raises(KeyboardInterrupt):
        net(data())
    check_switches()
    check_net(net, data())


def test_a_parameter_is_usable_after_ctrl_c_while_its_arrays_were_made(monkeypatch: Any) -> None:
    net, copyto = net_with(lambda: None), nd.NDArray.copyto

    def ctrl_c(*arguments: Any) -> Any:
        monkeypatch.setattr(nd.NDArray, "copyto", copyto)
        raise KeyboardInterrupt

    monkeypatch.setattr(nd.NDArray, "copyto", ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        net(data())
    check_net(net, data())


@pytest.mark.parametrize("active", [True, False], ids=["hybridized", "imperative"])
def test_many_threads_may_make_the_first_call(active: bool) -> None:
    count, inside, together = 8, threading.Event(), threading.Barrier(8)

    def slowly() -> None:
        inside.wait(0.05)  # the others come in the middle of it

    net, x = net_with(slowly, active), data()
    results: list[Any] = []

    def work() -> None:
        together.wait()
        results.append(net(x).asnumpy())

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == count, "threads have failed"
    assert all(numpy.array_equal(result, results[0]) for result in results)
    check_net(net, x)


@pytest.mark.parametrize("ask", ["data", "list_data", "grad", "list_grad", "list_ctx"])
def test_a_parameter_that_another_thread_fills_meanwhile_waits_or_is_there(ask: str) -> None:
    def look(parameter: Any) -> None:
        with contextlib.suppress(gluon.parameter.DeferredInitializationError):
            assert getattr(parameter, ask)() is not None

    for n in range(1 + len(lines_of(lambda: look(waiting_parameter())))):
        parameter = waiting_parameter()

        def fill(parameter: Any = parameter) -> None:
            parameter.shape = (2, 3)
            parameter._finish_deferred_init()

        assert pause(lambda p=parameter: look(p), n, fill) == []


def waiting_parameter() -> Any:
    parameter = gluon.Parameter("weight", shape=(2, 0), allow_deferred_init=True)
    parameter.initialize()
    return parameter


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("where", ["filling", "compiling"])
def test_a_fork_while_another_thread_makes_the_first_call_leaves_no_lock_taken(where: str, monkeypatch: Any) -> None:
    inside, go_on = threading.Event(), threading.Event()
    begin_compilation = cached_op.begin_compilation

    def wait() -> None:
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            go_on.wait(60)

    def compiling(*arguments: Any, **options: Any) -> Any:
        wait()
        return begin_compilation(*arguments, **options)

    if where == "compiling":
        monkeypatch.setattr(cached_op, "begin_compilation", compiling)
    net = net_with(wait if where == "filling" else lambda: None)
    thread = threading.Thread(target=net, args=(data(),))
    thread.start()
    assert inside.wait(60)

    def check():
        check_net(net, data())
        return True

    right = is_right_in_a_fork(check)
    go_on.set()
    thread.join(60)
    assert right
    check_net(net, data())


def test_a_cast_that_is_interrupted_casts_nothing() -> None:
    class Stubborn(nn.Dense):
        def cast(self, dtype: Any) -> None:
            raise KeyboardInterrupt

    net = make_net()
    net.add(Stubborn(2))
    net[-1].initialize()
    net(data())
    with pytest.raises(KeyboardInterrupt):
        net.cast("float64")
    assert {numpy.dtype(p.dtype) for p in net.collect_params().values()} == {numpy.dtype("float32")}
    assert {p.data().dtype for p in net.collect_params().values()} == {numpy.float32}


def test_scopes_are_left_whatever_line_ctrl_c_comes_at() -> None:
    outcome = interruptions(Scopes)
    assert outcome.tried > 50
    assert not outcome.lost


def test_a_file_that_does_not_fit_is_not_loaded_at_all(tmp_path: Any) -> None:
    net, other = make_net(), make_net()
    net(data())
    other(data())
    values = other.collect_params()
    file = str(tmp_path / "other.params")
    other.save_parameters(file)
    saved = nd.load(file)
    last = list(saved)[-1]
    nd.save(file, {**saved, last: nd.ones((9,))})
    before = {name: p.data().asnumpy() for name, p in net.collect_params().items()}
    with pytest.raises(AssertionError, match="shape incompatible"):
        net.load_parameters(file)
    for name, parameter in net.collect_params().items():
        numpy.testing.assert_array_equal(parameter.data().asnumpy(), before[name])
    assert values


def test_a_scope_serves_several_threads() -> None:
    """One context object may be entered by several threads: each leaves it for the context that it had."""
    shared, inside, go_on = mx.cpu(3), threading.Event(), threading.Event()
    found = []

    def work() -> None:
        with mx.cpu(1):
            with shared:
                inside.set()
                go_on.wait(60)
            found.append(mx.current_context())

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(60)
    with mx.cpu(2), shared:  # entered last and not left yet, when the other one leaves
        go_on.set()
        thread.join(60)
    assert found == [mx.cpu(1)]


@pytest.mark.parametrize("how", ["a write", "an update", "a copy", "arithmetic"])
def test_a_write_is_known_of_when_ctrl_c_comes_right_after_it(how: str, monkeypatch: Any) -> None:
    net, x = make_net(), data()
    net.hybridize()
    for _ in range(3):
        net(x)
    (program,) = net.programs
    assert program.prepare is not None, "nothing is computed from parameters alone"
    weight = net[0].scale
    optimizer = mx.optimizer.SGD(learning_rate=1.0)
    ways = {
        "a write": lambda: weight.data().__setitem__(slice(None), 2),
        "an update": lambda: optimizer.update(0, weight.data(), nd.ones(weight.shape), None),
        "a copy": lambda: nd.full(weight.shape, 5).copyto(weight.data()),
        "arithmetic": lambda: weight.data().__imul__(3),
    }
    before = weight.data().asnumpy().copy()

    def silent(raws: Any = None) -> None:
        if not numpy.array_equal(weight.data().asnumpy(), before):
            raise KeyboardInterrupt
        inner(raws)

    inner = clock.note_write
    monkeypatch.setattr(clock, "note_write", silent)
    with pytest.raises(KeyboardInterrupt):
        ways[how]()
    monkeypatch.undo()
    check_net(net, x)


def test_an_optimizer_goes_on_after_ctrl_c_while_a_state_was_made() -> None:
    class Once(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            if not self:
                self.update(raised=True)
                raise KeyboardInterrupt
            super().__setitem__(key, value)

    updater = mx.optimizer.get_updater(mx.optimizer.Adam())
    updater.states_synced = Once()
    weight = nd.ones((3,))
    with pytest.raises(KeyboardInterrupt):
        updater(0, nd.ones((3,)), weight)
    updater(0, nd.ones((3,)), weight)
    assert (weight.asnumpy() < 1).all()


def test_scopes_work_by_hand_and_in_an_exit_stack() -> None:
    with contextlib.ExitStack() as stack:
        stack.enter_context(autograd.record())
        stack.enter_context(mx.cpu(2))
        stack.enter_context(mx.cpu(2))
        assert autograd.is_recording() and mx.current_context() == mx.cpu(2)
    check_switches()
    scope = autograd.record()
    scope.__enter__()
    assert autograd.is_recording()
    scope.__exit__(None, None, None)
    check_switches()
