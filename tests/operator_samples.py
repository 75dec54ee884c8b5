"""Written samples: calls of the operators that no recorded case of real MXNet covers.

One entry an operator: a list of :func:`call`. ``test_every_operator.py`` fails for an operator that
has neither a recorded case nor an entry here (``_backward_*`` operators are found through the
gradient rules that use them). Add samples that exercise every input and the dearest attributes;
small ones, since each is run in many ways.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
from quantized.cases import cases

__all__ = ["WRITTEN", "Call", "call"]

_rng = numpy.random.default_rng(7)


class Call(NamedTuple):
    """One call: inputs (None where an optional one is left out), attributes, mode."""

    arrays: tuple[Any, ...]
    attributes: dict[str, Any]
    training: bool


def call(*arrays: Any, training: bool = False, **attributes: Any) -> Call:
    """Return a call of an operator."""
    while arrays and arrays[-1] is None:
        arrays = arrays[:-1]
    return Call(arrays, attributes, training)


def floats(*shape: int, low: float = -2.0, high: float = 2.0, dtype: str = "float32") -> Any:
    return _rng.uniform(low, high, shape).astype(dtype)


def positive(*shape: int, dtype: str = "float32") -> Any:
    return floats(*shape, low=0.4, high=2.5, dtype=dtype)


def chances(*shape: int) -> Any:
    return floats(*shape, low=0.2, high=0.8)


def ints(*shape: int, low: int = 0, high: int = 5, dtype: str = "int32") -> Any:
    return _rng.integers(low, high, shape).astype(dtype)


def array(*values: Any, dtype: str = "float32") -> Any:
    return numpy.array(values, dtype)


NAN = float("nan")
INF = float("inf")
SPECIAL = array(1.0, NAN, INF, -INF, -0.0, 3.5).reshape(2, 3)
MATRIX = floats(2, 3, 3) + 3 * numpy.eye(3, dtype="float32")

WRITTEN: dict[str, list[Call]] = {}

# --- attention on interleaved projections ----------------------------------------------------------

WRITTEN |= {
    "_contrib_interleaved_matmul_selfatt_qk": [call(floats(4, 2, 18), heads=2), call(floats(3, 1, 6), heads=1)],
    "_contrib_interleaved_matmul_selfatt_valatt": [call(floats(4, 2, 18), floats(4, 4, 4), heads=2)],
    "_contrib_interleaved_matmul_encdec_qk": [call(floats(3, 2, 6), floats(4, 2, 12), heads=2)],
    "_contrib_interleaved_matmul_encdec_valatt": [call(floats(4, 2, 12), floats(4, 3, 4), heads=2)],
}

# --- deformable convolution -----------------------------------------------------------------------

_DEFORMED = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 1), "dilate": (1, 2)}

WRITTEN |= {
    "_contrib_DeformableConvolution": [
        call(
            floats(2, 4, 5, 5),
            2 * floats(2, 24, 3, 5),
            floats(6, 2, 3, 2),
            floats(6),
            num_filter=6,
            num_group=2,
            num_deformable_group=2,
            **_DEFORMED,
        ),
        call(floats(1, 2, 4, 4), floats(1, 8, 3, 3), floats(3, 2, 2, 2), kernel=(2, 2), num_filter=3, no_bias=True),
    ],
    "_contrib_ModulatedDeformableConvolution": [
        call(
            floats(2, 4, 5, 5),
            2 * floats(2, 24, 3, 5),
            chances(2, 12, 3, 5),
            floats(6, 2, 3, 2),
            floats(6),
            num_filter=6,
            num_group=2,
            num_deformable_group=2,
            **_DEFORMED,
        ),
        call(
            floats(1, 2, 4, 4),
            floats(1, 8, 3, 3),
            chances(1, 4, 3, 3),
            floats(3, 2, 2, 2),
            kernel=(2, 2),
            num_filter=3,
            no_bias=True,
        ),
    ],
    "_deformable_columns": [
        call(floats(2, 2, 5, 5), 2 * floats(2, 12, 3, 5), **_DEFORMED),
        call(floats(2, 2, 5, 5), 2 * floats(2, 12, 3, 5), chances(2, 6, 3, 5), clamped=False, **_DEFORMED),
    ],
}

# --- element by element ---------------------------------------------------------------------------

WRITTEN |= {
    "_cast_like": [call(floats(2, 3), floats(4, dtype="float64")), call(floats(2, 3), ints(1))],
    "_copyto": [call(floats(2, 3))],
    "cast_storage": [call(floats(2, 3), stype="csr"), call(floats(2, 3), stype="default")],
    "_sparse_retain": [
        call(floats(4, 2), ints(3)),
        call(floats(3), ints(2)),
        call(floats(4, 2, 3), ints(2, dtype="int64")),
    ],
    "amp_cast": [call(floats(2, 3), dtype="float16"), call(floats(2, 3), dtype="float64")],
    "amp_multicast": [
        call(floats(2, 3), floats(4, dtype="float16"), num_outputs=2),
        call(floats(2, 3), floats(4, dtype="float16"), num_outputs=2, cast_narrow=True),
    ],
    "_identity_with_attr_like_rhs": [call(floats(2, 3), floats(2, 3))],
    "_written": [call(floats(2, 3), floats(2, 3))],
    "_npi_share_memory": [call(floats(2, 3), floats(2, 3))],
    "_npx_constraint_check": [call(array(True, True, dtype="bool"), msg="always true")],
    "_scatter_elemwise_div": [call(floats(2, 3), positive(2, 3))],
    "_hypot": [call(floats(2, 3), floats(2, 3))],
    "_grad_add": [call(floats(2, 3), floats(2, 3))],
    "_npi_ldexp": [call(floats(2, 3), floats(3, low=-1, high=3))],
    "_npi_copysign_scalar": [call(floats(2, 3), scalar=-1.5, is_int=False)],
    "_npi_ldexp_scalar": [call(floats(2, 3), scalar=3.0, is_int=False)],
    "_npi_rldexp_scalar": [call(floats(2, 3), scalar=1.5, is_int=False)],
    "_npi_where_lscalar": [call(ints(2, 3, high=2, dtype="float32"), floats(2, 3), scalar=1.5)],
    "_npi_where_scalar2": [call(ints(2, 3, high=2, dtype="float32"), x=1.5, y=-2.0)],
}
for _name in ("_scatter_plus_scalar", "_scatter_minus_scalar"):
    WRITTEN[_name] = [call(floats(2, 3), scalar=1.5)]
for _name in ("_logical_and", "_logical_or", "_logical_xor"):
    WRITTEN[_name] = [call(ints(3, 4, high=2, dtype="float32"), ints(3, 4, high=2, dtype="float32"))]
    WRITTEN[f"{_name}_scalar"] = [call(ints(3, 4, high=2, dtype="float32"), scalar=1.0)]
for _name in ("_contrib_isnan", "_contrib_isinf", "_contrib_isfinite", "_npi_isposinf", "_npi_isneginf"):
    WRITTEN[_name] = [call(SPECIAL)]
for _name in ("_npi_bitwise_and", "_npi_bitwise_or", "_npi_bitwise_xor", "_npi_lcm"):
    WRITTEN[_name] = [call(ints(2, 3, low=1, high=20), ints(3, low=1, high=20))]
    WRITTEN[f"{_name}_scalar"] = [call(ints(2, 3, low=1, high=20), scalar=6.0)]
WRITTEN["_npi_bitwise_not"] = [call(ints(2, 3, high=20)), call(array(True, False, dtype="bool"))]

# --- choosing, assigning, joining -----------------------------------------------------------------

MASK = array(True, False, True, dtype="bool")

WRITTEN |= {
    "_contrib_SparseEmbedding": [call(ints(2, 3, dtype="float32"), floats(5, 4), input_dim=5, output_dim=4)],
    "_contrib_boolean_mask": [call(floats(3, 2), array(1, 0, 1))],
    "_slice_assign": [
        call(floats(4, 5), floats(2, 3), begin=(1, 1), end=(3, 4)),
        call(floats(6), floats(2), begin=(5,), end=(1,), step=(-2,)),
    ],
    "_slice_assign_scalar": [call(floats(4, 5), scalar=7.0, begin=(1, 0), end=(3, None), step=(1, 2))],
    "_scatter_set_nd": [call(floats(3, 4), floats(2, 4), array([0, 2], dtype="int32"), shape=(3, 4))],
    "fill_element_0index": [call(floats(3, 4), floats(3), array(0, 3, 1))],
    "_onehot_encode": [call(array(0, 3, 1), floats(3, 4))],
    "_npi_boolean_mask_assign_scalar": [
        call(floats(3, 2), MASK, value=5.0),
        call(floats(2, 3), MASK, value=5.0, start_axis=1),
    ],
    "_npi_boolean_mask_assign_tensor": [
        call(floats(3, 2), MASK, floats(2, 2)),
        call(floats(2, 3), MASK, floats(2, 2), start_axis=1),
        call(floats(3, 2), MASK, floats(1)),
    ],
    "_npi_delete": [
        call(floats(3, 4), int_ind=1, axis=1),
        call(floats(3, 4), start=0, stop=4, step=2, axis=1),
        call(floats(3, 4), array(0, 2, dtype="int64"), axis=0),
    ],
    "_npi_insert_slice": [
        call(floats(3, 4), floats(3, 2), start=0, stop=4, step=2, axis=1),
        call(floats(3, 4), val=1.5, start=1, stop=3, axis=0),
    ],
    "_npi_insert_tensor": [
        call(floats(3, 4), floats(3, 2), array(1, 3, dtype="int64"), axis=1),
        call(floats(3, 4), None, array(0, 2, dtype="int64"), val=1.5, axis=0),
    ],
    "_npi_nan_to_num": [call(floats(2, 3), nan=1.0)],
    "_npi_nonzero": [call(array([1, 0, 2], [0, 3, 0]))],
    "_npi_unique": [
        call(array(3, 1, 2, 1)),
        call(array(3, 1, 2, 1), return_index=True, return_inverse=True, return_counts=True),
    ],
    "_npi_bincount": [
        call(array(0, 2, 2, 5, dtype="int32"), minlength=8),
        call(array(0, 2, 2, 5, dtype="int32"), floats(4), has_weights=True),
    ],
    "_npi_diag_indices_from": [call(floats(3, 3))],
    "_np_diagflat": [call(floats(2, 2)), call(floats(3), k=-1)],
    "_np_atleast_1d": [call(floats(), floats(2, 3))],
    "_np_atleast_3d": [call(floats(), floats(3), floats(2, 3))],
    "_npi_dsplit": [
        call(floats(2, 3, 4), indices=(0, 1), axis=2),
        call(floats(2, 3, 4), indices=(), sections=2, axis=2),
    ],
    "_rnn_param_concat": [call(floats(4), floats(2), dim=0), call(floats(2, 2), floats(2, 3), dim=1)],
    "_zeros_without_dtype": [call(shape=(2, 3)), call(shape=(2,), dtype=1)],
    "_NoGradient": [call()],
    "_constant": [call(value=floats(2, 3))],
    "_square_sum": [call(floats(3, 4), axis=(1,), keepdims=True), call(floats(3, 4))],
}

# --- matrices -------------------------------------------------------------------------------------

WRITTEN |= {
    "_npi_det": [call(MATRIX)],
    "_npi_slogdet": [call(MATRIX)],
    "_npi_eig": [call(numpy.diag(array(1.0, 2.0, 4.0)) + array(0.0, 1.0, 1.0))],
    "_npi_eigvals": [call(numpy.diag(array(1.0, 2.0, 4.0)) + array(0.0, 1.0, 1.0))],
    "_npi_svd": [call(floats(2, 3, 4))],
    "_npi_pinv": [
        call(floats(3, 2), array(1e-6).reshape(())),
        call(numpy.eye(3, dtype="float32") + floats(2, 3, 3) / 9, floats(2) * 0, hermitian=False),
    ],
    "_npi_tensorinv": [call(numpy.eye(6, dtype="float32").reshape(2, 3, 6) + floats(2, 3, 6) / 9)],
    "_npi_tensorsolve": [
        call(numpy.eye(6, dtype="float32").reshape(2, 3, 6) + floats(2, 3, 6) / 9, floats(2, 3)),
        call(numpy.eye(6, dtype="float32").reshape(6, 2, 3) + floats(6, 2, 3) / 9, floats(3, 2), a_axes=(0,)),
    ],
}

# --- layers ---------------------------------------------------------------------------------------

_STATISTICS = (floats(3), floats(3), floats(3), positive(3))
WRITTEN |= {
    "_npi_resize": [call(floats(2, 3), new_shape=(4, 2)), call(floats(3), new_shape=(2,))],
    "_resize_like": [call(floats(2, 3), floats(5))],
    "_contrib_SyncBatchNorm": [
        call(floats(4, 3, 2), *_STATISTICS, key="layer", fix_gamma=False),
        call(floats(4, 3, 2), *_STATISTICS, key="layer", training=True),
    ],
    "BatchNorm_v1": [
        call(floats(4, 3, 2, 2), *_STATISTICS, fix_gamma=False),
        call(floats(4, 3), *_STATISTICS, training=True, output_mean_var=True),
    ],
    "_contrib_BatchNormWithReLU": [
        call(floats(4, 3, 2), *_STATISTICS, fix_gamma=False),
        call(floats(4, 3, 2), *_STATISTICS, fix_gamma=False, training=True),
    ],
}

# --- pictures -------------------------------------------------------------------------------------

PICTURE = ints(4, 5, 3, high=256, dtype="uint8")
WRITTEN |= {
    "_image_to_tensor": [call(PICTURE), call(ints(2, 4, 5, 3, high=256, dtype="uint8"))],
    "_image_normalize": [call(chances(3, 4, 5), mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7))],
    "_image_crop": [call(PICTURE, x=1, y=2, width=3, height=2)],
    "_image_flip_left_right": [call(PICTURE)],
    "_image_flip_top_bottom": [call(PICTURE)],
    "_image_random_flip_left_right": [call(PICTURE)],
    "_image_random_flip_top_bottom": [call(PICTURE)],
    "_image_resize": [call(PICTURE, size=(7, 3)), call(chances(4, 5, 3), size=(4,), keep_ratio=True)],
    "_cvimresize": [
        call(PICTURE, w=7, h=3),
        call(PICTURE, w=2, h=9, interp=2),
        call(chances(4, 5, 3), w=2, h=2, interp=3),
    ],
    "_cvcopyMakeBorder": [
        call(PICTURE, top=1, bot=0, left=2, right=3, values=(1, 2, 3)),
        call(PICTURE, top=1, bot=0, left=2, right=3, type=4),
    ],
    "_image_random_color_jitter": [call(PICTURE, brightness=0.3, contrast=0.2, saturation=0.1, hue=0.1)],
    "_image_adjust_lighting": [call(PICTURE, alpha=(0.1, -0.2, 0.3))],
    "_image_random_lighting": [call(PICTURE, alpha_std=0.2)],
}
for _name in ("brightness", "contrast", "saturation", "hue"):
    WRITTEN[f"_image_random_{_name}"] = [call(PICTURE, min_factor=0.6, max_factor=1.4)]

# --- random numbers -------------------------------------------------------------------------------

#: distribution: its parameters, as numbers and as arrays
_DISTRIBUTIONS: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "uniform": ({"low": -1.0, "high": 2.0}, (floats(2, low=-2, high=0), positive(2))),
    "normal": ({"loc": 1.0, "scale": 2.0}, (floats(2), positive(2))),
    "gamma": ({"alpha": 2.0, "beta": 0.5}, (positive(2), positive(2))),
    "exponential": ({"lam": 3.0}, (positive(2),)),
    "poisson": ({"lam": 3.0}, (positive(2),)),
    "negative_binomial": ({"k": 3, "p": 0.4}, (array(2.0, 3.0), chances(2))),
    "generalized_negative_binomial": ({"mu": 2.0, "alpha": 0.3}, (positive(2), chances(2))),
}
for _name, (_numbers, _arrays) in _DISTRIBUTIONS.items():
    WRITTEN[f"_random_{_name}"] = [
        call(**_numbers, shape=(3, 4)),
        call(**_numbers, shape=(5,), dtype="float64"),
    ]
    WRITTEN[f"_random_{_name}_like"] = [call(floats(3, 4), **_numbers)]
    WRITTEN[f"_sample_{_name}"] = [call(*_arrays, shape=(3,)), call(*_arrays, dtype="float64")]

_SAMPLES = {
    "uniform": (chances(2, 3), (array(0.0, 0.1), array(1.0, 1.5))),
    "normal": (floats(2, 3), (floats(2), positive(2))),
    "gamma": (positive(2, 3), (positive(2), positive(2))),
    "exponential": (positive(2, 3), (positive(2),)),
    "poisson": (ints(2, 3, dtype="float32"), (positive(2),)),
    "negative_binomial": (ints(2, 3, dtype="float32"), (array(2.0, 3.0), chances(2))),
    "generalized_negative_binomial": (ints(2, 3, dtype="float32"), (positive(2), chances(2))),
    "dirichlet": (array([[0.2, 0.3, 0.5]], [[0.6, 0.3, 0.1]]), (positive(2, 3),)),
}
for _name, (_sample, _arrays) in _SAMPLES.items():
    WRITTEN[f"_random_pdf_{_name}"] = [call(_sample, *_arrays), call(_sample, *_arrays, is_log=True)]

for _name in ("normal", "normal_n", "gumbel", "logistic"):
    WRITTEN[f"_npi_{_name}"] = [
        call(loc=1.0, scale=2.0, size=(3, 4)),
        call(floats(3), positive(2, 3), loc=None, scale=None),
        call(floats(3), loc=None, scale=1.5),
        call(positive(3), loc=0.5, scale=None),
    ]
for _name in ("uniform", "uniform_n"):
    WRITTEN[f"_npi_{_name}"] = [
        call(low=1.0, high=2.0, size=(3, 4)),
        call(floats(3, low=-2, high=0), positive(2, 3), low=None, high=None),
        call(positive(3), low=0.0, high=None),
    ]
for _name in ("pareto", "weibull", "powerd"):
    WRITTEN[f"_npi_{_name}"] = [call(a=2.0, size=(3, 4)), call(positive(3), a=None)]
for _name in ("exponential", "rayleigh"):
    WRITTEN[f"_npi_{_name}"] = [call(scale=2.0, size=(3, 4)), call(positive(3), scale=None)]

WRITTEN |= {
    "_random_randint": [call(low=-3, high=9, shape=(3, 4)), call(low=0, high=9, shape=(2,), dtype="int64")],
    "_npi_gamma": [
        call(shape=2.0, scale=0.5, size=(3, 4)),
        call(positive(3), positive(2, 3), shape=None, scale=None),
        call(positive(3), shape=None, scale=1.5),
    ],
    "_npi_bernoulli": [
        call(prob=0.3, logit=None, is_logit=False, size=(3, 4)),
        call(floats(3), prob=None, logit=None, is_logit=True),
    ],
    "_npi_choice": [
        call(a=5, size=(3, 2)),
        call(a=5, size=(4,), replace=False),
        call(floats(6), a=None, size=(3,)),
        call(array(0.1, 0.2, 0.7), a=3, size=(4,), weighted=True),
    ],
    "_npi_multinomial": [
        call(n=5, pvals=(0.2, 0.3, 0.5), size=(2,)),
        call(array(0.2, 0.3, 0.5), n=5, pvals=None, size=(4,)),
    ],
    "_sample_multinomial": [
        call(array([0.2, 0.3, 0.5], [0.6, 0.3, 0.1]), shape=(4,)),
        call(array([0.2, 0.3, 0.5], [0.6, 0.3, 0.1]), shape=(4,), get_prob=True),
    ],
    "_shuffle": [call(floats(5, 2))],
    "_sample_unique_zipfian": [call(range_max=50, shape=(2, 6))],
}

# --- optimizers -----------------------------------------------------------------------------------

W, G = floats(3, 4), floats(3, 4)
HALF = (floats(3, 4, dtype="float16"), floats(3, 4, dtype="float16"))
M, V, W32 = floats(3, 4) / 4, positive(3, 4), floats(3, 4)
SETTINGS = {"lr": 0.1, "wd": 0.01, "rescale_grad": 0.5, "clip_gradient": 0.4}

WRITTEN |= {
    "sgd_update": [call(W, G, **SETTINGS)],
    "sgd_mom_update": [call(W, G, M, **SETTINGS, momentum=0.9)],
    "nag_mom_update": [call(W, G, M, **SETTINGS, momentum=0.9)],
    "signsgd_update": [call(W, G, **SETTINGS)],
    "signum_update": [call(W, G, M, **SETTINGS, momentum=0.9, wd_lh=0.01)],
    "adam_update": [call(W, G, M, V, **SETTINGS), call(W, G, M, V, lr=0.1)],
    "ftrl_update": [call(W, G, M, V, **SETTINGS)],
    "rmsprop_update": [call(W, G, V, **SETTINGS, clip_weights=0.8)],
    "rmspropalex_update": [call(W, G, V + 4, M, M, **SETTINGS)],
    "ftml_update": [call(W, G, V, V, M, lr=0.1, t=3, wd=0.01, clip_grad=0.4)],
    "_adamw_update": [call(W, G, M, V, array(0.5), lr=0.1, eta=1.0, wd=0.01)],
    "_sparse_adagrad_update": [call(W, G, V, lr=0.1, rescale_grad=0.5, clip_gradient=0.4)],
    "_contrib_group_adagrad_update": [call(W, G, positive(3, 1), lr=0.1, rescale_grad=0.5)],
    "mp_sgd_update": [call(*HALF, W32, **SETTINGS)],
    "mp_sgd_mom_update": [call(*HALF, M, W32, **SETTINGS, momentum=0.9)],
    "mp_nag_mom_update": [call(*HALF, M, W32, **SETTINGS, momentum=0.9)],
    "_mp_adamw_update": [call(*HALF, M, V, W32, array(0.5), lr=0.1, eta=1.0, wd=0.01)],
    "lamb_update_phase1": [
        call(W, G, M, V, t=3, wd=0.01),
        call(W, G, M, V, t=3, wd=0.01, bias_correction=False),
    ],
    "lamb_update_phase2": [call(W, G, array(2.0), array(3.0), lr=0.1, lower_bound=1.0, upper_bound=5.0)],
    "mp_lamb_update_phase1": [call(*HALF, M, V, W32, t=3, wd=0.01)],
    "mp_lamb_update_phase2": [call(HALF[0], G, array(2.0), array(3.0), W32, lr=0.1)],
    "multi_lars": [call(positive(3), positive(3), positive(3), chances(3), eta=0.1, eps=1e-6)],
    "multi_all_finite": [call(W, G, num_arrays=2), call(W, SPECIAL, num_arrays=2)],
    "reset_arrays": [call(W, G, num_arrays=2)],
}
_A, _B = (floats(3, 4), floats(3, 4)), (floats(5), floats(5))
_HALVES = ((floats(3, 4, dtype="float16"),) * 2, (floats(5, dtype="float16"),) * 2)
_STATE = ((M,), (floats(5),))
_MASTER = ((W32,), (floats(5),))
_ADAM = ((M, V), (floats(5), positive(5)))
_RATES = (array(0.1, 0.2), array(0.01, 0.02))
_COMMON = {"rescale_grad": 0.5, "clip_gradient": 0.4, "num_weights": 2}
_SGD = {"lrs": (0.1, 0.2), "wds": (0.01, 0.02), **_COMMON}
_ADAMW = {"lrs": (0.1, 0.2), "wds": (0.01, 0.02), "etas": (1.0, 0.5), "clip_gradient": 0.4, "num_weights": 2}
_LAMB = {"learning_rates": (0.1, 0.2), "wds": (0.01, 0.02), "step_count": (1, 3), "num_tensors": 2}


def _woven(*parts: tuple[tuple[Any, ...], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return all arrays of the first weight, then all of the second."""
    return tuple(a for weight in range(2) for part in parts for a in part[weight])


