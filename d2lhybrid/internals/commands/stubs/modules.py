"""The modules that have stubs, and the content of each stub."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...core.operator import get_operator
from ...frontends.frontend import NameSpace
from ...frontends.numpy_dialect import NumpyNames
from ...support.filesystem import write_text
from ...support.package import FOLDER
from .functions import ALIASES, of_function, of_operator, on_the_host
from .methods import methods_class
from .spaces import spaces_class

__all__ = ["main", "stub_files", "stub_text", "stubbed_modules"]

PACKAGE = "d2lhybrid"

_HEADER = """\
# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.
"""

#: Prefix of a module's name -> the class of its arrays, and the module of that class; the longest prefix counts.
_ARRAYS = {
    "ndarray": ("NDArray", "ndarray.ndarray"),
    "ndarray.numpy": ("ndarray", "ndarray.numpy._array"),
    "numpy": ("ndarray", "ndarray.numpy._array"),
    "symbol": ("Symbol", "symbol.symbol"),
    "symbol.numpy": ("_Symbol", "symbol.numpy._symbol"),
}


def stubbed_modules() -> list[str]:
    """Return the names of the modules that get a stub, each package before its modules.

    Returns
    -------
    list of str
        The names.
    """
    names = []
    for top in ("ndarray", "symbol", "numpy", "numpy_extension"):
        package = importlib.import_module(f"{PACKAGE}.{top}")
        found = [package.__name__]
        found += [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        names += [name for name in found if _namespaces(name) or name.endswith(".methods")]
    return names


def _namespaces(module: str) -> list[NameSpace | NumpyNames]:
    """Return the namespaces that provide a module's functions, in the order of lookup."""
    names = vars(importlib.import_module(module))
    found = [names.get(name) for name in ("_names", "_registered", "_public")]
    return [space for space in found if isinstance(space, NameSpace | NumpyNames)]


def _array(module: str) -> tuple[str, str]:
    """Return the class of a module's arrays, and the module that defines it."""
    name = module.removeprefix(f"{PACKAGE}.")
    return _ARRAYS[max((start for start in _ARRAYS if name.startswith(start)), key=len)]


# --- hand-written code -------------------------------------------------------------------------------


def _by_hand(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a module that do not come from operators."""
    listed = vars(module).get("__all__")
    submodules = _imported_submodules(module)
    made = {name for space in _namespaces(module.__name__) for name in _names_of(space)}
    made |= vars(module).get("_FALLBACK", {}).keys()
    for name, value in vars(module).items():
        if isinstance(value, types.ModuleType):
            # Imports of submodules add further names, so the presence of those names depends on earlier imports.
            alias = value.__name__.startswith(f"{module.__name__}.") and not value.__name__.endswith(f".{name}")
            if name in submodules or (alias and not name.startswith("_")):
                yield name, value
        elif not hasattr(value, "operator") and (not name.startswith("_") or name in (listed or ())):
            own = getattr(value, "__module__", None) == module.__name__ and name not in made
            if own if listed is None else name in listed:
                yield name, value


def _is_written(home: types.ModuleType, value: Any) -> bool:
    """Return whether a type checker finds the definition of a value, which generated functions lack."""
    if not isinstance(value, types.FunctionType):
        return True
    names = {node.name for node in ast.parse(inspect.getsource(home)).body if isinstance(node, ast.FunctionDef)}
    return value.__name__ in names


def _names_of(space: NameSpace | NumpyNames) -> Iterable[str]:
    return space.functions if isinstance(space, NumpyNames) else space.names()


def _imported_submodules(module: types.ModuleType) -> set[str]:
    tree = ast.parse(inspect.getsource(module))
    imports = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.level == 1 and n.module is None]
    return {alias.name for n in imports for alias in n.names if alias.asname is None}


def _relative(module: types.ModuleType, target: str) -> str:
    """Return the name of a module as an import in another module spells it."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    here, there = package.split("."), target.split(".")
    if here[0] != there[0]:
        return target
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "." * (len(here) - common + 1) + ".".join(there[common:])


def _imported(module: types.ModuleType) -> dict[str, str]:
    """Return the import statement for each name that a module imports from another module."""
    found = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom):
            where = "." * node.level + (node.module or "")
            found.update({a.asname or a.name: f"from {where} import {a.name}" for a in node.names if where != "."})
    return found


# --- a module ------------------------------------------------------------------------------------------


def stub_text(name: str) -> str:
    """Return the text of a module's stub.

    Parameters
    ----------
    name : str
        Name of the module.

    Returns
    -------
    str
        The text.
    """
    module = importlib.import_module(name)
    array, home = _array(name)
    imports, aliases, functions = _written_part(module)
    if name.endswith(".methods"):
        body = methods_class(module, array)
    else:
        functions.update(_made(module, array, {public for public, _ in _by_hand(module)}))
        body = "\n".join(functions[public] for public in sorted(functions))
        if hasattr(module, "op"):  # the package has the same operators as its module ``op``
            imports.add("from .op import *  # noqa: F403")
    if re.search(rf"\b{array}\b", body):
        imports.add(f"from {_relative(module, f'{PACKAGE}.{home}')} import {array}")
    shown = {line for line in imports if line.endswith(f" {array} as {array}")}
    imports -= {line.partition(" as ")[0] for line in shown}
    own = {line for line in imports if line.startswith("from .")}
    parts = [_HEADER, *_library_imports(body, imports - own), "\n".join(sorted(own, key=_import_order)) + "\n"]
    used = [alias for alias in ALIASES if re.search(rf"\b{alias}\b", body)]
    parts += ["".join(f"{alias}: TypeAlias = {ALIASES[alias]}\n" for alias in used)]
    listed = vars(module).get("__all__")
    if listed is not None and functions and not hasattr(module, "__path__"):
        aliases.append("__all__ = [\n" + "".join(f'    "{public}",\n' for public in sorted(listed)) + "]")
    parts += ["".join(f"{line}\n" for line in aliases), body]
    return "\n".join(part for part in parts if part.strip())


