"""The data of the live editor for its widget, as text, and as HTML without scripts."""

from __future__ import annotations

import math
from typing import Any

from ...support.words import add_words, labelled, sentences, translate
from .. import print_trace_data
from ..html import bytes_in_notebook, details, element, escape, heading, packed_size, without_room
from ..listing import Line, Listing, tokens_of
from ..picture import to_json
from ..print_trace_forms import html_of
from ..problem import Problem
from ..theme import MONOSPACE
from ..widgets.page import room_for_data
from . import Live

__all__ = ["data_of", "html_form", "text_form"]

_TEXTS = [
    "Your net, live", "code of your net", "apply to my net", "copy code", "copied", "reset code",
    "calls", "graph and program", "findings", "line", "fix the line", "Values of F and x",
    "up to date", "from the last code that ran",
    "This code does not run", "in the code", "looking …",
]  # fmt: skip
#: The size limit of the graph in a notebook in bytes, if the other data leave enough room.
_GRAPH = 10_000
#: The size of the markup around a collapsible section in bytes, including a note if the section is omitted.
_FRAME = 300
_NO_TEXT = "There is no code to edit: this net consists of layers, or the source of its class is unknown."
_COPY = "Changes here apply to a copy of your net."
#: Kind of finding -> heading, sign, and color.
_GROUPS = {
    "differences": ("Hybridized, the net behaves differently:", "✗", "error"),
    "frozen": ("Frozen: decided once, while the net was traced:", "❄", "frozen"),
    "notes": ("Good to know:", "·", "muted"),
}
_SAME = "The eager and hybridized results are the same, and nothing is frozen ({n} calls compared)."


def data_of(live: Live) -> dict[str, Any]:
    """Return the data that the live editor's widget displays."""
    trace = print_trace_data.data_of(live.trace)
    words = trace["words"] | {"Changes here apply to your net.": translate(_COPY)}
    data: dict[str, Any] = {
        "title": type(live.net).__name__,
        "words": {text: translate(text) for text in _TEXTS},
        "text": live.text,
        "start": live.start,
        "edition": live.edition,
        "untold": "" if live.where is not None else translate(_NO_TEXT),
        "problem": None if live.problem is None else live.problem.to_dict(),
        "old": live.old,
        "said": sentences(live.said, parameters_of(live)),
        "trace": trace | {"words": words, "ask": None, "all": True},
        "graph": None,
        "operators": 0 if live.graph is None else len(live.graph.model().operators),
        "findings": _findings(live),
        "without": {
            "graph": "" if live.graph else live.without.get("graph") or translate("A net that fails has no graph."),
            "findings": live.without.get("findings", ""),
        },
    }  # fmt: skip
    if live.graph is not None:
        others = bytes_in_notebook(live.to_text()) + packed_size(to_json(data))
        data["graph"] = live.graph.to_dict(min(_GRAPH, room_for_data(live.view_name) - others))
    return data


def parameters_of(live: Live) -> str:
    """Return a sentence about the parameters that kept their values; empty without parameters."""
    made = live.made
    if made is None or not (made.kept or made.new):
        return ""
    if not made.new:
        return translate("A copy of your net runs, with its parameters.")
    names = ", ".join(made.new[:4]) + (" …" if len(made.new) > 4 else "")
    text = "__init__ created a new net: {kept} of {count} parameters are yours, and the new ones are {names}."
    return translate(text, kept=len(made.kept), count=len(made.kept) + len(made.new), names=names)


def _findings(live: Live) -> dict[str, Any]:
    found = live.findings
    if found is None:
        return {"head": "", "groups": [], "count": 0}
    groups = []
    for name, (title, sign, colour) in _GROUPS.items():
        rows = [
            {
                "line": f.line if f.filename == live.trace_file else 0,
                "where": f.code,
                "what": f.what,
                "why": f.why,
                "remedy": f.remedy,
            }
            for f in getattr(found, name)
        ]
        if rows:
            groups.append({"title": translate(title), "sign": sign, "colour": colour, "rows": rows})
    head = "" if groups else translate(_SAME, n=len(found.runs))
    return {"head": head, "groups": groups, "count": len(found)}


