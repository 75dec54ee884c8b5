"""Programs for Python 2 are known by their errors, and told what to change."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import types

from ...support import package
from ...support.words import add_words, sentences, translate

__all__ = ["python2_advice"]

_PACKAGE = str(package.FOLDER)

#: A pattern on the text of an error -> what is written today. The first that fits counts.
_SIGNS: list[tuple[type[BaseException], str, str]] = [
    (SyntaxError, r"Missing parentheses in call to 'print'", "print(x)"),
    (SyntaxError, r"Missing parentheses in call to 'exec'", "exec(code)"),
    (SyntaxError, r"multiple exception types must be parenthesized", "except Error as error:"),
    (SyntaxError, r"leading zeros in decimal integer literals", "0o777"),
    (TabError, r"inconsistent use of tabs and spaces", ""),
    (NameError, r"name 'xrange' is not defined", "range(n)"),
    (NameError, r"name 'raw_input' is not defined", "input()"),
    (NameError, r"name '(unicode|basestring)' is not defined", "str"),
    (NameError, r"name 'unichr' is not defined", "chr(n)"),
    (NameError, r"name 'long' is not defined", "int"),
    (NameError, r"name 'reload' is not defined", "from importlib import reload"),
    (NameError, r"name 'reduce' is not defined", "from functools import reduce"),
    (NameError, r"name 'execfile' is not defined", "exec(open(file).read())"),
    (NameError, r"name 'cmp' is not defined", "(a > b) - (a < b)"),
    (NameError, r"name 'file' is not defined", "open(name)"),
    (ImportError, r"No module named '(cPickle|cpickle)'", "import pickle"),
    (ImportError, r"No module named 'Queue'", "import queue"),
    (ImportError, r"No module named '(c?StringIO)'", "from io import StringIO"),
    (ImportError, r"No module named 'urllib2'", "import urllib.request"),
    (ImportError, r"No module named 'urlparse'", "import urllib.parse"),
    (ImportError, r"No module named 'httplib'", "import http.client"),
    (ImportError, r"No module named 'HTMLParser'", "import html.parser"),
    (ImportError, r"No module named 'ConfigParser'", "import configparser"),
    (ImportError, r"No module named 'SocketServer'", "import socketserver"),
    (ImportError, r"No module named 'SimpleHTTPServer'", "import http.server"),
    (ImportError, r"No module named '(Tkinter|tkMessageBox)'", "import tkinter"),
    (ImportError, r"No module named 'commands'", "import subprocess"),
    (ImportError, r"No module named 'copy_reg'", "import copyreg"),
    (ImportError, r"No module named '__builtin__'", "import builtins"),
    (ImportError, r"cannot import name '(izip|imap|ifilter)(_longest)?' from 'itertools'", "zip, map, filter"),
    (AttributeError, r"module 'itertools' has no attribute '(izip|imap|ifilter)'", "zip, map, filter"),
    (AttributeError, r"module 'string' has no attribute '(letters|lowercase|uppercase)'", "string.ascii_letters"),
    (AttributeError, r"module 'sys' has no attribute 'maxint'", "sys.maxsize"),
    (AttributeError, r"module 'sys' has no attribute 'setdefaultencoding'", ""),
    (AttributeError, r"module 'urllib' has no attribute '(urlretrieve|urlopen)'", "urllib.request.urlretrieve"),
    (AttributeError, r"module 'urllib' has no attribute '(urlencode|quote)'", "urllib.parse.urlencode"),
    (AttributeError, r"'(?:Ordered|default)?[dD]ict' object has no attribute 'iteritems'", "items()"),
    (AttributeError, r"'(?:Ordered|default)?[dD]ict' object has no attribute 'itervalues'", "values()"),
    (AttributeError, r"'(?:Ordered|default)?[dD]ict' object has no attribute 'iterkeys'", "keys()"),
    (AttributeError, r"'(?:Ordered|default)?[dD]ict' object has no attribute 'has_key'", "key in dictionary"),
    (AttributeError, r"'str' object has no attribute 'decode'", "str"),
    (AttributeError, r"object has no attribute 'next'", "next(iterator)"),
    (AttributeError, r"'dict_(keys|values|items)' object has no attribute 'sort'", "sorted(dictionary)"),
    (TypeError, r"'(dict_keys|dict_values|dict_items|map|filter|zip)' object is not subscriptable", "list(...)"),
    (TypeError, r"for >>: 'builtin_function_or_method'", "print(x, file=f)"),
    (TypeError, r"object of type '(map|filter|zip)' has no len\(\)", "list(...)"),
]

#: Of Python 2 alone, where the parser has no sentence of its own.
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
    r"""Return what to do about an error if it is one of a program for Python 2; empty otherwise.

    Parameters
    ----------
    error : BaseException
        What the program ended with.
    program : str
        Its file, for the command that changes it; empty for a cell of a notebook.

    Examples
    --------
    >>> python2_advice(NameError("name 'xrange' is not defined"))
    'This is written for Python 2. Today: range(n).'
    >>> python2_advice(ValueError("no"))
    ''
    """
    today = _today(error)
    if today is None:
        return ""
    said = [translate("This is written for Python 2.")]
    if today:
        said.append(translate("Today: {code}.", code=today))
    if program:
        said.append(
            translate("To change the whole file, in a copy: {command}", command=_converter(_file_of(error, program)))
        )
    return sentences(*said)


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
    """Return the file that is written for Python 2: the program, or a module of its own that it imports."""
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
    """Return whether a module lies in the folder of the file of a package that imports it, where Python 2 found it."""
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
    copy = re.sub(r"(\.py)?$", "_3.py", program, count=1)
    if importlib.util.find_spec("lib2to3") is not None:
        return f"cp {program} {copy} && {sys.executable} -W ignore -m lib2to3 --no-diffs -n -w {copy}"
    return f"cp {program} {copy} && {sys.executable} -m pip install fissix && {sys.executable} -m fissix -n -w {copy}"


add_words(
    {
        "This is written for Python 2.": "这是为 Python 2 写的。",
        "Today: {code}.": "现在的写法：{code}。",
        "To change the whole file, in a copy: {command}": "要在一个副本里改写整个文件：{command}",
    }
)
