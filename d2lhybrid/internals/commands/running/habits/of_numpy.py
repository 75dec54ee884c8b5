"""Names that NumPy has removed since 2019."""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any

from .one_element import numbers_of_one_element
from .relied import asked_by_a_library_of_today, note
from .restoring import adapt, arguments, in_c_type, names

__all__ = ["CHANGES", "GONE"]


def _names(np: Any) -> dict[str, tuple[Any, str]]:
    """Return every removed name with its value and its present replacement."""
    same = {
        "bool": "bool", "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str",
        "unicode": "str",
    }  # fmt: skip
    of_numpy = {
        "Inf": "inf", "Infinity": "inf", "PINF": "inf", "infty": "inf", "NAN": "nan", "NaN": "nan", "alltrue": "all",
        "sometrue": "any", "product": "prod", "cumproduct": "cumprod", "round_": "round", "bool8": "bool_",
        "bytes0": "bytes_", "string_": "bytes_", "str0": "str_", "unicode_": "str_", "object0": "object_",
        "void0": "void", "int0": "intp", "uint0": "uintp", "float_": "float64", "cfloat": "complex128",
        "complex_": "complex128", "singlecomplex": "complex64", "longfloat": "longdouble", "clongfloat": "clongdouble",
        "longcomplex": "clongdouble", "row_stack": "vstack", "mat": "asmatrix", "trapz": "trapezoid",
        "MachAr": "finfo",
    }  # fmt: skip
    of_parts = {
        "AxisError": "exceptions", "ComplexWarning": "exceptions", "RankWarning": "exceptions",
        "TooHardError": "exceptions", "VisibleDeprecationWarning": "exceptions",
        "ModuleDeprecationWarning": "exceptions", "DataSource": "lib.npyio", "byte_bounds": "lib.array_utils",
        "compare_chararrays": "char", "format_parser": "rec",
    }  # fmt: skip
    rows: dict[str, tuple[Any, str]] = {}
    for name, today in same.items():
        rows[name] = (lambda today=today: {"bool": bool, "int": int, "float": float, "complex": complex,
                                           "object": object, "str": str}[today], today)  # fmt: skip
    for name, today in of_numpy.items():
        rows[name] = (lambda today=today: getattr(np, today), "numpy." + today)
    for name, part in of_parts.items():
        rows[name] = (lambda name=name, part=part: getattr(importlib.import_module("numpy." + part), name),
                      f"numpy.{part}.{name}")  # fmt: skip
    for name in ("math", "os", "sys", "warnings"):
        rows[name] = (lambda name=name: importlib.import_module(name), "import " + name)
    rows.update(_made(np))
    return rows


