"""The valid ranges of numeric attributes, which follow from the C types and the bounds that MXNet declares.

MXNet rejects a number that is out of range when an operator is called or a symbol is created, before any computation.
The tables contain the ranges of MXNet 1.9.1. The tests in ``tests/attributes`` compare the tables with MXNet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["FLOAT_MAX", "FLOAT_MIN", "NONE_OF_SHAPES", "NumberRange", "number_range", "refusal_of_shape"]


def _each(names: list[str], value: Any) -> dict[str, Any]:
    return dict.fromkeys(names, value)


#: The largest number and the smallest positive normal number in single precision, which limit a ``float`` of MXNet.
FLOAT_MAX = 3.4028234663852886e38
FLOAT_MIN = 1.1754943508222875e-38

#: The C types other than ``int`` and ``float``, by attribute name, for operators that aren't in `_TYPES_OF`.
_TYPES: dict[str, str] = {
    **_each(
        ["base", "constant_value", "fill_value", "initial", "lstm_state_clip_max", "lstm_state_clip_min", "nan",
         "neginf", "off_value", "on_value", "posinf", "q_scalar", "rcond", "scalar", "temperature", "to_begin_scalar",
         "to_end_scalar", "val"],
        "double",
    ),
    **_each(["M", "N"], "long"),
    **_each(
        ["im2col_step", "kernel_size", "max_displacement", "nsize", "num_layers", "pad_size", "state_size", "stride1",
         "stride2"],
        "int (non-negative)",
    ),
    "workspace": "long (non-negative)",
}  # fmt: skip
_OF_CONVOLUTIONS = {"num_filter": "int (non-negative)", "num_group": "int (non-negative)"}
_FROM_TO = {"start": "double", "stop": "double", "step": "double"}
_TYPES_OF: dict[str, dict[str, str]] = {
    **_each(["_linalg_gemm", "_linalg_gemm2"], {"alpha": "double", "beta": "double"}),
    **_each(["_linalg_syrk", "_linalg_trmm", "_linalg_trsm"], {"alpha": "double"}),
    **_each(["BatchNorm", "_contrib_BatchNormWithReLU", "_contrib_quantized_batch_norm"], {"eps": "double"}),
    **_each(["_eye", "_npi_eye"], {"k": "long"}),
    **_each(["Convolution", "Convolution_v1", "Deconvolution", "_contrib_quantized_conv"], _OF_CONVOLUTIONS),
    "_contrib_ModulatedDeformableConvolution": {**_OF_CONVOLUTIONS, "num_deformable_group": "int (non-negative)"},
    **_each(["_arange", "_contrib_arange_like", "_linspace", "_npi_arange", "_npi_logspace"], _FROM_TO),
    **_each(["_cvcopyMakeBorder", "_full"], {"value": "double"}),
    "ftml_update": {"epsilon": "double"},
    "_random_randint": {"low": "long", "high": "long"},
    "_npi_where_scalar2": {"x": "double", "y": "double"},
}

_AT_LEAST_ONE = (1, None)
_PART = (0, 1)
_LEAST_OF_IMAGES = {"min_factor": (0, None), "max_factor": (0, None)}
_OF_TABLES = {"input_dim": _AT_LEAST_ONE, "output_dim": _AT_LEAST_ONE}
#: The inclusive bounds that MXNet declares; None for no bound.
_BOUNDS: dict[str, dict[str, tuple[float, float | None]]] = {
    **_each(["FullyConnected", "_contrib_quantized_fully_connected"], {"num_hidden": _AT_LEAST_ONE}),
    **_each(
        ["Convolution", "Convolution_v1", "Deconvolution", "_contrib_DeformableConvolution",
         "_contrib_ModulatedDeformableConvolution", "_contrib_quantized_conv"],
        {"num_filter": _AT_LEAST_ONE},
    ),
    **_each(["Embedding", "_contrib_SparseEmbedding", "_contrib_quantized_embedding"], _OF_TABLES),
    **_each(["Dropout", "RNN"], {"p": _PART}),
    **_each(
        ["ROIPooling", "_contrib_PSROIPooling", "_contrib_ROIAlign", "_contrib_RROIAlign"], {"spatial_scale": _PART}
    ),
    "_contrib_DeformablePSROIPooling": {"spatial_scale": _PART, "trans_std": _PART},
    "SoftmaxOutput": {"smooth_alpha": _PART},
    "SliceChannel": {"num_outputs": _AT_LEAST_ONE},
    "UpSampling": {"scale": _AT_LEAST_ONE},
    "_contrib_BilinearResize2D": {"height": _AT_LEAST_ONE, "width": _AT_LEAST_ONE},
    "_cvimresize": {"w": _AT_LEAST_ONE, "h": _AT_LEAST_ONE},
    **_each(
        [f"_image_random_{what}" for what in ("brightness", "contrast", "hue", "saturation")], _LEAST_OF_IMAGES
    ),
    "_cond": {"num_outputs": _AT_LEAST_ONE},
    "_while_loop": {"num_outputs": _AT_LEAST_ONE, "max_iterations": _AT_LEAST_ONE},
    "ftml_update": {"beta1": _PART, "beta2": _PART},
    **_each(["_cvimdecode", "_cvimread"], {"flag": (0, None)}),
}  # fmt: skip

#: The attributes that are shapes in which no size may be 0, and the number of their sizes; 0 for any number.
_SHAPES: dict[str, dict[str, int]] = {
    **_each(["Pooling", "Pooling_v1", "_contrib_quantized_pooling"], {"kernel": 0, "stride": 0}),
    **_each(["ROIPooling", "_contrib_ROIAlign", "_contrib_RROIAlign"], {"pooled_size": 2}),
}

#: The limits of each C type. As in MXNet, an unsigned type accepts negative numbers, and the operator handles them.
_HELD: dict[str, tuple[float, float]] = {
    "int": (-(2**31), 2**31 - 1),
    "int (non-negative)": (-(2**31), 2**32 - 1),
    "long": (-(2**63), 2**63 - 1),
    "long (non-negative)": (-(2**63), 2**64 - 1),
    "float": (-FLOAT_MAX, FLOAT_MAX),
    "double": (-1.7976931348623157e308, 1.7976931348623157e308),
}


class NumberRange(NamedTuple):
    """The valid range of a numeric attribute.

    Attributes
    ----------
    type : str
        The C type, in MXNet's words.
    held : tuple of (float, float)
        The smallest and the largest number that MXNet accepts for the type.
    low, high : float or None
        The inclusive bounds that MXNet declares; None for no bound.
    """

    type: str
    held: tuple[float, float]
    low: float | None = None
    high: float | None = None

    @property
    def least(self) -> float:
        """The smallest valid value."""
        return self.held[0] if self.low is None else self.low

    @property
    def most(self) -> float:
        """The largest valid value."""
        return self.held[1] if self.high is None else self.high

    def refusal(self, name: str, value: float) -> str:
        """Return MXNet's error message for a number outside the bounds.

        Parameters
        ----------
        name : str
            The attribute's name.
        value : float
            The number that the caller passed.

        Returns
        -------
        str
            The message; empty if the number is valid.
        """
        below, above = self.low is not None and value < self.low, self.high is not None and value > self.high
        if not below and not above:
            return ""
        what = (
            f"value {value:g} for Parameter {name}"
            if isinstance(value, float)
            else f"value {value} for Parameter {name}"
        )
        if self.low is not None and self.high is not None:
            return f"{what} exceed bound [{self.low},{self.high}]"
        return f"{what} should be greater equal to {self.low}"


def number_range(owner: str, name: str, kind: str) -> NumberRange:
    """Return the valid range of a numeric attribute.

    Parameters
    ----------
    owner : str
        The operator's name.
    name : str
        The attribute's name.
    kind : {"int", "float"}
        The annotation of the attribute in the kernel.

    Returns
    -------
    NumberRange
        The C type and the bounds of the attribute.

    Examples
    --------
    >>> number_range("Dropout", "p", "float").refusal("p", 1.5)
    'value 1.5 for Parameter p exceed bound [0,1]'
    >>> number_range("FullyConnected", "num_hidden", "int").refusal("num_hidden", 0)
    'value 0 for Parameter num_hidden should be greater equal to 1'
    """
    of_owner = _TYPES_OF.get(owner, {})
    held_as = of_owner.get(name) or _TYPES.get(name, kind)
    if (kind == "float") != (held_as in ("float", "double")):
        held_as = kind
    return NumberRange(held_as, _HELD[held_as], *_BOUNDS.get(owner, {}).get(name, (None, None)))


#: The attributes for which MXNet accepts None as an unknown shape, and the equivalent values here.
NONE_OF_SHAPES: dict[tuple[str, str], tuple[int, ...] | None] = {
    ("tile", "reps"): (),
    ("slice_like", "axes"): None,
    ("broadcast_axis", "axis"): (),
    ("broadcast_axis", "size"): (),
    ("Reshape", "target_shape"): (),
    ("Deconvolution", "target_shape"): (),
    ("Dropout", "axes"): (),
    ("_contrib_AdaptiveAvgPooling2D", "output_size"): (),
    ("Pooling", "kernel"): (),
    ("Pooling_v1", "kernel"): (),
    ("Crop", "h_w"): (),
}


def refusal_of_shape(owner: str, name: str, shape: tuple[int | None, ...]) -> str:
    """Return MXNet's error message for a shape that is invalid for an attribute.

    Parameters
    ----------
    owner : str
        The operator's name.
    name : str
        The attribute's name.
    shape : tuple of int
        The shape that the caller passed.

    Returns
    -------
    str
        The message; empty if the shape is valid.

    Examples
    --------
    >>> refusal_of_shape("Pooling", "stride", (0, 1))
    'value [0,1]for Parameter stride is invalid, the input shape must be nonzero in all dimensions'
    """
    count = _SHAPES.get(owner, {}).get(name)
    if count is None:
        return ""
    what = f"value [{','.join(map(str, shape))}]for Parameter {name}"
    if count and len(shape) != count:
        return f"{what} has wrong dimensions, expected dimension={count}"
    return f"{what} is invalid, the input shape must be nonzero in all dimensions" if 0 in shape else ""
