"""The table of indices at the edge, in Markdown."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import d2lhybrid

from .answers import make_block
from .cases import INSTANCES, Instance, tries
from .judge import answer_of, recorded, same
from .reasons import REASONS, reason_for
from .record import key

__all__ = ["Row", "judged", "table"]

COLUMNS = ("-1", "-n", "-n-1", "n", "n+1", "2^31", "0.5", "n-0.5", "-0.5", "NaN", "inf", "-inf")


class Row(NamedTuple):
    """One answer of this package, judged.

    Attributes
    ----------
    mark : str
        ``=`` if it is MXNet's, the letter of a reason, or ``?``.
    """

    call: str
    column: str
    dtype: str
    way: str | None
    mark: str
    theirs: dict[str, Any]
    mine: dict[str, Any]


def _rows(instance: Instance, way: str | None) -> Iterator[Row]:
    blocks: dict[str, Any] = {}
    for a_try in tries(instance):
        block = None
        if way is not None:
            code = instance.code.replace("V", a_try.value) if instance.kinds == "number" else instance.code
            kind = code + a_try.dtype
            if kind not in blocks:
                blocks[kind] = make_block(d2lhybrid, code)
                blocks[kind].hybridize(**({} if way == "numpy" else {"backend": way}))
            block = blocks[kind]
        mine, theirs = answer_of(instance, a_try, block), recorded()[key(instance, a_try)]
        reason = None if same(mine, theirs) else reason_for(instance.name, a_try.column, theirs, mine)
        mark = "=" if same(mine, theirs) else "?" if reason is None else reason.mark
        yield Row(instance.name, a_try.column, a_try.dtype, way, mark, theirs, mine)


def judged(ways: Sequence[str | None], words: Sequence[str] = (), parts: slice = slice(None)) -> list[Row]:
    """Return all answers, line by line (None) and for backends; of calls whose name holds one of the words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            row
            for way in ways
            for instance in INSTANCES[parts]
            if (way is None or instance.hybrid) and (not words or any(word in instance.name for word in words))
            for row in _rows(instance, way)
        ]


def _cell(rows: Sequence[Row]) -> str:
    """Return what a cell says of all element types and ways: the reasons, or whether both answer or both refuse."""
    marks = sorted({row.mark for row in rows} - {"="})
    refused = {"error" in row.theirs for row in rows if row.mark == "="}
    plain = {True: "error", False: "="}
    return ", ".join([*(plain[x] for x in sorted(refused)), *marks])


def table(rows: Sequence[Row]) -> str:
    """Return the page."""
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        cells.setdefault((row.call, row.column), []).append(row)
    used = {row.mark for row in rows}
    lines = [
        "# Indices and regions at the edge",
        "",
        "Some operators take indices, lengths, classes, or regions. This page compares what they do here and in "
        "MXNet 1.9.1 if these values are out of range, fractional, or NaN. `make indices` runs all calls, eagerly "
        "and hybridized (with NumPy, and with C and oneDNN if installed), compares values and gradients with "
        "MXNet's recorded answers, and writes this page. `tests/indices/record.py` recorded MXNet's answers in "
        "processes whose memory was filled with different numbers: if these answers differ, MXNet read memory "
        "outside its arrays.",
        "",
        "`n` is the number of elements. `=` means that values and gradients are MXNet's. `error` means that both "
        "raise an error. A letter means that the results differ, for the reason given below. A cell has several "
        "entries if results depend on the element type of the index (32-bit and 64-bit floating-point numbers and "
        "integers, and `uint8`).",
    ]  # fmt: skip
    family = ""
    for instance in INSTANCES:
        if instance.family != family:
            family = instance.family
            lines += ["", f"## {family}", "", f"| call | {' | '.join(COLUMNS)} |", "| --- |" + " --- |" * len(COLUMNS)]
        shown = [_cell(cells[instance.name, c]) if (instance.name, c) in cells else "" for c in COLUMNS]
        lines.append(f"| `{instance.name}` | {' | '.join(shown)} |")
    lines += ["", "## Reasons for differences", "", "| | why |", "| --- | --- |"]
    lines += [f"| {reason.mark} | {reason.says} |" for reason in REASONS if reason.mark in used]
    return "\n".join(lines) + "\n"
