"""The libraries: where they lie in their repositories, and which of their models cannot run, and why."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from ..clones import files_of, unpack


class Library(NamedTuple):
    """A library of models.

    Attributes
    ----------
    title : str
        Its name.
    version : str
        Which of its versions.
    commit : str
        What that is called in its repository.
    folders : tuple of str
        What is taken out of its repository.
    paths : tuple of str
        What of that is put on Python's path.
    recipe : str
        The module here that makes its models.
    stand_ins : dict of str to list of str
        Compiled modules, which would have to be built, and the names that are imported from them.
    reasons : dict of str to str
        How messages of failures begin, and what that means.
    """

    title: str
    version: str
    commit: str
    folders: tuple[str, ...]
    paths: tuple[str, ...]
    recipe: str
    stand_ins: dict[str, list[str]]
    reasons: dict[str, str]

    def explains(self, result: dict[str, Any]) -> str:
        """Return what is to be said of a result, nothing if nobody knows a reason."""
        if result["status"] in ("runs", "equal"):
            return "equal"
        if result["model"].endswith("_int8"):  # whose inputs MXNet is particular about
            return "is made of operators for 8-bit integers, which are absent on purpose"
        if _worst(result["message"]) <= _worst(result.get("itself", "")) < 0.01:
            words = "by rounding: {} of the largest number, where MXNet with oneDNN and without it differ by {}"
            return words.format(_worst(result["message"]), _worst(result["itself"]))
        who = "MXNet 1.9.1, too: " if result["who"] == "MXNet" else ""
        for pattern, reason in self.reasons.items():
            if re.match(pattern, f"{result['status']}: {result['message']}"):
                return who + reason
        return who + result["message"] if who else ""


def _worst(message: str) -> float:
    """Return by what part of the largest number two outputs differ, as a message says it."""
    found = re.search(r"^output \d+ .* differs by (\S+) of the largest", message)
    return float(found[1]) if found else float("inf")


LIBRARIES = [
    Library(
        "GluonCV", "0.10.0", "v0.10.0", ("gluoncv",), ("",), "gluon_cv", {},
        {
            r"not made: DeferredInitializationError": "copies numbers out of weights from elsewhere",
        },
    ),
    Library(
        "GluonNLP", "0.10.0", "v0.10.0", ("src/gluonnlp", "scripts"), ("src", ""), "gluon_nlp",
        {
            "gluonnlp.data.fast_bert_tokenizer": [
                "is_control", "is_punctuation", "is_whitespace", "BasicTokenizer", "WordpieceTokenizer",
            ]
        },
        {},
    ),
    Library("gluoncv2", "0.0.64", "c1a844dd", ("gluon/gluoncv2",), ("gluon",), "large_zoo", {}, {}),
]  # fmt: skip


def extract(git_directory: Path, folder: Path) -> Library:
    """Take a library out of a clone.

    Parameters
    ----------
    git_directory : Path
        The clone.
    folder : Path
        Where to.

    Returns
    -------
    Library
        Which it is.
    """
    for library in LIBRARIES:
        try:
            listed = files_of(git_directory, library.commit, *library.folders)
        except subprocess.CalledProcessError:  # it has no such version
            continue
        wanted = [path for path in listed if path.endswith((".py", ".json", ".csv", ".txt"))]
        if any(path.startswith(library.folders[0] + "/") for path in wanted):
            unpack(git_directory, library.commit, wanted, folder)
            return library
    known = ", ".join(f"{library.title} {library.version} ({library.commit})" for library in LIBRARIES)
    raise SystemExit(f"{git_directory} holds none of these: {known}.")
