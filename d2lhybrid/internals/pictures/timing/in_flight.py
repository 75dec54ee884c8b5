"""The activities of Python and of the device over time, measured while a net runs operators from a queue."""

from __future__ import annotations

import contextlib
import functools
import itertools
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy

from d2lhybrid.gluon import HybridBlock

from ...device import array_modules
from ...support import events
from ...support.display import Shown
from ...support.words import translate
from ..graph_visible import letters
from ..html import element, escape
from ..picture import Picture
from ..theme import PALETTE, tint
from .units import per_cent, seconds_text
from .ways import Subject

__all__ = ["Flight", "InFlight"]

#: Descriptions of the runs.
QUEUED = "One operator after the other; Python waits at the end"
READ = "One operator after the other; Python reads each result"
PROGRAM = "Hybridized: one program; Python waits at the end"
_THREAD = (
    "No GPU can be used here, so a second thread of this process is the device: it takes operators from a queue and "
    "runs them. All times were measured; of {n} runs, the fastest is shown."
)
_ALONE = (
    "There is no GPU and no second thread here, so Python runs each operator itself, and nothing is in flight. All "
    "times were measured; of {n} runs, the fastest is shown."
)
_GPU = "Measured on {device} with CUDA events; of {n} runs, the fastest is shown."
_FREE = "Python is done with queuing after {free}; the device finishes after {end}."
_ITSELF = "Python ran the operators itself, for {share} of {end}."
_STOPS = "Python waits {n} times, {waits} in all; the device is busy for {share} of {end}."
#: The number of runs, of which the fastest is shown.
_RUNS = 5
#: The width of a lane as text in characters, and the signs of Python's activities.
_WIDTH = 60
_SIGNS = {"python": "P", "waits": "."}


@dataclass(repr=False)
class Flight(Shown):
    """A run of a net. All times are in seconds after the start of the run.

    Attributes
    ----------
    title : str
        Description of the run.
    queued : list of (float, float)
        Start and end of each time that Python queued an operator.
    waits : list of (float, float)
        Start and end of each time that Python waited for the device.
    ran : list of (str, float, float)
        Name, start, and end of each operator on the device.
    alone : bool
        Whether Python ran each operator itself.
    """

    title: str
    queued: list[tuple[float, float]] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)
    ran: list[tuple[str, float, float]] = field(default_factory=list)
    alone: bool = False

    @property
    def end(self) -> float:
        """The time, in seconds, when Python and the device have finished."""
        return max(end for *_, end in [*self.queued, *self.waits, *self.ran])

    @property
    def busy(self) -> float:
        """The total time during which the device computed, in seconds."""
        return sum(end - start for _, start, end in self.ran)

    @property
    def told(self) -> str:
        """A sentence that describes the run."""
        if self.alone:
            return translate(_ITSELF, share=per_cent(self.busy, self.end), end=seconds_text(self.end))
        if len(self.waits) == 1:
            return translate(_FREE, free=seconds_text(self.waits[0][0]), end=seconds_text(self.ran[-1][2]))
        waits = seconds_text(sum(end - start for start, end in self.waits))
        return translate(
            _STOPS, n=len(self.waits), waits=waits, share=per_cent(self.busy, self.end), end=seconds_text(self.end)
        )

    @property
    def lanes(self) -> list[tuple[str, list[tuple[str, str, float, float]]]]:
        """The kind, name, start, and end of each activity of Python and of the device."""
        host, at = [], 0.0
        for start, end in self.waits:
            host += [("python", "Python", at, start), ("waits", translate("waits"), start, end)]
            at = end
        return [("Python", host), (translate("device"), [("ran", *one) for one in self.ran])]


