"""Run the tests with the machine alone: ``pytest -p tests.unplugged``, or ``make unplugged``.

The rooms that only make programs faster are not plugged in, and none of them can be imported: a test passes if
``d2lhybrid/internals/core`` computes what it asks for by itself. Left out are tests of these rooms: files that import
one of them, those in ``tests/compiler`` and ``tests/gpu``, and tests that ask for a backend or for what only a room can
tell (:data:`ABOUT_ROOMS`).
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: What cannot be imported: fusion, memory planning, layout, C, CUDA, oneDNN, ONNX Runtime; threads; fused updates.
ROOMS = ("d2lhybrid.internals.compiler", "d2lhybrid.optimizer.in_c")
#: Folders of tests that are about these rooms.
FOLDERS = (
    "tests/compiler", "tests/gpu", "tests/simulated_gpu", "tests/fuzz", "tests/test_fuzz.py",
    "d2lhybrid/internals/compiler", "benchmarks",
    # Lessons and pictures of fused kernels, and what judges answers in processes of its own.
    "tests/browser", "tests/faults", "tests/test_notebooks.py", "tests/test_notebooks_in_depth.py",
    "tests/test_grading.py", "tests/test_nbgrader.py",
    "tests/test_site_reference.py",  # it reads every module
)  # fmt: skip


class _Refusal(MetaPathFinder):
    """Refuses to import a room."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        if is_in_a_room(fullname):
            raise ModuleNotFoundError(f"{fullname} is unplugged", name=fullname)


def is_in_a_room(module: str) -> bool:
    """Return whether the full name of a module is in a room that is left out."""
    return any(f"{module}.".startswith(f"{room}.") for room in ROOMS)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Unplug the rooms before anything imports the package; not when this file is only searched for doctests."""
    os.environ["D2LHYBRID_UNPLUGGED"] = "1"  # for processes that a test starts, too
    sys.meta_path.insert(0, _Refusal())


def _imports(path: Path) -> Sequence[str]:
    """Return the full names that a file imports, inside of functions as well."""
    return _names_of(path, ast.walk(ast.parse(path.read_text("utf-8"))))


def imports_when_loaded(path: Path) -> Sequence[str]:
    """Return the full names that a file imports at its top level."""
    return _names_of(path, ast.parse(path.read_text("utf-8")).body)


def _names_of(path: Path, statements: Iterable[ast.AST]) -> Sequence[str]:
    found: list[str] = []
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in statements:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            found += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return found


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the tests of the rooms."""
    if not collection_path.is_relative_to(ROOT):
        return None
    name = str(collection_path.relative_to(ROOT))
    if any(f"{name}/".startswith(f"{folder}/") for folder in FOLDERS) or is_in_a_room(
        name.removesuffix(".py").replace("/", ".")
    ):
        return True
    if (
        collection_path.suffix == ".py"
        and collection_path.is_file()
        and any(is_in_a_room(name) or name == "simulated_gpu" for name in _imports(collection_path))
    ):
        return True
    return None


