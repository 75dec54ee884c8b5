"""Names that SciPy, scikit-learn, Pillow, and OpenCV have removed since 2019, and h5py's former default mode."""

from __future__ import annotations

import importlib
import os
from typing import Any

from .relied import asked_by_a_library_of_today, note
from .restoring import adapt, members, names

__all__ = ["CHANGES", "GONE"]


def _leads(home: str, name: str) -> tuple[Any, str]:
    return lambda: getattr(importlib.import_module(home), name), f"{home}.{name}"


def _missing(module: Any, rows: dict[str, tuple[Any, str]]) -> None:
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


# --- SciPy ---


def _scipy(module: Any) -> None:
    """Restore NumPy's functions in SciPy's main module."""
    numpy = importlib.import_module("numpy")
    there = {name for name in dir(numpy) if name[0] != "_"} - {"test", "show_config", "linalg", "fft", "ndimage"}
    rows = {name: _leads("numpy", name) for name in there - set(dir(module))}
    rows.update({name: _leads("numpy.random", name) for name in ("rand", "randn")})
    rows["random"] = (lambda: numpy.random, "numpy.random")
    names(module, {name: row for name, row in rows.items() if name not in vars(module)})


def _pictures() -> dict[str, tuple[Any, str]]:
    """Return replacements of the ``scipy.misc`` functions that read, wrote, and resized images with Pillow."""
    numpy = importlib.import_module("numpy")

    def image() -> Any:
        return importlib.import_module("PIL.Image")

    def bytescale(data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0) -> Any:
        data = numpy.asarray(data)
        if data.dtype == numpy.uint8:
            return data
        cmin = data.min() if cmin is None else cmin
        cmax = data.max() if cmax is None else cmax
        span = (cmax - cmin) or 1
        return ((data - cmin) * (float(high - low) / span) + low).clip(low, high).round().astype(numpy.uint8)

    def toimage(arr: Any, high: int = 255, low: int = 0, cmin: Any = None, cmax: Any = None, **_: Any) -> Any:
        data = bytescale(arr, cmin, cmax, high, low)
        if data.ndim == 3 and data.shape[2] not in (3, 4) and data.shape[0] in (3, 4):
            data = data.transpose(1, 2, 0)
        return image().fromarray(data)

    def imread(name: Any, flatten: bool = False, mode: Any = None) -> Any:
        with image().open(name) as opened:
            if mode is not None or opened.mode == "P":
                opened = opened.convert(mode or ("RGBA" if "transparency" in opened.info else "RGB"))
            elif opened.mode == "1":
                opened = opened.convert("L")
            return numpy.array(opened.convert("F") if flatten else opened)

    def imsave(name: Any, arr: Any, format: Any = None) -> None:
        toimage(arr).save(name, format)

    def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: Any = None) -> Any:
        opened = toimage(arr) if mode is None else toimage(arr).convert(mode)
        kinds = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}
        if isinstance(size, float):
            new = tuple(int(n * size) for n in opened.size)
        elif isinstance(size, int):
            new = tuple(int(n * size / 100) for n in opened.size)
        else:
            new = (size[1], size[0])
        return numpy.array(opened.resize(new, kinds[interp]))

    def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
        return numpy.array(toimage(arr).rotate(angle, resample={"nearest": 0, "bilinear": 2, "bicubic": 3}[interp]))

    made = {"bytescale": bytescale, "imread": imread, "imresize": imresize, "imrotate": imrotate, "imsave": imsave,
            "toimage": toimage}  # fmt: skip
    rows: dict[str, tuple[Any, str]] = {
        name: (lambda function=function: function, "imageio, or PIL.Image") for name, function in made.items()
    }
    for name in ("face", "ascent", "electrocardiogram"):
        rows[name] = _leads("scipy.datasets", name)
    for name in ("comb", "factorial", "factorial2", "logsumexp"):
        rows[name] = _leads("scipy.special", name)
    return rows


