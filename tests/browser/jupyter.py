"""A JupyterLab to test in: the server, the browser, one page with notebooks that are opened one after the other.

Jupyter Notebook and Voila are served and watched in the same way.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .shots import shot, wanted

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "of-no-importance"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
#: Module that serves -> what it is told, beside its port.
PROGRAMS = {
    "jupyterlab": ["--expose-app-in-browser", "--LabApp.news_url=", "--LabApp.extension_manager=readonly"],
    "notebook": ["--expose-app-in-browser"],
    # Voila loads every extension of JupyterLab that is installed; that of Jupyter Notebook fails in it.
    "voila": ["--VoilaConfiguration.extension_denylist=@jupyter-notebook/lab-extension"],
}
#: The page waits this long for anything, in milliseconds.
PATIENCE = 60_000
#: Notebooks are run by the app itself; `current` is the one that is open.
_CURRENT = "window.jupyterapp.shell.currentWidget"


def find_chromium() -> str | None:
    """Return the browser, None if there is none: D2LHYBRID_CHROMIUM names another one than Debian's."""
    named = os.environ.get("D2LHYBRID_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def notebook_of(cells: Sequence[str]) -> dict[str, Any]:
    """Return a notebook with code cells."""
    import nbformat.v4

    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made


@contextlib.contextmanager
def server(root: Path, program: str = "jupyterlab") -> Iterator[str]:
    """Run a JupyterLab, or another of the programs, on a folder; give its address."""
    private = root / ".jupyter"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
               "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
               "IPYTHONDIR": "ipython", "MPLCONFIGDIR": "matplotlib"}  # fmt: skip
    environment = os.environ | {name: str(private / folder) for name, folder in folders.items()}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment.pop("PYTEST_CURRENT_TEST", None)
    if program == "jupyterlab":  # the settings that `d2lhybrid lab` brings
        environment["JUPYTER_CONFIG_PATH"] = str(ROOT / "d2lhybrid" / "data" / "lab")
    settings = private / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    if program == "voila":
        where, answers = [str(root)], "voila/static/voila.js"
    else:
        where = ["--allow-root", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={root}"]
        answers = f"api?token={TOKEN}"
    port_alone = [f"--port={port}", "--port_retries=0" if program == "voila" else "--port-retries=0"]
    command = [sys.executable, "-m", program, "--no-browser", *port_alone, *where, *PROGRAMS[program]]
    log = private / "log"
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env=environment, start_new_session=True)
    try:
        _wait_for(f"http://127.0.0.1:{port}/{answers}", process, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(address: str, process: Any, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended:\n{log.read_text()[-3000:]}")
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"The server does not answer:\n{log.read_text()[-3000:]}")


#: What JupyterLab complains of to itself when a kernel is restarted or ends while it waits for an answer. Its debugger,
#: and the connections of all widgets, ask on a channel of their own, whenever they like.
OF_JUPYTERLAB = (
    "Could not restore the debugger",
    "page error: Error: Canceled future for create_subshell_request",
    "page error: Error: Canceled future for delete_subshell_request",
)


class Watched:
    """A page of the browser, and what went wrong in it.

    Attributes
    ----------
    page : playwright.sync_api.Page
        The page.
    errors : list of str
        What the console and the page complained about since :meth:`forget`.
    foreign : list of str
        Addresses of other machines that the page asked since :meth:`forget`.
    """

    def __init__(self, browser: Any, address: str, root: Path, pictures: Path) -> None:
        self.root, self.address, self.pictures = root, address, pictures
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page = browser.new_page(viewport={"width": 1280, "height": 1500})
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda m: self._note_error(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self._note_error(f"page error: {error}"))
        self.page.on("request", self._note_request)

    def _note_error(self, text: str) -> None:
        if not text.startswith(OF_JUPYTERLAB):
            self.errors.append(text)

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((self.address, self.address.replace("http", "ws"), "data:", "blob:", "about:")):
            self.foreign.append(request.url)

    def forget(self) -> None:
        """Forget what went wrong so far."""
        self.errors.clear()
        self.foreign.clear()


class Lab(Watched):
    """JupyterLab in a page of the browser."""

    def __init__(self, browser: Any, address: str, root: Path, pictures: Path) -> None:
        super().__init__(browser, address, root, pictures)
        self._opened = 0
        self._start()

    def _start(self) -> None:
        self.page.goto(f"{self.address}/doc?token={TOKEN}", wait_until="commit")
        self._restored()

    def _restored(self) -> None:
        self.page.wait_for_function("() => window.jupyterapp && window.jupyterapp.restored")
        self.page.evaluate("async () => { await window.jupyterapp.restored; }")

    def _show(self, path: Path) -> None:
        self.forget()
        self.command("docmanager:open", path=path.name, factory="Notebook")

    def command(self, name: str, **arguments: Any) -> None:
        """Run a command of JupyterLab and wait for its end."""
        self.page.evaluate(
            "async ([name, args]) => { await window.jupyterapp.commands.execute(name, args); }", [name, arguments]
        )

    def open(self, notebook: Any, run: bool = True) -> Notebook:
        """Open a notebook: a list of the texts of its cells, or a whole one; run all its cells."""
        if isinstance(notebook, Sequence):
            notebook = notebook_of(notebook)
        self._opened += 1
        path = self.root / f"notebook{self._opened}.ipynb"
        path.write_text(json.dumps(notebook))
        self._show(path)
        self.page.evaluate(
            f"async () => {{ const n = {_CURRENT}; await n.context.ready; await n.sessionContext.ready; }}"
        )
        opened = Notebook(self, path)
        if run:
            opened.run()
        return opened

    def theme(self, dark: bool) -> None:
        """Change to the dark theme or the light one."""
        name = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.command("apputils:change-theme", theme=name)
        light = "false" if dark else "true"
        self.page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'")
        self.page.wait_for_timeout(150)  # style sheets of the theme take effect


class NotebookApp(Lab):
    """Jupyter Notebook in a page of the browser: every notebook has a page of its own."""

    def _start(self) -> None:
        """Nothing is open yet."""

    def _show(self, path: Path) -> None:
        self.forget()
        self.page.goto(f"{self.address}/notebooks/{path.name}?token={TOKEN}", wait_until="commit")
        self._restored()
        self.page.wait_for_function(f"() => {_CURRENT}?.context")


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, lab: Lab, path: Path) -> None:
        self.lab, self.page, self.path = lab, lab.page, path
        self.closed = False
        #: Everything that this notebook shows, for ``locator`` and the like.
        self.view = self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")

    def run(self) -> None:
        """Run all cells and wait until the kernel rests."""
        self.page.evaluate(f"async () => {{ await {_CURRENT}.sessionContext.session.kernel.info; }}")
        self.lab.command("notebook:run-all-cells")
        self.page.wait_for_function(f"() => {_CURRENT}.sessionContext.session?.kernel?.status === 'idle'")

    def cells(self) -> list[dict[str, Any]]:
        """Return the cells with their outputs, as they would be saved."""
        return self.page.evaluate(f"() => {_CURRENT}.content.model.sharedModel.cells.map((c) => c.toJSON())")

    def problems(self) -> list[str]:
        """Return the errors of cells and everything printed to ``stderr``."""
        outputs = [o for cell in self.cells() for o in cell.get("outputs", [])]
        found = [f"{o['ename']}: {o['evalue']}" for o in outputs if o["output_type"] == "error"]
        return found + ["".join(o["text"]) for o in outputs if o.get("name") == "stderr"]

    def ask(self, code: str) -> str:
        """Run code in the kernel, beside the cells; return what it prints."""
        return self.page.evaluate(
            f"""async (code) => {{
                let printed = "";
                const future = {_CURRENT}.sessionContext.session.kernel.requestExecute({{ code }});
                future.onIOPub = (m) => {{
                    if (m.header.msg_type === "stream") printed += m.content.text;
                    if (m.header.msg_type === "error") printed += m.content.traceback.join("\\n");
                }};
                await future.done;
                return printed;
            }}""",
            code,
        )

    def start(self, code: str) -> None:
        """Run code in the kernel, beside the cells, and do not wait for its end."""
        self.page.evaluate(
            f"(code) => {{ {_CURRENT}.sessionContext.session.kernel.requestExecute({{ code }}); }}", code
        )

    def restart(self) -> None:
        """Restart the kernel, when it has answered all: JupyterLab complains of answers that will never come."""
        self.ask("")
        self.page.evaluate(f"async () => {{ await {_CURRENT}.sessionContext.session.kernel.restart(); }}")

    def shut_down(self) -> None:
        """End the kernel; the notebook stays open."""
        self.page.evaluate(f"async () => {{ await {_CURRENT}.sessionContext.shutdown(); }}")

    def load_again(self) -> None:
        """Load the page of the browser again; the kernel goes on."""
        # Not `reload`: with the notebook in the address JupyterLab opens it, too, some time after it is restored; on a
        # slow machine so late that this one is closed and the next test's notebook is in front.
        self.lab._start()
        self.lab.command("docmanager:open", path=self.path.name, factory="Notebook")
        self.page.evaluate(
            f"async () => {{ const n = {_CURRENT}; await n.context.ready; await n.sessionContext.ready; }}"
        )
        self.lab.forget()

    def save(self) -> dict[str, Any]:
        """Save the notebook; return the file."""
        self.lab.command("docmanager:save")
        return json.loads(self.path.read_text())

    def picture(self, name: str, locator: Any = None) -> None:
        """Take a picture in the light theme and in the dark one: ``NAME-light.png``, ``NAME-dark.png``."""
        if not wanted():  # JupyterLab fails where themes follow each other at once
            return
        for dark in (False, True):
            self.lab.theme(dark)
            file = self.lab.pictures / f"{name}-{'dark' if dark else 'light'}.png"
            shot(locator if locator is not None else self.view, file)
        self.lab.theme(dark=False)

    def check(self) -> None:
        """Assert that no cell failed, the console is silent, and nothing was asked of another machine."""
        assert not self.problems(), self.problems()
        assert not self.lab.errors, self.lab.errors
        assert not self.lab.foreign, self.lab.foreign

    def close(self) -> None:
        """Close it without saving, and end its kernel."""
        if self.closed:
            return
        self.closed = True
        self.lab.command("docmanager:open", path=self.path.name)
        self.page.evaluate(
            f"""async () => {{
                const panel = {_CURRENT};
                panel.context.model.dirty = false;
                await panel.sessionContext.shutdown();
                panel.dispose();
            }}"""
        )


