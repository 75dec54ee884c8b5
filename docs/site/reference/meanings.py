"""What parameters mean that no docstring tells of, and whose names say little: ``meanings.txt``.

A line is ``gluon.rnn.GRU.dropout: ...`` for one parameter, ``gluon.rnn.*.dropout: ...`` for those of a whole module,
methods of its classes included.
"""

from __future__ import annotations

import functools
from pathlib import Path

from d2lhybrid.internals.frontends import parameter_words

__all__ = ["meaning_of", "meanings"]


@functools.cache
def meanings() -> dict[str, str]:
    """Return how a parameter is written -> what it means."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return {name: text for name, _, text in (line.partition(": ") for line in lines)}


def meaning_of(path: str, name: str) -> str:
    """Return what a parameter of a function or a class means; empty if nobody knows.

    Parameters
    ----------
    path : str
        How one writes the function, or the method.
    name : str
        The parameter.

    Examples
    --------
    >>> meaning_of("gluon.rnn.GRU", "hidden_size")
    'Size of the state.'
    """
    known = meanings()
    if here := known.get(f"{path}.{name}"):
        return here
    home = path
    while home := home.rpartition(".")[0]:
        if here := known.get(f"{home}.*.{name}"):
            return here
    return known.get(name, "") or parameter_words.meaning_of(name)
