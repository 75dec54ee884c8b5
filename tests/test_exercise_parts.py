"""Checks have parts that count by themselves: what is right in an answer that is not, and nothing for doing nothing."""

import contextlib
import itertools
import re
from unittest import mock

import numpy
import pytest
from judged import answer, mistakes
from own_operators import own_operators

from d2lhybrid import random
from d2lhybrid.exercises import exercises
from d2lhybrid.internals.course.exercises.parts import Parts
from d2lhybrid.internals.course.exercises.results import Wrong
from d2lhybrid.internals.course.exercises.subject import LocalSubject
from d2lhybrid.internals.device import array_modules

WITH_PARTS = [exercise for exercise in exercises() if exercise.parts]


@contextlib.contextmanager
def same_draws(seed):
    """Have an answer draw the same numbers each time: a probe draws from streams of its own, which nobody seeds."""
    separate, numbers = array_modules.separate_random_state, itertools.count(1000 * seed)

    @contextlib.contextmanager
    def seeded():
        with separate():
            random.seed(next(numbers))
            yield

    with mock.patch.object(array_modules, "separate_random_state", seeded):
        yield


def judged(exercise, code, all_parts=True, seed=1):
    with own_operators():  # an answer to 06.5 registers one
        subject = LocalSubject(answer(exercise, code))
        try:
            with same_draws(seed):
                return exercise.judge(subject, numpy.random.default_rng(seed), all_parts)
        except (
            KeyError,
            TypeError,
            IndexError,
            AttributeError,
            ValueError,
        ):  # other data than a check takes for granted
            return None
        finally:
            subject.close()


def said(result):
    """Return the message without numbers and paths: names of nets go on counting, and noise is drawn by the answer."""
    return re.sub(r"/\S+|\d+", "0", result.message)


def test_most_exercises_have_parts():
    assert len(WITH_PARTS) > 30
    assert all(len(set(e.parts)) == len(e.parts) > 1 for e in WITH_PARTS)
    assert all(e.parts for e in exercises() if e.points > 1)


@pytest.mark.parametrize("exercise", WITH_PARTS, ids=lambda e: e.number)
def test_a_solution_goes_through_all_parts(exercise):
    result = judged(exercise, exercise.solution_code)
    assert result is not None and result.right
    assert [part.name for part in result.parts] == list(exercise.parts)
    assert all(part.right and not part.message for part in result.parts)


@pytest.mark.parametrize("exercise", WITH_PARTS, ids=lambda e: e.number)
def test_a_mistake_fails_a_part_and_is_said_as_without_parts(exercise):
    failed = set()
    for mistake in mistakes(exercise):
        whole, first = judged(exercise, mistake.code), judged(exercise, mistake.code, all_parts=False)
        if whole is None or first is None:
            assert whole is None and first is None, mistake.name
            continue
        assert (whole.state, said(whole)) == (first.state, said(first)), mistake.name
        assert not first.parts
        failed |= {part.name for part in whole.parts if not part.right}
        assert not whole.parts or not all(part.right for part in whole.parts)
    assert failed, "no mistake fails any part"


def test_doing_nothing_is_worth_nothing():
    """But for 06.5, where the mistake is in the kernel, and the rules are those of the solution."""
    tried = 0
    for exercise in (e for e in WITH_PARTS if not e.constant and e.number != "06.5"):
        for mistake in mistakes(exercise):
            if mistake.name in ("hard_coded", "does_nothing", "leaves_everything", "nothing", "returns_nothing"):
                result = judged(exercise, mistake.code)
                assert result is None or not any(part.right for part in result.parts), (exercise.number, mistake.name)
                tried += 1
    assert tried > 25


def test_a_part_has_to_hold_each_time():
    parts = Parts(["a", "b", "c"], all_of_them=True)
    for message in ("first", "second", ""):
        with parts.trying("a"):
            if message:
                raise Wrong(message)
    with parts.trying("b"):
        pass
    assert [(p.right, p.message) for p in parts.outcome()] == [
        (False, "first"),
        (True, ""),
        (False, "This part was not reached."),
    ]
    with pytest.raises(Wrong, match="first"):
        parts.raise_first()
    with pytest.raises(Wrong), Parts(["a"]).trying("a"):
        raise Wrong
