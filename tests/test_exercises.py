"""Every exercise: its starter, its solution, and its mistakes, each with a message of its own."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import ANSWERS, answer, mistakes, verdict
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid.exercises import Result, State, chapters, ex, exercises, progress
from d2lhybrid.internals.course.exercises import files, records
from d2lhybrid.internals.course.exercises.subject import LocalSubject
from d2lhybrid.internals.course.making import answers_to, mistakes_in
from d2lhybrid.internals.course.probing import CodecError, Opaque, decode, encode

EXERCISES = exercises()
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.number)


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    with own_operators():  # answers register some
        yield


def test_there_are_enough():
    assert len(EXERCISES) >= 24
    assert all(exercises(chapter) for chapter in chapters())
    assert len({e.number for e in EXERCISES}) == len(EXERCISES)


#: What lies in the folder of each exercise of ours, and nothing else; a teacher's needs no Chinese text.
OURS = {"task.py", "text.md", "text.zh.md", "starter.py", "solution.py"}


def test_every_folder_of_a_chapter_is_an_exercise():
    tasks = Path(mx.__file__).parent / "internals" / "course" / "exercises" / "tasks"
    folders = {path for path in tasks.glob("*/*/") if path.is_dir() and path.name != "__pycache__"}
    assert folders == {tasks.joinpath(*exercise.module.split(".")[-3:-1]) for exercise in EXERCISES}
    for folder in folders:
        there = {path.name for path in folder.iterdir()} - {"__pycache__"}
        assert there == OURS, folder


def test_every_exercise_has_known_answers():
    folders = {folder for folder in ANSWERS.glob("*/*/") if folder.name != "__pycache__"}
    assert folders == {answers_to(exercise, ANSWERS) for exercise in EXERCISES}
    for folder in folders:
        assert {path.name for path in folder.iterdir()} == {"right", "wrong", "mistakes"}, folder


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("text.md", "# A title\n\nA task without hints.\n", "sections `## Hints` and `## Insight`"),
        ("starter.py", "def f(): ...\n", "the line `# %%`"),
        ("solution.py", "import numpy  # %%\n", "the line `# %%`"),
        ("mistakes/one.py", "# %%\nx = 1\n", "the first line"),
        ("mistakes/one.py", "# The checker says: no\nx = 1\n", "the line `# %%`"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(tmp_path, file, text, message):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    read = {"text.md": files.statement_in, "mistakes/one.py": mistakes_in}
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        read.get(file, lambda folder: files.answer_in(folder, path.stem))(tmp_path)
    assert caught.value.__notes__ == [f"in {path}"]


@each_exercise
def test_the_starter_is_not_attempted(exercise):
    assert verdict(exercise, exercise.starter, 0).state is State.NOT_ATTEMPTED
    assert verdict(exercise, f"{exercise.answer} = None", 0).state is State.NOT_ATTEMPTED


@each_exercise
def test_the_solution_is_right(exercise):
    for seed in range(4):
        result = verdict(exercise, exercise.solution_code, seed)
        assert result.right, result


@each_exercise
def test_every_mistake_gets_its_own_message(exercise):
    assert mistakes(exercise)
    messages = {}
    for mistake in mistakes(exercise):
        for seed in range(2):
            result = verdict(exercise, mistake.code, seed)
            assert result.state in (State.WRONG, State.ERROR), f"{mistake.name}: {result}"
            assert mistake.says in str(result), f"{mistake.name}: {result}"
            messages.setdefault(mistake.name, str(result))
    messages.pop("hard_coded", None)  # nobody's honest mistake: any message will do
    for mistake in mistakes(exercise):
        others = [name for name, text in messages.items() if mistake.name in messages and name != mistake.name
                  and mistake.says in text]  # fmt: skip
        assert not others, f"{exercise.number}: what is said to {mistake.name!r} is said to {others}, too"


@each_exercise
def test_a_hard_coded_answer_fails(exercise):
    if exercise.constant:
        assert len(mistakes(exercise)) >= 2
        assert exercise.starter.count("...") >= 5, "too easy to guess"
    else:
        assert any(mistake.name == "hard_coded" for mistake in mistakes(exercise))


@each_exercise
def test_answers_to_another_exercise_are_survived(exercise):
    """Whatever somebody hands in, the verdict is a verdict."""
    for other in (3, "text", [1, 2], {"a": 1}, len, int, object(), numpy.ones(3), lambda *a, **k: None, type):
        subject = LocalSubject(other)
        result = exercise.judge(subject, numpy.random.default_rng(0))
        subject.close()
        assert not result.right
        assert result.message


@each_exercise
def test_texts(exercise):
    assert re.fullmatch(r"(0[1-79]|10)\.\d+", exercise.number)
    assert 1 <= len(exercise.hints) <= 5 and len(set(exercise.hints)) == len(exercise.hints)
    assert exercise.answer in exercise.starter and exercise.answer in exercise.task + exercise.starter
    for text in (exercise.task, exercise.insight, *exercise.hints):
        assert text.strip()
        assert text.count("`") % 2 == 0, text
    assert exercise.insight.endswith(".")


# Messages ---------------------------------------------------------------------------------------------


def test_an_error_names_its_line_and_its_remedy():
    code = "class Residual(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n        return x * x.shape[0]"
    result = verdict(ex("03.1"), "def Residual(units):\n    return (lambda: 1 / 0)()", 0)
    assert result.state is State.ERROR
    assert "`ZeroDivisionError: division by zero`" in result.message
    assert "In the line `return (lambda: 1 / 0)()`" in result.details
    code = "class FlatMean(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n        return x * x.shape[0]"
    result = verdict(ex("04.1"), code.replace("x * x.shape[0]", "F.reshape(x, (x.shape[0], -1)) / x.size * len(x)"), 0)
    assert "no attribute 'shape'" in str(result) and "Symbols have no shape" in str(result)


def test_html_shows_what_people_wrote_as_text():
    error = Result("03.1", State.ERROR, "`<script>` & co", ("<b>",))
    html = error._repr_html_()
    assert "<script>" not in html and "<code>&lt;script&gt;</code> &amp; co" in html and "<li>&lt;b&gt;</li>" in html
    assert "03.1 error" in html and str(error) == "03.1 error. `<script>` & co\n  - <b>"


def test_letters_have_the_colour_of_the_page(data_folder):
    pages = [Result("01.1", state, "")._repr_html_() for state in State] + [progress()._repr_html_()]
    assert not [page for page in pages if re.search(r"[;\"]color:", page)], (
        "no colour can be read on white and on black"
    )
    assert all("#" in page for page in pages)


def test_a_result_is_true_only_if_right():
    assert not any(Result("01.1", state, "") for state in State if state is not State.RIGHT)
    assert Result("01.1", State.RIGHT, "")


# Progress ---------------------------------------------------------------------------------------------


def right_and_wrong():
    exercise = ex("01.1")
    return exercise, answer(exercise, exercise.solution_code), answer(exercise, mistakes(exercise)[0].code)


def test_the_best_state_is_kept(data_folder):
    exercise, right, wrong = right_and_wrong()
    assert progress().states["01.1"] is State.NOT_ATTEMPTED
    exercise.check(None)
    assert records.read("01.1").checks == 0
    exercise.check(wrong)
    assert progress().states["01.1"] is State.WRONG
    exercise.check(right)
    exercise.check(wrong)
    assert progress().states["01.1"] is State.RIGHT and progress().right == 1
    assert records.read("01.1").checks == 3
    assert "01 Imperative and symbolic      1✓ 2○ 3○ 4○" in str(progress())
    assert "<b>1 of" in progress()._repr_html_()


def test_progress_survives_the_session(data_folder):
    exercise, right, _ = right_and_wrong()
    exercise.check(right)
    code = "from d2lhybrid.exercises import progress; print(progress().right)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_no_answer_is_kept(tmp_path):
    exercise, right, _ = right_and_wrong()
    exercise.check(right)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert set(json.loads(file.read_text())) == {"best", "checks", "hints", "solution"}


def test_a_damaged_record_starts_anew():
    exercise, right, _ = right_and_wrong()
    exercise.check(right)
    (records.folder() / "01.1.json").write_text("{")
    with pytest.warns(UserWarning, match="cannot be read, so it is reset"):
        assert records.read("01.1").best is State.NOT_ATTEMPTED


def test_without_a_place_to_write_exercises_work(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path / "file"))
    exercise, right, _ = right_and_wrong()
    with pytest.warns(UserWarning, match="cannot be stored"):
        assert exercise.check(right)


def test_hints_escalate_and_the_last_one_stays():
    exercise = ex("01.1")
    shown = [exercise.hint() for _ in range(len(exercise.hints) + 1)]
    assert [hint.text.partition("\n")[0] for hint in shown] == [*exercise.hints, exercise.hints[-1]]
    assert shown[0].title == "Hint 1 of 3" and "solution()" in shown[-1].text
    assert records.read("01.1").hints == 3


def test_a_solution_is_shown_and_noted():
    assert "```python\ndef describe_sum" in ex("01.1").solution().text
    assert records.read("01.1").solution


def test_nbgrader_gets_an_exception_for_what_is_not_right(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    exercise, right, wrong = right_and_wrong()
    assert exercise.check(right)
    for attempt in (wrong, None):
        with pytest.raises(AssertionError, match=r"^01\.1 (wrong|not attempted)\. "):
            exercise.check(attempt)
    assert records.read("01.1").checks == 0, "whose progress would it be?"


def test_an_unknown_number():
    with pytest.raises(ValueError, match=r"there is no exercise '03\.99'") as caught:
        ex("03.99")
    assert 'numbers such as "03.1"' in caught.value.__notes__[0]


def test_random_numbers_go_on_as_if_nothing_had_been_checked():
    exercise, right, _ = right_and_wrong()
    mx.random.seed(3)
    expected = mx.nd.random.normal(shape=(4,)).asnumpy(), mx.nd.random.normal(shape=(4,)).asnumpy()
    mx.random.seed(3)
    first = mx.nd.random.normal(shape=(4,)).asnumpy()
    noise = ex("04.6")
    assert noise.check(answer(noise, noise.solution_code))
    assert exercise.check(right)
    assert (first == expected[0]).all()
    assert (mx.nd.random.normal(shape=(4,)).asnumpy() == expected[1]).all()


# What travels -----------------------------------------------------------------------------------------

plain_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda children: st.lists(children) | st.dictionaries(st.text() | st.integers(), children),
    max_leaves=20,
)


@settings(max_examples=50)
@given(plain_data)
def test_plain_data_travels(data):
    assert decode(encode(data)) == data


@given(st.binary() | st.text().map(str.encode) | plain_data.map(lambda d: json.dumps(repr(d)).encode()))
def test_any_bytes_are_read_or_refused(data):
    with contextlib.suppress(CodecError):
        decode(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"__kind__": "array", "dtype": "O", "shape": [1], "data": ""}',
        '{"__kind__": "array", "dtype": "<f4", "shape": [1000000000000], "data": ""}',
        '{"__kind__": "array", "dtype": "<f4", "shape": [-1, -1], "data": "AAAAAA=="}',
        '{"__kind__": "array", "dtype": "<f4"}',
        '{"__kind__": "bytes", "data": 3}',
        '{"__kind__": "evil"}',
        "[" * 100000,
    ],
)
def test_damaged_data_is_refused(text):
    with pytest.raises(CodecError):
        decode(text.encode())


def test_an_array_of_another_length_is_refused_with_its_shape_and_length():
    with pytest.raises(CodecError, match=r"shape \(2, 3\) and type float32 cannot consist of 4 bytes"):
        decode(b'{"__kind__": "array", "dtype": "<f4", "shape": [2, 3], "data": "AAAAAA=="}')


def test_what_does_not_travel_is_named():
    assert decode(encode({"f": len})) == {"f": Opaque("builtin_function_or_method", repr(len))}
    array = numpy.arange(6, dtype="int8").reshape(2, 3)[:, ::2]
    assert (decode(encode(array)) == array).all() and decode(encode(array)).dtype == "int8"
