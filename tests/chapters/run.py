"""One chapter is run in a folder and a process of its own, for as long as it may."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import tarfile
from pathlib import Path
from typing import Any, NamedTuple

from d2lhybrid.internals.support.archives import unpack_tar

from .data import HOME, RECIPES, WEB, weights_at_home
from .formats import READERS
from .sources import Source

__all__ = ["Clone", "Result", "make_home", "make_web", "run"]

_REPOSITORY = Path(__file__).resolve().parents[2]
_START = Path(__file__).with_name("start.py")
_TRAINED = re.compile(r"(?:vision|models)\.(\w+)\(pretrained=True|get_model\(['\"](\w+)['\"], *pretrained=True")


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


class Clone:
    """A git directory, and what is taken out of it.

    Parameters
    ----------
    folder : Path
        The git directory, or a folder with one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["git", "-C", str(self.folder), *arguments], capture_output=True, check=check)

    def has(self, source: Source) -> bool:
        """Return whether the sources' chapters lie in it."""
        return self._git("cat-file", "-e", f"{source.tag}:{source.holds}", check=False).returncode == 0

    def files(self, tag: str) -> list[str]:
        """Return the paths of the files that are there at a tag, without those that a partial clone lacks."""
        listed = self._git("-c", "core.quotePath=off", "ls-tree", "-r", "-l", tag).stdout.decode().splitlines()
        rows = (line.split("\t", 1) for line in listed)
        return [path for facts, path in rows if facts.split()[3] not in ("BAD", "-")]

    def text(self, tag: str, path: str) -> str:
        """Return the text of one file."""
        return self._git("show", f"{tag}:{path}").stdout.decode("utf-8")

    def extract(self, tag: str, paths: list[str], folder: Path) -> None:
        """Write files into a folder."""
        archive = self._git("archive", tag, "--", *paths).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            unpack_tar(files, folder)


def make_web(folder: Path) -> None:
    """Write the files that stand for the network."""
    folder.mkdir()
    for recipe in WEB:
        recipe(folder)


def make_home(folder: Path) -> None:
    """Write the home directory that all chapters have."""
    folder.mkdir()
    for recipe in HOME:
        recipe(folder)


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
    results, request = folder / "results", folder / "request"
    request.write_text(
        json.dumps({
            "repository": str(_REPOSITORY), "real": real, "web": str(places["web"]), "path": str(folder),
            "cells": cells, "seconds": seconds[0], "results": str(results), "tab": source.tab,
        }),
        "utf-8",
    )  # fmt: skip
    command = [str(python), "-W", "ignore", str(_START), str(request)]
    status, log = _start(command, folder, where, mxnet, seconds[1])
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


def _start(command: list[str], folder: Path, where: Path, mxnet: Path, seconds: float) -> tuple[int | None, str]:
    environment = {
        **os.environ, "HOME": str(mxnet.parent), "IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": "",
        "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
        "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        # Whatever does not ask for a file by its address finds no network.
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
    }  # fmt: skip
    with (folder / "log").open("w") as stream:
        process = subprocess.Popen(
            command, cwd=where, env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
            start_new_session=True,
        )  # fmt: skip
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its workers, too
            process.wait()
    return status, (folder / "log").read_text("utf-8", "replace")


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
