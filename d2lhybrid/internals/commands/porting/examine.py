"""Static analysis of a program, which finds everything that prevents the program from running today."""

from __future__ import annotations

import ast
import functools
import os
import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path

from d2lhybrid.internals.commands.defined_names import bound_by
from d2lhybrid.internals.commands.running import python2
from d2lhybrid.internals.commands.running.packages import package_of
from d2lhybrid.internals.support.words import add_words, translate

from . import facts
from .custom_operators import missing_arrays
from .findings import Edit, Finding, Kind, Result, Taken
from .own_modules import module_in
from .repairs import Repairs
from .scope import Scope, main_guard, root
from .sources import Source, UnreadableError, read_source
from .syntax import Parsed, parse_any
from .texts import Texts
from .undefined import before_their_definition, in_no_reachable_scope, of_the_module
from .wrong_calls import (
    Fractions,
    OwnFunctions,
    computes_the_device,
    pads_too_much,
    refusal,
    size_to_reshape,
    too_many_inputs,
)

__all__ = ["Read", "examine", "read", "unread"]

#: Names in a condition that checks the version of Python or the existence of a name.
_ASKING = {"version_info", "PY2", "PY3", "hasattr", "python_version", "__version__", "find_spec", "version"}
#: Functions that check whether a file exists.
_ASKING_FOR_FILES = {"os.path.exists", "os.path.isfile", "os.path.isdir"}
#: Functions that run code from a string.
_RUNNING_TEXTS = {"importlib.import_module", "__import__", "exec", "execfile", "os.system", "subprocess.call",
                  "subprocess.run", "subprocess.Popen", "subprocess.check_call", "subprocess.check_output"}  # fmt: skip
#: Functions that stop the program and wait for commands.
_DEBUGGERS = {"pdb.set_trace", "ipdb.set_trace", "breakpoint", "code.interact", "IPython.embed"}
#: Functions that show a window.
_WINDOWS = {f"cv2.{name}" for name in ("namedWindow", "imshow", "waitKey", "createTrackbar", "setMouseCallback")}
_CATCHING = {"AttributeError", "Exception", "BaseException", "ImportError", "ModuleNotFoundError", "NameError"}
#: Names that IPython defines in a notebook.
_OF_IPYTHON = {"get_ipython", "display", "In", "Out", "_", "__", "___", "exit", "quit"}


class Read:
    """A parsed program: its text, its tree, and the meanings of its names.

    Parameters
    ----------
    source : Source
        The program.
    parsed : Parsed
        Syntax tree of the program.
    """

    def __init__(self, source: Source, parsed: Parsed) -> None:
        self.source, self.parsed = source, parsed
        self.scope = Scope(parsed.tree)

    @functools.cached_property
    def imports(self) -> set[str]:
        """The first parts of the names of all modules that the program imports."""
        return {root(name) for name in self.scope.imported.values()} | {
            root(node.module) for node in ast.walk(self.parsed.tree)
            if isinstance(node, ast.ImportFrom) and node.module and not node.level
        }  # fmt: skip


def read(path: Path) -> Read:
    """Return the parsed program in a file.

    Parameters
    ----------
    path : Path
        Path of the file.

    Returns
    -------
    Read
        The parsed program.

    Raises
    ------
    UnreadableError
        If the file does not exist or is not Python.
    """
    source = read_source(path)
    try:
        return Read(source, parse_any(source.text))
    except SyntaxError as error:
        line = error.lineno or 0
        advice = python2.python2_advice(error)
        where = source.place(line) if line else ""
        if advice:
            raise UnreadableError(f"{Kind.PYTHON2}|{line}|{error.msg}", advice) from None
        what = translate("The file is not Python ({where}): {why}", where=where, why=error.msg or str(error))
        raise UnreadableError(what) from None


def unread(path: Path, error: UnreadableError) -> Result:
    """Return the result for an unreadable file, with a single finding.

    Parameters
    ----------
    path : Path
        Path of the file.
    error : UnreadableError
        The reason.

    Returns
    -------
    Result
        The result.
    """
    kind, _, rest = str(error).partition("|")
    if kind == Kind.PYTHON2:
        line, _, message = rest.partition("|")
        try:
            source: Source | None = read_source(path)
        except UnreadableError:
            source = None
        return Result(path, source, [Finding(Kind.PYTHON2, message, int(line), error.hint)], True)
    return Result(path, None, [Finding(Kind.UNREADABLE, str(error), 0, error.hint)])


def examine(program: Read, habits: facts.Habits, is_local: Callable[[Path, str, bool], bool]) -> Result:
    """Return the findings in a program.

    Parameters
    ----------
    program : Read
        The program.
    habits : Habits
        Names that ``d2lhybrid run`` restores.
    is_local : callable
        The function ``is_local(path, module, anywhere)``, which returns whether an imported module is one of the
        program's own files. ``anywhere`` says whether the program changes Python's search path.

    Returns
    -------
    Result
        The findings.
    """
    anywhere = "sys.path" in program.parsed.text
    path = program.source.path
    in_package = path.with_name("__init__.py").exists()

    def is_own(module: str) -> bool:
        if module in facts.BOOKS and program.source.is_notebook and not anywhere:  # only its own folder is searched
            return module_in(path.parent, module)
        elsewhere = in_package and (module in facts.MXNET or facts.is_there(module))  # Python 3 imports this one
        return not elsewhere and is_local(path, module, anywhere)

    look = _Look(program, habits, is_own)
    look.visit(program.parsed.tree)
    look.at_the_end()
    source, parsed = program.source, program.parsed
    mxnet = bool(program.imports & {*facts.MXNET, *facts.BOOKS})
    found = sorted(look.found.values(), key=lambda finding: (finding.line, finding.kind, finding.what))
    names = _names_used(parsed.tree)
    asks = any(isinstance(node, ast.If) and main_guard(node.test) for node in parsed.tree.body)
    return Result(
        source.path, source, found, mxnet, parsed.text, parsed.rewritten, look.own_modules, names, look.optional,
        None if program.scope.takes_all else of_the_module(parsed.text), look.taken, _set_attributes(parsed.tree),
        is_program=asks,
    )  # fmt: skip


