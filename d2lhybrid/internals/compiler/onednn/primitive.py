"""Primitives: oneDNN's computations for fixed shapes.

A :class:`Descriptor` is the memory layout of an array. A *primitive descriptor* is a computation on arrays with certain
layouts. oneDNN may choose some of these layouts (packed weights). A :class:`Primitive` is the compiled form of a
primitive descriptor, which runs on addresses. Memory objects hold the addresses of a call, so each Python thread has
its own memory objects.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from d2lhybrid.error import MXNetError

from .library import Unsupported, library

__all__ = [
    "BIAS", "DIFF_DST", "DIFF_SRC", "DIFF_WEIGHTS", "DST", "SRC", "SUMMAND", "WEIGHTS", "Arguments", "Descriptor",
    "Primitive", "adding", "any_layout", "chosen", "described", "dims", "hinting", "make_descriptor",
    "reorder", "strides_of",
]  # fmt: skip

# The roles of arguments: DNNL_ARG_... of dnnl_types.h.
SRC, DST, WEIGHTS, BIAS = 1, 17, 33, 41
DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 129, 145, 161
#: The role of the array that is added to the result: DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1.
SUMMAND = 1 << 15 | 2

_FLOAT32 = 3
_ANY = 1
_ADD = 0x1FFF0


class Argument(ctypes.Structure):
    """The C structure ``dnnl_exec_arg_t``."""

    _fields_ = [("arg", ctypes.c_int), ("memory", ctypes.c_void_p)]


def dims(values: Sequence[int]) -> Any:
    """Convert numbers to a C array of the type ``dnnl_dims_t``.

    Parameters
    ----------
    values : sequence of int
        The numbers.

    Returns
    -------
    ctypes.Array
        The C array.
    """
    return (ctypes.c_int64 * len(values))(*values)


class Descriptor:
    """The memory layout of a single-precision array.

    The library's object lives as long as this Python object. A caller that uses `handle` must keep a reference to this
    object.

    Attributes
    ----------
    handle : ctypes.c_void_p
        The library's object for this layout.
    size : int
        The size of the array in bytes, including oneDNN's padding.
    """

    def __init__(self, handle: ctypes.c_void_p, owned: bool = True) -> None:
        self.handle = handle
        self.size: int = library().value("dnnl_memory_desc_get_size", handle)
        if owned:
            weakref.finalize(self, library().value, "dnnl_memory_desc_destroy", handle).atexit = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Descriptor):
            return NotImplemented
        return bool(library().value("dnnl_memory_desc_equal", self.handle, other.handle))


def described(shape: Sequence[int], strides: Sequence[int]) -> Descriptor:
    """Return the descriptor of an array with the given shape and strides (in elements).

    Parameters
    ----------
    shape : sequence of int
        The shape.
    strides : sequence of int
        The strides in elements.

    Returns
    -------
    Descriptor
        The descriptor.
    """
    handle = ctypes.c_void_p()
    library().call(
        "dnnl_memory_desc_create_with_strides", ctypes.byref(handle), len(shape), dims(shape), _FLOAT32, dims(strides)
    )
    return Descriptor(handle)


def any_layout(shape: Sequence[int]) -> Descriptor:
    """Return the descriptor of an array whose memory layout oneDNN may choose.

    Parameters
    ----------
    shape : sequence of int
        The shape.

    Returns
    -------
    Descriptor
        The descriptor.
    """
    handle = ctypes.c_void_p()
    library().call("dnnl_memory_desc_create_with_tag", ctypes.byref(handle), len(shape), dims(shape), _FLOAT32, _ANY)
    return Descriptor(handle)


def strides_of(shape: Sequence[int], order: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the strides, in elements, of an array whose axes are in a given memory order.

    Parameters
    ----------
    shape : sequence of int
        Shape of the array.
    order : sequence of int, optional
        The axes from the outermost to the innermost; by default, as in a contiguous array.

    Returns
    -------
    tuple of int
        The strides.

    Examples
    --------
    >>> strides_of((2, 3, 4, 5))
    (60, 20, 5, 1)
    >>> strides_of((2, 3, 4, 5), (0, 2, 3, 1))
    (60, 1, 15, 3)
    """
    strides = [0] * len(shape)
    step = 1
    for axis in reversed(range(len(shape)) if order is None else order):
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


