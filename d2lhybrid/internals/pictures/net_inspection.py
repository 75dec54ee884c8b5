"""Inspections of a net: its memory, its times, and the differences between eager and hybridized calls."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import Any

from ...gluon import HybridBlock
from ..reports.profile import OwnTime
from ..support.display import Shown
from ..support.words import add_words, labelled, listed, translate
from .check import check_hybridization
from .check.findings import Findings
from .listing import tokens_of
from .reasons import in_words
from .steps import chinese  # noqa: F401  it adds words
from .steps.program import size
from .traps import TRAPS

__all__ = ["Closer", "looked_up"]

#: Kind of inspection -> title of the result.
_TITLES = {
    "memory": "Memory use over time",
    "times": "Where the time goes",
    "check": "Does the hybridized net compute the same?",
}
#: The maximum number of values and lines to list.
_MAX_ROWS = 60
_ONCE = "Before it could run, the net was traced ({traces}×) and compiled ({compiled}×): {why}. That took {ms:.1f} ms."
_ON_TOP = (
    "Measured now, line by line. What Python does around the program, to find it and to wrap its result, comes on top."
)


@dataclass(repr=False)
class Closer(Shown):
    """The result of an inspection of a net's memory, times, or differences.

    Attributes
    ----------
    title : str
        Title of the result.
    about : str
        Explanation of the result.
    parts : list of dict
        Parts of the result: ``"kind"`` is ``"memory"``, ``"times"``, ``"findings"``, or ``"text"``.
    times : dict of int to float
        Time of each program line in microseconds; empty for other inspections.
    """

    title: str
    about: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)
    times: dict[int, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a JSON-compatible dictionary."""
        return {"title": self.title, "about": self.about, "parts": self.parts}

    def to_text(self) -> str:
        """Return the result as text."""
        lines = [self.title, *([self.about] if self.about else [])]
        for part in self.parts:
            lines += [part["text"]] if part["kind"] == "text" else [part["title"], *map(_row_as_text, part["rows"])]
        return "\n".join(lines)


def _row_as_text(row: dict[str, Any]) -> str:
    return "  " + "  ".join(value for value in row.values() if isinstance(value, str) and value)


def looked_up(net: Any, inputs: Any, what: str) -> Closer:
    """Return a net's memory plan, its times, or the effects of hybridizing it, or the reason why there is no result.

    Parameters
    ----------
    net : Block
        The net to inspect.
    inputs : tuple
        Arguments of the call.
    what : str
        ``"memory"``, ``"times"``, or ``"check"``.

    Returns
    -------
    Closer
        The result of the inspection.

    Raises
    ------
    ValueError
        If ``what`` is not ``"memory"``, ``"times"``, or ``"check"``.
    """
    if what not in _TITLES:
        raise ValueError(f"what must be 'memory', 'times', or 'check', not {what!r}")
    title = translate(_TITLES[what])
    without = _why_not(net, inputs, what)
    if without:
        return Closer(title, parts=[{"kind": "text", "text": without}])
    try:
        return {"memory": _memory, "times": _times, "check": _check}[what](net, inputs, title)
    except Exception as error:  # the net runs, and may raise any error
        text = translate("The net fails: {error}", error=f"{type(error).__name__}: {error}")
        return Closer(title, parts=[{"kind": "text", "text": text}])


def _why_not(net: Any, inputs: Any, what: str) -> str:
    if not inputs:
        return translate("The net has not been called yet")
    if what == "check":
        return ""
    if not isinstance(net, HybridBlock):
        return translate("Only a HybridBlock has a program of its own")
    return "" if net.programs else translate("There is no program yet: hybridize the net, and call it")


# --- memory ---------------------------------------------------------------------------------------------


