"""Modules that belong to the programs. A finding in such a module affects all programs that import the module."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from d2lhybrid.internals.support.words import add_words, translate

from .facts import is_there
from .findings import Edit, Finding, Kind, Result
from .search_path import added_folders

__all__ = ["Own", "module_in", "with_imported"]

#: Kinds of findings in an imported module that also stop the program, if it reaches the line.
_STOPPING = {Kind.UNREADABLE, Kind.PYTHON2, Kind.ABSENT, Kind.PACKAGE, Kind.GPU, Kind.DOWNLOAD, Kind.FILE, Kind.DOUBT}


class Own:
    """The modules in a folder of programs.

    Parameters
    ----------
    paths : iterable of Path
        Paths of the programs.
    folder : Path
        The folder.
    adding : iterable of Path
        The programs that change Python's search path.
    """

    def __init__(self, paths: Iterable[Path], folder: Path, adding: Iterable[Path] = ()) -> None:
        self._folder = folder
        self._adding = {path.parent for path in adding}
        self._files = {path for path in paths if path.suffix == ".py"}
        self._names = {path.stem for path in self._files}
        for path in self._files:
            inside = path.relative_to(folder).parent.parts if path.is_relative_to(folder) and path != folder else ()
            self._names.update(inside)

    def has(self, path: Path, module: str, anywhere: bool = False) -> bool:
        """Return whether an imported module is one of the program's own files.

        Parameters
        ----------
        path : Path
            Path of the program.
        module : str
            First part of the module's name.
        anywhere : bool
            Whether the program changes the search path.

        Returns
        -------
        bool
            Whether the module is a file of the folder.
        """
        above = [path.parent, *(up for up in path.parent.parents if up.is_relative_to(self._folder))]
        if any(module_in(folder, module) for folder in above):
            return True
        anywhere = anywhere or path.parent in self._adding  # through a module in the same folder
        near = (below for folder in above[:4] for below in folder.iterdir() if below.is_dir()) if anywhere else ()
        return module in self._names and any(module_in(folder, module) for folder in near)

    def name_of(self, path: Path) -> str:
        """Return the text of a path relative to the folder of programs.

        Parameters
        ----------
        path : Path
            The path.

        Returns
        -------
        str
            The relative path; for a path outside the folder, the whole path.
        """
        return path.relative_to(self._folder).as_posix() if path.is_relative_to(self._folder) else str(path)

    def place(self, path: Path, module: str) -> Path | None:
        """Return the folder of a module that a program imports.

        The folder is the program's folder, a folder above it, or a subfolder of one of these folders.

        Parameters
        ----------
        path : Path
            The program.
        module : str
            The module.

        Returns
        -------
        Path or None
            The folder; None if there is no such module.
        """
        above = [up for up in path.parent.parents if up.is_relative_to(self._folder)]
        near = (below for folder in [path.parent, *above[:3]] for below in sorted(folder.iterdir()) if below.is_dir())
        return next((folder for folder in [path.parent, *above, *near] if module_in(folder, module)), None)

    def added(self, result: Result, program: Path) -> list[Path] | None:
        """Return the folders that a file adds to Python's search path, or None if the text doesn't show all of them.

        Parameters
        ----------
        result : Result
            The file.
        program : Path
            The program that imports the file.

        Returns
        -------
        list of Path, or None
            The folders.
        """
        if "sys.path" not in result.text and "addsitedir" not in result.text:
            return []
        base = self._folder if self._folder.is_dir() else self._folder.parent
        starts = [path.absolute() for path in (program.parent, base)]
        folders = added_folders(ast.parse(result.text), result.path.absolute(), starts)
        return None if folders is None else [self._as_typed(folder, base) for folder in folders]

    def _as_typed(self, path: Path, base: Path) -> Path:
        return base / path.relative_to(base.absolute()) if path.is_relative_to(base.absolute()) else path

    def files(self, path: Path, module: str, added: Sequence[Path] = ()) -> list[Path]:
        """Return the files that run when a program imports one of its own modules.

        Parameters
        ----------
        path : Path
            The program.
        module : str
            The module.
        added : sequence of Path
            The folders that the program adds to Python's search path.

        Returns
        -------
        list of Path
            The files; empty if the module is not the program's own.
        """
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module.lstrip(".").split(".") if part]
        start = path.parent if not dots else path.parents[dots - 1] if dots <= len(path.parents) else path.parent
        for base in [start] if dots else [start, *added, *start.parents[:4]]:
            found = [base.joinpath(*parts[:count]) for count in range(1, len(parts) + 1)]
            packages = [one / "__init__.py" for one in found]
            files = [package if package.exists() else package.parent.with_suffix(".py") for package in packages]
            there = [file for file in files if file in self._files]
            if there:
                return there
        return []

    def places(self, path: Path, module: str, added: Sequence[Path] = ()) -> list[Path]:
        """Return all files that may be the module that an import in a program refers to.

        If the module is a folder without ``__init__.py``, the result contains the folder. The parameters are the same
        as for :meth:`files`. If a program in another folder imports this program, Python searches the other folder.
        """
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module.lstrip(".").split(".") if part]
        above = [up for up in path.parent.parents if up.is_relative_to(self._folder)]
        if dots:
            bases = path.parents[dots - 1 : dots]
        else:
            bases = [path.parent, *added, *above, *self._adding]
        found: list[Path] = []
        for base in dict.fromkeys(bases):
            there = base.joinpath(*parts)
            package, file = there / "__init__.py", there.with_suffix(".py") if parts else there / "__init__.py"
            if package.exists() or file.exists():
                found.append(package if package.exists() else file)
            elif there.is_dir() and any(there.glob("*.py")) and not is_there(parts[0] if parts else ""):
                found.append(there)
        return found


def module_in(folder: Path, module: str) -> bool:
    """Return whether a folder contains a module.

    Parameters
    ----------
    folder : Path
        The folder.
    module : str
        The module.

    Returns
    -------
    bool
        Whether the folder contains the module.
    """
    beside = folder / module
    return beside.with_suffix(".py").exists() or (
        beside.is_dir() and ((beside / "__init__.py").exists() or any(beside.glob("*.py")))
    )


def with_imported(results: Sequence[Result], own: Own) -> None:
    """Add the findings in the modules of a folder to the findings of each program that imports these modules.

    Parameters
    ----------
    results : sequence of Result
        Results of all programs, which are modified.
    own : Own
        Modules of the folder.
    """
    by_path = {result.path: result for result in results}
    reached_by: dict[Path, dict[Path, int]] = {}
    added_by: dict[Path, list[Path] | None] = {}
    for result in results:
        reached_by[result.path], added_by[result.path] = _reached(result, by_path, own)
    set_elsewhere = set().union(*(result.set_elsewhere for result in results))
    for result in results:
        result.findings += _not_in_their_modules(result, by_path, own, added_by[result.path] or (), set_elsewhere)
    direct = {result.path: list(result.findings) for result in results}
    imported = set().union(*reached_by.values())
    _make_relative(by_path, reached_by)
    for result in results:
        known = {(finding.kind, finding.what) for finding in result.findings}
        reached, added = reached_by[result.path], added_by[result.path]
        runs = result.is_program or result.path not in imported
        if runs:
            result.findings += _of_a_package(result)
        if runs and added is not None:
            files = [(result, 0), *((by_path[file], line) for file, line in reached.items())]
            result.findings += _off_the_path(files, added, own)
        names = _reached_names(result, [by_path[file] for file in reached])
        for file, line in reached.items():
            for finding in [*direct[file], *_beside_alone(by_path[file], result.path.parent)]:
                if finding.kind is Kind.FILE and (result.path.parent / finding.what).exists():
                    continue
                if finding.kind is Kind.FILE:  # the file may be optional in a module
                    finding = replace(finding, inside=tuple(filter(None, finding.inside)))
                if (
                    finding.kind in _STOPPING
                    and (finding.kind, finding.what) not in known
                    and not names.isdisjoint(finding.inside)
                ):
                    known.add((finding.kind, finding.what))
                    result.findings.append(replace(finding, line=line, edits=(), inside=("",), through=file.name))


def _not_in_their_modules(
    result: Result, by_path: Mapping[Path, Result], own: Own, added: Sequence[Path], set_elsewhere: Container[str]
) -> Iterator[Finding]:
    """Return the names that a program uses of its own modules, and that these modules don't define.

    Parameters
    ----------
    result : Result
        The program.
    by_path : mapping of Path to Result
        All files.
    own : Own
        The modules of the folder.
    added : sequence of Path
        The folders that the program adds to Python's search path.
    set_elsewhere : container of str
        The attributes that any file assigns, perhaps to a module.
    """
    seen = set()
    for module, name, line, inside, is_import in result.taken:
        places = own.places(result.path, module, added)
        is_known = (module, name) in seen or name in set_elsewhere or _is_of_every_module(name)
        if is_known or not places or (not is_import and any(place.name == "__init__.py" for place in places)):
            continue
        if all(_lacks(place, name, by_path) for place in places):
            seen.add((module, name))
            said = translate("{file} does not define it", file=own.name_of(places[0]))
            yield Finding(Kind.ABSENT, f"{module.rstrip('.')}.{name}", line, said, inside=(inside,))


def _is_of_every_module(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _lacks(place: Path, name: str, by_path: Mapping[Path, Result]) -> bool:
    """Return whether a module, or a folder without ``__init__.py``, certainly has no such name."""
    folder = place.parent if place.name == "__init__.py" else place
    if folder.is_dir() and ((folder / name).exists() or any(folder.glob(f"{name}.*"))):
        return False
    if place.is_dir():
        return True
    defined = by_path[place].defined if place in by_path else None
    return defined is not None and name not in defined


def _of_a_package(result: Result) -> Iterator[Finding]:
    """Return the relative imports of a program, which work only if the program runs as a module of its package."""
    for name, line in result.own_modules:
        if name.startswith(".") and name not in result.optional:
            yield Finding(Kind.FOLDER, name, line, translate("it runs only as a module of its package"))
            return


def _off_the_path(files: Sequence[tuple[Result, int]], added: Sequence[Path], own: Own) -> Iterator[Finding]:
    """Return the imports of a program that Python finds only if another folder is on its search path.

    Parameters
    ----------
    files : sequence of (Result, int)
        The program and its own imported modules, each with the line of the import.
    added : sequence of Path
        The folders that these files add to the search path.
    own : Own
        The modules of the folder.
    """
    program = files[0][0].path
    search_path = [program.parent, *added]
    seen = set()
    for file, leading in files:
        beside = {finding.what for finding in _beside_alone(file, program.parent)}
        for name, line in file.own_modules:
            first = name.partition(".")[0]
            if not first or first in seen or name in file.optional or f"import {first}" in beside:
                continue
            seen.add(first)
            place = own.place(file.path, first)
            if place is not None and not any(module_in(folder, first) for folder in search_path):
                run = f"PYTHONPATH={own.name_of(place)} d2lhybrid run {own.name_of(program)}"
                through = file.path.name if file.path != program else ""
                yield Finding(Kind.FOLDER, first, leading or line, run, through=through)
                search_path.append(place)


def _reached_names(result: Result, others: Sequence[Result]) -> set[str]:
    """Return the names that a program uses, and those used by the functions that it may call."""
    found = {""}.union(*result.names.values(), *(other.names.get("", ()) for other in others))
    definitions = [(name, used) for other in others for name, used in other.names.items() if name]
    while True:
        more = set().union(*(used for name, used in definitions if name in found)) - found
        if not more:
            return found
        found |= more


def _beside_alone(result: Result, start: Path) -> Iterator[Finding]:
    """Yield the findings for imports, without a dot, of a module in the same package, which only Python 2 resolves."""
    here = result.path.parent
    if here == start or not (here / "__init__.py").exists() or "sys.path" in result.text:
        return
    for name, line in result.own_modules:
        first = name.partition(".")[0]
        if first and module_in(here, first) and not any(module_in(up, first) for up in [start, *here.parents[:2]]):
            yield Finding(Kind.PYTHON2, f"import {first}", line, f"from .{first} import x")


def _make_relative(by_path: Mapping[Path, Result], reached_by: Mapping[Path, Mapping[Path, int]]) -> None:
    """Fix the imports in packages that only Python 2 resolves, unless a program in the same folder needs them."""
    importers: dict[Path, set[Path]] = {}
    for program, reached in reached_by.items():
        for file in reached:
            importers.setdefault(file, set()).add(program.parent)
    for file, folders in importers.items():
        if file.parent not in folders:
            result = by_path[file]
            beside = {f.what.removeprefix("import ") for folder in folders for f in _beside_alone(result, folder)}
            result.relative = list(_relative_imports(result.text, beside)) if beside else []


def _relative_imports(text: str, modules: Container[str]) -> Iterator[Edit]:
    """Return the edits that make imports of the modules relative."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found = re.match(r"\s*from\s+(?=\w)", lines[node.lineno - 1])
            if found and node.module.partition(".")[0] in modules:
                yield Edit(node.lineno, found.end(), found.end(), ".")
        elif isinstance(node, ast.Import) and all(alias.name in modules for alias in node.names):
            found = re.match(r"\s*(?=import\b)", lines[node.lineno - 1])
            if found:
                yield Edit(node.lineno, found.end(), found.end(), "from . ")


