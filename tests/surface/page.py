"""The section of ``docs/compatibility.md`` that is written from the tables."""

from __future__ import annotations

from pathlib import Path

from d2lhybrid.internals.support.absent import ABSENT, Absent

from .compare import Comparison, recorded
from .differences import MEMBERS, PARAMETERS, WIDER

__all__ = ["PAGE", "section", "with_section"]

PAGE = Path(__file__).parent.parent.parent / "docs" / "compatibility.md"
BEGIN = "<!-- written by `make surface`: begin -->\n"
END = "<!-- written by `make surface`: end -->\n"


def _names(group: Absent) -> str:
    """Return the names of a group with their modules, as far as MXNet has them there."""
    where: dict[tuple[str, ...], list[str]] = {}
    for name in group.names:
        at = tuple(m for m in group.modules if name in recorded().get(m, ())) if name != "*" else group.modules
        where.setdefault(at[:1] if len(at) > 1 else at, []).append(name)
    parts = []
    for modules, names in where.items():
        prefix = ".".join(["mx", *filter(None, modules[:1])])
        parts.append(f"`{prefix}`: " + ", ".join("everything" if name == "*" else f"`{name}`" for name in names))
    return "; ".join(parts)


def section(found: Comparison) -> str:
    """Return the section as Markdown."""
    here = found.names - len(found.missing_names)
    lines = [
        "## The whole surface, counted",
        "",
        f"MXNet 1.9.1 has {found.names} public names in {len(recorded())} modules, many of them in several modules; "
        f"{here} of them exist here. Its classes have {found.members} members, of which "
        f"{found.members - len(found.missing_members)} exist here. {found.signatures} signatures of functions, "
        f"classes, and methods can be compared: {found.signatures - len(found.other_signatures)} have the same "
        f"parameters in the same order with the same defaults, and {found.wider} more accept every call that works in "
        "MXNet. `make surface` counts again. The error for an absent name has a note with the reason.",
        "",
        "Absent names:",
        "",
        "| group | names | reason | use instead |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {g.what} | {_names(g)} | {g.why} | {g.instead} |" for g in ABSENT]
    if MEMBERS:
        lines += ["", "Members of classes that are absent:", "", "| member | why | instead |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {why} | {instead} |" for name, (why, instead) in MEMBERS.items()]
    lines += ["", "Functions whose signature is different:", "", *_functions(PARAMETERS)]
    lines += ["", "Functions that take every call that works in MXNet, with a signature that looks different:", ""]
    return "\n".join([*lines, *_functions(WIDER)]) + "\n"


def _functions(table: dict[str, str]) -> list[str]:
    lines = ["| functions | how |", "| --- | --- |"]
    for how in dict.fromkeys(table.values()):
        functions = ", ".join(f"`{name}`" for name, text in table.items() if text == how)
        lines.append(f"| {functions} | {how} |")
    return lines


def with_section(page: str, found: Comparison) -> str:
    """Return the page with the section as it should be."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return before + BEGIN + section(found) + END + after
