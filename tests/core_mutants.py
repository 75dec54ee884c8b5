"""How many small faults of the machine do the quick tests find? ``make mutants-core``

    python -m tests.core_mutants                       # 200 mutants, drawn at random from all files of core
    python -m tests.core_mutants --all tape invoke     # all mutants of two files
    python -m tests.core_mutants --lines               # only the lines of core that no quick test runs

A mutant is the machine with one thing changed: a comparison, a constant, a condition, or a statement that is left
out. The tests are those that ``make quick`` runs after a change of the machine. They are collected once. A survey runs
each of them alone, to see which lines it runs, and is kept for as long as the package and the test stay as they are.
For each mutant this process is forked; in the child, the code of the changed function takes the place of the original,
and the tests that run the changed line run, the quickest first, until one fails. Code that runs while the package is
imported is changed in a new process, before the import. A mutant that no test finds has survived. Survivors that
compute the same are listed, with a reason, in ``equivalent_mutants_of_core.toml``.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import copy
import functools
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import tomllib
import traceback
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "d2lhybrid" / "internals" / "core"
_PREFIX = f"{CORE}{os.sep}"
#: A line of the machine: the name of the module in ``core``, and the number.
Line = tuple[str, int]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants_of_core.toml")
#: Quick tests that read files, or start other processes, in which there is no mutant.
_ELSEWHERE = ("house.py", "stubs.py", "transcript")
#: What ``make quick`` always runs, of which the Makefile has the list, and a part of what it adds for a change of the
#: machine; but no tests of pages and pictures.
TESTS = [
    *(t for t in os.environ.get("QUICK_TESTS", "tests/core").split() if not t.endswith(_ELSEWHERE)),
    "tests/test_every_layer.py", "tests/test_operator_facts.py",
    *(f"tests/compiler/test_{t}.py" for t in ("arena", "pipeline", "report", "prepared", "tiers", "written_states")),
]  # fmt: skip
#: Of the cases of a test with parameters, so many are run, but of those in ``tests/core`` all: the others seldom find
#: anything more.
MOST_CASES = 12
#: A mutant of what runs while the package is imported is tried on these, in a process of its own.
TESTS_AFTER_IMPORT = [
    "tests/core", "tests/test_attribute_texts.py", "tests/test_bad_input.py", "tests/test_elementwise.py",
    "tests/test_gluon_nn.py", "tests/test_tracing.py", "tests/test_operator_facts.py", "tests/test_custom_operators.py",
]  # fmt: skip
#: A test that takes so many times as long as without the change, and so many seconds more, never ends.
_TIMES, _SECONDS = 10, 30
#: So many seconds a test may take in the survey.
_LONGEST = 600

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
    lines : range
        The lines of the statement that is changed, without those of the block below it.
    body : range
        The lines of the whole function.
    change : str
        The text of the function's lines before and after.
    code : CodeType
        The function with the change.
    """

    file: str
    function: str
    lines: range
    body: range
    change: str
    code: CodeType


class WatchedTest(NamedTuple):
    """One test.

    Attributes
    ----------
    item : pytest.Item
        The test.
    seconds : float
        How long it takes.
    ran : dict of str to int
        Module in ``core`` -> the lines of it that the test runs, as bits of a number.
    """

    item: Any
    seconds: float
    ran: dict[str, int]


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


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.stmt]]:
    """Yield the nodes of a function's body: parent, field, place in a list of the field; the statement around."""
    waiting: list[tuple[ast.AST, ast.stmt]] = []
    for i, statement in enumerate(function.body):
        waiting.append((statement, statement))
        yield function, "body", i, statement
    while waiting:
        parent, around = waiting.pop(0)
        if isinstance(parent, ast.JoinedStr | ast.Raise | ast.Assert):
            continue  # texts of errors, which other tests compare; ``zip(strict=True)`` asserts, too
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST) and not (isinstance(child, ast.keyword) and child.arg == "strict"):
                    statement = child if isinstance(child, ast.stmt) else around
                    waiting.append((child, statement))
                    yield parent, field, i, statement


