"""A PrintTrace as data for its widget, as text, and as HTML without scripts."""

from __future__ import annotations

from typing import Any

from ..support.words import add_words, translate
from .html import details, element, escape, heading
from .listing import Listing
from .print_trace import Call, PrintTrace, Source
from .theme import MONOSPACE
from .trying import next_shape
from .values import Value
from .watching import Visit

__all__ = ["data_of", "html_of", "text_of"]

#: State of a line -> its sign, its colour, and what it means.
STATES = {
    "e": ("▶", "eager", "ran, on arrays"),
    "t": ("●", "traced", "ran, on Symbols: recorded in the graph"),
    "p": ("○", "traced", "ran, on Symbols: leaves nothing in the graph"),
    "c": ("■", "compiled", "did not run: its operators did, in the compiled program"),
    "s": ("·", "faint", "skipped"),
}
KINDS = {
    "eager": "line by line",
    "traced": "traced",
    "recompiled": "recompiled",
    "compiled": "compiled",
    "failed": "failed",
}
#: Colour of each kind of call.
COLOURS = {"eager": "eager", "traced": "traced", "recompiled": "compiled", "compiled": "compiled", "failed": "error"}
_FROZEN_SIGN = "❄"
#: Longer printed texts are cut in pictures; ``Call.printed`` has all of it.
_MAX_PRINTED = 2_000
#: More runs of functions in one call are counted rather than shown.
_MAX_RUNS = 12

_TEXTS = [
    "call", "after", "printed", "nothing", "Try it", "call again", "new shape", "change", "Look closer",
    "memory plan", "times", "first difference", "close", "previous call", "next call", "attribute", "value",
    "call the net to see the effect", "The net has no plain attribute to change", "shape of the input", "returns",
    "There is no function of yours in this net", "there were no calls yet", "and {n} more runs",
]  # fmt: skip


