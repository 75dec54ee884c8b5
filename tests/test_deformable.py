"""Deformable convolution: an ordinary one where nothing is moved, and one of moved images where all is moved alike."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd

rng = numpy.random.default_rng(5)


def normal(*shape):
    return nd.array(rng.normal(size=shape).astype("float32"))


SETTINGS = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 1), "dilate": (1, 2), "num_filter": 6, "num_group": 2}


def test_without_offsets_it_is_an_ordinary_convolution():
    data, weight, bias = normal(2, 4, 6, 5), normal(6, 2, 3, 2), normal(6)
    expected = nd.Convolution(data, weight, bias, **SETTINGS).asnumpy()
    still = nd.zeros((2, 24, *expected.shape[2:]))
    plain = nd.contrib.DeformableConvolution(data, still, weight, bias, num_deformable_group=2, **SETTINGS)
    numpy.testing.assert_allclose(plain.asnumpy(), expected, rtol=1e-4, atol=1e-5)
    mask = nd.ones((2, 12, *expected.shape[2:])) * 0.5
    masked = nd.contrib.ModulatedDeformableConvolution(
        data, still, mask, weight, bias * 0.5, num_deformable_group=2, **SETTINGS
    )
    numpy.testing.assert_allclose(masked.asnumpy(), expected / 2, rtol=1e-4, atol=1e-5)


def test_whole_numbers_move_the_image_and_halves_mix_neighbours():
    data, weight = normal(1, 1, 5, 5), nd.ones((1, 1, 1, 1))
    for down, right in ((1, 0), (0, 2), (0.5, 0)):
        offset = nd.concat(nd.ones((1, 1, 5, 5)) * down, nd.ones((1, 1, 5, 5)) * right, dim=1)
        moved = nd.contrib.DeformableConvolution(data, offset, weight, kernel=(1, 1), num_filter=1, no_bias=True)
        image, result = data.asnumpy()[0, 0], moved.asnumpy()[0, 0]
        if down == 0.5:
            numpy.testing.assert_allclose(result[:4], (image[:4] + image[1:]) / 2, rtol=1e-5, atol=1e-6)
            numpy.testing.assert_allclose(result[4], image[4], rtol=1e-6)  # the last row stands for what is below it
        else:
            numpy.testing.assert_allclose(result[: 5 - down, : 5 - right], image[down:, right:], rtol=1e-6)
            assert not result[5 - down :].any() and not result[:, 5 - right :].any()


def test_the_second_version_fades_out_at_the_edge():
    data, weight = nd.ones((1, 1, 3, 3)), nd.ones((1, 1, 1, 1))
    offset = nd.concat(nd.ones((1, 1, 3, 3)) * 0.75, nd.zeros((1, 1, 3, 3)), dim=1)
    mask = nd.ones((1, 1, 3, 3))
    y = nd.contrib.ModulatedDeformableConvolution(data, offset, mask, weight, kernel=(1, 1), num_filter=1, no_bias=True)
    numpy.testing.assert_allclose(y.asnumpy()[0, 0, :, 0], [1, 1, 0.25])
    assert nd.contrib.DeformableConvolution(data, offset, weight, kernel=(1, 1), num_filter=1, no_bias=True).min() == 1


@pytest.mark.parametrize("name", ["DeformableConvolution", "ModulatedDeformableConvolution"])
def test_layers_learn_their_offsets_the_same_hybridized(name):
    found = []
    for hybridized in (False, True):
        mx.random.seed(4)
        layer = getattr(gluon.contrib.cnn, name)(
            4, kernel_size=3, padding=1, groups=2, num_deformable_group=2, activation="relu",
            offset_weight_initializer=mx.init.Normal(0.3), prefix="layer_",
        )  # fmt: skip
        layer.initialize(mx.init.Normal(0.5))
        layer.hybridize(hybridized)
        x = nd.random.normal(shape=(2, 4, 5, 6))
        x.attach_grad()
        with autograd.record():
            y = layer(x)
        y.backward()
        params = layer.collect_params()
        found.append([y.asnumpy(), x.grad.asnumpy(), *(p.grad().asnumpy() for p in params.values())])
        assert y.shape == (2, 4, 5, 6) and abs(params["layer_offset_weight"].grad().asnumpy()).max() > 0
    for one, other in zip(*found, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)


def test_layers_have_the_names_of_mxnet():
    layer = gluon.contrib.cnn.DeformableConvolution(2, use_bias=False, in_channels=3, prefix="d_")
    assert [*layer.collect_params()] == ["d_offset_weight", "d_offset_bias", "d_deformable_conv_weight"]
    assert layer.offset_weight.shape == (2, 3, 1, 1)
    layer = gluon.contrib.cnn.ModulatedDeformableConvolution(2, (3, 3), in_channels=3, prefix="m_")
    names = ["m_deformable_conv_weight", "m_deformable_conv_bias", "m_offset_weight", "m_offset_bias"]
    assert [*layer.collect_params()] == names and layer.offset_weight.shape == (27, 3, 3, 3)
    symbol = layer(mx.sym.var("x"))
    assert symbol.infer_shape(x=(2, 3, 6, 6))[1] == [(2, 2, 4, 4)]
    assert "1 -> 2" not in repr(layer) and "3 -> 2, kernel_size=(3, 3)" in repr(layer)
    layer.initialize()
    layer.cast("float16")
    assert layer(nd.ones((1, 3, 4, 4), dtype="float16")).dtype == numpy.float16
    with pytest.raises(ValueError, match="only the layout 'NCHW'"):
        gluon.contrib.cnn.DeformableConvolution(2, layout="NHWC")


MISTAKES = {
    "offsets of another size": ({}, [(1, 2, 4, 4), (1, 8, 4, 4), (3, 2, 2, 2)], "."),
    "channels in three groups": ({"num_deformable_group": 3}, [(1, 2, 4, 4), (1, 8, 3, 3), (3, 2, 2, 2)], "deformable"),
    "a window that is too large": ({"dilate": (4, 4)}, [(1, 2, 4, 4), (1, 8, 3, 3), (3, 2, 2, 2)], "exceed input"),
    "one axis": ({"kernel": (2,)}, [(1, 2, 4), (1, 4, 3), (3, 2, 2)], "kernel must be"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told(name):
    changed, shapes, message = MISTAKES[name]
    settings = {"kernel": (2, 2), "num_filter": 3, "no_bias": True, **changed}
    with pytest.raises(mx.MXNetError, match=message):
        nd.contrib.DeformableConvolution(*map(nd.ones, shapes), **settings)
