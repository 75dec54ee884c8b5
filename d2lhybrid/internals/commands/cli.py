"""The command ``d2lhybrid``, with a subcommand for each row of ``COMMANDS``.

Examples
--------
>>> main(["version"])
d2lhybrid ...
0
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...error import MXNetError
from ..support.printing import spell_on

__all__ = ["COMMANDS", "Command", "main"]


@dataclass(frozen=True)
class Command:
    """A subcommand of ``d2lhybrid``.

    Attributes
    ----------
    name, help : str
        Name of the subcommand, and its description in one line.
    run : callable
        Function that runs the subcommand with the parsed arguments and returns the exit status. It imports
        everything that only this subcommand needs.
    add_arguments : callable
        Function that adds the subcommand's arguments to its parser.
    computes : bool
        Whether the subcommand needs NumPy in this process.
    """

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    add_arguments: Callable[[argparse.ArgumentParser], object] = lambda parser: None
    computes: bool = False


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


# --- doctor ---


def _doctor(arguments: argparse.Namespace) -> int:
    from . import doctor

    checks = doctor.examine()
    print(doctor.report(checks))
    return doctor.exit_status(checks)


# --- lab ---


def _lab_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, help="folder to open; if it does not exist, the course is "
                        "copied to it (default: the course in this folder, or a copy in d2lhybrid-course)")  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.epilog = "All other options are JupyterLab's, such as --port 8890 or --ip 0.0.0.0: jupyter lab --help"
    parser.set_defaults(options=[])


def _lab(arguments: argparse.Namespace) -> int:
    if importlib.util.find_spec("jupyterlab") is None:
        from ..support.install_commands import install_command

        return _complain(f"JupyterLab is not installed: {install_command('jupyterlab', 'ipywidgets', 'anywidget')}")
    from ..course import course
    from . import lab

    folder = arguments.folder or course.course_folder() or Path(course.DEFAULT_FOLDER)
    if not folder.exists() or course.is_copy(folder):
        try:
            _copy_course(folder)
        except MXNetError as error:
            return _complain(str(error))
    if not folder.is_dir():
        return _complain(f"{folder} is not a folder. Pass a folder: d2lhybrid lab FOLDER")
    return lab.open_folder(folder, browser=not arguments.no_browser, options=arguments.options)


# --- course ---


def _course_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, help="target folder (default: d2lhybrid-course)")


def _course(arguments: argparse.Namespace) -> int:
    from ..course import course

    folder = arguments.folder or Path(course.DEFAULT_FOLDER)
    try:
        if not _copy_course(folder):
            print(f"The course in {folder} is complete; nothing was changed.")
    except MXNetError as error:
        return _complain(str(error))
    return 0


def _copy_course(folder: Path) -> bool:
    """Copy the course and print the list of copied files; return whether there are any."""
    from ..course import course

    with course.explained(folder):
        done = str(course.copy_course(folder))
    if done:
        print(done)
    return bool(done)


# --- lesson ---


def _lesson_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", type=Path, help="notebooks to run (default: all of them)")
    parser.add_argument("--timeout", type=int, default=600, help="time limit for each cell, in seconds (default: 600)")


def _lesson(arguments: argparse.Namespace) -> int:
    from ..course import course

    paths = arguments.notebooks
    if not paths:
        folder = course.course_folder() or course.original()
        paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        return _complain("This folder contains no notebooks. Go to the folder of the course, or pass a notebook.")
    if importlib.util.find_spec("nbclient") is None:
        from ..support.install_commands import install_command

        return _complain(f"To run notebooks, install nbclient: {install_command('nbclient', 'ipykernel')}")
    from ..course import lesson

    return lesson.run_all(paths, timeout=arguments.timeout)


# --- run ---


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    from .running import command

    command.add_arguments(parser)


def _run(arguments: argparse.Namespace) -> int:
    from .running import command

    return command.run(arguments)


# --- port ---


def _port_arguments(parser: argparse.ArgumentParser) -> None:
    from .porting import command

    command.add_arguments(parser)


def _port(arguments: argparse.Namespace) -> int:
    from .porting import command

    return command.run(arguments)


# --- explain ---


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", nargs="?", help="number of a page, such as H03 (default: list all pages)")


def _explain(arguments: argparse.Namespace) -> int:
    from ..pictures import traps
    from ..pictures.traps import pages

    if arguments.page is None:
        print(pages.index_text().partition("\n\n")[2])
        return 0
    try:
        found = traps.trap(arguments.page)
    except ValueError as error:
        return _complain(str(error))
    print(pages.page_text(found).partition("\n\n")[2])
    return 0


# --- grade ---


def _grade_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "submissions", nargs="*", type=Path, help="notebooks, one for each student, or folders of notebooks"
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("marks.csv"), help="table to write (default: marks.csv)"
    )
    parser.add_argument(
        "-r", "--reports", type=Path, help="folder for the students' pages (default: next to the table)"
    )
    parser.add_argument(
        "--gradescope", type=Path, metavar="FOLDER", help="also write a results.json for each submission to FOLDER"
    )
    parser.add_argument("-e", "--exercises", nargs="+", default=[], metavar="NUMBER", help="exercises or chapters to "
                        "mark, such as 03 04.1 (default: the exercises in most notebooks)")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=20, help="time limit for each answer (default: 20)")
    parser.add_argument(
        "--memory", type=int, default=2048, help="memory limit for each answer, in megabytes (default: 2048)"
    )
    parser.add_argument(
        "--workers", type=int, help="number of answers to mark at the same time (default: one for each core)"
    )
    parser.add_argument("--seed", type=int, help="use the random inputs of an earlier run (keep the seed secret)")
    parser.add_argument("--resume", action="store_true", help="continue a run that was stopped")
    parser.add_argument("--all-or-nothing", action="store_true", help="give no points for parts of an answer")
    parser.add_argument("--trust-submissions", action="store_true", help="mark even if the system cannot "
                        "protect files from answers: in a container, or if you have read the submissions")  # fmt: skip
    parser.add_argument(
        "--executor", choices=["local", "dask"], default="local", help="mark on this machine or on a Dask cluster"
    )
    parser.add_argument("--scheduler", help="address of the Dask cluster (default: Dask's configuration)")


def _grade(arguments: argparse.Namespace) -> int:
    from ..course.grading import command

    return command.run(arguments)


# --- gather ---


def _gather_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", type=Path, help="tables of marks from d2lhybrid grade")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("class.csv"), help="table to write (default: class.csv)"
    )
    parser.add_argument("--students", type=Path, help="table with the columns submission, student, and name")
    parser.add_argument("--canvas", type=Path, help="gradebook that you exported from Canvas")
    parser.add_argument("--column", help="column of the assignment in that gradebook")
    parser.add_argument("--moodle", type=Path, help="grading worksheet of a Moodle assignment")


def _gather(arguments: argparse.Namespace) -> int:
    from ..course.grading import gather_command

    return gather_command.run(arguments)


# --- check ---


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", type=Path, help="your notebooks, as you would hand them in")
    parser.add_argument("-e", "--exercises", nargs="+", default=[], metavar="NUMBER", help="exercises or chapters "
                        "to check, such as 03 04.1 (default: all in the notebook)")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=20, help="time limit for each answer (default: 20)")


def _check(arguments: argparse.Namespace) -> int:
    from ..course.grading import before_handing_in

    return before_handing_in.run(arguments)


# --- new-course ---


def _new_course_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="new or empty folder")
    parser.add_argument("--lang", choices=["en", "zh"], default="en", help="language of the course (default: en)")
    parser.add_argument("--chapter", default="51", metavar="NUMBER", help="number of the first chapter (default: 51)")


def _new_course(arguments: argparse.Namespace) -> int:
    from ..course import new_course
    from . import binder

    wanted = binder.own_requirement()
    try:
        made = new_course.make_course(arguments.folder, arguments.lang, arguments.chapter, wanted)
    except MXNetError as error:
        return _complain(str(error))
    print(f"Created a course of {len(made)} files in {arguments.folder}; README.md explains them. Next, run there:")
    print("    python -m pip install --editable . pytest\n    python -m pytest")
    if "@" not in wanted:
        print(
            f"It requires {wanted}. If d2lhybrid is not on a package index, write its requirement in "
            "pyproject.toml and binder/requirements.txt with an address: d2lhybrid[lab] @ git+https://..."
        )
    return 0


# --- binder ---


def _binder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", nargs="?", help="address of the repository (default: git's remote origin)")
    parser.add_argument("--ref", default="HEAD", help="branch, tag, or commit (default: the newest)")
    parser.add_argument("--notebook", help="notebook to open, relative to the repository (default: the first "
                        "notebook in this folder's repository)")  # fmt: skip
    parser.add_argument("--write", metavar="FILE", type=Path, help="update the Binder badges in this file")


def _binder(arguments: argparse.Namespace) -> int:
    from . import binder

    address = arguments.address or binder.repository_address(Path.cwd())
    if address is None:
        return _complain(
            "This folder has no git repository with a remote. Pass an address: d2lhybrid binder https://github.com/..."
        )
    notebook = arguments.notebook
    if notebook is None:
        is_elsewhere = arguments.address and not binder.is_copy_of(Path.cwd(), address)
        notebook = binder.FIRST_NOTEBOOK if is_elsewhere else binder.first_notebook(Path.cwd())
        if not notebook:
            said = "This repository has no notebook, so JupyterLab opens without one. To choose one, use --notebook."
            print(said, file=sys.stderr)
    try:
        link = binder.launch_link(address, arguments.ref, notebook)
    except ValueError as error:
        return _complain(str(error))
    print(link)
    print(binder.badge(link))
    if arguments.write is None:
        return 0
    try:
        count = binder.put_badge_into(arguments.write, link)
    except OSError as error:
        return _complain(f"{arguments.write}: {error.strerror}")
    return 0 if count else _complain(f"{arguments.write} has no Binder badge. Copy the line above into the file.")


# --- version ---


def _version_line() -> str:
    from ... import __version__

    return f"d2lhybrid {__version__}"


def _version(arguments: argparse.Namespace) -> int:
    print(_version_line())
    return 0


#: All subcommands; to add a subcommand, add a row.
COMMANDS: list[Command] = [
    Command("doctor", "report what works on this machine, and how to fix what does not", _doctor),
    Command("lab", "open the course in JupyterLab; copy it first if necessary", _lab, _lab_arguments),
    Command("course", "copy the notebooks of the course to a folder, or update a copy", _course, _course_arguments),
    Command(
        "lesson",
        "run notebooks without a browser and print the output of each cell",
        _lesson,
        _lesson_arguments,
    ),
    Command(
        "run", "run an unchanged program or notebook that was written for MXNet", _run, _run_arguments, computes=True
    ),
    Command(
        "port",
        "list the programs in a folder that run, and what to change in the others",
        _port,
        _port_arguments,
        computes=True,
    ),
    Command(
        "explain", "print a page about an error or a trap of hybridization", _explain, _explain_arguments, computes=True
    ),
    Command("grade", "mark the exercises in students' notebooks", _grade, _grade_arguments, computes=True),
    Command(
        "gather", "combine tables of marks into one row for each student, for gradebooks", _gather, _gather_arguments
    ),
    Command("check", "check your own notebook before you hand it in", _check, _check_arguments, computes=True),
    Command(
        "new-course",
        "create a folder for your own course: exercises, tests, Binder",
        _new_course,
        _new_course_arguments,
    ),
    Command("binder", "print the link that opens the course on mybinder.org", _binder, _binder_arguments),
    Command("version", "print the version", _version),
]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="d2lhybrid", description="A hands-on course about how net.hybridize() works.")
    parser.add_argument("--version", action="version", version=_version_line(), help="print the version and exit")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run, computes=command.computes)
    return parser


def _wrong_python() -> str:
    """Return an error message if this Python is too old; an old Python can import only this module of the package."""
    from ..support.requirements import required_python

    wanted = required_python()
    if wanted.met_by(".".join(map(str, sys.version_info[:3]))):
        return ""
    least = wanted.limits.lstrip(">=")
    from ..support.install_commands import newer_python

    is_old = f"d2lhybrid needs Python {least} or newer, but {sys.executable} is Python {sys.version.split()[0]}."
    return f"{is_old}\nTo install it: {newer_python(least)}"


def _wrong_numpy() -> str:
    from . import doctor

    check = doctor.numpy_check()
    return "" if check.works else f"NumPy: {check.found}. To fix this: {check.remedy}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the ``d2lhybrid`` command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments of ``d2lhybrid``; by default, the arguments in ``sys.argv``.

    Returns
    -------
    int
        Exit status, 0 for success.
    """
    spell_on(sys.stdout, sys.stderr)
    if problem := _wrong_python():
        return _complain(problem)
    typed = list(sys.argv[1:] if arguments is None else arguments)
    options: list[str] = []
    if typed[:1] == ["lab"]:
        from .lab_options import split

        typed, options = split(typed)
    parsed = _parser().parse_args(typed)
    if options:
        parsed.options = options
    if parsed.computes and (problem := _wrong_numpy()):
        return _complain(problem)
    try:
        status = parsed.run(parsed)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `d2lhybrid doctor | head` is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
