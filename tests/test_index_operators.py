"""Indexing, selecting, assigning, ordering and sequences: values, edge cases and derivatives."""

from __future__ import annotations

import re

import derivatives as check
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d2lhybrid import nd, sym
from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.ops.index import scatter_add

F = kernel_space(np)
SETTINGS = settings(max_examples=40, deadline=None)


def normal(*shape):
    return np.random.default_rng(sum(shape) + len(shape)).normal(size=shape)


def integers(high, *shape):
    return np.random.default_rng(high).integers(0, high, shape)


LENGTHS = np.array([2, 4, 1])

# operator, inputs (only float64 ones are differentiated), attributes
CASES = [
    ("take", [normal(4, 3, 2), integers(4, 2, 2)], {}),
    ("take", [normal(4, 3, 2), integers(9, 5) - 3], {"axis": 1, "mode": "wrap"}),
    ("take", [normal(4, 3, 2), integers(9, 5).astype("float32") - 3], {"axis": -1}),
    ("take", [normal(4, 3), np.array(2)], {}),
    ("take", [normal(4, 3), integers(3, 2)], {"axis": 1, "mode": "raise"}),
    ("Embedding", [integers(4, 3, 2), normal(4, 5)], {"input_dim": 4, "output_dim": 5}),
    ("_contrib_SparseEmbedding", [integers(4, 9), normal(4, 5)], {"input_dim": 4, "output_dim": 5}),
    ("pick", [normal(3, 4), integers(4, 3)], {}),
    ("pick", [normal(3, 4), integers(3, 4)], {"axis": 0, "keepdims": True}),
    ("pick", [normal(2, 3, 4), integers(9, 2, 4)], {"axis": 1, "mode": "wrap"}),
    ("pick", [normal(2, 3, 4), integers(3, 2, 1, 4)], {"axis": 1}),
    ("pick", [normal(4), np.array([2])], {}),
    ("batch_take", [normal(3, 4), integers(4, 3)], {}),
    ("batch_take", [normal(3, 4), integers(4, 3, 1)], {}),
    ("batch_take", [normal(2, 3, 4), integers(4, 2, 3)], {}),
    ("gather_nd", [normal(3, 4), integers(3, 2, 5)], {}),
    ("gather_nd", [normal(3, 4, 2), integers(3, 1, 2, 2)], {}),
    ("gather_nd", [normal(3, 4, 2), -1 - integers(2, 2, 3)], {}),
    ("scatter_nd", [normal(2), np.array([[0, 2], [1, 0]])], {"shape": (3, 2)}),
    ("scatter_nd", [normal(2, 2), np.array([[0, 2]])], {"shape": (3, 2)}),
    ("_scatter_set_nd", [normal(3, 2), normal(2), np.array([[0, 2], [1, 0]])], {"shape": (3, 2)}),
    ("where", [np.array([[1, 0, 2], [0, 0, 1]]), normal(2, 3), normal(2, 3)], {}),
    ("where", [np.array([1, 0]), normal(2, 3), normal(2, 3)], {}),
    ("_npi_where", [np.array([True, False, True]), normal(2, 3), normal(2, 1)], {}),
    ("_npi_where_rscalar", [np.array([[True], [False]]), normal(3)], {"scalar": 2.0}),
    ("_npi_where_lscalar", [np.array([True, False, True]), normal(2, 3)], {"scalar": 2.0}),
    ("_contrib_boolean_mask", [normal(3, 2), np.array([1, 0, 1])], {}),
    ("_npi_boolean_mask_assign_scalar", [normal(3, 2), np.array([1, 0, 1])], {"value": 5.0}),
    ("_npi_boolean_mask_assign_tensor", [normal(3, 2), np.array([1, 0, 1]), normal(2, 1)], {}),
    (
        "_npi_boolean_mask_assign_tensor",
        [normal(2, 3), np.array([True, False, True]), normal(2)],
        {"start_axis": 1},
    ),
    ("_slice_assign", [normal(4, 5), normal(2, 2)], {"begin": (0, 1), "end": (4, 5), "step": (2, 2)}),
    ("_slice_assign_scalar", [normal(4, 5)], {"scalar": 2.0, "begin": (1,), "end": (None,)}),
    ("_contrib_index_copy", [normal(4, 2), np.array([3, 1]), normal(2, 2)], {}),
    ("fill_element_0index", [normal(2, 3), normal(2), np.array([0, 2])], {}),
    ("sort", [normal(3, 4)], {}),
    ("sort", [normal(3, 4)], {"axis": 0, "is_ascend": False}),
    ("sort", [normal(3, 4)], {"axis": None}),
    ("topk", [normal(3, 4)], {"k": 2, "ret_typ": "value"}),
    ("topk", [normal(3, 4)], {"k": 2, "axis": None, "ret_typ": "value"}),
    ("topk", [normal(3, 4, 2)], {"k": 1, "axis": 1, "ret_typ": "value", "is_ascend": True}),
    ("SequenceMask", [normal(4, 3, 2)], {}),
    ("SequenceMask", [normal(4, 3, 2), LENGTHS], {"use_sequence_length": True}),
    ("SequenceMask", [normal(3, 4, 2), LENGTHS], {"use_sequence_length": True, "axis": 1, "value": 3.0}),
    ("SequenceLast", [normal(4, 3, 2)], {}),
    ("SequenceLast", [normal(3, 4)], {"axis": 1}),
    ("SequenceLast", [normal(4, 3, 2), LENGTHS], {"use_sequence_length": True}),
    ("SequenceLast", [normal(3, 4, 2), LENGTHS], {"use_sequence_length": True, "axis": 1}),
    ("SequenceReverse", [normal(4, 3, 2)], {}),
    ("SequenceReverse", [normal(4, 3, 2), LENGTHS], {"use_sequence_length": True}),
]


