"""Fixtures of the tests that drive a browser: ``browser``, ``lab``, and ``open_notebook`` for one test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .jupyter import FLAGS, Lab, Notebook, find_chromium, server

_FOLDER = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Keep all these tests in one process: they share a server and a page."""
    for item in items:
        if _FOLDER in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))
            if "browser" in item.fixturenames:
                item.add_marker(pytest.mark.browser)


# The scope is this folder: Playwright keeps an event loop running, which other tests need not meet.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Return a browser."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("there is no browser: install Debian's chromium, or name one in D2LHYBRID_CHROMIUM")
    for package in ("jupyterlab", "anywidget"):
        pytest.importorskip(package, reason="the notebooks with widgets are opened in JupyterLab")
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser is driven with playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for screenshots."""
    folder = Path(os.environ.get("D2LHYBRID_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="package")
def lab(browser: Any, pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Return JupyterLab in a browser."""
    root = tmp_path_factory.mktemp("lab")
    with server(root) as address:
        yield Lab(browser, address, root, pictures)


@pytest.fixture
def open_notebook(lab: Lab) -> Iterator[Callable[..., Notebook]]:
    """Return what opens a notebook; it is closed at the end of the test."""
    opened: list[Notebook] = []

    def open_(notebook: Any, run: bool = True) -> Notebook:
        opened.append(lab.open(notebook, run))
        return opened[-1]

    yield open_
    for notebook in reversed(opened):
        notebook.close()
