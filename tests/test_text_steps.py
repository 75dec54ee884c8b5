"""Programs that are text: what is rewritten does the same, and what cannot be is left, with a reason."""

from __future__ import annotations

import ast
import contextlib
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid.internals.pictures.picture import to_json
from d2lhybrid.internals.pictures.text_rewriting import Rewriter, to_text
from d2lhybrid.internals.pictures.text_steps import execute, text_steps

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


def rewritten(program: str) -> str:
    done = list(Rewriter(program).run())
    return to_text(done[-1].program) if done else program.strip("\n")


def reasons(program: str) -> str:
    return "\n".join(r.text for r in Rewriter(program).run() if r.kind == "kept")


def test_the_lessons_program_becomes_what_the_lesson_says() -> None:
    versions = [to_text(r.program).splitlines()[-1] for r in Rewriter(LESSON).run()]
    assert "print((1 + 2) + (3 + 4))" in versions and versions[-1] == "print(10)"
    assert rewritten(LESSON) == "print(10)"


def test_another_program_becomes_another() -> None:
    assert rewritten(LESSON.replace("a + b", "a - b").replace("1, 2, 3, 4", "9, 2, 3, 4")) == "print(8)"
    assert rewritten("def half(x, by=2):\n    return x / by\ny = 8\nprint(half(y), half(9, by=3))").endswith(
        "print(4.0, 3.0)"
    )


def test_chapters_go_from_definition_to_execution() -> None:
    steps = text_steps(LESSON)
    assert [c.title for c in steps.chapters] == ["Define", "Compile", "Inline", "Fold", "Execute"]
    assert (steps.before.printed, steps.after.printed) == ("10\n", "10\n")
    assert (steps.before.calls, steps.after.calls) == (4, 0)
    assert steps.after.instructions < steps.before.instructions
    assert "Both print the same." in steps.chapters[-1].steps[-1].text


def test_the_run_shows_the_values_of_names() -> None:
    values = [dict(s.shown) for s in text_steps(LESSON).chapter("execute").steps]
    assert {"a": "1", "b": "2", "return": "3"} in values and {"return": "10"} in values
    assert any(v.get("e") == "3" for v in values) and {"f": "7"} in values and {"g": "10"} in values


def test_trees_are_drawn_and_folded_pieces_marked() -> None:
    steps = text_steps(LESSON)
    step = next(s for s in steps.chapter("fold").steps if s.text == "3 + 7 is 10: computed now, once.")
    assert [steps.nodes[n].name for n in step.focus] == ["10"]
    looking = next(s for s in steps.chapter("fold").steps if s.text == "Now 3 + 7:")
    assert sorted(steps.nodes[n].name for n in looking.focus) == ["+", "3", "7"]


def test_a_definition_that_was_inlined_points_to_its_line() -> None:
    steps = text_steps(LESSON)
    step = next(s for s in steps.chapter("inline").steps if s.text == "add(1, 2) becomes 1 + 2.")
    ((source, line),) = step.lines
    assert steps.sources[source].lines[line - 1].strip() == "e = add(a, b)"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("def f(n):\n    for i in range(n): n = n + i\n    return n\nprint(f(3))", "line 2 contains a statement (For)"),
        ("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nprint(f(3))", "it calls itself"),
        ("def f(n):\n    print(n)\n    return n\nprint(f(3))", "line 2 contains a statement (Expr)"),
        ("def f(n):\n    return g(n)\ndef g(n):\n    return len(n)\nprint(f('a'))", "it calls g, which may do more"),
        ("def f(n):\n    return n + k\nk = 2\nprint(f(1))", "it uses k from outside"),
        ("def f(n):\n    return n\ndef f(n):\n    return n + 1\nprint(f(1))", "means more than one thing"),
        ("def f(*n):\n    return 1\nprint(f(1))", "it takes more than plain arguments"),
        ("def f(n):\n    return [n]\nprint(f(1))", "is more than arithmetic"),
        ("def f(n):\n    return n * n\nprint(f(int('3')))", "may do more than compute"),
        ("def f(n, m):\n    return n\nprint(f(1, 1 / 0))", "leaving out 1 / 0 could hide an error"),
        ("def f(n):\n    return n * n\nfor i in range(2):\n    print(f(i + 1))", "n would be computed 2 times"),
        (
            "def f(n):\n    return n\ntry:\n    print(f(1, 2))\nexcept TypeError:\n    print('no')",
            "the arguments do not match the parameters",
        ),
        ("def f(a):\n    b = 1 // a\n    return 5 if a == 0 else b\nprint(f(0))", "b is not always used"),
        ("def f(a):\n    a = 1 // a\n    a = 2\n    return a\nprint(f(0))", "a is not used"),
        ("def f(a):\n    b = a + 1\n    c = b + b\n    return c\nfor i in range(2):\n    print(f(i))", "2 times"),
        ("def f():\n    pass\nf()", "it does not end with the return of a value"),
        ("print(1 / 0)", "ZeroDivisionError: division by zero"),
        ("print(9 ** 9 ** 9 ** 9 > 1)", "too large"),
        ("print('ab' * 10000000)", "too large"),
    ],
)
def test_what_cannot_be_rewritten_is_left_and_the_reason_said(program: str, reason: str) -> None:
    assert reason in reasons(program)
    if "**" not in program and "10000000" not in program:
        before, after = execute(program), execute(rewritten(program))
        assert (before.printed, repr(before.error)) == (after.printed, repr(after.error))


