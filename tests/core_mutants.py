"""How many small faults of the machine do the quick tests find? ``make mutants-core``

    python -m tests.core_mutants                       # 200 mutants, drawn at random from all files of core
    python -m tests.core_mutants --all tape invoke     # all mutants of two files

A mutant is the machine with one thing changed: a comparison, a constant, a condition, or a statement that is left
out. The tests are collected once. For each mutant this process is forked; in the child, the code of the changed
function takes the place of the original, and the tests that call the function run, the quickest first, until one fails.
A mutant that no test finds has survived. Survivors that compute the same are listed, with a reason, in
``equivalent_mutants_of_core.toml``.
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import difflib
import gc
import importlib
import json
import os
import random
import signal
import sys
import time
import tomllib
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

import d2lhybrid

ROOT = Path(__file__).resolve().parent.parent
CORE = Path(d2lhybrid.__file__).parent / "internals" / "core"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants_of_core.toml")
#: The tests of what the machine does; the same files as in ``make quick``, but those of pages and pictures.
_FILES = [
    "bad_calls", "bad_input", "cached_op", "check_hybridization", "compile_steps", "control_flow", "custom_operators",
    "elementwise", "every_layer", "gluon_layers", "gluon_nn", "gluon_rnn", "index_operators", "losses",
    "matrix_operators", "metrics", "numpy_arrays", "optimizers", "parameter", "peek", "pooling", "reductions",
    "special_functions", "symbol_json", "tracing", "trainer",
]  # fmt: skip
TESTS = [
    "tests/transcript", "tests/golden", *(f"tests/test_{name}.py" for name in _FILES),
    *(f"tests/compiler/test_{name}.py" for name in ("pipeline", "report", "prepared")),
]  # fmt: skip
#: A test that takes so many times as long as without the change, and so many seconds more, never ends.
_TIMES, _SECONDS = 10, 10

_COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """The machine with one change.

    Attributes
    ----------
    file : str
        Name of the module in ``core``, with dots.
    function : str
        The outermost function that the change is in.
    line : int
        Its line.
    change : str
        The text of the function's lines before and after.
    code : CodeType
        The function with the change.
    """

    file: str
    function: str
    line: int
    change: str
    code: CodeType


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node may become."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield ast.Compare(node.left, [_COMPARISONS[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield changed
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Delete) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the qualified names of functions and methods, and where they are defined; not those inside of others."""
    waiting: list[tuple[str, ast.AST]] = [("", node) for node in tree.body]
    while waiting:
        prefix, node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            waiting += [(f"{prefix}{node.name}.", inner) for inner in node.body]


def _code_of(code: CodeType, qualname: str) -> CodeType | None:
    """Return the code of a function from that of its module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == qualname:
                return constant
            if qualname.startswith(f"{constant.co_qualname}."):
                return _code_of(constant, qualname)
    return None


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield the nodes of a function's body: parent, field, and place in a list of the field."""
    waiting: list[ast.AST] = [*function.body]
    for i, _ in enumerate(function.body):
        yield function, "body", i
    while waiting:
        parent = waiting.pop(0)
        if isinstance(parent, ast.JoinedStr | ast.Raise | ast.Assert):
            continue  # texts of errors, which other tests compare
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    waiting.append(child)
                    yield parent, field, i


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    name = ".".join(path.relative_to(CORE).with_suffix("").parts)
    tree = ast.parse(path.read_text("utf-8"))
    for qualname, function in _functions(tree):
        if function.name in ("__repr__", "__str__"):
            continue
        before = ast.unparse(function)
        for parent, field, i in [*_places(function)]:
            held = getattr(parent, field)
            node = held if i is None else held[i]
            for changed in _changes(node):
                ast.copy_location(changed, node)
                ast.fix_missing_locations(changed)
                if i is None:
                    setattr(parent, field, changed)
                else:
                    held[i] = changed
                try:
                    code = _code_of(compile(tree, str(path), "exec"), qualname)
                    after = ast.unparse(function)
                finally:
                    if i is None:
                        setattr(parent, field, node)
                    else:
                        held[i] = node
                if code is not None and after != before:
                    lines = difflib.ndiff(before.splitlines(), after.splitlines())
                    text = " ".join(" ".join(line.split()) for line in lines if line[0] in "+-")
                    yield Mutant(name, qualname, getattr(node, "lineno", function.lineno), text, code)