_PAIRS, _HALF_PAIRS = (_A, _B), _HALVES
WRITTEN |= {
    "multi_sgd_update": [call(*_woven(_PAIRS), **_SGD)],
    "multi_sgd_mom_update": [call(*_woven(_PAIRS, _STATE), **_SGD, momentum=0.9)],
    "multi_mp_sgd_update": [call(*_woven(_HALF_PAIRS, _MASTER), **_SGD)],
    "multi_mp_sgd_mom_update": [call(*_woven(_HALF_PAIRS, _STATE, _MASTER), **_SGD, momentum=0.9)],
    "preloaded_multi_sgd_update": [call(*_woven(_PAIRS), *_RATES, **_COMMON)],
    "preloaded_multi_sgd_mom_update": [call(*_woven(_PAIRS, _STATE), *_RATES, **_COMMON, momentum=0.9)],
    "preloaded_multi_mp_sgd_update": [call(*_woven(_HALF_PAIRS, _MASTER), *_RATES, **_COMMON)],
    "preloaded_multi_mp_sgd_mom_update": [
        call(*_woven(_HALF_PAIRS, _STATE, _MASTER), *_RATES, **_COMMON, momentum=0.9)
    ],
    "_multi_adamw_update": [call(*_woven(_PAIRS, _ADAM), array(0.5), **_ADAMW)],
    "_multi_mp_adamw_update": [call(*_woven(_HALF_PAIRS, _ADAM, _MASTER), array(0.5), **_ADAMW)],
    "_multi_lamb_update": [call(*_woven(_PAIRS, _ADAM), **_LAMB)],
    "_multi_mp_lamb_update": [call(*_woven(_HALF_PAIRS, _ADAM, _MASTER), **_LAMB)],
}