#: Parts of the package that tell what the rooms did: without these there is nothing to tell.
REPORTS = ("d2lhybrid/gluon/views.py", "d2lhybrid/profiler", "d2lhybrid/internals/pictures", "tests")
#: Tests that look whether a room did something, rather than at results.
ABOUT_ROOMS = (
    "tests/test_gluon_rnn.py::test_a_hybridized_layer_runs_forward_once_and_has_the_same_gradients",
    "tests/test_bare_python.py::test_a_lesson_runs[06_inside_the_compiler]",
    "tests/test_bare_python.py::test_a_lesson_runs[08_gpu]",
    "tests/test_cached_op.py::test_a_net_is_compiled_once_more_for_a_loss_that_leaves_out_outputs_and_not_again",
    "tests/test_chinese.py::test_every_picture_is_written_in_it",
    "tests/test_chinese.py::test_what_a_backend_does_instead_is_named_and_explained",
    "tests/test_chinese.py::test_what_is_looked_up_in_a_net_is_written_in_it",
    "tests/test_compile_steps.py::test_a_value_written_in_place_lies_in_the_same_buffer",
    "tests/test_compile_steps.py::test_buffers_fill_and_are_freed_while_the_program_runs",
    "tests/test_compile_steps.py::test_fusion_names_what_was_fused",
    "tests/test_compile_steps.py::test_layout_is_told_as_replacement_and_move",
    "tests/test_compile_steps.py::test_what_only_weights_take_part_in_is_one_box",
    "tests/test_display.py::test_programs_in_a_list_are_told_apart",
    "tests/test_graph_model.py::test_a_fused_node_says_what_is_in_it_and_its_parts_know_its_line",
    "tests/test_graph_model.py::test_a_layer_with_its_activation_is_one_box_until_it_is_opened_or_compiled_into_more",
    "tests/test_graph_model.py::test_a_node_that_goes_is_said_to_go_somewhere",
    "tests/test_graph_model.py::test_a_line_that_runs_several_boxes_has_their_time_together",
    "tests/test_graph_model.py::test_forward_and_backward_and_stages",
    "tests/test_graph_model.py::test_groups_are_nested_as_the_blocks_are",
    "tests/test_graph_model.py::test_it_opens_on_what_the_code_asked_for_with_input_and_output",
    "tests/test_graph_model.py::test_of_a_program_that_is_cut_the_last_line_is_none_of_it",
    "tests/test_hostile_files.py::test_what_an_operator_is_given_is_read_by_hand[_fused]",
    "tests/test_operator_facts.py::test_a_ufunc_writes_over_an_input_that_nobody_needs",
    "tests/test_operator_facts.py::test_an_operator_has_the_colour_of_its_family[_fused-elementwise]",
    "tests/test_operator_facts.py::test_large_functions_of_np_are_fused_as_those_of_nd_are",
    "tests/test_operator_facts.py::test_squeezing_is_a_view",
    "tests/test_operator_facts.py::test_the_number_comes_first_where_it_does_in_the_name",
    "tests/test_print_trace.py::test_a_line_has_its_generated_lines_their_memory_and_their_time[600-",
    "tests/test_print_trace.py::test_memory_times_and_differences_are_one_step_away",
    "tests/test_house.py::test_everything_that_a_lower_room_asks_for_by_name_is_there",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of another backend than NumPy, and those that look at what a room did."""
    left = [item for item in items if _asks_for_a_backend(item) or item.nodeid.startswith(ABOUT_ROOMS)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


def _asks_for_a_backend(item: pytest.Item) -> bool:
    values = getattr(getattr(item, "callspec", None), "params", {}).values()
    return any(_names_a_backend(value) for value in values)


def _names_a_backend(value: Any) -> bool:
    from d2lhybrid.internals.support import plugins  # not before the rooms are unplugged

    if isinstance(value, dict):
        return value.get("backend", "numpy") != "numpy"
    return isinstance(value, str) and value.removeprefix("backend=").strip("'\"") in plugins.BACKENDS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Skip a test that asks for a room itself, or for a report on one; a result must need none."""
    report = yield
    error = call.excinfo
    if error is not None and _asks_for_a_room(error):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: {error.value}")
    return report


def _asks_for_a_room(error: pytest.ExceptionInfo[BaseException]) -> bool:
    from d2lhybrid.internals.support import plugins

    text = str(error.value)
    if any(
        text.startswith(f"Error optimizing for backend '{backend}': the backend is not reg")
        for backend in plugins.BACKENDS
    ):
        return True
    if not error.errisinstance(ModuleNotFoundError) or not text.endswith("is unplugged"):
        return False
    if text.startswith("d2lhybrid.optimizer.in_c"):  # only a test can ask for it, without a backend that compiles C
        return True
    asks = [str(entry.path) for entry in error.traceback if str(entry.path).startswith(str(ROOT))][:-1]
    return bool(asks) and asks[-1].startswith(tuple(str(ROOT / part) for part in REPORTS))


def pytest_report_header() -> str:
    """Say so at the top."""
    return f"unplugged: no import of {', '.join(ROOMS)}"


@pytest.fixture(autouse=True, scope="session")
def nothing_of_the_rooms_is_loaded() -> Any:
    """Check at the end that no test has brought a room in."""
    yield
    assert not [module for module in sys.modules if is_in_a_room(module)]
