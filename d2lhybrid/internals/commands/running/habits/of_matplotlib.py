"""Names and arguments that Matplotlib has removed since 2019."""

from __future__ import annotations

import importlib
import re
from typing import Any

from .relied import asked_by_a_library_of_today, note
from .restoring import adapt, arguments, members, names

__all__ = ["CHANGES", "GONE"]

#: Functions of ``pyplot``, which are also methods of axes -> renamed arguments, and removed arguments.
_ARGUMENTS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "annotate": ({"s": "text"}, ()),
    "bar": ({"left": "x"}, ("hold",)),
    "boxplot": ({"labels": "tick_labels"}, ("hold",)),
    "contour": ({}, ("hold",)),
    "contourf": ({}, ("hold",)),
    "errorbar": ({}, ("hold",)),
    "grid": ({"b": "visible"}, ()),
    "hist": ({"normed": "density"}, ("hold",)),
    "imshow": ({}, ("hold", "shape")),
    "plot": ({}, ("hold",)),
    "scatter": ({}, ("hold", "verts")),
    "stem": ({}, ("use_line_collection",)),
    "text": ({}, ("withdash",)),
}


def _colour_map(name: Any, lut: Any = None) -> Any:
    maps = importlib.import_module("matplotlib").colormaps
    if not isinstance(name, (str, type(None))):
        return name
    found = maps[name or importlib.import_module("matplotlib").rcParams["image.cmap"]]
    return found if lut is None else found.resampled(lut)


def _matplotlib(module: Any) -> None:
    arguments(module, "use", "matplotlib", drop=("warn",))


def _cm(module: Any) -> None:
    def register(name: Any = None, cmap: Any = None, **_: Any) -> None:
        importlib.import_module("matplotlib").colormaps.register(cmap or name, name=name if cmap else None, force=True)

    rows = {
        "get_cmap": (lambda: _colour_map, "matplotlib.colormaps[name]"),
        "register_cmap": (lambda: register, "matplotlib.colormaps.register"),
        "cmap_d": (lambda: importlib.import_module("matplotlib").colormaps, "matplotlib.colormaps"),
        "spectral": (lambda: _colour_map("nipy_spectral"), "matplotlib.cm.nipy_spectral"),
    }
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


def _style(module: Any) -> None:
    """Find seaborn's styles, whose names contain a version today."""

    def todays(style: Any) -> Any:
        if isinstance(style, (list, tuple)):
            return [todays(one) for one in style]
        if isinstance(style, str) and re.match("seaborn(-(?!v0_8)|$)", style) and style not in module.library:
            today = style.replace("seaborn", "seaborn-v0_8", 1)
            if today in module.library:
                note(f"Matplotlib's style {style!r}", repr(today))
                return today
        return style

    def change(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if given:
            given = (todays(given[0]), *given[1:])
        elif "style" in named:
            named["style"] = todays(named["style"])
        return function(*given, **named)

    adapt(module, "use", change)
    adapt(module, "context", change)


def _pyplot(module: Any) -> None:
    def plot_date(x: Any, y: Any, fmt: str = "o", **named: Any) -> Any:
        for name in ("tz", "xdate", "ydate"):
            named.pop(name, None)
        return module.plot(x, y, fmt, **named)

    rows = {
        "hold": (lambda: lambda b=None: None, "leave it out"),
        "ishold": (lambda: lambda: True, "leave it out"),
        "over": (lambda: lambda function, *a, **k: function(*a, **k), "leave it out"),
        "plot_date": (lambda: plot_date, "plot"),
        "register_cmap": (lambda: importlib.import_module("matplotlib.cm").register_cmap, "colormaps.register"),
        "spectral": (lambda: module.nipy_spectral, "nipy_spectral"),
    }
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)}, "pyplot")
    for name, (rename, drop) in _ARGUMENTS.items():
        arguments(module, name, "pyplot", rename, drop)
    for name in ("axes", "subplot"):
        arguments(module, name, "pyplot", {"axisbg": "facecolor"})
    arguments(module, "savefig", "pyplot", drop=("frameon",))
    arguments(module, "xlabel", "pyplot", {"s": "xlabel"})
    arguments(module, "ylabel", "pyplot", {"s": "ylabel"})
    arguments(module, "title", "pyplot", {"s": "label"})
    adapt(module, "gca", lambda function, given, named: module.gcf().gca(*given, **named) if named else function())
    adapt(module, "get_cmap", _renamed_map)


