"""Code generation, which splits a graph into the functions of a program and writes these functions in Python.

A program for training has two functions, forward and backward. The forward function returns the outputs and the
*residuals*, which are the values that the backward function needs. In prediction, parameters seldom change. Values that
depend on parameters alone (transposed or packed weights, or weights folded with a normalization) are *prepared*: a
separate function computes them at the first call, and again after a parameter has changed.

Each node becomes one line, which assigns to a variable with the node's name and shows its type in a comment. The writer
in this file lowers every node to a call of its kernel. The writers of ``d2lhybrid/internals/compiler/`` generate NumPy
expressions where possible. Their programs reuse memory after its last use (``numpy_writer.py``), or keep memory between
calls (``static_writer.py``).

No text from a file becomes source code unchecked: names are reduced to letters, digits, and underscores, and the source
code refers to operators, attributes, and constants by global names. The source code is in ``linecache``, so tracebacks,
``pdb``, and ``inspect.getsource`` show it.
"""

from __future__ import annotations

import itertools
import keyword
import linecache
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..device import array_modules
from ..support.display import Shown
from ..support.plural import counted
from .graph import Graph, TypeTable
from .node import Entry, Node, program_order, topological_order
from .prepared import prepared_entries

if TYPE_CHECKING:
    from ..compiler.arena import Workspaces
    from ..compiler.memory import MemoryPlan
    from .options import Options

__all__ = ["Body", "Halves", "Names", "PythonSource", "Writer", "generate", "own_memory", "split"]

#: The lines of a function, each paired with the node that it computes.
Body = list[tuple[str, Node | None]]


class Halves(NamedTuple):
    """The roots of the forward and the backward function of a training graph.

    Attributes
    ----------
    forward_roots : tuple of Entry
        The outputs, then the states that the forward pass updates, then the residuals.
    backward_roots : tuple of Entry
        The gradients that aren't None, then the states that the backward pass updates, then the computed values that
        determine the stored rows of row-sparse gradients.
    residuals : tuple of Entry
        The values that the forward function keeps for the backward function.
    prepared : tuple of Entry
        The values that depend on parameters alone, which the function ``prepare`` computes.
    """

    forward_roots: tuple[Entry, ...]
    backward_roots: tuple[Entry, ...]
    residuals: tuple[Entry, ...]
    prepared: tuple[Entry, ...] = ()


def split(graph: Graph) -> Halves:
    """Return the roots of a graph's two functions.

    Without gradients, the backward function has no roots.

    Parameters
    ----------
    graph : Graph
        The graph after all passes.

    Returns
    -------
    Halves
        The roots of the forward and the backward function, the residuals, and the prepared values.
    """
    forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
    backward = tuple(g for g in graph.gradients if g is not None) + tuple(
        u.value for u in graph.updates if u.stage == "backward"
    )
    if graph.looked_up:
        backward += tuple(source.value for source in graph.looked_up if source.value[0].op is not None)
    in_forward = {n for n in topological_order(forward) if n.op is not None} if backward else set()
    residuals: dict[Entry, Entry] = {}
    seen: set[Node] = set()
    stack: list[Node] = []

    def cross(entry: Entry) -> None:
        node = entry[0]
        if node in in_forward and not node.is_constant:
            residuals.setdefault((node, entry[1]), entry)
        elif node not in seen:
            seen.add(node)
            stack.append(node)

    for entry in backward:
        cross(entry)
    while stack:
        for entry in stack.pop().inputs:
            cross(entry)
    kept = tuple(residuals.values())
    fixed = frozenset(graph.inputs[graph.num_data :])
    follows = any(node.inputs and all(n in fixed or n.is_constant for n, _ in node.inputs) for node in graph.nodes)
    prepared = prepared_entries(graph) if follows and not graph.head_gradients else ()
    return Halves(forward + kept, backward, kept, prepared)


_PLAIN_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,59}")
_WORD = re.compile("[A-Za-z_][A-Za-z0-9_]*")


class Names:
    """A generator of valid, unique Python names, without the common prefix of a net's names."""

    def __init__(self, reserved: Sequence[str] = (), prefix: str = "") -> None:
        self._used = {*keyword.kwlist, *keyword.softkwlist, *reserved}
        self._prefix = prefix

    def get(self, wish: str) -> str:
        """Return an unused name that is similar to a desired name.

        Parameters
        ----------
        wish : str
            The desired name. Characters that Python does not allow in names are replaced.

        Returns
        -------
        str
            The desired name without the common prefix, with "_" in place of invalid characters, and with a number at
            the end if the name is already in use.
        """
        base = wish.removeprefix(self._prefix)
        if _PLAIN_NAME.fullmatch(base) is None:
            base = re.sub(r"[^A-Za-z0-9_]", "_", base)[:60].lstrip("_") or "value"
        if base[0].isdigit():
            base = f"v{base}"
        name, number = base, 0
        while name in self._used:
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        return name


