"""Notebook displays of objects that are not pictures: reports, programs, graphs, findings, optimizers, and loaders.

The pages are static, like the pages of pictures: tables, collapsible sections, and tints that are readable on light
and on dark pages. Long contents are truncated with a note.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.cached_op import CachedOp
from ..core.codegen import PythonSource
from ..core.graph import Graph
from ..core.history import Event
from ..core.pipeline import Program, Stage
from ..reports.profile import OwnTime
from ..reports.report import FunctionReport, ProfileReport, ProgramReport, Report, StageReport
from ..reports.text import count_of
from ..support.display import Shown, brief, shorter
from ..support.remedies import file_label, location
from ..support.words import add_words, clauses, labelled, listed, translate
from .check.findings import Finding, Findings
from .html import details, element, escape, heading, marked, plain, table
from .listing import Line, Listing, tokens_of
from .reasons import in_words
from .theme import tint
from .timing.units import seconds_text
from .traps import TRAPS

__all__ = ["html_of"]

#: The maximum numbers of lines of a graph or program, and of rows of a list of events or programs.
_MOST_LINES, _MOST_ROWS = 120, 12
#: The maximum number of characters of a value in a table.
_ROOM = 160
_OWN = "Time per line of your code, in a call of {time} (medians)"
_BUSY = (
    "Your machine is busy: the lower quartiles of the lines add up to {lower}, and the upper quartiles to {upper}. "
    "Stop other programs, and measure again."
)


@functools.singledispatch
def html_of(thing: Any) -> str:
    """Return an object as static HTML.

    Parameters
    ----------
    thing : object
        Object of a supported class, or of a class derived from :class:`~d2lhybrid.internals.support.display.Shown`.

    Returns
    -------
    str
        The HTML; empty if the object has no display other than its text.

    Raises
    ------
    TypeError
        If the object's class is not supported.

    Examples
    --------
    >>> from d2lhybrid.initializer import Normal
    >>> "sigma" in html_of(Normal(0.5))
    True
    """
    raise TypeError(f"objects of type {type(thing).__name__} cannot be displayed as HTML")


@html_of.register
def _(thing: Shown) -> str:
    if type(thing).__repr__ is not Shown.__repr__:
        return ""  # a custom repr is sufficient, such as cpu(0)
    rows = []
    for name, value, by_default in thing._shown():
        quiet = {"style": "opacity: 0.6"} if by_default else {}
        text = brief(value, _ROOM)
        rows.append([element("span", escape(t), **quiet) for t in (name, text)])
    module = ".".join(type(thing).__module__.split(".")[:2])
    title = heading(type(thing).__name__, "" if module.startswith("__main__") else module)
    return _page(title, table(rows) if rows else "")


def _page(*parts: str) -> str:
    return element("div", *parts, style="overflow-wrap: break-word; max-width: 1100px")


def _chip(text: str, colour: str) -> str:
    """Return a word with a tinted background."""
    style = f"background: {tint(colour)}; border-radius: 3px; padding: 1px 6px; white-space: nowrap"
    return element("span", escape(text), style=style)


def _quiet(text: str) -> str:
    return element("div", escape(text), style="opacity: 0.7; margin: 4px 0")


def _label(text: str) -> str:
    """Return a label that browsers do not break between Chinese characters."""
    return element("span", escape(translate(text)), style="white-space: nowrap")


def _numbers(cells: Iterable[str]) -> list[str]:
    return [element("div", escape(cell), style="text-align: right; white-space: nowrap") for cell in cells]


def _code(text: str, colour: str = "", first: int = 1) -> str:
    """Return source code with bold keywords and a tinted background."""
    lines = text.splitlines()
    shown = [shorter(line, 200) for line in lines[:_MOST_LINES]]
    numbered = enumerate(zip(shown, tokens_of(shown), strict=True), first)
    code = Listing("", "", [Line(number, line, tokens=tokens) for number, (line, tokens) in numbered]).to_html()
    if colour:
        code = element("div", code, style=f"background: {tint(colour, 0.14)}; border-radius: 4px; padding: 1px 4px")
    return code + _more(len(lines) - len(shown), "... and {n} more lines")


def _more(count: int, text: str) -> str:
    return _quiet(translate(text, n=count)) if count > 0 else ""


# --- the compiler -----------------------------------------------------------------------------


@html_of.register
def _(report: Report) -> str:
    note = clauses(
        translate("hybridized") if report.hybridized else translate("not hybridized"),
        translate("traced: {n}", n=len(report.traces)),
        translate("compiled: {n}", n=len(report.compilations)),
        translate("programs kept: {n}", n=len(report.programs)),
    )
    parts = [heading(report.block, note), _events([*report.traces, *report.compilations])]
    first = max(0, len(report.programs) - _MOST_ROWS)
    for number, program in enumerate(report.programs[first:], first + 1):
        opened = number == len(report.programs)
        parts.append(details(_title(number, program), _program_report(program), opened=opened))
    parts.append(_more(first, "... and {n} programs before them"))
    if report.profile is not None:
        parts.append(html_of(report.profile))
    if report.programs:
        parts.append(_quiet(translate(_ESTIMATES)))
    return _page(*parts)


def _events(events: Sequence[Event]) -> str:
    if not events:
        return ""
    rows = [
        [
            _chip(translate(event.kind), "compiled" if "compile" in event.kind else "traced"),
            escape(in_words(event.reasons)),
            *_numbers([f"{1e3 * event.seconds:.2f} ms"]),
            *(element("span", escape(event.words[who]), style="opacity: 0.7") for who in _OTHERS),
        ]
        for event in events[-_MOST_ROWS:]
    ]
    header = [translate("what happened"), translate("because"), "", *_OTHERS]
    return table(rows, header) + _more(len(events) - len(rows), "... and {n} before them")


_OTHERS = ("TensorFlow", "JAX", "PyTorch")


@html_of.register
def _(event: Event) -> str:
    return _page(_events([event]))


def _title(number: int, program: ProgramReport) -> str:
    wanted = sum(i.gradient for i in program.inputs)
    return clauses(
        translate("Program {n}: {mode}", n=number, mode=_mode(program.training)),
        program.context,
        *([translate("gradients: {n} of {m} inputs", n=wanted, m=len(program.inputs))] if program.recording else []),
        translate("operators: {n}", n=program.operators),
    )


def _mode(training: bool) -> str:
    return translate("training mode") if training else translate("predict mode")


@html_of.register
def _(program: ProgramReport) -> str:
    return _page(_program_report(program))


def _program_report(program: ProgramReport) -> str:
    parts = [_quiet(labelled(translate("because"), in_words(program.reasons)))]
    parts.append(_code(program.source, "compiled"))
    parts += [
        element("div", _chip(translate("faster"), "eager"), " ", escape(text), style="margin: 4px 0")
        for text in program.advice
    ]
    parts += [
        _quiet(f"{f.name}: {text}")
        for f in program.functions
        for text in (f.launches, ", ".join(f.callbacks), ", ".join(f.libraries))
        if text
    ]
    parts.append(_functions(program.functions))
    if program.recording:
        parts.append(
            _quiet(translate("kept between forward and backward: {n} bytes", n=count_of(program.residual_bytes)))
        )
    inputs = [
        [escape(i.name), escape(f"{i.dtype} {i.shape}"), _chip(translate("gradient"), "traced") if i.gradient else ""]
        for i in program.inputs[: 5 * _MOST_ROWS]
    ]
    more = _more(len(program.inputs) - len(inputs), "... and {n} more")
    parts.append(details(translate("inputs: {n}", n=len(program.inputs)), table(inputs) + more))
    title = translate("compiled in {ms} ms, stages: {n}", ms=f"{program.milliseconds:.2f}", n=len(program.stages))
    parts.append(details(title, _stages(program.stages)))
    return "".join(parts)


def _functions(functions: Sequence[FunctionReport]) -> str:
    rows = [
        [
            escape(f.name),
            *_numbers(
                [str(f.operators), *map(count_of, (f.flops, f.bytes_moved, f.peak_bytes, f.buffers, f.arena_bytes))]
            ),
        ]
        for f in functions
    ]
    words = ("function", "operators", "flops", "bytes", "peak bytes", "buffers", "arena bytes")
    return table(rows, [translate(word) for word in words])


@html_of.register
def _(function: FunctionReport) -> str:
    return _page(_functions([function]), _code(function.source, "compiled"))


def _stages(stages: Sequence[StageReport]) -> str:
    rows, last = [], None
    for stage in stages:
        now = stage.operators_after, stage.flops, stage.bytes_moved
        changed = last is None or now != last or stage.operators_before != stage.operators_after
        cells = [
            escape(stage.name),
            *_numbers(
                [
                    f"{stage.operators_before} → {stage.operators_after}",
                    count_of(stage.flops),
                    count_of(stage.bytes_moved),
                    f"{stage.milliseconds:.2f}",
                ]
            ),
        ]
        rows.append(cells if changed else [element("div", cell, style="opacity: 0.6") for cell in cells])
        last = now
    return table(rows, [translate(word) for word in ("stage", "operators", "flops", "bytes", "ms")])


@html_of.register
def _(stage: StageReport) -> str:
    return _page(_stages([stage]))


@html_of.register
def _(profile: ProfileReport) -> str:
    title = translate("Time per line of program {n}: {us} µs (medians)", n=profile.program + 1,
                      us=f"{profile.microseconds:.1f}")  # fmt: skip
    lower, upper = (seconds_text(us * 1e-6) for us in profile.quartiles)
    busy = element("p", escape(translate(_BUSY, lower=lower, upper=upper))) if profile.is_busy else ""
    if not profile.own:
        return _page(heading(title), busy, _line_times(profile))
    own = translate(_OWN, time=seconds_text(profile.microseconds * 1e-6))
    return _page(heading(own), busy, _own_times(profile.own), details(title, _line_times(profile)))


def _own_times(own: Sequence[OwnTime]) -> str:
    longest = max(line.percent for line in own) or 1
    backward = any(line.backward for line in own)
    rows = []
    for line in own[: 5 * _MOST_ROWS]:
        times = [seconds_text(line.microseconds * 1e-6), f"{line.percent:.0f}%"]
        parts = line.microseconds - line.backward, line.backward
        times += [seconds_text(part * 1e-6) for part in parts] if backward else []
        where = f"{file_label(line.file)}: {listed(map(str, line.numbers))}"
        where = element("div", escape(where), style="text-align: right; white-space: nowrap")
        rows.append([where, _inline_code(line.text), _bar(line.percent / longest), *_numbers(times)])
    header = [translate("line"), translate("source"), "", translate("time"), "%"]
    header += [translate("forward"), translate("backward")] if backward else []
    return table(rows, header) + _more(len(own) - len(rows), "... and {n} more lines")


def _line_times(profile: ProfileReport) -> str:
    longest = max((line.percent for line in profile.lines), default=0) or 1
    rows = []
    for line in profile.lines[: 5 * _MOST_ROWS]:
        text = shorter(line.text.partition("  # ")[0], 100)
        speed = f"{line.gflops_per_second:.2f}" if line.gflops_per_second else ""
        numbers = _numbers([f"{line.microseconds:.1f} µs", f"{line.percent:.0f}%", speed])
        where = element("div", escape(f"{line.function} {line.number}"), style="white-space: nowrap")
        rows.append([where, _bar(line.percent / longest), *numbers, _inline_code(text)])
    header = [translate("line"), "", translate("time"), "%", "GFLOP/s", translate("source")]
    return table(rows, header) + _more(len(profile.lines) - len(rows), "... and {n} more lines")


def _bar(part: float) -> str:
    width = f"display: inline-block; height: 9px; width: {max(1, round(110 * part))}px"
    return element("span", style=f"{width}; background: {tint('compiled', 0.7)}")


def _inline_code(text: str) -> str:
    return element("code", escape(text), style="background: none; color: inherit; white-space: pre-wrap")


@html_of.register
def _(own: OwnTime) -> str:
    return _page(_own_times([own]))


# --- programs and graphs ----------------------------------------------------------------------


@html_of.register
def _(program: Program) -> str:
    note = clauses(_mode(program.graph.training), translate("operators: {n}", n=_operators(program)), program.backend)
    rows = [
        [escape(stage.name), *_numbers([str(stage.num_operators), f"{1e3 * stage.seconds:.2f}"])]
        for stage in program.stages
    ]
    header = [translate(word) for word in ("stage", "operators", "ms")]
    return _page(
        heading(translate("Program"), note),
        _signature(program.graph),
        _code(program.source, "compiled"),
        details(translate("stages: {n}", n=len(rows)), table(rows, header)),
    )


def _operators(program: Program) -> int:
    return len({node for function in program.functions for node in function.line_nodes.values()})


def _signature(graph: Graph) -> str:
    """Return the inputs and outputs of a graph."""
    inputs = [f"{node.name}: {graph.types[node, 0]}" for node in graph.inputs]
    outputs = [f"{node.name}: {graph.types[node, i]}" for node, i in graph.outputs]
    return table([
        [_label(word), escape(_listed(texts))] for word, texts in (("inputs", inputs), ("outputs", outputs))
    ])  # fmt: skip


def _listed(texts: Sequence[str]) -> str:
    more = [translate("... and {n} more", n=len(texts) - 8)] if len(texts) > 8 else []
    return ", ".join([*texts[:8], *more])


@html_of.register
def _(op: CachedOp) -> str:
    programs = list(op.programs.values())
    rows = [
        [
            _chip(_mode(program.graph.training), "compiled"),
            escape(_listed([f"{n.name}: {program.graph.types[n, 0]}" for n in program.graph.inputs])),
            *_numbers([str(_operators(program))]),
        ]
        for program in programs[-_MOST_ROWS:]
    ]
    header = ["", translate("inputs"), translate("operators")]
    return _page(heading("CachedOp", translate("programs: {n}", n=len(programs))), table(rows, header) if rows else "")


@html_of.register
def _(source: PythonSource) -> str:
    return _page(_code(str(source), "compiled"))


@html_of.register
def _(graph: Graph) -> str:
    note = clauses(translate("operators: {n}", n=graph.num_operators), translate("inputs: {n}", n=len(graph.inputs)),
                   translate("outputs: {n}", n=len(graph.outputs)))  # fmt: skip
    return _page(heading(translate("Graph"), note), _lines(graph))


def _lines(graph: Graph) -> str:
    """Return a table of a graph's nodes, in which operators have a tinted background."""
    rows, shades = [], []
    for node in graph.nodes[:_MOST_LINES]:
        arguments = ", ".join(n.name if n.num_outputs == 1 else f"{n.name}[{i}]" for n, i in node.inputs)
        what = "" if node.op is None else f"{node.op.name}({arguments})"
        rows.append([escape(node.name), escape(shorter(what)), escape(graph.types[node, 0])])
        shades.append("traced" if node.op is not None else "")
    more = _more(len(graph.nodes) - len(rows), "... and {n} more")
    return table(rows, [translate(word) for word in ("node", "operator", "type")], code=True, shades=shades) + more


