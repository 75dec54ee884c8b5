"""The conversion of measurements to a page of text, and to verdicts on the goals."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["TITLES", "Cell", "Row", "Verdict", "page", "verdicts"]

TITLES = {
    "A": "MLP 512-256-128-2, batch 1, forward",
    "C": "LeNet training step, batch 64",
    "D64M": "12 element-wise operators, 64 Mi elements",
    "B": "LeNet, batch 16, forward",
    "E": "MLP 784-512-512-10 training step, batch 256",
    "F": "50 x (Dense 64 + relu), batch 1, forward",
    "D": "12 element-wise operators, 1M elements",
    "A64": "the same MLP as A, batch 64",
    "C512": "the same training step as C, batch 512",
    "A1024": "the same MLP as A, batch 1024",
}

EAGER, HYBRIDIZED, STATIC = "d2lhybrid eager", "d2lhybrid hybridized", "d2lhybrid static_alloc + static_shape"
TORCH, REDUCE_OVERHEAD = "PyTorch eager", "PyTorch compile, reduce-overhead"
#: The minimum number of bytes that D64M reads and writes: two inputs and one result.
CHAIN_BYTES = 3 * 4 * 8192 * 8192


@dataclass
class Cell:
    """The measurements of one contender in one workload; times are in microseconds, one for each round.

    Attributes
    ----------
    throughput, latency : list of float
        Time of one call, with a device synchronization after a block of calls, or after each call.
    own_settings : list of float
        Like ``throughput``, in the library's default precision.
    device, host : float or None
        Number of operations that the device ran for one call, and number of launches by the host.
    failure : str
        Reason for missing times.
    """

    throughput: list[float] = field(default_factory=list)
    latency: list[float] = field(default_factory=list)
    own_settings: list[float] = field(default_factory=list)
    device: float | None = None
    host: float | None = None
    failure: str = ""


@dataclass
class Row:
    """A workload: its contenders, and the cost of a repetition as estimated by our compiler."""

    workload: str
    cells: dict[str, Cell]
    choices: dict[str, Cell] = field(default_factory=dict)
    flops: int = 0
    nbytes: int = 0

    def median(self, name: str) -> float | None:
        """Return the median time of a contender in microseconds, or None without times."""
        cell = self.cells.get(name)
        return statistics.median(cell.throughput) if cell is not None and cell.throughput else None


@dataclass(frozen=True)
class Verdict:
    """The verdict on a goal; ``reached`` is None if the goal was not measured."""

    goal: str
    reached: bool | None
    detail: str


def floor(row: Row, limits: Mapping[str, Any]) -> float | None:
    """Return a lower bound in microseconds: one launch, plus the larger of the times for arithmetic and memory."""
    if not row.nbytes:
        return None
    busy = max(row.flops / limits["flops_per_second"], row.nbytes / limits["bytes_per_second"])
    return (busy + limits["launch"]) * 1e6


def verdicts(rows: Mapping[str, Row], limits: Mapping[str, Any]) -> list[Verdict]:
    """Return the verdict on each goal, from medians of throughput without TensorFloat-32."""
    return [
        _at_least(
            rows,
            "A",
            EAGER,
            STATIC,
            5.0,
            "with batch 1, the hybridized MLP is at least 5 times as fast as the eager MLP",
        ),
        _at_least(
            rows,
            "A",
            REDUCE_OVERHEAD,
            STATIC,
            1.0,
            "the hybridized MLP is at least as fast as with torch.compile(mode='reduce-overhead')",
        ),
        _at_least(rows, "C", TORCH, STATIC, 1.0, "the training step of LeNet is at least as fast as in eager PyTorch"),
        _bandwidth(rows, limits),
    ]


def _at_least(rows: Mapping[str, Row], workload: str, other: str, ours: str, factor: float, goal: str) -> Verdict:
    row = rows.get(workload)
    times = (row.median(other), row.median(ours)) if row is not None else (None, None)
    if times[0] is None or times[1] is None:
        missing = other if times[0] is None else ours
        return Verdict(goal, None, f"{workload}: {missing} has no time")
    ratio = times[0] / times[1]
    return Verdict(
        goal, ratio >= factor, f"{workload}: {other} {times[0]:,.1f} µs, {ours} {times[1]:,.1f} µs, {ratio:.2f} x"
    )


def _bandwidth(rows: Mapping[str, Row], limits: Mapping[str, Any]) -> Verdict:
    goal = "the chain of operators on 64 Mi elements transfers at least 80% as many bytes per second as a copy"
    row = rows.get("D64M")
    times = {name: t for name in (HYBRIDIZED, STATIC) if row is not None and (t := row.median(name)) is not None}
    if not times:
        return Verdict(goal, None, "D64M: no time")
    name = min(times, key=lambda n: times[n])
    rate = CHAIN_BYTES / times[name] * 1e6
    share = rate / limits["bytes_per_second"]
    copied = limits["bytes_per_second"] / 1e9
    return Verdict(goal, share >= 0.8, f"D64M: {name} {rate / 1e9:,.0f} GB/s of {copied:,.0f} GB/s, {share:.0%}")


# --- text --------------------------------------------------------------------------------------


def page(rows: Sequence[Row], limits: Mapping[str, Any], notes: Sequence[str], date: str) -> str:
    """Return the page, which may not have all rows yet."""
    versions = ", ".join(f"{name} {version}" for name, version in limits["versions"].items())
    lines = [
        "# Benchmarks on a GPU", "",
        f"Written by `make bench-gpu` on {date}: {limits['device']}; {versions}.", "",
        *_explanation(), *[f"{note}\n" for note in notes], *_limits(limits),
        "## Goals", "", "| goal | verdict | measured |", "|---|---|---|",
    ]  # fmt: skip
    words = {True: "reached", False: "**missed**", None: "not measured"}
    for verdict in verdicts({row.workload: row for row in rows}, limits):
        lines.append(f"| {verdict.goal} | {words[verdict.reached]} | {verdict.detail} |")
    for row in rows:
        lines += ["", f"## {row.workload}. {TITLES[row.workload]}", "", *_table(row, limits)]
    return "\n".join(lines) + "\n"


def _explanation() -> list[str]:
    return [
        "Times are medians of one call in microseconds, with the quartiles in parentheses. Each round measures all "
        "contenders in turn. For *throughput*, the device is synchronized after a block of calls; for *latency*, after "
        "each call. All contenders compute in float32 without TensorFloat-32, except in *own settings*, which is the "
        "throughput in the library's default precision. *Ratio* is the contender's time divided by the time of "
        "`static_alloc + static_shape`. If it is above 1, the contender is slower. *Device* is the number of kernels, "
        "copies, and fills that the GPU ran for one call. *Host* is the number of API calls that launched them. CUPTI "
        "counted both. *× floor* is the throughput time divided by the floor, a lower bound for any program: one "
        "launch, plus the time for the arithmetic or for the memory transfers, whichever is longer.",
        "",
    ]  # fmt: skip


def _limits(limits: Mapping[str, Any]) -> list[str]:
    return [
        "## Limits of the device", "", "| operation | measured |", "|---|--:|",
        f"| product of float32 matrices | {limits['flops_per_second'] / 1e12:,.1f} TFLOP/s |",
        f"| copy of 1 GiB on the device, bytes read and written | {limits['bytes_per_second'] / 1e9:,.0f} GB/s |",
        f"| launches of an empty kernel from Python, in a sequence | {limits['launch'] * 1e6:,.2f} µs each |",
        f"| launches from Python, with a wait after each | {limits['launch_and_wait'] * 1e6:,.2f} µs each |",
        f"| launch of a CUDA graph that contains an empty kernel | {limits['graph_launch'] * 1e6:,.2f} µs |", "",
    ]  # fmt: skip


def _table(row: Row, limits: Mapping[str, Any]) -> list[str]:
    least, base = floor(row, limits), row.median(STATIC)
    lines = []
    if least is not None:
        lines += [
            f"{row.flops:,} operations, {row.nbytes:,} bytes (`net.explain`): the floor is {least:,.1f} µs.", "",
        ]  # fmt: skip
    lines += [
        "| | throughput | | ratio | latency | | own settings | device | host | × floor |",
        "|---|--:|---|--:|--:|---|--:|--:|--:|--:|",
        *[_line(name, cell, base, least) for name, cell in row.cells.items()],
    ]
    if row.choices:
        lines += [
            "", "Kernels for matrix products (`D2LHYBRID_GPU_GEMM`), with single launches and with a CUDA graph:", "",
            "| | throughput | | ratio | latency | | own settings | device | host | × floor |",
            "|---|--:|---|--:|--:|---|--:|--:|--:|--:|",
            *[_line(name, cell, base, least) for name, cell in row.choices.items()],
        ]  # fmt: skip
    return lines


def _line(name: str, cell: Cell, base: float | None, least: float | None) -> str:
    if cell.failure or not cell.throughput:
        reason = (cell.failure or "no time").replace("|", "\\|")
        return f"| {name} | {reason} |" + " |" * 8
    median = statistics.median(cell.throughput)
    return " | ".join(
        [
            f"| {name}", f"{median:,.1f}", _quartiles(cell.throughput), f"{median / base:.2f}" if base else "",
            f"{statistics.median(cell.latency):,.1f}" if cell.latency else "", _quartiles(cell.latency),
            f"{statistics.median(cell.own_settings):,.1f}" if cell.own_settings else "",
            _count(cell.device), _count(cell.host), f"{median / least:.2f}" if least else "",
        ]
    ) + " |"  # fmt: skip


def _quartiles(values: Sequence[float]) -> str:
    if len(values) < 2:
        return ""
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"({low:,.1f} to {high:,.1f})"


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}".removesuffix(".0")
