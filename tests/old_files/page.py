"""The table of ``docs/old_files.md``."""

from __future__ import annotations

from pathlib import Path

from .versions import KINDS, VERSIONS, outcome

__all__ = ["MARK", "TABLE", "table", "with_table"]

TABLE = Path(__file__).resolve().parents[2] / "docs" / "old_files.md"
MARK = "<!-- written by `make old-files` -->"


def table() -> str:
    """Return the table: a row for each kind of file, the versions for which all goes well, and what goes wrong."""
    lines = ["| file | loads, computes, and is saved again | fails |", "| --- | --- | --- |"]
    for kind in KINDS:
        found = {version: outcome(version, kind) for version in VERSIONS}
        well = [version for version, what in found.items() if what == "yes"]
        wrong = [f"{version}: {what}" for version, what in found.items() if what not in ("", "yes")]
        lines.append(f"| {kind} | {_ranges(well)} | {'; '.join(wrong)} |")
    return "\n".join(lines) + "\n"


def _ranges(versions: list[str]) -> str:
    """Return versions as text; those that follow each other as a range."""
    runs: list[list[str]] = []
    for version in versions:
        if runs and VERSIONS.index(runs[-1][-1]) + 1 == VERSIONS.index(version):
            runs[-1].append(version)
        else:
            runs.append([version])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]} ({len(run)} versions)" for run in runs)


def with_table(text: str) -> str:
    """Return the page with the table of today between its marks."""
    before, _, rest = text.partition(f"{MARK}\n")
    _, _, after = rest.partition(f"{MARK}\n")
    return f"{before}{MARK}\n\n{table()}\n{MARK}\n{after}"
