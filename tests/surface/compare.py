"""This package beside the public names of MXNet 1.9.1, as they were recorded."""

from __future__ import annotations

import functools
import gzip
import importlib
import inspect
import json
from pathlib import Path
from typing import Any, NamedTuple

from .differences import WIDER
from .signatures import differs, here, there

__all__ = ["Comparison", "compare", "find", "recorded"]

NAMES = Path(__file__).parent.parent / "golden_data" / "surface" / "names.json.gz"


@functools.cache
def recorded() -> dict[str, dict[str, list[Any]]]:
    """Return what ``record.py`` has written; modules are named below the package."""
    text = gzip.decompress(NAMES.read_bytes())
    return {module.removeprefix("mxnet").removeprefix("."): names for module, names in json.loads(text).items()}


@functools.cache
def find(module: str) -> Any:
    """Return a module of this package, None if there is none."""
    name = ".".join(filter(None, ("d2lhybrid", module)))
    try:
        return importlib.import_module(name)
    except ImportError:
        pass
    value = importlib.import_module("d2lhybrid")
    for part in module.split("."):
        value = getattr(value, part, None)
    return value


class Comparison(NamedTuple):
    """What a comparison found: (module, name) or (module, class, member), all below the package.

    Signatures are those of functions, of classes and of their methods: (module, name or class.member, what differs).
    """

    names: int
    members: int
    signatures: int
    missing_names: list[tuple[str, str]]
    missing_members: list[tuple[str, str, str]]
    other_signatures: list[tuple[str, str, str]]

    @property
    def wider(self) -> int:
        """How many of the other signatures take every call that works in MXNet."""
        return sum(name in WIDER for _, name, _ in self.other_signatures)


def compare() -> Comparison:
    """Hold every recorded name, member and signature against this package."""
    counts = {"names": 0, "members": 0, "signatures": 0}
    names, members, signatures = [], [], []

    def hold(module: str, name: str, parameters: Any, value: Any) -> None:
        if parameters is None or not callable(value) or (ours := here(value)) is None:
            return
        counts["signatures"] += 1
        what = differs(there(parameters), ours, inspect.getdoc(value) or "")
        if what:
            signatures.append((module, name, what))

    for module, entries in recorded().items():
        in_module = find(module)
        for name, (_, parameters, of_class) in entries.items():
            counts["names"] += 1
            if in_module is None or not hasattr(in_module, name):
                names.append((module, name))
                continue
            value = getattr(in_module, name)
            hold(module, name, parameters, value)
            counts["members"] += len(of_class)
            for member, of_member in of_class.items():
                if not hasattr(value, member):
                    members.append((module, name, member))
                else:
                    hold(module, f"{name}.{member}", of_member, getattr(value, member))
    return Comparison(**counts, missing_names=names, missing_members=members, other_signatures=signatures)
