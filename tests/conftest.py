"""What all tests share: which doctests run where, and in which order all of them run."""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from inspect import unwrap
from pathlib import Path
from types import FunctionType
from typing import Any

import hypothesis
import numpy
import pytest

import d2lhybrid  # also registers all operators before single files of the package are collected
from d2lhybrid.internals.support import plugins
from d2lhybrid.internals.support.mxnet_compatibility import OldPrograms

# A busy machine is slow, and that is no fault of the code: times are measured in benchmarks/.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

#: A program for real MXNet: to search it for examples would import that.
collect_ignore = ["judge/prelude.py"]

MAIN = sys.modules["__main__"]


def _is_generated(item: Any) -> bool:
    """Return whether a doctest belongs to a function that was made at run time: from the registry, or for ``np``.

    Their examples run once, in ``tests/test_operator_examples.py`` and ``tests/test_site_reference.py``, not once for
    every namespace in which the function happened to be made before the tests were collected.
    """
    test = getattr(item, "dtest", None)
    if test is None:
        return False
    module, _, name = test.name.rpartition(".")
    found = vars(sys.modules[module]).get(name) if module in sys.modules else None
    if not isinstance(found, FunctionType):
        return False
    return hasattr(found, "operator") or unwrap(found).__code__.co_filename != sys.modules[module].__file__


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--shuffle=SEED``."""
    text = "run files, and the tests in each of them, in random order; 0 chooses a seed, and prints it"
    parser.addoption("--shuffle", metavar="SEED", type=int, help=text)


def _write_stale_stubs() -> None:
    """Write the stubs anew if a module is newer: type checkers read them, and they are not in the repository."""
    package = Path(d2lhybrid.__file__).parent
    written = package / "typing.pyi"
    if written.exists() and all(path.stat().st_mtime <= written.stat().st_mtime for path in package.rglob("*.py")):
        return
    plugged = {key: value for key, value in os.environ.items() if key != "D2LHYBRID_UNPLUGGED"}
    command = [sys.executable, "-m", "d2lhybrid.internals.commands.stubs"]
    subprocess.run(command, cwd=package.parent, env={**plugged, "PYTHONPATH": str(package.parent)}, check=True)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed, unless pytest-xdist handed one to this process: all of its processes need the same order."""
    if not hasattr(config, "workerinput"):
        _write_stale_stubs()
    if config.option.shuffle == 0:
        config.option.shuffle = getattr(config, "workerinput", {}).get("shuffle") or random.randrange(1, 10**6)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed to a process of pytest-xdist."""
    node.workerinput["shuffle"] = node.config.option.shuffle


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the seed."""
    return None if config.option.shuffle is None else f"random order: --shuffle={config.option.shuffle}"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Name the seed again, where failures are read."""
    if config.option.shuffle is not None:
        terminalreporter.write_line(f"The order was random; --shuffle={config.option.shuffle} repeats it.")


def shuffled(items: list[Any], seed: int) -> list[Any]:
    """Return tests in random order, those of a file together, so that its fixtures are made once."""
    chance = random.Random(seed)
    files: dict[Any, list[Any]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    orders = list(files.values())
    for tests in orders:
        chance.shuffle(tests)
    chance.shuffle(orders)
    return [item for tests in orders for item in tests]


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Leave out the doctests of generated functions, and shuffle."""
    items[:] = [item for item in items if not _is_generated(item)]
    if config.option.shuffle is not None:
        items[:] = shuffled(items, config.option.shuffle)


def pytest_collection_finish() -> None:
    """Take the tests themselves, a million objects, out of the search for garbage: it takes a second less each time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: Any, nextitem: Any) -> Iterator[None]:
    """After each file, take what it leaves out of the search for garbage: reports alone are half a million objects."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Search everything once more: what complains when it is thrown away does so before pytest looks at complaints."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


#: Whether programs can be compiled as C; the package asks for the same names.
HAS_COMPILER = any(map(shutil.which, filter(None, [os.environ.get("CC"), "cc", "gcc", "clang"])))


def _needs_compiler(item: Any) -> bool:
    """Return whether the parameters of a test choose the backend that writes C."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    chosen = [value for name, value in parameters.items() if name in ("backend", "flags", "hybridize", "mode", "way")]
    return any((value.get("backend") if isinstance(value, dict) else value) == "c" for value in chosen)


def pytest_runtest_setup(item: Any) -> None:
    """Give every test the same random numbers and habits, whatever ran before it in its process."""
    d2lhybrid.random.seed(0)
    numpy.random.seed(0)
    OldPrograms.served = False
    sys.modules["__main__"] = MAIN  # an answer that was judged in this process has put its own there
    if not HAS_COMPILER and _needs_compiler(item):
        pytest.skip("there is no C compiler")


@pytest.fixture(autouse=True, scope="session")
def every_compiled_program_is_verified() -> Iterator[None]:
    """Run each program for the CPU line by line, whatever the test that had it compiled looks at."""
    if not plugins.ROOMS:  # `make unplugged`: what verifies programs is a part of the compiler
        yield
        return
    from verified import verified_programs

    with verified_programs():
        yield
