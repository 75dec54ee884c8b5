"""Losses: values, weights, batch axes, messages, NumPy semantics."""

import numpy
import pytest
from exact_messages import raises

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import loss as gloss

P = numpy.array([[1, 2, 3], [0, -1, 1]], "float32")
Q = numpy.array([[0, 1, 0], [1, 0, 1]], "float32")
CLASSES = numpy.array([2, 0], "float32")
SIGNED = 2 * Q - 1
SOFT = numpy.exp(Q) / numpy.exp(Q).sum(1, keepdims=True)
LOG = P - numpy.log(numpy.exp(P).sum(1, keepdims=True))

#: (loss, inputs, what real MXNet returns)
VALUES = [
    ("L2Loss()", (P, Q), [1.8333334, 0.33333334]),
    ("L1Loss()", (P, Q), [1.6666666, 0.6666667]),
    ("SoftmaxCrossEntropyLoss()", (P, CLASSES), [0.40760383, 1.4076039]),
    ("SoftmaxCrossEntropyLoss(sparse_label=False)", (P, Q), [1.4076039, 1.8152077]),
    ("SoftmaxCrossEntropyLoss(weight=2.0)", (P, CLASSES), [0.81520766, 2.8152077]),
    ("SigmoidBCELoss()", (P, Q), [1.4962591, 0.43989024]),
    ("SigmoidBCELoss(from_sigmoid=True)", (1 / (1 + numpy.exp(-P)), Q), [1.4962591, 0.43989015]),
    ("KLDivLoss()", (LOG, SOFT), [0.43227598, 0.1232903]),
    ("KLDivLoss(from_logits=False)", (P, SOFT), [0.43227598, 0.1232903]),
    ("HuberLoss()", (P, Q), [1.1666666, 0.33333334]),
    ("HingeLoss()", (P, SIGNED), [2.0, 0.33333334]),
    ("SquaredHingeLoss()", (P, SIGNED), [6.6666665, 0.33333334]),
    ("LogisticLoss()", (P, SIGNED), [1.4962591, 0.43989024]),
    ("LogisticLoss(label_format='binary')", (P, Q), [1.4962591, 0.43989024]),
    ("TripletLoss()", (P, Q, P * 2), [0.0, 1.0]),
    ("PoissonNLLLoss()", (P, Q + 1), [4.2131724]),
    ("CosineEmbeddingLoss()", (P, Q, numpy.array([1, -1])), [[0.46547753], [0.50000006]]),
    ("CTCLoss()", (numpy.ones((1, 4, 3)), numpy.array([[0, 1]])), [1.686399]),
    ("SDMLLoss()", (P, Q), [1.5377264, 0.3377264]),
]


@pytest.mark.parametrize("hybrid", [False, True], ids=["imperative", "hybridized"])
@pytest.mark.parametrize(("expression", "inputs", "expected"), VALUES, ids=[v[0] for v in VALUES])
def test_values(expression, inputs, expected, hybrid):
    loss = eval(expression, vars(gloss))
    loss.hybridize(hybrid)
    got = loss(*[nd.array(x) for x in inputs])
    numpy.testing.assert_allclose(got.asnumpy(), expected, rtol=2e-5)


def test_names():
    assert gloss.SoftmaxCELoss is gloss.SoftmaxCrossEntropyLoss
    assert gloss.SigmoidBCELoss is gloss.SigmoidBinaryCrossEntropyLoss
    assert repr(gloss.Loss(1.0, 0)) == "Loss(batch_axis=0, w=1.0)"


@pytest.mark.parametrize("hybrid", [False, True])
def test_sample_weight(hybrid):
    loss = gloss.SoftmaxCrossEntropyLoss()
    loss.hybridize(hybrid)
    weight = nd.array([[1], [0]])
    got = loss(nd.array(P), nd.array(CLASSES), weight).asnumpy()
    numpy.testing.assert_allclose(got, [0.40760383, 0], rtol=1e-5)


def test_shapes_of_labels():
    assert gloss.L2Loss()(nd.array(P), nd.ones((3, 2))).shape == (2,)
    with pytest.raises(MXNetError):
        gloss.L2Loss()(nd.array(P), nd.ones((5,)))
    with pytest.raises(MXNetError):
        gloss.SoftmaxCrossEntropyLoss()(nd.array(P), nd.array([1, 0, 1]))
    assert gloss.L1Loss(batch_axis=1)(nd.array(P), nd.array(Q)).shape == (3,)


def test_messages():
    for make, kind, message in (
        (lambda: gloss.LogisticLoss(label_format="foo"), ValueError,
         "label_format can only be signed or binary, recieved foo."),
        (lambda: gloss.CTCLoss("XXX"), AssertionError,
         "Only 'NTC' and 'TNC' layouts for pred are supported. Got: XXX"),
        (lambda: gloss.CTCLoss("NTC", "XX"), AssertionError,
         "Only 'NT' and 'TN' layouts for label are supported. Got: XX"),
        (lambda: gloss.L1Loss(weight="a")(nd.array(P), nd.array(Q)), AssertionError,
         "weight must be a number"),
    ):  # fmt: skip
        with raises(kind, message):
            make()


