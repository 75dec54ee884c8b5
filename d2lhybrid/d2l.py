"""The small helpers that the lessons of *Dive into Deep Learning* take from their package ``d2l``.

Timing (``Timer``, ``benchmark``), devices (``try_gpu``), accuracy and plots. They work on legacy
arrays (``nd``) and on NumPy-like ones (``np``). Matplotlib is imported when the first plot is drawn.

Examples
--------
>>> from d2lhybrid import d2l
>>> with d2l.benchmark("Doing nothing: %.1f sec"):
...     pass
Doing nothing: 0.0 sec
"""

from __future__ import annotations

import itertools
import re
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy

if TYPE_CHECKING:
    from .viz.timing import Collected

__all__ = [
    "Accumulator",
    "Benchmark",
    "Timer",
    "accuracy",
    "benchmark",
    "evaluate_accuracy",
    "plot",
    "set_axes",
    "set_figsize",
    "show_images",
    "try_all_gpus",
    "try_gpu",
    "use_svg_display",
]


def _values(x: Any) -> numpy.ndarray:
    """Return arrays of any kind, lists and ranges as a NumPy array."""
    return x.asnumpy() if hasattr(x, "asnumpy") else numpy.asarray(x)


# --- timing ------------------------------------------------------------------------------------


class Timer:
    """A stopwatch that remembers every lap; it starts when it is made.

    Attributes
    ----------
    times : list of float
        Seconds of each lap so far.

    Examples
    --------
    >>> timer = Timer()
    >>> seconds = timer.stop()
    >>> timer.start()
    >>> timer.stop() >= 0
    True
    >>> len(timer.times)
    2
    """

    def __init__(self) -> None:
        self.times: list[float] = []
        self.start()

    def start(self) -> None:
        """Start a lap."""
        self.tik = time.perf_counter()

    def stop(self) -> float:
        """End the lap and return its seconds."""
        self.times.append(time.perf_counter() - self.tik)
        return self.times[-1]

    def avg(self) -> float:
        """Return the mean lap in seconds."""
        return sum(self.times) / len(self.times)

    def sum(self) -> float:
        """Return the seconds of all laps together."""
        return sum(self.times)

    def cumsum(self) -> list[float]:
        """Return, for each lap, the seconds from the first lap to the end of this one."""
        return list(itertools.accumulate(self.times))


class benchmark:
    """Scope that prints how long its body took.

    Parameters
    ----------
    description : str
        What to print, with a place for the seconds (``%.4f``). Without such a place, a colon and the
        seconds are put behind it, as newer editions of the book do.

    Attributes
    ----------
    results : list of (str, float)
        Description and seconds of every benchmark so far, for a table or a bar chart afterwards.
        One list for all of them; ``benchmark.results.clear()`` empties it.
    seconds : float
        What this one measured, after the body has ended.

    Examples
    --------
    >>> with benchmark("Sum of squares: %.0f sec"):
    ...     total = sum(i * i for i in range(10))
    Sum of squares: 0 sec
    >>> label, seconds = benchmark.results[-1]
    >>> label
    'Sum of squares: %.0f sec'
    """

    results: ClassVar[list[tuple[str, float]]] = []

    def __init__(self, description: str = "Done in %.4f sec") -> None:
        self.description = description

    @classmethod
    def summary(cls) -> Collected:
        """Return everything that was measured so far as a table and bars, those of one description together.

        Examples
        --------
        >>> benchmark.results.clear()
        >>> with benchmark("Nothing: %.0f sec"):
        ...     pass
        Nothing: 0 sec
        >>> list(benchmark.summary().counts)
        ['Nothing']
        """
        from .viz.timing import Collected

        return Collected(cls.results)

    def __enter__(self) -> Self:
        self.timer = Timer()
        return self

    def __exit__(self, *exception: object) -> None:
        self.seconds = self.timer.stop()
        self.results.append((self.description, self.seconds))
        if re.search(r"%[-+.0-9]*[defgs]", self.description):
            print(self.description % self.seconds)
        else:
            print(f"{self.description}: {self.seconds:.4f} sec")


