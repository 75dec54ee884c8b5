"""Names and behavior that pandas has removed since 2019."""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

from .relied import asked_by_a_library_of_today, note
from .restoring import adapt, arguments, members, names, positional

__all__ = ["CHANGES", "GONE"]

#: Former names of frequencies -> present names.
_FREQUENCIES = {
    "A": "YE", "BA": "BYE", "BH": "bh", "BM": "BME", "BQ": "BQE", "CBM": "CBME", "H": "h", "L": "ms", "M": "ME",
    "N": "ns", "Q": "QE", "S": "s", "SM": "SME", "T": "min", "U": "us", "Y": "YE",
}  # fmt: skip

#: Functions that ignored columns of strings.
_OF_NUMBERS = [
    "corr",
    "cov",
    "kurt",
    "kurtosis",
    "mean",
    "median",
    "prod",
    "product",
    "quantile",
    "sem",
    "skew",
    "std",
    "var",
]


def _texts_are_objects(pd: Any) -> None:
    """Give columns of strings the element type ``object``, which old programs expect."""
    options = getattr(pd.options, "future", None)
    if options is not None and getattr(options, "infer_string", False):
        pd.options.future.infer_string = False


def _tables(pd: Any) -> None:
    frame, series = pd.DataFrame, pd.Series
    _texts_are_objects(pd)

    def append(self: Any, other: Any, ignore_index: bool = False, *_: Any, **__: Any) -> Any:
        if isinstance(other, dict):
            other = series(other)
        if isinstance(self, frame) and isinstance(other, series):
            other = other.to_frame().T.infer_objects()
        others = list(other) if isinstance(other, (list, tuple)) else [other]
        if isinstance(self, frame):
            others = [frame([one]) if isinstance(one, (dict, series)) else one for one in others]
        return pd.concat([self, *others], ignore_index=ignore_index)

    def items(self: Any) -> Any:
        return self.items()

    def get_value(self: Any, *place: Any) -> Any:
        return self.at[_key(place)]

    def set_value(self: Any, *place_and_value: Any) -> Any:
        place, value = place_and_value[:-1], place_and_value[-1]
        self.at[_key(place)] = value
        return self

    def from_items(kind: Any, items: Any) -> Any:
        return kind(dict(items))

    def lookup(self: Any, row_labels: Any, col_labels: Any) -> Any:
        numpy = importlib.import_module("numpy")
        return numpy.array([self.at[row, column] for row, column in zip(row_labels, col_labels, strict=False)])

    def mad(self: Any, axis: int = 0) -> Any:
        if not isinstance(self, frame):
            return (self - self.mean()).abs().mean()
        numbers = self.select_dtypes("number")
        return numbers.sub(numbers.mean(axis=axis), axis=1 - axis).abs().mean(axis=axis)

    both = {
        "append": (append, "pandas.concat"),
        "as_matrix": (lambda self, columns=None: (self if columns is None else self[columns]).values, "to_numpy()"),
        "backfill": (lambda self, *given, **named: self.bfill(*given, **named), "bfill()"),
        "bool": (lambda self: bool(self.squeeze()), "bool(x.item())"),
        "get_value": (get_value, ".at[...]"),
        "iteritems": (items, "items()"),
        "ix": (property(_Places), ".loc or .iloc"),
        "mad": (mad, "(x - x.mean()).abs().mean()"),
        "pad": (lambda self, *given, **named: self.ffill(*given, **named), "ffill()"),
        "set_value": (set_value, ".at[...] = value"),
    }
    members(frame, both, "DataFrame")
    members(series, both, "Series")
    of_frames = {
        "applymap": (lambda self, function, *a, **k: self.map(function, *a, **k), "map()"),
        "from_items": (classmethod(from_items), "DataFrame(dict(items))"),
        "lookup": (lookup, ".at[row, column]"),
        "sort": (lambda self, columns=None, axis=0, ascending=True, inplace=False: self.sort_values(
            columns, axis=axis, ascending=ascending, inplace=inplace) if columns is not None
            else self.sort_index(axis=axis, ascending=ascending, inplace=inplace), "sort_values()"),
        "swapaxes": (lambda self, one, other: self if one == other else self.T, "transpose()"),
    }  # fmt: skip
    members(frame, of_frames, "DataFrame")
    of_series = {
        "is_monotonic": (property(lambda self: self.is_monotonic_increasing), "is_monotonic_increasing"),
        "nonzero": (lambda self: self.to_numpy().nonzero(), "to_numpy().nonzero()"),
        "order": (lambda self, *a, **k: self.sort_values(*a, **k), "sort_values()"),
        "ravel": (lambda self, order="C": self.to_numpy().ravel(order), "to_numpy()"),
    }
    members(series, of_series, "Series")
    _changed_methods(frame, series)
    adapt(series, "__getitem__", _by_place)