def _memory(net: Any, inputs: Any, title: str) -> Closer:
    program = net.programs[-1]
    with contextlib.suppress(IndexError, ValueError):  # a recurrent layer has more arguments than its program
        program = net._cached_op.programs.get(net._signature_of(*inputs)[0], program)
    about = translate(
        "Each row is a value of the program, and each column one of its operators, in order. A bar goes from the "
        "operator that computes the value to the last one that uses it; then its memory is free. Inputs do not count."
    )
    functions = [program.forward, *([program.backward] if program.backward is not None else [])]
    return Closer(title, about, [_lifetimes(function) for function in functions])


def _lifetimes(function: Any) -> dict[str, Any]:
    plan = function.plan
    if plan is None:
        text = translate(
            "{name}: memory is not planned, so every value is kept until the call ends", name=function.name
        )
        return {"kind": "memory", "title": text, "count": 1, "rows": [], "more": 0}
    last = max(len(plan.dead_after) - 1, 0)
    lives = sorted(plan.lifetimes.values(), key=lambda life: life.start)
    rows = []
    for life in lives[:_MAX_ROWS]:
        end = last if life.end is None else life.end
        result = life.end is None
        rows.append({
            "name": life.name, "size": size(life.nbytes), "from": life.start, "to": end,
            "when": translate("to the end, as a result") if result else "", "result": result,
        })  # fmt: skip
    text = translate("{name}: {n} values, at most {peak} at once", name=function.name, n=len(lives),
                     peak=size(plan.peak_bytes))  # fmt: skip
    return {"kind": "memory", "title": text, "count": last + 1, "rows": rows, "more": len(lives) - len(rows)}


# --- times ----------------------------------------------------------------------------------------------


def _times(net: Any, inputs: Any, title: str) -> Closer:
    report = net.explain(*inputs, profile=True)
    events, parts = [*report.traces, *report.compilations], []
    if events:
        reasons = translate("; ").join(dict.fromkeys(in_words(event.reasons) for event in events))
        text = translate(_ONCE, traces=len(report.traces), compiled=len(report.compilations), why=reasons,
                         ms=1e3 * sum(event.seconds for event in events))  # fmt: skip
        parts.append({"kind": "text", "text": text})
    lines = [line for line in report.profile.lines if line.operator or line.percent >= 1]
    if report.profile.own:
        own = _bars([(_where(o), o.text, o.microseconds, o.percent) for o in report.profile.own])
        parts.append({"kind": "times", "title": translate("In your own lines:"), "rows": own, "more": 0})
    rows = _bars([
        (f"{line.function} {line.number}", _short(line.text), line.microseconds, line.percent)
        for line in lines[:_MAX_ROWS]
    ])  # fmt: skip
    text = translate(
        "One call spends {us:.1f} µs in the lines of the program (medians):", us=report.profile.microseconds
    )
    parts.append({"kind": "times", "title": text, "rows": rows, "more": max(0, len(lines) - _MAX_ROWS)})
    times = {line.number: line.microseconds for line in report.profile.lines if line.function == "forward"}
    return Closer(title, translate(_ON_TOP), parts, times)


def _short(line: str) -> str:
    """Return a generated line without its comment, unless the comment names a number that the trace froze."""
    return line if re.search(r"# .*\bnumber(_\d+)? = ", line) else line.partition("  # ")[0]


_Times = list[tuple[str, str, float, float]]


def _bars(found: _Times) -> list[dict[str, Any]]:
    """Return the location, the source, the time, the share of the time, and the bar length of each line."""
    longest = max((percent for *_, percent in found), default=0) or 1
    tokens = tokens_of([line for _, line, *_ in found])
    return [
        {"where": where, "line": line, "tokens": [list(piece) for piece in pieces], "time": f"{us:.1f} µs",
         "share": f"{percent:.0f}%", "bar": percent / longest}
        for (where, line, us, percent), pieces in zip(found, tokens, strict=True)
    ]  # fmt: skip


def _where(own: OwnTime) -> str:
    text = "line {n}" if len(own.numbers) == 1 else "lines {n}"
    return translate(text, n=listed(map(str, own.numbers)))


