"""Run the chapters of a book after ``as_mxnet()``, and print which of them run.

python -m tests.chapters GIT_DIR                      # all that the clone holds, and the table of docs/chapters.md
python -m tests.chapters GIT_DIR d2l-en-0.17 rnn      # those with one of these in SOURCE/PATH, with what they wrote
python -m tests.chapters GIT_DIR --real PYTHON        # with the interpreter of real MXNet
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from .formats import READERS
from .run import Clone, make_home, make_web, run
from .sources import SOURCES, Source


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chapters", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone that holds one of the sources")
    parser.add_argument("names", nargs="*", help="parts of SOURCE/PATH; all chapters if none is named")
    parser.add_argument("--real", type=Path, metavar="PYTHON", help="run real MXNet with its interpreter instead")
    parser.add_argument("--seconds", type=float, default=60, help="after how long a cell is interrupted (default: 60)")
    parser.add_argument("--total", type=float, default=180, help="after how long a chapter is stopped (default: 180)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="a file of JSON lines for what each cell printed")
    return parser.parse_intermixed_args()


def _reasons() -> list[str]:
    """Return patterns of the chapters, as SOURCE/PATH, of which the page says why they do not run."""
    page = Path(__file__).resolve().parents[2] / "docs" / "chapters.md"
    told = page.read_text("utf-8").partition("## What does not run")[2] if page.exists() else ""
    return re.findall(r"^\| `([^`]+)` \|", told, re.MULTILINE)


def _chapters(clone: Clone, source: Source, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of the chapters that have code and are asked for."""
    for path in clone.files(source.tag):
        if not any(fnmatch(path, pattern) for pattern in source.chapters):
            continue
        if any(fnmatch(path, pattern) for pattern in source.left_out):
            continue
        if names and not any(name in f"{source.name}/{path}" for name in names):
            continue
        text = clone.text(source.tag, path)
        if READERS[source.reader](text, source.tab, source.default):
            yield path, text


def _beside(clone: Clone, source: Source, folder: Path) -> Path:
    paths = clone.files(source.tag)
    wanted = [path for path in paths if path.startswith(tuple(f"{name}/" for name in source.beside))]
    wanted = [path for path in wanted if not path.endswith((".svg", ".pdf"))]
    folder.mkdir()
    if wanted:
        clone.extract(source.tag, wanted, folder)
    return folder


def _run_source(
    asked: argparse.Namespace, clone: Clone, source: Source, folder: Path, told: list[str]
) -> dict[str, int]:
    chosen = [name for name in asked.names if name not in source.name]
    if asked.names and len(chosen) == len(asked.names) and any(other.name in asked.names for other in SOURCES):
        return {}
    counts: dict[str, int] = {}
    places = {"web": folder / "web", "home": folder / "home"}
    for number, (path, text) in enumerate(_chapters(clone, source, chosen)):
        if not number:
            places["beside"] = _beside(clone, source, folder / f"beside {source.name}")
        place = folder / f"{source.name} {number}"
        place.mkdir()
        began = time.monotonic()
        result = run(
            source, path, text, {**places, "folder": place}, asked.real or Path(sys.executable), bool(asked.real),
            (asked.seconds, asked.total),
        )  # fmt: skip
        name = f"{source.name}/{path}"
        known = any(fnmatch(name, pattern) for pattern in told)
        counts[result.outcome] = counts.get(result.outcome, 0) + 1
        counts["not told"] = counts.get("not told", 0) + (result.outcome == "failed" and not known)
        if asked.names and result.outcome == "failed":
            print((result.cells[-1]["text"] if result.cells else result.log)[-3000:])
        print(f"{result.outcome:11} {time.monotonic() - began:5.1f} s  {name}", flush=True)
        if result.message:
            print(f"    {' '.join(result.message.split())[:300]}", flush=True)
        if asked.results:
            with asked.results.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"chapter": name, **result._asdict()}) + "\n")
    return counts


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    clone, told, unknown = Clone(asked.git_directory), _reasons(), 0
    sources = [source for source in SOURCES if clone.has(source)]
    if not sources:
        print(f"{asked.git_directory} holds none of: {', '.join(source.name for source in SOURCES)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        make_web(folder / "web")
        make_home(folder / "home")
        for source in sources:
            counts = _run_source(asked, clone, source, folder, told)
            unknown += counts.pop("not told", 0)
            if counts:
                print(f"{source.name}: {', '.join(f'{count} {outcome}' for outcome, count in sorted(counts.items()))}")
    return bool(unknown)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