def test_a_call_before_its_definition_stays_an_error() -> None:
    program = "print(f(1))\ndef f(n):\n    return n"
    assert "f is not defined yet" in reasons(program)
    assert isinstance(execute(rewritten(program)).error, NameError)


def test_an_error_is_raised_when_the_program_runs_and_not_before() -> None:
    steps = text_steps("def f(a):\n    return 1 / a\nprint('first')\nprint(f(0))")
    assert isinstance(steps.before.error, ZeroDivisionError) and isinstance(steps.after.error, ZeroDivisionError)
    assert steps.before.printed == steps.after.printed == "first\n"


def test_nothing_to_rewrite_is_said() -> None:
    steps = text_steps("print('hello')")
    assert steps.rewritten == "print('hello')\n"
    assert any(s.text.startswith("Nothing to rewrite") for s in steps.steps)


def test_only_the_text_of_a_program_is_taken() -> None:
    with pytest.raises(TypeError, match="a program as a string, not function"):
        text_steps(rewritten)  # type: ignore[arg-type]
    with pytest.raises(SyntaxError):
        text_steps("def f(:")


def test_what_is_being_written_is_taken_when_it_is_a_program():
    steps = text_steps("print(1 + 2)")
    steps.write("\n\nprint(1 +")
    assert steps.problem is not None and steps.problem.line == 3 and steps.rewritten == "print(3)\n"
    steps.write("print(2 + 2)")
    assert steps.problem is None and steps.rewritten == "print(4)\n"
    with pytest.raises(SyntaxError):
        steps.rewrite("print(")
    assert steps.rewritten == "print(4)\n"


def test_a_text_that_asks_or_leaves_is_an_error_at_its_line():
    done = execute("x = 1\nprint(input('?'))")
    assert isinstance(done.error, EOFError) and done.line == 2
    done = execute("print(1)\nraise SystemExit(3)")
    assert isinstance(done.error, SystemExit) and (done.line, done.printed) == (2, "1\n")
    data = text_steps("def f(a):\n    return 1 / a\nprint(f(0))").to_dict()
    assert data["before"]["error"] == "line 2: ZeroDivisionError: division by zero"


def test_the_steps_are_small_and_can_be_read_in_chinese() -> None:
    steps = text_steps(LESSON)
    assert len(to_json(steps.to_dict())) < 25_000 and len(steps.to_html()) < 30_000
    with mx.config(lang="zh"):
        steps = text_steps(LESSON)
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in s.text) for s in steps.steps)


def test_calls_that_double_at_every_level_are_replaced_as_far_as_the_text_stays_short():
    program = "def f0(a):\n    return a + 1\n"
    for i in range(1, 8):
        program += f"def f{i}(a):\n    return f{i - 1}(1) + f{i - 1}(2) * f{i - 1}(a)\n"
    program += "def g(a):\n" + "".join(f"    a = a {sign} a\n" for sign in "+*" * 10) + "    return a\n"
    program += "print(f7(3))\nprint(g(1))\n"
    rewrites = list(Rewriter(program).run())
    assert len(rewrites) < 400
    assert any("too long" in r.text for r in rewrites) and any(r.kind == "inlined" for r in rewrites)
    assert max(sum(1 for _ in ast.walk(r.program)) for r in rewrites) < 1000


# --- any program ------------------------------------------------------------------------------------

NAMES = ["a", "b", "c"]
FUNCTIONS = ["f", "g", "h"]


def expressions(leaves: Any, functions: list[str]) -> Any:
    def extend(inner: Any) -> Any:
        binary = st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "<"]), inner).map(
            lambda t: f"({' '.join(t)})"
        )
        negative = inner.map(lambda t: f"(-{t})")
        choice = st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})")
        kinds = [binary, binary, negative, choice]
        if functions:
            calls = st.tuples(st.sampled_from(functions), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})")
            kinds += [calls, calls]
        return st.one_of(kinds)

    return st.recursive(leaves, extend, max_leaves=5)


@st.composite
def programs(draw: Any) -> str:
    numbers = st.integers(-4, 9).map(str)
    lines: list[str] = []
    for i, name in enumerate(FUNCTIONS):
        known = ["a", "b"]
        lines.append(f"def {name}(a, b):")
        for local in draw(st.lists(st.sampled_from(["a", "c", "e"]), max_size=2)):
            lines.append(
                f"    {local} = {draw(expressions(st.one_of(st.sampled_from(known), numbers), FUNCTIONS[:i]))}"
            )
            known = [*dict.fromkeys([*known, local])]
        lines.append(f"    return {draw(expressions(st.one_of(st.sampled_from(known), numbers), FUNCTIONS[:i]))}")
    lines.append(f"x = {draw(expressions(numbers, FUNCTIONS))}")
    leaves = st.one_of(st.just("x"), numbers)
    lines += [f"print({draw(expressions(leaves, FUNCTIONS))})" for _ in range(draw(st.integers(1, 3)))]
    return "\n".join(lines)


def run(program: str) -> tuple[str, str]:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "<test>", "exec"), {})
    except Exception as error:
        return printed.getvalue(), type(error).__name__
    return printed.getvalue(), ""


@settings(max_examples=50, deadline=None)
@given(programs())
def test_a_rewritten_program_does_the_same(program: str) -> None:
    for rewrite in Rewriter(program).run():
        assert run(to_text(rewrite.program)) == run(program), rewrite.text
