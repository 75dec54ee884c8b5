"""Generates programs that read and write at indices of all element types; arrays have all types, some are empty.

``edges.txt`` contains the calls on ``x`` and indices ``i``. A pair of braces contains alternatives. The parts after a
semicolon are the shapes of ``x``, the indices, and their element types, if not all of them are tried.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

_NP = "npx.set_np()\n"
_SHAPES = ["(2,3)", "(3,)", "(1,)", "(1,1)", "(2,3,2)", "(2,1,3)", "(0,3)", "(2,0)", "()", "(3,3)", "(4,2)"]
_TYPES = ["float16", "uint8", "int8", "int64", "int32", "float64", "float32", "bool"]
_INSIDE = ["[0,1]", "[1,0,0]", "[[0,1],[1,1]]", "[0]", "[[[1]]]", "[]", "1"]
_OUTSIDE = ["[-1,0]", "[1,-2]", "[-3,5]", "[2,7]", "-1"]
_FRACTIONS = [
    "[0.9,-0.9]", "[1.5,-1.5]", "[float('nan'),1]", "[float('inf'),0]", "[-float('inf'),0]", "[60000,1]", "[0.999,1]",
]  # fmt: skip
#: Runs a call in a net, hybridized or not, and computes the gradients of its result.
_GRADIENTS = """
def go(call, *xs, hybridize, gradients):
    class N(gluon.HybridBlock):
        def hybrid_forward(self, F, *xs): return call(F, *xs)
    def f():
        n = N(); hybridize and n.hybridize()
        if not gradients: return n(*xs)
        xs[0].attach_grad()
        with autograd.record():
            y = n(*xs); ys = list(y) if isinstance(y, (list, tuple)) else [y]
            heads = [M.array(onp.arange(1, t.size + 1).reshape(t.shape) % 7 - 2, dtype=t.dtype) for t in ys]
            ls = [t * head for t, head in zip(ys, heads)]
        autograd.backward(ls); return [*ys, xs[0].grad]
    tr(f)
"""
_USES = {
    "get": "put(x[{key}])",
    "gradient": "x.attach_grad()\nwith autograd.record():\n    y = x[{key}]; z = y * y\nz.backward()\nput(y, x.grad)",
    "set": "x[{key}] = {value}\nput(x)",
    "add to": "x[{key}] += {value}\nput(x)",
}


def _parts() -> dict[str, list[str]]:
    text = Path(__file__).with_name("edges.txt").read_text("utf-8")
    return {name: lines for name, *lines in (part.splitlines() for part in text.split("## ")[1:])}


def _chosen(template: str, rng: random.Random) -> str:
    return re.sub(r"\{([^{}]*)\}", lambda m: rng.choice(m[1].split("|")), template)


def _index(rng: random.Random, outside: bool = True) -> tuple[str, str]:
    """Return indices and their element type."""
    dtype = rng.choice(_TYPES)
    values = _INSIDE + (_OUTSIDE if outside and dtype not in ("uint8", "bool") else [])
    return rng.choice(values + (_FRACTIONS if outside and dtype.startswith("float") else [])), dtype


def _made(kind: str, shape: str, dtype: str, index: tuple[str, str] | None) -> str:
    x = f"x = {kind}.array(onp.asarray(R(*{shape}) * 9).astype('{dtype}'), dtype='{dtype}')\n"
    return x + (f"i = {kind}.array(onp.array({index[0]}), dtype='{index[1]}')\n" if index else "")


def _with_np_shape(lines: str) -> str:
    return f"with mx.util.np_shape(True):\n{''.join(f'    {line}{chr(10)}' for line in lines.splitlines())}"


def _called(kind: str, lines: list[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    for line in lines:
        call, *settings = line.split(" ; ")
        given = {word: rest for word, *rest in map(str.split, settings)}
        for hybridize in (False, True):
            index = None
            if "alone" not in given:
                index = _index(rng)
                index = (rng.choice(given.get("at", [index[0]])), rng.choice(given.get("of", [index[1]])))
            shape, dtype, code = rng.choice(given.get("shapes", _SHAPES)), rng.choice(_TYPES), _chosen(call, rng)
            xs = "x, i" if index else "x"
            body = _made(kind, shape, dtype, index)
            body += f"go(lambda F, {xs}: {code}, {xs}, hybridize={hybridize}, gradients={dtype != 'bool'})\n"
            start = f"{_NP * (kind == 'np')}M = {kind}\n{_GRADIENTS}"
            name = f"{code} of {shape} {dtype} at {index} {'hybridized' if hybridize else 'eagerly'}"
            yield name, start + (body if kind == "np" else _with_np_shape(body))


def _keys(parts: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for number, key in enumerate(parts["keys"] * 4):
        kind, use = rng.choice(["nd", "np"]), rng.choice(list(_USES))
        index = _index(rng, outside=use in ("get", "gradient"))  # MXNet would write outside the array
        shape, dtype = rng.choice(_SHAPES), rng.choice(_TYPES)
        lines = _USES[use].format(key=key, value=rng.choice(parts["values"]).replace("{kind}", kind))
        body = _made(kind, shape, dtype, index) + lines
        start = _NP if kind == "np" else ""
        name = f"{kind} {use} [{key}] of {shape} {dtype} at {index} #{number}"
        yield name, start + (body if start else _with_np_shape(body))


def _functions(lines: list[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    for line in lines * 2:
        index, shape, dtype, code = _index(rng), rng.choice(_SHAPES), rng.choice(_TYPES), _chosen(line, rng)
        yield f"{code} of {shape} {dtype} at {index}", f"{_NP}{_made('np', shape, dtype, index)}tr(lambda: {code})"


def programs(seed: int = 90210) -> dict[str, str]:
    """Return generated programs by their names."""
    parts, rng = _parts(), random.Random(seed)
    calls = [pair for kind in ("nd", "np") for pair in _called(kind, parts[kind], rng)]
    return dict([*calls, *_keys(parts, rng), *_functions(parts["functions of np"], rng)])
