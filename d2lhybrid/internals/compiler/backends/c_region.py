"""Nodes that call C functions. The C function of a region is one loop nest, with intermediate values in registers."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import numpy

from d2lhybrid.util import warn_user

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...device.address import address
from ..passes.regions import RegionBody
from .c_call import first_of_last, of_arrays, short_call, takes_arrays
from .c_compiler import NoRoomError, build
from .c_crew import Part, ask_for_help, divide_among_cores, part_of_arrays
from .c_expressions import PRELUDE, is_dear
from .c_sizes import Numbers, with_arguments
from .region_code import RegionCode

#: The errors about which the user has been warned.
_warned: list[Exception] = []

__all__ = ["CFunction", "CRegion", "compile_regions", "source_of"]

#: The smallest work that is divided among the cores. Waking a thread takes as long as reading and writing a hundred
#: thousand elements.
PARALLEL_WORK = 1 << 22

#: The cost of a library function, such as exp, relative to a machine instruction.
DEAR = 5


class CFunction(RegionBody):
    """The body of a node that calls a C function: the source code and, after compilation, the compiled function.

    Attributes
    ----------
    source : str
        The source code of the function, with NAME for its name. The parameters are the start and the stop of the
        outermost loop, and the addresses of inputs and outputs.
    length, size : int
        The number of iterations of the outermost loop, and the total number of elements.
    weight : int
        The work per element, as the number of reads, writes, and operations.
    general : str
        The variant of the source with the same lines for all batch sizes, if possible; empty if ``source`` is this
        variant.
    numbers : Numbers or None
        The numbers in the source that are arguments, so that one library serves all sizes; None if all are constants.
    """

    source: str
    length: int
    size: int
    weight: int
    general: str = ""
    numbers: Numbers | None = None
    #: Whether `numbers` has been set.
    is_chosen = False
    _function: Any = None
    _part: Any = None
    #: Whether the function computes the whole node from the node's inputs, so that :func:`.c_call.short_call` can call
    #: it.
    is_whole = True
    #: Whether NumPy computes the node, because the library couldn't be written.
    without_c = False

    @property
    def text(self) -> str:
        """The C code to compile: the source, and variants of the function for array objects and for an address list."""
        if self.numbers is None:
            count, source, length = self.num_arrays, self.source, str(self.length)
        else:
            count, source = self.num_arrays + 1, with_arguments(self.general or self.source, self.numbers.places)
            length = first_of_last(count)
        return source + part_of_arrays(count) + of_arrays(count, length, not self.is_small)

    def attach(self, function: Any, of_arrays: Any, part: Any) -> None:
        """Set the compiled C function and its variants.

        Parameters
        ----------
        function : ctypes function
            The compiled function.
        of_arrays : ctypes function
            The variant for array objects.
        part : Part
            The variant for a list of addresses.
        """
        constants = () if self.numbers is None else (self.numbers.values,)
        function.restype = None
        function.argtypes = [ctypes.c_long] * 2 + [ctypes.c_void_p] * (self.num_arrays + len(constants))
        self._function, self._part = function, Part.of(part)
        if self.is_whole and takes_arrays():
            help_wanted = None if self.is_small else functools.partial(ask_for_help, self.length)
            self.run = short_call(of_arrays, len(self.inputs), self.types, help_wanted, constants)

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Compute the node with the C function, or with NumPy if there was no space or time to build the library.

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
        self.prepare()
        if self.without_c:
            return self._run_in_numpy(arrays, given)
        inputs = list(map(numpy.ascontiguousarray, arrays))
        outs = [numpy.empty(*kind) if name not in given else given[name] for name, kind in self._results]
        self.divide([*inputs, *outs])
        return outs[0] if len(outs) == 1 else tuple(outs)

    def prepare(self) -> None:
        """Compile the function, unless a program has already compiled it."""
        if self._function is None and not self.without_c:
            compile_regions([self])

    def divide(self, arrays: Sequence[Any]) -> None:
        """Call the function with contiguous arrays, on several cores if that pays off.

        Parameters
        ----------
        arrays : sequence of array
            The inputs and the results.
        """
        if self.numbers is not None:
            arrays = [*arrays, self.numbers.values]
        if self.is_small:
            self._function(0, self.length, *map(address, arrays))
        else:
            places = (ctypes.c_void_p * len(arrays))(*map(address, arrays))
            divide_among_cores(self._part, self.length, ctypes.addressof(places))

    @property
    def num_arrays(self) -> int:
        """The number of arrays that the function takes."""
        return len(self.inputs) + len(self.types)

    @functools.cached_property
    def _results(self) -> list[tuple[str, TensorType]]:
        """The keyword of each result's destination, and its type."""
        return [(f"out{k}_given", kind) for k, kind in enumerate(self.types)]

    @functools.cached_property
    def is_small(self) -> bool:
        """Whether the work is so small that one thread computes the whole function."""
        return self.length < 2 or self.size * self.weight < PARALLEL_WORK

    def _run_in_numpy(self, arrays: Sequence[Any], given: dict[str, Any]) -> Any:
        """Compute the result operator by operator with NumPy, without a compiler."""
        known = self.known(arrays)
        for node in self.nodes:
            assert node.op is not None
            value = node.op.kernel(numpy, *[known[n, i] for n, i in node.inputs], **node.params)
            known.update(((node, i), v) for i, v in enumerate(value if isinstance(value, tuple) else (value,)))
        outs = [numpy.array(known[n, i], order="C") for n, i in self.outputs]  # copies, because C returns no views
        outs += [numpy.empty(kind.shape, kind.dtype) for kind in self.types[len(outs) :]]
        for k, value in enumerate(outs):
            place = given.get(f"out{k}_given")
            if place is not None:
                place[...] = value
                outs[k] = place
        return outs[0] if len(outs) == 1 else tuple(outs)