class _Bound:
    """The memory objects of one thread for one primitive."""

    def __init__(self, arguments: Sequence[tuple[int, Descriptor]]) -> None:
        found = library()
        self.memories: list[ctypes.c_void_p] = []
        for _, descriptor in arguments:
            memory = ctypes.c_void_p()
            found.call("dnnl_memory_create", ctypes.byref(memory), descriptor.handle, found.engine, None)
            self.memories.append(memory)
            weakref.finalize(self, found.value, "dnnl_memory_destroy", memory).atexit = False
        pairs = zip(arguments, self.memories, strict=True)
        self.arguments = (Argument * len(arguments))(*[Argument(number, m) for (number, _), m in pairs])
        self.pointer = ctypes.addressof(self.arguments)
        self.stream = found.stream()
        self.addresses: tuple[int, ...] | None = None


#: The arguments of a computation, in order, and their memory layouts.
Arguments = Sequence[tuple[int, Descriptor]]


class _Code:
    """The compiled form of a primitive descriptor for a number of threads."""

    def __init__(self, descriptor: ctypes.c_void_p, arguments_of: Callable[[ctypes.c_void_p], Arguments]) -> None:
        found = library()
        self.handle = ctypes.c_void_p()
        try:
            self.implementation = _implementation(descriptor)
            self.arguments = tuple(arguments_of(descriptor))
            found.call("dnnl_primitive_create", ctypes.byref(self.handle), descriptor)
        finally:
            found.value("dnnl_primitive_desc_destroy", descriptor)
        weakref.finalize(self, found.value, "dnnl_primitive_destroy", self.handle).atexit = False


class Primitive:
    """A compiled oneDNN computation for fixed shapes.

    The compiled code is specific to a number of threads. For each other number of threads, oneDNN compiles new code.
    The new code is used only if its memory layouts are those of the first code, because weights may already have been
    packed. If the layouts differ, the first code stays in use.

    Parameters
    ----------
    describe : callable
        A function that creates the primitive descriptor. This class destroys the descriptor.
    arguments_of : callable
        A function that returns the arguments of :meth:`run`, given the primitive descriptor.
    """

    def __init__(
        self, describe: Callable[[], ctypes.c_void_p], arguments_of: Callable[[ctypes.c_void_p], Arguments]
    ) -> None:
        found = library()
        self._describe, self._arguments_of = describe, arguments_of
        self._execute, self._set_handle, self._use_threads = found.execute, found.set_handle, found.use_threads
        count = self._use_threads()
        self._first = _Code(describe(), arguments_of)
        self._by_count = {count: self._first}
        self.implementation: str = self._first.implementation
        self._local = threading.local()

    @property
    def layouts(self) -> list[Descriptor]:
        """The memory layouts of the arguments, in order."""
        return [layout for _, layout in self._first.arguments]

    def layout(self, number: int) -> Descriptor:
        """Return the memory layout of an argument.

        Parameters
        ----------
        number : int
            The library's index of the argument, one of the ``DNNL_ARG`` constants.

        Returns
        -------
        Descriptor
            The layout.
        """
        return dict(self._first.arguments)[number]

    def _other(self, count: int) -> _Code:
        """Return the code for the number of threads that this thread uses now."""
        try:
            code = _Code(self._describe(), self._arguments_of)
        except Unsupported:
            code = self._first
        self._by_count[count] = code if code.arguments == self._first.arguments else self._first
        return self._by_count[count]

    def run(self, *addresses: int) -> None:
        """Run the computation on arrays at given addresses.

        Parameters
        ----------
        *addresses : int
            The data address of each argument.

        Raises
        ------
        MXNetError
            If oneDNN reports an error.
        """
        count = self._use_threads()
        code = self._by_count.get(count) or self._other(count)
        try:
            bound = self._local.bound
        except AttributeError:
            bound = self._local.bound = _Bound(self._first.arguments)
        if addresses != bound.addresses:
            bound.addresses = None  # an interrupt may leave only some handles set
            for memory, place in zip(bound.memories, addresses, strict=True):
                self._set_handle(memory, place)
            bound.addresses = addresses
        status = self._execute(code.handle, bound.stream, len(addresses), bound.pointer)
        if status:
            raise MXNetError(f"oneDNN failed with status {status} in {self.implementation}")

    def __deepcopy__(self, memo: Any) -> Primitive:
        return self


