"""Self-contained pages of pictures: data, view and style are in the page itself.

What is written here is the output of a cell, and the whole of a saved page. Both hold the static picture; a script
takes its place where scripts run. There it draws from the data in the page. In a notebook it is told when the
kernel knows the picture, too (``static/kernel.js``), and then its buttons can ask for something new.
"""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from pathlib import Path
from typing import Any

from ...support.filesystem import write_text
from ...support.settings import settings
from ...support.words import add_words, translate
from ..columns import columns_of
from ..html import element, escape
from ..picture import to_json
from ..theme import PALETTE, SANS, style_sheet
from .tight import tight

__all__ = [
    "data_of", "embedded", "in_sight", "model_script", "packed", "save", "script_of", "style_of", "whole_page",
    "without_kernel",
]  # fmt: skip

_STATIC = Path(__file__).parent / "static"
_ALONE = (
    "There is no kernel behind this picture: it shows what was computed. For anything new, run the cell again, after "
    "those above it."
)
_NOBODY = "This asks the kernel for something new, and there is no kernel here."
_WORKING = "The kernel is still at work, on this or on another cell."
_RUN = "run the cells up to this one"
_WHOLE = "full screen"
_LECTURE = "full screen; once more for a lecture, with larger letters and fewer controls; and once more to go back"
#: The size of a page in a notebook, where quotation marks take two bytes; and the minimum for the static picture.
_PAGE, _STATIC_LEAST = 58_200, 4_000
#: Width of a window from which on a saved page is enlarged, and how much: on a projector everybody should read it.
_LARGE = {1500: 1.2, 1800: 1.4, 2300: 1.7}
#: The content security policy of a saved page: it loads nothing from outside.
_POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data:"


@functools.cache
def script_of(name: str | Path) -> str:
    """Return the script of a view, a module with the function ``show``.

    Parameters
    ----------
    name : str or Path
        Name of the file in ``static/``, or the path of a script.
    """
    script = _read(f"{name}.js" if isinstance(name, str) else name)
    head, start, rest = script.partition("export default {")
    if not start:
        raise ValueError(f"The script {name} of a widget has no line 'export default {{'")
    view = f"{head}const view = {{{rest}export const show = shown(view);\n"
    parts = "".join(map(_read, ("shared.js", "columns.js", "kernel.js", "sight.js"))) + "".join(
        map(_as_part, _parts(name))
    )
    return tight(parts + view)


def _as_part(name: str) -> str:
    """Return a script that another one uses: a view becomes ``view_NAME``, and its own names stay its own."""
    script = _read(f"{name}.js")
    head, start, rest = script.partition("export default {")
    return f"const view_{name} = (() => {{\n{head}return {{{rest}}})();\n" if start else script


def model_script() -> str:
    """Return the script of the kernel's widgets, the same for all: so little that it may be saved with each."""
    return _read("page.js") + _read("model.js")


@functools.cache
def style_of(name: str | Path) -> str:
    """Return the style sheet of a view, with the palette and the common styles."""
    style = style_sheet() + "".join(_read(f"{part}.css") for part in ("shared", *_parts(name), name))
    return re.sub(r"(?<=[{};:,])[ \n]+|[ \n]+(?=[{}])|;(?=[ \n]*})", "", style)


def _parts(name: str | Path) -> list[str]:
    """Return the files that a script names in its first line, as in ``// With canvas.js.``: they come before it."""
    path = _STATIC / (f"{name}.js" if isinstance(name, str) else name)
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return re.findall(r"\b(\w+)\.js", first) if re.match(r"// With \w+\.js", first) else []


@functools.cache
def _read(name: str | Path) -> str:
    """Return a file without indentation and comments: it is stored with every picture."""
    path = _STATIC / name
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    stripped = [re.sub(r"(?<=[;{,]) // .*", "", line.strip()) for line in lines]
    return "".join(f"{line}\n" for line in stripped if line and not line.startswith("//"))


def data_of(picture: Any) -> dict[str, Any]:
    """Return the data of a view: the picture's data, and the texts for use without a kernel."""
    words = {"alone": _ALONE, "nobody": _NOBODY, "working": _WORKING, "run": _RUN, "whole": _WHOLE, "lecture": _LECTURE}
    return picture.to_dict() | {"kernel": {name: translate(text) for name, text in words.items()}}


def embedded(
    picture: Any, script: str | Path = "", key: str = "", saved: bool = False, data: dict[str, Any] | None = None
) -> str:
    """Return HTML: the static picture, and a script that puts the view in its place.

    Parameters
    ----------
    picture : Picture
        What to show.
    script : str or Path
        The script of the view; by default the one that is named like it.
    key : str
        The kernel's key of the picture; empty without a kernel.
    saved : bool
        Whether there never is a kernel: what would need one is left out.
    data : dict, optional
        What :func:`data_of` has returned, if it was asked already.
    """
    page = packed(picture, script, key, saved, data)
    start = f'{{{_read("page.js")}start(document.currentScript.parentElement, "{page}");}}'
    static = picture.to_html() if saved else picture.to_html_within(max(_PAGE - len(start.encode()), _STATIC_LEAST))
    # A name that is longer than a line of its place is broken, rather than cut off.
    return f'<div style="overflow-wrap: break-word">{static}<script>{start}</script></div>'


