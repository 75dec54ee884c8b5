"""Conversions of the names of people and files for display, for comparison, and for new files."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .handed_in import is_folder_of_one

__all__ = ["file_names", "names_of", "perhaps_of_one", "stem_of", "visible", "without_copy_marks"]

#: Marks that browsers, file managers, Canvas, and cloud drives add to the names of copies.
_AGAIN = re.compile(
    r"^(?:copy of|kopie von|copie de) +| *\(\d+\)$|-\d+$|[ _-]+(?:copy|kopie|copie)(?: ?\d+)?$", re.IGNORECASE
)

#: The maximum length of a file name in bytes, without its suffix; encrypted folders allow about 140.
_LONGEST = 100


def visible(text: str) -> str:
    r"""Return a printable text: escaped bytes are decoded as UTF-8 or Latin-1, and control characters become "?".

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


def stem_of(path: Path) -> str:
    """Return a file's name without its suffix, and without a second suffix that a browser has appended.

    Examples
    --------
    >>> stem_of(Path("in/ada.ipynb")), stem_of(Path("in/ada.ipynb.txt"))
    ('ada', 'ada')
    """
    return visible(path.stem.removesuffix(".ipynb"))


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return a name for each file: the file name without its suffix, preceded by folders if other files have this name.

    If there is a folder for each student, as in downloads of Moodle and Gradescope, or if most folders contain a single
    file, the name begins with the folder.

    Examples
    --------
    >>> names_of([Path("in/ada.ipynb"), Path("in/bob.ipynb")])
    ['ada', 'bob']
    >>> names_of([Path("in/ada/03.ipynb"), Path("in/bob/03.ipynb")])
    ['ada/03', 'bob/03']
    >>> names_of([Path("in/ada/mine.ipynb"), Path("in/bob/homework.ipynb")])
    ['ada/mine', 'bob/homework']
    """
    stems = Counter(stem_of(path) for path in paths)
    common = Path(os.path.commonpath([path.absolute().parent for path in paths])) if paths else Path()
    inside = [path.absolute().relative_to(common) for path in paths]
    folders = Counter(path.parts[0] for path in inside if len(path.parts) > 1)
    by_folder = 2 * sum(count == 1 for count in folders.values()) > len(folders) > 1
    found: list[str] = []
    for path, below in zip(paths, inside, strict=True):
        name = stem_of(path)
        folder = visible(path.absolute().parent.name)
        if is_folder_of_one(folder):
            name = f"{folder}/{name}"
        elif stems[name] > 1 or (by_folder and len(below.parts) > 1):
            name = visible(str(below.with_name(name)))
        found.append(_another(name, set(found)))
    return found


def without_copy_marks(name: str) -> str:
    """Return a name without the marks that programs add to the names of copies.

    Examples
    --------
    >>> without_copy_marks("Copy of 03"), without_copy_marks("03 (1)")
    ('03', '03')
    """
    return _AGAIN.sub("", name)


def perhaps_of_one(names: Sequence[str]) -> list[list[str]]:
    """Return groups of names that may belong to one person: a name, and the same name with copy marks.

    Such a mark is ``(1)``, ``-2``, or ``Copy of``. Names with marks are grouped only if the name without a mark is
    among ``names``.

    Examples
    --------
    >>> perhaps_of_one(["smith", "smith (1)", "Copy of jones", "jones-2", "jones", "team-1", "team-2"])
    [['smith', 'smith (1)'], ['Copy of jones', 'jones-2', 'jones']]
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        folder, _, last = name.rpartition("/")
        groups.setdefault(f"{folder}/{without_copy_marks(last)}".casefold(), []).append(name)
    originals = {f"{name.rpartition('/')[0]}/{name.rpartition('/')[2]}".casefold() for name in names}
    return [group for plain, group in groups.items() if len(group) > 1 and plain in originals]


def _another(name: str, used: set[str]) -> str:
    count, wanted = 1, name
    while name in used:
        count += 1
        name = f"{wanted} ({count})"
    return name


def file_names(names: Sequence[str]) -> list[str]:
    """Return short file names without suffixes, of letters, digits, and ``_.-``, which differ on every file system.

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
