"""A verifier of generated programs, which runs and checks them line by line.

A generated program overwrites values, keeps them in an arena, and frees memory. The memory plan and the code generator
must make this safe, so the verifier uses neither the plan nor the generator. The verifier runs the source code of a
program on arrays, stores a copy of every computed value, and checks four rules:

* When a line reads a value, the value must have been written and must not have been overwritten.
* A line must compute the same result as the kernel of its operator on the same inputs.
* No line may write to arguments or constants, and views that are created once must be in the arena.
* Results must not alias each other, arguments, constants, or the arena.

The tests verify every program that they compile.
"""

from __future__ import annotations

import ast
import copy
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from ..core.codegen import PythonSource
from ..core.node import Node
from ..core.pipeline import Program

__all__ = ["WrongProgram", "verify"]

#: The tolerance between a line and its kernel, relative to the largest value, by type. A line may sum in another order
#: or call other functions.
TOLERANCES = {"float16": 2e-2, "float32": 1e-3, "float64": 1e-6}

#: CPython 3.11 counts the nesting of the syntax trees of all threads together, and raises a SystemError if two threads
#: parse at the same time.
_PARSING = threading.RLock()


class WrongProgram(AssertionError):
    """The error for a program that reads an invalid value, writes to a wrong address, or computes a wrong result."""


def verify(program: Program, arrays: Sequence[Any], generator: numpy.random.Generator | None = None) -> None:
    """Run and check all functions of a program, line by line.

    Parameters
    ----------
    program : Program
        A program for NumPy.
    arrays : sequence of numpy.ndarray
        The inputs of the program, which remain unchanged.
    generator : numpy.random.Generator, optional
        The generator for random operators, which remains unchanged.

    Raises
    ------
    WrongProgram
        If a check fails. The message contains the line.
    """
    rng = numpy.random.default_rng(0) if generator is None else copy.deepcopy(generator)
    given = [_read_only(a) for a in arrays]
    prepared = [] if program.prepare is None else _Run(program, program.prepare, rng).run(given)
    results = _Run(program, program.forward, rng, program.num_outputs).run([*given, *map(_read_only, prepared)])
    if program.backward is None:
        return
    residuals = results[program.num_outputs + len(program.forward_states) :]
    outputs = itertools.compress(results, program.heads)
    heads = [numpy.cos(numpy.arange(y.size)).reshape(y.shape).astype(y.dtype) for y in outputs]
    _Run(program, program.backward, rng).run([*given, *map(_read_only, [*residuals, *heads])])


def _statements(text: str) -> list[ast.stmt]:
    with _PARSING:
        return ast.parse(text).body


def _read_only(array: Any) -> Any:
    """Return a read-only copy."""
    result = numpy.array(array)
    result.flags.writeable = False
    return result


def _shares(a: Any, b: Any) -> bool:
    return bool(numpy.may_share_memory(a, b)) and a.size > 0 and b.size > 0


