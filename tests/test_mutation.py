"""What ``make mutants`` does to answers, and that it would notice a check that lets them pass."""

import time

import mutation
import pytest
from judged import verdict

from d2lhybrid.exercises import ex, exercises
from d2lhybrid.internals.course.exercises.results import Wrong


def changes(code):
    return {mutant.change for mutant in mutation.mutants_of("01.1", "solution", code)}


def test_one_thing_is_changed_at_a_time():
    found = changes("def f(x, y):\n    return x - y < 2")
    assert "- return x - y < 2 + return x + y < 2" in found
    assert "- return x - y < 2 + return x - y <= 2" in found
    assert "- return x - y < 2 + return x - y < 3" in found
    assert "- return x - y < 2 + return y - y < 2" in found
    assert all(change.count("- ") + change.count("+ ") >= 2 for change in found)


def test_names_arguments_and_lines_are_changed():
    found = changes("x = F.max(y, axis=1)\nz = 1")
    assert "- x = F.max(y, axis=1) + x = F.min(y, axis=1)" in found
    assert "- x = F.max(y, axis=1) + x = F.max(y)" in found
    assert "- z = 1 + pass" in found


@pytest.mark.parametrize("number", ["01.1", "02.2", "03.4", "05.3"])
def test_no_mutant_of_a_solution_survives(number):
    mutants = mutation.mutants_of(number, "solution", ex(number).solution_code)
    assert len(mutants) >= 10
    assert [m.change for m in mutants if mutation.survives(m, 1)] == []


def test_a_check_that_looks_at_nothing_would_be_noticed(monkeypatch):
    def careless(subject, rng):
        if not isinstance(subject.call([1, 2]), str):
            raise Wrong("no text")

    exercise = ex("01.1")
    monkeypatch.setitem(exercise.__dict__, "checker", careless)
    mutants = mutation.mutants_of("01.1", "solution", exercise.solution_code)
    assert sum(mutation.survives(m, 1) for m in mutants) > 5


@pytest.mark.parametrize("exercise", exercises(), ids=lambda e: e.number)
def test_what_is_said_to_compute_the_same_is_a_mutant_and_is_called_right(exercise):
    mutants = {m.change: m for m in mutation.mutants_of(exercise.number, "solution", exercise.solution_code)}
    mine = [change for number, answer, change in mutation.equivalent() if number == exercise.number and not answer]
    assert set(mine) <= mutants.keys(), "no longer a mutant"
    for change in mine:
        assert mutation.survives(mutants[change], 1), change


@pytest.mark.parametrize("exercise", exercises(), ids=lambda e: e.number)
def test_what_is_said_of_other_answers_is_said_of_mutants(exercise):
    """All of them are mutants; one in sixteen is judged here, and all by ``make mutants MUTANTS=--others``."""
    answers = mutation.answers_to(exercise, others=True)
    mine = [
        (answer, change) for number, answer, change in mutation.equivalent() if number == exercise.number and answer
    ]
    mutants = {(m.answer, m.change): m for name in {a for a, _ in mine}
               for m in mutation.mutants_of(exercise.number, name, answers[name])}  # fmt: skip
    assert set(mine) <= mutants.keys(), "no longer a mutant"
    for place in mine[::16]:
        assert mutation.survives(mutants[place], 1), place


def test_a_mutant_that_never_ends_takes_little_time_and_does_not_survive():
    endless = mutation.Mutant("01.1", "solution", "", "def describe_sum(numbers):\n    while True:\n        pass")
    begin = time.process_time()
    assert not mutation.survives(endless, 3, 0.3)
    assert 0.2 < time.process_time() - begin < 2
    assert mutation.time_for("01.1", ex("01.1").solution_code) >= 0.5


def test_a_solution_itself_is_right():
    assert verdict(ex("01.1"), ex("01.1").solution_code, 0).right