def _set_attributes(tree: ast.Module) -> set[str]:
    """Return the attributes that a file assigns, including attributes of modules."""
    return {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}


def _names_used(tree: ast.Module) -> dict[str, set[str]]:
    """Return the names that each function and class uses; the key "" has those of all other lines."""
    found: dict[str, set[str]] = {"": set()}
    for statement in tree.body:
        is_definition = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        names = found.setdefault(statement.name if is_definition else "", set())
        names |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        names |= {n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
        names |= {a.name for n in ast.walk(statement) if isinstance(n, ast.ImportFrom) for a in n.names}
    return found


class _Look(ast.NodeVisitor):
    """A visitor of a program that collects findings in ``found``."""

    def __init__(self, program: Read, habits: facts.Habits, is_local: Callable[[str], bool]) -> None:
        self.source, self.scope, self.habits, self.is_local = program.source, program.scope, habits, is_local
        self.repairs = Repairs(program.parsed.text, self.scope)
        self.found: dict[tuple[Kind, str], Finding] = {}
        #: The numbers of enclosing checks and ``try`` blocks that handle missing names, and of enclosing conditions.
        self.copes = self.conditional = 0
        #: The name of the outermost enclosing function or class; "" at the top level.
        self.inside = ""
        self.own_modules: list[tuple[str, int]] = []
        #: The names that the program uses of its own modules.
        self.taken: list[Taken] = []
        #: The program's own modules that are optional.
        self.optional: set[str] = set()
        self.gpu_by_condition: list[int] = []
        self.gpu_by_default = ""
        #: An option without which the program uses a GPU.
        self.gpu_unless_told = ""
        #: The line of a call for a GPU under a condition that depends on run-time values.
        self.gpu_in_doubt = 0
        for line, what in program.parsed.rewritten.items():
            self.note(Kind.PYTHON2, what, line, _STATEMENTS_TODAY.get(what, ""), ())
        self.written = set(_written_files(program.parsed.tree))
        self.settled = _settled(program.parsed.tree, (True, 1))
        self.settled_false = _settled(program.parsed.tree, (False, 0, None, ""))
        #: Variable -> its value before the next line of the top level.
        self.current: dict[str, ast.expr] = {}
        self.set_attributes = _set_attributes(program.parsed.tree)
        self.arrays = _arrays(program.parsed.tree, self.scope)
        self.set_by_functions = _set_by_functions(program.parsed.tree)
        self.parameters = {node.arg for node in ast.walk(program.parsed.tree) if isinstance(node, ast.arg)}
        #: The enclosing conditions.
        self.tests: list[ast.expr] = []
        self.has_gpu_option = False
        tree, path = program.parsed.tree, program.source.path.absolute()
        self.texts = Texts(tree, self.scope, path, path.parent)
        self.own_functions, self.fractions = OwnFunctions(tree), Fractions(tree)
        #: Access to an array that a custom operator doesn't have -> the number of arrays.
        self.missing_arrays = dict(missing_arrays(tree))
        #: The environment variables that the program sets.
        self.set_variables = {
            node.slice.value for node in ast.walk(tree)
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
            and not isinstance(node.ctx, ast.Load) and self.scope.dotted(node.value) == "os.environ"
        }  # fmt: skip
        #: The last names of all functions that the program calls.
        self.calls = list(_called(tree))
        self.makes_folders = any("dirs" in name or "mkdir" in name for name in self.calls) or any(
            "mkdir" in text for _, text in self.source.shell
        )
        self.written |= set(filter(None, (self.texts.of(node) for node in _written_places(tree))))
        known = {*python2.NAMES, *_OF_IPYTHON, *_OF_MODULES}
        #: Names that are read where no definition is in scope; empty if names come from unknown sources.
        self.undefined = {} if self.scope.takes_all else in_no_reachable_scope(program.parsed.text, known)
        #: The positions at which the file reads a name that only a later line defines.
        early = [] if self.scope.takes_all else before_their_definition(tree)
        self.early = {(node.lineno, node.col_offset) for node in early}

    def note(self, kind: Kind, what: str, line: int, instead: str = "", edits: Iterable[Edit] = ()) -> None:
        """Add a finding, or add the edits to an earlier finding with the same name."""
        before = self.found.get((kind, what))
        if before is None:
            self.found[kind, what] = Finding(kind, what, line, instead, tuple(edits), (self.inside,))
        else:
            first = min(filter(None, [before.line, line]), default=0)
            inside = tuple(dict.fromkeys([*before.inside, self.inside]))
            self.found[kind, what] = Finding(kind, what, first, before.instead, (*before.edits, *edits), inside)

    # --- enclosing statements ---

    def visit_Module(self, node: ast.Module) -> None:
        for statement in node.body:
            bound = set(_bound_in(statement))
            is_plain = isinstance(statement, (ast.Assign, ast.Expr))
            for name in () if is_plain else bound:  # a block may bind a name before its other lines read the name
                self.current.pop(name, None)
            self.visit(statement)
            for name in bound:
                self.current.pop(name, None)
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name) and target.id not in self.set_by_functions:
                    self.current[target.id] = statement.value

    def visit_Try(self, node: ast.Try) -> None:
        copes = any(_catches(handler) for handler in node.handlers)
        self.copes += copes
        self.conditional += bool(node.handlers)
        for part in node.body:
            self.visit(part)
        self.copes -= copes
        for handler in node.handlers:  # code in a handler may be for another Python
            self.copes += copes
            self.visit(handler)
            self.copes -= copes
        self.conditional -= bool(node.handlers)
        for part in [*node.orelse, *node.finalbody]:
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        self._under(node.test, node.orelse, node.body)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._under(node.test, [node.orelse], [node.body])

    def _under(self, test: ast.expr, parts: Sequence[ast.AST], body: Sequence[ast.AST]) -> None:
        """Visit the parts of a conditional; its body certainly runs if a constant decides, as in ``use_gpu = True``."""
        if (isinstance(test, ast.Constant) and test.value) or (isinstance(test, ast.Name) and test.id in self.settled):
            for part in body:
                self.visit(part)
        else:
            parts = [*parts, *body]
        names = {n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(test)
                 if isinstance(n, (ast.Name, ast.Attribute))}  # fmt: skip
        copes, conditional = bool(names & _ASKING), not main_guard(test)
        self.copes += copes
        self.conditional += conditional
        self.visit(test)
        self.tests += [test] * conditional
        for part in parts:
            self.visit(part)
        self.copes -= copes
        self.conditional -= conditional
        del self.tests[len(self.tests) - conditional :]

    def _decides_for_the_cpu(self, test: ast.expr) -> bool:
        """Return whether a condition for a GPU checks the machine's GPUs, or is a false constant."""
        names = {n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(test)
                 if isinstance(n, (ast.Name, ast.Attribute))}  # fmt: skip
        return bool(re.search(r"num_gpus|list_gpus|gpu_count|is_available", " ".join(names))) or (
            isinstance(test, ast.Name) and test.id in self.settled_false
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._in(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name == "hybrid_forward" and any(argument.arg == "F" for argument in node.args.args):
            for inner in ast.walk(node):
                name = _below(inner, "F")
                if name and not self.copes:
                    self._of_both(name, inner)
        self._in(node)

    def _in(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        outer, self.inside = self.inside, self.inside or node.name
        self.generic_visit(node)
        self.inside = outer

    def _of_both(self, name: str, node: ast.AST) -> None:
        """Check a name of ``F`` among the functions for arrays and the functions for symbols."""
        told = [facts.absent(f"{space}.{name}") for space in ("nd", "sym", "np", "npx")]
        if all(told):
            reasons = [why for _, why in filter(None, told) if why]
            self.note(Kind.ABSENT, f"F.{name}", getattr(node, "lineno", 0), _why(reasons[0] if reasons else ""))

    # --- imports ---

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(alias.name, node, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level:
            beside = "." * node.level + (node.module or "")
            names = [beside] if node.module else [beside + alias.name for alias in node.names]
            self.own_modules += [(name, node.lineno) for name in names if not self.inside]
            self._take(node, beside)
        if node.level or not node.module or node.module == "__future__":
            return
        if not self._module(node.module, node, node.lineno):
            return
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            if alias.name != "*" and not self.copes:
                self._name(name, node, node.lineno)

    def _module(self, name: str, node: ast.stmt, line: int) -> bool:
        """Check a module; return whether to check its names."""
        top = root(name)
        if self.is_local(top):
            if not self.inside:
                named = [f"{name}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
                self.own_modules += [(module, line) for module in (name, *named)]
                self.optional.update([name, *named] if self.copes else [])
            if isinstance(node, ast.ImportFrom):
                self._take(node, name)
            return False
        if self.copes:
            return False
        if top in facts.MXNET:
            told = facts.absent(name.partition(".")[2])
            if told:
                self.note(Kind.ABSENT, told[0], line, _why(told[1]))
            return not told
        for module in (name, *(name.rpartition(".")[0] for _ in [0] if "." in name)):
            if module in self.habits.modules:
                instead = self.habits.modules[module]
                self.note(Kind.HABIT, f"import {module}", line, instead, self.repairs.module(node, module, instead))
                return False
        if top in python2.MODULES and not facts.is_there(top):
            edits = self.repairs.python2_module(node)
            self.note(Kind.PYTHON2, f"import {top}", line, python2.MODULES[top], edits)
            return False
        if top in facts.BOOKS:
            self._name(name, node, line)
            return True
        if not facts.is_there(top):
            package = package_of(top)
            instead = f"pip install {package}" if package else ""
            self.note(Kind.PACKAGE, top, line, instead)
        return True

    def _take(self, node: ast.ImportFrom, module: str) -> None:
        """Note the names that a line imports from one of the program's own modules."""
        if not self.copes:
            names = [alias.name for alias in node.names if alias.name != "*"]
            self.taken += [Taken(module, name, node.lineno, self.inside, True) for name in names]

    # --- names ---

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = self.scope.dotted(node)
        module = self.scope.dotted(node.value)
        is_read = module in self.scope.imported.values() and isinstance(node.ctx, ast.Load) and not self.copes
        if is_read and "." not in module and self.is_local(module):
            self.taken.append(Taken(module, node.attr, node.lineno, self.inside, False))
        if dotted:
            if not self.copes:
                self._name(dotted, node, node.lineno)
            return
        if not self.copes:
            self._member(node)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if not self.copes and isinstance(node.ctx, ast.Load) and node.id in self.undefined:
            said = translate("nothing in the program defines it")
            self.note(Kind.ABSENT, node.id, node.lineno, said)
        elif not self.copes and (node.lineno, node.col_offset) in self.early:
            self.note(Kind.ABSENT, node.id, node.lineno, translate("it is defined only in a later line"))
        if self.copes or node.id in self.scope.bound or not isinstance(node.ctx, ast.Load):
            return
        if node.id in python2.NAMES and node.id not in self.scope.imported:
            edits = self.repairs.python2_name(node)
            self.note(Kind.PYTHON2, node.id, node.lineno, python2.NAMES[node.id], edits)

    def _name(self, dotted: str, node: ast.AST, line: int) -> None:
        """Check a name that leads to a module."""
        top = root(dotted)
        if top in facts.MXNET:
            rest = dotted.partition(".")[2]
            told = facts.absent(rest)
            if told:
                self.note(Kind.ABSENT, told[0], line, _why(told[1]))
            return
        if top in facts.BOOKS:
            if any(self.is_local(name) or facts.is_there(name) for name in (top, facts.BOOKS[top])):
                return
            if facts.absent(".".join(filter(None, [facts.BOOKS[top], _below_book(dotted)]))):
                self.note(Kind.ABSENT, dotted, line, translate("put the book's package next to the program"))
            return
        for owner, last in _prefixes(dotted):
            today = python2.OF_MODULES.get(owner, {}).get(last)
            if today is not None and not self.is_local(top):
                self.note(Kind.PYTHON2, f"{owner}.{last}", line, today, self.repairs.python2_member(node, dotted))
                return
            key = f"{owner}.{last}"
            if key in self.habits.names:
                instead = self.habits.names[key]
                self.note(Kind.HABIT, key, line, instead, self.repairs.name(node, key, instead))
                return
        if not self.is_local(top) and self.set_attributes.isdisjoint(dotted.split(".")):
            self._of_a_library(dotted, line)

    def _of_a_library(self, dotted: str, line: int) -> None:
        """Check whether an installed library has a name, which no habit restores."""
        parts = dotted.split(".")
        if any(".".join(parts[: count + 1]) in self.habits.modules for count in range(len(parts))):
            return
        missing = facts.missing_in_a_library(dotted)
        if missing:
            said = translate("{library} has no such name", library=missing.partition(".")[0])
            self.note(Kind.ABSENT, missing, line, said)

    def _member(self, node: ast.Attribute) -> None:
        """Check an attribute of a value that the program created."""
        name, library = node.attr, self.scope.library(node.value)
        children = isinstance(node.value, ast.Attribute) and node.value.attr == "_children"
        if children and name in ("append", "extend", "insert"):
            said = translate("today: {instead}", instead="self.register_child(block)")
            self.note(Kind.ABSENT, f"_children.{name}", node.lineno, said)
        is_of_array = isinstance(node.value, ast.Name) and node.value.id in self.arrays
        if is_of_array and name not in facts.names_of_arrays() and name not in self.set_attributes:
            self.note(Kind.ABSENT, ast.unparse(node), node.lineno, translate("an array has no such attribute"))
        if library == "matplotlib" and not self._may_have(node):
            said = translate("{library} has no such name", library=library)
            self.note(Kind.ABSENT, ast.unparse(node), node.lineno, said)
        if name in python2.OF_DICTIONARIES and library in ("", "builtins"):
            edits = self.repairs.of_dictionary(node)
            self.note(Kind.PYTHON2, f".{name}()", node.lineno, python2.OF_DICTIONARIES[name], edits)
            return
        for row in self.habits.members.get(name, ()):
            known = library == root(row.owner)
            if known or (not library and name not in facts.shared_methods()):
                what = f"{row.owner.partition('.')[2] or row.owner}.{name}"
                self.note(Kind.HABIT, what, node.lineno, row.instead, self.repairs.method(node, row.instead))
                return

    def _may_have(self, node: ast.Attribute) -> bool:
        """Return whether an object that Matplotlib created may have an attribute."""
        first: ast.expr = node
        while isinstance(first, (ast.Attribute, ast.Subscript, ast.Call)):
            first = first.func if isinstance(first, ast.Call) else first.value
        is_argument = isinstance(first, ast.Name) and first.id in self.parameters
        known = is_argument or node.attr in self.set_attributes or node.attr in facts.shared_methods()
        restored = any(root(row.owner) == "matplotlib" for row in self.habits.members.get(node.attr, ()))
        return known or restored or node.attr in facts.names_of_arrays() or node.attr in facts.words_of("matplotlib")

    # --- calls ---

    def visit_Call(self, node: ast.Call) -> None:
        dotted = self.scope.dotted(node.func)
        last = dotted.rpartition(".")[2] or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
        if not self.copes:
            self._arguments(node, last, root(dotted) or self.scope.library(node.func))
            self._refused(node, dotted)
        if dotted:
            self._call(node, dotted)
        if last == "add_argument":
            self._option(node)
        self._needs_of(node, dotted)
        self.generic_visit(node)

    def _refused(self, node: ast.Call, dotted: str) -> None:
        """Check whether a function of MXNet or of the file accepts the arguments of a call."""
        said = self.own_functions.refusal(node)
        top = root(dotted)
        if not said and top in facts.MXNET:
            function = facts.function_of(dotted.partition(".")[2])
            said = "" if function is None else refusal(function, node)
            if not said and pads_too_much(dotted.rpartition(".")[2], node):
                said = translate("the padding must be smaller than the window")
            if not said and function is not None and computes_the_device(function, node):
                said = translate("the argument {name} must be a device", name="ctx")
            fraction = self.fractions.in_a_size(function, node) if function is not None else None
            if fraction is not None:
                self._fraction(f"{_short(dotted)}(x / y)", node.lineno, fraction)
        elif not said and top in facts.BOOKS and not any(self.is_local(name) or facts.is_there(name)
                                                         for name in (top, facts.BOOKS[top])):  # fmt: skip
            function = facts.function_of(".".join([facts.BOOKS[top], _below_book(dotted)]))
            said = "" if function is None else refusal(function, node)
        elif not said and isinstance(node.func, ast.Name):
            made = self._made_by(node.func)
            layer = self.scope.dotted(made.func) if made is not None else ""
            if root(layer) in facts.MXNET:
                said = too_many_inputs(facts.function_of(layer.partition(".")[2]), node)
        size = 0
        if isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
            making = self._made_by(node.func.value)
            made = self.scope.dotted(making.func) if making is not None else ""
            if making is not None and root(made) in (*facts.MXNET, "numpy"):
                size = size_to_reshape(made, making, node)
        if size:
            self.note(Kind.ABSENT, "reshape()", node.lineno, translate("the array has {n} elements", n=size))
        if said:
            self.note(Kind.ABSENT, f"{_short(dotted) or ast.unparse(node.func)}()", node.lineno, said)

    def _made_by(self, node: ast.expr) -> ast.Call | None:
        """Return the call that creates a value, also if a variable of the file's top level has the value."""
        made = self.current.get(node.id) if isinstance(node, ast.Name) and not self.inside else node
        return made if isinstance(made, ast.Call) else None

    def _arguments(self, node: ast.Call, function: str, library: str) -> None:
        """Check a call for removed arguments."""
        for keyword in node.keywords:
            for row in self.habits.arguments.get((function, keyword.arg or ""), ()):
                home = root(row.owner)
                if library == home or (not library and home == "matplotlib" and "matplotlib" in self._modules):
                    edits = self.repairs.argument(node, keyword, row.instead)
                    what = f"{function}({keyword.arg}=)"
                    self.note(Kind.HABIT, what, keyword.value.lineno, row.instead, edits)
                    break

    @functools.cached_property
    def _modules(self) -> set[str]:
        return {root(name) for name in self.scope.imported.values()}

    def _call(self, node: ast.Call, dotted: str) -> None:
        if dotted in ("mxnet.gpu", "mxnet.context.gpu", "mxnet.npx.gpu", "mxnet.numpy_extension.gpu"):
            if self.conditional:
                self.gpu_by_condition.append(node.lineno)
                if any(not self._decides_for_the_cpu(test) for test in self.tests):
                    self.gpu_in_doubt = self.gpu_in_doubt or node.lineno
            else:
                self.note(Kind.GPU, "gpu()", node.lineno, "cpu()")
        if dotted in ("matplotlib.pyplot.style.use", "matplotlib.style.use") and node.args:
            self._style(node.args[0])
        if dotted == "open" and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            mode = node.args[1].value
            if isinstance(mode, str) and "U" in mode:
                plain = mode.replace("U", "") or "r"
                edits = self.repairs.replaced(node.args[1], repr(plain if plain[0] in "rwax" else "r" + plain))
                self.note(Kind.HABIT, f"open(file, {mode!r})", node.lineno, "open(file, 'r')", edits)
        if dotted == "len" and node.args and _lazy(node.args[0], self.scope, views=False):
            self._as_a_list(node.args[0])
        if dotted in ("range", "xrange") and any(map(self.fractions.has, node.args)):
            edits = [edit for argument in node.args for edit in self.repairs.floored(argument)]
            self.note(Kind.PYTHON2, f"{dotted}(x / y)", node.lineno, "range(x // y)", edits)

    def _fraction(self, what: str, line: int, *places: ast.expr) -> None:
        """Note expressions that are integers only in Python 2."""
        edits = [edit for place in places for edit in self.repairs.floored(place)]
        self.note(Kind.PYTHON2, what, line, "x // y", edits)

    def _style(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            today = node.value.replace("seaborn", "seaborn-v0_8", 1)
            if node.value.startswith("seaborn") and "v0_8" not in node.value:
                edits = self.repairs.replaced(node, repr(today))
                self.note(Kind.HABIT, f"Matplotlib's style {node.value!r}", node.lineno, repr(today), edits)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        place = _constant(node.slice)
        is_argument = self.scope.dotted(node.value) == "sys.argv" and isinstance(place, int) and place > 0
        if is_argument and not (self.copes or self.conditional) and isinstance(node.ctx, ast.Load):
            self.note(Kind.ARGUMENTS, f"sys.argv[{place}]", node.lineno)
        if self.scope.dotted(node.value) == "os.environ" and isinstance(place, str) and isinstance(node.ctx, ast.Load):
            is_set = place in os.environ or place in self.set_variables
            if not (is_set or self.copes or self.conditional):
                self.note(Kind.ARGUMENTS, f"os.environ[{place!r}]", node.lineno)
        if _lazy(node.value, self.scope) and isinstance(node.ctx, ast.Load):
            self._as_a_list(node.value)
        bounds = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else []
        fractions = [bound for bound in bounds if bound is not None and self.fractions.has(bound)]
        if fractions:
            self._fraction("[x / y:]", node.lineno, *fractions)
        if node in self.missing_arrays and not self.copes:
            said = translate("the list has {n} arrays", n=self.missing_arrays[node])
            self.note(Kind.ABSENT, ast.unparse(node), node.lineno, said)
        if isinstance(place, str) and not self.copes:
            self._numbered_parameter(node.value, place, node.lineno)
        self.generic_visit(node)

    def _numbered_parameter(self, container: ast.expr, name: str, line: int) -> None:
        """Check a parameter's automatic name, whose number counts the layers that the program makes."""
        member = container.func if isinstance(container, ast.Call) else container
        numbered = re.search(r"(?:^|_)(dense|conv|batchnorm|embedding|lstm|gru|rnn)(\d+)_\w+$", name)
        if isinstance(member, ast.Attribute) and member.attr in ("params", "collect_params") and numbered:
            layer, number = numbered.groups()
            if int(number) >= sum(bool(re.match(layer, one, re.IGNORECASE)) for one in self.calls):
                self.note(Kind.DOUBT, f"{member.attr}[{name!r}]", line)

    def _as_a_list(self, node: ast.expr) -> None:
        what = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else "map"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            what = node.func.id
        self.note(Kind.PYTHON2, f"{what}()[...]", node.lineno, "list(...)", self.repairs.wrapped(node, "list"))

    # --- requirements ---

    def _needs_of(self, node: ast.Call, dotted: str) -> None:
        if dotted and facts.is_download(dotted) and not self.is_local(root(dotted)):
            self.note(Kind.DOWNLOAD, f"{_short(dotted)}()", node.lineno)
        for keyword in node.keywords:
            value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            if keyword.arg == "pretrained" and value is True:
                self.note(
                    Kind.DOWNLOAD,
                    "pretrained=True",
                    node.lineno,
                    translate("pass pretrained=False, or provide the file"),
                )
        if dotted in ("os.system", "subprocess.call", "subprocess.check_call") and node.args:
            text = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
            if isinstance(text, str) and re.match(r"\s*(wget|curl|git clone)\b", text):
                self.note(Kind.DOWNLOAD, text.split()[0], node.lineno)
        last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if dotted.endswith((".plot_network", ".open")):
            last = last or dotted.rpartition(".")[2]
        name = last or dotted.rpartition(".")[2]
        if (not dotted or root(dotted) in facts.MXNET) and name in facts.DATA_SETS and not facts.is_download(dotted):
            self.note(Kind.DOWNLOAD, f"{_short(dotted) or name}()", node.lineno)
        self._reads(node, dotted, last)
        if dotted == "sqlite3.connect" and node.args and not self.copes:
            self._data_base(node.args[0], node.lineno)
        self._writes_into(node, last or dotted)
        self._needs_libraries(node, dotted, last)
        if dotted in _RUNNING_TEXTS and self.texts.of(node.args[0] if node.args else None) is None and not self.copes:
            self.note(Kind.DOUBT, f"{_short(dotted) or dotted}()", node.lineno)
        if dotted in _DEBUGGERS and not (self.copes or self.conditional or self.source.is_notebook):
            self.note(Kind.ARGUMENTS, f"{dotted}()", node.lineno, translate("the debugger waits for commands"))
        if dotted in ("input", "raw_input") and not self.copes and not self.conditional and not self.source.is_notebook:
            self.note(Kind.ARGUMENTS, f"{dotted}()", node.lineno)

    def _reads(self, node: ast.Call, dotted: str, last: str) -> None:
        """Check the file that a call reads: it may be missing, or depend on an option or a run-time value."""
        is_method = not dotted and last in facts.LOADING
        if dotted not in facts.FILES and dotted not in facts.READERS and not is_method:
            return
        if dotted in ("open", "io.open", "codecs.open") and _writes(node):
            return
        places = [] if dotted in facts.READERS else node.args[:1]
        wanted = facts.READERS.get(dotted, facts.FILE_ARGUMENTS)
        places = places or [keyword.value for keyword in node.keywords if keyword.arg in wanted]
        for place in places:
            name, option = self.texts.of(place), self.texts.option(place)
            if name is not None and re.match(r"(https?|ftp|s3)://", name):
                self.note(Kind.DOWNLOAD, f"{_short(dotted) or last}({name!r})", node.lineno)
            elif name is not None:
                self._file(name.split("*")[0].rpartition("/")[0] if "glob" in dotted else name, node.lineno,
                           facts.FILES.get(dotted, ""))  # fmt: skip
            elif option and not self.conditional and not self.copes:
                self.note(Kind.ARGUMENTS, option, node.lineno)
            elif facts.FILES.get(dotted) and not self.conditional:
                self.note(Kind.FILE, f"{_short(dotted)}()", node.lineno)
            elif not _is_in_memory(place):
                self.note(Kind.DOUBT, f"{_short(dotted) or last}()", node.lineno)

    def _data_base(self, place: ast.expr, line: int) -> None:
        """Check whether an SQLite file exists; if not, the program gets an empty database."""
        name = self.texts.of(place)
        if name is None or (name != ":memory:" and not (self.source.path.parent / name).exists()):
            self.note(Kind.DOUBT, "sqlite3.connect()", line)

    def visit_Assert(self, node: ast.Assert) -> None:
        for call in ast.walk(node.test):
            if isinstance(call, ast.Call) and self.scope.dotted(call.func) in _ASKING_FOR_FILES and call.args:
                name = self.texts.of(call.args[0])
                if name is None:
                    self.note(Kind.DOUBT, f"{_short(self.scope.dotted(call.func))}()", node.lineno)
                elif not (self.source.path.parent / name).exists():
                    self.note(Kind.FILE, name, node.lineno)
        self.generic_visit(node)

    def _writes_into(self, node: ast.Call, function: str) -> None:
        """Check whether the folder to which a call writes a file exists."""
        name = function.rpartition(".")[2]
        if self.makes_folders or not node.args or not (name in facts.SAVING or (name == "open" and _writes(node))):
            return
        places = [self.texts.of(argument) for argument in node.args[:2]]
        folder = next((text.rpartition("/")[0] for text in places if text and "/" in text), "")
        if folder and not re.search(r"://|[%{}<>\n]", folder) and not (self.source.path.parent / folder).is_dir():
            self.note(Kind.FILE, f"{folder}/", node.lineno)

    def _needs_libraries(self, node: ast.Call, dotted: str, last: str) -> None:
        """Check a call whose library needs another library or a program."""
        name = self.texts.of(node.args[0]) if node.args else None
        for module in facts.ENGINES.get(dotted, {}).get(Path(name or "").suffix, ()):
            if not facts.is_there(module):
                self.note(Kind.PACKAGE, module, node.lineno, f"pip install {module.replace('_', '-')}")
        if dotted in _WINDOWS and not self.copes and not facts.has_windows():
            self.note(Kind.PACKAGE, "opencv-python", node.lineno, "pip install opencv-python")
        draws = last in ("render", "view") and self.scope.library(node.func) in ("graphviz", "mxnet")
        shown = self.source.is_notebook and last == "plot_network"
        if (draws or shown) and not shutil.which("dot"):
            self.note(Kind.PACKAGE, "dot", node.lineno, translate("install Graphviz, which contains the program dot"))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant):
            self.visit(node.left)  # the end of a file name doesn't determine the file
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and facts.looks_like_a_file(node.value):
            self._file(node.value, node.lineno)

    def _file(self, name: str, line: int, ending: str = "") -> None:
        """Add a finding for a file name, unless the file exists or is an output of the program."""
        if not name or name in self.written or re.search(r"://|[%{}*<>\n ]", name):
            return
        there = Path(name + ending).expanduser()
        folders = [self.source.path.parent, *self.source.path.parent.parents[:3]]
        found = next((count for count, folder in enumerate(folders) if (folder / there).exists()), None)
        if found is None:
            self.note(Kind.FILE, name, line)
        elif found:
            above = "/".join([".."] * found)
            self.note(Kind.FILE, name, line, translate("run the program in {folder}", folder=above))

    def _option(self, node: ast.Call) -> None:
        """Check whether a command-line option is required, or selects a GPU by default."""
        names = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        named = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
        given = {k.arg for k in node.keywords}
        if not names:
            return
        wanted = names[0][:1] != "-" and named.get("nargs") not in ("?", "*") and "default" not in given
        if (wanted or named.get("required") is True) and not self.copes:
            self.note(Kind.ARGUMENTS, names[-1], node.lineno)
        default, name = named.get("default"), names[-1].lower()
        is_folder = isinstance(default, str) and "/" in default.rstrip("/") and not facts.looks_like_a_file(default)
        if is_folder and re.search(r"data|root|corpus|train|valid|test|input", name):
            self._file(str(default), node.lineno)
        self.has_gpu_option = self.has_gpu_option or bool(re.search(r"gpu|cuda|ctx|context|device", name))
        if "gpu" in name and named.get("action") is None:
            counts = bool(re.search(r"num|n_|count|ngpu", name))
            asks = (isinstance(default, str) and bool(re.match(r"\d", default))) or (
                isinstance(default, int) and not isinstance(default, bool) and default >= (1 if counts else 0)
            )
            asks = asks and not (counts and str(default) == "0")
        elif re.fullmatch(r"-*((use|on)[-_])?cpu|-*no[-_]?(gpus?|cuda)|-*disable[-_](gpu|cuda)", name):
            asks = named.get("action") == "store_true"
            self.gpu_unless_told = self.gpu_unless_told or (names[-1] if asks else "")
            return
        else:
            asks = bool(re.search(r"ctx|context|device", name)) and str(default).startswith("gpu")
        if asks:
            self.gpu_by_default = self.gpu_by_default or names[-1]

    def at_the_end(self) -> None:
        """Add the findings that depend on several lines."""
        if self.gpu_unless_told and self.gpu_in_doubt:
            self.gpu_by_default = self.gpu_by_default or self.gpu_unless_told
        if self.gpu_by_default and self.gpu_by_condition:
            said = translate("{option} requests a GPU by default", option=self.gpu_by_default)
            self.note(Kind.GPU, "gpu()", self.gpu_by_condition[0], said)
        elif self.gpu_in_doubt and not self.has_gpu_option:
            self.note(Kind.DOUBT, "gpu()", self.gpu_in_doubt)
        for line, text in self.source.shell:
            if re.match(r"(sudo\s+)?(wget|curl|git clone|kaggle|gdown)\b", text):
                self.note(Kind.DOWNLOAD, text.split()[0], line)


def _settled(tree: ast.Module, values: Container[object]) -> set[str]:
    """Return the variables whose only value in a file is one of the given constants."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    given = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target, value in _pairs(node.targets[0], node.value)
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and value.value in values
    }
    return {name for name in given if stored.count(name) == 1} - parameters


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Return the targets and values of an assignment, as in ``a, b = 1, 2``."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        yield from zip(target.elts, value.elts, strict=False)
    else:
        yield target, value


def _arrays(tree: ast.Module, scope: Scope) -> set[str]:
    """Return the variables that are always arrays of MXNet, because the file assigns only new arrays to them."""
    bound = [name for node in ast.walk(tree) for name in bound_by(node)]
    bound += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    made = [
        node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call) and scope.dotted(node.value.func) in facts.MAKING_ARRAYS
    ]  # fmt: skip
    return {name for name in made if made.count(name) == bound.count(name)}


def _set_by_functions(tree: ast.Module) -> set[str]:
    """Return the global names that functions of a file may bind."""
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def _bound_in(statement: ast.stmt) -> Iterator[str]:
    """Return the names that a statement binds, including local names of functions in it."""
    return (name for node in ast.walk(statement) for name in bound_by(node))


def _below_book(dotted: str) -> str:
    """Return the name of a book's function, also if it is accessed through the module with all names."""
    return ".".join(part for part in dotted.split(".")[1:3] if part not in ("mxnet", "utils")).partition(".")[0]


def _below(node: ast.AST, name: str) -> str:
    """Return the part of a dotted expression after the name; empty for other expressions."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed(parts)) if isinstance(node, ast.Name) and node.id == name else ""


def _catches(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler catches errors about missing names."""
    if any(isinstance(node, ast.Raise) for part in handler.body for node in ast.walk(part)):
        return False
    if handler.type is None:
        return True
    caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(caught & _CATCHING)


def _prefixes(dotted: str) -> Iterator[tuple[str, str]]:
    """Return each split of a dotted name into a module and a name in it."""
    parts = dotted.split(".")
    for count in range(1, len(parts)):
        yield ".".join(parts[:count]), parts[count]


def _lazy(node: ast.expr, scope: Scope, views: bool = True) -> bool:
    """Return whether an expression is a list only in Python 2; dictionary views also count if ``views`` is true."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "values", "items"):
        return views and not node.args and scope.library(node.func.value) in ("", "builtins")
    return isinstance(node.func, ast.Name) and scope.dotted(node.func) in ("map", "filter", "zip")


_WRITING = re.compile(
    r"save|dump|write|export|to_csv|makedirs|mkdir|checkpoint|download|retrieve|exists|isfile|isdir|log|plot|add_help|extract"
)
_OUTPUT = re.compile(r"save|out|log|result|export|dest|store|checkpoint|snapshot|prefix|model[-_]?dir|tmp|temp|work")


def _is_in_memory(node: ast.expr) -> bool:
    """Return whether an expression creates a file in memory."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("BytesIO", "StringIO")


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _written_files(tree: ast.Module) -> Iterator[str]:
    """Return the strings in a program that name its output files, or files that need not exist."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            options = [str(_constant(a)) for a in node.args if isinstance(a, ast.Constant)]
            writes = _writes(node)
            if function in ("append", "insert") and isinstance(node.func, ast.Attribute):
                writes = isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "path"
            if function == "add_argument":
                writes = bool(options) and bool(_OUTPUT.search(options[0]))
            if writes:
                yield from _texts(node)
            for keyword in node.keywords:
                if keyword.arg == "help" or _OUTPUT.search(keyword.arg or ""):
                    yield from _texts(keyword.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from _texts(node.value)  # a docstring
        elif isinstance(node, ast.Assign) and any(_OUTPUT.search(name) for name in _targets(node)):
            is_input = isinstance(node.value, ast.Call) and _loads(node.value)  # saved = load("net.params")
            yield from () if is_input else _texts(node.value)


def _called(tree: ast.Module) -> Iterator[str]:
    """Return the last names of all functions that a file calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _written_places(tree: ast.Module) -> Iterator[ast.expr]:
    """Return the arguments of calls that write files."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _writes(node):
            yield from node.args


def _loads(node: ast.Call) -> bool:
    """Return whether a call reads a file, as its function's name says."""
    return bool(re.match(r"(im)?(load|read|open)", ast.unparse(node.func).rpartition(".")[2])) and not _writes(node)


def _writes(node: ast.Call) -> bool:
    """Return whether a call writes a file, or does not require that the file exists."""
    function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    mode = _constant(node.args[1]) if len(node.args) > 1 else None
    mode = next((_constant(keyword.value) for keyword in node.keywords if keyword.arg == "mode"), mode)
    opens = function == "open" and isinstance(mode, str) and mode[:1] in ("w", "a", "x")
    return opens or bool(_WRITING.search(function) and not re.match(r"(load|read|restore|get)_", function))


def _targets(node: ast.Assign) -> list[str]:
    return [
        t.id if isinstance(t, ast.Name) else t.attr for t in node.targets if isinstance(t, (ast.Name, ast.Attribute))
    ]


def _texts(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _short(dotted: str) -> str:
    return ".".join(dotted.split(".")[-2:])


def _why(told: str) -> str:
    """Return the reason why MXNet's name is missing; without a reason, say that MXNet 1.9.1 lacks the name."""
    return told or translate("MXNet 1.9.1 has no such name")


#: Names that every module has.
_OF_MODULES = {"__file__", "__name__", "__doc__", "__path__", "__package__", "__spec__", "__builtins__", "__loader__",
               "__class__", "WindowsError", "__version__", "__all__", "__module__", "__qualname__"}  # fmt: skip

_STATEMENTS_TODAY = {
    "print": "print(x)", "exec": "exec(code)", "raise": "raise Error(message)", "except": "except Error as error:",
    "<>": "!=", "backquotes": "repr(x)", "ur'...'": "r'...'", "long numbers": "int", "octal": "0o777",
    "tabs among spaces": "spaces",
}  # fmt: skip

add_words(
    {
        "The file is not Python ({where}): {why}": "文件不是 Python 程序（{where}）：{why}",
        "install Graphviz, which contains the program dot": "请安装 Graphviz，其中有 dot 程序",
        "pass pretrained=False, or provide the file": "改用 pretrained=False，或者准备好文件",
        "nothing in the program defines it": "程序里没有定义它",
        "put the book's package next to the program": "请把书自带的包放在程序旁边",
        "{option} requests a GPU by default": "{option} 默认使用 GPU",
        "MXNet 1.9.1 has no such name": "MXNet 1.9.1 没有这个名字",
        "run the program in {folder}": "请在 {folder} 里运行程序",
        "it is defined only in a later line": "在后面的行里才定义",
        "the array has {n} elements": "数组有 {n} 个元素",
        "the debugger waits for commands": "调试器会等待命令",
        "the padding must be smaller than the window": "填充必须小于汇聚窗口",
        "the argument {name} must be a device": "实参 {name} 必须是设备",
        "an array has no such attribute": "数组没有这个属性",
        "{library} has no such name": "{library} 没有这个名字",
        "the list has {n} arrays": "列表里有 {n} 个数组",
    }
)
