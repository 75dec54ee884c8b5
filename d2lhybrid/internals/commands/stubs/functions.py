"""Functions that return the stubs of operators, of functions of ``np``, and of other functions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from d2lhybrid.numpy.fallback_words import SENTENCES

from ...core.operator import Attribute, Operator
from ...frontends.documentation import default_in_words, has_default
from ...frontends.frontend import Null

__all__ = ["ALIASES", "laid_out", "of_function", "of_operator", "on_the_host"]

LINE_LENGTH = 120

#: Python types of attributes; as in MXNet, a number may replace a tuple.
_TYPES = {
    "int": "int", "float": "float", "bool": "bool", "str": "str", "Any": "Any", "Shape": "_Shape",
    "Floats": "_Floats", "DType": "_DType", "Pairs": "_Pairs",
}  # fmt: skip
ALIASES = {
    "_Shape": "int | Sequence[int | None]",
    "_Floats": "float | Sequence[float]",
    "_Pairs": "Sequence[Sequence[int]]",
    "_DType": "str | type | numpy.dtype[Any]",
}


def of_operator(op: Operator, name: str, array: str, method: bool = False) -> str:
    """Return the stub of the function that calls an operator, or of the method of its first input.

    Parameters
    ----------
    op : Operator
        The operator.
    name : str
        Public name of the function.
    array : str
        Class of arrays (or symbols) that the function accepts and returns.
    method : bool
        Whether the function is a method of the class ``array``.

    Returns
    -------
    str
        The stub.
    """
    parameters = _operator_parameters(op, array, skip=int(method))
    return laid_out(name, ["self", *parameters] if method else parameters, _result_type(op, array), op.summary, method)


def of_function(name: str, function: Callable[..., Any], array: str = "", skip: int = 0, method: bool = False) -> str:
    """Return the stub of a function whose source type checkers cannot find.

    Parameters
    ----------
    name : str
        Public name of the function.
    function : callable
        The function.
    array : str
        Class that replaces ``Array`` in annotations.
    skip : int
        Number of leading parameters that callers do not pass.
    method : bool
        Whether the function is a method.

    Returns
    -------
    str
        The stub.
    """
    signature = inspect.signature(function)
    parameters = _parameters([*signature.parameters.values()][skip:], array)
    result = _annotation(getattr(function, "returns", signature.return_annotation), array) or "Any"
    summary = inspect.getdoc(function) or name
    return laid_out(name, ["self", *parameters] if method else parameters, result, summary, method)


def on_the_host(name: str) -> str:
    """Return the stub of a function that runs in NumPy. The stub accepts any arguments.

    Parameters
    ----------
    name : str
        Name of the function.

    Returns
    -------
    str
        The stub.
    """
    return laid_out(name, ["*args: Any", "**kwargs: Any"], "Any", SENTENCES[name], method=False)


def _sentence(text: str, indent: int = 0) -> str:
    """Return the first sentence of a text, as one line of a docstring."""
    line = " ".join(text.split("\n\n")[0].split())
    if len(line) > LINE_LENGTH - 10 - indent:
        line = re.split(r"(?<=[.;:]) ", line)[0].rstrip(";:.") + "."
    return line.replace("\\", "\\\\")


# --- operators ---------------------------------------------------------------------------------------


def _attribute_type(attribute: Attribute) -> str:
    kind, _, none = attribute.kind.partition(" | ")
    text = kind.replace("'", '"') if kind.startswith("Literal[") else _TYPES[kind]
    return f"{text} | None" if none else text


def _default(attribute: Attribute) -> str:
    if has_default(attribute):
        text = default_in_words(attribute)
        return text.replace("'", '"') if '"' not in text else text
    return "None" if attribute.default is None else "..."


def _operator_parameters(op: Operator, array: str, skip: int) -> list[str]:
    symbolic = array.endswith("Symbol")
    parameters = [f"*{op.variadic}: {array}"] if op.variadic is not None else []
    if op.variadic is None:
        # An omitted symbol becomes a variable, but an array is required.
        parameters += [
            f"{i.name}: {array} | None = None" if symbolic or i.optional else f"{i.name}: {array}"
            for i in op.inputs[skip:]
            if i.name not in op.by_name
        ]
    open_ = any("=" in p for p in parameters)
    for attribute in op.attributes.values():
        if attribute.name in op.by_name:
            continue
        text = f"{attribute.name}: {_attribute_type(attribute)}"
        default = _default(attribute)
        if default != "..." or (open_ and op.variadic is None):
            text += f" = {default}"
            open_ = True
        parameters.append(text)
    last = [f"{i.name}: {array} | None = None" for i in op.inputs if i.name in op.by_name]
    last += [f"{a.name}: {_attribute_type(a)} = {_default(a)}" for a in op.attributes.values() if a.name in op.by_name]
    last = ["*", *last] if last else []
    if symbolic:
        parameters += ["name: str | None = None", "attr: dict[str, str] | None = None", "out: Any = None"]
        return [*parameters, *last, "**kwargs: Any"]
    return [*parameters, f"out: {array} | list[{array}] | None = None", "name: str | None = None", *last]


def _result_type(op: Operator, array: str) -> str:
    """Return the result type of a call: a symbol for all outputs, or a list for several arrays.

    If the number of outputs depends on attributes, the type includes Any.
    """
    if array.endswith("Symbol") or op._visible == 1:
        return array
    if isinstance(op._visible, int):
        return f"list[{array}]"
    if op.variadic is not None:
        return "Any"
    if any(a.name == "num_outputs" for a in op.attributes.values()):
        return f"list[{array}] | Any"
    required = any(not has_default(a) and a.default is not None for a in op.attributes.values())
    return "Any" if required or op.num_visible_outputs({}, len(op.inputs)) != 1 else f"{array} | Any"


# --- other functions -----------------------------------------------------------------------------------


def _annotation(annotation: Any, array: str) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")
    return re.sub(r"\bArray\b", array, text) if array else text


def _parameters(given: list[inspect.Parameter], array: str) -> list[str]:
    parameters = []
    for before, parameter in zip([None, *given], given, strict=False):
        if parameter.kind is parameter.KEYWORD_ONLY and (
            before is None or before.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        ):
            parameters.append("*")
        elif before is not None and before.kind is before.POSITIONAL_ONLY is not parameter.kind:
            parameters.append("/")
        text = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        text += f": {_annotation(parameter.annotation, array) or 'Any'}"
        if parameter.default is not parameter.empty:
            text += f" = {_literal(parameter.default)}"
        parameters.append(text)
    if given and given[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        parameters.append("/")
    return parameters


def _literal(value: Any) -> str:
    """Return a default value as source code, or ``...`` for a value without a literal."""
    plain = value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and value - value == 0)
    if value is Null or not (plain or (isinstance(value, tuple) and all(isinstance(v, int) for v in value))):
        return "..."
    return repr(value).replace("'", '"')


def laid_out(name: str, parameters: list[str], result: str, summary: str, method: bool) -> str:
    """Return a function's stub in the layout of the formatter.

    Parameters
    ----------
    name : str
        Name of the function.
    parameters : list of str
        The parameters.
    result : str
        Type of the result.
    summary : str
        Docstring. Its first paragraph, or the first sentence of a long paragraph, is the docstring of the stub.
    method : bool
        Whether the function is a method.

    Returns
    -------
    str
        The stub.
    """
    indent = "    " if method else ""
    head, tail = f"{indent}def {name}(", f") -> {result}:"
    text = head + ", ".join(parameters) + tail
    if len(text) > LINE_LENGTH:
        inner = f"{indent}    " + ", ".join(parameters)
        if len(inner) <= LINE_LENGTH and not any(p.startswith("*") for p in parameters):
            text = f"{head}\n{inner}\n{indent}{tail}"
        else:
            text = f"{head}\n" + "".join(f"{indent}    {p},\n" for p in parameters) + f"{indent}{tail}"
    return f'{text}\n{indent}    """{_sentence(summary, len(indent))}"""\n'
