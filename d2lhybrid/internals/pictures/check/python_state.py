"""Python state that a trace reads: variables, classes, the environment, the thread, and the device."""

from __future__ import annotations

import array
import ast
import builtins
import collections
import contextvars
import decimal
import functools
import linecache
import logging
import os
import re
import reprlib
import sys
import threading
import types
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from d2lhybrid.context import Context, current_context
from d2lhybrid.gluon import Block, Parameter
from d2lhybrid.ndarray.ndarray import NDArray
from d2lhybrid.symbol.symbol import Symbol

from ...support.places import Place
from ...support.words import sentences, translate
from .findings import Finding
from .observing import Run, Variable
from .source_reading import MISSING, Function, is_own_file, is_plain, ran, resolve

try:
    import ctypes
except ImportError:  # as in a browser
    ctypes = None

__all__ = ["is_asked", "kept_symbols", "read_by", "talk_of"]

_ONCE = "hybrid_forward runs once, while the net is traced; what Python decides or computes then is frozen."
_VALUE = "{name} is frozen at {value}, whatever it is set to later."
_READ = "`{code}` is read while the net is traced, and never again."
_AGAIN = "Call net.hybridize() again after changing it, or make it an input, a Parameter, or a Constant."
_OUTSIDE = "Read it outside the net, and pass the value as an input; pass fixed values to __init__."
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*")


# --- constants -----------------------------------------------------------------------------------------


@functools.lru_cache(64)
def _changed_names(filename: str, size: int) -> frozenset[str]:
    """Return the names in a file that are assigned several times, assigned from outside, or changed in place."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return frozenset()
    seen: set[str] = set()
    changed: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal):
            changed.update(node.names)
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign):
            targets = [node.target, node.target]
        for target in targets:
            for part in ast.walk(target):
                name = getattr(part, "id", None) or getattr(part, "attr", None)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id not in seen:
                    seen.add(part.id)
                elif name:
                    changed.add(name)
    return frozenset(changed)


def _is_constant(name: str, filename: str) -> bool:
    """Return whether a name looks like a constant, and no code in its file changes it."""
    if not _CONSTANT_NAME.fullmatch(name):
        return False
    return name not in _changed_names(filename, len(linecache.getlines(filename)))


def _is_argument(name: str, function: Function) -> bool:
    """Return whether a closure variable is an argument of the enclosing function, which does not change it."""
    code = function.function.__code__
    if name in _changed_names(code.co_filename, len(linecache.getlines(code.co_filename))):
        return False
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return False
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        and node.lineno <= code.co_firstlineno <= (node.end_lineno or node.lineno)
        and node is not function.node
    ]
    named = [a.arg for node in around for a in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs)]
    stored = [
        n.id for node in around for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    return name in named and name not in stored


# --- state that is read --------------------------------------------------------------------------------


def read_by(function: Function, trace: Run) -> Iterator[Finding]:
    """Yield findings about the Python state that a user's function reads.

    Parameters
    ----------
    function : Function
        The user's function, with its syntax tree.
    trace : Run
        The trace; code that the trace didn't run is not reported.
    """
    inner = {id(n.value) for n in ast.walk(function.node or ast.Pass()) if isinstance(n, ast.Attribute)}
    for node in ast.walk(function.node) if function.node is not None else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inner:
            found = _variable(node, function)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found = _attribute(node, function)
        elif isinstance(node, ast.Call):
            found = _call(node, function)
        else:
            continue
        if found is not None and ran(trace, function, node):
            yield found


def _variable(node: ast.Name, function: Function) -> Finding | None:
    plain = function.function
    name = node.id
    code = plain.__code__
    if name in code.co_freevars:
        if name == "__class__" or _is_constant(name, code.co_filename) or _is_argument(name, function):
            return None
    elif name in code.co_varnames or name in code.co_cellvars or name not in plain.__globals__:
        return None
    if name.startswith("__") or _is_constant(name, code.co_filename):
        return None
    value = resolve(node, function)
    if isinstance(value, Symbol):
        return _kept(name, function, node.lineno)
    if value is MISSING or value is None or not (is_plain(value) or isinstance(value, _CHANGING)):
        return None
    return _finding("variable", name, value, function, node.lineno)


#: Types of mutable numeric containers.
_CHANGING = (numpy.ndarray, NDArray, collections.deque, array.array, bytearray)
if ctypes is not None:
    _CHANGING += (ctypes.Array, ctypes._SimpleCData)


def _attribute(node: ast.Attribute, function: Function) -> Finding | None:
    owner = resolve(node.value, function)
    if owner is os and node.attr in ("environ", "environb"):
        return _surroundings("environment", node, function)
    if owner is sys and node.attr in ("argv", "flags"):
        return _surroundings("environment", node, function)
    if owner is function.block and isinstance(node.value, ast.Name):
        return _own_attribute(node, function)
    if isinstance(owner, threading.local):
        return _surroundings("thread", node, function)
    if not _is_own(owner) and not _holds(owner, node.attr):
        return None
    value = getattr(owner, node.attr, None) if not isinstance(owner, types.ModuleType) else vars(owner).get(node.attr)
    if value is None or not is_plain(value) or _is_constant(node.attr, _file_of(owner)):
        return None
    return _finding("variable", ast.unparse(node), value, function, node.lineno)


def _own_attribute(node: ast.Attribute, function: Function) -> Finding | None:
    """Return the finding for ``self.name`` if the class stores or computes it."""
    block, name = function.block, node.attr
    if name in vars(block):
        value = vars(block)[name]
        return _kept(f"{function.path}.{name}", function, node.lineno) if isinstance(value, Symbol) else None
    for cls in type(block).__mro__:
        if name not in vars(cls):
            continue
        value, filename = vars(cls)[name], _file_of(cls)
        if not is_own_file(filename) or _is_constant(name, filename):
            return None
        if hasattr(type(value), "__get__") and not isinstance(value, types.FunctionType):
            try:
                value = value.__get__(block, cls)
            except Exception:  # the run reports the error
                return None
        if value is None or not is_plain(value):
            return None
        return _finding("attribute", f"{function.path}.{name}", value, function, node.lineno)
    return None


def _holds(owner: Any, name: str) -> bool:
    """Return whether a value has this attribute and is not a block, function, or module."""
    if owner is MISSING or isinstance(owner, Symbol | Block | Parameter | type | types.ModuleType | types.FunctionType):
        return False
    return name in getattr(owner, "__dict__", ())


def _is_own(owner: Any) -> bool:
    """Return whether a value is a module, a class, or an instance of a class in the user's program."""
    if owner is MISSING or isinstance(owner, Symbol):
        return False
    filename = _file_of(owner)
    return bool(filename) and is_own_file(filename)


