"""Questions about the parts of a small compiler: arrays, symbols, a trace, programs, and a cache.

A graph is sent as a list of lines ``[name, operator, inputs]``; an input is the name of a variable or of an earlier
line, or a number.
"""

from __future__ import annotations

import contextlib
import functools
import io
import linecache
import operator
from collections.abc import Callable
from typing import Any

import numpy

from .session import Session, probe
from .values import to_plain

Graph = list[list[Any]]

#: Operator -> function that applies it to objects of any class.
_DONE_BY = {"add": operator.add, "mul": operator.mul, "matmul": operator.matmul, "relu": lambda a: a.relu()}
#: The maximum number of symbols that are listed.
_MOST = 500


def _silent(function: Callable[..., Any]) -> Callable[..., Any]:
    """Suppress an answer's output during a question."""

    @functools.wraps(function)
    def asked(*args: Any, **kwargs: Any) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return function(*args, **kwargs)

    return asked


def _apply(graph: Graph, known: dict[str, Any]) -> Any:
    """Apply the operations of the lines to named objects, and return the result of the last line."""
    known, result = dict(known), None
    for name, op, inputs in graph:
        known[name] = result = _DONE_BY[op](*[known[i] if isinstance(i, str) else i for i in inputs])
    return result


@probe
@_silent
def compute(session: Session, values: dict[str, Any], graph: Graph) -> dict[str, Any]:
    """Create an object of the answer's class for each value, and apply the operations of a graph.

    Parameters
    ----------
    session : Session
        The session, whose answer is a class of arrays.
    values : dict of str to object
        The value of each variable.
    graph : list
        The lines of the graph.

    Returns
    -------
    dict of str to object
        The type and the value of the result, whether it is a new object of the same class, and the values that the
        arrays hold afterwards.
    """
    made = {name: session.answer(value.copy() if hasattr(value, "copy") else value) for name, value in values.items()}
    result = _apply(graph, made)
    held = getattr(result, "value", None)
    return {
        "type": type(result).__name__,
        "same_class": type(result) is type(next(iter(made.values()))),
        "has_value": hasattr(result, "value"),
        "value": held if isinstance(held, numpy.ndarray | numpy.generic) else {"type": type(held).__name__},
        "kept": {name: to_plain(getattr(one, "value", None)) for name, one in made.items()},
        "new": not any(result is one for one in made.values()),
    }


@probe
@_silent
def remember(session: Session, names: list[str], graph: Graph) -> dict[str, Any]:
    """Create a symbol for each name, apply the operations of a graph, and return the nodes of the result.

    Parameters
    ----------
    session : Session
        The session, whose answer is a class of symbols.
    names : list of str
        Names of the variables.
    graph : list
        The lines of the graph.

    Returns
    -------
    dict of str to object
        The name, the operator, and the inputs of each symbol, whether its class is that of the variables, and the
        position and the type of the result.
    """
    variables = [session.answer(name) for name in names]
    result = _apply(graph, dict(zip(names, variables, strict=True)))
    symbols, places = [*variables], {id(v): i for i, v in enumerate(variables)}
    listed: list[dict[str, Any]] = []

    def place_of(value: Any) -> list[Any]:
        if isinstance(value, int | float):
            return ["number", value]
        if not hasattr(value, "op"):
            return ["other", type(value).__name__]
        if id(value) not in places:
            places[id(value)] = len(symbols)
            symbols.append(value)
        return ["symbol", places[id(value)]]

    last = place_of(result)
    while len(listed) < min(len(symbols), _MOST):
        one = symbols[len(listed)]
        inputs = getattr(one, "inputs", None)
        listed.append({
            "name": to_plain(getattr(one, "name", ...)), "op": to_plain(getattr(one, "op", ...)),
            "inputs": [place_of(i) for i in inputs] if isinstance(inputs, list) else type(inputs).__name__,
            "same_class": type(one) is type(variables[0]),
        })  # fmt: skip
    return {"symbols": listed, "result": last, "type": type(result).__name__}


class _Array:
    """An array that stores a value."""

    value: Any = None

    def __init__(self, value: Any) -> None:
        self.value = value


class _Symbol:
    """A symbol that records its operator and its inputs."""

    name: Any = None
    op: Any = None
    inputs: Any = None

    def __init__(self, name: str | None, op: str | None = None, inputs: Any = ()) -> None:
        self.name, self.op, self.inputs = name, op, list(inputs)

    def _made(self, op: str, *inputs: Any) -> Any:
        return type(self)(None, op, inputs)

    def __add__(self, other: Any) -> Any:
        return self._made("add", self, other)

    def __mul__(self, other: Any) -> Any:
        return self._made("mul", self, other)

    def __matmul__(self, other: Any) -> Any:
        return self._made("matmul", self, other)

    def relu(self) -> Any:
        """Return the element-wise maximum with 0."""
        return self._made("relu", self)


def _passing_for(kind: Any, name: str, answer: Any) -> Any:
    """Return a class like ``kind``, whose objects are also instances of the answer's class with the given name.

    So an answer may call ``isinstance(value, Symbol)`` with its own class, whatever that class defines.
    """
    around = getattr(answer, "__globals__", {})
    known = [around.get(name), getattr(around.get("mini"), name, None)]
    classes = [one for one in dict.fromkeys(filter(None, known)) if isinstance(one, type)]
    ours = {special: getattr(object, special) for special in ("__eq__", "__hash__", "__setattr__")}
    try:
        return type(name, (kind, *classes), ours)
    except TypeError:  # the class does not support inheritance
        return kind