def _reached(result: Result, by_path: dict[Path, Result], own: Own) -> tuple[dict[Path, int], list[Path] | None]:
    """Return the files that run when a program begins, and the folders that they add to Python's search path.

    Each file is in a pair with the line of its import. The second value is None if the text doesn't show the folders.
    """
    added: list[Path] = []
    reached: dict[Path, int] = {}
    more: list[list[Path] | None] = []
    for _ in range(4):  # a module from an added folder may add another
        reached = _imported(result, by_path, own, added)
        more = [own.added(by_path[file], result.path) for file in (result.path, *reached)]
        folders = list(dict.fromkeys(folder for some in more for folder in some or ()))
        if folders == added:
            break
        added = folders
    return reached, None if None in more else added


def _imported(result: Result, by_path: dict[Path, Result], own: Own, added: Sequence[Path]) -> dict[Path, int]:
    """Return the files that run when a program begins, each with the line of its import."""
    found: dict[Path, int] = {}
    waiting = [(result.path, module, line) for module, line in result.own_modules]
    while waiting:
        path, module, line = waiting.pop()
        for file in own.files(path, module, added):
            if file not in found and file in by_path and file != result.path:
                found[file] = line
                waiting += [(file, name, line) for name, _ in by_path[file].own_modules]
    return found


add_words(
    {
        "it runs only as a module of its package": "它只能作为包里的模块运行",
        "{file} does not define it": "{file} 没有定义它",
    }
)
