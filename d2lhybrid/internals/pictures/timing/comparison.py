"""The result of ``compare``: measurements and conclusions."""

from __future__ import annotations

import dataclasses
import math
import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...support.words import clauses, in_brackets, labelled, sentences, translate
from ..html import details, element, escape, heading, table
from .drawn import Drawn, aligned
from .measuring import Spread, Times, measure
from .progress import progress_bar
from .units import factor, per_cent, seconds_text
from .verdict import Verdict, certainty, headline, known_factor, saved_by, sentence, verdict_of
from .ways import USUAL, Subject, check_ways
from .where import METHODS, Where, shrinking, where_the_time_goes

__all__ = ["Comparison", "compare", "words"]

_ROUNDS = (
    "{rounds} rounds. In each, every mode was timed in turn, over enough calls for the clock's resolution. The "
    "first call and {warm_up} more calls of each mode came before and do not count. A bar is the median, and its line "
    "reaches from the lower to the upper quartile."
)
_SURE = (
    "A speed-up is the median of the ratios of all rounds. Its interval contains the true median with {certainty}% "
    "confidence, and at least half of the rounds. If it includes 1, neither mode counts as faster."
)
_PAID = (
    "Pays off after: the time of tracing and compiling, divided by the time that a call saves (median of the rounds). "
    "Not shown if the interval of the speed-up includes 1."
)
_BAR = 36


