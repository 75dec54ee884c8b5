"""The student of a submission, from the file names in downloads of Canvas, Moodle and Gradescope.

They are made by `content_zipper.rb <https://github.com/instructure/canvas-lms/blob/master/lib/content_zipper.rb>`_ in
Canvas and `downloader.php <https://github.com/moodle/moodle/blob/main/mod/assign/classes/downloader.php>`_ in Moodle.
Of Gradescope there is no source: `submission_` and a number is what public programs that read its downloads expect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Student", "is_folder_of_one", "student_of"]

#: ``doejane_LATE_1234_5678_answers-1.ipynb``: the name that Canvas sorts by, in small letters and without spaces, the
#: number of the user, the number of the file, and its name.
_CANVAS = re.compile(r"(?P<name>[^\W\d_][^\W_]*)(?:_LATE)?_(?P<id>\d{3,})_\d{3,}_.+")
#: ``LATE_anon_aB3xZ_5678_answers.ipynb``, where the assignment is anonymous.
_CANVAS_ANONYMOUS = re.compile(r"(?:LATE_)?(?P<id>anon_[^\W_]+)_\d{3,}_.+")
#: ``Jane Doe_1234_assignsubmission_file_/answers.ipynb``, or with the file's name in the same place: the number is that
#: of the participant in this assignment.
_MOODLE = re.compile(r"(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_file(?:_.*|/.*)?")
#: ``submission_1234/answers.ipynb``: the number of the submission.
_GRADESCOPE = re.compile(r"submission_(?P<id>\d+)(?:/.*)?")


@dataclass(frozen=True)
class Student:
    """Whose a submission is.

    Attributes
    ----------
    id : str
        What tells students apart.
    name : str
        For people to read; may be empty.
    """

    id: str
    name: str = ""


def is_folder_of_one(folder: str) -> bool:
    """Return whether a folder holds what one student has handed in, by its name.

    Examples
    --------
    >>> is_folder_of_one("Jane Doe_1234_assignsubmission_file_"), is_folder_of_one("03")
    (True, False)
    """
    return bool(_MOODLE.fullmatch(folder) or _GRADESCOPE.fullmatch(folder))


def student_of(submission: str) -> Student | None:
    """Return whose a submission is; None if its name has another form.

    Parameters
    ----------
    submission : str
        The name of the file without its ending, with its folder where that tells.

    Examples
    --------
    >>> student_of("doejane_LATE_1234_5678_answers-1")
    Student(id='1234', name='doejane')
    >>> student_of("Jane Doe_1234_assignsubmission_file_/answers")
    Student(id='1234', name='Jane Doe')
    >>> student_of("submission_98765/answers")
    Student(id='98765', name='')
    """
    for known in (_MOODLE, _GRADESCOPE, _CANVAS_ANONYMOUS, _CANVAS):
        if found := known.fullmatch(submission):
            return Student(found["id"], found.groupdict().get("name") or "")
    return None
