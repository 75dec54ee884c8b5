"""A block under construction: statements are tried on arrays, and kept if they work."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy

import d2lhybrid as mx

from . import prelude
from .program import Array, Block, Input, Statement

__all__ = ["Builder", "flat"]

#: No value has more elements, and hardly any is larger in size.
MAX_ELEMENTS = 3000
MAX_VALUE = 300.0


def flat(value: Any) -> list[Any]:
    """Return all arrays in nested lists."""
    return [a for part in value for a in flat(part)] if isinstance(value, list | tuple) else [value]


class _Self:
    """What ``self`` is while a block is under construction: its layers, as attributes."""


class Builder:
    """Makes the statements of one block.

    Attributes
    ----------
    rng : random.Random
        All choices.
    flavour : str
        ``"nd"`` or ``"np"``.
    values : dict of str to NDArray
        What there is so far.
    inputs : list of Input
        The arguments of the block.
    blocks : list of Block
        Further classes that it needs.
    """

    def __init__(
        self, rng: random.Random, flavour: str, name: str = "Net", numbers: Callable[[], int] | None = None,
        blocks: list[Block] | None = None,
    ) -> None:  # fmt: skip
        self.rng, self.flavour, self.name = rng, flavour, name
        self.values: dict[str, Any] = {}
        self.inputs: list[Input] = []
        self.statements: list[Statement] = []
        self.blocks: list[Block] = [] if blocks is None else blocks
        count = iter(range(1 << 30))
        self.number = numbers or (lambda: next(count))
        self.names = prelude.namespace()
        self.self = _Self()
        self.layers: list[tuple[str, str, tuple[str, ...]]] = []  # template, declared, shapes: to call again
        self.fixed = False  # whether no further input may be made
        self.weights: dict[str, float] = {}  # how much oftener than usual a recipe is taken

    # --- choices ---

    def choose(self, items: Sequence[Any]) -> Any:
        """Return one of some things."""
        return self.rng.choice(items)

    def chance(self, share: float) -> bool:
        """Return True in this share of the cases."""
        return self.rng.random() < share

    def pick(self, fits: Callable[[Any], bool] = lambda a: True) -> str | None:
        """Return the name of a value that fits, mostly a late one."""
        names = [n for n, a in self.values.items() if fits(a)]
        if not names:
            return None
        if self.chance(0.6):
            return self.choose(names[-4:])
        return self.choose(names)

    def pick_float(self, rank: int | None = None, least: int = 0) -> str | None:
        """Return the name of a value with floating-point numbers."""
        return self.pick(
            lambda a: numpy.dtype(a.dtype).kind == "f" and a.ndim >= least and (rank is None or a.ndim == rank)
        )

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a value."""
        return self.values[name].shape

    def dtype(self, name: str) -> str:
        """Return the name of a value's element type."""
        return numpy.dtype(self.values[name].dtype).name

    def axis(self, name: str) -> int:
        """Return one of a value's axes, sometimes counted from the end."""
        rank = len(self.shape(name))
        return self.rng.randrange(-rank, rank) if rank else 0

    # --- making ---

    def new_input(self, array: Array, grad_req: str | None = None) -> str:
        """Add an argument."""
        name = f"x{self.number()}"
        req = grad_req or self.rng.choices(["write", "add", "null"], [7, 2, 1])[0]
        self.inputs.append(Input(name, array, req))
        self.values[name] = self.given(array)
        return name

    def given(self, array: Array) -> Any:
        """Return the numbers of an argument."""
        value = eval(array.text, {"numpy": numpy})
        return self.names["array"](value, mx.cpu())

    def fresh(self, shape: tuple[int, ...], dtype: str = "float32", maker: str = "normal") -> str:
        """Return a value of a type: an argument, or one that is there."""
        same = [n for n, a in self.values.items() if a.shape == shape and numpy.dtype(a.dtype).name == dtype]
        if same and maker == "normal" and self.chance(0.7):
            return self.choose(same)
        if self.fixed:
            return self.choose(same) if same else self.choose(list(self.values))
        return self.new_input(Array(maker, shape, dtype, self.rng.randrange(1000)))

    def call(
        self, template: str, *arguments: str | None, declares: Sequence[str] = (), functions: Sequence[Any] = (),
        pattern: str = "", targets: int | None = None,
    ) -> list[str] | None:  # fmt: skip
        """Add a statement if it works; return the names of what it makes."""
        if None in arguments:
            return None
        names = tuple(a for a in arguments if a is not None)
        trial = Statement(("result",), template, names, declares=tuple(declares), functions=tuple(functions))
        try:
            self._declare(declares)
            scope: dict[str, Any] = {**self.names, **self.values, "F": mx.nd, "self": self.self}
            exec(compile("\n".join(trial.lines()), "<fuzz>", "exec"), scope)
        except Exception:
            return None
        results = flat(scope["result"])
        if not self._traces(trial, results):
            return None
        if not results or not all(isinstance(r, mx.nd.NDArray) and self._sensible(r) for r in results):
            return None
        made = [f"v{self.number()}" for _ in results]
        if not pattern and isinstance(scope["result"], list | tuple):
            if any(isinstance(r, list | tuple) for r in scope["result"]):
                return None
            pattern = "[" + ", ".join(f"{{{i}}}" for i in range(len(made))) + "]"
        self.statements.append(Statement(tuple(made), template, names, pattern, tuple(declares), tuple(functions)))
        self.values.update(zip(made, results, strict=True))
        return made

    def _traces(self, trial: Statement, results: list[Any]) -> bool:
        """Return whether a statement means the same for symbols, as far as MXNet's does.

        A symbol has no shape to ask for; eager operators mix element types where a graph refuses; and ``n + 1.5`` of
        integers is one of integers at once, but of float64 in a graph.
        """
        symbols = {name: mx.sym.var(name, dtype=a.dtype, shape=a.shape) for name, a in self.values.items()}
        if self.flavour == "np":
            symbols = {name: symbol.as_np_ndarray() for name, symbol in symbols.items()}
        weights = {d.partition(" ")[0].removeprefix("self.") for d in trial.declares if "self.params.get" in d}
        for name in weights:
            symbols[name] = mx.sym.var(name).as_np_ndarray() if self.flavour == "np" else mx.sym.var(name)
        scope: dict[str, Any] = {**self.names, **symbols, "F": mx.sym, "self": self.self}
        try:
            exec(compile("\n".join(trial.lines()), "<fuzz>", "exec"), scope)
        except (AssertionError, AttributeError, IndexError, TypeError, NotImplementedError, ValueError):
            return False
        except Exception:
            return True
        try:
            types = [t for symbol in flat(scope["result"]) for t in symbol.infer_type_partial()[1] or ()]
        except mx.MXNetError:
            return False
        pairs = zip(types, results, strict=False)
        return all(t is None or numpy.dtype(t) == numpy.dtype(result.dtype) for t, result in pairs)

    def _declare(self, declares: Sequence[str]) -> None:
        """Make layers, with parameters that have numbers."""
        for line in declares:
            name = line.partition(" ")[0].removeprefix("self.")
            if hasattr(self.self, name) or name in self.values:
                continue
            if "self.params.get" in line:
                text = line.partition("shape=")[2]
                shape = eval(text[: text.index(")") + 1])
                self.names[name] = self.given(Array("normal", shape, "float32", len(self.statements)))
                continue
            layer = eval(
                line.partition(" = ")[2], {**self.names, **{b.name: self.names.get(b.name) for b in self.blocks}}
            )
            layer.initialize(mx.init.Uniform(0.5))
            setattr(self.self, name, layer)

    def _sensible(self, value: Any) -> bool:
        """Return whether a value is worth keeping: not large, seldom with infinite elements."""
        raw = value.asnumpy()
        if raw.size > MAX_ELEMENTS or (self.flavour == "nd" and (raw.size == 0 or raw.ndim == 0)):
            return False
        if raw.size == 0:
            return self.chance(0.3)
        if raw.dtype.kind != "f":
            return True
        finite = numpy.isfinite(raw)
        if not finite.all():
            return self.chance(0.03)
        return float(numpy.abs(raw).max()) < MAX_VALUE or self.chance(0.03)

    def line(self, table: dict[str, str], *arguments: Any, **words: Any) -> list[str] | None:
        """Add a call of one line of a table of texts, words in capitals replaced.

        An argument may be a function that makes it, for those that only some lines use.
        """
        lines = [text.strip() for text in table[self.flavour].splitlines() if text.strip()]
        template = self.choose(lines)
        for word, value in words.items():
            template = template.replace(word, str(value))
        used = [i for i in range(len(arguments)) if f"{{{i}}}" in template]
        for position, i in enumerate(used):
            template = template.replace(f"{{{i}}}", f"{{{position}}}")
        chosen = [arguments[i]() if callable(arguments[i]) else arguments[i] for i in used]
        return self.call(template, *chosen)

    def layer(self, expression: str, *arguments: str | None, extra: str = "", through: str = "{}") -> list[str] | None:
        """Add a call of a new layer; each argument goes `through` an expression first."""
        name = f"layer{self.number()}"
        if arguments and arguments[0] is not None and self.dtype(arguments[0]) == "float16":
            expression = f"half({expression})"
        places = ", ".join(through.format(f"{{{i}}}") for i in range(len(arguments)))
        template, line = f"self.{name}({places}){extra}", f"self.{name} = {expression}"
        made = self.call(template, *arguments, declares=[line])
        if made is not None:
            self.layers.append((template, line, tuple(a for a in arguments if a is not None)))
        return made

    # --- the whole ---

    def block(self, outputs: Sequence[str], nested: bool = False) -> Block:
        """Return what was made."""
        return Block(self.name, tuple(i.name for i in self.inputs), tuple(self.statements), tuple(outputs), nested)
