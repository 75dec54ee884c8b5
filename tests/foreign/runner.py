"""The runner: what all five descriptions share, from the command line to the status of the command."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from .clone import Clone
from .process import REPOSITORY

__all__ = ["Description", "Kept", "Report", "main", "state"]


class Report(NamedTuple):
    """What the command prints about one item.

    Attributes
    ----------
    outcome : str
        How the item ended.
    message : str
        What went wrong.
    remarks : sequence of str
        Further lines.
    unexplained : sequence of str
        What failed without a reason on the page.
    log : str
        An output to print first.
    earlier : bool
        Whether the result is from an earlier command.
    """

    outcome: str
    message: str = ""
    remarks: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    log: str = ""
    earlier: bool = False


class Description(ABC):
    """What is run, on which data, what is compared, and which page has the results.

    Parameters
    ----------
    asked : argparse.Namespace
        The arguments of the command.
    clone : Clone
        The clone that it names.
    folder : Path
        An empty folder.
    """

    #: What the command does, which clones and which names it takes, and its limits: option -> seconds, meaning.
    summary: ClassVar[str]
    clones: ClassVar[str]
    names: ClassVar[str]
    limits: ClassVar[dict[str, tuple[float, str]]]
    #: The option for the interpreter of real MXNet.
    real: ClassVar[tuple[str, str]] = ("--real", "run real MXNet with its interpreter instead")
    #: Further options: name -> the arguments of ``add_argument``.
    options: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, asked: argparse.Namespace, clone: Clone, folder: Path) -> None:
        self.asked, self.clone, self.folder = asked, clone, folder
        #: The interpreter, and whether it runs real MXNet. An absolute path: programs run in other folders.
        self.with_mxnet: bool = asked.interpreter is not None
        self.python = asked.interpreter.absolute() if asked.interpreter else Path(sys.executable)

    @abstractmethod
    def items(self) -> Iterable[str]:
        """Take the files out of the clone, and yield the names of what is run."""

    @abstractmethod
    def run(self, name: str) -> Report:
        """Run one item."""

    @abstractmethod
    def finish(self) -> Iterable[str]:
        """Print totals, write the page if everything was run, and return what else has no reason on the page."""


def _arguments(description: type[Description], words: list[str]) -> argparse.Namespace:
    kind, *others = words
    parser = argparse.ArgumentParser(prog=f"python -m tests.foreign {kind}", description=description.summary)
    parser.add_argument("git_directory", type=Path, help=description.clones)
    parser.add_argument("names", nargs="*", help=description.names)
    option, meaning = description.real
    parser.add_argument(option, type=Path, metavar="PYTHON", dest="interpreter", help=meaning)
    for option, (seconds, meaning) in description.limits.items():
        parser.add_argument(option, type=type(seconds), default=seconds, help=f"{meaning} (default: {seconds:g})")
    for option, settings in description.options.items():
        parser.add_argument(option, **settings)
    return parser.parse_intermixed_args(others)


def main(description: type[Description], words: list[str]) -> int:
    """Run what a command asks for.

    Parameters
    ----------
    description : type of Description
        The description.
    words : list of str
        Its name, and the arguments of the command.

    Returns
    -------
    int
        1 if something failed without a reason on the page, else 0.
    """
    asked = _arguments(description, words)
    unexplained: list[str] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        job = description(asked, Clone(asked.git_directory), Path(name))
        for item in job.items():
            began = time.monotonic()
            report = job.run(item)
            spent = "earlier" if report.earlier else f"{time.monotonic() - began:5.1f} s"
            if report.log:
                print(report.log)
            message = " ".join(report.message.split())[:300]
            line = f"{report.outcome:12} {spent:7}  {item}  {message}".rstrip()
            print(line, *report.remarks, sep="\n    ", flush=True)
            unexplained += report.unexplained
        unexplained += job.finish()
    if unexplained:
        print("Without a reason:", *unexplained)
    return bool(unexplained)


class Kept:
    """Results that are kept in a file, so that a command goes on where it was broken off.

    Parameters
    ----------
    path : Path
        A file of JSON lines.
    current : str, optional
        The state on which results depend: lines with another one are not read.

    Attributes
    ----------
    results : list of dict
        What is known.
    """

    def __init__(self, path: Path, current: str | None) -> None:
        self.path, self.results = path, []
        for line in path.read_text("utf-8").splitlines() if path.exists() else []:
            with contextlib.suppress(json.JSONDecodeError):  # a line that was broken off
                self.results.append(json.loads(line))
        if current is not None:
            self.results = [result for result in self.results if result.get("state") == current]

    def add(self, result: dict[str, Any]) -> None:
        """Keep one more result."""
        self.results.append(result)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        broken = self.path.exists() and self.path.read_bytes()[-1:] not in (b"", b"\n")
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write("\n" * broken + json.dumps(result) + "\n")


def state() -> str:
    """Return what results depend on: a digest of this package and of what runs the programs."""
    digest = hashlib.sha256()
    ours = [path for folder in ("d2lhybrid", "tests/foreign") for path in (REPOSITORY / folder).glob("**/*.py")]
    for path in sorted(ours):
        digest.update(path.relative_to(REPOSITORY).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
