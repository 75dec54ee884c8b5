"""The page that ``compare.py`` writes, and the computation of its numbers from measurements."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from _workers import BASE

__all__ = ["Cell", "Row", "Verdict", "page", "table_of", "verdict_of"]

OURS = "d2lhybrid "
TIER_0 = "d2lhybrid tier-0"


@dataclass
class Cell:
    """One contender's measurements of one workload: microseconds, then seconds and bytes (-1 if unknown)."""

    times: list[float] = field(default_factory=list)
    first: float = 0.0
    growth: float = -1
    later_growth: float = -1
    ten: float = 0.0
    since: int = 1
    failure: str = ""

    @property
    def median(self) -> float | None:
        """The median of the times, or None if the contender did not finish."""
        return statistics.median(self.times) if self.times and not self.failure else None

    def ratio_to(self, other: Cell) -> float:
        """Return the median of the ratios in each round, because the speed of a machine changes over time.

        Slow contenders are not in the last rounds.
        """
        return statistics.median(own / others for own, others in zip(self.times, other.times, strict=False))


@dataclass
class Row:
    """A workload and its contenders."""

    workload: str
    title: str
    cells: dict[str, Cell]


@dataclass(frozen=True)
class Verdict:
    """Our best contender, the best peer, and our default in one row; times are in microseconds.

    ``ratio`` is the time of our best contender divided by the time of the best peer (below 1, ours is faster);
    ``default_ratio`` is the same for our default.
    """

    ours: tuple[str, float]
    default: float
    peer: tuple[str, float] | None
    ratio: float | None = None
    default_ratio: float | None = None


def verdict_of(row: Row) -> Verdict | None:
    """Return the verdict on a row, or None if none of our contenders, or not our default, finished."""
    medians = {name: cell.median for name, cell in row.cells.items()}
    known = sorted((median, name) for name, median in medians.items() if median is not None)
    ours = next(((name, median) for median, name in known if name.startswith(OURS)), None)
    peer = next(((name, median) for median, name in known if not name.startswith(OURS)), None)
    default = medians.get(BASE)
    if not ours or default is None:
        return None
    if peer is None:
        return Verdict(ours, default, None)
    cells = row.cells
    ratios = [cells[name].ratio_to(cells[peer[0]]) for name in (ours[0], BASE)]
    return Verdict(ours, default, peer, *ratios)


def page(rows: Sequence[Row], began: str, noise: str) -> str:
    """Return the page: the method, the summary, and a table for each workload."""
    lines = ["# Benchmarks", "", began, "", noise, "", *summary(rows), *_explanation()]
    for row in rows:
        lines += [f"## {row.workload}. {row.title}", "", *table_of(row), ""]
    return "\n".join([*lines, ""])


