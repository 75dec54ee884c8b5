"""SideBySide, which shows a program in four frameworks call by call, or the whole gallery as a table or a quiz.

>>> side_by_side("print").program["title"][0]
'A print'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

from ...support.display import shorter
from ...support.words import add_words, labelled, listed, sentences, translate
from .. import predicting, print_trace_forms  # noqa: F401  with them come the words that pictures share
from ..html import bytes_in_notebook, details, element, escape, heading, table, without_room
from ..listing import tokens_of
from ..picture import Picture
from ..theme import MONOSPACE, tint
from .documented import DOCUMENTED, documented
from .drawn import drawing_of
from .peers import PEERS
from .questions import questions
from .recording import COLOURS, SIGNS, names, program, read, said, verdict_of, verdicts
from .timing import FrameworkTimes

__all__ = ["SideBySide", "side_by_side"]

#: Kind of a call -> sign, color, and word.
KINDS = {
    "eager": ("▶", "eager", "eager"),
    "traced": ("●", "traced", "traced"),
    "again": ("●", "traced", "traced again"),
    "compiled": ("■", "compiled", "compiled"),
    "recompiled": ("■", "compiled", "compiled again"),
    "failed": ("✗", "error", "failed"),
    "shows": ("·", "muted", "a look"),
}
#: State of a line -> sign, color, and meaning.
STATES = {
    "e": ("▶", "eager", "Python ran it, on values"),
    "t": ("●", "traced", "recorded: its operators are in the graph"),
    "p": ("○", "traced", "ran or was read in the trace, but is not in the graph"),
    "c": ("■", "compiled", "did not run: its operators did, in the compiled program"),
    "b": ("◐", "compiled", "its operators are in a graph, and Python runs the rest of it"),
    "x": ("✗", "error", "raised the error"),
}
#: Words for PyTorch, which captures bytecode instead of running the function.
CAPTURED = {"traced": "captured", "again": "captured again"}
_FRAMEWORKS = ("gluon", "torch", "jax", "tensorflow")
_TEXTS = [
    "call", "play", "pause", "previous call", "next call", "printed", "nothing", "graphs", "Python", "table", "quiz",
    "signs", "what ran", "framework's messages", "frozen", "guarded", "No graph was made.", "No graph was recorded.",
    "program", "the programs",
    "surprise", "in {n} parts", "Your score: {n} of {all}", "next question", "see the picture", "start again",
    "question", "Right: {answer}.", "Not {chosen}, but {answer}.", "graph", "code", "documentation says", "draw",
    "drag to move, Ctrl + wheel to zoom",
]  # fmt: skip


class SideBySide(Picture):
    """Programs of the gallery, with all frameworks side by side, as returned by :func:`side_by_side`.

    Attributes
    ----------
    names : list of str
        Names of the programs.
    start : str
        Initial view: ``"program"``, ``"table"``, or ``"quiz"``.
    live : dict of str to str
        The version of each framework that has just run here. The columns of the other frameworks show the recording.
    """

    view_name = "side_by_side"

    def __init__(self, names: Sequence[str], start: str = "program", graphs: bool = True) -> None:
        self.names, self.start, self.graphs = list(names), start, graphs
        self.live: dict[str, str] = {}
        self._runs: dict[tuple[str, str], dict[str, Any]] = {}

    @property
    def program(self) -> dict[str, Any]:
        """The first program, with its texts and the observations in each framework."""
        one = program(self.names[0])
        runs = {name: self._runs.get((self.names[0], name), run) for name, run in one["runs"].items()}
        return {**one, "runs": runs}

    def run(self) -> None:
        """Run the first program in all installed frameworks, and replace the recorded runs with these runs."""
        from .live_runs import runs_here

        for framework, version, run in runs_here(self.program):
            self.live[framework] = version
            self._runs[self.names[0], framework] = run

    def to_dict(self) -> dict[str, Any]:
        """Return the programs with all observations."""
        shown = [self.program] if len(self.names) == 1 else [program(name) for name in self.names]
        peers = [[name, title, self.live.get(name) or _version(name)] for name, title in PEERS.items()]
        data = page_data([self._program_data(one) for one in shown], peers, about(self.live), self.start)
        return data | {"questions": questions() if len(self.names) > 1 else []}

    def _program_data(self, one: dict[str, Any]) -> dict[str, Any]:
        runs = []
        for name in PEERS:
            run, found = one["runs"][name], verdicts(one, name)
            cell = verdict_of(one, name)
            source = run["code"].rstrip("\n").split("\n")
            graphs = run["graphs"] if self.graphs else []
            runs.append({
                "lines": [[list(t) for t in tokens] for tokens in tokens_of(source)],
                "calls": [
                    self._call_data(call, verdict.kind, verdict.text) | {"frozen": self._frozen(run["calls"], i)}
                    for i, (call, verdict) in enumerate(zip(run["calls"], found, strict=True))
                ],
                "graphs": [
                    [g["call"], g["title"], g["text"], g["lines"], drawing_of(g["title"], g["text"], g["lines"])]
                    for g in graphs
                ],
                "without": "No graph was recorded." if _was_traced(run) else "No graph was made.",
                "cell": [cell.kind, SIGNS[cell.kind], COLOURS[cell.kind], cell.text, cell.surprise],
                "documented": documented(one, name).data() if name in DOCUMENTED else None,
            })  # fmt: skip
        return {
            "name": one["name"], "title": said(one["title"]), "asks": said(one["asks"]),
            "calls": [said(pair) for pair in one["calls"]], "runs": runs,
        }  # fmt: skip

    def _frozen(self, calls: list[dict[str, Any]], i: int) -> dict[str, list[str]]:
        """Return the frozen values in the graph that a call ran, from the last trace of the same lines."""
        lines = {line for line, state in calls[i]["states"].items() if state in "tcb"}
        for call in reversed(calls[: i + 1]):
            if (
                call["kind"] in ("traced", "again")
                and {n for n, state in call["states"].items() if state in "tcb"} == lines
            ):
                return call["frozen"] if lines else {}
        return {}

    def _call_data(self, call: dict[str, Any], kind: str, text: str) -> dict[str, Any]:
        kept = ("kind", "line", "states", "parts", "printed", "value", "error", "mark")
        return {k: call[k] for k in kept} | {"why": call["why"], "verdict": [kind, SIGNS[kind], COLOURS[kind], text]}

    def to_text(self) -> str:
        """Return a description of each call in each framework, or a table if there are several programs."""
        if len(self.names) > 1:
            return self._table_text()
        one = self.program
        parts = [labelled(said(one["title"]), said(one["asks"]))]
        for name in PEERS:
            parts.append(f"  {PEERS[name]:<11}{_glyphs(one, name):<9}{verdict_of(one, name).text}")
        for i, about_call in enumerate(one["calls"]):
            parts += ["", f"  {labelled(str(i + 1), said(about_call))}"]
            parts += [f"    {PEERS[name]:<11}{summary_of(one['runs'][name]['calls'][i], name)}" for name in PEERS]
        parts += ["", f"  {labelled(translate('documentation says'))}"]
        parts += [f"    {PEERS[name]:<11}{documented(one, name)}" for name in DOCUMENTED]
        return "\n".join([*parts, "", about(self.live)])

    def _table_text(self) -> str:
        parts = []
        for one in map(program, self.names):
            parts.append(said(one["title"]))
            for name in _FRAMEWORKS:
                verdict = verdict_of(one, name)
                parts.append(f"  {PEERS[name]:<11}{_glyphs(one, name):<9}{SIGNS[verdict.kind]} {verdict.text}")
        return "\n".join([*parts, "", about(self.live)])

    def to_html(self) -> str:
        """Return tables of the calls, and collapsible programs."""
        return self.to_html_within(10**9)

    def to_html_within(self, room: float = math.inf) -> str:
        """Return the same HTML as :meth:`to_html`, without the sources that don't fit in ``room`` bytes."""
        if len(self.names) > 1:
            return self._table_html()
        one = self.program
        rows = []
        for i, about_call in enumerate(one["calls"]):
            cells = [cell_of(one["runs"][name]["calls"][i], name) for name in PEERS]
            rows.append([element("b", escape(f"{i + 1}")) + " " + escape(said(about_call)), *cells])
        rows.append(["", *(_verdict_html(one, name) for name in PEERS)])
        parts = [heading(said(one["title"]), about(self.live)), element("p", escape(said(one["asks"])))]
        parts.append(table(rows, ["", *PEERS.values()]))
        parts.append(element("p", escape(labelled(translate("documentation says")))))
        parts.append(element("ul", *(_documented_html(one, name) for name in DOCUMENTED)))
        room -= bytes_in_notebook("".join(parts))
        for name in PEERS:
            code = "\n".join(map(shorter, one["runs"][name]["code"].rstrip().split("\n")))
            style = f"font: 12px/1.5 {MONOSPACE}; white-space: pre-wrap; background: none; margin: 2px 0"
            part = details(PEERS[name], element("pre", escape(code), style=style))
            if bytes_in_notebook(part) > room:
                parts.append(without_room())
                break
            room -= bytes_in_notebook(part)
            parts.append(part)
        return "".join(parts)

    def _table_html(self) -> str:
        """Return the table as an HTML list, because table cells with styles would enlarge a saved notebook."""
        items = []
        for one in map(program, self.names):
            cells = [f"{PEERS[name]} {_plain_verdict(one, name)}" for name in _FRAMEWORKS]
            items.append(element("li", element("b", escape(said(one["title"]))), escape(f": {' · '.join(cells)}")))
        return heading(translate("One idea, four frameworks"), about(self.live)) + element("ul", *items)


