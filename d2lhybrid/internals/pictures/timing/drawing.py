"""Pictures of measured times, drawn with Matplotlib if it is installed."""

from __future__ import annotations

import io
import itertools
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...support.words import clauses, translate
from ..svg import image_of
from ..theme import PALETTE
from .units import per_cent, seconds_text
from .verdict import known_factor

if TYPE_CHECKING:
    from .call_times import CallTimes
    from .comparison import Comparison
    from .sweep import Sweep

__all__ = [
    "SvgPicture", "call_times_picture", "comparison_figure", "comparison_picture", "sweep_figure", "sweep_picture",
]  # fmt: skip

_INK, _MUTED, _RULE = PALETTE["ink"][0], PALETTE["muted"][0], PALETTE["rule"][0]
_STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "d2lhybrid", "font.size": 9, "font.family": "DejaVu Sans",
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": _RULE, "axes.labelcolor": _MUTED,
    "xtick.color": _MUTED, "ytick.color": _INK, "text.color": _INK, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.titlepad": 10, "xtick.major.size": 3, "ytick.major.size": 0,
    "figure.facecolor": "none", "savefig.facecolor": "none", "axes.facecolor": "none",
    "grid.color": _RULE, "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False,
}  # fmt: skip
_COLOURS = {
    "imperative": "eager",
    "hybridized": "compiled",
    "static_alloc": "traced",
    "static_shape": "frozen",
    "often": "compiled",
}
_LINES = {"imperative": "-", "hybridized": "-", "static_alloc": "--", "static_shape": ":", "often": "-."}


def _colour(way: str) -> str:
    return PALETTE[_COLOURS.get(way, "accent")][0]


class SvgPicture:
    """An SVG drawing for pages with and without scripts."""

    def __init__(self, text: str) -> None:
        self.text = text

    def to_img(self, alternative: str) -> str:
        """Return the picture as an ``<img>`` with a background."""
        paper = f'<rect width="100%" height="100%" rx="6" fill="{PALETTE["paper"][0]}"/>'
        start, end, rest = self.text.partition(">")
        return image_of(f"{start}{end}{paper}{rest}", alternative)


def _font(match: re.Match[str]) -> str:
    return f"font-size: {match[2]}px" + (f"; font-weight: {match[1]}" if match[1] else "")