def in_sight(static: str) -> str:
    """Return HTML of a picture without a view, for the cell that was run: it comes into sight, as views do."""
    script = (
        f"{{{_read('sight.js')}const here = document.currentScript.parentElement;"
        'if (here.closest(".jp-CodeCell")?.querySelector(".jp-InputPrompt")?.textContent.includes("*"))'
        "comeIntoSight(here);}"
    )
    return f'<div class="d2l-still">{static}<script>{tight(script)}</script></div>'


def packed(
    picture: Any, script: str | Path = "", key: str = "", saved: bool = False, data: dict[str, Any] | None = None
) -> str:
    """Return the packed data for the script of a page; the arguments are those of :func:`embedded`."""
    name = script or picture.view_name
    data = data_of(picture) if data is None else data
    page = {"code": script_of(name), "css": style_of(name), "key": key, "saved": saved}
    # Of few data, columns are longer.
    return min((_pack(page | form) for form in ({"data": data}, {"columns": columns_of(data)})), key=len)


def _pack(page: dict[str, Any]) -> str:
    return base64.b64encode(zlib.compress(to_json(page).encode(), 9)).decode()


def without_kernel(output: str) -> str:
    """Return the output of a cell for readers who will never have a kernel: as :func:`embedded` with ``saved``.

    Parameters
    ----------
    output : str
        HTML; outputs other than pictures of this package are unchanged.

    Examples
    --------
    >>> without_kernel("<b>42</b>")
    '<b>42</b>'
    """

    def replace(found: re.Match[str]) -> str:
        page = json.loads(zlib.decompress(base64.b64decode(found[2])))
        return f'{found[1]}"{_pack({**page, "key": "", "saved": True})}")'

    return re.sub(r'(start\(document\.currentScript\.parentElement, )"([A-Za-z0-9+/=]+)"\)', replace, output)


def save(picture: Any, path: str | Path, title: str = "", script: str | Path = "") -> Path:
    """Write :func:`whole_page` into a file, and return its path.

    Raises
    ------
    ValueError
        If the name of the file is not that of a page.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"A picture is saved as a page, such as page.html, not as {path.name!r}")
    write_text(path, whole_page(picture, title, script))
    return path


def whole_page(picture: Any, title: str = "", script: str | Path = "") -> str:
    """Return a page that needs no other file and asks no other machine.

    Parameters
    ----------
    picture : Picture
        What to show.
    title : str
        Title of the page; by default the first line of the picture's text.
    script : str or Path
        As for :func:`embedded`.
    """
    title = title or next(iter(picture.to_text().strip().split("\n")), "")
    (paper, dark_paper), (ink, dark_ink) = PALETTE["paper"], PALETTE["ink"]
    style = (
        f"html {{ background: {paper}; color: {ink}; font: 14px/1.5 {SANS}; }} "
        f"html[theme=dark] {{ background: {dark_paper}; color: {dark_ink}; color-scheme: dark; }} "
        # The picture is as large as the window, with letters to match on a projector.
        "body { margin: 8px; } body .d2l { --d2l-room: max(618px, calc(100vh / var(--d2l-zoom, 1) - 50px)); } "
        + "".join(f"@media (min-width: {w}px) {{ body {{ zoom: {z}; --d2l-zoom: {z}; }} }} " for w, z in _LARGE.items())
    )
    is_dark = 'matchMedia("(prefers-color-scheme: dark)").matches'
    theme = f'if ({is_dark}) document.documentElement.setAttribute("theme", "dark");'
    head = [
        '<meta charset="utf-8">', '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">', element("title", escape(title)),
        element("style", style), element("script", theme),
    ]  # fmt: skip
    has_view = script or picture.view_name
    body = embedded(picture, script, saved=True) if has_view else element("main", picture.to_html())
    return (
        f'<!DOCTYPE html>\n<html lang="{settings.lang}">\n<head>\n{chr(10).join(head)}\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


add_words({
    _ALONE: "这幅图背后没有内核：它显示的是已经算好的结果。要得到新的结果，请先运行上面的单元格，再运行这个单元格。",
    _NOBODY: "这需要内核来计算，而这里没有内核。",
    _WORKING: "内核仍在工作：在处理这个请求，或在运行别的单元格。",
    _RUN: "运行到这个单元格为止",
    _WHOLE: "全屏",
    _LECTURE: "全屏；再按一次用于讲课，字更大，控件更少；再按一次返回",
})  # fmt: skip
