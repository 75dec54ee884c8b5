"""The result of ``compare_over``: comparisons over batch sizes, or over another parameter of nets."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from d2lhybrid.gluon import Block
from d2lhybrid.ndarray.ndarray import NDArray

from ...core.invoke import wrap
from ...device import array_modules
from ...support.words import clauses, listed, translate
from ..check.inputs import arrays_in
from .comparison import Comparison, ratio_text, words
from .drawn import DrawnTable
from .progress import progress_bar
from .units import seconds_text
from .ways import Subject, check_ways

__all__ = ["Sweep", "compare_over"]

_BUSY = (
    "Your machine is busy: at {what} {values}, the measurements do not show whether hybridizing is faster. Stop "
    "other programs, and measure all again."
)
_NOT_AT = "Hybridized, the net is faster at the largest measured {what}, {value}, but not at {values}."


def _of_batch_size(args: Any, size: int, batch: int) -> Any:
    """Return the arguments with ``size`` examples, repeating or truncating the original ones."""
    if isinstance(args, NDArray):
        if not args.ndim or args.shape[0] != batch:
            return args
        raw = array_modules.asnumpy(args._data)[numpy.arange(size) % batch]
        return wrap(type(args), array_modules.to_context(raw, args._ctx), args._ctx)
    if isinstance(args, list | tuple):
        return type(args)([_of_batch_size(a, size, batch) for a in args])
    return args


class Sweep(DrawnTable):
    """Comparisons over several values, as returned by :func:`compare_over`.

    Attributes
    ----------
    what : str
        Meaning of the values, such as ``"batch size"``.
    values : list of int
        Values that can be measured.
    measured : dict of int to Comparison
        Comparisons that have been measured.
    current : int
        Currently displayed value.
    way : str
        Mode whose speed-up is reported.
    """

    values: list[int]
    what: str
    way: str
    current: int

    view_name = "timing"
    heading = "Before and after hybridize"

    def __init__(self, make: Callable[[int], Comparison], values: Sequence[int], what: str, way: str) -> None:
        super().__init__()
        self._make = make
        self.values, self.what, self.way = list(values), what, way
        self.current = self.values[0]
        self.measured: dict[int, Comparison] = {}

    def measure(self, value: int, progress: Callable[[float], None] = lambda share: None) -> Comparison:
        """Measure at a value, even if it was measured before, select the value, and return the comparison.

        Raises
        ------
        ValueError
            If ``value`` is not one of the values.
        """
        if value not in self.values:
            raise ValueError(f"value must be one of {', '.join(map(str, self.values))}, not {value}")
        self.measured[value] = self._make(value).measure(progress)
        self.current = value
        self._drawn.clear()
        return self.measured[value]

    def measure_all(self, progress: Callable[[float], None] = lambda share: None) -> Sweep:
        """Measure at all values, keep the current selection, and return this sweep."""
        current = self.current
        for i, value in enumerate(self.values):
            self.measure(value, lambda share, i=i: progress((i + share) / len(self.values)))
        self.current = current
        return self

    def look_at(self, value: int, progress: Callable[[float], None] = lambda share: None) -> Comparison:
        """Select a value, and return its comparison. A missing comparison is measured first."""
        if value not in self.measured:
            return self.measure(value, progress)
        self.current = value
        return self.measured[value]

    def gain_vanishes_at(self) -> int | None:
        """Return the smallest measured value at which, and above which, hybridizing is not faster.

        Return None if hybridizing is faster at all values, or if the measurements are inconclusive. In a conclusive
        measurement, hybridizing is faster at all smaller values, and as fast or slower at all other values.
        """
        kinds = {value: self.measured[value].gain(self.way) for value in sorted(self.measured)}
        later = [value for value, kind in kinds.items() if kind != "faster"]
        if not later or "unclear" in kinds.values():
            return None
        return later[0] if all(kind != "faster" for value, kind in kinds.items() if value > later[0]) else None

    @property
    def unclear(self) -> list[int]:
        """The values at which the times are inconclusive."""
        return [value for value in sorted(self.measured) if self.measured[value].gain(self.way) == "unclear"]

    # --- display -----------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """A sentence about the point where the gain vanishes."""
        values = sorted(self.measured)
        if len(values) < 2:
            return translate("Measure at two or more values to see where the gain vanishes.")
        found = self.gain_vanishes_at()
        what = translate(self.what)
        if self.unclear:
            return translate(_BUSY, what=what, values=listed(map(str, self.unclear)))
        slower = [value for value in values if self.measured[value].gain(self.way) != "faster"]
        if found is None and slower:
            return translate(_NOT_AT, what=what, value=values[-1], values=listed(map(str, slower)))
        if found is None:
            return translate("Hybridized, the net is also faster at the largest measured {what}, {value}.",
                             what=what, value=values[-1])  # fmt: skip
        if found == values[0]:
            return translate("Hybridizing had no measurable gain, at any {what}.", what=what)
        return translate("The gain vanishes at {what} {value}.", what=what, value=found)

    def rows(self) -> list[list[str]]:
        """Return the table as text, with times and speed-up for each value."""
        rows = []
        for value in self.values:
            found = self.measured.get(value)
            if found is None:
                rows.append([str(value), translate("not measured"), "", ""])
                continue
            paid = found.paid_after(self.way)
            medians = [seconds_text(found.times[0].spread.median), seconds_text(found.time_of(self.way).spread.median)]
            rows.append([
                str(value), " → ".join(medians),
                ratio_text(found.verdict(self.way)),
                "–" if paid is None else translate("{n} calls", n=paid),
            ])  # fmt: skip
        return rows

    @property
    def header(self) -> list[str]:
        """The column titles for :meth:`rows`."""
        return [translate(self.what), f"imperative → {self.way}", translate("speed-up"), translate("pays off after")]

    @property
    def title(self) -> str:
        """A description of the measurement in one line."""
        found = next(iter(self.measured.values()), None)
        over = translate("over {what}", what=translate(self.what))
        if found is None:
            return over
        step = translate("training steps") if found.mode == "train" else translate("calls")
        return clauses(found.net, step, over)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparisons as a JSON-compatible dictionary."""
        return {
            "what": self.what, "label": translate(self.what), "values": self.values,
            "measured": sorted(self.measured), "current": self.current,
            "vanishes": self.gain_vanishes_at(), "sentence": self.sentence, "header": self.header, "rows": self.rows(),
            "title": self.title, "comparisons": {str(v): found.to_dict() for v, found in sorted(self.measured.items())},
            "points": self._points(), "unclear": self.unclear, "words": words(),
            "heading": clauses(self.header[2], translate(self.what)),
        }  # fmt: skip

    def _points(self) -> list[dict[str, Any]]:
        """Return the drawn point of each value."""
        points: list[dict[str, Any]] = []
        for value, row in zip(self.values, self.rows(), strict=True):
            found = self.measured.get(value)
            point: dict[str, Any] = {"value": value, "times": row[1], "text": row[2], "kind": "", "speed_up": None}
            if found is not None:
                verdict = found.verdict(self.way)
                point |= {"kind": verdict.kind, "speed_up": verdict.speed_up.to_list()}
            points.append(point)
        return points

    def _draw(self) -> Any:
        from .drawing import sweep_picture

        return sweep_picture(self)

    def plot(self) -> Any:
        """Draw the picture with Matplotlib, and return the figure.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If nothing has been measured yet.
        """
        from .drawing import sweep_figure

        if not self.measured:
            raise ValueError(
                f"Nothing has been measured yet. Call measure() with one of {', '.join(map(str, self.values))}"
            )
        return sweep_figure(self)


