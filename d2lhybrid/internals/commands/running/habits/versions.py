"""Version numbers and small functions of ``distutils``, which Python 3.12 removed."""

from __future__ import annotations

import functools
import re
import shutil
from pathlib import Path
from typing import Any

__all__ = ["LooseVersion", "StrictVersion", "copy_tree", "strtobool"]


@functools.total_ordering
class LooseVersion:
    """A version whose parts are numbers and words. A version can also be compared with a string.

    Parameters
    ----------
    vstring : str, optional
        The text.

    Examples
    --------
    >>> LooseVersion("1.10") > "1.9.1", LooseVersion("1.5.1b2").version
    (True, [1, 5, 1, 'b', 2])
    """

    def __init__(self, vstring: str | None = None) -> None:
        if vstring:
            self.parse(vstring)

    def parse(self, vstring: str) -> None:
        """Parse the text of a version into numbers and words.

        Parameters
        ----------
        vstring : str
            The text.
        """
        self.vstring = vstring
        parts = re.findall(r"\d+|[a-z]+|[^.\da-z]+", vstring)
        self.version: Any = [int(part) if part.isdigit() else part for part in parts]

    def __repr__(self) -> str:
        return f"{type(self).__name__} ({str(self)!r})"

    def __str__(self) -> str:
        return self.vstring

    def __eq__(self, other: object) -> bool:
        return self.version == self._other(other) if isinstance(other, (str, LooseVersion)) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.version < self._other(other) if isinstance(other, (str, LooseVersion)) else NotImplemented

    __hash__ = object.__hash__

    def _other(self, other: str | LooseVersion) -> Any:
        return (type(self)(other) if isinstance(other, str) else other).version


class StrictVersion(LooseVersion):
    """A version of two or three numbers, followed by ``a`` or ``b`` and a number if it is a prerelease.

    Parameters
    ----------
    vstring : str, optional
        The text.

    Raises
    ------
    ValueError
        If the text has another form.

    Examples
    --------
    >>> StrictVersion("1.2b1") < StrictVersion("1.2") < StrictVersion("1.2.1")
    True
    """

    def parse(self, vstring: str) -> None:
        """Parse the text of a version into numbers and the letter of a prerelease.

        Parameters
        ----------
        vstring : str
            The text.

        Raises
        ------
        ValueError
            If the text has another form.
        """
        found = re.fullmatch(r"(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?", vstring)
        if not found:
            raise ValueError(f"invalid version number '{vstring}'")
        self.vstring = vstring
        major, minor, patch, before, number = found.groups()
        # "c" sorts after "a" and "b": a release is later than what precedes it.
        self.version = (int(major), int(minor), int(patch or 0), before or "c", int(number or 0))


def strtobool(val: str) -> int:
    """Return 1 for a word that means yes, and 0 for a word that means no.

    Parameters
    ----------
    val : str
        The word.

    Returns
    -------
    int
        1 or 0.

    Raises
    ------
    ValueError
        If the word has neither meaning.

    Examples
    --------
    >>> strtobool("Yes"), strtobool("off")
    (1, 0)
    """
    word = val.lower()
    if word in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if word in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {word!r}")


def copy_tree(src: str, dst: str) -> list[str]:
    """Copy the files of a folder into another folder, and return the paths of the copies.

    Parameters
    ----------
    src, dst : str
        The folder to copy, and the destination, which may exist.

    Returns
    -------
    list of str
        Paths of the copies.
    """
    shutil.copytree(src, dst, symlinks=True, dirs_exist_ok=True)
    copied = (path for path in sorted(Path(src).rglob("*")) if not path.is_dir())
    return [str(Path(dst, path.relative_to(src))) for path in copied]
