"""Limits of a check: calls from the examined program into code that is not examined.

Such code may be harmless. The check lists it, because "nothing is frozen" does not cover this code.
"""

from __future__ import annotations

import ast
import builtins
import functools
import types
from collections.abc import Iterator
from typing import Any

from d2lhybrid import autograd
from d2lhybrid.gluon import Block, Parameter

from ...support.words import translate
from .observing import Run
from .python_state import is_asked
from .source_reading import MISSING, Function, called_function, is_own_file, origin, ran, resolve

__all__ = ["unseen_by"]

_NO_TEXT = "{name} ({path}) has no readable source, so nothing in it was checked."
_COMPUTED = "line {line}, `{code}`: what it reads is known only while it runs."
_UNKNOWN = "line {line}, `{code}`: which function is called is known only while it runs."
_FOREIGN = "line {line}, `{code}`: the source of {module} was not read."
_SCOPE = "line {line}, `{code}`: a graph has no scopes. Hybridized, gradients flow, and the mode is that of the call."
_TAKEN = "line {line}, `{code}`: a call consumes items of an iterator, which cannot be restored."

#: Modules whose functions only depend on their arguments, or are examined elsewhere.
_KNOWN = {
    "builtins", "math", "cmath", "operator", "_operator", "functools", "itertools", "numpy", "d2lhybrid", "typing",
    "collections", "copy", "string", "re", "logging", "warnings", "contextlib", "fractions", "numbers", "pathlib",
}  # fmt: skip
_SCOPES = (autograd.pause, autograd.record, autograd.train_mode, autograd.predict_mode)
_COMPUTING = (builtins.eval, builtins.exec, builtins.vars, builtins.globals, builtins.locals, builtins.__import__)


def unseen_by(function: Function, trace: Run) -> Iterator[str]:
    """Yield a sentence for each expression in a function that runs unexamined code, or for a function without source.

    Parameters
    ----------
    function : Function
        The user's function, with its syntax tree.
    trace : Run
        The trace; code that the trace didn't run is not named.
    """
    if function.node is None:
        yield translate(_NO_TEXT, name=function.function.__name__, path=function.path)
        return
    called = {id(n.func) for n in ast.walk(function.node) if isinstance(n, ast.Call)}
    for node in ast.walk(function.node):
        if not isinstance(node, ast.Call | ast.Attribute) or not ran(trace, function, node):
            continue
        template, words = (_of_call if isinstance(node, ast.Call) else _of_attribute)(
            node, function, id(node) in called
        )
        if template:
            yield translate(template, line=node.lineno, code=_short(ast.unparse(node)), **words)


def _short(code: str) -> str:
    return code if len(code) <= 60 else f"{code[:57]}..."


def _of_attribute(node: Any, function: Function, called: bool) -> tuple[str, dict[str, str]]:
    return (_COMPUTED, {}) if node.attr == "__dict__" else ("", {})


def _of_call(node: Any, function: Function, called: bool) -> tuple[str, dict[str, str]]:
    what = resolve(node.func, function)
    if what is MISSING:
        return (_UNKNOWN, {}) if _is_outside(node.func, function) else ("", {})
    if what in _COMPUTING:
        return _COMPUTED, {}
    if what in _SCOPES:
        return _SCOPE, {}
    if what is builtins.getattr:
        fixed = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
        return ("", {}) if called or fixed or _is_space(node.args[0], function) else (_COMPUTED, {})
    if what is builtins.next:
        return (_TAKEN, {}) if _is_outside(node.args[0], function) else ("", {})
    if called_function(what) is not None or isinstance(what, Block | Parameter | functools.partial):
        return "", {}
    if is_asked(what) or origin(what) is not None or what is builtins.print:
        return "", {}
    owner = getattr(what, "__self__", None)
    kind = owner if isinstance(owner, type | types.ModuleType) else type(owner)
    module = getattr(what, "__module__", None) or getattr(kind, "__module__", None) or "builtins"
    if isinstance(what, type) and is_own_file(_file_of(what)):
        return "", {}
    known = module.partition(".")[0] in _KNOWN
    return ("", {}) if known else (_FOREIGN, {"module": module})


def _file_of(cls: type) -> str:
    for value in vars(cls).values():
        code = getattr(value, "__code__", None)
        if code is not None:
            return code.co_filename
    return ""


def _root(node: ast.AST) -> ast.AST:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def _is_outside(node: ast.AST, function: Function) -> bool:
    """Return whether an expression refers to an object outside the function, its block, and ``F``."""
    if isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name | ast.Attribute | ast.Subscript):
        return False  # a method of a value that a call has returned: that call is examined
    if isinstance(node, ast.Call) and resolve(node.func, function) is builtins.getattr:
        return not _is_space(node.args[0], function)
    root = _root(node)
    if not isinstance(root, ast.Name) or root.id == function.self_name:
        return False
    if isinstance(node, ast.Attribute) and isinstance(resolve(root, function), types.ModuleType):
        return resolve(node.value, function) is not MISSING
    return root.id not in function.function.__code__.co_varnames


def _is_space(node: ast.AST, function: Function) -> bool:
    """Return whether an expression is ``F``, a part of ``F``, or the block."""
    root = _root(node)
    return isinstance(root, ast.Name) and (
        root.id in (function.self_name, "F") or (isinstance(resolve(root, function), types.ModuleType)
        and getattr(resolve(root, function), "__name__", "").startswith("d2lhybrid"))
    )  # fmt: skip
