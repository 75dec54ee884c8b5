"""Names of people and files, as they can be shown, kept apart, and used for new files."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .handed_in import is_folder_of_one

__all__ = ["file_names", "names_of", "visible"]

#: Bytes of the name of a file, without its ending: encrypted folders take about 140.
_LONGEST = 100


def visible(text: str) -> str:
    r"""Return a text that can be shown and written anywhere: bytes that are no UTF-8 as Latin-1, no control characters.

    Examples
    --------
    >>> visible("Jos\udce9 \x1b[2J")
    'José ?[2J'
    """
    if not text.isascii():
        try:
            text = os.fsencode(text).decode("utf-8")
        except UnicodeDecodeError:
            text = os.fsencode(text).decode("latin-1")
        except UnicodeEncodeError:
            text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join("?" if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") else c for c in text)


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return whose each file is: its name without its ending; for equal names, with the folders that differ.

    Where Moodle or Gradescope has made a folder for each student, the name begins with the folder.

    Examples
    --------
    >>> names_of([Path("in/ada.ipynb"), Path("in/bob.ipynb")])
    ['ada', 'bob']
    >>> names_of([Path("in/ada/03.ipynb"), Path("in/bob/03.ipynb")])
    ['ada/03', 'bob/03']
    """
    stems = Counter(visible(path.stem) for path in paths)
    common = Path(os.path.commonpath([path.absolute().parent for path in paths])) if paths else Path()
    found: list[str] = []
    for path in paths:
        name = visible(path.stem)
        folder = visible(path.absolute().parent.name)
        if is_folder_of_one(folder):
            name = f"{folder}/{name}"
        elif stems[name] > 1:
            name = visible(str(path.absolute().relative_to(common).with_suffix("")))
        found.append(_another(name, set(found)))
    return found


def _another(name: str, used: set[str]) -> str:
    count, wanted = 1, name
    while name in used:
        count += 1
        name = f"{wanted} ({count})"
    return name


def file_names(names: Sequence[str]) -> list[str]:
    """Return names of files, without endings: short, of plain characters, and different on every file system.

    Examples
    --------
    >>> file_names(["Ada B.", "ada/b.", "../x"])
    ['Ada_B.', 'ada_b.-2', '_x']
    """
    found: list[str] = []
    used: set[str] = set()
    for name in names:
        stem = _shortened(re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFC", name)).lstrip(".") or "submission")
        candidate, count = stem, 1
        while unicodedata.normalize("NFKC", candidate).casefold() in used:
            count += 1
            candidate = f"{stem}-{count}"
        used.add(unicodedata.normalize("NFKC", candidate).casefold())
        found.append(candidate)
    return found


def _shortened(stem: str) -> str:
    data = stem.encode("utf-8", "replace")
    if len(data) <= _LONGEST:
        return data.decode()
    return f"{data[:_LONGEST].decode(errors='ignore')}-{hashlib.sha256(data).hexdigest()[:8]}"