def _was_traced(run: dict[str, Any]) -> bool:
    """Return whether a framework traced or compiled the program in one of the calls."""
    return any(call["kind"] in ("traced", "again", "compiled", "recompiled") for call in run["calls"])


def _documented_html(one: dict[str, Any], name: str) -> str:
    found = documented(one, name)
    title = element("a", escape(PEERS[name]), href=found.address) if found.address else escape(PEERS[name])
    return element("li", labelled(title, escape(sentences(found.text, found.verdict))))


def _plain_verdict(one: dict[str, Any], name: str) -> str:
    verdict = verdict_of(one, name)
    return f"{SIGNS[verdict.kind]} {verdict.text}"


def _glyphs(one: dict[str, Any], name: str) -> str:
    return " ".join(KINDS[call["kind"]][0] for call in one["runs"][name]["calls"])


def page_data(programs: list[Any], peers: list[list[str]], about: str, start: str) -> dict[str, Any]:
    """Return the data of the gallery's interactive view.

    Parameters
    ----------
    programs : list of dict
        Programs with their observations.
    peers : list
        Name, title, and version of each framework.
    about : str
        Date and versions of the run.
    start : str
        Initial view: ``"program"``, ``"table"``, or ``"quiz"``.
    """
    return {
        "start": start,
        "about": about,
        "words": {text: translate(text) for text in _TEXTS},
        "kinds": {k: [sign, colour, translate(word)] for k, (sign, colour, word) in KINDS.items()},
        "captured": {k: translate(word) for k, word in CAPTURED.items()},
        "states": {k: [sign, colour, translate(word)] for k, (sign, colour, word) in STATES.items()},
        "peers": peers,
        "programs": programs,
        "questions": [],
    }