@pytest.mark.parametrize("hybrid", [False, True])
def test_lengths_in_ctc(hybrid):
    """Padding does not count."""
    rng = numpy.random.default_rng(0)
    pred, label = rng.normal(size=(1, 5, 4)), numpy.array([[1, 2, 0]])
    loss = gloss.CTCLoss()
    loss.hybridize(hybrid)
    expected = gloss.CTCLoss()(nd.array(pred[:, :4]), nd.array(label[:, :2])).asnumpy()
    got = loss(nd.array(pred), nd.array(label), nd.array([4]), nd.array([2])).asnumpy()
    numpy.testing.assert_allclose(got, expected, rtol=1e-5)


WITH_NUMPY = [(e, inputs) for e, inputs, _ in VALUES if not e.startswith(("CTC", "SDML"))]


@pytest.mark.parametrize(("expression", "inputs"), WITH_NUMPY, ids=[v[0] for v in WITH_NUMPY])
def test_numpy_semantics(expression, inputs):
    """The same value and gradient with mx.np arrays, imperative and hybridized."""
    loss = eval(expression, vars(gloss))
    inputs = [x.astype("float32") for x in inputs]
    expected = loss(*[nd.array(x) for x in inputs]).asnumpy()
    with mx.util.np_shape(), mx.util.np_array():
        for hybrid in (False, True):
            loss.hybridize(hybrid)
            arrays = [mx.np.array(x) for x in inputs]
            arrays[0].attach_grad()
            with autograd.record():
                got = loss(*arrays)
            got.backward()
            numpy.testing.assert_allclose(got.asnumpy().reshape(-1), expected.reshape(-1), rtol=1e-5)
            assert numpy.isfinite(arrays[0].grad.asnumpy()).all()


def test_loss_in_a_network():
    class WithLoss(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.loss = gloss.L2Loss()

        def hybrid_forward(self, F, x, y):
            return self.loss(x * 2, y)

    net = WithLoss()
    net.hybridize()
    assert net(nd.array([[1]]), nd.array([[0]])).asnumpy().tolist() == [2]


# --- SoftmaxOutput -------------------------------------------------------------------------------


@pytest.mark.parametrize("use_ignore", [False, True])
@pytest.mark.parametrize("shape", [(2, 1, 4, 5), (2, 4, 5), (2, 20)])
def test_a_label_for_each_place_comes_with_or_without_the_axis_of_classes(shape, use_ignore):
    random = numpy.random.default_rng(0)
    logits, labels = random.normal(size=(2, 3, 4, 5)), random.integers(-1, 3, (2, 4, 5))
    x = nd.array(logits)
    x.attach_grad()
    settings = {"multi_output": True, "normalization": "valid", "use_ignore": use_ignore}
    with autograd.record():
        y = nd.SoftmaxOutput(x, nd.array(labels.reshape(shape)), **settings)
    y.backward()
    likely = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
    expected = likely - (labels[:, None] == numpy.arange(3)[:, None, None])
    if use_ignore:
        expected = expected * (labels != -1)[:, None]
    # As in MXNet, labels of the class that may be ignored never count, whether they are ignored or not.
    numpy.testing.assert_allclose(x.grad.asnumpy(), expected / (labels != -1).sum(), rtol=1e-4, atol=1e-6)
    net = mx.sym.SoftmaxOutput(mx.sym.var("x"), mx.sym.var("label"), multi_output=True)
    assert net.infer_shape(x=(2, 3, 4, 5), label=shape)[1] == [(2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("settings", "label", "told"),
    [
        ({"multi_output": True}, (1, 1, 36, 8), "Expecting [1,432] or [1,54,8]. But got [1,1,36,8]"),
        ({"multi_output": True}, (4, 3), "Expecting [1,432] or [1,54,8]. But got [4,3]"),
        ({"preserve_shape": True}, (1, 1, 36, 8), "Provided = [1,1,36,8], inferred shape=[1,2,54]"),
        ({}, (1, 1, 36, 8), "Provided = [1,1,36,8], inferred shape=[1,2,54]"),
    ],
)
def test_a_label_of_another_shape_is_told_as_mxnet_tells_it(settings, label, told):
    out = mx.sym.SoftmaxOutput(mx.sym.var("data"), mx.sym.var("label"), **settings)
    with pytest.raises(mx.MXNetError) as caught:
        out.infer_shape(data=(1, 2, 54, 8), label=label)
    assert told in str(caught.value)


@pytest.mark.parametrize(("blank", "at"), [("first", 0), ("last", 3)])
def test_a_padding_that_the_length_of_a_label_covers_is_the_blank(blank, at):
    data = numpy.random.default_rng(0).normal(size=(6, 2, 4))

    def loss_and_gradient(label):
        x = nd.array(data)
        x.attach_grad()
        with autograd.record():
            y = nd.CTCLoss(
                x, nd.array(label), label_lengths=nd.array([3, 2]), use_label_lengths=True, blank_label=blank
            )
        y.backward()
        return y.asnumpy(), x.grad.asnumpy()

    found = loss_and_gradient([[1, 2, -1], [2, -1, -1]])
    for mine, expected in zip(found, loss_and_gradient([[1, 2, at], [2, at, at]]), strict=True):
        numpy.testing.assert_array_equal(mine, expected)
