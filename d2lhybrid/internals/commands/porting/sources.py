"""The programs and notebooks of a folder as text, read without running them."""

from __future__ import annotations

import io
import json
import os
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from d2lhybrid.internals.support.words import add_words, translate

from .syntax import mask

__all__ = ["Source", "UnreadableError", "programs_in", "read_source"]

#: Folders that contain other people's programs, or no programs.
_NOT_OURS = frozenset(
    ["__pycache__", "node_modules", "site-packages", "dist-packages", "venv", "env", "build", "dist"]
)  # fmt: skip
#: The maximum size of a program in bytes; a larger file is unlikely to be a program.
_LIMIT = 20_000_000


class UnreadableError(Exception):
    """The error for a file that cannot be read as a program. The message is the reason, and ``hint`` is advice."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass
class Source:
    """A program, or the concatenated cells of a notebook.

    Attributes
    ----------
    path : Path
        Path of the file.
    raw : str
        Original text of the file.
    text : str
        Pure Python, in which lines without effect replace IPython's own lines.
    cells : list of (int, int)
        For a notebook, the number of each code cell, and its first line in ``text``.
    shell : list of (int, str)
        Shell commands, with their lines in ``text``.
    original : list of str
        Lines of ``text`` before IPython's own lines were replaced. For a program, these are the lines of ``text``.
    encoding, newline : str
        Encoding and line ending of the file.
    """

    path: Path
    raw: str
    text: str
    cells: list[tuple[int, int]] = field(default_factory=list)
    shell: list[tuple[int, str]] = field(default_factory=list)
    original: list[str] = field(default_factory=list)
    encoding: str = "utf-8"
    newline: str = "\n"

    @property
    def is_notebook(self) -> bool:
        """Whether the source is a notebook."""
        return self.path.suffix == ".ipynb"

    def place(self, line: int) -> str:
        """Return the line number in the file, or in the cell, in words.

        Parameters
        ----------
        line : int
            Line in ``text``.

        Returns
        -------
        str
            The line number, or the cell and the line in it.
        """
        if not self.cells:
            return translate("line {n}", n=line)
        number, first = max((cell for cell in self.cells if cell[1] <= line), default=self.cells[0])
        return translate("cell {cell}, line {n}", cell=number, n=line - first + 1)


def programs_in(folder: Path) -> Iterator[Path]:
    """Yield the programs and notebooks in a folder and its subfolders, without hidden folders and environments.

    Parameters
    ----------
    folder : Path
        Path of a folder, or of a single file.

    Yields
    ------
    Path
        A program or notebook.
    """
    if not folder.is_dir():
        yield folder
        return
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _NOT_OURS and not _is_environment(Path(here, name))
        )
        for name in sorted(files):
            ran = name.endswith((".ran.ipynb", "-checkpoint.ipynb"))
            if name.endswith((".py", ".ipynb")) and not name.startswith(".") and not ran:
                yield Path(here, name)


def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").exists()


def read_source(path: Path) -> Source:
    """Return the content of a program or a notebook.

    Parameters
    ----------
    path : Path
        Path of the file.

    Returns
    -------
    Source
        The content.

    Raises
    ------
    UnreadableError
        If the file does not exist, is too large, or is neither a text file nor a Python notebook.
    """
    try:
        if path.stat().st_size > _LIMIT:
            raise UnreadableError(translate("The file is larger than {n} MB.", n=_LIMIT // 1_000_000))
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    if path.suffix == ".ipynb":
        return _notebook(path, data)
    text, encoding = _decoded(data)
    newline = "\r\n" if b"\r\n" in data else "\n"
    return Source(path, text, text, original=text.splitlines(), encoding=encoding, newline=newline)


def _decoded(data: bytes) -> tuple[str, str]:
    if b"\0" in data:
        raise UnreadableError(translate("The file is not text."))
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        hint = translate(
            "Declare the correct encoding in the first line, as in # -*- coding: gbk -*-, or save the file as UTF-8 "
            "without a declaration."
        )
        raise UnreadableError(translate("The encoding of the file is unknown or declared incorrectly."), hint) from None
    return io.StringIO(text.removeprefix("\ufeff"), newline=None).read(), encoding


def _notebook(path: Path, data: bytes) -> Source:
    try:
        raw = data.decode("utf-8")
        notebook = json.loads(raw)
        cells = notebook["cells"] if "cells" in notebook else [c for s in notebook["worksheets"] for c in s["cells"]]
        code = [_text_of(cell) for cell in cells if cell["cell_type"] == "code"]
    except UnicodeDecodeError:
        raise UnreadableError(translate("The file is not in UTF-8.")) from None
    except (ValueError, RecursionError) as error:
        raise UnreadableError(translate("The notebook is broken: {why}", why=str(error))) from None
    except (KeyError, TypeError, AttributeError):
        raise UnreadableError(translate("The notebook is broken: its cells are missing or malformed.")) from None
    language = _language(notebook)
    if language and "python" not in language.lower():
        raise UnreadableError(translate("The notebook is written in {language}, not in Python.", language=language))
    source = Source(path, raw, "")
    lines: list[str] = []
    for number, text in enumerate(code, 1):
        source.cells.append((number, len(lines) + 1))
        original = text.splitlines()
        source.original += original
        for line in _plain(original):
            if isinstance(line, tuple):
                source.shell.append((len(lines) + 1, line[1]))
                line = line[0]
            lines.append(line)
    source.text = "".join(line + "\n" for line in lines)
    return source


def _text_of(cell: Any) -> str:
    text = cell["source"] if "source" in cell else cell["input"]
    return text if isinstance(text, str) else "".join(text)


def _language(notebook: Any) -> str:
    metadata = notebook.get("metadata") or {}
    kernel, info = metadata.get("kernelspec") or {}, metadata.get("language_info") or {}
    return str(kernel.get("language") or info.get("name") or "")


_MAGIC = re.compile(r"^(\s*)(?:([\w.,\s]+?)\s*=\s*)?([%!])(.*)$")
_HELP = re.compile(r"^\s*\?{1,2}[\w.]+\s*$|^\s*[\w.]+\?{1,2}\s*$")


def _plain(lines: list[str]) -> Iterator[str | tuple[str, str]]:
    """Return a cell's lines without IPython's own lines, and each shell command with its line number."""
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%"):
        place = lines.index(first)
        rest = lines[place + 1 :]
        yield from ["pass"] * (place + 1)
        if re.match(r"%%(?:time|timeit|capture|prun)\b", first):
            yield from _plain(rest)
        else:
            shell = re.match(r"%%(?:bash|sh|script)\b|%%!", first)
            yield from (("pass", line) if shell else "pass" for line in rest)
        return
    continued = False
    for line, is_first in zip(lines, _begins(lines), strict=True):
        found = _MAGIC.match(line) if is_first and not continued else None
        if continued or found:
            said = line if continued or found is None else found[4]
            kept = line[: len(line) - len(line.lstrip())] + "pass"
            if found and found[2]:
                kept = f"{found[1]}{found[2]} = None"
            is_shell = continued or (found is not None and (found[3] == "!" or re.match(r"(pip|conda|sh)\b", said)))
            continued = line.endswith("\\")
            yield (kept, said.strip()) if is_shell else kept
        elif is_first and _HELP.match(line):
            yield "pass"
        else:
            yield line


def _begins(lines: list[str]) -> Iterator[bool]:
    """Return for each line whether it may start a statement, rather than continue one."""
    masked = mask("\n".join(lines))
    place = 0
    for line in lines:
        yield place == 0 or masked[place - 1] == "\n"
        place += len(line) + 1


add_words(
    {
        "line {n}": "第 {n} 行",
        "cell {cell}, line {n}": "第 {cell} 个单元格，第 {n} 行",
        "The file is larger than {n} MB.": "文件大于 {n} MB。",
        "The file is not text.": "文件不是文本文件。",
        "The file is not in UTF-8.": "文件不是 UTF-8 编码。",
        "The encoding of the file is unknown or declared incorrectly.": "文件的编码未知，或者编码声明有误。",
        "Declare the correct encoding in the first line, as in # -*- coding: gbk -*-, or save the file as UTF-8 "
        "without a declaration.":
        "请在第一行声明正确的编码，例如 # -*- coding: gbk -*-；或者另存为 UTF-8，不写编码声明。",
        "The notebook is broken: {why}": "笔记本已损坏：{why}",
        "The notebook is broken: its cells are missing or malformed.":
        "笔记本已损坏：缺少单元格，或者单元格的格式不对。",
        "The notebook is written in {language}, not in Python.": "笔记本是用 {language} 写的，不是 Python。",
    }
)  # fmt: skip