class Writer:
    """A writer of one function, which lowers every node to a call of its kernel."""

    #: The memory plan; see :mod:`d2lhybrid.internals.compiler.memory`.
    plan: Any = None

    def __init__(
        self, name: str, inputs: Sequence[Node | Entry], roots: Sequence[Entry], types: TypeTable, options: Options
    ) -> None:
        self.name, self.roots, self.types, self.options = name, roots, types, options
        self.xp, self.num_outputs = options.xp, options.num_outputs
        self.namespace: dict[str, Any] = {"__name__": "d2lhybrid.program"}
        self.names = Names(
            [name, "rng", "own_memory", "unshared", "xp", "arena", "with_arena", "aligned_bytes"], options.prefix
        )
        self.constants: dict[Any, str] = {}
        #: Name of a constant or a bound kernel -> the numbers in it, as text for a comment.
        self.numbers: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.uses_generator: bool = False
        #: The name of each value.
        self.of: dict[Entry, str] = {}
        self.parameters: list[str] = []
        self.inputs: list[Entry] = [(i, 0) if isinstance(i, Node) else i for i in inputs]
        for entry in self.inputs:
            self.of[entry] = self.names.get(entry[0].name)
            self.parameters.append(self.of[entry])
        self.given: set[Entry] = set(self.inputs)
        self.nodes: list[Node] = program_order(roots, self.given)
        self.position: int = 0
        #: Index of a computed output -> the name of the array that owns its memory.
        self._owned: dict[int, str] = {}

    # --- names ---

    def constant(self, value: Any, wish: str) -> str:
        """Return the name of a constant, after adding the constant to the program if it is new.

        A number becomes a 0-d array, because NumPy computes fastest with 0-d arrays.

        Parameters
        ----------
        value : object
            The number or array.
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            The name of the constant in the program.
        """
        key = (wish, value.dtype.str, value.tobytes(), value.shape) if hasattr(value, "tobytes") else (wish, id(value))
        if key not in self.constants:
            label = self.names.get(wish)
            self.namespace[label] = self.xp.asarray(value)
            self.constants[key] = label
            if wish == "number":
                self.numbers[label] = f"{label} = {value.flat[0]:.6g}"
        return self.constants[key]

    def function(self, name: str) -> str:
        """Return the program's name for a function of the array module.

        Parameters
        ----------
        name : str
            Name of the function in NumPy and CuPy.

        Returns
        -------
        str
            The name in the program.
        """
        if name not in self.functions:
            self.functions[name] = self.names.get(name)
            self.namespace[self.functions[name]] = getattr(self.xp, name)
        return self.functions[name]

    def unique(self, wish: str) -> str:
        """Return a name that the generated function doesn't use yet.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.

        Returns
        -------
        str
            A name that is similar to the desired name.
        """
        return self.names.get(wish)

    def bound(self, wish: str, value: Any) -> str:
        """Add an object that belongs to one node to the program's namespace, and return the object's name.

        Parameters
        ----------
        wish : str
            The desired name, which gets a number if the program already uses it.
        value : object
            The object to add to the namespace.

        Returns
        -------
        str
            The name in the program.
        """
        label = self.names.get(wish)
        self.namespace[label] = value
        return label

    def kernel(self, node: Node) -> tuple[str, str]:
        """Return the name of a node's kernel with bound attributes, and the text of the call's extra arguments.

        Parameters
        ----------
        node : Node
            The node whose operator is called.

        Returns
        -------
        tuple of (str, str)
            The name, and the text of the arguments.
        """
        op = node.op
        assert op is not None
        kernel, xp, params = op.kernel, self.xp, dict(node.params)
        extra = ""
        if op.uses_training:
            params["training"] = self.options.training
        if op.draws(node.params):
            self.uses_generator = True
            extra = "rng=rng"

        def run(*arrays: Any, **keywords: Any) -> Any:
            return kernel(xp, *arrays, **params, **keywords)

        run.__name__ = run.__qualname__ = op.name
        key = ("kernel", op.name, kernel, repr(sorted(params.items(), key=str)))  # two kernels may have one name
        if key not in self.constants or any(hasattr(v, "shape") for v in params.values()):
            label = self.constants[key] = self.bound(op.name, run)
            known = [f"{name} = {value:.6g}" for name, value in node.params.items() if type(value) in (int, float)]
            if known:
                self.numbers[label] = ", ".join(known)
        return self.constants[key], extra

    # --- text ---

    def run(self) -> PythonSource:
        """Write and compile the function.

        Returns
        -------
        PythonSource
            The compiled function, with its source code.
        """
        body: Body = []
        for position, node in enumerate(self.nodes):
            self.position = position
            if node.is_constant:
                self.of[node, 0] = self.constant(node.params["value"], node.name)
            if node.op is None or node.is_constant:
                continue
            lines = self.lines(node, [self.of[entry] for entry in node.inputs], self.name_results(node))
            if lines:
                lines[-1] += f"  # {self.types[node, 0]}{self._numbers_in(lines)}"
            body += [(line, node) for line in lines]
            body += [(line, None) for line in self.lines_after(node)]
        body += [(line, None) for line in self.lines_before_return()]
        body.append((f"return {self.results()}", None))
        parameters = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        text = "\n".join([f"def {self.name}({', '.join(parameters)}):", *(f"    {line}" for line, _ in body)])
        line_nodes = {number: node for number, (_, node) in enumerate(body, 2) if node is not None}
        return self.source(text + "\n", line_nodes, body)

    def _numbers_in(self, lines: list[str]) -> str:
        """Return a comment with the frozen values in some lines."""
        names = {name for line in lines for name in _WORD.findall(line)} if self.numbers else ()
        return "".join(f", {numbers}" for name, numbers in self.numbers.items() if name in names)

    def name_results(self, node: Node) -> list[str]:
        """Choose the names of a node's outputs in the program, and return them.

        Parameters
        ----------
        node : Node
            The node whose outputs get names.

        Returns
        -------
        list of str
            The name of each output.
        """
        count, base = node.num_outputs, node.name or "value"
        outs = [self.names.get(base if count == 1 else f"{base}_{i}") for i in range(count)]
        for i, out in enumerate(outs):
            self.of[node, i] = out
        return outs

    def lines(self, node: Node, arguments: list[str], outs: list[str]) -> list[str]:
        """Return the lines of code that compute a node.

        Parameters
        ----------
        node : Node
            The node to compute.
        arguments : list of str
            Names of the inputs.
        outs : list of str
            Names of the outputs.

        Returns
        -------
        list of str
            The lines, without indentation.
        """
        assert node.op is not None
        kernel, extra = self.kernel(node)
        given = ["None" if a is None else a for a in node.op.arrange(node.params, arguments)]
        return [f"{', '.join(outs)} = {kernel}({', '.join([*given, extra] if extra else given)})"]

    def lines_after(self, node: Node) -> list[str]:
        """Return the lines to run after a node, such as those that free memory.

        Parameters
        ----------
        node : Node
            The node that was just computed.

        Returns
        -------
        list of str
            The lines, without indentation; none in this class.
        """
        return []

    def lines_before_return(self) -> list[str]:
        """Return the line that copies outputs that alias other memory, or no line if the program computes no output.

        A kernel may return a view of its input. A caller may write into an output, so an output must not alias an
        argument, a constant, or another output. An output that is itself an argument is shared, as in MXNet.
        """
        made = [i for i, (node, _) in enumerate(self.roots[: self.num_outputs]) if node.op is not None]
        if not made:
            return []
        self.namespace["own_memory"] = own_memory
        constants = [self.of[node, 0] for node in self.nodes if node.is_constant]
        foreign = "".join(f"{label}, " for label in [*self.parameters, *constants]).strip()
        computed = "".join(f"{self.of[self.roots[i]]}, " for i in made).strip()
        self._owned = {i: self.names.get("output") for i in made}
        names = "".join(f"{name}, " for name in self._owned.values()).strip()
        return [f"{names} = own_memory(({computed}), ({foreign}))"]

    def results(self) -> str:
        """Return the text of the tuple that the function returns."""
        labels = [self._owned.get(i, self.of[entry]) for i, entry in enumerate(self.roots)]
        return "".join(f"{label}, " for label in labels).strip() or "()"

    def source(self, text: str, line_nodes: dict[int, Node], body: Body) -> PythonSource:
        """Compile the function from its source code.

        Parameters
        ----------
        text : str
            The source code.
        line_nodes : dict of int to Node
            The node that each line computes.
        body : Body
            The lines of the function, each with the node that it computes.

        Returns
        -------
        PythonSource
            The compiled function, with its source code.
        """
        return PythonSource(self.name, text, self.namespace, line_nodes, self.plan, self.uses_generator, self.of)


