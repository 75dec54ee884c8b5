"""Calls with arguments that the function rejects, if a program's text shows both."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any

__all__ = ["OwnFunctions", "refusal"]


def refusal(function: Callable[..., Any], call: ast.Call) -> str:
    """Return Python's error message about the arguments of a call, or an empty string.

    Parameters
    ----------
    function : callable
        The function or class.
    call : ast.Call
        The call.

    Examples
    --------
    >>> refusal(lambda x, y=1: x, ast.parse("f(1, z=3)", mode="eval").body)
    "got an unexpected keyword argument 'z'"
    >>> refusal(lambda x, y=1: x, ast.parse("f(*xs)", mode="eval").body)
    ''
    """
    if hasattr(function, "__signature__"):  # written for people to read; the function takes what it likes
        return ""
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return ""
    return _unbound(signature, call)


def _unbound(signature: inspect.Signature, call: ast.Call) -> str:
    unknown = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
    try:
        given = {keyword.arg: None for keyword in call.keywords if keyword.arg}
        places = [None for argument in call.args if not isinstance(argument, ast.Starred)]
        (signature.bind_partial if unknown else signature.bind)(*places, **given)
    except TypeError as error:
        return str(error)
    return ""


class OwnFunctions:
    """The functions and classes of a file that are bound once and have no decorators.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.
    """

    def __init__(self, tree: ast.Module) -> None:
        bound = [name for node in ast.walk(tree) for name in _binds(node)]
        self._signatures: dict[str, inspect.Signature] = {}
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and bound.count(node.name) == 1:
                signature = _signature(node)
                if signature is not None:
                    self._signatures[node.name] = signature

    def refusal(self, call: ast.Call) -> str:
        """Return Python's error message about a call of one of these functions, or an empty string."""
        signature = self._signatures.get(call.func.id) if isinstance(call.func, ast.Name) else None
        return "" if signature is None else _unbound(signature, call)


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _signature(node: ast.FunctionDef | ast.ClassDef) -> inspect.Signature | None:
    """Return the signature of a function or a class; None if the text does not show the signature."""
    if node.decorator_list:
        return None
    if isinstance(node, ast.FunctionDef):
        return _of_arguments(node.args, 0)
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    made = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__")]
    if node.keywords or len(made) != 1 or made[0].name != "__init__" or made[0].decorator_list:
        return None
    if not set(bases) <= _CALLED_BY_INIT:
        return None
    return _of_arguments(made[0].args, 1)


#: Base classes that do not change the signature of a subclass's ``__init__``.
_CALLED_BY_INIT = {"object", "Block", "HybridBlock", "Dataset", "Loss", "DataIter", "EvalMetric"}


def _of_arguments(arguments: ast.arguments, skipped: int) -> inspect.Signature | None:
    places = [*arguments.posonlyargs, *arguments.args]
    if len(places) < skipped:
        return None
    optional = len(places) - len(arguments.defaults)
    parameters = [
        Parameter(
            one.arg,
            Parameter.POSITIONAL_ONLY if i < len(arguments.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD,
            default=None if i >= optional else Parameter.empty,
        )
        for i, one in enumerate(places)
    ][skipped:]
    if arguments.vararg:
        parameters.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    parameters += [
        Parameter(one.arg, Parameter.KEYWORD_ONLY, default=Parameter.empty if default is None else None)
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        parameters.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)
