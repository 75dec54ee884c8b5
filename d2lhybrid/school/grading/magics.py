"""Python from cells that hold commands of IPython."""

from __future__ import annotations

import ast
import re

__all__ = ["without_magics"]

#: Magics of whole cells that run the cell as it is; the cells of all others are not Python, or define nothing.
_RUNS_CELL = ("time", "capture", "prun", "memit", "mprun", "python", "python3", "py")
_RUNS_LINE = ("time", "prun", "memit")
_LINE = re.compile(r"^(\s*)(?:(\w[\w, ]*?)\s*=\s*)?(?:%(\w+)[ \t]*(.*)|!!?.*)$")
_HELP = re.compile(r"^(\s*)(?:\?{1,2}[\w.%*]+|%{0,2}[\w.*]+\?{1,2})\s*$")


def without_magics(source: str) -> str:
    r"""Return a cell as Python: commands of IPython do nothing, and what they would run stands alone.

    Examples
    --------
    >>> print(without_magics("%matplotlib inline\nfiles = !ls\n%time x = 1\nx?"))
    pass
    files = []
    x = 1
    pass
    """
    if _compiles(source):
        return source
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].split(maxsplit=1)[0] if lines[first][2:].strip() else ""
        if name not in _RUNS_CELL:
            return ""
        lines[first] = ""
    if _compiles("\n".join(lines)):
        return "\n".join(lines)
    return "\n".join(_python(line) for line in lines)


def _python(line: str) -> str:
    if found := _HELP.match(line):
        return f"{found[1]}pass"
    found = _LINE.match(line)
    if found is None:
        return line
    indent, target, magic, rest = found.groups()
    if target:
        return f"{indent}{target} = []"
    return f"{indent}{rest}" if magic in _RUNS_LINE and rest.strip() else f"{indent}pass"


def _compiles(source: str) -> bool:
    try:
        compile(source, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
