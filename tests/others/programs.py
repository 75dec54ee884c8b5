"""The programs of the gallery, as texts: ``programs/NN_name.txt`` holds one, written for each framework."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "FRAMEWORKS", "Entry", "entries"]

FOLDER = Path(__file__).parent / "programs"
FRAMEWORKS = ("python", "gluon", "torch", "jax", "tensorflow")


@dataclass
class Entry:
    """One program of the gallery."""

    name: str
    about: dict[str, Any]  # what the recording holds of it beside what ran
    sources: dict[str, str]


def entries() -> list[Entry]:
    """Return the programs in the order of the gallery."""
    return [_entry(path) for path in sorted(FOLDER.glob("*.txt"))]


def _entry(path: Path) -> Entry:
    head, *parts = re.split(r"^== (\w+)\n", path.read_text("utf-8"), flags=re.MULTILINE)
    words = dict(line.split(": ", 1) for line in head.strip().splitlines())
    calls = [words[key].split(" | ") for key in ("calls", "calls.zh")]
    about = {
        "title": [words["title"], words["title.zh"]],
        "asks": [words["asks"], words["asks.zh"]],
        "calls": [list(pair) for pair in zip(*calls, strict=True)],
        "random": "random" in words,
    }
    sources = {name: f"{text.strip()}\n" for name, text in zip(parts[::2], parts[1::2], strict=True)}
    return Entry(path.stem.partition("_")[2], about, sources)
