"""Functions that run a program as ``python program.py`` does, with this package as ``mxnet``."""

from __future__ import annotations

import atexit
import builtins
import importlib.machinery
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any

from ...support import package
from ...support.printing import printable
from ...support.words import add_words, translate
from .habits import RELIED
from .packages import package_of
from .python2 import check_except_clauses, python2_advice
from .report import relied_text

__all__ = ["NotAProgramError", "compiled", "explanation", "run_program"]

_PACKAGE = str(package.FOLDER) + os.sep


class NotAProgramError(Exception):
    """The error for a file that can't be run. The message is the reason."""


def compiled(path: str) -> types.CodeType:
    """Return the compiled code of a program.

    Parameters
    ----------
    path : str
        Path of the program, in the form that tracebacks show.

    Returns
    -------
    code
        The code.

    Raises
    ------
    NotAProgramError
        If the file cannot be read, or is not text.
    SyntaxError
        If the file is not Python.
    """
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        raise NotAProgramError(f"{path}: {error.strerror}") from None
    if b"\0" in source:
        raise NotAProgramError(translate("{path} is not a Python program, because it is not text.", path=path))
    try:
        code = compile(source, path, "exec", dont_inherit=True)
        check_except_clauses(source, path)
        return code
    except SyntaxError as error:
        if "'utf-8' codec" in str(error) or "Non-UTF-8" in str(error):
            raise NotAProgramError(
                translate(
                    "{path} is not encoded in UTF-8. If its text is Chinese, add this line at the top of the program: "
                    "# -*- coding: gbk -*-",
                    path=path,
                )
            ) from None
        raise
    except ValueError as error:
        raise NotAProgramError(f"{path}: {error}") from None


def run_program(path: str, arguments: list[str], whole_traceback: bool = False) -> None:
    """Run a program in this process, and return when the program ends.

    Parameters
    ----------
    path : str
        Path of the program.
    arguments : list of str
        Arguments of the program, for ``sys.argv``.
    whole_traceback : bool
        Whether tracebacks also show the frames of this package.

    Raises
    ------
    NotAProgramError
        If the file is not a program.
    SystemExit
        If the program exits, or ends with an error.
    KeyboardInterrupt
        If the program is interrupted.
    """
    from ...compatibility import as_mxnet

    hook = _Hook(path, whole_traceback)
    try:
        code = compiled(path)
    except SyntaxError as error:
        hook.show(type(error), error, None)
        raise SystemExit(1) from None
    as_mxnet(habits=True)
    module = _main_module(path)
    _set_search_path(path)
    sys.argv = [path, *arguments]
    sys.excepthook = hook.show
    _report_at_the_end()
    try:
        exec(code, vars(module))
    except SystemExit:
        raise
    except KeyboardInterrupt as error:
        # An uncaught KeyboardInterrupt makes Python end the process with the signal, after the traceback shown here.
        sys.excepthook(type(error), error, _own(error.__traceback__, module))
        sys.excepthook = lambda *_: None
        raise
    except BaseException as error:
        sys.excepthook(type(error), error, _own(error.__traceback__, module))
        raise SystemExit(1) from None


def _main_module(path: str) -> types.ModuleType:
    module = types.ModuleType("__main__")
    file = os.path.abspath(path)
    vars(module).update(
        __builtins__=builtins, __file__=file, __cached__=None, __package__=None, __spec__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", file),
    )  # fmt: skip
    sys.modules["__main__"] = module
    return module


