"""A random program from a number."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from . import layers  # noqa: F401  registers its recipes
from .builder import Builder
from .layers import grow
from .program import Array, Program
from .running import Reference, draws_aside, flavoured, graph_takes, unused_parameters, with_sharing
from .samples import add_samples
from .steps import Step

__all__ = ["generate"]

_SHAPES = [
    (2, 3), (2, 3), (4, 4), (3, 4), (1, 3), (3, 1), (2, 3, 4), (3, 2, 2), (2, 1, 3), (4,), (1,), (2, 2, 4, 4),
    (1, 2, 5, 5), (2, 4, 3, 3), (1, 1, 6, 6), (2, 1, 3, 3, 3), (6, 6), (8, 5), (1, 2, 3), (5, 1, 2),
]  # fmt: skip


class Theme(NamedTuple):
    """What a program is mostly about: how much oftener some recipes are taken, shapes of inputs, and float16."""

    weights: dict[str, float]
    shapes: Sequence[tuple[int, ...]] = _SHAPES
    half: bool = False


THEMES = [
    Theme({}),
    Theme({}),
    Theme({"unary": 4, "binary": 4, "scalar": 4, "split": 3, "join": 3, "broadcast": 3, "where": 2}),
    Theme({"reshape": 4, "turn": 4, "units": 3, "cut": 4, "spread": 3, "split": 3, "join": 3, "reduce": 2}),
    Theme(
        {
            "stack": 40,
            "convolution": 8,
            "pooling": 6,
            "norm": 4,
            "dense": 3,
            "join": 2,
            "again": 2,
            "small_layer": 2,
            "dropout": 2,
        },
        [(2, 2, 6, 6), (1, 3, 5, 7), (3, 1, 6, 5), (1, 2, 8, 8), (4, 2, 3, 3), (2, 4, 4, 4)],
    ),
    Theme(
        {"foreach": 6, "while_loop": 5, "cond": 5, "unrolled": 8, "recurrent": 6, "embedding": 4, "sequence": 4},
        [(2, 3, 4), (3, 2, 2), (2, 2, 2), (1, 3, 2), (4, 1, 2), (3, 2)],
    ),
    Theme({"product": 6, "dense": 4, "normalize": 4, "reduce": 3, "turn": 2, "own_parameter": 3}),
    Theme(
        {"deconvolution": 12, "convolution": 3, "norm": 2},
        [(1, 2, 3, 3), (2, 4, 2, 3), (2, 2, 4), (1, 2, 2, 2, 2)],
    ),
    Theme({"function_in_python": 6, "operator_in_python": 8, "embedding": 4}),
    Theme({"dense": 4, "convolution": 2, "norm": 3, "unary": 2, "product": 2, "reduce": 2}, half=True),
    Theme({"child": 8, "again": 6, "dense": 2, "norm": 2, "own_parameter": 3}),
]


def _shape(rng: random.Random, flavour: str, theme: Theme) -> tuple[int, ...]:
    if flavour == "np" and rng.random() < 0.08:
        return rng.choice([(), (0,), (0, 3), (2, 0), (1, 0, 2)])
    return rng.choice(theme.shapes)


def _dtype(rng: random.Random, flavour: str, theme: Theme) -> tuple[str, str]:
    """Return an element type, and how the numbers are made."""
    if theme.half and rng.random() < 0.8:
        return "float16", "normal"
    if rng.random() < 0.85:
        return "float32", rng.choice(["normal", "normal", "normal", "positive", "signed"])
    dtype = rng.choice(
        ["float16", "float64", "int32", "int64", "int8", "uint8"] + (["bool"] if flavour == "np" else [])
    )
    return dtype, "normal" if dtype.startswith("float") else "whole"


def _build(rng: random.Random, flavour: str) -> Program:
    builder, theme = Builder(rng, flavour), rng.choice(THEMES)
    builder.weights = theme.weights
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        dtype, maker = _dtype(rng, flavour, theme)
        builder.new_input(Array(maker, _shape(rng, flavour, theme), dtype, rng.randrange(1000)))
    if rng.random() < 0.3:  # two of the same type, so that one array can be passed twice
        first = builder.inputs[0].array
        builder.new_input(dataclasses.replace(first, seed=first.seed + 1))
    want = rng.choice([1, 2, 3, 5, 8, 12, 18])
    share = rng.choice([0.0, 0.1, 0.4, 0.9])
    for _ in range(3 * want):
        if len(builder.statements) >= want:
            break
        if rng.random() < share:
            add_samples(builder)
        else:
            grow(builder, len(builder.statements) + 1)
    return _finish(builder, rng)


def _finish(b: Builder, rng: random.Random) -> Program:
    """Choose outputs: the ends of chains, values in their midst, inputs, and the same one twice."""
    used = {n for s in b.statements for n in s.uses}
    made = [t for s in b.statements for t in s.targets]
    ends = [t for t in made if t not in used] or [i.name for i in b.inputs]
    outputs = rng.sample(ends, min(len(ends), rng.choice([1, 2, 3, 5])))
    if made and rng.random() < 0.4:
        outputs += rng.sample(made, min(len(made), rng.choice([1, 2])))
    if rng.random() < 0.08:
        outputs.append(rng.choice(b.inputs).name)
    if rng.random() < 0.9:
        outputs = list(dict.fromkeys(outputs))
    rng.shuffle(outputs)
    block = b.block(outputs, nested=len(outputs) > 1 and rng.random() < 0.15).needed()
    needed = {n for s in block.statements for n in s.uses} | set(block.outputs)
    inputs = [i for i in b.inputs if i.name in needed] or b.inputs[:1]
    block = dataclasses.replace(block, parameters=tuple(i.name for i in inputs))
    return Program(b.flavour, _used_blocks([*b.blocks, block]), tuple(inputs))


def _used_blocks(blocks: list[Any]) -> tuple[Any, ...]:
    """Return the classes that the last one needs."""
    kept: list[Any] = []
    text = ""
    for block in reversed(blocks):
        if not kept or f"{block.name}()" in text:
            kept.insert(0, block)
            text += "\n".join(block.lines())
    return tuple(kept)


_CALLS = {
    "predict": 4, "train": 1, "record": 5, "record in prediction": 1, "backward twice": 1, "two at once": 1,
    "used further": 1, "some heads": 1.5, "one head after another": 0.5, "second": 1.5, "third": 0.4, "penalty": 1,
    "accumulate": 0.7, "forgotten": 0.3, "trainer": 1, "set": 1, "assign": 1, "assign a view": 0.5, "in place": 0.5,
    "copy": 0.5, "input": 0.5, "scribble": 1.5, "bad": 0.5, "few": 0.2, "eager again": 0.2, "hybrid again": 0.3,
}  # fmt: skip
_TRAINING = {
    "record",
    "record in prediction",
    "backward twice",
    "two at once",
    "used further",
    "some heads",
    "one head after another",
    "second",
    "third",
    "penalty",
    "accumulate",
    "trainer",
    "forgotten",
}


#: One array in the place of all arguments; all but the first need gradients.
_SAME_TWICE = ["same twice", "same twice recorded", "same twice second"]


def _steps(program: Program, rng: random.Random) -> tuple[Step, ...]:
    weights = {k: w for k, w in _CALLS.items() if program.trainable or k not in _TRAINING}
    first = rng.choice(["record", "record", "predict"]) if program.trainable else "predict"
    kinds = [first, *rng.choices(list(weights), list(weights.values()), k=rng.choice([0, 0, 1, 2, 4]))]
    arrays = [i.array for i in program.inputs]
    if len(arrays) > 1 and len({(a.shape, a.dtype) for a in arrays}) == 1 and rng.random() < 0.5:
        kinds.append(rng.choice(_SAME_TWICE if program.trainable else _SAME_TWICE[:1]))
    recorded = False
    steps = []
    for kind in kinds:
        recorded = recorded or kind in ("record", "backward twice", "two at once")
        if kind == "trainer" and not recorded:
            continue
        given: tuple[Array, ...] = ()
        if kind in ("predict", "train", "record") and steps and rng.random() < 0.4:
            given = _other_arrays(program, rng)
            if not _graph_takes(program, given):
                given = ()
        steps.append(Step(kind, given, rng.randrange(12)))
    return tuple(steps)


def _other_arrays(program: Program, rng: random.Random) -> tuple[Array, ...]:
    """Return other numbers for a call, of other sizes if the net takes them."""
    grown = 0 if program.spreads or program.flows else rng.choice([0, 0, 1, 2])
    arrays = []
    for given in program.inputs:
        a = given.array
        if a.maker == "literal":
            arrays.append(a)
            continue
        shape = (a.shape[0] + grown, *a.shape[1:]) if a.shape and grown else a.shape
        arrays.append(dataclasses.replace(a, shape=shape, seed=a.seed + 500))
    return tuple(arrays)


def _graph_takes(program: Program, arrays: tuple[Array, ...]) -> bool:
    try:
        return graph_takes(program, arrays)
    except Exception:  # it does not trace: that is to be seen
        return True


def _tried(program: Program) -> Reference | None:
    """Return what a program does eagerly, None if it does not work."""
    try:
        return Reference(program)
    except Exception:
        return None


def generate(seed: int) -> Reference | None:
    """Return the program of a number, with what it does eagerly; None if none could be made."""
    rng = random.Random(f"program {seed}")
    flavour = rng.choice(["nd", "nd", "np"])
    with flavoured(flavour):
        numpy.random.seed(0)
        program = _build(rng, flavour)
        if not program.net.statements and rng.random() < 0.9:
            return None
    try:
        if unused_parameters(program) or draws_aside(program):
            return None
    except Exception:  # it does not trace: that is to be seen
        pass
    program = with_sharing(program)
    for _ in range(3):
        reference = _tried(dataclasses.replace(program, steps=_steps(program, rng)))
        if reference is not None:
            return reference
    program = dataclasses.replace(program, trainable=False)
    for steps in (_steps(program, rng), (Step("predict"),)):
        reference = _tried(dataclasses.replace(program, steps=steps))
        if reference is not None:
            return reference
    return None