def all_mutants(names: list[str]) -> list[Mutant]:
    """Return the mutants of files of ``core``, by the names of their modules; all without names."""
    files = sorted(path for path in CORE.rglob("*.py") if path.name != "__init__.py")
    return [m for path in files if not names or path.stem in names for m in mutants_of(path)]


def live_functions() -> dict[tuple[str, str], list[FunctionType]]:
    """Return (module in ``core``, qualified name) -> the functions of this process that have that code."""
    found: dict[tuple[str, str], list[FunctionType]] = collections.defaultdict(list)
    gc.unfreeze()  # what is frozen is not listed
    for thing in gc.get_objects():
        if type(thing) is FunctionType and (file := Path(thing.__code__.co_filename)).is_relative_to(CORE):
            name = ".".join(file.relative_to(CORE).with_suffix("").parts)
            found[name, thing.__code__.co_qualname].append(thing)
    gc.freeze()  # what a child does not change is not copied for it
    return found


# --- in the children ----------------------------------------------------------------------------------------------


class Watch:
    """Notes whether a test failed, and which functions of the machine it called."""

    def __init__(self) -> None:
        self.failed = False
        self.called: set[tuple[str, str]] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        self.failed |= report.failed

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call."""
        if event == "call" and frame.f_code.co_filename.startswith(str(CORE)):
            name = ".".join(Path(frame.f_code.co_filename).relative_to(CORE).with_suffix("").parts)
            self.called.add((name, frame.f_code.co_qualname))


def run_item(item: Any) -> None:
    """Run one test, as pytest does."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def survey(items: list[Any], watch: Watch, file: Path) -> None:
    """Run all tests; write what each of them calls, and how long it takes."""
    rows = []
    for item in items:
        watch.called, watch.failed = set(), False
        begin = time.perf_counter()
        sys.setprofile(watch.profile)
        try:
            run_item(item)
        finally:
            sys.setprofile(None)
        if not watch.failed:
            rows.append((item.nodeid, time.perf_counter() - begin, sorted(watch.called)))
    file.write_text(json.dumps(rows))


def try_mutant(functions: list[FunctionType], code: CodeType, items: list[tuple[Any, float]], watch: Watch) -> int:
    """Run tests on a mutant until one fails; return 1 if one did, 0 if none."""
    for function in functions:
        function.__code__ = code
    for wrapper in [o for o in gc.get_objects() if type(o).__name__ == "_lru_cache_wrapper"]:
        if getattr(wrapper, "__module__", "").startswith("d2lhybrid.internals.core"):
            wrapper.cache_clear()
    for item, seconds in items:
        signal.setitimer(signal.ITIMER_REAL, _TIMES * seconds + _SECONDS)
        run_item(item)
        if watch.failed:
            return 1
    return 0


