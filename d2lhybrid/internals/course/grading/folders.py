"""Submissions of several notebooks: a folder for each student, or a folder for each chapter."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .names import stem_of, visible, without_copy_marks
from .submission import Submission, merged

__all__ = ["one_a_student"]


def one_a_student(paths: Sequence[Path], submissions: Sequence[Submission]) -> list[Submission]:
    """Return one submission for each student, which combines all notebooks of the student.

    If the notebooks in most folders have different exercises, each folder belongs to a student. If not, but
    notebooks with the same name in different folders have different exercises, each folder belongs to a chapter.
    Otherwise, each file is a submission.

    Parameters
    ----------
    paths : sequence of Path
        Paths of the files.
    submissions : sequence of Submission
        Submissions in the files.
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
        # A folder with every student's notebook of one chapter has other exercises than the next folder.
        fit = _fit if keys is folders else _hold_different_exercises
        if several and 2 * sum(fit(g, paths, submissions) for g in several) > len(several):
            loose = {i: submission.name for i, submission in enumerate(submissions) if i not in keys}
            return _together({**loose, **keys}, inside, submissions)
    return list(submissions)


def _held(submission: Submission) -> set[str]:
    """Return the exercises that a notebook mentions."""
    return submission.answers.keys() - set(submission.guessed)


def _fit(group: Sequence[int], paths: Sequence[Path], submissions: Sequence[Submission]) -> bool:
    """Return whether files may belong to one student.

    The course has each exercise in two languages under the same file name, and a second download of a file has a number
    after its name.
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
    """Return whether no two files have the same exercise."""
    held = [_held(submissions[i]) for i in group]
    return len(set().union(*held)) == sum(map(len, held))


def _together(keys: dict[int, str], inside: Sequence[Path], submissions: Sequence[Submission]) -> list[Submission]:
    groups: dict[str, list[int]] = {}
    for i in sorted(keys):
        groups.setdefault(keys[i], []).append(i)
    return [merged(name, [(str(inside[i]), submissions[i]) for i in group]) for name, group in groups.items()]
