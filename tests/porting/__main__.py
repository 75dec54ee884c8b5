"""Hold what ``d2lhybrid port`` says of the programs in some folders against what becomes of a sample of them.

``python -m tests.porting FOLDER ... [--books GIT_DIR ...]``: folders are clones of repositories; of clones of a book,
the chapters are written as notebooks first. The table is written into ``docs/porting.md``.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from d2lhybrid.internals.commands.porting.command import examine_folder
from d2lhybrid.internals.commands.porting.findings import Result, Verdict
from tests.foreign.chapters import SOURCES, Source
from tests.foreign.clone import Clone
from tests.foreign.formats import READERS

from .running import CAUSES, run

PAGE = Path(__file__).parents[2] / "docs" / "porting.md"
BEGIN, END = "<!-- written by `make port-table`: begin -->\n", "<!-- written by `make port-table`: end -->\n"
_RAN = ("to its end", "still running")
_SAID_TO_RUN = (Verdict.RUNS, Verdict.HABITS)


class Tried(NamedTuple):
    """A program, what was said of it, and what became of it."""

    path: str
    verdict: Verdict
    kinds: set[str]
    outcome: str
    message: str


def is_program(result: Result) -> bool:
    """Return whether a file does something by itself: a notebook, or one with more than definitions."""
    if not result.uses_mxnet:
        return False
    if result.path.suffix == ".ipynb" or result.source is None:
        return True
    try:
        body = ast.parse(result.text).body
    except SyntaxError:
        return True
    return any(
        (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and "sys.path" not in ast.unparse(node))
        or (isinstance(node, ast.If) and "__name__" in ast.dump(node.test))
        or isinstance(node, (ast.For, ast.While))
        for node in body
    )


def write_chapters(clone: Clone, to: Path) -> list[Path]:
    """Write the chapters of a book as notebooks, beside its own package, a folder for each edition of its clone."""
    folders = []
    for source in SOURCES:
        if clone.has(source) and source.reader == "tabs" and source.default == "mxnet":
            folder = to / source.title
            for name in clone.files(source.commit):
                if any(Path(name).match(pattern) for pattern in source.chapters):
                    _write_chapter(clone, source, name, folder)
                elif name.endswith(".py") and name.split("/")[0] in ("d2l", "d2lzh"):
                    _write(folder / name, clone.content(source.commit, name))
            folders.append(folder)
    return folders


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _write_chapter(clone: Clone, source: Source, name: str, folder: Path) -> None:
    cells = READERS[source.reader](clone.content(source.commit, name).decode(), source.tab, source.default)
    if cells:
        empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        made = [{**empty, "source": cell} for cell in cells]
        notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
        file = folder / f"{Path(name).parent.name}-{Path(name).stem}.ipynb"
        _write(file, json.dumps(notebook, ensure_ascii=False, indent=1).encode())


def try_out(folder: Path, count: int, seconds: float, workers: int) -> list[Tried]:
    """Run a sample of the programs of a folder."""
    results = [result for result in examine_folder(folder) if is_program(result)]
    random.Random(0).shuffle(results)
    said_to_run = [result for result in results if result.verdict in (*_SAID_TO_RUN, Verdict.PROBABLY)]
    others = [result for result in results if result not in said_to_run]
    chosen = said_to_run[:count] + others[:count]

    def one(result: Result) -> Tried:
        outcome, message = run(folder, result.path, seconds)
        kinds = {finding.kind.value for finding in result.findings}
        tried = Tried(f"{folder.name}/{result.path.relative_to(folder)}", result.verdict, kinds, outcome, message)
        print(f"{tried.path}: {tried.verdict} {sorted(kinds)} -> {outcome} {message[:150]}", flush=True)
        return tried

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, chosen))


def table(tried: list[Tried]) -> str:
    """Return the confusion table, and the share of programs with the verdict "runs" that failed."""
    columns = [*_RAN, *CAUSES, "another error"]
    columns = [column for column in columns if any(one.outcome == column for one in tried)]
    lines = ["| `port` said | " + " | ".join(columns) + " |", "| --- |" + " ---: |" * len(columns)]
    for verdict in Verdict:
        counts = Counter(one.outcome for one in tried if one.verdict is verdict)
        if counts:
            cells = " | ".join(str(counts[column]) if counts[column] else "" for column in columns)
            lines.append(f"| {verdict.words} | {cells} |")
    said = [one for one in tried if one.verdict in _SAID_TO_RUN]
    probably = [one for one in tried if one.verdict is Verdict.PROBABLY]
    wrong = [one for one in said if one.outcome not in _RAN]
    needs = [one for one in tried if one.verdict is Verdict.NEEDS]
    data = {"file", "download"}  # what is not fetched is not there
    named = sum(one.outcome in one.kinds or (one.outcome in data and bool(one.kinds & data)) for one in needs)
    stopped = sum(one.outcome not in _RAN for one in needs)
    failed = sum(one.outcome not in _RAN for one in probably)
    share = f"{100 * len(wrong) / len(said):.1f}%" if said else "none"
    lines += [
        "",
        f'We ran {len(tried)} programs and notebooks. Of {len(said)} programs with a verdict that starts with "runs", '
        f'{len(wrong)} failed ({share}). Of {len(probably)} programs with the verdict "probably runs", {failed} '
        f'failed. Of {len(needs)} programs with the verdict "has missing requirements", {stopped} failed, {named} of '
        "them because of a requirement that `port` had named.",
    ]
    if wrong:
        lines += [
            "",
            'These programs failed, although the verdict starts with "runs":',
            "",
            "| program | error |",
            "| --- | --- |",
        ]
    for one in wrong:
        message = one.message[:100].replace("|", " ").replace("`", " ")
        lines.append(f"| `{one.path}` | {one.outcome}: `{message}` |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Try the programs, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.porting", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--books", nargs="*", type=Path, default=[], help="git directories of clones of the book")
    parser.add_argument(
        "--count", type=int, default=6, help="programs of each folder that are said to run, and as many others"
    )
    parser.add_argument("--seconds", type=float, default=12, help="after which a program counts as running")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only-print", action="store_true", help="do not write the page")
    given = parser.parse_args()
    tried: list[Tried] = []
    with tempfile.TemporaryDirectory() as place:
        folders = list(given.folders)
        for git_dir in given.books:
            folders += write_chapters(Clone(git_dir), Path(place))
        for folder in folders:
            tried += try_out(folder.resolve(), given.count, given.seconds, given.workers)
    if not tried:
        print("There is nothing to try: name folders, or --books with git directories.", file=sys.stderr)
        return 1
    text = table(tried)
    print(text)
    if not given.only_print:
        page = PAGE.read_text("utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
