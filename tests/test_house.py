"""The house stands: modules import only from layers above them, and the core is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import d2lhybrid

PACKAGE = Path(__file__).resolve().parent.parent / "d2lhybrid"

#: From the ground up: a module may import what stands in an earlier row or in its own.
LAYERS = [
    {"errors"},
    {"requirements", "advice"},
    {
        "clock",
        "commit",
        "locks",
        "scopes",
        "context",
        "backend",
        "collective",
        "dtypes",
        "filesystem",
        "image_codec",
        "literals",
        "nested",
        "printing",
        "util",
        "words",
        "recordio",
        "registry",
        "serialization",
        "telemetry",
        "threads",
    },
    {"ops"},
    {"documentation"},
    {"frontend", "fluent", "autograd", "name", "attribute", "random_functions", "numpy_dialect"},
    {"ndarray", "symbol", "numpy", "numpy_extension", "random", "base"},
    {"compiler"},
    {"by_operator", "cached_op"},
    {"executor", "model", "initializer", "lr_scheduler", "optimizer", "metric", "onnx"},
    {"file_iterators", "gluon", "image", "io", "callback", "test_utils", "kvstore", "contrib"},
    {"viz", "data", "check", "traps", "probing"},
    {"d2l", "d2lzh", "doctor", "lesson", "course", "lab", "binder", "installation", "widgets", "exercises", "grading"},
    {"cli", "compatibility", "stubs", "__main__", "__init__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

#: Imports that go up on purpose, each inside a function, with the reason.
ALLOWED_UPWARD = {
    ("context", "backend"): "asking for GPU memory needs CuPy, which only backend imports",
    ("symbol", "executor"): "Symbol.bind and eval are MXNet's methods",
    ("symbol", "compiler"): "Symbol.gradient is MXNet's method",
    ("gluon", "viz"): "net.graph() returns a picture",
    ("compiler", "onnx"): "the backend onnxruntime writes the model of a net when the net is called",
    ("viz", "widgets"): "a picture shows itself as a widget where there are widgets",
}


def _top_level(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def _imports(path: Path) -> list[tuple[str, bool]]:
    """Return (imported top-level name of this package, whether inside a function) of a file."""
    package = list(path.relative_to(PACKAGE.parent).with_suffix("").parts[:-1])
    found = []
    tree = ast.parse(path.read_text())
    inside = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    checking = {
        id(n)
        for i in ast.walk(tree)
        if isinstance(i, ast.If) and isinstance(i.test, ast.Name) and i.test.id == "TYPE_CHECKING"
        for n in ast.walk(i)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in checking:
            continue
        base = package[: len(package) - node.level + 1]
        target = [*base, *(node.module.split(".") if node.module else [])]
        names = [target[1]] if len(target) > 1 else [a.name for a in node.names]
        found += [(name, id(node) in inside) for name in names]
    return found


FILES = sorted(p for p in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_import_only_from_layers_above(path: Path) -> None:
    own = _top_level(path)
    assert own in LEVEL, f"{own} has no place in LAYERS"
    for name, inside in _imports(path):
        if name not in LEVEL or name == own:
            continue
        if LEVEL[name] > LEVEL[own]:
            assert inside and (own, name) in ALLOWED_UPWARD, f"{path} imports {name}, a layer below it"


def test_arrays_and_symbols_never_import_each_other() -> None:
    for path in FILES:
        own = _top_level(path)
        if own in ("ndarray", "symbol"):
            other = {"ndarray": "symbol", "symbol": "ndarray"}[own]
            outside = [n for n, inside in _imports(path) if n == other and not inside]
            assert not outside, f"{path} imports {other}"


def test_type_checkers_read_the_names_that_are_loaded_when_first_used() -> None:
    here = {"Context", "MXNetError", "config", "cpu", "cpu_pinned", "current_context", "gpu"}
    assert {*d2lhybrid.__all__} == {*here, *d2lhybrid._MODULES, *d2lhybrid._FUNCTIONS}


def test_cupy_is_imported_in_one_module_only() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            for name in names:
                if name.split(".")[0] in ("cupy", "cupyx"):
                    assert path.name == "backend.py", f"{path} imports {name}"


def test_jupyter_packages_are_imported_only_by_what_draws() -> None:
    heavy = {
        "ipywidgets",
        "anywidget",
        "IPython",
        "matplotlib",
        "graphviz",
        "nbclient",
        "nbformat",
        "jupyterlab",
    }
    for path in FILES:
        if _top_level(path) in ("widgets", "viz", "lesson", "d2l", "cli", "doctor", "exercises"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            assert not heavy & {n.split(".")[0] for n in names}, f"{path} imports {names}"


def test_the_core_needs_numpy_alone() -> None:
    program = (
        "import sys; import d2lhybrid as mx; mx.nd, mx.sym, mx.gluon, mx.autograd, mx.np, mx.npx;"
        "roots = {m.split('.')[0] for m in sys.modules};"
        "extra = roots - set(sys.stdlib_module_names) - {'d2lhybrid', 'numpy', '__main__'};"
        "print(sorted(r for r in extra if not r.startswith('_')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path!r}; {program}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    loaded = ast.literal_eval(done.stdout)
    assert not {n for n in loaded if n in ("cupy", "ipywidgets", "matplotlib", "graphviz", "IPython", "scipy")}
