# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from ..context import Context as Context
from ..context import cpu as cpu
from ..context import cpu_pinned as cpu_pinned
from ..context import current_context as current_context
from ..context import gpu as gpu
from ..context import gpu_memory_info as gpu_memory_info
from ..context import num_gpus as num_gpus
from ..ndarray import waitall as waitall
from ..ndarray.numpy._array import ndarray
from ..util import is_np_array as is_np_array
from ..util import is_np_shape as is_np_shape
from ..util import reset_np as reset_np
from ..util import set_np as set_np
from . import image as image
from . import random as random
from .files import load as load
from .files import save as save

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def activation(
    data: ndarray,
    act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Activation function, element by element."""

def arange_like(
    data: ndarray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = "",
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """As many numbers, in steps, as an array has elements, or as it has along one axis."""

def batch_dot(
    lhs: ndarray,
    rhs: ndarray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Product of the matrices in the last two axes, one for each place of the other axes."""

def batch_flatten(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

def batch_norm(
    data: ndarray,
    gamma: ndarray,
    beta: ndarray,
    moving_mean: ndarray,
    moving_var: ndarray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """Batch normalisation ``(x - mean) / sqrt(var + eps) · gamma + beta``, one mean and variance a channel."""

def cast(data: ndarray, dtype: _DType, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

def constraint_check(
    input: ndarray,
    msg: str = "Constraint violated.",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Return true if all elements of a boolean array are true, else fail with a message."""

def convolution(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Literal["fastest", "limited_workspace", "off"] | None = None,
    cudnn_off: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Slide filters over images: cross-correlation, plus a bias per filter."""

def deconvolution(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    adj: _Shape = (),
    target_shape: _Shape = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: Literal["fastest", "limited_workspace", "off"] | None = None,
    cudnn_off: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Transposed convolution: every element of the data adds a scaled filter to the output."""

def dropout(
    data: ndarray,
    p: float = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: _Shape = (),
    cudnn_off: bool | None = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Set elements to zero at random while training, and scale the others up by ``1 / (1 - p)``."""

def embedding(
    data: ndarray,
    weight: ndarray,
    input_dim: int,
    output_dim: int,
    dtype: _DType = "float32",
    sparse_grad: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Rows of the weight, one for every index in ``data``."""

def erf(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Error function, the integral of ``2/√π · exp(-t²)`` from 0 to x."""

def erfinv(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse of the error function."""

def fully_connected(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Affine map ``data · weightᵀ + bias``."""

def gamma(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Gamma function: ``gamma(n) = (n - 1)!``."""

def gammaln(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Logarithm of the absolute value of the gamma function."""

def gather_nd(
    data: ndarray, indices: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

def layer_norm(
    data: ndarray,
    gamma: ndarray,
    beta: ndarray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """Layer normalisation: mean 0 and variance 1 along an axis, then ``· gamma + beta``."""

def leaky_relu(
    data: ndarray,
    gamma: ndarray | None = None,
    act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """Rectifiers that let something through for negative numbers, element by element."""

def log_softmax(
    data: ndarray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: _DType | None = None,
    use_length: bool | None = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Logarithm of the softmax along an axis, computed without overflow."""

def multibox_detection(
    cls_prob: ndarray,
    loc_pred: ndarray,
    anchor: ndarray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: _Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Boxes that a net has found: the likeliest class of each anchor, moved anchors, without those that overlap."""

def multibox_prior(
    data: ndarray,
    sizes: _Floats = (1.0,),
    ratios: _Floats = (1.0,),
    clip: bool = False,
    steps: _Floats = (-1.0, -1.0),
    offsets: _Floats = (0.5, 0.5),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Anchor boxes of several sizes and shapes around each element of a map."""

def multibox_target(
    anchor: ndarray,
    label: ndarray,
    cls_pred: ndarray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: _Floats = (0.1, 0.1, 0.2, 0.2),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> list[ndarray]:
    """What each anchor has to learn: the offset to its box, and the class of it."""

def nonzero(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Indices of the elements that are not zero, one row for each, as int64."""

def one_hot(
    indices: ndarray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

def pick(
    data: ndarray,
    index: ndarray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

def pooling(
    data: ndarray,
    kernel: _Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: _Shape = (),
    pad: _Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Maximum, mean, sum or p-norm of every window of an image."""

def relu(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Rectified linear unit, ``max(x, 0)``."""

def reshape(
    a: ndarray,
    newshape: _Shape,
    reverse: bool = False,
    order: str = "C",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Give an array a new shape, with codes for copying, merging and splitting sizes."""

def reshape_like(
    lhs: ndarray,
    rhs: ndarray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

def rnn(
    data: ndarray,
    parameters: ndarray,
    state: ndarray,
    state_cell: ndarray | None = None,
    sequence_length: ndarray | None = None,
    state_size: int = ...,
    num_layers: int = ...,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = ...,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> Any:
    """Recurrent layers over a sequence."""

def roi_pooling(
    data: ndarray,
    rois: ndarray,
    pooled_size: _Shape,
    spatial_scale: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Divide each region of interest into parts and take the maximum of each."""

def sequence_mask(
    data: ndarray,
    sequence_length: ndarray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Replace everything after the end of each sequence by ``value``."""

def shape_array(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The shape as a one-dimensional int64 array."""

def sigmoid(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Logistic function, ``1 / (1 + exp(-x))``."""

def slice(
    data: ndarray,
    begin: _Shape,
    end: _Shape,
    step: _Shape | None = (),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

def smooth_l1(
    data: ndarray, scalar: float = 1.0, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Smooth L1 loss: ``(scalar · x)² / 2`` near 0, ``|x| - 1 / (2 scalar²)`` where ``|x| > 1 / scalar²``."""

def softmax(
    data: ndarray,
    length: ndarray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: _DType | None = None,
    use_length: bool | None = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

def topk(
    data: ndarray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
    is_ascend: bool = False,
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""