# --- layers with the batch last: what the compiler makes of convolutional nets --------------------

WRITTEN |= {
    "_stretch_or_sum": [call(floats(2, 3, 1), floats(2, 1, 4)), call(floats(2, 3), floats(2, 3))],
    "_npi_einsum": [
        call(floats(2, 3), floats(1, 4), subscripts="ij,jk->ik"),
        call(floats(2, 1), floats(1, 3), subscripts="ij,ij->i"),
        call(floats(3, 3), floats(3, 2), subscripts="ii,ij->j"),
        call(floats(2, 3), floats(3, 4), subscripts="ij,jk->ik"),
    ],
    "_convolution_batch_last": [
        call(floats(3, 5, 6, 2), floats(4, 3 * 3 * 2), kernel=(3, 2), stride=(2, 1), pad=(1, 0)),
        call(floats(3, 5, 6, 2), floats(4, 3), kernel=(1, 1)),
    ],
    "_convolution_direct": [
        call(floats(2, 5, 4, 3), floats(4, 12), kernel=(3, 2)),
        call(floats(2, 5, 4, 3), floats(4, 12), kernel=(3, 2), stride=(2, 1), pad=(1, 1)),
    ],
    "_backward_convolution_direct_weight": [
        call(floats(4, 3, 3, 3), floats(2, 5, 4, 3), floats(4, 12), kernel=(3, 2)),
    ],
    "_add_picked": [
        call(floats(3, 4), floats(3), ints(3, high=4)),
        call(floats(3, 4), floats(3, 1), ints(3, 1, high=4), axis=1, mode="wrap"),
        call(floats(3, 4, 2), floats(3, 2), ints(3, 2, high=4), axis=1),
    ],
    "_bias_batch_last": [call(floats(3, 4, 2), floats(3))],
    "_dense_batch_last": [call(floats(6, 2), floats(4, 6))],
    "_dense_vector": [call(floats(6), floats(4, 6))],
    "_pooling_batch_last": [
        call(floats(3, 5, 6, 2), kernel=(2, 2), stride=(2, 2)),
        call(floats(3, 5, 6, 2), kernel=(3, 2), stride=(2, 1), pad=(1, 0), pool_type="avg", full=True),
    ],
}

