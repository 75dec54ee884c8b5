"""Static analysis of ``hybrid_forward``, for code that a trace would freeze."""

from __future__ import annotations

import ast
import builtins
import functools
import linecache
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from d2lhybrid.gluon import Block, HybridBlock
from d2lhybrid.util import is_own_file, is_user_file

from ...support.display import Shown

__all__ = [
    "Function", "all_blocks", "called_function", "functions_of", "hits", "is_own_file", "is_plain", "origin", "ran",
    "resolve", "times_run", "unregistered",
]  # fmt: skip

MISSING = object()


@dataclass(repr=False)
class Function(Shown):
    """A user's function that runs when a block is called.

    Attributes
    ----------
    function : function
        The Python function object.
    block : Block
        Block that the function belongs to.
    path : str
        Path of the block in the net, such as ``"self"`` or ``"self.hidden"``.
    node : ast.AST or None
        Syntax tree, if the source is available.
    helper : bool
        Whether the function is not a method of the block, but a helper that a method calls.
    """

    function: Any
    block: Any
    path: str
    node: ast.AST | None
    helper: bool = False

    @property
    def filename(self) -> str:
        """The path of the file that contains the function."""
        return self.function.__code__.co_filename

    @property
    def self_name(self) -> str | None:
        """The name of the parameter that refers to the block, such as ``self``; None for helpers and lambdas."""
        arguments = getattr(self.node, "args", None)
        if arguments is None or self.helper or isinstance(self.node, ast.Lambda) or not arguments.args:
            return None
        return arguments.args[0].arg


def all_blocks(net: Any) -> list[tuple[str, Any]]:
    """Return the path and the object of a net and of every block in it, including unregistered blocks in containers."""
    found: list[tuple[str, Any]] = []
    seen: set[int] = set()

    def visit(path: str, block: Any) -> None:
        if id(block) in seen:
            return
        seen.add(id(block))
        found.append((path, block))
        for name, child in block._children.items():
            visit(f"{path}[{name}]" if name.isdigit() else f"{path}.{name}", child)
        for name, _, blocks in unregistered(block):
            for i, child in enumerate(blocks):
                visit(f"{path}.{name}[{i}]", child)

    visit("self", net)
    return found


def unregistered(block: Any) -> list[tuple[str, Any, list[Any]]]:
    """Return the attributes with unregistered blocks in a list, tuple, or dict: names, containers, and these blocks."""
    children = {id(c) for c in block._children.values()}
    result = []
    for name, value in vars(block).items():
        if name == "_children" or not isinstance(value, list | tuple | dict):
            continue
        parts = value.values() if isinstance(value, dict) else value
        blocks = [p for p in parts if isinstance(p, Block) and id(p) not in children]
        if blocks:
            result.append((name, value, blocks))
    return result


def functions_of(net: Any) -> list[Function]:
    """Return the user's functions that a call of the net may run."""
    found: list[Function] = []
    for path, block in all_blocks(net):
        functions: list[Any] = []
        for cls in type(block).__mro__:
            for name, value in vars(cls).items():
                if isinstance(value, property) and value.fget is not None:
                    value = value.fget
                value = getattr(value, "func", value)  # functools.cached_property
                if isinstance(value, types.FunctionType) and not (name.startswith("__") and name != "__call__"):
                    functions.append(value)
        functions += [v for v in vars(block).values() if isinstance(v, types.FunctionType)]  # as in HybridLambda
        for function in functions:
            while hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            if is_user_file(function.__code__.co_filename):
                found.append(Function(function, block, path, _tree_of(function.__code__)))
    return [*found, *_helpers(found)]


#: The maximum number of functions that are examined.
_MAX_HELPERS = 200


