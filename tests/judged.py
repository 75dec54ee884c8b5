"""Answers to exercises, run and judged as in a notebook."""

from __future__ import annotations

import linecache

import numpy

from d2lhybrid.exercises import Exercise, Result
from d2lhybrid.school.exercises.exercise import PRELUDE
from d2lhybrid.school.exercises.subject import LocalSubject

__all__ = ["answer", "verdict"]


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
