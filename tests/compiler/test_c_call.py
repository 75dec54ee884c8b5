"""Calls of C functions with arrays: of any order in memory, of any class, read-only, and where `id` is no address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import c_call, c_program, c_region
from d2lhybrid.internals.compiler.backends.c_compiler import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def body() -> Any:
    """Return a compiled region: 2 x + y, and its relu, for 3 x 4."""
    net = nn.HybridLambda(lambda F, x, y: (x * 2 + y, F.relu(x * 2 + y)))
    net.hybridize(backend="c")
    net(nd.ones((3, 4)), nd.ones((3, 4)))
    (made,) = [n.params["body"] for n in net.programs[-1].graph.nodes if n.op is not None and n.op.name == "_fused"]
    return made


@pytest.fixture(autouse=True, params=[True, False], ids=["by id", "by address"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_program, "MIN_SIZE", 0)
    if not request.param:
        monkeypatch.setattr(c_region, "takes_arrays", lambda: False)


def mapped(x: numpy.ndarray, folder: Path) -> numpy.ndarray:
    numpy.save(folder / "x.npy", x)
    return numpy.load(folder / "x.npy", mmap_mode="r")


def read_only(x: numpy.ndarray, folder: Path) -> numpy.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


KINDS: dict[str, Callable[[numpy.ndarray, Path], numpy.ndarray]] = {
    "plain": lambda x, _: x,
    "turned": lambda x, _: x.T.copy().T,
    "every second": lambda x, _: numpy.repeat(x, 2, axis=1)[:, ::2],
    "backwards": lambda x, _: x[::-1].copy()[::-1],
    "a matrix": lambda x, _: x.view(numpy.matrix),
    "a part": lambda x, _: numpy.pad(x, ((1, 1), (0, 0)))[1:-1],
    "of a file": mapped,
    "read-only": read_only,
}


@pytest.mark.parametrize("given", [False, True], ids=["new", "given"])
@pytest.mark.parametrize("kind", KINDS)
def test_any_array_is_read_where_its_elements_lie(kind: str, given: bool, tmp_path: Path) -> None:
    x, y = numpy.linspace(-4, 3, 12, dtype="f").reshape(3, 4), numpy.linspace(2, -5, 12, dtype="f").reshape(3, 4)
    function = body()
    places = [numpy.full((3, 4), numpy.nan, "f") for _ in function.types] if given else []
    results = function.run(KINDS[kind](x, tmp_path), y, **{f"out{i}_given": place for i, place in enumerate(places)})
    wanted = {0: 2 * x + y, 1: numpy.maximum(2 * x + y, 0)}
    for (_, _), result, value in zip(function.outputs, results, wanted.values(), strict=True):
        numpy.testing.assert_array_equal(result, value)
    assert not given or all(a is b for a, b in zip(results, places, strict=True))


def test_an_array_says_where_its_elements_are() -> None:
    assert c_call.takes_arrays()