class Comparison(Drawn):
    """Times of a net in eager mode and hybridized, as returned by :func:`compare`.

    Every number is a measurement, or a sum, difference, or quotient of measurements.

    Attributes
    ----------
    net : str
        Class and name of the net.
    inputs : str
        Types and shapes of the inputs.
    mode : str
        ``"predict"``, or ``"train"`` for forward pass, loss, and backward pass.
    times : list of Times
        Times of each mode, in the order of measurement. The first mode is ``"imperative"``.
    where : list of Where
        Breakdown of the time of a call.
    printed : int
        Number of characters that the net printed during the measurement. The text itself is discarded.
    """

    net: str
    inputs: str
    mode: str
    printed: int

    view_name = "timing"

    def __init__(self, subject: Subject, ways: Sequence[str], rounds: int, seconds: float, profile: bool) -> None:
        super().__init__()
        self.net = f"{type(subject.net).__name__} {subject.net.name}"
        self.inputs, self.mode = subject.described_inputs, subject.mode
        self.times: list[Times] = []
        self.where: list[Where] = []
        self._missing: list[tuple[str, dict[str, str]]] = []
        self.printed = 0
        self._subject, self._ways = subject, tuple(ways)
        self._rounds, self._seconds, self._profile = rounds, seconds, profile
        self._clock: Callable[[], float] = time.perf_counter

    def measure(self, progress: Callable[[float], None] = lambda share: None) -> Comparison:
        """Measure all modes, replace earlier times, and return this comparison."""
        subject = self._subject
        subject.printed.seek(0)
        subject.printed.truncate()
        with subject.opened():
            times, ways = measure(subject, self._ways, self._rounds, self._seconds, self._clock, progress)
            where, missing = where_the_time_goes(subject, times, ways, self._clock) if self._profile else ([], [])
        self.times, self.where, self._missing = times, where, missing
        self._drawn.clear()
        self.printed = len(subject.printed.getvalue())
        return self

    @property
    def missing(self) -> list[str]:
        """The modes that could not be measured, with the reasons."""
        return [translate(text, **values) for text, values in self._missing]

    # --- conclusions -------------------------------------------------------------------------------

    def time_of(self, way: str) -> Times:
        """Return the times of a mode.

        Raises
        ------
        KeyError
            If the mode was not measured.
        """
        for times in self.times:
            if times.way == way:
                return times
        raise KeyError(
            f"the mode {way!r} was not measured. The measured modes are {', '.join(t.way for t in self.times)}"
        )

    def verdict(self, way: str = "hybridized") -> Verdict:
        """Return the comparison of a mode with eager mode."""
        pairs = zip(self.times[0].seconds, self.time_of(way).seconds, strict=True)
        return verdict_of(way, [a / b if b else math.inf if a else 1.0 for a, b in pairs])

    def speed_up(self, way: str = "hybridized") -> Spread:
        """Return the speed-up of a mode over eager mode: the median over the rounds, and its interval."""
        return self.verdict(way).speed_up

    def gain(self, way: str = "hybridized") -> str:
        """Return ``"faster"``, ``"slower"``, ``"equal"``, or ``"unclear"`` if the times are not conclusive."""
        return self.verdict(way).kind

    def paid_after(self, way: str = "hybridized") -> int | None:
        """Return the number of calls after which tracing and compiling pay off, or None without a measurable gain."""
        saved = saved_by(self.times[0], self.time_of(way))
        if self.gain(way) != "faster" or saved <= 0:
            return None
        return max(1, math.ceil(self.time_of(way).preparation / saved))

    # --- display -----------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """A description of the measurement in one line."""
        step = translate("training steps") if self.mode == "train" else translate("calls")
        return clauses(self.net, step, self.inputs)

    @property
    def sentences(self) -> list[str]:
        """The conclusions, as sentences."""
        result = []
        for times in self.times[1:]:
            text, paid = sentence(self.verdict(times.way)), self.paid_after(times.way)
            if paid is not None:
                text = sentences(text, translate("Compiling pays off after {n} calls.", n=paid))
            result.append(text)
        clear = all(self.gain(part.way) != "unclear" for part in self.where[1:])
        return result + (shrinking(self.where) if clear else [])

    @property
    def method(self) -> list[str]:
        """Sentences that describe how the times were measured."""
        first = self.times[0]
        texts = [translate(_ROUNDS, rounds=len(first.seconds), warm_up=len(first.warm_up))]
        texts += [translate(_SURE, certainty=certainty(len(first.seconds))), translate(_PAID)]
        for part in self.where:
            method = translate(METHODS[part.way if part.way == "imperative" else "compiled"])
            texts.append(labelled(part.way, method))
        texts += self.missing
        if self.printed:
            texts.append(
                translate("The net printed {n} characters during the measurement, which are not shown.", n=self.printed)
            )
        machine = f"Python {platform.python_version()}", f"NumPy {numpy.__version__}", str(self._subject.ctx)
        texts.append(clauses(*machine))
        return texts

    def rows(self) -> list[list[str]]:
        """Return the table as text: median, quartiles, speed-up, first call, compile time, and break-even point."""
        found = []
        for times in self.times:
            s = times.spread
            row = [times.way, seconds_text(s.median), f"{seconds_text(s.lower)} – {seconds_text(s.upper)}"]
            if times is self.times[0]:
                row += ["1×", seconds_text(times.first), "–", "–"]
            else:
                paid = self.paid_after(times.way)
                row += [
                    ratio_text(self.verdict(times.way)),
                    seconds_text(times.first),
                    f"{seconds_text(times.trace)} + {seconds_text(times.compile)}",
                    "–" if paid is None else translate("{n} calls", n=paid),
                ]
            found.append(row)
        return found

    @property
    def header(self) -> list[str]:
        """The column titles for :meth:`rows`."""
        names = ("way", "median", "quartiles", "speed-up", "first call", "trace + compile", "pays off after")
        return [translate(name) for name in names]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a JSON-compatible dictionary."""
        names = {"kernels": translate("kernels"), "python": "Python"}
        return {
            "net": self.net, "inputs": self.inputs, "mode": self.mode, "title": self.title,
            "times": [dataclasses.asdict(t) | {"spread": t.spread.to_list()} for t in self.times],
            "speed_up": {t.way: self.speed_up(t.way).to_list() for t in self.times[1:]},
            "paid_after": {t.way: self.paid_after(t.way) for t in self.times[1:]},
            "headline": self._headline() if len(self.times) > 1 else None,
            "bars": self._bars(), "parts": names,
            "where": [dataclasses.asdict(w) | {"text": self._where_sentence(w)} for w in self.where],
            "header": self.header, "rows": self.rows(), "sentences": self.sentences, "method": self.method,
            "missing": self.missing, "words": words(),
        }  # fmt: skip

    def _headline(self) -> dict[str, str]:
        first, second = (times.spread.median for times in self.times[:2])
        return headline(self.verdict(self.times[1].way), first / second if second else None)

    def _bars(self) -> list[dict[str, Any]]:
        """Return the name, the times, and the note of each mode."""
        found = []
        for times in self.times:
            said = "" if times is self.times[0] else known_factor(self.verdict(times.way))
            found.append({"way": times.way, "spread": times.spread.to_list(),
                          "time": seconds_text(times.spread.median), "ratio": said})  # fmt: skip
        return found

    def to_text(self) -> str:
        """Return the comparison as text for a terminal."""
        longest = max(t.spread.upper for t in self.times)
        rows, widths = aligned([self.header, *self.rows()])
        lines = [self.title, "", *rows, ""]
        for times in self.times:
            lines.append(f"{times.way:{widths[0]}}  {_bar(times.spread, longest)}  {seconds_text(times.spread.median)}")
        lines += ["", *self._where_text(widths[0]), *self.sentences, "", *(f"- {m}" for m in self.method)]
        return "\n".join(lines)

    def _where_text(self, width: int) -> list[str]:
        lines = [f"{part.way:{width}}  {self._where_sentence(part)}" for part in self.where]
        return [*lines, ""] if lines else []

    def _where_sentence(self, part: Where) -> str:
        total = self.time_of(part.way).spread.median
        rest = translate("too short to measure")
        if part.python is not None:
            rest = in_brackets(seconds_text(part.python), per_cent(part.python, total))
        return translate(
            "{time} in {n} kernels, {rest} in Python around them" if part.way == "imperative" else
            "{time} in {n} lines, {rest} in Python around them",
            time=seconds_text(part.kernels), n=part.count, rest=rest,
        )  # fmt: skip

    def to_html(self) -> str:
        """Return the conclusions, the picture, the table, and the method as HTML without scripts."""
        picture = self.picture()
        parts = [heading(translate("Before and after hybridize"), self.title)]
        if len(self.times) > 1:
            said = self._headline()
            large = "font-size: 26px; font-weight: 700" if said["kind"] in ("faster", "slower") else "font-weight: 600"
            parts.append(element("p", escape(said["big"]), style=f"{large}; margin: 6px 0"))
            parts.append(element("p", escape(said["small"]), style="margin: 4px 0"))
        if picture is not None:
            parts.append(picture.to_img(f"{self.title}: {' '.join(self.sentences)}"))
        parts.append(table([[escape(cell) for cell in row] for row in self.rows()], header=self.header))
        parts += [element("p", escape(text), style="margin: 4px 0") for text in self.sentences]
        parts.append(details(translate("How it was measured"), "".join(element("p", escape(m)) for m in self.method)))
        return "".join(parts)

    def _draw(self) -> Any:
        from .drawing import comparison_picture

        return comparison_picture(self)

    def plot(self) -> Any:
        """Draw the picture with Matplotlib, and return the figure.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        from .drawing import comparison_figure

        return comparison_figure(self)


