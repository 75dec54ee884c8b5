"""The course in a browser alone, as `make lite` builds it: a folder is served, and Python runs in the page.

They skip where it has not been built, or where NumPy for WebAssembly was not to be had when it was built.
"""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from d2lhybrid.exercises import chapters, exercises

from .jupyter import _CURRENT, ROOT, Lab, Notebook

LITE = ROOT / "build" / "lite"


def _what_is_missing() -> str:
    lock = LITE / "static" / "pyodide" / "pyodide-lock.json"
    if not lock.is_file():
        return "the course is not built here: make lite"
    numpy = json.loads(lock.read_text("utf-8"))["packages"]["numpy"]["file_name"]
    return "" if (lock.parent / numpy).is_file() else f"the course was built without {numpy}: make lite LITE=--help"


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(_what_is_missing()), reason=_what_is_missing() or "it is there"),
]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(LITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Lite(Lab):
    """JupyterLite in a page of the browser, with one notebook open."""

    def _start(self) -> None:
        """Nothing is open yet."""

    def visit(self, name: str) -> Notebook:
        """Open a notebook of the course, and wait for its kernel."""
        self.page.set_default_timeout(240_000)
        self.page.goto(f"{self.address}/lab/index.html?path={name}", wait_until="commit")
        self._restored()
        self.page.wait_for_function(f"() => {_CURRENT}?.sessionContext?.session?.kernel?.status === 'idle'")
        return Notebook(self, LITE / name)


def shown(notebook: Notebook) -> str:
    """Return all that the cells have printed and returned, as text."""
    outputs = [output for cell in notebook.cells() for output in cell.get("outputs", [])]
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    return "\n".join("".join(text) for text in texts)


LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("0[0-4]_*.ipynb"))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_to_its_end_and_asks_no_other_machine(browser, address, pictures, tmp_path, name):
    lab = Lite(browser, address, tmp_path, pictures)
    notebook = lab.visit(name)
    notebook.run()
    code = [cell for cell in notebook.cells() if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code if "".join(cell["source"]).strip())
    assert notebook.problems() == [] and lab.foreign == []
    assert not [error for error in lab.errors if "404" not in error]  # folders that are not there are asked for
    if name == "03_hybrid_block.ipynb":
        lab.page.get_by_role("button", name="next call").first.click()
    lab.page.close()


def test_the_exercises_check_themselves_and_the_browser_remembers(browser, address, pictures, tmp_path):
    lab = Lite(browser, address, tmp_path, pictures)
    notebook = lab.visit("exercises/03_hybrid_block.ipynb")
    program = "from d2lhybrid.exercises import ex, progress\n"
    program += "from d2lhybrid.internals.course.exercises.exercise import PRELUDE\n"
    program += "exec(PRELUDE)\n"
    (chapter,) = [chapter for chapter in chapters() if chapter.number == "03"]
    for exercise in exercises(chapter):
        program += f"{exercise.solution_code}\nprint(ex({exercise.number!r}).check({exercise.answer}))\n"
    said = notebook.ask(program + "print(progress())")
    assert [e.number for e in exercises(chapter) if f"{e.number} right." not in said] == [], said
    lab.page.wait_for_timeout(1000)
    lab.page.goto("about:blank")  # Python ends with its page
    said = lab.visit("exercises/03_hybrid_block.ipynb").ask(
        "from d2lhybrid.exercises import progress\nprint(progress())"
    )
    assert said.startswith(f"{len(exercises(chapter))} of {len(exercises())} exercises solved"), said
    lab.page.close()
