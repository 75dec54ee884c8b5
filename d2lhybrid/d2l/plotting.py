"""Functions that plot curves, images, and heat maps. The first plot imports Matplotlib."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.support.display import Shown
from ..internals.support.plural import counted
from .values import as_values

__all__ = [
    "Animator",
    "annotate",
    "plot",
    "set_axes",
    "set_figsize",
    "show_heatmaps",
    "show_images",
    "show_trace_2d",
    "use_svg_display",
]


def pyplot() -> Any:
    """Import and return Matplotlib's pyplot.

    Raises
    ------
    ImportError
        If Matplotlib is missing. A note on the error contains the install command.
    """
    try:
        from matplotlib import pyplot
    except ImportError as error:
        from ..internals.support.install_commands import install_command

        error.add_note(f"Install Matplotlib for plots: {install_command('matplotlib')}")
        raise
    return pyplot


def use_svg_display() -> None:
    """Show plots as SVG in a notebook, and do nothing elsewhere."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")


def set_figsize(figsize: tuple[float, float] = (3.5, 2.5)) -> None:
    """Set the size of subsequent plots in inches.

    Parameters
    ----------
    figsize : (float, float)
        Width and height of a plot in inches.
    """
    use_svg_display()
    pyplot().rcParams["figure.figsize"] = figsize


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
    """Set the labels, limits, and scales of a plot's axes.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        The axes.
    xlabel, ylabel : str
        Labels of the axes.
    xlim, ylim : (float, float)
        Limits of the axes.
    xscale, yscale : str
        ``"linear"`` or ``"log"``.
    legend : list of str
        Labels of the curves. If the list is empty, no legend is drawn.
    """
    axes.set_xlabel(xlabel or "")
    axes.set_ylabel(ylabel or "")
    axes.set_xscale(xscale)
    axes.set_yscale(yscale)
    for limits, limit in ((xlim, axes.set_xlim), (ylim, axes.set_ylim)):
        if limits is not None and limits[0] != limits[1]:  # the limits of a single epoch are equal
            limit(limits)
    if legend:
        axes.legend(legend)
    axes.grid(True)


def _as_curves(data: Any) -> list[numpy.ndarray]:
    """Return a single curve, or a list of curves, as a list."""
    if isinstance(data, list | tuple):
        if not data or numpy.ndim(as_values(data[0])) == 0:
            return [as_values(data)]
        return [as_values(curve) for curve in data]
    values = as_values(data)
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
    """Plot one or several curves.

    Parameters
    ----------
    X, Y : array, list of numbers, or list of these
        The points. Without ``Y``, ``X`` contains the y-coordinates, and the x-coordinates are 0, 1, 2 ... A single
        ``X`` applies to all curves of ``Y``.
    xlabel, ylabel : str, optional
        Labels of the axes.
    legend : list of str, optional
        Labels of the curves.
    xlim, ylim : pair of float, optional
        Limits of the axes.
    xscale, yscale : str
        ``"linear"`` or ``"log"``.
    fmts : list of str
        Line styles, which are repeated if there are more curves than styles.
    figsize : pair of float
        Size of the figure in inches. Ignored if ``axes`` are passed.
    axes : matplotlib.axes.Axes, optional
        Axes to draw into, which are cleared first.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ValueError
        If ``X`` contains several curves, and their number differs from the number of curves in ``Y``.
    """
    if Y is None:
        curves = _as_curves(X)
        positions = [numpy.arange(len(curve)) for curve in curves]
    else:
        curves, positions = _as_curves(Y), _as_curves(X)
        if len(positions) == 1:
            positions = positions * len(curves)
        elif len(positions) != len(curves):
            error = ValueError(f"X has {counted(len(positions), 'curve')}, but Y has {len(curves)}")
            error.add_note(f"Pass 1 or {len(curves)} sequences as X.")
            raise error
    if axes is None:
        set_figsize(figsize)
        axes = pyplot().gca()
    axes.cla()
    for x, y, style in zip(positions, curves, itertools.cycle(fmts), strict=False):
        axes.plot(x, y, style)
    set_axes(axes, xlabel, ylabel, xlim, ylim, xscale, yscale, legend)
    return axes


def show_images(
    imgs: Any, num_rows: int, num_cols: int, titles: Sequence[Any] | None = None, scale: float = 1.5
) -> Any:
    """Show images in a grid of rows and columns.

    Parameters
    ----------
    imgs : array or list of arrays
        Images of shape (height, width), (height, width, 3), or (1, height, width).
    num_rows, num_cols : int
        Number of rows and number of columns.
    titles : list, optional
        Titles of the images.
    scale : float
        Size of each image in inches.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        The axes in a one-dimensional array, row by row.
    """
    use_svg_display()
    figsize = (num_cols * scale, num_rows * scale)
    _, grid = pyplot().subplots(num_rows, num_cols, figsize=figsize, squeeze=False)
    places = grid.ravel()
    for i, place in enumerate(places):
        place.set_axis_off()
        if i < len(imgs):
            image = as_values(imgs[i])
            place.imshow(image[0] if image.ndim == 3 and len(image) == 1 else image)
            if titles is not None:
                place.set_title(str(titles[i]))
    return places