@html_of.register
def _(stage: Stage) -> str:
    note = clauses(translate("operators: {n}", n=stage.num_operators), f"{1e3 * stage.seconds:.2f} ms")
    return _page(heading(translate("Stage: {name}", name=stage.name), note), _lines(stage.graph))


# --- findings of a check ----------------------------------------------------------------------

#: Kind of finding -> heading and color.
_GROUPS = {
    "differences": ("Hybridized, the net behaves differently:", "error"),
    "frozen": ("Frozen: decided once, while the net was traced:", "frozen"),
    "notes": ("Good to know:", "muted"),
}


@html_of.register
def _(found: Findings) -> str:
    text = str(found)
    parts = [element("div", escape(text.partition("\n\n")[0]), style="margin: 4px 0")]
    for name, (title, colour) in _GROUPS.items():
        of_kind = getattr(found, name)
        if of_kind:
            parts.append(element("div", escape(translate(title)), style="font-weight: 600; margin: 8px 0 2px"))
            parts += [_finding(one, colour) for one in of_kind[: 5 * _MOST_ROWS]]
    if found.unseen:
        rows = [[marked(one)] for one in found.unseen]
        parts.append(details(translate("Not examined (frozen values there are not listed):"), table(rows)))
    return _page(*parts)


@html_of.register
def _(found: Finding) -> str:
    return _page(_finding(found, "frozen" if found.name else "error" if found.kind in ("error", "value") else "muted"))