@pytest.mark.parametrize(("name", "inputs", "attributes"), CASES)
def test_rules_and_derivatives(name, inputs, attributes):
    check.check_rules(name, inputs, attributes)
    check.check_first_derivative(name, inputs, attributes)
    check.check_second_derivative(name, inputs, attributes)


# --- indices -------------------------------------------------------------------------------------


def test_modes_of_take():
    x, indices = np.array([1.0, 2.0, 3.0]), np.array([-1.7, -0.5, 1.99, 2.5, 7.0])
    np.testing.assert_array_equal(F.take(x, indices), [1, 1, 2, 3, 3])
    np.testing.assert_array_equal(F.take(x, indices, mode="wrap"), [3, 1, 2, 3, 2])
    with pytest.raises(MXNetError, match="indices out of bound"):
        F.take(x, indices, mode="raise")
    with pytest.raises(ShapeError, match="Axis should be in the range"):
        F.take(x, indices, axis=1)


def test_small_index_dtypes_reach_far_rows():
    x = np.arange(300.0)
    assert F.take(x, np.array([255], "uint8")) == 255
    assert F.Embedding(np.array([200], "uint8"), x.reshape(300, 1), input_dim=300, output_dim=1) == 200


@SETTINGS
@given(data=st.data())
def test_gradients_of_repeated_indices_add_up(data):
    rows = data.draw(st.integers(1, 5))
    width = data.draw(st.sampled_from([(), (1,), (3,), (2, 2)]))
    indices = np.array(data.draw(st.lists(st.integers(0, rows - 1), max_size=12)), dtype="int64")
    gradient = np.random.default_rng(0).normal(size=(*indices.shape, *width))
    expected = np.zeros((rows, *width))
    np.add.at(expected, indices, gradient)
    result = F._backward_take(gradient, indices, np.empty((rows, *width)))
    np.testing.assert_allclose(result, expected, atol=1e-12)


def test_scatter_add_keeps_the_dtype():
    for dtype in ("float16", "float32", "int32"):
        result = scatter_add(np, 2, np.array([1, 1]), np.array([2, 3], dtype))
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, [0, 5])


def test_pick_checks_its_index():
    x = np.ones((2, 3))
    with pytest.raises(ShapeError, match=r"Provided = \[3\], inferred shape=\[2\]"):
        F.pick(x, np.zeros(3))
    with pytest.raises(MXNetError, match="axis=None is not supported by pick yet"):
        F.pick(x, np.zeros(2), axis=None)


