"""Conversion of cells with IPython commands to Python."""

from __future__ import annotations

import ast
import re

__all__ = ["without_magics"]

#: Cell magics that run their cell as Python; cells with other magics are not Python or define no names.
_RUNS_CELL = ("time", "capture", "prun", "memit", "mprun", "python", "python3", "py")
_RUNS_LINE = ("time", "prun", "memit")
#: Commands that also work without ``%`` or ``!``, unless the line is Python.
_COMMANDS = (
    "autoreload|cat|cd|conda|config|cp|env|ls|load_ext|mamba|matplotlib|micromamba|mkdir|more|mv|pip|pip3|pylab|rm|rmdir|"
    "run|set_env|time|timeit|uv"
)
_LINE = re.compile(r"^(\s*)(?:(\w[\w, ]*?)\s*=\s*)?(?:%(\w+)[ \t]*(.*)|!!?.*)$")
_HELP = re.compile(r"^(\s*)(?:\?{1,2}[\w.%*]+|%{0,2}[\w.*]+\?{1,2})\s*$")
_BARE = re.compile(rf"^({_COMMANDS})[ \t]+(\S.*)$")
#: Prompts that terminals print before each line, and that pasted code therefore contains.
_PROMPTS = (re.compile(r"^(?:>>>|\.\.\.)(?: |$)"), re.compile(r"^(?:In ?\[\d+\]: ?|[ ]*\.{3,}: ?)"))


def without_magics(source: str) -> str:
    r"""Return a cell as Python, without IPython commands, but with the Python code that these commands run.

    Examples
    --------
    >>> print(without_magics("%matplotlib inline\nfiles = !ls\n%time x = 1\nx?\npip install numpy"))
    pass
    files = []
    x = 1
    pass
    pass
    >>> print(without_magics(">>> x = 1\n... "))
    x = 1
    <BLANKLINE>
    """
    if _compiles(source):
        return source
    lines = _without_prompts(_without_indent(source.split("\n")))
    for i, line in enumerate(lines):
        if line.startswith("%%"):
            if (line[2:].split(maxsplit=1) or [""])[0] not in _RUNS_CELL:
                return ""
            lines[i] = ""
        elif line.strip():
            break
    if _compiles("\n".join(lines)):
        return "\n".join(lines)
    return "\n".join(_python(line) for line in _joined(lines))


def _without_indent(lines: list[str]) -> list[str]:
    """Return lines without the indentation of the first line."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return [line.removeprefix(indent) for line in lines]


def _without_prompts(lines: list[str]) -> list[str]:
    first = next((line for line in lines if line.strip()), "")
    for prompt in _PROMPTS:
        if prompt.match(first):
            return [prompt.sub("", line) for line in lines]
    return lines


def _joined(lines: list[str]) -> list[str]:
    """Return lines in which the continuation lines of a command are empty; line numbers stay the same."""
    found: list[str] = []
    goes_on = False
    for line in lines:
        found.append("" if goes_on else line)
        goes_on = line.rstrip().endswith("\\") and (goes_on or _LINE.match(line) is not None)
    return found


def _python(line: str) -> str:
    if found := _HELP.match(line):
        return f"{found[1]}pass"
    if (found := _BARE.match(line)) and not _compiles(line):
        line = f"%{line}"
    found = _LINE.match(line)
    if found is None:
        return line
    indent, target, magic, rest = found.groups()
    runs = magic in _RUNS_LINE and rest.strip() != ""
    if target:
        return f"{indent}{target} = {rest if runs else []}"
    return f"{indent}{rest}" if runs else f"{indent}pass"


def _compiles(source: str) -> bool:
    try:
        compile(source, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
