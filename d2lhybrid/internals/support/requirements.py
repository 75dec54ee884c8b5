"""What this package requires, and whether it is installed: read from where it is declared.

In a copy of the repository that is ``pyproject.toml``, elsewhere what pip wrote down when it installed the package.
Nothing here imports a requirement, so that it can be asked where all of them are missing or broken.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import package

__all__ = ["Requirement", "installed_version", "missing", "repository", "required_python", "requirements"]

_PROJECT = "d2lhybrid"
_LINE = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?:\[[^]]*\])?\s*\(?(?P<limits>[^;)]*)\)?\s*(?:;(?P<marker>.*))?")
_LIMIT = re.compile(r"\s*(>=|<=|==|!=|~=|<|>)\s*([\w.]+)\s*")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")
_PLATFORM = re.compile(r"sys_platform\s*==\s*['\"](\w+)['\"]")


@dataclass(frozen=True)
class Requirement:
    """One line of the declaration.

    Attributes
    ----------
    name : str
        The distribution.
    limits : str
        Which versions will do, such as ``">=2"``; empty for all of them.

    Examples
    --------
    >>> numpy = Requirement("numpy", ">=2")
    >>> print(numpy, numpy.met_by("1.26.4"), numpy.met_by("2.4.0rc1"), numpy.met_by(None))
    numpy>=2 False True False
    """

    name: str
    limits: str = ""

    def __str__(self) -> str:
        return self.name + self.limits

    def met_by(self, version: str | None) -> bool:
        """Return whether a version will do; None stands for a distribution that is not installed."""
        if version is None:
            return False
        found = _numbers(version)
        return all(_meets(found, relation, limit) for relation, limit in _LIMIT.findall(self.limits))


def _meets(found: tuple[int, ...], relation: str, limit: str) -> bool:
    number = _numbers(limit)
    if relation == "~=":  # up to the last number but one
        series = tuple(int(part) for part in re.findall(r"\d+", limit)[:-1])
        return found >= number and (*found, *[0] * len(series))[: len(series)] == series
    return {">=": found >= number, "<=": found <= number, "==": found == number, "!=": found != number,
            "<": found < number, ">": found > number}[relation]  # fmt: skip


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version without zeros at the end; what comes before or after a release counts as it."""
    match = re.match(r"(?:\d+!)?v?(\d+(?:\.\d+)*)", version)
    numbers = [int(part) for part in match[1].split(".")] if match else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def repository() -> Path | None:
    """Return the folder of the repository that the package is run from, None if it was installed from a wheel."""
    folder = package.FOLDER.parent.resolve()
    return folder if f'name = "{_PROJECT}"' in _project_text(folder) else None


def _project_text(folder: Path) -> str:
    try:
        return (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _installed() -> importlib.metadata.Distribution | None:
    try:
        return importlib.metadata.distribution(_PROJECT)
    except importlib.metadata.PackageNotFoundError:
        return None


def _declared() -> list[str]:
    """Return the lines of requirements, those of the extras with a marker."""
    folder = repository()
    if folder is None:
        found = _installed()
        return list(found.requires or []) if found else []
    import tomllib

    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    lines = list(project["dependencies"])
    for extra, more in project["optional-dependencies"].items():
        lines += [f"{line}{' and' if ';' in line else ';'} extra == '{extra}'" for line in more]
    return lines


def required_python() -> Requirement:
    """Return which versions of Python will do; any Python from 3.8 on can ask.

    Examples
    --------
    >>> required_python().met_by("3.10.9"), required_python().met_by("3.11.0")
    (False, True)
    """
    folder = repository()
    if folder is not None:  # without tomllib, which too old a Python does not have
        match = re.search(r'^requires-python *= *"([^"]*)"', _project_text(folder), flags=re.MULTILINE)
        return Requirement("Python", match[1] if match else "")
    found = _installed()
    return Requirement("Python", str(found.metadata["Requires-Python"] or "") if found else "")


def requirements(extra: str | None = None) -> list[Requirement]:
    """Return what is required here: by the package itself, or for one of its extras.

    Parameters
    ----------
    extra : str, optional
        ``"lab"``, ``"onnx"``, ``"dev"`` ...

    Examples
    --------
    >>> [requirement.name for requirement in requirements()]
    ['numpy']
    """
    found = []
    for line in _declared():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        marker = match["marker"] or ""
        named, platform = _EXTRA.search(marker), _PLATFORM.search(marker)
        if (named[1] if named else None) == extra and (platform is None or sys.platform.startswith(platform[1])):
            found.append(Requirement(match["name"], match["limits"].strip()))
    return found


def installed_version(distribution: str) -> str | None:
    """Return the version of an installed distribution without importing it, None if there is none."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def missing(extras: Iterable[str] = ()) -> list[Requirement]:
    """Return what the package and these extras require and what is not installed, or too old.

    Examples
    --------
    >>> missing()
    []
    """
    wanted = [requirement for extra in (None, *extras) for requirement in requirements(extra)]
    return [requirement for requirement in wanted if not requirement.met_by(installed_version(requirement.name))]
