"""A matrix product as a CUDA C kernel, with fused operators applied before the result is stored.

The work is divided in one of two ways. If there are few results, 32 threads compute each result together: they read
neighboring elements, and their sums are added at the end. If there are many results, a block of threads computes a
*tile* of the result. The block loads tiles of both factors into its shared memory, where every element is used many
times. If there are fewer tiles than the GPU can run at once, the sum over k is divided into pieces. A second kernel
adds up these pieces, always in the same order, so that results are deterministic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...ops.products import Operand, Product
from .cuda_region import THREADS, CudaBody, CudaRegion, index_type
from .region_code import CTYPES, linear

__all__ = ["CudaProduct", "Tile", "can_be_kernel", "choose_tile"]

#: The smallest number of blocks that keeps a large GPU busy, about two for each of its multiprocessors.
BLOCKS = 264
#: The smallest piece of a sum for which a block pays off.
LEAST_PIECE = 64
#: The number of threads that add up one result together.
WARP = 32


class Tile(NamedTuple):
    """The sizes of a tile: its rows, columns, and summands per step, and the rows and columns of one thread."""

    m: int
    n: int
    k: int
    thread_m: int
    thread_n: int

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return self.m // self.thread_m * (self.n // self.thread_n)


#: The tiles, from the largest to the smallest; the last tiles are for convolutions with few filters.
TILES = (
    Tile(128, 128, 8, 8, 8), Tile(64, 64, 16, 4, 4), Tile(32, 64, 16, 2, 4), Tile(16, 128, 16, 2, 4),
    Tile(32, 32, 16, 2, 2), Tile(8, 128, 16, 1, 4), Tile(16, 64, 16, 1, 4), Tile(16, 32, 16, 1, 2),
)  # fmt: skip


def choose_tile(m: int, n: int, batch: int = 1) -> Tile:
    """Return the tile with the lowest estimated cost for a product.

    Parameters
    ----------
    m, n : int
        Numbers of rows and columns of the result.
    batch : int
        Number of products.

    Returns
    -------
    Tile
        The tile.

    Examples
    --------
    >>> choose_tile(4096, 4096)[:2], choose_tile(6, 36864)[:2]
    ((128, 128), (8, 128))
    """

    def cost(tile: Tile) -> float:
        blocks = -(-m // tile.m) * -(-n // tile.n) * batch
        # The cost of a block: multiplications, and loads, which weigh more in small tiles.
        return max(1.0, blocks / BLOCKS) * (tile.m * tile.n + 24.0 * (tile.m + tile.n))

    return min(TILES, key=cost)


def can_be_kernel(product: Product) -> bool:
    """Return whether the grid of a product is within CUDA's limits.

    Parameters
    ----------
    product : Product
        The product.

    Returns
    -------
    bool
        Whether a kernel can compute the product.
    """
    m, n, _ = product.sizes
    return product.batch < 1 << 12 and -(-m // TILES[-1].m) < 1 << 16 and n < 1 << 30


class CudaProduct(CudaBody):
    """A product with an optional fused region that follows it, as CUDA kernels.

    Parameters
    ----------
    xp : module
        CuPy.
    graph : Graph
        The graph of the nodes.
    nodes : list of Node
        The node of the product, followed by the fused operators.
    inputs, outputs : list of Entry
        The entries of other nodes that these nodes read, and the entries of these nodes that are read elsewhere.
    product : Product
        The product that the first node computes.
    after : CudaRegion, optional
        The region that is applied to each element of the product.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    product: Product

    def __init__(
        self,
        xp: Any,
        graph: Graph,
        nodes: list[Node],
        inputs: list[Entry],
        outputs: list[Entry],
        product: Product,
        after: CudaRegion | None = None,
    ) -> None:
        self.product, self._xp, self._after = product, xp, after
        self.ctype: str = CTYPES[product.dtype.name]
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.types = [graph.types[e] for e in self.outputs]
        factors = [nodes[0].inputs[operand.input] for operand in (product.a, product.b)]
        self._factors = [f"in{self.inputs.index(e)}" for e in factors]
        sizes = [graph.types[e].size for e in (*self.inputs, *self.outputs)]
        self.index: str = index_type(*sizes, *product.sizes)
        self._tile = choose_tile(*product.sizes[:2], product.batch)
        self._few = self._is_few()
        self._pieces = 1 if self._few else self._number_of_pieces()
        self._size = product.batch * product.sizes[0] * product.sizes[1]
        self._kernels: list[Any] = []
        self.source: str = self._write()

    def _is_few(self) -> bool:
        """Return whether 32 threads compute each result, because sums are long and there are few results."""
        m, n, k = self.product.sizes
        along = all(o.inner and o.inner[-1] == 1 for o in (self.product.a, self.product.b))
        thin = min(m, n) <= 4 and self.product.batch * m * n <= 1 << 16
        return thin and k >= WARP and along and not self.product.b.windows

    def _number_of_pieces(self) -> int:
        m, n, k = self.product.sizes
        tiles = -(-m // self._tile.m) * -(-n // self._tile.n) * self.product.batch
        return max(1, min(BLOCKS // tiles, k // LEAST_PIECE, 64))

    # --- source ---

    def _write(self) -> str:
        p = self.product
        self._parameters, self._arguments = ", ".join(self.pointers()), ", ".join(self.names())
        text = [
            self._layout("a", p.a, p.m, "m"),
            self._layout("b", p.b, p.n, "n"),
            self._result_layout(),
            self._store(),
        ]
        text.append(self._dots() if self._few else self._tiles())
        if self._pieces > 1:
            text.append(self._sum())
        return "\n".join(text)

    def _place(self, number: str, sizes: Sequence[int], strides: Sequence[int]) -> str:
        """Return the expression of an address along some axes; divisions by constants are fast."""
        step, indices = math.prod(sizes), []
        for position, size in enumerate(sizes):
            step //= size
            place = f"{number} / {step}" if step > 1 else number
            indices.append(f"({place}) % {size}" if position and size > 1 else f"({place})" if size > 1 else "0")
        return linear(indices, strides)

    def _layout(self, name: str, operand: Operand, sizes: tuple[int, ...], outer: str) -> str:
        """Return the source of a function that loads an element of a factor, or zero outside of the factor."""
        index, k = self.index, self.product.k
        lines = [
            f"__device__ __forceinline__ {self.ctype} NAME_{name}"
            f"(const {self.ctype}* __restrict__ {name}, const {index} {outer}, const {index} k) {{",
            f"    {index} place = ({self._place(outer, sizes, operand.outer)})"
            f" + ({self._place('k', k, operand.inner)});",
        ]
        for w in operand.windows:
            there = f"({self._place(outer, sizes, w.outer)}) + ({self._place('k', k, w.inner)}) + ({w.shift})"
            lines.append(f"    {{ int at = {there};")
            if w.divide > 1:
                lines.append(f"    if (at < 0 || at % {w.divide}) return 0;")
                lines.append(f"    at /= {w.divide};")
            lines.append(f"    if ((unsigned) at >= {w.limit}u) return 0;")
            lines.append(f"    place += ({index}) at * {w.stride}; }}")
        return "\n".join([*lines, f"    return {name}[place];", "}", ""])

    def _result_layout(self) -> str:
        p, index = self.product, self.index
        m, n = self._place("m", p.m, p.c_m), self._place("n", p.n, p.c_n)
        return (
            f"__device__ __forceinline__ {index} NAME_c(const {index} batch, const {index} m, const {index} n) {{\n"
            f"    return batch * {p.c_batch} + ({m}) + ({n});\n}}\n"
        )

    def _store(self) -> str:
        """Return the source of the function that applies the fused region to a result and stores it."""
        after, ctype = self._after, self.ctype
        parameters = f"const {self.index} p, const {ctype} value, {self._parameters}"
        if after is None:
            return f"__device__ __forceinline__ void NAME_store({parameters}) {{ out0[p] = value; }}\n"
        number = after.inputs.index((self.nodes[0], 0))
        renamed = [f"in{self.inputs.index(e)}" if e in self.inputs else "value" for e in after.inputs]
        arguments = ", ".join(["p", *renamed, *(f"out{k}" for k in range(len(self.outputs)))])
        text = after.element_function(number)
        return f"{text}__device__ __forceinline__ void NAME_store({parameters}) {{ NAME_at({arguments}); }}\n"

    def _dots(self) -> str:
        """Return the kernel in which 32 threads compute one result."""
        (m, n, k), p, a, b = self.product.sizes, self.product, *self._factors
        return f"""
extern "C" __global__ void __launch_bounds__({THREADS}) NAME({self._parameters}) {{
    const int lane = threadIdx.x % {WARP};
    const {self.index} number = ({self.index}) blockIdx.x * {THREADS // WARP} + threadIdx.x / {WARP};
    if (number >= {self._size}) return;
    const {self.index} batch = number / {m * n}, m = number % {m * n} / {n}, n = number % {n};
    {self.ctype} sum = 0;
    #pragma unroll 8
    for (int k = lane; k < {k}; k += {WARP})
        sum += NAME_a({a} + batch * {p.a.batch}, m, k) * NAME_b({b} + batch * {p.b.batch}, n, k);
    #pragma unroll
    for (int step = {WARP // 2}; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) NAME_store(NAME_c(batch, m, n), sum, {self._arguments});
}}
"""

    def _tiles(self) -> str:
        """Return the kernel in which a block computes a tile of the result, or a piece of the sums of a tile."""
        (m, n, k), p, t, ctype, index = self.product.sizes, self.product, self._tile, self.ctype, self.index
        a, b = self._factors
        piece = math.ceil(k / self._pieces / t.k) * t.k
        rows, columns = t.m // t.thread_m, t.n // t.thread_n
        parameters = f"{ctype}* __restrict__ pieces, {self._parameters}" if self._pieces > 1 else self._parameters
        if self._pieces > 1:
            finish = f"pieces[({index}) piece * {self._size} + (batch * {m} + m) * {n} + n] = sums[i][j];"
        else:
            finish = f"NAME_store(NAME_c(batch, m, n), sums[i][j], {self._arguments});"
        return f"""
extern "C" __global__ void __launch_bounds__({t.threads}) NAME({parameters}) {{
    __shared__ {ctype} tile_a[{t.k}][{t.m + 1}], tile_b[{t.k}][{t.n + 1}];
    const int thread = threadIdx.x, row = thread / {columns}, column = thread % {columns};
    const {index} first_m = ({index}) blockIdx.y * {t.m}, first_n = ({index}) blockIdx.x * {t.n};
    const {index} batch = blockIdx.z / {self._pieces};
    const int piece = blockIdx.z % {self._pieces};
    const {index} start = ({index}) piece * {piece}, stop = min(start + {piece}, ({index}) {k});
    const {ctype}* __restrict__ a = {a} + batch * {p.a.batch};
    const {ctype}* __restrict__ b = {b} + batch * {p.b.batch};
    {ctype} sums[{t.thread_m}][{t.thread_n}] = {{}};
    for ({index} first_k = start; first_k < stop; first_k += {t.k}) {{
        #pragma unroll
        for (int e = thread; e < {t.m * t.k}; e += {t.threads}) {{
            const int i = {self._order(p.a, t.m, t.k)}, j = {self._order(p.a, t.m, t.k, True)};
            const {index} m = first_m + i, k = first_k + j;
            tile_a[j][i] = m < {m} && k < stop ? NAME_a(a, m, k) : ({ctype}) 0;
        }}
        #pragma unroll
        for (int e = thread; e < {t.n * t.k}; e += {t.threads}) {{
            const int i = {self._order(p.b, t.n, t.k)}, j = {self._order(p.b, t.n, t.k, True)};
            const {index} n = first_n + i, k = first_k + j;
            tile_b[j][i] = n < {n} && k < stop ? NAME_b(b, n, k) : ({ctype}) 0;
        }}
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < {t.k}; ++k) {{
            {ctype} left[{t.thread_m}], right[{t.thread_n}];
            #pragma unroll
            for (int i = 0; i < {t.thread_m}; ++i) left[i] = tile_a[k][row + i * {rows}];
            #pragma unroll
            for (int j = 0; j < {t.thread_n}; ++j) right[j] = tile_b[k][column + j * {columns}];
            #pragma unroll
            for (int i = 0; i < {t.thread_m}; ++i)
                #pragma unroll
                for (int j = 0; j < {t.thread_n}; ++j) sums[i][j] += left[i] * right[j];
        }}
        __syncthreads();
    }}
    #pragma unroll
    for (int i = 0; i < {t.thread_m}; ++i)
        #pragma unroll
        for (int j = 0; j < {t.thread_n}; ++j) {{
            const {index} m = first_m + row + i * {rows}, n = first_n + column + j * {columns};
            if (m < {m} && n < {n}) {finish}
        }}
}}
"""

    def _order(self, operand: Operand, size: int, depth: int, inner: bool = False) -> str:
        """Return the expression of the element that a thread loads; neighboring threads load neighbors in memory."""
        along_k = bool(operand.inner) and operand.inner[-1] == 1
        if along_k:
            return f"e % {depth}" if inner else f"e / {depth}"
        return f"e / {size}" if inner else f"e % {size}"

    def _sum(self) -> str:
        """Return the kernel that adds up the pieces of the sums."""
        (m, n, _), index = self.product.sizes, self.index
        return f"""
extern "C" __global__ void __launch_bounds__({THREADS})
NAME_sum(const {self.ctype}* __restrict__ pieces, {self._parameters}) {{
    const {index} number = ({index}) blockIdx.x * {THREADS} + threadIdx.x;
    if (number >= {self._size}) return;
    {self.ctype} sum = pieces[number];
    #pragma unroll 8
    for (int piece = 1; piece < {self._pieces}; ++piece) sum += pieces[({index}) piece * {self._size} + number];
    const {index} batch = number / {m * n}, m = number % {m * n} / {n}, n = number % {n};
    NAME_store(NAME_c(batch, m, n), sum, {self._arguments});
}}
"""

    # --- running ---

    def attach(self, kernel: Callable[[str], Any]) -> None:
        """Set the compiled kernels.

        Parameters
        ----------
        kernel : callable
            Function that takes the suffix of a kernel's name and returns the compiled kernel.
        """
        self._kernels = [kernel("")] + ([kernel("_sum")] if self._pieces > 1 else [])
        (m, n, _), t = self.product.sizes, self._tile
        if self._few:
            self._grid, self._block = (-(-self._size * WARP // THREADS),), (THREADS,)
        else:
            self._grid = (-(-n // t.n), -(-m // t.m), self.product.batch * self._pieces)
            self._block = (t.threads,)

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Compute the product and the fused region.

        Parameters
        ----------
        *arrays : array
            The inputs.
        **given : array
            ``out0_given=`` and so on are destinations of the results.

        Returns
        -------
        array or tuple of array
            The results.
        """
        outs = self.outputs_for(self._xp, given)
        if self._pieces > 1:
            pieces = self._xp.empty(self._pieces * self._size, self.product.dtype)
            self._kernels[0](self._grid, self._block, (pieces, *arrays, *outs))
            self._kernels[1]((-(-self._size // THREADS),), (THREADS,), (pieces, *arrays, *outs))
        else:
            self._kernels[0](self._grid, self._block, (*arrays, *outs))
        return outs[0] if len(outs) == 1 else tuple(outs)