class InFlight(Picture):
    """The activities of Python and of the device when a net is called in three modes.

    Parameters
    ----------
    net : HybridBlock
        The net, whose state is restored afterwards.
    *inputs : NDArray
        Arguments of the net.

    Attributes
    ----------
    flights : list of Flight
        Three runs: with queued operators, with a read after each operator, and with one program.
    device : Context or None
        GPU, or None if a thread represents the device.
    alone : bool
        Whether Python runs each operator itself, because there is neither a GPU nor a thread, as in a browser.

    Raises
    ------
    TypeError
        If ``net`` is not a hybrid block.
    ValueError
        If there is no input.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridSequential()
    >>> net.add(nn.Dense(256, activation="relu"), nn.Dense(256))
    >>> net.initialize()
    >>> picture = InFlight(net, nd.ones((64, 256)))
    >>> [name for name, start, end in picture.flights[0].ran]
    ['FullyConnected', 'Activation', 'FullyConnected']
    """

    flights: list[Flight]
    device: Any
    alone: bool

    def __init__(self, net: Any, *inputs: Any) -> None:
        if not isinstance(net, HybridBlock):
            raise TypeError(f"InFlight needs a HybridBlock, not {type(net).__name__}")
        subject = Subject(net, inputs)
        self.device = subject.ctx if subject.ctx.device_typeid == 2 else None
        self.alone = self.device is None and not _can_start_a_thread()
        call = functools.partial(net, *subject.inputs)
        self.flights = []
        with subject.opened():
            for way, titles in (("imperative", (QUEUED, READ)), ("hybridized", (PROGRAM,))):
                subject.prepare(way)
                call()  # infers parameter shapes, and compiles programs
                for title in titles:
                    with self._open_device() as device:
                        device.rehearse(call)
                        runs = [device.flight(title, call, reads=title is READ) for _ in range(_RUNS)]
                    self.flights.append(min(runs, key=lambda flight: flight.end))
                    self.flights[-1].alone = self.alone

    def _open_device(self) -> Any:
        if self.device is not None:
            return contextlib.nullcontext(_Gpu(self.device))
        return contextlib.nullcontext(_Here()) if self.alone else _Thread()

    @property
    def measured(self) -> str:
        """A sentence about how the times were measured."""
        text = _GPU if self.device is not None else _ALONE if self.alone else _THREAD
        return translate(text, device=self.device, n=_RUNS)

    @property
    def _signs(self) -> dict[str, str]:
        """The character for each type of operator."""
        names = dict.fromkeys(name for flight in self.flights for name, *_ in flight.ran)
        return dict(zip(names, itertools.cycle("abcdefghijklmnopqrstuvwxyz"), strict=False))

    def to_dict(self) -> dict[str, Any]:
        """Return the activities of all runs as a JSON-compatible dictionary."""
        return {
            "flights": [{"title": translate(f.title), "told": f.told, "lanes": f.lanes} for f in self.flights],
            "measured": self.measured,
        }

    def to_text(self) -> str:
        """Return two lanes and a sentence for each run, with a character for each type of operator."""
        whole, signs = max(flight.end for flight in self.flights), self._signs
        lines = []
        for flight in self.flights:
            lines.append(translate(flight.title))
            for name, parts in flight.lanes:
                lane = [" "] * _WIDTH
                for kind, label, start, end in parts:
                    first = min(int(start / whole * _WIDTH), _WIDTH - 1)
                    last = max(int(end / whole * _WIDTH), first + 1)
                    lane[first:last] = (signs[label] if kind == "ran" else _SIGNS[kind]) * (last - first)
                lines.append(f"  {name:<8}|{''.join(lane[:_WIDTH])}|")
            lines.append(f"  {flight.told}")
        legend = [f"{_SIGNS['waits']} {translate('waits')}", *(f"{letter} {name}" for name, letter in signs.items())]
        return "\n".join([*lines, "  ".join(legend), self.measured])

    def to_html(self) -> str:
        """Return two bars and a sentence for each run, with a common time axis."""
        whole = max(flight.end for flight in self.flights)
        rows = [_row(flight, whole, self._signs) for flight in self.flights]
        several = {name for flight in self.flights if len(flight.ran) > 1 for name, *_ in flight.ran}
        named = " · ".join(f"{letter} {name}" for name, letter in self._signs.items() if name in several)
        rows.append(element("div", escape(named), style="font-size: 12px; margin-left: 56px"))
        note = element("div", escape(self.measured), style="font-size: 12px; opacity: 0.8; margin-top: 4px")
        return element("div", *rows, _axis(whole), note, style="margin: 6px 0; max-width: 1600px")


# --- devices -------------------------------------------------------------------------------------------------------


