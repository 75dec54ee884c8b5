"""What kernels ask of ``xp`` and of random generators is there in CuPy 14.2, too, as its names were recorded."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import d2lhybrid
from d2lhybrid.internals.core.operator import all_operators

PACKAGE = Path(d2lhybrid.__file__).parent
API = json.loads((Path(__file__).parent / "simulated_gpu" / "cupy_api.json").read_text("utf-8"))
GENERATOR = API["classes"]["cupy.random.Generator"]

#: Keywords that a ufunc of CuPy takes.
OF_UFUNCS = {"out", "dtype", "casting"}

#: Which sums and products CuPy makes with the methods of a ufunc; other ufuncs have none.
REDUCED = {"add", "multiply"}


class Use(NamedTuple):
    """An attribute of ``xp`` or of a generator, and how it is called."""

    place: str
    root: str
    path: tuple[str, ...]
    keywords: tuple[str, ...]


def uses_in(file: Path) -> Iterator[Use]:
    tree = ast.parse(file.read_text("utf-8"))
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    calls = {id(n.func): n for n in ast.walk(tree) if isinstance(n, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        path: list[str] = []
        value: ast.expr = node
        while isinstance(value, ast.Attribute):
            path.insert(0, value.attr)
            value = value.value
        if isinstance(value, ast.Name) and value.id in ("xp", "rng"):
            call = calls.get(id(node))
            keywords = tuple(k.arg for k in call.keywords if k.arg) if call else ()
            yield Use(f"{file.relative_to(PACKAGE)}:{node.lineno}", value.id, tuple(path), keywords)


#: Outside of the operators, ``rng`` is a generator of NumPy, which stays on the host.
USES = [
    use
    for file in sorted(PACKAGE.rglob("*.py"))
    for use in uses_in(file)
    if use.root == "xp" or file.parent == PACKAGE / "internals" / "ops"
]
USES += [Use(op.name, "xp", (op.ufunc_name,), ("out",)) for op in all_operators() if op.ufunc_name]


def recorded(path: tuple[str, ...]) -> dict[str, Any] | None:
    """Return what was recorded of a name in CuPy, None if it is not there."""
    module = ".".join(("cupy", *path[:-1]))
    return API["modules"].get(module, {}).get(path[-1])


def parameters_of(what: dict[str, Any]) -> set[str] | None:
    """Return the names of the arguments of a function, None if it takes any or was not recorded."""
    if "arguments" not in what:
        return None
    space: dict[str, Any] = {}
    exec(f"def f({what['arguments']}): pass", space)
    parameters = inspect.signature(space["f"]).parameters.values()
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters) else {p.name for p in parameters}


def missing(use: Use) -> str:
    """Say what CuPy lacks for a use, in a word or two; nothing if all is well."""
    if use.root == "rng":
        what = GENERATOR.get(use.path[0])
    else:
        what = recorded(use.path)
        owner = recorded(use.path[:-1]) if len(use.path) > 1 else None
        if owner is not None and owner["kind"] == "ufunc":
            method, name = use.path[-1], use.path[-2]
            if method == "at":
                return "" if owner.get("scatter") else "no such ufunc.at"
            return "" if method in ("reduce", "accumulate") and name in REDUCED else f"no ufunc.{method}"
    if what is None:
        return "no such name"
    known = OF_UFUNCS if what["kind"] == "ufunc" else parameters_of(what)
    unknown = set(use.keywords) - known if known is not None else set()
    return f"no keyword {', '.join(sorted(unknown))}" if unknown else ""


def test_something_is_looked_at() -> None:
    assert len({use.path for use in USES if use.root == "xp"}) > 100
    assert len({use.path for use in USES if use.root == "rng"}) > 5


@pytest.mark.parametrize("root", ["xp", "rng"])
def test_names_and_keywords_are_in_cupy(root: str) -> None:
    lacking = [f"{u.place}: {root}.{'.'.join(u.path)}: {missing(u)}" for u in USES if u.root == root and missing(u)]
    assert not lacking


@pytest.mark.parametrize(
    ("use", "word"),
    [
        (Use("", "xp", ("maximum", "reduce"), ()), "no ufunc.reduce"),
        (Use("", "xp", ("choose_this",), ()), "no such name"),
        (Use("", "xp", ("exp",), ("where",)), "no keyword where"),
        (Use("", "xp", ("sum",), ("initial",)), "no keyword initial"),
        (Use("", "xp", ("hypot", "at"), ()), "no such ufunc.at"),
        (Use("", "rng", ("permutation",), ()), "no such name"),
        (Use("", "rng", ("poisson",), ("dtype",)), "no keyword dtype"),
        (Use("", "xp", ("linalg", "svd"), ("full_matrices",)), ""),
        (Use("", "xp", ("add", "reduce"), ("axis",)), ""),
    ],
)
def test_what_is_missing_is_seen(use: Use, word: str) -> None:
    assert missing(use) == word
