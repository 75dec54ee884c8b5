# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy

from .ndarray import NDArray
from .ndarray.numpy._array import ndarray
from .symbol import Symbol
from .symbol.numpy._symbol import _Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_DType: TypeAlias = str | type | numpy.dtype[Any]

__all__ = ["FunctionSpace", "NumpyTensor", "Tensor"]
Tensor: TypeAlias = NDArray | Symbol
NumpyTensor: TypeAlias = ndarray | _Symbol

class _Contrib(Protocol):
    """``F.contrib``, in either space."""

    def AdaptiveAvgPooling2D(self, data: Any, output_size: _Shape = (), *, name: str | None = None) -> Tensor:
        """Average over a fixed number of windows, whatever the size of the image."""

    def BatchNormWithReLU(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        moving_mean: Any,
        moving_var: Any,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        axis: int = 1,
        cudnn_off: bool = False,
        min_calib_range: float | None = None,
        max_calib_range: float | None = None,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """BatchNorm followed by relu; the parameters are those of BatchNorm."""

    def BilinearResize2D(
        self,
        data: Any,
        like: Any = None,
        height: int = 1,
        width: int = 1,
        scale_height: float | None = None,
        scale_width: float | None = None,
        mode: Literal["like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"] = "size",
        align_corners: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Resize images, with bilinear interpolation."""

    def CTCLoss(
        self,
        data: Any,
        label: Any,
        data_lengths: Any = None,
        label_lengths: Any = None,
        use_data_lengths: bool = False,
        use_label_lengths: bool = False,
        blank_label: Literal["first", "last"] = "first",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Connectionist temporal classification loss of sequences."""

    def DeformableConvolution(
        self,
        data: Any,
        offset: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Convolution whose windows read at places that are moved by offsets."""

    def DeformablePSROIPooling(
        self,
        data: Any,
        rois: Any,
        trans: Any = None,
        spatial_scale: float = ...,
        output_dim: int = ...,
        group_size: int = ...,
        pooled_size: int = ...,
        part_size: int = 0,
        sample_per_part: int = 1,
        trans_std: float = 0.0,
        no_trans: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide each region of interest into parts that are moved by offsets, and take the mean of points in each."""

    def ModulatedDeformableConvolution(
        self,
        data: Any,
        offset: Any,
        mask: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Convolution whose windows read at places that are moved by offsets, and weigh what they read by a mask."""

    def MultiBoxDetection(
        self,
        cls_prob: Any,
        loc_pred: Any,
        anchor: Any,
        clip: bool = True,
        threshold: float = 0.01,
        background_id: int = 0,
        nms_threshold: float = 0.5,
        force_suppress: bool = False,
        variances: _Floats = (0.1, 0.1, 0.2, 0.2),
        nms_topk: int = -1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Boxes that a net has found: the likeliest class of each anchor, moved anchors, without those that overlap."""

    def MultiBoxPrior(
        self,
        data: Any,
        sizes: _Floats = (1.0,),
        ratios: _Floats = (1.0,),
        clip: bool = False,
        steps: _Floats = (-1.0, -1.0),
        offsets: _Floats = (0.5, 0.5),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Anchor boxes of several sizes and shapes around each element of a map."""

    def MultiBoxTarget(
        self,
        anchor: Any,
        label: Any,
        cls_pred: Any,
        overlap_threshold: float = 0.5,
        ignore_label: float = -1.0,
        negative_mining_ratio: float = -1.0,
        negative_mining_thresh: float = 0.5,
        minimum_negative_samples: int = 0,
        variances: _Floats = (0.1, 0.1, 0.2, 0.2),
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """What each anchor has to learn: the offset to its box, and the class of it."""

    def MultiProposal(
        self,
        cls_prob: Any,
        bbox_pred: Any,
        im_info: Any,
        rpn_pre_nms_top_n: int = 6000,
        rpn_post_nms_top_n: int = 300,
        threshold: float = 0.7,
        rpn_min_size: int = 16,
        scales: _Floats = (4.0, 8.0, 16.0, 32.0),
        ratios: _Floats = (0.5, 1.0, 2.0),
        feature_stride: int = 16,
        output_score: bool = False,
        iou_loss: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Regions of several images that may hold an object."""

    def PSROIPooling(
        self,
        data: Any,
        rois: Any,
        spatial_scale: float,
        output_dim: int,
        pooled_size: int,
        group_size: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide each region of interest into parts, and take the mean of each, from channels of its own."""

    def Proposal(
        self,
        cls_prob: Any,
        bbox_pred: Any,
        im_info: Any,
        rpn_pre_nms_top_n: int = 6000,
        rpn_post_nms_top_n: int = 300,
        threshold: float = 0.7,
        rpn_min_size: int = 16,
        scales: _Floats = (4.0, 8.0, 16.0, 32.0),
        ratios: _Floats = (0.5, 1.0, 2.0),
        feature_stride: int = 16,
        output_score: bool = False,
        iou_loss: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Regions of an image that may hold an object."""

    def ROIAlign(
        self,
        data: Any,
        rois: Any,
        pooled_size: _Shape,
        spatial_scale: float,
        sample_ratio: int = -1,
        position_sensitive: bool = False,
        aligned: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide each region of interest into parts and take the mean of interpolated points in each."""

    def RROIAlign(
        self,
        data: Any,
        rois: Any,
        pooled_size: _Shape,
        spatial_scale: float,
        sampling_ratio: int = -1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide each turned region of interest into parts and take the mean of interpolated points in each."""

    def SparseEmbedding(
        self,
        data: Any,
        weight: Any,
        input_dim: int,
        output_dim: int,
        dtype: _DType = "float32",
        sparse_grad: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Rows of the weight, as ``Embedding`` gives them; its gradient is row-sparse."""

    def SyncBatchNorm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        moving_mean: Any,
        moving_var: Any,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        ndev: int = 1,
        key: str = ...,
        *,
        name: str | None = None,
    ) -> Any:
        """Batch normalisation with statistics shared by devices; on one device just BatchNorm."""

    def adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        rescale_grad: Any,
        lr: float,
        eta: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wd: float = 0,
        clip_gradient: float = -1,
        *,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make one step of Adam with decoupled weight decay."""

    def allclose(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-05,
        atol: float = 1e-08,
        equal_nan: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 if two arrays are equal up to ``atol + rtol * |b|``, else 0."""

    def arange_like(
        self,
        data: Any,
        start: float = 0.0,
        step: float = 1.0,
        repeat: int = 1,
        ctx: str = "",
        axis: int | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """As many numbers, in steps, as an array has elements, or as it has along one axis."""

    def bipartite_matching(
        self,
        data: Any,
        is_ascend: bool = False,
        threshold: float = ...,
        topk: int = -1,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Pair rows with columns, the best pair first."""

    def boolean_mask(self, data: Any, index: Any, axis: int = 0, *, name: str | None = None) -> Tensor:
        """Rows of ``data`` at which ``index`` is not zero."""

    def box_decode(
        self,
        data: Any,
        anchors: Any,
        std0: float = 1.0,
        std1: float = 1.0,
        std2: float = 1.0,
        std3: float = 1.0,
        clip: float = -1.0,
        format: Literal["corner", "center"] = "center",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Boxes, by corners, from anchors and offsets: what :func:`box_encode` did, undone."""

    def box_encode(
        self,
        samples: Any,
        matches: Any,
        anchors: Any,
        refs: Any,
        means: Any,
        stds: Any,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Offsets from anchors to the boxes that they are matched with, as a detector learns them."""

    def box_iou(
        self,
        lhs: Any,
        rhs: Any,
        format: Literal["corner", "center"] = "corner",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Intersection over union of each box of one array with each of another."""

    def box_nms(
        self,
        data: Any,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Non-maximum suppression: of boxes that overlap much, the one with the highest score stays."""

    def box_non_maximum_suppression(
        self,
        data: Any,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Non-maximum suppression: of boxes that overlap much, the one with the highest score stays."""

    def cond(self, pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
        """Call one of two functions."""

    def count_sketch(
        self,
        data: Any,
        h: Any,
        s: Any,
        out_dim: int,
        processing_batch_size: int = 32,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sketch each row: add each of its elements, with a sign, to a place of a shorter row."""

    def ctc_loss(
        self,
        data: Any,
        label: Any,
        data_lengths: Any = None,
        label_lengths: Any = None,
        use_data_lengths: bool = False,
        use_label_lengths: bool = False,
        blank_label: Literal["first", "last"] = "first",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Connectionist temporal classification loss of sequences."""

    def div_sqrt_dim(self, data: Any, *, name: str | None = None) -> Tensor:
        """Divide by the square root of the last axis' size, as attention scores are; integers by its whole part."""

    def fft(self, data: Any, compute_size: int = 128, *, name: str | None = None) -> Tensor:
        """Discrete Fourier transform of each row, as pairs of a real and an imaginary part."""

    def foreach(self, body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any) -> Any:
        """Run a function over the rows of arrays, handing on states from each call to the next."""

    def gradientmultiplier(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """The array itself; its gradient is multiplied by a number (-1 reverses it)."""

    def group_adagrad_update(
        self,
        weight: Any,
        grad: Any,
        history: Any,
        lr: float,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        epsilon: float = 1e-05,
        *,
        name: str | None = None,
    ) -> Tensor:
        """AdaGrad with one step size for each row of the weight (for embeddings)."""

    def hawkesll(
        self,
        lda: Any,
        alpha: Any,
        beta: Any,
        state: Any,
        lags: Any,
        marks: Any,
        valid_length: Any,
        max_time: Any,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Logarithm of the likelihood of events in time, each of one of K Hawkes processes."""

    def ifft(self, data: Any, compute_size: int = 128, *, name: str | None = None) -> Tensor:
        """Inverse of ``fft`` but for a factor: the real part, which is not divided by the length of a row."""

    def index_array(self, data: Any, axes: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Index of every element of ``data``, as int64, along a new last axis; or its part for some axes."""

    def index_copy(self, old_tensor: Any, index_vector: Any, new_tensor: Any, *, name: str | None = None) -> Tensor:
        """A copy of ``old_tensor`` whose rows at the indices are the rows of ``new_tensor``."""

    def interleaved_matmul_encdec_qk(
        self,
        queries: Any,
        keys_values: Any,
        heads: int,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Products of one sequence's queries and another's keys, divided by the root of their size, for each head."""

    def interleaved_matmul_encdec_valatt(
        self,
        keys_values: Any,
        attention: Any,
        heads: int,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Mixtures of another sequence's values, weighted by attention, for each head."""

    def interleaved_matmul_selfatt_qk(self, queries_keys_values: Any, heads: int, *, name: str | None = None) -> Tensor:
        """Products of queries and keys, divided by the root of their size, for each head."""

    def interleaved_matmul_selfatt_valatt(
        self,
        queries_keys_values: Any,
        attention: Any,
        heads: int,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Mixtures of values, weighted by attention, for each head."""

    def isfinite(self, data: Any, *, name: str | None = None) -> Tensor:
        """1 where x is a finite number, else 0."""

    def isinf(self, data: Any, *, name: str | None = None) -> Tensor:
        """1 where x is infinite, else 0."""

    def isnan(self, data: Any, *, name: str | None = None) -> Tensor:
        """1 where x is not a number, else 0."""

    def mp_adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        weight32: Any,
        rescale_grad: Any,
        lr: float,
        eta: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wd: float = 0,
        clip_gradient: float = -1,
        *,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make one step of :func:`adamw_update` for a weight in half precision."""

    def quadratic(
        self,
        data: Any,
        a: float = 0.0,
        b: float = 0.0,
        c: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Quadratic function, ``a x² + b x + c``."""

    def rand_zipfian(
        self, true_classes: Any, num_sampled: int, range_max: int
    ) -> tuple[NDArray, NDArray, NDArray] | tuple[Symbol, Symbol, Symbol]:
        """Draw classes by Zipf's law, for a sampled softmax over words that are ordered by how often they occur."""

    def round_ste(self, data: Any, *, name: str | None = None) -> Tensor:
        """``round`` with the straight-through estimator: the gradient passes as if nothing were rounded."""

    def sign_ste(self, data: Any, *, name: str | None = None) -> Tensor:
        """``sign`` with the straight-through estimator: the gradient passes unchanged."""

    def while_loop(
        self, cond: Callable[..., Any], func: Callable[..., Any], loop_vars: Any, max_iterations: int | None = None
    ) -> Any:
        """Run a function again and again while a condition holds."""

class _Image(Protocol):
    """``F.image``, in either space."""

    def adjust_lighting(self, data: Any, alpha: _Floats, *, name: str | None = None) -> Tensor:
        """Add ``alpha`` times the principal components of natural images' colours."""

    def crop(self, data: Any, x: int, y: int, width: int, height: int, *, name: str | None = None) -> Tensor:
        """Cut the rectangle with upper left corner (x, y) out of an image, or of each one of a batch."""

    def flip_left_right(self, data: Any, *, name: str | None = None) -> Tensor:
        """Mirror an image left to right."""

    def flip_top_bottom(self, data: Any, *, name: str | None = None) -> Tensor:
        """Turn an image upside down."""

    def normalize(self, data: Any, mean: _Floats = (0.0,), std: _Floats = (1.0,), *, name: str | None = None) -> Tensor:
        """Subtract a mean from each channel of tensors (C, H, W) or (N, C, H, W), and divide by ``std``."""

    def random_brightness(self, data: Any, min_factor: float, max_factor: float, *, name: str | None = None) -> Tensor:
        """Multiply all colours by a random factor from ``min_factor`` to ``max_factor``."""

    def random_color_jitter(
        self,
        data: Any,
        brightness: float,
        contrast: float,
        saturation: float,
        hue: float,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Change brightness, contrast, saturation and hue, in random order, by at most the given shares."""

    def random_contrast(self, data: Any, min_factor: float, max_factor: float, *, name: str | None = None) -> Tensor:
        """Scale the distances from the mean grey by a random factor from ``min_factor`` to ``max_factor``."""

    def random_flip_left_right(self, data: Any, *, name: str | None = None) -> Tensor:
        """Mirror an image left to right with probability 1/2."""

    def random_flip_top_bottom(self, data: Any, *, name: str | None = None) -> Tensor:
        """Turn an image upside down with probability 1/2."""

    def random_hue(self, data: Any, min_factor: float, max_factor: float, *, name: str | None = None) -> Tensor:
        """Turn all hues by a random part of the circle (1 is all of it, and changes nothing)."""

    def random_lighting(self, data: Any, alpha_std: float = 0.05, *, name: str | None = None) -> Tensor:
        """``adjust_lighting`` with normal random amounts of standard deviation ``alpha_std``."""

    def random_saturation(self, data: Any, min_factor: float, max_factor: float, *, name: str | None = None) -> Tensor:
        """Scale the distances from each pixel's own grey by a random factor from ``min_factor`` to ``max_factor``."""

    def resize(
        self,
        data: Any,
        size: _Shape = (),
        keep_ratio: bool = False,
        interp: int = 1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Resize an image, or each one of a batch."""

    def to_tensor(self, data: Any, *, name: str | None = None) -> Tensor:
        """Turn images (H, W, C) of pixels 0 ... 255 into float32 tensors (C, H, W) of values 0 ... 1."""

class _Internal(Protocol):
    """``F._internal``, in either space."""

    def _Div(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Quotient of two arrays, element by element; of integers without its fraction."""

    def _DivScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x / scalar``; of integers without its fraction."""

    def _Equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x equals the other, else 0."""

    def _EqualScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """1 where x equals the number, else 0."""

    def _Greater(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than the other, else 0."""

    def _GreaterEqualScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x is greater than or equal to the number, else 0."""

    def _GreaterScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """1 where x is greater than the number, else 0."""

    def _Greater_Equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than or equal to the other, else 0."""

    def _Hypot(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Hypotenuse ``√(a² + b²)`` of a right triangle."""

    def _HypotScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """Hypotenuse ``√(x² + scalar²)``."""

    def _Lesser(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than the other, else 0."""

    def _LesserEqualScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x is less than or equal to the number, else 0."""

    def _LesserScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """1 where x is less than the number, else 0."""

    def _Lesser_Equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than or equal to the other, else 0."""

    def _LogicalAndScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where both x and the number are nonzero, else 0."""

    def _LogicalOrScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x or the number is nonzero, else 0."""

    def _LogicalXorScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where exactly one of x and the number is nonzero, else 0."""

    def _Logical_And(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where both x and the other are nonzero, else 0."""

    def _Logical_Or(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x or the other is nonzero, else 0."""

    def _Logical_Xor(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where exactly one of x and the other is nonzero, else 0."""

    def _Maximum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The larger of two numbers, element by element."""

    def _MaximumScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """The larger of x and a number."""

    def _Minimum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The smaller of two numbers, element by element."""

    def _MinimumScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """The smaller of x and a number."""

    def _Minus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def _MinusScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x - scalar``."""

    def _Mod(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

    def _ModScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

    def _Mul(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Product of two arrays, element by element."""

    def _MulScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x * scalar``."""

    def _NoGradient(self, *, name: str | None = None) -> Tensor:
        """Placeholder for a gradient that is zero."""

    def _NotEqualScalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x differs from the number, else 0."""

    def _Not_Equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x differs from the other, else 0."""

    def _Plus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def _PlusScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x + scalar``."""

    def _Power(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The first array to the power of the second, element by element."""

    def _PowerScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x ** scalar``."""

    def _RDivScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar / x``; of integers without its fraction."""

    def _RMinusScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar - x``."""

    def _RModScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

    def _RNN_keeping(
        self,
        data: Any,
        parameters: Any,
        state: Any,
        state_cell: Any = None,
        sequence_length: Any = None,
        state_size: int = ...,
        num_layers: int = ...,
        bidirectional: bool = False,
        mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = ...,
        p: float = 0.0,
        state_outputs: bool = False,
        projection_size: int | None = None,
        use_sequence_length: bool = False,
        *,
        name: str | None = None,
    ) -> Any:
        """Compute ``RNN`` and keep its runs: behind its outputs, for each layer and direction, states and gates."""

    def _RPowerScalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar ** x``."""

    def _adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        rescale_grad: Any,
        lr: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wd: float = 0.0,
        eta: float = ...,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Adam with decoupled weight decay; skipped where ``rescale_grad`` is 0, infinite or NaN."""

    def _adaptive_avg_pooling_like(self, data: Any, like: Any, *, name: str | None = None) -> Tensor:
        """Adaptive average pooling to the size of another array."""

    def _add(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def _align_weights(self, weights: Any, a: Any, axis: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Repeat weights along one axis over all of ``a``."""

    def _along_axis(self, vector: Any, like: Any, axis: int = 1, *, name: str | None = None) -> Tensor:
        """Lay a vector along one axis of an array, with sizes of 1 elsewhere, ready to broadcast."""

    def _arange(
        self,
        start: float,
        stop: float | None = None,
        step: float = 1.0,
        repeat: int = 1,
        infer_range: bool = False,
        ctx: str = "",
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Numbers from ``start`` to ``stop`` (not included), each ``repeat`` times."""

    def _at_least_single(self, data: Any, *, name: str | None = None) -> Tensor:
        """Convert half precision to single; others stay as they are."""

    def _bias_batch_last(self, data: Any, vector: Any, *, name: str | None = None) -> Tensor:
        """Add one value per channel to ``(C, ..., N)``."""

    def _cast_like(self, data: Any, like: Any, *, name: str | None = None) -> Tensor:
        """Return an array in the dtype of another one."""

    def _cond(
        self,
        *data: Any,
        num_outputs: int,
        cond_input_locs: _Shape,
        then_input_locs: _Shape,
        else_input_locs: _Shape,
        subgraphs: Any = (),
        name: str | None = None,
    ) -> Any:
        """Run one of two graphs, as a third one says; made by ``sym.contrib.cond``."""

    def _constant(self, *nothing: Any, value: Any = None, name: str | None = None) -> Tensor:
        """Return a value that was computed at compile time."""

    def _contract(
        self,
        lhs: Any,
        rhs: Any,
        like: Any,
        lhs_axes: _Shape,
        rhs_axes: _Shape,
        *,
        name: str | None = None,
    ) -> Tensor:
        """A contraction in the shape of ``like``: what legacy and NumPy operators have in common."""

    def _convolution_batch_last(
        self,
        data: Any,
        matrix: Any,
        kernel: _Shape,
        stride: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Two-dimensional convolution of ``(C, H, W, N)``."""

    def _convolution_direct(
        self,
        data: Any,
        matrix: Any,
        kernel: _Shape,
        stride: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Two-dimensional convolution of ``(C, H, W, N)`` with weights ``(O, KH * C * KW)``."""

    def _copy(self, data: Any, *, name: str | None = None) -> Tensor:
        """Copy of an array."""

    def _copyto(self, data: Any, *, name: str | None = None) -> Tensor:
        """Copy of an array, to be written elsewhere."""

    def _crop_assign(
        self,
        lhs: Any,
        rhs: Any,
        begin: _Shape,
        end: _Shape,
        step: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

    def _crop_assign_scalar(
        self,
        data: Any,
        scalar: float = 0.0,
        begin: _Shape = ...,
        end: _Shape = ...,
        step: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

    def _cvcopyMakeBorder(
        self,
        src: Any,
        top: int,
        bot: int,
        left: int,
        right: int,
        type: int = 0,
        value: float = 0.0,
        values: _Floats = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Put a border around an image (H, W, C)."""

    def _cvimresize(self, src: Any, w: int, h: int, interp: int = 1, *, name: str | None = None) -> Tensor:
        """Resize an image to ``w`` times ``h`` pixels; what ``mx.image.imresize`` calls."""

    def _deformable_columns(
        self,
        data: Any,
        offset: Any,
        mask: Any = None,
        kernel: _Shape = ...,
        stride: _Shape = (),
        dilate: _Shape = (),
        pad: _Shape = (),
        num_deformable_group: int = 1,
        clamped: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Return what deformed windows read, as (batch, channels * elements of a window, height, width)."""

    def _dense_batch_last(self, data: Any, weight: Any, *, name: str | None = None) -> Tensor:
        """``weight · data`` for data whose last axis is the batch; the other axes are the features."""

    def _dense_vector(self, data: Any, weight: Any, *, name: str | None = None) -> Tensor:
        """``weight · data``."""

    def _digamma(self, data: Any, *, name: str | None = None) -> Tensor:
        """Derivative of ``gammaln``."""

    def _div(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Quotient of two arrays, element by element; of integers without its fraction."""

    def _div_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x / scalar``; of integers without its fraction."""

    def _equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x equals the other, else 0."""

    def _equal_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """1 where x equals the number, else 0."""

    def _eye(
        self,
        N: int,
        M: int = 0,
        k: int = 0,
        ctx: str = "",
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """A matrix with ones on the k-th diagonal; M columns, or as many as rows where M is not positive."""

    def _foreach(
        self,
        *data: Any,
        num_outputs: int,
        num_out_data: int,
        in_state_locs: _Shape,
        in_data_locs: _Shape,
        remain_locs: _Shape,
        subgraphs: Any = (),
        name: str | None = None,
    ) -> Any:
        """Run a graph over the rows of arrays, handing on states; made by ``sym.contrib.foreach``."""

    def _full(
        self,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType = "float32",
        value: float = ...,
        *,
        name: str | None = None,
    ) -> Tensor:
        """An array with ``value`` everywhere."""

    def _fused(self, *data: Any, body: Any = None, name: str | None = None) -> Any:
        """Evaluate a region of operators in one go."""

    def _gather_along(self, data: Any, indices: Any, axis: int | None = -1, *, name: str | None = None) -> Tensor:
        """Elements of ``data`` at indices along an axis, which differ from place to place."""

    def _grad_add(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two gradients of one array."""

    def _greater(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than the other, else 0."""

    def _greater_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than or equal to the other, else 0."""

    def _greater_equal_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x is greater than or equal to the number, else 0."""

    def _greater_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x is greater than the number, else 0."""

    def _histogram(
        self,
        data: Any,
        bins: Any = None,
        bin_cnt: int | None = None,
        range: _Floats | None = None,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """How many elements lie in each bin, and the edges of the bins."""

    def _hypot(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Hypotenuse ``√(a² + b²)`` of a right triangle."""

    def _hypot_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """Hypotenuse ``√(x² + scalar²)``."""

    def _identity_with_attr_like_rhs(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The first array; the second only lends its shape and dtype to what is not known yet."""

    def _lesser(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than the other, else 0."""

    def _lesser_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than or equal to the other, else 0."""

    def _lesser_equal_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x is less than or equal to the number, else 0."""

    def _lesser_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """1 where x is less than the number, else 0."""

    def _linspace(
        self,
        start: float,
        stop: float,
        num: int,
        endpoint: bool = True,
        ctx: str = "",
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """``num`` numbers from ``start`` to ``stop`` at equal distances."""

    def _logical_and(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where both x and the other are nonzero, else 0."""

    def _logical_and_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where both x and the number are nonzero, else 0."""

    def _logical_or(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x or the other is nonzero, else 0."""

    def _logical_or_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x or the number is nonzero, else 0."""

    def _logical_xor(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where exactly one of x and the other is nonzero, else 0."""

    def _logical_xor_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where exactly one of x and the number is nonzero, else 0."""

    def _matrix_apply(self, A: Any, b: Any, *, name: str | None = None) -> Tensor:
        """``A · b`` for a vector or a matrix ``b``, told apart as ``solve`` does."""

    def _matrix_outer(self, u: Any, v: Any, like: Any, *, name: str | None = None) -> Tensor:
        """``u · vᵀ`` for vectors or matrices, in the shape of a square matrix."""

    def _matrix_transpose(self, data: Any, *, name: str | None = None) -> Tensor:
        """Exchange the last two axes."""

    def _maximum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The larger of two numbers, element by element."""

    def _maximum_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """The larger of x and a number."""

    def _minimum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The smaller of two numbers, element by element."""

    def _minimum_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """The smaller of x and a number."""

    def _minus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def _minus_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x - scalar``."""

    def _mod(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

    def _mod_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

    def _mp_adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        weight32: Any,
        rescale_grad: Any,
        lr: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wd: float = 0.0,
        eta: float = ...,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``_adamw_update``, computing on a float32 master copy of the weight."""

    def _mul(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Product of two arrays, element by element."""

    def _mul_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x * scalar``."""

    def _multi_adamw_update(
        self,
        *data: Any,
        lrs: _Floats,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wds: _Floats,
        etas: _Floats,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``_adamw_update`` for several weights: weight, gradient and states of each in turn."""

    def _multi_lamb_update(
        self,
        *data: Any,
        learning_rates: _Floats,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-06,
        wds: _Floats,
        rescale_grad: float = 1.0,
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        clip_gradient: float = -1.0,
        bias_correction: bool = True,
        step_count: _Shape,
        num_tensors: int = 1,
        name: str | None = None,
    ) -> Any:
        """LAMB for several weights: ``lamb_update_phase1`` and ``lamb_update_phase2`` for each in turn."""

    def _multi_mp_adamw_update(
        self,
        *data: Any,
        lrs: _Floats,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wds: _Floats,
        etas: _Floats,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``_mp_adamw_update`` for several weights: weight, gradient and states of each in turn."""

    def _multi_mp_lamb_update(
        self,
        *data: Any,
        learning_rates: _Floats,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-06,
        wds: _Floats,
        rescale_grad: float = 1.0,
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        clip_gradient: float = -1.0,
        bias_correction: bool = True,
        step_count: _Shape,
        num_tensors: int = 1,
        name: str | None = None,
    ) -> Any:
        """LAMB for several weights: ``mp_lamb_update_phase1`` and ``mp_lamb_update_phase2`` for each in turn."""

    def _not_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x differs from the other, else 0."""

    def _not_equal_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """1 where x differs from the number, else 0."""

    def _of_floats(self, dy: Any, like: Any, *, name: str | None = None) -> Tensor:
        """Return a gradient, which is zero with respect to integers."""

    def _one_hot_like(self, data: Any, label: Any, *, name: str | None = None) -> Tensor:
        """Row ``i`` is 1 at column ``label[i]``, else 0; in the shape and dtype of ``data``."""

    def _onehot_encode(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """One-hot rows for the indices ``lhs`` in the shape of ``rhs``; ``one_hot`` is its successor."""

    def _ones(self, shape: _Shape = (), ctx: str = "", dtype: _DType = "float32", *, name: str | None = None) -> Tensor:
        """An array of ones."""

    def _plus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def _plus_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x + scalar``."""

    def _polynomial_derivative(self, p: Any, *, name: str | None = None) -> Tensor:
        """Coefficients of the derivative of a polynomial; those of a constant are a single zero."""

    def _pooling_at_maxima(
        self,
        values: Any,
        data: Any,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Take the values that stand where each window of the data has its (first) maximum."""

    def _pooling_batch_last(
        self,
        data: Any,
        kernel: _Shape = (),
        pool_type: str = "max",
        stride: _Shape = (),
        pad: _Shape = (),
        full: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Maximum, average or sum over windows of ``(C, H, W, N)``; averages count the padding."""

    def _pooling_v1_at_maxima(
        self,
        values: Any,
        data: Any,
        kernel: _Shape = (),
        pool_type: Literal["avg", "max", "sum"] = "max",
        global_pool: bool = False,
        pooling_convention: Literal["full", "valid"] = "valid",
        stride: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Pool values as Pooling_v1 pools the data: of maxima, add what stands where the data have them."""

    def _power(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The first array to the power of the second, element by element."""

    def _power_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``x ** scalar``."""

    def _power_sums(self, grad: Any, x: Any, p: Any, *, name: str | None = None) -> Tensor:
        """Sums of ``grad`` times the powers of ``x``: the gradient of a polynomial's coefficients ``p``."""

    def _random_exponential(
        self,
        lam: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw exponentially distributed numbers with the rate ``lam``."""

    def _random_gamma(
        self,
        alpha: float = 1.0,
        beta: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

    def _random_generalized_negative_binomial(
        self,
        mu: float = 1.0,
        alpha: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

    def _random_negative_binomial(
        self,
        k: int = 1,
        p: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw the number of failures before the k-th success, where a success has probability p."""

    def _random_normal(
        self,
        loc: float = 0.0,
        scale: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw normally distributed numbers."""

    def _random_pdf_dirichlet(
        self,
        sample: Any,
        alpha: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

    def _random_pdf_exponential(
        self,
        sample: Any,
        lam: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

    def _random_pdf_gamma(
        self,
        sample: Any,
        alpha: Any,
        beta: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

    def _random_pdf_generalized_negative_binomial(
        self,
        sample: Any,
        mu: Any,
        alpha: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

    def _random_pdf_negative_binomial(
        self,
        sample: Any,
        k: Any,
        p: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

    def _random_pdf_normal(
        self,
        sample: Any,
        mu: Any,
        sigma: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

    def _random_pdf_poisson(self, sample: Any, lam: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

    def _random_pdf_uniform(
        self,
        sample: Any,
        low: Any,
        high: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

    def _random_poisson(
        self,
        lam: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw Poisson distributed numbers."""

    def _random_randint(
        self,
        low: int,
        high: int,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

    def _random_uniform(
        self,
        low: float = 0.0,
        high: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def _ravel_multi_index(self, data: Any, shape: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Number of the element at an index: the columns of ``data`` are indices into ``shape``."""

    def _rdiv_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar / x``; of integers without its fraction."""

    def _reduce_like(self, data: Any, like: Any, *, name: str | None = None) -> Tensor:
        """Sum a broadcast result back to the shape of one operand: broadcasting's adjoint."""

    def _resize_like(self, a: Any, shape_like: Any, *, name: str | None = None) -> Tensor:
        """As many elements as another array has, in its shape."""

    def _rminus_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar - x``."""

    def _rmod_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

    def _rnn_param_concat(self, *data: Any, dim: int = 1, name: str | None = None) -> Tensor:
        """Join arrays along an axis: how a recurrent layer makes its vector of parameters."""

    def _rpower_scalar(self, data: Any, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None) -> Tensor:
        """``scalar ** x``."""

    def _sample_exponential(
        self,
        lam: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw exponentially distributed numbers with the rate ``lam``."""

    def _sample_gamma(
        self,
        alpha: Any,
        beta: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

    def _sample_generalized_negative_binomial(
        self,
        mu: Any,
        alpha: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

    def _sample_multinomial(
        self,
        data: Any,
        shape: _Shape = (),
        get_prob: bool = False,
        dtype: _DType = "int32",
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Draw category numbers with the probabilities in the last axis."""

    def _sample_negative_binomial(
        self,
        k: Any,
        p: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw the number of failures before the k-th success, where a success has probability p."""

    def _sample_normal(
        self,
        mu: Any,
        sigma: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw normally distributed numbers."""

    def _sample_poisson(
        self,
        lam: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw Poisson distributed numbers."""

    def _sample_uniform(
        self,
        low: Any,
        high: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def _sample_unique_zipfian(
        self,
        range_max: int,
        shape: _Shape | None = None,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Draw different numbers below ``range_max`` from a log-uniform distribution, row by row."""

    def _scatter_elemwise_div(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Quotient of two arrays, element by element (for sparse arrays in MXNet)."""

    def _scatter_minus_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``x - scalar`` (for sparse arrays in MXNet)."""

    def _scatter_plus_scalar(
        self,
        data: Any,
        scalar: float = 1.0,
        is_int: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``x + scalar`` (for sparse arrays in MXNet)."""

    def _scatter_set_nd(self, lhs: Any, rhs: Any, indices: Any, shape: _Shape, *, name: str | None = None) -> Tensor:
        """A copy of ``lhs`` with ``rhs`` put at ``[indices[0], indices[1], ...]``."""

    def _shuffle(self, data: Any, *, name: str | None = None) -> Tensor:
        """Put the elements of the first axis into random order."""

    def _slice_assign(
        self,
        lhs: Any,
        rhs: Any,
        begin: _Shape,
        end: _Shape,
        step: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

    def _slice_assign_scalar(
        self,
        data: Any,
        scalar: float = 0.0,
        begin: _Shape = ...,
        end: _Shape = ...,
        step: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

    def _split_v2(
        self,
        data: Any,
        indices: _Shape,
        axis: int = 1,
        squeeze_axis: bool = False,
        sections: int = 0,
        *,
        name: str | None = None,
    ) -> Any:
        """Cut an array at given positions, or into nearly equal pieces."""

    def _square_sum(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum of the squares over the given axes."""

    def _stretch_or_sum(self, data: Any, like: Any, *, name: str | None = None) -> Tensor:
        """Repeat axes of size 1, and sum axes where the other array has size 1: where a letter has both sizes."""

    def _sub(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def _sum_to_reduced(
        self,
        data: Any,
        reduced: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum to the shape of a reduced array: the adjoint of spreading one."""

    def _sum_to_weights(self, a: Any, weights: Any, axis: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Sum ``a`` to the shape of the weights along one axis: the adjoint of ``_align_weights``."""

    def _triangular_part(self, data: Any, lower: bool = True, offset: int = 0, *, name: str | None = None) -> Tensor:
        """Keep one triangle of each matrix, up to the diagonal ``offset``; zeros elsewhere."""

    def _trigamma(self, data: Any, *, name: str | None = None) -> Tensor:
        """Second derivative of ``gammaln``."""

    def _unravel_index(self, data: Any, shape: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Index into ``shape`` of the element with a number, along a new first axis."""

    def _while_loop(
        self,
        *data: Any,
        num_outputs: int,
        num_out_data: int,
        max_iterations: int,
        cond_input_locs: _Shape,
        func_input_locs: _Shape,
        func_var_locs: _Shape,
        subgraphs: Any = (),
        name: str | None = None,
    ) -> Any:
        """Run a graph while another one says so; made by ``sym.contrib.while_loop``."""

    def _written(self, value: Any, variable: Any, *, name: str | None = None) -> Tensor:
        """What a variable holds since an operator has written it; the gradient is the variable's."""

    def _zeros(
        self,
        shape: _Shape = (),
        ctx: str = "",
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """An array of zeros."""

    def _zeros_without_dtype(
        self,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: int = -1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """An array of zeros, float32 unless ``dtype`` is another of MXNet's type flags."""

class _Linalg(Protocol):
    """``F.linalg``, in either space."""

    def det(self, A: Any, *, name: str | None = None) -> Tensor:
        """Determinant of each matrix."""

    def extractdiag(self, A: Any, offset: int = 0, *, name: str | None = None) -> Tensor:
        """The diagonal of each matrix, ``offset`` steps above the main one, as a vector."""

    def extracttrian(self, A: Any, offset: int = 0, lower: bool = True, *, name: str | None = None) -> Tensor:
        """One triangle of each matrix as a vector: the lower one row by row, the upper one column by column."""

    def gelqf(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""

    def gemm(
        self,
        A: Any,
        B: Any,
        C: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        beta: float = 1.0,
        axis: int = -2,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Matrix product and sum ``alpha · op(A) · op(B) + beta · C``."""

    def gemm2(
        self,
        A: Any,
        B: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        axis: int = -2,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Matrix product ``alpha · op(A) · op(B)``, where ``op`` may transpose."""

    def inverse(self, A: Any, *, name: str | None = None) -> Tensor:
        """Inverse of each matrix."""

    def makediag(self, A: Any, offset: int = 0, *, name: str | None = None) -> Tensor:
        """Square matrices with vectors on a diagonal, zeros elsewhere."""

    def maketrian(self, A: Any, offset: int = 0, lower: bool = True, *, name: str | None = None) -> Tensor:
        """Square matrices with vectors as one triangle, zeros elsewhere: what ``extracttrian`` undoes."""

    def potrf(self, A: Any, *, name: str | None = None, lower: bool = True) -> Tensor:
        """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper one, which is ``Lᵀ``."""

    def potri(self, A: Any, *, name: str | None = None, lower: bool = True) -> Tensor:
        """Inverse of ``A · Aᵀ`` for a lower triangular ``A``: what a Cholesky factor is wanted for."""

    def slogdet(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Sign of the determinant, and the logarithm of its modulus."""

    def sumlogdiag(self, A: Any, *, name: str | None = None) -> Tensor:
        """Sum of the logarithms of the diagonal: half the log-determinant, from a Cholesky factor."""

    def syevd(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix: ``A = Uᵀ · diag(L) · U``."""

    def syrk(self, A: Any, transpose: bool = False, alpha: float = 1.0, *, name: str | None = None) -> Tensor:
        """Product of a matrix and its own transpose: ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A``."""

    def trmm(
        self,
        A: Any,
        B: Any,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Product with a triangular matrix: ``alpha · op(A) · B``, on the right side ``alpha · B · op(A)``."""

    def trsm(
        self,
        A: Any,
        B: Any,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Solve with a triangular matrix: ``alpha · op(A)⁻¹ · B``, on the right ``alpha · B · op(A)⁻¹``."""

class _Random(Protocol):
    """``F.random``, in either space."""

    def exponential(
        self,
        scale: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw from the exponential distribution with mean ``scale``."""

    def exponential_like(self, data: Any, lam: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw exponentially distributed numbers with the rate ``lam``."""

    def gamma(
        self,
        alpha: Any = 1,
        beta: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw from the gamma distribution with shape ``alpha`` and scale ``beta``."""

    def gamma_like(self, data: Any, alpha: float = 1.0, beta: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

    def generalized_negative_binomial(
        self,
        mu: Any = 1,
        alpha: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw from the negative binomial distribution with mean ``mu`` and dispersion ``alpha``."""

    def generalized_negative_binomial_like(
        self,
        data: Any,
        mu: float = 1.0,
        alpha: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

    def multinomial(
        self,
        data: Any,
        shape: Any = ...,
        get_prob: Any = ...,
        *,
        dtype: Any = "int32",
        **kwargs: Any,
    ) -> Any:
        """Draw category numbers with the probabilities in the last axis of ``data``."""

    def negative_binomial(
        self,
        k: Any = 1,
        p: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw the number of failures before ``k`` successes of probability ``p``."""

    def negative_binomial_like(self, data: Any, k: int = 1, p: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw the number of failures before the k-th success, where a success has probability p."""

    def normal(
        self,
        loc: Any = 0,
        scale: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""

    def normal_like(self, data: Any, loc: float = 0.0, scale: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw normally distributed numbers."""

    def pdf_dirichlet(self, sample: Any, alpha: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

    def pdf_exponential(self, sample: Any, lam: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

    def pdf_gamma(self, sample: Any, alpha: Any, beta: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

    def pdf_generalized_negative_binomial(
        self,
        sample: Any,
        mu: Any,
        alpha: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

    def pdf_negative_binomial(
        self,
        sample: Any,
        k: Any,
        p: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

    def pdf_normal(self, sample: Any, mu: Any, sigma: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

    def pdf_poisson(self, sample: Any, lam: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

    def pdf_uniform(self, sample: Any, low: Any, high: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

    def poisson(self, lam: Any = 1, shape: Any = ..., dtype: Any = ..., *, ctx: Any = None, **kwargs: Any) -> Tensor:
        """Draw from the Poisson distribution with mean ``lam``."""

    def poisson_like(self, data: Any, lam: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw Poisson distributed numbers."""

    def randint(
        self,
        low: Any,
        high: Any,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw integers from ``low`` (inclusive) to ``high`` (exclusive)."""

    def randn(self, *shape: Any, **kwargs: Any) -> Tensor:
        """Draw from the normal distribution, the shape given as separate numbers."""

    def shuffle(self, data: Any, **kwargs: Any) -> Tensor:
        """Return the rows in random order."""

    def uniform(
        self,
        low: Any = 0,
        high: Any = 1,
        shape: Any = ...,
        dtype: Any = ...,
        *,
        ctx: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        """Draw from the uniform distribution on ``[low, high)``."""

    def uniform_like(self, data: Any, low: float = 0.0, high: float = 1.0, *, name: str | None = None) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def unique_zipfian(
        self,
        range_max: int,
        shape: _Shape | None = None,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Draw different numbers below ``range_max`` from a log-uniform distribution, row by row."""

class _NumpyLinalg(Protocol):
    """``F.np.linalg``, in either space."""

    def cholesky(self, a: Any) -> NumpyTensor:
        """Return the lower triangular L with ``a = L @ L.T``."""

    def det(self, a: Any) -> NumpyTensor:
        """Return the determinant."""

    def eig(self, a: Any) -> tuple[ndarray, ...] | list[ndarray] | tuple[_Symbol, ...] | list[_Symbol]:
        """Return the eigenvalues and the eigenvectors (as columns); real ones only."""

    def eigh(
        self, a: Any, UPLO: str = "L"
    ) -> tuple[ndarray, ...] | list[ndarray] | tuple[_Symbol, ...] | list[_Symbol]:
        """Return eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""

    def eigvals(self, a: Any) -> NumpyTensor:
        """Return the eigenvalues; real ones only."""

    def eigvalsh(self, a: Any, UPLO: str = "L") -> NumpyTensor:
        """Return the eigenvalues of a symmetric matrix, of which one triangle is read."""

    def inv(self, a: Any) -> NumpyTensor:
        """Return the inverse matrix."""

    def norm(self, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> NumpyTensor:
        """Return the norm of vectors or matrices."""

    def pinv(self, a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> NumpyTensor:
        """Return the pseudo-inverse; singular values below ``rcond`` times the largest count as zero."""

    def slogdet(self, a: Any) -> tuple[ndarray, ...] | list[ndarray] | tuple[_Symbol, ...] | list[_Symbol]:
        """Return the sign of the determinant and the logarithm of its absolute value."""

    def solve(self, a: Any, b: Any) -> NumpyTensor:
        """Return x with ``a @ x = b``."""

    def svd(self, a: Any) -> tuple[ndarray, ...] | list[ndarray] | tuple[_Symbol, ...] | list[_Symbol]:
        """Return (ut, singular values, v) with ``a = ut @ diag(s) @ v``."""

    def tensorinv(self, a: Any, ind: int = 2) -> NumpyTensor:
        """Return the inverse of an array under tensordot over its first ``ind`` axes."""

    def tensorsolve(self, a: Any, b: Any, axes: Any = None) -> NumpyTensor:
        """Return x with ``tensordot(a, x, x.ndim) = b``."""

class _NumpyRandom(Protocol):
    """``F.np.random``, in either space."""

    def beta(self, a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the beta distribution: ``X / (X + Y)`` for gamma distributed X and Y."""

    def chisquare(self, df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the chi-square distribution, that of the sum of ``df`` squares of normal numbers."""

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw elements of an array, or of the numbers 0 to ``a - 1``."""

    def exponential(self, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the exponential distribution with mean ``scale``."""

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the gamma distribution."""

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from Gumbel's distribution, that of the greatest of many."""

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the logistic distribution."""

    def lognormal(
        self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw numbers whose logarithms are normally distributed."""

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None
    ) -> NumpyTensor:
        """Draw vectors from a normal distribution with a covariance matrix."""

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""

    def pareto(self, a: Any, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from the Pareto II (Lomax) distribution."""

    def power(self, a: Any, size: Any = None) -> NumpyTensor:
        """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""

    def rand(self, *size: Any, **kwargs: Any) -> NumpyTensor:
        """Draw from the uniform distribution on ``[0, 1)``; the arguments are the sizes of the axes."""

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw integers from ``low`` to before ``high`` (from 0 to before ``low``, if there is one argument)."""

    def rayleigh(self, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from Rayleigh's distribution, that of the length of a normal vector in the plane."""

    def shuffle(self, x: Any) -> None | None:
        """Put the parts of an array along its first axis in random order, in place."""

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw from the uniform distribution on ``[low, high)``."""

    def weibull(self, a: Any, size: Any = None, ctx: Any = None) -> NumpyTensor:
        """Draw from Weibull's distribution."""

class _Numpy(Protocol):
    """``F.np``, in either space."""

    @property
    def linalg(self) -> _NumpyLinalg:
        """``F.np.linalg``."""

    @property
    def random(self) -> _NumpyRandom:
        """``F.np.random``."""

    def abs(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Absolute values."""

    def absolute(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Absolute values."""

    def add(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 + x2``."""

    def all(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Whether all elements over the given axes are not zero."""

    def amax(
        self,
        a: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Greatest element over the given axes."""

    def amin(
        self,
        a: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Smallest element over the given axes."""

    def any(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Whether any element over the given axes is not zero."""

    def append(self, arr: Any, values: Any, axis: int | None = None) -> NumpyTensor:
        """Return two arrays joined along an axis, flat ones by default."""

    def arange(self, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Return evenly spaced numbers from ``start`` (0 if there is one argument) to before ``stop``, float32."""

    def arccos(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse cosine."""

    def arccosh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse hyperbolic cosine."""

    def arcsin(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse sine."""

    def arcsinh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse hyperbolic sine."""

    def arctan(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse tangent."""

    def arctan2(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The angle of the point (x2, x1)."""

    def arctanh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Inverse hyperbolic tangent."""

    def argmax(self, a: Any, axis: int | None = None) -> NumpyTensor:
        """Return the position of the largest element along an axis, as int64."""

    def argmin(self, a: Any, axis: int | None = None) -> NumpyTensor:
        """Return the position of the smallest element along an axis, as int64."""

    def argsort(self, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> NumpyTensor:
        """Return the positions that would sort an array, as int64; ``kind`` is accepted and ignored."""

    def around(self, x: Any, decimals: int = 0, **kwargs: Any) -> NumpyTensor:
        """Return the elements rounded to a number of decimals."""

    def array_split(self, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray] | list[_Symbol]:
        """Return pieces whose sizes differ by at most one, or the pieces between indices."""

    def atleast_1d(self, *arys: Any, name: str | None = None) -> Any:
        """Give each array at least one axis."""

    def atleast_2d(self, *arys: Any, name: str | None = None) -> Any:
        """Give each array at least two axes."""

    def atleast_3d(self, *arys: Any, name: str | None = None) -> Any:
        """Give each array at least three axes."""

    def average(self, a: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
        """Return the weighted mean along axes, and the sum of the weights if ``returned``."""

    def bincount(self, x: Any, weights: Any = None, minlength: int = 0) -> NumpyTensor:
        """Return how often each of the numbers 0, 1, 2 ... occurs, or the sums of their weights."""

    def bitwise_and(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The bits that both have."""

    def bitwise_not(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """All bits inverted."""

    def bitwise_or(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The bits that one or both have."""

    def bitwise_xor(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The bits that exactly one has."""

    def blackman(self, M: int, dtype: Any = "float32", ctx: Any = None) -> NumpyTensor:
        """Return the Blackman window."""

    def broadcast_to(self, array: Any, shape: Any) -> NumpyTensor:
        """Return the array repeated along axes of size 1 and new axes in front."""

    def cbrt(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Cube root."""

    def ceil(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """The smallest integer not less than each element."""

    def clip(self, a: Any, a_min: Any, a_max: Any) -> NumpyTensor:
        """Return the elements, those outside of an interval replaced by its ends."""

    def column_stack(self, tup: Any) -> NumpyTensor:
        """Return vectors as the columns of a matrix."""

    def concatenate(self, seq: Any, axis: int | None = 0) -> NumpyTensor:
        """Return arrays joined along an axis; flat ones for axis None."""

    def copy(self, a: Any, *, name: str | None = None) -> NumpyTensor:
        """Copy an array."""

    def copysign(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1`` with the sign of ``x2``."""

    def cos(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Cosine."""

    def cosh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Hyperbolic cosine."""

    def cumsum(
        self,
        a: Any,
        axis: int | None = None,
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Running sum along an axis, or over the flattened array."""

    def deg2rad(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Degrees as radians."""

    def degrees(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Radians as degrees."""

    def delete(self, arr: Any, obj: Any, axis: int | None = None) -> NumpyTensor:
        """Return the array without the parts at positions: an int, a slice or an array."""

    def diag(self, data: Any, k: int = 0, *, name: str | None = None) -> NumpyTensor:
        """Make a matrix of a vector, or take the k-th diagonal of a matrix."""

    def diag_indices_from(self, arr: Any) -> tuple[ndarray, ...] | tuple[_Symbol, ...]:
        """Return the positions of the main diagonal of an array with equal axes."""

    def diagflat(self, data: Any, k: int = 0, *, name: str | None = None) -> NumpyTensor:
        """Make a matrix whose k-th diagonal holds all elements of an array."""

    def diagonal(
        self,
        data: Any,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Take a diagonal along two axes; it becomes the last axis."""

    def diff(self, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> NumpyTensor:
        """Return the n-th differences of neighbours along an axis."""

    def divide(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 / x2``; of integers, too, a float."""

    def dot(self, a: Any, b: Any, *, name: str | None = None) -> NumpyTensor:
        """Sum over the last axis of ``a`` and the last but one of ``b``; a scalar multiplies."""

    def dsplit(self, ary: Any, indices_or_sections: Any) -> list[ndarray] | list[_Symbol]:
        """Return the pieces along the third axis."""

    def dstack(self, arrays: Any) -> NumpyTensor:
        """Return arrays behind each other, along the third axis."""

    def ediff1d(self, ary: Any, to_end: Any = None, to_begin: Any = None) -> NumpyTensor:
        """Return the differences of neighbours in the flat array, with values before and after them."""

    def einsum(self, *operands: Any, **kwargs: Any) -> NumpyTensor:
        """Return sums of products by Einstein's convention: ``np.einsum("ij,jk->ik", a, b)``."""

    def empty_like(
        self, prototype: Any, dtype: Any = None, order: str = "C", subok: bool = False, shape: Any = None
    ) -> NumpyTensor:
        """Return an array in the shape of another, whose values mean nothing (they are zeros)."""

    def equal(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 == x2``."""

    def exp(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """The exponential function."""

    def expand_dims(self, a: Any, axis: int) -> NumpyTensor:
        """Return the array with a further axis of size 1."""

    def expm1(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """``exp(x) - 1``, exact near 0."""

    def eye(self, N: int, M: int | None = None, k: int = 0, dtype: Any = "float32", **kwargs: Any) -> NumpyTensor:
        """Return a matrix with ones on a diagonal, zeros elsewhere."""

    def fabs(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Absolute values."""

    def fix(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Rounded towards zero."""

    def flip(self, m: Any, axis: Any = None) -> NumpyTensor:
        """Return the elements in reverse order along axes, all by default."""

    def fliplr(self, m: Any) -> NumpyTensor:
        """Return the columns in reverse order."""

    def flipud(self, m: Any) -> NumpyTensor:
        """Return the rows in reverse order."""

    def floor(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """The greatest integer not greater than each element."""

    def full(self, shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return an array of one value (or of the values of an array, broadcast), float32 by default."""

    def full_like(self, a: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return an array of one value in the shape, and by default of the dtype, of another."""

    def greater(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 > x2``."""

    def greater_equal(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 >= x2``."""

    def hamming(self, M: int, dtype: Any = "float32", ctx: Any = None) -> NumpyTensor:
        """Return the Hamming window."""

    def hanning(self, M: int, dtype: Any = "float32", ctx: Any = None) -> NumpyTensor:
        """Return the Hann window."""

    def histogram(
        self, a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
    ) -> list[ndarray] | list[_Symbol]:
        """Return [counts, bin edges]; a number of bins needs ``range``."""

    def hsplit(self, ary: Any, indices_or_sections: Any) -> list[ndarray] | list[_Symbol]:
        """Return the pieces between columns (of a vector: between elements); their sizes may differ by one."""

    def hstack(self, arrays: Any) -> NumpyTensor:
        """Return arrays side by side."""

    def hypot(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``sqrt(x1**2 + x2**2)``."""

    def identity(self, n: int, dtype: Any = None, ctx: Any = None) -> NumpyTensor:
        """Return a square matrix with ones on the main diagonal."""

    def indices(self, dimensions: Any, dtype: Any = "int32", ctx: Any = None) -> NumpyTensor:
        """Return the indices of a grid: element i of the result holds each place's i-th index."""

    def inner(self, a: Any, b: Any) -> NumpyTensor:
        """Return the sums of products over the last axes."""

    def insert(self, arr: Any, obj: Any, values: Any, axis: int | None = None) -> NumpyTensor:
        """Return the array with values put in before positions: an int, a slice or an array."""

    def invert(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """All bits inverted."""

    def isfinite(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is neither infinite nor NaN."""

    def isinf(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is infinite."""

    def isnan(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is NaN."""

    def isneginf(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is negative infinity."""

    def isposinf(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is positive infinity."""

    def lcm(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The least common multiple."""

    def ldexp(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 * 2**x2``."""

    def less(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 < x2``."""

    def less_equal(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 <= x2``."""

    def linspace(
        self,
        start: Any,
        stop: Any,
        num: int = 50,
        endpoint: bool = True,
        retstep: bool = False,
        dtype: Any = None,
        axis: int = 0,
        ctx: Any = None,
    ) -> NumpyTensor:
        """Return ``num`` evenly spaced numbers from start to stop, and their distance if ``retstep``."""

    def log(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Natural logarithm."""

    def log10(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Logarithm to base 10."""

    def log1p(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """``log(1 + x)``, exact near 0."""

    def log2(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Logarithm to base 2."""

    def logical_not(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Whether each element is zero."""

    def logspace(
        self,
        start: Any,
        stop: Any,
        num: int = 50,
        endpoint: bool = True,
        base: float = 10.0,
        dtype: Any = None,
        axis: int = 0,
        ctx: Any = None,
    ) -> NumpyTensor:
        """Return powers of a base whose exponents are evenly spaced from start to stop."""

    def matmul(self, a: Any, b: Any, **kwargs: Any) -> NumpyTensor:
        """Return the matrix product of the last two axes; axes before them are broadcast."""

    def max(
        self,
        a: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Greatest element over the given axes."""

    def maximum(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The larger of two values."""

    def may_share_memory(self, a: Any, b: Any, max_work: Any = None) -> bool | bool:
        """Return whether two arrays share memory."""

    def mean(self, a: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> NumpyTensor:
        """Return the mean along axes; float32 for integers."""

    def min(
        self,
        a: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Smallest element over the given axes."""

    def minimum(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The smaller of two values."""

    def mod(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The remainder, with the sign of the divisor."""

    def moveaxis(self, a: Any, source: _Shape, destination: _Shape, *, name: str | None = None) -> NumpyTensor:
        """Move axes to new places; the others keep their order."""

    def multiply(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 * x2``."""

    def nan_to_num(
        self,
        x: Any,
        copy: bool = True,
        nan: float = 0.0,
        posinf: Any = None,
        neginf: Any = None,
        **kwargs: Any,
    ) -> NumpyTensor:
        """Return the elements with numbers in the places of NaN and infinities."""

    def negative(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """``-x``."""

    def not_equal(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 != x2``."""

    def ones(self, shape: Any, dtype: Any = "float32", order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return ones, float32 by default."""

    def ones_like(self, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return ones in the shape, and by default of the dtype, of another array."""

    def outer(self, a: Any, b: Any) -> NumpyTensor:
        """Return all products of an element of ``a`` and an element of ``b``."""

    def pad(self, x: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> NumpyTensor:
        """Return the array with elements around it."""

    def percentile(
        self,
        a: Any,
        q: Any,
        axis: Any = None,
        *,
        overwrite_input: Any = None,
        interpolation: str = "linear",
        keepdims: bool = False,
    ) -> NumpyTensor:
        """Return percentiles along axes."""

    def polyval(self, p: Any, x: Any) -> NumpyTensor:
        """Return a polynomial's values; the first coefficient is that of the highest power."""

    def power(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 ** x2``."""

    def prod(
        self,
        a: Any,
        axis: _Shape | None = None,
        dtype: _DType | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Product of the elements over the given axes."""

    def product(
        self,
        a: Any,
        axis: _Shape | None = None,
        dtype: _DType | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Product of the elements over the given axes."""

    def quantile(
        self,
        a: Any,
        q: Any,
        axis: Any = None,
        *,
        overwrite_input: Any = None,
        interpolation: str = "linear",
        keepdims: bool = False,
    ) -> NumpyTensor:
        """Return quantiles along axes: percentiles with ``q`` from 0 to 1."""

    def rad2deg(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Radians as degrees."""

    def radians(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Degrees as radians."""

    def ravel(self, x: Any, order: str = "C") -> NumpyTensor:
        """Return the elements as one row."""

    def reciprocal(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """``1 / x``."""

    def remainder(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """The remainder, with the sign of the divisor."""

    def repeat(self, data: Any, repeats: int, axis: int | None = None, *, name: str | None = None) -> NumpyTensor:
        """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

    def reshape(self, a: Any, newshape: _Shape, order: str = "C", *, name: str | None = None) -> NumpyTensor:
        """Give an array a new shape; one size may be -1 and is inferred."""

    def resize(self, a: Any, new_shape: Any) -> NumpyTensor:
        """Return an array of a shape, filled with the elements again and again."""

    def rint(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Rounded to the nearest integer."""

    def roll(
        self,
        data: Any,
        shift: _Shape | None = None,
        axis: _Shape | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Shift elements along axes; what leaves at one end comes in at the other."""

    def rot90(self, m: Any, k: int = 1, axes: Any = (0, 1)) -> NumpyTensor:
        """Return the array turned by ``k`` right angles in the plane of two axes."""

    def round(self, x: Any, decimals: int = 0, **kwargs: Any) -> NumpyTensor:
        """Return the elements rounded to a number of decimals."""

    def round_(self, x: Any, decimals: int = 0, **kwargs: Any) -> NumpyTensor:
        """Return the elements rounded to a number of decimals."""

    def row_stack(self, arrays: Any) -> NumpyTensor:
        """Return arrays on top of each other."""

    def shares_memory(self, a: Any, b: Any, max_work: Any = None) -> bool | bool:
        """Return whether two arrays share memory."""

    def sign(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """-1, 0 or 1."""

    def sin(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Sine."""

    def sinh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Hyperbolic sine."""

    def sometrue(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Whether any element over the given axes is not zero."""

    def sort(self, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> NumpyTensor:
        """Return the elements in ascending order along an axis; ``kind`` is accepted and ignored."""

    def split(self, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray] | list[_Symbol]:
        """Return equal pieces, or the pieces between indices."""

    def sqrt(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Square root."""

    def square(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """``x * x``."""

    def squeeze(self, a: Any, axis: _Shape | None = None, *, name: str | None = None) -> NumpyTensor:
        """Remove axes of size 1: those named by ``axis``, or all."""

    def stack(self, arrays: Any, axis: int = 0) -> NumpyTensor:
        """Return arrays joined along a new axis."""

    def std(self, a: Any, axis: Any = None, dtype: Any = None, *, ddof: int = 0, keepdims: bool = False) -> NumpyTensor:
        """Return the standard deviation along axes; the divisor is the number of elements minus ``ddof``."""

    def subtract(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 - x2``."""

    def sum(
        self,
        a: Any,
        axis: _Shape | None = None,
        dtype: _DType | None = None,
        keepdims: bool = False,
        initial: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Sum of the elements over the given axes."""

    def swapaxes(self, a: Any, axis1: int, axis2: int) -> NumpyTensor:
        """Return the array with two axes exchanged."""

    def take(self, a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> NumpyTensor:
        """Return the elements at positions."""

    def tan(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Tangent."""

    def tanh(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Hyperbolic tangent."""

    def tensordot(self, a: Any, b: Any, axes: Any = 2) -> NumpyTensor:
        """Return the sums of products over axes."""

    def tile(self, A: Any, reps: Any) -> NumpyTensor:
        """Return the array repeated as a whole along its axes."""

    def trace(
        self,
        data: Any,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Sum of the diagonal of the matrices in two axes."""

    def transpose(self, a: Any, axes: _Shape | None = None, *, name: str | None = None) -> NumpyTensor:
        """Permute the axes; without ``axes``, reverse their order."""

    def tril(self, m: Any, k: int = 0) -> NumpyTensor:
        """Return the lower triangle: zeros above a diagonal."""

    def true_divide(self, x1: Any, x2: Any, **kwargs: Any) -> NumpyTensor:
        """``x1 / x2``; of integers, too, a float."""

    def trunc(self, x: Any, **kwargs: Any) -> NumpyTensor:
        """Without the digits after the point."""

    def unique(
        self,
        ar: Any,
        return_index: bool = False,
        return_inverse: bool = False,
        return_counts: bool = False,
        axis: int | None = None,
    ) -> Any:
        """Return the different elements in ascending order."""

    def unravel_index(self, indices: Any, shape: Any, order: str = "C") -> tuple[ndarray, ...] | tuple[_Symbol, ...]:
        """Return positions in the flat array as positions along the axes: one array for each axis."""

    def var(self, a: Any, axis: Any = None, dtype: Any = None, *, ddof: int = 0, keepdims: bool = False) -> NumpyTensor:
        """Return the variance along axes; the divisor is the number of elements minus ``ddof``."""

    def vdot(self, a: Any, b: Any) -> NumpyTensor:
        """Return the sum of all products of corresponding elements."""

    def vsplit(self, ary: Any, indices_or_sections: Any) -> list[ndarray] | list[_Symbol]:
        """Return the pieces between rows."""

    def vstack(self, arrays: Any) -> NumpyTensor:
        """Return arrays on top of each other."""

    def where(self, condition: Any, x: Any = None, y: Any = None) -> Any:
        """Return elements of ``x`` where a condition is true (not zero), else of ``y``."""

    def zeros(self, shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return zeros, float32 by default."""

    def zeros_like(self, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> NumpyTensor:
        """Return zeros in the shape, and by default of the dtype, of another array."""

class _NumpyExtensionImage(Protocol):
    """``F.npx.image``, in either space."""

    def adjust_lighting(self, data: Any, alpha: _Floats, *, name: str | None = None) -> NumpyTensor:
        """Add ``alpha`` times the principal components of natural images' colours."""

    def crop(self, data: Any, x: int, y: int, width: int, height: int, *, name: str | None = None) -> NumpyTensor:
        """Cut the rectangle with upper left corner (x, y) out of an image, or of each one of a batch."""

    def flip_left_right(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Mirror an image left to right."""

    def flip_top_bottom(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Turn an image upside down."""

    def normalize(
        self,
        data: Any,
        mean: _Floats = (0.0,),
        std: _Floats = (1.0,),
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Subtract a mean from each channel of tensors (C, H, W) or (N, C, H, W), and divide by ``std``."""

    def random_brightness(
        self,
        data: Any,
        min_factor: float,
        max_factor: float,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Multiply all colours by a random factor from ``min_factor`` to ``max_factor``."""

    def random_color_jitter(
        self,
        data: Any,
        brightness: float,
        contrast: float,
        saturation: float,
        hue: float,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Change brightness, contrast, saturation and hue, in random order, by at most the given shares."""

    def random_contrast(
        self,
        data: Any,
        min_factor: float,
        max_factor: float,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Scale the distances from the mean grey by a random factor from ``min_factor`` to ``max_factor``."""

    def random_flip_left_right(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Mirror an image left to right with probability 1/2."""

    def random_flip_top_bottom(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Turn an image upside down with probability 1/2."""

    def random_hue(self, data: Any, min_factor: float, max_factor: float, *, name: str | None = None) -> NumpyTensor:
        """Turn all hues by a random part of the circle (1 is all of it, and changes nothing)."""

    def random_lighting(self, data: Any, alpha_std: float = 0.05, *, name: str | None = None) -> NumpyTensor:
        """``adjust_lighting`` with normal random amounts of standard deviation ``alpha_std``."""

    def random_saturation(
        self,
        data: Any,
        min_factor: float,
        max_factor: float,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Scale the distances from each pixel's own grey by a random factor from ``min_factor`` to ``max_factor``."""

    def resize(
        self,
        data: Any,
        size: _Shape = (),
        keep_ratio: bool = False,
        interp: int = 1,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Resize an image, or each one of a batch."""

    def to_tensor(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Turn images (H, W, C) of pixels 0 ... 255 into float32 tensors (C, H, W) of values 0 ... 1."""

class _NumpyExtensionRandom(Protocol):
    """``F.npx.random``, in either space."""

    def bernoulli(
        self, prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw ones with a probability, which is given as such or as its logit, and zeros."""

    def normal_n(
        self, loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw ``batch_shape`` normally distributed numbers for each element of the parameters."""

    def uniform_n(
        self, low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None
    ) -> NumpyTensor:
        """Draw ``batch_shape`` uniformly distributed numbers for each element of the parameters."""

class _NumpyExtension(Protocol):
    """``F.npx``, in either space."""

    @property
    def image(self) -> _NumpyExtensionImage:
        """``F.npx.image``."""

    @property
    def random(self) -> _NumpyExtensionRandom:
        """``F.npx.random``."""

    def activation(
        self,
        data: Any,
        act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Activation function, element by element."""

    def arange_like(
        self,
        data: Any,
        start: float = 0.0,
        step: float = 1.0,
        repeat: int = 1,
        ctx: str = "",
        axis: int | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """As many numbers, in steps, as an array has elements, or as it has along one axis."""

    def batch_dot(
        self,
        lhs: Any,
        rhs: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Product of the matrices in the last two axes, one for each place of the other axes."""

    def batch_flatten(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

    def batch_norm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        moving_mean: Any,
        moving_var: Any,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        axis: int = 1,
        cudnn_off: bool = False,
        min_calib_range: float | None = None,
        max_calib_range: float | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor | Any:
        """Batch normalisation ``(x - mean) / sqrt(var + eps) · gamma + beta``, one mean and variance a channel."""

    def cast(self, data: Any, dtype: _DType, *, name: str | None = None) -> NumpyTensor:
        """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

    def constraint_check(
        self,
        input: Any,
        msg: str = "Constraint violated.",
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Return true if all elements of a boolean array are true, else fail with a message."""

    def convolution(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Slide filters over images: cross-correlation, plus a bias per filter."""

    def deconvolution(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Transposed convolution: every element of the data adds a scaled filter to the output."""

    def dropout(
        self,
        data: Any,
        p: float = 0.5,
        mode: Literal["always", "training"] = "training",
        axes: _Shape = (),
        cudnn_off: bool | None = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Set elements to zero at random while training, and scale the others up by ``1 / (1 - p)``."""

    def embedding(
        self,
        data: Any,
        weight: Any,
        input_dim: int,
        output_dim: int,
        dtype: _DType = "float32",
        sparse_grad: bool = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Rows of the weight, one for every index in ``data``."""

    def erf(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Error function, the integral of ``2/√π · exp(-t²)`` from 0 to x."""

    def erfinv(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Inverse of the error function."""

    def fully_connected(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        num_hidden: int = ...,
        no_bias: bool = False,
        flatten: bool = True,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Affine map ``data · weightᵀ + bias``."""

    def gamma(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Gamma function: ``gamma(n) = (n - 1)!``."""

    def gammaln(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Logarithm of the absolute value of the gamma function."""

    def gather_nd(self, data: Any, indices: Any, *, name: str | None = None) -> NumpyTensor:
        """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

    def layer_norm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        axis: int = -1,
        eps: float = 1e-05,
        output_mean_var: bool = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor | Any:
        """Layer normalisation: mean 0 and variance 1 along an axis, then ``· gamma + beta``."""

    def leaky_relu(
        self,
        data: Any,
        gamma: Any = None,
        act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
        slope: float = 0.25,
        lower_bound: float = 0.125,
        upper_bound: float = 0.334,
        *,
        name: str | None = None,
    ) -> NumpyTensor | Any:
        """Rectifiers that let something through for negative numbers, element by element."""

    def log_softmax(
        self,
        data: Any,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Logarithm of the softmax along an axis, computed without overflow."""

    def multibox_detection(
        self,
        cls_prob: Any,
        loc_pred: Any,
        anchor: Any,
        clip: bool = True,
        threshold: float = 0.01,
        background_id: int = 0,
        nms_threshold: float = 0.5,
        force_suppress: bool = False,
        variances: _Floats = (0.1, 0.1, 0.2, 0.2),
        nms_topk: int = -1,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Boxes that a net has found: the likeliest class of each anchor, moved anchors, without those that overlap."""

    def multibox_prior(
        self,
        data: Any,
        sizes: _Floats = (1.0,),
        ratios: _Floats = (1.0,),
        clip: bool = False,
        steps: _Floats = (-1.0, -1.0),
        offsets: _Floats = (0.5, 0.5),
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Anchor boxes of several sizes and shapes around each element of a map."""

    def multibox_target(
        self,
        anchor: Any,
        label: Any,
        cls_pred: Any,
        overlap_threshold: float = 0.5,
        ignore_label: float = -1.0,
        negative_mining_ratio: float = -1.0,
        negative_mining_thresh: float = 0.5,
        minimum_negative_samples: int = 0,
        variances: _Floats = (0.1, 0.1, 0.2, 0.2),
        *,
        name: str | None = None,
    ) -> list[ndarray] | _Symbol:
        """What each anchor has to learn: the offset to its box, and the class of it."""

    def nonzero(self, x: Any, *, name: str | None = None) -> NumpyTensor:
        """Indices of the elements that are not zero, one row for each, as int64."""

    def one_hot(
        self,
        indices: Any,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

    def pick(
        self,
        data: Any,
        index: Any,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: Literal["clip", "wrap"] = "clip",
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

    def pooling(
        self,
        data: Any,
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
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Maximum, mean, sum or p-norm of every window of an image."""

    def relu(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Rectified linear unit, ``max(x, 0)``."""

    def reshape(
        self,
        a: Any,
        newshape: _Shape,
        reverse: bool = False,
        order: str = "C",
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Give an array a new shape, with codes for copying, merging and splitting sizes."""

    def reshape_like(
        self,
        lhs: Any,
        rhs: Any,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

    def rnn(
        self,
        data: Any,
        parameters: Any,
        state: Any,
        state_cell: Any = None,
        sequence_length: Any = None,
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
        *,
        name: str | None = None,
    ) -> Any:
        """Recurrent layers over a sequence."""

    def roi_pooling(
        self,
        data: Any,
        rois: Any,
        pooled_size: _Shape,
        spatial_scale: float,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Divide each region of interest into parts and take the maximum of each."""

    def sequence_mask(
        self,
        data: Any,
        sequence_length: Any = None,
        use_sequence_length: bool = False,
        value: float = 0.0,
        axis: int = 0,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Replace everything after the end of each sequence by ``value``."""

    def shape_array(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """The shape as a one-dimensional int64 array."""

    def sigmoid(self, data: Any, *, name: str | None = None) -> NumpyTensor:
        """Logistic function, ``1 / (1 + exp(-x))``."""

    def slice(
        self,
        data: Any,
        begin: _Shape,
        end: _Shape,
        step: _Shape | None = (),
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

    def smooth_l1(self, data: Any, scalar: float = 1.0, *, name: str | None = None) -> NumpyTensor:
        """Smooth L1 loss: ``(scalar · x)² / 2`` near 0, ``|x| - 1 / (2 scalar²)`` where ``|x| > 1 / scalar²``."""

    def softmax(
        self,
        data: Any,
        length: Any = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
    ) -> NumpyTensor:
        """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

    def topk(
        self,
        data: Any,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
        is_ascend: bool = False,
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> NumpyTensor | Any:
        """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""

class FunctionSpace(Protocol):
    """What ``F`` is: the functions that ``mx.nd`` and ``mx.sym`` both have."""

    __name__: str
    """``"mxnet.ndarray"`` or ``"mxnet.symbol"``."""

    @property
    def _internal(self) -> _Internal:
        """``F._internal``."""

    @property
    def contrib(self) -> _Contrib:
        """``F.contrib``."""

    @property
    def image(self) -> _Image:
        """``F.image``."""

    @property
    def linalg(self) -> _Linalg:
        """``F.linalg``."""

    @property
    def numpy(self) -> _Numpy:
        """``F.np``."""

    @property
    def np(self) -> _Numpy:
        """``F.np``."""

    @property
    def numpy_extension(self) -> _NumpyExtension:
        """``F.npx``."""

    @property
    def npx(self) -> _NumpyExtension:
        """``F.npx``."""

    @property
    def random(self) -> _Random:
        """``F.random``."""

    def Activation(
        self,
        data: Any,
        act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
        *,
        name: str | None = None,
    ) -> Tensor:
        """Activation function, element by element."""

    def BatchNorm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        moving_mean: Any,
        moving_var: Any,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        axis: int = 1,
        cudnn_off: bool = False,
        min_calib_range: float | None = None,
        max_calib_range: float | None = None,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Batch normalisation ``(x - mean) / sqrt(var + eps) · gamma + beta``, one mean and variance a channel."""

    def BatchNorm_v1(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        *,
        name: str | None = None,
        moving_mean: Any = None,
        moving_var: Any = None,
    ) -> Tensor | Any:
        """Batch normalisation as before version 1.0, which programs and files of that time use."""

    def BilinearSampler(
        self,
        data: Any,
        grid: Any,
        cudnn_off: bool | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sample images at the points of a grid, with bilinear interpolation; 0 outside the image."""

    def BlockGrad(self, data: Any, *, name: str | None = None) -> Tensor:
        """The values of an array, as a constant: no gradient flows back."""

    def CTCLoss(
        self,
        data: Any,
        label: Any,
        data_lengths: Any = None,
        label_lengths: Any = None,
        use_data_lengths: bool = False,
        use_label_lengths: bool = False,
        blank_label: Literal["first", "last"] = "first",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Connectionist temporal classification loss of sequences."""

    def Cast(self, data: Any, dtype: _DType, *, name: str | None = None) -> Tensor:
        """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

    def Concat(self, *data: Any, dim: int = 1, name: str | None = None) -> Tensor:
        """Join arrays along an existing axis."""

    def Convolution(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Slide filters over images: cross-correlation, plus a bias per filter."""

    def Convolution_v1(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """``Convolution`` under the name that it had in two and three dimensions before version 1.0."""

    def Correlation(
        self,
        data1: Any,
        data2: Any,
        kernel_size: int = 1,
        max_displacement: int = 1,
        stride1: int = 1,
        stride2: int = 1,
        pad_size: int = 0,
        is_multiply: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Compare windows of one image with displaced windows of another."""

    def Crop(
        self,
        *data: Any,
        offset: _Shape = (0, 0),
        h_w: _Shape = (0, 0),
        center_crop: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Cut a window out of a batch of images."""

    def Custom(self, *data: Any, **kwargs: Any) -> Any:
        """Run an operator that was registered with :func:`d2lhybrid.operator.register`."""

    def Deconvolution(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Transposed convolution: every element of the data adds a scaled filter to the output."""

    def Dropout(
        self,
        data: Any,
        p: float = 0.5,
        mode: Literal["always", "training"] = "training",
        axes: _Shape = (),
        cudnn_off: bool | None = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Set elements to zero at random while training, and scale the others up by ``1 / (1 - p)``."""

    def ElementWiseSum(self, *args: Any, name: str | None = None) -> Tensor:
        """Sum of any number of arrays of one shape."""

    def Embedding(
        self,
        data: Any,
        weight: Any,
        input_dim: int,
        output_dim: int,
        dtype: _DType = "float32",
        sparse_grad: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Rows of the weight, one for every index in ``data``."""

    def Flatten(self, data: Any, *, name: str | None = None) -> Tensor:
        """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

    def FullyConnected(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        num_hidden: int = ...,
        no_bias: bool = False,
        flatten: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Affine map ``data · weightᵀ + bias``."""

    def GridGenerator(
        self,
        data: Any,
        transform_type: Literal["affine", "warp"],
        target_shape: _Shape = (0, 0),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Return the points at which to sample an image, as coordinates from -1 to 1."""

    def GroupNorm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        num_groups: int = 1,
        eps: float = 1e-05,
        output_mean_var: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Group normalisation: each example's groups of channels get mean 0 and variance 1."""

    def InstanceNorm(self, data: Any, gamma: Any, beta: Any, eps: float = 0.001, *, name: str | None = None) -> Tensor:
        """Instance normalisation: each example's channels get mean 0 and variance 1."""

    def L2Normalization(
        self,
        data: Any,
        eps: float = 1e-10,
        mode: Literal["channel", "instance", "spatial"] = "instance",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide by the Euclidean length ``sqrt(Σ x² + eps)``."""

    def LRN(
        self,
        data: Any,
        alpha: float = 0.0001,
        beta: float = 0.75,
        knorm: float = 2.0,
        nsize: int = ...,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Local response normalisation ``x / (knorm + alpha / nsize · Σ x²)^beta``, the sum over channels nearby."""

    def LayerNorm(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        axis: int = -1,
        eps: float = 1e-05,
        output_mean_var: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Layer normalisation: mean 0 and variance 1 along an axis, then ``· gamma + beta``."""

    def LeakyReLU(
        self,
        data: Any,
        gamma: Any = None,
        act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
        slope: float = 0.25,
        lower_bound: float = 0.125,
        upper_bound: float = 0.334,
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Rectifiers that let something through for negative numbers, element by element."""

    def LinearRegressionOutput(
        self,
        data: Any,
        label: Any,
        grad_scale: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Identity whose gradient is that of half the squared distance to the labels."""

    def LogisticRegressionOutput(
        self,
        data: Any,
        label: Any,
        grad_scale: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sigmoid whose gradient is that of the binary cross-entropy with the labels."""

    def MAERegressionOutput(self, data: Any, label: Any, grad_scale: float = 1.0, *, name: str | None = None) -> Tensor:
        """Identity whose gradient is that of the absolute distance to the labels."""

    def MakeLoss(
        self,
        data: Any,
        grad_scale: float = 1.0,
        valid_thresh: float = 0.0,
        normalization: Literal["batch", "null", "valid"] = "null",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Declare values to be a loss: going backward starts here, with ``grad_scale``."""

    def Pad(
        self,
        data: Any,
        mode: Literal["constant", "edge", "reflect"],
        pad_width: _Shape,
        constant_value: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Extend the spatial axes of an image-like array (4-D or 5-D)."""

    def Pooling(
        self,
        data: Any,
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
        *,
        name: str | None = None,
    ) -> Tensor:
        """Maximum, mean, sum or p-norm of every window of an image."""

    def Pooling_v1(
        self,
        data: Any,
        kernel: _Shape = (),
        pool_type: Literal["avg", "max", "sum"] = "max",
        global_pool: bool = False,
        pooling_convention: Literal["full", "valid"] = "valid",
        stride: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Maximum, mean or sum of every window of an image, as it was before version 1.0."""

    def RNN(
        self,
        data: Any,
        parameters: Any,
        state: Any,
        state_cell: Any = None,
        sequence_length: Any = None,
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
        *,
        name: str | None = None,
    ) -> Any:
        """Recurrent layers over a sequence."""

    def ROIPooling(
        self,
        data: Any,
        rois: Any,
        pooled_size: _Shape,
        spatial_scale: float,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Divide each region of interest into parts and take the maximum of each."""

    def Reshape(
        self,
        data: Any,
        shape: _Shape = (),
        reverse: bool = False,
        target_shape: _Shape = (),
        keep_highest: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Give an array a new shape, without changing the order of its elements."""

    def SVMOutput(
        self,
        data: Any,
        label: Any,
        margin: float = 1.0,
        regularization_coefficient: float = 1.0,
        use_linear: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Identity whose gradient is that of the hinge loss of a support vector machine."""

    def SequenceLast(
        self,
        data: Any,
        sequence_length: Any = None,
        use_sequence_length: bool = False,
        axis: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """The last step of each sequence."""

    def SequenceMask(
        self,
        data: Any,
        sequence_length: Any = None,
        use_sequence_length: bool = False,
        value: float = 0.0,
        axis: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Replace everything after the end of each sequence by ``value``."""

    def SequenceReverse(
        self,
        data: Any,
        sequence_length: Any = None,
        use_sequence_length: bool = False,
        axis: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Reverse each sequence in time; the padding after its end stays where it is."""

    def SliceChannel(
        self,
        data: Any,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol | Any:
        """Cut an array into ``num_outputs`` equal pieces."""

    def Softmax(
        self,
        data: Any,
        label: Any,
        grad_scale: float = 1.0,
        ignore_label: float = -1.0,
        multi_output: bool = False,
        use_ignore: bool = False,
        preserve_shape: bool = False,
        normalization: Literal["batch", "null", "valid"] = "null",
        out_grad: bool = False,
        smooth_alpha: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Softmax whose gradient is that of the cross-entropy with the labels."""

    def SoftmaxActivation(
        self,
        data: Any,
        mode: Literal["channel", "instance"] = "instance",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Softmax over the last axis (``"instance"``) or over the channels on axis 1."""

    def SoftmaxOutput(
        self,
        data: Any,
        label: Any,
        grad_scale: float = 1.0,
        ignore_label: float = -1.0,
        multi_output: bool = False,
        use_ignore: bool = False,
        preserve_shape: bool = False,
        normalization: Literal["batch", "null", "valid"] = "null",
        out_grad: bool = False,
        smooth_alpha: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Softmax whose gradient is that of the cross-entropy with the labels."""

    def SpatialTransformer(
        self,
        data: Any,
        loc: Any,
        target_shape: _Shape = (0, 0),
        transform_type: Literal["affine"] = ...,
        sampler_type: Literal["bilinear"] = ...,
        cudnn_off: bool | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Transform images by affine maps: GridGenerator, then BilinearSampler."""

    def SwapAxis(self, data: Any, dim1: int = 0, dim2: int = 0, *, name: str | None = None) -> Tensor:
        """Exchange two axes."""

    def UpSampling(
        self,
        *data: Any,
        scale: int,
        num_filter: int = 0,
        sample_type: Literal["bilinear", "nearest"],
        multi_input_mode: Literal["concat", "sum"] = "concat",
        workspace: int = 512,
        name: str | None = None,
    ) -> Tensor:
        """Make images larger by a whole factor."""

    def abs(self, data: Any, *, name: str | None = None) -> Tensor:
        """Absolute value."""

    def adam_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        lr: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        lazy_update: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Adam; the correction of the bias is the caller's, in ``lr``."""

    def add_n(self, *args: Any, name: str | None = None) -> Tensor:
        """Sum of any number of arrays of one shape."""

    def all_finite(self, data: Any, init_output: bool = True, *, name: str | None = None) -> Tensor:
        """1 if every element is finite, else 0 (to notice an overflow in mixed precision)."""

    def amp_cast(self, data: Any, dtype: _DType, *, name: str | None = None) -> Tensor:
        """Convert between floating-point dtypes, for mixed precision; integers stay as they are."""

    def amp_multicast(self, *data: Any, num_outputs: int, cast_narrow: bool = False, name: str | None = None) -> Any:
        """Convert several arrays to the widest floating-point dtype among them (or to the narrowest)."""

    def arange(
        self,
        start: float,
        stop: float | None = None,
        step: float = 1.0,
        repeat: int = 1,
        infer_range: Any = ...,
        *,
        dtype: Any = None,
    ) -> Tensor:
        """Return evenly spaced values; each is repeated ``repeat`` times; float32 by default."""

    def arccos(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse cosine, between 0 and π."""

    def arccosh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse hyperbolic cosine."""

    def arcsin(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse sine, between -π/2 and π/2."""

    def arcsinh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse hyperbolic sine."""

    def arctan(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse tangent, between -π/2 and π/2."""

    def arctanh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse hyperbolic tangent."""

    def argmax(self, data: Any, axis: int | None = None, keepdims: bool = False, *, name: str | None = None) -> Tensor:
        """Position of the greatest element along an axis, in the dtype of the input."""

    def argmax_channel(self, data: Any, *, name: str | None = None) -> Tensor:
        """Position of the greatest element along axis 1, in the dtype of the input."""

    def argmin(self, data: Any, axis: int | None = None, keepdims: bool = False, *, name: str | None = None) -> Tensor:
        """Position of the smallest element along an axis, in the dtype of the input."""

    def argsort(
        self,
        data: Any,
        axis: int | None = -1,
        is_ascend: bool = True,
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Indices that put the elements in order along an axis."""

    def batch_dot(
        self,
        lhs: Any,
        rhs: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Product of the matrices in the last two axes, one for each place of the other axes."""

    def batch_take(self, a: Any, indices: Any, *, name: str | None = None) -> Tensor:
        """One element of every row, ``a[i, indices[i]]``, in the shape of the indices; ``pick`` is its successor."""

    def broadcast_add(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def broadcast_axes(self, data: Any, axis: _Shape = (), size: _Shape = (), *, name: str | None = None) -> Tensor:
        """Stretch some axes of size 1, each to its own size."""

    def broadcast_axis(self, data: Any, axis: _Shape = (), size: _Shape = (), *, name: str | None = None) -> Tensor:
        """Stretch some axes of size 1, each to its own size."""

    def broadcast_div(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Quotient of two arrays, element by element; of integers without its fraction."""

    def broadcast_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x equals the other, else 0."""

    def broadcast_greater(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than the other, else 0."""

    def broadcast_greater_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is greater than or equal to the other, else 0."""

    def broadcast_hypot(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Hypotenuse ``√(a² + b²)`` of a right triangle."""

    def broadcast_lesser(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than the other, else 0."""

    def broadcast_lesser_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x is less than or equal to the other, else 0."""

    def broadcast_like(
        self,
        lhs: Any,
        rhs: Any,
        lhs_axes: _Shape | None = None,
        rhs_axes: _Shape | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Stretch the axes of size 1 of the first array to the sizes of the second."""

    def broadcast_logical_and(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where both x and the other are nonzero, else 0."""

    def broadcast_logical_or(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x or the other is nonzero, else 0."""

    def broadcast_logical_xor(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where exactly one of x and the other is nonzero, else 0."""

    def broadcast_maximum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The larger of two numbers, element by element."""

    def broadcast_minimum(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The smaller of two numbers, element by element."""

    def broadcast_minus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def broadcast_mod(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

    def broadcast_mul(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Product of two arrays, element by element."""

    def broadcast_not_equal(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """1 where x differs from the other, else 0."""

    def broadcast_plus(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def broadcast_power(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """The first array to the power of the second, element by element."""

    def broadcast_sub(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def broadcast_to(self, data: Any, shape: _Shape = (), *, name: str | None = None) -> Tensor:
        """Stretch the axes of size 1 to a shape of as many axes; 0 keeps a size."""

    def cast(self, data: Any, dtype: _DType, *, name: str | None = None) -> Tensor:
        """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

    def cast_storage(
        self,
        data: Any,
        stype: Literal["csr", "default", "row_sparse"],
        *,
        name: str | None = None,
    ) -> Tensor:
        """The values of an array, stored in another way: in a graph all arrays are dense."""

    def cbrt(self, data: Any, *, name: str | None = None) -> Tensor:
        """Cube root."""

    def ceil(self, data: Any, *, name: str | None = None) -> Tensor:
        """Least integer that is not below x."""

    def choose_element_0index(
        self,
        data: Any,
        index: Any,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: Literal["clip", "wrap"] = "clip",
        *,
        name: str | None = None,
    ) -> Tensor:
        """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

    def clip(self, data: Any, a_min: float, a_max: float, *, name: str | None = None) -> Tensor:
        """Clamp values to the interval from ``a_min`` to ``a_max``."""

    def col2im(
        self,
        data: Any,
        output_size: _Shape,
        kernel: _Shape,
        stride: _Shape = (),
        dilate: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Roll columns back into images of size ``output_size``; what overlaps is added up."""

    def concat(self, *data: Any, dim: int = 1, name: str | None = None) -> Tensor:
        """Join arrays along an existing axis."""

    def cos(self, data: Any, *, name: str | None = None) -> Tensor:
        """Cosine."""

    def cosh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Hyperbolic cosine."""

    def crop(
        self,
        data: Any,
        begin: _Shape,
        end: _Shape,
        step: _Shape | None = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

    def ctc_loss(
        self,
        data: Any,
        label: Any,
        data_lengths: Any = None,
        label_lengths: Any = None,
        use_data_lengths: bool = False,
        use_label_lengths: bool = False,
        blank_label: Literal["first", "last"] = "first",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Connectionist temporal classification loss of sequences."""

    def cumsum(
        self,
        a: Any,
        axis: int | None = None,
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Running sum along an axis, or over the flattened array."""

    def degrees(self, data: Any, *, name: str | None = None) -> Tensor:
        """Radians to degrees."""

    def depth_to_space(self, data: Any, block_size: int, *, name: str | None = None) -> Tensor:
        """Spread groups of ``block_size**2`` channels over squares of pixels."""

    def diag(self, data: Any, k: int = 0, axis1: int = 0, axis2: int = 1, *, name: str | None = None) -> Tensor:
        """Make a matrix of a vector, or take the k-th diagonal of an array along two axes."""

    def dot(
        self,
        lhs: Any,
        rhs: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum over the last axis of ``lhs`` and the first of ``rhs``; ``transpose_`` takes the opposite axis."""

    def elemwise_add(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Sum of two arrays, element by element."""

    def elemwise_div(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Quotient of two arrays, element by element; of integers without its fraction."""

    def elemwise_mul(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Product of two arrays, element by element."""

    def elemwise_sub(self, lhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """Difference of two arrays, element by element."""

    def erf(self, data: Any, *, name: str | None = None) -> Tensor:
        """Error function, the integral of ``2/√π · exp(-t²)`` from 0 to x."""

    def erfinv(self, data: Any, *, name: str | None = None) -> Tensor:
        """Inverse of the error function."""

    def exp(self, data: Any, *, name: str | None = None) -> Tensor:
        """Exponential, e to the power x."""

    def expand_dims(self, data: Any, axis: int, *, name: str | None = None) -> Tensor:
        """Insert an axis of size 1 at position ``axis``."""

    def expm1(self, data: Any, *, name: str | None = None) -> Tensor:
        """``exp(x) - 1``, exact near 0."""

    def eye(self, N: int, M: int = 0, k: int = 0, *, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
        """Return an array with ones on a diagonal."""

    def fill_element_0index(self, lhs: Any, mhs: Any, rhs: Any, *, name: str | None = None) -> Tensor:
        """A copy of the matrix ``lhs`` with ``lhs[i, rhs[i]] = mhs[i]``; columns out of range are ignored."""

    def fix(self, data: Any, *, name: str | None = None) -> Tensor:
        """Integer part of x."""

    def flatten(self, data: Any, *, name: str | None = None) -> Tensor:
        """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""

    def flip(self, data: Any, axis: _Shape, *, name: str | None = None) -> Tensor:
        """Reverse the order of the elements along the axes ``axis``."""

    def floor(self, data: Any, *, name: str | None = None) -> Tensor:
        """Greatest integer not above x."""

    def ftml_update(
        self,
        weight: Any,
        grad: Any,
        d: Any,
        v: Any,
        z: Any,
        lr: float,
        beta1: float = 0.6,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        t: int = ...,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_grad: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Follow the moving leader (FTML); ``t`` counts the updates from 1."""

    def ftrl_update(
        self,
        weight: Any,
        grad: Any,
        z: Any,
        n: Any,
        lr: float,
        lamda1: float = 0.01,
        beta: float = 1.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Follow the regularised leader (FTRL-proximal): L1 regularisation that gives exact zeros."""

    def full(self, shape: Any, val: float, *, ctx: Any = None, dtype: Any = None) -> Tensor:
        """Return an array filled with one value."""

    def gamma(self, data: Any, *, name: str | None = None) -> Tensor:
        """Gamma function: ``gamma(n) = (n - 1)!``."""

    def gammaln(self, data: Any, *, name: str | None = None) -> Tensor:
        """Logarithm of the absolute value of the gamma function."""

    def gather_nd(self, data: Any, indices: Any, *, name: str | None = None) -> Tensor:
        """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

    def hard_sigmoid(self, data: Any, alpha: float = 0.2, beta: float = 0.5, *, name: str | None = None) -> Tensor:
        """Piecewise linear sigmoid, ``min(max(alpha · x + beta, 0), 1)``."""

    def histogram(self, a: Any, bins: Any = 10, range: tuple[float, float] | None = None) -> Any:
        """Return (counts, bin edges)."""

    def identity(self, data: Any, *, name: str | None = None) -> Tensor:
        """Copy of an array."""

    def im2col(
        self,
        data: Any,
        kernel: _Shape,
        stride: _Shape = (),
        dilate: _Shape = (),
        pad: _Shape = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Unroll the windows of a convolution into columns."""

    def khatri_rao(self, *args: Any, name: str | None = None) -> Tensor:
        """Column-wise Kronecker product of matrices with the same number of columns."""

    def lamb_update_phase1(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-06,
        t: int = ...,
        bias_correction: bool = True,
        wd: float = ...,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """LAMB, first phase: the direction of Adam with weight decay, before the trust ratio."""

    def lamb_update_phase2(
        self,
        weight: Any,
        g: Any,
        r1: Any,
        r2: Any,
        lr: float,
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """LAMB, second phase: a step along ``g``, scaled by ``r1 / r2``, the norms of weight and ``g``."""

    def linalg_det(self, A: Any, *, name: str | None = None) -> Tensor:
        """Determinant of each matrix."""

    def linalg_extractdiag(self, A: Any, offset: int = 0, *, name: str | None = None) -> Tensor:
        """The diagonal of each matrix, ``offset`` steps above the main one, as a vector."""

    def linalg_extracttrian(self, A: Any, offset: int = 0, lower: bool = True, *, name: str | None = None) -> Tensor:
        """One triangle of each matrix as a vector: the lower one row by row, the upper one column by column."""

    def linalg_gelqf(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""

    def linalg_gemm(
        self,
        A: Any,
        B: Any,
        C: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        beta: float = 1.0,
        axis: int = -2,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Matrix product and sum ``alpha · op(A) · op(B) + beta · C``."""

    def linalg_gemm2(
        self,
        A: Any,
        B: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        axis: int = -2,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Matrix product ``alpha · op(A) · op(B)``, where ``op`` may transpose."""

    def linalg_inverse(self, A: Any, *, name: str | None = None) -> Tensor:
        """Inverse of each matrix."""

    def linalg_makediag(self, A: Any, offset: int = 0, *, name: str | None = None) -> Tensor:
        """Square matrices with vectors on a diagonal, zeros elsewhere."""

    def linalg_maketrian(self, A: Any, offset: int = 0, lower: bool = True, *, name: str | None = None) -> Tensor:
        """Square matrices with vectors as one triangle, zeros elsewhere: what ``extracttrian`` undoes."""

    def linalg_potrf(self, A: Any, *, name: str | None = None, lower: bool = True) -> Tensor:
        """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper one, which is ``Lᵀ``."""

    def linalg_potri(self, A: Any, *, name: str | None = None, lower: bool = True) -> Tensor:
        """Inverse of ``A · Aᵀ`` for a lower triangular ``A``: what a Cholesky factor is wanted for."""

    def linalg_slogdet(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Sign of the determinant, and the logarithm of its modulus."""

    def linalg_sumlogdiag(self, A: Any, *, name: str | None = None) -> Tensor:
        """Sum of the logarithms of the diagonal: half the log-determinant, from a Cholesky factor."""

    def linalg_syevd(self, A: Any, *, name: str | None = None) -> list[NDArray] | Symbol:
        """Eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix: ``A = Uᵀ · diag(L) · U``."""

    def linalg_syrk(self, A: Any, transpose: bool = False, alpha: float = 1.0, *, name: str | None = None) -> Tensor:
        """Product of a matrix and its own transpose: ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A``."""

    def linalg_trmm(
        self,
        A: Any,
        B: Any,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Product with a triangular matrix: ``alpha · op(A) · B``, on the right side ``alpha · B · op(A)``."""

    def linalg_trsm(
        self,
        A: Any,
        B: Any,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Solve with a triangular matrix: ``alpha · op(A)⁻¹ · B``, on the right ``alpha · B · op(A)⁻¹``."""

    def linspace(self, start: float, stop: float, num: int, endpoint: bool = True, *, dtype: Any = None) -> Tensor:
        """Return ``num`` evenly spaced values from start to stop."""

    def load(self, fname: str) -> Any:
        """Load what :func:`save` or MXNet wrote: a list, or a dict where there are names."""

    def log(self, data: Any, *, name: str | None = None) -> Tensor:
        """Natural logarithm."""

    def log10(self, data: Any, *, name: str | None = None) -> Tensor:
        """Logarithm to base 10."""

    def log1p(self, data: Any, *, name: str | None = None) -> Tensor:
        """``log(1 + x)``, exact near 0."""

    def log2(self, data: Any, *, name: str | None = None) -> Tensor:
        """Logarithm to base 2."""

    def log_softmax(
        self,
        data: Any,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Logarithm of the softmax along an axis, computed without overflow."""

    def logical_not(self, data: Any, *, name: str | None = None) -> Tensor:
        """1 where x is 0, else 0."""

    def make_loss(self, data: Any, *, name: str | None = None) -> Tensor:
        """Mark an array as a loss: its gradient is 1, whatever comes after it."""

    def max(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Greatest element over the given axes."""

    def max_axis(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Greatest element over the given axes."""

    def maximum(self, lhs: Any, rhs: Any, /) -> Tensor:
        """Return the larger of two values."""

    def mean(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Mean of the elements over the given axes."""

    def min(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Smallest element over the given axes."""

    def min_axis(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Smallest element over the given axes."""

    def minimum(self, lhs: Any, rhs: Any, /) -> Tensor:
        """Return the smaller of two values."""

    def moments(
        self,
        data: Any,
        axes: _Shape | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol:
        """Mean and population variance over the given axes."""

    def mp_lamb_update_phase1(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        weight32: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-06,
        t: int = ...,
        bias_correction: bool = True,
        wd: float = ...,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``lamb_update_phase1``, on a float32 master copy; the direction is float32, too."""

    def mp_lamb_update_phase2(
        self,
        weight: Any,
        g: Any,
        r1: Any,
        r2: Any,
        weight32: Any,
        lr: float,
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``lamb_update_phase2``, on a float32 master copy of the weight."""

    def mp_nag_mom_update(
        self,
        weight: Any,
        grad: Any,
        mom: Any,
        weight32: Any,
        lr: float,
        momentum: float = 0.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``nag_mom_update``, computing on a float32 master copy of the weight."""

    def mp_sgd_mom_update(
        self,
        weight: Any,
        grad: Any,
        mom: Any,
        weight32: Any,
        lr: float,
        momentum: float = 0.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        lazy_update: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``sgd_mom_update``, computing on a float32 master copy of the weight."""

    def mp_sgd_update(
        self,
        weight: Any,
        grad: Any,
        weight32: Any,
        lr: float,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        lazy_update: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Like ``sgd_update``, computing on a float32 master copy of the weight."""

    def multi_all_finite(
        self,
        *data: Any,
        num_arrays: int = 1,
        init_output: bool = True,
        name: str | None = None,
    ) -> Tensor:
        """1 if every element of every array is finite, else 0."""

    def multi_lars(
        self,
        lrs: Any,
        weights_sum_sq: Any,
        grads_sum_sq: Any,
        wds: Any,
        eta: float,
        eps: float,
        rescale_grad: float = 1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Layer-wise adaptive rate scaling (LARS): the learning rates of several weights at once."""

    def multi_mp_sgd_mom_update(
        self,
        *data: Any,
        lrs: _Floats,
        wds: _Floats,
        momentum: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``mp_sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

    def multi_mp_sgd_update(
        self,
        *data: Any,
        lrs: _Floats,
        wds: _Floats,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``mp_sgd_update`` for several weights: weight, gradient and states of each in turn."""

    def multi_sgd_mom_update(
        self,
        *data: Any,
        lrs: _Floats,
        wds: _Floats,
        momentum: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

    def multi_sgd_update(
        self,
        *data: Any,
        lrs: _Floats,
        wds: _Floats,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``sgd_update`` for several weights: weight, gradient and states of each in turn."""

    def multi_sum_sq(self, *data: Any, num_arrays: int, name: str | None = None) -> Tensor:
        """Sum of squares of each of several arrays, as one float32 vector."""

    def nag_mom_update(
        self,
        weight: Any,
        grad: Any,
        mom: Any,
        lr: float,
        momentum: float = 0.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Nesterov's accelerated gradient: the step looks ahead along the new momentum."""

    def nanprod(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Product of the elements over the given axes, NaN counting as 1."""

    def nansum(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum of the elements over the given axes, NaN counting as 0."""

    def negative(self, data: Any, *, name: str | None = None) -> Tensor:
        """``-x``."""

    def norm(
        self,
        data: Any,
        ord: int = 2,
        axis: _Shape | None = None,
        out_dtype: _DType | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Norm of the vectors along the given axes: ``ord=2`` the Euclidean one, ``ord=1`` the sum of moduli."""

    def normal(
        self,
        loc: float = 0.0,
        scale: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw normally distributed numbers."""

    def one_hot(
        self,
        indices: Any,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

    def ones(self, shape: Any, *, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
        """Return an array of ones."""

    def ones_like(self, data: Any, *, name: str | None = None) -> Tensor:
        """Ones in the shape and dtype of an array."""

    def pad(
        self,
        data: Any,
        mode: Literal["constant", "edge", "reflect"],
        pad_width: _Shape,
        constant_value: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Extend the spatial axes of an image-like array (4-D or 5-D)."""

    def pick(
        self,
        data: Any,
        index: Any,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: Literal["clip", "wrap"] = "clip",
        *,
        name: str | None = None,
    ) -> Tensor:
        """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

    def preloaded_multi_mp_sgd_mom_update(
        self,
        *data: Any,
        momentum: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``mp_sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

    def preloaded_multi_mp_sgd_update(
        self,
        *data: Any,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``mp_sgd_update`` for several weights: weight, gradient and states of each in turn."""

    def preloaded_multi_sgd_mom_update(
        self,
        *data: Any,
        momentum: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``sgd_mom_update`` for several weights: weight, gradient and states of each in turn."""

    def preloaded_multi_sgd_update(
        self,
        *data: Any,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        num_weights: int = 1,
        name: str | None = None,
    ) -> Any:
        """``sgd_update`` for several weights: weight, gradient and states of each in turn."""

    def prod(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Product of the elements over the given axes."""

    def radians(self, data: Any, *, name: str | None = None) -> Tensor:
        """Degrees to radians."""

    def random_exponential(
        self,
        lam: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw exponentially distributed numbers with the rate ``lam``."""

    def random_gamma(
        self,
        alpha: float = 1.0,
        beta: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

    def random_generalized_negative_binomial(
        self,
        mu: float = 1.0,
        alpha: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

    def random_negative_binomial(
        self,
        k: int = 1,
        p: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw the number of failures before the k-th success, where a success has probability p."""

    def random_normal(
        self,
        loc: float = 0.0,
        scale: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw normally distributed numbers."""

    def random_pdf_dirichlet(self, sample: Any, alpha: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

    def random_pdf_exponential(self, sample: Any, lam: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

    def random_pdf_gamma(
        self,
        sample: Any,
        alpha: Any,
        beta: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

    def random_pdf_generalized_negative_binomial(
        self,
        sample: Any,
        mu: Any,
        alpha: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

    def random_pdf_negative_binomial(
        self,
        sample: Any,
        k: Any,
        p: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

    def random_pdf_normal(
        self,
        sample: Any,
        mu: Any,
        sigma: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

    def random_pdf_poisson(self, sample: Any, lam: Any, is_log: bool = False, *, name: str | None = None) -> Tensor:
        """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

    def random_pdf_uniform(
        self,
        sample: Any,
        low: Any,
        high: Any,
        is_log: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

    def random_poisson(
        self,
        lam: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw Poisson distributed numbers."""

    def random_randint(
        self,
        low: int,
        high: int,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

    def random_uniform(
        self,
        low: float = 0.0,
        high: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def ravel_multi_index(self, data: Any, shape: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Number of the element at an index: the columns of ``data`` are indices into ``shape``."""

    def rcbrt(self, data: Any, *, name: str | None = None) -> Tensor:
        """Reciprocal cube root."""

    def reciprocal(self, data: Any, *, name: str | None = None) -> Tensor:
        """``1 / x``."""

    def relu(self, data: Any, *, name: str | None = None) -> Tensor:
        """Rectified linear unit, ``max(x, 0)``."""

    def repeat(self, data: Any, repeats: int, axis: int | None = None, *, name: str | None = None) -> Tensor:
        """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

    def reset_arrays(self, *data: Any, num_arrays: int, name: str | None = None) -> list[NDArray] | Symbol:
        """Set several arrays to zero, in place."""

    def reshape(
        self,
        data: Any,
        shape: _Shape = (),
        reverse: bool = False,
        target_shape: _Shape = (),
        keep_highest: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Give an array a new shape, without changing the order of its elements."""

    def reshape_like(
        self,
        lhs: Any,
        rhs: Any,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

    def reverse(self, data: Any, axis: _Shape, *, name: str | None = None) -> Tensor:
        """Reverse the order of the elements along the axes ``axis``."""

    def rint(self, data: Any, *, name: str | None = None) -> Tensor:
        """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

    def rmsprop_update(
        self,
        weight: Any,
        grad: Any,
        n: Any,
        lr: float,
        gamma1: float = 0.95,
        epsilon: float = 1e-08,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        clip_weights: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """RMSProp (Tieleman and Hinton): divide by a running root mean square of the gradient."""

    def rmspropalex_update(
        self,
        weight: Any,
        grad: Any,
        n: Any,
        g: Any,
        delta: Any,
        lr: float,
        gamma1: float = 0.95,
        gamma2: float = 0.9,
        epsilon: float = 1e-08,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        clip_weights: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Centred RMSProp (Graves): divide by a running standard deviation, with momentum ``delta``."""

    def round(self, data: Any, *, name: str | None = None) -> Tensor:
        """Nearest integer, halves away from zero: ``round(-0.5)`` is -1."""

    def rsqrt(self, data: Any, *, name: str | None = None) -> Tensor:
        """Reciprocal square root, ``1 / √x``."""

    def sample_exponential(
        self,
        lam: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw exponentially distributed numbers with the rate ``lam``."""

    def sample_gamma(
        self,
        alpha: Any,
        beta: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

    def sample_generalized_negative_binomial(
        self,
        mu: Any,
        alpha: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

    def sample_multinomial(
        self,
        data: Any,
        shape: _Shape = (),
        get_prob: bool = False,
        dtype: _DType = "int32",
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """Draw category numbers with the probabilities in the last axis."""

    def sample_negative_binomial(
        self,
        k: Any,
        p: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw the number of failures before the k-th success, where a success has probability p."""

    def sample_normal(
        self,
        mu: Any,
        sigma: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw normally distributed numbers."""

    def sample_poisson(
        self,
        lam: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw Poisson distributed numbers."""

    def sample_uniform(
        self,
        low: Any,
        high: Any,
        shape: _Shape = (),
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def scatter_nd(self, data: Any, indices: Any, shape: _Shape, *, name: str | None = None) -> Tensor:
        """Zeros of the given shape with elements or slices put at ``[indices[0], indices[1], ...]``."""

    def sgd_mom_update(
        self,
        weight: Any,
        grad: Any,
        mom: Any,
        lr: float,
        momentum: float = 0.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        lazy_update: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Gradient descent with momentum: ``mom = momentum * mom - lr * (grad + wd * weight)``."""

    def sgd_update(
        self,
        weight: Any,
        grad: Any,
        lr: float,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        lazy_update: bool = True,
        *,
        name: str | None = None,
    ) -> Tensor:
        """One step of gradient descent, ``weight - lr * (grad + wd * weight)``."""

    def shape_array(self, data: Any, *, name: str | None = None) -> Tensor:
        """The shape as a one-dimensional int64 array."""

    def shuffle(self, data: Any, *, name: str | None = None) -> Tensor:
        """Put the elements of the first axis into random order."""

    def sigmoid(self, data: Any, *, name: str | None = None) -> Tensor:
        """Logistic function, ``1 / (1 + exp(-x))``."""

    def sign(self, data: Any, *, name: str | None = None) -> Tensor:
        """Sign: -1, 0 or 1."""

    def signsgd_update(
        self,
        weight: Any,
        grad: Any,
        lr: float,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Gradient descent along the sign of the gradient; scaling and clipping leave the sign as it is."""

    def signum_update(
        self,
        weight: Any,
        grad: Any,
        mom: Any,
        lr: float,
        momentum: float = 0.0,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        wd_lh: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Gradient descent along the sign of the momentum, with decoupled weight decay ``wd_lh``."""

    def sin(self, data: Any, *, name: str | None = None) -> Tensor:
        """Sine."""

    def sinh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Hyperbolic sine."""

    def size_array(self, data: Any, *, name: str | None = None) -> Tensor:
        """The number of elements as an int64 array of shape (1,)."""

    def slice(
        self,
        data: Any,
        begin: _Shape,
        end: _Shape,
        step: _Shape | None = (),
        *,
        name: str | None = None,
    ) -> Tensor:
        """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

    def slice_axis(self, data: Any, axis: int, begin: int, end: int | None, *, name: str | None = None) -> Tensor:
        """Take the elements from ``begin`` to ``end`` along one axis; None means to the last."""

    def slice_like(self, data: Any, shape_like: Any, axes: _Shape = (), *, name: str | None = None) -> Tensor:
        """Take the first elements along the axes ``axes`` (all by default), as many as ``shape_like`` has."""

    def smooth_l1(self, data: Any, scalar: float = 1.0, *, name: str | None = None) -> Tensor:
        """Smooth L1 loss: ``(scalar · x)² / 2`` near 0, ``|x| - 1 / (2 scalar²)`` where ``|x| > 1 / scalar²``."""

    def softmax(
        self,
        data: Any,
        length: Any = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

    def softmax_cross_entropy(self, data: Any, label: Any, *, name: str | None = None) -> Tensor:
        """Cross-entropy of ``softmax(data)`` and class labels, summed over the batch."""

    def softmin(
        self,
        data: Any,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Softmax of the negative data."""

    def softsign(self, data: Any, *, name: str | None = None) -> Tensor:
        """``x / (1 + |x|)``."""

    def sort(self, data: Any, axis: int | None = -1, is_ascend: bool = True, *, name: str | None = None) -> Tensor:
        """Elements in order along an axis, or of the flattened array."""

    def space_to_depth(self, data: Any, block_size: int, *, name: str | None = None) -> Tensor:
        """Collect squares of ``block_size**2`` pixels into channels."""

    def split(
        self,
        data: Any,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        *,
        name: str | None = None,
    ) -> list[NDArray] | Symbol | Any:
        """Cut an array into ``num_outputs`` equal pieces."""

    def split_v2(self, ary: Any, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Any:
        """Split into equal sections, or at the given indices."""

    def sqrt(self, data: Any, *, name: str | None = None) -> Tensor:
        """Square root."""

    def square(self, data: Any, *, name: str | None = None) -> Tensor:
        """``x²``."""

    def squeeze(self, data: Any, axis: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Remove axes of size 1: those named by ``axis``, or all; one axis always stays."""

    def stack(self, *data: Any, axis: int = 0, name: str | None = None) -> Tensor:
        """Join arrays of equal shape along a new axis."""

    def stop_gradient(self, data: Any, *, name: str | None = None) -> Tensor:
        """The values of an array, as a constant: no gradient flows back."""

    def sum(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum of the elements over the given axes."""

    def sum_axis(
        self,
        data: Any,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum of the elements over the given axes."""

    def swapaxes(self, data: Any, dim1: int = 0, dim2: int = 0, *, name: str | None = None) -> Tensor:
        """Exchange two axes."""

    def take(
        self,
        a: Any,
        indices: Any,
        axis: int = 0,
        mode: Literal["clip", "raise", "wrap"] = "clip",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Slices of ``a`` along an axis, in the order of the indices."""

    def tan(self, data: Any, *, name: str | None = None) -> Tensor:
        """Tangent."""

    def tanh(self, data: Any, *, name: str | None = None) -> Tensor:
        """Hyperbolic tangent."""

    def tile(self, data: Any, reps: _Shape, *, name: str | None = None) -> Tensor:
        """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

    def topk(
        self,
        data: Any,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
        is_ascend: bool = False,
        dtype: _DType = "float32",
        *,
        name: str | None = None,
    ) -> Tensor | Any:
        """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""

    def transpose(self, data: Any, axes: _Shape = (), *, name: str | None = None) -> Tensor:
        """Permute the axes; without ``axes``, reverse their order."""

    def trunc(self, data: Any, *, name: str | None = None) -> Tensor:
        """Integer part of x."""

    def uniform(
        self,
        low: float = 0.0,
        high: float = 1.0,
        shape: _Shape | None = None,
        ctx: str = "",
        dtype: _DType | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Draw numbers between ``low`` (included) and ``high``."""

    def unravel_index(self, data: Any, shape: _Shape | None = None, *, name: str | None = None) -> Tensor:
        """Index into ``shape`` of the element with a number, along a new first axis."""

    def where(self, condition: Any, x: Any, y: Any, *, name: str | None = None) -> Tensor:
        """``x`` where the condition is not zero, else ``y``; a vector as condition chooses whole rows."""

    def zeros(
        self,
        shape: Any,
        *,
        ctx: Any = None,
        dtype: Any = None,
        stype: str | None = None,
        **kwargs: Any,
    ) -> Tensor:
        """Return an array of zeros."""

    def zeros_like(self, data: Any, *, name: str | None = None) -> Tensor:
        """Zeros in the shape and dtype of an array."""
