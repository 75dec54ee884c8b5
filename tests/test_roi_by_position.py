"""Pooling of regions by position: MXNet's numbers, and those of its definition where MXNet's 32 bits say nothing."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.error import MXNetError

from .interop import position_cases

with numpy.load(position_cases.FACTS) as _stored:
    FACTS = dict(_stored)


@pytest.mark.parametrize("name", position_cases.CASES)
def test_values_and_gradients_are_mxnets(name: str) -> None:
    for key, value in position_cases.results(mx, name).items():
        expected = FACTS[f"{name}: {key}"]
        assert value.shape == expected.shape and value.dtype == expected.dtype
        numpy.testing.assert_allclose(value, expected, rtol=1e-5, atol=2e-6, err_msg=key)


@pytest.mark.parametrize("name", position_cases.CASES)
def test_double_precision_agrees(name: str) -> None:
    for key, value in position_cases.results(mx, name, "float64").items():
        assert value.dtype == numpy.float64
        if key != "of trans":  # an offset of a part may lie on an edge in one precision alone
            numpy.testing.assert_allclose(value, FACTS[f"{name}: {key}"], rtol=1e-4, atol=1e-4, err_msg=key)


def test_a_region_outside_of_the_image_is_empty() -> None:
    rois = nd.array([[0, 300, 300, 400, 400]])
    y = nd.contrib.PSROIPooling(nd.ones((1, 4, 3, 3)), rois, spatial_scale=0.1, output_dim=1, pooled_size=2)
    assert (y.asnumpy() == 0).all()


def test_no_regions_give_no_rows() -> None:
    rois = mx.np.zeros((0, 5)).as_nd_ndarray()
    with mx.util.np_shape(True):
        y = nd.contrib.PSROIPooling(nd.ones((1, 4, 3, 3)), rois, spatial_scale=0.1, output_dim=1, pooled_size=2)
    assert y.shape == (0, 1, 2, 2)


def test_too_few_channels_are_refused() -> None:
    with pytest.raises(MXNetError, match="too few channels"):  # MXNet reads what lies behind the array
        sym.contrib.PSROIPooling(
            sym.var("x"), sym.var("r"), spatial_scale=0.1, output_dim=2, pooled_size=2
        ).infer_shape(x=(1, 7, 3, 3), r=(2, 5))
    with pytest.raises(MXNetError, match="too few channels"):
        nd.contrib.PSROIPooling(nd.ones((1, 7, 3, 3)), nd.zeros((2, 5)), 0.1, 2, 2)


def test_offsets_of_classes_that_do_not_divide_the_channels_are_refused() -> None:
    given = [nd.ones((1, 12, 3, 3)), nd.zeros((2, 5)), nd.zeros((2, 4, 2, 2))]
    with pytest.raises(MXNetError, match="axis 1 of trans must have twice as many elements as there are classes"):
        nd.contrib.DeformablePSROIPooling(
            *given, spatial_scale=0.1, output_dim=3, group_size=2, pooled_size=2, part_size=2
        )


def test_in_a_graph_offsets_are_an_input_unless_there_are_none() -> None:
    settings = {"spatial_scale": 0.1, "output_dim": 1, "group_size": 2, "pooled_size": 2, "name": "p"}
    x = sym.var("x")
    assert sym.contrib.DeformablePSROIPooling(x, **settings).list_arguments() == ["x", "p_rois", "p_trans"]
    assert sym.contrib.DeformablePSROIPooling(x, no_trans=True, **settings).list_arguments() == ["x", "p_rois"]
