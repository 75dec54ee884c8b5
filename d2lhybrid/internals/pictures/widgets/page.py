"""Self-contained pages of pictures, with data, view, and style in the page itself.

A page is the output of a cell, or a saved file. A page contains the static picture, which the view replaces
if scripts run. The view draws the data in the page. In a notebook, ``static/kernel.js`` notifies the view
when the kernel has the picture. From then on, buttons can request new data.
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
from ..html import bytes_in_notebook, element, escape
from ..picture import to_json
from ..theme import PALETTE, SANS, style_sheet
from .tight import tight

__all__ = [
    "data_of", "embedded", "in_sight", "model_script", "packed", "room_for_data", "save", "script_of", "style_of",
    "whole_page", "without_kernel",
]  # fmt: skip

_STATIC = Path(__file__).parent / "static"
_ALONE = (
    "There is no kernel for this picture, so it shows what was computed earlier. To compute something new, run the "
    "cell again, after those above it."
)
_NOBODY = "This control needs the kernel, but there is no kernel here."
_WORKING = "The kernel is still busy with this or another cell."
_RUN = "run the cells up to this one"
_WHOLE = "full screen"
_LECTURE = "full screen; once more for a lecture, with larger letters and fewer controls; and once more to go back"
#: The size limit of a picture in a notebook in bytes: its page and its text, without the notebook's own markup.
_OUTPUT = 59_600
#: The minimum space for the static picture in bytes, and the space for the text of a picture of a lesson's net.
_STATIC_LEAST, _TEXT = 4_000, 1_400
#: The minimum window width at which a saved page is enlarged, and the factor, which suits projectors.
_LARGE = {1500: 1.2, 1800: 1.4, 2300: 1.7}
#: The content security policy of a saved page, which cannot load external resources.
_POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data:"


@functools.cache
def script_of(name: str | Path) -> str:
    """Return the script of a view, a module with a function ``show``.

    Parameters
    ----------
    name : str or Path
        Name of the file in ``static/``, or path of a script.

    Returns
    -------
    str
        The script.

    Raises
    ------
    ValueError
        If the script of a widget has no line ``export default {``.
    """
    script = _read(f"{name}.js" if isinstance(name, str) else name)
    head, start, rest = script.partition("export default {")
    if not start:
        raise ValueError(f"The widget script {name} has no line 'export default {{'")
    view = f"{head}const view = {{{rest}export const show = shown(view);\n"
    parts = "".join(map(_read, ("shared.js", "columns.js", "kernel.js", "sight.js"))) + "".join(
        map(_as_part, _parts(name))
    )
    return tight(parts + view)


def _as_part(name: str) -> str:
    """Return a script for use by another script: a view becomes ``view_NAME``, and its names are local."""
    script = _read(f"{name}.js")
    head, start, rest = script.partition("export default {")
    return f"const view_{name} = (() => {{\n{head}return {{{rest}}})();\n" if start else script


def model_script() -> str:
    """Return the script that all the kernel's widgets share. It must be small, because each widget may store a copy."""
    return _read("page.js") + _read("model.js")


@functools.cache
def style_of(name: str | Path) -> str:
    """Return the style sheet of a view, with the palette and the common styles."""
    style = style_sheet() + "".join(_read(f"{part}.css") for part in ("shared", *_parts(name), name))
    return re.sub(r"(?<=[{};:,])[ \n]+|[ \n]+(?=[{}])|;(?=[ \n]*})", "", style)


@functools.cache
def room_for_data(name: str | Path) -> int:
    """Return the maximum size of a view's compressed data in a notebook, in bytes.

    The size of a page is limited, and the script, the style, and a static picture of minimum size use part of it. Large
    pictures omit parts of their data to fit, but the pictures of a lesson's net must not omit data.
    """
    return _OUTPUT - _STATIC_LEAST - _TEXT - len(_pack({"code": script_of(name), "css": style_of(name)}))


def _parts(name: str | Path) -> list[str]:
    """Return the files that must precede a script; its first line names them, such as ``// With canvas.js.``."""
    path = _STATIC / (f"{name}.js" if isinstance(name, str) else name)
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return re.findall(r"\b(\w+)\.js", first) if re.match(r"// With \w+\.js", first) else []


@functools.cache
def _read(name: str | Path) -> str:
    """Return a file without indentation and comments, because every picture stores a copy."""
    path = _STATIC / name
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = (re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL) if path.suffix == ".css" else text).split("\n")
    stripped = [re.sub(r"(?<=[;{,]) // .*", "", line.strip()) for line in lines]
    return "".join(f"{line}\n" for line in stripped if line and not line.startswith("//"))


