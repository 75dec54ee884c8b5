"""Many programs, in this process or in several."""

from __future__ import annotations

import contextlib
import io
import itertools
import multiprocessing
from collections.abc import Iterator
from typing import NamedTuple

from verified import verified_programs

from .generator import generate
from .modes import choose_thresholds
from .running import Finding, check

__all__ = ["Result", "results", "run_seed"]


class Result(NamedTuple):
    """What came of one seed."""

    seed: int
    made: bool
    runs: int
    findings: list[Finding]


def run_seed(seed: int, modes: list[str]) -> Result:
    """Make the program of a seed and run it in some modes."""
    reference = generate(seed)
    if reference is None:
        return Result(seed, False, 0, [])
    lowered, findings = choose_thresholds(seed), []
    for mode in modes:
        with contextlib.redirect_stdout(io.StringIO()):  # what a failing trace prints besides its error
            finding = check(reference, mode, lowered)
        if finding is not None:
            findings.append(finding)
    return Result(seed, True, len(modes), findings)


def _modes_of(seed: int, names: list[str], each: int) -> list[str]:
    """Return the modes that a seed runs in: some of them, in turn."""
    return [names[(seed * each + i) % len(names)] for i in range(min(each, len(names)))]


def _work(task: tuple[int, list[str]]) -> Result:
    with verified_programs():
        return run_seed(*task)


def _tasks(first: int, count: int | None, names: list[str], each: int) -> Iterator[tuple[int, list[str]]]:
    seeds = itertools.count(first) if count is None else range(first, first + count)
    for seed in seeds:
        yield seed, _modes_of(seed, names, each)


def results(first: int, count: int | None, names: list[str], each: int, workers: int = 1) -> Iterator[Result]:
    """Run the programs of consecutive seeds, without end unless `count` is given.

    Parameters
    ----------
    first : int
        The first seed.
    count : int or None
        How many seeds.
    names : list of str
        The modes.
    each : int
        How many of them each program runs in, in turn.
    workers : int
        Processes; with several, results come as they are ready.
    """
    tasks = _tasks(first, count, names, each)
    if workers == 1:
        yield from map(_work, tasks)
        return
    # The pool reads all of an endless iterator ahead: it gets as much as keeps its processes busy.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        while portion := list(itertools.islice(tasks, 32 * workers)):
            yield from pool.imap_unordered(_work, portion, chunksize=4)
