"""Write down the public names of the CuPy that is installed, the arguments of its functions, the types of its ufuncs.

The result, ``cupy_api.json``, is what the stand-in in this folder holds itself to. It needs a Python with CuPy, but no
GPU and no driver::

    python tests/simulated_gpu/record_cupy_api.py
"""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import re
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

#: Modules whose public names are recorded.
MODULES = (
    "cupy",
    "cupy.linalg",
    "cupy.fft",
    "cupy.random",
    "cupy.cuda",
    "cupy.cuda.runtime",
    "cupy.cuda.memory",
    "cupy.cuda.nccl",
    "cupy.lib.stride_tricks",
    "cupyx",
    "cupyx.scipy.special",
)

#: Classes whose public methods are recorded.
CLASSES = (
    "cupy.ndarray",
    "cupy.ufunc",
    "cupy.broadcast",
    "cupy.flatiter",
    "cupy.RawKernel",
    "cupy.RawModule",
    "cupy.random.Generator",
    "cupy.cuda.Device",
    "cupy.cuda.Event",
    "cupy.cuda.Graph",
    "cupy.cuda.MemoryPointer",
    "cupy.cuda.MemoryPool",
    "cupy.cuda.Stream",
)


def text_of(parameter: inspect.Parameter) -> str:
    """Return a parameter as it is written in a signature, without its annotation."""
    default = parameter.default
    prefix = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return f"{prefix}{parameter.name}" + ("" if default is inspect.Parameter.empty else "=None")


def signature_text(function: Any) -> str | None:
    """Return the arguments of a function; every default reads ``None``, since only its presence counts."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return documented_signature(function)
    parts: list[str] = []
    kinds = [p.kind for p in signature.parameters.values()]
    positional_only = inspect.Parameter.POSITIONAL_ONLY
    for i, parameter in enumerate(signature.parameters.values()):
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not any(
            k in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY) for k in kinds[:i]
        ):
            parts.append("*")
        parts.append(text_of(parameter))
        if parameter.kind is positional_only and positional_only not in kinds[i + 1 : i + 2]:
            parts.append("/")
    return ", ".join(parts)


def documented_signature(function: Any) -> str | None:
    """Return the arguments that Cython wrote into the first line of a docstring."""
    name = getattr(function, "__name__", "")
    match = re.match(rf"[\w.]*?{re.escape(name)}\((.*)\)(?: ->.*)?$", (function.__doc__ or "").partition("\n")[0])
    if match is None:
        return None
    parts = []
    for part in re.split(r",\s*(?![^(]*\))", match[1]) if match[1] else []:
        declared, equals, _ = part.partition("=")
        parts.append(declared.split()[-1] + ("=None" if equals else ""))
    return ", ".join(parts)


def describe(value: Any, ufunc: type) -> dict[str, Any]:
    """Return what is recorded of one name."""
    if isinstance(value, ufunc):
        return {
            "kind": "ufunc",
            "name": value.name,
            "types": value.types,
            "nin": value.nin,
            "nout": value.nout,
            "scatter": value._scatter_op,
            "casting": value._default_casting,
        }
    if inspect.ismodule(value):
        return {"kind": "module"}
    if inspect.isclass(value):
        return {"kind": "class"}
    if isinstance(value, enum.Enum | int | float | str) and not callable(value):
        return {"kind": "constant", "value": value if isinstance(value, int | str) else str(value)}
    if callable(value):
        text = signature_text(value)
        return {"kind": "function"} if text is None else {"kind": "function", "arguments": text}
    return {"kind": "object"}


def public(owner: Any, special: bool = False) -> list[str]:
    """Return the public names of a module or class."""
    ordinary = set(dir(object)) - {"__init__"}
    return [n for n in dir(owner) if n[0] != "_" or (special and n[:2] == "__" and n not in ordinary)]


def record() -> dict[str, Any]:
    """Return everything that is recorded."""
    warnings.simplefilter("ignore")
    cupy: Any = importlib.import_module("cupy")
    found: dict[str, Any] = {"cupy": cupy.__version__, "modules": {}, "classes": {}}
    # Classes first: some modules know their names only after they were used.
    for path in CLASSES:
        owner, _, name = path.rpartition(".")
        value = getattr(importlib.import_module(owner), name)
        found["classes"][path] = {
            n: describe(inspect.getattr_static(value, n), cupy.ufunc) for n in public(value, special=True)
        }
    for path in MODULES:
        module = importlib.import_module(path)
        found["modules"][path] = {n: describe(getattr(module, n), cupy.ufunc) for n in public(module)}
    return found


if __name__ == "__main__":
    text = json.dumps(record(), indent=0, sort_keys=True)
    (HERE / "cupy_api.json").write_text(text + "\n", "utf-8")
    print(f"{len(text)} characters")
