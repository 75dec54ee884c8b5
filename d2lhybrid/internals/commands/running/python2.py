"""Advice on errors of programs for Python 2."""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
import types

from ...support import package
from ...support.words import add_words, sentences, translate
from ..defined_names import defined_names

__all__ = ["MODULES", "NAMES", "OF_DICTIONARIES", "OF_MODULES", "check_except_clauses", "python2_advice"]

_PACKAGE = str(package.FOLDER)

#: Removed built-in names -> their replacements.
NAMES = {
    "xrange": "range(n)", "raw_input": "input()", "unicode": "str", "basestring": "str", "unichr": "chr(n)",
    "long": "int", "reload": "from importlib import reload", "reduce": "from functools import reduce",
    "execfile": "exec(open(file).read())", "cmp": "(a > b) - (a < b)", "file": "open(name)", "apply": "f(*arguments)",
    "buffer": "memoryview",
}  # fmt: skip

#: Renamed modules -> their present names.
MODULES = {
    "cPickle": "import pickle", "cpickle": "import pickle", "Queue": "import queue",
    "StringIO": "from io import StringIO", "cStringIO": "from io import StringIO", "urllib2": "import urllib.request",
    "urlparse": "import urllib.parse", "httplib": "import http.client", "HTMLParser": "import html.parser",
    "ConfigParser": "import configparser", "SocketServer": "import socketserver",
    "SimpleHTTPServer": "import http.server", "BaseHTTPServer": "import http.server", "Tkinter": "import tkinter",
    "tkMessageBox": "import tkinter", "commands": "import subprocess", "copy_reg": "import copyreg",
    "__builtin__": "import builtins", "exceptions": "import builtins", "sets": "set", "md5": "import hashlib",
    "thread": "import _thread", "cookielib": "import http.cookiejar",
}  # fmt: skip

#: Module -> its removed names -> their replacements.
OF_MODULES = {
    "itertools": dict.fromkeys(["izip", "imap", "ifilter", "izip_longest", "ifilterfalse"], "zip, map, filter"),
    "string": dict.fromkeys(["letters", "lowercase", "uppercase"], "string.ascii_letters")
    | dict.fromkeys(["maketrans", "join", "split", "replace", "atoi", "strip", "upper", "lower"], "methods of str"),
    "sys": {"maxint": "sys.maxsize", "setdefaultencoding": "", "exc_clear": ""},
    "urllib": dict.fromkeys(["urlretrieve", "urlopen", "URLopener"], "urllib.request.urlretrieve")
    | dict.fromkeys(["urlencode", "quote", "unquote"], "urllib.parse.urlencode"),
    "os": {"getcwdu": "os.getcwd()"},
}

#: Removed methods of dictionaries -> their replacements.
OF_DICTIONARIES = {
    "iteritems": "items()", "itervalues": "values()", "iterkeys": "keys()", "has_key": "key in dictionary",
    "viewitems": "items()", "viewvalues": "values()", "viewkeys": "keys()",
}  # fmt: skip

#: A pattern for the message of an error -> the replacement. The first match counts.
_SIGNS: list[tuple[type[BaseException], str, str]] = [
    (SyntaxError, r"Missing parentheses in call to 'print'", "print(x)"),
    (SyntaxError, r"Missing parentheses in call to 'exec'", "exec(code)"),
    (SyntaxError, r"multiple exception types must be parenthesized", "except Error as error:"),
    (SyntaxError, r"leading zeros in decimal integer literals", "0o777"),
    (TabError, r"inconsistent use of tabs and spaces", ""),
    *[(NameError, f"name '{name}' is not defined", today) for name, today in NAMES.items()],
    *[(ImportError, f"No module named '{name}'", today) for name, today in MODULES.items()],
    *[
        (kind, pattern.format(module, name), today)
        for module, names in OF_MODULES.items()
        for name, today in names.items()
        for kind, pattern in (
            (ImportError, "cannot import name '{1}' from '{0}'"),
            (AttributeError, "module '{0}' has no attribute '{1}'"),
        )
    ],
    *[
        (AttributeError, rf"'(?:Ordered|default)?[dD]ict' object has no attribute '{name}'", today)
        for name, today in OF_DICTIONARIES.items()
    ],
    (AttributeError, r"'str' object has no attribute 'decode'", "str"),
    (AttributeError, r"object has no attribute 'next'", "next(iterator)"),
    (AttributeError, r"'dict_(keys|values|items)' object has no attribute 'sort'", "sorted(dictionary)"),
    (TypeError, r"'(dict_keys|dict_values|dict_items|map|filter|zip)' object is not subscriptable", "list(...)"),
    (TypeError, r"for >>: 'builtin_function_or_method'", "print(x, file=f)"),
    (TypeError, r"object of type '(map|filter|zip)' has no len\(\)", "list(...)"),
]