def _file_of(owner: Any) -> str:
    if isinstance(owner, types.ModuleType):
        return getattr(owner, "__file__", None) or ""
    cls = owner if isinstance(owner, type) else type(owner)
    for value in vars(cls).values():  # for a class from a notebook, only its methods have a file
        code = getattr(value, "__code__", None)
        if code is not None:
            return code.co_filename
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


def _finding(kind: str, name: str, value: Any, function: Function, line: int) -> Finding:
    text = reprlib.repr(value)
    return Finding(
        kind, translate(_VALUE, name=name, value=text), translate(_ONCE), translate(_AGAIN), function.filename, line,
        text, name=name,
    )  # fmt: skip


def _surroundings(kind: str, node: ast.AST, function: Function) -> Finding:
    code = ast.unparse(node)
    return Finding(
        kind, translate(_READ, code=code), translate(_ONCE), translate(_OUTSIDE), function.filename,
        node.lineno, name=code,  # type: ignore[attr-defined]
    )  # fmt: skip


_ASKED: dict[Any, str] = {
    os.getenv: "environment",
    os.getpid: "thread",
    os.getcwd: "environment",
    threading.get_ident: "thread",
    threading.current_thread: "thread",
    threading.active_count: "thread",
    current_context: "context",
    vars(type(Context))["default_ctx"].fget: "context",
    decimal.getcontext: "thread",
    numpy.geterr: "thread",
    numpy.get_printoptions: "thread",
    os.cpu_count: "environment",
}
if hasattr(threading, "get_native_id"):  # a browser has none
    _ASKED[threading.get_native_id] = "thread"
#: Modules whose functions query the system.
_OUTSIDE_MODULES = {
    "posix", "nt", "os", "platform", "socket", "_socket", "subprocess", "locale", "_locale", "shutil", "glob",
    "tempfile", "sqlite3", "urllib", "gc", "inspect", "sys", "genericpath",
}  # fmt: skip


def _call(node: ast.Call, function: Function) -> Finding | None:
    called = resolve(node.func, function)
    if isinstance(getattr(called, "__self__", None), Parameter) and called.__name__ in ("data", "list_data", "grad"):
        return _surroundings("variable", node, function)
    kind = is_asked(called)
    return _surroundings(kind, node, function) if kind else None