class CRegion(RegionCode, CFunction):
    """The C function of a region: operators that are computed together, element by element."""

    length: int
    size: int
    weight: int

    def __init__(
        self, graph: Graph, nodes: list[Node], inputs: list[Entry], outputs: list[Entry], kind: TensorType
    ) -> None:
        super().__init__(graph, nodes, inputs, outputs, kind)
        self.length, self.size = self.shape[0] if self.shape else 1, self.kind.size
        dear = sum(is_dear(node) for node in self.nodes)
        self.weight = len(self.loads) + len(self.body) + len(self.stores) + (DEAR - 1) * dear
        self.source: str = self._loops()

    def _loops(self) -> str:
        """Return the C source, with NAME for the function's name."""
        ctype, depth = self.ctype, len(self.shape)
        parameters = [f"const {ctype}* restrict in{k}" for k in range(len(self.inputs))]
        parameters += [f"{ctype}* restrict out{k}" for k in range(len(self.outputs))]
        lines = [f"void NAME(long start, long stop, {', '.join(parameters)}) {{"]
        for k, n in enumerate(self.shape):
            first, last = ("start", "stop") if k == 0 else ("0", str(n))
            if k == depth - 1:
                lines.append(f"{'    ' * depth}#pragma omp simd")
            lines.append(f"{'    ' * (k + 1)}for (long i{k} = {first}; i{k} < {last}; ++i{k}) {{")
        pad = "    " * (depth + 1)
        addresses = self.addresses()
        for name, place in zip(self.loads.values(), addresses, strict=False):
            lines.append(f"{pad}const {ctype} {name} = {place};")
        lines += [pad + line for line in self.body]
        for (_, _, value), place in zip(self.stores, addresses[len(self.loads) :], strict=True):
            lines.append(f"{pad}{place} = {value};")
        lines += ["    " * (k + 1) + "}" for k in reversed(range(depth))]
        return "\n".join([*lines, "}", ""])


def source_of(regions: Sequence[CFunction]) -> str:
    """Return the C source of several regions.

    Parameters
    ----------
    regions : sequence of CFunction
        The regions.

    Returns
    -------
    str
        The source.
    """
    return "\n".join([PRELUDE, *(region.text.replace("NAME", f"region{k}") for k, region in enumerate(regions))])


def compile_regions(regions: Sequence[CFunction]) -> str:
    """Compile several regions with one call of the compiler, and return the source.

    If there is no space or time to build the library, NumPy computes the regions, with a single warning.

    Parameters
    ----------
    regions : sequence of CFunction
        The regions.

    Returns
    -------
    str
        The source.
    """
    source = source_of(regions)
    try:
        library = build(source)
    except NoRoomError as error:
        for region in regions:
            region.without_c = True
        if not _warned:
            _warned.append(error)
            warn_user(f"NumPy runs a program instead of the backend 'c': {error}")
        return source
    for k, region in enumerate(regions):
        region.attach(*(getattr(library, f"region{k}{kind}") for kind in ("", "_of_arrays", "_part")))
    return source
