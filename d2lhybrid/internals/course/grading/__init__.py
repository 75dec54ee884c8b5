"""Marking of submissions: notebooks in, marks and a report for each student out.

Three kinds of processes take part. *This* one reads notebooks and hands out work. A **checker** for each core asks the
questions of the exercises and judges the data that comes back. An **answer process** for each answer runs the student's
cells, confined: it holds no exercises, no solutions and no expected values, and what it says is data, never a verdict.
See ``docs/decisions/0006-a-mark-is-computed-where-no-answer-runs.md``.
"""

from ...support.machine import in_browser, not_here

if in_browser():
    raise not_here(
        "Each answer is marked in a process of its own",
        "Mark on a computer with `d2lhybrid grade`; ex(...).check works here.",
    )

from .checker_process import MachineryError
from .marking import grade, grade_submission
from .marks import Limits, Mark, Report
from .submission import Submission, read_submission

__all__ = ["Limits", "MachineryError", "Mark", "Report", "Submission", "grade", "grade_submission", "read_submission"]
