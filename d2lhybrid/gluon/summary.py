"""``net.summary(x)``: a table of the layers that run in a call."""

from __future__ import annotations

from typing import Any

from ..ndarray.ndarray import NDArray
from .block import Block
from .hybrid_block import HybridBlock

__all__ = ["print_summary"]

_WIDTHS = (20, 43, 15)


class _Row:
    """A line of the table."""

    def __init__(self, label: str, shape: Any) -> None:
        self.label, self.shape = label, shape
        self.params = self.trainable = self.shared = 0


def _shape_text(value: Any) -> str:
    def shapes(v: Any) -> Any:
        if isinstance(v, list | tuple):
            return [shapes(e) for e in v]
        return v.shape if isinstance(v, NDArray) else v

    text = shapes(value)
    return str(text)[1:-1] if isinstance(text, list) else str(text)


def print_summary(block: Block, inputs: tuple[Any, ...]) -> None:
    """Run a block once with hooks on all its descendants, and print a table of the layers.

    Parameters
    ----------
    block : Block
        The block.
    inputs : tuple of NDArray
        The arguments of the call.

    Raises
    ------
    AssertionError
        If a block is hybridized, because a compiled program has no layers to observe.
    """
    rows = [_Row("Input", _shape_text(inputs))]
    seen: set[Any] = set()
    handles: list[Any] = []

    def hook(layer: Any, _: Any, outputs: Any) -> None:
        row = _Row(f"{type(layer).__name__}-{len(rows)}", _shape_text(outputs))
        for parameter in layer.params.values():
            size = 1
            for n in parameter.shape or ():
                size *= max(n, 0)
            row.params += size
            row.trainable += 0 if parameter.grad_req == "null" else size
            row.shared += size if parameter in seen else 0
            seen.add(parameter)
        rows.append(row)

    def register(layer: Any) -> None:
        if isinstance(layer, HybridBlock) and layer._active:
            raise AssertionError(f'"{layer.name}" must not be hybridized to print summary.')
        if not _is_container(layer):
            handles.append(layer.register_forward_hook(hook))

    try:
        block.apply(register)
        block(*inputs)
        _print(rows)
    finally:
        for handle in handles:
            handle.detach()


def _is_container(layer: Any) -> bool:
    from .nn import HybridSequential, Sequential

    return isinstance(layer, Sequential | HybridSequential)


def _print(rows: list[_Row]) -> None:
    def line(*cells: Any) -> str:
        return "".join(f"{cell!s:>{width}} " for cell, width in zip(cells, _WIDTHS, strict=True))[:-1]

    total = sum(r.params for r in rows)
    trainable = sum(r.trainable for r in rows)
    shared = sum(r.shared for r in rows)
    print("-" * 80)
    print(line("Layer (type)", "Output Shape", "Param #"))
    print("=" * 80)
    for row in rows:
        print(line(row.label, row.shape, row.params))
    print("=" * 80)
    print("Parameters in forward computation graph, duplicate included")
    print(f"   Total params: {total}")
    print(f"   Trainable params: {trainable}")
    print(f"   Non-trainable params: {total - trainable}")
    print(f"Shared params in forward computation graph: {shared}")
    print(f"Unique parameters in model: {total - shared}")
    print("-" * 80)
