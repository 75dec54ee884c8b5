"""The command ``d2lhybrid gather``, which merges tables of marks into a table by student and into gradebook files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import write_text
from .arguments import UsageError
from .gathering import gather, read_students
from .gradebooks import canvas_table, class_table, moodle_table
from .names import visible

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Merge the tables that the arguments name, and write the outputs if all inputs are valid.

    Parameters
    ----------
    arguments : argparse.Namespace
        Parsed arguments.

    Returns
    -------
    int
        Exit status: 0, or 1 with a message on standard error if an argument or an input is invalid, or if an output is
        also an input or cannot be written.
    """
    try:
        made = _made(arguments)
        inputs = {path.resolve() for path in (*arguments.tables, arguments.students, arguments.canvas, arguments.moodle)
                  if path is not None}  # fmt: skip
        for path in made:
            if path.resolve() in inputs:
                raise UsageError(
                    f"{visible(str(path))} is an input, so it cannot be overwritten. Pass another path with --output."
                )
        for path, text in made.items():
            write_text(path, text)
            print(f"Written: {visible(str(path))}")
    except (UsageError, MXNetError) as error:
        print(f"{error}", file=sys.stderr)
        return 1
    return 0


def _made(arguments: argparse.Namespace) -> dict[Path, str]:
    output: Path = arguments.output
    students = gather(arguments.tables, read_students(arguments.students) if arguments.students else None)
    made = {output: class_table(students)}
    notes: list[str] = []
    if arguments.canvas:
        if not arguments.column:
            raise UsageError(
                "The Canvas column is missing. Pass the column of the assignment, such as --column 'Homework 3'"
            )
        made[output.with_name(f"{output.stem}-canvas.csv")] = canvas_table(
            arguments.canvas, arguments.column, students, notes
        )
    if arguments.moodle:
        made[output.with_name(f"{output.stem}-moodle.csv")] = moodle_table(arguments.moodle, students)
    for note in notes:
        print(note, file=sys.stderr)
    looks = [visible(one.student.id) for one in students if one.unclear]
    if looks:
        kept = " The gradebook keeps its entries for these students." if len(made) > 1 else ""
        said = f'Exercises with a "?" have no points until a person decides. Students: {", ".join(looks)}.{kept}'
        print(said, file=sys.stderr)
    return made