def own_memory(outputs: Sequence[Any], foreign: Sequence[Any]) -> tuple[Any, ...]:
    """Return arrays that are contiguous and own their memory, as copies where necessary.

    Parameters
    ----------
    outputs : sequence of array
        The results of a program, possibly views of its arguments or of each other.
    foreign : sequence of array
        The program's arguments and constants, with which no output may share memory.

    Returns
    -------
    tuple of array
        The arrays, which are writable and C-contiguous.

    Examples
    --------
    >>> import numpy
    >>> x = numpy.zeros((2, 3))
    >>> (y,) = own_memory([x.reshape(6)], [x])
    >>> numpy.may_share_memory(x, y)
    False
    """
    owned: list[Any] = []
    for output in outputs:
        xp = array_modules.module_of(output)
        array = xp.asarray(output, order="C")  # NumPy returns 0-d results as scalars
        shared = any(xp.may_share_memory(array, other) for other in (*foreign, *owned))
        owned.append(array.copy() if shared or not getattr(array.flags, "writeable", True) else array)
    return tuple(owned)


def generate(
    name: str, inputs: Sequence[Node | Entry], roots: Sequence[Entry], types: TypeTable, options: Options
) -> PythonSource:
    """Write and compile the function that computes the roots from the inputs.

    Parameters
    ----------
    name : str
        The name of the function.
    inputs : sequence of Node or Entry
        The arguments of the function, in order.
    roots : sequence of Entry
        The results of the function, in order.
    types : TypeTable
        The shape and element type of each entry.
    options : Options
        The options of the program, which include the class of the writer.

    Returns
    -------
    PythonSource
        The compiled function.
    """
    return options.writer(name, inputs, roots, types, options).run()


