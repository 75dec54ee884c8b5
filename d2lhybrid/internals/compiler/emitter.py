"""The lowering of operators to NumPy expressions, and the emitter that writes these expressions in a generated program.

A lowering is declared below the operator's kernel. Without a lowering, the program calls the kernel. A lowering pays
off if NumPy has the operation, because its result can then overwrite free memory or be in an arena.

A program may allocate its values one by one, or keep all of them in one arena (``static_alloc``). The same lowering
serves both cases, because the emitter provides the names of the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..core.graph import TensorType
from ..core.node import Node

__all__ = [
    "Emitter", "Host", "Lowering", "lowering_of", "numpy_lowering", "overwritable_inputs", "plain_lowering",
]  # fmt: skip


class Host:
    """The owner of an emitter's lines, constants, and memory: the code generator, or a region of fused operators.

    In this base class, there is no arena, and memory is allocated when it is needed.
    """

    def __init__(self) -> None:
        #: Names of memory in the arena.
        self.static: set[str] = set()
        #: Names of values that are known to be contiguous.
        self.in_order: set[str] = set()
        #: Name of a value that isn't contiguous -> the name of its contiguous copy.
        self.copies_in_order: dict[str, str] = {}

    def constant(self, value: Any, wish: str) -> str:
        """Return the name of a constant in the generated program.

        Parameters
        ----------
        value : object
            The constant.
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            The name.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def beside(self, value: float, wish: str, name: str, kind: TensorType) -> str:
        """Return the name of a constant that a line combines with an array.

        Parameters
        ----------
        value : float
            The number.
        wish : str
            The desired name, which gets a number if the program already uses it.
        name : str
            Name of the array.
        kind : TensorType
            Shape and element type of the line's result.

        Returns
        -------
        str
            The name.
        """
        return self.constant(kind.dtype.type(value), wish)

    def function(self, name: str) -> str:
        """Return the generated program's name for a function of the array module.

        Parameters
        ----------
        name : str
            Name of the function in NumPy and CuPy.

        Returns
        -------
        str
            The name.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def unique(self, wish: str) -> str:
        """Return a name that the generated program doesn't use yet.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            The name.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def bound(self, wish: str, value: Any) -> str:
        """Return the generated program's name for a function that was made for one node.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.
        value : callable
            The function.

        Returns
        -------
        str
            The name.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def scratch(self, wish: str, kind: TensorType) -> str | None:
        """Return the name of a workspace in the arena for one node.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.
        kind : TensorType
            Shape and element type of the workspace.

        Returns
        -------
        str or None
            The name; None without an arena.
        """
        return None

    def static_view(self, wish: str, expression: str) -> str | None:
        """Return the name of a view that is created once with the arena.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.
        expression : str
            The expression of the view.

        Returns
        -------
        str or None
            The name; None if views aren't kept.
        """
        return None


class Emitter:
    """The emitter of the lines of code that compute one node in a generated program.

    Attributes
    ----------
    node : Node
        The node to lower.
    types, results : list of TensorType
        The types of the inputs and of the outputs.
    arguments, outs : list of str
        The names of the inputs and of the outputs in the program.
    destination : str or None
        The destination of the first result; None if the lowering may allocate it.
    lines : list of str
        The emitted lines.
    """

    host: Host
    node: Node
    types: list[TensorType]
    results: list[TensorType]
    arguments: list[str]
    outs: list[str]
    destination: str | None

    def __init__(
        self,
        host: Host,
        node: Node,
        types: list[TensorType],
        results: list[TensorType],
        arguments: list[str],
        outs: list[str],
        destination: str | None = None,
    ) -> None:
        self.host, self.node, self.types, self.results = host, node, types, results
        self.arguments, self.outs, self.destination = arguments, outs, destination
        self.lines: list[str] = []
        self.constant, self.function = host.constant, host.function

    @property
    def out(self) -> str:
        """The name of the first output."""
        return self.outs[0]

    @property
    def result(self) -> TensorType:
        """The type of the first output."""
        return self.results[0]

    def line(self, text: str) -> None:
        """Append a line to the lines of the node.

        Parameters
        ----------
        text : str
            The line.
        """
        self.lines.append(text)

    def number(self, value: float, wish: str = "number") -> str:
        """Return the name of a number of the result's element type.

        Parameters
        ----------
        value : float
            The number.
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            The name.
        """
        return self.constant(self.result.dtype.type(value), wish)

    def beside(self, value: float, wish: str = "number") -> str:
        """Return the name of a constant of the result's type: a scalar, or an array if NumPy is faster with an array.

        Parameters
        ----------
        value : float
            The number.
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            The name.
        """
        return self.host.beside(value, wish, self.arguments[0], self.result)

    def call(self, name: str, *arguments: str) -> None:
        """Emit a line that computes the result with a function of the array module that takes ``out=``.

        Parameters
        ----------
        name : str
            Name of the function in NumPy and CuPy.
        *arguments : str
            The arguments.
        """
        self.call_bound(self.function(name), *arguments)

    def call_bound(self, label: str, *arguments: str) -> None:
        """Emit a line that computes the result with a function of the program that takes ``out=``.

        Parameters
        ----------
        label : str
            Name of the function in the program.
        *arguments : str
            The arguments.
        """
        call = f"{label}({', '.join(arguments)}"
        if self.destination is None:
            self.line(f"{self.out} = {call})")
        elif self.destination == self.out:
            self.line(f"{call}, out={self.out})")
        else:
            self.line(f"{self.out} = {call}, out={self.destination})")

    def increase(self, name: str, by: str) -> None:
        """Emit a line that adds a value in place to a value that the program has just computed.

        Parameters
        ----------
        name : str
            Name of the computed value.
        by : str
            Expression of the value to add.
        """
        if name in self.host.static:  # names in the arena are global, so the function can't assign to them
            self.line(f"{self.function('add')}({name}, {by}, out={name})")
        else:
            self.line(f"{name} += {by}")

    def temporary(self, wish: str, shape: tuple[int, ...], name: str, *arguments: str, dtype: Any = None) -> str:
        """Emit a line that computes a value that only this node needs, and return the value's name.

        Parameters
        ----------
        wish : str
            End of the name, after the name of the node's result.
        shape : tuple of int
            Shape of the value.
        name : str
            Name of the function in NumPy and CuPy.
        *arguments : str
            The arguments.
        dtype : dtype, optional
            Element type; by default, the type of the result.

        Returns
        -------
        str
            The name.
        """
        kind = TensorType(shape, numpy.dtype(dtype or self.result.dtype))
        scratch = self.host.scratch(f"{self.out}_{wish}", kind)
        call = f"{self.function(name)}({', '.join(arguments)}"
        if scratch is not None:
            self.line(f"{call}, out={scratch})")
            return scratch
        value = self.host.unique(f"{self.out}_{wish}")
        self.line(f"{value} = {call})")
        return value

    def memory(self, output: int = 0) -> str:
        """Return the name of uninitialized memory for an output that several lines write.

        Parameters
        ----------
        output : int
            Index of the output.

        Returns
        -------
        str
            The name.
        """
        name, kind = self.outs[output], self.results[output]
        if name not in self.host.static:
            self.line(f"{name} = {self.function('empty')}({kind.shape}, {self.dtype(kind.dtype)})")
        return name

    def scratch(self, wish: str, shape: tuple[int, ...]) -> str:
        """Return the name of uninitialized memory that only this node needs.

        Parameters
        ----------
        wish : str
            End of the name, after the name of the node's result.
        shape : tuple of int
            Shape of the memory.

        Returns
        -------
        str
            The name.
        """
        kind = TensorType(shape, self.result.dtype)
        name = self.host.scratch(f"{self.out}_{wish}", kind)
        if name is None:
            name = self.host.unique(f"{self.out}_{wish}")
            self.line(f"{name} = {self.function('empty')}({shape}, {self.dtype(kind.dtype)})")
        return name

    def dtype(self, dtype: numpy.dtype) -> str:
        """Return the generated program's name for an element type.

        Parameters
        ----------
        dtype : numpy.dtype
            The element type.

        Returns
        -------
        str
            The name.
        """
        return self.function(dtype.name)

    def view(self, wish: str, expression: str, base: str) -> str:
        """Return an expression for a view of a value. If the view is kept between calls, the expression is its name.

        Parameters
        ----------
        wish : str
            End of the name, after the name of the node's result.
        expression : str
            The expression of the view. It must not create a copy, which would keep the values of the first call.
        base : str
            Name of the value.

        Returns
        -------
        str
            The expression, or the name of the kept view.
        """
        if base in self.host.static:
            return self.host.static_view(f"{self.out}_{wish}", expression) or expression
        return expression

    def reshaped(self, wish: str, number: int, shape: tuple[int, ...]) -> str:
        """Return an expression for an input in a different shape.

        If the input isn't contiguous, the expression copies the input at every call.

        Parameters
        ----------
        wish : str
            End of the name, after the name of the node's result.
        number : int
            Index of the input.
        shape : tuple of int
            The shape.

        Returns
        -------
        str
            The expression.
        """
        name = self.arguments[number]
        expression = f"{name}.reshape({', '.join(map(str, shape))})"
        return self.view(wish, expression, name) if name in self.host.in_order else expression

    def contiguous(self, number: int) -> str:
        """Return the name of an input as a contiguous array.

        Parameters
        ----------
        number : int
            Index of the input.

        Returns
        -------
        str
            The name.
        """
        name, kind = self.arguments[number], self.types[number]
        if name in self.host.in_order:
            return name
        scratch = self.host.scratch(f"{self.out}_rows", kind)
        if scratch is not None:
            self.line(f"{self.function('copyto')}({scratch}, {name})")
            return scratch
        value = self.host.unique(f"{self.out}_rows")
        self.line(f"{value} = {self.function('ascontiguousarray')}({name})")
        return value

    def in_order(self, number: int) -> str:
        """Return the name of a contiguous input, or of a contiguous copy that all users share.

        Parameters
        ----------
        number : int
            Index of the input.

        Returns
        -------
        str
            The name.
        """
        name = self.arguments[number]
        if name in self.host.in_order:
            return name
        if name not in self.host.copies_in_order:
            value = self.host.copies_in_order[name] = self.host.unique(f"{name}_in_order")
            self.line(f"{value} = {self.function('ascontiguousarray')}({name})")
        return self.host.copies_in_order[name]


Lowering = Callable[[Emitter], None]


def _reshape(emit: Emitter) -> None:
    emit.line(f"{emit.out} = {emit.arguments[0]}.reshape({', '.join(map(str, emit.result.shape)) or '()'})")


def _transpose(emit: Emitter) -> None:
    rank = len(emit.result.shape)
    axes = emit.node.params.get("axes") or tuple(range(rank))[::-1]
    emit.line(f"{emit.out} = {emit.arguments[0]}.transpose({', '.join(str(int(a)) for a in axes)})")


_VIEWS: dict[str, Lowering] = {"reshape": _reshape, "transpose": _transpose}


def lowering_of(node: Node, types: Sequence[TensorType], result: TensorType) -> Lowering | None:
    """Return the rule that lowers a node with one result to lines of NumPy or CuPy code.

    NumPy functions are used if all types are the same floating-point type. The kernel handles all other cases, such
    as integer division and promotion.

    Parameters
    ----------
    node : Node
        The node.
    types : sequence of TensorType
        Types of the inputs.
    result : TensorType
        Type of the first output.

    Returns
    -------
    callable or None
        The lowering; None if the program calls the node's kernel.
    """
    op = node.op
    if op is None:
        return None
    if op.view:
        return _VIEWS[op.view]
    dtype = result.dtype
    if op.lowering_rule is None or dtype.kind != "f":
        return None
    for kind in types:
        if kind.dtype is not dtype and kind.dtype != dtype:
            return None
    condition = op.lowering_condition
    if condition is not None and not condition(*(t.shape for t in types), **op.complete(node.params)):
        return None
    return op.lowering_rule


def numpy_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return the rule that lowers a node to lines of NumPy code.

    Parameters
    ----------
    node : Node
        The node.
    types : sequence of TensorType
        Types of the inputs.
    results : list of TensorType
        Types of the outputs.

    Returns
    -------
    callable or None
        The lowering; None if the program calls the node's kernel.
    """
    if node.op is not None and node.op.numpy_lowering_rule is not None:
        return node.op.numpy_lowering_rule
    return plain_lowering(node, types, results)


def plain_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return the lowering of a node to lines for NumPy and CuPy.

    Parameters
    ----------
    node : Node
        The node.
    types : sequence of TensorType
        Types of the inputs.
    results : list of TensorType
        Types of the outputs.

    Returns
    -------
    callable or None
        The lowering; None if the program calls the node's kernel.
    """
    return lowering_of(node, types, results[0]) if len(results) == 1 else None


def overwritable_inputs(node: Node, types: Sequence[TensorType], result: TensorType) -> tuple[int, ...]:
    """Return the indices of the inputs that a lowered node may overwrite with its result.

    Parameters
    ----------
    node : Node
        The node.
    types : sequence of TensorType
        Types of the inputs.
    result : TensorType
        Type of the first output.

    Returns
    -------
    tuple of int
        The indices.
    """
    if node.op is None or not result.shape or node.op.view:  # NumPy returns 0-d results as scalars
        return ()
    if not node.op.overwrites or lowering_of(node, types, result) is None:
        return ()
    return tuple(i for i in node.op.overwrites if i < len(types) and types[i] == result)
