"""A PrintTrace as text and as HTML without scripts, and the words that these forms and the widget use."""

from __future__ import annotations

import math

from ..support.words import add_words, clauses, in_brackets, labelled, listed, translate
from .html import bytes_in_notebook, details, element, escape, heading, without_room
from .line_watcher import Visit
from .listing import Listing
from .print_trace import PrintTrace
from .print_trace_model import Call, Source
from .theme import MONOSPACE, tint
from .values import Value

__all__ = [
    "COLOURS",
    "FROZEN_SIGN",
    "KINDS",
    "LANES",
    "OWN_OPERATORS",
    "STATES",
    "TEXTS",
    "absent_in",
    "arguments_of",
    "cut",
    "html_of",
    "notes_of",
    "status_of",
    "text_of",
]

#: State of a line -> sign, color, and meaning.
STATES = {
    "e": ("▶", "eager", "ran, on arrays"),
    "t": ("●", "traced", "ran, on Symbols: recorded in the graph"),
    "p": ("○", "traced", "ran, on Symbols: not in the graph"),
    "c": ("■", "compiled", "did not run: its operators did, in the compiled program"),
    "s": ("·", "faint", "skipped"),
}
KINDS = {
    "eager": "eager",
    "traced": "traced",
    "recompiled": "recompiled",
    "compiled": "compiled",
    "failed": "failed",
}
#: Kind of a call -> color.
COLOURS = {"eager": "eager", "traced": "traced", "recompiled": "compiled", "compiled": "compiled", "failed": "error"}
FROZEN_SIGN = "❄"
#: The maximum length of printed text in pictures; ``Call.printed`` has the complete text.
_MAX_PRINTED, _MAX_PRINTED_LINES = 2_000, 60
#: The maximum number of displayed runs of functions in one call.
MAX_RUNS = 12

TEXTS = [
    "call", "after:", "printed", "nothing", "Try it", "Signs", "call again", "new shape", "change", "Look closer",
    "memory plan", "times", "first difference", "close", "previous call", "next call", "attribute", "value",
    "call the net to see the effect", "The net has no plain attribute to change", "shape of the input",
    "There is no function of yours in this net", "there were no calls yet", "further runs: {n}", "play", "pause",
    "{label}: {text}", "line printed", "lines printed", "Nothing printed", "Python ran no line", "not called yet",
    "no call in this lane", "now:", "no value here", "values under the lines", "values", "did not run", "run of",
    "Changes here apply to your net.", "listing", "calls of this lane", "size", "operators, in order",
    "and {n} more", "falls into the trap", "works", "Old: call {n} traced the net again.",
]  # fmt: skip
#: Lane -> name, color, description, and the description for a net that is a plain Block.
LANES = {
    "array": ("array", "eager", "Python runs every line, on arrays.", "Python runs every line, on arrays."),
    "symbol": (
        "Symbol",
        "traced",
        "Python runs every line once more, on Symbols, which record it.",
        "Its own lines run on arrays; parts of it run on Symbols and are recorded.",
    ),
    "program": (
        "program",
        "compiled",
        "The compiled program runs. Python runs no line.",
        "Its own lines run on arrays; parts of it are compiled programs.",
    ),
}
#: The description of the lane "program" if the program calls operators that the user wrote.
OWN_OPERATORS = "The compiled program runs. Python only runs the code of your own operators."


def notes_of(visit: Visit) -> dict[int, list[tuple[str, str, str]]]:
    """Return the notes next to each line of a function's run: the kind, the name, and the text of each note."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for line, names in visit.values.items():
        if line:
            found.setdefault(line, []).extend(_note(name, values) for name, values in names.items())
    for line, text in visit.printed.items():
        found.setdefault(line, []).append(("printed", "", cut(text.rstrip("\n"))))
    if visit.returned is not None:
        line, value = visit.returned
        found.setdefault(line, []).append((value.kind, "", value.text))
    for line, count in visit.hits.items():
        if count > 1:
            found.setdefault(line, []).append(("count", "", f"×{count}"))
    return found


def arguments_of(visit: Visit) -> list[tuple[str, str, str]]:
    """Return the kind, the name, and the text of each argument of a function's run."""
    return [_note(name, values) for name, values in visit.values.get(0, {}).items()]


def _note(name: str, values: list[Value]) -> tuple[str, str, str]:
    texts = list(dict.fromkeys(v.text for v in values))
    head = texts[0].partition(" [")[0]
    if all(text.startswith(f"{head} [") for text in texts):  # arrays of equal shape share one note
        texts[1:] = [text.removeprefix(f"{head} ") for text in texts[1:]]
    return values[-1].kind, name, " → ".join(texts)


def cut(text: str) -> str:
    """Return a printed text, truncated if it is very long."""
    kept = "".join(text.splitlines(keepends=True)[:_MAX_PRINTED_LINES])[:_MAX_PRINTED]
    if kept == text:
        return text
    return in_brackets(f"{kept.rstrip()} …", translate("{n} more characters", n=len(text) - len(kept.rstrip())))