# --- recurrent layers whose runs are kept: what the compiler makes of them in training -----------

LSTM = {"state_size": 2, "num_layers": 1, "mode": "lstm"}
GRU = {"state_size": 2, "num_layers": 1, "mode": "gru", "bidirectional": True}
KEPT_BY_LSTM = [floats(5, 2, 2), floats(5, 2, 2), floats(4, 2, 8, low=0.1, high=0.9)]
KEPT_BY_GRU = 2 * [floats(5, 2, 2), floats(4, 2, 6, low=0.1, high=0.9), floats(4, 2, 2)]
WRITTEN |= {
    "_RNN_keeping": [
        call(floats(4, 2, 3), floats(56), floats(1, 2, 2), floats(1, 2, 2), **LSTM, state_outputs=True),
        call(floats(4, 2, 3), floats(84), floats(2, 2, 2), **GRU),
    ],
    "_backward_RNN_from_kept": [
        call(floats(4, 2, 2), floats(4, 2, 3), floats(56), floats(1, 2, 2), floats(1, 2, 2), *KEPT_BY_LSTM, **LSTM),
        call(floats(4, 2, 4), floats(4, 2, 3), floats(84), floats(2, 2, 2), *KEPT_BY_GRU, **GRU),
    ],
}

# --- boxes ----------------------------------------------------------------------------------------

