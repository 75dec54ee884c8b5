"""Primitives: what oneDNN computes, prepared once for fixed shapes.

A :class:`Descriptor` says how an array lies in memory. A *primitive descriptor* is a computation on such arrays, for
which the library may choose the layout of some (packed weights); a :class:`Primitive` is its compiled form, which is
run on addresses. Memory objects are told the addresses of a call, so each thread of Python has its own.
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

# Which argument an array is: DNNL_ARG_... of dnnl_types.h.
SRC, DST, WEIGHTS, BIAS = 1, 17, 33, 41
DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 129, 145, 161
#: What is added to the result: DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1.
SUMMAND = 1 << 15 | 2

_FLOAT32 = 3
_ANY = 1
_ADD = 0x1FFF0


class Argument(ctypes.Structure):
    """``dnnl_exec_arg_t``."""

    _fields_ = [("arg", ctypes.c_int), ("memory", ctypes.c_void_p)]


def dims(values: Sequence[int]) -> Any:
    """Return numbers as the library takes them."""
    return (ctypes.c_int64 * len(values))(*values)


class Descriptor:
    """How an array of single-precision numbers lies in memory.

    The library's object lives as long as this one: keep it until the call that takes its handle has returned.

    Attributes
    ----------
    handle : ctypes.c_void_p
        The library's object.
    size : int
        How many bytes the array takes, any padding that the library wants included.
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
    """Return the descriptor of an array with strides, which count elements."""
    handle = ctypes.c_void_p()
    library().call(
        "dnnl_memory_desc_create_with_strides", ctypes.byref(handle), len(shape), dims(shape), _FLOAT32, dims(strides)
    )
    return Descriptor(handle)


def any_layout(shape: Sequence[int]) -> Descriptor:
    """Return the descriptor of an array whose layout the library may choose."""
    handle = ctypes.c_void_p()
    library().call("dnnl_memory_desc_create_with_tag", ctypes.byref(handle), len(shape), dims(shape), _FLOAT32, _ANY)
    return Descriptor(handle)


def strides_of(shape: Sequence[int], order: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the strides, in elements, of an array whose axes lie in memory in an order, outermost first.

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


#: Which arguments a computation takes, in order, and how they lie in memory.
Arguments = Sequence[tuple[int, Descriptor]]


class _Code:
    """The compiled form of a primitive descriptor, which was made for a number of threads."""

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
    """A computation for fixed shapes.

    Code is made for a number of threads, and keeps to it; when another number is to be used, there is other code. It
    has to find the arrays as the first one does: weights that are packed already, for example. If it would not, the
    first one goes on.

    Parameters
    ----------
    describe : callable
        Makes the primitive descriptor, which is destroyed here.
    arguments_of : callable
        From that descriptor to the arguments that :meth:`run` is given.
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
        """How the arguments lie in memory, in order."""
        return [layout for _, layout in self._first.arguments]

    def layout(self, number: int) -> Descriptor:
        """Return how an argument lies in memory."""
        return dict(self._first.arguments)[number]

    def _other(self, count: int) -> _Code:
        """Return the code for another number of threads, which this thread uses now."""
        try:
            code = _Code(self._describe(), self._arguments_of)
        except Unsupported:
            code = self._first
        self._by_count[count] = code if code.arguments == self._first.arguments else self._first
        return self._by_count[count]

    def run(self, *addresses: int) -> None:
        """Compute.

        Parameters
        ----------
        *addresses : int
            Where the elements of each argument begin.
        """
        count = self._use_threads()
        code = self._by_count.get(count) or self._other(count)
        try:
            bound = self._local.bound
        except AttributeError:
            bound = self._local.bound = _Bound(self._first.arguments)
        if addresses != bound.addresses:
            bound.addresses = None  # until all are set: an interruption in between leaves no mixture behind
            for memory, place in zip(bound.memories, addresses, strict=True):
                self._set_handle(memory, place)
            bound.addresses = addresses
        status = self._execute(code.handle, bound.stream, len(addresses), bound.pointer)
        if status:
            raise MXNetError(f"oneDNN could not compute ({self.implementation}): status {status}")

    def __deepcopy__(self, memo: Any) -> Primitive:
        return self


def _implementation(descriptor: ctypes.c_void_p) -> str:
    """Return what the library calls the code that it chose."""
    text = ctypes.c_char_p()
    library().call("dnnl_primitive_desc_query", descriptor, 8, 0, ctypes.byref(text))
    return (text.value or b"").decode()


def make_descriptor(name: str, *arguments: Any) -> ctypes.c_void_p:
    """Return the primitive descriptor that ``dnnl_<name>_primitive_desc_create`` makes.

    Raises
    ------
    Unsupported
        If the library has no such computation.
    """
    found = library()
    descriptor = ctypes.c_void_p()
    found.call(f"dnnl_{name}_primitive_desc_create", ctypes.byref(descriptor), found.engine, *arguments)
    return descriptor


@contextlib.contextmanager
def hinting(descriptor: ctypes.c_void_p) -> Iterator[ctypes.c_void_p]:
    """Provide the descriptor of a forward computation for the description of its gradient; then destroy it."""
    try:
        yield descriptor
    finally:
        library().value("dnnl_primitive_desc_destroy", descriptor)


def chosen(descriptor: ctypes.c_void_p, what: int, index: int = 0) -> Descriptor:
    """Return the layout of an argument of a primitive descriptor, by its number in ``dnnl_query_t``.

    Where there are several arguments of a kind, the index says which of them.
    """
    handle = ctypes.c_void_p(library().value("dnnl_primitive_desc_query_md", descriptor, what, index))
    copy = ctypes.c_void_p()
    library().call("dnnl_memory_desc_clone", ctypes.byref(copy), handle)
    return Descriptor(copy)


def reorder(source: Descriptor, target: Descriptor) -> Primitive:
    """Return the copy of an array from one layout into another."""

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
    """Provide the attributes of a computation to whose result an array is added before it is written."""
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
