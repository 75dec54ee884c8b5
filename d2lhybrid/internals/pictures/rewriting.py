"""Fixes of lines of user code, for traps whose fix depends only on the line.

The module offers only fixes that are certainly correct. A test applies them to every example that raises an error,
and compares the hybridized results with the eager results of the original block.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..support.display import Shown
from ..support.remedies import missing_function

__all__ = ["Spot", "corrected_line"]


@dataclass(repr=False)
class Spot(Shown):
    """The location of a line to fix in a source.

    Attributes
    ----------
    lines : sequence of str
        Lines of the source.
    line : int
        Number of the line, from 1.
    span : (int, int) or None
        First column of the expression, and the column after its last column; None if unknown.
    legacy : bool
        Whether the line uses legacy Symbols, rather than Symbols of ``F.np``.
    notes : sequence of str
        Message and notes of the error.
    """

    lines: Sequence[str]
    line: int
    span: tuple[int, int] | None
    legacy: bool
    notes: Sequence[str]


def corrected_line(number: str, spot: Spot) -> str | None:
    """Return the fixed line, or None if there is no fix that depends only on the line.

    Parameters
    ----------
    number : str
        Number of the trap.
    spot : Spot
        Location of the line.

    Examples
    --------
    >>> spot = Spot(["y = x // 2 + 1"], 1, (4, 10), True, [])
    >>> corrected_line("H09", spot)
    'y = F.floor(x / 2) + 1'
    """
    if number == "H37":
        return _taken(spot)
    rule = _RULES.get(number)
    statement = _statement_at(spot)
    if rule is None or statement is None or statement.lineno != statement.end_lineno:
        return None
    for node in ast.walk(statement):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    node = _node_at(statement, spot.span)
    change = rule(node, statement, spot)
    if change is None:
        return None
    old, new = change
    text = spot.lines[spot.line - 1].rstrip("\n").encode()  # columns are counted in bytes
    replaced = text[: old.col_offset] + new.encode() + text[old.end_col_offset :]
    return replaced.decode().strip()


def _statement_at(spot: Spot) -> Any:
    """Return the innermost statement that begins at the line."""
    try:
        tree = ast.parse("".join(spot.lines))
    except (SyntaxError, ValueError):  # a cell with magic commands, or a program without source
        return None
    found = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno == spot.line]
    return found[-1] if found else None


def _node_at(statement: Any, span: tuple[int, int] | None) -> Any:
    if span is None:
        return None
    found = [n for n in ast.walk(statement) if (getattr(n, "col_offset", -1), getattr(n, "end_col_offset", -1)) == span]
    return found[-1] if found else None


def _in_brackets(node: ast.AST, above: bool = True) -> str:
    """Return the source of an expression, in parentheses if it is an operand."""
    text = ast.unparse(node)
    return f"({text})" if above and isinstance(node, ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp) else text


# --- rules for traps: (node to replace, new source), or None ------------------------------------------


def _shape(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``x.reshape((x.shape[0], -1))``: 0 keeps the size at its position."""
    if not isinstance(node, ast.Attribute) or node.attr != "shape" or not spot.legacy:
        return None
    entry = node.parent  # type: ignore[attr-defined]
    if not isinstance(entry, ast.Subscript) or not isinstance(entry.slice, ast.Constant):
        return None
    shape = entry.parent  # type: ignore[attr-defined]
    if isinstance(shape, ast.Tuple | ast.List):
        sizes, call = shape.elts, shape.parent  # type: ignore[attr-defined]
    else:
        call, sizes = shape, getattr(shape, "args", [])
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "reshape":
        return None
    data = call.func.value
    if isinstance(data, ast.Name) and data.id == "F":
        data = call.args[0]
        if shape is call:
            return None
    if entry not in sizes or sizes.index(entry) != entry.slice.value or ast.dump(data) != ast.dump(node.value):
        return None
    return entry, "0"