# No two scores are equal, which a small step would put in another order; a class would not survive one.
BOXES = numpy.concatenate([ints(1, 6, 1, high=3), floats(1, 6, 5, low=0.1, high=0.9)], axis=-1).astype("float32")
BOXES[..., 4:] += BOXES[..., 2:4]
WRITTEN["_contrib_box_nms"] = [
    call(BOXES, overlap_thresh=0.3),
    call(BOXES, overlap_thresh=0.2, valid_thresh=0.15, topk=5),
    call(BOXES, overlap_thresh=0.4, in_format="corner", out_format="center"),
    call(BOXES, overlap_thresh=0.4, in_format="center", out_format="corner", force_suppress=True),
]

# --- regions --------------------------------------------------------------------------------------

REGIONS = {"scales": (1, 2), "ratios": (1,), "feature_stride": 4, "rpn_min_size": 2}
IMAGES = numpy.array([[8, 12, 1], [6, 12, 1.5]], "float32")
WRITTEN |= {
    "_contrib_Proposal": [
        call(floats(1, 4, 2, 3), floats(1, 8, 2, 3), IMAGES[:1], **REGIONS, rpn_post_nms_top_n=4),
        call(floats(1, 4, 2, 3), floats(1, 8, 2, 3), IMAGES[:1], **REGIONS, rpn_post_nms_top_n=20, output_score=True),
    ],
    "_contrib_MultiProposal": [
        call(floats(2, 4, 2, 3), floats(2, 8, 2, 3), IMAGES, **REGIONS, rpn_post_nms_top_n=5, output_score=True),
        call(floats(2, 4, 2, 3), floats(2, 8, 2, 3), IMAGES, **REGIONS, rpn_post_nms_top_n=5, iou_loss=True),
    ],
}

