"""How easy each lesson is to read: Flesch's formula, per notebook, for information.

``python -m tests.reading_ease`` prints a row for each English notebook; ``--at COMMIT`` prints those of an earlier
commit beside them. Flesch's reading ease is ``206.835 - 1.015 * words / sentences - 84.6 * syllables / words``: 60 to
70 is plain English, and a lower number is harder. Syllables are counted as groups of vowels, without a silent final e.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

__all__ = ["Ease", "prose_of", "reading_ease"]

ROOT = Path(__file__).resolve().parent.parent
TEXTS = "notebooks/text"


class Ease(NamedTuple):
    """What was counted in a text."""

    words: int
    sentences: int
    syllables: int

    @property
    def score(self) -> float:
        """Return Flesch's reading ease."""
        return 206.835 - 1.015 * self.words / self.sentences - 84.6 * self.syllables / self.words


def prose_of(text: str) -> str:
    """Return the sentences of a text in Markdown, without its header, code, tables, headings and links' targets."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^(`{3,}).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(#.*|\|.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]+`", "code", text)  # a name is one short word, however long it is
    text = re.sub(r"\A\s+|[*_]", "", text)
    return re.sub(r"\n{2,}|\n(?=\s*(?:[-*]|\d+\.)\s)", ".\n", text)  # a paragraph or an item ends a sentence


def reading_ease(text: str) -> Ease:
    """Count words, sentences and syllables in the prose of a text in Markdown."""
    prose = prose_of(text)
    sentences = [one for one in re.split(r"[.!?:;]+(?=\s|$)", prose) if re.search(r"[A-Za-z]", one)]
    words = re.findall(r"[A-Za-z][A-Za-z'’]*", prose)
    return Ease(len(words), max(len(sentences), 1), sum(map(_syllables, words)))


def _syllables(word: str) -> int:
    word = re.sub(r"[^a-z]", "", word.lower())
    groups = len(re.findall(r"[aeiouy]+", word))
    silent_e = word.endswith("e") and not word.endswith(("le", "ee"))
    silent_ed = word.endswith("ed") and word[-3:-2] not in ("t", "d")
    return max(groups - (silent_e or silent_ed), 1)


def _earlier(commit: str, name: str) -> str | None:
    done = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.reading_ease", description="Print Flesch's reading ease.")
    parser.add_argument("--at", metavar="COMMIT", help="an earlier commit to compare with")
    options = parser.parse_args()
    print(f"{'notebook':32} {'words':>6} {'words a sentence':>17} {'reading ease':>13}")
    for path in sorted((ROOT / TEXTS).glob("*.md")):
        texts = {"": path.read_text("utf-8")}
        if options.at and (earlier := _earlier(options.at, f"{TEXTS}/{path.name}")):
            texts = {f" at {options.at[:8]}": earlier, "": texts[""]}
        for label, text in texts.items():
            ease = reading_ease(text)
            print(f"{path.stem + label:32} {ease.words:6} {ease.words / ease.sentences:17.1f} {ease.score:13.1f}")


if __name__ == "__main__":
    main()