def is_asked(called: Any) -> str:
    """Return the kind of finding for a function that reads state outside the net, or ``""`` for other functions.

    Examples
    --------
    >>> is_asked(os.getpid), is_asked(os.listdir), is_asked(os.path.join), is_asked(len)
    ('thread', 'environment', '', '')
    """
    called = getattr(called, "__func__", called)
    if isinstance(getattr(called, "__self__", None), contextvars.ContextVar):
        return "thread"
    try:
        kind = _ASKED.get(called, "")
    except TypeError:  # not hashable
        return ""
    owner = getattr(called, "__self__", None)
    owner = owner if isinstance(owner, types.ModuleType) else type(owner)
    module = getattr(called, "__module__", None) or getattr(owner, "__module__", None) or ""
    return kind or ("environment" if module.partition(".")[0] in _OUTSIDE_MODULES and called is not os.fspath else "")


# --- messages and stored symbols -----------------------------------------------------------------------


def talk_of(function: Function, trace: Run) -> Iterator[Finding]:
    """Yield findings for lines that warn, log, or write to a stream, because these lines run only in the trace."""
    for node in ast.walk(function.node) if function.node is not None else ():
        if not isinstance(node, ast.Call):
            continue
        called = resolve(node.func, function)
        said = called in (warnings.warn, sys.stderr.write, sys.stdout.write) if callable(called) else False
        said = said or _logs(node.func, function)
        said = said or (called is builtins.print and any(k.arg == "file" for k in node.keywords))
        if said and ran(trace, function, node):
            code = ast.unparse(node)
            yield Finding(
                "print", translate("`{code}` prints a message while the net is traced, and never again.", code=code),
                sentences(translate(_ONCE), translate("Compiled calls do not run it.")),
                translate("Print it outside the net, or call net.hybridize(False) while you need the message."),
                function.filename, node.lineno, differs=True, name=code,
            )  # fmt: skip


#: Functions of the logging module and methods of a logger that write a message.
_LOGGING = {"debug", "info", "warning", "warn", "error", "critical", "fatal", "exception", "log"}


def _logs(called: ast.expr, function: Function) -> bool:
    """Return whether an expression is a function that logs, such as ``logger.info``."""
    if not isinstance(called, ast.Attribute) or called.attr not in _LOGGING:
        return False
    if isinstance(called.value, ast.Call):
        return resolve(called.value.func, function) is logging.getLogger
    owner = resolve(called.value, function)
    return owner is logging or isinstance(owner, logging.Logger)


def _kept(name: str, function: Function, line: int) -> Finding:
    return Finding(
        "kept", translate("`{name}` is a Symbol of another trace.", name=name),
        translate("A Symbol belongs to its own graph; in another graph, it is an additional input, or raises an "
                  "error."),
        translate("Return the value as another output, and pass it as an input to the next call."),
        function.filename, line, differs=True, name=name,
    )  # fmt: skip


def kept_symbols(variables: Sequence[Variable], functions: Sequence[Function]) -> Iterator[Finding]:
    """Yield findings for variables that contain a Symbol after the trace, where the user expects an array."""
    for variable in variables:
        before = _parts_of(variable.stored)
        new = [part for part in _parts_of(variable.read()) if all(part is not one for one in before)]
        line = _line_of(variable, functions) if any(isinstance(part, Symbol) for part in new) else None
        if line is not None:
            yield Finding(
                "kept", translate("`{name}` keeps a Symbol of the trace.", name=variable.name),
                translate("Eagerly, it keeps an array; hybridized, only the trace sets it, and a Symbol has no "
                          "values."),
                translate("Return the value as another output, and pass it as an input to the next call."),
                *line, differs=True, name=variable.name,
            )  # fmt: skip


def _parts_of(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.values()]
    return [*value] if isinstance(value, list | tuple) else [value]


def _line_of(variable: Variable, functions: Sequence[Function]) -> Place | None:
    """Return the first line that contains a variable's name."""
    short = variable.name.removeprefix("self.")
    for function in functions:
        if variable.owner is None or function.block is variable.owner:
            for node in ast.walk(function.node) if function.node is not None else ():
                if short in (getattr(node, "attr", None), getattr(node, "id", None)):
                    return Place(function.filename, node.lineno)  # type: ignore[attr-defined]
    return None