def _set_search_path(path: str) -> None:
    """Replace the command's folder on the search path with the program's, followed by PYTHONPATH."""
    command = os.path.dirname(os.path.abspath(sys.argv[0] or "."))
    if sys.path and os.path.realpath(sys.path[0] or ".") == os.path.realpath(command):
        del sys.path[0]
    own = [os.path.dirname(os.path.realpath(path))]
    named = [os.path.abspath(entry) for entry in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    own += [entry for entry in named if entry not in map(os.path.abspath, sys.path)]
    sys.path[:0] = own


def _report_at_the_end() -> None:
    """Print the report on removed names at exit, in this process and not in forked children."""
    process = os.getpid()

    def say() -> None:
        text = relied_text(RELIED.values())
        if text and os.getpid() == process and sys.stderr is not None:
            print(printable(f"\n{text}", sys.stderr), file=sys.stderr)

    atexit.register(say)


def _own(trace: types.TracebackType | None, module: types.ModuleType) -> types.TracebackType | None:
    """Return a traceback that starts at the program's first frame."""
    found = trace
    while found is not None and found.tb_frame.f_globals is not vars(module):
        found = found.tb_next
    return found


class _Hook:
    """A hook that shows an uncaught error with the frames of the program and this package's explanation.

    Parameters
    ----------
    path : str
        Path of the program.
    whole : bool
        Whether to also show the frames of this package.
    """

    def __init__(self, path: str, whole: bool) -> None:
        self.path, self.whole = path, whole

    def show(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        """Print the traceback of an error, and the explanation if there is one."""
        told = traceback.TracebackException(kind, error, trace, compact=True)
        left_out = 0 if self.whole else _leave_out(told, set())
        lines = list(told.format())
        if left_out:
            words = "({n} frames inside d2lhybrid omitted; d2lhybrid run --whole-traceback shows them)"
            lines.append(translate(words, n=left_out) + "\n")
        explained = explanation(error, self.path)
        if explained:
            lines.append(f"\n{explained}\n")
        sys.stdout.flush()
        print(printable("".join(lines), sys.stderr), end="", file=sys.stderr, flush=True)


def _leave_out(told: traceback.TracebackException, seen: set[int]) -> int:
    """Remove the frames of this package from a traceback and from its causes; return the number of frames."""
    if id(told) in seen:
        return 0
    seen.add(id(told))
    kept = [frame for frame in told.stack if not _is_ours(frame.filename)]
    count = len(told.stack) - len(kept)
    told.stack[:] = kept
    others = [told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or [])]
    return count + sum(_leave_out(other, seen) for other in others if other is not None)


def _is_ours(file: str) -> bool:
    return file.startswith(("<d2lhybrid", "<hybridized")) or os.path.abspath(file).startswith(_PACKAGE)


def explanation(error: BaseException, path: str = "") -> str:
    """Return this package's explanation of an error: a page on a trap, advice on Python 2, or an install command.

    Parameters
    ----------
    error : BaseException
        The error.
    path : str
        Path of the program, if the error is from a file.

    Returns
    -------
    str
        The explanation; empty if there is none.

    Examples
    --------
    >>> explanation(ValueError("no"))
    ''
    """
    advice = python2_advice(error, path)
    if advice or not isinstance(error, Exception):
        return advice
    from ...pictures.error_lens import error_lens
    from ...pictures.traps import trap_of

    if trap_of(error) is not None:
        return error_lens(error).to_text()
    return _to_install(error)


def _to_install(error: BaseException) -> str:
    """Return the command that installs a missing package of the program."""
    name = (getattr(error, "name", None) or "").partition(".")[0]
    package = package_of(name)
    if not isinstance(error, ModuleNotFoundError) or not package:
        return ""
    from ...support.install_commands import install_command

    return translate("The program needs {name}: {command}", name=name, command=install_command(package))


add_words(
    {
        "{path} is not a Python program, because it is not text.": "{path} 不是 Python 程序：它不是文本文件。",
        "{path} is not encoded in UTF-8. If its text is Chinese, add this line at the top of the program: "
        "# -*- coding: gbk -*-":
        "{path} 不是 UTF-8 编码。如果里面是中文，请在第一行写上 # -*- coding: gbk -*-。",
        "({n} frames inside d2lhybrid omitted; d2lhybrid run --whole-traceback shows them)":
        "（省略了 d2lhybrid 内部的 {n} 帧：用 d2lhybrid run --whole-traceback 可以全部显示）",
        "The program needs {name}: {command}": "这个程序需要 {name}：{command}",
    }
)  # fmt: skip