def test_gather_and_scatter_check_their_indices():
    x = np.ones((2, 2))
    with pytest.raises(ShapeError, match="Number of indices exceeds data dimension"):
        F.gather_nd(x, np.zeros((3, 1), "int64"))
    with pytest.raises(ShapeError, match="at least 2 dimensions"):
        F.gather_nd(x, np.zeros(2, "int64"))
    with pytest.raises(ShapeError, match=r"Invalid data, indices, and .*: \[2\], \[1,2\], \[3,3\]"):
        F.scatter_nd(np.ones(2), np.array([[0, 2]]), shape=(3, 3))


def test_embedding_completes_and_checks_its_weight():
    op = check.get_operator("Embedding")
    given_attributes = op.complete({"input_dim": 3, "output_dim": 2})
    assert op.shape_rule((4, 5), None, **given_attributes) == ([(4, 5), (3, 2)], [(4, 5, 2)])
    with pytest.raises(ShapeError, match=r"Provided = \[2,2\], inferred shape=\(3,2\)"):
        F.Embedding(np.zeros(1), np.ones((2, 2)), input_dim=3, output_dim=2)


# --- selecting -----------------------------------------------------------------------------------


def test_one_hot():
    indices = np.array([0.9, -1.0, -0.5, 5.0, 2.0], "float32")
    expected = [[1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1]]
    result = F.one_hot(indices, depth=3)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, expected)
    result = F.one_hot(indices, depth=3, on_value=2, off_value=-1, dtype="int32")
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, np.array(expected) * 3 - 1)
    assert F.one_hot(indices, depth=0).shape == (5, 0)
    assert F.one_hot(np.zeros((2, 0)), depth=3).shape == (2, 0, 3)
    assert F.one_hot(np.array(1), depth=3).shape == (3,)