#: Replacements (pattern -> text, in order) that shorten Matplotlib's SVG and isolate its style from the page.
_SHORTER: tuple[tuple[str, Any], ...] = (
    (r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", ""),
    (r"\s*\n\s*", "\n"),
    (r"<defs>\s*</defs>", ""),
    (r' transform="rotate\(-0 [^"]*"', ""),
    (r"font-family: 'DejaVu Sans'; ?|; stroke-linecap: (?:square|butt)|; stroke-linejoin: miter", ""),
    (r"font: (?:(bold|[1-9]00) )?(\d+)px 'DejaVu Sans'", _font),
    (r'<g id="[^"]*">', "<g>"),
    (r'(?<=<svg ).*?(?=width)', 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '),
    (r'(?<=viewBox=")([^"]*)"[^>]*>', r"""\1" font-family="'DejaVu Sans', Verdana, system-ui, sans-serif" """
     'stroke-linejoin="round">'),
    (r"(?<=: )#000000", PALETTE["ink"][0]),
)  # fmt: skip


def _rounded(tag: re.Match[str]) -> str:
    return re.sub(r"\d+\.\d{2,}", lambda m: f"{float(m[0]):.1f}".removesuffix(".0"), tag[0])


def _svg_of(figure: Any) -> SvgPicture:
    """Return a figure as short SVG, without metadata, and with coordinates rounded to one decimal."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # browsers have Chinese fonts, even if Matplotlib has none
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<[^>]*>", _rounded, text)  # in tags, not in the text between them
    for pattern, replacement in _SHORTER:
        text = re.sub(pattern, replacement, text, flags=re.DOTALL)
    before = ""
    while text != before:  # remove groups with at most one element
        before, text = text, re.sub(r"<g>\s*((?:<(?:text|path|use)[^>]*?(?:/>|>[^<]*</text>))?)\s*</g>", r"\1", text)
    return SvgPicture(text.strip())


def _picture(draw: Callable[[], Any]) -> SvgPicture | None:
    """Return the picture, or None if Matplotlib is not installed."""
    try:
        figure = draw()
    except ImportError:
        return None
    return _svg_of(figure)


def comparison_picture(comparison: Comparison) -> SvgPicture | None:
    """Return the picture of a comparison, or None if Matplotlib is not installed."""
    return _picture(lambda: comparison_figure(comparison))


def sweep_picture(sweep: Sweep) -> SvgPicture | None:
    """Return the picture of a sweep, or None if Matplotlib is not installed or nothing has been measured."""
    return _picture(lambda: sweep_figure(sweep)) if sweep.measured else None


def call_times_picture(times: CallTimes) -> SvgPicture | None:
    """Return the picture of a net's calls, or None if Matplotlib is not installed."""
    return _picture(lambda: call_times_figure(times))


def comparison_figure(comparison: Comparison) -> Any:
    """Return a figure of the times and their spread and, if known, of the break-even point and a call's parts."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        drawn: list[Any] = [_draw_bars]  # further parts depend on the measurements
        if any(comparison.paid_after(t.way) is not None for t in comparison.times[1:]):
            drawn.append(_draw_payment)
        if comparison.where:
            drawn.append(_draw_where)
        figure = Figure(figsize=(10.4, 2.9), layout="constrained")
        places = figure.subplots(1, len(drawn), width_ratios=[1.25, 1, 1][: len(drawn)], squeeze=False)[0]
        for draw, axes in zip(drawn, places, strict=True):
            draw(axes, comparison)
        return figure


def _scale_of(longest: float) -> tuple[str, float]:
    """Return the name and the factor of the unit for an axis up to a time."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if longest >= size:
            return unit, 1 / size
    return "ns", 1e9


def _draw_bars(axes: Any, comparison: Comparison) -> None:
    unit, scale = _scale_of(max(t.spread.upper for t in comparison.times))
    end = max(max(t.spread.upper for t in comparison.times), 1e-12) * scale
    for i, times in enumerate(comparison.times):
        s, colour = times.spread, _colour(times.way)
        axes.barh(i, s.median * scale, height=0.62, color=colour)
        axes.plot([s.lower * scale, s.upper * scale], [i, i], color=_INK, linewidth=1.6, solid_capstyle="butt")
        for edge in (s.lower, s.upper):
            axes.plot([edge * scale] * 2, [i - 0.14, i + 0.14], color=_INK, linewidth=1.6)
        text = seconds_text(s.median)
        if i:
            text = f"{text}  {known_factor(comparison.verdict(times.way))}".rstrip()
        axes.text(s.upper * scale + 0.02 * end, i, text, va="center", ha="left")
    axes.set_yticks(range(len(comparison.times)), [t.way for t in comparison.times])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.38 * end)
    axes.set_xlabel(translate("time of one call ({unit}), median and quartiles", unit=unit))
    axes.set_title(translate("One call"))
    axes.spines["left"].set_visible(False)
    axes.xaxis.grid(True)


def _draw_payment(axes: Any, comparison: Comparison) -> None:
    """Draw the total time of n calls, computed from the medians, for the modes that pay off."""
    paid = {t.way: n for t in comparison.times[1:] if (n := comparison.paid_after(t.way)) is not None}
    end = max(2.2 * max(paid.values()), 4.0)
    unit, scale = _scale_of(comparison.times[0].spread.median * end)
    for times in comparison.times:
        if times is not comparison.times[0] and times.way not in paid:
            continue
        at_end = (times.preparation + end * times.spread.median) * scale
        axes.plot(
            [0, end], [times.preparation * scale, at_end], color=_colour(times.way), linestyle=_LINES[times.way],
            linewidth=1.8, label=times.way,
        )  # fmt: skip
    way, first = next(iter(paid.items()))
    height = first * comparison.times[0].spread.median * scale
    axes.plot([first], [height], "o", color=_INK, markersize=5)
    axes.plot([first, first], [0, height], color=_INK, linewidth=0.8, linestyle=":")
    title = translate("Compiling pays off after {n} calls", n=first)
    if way != comparison.times[1].way:
        title = f"{way}: {title}"
    axes.set_xlim(0, end)
    axes.set_ylim(0, None)
    axes.set_xlabel(translate("calls"))
    axes.set_ylabel(translate("computed from the medians ({unit})", unit=unit))
    axes.tick_params(axis="y", colors=_MUTED)
    axes.set_title(title)
    axes.legend(loc="upper left", fontsize=8, handlelength=1.6)


def _draw_where(axes: Any, comparison: Comparison) -> None:
    unit, scale = _scale_of(max(comparison.time_of(w.way).spread.median for w in comparison.where))
    end = max(w.kernels + (w.python or 0.0) for w in comparison.where) * scale
    labels = {"kernels": translate("kernels"), "python": "Python"}
    for i, part in enumerate(comparison.where):
        kernels, python = part.kernels * scale, (part.python or 0.0) * scale
        whole = kernels + python
        axes.barh(i, kernels, height=0.5, color=PALETTE["traced"][0], label=None if i else labels["kernels"])
        axes.barh(
            i, python, left=kernels, height=0.5, color=PALETTE["frozen"][0], hatch="////", edgecolor="#ffffff",
            linewidth=0, label=None if i else labels["python"],
        )  # fmt: skip
        text = f"{part.way}: {seconds_text(part.kernels)} {labels['kernels']}"
        if part.python is not None:
            text = clauses(text, f"{per_cent(python, whole)} Python")
        axes.text(0, i - 0.34, text, va="bottom", ha="left", fontsize=8)
    axes.set_ylim(len(comparison.where) - 0.15, -0.75)
    axes.set_yticks([])
    axes.set_xlim(0, 1.05 * end)
    axes.set_xlabel(translate("time of one call ({unit})", unit=unit))
    axes.set_title(translate("Where the time goes"))
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower right", fontsize=8, ncols=2, handlelength=1.2)


def sweep_figure(sweep: Sweep) -> Any:
    """Return a figure of the times and the speed-ups over the values of a sweep."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(10.4, 2.9), layout="constrained")
        left, right = figure.subplots(1, 2)
        values = sorted(sweep.measured)
        found = [sweep.measured[v] for v in values]
        _draw_times_over(left, values, found)
        _draw_speed_up_over(right, values, found, sweep)
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xticks(values, [f"{v:g}" for v in values])
            axes.set_xticks([], minor=True)
            axes.set_xlabel(sweep.what)
            axes.tick_params(axis="y", colors=_MUTED)
            axes.grid(True)
        return figure


def _draw_times_over(axes: Any, values: Sequence[float], found: Sequence[Comparison]) -> None:
    ways = [t.way for t in found[0].times]
    longest = max(t.spread.upper for c in found for t in c.times)
    unit, scale = _scale_of(longest)
    for way in ways:
        spreads = [c.time_of(way).spread for c in found]
        axes.plot(
            values, [s.median * scale for s in spreads], _LINES[way], color=_colour(way), marker="o", markersize=4,
            label=way,
        )  # fmt: skip
        axes.fill_between(
            values, [s.lower * scale for s in spreads], [s.upper * scale for s in spreads], color=_colour(way),
            alpha=0.25, linewidth=0,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylabel(translate("time of one call ({unit})", unit=unit))
    axes.set_title(translate("One call"))
    axes.legend(loc="upper left", fontsize=8)


def _draw_speed_up_over(axes: Any, values: Sequence[float], found: Sequence[Comparison], sweep: Sweep) -> None:
    way = sweep.way
    spreads = [c.speed_up(way) for c in found]
    axes.axhline(1, color=_INK, linewidth=1)
    axes.plot(values, [s.median for s in spreads], color=_colour(way), marker="o", markersize=4)
    axes.fill_between(
        values, [s.lower for s in spreads], [s.upper for s in spreads], color=_colour(way), alpha=0.25, linewidth=0
    )
    for value, s, c in zip(values, spreads, found, strict=True):
        if c.gain(way) == "unclear":  # inconclusive times get no label
            axes.plot([value], [s.median], "o", color=PALETTE["paper"][0], markeredgecolor=_MUTED, markersize=5)
            continue
        axes.annotate(
            known_factor(c.verdict(way)), (value, s.median), textcoords="offset points", xytext=(0, 7), ha="center",
            fontsize=8,
        )  # fmt: skip
    vanishes = sweep.gain_vanishes_at()
    title = translate("Speed-up of {way}", way=way)
    if vanishes is not None:
        axes.axvline(vanishes, color=PALETTE["error"][0], linewidth=1.2, linestyle="--")
        title += ": " + translate("gone at {what} {value}", what=sweep.what, value=f"{vanishes:g}")
    axes.set_ylim(0, 1.18 * max(*(s.upper for s in spreads), 1.0))
    axes.set_title(title)


#: The maximum number of drawn points, each of which is the median of successive calls.
_POINTS = 200


def call_times_figure(times: CallTimes) -> Any:
    """Return a figure of the time of each call over the call's number, with the tiers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(10.4, 3.0), layout="constrained")
        _draw_calls(figure.subplots(), times)
        return figure


def _draw_calls(axes: Any, times: CallTimes) -> None:
    count, most = len(times.seconds), max(times.seconds)
    changes = [over.call for over in times.takeovers]
    for tier, (start, stop) in enumerate(itertools.pairwise([1, *changes, count + 1])):
        colour = PALETTE["compiled" if tier else "traced"][0]
        width = max(1, count // _POINTS)
        for first in range(start + 1, stop, width):  # the first call of a tier is drawn separately
            part = sorted(times.seconds[first - 1 : min(first + width, stop) - 1])
            axes.plot([first + len(part) / 2], [part[len(part) // 2]], "o", color=colour, markersize=3.2)
        axes.axvspan(start, stop, color=colour, alpha=0.08, linewidth=0)
        backend = times.takeovers[tier - 1].backend if tier else ""
        name = translate("tier 1: {backend}", backend=backend) if tier else translate("tier 0: lines of NumPy")
        name = translate("parts in tier 1") if 0 < tier < len(changes) else name
        axes.text((start + stop) / 2, 6 * most, name, ha="center", va="top", fontsize=9, fontweight="bold")
    for call in (1, *changes):
        seconds = times.seconds[call - 1]
        text = "first call: trace and compile ({time})" if call == 1 else "call {n} switches ({time})"
        axes.plot([call], [seconds], "D", color=PALETTE["frozen"][0], markersize=5)
        axes.annotate(
            translate(text, n=f"{call:,}", time=seconds_text(seconds)), (call, seconds), textcoords="offset points",
            xytext=(9 if call == 1 else -9, -3), ha="left" if call == 1 else "right", fontsize=8,
        )  # fmt: skip
    lowest = min(times.seconds)
    for over in times.takeovers:
        axes.axvline(over.started, color=_MUTED, linewidth=1, linestyle=":")
        axes.annotate(
            translate("the compiler starts: call {n}", n=f"{over.started:,}"), (over.started, (lowest * most) ** 0.5),
            textcoords="offset points", xytext=(5, 0), fontsize=8, color=_MUTED,
        )  # fmt: skip
    axes.set_yscale("log")
    ticks = [10.0**n for n in range(-9, 3) if lowest / 2 < 10.0**n < 8 * most]
    axes.set_yticks(ticks, [seconds_text(tick) for tick in ticks])
    axes.set_yticks([], minor=True)
    axes.set_ylim(lowest / 2, 8 * most)
    axes.set_xlim(1 - count / 60, count + count / 60)
    axes.set_xlabel(translate("number of the call"))
    axes.set_ylabel(translate("time of one call"))
    axes.tick_params(axis="y", colors=_MUTED)
    axes.grid(True)
