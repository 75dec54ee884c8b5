"""What a random program is: blocks made of statements, the arrays that it is given, and its text.

The text is everything: what runs is what is printed. A statement is a line of Python with places for the names of
the values that it uses, so that the shrinker can leave lines out, and put one value in the place of another.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy

__all__ = ["Array", "Block", "Function", "Input", "Program", "Statement"]

#: Operators and functions whose shapes follow from values, or from running them.
_FROM_VALUES = ("unique", "nonzero", "bincount", "delete", "boolean_mask", "Bent()")
#: A sign between two arrays, each a value, a weight, or the result of a call.
_SIGN = re.compile(r"(?:[})\]]|weight\d+) (?:[-+*/]|[<>=!]=?) \(?(?:\{\d\}|weight\d+|F\.)")

#: How the numbers of an array are made: maker -> text, given a seed, a shape and a dtype.
_MAKERS = {
    "normal": "numpy.random.default_rng({seed}).normal(size={shape})",
    "positive": "numpy.random.default_rng({seed}).uniform(0.3, 2, size={shape})",
    "whole": "numpy.random.default_rng({seed}).integers(0, 4, size={shape})",
    "signed": "numpy.random.default_rng({seed}).integers(-3, 4, size={shape})",
    "special": "numpy.random.default_rng({seed}).choice([0.0, -0.0, 1.5, -2.0, numpy.inf, -numpy.inf], size={shape})",
    "ones": "numpy.ones({shape})",
}


@dataclasses.dataclass(frozen=True)
class Array:
    """Numbers, as an expression that anybody can run.

    Attributes
    ----------
    maker : str
        How the numbers are made; ``"literal"`` if they are written down.
    shape : tuple of int
        The shape.
    dtype : str
        The element type.
    seed : int
        Where random numbers begin.
    data : tuple
        The elements in order, of a literal.
    """

    maker: str
    shape: tuple[int, ...]
    dtype: str
    seed: int = 0
    data: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """The expression."""
        if self.maker == "literal":
            special = any(isinstance(v, float) and not numpy.isfinite(v) for v in self.data)
            items = ", ".join(f"float('{v}')" if special else repr(v) for v in self.data)
            return f'numpy.array([{items}], "{self.dtype}").reshape({self.shape})'
        return _MAKERS[self.maker].format(seed=self.seed, shape=self.shape) + f'.astype("{self.dtype}")'

    @staticmethod
    def literal(value: Any) -> Array:
        """Return an array that is written down."""
        value = numpy.asarray(value)
        return Array("literal", value.shape, value.dtype.name, data=tuple(value.reshape(-1).tolist()))


@dataclasses.dataclass(frozen=True)
class Input:
    """One argument of the net."""

    name: str
    array: Array
    grad_req: str = "write"


@dataclasses.dataclass(frozen=True)
class Function:
    """A function inside a statement: the body of a loop, or a branch.

    Attributes
    ----------
    name : str
        What the statement calls it.
    parameters : str
        Its parameters, as text: names that begin with ``p``.
    statements : tuple of Statement
        Its lines.
    result : str
        What it returns: a template with a place for each of ``arguments``.
    arguments : tuple of str
        The values that it returns.
    head : tuple of str
        Lines before its statements, which take parameters apart.
    """

    name: str
    parameters: str
    statements: tuple[Statement, ...]
    result: str
    arguments: tuple[str, ...]
    head: tuple[str, ...] = ()

    @property
    def uses(self) -> set[str]:
        """The names that it takes from outside or from its parameters."""
        made = {t for s in self.statements for t in s.targets}
        used = {n for s in self.statements for n in s.uses} | set(self.arguments)
        return {n for n in used - made if not n.startswith("p")}

    def lines(self) -> Iterator[str]:
        """Yield its text."""
        yield f"def {self.name}({self.parameters}):"
        for line in self.head:
            yield f"    {line}"
        for statement in self.statements:
            for line in statement.lines():
                yield f"    {line}"
        yield f"    return {self.result.format(*self.arguments)}"


@dataclasses.dataclass(frozen=True)
class Statement:
    """One line: an expression, and the names of what it makes.

    Attributes
    ----------
    targets : tuple of str
        Names of the values.
    template : str
        The expression with ``{0}``, ``{1}`` ... for its arguments.
    arguments : tuple of str
        Names of the values that it uses.
    pattern : str
        What stands on the left, with places for the targets.
    declares : tuple of str
        Lines of ``__init__`` that it needs.
    functions : tuple of Function
        Functions that it calls.
    """

    targets: tuple[str, ...]
    template: str
    arguments: tuple[str, ...] = ()
    pattern: str = ""
    declares: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()

    @property
    def uses(self) -> set[str]:
        """The names of all values that it needs."""
        return set(self.arguments).union(*(f.uses for f in self.functions))

    def lines(self) -> Iterator[str]:
        """Yield its text."""
        for function in self.functions:
            yield from function.lines()
        left = self.pattern.format(*self.targets) if self.pattern else ", ".join(self.targets)
        yield f"{left} = {self.template.format(*self.arguments)}"

    def renamed(self, names: dict[str, str]) -> Statement:
        """Return the statement with other values in the place of some that it uses."""
        functions = tuple(
            dataclasses.replace(
                f,
                statements=tuple(s.renamed(names) for s in f.statements),
                arguments=tuple(names.get(a, a) for a in f.arguments),
            )
            for f in self.functions
        )
        return dataclasses.replace(self, arguments=tuple(names.get(a, a) for a in self.arguments), functions=functions)


@dataclasses.dataclass(frozen=True)
class Block:
    """A class of blocks.

    Attributes
    ----------
    name : str
        Its name.
    parameters : tuple of str
        The arguments of ``hybrid_forward`` after ``F``.
    statements : tuple of Statement
        Its lines.
    outputs : tuple of str
        What it returns.
    nested : bool
        Whether all outputs but the first come in a list.
    """

    name: str
    parameters: tuple[str, ...]
    statements: tuple[Statement, ...]
    outputs: tuple[str, ...]
    nested: bool = False

    @property
    def weights(self) -> list[str]:
        """Names of parameters of its own that arrive as keyword arguments."""
        declared = dict.fromkeys(d for s in self.statements for d in s.declares)
        return [d.partition(" ")[0].removeprefix("self.") for d in declared if "self.params.get" in d]

    def lines(self) -> Iterator[str]:
        """Yield its text."""
        yield f"class {self.name}(gluon.HybridBlock):"
        declares = list(dict.fromkeys(d for s in self.statements for d in s.declares))
        if declares:
            yield "    def __init__(self, **kwargs):"
            yield "        super().__init__(**kwargs)"
            yield "        with self.name_scope():"
            for line in declares:
                yield f"            {line}"
            yield ""
        yield f"    def hybrid_forward(self, F, {', '.join([*self.parameters, *self.weights])}):"
        for statement in self.statements:
            for line in statement.lines():
                yield f"        {line}"
        first, *rest = self.outputs
        yield (
            f"        return {first}, [{', '.join(rest)}]"
            if self.nested
            else f"        return {', '.join(self.outputs)}"
        )

    def needed(self) -> Block:
        """Return the block without lines that nobody uses."""
        wanted, kept = set(self.outputs), []
        for statement in reversed(self.statements):
            if wanted.intersection(statement.targets):
                kept.append(statement)
                wanted |= statement.uses
        return dataclasses.replace(self, statements=tuple(reversed(kept)))


@dataclasses.dataclass(frozen=True)
class Program:
    """A net, what it is called with, and what is done with it.

    Attributes
    ----------
    flavour : str
        ``"nd"`` or ``"np"``.
    blocks : tuple of Block
        Classes, each before those that use it; the last one is the net.
    inputs : tuple of Input
        What it is called with.
    steps : tuple of str
        What is done, see :mod:`.steps`.
    passed : tuple of int
        Which outputs are inputs, handed through.
    shared : tuple of int
        Which outputs share memory with something else when the net runs eagerly, as views do.
    trainable : bool
        Whether there are gradients.
    """

    flavour: str
    blocks: tuple[Block, ...]
    inputs: tuple[Input, ...]
    steps: tuple[Any, ...] = ()
    passed: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()
    trainable: bool = True

    @property
    def net(self) -> Block:
        """The block that is called."""
        return self.blocks[-1]

    @property
    def templates(self) -> Iterable[str]:
        """The expressions of all statements, also of those in functions."""

        def walk(statements: Iterable[Statement]) -> Iterator[str]:
            for statement in statements:
                yield statement.template
                for function in statement.functions:
                    yield from walk(function.statements)

        return [t for block in self.blocks for t in walk(block.statements)]

    @property
    def draws(self) -> bool:
        """Whether random numbers are drawn."""
        return any("Dropout(0." in line for b in self.blocks for s in b.statements for line in s.declares)

    @property
    def calls_functions(self) -> bool:
        """Whether there is a function of Python's, which no file holds."""
        return any("Bent()" in t for t in self.templates)

    @property
    def follows_values(self) -> bool:
        """Whether a shape follows from values, so that no shape of a parameter can be found beforehand."""
        return any(name in t for t in self.templates for name in _FROM_VALUES)

    @property
    def branches(self) -> bool:
        """Whether what runs depends on values."""
        return any("contrib.cond" in t for t in self.templates)

    @property
    def flows(self) -> bool:
        """Whether there are loops or branches: in a graph, states keep their shape and branches agree on theirs."""
        return any(name in t for t in self.templates for name in ("foreach", "while_loop", "contrib.cond"))

    @property
    def spreads(self) -> bool:
        """Whether signs between arrays may broadcast: those of legacy symbols do not."""
        return self.flavour == "nd" and any(_SIGN.search(t) for t in self.templates)

    def class_text(self) -> str:
        """Return the classes."""
        return "\n\n\n".join("\n".join(block.lines()) for block in self.blocks) + "\n"

    @property
    def size(self) -> int:
        """How long it is to read: what the shrinker makes smaller."""
        cost = sum(4 + len(s.uses) + 3 * len(s.functions) for b in self.blocks for s in b.statements)
        cost += sum(
            4 + len(s.arrays) + (0 if s.kind == "predict" else 1 if s.kind == "record" else 2) for s in self.steps
        )
        cost += sum(2 + (i.grad_req != "write") for i in self.inputs)
        return cost + 6 * len(self.blocks) + sum(len(b.outputs) for b in self.blocks) + self.net.nested
