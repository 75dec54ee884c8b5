"""Type stubs of the modules whose functions are made at run time (``make stubs``).

The functions of ``nd``, ``sym`` and their submodules come from the registry, where a type checker
does not look. This module writes a ``.pyi`` file beside each such module: what was written by hand
is imported from where it stands, and every operator gets its signature and its first sentence.

``python -m d2lhybrid.tools.stubs`` writes the files; a test compares them with what it would write.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.operator import Attribute, Operator, get_operator
from ..faces.documentation import default_in_words, has_default
from ..faces.frontend import NameSpace, Null
from ..support.filesystem import write_text

__all__ = ["main", "stub_text", "stubbed_modules"]

PACKAGE = "d2lhybrid"
LINE_LENGTH = 120

_HEADER = """\
# Written by `make stubs` (d2lhybrid/tools/stubs.py): changes made here are lost.
"""

#: Python's types of attributes; arguments are read as MXNet reads them, so a number may stand for a tuple.
_TYPES = {
    "int": "int", "float": "float", "bool": "bool", "str": "str", "Any": "Any", "Shape": "_Shape",
    "Floats": "_Floats", "DType": "_DType",
}  # fmt: skip
_ALIASES = {
    "_Shape": "int | Sequence[int | None]",
    "_Floats": "float | Sequence[float]",
    "_DType": "str | type | numpy.dtype[Any]",
}


def stubbed_modules() -> list[str]:
    """Return the names of the modules that get a stub, packages before what is in them."""
    names = []
    for package in (f"{PACKAGE}.ndarray", f"{PACKAGE}.symbol"):
        module = importlib.import_module(package)
        found = [package, *(f"{package}.{m.name}" for m in pkgutil.iter_modules(module.__path__) if not m.ispkg)]
        names += [name for name in found if _namespace(name) is not None]
    return names


def _namespace(module: str) -> NameSpace | None:
    found = vars(importlib.import_module(module)).get("_public")
    return found if isinstance(found, NameSpace) else None


# --- functions of operators ------------------------------------------------------------------------


def _attribute_type(attribute: Attribute) -> str:
    kind, _, none = attribute.kind.partition(" | ")
    text = kind.replace("'", '"') if kind.startswith("Literal[") else _TYPES[kind]
    return f"{text} | None" if none else text


def _default(attribute: Attribute) -> str:
    if has_default(attribute):
        text = default_in_words(attribute)
        return text.replace("'", '"') if '"' not in text else text
    return "None" if attribute.default is None else "..."


def _operator_parameters(op: Operator, array: str) -> list[str]:
    symbolic = array == "Symbol"
    parameters = [f"*{op.variadic}: {array}"] if op.variadic is not None else []
    if op.variadic is None:
        # A symbol that is not given becomes a variable; an array must be there.
        parameters += [
            f"{i.name}: {array} | None = None" if symbolic or i.optional else f"{i.name}: {array}" for i in op.inputs
        ]
    open_ = any("=" in p for p in parameters)
    for attribute in op.attributes.values():
        text = f"{attribute.name}: {_attribute_type(attribute)}"
        default = _default(attribute)
        if default != "..." or (open_ and op.variadic is None):
            text += f" = {default}"
            open_ = True
        parameters.append(text)
    if symbolic:
        parameters += ["name: str | None = None", "attr: dict[str, str] | None = None", "out: Any = None"]
        return [*parameters, "**kwargs: Any"]
    return [*parameters, f"out: {array} | list[{array}] | None = None", "name: str | None = None"]


def _result_type(op: Operator, array: str) -> str:
    """Return what a call gives: a symbol has all its outputs in one, arrays come in a list."""
    return array if array == "Symbol" or op._visible == 1 else "Any"


def _sentence(text: str) -> str:
    """Return the first sentence of a text, as one line of a docstring."""
    line = " ".join(text.split("\n\n")[0].split())
    if len(line) > LINE_LENGTH - 10:
        line = re.split(r"(?<=[.;:]) ", line)[0].rstrip(";:.") + "."
    return line.replace("\\", "\\\\")


def _function(name: str, parameters: list[str], result: str, summary: str) -> str:
    """Return a function's stub, laid out as the formatter would."""
    head, tail = f"def {name}(", f") -> {result}:"
    one_line = head + ", ".join(parameters) + tail
    if len(one_line) > LINE_LENGTH:
        inner = "    " + ", ".join(parameters)
        if len(inner) <= LINE_LENGTH and not any(p.startswith("*") for p in parameters):
            one_line = f"{head}\n{inner}\n{tail}"
        else:
            one_line = f"{head}\n" + "".join(f"    {p},\n" for p in parameters) + tail
    return f'{one_line}\n    """{summary}"""\n'


# --- what was written by hand ------------------------------------------------------------------------


