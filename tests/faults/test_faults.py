"""A sample of the lines at which something may go wrong; ``make faults`` tries them all."""

from __future__ import annotations

import os

import pytest

from .scenarios import SCENARIOS, FirstCall, FirstCallEager, FirstCallStatic, Scenario
from .trying import forks, full_disks, interruptions, kills, two_threads

# A file that Ctrl-C met between `open` and `with` is closed when it is freed, and Python says so.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

#: How many lines are tried.
SAMPLE = 6
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
WRITERS = [make for make in SCENARIOS if make.writes]


def name_of(make: type[Scenario]) -> str:
    return make.name


@pytest.mark.parametrize("make", SCENARIOS, ids=name_of)
def test_ctrl_c_leaves_everything_whole(make: type[Scenario]) -> None:
    outcome = interruptions(make, SAMPLE)
    assert outcome.tried > SAMPLE / 2
    assert not outcome.lost


@posix
@pytest.mark.parametrize("make", WRITERS, ids=name_of)
def test_a_kill_leaves_the_old_files_or_the_new_ones(make: type[Scenario]) -> None:
    outcome = kills(make, SAMPLE)
    assert outcome.tried > SAMPLE / 2
    assert not outcome.lost


@posix
@pytest.mark.parametrize("make", WRITERS, ids=name_of)
def test_a_full_disk_leaves_the_old_files(make: type[Scenario]) -> None:
    outcome = full_disks(make, SAMPLE)
    assert outcome.tried > SAMPLE / 2
    assert not outcome.lost


@pytest.mark.parametrize("make", [FirstCall, FirstCallStatic, FirstCallEager], ids=name_of)
def test_two_threads_may_make_the_first_call(make: type[Scenario]) -> None:
    outcome = two_threads(SAMPLE, make)
    assert outcome.tried > SAMPLE / 2
    assert not outcome.lost


@posix
def test_a_child_may_call_a_net_that_a_thread_of_its_parent_was_compiling() -> None:
    outcome = forks(SAMPLE)
    assert outcome.tried > SAMPLE / 2
    assert not outcome.lost
