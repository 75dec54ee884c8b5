"""A region of operators as one CUDA C kernel, with one thread per element and values in registers.

If each result depends only on the input elements at its position, a thread computes several neighboring results. The
thread first loads the inputs of all these results, in words of 16 bytes, so that many loads are in flight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ..passes.regions import RegionBody
from .region_code import RegionCode

__all__ = ["CudaBody", "CudaRegion", "index_type"]

#: The number of threads in a block.
THREADS = 256
#: The smallest number of elements for which a thread computes several elements. With fewer elements, there would be too
#: few threads for the GPU.
VECTOR_SIZE = 1 << 18
#: The vector types of 16 bytes, with the names of their components.
VECTORS = {"float": ("float4", "xyzw"), "double": ("double2", "xy")}


def index_type(*sizes: int) -> str:
    """Return the C type that can hold the indices of some arrays.

    The type is ``int``, which is faster, if all sizes are below 2**31, and ``long long`` otherwise.

    Parameters
    ----------
    *sizes : int
        Sizes of the arrays.

    Returns
    -------
    str
        The type.
    """
    return "int" if max(sizes, default=0) < 1 << 31 else "long long"


class CudaBody(RegionBody):
    """The body of a node that is computed by one or more kernels.

    Attributes
    ----------
    source : str
        The source code of the kernels, with NAME as the prefix of their names.
    ctype : str
        The C type of inputs and results.
    """

    source: str
    ctype: str

    def pointers(self) -> list[str]:
        """Return the parameters of a kernel: the inputs, then the results."""
        return [f"const {self.ctype}* __restrict__ in{k}" for k in range(len(self.inputs))] + [
            f"{self.ctype}* __restrict__ out{k}" for k in range(len(self.outputs))
        ]

    def names(self) -> list[str]:
        """Return the names of the kernel's parameters for inputs and results."""
        return [f"in{k}" for k in range(len(self.inputs))] + [f"out{k}" for k in range(len(self.outputs))]

    def attach(self, kernel: Callable[[str], Any]) -> None:
        """Set the compiled kernels.

        Parameters
        ----------
        kernel : callable
            Function that takes the suffix of a kernel's name and returns the compiled kernel. For example,
            ``kernel("_sum")`` returns the kernel ``NAME_sum``.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def outputs_for(self, xp: Any, given: dict[str, Any]) -> list[Any]:
        """Return the arrays into which a kernel writes the results.

        Parameters
        ----------
        xp : module
            CuPy.
        given : dict of str to array
            Destinations, by ``out0_given`` and so on.

        Returns
        -------
        list of array
            The destinations, or new arrays where there is no destination.
        """
        outs = []
        for k, kind in enumerate(self.types):
            out = given.get(f"out{k}_given")
            outs.append(xp.empty(kind.shape, kind.dtype) if out is None else out)
        return outs


class CudaRegion(RegionCode, CudaBody):
    """A region as a separate kernel, or fused into the kernel of a product.

    Parameters
    ----------
    xp : module
        CuPy.
    graph, nodes, inputs, outputs, kind
        The graph of the region, its operators, the entries that it reads, its values that are used outside, and the
        shape and element type over which it iterates.
    """

    def __init__(
        self, xp: Any, graph: Graph, nodes: list[Node], inputs: list[Entry], outputs: list[Entry], kind: TensorType
    ) -> None:
        super().__init__(graph, nodes, inputs, outputs, kind)
        self._xp = xp
        self.index: str = index_type(kind.size, *(t.size for t in (*self.input_types, *self.types)))
        self._kernel: Any = None
        vector, parts = VECTORS[self.ctype]
        self._width = len(parts) if self.is_linear and kind.size >= VECTOR_SIZE else 1
        self.source: str = self.element_function() + (
            self._vectorized(vector, parts) if self._width > 1 else self._plain()
        )
        self._grid = (-(-kind.size // (THREADS * self._width)),)

    # --- source ---

    def element_function(self, given: int | None = None) -> str:
        """Return a device function that computes the elements at one position.

        Parameters
        ----------
        given : int, optional
            The index of an input whose element is passed as ``value`` instead of being loaded.

        Returns
        -------
        str
            The code of the device function.
        """
        parameters = [f"const {self.index} p", *self.pointers()]
        if given is not None:
            parameters[1 + given] = f"const {self.ctype} value"
        lines = [f"__device__ __forceinline__ void NAME_at({', '.join(parameters)}) {{", *self._positions()]
        addresses = self.addresses()
        for (place, _), name, address in zip(self.loads, self.loads.values(), addresses, strict=False):
            lines.append(f"    const {self.ctype} {name} = {'value' if place == f'in{given}' else address};")
        lines += [f"    {line}" for line in self.body]
        for (_, _, value), address in zip(self.stores, addresses[len(self.loads) :], strict=True):
            lines.append(f"    {address} = {value};")
        return "\n".join([*lines, "}", "", ""])

    def _positions(self) -> list[str]:
        """Return the definitions of the position along each axis; divisions by constants are fast."""
        lines, step = [], 1
        for k in reversed(range(len(self.shape))):
            place = f"p / {step}" if step > 1 else "p"
            lines.append(f"    const {self.index} i{k} = {f'({place}) % {self.shape[k]}' if k else place};")
            step *= self.shape[k]
        return lines

    def _head(self) -> str:
        return f'extern "C" __global__ void __launch_bounds__({THREADS}) NAME({", ".join(self.pointers())}) {{'

    def _plain(self) -> str:
        return "\n".join(
            [
                self._head(),
                f"    const {self.index} p = ({self.index}) blockIdx.x * {THREADS} + threadIdx.x;",
                f"    if (p < {self.kind.size}) NAME_at({', '.join(['p', *self.names()])});",
                "}",
                "",
            ]
        )

    def _vectorized(self, vector: str, parts: str) -> str:
        """Return the kernel in which a thread computes several neighbors, if the memory layout allows it."""
        width, size = len(parts), self.kind.size
        whole = size - size % width
        together = " | ".join(f"(unsigned long long) {name}" for name in self.names())
        lines = [
            self._head(),
            f"    const {self.index} p = (({self.index}) blockIdx.x * {THREADS} + threadIdx.x) * {width};",
            f"    if (p >= {whole} || (({together}) & 15)) {{",
            f"        for (int k = 0; k < {width}; ++k)",
            f"            if (p + k < {size}) NAME_at({', '.join(['p + k', *self.names()])});",
            "        return;",
            "    }",
        ]
        for (place, access), name in self.loads.items():
            if access.strides:
                lines.append(f"    const {vector} {name}s = *(const {vector}*) ({place} + p);")
        results = [f"y{k}s" for k in range(len(self.stores))]
        lines.append(f"    {vector} {', '.join(results)};")
        for part in parts:
            lines.append("    {")
            for name in self.loads.values():
                lines.append(f"        const {self.ctype} {name} = {name}s.{part};")
            lines += [f"        {line}" for line in self.body]
            for result, (_, _, value) in zip(results, self.stores, strict=True):
                lines.append(f"        {result}.{part} = {value};")
            lines.append("    }")
        for result, (out, _, _) in zip(results, self.stores, strict=True):
            lines.append(f"    *({vector}*) ({out} + p) = {result};")
        return "\n".join([*lines, "}", ""])

    # --- running ---

    def attach(self, kernel: Callable[[str], Any]) -> None:
        """Set the compiled kernel.

        Parameters
        ----------
        kernel : callable
            Function that takes the suffix of a kernel's name and returns the compiled kernel.
        """
        self._kernel = kernel("")

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Compute the region with its kernel.

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
        self._kernel(self._grid, (THREADS,), (*arrays, *outs))
        return outs[0] if len(outs) == 1 else tuple(outs)