class Benchmark(benchmark):
    """:class:`benchmark` as newer editions of the book write it: ``Benchmark("Without hybridization")``."""

    def __init__(self, description: str = "Done") -> None:
        super().__init__(description)


# --- devices -----------------------------------------------------------------------------------


def try_gpu(i: int = 0) -> Any:
    """Return ``gpu(i)`` if there is one, else ``cpu()``.

    Examples
    --------
    >>> try_gpu(1000)
    cpu(0)
    """
    from .context import cpu, gpu, num_gpus

    return gpu(i) if num_gpus() >= i + 1 else cpu()


def try_all_gpus() -> list[Any]:
    """Return the contexts of all GPUs, or ``[cpu()]`` where there is none."""
    from .context import cpu, gpu, num_gpus

    return [gpu(i) for i in range(num_gpus())] or [cpu()]


# --- accuracy ----------------------------------------------------------------------------------


class Accumulator:
    """Sums over n variables.

    Parameters
    ----------
    n : int
        How many.

    Examples
    --------
    >>> correct_and_total = Accumulator(2)
    >>> correct_and_total.add(3, 4)
    >>> correct_and_total.add(1, 4)
    >>> correct_and_total[0] / correct_and_total[1]
    0.5
    """

    def __init__(self, n: int) -> None:
        self.data = [0.0] * n

    def add(self, *values: Any) -> None:
        """Add one value to each sum."""
        self.data = [total + _values(value).item() for total, value in zip(self.data, values, strict=True)]

    def reset(self) -> None:
        """Set all sums to zero."""
        self.data = [0.0] * len(self.data)

    def __getitem__(self, index: int) -> float:
        return self.data[index]


def accuracy(y_hat: Any, y: Any) -> float:
    """Return how many predictions are right.

    Parameters
    ----------
    y_hat : array
        Scores of shape (batch, classes), or predicted classes of shape (batch,).
    y : array
        The true classes, of shape (batch,).

    Returns
    -------
    float
        A number of examples, not a share.

    Examples
    --------
    >>> import numpy
    >>> scores = numpy.array([[0.1, 0.3, 0.6], [0.3, 0.2, 0.5]])
    >>> accuracy(scores, numpy.array([0, 2]))
    1.0
    """
    if len(y_hat.shape) > 1 and y_hat.shape[1] > 1:
        y_hat = y_hat.argmax(axis=1)
    # Legacy arrays do not compare across types.
    hits = y_hat.astype("float32") == y.astype("float32")
    return float(_values(hits).sum())


def evaluate_accuracy(net: Any, data_iter: Iterable[Any], ctx: Any = None) -> float:
    """Return the share of examples of a data set that a net classifies correctly.

    Parameters
    ----------
    net : callable
        A Gluon block, or any function from a batch to scores.
    data_iter : iterable of (X, y)
        Batches.
    ctx : Context, optional
        Where to compute; by default where the parameters of the net are.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If there are no examples.
    """
    if ctx is None and hasattr(net, "collect_params"):
        parameters = list(net.collect_params().values())
        ctx = parameters[0].list_ctx()[0] if parameters else None
    correct_and_total = Accumulator(2)
    for X, y in data_iter:
        if ctx is not None:
            X, y = X.as_in_context(ctx), y.as_in_context(ctx)
        correct_and_total.add(accuracy(net(X), y), len(y))
    if not correct_and_total[1]:
        raise ValueError("data_iter gave no examples")
    return correct_and_total[0] / correct_and_total[1]


# --- plots -------------------------------------------------------------------------------------


def _pyplot() -> Any:
    """Import Matplotlib, or say how to get it."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        error.add_note(f"Plots need Matplotlib: {sys.executable} -m pip install matplotlib")
        raise
    return pyplot


def use_svg_display() -> None:
    """Show plots as SVG in a notebook; elsewhere there is nothing to do."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")


def set_figsize(figsize: tuple[float, float] = (3.5, 2.5)) -> None:
    """Set the size of the plots that follow, in inches."""
    use_svg_display()
    _pyplot().rcParams["figure.figsize"] = figsize


