"""Terms and phrases of ``docs/style.md`` that our texts avoid: ``python -m tests.prose`` prints where they are.

It reads Markdown, lessons, exercises, and the docstrings and comments of the package, without code in backticks. It
flags what is on the list below and nothing else: whether a sentence is good is for people to judge.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["AVOIDED", "Finding", "findings_in", "texts"]

ROOT = Path(__file__).resolve().parent.parent
#: What we avoid -> what we write instead.
AVOIDED = {
    r"whoever|whosoever": "the name of the actor, or you",
    r"mend(?:ed|ing|s)?": "fix",
    r"of one's own": "of your own",
    r"to report a hole": "to report a vulnerability",
    r"there where|therein|thereof|wherein|hitherto": "where, in it, of it",
    r"once and for all|for ever": "always, forever, or frozen",
    r"ha(?:s|ve|d) paid after": "pays off after",
    r"(?:is|are) noted down|notes? down what": "is recorded",
    r"inside of the": "inside the",
    r"(?:has|have) not(?=[.,;:])": "does not have",
    r"it is to be (?:had|done|seen)": "an active sentence",
    r"a (?:row|line|column|page) a (?:student|submission|exercise)": "a row for each student",
    r"put right|puts it right": "fix",
}
_AVOIDED = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): instead for pattern, instead in AVOIDED.items()}
#: Texts of others, records of what was, and the page that lists what we avoid.
_LEFT_OUT = (
    "docs/style.md",
    "docs/CHANGELOG.md",
    "docs/attacks.md",
    "benchmarks/",
    "tests/",
    "d2lhybrid/internals/pictures/others/",
)


class Finding(NamedTuple):
    """A phrase that we avoid: where it is, what it is, and what to write instead."""

    line: int
    phrase: str
    instead: str


def findings_in(text: str, is_python: bool = False) -> list[Finding]:
    """Return the phrases of a text that are on the list, in the order of its lines.

    Parameters
    ----------
    text : str
        Markdown, or Python, of which comments and strings of several words are read.
    is_python : bool
        Whether it is Python.
    """
    if is_python:
        pieces = list(_strings_and_comments(text))
    else:
        without_code = re.sub(
            r"^(`{3,}).*?^\1", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE
        )
        pieces = [(1, without_code)]
    found = []
    for first, piece in pieces:
        prose = re.sub(r"`[^`\n]+`", lambda m: "x" * len(m[0]), piece)
        for pattern, instead in _AVOIDED.items():
            for match in pattern.finditer(prose):
                found.append(Finding(first + prose.count("\n", 0, match.start()), match[0], instead))
    return sorted(found)


def _strings_and_comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string):
            yield token.start[0], token.string


def texts() -> list[Path]:
    """Return the files that are read: Markdown and Python that git knows."""
    command = ["git", "-C", str(ROOT), "ls-files", "*.md", "d2lhybrid/*.py"]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [name for name in names if (ROOT / name).is_file()]
    return [ROOT / name for name in names if not name.startswith(_LEFT_OUT) and "/zh/" not in name]


def main() -> int:
    """Print all findings; return 1 if there are some."""
    count = 0
    for path in texts():
        for line, phrase, instead in findings_in(path.read_text("utf-8"), path.suffix == ".py"):
            print(f"{path.relative_to(ROOT)}:{line}: {phrase!r}: write {instead} (docs/style.md)")
            count += 1
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
