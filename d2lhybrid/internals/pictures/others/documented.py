"""Statements in the frameworks' documentation about the programs of the gallery, compared with the recording.

``documented.json`` paraphrases the statements. For each statement, the file has the address, and a prediction for the
calls of a program: how the calls run, how many lines they print, and their results. This module computes the
comparison.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from ...support.display import Shown
from ...support.settings import settings
from ...support.words import add_words, translate

__all__ = ["DOCUMENTED", "Documented", "documented"]

PATH = Path(__file__).parent / "documented.json"
#: Frameworks whose documentation we have read. Gluon's columns are compared with real MXNet elsewhere.
DOCUMENTED = ("torch", "jax", "tensorflow")
#: Result of the comparison -> sign and color.
_SIGNS = {"agrees": ("=", "compiled"), "differs": ("≠", "error"), "silent": ("·", "muted")}
_ANY_ERROR = "*"


@functools.cache
def _read() -> dict[str, Any]:
    return json.loads(PATH.read_text("utf-8"))


class Documented(Shown):
    """A statement in a framework's documentation about a program, compared with the recording.

    Attributes
    ----------
    kind : str
        ``"agrees"``, ``"differs"``, or ``"silent"`` if no statement was found.
    address : str
        Address of the page; empty if no statement was found.
    text : str
        Paraphrase of the statement.
    differences : list of str
        Differences between recording and statement, one sentence for each call.
    """

    def __init__(self, address: str, text: str, differences: list[str]) -> None:
        self.kind = "silent" if not address else "differs" if differences else "agrees"
        self.address, self.text, self.differences = address, text, differences

    def data(self) -> list[str]:
        """Return the statement's data for a view: kind, sign, color, address, text, and result of the comparison."""
        return [self.kind, *_SIGNS[self.kind], self.address, self.text, self.verdict]

    @property
    def verdict(self) -> str:
        """The result of the comparison, in words."""
        if self.kind == "silent":
            return translate("We found no statement on this.")
        return " ".join(self.differences) or translate("The recording agrees.")

    def __str__(self) -> str:
        return " ".join(text for text in (self.text, self.verdict, self.address) if text)


def documented(one: dict[str, Any], framework: str) -> Documented:
    """Return the documentation's statement about a program of the gallery.

    Parameters
    ----------
    one : dict
        The program, with its runs.
    framework : str
        ``"torch"``, ``"jax"``, or ``"tensorflow"``.

    Examples
    --------
    >>> from .recording import program
    >>> found = documented(program("print"), "jax")
    >>> found.kind, found.text
    ('agrees', 'A print appears in the trace, and again only for a new type or shape.')
    """
    entry = _read()["programs"][one["name"]][framework]
    if not entry:
        return Documented("", "", [])
    address, *texts = _read()["statements"][entry["statement"]]
    calls = one["runs"][framework]["calls"]
    found = []
    for key in ("kind", "prints", "parts", "value", "between", "error"):
        for call, expected in zip(calls, entry.get(key, [None] * len(calls)), strict=True):
            seen = _seen(call, key)
            if expected is not None and not _fits(key, expected, seen):
                found.append(_difference(call, key, seen))
    return Documented(address, texts[settings.lang == "zh"], list(dict.fromkeys(found)))


def _fits(key: str, expected: Any, seen: Any) -> bool:
    if key == "between":  # random numbers
        return all(expected[0] <= number <= expected[1] for number in seen)
    return seen == expected or (expected == _ANY_ERROR and bool(seen))


def _seen(call: dict[str, Any], key: str) -> Any:
    if key == "between":
        return call["numbers"]
    if key == "prints":
        return call["printed"].count("\n")
    if key == "error":
        return call["error"].partition("\n")[0].partition(":")[0].rpartition(".")[2]
    return call[key]


def _difference(call: dict[str, Any], key: str, seen: Any) -> str:
    where = call["mark"].removeprefix("call ")
    if key == "error":
        return translate(
            "But call {n} raised {error}." if seen else "But call {n} raised no error.", n=where, error=seen
        )
    if key == "kind":
        return translate(
            {
                "eager": "But Python ran call {n} line by line.",
                "traced": "But call {n} was traced.",
                "again": "But call {n} was traced again.",
                "failed": "But call {n} failed.",
            }.get(seen, "But call {n} ran a compiled program, without another trace."),
            n=where,
        )
    if key == "parts":
        return translate("But call {n} ran {seen} graphs.", n=where, seen=seen)
    if key == "prints":
        return translate("But call {n} printed {seen} lines.", n=where, seen=seen)
    if key == "between":
        return translate("But call {n} returned {seen}.", n=where, seen=call["value"])
    return translate("But the result was {seen}.", seen=seen)


add_words({
    "We found no statement on this.": "没有找到关于这一点的说明。",
    "The recording agrees.": "运行结果与此相符。",
    "But call {n} raised {error}.": "但第 {n} 次调用引发了 {error}。",
    "But call {n} raised no error.": "但第 {n} 次调用没有引发错误。",
    "But Python ran call {n} line by line.": "但第 {n} 次调用由 Python 逐行运行。",
    "But call {n} was traced.": "但第 {n} 次调用时进行了追踪。",
    "But call {n} was traced again.": "但第 {n} 次调用重新追踪了。",
    "But call {n} failed.": "但第 {n} 次调用出错了。",
    "But call {n} ran a compiled program, without another trace.": "但第 {n} 次调用运行了编译后的程序，没有重新追踪。",
    "But call {n} ran {seen} graphs.": "但第 {n} 次调用运行了 {seen} 个计算图。",
    "But call {n} printed {seen} lines.": "但第 {n} 次调用打印了 {seen} 行。",
    "But call {n} returned {seen}.": "但第 {n} 次调用返回 {seen}。",
    "But the result was {seen}.": "但结果是 {seen}。",
})  # fmt: skip
