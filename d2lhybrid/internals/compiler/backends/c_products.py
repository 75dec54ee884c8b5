"""Small matrix products in C: dense layers, and convolutions with the batch last, in single precision.

All of these products compute ``y[m, n] = sum over k of a[m, k] * b[k, n]``. Each row of ``b`` may be anywhere in
memory. For a convolution, a row is a part of the image, which isn't copied. A *block* of y, which consists of some rows
and some vectors, stays in registers during the sum over k. For each k, a few vectors of b are loaded, and each vector
is multiplied by one number from each row of a. NumPy's library computes large products, which it divides among the
cores and tiles for the caches.

The lines of code depend on the sizes, because the remainder after the last whole block is a block of another size. If
one source code must serve all sizes (:mod:`.c_sizes`), the number of rows or columns *varies*. The remainder is then
divided into blocks whose sizes are powers of two. Each of these blocks is in a loop that runs at most once, so that
only the numbers in the lines differ.
"""

from __future__ import annotations

import functools
import platform
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["VECTORS", "Sum", "convolution", "lanes", "multiply", "padded_size", "product"]

#: The definitions of vector types of 16, 8, 4, and 2 elements, without alignment.
VECTORS = "\n".join(
    f"typedef float f{n} __attribute__((vector_size({4 * n}), aligned(4), may_alias));" for n in (16, 8, 4, 2)
)
VECTORS += "\ntypedef float f1;\n"


class Sum(NamedTuple):
    """The iteration counts of three loops that together run over a sum's index k, and the strides of ``b`` in them."""

    counts: tuple[int, int, int]
    strides: tuple[int, int, int]


def lanes() -> int:
    """Return the number of elements in a vector register of this CPU."""
    return _registers()[0]


@functools.cache
def _registers() -> tuple[int, int]:
    """Return the number of elements in a vector register of this CPU, and the number of its vector registers."""
    try:
        flags = Path("/proc/cpuinfo").read_text("utf-8", "replace").split()
    except OSError:
        flags = []
    if "avx512f" in flags:
        return 16, 32
    if "avx" in flags:
        return 8, 16
    return 4, 32 if platform.machine() in ("aarch64", "arm64") else 16


def _block(rows: int, widths: Sequence[int], over: Sum, lda: int, ldy: int, begin: str) -> list[str]:
    """Return the lines that compute a block, from pointers ``a0``, ``b0``, and ``y0`` to its first elements.

    `begin` is the initial value of the sums: empty for 0, the address of an element for each column, or ``y0`` to
    add the product to y.
    """
    places = [sum(widths[:v]) for v in range(len(widths))]
    (n0, n1, n2), (s0, s1, s2) = over
    lines = ["{"]
    for v, w in enumerate(widths):
        firsts = [f"y0 + {r * ldy + places[v]}" if begin == "y0" else f"{begin} + l + {places[v]}" for r in range(rows)]
        values = [f"*(const f{w}*) ({first})" if begin else "{0}" for first in firsts]
        lines += [f"    f{w} s{r}_{v} = {value};" for r, value in enumerate(values)]
    lines += [
        "    const float* q = a0;",
        f"    for (long i = 0; i < {n0}; ++i) for (long c = 0; c < {n1}; ++c) {{",
        f"        const float* p = b0 + i * {s0} + c * {s1};",
        f"        for (long j = 0; j < {n2}; ++j, p += {s2}, ++q) {{",
    ]
    lines += [f"            const f{w} b{v} = *(const f{w}*) (p + {places[v]});" for v, w in enumerate(widths)]
    for r in range(rows):
        sums = " ".join(f"s{r}_{v} += x * b{v};" for v in range(len(widths)))
        lines.append(f"            {{ const float x = q[{r * lda}]; {sums} }}")
    lines += ["        }", "    }"]
    lines += [
        f"    *(f{w}*) (y0 + {r * ldy + places[v]}) = s{r}_{v};" for r in range(rows) for v, w in enumerate(widths)
    ]
    return [*lines, "}"]


