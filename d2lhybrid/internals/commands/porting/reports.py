"""Reports of the findings in a folder: a table for a terminal, an HTML page, and JSON."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from d2lhybrid.internals.support.settings import settings
from d2lhybrid.internals.support.words import add_words, sentences, translate

from .findings import Finding, Kind, Result, Verdict

__all__ = ["as_html", "as_json", "as_text"]

_MOST = 5


def _name(result: Result, folder: Path) -> str:
    path = result.path.relative_to(folder) if result.path.is_relative_to(folder) else result.path
    return path.as_posix()


def finding_text(result: Result, finding: Finding) -> str:
    """Return a finding as a line of text.

    Parameters
    ----------
    result : Result
        The program.
    finding : Finding
        A finding in the program.

    Returns
    -------
    str
        The line.
    """
    what = {
        Kind.GPU: translate("requires a GPU: {what}", what=finding.what),
        Kind.DOWNLOAD: translate("downloads: {what}", what=finding.what),
        Kind.PACKAGE: translate("the package {what} is not installed", what=finding.what),
        Kind.FOLDER: translate("imports {what} from a folder that is not on the search path", what=finding.what),
        Kind.FILE: translate("reads a file that is not here: {what}", what=finding.what),
        Kind.DOUBT: translate("depends on run-time values: {what}", what=finding.what),
        Kind.ARGUMENTS: translate("takes an argument: {what}", what=finding.what),
    }.get(finding.kind, finding.what)
    place = result.place(finding)
    said = f"{what}  ({place})" if place else what
    if not finding.instead:
        return said
    if finding.kind in (Kind.HABIT, Kind.PYTHON2):
        return f"{said}, {translate('today: {instead}', instead=finding.instead)}"
    return f"{said}: {finding.instead}"


def as_text(results: Sequence[Result], folder: Path, every: bool = False) -> str:
    """Return a table with a line for each program, the program's findings below this line, and totals.

    Parameters
    ----------
    results : sequence of Result
        Results of all programs.
    folder : Path
        Folder that names are relative to.
    every : bool
        Whether to list all findings, rather than the five most important findings of each program.

    Returns
    -------
    str
        The table; empty without results.
    """
    if not results:
        return ""
    width = min(max(len(_name(result, folder)) for result in results), 60)
    lines = []
    for result in results:
        lines.append(f"{_name(result, folder):<{width}}  {result.verdict.words}")
        found = result.findings
        shown = found if every or len(found) <= _MOST else _worst(found)
        lines += [f"    {finding_text(result, finding)}" for finding in shown]
        if len(shown) < len(found):
            lines.append(f"    {translate('and {n} more: --all shows them', n=len(found) - len(shown))}")
    return "\n".join([*lines, "", summary(results)])


def _worst(found: Sequence[Finding]) -> list[Finding]:
    order = list(Kind)
    chosen = sorted(found, key=lambda finding: (order.index(finding.kind), finding.line))[:_MOST]
    return [finding for finding in found if finding in chosen]


def summary(results: Sequence[Result]) -> str:
    """Return a text with the number of programs for each verdict.

    Parameters
    ----------
    results : sequence of Result
        Results of all programs.

    Returns
    -------
    str
        The numbers, with a line for each verdict.
    """
    counts = Counter(result.verdict for result in results)
    width = max(len(str(n)) for n in counts.values())
    lines = [translate("{n} programs and notebooks:", n=len(results)) if len(results) != 1 else
             translate("1 program:")]  # fmt: skip
    lines += [f"  {counts[verdict]:{width}}  {verdict.words}" for verdict in Verdict if counts[verdict]]
    without = sum(not result.uses_mxnet for result in results)
    if without:
        lines.append(translate("{n} of them do not import MXNet themselves.", n=without))
    return "\n".join(lines)


def as_json(results: Sequence[Result], folder: Path) -> str:
    """Return the results as JSON.

    Parameters
    ----------
    results : sequence of Result
        Results of all programs.
    folder : Path
        Folder that names are relative to.

    Returns
    -------
    str
        The JSON text.
    """
    counts = Counter(result.verdict.value for result in results)
    data = {"folder": str(folder), "verdicts": counts, "programs": [r.to_dict(folder) for r in results]}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


_COLOURS = {
    Verdict.RUNS: "#1a7f37", Verdict.HABITS: "#1a7f37", Verdict.PROBABLY: "#57ab5a", Verdict.NEEDS: "#9a6700",
    Verdict.ABSENT: "#cf222e", Verdict.PYTHON2: "#cf222e", Verdict.UNREADABLE: "#6e7781",
}  # fmt: skip

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8885; }
td.verdict { white-space: nowrap; } .dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; }
ul { margin: 0; padding-left: 1.2em; } code { overflow-wrap: anywhere; }
"""


def as_html(results: Sequence[Result], folder: Path) -> str:
    """Return the results as a self-contained HTML page.

    Parameters
    ----------
    results : sequence of Result
        Results of all programs.
    folder : Path
        Folder that names are relative to.

    Returns
    -------
    str
        The page.
    """
    escape = html.escape
    title = translate("Old programs in {folder}", folder=folder.name or str(folder))
    rows = []
    for result in results:
        items = "".join(f"<li>{escape(finding_text(result, finding))}</li>" for finding in result.findings)
        dot = f'<span class="dot" style="background:{_COLOURS[result.verdict]}"></span>'
        rows.append(
            f"<tr><td><code>{escape(_name(result, folder))}</code></td>"
            f'<td class="verdict">{dot} {escape(result.verdict.words)}</td>'
            f"<td>{f'<ul>{items}</ul>' if items else ''}</td></tr>"
        )
    heads = "".join(
        f"<th>{escape(text)}</th>" for text in (translate("program"), translate("verdict"), translate("what was found"))
    )
    sums = "<br>".join(escape(line) for line in summary(results).splitlines())
    told = escape(sentences(translate("Nothing was run.")))
    return (
        f'<!doctype html>\n<html lang="{settings.lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>"
        f"<p>{sums}</p><p>{told}</p>\n<table><thead><tr>{heads}</tr></thead><tbody>\n"
        + "\n".join(rows)
        + "\n</tbody></table></body></html>\n"
    )


add_words(
    {
        "requires a GPU: {what}": "需要 GPU：{what}",
        "downloads: {what}": "需要下载：{what}",
        "imports {what} from a folder that is not on the search path": "从别的文件夹导入 {what}，运行时找不到",
        "the package {what} is not installed": "没有安装 {what} 这个包",
        "reads a file that is not here: {what}": "要读取的文件不在这里：{what}",
        "depends on run-time values: {what}": "取决于运行时的值：{what}",
        "takes an argument: {what}": "需要命令行参数：{what}",
        "today: {instead}": "现在：{instead}",
        "and {n} more: --all shows them": "还有 {n} 处：用 --all 显示",
        "{n} programs and notebooks:": "{n} 个程序和笔记本：",
        "1 program:": "1 个程序：",
        "{n} of them do not import MXNet themselves.": "其中 {n} 个没有直接导入 MXNet。",
        "Old programs in {folder}": "{folder} 里的旧程序",
        "program": "程序",
        "verdict": "结论",
        "what was found": "检查结果",
        "Nothing was run.": "没有运行任何程序。",
    }
)
