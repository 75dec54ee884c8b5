"""Run the cells of a session and write down what a user sees.

    python run_session.py CELLS.json RECORD.json [--as-mxnet] [--other-seed]

runs in a fresh interpreter and in the current folder, either on d2lhybrid (``--as-mxnet``) or on
real MXNet 1.9.1. A cell is a text of Python; a record is a dictionary per cell:

=========  ====================================================================================
seen       list of what appeared, in order: a text that was printed, or a probe, which is
           ``[expression, what it shows]``: the repr of its value, or ``type: message``
result     repr of the value of the cell's last expression
warnings   list of ``category: message``
raises     ``type: message``
=========  ====================================================================================

with the empty ones left out. Cells write probes as ``t("expression", ...)``.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
import traceback
import warnings

#: What every session begins with.
PREAMBLE = """\
import json, os, struct
import numpy as onp
import mxnet as mx
from mxnet import autograd, gluon, init, nd, sym
from mxnet.gluon import nn, rnn
onp.random.seed(0)
mx.random.seed(0)
"""


def dump(name: str, most: int = 400) -> None:
    """Print the bytes of a file: position, hexadecimal, text."""
    with open(name, "rb") as file:
        data = file.read()
    for i in range(0, min(most, len(data)), 16):
        row = data[i : i + 16]
        text = "".join(chr(b) if 32 <= b < 127 else "." for b in row)
        print(f"{i:04x}  {' '.join(f'{b:02x}' for b in row):<47}  {text}")
    if len(data) > most:
        print(f"... {len(data)} bytes in all")


def run_session(cells: list[str]) -> list[dict]:
    """Run all cells in one namespace."""
    seen: list = []
    printed = io.StringIO()
    names: dict = {"__name__": "__main__", "dump": dump}

    def take_printed() -> str:
        text = printed.getvalue()
        printed.seek(0)
        printed.truncate()
        return text

    def t(*expressions: str) -> None:
        for expression in expressions:
            if text := take_printed():
                seen.append(text)
            try:
                shows = re.sub(r"\n[\n ]*", " ", repr(eval(expression, names))).strip()
            except Exception as error:
                shows = f"{type(error).__name__}: {error}"
            seen.append([expression, take_printed() + shows])

    names["t"] = t
    exec(PREAMBLE, names)
    records = []
    for cell in cells:
        record: dict = {}
        with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"d2lhybrid\.")  # as it does itself
            try:
                record["result"] = _run(cell, names)
            except Exception as error:
                kind = type(error)
                record["raises"] = f"{kind.__module__}.{kind.__qualname__}: {error}"
                if "--trace" in sys.argv:
                    traceback.print_exc()
        if text := take_printed():
            seen.append(text)
        record["seen"] = list(seen)
        record["warnings"] = [f"{w.category.__name__}: {w.message}" for w in caught]
        seen.clear()
        records.append({key: value for key, value in record.items() if value})
    return records


def _run(source: str, names: dict) -> str:
    """Run a cell; return the repr of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if not isinstance(last, ast.Expr):
        return ""
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return "" if value is None else repr(value)


def main(arguments: list[str]) -> None:
    """Read cells, run them, write their records."""
    cells, target, *options = arguments
    if "--as-mxnet" in options:
        import numpy

        import d2lhybrid

        d2lhybrid.as_mxnet()
        numpy.set_printoptions(legacy="1.25")  # a NumPy number shows as the number, as it did then
    if "--other-seed" in options:
        import mxnet
        import numpy

        for module in (mxnet.random, numpy.random):
            module.seed = lambda given, seed=module.seed: seed(given + 9 if isinstance(given, int) else given)
    with open(cells, encoding="utf-8") as file:
        records = run_session(json.load(file))
    with open(target, "w", encoding="utf-8") as file:
        json.dump(records, file, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1:])