def compare_over(
    net_or_factory: Any,
    values: Sequence[int],
    *inputs: Any,
    what: str | None = None,
    measure: bool = True,
    loss: Any = None,
    label: Any = None,
    ways: Sequence[str] = ("imperative", "hybridized"),
    rounds: int = 15,
    seconds: float = 0.6,
    profile: bool = True,
    progress: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> Sweep:
    """Time a net over batch sizes, or nets that a function creates from values, in the same way as :func:`compare`.

    Parameters
    ----------
    net_or_factory : Block or callable
        A net, or a function that creates an initialized net from a value, such as a depth. For a net, the values are
        batch sizes, to which the inputs are repeated or truncated.
    values : sequence of int
        Batch sizes, or arguments for the function.
    *inputs : NDArray
        Arguments of the net.
    what : str, optional
        Meaning of the values; by default, ``"batch size"`` for a net, and the name of the argument for a function.
    measure : bool
        Whether to measure at all values immediately, instead of on demand.
    loss, label, ways, rounds, seconds, profile, progress, clock
        Same as for :func:`compare`. ``rounds`` and ``seconds`` apply to each value.

    Returns
    -------
    Sweep
        The comparisons, displayed in a notebook with a slider.

    Raises
    ------
    ValueError
        If a value is not a positive integer, if ``ways`` is invalid, or if an input is missing or has no examples.
    TypeError
        If the function does not return a block.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(4)
    >>> net.initialize()
    >>> sweep = compare_over(net, [1, 64], nd.ones((1, 3)), rounds=5, seconds=0.01)
    >>> sorted(sweep.measured)
    [1, 64]
    """
    values = sorted(set(values))
    if not values or not all(isinstance(v, int | numpy.integer) and v > 0 for v in values):
        raise ValueError(f"values must be one or more positive integers, not {values}")
    check_ways(ways)
    if len(ways) < 2:
        raise ValueError(f"ways must contain at least one mode besides 'imperative', but is {ways!r}")
    arrays = arrays_in(inputs)
    if not arrays:
        raise ValueError("The inputs of the net contain no array. Pass one, as in compare_over(net, [1, 8, 64], x)")
    batch = arrays[0].shape[0] if arrays[0].ndim else 0
    is_net = isinstance(net_or_factory, Block)
    if is_net and not batch:
        raise ValueError(
            f"An input needs at least one example along its first axis, but the first array has shape {arrays[0].shape}"
        )
    code = getattr(net_or_factory, "__code__", None)
    argument = code.co_varnames[0] if code and code.co_argcount else "value"
    over = what or ("batch size" if is_net else argument)

    def make(value: int) -> Comparison:
        if is_net:
            given, target = _of_batch_size((inputs, label), value, batch)
            subject = Subject(net_or_factory, given, loss, target)
        else:
            subject = Subject(net_or_factory(value), inputs, loss, label)
        comparison = Comparison(subject, ways, rounds, seconds, profile)
        comparison._clock = clock
        return comparison

    sweep = Sweep(make, [int(v) for v in values], over, ways[1])
    if measure:
        with progress_bar(translate("Measuring over {what}", what=translate(over)), progress) as told:
            for i, value in enumerate(sweep.values):
                sweep.measure(value, lambda share, i=i: told((i + share) / len(sweep.values)))
        sweep.current = sweep.values[0]
    return sweep
