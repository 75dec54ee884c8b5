"""The texts of pictures, widgets, and exercises, in English and in Chinese (``d2lhybrid.config(lang="zh")``).

The English text is the key of its translation. A module with texts also contains their translations::

    add_words({"call again": "再调用一次"})
    translate("call again")
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from .plural import agree
from .settings import settings

__all__ = ["add_words", "clauses", "in_brackets", "labelled", "listed", "sentences", "translate", "translated_pattern"]

_CHINESE: dict[str, str] = {
    "The buttons need anywidget: pip install anywidget": "按钮需要 anywidget：pip install anywidget",
    "line": "行",
    "first call": "第一次调用",
    "call {n}": "第 {n} 次调用",
    "line {n}": "第 {n} 行",
    "hybridized": "已 hybridize",
    "; ": "；",
}


def add_words(chinese: dict[str, str]) -> None:
    """Add Chinese translations of displayed texts.

    Parameters
    ----------
    chinese : dict of str to str
        The Chinese text of each English text, with the same placeholders ``{name}``.
    """
    _CHINESE.update(chinese)


def sentences(*texts: str) -> str:
    """Join sentences into one text. Chinese sentences are joined without a space.

    Examples
    --------
    >>> sentences("It ran.", "", "It stopped.")
    'It ran. It stopped.'
    """
    return ("" if settings.lang == "zh" else " ").join(text for text in texts if text)


def clauses(*texts: str) -> str:
    """Return clauses of a sentence or caption, joined with the comma of the current language.

    Examples
    --------
    >>> clauses("one net", "many calls")
    'one net, many calls'
    """
    return ("，" if settings.lang == "zh" else ", ").join(texts)


def labelled(label: str, text: str = "") -> str:
    """Return a label and a text, with the colon of the current language between them.

    Examples
    --------
    >>> labelled("Why", "it has no shape"), labelled("Why")
    ('Why: it has no shape', 'Why:')
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     labelled("原因", "没有形状")
    '原因：没有形状'
    """
    return f"{label}：{text}" if settings.lang == "zh" else f"{label}: {text}".rstrip()


def in_brackets(text: str, remark: str) -> str:
    """Return a text with a remark in the brackets of the current language.

    Examples
    --------
    >>> in_brackets("Run", "forward")
    'Run (forward)'
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     in_brackets("运行", "前向")
    '运行（前向）'
    """
    return f"{text}（{remark}）" if settings.lang == "zh" else f"{text} ({remark})"


def listed(texts: Iterable[str]) -> str:
    """Return texts as an enumeration, with the separator of the current language.

    Examples
    --------
    >>> listed(["a", "b"])
    'a, b'
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     listed(["a", "b"])
    'a、b'
    """
    return ("、" if settings.lang == "zh" else ", ").join(texts)


def translated_pattern(text: str, patterns: Sequence[str]) -> str:
    """Return the translation of an English text that was formatted from one of several patterns.

    Some sentences are created only in English, such as the notes of errors. This function translates them. If no
    pattern matches, it returns the text unchanged.

    Parameters
    ----------
    text : str
        The sentence, in English.
    patterns : sequence of str
        The English texts with placeholders. The first text that matches is used.

    Examples
    --------
    >>> translated_pattern("call 3", ["line", "call {n}"])
    'call 3'
    """
    if text in _CHINESE:
        return translate(text)
    for pattern in patterns:
        found = _expression_of(pattern).fullmatch(text) or _expression_of(_of_one(pattern)).fullmatch(text)
        if found:
            return translate(pattern, **found.groupdict())
    return text


@functools.cache
def _of_one(pattern: str) -> str:
    """Return a pattern with all nouns in the singular, for numbers that are 1."""
    return agree(pattern, dict.fromkeys(re.findall(r"{(\w+)", pattern), 1))


@functools.cache
def _expression_of(pattern: str) -> re.Pattern[str]:
    """Return the regular expression for a formatted text."""
    parts = re.split(r"{(\w+)}", pattern)
    return re.compile("".join(f"(?P<{p}>.+)" if i % 2 else re.escape(p) for i, p in enumerate(parts)), re.DOTALL)


def translate(text: str, /, **values: object) -> str:
    """Return a text in the current language, formatted with values.

    A text without a translation remains in English. English nouns agree with their numbers: "1 call", "2 calls".

    Examples
    --------
    >>> translate("line"), translate("call {n}", n=3)
    ('line', 'call 3')
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     translate("line")
    '行'
    """
    if settings.lang == "zh" and text in _CHINESE:
        text = _CHINESE[text]
    elif values:
        text = agree(text, values)
    return text.format(**values) if values else text
