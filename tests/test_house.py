"""Rooms import only lower rooms, the machine imports only leaves, and the package is light."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import d2lhybrid
from d2lhybrid.internals.support import plugins

from . import house, unplugged
from .house import FILES, PACKAGE, imports_of, module_of


def _top_level(path: Path) -> str:
    """Return the folder below the package, or below ``internals``, that a file is in."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[1] if parts[0] == "internals" else parts[0]


def test_a_room_imports_only_lower_rooms_inside_of_functions_as_well() -> None:
    assert not house.imports_of_higher_rooms()


def test_the_picture_of_the_rooms_names_them_all() -> None:
    picture = (PACKAGE.parent / "docs" / "house.svg").read_text()
    assert all(f">{room}</text>" in picture for room in house.ROOMS)


def test_everything_that_a_lower_room_asks_for_by_name_is_there() -> None:
    for place in (*plugins.SERVICES.values(), *plugins.BACKENDS.values()):
        assert plugins.load(place)


def test_the_machine_imports_only_leaves_that_know_nothing_of_it() -> None:
    """Everything that a right result needs is in ``core``: what makes it faster registers itself there."""
    leaves = {"error", "context", "util"}
    leaves |= {"internals.support", "internals.device.array_modules", "internals.device.readiness"}
    leaves |= {"internals.core", "internals.formats.literals", "internals.formats.serialization"}
    wrong = []
    for path in FILES:
        if _top_level(path) == "core":
            for name, _ in imports_of(path):
                if not any(f"{name}.".startswith(f"{leaf}.") for leaf in leaves):
                    wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not wrong


def test_no_more_than_two_files_of_the_machine_need_each_other() -> None:
    assert all(len(circle) == 2 for circle in house.circles_of_the_machine())


@pytest.mark.slow
def test_no_module_needs_itself_to_be_imported() -> None:
    modules = {module_of(path): path for path in FILES}

    def at_home(name: str) -> str:
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return name

    needs = {
        name: {at_home(other) for other, inside in imports_of(path) if not inside} for name, path in modules.items()
    }
    for name in needs:  # a package's __init__ names what its modules have
        needs[name] -= {name, "", *(other for other in needs[name] if modules[other].name == "__init__.py")}
    graphlib.TopologicalSorter(needs).prepare()


def test_arrays_and_symbols_never_import_each_other() -> None:
    for path in FILES:
        own = _top_level(path)
        if own in ("ndarray", "symbol"):
            other = {"ndarray": "symbol", "symbol": "ndarray"}[own]
            outside = [n for n, inside in imports_of(path) if n.split(".")[0] == other and not inside]
            assert not outside, f"{path} imports {other}"


def test_type_checkers_read_the_names_that_are_loaded_when_first_used() -> None:
    here = {"Context", "MXNetError", "config", "cpu", "cpu_pinned", "current_context", "gpu", "set_np_shape"}
    here |= {"is_np_array", "is_np_shape", "np_array", "np_shape", "use_np", "use_np_array", "use_np_shape"}
    assert {*d2lhybrid.__all__} == {*here, *d2lhybrid._MODULES, *d2lhybrid._FUNCTIONS}


def test_cupy_is_imported_in_one_module_only() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            for name in names:
                if name.split(".")[0] in ("cupy", "cupyx"):
                    assert path.name == "array_modules.py", f"{path} imports {name}"


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
        if _top_level(path) in ("pictures", "course", "d2l", "commands"):
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


def test_lines_are_traced_in_one_module_only() -> None:
    words = re.compile(r"\b(settrace|setprofile)\(|\bsys\.monitoring\b")
    assert [module_of(path) for path in FILES if words.search(path.read_text())] == ["internals.pictures.lines"]


def test_there_is_one_type_for_a_place_in_a_program() -> None:
    pair = re.compile(r"^class \w+\(tuple\[str, int\]\)|^    file(name)?: str\n    line(no)?: int\n\n", re.MULTILINE)
    assert [module_of(path) for path in FILES if pair.search(path.read_text())] == ["internals.support.places"]


def test_quick_tests_import_no_room_that_is_unplugged() -> None:
    """``make unplugged-quick`` names these files, so that pytest collects them even if they import such a room."""
    show = "show: ; @echo $(QUICK_TESTS)"
    done = subprocess.run(["make", "--silent", f"--eval={show}", "show"], cwd=unplugged.ROOT, capture_output=True,
                          text=True, check=True)  # fmt: skip
    files = [unplugged.ROOT / name for name in done.stdout.split() if name.endswith(".py")]
    assert len(files) > 20
    assert not [
        (str(path), name)
        for path in files
        for name in unplugged.imports_when_loaded(path)
        if unplugged.is_in_a_room(name)
    ]