class Offline:
    """A file that is opened from the disk by a browser that reaches no other machine.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
        The browser.
    file : Path
        The page.
    may_ask : bool
        Whether it is no fault if the page asks other machines, in vain.
    **options
        Of the browser's page: ``color_scheme``, ``viewport``.
    """

    def __init__(self, browser: Any, file: Path, may_ask: bool = False, **options: Any) -> None:
        self.page = browser.new_page(**{"viewport": {"width": 1280, "height": 1500}, **options})
        self.page.set_default_timeout(PATIENCE)
        self.may_ask, self.errors, self.asked = may_ask, [], []
        self.page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.route("http*://**", self._refuse)
        self.page.goto(file.as_uri(), wait_until="domcontentloaded")

    def _refuse(self, route: Any) -> None:
        self.asked.append(route.request.url)
        route.abort()

    def close(self) -> None:
        """Close the page, and assert that nothing went wrong."""
        self.page.close()
        if not self.may_ask:
            assert not self.asked and not self.errors


def untrusted(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a saved notebook as somebody else would get it: with its outputs, without a signature."""
    copy = json.loads(json.dumps(notebook))
    for cell in copy["cells"]:
        cell["metadata"].pop("trusted", None)
        cell["source"] = [*cell["source"], "\n# of another machine"]
    return copy


def run_without_browser(cells: Sequence[str], keep_widgets: bool = False) -> Any:
    """Run cells with nbclient; return the notebook with its outputs, and perhaps with the state of its widgets."""
    from nbclient import NotebookClient

    notebook = notebook_of(cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3", store_widget_state=keep_widgets).execute()
    return notebook


def as_static_page(notebook: Any) -> str:
    """Return what nbconvert makes of a notebook, without what it loads from elsewhere."""
    from nbconvert import HTMLExporter

    page, _ = HTMLExporter(embed_images=True).from_notebook_node(notebook)
    return re.sub(r"<script[^>]*>.*?</script>|<link[^>]*>", "", page, flags=re.DOTALL)


def size_of(notebook: Any) -> int:
    """Return how many bytes a notebook has as a file."""
    import nbformat

    return len(nbformat.writes(nbformat.from_dict(notebook)).encode())
