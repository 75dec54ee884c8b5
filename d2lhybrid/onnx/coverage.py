"""The list of operators with a translation: ``python -m d2lhybrid.onnx.coverage`` writes ``docs/onnx.md``."""

from __future__ import annotations

import sys
from pathlib import Path

from ..internals.core.loops import GRAPHS_OF
from ..internals.core.operator import Operator, all_operators
from ..internals.support import package
from ..internals.support.filesystem import write_text
from .builder import OPSET
from .translations import find_translation

__all__ = ["coverage_page", "gaps"]

#: Families of operators that only the compiler creates.
_MADE_BY_PASSES = ("add_picked", "batch_last", "direct_convolution", "unit_batch")

_HEAD = """\
# Operators in ONNX

`mx.onnx.export_model`, `net.export(..., format="onnx")`, and `mx.onnx.to_onnx` write a network for prediction, with
ONNX's operator set {opset}. `tests/test_onnx_operators.py` runs every operator that has a translation on its sample
calls: the model passes `onnx.checker`, and ONNX Runtime's results match the operator's.

If a graph has an operator without a translation, the export fails before anything is written, and the error lists all
such nodes. Gradients (`_backward_...`), optimizer updates, random numbers, loops, and branches are never translated.
Layers that act differently in training (`Dropout`, `BatchNorm`) are exported as they act in prediction.

ONNX Runtime has no float64 kernels for some functions (`erf`, `sinh`, `cosh`, `arctan`, `arcsinh`, `softsign`,
determinants). Such models are valid, and run in other runtimes, or in float32.

`python -m d2lhybrid.onnx.coverage` writes this page; a test keeps it up to date.

{count} of {total} operators have a translation.

| family | translated | not translated |
| --- | --- | --- |
"""


def _is_wanted(op: Operator) -> bool:
    """Return whether an operator could be part of a network for prediction."""
    package, _, family = op.kernel.__module__.rpartition(".")
    if find_translation(op.name) is not None:
        return True
    made_inside = "_backward_" in op.name or op.name in GRAPHS_OF or family in _MADE_BY_PASSES
    return package.endswith(".ops") and not (made_inside or op.uses_generator or family.startswith("optimizer"))


def _families() -> dict[str, list[Operator]]:
    families: dict[str, list[Operator]] = {}
    for op in all_operators():
        if _is_wanted(op):
            families.setdefault(op.kernel.__module__.rpartition(".")[2], []).append(op)
    return families


def gaps() -> list[str]:
    """Return the names of the operators that a network for prediction could use and that have no translation.

    Examples
    --------
    >>> "CTCLoss" in gaps(), "Convolution" in gaps()
    (True, False)
    """
    return sorted(op.name for ops in _families().values() for op in ops if find_translation(op.name) is None)


def _names(operators: list[Operator]) -> str:
    return ", ".join(f"`{op.name}`" for op in operators)


def coverage_page() -> str:
    """Return the text of ``docs/onnx.md``."""
    families = _families()
    rows, count = [], 0
    for family in sorted(families):
        done = [op for op in families[family] if find_translation(op.name) is not None]
        missing = [op for op in families[family] if find_translation(op.name) is None]
        count += len(done)
        rows.append(f"| `ops/{family}.py` | {_names(done)} | {_names(missing)} |\n")
    total = sum(len(ops) for ops in families.values())
    return _HEAD.format(opset=OPSET, count=count, total=total) + "".join(rows)


if __name__ == "__main__":
    folder: Path = package.FOLDER.parent / "docs"
    write_text(folder / "onnx.md", coverage_page())
    sys.stdout.write(f"docs/onnx.md: {len(gaps())} operators without a translation\n")
