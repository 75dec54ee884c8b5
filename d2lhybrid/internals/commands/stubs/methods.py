"""The stub of a class whose methods are operators: arithmetic and methods such as ``x.relu()``."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ...frontends.fluent import FLUENT_METHODS
from .functions import of_function, of_operator

__all__ = ["methods_class"]

#: Arithmetic method -> sign. Only arrays have the in-place methods, because a symbol has no memory to write to.
_ARITHMETIC = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "mod": "%", "pow": "**",
}  # fmt: skip
_COMPARISONS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}


def methods_class(module: ModuleType, array: str) -> str:
    """Return the stub of a module's class ``FluentMethods``, from which ``array`` is derived.

    Parameters
    ----------
    module : module
        The module.
    array : str
        Name of the derived class.

    Returns
    -------
    str
        The stub.
    """
    package = importlib.import_module(module.__name__.rpartition(".")[0])
    made = vars(vars(module)["FluentMethods"])
    methods = {name: _method(package, made[name], name, array) for name in _names(module, getattr(package, array))}
    lines = [_operator(name, sign, array) for name, sign in _ARITHMETIC.items()]
    lines += [f'    def __{name}__(self, other: Any) -> Self:\n        """Return ``self {sign} other``."""\n'
              for name, sign in _COMPARISONS.items()]  # fmt: skip
    for name, sign in (("eq", "=="), ("ne", "!=")):
        lines.append(
            f"    def __{name}__(self, other: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]\n"
            f'        """Return ``self {sign} other``."""\n'
        )
    lines += [methods[name] for name in sorted(methods)]
    summary = (vars(module)["FluentMethods"].__doc__ or "").partition("\n")[0]
    return f'class FluentMethods:\n    """{summary}"""\n\n' + "\n".join(lines)


def _names(module: ModuleType, derived: type) -> list[str]:
    """Return the methods that the derived class does not define itself."""
    made = vars(vars(module)["FluentMethods"])
    return [name for name in (*FLUENT_METHODS, "reshape") if name in made and name not in vars(derived)]


def _operator(name: str, sign: str, array: str) -> str:
    """Return the stub of an arithmetic operator, with its reflected form for an array on the right."""
    ways = [(name, f"self {sign} other"), (f"r{name}", f"other {sign} self")]
    if array == "NDArray" and name != "pow":
        ways.append((f"i{name}", f"self {sign}= other"))
    return "\n".join(
        f'    def __{way}__(self, other: Any) -> Self:\n        """Return ``{text}``."""\n' for way, text in ways
    )


def _method(package: ModuleType, made: Any, name: str, array: str) -> str:
    if made.__code__.co_name == name:  # hand-written
        return of_function(name, made, array, skip=1, method=True)
    function: Any = getattr(package, name)
    op = getattr(function, "operator", None)
    if op is not None:
        return of_operator(op, name, array, method=True)
    return of_function(name, function, array, skip=1, method=True)
