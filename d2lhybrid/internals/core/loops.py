"""Loops and branches: nodes that contain graphs, and the mapping from a node's inputs to the variables of its graphs.

The operators are in :mod:`d2lhybrid.internals.ops.control_flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...error import MXNetError
from .infer import unify
from .node import Node
from .subgraph import Subgraph

__all__ = ["GRAPHS_OF", "NUMPY_ROW", "Rows", "While", "is_true", "merging", "same_knowledge"]

#: Name of an operator -> the number of graphs in a node with this operator.
GRAPHS_OF = {"_foreach": 1, "_while_loop": 2, "_cond": 3}

#: The attribute of a variable whose value is a row of an array of the NumPy dialect.
NUMPY_ROW = "__numpy_row__"


def is_true(xp: Any, known: Any, body: Subgraph) -> bool:
    """Return the truth value of a condition, given the values of all entries of its graph.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    known : dict of Entry to array
        Values of the graph's entries.
    body : Subgraph
        The graph of the condition.

    Returns
    -------
    bool
        The truth value.

    Raises
    ------
    MXNetError
        If the condition doesn't have exactly one element.
    """
    value = xp.asarray(body.outputs(known)[0])
    if value.size != 1:
        raise MXNetError(f"the result of a condition must have exactly one element, but its shape is {value.shape}")
    return bool(value.reshape(()))


def merging(what: str) -> Callable[[Any, Any], Any]:
    """Return the function that merges two partial shapes or two element types.

    Parameters
    ----------
    what : {"shapes", "types"}
        Whether to merge shapes or element types.

    Returns
    -------
    callable
        The function of two values, which may be None for unknown values. For element types, it returns the first known
        type.
    """
    return unify if what == "shapes" else lambda a, b: b if a is None else a


def same_knowledge(given: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether two sequences of partial shapes or element types are equal.

    ``None`` is compared by identity, because NumPy considers None and float64 equal.

    Parameters
    ----------
    given, other : sequence
        Partial shapes or element types.

    Returns
    -------
    bool
        Whether the values are equal at each position.
    """
    return all((a is None) == (b is None) and (a is None or a == b) for a, b in zip(given, other, strict=True))


