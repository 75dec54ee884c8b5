"""What a module offers in public: its classes and functions, each where it is told about once."""

from __future__ import annotations

import functools
import importlib
import inspect
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import EnumType
from typing import Any

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import Operator, get_operator, is_registered
from d2lhybrid.internals.frontends.numpy_dialect import EXTENSION_RANDOM, FUNCTIONS, LINALG, RANDOM, REGISTERED
from d2lhybrid.onnx.translations import find_translation

__all__ = ["GROUPS", "Member", "members", "methods_of", "module_of", "numpy_facts",
           "operators_of", "part_of", "signature_of"]  # fmt: skip

#: Title of a group -> the modules in it, as one writes them after ``import d2lhybrid as mx``.
GROUPS: dict[str, list[str]] = {
    "Arrays and symbols": ["nd", "nd.random", "nd.linalg", "nd.contrib", "nd.image", "nd.sparse", "sym", "sym.random",
                           "sym.linalg", "sym.contrib", "sym.image", "autograd", "context", "random"],
    "NumPy's names": ["np", "np.random", "np.linalg", "npx", "npx.random", "npx.image"],
    "Gluon": ["gluon", "gluon.nn", "gluon.rnn", "gluon.loss", "gluon.data", "gluon.data.vision",
              "gluon.data.vision.transforms", "gluon.model_zoo.vision", "gluon.utils", "gluon.contrib.nn",
              "gluon.contrib.rnn", "gluon.contrib.estimator"],
    "Training": ["optimizer", "initializer", "lr_scheduler", "metric", "kvstore", "callback", "monitor", "profiler",
                 "contrib.amp"],
    "Seeing and learning": ["", "viz", "check", "exercises", "doctor", "d2l"],
    "Data and files": ["io", "image", "recordio", "onnx", "contrib.text", "contrib.io", "data"],
    "Own operators": ["operator", "numpy_dispatch_protocol", "compiler", "util", "runtime", "engine", "name",
                      "attribute", "error", "base", "registry", "libinfo", "log", "test_utils"],
    "Before Gluon": ["module", "model", "executor", "executor_manager", "rnn"],
}  # fmt: skip


@dataclass(frozen=True)
class Member:
    """One name of a module.

    Attributes
    ----------
    name : str
        The name in the module.
    path : str
        How one writes it: ``gluon.nn.Dense``.
    value : object
        What it is.
    kind : {"class", "function", "operator", "data"}
        What sort of thing; ``"operator"`` is a function that is made from the registry.
    """

    name: str
    path: str
    value: Any
    kind: str


def module_of(name: str) -> Any:
    """Return a module by the name in :data:`GROUPS`."""
    value: Any = mx
    for part in filter(None, name.split(".")):
        try:
            value = getattr(value, part)
        except AttributeError:
            value = importlib.import_module(f"{value.__name__}.{part}")
    return value


def _names(module: Any) -> list[str]:
    declared = list(getattr(module, "__all__", ()))
    if module is mx:
        return [n for n in declared if not inspect.ismodule(getattr(mx, n))]
    made = [n for n in dir(module) if not n.startswith("_")]
    if hasattr(module, "_public") or hasattr(module, "_names"):  # operators, or NumPy's functions, besides
        own = {n for n in made if _is_made(module, n)}
        return sorted({*declared, *own})
    return declared or [n for n in made if getattr(getattr(module, n), "__module__", "") == module.__name__]


def _is_made(module: Any, name: str) -> bool:
    value = getattr(module, name)
    return hasattr(value, "operator") or (isinstance(value, types.FunctionType) and value.__module__ == module.__name__)


