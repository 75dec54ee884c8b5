"""MXNet's exception types.

If MXNet has a message for an error, the message is the first line of ``str(error)``. Additional information, such as
the layer, the expected and the actual shape, and the remedy, is attached with :meth:`BaseException.add_note`.
Therefore, tests of MXNet's messages still pass, and readers learn what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = [
    "DeferredInitializationError",
    "InternalError",
    "MXNetError",
    "NotImplementedForSymbol",
    "NotSupportedForSparseNDArray",
    "ShapeError",
    "register",
]


class MXNetError(RuntimeError):
    """The error that MXNet's functions raise, for example if an operator rejects its arguments."""


class ShapeError(MXNetError):
    """The error for inconsistent shapes or element types of an operator's inputs."""


class ParameterError(MXNetError, ValueError):
    """The error for an invalid argument of an ``np`` operator, such as a number out of range.

    As in MXNet, the error is a ValueError.
    """


class MismatchError(MXNetError, AssertionError):
    """The error for loaded parameters that don't match the net. As in MXNet, the error is an AssertionError."""


class UnexpectedNameError(MXNetError, ValueError):
    """The error for a file with unexpected or missing names. As in MXNet, the error is a ValueError."""


class BindError(MXNetError):
    """The error for a graph that cannot be bound to arrays of the requested shapes."""


class OutOfBoundsError(MXNetError, IndexError):
    """The error for an index outside an array. As in MXNet, the error is an IndexError."""


class NotImplementedForSymbol(MXNetError):
    """The error for a function that needs values but was called on a Symbol, which has none.

    Parameters
    ----------
    function : str
        Name of the function that was called.
    alias : str, optional
        The function's notation in a program, for operators such as ``+=``.
    arguments : iterable, optional
        The arguments of the call, whose types become part of the message.
    """

    def __init__(self, function: str, alias: str | None = None, arguments: Iterable[object] = ()):
        message = f"Function {function}"
        if alias:
            message += f' (namely operator "{alias}")'
        arguments = list(arguments)
        if arguments:
            message += f" with arguments ({', '.join(str(type(a)) for a in arguments)})"
        super().__init__(f"{message} is not implemented for Symbol and only available in NDArray.")


class NotSupportedForSparseNDArray(MXNetError):
    """The error for a call of a method that sparse arrays lack.

    Parameters
    ----------
    function : callable
        The method that was called.
    alias : str or None
        The method's notation in a program.
    *args : object
        The arguments of the call.
    """

    def __init__(self, function: Any, alias: str | None, *args: Any) -> None:
        self.function: str = function.__name__
        self.alias: str | None = alias
        given = f" with arguments ({', '.join(str(type(value)) for value in args)})" if args else ""
        named = f' (namely operator "{alias}")' if alias else ""
        super().__init__(
            f"Function {self.function}{named}{given} is not supported for SparseNDArray and only available in NDArray."
        )


class DeferredInitializationError(MXNetError):
    """The error for a parameter whose value was requested before its shape was known."""


_TYPES: dict[str, type] = {}


def register(func_name: Any = None, cls: type | None = None) -> Any:
    """Register an exception class under its name in messages. You can use this function as a decorator.

    Parameters
    ----------
    func_name : str or type, optional
        The name, or the class itself if the decorator is used without arguments.
    cls : type, optional
        The exception class.

    Returns
    -------
    type or callable
        The class, or a decorator that registers a class and returns it.

    Examples
    --------
    >>> @register
    ... class PowerError(MXNetError): ...
    >>> register("ValueError", ValueError)
    <class 'ValueError'>
    """
    if isinstance(func_name, type):
        func_name, cls = func_name.__name__, func_name

    def note(kind: type) -> type:
        _TYPES[func_name if isinstance(func_name, str) else kind.__name__] = kind
        return kind

    return note if cls is None else note(cls)


@register
class InternalError(MXNetError):
    """The error for a failure inside the library, not in the program that uses the library."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)


_built_in: Callable[[str, type], Any] = register
for _kind in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError):
    _built_in(_kind.__name__, _kind)