def set_axes(
    axes: Any,
    xlabel: str | None,
    ylabel: str | None,
    xlim: Any,
    ylim: Any,
    xscale: str,
    yscale: str,
    legend: Sequence[str] | None,
) -> None:
    """Label, limit and scale the axes of a plot."""
    axes.set_xlabel(xlabel or "")
    axes.set_ylabel(ylabel or "")
    axes.set_xscale(xscale)
    axes.set_yscale(yscale)
    if xlim is not None:
        axes.set_xlim(xlim)
    if ylim is not None:
        axes.set_ylim(ylim)
    if legend:
        axes.legend(legend)
    axes.grid(True)


def _as_curves(data: Any) -> list[numpy.ndarray]:
    """Return a single curve, or a list of curves, as a list."""
    if isinstance(data, list | tuple):
        if not data or numpy.ndim(_values(data[0])) == 0:
            return [_values(data)]
        return [_values(curve) for curve in data]
    values = _values(data)
    return [values] if values.ndim < 2 else list(values)


def plot(
    X: Any,
    Y: Any = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    legend: Sequence[str] | None = None,
    xlim: Any = None,
    ylim: Any = None,
    xscale: str = "linear",
    yscale: str = "linear",
    fmts: Sequence[str] = ("-", "m--", "g-.", "r:"),
    figsize: tuple[float, float] = (3.5, 2.5),
    axes: Any = None,
) -> Any:
    """Plot one curve or several.

    Parameters
    ----------
    X, Y : array, list of numbers, or list of them
        The points; ``X`` alone holds the heights, drawn over 0, 1, 2 ... One ``X`` serves all
        curves of ``Y``.
    xlabel, ylabel : str, optional
        Names of the axes.
    legend : list of str, optional
        Names of the curves.
    xlim, ylim : pair of float, optional
        Ends of the axes.
    xscale, yscale : str
        ``"linear"`` or ``"log"``.
    fmts : list of str
        Line styles, one a curve, taken in turn.
    figsize : pair of float
        Inches, where no axes are given.
    axes : matplotlib.axes.Axes, optional
        What to draw into; it is emptied first.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn into.

    Raises
    ------
    ValueError
        If there are neither as many ``X`` as ``Y`` nor a single ``X``.
    """
    if Y is None:
        curves = _as_curves(X)
        positions = [numpy.arange(len(curve)) for curve in curves]
    else:
        curves, positions = _as_curves(Y), _as_curves(X)
        if len(positions) == 1:
            positions = positions * len(curves)
        elif len(positions) != len(curves):
            raise ValueError(f"{len(positions)} curves in X, but {len(curves)} in Y")
    if axes is None:
        set_figsize(figsize)
        axes = _pyplot().gca()
    axes.cla()
    for x, y, style in zip(positions, curves, itertools.cycle(fmts), strict=False):
        axes.plot(x, y, style)
    set_axes(axes, xlabel, ylabel, xlim, ylim, xscale, yscale, legend)
    return axes


def show_images(
    imgs: Any, num_rows: int, num_cols: int, titles: Sequence[Any] | None = None, scale: float = 1.5
) -> Any:
    """Show images in rows and columns.

    Parameters
    ----------
    imgs : array or list of arrays
        Images of shape (height, width), (height, width, 3), or (1, height, width).
    num_rows, num_cols : int
        How many.
    titles : list, optional
        A title for each image.
    scale : float
        Inches per image.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        One for each place, row by row.
    """
    use_svg_display()
    figsize = (num_cols * scale, num_rows * scale)
    _, grid = _pyplot().subplots(num_rows, num_cols, figsize=figsize, squeeze=False)
    places = grid.ravel()
    for i, place in enumerate(places):
        place.set_axis_off()
        if i < len(imgs):
            image = _values(imgs[i])
            place.imshow(image[0] if image.ndim == 3 and len(image) == 1 else image)
            if titles is not None:
                place.set_title(str(titles[i]))
    return places