def in_child(function: Any, *arguments: Any) -> int:
    """Fork; return the child's number. What it prints goes nowhere."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        status = function(*arguments) or 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


# --- the loop ---------------------------------------------------------------------------------------------------------


class Loop:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.watch = Watch()

    def pytest_runtestloop(self, session: Any) -> bool:
        """Survey the tests, then try the mutants."""
        pluginmanager = session.config.pluginmanager
        pluginmanager.register(self.watch)
        reporter = pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            pluginmanager.unregister(reporter)
        for path in CORE.rglob("*.py"):  # some are imported when they are first used
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        live = live_functions()
        known = Path(self.chosen.survey)
        if not known.exists():
            print(f"What each of {len(session.items)} tests calls ...", flush=True)
            os.waitpid(in_child(survey, session.items, self.watch, known), 0)
        rows = {
            nodeid: (seconds, [tuple(name) for name in called])
            for nodeid, seconds, called in json.loads(known.read_text())
        }
        callers: dict[tuple[str, str], list[tuple[Any, float]]] = collections.defaultdict(list)
        for item in session.items:
            seconds, called = rows.get(item.nodeid, (0.0, []))
            for name in called:
                callers[name].append((item, seconds))
        for tests in callers.values():
            tests.sort(key=lambda pair: pair[1])
        self.try_all(callers, live)
        return True

    def mutants(self) -> list[Mutant]:
        """Return which mutants to try."""
        found = all_mutants(self.chosen.names)
        equivalent = tomllib.loads(EQUIVALENT.read_text("utf-8")) if EQUIVALENT.exists() else {}
        same = {
            (file, change) for file, entries in equivalent.items() for entry in entries for change in entry["changes"]
        }
        found = [m for m in found if (m.file, m.change) not in same]
        print(f"{len(found)} mutants; {len(same)} more compute the same.", flush=True)
        random.Random(self.chosen.seed).shuffle(found)
        return found if self.chosen.all else found[: self.chosen.sample]

    def try_all(
        self,
        callers: dict[tuple[str, str], list[tuple[Any, float]]],
        live: dict[tuple[str, str], list[FunctionType]],
    ) -> None:
        """Try mutants, several at a time; print those that survive."""
        waiting, running = self.mutants(), dict[int, Mutant]()
        # Functions with their own code have to survive, or what kills the others is not the change.
        controls = [
            m._replace(code=live[m.file, m.function][0].__code__, change="")
            for m in waiting[:: len(waiting) // 8 + 1]
            if live.get((m.file, m.function))
        ]
        counts, killed = collections.Counter(m.file for m in waiting), collections.Counter[str]()
        total, wrong = len(waiting), 0
        waiting += controls
        while waiting or running:
            while waiting and len(running) < self.chosen.workers:
                mutant = waiting.pop()
                key = mutant.file, mutant.function
                tests = callers[key][: self.chosen.most]
                running[in_child(try_mutant, live.get(key, []), mutant.code, tests, self.watch)] = mutant
            child, status = os.wait()
            mutant = running.pop(child)
            if not mutant.change:
                wrong += bool(status)
            elif status:
                killed[mutant.file] += 1
            else:
                key = mutant.file, mutant.function
                why = (
                    " (no test calls it)"
                    if not callers[key]
                    else ""
                    if live.get(key)
                    else " (there is no such function)"
                )
                print(f"survives: {mutant.file}.py:{mutant.line} {mutant.function}{why}: {mutant.change}", flush=True)
        for file, count in sorted(counts.items()):
            print(f"{file:24s} {killed[file]:4d} of {count:4d} killed")
        print(f"{len(controls) - wrong} of {len(controls)} functions without a change survive, as they must.")
        print(f"{killed.total()} of {total} mutants killed: {100 * killed.total() / max(total, 1):.1f} %")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="modules of core, by their last name; all by default")
    parser.add_argument("--all", action="store_true", help="all mutants, not a sample")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many mutants are tried at once")
    parser.add_argument(
        "--most", type=int, default=2000, help="how many tests are run at most on a mutant, the quickest first"
    )
    parser.add_argument(
        "--survey", default=str(ROOT / "build" / "core-survey.json"), help="where to keep what tests call"
    )
    chosen = parser.parse_args()
    Path(chosen.survey).parent.mkdir(parents=True, exist_ok=True)
    loop = Loop(chosen)
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-m",
        "not slow",
        "-o",
        "addopts=--import-mode=importlib",
    ]
    pytest.main([*options, *TESTS], plugins=[loop])
    return 0


if __name__ == "__main__":
    sys.exit(main())