REGIONS_OF_TWO = numpy.array([[0, 0, 0, 30, 40], [1, 10, 12, 49, 39]], "float32")
TURNED = numpy.array([[0, 25, 20, 30, 20, 30], [1, 30, 25, 45, 12, -100]], "float32")
BY_POSITION = {"spatial_scale": 0.1, "output_dim": 2, "group_size": 2, "pooled_size": 2}
WRITTEN |= {
    "_contrib_PSROIPooling": [
        call(floats(2, 8, 4, 5), REGIONS_OF_TWO, spatial_scale=0.1, output_dim=2, pooled_size=2),
        call(floats(2, 8, 4, 5), REGIONS_OF_TWO, spatial_scale=0.1, output_dim=2, pooled_size=3, group_size=2),
    ],
    "_contrib_DeformablePSROIPooling": [
        call(floats(2, 8, 4, 5), REGIONS_OF_TWO, floats(2, 4, 2, 2), **BY_POSITION, sample_per_part=2, trans_std=0.1),
        call(floats(2, 8, 4, 5), REGIONS_OF_TWO, **BY_POSITION, sample_per_part=3, no_trans=True),
    ],
    "_contrib_RROIAlign": [
        call(floats(2, 2, 5, 6), TURNED, pooled_size=(2, 3), spatial_scale=0.1),
        call(floats(2, 2, 5, 6), TURNED, pooled_size=(2, 1), spatial_scale=0.1, sampling_ratio=2),
    ],
}