def _lines_of(statement: ast.stmt) -> range:
    """Return the lines of a statement; of an ``if`` or a loop, those of its head."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or 0
    return range(statement.lineno, max(statement.lineno, last) + 1)


def _changed(path: Path) -> Iterator[tuple[str, ast.FunctionDef, ast.stmt, str, ast.Module]]:
    """Yield a file with one thing changed, again and again: where, what, and the file, which the next step changes."""
    tree = ast.parse(path.read_text("utf-8"))
    for qualname, function in _functions(tree):
        if function.name in ("__repr__", "__str__"):
            continue
        before = ast.unparse(function).splitlines()
        for parent, field, i, statement in [*_places(function)]:
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
                    change = _difference(before, ast.unparse(function).splitlines())
                    if change:
                        yield qualname, function, statement, change, tree
                finally:
                    if i is None:
                        setattr(parent, field, node)
                    else:
                        held[i] = node


def _difference(before: list[str], after: list[str]) -> str:
    """Return the lines between what two texts begin and end with: those of the first, and those of the second."""
    first = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    if first is None:
        return ""
    last = next(i for i, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b)
    last = min(last, len(before) - first - 1, len(after) - first - 1)
    lines = [*(f"- {line}" for line in before[first : len(before) - last]),
             *(f"+ {line}" for line in after[first : len(after) - last])]  # fmt: skip
    return " ".join(" ".join(line.split()) for line in lines)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    name = _module(path)
    for qualname, function, statement, change, _ in _changed(path):
        # The function alone: to compile the whole file for each of them would take minutes.
        nested: ast.stmt = function
        for of in reversed(qualname.split(".")[:-1]):
            nested = ast.ClassDef(of, [], [], [nested], [])
        module = ast.Module([ast.parse("from __future__ import annotations").body[0], nested], [])
        code = _code_of(compile(ast.fix_missing_locations(module), str(path), "exec"), qualname)
        assert code is not None
        body = range(function.body[0].lineno, (function.end_lineno or 0) + 1)
        yield Mutant(name, qualname, _lines_of(statement), body, change, code)


def _module(path: Path) -> str:
    """Return the name of a module in ``core``, with dots."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


def _files() -> list[Path]:
    return sorted(path for path in CORE.rglob("*.py") if path.name != "__init__.py")


def all_mutants(names: list[str]) -> list[Mutant]:
    """Return the mutants of files of ``core``, by the names of their modules; all without names."""
    return [m for path in _files() if not names or path.stem in names for m in mutants_of(path)]


def live_functions() -> dict[tuple[str, int], list[FunctionType]]:
    """Return (module in ``core``, first line) -> the functions of this process that have that code."""
    found: dict[tuple[str, int], list[FunctionType]] = collections.defaultdict(list)
    gc.unfreeze()  # what is frozen is not listed
    for thing in gc.get_objects():
        if type(thing) is not FunctionType or thing.__name__ == "__annotate__":  # of Python 3.14: types, when asked for
            continue
        if thing.__code__.co_filename.startswith(_PREFIX):
            found[_module(Path(thing.__code__.co_filename)), thing.__code__.co_firstlineno].append(thing)
    gc.freeze()  # what a child does not change is not copied for it
    return found


def caches() -> list[Any]:
    """Return the functions of the machine that remember what they have returned."""
    gc.unfreeze()
    found = [thing for thing in gc.get_objects() if type(thing).__name__ == "_lru_cache_wrapper"]
    gc.freeze()
    return [cache for cache in found if getattr(cache, "__module__", "").startswith("d2lhybrid.internals.core")]


