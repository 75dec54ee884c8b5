"""Questions about the gallery, with recorded results as answers."""

from __future__ import annotations

from typing import Any

from ...support.words import add_words, translate
from .peers import PEERS
from .recording import program

__all__ = ["ASKED", "question", "questions"]

#: Program, framework, index of the call, and topic of each question: "prints", "gives", or "does".
ASKED = [
    ("print", "jax", 1, "prints"), ("print", "jax", 2, "prints"), ("print", "torch", 1, "prints"),
    ("print", "gluon", 2, "prints"), ("print", "tensorflow", 2, "prints"), ("if_value", "jax", 0, "does"),
    ("if_value", "tensorflow", 1, "gives"), ("attribute", "tensorflow", 1, "gives"), ("attribute", "torch", 1, "gives"),
    ("global", "jax", 2, "gives"), ("batch", "torch", 2, "does"), ("exception", "jax", 1, "does"),
]  # fmt: skip
_DOES = {
    "failed": "it fails", "compiled": "the compiled program runs", "traced": "it is traced",
    "again": "it is traced again", "recompiled": "the graph is compiled again", "eager": "Python runs it line by line",
}  # fmt: skip


def questions() -> list[dict[str, Any]]:
    """Return the twelve questions about the gallery, as returned by :func:`question`."""
    return [question(*one) for one in ASKED]


def question(name: str, framework: str, call: int, what: str) -> dict[str, Any]:
    """Return a question about one call as a JSON-compatible dictionary.

    The dictionary contains the text, the options, and the index of the right option as ``"answer"``. It also contains
    the name of the program, the index of the framework as ``"peer"``, and the index of the call.

    Parameters
    ----------
    name, framework : str
        Names of the program and the framework.
    call : int
        Index of the call.
    what : str
        Topic: ``"prints"`` (the number of printed lines), ``"gives"`` (the result), or ``"does"`` (whether the call
        traces, compiles, or only runs).

    Examples
    --------
    >>> asked = question("print", "jax", 1, "prints")
    >>> asked["text"], asked["options"][asked["answer"]]
    ('How many lines does call 2 print in JAX?', '0')
    """
    one = program(name)
    calls = one["runs"][framework]["calls"]
    number = calls[call]["mark"].removeprefix("call ")
    title = PEERS[framework]
    if what == "prints":
        text = translate("How many lines does call {n} print in {framework}?", n=number, framework=title)
        right, options = str(calls[call]["printed"].count("\n")), ["0", "1", "2"]
    elif what == "gives":
        text = translate("What does call {n} return in {framework}?", n=number, framework=title)
        error = translate("an error")
        right = error if calls[call]["error"] else calls[call]["value"]
        values = [c["value"] for run in one["runs"].values() for c in run["calls"] if c["value"]]
        options = [*sorted({*values, right} - {error}), error]
    else:
        text = translate("What happens in call {n} in {framework}?", n=number, framework=title)
        right = translate(_DOES[calls[call]["kind"]])
        kinds = dict.fromkeys(["failed", "compiled", "eager", "traced" if call == 0 else "again", calls[call]["kind"]])
        options = [translate(_DOES[kind]) for kind in kinds]
    place = {"program": name, "peer": [*PEERS].index(framework), "call": call}
    return {"text": text, "options": options, "answer": options.index(right), **place}


add_words({
    "How many lines does call {n} print in {framework}?": "在 {framework} 里，第 {n} 次调用打印几行？",
    "What does call {n} return in {framework}?": "在 {framework} 里，第 {n} 次调用返回什么？",
    "What happens in call {n} in {framework}?": "在 {framework} 里，第 {n} 次调用时发生什么？",
    "it fails": "出错",
    "the compiled program runs": "运行编译后的程序",
    "it is traced": "追踪",
    "it is traced again": "重新追踪",
    "the graph is compiled again": "重新编译计算图",
    "Python runs it line by line": "Python 逐行运行",
})  # fmt: skip
