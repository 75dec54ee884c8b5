"""Operators that only move elements are linear: their gradient is the adjoint, and so is its own."""

from __future__ import annotations

import numpy as np
import pytest

import d2lhybrid.internals.ops  # noqa: F401  (registers the operators)
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator

F = kernel_space(np)

# operator, shapes of the inputs, attributes
CASES = [
    ("Reshape", [(2, 3, 4)], {"shape": (0, -1)}),
    ("_np_reshape", [(2, 3)], {"newshape": (3, -1)}),
    ("_npx_reshape", [(2, 3, 4)], {"newshape": (-2, -5)}),
    ("reshape_like", [(2, 3), (3, 2)], {}),
    ("reshape_like", [(6, 2), (3, 2, 5)], {"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2}),
    ("Flatten", [(2, 3, 4)], {}),
    ("expand_dims", [(2, 3)], {"axis": -1}),
    ("squeeze", [(1, 2, 1)], {}),
    ("squeeze", [(1, 2, 1)], {"axis": (0,)}),
    ("_np_squeeze", [(1, 1)], {}),
    ("_np_atleast_1d", [()], {}),
    ("_np_atleast_2d", [(3,), (2, 3), ()], {}),
    ("_np_atleast_3d", [(3,), (2, 3), (2, 3, 4)], {}),
    ("transpose", [(2, 3, 4)], {}),
    ("transpose", [(2, 3, 4)], {"axes": (2, 0, 1)}),
    ("_np_transpose", [(2, 3, 4)], {"axes": (-1, 0, 1)}),
    ("SwapAxis", [(2, 3, 4)], {"dim1": 0, "dim2": 2}),
    ("_np_moveaxis", [(2, 3, 4)], {"source": (0, 1), "destination": (-1, -3)}),
    ("reverse", [(2, 3)], {"axis": (0, 1)}),
    ("_npi_flip", [(2, 3)], {"axis": None}),
    ("_npi_rot90", [(2, 3, 4)], {"k": 1, "axes": (0, 2)}),
    ("_npi_rot90", [(2, 3)], {"k": 2}),
    ("_np_roll", [(2, 3)], {"shift": (1,)}),
    ("_np_roll", [(2, 3)], {"shift": (1, -2), "axis": (0, 1)}),
    ("_npi_broadcast_to", [(2, 1)], {"shape": (4, 2, 3)}),
    ("_np_copy", [(2, 3)], {}),
    ("tile", [(2, 3)], {"reps": (2,)}),
    ("tile", [(3,)], {"reps": (2, 1, 2)}),
    ("repeat", [(2, 3)], {"repeats": 2}),
    ("repeat", [(2, 3)], {"repeats": 3, "axis": -1}),
    *(
        ("Pad", [(1, 2, 4, 5)], {"mode": mode, "pad_width": (0, 0, 0, 0, 1, 2, 3, 0)})
        for mode in ("constant", "edge", "reflect")
    ),
    *(
        ("_npi_pad", [(3, 4)], {"pad_width": ((1, 2), (0, 3)), "mode": mode})
        for mode in ("constant", "edge", "reflect", "symmetric")
    ),
    ("Concat", [(2, 3), (2, 1), (2, 2)], {"dim": -1}),
    ("Concat", [(2, 3)], {"dim": 0}),
    ("_npi_concatenate", [(2, 3), (4,)], {"axis": None}),
    ("_npi_vstack", [(3,), (2, 3)], {}),
    ("_npi_hstack", [(3,), (2,)], {}),
    ("_npi_hstack", [(2, 3), (2, 1)], {}),
    ("_npi_dstack", [(2,), (1, 2)], {}),
    ("_npi_column_stack", [(2,), (2, 2)], {}),
    ("stack", [(2, 3), (2, 3)], {"axis": -1}),
    ("_npi_stack", [(2, 3)], {"axis": 1}),
    ("SliceChannel", [(2, 6)], {"num_outputs": 3}),
    ("SliceChannel", [(2, 3)], {"num_outputs": 3, "axis": -1, "squeeze_axis": True}),
    ("SliceChannel", [(2, 3)], {"num_outputs": 1}),
    ("_split_v2", [(6, 2)], {"indices": (0, 1, 4), "axis": 0}),
    ("_split_v2", [(7,)], {"indices": (), "axis": 0, "sections": 3}),
    ("_npi_hsplit", [(4,)], {"indices": (), "sections": 2}),
    ("_npi_hsplit", [(2, 3)], {"indices": (), "sections": 3, "squeeze_axis": True}),
    ("_npi_dsplit", [(2, 2, 3)], {"indices": (0, 1)}),
    ("slice", [(4, 5)], {"begin": (1, None), "end": (3, 0), "step": (None, -2)}),
    ("slice_axis", [(4, 5)], {"axis": -1, "begin": -3, "end": None}),
    ("slice_like", [(4, 5), (2, 3)], {}),
    ("slice_like", [(4, 5), (2, 9)], {"axes": (0,)}),
    ("Crop", [(1, 2, 4, 5)], {"h_w": (2, 3), "offset": (1, 2)}),
    ("Crop", [(1, 2, 4, 5), (1, 1, 2, 2)], {"center_crop": True}),
    ("depth_to_space", [(1, 8, 2, 3)], {"block_size": 2}),
    ("space_to_depth", [(1, 2, 4, 6)], {"block_size": 2}),
    ("im2col", [(2, 3, 5, 6)], {"kernel": (2, 3), "stride": (2, 1), "dilate": (1, 2), "pad": (1, 1)}),
    ("im2col", [(2, 3, 5)], {"kernel": (2,)}),
    ("col2im", [(1, 8, 9)], {"output_size": (4, 4), "kernel": (2, 2)}),
    ("diag", [(3,)], {"k": -1}),
    ("diag", [(2, 3, 4)], {"k": 1, "axis1": 2, "axis2": 0}),
    ("_np_diag", [(3, 4)], {"k": -1}),
    ("_np_diagflat", [(2, 2)], {"k": 1}),
    ("_np_diagonal", [(2, 3, 4)], {"offset": 1, "axis1": 1, "axis2": 2}),
    ("_npi_tril", [(3, 4)], {"k": 1}),
    ("_npi_tril", [(3,)], {}),
]


def as_list(value):
    return list(value) if isinstance(value, list | tuple) else [value]


def dot(a, b):
    return sum(float((x * y).sum()) for x, y in zip(a, b, strict=True) if y is not None)


class Recorder:
    """Calls kernels, and remembers each ``_backward_`` operator that a gradient rule used."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*arrays, **attributes):
            result = getattr(F, name)(*arrays, **attributes)
            if name.startswith("_backward_"):
                self.calls.append((name, arrays, attributes, result))
            return result

        return call


def apply_gradient(name, space, heads, outputs, inputs, attributes):
    op = get_operator(name)
    full = op.complete(attributes)
    several = len(outputs) > 1
    return op.gradient_rule(space, heads if several else heads[0], outputs if several else outputs[0], *inputs, **full)


@pytest.mark.parametrize(("name", "shapes", "attributes"), CASES)
def test_gradient_is_the_adjoint(name, shapes, attributes):
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(shape) for shape in shapes]
    outputs = as_list(getattr(F, name)(*inputs, **attributes))
    heads = [rng.standard_normal(np.shape(y)) for y in outputs]
    space = Recorder()
    gradients = apply_gradient(name, space, heads, outputs, inputs, attributes)
    assert len(gradients) == len(inputs)
    for x, g in zip(inputs, gradients, strict=True):
        assert g is None or g.shape == x.shape
    np.testing.assert_allclose(dot(heads, outputs), dot(inputs, gradients), rtol=1e-10)

    for backward, arrays, settings, result in space.calls:
        results = as_list(result)
        heads = [rng.standard_normal(y.shape) for y in results]
        second = apply_gradient(backward, F, heads, results, arrays, settings)
        assert all(g is None for g in second[1:])
        np.testing.assert_allclose(dot(heads, results), dot(arrays[:1], second[:1]), rtol=1e-10)


@pytest.mark.parametrize(("name", "shapes", "attributes"), CASES)
def test_shape_rule_is_the_kernel_and_knows_less_from_less(name, shapes, attributes):
    op = get_operator(name)
    full = op.complete(attributes)
    outputs = as_list(op(np, *[np.zeros(shape) for shape in shapes], **attributes))
    expected = [np.shape(y) for y in outputs]
    completed, found = op.shape_rule(*shapes, **full)
    assert [tuple(s) for s in completed] == shapes
    assert [tuple(s) for s in found] == expected

    assert op.num_outputs(attributes, len(shapes)) == len(expected)
    partial = [[None] * len(shapes), [(None,) * len(s) for s in shapes]]
    partial += [[None if i == j else s for i, s in enumerate(shapes)] for j in range(len(shapes))]
    for inputs in partial:
        completed, found = op.shape_rule(*inputs, **full)
        assert len(completed) == len(shapes)
        assert len(found) == len(expected)
        for known, true in zip([*completed, *found], [*shapes, *expected], strict=True):
            assert known is None or len(known) == len(true)
            assert known is None or all(n in (None, m) for n, m in zip(known, true, strict=True))


def test_unused_pieces_of_a_split_count_as_zeros():
    x = np.arange(6.0)
    y = F.SliceChannel(x, num_outputs=3, axis=0)
    heads = [None, np.ones(2), None]
    (g,) = apply_gradient("SliceChannel", F, heads, list(y), [x], {"num_outputs": 3, "axis": 0})
    np.testing.assert_array_equal(g, [0, 0, 1, 1, 0, 0])


@pytest.mark.parametrize(("mode", "most"), [("reflect", 2), ("symmetric", 3)])
def test_the_gradient_of_mirrored_padding_names_the_largest_width(mode: str, most: int) -> None:
    fits, too_wide = (((0, 0), (most + more, 0)) for more in (0, 1))
    assert F._backward_npi_pad(np.ones((2, 3 + most)), pad_width=fits, mode=mode).shape == (2, 3)
    with pytest.raises(MXNetError, match=f"widths of at most {most} on axis 1, not {most + 1} and 0"):
        F._backward_npi_pad(np.ones((2, 4 + most)), pad_width=too_wide, mode=mode)
