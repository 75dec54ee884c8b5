"""Functions that run a notebook as Jupyter does, with this package as ``mxnet``, and save the outputs."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import nbformat
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from d2lhybrid.error import MXNetError

from ...course.lesson import output_text
from ...support import package
from ...support.filesystem import check_writable, write_text
from ...support.printing import printable
from ...support.words import add_words, sentences, translate
from .habits.relied import RELIED_FILE, Use
from .program import NotAProgramError
from .python2 import python2_advice
from .report import relied_text

__all__ = ["output_path", "run_notebook"]

#: The time limit, in seconds, for an interrupted cell to end.
_PATIENCE = 10
#: The code that the kernel runs first. The folder of this package is last on the search path.
_BEGIN = """
import sys as _sys
_sys.path.append({folder!r})
from d2lhybrid.mxnet import load_ipython_extension as _begin
_sys.path.remove({folder!r})
_begin(get_ipython(), {lang!r})
del _sys, _begin
"""


def output_path(path: Path) -> Path:
    """Return the path to which a notebook is written with its outputs.

    Parameters
    ----------
    path : Path
        Path of the notebook.

    Returns
    -------
    Path
        The path, next to the notebook.

    Examples
    --------
    >>> str(output_path(Path("lenet.ipynb")))
    'lenet.ran.ipynb'
    """
    return path.with_name(f"{path.stem.removesuffix('.ran')}.ran.ipynb")


def run_notebook(path: Path, output: Path | None = None, keep_going: bool = False, timeout: int | None = None) -> int:
    """Run a notebook, print a line for each cell, and write the notebook with its outputs to another file.

    Parameters
    ----------
    path : Path
        Path of the notebook, which is not changed.
    output : Path, optional
        Path of the output; by default, the result of :func:`output_path`.
    keep_going : bool
        Whether to continue after a cell that fails.
    timeout : int, optional
        Time limit for each cell in seconds.

    Returns
    -------
    int
        0 if every cell ran, 1 if a cell failed, 130 if the run was interrupted.

    Raises
    ------
    NotAProgramError
        If the file is not a Python notebook, or if the output cannot be written.
    """
    notebook = _read(path)
    output = output_path(path) if output is None else output
    if output.exists() and output.samefile(path):
        raise NotAProgramError(
            translate("The output path {path} is the path of the notebook. Choose another output path.", path=output)
        )
    try:
        check_writable(output)
    except MXNetError as error:
        _no_place(output, error)
    with _file_of_uses() as uses:
        failed, status = _execute(notebook, path, keep_going, timeout, uses)
        relied = relied_text(_read_uses(uses))
    try:
        write_text(output, nbformat.writes(notebook) + "\n")
    except MXNetError as error:
        _no_place(output, error)
    _say(translate("The notebook with its outputs: {path}", path=output))
    if failed and keep_going:
        _say(translate("Cells that failed: {cells}", cells=", ".join(map(str, failed))))
    if relied:
        _say(relied)
    return status


def _no_place(path: Path, error: MXNetError) -> NoReturn:
    said = translate("{path} cannot be written.", path=path), translate("Choose another file: --output FILE")
    raise NotAProgramError(sentences(*said)) from error


def _say(text: str, end: str = "\n") -> None:
    print(printable(text, sys.stderr), end=end, file=sys.stderr, flush=True)


def _read(path: Path) -> Any:
    try:
        text = path.read_text("utf-8")
        json.loads(text)
        notebook = nbformat.reads(text, as_version=4)
    except OSError as error:
        raise NotAProgramError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, AttributeError, TypeError, nbformat.ValidationError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NotAProgramError(translate("{path} is not a notebook: {reason}", path=path, reason=said)) from None
    language = notebook.metadata.get("kernelspec", {}).get("language") or notebook.metadata.get(
        "language_info", {}
    ).get("name", "python")
    if str(language).lower() not in ("python", "ipython"):
        raise NotAProgramError(
            translate("{path} is written in {language}, not in Python.", path=path, language=language)
        )
    return notebook


@contextlib.contextmanager
def _file_of_uses() -> Iterator[str]:
    descriptor, name = tempfile.mkstemp(prefix="d2lhybrid-")
    os.close(descriptor)
    try:
        yield name
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _read_uses(name: str) -> list[Use]:
    with open(name, encoding="utf-8") as stream:
        return [Use(*json.loads(line)) for line in stream]


def _execute(notebook: Any, path: Path, keep_going: bool, timeout: int | None, uses: str) -> tuple[list[int], int]:
    """Run the cells; return the numbers of the failed cells, and the exit status."""
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    cells = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    failed: list[int] = []
    try:
        with client.setup_kernel(env={**os.environ, RELIED_FILE: uses}):
            _begin(client)
            for number, (i, cell) in enumerate(cells, 1):
                _say(f"[{number}/{len(cells)}] {_first_line(cell.source)}", end="")
                began = time.perf_counter()
                try:
                    reason = _run_cell(client, cell, i)
                except DeadKernelError:
                    failed.append(number)
                    _say("\n" + _of_a_dead_kernel(len(cells) - number if keep_going else 0))
                    break
                _say(f"  {time.perf_counter() - began:.1f} s{f'  {reason}' if reason else ''}")
                if reason:
                    failed.append(number)
                    _show_error(cell)
                    if not keep_going:
                        break
    except KeyboardInterrupt:
        _say("\n" + translate("Interrupted."))
        return failed, 130
    return failed, int(bool(failed))


def _of_a_dead_kernel(left: int) -> str:
    """Return a message about the cell in which the kernel died, and about the later cells that did not run."""
    said = [translate("The kernel died in this cell, possibly because memory ran out or a C library crashed.")]
    if left:
        said.append(translate("The variables are gone, so {n} later cells did not run.", n=left) if left > 1 else
                    translate("The variables are gone, so 1 later cell did not run."))  # fmt: skip
    return sentences(*said)


def _begin(client: Any) -> None:
    """Make the kernel provide this package under the name ``mxnet`` before the first cell."""
    from d2lhybrid.util import settings

    code = _BEGIN.format(folder=str(package.FOLDER.parent), lang=settings.lang)
    reply = run_sync(client.kc.execute_interactive)(
        code, silent=True, store_history=False, allow_stdin=False, output_hook=lambda message: None, timeout=None
    )
    content = reply["content"]
    if content["status"] != "ok":
        raise NotAProgramError(f"{content.get('ename')}: {content.get('evalue')}")


def _run_cell(client: Any, cell: Any, place: int) -> str:
    """Run a cell; return the reason for a failure, or an empty string."""
    try:
        client.execute_cell(cell, place)
    except CellExecutionError as error:
        return f"{error.ename}"
    except CellTimeoutError:
        _interrupt(client)
        return translate("took too long")
    return ""


def _interrupt(client: Any) -> None:
    """Interrupt a cell, and wait until the kernel is ready: when a cell fails, it rejects cells in its queue."""
    run_sync(client.km.interrupt_kernel)()
    with contextlib.suppress(RuntimeError):  # a C library doesn't return; the next cell exceeds its limit, too
        run_sync(client.kc.wait_for_ready)(timeout=_PATIENCE)


def _first_line(source: str) -> str:
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    return lines[0][:70] if lines else ""


def _show_error(cell: Any) -> None:
    """Print the explanation and the traceback of a cell that failed."""
    for output in cell.outputs:
        text = output_text(output)
        if output["output_type"] == "error" or text.startswith("── "):
            _say("".join(f"    {line}\n" for line in text.splitlines()), end="")
        if output["output_type"] == "error":
            advice = python2_advice(_error_of(output, cell.source))
            if advice:
                _say(f"    {advice}")


def _error_of(output: Any, source: str) -> BaseException:
    """Return an error that represents the one in a kernel's output."""
    import builtins

    kind = getattr(builtins, output["ename"], Exception)
    if not (isinstance(kind, type) and issubclass(kind, Exception)) or issubclass(kind, UnicodeError):
        kind = Exception
    error = kind(output["evalue"])
    if isinstance(error, SyntaxError):
        try:
            compile(source, "cell", "exec")
        except SyntaxError as found:
            return found
    return error


add_words(
    {
        "The output path {path} is the path of the notebook. Choose another output path.": (
            "输出路径 {path} 就是这个笔记本的路径。请指定另一个输出路径。"
        ),
        "{path} cannot be written.": "无法写入 {path}。",
        "Choose another file: --output FILE": "请指定另一个文件：--output 文件",
        "The notebook with its outputs: {path}": "带有输出的笔记本：{path}",
        "Cells that failed: {cells}": "出错的单元格：{cells}",
        "{path} is not a notebook: {reason}": "{path} 不是笔记本：{reason}",
        "{path} is written in {language}, not in Python.": "{path} 是用 {language} 写的，不是 Python。",
        "Interrupted.": "已中断。",
        "The kernel died in this cell, possibly because memory ran out or a C library crashed.": (
            "内核在运行这个单元格时崩溃了：可能是内存不足，也可能是某个 C 库崩溃。"
        ),
        "The variables are gone, so {n} later cells did not run.": "变量已经丢失，后面的 {n} 个单元格没有运行。",
        "The variables are gone, so 1 later cell did not run.": "变量已经丢失，后面的 1 个单元格没有运行。",
        "took too long": "用时太长",
    }
)
