"""HTML for pages that run no scripts, such as untrusted notebooks, nbconvert, and GitHub.

Such pages keep tables, ``<details>``, and ``<img>`` with a data URI; styles must be attributes of each element.
Text inherits its color, and background tints are pale, so that pages are readable in light and dark themes.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..support.words import add_words, translate
from .theme import MONOSPACE, tint

__all__ = [
    "bytes_in_notebook", "details", "element", "escape", "heading", "marked", "packed_size", "plain", "table",
    "without_room",
]  # fmt: skip


def escape(text: object) -> str:
    """Return text that is escaped for HTML or XML, including attributes.

    Examples
    --------
    >>> escape('x < "y"')
    'x &lt; &quot;y&quot;'
    """
    return html.escape(str(text), quote=True)


def element(tag: str, *children: str, style: str = "", **attributes: Any) -> str:
    """Return the HTML of an element. Children are HTML; attributes are escaped, and omitted if None.

    Parameters
    ----------
    tag : str
        Name of the element.
    *children : str
        Content of the element, as HTML.
    style : str
        Value of the attribute ``style``.
    **attributes : object
        Further attributes.

    Returns
    -------
    str
        The start tag, the content, and the end tag.

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


#: The Markdown of pages about traps: code, emphasis, and links.
_MARKUP = re.compile(r"`([^`]*)`|\*([^*`]+)\*|\[([^\]`]+)\]\([^)]*\)")


def marked(text: str) -> str:
    """Convert a sentence with simple Markdown to HTML. Links are reduced to their text.

    Examples
    --------
    >>> marked("one of the *outputs* of `x < y`: see [H58](H58-silent-indexing.md)")
    'one of the <em>outputs</em> of <code>x &lt; y</code>: see H58'
    """
    return "".join(element(_TAGS[kind], escape(part)) if kind in _TAGS else escape(part) for kind, part in _parts(text))


def plain(text: str) -> str:
    """Return a sentence without its Markdown, for a terminal.

    Examples
    --------
    >>> plain("one of the *outputs* of `x < y`: see [H58](H58-silent-indexing.md)")
    'one of the outputs of x < y: see H58'
    """
    return "".join(part for _, part in _parts(text))


_TAGS = {1: "code", 2: "em"}


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the kind and the text of each part of a sentence: a group of the pattern, or 0 outside of all groups."""
    end = 0
    for found in _MARKUP.finditer(text):
        yield 0, text[end : found.start()]
        kind = found.lastindex or 0
        yield kind, found[kind]
        end = found.end()
    yield 0, text[end:]


def heading(text: str, note: str = "") -> str:
    """Return a title, followed by a note in gray."""
    extra = element("span", escape(note), style="font-weight: normal; opacity: 0.7; margin-left: 12px") if note else ""
    return element("div", escape(text), extra, style="font-size: 15px; font-weight: 600; margin: 6px 0")


def table(
    rows: Iterable[Sequence[str]], header: Sequence[str] = (), code: bool = False, shades: Sequence[str] = ()
) -> str:
    """Return a table whose cells are HTML.

    Parameters
    ----------
    rows : iterable of sequence of str
        The cells of each row, as HTML.
    header : sequence of str
        Column titles as plain text.
    code : bool
        Whether the cells are lines of source code: monospaced, with little spacing, and with preserved spaces.
    shades : sequence of str
        Name of the background color of each row, or ``""``.
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
        # The tint is set for every cell, because the style sheets of notebooks stripe rows.
        style = f"{cell} background: {tint(colour)}" if colour else cell
        body.append(element("tr", *(element("td", c, style=style) for c in row), style="background: transparent"))
    return element(
        "table", head, element("tbody", *body), style="border-collapse: collapse; margin: 4px 0; border: none"
    )


def details(title: str, content: str, opened: bool = False) -> str:
    """Return a collapsible section without scripts."""
    summary = element("summary", escape(title), style="cursor: pointer; padding: 2px 0")
    return f"<details{' open' if opened else ''}>{summary}{content}</details>"


def bytes_in_notebook(text: str) -> int:
    """Return the size of a text in a notebook file, where quotation marks are escaped and each line is a string.

    Examples
    --------
    >>> bytes_in_notebook('<b id="é">')
    13
    """
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2 + 8 * text.count("\n")


def packed_size(text: str) -> int:
    """Return the number of bytes that a text takes in a notebook, compressed and in base64.

    Examples
    --------
    >>> packed_size("a" * 1000) < 30
    True
    """
    return len(zlib.compress(text.encode())) * 4 // 3


def without_room() -> str:
    """Return the text that replaces a part that is too large for a saved page."""
    text = translate("This part is too large for a saved page. The interactive view has it.")
    return element("p", escape(text), style="opacity: .8")


add_words({
    "This part is too large for a saved page. The interactive view has it.":
        "这部分内容太大，保存的页面里放不下，在交互视图里可以看到。",
})  # fmt: skip
