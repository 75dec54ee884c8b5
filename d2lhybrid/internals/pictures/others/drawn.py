"""Graphs of other frameworks in the style of this package, drawn from the text of an FX graph, jaxpr, or FuncGraph.

The input is the text that each framework prints, so the conversion works for both recordings and live runs. A function
inside a graph (a branch of a condition, or a ``jit`` in a ``jit``) is one box.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...core.operator import get_operator, is_registered
from ..graph_data import sent_scene
from ..graph_family import summary_of, title_of
from ..graph_model import GraphInput, GraphModel, GraphNode, TensorInfo
from ..graph_scene import scene_of

__all__ = ["drawing_of", "model_of"]

#: The maximum number of nodes of a graph that is drawn next to a program.
_MOST = 40
#: Family, which determines the color -> names of operators in the frameworks.
_FAMILIES = {
    "linear": "linear matmul dot_general mm addmm bmm",
    "activation": "relu tanh sigmoid softmax gelu",
    "normalization": "dropout",
    "reduction": "sum reduce_sum mean max reduce_max argmax",
    "elementwise": "+ - * / > < >= <= == mul add addv2 sub neg div realdiv sin cos exp log pow abs gt lt greater less "
    "greaterequal lessequal or addn add_any select selectv2 wrapped_sin wrapped_mul shift_right_logical",
    "shape": "reshape tile broadcast_in_dim getitem setitem transpose convert_element_type bitcast_convert_type "
    "identity cast squeeze resourcegather readvariableop",
    "control": "cond statelessif if while statelesswhile scan jit pjit partitionedcall statefulpartitionedcall",
}
_FAMILY = {name: family for family, names in _FAMILIES.items() for name in names.split()}
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.Mod: "%",
    ast.Gt: ">", ast.Lt: "<", ast.GtE: ">=", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.USub: "neg",
    ast.BitOr: "|", ast.BitAnd: "&",
}  # fmt: skip
_TYPES = {"f": "float", "i": "int", "u": "uint", "b": "bool", "bf": "bfloat"}
#: Calls in jaxprs that have the name of the called function in ``name=``.
_NAMED = ("jit", "pjit", "custom_jvp_call", "custom_vjp_call")


class _Reader:
    """A collector of nodes, each with a name, an operator, and the names of its inputs."""

    def __init__(self) -> None:
        self.nodes: dict[str, GraphNode] = {}
        self.lines: dict[str, int] = {}
        self.alias: dict[str, str] = {}
        self.outputs: list[str] = []

    def known(self, name: str) -> str:
        """Return the id of the node that a name refers to; empty if it is not drawn."""
        name = self.alias.get(name, name)
        return name if name in self.nodes else ""

    def leaf(self, name: str, kind: str, type_: TensorInfo | None = None, shown: str = "", line: int = 0) -> None:
        """Add an input, a parameter, or a constant."""
        self.nodes[name] = GraphNode(name, shown or name, kind, outputs=(type_ or TensorInfo(None, None),))
        self.lines[name] = line

    def operator(
        self, name: str, op: str, inputs: Sequence[str], line: int, type_: TensorInfo | None = None, summary: str = ""
    ) -> None:
        """Add the node of an operator, with edges from the inputs that are known."""
        found = [i for i in map(self.known, inputs) if i]
        given = tuple(GraphInput(i, 0, _argument(self.nodes[i].name)) for i in found)
        family = _FAMILY.get(op.lower(), "other")
        self.nodes[name] = GraphNode(
            name, name, "operator", op, op, family, summary, inputs=given, outputs=(type_ or TensorInfo(None, None),)
        )
        self.lines[name] = line


def _argument(name: str) -> str:
    """Return a parameter's name for display, without the name of its module."""
    return "variable" if name.endswith("/resource") else name.rpartition("parameters_")[2].strip("_")


def model_of(title: str, text: Sequence[str], lines: Sequence[int]) -> tuple[GraphModel, dict[str, int]] | None:
    """Return a framework's graph as a GraphModel, and the line of the program for each node.

    Parameters
    ----------
    title : str
        The framework's name of the graph.
    text : sequence of str
        Lines of the graph's text.
    lines : sequence of int
        Line of the program for each line of the text; 0 if unknown.

    Returns
    -------
    tuple or None
        The graph, and the line of the program by node id; None for texts that are not a graph, such as generated code.

    Examples
    --------
    >>> model, lines = model_of("jaxpr", ["{ lambda ; a:f32[2]. let", "    b:f32[2] = mul a 2.0:f32[]", "  in (b,) }"],
    ...                         [0, 6, 0])
    >>> [(node.kind, node.title, node.summary, str(node.outputs[0])) for node in model.nodes], lines["b"]
    ([('input', '', '', 'float32 2'), ('operator', 'mul', '2.0', 'float32 2')], 6)
    """
    read = {"jaxpr": _jaxpr, "FX graph": _fx, "exported FX graph": _fx, "FuncGraph": _func_graph, "Symbol": _symbol}
    if title not in read:
        return None
    reader = _Reader()
    read[title](reader, list(text), list(lines))
    outputs = tuple((name, 0) for name in reader.outputs if name in reader.nodes)
    return GraphModel(title, tuple(reader.nodes.values()), outputs=outputs), reader.lines


