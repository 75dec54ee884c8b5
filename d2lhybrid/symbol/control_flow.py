"""Loops and branches in graphs: ``sym.contrib.foreach``, ``while_loop``, and ``cond``.

The body is called once, with variables, and its nodes are cut out of the graph as a subgraph. Nodes created in the body
have the body's name as their attribute ``__subgraph_name__``. All other values that the body uses become inputs of the
node that contains the subgraph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import attribute
from .. import name as naming
from ..attribute import AttrScope
from ..error import MXNetError
from ..internals.core.loops import GRAPHS_OF, NUMPY_ROW
from ..internals.core.node import Entry, Node, entry_name
from ..internals.core.operator import Operator, get_operator
from ..internals.core.subgraph import Subgraph
from ..internals.support import events
from ..internals.support.nested import flatten, regroup
from ..internals.support.places import new_source
from ..internals.support.plural import counted
from .compose import compose
from .symbol import Symbol

__all__ = ["attach_subgraphs", "cond", "foreach", "while_loop"]

_MARK = "__subgraph_name__"


def foreach(
    body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """Create a node that runs a subgraph for each row of arrays, and passes the states from each run to the next run.

    Parameters
    ----------
    body : callable
        The body: ``body(row, states)`` returns ``(output, new states)``. The function is called once, with variables.
    data : Symbol or nested list of Symbol
        The arrays, which are split along their first axis.
    init_states : Symbol or nested list of Symbol
        The states for the first call.
    name : str
        Name of the body, which becomes an attribute of the body's nodes.

    Returns
    -------
    outputs : Symbol or nested list of Symbol
        The outputs of all calls, stacked along a new first axis, with the nesting that ``body`` returns.
    states : Symbol or nested list of Symbol
        The states that the last call returned.

    Raises
    ------
    AssertionError
        If the data, the states, or the outputs contain anything but symbols, or if the body does not use one of its
        arguments.
    """
    arrays, data_form = flatten(data, Symbol, "foreach input")
    states, state_form = flatten(init_states, Symbol, "foreach states")
    graph = _Body(name)
    with graph.scope:
        rows, olds = graph.variables(arrays, rows=True), graph.variables(states)
        output, new_states = body(regroup(rows, data_form), regroup(olds, state_form))
        outputs, form = flatten(output, Symbol, "foreach output")
        news, new_form = flatten(new_states, Symbol, "foreach loop_vars")
        if new_form != state_form:
            raise AssertionError("The input and output loop_vars have different format")
        graph.close([*outputs, *news])
    positions_of = {node: i for i, node in enumerate(graph.inputs)}
    locations = [positions_of.get(v._entries[0][0]) for v in (*rows, *olds)]
    for what, positions in (("data", locations[: len(rows)]), ("state", locations[len(rows) :])):
        if None in positions:
            error = AssertionError(f"the {what} arrays have to be used in the loop body")
            error.add_note(f"Remove the array with index {positions.index(None)}, which the body does not use.")
            raise error
    free = [i for i in range(len(graph.inputs)) if i not in locations]
    inputs = [*(s._entries[0] for s in (*arrays, *states)), *(graph.source(graph.inputs[i]) for i in free)]
    node_outputs = _make(
        "_foreach", inputs, [graph], [*outputs, *news], num_outputs=len(outputs) + len(news), num_out_data=len(outputs),
        in_data_locs=locations[: len(rows)], in_state_locs=locations[len(rows) :], remain_locs=free,
    )  # fmt: skip
    return regroup(node_outputs[: len(outputs)], form), regroup(node_outputs[len(outputs) :], state_form)


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """Create a node that runs a subgraph repeatedly while a condition holds.

    Parameters
    ----------
    cond : callable
        The condition: ``cond(*loop_vars)`` returns a symbol with a single element.
    func : callable
        The body: ``func(*loop_vars)`` returns ``(output, new loop_vars)``. ``cond`` and ``func`` are called once,
        with variables.
    loop_vars : Symbol or list of Symbol
        The variables for the first call.
    max_iterations : int
        Maximum number of calls.
    name : str
        Prefix of the names of the two subgraphs.

    Returns
    -------
    outputs : Symbol or nested list of Symbol
        The outputs of all calls, stacked along a new first axis and padded with zeros to ``max_iterations``.
    loop_vars : Symbol or list of Symbol
        The variables after the last call.

    Raises
    ------
    ValueError
        If ``max_iterations`` or the loop variables are missing, or if the number of loop variables changes.
    """
    if max_iterations is None:
        raise ValueError("max_iterations should be specified")
    try:
        limit = int(max_iterations)
    except (TypeError, ValueError):
        raise ValueError("Cannot convert max_iteration to python int") from None
    variables, var_form = flatten(loop_vars, Symbol, "while loop_vars")
    if not variables:
        raise ValueError("loop_vars should contain at least one element")
    test, step = _Body(f"{name}_cond"), _Body(f"{name}_func")
    with test.scope:
        tested = test.variables(variables)
        condition = cond(*tested)
        if not isinstance(condition, Symbol):
            raise ValueError("Return of cond must be a Symbol")
        test.close([condition])
    with step.scope:
        olds = step.variables(variables)
        output, new = func(*olds)
        outputs, form = flatten([] if output is None else output, Symbol, "while output")
        news, _ = flatten(new, Symbol, "while loop_vars")
        if len(news) != len(variables):
            raise ValueError("The number of loop_vars should be consistent during the loop")
        step.close([*outputs, *news])
    inputs = _Inputs()
    test_locs = inputs.places(test, tested, variables)
    step_locs = inputs.places(step, olds, variables)
    positions_of = {node: i for i, node in enumerate(step.inputs)}
    carried = []
    for i, old in enumerate(olds):
        if old._entries[0][0] not in positions_of:
            raise ValueError(f"The {i + 1}-th loop_var doesn't involve into the computation")
        carried.append(positions_of[old._entries[0][0]])
    node_outputs = _make(
        "_while_loop", inputs.entries, [test, step], [*outputs, *news], num_outputs=len(outputs) + len(news),
        num_out_data=len(outputs), max_iterations=limit, cond_input_locs=test_locs, func_input_locs=step_locs,
        func_var_locs=carried,
    )  # fmt: skip
    states = node_outputs[len(outputs) :]
    return regroup(node_outputs[: len(outputs)], form), states[0] if var_form == 0 else states


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond") -> Any:
    """Create a node that runs one of two subgraphs, and return the outputs of the node.

    Parameters
    ----------
    pred : Symbol
        The condition, a symbol with a single element.
    then_func, else_func : callable
        Functions without parameters, which return symbols of the same shapes. Each function is called once to create
        a subgraph. At run time, only the selected subgraph runs.
    name : str
        Prefix of the names of the two subgraphs.

    Returns
    -------
    Symbol or list of Symbol
        The outputs of the node.

    Raises
    ------
    ValueError
        If the branches return different numbers of symbols.
    """
    graphs, branches = [], []
    for function, part in ((lambda: pred, "pred"), (then_func, "then"), (else_func, "else")):
        graph = _Body(f"{name}_{part}")
        with graph.scope:
            results, form = flatten(function(), Symbol, "cond outputs")
            graph.close(results)
        graphs.append(graph)
        branches.append((results, form))
    (_, _), (outputs, form), (others, _) = branches
    if len(outputs) != len(others):
        raise ValueError("Number of outputs differs between then-branch and else-branch")
    inputs = _Inputs()
    test_locs, then_locs, else_locs = (inputs.places(graph, [], []) for graph in graphs)
    node_outputs = _make(
        "_cond", inputs.entries, graphs, outputs, num_outputs=len(outputs), cond_input_locs=test_locs,
        then_input_locs=then_locs, else_input_locs=else_locs,
    )  # fmt: skip
    return regroup(node_outputs, form)


# --- subgraphs -----------------------------------------------------------------------------------------------


class _Body:
    """A body under construction: its variables, and the subgraph that is cut out."""

    def __init__(self, name: str) -> None:
        outer = attribute.current_attributes().get(_MARK)
        name = f"{outer}${name}" if outer else name
        count = AttrScope._subgraph_names[name]
        AttrScope._subgraph_names[name] += 1
        self.name = f"{name}{count}"
        self.scope = AttrScope(**{_MARK: self.name})
        self.symbol: Symbol
        #: The variables of the subgraph, in topological order.
        self.inputs: list[Node] = []
        self._sources: dict[Node, Entry] = {}
        self._used: set[str] = set()

    def variables(self, symbols: Sequence[Any], rows: bool = False) -> list[Any]:
        """Return the body's variables for outer symbols, or for rows of their arrays."""
        created = []
        for symbol in symbols:
            if len(symbol._entries) != 1:
                error = MXNetError(
                    f"each array of a loop must be a Symbol with a single output, but {symbol!r} has "
                    f"{len(symbol._entries)}"
                )
                error.add_note("Pass the outputs as a list: list(symbol).")
                raise error
            node, index = symbol._entries[0]
            name = f"{node.name}-{index}"
            while name in self._used:
                name += "-1"
            self._used.add(name)
            attrs = attribute.of_variable(attribute.current_attributes())
            if rows and not symbol._legacy:
                attrs[NUMPY_ROW] = "True"
            created.append(type(symbol)([(Node(None, name, attrs=attrs), 0)]))
        return created

    def close(self, results: Sequence[Any]) -> None:
        """Cut out the graph of the results. A result that is not created in the body is copied first."""
        entries = []
        for symbol in results:
            if len(symbol._entries) != 1 or not self._inside(symbol._entries[0][0]):
                symbol = compose(get_operator("_copy"), "identity", [symbol], {}, type(symbol))
            entries.append(symbol._entries[0])
        if not entries:
            raise TypeError("Expected a list of symbols as input")
        self.symbol = Symbol(self._cut(entries))
        self.inputs = Subgraph(self.symbol).variables

    def source(self, variable: Node) -> Entry:
        """Return the outer entry of an input of the subgraph."""
        return self._sources[variable]

    def _inside(self, node: Node) -> bool:
        return node.op is not None and node.attrs.get(_MARK) == self.name

    def _cut(self, results: Sequence[Entry]) -> list[Entry]:
        new: dict[Entry, Entry] = {}

        def resolve(entry: Entry) -> Entry:
            node, index = entry
            key = (node, index)
            if key not in new:
                if node.op is None:
                    own = node.attrs.get(_MARK) == self.name  # created in the body, or for it
                    variable = node if own else Node(None, node.name)
                else:
                    variable = Node(None, entry_name(entry))
                self._sources[variable] = entry
                new[key] = (variable, 0)
            return new[key]

        for node in self._order(results):
            new_node = node.with_inputs(tuple(resolve(entry) for entry in node.inputs))
            new.update({(node, i): (new_node, i) for i in range(node.num_outputs)})
        return [resolve(entry) for entry in results]

    def _order(self, results: Sequence[Entry]) -> list[Node]:
        """Return the nodes that were created in the body, in topological order."""
        order: list[Node] = []
        seen: set[Node] = set()
        for root, _ in results:
            stack = [(root, iter(root.inputs))] if root not in seen else []
            seen.add(root)
            while stack:
                node, remaining = stack[-1]
                for child, _ in remaining:
                    if self._inside(child) and child not in seen:
                        seen.add(child)
                        stack.append((child, iter(child.inputs)))
                        break
                else:
                    order.append(node)
                    stack.pop()
        return order