def test_where_keeps_nan_out():
    x = np.array([np.nan, 1.0])
    np.testing.assert_array_equal(F.where(np.array([0.0, 0.5]), x, np.zeros(2)), [0, 1])
    with pytest.raises(ShapeError):
        F.where(np.array([1, 0, 1]), np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(ShapeError, match="expected float64, got int32"):
        F._npi_where(np.array([True]), np.ones(1), np.ones(1, "int32"))


def test_masks():
    x = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(F._contrib_boolean_mask(x, np.array([0, 0, 0])), np.zeros((0, 2)))
    with pytest.raises(ShapeError, match=r"\(3 vs. 2\)"):
        F._contrib_boolean_mask(x, np.array([0, 1]))
    np.testing.assert_array_equal(F._npi_nonzero(np.array([[0, 1], [2, 0]])), [[0, 1], [1, 0]])


def test_numbers_of_elements():
    pairs = np.array([[1.0, 0.0], [2.0, 1.0]], "float32")
    numbers = F._ravel_multi_index(pairs, shape=(-1, 4))
    np.testing.assert_array_equal(numbers, [6, 1])
    back = F._unravel_index(numbers, shape=(3, 4))
    assert back.dtype == np.float32
    np.testing.assert_array_equal(back, pairs)
    np.testing.assert_array_equal(F._contrib_index_array(np.ones((2, 2)), axes=(-1,))[..., 0], [[0, 1], [0, 1]])


# --- ordering ------------------------------------------------------------------------------------


@SETTINGS
@given(
    values=st.lists(st.integers(0, 3), min_size=1, max_size=12),
    ascending=st.booleans(),
    data=st.data(),
)
def test_equal_elements_keep_their_order(values, ascending, data):
    x = np.array(values, "float32")
    expected = sorted(range(len(values)), key=lambda i: (values[i] if ascending else -values[i], i))
    np.testing.assert_array_equal(F.argsort(x, is_ascend=ascending), expected)
    k = data.draw(st.integers(1, len(values)))
    top = F.topk(x, k=k, is_ascend=ascending)
    assert top.dtype == np.float32
    np.testing.assert_array_equal(top, expected[:k])
    mask = F.topk(x, k=k, is_ascend=ascending, ret_typ="mask")
    np.testing.assert_array_equal(np.flatnonzero(mask), sorted(expected[:k]))
    best, where = F.topk(x, k=k, is_ascend=ascending, ret_typ="both", dtype="int64")
    np.testing.assert_array_equal(best, x[where])


def test_topk_takes_all_for_k_below_one_and_refuses_too_many():
    x = np.array([[3, 1, 2]], "float32")
    np.testing.assert_array_equal(F.topk(x, k=0), [[0, 2, 1]])
    with pytest.raises(ShapeError, match="k must be smaller than 3, get k = 9"):
        F.topk(x, k=9)
    with pytest.raises(ShapeError, match="found axis=4"):
        F.sort(x, axis=4)


def test_unique():
    x = np.array([3, 1, 1, 2], "float32")
    values, index, inverse, counts = F._npi_unique(x, return_index=True, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(values, [1, 2, 3])
    np.testing.assert_array_equal(x[index], values)
    np.testing.assert_array_equal(values[inverse], x)
    np.testing.assert_array_equal(counts, [2, 1, 1])


# --- sequences -----------------------------------------------------------------------------------


def test_sequences_with_lengths():
    x = np.arange(12.0).reshape(4, 3)
    on = {"use_sequence_length": True}
    np.testing.assert_array_equal(
        F.SequenceMask(x, LENGTHS, value=-1.0, **on),
        [[0, 1, 2], [3, 4, -1], [-1, 7, -1], [-1, 10, -1]],
    )
    np.testing.assert_array_equal(F.SequenceLast(x, LENGTHS, **on), [3, 10, 2])
    np.testing.assert_array_equal(F.SequenceReverse(x, LENGTHS, **on), [[3, 10, 2], [0, 7, 5], [6, 4, 8], [9, 1, 11]])
    padded = np.array([[1.0, 2.0], [np.nan, np.inf]])
    np.testing.assert_array_equal(F.SequenceMask(padded, np.array([1, 1]), **on), [[1, 2], [0, 0]])


def test_sequences_check_their_inputs():
    x = np.ones((2, 3))
    with pytest.raises(MXNetError, match="Operator SequenceLast expects 2 inputs, but got 1 instead"):
        F.SequenceLast(x, use_sequence_length=True)
    with pytest.raises(ShapeError, match=r"Provided = \[1\], inferred shape=\(3,\)"):
        F.SequenceMask(x, np.array([1]), use_sequence_length=True)
    with pytest.raises(ShapeError, match="expects axis to be 0 or 1"):
        F.SequenceMask(x, axis=2)
    with pytest.raises(ShapeError, match="expects axis to be 0"):
        F.SequenceReverse(x, axis=1)


def test_of_indices_with_a_fraction_the_whole_part_counts() -> None:
    """As in MXNet, which reads them as integers."""
    numbers = nd.unravel_index(nd.array([22.5, 30.3, 41.9]), shape=(7, 6))
    assert numbers.asnumpy().tolist() == [[3, 5, 6], [4, 0, 5]]
    columns = nd.array([[1.5, 2.2, 1.1], [3.3, 1.1, -1.2]])
    assert nd.ravel_multi_index(columns, shape=(7, 6)).asnumpy().tolist() == [9, 13, 4]


@pytest.mark.parametrize(
    ("data", "indices", "message"),
    [
        ((2, 3), (2, 3), "(2 vs. 6) : Index array's size must be the same as data array's size excluding the first"),
        ((2, 3), (3,), "(2 vs. 3) : Index array's size must be the same"),
        ((2, 2, 3), (2,), "(4 vs. 2) : Index array's size must be the same"),
        ((3,), (1,), "(1 vs. 2) : Data array must have at least 2 dimensional"),
    ],
)
def test_batch_take_wants_one_index_for_every_row(data, indices, message):
    with pytest.raises(MXNetError, match=re.escape(message)):
        nd.batch_take(nd.ones(data), nd.zeros(indices))
    with pytest.raises(MXNetError, match=re.escape(message)):
        sym.batch_take(sym.var("a"), sym.var("i")).infer_shape(a=data, i=indices)
