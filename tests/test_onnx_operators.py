"""Every operator that has a translation to ONNX: the model's results are the operator's.

Each sample call becomes a model of one operator, which the checker passes and ONNX Runtime runs. It
is written once more for a batch of any size, and run with a larger one.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from onnx_runtime import run
from operator_cases import Sample, run_kernel, samples_of
from test_every_operator import OPERATORS, check_close, make_symbol

from d2lhybrid import nd, sym
from d2lhybrid.onnx import UnsupportedOperatorsError, to_onnx
from d2lhybrid.onnx.coverage import coverage_page, gaps
from d2lhybrid.onnx.translations import translated_operators, translates
from d2lhybrid.util import np_shape

#: Operators with a sample whose model cannot have a first axis of any size: ONNX needs the number of rows.
NEEDS_ROWS = {
    *("SequenceLast", "SequenceMask", "_contrib_arange_like", "_contrib_index_array", "_np_diag"),
    *("_np_diagflat", "_np_diagonal", "_np_trace", "_npi_pad", "_npi_polyval", "_npi_rot90", "_npi_tril"),
    *("_npi_var", "_reduce_like", "_slice_assign", "_slice_assign_scalar", "_split_v2", "diag", "pick", "sort"),
    *("take",),
}

#: Operators without inputs: their results are constants, whatever they are.
WITHOUT_INPUTS = {"_NoGradient"}


def predicting(name: str) -> list[Sample]:
    """Return the samples in the mode that models are for."""
    op = OPERATORS[name]
    return [s for s in samples_of(op) if not (s.training and op.uses_training)]


def expected_outputs(sample: Sample, arrays: Any) -> list[Any]:
    visible = sample.op.num_visible_outputs(sample.params, len(sample.arrays))
    return run_kernel(sample.op, numpy, arrays, sample.params, False)[:visible]


def export(sample: Sample, dynamic: dict[int, Any] | None = None) -> tuple[Any, list[str]]:
    """Return the model of a sample and the names of its inputs; ``dynamic`` holds shapes by position."""
    symbol, names = make_symbol(sample)
    arrays = dict(zip(names, (sample.arrays[i] for i in sample.present), strict=True))
    shapes, types = {n: a.shape for n, a in arrays.items()}, {n: a.dtype for n, a in arrays.items()}
    named = None if dynamic is None else {n: dynamic[i] for n, i in zip(names, sample.present, strict=True)}
    return to_onnx(symbol, {}, shapes, types, named), names


def check(sample: Sample, arrays: Any, dynamic: dict[int, Any] | None = None) -> None:
    expected = expected_outputs(sample, arrays)
    model, names = export(sample, dynamic)
    found = run(model, dict(zip(names, (arrays[i] for i in sample.present), strict=True)))
    assert len(found) == len(expected), sample
    for a, b in zip(found, expected, strict=True):
        check_close(a, b, sample, rtol=2e-6)


@pytest.mark.parametrize("name", translated_operators())
def test_the_model_gives_what_the_operator_gives(name: str) -> None:
    samples = predicting(name)
    assert samples, f"{name}: no sample call in prediction"
    for sample in samples:
        check(sample, sample.arrays)


def longer(sample: Sample) -> tuple[list[Any], dict[int, Any]] | None:
    """Return the inputs with one more row each, and the shapes with the first axis open.

    None where there are no rows, or the operator cannot have another number of them.
    """
    first = next((a for a in sample.arrays if a is not None), None)
    if first is None or not first.ndim or len(first) < 2:
        return None
    rows = [a is not None and a.ndim > 0 and len(a) == len(first) for a in sample.arrays]
    arrays = [numpy.concatenate([a, a[:1]]) if r else a for a, r in zip(sample.arrays, rows, strict=True)]
    try:
        expected_outputs(sample, arrays)
    except Exception:
        return None
    shapes = {i: (None, *sample.arrays[i].shape[1:]) if rows[i] else sample.arrays[i].shape for i in sample.present}
    return arrays, shapes


@pytest.mark.parametrize("name", translated_operators())
def test_the_model_takes_more_rows(name: str) -> None:
    refused = False
    for sample in predicting(name):
        case = longer(sample)
        if case is None:
            continue
        try:
            check(sample, *case)
        except UnsupportedOperatorsError as error:
            refused = True
            assert "export with" in str(error), sample
    assert refused == (name in NEEDS_ROWS)


SPECIAL = numpy.array(
    [
        *(0, -0.0, 1, -1, 0.5, -0.5, 0.49999997, 1.5, 2.5, -2.5, 3, 1e-8, -1e-8, 80, -80, 1e4, -1e4, 1e30),
        *(numpy.inf, -numpy.inf, numpy.nan),
    ],
    "float32",
)

#: Attributes that operators need; all other operators with a number are run with these numbers.
ATTRIBUTES: dict[str, list[dict[str, Any]]] = {
    "clip": [{"a_min": -1, "a_max": 2}],
    "Activation": [{"act_type": t} for t in ("relu", "sigmoid", "tanh", "softrelu", "softsign")],
    "smooth_l1": [{"scalar": 1.5}],
    "Cast": [{"dtype": "float16"}, {"dtype": "float64"}],
    "amp_cast": [{"dtype": "float16"}],
}
NUMBERS = [{"scalar": n} for n in (2.0, -1.5, 0.0, 0.5, 3.0)]

#: Where the results differ, and why: operator -> the inputs.
EDGES = {
    "rcbrt": ([-0.0], "the sign of zero is lost on the way to infinity"),
    "_power_scalar": ([-numpy.inf], "NumPy takes a root for the power 0.5, and IEEE's power of -inf is inf"),
    "_npi_power_scalar": ([-numpy.inf], "the same"),
}


def elementwise_operators() -> list[str]:
    """Return the operators of one or two arrays of real numbers."""
    operators = [OPERATORS[n] for n in translated_operators()]
    return [o.name for o in operators if o.elementwise and o.variadic is None and "bitwise" not in o.name]


@pytest.mark.parametrize("name", elementwise_operators())
def test_special_numbers(name: str) -> None:
    op = OPERATORS[name]
    count = sum(not i.optional for i in op.inputs)
    pairs = (numpy.repeat(SPECIAL, len(SPECIAL)), numpy.tile(SPECIAL, len(SPECIAL)))
    arrays = (SPECIAL,) if count == 1 else pairs
    for attributes in ATTRIBUTES.get(name, NUMBERS if "scalar" in op.attributes else [{}]):
        sample = Sample(op, arrays, attributes, False, "special numbers")
        [expected] = expected_outputs(sample, arrays)
        model, names = export(sample)
        [found] = run(model, dict(zip(names, arrays, strict=True)))
        edges = EDGES.get(name, ([], ""))[0]
        inner = ~numpy.isin(arrays[0], edges) if edges else slice(None)
        assert found.dtype == expected.dtype
        numpy.testing.assert_allclose(found[inner], expected[inner], rtol=1e-5, atol=1e-7, err_msg=str(sample))


@pytest.mark.parametrize("name", sorted({*gaps()} - WITHOUT_INPUTS))
def test_an_operator_without_a_translation_is_refused(name: str) -> None:
    sample = samples_of(OPERATORS[name])[0]
    with pytest.raises(UnsupportedOperatorsError, match=f"{name} 'node': there is no translation"):
        export(sample)


def test_the_page_of_operators_is_fresh(request: pytest.FixtureRequest) -> None:
    page = request.config.rootpath / "docs" / "onnx.md"
    assert page.read_text("utf-8") == coverage_page(), "run python -m d2lhybrid.onnx.coverage"


def test_an_operator_has_one_translation() -> None:
    with pytest.raises(ValueError, match="Convolution has two translations"):
        translates("Convolution")(lambda g, data: data)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("_unravel_index", numpy.array([22.5, 30.3, 41.9], "float32")),
        ("_unravel_index", numpy.array([[22, 30], [41, 0]], "int64")),
        ("_ravel_multi_index", numpy.array([[3.7, 6.2, 6.9], [4.5, 0.1, -5.9]], "float32")),
        ("_ravel_multi_index", numpy.array([[3, 6], [4, 5]], "int32")),
    ],
    ids=str,
)
def test_of_numbers_of_elements_the_whole_part_counts(name: str, array: Any) -> None:
    sample = Sample(OPERATORS[name], (array,), {"shape": (7, 6)}, False, "fractions")
    [expected] = expected_outputs(sample, (array,))
    model, names = export(sample)
    [found] = run(model, {names[0]: array})
    assert found.dtype == expected.dtype
    numpy.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("L2Normalization", {"mode": "instance"}),
        ("_np_sum", {"axis": ()}),
        ("_npi_mean", {"axis": ()}),
        ("_np_max", {"axis": ()}),
    ],
)
def test_over_no_axes_nothing_is_reduced(name: str, attributes: dict[str, Any]) -> None:
    array = numpy.array([3.0, -4.0, 0.5], "float32")
    sample = Sample(OPERATORS[name], (array,), attributes, False, "no axes")
    expected = expected_outputs(sample, (array,))[0]
    model, names = export(sample)
    numpy.testing.assert_allclose(run(model, {names[0]: array})[0], expected, rtol=1e-6)


@pytest.mark.parametrize("count_include_pad", [True, False])
@pytest.mark.parametrize("pool_type", ["max", "avg", "sum", "lp"])
@pytest.mark.parametrize(
    ("length", "kernel", "stride", "pad"), [(3, 2, 2, 1), (5, 2, 3, 1), (4, 3, 3, 2), (2, 1, 2, 0)]
)
def test_the_last_window_may_begin_behind_the_padding(
    length: int, kernel: int, stride: int, pad: int, pool_type: str, count_include_pad: bool
) -> None:
    x = numpy.random.default_rng(0).normal(size=(1, 2, length, 6)).astype("float32")
    window = {"kernel": (kernel, 2), "stride": (stride, 1), "pad": (pad, 1), "pooling_convention": "full"}
    how = {"pool_type": pool_type, "p_value": 2, "count_include_pad": count_include_pad}
    y = nd.Pooling(nd.array(x), **window, **how).asnumpy()
    model = to_onnx(sym.Pooling(sym.var("x"), **window, **how), {}, {"x": x.shape}, {"x": x.dtype})
    numpy.testing.assert_allclose(run(model, {"x": x})[0], y, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 0, 4), (0, 2, 4), (0, 0, 4)])
@pytest.mark.parametrize("global_pool", [True, False])
def test_pooling_of_nothing(shape: tuple[int, ...], global_pool: bool) -> None:
    x = numpy.zeros(shape, "float32")
    settings = {"kernel": (2,), "stride": (2,), "global_pool": global_pool, "pool_type": "max"}
    with np_shape():
        symbol = sym.Pooling(sym.var("x"), **settings)
        model = to_onnx(symbol, {}, {"x": x.shape}, {"x": x.dtype})
    assert run(model, {"x": x})[0].shape == (*shape[:2], 1 if global_pool else 2)


@pytest.mark.parametrize("dtype", ["int64", "int32"])
@pytest.mark.parametrize("values", [[-3, 2, 4, 9, -8], [7], 3])
def test_the_deviation_of_whole_numbers_is_one(values: Any, dtype: str) -> None:
    array = numpy.array(values, dtype)
    sample = Sample(OPERATORS["_npi_std"], (array,), {"axis": None}, False, "whole")
    expected = expected_outputs(sample, (array,))[0]
    model, names = export(sample)
    found = run(model, {names[0]: array})[0]
    assert found == expected and found.dtype == dtype


def test_regions_of_images_that_do_not_exist_have_zeros() -> None:
    data = numpy.random.default_rng(0).normal(size=(2, 1, 4, 4)).astype("float32")
    regions = numpy.array([[image, 0, 0, 3, 3] for image in (1, -1, 2, 0)], "float32")
    attributes = {"pooled_size": (2, 2), "spatial_scale": 1.0, "sample_ratio": 2}
    sample = Sample(OPERATORS["_contrib_ROIAlign"], (data, regions), attributes, False, "regions")
    expected = expected_outputs(sample, (data, regions))[0]
    model, names = export(sample)
    found = run(model, dict(zip(names, (data, regions), strict=True)))[0]
    numpy.testing.assert_allclose(found, expected, rtol=1e-5)
    assert not found[1:3].any() and found[0].any() and found[3].any()
