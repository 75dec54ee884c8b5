"""Proposals of regions: MXNet's numbers, where few and many stay, where sizes, images and errors are at their edges."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

from .interop import proposal_cases

with numpy.load(proposal_cases.FACTS) as _stored:
    FACTS = dict(_stored)


@pytest.mark.parametrize("name", proposal_cases.CASES)
def test_values_are_mxnets(name):
    for key, value in proposal_cases.results(mx, name).items():
        expected = FACTS.pop(f"{name}: {key}")
        assert value.shape == expected.shape and value.dtype == expected.dtype
        numpy.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("name", proposal_cases.WRONG)
def test_wrong_calls_are_refused_in_mxnets_words(name):
    round_ones = str.maketrans("[]", "()")  # MXNet has two ways to print a shape, and here there is one
    told, expected = (
        [str(line).translate(round_ones) for line in some] for some in (proposal_cases.wrong(mx, name), FACTS[name])
    )
    assert told == expected


def test_the_cases_are_what_they_say():
    few = proposal_cases.results(mx, "more come out than stay")["images 0"]
    assert len(few) == 50 and len(numpy.unique(few, axis=0)) < 50
    small = proposal_cases.results(mx, "all are too small")["images 1"]
    assert (small == -1).all()
    usual = proposal_cases.results(mx, "usual")
    assert len(numpy.unique(usual["images 0"], axis=0)) == 40, "nothing is repeated"
    assert set(usual["images 0"][:, 0]) == {0, 1}


def test_nothing_is_learnt_through_them_and_a_hybridized_net_computes_the_same():
    class Regions(nn.HybridBlock):
        def hybrid_forward(self, F, score, offsets, image):
            regions, scores = F.contrib.MultiProposal(score, offsets, image, output_score=True, **settings)
            return F.concat(regions, scores, dim=1)

    arrays, settings = proposal_cases.inputs("usual")
    score, offsets, image = map(nd.array, arrays)
    net = Regions()
    eager = net(score, offsets, image).asnumpy()
    net.hybridize()
    score.attach_grad()
    with autograd.record():
        regions = net(score, offsets, image)
    regions.backward()
    numpy.testing.assert_array_equal(regions.asnumpy(), eager)
    assert not score.grad.asnumpy().any()


def test_a_score_of_three_axes_is_refused():
    with pytest.raises(mx.MXNetError, match=r"^(Error in operator .*: )?Check failed: i >= 0 && i < ndim"):
        nd.contrib.Proposal(nd.ones((1, 24, 1)), nd.ones((1, 48, 1, 1)), nd.ones((1, 3)))


def test_double_precision_is_refused():
    with pytest.raises(mx.MXNetError, match="Unsupported data type"):
        nd.contrib.Proposal(*(nd.ones(shape, dtype="float64") for shape in ((1, 24, 1, 1), (1, 48, 1, 1), (1, 3))))