def summary(rows: Sequence[Row]) -> list[str]:
    """Return a table with a line for each row, and the number of rows in which ours is faster."""
    lines = [
        "## Summary", "",
        "| | default, warm, µs | since call | tier 0, µs | best peer | µs | default / peer | best mode of ours | µs | "
        "best / peer |",
        "|---|--:|--:|--:|---|--:|--:|---|--:|--:|",
    ]  # fmt: skip
    ratios = []
    for row in rows:
        verdict = verdict_of(row)
        if verdict is None:
            lines.append(f"| {row.workload} | failed | | | | | | | | |")
            continue
        (name, median), default, peer, ratio = verdict.ours, verdict.default, verdict.peer, verdict.ratio
        others, best = ["", "", ""], ""
        if peer is not None and ratio is not None and verdict.default_ratio is not None:
            others, best = [peer[0], f"{peer[1]:,.1f}", f"{verdict.default_ratio:.2f}"], f"{ratio:.2f}"
            ratios.append(verdict.default_ratio)
        slow = row.cells[TIER_0].median if TIER_0 in row.cells else None
        cells = [
            row.workload, f"{default:,.1f}", f"{row.cells[BASE].since:,}", f"{slow:,.1f}" if slow else "", *others,
            name.removeprefix(OURS), f"{median:,.1f}", best,
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    faster = sum(ratio < 1 for ratio in ratios)
    return [
        *lines, "",
        "*Default* is `hybridize()` without arguments. *Warm* means that the net has been called until no faster "
        "program replaces its program. The column *since call* contains the first call that runs this last program. "
        "*Tier 0* is the program of the first calls. A ratio is our time divided by the best peer's time: the median "
        "of the ratios in the rounds. If it is below 1, ours is faster. "
        f"The default is faster than the best peer in {faster} of {len(ratios)} rows. "
        "The peers include ONNX Runtime and a program that we wrote by hand in NumPy. For prediction with large "
        "convolutions, the default chooses the backend `onnxruntime`, which runs the net in ONNX Runtime.", "",
    ]  # fmt: skip


def _explanation() -> list[str]:
    return [
        "## Columns of the tables", "",
        "The first two columns are the median time of one call in microseconds, and the quartiles of this time. "
        "*Ratio* is the contender's time divided by the time of `d2lhybrid hybridized`. If it is above 1, the "
        "contender is slower. Each contender runs each workload in a separate process, which is suspended while "
        "another contender is timed.", "",
        "*First call* is the time of the first call in the process. It includes tracing, compiling, and all work that "
        "a library defers to the first computation, such as starting threads. Before the first call, the process has "
        "loaded the libraries and created the net, the parameters, and the data. Compiled programs from earlier runs "
        "don't exist, because each contender starts with an empty cache folder. Python modules are compiled to "
        "bytecode, as after an installation with pip. `torch.compile` has compiled one operator before, because it "
        "then compiles header files that all its programs share. ONNX Runtime gets the model as bytes, so its first "
        "call also reads the weights. *First 10 calls* is the total time of these calls.", "",
        "*Memory* is the growth of the process: the peak of its resident memory during the first call, or during the "
        "later calls, minus its resident memory before the first call. The net and the data exist before the first "
        "call, so this growth excludes the weights (except for ONNX Runtime). It includes intermediate values, "
        "gradients, copies of weights in a different order, memory that a compiler or an allocator keeps, and pages of "
        "libraries that the call reads for the first time. It excludes compilers that run in separate processes. It is "
        "measured once, in units of memory pages, so differences of less than a megabyte mean little.", "",
    ]  # fmt: skip


HEADER = (
    "", "µs", "quartiles", "ratio", "first call, ms", "first 10 calls, ms", "memory, first call, MB",
    "memory, later calls, MB",
)  # fmt: skip


def table_of(row: Row, plain: bool = False) -> list[str]:
    """Return the table of a row, in Markdown or as plain text, followed by the contenders that failed."""
    base = row.cells[BASE].median if BASE in row.cells else None
    found = [_cells(name, cell, base) for name, cell in row.cells.items() if cell.median is not None]
    failed = [f"{name} failed: {cell.failure}" for name, cell in row.cells.items() if cell.failure]
    if plain:
        return [
            f"   {name:32s}{median:>12s}  {quartiles:26s}{ratio:>7s}{first:>16s}{ten:>20s}{growth:>24s}{later:>25s}"
            for name, median, quartiles, ratio, first, ten, growth, later in [HEADER, *found]
        ] + failed
    lines = [f"| {' | '.join(HEADER)} |", "|---|--:|---|--:|--:|--:|--:|--:|", *(f"| {' | '.join(c)} |" for c in found)]
    return lines + [line for reason in failed for line in ("", reason.replace("|", "\\|"))]


def _cells(name: str, cell: Cell, base: float | None) -> list[str]:
    median = cell.median
    assert median is not None
    quartiles = ""
    if len(cell.times) > 1:
        low, _, high = statistics.quantiles(cell.times, n=4)
        quartiles = f"({low:,.1f} to {high:,.1f})"
    memory = ["" if size < 0 else f"{size / 1e6:,.1f}" for size in (cell.growth, cell.later_growth)]
    return [
        name, f"{median:,.1f}", quartiles, f"{median / base:.2f}" if base else "", f"{1e3 * cell.first:,.1f}",
        f"{1e3 * cell.ten:,.1f}", *memory,
    ]  # fmt: skip
