"""The lowering of the operators of ``batch_last.py`` to copies, slabs, and matrix products.

The generated lines compute the same values as the kernels. With lines instead of kernel calls, a program can keep the
windows, the views, and the intermediate results in its arena.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from . import batch_last
from .batch_last import convolution_size, hw, pooling_size

if TYPE_CHECKING:
    from ..compiler.emitter import Emitter

__all__: list[str] = []


def _strided(emit: Emitter, wish: str, base: str, shape: tuple[int, ...], steps: tuple[int, ...]) -> str:
    """Emit an overlapping view of a value, with steps in elements, and return its name."""
    dtype = emit.result.dtype
    strides = tuple(step * dtype.itemsize for step in steps)
    array = emit.function("ndarray")
    return emit.view(wish, f"{array}({shape}, {emit.dtype(dtype)}, {base}, 0, {strides})", base)


def _padded(emit: Emitter, pad: tuple[int, int]) -> str:
    """Return the name of the input as a contiguous array with a border of zeros."""
    if pad == (0, 0):
        return emit.contiguous(0)
    (ph, pw), (c, h, w, n) = pad, emit.types[0].shape
    padded = emit.scratch("padded", (c, h + 2 * ph, w + 2 * pw, n))
    emit.line(f"{padded}.fill(0)")
    inner = emit.view("inner", f"{padded}[:, {ph}:{ph + h}, {pw}:{pw + w}]", padded)
    emit.line(f"{emit.function('copyto')}({inner}, {emit.arguments[0]})")
    return padded


@batch_last.convolution.numpy_lowering
def _(emit: Emitter) -> None:
    """Emit a copy of the windows along W, an overlapping view of those along H, and a product for each row."""
    params = emit.node.params
    (kh, kw), (sh, sw), (ph, pw) = params["kernel"], hw(params.get("stride", ()), 1), hw(params.get("pad", ()), 0)
    c, h, w, n = emit.types[0].shape
    h, w = h + 2 * ph, w + 2 * pw
    oh, ow = convolution_size(h, kh, sh, 0), convolution_size(w, kw, sw, 0)
    data = _padded(emit, (ph, pw))
    windows = emit.memory(1)
    length = ow * n
    source = _strided(emit, "source", data, (h, c, kw, ow, n), (w * n, h * w * n, n, sw * n, 1))
    target = emit.view("windows", f"{windows}.reshape({(h, c, kw, ow, n)})", windows)
    emit.line(f"{emit.function('copyto')}({target}, {source})")
    row = c * kw * length
    columns = _strided(emit, "columns", windows, (oh, kh * c * kw, length), (sh * row, length, 1))
    result = emit.memory(0)
    rows = emit.view("by_row", f"{result}.reshape({(emit.result.shape[0], oh, length)}).transpose(1, 0, 2)", result)
    emit.line(f"{emit.function('matmul')}({emit.arguments[1]}, {columns}, out={rows})")


@batch_last.pooling.numpy_lowering
def _(emit: Emitter) -> None:
    """Emit the maxima over the rows of a window, then over its columns, with slabs of the input as operands."""
    params = emit.node.params
    kind = params.get("pool_type", "max")
    (kh, kw), (sh, sw), (ph, pw) = params["kernel"], hw(params.get("stride", ()), 1), hw(params.get("pad", ()), 0)
    data = emit.arguments[0]
    c, h, w, n = emit.types[0].shape
    full = params.get("full", False)
    oh, ow = pooling_size(h, kh, sh, ph, full), pooling_size(w, kw, sw, pw, full)
    height, width = max((oh - 1) * sh + kh, h + ph), max((ow - 1) * sw + kw, w + pw)
    if (height, width) != (h, w):
        padded = emit.scratch("padded", (c, height, width, n))
        fill = emit.number(numpy.finfo(emit.result.dtype).min, "lowest") if kind == "max" else "0"
        emit.line(f"{padded}.fill({fill})")
        inner = emit.view("inner", f"{padded}[:, {ph}:{ph + h}, {pw}:{pw + w}]", padded)
        emit.line(f"{emit.function('copyto')}({inner}, {data})")
        data = padded
    join = "fmax" if kind == "max" else "add"
    rows = [_slab(emit, data, ":, ", i, oh, sh, height) for i in range(kh)]
    joined = _join(emit, "rows", join, rows, (c, oh, width, n))
    columns = [_slab(emit, joined, ":, :, ", j, ow, sw, width) for j in range(kw)]
    if kw == 1:
        emit.call("positive", columns[0])  # a copy, because the result must not be a view of temporary memory
    else:
        emit.call(join, columns[0], columns[1])
        for column in columns[2:]:
            emit.line(f"{emit.function(join)}({emit.out}, {column}, out={emit.out})")
    if kind == "avg":
        emit.line(f"{emit.function('multiply')}({emit.out}, {emit.number(1.0 / (kh * kw), 'share')}, out={emit.out})")


def _slab(emit: Emitter, base: str, before: str, first: int, count: int, step: int, size: int) -> str:
    """Return the text of a slice with ``count`` rows or columns, every ``step``-th from the first."""
    stop = first + (count - 1) * step + 1
    end = "" if stop + step > size else str(stop)  # no end if no further row follows
    piece = f"{first}:{end}" if step == 1 else f"{first}:{end}:{step}"
    return emit.view(f"slab{first}", f"{base}[{before}{piece}]", base)


def _join(emit: Emitter, wish: str, join: str, slabs: list[str], shape: tuple[int, ...]) -> str:
    if len(slabs) == 1:
        return slabs[0]
    joined = emit.temporary(wish, shape, join, slabs[0], slabs[1])
    for slab in slabs[2:]:
        emit.line(f"{emit.function(join)}({joined}, {slab}, out={joined})")
    return joined


batch_last.bias.overwrites = (0,)


@batch_last.bias.lowering
def _(emit: Emitter) -> None:
    data, vector = emit.arguments
    emit.call("add", data, f"{vector}.reshape{(-1,) + (1,) * (len(emit.result.shape) - 1)}")


@batch_last.dense.lowering
def _(emit: Emitter) -> None:
    data, weight = emit.arguments
    if len(emit.types[0].shape) != 2:
        rows = emit.contiguous(0)
        data = emit.view("matrix", f"{rows}.reshape({emit.types[1].shape[1]}, -1)", rows)
    emit.call("dot", weight, data)