def notes_of(visit: Visit) -> dict[int, list[tuple[str, str, str]]]:
    """Return for each line of a visit its notes: (kind, name, text)."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for line, names in visit.values.items():
        if line:
            found.setdefault(line, []).extend(_note(name, values) for name, values in names.items())
    for line, text in visit.printed.items():
        found.setdefault(line, []).append(("printed", "", _cut(text.rstrip("\n"))))
    if visit.returned is not None:
        line, value = visit.returned
        found.setdefault(line, []).append((value.kind, "", value.text))
    for line, count in visit.hits.items():
        if count > 1:
            found.setdefault(line, []).append(("count", "", f"×{count}"))
    return found


def arguments_of(visit: Visit) -> list[tuple[str, str, str]]:
    """Return what a visit was given: (kind, name, text)."""
    return [_note(name, values) for name, values in visit.values.get(0, {}).items()]


def _note(name: str, values: list[Value]) -> tuple[str, str, str]:
    texts = list(dict.fromkeys(v.text for v in values))
    head = texts[0].partition(" [")[0]
    if all(text.startswith(f"{head} [") for text in texts):  # arrays of one shape: it is said once
        texts[1:] = [text.removeprefix(f"{head} ") for text in texts[1:]]
    return values[-1].kind, name, " → ".join(texts)


def _cut(text: str) -> str:
    if len(text) <= _MAX_PRINTED:
        return text
    more = translate("{n} more characters", n=len(text) - _MAX_PRINTED)
    return f"{text[:_MAX_PRINTED]} … ({more})"


def _is_hybridized(trace: PrintTrace) -> str:
    active = getattr(trace.net, "_active", None)
    return translate("a Block" if active is None else "hybridized" if active else "not hybridized")


# --- for the widget ---------------------------------------------------------------------------------


def data_of(trace: PrintTrace) -> dict[str, Any]:
    """Return everything that the widget shows."""
    return {
        "title": type(trace.net).__name__,
        "active": getattr(trace.net, "_active", None),
        "status": _is_hybridized(trace),
        "words": {text: translate(text) for text in _TEXTS},
        "states": {k: [sign, colour, translate(text)] for k, (sign, colour, text) in STATES.items()},
        "frozen": [_FROZEN_SIGN, translate("frozen: decided while it was traced")],
        "sources": [
            {
                "title": s.listing.title,
                "lines": [[line.number, [list(t) for t in line.tokens]] for line in s.listing.lines],
            }
            for s in trace.sources
        ],
        "calls": [_call_data(trace, call) for call in trace.calls],
        "pending": trace.pending.copy(),
        "attributes": [[path, repr(value)] for path, value in trace.attributes().items()],
        "shape": str(next_shape(trace._inputs)) if trace._inputs else "",
        "panel": list(trace.panel),
    }


def _call_data(trace: PrintTrace, call: Call) -> dict[str, Any]:
    places = {source.code: i for i, source in enumerate(trace.sources)}
    frozen = []
    for i, source in enumerate(trace.sources):
        first = source.listing.lines[0].number if source.listing.lines else 0
        for one in call.frozen:
            if one.filename == source.listing.filename and source.listing.line(one.line) is not None:
                frozen.append([i, one.line - first, one.text, one.remedy, one.stale])
    runs = [_run_data(trace.sources[places[v.code]], places[v.code], call, v) for v in call.visits if v.code in places]
    return {
        "n": call.number,
        "kind": call.kind,
        "word": translate(KINDS[call.kind]),
        "colour": COLOURS[call.kind],
        "reason": call.reason,
        "absent": _absent(call),
        "before": call.before,
        "in": call.inputs,
        "out": call.output,
        "error": call.error,
        "printed": _cut(call.printed),
        "states": [_states(call, source) for source in trace.sources],
        "runs": runs[:_MAX_RUNS],
        "more": max(0, len(runs) - _MAX_RUNS),
        "frozen": frozen,
    }


def _run_data(source: Source, place: int, call: Call, visit: Visit) -> dict[str, Any]:
    first = source.listing.lines[0].number if source.listing.lines else 0
    notes = {str(line - first): [list(n) for n in found] for line, found in notes_of(visit).items()}
    arguments = [list(note) for note in arguments_of(visit)]
    return {
        "source": place,
        "path": visit.path,
        "args": arguments,
        "states": _states(call, source, visit),
        "notes": notes,
    }


def _states(call: Call, source: Source, visit: Visit | None = None) -> str:
    return "".join(call.state(source, line.number, visit) for line in source.listing.lines)


# --- without one ----------------------------------------------------------------------------------------


def _listing(call: Call, source: Source, visit: Visit | None) -> Listing:
    lines = []
    notes = {} if visit is None else notes_of(visit)
    for line in source.listing.lines:
        state = call.state(source, line.number, visit)
        sign, colour, _ = STATES.get(state, (" ", "", ""))
        texts = [_note_text(*note) for note in notes.get(line.number, [])]
        texts += [
            f"{_FROZEN_SIGN} {f.text}"
            for f in call.frozen
            if (f.filename, f.line) == (source.listing.filename, line.number)
        ]
        if texts and not any("\n" in text for text in texts):
            texts = ["   ".join(texts)]
        mark = "faint" if state in ("c", "s") else colour
        lines.append(type(line)(line.number, line.text, mark, sign, texts, line.tokens))
    return Listing(source.listing.title, source.listing.filename, lines)


def _note_text(kind: str, name: str, text: str) -> str:
    if kind == "printed":
        return f"{translate('printed')}: {text}"
    return f"{name} = {text}" if name else text


def _parts(trace: PrintTrace, call: Call) -> list[tuple[str, str, Listing]]:
    """Return what to show of a call: for each run of a function its title, its arguments, and its lines."""
    parts = []
    for visit in call.visits[:_MAX_RUNS]:
        source = next((s for s in trace.sources if s.code is visit.code), None)
        if source is not None:
            arguments = "   ".join(f"{name}: {text}" for _, name, text in arguments_of(visit))
            parts.append((f"{source.listing.title}  {visit.path}", arguments, _listing(call, source, visit)))
    visited = {visit.code for visit in call.visits}
    for source in trace.sources:
        if source.code not in visited:
            parts.append((f"{source.listing.title}: {_absent(call)}", "", _listing(call, source, None)))
    return parts


def _absent(call: Call) -> str:
    """Return what to say of a function that did not run."""
    compiled = call.kind in ("compiled", "recompiled")
    return translate(
        "did not run: F and the variables are nothing, the compiled program ran" if compiled else "did not run"
    )


def _title(call: Call) -> str:
    after = f"  ({translate('after')} {', '.join(call.before)})" if call.before else ""
    return f"{translate('call')} {call.number}: {translate(KINDS[call.kind])}{after}"


def text_of(trace: PrintTrace) -> str:
    """Return a trace as text."""
    parts = [f"PrintTrace {type(trace.net).__name__}, {_is_hybridized(trace)}"]
    for call in trace.calls:
        parts += ["", _title(call), f"  {call.reason}"]
        for title, arguments, listing in _parts(trace, call):
            parts += ["", f"  {title}", *([f"      {arguments}"] if arguments else [])]
            parts += [f"  {line}" for line in listing.to_text().split("\n")]
        if call.error:
            parts += ["", *(f"  {line}" for line in call.error.split("\n"))]
    if not trace.calls:
        parts.append(translate("there were no calls yet"))
    return "\n".join([*parts, "", _legend()])


def _legend() -> str:
    return "\n".join(f"{sign} {translate(text)}" for sign, _, text in STATES.values())


def html_of(trace: PrintTrace) -> str:
    """Return a trace as HTML without scripts: a part to fold for each call."""
    parts = [heading(f"PrintTrace: {type(trace.net).__name__}", _is_hybridized(trace))]
    mono = f"font: 12px/1.5 {MONOSPACE}; opacity: 0.8; margin: 0 0 2px 0"
    for call in trace.calls:
        inside = [element("p", escape(call.reason), style="margin: 2px 0 6px 0; font-size: 13px")]
        for title, arguments, listing in _parts(trace, call):
            inside.append(element("div", escape(title), style="font-weight: 600; font-size: 12px; margin-top: 6px"))
            if arguments:
                inside.append(element("div", escape(arguments), style=mono))
            inside.append(listing.to_html())
        printed = call.printed.rstrip("\n")
        shown = escape(_cut(printed)) if printed else element("i", escape(translate("nothing")))
        label = element("b", escape(translate("printed")))
        inside.append(element("pre", f"{label}\n{shown}", style=f"{mono}; background: none"))
        if call.error:
            inside.append(element("pre", escape(call.error), style=f"font: 12px/1.5 {MONOSPACE}; background: none"))
        parts.append(details(_title(call), "".join(inside), opened=call is trace.calls[-1] or call.number <= 3))
    if not trace.calls:
        parts.append(element("p", escape(translate("there were no calls yet"))))
    legend = "   ".join(f"{sign} {translate(text)}" for sign, _, text in STATES.values())
    parts.append(element("p", escape(legend), style="font-size: 12px; opacity: 0.75"))
    return "".join(parts)


add_words(
    {
        "ran, on arrays": "运行了，用数组",
        "ran, on Symbols: recorded in the graph": "用 Symbol 运行：记录到图中",
        "ran, on Symbols: leaves nothing in the graph": "用 Symbol 运行：图中没有留下任何东西",
        "did not run: its operators did, in the compiled program": "没有运行：它的算子在编译好的程序里运行",
        "skipped": "跳过",
        "frozen: decided while it was traced": "冻结：追踪时已决定",
        "line by line": "逐行运行",
        "traced": "追踪",
        "recompiled": "重新编译",
        "compiled": "编译程序",
        "failed": "失败",
        "call": "调用",
        "and {n} more runs": "还有 {n} 次运行",
        "{n} more characters": "还有 {n} 个字符",
        "not hybridized": "未 hybridize",
        "a Block": "Block",
        "after": "之前执行了",
        "printed": "打印",
        "nothing": "无",
        "returns": "返回",
        "did not run": "没有运行",
        "did not run: F and the variables are nothing, the compiled program ran": (
            "没有运行：F 和变量都没有值，运行的是编译好的程序"
        ),
        "Try it": "试一试",
        "call again": "再调用一次",
        "new shape": "新形状",
        "change": "修改",
        "Look closer": "细看",
        "memory plan": "内存计划",
        "times": "时间",
        "first difference": "第一个差别",
        "close": "收起",
        "previous call": "上一次调用",
        "next call": "下一次调用",
        "call the net to see the effect": "调用网络才能看到效果",
        "The net has no plain attribute to change": "网络没有可修改的普通属性",
        "value": "值",
        "attribute": "属性",
        "There is no function of yours in this net": "这个网络中没有你写的函数",
        "there were no calls yet": "还没有调用",
        "shape of the input": "输入的形状",
    }
)
