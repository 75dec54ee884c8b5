"""Answers to exercises, run and judged as in a notebook."""

from __future__ import annotations

import linecache
from pathlib import Path

import numpy

from d2lhybrid.exercises import Exercise, Result
from d2lhybrid.internals.course.exercises.exercise import PRELUDE
from d2lhybrid.internals.course.exercises.subject import LocalSubject
from d2lhybrid.internals.course.making import Mistake, answers_in, answers_to, mistakes_in

__all__ = ["ANSWERS", "answer", "mistakes", "right_answers", "verdict", "wrong_answers"]

#: Answers that are known to be right or wrong: CHAPTER/NAME/right, wrong and mistakes.
ANSWERS = Path(__file__).resolve().parent / "answers"


def right_answers(exercise: Exercise) -> dict[str, str]:
    """Return name -> right answers in other styles than the solution."""
    return answers_in(answers_to(exercise, ANSWERS), "right")


def wrong_answers(exercise: Exercise) -> dict[str, str]:
    """Return name -> wrong answers of all kinds, besides the mistakes."""
    return answers_in(answers_to(exercise, ANSWERS), "wrong")


def mistakes(exercise: Exercise) -> tuple[Mistake, ...]:
    """Return typical wrong answers, each with a message of its own."""
    return mistakes_in(answers_to(exercise, ANSWERS))


def answer(exercise: Exercise, code: str) -> object:
    """Run an answer cell as a notebook does, after the imports; return the answer."""
    names = {"__name__": "__main__"}
    exec(PRELUDE, names)
    linecache.cache["<answer>"] = (len(code), None, code.splitlines(keepends=True), "<answer>")
    exec(compile(code, "<answer>", "exec"), names)
    return names[exercise.answer]


def verdict(exercise: Exercise, code: str, seed: int) -> Result:
    """Return the verdict on an answer cell for the random inputs of a seed."""
    subject = LocalSubject(answer(exercise, code))
    try:
        return exercise.judge(subject, numpy.random.default_rng(seed))
    finally:
        subject.close()
