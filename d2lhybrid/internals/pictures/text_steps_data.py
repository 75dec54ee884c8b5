"""The widget's data about a program in a string: all versions, the output, and a question."""

from __future__ import annotations

import difflib
from typing import Any

from ..support.words import add_words, translate
from .listing import tokens_of
from .predicting import Question
from .text_rewriting import to_text
from .text_steps import WHY, Execution, TextSteps

__all__ = ["data_of"]

_TEXTS = [
    "A program in a string", "original program", "rewritten program", "the program text", "line",
    "Edit the program: the rewritten program follows.", "This result is from the last text that ran.", "looking …",
    "call", "calls", "instructions", "printed", "nothing", "not run yet", "step back", "step forward", "position",
    "play", "pause",
]  # fmt: skip


def data_of(steps: TextSteps) -> dict[str, Any]:
    """Return the data that the widget of ``text_steps`` displays."""
    before, after = steps.before, steps.after
    same = before.printed == after.printed and repr(before.error) == repr(after.error)
    asked = _question(steps)
    return {
        "title": steps.title,
        "words": {text: translate(text) for text in _TEXTS},
        "program": steps.program,
        "problem": None if steps.problem is None else steps.problem.to_dict(),
        "versions": _versions(steps),
        "kept": list(dict.fromkeys(r.text for r in steps.rewrites if r.kind == "kept")),
        "before": _execution(before),
        "after": _execution(after),
        "same": translate("Both print the same.") if same else translate("They do not print the same!"),
        "ask": None if asked is None else asked.to_dict(),
    }


def _execution(run: Execution) -> dict[str, Any]:
    error = ""
    if run.error is not None:
        where = f"{translate('line')} {run.line}: " if run.line else ""
        error = f"{where}{type(run.error).__name__}: {run.error}".removesuffix(": ")
    return {"printed": run.printed[:2000], "error": error, "calls": run.calls, "instructions": run.instructions}


def _versions(steps: TextSteps) -> list[dict[str, Any]]:
    """Return all versions of the source, each with a sentence about the last rewriting."""
    lines = steps.program.rstrip("\n").split("\n")
    first = translate("The computation is defined as text: a string of {count} characters.", count=len(steps.program))
    why = translate("Nothing is computed. A compiler sees the whole program at once.")
    found = [{"text": first, "why": why, "lines": _tokens(lines), "changed": []}]
    known = to_text(steps.start).split("\n")
    for rewrite in steps.rewrites:
        newer = to_text(rewrite.program).split("\n")
        if rewrite.kind != "kept" and newer != known:
            matcher = difflib.SequenceMatcher(None, known, newer, autojunk=False)
            changed = [i for tag, _, _, a, b in matcher.get_opcodes() if tag != "equal" for i in range(a, b)]
            why = translate(WHY[rewrite.kind])
            found.append({"text": rewrite.text, "why": why, "lines": _tokens(newer), "changed": changed})
            known = newer
    if len(found) == 1:
        text = "Nothing to rewrite: the program has no calls of its own functions, and no constant expressions."
        if steps.rewrites:
            text = "Nothing is rewritten; the reasons are listed."
        text = translate(text)
        found.append({"text": text, "why": "", "lines": _tokens(lines), "changed": []})
    return found


def _tokens(lines: list[str]) -> list[Any]:
    return [[list(token) for token in tokens] for tokens in tokens_of(lines)]


def _question(steps: TextSteps) -> Question | None:
    """Return the question about the rewritten program, or None if there is nothing to predict."""
    before, after = steps.before.calls, steps.after.calls
    if not before:
        return None
    options = sorted({0, 1, before, after})
    text = translate("How many calls of its functions does the rewritten program make?")
    why = translate(
        "The rewritten program runs: {calls} calls, not {before}; {count} instructions, not {more}.", calls=after,
        before=before, count=steps.after.instructions, more=steps.before.instructions,
    )  # fmt: skip
    return Question(text, [str(n) for n in options], options.index(after), why)


add_words(
    {
        "A program in a string": "写成字符串的程序",
        "Nothing is rewritten; the reasons are listed.": "没有改写任何内容；原因已列出。",
        "original program": "原来的程序",
        "rewritten program": "改写后的程序",
        "Edit the program: the rewritten program follows.": "修改程序，改写后的程序会随之改变。",
        "This result is from the last text that ran.": "这个结果来自最近一次能运行的程序。",
        "calls": "调用",
        "instructions": "条指令",
        "not run yet": "还没有运行",
        "How many calls of its functions does the rewritten program make?": "改写后的程序会调用几次自己定义的函数？",
    }
)