class Rows:
    """The mapping from a ``_foreach`` node's inputs (data, states, free variables) to its body's variables.

    A row of a 1-D array is 0-D in the NumPy dialect and 1-D in the legacy dialect, like ``x[i]``.
    """

    num_out_data: int
    states: Any
    rows: slice[Any, int, Any]
    fixed: slice[int, Any, Any]

    def __init__(self, subgraphs: Any, num_out_data: int, data: Any, states: Any, free: Any) -> None:
        self.body: Subgraph = subgraphs[0]
        self.num_out_data, self.states = num_out_data, states
        self.locations: tuple[Any, ...] = (*data, *states, *free)
        self.rows, self.fixed = slice(len(data)), slice(len(data) + len(states), None)
        self.carried: slice[int, int, Any] = slice(len(data), len(data) + len(states))
        self.numpy_rows: list[bool] = [NUMPY_ROW in self.body.variables[location].attrs for location in data]

    def started(self, first: Iterable[Node] = ()) -> frozenset[Node]:
        """Return the body's variables that depend, after the first step, on a loss that starts a gradient.

        `first` contains the variables that depend on such a loss in the first step.
        """
        results = range(self.num_out_data, len(self.body.entries))
        return self.body.started(first, zip(self.states, results, strict=True))

    @classmethod
    def of(cls, params: dict[str, Any]) -> Rows:
        """Return the mapping for a ``_foreach`` node from the node's attributes.

        Parameters
        ----------
        params : dict
            Attributes of the node.

        Returns
        -------
        Rows
            The mapping for this node.
        """
        places = [params[name] for name in ("in_data_locs", "in_state_locs", "remain_locs")]
        return cls(params["subgraphs"], params["num_out_data"], *places)

    def row(self, number: int, data: Any, i: int) -> Any:
        """Return one row of a data array.

        Parameters
        ----------
        number : int
            Index of the data array.
        data : array
            The data array.
        i : int
            Index of the row.

        Returns
        -------
        array
            The row, without the first axis or, for a legacy 1-D array, with one element.
        """
        return data[i] if data.ndim > 1 or self.numpy_rows[number] else data[i : i + 1]

    def row_shapes(self, shapes: Sequence[Any]) -> list[Any]:
        """Return the shape of a row of each data array, given the shapes of the data arrays.

        Parameters
        ----------
        shapes : sequence of (tuple or None)
            Partial shapes of the data arrays.

        Returns
        -------
        list of (tuple or None)
            Partial shapes of the rows.
        """
        return [
            None if shape is None else shape[1:] if len(shape) > 1 or plain else (1,)
            for shape, plain in zip(shapes, self.numpy_rows, strict=True)
        ]

    def data_shapes(self, length: Any, rows: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """Return the partial shapes of the data arrays, inferred from the shapes of their rows.

        Parameters
        ----------
        length : int or None
            Number of rows, if it is known.
        rows : sequence of (tuple or None)
            Partial shapes of the rows.
        given : sequence of (tuple or None)
            Known partial shapes of the data arrays.

        Returns
        -------
        list of (tuple or None)
            Partial shapes of the data arrays.
        """
        found = []
        for row, data, plain in zip(rows, given, self.numpy_rows, strict=True):
            if row is not None and len(row) == 1 and not plain and (data is None or len(data) == 1):
                found.append(data)  # (n,) or (n, 1)
            else:
                found.append(None if row is None else (length, *row))
        return found

    def variables(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of the body's variables, given the values of the node's inputs.

        Parameters
        ----------
        values : sequence
            Values of the node's inputs.

        Returns
        -------
        list
            Values of the body's variables.
        """
        arranged: list[Any] = [None] * len(self.body.variables)
        for location, value in zip(self.locations, values, strict=True):
            arranged[location] = value
        return arranged

    def inputs(self, arranged: Sequence[Any]) -> list[Any]:
        """Return the values of the node's inputs, given the values of the body's variables.

        This is the inverse of :meth:`variables`.

        Parameters
        ----------
        arranged : sequence
            Values of the body's variables.

        Returns
        -------
        list
            Values of the node's inputs.
        """
        return [arranged[location] for location in self.locations]

    def run(self, xp: Any, inputs: Any, training: bool, rng: Any, steps: list[Any] | None) -> tuple[Any, Any]:
        """Run the loop on raw arrays, and return its outputs and last states.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        inputs : sequence of array
            Values of the node's inputs.
        training : bool
            Whether layers behave as in training.
        rng : Generator or None
            The random generator.
        steps : list or None
            List to which the values of all entries of the body are appended at each step; None to keep no values.

        Returns
        -------
        tuple of (list, list)
            The outputs of every step, and the last states.
        """
        data, states, free = inputs[self.rows], inputs[self.carried], inputs[self.fixed]
        rows = []
        for i in range(len(data[0])):
            row = [self.row(number, d, i) for number, d in enumerate(data)]
            known = self.body.run(xp, self.variables([*row, *states, *free]), training, rng)
            results = self.body.outputs(known)
            rows.append(results[: self.num_out_data])
            states = results[self.num_out_data :]
            if steps is not None:
                steps.append(known)
        return rows, states

    def infer(self, given: list[Any], what: str) -> tuple[list[Any], list[Any]]:
        """Infer types through the body until the states have the same types before and after a step.

        Parameters
        ----------
        given : list
            Partial shapes or element types of the node's inputs.
        what : {"shapes", "types"}
            Whether to infer shapes or element types.

        Returns
        -------
        tuple of (list, list)
            The shapes or types of the node's inputs, and of the body's results.
        """
        arranged = self.variables(given)
        while True:
            known, results = self.body.infer(arranged, what)
            merged = list(known)
            for location, state in zip(self.states, results[self.num_out_data :], strict=True):
                merged[location] = merging(what)(merged[location], state)
            if same_knowledge(merged, known):
                return self.inputs(known), results
            arranged = merged


class While:
    """The mapping from a ``_while_loop`` node's inputs to the variables of its two graphs."""

    test_body: Any
    body: Any
    num_out_data: int
    limit: int
    test_inputs: Any
    inputs: Any

    def __init__(
        self,
        subgraphs: Any,
        num_outputs: int,
        num_out_data: int,
        max_iterations: int,
        test: Any,
        func: Any,
        carried: Any,
    ) -> None:
        self.test_body, self.body = subgraphs
        self.num_out_data, self.limit = num_out_data, max_iterations
        self.test_inputs, self.inputs = test, func
        self._locations: Any = carried
        #: The index of each loop variable among the inputs of the node.
        self.carried: list[Any] = [func[location] for location in carried]

    def started(self, first: Iterable[Node] = ()) -> frozenset[Node]:
        """Return the body's variables that depend, after the first step, on a loss that starts a gradient.

        `first` contains the variables that depend on such a loss in the first step.
        """
        results = range(self.num_out_data, len(self.body.entries))
        return self.body.started(first, zip(self._locations, results, strict=True))

    @classmethod
    def of(cls, params: dict[str, Any]) -> While:
        """Return the mapping for a ``_while_loop`` node from the node's attributes.

        Parameters
        ----------
        params : dict
            Attributes of the node.

        Returns
        -------
        While
            The mapping for this node.
        """
        places = [params[name] for name in ("cond_input_locs", "func_input_locs", "func_var_locs")]
        count = params["num_outputs"], params["num_out_data"]
        return cls(params["subgraphs"], *count, params["max_iterations"], *places)

    def run(self, xp: Any, inputs: Any, training: bool, rng: Any, steps: list[Any] | None) -> tuple[Any, Any]:
        """Run the loop on raw arrays, and return its outputs and last loop variables.

        The parameters are those of :meth:`Rows.run`.

        Returns
        -------
        tuple of (list, list)
            The outputs of every step, and the last loop variables.
        """
        current, rows = list(inputs), []
        while len(rows) < self.limit:
            test = self.test_body.run(xp, [current[i] for i in self.test_inputs], training, rng)
            if not is_true(xp, test, self.test_body):
                break
            known = self.body.run(xp, [current[i] for i in self.inputs], training, rng)
            results = self.body.outputs(known)
            rows.append(results[: self.num_out_data])
            for i, value in zip(self.carried, results[self.num_out_data :], strict=True):
                current[i] = value
            if steps is not None:
                steps.append(known)
        return rows, [current[i] for i in self.carried]

    def infer(self, given: Sequence[Any], what: str) -> tuple[list[Any], list[Any]]:
        """Infer types through both graphs until the loop variables have the same types before and after a step.

        Parameters
        ----------
        given : sequence
            Partial shapes or element types of the node's inputs.
        what : {"shapes", "types"}
            Whether to infer shapes or element types.

        Returns
        -------
        tuple of (list, list)
            The shapes or types of the node's inputs, and of the body's results.
        """
        merge, known = merging(what), list(given)
        while True:
            before = list(known)
            for places, body in ((self.test_inputs, self.test_body), (self.inputs, self.body)):
                found, results = body.infer([known[i] for i in places], what)
                for i, value in zip(places, found, strict=True):
                    known[i] = merge(known[i], value)
            for i, value in zip(self.carried, results[self.num_out_data :], strict=True):
                known[i] = merge(known[i], value)
            if same_knowledge(before, known):
                return known, results
