"""Pooling layers in one, two, and three dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..hybrid_block import HybridBlock, operators
from .conv_layers import Sizes, as_sizes

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = [
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
]


class _Pooling(HybridBlock):
    """The base class of all pooling layers."""

    # User programs derive layers from this class and call it with MXNet's arguments.
    def __init__(
        self,
        pool_size: tuple[int, ...],
        strides: Sizes | None,
        padding: Sizes,
        ceil_mode: bool,
        global_pool: bool,
        pool_type: str,
        layout: str,
        count_include_pad: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "kernel": pool_size,
            "stride": pool_size if strides is None else as_sizes(strides, None, len(pool_size)),
            "pad": as_sizes(padding, None, len(pool_size)),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self) -> str:
        return "pool"

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Pool each window, or the whole input. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).Pooling(x, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        settings = self._kwargs
        return (
            f"{type(self).__name__}(size={settings['kernel']}, stride={settings['stride']}, "
            f"padding={settings['pad']}, ceil_mode={settings['pooling_convention'] == 'full'}, "
            f"global_pool={settings['global_pool']}, pool_type={settings['pool_type']}, "
            f"layout={settings['layout']})"
        )


def _window(pool_size: Sizes, layout: str, dimensions: int) -> tuple[int, ...]:
    """Return the size of the window along each axis, after checking that the layout has ``dimensions`` spatial axes."""
    spatial = "DHW"[-dimensions:]
    valid = (f"NC{spatial}", f"N{spatial}C")
    if layout not in valid:
        raise AssertionError(f"Only {valid[0]} and {valid[1]} layouts are valid for {dimensions}D Pooling")
    return as_sizes(pool_size, "pool_size", dimensions)


class MaxPool1D(_Pooling):
    """Max pooling of a sequence. The parameters are those of :class:`MaxPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(_window(pool_size, layout, 1), strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool2D(_Pooling):
    """Max pooling of an image: the maximum of each window.

    Parameters
    ----------
    pool_size : int or tuple of int
        Size of the window.
    strides : int or tuple of int, optional
        Step of the window; the window's size by default.
    padding : int or tuple of int
        Width of the padding around the image. The padding is never the maximum.
    layout : str
        ``"NCHW"`` or ``"NHWC"``.
    ceil_mode : bool
        Whether to include a last window that extends past the padding.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(_window(pool_size, layout, 2), strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool3D(_Pooling):
    """Max pooling of a volume. The parameters are those of :class:`MaxPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = (2, 2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        super().__init__(_window(pool_size, layout, 3), strides, padding, ceil_mode, False, "max", layout, **kwargs)


class AvgPool1D(_Pooling):
    """Average pooling of a sequence. The parameters are those of :class:`AvgPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        size = _window(pool_size, layout, 1)
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs)


class AvgPool2D(_Pooling):
    """Average pooling of an image: the mean of each window.

    Parameters
    ----------
    pool_size, strides, padding, ceil_mode, layout
        Arguments of :class:`MaxPool2D`.
    count_include_pad : bool
        Whether to include the padding in the mean, as zeros.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        size = _window(pool_size, layout, 2)
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs)


class AvgPool3D(_Pooling):
    """Average pooling of a volume. The parameters are those of :class:`AvgPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = (2, 2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        size = _window(pool_size, layout, 3)
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs)


class GlobalMaxPool1D(_Pooling):
    """Global max pooling of a sequence: the maximum of each channel."""

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 1), None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """Global max pooling of an image: the maximum of each channel."""

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 2), None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """Global max pooling of a volume: the maximum of each channel."""

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 3), None, 0, True, True, "max", layout, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """Global average pooling of a sequence: the mean of each channel."""

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 1), None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """Global average pooling of an image: the mean of each channel."""

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 2), None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """Global average pooling of a volume: the mean of each channel."""

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(_window(1, layout, 3), None, 0, True, True, "avg", layout, **kwargs)