def _by_hand(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a module that are not made from operators."""
    listed = vars(module).get("__all__")
    submodules = _imported_submodules(module)
    for name, value in vars(module).items():
        if isinstance(value, types.ModuleType):
            # Python sets the others when somebody imports them: which there are is chance.
            alias = value.__name__.startswith(f"{module.__name__}.") and not value.__name__.endswith(f".{name}")
            if name in submodules or (alias and not name.startswith("_")):
                yield name, value
        elif not name.startswith("_") and not hasattr(value, "operator"):
            own = getattr(value, "__module__", None) == module.__name__
            if own if listed is None else name in listed:
                yield name, value


def _imported_submodules(module: types.ModuleType) -> set[str]:
    tree = ast.parse(inspect.getsource(module))
    imports = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.level == 1 and n.module is None]
    return {alias.name for n in imports for alias in n.names if alias.asname is None}


def _relative(module: types.ModuleType, target: str) -> str:
    """Return the name of a module as an import in a given one spells it."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    here, there = package.split("."), target.split(".")
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "." * (len(here) - common + 1) + ".".join(there[common:])


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")


def _written_function(name: str, function: Any) -> str:
    """Return the stub of a function whose source a type checker cannot find."""
    signature = inspect.signature(function)
    parameters = []
    for parameter in signature.parameters.values():
        text = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        text += f": {_annotation(parameter.annotation) or 'Any'}"
        if parameter.default is not parameter.empty:
            default = "..." if parameter.default is Null else repr(parameter.default).replace("'", '"')
            text += f" = {default}"
        parameters.append(text)
    result = _annotation(signature.return_annotation) or "Any"
    return _function(name, parameters, result, _sentence(inspect.getdoc(function) or name))


# --- a module ------------------------------------------------------------------------------------------


def stub_text(name: str) -> str:
    """Return the text of a module's stub."""
    module = importlib.import_module(name)
    namespace = _namespace(name)
    assert namespace is not None
    array = "NDArray" if name.startswith(f"{PACKAGE}.ndarray") else "Symbol"
    imports, aliases, functions = _written_part(module)
    given = {public for public, _ in _by_hand(module)}
    if hasattr(module, "__path__"):  # the package itself shows the same operators as its module ``op``
        imports.add("from .op import *  # noqa: F403")
    else:
        for public, registered in namespace.names().items():
            if public not in given:
                op = get_operator(registered)
                parameters, result = _operator_parameters(op, array), _result_type(op, array)
                functions[public] = _function(public, parameters, result, _sentence(op.summary))
        imports.add(f"from .{array.lower()} import {array}")
    body = "\n".join(functions[public] for public in sorted(functions))
    parts = [_HEADER, *_library_imports(body), "\n".join(sorted(imports, key=_import_order)) + "\n"]
    used = [alias for alias in _ALIASES if re.search(rf"\b{alias}\b", body)]
    parts += ["".join(f"{alias}: TypeAlias = {_ALIASES[alias]}\n" for alias in used)]
    listed = vars(module).get("__all__")
    if listed is not None and functions:
        aliases.append("__all__ = [\n" + "".join(f'    "{public}",\n' for public in sorted(listed)) + "]")
    parts += ["".join(f"{line}\n" for line in aliases), body]
    return "\n".join(part for part in parts if part)


def _written_part(module: types.ModuleType) -> tuple[set[str], list[str], dict[str, str]]:
    """Return imports, further names and functions for what was written by hand."""
    imports: set[str] = set()
    aliases: list[str] = []
    functions: dict[str, str] = {}
    for public, value in _by_hand(module):
        if isinstance(value, types.ModuleType):
            where, _, original = value.__name__.rpartition(".")
        else:
            where, original = value.__module__, getattr(value, "__name__", public)
            if where == module.__name__ or getattr(importlib.import_module(where), original, None) is not value:
                functions[public] = _written_function(public, value)
                continue
        imports.add(f"from {_relative(module, where)} import {original} as {original}")
        if public != original:
            aliases.append(f"{public} = {original}")
    return imports, sorted(aliases), functions


def _library_imports(body: str) -> list[str]:
    """Return the import lines for what the functions' annotations use."""
    text = body + "".join(f" TypeAlias {value}" for alias, value in _ALIASES.items() if alias in body)
    lines = ["from collections.abc import Sequence"] if "Sequence" in text else []
    words = [word for word in ("Any", "Literal", "TypeAlias") if re.search(rf"\b{word}\b", text)]
    lines += [f"from typing import {', '.join(words)}"] if words else []
    return ["".join(f"{line}\n" for line in lines), "import numpy\n" if "numpy." in text else ""]


def _import_order(line: str) -> tuple[int, str]:
    """Sort as the import sorter does: from the furthest package to the nearest."""
    where = line.split()[1]
    return -len(where) + len(where.lstrip(".")), line


def stub_files() -> dict[Path, str]:
    """Return the path and the text of every stub."""
    importlib.import_module(f"{PACKAGE}.core.pipeline")  # passes have operators of their own
    files = {}
    for name in stubbed_modules():
        source = importlib.import_module(name).__file__
        assert source is not None
        files[Path(source).with_suffix(".pyi")] = stub_text(name)
    return files


def main() -> None:
    """Write all stubs."""
    for path, text in stub_files().items():
        write_text(path, text)


if __name__ == "__main__":
    main()
