"""The texts of pictures and widgets, in English and in Chinese: ``d2lhybrid.config(lang="zh")``.

The English text is the key. A module with texts of its own keeps their translations beside them::

    add_words({"call again": "再调用一次"})
    translate("call again")
"""

from __future__ import annotations

from ..util import settings

__all__ = ["add_words", "translate"]

_CHINESE: dict[str, str] = {
    "The interactive view needs anywidget: pip install anywidget": "交互视图需要 anywidget：pip install anywidget",
    "line": "行",
}


def add_words(chinese: dict[str, str]) -> None:
    """Add translations.

    Parameters
    ----------
    chinese : dict of str to str
        English text -> Chinese text, with the same places ``{name}`` to fill in.
    """
    _CHINESE.update(chinese)


def translate(text: str, **values: object) -> str:
    """Return a text in the language that is set, with its places filled in.

    A text without a translation stays English.

    Examples
    --------
    >>> translate("line"), translate("call {n}", n=3)
    ('line', 'call 3')
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     translate("line")
    '行'
    """
    if settings.lang == "zh":
        text = _CHINESE.get(text, text)
    return text.format(**values) if values else text
