# Written by `make stubs` (d2lhybrid/tools/stubs.py): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from .control_flow import cond as cond
from .control_flow import foreach as foreach
from .control_flow import while_loop as while_loop
from .ndarray import NDArray

_Shape: TypeAlias = int | Sequence[int | None]
_DType: TypeAlias = str | type | numpy.dtype[Any]

__all__ = [
    "cond",
    "foreach",
    "while_loop",
]

def AdaptiveAvgPooling2D(
    data: NDArray, output_size: _Shape = (), out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Average over a fixed number of windows, whatever the size of the image."""

def BatchNormWithReLU(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """BatchNorm followed by relu; the parameters are those of BatchNorm."""

def BilinearResize2D(
    data: NDArray,
    like: NDArray | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: Literal["like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"] = "size",
    align_corners: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Resize images, with bilinear interpolation."""

def CTCLoss(
    data: NDArray,
    label: NDArray,
    data_lengths: NDArray | None = None,
    label_lengths: NDArray | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Connectionist temporal classification loss of sequences."""

def ROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Shape,
    spatial_scale: float,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide each region of interest into parts and take the mean of interpolated points in each."""

def SparseEmbedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: _DType = "float32",
    sparse_grad: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Rows of the weight, as ``Embedding`` gives them; its gradient is dense here."""

def SyncBatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str = ...,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Batch normalisation with statistics shared by devices; on one device just BatchNorm."""

def adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Adam with decoupled weight decay; skipped where ``rescale_grad`` is 0, infinite or NaN."""

def allclose(
    a: NDArray,
    b: NDArray,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """1 if two arrays are equal up to ``atol + rtol * |b|``, else 0."""

def arange_like(
    data: NDArray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = "",
    axis: int | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """As many numbers, in steps, as an array has elements, or as it has along one axis."""

def boolean_mask(
    data: NDArray, index: NDArray, axis: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Rows of ``data`` at which ``index`` is not zero."""

def ctc_loss(
    data: NDArray,
    label: NDArray,
    data_lengths: NDArray | None = None,
    label_lengths: NDArray | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Connectionist temporal classification loss of sequences."""

def div_sqrt_dim(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Divide by the square root of the last axis' size, as attention scores are."""

def gradientmultiplier(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """The array itself; its gradient is multiplied by a number (-1 reverses it)."""

def group_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-05,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """AdaGrad with one step size for each row of the weight (for embeddings)."""

def index_array(
    data: NDArray, axes: _Shape | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Index of every element of ``data``, as int64, along a new last axis; or its part for some axes."""

def index_copy(
    old_tensor: NDArray,
    index_vector: NDArray,
    new_tensor: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """A copy of ``old_tensor`` whose rows at the indices are the rows of ``new_tensor``."""

def isfinite(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """1 where x is a finite number, else 0."""

def isinf(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """1 where x is infinite, else 0."""

def isnan(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """1 where x is not a number, else 0."""

def quadratic(
    data: NDArray,
    a: float = 0.0,
    b: float = 0.0,
    c: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Quadratic function, ``a x² + b x + c``."""

def round_ste(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``round`` with the straight-through estimator: the gradient passes as if nothing were rounded."""

def sign_ste(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``sign`` with the straight-through estimator: the gradient passes unchanged."""
