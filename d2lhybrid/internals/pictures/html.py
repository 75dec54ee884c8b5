"""HTML for pages that run no script: an untrusted notebook, nbconvert, GitHub.

What survives there is text in tables, ``<details>`` and ``<img>`` with a data URI; styles have to stand in the
element itself. Colors of text are inherited, so that it can be read on a light page and on a dark one,
and backgrounds are so pale that they do on both.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..support.words import add_words, translate
from .theme import MONOSPACE, tint

__all__ = ["bytes_in_notebook", "details", "element", "escape", "heading", "shorter", "table", "without_room"]


def escape(text: object) -> str:
    """Return text for use in HTML or XML, also in attributes.

    Examples
    --------
    >>> escape('x < "y"')
    'x &lt; &quot;y&quot;'
    """
    return html.escape(str(text), quote=True)


def element(tag: str, *children: str, style: str = "", **attributes: Any) -> str:
    """Return an element. Children are HTML already; attributes are escaped, and left out where None.

    Examples
    --------
    >>> element("td", escape("a < b"), style="color: red", colspan=2)
    '<td style="color: red" colspan="2">a &lt; b</td>'
    """
    if style:
        attributes = {"style": style, **attributes}
    written = "".join(
        f' {n.rstrip("_").replace("_", "-")}="{escape(v)}"' for n, v in attributes.items() if v is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def shorter(line: str, most: int = 160) -> str:
    """Return a line of a program for a page that is saved: of a very long one the beginning, and a sign for the rest.

    Examples
    --------
    >>> shorter("def forward(a, b, c, d):", 12)
    'def forward(…'
    """
    return line if len(line) <= most else f"{line[:most]}…"


def heading(text: str, note: str = "") -> str:
    """Return a title with a note in gray after it."""
    extra = element("span", escape(note), style="font-weight: normal; opacity: 0.7; margin-left: 12px") if note else ""
    return element("div", escape(text), extra, style="font-size: 15px; font-weight: 600; margin: 6px 0")


def table(
    rows: Iterable[Sequence[str]], header: Sequence[str] = (), code: bool = False, shades: Sequence[str] = ()
) -> str:
    """Return a table of cells that are HTML already.

    Parameters
    ----------
    rows : iterable of sequence of str
        The cells.
    header : sequence of str
        Plain texts over the columns.
    code : bool
        Whether the cells are lines of a program: monospaced, close together, spaces kept.
    shades : sequence of str
        For each row the name of a color behind it, or ``""``.
    """
    cell = "text-align: left; vertical-align: top; padding: 2px 12px 2px 4px; border: none;"
    if code:
        cell += f" font-family: {MONOSPACE}; font-size: 12px; line-height: 1.5; white-space: pre-wrap;"
    head = ""
    if header:
        titles = (element("th", escape(h), style=f"{cell} opacity: 0.7; font-weight: 600") for h in header)
        head = element("thead", element("tr", *titles))
    body = []
    for i, row in enumerate(rows):
        colour = shades[i] if i < len(shades) else ""
        # The tint is in every cell, because a notebook's own style sheet stripes the rows.
        style = f"{cell} background: {tint(colour)}" if colour else cell
        body.append(element("tr", *(element("td", c, style=style) for c in row), style="background: transparent"))
    return element(
        "table", head, element("tbody", *body), style="border-collapse: collapse; margin: 4px 0; border: none"
    )


def details(title: str, content: str, opened: bool = False) -> str:
    """Return a part that folds away, without a script."""
    summary = element("summary", escape(title), style="cursor: pointer; padding: 2px 0")
    return f"<details{' open' if opened else ''}>{summary}{content}</details>"


def bytes_in_notebook(text: str) -> int:
    """Return the size of a text in a notebook file: quotation marks take two bytes, and lines are separate strings.

    Examples
    --------
    >>> bytes_in_notebook('<b id="é">')
    13
    """
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2 + 8 * text.count("\n")


def without_room() -> str:
    """Return the text that replaces a part too large for a saved page."""
    text = translate("There is no room for this in a saved page. The view has it, where scripts run.")
    return element("p", escape(text), style="opacity: .8")


add_words({
    "There is no room for this in a saved page. The view has it, where scripts run.":
        "保存的页面里放不下这部分内容。在可以运行脚本的地方，交互视图会显示它。",
})  # fmt: skip
