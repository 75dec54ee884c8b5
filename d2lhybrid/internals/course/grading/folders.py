"""Several notebooks of one student, read as one submission: a folder a student, or a folder a chapter."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .names import stem_of, visible, without_copy_marks
from .submission import Submission, merged

__all__ = ["one_a_student"]


def one_a_student(paths: Sequence[Path], submissions: Sequence[Submission]) -> list[Submission]:
    """Return the submissions, with those of one student in one.

    In most folders of a class in which each student has a folder, no two notebooks hold the same exercises. Where
    they do, and those of one name in different folders do not, each folder holds a chapter.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    submissions : sequence of Submission
        What is in them.
    """
    if not paths:
        return []
    common = os.path.commonpath([path.absolute().parent for path in paths])
    inside = [path.absolute().relative_to(common) for path in paths]
    folders = {i: visible(path.parts[0]) for i, path in enumerate(inside) if len(path.parts) > 1}
    stems = {i: stem_of(path) for i, path in enumerate(inside) if len(path.parts) > 1}
    for keys in (folders, stems):
        groups: dict[str, list[int]] = {}
        for i, key in keys.items():
            groups.setdefault(key, []).append(i)
        several = [g for g in groups.values() if sum(bool(_held(submissions[i])) for i in g) > 1]
        # A folder that holds a chapter of every student holds other exercises than the next one.
        fit = _fit if keys is folders else _hold_different_exercises
        if several and 2 * sum(fit(g, paths, submissions) for g in several) > len(several):
            loose = {i: submission.name for i, submission in enumerate(submissions) if i not in keys}
            return _together({**loose, **keys}, inside, submissions)
    return list(submissions)


def _held(submission: Submission) -> set[str]:
    """Return the exercises that a notebook says it holds."""
    return submission.answers.keys() - set(submission.guessed)


def _fit(group: Sequence[int], paths: Sequence[Path], submissions: Sequence[Submission]) -> bool:
    """Return whether files can be one student's.

    The course holds an exercise in two languages, under one name; and a second download of a file has a number behind
    its name.
    """
    files: dict[str, list[int]] = {}
    for i in group:
        for number in _held(submissions[i]):
            files.setdefault(number, []).append(i)

    def alike(number: str, found: Sequence[int]) -> bool:
        if len({paths[i].name for i in found}) == 1:
            return sum(number in submissions[i].written for i in found) <= 1
        return len({without_copy_marks(stem_of(paths[i])) for i in found}) == 1

    return all(len(found) == 1 or alike(number, found) for number, found in files.items())


def _hold_different_exercises(group: Sequence[int], paths: Sequence[Path], submissions: Sequence[Submission]) -> bool:
    """Return whether no two files hold the same exercise."""
    held = [_held(submissions[i]) for i in group]
    return len(set().union(*held)) == sum(map(len, held))


def _together(keys: dict[int, str], inside: Sequence[Path], submissions: Sequence[Submission]) -> list[Submission]:
    groups: dict[str, list[int]] = {}
    for i in sorted(keys):
        groups.setdefault(keys[i], []).append(i)
    return [merged(name, [(str(inside[i]), submissions[i]) for i in group]) for name, group in groups.items()]
