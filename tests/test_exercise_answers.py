"""Right answers in other styles than the solutions, and wrong ones of all kinds: each is judged as what it is.

They are the files in ``answers/CHAPTER/NAME``: ``right``, ``wrong``, and ``mistakes``. A check draws its
inputs; so each answer is judged for one seed on every change, and for 50 with ``make answers``.
"""

import os

import pytest
from judged import mistakes, right_answers, verdict, wrong_answers
from own_operators import own_operators

from d2lhybrid.exercises import exercises

SEEDS = range(int(os.environ.get("D2LHYBRID_SEEDS", "1")))
EXERCISES = exercises()
RIGHT = {e.number: right_answers(e) for e in EXERCISES}
WRONG = {e.number: {**wrong_answers(e), **{f"mistakes/{m.name}": m.code for m in mistakes(e)}} for e in EXERCISES}
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.number)


@pytest.fixture(autouse=True)
def forget_operators():
    with own_operators():  # answers register some
        yield


def misjudged(exercise, answers, right):
    found = []
    for name, code in answers.items():
        for seed in SEEDS:
            result = verdict(exercise, code, seed)
            if result.right != right:
                found.append(f"{name}, seed {seed}: {result}")
                break
    return found


def test_there_are_hundreds_of_each():
    assert sum(map(len, RIGHT.values())) >= 300 and all(RIGHT.values())
    assert sum(map(len, WRONG.values())) >= 450


@each_exercise
def test_right_answers_in_other_styles_are_right(exercise):
    assert misjudged(exercise, RIGHT[exercise.number], right=True) == []


@each_exercise
def test_wrong_answers_are_not_right(exercise):
    assert misjudged(exercise, WRONG[exercise.number], right=False) == []