def _powers(count: int, length: int) -> list[int]:
    """Return the widths of vectors that together hold `count` elements, in descending order.

    Examples
    --------
    >>> _powers(45, 16)
    [16, 16, 8, 4, 1]
    """
    widths = [length] * (count // length)
    rest = count % length
    return widths + [w for w in (8, 4, 2, 1) if rest & w]


def _indented(lines: Sequence[str], by: int = 1) -> list[str]:
    return ["    " * by + line for line in lines]


def _column_blocks(columns: int, length: int, wide: int) -> list[tuple[int, int, list[int]]]:
    """Return the start, end, and vector widths of column blocks: blocks of the largest width, then the remainder."""
    step = wide * length
    whole = columns - columns % step
    found = [(0, whole, [length] * wide)] if whole else []
    return found + ([(whole, columns, _powers(columns - whole, length))] if whole < columns else [])


def _row_blocks(rows: int, high: int, vary: bool) -> list[tuple[int, int, int]]:
    """Return the start, the end, and the block height of sequences of row blocks with equal heights.

    Examples
    --------
    >>> _row_blocks(21, 8, False)
    [(0, 16, 8), (16, 21, 5)]
    >>> _row_blocks(21, 8, True)
    [(0, 16, 8), (16, 20, 4), (20, 20, 2), (20, 21, 1)]
    """
    whole = rows - rows % high
    if not vary:
        return [block for block in ((0, whole, high), (whole, rows, rows - whole)) if block[0] < block[1]]
    found, first, step = [], 0, high
    while step:
        last = rows - (rows - first) % step
        found.append((first, last, step))
        first, step = last, step // 2
    return found


def _varying_column_blocks(columns: int, length: int, wide: int) -> list[tuple[int, int, list[int]]]:
    """Return column blocks like :func:`_column_blocks`, with the same widths for any number of columns.

    Examples
    --------
    >>> [(first, last, sum(widths)) for first, last, widths in _varying_column_blocks(70, 16, 3)]
    [(0, 48, 48), (48, 64, 16), (64, 64, 8), (64, 68, 4), (68, 70, 2), (70, 70, 1)]
    """
    found, first = [], 0
    for widths in ([length] * wide, *([w] for w in (16, 8, 4, 2, 1) if w <= length)):
        last = columns - (columns - first) % sum(widths)
        found.append((first, last, widths))
        first = last
    return found


def multiply(
    rows: int, columns: int, over: Sum, lda: int, ldy: int, begin: str = "", vary: Collection[str] = ()
) -> list[str]:
    """Return the C code of the matrix product ``y = a @ b``, block by block, from pointers to the first elements.

    Parameters
    ----------
    rows, columns : int
        The shape of y.
    over : Sum
        The loops over k, the summation index, and the strides of b in them.
    lda, ldy : int
        The row strides of a and y.
    begin : str
        The initial value of the sums: empty for 0, the name of an array with one element for each column, or ``y0``
        for the current values of y.
    vary : collection of str
        Names of sizes, ``"rows"`` or ``"columns"``. If these sizes change, only the numbers in the C code change.

    Returns
    -------
    list of str
        The lines of C.
    """
    length, registers = _registers()
    vectors = registers if "columns" in vary else -(-columns // length)
    high = registers // 2 if vectors == 1 else registers // 4
    if "rows" not in vary:
        high = min(rows, high)
    # With one row, each vector of b is used only once and isn't kept, so contiguous reads are fastest.
    wide = min(vectors, registers // 2) if high == 1 else max(1, min(8, (registers - 1) // (high + 1), vectors))
    blocks = _varying_column_blocks if "columns" in vary else _column_blocks
    lines: list[str] = []
    for first, last, widths in blocks(columns, length, wide):
        lines.append(f"for (long l = {first}; l < {last}; l += {sum(widths)}) {{")
        for start, stop, step in _row_blocks(rows, high, "rows" in vary):
            lines += [
                f"    for (long m = {start}; m < {stop}; m += {step}) {{",
                f"        const float *a0 = a + m * {lda}, *b0 = b + l;",
                f"        float* y0 = y + m * {ldy} + l;",
                *_indented(_block(step, widths, over, lda, ldy, begin), 2),
                "    }",
            ]
        lines.append("}")
    return lines


def _function(parameters: str, lines: Sequence[str]) -> str:
    return "\n".join([f"void NAME({parameters}) {{", *_indented(lines), "}", ""])


@functools.lru_cache(256)
def product(rows: int, inner: int, columns: int, bias: bool = False, vary: tuple[str, ...] = ()) -> str:
    """Return the C function ``NAME(a, b, y)`` for a product of two contiguous matrices.

    Parameters
    ----------
    rows, inner, columns : int
        The sizes of the product: ``a`` has the shape ``(rows, inner)``, and ``b`` has the shape ``(inner, columns)``.
    bias : bool
        Whether the function is ``NAME(a, b, bias, y)``, which adds a number to each column.
    vary : tuple of str
        Argument of :func:`multiply`.

    Returns
    -------
    str
        The C code.
    """
    over = Sum((1, 1, inner), (0, 0, columns))
    lines = multiply(rows, columns, over, inner, columns, "bias" if bias else "", vary)
    given = [f"const float* restrict {name}" for name in (["a", "b", "bias"] if bias else ["a", "b"])]
    return _function(", ".join([*given, "float* restrict y"]), lines)


@functools.lru_cache(256)
def convolution(
    image: tuple[int, ...], result: tuple[int, ...], kernel: tuple[int, int], stride: tuple[int, int],
    pad: tuple[int, int], vary: tuple[str, ...] = (),
) -> str:  # fmt: skip
    """Return the C function ``NAME(a, x, out, wide)`` for a convolution with the batch last.

    Parameters
    ----------
    image, result : tuple of int
        The channels, height, width, and batch size of ``x`` and of ``out``. The matrix ``a`` has a row for each channel
        of the result, with an element for each row, channel, and column of a window.
    kernel, stride, pad : tuple of int
        The height and width of the window, of its stride, and of the padding with zeros.
    vary : tuple of str
        Argument of :func:`multiply`.

    Returns
    -------
    str
        The C code.

    Notes
    -----
    ``wide`` is memory for the padded image, of :func:`padded_size` elements. It isn't used without padding.
    """
    (c, h, w, n), (filters, oh, ow, _), (kh, kw), (sh, sw), (ph, pw) = image, result, kernel, stride, pad
    height, width = h + 2 * ph, w + 2 * pw
    lines = ["const float* from = x;"]
    if padded_size(image, pad):
        lines = [
            f"memset(wide, 0, {padded_size(image, pad)} * sizeof(float));",
            f"for (long c = 0; c < {c}; ++c) for (long i = 0; i < {h}; ++i)",
            f"    memcpy(wide + ((c * {height} + i + {ph}) * {width} + {pw}) * {n}, x + (c * {h} + i) * {w * n},"
            f" {w * n} * sizeof(float));",
            "const float* from = wide;",
        ]
    over = Sum((kh, c, kw), (width * n, height * width * n, n))
    # With stride 1, the elements for a row of the result are contiguous; otherwise, only those for one position.
    places, columns = (1, ow * n) if sw == 1 else (ow, n)
    lines += [
        f"for (long row = 0; row < {oh}; ++row) for (long place = 0; place < {places}; ++place) {{",
        f"    const float* b = from + row * {sh * width * n} + place * {sw * n};",
        f"    float* y = out + row * {ow * n} + place * {n};",
        *_indented(multiply(filters, columns, over, kh * c * kw, oh * ow * n, vary=vary)),
        "}",
    ]
    parameters = "const float* restrict a, const float* restrict x, float* restrict out, float* restrict wide"
    return _function(parameters, lines)


def padded_size(image: tuple[int, ...], pad: tuple[int, int]) -> int:
    """Return the number of elements of a padded image, or 0 without padding.

    Parameters
    ----------
    image : tuple of int
        Channels, height, width, and batch size of the image.
    pad : tuple of (int, int)
        Height and width of the padding.

    Returns
    -------
    int
        The number of elements.

    Examples
    --------
    >>> padded_size((3, 4, 4, 2), (1, 0)), padded_size((3, 4, 4, 2), (0, 0))
    (144, 0)
    """
    c, h, w, n = image
    return c * (h + 2 * pad[0]) * (w + 2 * pad[1]) * n if pad != (0, 0) else 0
