"""The modules that programs have themselves: what stops one of them stops the programs that import it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from .findings import Finding, Kind, Result

__all__ = ["Own", "with_imported"]

#: What in a module of a program's own stops the program, too, if the line is reached.
_STOPPING = {Kind.UNREADABLE, Kind.PYTHON2, Kind.ABSENT, Kind.PACKAGE, Kind.GPU, Kind.DOWNLOAD, Kind.FILE}


class Own:
    """The modules of a folder.

    Parameters
    ----------
    paths : iterable of Path
        The programs.
    folder : Path
        The folder.
    """

    def __init__(self, paths: Iterable[Path], folder: Path) -> None:
        self._folder = folder
        self._files = {path for path in paths if path.suffix == ".py"}
        self._names = {path.stem for path in self._files}
        for path in self._files:
            inside = path.relative_to(folder).parent.parts if path.is_relative_to(folder) and path != folder else ()
            self._names.update(inside)

    def has(self, path: Path, module: str, anywhere: bool = False) -> bool:
        """Return whether a program imports a module as one of its own files.

        Parameters
        ----------
        path : Path
            The program.
        module : str
            The first part of the module's name.
        anywhere : bool
            Whether the program changes where Python looks.
        """
        above = [path.parent, *(up for up in path.parent.parents if up.is_relative_to(self._folder))]
        if any(_module_in(folder, module) for folder in above):
            return True
        near = (below for folder in above[:4] for below in folder.iterdir() if below.is_dir()) if anywhere else ()
        return module in self._names and any(_module_in(folder, module) for folder in near)

    def name_of(self, path: Path) -> str:
        """Return a path as it is typed in the folder."""
        return path.relative_to(self._folder).as_posix() if path.is_relative_to(self._folder) else str(path)

    def folder_above(self, path: Path, module: str) -> Path | None:
        """Return the folder above a program's own that has a module, if the program's own folder doesn't have it."""
        if _module_in(path.parent, module):
            return None
        above = (up for up in path.parent.parents if up.is_relative_to(self._folder))
        return next((folder for folder in above if _module_in(folder, module)), None)

    def files(self, path: Path, module: str) -> list[Path]:
        """Return the files that run when a program imports one of its own modules."""
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module.lstrip(".").split(".") if part]
        start = path.parent if not dots else path.parents[dots - 1] if dots <= len(path.parents) else path.parent
        for base in [start] if dots else [start, *start.parents[:4]]:
            found = [base.joinpath(*parts[:count]) for count in range(1, len(parts) + 1)]
            files = [one / "__init__.py" if one.is_dir() else one.with_suffix(".py") for one in found]
            there = [file for file in files if file in self._files]
            if there:
                return there
        return []


def _module_in(folder: Path, module: str) -> bool:
    beside = folder / module
    return beside.with_suffix(".py").exists() or (
        beside.is_dir() and ((beside / "__init__.py").exists() or any(beside.glob("*.py")))
    )


def with_imported(results: Sequence[Result], own: Own) -> None:
    """Add to each program the problems in its own modules that it imports.

    Parameters
    ----------
    results : sequence of Result
        What was found; they are changed.
    own : Own
        The modules of the folder.
    """
    by_path = {result.path: result for result in results}
    direct = {result.path: list(result.findings) for result in results}
    reached_by = {result.path: _reached(result, by_path, own) for result in results}
    imported = set().union(*reached_by.values())
    for result in results:
        known = {(finding.kind, finding.what) for finding in result.findings}
        reached = reached_by[result.path]
        if result.path not in imported and not any("sys.path" in by_path[p].text for p in (result.path, *reached)):
            result.findings += _in_folders_above(result, own)
        names = _reached_names(result, [by_path[file] for file in reached])
        for file, line in reached.items():
            for finding in [*direct[file], *_beside_alone(by_path[file], result.path.parent)]:
                if finding.kind is Kind.FILE:  # a table of names is there for those who want them
                    finding = replace(finding, inside=tuple(filter(None, finding.inside)))
                if (
                    finding.kind in _STOPPING
                    and (finding.kind, finding.what) not in known
                    and not names.isdisjoint(finding.inside)
                ):
                    known.add((finding.kind, finding.what))
                    result.findings.append(replace(finding, line=line, edits=(), inside=("",), through=file.name))


def _in_folders_above(result: Result, own: Own) -> Iterator[Finding]:
    """Return the imports of a program that Python finds only if a folder above is on its path."""
    if result.path.suffix != ".py":
        return
    seen = set()
    for name, line in result.own_modules:
        first = name.partition(".")[0]
        above = own.folder_above(result.path, first) if first and first not in seen else None
        seen.add(first)
        if above is not None:
            run = f"PYTHONPATH={own.name_of(above)} d2lhybrid run {own.name_of(result.path)}"
            yield Finding(Kind.FOLDER, first, line, run)


def _reached_names(result: Result, others: Sequence[Result]) -> set[str]:
    """Return the names that a program uses, and those that the functions which it may call use."""
    found = {""}.union(*result.names.values(), *(other.names.get("", ()) for other in others))
    definitions = [(name, used) for other in others for name, used in other.names.items() if name]
    while True:
        more = set().union(*(used for name, used in definitions if name in found)) - found
        if not more:
            return found
        found |= more


def _beside_alone(result: Result, start: Path) -> Iterator[Finding]:
    """Return the imports in a module of a package that only Python 2 finds: of what is beside it, by its bare name."""
    here = result.path.parent
    if here == start or not (here / "__init__.py").exists() or "sys.path" in result.text:
        return
    for name, line in result.own_modules:
        first = name.partition(".")[0]
        if first and _module_in(here, first) and not any(_module_in(up, first) for up in [start, *here.parents[:2]]):
            yield Finding(Kind.PYTHON2, f"import {first}", line, f"from .{first} import x")


def _reached(result: Result, by_path: dict[Path, Result], own: Own) -> dict[Path, int]:
    """Return the files that run when a program begins, each with the line that leads to it."""
    found: dict[Path, int] = {}
    waiting = [(result.path, module, line) for module, line in result.own_modules]
    while waiting:
        path, module, line = waiting.pop()
        for file in own.files(path, module):
            if file not in found and file in by_path and file != result.path:
                found[file] = line
                waiting += [(file, name, line) for name, _ in by_path[file].own_modules]
    return found
