"""What is said of times follows from a clock that the tests hold, from recorded times, and from calls that they count.

The sentences of verdicts have tests of their own, in test_true_verdicts.py.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from said import Ledger, texts_in

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.timing import (
    CallTimes,
    Collected,
    Comparison,
    Sweep,
    Times,
    call_times,
    compare,
    compare_over,
    comparison,
    drawing,
    in_flight,
    sweep,
    where,
)
from d2lhybrid.internals.pictures.timing.call_times import Takeover
from d2lhybrid.internals.pictures.timing.in_flight import Flight, InFlight
from d2lhybrid.internals.pictures.timing.measuring import Spread
from d2lhybrid.internals.pictures.timing.units import factor, per_cent, seconds_text
from d2lhybrid.internals.pictures.timing.verdict import certainty
from d2lhybrid.internals.pictures.timing.ways import Subject
from d2lhybrid.internals.support.words import in_brackets, translate

X = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
LEDGER = Ledger(texts_in("timing/*.py") - texts_in("timing/verdict.py"))
says, never = LEDGER.says, LEDGER.never
#: The calls that nets of this file got, and how hybridized they were; a deque, because a list would be put back.
CALLS: deque[bool] = deque()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", LEDGER.scenes)
def test_what_is_said_is_what_was_measured(name: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEDGER.play(name, lang, patch=monkeypatch)


def test_every_sentence_is_compared() -> None:
    assert LEDGER.compared == LEDGER.texts


class Ticking(nn.HybridBlock):
    """A net with a clock of its own: a call takes some seconds eagerly, and others hybridized."""

    def __init__(self, eager: float, compiled: float, printed: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.now, self.eager, self.compiled, self.printed = deque([0.0]), eager, compiled, printed

    def __call__(self, *args: Any) -> Any:
        CALLS.append(self._active)
        self.now[0] += self.compiled if self._active else self.eager
        return super().__call__(*args)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        if self.printed:
            print(self.printed)
        return x * 2

    def clock(self) -> float:
        return self.now[0]


def compared(net: Ticking, **options: Any) -> Comparison:
    ways = ["imperative", "hybridized"]
    CALLS.clear()
    return compare(
        net, X, **{"ways": ways, "clock": net.clock, "profile": False, "rounds": 6, "seconds": 1e9} | options
    )


def recorded(eager: float, compiled: float, parts: Any = (), missing: Any = (), rounds: int = 9) -> Comparison:
    """Return a comparison of recorded times, which are the same in each round."""
    found = Comparison(Subject(nn.Dense(2), [X]), ["imperative", "hybridized"], rounds, 1.0, False)
    found.times = [Times("imperative", seconds=[eager] * rounds), Times("hybridized", seconds=[compiled] * rounds)]
    found.where, found._missing = list(parts), list(missing)
    return found


def drawn(picture: Any) -> str:
    """Return the texts of a picture that Matplotlib draws."""
    text = pytest.importorskip("matplotlib.text")
    figure = drawing.call_times_figure(picture) if isinstance(picture, CallTimes) else picture.plot()
    return "\n".join(found.get_text() for found in figure.findobj(text.Text))


# --- call by call ---------------------------------------------------------------------------------------------------

STAYS = "The program stays in tier 0, because no installed backend makes a faster one."
TOO_FEW = "Too few calls were timed to know whether tier 1 takes over: {n}."
LATER = "Tier 1 takes over at call {n}, but only {done} calls were timed."
TAKES_OVER = "Tier 1, compiled by {backend}, takes over at call {n}: from {before} to {after} per call ({factor})."
LAST = "Tier 1, compiled by {backend}, takes over at call {n}, and no later call was timed."
STARTED, TIER, COUNT = "tier 1 takes over; its compiler started at call {n}", "tier 1: {backend}", "{n} calls"


@LEDGER.scene(STAYS, TOO_FEW, LATER, COUNT)
def what_is_known_after_some_calls_is_said(patch: pytest.MonkeyPatch) -> None:
    from d2lhybrid.internals.compiler import tiers

    plans = {
        "nothing is faster": (None, {}, STAYS),
        "too early": (None, {"most": 3}, TOO_FEW),
        "two calls": (None, {"most": 2}, TOO_FEW),
        "later": (tiers.Plan("c", False, 5_000, 9_000), {"most": 40}, LATER),
        "a backend that fails": (tiers.Plan("there is none", False, 8, 9), {"most": 20}, STAYS),
    }
    for plan, options, expected in plans.values():
        patch.setattr(tiers, "plan_for", lambda program, plan=plan: plan)
        CALLS.clear()
        times = call_times(Ticking(0, 0), X, progress=False, **options)
        assert len(times.seconds) == len(CALLS) and all(CALLS) and not times.takeovers
        values = {"n": f"{9000 if expected is LATER else len(CALLS):,}", "done": f"{len(CALLS):,}"}
        says(times.sentence, expected, **(values if expected is not STAYS else {}))
        for other in {STAYS, TOO_FEW, LATER} - {expected}:
            never(times.sentence, other)
        says(times.title, COUNT, n=f"{len(CALLS):,}")


FIRST, SWITCHES = "first call: trace and compile ({time})", "call {n} switches ({time})"
STARTS = "the compiler starts: call {n}"


@LEDGER.scene(TAKES_OVER, LAST, STARTED, TIER, FIRST, SWITCHES, STARTS)
def a_takeover_is_the_call_at_which_the_times_change() -> None:
    for at, later, backend in ((9, 20, "c"), (6, 40, "onednn"), (9, 0, "c")):
        before, after = [2e-4] * (at - 2), [4e-5] * later
        seconds = [0.03 * at, *before, 0.01 * at, *after]
        assert seconds.index(0.01 * at) == at - 1
        times = CallTimes("Net", "float32 (2, 8)", seconds, [Takeover(at, at - 3, backend)])
        rows = "\n".join("  ".join(row) for row in times.rows())
        says(rows, STARTED, n=at - 3)
        picture = drawn(times)
        says(picture, FIRST, time=seconds_text(seconds[0]))
        says(picture, SWITCHES, n=at, time=seconds_text(seconds[at - 1]))
        says(picture, STARTS, n=at - 3)
        says(picture, TIER, backend=backend)
        if later:
            says(rows, TIER, backend=backend)
            says(times.sentence, TAKES_OVER, backend=backend, n=at, before=seconds_text(2e-4),
                 after=seconds_text(4e-5), factor=factor(5))  # fmt: skip
            never(times.sentence, LAST)
        else:
            never(rows, TIER)
            says(times.sentence, LAST, backend=backend, n=at)
            never(times.sentence, TAKES_OVER)
    seconds = [0.04, *[2e-4] * 7, 0.01, *[1e-4] * 5, 0.02, *[4e-5] * 9]
    times = CallTimes("Net", "float32 (2, 8)", seconds, [Takeover(9, 6, "c"), Takeover(15, 10, "c")])
    kinds = [row[1] for row in times.rows()]
    assert kinds[1] == translate("tier 0") and kinds[3] == translate("parts in tier 1"), "of two programs, one is left"
    assert drawn(times).count(translate("parts in tier 1")) == 1
    one = CallTimes("Net", "float32 (2, 8)", [0.04, *[2e-4] * 7])
    for text in (STARTS, SWITCHES, TIER):
        never(drawn(one), text)


# --- compared -------------------------------------------------------------------------------------------------------

ROUNDS = (
    "{rounds} rounds. In each, every mode was timed in turn, over enough calls for the clock's resolution. The "
    "first call and {warm_up} more calls of each mode came before and do not count. A bar is the median, and its line "
    "reaches from the lower to the upper quartile."
)
SURE = (
    "A speed-up is the median of the ratios of all rounds. Its interval contains the true median with {certainty}% "
    "confidence, and at least half of the rounds. If it includes 1, neither mode counts as faster."
)
PAID = (
    "Pays off after: the time of tracing and compiling, divided by the time that a call saves (median of the rounds). "
    "Not shown if the interval of the speed-up includes 1."
)
PAYS, PAYS_DRAWN = "Compiling pays off after {n} calls.", "Compiling pays off after {n} calls"
PRINTED = "The net printed {n} characters during the measurement, which are not shown."


@LEDGER.scene(ROUNDS, SURE)
def the_method_is_what_was_done() -> None:
    for rounds in (5, 6, 30):
        net = Ticking(0.75, 0.25)
        found = compared(net, rounds=rounds)
        text = "\n".join(found.method)
        for active in (False, True):
            before = not active  # a first call of all finds shapes
            warm_up = CALLS.count(active) - rounds - 1 - before
            says(text, ROUNDS, rounds=rounds, warm_up=warm_up)
            assert len(found.times[active].seconds) == rounds and len(found.times[active].warm_up) == warm_up
        says(text, SURE, certainty=certainty(rounds))
        assert certainty(rounds) / 100 <= 1 - 2 * 0.5**rounds and certainty(rounds) == (93 if rounds == 5 else 95)
        verdict = found.verdict("hybridized")
        assert verdict.speed_up == Spread(3, 3, 3) and verdict.certainty == certainty(rounds)


@LEDGER.scene(PAYS, PAYS_DRAWN, COUNT, always=[PAID])
def compiling_pays_off_after_as_many_calls_as_save_its_time() -> None:
    for eager, compiled, prepared in ((0.75, 0.25, 5.1), (0.75, 0.5, 5.1), (0.5, 0.5, 5.1), (0.25, 0.75, 5.1)):
        found = compared(Ticking(eager, compiled))
        found.times[1].trace, found.times[1].compile = 0.1, prepared - 0.1
        saved = eager - compiled
        text, row = "\n".join([*found.sentences, *found.method]), "  ".join(found.rows()[1])
        says(text, PAID)
        if saved > 0:
            calls = next(n for n in itertools.count(1) if n * saved >= prepared)
            says(text, PAYS, n=calls)
            says(row, COUNT, n=calls)
            says(drawn(found), PAYS_DRAWN, n=calls)
            assert calls * saved >= prepared > (calls - 1) * saved
        else:
            never(text, PAYS)
            never(row, COUNT)
            never(drawn(found), PAYS_DRAWN)


@LEDGER.scene(PRINTED)
def what_the_net_printed_is_counted() -> None:
    for printed in ("", "called", "longer than that"):
        net = Ticking(0.75, 0.25, printed)
        with contextlib.redirect_stdout(None):
            found = compared(net)
        text = "\n".join(found.method)
        if printed:
            runs = CALLS.count(False) + 1  # and once while it was traced
            says(text, PRINTED, n=runs * len(f"{printed}\n"))
        else:
            never(text, PRINTED)


KERNELS = "{time} in {n} kernels, {rest} in Python around them"
LINES = "{time} in {n} lines, {rest} in Python around them"
BY_KERNEL, BY_LINE = where.METHODS["imperative"], where.METHODS["compiled"]


def ticks() -> Callable[[], float]:
    """Return a clock that goes on by a second whenever somebody looks."""
    return itertools.count().__next__


@LEDGER.scene(KERNELS, LINES, BY_KERNEL, BY_LINE)
def the_parts_of_a_call_are_its_kernels_and_lines() -> None:
    for layers in (1, 3):
        net = nn.HybridSequential()
        net.add(*(nn.HybridLambda("tanh") for _ in range(layers)))
        subject = Subject(net, [X])
        with subject.opened():
            subject.prepare("imperative")
            kernels, count = where._eager(subject, 2, ticks())
        assert count == layers and kernels == Spread(layers, layers, layers), "a tick for each kernel"
        parts = [
            where.Where("imperative", 1e-5 * count, count, 3e-5),
            where.Where("hybridized", 2e-5, layers + 4, None),
        ]
        found = recorded(1e-5 * count + 3e-5, 2e-5, parts)
        text, method = found.to_text(), "\n".join(found.method)
        share = per_cent(3e-5, 1e-5 * count + 3e-5)
        says(text, KERNELS, time=seconds_text(1e-5 * count), n=count, rest=in_brackets(seconds_text(3e-5), share))
        says(text, LINES, time=seconds_text(2e-5), n=layers + 4, rest=translate("too short to measure"))
        says(method, BY_KERNEL)
        says(method, BY_LINE)
        method = "\n".join(recorded(4e-5, 2e-5).method)
        never(method, BY_KERNEL)
        never(method, BY_LINE)


NO_PROGRAM, APART, SHRINK, STAY = where.NO_PROGRAM, where._APART, where._SHRINK, where._STAY


class Parts(nn.Block):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part = nn.HybridLambda("relu")

    def forward(self, x: Any) -> Any:
        return self.part(x)


@LEDGER.scene(NO_PROGRAM, APART, SHRINK, STAY)
def what_is_said_of_parts_follows_from_them() -> None:
    for net in (Parts(), nn.Sequential(), nn.HybridLambda("relu")):
        if isinstance(net, nn.Sequential):
            net.add(nn.HybridLambda("relu"))
        ways = ["imperative", "hybridized"]
        missing = compare(net, X, ways=ways, rounds=5, seconds=0, progress=False).missing
        if isinstance(net, nn.HybridBlock):
            never(str(missing), NO_PROGRAM)
        else:
            says(str(missing), NO_PROGRAM, net=type(net).__name__)
            assert not hasattr(net, "programs")
    times = Times("imperative", seconds=[2.5e-4, 2.6e-4, 2.7e-4])
    for whole, kernels in ((2.6e-4, 1e-4), (9e-3, 1e-4), (2.6e-4, 8e-3)):
        part = where.part_of(times, Spread(whole, whole, whole), Spread(kernels, kernels, kernels), 3)
        adds_up = whole == 2.6e-4 and kernels < whole
        told = "\n".join(recorded(2.6e-4, 1e-4, missing=[] if adds_up else [part]).method)
        if adds_up:
            assert part == where.Where("imperative", kernels, 3, 2.6e-4 - kernels)
            never(told, APART)
        else:
            says(told, APART, way="imperative", whole=seconds_text(whole), kernels=seconds_text(kernels),
                 median=seconds_text(2.6e-4))  # fmt: skip
    for old, new, before, after in ((16, 6, 22, 2), (16, 15.9, 22, 2), (16, 20, 22, 2), (16, 15.9, 22, 23)):
        parts = [
            where.Where("imperative", old * 1e-6, 8, before * 1e-6),
            where.Where("hybridized", new * 1e-6, 5, after * 1e-6),
        ]
        told = "\n".join(recorded((old + before) * 1e-6, (new + after) * 1e-6, parts).sentences)
        values = {
            key: seconds_text(us * 1e-6)
            for key, us in (("old", old), ("new", new), ("before", before), ("after", after))
        }
        shrinks, stays = new < 0.9 * old, 0.9 * old <= new <= old and after < before
        for text, is_so in ((SHRINK, shrinks), (STAY, stays)):
            if is_so:
                says(told, text, **values)
            else:
                never(told, text)


UNITS = "time of one call ({unit}), median and quartiles"
UNIT, FROM_MEDIANS = "time of one call ({unit})", "computed from the medians ({unit})"


@LEDGER.scene(UNITS, UNIT, FROM_MEDIANS)
def an_axis_has_the_unit_of_its_times() -> None:
    parts = lambda size: [where.Where("imperative", size / 2, 8, size / 2)]  # noqa: E731
    for size, unit, total in ((2e-4, "µs", "ms"), (3e-2, "ms", "s")):
        found = recorded(size, size / 4, parts(size))
        found.times[1].trace, found.times[1].compile = 20 * size, 20 * size
        pytest.importorskip("matplotlib")
        (left, middle, right) = found.plot().axes
        bars = [round(bar.get_width(), 6) for bar in left.patches]
        scale = {"µs": 1e6, "ms": 1e3, "s": 1}
        assert bars == [pytest.approx(size * scale[unit]), pytest.approx(size / 4 * scale[unit])]
        says(left.get_xlabel(), UNITS, unit=unit)
        says(right.get_xlabel(), UNIT, unit=unit)
        says(middle.get_ylabel(), FROM_MEDIANS, unit=total)
        (end,) = {line.get_xdata()[1] for line in middle.lines[:2]}
        assert middle.lines[0].get_ydata()[1] == pytest.approx(end * size * scale[total])
        assert middle.lines[1].get_ydata()[1] == pytest.approx((40 * size + end * size / 4) * scale[total])


# --- over several values --------------------------------------------------------------------------------------------

BUSY = sweep._BUSY
TWO = "Measure at two or more values to see where the gain vanishes."
ALSO = "Hybridized, the net is also faster at the largest measured {what}, {value}."
NOT_AT = "Hybridized, the net is faster at the largest measured {what}, {value}, but not at {values}."
NO_GAIN, VANISHES = "Hybridizing had no measurable gain, at any {what}.", "The gain vanishes at {what} {value}."
OVER, SPEED_UP, GONE = "over {what}", "Speed-up of {way}", "gone at {what} {value}"
CONCLUSIONS = {BUSY, TWO, ALSO, NOT_AT, NO_GAIN, VANISHES}


def swept(what: str, speed_ups: dict[int, float | None], way: str = "hybridized") -> Sweep:
    """Return a sweep with these speed-ups; None are times that show nothing."""
    found = Sweep(lambda value: recorded(1, 1), list(speed_ups), what, way)
    for value, speed_up in speed_ups.items():
        found.measured[value] = one = recorded(3e-4, 3e-4 / (speed_up or 1))
        one.times[1].way = way
        if speed_up is None:
            one.times[1].seconds = [3e-4 * math.exp(math.sin(5 * i)) for i in range(9)]
    return found


@LEDGER.scene(*CONCLUSIONS, OVER, SPEED_UP, GONE)
def the_conclusion_over_values_follows_from_each_of_them() -> None:
    for what, speed_ups, text, values in (
        ("batch size", {1: 3.0}, TWO, {}),
        ("batch size", {1: 3.0, 2: None, 4: 1.0}, BUSY, {"values": "2"}),
        ("depth", {1: None, 2: 3.0}, BUSY, {"values": "1"}),
        ("batch size", {1: 3.0, 2: 2.0}, ALSO, {"value": 2}),
        ("depth", {1: 3.0, 8: 2.0}, ALSO, {"value": 8}),
        ("depth", {1: 3.0, 2: 1.0, 8: 2.0}, NOT_AT, {"value": 8, "values": "2"}),
        ("depth", {1: 0.5, 4: 2.0}, NOT_AT, {"value": 4, "values": "1"}),
        ("batch size", {1: 1.0, 2: 0.5}, NO_GAIN, {}),
        ("depth", {1: 0.5, 2: 0.5}, NO_GAIN, {}),
        ("batch size", {1: 3.0, 2: 2.0, 4: 1.0, 8: 0.5}, VANISHES, {"value": 4}),
        ("depth", {1: 3.0, 2: 0.5}, VANISHES, {"value": 2}),
    ):
        found = swept(what, speed_ups)
        kinds = {v: "faster" if s and s > 1 else "unclear" if s is None else "" for v, s in speed_ups.items()}
        assert {v: c.gain("hybridized") for v, c in found.measured.items()} == {
            v: kind or ("equal" if speed_ups[v] == 1 else "slower") for v, kind in kinds.items()
        }
        if text in (VANISHES, NO_GAIN):
            first = values.get("value", 1)
            assert all((kind == "faster") == (v < first) for v, kind in kinds.items())
        says(found.sentence, text, **({"what": translate(what)} if "{what}" in text else {}), **values)
        for other in CONCLUSIONS - {text}:
            never(found.sentence, other)
        says(found.title, OVER, what=translate(what))
        says(found.to_text(), text, **({"what": translate(what)} if "{what}" in text else {}), **values)
        picture = drawn(found)
        says(picture, SPEED_UP, way="hybridized")
        if text in (VANISHES, NO_GAIN):
            says(picture, GONE, what=what, value=values.get("value", 1))
        else:
            never(picture, GONE)
    says(drawn(swept("depth", {1: 3.0, 2: 2.0}, "static_alloc")), SPEED_UP, way="static_alloc")


MEASURING, MEASURING_OVER = "Measuring {net}", "Measuring over {what}"


@LEDGER.scene(MEASURING, MEASURING_OVER)
def a_progress_bar_names_what_is_measured(patch: pytest.MonkeyPatch) -> None:
    from d2lhybrid.internals.pictures.timing.call_times import progress_bar

    labels: list[str] = []

    @contextlib.contextmanager
    def bar(label: str, show: bool = True) -> Iterator[Callable[[float], None]]:
        labels.append(label)
        with progress_bar(label, False) as told:
            yield told

    for module in (comparison, sweep):
        patch.setattr(module, "progress_bar", bar)
    for net in (Ticking(0.75, 0.25, prefix="a_"), Ticking(0.75, 0.25, prefix="another_")):
        compared(net, rounds=2)
        says(labels.pop(), MEASURING, net=f"Ticking {net.name}")
    net = Ticking(0.75, 0.25)
    options: dict[str, Any] = {"clock": net.clock, "profile": False, "rounds": 2, "seconds": 1e9}
    compare_over(net, [1, 2], X, **options)
    says(labels.pop(0), MEASURING_OVER, what=translate("batch size"))
    compare_over(lambda depth: net, [1, 2], X, **options)
    says(labels[-1], MEASURING_OVER, what="depth")


NOTHING = "benchmark() has not measured anything yet."


@LEDGER.scene(NOTHING)
def what_was_collected_is_compared_with_the_first() -> None:
    says(Collected([]).to_text(), NOTHING)
    found = Collected([("a", 2.0), ("b", 1.0), ("c", 4.0), ("d", 2.0), ("d", 2.0)])
    never(found.to_text(), NOTHING)
    faster, slower = translate("faster"), translate("slower")
    assert [row[3] for row in found.rows()] == ["1×", f"2.00× {faster}", f"2.00× {slower}", "1×"]


# --- in flight ------------------------------------------------------------------------------------------------------

FREE, WAITS, ITSELF = in_flight._FREE, in_flight._STOPS, in_flight._ITSELF
THREAD, ALONE, GPU = in_flight._THREAD, in_flight._ALONE, in_flight._GPU


@LEDGER.scene(FREE, WAITS, ITSELF)
def a_run_is_told_from_its_times() -> None:
    for late in (1.0, 2.5):
        queued = [(0.0, 1e-3), (1e-3, 2e-3)]
        ran = [("dot", 1e-3, 5e-3), ("relu", 5e-3, late * 1e-2)]
        flight = Flight("", queued, [(queued[-1][1], ran[-1][2])], ran)
        says(flight.told, FREE, free=seconds_text(2e-3), end=seconds_text(late * 1e-2))
        never(flight.told, WAITS)
        never(flight.told, ITSELF)
        waits = [(1e-3, 6e-3), (7e-3, late * 1e-2 + 2e-3)]
        flight = Flight("", [(0.0, 1e-3), (6e-3, 7e-3)], waits, [("dot", 1e-3, 5e-3), ("relu", 7e-3, late * 1e-2)])
        busy, end = 4e-3 + late * 1e-2 - 7e-3, late * 1e-2 + 2e-3
        waited = 5e-3 + end - 7e-3
        says(flight.told, WAITS, n=2, waits=seconds_text(waited), share=per_cent(busy, end), end=seconds_text(end))
        never(flight.told, FREE)
        flight.alone = True
        says(flight.told, ITSELF, share=per_cent(busy, end), end=seconds_text(end))
        never(flight.told, WAITS)


@LEDGER.scene(THREAD, ALONE, GPU, ITSELF)
def where_operators_ran_is_said_and_which_run_is_shown() -> None:
    ends: dict[str, list[float]] = {}
    threads: set[str] = set()
    flight = in_flight._Device.flight

    def noted(self: Any, title: str, call: Any, reads: bool) -> Flight:
        found = flight(self, title, call, reads)
        ends.setdefault(title, []).append(found.end)
        return found

    def no_thread(self: Any) -> None:
        raise RuntimeError("can't start new thread")

    net = nn.HybridLambda(lambda F, x: F.tanh(x) * 2)
    for alone in (False, True):
        ends.clear()
        threads.clear()
        with pytest.MonkeyPatch.context() as here:
            here.setattr(in_flight._Device, "flight", noted)
            here.setattr(in_flight, "_fill", lambda targets, results: threads.add(threading.current_thread().name))
            if alone:
                here.setattr(threading.Thread, "start", no_thread)
            picture = InFlight(net, X)
        assert ("d2lhybrid-device" in threads) != alone
        assert [shown.end for shown in picture.flights] == [min(found) for found in ends.values()]
        (runs,) = {len(found) for found in ends.values()}
        says(picture.to_text(), ALONE if alone else THREAD, n=runs)
        for text in {ALONE, THREAD, GPU} - {ALONE if alone else THREAD}:
            never(picture.to_text(), text)
        for shown in picture.flights:
            if alone:
                says(picture.to_text(), ITSELF, share=per_cent(shown.busy, shown.end), end=seconds_text(shown.end))
            else:
                never(shown.told, ITSELF)
    for number in (0, 1):
        picture.device, picture.alone = mx.gpu(number), False
        says(picture.measured, GPU, device=f"gpu({number})", n=runs)
        never(picture.measured, THREAD)
