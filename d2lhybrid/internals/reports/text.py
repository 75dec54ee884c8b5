"""The text of a report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..core.history import Event
from ..support.display import shorter
from ..support.remedies import file_label

if TYPE_CHECKING:
    from .report import ProfileReport, ProgramReport, Report

__all__ = ["count_of", "text_of"]

_ESTIMATES = (
    "Operations (flops) and bytes are estimates from shapes: products of matrices and convolutions counted "
    "exactly,\nother operators as one operation an element; bytes as if every operator read and wrote memory."
)
_SAME_EVENT = (
    "TensorFlow, JAX and PyTorch run the Python function again when a signature is new; here only the graph is\n"
    "compiled again, and hybrid_forward does not run."
)

#: The maximum width of lines in the table of times; the complete lines are in the source code above.
_MAX_SOURCE = 100


def text_of(report: Report) -> str:
    """Return the text of a report, as ``print(net.explain())`` shows it."""
    return "\n".join(line.rstrip() for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    traces, compilations = len(report.traces), len(report.compilations)
    mode = "hybridized" if report.hybridized else "not hybridized"
    yield (
        f"{report.block}: {mode}, traced {_times(traces)}, {compilations} program{'s' * (compilations != 1)} compiled, "
        f"{len(report.programs)} kept"
    )
    if report.traces:
        yield from ("", "hybrid_forward was traced, because")
        yield from _events(report.traces)
    if report.compilations:
        yield from ("", "A program was compiled, because")
        yield from _events(report.compilations)
        if any(event.kind == "recompile" for event in report.compilations):
            yield from _SAME_EVENT.splitlines()
    for number, program in enumerate(report.programs, 1):
        yield ""
        yield from _program(number, program)
    if report.profile is not None:
        yield ""
        yield from _profile(report.profile)
    if report.programs:
        yield from ("", *_ESTIMATES.splitlines())


def _times(count: int) -> str:
    return f"{count} time{'s' * (count != 1)}"


def _events(events: Sequence[Event]) -> Iterator[str]:
    for number, event in enumerate(events, 1):
        yield f"  {number}. {'; '.join(event.reasons)}  ({1e3 * event.seconds:.2f} ms)"
        yield f"     {event.kind}: {', '.join(f'{who} {word!r}' for who, word in event.words.items())}"


def _program(number: int, program: ProgramReport) -> Iterator[str]:
    mode = "training mode" if program.training else "predict mode"
    wanted = sum(i.gradient for i in program.inputs)
    gradients = f", gradients for {wanted} of {len(program.inputs)} inputs" if program.recording else ""
    yield f"  Program {number}: {mode}, {program.context}{gradients}"
    width = max((len(i.name) for i in program.inputs), default=0)
    for i in program.inputs:
        yield f"    {i.name:{width}}  {i.dtype} {i.shape}{'  gradient' if i.gradient else ''}"
    yield f"    because: {'; '.join(program.reasons)}"
    if program.tier:
        yield f"    tier {program.tier} since call {program.since_call:,}: compiled by {program.backend!r}"
    elif program.forecast:
        yield f"    tier 0: lines of NumPy; {program.forecast}"
    yield ""
    rows = [("stage", "operators", "flops", "bytes", "ms")]
    rows += [
        (
            stage.name,
            f"{stage.operators_before} -> {stage.operators_after}",
            count_of(stage.flops),
            count_of(stage.bytes_moved),
            f"{stage.milliseconds:.2f}",
        )
        for stage in program.stages
    ]
    yield from _table(rows, "    ")
    yield f"    compiled in {program.milliseconds:.2f} ms"
    yield ""
    rows = [("function", "operators", "flops", "bytes", "peak bytes", "buffers", "arena bytes")]
    rows += [
        (
            f.name,
            str(f.operators),
            count_of(f.flops),
            count_of(f.bytes_moved),
            count_of(f.peak_bytes),
            str(f.buffers),
            count_of(f.arena_bytes),
        )
        for f in program.functions
    ]
    yield from _table(rows, "    ")
    for f in program.functions:
        if f.launches:
            yield f"    {f.name}: {f.launches}"
    for f in program.functions:
        if f.callbacks:
            yield f"    {f.name}: Python still runs at {', '.join(f.callbacks)}, which the program calls back"
    for f in program.functions:
        if f.libraries:
            yield f"    {f.name}: {', '.join(f.libraries)}"
    for sentence in program.advice:
        yield f"    faster: {sentence}"
    if program.recording:
        yield f"    kept between forward and backward: {count_of(program.residual_bytes)} bytes"
    yield ""
    for line in program.source.splitlines():
        yield f"    {line}"


def _profile(profile: ProfileReport) -> Iterator[str]:
    if profile.is_busy:
        lower, upper = profile.quartiles
        yield f"  Your machine is busy: the quartiles add up to {lower:.1f} and {upper:.1f} µs. Measure again."
    if profile.own:
        yield "  Time per line of your code (medians)"
        rows = [("line", "µs", "%", "backward µs")]
        rows += [
            (
                f"{file_label(o.file)}: {', '.join(map(str, o.numbers))}",
                f"{o.microseconds:.1f}",
                f"{o.percent:.1f}",
                f"{o.backward:.1f}",
            )
            for o in profile.own
        ]
        texts = ["source", *(shorter(own.text, _MAX_SOURCE) for own in profile.own)]
        for row, text in zip(_table(rows, "    "), texts, strict=True):
            yield f"{row}  {text}"
        yield ""
    yield f"  Time per line of program {profile.program + 1}: {profile.microseconds:.1f} µs (medians)"
    rows = [("line", "µs", "%", "flops", "GFLOP/s")]
    texts = ["source"]
    for line in profile.lines:
        speed = f"{line.gflops_per_second:.2f}" if line.gflops_per_second else "-"
        flops = count_of(line.flops) if line.flops else "-"
        rows.append((f"{line.function} {line.number}", f"{line.microseconds:.1f}", f"{line.percent:.1f}", flops, speed))
        texts.append(shorter(line.text.partition("  # ")[0], _MAX_SOURCE))
    for row, text in zip(_table(rows, "    "), texts, strict=True):
        yield f"{row}  {text}"


def _table(rows: Sequence[Sequence[str]], indent: str) -> list[str]:
    """Return rows as lines of text, with the first column aligned left and the other columns aligned right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        indent + "  ".join(f"{cell:{'<' if i == 0 else '>'}{widths[i]}}" for i, cell in enumerate(row)) for row in rows
    ]


def count_of(value: int) -> str:
    """Return a count as a short text, such as 1,234 or 12.3 M.

    Examples
    --------
    >>> count_of(9876), count_of(123456), count_of(2_500_000_000)
    ('9,876', '123 k', '2.5 G')
    """
    if value < 10_000:
        return f"{value:,}"
    for unit, size in (("T", 10**12), ("G", 10**9), ("M", 10**6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1000:.3g} k"