def _key(place: tuple[Any, ...]) -> Any:
    return place if len(place) > 1 else next(iter(place))


class _Places:
    """The accessor ``table.ix[row, column]``, which accepts labels, and otherwise positions."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def _each(self, place: Any) -> Any:
        places = place if isinstance(place, tuple) else (place,)
        found = tuple(self._label(axis, one) for axis, one in enumerate(places))
        return found if isinstance(place, tuple) else found[0]

    def _label(self, axis: int, place: Any) -> Any:
        """Return the label at a position, or the argument if it is a label."""
        labels = self._table.axes[axis]
        if labels.dtype.kind in "iuf":
            return place
        if isinstance(place, slice):
            if any(isinstance(end, int) for end in (place.start, place.stop)):
                return labels[place]
            return place
        return labels[place] if isinstance(place, int) and place not in labels else place

    def __getitem__(self, place: Any) -> Any:
        return self._table.loc[self._each(place)]

    def __setitem__(self, place: Any, value: Any) -> None:
        self._table.loc[self._each(place)] = value


def _by_place(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return function(*given, **named)
    except KeyError:
        series, place = given[0], given[1]
        if not isinstance(place, int) or series.index.dtype.kind in "iufMm" or asked_by_a_library_of_today():
            raise
        note("Series[{}] by place".format("..."), ".iloc[...]")
        return series.iloc[place]


def _changed_methods(frame: Any, series: Any) -> None:
    def of_numbers(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return function(*given, **named)
        except (TypeError, ValueError):
            texts = given[0].select_dtypes(exclude=["number", "bool"]).columns
            if "numeric_only" in named or not len(texts) or asked_by_a_library_of_today():
                raise
            name = function.__name__
            note(f"DataFrame.{name}() of a table with texts", f"{name}(numeric_only=True)")
            return function(*given, **named, numeric_only=True)

    def filled(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        method = named.pop("method", None)
        if method is None:
            return function(*given, **named)
        today = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}[method]
        note(f"fillna(method={method!r})", today + "()")
        return getattr(given[0], today)(**{n: v for n, v in named.items() if n in ("axis", "inplace", "limit")})

    for kind, name in ((frame, "DataFrame"), (series, "Series")):
        for function in ("drop", "dropna", "drop_duplicates", "any", "all", "interpolate", "replace", "reset_index",
                         "set_index", "sort_index", "sort_values", "to_csv", "where", "mask", "clip", "ffill", "bfill",
                         "rename", "groupby", "pivot"):  # fmt: skip
            if hasattr(kind, function):
                positional(kind, function, name)
        adapt(kind, "fillna", filled)
        arguments(kind, "to_csv", name, {"line_terminator": "lineterminator"})
        arguments(kind, "groupby", name, drop=("squeeze",))
        adapt(kind, "resample", _of_todays_frequency)
    for function in _OF_NUMBERS:
        adapt(frame, function, of_numbers)
    arguments(frame, "info", "DataFrame", {"null_counts": "show_counts"})


def _of_todays_frequency(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    def todays(text: Any) -> Any:
        found = re.fullmatch(r"(\d*)([A-Z]+)((?:-\w+)?)", text) if isinstance(text, str) else None
        if found is None or found[2] not in _FREQUENCIES:
            return text
        today = found[1] + _FREQUENCIES[found[2]] + found[3]
        note(f"pandas' frequency {text!r}", repr(today))
        return today

    try:
        return function(*given, **named)
    except ValueError:
        again = [todays(value) for value in given], {name: todays(value) for name, value in named.items()}
        if again == (list(given), named) or asked_by_a_library_of_today():
            raise
        return function(*again[0], **again[1])


def _functions(pd: Any) -> None:
    def numbers(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if len(given) < 8 and "dtype" not in named and not asked_by_a_library_of_today():
            note("pandas.get_dummies() of integers", "get_dummies(..., dtype='uint8')")
            named["dtype"] = "uint8"
        return function(*given, **named)

    def bad_lines(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if "error_bad_lines" in named:
            note("read_csv(error_bad_lines=)", "on_bad_lines=")
            named["on_bad_lines"] = "error" if named.pop("error_bad_lines") else "skip"
        named.pop("warn_bad_lines", None)
        squeeze = named.pop("squeeze", False)
        found = function(*given, **named)
        if squeeze:
            note("read_csv(squeeze=)", "read_csv(...).squeeze('columns')")
            return found.squeeze("columns")
        return found

    def options(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if given and isinstance(given[0], str) and given[0].startswith(("precision", "max_", "width")):
            note(f"pandas' option {given[0]!r}", repr("display." + given[0]))
            given = ("display." + given[0], *given[1:])
        return function(*given, **named)

    positional(pd, "concat", "pandas")
    for name in ("read_csv", "read_table"):
        positional(pd, name, "pandas")
        adapt(pd, name, bad_lines)
    adapt(pd, "get_dummies", numbers)
    adapt(pd, "set_option", options)
    adapt(pd, "date_range", _of_todays_frequency)
    arguments(pd, "to_datetime", "pandas", drop=("infer_datetime_format",))


def _pandas(pd: Any) -> None:
    def value_counts(values: Any, **named: Any) -> Any:
        return pd.Series(values).value_counts(**named)

    rows = {
        "datetime": (lambda: importlib.import_module("datetime").datetime, "datetime.datetime"),
        "np": (lambda: importlib.import_module("numpy"), "import numpy"),
        "Int64Index": (lambda: pd.Index, "pandas.Index"),
        "UInt64Index": (lambda: pd.Index, "pandas.Index"),
        "Float64Index": (lambda: pd.Index, "pandas.Index"),
        "TimeGrouper": (lambda: lambda freq=None, **named: pd.Grouper(freq=freq, **named), "pandas.Grouper"),
        "scatter_matrix": (lambda: pd.plotting.scatter_matrix, "pandas.plotting.scatter_matrix"),
        "tools": (lambda: importlib.import_module("pandas"), "pandas.plotting"),
        "value_counts": (lambda: value_counts, "Series(values).value_counts()"),
    }
    names(pd, {name: row for name, row in rows.items() if not hasattr(pd, name)})
    _functions(pd)
    _tables(pd)


def _tseries_frequencies(frequencies: Any) -> None:
    """Give frequencies their names before version 2.2, such as "H" instead of "h"; both names compare equal."""
    plain = frequencies.to_offset
    if plain("1D12h").name == "H":
        return
    old = {"BQE": "BQ", "BME": "BM", "cbh": "CBH"}
    old.update({today: name for name, today in _FREQUENCIES.items() if name not in ("Y", "L", "N", "U")})
    old.update({"ms": "L", "ns": "N", "us": "U", "YE": "A"})

    @functools.lru_cache(None)
    def with_the_old_name(kind: Any) -> Any:
        def name(self: Any) -> str:
            prefix, dash, rest = kind.name.__get__(self).partition("-")
            return old.get(prefix, prefix) + dash + rest

        def parameters(self: Any) -> Any:  # pandas compares offsets by these
            return plain_of(self)._params

        def plain_of(self: Any) -> Any:
            return kind(self.n, self.normalize, **self.kwds)

        held = {"name": property(name), "_params": property(parameters), "__hash__": kind.__hash__}
        held["__reduce__"] = lambda self: (to_offset, (self.freqstr,))
        return type(kind.__name__, (kind,), held)

    def to_offset(freq: Any, *rest: Any, **named: Any) -> Any:
        offset = _of_todays_frequency(plain, (freq, *rest), named)
        if offset is None or offset.name.partition("-")[0] not in old:
            return offset
        return with_the_old_name(type(offset))(offset.n, offset.normalize, **offset.kwds)

    to_offset.__module__, to_offset.__qualname__ = frequencies.__name__, "to_offset"  # pickle stores these names
    frequencies.to_offset = to_offset


#: Module -> the function that restores names when it is imported.
CHANGES = {"pandas": _pandas, "pandas.tseries.frequencies": _tseries_frequencies}

#: Removed modules.
GONE: dict[str, Any] = {"pandas.tools": "pandas", "pandas.tools.plotting": "pandas.plotting",
                        "pandas.util.testing": "pandas.testing"}  # fmt: skip
