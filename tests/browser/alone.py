"""A widget alone on a page, with its Python beside it: no JupyterLab, no kernel, so a test takes a moment.

The page has what a cell's output has: the view's script, its style and its data. What the script sends is
answered by the widget itself, in this process. How a view stands in JupyterLab, other tests look at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from d2lhybrid.internals.pictures.widgets.page import script_of, style_of

from .shots import shot

__all__ = ["Alone"]

_PAGE = """<!doctype html><html><head><meta charset="utf-8"><style>
body { margin: 16px; font: 13px sans-serif; background: var(--jp-layout-color1); color: var(--jp-content-font-color1); }
body { --jp-content-font-color1: rgba(0, 0, 0, .87); --jp-layout-color1: #fff; }
body[data-jp-theme-light="false"] { --jp-content-font-color1: #fff; --jp-layout-color1: #111; }
#place { width: %(width)spx; }
</style></head><body data-jp-theme-light="%(light)s"><div id="place"><div id="view"></div></div><script type="module">
const heard = {};
let state = { data: %(data)s };
const tell = (name, ...what) => { for (const f of [...(heard[name] ?? [])]) f(...what); };
const kernel = {
  get: (name) => state[name],
  on: (name, f) => { (heard[name] ??= []).push(f); },
  off: (name, f) => { heard[name] = (heard[name] ?? []).filter((one) => one !== f); },
  send: async (content) => {
    const { data, messages } = JSON.parse(await window.askPython(JSON.stringify(content)));
    state = { ...state, data };
    tell("change:data");
    for (const message of messages) tell("msg:custom", message);
  },
};
const models = new Map(window.askPython ? [["key", [kernel, () => true]]] : []);
globalThis[Symbol.for("d2lhybrid.kernels")] = { models, waiting: new Map() };
const script = URL.createObjectURL(new Blob([%(code)s], { type: "text/javascript" }));
const { show } = await import(script);
show(document.getElementById("view"), { data: state.data, css: %(css)s, key: "key" });
document.body.dataset.ready = "yes";
</script></body></html>"""


class Alone:
    """A page with one widget.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
        The browser.
    picture : Picture
        What the widget shows.
    width : int
        Of the view, in pixels; :func:`~tests.browser.layout.width_of` changes it.
    dark, kernel, still : bool
        Whether the page is dark; whether somebody answers its buttons; whether the student asked for no motion.

    Attributes
    ----------
    view : Locator
        The view.
    errors : list of str
        What the page complained about.
    """

    def __init__(
        self,
        browser: Any,
        picture: Any,
        width: int = 700,
        dark: bool = False,
        kernel: bool = True,
        still: bool = True,
    ) -> None:
        self.widget = picture.widget()
        self.errors: list[str] = []
        self._messages: list[Any] = []
        self.page = browser.new_page(
            viewport={"width": 1200, "height": 1000}, reduced_motion="reduce" if still else "no-preference"
        )
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        if kernel:
            self.widget.send = self._messages.append
            self.page.expose_function("askPython", self._answer)
        text = _PAGE % {
            "css": _json(style_of(picture.view_name)),
            "width": width,
            "light": "false" if dark else "true",
            "data": _json(self.widget.data),
            "code": _json(script_of(picture.view_name)),
        }
        self.page.set_content(text)
        self.page.locator("body[data-ready]").wait_for()
        self.view = self.page.locator("#view")

    def _answer(self, content: str) -> str:
        self._messages.clear()
        self.widget._receive(self.widget, json.loads(content), [])
        return json.dumps({"data": self.widget.data, "messages": self._messages})

    def theme(self, dark: bool) -> None:
        """Change to the dark theme or the light one."""
        self.page.evaluate("(light) => { document.body.dataset.jpThemeLight = light; }", "false" if dark else "true")

    def picture(self, file: Path) -> None:
        """Take a picture of the view."""
        shot(self.view, file)

    def close(self) -> None:
        """Close the page."""
        self.page.close()


def _json(data: Any) -> str:
    """Return data as JSON that may stand within a script element."""
    return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