def _version(name: str) -> str:
    return str(read()["versions"][name]).partition("+")[0]


def about(live: dict[str, str]) -> str:
    """Return a text with the recording's date and versions, and the versions of frameworks that have just run here."""
    recorded = [f"{PEERS[name]} {_version(name)}" for name in PEERS if name not in live]
    texts = (
        [translate("recorded {date} with {versions}", date=read()["date"], versions=listed(recorded))]
        if recorded
        else []
    )
    if live:
        texts.append(translate("run here: {versions}", versions=listed(f"{PEERS[n]} {v}" for n, v in live.items())))
    return translate("; ").join(texts)


def _word(kind: str, framework: str) -> str:
    return translate(CAPTURED.get(kind, KINDS[kind][2]) if framework == "torch" else KINDS[kind][2])


def summary_of(call: dict[str, Any], framework: str) -> str:
    sign, word = KINDS[call["kind"]][0], _word(call["kind"], framework)
    printed = call["printed"].rstrip("\n").split("\n") if call["printed"] else []
    parts = [f"{sign} {word}"]
    if printed:
        parts.append(labelled(translate("printed"), " / ".join(printed)))
    if call["error"]:
        parts.append(call["error"].partition("\n")[0])
    elif call["value"]:
        parts.append(f"→ {' '.join(call['value'].split())}")
    return "  ".join(parts)