def _device(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``F.ones(shape, ctx=x.context)``: the program determines the device."""
    keyword = getattr(node, "parent", None)
    call = getattr(keyword, "parent", None)
    if not isinstance(keyword, ast.keyword) or keyword.arg != "ctx" or not isinstance(call, ast.Call):
        return None
    rest = [*map(ast.unparse, call.args), *(ast.unparse(k) for k in call.keywords if k is not keyword)]
    return call, f"{ast.unparse(call.func)}({', '.join(rest)})"


def _index(node: Any, statement: Any, spot: Spot) -> Any:
    if not isinstance(node, ast.Subscript):
        return None
    data, index = ast.unparse(node.value), node.slice
    F = "F" if spot.legacy else "F.np"
    if isinstance(index, ast.Constant) and index.value is None:
        return node, f"{F}.expand_dims({data}, axis=0)"
    if not spot.legacy:
        return None
    number = _constant(index)
    if isinstance(number, int):
        end = number + 1 if number != -1 else None
        return node, f"F.squeeze(F.slice_axis({data}, axis=0, begin={number}, end={end}), axis=0)"
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    picked = [i for i, part in enumerate(parts) if not isinstance(part, ast.Slice)]
    if len(picked) == 1 and all(ast.unparse(part) == ":" for part in parts if isinstance(part, ast.Slice)):
        return _picked(node, data, picked[0], parts[picked[0]], spot)
    if not all(isinstance(part, ast.Slice) for part in parts):
        return None
    bounds = [[_constant(bound) for bound in (p.lower, p.upper, p.step)] for p in parts]  # type: ignore[attr-defined]
    if any(b is NotImplemented for bound in bounds for b in bound):
        return None
    begin, end, step = (tuple(column) for column in zip(*bounds, strict=True))
    steps = f", step={step}" if any(step) else ""
    return node, f"F.slice({data}, begin={begin}, end={end}{steps})"


def _picked(node: Any, data: str, axis: int, place: Any, spot: Spot) -> Any:
    """Fix ``x[:, t]``, where ``t`` is a number or the counter of a loop."""
    number = _constant(place)
    if isinstance(number, int):
        begin, end = str(number), str(number + 1 if number != -1 else None)
    elif isinstance(place, ast.Name) and _counts(place.id, spot):
        begin, end = place.id, f"{place.id} + 1"
    else:
        return None  # begin=-1 would need end=None
    return node, f"F.squeeze(F.slice_axis({data}, axis={axis}, begin={begin}, end={end}), axis={axis})"


def _counts(name: str, spot: Spot) -> bool:
    """Return whether a name is always bound to a ``range`` that starts at 0."""
    found = []
    for part in ast.walk(ast.parse("".join(spot.lines))):
        if isinstance(part, ast.For | ast.comprehension) and isinstance(part.target, ast.Name):
            is_range = isinstance(part.iter, ast.Call) and ast.unparse(part.iter.func) == "range"
            if part.target.id == name:
                found.append(is_range and len(part.iter.args) == 1)  # type: ignore[attr-defined]
        elif isinstance(part, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            found += [
                False for target in targets if name in {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
            ]
    return bool(found) and all(found)


def _constant(node: Any) -> Any:
    """Return the integer of an index, None for an omitted bound, or NotImplemented for other expressions."""
    if node is None:
        return None
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return NotImplemented
    return value if type(value) is int else NotImplemented


def _assignment(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``x[:] = y`` by binding the name to the new value."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    everything = isinstance(target.slice, ast.Slice) and not (target.slice.lower or target.slice.upper)
    # A number would have to be broadcast to the shape, which is unknown.
    if not everything or isinstance(statement.value, ast.Constant | ast.UnaryOp):
        return None
    return target, target.value.id


def _in_place(node: Any, statement: Any, spot: Spot) -> Any:
    if not isinstance(statement, ast.AugAssign):
        return None
    return statement, ast.unparse(
        ast.Assign([statement.target], ast.BinOp(_load(statement.target), statement.op, statement.value), lineno=0)
    )


def _load(target: Any) -> Any:
    return ast.parse(ast.unparse(target), mode="eval").body


def _operator(node: Any, statement: Any, spot: Spot) -> Any:
    place = node
    if isinstance(statement, ast.AugAssign):
        place, left, right, operator = statement, statement.target, statement.value, statement.op
        before = f"{ast.unparse(left)} = "
    elif isinstance(node, ast.BinOp):
        left, right, operator, before = node.left, node.right, node.op, ""
    else:
        return None
    F = "F" if spot.legacy else "F.np"
    if isinstance(operator, ast.FloorDiv):
        return place, f"{before}{F}.floor({_in_brackets(left)} / {_in_brackets(right)})"
    if isinstance(operator, ast.MatMult):
        name = "dot" if spot.legacy else "matmul"
        return place, f"{before}{F}.{name}({ast.unparse(left)}, {ast.unparse(right)})"
    return None


def _method(node: Any, statement: Any, spot: Spot) -> Any:
    if isinstance(node, ast.Attribute) and node.attr == "T" and spot.legacy:
        return node, f"F.transpose({ast.unparse(node.value)})"
    if isinstance(node, ast.Attribute) and isinstance(node.parent, ast.Call):  # type: ignore[attr-defined]
        node = node.parent  # type: ignore[attr-defined]
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.args:
        return None
    names = {"copy": "F.identity", "detach": "F.BlockGrad"} if spot.legacy else {"copy": "F.np.copy"}
    instead = names.get(node.func.attr)
    return None if instead is None else (node, f"{instead}({ast.unparse(node.func.value)})")


_OPERATORS = {
    "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "mod": ast.Mod, "power": ast.Pow,
    "equal": ast.Eq, "not_equal": ast.NotEq, "greater": ast.Gt, "greater_equal": ast.GtE, "lesser": ast.Lt,
    "lesser_equal": ast.LtE,
}  # fmt: skip


def _broadcast(node: Any, statement: Any, spot: Spot) -> Any:
    """Replace the operator that the note mentions, if it is the only operator in the line."""
    match = re.search(r"write F\.broadcast_(\w+)\(x, y\)", " ".join(spot.notes))
    if match is None:
        return None
    wanted = _OPERATORS.get(match[1])
    found: list[tuple[Any, Any, Any]] = []
    for part in ast.walk(statement):
        if wanted and isinstance(part, ast.BinOp) and isinstance(part.op, wanted):
            found.append((part, part.left, part.right))
        elif wanted and isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], wanted):
            found.append((part, part.left, part.comparators[0]))
        elif isinstance(part, ast.Call) and ast.unparse(part.func) == f"F.{match[1]}" and len(part.args) == 2:
            found.append((part, part.args[0], part.args[1]))
    if len(found) != 1:
        return None
    place, left, right = found[0]
    return place, f"F.broadcast_{match[1]}({ast.unparse(left)}, {ast.unparse(right)})"


def _function_of_arrays(node: Any, statement: Any, spot: Spot) -> Any:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    match = re.search(r"in hybrid_forward, write F\.([\w.]+)\.", " ".join(spot.notes))
    return (node.func, f"F.{match[1]}") if match else None


def _only_of_arrays(node: Any, statement: Any, spot: Spot) -> Any:
    if isinstance(node, ast.Attribute):
        node = node.parent  # type: ignore[attr-defined]
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr == "concatenate" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        axis = next((ast.unparse(k.value) for k in node.keywords if k.arg == "axis"), "0")
        axis = ast.unparse(node.args[1]) if len(node.args) > 1 else axis
        return node, f"F.concat({', '.join(map(ast.unparse, node.args[0].elts))}, dim={axis})"
    match = re.fullmatch(r"Write F\.(broadcast_\w+)\(x, y\)\.", missing_function(node.func.attr) or "")
    return (node.func, f"F.{match[1]}") if match else None


#: Names of arguments in NumPy and other frameworks -> names in this package.
_SAME_ARGUMENT = {"dim": "axis", "axis": "dim", "keepdim": "keepdims", "axes": "axis", "size": "shape"}


def _argument(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``F.softmax(x, dim=1)``, in which an argument has another name."""
    match = re.search(r"Cannot find argument '(\w+)', Possible Arguments", " ".join(spot.notes))
    if match is None:
        return None
    known = re.findall(r"^(\w+) :", "\n".join(spot.notes), re.MULTILINE)
    found = [k for k in ast.walk(statement) if isinstance(k, ast.keyword) and k.arg == match[1]]
    other = _SAME_ARGUMENT.get(match[1])
    alike = difflib.get_close_matches(match[1], known, 1, _MISTYPED)
    name = other if other in known else alike[0] if alike else None
    return (found[0], f"{name}={ast.unparse(found[0].value)}") if name and len(found) == 1 else None


#: Functions that NumPy or ``math`` have under the same name and with the same arguments as ``F``.
_LIKE_NUMPY = {
    *("abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "ceil", "cos", "cosh", "degrees"),
    *("exp", "expm1", "floor", "log", "log10", "log1p", "log2", "max", "maximum", "mean", "min", "minimum", "negative"),
    *("ones_like", "prod", "radians", "reciprocal", "rint", "sign", "sin", "sinh", "sqrt", "square", "sum", "tan"),
    *("tanh", "trunc", "zeros_like"),
}
_NUMPY = {"np", "numpy", "onp", "_np", "math"}


def _numpy(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``np.tanh(x)`` with the function of ``F``, if it is the only NumPy function in the line."""
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    found: list[Any] = [c for c in calls if ast.unparse(c.func.value) in _NUMPY]  # type: ignore[attr-defined]
    if len(found) != 1 or found[0].func.attr not in _LIKE_NUMPY:
        return None
    return found[0].func, f"{'F' if spot.legacy else 'F.np'}.{found[0].func.attr}"


def _branch(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix ``a if F.sum(x) > 0 else b`` and ``max(x, 0)``."""
    F = "F" if spot.legacy else "F.np"
    calls = [c for c in ast.walk(statement) if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)]
    larger = [c for c in calls if c.func.id in ("max", "min") and len(c.args) == 2]  # type: ignore[attr-defined]
    branches = [n for n in ast.walk(statement) if isinstance(n, ast.IfExp)]
    if len(larger) == 1 and not branches:
        return larger[0].func, f"{F}.{larger[0].func.id}imum"  # type: ignore[attr-defined]
    if len(branches) != 1 or larger:
        return None
    if any(isinstance(n, ast.BoolOp | ast.Not) for n in ast.walk(branches[0].test)):
        return None  # Python also evaluates the truth value of a Symbol here
    parts = [ast.unparse(part) for part in (branches[0].test, branches[0].body, branches[0].orelse)]
    return branches[0], f"F.contrib.cond({parts[0]}, lambda: {parts[1]}, lambda: {parts[2]})"


def _taken(spot: Spot) -> str | None:
    """Fix ``def hybrid_forward(self, F, x)`` by adding the Parameter as an argument."""
    match = re.search(r"got an unexpected keyword argument '(\w+)'", " ".join(spot.notes))
    text = spot.lines[spot.line - 1].strip()
    if match is None or not re.match(r"def hybrid_forward\([^()*]*\)[^()]*:", text):
        return None
    return text.replace(")", f", {match[1]})", 1)


#: The minimum similarity of a name and its mistyped form.
_MISTYPED = 0.8


def _unknown_name(node: Any, statement: Any, spot: Spot) -> Any:
    match = re.search(r"Did you mean '(\w+)'\?", " ".join(spot.notes))
    if not isinstance(node, ast.Attribute) or match is None:
        return None
    if difflib.SequenceMatcher(None, node.attr, match[1]).ratio() < _MISTYPED:
        return None  # not certain
    return node, f"{ast.unparse(node.value)}.{match[1]}"


def _returned(node: Any, statement: Any, spot: Spot) -> Any:
    """Fix a returned dictionary by replacing it with a list of its values."""
    if not isinstance(statement, ast.Return) or not isinstance(statement.value, ast.Dict):
        return None
    return statement.value, f"[{', '.join(map(ast.unparse, statement.value.values))}]"


_RULES = {
    "H02": _branch, "H35": _numpy, "H36": _argument,
    "H03": _shape, "H05": _device, "H06": _index, "H07": _assignment, "H08": _in_place, "H09": _operator,
    "H10": _method, "H12": _broadcast, "H14": _function_of_arrays, "H15": _only_of_arrays, "H16": _unknown_name,
    "H18": _returned,
}  # fmt: skip
