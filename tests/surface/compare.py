"""This package beside the public names of MXNet 1.9.1, as they were recorded."""

from __future__ import annotations

import functools
import gzip
import importlib
import inspect
import json
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Comparison", "compare", "find", "recorded"]

NAMES = Path(__file__).parent.parent / "golden_data" / "surface" / "names.json.gz"

#: Parameters that all operators take, in one order or another.
OF_OPERATORS = {"args", "attr", "kwargs", "name", "out"}


@functools.cache
def recorded() -> dict[str, dict[str, list[Any]]]:
    """Return ``{module: {name: [kind, parameters or None, members]}}``; modules are named below the package."""
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
    """What a comparison found: (module, name) or (module, class, member), all below the package."""

    names: int
    members: int
    signatures: int
    missing_names: list[tuple[str, str]]
    missing_members: list[tuple[str, str, str]]
    other_signatures: list[tuple[str, str]]


def _parameters(value: Any) -> list[str] | None:
    try:
        return list(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return None


def compare() -> Comparison:
    """Hold every recorded name, member and signature against this package."""
    counts = {"names": 0, "members": 0, "signatures": 0}
    names, members, signatures = [], [], []
    for module, entries in recorded().items():
        here = find(module)
        for name, (kind, parameters, of_class) in entries.items():
            counts["names"] += 1
            if here is None or not hasattr(here, name):
                names.append((module, name))
                continue
            value = getattr(here, name)
            if kind == "class":
                counts["members"] += len(of_class)
                members += [(module, name, member) for member in of_class if not hasattr(value, member)]
            if kind == "function" and parameters is not None and _parameters(value) is not None:
                counts["signatures"] += 1
                ours = [p for p in _parameters(value) or () if p not in OF_OPERATORS]
                if ours != [p for p in parameters if p not in OF_OPERATORS]:
                    signatures.append((module, name))
    return Comparison(**counts, missing_names=names, missing_members=members, other_signatures=signatures)
