"""The recorded runs of the gallery's programs, and how they differ from plain Python."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from ...support.display import Shown
from ...support.settings import settings
from ...support.words import add_words, labelled, translate

__all__ = [
    "COLOURS",
    "PATH",
    "SIGNS",
    "Verdict",
    "differences",
    "names",
    "program",
    "read",
    "said",
    "verdict_between",
    "verdict_of",
    "verdicts",
]

PATH = Path(__file__).parent / "recorded.json"
#: Kind of a verdict -> sign and color.
SIGNS = {"same": "✓", "refused": "✗", "other": "!", "silent": "!", "prints": "!"}
COLOURS = {"same": "compiled", "refused": "eager", "other": "error", "silent": "error", "prints": "error"}
#: Observations of a call that must be equal in a new recording.
_KEPT = ("mark", "kind", "states", "parts", "printed", "value", "error", "failed")


@functools.cache
def read() -> dict[str, Any]:
    """Return the recording: date, versions, and programs with their observations."""
    return json.loads(PATH.read_text("utf-8"))


def names() -> list[str]:
    """Return the names of the programs in the gallery.

    Examples
    --------
    >>> names()[:3]
    ['block', 'print', 'if_value']
    """
    return [one["name"] for one in read()["programs"]]


def program(name: str) -> dict[str, Any]:
    """Return a program of the gallery with its recorded runs.

    Raises
    ------
    ValueError
        If the gallery has no program with this name.
    """
    found = [one for one in read()["programs"] if one["name"] == name]
    if not found:
        raise ValueError(f"There is no program {name!r} in the gallery. The programs are {', '.join(names())}.")
    return found[0]


def said(pair: list[str]) -> str:
    """Return the English or the Chinese text of a pair, according to the current language."""
    return pair[settings.lang == "zh"]


class Verdict(Shown):
    """The comparison of a call with the same call in plain Python.

    Attributes
    ----------
    kind : str
        ``"same"``, ``"other"`` for different numbers, ``"silent"`` if only Python raises an error, ``"refused"``
        if only the framework raises an error, or ``"prints"`` if the printed lines differ.
    text : str
        Description of the comparison.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text

    def data(self) -> list[str]:
        """Return the verdict's data for a view: kind, sign, color, and text."""
        return [self.kind, SIGNS[self.kind], COLOURS[self.kind], self.text]

    @property
    def surprise(self) -> bool:
        """Whether the call silently behaves differently from Python."""
        return self.kind in ("other", "silent", "prints")


def verdicts(one: dict[str, Any], framework: str) -> list[Verdict]:
    """Return the comparison of each call of a program with the same call in plain Python."""
    plain, calls = (one["runs"][name]["calls"] for name in ("python", framework))
    return [_verdict(a, b, one["random"]) for a, b in zip(plain, calls, strict=True)]


def verdict_between(plain: dict[str, Any], call: dict[str, Any]) -> Verdict:
    """Return the comparison of a call with the same call in plain Python."""
    return _verdict(plain, call, False)


def _verdict(plain: dict[str, Any], call: dict[str, Any], random: bool) -> Verdict:
    if call["error"] and not plain["error"]:
        return Verdict("refused", _error_type(call["error"]))
    if plain["error"] and not call["error"]:
        return Verdict("silent", translate("no error; Python raises {error}", error=_error_type(plain["error"])))
    compared = not random or call["mark"] == "shows"
    numbers = (
        plain["numbers"]
        and call["numbers"]
        and [abs(a - b) for a, b in zip(plain["numbers"], call["numbers"], strict=False)]
    )
    wrong = len(plain["numbers"]) != len(call["numbers"]) or any(d > 1e-3 for d in numbers or [])
    if plain["numbers"] and not call["error"] and (wrong if compared else _is_no_such_number(plain, call)):
        return Verdict(
            "other",
            translate("returns {value}; Python returns {plain}", value=call["value"] or "?", plain=plain["value"]),
        )
    lines = [text["printed"].count("\n") for text in (call, plain)]
    if lines[0] != lines[1]:
        return Verdict("prints", translate("prints {n} lines; Python prints {plain}", n=lines[0], plain=lines[1]))
    return Verdict("same", translate("as in Python"))


