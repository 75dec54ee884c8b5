"""Formats of submitted files: a notebook, a script of cells, or an archive of notebooks."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from pathlib import PurePosixPath

from .cells import Cell, TooLarge, cells_of
from .finding import find

__all__ = ["NoNotebook", "is_of_the_system", "is_script", "notebooks_in"]

#: Cell markers of scripts in the formats of Jupytext, VS Code, Spyder, PyCharm, and Jupyter's export.
_CELL = re.compile(r"^# ?%%[ \t]*(.*)$|^# In\[[\d ]*\]:\s*?$", re.MULTILINE)
_TEXT = re.compile(r"\[(?:markdown|md|raw)\]")
_PICKED_UP = ("<<<<<<< ", "=======", ">>>>>>> ")
#: The maximum number of notebooks in an archive, and the maximum factor by which their content expands.
_MOST, _TIMES = 1000, 10


class NoNotebook(ValueError):
    """An error about a file without a notebook; the message describes the content."""


def is_script(text: str) -> bool:
    r"""Return whether a Python file consists of cells marked by comments.

    Examples
    --------
    >>> is_script("# %%\nx = 1"), is_script("x = 1")
    (True, False)
    """
    return _CELL.search(text) is not None


def is_of_the_system(name: str) -> bool:
    """Return whether the name of a file shows that a system or a program, and not a person, created the file.

    Examples
    --------
    >>> is_of_the_system("__MACOSX/a/._01.ipynb"), is_of_the_system("a/01.ipynb")
    (True, False)
    """
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)


def notebooks_in(data: bytes, limit: int) -> list[tuple[str, list[Cell], int]]:
    """Return the name, the cells, and the number of damaged cells of each notebook in a submitted file.

    Parameters
    ----------
    data : bytes
        Content of a notebook, a Python file of cells, or a zip archive of notebooks.
    limit : int
        Maximum number of characters, not counting outputs.

    Raises
    ------
    NoNotebook
        If the file has a recognized type, but contains no notebook.
    ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError
        If the file has an unknown type.
    TooLarge
        If a notebook has more characters than `limit`.
    """
    if data.startswith(b"PK\x03\x04"):
        return _in_zip(data, limit)
    return [("", *_cells_in(data, limit))]


def _cells_in(data: bytes, limit: int) -> tuple[list[Cell], int]:
    if data.startswith(b"%PDF"):
        raise NoNotebook("this is a PDF, not a notebook")
    text = data[:limit].decode(json.detect_encoding(data), "replace").removeprefix("\ufeff").lstrip()
    if not text:
        raise NoNotebook("the file is empty")
    if text.startswith("<") and not text.startswith(_PICKED_UP):
        raise NoNotebook("this is a web page, not a notebook")
    if text[0] != "{" and is_script(text):
        return _cells_of_script(data, limit), 0
    try:
        return cells_of(data, limit)
    except json.JSONDecodeError as error:
        raise _said(error) from None


def _said(error: json.JSONDecodeError) -> NoNotebook:
    """Return the error message for a notebook that is invalid JSON."""
    line = error.doc.splitlines()[error.lineno - 1] if error.doc else ""
    if line.startswith(_PICKED_UP):
        return NoNotebook(f"the file contains a Git conflict marker in line {error.lineno}")
    if not error.doc[error.pos :].strip() or "Unterminated string" in error.msg:
        return NoNotebook(f"the notebook is truncated in line {error.lineno}")
    return NoNotebook("this is not a notebook")


def _cells_of_script(data: bytes, limit: int) -> list[Cell]:
    """Return the cells of a script; the text before the first marker is Jupytext's header, or a further cell."""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if len(text) > limit:
        raise TooLarge
    starts = list(_CELL.finditer(text))
    exported = starts[0][1] is None
    found = _code_and_remark(text[: starts[0].start()], exported)
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        body = text[start.end() + 1 : following.start() if following else None]
        if start[1] and _TEXT.search(start[1]):
            body = re.sub(r'^# ?|^"""$|^r?"""|"""$', "", body.strip(), flags=re.MULTILINE)
            found.append(Cell("markdown", body))
        else:
            found += _code_and_remark(body, exported)
    return [cell for cell in found if cell.text.strip()]


def _code_and_remark(body: str, exported: bool) -> list[Cell]:
    """Return a code cell; in an export, also return the comment after the code as a text cell."""
    if not exported:
        return [Cell("code", body)]
    lines = body.split("\n")
    count = len(lines)
    while count and (not lines[count - 1].strip() or lines[count - 1].startswith("#")):
        count -= 1
    remark = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[count:])
    return [Cell("code", "\n".join(lines[:count])), Cell("markdown", remark)]


def _in_zip(data: bytes, limit: int) -> list[tuple[str, list[Cell], int]]:
    """Return the notebooks in an archive; no two notebooks may answer the same exercise.

    A copy of the course has each exercise in two languages, and one of the two remains unanswered.
    """
    parts: list[tuple[str, list[Cell], int]] = []
    answered = dict[str, str]()
    for name, content in _notebooks_in_zip(data):
        cells, damaged = _cells_in(content, limit) if not content.startswith(b"PK") else _refused_within(name)
        for number in (n for n, found in find(cells).items() if not found.guessed and (found.written or found.unclear)):
            if number in answered:
                both = f"{answered[number]} and {name}"
                raise NoNotebook(
                    f"the zip archive has two notebooks with exercise {number}: {both}. Unpack the archive, so that "
                    "each notebook is marked"
                )
            answered[number] = name
        parts.append((name, cells, damaged))
        if sum(len(cell.text) for _, cells, _ in parts for cell in cells) > limit:
            raise TooLarge
    return parts


def _refused_within(name: str) -> tuple[list[Cell], int]:
    raise NoNotebook(f"the zip archive contains another zip archive, {name}")


def _notebooks_in_zip(data: bytes) -> list[tuple[str, bytes]]:
    """Return name and content of each notebook in an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [i for i in archive.infolist() if not i.is_dir() and not is_of_the_system(i.filename)]
            chosen = [i for i in names if i.filename.lower().endswith(".ipynb")]
            if not chosen:
                raise NoNotebook("the zip archive contains no notebook")
            if len(chosen) > _MOST:
                raise NoNotebook(f"the zip archive contains more than {_MOST} notebooks")
            if sum(i.file_size for i in chosen) > (most := _TIMES * len(data) + 2**25):
                raise NoNotebook(f"the notebooks in the zip archive are larger than {most // 10**6} MB in total")
            found = []
            for info in sorted(chosen, key=lambda i: i.filename):
                with archive.open(info) as stream:
                    found.append((info.filename, stream.read(info.file_size)))
            return found
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
        raise NoNotebook("the zip archive is damaged") from None
    except RuntimeError:  # raised if a password is needed
        raise NoNotebook("the zip archive is password-protected") from None