@probe
@_silent
def follow(session: Session, names: list[str], graph: Graph) -> dict[str, Any]:
    """Call the answer as ``answer(function, symbols)`` with a function that applies a graph.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    names : list of str
        Names of the variables.
    graph : list
        The lines of the graph.

    Returns
    -------
    dict of str to object
        The graph that the answer returned, whether it contains a tuple, and whether each call of the function had the
        right arguments.
    """
    kind = _passing_for(_Symbol, "Symbol", session.answer)
    symbols = [kind(name) for name in names]
    calls: list[bool] = []

    def function(*given: Any) -> Any:
        calls.append(len(given) == len(symbols) and all(a is b for a, b in zip(given, symbols, strict=False)))
        return _apply(graph, dict(zip(names, symbols, strict=True)))

    result = session.answer(function, symbols)
    return {"graph": to_plain(result), "tuple": _has_tuple(result), "calls": calls}


def _has_tuple(value: Any, depth: int = 200) -> bool:
    if isinstance(value, tuple):
        return True
    return isinstance(value, list) and depth > 0 and any(_has_tuple(item, depth - 1) for item in value)


@probe
@_silent
def rewritten(session: Session, graph: Graph) -> dict[str, Any]:
    """Call the answer with a graph; return the result, whether it contains a tuple, and the argument after the call."""
    result = session.answer(graph)
    return {"graph": to_plain(result), "tuple": _has_tuple(result), "given": to_plain(graph)}


class _Counting(numpy.ndarray):
    """An array that counts the NumPy functions that are applied to it."""

    count = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        _Counting.count += 1
        plain = [i.view(numpy.ndarray) if isinstance(i, _Counting) else i for i in inputs]
        if "out" in options:
            options["out"] = tuple(o.view(numpy.ndarray) if isinstance(o, _Counting) else o for o in options["out"])
        result = getattr(ufunc, method)(*plain, **options)
        return result.view(_Counting) if isinstance(result, numpy.ndarray) else result


@probe
@_silent
def run_program(session: Session, graph: Graph, values: dict[str, Any]) -> dict[str, Any]:
    """Generate a program with ``answer(graph, names)``, run the program on arrays, and count its operations.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    graph : list
        The lines of the graph.
    values : dict of str to array
        The value of each variable.

    Returns
    -------
    dict of str to object
        The type that the answer returned. For source code that defines ``program``, also the result of this function,
        the number of its NumPy operations, and whether it changed its arguments; for other source code, the names that
        it defines.
    """
    text = session.answer(graph, list(values))
    if not isinstance(text, str):
        return {"type": type(text).__name__}
    space: dict[str, Any] = {"numpy": numpy, "__name__": "__main__"}
    linecache.cache["the program"] = (len(text), None, text.splitlines(keepends=True), "the program")  # for errors
    exec(compile(text, "the program", "exec"), space)
    program = space.get("program")
    if not callable(program):
        return {"type": "str", "names": sorted(name for name in space if not name.startswith("__") and name != "numpy")}
    arrays = [value.copy() for value in values.values()]
    _Counting.count = 0
    result = program(*[array.view(_Counting) for array in arrays])
    changed = any(not numpy.array_equal(a, b) for a, b in zip(arrays, values.values(), strict=True))
    plain = result.view(numpy.ndarray) if isinstance(result, numpy.ndarray) else result
    return {"type": "str", "program": True, "result": to_plain(plain), "count": _Counting.count, "changed": changed}


@probe
@_silent
def cached_calls(session: Session, functions: int, calls: list[Any]) -> list[dict[str, Any]]:
    """Call the answer as ``answer(function, compiler)`` for several functions, and call the returned functions.

    A call is ``[index of the function, values]``. The compiler that the answer receives records its own calls. It
    also records calls of the function, and calls of its programs with wrong arguments.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    functions : int
        Number of functions.
    calls : list
        The calls, in order.

    Returns
    -------
    list of dict
        For each call: ``"value"``, the returned array, or None; ``"type"``, the type of the result; ``"builds"``, the
        function and the arguments of each compilation; and ``"wrong"``, with ``"function"`` for each call of a
        function, and ``"program"`` for each call of a program with wrong arguments.

    Raises
    ------
    TypeError
        If the answer passes the compiler a function that the question didn't provide.
    """
    kind: Any = _passing_for(_Array, "Array", session.answer)
    builds: list[list[Any]] = []
    wrong: list[str] = []

    def signature(arrays: Any) -> list[Any]:
        return [(a.value.shape, str(a.value.dtype)) for a in arrays]

    def function(*arrays: Any) -> Any:
        wrong.append("function")

    made_for = [lambda *arrays, n=n: function(*arrays) for n in range(functions)]

    def compiler(of: Any, arrays: Any) -> Any:
        if of not in made_for:
            raise TypeError("the compiler received a function that was not passed to hybridize")
        which, fits = made_for.index(of), signature(arrays)
        builds.append([which, [[list(shape), dtype] for shape, dtype in fits]])

        def program(*arrays: Any) -> Any:
            if signature(arrays) != fits:
                wrong.append("program")
            return kind(numpy.asarray(sum(float(a.value.sum()) for a in arrays) * (which + 1)))

        return program

    fast = [session.answer(of, compiler) for of in made_for]
    found: list[dict[str, Any]] = []
    for which, values in calls:
        builds.clear()
        wrong.clear()
        result = fast[which](*map(kind, values))
        value = getattr(result, "value", None)
        found.append({"value": value if isinstance(value, numpy.ndarray) else None, "type": type(result).__name__,
                      "builds": list(builds), "wrong": list(wrong)})  # fmt: skip
    return found
