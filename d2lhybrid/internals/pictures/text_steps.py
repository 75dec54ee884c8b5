"""The lesson's first program step by step: a program in a string is defined, compiled, rewritten, and executed.

The steps use real results: Python parses and compiles the source, :mod:`.text_rewriting` rewrites it, and both
programs run while their calls are counted.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import io
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from ..support.words import translate
from .compile_steps import StepData
from .limit import Overtime, time_limit
from .lines import Follower, tracing
from .picture import action
from .problem import Problem, problem_of
from .steps.model import Chapter, Drawing, NodeInfo, ProgramText, Source, Step
from .steps.registry import MAX_DRAWN
from .text_rewriting import Rewrite, Rewriter, to_text

__all__ = ["Execution", "TextSteps", "execute", "text_steps"]

_NAME = "<the program text>"
#: The maximum number of observed lines, and the maximum length of values.
MAX_LINES, MAX_VALUE = 60, 60
#: The time limit in seconds, because edited programs may contain infinite loops.
PATIENCE = 3.0


#: Flags of functions whose frames may be entered several times.
_GOES_ON = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Execution:
    """The record of a program's run.

    Attributes
    ----------
    printed : str
        The printed text.
    error : Exception or None
        The error that the program raised. :attr:`line` is its line number, or 0 for an error raised elsewhere.
    calls : int
        Number of calls of the program's own functions.
    lines : list of (int, dict of str to str, str)
        For each line that ran: the line number, the local variables that changed and the returned value, and
        the printed text.
    instructions : int
        Number of instructions in the bytecode.
    """

    def __init__(self) -> None:
        self.printed = ""
        self.error: BaseException | None = None
        self.line = 0
        self.calls = 0
        self.lines: list[tuple[int, dict[str, str], str]] = []
        self.instructions = 0


def _instructions(code: CodeType) -> int:
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return sum(1 for _ in dis.get_instructions(code)) + sum(map(_instructions, inner))


def execute(text: str) -> Execution:
    r"""Compile and run a program in a string, and return the record of the run.

    Examples
    --------
    >>> done = execute("def one(): return 1\nprint(one() + one())")
    >>> done.printed, done.calls
    ('2\n', 2)
    """
    done, printed = Execution(), io.StringIO()
    code = compile(text, _NAME, "exec")
    done.instructions = _instructions(code)
    pending: dict[FrameType, tuple[int, int]] = {}
    generators: set[FrameType] = set()
    seen: dict[FrameType, dict[str, str]] = {}

    def finish(frame: FrameType, result: dict[str, str]) -> None:
        if frame in pending and len(done.lines) < MAX_LINES:
            number, start = pending.pop(frame)
            values, before = _shown(frame), seen.get(frame, {})
            seen[frame] = values
            changed = {n: v for n, v in values.items() if before.get(n) != v}
            done.lines.append((number, {**changed, **result}, printed.getvalue()[start:]))

    def inside(frame: FrameType, event: str, argument: Any) -> None:
        if event in ("line", "return"):
            returned = event == "return" and frame.f_code is not code
            finish(frame, {"return": _short(argument)} if returned else {})
        if event == "line":
            pending[frame] = frame.f_lineno, len(printed.getvalue())

    def enter(frame: FrameType) -> Follower | None:
        if frame.f_code.co_filename != _NAME:
            return None
        done.calls += _is_call(frame, generators)
        return inside

    with contextlib.redirect_stdout(printed), tracing(enter):
        try:
            exec(code, {"__name__": "__main__", "input": _nobody})
        except (Exception, SystemExit) as error:
            done.error, done.line = error, _line_of(error)
    done.printed = printed.getvalue()
    return done


def _is_call(frame: FrameType, generators: set[FrameType]) -> bool:
    """Return whether a frame begins a function, rather than a class body, a comprehension, or a resumed generator."""
    code = frame.f_code
    if not code.co_flags & inspect.CO_OPTIMIZED or (code.co_name.startswith("<") and code.co_name != "<lambda>"):
        return False
    if code.co_flags & _GOES_ON:
        if frame in generators:
            return False
        generators.add(frame)
    return True


def _nobody(prompt: object = "") -> str:
    """Raise an error in place of ``input``, whose prompt would be invisible while a program is observed."""
    raise EOFError("an observed program cannot call input(). Replace the call with a value.")


def _line_of(error: BaseException) -> int:
    """Return the innermost line of the program through which an error propagated."""
    found, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == _NAME:
            found = step.tb_lineno
        step = step.tb_next
    return found


def _shown(frame: FrameType) -> dict[str, str]:
    local = frame.f_locals.items()
    return {name: _short(value) for name, value in local if not name.startswith("__") and not callable(value)}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 1] + "…"


class TextSteps(StepData):
    """The steps of a program in a string, as returned by :func:`text_steps`.

    Attributes
    ----------
    program, rewritten : str
        The original program, and the rewritten program.
    start : ast.Module
        Syntax tree of the original program.
    rewrites : list of Rewrite
        All rewritings.
    before, after : Execution
        Runs of the original program and of the rewritten program.
    problem : Problem or None
        Problem of the last edited source, if it was rejected; see :meth:`write`.
    """

    program: str
    sources: list[Any]
    rewritten: str
    before: Execution
    after: Execution
    chapters: list[Chapter]

    view_name = "text_steps"

    def __init__(self, program: str) -> None:
        super().__init__(translate("Compiling a program in a string"))
        self.problem: Problem | None = None
        self._take(program)

    def rewrite(self, program: str) -> None:
        """Replace the program, and compute all steps again.

        Raises
        ------
        SyntaxError
            If the source is invalid. In this case, the steps do not change.
        """
        newer = type(self)(program)
        vars(self).update({name: value for name, value in vars(newer).items() if name != "_view"})

    @action
    def write(self, program: str) -> None:
        r"""Replace the program with an edited source.

        If the source is invalid, or the program does not end, the method sets :attr:`problem` and changes nothing else.

        Examples
        --------
        >>> steps = text_steps("print(1 + 2)")
        >>> steps.write("print(1 + 2")
        >>> steps.problem.line, steps.problem.message, steps.rewritten
        (1, "SyntaxError: '(' was never closed", 'print(3)\n')
        """
        try:
            with time_limit(PATIENCE):
                self.rewrite(program)
        except (Exception, Overtime) as error:
            self.problem = problem_of(error, _NAME)
            self.problem.line += len(program) - len(program.lstrip("\n"))

    def to_dict(self) -> dict[str, Any]:
        """Return the data that the widget displays."""
        from .text_steps_data import data_of

        return data_of(self)

    def _take(self, program: str) -> None:
        self.program = program.strip("\n") + "\n"
        tree = ast.parse(self.program, _NAME)
        rewriter = Rewriter(self.program)
        start = rewriter.start
        self.start: ast.Module = start
        self.rewrites: list[Rewrite] = list(rewriter.run())
        self.sources = [Source(translate("the program text"), _NAME, 1, self.program.splitlines())]
        self._numbers: dict[int, int] = {}
        final = self.rewrites[-1].program if self.rewrites else start
        changed = any(r.kind != "kept" for r in self.rewrites)
        self.rewritten = to_text(final) + "\n" if changed else self.program
        self.before, self.after = execute(self.program), execute(self.rewritten)
        self.chapters = [
            Chapter("define", translate("Define"), list(self._define(tree))),
            Chapter("parse", translate("Compile"), list(self._parse(start))),
            *self._rewriting(start),
            Chapter("execute", translate("Execute"), list(self._execute(start, final))),
        ]

    # --- define and compile ----------------------------------------------------------------------

    def _define(self, tree: ast.Module) -> Iterator[Step]:
        count = len(self.program)
        yield Step(
            translate("The computation is defined as text: a string of {count} characters.", count=count),
            translate("Nothing is computed. A compiler sees the whole program at once."),
            lines=((0, 1),),
        )
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                text = translate(
                    "The text describes how {name} is computed. No function exists yet.", name=statement.name
                )
            else:
                text = translate("The text describes a computation: {piece}", piece=to_text(statement).splitlines()[0])
            yield Step(text, translate("A definition, not a computation."), lines=((0, statement.lineno),))

    def _parse(self, tree: ast.Module) -> Iterator[Step]:
        drawing = self._draw(tree)
        yield Step(
            translate("compile() reads the text. The statements that call functions, as trees:"),
            translate("The expression to compute first is on top; a call needs its arguments."),
            drawing, focus=(), half=self._text("p0", self.program.splitlines()),
        )  # fmt: skip
        yield Step(
            translate("Python compiles it to {count} instructions, which make {calls} calls.",
                      count=self.before.instructions, calls=self.before.calls),
            translate("Python keeps every call, because a function could be redefined. With the whole program, a "
                      "compiler can do better."),
            drawing, half="p0",
        )  # fmt: skip

    def _text(self, name: str, lines: list[str]) -> str:
        self.programs[name] = ProgramText(name, lines, [-1] * len(lines))
        return name

    # --- rewriting -------------------------------------------------------------------------------

    def _rewriting(self, tree: ast.Module) -> Iterator[Chapter]:
        inline, fold = Chapter("inline", translate("Inline"), []), Chapter("fold", translate("Fold"), [])
        current, name = tree, "p0"
        for i, rewrite in enumerate(self.rewrites, 1):
            text = to_text(rewrite.program)
            newer = name if text == to_text(current) else self._text(f"p{i}", text.splitlines())
            folding = rewrite.kind == "folded" or (rewrite.kind == "kept" and bool(fold.steps))
            (fold if folding else inline).steps.extend(self._rewrite(rewrite, current, name, newer))
            current, name = rewrite.program, newer
        found = [chapter for chapter in (inline, fold) if chapter.steps]
        text = translate(
            "Nothing to rewrite: the program has no calls of its own functions, and no constant expressions."
        )
        nothing = Step(text, drawing=self._draw(tree), half="p0")
        yield from found or [Chapter("unchanged", translate("Rewrite"), [nothing])]

    def _rewrite(self, rewrite: Rewrite, current: ast.Module, older: str, newer: str) -> Iterator[Step]:
        """Yield a step that shows the code to replace, then a step that shows the replacement."""
        before, after = self._draw(current), self._draw(rewrite.program)
        gone = tuple(n for n in self.drawings[before].nodes if n not in self.drawings[after].nodes)
        new = tuple(n for n in self.drawings[after].nodes if n not in self.drawings[before].nodes)
        lines = ((0, rewrite.line),) if rewrite.line else ()
        why = translate(WHY[rewrite.kind])
        if gone:
            text = translate("Now {piece}:", piece=to_text(rewrite.old))
            mark = "folded" if rewrite.kind == "folded" else "removed"
            yield Step(text, why, before, focus=gone, marks={mark: gone}, half=older, lines=lines)
        line = 0 if rewrite.new is None else _line_with(self.programs[newer].lines, to_text(rewrite.new))
        marks = {"added": new} if new else {}
        yield Step(rewrite.text, why, after, focus=new, marks=marks, half=newer, lines=lines, line=line)

    # --- executing -------------------------------------------------------------------------------

    def _execute(self, start: ast.Module, final: ast.Module) -> Iterator[Step]:
        drawing = self._draw(start)
        why = translate("The original program makes every call, and stores the value of every name.")
        for number, values, printed in self.before.lines:
            line = self.program.splitlines()[number - 1].strip()
            shown = tuple(values.items())
            if line.startswith("def "):
                text = translate("Line {number} has run, and defined a function.", number=number)
                yield Step(text, why, drawing, half="p0", line=number, lines=((0, number),))
                continue
            text = translate("Line {number} has run: {piece}", number=number, piece=line)
            lines = ((0, number),)
            yield Step(text, why, drawing, half="p0", line=number, lines=lines, shown=shown[:6], printed=printed)
        if self.rewritten != self.program:
            yield from self._execute_rewritten(final)

    def _execute_rewritten(self, final: ast.Module) -> Iterator[Step]:
        before, after = self.before, self.after
        name = list(self.programs)[-1]
        yield Step(
            translate("The rewritten program runs: {calls} calls, not {before}; {count} instructions, not {more}.",
                      calls=after.calls, before=before.calls, count=after.instructions, more=before.instructions),
            translate("Fewer calls and less memory for intermediate values are the benefits of symbolic programming."),
            self._draw(final), half=name, line=len(self.programs[name].lines), printed=after.printed,
        )  # fmt: skip
        same = before.printed == after.printed and repr(before.error) == repr(after.error)
        text = translate("Both print the same.") if same else translate("They do not print the same!")
        raised = "" if after.error is None else f"{type(after.error).__name__}: {after.error}"
        yield Step(text, raised, self._draw(final), half=name, printed=after.printed)

    # --- trees -----------------------------------------------------------------------------------

    def _draw(self, tree: ast.Module) -> int:
        """Return the index of the drawing with the trees of all statements that compute."""
        nodes: dict[int, None] = {}
        edges: list[tuple[int, int]] = []

        def visit(node: ast.AST) -> int:
            children = [visit(c) for c in _operands(node)]
            number = self._number(node)
            nodes[number] = None
            edges.extend((c, number) for c in children)
            return number

        for statement in tree.body:
            value = getattr(statement, "value", None)
            if isinstance(statement, ast.Expr | ast.Assign) and isinstance(value, ast.Call | ast.BinOp):
                visit(value)
        drawing = _cut(list(nodes), edges)
        for i, other in enumerate(self.drawings):
            if other.nodes == drawing.nodes and other.edges == drawing.edges:
                return i
        self.drawings.append(drawing)
        return len(self.drawings) - 1

    def _number(self, node: ast.AST) -> int:
        """Return the index of a node; a node that was not rewritten keeps its index."""
        key = getattr(node, "number", None)
        if key is None or key not in self._numbers:
            kind = "call" if isinstance(node, ast.Call) else "number" if isinstance(node, ast.Constant) else "operator"
            line = getattr(node, "lineno", 0)
            self.nodes.append(NodeInfo(_label(node), "", kind, "", ((0, line),) if line else ()))
            if key is None:
                return len(self.nodes) - 1
            self._numbers[key] = len(self.nodes) - 1
        return self._numbers[key]


def _cut(nodes: list[int], edges: list[tuple[int, int]]) -> Drawing:
    kept = set(nodes[:MAX_DRAWN])
    return Drawing(nodes[:MAX_DRAWN], [e for e in edges if kept.issuperset(e)], {}, len(nodes))


#: Kind of rewriting -> reason why the rewriting is correct.
WHY = {
    "inlined": "The body of a pure function can replace its call, with arguments in place of parameters.",
    "propagated": "The name is assigned once, and its value is known.",
    "folded": "A value that depends on no input is the same in every run.",
    "removed": "It is no longer needed.",
    "kept": "A rewrite must never change what a program does.",
}


def _line_with(lines: list[str], piece: str) -> int:
    """Return the last line that contains a piece of code, or 0."""
    return next((i for i in range(len(lines), 0, -1) if piece in lines[i - 1]), 0)


def _operands(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Call):
        return [*node.args, *(k.value for k in node.keywords)]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [node.operand] if isinstance(node, ast.UnaryOp) else []


def _label(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        return to_text(node.func)
    if isinstance(node, ast.BinOp):
        return to_text(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[2:-2]
    text = to_text(node)
    return text if len(text) <= 24 else text[:23] + "…"


def text_steps(program: str) -> TextSteps:
    r"""Compile, rewrite, and run a program in a string, and return all steps.

    The program runs twice: in its original form, and rewritten.

    Parameters
    ----------
    program : str
        Source with functions, and statements that call them, such as ``evoke_str()`` of the lesson.

    Returns
    -------
    TextSteps
        The steps, displayed in a notebook.

    Raises
    ------
    TypeError
        If the program is not a string.
    SyntaxError
        If the source is invalid.

    Examples
    --------
    >>> steps = text_steps('''
    ... def add(a, b):
    ...     return a + b
    ... print(add(add(1, 2), add(3, 4)))
    ... ''')
    >>> print("\n".join(r.text for r in steps.rewrites))
    add(add(1, 2), add(3, 4)) becomes add(1, 2) + add(3, 4).
    ...
    3 + 7 is 10: computed now, once.
    >>> print(steps.rewritten)
    print(10)
    """
    if not isinstance(program, str):
        raise TypeError(f"text_steps takes a program as a string, not {type(program).__name__}")
    return TextSteps(program)
