"""Books and tutorials: each chapter, cell by cell, on small files in the place of the network.

A chapter has to run to its end; a cell that takes too long is interrupted. The page is ``docs/chapters.md``, with the
reasons of those that fail.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from . import process
from .data.of_chapters import HOME, RECIPES, WEB, weights_at_home
from .formats import READERS
from .page import page, told_names
from .runner import Description, Report

__all__ = ["DESCRIPTION", "SOURCES", "Result", "Source", "run"]

_TRAINED = re.compile(r"(?:vision|models)\.(\w+)\(pretrained=True|get_model\(['\"](\w+)['\"], *pretrained=True")


class Source(NamedTuple):
    """A book, or a collection of tutorials, at one tag of its repository.

    Attributes
    ----------
    title : str
        What the page calls it, and chapters are chosen by.
    commit : str
        The tag or branch.
    mark : str
        A file by which its repository is known: a clone that has it at this tag is the right one.
    chapters : tuple of str
        Patterns of the paths of its chapters.
    reader : str
        Which of the readers in :mod:`.formats` reads them.
    tab, default : str
        The library whose cells are wanted, and that of cells that do not say it.
    beside : tuple of str
        Files and folders of the repository that lie beside a chapter, as in what readers download.
    data : tuple of tuple
        Pairs of a pattern of chapters and the recipes that make their files in the folder they run in.
    left_out : dict
        Patterns of chapters that are not run, each with the reason.
    """

    title: str
    commit: str
    mark: str
    chapters: tuple[str, ...]
    reader: str
    tab: str = "mxnet"
    default: str = "mxnet"
    beside: tuple[str, ...] = ()
    data: tuple[tuple[str, tuple[str, ...]], ...] = ()
    left_out: dict[str, str] = {}  # noqa: RUF012 - a constant, as all of these

    def recipes(self, path: str) -> list[str]:
        """Return the names of the recipes for a chapter."""
        return [name for pattern, names in self.data if fnmatch(path, pattern) for name in names]


#: Of a book, every chapter; what is no part of the text is not one.
_BOOK = ("chapter_*/*.md",)

_CLOTHES = (
    ("*/geometry-linear-algebr*", ("clothes_for_averages",)),
    ("*/softmax-regression-*", ("clothes_that_teach",)),
    ("*/mlp-*", ("clothes_that_teach",)),
    ("*/dropout*", ("clothes_that_teach",)),
)

#: Where MXNet's own tutorials lie since version 1.6.
_TUTORIALS = "docs/python_docs/python/tutorials"

SOURCES = (
    Source("d2l-en-0.7", "v0.7.0", "d2l/d2l.py", _BOOK, "tabs", beside=("d2l", "img", "data"), data=_CLOTHES),
    Source("d2l-en-0.17", "v0.17.6", "d2l/mxnet.py", _BOOK, "tabs", beside=("d2l", "img"), data=_CLOTHES),
    Source(
        "d2l-en-1.0", "v1.0.3", "d2l/mxnet.py", _BOOK, "tabs", default="pytorch", beside=("d2l", "img"), data=_CLOTHES
    ),
    Source("d2l-zh-1", "v1", "d2lzh/utils.py", _BOOK, "tabs", beside=("d2lzh", "img", "data")),
    Source(
        "d2l-zh-2", "v2.0.0", "d2l/mxnet.py", _BOOK, "tabs", beside=("d2l", "img"), data=_CLOTHES,
        left_out={"*_origin.md": "the English text that was translated"},
    ),
    Source(
        "tutorials-1.9", "1.9.1", f"{_TUTORIALS}/packages/ndarray/01-ndarray-intro.md", (f"{_TUTORIALS}/*.md",),
        "markdown", left_out={"*/getting-started/to-mxnet/*": "half of its cells are PyTorch"},
    ),
    *(
        Source(f"tutorials-{tag[:3]}", tag, "docs/tutorials/basic/module.md", ("docs/tutorials/*.md",), "markdown")
        for tag in ("1.5.0", "1.0.0")
    ),
    Source(
        "straight-dope", "master", "chapter01_crashcourse/ndarray.ipynb", ("chapter*/*.ipynb",), "notebook",
        beside=("data",), data=(("*/deep-cnns-alexnet.ipynb", ("cifar10",)),),
    ),
)  # fmt: skip


class Result(NamedTuple):
    """How a chapter ended.

    Attributes
    ----------
    outcome : str
        ``"to its end"``; ``"interrupted"`` where cells took too long and nothing had failed before; or ``"failed"``.
    message : str
        The error, and in which cell.
    cells : list of dict
        What each cell printed, how long it took, and how it ended.
    log : str
        What was written outside of cells.
    """

    outcome: str
    message: str
    cells: list[dict[str, Any]]
    log: str


def run(
    source: Source,
    path: str,
    text: str,
    places: dict[str, Path],
    python: Path,
    real: bool,
    seconds: tuple[float, float],
) -> Result:
    """Run a chapter.

    Parameters
    ----------
    source : Source
        The book.
    path : str
        Where the chapter lies in its repository.
    text : str
        What it says.
    places : dict
        ``folder``, which is empty; ``beside``, with the files of the repository that lie beside it; ``web``; ``home``.
    python : Path
        The interpreter, which has what chapters import, and this package's dependencies or MXNet.
    real : bool
        Whether real MXNet is run.
    seconds : tuple
        After how long a cell is interrupted, and after how long the chapter is stopped.

    Returns
    -------
    Result
        How it ended.
    """
    folder = places["folder"]
    where = folder / Path(path).parent
    where.mkdir(parents=True, exist_ok=True)
    for name in source.beside:
        _lay_beside(places["beside"] / name, folder / name, places["web"])
    for recipe in source.recipes(path):
        RECIPES[recipe](where)
    # What a recipe has put into `.mxnet` comes before what all chapters have.
    mxnet = where / ".mxnet" if (where / ".mxnet").is_dir() else places["home"] / ".mxnet"
    cells = READERS[source.reader](text, source.tab, source.default)
    for names in _TRAINED.findall("\n".join(cells)):
        weights_at_home(places["home"], "".join(names))
    results = folder / "results"
    request = {
        "web": str(places["web"]), "path": str(folder), "cells": cells, "seconds": seconds[0],
        "results": str(results), "tab": source.tab,
    }  # fmt: skip
    variables = process.environment(mxnet.parent, IPYTHONDIR=str(folder / "ipython"))
    status, log = process.start("chapter", request, folder, where, variables, seconds[1], python, real)
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    return _judge([json.loads(line) for line in lines], cells, status, log)


def _lay_beside(origin: Path, target: Path, web: Path) -> None:
    """Lay a folder of the repository beside a chapter: its own data as copies, for chapters write there."""
    if target.name != "data":
        target.symlink_to(origin)
        return
    for file in (path for path in origin.rglob("*") if path.is_file()):
        copy = target / file.relative_to(origin)
        copy.parent.mkdir(parents=True, exist_ok=True)
        small = web / file.name
        copy.write_bytes((small if small.exists() and file.stat().st_size > 1 << 20 else file).read_bytes())
    (target / "kaggle_dog").mkdir(parents=True, exist_ok=True)
    (target / "kaggle_dog" / "train_valid_test_tiny.zip").write_bytes((web / "train_valid_test_tiny.zip").read_bytes())


def _judge(done: list[dict[str, Any]], cells: list[str], status: int | None, log: str) -> Result:
    interrupted = [i for i, line in enumerate(done, 1) if line["outcome"] == "interrupted"]
    if status is None:
        interrupted.append(len(done) + 1)
    last = done[-1] if done else {"outcome": "none", "message": ""}
    if last["outcome"] == "failed":
        message = f"cell {len(done)} of {len(cells)}: {last['message']}"
        if not interrupted:
            return Result("failed", message, done, log)
        return Result("interrupted", f"cell {interrupted[0]} goes on, and then {message}", done, log)
    if status not in (0, None):
        end = log.strip().rsplit("\n", 1)[-1]
        return Result("failed", f"cell {len(done) + 1} of {len(cells)}: ended with status {status}: {end}", done, log)
    if interrupted:
        return Result("interrupted", f"cells {interrupted} of {len(cells)} go on", done, log)
    return Result("to its end", "", done, log)


class Chapters(Description):
    """The chapters: which are run, and how."""

    summary = "Run the chapters of a book after as_mxnet(), and print which of them run."
    clones = "a clone that holds one of the sources"
    names = "parts of SOURCE/PATH; all chapters if none is named"
    limits = {  # noqa: RUF012 - a constant
        "--seconds": (60.0, "after how long a cell is interrupted"),
        "--total": (180.0, "after how long a chapter is stopped"),
    }
    options = {  # noqa: RUF012 - a constant
        "--results": {
            "type": Path, "metavar": "FILE", "help": "a file of JSON lines for what each cell printed",
        }
    }  # fmt: skip

    def items(self) -> Iterator[str]:
        sources = self.clone.held(SOURCES)
        self._told = told_names(page("chapters.md").read_text("utf-8"))
        self._counts: dict[str, Counter[str]] = {}
        self._places = {"web": self.folder / "web", "home": self.folder / "home"}
        for name, recipes in (("web", WEB), ("home", HOME)):
            self._places[name].mkdir()
            for recipe in recipes:
                recipe(self._places[name])
        for source in sources:
            parts = [name for name in self.asked.names if name not in source.title]
            whole = len(parts) < len(self.asked.names)  # the source itself is named
            if self.asked.names and not whole and any(other.title in self.asked.names for other in SOURCES):
                continue
            yield from self._of(source, parts)

    def _of(self, source: Source, parts: list[str]) -> Iterator[str]:
        """Yield the chapters of a source that have code and are asked for."""
        paths = self.clone.files(source.commit, at_hand=True)
        beside = [path for path in paths if path.startswith(tuple(f"{name}/" for name in source.beside))]
        beside = [path for path in beside if not path.endswith((".svg", ".pdf"))]
        for path in paths:
            name = f"{source.title}/{path}"
            if not any(fnmatch(path, pattern) for pattern in source.chapters):
                continue
            if any(fnmatch(path, pattern) for pattern in source.left_out):
                continue
            if parts and not any(part in name for part in parts):
                continue
            text = self.clone.content(source.commit, path).decode("utf-8")
            if not READERS[source.reader](text, source.tab, source.default):
                continue
            if source.title not in self._counts:
                self._counts[source.title] = Counter()
                self._places["beside"] = self.folder / f"beside {source.title}"
                self._places["beside"].mkdir()
                if beside:
                    self.clone.unpack(source.commit, beside, self._places["beside"])
            self._chapter = source, path, text
            yield name

    def run(self, name: str) -> Report:
        source, path, text = self._chapter
        counts = self._counts[source.title]
        folder = self.folder / f"{source.title} {counts.total()}"
        folder.mkdir()
        limits = self.asked.seconds, self.asked.total
        result = run(source, path, text, {**self._places, "folder": folder}, self.python, self.with_mxnet, limits)
        counts[result.outcome] += 1
        if self.asked.results:
            with self.asked.results.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"chapter": name, **result._asdict()}) + "\n")
        unexplained, log = (), ""
        if result.outcome == "failed":
            unexplained = () if any(fnmatch(name, pattern) for pattern in self._told) else (name,)
            log = (result.cells[-1]["text"] if result.cells else result.log)[-3000:] if self.asked.names else ""
        return Report(result.outcome, result.message, unexplained=unexplained, log=log)

    def finish(self) -> list[str]:
        for title, counts in self._counts.items():
            print(f"{title}: {', '.join(f'{count} {outcome}' for outcome, count in sorted(counts.items()))}")
        return []


DESCRIPTION = Chapters
