"""SideBySide in a browser, without a kernel: it steps, it links, its table leads to pictures, and its quiz counts."""

import pytest

from d2lhybrid.internals.pictures.others.recording import names
from d2lhybrid.internals.pictures.others.side_by_side import SideBySide, side_by_side

from .alone import Alone
from .layout import WIDTHS, contrasts_below, problems_of, unnamed_in, unreached_in, width_of

#: The most that a picture may take in JupyterLab on a laptop.
_HIGH = 640


@pytest.fixture
def alone(browser):
    opened = []

    def open_(picture, **options):
        opened.append(Alone(browser, picture, **{"kernel": False, "width": 1180, **options}))
        return opened[-1]

    yield open_
    for page in opened:
        assert not page.errors
        page.close()


def _printed(view, framework):
    return view.get_by_label(f"{framework}: what ran").inner_text()


def test_each_call_says_what_was_printed_and_which_lines_ran(alone):
    view = alone(side_by_side("print")).view
    assert "x is DynamicJaxprTracer" in _printed(view, "JAX")
    view.get_by_role("button", name="next call").click()
    assert "nothing" in _printed(view, "JAX") and "x is Tensor" in _printed(view, "PyTorch")
    assert "prints 0 lines; Python prints 1" in _printed(view, "TensorFlow")
    lines = view.get_by_label("PyTorch: code").locator(".sb-on")
    assert [line.get_attribute("class").split()[-1] for line in lines.all()] == [f"sb-state-{s}" for s in "cec"]


def test_a_line_is_lit_with_the_lines_of_the_graph_that_it_became(alone):
    view = alone(side_by_side("print")).view
    view.get_by_role("button", name="graphs").click()
    view.get_by_label("JAX: code").get_by_text("y = x * 2").hover()
    lit = view.locator(".sb-graph .sb-linked")
    assert [text.split()[2] for text in lit.all_inner_texts()] == ["mul"]


def test_a_graph_is_drawn_and_its_boxes_and_the_lines_of_the_program_light_each_other(alone):
    view = alone(side_by_side("block")).view
    view.get_by_role("button", name="graphs").click()
    view.get_by_role("button", name="draw").click()
    assert view.locator(".sb-drawn .cv").count() == 4
    view.get_by_label("JAX: code").get_by_text("return h @").hover()
    assert view.locator(".cv-selected").all_text_contents() == ["dot_general"]
    view.get_by_role("button", name="relu").nth(1).hover()  # PyTorch's
    lit = view.get_by_label("PyTorch: code").locator(".sb-linked")
    assert "torch.relu" in lit.inner_text()
    assert view.locator("section").bounding_box()["height"] <= _HIGH
    view.get_by_role("button", name="draw").click()
    assert not view.locator(".cv").count() and view.locator(".sb-graph").count() == 4


def test_what_the_documentation_says_is_a_link(alone):
    view = alone(side_by_side("counter")).view
    said = view.get_by_label("PyTorch: what ran").locator(".sb-documented")
    assert "But call 2 ran a compiled program" in said.inner_text()
    address = said.get_by_role("link", name="documentation says").get_attribute("href")
    assert (
        address
        == "https://docs.pytorch.org/docs/stable/user_guide/torch_compiler/compile/programming_model.recompilation.html"
    )
    assert not view.get_by_label("Gluon: what ran").locator(".sb-documented").count()


def test_a_cell_of_the_table_leads_to_its_picture_and_back(alone):
    view = alone(side_by_side()).view
    assert view.locator("td.sb-surprise").count() > 20
    view.get_by_role("row", name="An attribute is changed").get_by_role("button").nth(3).click()
    assert view.get_by_label("program", exact=True).input_value() == str(names().index("attribute"))
    view.get_by_role("button", name="table").click()
    assert view.get_by_role("row").count() == len(names()) + 1


def test_the_quiz_counts_what_was_right(alone):
    picture = side_by_side(quiz=True)
    view = alone(picture).view
    questions = picture.to_dict()["questions"]
    for number, question in enumerate(questions):
        wanted = question["answer"] if number else (question["answer"] + 1) % len(question["options"])
        view.locator(".sb-ask .d2l-row").first.get_by_role("button").nth(wanted).click()
        assert view.locator(".sb-answer").inner_text()[0] == ("✓" if number else "✗")
        view.get_by_role("button", name="next question").click()
    assert f"{len(questions) - 1} of {len(questions)}" in view.locator(".sb-score").inner_text()


@pytest.mark.parametrize("name", names())
def test_it_fits_on_one_screen_and_cuts_no_code(alone, name):
    view = alone(side_by_side(name)).view
    assert view.locator("section").bounding_box()["height"] <= _HIGH
    cut = view.evaluate(
        "e => [...e.querySelectorAll('.d2l-line')].filter(n => n.scrollWidth > n.clientWidth + 1).length"
    )
    assert not cut


@pytest.mark.parametrize("start", ["program", "table", "quiz"])
def test_everything_can_be_read_and_reached(alone, start):
    view = alone(SideBySide(names()[:4] if start == "program" else names(), start)).view
    if start == "program":
        view.get_by_role("button", name="graphs").click()
        view.get_by_role("button", name="draw").click()
        for width in WIDTHS:
            with width_of(view, width):
                assert not problems_of(view)
        view.get_by_role("button", name="graphs").click()
    for width in WIDTHS:
        with width_of(view, width):
            assert not problems_of(view)
    assert not contrasts_below(view) and not unnamed_in(view)
    if start != "table":
        assert not unreached_in(view)
