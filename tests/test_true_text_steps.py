"""What is said of a program in a string is what Python does with it: counted by Python's own tools."""

from __future__ import annotations

import ast
import contextlib
import dis
import io
import re
import types
from types import SimpleNamespace
from typing import Any

import pytest
from said import parsed, texts_in

from d2lhybrid.internals.pictures.text_steps import text_steps
from d2lhybrid.internals.pictures.text_steps_data import data_of

#: Texts of the view.
ABOUT_THE_VIEW = {"Edit the program: the rewritten program follows.", "This result is from the last text that ran."}
TEXTS = texts_in("text_*.py") - ABOUT_THE_VIEW - {"{old} stays: {error}."}  # it looks as that of a call
LESSON = """
def add(a, b):
    return a + b

def fancy_func(a, b, c, d):
    e = add(a, b)
    f = add(c, d)
    g = add(e, f)
    return g

print(fancy_func(1, 2, 3, 4))
"""
PROGRAMS = {
    "the lesson": LESSON,
    "nothing to rewrite": "import math\nprint(math.pi > 3)\n",
    "no output": "def one():\n    return 1\nx = one()\n",
    "several prints": "def twice(a):\n    return a * 2\nprint(twice(1))\nprint('a')\nprint(twice(3))\n",
    "a long loop": "total = 0\nfor i in range(100):\n    total = total + i\nprint(total)\n",
    "a generator": "def numbers():\n    yield 1\n    yield 2\n\ndef add(a, b):\n    return a + b\n"
    "print(add(*numbers()))\n",
    "a class": "class Pair:\n    size = 2\n\n    def both(self):\n        return self.size\nprint(Pair().both())\n",
    "a name": "n = 3\nprint(n * 2 + 1)\n",
    "an error": "print('first')\nprint(1 / 0)\n",
    "too large": "print(len(str(2 ** 99999)))\nprint(1 < 2 < 3)\n",
    "an argument that is called": "def apply(f, x):\n    return f(x)\nprint(apply(abs, -1))\n",
    "a name from outside": "k = 2\nk = 3\n\ndef scale(a):\n    return a * k\nprint(scale(2))\n",
    "a statement": "def loud(a):\n    print(a)\n    return a\nprint(loud(2))\n",
    "computed twice": "import random\n\ndef square(a):\n    return a * a\nn = 1\nn = 2\nprint(square(n + 1))\n",
    "not used": "def first(a, b):\n    return a\nn = 1\nn = 2\nprint(first(1, n + 1))\n",
    "not always used": "def pick(a, b):\n    return a if a else b\nn = 1\nn = 2\nprint(pick(1, n + 1))\n",
    "no name": "def head(a):\n    return a[0].upper()\nprint(head('abc'))\n",
    "a doubtful argument": "def same(a):\n    return a\nprint(same([1, 2].pop()))\nprint(same([1, 2]))\n",
    "not defined yet": "try:\n    print(late(1))\nexcept NameError:\n    print('late')\n\ndef late(a):\n    return a\n",
    "defined later": "print(later(2))\n\ndef later(a):\n    return a + 1\n",
    "calls that may do more": "def loud(a):\n    return print(a)\n\ndef outer(a):\n    return loud(a)\nouter(2)\n",
}


class _Counting(ast.NodeTransformer):
    """It writes into every function of a program that it is called."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.parse("_called()").body[0])
        return node


def ran(program: str) -> SimpleNamespace:
    """Run a program, in which each function counts its calls; return also the names that it leaves behind."""
    found = SimpleNamespace(calls=0, error=None, names={"__name__": "__main__"})
    out = io.StringIO()

    def called() -> None:
        found.calls += 1

    found.names["_called"] = called
    counting = ast.fix_missing_locations(_Counting().visit(ast.parse(program)))
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(counting, "<counted>", "exec"), found.names)
        except Exception as error:
            found.error = error
    found.printed = out.getvalue()
    found.instructions = instructions(compile(program, "<counted>", "exec"))
    return found


def instructions(code: types.CodeType) -> int:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return len(list(dis.get_instructions(code))) + sum(map(instructions, inner))


def value_of(piece: str, case: str) -> Any:
    """Return what a piece of a program is, after the program has run."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return repr(eval(piece, dict(ran(PROGRAMS[case]).names)))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def function_of(case: str, name: str) -> ast.FunctionDef:
    return next(n for n in ast.walk(ast.parse(PROGRAMS[case])) if isinstance(n, ast.FunctionDef) and n.name == name)