def status_of(trace: PrintTrace) -> str:
    """Return ``"hybridized"``, ``"not hybridized"``, or ``"a Block"`` in the current language."""
    active = getattr(trace.net, "_active", None)
    return translate("a Block" if active is None else "hybridized" if active else "not hybridized")


def _listing(call: Call, source: Source, visit: Visit | None) -> Listing:
    lines = []
    notes = {} if visit is None else notes_of(visit)
    for line in source.listing.lines:
        state = call.state(source, line.number, visit)
        sign, colour, _ = STATES.get(state, (" ", "", ""))
        texts = [_note_text(*note) for note in notes.get(line.number, [])]
        texts += [
            f"{FROZEN_SIGN} {f.text}"
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
        return labelled(translate("printed"), text)
    return f"{name} = {text}" if name else text


def _parts(trace: PrintTrace, call: Call) -> list[tuple[str, str, Listing]]:
    """Return the title, the arguments, and the lines of each run of a function in a call."""
    parts = []
    for visit in call.visits[:MAX_RUNS]:
        source = next((s for s in trace.sources if s.code is visit.code), None)
        if source is not None:
            arguments = "   ".join(f"{name}: {text}" for _, name, text in arguments_of(visit))
            parts.append((f"{source.listing.title}  {visit.path}", arguments, _listing(call, source, visit)))
    visited = {visit.code for visit in call.visits}
    for source in trace.sources:
        if source.code not in visited:
            parts.append((labelled(source.listing.title, absent_in(call)), "", _listing(call, source, None)))
    return parts


def absent_in(call: Call) -> str:
    """Return the note on a function that did not run in a call."""
    compiled = call.kind in ("compiled", "recompiled")
    return translate(
        "did not run: F and the variables are nothing, the compiled program ran" if compiled else "did not run"
    )


def _title(call: Call) -> str:
    kind = translate(KINDS[call.kind])
    if call.before:
        kind = in_brackets(kind, translate("after {calls}", calls=listed(call.before)))
    return labelled(f"{translate('call')} {call.number}", kind)


def text_of(trace: PrintTrace) -> str:
    """Return a trace as text."""
    parts = [clauses(f"PrintTrace {type(trace.net).__name__}", status_of(trace))]
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


def _consoles(trace: PrintTrace) -> str:
    """Return the output of each lane's first call, side by side."""
    cell = "text-align: left; vertical-align: top; width: 33%; padding: 6px 10px; border: none"
    names, consoles = [], []
    loud = any(call.printed for call in trace.calls)
    for key, (name, colour, _, _) in LANES.items():
        call = next((c for c in trace.calls if c.lane == key), None)
        style = f"{cell}; background: {tint(colour)}; font-size: 15px"
        names.append(element("th", escape(translate(name)), style=style))
        if call is None:
            inside = element("i", escape(translate("no call in this lane")))
        elif loud and not call.printed and not call.error:
            inside = element("b", escape(translate("Nothing printed")), style="font-size: 20px; opacity: 0.85")
        else:
            text = cut("\n".join(filter(None, [call.printed.rstrip("\n"), call.error]))) or translate("nothing")
            style = f"font: 12px/1.5 {MONOSPACE}; white-space: pre-wrap; margin: 0; background: none"
            inside = element("pre", escape(text), style=style)
        consoles.append(element("td", inside, style=f"{cell}; background: {tint(colour, 0.08)}"))
    rows = element("tr", *names), element("tr", *consoles)
    style = "border-collapse: collapse; width: 100%; table-layout: fixed; margin: 4px 0 10px 0; border: none"
    return element("table", *rows, style=style)


def html_of(trace: PrintTrace, room: float = math.inf) -> str:
    """Return a trace as HTML without scripts.

    A note replaces the content of each call that no longer fits into ``room`` bytes.
    """
    parts = [heading(f"PrintTrace: {type(trace.net).__name__}", status_of(trace))]
    if len({call.lane for call in trace.calls}) > 1:
        parts.append(_consoles(trace))
        room -= bytes_in_notebook(parts[-1])
    mono = f"font: 12px/1.5 {MONOSPACE}; opacity: 0.8; margin: 0 0 2px 0"
    for call in trace.calls:
        inside = [element("p", escape(call.reason), style="margin: 2px 0 6px 0; font-size: 13px")]
        for title, arguments, listing in _parts(trace, call):
            inside.append(element("div", escape(title), style="font-weight: 600; font-size: 12px; margin-top: 6px"))
            if arguments:
                inside.append(element("div", escape(arguments), style=mono))
            inside.append(listing.to_html())
        printed = call.printed.rstrip("\n")
        shown = escape(cut(printed)) if printed else element("i", escape(translate("nothing")))
        label = element("b", escape(translate("printed")))
        inside.append(element("pre", f"{label}\n{shown}", style=f"{mono}; background: none; white-space: pre-wrap"))
        if call.error:
            style = f"font: 12px/1.5 {MONOSPACE}; background: none; white-space: pre-wrap"
            inside.append(element("pre", escape(call.error), style=style))
        opened = call is trace.calls[-1] or call.number <= 3
        part = details(_title(call), "".join(inside), opened=opened)
        if bytes_in_notebook(part) > room:
            part = details(_title(call), inside[0] + without_room(), opened=opened)
        room -= bytes_in_notebook(part)
        parts.append(part)
    if not trace.calls:
        parts.append(element("p", escape(translate("there were no calls yet"))))
    legend = "   ".join(f"{sign} {translate(text)}" for sign, _, text in STATES.values())
    parts.append(element("p", escape(legend), style="font-size: 12px; opacity: 0.75"))
    return "".join(parts)


add_words(
    {
        "ran, on arrays": "运行了，处理的是数组",
        "ran, on Symbols: recorded in the graph": "运行了，处理的是 Symbol：已记录到计算图中",
        "ran, on Symbols: not in the graph": "运行了，处理的是 Symbol：计算图中什么也没有留下",
        "did not run: its operators did, in the compiled program": "没有运行：这一行的算子在编译后的程序里运行",
        "skipped": "跳过",
        "frozen: decided while it was traced": "冻结：追踪时就已确定",
        "eager": "逐行运行",
        "traced": "追踪",
        "recompiled": "重新编译",
        "compiled": "编译后",
        "failed": "出错",
        "call": "调用",
        "further runs: {n}": "还有 {n} 次运行",
        "{n} more characters": "还有 {n} 个字符",
        "after {calls}": "{calls} 之后",
        "not hybridized": "未 hybridize",
        "a Block": "Block",
        "after:": "之前运行了",
        "printed": "打印",
        "nothing": "无",
        "did not run": "没有运行",
        "did not run: F and the variables are nothing, the compiled program ran": (
            "没有运行：F 和变量都没有值，运行的是编译后的程序"
        ),
        "Try it": "试一试",
        "Signs": "记号",
        "call again": "再调用一次",
        "new shape": "新形状",
        "Old: call {n} traced the net again.": "已过时：第 {n} 次调用重新追踪了网络。",
        "at most {n} numbers": "最多 {n} 个数",
        "change": "修改",
        "Look closer": "细看",
        "memory plan": "内存规划",
        "times": "时间",
        "first difference": "第一处不同",
        "close": "收起",
        "previous call": "上一次调用",
        "next call": "下一次调用",
        "call the net to see the effect": "再调用一次网络，就能看到效果",
        "The net has no plain attribute to change": "网络没有可以修改的普通属性",
        "value": "值",
        "attribute": "属性",
        "There is no function of yours in this net": "这个网络中没有你写的函数",
        "there were no calls yet": "还没有调用",
        "shape of the input": "输入的形状",
        "play": "播放",
        "pause": "暂停",
        "line printed": "行打印输出",
        "lines printed": "行打印输出",
        "{label}: {text}": "{label}：{text}",
        "Nothing printed": "什么也没有打印",
        "Python ran no line": "Python 一行也没有运行",
        "not called yet": "还没有调用",
        "no call in this lane": "这一栏没有调用",
        "now:": "现在：",
        "no value here": "这里没有值",
        "values under the lines": "在代码行下面显示值",
        "values": "显示值",
        "run of": "选择哪一次运行：",
        "Changes here apply to your net.": "在这里修改，就会直接修改你的网络。",
        "listing": "代码",
        "calls of this lane": "这一栏的调用",
        "array": "数组",
        "Symbol": "符号",
        "program": "程序",
        "Python runs every line, on arrays.": "Python 运行每一行，处理的是数组。",
        "Python runs every line once more, on Symbols, which record it.": (
            "Python 把每一行再运行一遍，处理的是 Symbol：所有运算记录成计算图。"
        ),
        "Its own lines run on arrays; parts of it run on Symbols and are recorded.": (
            "网络自己的代码处理的是数组；网络的某些部分处理的是 Symbol，运算记录成计算图。"
        ),
        "The compiled program runs. Python runs no line.": "运行的是编译后的程序。Python 一行也不运行。",
        OWN_OPERATORS: "运行的是编译后的程序。Python 只运行你自己写的算子的代码。",
        "Its own lines run on arrays; parts of it are compiled programs.": (
            "网络自己的代码处理的是数组；网络的某些部分是编译后的程序。"
        ),
        "How many lines will call {n} print?": "第 {n} 次调用会打印几行？",
        "How many lines of yours will Python run in call {n}?": "第 {n} 次调用时，Python 会运行几行你写的代码？",
        "A print is not an operator, so the program has none.": "print 不是算子，所以程序里没有 print。",
        "{done}. What will the next call return?": "{done}。下一次调用会返回什么？",
        "the same numbers": "同样的数",
        "other numbers": "不同的数",
        "an error": "报错",
    }
)
