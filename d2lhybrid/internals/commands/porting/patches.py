"""Fixes of the programs in a folder as one patch, for review and for ``patch -p1`` or ``git apply``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .findings import Result
from .repairs import repaired
from .sources import Source
from .syntax import parse_any

__all__ = ["patch_of"]


def patch_of(results: Iterable[Result], folder: Path) -> tuple[str, list[Path]]:
    """Return the fixes as a unified diff, and the files that they change.

    Files in encodings other than UTF-8, and notebooks that Jupyter did not write, are left out, because the patch would
    not apply to these files.

    Parameters
    ----------
    results : iterable of Result
        Results of all programs.
    folder : Path
        Folder that names in the patch are relative to.

    Returns
    -------
    tuple of (str, list of Path)
        The diff, and the files.
    """
    parts, changed = [], []
    for result in results:
        source = result.source
        if source is None or source.encoding not in ("utf-8", "utf-8-sig"):
            continue
        new = _changed(source, result)
        if new is None or new == source.raw:
            continue
        name = result.path.relative_to(folder).as_posix() if result.path.is_relative_to(folder) else result.path.name
        parts.append(_difference(source, new, name))
        changed.append(result.path)
    return "".join(parts), changed


def _difference(source: Source, new: str, name: str) -> str:
    lines = difflib.unified_diff(
        source.raw.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    )
    found = []
    for line in lines:
        body = line.removesuffix("\n")
        of_the_file = found and not line.startswith(("---", "+++", "@@"))
        found.append(body + (source.newline if of_the_file and line.endswith("\n") else "\n"))
        if not line.endswith("\n"):
            found.append("\\ No newline at end of file\n")
    return "".join(found)


def _changed(source: Source, result: Result) -> str | None:
    """Return the text of a file after its fixes; None if the result would not be a valid program."""
    edits = [edit for finding in result.findings for edit in finding.edits] + result.relative
    lines = repaired(result.text, edits)
    text = "".join(line + "\n" for line in lines)
    try:
        tree = parse_any(text)
    except SyntaxError:
        return None
    if tree.rewritten:
        return None
    if source.is_notebook:
        return _notebook(source, lines)
    return text if source.raw.endswith("\n") or not source.raw else text.removesuffix("\n")


def _notebook(source: Source, lines: list[str]) -> str | None:
    """Return a notebook with changed lines in its original file format."""
    notebook = json.loads(source.raw)
    write = _writer(notebook, source.raw)
    if write is None:
        return None
    before = source.text.splitlines()
    cells = [
        cell
        for cell in (notebook["cells"] if "cells" in notebook else
                     [c for s in notebook["worksheets"] for c in s["cells"]])
        if cell["cell_type"] == "code"
    ]  # fmt: skip
    for (_, first), cell in zip(source.cells, cells, strict=True):
        key = "source" if "source" in cell else "input"
        whole = cell[key] if isinstance(cell[key], str) else "".join(cell[key])
        new = []
        for offset, old in enumerate(whole.splitlines(keepends=True)):
            place = first - 1 + offset
            same = place >= len(lines) or lines[place] == before[place]
            new.append(old if same else lines[place] + ("\n" if old.endswith("\n") else ""))
        text = "".join(new)
        cell[key] = text if isinstance(cell[key], str) else text.splitlines(keepends=True)
    return write(notebook)


def _writer(notebook: Any, raw: str) -> Any:
    """Return a function that writes a notebook in its original file format, or None if the format is unknown."""
    end = raw[len(raw.rstrip("\n")) :]
    for indent in (1, 2, 4):
        for plain in (False, True):
            for is_sorted in (False, True):

                def write(data: Any, indent: int = indent, plain: bool = plain, is_sorted: bool = is_sorted) -> str:
                    text = json.dumps(data, indent=indent, ensure_ascii=plain, sort_keys=is_sorted)
                    return text + end

                if write(notebook) == raw:
                    return write
    return None