def said(case: str) -> list[tuple[str, dict[str, str], Any]]:
    """Return every sentence about a program, with its values and its step."""
    steps = text_steps(PROGRAMS[case])
    told = [(sentence, step) for step in steps.steps for sentence in (step.text, step.why)]
    data = data_of(steps)
    told += [(version[key], version) for version in data["versions"] for key in ("text", "why")]
    told += [(text, data) for text in (*data["kept"], data["same"])]
    if data["ask"] is not None:
        told += [(data["ask"]["text"], data["ask"]), (data["ask"]["why"], data["ask"])]
    found = []
    for sentence, step in told:
        is_error = (
            steps.after.error is not None and sentence == f"{type(steps.after.error).__name__}: {steps.after.error}"
        )
        texts = parsed(sentence, TEXTS)
        assert texts or not sentence or is_error, sentence
        for text, values in texts:
            found.append((text, values, step))
            found += [(inner, more, step) for key in ("reason", "error") if key in values
                      for inner, more in parsed(values[key], TEXTS)]  # fmt: skip
    return found


TRUE: dict[str, Any] = {}


def about(*texts: str) -> Any:
    """Note a function that compares sentences with what Python does."""

    def note(function: Any) -> Any:
        TRUE.update(dict.fromkeys(texts, function))
        return function

    return note


@pytest.mark.parametrize("case", PROGRAMS)
def test_every_sentence_about_a_program_is_true(case: str) -> None:
    steps = text_steps(PROGRAMS[case])
    before, after = ran(steps.program), ran(steps.rewritten)
    for text, values, step in said(case):
        known = {"case": case, "steps": steps, "before": before, "after": after, "step": step, "text": text}
        now = SimpleNamespace(**(known | values))  # a sentence may give a number by one of these names
        TRUE[text](now)


#: A rewriting that changes what a program prints would be a fault.
SELDOM = {"They do not print the same!"}


def test_every_sentence_is_said_of_a_program_and_compared() -> None:
    assert set(TRUE) | SELDOM == TEXTS
    assert not TEXTS - SELDOM - {text for case in PROGRAMS for text, *_ in said(case)}


# --- define and compile ---


@about("The computation is defined as text: a string of {count} characters.")
def it_has_as_many_characters(now: Any) -> None:
    assert int(now.count) == len(now.steps.program)


@about(
    "Nothing is computed. A compiler sees the whole program at once.",
    "A definition, not a computation.",
    "compile() reads the text. The statements that call functions, as trees:",
)
def nothing_is_printed(now: Any) -> None:
    assert not getattr(now.step, "printed", "")
    assert isinstance(compile(now.steps.program, "<text>", "exec"), types.CodeType)


@about("The text describes how {name} is computed. No function exists yet.")
def it_describes_a_function(now: Any) -> None:
    assert function_of(now.case, now.name).lineno == now.step.lines[0][1] - now.steps.program.count(
        "\n", 0, 0
    ) + offset(now)


def offset(now: Any) -> int:
    """Return how many lines the steps leave out at the beginning of a program."""
    return len(PROGRAMS[now.case]) - len(PROGRAMS[now.case].lstrip("\n"))


@about("The text describes a computation: {piece}")
def it_describes_a_statement(now: Any) -> None:
    statements = [ast.unparse(s).splitlines()[0] for s in ast.parse(now.steps.program).body]
    plain = [re.sub(r"[()\s]", "", one) for one in statements]
    assert re.sub(r"[()\s]", "", now.piece) in plain


@about("The expression to compute first is on top; a call needs its arguments.")
def operands_come_first(now: Any) -> None:
    drawing = now.steps.drawings[now.step.drawing]
    assert all(drawing.nodes.index(a) < drawing.nodes.index(b) for a, b in drawing.edges)


