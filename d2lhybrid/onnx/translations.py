"""The mapping from operators to translation functions. The files of :mod:`.operators` add the functions.

A translation is similar to the operator's kernel. Its parameters are the ONNX graph under construction and the
operator's inputs and attributes. It returns the outputs::

    @translates("swish")
    def swish(g, data, *, beta):
        return g.Mul(data, g.Sigmoid(g.Mul(data, beta)))

A translation needs to be correct only for prediction, because a model file doesn't contain training steps.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Sequence
from typing import Any

from ..internals.core.operator import get_operator

__all__ = ["Translation", "Untranslatable", "find_translation", "translated_operators", "translates"]

#: ``translation(g, *inputs, **attributes)`` returns a value, or a sequence of values.
Translation = Callable[..., Any]

_TRANSLATIONS: dict[str, Translation] = {}


class Untranslatable(Exception):
    """The error for a node that ONNX cannot express. The message states the reason and an alternative."""


def translates(*names: str) -> Callable[[Translation], Translation]:
    """Register the translation of operators.

    Parameters
    ----------
    *names : str
        Names of the operators. A single alias of each operator is enough.

    Returns
    -------
    callable
        Decorator that registers a translation and returns it.

    Raises
    ------
    ValueError
        If an operator already has a translation.
    """

    def register(translation: Translation) -> Translation:
        for name in names:
            canonical = get_operator(name).name
            if canonical in _TRANSLATIONS:
                raise ValueError(f"operator {canonical} has two translations to ONNX")
            _TRANSLATIONS[canonical] = translation
        return translation

    return register


@functools.cache
def _load() -> None:
    """Import every file of translations."""
    from . import operators

    for module in pkgutil.iter_modules(operators.__path__):
        importlib.import_module(f"{operators.__name__}.{module.name}")


def find_translation(name: str) -> Translation | None:
    """Return the translation of an operator, or None if the operator has no translation.

    Parameters
    ----------
    name : str
        Name or alias of the operator.

    Returns
    -------
    callable or None
        The translation: ``translation(g, *inputs, **attributes)``.

    Examples
    --------
    >>> find_translation("FullyConnected").__name__
    'fully_connected'
    >>> find_translation("CTCLoss") is None
    True
    """
    _load()
    return _TRANSLATIONS.get(name)


def translated_operators() -> Sequence[str]:
    """Return the names of all operators that have a translation."""
    _load()
    return sorted(_TRANSLATIONS)
