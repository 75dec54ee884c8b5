"""Generates programs with unusual settings of operators: element types, special numbers, modes, and ``out`` in views.

``settings.txt`` contains the calls. A pair of braces contains alternatives.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from .corners import GRADIENTS

_NP = "npx.set_np()\n"
#: Numbers at the ends of the range, and in between.
_SPECIAL = (
    "[float('nan'), float('inf'), -float('inf'), 0., -0., 1e-40, 6e4, -6e4, {largest}, .5, -1., 1., 2.5, -3.5, 88.,"
    " -104.]"
)
_FLOATS = ["float16", "float32", "float64"]
_INTEGERS = {
    "bool": "[True,False,True]", "int8": "[-128,0,127]", "uint8": "[0,1,255]", "int32": "[-128,0,127]",
    "int64": "[-128,0,127]",
}  # fmt: skip
_TYPES = [*_INTEGERS, *_FLOATS]
#: Infers shapes and element types, and saves and loads.
_INFERRED = """
for s in ((2,3,4), (0,3,4), (2,0,4)):
    tr(lambda: y.infer_shape(x=s)); tr(lambda: y.infer_shape_partial(x=s))
for t in ('float16', 'float64', 'int32', 'int8'):
    tr(lambda: [[str(onp.dtype(u)) if u else 'none' for u in v or ()] for v in y.infer_type(x=t)])
tr(lambda: y); tr(lambda: y.attr_dict()); tr(lambda: sym.load_json(y.tojson()))
"""
_MADE = """
x, n, c, g = nd.array(R(2,3,4)), np.array(R(2,3,4)), nd.array(R(2,3,4,4)), nd.array([1.,-2,.5])
i, t, w = nd.array([0,2,1,3]), nd.array([[[2.,.5],[.5,1]],[[3,-1],[-1,2]]]), nd.array(R(3,1,2,2))
s = t.as_np_ndarray()
"""
_WEIGHTS = "w, g, m, v, d = [nd.array(R(2,3) + k) for k in (0, .1, .2, 1.5, .4)]\n"
_PARTS = "x, y, v, q, p = A(R(2,3)), A(R(2,3)+.5), A(R(2,3)-1), A(R(2,2)), A(R(2,2))\n"


def _templates() -> dict[str, list[str]]:
    text = Path(__file__).with_name("settings.txt").read_text("utf-8")
    parts = (part.splitlines() for part in text.split("## ")[1:])
    return {name: lines for name, *lines in parts}


def _choices(template: str, rng: random.Random) -> list[str]:
    """Return up to three calls with one of the alternatives in each pair of braces."""
    found = {re.sub(r"\{([^{}]*)\}", lambda m: rng.choice(m[1].split("|")), template) for _ in range(3)}
    return sorted(found)


def _unary(calls: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    functions = [f"nd.{name}" for name in calls["unary"] + calls["unary of nd"]]
    functions += [f"np.{name}" for name in calls["unary"]] + calls["unary of np"]
    for call in functions:
        kind = call[:2] if call.startswith("nd") else "np"
        start, dtype = _NP * (kind == "np"), rng.choice(_FLOATS)
        values = _SPECIAL.format(largest="9." if dtype == "float16" else "3e38")
        made = f"x = {kind}.array({values}, dtype='{dtype}').reshape((4,4))\n"
        yield f"{call} of special {dtype}", f"{start}{GRADIENTS}{made}go(lambda x: {call}(x), x)\ntr(lambda: {call}(x))"
        dtype, values = rng.choice(list(_INTEGERS.items()))
        made = f"x = {kind}.array({values}, dtype='{dtype}')\n"
        yield f"{call} of {values} {dtype}", f"{start}{made}tr(lambda: {call}(x))"


def _binary(calls: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for call in calls["binary"]:
        for _ in range(3):
            one, other = rng.choice(_TYPES), rng.choice(_TYPES)
            made = f"x, y = np.array([1,0,2], dtype='{one}'), np.array([3,2,1], dtype='{other}')\n"
            lines = f"tr(lambda: {call})\ngo(lambda x, y: {call}, x, y)"
            yield f"{call} of {one} and {other}", f"{_NP}{GRADIENTS}{made}{lines}"
    for kind in ("nd", "np"):
        for number, call in enumerate([*calls["scalar"], *calls["in place"]] * 2):
            dtype, value = rng.choice(_TYPES), rng.choice(calls["scalars"])
            line = call.replace("{v}", value).replace("{m}", kind)
            made = f"{_NP * (kind == 'np')}x = {kind}.array([1,0,2], dtype='{dtype}')\n"
            shown = f"{line}\nput(x)" if call in calls["in place"] else f"tr(lambda: {line})"
            yield f"{kind} {line} of {dtype} #{number}", made + shown


def _called(calls: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for template in calls["reductions"] + calls["modes"]:
        for line in _choices(template, rng):
            modern = line.startswith("np")
            inputs = [v for v in ("n" if modern else "x", "c", "w", "g") if re.search(rf"\b{v}\b", line)]
            given = ", ".join(inputs)
            go = f"go(lambda {given}: {line}, {given})\n" if inputs else ""
            yield line, f"{_NP * modern}{GRADIENTS}{_MADE}{go}tr(lambda: {line})"
    for template in calls["created"]:
        for line in _choices(template, rng):
            yield line, f"{_NP * line.startswith('np')}tr(lambda: {line})"
    for template in calls["updates"]:
        for line in _choices(template, rng):
            yield line, f"{_WEIGHTS}tr(lambda: {line})\nput(w, g, m, v, d)"


def _inside(calls: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for start, array, name in (("", "nd.array", "inside"), (_NP, "np.array", "inside of np")):
        for template in calls[name]:
            for line in _choices(template, rng):
                mask = "b = np.zeros((2,3), dtype='bool')\n" if start else ""
                yield f"{line} inside", f"{start}A = {array}\n{_PARTS}{mask}tr(lambda: {line})\nput(x, y, v, q, p)"


def _symbols(calls: dict[str, list[str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for template in calls["symbols"]:
        for line in _choices(template, rng):
            yield f"symbol {line}", f"x = sym.var('x')\ny = {line}\n{_INFERRED}"


def programs(seed: int = 3031) -> dict[str, str]:
    """Return generated programs by their names."""
    calls, rng = _templates(), random.Random(seed)
    return dict(pair for make in (_unary, _binary, _called, _inside, _symbols) for pair in make(calls, rng))