class _Device:
    """A device that receives the operators of a net, and records their times."""

    def rehearse(self, call: Callable[[], Any]) -> None:
        """Call the net to find out which operators it calls."""
        call()

    def flight(self, title: str, call: Callable[[], Any], reads: bool) -> Flight:
        """Call the net; wait for the device at the end, or, with ``reads``, after each operator."""
        flight, begun = Flight(title), [0.0]

        def begins(op: Any, params: dict[str, Any], backward: bool) -> Any:
            begun[0] = clock()
            return self.queue(op.name, op.kernel)

        def ran(op: Any, params: dict[str, Any], results: list[Any]) -> None:
            self.queued()
            flight.queued.append((begun[0], clock()))
            if reads:
                self.wait()
                results[0].asnumpy()
                flight.waits.append((flight.queued[-1][1], clock()))

        def program(source: Any, run: Any) -> Any:
            def queue_it(*given: Any) -> Any:
                begun[0] = clock()
                found = self.queue("program", run) or run
                results = found(*given)
                self.queued()
                flight.queued.append((begun[0], clock()))
                return results

            return queue_it

        self.start()
        zero = time.perf_counter()

        def clock() -> float:
            return time.perf_counter() - zero

        with events.listening(call_begins=begins, operator_ran=ran, program_called=program):
            call()
        last = clock()
        self.wait()
        if not reads:
            flight.waits.append((last, clock()))
        flight.ran = self.timeline(zero)
        return flight

    def start(self) -> None:
        """Prepare for a run."""
        raise NotImplementedError

    def queue(self, name: str, work: Callable[..., Any]) -> Callable[..., Any] | None:
        """Return a replacement for an operator's kernel or a program, or None to call the original."""
        raise NotImplementedError

    def queued(self) -> None:
        """Record the end of a queuing operation."""

    def wait(self) -> None:
        """Wait until all operators have finished."""
        raise NotImplementedError

    def timeline(self, zero: float) -> list[tuple[str, float, float]]:
        """Return the operators that ran, with their times in seconds after the start."""
        raise NotImplementedError


class _Here(_Device):
    """A substitute without a device: Python runs each operator when it is called."""

    def start(self) -> None:
        self._ran: list[tuple[str, float, float]] = []

    def queue(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **settings: Any) -> Any:
            start = time.perf_counter()
            results = work(*given, **settings)
            self._ran.append((name, start, time.perf_counter()))
            return results

        return run

    def wait(self) -> None:
        """Return immediately, because every operator has finished."""

    def timeline(self, zero: float) -> list[tuple[str, float, float]]:
        return [(name, start - zero, end - zero) for name, start, end in self._ran]


def _can_start_a_thread() -> bool:
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return False
    return True


class _Thread(_Device):
    """A thread that, like a GPU, runs operators from a queue and writes to memory that Python already has.

    A rehearsal determines the operators of a net, and the shapes of their results.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="d2lhybrid-device", daemon=True)
        self._plan: list[tuple[str, Any]] = []
        self._next: Iterator[tuple[str, Any]] = iter(())
        self._ran: list[tuple[str, float, float]] = []
        self._error: Exception | None = None

    def __enter__(self) -> _Thread:
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(2e-5)  # lets threads alternate quickly
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        sys.setswitchinterval(self._interval)
        self._queue.put(None)
        self._thread.join()

    def rehearse(self, call: Callable[[], Any]) -> None:
        def remember(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
            def run(*given: Any, **settings: Any) -> Any:
                results = work(*given, **settings)
                self._plan.append((name, _like(results)))
                return results

            return run

        with events.listening(
            call_begins=lambda op, params, backward: remember(op.name, op.kernel),
            program_called=lambda source, run: remember("program", run),
        ):
            call()

    def start(self) -> None:
        self._next, self._ran = iter([(name, _like(results)) for name, results in self._plan]), []

    def queue(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def put(*given: Any, **settings: Any) -> Any:
            expected, results = next(self._next, ("", None))
            if name != expected:
                raise ValueError(
                    f"The net calls {name} where an earlier call with the same inputs called "
                    f"{expected or 'no more operators'}"
                )
            self._queue.put((name, functools.partial(work, *given, **settings), results))
            return results

        return put

    def wait(self) -> None:
        done = threading.Event()
        self._queue.put(done)
        done.wait()
        if self._error is not None:
            raise self._error

    def timeline(self, zero: float) -> list[tuple[str, float, float]]:
        return [(name, start - zero, end - zero) for name, start, end in self._ran]

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
                continue
            name, work, results = item
            start = time.perf_counter()
            try:
                _fill(results, work())
            except Exception as error:
                self._error = error
            self._ran.append((name, start, time.perf_counter()))


class _Gpu(_Device):
    """A GPU, whose stream records events before and after each operator."""

    def __init__(self, ctx: Any) -> None:
        self._ctx, self._cuda = ctx, array_modules.array_module(ctx).cuda
        self._marks: list[tuple[str, Any, Any]] = []

    def start(self) -> None:
        self._marks = []
        self.wait()
        self._zero = self._cuda.Event()
        self._zero.record()
        self._zero.synchronize()

    def queue(self, name: str, work: Callable[..., Any]) -> None:
        self._marks.append((name, self._cuda.Event(), self._cuda.Event()))
        self._marks[-1][1].record()

    def queued(self) -> None:
        self._marks[-1][2].record()

    def wait(self) -> None:
        array_modules.synchronize(self._ctx)

    def timeline(self, zero: float) -> list[tuple[str, float, float]]:
        def seconds(event: Any) -> float:
            return self._cuda.get_elapsed_time(self._zero, event) * 1e-3

        return [(name, seconds(start), seconds(end)) for name, start, end in self._marks]


def _like(results: Any) -> Any:
    """Return copies of a result's arrays, so that early reads return valid numbers."""
    if isinstance(results, list | tuple):
        return type(results)(map(_like, results))
    return None if results is None else numpy.array(results)