@functools.cache
def members(name: str) -> list[Member]:
    """Return the public members of a module, by name."""
    module = module_of(name)
    found = []
    for each in sorted(set(_names(module)), key=lambda n: (n.lower(), n)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(module, each)
        if inspect.ismodule(value):
            continue
        kind = "class" if inspect.isclass(value) else "function" if callable(value) else "data"
        if isinstance(getattr(value, "operator", None), Operator):
            kind = "operator"
        found.append(Member(each, f"{name}.{each}" if name else each, value, kind))
    return found


def signature_of(value: Any) -> inspect.Signature | None:
    """Return a signature without annotations that are no news, None where Python knows none."""
    if isinstance(value, EnumType):  # each release of Python shows another one, for what makes an enumeration
        return inspect.Signature([inspect.Parameter("value", inspect.Parameter.POSITIONAL_OR_KEYWORD)])
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def methods_of(value: type) -> Iterator[tuple[str, str, Any]]:
    """Yield (name, kind, function) of what a class itself defines in public: methods and properties."""
    for name, raw in vars(value).items():
        if name.startswith("_"):
            continue
        if isinstance(raw, property | functools.cached_property) or type(raw).__name__ == "cached_property":
            yield name, "property", raw
        elif isinstance(raw, classmethod | staticmethod):
            yield name, type(raw).__name__, raw.__func__
        elif isinstance(raw, types.FunctionType):
            yield name, "method", raw


# --- NumPy's functions ---------------------------------------------------------------------------------

#: The functions of ``np`` that are written once for arrays and symbols, by module.
_DIALECT = {
    "np": FUNCTIONS | REGISTERED, "np.random": RANDOM, "np.linalg": LINALG, "npx.random": EXTENSION_RANDOM,
}  # fmt: skip


def _operators_in(function: Callable[..., Any]) -> set[Operator]:
    """Return the operators that a function of the dialect calls: their names stand in its text, or in its closure."""
    words: set[Any] = set()
    seen: set[Any] = set()

    def look(f: Any) -> None:
        if f in seen:
            return
        seen.add(f)
        constants(f.__code__)
        for cell in f.__closure__ or ():
            value(cell.cell_contents)
        for name in f.__code__.co_names:
            other = f.__globals__.get(name)
            if isinstance(other, types.FunctionType) and other.__module__ == f.__module__:
                look(other)

    def constants(code: types.CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                constants(constant)
            value(constant)

    def value(each: Any) -> None:
        if isinstance(each, str):
            words.add(each)
        elif isinstance(each, tuple):
            for part in each:
                value(part)
        elif isinstance(each, types.FunctionType) and "numpy_dialect" in each.__module__:
            look(each)

    look(function)
    names = {word for word in words if is_registered(word)}
    own = {name for name in names if name.startswith("_")}  # ``exp`` is also what ``_npi_exp`` is called in Python
    return {get_operator(name) for name in own or names}


def part_of(member: Member) -> str:
    """Return on which page of ``np`` a function stands: the file of the dialect that it is from, or ``"fallback"``."""
    function = _DIALECT["np"].get(member.name) if member.path == f"np.{member.name}" else None
    if function is not None:
        return function.__module__.rpartition(".")[2]
    own = member.path == f"np.{member.name}" and getattr(member.value, "__module__", "") == "d2lhybrid.numpy"
    return "fallback" if own and member.kind == "function" else ""


def operators_of(member: Member) -> list[Operator]:
    """Return the operators that a function of ``np`` may call, those first that are called like it."""
    function = _DIALECT.get(member.path.rpartition(".")[0], {}).get(member.name)
    found = _operators_in(function) if function is not None else set()
    return sorted(found, key=lambda op: (not op.name.endswith(f"_{member.name}"), op.name))


def numpy_facts(member: Member) -> list[tuple[str, str, str]]:
    """Return what is to be known of a function of ``np``, by the operators that it calls."""
    place = member.path.rpartition(".")[0]
    function = _DIALECT.get(place, {}).get(member.name)
    if function is None:
        if place != "np" or getattr(member.value, "__module__", "") != "d2lhybrid.numpy":
            return []
        by_numpy = ("gradient", "none", "NumPy computes it, on a copy of the values.")
        return [by_numpy, ("dialects", "np", "For arrays alone.")]
    made = []
    if operators := operators_of(member):
        exist = any(op.gradient_rule is not None and not op.refuses_gradient for op in operators)
        made.append(("gradient", "yes" if exist else "none", "By the operators that it calls."))
        onnx = sum(find_translation(op.name) is not None for op in operators)
        word = "yes" if onnx == len(operators) else "partly" if onnx else "none"
        said = f"{onnx} of the {len(operators)} operators that it may call can be written as ONNX."
        made.append(("ONNX", word, said))
        names = " ".join([op.name for op in operators][:6])
        made.append(("operators", names, "What it may call, by MXNet's names."))
    made.append(("dialects", f"{place} sym.{place}", "Where it is found."))
    return made