class Changed(SourceFileLoader):
    """Imports one module with a change, in a process that is there for it."""

    def __init__(self, path: str, function: str, change: str) -> None:
        super().__init__(".".join(Path(path).relative_to(ROOT).with_suffix("").parts), path)
        self.function, self.change = function, change

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Offer the module to the import system."""
        return (
            importlib.util.spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None
        )

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module with the change."""
        for qualname, _, _, change, tree in _changed(Path(self.path)):
            if (qualname, change) == (self.function, self.change):
                return compile(tree, self.path, "exec")
        raise ImportError(f"there is no such change: {self.change}")


def import_all() -> None:
    """Import the package, and what is imported when an array is first used: the operators, and all of the machine."""
    for name in ("d2lhybrid", "d2lhybrid.internals.ops", "d2lhybrid.ndarray", "d2lhybrid.numpy", "d2lhybrid.gluon"):
        importlib.import_module(name)
    importlib.import_module("d2lhybrid.internals.support.plugins").plug_in()
    for path in CORE.rglob("*.py"):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))


# --- in the children ----------------------------------------------------------------------------------------------


class Watch:
    """Notes which test failed, and which lines of the machine ran."""

    def __init__(self) -> None:
        self.failed = ""
        #: Number of a code object -> that, and those of its lines that have not run.
        self.left: dict[int, tuple[CodeType, set[int]]] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        if report.failed:
            self.failed = report.nodeid

    def call(self, frame: FrameType, event: str, _: Any) -> Any:
        """Note a call; return what is told of its lines, as long as some have not run."""
        code = frame.f_code
        if not code.co_filename.startswith(_PREFIX):
            return None
        if id(code) not in self.left:
            lines = {line for _, _, line in code.co_lines() if line is not None} - {code.co_firstlineno}
            self.left[id(code)] = code, lines
        return self.line if self.left[id(code)][1] else None

    def line(self, frame: FrameType, event: str, _: Any) -> Any:
        """Note a line."""
        if event == "line":
            self.left[id(frame.f_code)][1].discard(frame.f_lineno)
        return self.line

    def lines(self) -> set[Line]:
        """Return the lines that ran, and forget them."""
        ran = {
            (_module(Path(code.co_filename)), line)
            for code, left in self.left.values()
            for _, _, line in code.co_lines()
            if line is not None and line not in left
        }
        self.left = {}
        return ran

    def run(self, function: Any, *arguments: Any) -> None:
        """Run a function and note the lines."""
        threading.settrace(self.call)
        sys.settrace(self.call)
        try:
            function(*arguments)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]


def run_item(item: Any) -> None:
    """Run one test, as pytest does."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits of a number."""
    return (i for i, bit in enumerate(reversed(bin(number)[2:])) if bit == "1")


