"""The command ``d2lhybrid``: one subcommand a row of ``COMMANDS``.

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
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["COMMANDS", "Command", "main", "notebooks_folder"]


@dataclass(frozen=True)
class Command:
    """A subcommand.

    Attributes
    ----------
    name, help : str
        What to type, and a line about it.
    run : callable
        Does the work on the parsed arguments and returns the exit status. Everything that only
        this command needs is imported inside it.
    add_arguments : callable
        Adds its arguments to its parser.
    """

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    add_arguments: Callable[[argparse.ArgumentParser], object] = lambda parser: None


def notebooks_folder() -> Path | None:
    """Return the folder of notebooks: below the current folder, or beside the package's own."""
    for folder in (Path.cwd(), Path(__file__).resolve().parent.parent):
        if (folder / "notebooks").is_dir():
            return folder / "notebooks"
    return None


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

#: Opened where it is in the folder.
_FIRST_NOTEBOOK = "00_start_here.ipynb"


def _lab_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, help="folder to open (default: the notebooks)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def _lab(arguments: argparse.Namespace) -> int:
    folder = arguments.folder or notebooks_folder()
    if folder is None or not folder.is_dir():
        asked = f"There is no folder {folder}." if folder else "There is no folder notebooks here."
        return _complain(f"{asked} Go to the folder of the course, or name a folder: d2lhybrid lab FOLDER")
    if importlib.util.find_spec("jupyterlab") is None:
        return _complain(
            f"JupyterLab is not installed: {sys.executable} -m pip install jupyterlab ipywidgets anywidget"
        )
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
    if (folder / _FIRST_NOTEBOOK).is_file():
        command.append(f"--LabApp.default_url=/lab/tree/{_FIRST_NOTEBOOK}")
    if arguments.no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # as in a container, where there is nobody else
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # Jupyter hears it too, and asks whether to stop
            continue


# --- lesson ---


def _lesson_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", type=Path, help="notebooks to run (default: all of them)")
    parser.add_argument("--timeout", type=int, default=600, help="seconds that a cell may take")


def _lesson(arguments: argparse.Namespace) -> int:
    paths = arguments.notebooks
    if not paths:
        folder = notebooks_folder()
        paths = sorted(folder.glob("*.ipynb")) if folder else []
    if not paths:
        return _complain("There are no notebooks here. Go to the folder of the course, or name a notebook.")
    if importlib.util.find_spec("nbclient") is None:
        return _complain(f"Running notebooks needs nbclient: {sys.executable} -m pip install nbclient ipykernel")
    from . import lesson

    return lesson.run_all(paths, timeout=arguments.timeout)


# --- explain ---


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", nargs="?", help="number of a page, as in H03 (default: the list of all pages)")


def _explain(arguments: argparse.Namespace) -> int:
    from . import traps
    from .traps import pages

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
    parser.add_argument("submissions", nargs="+", type=Path, help="notebooks, one a student")
    parser.add_argument("-o", "--output", type=Path, default=Path("marks.csv"), help="the table (default: marks.csv)")
    parser.add_argument("-r", "--reports", type=Path, help="folder of the pages (default: beside the table)")
    parser.add_argument("-e", "--exercises", nargs="+", default=[], metavar="NUMBER", help="exercises or chapters that "
                        "count, such as 03 04.1 (default: what most notebooks hold)")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=20, help="that an answer may take (default: 20)")
    parser.add_argument("--memory", type=int, default=2048, help="megabytes that an answer may take (default: 2048)")
    parser.add_argument("--workers", type=int, help="how many at once (default: one a core)")
    parser.add_argument("--seed", type=int, help="random inputs as in an earlier run (keep it secret until then)")
    parser.add_argument("--executor", choices=["local", "dask"], default="local", help="where to mark")
    parser.add_argument("--scheduler", help="address of the Dask cluster (default: Dask's configuration)")


def _grade(arguments: argparse.Namespace) -> int:
    from .grading import command

    return command.run(arguments)


# --- binder ---


def _binder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", nargs="?", help="address of the repository (default: git's origin)")
    parser.add_argument("--ref", default="HEAD", help="branch, tag or commit (default: the newest)")
    parser.add_argument("--write", metavar="FILE", type=Path, help="put the link into the badges of this file")


def _binder(arguments: argparse.Namespace) -> int:
    from . import binder

    address = arguments.address or binder.repository_address(Path.cwd())
    if address is None:
        return _complain(
            "This folder has no git repository with an address. Name one: d2lhybrid binder https://github.com/..."
        )
    try:
        link = binder.launch_link(address, arguments.ref)
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
    return 0 if count else _complain(f"{arguments.write} has no Binder badge: put the line above where it belongs.")


# --- version ---


def _version(arguments: argparse.Namespace) -> int:
    from . import __version__

    print("d2lhybrid", __version__)
    return 0


#: Everything that the command can do. A new subcommand is one row more.
COMMANDS: list[Command] = [
    Command("doctor", "say what works on this machine, and what to type", _doctor),
    Command("lab", "open the notebooks in JupyterLab", _lab, _lab_arguments),
    Command(
        "lesson",
        "run the notebooks without a browser and print what each cell prints",
        _lesson,
        _lesson_arguments,
    ),
    Command("explain", "print a page on an error or a trap of hybridization", _explain, _explain_arguments),
    Command("grade", "mark the exercises in students' notebooks", _grade, _grade_arguments),
    Command("binder", "print the link that opens the course on mybinder.org", _binder, _binder_arguments),
    Command("version", "print the version", _version),
]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="d2lhybrid", description="How hybridize works: a course to run, and to look inside."
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        What was typed after ``d2lhybrid``; by default from ``sys.argv``.

    Returns
    -------
    int
        The exit status, 0 for success.
    """
    parsed = _parser().parse_args(arguments)
    try:
        status = parsed.run(parsed)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `d2lhybrid doctor | head` is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
