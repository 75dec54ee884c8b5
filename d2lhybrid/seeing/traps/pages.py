"""The pages of the traps: ``docs/errors``, written from their folders in ``numbered`` (``make pages``)."""

from __future__ import annotations

from pathlib import Path

from ...support.filesystem import write_text
from ...support.remedies import remedy
from . import TRAPS, Trap

__all__ = ["index_text", "main", "page_text"]

_HEADER = "<!-- Written by `make pages` from d2lhybrid/seeing/traps: changes made here are lost. -->\n"


def page_text(trap: Trap) -> str:
    """Return the page of a trap, in Markdown.

    Examples
    --------
    >>> from d2lhybrid.seeing.traps import trap
    >>> print(page_text(trap("H08")).splitlines()[2])
    # H08 An operator works in place
    """
    seen = f"It says:\n\n```text\n{trap.message}\n```\n" if trap.message else _silently(trap)
    parts = [
        _HEADER,
        f"# {trap.number} {trap.title}\n",
        f"**The trap.** {trap.trap}\n",
        f"**The reason.** {trap.reason}\n",
        f"**The remedy.** {trap.remedy}\n",
        "## This does not work\n" if trap.message else "## This runs, and does something else\n",
        f"```python\n{trap.wrong}\n```\n",
        seen,
        "## This does\n",
        f"```python\n{trap.right}\n```\n",
    ]
    table = _instead(trap)
    if table:
        parts += ["## What to write instead\n", table]
    parts.append("[All pages](README.md)\n")
    return "\n".join(parts)


def _silently(trap: Trap) -> str:
    kinds = ", ".join(f"`{kind}`" for kind in trap.kinds)
    return f"Nothing is raised. `d2lhybrid.check_hybridization(net, x)` finds it, as {kinds}.\n"


def _instead(trap: Trap) -> str:
    """Return the rows of remedies that belong to a trap, as a table."""
    rows = []
    for row in trap.rows:
        texts = [remedy(row, legacy) for legacy in (True, False)]
        if texts[0] is None:
            continue
        said = f"{texts[0]} {_of_np(texts[1])}" if texts[0] != texts[1] else texts[0]
        rows.append(f"| `{row}` | {said.replace('|', chr(92) + '|')} |")
    return "\n".join(["| the program says | instead |", "|---|---|", *rows, ""]) if rows else ""


def _of_np(text: str | None) -> str:
    return f"With Symbols of `np`: {text}"


def index_text() -> str:
    """Return the list of all pages, in Markdown."""
    lines = [
        _HEADER,
        "# Errors and traps of hybridization\n",
        "Each page says what happens, why, and what to write instead, with a program that falls into the trap and one "
        "that does not. `d2lhybrid explain H03` prints a page in a terminal; after `%load_ext d2lhybrid`, a notebook "
        "shows it above the traceback.\n",
        "## Errors\n",
        *[f"- [{t.number}]({t.file_name}) {t.title}" for t in TRAPS.values() if t.message],
        "\n## Silent traps\n",
        "These raise nothing. `d2lhybrid.check_hybridization(net, x)` finds them and names the page.\n",
        *[f"- [{t.number}]({t.file_name}) {t.title}" for t in TRAPS.values() if not t.message],
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write all pages."""
    folder = Path(__file__).resolve().parents[3] / "docs" / "errors"
    folder.mkdir(exist_ok=True)
    wanted = {t.file_name: page_text(t) for t in TRAPS.values()} | {"README.md": index_text()}
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        write_text(folder / name, text)


if __name__ == "__main__":
    main()