@about("Python compiles it to {count} instructions, which make {calls} calls.")
def as_many_instructions(now: Any) -> None:
    assert (int(now.count), int(now.calls)) == (now.before.instructions, now.before.calls)


@about(
    "Python keeps every call, because a function could be redefined. With the whole program, a compiler can do better.",
    "The original program makes every call, and stores the value of every name.",
)
def every_call_is_made(now: Any) -> None:
    code = compile(now.steps.program, "<text>", "exec")
    calls = sum(i.opname.startswith(("CALL", "PRECALL")) for c in codes(code) for i in dis.get_instructions(c))
    written = sum(isinstance(n, ast.Call) for n in ast.walk(ast.parse(now.steps.program)))
    assert calls >= written
    for name, value in getattr(now.step, "shown", ()):
        if name != "return" and name in now.before.names and now.case in ("a name", "no output"):
            assert value == repr(now.before.names[name])


def codes(code: types.CodeType) -> list[types.CodeType]:
    return [code, *(inner for c in code.co_consts if isinstance(c, types.CodeType) for inner in codes(c))]


# --- rewriting ---


@about(
    "{call} becomes {new}.", "The body of a pure function can replace its call, with arguments in place of parameters."
)
def a_call_becomes_its_body(now: Any) -> None:
    if hasattr(now, "call"):
        assert value_of(now.call, now.case) == value_of(now.new, now.case)


@about("{name} is always {value} here.", "The name is assigned once, and its value is known.")
def a_name_is_a_constant(now: Any) -> None:
    if hasattr(now, "name"):
        assert repr(now.before.names[now.name]) == now.value
        stored = [n for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.Name) and n.id == now.name]
        assert sum(isinstance(n.ctx, ast.Store) for n in stored) == 1


@about("{old} is {value}: computed now, once.", "A value that depends on no input is the same in every run.")
def it_is_a_constant(now: Any) -> None:
    if hasattr(now, "old"):
        assert repr(eval(now.old, {})) == repr(eval(now.value, {}))


@about("{name} is no longer called, so its definition is removed.", "It is no longer needed.")
def a_definition_is_removed(now: Any) -> None:
    if hasattr(now, "name"):
        names = {n.id for n in ast.walk(ast.parse(now.steps.rewritten)) if isinstance(n, ast.Name)}
        assert now.name not in names and f"def {now.name}" not in now.steps.rewritten


@about("{name} is left as it is: {reason}.", "A rewrite must never change what a program does.")
def a_function_stays(now: Any) -> None:
    if hasattr(now, "name"):
        assert f"def {now.name}(" in now.steps.rewritten


@about("{call} stays: {reason}.")
def it_stays(now: Any) -> None:
    own = ("ValueError: the result would be too large", "ValueError: only simple comparisons are computed")
    if re.match(r"\w+Error: ", now.reason):  # an operation on constants
        assert now.reason in own or value_of(now.call, now.case) == now.reason
    assert re.sub(r"[()\s]", "", now.call) in re.sub(r"[()\s]", "", now.steps.rewritten)


@about("Now {piece}:")
def it_is_there_before(now: Any) -> None:
    older = re.sub(r"[()\s]", "", "\n".join(now.steps.programs[now.step.half].lines))
    assert re.sub(r"[()\s]", "", now.piece) in older


@about("Nothing to rewrite: the program has no calls of its own functions, and no constant expressions.")
def there_is_nothing_to_rewrite(now: Any) -> None:
    tree = ast.parse(now.steps.program)
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") in own]
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.left, ast.Constant)
                and isinstance(n.right, ast.Constant)]  # fmt: skip


@about("Nothing is rewritten; the reasons are listed.")
def nothing_is_rewritten(now: Any) -> None:
    assert now.steps.rewritten == now.steps.program and data_of(now.steps)["kept"]


# --- reasons ---


@about("it uses {name} from outside")
def it_uses_a_name_from_outside(now: Any) -> None:
    functions = [n for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.FunctionDef)]
    users = [f for f in functions if now.name in {n.id for n in ast.walk(f) if isinstance(n, ast.Name)}]
    assert any(now.name not in {a.arg for a in f.args.args} for f in users)


