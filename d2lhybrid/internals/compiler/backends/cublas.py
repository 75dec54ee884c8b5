"""Large matrix products through cuBLAS, called directly.

CuPy disallows its own cuBLAS calls during the capture of a CUDA graph, although cuBLAS allows them if its workspace is
set beforehand. Therefore, this module calls the library that CuPy has loaded, with a separate handle.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from d2lhybrid.error import MXNetError

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...ops.products import Operand, Product
from ...support.locks import new_lock
from .cuda_region import CudaBody

if TYPE_CHECKING:
    import ctypes
else:
    try:
        import ctypes
    except ImportError:  # for example, in a browser
        ctypes = None

__all__ = ["CublasProduct", "find_library", "is_available"]

#: The size of the workspace in bytes. NVIDIA recommends this size for Hopper; older GPUs need less.
WORKSPACE_BYTES = 32 << 20
_NOT_TURNED, _TURNED = 0, 1


def is_available() -> bool:
    """Return whether the cuBLAS library is found."""
    return find_library() is not None


@functools.cache
def find_library() -> ctypes.CDLL | None:
    """Return the cuBLAS library, loaded with :mod:`ctypes`.

    The search tries the locations of CuPy, then the usual names in the search path of the system's loader.

    Returns
    -------
    ctypes.CDLL or None
        The library; None if it isn't found.
    """
    if ctypes is None:
        return None
    with contextlib.suppress(Exception):
        from cuda.pathfinder import load_nvidia_dynamic_lib  # pyright: ignore[reportMissingImports]

        return ctypes.CDLL(load_nvidia_dynamic_lib("cublas").abs_path)
    for name in ("libcublas.so.13", "libcublas.so.12", "cublas64_13.dll", "cublas64_12.dll"):
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    return None


class _Handle:
    """A cuBLAS handle for one device, with its workspace.

    One thread at a time may use the handle. All calls can share the workspace, because one stream runs them in order.
    """

    def __init__(self, cupy: Any, library: Any) -> None:
        self.lock = new_lock()
        self.value = ctypes.c_void_p()
        _check(library.cublasCreate_v2(ctypes.byref(self.value)), "cublasCreate")
        self.workspace = cupy.empty(WORKSPACE_BYTES, numpy.uint8)


_handles: dict[tuple[Any, int], _Handle] = {}


def _handle(cupy: Any, library: Any) -> _Handle:
    """Return the handle of the current device."""
    key = (cupy, cupy.cuda.runtime.getDevice())
    if key not in _handles:
        _handles[key] = _Handle(cupy, library)
    return _handles[key]


def _check(status: int, name: str) -> None:
    if status:
        error = MXNetError(f"{name} failed with status {status}")
        error.add_note(
            "See cublasStatus_t in the documentation of cuBLAS. To avoid cuBLAS, set D2LHYBRID_GPU_GEMM=own."
        )
        raise error


class CublasProduct(CudaBody):
    """A product of two matrices by cuBLAS, without fused operators.

    cuBLAS reads matrices in column-major order, in which a row-major matrix appears transposed. ``c = a · b`` in
    row-major order is ``cᵀ = bᵀ · aᵀ`` in column-major order, and flags transpose the factors as needed.
    """

    nodes: tuple[Node]
    inputs: tuple[Entry, ...]
    product: Product

    source = ""

    def __init__(self, xp: Any, graph: Graph, node: Node, inputs: list[Entry], product: Product) -> None:
        self._xp, self.product = xp, product
        self.nodes, self.inputs, self.outputs = (node,), tuple(inputs), ((node, 0),)
        self.types = [graph.types[node, 0]]
        self._places = [self.inputs.index(node.inputs[o.input]) for o in (product.a, product.b)]
        m, n, k = product.sizes
        turn_a, rows_a = _order(product.a, m, k)
        turn_b, rows_b = _order(product.b, n, k)
        number = ctypes.c_float if product.dtype == numpy.float32 else ctypes.c_double
        self._one, self._zero = number(1), number(0)
        # The second factor comes first. The sum runs over its rows, and over the columns of the first factor.
        self._flags = (_NOT_TURNED if turn_b else _TURNED, _TURNED if turn_a else _NOT_TURNED, n, m, k)
        self._rows = rows_b, rows_a

    def attach(self, kernel: Callable[[str], Any]) -> None:
        """Do nothing, because there is no kernel to compile.

        Parameters
        ----------
        kernel : callable
            Ignored.
        """

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Compute the product with cuBLAS.

        Parameters
        ----------
        *arrays : array
            The factors.
        **given : array
            ``out0_given=`` is the destination of the result.

        Returns
        -------
        array
            The product.
        """
        [out] = self.outputs_for(self._xp, given)
        library, stream = find_library(), self._xp.cuda.get_current_stream().ptr
        assert library is not None
        call = library.cublasSgemm_v2 if self.product.dtype == numpy.float32 else library.cublasDgemm_v2
        a, b = (arrays[place].data.ptr for place in self._places)
        rows_b, rows_a = self._rows
        handle = _handle(self._xp, library)
        with handle.lock:
            _check(library.cublasSetStream_v2(handle.value, ctypes.c_void_p(stream)), "cublasSetStream")
            # Setting a stream also resets the workspace to cuBLAS's default, with which no capture is allowed.
            address = ctypes.c_void_p(handle.workspace.data.ptr)
            size = ctypes.c_size_t(WORKSPACE_BYTES)
            _check(library.cublasSetWorkspace_v2(handle.value, address, size), "cublasSetWorkspace")
            status = call(
                handle.value, *self._flags, ctypes.byref(self._one), ctypes.c_void_p(b), rows_b, ctypes.c_void_p(a),
                rows_a, ctypes.byref(self._zero), ctypes.c_void_p(out.data.ptr), self.product.sizes[1],
            )  # fmt: skip
        _check(status, "cublasGemm")
        return out


def _order(operand: Operand, size: int, k: int) -> tuple[bool, int]:
    """Return whether the outer axis of a factor is contiguous, and the leading dimension."""
    fastest = operand.outer[0] == 1 and (operand.inner[0] != 1 or k == 1 != size)
    return (True, max(size, operand.inner[0])) if fastest else (False, max(k, operand.outer[0]))