def _finding(found: Finding, colour: str) -> str:
    said = [element("div", _chip(found.kind, colour), " ", marked(found.what), style="margin: 2px 0")]
    if found.code and found.filename:
        said.append(_quiet(location(found.filename, found.line)))
        said.append(_code(found.code, colour, found.line))
    rows = [[_label(n), marked(t)] for n, t in (("why", found.why), ("remedy", found.remedy)) if t]
    if rows:
        said.append(table(rows))
    trap = TRAPS.get(found.page)
    if trap is not None:
        pages = [
            heading(translate(label)) + _code(text)
            for label, text in (("written wrong", trap.wrong), ("written right", trap.right))
        ]
        said.append(details(f"{found.page} {plain(translate(trap.title))}", "".join(pages)))
    style = f"border-left: 4px solid {tint(colour, 0.7)}; padding: 2px 10px; margin: 6px 0"
    return element("div", *said, style=style)


_ESTIMATES = "Operations (flops) and bytes are estimates from shapes."

add_words(
    {
        "not hybridized": "未 hybridize",
        "traced: {n}": "追踪：{n} 次",
        "compiled: {n}": "编译：{n} 次",
        "programs kept: {n}": "保留的程序：{n} 个",
        "programs: {n}": "程序：{n} 个",
        "... and {n} more lines": "……还有 {n} 行",
        "... and {n} more": "……还有 {n} 个",
        "... and {n} before them": "……在此之前还有 {n} 次",
        "... and {n} programs before them": "……之前还有 {n} 个程序",
        "what happened": "发生了什么",
        "because": "原因",
        "trace": "追踪",
        "retrace": "重新追踪",
        "compile": "编译",
        "recompile": "重新编译",
        "Program {n}: {mode}": "程序 {n}：{mode}",
        "gradients: {n} of {m} inputs": "梯度：{m} 个输入中的 {n} 个",
        "faster": "更快",
        "gradient": "梯度",
        "inputs: {n}": "输入：{n} 个",
        "outputs: {n}": "输出：{n} 个",
        "inputs": "输入",
        "outputs": "输出",
        "compiled in {ms} ms, stages: {n}": "编译用时 {ms} 毫秒，阶段：{n} 个",
        "stages: {n}": "阶段：{n} 个",
        "kept between forward and backward: {n} bytes": "前向传播为反向传播保留：{n} 字节",
        "function": "函数",
        "operators": "算子数",
        "operators: {n}": "算子：{n} 个",
        "flops": "浮点运算次数",
        "bytes": "字节数",
        "peak bytes": "峰值字节数",
        "buffers": "缓冲区",
        "arena bytes": "预留字节数",
        "stage": "阶段",
        "ms": "毫秒",
        "source": "源代码",
        "forward": "前向",
        "backward": "反向",
        _BUSY: "你的机器很忙：各行时间的下四分位数合计 {lower}，上四分位数合计 {upper}。请关闭其他程序，再测量一次。",
        _OWN: "你自己各行代码的时间：一次调用 {time}（中位数）",
        "Time per line of program {n}: {us} µs (medians)": "程序 {n} 各行的时间：{us} 微秒（中位数）",
        "Program": "程序",
        "Graph": "计算图",
        "Stage: {name}": "阶段：{name}",
        "node": "节点",
        "operator": "算子",
        "type": "类型",
        "written wrong": "错误的写法",
        "written right": "正确的写法",
        _ESTIMATES: "运算次数和字节数是根据形状估计的。",
    }
)