#: Syntax of Python 2 for which the parser has no specific message.
_LINES = [
    (re.compile(r"^\s*print\s+[^(=\s]"), "print(x)"),
    (re.compile(r"^\s*raise\s+[\w.]+\s*,"), "raise Error(message)"),
    (re.compile(r"^\s*except\s+[\w.()]+\s*,\s*\w+\s*:"), "except Error as error:"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"`[^`]+`"), "repr(x)"),
    (re.compile(r"\bur['\"]"), "r'...'"),
    (re.compile(r"\b\d+[lL]\b"), "int"),
    (re.compile(r"\blambda\s*\("), "lambda pair: ..."),
    (re.compile(r"^\s*def\s+\w+\(.*\(\w+\s*,"), "def f(pair): ..."),
    (re.compile(r"\b0[0-7]{2,}\b"), "0o777"),
]


def python2_advice(error: BaseException, program: str = "") -> str:
    r"""Return advice on an error of a program for Python 2.

    Parameters
    ----------
    error : BaseException
        Error that ended the program.
    program : str
        Path of the program, for the command that converts it; empty for a notebook cell.

    Returns
    -------
    str
        The advice; empty for other errors.

    Examples
    --------
    >>> python2_advice(NameError("name 'xrange' is not defined"))
    'This code is written for Python 2. In Python 3, write: range(n).'
    >>> python2_advice(ValueError("no"))
    ''
    """
    today = _today(error)
    if today is None:
        return ""
    said = [translate("This code is written for Python 2.")]
    if today:
        said.append(translate("In Python 3, write: {code}.", code=today))
    if program:
        command = _converter(_file_of(error, program))
        said.append(translate("To get a patch for the whole file, run: {command}", command=command))
    return sentences(*said)


def check_except_clauses(source: bytes, path: str) -> None:
    """Raise the SyntaxError of earlier versions of Python for ``except Error, e:``.

    Since Python 3.14, ``except A, B:`` catches two types of exceptions. In a program for Python 2, ``B`` is the name of
    the exception, so the program would start, and fail with a NameError in the first handler that runs.

    Parameters
    ----------
    source : bytes
        A program that Python parses.
    path : str
        Path of the program, to which the error refers.

    Raises
    ------
    SyntaxError
        If the program doesn't define the second name after ``except``.
    """
    if sys.version_info < (3, 14):
        return
    tree = ast.parse(source, path)
    for handler in ast.walk(tree):
        if not isinstance(handler, ast.ExceptHandler) or not isinstance(handler.type, ast.Tuple):
            continue
        types_of, without_parentheses = handler.type.elts, handler.type.col_offset == handler.type.elts[0].col_offset
        if without_parentheses and len(types_of) == 2 and isinstance(types_of[1], ast.Name):
            name = types_of[1]
            parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
            if not {name.id, "*"} & (defined_names([tree]) | parameters | vars(builtins).keys()):
                line = source.splitlines()[name.lineno - 1].decode("utf-8", "replace")
                raise SyntaxError(
                    "multiple exception types must be parenthesized", (path, name.lineno, name.col_offset + 1, line)
                )


def _today(error: BaseException) -> str | None:
    text = str(error)
    if isinstance(error, ModuleNotFoundError) and error.name and _lies_beside(error, error.name):
        return f"from .{error.name} import x"
    for kind, pattern, today in _SIGNS:
        if isinstance(error, kind) and re.search(pattern, text):
            return today
    if isinstance(error, SyntaxError):
        line = error.text or ""
        return next((today for pattern, today in _LINES if pattern.search(line)), None)
    return None


def _file_of(error: BaseException, program: str) -> str:
    """Return the file with the Python 2 code: the program, or one of its modules."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename
    found, trace = program, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if os.path.isfile(file) and not file.startswith((sys.prefix, sys.base_prefix, _PACKAGE)):
            found = file
        trace = trace.tb_next
    return found


def _lies_beside(error: BaseException, name: str) -> bool:
    """Return whether a module is in the folder of the importing package file, where Python 2 would find it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and not _is_import(trace.tb_next):
        trace = trace.tb_next
    if trace is None or not trace.tb_frame.f_globals.get("__package__"):
        return False
    beside = os.path.join(os.path.dirname(trace.tb_frame.f_code.co_filename), name)
    return os.path.isfile(f"{beside}.py") or os.path.isdir(beside)


def _is_import(trace: types.TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith("<frozen importlib") and trace.tb_next is None


def _converter(program: str) -> str:
    patch = re.sub(r"(\.py)?$", ".patch", os.path.basename(program), count=1)
    return f"d2lhybrid port {program} --fix {patch}"


add_words(
    {
        "This code is written for Python 2.": "这段代码是为 Python 2 写的。",
        "In Python 3, write: {code}.": "在 Python 3 里应写作：{code}。",
        "To get a patch for the whole file, run: {command}": "要得到改写整个文件的补丁，请运行：{command}",
    }
)