def _implementation(descriptor: ctypes.c_void_p) -> str:
    """Return oneDNN's name for the implementation that it chose."""
    text = ctypes.c_char_p()
    library().call("dnnl_primitive_desc_query", descriptor, 8, 0, ctypes.byref(text))
    return (text.value or b"").decode()


def make_descriptor(name: str, *arguments: Any) -> ctypes.c_void_p:
    """Return the primitive descriptor that ``dnnl_<name>_primitive_desc_create`` creates.

    Parameters
    ----------
    name : str
        Name of the primitive, such as ``convolution_forward``.
    *arguments : object
        Arguments of the C function.

    Returns
    -------
    ctypes.c_void_p
        The primitive descriptor.

    Raises
    ------
    Unsupported
        If oneDNN doesn't support the computation.
    """
    found = library()
    descriptor = ctypes.c_void_p()
    found.call(f"dnnl_{name}_primitive_desc_create", ctypes.byref(descriptor), found.engine, *arguments)
    return descriptor


@contextlib.contextmanager
def hinting(descriptor: ctypes.c_void_p) -> Iterator[ctypes.c_void_p]:
    """Return a context manager in which a forward descriptor is the hint for creating the descriptor of its gradient.

    At the end of the context, the forward descriptor is destroyed.

    Parameters
    ----------
    descriptor : ctypes.c_void_p
        The forward descriptor.

    Returns
    -------
    context manager
        The context, whose value is the forward descriptor.
    """
    try:
        yield descriptor
    finally:
        library().value("dnnl_primitive_desc_destroy", descriptor)


def chosen(descriptor: ctypes.c_void_p, what: int, index: int = 0) -> Descriptor:
    """Return the memory layout, possibly chosen by oneDNN, of an argument of a primitive descriptor.

    Parameters
    ----------
    descriptor : ctypes.c_void_p
        The primitive descriptor.
    what : int
        The kind of the argument, as a value of the C enumeration ``dnnl_query_t``.
    index : int
        Index among several arguments of this kind.

    Returns
    -------
    Descriptor
        The layout.
    """
    handle = ctypes.c_void_p(library().value("dnnl_primitive_desc_query_md", descriptor, what, index))
    copy = ctypes.c_void_p()
    library().call("dnnl_memory_desc_clone", ctypes.byref(copy), handle)
    return Descriptor(copy)


def reorder(source: Descriptor, target: Descriptor) -> Primitive:
    """Return the primitive that copies an array from one memory layout into another layout.

    Parameters
    ----------
    source, target : Descriptor
        The layouts.

    Returns
    -------
    Primitive
        The primitive.
    """

    def describe() -> ctypes.c_void_p:
        found, descriptor = library(), ctypes.c_void_p()
        found.call(
            "dnnl_reorder_primitive_desc_create", ctypes.byref(descriptor), source.handle, found.engine, target.handle,
            found.engine, None,
        )  # fmt: skip
        return descriptor

    return Primitive(describe, lambda _: [(SRC, source), (DST, target)])


@contextlib.contextmanager
def adding(what: Descriptor | None) -> Iterator[ctypes.c_void_p | None]:
    """Return a context manager with the attributes of a computation that adds an array to its result.

    Parameters
    ----------
    what : Descriptor or None
        Layout of the array to add; None to add nothing.

    Returns
    -------
    context manager
        The context, whose value is the attributes, or None if nothing is added.
    """
    if what is None:
        yield None
        return
    found, steps, attributes = library(), ctypes.c_void_p(), ctypes.c_void_p()
    found.call("dnnl_post_ops_create", ctypes.byref(steps))
    found.call("dnnl_primitive_attr_create", ctypes.byref(attributes))
    try:
        found.call("dnnl_post_ops_append_binary", steps, _ADD, what.handle)
        found.call("dnnl_primitive_attr_set_post_ops", attributes, steps)
        yield attributes
    finally:
        found.value("dnnl_post_ops_destroy", steps)
        found.value("dnnl_primitive_attr_destroy", attributes)
