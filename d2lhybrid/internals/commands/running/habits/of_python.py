"""Names that Python's standard library has removed since 2019."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from .relied import asked_by_a_library_of_today, note
from .restoring import adapt, in_c_type, members, names

__all__ = ["CHANGES", "GONE", "builtin_open"]

_ABSTRACT = [
    "Awaitable",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "ByteString",
    "Callable",
    "Collection",
    "Container",
    "Coroutine",
    "Generator",
    "Hashable",
    "ItemsView",
    "Iterable",
    "Iterator",
    "KeysView",
    "Mapping",
    "MappingView",
    "MutableMapping",
    "MutableSequence",
    "MutableSet",
    "Reversible",
    "Sequence",
    "Set",
    "Sized",
    "ValuesView",
]


def _collections(module: Any) -> None:
    import collections.abc as today

    def row(name: str) -> tuple[Any, str]:
        return lambda: getattr(today, name), "collections.abc." + name

    names(module, {name: row(name) for name in _ABSTRACT if not hasattr(module, name) and hasattr(today, name)})


def _time(module: Any) -> None:
    if not hasattr(module, "clock"):
        names(module, {"clock": (lambda: module.perf_counter, "time.perf_counter")})


def _inspect(module: Any) -> None:
    def getargspec(function: Any) -> Any:
        import collections

        kind = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
        return kind(*module.getfullargspec(function)[:4])

    if not hasattr(module, "getargspec"):
        names(module, {"getargspec": (lambda: getargspec, "inspect.getfullargspec")})


def _fractions(module: Any) -> None:
    import math

    if not hasattr(module, "gcd"):
        names(module, {"gcd": (lambda: math.gcd, "math.gcd")})


def _json(module: Any) -> None:
    def without_encoding(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if "encoding" in named:
            named.pop("encoding")
            note(f"json.{function.__name__}(encoding=)", "leave it out")
        return function(*given, **named)

    for name in ("load", "loads"):
        adapt(module, name, without_encoding)


def _base64(module: Any) -> None:
    rows = {"encodestring": (lambda: module.encodebytes, "base64.encodebytes")}
    rows["decodestring"] = (lambda: module.decodebytes, "base64.decodebytes")
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


def _random(module: Any) -> None:
    def of_any(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if given and isinstance(given[0], (set, frozenset)):
            note("random.sample of a set", "random.sample(sorted(s), k)")
            given = (tuple(given[0]), *given[1:])
        return function(*given, **named)

    def by_a_function(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        draw = named.pop("random", None) if len(given) < 2 else given[1]
        if draw is None:
            return function(*given[:1], **named)
        note("random.shuffle(x, random)", "random.shuffle(x)")
        items = given[0] if given else named["x"]
        for i in reversed(range(1, len(items))):
            j = int(draw() * (i + 1))
            items[i], items[j] = items[j], items[i]
        return None

    def whole(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if any(type(value) is float and value.is_integer() for value in given):
            note(f"random.{function.__name__} of a float", f"random.{function.__name__}(int(x))")
            given = tuple(int(v) if type(v) is float and v.is_integer() else v for v in given)
        return function(*given, **named)

    adapt(module, "sample", of_any)
    adapt(module, "shuffle", by_a_function)
    for name in ("randint", "randrange"):
        adapt(module, name, whole)


def _threading(module: Any) -> None:
    members(module.Thread, {"isAlive": (module.Thread.is_alive, "is_alive()")}, "threading.Thread")


def _elements(module: Any) -> None:
    rows = {"getchildren": (lambda self: list(self), "list(element)")}
    rows["getiterator"] = (lambda self, tag=None: list(self.iter(tag)), "element.iter()")
    if "_elementtree" in sys.modules:  # the implementation in C
        in_c_type(module.Element, rows, "xml.etree.ElementTree.Element")
    else:
        members(module.Element, rows, "xml.etree.ElementTree.Element")
    tree = {"getiterator": (lambda self, tag=None: list(self.iter(tag)), "tree.iter()")}
    members(module.ElementTree, tree, "xml.etree.ElementTree.ElementTree")


def _array(module: Any) -> None:
    rows = {"tostring": (module.array.tobytes, "tobytes()"), "fromstring": (module.array.frombytes, "frombytes()")}
    in_c_type(module.array, rows, "array.array")


def _os(module: Any) -> None:
    import errno

    if not hasattr(module, "errno"):
        names(module, {"errno": (lambda: errno, "import errno")})
    rows = {"getcwdu": (lambda: module.getcwd, "os.getcwd")}
    names(module, rows)


def _cgi(module: Any) -> None:
    import html

    if not hasattr(module, "escape"):
        names(module, {"escape": (lambda: html.escape, "html.escape")})


def _html_parser(module: Any) -> None:
    import html

    members(module.HTMLParser, {"unescape": (lambda self, text: html.unescape(text), "html.unescape")}, "HTMLParser")


def _locale(module: Any) -> None:
    if not hasattr(module, "format"):
        names(module, {"format": (lambda: module.format_string, "locale.format_string")})


def _configparser(module: Any) -> None:
    if not hasattr(module, "SafeConfigParser"):
        names(module, {"SafeConfigParser": (lambda: module.ConfigParser, "configparser.ConfigParser")})
    rows = {"readfp": (lambda self, file, source=None: self.read_file(file, source), "read_file()")}
    members(module.RawConfigParser, rows, "configparser.ConfigParser")


def _unittest(module: Any) -> None:
    today = {
        "assertEquals": "assertEqual", "assertNotEquals": "assertNotEqual", "assert_": "assertTrue",
        "assertAlmostEquals": "assertAlmostEqual", "assertRegexpMatches": "assertRegex",
        "assertRaisesRegexp": "assertRaisesRegex", "failUnless": "assertTrue", "failIf": "assertFalse",
        "assertItemsEqual": "assertCountEqual", "assertDictContainsSubset": "",
    }  # fmt: skip
    rows = {old: (getattr(module.TestCase, new), new) for old, new in today.items() if new}
    members(module.TestCase, rows, "unittest.TestCase")


def _pickle(module: Any) -> None:
    """Read pickles of Python 2, in which NumPy arrays contain non-ASCII bytes."""
    today = "pickle.{}(..., encoding='latin1')"

    def loads(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return function(*given, **named)
        except UnicodeDecodeError:
            if "encoding" in named or asked_by_a_library_of_today():
                raise
            note("pickle.loads of a pickle of Python 2", today.format("loads"))
            return function(*given, **{**named, "encoding": "latin1"})

    def load(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        file: Any = given[0] if given else named.get("file")
        if "encoding" in named or not callable(getattr(file, "seek", None)) or not file.seekable():
            return function(*given, **named)
        begin = file.tell()
        try:
            return function(*given, **named)
        except UnicodeDecodeError:
            if asked_by_a_library_of_today():
                raise
            note("pickle.load of a file of Python 2", today.format("load"))
            file.seek(begin)
            return function(*given, **{**named, "encoding": "latin1"})

    adapt(module, "load", load)
    adapt(module, "loads", loads)


def builtin_open() -> None:
    """Make ``open`` accept the mode letter U, which had no effect in Python 3, and which Python 3.11 removed."""

    def without_u(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        mode = given[1] if len(given) > 1 else named.get("mode", "r")
        if isinstance(mode, str) and "U" in mode and sys.version_info >= (3, 11):
            note(f"open(file, {mode!r})", "open(file, 'r')")
            mode = mode.replace("U", "") or "r"
            mode = mode if mode[0] in "rwax" else "r" + mode
            given = (*given[:1], mode, *given[2:])
            named.pop("mode", None)
        return function(*given, **named)

    adapt(builtins, "open", without_u)


def _imp() -> tuple[dict[str, Any], str]:
    import importlib
    import importlib.util
    import types

    def load_source(name: str, path: str, file: Any = None) -> Any:
        specification = importlib.util.spec_from_file_location(name, path)
        assert specification is not None and specification.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    made = {"load_source": load_source, "reload": importlib.reload, "new_module": types.ModuleType}
    return made, "import importlib"


def _pipes() -> tuple[dict[str, Any], str]:
    import shlex

    return {"quote": shlex.quote}, "import shlex"


def _cgi_gone() -> tuple[dict[str, Any], str]:
    import html

    return {"escape": html.escape}, "import html"


def _distutils_gone() -> tuple[dict[str, Any], str]:
    return {}, "packaging, shutil, or sysconfig"


def _distutils_version() -> tuple[dict[str, Any], str]:
    from .versions import LooseVersion, StrictVersion

    return {"LooseVersion": LooseVersion, "StrictVersion": StrictVersion}, "from packaging.version import Version"


def _distutils_util() -> tuple[dict[str, Any], str]:
    from .versions import strtobool

    return {"strtobool": strtobool}, "a function of your own"


def _distutils_spawn() -> tuple[dict[str, Any], str]:
    import shutil

    return {"find_executable": shutil.which}, "shutil.which"


def _distutils_dir_util() -> tuple[dict[str, Any], str]:
    import shutil

    from .versions import copy_tree

    return {"copy_tree": copy_tree, "remove_tree": shutil.rmtree}, "shutil.copytree, shutil.rmtree"


#: Module -> the function that restores names when it is imported.
CHANGES = {
    "array": _array,
    "base64": _base64,
    "cgi": _cgi,
    "collections": _collections,
    "configparser": _configparser,
    "fractions": _fractions,
    "html.parser": _html_parser,
    "inspect": _inspect,
    "json": _json,
    "locale": _locale,
    "os": _os,
    "pickle": _pickle,
    "random": _random,
    "threading": _threading,
    "time": _time,
    "unittest": _unittest,
    "xml.etree.ElementTree": _elements,
}

#: Removed modules.
GONE: dict[str, Any] = {
    "cgi": _cgi_gone,
    "distutils": _distutils_gone,
    "distutils.dir_util": _distutils_dir_util,
    "distutils.spawn": _distutils_spawn,
    "distutils.util": _distutils_util,
    "distutils.version": _distutils_version,
    "imp": _imp,
    "pipes": _pipes,
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}
