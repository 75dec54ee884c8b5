"""What pytest needs in the process that runs one file of foreign tests.

Pytest loads it as ``inside.plugin``, for foreign repositories have packages of the name ``tests``. The variable
``FOREIGN_TESTS`` is the path of a JSON file with the keys that this module reads.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import random
import re
import signal
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from .nose_stand_in import nose
from .side import begin
from .tests_of_mxnet import old_results, own_helpers

_ASKED: dict[str, Any] = {}


def _begin() -> None:
    """Bring old habits back, and let ``import mxnet`` mean what the request says."""
    _ASKED.update(json.loads(Path(os.environ["FOREIGN_TESTS"]).read_text("utf-8")))
    folder = str(Path(__file__).resolve().parents[1])
    sys.path[:] = [path for path in sys.path if path != folder]
    begin(_ASKED["package"])
    nose()
    if _ASKED["of_mxnet"]:
        old_results()
        if _ASKED["package"]:
            own_helpers()
    sys.path[:0] = _ASKED["paths"]


if "FOREIGN_TESTS" in os.environ:
    _begin()


def _write(**entry: Any) -> None:
    with Path(_ASKED["results"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def _name(nodeid: str) -> str:
    return nodeid.split("::", 1)[-1]


def pytest_configure(config: Any) -> None:
    """Make the marks of the libraries known."""
    for mark in ("seed", "serial", "remote_required", "gpu", "integration", "skip_master", "py3_only", "timeout"):
        config.addinivalue_line("markers", f"{mark}: a library's own")


def pytest_sessionstart(session: Any) -> None:
    """Note that pytest has begun: what comes of no test is told from what could not be asked."""
    _write(began=session.name)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what is out of scope, and what ran before the process of an earlier start ended."""
    done, marks, names = set(_ASKED["done"]), set(_ASKED["marks"]), "|".join(_ASKED["names"])
    items[:] = [
        item
        for item in items
        if _name(item.nodeid) not in done
        and not marks.intersection(mark.name for mark in item.iter_markers())
        and not (names and re.search(names, item.name))
    ]


def pytest_runtest_logstart(nodeid: str, location: Any) -> None:
    """Note which test is running, in case that it takes the process down."""
    _write(started=_name(nodeid))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: Any) -> None:
    """Let a test draw the same numbers each time, whatever ran before it."""
    if not _ASKED["seeded"]:
        return
    seed = zlib.crc32(_name(item.nodeid).encode()) & 0x7FFFFFFF
    random.seed(seed)
    numpy.random.seed(seed)
    if "mxnet" in sys.modules:
        sys.modules["mxnet"].random.seed(seed)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """End a test that takes too long, and the process if it does not listen."""
    seconds = _ASKED["seconds"]

    def over(*_: Any) -> None:
        raise TimeoutError(f"not done after {seconds} seconds")

    signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(seconds + 20, exit=True)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def pytest_runtest_logreport(report: Any) -> None:
    """Note how a test ended."""
    if report.when == "call" or report.outcome != "passed":
        message = ""
        if report.outcome == "failed":
            with contextlib.suppress(AttributeError):
                message = report.longrepr.reprcrash.message
            message = (message or str(report.longrepr))[:400]
        _write(test=_name(report.nodeid), outcome=report.outcome, seconds=report.duration, message=message)


def pytest_collectreport(report: Any) -> None:
    """Note a file that could not be read."""
    if report.failed:
        _write(test="(the file)", outcome="failed", seconds=0, message=str(report.longrepr)[-400:])
