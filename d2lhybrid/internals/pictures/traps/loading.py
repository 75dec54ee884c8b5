"""The loader of traps from ``numbered``: each folder has the texts in both languages, and two programs."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable

from ...support.words import add_words
from .trap import Trap

__all__ = ["read_all"]

_TEXTS = ("title", "trap", "reason", "remedy")


def read_all() -> list[Trap]:
    """Return all traps in the order of their numbers, and add translations of their texts."""
    every = files(__name__.rpartition(".")[0]) / "numbered"
    folders = [folder for folder in every.iterdir() if (folder / "trap.toml").is_file()]
    return [_read(folder) for folder in sorted(folders, key=lambda folder: folder.name)]


def _read(folder: Traversable) -> Trap:
    number, _, name = folder.name.partition("-")
    data = tomllib.loads((folder / "trap.toml").read_text("utf-8"))
    english, chinese = ([data[language][text] for text in _TEXTS] for language in ("en", "zh"))
    add_words(dict(zip(english, chinese, strict=True)))
    lists = {key: tuple(data.get(key, ())) for key in ("rows", "patterns", "kinds")}
    return Trap(folder, number, name, *english, message=data.get("message", ""), **lists)