def _fill(targets: Any, results: Any) -> None:
    if isinstance(targets, list | tuple):
        for target, result in zip(targets, results, strict=True):
            _fill(target, result)
    elif targets is not None:
        targets[...] = results


# --- HTML ----------------------------------------------------------------------------------------------------------

_COLOURS = {"python": "eager", "waits": "", "ran": "compiled"}
_LABEL = "flex: 0 0 56px; font-size: 12px; opacity: 0.8"


def _row(flight: Flight, whole: float, signs: dict[str, str]) -> str:
    lanes = []
    for name, parts in flight.lanes:
        bars, at = [], 0.0
        for i, (kind, label, start, end) in enumerate(parts):
            text = f"{label}: {seconds_text(start)} – {seconds_text(end)}"
            bars.append(_bar("", "", "", (start - at) / whole))
            bars.append(
                _bar(kind, label if len(parts) == 1 else signs.get(label, label), text, (end - start) / whole, i)
            )
            at = max(at, end)
        lane = element("div", *bars, _bar("", "", "", max(0.0, 1 - at / whole)),
                       style="flex: 1 1 0; min-width: 0; display: flex; height: 20px")  # fmt: skip
        lanes.append(element("div", element("div", escape(name), style=_LABEL), lane,
                             style="display: flex; align-items: center; margin: 1px 0"))  # fmt: skip
    title = element("div", escape(translate(flight.title)), style="font-weight: 600")
    told = element("div", escape(flight.told), style="margin: 1px 0 10px")
    return element("div", title, *lanes, told)


def _bar(kind: str, name: str, title: str, share: float, number: int = 0) -> str:
    """Return a part of a lane; include its name if even a narrow page has space for the name."""
    if not kind:
        return element("div", style=f"flex: 0 1 {100 * max(share, 0.0):.3f}%") if share > 0 else ""
    colour = _COLOURS[kind]
    style = f"flex: 0 1 {100 * share:.3f}%; min-width: 2px; box-sizing: border-box; overflow: hidden; line-height: 20px"
    if colour:
        style += f"; background: {tint(colour, 0.55 if number % 2 and kind == 'ran' else 0.4)}"
        style += f"; border-left: 1px solid {PALETTE[colour][0]}"
    else:
        style += f"; border: 1px dashed {PALETTE['muted'][0]}"
    fits = share * 300 > 7 * letters(name) + 4
    text = "font-size: 11px; text-align: center; white-space: nowrap"
    return element("div", escape(name) if fits else "", style=f"{style}; {text}", title=title)


def _axis(whole: float) -> str:
    """Return tick marks at round times."""
    step = next(
        size * factor
        for size in (10.0**k for k in range(-9, 4))
        for factor in (1, 2, 5)
        if whole / (size * factor) <= 5
    )
    marks, at = [], 0.0
    while at < whole:
        share = min(step, whole - at) / whole
        text = seconds_text(at).replace(".00", "").replace(".0 ", " ") if at else "0"
        marks.append(element("div", escape(text) if share > 0.12 else "",
                             style=f"flex: 0 1 {100 * share:.3f}%; min-width: 0; box-sizing: border-box; "
                                   f"border-left: 1px solid {PALETTE['muted'][0]}; border-top: 1px solid "
                                   f"{PALETTE['muted'][0]}; padding-left: 4px; font-size: 11px; white-space: nowrap")
                     )  # fmt: skip
        at += step
    lane = element("div", *marks, style="flex: 1 1 0; min-width: 0; display: flex")
    return element("div", element("div", escape(translate("time")), style=_LABEL), lane, style="display: flex")
