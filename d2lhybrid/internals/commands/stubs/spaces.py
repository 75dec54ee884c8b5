"""The stub of :mod:`d2lhybrid.typing`: the functions that exist for both arrays and symbols.

Each function has the parameters that both arrays and symbols accept. A parameter is positional if the function for
arrays and the function for symbols agree on this parameter and on all earlier ones. All other parameters are
keyword-only.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import types
from collections.abc import Callable

from .functions import ALIASES, laid_out, of_function

__all__ = ["spaces_class"]

#: Class of the stub -> the part of ``nd`` and ``sym`` that it describes, nested parts first.
_SPACES = {
    "_Contrib": "contrib", "_Image": "image", "_Internal": "_internal", "_Linalg": "linalg", "_Random": "random",
    "_NumpyLinalg": "numpy.linalg", "_NumpyRandom": "numpy.random", "_Numpy": "numpy",
    "_NumpyExtensionImage": "numpy_extension.image", "_NumpyExtensionRandom": "numpy_extension.random",
    "_NumpyExtension": "numpy_extension", "FunctionSpace": "",
}  # fmt: skip
#: Further attributes of a space that refer to a part under another name than the module's.
_SHORT = {"numpy": "np", "numpy_extension": "npx"}
#: Parameters that only arrays have (for the destination of results), or only symbols have (for nodes).
_ONE_SIDED = {"out", "attr"}
#: Classes of arrays and symbols, and the type that represents either in the stub.
_EITHER = {"NDArray": "Tensor", "Symbol": "Tensor", "ndarray": "NumpyTensor", "_Symbol": "NumpyTensor"}

_KNOWN = {*ALIASES, "Any", "Callable", "Literal", "Sequence"}


def spaces_class(stub_text: Callable[[str], str], summary: str) -> str:
    """Return the source code of the protocol classes for ``F`` and its namespaces, such as ``F.random``.

    Parameters
    ----------
    stub_text : callable
        Function that returns the text of a module's stub.
    summary : str
        Docstring of ``FunctionSpace``.

    Returns
    -------
    str
        The source code.
    """
    texts = []
    for name, part in _SPACES.items():
        parts = {p: other for other, p in _SPACES.items() if p and p.rpartition(".")[0] == part and p != part}
        sides = [_functions(f"d2lhybrid.{side}.{part}".rstrip("."), stub_text) for side in ("ndarray", "symbol")]
        said = f"``F.{_spelled(part)}``, in either space." if part else summary
        lines = [f'class {name}(Protocol):\n    """{said}"""\n']
        lines += [] if part else ['    __name__: str\n    """``"mxnet.ndarray"`` or ``"mxnet.symbol"``."""\n']
        for path, other in sorted(parts.items()):
            own = path.rpartition(".")[2]
            lines += [_part(shown, other, _spelled(path)) for shown in (own, _SHORT.get(own)) if shown]
        lines += [_joint(sides[0][f], sides[1][f]) for f in sorted(sides[0].keys() & sides[1].keys())]
        texts.append("\n".join(lines))
    return "\n".join(texts)


def _spelled(part: str) -> str:
    return ".".join(_SHORT.get(word, word) for word in part.split("."))


def _part(name: str, space: str, spelled: str) -> str:
    return f'    @property\n    def {name}(self) -> {space}:\n        """``F.{spelled}``."""\n'


def _functions(name: str, stub_text: Callable[[str], str]) -> dict[str, ast.FunctionDef]:
    """Return the public functions in a module's stub."""
    module = importlib.import_module(name)
    found = {}
    for home in (f"{name}.op", name) if hasattr(module, "op") else (name,):
        for node in ast.parse(stub_text(home)).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.names[0].asname:
                value = getattr(module, node.names[0].asname, None)
                if isinstance(value, types.FunctionType):
                    found[node.names[0].asname] = _parsed(of_function(node.names[0].asname, value))
    return found


def _parsed(text: str) -> ast.FunctionDef:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def _joint(array: ast.FunctionDef, symbol: ast.FunctionDef) -> str:
    """Return the stub of a function that exists for both arrays and symbols."""
    of_array, of_symbol = _parameters(array.args), _parameters(symbol.args)
    parameters = ["self"]
    same_place = True
    if array.args.vararg is not None and symbol.args.vararg is not None:
        parameters.append(f"*{array.args.vararg.arg}: Any")
        same_place = False
    elif array.args.vararg is not None or symbol.args.vararg is not None:
        return laid_out(array.name, ["self", "*args: Any", "**kwargs: Any"], "Any", _summary(array), method=True)
    placed, named, nameless = [], [], 0
    for (name, given), there in zip(of_array.items(), [*of_symbol, *of_array], strict=False):
        if same_place and name not in of_symbol and there not in of_array and of_symbol[there][1] is None is given[1]:
            placed.append(_parameter(name, given, of_symbol[there]))
            nameless = len(placed)
            continue
        same_place = same_place and name == there
        other = of_symbol.get(name)
        if name in _ONE_SIDED or (other is None and (symbol.args.kwarg is None or given[1] is None)):
            same_place = False
            continue
        (placed if same_place and other is not None else named).append(_parameter(name, given, other))
    parameters += [*placed[:nameless], *(["/"] if nameless else []), *placed[nameless:]]
    if named and array.args.vararg is None:
        parameters.append("*")
    parameters += named
    if array.args.kwarg is not None and symbol.args.kwarg is not None:
        parameters.append(f"**{array.args.kwarg.arg}: Any")
    return laid_out(array.name, parameters, _result(array, symbol), _summary(array), method=True)


def _parameters(given: ast.arguments) -> dict[str, tuple[str, ast.expr | None]]:
    """Return the annotation and the default of each named parameter."""
    places = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(places) - len(given.defaults)) + [*given.defaults, *given.kw_defaults]
    named = [*places, *given.kwonlyargs]
    return {
        p.arg: (ast.unparse(p.annotation) if p.annotation else "Any", default)
        for p, default in zip(named, defaults, strict=True)
    }


def _parameter(name: str, array: tuple[str, ast.expr | None], symbol: tuple[str, ast.expr | None] | None) -> str:
    annotation, default = array
    other, other_default = array if symbol is None else symbol
    # Only at run time is it known whether an input is an array or a symbol.
    text = f"{name}: {annotation if annotation == other and _plain(annotation) else 'Any'}"
    if default is not None and other_default is not None:
        same = ast.unparse(default) == ast.unparse(other_default)
        text += f" = {ast.unparse(default) if same else '...'}"
    return text.replace("'", '"')


def _plain(annotation: str) -> bool:
    """Return whether an annotation means the same in every module."""
    names = {node.id for node in ast.walk(ast.parse(annotation)) if isinstance(node, ast.Name)}
    return all(name in _KNOWN or hasattr(builtins, name) for name in names)


def _result(array: ast.FunctionDef, symbol: ast.FunctionDef) -> str:
    """Return the result type of a call: a list for several arrays, a symbol for several outputs."""
    returns = [ast.unparse(side.returns) if side.returns else "Any" for side in (array, symbol)]
    if returns[0] in _EITHER and returns[1] in _EITHER:
        return _EITHER[returns[0]]
    if returns[0].endswith(" | Any") and returns[1] in _EITHER:
        given = returns[0].removesuffix(" | Any")
        return f"{_EITHER[returns[1]]} | Any" if given in _EITHER else f"{given} | {returns[1]} | Any"
    return " | ".join(returns) if "Any" not in " ".join(returns) else "Any"


def _summary(node: ast.FunctionDef) -> str:
    return ast.get_docstring(node) or node.name