def typing_text() -> str:
    """Return the text of the stub of :mod:`d2lhybrid.typing`: its hand-written part and all functions of ``F``."""
    module = importlib.import_module(f"{PACKAGE}.typing")
    source = inspect.getsource(module)
    space = ast.parse(source).body[-1]
    assert isinstance(space, ast.ClassDef)
    summary = (ast.get_docstring(space) or "").partition("\n")[0]
    body = spaces_class(stub_text, summary)
    used = [alias for alias in ALIASES if re.search(rf"\b{alias}\b", body)]
    text = body + "".join(f" TypeAlias {ALIASES[alias]}" for alias in used)
    aliases = [ast.unparse(node) for node in ast.parse(source).body if isinstance(node, ast.AnnAssign)]
    own = [line for line in source.splitlines() if line.startswith("from .")]
    listed = ", ".join(f'"{name}"' for name in vars(module)["__all__"])
    parts = [_HEADER, *_library_imports(text + " Protocol TypeAlias", set()), "\n".join(own) + "\n"]
    parts += ["".join(f"{alias}: TypeAlias = {ALIASES[alias]}\n" for alias in used)]
    parts += [f"__all__ = [{listed}]\n" + "".join(f"{alias}\n" for alias in aliases), body]
    return "\n".join(parts)


def _made(module: types.ModuleType, array: str, given: set[str]) -> dict[str, str]:
    """Return the stubs of the functions that a module creates on demand."""
    functions = {name: on_the_host(name) for name in vars(module).get("_FALLBACK", {})}
    for space in reversed([] if hasattr(module, "op") else _namespaces(module.__name__)):
        if isinstance(space, NumpyNames):
            made = {name: of_function(name, f, array, skip=1) for name, f in space.functions.items()}
        else:
            hidden = "_" if isinstance(vars(module).get("_names"), NumpyNames) else " "
            names = {name: public for name, public in space.names().items() if not name.startswith(hidden)}
            made = {name: of_operator(get_operator(registered), name, array) for name, registered in names.items()}
        functions.update(made)
    return {name: text for name, text in functions.items() if name not in given}


def _written_part(module: types.ModuleType) -> tuple[set[str], list[str], dict[str, str]]:
    """Return imports, further names, and functions of the hand-written part."""
    imports: set[str] = set()
    aliases: list[str] = []
    functions: dict[str, str] = {}
    imported = _imported(module)
    for public, value in _by_hand(module):
        if public in imported:
            imports.add(f"{imported[public]} as {public}")
            continue
        if isinstance(value, types.ModuleType):
            where, _, original = value.__name__.rpartition(".")
        elif not hasattr(value, "__module__"):
            aliases.append(f"{public}: {type(value).__name__}")
            continue
        else:
            where, original = value.__module__, getattr(value, "__name__", public)
            home = importlib.import_module(where)
            if where == module.__name__ or getattr(home, original, None) is not value or not _is_written(home, value):
                functions[public] = of_function(public, value)
                continue
        imports.add(f"from {_relative(module, where)} import {original} as {original}")
        if public != original:
            aliases.append(f"{public} = {original}")
    return imports, sorted(aliases), functions


def _library_imports(body: str, further: set[str]) -> list[str]:
    """Return the import lines that annotations of functions and names of NumPy require."""
    text = body + "".join(f" TypeAlias {value}" for alias, value in ALIASES.items() if alias in body)
    words = [word for word in ("Callable", "Sequence") if re.search(rf"\b{word}\[", text)]
    lines = [f"from collections.abc import {', '.join(words)}"] if words else []
    words = [word for word in ("Any", "Literal", "Protocol", "Self", "TypeAlias") if re.search(rf"\b{word}\b", text)]
    lines += [f"from typing import {', '.join(words)}"] if words else []
    of_numpy = sorted(line for line in further if line.startswith("from numpy "))
    lines += sorted(further.difference(of_numpy))
    of_numpy = [*(["import numpy"] if "numpy.dtype" in text else []), *of_numpy]
    return ["".join(f"{line}\n" for line in sorted(group, key=_library_order)) for group in (lines, of_numpy)]


def _library_order(line: str) -> list[Any]:
    """Return a key that sorts like the import sorter: ``import a`` before ``from a import b``, numbers by size."""
    return [line.startswith("from"), *(int(part) if part.isdigit() else part for part in re.split(r"(\d+)", line))]


def _import_order(line: str) -> tuple[int, str]:
    """Return a key that sorts like the import sorter: from the most distant package to the nearest."""
    where = line.split()[1]
    return -len(where) + len(where.lstrip(".")), line


def stub_files() -> dict[Path, str]:
    """Return the path and the text of every stub.

    Returns
    -------
    dict of Path to str
        The texts by path.
    """
    importlib.import_module(f"{PACKAGE}.internals.core.pipeline")  # passes define further operators
    files = {}
    for name in stubbed_modules():
        source = importlib.import_module(name).__file__
        assert source is not None
        files[Path(source).with_suffix(".pyi")] = stub_text(name)
    files[FOLDER / "typing.pyi"] = typing_text()
    return files


def main() -> None:
    """Write the stub files of all modules."""
    for path, text in stub_files().items():
        write_text(path, text)


if __name__ == "__main__":
    main()
