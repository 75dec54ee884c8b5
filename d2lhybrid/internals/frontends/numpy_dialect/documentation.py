"""Docstrings of the functions of ``np``, with the meaning of every parameter and an example.

The text of a docstring remains unchanged. A parameter without a description gets its meaning from ``MEANINGS`` at the
top of the function's file (with a key such as ``"pad.mode"`` for a single function), or its general meaning. The
examples are in ``examples.txt``, each below the name of its function, and the tests run the examples.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

from ..documentation import names_of, split
from ..parameter_words import meaning_of

__all__ = ["completed", "examples", "key_of"]

#: The type of a parameter by name, for annotations of ``Any``, which stand for arrays and symbols.
_KINDS = {
    **dict.fromkeys(("a", "b", "m", "A", "arr", "ary", "array", "prototype", "p"), "array"),
    **dict.fromkeys(("x", "x1", "x2", "low", "high", "loc", "scale", "mean", "sigma", "df", "prob", "logit", "q",
                     "values", "a_min", "a_max"), "number or array"),
    **dict.fromkeys(("start", "stop", "step", "initial", "posinf", "neginf", "fill_value"), "number"),
    **dict.fromkeys(("arys", "arrays", "seq", "tup"), "array"),
    **dict.fromkeys(("shape", "newshape", "new_shape", "size", "batch_shape"), "int or tuple of int"),
    "axis": "int or tuple of int", "axes": "tuple of int", "dtype": "str or dtype", "ctx": "Context", "out": "array",
    "weights": "array", "reps": "int or tuple of int", "shift": "int or tuple of int", "dimensions": "tuple of int",
    "indices_or_sections": "int or list of int", "obj": "int, slice or array", "bins": "int or array",
    "source": "int or tuple of int", "destination": "int or tuple of int", "range": "pair of numbers", "cov": "array",
}  # fmt: skip


@functools.cache
def examples() -> dict[str, str]:
    """Return the examples in doctest format, by the functions' keys (:func:`key_of`).

    Examples
    --------
    >>> examples()["linalg.norm"].splitlines()[:2]
    ['>>> np.linalg.norm(np.array([3, 4]))', 'array(5.)']
    """
    text = files(__package__ or "").joinpath("examples.txt").read_text("utf-8")
    parts = (part.partition("\n") for part in text.strip().split("\n\n"))
    return {name: example for name, _, example in parts}


def key_of(module: str, name: str) -> str:
    """Return the key of a function's example: the function's name, with a prefix for ``linalg`` and ``random``.

    Examples
    --------
    >>> key_of("d2lhybrid.internals.frontends.numpy_dialect.random", "power")
    'random.power'
    >>> key_of("d2lhybrid.internals.frontends.numpy_dialect.order", "sort")
    'sort'
    """
    room = module.rpartition(".")[2]
    return f"{room}.{name}" if room in ("linalg", "random") else name


def completed(text: str | None, parameters: Iterable[inspect.Parameter], meanings: Mapping[str, str], key: str) -> str:
    """Return a docstring with a description of every parameter, in order, and an example if there is one.

    Parameters
    ----------
    text : str or None
        The docstring in the source code.
    parameters : iterable of inspect.Parameter
        The function's parameters.
    meanings : mapping of str to str
        The meanings of parameters in the function's file.
    key : str
        The key of the function's example.
    """
    before, described, after = split(inspect.cleandoc(text or ""))
    blocks = _blocks(described)
    lines, described_heads = [], set()
    for parameter in parameters:
        block = blocks.get(parameter.name)
        if block is None:
            own = meanings.get(f"{key.rpartition('.')[2]}.{parameter.name}") or meanings.get(parameter.name)
            meaning = own or meaning_of(parameter.name)
            lines += [_head(parameter), *([f"    {meaning}"] if meaning else [])]
        elif block[0] not in described_heads:
            described_heads.add(block[0])
            lines += block
    parts = [before, "\n".join(["Parameters", "----------", *lines]) if lines else "", after]
    if key in examples():
        parts.append(f"Examples\n--------\n{examples()[key]}")
    return "\n\n".join(filter(None, parts)) + "\n"


def _blocks(lines: list[str]) -> dict[str, list[str]]:
    """Return the lines about each parameter, starting with ``name : type``, by name; names may share lines."""
    blocks: dict[str, list[str]] = {}
    block: list[str] = []
    for line in lines:
        if line[:1].strip():
            block = []
            blocks.update(dict.fromkeys(names_of(line), block))
        block.append(line)
    return blocks


def _head(parameter: inspect.Parameter) -> str:
    """Return the text ``name : type, default`` for a parameter."""
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    annotation = parameter.annotation
    kind = "" if annotation in (parameter.empty, "Any") else str(annotation).replace(" | None", "")
    if stars != "**":
        kind = kind or _KINDS.get(parameter.name, "")
    if parameter.default is not parameter.empty:
        default = repr(parameter.default)
        plain = parameter.default is not None and not re.search(r"<|\bat 0x", default)
        kind = ", ".join(filter(None, [kind, f"default {default}" if plain else "optional"]))
    return f"{stars}{parameter.name} : {kind}" if kind and stars != "**" else f"{stars}{parameter.name}"
