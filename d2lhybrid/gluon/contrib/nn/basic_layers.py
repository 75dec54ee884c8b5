"""Experimental layers, such as parallel branches and sub-pixel convolution."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from d2lhybrid.context import num_gpus
from d2lhybrid.internals.core.sparse_rows import named_rows
from d2lhybrid.util import is_np_array

from ...block import Block
from ...hybrid_block import HybridBlock
from ...nn.basic_layers import HybridSequential, Sequential
from ...nn.norm_layers import BatchNorm
from ...parameter import Parameter

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = [
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
    "SparseEmbedding",
    "SyncBatchNorm",
]


def _concatenate(F: Any, outputs: list[Any], axis: int) -> Any:
    return F.np.concatenate(outputs, axis=axis) if is_np_array() else F.concat(*outputs, dim=axis)


class Concurrent(Sequential):
    """A container of parallel blocks, which passes its input to each block and concatenates the outputs.

    Parameters
    ----------
    axis : int
        The axis along which outputs are concatenated.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, axis: int = -1, prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Any) -> Tensor:
        """Pass the input to each block, and concatenate the outputs.

        Parameters
        ----------
        x : NDArray
            The input.

        Returns
        -------
        NDArray
            The concatenated outputs.
        """
        from d2lhybrid import ndarray as nd

        return _concatenate(nd, [block(x) for block in self._children.values()], self.axis)


class HybridConcurrent(HybridSequential):
    """A container of parallel hybrid blocks, which passes its input to each block and concatenates the outputs.

    Parameters
    ----------
    axis : int
        The axis along which outputs are concatenated.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = HybridConcurrent(axis=1)
    >>> net.add(nn.Dense(2), nn.Dense(3), Identity())
    >>> net.initialize()
    >>> net(nd.ones((1, 4))).shape
    (1, 9)
    """

    def __init__(self, axis: int = -1, prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Pass the input to each block, and concatenate the outputs."""
        return _concatenate(F, [block(x) for block in self._children.values()], self.axis)


class Identity(HybridBlock):
    """A block that returns its input, such as the identity branch of a :class:`HybridConcurrent`."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Return the input."""
        return x


class SparseEmbedding(Block):
    """An embedding whose weight has row-sparse storage and a row-sparse gradient.

    In this package, row-sparse arrays are nevertheless dense in memory.

    Parameters
    ----------
    input_dim : int
        Number of rows of the table.
    output_dim : int
        Number of elements in a row.
    dtype : str or numpy dtype
        Element type of the table.
    weight_initializer : Initializer or str, optional
        The initializer of the table.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {"input_dim": input_dim, "output_dim": output_dim, "dtype": dtype, "sparse_grad": True}
        self.weight: Parameter = self.params.get(
            "weight", shape=(input_dim, output_dim), init=weight_initializer, dtype=dtype,
            grad_stype="row_sparse", stype="row_sparse",
        )  # fmt: skip

    def forward(self, x: Any) -> Tensor:
        """Return the row of the table for each index in ``x``.

        Parameters
        ----------
        x : NDArray
            Indices of rows.

        Returns
        -------
        NDArray
            The rows, of shape ``(*x.shape, output_dim)``.

        Raises
        ------
        MXNetError
            If an index is out of range.
        """
        from d2lhybrid import ndarray as nd

        named_rows("rows", x, self._kwargs["input_dim"], "SparseEmbedding")
        return nd.Embedding(x, self.weight.row_sparse_data(x), name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        table = self._kwargs
        return f"{type(self).__name__}({table['input_dim']} -> {table['output_dim']}, {table['dtype']})"


class SyncBatchNorm(BatchNorm):
    """Batch normalization with the interface of MXNet's synchronized layer.

    The devices of a process run in turn, so each device normalizes its share of the batch separately.

    Parameters
    ----------
    in_channels : int
        Number of channels; by default inferred in the first call.
    num_devices : int, optional
        Number of devices; by default the number of GPUs, or 1 without a GPU.
    momentum, epsilon, center, scale, use_global_stats, beta_initializer, gamma_initializer
        Arguments of :class:`~d2lhybrid.gluon.nn.BatchNorm`.
    running_mean_initializer, running_variance_initializer : Initializer or str
        Initializers of the running averages.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: int | None = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1, momentum, epsilon, center, scale, use_global_stats, beta_initializer, gamma_initializer,
            running_mean_initializer, running_variance_initializer, in_channels, **kwargs,
        )  # fmt: skip
        if num_devices is None:
            warnings.warn(
                "Caution using SyncBatchNorm: if not using all the GPUs, please mannually set num_devices",
                stacklevel=2,
            )
            num_devices = max(num_gpus(), 1)
        self._settings = {**self._kwargs, "ndev": num_devices, "key": self.prefix}
        del self._settings["axis"]

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any) -> Tensor:
        """Normalize each channel over the batch. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return F.contrib.SyncBatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._settings)

    def __repr__(self) -> str:
        assert self.gamma.shape is not None
        settings = ", ".join(f"{key}={value!r}" for key, value in self._settings.items())
        return f"{type(self).__name__}({settings}, in_channels={self.gamma.shape[0] or None})"


class PixelShuffle1D(HybridBlock):
    """A layer that lengthens a sequence: ``(N, f·C, W)`` becomes ``(N, C, f·W)``.

    Parameters
    ----------
    factor : int
        Enlargement factor.
    """

    def __init__(self, factor: int) -> None:
        super().__init__()
        self._factor = int(factor)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Lengthen the sequences. ``F`` is ``mx.nd`` or ``mx.sym``."""
        f = self._factor
        x = F.reshape(x, (0, -4, -1, f, 0))  # (N, C, f, W)
        x = F.transpose(x, (0, 1, 3, 2))  # (N, C, W, f)
        return F.reshape(x, (0, 0, -3))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factor})"