class _Inputs:
    """The inputs of a node with several subgraphs, which share their common inputs."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._found: dict[Any, int] = {}

    def places(self, graph: _Body, inner: Sequence[Any], outer: Sequence[Any]) -> list[int]:
        """Return the indices of a subgraph's variables among the inputs of the node.

        ``inner`` contains the subgraph's variables for the symbols in ``outer``.
        """
        stand_for = {v._entries[0][0]: (i, s._entries[0]) for i, (v, s) in enumerate(zip(inner, outer, strict=True))}
        indices = []
        for variable in graph.inputs:
            if variable in stand_for:
                number, entry = stand_for[variable]
                key: Any = ("loop variable", number)
            else:
                entry = graph.source(variable)
                key = entry[0] if entry[0].op is None else variable
            if key not in self._found:
                self._found[key] = len(self.entries)
                self.entries.append(entry)
            indices.append(self._found[key])
        return indices


def _make(name: str, inputs: list[Entry], graphs: Sequence[_Body], like: Sequence[Any], **attributes: Any) -> list[Any]:
    """Create the node, and return its outputs in the classes of the symbols that the body returned."""
    op = get_operator(name)
    node_name = naming.current_manager().get(None, name)
    attrs = {**attribute.of_operator(attribute.current_attributes()), **{k: str(v) for k, v in attributes.items()}}
    attrs["num_args"] = str(len(inputs) + len(graphs))
    symbols = tuple(graph.symbol for graph in graphs)
    params = op.parse(attributes)
    attach_subgraphs(op, params, symbols, len(inputs))
    node = Node(op, node_name, tuple(inputs), attrs, params, symbols, new_source())
    if events.node_made:
        events.node_made.tell(node)
    return [type(symbol)([(node, i)]) for i, symbol in enumerate(like)]


def attach_subgraphs(op: Operator, params: dict[str, Any], symbols: Sequence[Any], num_inputs: int) -> None:
    """Store the subgraphs of a control flow node in the node's attributes, from which the kernel reads the subgraphs.

    Parameters
    ----------
    op : Operator
        The operator of the node.
    params : dict
        The node's attributes, which this function changes in place.
    symbols : sequence of Symbol
        The subgraphs.
    num_inputs : int
        Number of inputs of the node.

    Raises
    ------
    MXNetError
        If the numbers of subgraphs, inputs, and results do not match the attributes.
    """
    bodies = tuple(Subgraph(symbol) for symbol in symbols)
    if len(bodies) != GRAPHS_OF[op.name]:
        raise MXNetError(f"{op.name} requires {counted(GRAPHS_OF[op.name], 'subgraph')}, not {len(bodies)}")
    params["subgraphs"] = bodies

    def require(condition: bool) -> None:
        if not condition:
            raise MXNetError(
                f"the attributes of {op.name} do not match its subgraphs and its {counted(num_inputs, 'input')}"
            )

    results = [len(body.entries) for body in bodies]
    if op.name == "_foreach":
        places = [*params["in_data_locs"], *params["in_state_locs"], *params["remain_locs"]]
        require(sorted(places) == list(range(len(bodies[0].variables))) and len(places) == num_inputs)
        require(len(params["in_data_locs"]) > 0 and results[0] == params["num_outputs"])
        require(params["num_outputs"] - params["num_out_data"] == len(params["in_state_locs"]))
        require(params["num_out_data"] >= 0)
        return
    locations = [params[key] for key in op.attributes if key.endswith("_input_locs")]
    for places, body in zip(locations, bodies, strict=True):
        require(len(places) == len(body.variables) and all(0 <= i < num_inputs for i in places))
    require(results[0] == 1 and results[-1] == params["num_outputs"])
    if op.name == "_cond":
        require(results[1] == results[2])
    else:
        carried = params["func_var_locs"]
        require(len(carried) == params["num_outputs"] - params["num_out_data"] >= 0 <= params["num_out_data"])
        require(len(set(carried)) == len(carried) and all(0 <= i < len(locations[1]) for i in carried))
        require(params["max_iterations"] >= 0)