@about("it calls its argument {name}")
def it_calls_its_argument(now: Any) -> None:
    functions = [n for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.FunctionDef)]
    calls = [(f, n) for f in functions for n in ast.walk(f) if isinstance(n, ast.Call)]
    assert any(getattr(n.func, "id", "") == now.name and now.name in {a.arg for a in f.args.args} for f, n in calls)


@about("it calls {names}, which may do more than compute")
def it_calls_what_may_do_more(now: Any) -> None:
    called = {getattr(n.func, "id", "") for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.Call)}
    inlined = {r.text.split("(")[0] for r in now.steps.rewrites if r.kind == "inlined"}
    assert {*now.names.split(", ")} <= called - inlined


@about("line {line} contains a statement ({kind}) other than `name = ...`")
def a_line_is_a_statement(now: Any) -> None:
    kinds = {
        type(n).__name__ for n in ast.walk(ast.parse(now.steps.program)) if getattr(n, "lineno", 0) == int(now.line)
    }
    assert now.kind in kinds


@about(
    "{piece} is more than arithmetic",
    "{piece} may do more than compute",
    "{piece} is not a call of a function by its name",
)
def a_piece_is_more(now: Any) -> None:
    nodes = {ast.unparse(n): n for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.expr)}
    node = nodes[ast.unparse(ast.parse(now.piece))]
    if "not a call" in now.text:
        assert isinstance(node, ast.Call) and not isinstance(node.func, ast.Name)
    elif "may do more" in now.text:
        assert isinstance(node, ast.Call)
    else:
        assert not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Name | ast.Constant)


@about("{name} would be computed {count} times")
def it_would_be_computed_again(now: Any) -> None:
    loads = [
        sum(isinstance(n, ast.Name) and n.id == now.name for n in ast.walk(f.body[-1]))
        for f in ast.walk(ast.parse(now.steps.program))
        if isinstance(f, ast.FunctionDef) and now.name in {a.arg for a in f.args.args}
    ]
    assert int(now.count) in loads


@about(
    "{name} is not always used, and {piece} may raise an error",
    "{name} is not used, and leaving out {piece} could hide an error",
)
def it_may_not_be_used(now: Any) -> None:
    (function,) = [n for n in ast.walk(ast.parse(now.steps.program)) if isinstance(n, ast.FunctionDef)]
    assert now.name in {a.arg for a in function.args.args}
    uses = [n for n in ast.walk(function.body[-1]) if isinstance(n, ast.Name) and n.id == now.name]
    assert bool(uses) is ("always" in now.text)
    assert re.sub(r"[()\s]", "", now.piece) in re.sub(r"[()\s]", "", now.steps.program)


@about("{name} is not defined yet")
def it_is_not_defined_yet(now: Any) -> None:
    lines = now.steps.program.splitlines()
    used = next(i for i, line in enumerate(lines) if f"{now.name}(" in line and "def " not in line)
    assert used < next(i for i, line in enumerate(lines) if line.startswith(f"def {now.name}("))


# --- execution ---


@about("Line {number} has run, and defined a function.", "Line {number} has run: {piece}")
def a_line_has_run(now: Any) -> None:
    line = now.steps.program.splitlines()[int(now.number) - 1].strip()
    assert line.startswith("def ") if not hasattr(now, "piece") else line == now.piece


@about(
    "The rewritten program runs: {calls} calls, not {before}; {count} instructions, not {more}.",
    "Fewer calls and less memory for intermediate values are the benefits of symbolic programming.",
)
def it_makes_fewer_calls(now: Any) -> None:
    assert now.after.calls <= ran(now.steps.program).calls
    if hasattr(now, "calls"):
        before = ran(now.steps.program)
        found = (now.after.calls, before.calls, now.after.instructions, before.instructions)
        assert tuple(map(int, (now.calls, now.__dict__["before"], now.count, now.more))) == found


@about("Both print the same.")
def both_print_the_same(now: Any) -> None:
    assert now.before.printed == now.after.printed and repr(now.before.error) == repr(now.after.error)


@about("How many calls of its functions does the rewritten program make?")
def the_answer_is_counted(now: Any) -> None:
    assert now.step["options"][now.step["answer"]] == str(now.after.calls)
