"""A program that is text: stepped through, foretold, and written anew."""

from __future__ import annotations

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.pictures import text_steps

from .alone import Alone
from .jupyter import notebook_of, size_of
from .layout import WIDTHS, contrasts_below, moved_by, problems_of, unnamed_in, unreached_in, width_of

LESSON = """\
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
    "the lesson's": LESSON,
    "nothing to do": "print('hello')",
    "an error": "def f(a):\n    return 1 / a\nprint('first')\nprint(f(0))",
    "a long line": "def f(n):\n    for i in range(n): n = n + i\n    return n\nprint(1 + 2, "
    + ", ".join(["f(1)"] * 30)
    + ")",
}


@pytest.fixture
def alone(browser):
    opened = []

    def open_(program, **options):
        opened.append(Alone(browser, mx.text_steps(program), **options))
        return opened[-1]

    yield open_
    for page in opened:
        assert not page.errors
        page.close()


def shown(view):
    return view.get_by_label("rewritten program", exact=True).inner_text().strip()


def test_from_the_call_to_the_number(alone):
    view = alone(LESSON).view
    assert shown(view).endswith("print(fancy_func(1, 2, 3, 4))")
    seen = []
    forward = view.get_by_role("button", name="step forward")
    while forward.is_enabled():
        forward.click()
        seen.append(shown(view).split("\n")[-1])
    assert "print((1 + 2) + (3 + 4))" in seen and seen[-1] == "print(10)"
    assert "calls of its functions" in view.locator(".ts-console").last.inner_text()
    view.get_by_role("button", name="4", exact=True).click()
    assert "✗ Not 4, but 0." in view.locator(".ts-notes").inner_text()
    assert "Both print the same." in view.locator(".ts-notes").inner_text()
    first, last = view.locator(".ts-console").all_inner_texts()
    assert first.startswith("4 calls") and last.startswith("0 calls")
    assert first.endswith("10") and last.endswith("10")


def test_it_plays_to_the_end(alone):
    page = alone(LESSON, still=False)
    page.view.get_by_role("slider").press("End")
    page.view.get_by_role("button", name="step back").click()
    page.view.get_by_role("button", name="play").click()
    page.view.locator(".ts-where", has_text="10 / 10").wait_for()
    page.view.get_by_role("button", name="▶ play").wait_for()


def test_another_text_is_rewritten_and_a_wrong_one_is_said_to_be_wrong(alone):
    page = alone(LESSON)
    text, said = page.view.get_by_label("the program text"), page.view.locator(".ts-problem")
    text.fill(LESSON.replace("a + b", "a * b"))
    page.view.locator(".ts-side > pre", has_text="print(24)").wait_for()  # nobody has pressed anything
    assert shown(page.view) == "print(24)" and said.inner_text() == "Edit the program: the rewritten program follows."
    text.fill("x = 1\ndef add(:")
    page.view.locator(".ts-problem.ts-error").wait_for()
    assert said.inner_text().startswith("line 2: SyntaxError") and "the last text that ran" in said.inner_text()
    assert shown(page.view) == "print(24)" and page.view.locator(".ts-old").count() == 1
    assert text.input_value() == "x = 1\ndef add(:" and not page.page.get_by_role("alert").is_visible()
    text.fill("print(1 + 2)")
    page.view.locator(".ts-side > pre", has_text="print(3)").wait_for()
    assert not page.view.locator(".ts-old").count()


def test_letters_are_followed_as_they_are_typed(alone):
    page = alone(LESSON)
    text = page.view.get_by_label("the program text")
    text.press("Control+End")
    page.page.keyboard.type("\nprint(add(2, 3) * 4)", delay=10)
    page.view.locator(".ts-side > pre", has_text="print(20)").wait_for()
    assert shown(page.view) == "print(10)\nprint(20)"
    page.view.locator(".ts-skip").click()
    assert page.view.locator(".ts-console").last.inner_text().endswith("10\n20")


def test_a_loop_without_end_is_stopped_and_said(alone, monkeypatch):
    monkeypatch.setattr(text_steps, "PATIENCE", 0.3)
    page = alone(LESSON)
    page.view.get_by_label("the program text").fill("while True:\n    x = 1")
    page.view.locator(".ts-problem.ts-error", has_text="did not end within 0.3 seconds").wait_for()
    assert shown(page.view).endswith("print(fancy_func(1, 2, 3, 4))")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_cut_moves_or_is_out_of_reach(alone, name, lang):
    with mx.config(lang=lang):
        view = alone(PROGRAMS[name], dark=lang == "zh").view
    slider = view.get_by_role("slider")
    for width in WIDTHS:
        with width_of(view, width):
            assert not moved_by(view, lambda: slider.press("End"))
            assert not problems_of(view) and not contrasts_below(view)
            slider.press("Home")
            assert not problems_of(view) and not contrasts_below(view)
    slider.press("End")
    if view.locator(".ts-skip").count():
        assert not moved_by(view, lambda: view.locator(".ts-skip").click())
    assert not problems_of(view) and not unreached_in(view) and not unnamed_in(view)


def test_a_question_of_a_lesson(browser):
    asked = mx.predict("What is 3 + 4?", lambda: print("computed") or 7, choices=[6, 7, 12], why="Count.")
    page = Alone(browser, asked, kernel=False)
    for width in WIDTHS:
        with width_of(page.view, width):
            assert not problems_of(page.view) and not contrasts_below(page.view)
    result = page.view.locator(".pr-result")
    assert result.inner_text().strip() == ""
    assert not unreached_in(page.view)
    assert not moved_by(page.view, page.view.get_by_role("button", name="6").click)
    assert "✗ Not 6, but 7. Count." in result.inner_text() and "computed" in result.inner_text()
    assert not page.errors
    page.close()
    with mx.config(ask=False):
        page = Alone(browser, mx.predict("What is 3 + 4?", lambda: 7, choices=[6, 7]), kernel=False)
        assert "Right: 7." in page.view.inner_text()
        page.close()


def test_in_a_notebook_it_is_small(open_notebook):
    cells = [
        f"import d2lhybrid as mx\nprogram = {LESSON!r}\nmx.text_steps(program)",
        "mx.predict('?', lambda: 1, [0, 1])",
    ]
    notebook = open_notebook(cells)
    notebook.view.get_by_role("button", name="step forward").click()
    notebook.view.get_by_role("button", name="0", exact=True).click()
    assert size_of(notebook.save()) - size_of(notebook_of(cells)) < 60_000
    notebook.check()