def _is_no_such_number(plain: dict[str, Any], call: dict[str, Any]) -> bool:
    """Return whether random numbers differ by an amount that no draw of the program can cause."""
    largest = max(map(abs, plain["numbers"]))
    return any(abs(number) > 1e6 * (1 + largest) for number in call["numbers"])


def _error_type(error: str) -> str:
    head = error.partition("\n")[0].partition(":")[0]
    return head.rpartition(".")[2]


def verdict_of(one: dict[str, Any], framework: str) -> Verdict:
    """Return a short comparison of a program in a framework with the same program in plain Python, for a table cell."""
    found, calls = verdicts(one, framework), one["runs"][framework]["calls"]
    if found[0].kind == "refused":
        return Verdict("refused", translate("refuses: {error}", error=found[0].text))
    for kind in ("other", "silent"):
        for i, verdict in enumerate(found):
            if verdict.kind == kind:
                return Verdict(kind, labelled(_step(one, calls, i), verdict.text))
    refused = [i for i, verdict in enumerate(found) if verdict.kind == "refused"]
    if refused:
        first = refused[0]
        return Verdict("refused", labelled(_step(one, calls, first), found[first].text))
    if any(verdict.kind == "prints" for verdict in found):
        counts = [[str(c["printed"].count("\n")) for c in one["runs"][n]["calls"]] for n in (framework, "python")]
        text = translate("prints {n}; Python prints {plain}", n=" ".join(counts[0]), plain=" ".join(counts[1]))
        return Verdict("prints", text)
    traces = sum(call["kind"] in ("traced", "again") for call in calls)
    parts = max(call["parts"] for call in calls)
    more = []
    if traces > 1:
        more.append(translate("{n} traces", n=traces))
    if parts > 1:
        more.append(translate("{n} graphs in one call", n=parts))
    if not parts and all(call["kind"] in ("eager", "shows") for call in calls):
        more.append(translate("nothing is compiled"))
    return Verdict("same", translate("; ").join([translate("as in Python"), *more]))


def _step(one: dict[str, Any], calls: list[dict[str, Any]], i: int) -> str:
    return (
        translate("call {n}", n=calls[i]["mark"].removeprefix("call "))
        if calls[i]["mark"] != "shows"
        else said(one["calls"][i])
    )


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return a sentence for every difference between two recordings, except random numbers."""
    found = []
    old = {one["name"]: one for one in before["programs"]}
    for one in after["programs"]:
        for framework, run in one["runs"].items():
            was = old.get(one["name"], {}).get("runs", {}).get(framework)
            where = f"{one['name']} in {framework}"
            if was is None or was["code"] != run["code"]:
                found.append(f"{where}: the program has changed")
            elif len(was["calls"]) != len(run["calls"]):
                found.append(f"{where}: {len(was['calls'])} calls were recorded, now there are {len(run['calls'])}")
            else:
                for a, b in zip(was["calls"], run["calls"], strict=True):
                    found += [
                        f"{where}, {a['mark']}: {key} was {a[key]!r}, now it is {b[key]!r}"
                        for key in _KEPT
                        if a[key] != b[key] and not (key == "value" and one["random"] and a["mark"] != "shows")
                    ]
    return found


add_words({
    "no error; Python raises {error}": "没有报错；Python 引发 {error}",
    "returns {value}; Python returns {plain}": "返回 {value}；Python 返回 {plain}",
    "prints {n} lines; Python prints {plain}": "打印 {n} 行；Python 打印 {plain} 行",
    "prints {n}; Python prints {plain}": "各次打印 {n} 行；Python 打印 {plain} 行",
    "as in Python": "与 Python 相同",
    "refuses: {error}": "报错：{error}",
    "{n} traces": "追踪 {n} 次",
    "{n} graphs in one call": "一次调用运行 {n} 个计算图",
    "nothing is compiled": "什么也没有编译",
})  # fmt: skip