def cell_of(call: dict[str, Any], framework: str) -> str:
    (sign, colour, _), word = KINDS[call["kind"]], _word(call["kind"], framework)
    style = f"background: {tint(colour)}" if colour != "muted" else ""
    parts = [element("span", escape(f"{sign} {word}"), style=style)]
    if call["printed"]:
        parts.append(element("code", escape(call["printed"].rstrip("\n"))))
    if call["error"]:
        parts.append(element("i", escape(call["error"].partition("\n")[0][:120])))
    elif call["value"]:
        parts.append(escape(f"→ {call['value']}"))
    return "<br>".join(parts)


def _verdict_html(one: dict[str, Any], name: str) -> str:
    verdict = verdict_of(one, name)
    return element(
        "span", escape(f"{SIGNS[verdict.kind]} {verdict.text}"), style=f"background: {tint(COLOURS[verdict.kind])}"
    )


@overload
def side_by_side(name: str = "", live: bool = False, quiz: bool = False) -> SideBySide: ...


@overload
def side_by_side(name: str = "", live: bool = False, quiz: bool = False, *, timing: bool) -> Picture: ...


def side_by_side(name: str = "", live: bool = False, quiz: bool = False, *, timing: bool = False) -> Picture:
    """Show a program in Gluon, PyTorch, JAX, TensorFlow, and plain Python call by call, or the table of all programs.

    The observations are recorded from real runs, so the frameworks need not be installed.

    Parameters
    ----------
    name : str
        Name of a program, such as ``"print"``; by default, the picture is the table of all programs.
    live : bool
        Whether to run the program here in the installed frameworks, instead of showing the recording.
    quiz : bool
        Whether to start with a quiz: twelve questions about the gallery, with a score.
    timing : bool
        Whether to show measured times of the lesson's nets in each framework.

    Returns
    -------
    SideBySide or FrameworkTimes
        The picture, interactive in a notebook, and text in a terminal.

    Raises
    ------
    ValueError
        If the gallery has no program with this name, or if ``live`` is true without a name.

    Examples
    --------
    >>> picture = side_by_side("attribute")
    >>> [call["value"] for call in picture.program["runs"]["jax"]["calls"]]
    ['[2. 2.]', '[2. 2.]', '[2. 2.]']
    """
    if timing:
        return FrameworkTimes()
    if not name:
        if live:
            raise ValueError(f"live=True requires the name of a program. Pass one of {', '.join(names())}.")
        return SideBySide(names(), "quiz" if quiz else "table", graphs=False)
    program(name)
    picture = SideBySide([name])
    if live:
        picture.run()
    return picture


add_words({
    "One idea, four frameworks": "同一种思路，四个框架",
    "traced again": "重新追踪",
    "compiled again": "重新编译",
    "captured": "捕获",
    "captured again": "重新捕获",
    "a look": "查看",
    "Python ran it, on values": "由 Python 运行，用的是真实的数值",
    "recorded: its operators are in the graph": "已记录：它的算子在计算图里",
    "ran or was read in the trace, but is not in the graph": "追踪时运行过或读取过，但在计算图里什么也没有留下",
    "its operators are in a graph, and Python runs the rest of it": "它的算子在计算图里，其余部分由 Python 运行",
    "raised the error": "引发了错误",
    "recorded {date} with {versions}": "{date} 记录，版本：{versions}",
    "run here: {versions}": "在这里运行：{versions}",
    "graphs": "计算图",
    "table": "表格",
    "quiz": "测验",
    "signs": "记号",
    "what ran": "运行情况",
    "framework's messages": "框架的消息",
    "frozen": "冻结",
    "guarded": "有守卫",
    "No graph was made.": "没有生成计算图。",
    "No graph was recorded.": "没有记录到计算图。",
    "program": "程序",
    "the programs": "各个程序",
    "surprise": "意外",
    "in {n} parts": "分成 {n} 部分",
    "Your score: {n} of {all}": "得分：{n} / {all}",
    "next question": "下一题",
    "see the picture": "看图",
    "start again": "重新开始",
    "question": "问题",
    "graph": "计算图",
    "code": "代码",
    "documentation says": "文档说",
    "draw": "画图",
})  # fmt: skip