def words() -> dict[str, str]:
    """Return the translated words of the interactive view."""
    keys = (
        "Before and after hybridize", "How it was measured", "measure again", "measure all again", "measure",
        "not measured", "All numbers", "One call", "Where the time goes",
    )  # fmt: skip
    return {key: translate(key) for key in keys}


def ratio_text(verdict: Verdict) -> str:
    """Return a speed-up and its interval for a table, with "unclear" in place of an inconclusive median."""
    s = verdict.speed_up
    return f"{known_factor(verdict) or translate('unclear')} ({factor(s.lower)} – {factor(s.upper)})"


def _bar(s: Spread, longest: float) -> str:
    """Return a bar as long as the median, with a line for the quartiles."""
    scale = _BAR / longest if longest else 0.0
    lower, median, upper = (round(v * scale) for v in s.to_list())
    bar = ["█"] * median + [" "] * (_BAR - median)
    for i in range(lower, upper):
        bar[min(i, _BAR - 1)] = "▓" if i < median else "─"
    return "".join(bar)


def compare(
    net: Any,
    *inputs: Any,
    loss: Any = None,
    label: Any = None,
    ways: Sequence[str] = USUAL,
    rounds: int = 30,
    seconds: float = 2.0,
    profile: bool = True,
    progress: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> Comparison:
    """Time a net in eager mode and hybridized.

    After a warm-up, each round times all modes. At the end, the function restores the net's hybridization, parameters,
    running statistics, and gradients, the variables that ``hybrid_forward`` changes, and the random generators.

    Parameters
    ----------
    net : Block
        The net, whose parameters must be initialized.
    *inputs : NDArray
        Arguments of the call.
    loss : callable, optional
        Loss function. With a loss, each call is a training step: ``loss(net(x), label)`` is recorded, and then
        ``backward()`` runs.
    label : NDArray, optional
        Second argument of the loss.
    ways : sequence of str
        Modes: ``"imperative"`` first, then the modes to compare: ``"hybridized"``, ``"static_alloc"``,
        ``"static_shape"``, and ``"often"`` for the program of a net that is called often. The other modes keep
        the program of their first call during the measurement.
    rounds : int
        Maximum number of rounds.
    seconds : float
        Time in seconds after which no new round starts, except for the first five rounds.
    profile : bool
        Whether to also measure the breakdown of the time.
    progress : bool
        Whether to show a progress bar.
    clock : callable
        Function that returns the time in seconds.

    Returns
    -------
    Comparison
        The comparison, displayed as text or a picture. A notebook adds a button that repeats the measurement.

    Raises
    ------
    TypeError
        If ``net`` is not a block.
    ValueError
        If there is nothing to hybridize, if there are no inputs, or if ``ways`` or ``rounds`` is invalid.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(4)
    >>> net.initialize()
    >>> comparison = compare(net, nd.ones((2, 3)), rounds=5, seconds=0.01)
    >>> comparison.speed_up().median > 0
    True
    >>> [times.way for times in comparison.times]
    ['imperative', 'hybridized', 'static_alloc', 'static_shape']
    """
    check_ways(ways)
    if rounds < 2:
        raise ValueError(f"To measure the spread of the times, rounds must be at least 2, not {rounds}")
    comparison = Comparison(Subject(net, inputs, loss, label), ways, rounds, seconds, profile)
    comparison._clock = clock
    with progress_bar(translate("Measuring {net}", net=comparison.net), progress) as told:
        return comparison.measure(told)