_numbers = itertools.count()

#: File names of deleted programs whose text is still in ``linecache``.
_forgotten: list[str] = []


class PythonSource(Shown):
    """A generated Python function with its source code.

    Attributes
    ----------
    name : str
        The name of the function.
    text : str
        The source code of the function.
    namespace : dict
        The objects that `text` refers to, by their global names.
    line_nodes : dict of int to Node
        The node that each line computes, by line number, starting at 1.
    plan : MemoryPlan or None
        The memory plan, which says which memory each value uses and when this memory is free; None for a function
        that :class:`Writer` wrote, because this class plans no memory.
    function : callable
        The compiled function, which takes raw arrays and returns a tuple of raw arrays.
    uses_generator : bool
        Whether the function takes a random generator after its inputs.
    allocation : sequence of str
        The lines of code that allocate the arena, the memory that is kept between calls.
    workspaces : Workspaces or None
        Copies of the function, each with its own arena; None if no memory is kept between calls.
    arena_bytes : int
        The size of the arena in bytes.
    launches : str
        A description of the CUDA graph's state; empty if the launches aren't recorded in a CUDA graph.
    threaded : bool
        Whether the function has matrix products that are large enough for several threads.
    labels : dict of Entry to str
        The variable name of each value in `text`.
    """

    def __init__(
        self,
        name: str,
        text: str,
        namespace: dict[str, Any],
        line_nodes: dict[int, Node],
        plan: MemoryPlan,
        uses_generator: bool,
        labels: dict[Entry, str],
    ) -> None:
        self.name: str = name
        self.text: str = text
        self.namespace: dict[str, Any] = namespace
        self.labels: dict[Entry, str] = labels
        self.line_nodes: dict[int, Node] = line_nodes
        self.plan: MemoryPlan = plan
        self.uses_generator: bool = uses_generator
        self.threaded: bool = False
        self.filename: str = f"<d2lhybrid program {next(_numbers)}: {name}>"
        _forget_texts()
        whole = str(self)
        linecache.cache[self.filename] = (len(whole), None, whole.splitlines(True), self.filename)
        exec(compile(whole, self.filename, "exec"), namespace)
        self.function: Callable[..., Any] = self.made()

    allocation: Sequence[str] = ()
    workspaces: Workspaces | None = None
    arena_bytes = 0
    launches = ""

    def __repr__(self) -> str:
        return f"<PythonSource {self.name}: {counted(len(self.text.splitlines()), 'line')}>"

    def made(self) -> Callable[..., Any]:
        """Return the function that the source code defines."""
        return self.namespace[self.name]

    def __del__(self) -> None:
        # The garbage collector may run this method while another thread iterates over ``linecache`` (every traceback
        # does), so the next program removes the entry.
        _forgotten.append(getattr(self, "filename", ""))

    def __str__(self) -> str:
        return self.text


def _forget_texts() -> None:
    """Remove the texts of deleted programs from ``linecache``."""
    try:
        while True:  # another thread may take the last item after a check of the length
            linecache.cache.pop(_forgotten.pop(), None)
    except IndexError:
        pass
