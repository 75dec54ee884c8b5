# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from .candidates import rand_zipfian as rand_zipfian
from .control_flow import cond as cond
from .control_flow import foreach as foreach
from .control_flow import while_loop as while_loop
from .ndarray import NDArray
from .updates import adamw_update as adamw_update
from .updates import mp_adamw_update as mp_adamw_update
from .updates import multi_adamw_update as multi_adamw_update
from .updates import multi_lamb_update as multi_lamb_update
from .updates import multi_mp_adamw_update as multi_mp_adamw_update
from .updates import multi_mp_lamb_update as multi_mp_lamb_update

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_DType: TypeAlias = str | type | numpy.dtype[Any]

__all__ = [
    "adamw_update",
    "cond",
    "foreach",
    "mp_adamw_update",
    "multi_adamw_update",
    "multi_lamb_update",
    "multi_mp_adamw_update",
    "multi_mp_lamb_update",
    "rand_zipfian",
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
) -> NDArray | Any:
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

def DeformableConvolution(
    data: NDArray,
    offset: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    num_filter: int = ...,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW"] | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Convolution whose windows read at places that are moved by offsets."""

def DeformablePSROIPooling(
    data: NDArray,
    rois: NDArray,
    trans: NDArray | None = None,
    spatial_scale: float = ...,
    output_dim: int = ...,
    group_size: int = ...,
    pooled_size: int = ...,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide each region of interest into parts that are moved by offsets, and take the mean of points in each."""

def ModulatedDeformableConvolution(
    data: NDArray,
    offset: NDArray,
    mask: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    num_filter: int = ...,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: Literal["NCDHW", "NCHW", "NCW"] | None = None,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Convolution whose windows read at places that are moved by offsets, and weigh what they read by a mask."""

def MultiBoxDetection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: _Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Boxes that a net has found: the likeliest class of each anchor, moved anchors, without those that overlap."""

def MultiBoxPrior(
    data: NDArray,
    sizes: _Floats = (1.0,),
    ratios: _Floats = (1.0,),
    clip: bool = False,
    steps: _Floats = (-1.0, -1.0),
    offsets: _Floats = (0.5, 0.5),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Anchor boxes of several sizes and shapes around each element of a map."""

def MultiBoxTarget(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: _Floats = (0.1, 0.1, 0.2, 0.2),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """What each anchor has to learn: the offset to its box, and the class of it."""

def MultiProposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: _Floats = (4.0, 8.0, 16.0, 32.0),
    ratios: _Floats = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Regions of several images that may hold an object."""

def PSROIPooling(
    data: NDArray,
    rois: NDArray,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide each region of interest into parts, and take the mean of each, from channels of its own."""

def Proposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: _Floats = (4.0, 8.0, 16.0, 32.0),
    ratios: _Floats = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray | Any:
    """Regions of an image that may hold an object: moved anchors, the likeliest first, without those that overlap."""

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

def RROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Shape,
    spatial_scale: float,
    sampling_ratio: int = -1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Divide each turned region of interest into parts and take the mean of interpolated points in each."""

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
    """Rows of the weight, as ``Embedding`` gives them; its gradient is row-sparse."""

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

def bipartite_matching(
    data: NDArray,
    is_ascend: bool = False,
    threshold: float = ...,
    topk: int = -1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Pair rows with columns, the best pair first."""

def boolean_mask(
    data: NDArray, index: NDArray, axis: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Rows of ``data`` at which ``index`` is not zero."""

def box_decode(
    data: NDArray,
    anchors: NDArray,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: Literal["corner", "center"] = "center",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Boxes, by corners, from anchors and offsets: what :func:`box_encode` did, undone."""

def box_encode(
    samples: NDArray,
    matches: NDArray,
    anchors: NDArray,
    refs: NDArray,
    means: NDArray,
    stds: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Offsets from anchors to the boxes that they are matched with, as a detector learns them."""

def box_iou(
    lhs: NDArray,
    rhs: NDArray,
    format: Literal["corner", "center"] = "corner",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Intersection over union of each box of one array with each of another."""

def box_nms(
    data: NDArray,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: Literal["corner", "center"] = "corner",
    out_format: Literal["corner", "center"] = "corner",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Non-maximum suppression: of boxes that overlap much, the one with the highest score stays."""

def box_non_maximum_suppression(
    data: NDArray,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: Literal["corner", "center"] = "corner",
    out_format: Literal["corner", "center"] = "corner",
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Non-maximum suppression: of boxes that overlap much, the one with the highest score stays."""

def count_sketch(
    data: NDArray,
    h: NDArray,
    s: NDArray,
    out_dim: int,
    processing_batch_size: int = 32,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sketch each row: add each of its elements, with a sign, to a place of a shorter row."""

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
    """Divide by the square root of the last axis' size, as attention scores are; integers by its whole part."""

def fft(
    data: NDArray, compute_size: int = 128, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Discrete Fourier transform of each row, as pairs of a real and an imaginary part."""

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

def hawkesll(
    lda: NDArray,
    alpha: NDArray,
    beta: NDArray,
    state: NDArray,
    lags: NDArray,
    marks: NDArray,
    valid_length: NDArray,
    max_time: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Logarithm of the likelihood of events in time, each of one of K Hawkes processes."""

def ifft(
    data: NDArray, compute_size: int = 128, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Inverse of ``fft`` but for a factor: the real part, which is not divided by the length of a row."""

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

def interleaved_matmul_encdec_qk(
    queries: NDArray,
    keys_values: NDArray,
    heads: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Products of one sequence's queries and another's keys, divided by the root of their size, for each head."""

def interleaved_matmul_encdec_valatt(
    keys_values: NDArray,
    attention: NDArray,
    heads: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Mixtures of another sequence's values, weighted by attention, for each head."""

def interleaved_matmul_selfatt_qk(
    queries_keys_values: NDArray, heads: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Products of queries and keys, divided by the root of their size, for each head."""

def interleaved_matmul_selfatt_valatt(
    queries_keys_values: NDArray,
    attention: NDArray,
    heads: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Mixtures of values, weighted by attention, for each head."""

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
