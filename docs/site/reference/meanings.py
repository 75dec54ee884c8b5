"""The descriptions of parameters that no docstring describes, from ``meanings.txt``.

A line describes one parameter (``gluon.rnn.GRU.dropout: ...``), or all parameters of a name in a module and in the
methods of its classes (``gluon.rnn.*.dropout: ...``).
"""

from __future__ import annotations

import functools
from pathlib import Path

from d2lhybrid.internals.frontends import parameter_words

__all__ = ["meaning_of", "meanings"]


@functools.cache
def meanings() -> dict[str, str]:
    """Return the descriptions by the paths of the parameters."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return {name: text for name, _, text in (line.partition(": ") for line in lines)}


def meaning_of(path: str, name: str) -> str:
    """Return the description of a parameter of a function or class, or an empty string.

    Parameters
    ----------
    path : str
        The path of the function or method, such as ``gluon.rnn.GRU``.
    name : str
        The name of the parameter.

    Examples
    --------
    >>> meaning_of("gluon.rnn.GRU", "hidden_size")
    'The size of the state.'
    """
    texts = meanings()
    if text := texts.get(f"{path}.{name}"):
        return text
    parent = path
    while parent := parent.rpartition(".")[0]:
        if text := texts.get(f"{parent}.*.{name}"):
            return text
    return texts.get(name, "") or parameter_words.meaning_of(name)