def _helpers(functions: Sequence[Function]) -> list[Function]:
    """Return the functions of the user's program that the given functions call, directly or indirectly."""
    known = {function.function.__code__ for function in functions}
    found: list[Function] = []
    waiting = [f for f in functions if isinstance(f.block, HybridBlock) and f.function.__name__ != "forward"]
    for caller in waiting:  # the loop extends this list
        for called in _mentioned(caller):
            if called.__code__ in known or len(found) >= _MAX_HELPERS:
                continue
            known.add(called.__code__)
            found.append(Function(called, caller.block, caller.path, _tree_of(called.__code__), helper=True))
            waiting.append(found[-1])
    return found


def _mentioned(caller: Function) -> Iterator[types.FunctionType]:
    """Return the functions of the user's program that a function calls or passes on."""
    for node in ast.walk(caller.node) if caller.node is not None else ():
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Load):
            called = called_function(resolve(node, caller))
            if called is not None:
                yield called
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Call):  # Class()()
            made = resolve(node.func.func, caller)
            called = called_function(vars(made).get("__call__")) if isinstance(made, type) else None
            if called is not None:
                yield called


def called_function(called: Any) -> types.FunctionType | None:
    """Return the function in the user's program that a call runs, or None if a call runs no such function.

    For methods, partial and cached functions, and objects with a ``__call__`` method, the result is the underlying
    function.
    """
    for _ in range(8):
        if isinstance(called, functools.partial):
            called = called.func
        elif isinstance(called, types.MethodType):
            called = called.__func__
        elif hasattr(called, "__wrapped__"):
            called = called.__wrapped__
        elif isinstance(called, types.FunctionType):
            return called if is_own_file(called.__code__.co_filename) else None
        elif isinstance(called, type | Block | types.ModuleType) or called is MISSING:
            return None
        else:
            called = vars(type(called)).get("__call__", MISSING)
    return None


def hits(run: Any, filename: str, nodes: list[ast.AST]) -> list[tuple[int, int]]:
    """Return the smallest and largest number of runs of the instructions at each source position in syntax nodes."""
    return [n for (file, *span), n in run.hits.items() if file == filename and contains(nodes, span)]


def times_run(run: Any, filename: str, nodes: Sequence[ast.AST]) -> int:
    """Return how often syntax nodes ran, without the repetitions by loops and functions inside the nodes."""
    repeated = [part for node in nodes for inner in ast.walk(node) for part in _repeated_by(inner)]
    spans = [(span, low) for (file, *span), (low, _) in run.hits.items() if file == filename]
    return max((low for span, low in spans if contains([*nodes], span) and not contains(repeated, span)), default=0)


