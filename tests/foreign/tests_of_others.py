"""Tests that other people wrote: pytest runs a file of them in processes that may crash, and a page has the figures.

What counts are the tests that pass on real MXNet. A record in :mod:`.records` says which these are.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from .page import between, page
from .process import REPOSITORY
from .pytest_files import Result, Suite
from .runner import Description, Kept, Report, state

__all__ = ["ForeignTests", "Row", "meant", "reasons", "table"]

_REASON = re.compile(r"^\| `([\w/]+\.py)` \| `([^`]+)` \| (.+) \|$", re.MULTILINE)


class Row(NamedTuple):
    """The figures of a file.

    Attributes
    ----------
    file : str
        Its path.
    real, passed : int
        How many tests pass on real MXNet, and how many of these here.
    explained : int
        How many of the others have a reason on the page.
    """

    file: str
    real: int
    passed: int
    explained: int


def table(rows: Sequence[Row], tests: str = "tests") -> list[str]:
    """Return the lines of the figures: how many pass in all, and a row for each file.

    Parameters
    ----------
    rows : sequence of Row
        The files.
    tests : str
        What is counted.

    Examples
    --------
    >>> table([Row("test_a.py", 4, 3, 1)])[0]
    '**3 of 4** tests that pass on real MXNet 1.9.1 pass here, 75.0%.'
    """
    real, passed = sum(row.real for row in rows), sum(row.passed for row in rows)
    return [
        f"**{passed} of {real}** {tests} that pass on real MXNet 1.9.1 pass here, {passed / max(real, 1):.1%}.",
        "",
        "| file | real MXNet | here | with a reason below |",
        "| --- | --: | --: | --: |",
        *(f"| `{row.file}` | {row.real} | {row.passed} | {row.explained or ''} |" for row in rows),
    ]


def reasons(text: str, file: str) -> dict[str, str]:
    """Return test -> why it does not pass.

    Parameters
    ----------
    text : str
        The page.
    file : str
        The file of the tests.

    Examples
    --------
    >>> reasons("| `a/test_b.py` | `test_c[*` | rounding |", "a/test_b.py")
    {'test_c[*': 'rounding'}
    """
    below = text.rpartition("<!-- written by `make ")[2]  # what is between the marks is written over
    return {test: why for path, test, why in _REASON.findall(below) if path == file}


def meant(told: str, test: str) -> bool:
    """Return whether a page means a test by a name, which may end with a star.

    Examples
    --------
    >>> meant("test_c[*", "test_c[1-True]"), meant("test_c", "test_c[1-True]")
    (True, False)
    """
    return test.startswith(told[:-1]) if told.endswith("*") else test == told


class ForeignTests(Description):
    """Tests of which those count that pass on real MXNet."""

    suites: ClassVar[list[Suite]]
    #: The page, the target of make that writes it, and the record.
    page_name: ClassVar[str]
    target: ClassVar[str]
    record: ClassVar[Path]
    #: Whether a command goes on where an earlier one was broken off.
    keeps: ClassVar[bool] = False

    names = "how the paths of files end; all of them if none is named"
    real = ("--record", "run real MXNet with its interpreter instead, and note what passes there")
    options = {"--log": {"action": "store_true", "help": "print what pytest printed"}}  # noqa: RUF012 - a constant

    @abstractmethod
    def take(self, suite: Suite, folder: Path) -> Path:
        """Take a suite out of the clone, and return the folder in which pytest runs."""

    @abstractmethod
    def run_file(self, file: str) -> dict[str, Result]:
        """Run a file of tests."""

    @abstractmethod
    def figures(self, rows: list[Row]) -> tuple[str, list[str]]:
        """Return what the marks on the page are called, and the lines between them."""

    def items(self) -> Iterator[str]:
        self.suite = self.clone.held(self.suites)[0]
        self.place = self.folder / "place"
        self.place.mkdir()
        self.source = self.take(self.suite, self.folder / "source")
        self._rows: list[Row] = []
        self._page = page(self.page_name)
        files = self.suite.files(self.source)
        files = [file for file in files if not self.asked.names or file.endswith(tuple(self.asked.names))]
        if not files:
            raise SystemExit(f"{self.suite.title} has no tests {' or '.join(self.asked.names)} that are run here.")
        self._record: dict[str, Any] = json.loads(self.record.read_text("utf-8")) if self.record.exists() else {}
        known = self._record.setdefault(self.suite.title, {})
        if not self.with_mxnet:  # tests that do not pass on real MXNet do not count
            files = [file for file in files if known.get(file, {}).get("passed")]
            if not files:
                raise SystemExit(f"No test of these passes on real MXNet by {self.record.name}; --record looks again.")
        self._kept: Kept | None = None
        if self.keeps and not self.with_mxnet:
            path = REPOSITORY / "build" / self._page.stem / f"{self.suite.title}.jsonl"
            self._kept = Kept(path, state())
            if self.asked.fresh:
                self._kept.results.clear()
        yield from files

    def run(self, name: str) -> Report:
        known = [] if self._kept is None else [each for each in self._kept.results if each["file"] == name]
        if known:
            results = {test: Result(*end) for test, end in known[-1]["results"].items()}
        else:
            results = self.run_file(name)
            if self._kept is not None:
                self._kept.add({"state": state(), "file": name, "results": results})
        log = (self.place / "log").read_text("utf-8", "replace") if self.asked.log and not known else ""
        report = self._note(name, results) if self.with_mxnet else self._judge(name, results)
        return report._replace(log=log, earlier=bool(known))

    def _note(self, file: str, results: dict[str, Result]) -> Report:
        """Note what became of each test on real MXNet. Messages are not kept."""
        ends: dict[str, list[str]] = {}
        for name, result in sorted(results.items()):
            ends.setdefault(result.outcome, []).append(name)
        self._record[self.suite.title][file] = ends
        self.record.write_text(json.dumps(self._record, indent=0, sort_keys=True) + "\n", "utf-8")
        passed, failed, skipped = (len(ends.get(word, [])) for word in ("passed", "failed", "skipped"))
        remarks = [f"{name}: {_line(result)}" for name, result in results.items() if result.outcome == "failed"]
        return Report(f"{passed} passed", f"{failed} failed, {skipped} skipped", tuple(remarks))

    def _judge(self, file: str, results: dict[str, Result]) -> Report:
        """Count the tests that pass on real MXNet, and compare the others with the page."""
        passing = self._record[self.suite.title][file]["passed"]
        told = reasons(self._page.read_text("utf-8"), file)
        lost = results.get("(the file)", Result("failed", "it did not run"))
        ends = {name: results.get(name, lost) for name in passing}
        failed = {name: result for name, result in ends.items() if result.outcome != "passed"}
        known = [name for name in failed if any(meant(words, name) for words in told)]
        idle = [words for words in told if not any(meant(words, name) for name in failed)]
        remarks = [f"{name}: {_line(result)}" for name, result in failed.items() if name not in known]
        remarks += [f"{words} passes, and {self._page.name} says it does not" for words in idle]
        row = Row(file, len(passing), len(passing) - len(failed), len(known))
        self._rows.append(row)
        unexplained = [f"{file}::{name}" for name in [*failed, *idle] if name not in known]
        return Report(f"{row.passed} of {row.real}", "", tuple(remarks), tuple(unexplained))

    def finish(self) -> list[str]:
        if not self.with_mxnet:
            print("", self.figures(self._rows)[1][0].replace("*", ""), sep="\n")
            if not self.asked.names:
                self._page.write_text(self.with_figures(self._page.read_text("utf-8"), self._rows), "utf-8")
        return []

    def with_figures(self, text: str, rows: list[Row]) -> str:
        """Return the page with the figures of a run of this suite."""
        title, lines = self.figures(rows)
        mark = f"<!-- written by `make {self.target}`: {{}}{title and ' ' + title} -->\n"
        return between(text, mark.format("begin"), mark.format("end"), lines)


def _line(result: Result) -> str:
    return " ".join((result.message or result.outcome).split())[:200]
