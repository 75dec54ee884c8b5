"""The exceptions a user meets, with MXNet's types and MXNet's first lines.

MXNet's message is always the first line of ``str(error)``; whatever this package can add
(the layer, the expected and the actual shape, the remedy) is attached with
:meth:`BaseException.add_note`, so that old tests on messages keep passing and a student
still reads what to do.
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
    """Any error that the operator library raises."""


class ShapeError(MXNetError):
    """Shapes or dtypes of an operator's inputs do not fit together."""


class ParameterError(MXNetError, ValueError):
    """A number is outside of the range that an operator of ``np`` takes; Python's own error as well, as in MXNet."""


class MismatchError(MXNetError, AssertionError):
    """The loaded parameters don't match this net; also an AssertionError, as in MXNet."""


class UnexpectedNameError(MXNetError, ValueError):
    """A file has unexpected names or no names; also a Python error, as in MXNet."""


class BindError(MXNetError):
    """A graph cannot be bound to arrays of the requested shapes."""


class OutOfBoundsError(MXNetError, IndexError):
    """A position is outside an array; also a Python error, as in MXNet."""


class NotImplementedForSymbol(MXNetError):
    """A function that needs values was called on a Symbol, which has none.

    Parameters
    ----------
    function : str
        Name of the function that was called.
    alias : str, optional
        How the function is written in a program, for operators such as ``+=``.
    arguments : iterable, optional
        The arguments of the call; their types become part of the message.
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
    """A method that sparse arrays do not have was called on one.

    Parameters
    ----------
    function : callable
        The method that was called.
    alias : str or None
        How the method is written in a program.
    *args : object
        What the method was given.
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
    """A parameter's value was requested before its shape is known."""


_TYPES: dict[str, type] = {}


def register(func_name: Any = None, cls: type | None = None) -> Any:
    """Make an exception known under the name that it has in messages: a decorator, or a call with both.

    Parameters
    ----------
    func_name : str or type, optional
        The name; the class itself where the decorator is used without one.
    cls : type, optional
        The class.

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
    """An error of the machine, not of the program that it runs."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)


_built_in: Callable[[str, type], Any] = register
for _kind in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError):
    _built_in(_kind.__name__, _kind)
