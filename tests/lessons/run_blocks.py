"""Run the blocks of a lesson as a notebook would, and write down what a user sees.

    python run_blocks.py BLOCKS.json RECORD.json [--as-mxnet] [--other-seed]

runs in a fresh interpreter and in the current folder, either on d2lhybrid (``--as-mxnet``) or on
real MXNet 1.9.1: the record of that is the file that the tests compare with. With ``--other-seed``
all random numbers are other ones. Blocks are ``[number, kind, source]``; a record is a list of
dictionaries:

=========  ============================================================
block      number of the block
mode       ``imperative`` or ``hybridized``; only for a hybrid_forward
printed    what it printed
result     repr of the value of its last expression
warnings   list of ``category: message``
raises     ``type: message``
notes      the notes of that error
=========  ============================================================

with the empty ones left out.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import subprocess
import sys
import textwrap
import types
import warnings

#: What the notebooks' readers have run before: the lessons use ``mx`` without importing it.
PREAMBLE = "import mxnet as mx; mx.random.seed(0)"

#: How a hybrid_forward is tried out.
CLASS = """\
class Snippet(mx.gluon.nn.HybridBlock):
{method}
snippet = Snippet()
snippet.hybridize({active})
snippet(mx.nd.array([[1, 2, 3], [4, 5, 6]]))
"""


def run_cell(source: str, names: dict) -> dict:
    """Run one cell; what a user sees of it."""
    record: dict = {}
    printed = io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(printed))
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        try:
            record["result"] = _run(source, names)
        except Exception as error:
            kind = type(error)
            record["raises"] = f"{kind.__module__}.{kind.__qualname__}: {error}"
            record["notes"] = getattr(error, "__notes__", [])
    record["printed"] = printed.getvalue()
    record["warnings"] = [f"{w.category.__name__}: {w.message}" for w in caught or ()]
    return {key: value for key, value in record.items() if value}


def _run(source: str, names: dict) -> str:
    """Run a cell, commands of the shell included; return the repr of its last expression."""
    file = f"<cell {len(linecache.cache)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    body = ast.parse(_call_shell(source)).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), file, "exec"), names)
    if not isinstance(last, ast.Expr):
        return ""
    value = eval(compile(ast.Expression(last.value), file, "eval"), names)
    return "" if value is None else repr(value)


def _call_shell(source: str) -> str:
    """Return a cell with its ``!command`` lines as calls, as IPython does."""
    lines = [f"_shell({line[1:]!r})" if line.startswith("!") else line for line in source.split("\n")]
    return "\n".join(lines)


def _shell(command: str) -> None:
    print(subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout, end="")


def run_blocks(blocks: list) -> list[dict]:
    """Run all blocks in one namespace; each ``hybrid_forward`` in both modes."""
    names: dict = {"__name__": "__main__", "_shell": _shell}
    exec(PREAMBLE, names)
    records = []
    for number, kind, source in blocks:
        if kind == "cell":
            records.append({"block": number, **run_cell(source, names)})
        elif kind == "hybrid_forward":
            method = textwrap.indent(source, "    ")
            for mode in ("imperative", "hybridized"):
                code = CLASS.format(method=method, active=mode == "hybridized")
                records.append({"block": number, "mode": mode, **run_cell(code, {"mx": names["mx"]})})
    return records


def _stub_of_d2l() -> types.ModuleType:
    """Return the one class of the book's package that the lesson takes for granted."""
    import time

    class Timer:
        def __init__(self) -> None:
            self.start = time.time()

        def stop(self) -> float:
            return time.time() - self.start

    module = types.ModuleType("d2l")
    module.Timer = Timer  # type: ignore[attr-defined]
    return module


def main(arguments: list[str]) -> None:
    """Read blocks, run them, write their records."""
    blocks, target, *options = arguments
    if "--as-mxnet" in options:
        import d2lhybrid

        d2lhybrid.as_mxnet()
    else:
        sys.modules["d2l"] = _stub_of_d2l()
    if "--other-seed" in options:
        import mxnet

        seed = mxnet.random.seed
        mxnet.random.seed = lambda number: seed(number + 1)
    with open(blocks, encoding="utf-8") as file:
        records = run_blocks(json.load(file))
    with open(target, "w", encoding="utf-8") as file:
        json.dump(records, file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1:])
