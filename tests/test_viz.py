"""Pictures: their three forms, their palette, the marks on a program's lines."""

from __future__ import annotations

import ast
import html.parser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import d2lhybrid
from d2lhybrid.internals.pictures.html import details, element, escape, table
from d2lhybrid.internals.pictures.listing import listing_of, tokens_of
from d2lhybrid.internals.pictures.picture import Picture
from d2lhybrid.internals.pictures.svg import Svg
from d2lhybrid.internals.pictures.theme import FAMILIES, PALETTE, style_sheet
from d2lhybrid.internals.pictures.widgets.page import script_of, style_of
from d2lhybrid.internals.pictures.widgets.tight import tight
from d2lhybrid.internals.support.words import translate

PACKAGE = Path(d2lhybrid.__file__).parent
_OF_ALL = ("shared", "columns", "kernel", "sight", "model", "page", "canvas")
SCRIPTS = sorted(
    p for p in (PACKAGE / "internals" / "pictures" / "widgets" / "static").glob("*.js") if p.stem not in _OF_ALL
)


class Answer(Picture):
    def to_dict(self):
        return {"answer": 42}

    def to_text(self):
        return "42"

    def to_html(self):
        return "<b>42</b>"


def test_a_picture_is_text_and_html_outside_of_notebooks():
    data, metadata = Answer()._repr_mimebundle_()
    assert data == {"text/plain": "42", "text/html": "<b>42</b>"} and not metadata
    assert Answer()._repr_mimebundle_(include={"text/plain"})[0] == {"text/plain": "42"}
    assert repr(Answer()) == "42"
    with pytest.raises(TypeError, match="no interactive view of Answer"):
        Answer().widget()


def test_a_picture_without_a_view_comes_into_sight_in_a_notebook_and_is_a_page(monkeypatch, tmp_path):
    page = Answer().save(tmp_path / "answer.html").read_text("utf-8")
    assert "<title>42</title>" in page and "<main><b>42</b></main>" in page
    with pytest.raises(ValueError, match=r"not as 'answer\.pdf'"):
        Answer().save(tmp_path / "answer.pdf")
    shells = pytest.importorskip("IPython", reason="IPython is not installed")

    class Shell:
        kernel = object()

    monkeypatch.setattr(shells, "get_ipython", Shell)
    data, _ = Answer()._repr_mimebundle_()
    assert data["text/html"].startswith('<div class="d2l-still"><b>42</b><script>{')
    assert "comeIntoSight(here)" in data["text/html"] and len(data["text/html"]) < 1500


def test_without_anywidget_a_notebook_shows_the_picture_and_a_hint(monkeypatch):
    shells = pytest.importorskip("IPython", reason="IPython is not installed")

    class Seen(Answer):
        view_name = "print_trace"

    class Shell:
        kernel = object()

    monkeypatch.setattr(shells, "get_ipython", Shell)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    for name in [n for n in sys.modules if n.startswith("d2lhybrid.internals.pictures.widgets.")]:
        monkeypatch.delitem(sys.modules, name)
    data, _ = Seen()._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html"}
    assert (
        data["text/html"].startswith('<div style="overflow-wrap: break-word"><b>42</b><script>')
        and "pip install anywidget" in data["text/html"]
    )
    Seen.view_name = "no_such_view"
    with pytest.raises(ModuleNotFoundError, match="no_such_view"):
        Seen()._repr_mimebundle_()


#: Where a kernel runs -> its environment, what the names of its user hold, and whether outputs are apart.
_PLACES = {
    "JupyterLab": ({}, {}, False),
    "JupyterLab, from a terminal in VS Code": ({"TERM_PROGRAM": "vscode", "VSCODE_IPC_HOOK_CLI": "/sock"}, {}, False),
    "JupyterLab 4, with the notebook's name": ({"JPY_SESSION_NAME": "lesson.ipynb"}, {}, False),
    "VS Code": ({"VSCODE_PID": "1"}, {}, True),
    "VS Code, started in a folder": ({"VSCODE_CWD": "/course"}, {}, True),
    "VS Code in WSL": ({"VSCODE_IPC_HOOK_EXTHOST": "/sock"}, {}, True),
    "VS Code in a container": ({"VSCODE_HANDLES_UNCAUGHT_ERRORS": "true"}, {}, True),
    "VS Code, which has said so": ({}, {"__vsc_ipynb_file__": "/course/lesson.ipynb"}, True),
    "VS Code with a Jupyter server": ({"JPY_SESSION_NAME": "lesson-jvsc-1f3a.ipynb"}, {}, True),
}


@pytest.mark.parametrize("place", _PLACES)
def test_the_buttons_find_the_kernel_where_outputs_are_apart(place, monkeypatch):
    shells = pytest.importorskip("IPython", reason="IPython is not installed")
    pytest.importorskip("anywidget", reason="the buttons need anywidget")
    environment, names, apart = _PLACES[place]

    class Shell:
        kernel = object()
        user_ns = names

    class Seen(Answer):
        view_name = "print_trace"

    for name in [name for name in os.environ if name.startswith(("VSCODE_", "JPY_"))]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(shells, "get_ipython", Shell)
    data, _ = Seen()._repr_mimebundle_()
    assert "text/html" in data and ("application/vnd.jupyter.widget-view+json" in data) is apart


def test_importing_the_package_imports_no_widgets():
    program = "import sys, d2lhybrid.internals.pictures.widgets; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) is False


