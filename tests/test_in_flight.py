"""What Python and the device do over time: operators really run from a queue while Python goes on."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest
from simulated_gpu import simulated_gpu
from simulated_gpu.kernels import compiler

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.pictures.timing.in_flight import Flight, InFlight, _Thread

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["FullyConnected", "Activation", "FullyConnected"]


def two_layers(ctx: Any = None) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize(ctx=ctx)
    return net


def check(flight: Flight, names: list[str], waits: int) -> None:
    """Look at the order of events, which is the same however fast the machine is."""
    assert [name for name, *_ in flight.ran] == names
    assert len(flight.queued) == len(names) and len(flight.waits) == waits
    for (queued, _), (_, start, end) in zip(flight.queued, flight.ran, strict=True):
        assert queued <= start <= end
    ends = [0.0, *(end for *_, end in flight.ran)]
    assert all(before <= start for before, (_, start, _) in zip(ends, flight.ran, strict=False))
    assert flight.waits[-1][1] >= ends[-1] and flight.busy <= flight.end


def test_operators_wait_in_a_queue_and_a_program_is_one_of_them() -> None:
    net, x = two_layers(), nd.ones((3, 5))
    picture = InFlight(net, x)
    queued, read, program = picture.flights
    check(queued, LAYERS, 1)
    check(read, LAYERS, 3)
    check(program, ["program"], 1)
    for (_, start, end), (wait, done) in zip(read.ran, read.waits, strict=True):
        assert start <= end <= done and wait <= done
    assert queued.waits[0][0] >= queued.queued[-1][1], "Python waits once, after everything is queued"
    assert not net._active and net[0].weight.shape == (4, 0), "the net is as before"


class TellsWhenItHasGoneOn(gluon.HybridBlock):
    gone_on = threading.Event()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.gone_on.clear()
        y = F.relu(x)
        self.gone_on.set()
        return y


def test_python_goes_on_before_an_operator_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    relu = get_operator("relu")
    kernel, seen = relu.kernel, []

    def patient(*given: Any, **settings: Any) -> Any:
        if threading.current_thread().name == "d2lhybrid-device":
            seen.append(TellsWhenItHasGoneOn.gone_on.wait(20))
        return kernel(*given, **settings)

    monkeypatch.setattr(relu, "kernel", patient)
    with _Thread() as device:
        net = TellsWhenItHasGoneOn()
        call = lambda: net(nd.ones((2,)))  # noqa: E731
        device.rehearse(call)
        device.flight("", call, reads=False)
    assert seen == [True]


def test_the_thread_computes_what_the_net_computes() -> None:
    net, x = two_layers(), nd.ones((3, 5))
    found: list[Any] = []
    with _Thread() as device:
        device.rehearse(lambda: found.append(net(x)))
        x[:] = nd.random.normal(shape=(3, 5))
        for net_is_hybridized in (False, True):
            net.hybridize(net_is_hybridized)
            if net_is_hybridized:
                net(x)
                device._plan.clear()
                device.rehearse(lambda: net(x))
                x[:] = 7
            device.flight("", lambda: found.append(net(x)), reads=False)
            numpy.testing.assert_allclose(found[-1].asnumpy(), net(x).asnumpy(), rtol=1e-5)
    assert abs(found[0] - found[1]).max().asscalar() > 1e-3


def test_an_error_of_an_operator_is_raised_where_python_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    relu = get_operator("relu")
    kernel = relu.kernel

    def fails(*given: Any, **settings: Any) -> Any:
        if threading.current_thread().name == "d2lhybrid-device":
            raise ArithmeticError("inside of the device")
        return kernel(*given, **settings)

    monkeypatch.setattr(relu, "kernel", fails)
    with pytest.raises(ArithmeticError, match="inside of the device"):
        InFlight(nn.HybridLambda("relu"), nd.ones((2,)))
    assert not [thread for thread in threading.enumerate() if thread.name == "d2lhybrid-device"]


@pytest.mark.skipif(compiler() is None, reason="there is no C++ compiler")
def test_on_a_gpu_events_tell_when_operators_run() -> None:
    with simulated_gpu():
        net = two_layers(mx.gpu())
        picture = InFlight(net, nd.ones((3, 5), ctx=mx.gpu()))
        for flight, names, waits in zip(picture.flights, (LAYERS, LAYERS, ["program"]), (1, 3, 1), strict=True):
            check(flight, names, waits)
        assert picture.measured.startswith("Measured on gpu(0) with CUDA events")


def test_where_no_thread_can_be_started_python_runs_the_operators_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(self: Any) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_thread)
        picture = InFlight(two_layers(), nd.ones((3, 5)))
    for flight, names, waits in zip(picture.flights, (LAYERS, LAYERS, ["program"]), (1, 3, 1), strict=True):
        check(flight, names, waits)
        for (_, start, end), (begun, done) in zip(flight.ran, flight.queued, strict=True):
            assert begun <= start <= end <= done, "it ran while Python called it"
    assert "no second thread here" in picture.to_text()


def flights() -> InFlight:
    """Return a picture of times that are known."""
    picture = InFlight.__new__(InFlight)
    picture.device, picture.alone = None, False
    queued = Flight("One operator after the other; Python waits at the end", [(0.0, 0.001), (0.001, 0.002)])
    queued.waits, queued.ran = [(0.002, 0.01)], [("dot", 0.001, 0.005), ("relu", 0.005, 0.01)]
    read = Flight("One operator after the other; Python reads each result", [(0.0, 0.001), (0.006, 0.007)])
    read.waits, read.ran = [(0.001, 0.006), (0.007, 0.012)], [("dot", 0.001, 0.005), ("relu", 0.007, 0.011)]
    picture.flights = [queued, read]
    return picture


def test_sentences_and_bars_say_what_was_measured() -> None:
    picture = flights()
    assert picture.flights[0].told == "Python is done with queuing after 2.00 ms; the device finishes after 10.0 ms."
    assert picture.flights[1].told == "Python waits 2 times, 10.0 ms in all; the device is busy for 67% of 12.0 ms."
    text, page = picture.to_text(), picture.to_html()
    assert "  Python  |PPPPPPPPPP........................................          |" in text
    assert "  device  |     aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbb          |" in text
    assert ". waits  a dot  b relu" in text
    shares = [float(share) for share in re.findall(r'flex: 0 1 ([\d.]+)%[^"]*" title="dot', page)]
    assert shares == [pytest.approx(100 * 4 / 12, abs=0.01)] * 2
    assert "relu: 7.00 ms – 11.0 ms" in page and "<script" not in page
    marks = [float(share) for share in re.findall(r"flex: 0 1 ([\d.]+)%[^>]*border-top", page)]
    assert marks == [pytest.approx(100 * part / 12, abs=0.01) for part in (5, 5, 2)]


def test_in_chinese() -> None:
    with mx.config(lang="zh"):
        page = flights().to_html()
    assert "Python 用 2.00 ms 把算子全部放进队列；设备用 10.0 ms 算完。" in page and "设备" in page and "等待" in page
    assert "waits" not in page and "operator" not in page


def test_only_a_hybrid_block_has_a_program() -> None:
    with pytest.raises(TypeError, match="InFlight needs a HybridBlock, not int"):
        InFlight(3, nd.ones((2,)))


@pytest.mark.parametrize("lesson", ["notebooks/text/08_gpu.md", "notebooks/zh/text/08_gpu.md"])
def test_launches_in_the_lesson_take_as_long_as_was_measured(lesson: str) -> None:
    results = (ROOT / "benchmarks" / "RESULTS-GPU.md").read_text("utf-8")
    text = (ROOT / lesson).read_text("utf-8")
    told = re.findall(r"([\d.]+) µs", text[text.index("H200") :])
    measured = [
        re.search(rf"\| {row} \| ([\d.]+) µs", results)
        for row in (
            "launch of an empty kernel from Python, one after the other",
            "the same, waiting for each",
            "launch of a CUDA graph that holds an empty kernel",
        )
    ]
    assert "NVIDIA H200" in results and told == [f"{float(row[1]):.1f}" for row in measured if row is not None]
