"""A scene as a PNG file, which Matplotlib draws with the same boxes and curves as in SVG."""

from __future__ import annotations

import io
import itertools
from typing import Any

from .graph_layout import Point
from .graph_scene import Box, EdgePiece, Scene
from .graph_svg import FAMILY_COLOURS
from .theme import FAMILIES, PALETTE

__all__ = ["png_of"]

#: The maximum number of pixels, which limits the required memory.
MAX_PIXELS = 80_000_000


def png_of(scene: Scene, scale: float = 2.0) -> bytes:
    """Return a scene as the bytes of a PNG file.

    Parameters
    ----------
    scene : Scene
        The scene to draw.
    scale : float
        Pixels per unit of the scene.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    ValueError
        If the picture would have more than ``MAX_PIXELS`` pixels.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(
            "PNG pictures require Matplotlib. Install it with `pip install matplotlib`, or save the picture as SVG: "
            "save('graph.svg')"
        ) from None
    pixels = scene.width * scene.height * scale * scale
    if pixels > MAX_PIXELS:
        raise ValueError(
            f"The picture would have {pixels / 1e6:.0f} million pixels, but at most {MAX_PIXELS / 1e6:.0f} million are "
            "allowed. Close groups, use a smaller scale, or save the picture as SVG"
        )
    figure = Figure(figsize=(scene.width / 72, scene.height / 72), dpi=72 * scale, facecolor=PALETTE["paper"][0])
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, scene.width), ylim=(scene.height, 0))
    axes.axis("off")
    for box in scene.boxes:
        if box.kind == "frame":
            _rectangle(axes, box, PALETTE["rule"][0], 9)
            _text(axes, box.x + 10, box.y + 17, box.texts[0], 11)
    for piece in scene.pieces:
        _edge(axes, piece)
    for box in scene.boxes:
        if box.kind != "frame":
            _box(axes, box)
    for label in scene.labels:
        _text(axes, label.x, label.y, label.text, 10, PALETTE["muted"][0], ha="right" if label.left else "left")
    file = io.BytesIO()
    canvas.print_png(file)
    return file.getvalue()


def _text(axes: Any, x: float, y: float, text: str, size: float, colour: str = PALETTE["ink"][0], **style: Any) -> None:
    axes.text(x, y, text.replace("$", r"\$"), fontsize=size, color=colour, family="monospace", va="baseline", **style)


def _rectangle(axes: Any, box: Box, colour: str, radius: float, dx: float = 0.0, fill: Any = None) -> None:
    from matplotlib.patches import FancyBboxPatch

    shape = f"round,pad=0,rounding_size={min(radius, box.height / 2, box.width / 2)}"
    inside = fill if fill is not None else (*_rgb(colour), 0.13)
    corner = box.x + dx, box.y + dx
    axes.add_patch(
        FancyBboxPatch(corner, box.width, box.height, boxstyle=shape, linewidth=1.3, edgecolor=colour, facecolor=inside)
    )


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _colour_of(family: str) -> str:
    number = FAMILY_COLOURS.get(family)
    return PALETTE["ink" if family == "other" else "muted"][0] if number is None else FAMILIES[number][0]


def _box(axes: Any, box: Box) -> None:
    from matplotlib.patches import Rectangle

    colour = _colour_of(box.family)
    paper = PALETTE["paper"][0]
    if box.kind == "group":
        _rectangle(axes, box, colour, 6, 4, paper)
    is_variable = box.kind not in ("operator", "group")
    _rectangle(axes, box, paper, 13 if is_variable else 5, fill=paper)
    _rectangle(axes, box, colour, 13 if is_variable else 5, fill=PALETTE["panel"][0] if box.kind == "group" else None)
    left = box.x + 10
    if box.kind == "operator":
        axes.add_patch(Rectangle((box.x, box.y + 4), 4, box.height - 8, color=colour, linewidth=0))
        left += 2
        if box.then:
            lower = box.x, box.y + box.height / 2
            axes.add_patch(Rectangle(lower, 4, box.height / 2 - 4, color=_colour_of(box.then), linewidth=0))
    for i, text in enumerate(box.texts):
        y = box.y + 17.5 + 15 * i
        if is_variable:
            _text(axes, box.x + box.width / 2, y, text, 11, ha="center")
        elif i:
            _text(axes, left, y, text, 11, PALETTE["muted"][0])
        else:
            _text(axes, left, y, text, 12, weight="bold")


def _edge(axes: Any, piece: EdgePiece) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    points: list[Point] = [piece.points[0]]
    codes: list[Any] = [Path.MOVETO]
    if piece.bezier:
        points += piece.points[1:]
        codes += [Path.CURVE4] * (len(piece.points) - 1)
    else:
        for (x0, y0), (x1, y1) in itertools.pairwise(piece.points):
            if abs(x0 - x1) < 0.3 or abs(y0 - y1) < 0.3:
                points.append((x1, y1))
                codes.append(Path.LINETO)
            else:
                middle = (y0 + y1) / 2
                points += [(x0, middle), (x1, middle), (x1, y1)]
                codes += [Path.CURVE4] * 3
    colour = PALETTE["faint"][0]
    axes.add_patch(PathPatch(Path(points, codes), fill=False, edgecolor=colour, linewidth=1.3))
    if piece.arrow:
        from .graph_svg import tip_of

        axes.add_patch(Polygon(tip_of(piece), closed=True, color=colour, linewidth=0))
