"""Contexts, the devices of arrays: ``cpu(0)``, ``gpu(1)`` ..., and the current context of this thread."""

from __future__ import annotations

from typing import Any, ClassVar

from .error import MXNetError
from .internals.support.scopes import Scope, Switches

__all__ = ["Context", "cpu", "cpu_pinned", "current_context", "gpu", "gpu_memory_info", "num_gpus"]


class _WithDefault(type):
    """The class of a class with an attribute that each thread has for itself."""

    @property
    def default_ctx(cls) -> Context:
        """The context that new arrays are made on in this thread; it can be set."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, ctx: Context) -> None:
        if not isinstance(ctx, Context):  # whatever comes next would fail
            raise TypeError(f"a context is mx.cpu(), mx.gpu(0) or the like, not {ctx!r}")
        _current.context = ctx


class Context(Scope, metaclass=_WithDefault):
    """A device: a type and a number.

    Parameters
    ----------
    device_type : str or Context
        ``"cpu"``, ``"gpu"``, ``"cpu_pinned"`` or ``"cpu_shared"``.
    device_id : int
        Number of the device. All CPU contexts are the same memory; the number only keeps
        copies of parameters apart, as with several GPUs.

    Raises
    ------
    KeyError
        For a device type that does not exist.

    Examples
    --------
    >>> Context("cpu", 1)
    cpu(1)
    >>> with Context("cpu", 2):
    ...     current_context()
    cpu(2)
    """

    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {name: code for code, name in devtype2str.items()}

    device_typeid: int
    device_id: int

    #: All that were made: equal contexts are one object, so that looking something up by context costs nothing.
    _made: ClassVar[dict[Any, Context]] = {}

    def __new__(cls, device_type: str | Context, device_id: int = 0) -> Context:
        """Return the context of this device."""
        if isinstance(device_type, Context):
            key = cls, device_type.device_typeid, device_type.device_id
        else:
            key = cls, cls.devstr2type[device_type], device_id if type(device_id) is int else int(device_id)
        found = cls._made.get(key)
        if found is None:
            found = super().__new__(cls)
            _, found.device_typeid, found.device_id = key
            found = cls._made.setdefault(key, found)
        return found

    def __init__(self, device_type: str | Context, device_id: int = 0) -> None:
        pass  # it is made, and perhaps was long ago

    def inside(self) -> dict[str, Any]:
        """Return what a ``with`` statement sets."""
        return {"context": self}

    @property
    def device_type(self) -> str:
        """``"cpu"``, ``"gpu"`` ..."""
        return self.devtype2str[self.device_typeid]

    def __str__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Context, (self.device_type, self.device_id)

    def empty_cache(self) -> None:
        """Release unused memory: a GPU's to its driver, a CPU's to the system."""
        from .internals.device import backend

        backend.empty_cache(self)


class _Default:
    """MXNet's own name for what :attr:`Context.default_ctx` is: ``Context._default_ctx.value``."""

    @property
    def value(self) -> Context:
        return current_context()

    @value.setter
    def value(self, ctx: Context) -> None:
        _current.context = ctx


Context._default_ctx = _Default()  # type: ignore[attr-defined]
_current = Context.switches = Switches(context=Context("cpu", 0))


def current_context() -> Context:
    """Return the context that new arrays are made on in this thread."""
    return _current.context


def context_of(text: Any) -> Context:
    """Return the context for ``None``, a Context, or its text as in a graph file (``"cpu(0)"``)."""
    if isinstance(text, Context):
        return text
    if not text:
        return current_context()
    name, _, number = str(text).partition("(")
    try:
        return Context(name, int(number.rstrip(")") or 0) if number else 0)
    except (KeyError, ValueError):
        raise MXNetError(f"Invalid context string {text}") from None


def cpu(device_id: int = 0) -> Context:
    """Return a CPU context.

    Examples
    --------
    >>> cpu()
    cpu(0)
    """
    return Context("cpu", device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Return a context of page-locked CPU memory (ordinary memory without a GPU)."""
    return Context("cpu_pinned", device_id)


def gpu(device_id: int = 0) -> Context:
    """Return a GPU context; making it needs no GPU, using it does."""
    return Context("gpu", device_id)


def num_gpus() -> int:
    """Return the number of GPUs that CuPy can use, 0 without CuPy or without a driver."""
    from .internals.device import backend

    return backend.num_gpus()


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Return (free, total) bytes of a GPU.

    Raises
    ------
    MXNetError
        If there is no such GPU.
    """
    from .internals.device import backend

    return backend.gpu_memory_info(device_id)
