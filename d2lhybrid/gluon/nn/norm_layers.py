"""Normalization layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ..hybrid_block import HybridBlock, operators
from ..parameter import Parameter
from ..parameter_dict import ParameterDict

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["BatchNorm", "BatchNormReLU", "GroupNorm", "InstanceNorm", "LayerNorm"]


def _list_settings(kwargs: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in kwargs.items())


def _first(parameter: Parameter) -> int:
    """Return the size of a one-dimensional parameter."""
    assert parameter.shape is not None
    return parameter.shape[0]


class _BatchNorm(HybridBlock):
    """The base class of the batch normalization layers."""

    fuse_relu = False
    gamma: Parameter
    beta: Parameter
    running_mean: Parameter
    running_var: Parameter

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {
            "axis": axis, "eps": epsilon, "momentum": momentum, "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }  # fmt: skip
        if in_channels != 0:
            self.in_channels = in_channels
        shape = (in_channels,)
        self.gamma = self.params.get(
            "gamma", grad_req="write" if scale else "null", shape=shape, init=gamma_initializer,
            allow_deferred_init=True, differentiable=scale,
        )  # fmt: skip
        self.beta = self.params.get(
            "beta", grad_req="write" if center else "null", shape=shape, init=beta_initializer,
            allow_deferred_init=True, differentiable=center,
        )  # fmt: skip
        self.running_mean = self.params.get(
            "running_mean", grad_req="null", shape=shape, init=running_mean_initializer,
            allow_deferred_init=True, differentiable=False,
        )  # fmt: skip
        self.running_var = self.params.get(
            "running_var", grad_req="null", shape=shape, init=running_variance_initializer,
            allow_deferred_init=True, differentiable=False,
        )  # fmt: skip

    def cast(self, dtype: Any) -> None:
        """Convert all parameters to the element type of the data, or to float32 if the data is float16.

        Parameters
        ----------
        dtype : str or type
            The element type of the data.
        """
        super().cast("float32" if numpy.dtype(dtype) == numpy.float16 else dtype)

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any) -> Tensor:
        """Normalize each channel over the batch. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        channels = _first(self.gamma) or None
        return f"{type(self).__name__}({_list_settings(self._kwargs)}, in_channels={channels})"


class BatchNorm(_BatchNorm):
    """A layer that normalizes each channel over the batch.

    In training, the layer normalizes with the batch's mean and variance, and the backward pass updates the running
    averages. In prediction, the layer normalizes with the running averages.

    Parameters
    ----------
    axis : int
        The channel axis.
    momentum : float
        Weight of the previous value in the running averages.
    epsilon : float
        Value that is added to the variance.
    center, scale : bool
        Whether to learn an offset ``beta`` and a factor ``gamma``.
    use_global_stats : bool
        Whether to normalize with the running averages even in training.
    beta_initializer, gamma_initializer : Initializer or str
        Initializers of the parameters.
    running_mean_initializer, running_variance_initializer : Initializer or str
        Initializers of the running averages.
    in_channels : int
        Number of channels. With 0, the first call infers the number.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """


class BatchNormReLU(_BatchNorm):
    """Batch normalization followed by ReLU. The parameters are those of :class:`BatchNorm`."""

    fuse_relu = True

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any) -> Tensor:
        """Normalize each channel over the batch, and apply a ReLU. ``F`` is ``mx.nd`` or ``mx.sym``."""
        op = operators(F)
        out = op.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)
        return op.relu(out)


class LayerNorm(HybridBlock):
    """A layer that normalizes each example over one axis.

    Parameters
    ----------
    axis : int
        The axis to normalize over.
    epsilon : float
        Value that is added to the variance.
    center, scale : bool
        Whether to learn an offset ``beta`` and a factor ``gamma``.
    beta_initializer, gamma_initializer : Initializer or str
        Initializers of the parameters.
    in_channels : int
        Size of the axis ``axis``. With 0, the first call infers the size.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    gamma: Parameter
    beta: Parameter

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis, self._epsilon = axis, epsilon
        self.gamma, self.beta = _scale_and_offset(
            self.params, (in_channels,), scale, center, (gamma_initializer, beta_initializer)
        )

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Tensor:
        """Normalize each example over one axis. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LayerNorm(data, gamma=gamma, beta=beta, axis=self._axis, eps=self._epsilon)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_list_settings(self._kwargs)}, in_channels={_first(self.gamma)})"


class InstanceNorm(HybridBlock):
    """A layer that normalizes each channel of each example separately.

    Parameters
    ----------
    axis : int
        The channel axis.
    epsilon : float
        Value that is added to the variance.
    center, scale : bool
        Whether to learn an offset ``beta`` and a factor ``gamma``.
    beta_initializer, gamma_initializer : Initializer or str
        Initializers of the parameters.
    in_channels : int
        Number of channels. With 0, the first call infers the number.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    gamma: Parameter
    beta: Parameter

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis, self._epsilon = axis, epsilon
        self.gamma, self.beta = _scale_and_offset(
            self.params, (in_channels,), scale, center, (gamma_initializer, beta_initializer)
        )

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Tensor:
        """Normalize each channel of each example. ``F`` is ``mx.nd`` or ``mx.sym``."""
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        x = x.swapaxes(1, self._axis)
        return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon).swapaxes(1, self._axis)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_list_settings(self._kwargs)}, in_channels={_first(self.gamma)})"


class GroupNorm(HybridBlock):
    """A layer that normalizes each group of channels of each example separately.

    Parameters
    ----------
    num_groups : int
        Number of groups that the channels (axis 1) are divided into.
    epsilon : float
        Value that is added to the variance.
    center, scale : bool
        Whether to learn an offset ``beta`` and a factor ``gamma`` for each group.
    beta_initializer, gamma_initializer : Initializer or str
        Initializers of the parameters.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    gamma: Parameter
    beta: Parameter

    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "num_groups": num_groups, "center": center, "scale": scale}
        self._num_groups, self._epsilon = num_groups, epsilon
        self.gamma, self.beta = _scale_and_offset(
            self.params, (num_groups,), scale, center, (gamma_initializer, beta_initializer)
        )

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Tensor:
        """Normalize each group of channels of each example. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return F.GroupNorm(data, gamma=gamma, beta=beta, num_groups=self._num_groups, eps=self._epsilon)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_list_settings(self._kwargs)})"


def _scale_and_offset(
    params: ParameterDict, shape: tuple[int, ...], scale: bool, center: bool, initializers: tuple[Any, Any]
) -> tuple[Parameter, Parameter]:
    """Return the parameters ``gamma`` and ``beta``. They have no gradients if ``scale`` or ``center`` is False."""
    gamma, beta = (
        params.get(name, grad_req="write" if trains else "null", shape=shape, init=init, allow_deferred_init=True)
        for name, trains, init in zip(("gamma", "beta"), (scale, center), initializers, strict=True)
    )
    return gamma, beta
