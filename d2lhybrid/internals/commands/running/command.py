"""The command ``d2lhybrid run``, which finds and runs a program, module, or notebook."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from pathlib import Path

from d2lhybrid.util import config

from ...support.words import add_words, sentences, translate
from .program import NotAProgramError, run_program

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Parser of the command.
    """
    parser.add_argument("program", metavar="PROGRAM", help="program or notebook to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="arguments for the program")
    parser.add_argument("-o", "--output", type=Path, help="file for the notebook with its outputs (default: "
                        "NAME.ran.ipynb in the same folder)")  # fmt: skip
    parser.add_argument("--keep-going", action="store_true", help="continue a notebook after a cell that fails")
    parser.add_argument("--timeout", type=int, metavar="SECONDS", help="time limit for each cell of a notebook")
    parser.add_argument("--whole-traceback", action="store_true", help="also show d2lhybrid's frames in tracebacks")
    parser.add_argument(
        "--lang", choices=["en", "zh"], default="en", help="language of d2lhybrid's messages (default: en)"
    )
    parser.epilog = "Put options before PROGRAM. All words after PROGRAM are passed to the program."


def run(arguments: argparse.Namespace) -> int:
    """Run the program that the arguments name.

    Parameters
    ----------
    arguments : argparse.Namespace
        Parsed arguments.

    Returns
    -------
    int
        Exit status: 0, or 2 if the file cannot be run. For a notebook, the status is also 1 if a cell failed, and 130
        if the run was interrupted. A program that ends with an error raises SystemExit instead.
    """
    if arguments.lang != "en":
        config(lang=arguments.lang)
    try:
        if _is_notebook(arguments.program):
            return _run_notebook(arguments)
        run_program(arguments.program, arguments.arguments, arguments.whole_traceback)
    except NotAProgramError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _is_notebook(path: str) -> bool:
    """Return whether a file is a notebook, judging by its name.

    Raises
    ------
    NotAProgramError
        If the file does not exist, or is a folder.
    """
    if os.path.isdir(path):
        programs = sorted(name for name in os.listdir(path) if name.endswith((".py", ".ipynb")))[:5]
        hint = translate("Pass a program in this folder: {names}", names=", ".join(programs)) if programs else ""
        raise NotAProgramError(
            sentences(translate("{path} is a folder, not a program or a notebook.", path=path), hint)
        )
    if not os.path.exists(path):
        folder, name = os.path.split(path)
        there = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        near = difflib.get_close_matches(name, there, 1, cutoff=0.7)
        hint = translate("Did you mean {name}?", name=os.path.join(folder, near[0])) if near else ""
        raise NotAProgramError(sentences(translate("There is no file {path}.", path=path), hint))
    return path.endswith(".ipynb")


def _run_notebook(arguments: argparse.Namespace) -> int:
    import importlib.util

    if arguments.arguments:
        raise NotAProgramError(
            translate("A notebook takes no arguments. Put the options before the name of the notebook.")
        )
    missing = [name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None]
    if missing:
        from ...support.install_commands import install_command

        raise NotAProgramError(
            translate("To run notebooks, install {names}: {command}", names=", ".join(missing),
                      command=install_command("nbclient", "ipykernel"))
        )  # fmt: skip
    from .notebook import run_notebook

    return run_notebook(Path(arguments.program), arguments.output, arguments.keep_going, arguments.timeout)


add_words(
    {
        "{path} is a folder, not a program or a notebook.": "{path} 是一个文件夹，不是程序或笔记本。",
        "Pass a program in this folder: {names}": "请指定里面的一个程序：{names}",
        "There is no file {path}.": "没有文件 {path}。",
        "Did you mean {name}?": "你是指 {name} 吗？",
        "A notebook takes no arguments. Put the options before the name of the notebook.": (
            "笔记本不接受命令行参数。选项要写在笔记本的名字之前。"
        ),
        "To run notebooks, install {names}: {command}": "运行笔记本需要 {names}：{command}",
    }
)