def _misc(module: Any) -> None:
    _missing(module, _pictures())


def _misc_gone() -> tuple[dict[str, Any], str]:
    return {name: make() for name, (make, _) in _pictures().items() if name[:2] in ("im", "to", "by")}, "PIL.Image"


def _ndimage(module: Any) -> None:
    _missing(module, {"imread": _pictures()["imread"]})


def _signal(module: Any) -> None:
    windows = "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop gaussian hamming hann hanning kaiser nuttall parzen triang tukey"  # noqa: E501
    rows = {name: _leads("scipy.signal.windows", "hann" if name == "hanning" else name) for name in windows.split()}
    _missing(module, rows)


def _integrate(module: Any) -> None:
    today = {"simps": "simpson", "trapz": "trapezoid", "cumtrapz": "cumulative_trapezoid"}
    _missing(module, {old: _leads("scipy.integrate", new) for old, new in today.items()})


def _scipy_linalg(module: Any) -> None:
    rows = {name: _leads("numpy", name) for name in ("tril", "triu")}
    rows.update({"pinv2": _leads("scipy.linalg", "pinv"), "kron": _leads("numpy", "kron")})
    _missing(module, rows)


def _sparse(module: Any) -> None:
    rows = {
        "A": (property(lambda self: self.toarray()), "toarray()"),
        "H": (property(lambda self: self.T.conj()), ".T.conj()"),
    }
    members(module.spmatrix, rows, "scipy.sparse.spmatrix")


def _interpolate(module: Any) -> None:
    def spline(xk: Any, yk: Any, xnew: Any, order: int = 3, **_: Any) -> Any:
        return module.make_interp_spline(xk, yk, order)(xnew)

    _missing(module, {"spline": (lambda: spline, "scipy.interpolate.make_interp_spline")})


# --- scikit-learn ---


def _preprocessing(module: Any) -> None:
    def imputer(missing_values: Any = "NaN", strategy: str = "mean", **_: Any) -> Any:
        numpy = importlib.import_module("numpy")
        kind = importlib.import_module("sklearn.impute").SimpleImputer
        return kind(missing_values=numpy.nan if missing_values == "NaN" else missing_values, strategy=strategy)

    _missing(module, {"Imputer": (lambda: imputer, "sklearn.impute.SimpleImputer")})
    _with_argument(module, "OneHotEncoder", {"sparse": "sparse_output"})


