"""Reshape codes: random shapes and codes, complete and partial."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import d2lhybrid.internals.ops  # noqa: F401  (registers the operators)
from d2lhybrid.error import ShapeError
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.ops.reshape_codes import LEGACY, NP, NPX, resolve_codes

DIALECTS = {"Reshape": LEGACY, "_npx_reshape": NPX}
sizes = st.integers(1, 4)


def factors(n):
    """Return two numbers whose product is n."""
    a = next((k for k in (2, 3, 5) if n % k == 0), 1)
    return a, n // a


@st.composite
def codes_that_fit(draw, dialect):
    """Draw a shape, codes that fit it, and the target that the codes mean, built side by side."""
    shape = tuple(draw(st.lists(sizes, max_size=5)))
    codes, target = [], []
    choices = ["copy", "literal", "infer", "split", "rest", "merge"] + (["skip"] if dialect.skip else [])
    place, inferred = 0, False
    while place < len(shape):
        n = shape[place]
        kind = draw(st.sampled_from(choices))
        if kind == "merge" and place + 1 < len(shape):
            codes.append(dialect.merge)
            target.append(n * shape[place + 1])
            place += 2
            continue
        if kind == "rest":
            codes.append(dialect.rest)
            target += shape[place:]
            break
        if kind == "split":
            a, b = factors(n)
            hidden = draw(st.sampled_from(((a, b), (a, -1), (-1, b))))
            codes += [dialect.split, *hidden]
            target += [a, b]
        elif kind == "infer" and not inferred:
            codes.append(-1)
            target.append(n)
            inferred = True
        elif kind == "skip" and n == 1:
            codes.append(dialect.skip)
        elif kind == "literal":
            codes.append(n)
            target.append(n)
        else:
            codes.append(dialect.copy)
            target.append(n)
        place += 1
    if draw(st.booleans()):
        codes.append(1)
        target.append(1)
    return shape, tuple(codes), tuple(target)


@st.composite
def cases(draw):
    name = draw(st.sampled_from(sorted(DIALECTS)))
    shape, codes, target = draw(codes_that_fit(DIALECTS[name]))
    return name, shape, codes, target


def hide(shape, mask):
    return tuple(None if hidden else n for n, hidden in zip(shape, mask, strict=True))


def agrees(less, more):
    """Return whether ``less`` says nothing that ``more`` does not say."""
    if less is None:
        return True
    return more is not None and len(less) == len(more) and all(a in (None, b) for a, b in zip(less, more, strict=True))


@given(cases())
def test_codes_mean_what_they_were_built_for(case):
    name, shape, codes, target = case
    if name == "Reshape" and not codes:
        return  # for the legacy operator, no codes means that nothing is asked for
    assert resolve_codes(shape, codes, DIALECTS[name]) == (shape, target)


@given(cases())
def test_shape_rule_equals_kernel(case):
    name, shape, codes, _ = case
    op = get_operator(name)
    attribute = "shape" if name == "Reshape" else "newshape"
    if name == "Reshape" and not codes:
        return
    data = np.arange(math.prod(shape)).reshape(shape)
    result = op(np, data, **{attribute: codes})
    assert op.shape_rule(shape, **op.complete({attribute: codes})) == ([shape], [result.shape])
    np.testing.assert_array_equal(result.ravel(), data.ravel())


@given(cases(), st.data())
def test_knowing_more_never_contradicts_knowing_less(case, data):
    name, shape, codes, target = case
    dialect = DIALECTS[name]
    many = data.draw(st.lists(st.booleans(), min_size=len(shape), max_size=len(shape)))
    fewer = [hidden and data.draw(st.booleans()) for hidden in many]
    known = [resolve_codes(s, codes, dialect) for s in (None, hide(shape, many), hide(shape, fewer), shape)]
    for (less_source, less_target), (source, more_target) in itertools.pairwise(known):
        assert agrees(less_source, source)
        assert agrees(less_target, more_target)
    assert known[-1] == (shape, target)


@given(st.lists(sizes, max_size=4), st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.booleans())
def test_any_codes_give_a_shape_of_the_same_size_or_an_error(shape, codes, reverse):
    for dialect in (LEGACY, NPX, NP):
        try:
            source, target = resolve_codes(tuple(shape), tuple(codes), dialect, reverse)
        except ShapeError as error:
            assert str(error).startswith("Check failed: ")
            continue
        assert source == tuple(shape)
        assert math.prod(target) == math.prod(shape)


@given(st.lists(sizes, max_size=4), st.lists(st.integers(-6, 6), min_size=1, max_size=5))
def test_partial_shapes_never_fail_where_the_complete_one_does_not(shape, codes):
    for dialect in (LEGACY, NPX, NP):
        try:
            complete = resolve_codes(tuple(shape), tuple(codes), dialect)
        except ShapeError:
            continue
        for hidden in range(2 ** len(shape)):
            partial = hide(shape, [hidden >> i & 1 for i in range(len(shape))])
            for less, more in zip(resolve_codes(partial, tuple(codes), dialect), complete, strict=True):
                assert agrees(less, more)


@given(cases())
def test_reversed_codes_are_the_codes_of_the_reversed_shape(case):
    name, shape, codes, target = case
    dialect = DIALECTS[name]
    got = resolve_codes(shape[::-1], codes[::-1], dialect, True)
    assert got == (shape[::-1], target[::-1])


@pytest.mark.parametrize(
    ("source", "codes", "completed", "target"),
    [
        ((None, 3, 4), (0, -1), (None, 3, 4), (None, 12)),
        ((None, 3), (2, 3), (2, 3), (2, 3)),
        ((None, 3), (-4, 2, 5, 0), (10, 3), (2, 5, 3)),
        ((None, None), (0, -1), (None, None), (None, None)),
        (None, (0, -1), None, (None, None)),
        (None, (-3, 4), None, (None, 4)),
        (None, (-2,), None, None),
        ((None, 6), (-3,), (None, 6), (None,)),
        ((2, None), (-1, 0), (2, None), (2, None)),
    ],
)
def test_partial_shapes(source, codes, completed, target):
    assert resolve_codes(source, codes) == (completed, target)


@pytest.mark.parametrize(
    ("dialect", "source", "codes", "message"),
    [
        (LEGACY, (2, 3), (-1, -1), "inf_idx < 0 (0 vs. 0) : One and only one dim can be inferred"),
        (LEGACY, (2, 3), (0, 0, 0), "src_idx < dshape_len (2 vs. 2) : "),
        (LEGACY, (2, 3), (-3, -3), "src_idx < dshape_len-1 (2 vs. 1) : "),
        (LEGACY, (2, 3), (-4, 2), "i + 2 < params_len (2 vs. 2) : "),
        (LEGACY, (2, 3), (-4, -1, -1, 0), "d1 != -1 || d2 != -1: Split dims cannot both be -1."),
        (
            LEGACY,
            (2, 3),
            (-5,),
            "dim_size >= -1 (-5 vs. -1) : shape dim size must be >= -1, while received -5",
        ),
        (
            NPX,
            (2, 3, 4),
            (-3, -1),
            "src[src_inx] == 1 (2 vs. 1) : -3 index should only be used to skip dimension size 1",
        ),
        (
            NPX,
            (2, 3, 4),
            (-2, -2, -2, -2),
            "src_inx < src.ndim() (3 vs. 3) : Unmatching dimension of proposed new shape",
        ),
        (
            NPX,
            (2, 3, 4),
            (5, -1),
            "src.Size() % known_dim_size_prod == 0: "
            "Cannot reshape array of shape [2,3,4] into shape [5,-1] , reverse = 0",
        ),
        (
            NP,
            (2, 3, 4),
            (4, 5),
            "src.Size() == dst->Size() (24 vs. 20) : Cannot reshape array of size 24 into shape [4,5]",
        ),
        (
            NP,
            (2, 3),
            (0, -1),
            "known_dim_size_prod != 0 (0 vs. 0) : Cannot reshape array of size 6 into shape [0,-1]",
        ),
        (
            NP,
            (2, 3),
            (-2,),
            "param.newshape[i] == -1 (-2 vs. -1) : The shape dimension size to inferred must be -1",
        ),
    ],
)
def test_messages(dialect, source, codes, message):
    with pytest.raises(ShapeError) as caught:
        resolve_codes(source, codes, dialect)
    assert str(caught.value) == "Check failed: " + message


@pytest.mark.parametrize(
    ("source", "codes", "target"),
    [
        ((0, 3), (-1, 3), (0, 3)),
        ((2, 0), (0, 3), (0, 3)),
        ((2, 0), (-2, -1), (2, 0)),
        ((1, 0), (-3, -2), (0,)),
    ],
)
def test_empty_arrays(source, codes, target):
    assert resolve_codes(source, codes, NPX)[1] == target


def test_old_target_shape():
    op = get_operator("Reshape")
    x = np.zeros((2, 3, 4))
    assert op(np, x, target_shape=(2, 0)).shape == (2, 12)
    assert op(np, x, target_shape=(0, 12), keep_highest=True).shape == (2, 12)
    with pytest.raises(ShapeError, match="Operator Reshape inferring shapes failed"):
        op(np, x)
