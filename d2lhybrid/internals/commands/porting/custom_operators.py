"""Custom operators that use an input or an output that the operator doesn't have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["missing_arrays"]


def missing_arrays(tree: ast.Module) -> Iterator[tuple[ast.Subscript, int]]:
    r"""Yield the expressions in a file's custom operators that access inputs or outputs that the operators don't have.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.

    Yields
    ------
    tuple of (ast.Subscript, int)
        The access, and the number of arrays in the list of inputs or outputs.

    Examples
    --------
    >>> operator = "class O(CustomOp):\n  def forward(self, is_train, req, in_data, out_data, aux): in_data[1]\n"
    >>> other = "class P(CustomOpProp):\n  def create_operator(self, ctx, shapes, dtypes): return O()"
    >>> [(ast.unparse(access), count) for access, count in missing_arrays(ast.parse(operator + other))]
    [('in_data[1]', 1)]
    """
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for proposal in classes.values():
        if not _derives(proposal, "CustomOpProp"):
            continue
        counts = _count(proposal, "list_arguments"), _count(proposal, "list_outputs")
        creating = _method(proposal, "create_operator")
        made = {node.id for node in ast.walk(creating) if isinstance(node, ast.Name)} if creating else set()
        for operator in (classes[name] for name in sorted(made & classes.keys())):
            if _derives(operator, "CustomOp"):
                yield from _too_far(operator, *counts)


def _derives(node: ast.ClassDef, base: str) -> bool:
    return any(ast.unparse(one).rpartition(".")[2] == base for one in node.bases)


def _method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    found = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == name]
    return found[0] if len(found) == 1 else None


def _count(proposal: ast.ClassDef, name: str) -> int | None:
    """Return the number of names that a method returns; None if the text doesn't show it."""
    method = _method(proposal, name)
    if method is None:
        return 1
    returned = [node.value for node in ast.walk(method) if isinstance(node, ast.Return)]
    value = returned[0] if len(returned) == 1 else None
    is_plain = isinstance(value, (ast.List, ast.Tuple)) and not any(isinstance(e, ast.Starred) for e in value.elts)
    return len(value.elts) if isinstance(value, (ast.List, ast.Tuple)) and is_plain else None


def _too_far(operator: ast.ClassDef, inputs: int | None, outputs: int | None) -> Iterator[tuple[ast.Subscript, int]]:
    for name, lists in _LISTS.items():
        method = _method(operator, name)
        places = [argument.arg for argument in method.args.args] if method is not None else []
        for place, is_input in lists.items():
            count = inputs if is_input else outputs
            if method is None or count is None or place >= len(places):
                continue
            yield from ((node, count) for node, index in _indexed(method, places[place]) if index >= count)


def _indexed(method: ast.FunctionDef, name: str) -> Iterator[tuple[ast.Subscript, int]]:
    """Return the accesses to a list, each with its constant index."""
    for node in ast.walk(method):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and ast.unparse(node.value) == name:
            index = node.slice.value
            if isinstance(index, int):
                yield node, index


#: Method -> position of an argument that is a list of arrays -> whether they are for the operator's inputs.
_LISTS = {"forward": {3: True, 4: False}, "backward": {2: False, 3: True, 4: False, 5: True}}
