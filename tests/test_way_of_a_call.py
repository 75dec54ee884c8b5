"""How far an array travels through the package: how many files a reader opens who follows one call."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import d2lhybrid
from d2lhybrid import nd
from d2lhybrid.gluon import nn

ROOT = Path(d2lhybrid.__file__).parent
PROGRAM = "(a generated program)"


def files_of(call: Callable[[], Any]) -> tuple[set[str], int]:
    """Return the files of the package that a call enters, and how often it goes from one to another."""
    files: set[str] = set()
    hops, last = 0, ""

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal hops, last
        name = frame.f_code.co_filename
        here = PROGRAM if name.startswith("<d2l") else name if name.startswith(str(ROOT)) else ""
        if not here:
            return None
        files.add(here)
        if event == "line":
            hops += bool(last) and here != last
            last = here
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return files, hops


def perceptron(*units: int) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(units[0], activation="relu"), nn.Dense(units[1]))
    net.initialize()
    return net


def follow() -> dict[str, tuple[list[str], int]]:
    """Return the files and the hops of a net's calls: eager, the first one hybridized, and the second."""
    warm, net, x = perceptron(4, 2), perceptron(16, 3), nd.ones((2, 8))
    warm.hybridize()
    warm(nd.ones((3, 5)))  # what is imported late
    net(x)
    eager = files_of(lambda: net(x))
    net.hybridize()
    calls = {"eager": eager, "first": files_of(lambda: net(x)), "second": files_of(lambda: net(x))}
    return {name: (sorted(files), hops) for name, (files, hops) in calls.items()}


@pytest.mark.parametrize(("call", "most", "hops"), [("eager", 12, 100), ("first", 30, 500), ("second", 3, 6)])
def test_a_call_goes_through_few_files(call: str, most: int, hops: int) -> None:
    # In a process of its own: here, every program is verified.
    found = json.loads(subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True).stdout)
    files, count = found[call]
    assert len(files) <= most and count <= hops, files


if __name__ == "__main__":
    print(json.dumps(follow()))
