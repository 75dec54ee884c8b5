"""Tests that every answer in ``answers`` gets the right result, and that the notebooks match the exercises."""

from pathlib import Path

import pytest
from my_course import CHAPTERS

from d2lhybrid.exercises import ex
from d2lhybrid.exercises.making import exercises, file_name, misjudged, notebook_text

HERE = Path(__file__).resolve().parent
NOTEBOOKS = HERE.parent / "notebooks"
EXERCISES = [exercise for chapter in CHAPTERS for exercise in exercises(chapter)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.number)
def test_answers_are_judged_as_what_they_are(exercise):
    assert misjudged(exercise, HERE / "answers") == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.number)
def test_notebooks_and_grading_find_the_exercise(exercise):
    assert ex(exercise.number) is exercise


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.number)
def test_the_notebook_is_that_of_the_exercises(chapter):
    path = NOTEBOOKS / f"{file_name(chapter)}.ipynb"
    assert path.read_text("utf-8") == notebook_text(chapter), "run python -m my_course to write the notebook"
