"""Every exercise: its starter, its solution, and its mistakes, each with a message of its own."""

import linecache
import re

import numpy
import pytest

from d2lhybrid.exercises import State, chapters, ex, exercises
from d2lhybrid.exercises.exercise import PRELUDE
from d2lhybrid.exercises.subject import LocalSubject

EXERCISES = exercises()
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.number)


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def answer(exercise, code):
    """Run an answer cell as a notebook does, after the imports; return the answer."""
    names = {"__name__": "__main__"}
    exec(PRELUDE, names)
    linecache.cache["<answer>"] = (len(code), None, code.splitlines(keepends=True), "<answer>")
    exec(compile(code, "<answer>", "exec"), names)
    return names[exercise.answer]


def verdict(exercise, code, seed):
    subject = LocalSubject(answer(exercise, code))
    try:
        return exercise.judge(subject, numpy.random.default_rng(seed))
    finally:
        subject.close()


def test_there_are_enough():
    assert len(EXERCISES) >= 24
    assert all(exercises(chapter) for chapter in chapters())
    assert len({e.number for e in EXERCISES}) == len(EXERCISES)


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
    assert exercise.mistakes
    messages = {}
    for mistake in exercise.mistakes:
        for seed in range(2):
            result = verdict(exercise, mistake.code, seed)
            assert result.state in (State.WRONG, State.ERROR), f"{mistake.name}: {result}"
            assert mistake.says in str(result), f"{mistake.name}: {result}"
            messages.setdefault(mistake.name, str(result))
    messages.pop("hard-coded", None)  # nobody's honest mistake: any message will do
    for mistake in exercise.mistakes:
        others = [name for name, text in messages.items() if mistake.name in messages and name != mistake.name
                  and mistake.says in text]  # fmt: skip
        assert not others, f"{exercise.number}: what is said to {mistake.name!r} is said to {others}, too"


@each_exercise
def test_a_hard_coded_answer_fails(exercise):
    if exercise.constant:
        assert len(ex(exercise.number).mistakes) >= 2
        assert exercise.starter.count("...") >= 5, "too easy to guess"
    else:
        assert any(mistake.name == "hard-coded" for mistake in exercise.mistakes)


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
    assert re.fullmatch(r"0[1-7]\.\d+", exercise.number)
    assert 1 <= len(exercise.hints) <= 5 and len(set(exercise.hints)) == len(exercise.hints)
    assert exercise.answer in exercise.starter and exercise.answer in exercise.task + exercise.starter
    for text in (exercise.task, exercise.insight, *exercise.hints):
        assert text.strip()
        assert text.count("`") % 2 == 0, text
    assert exercise.insight.endswith(".")
