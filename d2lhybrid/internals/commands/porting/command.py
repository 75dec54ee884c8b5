"""The command ``d2lhybrid port``, which lists the programs that run today, and the changes that other programs need."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.support.filesystem import write_text
from d2lhybrid.internals.support.printing import printable
from d2lhybrid.internals.support.words import add_words, sentences, translate
from d2lhybrid.util import config

from . import reports
from .examine import Read, examine, read, unread
from .facts import Habits
from .findings import Result
from .own_modules import Own, with_imported
from .patches import patch_of
from .sources import UnreadableError, programs_in

__all__ = ["add_arguments", "examine_folder", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Parser of the command.
    """
    parser.add_argument("folder", type=Path, help="folder of programs and notebooks, or a single file")
    parser.add_argument("--all", action="store_true", help="list all findings, not only five per program")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write an HTML page")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write all findings as JSON; - for standard output"
    )
    parser.add_argument("--fix", type=Path, metavar="FILE", help="write the mechanical fixes as a patch; review "
                        "it, then apply it with patch -p1 in the folder")  # fmt: skip
    parser.add_argument(
        "--lang", choices=["en", "zh"], default="en", help="language of d2lhybrid's messages (default: en)"
    )
    parser.epilog = "The command only reads the programs; it never runs them."


def run(arguments: argparse.Namespace) -> int:
    """Analyze the folder that the arguments name.

    Parameters
    ----------
    arguments : argparse.Namespace
        Parsed arguments.

    Returns
    -------
    int
        Exit status: 0, or 2 if the folder cannot be read or has no program, or a file cannot be written.
    """
    if arguments.lang != "en":
        config(lang=arguments.lang)
    folder: Path = arguments.folder
    problem = _problem(folder)
    if problem:
        return _complain(problem)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # about "\\d" in a program, while its patch is checked
        return _port(arguments, folder)


def _port(arguments: argparse.Namespace, folder: Path) -> int:
    """Analyze a folder that exists, write the results, and return the exit status."""
    results = examine_folder(folder)
    if not results:
        return _complain(translate("{path} contains no program and no notebook.", path=folder))
    base = folder if folder.is_dir() else folder.parent
    to_terminal = str(arguments.json) == "-"
    try:
        if arguments.json and not to_terminal:
            write_text(arguments.json, reports.as_json(results, base))
        if arguments.html:
            write_text(arguments.html, reports.as_html(results, base))
        said = _write_patch(arguments.fix, results, base) if arguments.fix else ""
    except MXNetError as error:
        return _complain(str(error))
    text = reports.as_json(results, base).rstrip() if to_terminal else reports.as_text(results, base, arguments.all)
    print(printable(text, sys.stdout))
    if said:
        print(printable(said, sys.stderr), file=sys.stderr)
    return 0


def _problem(folder: Path) -> str:
    """Return the reason why a folder cannot be analyzed; empty if there is no reason."""
    if not folder.exists():
        return translate("There is no folder {path}.", path=folder)
    if folder.is_dir():
        return "" if os.access(folder, os.R_OK | os.X_OK) else translate("{path} cannot be read.", path=folder)
    if folder.suffix not in (".py", ".ipynb"):
        return translate("{path} is not a folder, a program or a notebook.", path=folder)
    return ""


def _complain(sentence: str) -> int:
    print(printable(sentence, sys.stderr), file=sys.stderr)
    return 2


def _write_patch(path: Path, results: list[Result], base: Path) -> str:
    text, changed = patch_of(results, base)
    if not changed:
        return translate("There is nothing to fix mechanically, so no patch was written.")
    write_text(path, text)
    found = translate("A patch for {n} files: {path}.", n=len(changed), path=path)
    apply = f"cd {base} && patch -p1 < {path.resolve()}"
    return sentences(found, translate("Review it, then run: {command}", command=apply))


def examine_folder(folder: Path) -> list[Result]:
    """Return the findings in all programs and notebooks of a folder.

    Parameters
    ----------
    folder : Path
        Path of the folder, or of a single file.

    Returns
    -------
    list of Result
        The findings in each file.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's warnings about the programs
        return _examine(list(programs_in(folder)), folder)


def _examine(paths: list[Path], folder: Path) -> list[Result]:
    found: dict[Path, Read | Result] = {}
    for path in paths:
        try:
            found[path] = read(path)
        except UnreadableError as error:
            found[path] = unread(path, error)
    programs = [program for program in found.values() if isinstance(program, Read)]
    habits = Habits(set().union(*(program.imports for program in programs)) & _libraries())
    own = Own(paths, folder, [one.source.path for one in programs if "sys.path" in one.parsed.text])
    results = [
        examine(program, habits, own.has) if isinstance(program, Read) else program for program in found.values()
    ]
    with_imported(results, own)
    return results


def _libraries() -> set[str]:
    """Return the libraries whose removed names ``d2lhybrid run`` restores."""
    from d2lhybrid.internals.commands.running.habits.libraries import changes, gone

    return {name.partition(".")[0] for name in [*changes(), *gone()]}


add_words(
    {
        "{path} contains no program and no notebook.": "{path} 里没有程序，也没有笔记本。",
        "There is no folder {path}.": "没有文件夹 {path}。",
        "{path} cannot be read.": "无法读取 {path}。",
        "{path} is not a folder, a program or a notebook.": "{path} 不是文件夹、程序或笔记本。",
        "There is nothing to fix mechanically, so no patch was written.": "没有可以自动修改的地方，所以没有写出补丁。",
        "A patch for {n} files: {path}.": "{n} 个文件的补丁：{path}。",
        "Review it, then run: {command}": "请先检查，然后运行：{command}",
    }
)