def _listing(live: Live) -> Listing:
    texts = live.text.rstrip("\n").split("\n")
    bad = 0 if live.problem is None else live.problem.line
    return Listing(live.title, "", [
        Line(i, text, mark="error" if i == bad else "", tokens=tokens)
        for i, (text, tokens) in enumerate(zip(texts, tokens_of(texts), strict=True), 1)
    ])  # fmt: skip


def _lines_of(problem: Problem) -> list[str]:
    place = translate("line {n}", n=problem.line) if problem.line else ""
    found = [
        labelled(place, problem.message) if place else problem.message,
        problem.when,
        problem.why,
        *problem.instead,
    ]
    return [text for text in found if text] + ([f"+ {problem.corrected}"] if problem.corrected else [])


def text_form(live: Live) -> str:
    """Return the live editor's content as text."""
    parts = [labelled(translate("Your net, live"), live.title), ""]
    parts += [_listing(live).to_text({"error": "→"}), ""] if live.where is not None else [translate(_NO_TEXT), ""]
    if live.problem is not None:
        parts += [*_lines_of(live.problem), ""]
        parts += [translate("This picture is from the last code that ran."), ""] if live.old else []
    parts += [live.trace.to_text(), ""]
    return "\n".join([*parts, str(live.findings) if live.findings is not None else ""]).rstrip()


def html_form(live: Live, room: float = math.inf) -> str:
    """Return the picture as HTML without scripts: the source, and the collapsible sections that fit."""
    mono = f"font: 12px/1.5 {MONOSPACE}; white-space: pre-wrap; background: none; margin: 4px 0"
    parts = [heading(labelled(translate("Your net, live"), live.title), "")]
    if live.where is not None:
        parts.append(_listing(live).to_html({"error": "→"}))
    else:
        parts.append(element("p", escape(translate(_NO_TEXT))))
    if live.problem is not None:
        parts.append(element("pre", escape("\n".join(_lines_of(live.problem))), style=mono))
        if live.old:
            parts.append(element("p", escape(translate("This picture is from the last code that ran."))))
    folded = []
    for name, text in () if live.graph is None else live.graph.programs.items():
        program = element("pre", escape(text[:6000]), style=mono)
        folded.append((translate("generated program: {name}", name=name), program))
    if live.findings is not None:
        folded.append((translate("findings"), element("pre", escape(str(live.findings)), style=mono)))
    room -= sum(map(bytes_in_notebook, parts)) + _FRAME * len(folded)
    calls = details(translate("calls"), html_of(live.trace, room), opened=True)
    room -= bytes_in_notebook(calls)
    parts.append(calls)
    for title, inside in folded:
        has_room = bytes_in_notebook(inside) < room
        room -= bytes_in_notebook(inside) if has_room else 0
        parts.append(details(title, inside if has_room else without_room()))
    return element("div", *parts)


add_words({
    "Your net, live": "实时观察你的网络",
    "code of your net": "网络的代码",
    "apply to my net": "应用到我的网络",
    "copy code": "复制代码",
    "reset code": "恢复代码",
    "calls": "调用",
    "graph and program": "计算图与程序",
    "findings": "检查结果",
    "line": "行",
    "up to date": "与代码一致",
    "from the last code that ran": "来自最近一次能运行的代码",
    "looking …": "正在观察……",
    "This code does not run": "这段代码不能运行",
    "in the code": "在代码中",
    "This picture is from the last code that ran.": "这幅图来自最近一次能运行的代码。",
    "A net that fails has no graph.": "出错的网络没有计算图。",
    "A copy of your net runs, with its parameters.": "运行的是你的网络的副本，参数与你的网络相同。",
    "__init__ created a new net: {kept} of {count} parameters are yours, and the new ones are {names}.":
        "__init__ 创建了新的网络：{count} 个参数中有 {kept} 个沿用原来的，新的是 {names}。",
    _NO_TEXT: "没有可编辑的代码：这个网络由层组成，或者找不到它的类的源代码。",
    _COPY: "在这里修改，只会修改网络的副本。",
    _SAME: "hybridize 之后与逐行运行的结果相同，什么也没有冻结（比较了 {n} 次调用）。",
})  # fmt: skip