class PixelShuffle2D(HybridBlock):
    """A layer that enlarges an image: ``(N, f1·f2·C, H, W)`` becomes ``(N, C, f1·H, f2·W)``.

    Parameters
    ----------
    factor : int or tuple of two int
        Enlargement factor along each axis.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> PixelShuffle2D((2, 3))(nd.ones((1, 12, 3, 5))).shape
    (1, 2, 6, 15)
    """

    def __init__(self, factor: int | tuple[int, int]) -> None:
        super().__init__()
        self._factors = _as_factors(factor, 2)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Enlarge the images. ``F`` is ``mx.nd`` or ``mx.sym``."""
        f1, f2 = self._factors
        x = F.reshape(x, (0, -4, -1, f1 * f2, 0, 0))  # (N, C, f1·f2, H, W)
        x = F.reshape(x, (0, 0, -4, f1, f2, 0, 0))  # (N, C, f1, f2, H, W)
        x = F.transpose(x, (0, 1, 4, 2, 5, 3))  # (N, C, H, f1, W, f2)
        return F.reshape(x, (0, 0, -3, -3))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"


class PixelShuffle3D(HybridBlock):
    """A layer that enlarges a volume: ``(N, f1·f2·f3·C, D, H, W)`` becomes ``(N, C, f1·D, f2·H, f3·W)``.

    Parameters
    ----------
    factor : int or tuple of three int
        Enlargement factor along each axis.
    """

    def __init__(self, factor: int | tuple[int, int, int]) -> None:
        super().__init__()
        self._factors = _as_factors(factor, 3)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Enlarge the volumes. ``F`` is ``mx.nd`` or ``mx.sym``."""
        f1, f2, f3 = self._factors
        x = F.reshape(x, (0, -4, -1, math.prod(self._factors), 0, 0, 0))  # (N, C, f1·f2·f3, D, H, W)
        x = F.swapaxes(x, 2, 3)  # (N, C, D, f1·f2·f3, H, W)
        x = F.reshape(x, (0, 0, 0, -4, f1, f2 * f3, 0, 0))  # (N, C, D, f1, f2·f3, H, W)
        x = F.reshape(x, (0, 0, -3, 0, 0, 0))  # (N, C, f1·D, f2·f3, H, W)
        x = F.swapaxes(x, 3, 4)  # (N, C, f1·D, H, f2·f3, W)
        x = F.reshape(x, (0, 0, 0, 0, -4, f2, f3, 0))  # (N, C, f1·D, H, f2, f3, W)
        x = F.reshape(x, (0, 0, 0, -3, 0, 0))  # (N, C, f1·D, f2·H, f3, W)
        x = F.swapaxes(x, 4, 5)  # (N, C, f1·D, f2·H, W, f3)
        return F.reshape(x, (0, 0, 0, 0, -3))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"


def _as_factors(factor: Any, count: int) -> tuple[int, ...]:
    if not hasattr(factor, "__len__"):
        return (int(factor),) * count
    if len(factor) != count:
        raise AssertionError(f"wrong length {len(factor)}")
    return tuple(int(f) for f in factor)