def drawing_of(title: str, text: Sequence[str], lines: Sequence[int]) -> dict[str, Any] | None:
    """Return a graph in the format of ``canvas.js`` with the program line of each box, or None if it can't be drawn.

    Parameters
    ----------
    title, text, lines
        Same as for :func:`model_of`.
    """
    try:
        found = model_of(title, text, lines)
    except (ValueError, IndexError, SyntaxError):  # another release may print graphs differently, so show the text
        return None
    if found is None or not 0 < len(found[0].nodes) <= _MOST:
        return None
    model, origin = found
    drawing = sent_scene(scene_of(model, engine="own"))
    return drawing | {"at": {box[0]: origin[box[0]] for box in drawing["b"] if origin.get(box[0])}}


def _type(text: str) -> TensorInfo:
    """Return the shape and the element type in a text such as ``f32[2, 3]``; named sizes are unknown."""
    found = re.match(r"(bf|[fiub])(\d+)?\[(.*)\]|(bool)\[(.*)\]", text.strip())
    if not found:
        return TensorInfo(None, None)
    kind, bits, sizes = (found[1], found[2], found[3]) if found[1] else ("b", None, found[5])
    shape = tuple(int(n) if n.strip().isdecimal() else None for n in sizes.split(",") if n.strip())
    return TensorInfo(shape, "bool" if kind == "b" else f"{_TYPES[kind]}{bits or ''}")


# --- PyTorch ---------------------------------------------------------------------------------------------------


def _fx(reader: _Reader, text: list[str], lines: list[int]) -> None:
    for n, (line, place) in enumerate(zip(text, lines, strict=True)):
        stripped = line.strip()
        if n and stripped.startswith("class "):  # branches of a condition are separate modules below
            return
        if stripped.startswith("def forward("):
            for name, type_ in re.findall(r'(\w+): "([^"]*)"', stripped):
                reader.leaf(name, "parameter" if "_parameters_" in name else "input", _type(type_))
            continue
        if stripped.startswith("return"):
            reader.outputs = [name for name in map(reader.known, re.findall(r"\w+", stripped[6:])) if name]
            continue
        found = re.match(r'(\S+?)(?:: "([^"]*)")? = (.*?)(?:;  .*)?$', stripped)
        if found:
            _fx_line(reader, found[1], _type(found[2] or ""), found[3], place)


def _fx_line(reader: _Reader, name: str, type_: TensorInfo, expression: str, place: int) -> None:
    tree = ast.parse(expression, mode="eval").body
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    constants = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    if isinstance(tree, ast.Name):
        reader.alias[name] = reader.known(tree.id) or tree.id
        return
    if isinstance(tree, ast.Attribute):  # a submodule, which is a branch
        return
    if "[" in name:  # an assignment to an element: the name then refers to the result
        target, _, index = name.partition("[")
        made, before = f"{target} {place}", reader.known(target)
        reader.operator(made, "setitem", [target, *names], place, summary=f"[{index} = {expression}")
        reader.alias |= {target: made} | {a: made for a, b in reader.alias.items() if b == before}
        return
    reader.operator(name, _fx_operator(tree), names, place, type_, ", ".join(constants))


def _fx_operator(tree: ast.expr) -> str:
    if isinstance(tree, ast.BinOp):
        return _SIGNS.get(type(tree.op), type(tree.op).__name__)
    if isinstance(tree, ast.UnaryOp):
        return _SIGNS.get(type(tree.op), type(tree.op).__name__)
    if isinstance(tree, ast.Compare):
        return _SIGNS.get(type(tree.ops[0]), type(tree.ops[0]).__name__)
    if isinstance(tree, ast.Call):
        path = ast.unparse(tree.func).split(".")
        if "ops" in path:  # torch.ops.aten.mul.Tensor
            return path[path.index("ops") + 2]
        return path[-1].removeprefix("torch__dynamo_utils_")
    return "getitem" if isinstance(tree, ast.Subscript) else type(tree).__name__