# --- transforms, events in time, layers of old versions --------------------------------------------

PLACES, SIGNS = array([0, 3, 4, 3]), array([1, -1, 1, 1])
OLD_WINDOWS = {"kernel": (3, 2), "stride": (2, 3), "pad": (1, 0)}
WRITTEN |= {
    "_contrib_fft": [call(floats(3, 5)), call(floats(2, 1, 3, 4))],
    "_contrib_ifft": [call(floats(3, 6)), call(floats(2, 1, 3, 10))],
    "_contrib_count_sketch": [
        call(floats(3, 4), PLACES, SIGNS, out_dim=5),
        call(floats(2, 1, 3, 4), ints(2, 4, dtype="float32"), floats(2, 4), out_dim=5, processing_batch_size=2),
    ],
    "_contrib_hawkesll": [
        call(
            positive(3, 2), chances(2), positive(2), positive(3, 2), positive(3, 4), ints(3, 4, high=2),
            array(4, 0, 2), array(20, 5, 11),
        ),
        call(
            positive(1, 1), chances(1), positive(1), positive(1, 1), positive(1, 3), ints(1, 3, high=1),
            array(3), array(9),
        ),
    ],
    "Convolution_v1": [
        call(floats(2, 4, 5, 6), floats(6, 2, 3, 2), floats(6), num_filter=6, num_group=2, **OLD_WINDOWS),
        call(floats(1, 2, 3, 4, 3), floats(2, 2, 2, 2, 1), kernel=(2, 2, 1), num_filter=2, no_bias=True),
        call(floats(1, 4, 5, 3), floats(2, 2, 2, 3), floats(2), kernel=(2, 2), num_filter=2, layout="NHWC"),
    ],
    "Pooling_v1": [
        call(floats(2, 2, 5, 6), **OLD_WINDOWS),
        call(floats(2, 2, 5, 6), **OLD_WINDOWS, pool_type="avg", pooling_convention="full"),
        call(floats(1, 2, 3, 4, 3), kernel=(2, 2, 1), pool_type="sum"),
        call(floats(1, 2, 3, 4), pool_type="max", global_pool=True),
    ],
}  # fmt: skip

# --- int8: the calls that were recorded with MXNet ---

for _case in cases():
    _settings = {name: value for name, value in _case.settings.items() if name != "num_args"}
    WRITTEN.setdefault(f"_contrib_{_case.op}", []).append(call(*_case.inputs, **_settings))
