"""What pytest needs in the process that runs one of MXNet's files.

Started as ``pytest -p tests.peer.plugin FILE`` in the folder of the tests. The environment says which package
answers to ``import mxnet`` (``PEER_REAL`` for MXNet itself), where results go (``PEER_RESULTS``), which tests have
run (``PEER_DONE``), and how long one may take (``PEER_SECONDS``). Real MXNet runs this file, too: it imports nothing
of this package but ``as_mxnet`` and the habits.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import signal
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from ..give_back import give_back
from ..nose_stand_in import nose
from .missing import Missing
from .scope import left_out


def _old_results() -> None:
    """Let NumPy answer the tests as it did in their days, where a newer one gives other shapes, types or errors."""
    unique, quantile, arange, clip = numpy.unique, numpy.quantile, numpy.arange, numpy.clip
    solve = numpy.linalg.solve

    def flat_unique(ar: Any, return_index: bool = False, return_inverse: bool = False, *rest: Any, **named: Any) -> Any:
        found = unique(ar, return_index, return_inverse, *rest, **named)
        if not return_inverse:
            return found
        place = 1 + bool(return_index)
        return (*found[:place], found[place].reshape(-1), *found[place + 1 :])

    def exact_quantile(a: Any, q: Any, *rest: Any, **named: Any) -> Any:
        if type(a) is numpy.ndarray:
            q = numpy.asarray(q, numpy.float64)  # a float16 rounded no positions
        return quantile(a, q, *rest, **named)

    def wrapping_arange(*limits: Any, dtype: Any = None, **named: Any) -> Any:
        if dtype is None or numpy.dtype(dtype).kind != "u" or min(limits) >= 0:
            return arange(*limits, dtype=dtype, **named)
        return arange(*limits, **named).astype(numpy.int64).astype(dtype)

    def widening_clip(a: Any, *limits: Any, **named: Any) -> Any:
        try:
            return clip(a, *limits, **named)
        except OverflowError:  # a limit is no number of the array's type
            return clip(numpy.asarray(a, numpy.int64), *limits, **named)

    def solving_vectors(a: Any, b: Any) -> Any:
        if 1 < b.ndim == a.ndim - 1:  # vectors, one for each matrix
            return solve(a, b[..., None])[..., 0]
        return solve(a, b)

    def giving(kind: type, function: Any) -> Any:
        def run(*arguments: Any, **named: Any) -> Any:
            found = function(*arguments, **named)
            return kind(found) if isinstance(found, tuple) else found

        return run

    numpy.unique, numpy.quantile, numpy.arange = flat_unique, exact_quantile, wrapping_arange
    numpy.clip, numpy.linalg.solve = widening_clip, solving_vectors
    for name in ("atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "meshgrid"):
        setattr(numpy, name, giving(list, getattr(numpy, name)))
    for name in ("eig", "eigh", "qr", "slogdet", "svd"):  # tuples with names
        setattr(numpy.linalg, name, giving(tuple, getattr(numpy.linalg, name)))


def _ours() -> None:
    """Let ``import mxnet`` mean this package, with MXNet's own helpers of tests on top of it.

    A helper that cannot be made there is this package's own.
    """
    import d2lhybrid

    mxnet = d2lhybrid.as_mxnet()
    own = importlib.import_module("d2lhybrid.test_utils")
    theirs = types.ModuleType("mxnet.test_utils")
    theirs.__package__ = "mxnet"
    sys.modules["mxnet.test_utils"] = theirs
    file = Path("mxnet_test_utils.py").resolve()
    exec(compile(file.read_text("utf-8"), str(file), "exec"), vars(theirs))
    numbers_of_c = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}
    vars(theirs)["_STORAGE_TYPE_STR_TO_ID"] = numbers_of_c
    for name, value in list(vars(theirs).items()):
        if isinstance(value, Missing) and hasattr(own, name):
            setattr(theirs, name, getattr(own, name))
    protocols = importlib.import_module("mxnet.numpy_dispatch_protocol")
    exec(Path("mxnet_protocols.py").read_text("utf-8"), vars(protocols))
    mxnet.test_utils = theirs  # type: ignore[attr-defined]
    d2lhybrid.test_utils = theirs  # type: ignore[attr-defined]


_STARTED_BY_US = "PEER_RESULTS" in os.environ

if _STARTED_BY_US:
    warnings.simplefilter("ignore")
    give_back()
    _old_results()
    nose()
    if "PEER_REAL" not in os.environ:
        _ours()


def _write(**entry: Any) -> None:
    with Path(os.environ["PEER_RESULTS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def pytest_sessionstart(session: Any) -> None:
    """Note that pytest has begun: what comes of no test is told from what could not be asked."""
    _write(began=session.name)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what is out of scope, and what ran before the process of an earlier start ended."""
    done = set(filter(None, os.environ.get("PEER_DONE", "").split("|")))
    items[:] = [item for item in items if item.name not in done and left_out(item.path.name, item.name) is None]


def pytest_runtest_logstart(nodeid: str, location: Any) -> None:
    """Note which test is running, in case that it takes the process down."""
    _write(started=nodeid.split("::", 1)[-1])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """End a test that takes too long, and the process if it does not listen."""
    seconds = int(os.environ["PEER_SECONDS"])

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
        _write(test=report.nodeid.split("::", 1)[-1], outcome=report.outcome, seconds=report.duration, message=message)


def pytest_collectreport(report: Any) -> None:
    """Note a file that could not be read."""
    if report.failed:
        _write(test="(the file)", outcome="failed", seconds=0, message=str(report.longrepr)[-400:])