class _Run:
    """One run of one function of a program.

    Attributes
    ----------
    names : dict
        The global and local names of the function.
    made : dict of str to bytes
        The bytes of each named value at the time of its computation.
    base : dict of str to str
        For each view that is created once, the name of the array of which it is a view.
    """

    def __init__(
        self, program: Program, source: PythonSource, rng: numpy.random.Generator, num_outputs: int = 0
    ) -> None:
        self.program, self.source, self.rng, self.num_outputs = program, source, rng, num_outputs
        self.names: dict[str, Any] = dict(source.namespace)
        self.made: dict[str, bytes] = {}
        self.base: dict[str, str] = {}
        self.constants = {name: v for name, v in self.names.items() if isinstance(v, numpy.ndarray)}
        self.values: dict[tuple[Node, int], Any] = {}

    def fail(self, line: str | Sequence[ast.stmt], why: str) -> WrongProgram:
        if not isinstance(line, str):  # written out only here, because that takes as long as to run it
            line = "; ".join(map(ast.unparse, line))
        return WrongProgram(f"{why}\nin the line\n    {line}\nof the program\n{self.source}")

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Run the function on read-only arguments, and return copies of its results."""
        for name, value in self.constants.items():
            self.names[name] = _read_only(value)
            self.made[name] = value.tobytes()
        self._make_arena()
        [function] = _statements(self.source.text)
        assert isinstance(function, ast.FunctionDef)
        parameters = [a.arg for a in function.args.args]
        for name, value in zip(parameters, arguments, strict=False):
            self.names[name] = value
            self.made[name] = value.tobytes()
        if self.source.uses_generator:
            self.names[parameters[-1]] = self.rng
        results: list[Any] = []
        body = list(function.body)
        while body:
            node = self.source.line_nodes.get(body[0].lineno)
            count = 1
            while node is not None and count < len(body) and self.source.line_nodes.get(body[count].lineno) is node:
                count += 1
            lines, body = body[:count], body[count:]
            if isinstance(lines[0], ast.Return):
                results = self._results(lines[0], arguments)
            else:
                self._lines(lines, node)
        return results

    def _make_arena(self) -> None:
        """Allocate the arena and fill it with bytes that no computation writes."""
        for text in self.source.allocation:
            exec(text, self.names)
            [statement] = _statements(text)
            assert isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
            name = statement.targets[0].id
            if name == "arena":
                self.names["arena"].fill(0xFF)  # NaN in every floating-point type
                continue
            if not _shares(self.names[name], self.names["arena"]) and self.names[name].size:
                why = f"{name} is created once but is not a view of the arena, so writes to the arena do not change it"
                raise self.fail(text, why)
            bases = [n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name) and n.id in self.names]
            arrays = [n for n in bases if isinstance(self.names[n], numpy.ndarray) and n != "arena"]
            if arrays and not isinstance(statement.value, ast.Name):  # `a = b`: another value in the same memory
                self.base[name] = self.base.get(arrays[-1], arrays[-1])

    def _lines(self, lines: list[ast.stmt], node: Node | None) -> None:
        """Run the lines of one node; check that their inputs are unchanged and that their results match the kernel."""
        own: set[str] = set()
        inputs = self._inputs_of(node)
        for statement in lines:
            written = set(_written(statement))
            for name in _read(statement):
                name = self.base.get(name, name)
                if name not in own:
                    self._check_unchanged(name, statement)
            try:
                exec(compile(ast.Module([statement], []), "<verify>", "exec"), self.names)
            except (NameError, ValueError) as error:
                raise self.fail([statement], f"{type(error).__name__}: {error}") from error
            own |= {self.base.get(name, name) for name in written}
        for name in own:
            if isinstance(self.names.get(name), numpy.ndarray | numpy.generic):
                self.made[name] = self.names[name].tobytes()
        if node is not None and inputs is not None:
            self._check_results(node, inputs, lines)

    def _check_unchanged(self, name: str, statement: ast.stmt) -> None:
        value = self.names.get(name)
        if not isinstance(value, numpy.ndarray | numpy.generic):
            return
        if name not in self.made:
            raise self.fail([statement], f"{name} is read before it is written")
        if value.tobytes() != self.made[name]:
            raise self.fail([statement], f"{name} is read after another value was written to its memory")

    def _inputs_of(self, node: Node | None) -> list[Any] | None:
        """Return copies of a node's inputs; None if the results can't be compared with those of a kernel."""
        if node is None or node.op is None or node.op.uses_generator:
            return None
        labels = [self.source.labels.get(entry) for entry in node.inputs]
        if any(label is None or label not in self.names for label in labels):
            return None
        return [numpy.array(self.names[label]) for label in labels if label is not None]

    def _check_results(self, node: Node, inputs: list[Any], lines: Sequence[ast.stmt]) -> None:
        op = node.op
        assert op is not None
        extras = {"training": self.program.graph.training} if op.uses_training else {}
        body = node.params.get("body")

        def compute(inputs: list[Any]) -> list[Any]:
            with numpy.errstate(all="ignore"):
                if body is not None:
                    return _region(body, inputs)
                value = op.kernel(numpy, *op.arrange(node.params, inputs), **node.params, **extras)
                return list(value) if isinstance(value, tuple | list) else [value]

        expected = compute(inputs)
        for i, reference in enumerate(expected):
            label = self.source.labels.get((node, i))
            if label is None or label not in self.names:
                continue
            got, reference = numpy.asarray(self.names[label]), numpy.asarray(reference)
            if got.shape != reference.shape or got.dtype != reference.dtype:
                kinds = f"{got.dtype}{got.shape}, but its kernel returns {reference.dtype}{reference.shape}"
                raise self.fail(lines, f"output {i} of {op.name} is {kinds}")
            if _close(got, reference) or (body is not None and _as_exact(got, reference, body, inputs, i)):
                continue
            if not _is_rounding(got, reference, compute, inputs, i):
                raise self.fail(lines, f"output {i} of {op.name} is\n{got}\nbut its kernel returns\n{reference}")

    def _results(self, statement: ast.Return, arguments: Sequence[Any]) -> list[Any]:
        """Return copies of the results, and check that results that a caller may keep alias no other memory."""
        assert statement.value is not None
        for name in _read(statement):
            self._check_unchanged(self.base.get(name, name), statement)
        results = list(eval(compile(ast.Expression(statement.value), "<verify>", "eval"), self.names))
        outputs = results[: self.num_outputs]
        others = [*arguments, *(self.names[name] for name in self.constants)]
        if "arena" in self.names:
            others.append(self.names["arena"])
        for i, output in enumerate(outputs):
            if any(output is a for a in arguments):  # an input that is also an output may be shared
                continue
            if any(_shares(output, other) for other in others):
                raise self.fail([statement], f"output {i} shares memory with an argument, a constant, or the arena")
            if any(_shares(output, other) for other in outputs[:i]):
                raise self.fail([statement], f"output {i} shares memory with an earlier output")
            if not output.flags.writeable:
                raise self.fail([statement], f"output {i} is not writable")
        return [numpy.array(r) for r in results]


def _values(body: Any, inputs: list[Any]) -> dict[Any, Any]:
    """Return all values of a region, computed operator by operator."""
    known = body.known(inputs)
    for node in body.nodes:
        value = node.op.kernel(numpy, *[known[entry] for entry in node.inputs], **node.params)
        known.update(((node, i), v) for i, v in enumerate(value if isinstance(value, tuple | list) else [value]))
    return known


def _region(body: Any, inputs: list[Any]) -> list[Any]:
    """Return the outputs of a region, computed operator by operator."""
    known = _values(body, inputs)
    return [known[entry] for entry in body.outputs]


def _close(got: Any, expected: Any) -> bool:
    if got.dtype.kind not in "fc":
        return bool(numpy.array_equal(got, expected))
    tolerance = TOLERANCES.get(got.dtype.name, 1e-3)
    finite = numpy.isfinite(expected)
    scale = float(numpy.abs(expected[finite]).max()) if finite.any() else 1.0
    return bool(numpy.allclose(got, expected, rtol=tolerance, atol=tolerance * scale, equal_nan=True))


def _as_exact(got: Any, reference: Any, body: Any, inputs: list[Any], output: int) -> bool:
    """Return whether an output of a region is as exact as that of its kernels, considering cancellation.

    After cancellation, both values may be rounding errors, or one may be exactly zero, because C may fuse a product and
    a sum without intermediate rounding. Therefore, the tolerance of each element depends on the values from which it
    was computed.
    """
    if got.dtype.kind != "f":
        return False
    precise = numpy.longdouble if got.dtype.itemsize == 8 else numpy.float64
    with numpy.errstate(all="ignore"):
        values = _values(body, [a.astype(precise) if a.dtype.kind == "f" else a for a in inputs])
        exact = values[body.outputs[output]]
        rounding = numpy.abs(reference - exact)
        sizes = [numpy.abs(v) for v in map(numpy.asarray, values.values()) if v.shape == got.shape]
        unit = float(numpy.finfo(got.dtype).eps) * numpy.fmax.reduce([s for s in sizes if s.dtype.kind == "f"])
        finite = rounding[numpy.isfinite(rounding)]
        allowed = 8 * float(finite.max()) if finite.size else 0.0
        unit = numpy.where(numpy.isfinite(unit), unit, 0.0)
        tolerance = TOLERANCES.get(got.dtype.name, 1e-3)
        near = numpy.isclose(got, exact, rtol=tolerance, atol=allowed, equal_nan=True)
        return bool((near | (numpy.abs(got - exact) <= 4 * unit)).all())


def _is_rounding(
    got: Any, reference: Any, compute: Callable[[list[Any]], list[Any]], inputs: list[Any], output: int
) -> bool:
    """Return whether rounding errors of the inputs, or of products, can explain a difference, if a sum cancels.

    The kernel runs again on inputs that differ by one unit in the last place. Numbers with short mantissas remain
    unchanged, because they are exact and may be indices. The products that a contraction adds are rounded, too.
    """
    if got.dtype.kind != "f":
        return False
    rng = numpy.random.default_rng(0)
    spread = numpy.zeros(got.shape)
    with numpy.errstate(all="ignore"):
        for _ in range(8):
            again = numpy.asarray(compute([_moved(a, rng) for a in inputs])[output])
            if again.shape != got.shape:
                return False
            spread = numpy.fmax(spread, numpy.abs(again.astype("float64") - reference.astype("float64")))
        same = (got == reference) | (numpy.isnan(got) & numpy.isnan(reference))
        allowed = numpy.fmax(spread, _rounding_of_products(reference, compute, inputs, output))
        return bool((same | (numpy.abs(got.astype("float64") - reference.astype("float64")) <= 4 * allowed)).all())


def _rounding_of_products(
    reference: Any, compute: Callable[[list[Any]], list[Any]], inputs: list[Any], output: int
) -> Any:
    """Return the unit in the last place of the sum of all absolute products, for each element that cancels, else zero.

    An operator adds products, as ``dot`` does, if twice an input gives exactly twice the result, for each input.
    """
    for i, array in enumerate(inputs):
        doubled = [*inputs[:i], array * array.dtype.type(2), *inputs[i + 1 :]]
        if len(inputs) < 2 or not numpy.array_equal(compute(doubled)[output], 2 * reference, equal_nan=True):
            return 0.0
    sizes = numpy.asarray(compute([numpy.abs(a) for a in inputs])[output])
    return numpy.where(sizes > numpy.abs(reference), numpy.finfo(reference.dtype).eps * sizes.astype("float64"), 0.0)


def _moved(array: Any, rng: numpy.random.Generator) -> Any:
    if array.dtype.kind != "f":
        return array
    mantissa = numpy.frexp(array)[0].astype("float64") * 1024
    factor = 1 + rng.choice([-1.0, 1.0], array.shape) * numpy.finfo(array.dtype).eps
    return numpy.where(mantissa == numpy.rint(mantissa), array, array * factor).astype(array.dtype)


def _destinations(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions into which a line writes: ``out=``, and the arrays of ``copyto`` and ``fill``."""
    for call in ast.walk(statement):
        if not isinstance(call, ast.Call):
            continue
        yield from (
            k.value for k in call.keywords if k.arg is not None and (k.arg == "out" or k.arg.endswith("_given"))
        )
        if isinstance(call.func, ast.Name) and call.func.id.startswith("copyto"):
            yield call.args[0]
        if isinstance(call.func, ast.Attribute) and call.func.attr == "fill":
            yield call.func.value


def _written(statement: ast.stmt) -> Iterator[str]:
    """Yield the names to which a line assigns, or into which it writes."""
    for expression in _destinations(statement):
        yield from (n.id for n in ast.walk(expression) if isinstance(n, ast.Name))
    for name in ast.walk(statement):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
            yield name.id


def _read(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a line reads."""
    if isinstance(statement, ast.Delete):
        return
    written = {id(n) for expression in _destinations(statement) for n in ast.walk(expression)}
    for name in ast.walk(statement):
        if not isinstance(name, ast.Name) or id(name) in written:
            continue
        if isinstance(name.ctx, ast.Load) or isinstance(statement, ast.AugAssign):
            yield name.id
