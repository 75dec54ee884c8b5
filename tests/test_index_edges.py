"""Indices, lengths, classes and regions at the edge: what real MXNet 1.9.1 answered, or a reason."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.ops import index

from .indices.cases import INSTANCES, tries
from .indices.judge import backends, recorded, same
from .indices.reasons import REASONS
from .indices.record import key
from .indices.table import Row, judged, table

PARTS = 6
MXNET = os.environ.get("D2LHYBRID_MXNET_PYTHON", "")


@functools.cache
def rows_of(part: int, way: str | None) -> list[Row]:
    """Return the answers of every sixth call."""
    return judged((way,), parts=slice(part, None, PARTS))


@pytest.mark.parametrize("way", [None, "numpy"])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_that_of_mxnet_or_explained(part, way):
    assert [(r.call, r.column, r.dtype, r.theirs, r.mine) for r in rows_of(part, way) if r.mark == "?"] == []


@pytest.mark.parametrize("part", range(PARTS))
def test_hybridized_and_line_by_line_answer_the_same(part):
    eager = {(r.call, r.column, r.dtype): r.mine for r in rows_of(part, None)}
    different = [r[:3] for r in rows_of(part, "numpy") if not same(r.mine, eager[r[:3]])]
    assert different == []


@pytest.mark.parametrize("backend", ["c", "onednn"])
def test_backends_answer_the_same(backend):
    if backend not in backends():
        pytest.skip(f"{backend} is not installed")
    rows = judged((backend,), parts=slice(None, None, 7))
    assert rows and [r[:3] for r in rows if r.mark == "?"] == []


def test_every_call_was_recorded_and_every_reason_is_used():
    assert {key(i, t) for i in INSTANCES for t in tries(i)} == set(recorded())
    used = {row.mark for part in range(PARTS) for row in rows_of(part, None)}
    assert {reason.mark for reason in REASONS} == used - {"="}


def test_the_page_is_what_the_command_writes():
    rows = [row for part in range(PARTS) for row in rows_of(part, None)]
    page = Path(__file__).parents[1] / "docs" / "index_edges.md"
    assert page.read_text("utf-8") == table(rows), "run `make indices`"


@pytest.mark.interop
@pytest.mark.skipif(not MXNET, reason="real MXNet is not installed")
def test_mxnet_still_answers_what_was_recorded():
    names = ("ROIPooling, image", "pick(axis=1, mode='wrap')", "SoftmaxOutput")
    asked = [(i, j) for i, x in enumerate(INSTANCES) if x.name in names for j, _ in enumerate(tries(x))]
    server = subprocess.run(
        [MXNET, str(Path(__file__).parent / "indices" / "record.py"), "--serve"],
        input="".join(f"{i:>31} {j:>31}\n" for i, j in asked),  # 64 bytes a question: they are read one by one
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    answers = list(map(json.loads, server.stdout.splitlines()))
    expected = [recorded()[key(INSTANCES[i], list(tries(INSTANCES[i]))[j])] for i, j in asked]
    assert [same(a, b) for a, b in zip(answers, expected, strict=True)] == [True] * len(asked)


# --- what a program sees -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("image", [-1, 2, 2**31, numpy.nan])
def test_a_region_of_no_image_is_zeros_and_has_no_gradient(image):
    data = nd.arange(24).reshape((2, 1, 3, 4)) + 1
    regions = nd.array([[1, 0, 0, 3, 2], [image, 0, 0, 3, 2]])
    for pool in (
        lambda: nd.ROIPooling(data, regions, pooled_size=(1, 1), spatial_scale=1),
        lambda: nd.contrib.ROIAlign(data, regions, pooled_size=(1, 1), spatial_scale=1, sample_ratio=1),
        lambda: nd.contrib.PSROIPooling(data, regions, spatial_scale=1, output_dim=1, pooled_size=1),
        lambda: nd.contrib.RROIAlign(
            data, nd.concat(regions, nd.zeros((2, 1))), pooled_size=(1, 1), spatial_scale=1, sampling_ratio=1
        ),
        lambda: nd.contrib.DeformablePSROIPooling(
            data, regions, no_trans=True, spatial_scale=1, output_dim=1, group_size=1, pooled_size=1
        ),
    ):
        data.attach_grad()
        with autograd.record():
            y = pool()
        y.backward(nd.array([0, 1]).reshape((2, 1, 1, 1)))
        assert y[0].asscalar() > 0
        assert y[1].asscalar() == 0 and not data.grad.asnumpy().any()


def test_numbers_without_a_whole_part_are_the_smallest_index_on_every_processor(monkeypatch):
    given = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 1e30, 2.7, -0.5], "float32")
    expected = [-(2**63)] * 4 + [2, 0]
    for casts in (True, False):
        monkeypatch.setattr(index, "_CASTS_TO_SMALLEST", casts)
        with numpy.errstate(invalid="ignore"):
            if casts and given[0].astype("int64") != -(2**63):
                continue  # another processor
        assert index.integer_indices(given).tolist() == expected
        assert index.integer_indices(given[[0, 1, 4]].astype("float16")).tolist() == [-(2**63), -(2**63), 2]


def test_an_index_that_is_no_number_makes_no_warning_of_numpy(recwarn):
    nd.take(nd.arange(3), nd.array([numpy.nan])).asnumpy()
    nd.one_hot(nd.array([numpy.nan]), 3).asnumpy()
    with pytest.raises(IndexError):
        nd.arange(3)[nd.array([numpy.nan])]
    assert not recwarn.list


def test_rows_copied_to_an_index_from_the_end_have_the_gradient_of_that_row():
    old, new = nd.ones((3, 2)), nd.ones((2, 2))
    new.attach_grad()
    with autograd.record():
        y = nd.contrib.index_copy(old, nd.array([1, -1]), new)
    y.backward(nd.arange(6).reshape((3, 2)))
    assert new.grad.asnumpy().tolist() == [[2, 3], [4, 5]]


def test_what_is_filled_in_no_column_has_no_gradient():
    matrix, filled = nd.ones((3, 2)), nd.ones((3,))
    filled.attach_grad()
    with autograd.record():
        y = nd.fill_element_0index(matrix, filled, nd.array([1, 2, -1]))
    y.backward(nd.arange(6).reshape((3, 2)) + 1)
    assert filled.grad.asnumpy().tolist() == [2, 0, 0]


def test_a_length_of_no_number_is_the_first_step():
    x = nd.arange(6).reshape((3, 2))
    last = nd.SequenceLast(x, nd.array([numpy.nan, 2]), use_sequence_length=True)
    assert last.asnumpy().tolist() == [0, 3]


def test_a_point_that_is_nowhere_has_no_part_in_the_gradient_of_the_image():
    data, grid = nd.ones((1, 1, 2, 2)), nd.array([numpy.nan, 0, 0, 0]).reshape((1, 2, 1, 2))
    data.attach_grad()
    with autograd.record():
        y = nd.BilinearSampler(data, grid)
    y.backward()
    assert numpy.isfinite(data.grad.asnumpy()).all()


def test_inputs_by_position_are_those_that_the_call_takes():
    data, labels, lengths = nd.ones((4, 2, 3)), nd.array([[1, 2], [2, 1]]), nd.array([1, 2])
    by_name = nd.CTCLoss(data, labels, label_lengths=lengths, use_label_lengths=True)
    by_position = nd.CTCLoss(data, labels, lengths, use_label_lengths=True)
    assert by_name.asnumpy().tolist() == by_position.asnumpy().tolist()
    loss = sym.CTCLoss(sym.var("a"), sym.var("b"), sym.var("c"), use_label_lengths=True)
    assert loss.list_arguments() == ["a", "b", "c"]
    bound = loss.bind(mx.cpu(), {"a": data, "b": labels, "c": lengths})
    assert bound.forward()[0].asnumpy().tolist() == by_name.asnumpy().tolist()


def test_shapes_of_copied_rows_that_do_not_match_are_named_with_their_inputs():
    with pytest.raises(MXNetError, match=r"old_tensor \[3,2\], index_vector \[2\], new_tensor \[1,2\]"):
        nd.contrib.index_copy(nd.ones((3, 2)), nd.array([0, 1]), nd.ones((1, 2)))


def test_a_region_of_a_million_points_is_refused():
    regions = nd.array([[0, 0, 0, 2**21, 2]])
    with pytest.raises(MXNetError, match="at most 65536 are allowed") as caught:
        nd.contrib.ROIAlign(nd.ones((1, 1, 3, 3)), regions, pooled_size=(1, 1), spatial_scale=1)
    assert "Clip the regions to the image, or pass a positive sample_ratio." in caught.value.__notes__