def _made(np: Any) -> dict[str, tuple[Any, str]]:
    def asfarray(a: Any, dtype: Any = np.float64) -> Any:
        kind = np.dtype(dtype)
        return np.asarray(a, kind if np.issubdtype(kind, np.inexact) else np.float64)

    def find_common_type(array_types: Any, scalar_types: Any) -> Any:
        kinds = [np.dtype(kind) for kind in [*array_types, *scalar_types]]
        return np.result_type(*kinds) if kinds else None

    def in1d(ar1: Any, ar2: Any, *rest: Any, **named: Any) -> Any:
        return np.isin(np.ravel(ar1), ar2, *rest, **named)

    def obj2sctype(rep: Any, default: Any = None) -> Any:
        try:
            return np.dtype(rep).type
        except TypeError:
            return default

    def issctype(rep: Any) -> bool:
        return isinstance(rep, (type, np.dtype)) and obj2sctype(rep) not in (None, np.object_)

    def issubclass_(arg1: Any, arg2: Any) -> bool:
        try:
            return issubclass(arg1, arg2)
        except TypeError:
            return False

    def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
        (device or sys.stdout).write("{}{}".format(mesg, "\n" if linefeed else ""))

    def recfromtxt(fname: Any, **named: Any) -> Any:
        named.setdefault("dtype", None)
        return np.genfromtxt(fname, **named).view(np.recarray)

    def recfromcsv(fname: Any, **named: Any) -> Any:
        for name, value in {"delimiter": ",", "names": True, "case_sensitive": "lower"}.items():
            named.setdefault(name, value)
        return recfromtxt(fname, **named)

    def safe_eval(source: str) -> Any:
        return importlib.import_module("ast").literal_eval(source)

    def deprecate(*given: Any, **named: Any) -> Any:
        return given[0] if given and callable(given[0]) else lambda function: function

    class Cast(dict):  # type: ignore[type-arg]
        def __missing__(self, kind: Any) -> Any:
            return lambda x: np.asarray(x).astype(kind)

    class Bytes(dict):  # type: ignore[type-arg]
        def __missing__(self, kind: Any) -> int:
            return np.dtype(kind).itemsize

    integers = [np.int8, np.int16, np.int32, np.int64]
    sctypes = {
        "int": integers, "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    }  # fmt: skip
    made = {
        "NINF": (-np.inf, "-numpy.inf"), "PZERO": (0.0, "0.0"), "NZERO": (-0.0, "-0.0"), "MAXDIMS": (32, "64"),
        "ALLOW_THREADS": (1, "1"), "BUFSIZE": (8192, "8192"), "CLIP": (0, "mode='clip'"), "WRAP": (1, "mode='wrap'"),
        "RAISE": (2, "mode='raise'"), "MAY_SHARE_BOUNDS": (0, "0"), "MAY_SHARE_EXACT": (-1, "-1"),
        "alen": (lambda a: len(np.atleast_1d(a)), "len(a)"), "asfarray": (asfarray, "numpy.asarray(a, float)"),
        "asscalar": (lambda a: a.item(), "a.item()"), "cast": (Cast(), "numpy.asarray(x, dtype)"),
        "deprecate": (deprecate, "warnings.warn"), "deprecate_with_doc": (deprecate, "warnings.warn"),
        "disp": (disp, "print"), "fastCopyAndTranspose": (lambda a: a.T.copy(), "a.T.copy()"),
        "find_common_type": (find_common_type, "numpy.result_type"), "in1d": (in1d, "numpy.isin(a.ravel(), b)"),
        "issctype": (issctype, "isinstance(x, type) and issubclass(x, numpy.generic)"),
        "issubclass_": (issubclass_, "issubclass"), "obj2sctype": (obj2sctype, "numpy.dtype(x).type"),
        "issubsctype": (lambda a, b: issubclass(obj2sctype(a), obj2sctype(b)), "numpy.issubdtype"),
        "maximum_sctype": (lambda t: sctypes[{"i": "int", "u": "uint", "f": "float", "c": "complex"}[
            np.dtype(t).kind]][-1], "numpy.longdouble"),
        "msort": (lambda a: np.sort(a, axis=0), "numpy.sort(a, axis=0)"),
        "nbytes": (Bytes(), "numpy.dtype(t).itemsize"),
        "rank": (np.ndim, "numpy.ndim"), "recfromtxt": (recfromtxt, "numpy.genfromtxt"),
        "recfromcsv": (recfromcsv, "numpy.genfromtxt"), "safe_eval": (safe_eval, "ast.literal_eval"),
        "sctype2char": (lambda t: np.dtype(t).char, "numpy.dtype(t).char"), "sctypes": (sctypes, "a list of types"),
        "set_string_function": (lambda *_, **__: None, "numpy.set_printoptions"),
        "source": (lambda o, output=None: disp(importlib.import_module("inspect").getsource(o), output),
                   "inspect.getsource"),
        "typeDict": (getattr(np, "sctypeDict", {}), "numpy.sctypeDict"),
    }  # fmt: skip
    return {name: (lambda value=value: value, today) for name, (value, today) in made.items()}


def _missing(module: Any, rows: dict[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: row for name, row in rows.items() if not hasattr(module, name)}


def _numpy(np: Any) -> None:
    of_old = _missing(np, _names(np))
    names(np, of_old)
    rows = {name: (lambda name=name: getattr(np, name), "numpy." + name) for name in dir(np) if name[0] != "_"}
    names(np.lib, _missing(np.lib, {**of_old, **rows}))
    names(np.linalg, _missing(np.linalg, {"linalg": (lambda: np.linalg, "numpy.linalg")}))
    for old, home in GONE.items():  # programs also use `numpy.lib.arraysetops` without importing it
        parent, _, last = old.rpartition(".")
        if parent == "numpy.lib" and not hasattr(np.lib, last):
            names(np.lib, {last: (lambda: np, home)})
    _arrays(np)
    _methods(np)
    _calls(np)
    numbers_of_one_element(np)


def _arrays(np: Any) -> None:
    """Create arrays of objects from rows of different lengths, and wrap numbers that exceed the range of a type."""
    rows_differ = "numpy.array of rows that differ", "numpy.array(rows, dtype=object)"

    def willing(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return function(*given, **named)
        except ValueError as error:
            if asked_by_a_library_of_today():
                raise
            if "inhomogeneous" in str(error) and len(given) < 2 and named.get("dtype") is None:
                note(*rows_differ)
                return _of_objects(np, *given, **named)
            if "Unable to avoid copy" in str(error) and named.get("copy") is False:
                note("numpy.array(copy=False)", "numpy.asarray")
                return function(*given, **{**named, "copy": None})
            raise
        except OverflowError:
            kind = given[1] if len(given) > 1 else named.get("dtype")
            if kind is None or asked_by_a_library_of_today() or np.dtype(kind).kind not in "iu":
                raise
            note("numpy.array of integers that its type does not hold", "numpy.array(x).astype(dtype)")
            return function(*given[:1]).astype(kind)

    for name in ("array", "asarray", "asanyarray"):
        adapt(np, name, willing)


def _of_objects(np: Any, values: Any, **named: Any) -> Any:
    try:
        return _plain_array(np)(values, object, **{n: v for n, v in named.items() if n != "dtype"})
    except ValueError:  # if first axes are equal, NumPy cannot create an array of objects either
        found = np.empty(len(values), object)
        for i, value in enumerate(values):
            found[i] = value
        return found


def _plain_array(np: Any) -> Any:
    return getattr(np.array, "__wrapped__", np.array)


def _methods(np: Any) -> None:
    def itemset(self: Any, *given: Any) -> None:
        place, value = given[:-1], given[-1]
        if not place:
            self[...] = value
        elif len(place) == 1 and not isinstance(place[0], tuple):
            self.flat[place[0]] = value
        else:
            self[place[0] if len(place) == 1 else place] = value

    rows = {
        "tostring": (lambda self, order="C": self.tobytes(order), "tobytes()"),
        "itemset": (itemset, "array[place] = value"),
        "ptp": (lambda self, *given, **named: np.ptp(self, *given, **named), "numpy.ptp(array)"),
        "newbyteorder": (lambda self, order="S": self.view(self.dtype.newbyteorder(order)),
                         "array.view(array.dtype.newbyteorder())"),
    }  # fmt: skip
    in_c_type(np.ndarray, rows, "numpy.ndarray")
    scalars = {name: row for name, row in rows.items() if name in ("tostring", "ptp")}
    in_c_type(np.generic, scalars, "numpy.generic")


def _calls(np: Any) -> None:
    def from_bytes(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return function(*given, **named)
        except ValueError as error:
            if "binary mode" not in str(error) or asked_by_a_library_of_today():
                raise
            note("numpy.fromstring of bytes", "numpy.frombuffer")
            order = dict(zip(("string", "dtype", "count"), given, strict=False), **named)
            text = order["string"]
            data = text.encode("latin1") if isinstance(text, str) else text
            return np.frombuffer(data, order.get("dtype", float), order.get("count", -1)).copy()

    def of_a_list(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if given and hasattr(given[0], "__next__"):
            note(f"numpy.{function.__name__} of a generator", "a list")
            given = (list(given[0]), *given[1:])
        return function(*given, **named)

    def whole_count(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        num = given[2] if len(given) > 2 else named.get("num", 50)
        if isinstance(num, (float, np.floating)):
            note(f"numpy.{function.__name__}(num=) of a float", "int(num)")
            given, named = (*given[:2], int(num), *given[3:]), {n: v for n, v in named.items() if n != "num"}
            if len(given) < 3:
                given, named["num"] = given[:-1], int(num)
        return function(*given, **named)

    def with_an_axis(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if given and type(given[0]) is not np.ndarray and not np.isscalar(given[0]):
            return function(*given, **named)
        if given and np.ndim(given[0]) == 0:
            note("numpy.nonzero of a number", "numpy.atleast_1d(x).nonzero()")
            given = (np.atleast_1d(given[0]), *given[1:])
        return function(*given, **named)

    adapt(np, "fromstring", from_bytes)
    adapt(np, "nonzero", with_an_axis)
    for name in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "sum"):
        adapt(np, name, of_a_list)
    for name in ("linspace", "logspace", "geomspace"):
        adapt(np, name, whole_count)
    for name in ("histogram", "histogram2d", "histogramdd"):
        arguments(np, name, "numpy", rename={"normed": "density"})
    for name in ("percentile", "quantile", "nanpercentile", "nanquantile"):
        arguments(np, name, "numpy", rename={"interpolation": "method"})


#: Module -> the function that restores names when it is imported.
CHANGES = {"numpy": _numpy}

#: Removed modules.
GONE = {
    **{
        "numpy.lib." + name: "numpy"
        for name in [
            "arraypad",
            "arraysetops",
            "function_base",
            "histograms",
            "index_tricks",
            "nanfunctions",
            "polynomial",
            "shape_base",
            "twodim_base",
            "type_check",
            "ufunclike",
            "utils",
        ]
    },
    "numpy.fft.helper": "numpy.fft",
    "numpy.linalg.linalg": "numpy.linalg",
}
