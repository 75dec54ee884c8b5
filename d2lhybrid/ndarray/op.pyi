# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from .ndarray import NDArray

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def Activation(
    data: NDArray,
    act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Activation function, element by element."""

def BatchNorm(
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
) -> NDArray | Any:
    """Batch normalisation ``(x - mean) / sqrt(var + eps) · gamma + beta``, one mean and variance a channel."""

def BatchNorm_v1(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
    *,
    moving_mean: NDArray | None = None,
    moving_var: NDArray | None = None,
) -> NDArray | Any:
    """Batch normalisation as before version 1.0, which programs and files of that time use."""

def BilinearSampler(
    data: NDArray,
    grid: NDArray,
    cudnn_off: bool | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sample images at the points of a grid, with bilinear interpolation; 0 outside the image."""

def BlockGrad(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """The values of an array, as a constant: no gradient flows back."""

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

def Cast(data: NDArray, dtype: _DType, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

def Concat(
    *data: NDArray,
    dim: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Join arrays along an existing axis."""

def Convolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Slide filters over images: cross-correlation, plus a bias per filter."""

def Convolution_v1(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    layout: Literal["NCDHW", "NCHW", "NDHWC", "NHWC"] | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """``Convolution`` under the name that it had in two and three dimensions before version 1.0."""

def Correlation(
    data1: NDArray,
    data2: NDArray,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Compare windows of one image with displaced windows of another."""

def Crop(
    *data: NDArray,
    offset: _Shape = (0, 0),
    h_w: _Shape = (0, 0),
    center_crop: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Cut a window out of a batch of images."""

def Deconvolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Transposed convolution: every element of the data adds a scaled filter to the output."""

def Dropout(
    data: NDArray,
    p: float = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: _Shape = (),
    cudnn_off: bool | None = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Set elements to zero at random while training, and scale the others up by ``1 / (1 - p)``."""

def ElementWiseSum(*args: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sum of any number of arrays of one shape."""

def Embedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: _DType = "float32",
    sparse_grad: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Rows of the weight, one for every index in ``data``."""

def Flatten(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

def FullyConnected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Affine map ``data · weightᵀ + bias``."""

def GridGenerator(
    data: NDArray,
    transform_type: Literal["affine", "warp"],
    target_shape: _Shape = (0, 0),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Return the points at which to sample an image, as coordinates from -1 to 1."""

def GroupNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    num_groups: int = 1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Group normalisation: each example's groups of channels get mean 0 and variance 1."""

def InstanceNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    eps: float = 0.001,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Instance normalisation: each example's channels get mean 0 and variance 1."""

def L2Normalization(
    data: NDArray,
    eps: float = 1e-10,
    mode: Literal["channel", "instance", "spatial"] = "instance",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide by the Euclidean length ``sqrt(Σ x² + eps)``."""

def LRN(
    data: NDArray,
    alpha: float = 0.0001,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: int = ...,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Local response normalisation ``x / (knorm + alpha / nsize · Σ x²)^beta``, the sum over channels nearby."""

def LayerNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Layer normalisation: mean 0 and variance 1 along an axis, then ``· gamma + beta``."""

def LeakyReLU(
    data: NDArray,
    gamma: NDArray | None = None,
    act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Rectifiers that let something through for negative numbers, element by element."""

def LinearRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Identity whose gradient is that of half the squared distance to the labels."""

def LogisticRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sigmoid whose gradient is that of the binary cross-entropy with the labels."""

def MAERegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Identity whose gradient is that of the absolute distance to the labels."""

def MakeLoss(
    data: NDArray,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Literal["batch", "null", "valid"] = "null",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Declare values to be a loss: going backward starts here, with ``grad_scale``."""

def Pad(
    data: NDArray,
    mode: Literal["constant", "edge", "reflect"],
    pad_width: _Shape,
    constant_value: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Extend the spatial axes of an image-like array (4-D or 5-D)."""

def Pooling(
    data: NDArray,
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
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Maximum, mean, sum or p-norm of every window of an image."""

def Pooling_v1(
    data: NDArray,
    kernel: _Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: _Shape = (),
    pad: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Maximum, mean or sum of every window of an image, as it was before version 1.0."""

def RNN(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray | None = None,
    sequence_length: NDArray | None = None,
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
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Recurrent layers over a sequence."""

def ROIPooling(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Shape,
    spatial_scale: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide each region of interest into parts and take the maximum of each."""

def Reshape(
    data: NDArray,
    shape: _Shape = (),
    reverse: bool = False,
    target_shape: _Shape = (),
    keep_highest: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Give an array a new shape, without changing the order of its elements."""

def SVMOutput(
    data: NDArray,
    label: NDArray,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Identity whose gradient is that of the hinge loss of a support vector machine."""

def SequenceLast(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """The last step of each sequence."""

def SequenceMask(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Replace everything after the end of each sequence by ``value``."""

def SequenceReverse(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Reverse each sequence in time; the padding after its end stays where it is."""

def SliceChannel(
    data: NDArray,
    num_outputs: int,
    axis: int = 1,
    squeeze_axis: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray] | Any:
    """Cut an array into ``num_outputs`` equal pieces."""

def Softmax(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Literal["batch", "null", "valid"] = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Softmax whose gradient is that of the cross-entropy with the labels."""

def SoftmaxActivation(
    data: NDArray,
    mode: Literal["channel", "instance"] = "instance",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Softmax over the last axis (``"instance"``) or over the channels on axis 1."""

def SoftmaxOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Literal["batch", "null", "valid"] = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Softmax whose gradient is that of the cross-entropy with the labels."""

def SpatialTransformer(
    data: NDArray,
    loc: NDArray,
    target_shape: _Shape = (0, 0),
    transform_type: Literal["affine"] = ...,
    sampler_type: Literal["bilinear"] = ...,
    cudnn_off: bool | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Transform images by affine maps: GridGenerator, then BilinearSampler."""

def SwapAxis(
    data: NDArray, dim1: int = 0, dim2: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Exchange two axes."""

def UpSampling(
    *data: NDArray,
    scale: int,
    num_filter: int = 0,
    sample_type: Literal["bilinear", "nearest"],
    multi_input_mode: Literal["concat", "sum"] = "concat",
    workspace: int = 512,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Make images larger by a whole factor."""

def abs(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Absolute value."""

def adam_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Adam; the correction of the bias is the caller's, in ``lr``."""

def add_n(*args: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sum of any number of arrays of one shape."""

def all_finite(
    data: NDArray, init_output: bool = True, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 if every element is finite, else 0 (to notice an overflow in mixed precision)."""

def amp_cast(
    data: NDArray, dtype: _DType, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Convert between floating-point dtypes, for mixed precision; integers stay as they are."""

def amp_multicast(
    *data: NDArray,
    num_outputs: int,
    cast_narrow: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Convert several arrays to the widest floating-point dtype among them (or to the narrowest)."""

def arccos(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse cosine, between 0 and π."""

def arccosh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic cosine."""

def arcsin(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse sine, between -π/2 and π/2."""

def arcsinh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic sine."""

def arctan(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse tangent, between -π/2 and π/2."""

def arctanh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic tangent."""

def argmax(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Position of the greatest element along an axis, in the dtype of the input."""

def argmax_channel(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Position of the greatest element along axis 1, in the dtype of the input."""

def argmin(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Position of the smallest element along an axis, in the dtype of the input."""

def argsort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: _DType = "float32",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Indices that put the elements in order along an axis."""

def batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product of the matrices in the last two axes, one for each place of the other axes."""

def batch_take(
    a: NDArray, indices: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """One element of every row, ``a[i, indices[i]]``, in the shape of the indices; ``pick`` is its successor."""

def broadcast_add(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Sum of two arrays, element by element."""

def broadcast_axes(
    data: NDArray,
    axis: _Shape = (),
    size: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Stretch some axes of size 1, each to its own size."""

def broadcast_axis(
    data: NDArray,
    axis: _Shape = (),
    size: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Stretch some axes of size 1, each to its own size."""

def broadcast_div(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Quotient of two arrays, element by element; of integers without its fraction."""

def broadcast_equal(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x equals the other, else 0."""

def broadcast_greater(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x is greater than the other, else 0."""

def broadcast_greater_equal(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x is greater than or equal to the other, else 0."""

def broadcast_hypot(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Hypotenuse ``√(a² + b²)`` of a right triangle."""

def broadcast_lesser(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x is less than the other, else 0."""

def broadcast_lesser_equal(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x is less than or equal to the other, else 0."""

def broadcast_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_axes: _Shape | None = None,
    rhs_axes: _Shape | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Stretch the axes of size 1 of the first array to the sizes of the second."""

def broadcast_logical_and(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where both x and the other are nonzero, else 0."""

def broadcast_logical_or(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x or the other is nonzero, else 0."""

def broadcast_logical_xor(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where exactly one of x and the other is nonzero, else 0."""

def broadcast_maximum(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """The larger of two numbers, element by element."""

def broadcast_minimum(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """The smaller of two numbers, element by element."""

def broadcast_minus(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Difference of two arrays, element by element."""

def broadcast_mod(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

def broadcast_mul(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Product of two arrays, element by element."""

def broadcast_not_equal(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """1 where x differs from the other, else 0."""

def broadcast_plus(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Sum of two arrays, element by element."""

def broadcast_power(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """The first array to the power of the second, element by element."""

def broadcast_sub(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Difference of two arrays, element by element."""

def broadcast_to(
    data: NDArray, shape: _Shape = (), out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Stretch the axes of size 1 to a shape of as many axes; 0 keeps a size."""

def cast(data: NDArray, dtype: _DType, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

def cast_storage(
    data: NDArray,
    stype: Literal["csr", "default", "row_sparse"],
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """The values of an array, stored in another way: in a graph all arrays are dense."""

def cbrt(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Cube root."""

def ceil(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Least integer that is not below x."""

def choose_element_0index(
    data: NDArray,
    index: NDArray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

def clip(
    data: NDArray, a_min: float, a_max: float, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Clamp values to the interval from ``a_min`` to ``a_max``."""

def col2im(
    data: NDArray,
    output_size: _Shape,
    kernel: _Shape,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Roll columns back into images of size ``output_size``; what overlaps is added up."""

def concat(
    *data: NDArray,
    dim: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Join arrays along an existing axis."""

def cos(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Cosine."""

def cosh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic cosine."""

def crop(
    data: NDArray,
    begin: _Shape,
    end: _Shape,
    step: _Shape | None = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

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

def cumsum(
    a: NDArray,
    axis: int | None = None,
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Running sum along an axis, or over the flattened array."""

def degrees(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Radians to degrees."""

def depth_to_space(
    data: NDArray, block_size: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Spread groups of ``block_size**2`` channels over squares of pixels."""

def diag(
    data: NDArray,
    k: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Make a matrix of a vector, or take the k-th diagonal of an array along two axes."""

def dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sum over the last axis of ``lhs`` and the first of ``rhs``; ``transpose_`` takes the opposite axis."""

def elemwise_add(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Sum of two arrays, element by element."""

def elemwise_div(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Quotient of two arrays, element by element; of integers without its fraction."""

def elemwise_mul(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Product of two arrays, element by element."""

def elemwise_sub(
    lhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Difference of two arrays, element by element."""

def erf(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Error function, the integral of ``2/√π · exp(-t²)`` from 0 to x."""

def erfinv(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse of the error function."""

def exp(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Exponential, e to the power x."""

def expand_dims(
    data: NDArray, axis: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Insert an axis of size 1 at position ``axis``."""

def expm1(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``exp(x) - 1``, exact near 0."""

def fill_element_0index(
    lhs: NDArray, mhs: NDArray, rhs: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """A copy of the matrix ``lhs`` with ``lhs[i, rhs[i]] = mhs[i]``; columns out of range are ignored."""

def fix(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Integer part of x."""

def flatten(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

def flip(data: NDArray, axis: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Reverse the order of the elements along the axes ``axis``."""

def floor(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Greatest integer not above x."""

def ftml_update(
    weight: NDArray,
    grad: NDArray,
    d: NDArray,
    v: NDArray,
    z: NDArray,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    t: int = ...,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Follow the moving leader (FTML); ``t`` counts the updates from 1."""

def ftrl_update(
    weight: NDArray,
    grad: NDArray,
    z: NDArray,
    n: NDArray,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Follow the regularised leader (FTRL-proximal): L1 regularisation that gives exact zeros."""

def gamma(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Gamma function: ``gamma(n) = (n - 1)!``."""

def gammaln(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Logarithm of the absolute value of the gamma function."""

def gather_nd(
    data: NDArray, indices: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

def hard_sigmoid(
    data: NDArray,
    alpha: float = 0.2,
    beta: float = 0.5,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Piecewise linear sigmoid, ``min(max(alpha · x + beta, 0), 1)``."""

def identity(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Copy of an array."""

def im2col(
    data: NDArray,
    kernel: _Shape,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Unroll the windows of a convolution into columns."""

def khatri_rao(*args: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Column-wise Kronecker product of matrices with the same number of columns."""

def lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = ...,
    bias_correction: bool = True,
    wd: float = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """LAMB, first phase: the direction of Adam with weight decay, before the trust ratio."""

def lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """LAMB, second phase: a step along ``g``, scaled by ``r1 / r2``, the norms of weight and ``g``."""

def linalg_det(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Determinant of each matrix."""

def linalg_extractdiag(
    A: NDArray, offset: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """The diagonal of each matrix, ``offset`` steps above the main one, as a vector."""

def linalg_extracttrian(
    A: NDArray, offset: int = 0, lower: bool = True, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """One triangle of each matrix as a vector: the lower one row by row, the upper one column by column."""

def linalg_gelqf(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""

def linalg_gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Matrix product and sum ``alpha · op(A) · op(B) + beta · C``."""

def linalg_gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Matrix product ``alpha · op(A) · op(B)``, where ``op`` may transpose."""

def linalg_inverse(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse of each matrix."""

def linalg_makediag(
    A: NDArray, offset: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Square matrices with vectors on a diagonal, zeros elsewhere."""

def linalg_maketrian(
    A: NDArray, offset: int = 0, lower: bool = True, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Square matrices with vectors as one triangle, zeros elsewhere: what ``extracttrian`` undoes."""

def linalg_potrf(
    A: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
    *,
    lower: bool = True,
) -> NDArray:
    """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper one, which is ``Lᵀ``."""

def linalg_potri(
    A: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
    *,
    lower: bool = True,
) -> NDArray:
    """Inverse of ``A · Aᵀ`` for a lower triangular ``A``: what a Cholesky factor is wanted for."""

def linalg_slogdet(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Sign of the determinant, and the logarithm of its modulus."""

def linalg_sumlogdiag(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sum of the logarithms of the diagonal: half the log-determinant, from a Cholesky factor."""

def linalg_syevd(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix: ``A = Uᵀ · diag(L) · U``."""

def linalg_syrk(
    A: NDArray,
    transpose: bool = False,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product of a matrix and its own transpose: ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A``."""

def linalg_trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product with a triangular matrix: ``alpha · op(A) · B``, on the right side ``alpha · B · op(A)``."""

def linalg_trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Solve with a triangular matrix: ``alpha · op(A)⁻¹ · B``, on the right ``alpha · B · op(A)⁻¹``."""

def log(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Natural logarithm."""

def log10(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 10."""

def log1p(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``log(1 + x)``, exact near 0."""

def log2(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 2."""

def log_softmax(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: _DType | None = None,
    use_length: bool | None = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Logarithm of the softmax along an axis, computed without overflow."""

def logical_not(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """1 where x is 0, else 0."""

def make_loss(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Mark an array as a loss: its gradient is 1, whatever comes after it."""

def max(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Greatest element over the given axes."""

def max_axis(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Greatest element over the given axes."""

def mean(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Mean of the elements over the given axes."""

def min(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Smallest element over the given axes."""

def min_axis(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Smallest element over the given axes."""

def moments(
    data: NDArray,
    axes: _Shape | None = None,
    keepdims: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Mean and population variance over the given axes."""

def mp_lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = ...,
    bias_correction: bool = True,
    wd: float = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Like ``lamb_update_phase1``, on a float32 master copy; the direction is float32, too."""

def mp_lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    weight32: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Like ``lamb_update_phase2``, on a float32 master copy of the weight."""

def mp_nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Like ``nag_mom_update``, computing on a float32 master copy of the weight."""

def mp_sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Like ``sgd_mom_update``, computing on a float32 master copy of the weight."""

def mp_sgd_update(
    weight: NDArray,
    grad: NDArray,
    weight32: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Like ``sgd_update``, computing on a float32 master copy of the weight."""

def multi_all_finite(
    *data: NDArray,
    num_arrays: int = 1,
    init_output: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """1 if every element of every array is finite, else 0."""

def multi_lars(
    lrs: NDArray,
    weights_sum_sq: NDArray,
    grads_sum_sq: NDArray,
    wds: NDArray,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Layer-wise adaptive rate scaling (LARS): the learning rates of several weights at once."""

def multi_mp_sgd_mom_update(
    *data: NDArray,
    lrs: _Floats,
    wds: _Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``mp_sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

def multi_mp_sgd_update(
    *data: NDArray,
    lrs: _Floats,
    wds: _Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``mp_sgd_update`` for several weights: weight, gradient and states of each in turn."""

def multi_sgd_mom_update(
    *data: NDArray,
    lrs: _Floats,
    wds: _Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

def multi_sgd_update(
    *data: NDArray,
    lrs: _Floats,
    wds: _Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``sgd_update`` for several weights: weight, gradient and states of each in turn."""

def multi_sum_sq(
    *data: NDArray,
    num_arrays: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sum of squares of each of several arrays, as one float32 vector."""

def nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Nesterov's accelerated gradient: the step looks ahead along the new momentum."""

def nanprod(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product of the elements over the given axes, NaN counting as 1."""

def nansum(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sum of the elements over the given axes, NaN counting as 0."""

def negative(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``-x``."""

def norm(
    data: NDArray,
    ord: int = 2,
    axis: _Shape | None = None,
    out_dtype: _DType | None = None,
    keepdims: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Norm of the vectors along the given axes: ``ord=2`` the Euclidean one, ``ord=1`` the sum of moduli."""

def normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw normally distributed numbers."""

def one_hot(
    indices: NDArray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: _DType = "float32",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

def ones_like(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Ones in the shape and dtype of an array."""

def pad(
    data: NDArray,
    mode: Literal["constant", "edge", "reflect"],
    pad_width: _Shape,
    constant_value: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Extend the spatial axes of an image-like array (4-D or 5-D)."""

def pick(
    data: NDArray,
    index: NDArray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

def preloaded_multi_mp_sgd_mom_update(
    *data: NDArray,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``mp_sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

def preloaded_multi_mp_sgd_update(
    *data: NDArray,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``mp_sgd_update`` for several weights: weight, gradient and states of each in turn."""

def preloaded_multi_sgd_mom_update(
    *data: NDArray,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

def preloaded_multi_sgd_update(
    *data: NDArray,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """``sgd_update`` for several weights: weight, gradient and states of each in turn."""

def prod(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product of the elements over the given axes."""

def radians(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Degrees to radians."""

def random_exponential(
    lam: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw normally distributed numbers."""

def random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

def random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

def random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

def random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

def random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

def random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

def random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

def random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

def random_poisson(
    lam: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw Poisson distributed numbers."""

def random_randint(
    low: int,
    high: int,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

def random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw numbers between ``low`` (included) and ``high``."""

def ravel_multi_index(
    data: NDArray, shape: _Shape | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Number of the element at an index: the columns of ``data`` are indices into ``shape``."""

def rcbrt(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Reciprocal cube root."""

def reciprocal(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``1 / x``."""

def relu(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Rectified linear unit, ``max(x, 0)``."""

def repeat(
    data: NDArray,
    repeats: int,
    axis: int | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

def reset_arrays(
    *data: NDArray,
    num_arrays: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Set several arrays to zero, in place."""

def reshape(
    data: NDArray,
    shape: _Shape = (),
    reverse: bool = False,
    target_shape: _Shape = (),
    keep_highest: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Give an array a new shape, without changing the order of its elements."""

def reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

def reverse(
    data: NDArray, axis: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Reverse the order of the elements along the axes ``axis``."""

def rint(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

def rmsprop_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """RMSProp (Tieleman and Hinton): divide by a running root mean square of the gradient."""

def rmspropalex_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    g: NDArray,
    delta: NDArray,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Centred RMSProp (Graves): divide by a running standard deviation, with momentum ``delta``."""

def round(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Nearest integer, halves away from zero: ``round(-0.5)`` is -1."""

def rsqrt(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Reciprocal square root, ``1 / √x``."""

def sample_exponential(
    lam: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def sample_multinomial(
    data: NDArray,
    shape: _Shape = (),
    get_prob: bool = False,
    dtype: _DType = "int32",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Draw category numbers with the probabilities in the last axis."""

def sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw normally distributed numbers."""

def sample_poisson(
    lam: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw Poisson distributed numbers."""

def sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: _Shape = (),
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw numbers between ``low`` (included) and ``high``."""

def scatter_nd(
    data: NDArray, indices: NDArray, shape: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Zeros of the given shape with elements or slices put at ``[indices[0], indices[1], ...]``."""

def sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Gradient descent with momentum: ``mom = momentum * mom - lr * (grad + wd * weight)``."""

def sgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """One step of gradient descent, ``weight - lr * (grad + wd * weight)``."""

def shape_array(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """The shape as a one-dimensional int64 array."""

def shuffle(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Put the elements of the first axis into random order."""

def sigmoid(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Logistic function, ``1 / (1 + exp(-x))``."""

def sign(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sign: -1, 0 or 1."""

def signsgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Gradient descent along the sign of the gradient; scaling and clipping leave the sign as it is."""

def signum_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Gradient descent along the sign of the momentum, with decoupled weight decay ``wd_lh``."""

def sin(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sine."""

def sinh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic sine."""

def size_array(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """The number of elements as an int64 array of shape (1,)."""

def slice(
    data: NDArray,
    begin: _Shape,
    end: _Shape,
    step: _Shape | None = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

def slice_axis(
    data: NDArray,
    axis: int,
    begin: int,
    end: int | None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Take the elements from ``begin`` to ``end`` along one axis; None means to the last."""

def slice_like(
    data: NDArray,
    shape_like: NDArray,
    axes: _Shape = (),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Take the first elements along the axes ``axes`` (all by default), as many as ``shape_like`` has."""

def smooth_l1(
    data: NDArray, scalar: float = 1.0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Smooth L1 loss: ``(scalar · x)² / 2`` near 0, ``|x| - 1 / (2 scalar²)`` where ``|x| > 1 / scalar²``."""

def softmax(
    data: NDArray,
    length: NDArray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: _DType | None = None,
    use_length: bool | None = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

def softmax_cross_entropy(
    data: NDArray, label: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Cross-entropy of ``softmax(data)`` and class labels, summed over the batch."""

def softmin(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: _DType | None = None,
    use_length: bool | None = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Softmax of the negative data."""

def softsign(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``x / (1 + |x|)``."""

def sort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Elements in order along an axis, or of the flattened array."""

def space_to_depth(
    data: NDArray, block_size: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Collect squares of ``block_size**2`` pixels into channels."""

def split(
    data: NDArray,
    num_outputs: int,
    axis: int = 1,
    squeeze_axis: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray] | Any:
    """Cut an array into ``num_outputs`` equal pieces."""

def sqrt(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Square root."""

def square(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``x²``."""

def squeeze(
    data: NDArray, axis: _Shape | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Remove axes of size 1: those named by ``axis``, or all; one axis always stays."""

def stack(
    *data: NDArray,
    axis: int = 0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Join arrays of equal shape along a new axis."""

def stop_gradient(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """The values of an array, as a constant: no gradient flows back."""

def sum(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sum of the elements over the given axes."""

def sum_axis(
    data: NDArray,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sum of the elements over the given axes."""

def swapaxes(
    data: NDArray, dim1: int = 0, dim2: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Exchange two axes."""

def take(
    a: NDArray,
    indices: NDArray,
    axis: int = 0,
    mode: Literal["clip", "raise", "wrap"] = "clip",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Slices of ``a`` along an axis, in the order of the indices."""

def tan(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Tangent."""

def tanh(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic tangent."""

def tile(data: NDArray, reps: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

def topk(
    data: NDArray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
    is_ascend: bool = False,
    dtype: _DType = "float32",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""

def transpose(
    data: NDArray, axes: _Shape = (), out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Permute the axes; without ``axes``, reverse their order."""

def trunc(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Integer part of x."""

def uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw numbers between ``low`` (included) and ``high``."""

def unravel_index(
    data: NDArray, shape: _Shape | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Index into ``shape`` of the element with a number, along a new first axis."""

def where(
    condition: NDArray, x: NDArray, y: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """``x`` where the condition is not zero, else ``y``; a vector as condition chooses whole rows."""

def zeros_like(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Zeros in the shape and dtype of an array."""
