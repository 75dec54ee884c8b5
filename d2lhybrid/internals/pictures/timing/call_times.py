"""The times of a net's individual calls, and the switch to the program of tier 1."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from d2lhybrid.gluon import Block, HybridBlock

from ...core.pipeline import Program
from ...support.display import Shown
from ...support.settings import settings
from ...support.words import clauses, translate
from ..check.source_reading import all_blocks
from .drawn import DrawnTable
from .progress import progress_bar
from .units import factor, seconds_text
from .ways import Subject

__all__ = ["CallTimes", "Takeover", "call_times"]

#: The minimum number of calls that are timed after the last takeover; otherwise, a third of the calls before it.
_LATER = 300
#: The number of calls after which it is known whether a program will be replaced.
_EARLY = 5
_STAYS = "The program stays in tier 0, because no installed backend makes a faster one."
_TOO_FEW = "Too few calls were timed to know whether tier 1 takes over: {n}."


@dataclass(frozen=True, repr=False)
class Takeover(Shown):
    """The replacement of a program of tier 0 with a program of tier 1.

    Attributes
    ----------
    call : int
        Number of the first call that the new program ran.
    started : int
        Number of the call during which the compilation of the new program started in the background.
    backend : str
        Backend that compiled the new program.
    """

    call: int
    started: int
    backend: str


@dataclass(repr=False, eq=False)
class CallTimes(DrawnTable):
    """The time of each call of a net, as returned by :func:`call_times`.

    Attributes
    ----------
    net : str
        Class name of the net.
    inputs : str
        Types and shapes of the inputs.
    seconds : list of float
        Time of each call in seconds, including the first call.
    takeovers : list of Takeover
        Replacements with programs of tier 1, in order; empty if no program was replaced.
    planned : int
        Number of the call at which tier 1 would take over, if fewer calls were timed; 0 if unknown.
    waiting : bool
        Whether too few calls were timed to know if tier 1 takes over.
    """

    heading: ClassVar[str] = "Call by call"

    net: str
    inputs: str
    seconds: list[float]
    takeovers: list[Takeover] = field(default_factory=list)
    planned: int = 0
    waiting: bool = False

    def __post_init__(self) -> None:
        DrawnTable.__init__(self)

    def median_of(self, tier: int) -> float | None:
        """Return the median time of a tier's calls, except each program's first call, or None if no call remains."""
        change = self.takeovers[-1].call if self.takeovers else len(self.seconds) + 1
        first = self.takeovers[0].call if self.takeovers else change
        part = self.seconds[1 : first - 1] if tier == 0 else self.seconds[change:]
        return statistics.median(part) if part else None

    @property
    def sentence(self) -> str:
        """A sentence that summarizes the times."""
        tier0, tier1 = self.median_of(0), self.median_of(1)
        if not self.takeovers:
            done = f"{len(self.seconds):,}"
            if self.planned:
                return translate("Tier 1 takes over at call {n}, but only {done} calls were timed.",
                                 n=f"{self.planned:,}", done=done)  # fmt: skip
            return translate(_TOO_FEW, n=done) if self.waiting else translate(_STAYS)
        last = self.takeovers[-1]
        if tier0 is None or tier1 is None:
            return translate("Tier 1, compiled by {backend}, takes over at call {n}, and no later call was timed.",
                             backend=last.backend, n=f"{last.call:,}")  # fmt: skip
        return translate(
            "Tier 1, compiled by {backend}, takes over at call {n}: from {before} to {after} per call ({factor}).",
            backend=last.backend, n=f"{last.call:,}", before=seconds_text(tier0), after=seconds_text(tier1),
            factor=factor(tier0 / tier1),
        )  # fmt: skip

    def rows(self) -> list[list[str]]:
        """Return the table as text: the calls, the programs that ran, and the times."""
        rows = [["1", translate("first call: trace and compile"), seconds_text(self.seconds[0])]]
        at = 2
        for over in self.takeovers:
            if over.call > at:
                time_ = seconds_text(statistics.median(self.seconds[at - 1 : over.call - 1]))
                rows.append(
                    [f"{at:,} – {over.call - 1:,}", translate("tier 0" if at == 2 else "parts in tier 1"), time_]
                )
            waits = translate("tier 1 takes over; its compiler started at call {n}", n=f"{over.started:,}")
            rows.append([f"{over.call:,}", waits, seconds_text(self.seconds[over.call - 1])])
            at = over.call + 1
        if at <= len(self.seconds):
            tier = translate("tier 1: {backend}", backend=self.takeovers[-1].backend) if self.takeovers else "tier 0"
            time_ = seconds_text(statistics.median(self.seconds[at - 1 :]))
            rows.append([f"{at:,} – {len(self.seconds):,}", translate(tier), time_])
        return rows

    @property
    def header(self) -> list[str]:
        """The column titles for :meth:`rows`."""
        return [translate("call"), translate("answered by"), translate("time of one call")]

    @property
    def title(self) -> str:
        """A description of the measurement in one line."""
        return clauses(self.net, self.inputs, translate("{n} calls", n=f"{len(self.seconds):,}"))

    def to_dict(self) -> dict[str, Any]:
        """Return the times as a JSON-compatible dictionary."""
        return {
            "net": self.net, "inputs": self.inputs, "seconds": self.seconds, "sentence": self.sentence,
            "takeovers": [vars(over) for over in self.takeovers], "planned": self.planned,
            "header": self.header, "rows": self.rows(),
        }  # fmt: skip

    def _draw(self) -> Any:
        from .drawing import call_times_picture

        return call_times_picture(self)


def _programs(net: Block) -> list[Program]:
    return [program for _, b in all_blocks(net) if isinstance(b, HybridBlock) for program in b.programs]


class _Watch:
    """An observer of the calls at which programs are replaced."""

    def __init__(self, net: Block) -> None:
        self._net, self._started, self._known = net, dict[int, int](), set[int]()
        self.found: list[Takeover] = []
        #: Whether a program will still be replaced, and the number of the latest call that replaces a program.
        self.waiting, self.planned = True, 0

    def look(self, call: int) -> None:
        """Check the programs after a call."""
        self.waiting, self.planned = False, 0
        for program in _programs(self._net):
            plan = getattr(program.promotion, "plan", None)
            if program.tier == 0 and program.promotion is not None:
                self.waiting = True
                if plan is not None:
                    self._started[id(program)], self.planned = plan.start, max(plan.switch, self.planned)
            elif program.tier == 1 and program.replaced is not None and id(program) not in self._known:
                self._known.add(id(program))
                self.found.append(Takeover(call, self._started.get(id(program.replaced), call), program.backend))


def call_times(
    net: Any, *inputs: Any, loss: Any = None, label: Any = None, most: int = 20_000, seconds: float = 20.0,
    progress: bool = True, clock: Callable[[], float] = time.perf_counter,
) -> CallTimes:  # fmt: skip
    """Time every call of a hybridized net, from the first call until a program of tier 1 has taken over.

    A program of tier 1 replaces the program of the first call after many calls. Afterwards, the function restores the
    hybridization, the programs, and the parameters of the net.

    Parameters
    ----------
    net : Block
        An initialized net.
    *inputs : NDArray
        Arguments of the call.
    loss, label
        Same as for :func:`d2lhybrid.compare`. With a loss, training steps are timed.
    most : int
        Maximum number of calls.
    seconds : float
        Time in seconds after which no new call starts.
    progress : bool
        Whether to show a progress bar.
    clock : callable
        Function that returns the time in seconds.

    Returns
    -------
    CallTimes
        The times, displayed as a picture, a table, and a sentence.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(4)
    >>> net.initialize()
    >>> times = call_times(net, nd.ones((1, 3)), most=20)
    >>> len(times.seconds)
    20
    """
    subject = Subject(net, inputs, loss, label)
    found: list[float] = []
    with subject.opened(), progress_bar(translate("Measuring {net}", net=type(net).__name__), progress) as told:
        subject.prepare("hybridized")
        settings.tiers = True
        watch, end, begin = _Watch(net), most, clock()
        while len(found) < min(end, most) and clock() - begin < seconds:
            before = clock()
            subject.step()
            found.append(clock() - before)
            if end == most:
                watch.look(len(found))
                if not watch.waiting and len(found) > _EARLY:
                    end = len(found) + max(_LATER, len(found) // 3)
                told(len(found) / max(min(watch.planned + _LATER, most), len(found)))
        shown = subject.described_inputs
    planned = 0 if watch.found else watch.planned
    return CallTimes(type(net).__name__, shown, found, watch.found, planned, watch.waiting and not planned)