def _with_argument(module: Any, name: str, rename: dict[str, str]) -> None:
    """Make a class accept a removed argument, by changing the class in place."""
    plain = getattr(module, name)

    def change(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        for old, new in rename.items():
            if old in named:
                note(f"{name}({old}=)", new + "=")
                named[new] = named.pop(old)
        return function(*given, **named)

    adapt(plain, "__init__", change)


def _manifold(module: Any) -> None:
    _with_argument(module, "TSNE", {"n_iter": "max_iter"})


def _metrics(module: Any) -> None:
    def rooted(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if "squared" not in named:
            return function(*given, **named)
        squared = named.pop("squared")
        note("mean_squared_error(squared=)", "root_mean_squared_error")
        return function(*given, **named) if squared else module.root_mean_squared_error(*given, **named)

    adapt(module, "mean_squared_error", rooted)


def _externals(module: Any) -> None:
    rows = {"joblib": (lambda: importlib.import_module("joblib"), "import joblib"),
            "six": (lambda: importlib.import_module("six"), "import six")}  # fmt: skip
    _missing(module, rows)


def _linear_assignment() -> tuple[dict[str, Any], str]:
    def linear_assignment(costs: Any) -> Any:
        numpy = importlib.import_module("numpy")
        found = importlib.import_module("scipy.optimize").linear_sum_assignment(costs)
        return numpy.stack(found, axis=1)

    return {"linear_assignment": linear_assignment}, "scipy.optimize.linear_sum_assignment"


# --- Pillow and OpenCV ---


def _pil(module: Any) -> None:
    _missing(module, {name: (lambda: module.__version__, "PIL.__version__") for name in ("PILLOW_VERSION", "VERSION")})


def _image(module: Any) -> None:
    today = {"ANTIALIAS": "LANCZOS", "CUBIC": "BICUBIC", "LINEAR": "BILINEAR", "fromstring": "frombytes"}
    _missing(module, {old: _leads("PIL.Image", new) for old, new in today.items()})
    rows = {
        "tostring": (lambda self, *given: self.tobytes(*given), "tobytes()"),
        "fromstring": (lambda self, *given: self.frombytes(*given), "frombytes()"),
    }
    members(module.Image, rows, "PIL.Image.Image")


def _fonts(module: Any) -> None:
    def getsize(self: Any, text: Any, *given: Any, **named: Any) -> Any:
        return tuple(int(n) for n in self.getbbox(text, *given, **named)[2:])

    for name in ("FreeTypeFont", "ImageFont", "TransposedFont"):
        members(getattr(module, name), {"getsize": (getsize, "getbbox()")}, "PIL.ImageFont." + name)


def _draw(module: Any) -> None:
    def textsize(self: Any, text: Any, font: Any = None, **named: Any) -> Any:
        return tuple(int(n) for n in self.textbbox((0, 0), text, font, **named)[2:])

    members(module.ImageDraw, {"textsize": (textsize, "textbbox()")}, "PIL.ImageDraw.ImageDraw")


def _cv2(module: Any) -> None:
    today = {
        "CV_LOAD_IMAGE_COLOR": "IMREAD_COLOR", "CV_LOAD_IMAGE_GRAYSCALE": "IMREAD_GRAYSCALE",
        "CV_LOAD_IMAGE_UNCHANGED": "IMREAD_UNCHANGED", "CV_AA": "LINE_AA",
    }  # fmt: skip
    _missing(module, {old: _leads("cv2", new) for old, new in today.items()})


# --- h5py ---


def _h5py(module: Any) -> None:
    """Create a file that a program opens without a mode and that does not exist, as h5py 2 did.

    An existing file is opened for reading, as today. h5py 2 opened it for writing, which locks it for other processes.
    """

    def creating(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        name = given[1] if len(given) > 1 else named.get("name")
        without_mode = len(given) < 3 and "mode" not in named and not asked_by_a_library_of_today()
        if without_mode and isinstance(name, (str, bytes, os.PathLike)) and not os.path.exists(name):
            note("h5py.File of a new file without a mode", 'h5py.File(name, "w")')
            named["mode"] = "w-"
        return function(*given, **named)

    adapt(module.File, "__init__", creating)


#: Module -> the function that restores names when it is imported.
CHANGES = {
    "PIL": _pil,
    "PIL.Image": _image,
    "PIL.ImageDraw": _draw,
    "PIL.ImageFont": _fonts,
    "cv2": _cv2,
    "h5py": _h5py,
    "scipy": _scipy,
    "scipy.integrate": _integrate,
    "scipy.interpolate": _interpolate,
    "scipy.linalg": _scipy_linalg,
    "scipy.misc": _misc,
    "scipy.ndimage": _ndimage,
    "scipy.signal": _signal,
    "scipy.sparse": _sparse,
    "sklearn.externals": _externals,
    "sklearn.manifold": _manifold,
    "sklearn.metrics": _metrics,
    "sklearn.preprocessing": _preprocessing,
}

#: Removed modules.
GONE: dict[str, Any] = {
    "scipy.misc": _misc_gone,
    "sklearn.cross_validation": "sklearn.model_selection",
    "sklearn.datasets.samples_generator": "sklearn.datasets",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "sklearn.grid_search": "sklearn.model_selection",
    "sklearn.learning_curve": "sklearn.model_selection",
    "sklearn.metrics.classification": "sklearn.metrics",
    "sklearn.utils.linear_assignment_": _linear_assignment,
}