def _show(figure: Any, replace: bool = True) -> None:
    """Show a figure in a notebook instead of the cell's earlier figure, and do nothing elsewhere."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        from IPython import display

        display.display(figure)
        if replace:
            display.clear_output(wait=True)


class Animator(Shown):
    """A plot whose curves grow during training.

    Parameters
    ----------
    xlabel, ylabel, legend, xlim, ylim, xscale, yscale, fmts, figsize
        Arguments of :func:`plot`.
    nrows, ncols : int
        Number of rows and columns of the figure. The curves are drawn in the first cell.

    Attributes
    ----------
    X, Y : list of list
        The x-coordinates and the y-coordinates of each curve's points.
    """

    fig: Any

    def __init__(
        self,
        xlabel: str | None = None,
        ylabel: str | None = None,
        legend: Sequence[str] | None = None,
        xlim: Any = None,
        ylim: Any = None,
        xscale: str = "linear",
        yscale: str = "linear",
        fmts: Sequence[str] = ("-", "m--", "g-.", "r:"),
        nrows: int = 1,
        ncols: int = 1,
        figsize: tuple[float, float] = (3.5, 2.5),
    ) -> None:
        use_svg_display()
        self.fig, grid = pyplot().subplots(nrows, ncols, figsize=figsize, squeeze=False)
        self.axes: list[Any] = list(grid.ravel())
        self._style = (xlabel, ylabel, xlim, ylim, xscale, yscale, legend)
        self.fmts = fmts
        self.X: list[list[float]] = []
        self.Y: list[list[float]] = []

    def add(self, x: Any, y: Any) -> None:
        """Add a point to each curve, and draw the plot.

        Parameters
        ----------
        x : float, or list of float
            x-coordinate of all points, or of each curve's point.
        y : float, or list of float
            y-coordinate of each curve's point, or None to add no point to the curve.
        """
        heights = list(y) if hasattr(y, "__len__") else [y]
        places = list(x) if hasattr(x, "__len__") else [x] * len(heights)
        for _ in range(len(heights) - len(self.X)):
            self.X.append([])
            self.Y.append([])
        for xs, ys, place, height in zip(self.X, self.Y, places, heights, strict=False):
            if place is not None and height is not None:
                xs.append(float(place))
                ys.append(float(height))
        axes = self.axes[0]
        axes.cla()
        for xs, ys, style in zip(self.X, self.Y, itertools.cycle(self.fmts), strict=False):
            axes.plot(xs, ys, style)
        set_axes(axes, *self._style)
        _show(self.fig)


def show_heatmaps(
    matrices: Any,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> None:
    """Show matrices as heat maps in rows and columns, with a single color bar.

    Parameters
    ----------
    matrices : array of shape (rows, columns, height, width)
        The matrices.
    xlabel, ylabel : str
        Labels of the x-axes of the last row and of the y-axes of the first column.
    titles : list of str, optional
        Titles of the columns.
    figsize : pair of float
        Size of the figure in inches.
    cmap : str
        Name of the color map.
    """
    use_svg_display()
    values = as_values(matrices)
    rows, columns = values.shape[:2]
    figure, grid = pyplot().subplots(rows, columns, figsize=figsize, sharex=True, sharey=True, squeeze=False)
    image = None
    for (i, j), place in numpy.ndenumerate(grid):
        image = place.imshow(values[i, j], cmap=cmap)
        if i == rows - 1:
            place.set_xlabel(xlabel)
        if j == 0:
            place.set_ylabel(ylabel)
        if titles is not None:
            place.set_title(titles[j])
    figure.colorbar(image, ax=grid, shrink=0.6)


def annotate(text: str, xy: tuple[float, float], xytext: tuple[float, float]) -> None:
    """Add text to the current plot, with an arrow to a point.

    Parameters
    ----------
    text : str
        The text.
    xy, xytext : (float, float)
        Position of the point, and position of the text.
    """
    pyplot().gca().annotate(text, xy=xy, xytext=xytext, arrowprops={"arrowstyle": "->"})


def show_trace_2d(f: Any, results: Sequence[tuple[Any, Any]]) -> None:
    """Draw the path of an optimizer over the contours of the function that it minimizes.

    Parameters
    ----------
    f : callable
        Function to plot. It receives two arrays with the coordinates of a grid.
    results : list of (x1, x2)
        The path from :func:`train_2d`.
    """
    set_figsize()
    axes = pyplot().gca()
    path = numpy.array([[float(x) for x in point] for point in results])
    axes.plot(path[:, 0], path[:, 1], "-o", color="tab:orange")
    grids = numpy.meshgrid(numpy.arange(-5.5, 1.0, 0.1), numpy.arange(-3.0, 0.1, 0.1))
    axes.contour(*grids, as_values(f(*grids)), colors="tab:blue")
    axes.set_xlabel("x1")
    axes.set_ylabel("x2")