# --- JAX -------------------------------------------------------------------------------------------------------


def _jaxpr(reader: _Reader, text: list[str], lines: list[int]) -> None:
    """Read the equations of the outermost function, which is the last function that starts at column 0."""
    text = [re.sub(r"\s+#$", "", line) for line in text]
    start = max(n for n, line in enumerate(text) if line.startswith("{ lambda"))
    head = start
    while not text[head].endswith("let"):
        head += 1
    given = " ".join(line.strip() for line in text[start : head + 1])
    for name, type_ in re.findall(r"(\w+):(\S+?)(?=[ .])", given.partition(";")[2] + " "):
        reader.leaf(name, "input", _type(type_))
    equations: list[tuple[str, int]] = []
    results: list[str] = []
    for line, place in zip(text[head + 1 :], lines[head + 1 :], strict=True):
        if line.startswith("  in "):
            results = re.findall(r"\w+", line[5:])
            break
        if re.match(r" {4}\S", line) and line.strip() not in ("]",) and not line.startswith("    ]"):
            equations.append((line.strip(), place))
        else:
            equations[-1] = f"{equations[-1][0]} {line.strip()}", equations[-1][1] or place
    for equation, place in equations:
        _equation(reader, equation, place)
    reader.outputs = [name for name in map(reader.known, results) if name]


def _equation(reader: _Reader, text: str, place: int) -> None:
    made, _, rest = text.partition(" = ")
    op = re.match(r"\w+", rest)
    if op is None:
        return
    rest, params = rest[op.end() :], ""
    if rest.startswith("["):
        depth = 0
        for n, letter in enumerate(rest):
            depth += (letter == "[") - (letter == "]")
            if not depth:
                params, rest = rest[1:n], rest[n + 1 :]
                break
    named = re.search(r"\bname=(\w+)", params) if op[0] in _NAMED else None
    operands = rest.split()
    literals = [operand.partition(":")[0] for operand in operands if not reader.known(operand)]
    first, *others = re.findall(r"(\w+):(\S+)", made)
    reader.operator(first[0], named[1] if named else op[0], operands, place, _type(first[1]), ", ".join(literals))
    reader.alias |= {name: first[0] for name, _ in others}


# --- TensorFlow, and Gluon -------------------------------------------------------------------------------------


def _func_graph(reader: _Reader, text: list[str], lines: list[int]) -> None:
    for line, place in zip(text, lines, strict=True):
        found = re.match(r"(\S+) = (\w+)\((.*)\)$", line)
        if not found:
            continue
        name, op, given = found.groups()
        if op == "Placeholder":
            reader.leaf(name, "parameter" if name.endswith("/resource") else "input")
        elif op == "Const":
            reader.leaf(name, "constant", shown=given, line=place)
        else:
            # "cond:1" is the second output of "cond".
            inputs = [part.partition(":")[0] for part in given.split(", ")]
            reader.operator(name, op, inputs, place)
            if op == "Identity" and "/" not in name:  # TensorFlow appends one to each output
                reader.outputs.append(name)


def _symbol(reader: _Reader, text: list[str], lines: list[int]) -> None:
    for line, place in zip(text, lines, strict=True):
        found = re.match(r"(\S+) = (\w+)\((.*)\)$", line)
        if not found:
            continue
        name, op, given = found.groups()
        parts = given.split(", ")
        inputs = [part for part in parts if re.fullmatch(r"[A-Za-z_]\w*", part)]
        for one in inputs:
            if not reader.known(one):
                reader.leaf(one, "parameter" if re.search(r"(weight|bias|gamma|beta)$", one) else "input")
        reader.operator(name, op, inputs, place)
        if is_registered(op):
            reader.nodes[name] = _as_ours(reader.nodes[name], parts)
    used = {i.node for node in reader.nodes.values() for i in node.inputs}
    reader.outputs = [name for name, node in reader.nodes.items() if node.kind == "operator" and name not in used]


def _as_ours(node: GraphNode, parts: list[str]) -> GraphNode:
    """Return a node of Gluon's graph with the title, the attributes, and the color that other pictures use."""
    op = get_operator(node.operator)
    params = {}
    for part in parts:
        name, sign, value = part.partition("=")
        with contextlib.suppress(ValueError, SyntaxError):
            params |= {name: ast.literal_eval(value)} if sign else {}
    return replace(node, title=title_of(op, params), summary=summary_of(op.name, params), family=op.family)
