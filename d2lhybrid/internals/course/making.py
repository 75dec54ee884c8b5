"""The building blocks of exercises, and functions that test exercises, for your own course.

An exercise is a folder with four files; ``task.py`` defines the check. Known right and wrong answers are in a folder of
the tests. A chapter is a folder of exercises. A course, which ``d2lhybrid new-course`` creates, is a package that lists
its chapters and declares them in its ``pyproject.toml`` (:mod:`d2lhybrid.internals.course.exercises.catalogue`). Then
``ex("51.1")`` returns an exercise, and ``d2lhybrid grade`` marks answers to this exercise.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources.abc import Traversable

import numpy

from .exercises.catalogue import Chapter, exercises
from .exercises.exercise import PRELUDE, Exercise
from .exercises.files import folder_of
from .exercises.judging import TracedGraph, check_choices, compare, floats, is_close
from .exercises.notebooks import file_name, notebook_text, write_notebooks
from .exercises.results import Result, State, Wrong, expect
from .exercises.subject import LocalSubject, Subject
from .exercises.trials import PARTS_OF_NET, Case, check_net, make_net
from .known_answers import Mistake, answers_in, mistakes_in

__all__ = [
    "PARTS_OF_NET",
    "Case",
    "Chapter",
    "Exercise",
    "Mistake",
    "Result",
    "State",
    "Subject",
    "TracedGraph",
    "Wrong",
    "answers_in",
    "answers_to",
    "check_choices",
    "check_net",
    "compare",
    "exercises",
    "expect",
    "file_name",
    "floats",
    "is_close",
    "judge",
    "make_net",
    "misjudged",
    "mistakes_in",
    "notebook_text",
    "write_notebooks",
]


def judge(exercise: Exercise, code: str, seed: int = 0) -> Result:
    r"""Run an answer cell as a notebook does, and return the verdict with all parts, without recording the verdict.

    Parameters
    ----------
    exercise : Exercise
        The exercise that the answer is for.
    code : str
        Source of the answer cell.
    seed : int
        Seed of the random inputs.

    Examples
    --------
    >>> from d2lhybrid.exercises import ex
    >>> print(judge(ex("01.1"), "def describe_sum(numbers):\n    return 'print(0)'"))
    01.1 wrong. ...
    """
    names: dict[str, object] = {"__name__": "__main__"}
    exec(PRELUDE, names)
    exec(compile(code, f"<an answer to {exercise.number}>", "exec"), names)
    subject = LocalSubject(names.get(exercise.answer))
    try:
        return exercise.judge(subject, numpy.random.default_rng(seed), all_parts=True)
    finally:
        subject.close()


def answers_to(exercise: Exercise, answers: Traversable | None = None) -> Traversable:
    """Return the folder with the known answers to an exercise.

    Parameters
    ----------
    exercise : Exercise
        The exercise that the answers are for.
    answers : Traversable, optional
        Folder with the answers to all exercises, in a subfolder ``CHAPTER/NAME`` for each, named like the exercise's
        folders. By default, the answers are in the exercise's folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> from d2lhybrid.exercises import ex
    >>> answers_to(ex("03.1"), Path("tests/answers")).as_posix()
    'tests/answers/hybrid_block/residual'
    """
    if answers is None:
        return folder_of(exercise.module)
    return answers.joinpath(*exercise.module.split(".")[-3:-1])


def misjudged(exercise: Exercise, answers: Traversable | None = None, seeds: int = 5) -> list[str]:
    """Check the starter, the solution, and all known answers of an exercise; return a sentence on each wrong verdict.

    The starter must be "not attempted"; the solution and all answers in ``right`` must be right. The mistakes and all
    answers in ``wrong`` must not be right. The message about each mistake must contain the text in the mistake's first
    line, and no message about another mistake may contain this text.

    Parameters
    ----------
    exercise : Exercise
        The exercise to test.
    answers : Traversable, optional
        Folder of the known answers; see :func:`answers_to`.
    seeds : int
        Number of seeds for the random inputs of each answer.

    Examples
    --------
    >>> from d2lhybrid.exercises import ex
    >>> misjudged(ex("01.1"), seeds=1)
    []
    """
    folder = answers_to(exercise, answers)
    return list(dict.fromkeys(sentence for seed in range(seeds) for sentence in _misjudged(exercise, folder, seed)))


def _misjudged(exercise: Exercise, folder: Traversable, seed: int) -> Iterator[str]:
    if (result := judge(exercise, exercise.starter, seed)).state is not State.NOT_ATTEMPTED:
        yield f"starter.py must be judged as not attempted, but the result is: {result}"
    for name, code in {"solution": exercise.solution_code, **answers_in(folder, "right")}.items():
        if not (result := judge(exercise, code, seed)):
            yield f"{name}.py is not judged right: {result}"
    for name, code in answers_in(folder, "wrong").items():
        if judge(exercise, code, seed):
            yield f"wrong/{name}.py is judged right"
    mistakes = mistakes_in(folder)
    messages = {mistake.name: str(judge(exercise, mistake.code, seed)) for mistake in mistakes}
    for mistake in mistakes:
        said = [name for name, message in messages.items() if mistake.says in message]
        if mistake.name not in said:
            yield (
                f"the message about mistakes/{mistake.name}.py does not contain {mistake.says!r}: "
                f"{messages[mistake.name]}"
            )
        for other in said:
            if other != mistake.name:
                yield f"the message about mistakes/{other}.py contains that of {mistake.name}.py: {mistake.says!r}"
