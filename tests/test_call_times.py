"""call_times(): every call is timed, and the moment when tier 1 takes over is the one that happened."""

from __future__ import annotations

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import tiers
from d2lhybrid.internals.compiler.backends import c_compiler
from d2lhybrid.internals.pictures.timing import CallTimes, call_times
from d2lhybrid.internals.pictures.timing.call_times import Takeover

X = nd.ones((2, 8))
needs_compiler = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")


def net_of(*layers: nn.HybridBlock) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(*layers)
    net.initialize()
    return net


def mlp() -> nn.HybridSequential:
    return net_of(nn.Dense(16, activation="tanh"), nn.Dense(4))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the compiler at the sixth call, and switch at the ninth."""
    monkeypatch.setattr(tiers, "plan_for", lambda program: tiers.Plan("c", False, 6, 9))


@pytest.fixture
def nothing_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "plan_for", lambda program: None)


@needs_compiler
@pytest.mark.usefixtures("soon")
def test_the_call_that_switches_is_the_one_that_the_program_names() -> None:
    times = call_times(mlp(), X, progress=False)
    assert times.takeovers == [Takeover(call=9, started=6, backend="c")]
    assert len(times.seconds) > 300 and min(times.seconds) > 0
    assert [row[0] for row in times.rows()] == ["1", "2 – 8", "9", f"10 – {len(times.seconds)}"]
    assert "takes over at call 9" in times.sentence


@needs_compiler
@pytest.mark.usefixtures("soon")
def test_training_steps_are_timed_too() -> None:
    times = call_times(mlp(), X, loss=gluon.loss.L2Loss(), label=nd.ones((2, 4)), progress=False)
    assert [over.call for over in times.takeovers] == [9]


@pytest.mark.usefixtures("nothing_faster")
def test_where_nothing_is_faster_the_program_stays() -> None:
    times = call_times(mlp(), X, progress=False)
    assert not times.takeovers and times.median_of(1) is None
    assert times.sentence == "The program stays in tier 0, because no installed backend makes a faster one."
    assert [row[0] for row in times.rows()] == ["1", f"2 – {len(times.seconds)}"]


@needs_compiler
def test_no_more_calls_are_timed_than_was_said() -> None:
    times = call_times(net_of(nn.Dense(64)), nd.ones((64, 64)), most=12, progress=False)
    assert len(times.seconds) == 12 and times.planned > 12
    assert times.sentence == f"Tier 1 takes over at call {times.planned:,}, but only 12 calls were timed."


@pytest.mark.usefixtures("nothing_faster")
def test_the_net_is_left_as_it_was() -> None:
    net = net_of(nn.Dense(4), nn.BatchNorm())
    net(X)
    before = {name: p.data().asnumpy() for name, p in net.collect_params().items()}
    call_times(net, X, loss=gluon.loss.L2Loss(), label=nd.ones((2, 4)), most=5, progress=False)
    assert not net._active and not net.programs
    for name, p in net.collect_params().items():
        numpy.testing.assert_array_equal(p.data().asnumpy(), before[name])


def made(*calls: int) -> CallTimes:
    seconds = [0.04, *[2e-4] * 7, 0.01, *[4e-5] * 20]
    return CallTimes("Net", "float32 (2, 8)", seconds, [Takeover(call, call - 3, "c") for call in calls])


def test_medians_leave_out_the_first_call_of_each_tier() -> None:
    times = made(9)
    assert (times.median_of(0), times.median_of(1)) == (2e-4, 4e-5)
    assert times.sentence == "Tier 1, compiled by c, takes over at call 9: from 200 µs to 40.0 µs per call (5.00×)."


def test_the_page_shows_picture_table_and_sentence_and_no_script() -> None:
    page = made(9).to_html()
    assert page.count("<img") == 1 and "<script" not in page and "takes over at call 9" in page
    assert "tier 0: lines of NumPy" in page and "tier 1: c" in page


def test_it_is_written_in_chinese() -> None:
    with mx.config(lang="zh"):
        times = made(9)
        assert "第 9 次调用时切换到由 c 编译的第 1 层" in times.to_text()
        assert "第 0 层" in times.to_html()