def _repeated_by(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node that may run several times when the node runs once."""
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.target, *node.body]
    if isinstance(node, ast.While):
        return [*node.body]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        first, *others = node.generators
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return [*results, first.target, *first.ifs, *(part for one in others for part in ast.iter_child_nodes(one))]
    if isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef):
        return [*node.body] if isinstance(node.body, list) else [node.body]
    return []


def ran(run: Any, function: Function, node: ast.AST) -> bool:
    """Return whether a node ran; if there is no record of lines, the node is assumed to have run."""
    return not run.hits or bool(hits(run, function.filename, [node]))


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object, and the code objects of the functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)


def _tree_of(code: types.CodeType) -> ast.AST | None:
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):  # a notebook cell with a magic command, or without source
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if node.name == code.co_name and first == code.co_firstlineno:
                return node
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            columns = {column for line, _, column, _ in code.co_positions() if line == node.body.lineno}
            if node.body.col_offset in columns:
                return node
    return None


def is_plain(value: Any) -> bool:
    """Return whether a value is None, a number, a string, or a container of such values."""
    if value is None or isinstance(value, bool | int | float | str):
        return True
    if isinstance(value, list | tuple | set):
        return all(map(is_plain, value))
    return isinstance(value, dict) and all(is_plain(k) and is_plain(v) for k, v in value.items())


def resolve(expression: ast.AST, function: Function) -> Any:
    """Return the object that a name, ``a.b``, or ``a[0]`` refers to in a function, or MISSING if it is unknown."""
    if isinstance(expression, ast.Attribute):
        owner = resolve(expression.value, function)
        return MISSING if owner is MISSING else getattr(owner, expression.attr, MISSING)
    if isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
        owner, key = resolve(expression.value, function), cast(Any, expression.slice.value)
        try:
            return owner[key] if isinstance(owner, dict | list | tuple) else MISSING
        except (LookupError, TypeError):
            return MISSING
    if not isinstance(expression, ast.Name):
        return MISSING
    name = expression.id
    if name == function.self_name:
        return function.block
    plain = function.function
    for free, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
        if free == name:
            try:
                return cell.cell_contents
            except ValueError:
                return MISSING
    if name in plain.__code__.co_varnames:
        return _imported(name, function)
    if name in plain.__globals__:
        return plain.__globals__[name]
    return getattr(builtins, name, MISSING)


def _imported(name: str, function: Function) -> Any:
    """Return the object of a local name that the function itself imports."""
    assert function.node is not None
    for node in ast.walk(function.node):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name.split(".")[0]) != name:
                    continue
                if isinstance(node, ast.Import):
                    return sys.modules.get(alias.name if alias.asname else name, MISSING)
                return getattr(sys.modules.get(node.module or ""), alias.name, MISSING)
    return MISSING


_ORIGINS = {"random": "random", "secrets": "random", "uuid": "random", "time": "time", "datetime": "time"}


def origin(called: Any) -> str | None:
    """Return ``"random"`` or ``"time"`` for a function whose result varies between calls, and None for others.

    Examples
    --------
    >>> import random, time
    >>> origin(random.random), origin(time.time), origin(len)
    ('random', 'time', None)
    """
    owner = getattr(called, "__self__", None)
    candidates = [getattr(called, "__module__", None), getattr(owner, "__module__", None), type(owner).__module__]
    for module in candidates:
        if isinstance(module, str):
            if module.startswith("numpy.random"):
                return "random"
            if module in _ORIGINS:
                return _ORIGINS[module]
    return None


# --- branches and loops -----------------------------------------------------------------------------


@dataclass(repr=False)
class Choice(Shown):
    """A statement with which Python decides what runs: a branch or a loop.

    Attributes
    ----------
    kind : str
        ``"branch"`` or ``"loop"``.
    test : ast.AST
        Deciding expression: the condition, or the iterable of the loop.
    ways : list of list of ast.AST
        Statements that run if the condition holds, and for a branch, the statements that run if it doesn't.
    """

    kind: str
    line: int
    test: ast.AST
    ways: list[list[ast.AST]]

    @property
    def text(self) -> str:
        """The source of the deciding expression."""
        return ast.unparse(self.test)


def choices_of(function: Function) -> list[Choice]:
    """Return the branches and loops in a function."""
    found: list[Choice] = []
    for node in ast.walk(function.node) if function.node is not None else ():
        if isinstance(node, ast.If):
            found.append(Choice("branch", node.test.lineno, node.test, [list(node.body), list(node.orelse)]))
        elif isinstance(node, ast.IfExp):
            found.append(Choice("branch", node.test.lineno, node.test, [[node.body], [node.orelse]]))
        elif isinstance(node, ast.While):
            found.append(Choice("loop", node.test.lineno, node.test, [list(node.body)]))
        elif isinstance(node, ast.For):
            found.append(Choice("loop", node.lineno, node.iter, [list(node.body)]))
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            found.append(Choice("loop", node.lineno, node.generators[0].iter, [[node.elt]]))
        elif isinstance(node, ast.BoolOp):
            first = node.values[0]
            if isinstance(node.op, ast.Or):  # what follows runs if the first operand is false
                first = ast.copy_location(ast.UnaryOp(ast.Not(), first), first)
            found.append(Choice("branch", node.lineno, first, [list(node.values[1:]), []]))
    return found


def contains(nodes: list[ast.AST], span: Sequence[int]) -> bool:
    """Return whether a span (line, column, last line, last column) is inside one of the nodes."""
    for node in nodes:
        begin = (node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        if begin <= tuple(span[:2]) and tuple(span[2:]) <= end:
            return True
    return False
