"""The identification of a submission's student by file names in downloads from Canvas, Moodle, and Gradescope.

The forms of the names come from
`content_zipper.rb <https://github.com/instructure/canvas-lms/blob/master/lib/content_zipper.rb>`_ in Canvas and
`downloader.php <https://github.com/moodle/moodle/blob/main/mod/assign/classes/downloader.php>`_ in Moodle.
Gradescope's source is not public; programs that read Gradescope's downloads expect `submission_` and a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Student", "is_folder_of_one", "student_of"]

#: ``doejane_LATE_1234_5678_answers-1.ipynb``: Canvas's sortable name in lower case without spaces, the
#: number of the user, the number of the file, and its name.
_CANVAS = re.compile(r"(?P<name>[^\W\d_][^\W_]*)(?:_LATE)?_(?P<id>\d{3,})_\d{3,}_.+")
#: ``LATE_anon_aB3xZ_5678_answers.ipynb``: the name in an anonymous assignment.
_CANVAS_ANONYMOUS = re.compile(r"(?:LATE_)?(?P<id>anon_[^\W_]+)_\d{3,}_.+")
#: ``Jane Doe_1234_assignsubmission_file_/answers.ipynb``, or with the file's name after the underscore. The number
#: identifies the participant in this assignment.
_MOODLE = re.compile(r"(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_file(?:_.*|/.*)?")
#: ``submission_1234/answers.ipynb``: the number of the submission.
_GRADESCOPE = re.compile(r"submission_(?P<id>\d+)(?:/.*)?")


@dataclass(frozen=True)
class Student:
    """The student of a submission.

    Attributes
    ----------
    id : str
        Identifier of the student.
    name : str
        Name for display; may be empty.
    """

    id: str
    name: str = ""


def is_folder_of_one(folder: str) -> bool:
    """Return whether a folder's name shows that the folder belongs to one student.

    Examples
    --------
    >>> is_folder_of_one("Jane Doe_1234_assignsubmission_file_"), is_folder_of_one("03")
    (True, False)
    """
    return bool(_MOODLE.fullmatch(folder) or _GRADESCOPE.fullmatch(folder))


def student_of(submission: str) -> Student | None:
    """Return the student whom the name of a submission identifies, or None if the form of the name is unknown.

    Parameters
    ----------
    submission : str
        Name of the file without its suffix, and with its folder if the folder identifies the student.

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