def _renamed_map(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    today = {
        "spectral": "nipy_spectral",
        "Vega10": "tab10",
        "Vega20": "tab20",
        "Vega20b": "tab20b",
        "Vega20c": "tab20c",
    }
    if given and isinstance(given[0], str) and given[0] in today:
        note(f"Matplotlib's color map {given[0]!r}", repr(today[given[0]]))
        given = (today[given[0]], *given[1:])
    return function(*given, **named)


def _axes(module: Any) -> None:
    kind = module.Axes
    for name, (rename, drop) in _ARGUMENTS.items():
        arguments(kind, name, "Axes", rename, drop)
    rows = {
        "hold": (lambda self, b=None: None, "leave it out"),
        "ishold": (lambda self: True, "leave it out"),
        "set_axis_bgcolor": (lambda self, color: self.set_facecolor(color), "set_facecolor"),
        "get_axis_bgcolor": (lambda self: self.get_facecolor(), "get_facecolor"),
        "plot_date": (lambda self, x, y, fmt="o", **named: self.plot(x, y, fmt, **named), "plot"),
    }
    members(kind, rows, "Axes")
    for name in ("plot", "scatter", "bar", "semilogy", "semilogx", "loglog"):
        adapt(kind, name, _drawn)
    _lists_of_artists(kind)
    _joined_axes()


def _drawn(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Draw lists that mix numbers and one-element arrays, although NumPy no longer converts such lists."""
    try:
        return function(*given, **named)
    except ValueError as error:
        numbers = tuple(_numbers(value) for value in given)
        if "inhomogeneous" not in str(error) or all(a is b for a, b in zip(given, numbers, strict=True)):
            raise
        note("a drawing of arrays of one number", "float(array.item())")
        return function(*numbers, **named)


def _numbers(values: Any) -> Any:
    """Return a list in which elements replace one-element arrays; return other values unchanged."""
    if not isinstance(values, (list, tuple)) or not any(getattr(value, "shape", ()) for value in values):
        return values
    return [value.item() if getattr(value, "size", 0) == 1 else value for value in values]


def _lists_of_artists(kind: Any) -> None:
    """Make ``ax.lines.remove(line)`` equivalent to ``line.remove()``."""
    lists = getattr(kind, "ArtistList", None)
    if lists is None:
        return

    def pop(self: Any, place: int = -1) -> Any:
        found = self[place]
        found.remove()
        return found

    def clear(self: Any) -> None:
        for one in list(self):
            one.remove()

    rows = {
        "append": (lambda self, artist: self._axes.add_artist(artist), "ax.add_artist(artist)"),
        "remove": (lambda self, artist: artist.remove(), "artist.remove()"),
        "pop": (pop, "artist.remove()"),
        "clear": (clear, "artist.remove() of each"),
    }
    members(lists, rows, "ax.lines")


def _joined_axes() -> None:
    view = getattr(importlib.import_module("matplotlib.cbook"), "GrouperView", None)
    if view is not None:
        rows = {"join": (lambda self, first, *others: self._grouper.join(first, *others), "first.sharex(other)")}
        members(view, rows, "get_shared_x_axes()")


def _figure(module: Any) -> None:
    kind = getattr(module, "FigureBase", module.Figure)

    def gca(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if not named:
            return function(*given)
        note(f"gca({next(iter(named))}=)", "add_subplot(projection='3d')")
        figure = given[0]
        if figure.axes:
            current = function(figure)
            if current.name == named.get("projection", current.name):
                return current
        return figure.add_subplot(**named)

    adapt(kind, "gca", gca)
    arguments(kind, "add_subplot", "Figure", {"axisbg": "facecolor"})
    arguments(kind, "add_axes", "Figure", {"axisbg": "facecolor"})
    arguments(module.Figure, "savefig", "Figure", drop=("frameon",))


def _canvases(module: Any) -> None:
    def title(self: Any, text: str) -> None:
        if self.manager is not None:
            self.manager.set_window_title(text)

    rows = {"set_window_title": (title, "canvas.manager.set_window_title")}
    members(module.FigureCanvasBase, rows, "canvas")


def _agg(module: Any) -> None:
    def rgb(self: Any) -> bytes:
        numpy = importlib.import_module("numpy")
        return bytes(numpy.asarray(self.buffer_rgba())[..., :3].tobytes())

    members(module.FigureCanvasAgg, {"tostring_rgb": (rgb, "numpy.asarray(canvas.buffer_rgba())[..., :3]")}, "canvas")


def _contour(module: Any) -> None:
    members(module.ContourSet, {"collections": (property(lambda self: [self]), "the set itself")}, "ContourSet")


def _axes3d(module: Any) -> None:
    kind = module.Axes3D
    rows = {
        f"w_{n}axis": (property(lambda self, n=n: getattr(self, n + "axis")), n + "axis") for n in "xyz"
    }  # fmt: skip
    members(kind, rows, "Axes3D")

    def joining(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        function(*given, **named)
        if not asked_by_a_library_of_today() and given[0] not in given[0].figure.axes:
            note("Axes3D(figure)", "figure.add_subplot(projection='3d')")
            given[0].figure.add_axes(given[0])

    adapt(kind, "__init__", joining)


def _cbook(module: Any) -> None:
    numpy = importlib.import_module("numpy")
    rows = {
        "iterable": (lambda: numpy.iterable, "numpy.iterable"),
        "is_string_like": (lambda: lambda x: isinstance(x, str), "isinstance(x, str)"),
        "is_numlike": (lambda: lambda x: isinstance(x, (int, float, numpy.number)), "isinstance(x, numbers.Number)"),
    }
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


def _mlab(module: Any) -> None:
    numpy = importlib.import_module("numpy")

    def normpdf(x: Any, mu: Any, sigma: Any) -> Any:
        return numpy.exp(-0.5 * ((numpy.asarray(x) - mu) / sigma) ** 2) / (numpy.sqrt(2 * numpy.pi) * sigma)

    rows = {"normpdf": (lambda: normpdf, "scipy.stats.norm.pdf")}
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


#: Module -> the function that restores names when it is imported.
CHANGES = {
    "matplotlib": _matplotlib,
    "matplotlib.axes": _axes,
    "matplotlib.backend_bases": _canvases,
    "matplotlib.backends.backend_agg": _agg,
    "matplotlib.cbook": _cbook,
    "matplotlib.cm": _cm,
    "matplotlib.contour": _contour,
    "matplotlib.figure": _figure,
    "matplotlib.mlab": _mlab,
    "matplotlib.pyplot": _pyplot,
    "matplotlib.style": _style,
    "mpl_toolkits.mplot3d.axes3d": _axes3d,
}

#: Removed modules.
GONE: dict[str, Any] = {}
