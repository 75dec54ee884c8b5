"""Contexts, which are the devices of arrays, such as ``cpu(0)`` and ``gpu(1)``, and each thread's current context."""

from __future__ import annotations

from typing import Any, ClassVar

from .error import MXNetError
from .internals.support.scopes import Scope, Switches

__all__ = ["Context", "cpu", "cpu_pinned", "current_context", "gpu", "gpu_memory_info", "num_gpus"]


class _WithDefault(type):
    """A metaclass that gives a class the thread-local attribute ``default_ctx``."""

    @property
    def default_ctx(cls) -> Context:
        """The context for new arrays in this thread. Programs can assign another context."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, ctx: Context) -> None:
        if not isinstance(ctx, Context):  # fail now instead of in later calls
            raise TypeError(f"default_ctx must be a context such as mx.cpu() or mx.gpu(0), not {ctx!r}")
        _current.context = ctx


class Context(Scope, metaclass=_WithDefault):
    """A device, identified by its type and its index.

    Parameters
    ----------
    device_type : str or Context
        ``"cpu"``, ``"gpu"``, ``"cpu_pinned"``, or ``"cpu_shared"``; or a context, which is returned unchanged.
    device_id : int
        Index of the device. All CPU contexts share the same memory. Like GPU indices, their indices distinguish
        the copies of a parameter.

    Raises
    ------
    KeyError
        If the device type does not exist.

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

    #: All contexts. Equal contexts are the same object, so that lookups by context are fast.
    _made: ClassVar[dict[Any, Context]] = {}

    def __new__(cls, device_type: str | Context, device_id: int = 0) -> Context:
        """Return the context of a device."""
        if isinstance(device_type, Context):
            key = cls, device_type.device_typeid, device_type.device_id
        else:
            key = cls, cls.devstr2type[device_type], device_id if type(device_id) is int else int(device_id)
        context = cls._made.get(key)
        if context is None:
            context = super().__new__(cls)
            _, context.device_typeid, context.device_id = key
            context = cls._made.setdefault(key, context)
        return context

    def __init__(self, device_type: str | Context, device_id: int = 0) -> None:
        pass  # __new__ has initialized the object

    def inside(self) -> dict[str, Any]:
        """Return the thread-local settings that a ``with`` statement changes."""
        return {"context": self}

    @property
    def device_type(self) -> str:
        """The device type, such as ``"cpu"`` or ``"gpu"``."""
        return self.devtype2str[self.device_typeid]

    def __str__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Context, (self.device_type, self.device_id)

    def empty_cache(self) -> None:
        """Release the device's cached memory: GPU memory to the driver, or CPU memory to the operating system."""
        from .internals.device import array_modules

        array_modules.empty_cache(self)


class _Default:
    """The object ``Context._default_ctx``, whose ``value`` is MXNet's name for :attr:`Context.default_ctx`."""

    @property
    def value(self) -> Context:
        return current_context()

    @value.setter
    def value(self, ctx: Context) -> None:
        _current.context = ctx


Context._default_ctx = _Default()  # type: ignore[attr-defined]
_current = Context.switches = Switches(context=Context("cpu", 0))


def current_context() -> Context:
    """Return the context for new arrays in this thread."""
    return _current.context


def context_of(text: Any) -> Context:
    """Return the context that a context, a name from a graph file such as ``"cpu(0)"``, or None denotes.

    Parameters
    ----------
    text : Context, str or None
        The context or its name. None and an empty string select the current context.

    Returns
    -------
    Context
        The context.

    Raises
    ------
    MXNetError
        If the name is invalid.
    """
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

    Parameters
    ----------
    device_id : int
        Index of the context.

    Returns
    -------
    Context
        The context.

    Examples
    --------
    >>> cpu()
    cpu(0)
    """
    return Context("cpu", device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Return a context of page-locked CPU memory, which is ordinary memory if there is no GPU.

    Parameters
    ----------
    device_id : int
        Index of the context.

    Returns
    -------
    Context
        The context.
    """
    return Context("cpu_pinned", device_id)


def gpu(device_id: int = 0) -> Context:
    """Return a GPU context. You can create the context without a GPU, but you need a GPU to use it.

    Parameters
    ----------
    device_id : int
        Index of the GPU.

    Returns
    -------
    Context
        The context.
    """
    return Context("gpu", device_id)


def num_gpus() -> int:
    """Return the number of GPUs that CuPy can use, or 0 if CuPy or the driver is missing."""
    from .internals.device import array_modules

    return array_modules.num_gpus()


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Return the free and the total memory of a GPU, in bytes.

    Parameters
    ----------
    device_id : int
        Index of the GPU.

    Returns
    -------
    (int, int)
        The free memory and the total memory, in bytes.

    Raises
    ------
    MXNetError
        If the GPU does not exist.
    """
    from .internals.device import array_modules

    return array_modules.gpu_memory_info(device_id)
