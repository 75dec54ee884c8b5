"""Marking of submissions, from notebooks to marks and a report for each student.

Marking uses three types of processes. The main process reads notebooks and distributes work. A **checker** for each
core asks the questions of the exercises and judges the replies. An **answer process** for each answer runs the
student's cells in confinement: it has no exercises, solutions, or expected values, and replies with data, never with
a verdict. See ``docs/decisions/0006-a-mark-is-computed-where-no-answer-runs.md``.
"""

from ...support.machine import in_browser, not_here

if in_browser():
    raise not_here(
        "Marking starts a separate process for each answer",
        "To mark submissions, run `d2lhybrid grade` on a computer. In a browser, ex(...).check works.",
    )

from .checker_process import MachineryError
from .marking import grade, grade_submission
from .marks import Limits, Mark, Report
from .submission import Submission, read_submission

__all__ = ["Limits", "MachineryError", "Mark", "Report", "Submission", "grade", "grade_submission", "read_submission"]