# --- differences ----------------------------------------------------------------------------------------

#: Kind of finding -> heading, sign, and color.
_GROUPS = {
    "differences": ("Hybridized, the net behaves differently:", "✗", "error"),
    "frozen": ("Frozen: decided once, while the net was traced:", "❄", "frozen"),
    "notes": ("Good to know:", "·", "muted"),
}


def _check(net: Any, inputs: Any, title: str) -> Closer:
    found = check_hybridization(net, *inputs)
    runs = (
        translate("{n} calls compared", n=len(found.runs))
        if found.runs
        else translate("no call compared, because the eager or the hybridized call fails")
    )
    same = not found.differences and bool(found.runs)
    about = translate("Yes, in all calls ({runs}).", runs=runs) if same else translate("No ({runs}).", runs=runs)
    return Closer(title, about, _groups(found))


def _groups(found: Findings) -> list[dict[str, Any]]:
    parts = []
    for name, (title, sign, colour) in _GROUPS.items():
        rows = [
            {"what": f.what, "where": labelled(translate("line {n}", n=f.line), f.code) if f.code else "", "why": f.why,
             "remedy": f.remedy, "page": _page(f.page)}
            for f in getattr(found, name)
        ]  # fmt: skip
        if rows:
            parts.append({"kind": "findings", "title": translate(title), "sign": sign, "colour": colour, "rows": rows})
    return parts


def _page(number: str) -> dict[str, str] | None:
    """Return the page of a trap, which has the failing and the fixed program."""
    trap = TRAPS.get(number)
    if trap is None:
        return None
    return {
        "title": f"{number} {translate(trap.title)}",
        "text": translate(trap.trap),
        "wrong": trap.wrong,
        "right": trap.right,
    }


add_words(
    {
        "Does the hybridized net compute the same?": "hybridize 之后，网络的计算结果还相同吗？",
        "Where the time goes": "时间花在哪里",
        "Memory use over time": "内存使用的变化",
        "Only a HybridBlock has a program of its own": "只有 HybridBlock 才有自己的程序",
        "The net has not been called yet": "网络还没有调用过",
        "The net fails: {error}": "网络出错：{error}",
        "There is no program yet: hybridize the net, and call it": "还没有程序：请先对网络做 hybridize，再调用网络",
        "Each row is a value of the program, and each column one of its operators, in order. A bar goes from the "
        "operator that computes the value to the last one that uses it; then its memory is free. Inputs do not count.":
            "每一行是程序算出的一个值，每一列是一个算子，按运行顺序排列。横条从算出这个值的算子开始，到最后用到它的算子为止，此后就释放它的内存。"
            "输入不计在内。",
        "{name}: memory is not planned, so every value is kept until the call ends":
            "{name}：没有内存规划，每个值都保留到调用结束",
        "{name}: {n} values, at most {peak} at once": "{name}：{n} 个值，最多同时占用 {peak}",
        "to the end, as a result": "直到结束：这是结果",
        _ONCE: "运行之前，追踪了 {traces} 次，编译了 {compiled} 次：{why}。用时 {ms:.1f} 毫秒。",
        "One call spends {us:.1f} µs in the lines of the program (medians):":
            "一次调用在程序各行中用时 {us:.1f} 微秒（中位数）：",
        _ON_TOP: "刚刚逐行测得，不包括 Python 在程序之外的工作（查找程序、包装结果）。",
        "In your own lines:": "按你自己的代码行统计：",
        "lines {n}": "第 {n} 行",
        "Yes, in all calls ({runs}).": "相同，所有调用都是如此（{runs}）。",
        "No ({runs}).": "不同（{runs}）。",
        "size": "大小",
        "operators, in order": "算子（按运行顺序）",
        "and {n} more": "还有 {n} 个",
    }
)  # fmt: skip