def data_of(picture: Any) -> dict[str, Any]:
    """Return the data of a view: the picture's data, and texts that a page without a kernel displays."""
    words = {"alone": _ALONE, "nobody": _NOBODY, "working": _WORKING, "run": _RUN, "whole": _WHOLE, "lecture": _LECTURE}
    return picture.to_dict() | {"kernel": {name: translate(text) for name, text in words.items()}}


def embedded(
    picture: Any, script: str | Path = "", key: str = "", saved: bool = False, data: dict[str, Any] | None = None
) -> str:
    """Return HTML with the static picture, and a script that replaces the picture with the view.

    Parameters
    ----------
    picture : Picture
        Picture to show.
    script : str or Path
        Script of the view; by default, the script with the picture's ``view_name``.
    key : str
        Key of the picture in the kernel; empty without a kernel.
    saved : bool
        Whether the page is for use without a kernel, so that it omits features that require a kernel.
    data : dict, optional
        Result of :func:`data_of`, if already computed.
    """
    page = packed(picture, script, key, saved, data)
    start = f'{{{_read("page.js")}start(document.currentScript.parentElement, "{page}");}}'
    if saved:
        static = picture.to_html()
    else:
        room = _OUTPUT - bytes_in_notebook(start) - bytes_in_notebook(picture.to_text())
        static = picture.to_html_within(max(room, _STATIC_LEAST))
    # Break long names instead of truncating them.
    return f'<div style="overflow-wrap: break-word">{static}<script>{start}</script></div>'


def in_sight(static: str) -> str:
    """Return a picture's static HTML, with a script that scrolls the picture into view after the cell has run."""
    script = (
        f"{{{_read('sight.js')}const here = document.currentScript.parentElement;"
        'if (here.closest(".jp-CodeCell")?.querySelector(".jp-InputPrompt")?.textContent.includes("*"))'
        "comeIntoSight(here);}"
    )
    return f'<div class="d2l-still">{static}<script>{tight(script)}</script></div>'


def packed(
    picture: Any, script: str | Path = "", key: str = "", saved: bool = False, data: dict[str, Any] | None = None
) -> str:
    """Return the compressed data for the script of a page. The parameters are those of :func:`embedded`."""
    name = script or picture.view_name
    data = data_of(picture) if data is None else data
    page = {"code": script_of(name), "css": style_of(name), "key": key, "saved": saved}
    # Columns enlarge small data.
    return min((_pack(page | form) for form in ({"data": data}, {"columns": columns_of(data)})), key=len)


def _pack(page: dict[str, Any]) -> str:
    text = to_json(page).encode()
    # Which level of memory compresses best depends on the text: shorter blocks adapt to it, longer ones have one table.
    makers = (zlib.compressobj(9, memLevel=level) for level in (6, zlib.DEF_MEM_LEVEL))
    return base64.b64encode(min((maker.compress(text) + maker.flush() for maker in makers), key=len)).decode()


def without_kernel(output: str) -> str:
    """Return the output of a cell for readers without a kernel, in the form of :func:`embedded` with ``saved=True``.

    Parameters
    ----------
    output : str
        HTML output. Only pictures of this package are changed.

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
    """Write the result of :func:`whole_page` to a file, and return the path of the file.

    Parameters
    ----------
    picture, title, script
        Arguments of :func:`whole_page`.
    path : str or Path
        Path of the file.

    Returns
    -------
    Path
        Path of the file.

    Raises
    ------
    ValueError
        If the suffix of ``path`` is neither ``.html`` nor ``.htm``.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"A picture can be saved as .html or .htm, not as {path.name!r}")
    write_text(path, whole_page(picture, title, script))
    return path


def whole_page(picture: Any, title: str = "", script: str | Path = "") -> str:
    """Return a page that needs no other files and no network.

    Parameters
    ----------
    picture : Picture
        Picture to show.
    title : str
        Title of the page; by default, the first line of the picture's text.
    script : str or Path
        Same as for :func:`embedded`.
    """
    title = title or next(iter(picture.to_text().strip().split("\n")), "")
    (paper, dark_paper), (ink, dark_ink) = PALETTE["paper"], PALETTE["ink"]
    style = (
        f"html {{ background: {paper}; color: {ink}; font: 14px/1.5 {SANS}; }} "
        f"html[theme=dark] {{ background: {dark_paper}; color: {dark_ink}; color-scheme: dark; }} "
        # On a projector, the picture fills the window, and the text size grows in proportion.
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
    _ALONE: "这幅图没有连接内核，显示的是以前算好的结果。要得到新的结果，请先运行上面的单元格，再运行这个单元格。",
    _NOBODY: "这需要由内核计算，而这里没有内核。",
    _WORKING: "内核仍在工作：正在处理这个请求，或者正在运行别的单元格。",
    _RUN: "运行到这个单元格为止",
    _WHOLE: "全屏",
    _LECTURE: "全屏；再点击一次进入讲课模式，字更大，控件更少；再点击一次返回",
})  # fmt: skip
