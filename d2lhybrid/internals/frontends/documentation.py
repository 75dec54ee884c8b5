"""Docstrings of the functions that are generated from operators, and descriptions of types.

The docstring of an operator's kernel describes only the parameters that are specific to the operator. This module adds
the names, types, and default values of all parameters from the signature, and the meanings of parameters that many
operators share (:mod:`.parameter_words`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy

from ..core.operator import REQUIRED, Attribute, Operator
from .parameter_words import meaning_of

__all__ = ["default_in_words", "function_docstring", "has_default", "kind_in_words", "names_of", "split"]

_WORDS = {"Shape": "tuple of int", "Floats": "tuple of float", "DType": "str or dtype", "Any": "object"}

#: The parameters that follow those of the operator, by the class of the function's arrays.
_TAIL = {
    "NDArray": {
        "out": ("NDArray or list of NDArray, optional", "The destination of the result."),
        "name": ("str, optional", "Ignored, because arrays have no names."),
    },
    "Symbol": {
        "name": ("str, optional", "The name of the node; by default, an automatic name."),
        "attr": ("dict of str to str, optional", "Further attributes of the node."),
        "out": ("optional", "Ignored, because a symbol has no memory."),
    },
}
_TAIL["_Symbol"] = _TAIL["Symbol"]
_TAIL["ndarray"] = _TAIL["NDArray"] | {
    "out": ("ndarray or list of ndarray, optional", "The destination of the result.")
}


def kind_in_words(attribute: Attribute) -> str:
    """Return a readable description of an attribute's type.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> attributes = get_operator("Pooling").attributes
    >>> kind_in_words(attributes["kernel"])
    'tuple of int'
    >>> kind_in_words(attributes["pool_type"])
    "{'avg', 'lp', 'max', 'sum'}"
    """
    kind = attribute.kind.partition(" | ")[0]
    if kind.startswith("Literal["):
        choices = sorted(re.findall(r"'[^']*'|-?\d+", kind))
        return "{" + ", ".join(choices) + "}"
    return _WORDS.get(kind, kind)


def has_default(attribute: Attribute) -> bool:
    """Return whether an attribute has a default value other than None."""
    return attribute.default is not REQUIRED and attribute.default is not None


def default_in_words(attribute: Attribute) -> str:
    """Return the default value of an attribute as Python source code.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> default_in_words(get_operator("one_hot").attributes["dtype"])
    "'float32'"
    """
    default = attribute.default
    return repr(default.name) if isinstance(default, numpy.dtype) else repr(default)


def function_docstring(op: Operator, array_word: str, tail: tuple[str, ...]) -> str:
    """Return the docstring of an operator's public function.

    Parameters
    ----------
    op : Operator
        The operator that the function calls.
    array_word : {"NDArray", "Symbol", "ndarray", "_Symbol"}
        The class of the function's arrays.
    tail : tuple of str
        The parameters after the attributes.

    Returns
    -------
    str
        The kernel's docstring, with a description of every parameter.
    """
    text = inspect.cleandoc(op.__doc__ or "")
    before, described, after = split(text)
    known = {name for line in described if line[:1].strip() for name in names_of(line)}
    described = [_with_default(op, line) if line[:1].strip() else line for line in described]
    missing = [line for name, lines in _parameters(op, array_word, tail) if name not in known for line in lines]
    section = ["Parameters", "----------", *described, *missing]
    return "\n\n".join(part for part in (before, "\n".join(section), after) if part) + "\n"


def split(text: str) -> tuple[str, list[str], str]:
    """Return the text of a docstring before the parameters, the parameters' lines, and the text after these lines."""
    lines = text.split("\n")
    starts = [i for i in range(len(lines) - 1) if re.fullmatch(r"-{3,}", lines[i + 1]) and lines[i]]
    if not starts:
        return text.strip(), [], ""
    if lines[starts[0]] != "Parameters":
        return "\n".join(lines[: starts[0]]).strip(), [], "\n".join(lines[starts[0] :]).strip()
    end = starts[1] if len(starts) > 1 else len(lines)
    described = "\n".join(lines[starts[0] + 2 : end]).strip()
    return "\n".join(lines[: starts[0]]).strip(), described.split("\n"), "\n".join(lines[end:]).strip()


def names_of(line: str) -> list[str]:
    """Return the names of parameters in a line such as ``stride, pad : tuple of int``."""
    return [name.strip().lstrip("*") for name in line.partition(" : ")[0].split(",")]


def _with_default(op: Operator, line: str) -> str:
    """Return the author's line for parameters with their default value added, unless the line mentions a default."""
    found = {
        default_in_words(attribute) if has_default(attribute) else None
        for attribute in map(op.attributes.get, names_of(line))
        if attribute is not None
    }
    default = found.pop() if len(found) == 1 else None
    if default is None or " : " not in line or "default" in line or "optional" in line:
        return line
    return f"{line}, default {default}"


def _meaning(op: Operator, name: str) -> list[str]:
    """Return the line with the shared meaning of a parameter that the author hasn't described, if there is one."""
    text = meaning_of(name, op)
    return [f"    {text}"] if text else []


def _parameters(op: Operator, array_word: str, tail: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    if op.variadic is not None:
        yield op.variadic, [f"*{op.variadic} : {array_word}", *_meaning(op, op.variadic)]
    for declared in op.inputs:
        line = f"{declared.name} : {array_word}" + (", optional" if declared.optional else "")
        yield declared.name, [line, *_meaning(op, declared.name)]
    for attribute in op.attributes.values():
        line = f"{attribute.name} : {kind_in_words(attribute)}"
        line += ", optional" if attribute.default is None else ""
        yield attribute.name, [_with_default(op, line), *_meaning(op, attribute.name)]
    words: dict[str, Any] = _TAIL.get(array_word, {})
    for name in tail:
        if name in words and name not in op.attributes:
            kind, meaning = words[name]
            yield name, [f"{name} : {kind}", f"    {meaning}"]