def test_language():
    with d2lhybrid.config(lang="zh"):
        assert translate("line") == "行"
        assert translate("a text that nobody translated") == "a text that nobody translated"
    assert translate("line") == "line"
    with pytest.raises(ValueError, match="must be 'en' or 'zh', not 'fr'"):
        d2lhybrid.config(lang="fr")


# --- colours ----------------------------------------------------------------------------------------


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one, other):
    low, high = sorted([_luminance(one), _luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", sorted(set(PALETTE) - {"paper", "panel", "rule"}))
@pytest.mark.parametrize("theme", [0, 1])
def test_text_of_every_colour_can_be_read(name, theme):
    for ground in ("paper", "panel"):
        assert _contrast(PALETTE[name][theme], PALETTE[ground][theme]) >= 4.5


def test_every_colour_is_in_the_style_sheet():
    sheet = style_sheet()
    for name in [*PALETTE, *(f"family-{i}" for i in range(len(FAMILIES)))]:
        assert sheet.count(f"--d2l-{name}:") == 2


# --- HTML and SVG ------------------------------------------------------------------------------------


class _Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text, self.seen = [], "", []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(text):
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return reader


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_no_text_escapes_into_the_page(text):
    page = read(details(text, table([[escape(text)]], header=[text]) + element("i", title=text)))
    assert page.text == text * 3
    assert {tag for tag, _ in page.seen} == {"details", "summary", "table", "thead", "tbody", "tr", "th", "td", "i"}
    assert page.seen[-1][1]["title"] == text


def test_a_drawing_is_one_image():
    drawing = Svg(40, 30, "a < b")
    drawing.open("g", class_="node")
    drawing.add("path", d="M0 0L1 1", stroke_width=1 / 3)
    drawing.close()
    assert '<g class="node"><path d="M0 0L1 1" stroke-width="0.33"/></g></svg>' in drawing.to_string()
    ((tag, attributes),) = read(drawing.to_img()).seen
    assert tag == "img" and attributes["alt"] == "a < b" and attributes["src"].startswith("data:image/svg+xml,")


# --- programs ---------------------------------------------------------------------------------------


def program(x):
    """A text
    over two lines."""
    if x:  # why
        return f"{x} and 'more'"
    return 0x10


def test_a_listing_has_the_lines_of_a_function():
    found = listing_of(program.__code__)
    assert found.title == "program" and found.lines[0].text == "def program(x):"
    assert found.lines[-1].text == "    return 0x10" and len(found.lines) == 6
    line = found.line(program.__code__.co_firstlineno + 3)
    assert line.tokens == [("    ", ""), ("if", "keyword"), (" x:  ", ""), ("# why", "comment")]
    line.mark, line.notes = "eager", ["x is 1", "<b>"]
    assert "# x is 1; <b>" in found.to_text({"eager": ">"}) and "\n> " in found.to_text({"eager": ">"})
    written = read(found.to_html()).text.split("\n")
    assert written[3].endswith("    x is 1") and written[4].strip() == "<b>" and len(written) == 7
    assert written[3].index("x is 1") == written[4].index("<b>")
    assert found.line(1) is None and found.line(10**6) is None


def test_a_function_whose_text_is_unknown_has_no_lines():
    names: dict = {}
    exec("def f(): pass", names)
    found = listing_of(names["f"].__code__)
    assert found.title == "f" and not found.lines and found.line(1) is None and found.to_text() == ""


@given(st.text("ab =:'\"#()\n\\1 ", max_size=60))
def test_tokens_leave_no_letter_out(text):
    lines = text.split("\n")
    assert ["".join(part for part, _ in line) for line in tokens_of(lines)] == lines


# --- widgets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_scripts_ask_nobody(script):
    text, style = script_of(script.stem), style_of(script.stem)
    assert script.read_text().strip().split("\n")[-2].replace(" ", "") in text.replace(" ", "")
    assert not re.search(r"\bimport\b|https?://(?!www\.w3\.org/)|innerHTML|\beval\b", text)
    assert not re.search(r"@import|url\(", style)


def test_spaces_go_from_a_script_where_they_say_nothing():
    assert tight('const f = ({ a, b }) => (a ? "x = y" : b);') == 'const f=({a,b})=>(a?"x = y":b);'
    assert tight('say(`a = "${b ? 1 : 2}" / c`, "`", d);') == 'say(`a = "${b?1:2}" / c`,"`",d);'
    assert tight("say(`a = ${b ? `c = ${ { d: 1 }.d }` : 1} }`);") == "say(`a = ${b?`c = ${{d:1}.d}`:1} }`);"
    assert tight("const f = () => {\n  say();\n}\nf(a / b / c, / /.test(d));\n") == (
        "const f=()=>{say();}\nf(a/b/c,/ /.test(d));"
    )
    kept_texts = ("const r=/a = b[/ ]/;", "say('a = b');", 'say(/"/,": x");', "return /a b/;")
    for kept in (*kept_texts, 'x+ +y- -"\\" = "'):
        assert tight(kept) == kept


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_a_script_is_as_it_was_but_for_spaces(script):
    texts = "".join(script_of(script.stem).split())
    for line in (line.strip() for line in script.read_text().split("\n")):
        if line and not line.startswith(("//", "export default")) and " // " not in line:
            assert "".join(line.split()) in texts
