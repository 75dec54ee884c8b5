"""Pooling layers in one, two and three dimensions."""

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
    """What all pooling layers share."""

    def __init__(
        self,
        dimensions: int,
        pool_type: str,
        layout: str,
        pool_size: Sizes = 1,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = True,
        global_pool: bool = False,
        count_include_pad: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        spatial = "DHW"[-dimensions:]
        valid = (f"NC{spatial}", f"N{spatial}C")
        if layout not in valid:
            raise AssertionError(f"Only {valid[0]} and {valid[1]} layouts are valid for {dimensions}D Pooling")
        size = as_sizes(pool_size, "pool_size", dimensions)
        self._kwargs: dict[str, Any] = {
            "kernel": size,
            "stride": size if strides is None else as_sizes(strides, None, dimensions),
            "pad": as_sizes(padding, None, dimensions),
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
        """Compute the output; ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).Pooling(x, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        settings = self._kwargs
        return (
            f"{type(self).__name__}(size={settings['kernel']}, stride={settings['stride']}, "
            f"padding={settings['pad']}, ceil_mode={settings['pooling_convention'] == 'full'}, "
            f"global_pool={settings['global_pool']}, pool_type={settings['pool_type']}, "
            f"layout={settings['layout']})"
        )


class MaxPool1D(_Pooling):
    """Largest element in a window along one axis; the parameters are those of :class:`MaxPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(1, "max", layout, pool_size, strides, padding, ceil_mode, **kwargs)


class MaxPool2D(_Pooling):
    """Largest element in a window of an image.

    Parameters
    ----------
    pool_size : int or tuple of int
        Size of the window.
    strides : int or tuple of int, optional
        Step of the window; by default its size.
    padding : int or tuple of int
        Width of the border around the image that does not count.
    layout : str
        ``"NCHW"`` or ``"NHWC"``.
    ceil_mode : bool
        Whether a last window that goes over the border counts.
    **kwargs
        ``prefix`` and ``params``.
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
        super().__init__(2, "max", layout, pool_size, strides, padding, ceil_mode, **kwargs)


class MaxPool3D(_Pooling):
    """Largest element in a window of a volume; the parameters are those of :class:`MaxPool2D`."""

    def __init__(
        self,
        pool_size: Sizes = (2, 2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        super().__init__(3, "max", layout, pool_size, strides, padding, ceil_mode, **kwargs)


class AvgPool1D(_Pooling):
    """Mean of a window along one axis; the parameters are those of :class:`AvgPool2D`."""

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
        super().__init__(1, "avg", layout, pool_size, strides, padding, ceil_mode, False, count_include_pad, **kwargs)


class AvgPool2D(_Pooling):
    """Mean of a window of an image.

    Parameters
    ----------
    pool_size, strides, padding, ceil_mode, layout
        As for :class:`MaxPool2D`.
    count_include_pad : bool
        Whether the border counts as zeros.
    **kwargs
        ``prefix`` and ``params``.
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
        super().__init__(2, "avg", layout, pool_size, strides, padding, ceil_mode, False, count_include_pad, **kwargs)


class AvgPool3D(_Pooling):
    """Mean of a window of a volume; the parameters are those of :class:`AvgPool2D`."""

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
        super().__init__(3, "avg", layout, pool_size, strides, padding, ceil_mode, False, count_include_pad, **kwargs)


class GlobalMaxPool1D(_Pooling):
    """Largest element of each channel of a sequence."""

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, "max", layout, global_pool=True, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """Largest element of each channel of an image."""

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(2, "max", layout, global_pool=True, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """Largest element of each channel of a volume."""

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(3, "max", layout, global_pool=True, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """Mean of each channel of a sequence."""

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, "avg", layout, global_pool=True, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """Mean of each channel of an image."""

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(2, "avg", layout, global_pool=True, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """Mean of each channel of a volume."""

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(3, "avg", layout, global_pool=True, **kwargs)
