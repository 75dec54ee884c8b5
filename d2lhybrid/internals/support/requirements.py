"""The requirements of this package according to its metadata, and a check that they are installed.

In a copy of the repository, the metadata is in ``pyproject.toml``. Otherwise, pip's record contains the metadata.
This module imports none of the requirements, so that it works if requirements are missing or broken.
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
_PYTHON = re.compile(r"python_version\s*([<>=!~]+)\s*['\"]([\d.]+)['\"]")


@dataclass(frozen=True)
class Requirement:
    """A requirement of this package.

    Attributes
    ----------
    name : str
        The name of the distribution.
    limits : str
        The supported versions, such as ``">=2"``; empty for all versions.

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
        """Return whether a version is supported. For None (a distribution that isn't installed), return False."""
        if version is None:
            return False
        found = _numbers(version)
        return all(_meets(found, relation, limit) for relation, limit in _LIMIT.findall(self.limits))


def _meets(found: tuple[int, ...], relation: str, limit: str) -> bool:
    number = _numbers(limit)
    if relation == "~=":  # equal up to the second-last number
        series = tuple(int(part) for part in re.findall(r"\d+", limit)[:-1])
        return found >= number and (*found, *[0] * len(series))[: len(series)] == series
    return {">=": found >= number, "<=": found <= number, "==": found == number, "!=": found != number,
            "<": found < number, ">": found > number}[relation]  # fmt: skip


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version's numbers without trailing zeros; a pre- or post-release counts as the release."""
    match = re.match(r"(?:\d+!)?v?(\d+(?:\.\d+)*)", version)
    numbers = [int(part) for part in match[1].split(".")] if match else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def repository() -> Path | None:
    """Return the folder of the repository from which the package runs, or None for a package from a wheel."""
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
    """Return the lines of the declared requirements. Lines of extras have a marker."""
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
    """Return the supported versions of Python. This function must run on Python 3.8 and newer.

    Examples
    --------
    >>> required_python().met_by("3.10.9"), required_python().met_by("3.11.0")
    (False, True)
    """
    folder = repository()
    if folder is not None:  # older versions of Python have no tomllib
        match = re.search(r'^requires-python *= *"([^"]*)"', _project_text(folder), flags=re.MULTILINE)
        return Requirement("Python", match[1] if match else "")
    found = _installed()
    return Requirement("Python", str(found.metadata["Requires-Python"] or "") if found else "")


def requirements(extra: str | None = None) -> list[Requirement]:
    """Return the requirements of the package, or of one of its extras, on this platform and version of Python.

    Parameters
    ----------
    extra : str, optional
        The name of the extra, such as ``"lab"``, ``"onnx"``, or ``"dev"``.

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
        named = _EXTRA.search(marker)
        if (named[1] if named else None) == extra and _is_for_this_python(marker):
            found.append(Requirement(match["name"], match["limits"].strip()))
    return found


def _is_for_this_python(marker: str) -> bool:
    """Return whether this process meets a marker's conditions on the platform and the version of Python."""
    platform = _PLATFORM.search(marker)
    limits = ",".join(f"{relation}{version}" for relation, version in _PYTHON.findall(marker))
    version = ".".join(map(str, sys.version_info[:2]))
    return (platform is None or sys.platform.startswith(platform[1])) and Requirement("Python", limits).met_by(version)


def installed_version(distribution: str) -> str | None:
    """Return the version of a distribution without an import, or None if the distribution isn't installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def missing(extras: Iterable[str] = ()) -> list[Requirement]:
    """Return the requirements of the package and of extras that aren't installed in a supported version.

    Examples
    --------
    >>> missing()
    []
    """
    wanted = [requirement for extra in (None, *extras) for requirement in requirements(extra)]
    return [requirement for requirement in wanted if not requirement.met_by(installed_version(requirement.name))]