def some_cases(items: list[Any]) -> list[Any]:
    """Return tests without most of the cases of those that have many."""
    cases: dict[str, list[Any]] = collections.defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    return [
        item
        for name, of in cases.items()
        for item in (of if name.startswith("tests/core/") else of[:: -(-len(of) // MOST_CASES)])
    ]


def survey(item: Any, text: str, watch: Watch, file: Path) -> int:
    """Run a test; write how long it takes and which lines of the machine it runs. Return 1 if it fails."""
    signal.setitimer(signal.ITIMER_REAL, _LONGEST)
    begin = time.perf_counter()
    watch.run(run_item, item)
    seconds = time.perf_counter() - begin
    if watch.failed:
        return 1
    ran = collections.defaultdict[str, int](int)
    for module, line in watch.lines():
        ran[module] |= 1 << line
    row = [item.nodeid, text, seconds, {module: hex(bits) for module, bits in ran.items()}]
    rows = os.open(file, os.O_WRONLY | os.O_APPEND)
    os.write(rows, (json.dumps(row) + "\n").encode())  # at once, because several processes write
    return 0


def texts_of(items: list[Any]) -> dict[str, str]:
    """Return for each test a hash of what determines the lines that it runs: the package, its helpers, its own file."""
    package = hashlib.sha256()
    helpers = {Path(file) for module in [*sys.modules.values()] if (file := getattr(module, "__file__", None))}
    helpers = {path for path in helpers if path.is_relative_to(ROOT / "tests") and not path.name.startswith("test_")}
    helpers |= {ROOT / "conftest.py", *(ROOT / "d2lhybrid").rglob("*.py")}
    for path in sorted(helpers - {Path(__file__)}):
        package.update(f"{path.relative_to(ROOT)}".encode() + path.read_bytes())
    of_file = {
        path: hashlib.sha256(package.digest() + path.read_bytes()).hexdigest()[:16]
        for path in {Path(item.path) for item in items}
    }
    return {item.nodeid: of_file[Path(item.path)] for item in items}


def try_mutant(
    functions: list[FunctionType], caches: list[Any], code: CodeType, tests: list[WatchedTest], watch: Watch,
    answer: int,
) -> int:  # fmt: skip
    """Run tests on a mutant until one fails; return 1 and write its name if one did, 0 if none."""
    for function in functions:
        function.__code__ = code
    for cache in caches:
        cache.cache_clear()
    for test in tests:
        signal.setitimer(signal.ITIMER_REAL, _TIMES * test.seconds + _SECONDS)
        run_item(test.item)
        if watch.failed:
            os.write(answer, watch.failed.encode()[:2000])
            return 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    return 0


def try_import(mutant: Mutant) -> int:
    """Import the package in a new process with the change, and run tests; return 0 if none fails."""
    path = CORE.joinpath(*mutant.file.split(".")).with_suffix(".py")
    command = [sys.executable, "-m", "tests.core_mutants", "--changed", str(path), mutant.function, mutant.change]
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900
        )
    except subprocess.TimeoutExpired:
        return 1
    return min(abs(done.returncode), 1)


_children: set[int] = set()


def end_group(child: int) -> None:
    """End a child, and what it has started and does not end any more."""
    _children.discard(child)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def in_child(function: Any, *arguments: Any) -> int:
    """Fork; return the child's number. What it prints goes nowhere."""
    child = os.fork()
    if child:
        _children.add(child)
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        status = function(*arguments) or 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def side_by_side(jobs: list[tuple[Any, Callable[[int], int]]], count: int) -> Iterator[tuple[Any, int, str]]:
    """Run functions in children, several at a time, from the last to the first.

    Parameters
    ----------
    jobs : list
        For each of them: what it is for, and a function, which gets a descriptor that it may write a text to.
    count : int
        How many run at a time.

    Yields
    ------
    what, status, text
        What a child was for, what its function returned, and what it wrote.
    """
    running: dict[int, tuple[Any, int]] = {}
    while jobs or running:
        while jobs and len(running) < count:
            what, function = jobs.pop()
            reading, writing = os.pipe()
            running[in_child(function, writing)] = what, reading
            os.close(writing)
        child, status = os.wait()
        what, reading = running.pop(child)
        end_group(child)
        os.set_blocking(reading, False)
        text = b""
        with contextlib.suppress(BlockingIOError):
            text = os.read(reading, 2000)
        os.close(reading)
        yield what, status, text.decode()


# --- the loop ---------------------------------------------------------------------------------------------------------


class Loop:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.watch = Watch()
        #: Tests that have found mutants of a function are tried first on its others.
        self.finders: dict[tuple[str, str], list[str]] = collections.defaultdict(list)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Survey the tests, then try the mutants."""
        pluginmanager = session.config.pluginmanager
        pluginmanager.register(self.watch)
        reporter = pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            pluginmanager.unregister(reporter)
        import_all()
        self.live, self.caches = live_functions(), caches()
        self.items = some_cases(session.items)
        self.texts = texts_of(self.items)
        self.tests = self.known_tests()
        print(f"{len(self.tests)} tests take {sum(test.seconds for test in self.tests):.0f} s.", flush=True)
        self.imported = lines_of_import()
        if self.chosen.lines:
            self.print_lines()
        else:
            self.try_all()
        return True

    def known_tests(self) -> list[WatchedTest]:
        """Return what is known of the tests; find it out for those that are new or changed, and after any change."""
        file, texts, by_name = Path(self.chosen.survey), self.texts, {item.nodeid: item for item in self.items}
        known = self.rows(file, texts)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in known.values()))
        new = [item for item in self.items if item.nodeid not in known]
        if new:
            print(f"Which lines each of {len(new)} tests runs ...", flush=True)
            # Each in a process of its own, as on a mutant: what another test has left in a cache is not computed again.
            jobs = [
                (item.nodeid, lambda _, item=item: survey(item, texts[item.nodeid], self.watch, file))
                for item in reversed(new)
            ]
            for name, status, _ in side_by_side(jobs, self.chosen.workers):
                if status:
                    print(f"fails without a change, and is left out: {name}", flush=True)
            known = self.rows(file, texts)
        return [
            WatchedTest(by_name[name], seconds, {m: int(bits, 16) for m, bits in ran.items()})
            for name, _, seconds, ran in known.values()
            if ran
        ]

    def rows(self, file: Path, texts: dict[str, str]) -> dict[str, Any]:
        """Return the rows of the survey that are still true, by the name of the test."""
        rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return {row[0]: row for row in rows if len(row) == 4 and texts.get(row[0]) == row[1]}

    def print_lines(self) -> None:
        """Print the lines with mutants that no test runs."""
        for path in _files():
            if self.chosen.names and path.stem not in self.chosen.names:
                continue
            never = {m.lines[0] for m in mutants_of(path) if not self.tests_of(m) and not self.is_imported(m)}
            text = path.read_text("utf-8").splitlines()
            for line in sorted(never):
                print(f"{_module(path)}.py:{line}: {text[line - 1].strip()}")

    def tests_of(self, mutant: Mutant) -> list[WatchedTest]:
        """Return the tests that run the change: first those of the machine, and that are quick and run what few run."""
        mask = sum(1 << line for line in mutant.lines)
        rarity = self.rarity(mutant.file)
        found = set(self.finders[mutant.file, mutant.function])

        def place(test: WatchedTest) -> tuple[bool, bool, float]:
            name = test.item.nodeid
            rare = sum(rarity[i] for i in _bits(test.ran[mutant.file]))
            return name not in found, not name.startswith(("tests/core/", "d2lhybrid/")), -rare / (test.seconds + 0.02)

        return sorted((test for test in self.tests if test.ran.get(mutant.file, 0) & mask), key=place)

    @functools.cache  # noqa: B019
    def rarity(self, file: str) -> dict[int, float]:
        """Return for each line of a file one divided by the number of tests that run it."""
        counts = collections.Counter(i for test in self.tests for i in _bits(test.ran.get(file, 0)))
        return {i: 1 / count for i, count in counts.items()}

    def is_imported(self, mutant: Mutant) -> bool:
        """Return whether the function runs while the package is imported: what it has made then is not changed here."""
        return any((mutant.file, line) in self.imported for line in mutant.body)

    def mutants(self) -> list[Mutant]:
        """Return which mutants to try."""
        found = all_mutants(self.chosen.names)
        equivalent = tomllib.loads(EQUIVALENT.read_text("utf-8")) if EQUIVALENT.exists() else {}
        same = {
            (entry["file"], entry["function"], change)
            for entry in equivalent.get("same", ())
            for change in entry["changes"]
        }
        there = {(m.file, m.function, m.change) for m in all_mutants([])} if same else set()
        for file, function, change in sorted(same - there):
            print(f"no such mutant: {file}.py {function}: {change}", flush=True)
        drawn = [*found]
        random.Random(self.chosen.seed).shuffle(drawn)
        drawn = drawn if self.chosen.all else drawn[: self.chosen.sample]
        left = [m for m in drawn if (m.file, m.function, m.change) not in same]
        print(f"{len(drawn)} of {len(found)} mutants; {len(drawn) - len(left)} of them compute the same.", flush=True)
        return left

    def attempt(self, mutant: Mutant, answer: int) -> int:
        """Run the tests on a mutant; return 1 if one fails."""
        tests = self.tests_of(mutant)
        functions = self.live.get((mutant.file, mutant.code.co_firstlineno), [])
        found = try_mutant(functions, self.caches, mutant.code, tests[: self.chosen.most], self.watch, answer)
        if not found and mutant.change and self.is_imported(mutant):
            found = try_import(mutant)
        return found

    def try_all(self) -> None:
        """Try mutants, several at a time; print those that survive."""
        waiting = self.mutants()
        # Functions with their own code have to survive, or what kills the others is not the change.
        controls = [
            m._replace(code=self.live[m.file, m.code.co_firstlineno][0].__code__, change="")
            for m in waiting[:: len(waiting) // 8 + 1]
            if self.live.get((m.file, m.code.co_firstlineno))
        ]
        counts, killed = collections.Counter(m.file for m in waiting), collections.Counter[str]()
        total, wrong = len(waiting), 0
        jobs = [(m, functools.partial(self.attempt, m)) for m in (*waiting, *controls)]
        for tried, (mutant, status, finder) in enumerate(side_by_side(jobs, self.chosen.workers), 1):
            if tried % 20 == 0:
                print(f"{tried} of {total} tried, {killed.total()} killed", flush=True)
            key = mutant.file, mutant.function
            if not mutant.change:
                wrong += bool(status)
                if status:
                    print(f"without a change, {mutant.file} {mutant.function} fails in {finder}", flush=True)
            elif status:
                killed[mutant.file] += 1
                if finder and finder not in self.finders[key]:
                    self.finders[key].append(finder)
            else:
                is_there = self.live.get((mutant.file, mutant.code.co_firstlineno)) or self.is_imported(mutant)
                why = "" if is_there else " (there is no such function)"
                if not why and not self.tests_of(mutant) and not self.is_imported(mutant):
                    why = " (no test runs it)"
                print(
                    f"survives: {mutant.file}.py:{mutant.lines[0]} {mutant.function}{why}: {mutant.change}", flush=True
                )
        for file, count in sorted(counts.items()):
            print(f"{file:24s} {killed[file]:4d} of {count:4d} killed")
        if texts_of(self.items) != self.texts:
            raise SystemExit("The package or the tests were changed meanwhile, so these figures mean nothing.")
        print(f"{len(controls) - wrong} of {len(controls)} functions without a change survive, as they must.")
        print(f"{killed.total()} of {total} mutants killed: {100 * killed.total() / max(total, 1):.1f} %")


def lines_of_import() -> set[Line]:
    """Return which lines run while the package is imported, in a new process."""
    command = [sys.executable, "-m", "tests.core_mutants", "--import"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {(file, line) for file, line in json.loads(done.stdout)}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="modules of core, by their last name; all by default")
    parser.add_argument("--all", action="store_true", help="all mutants, not a sample")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--lines", action="store_true", help="print the lines that no test runs, and try nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many mutants are tried at once")
    parser.add_argument(
        "--most", type=int, default=2000, help="how many tests are run at most on a mutant, the quickest first"
    )
    parser.add_argument(
        "--survey", default=str(ROOT / "build" / "core-survey.jsonl"), help="where to keep which lines tests run"
    )
    parser.add_argument("--changed", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--import", dest="imports", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    if chosen.imports:
        watch = Watch()
        watch.run(import_all)
        print(json.dumps(sorted(watch.lines())))
        return 0
    if chosen.changed:
        sys.meta_path.insert(0, Changed(*chosen.changed))
        return int(pytest.main([*options, "-x", *TESTS_AFTER_IMPORT]))
    Path(chosen.survey).parent.mkdir(parents=True, exist_ok=True)
    try:
        pytest.main([*options, *TESTS], plugins=[Loop(chosen)])
    finally:
        for child in [*_children]:  # after Ctrl-C, which they do not hear
            end_group(child)
    return 0


if __name__ == "__main__":
    sys.exit(main())
