"""Every operator that takes indices, lengths or regions, and the values that are tried as one of them.

An :class:`Instance` is one call, written as text. ``V`` in it is replaced by each of the values, ``T`` by the element
type that carries the value. This file imports only NumPy, so that real MXNet's interpreter can read it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["INSTANCES", "Instance", "Try", "tries"]


class Instance(NamedTuple):
    """One call of an operator.

    Attributes
    ----------
    name : str
        The call as the table shows it.
    code : str
        An expression over ``F`` and the inputs ``a``, ``b``, ``c`` (for arrays alone: statements that leave ``y``).
    inputs : tuple of str
        Expressions for the inputs, over ``numpy``.
    size : int
        How many elements there are to name: ``n`` in the columns of the table.
    np : bool
        Whether it is a call of ``np`` or ``npx``.
    hybrid : bool
        Whether the call can be part of a graph.
    kinds : str
        Which values are tried: ``"array"`` (all), ``"number"`` (an attribute: whole numbers and a fraction) or
        ``"real"`` (a coordinate).
    family : str
        The part of the table.
    """

    name: str
    code: str
    inputs: tuple
    size: int
    np: bool
    hybrid: bool
    kinds: str
    family: str


class Try(NamedTuple):
    """One value in the place of ``V``: its name in the table, its text and its element type."""

    column: str
    value: str
    dtype: str


def tries(instance: Instance) -> Iterator[Try]:
    """Iterate over the values that are tried in a call."""
    n = instance.size
    whole = [("-1", -1), ("-n", -n), ("-n-1", -n - 1), ("n", n), ("n+1", n + 1)]
    if instance.kinds == "number":
        for column, value in [*whole, ("2^31", 2**31), ("0.5", 0.5)]:
            yield Try(column, repr(value), "")
        return
    for column, value in [*whole, ("2^31", 2**31), ("0.5", 0.5), ("n-0.5", n - 0.5), ("-0.5", -0.5)]:
        yield Try(column, repr(value), "float32")
    yield Try("NaN", "numpy.nan", "float32")
    yield Try("inf", "numpy.inf", "float32")
    yield Try("-inf", "-numpy.inf", "float32")
    if instance.kinds == "array":
        for column, value in whole:
            yield Try(column, repr(value), "int32")
        for column, value in [*whole, ("2^31", 2**31)]:
            yield Try(column, repr(value), "int64")
        yield Try("n", repr(n), "uint8")


INSTANCES: list = []
_family = ""


def _add(name, code, *inputs, n, np=False, hybrid=True, kinds="array"):
    INSTANCES.append(Instance(name, code, inputs, n, np, hybrid, kinds, _family))


def _floats(*shape):
    count = 1
    for size in shape:
        count *= size
    return f"(numpy.arange({count}, dtype='float32').reshape({shape}) + 1)"


def _waves(*shape):
    return f"numpy.sin({_floats(*shape)}).astype('float32')"


# --- reading at indices ----------------------------------------------------------------------------------------------

_family = "Reading at indices"
_ROW = "numpy.array([1, V, 0], T)"

for _mode in ("clip", "wrap", "raise"):
    _add(f"take(mode={_mode!r})", f"F.take(a, b, mode={_mode!r})", _floats(3, 2), _ROW, n=3)
    _add(f"take(axis=1, mode={_mode!r})", f"F.take(a, b, axis=1, mode={_mode!r})", _floats(2, 3, 2), _ROW, n=3)
    _add(f"np.take(mode={_mode!r})", f"F.np.take(a, b, axis=0, mode={_mode!r})", _floats(3, 2), _ROW, n=3, np=True)
_add("np.take(axis=None, mode='clip')", "F.np.take(a, b, mode='clip')", _floats(3, 2), _ROW, n=6, np=True)
_add(
    "np.take of float16",
    "F.np.take(a, b, axis=1, mode='wrap')",
    _floats(2, 3) + ".astype('float16')",
    _ROW,
    n=3,
    np=True,
)
for _axis, _shape in ((0, (3, 2)), (1, (2, 3))):
    _index = "numpy.array([1, V], T)"
    for _mode in ("clip", "wrap"):
        _add(f"pick(axis={_axis}, mode={_mode!r})", f"F.pick(a, b, axis={_axis}, mode={_mode!r})",
             _floats(*_shape), _index, n=3)  # fmt: skip
_add("pick(keepdims=True)", "F.pick(a, b, axis=1, keepdims=True)", _floats(2, 3), "numpy.array([[1], [V]], T)", n=3)
for _mode in ("clip", "wrap"):
    _add(f"npx.pick(mode={_mode!r})", f"F.npx.pick(a, b, axis=-1, mode={_mode!r})",
         _floats(2, 3), "numpy.array([1, V], T)", n=3, np=True)  # fmt: skip
_add("choose_element_0index", "F.choose_element_0index(a, b)", _floats(2, 3), "numpy.array([1, V], T)", n=3)
_add("batch_take", "F.batch_take(a, b)", _floats(2, 3), "numpy.array([1, V], T)", n=3)
_add("Embedding", "F.Embedding(b, a, input_dim=3, output_dim=2)", _floats(3, 2), _ROW, n=3)
_add("npx.embedding", "F.npx.embedding(b, a, input_dim=3, output_dim=2)", _floats(3, 2), _ROW, n=3, np=True)
_add("contrib.SparseEmbedding", "F.contrib.SparseEmbedding(b, a, input_dim=3, output_dim=2)", _floats(3, 2), _ROW, n=3)
_add("gather_nd, first axis", "F.gather_nd(a, b)", _floats(3, 2), "numpy.array([[1, V, 0], [1, 1, 0]], T)", n=3)
_add("gather_nd, last axis", "F.gather_nd(a, b)", _floats(2, 3), "numpy.array([[1, 0, 1], [1, V, 0]], T)", n=3)
_add("gather_nd of rows", "F.gather_nd(a, b)", _floats(3, 2), "numpy.array([[1, V, 0]], T)", n=3)
_add("npx.gather_nd", "F.npx.gather_nd(a, b)", _floats(3, 2), "numpy.array([[1, V], [1, 0]], T)", n=3, np=True)

# --- writing at indices ----------------------------------------------------------------------------------------------

_family = "Writing at indices"
_add("scatter_nd", "F.scatter_nd(a, b, shape=(3, 2))", _floats(2), "numpy.array([[1, V], [1, 0]], T)", n=3)
_add("scatter_nd, last axis", "F.scatter_nd(a, b, shape=(2, 3))", _floats(2), "numpy.array([[1, 0], [1, V]], T)", n=3)
_add("scatter_nd of rows", "F.scatter_nd(a, b, shape=(3, 2))", _floats(2, 2), "numpy.array([[1, V]], T)", n=3)
_add(
    "contrib.index_copy",
    "F.contrib.index_copy(a, b, c)",
    _floats(3, 2),
    "numpy.array([1, V], T)",
    "-" + _floats(2, 2),
    n=3,
)
_add("fill_element_0index", "F.fill_element_0index(a, c, b)", _floats(2, 3), "numpy.array([1, V], T)",
     "-" + _floats(2), n=3,
     hybrid=False)  # fmt: skip
_add("one_hot", "F.one_hot(a, 3)", "numpy.array([1, V], T)", n=3)
_add("one_hot(on_value=2, off_value=-1)", "F.one_hot(a, 3, on_value=2, off_value=-1)", "numpy.array([1, V], T)", n=3)
_add("npx.one_hot", "F.npx.one_hot(a, 3)", "numpy.array([1, V], T)", n=3, np=True)
_add("onehot_encode", "y = F.onehot_encode(a, F.ones((2, 3)))", "numpy.array([1, V], T)", n=3, hybrid=False)
_add("np.delete(position)", "F.np.delete(a, V, axis=0)", _floats(3, 2), n=3, np=True, kinds="number", hybrid=False)
_add(
    "np.delete(positions)",
    "F.np.delete(a, b, axis=0)",
    _floats(3, 2),
    "numpy.array([1, V], T)",
    n=3,
    np=True,
    hybrid=False,
)
_add("np.insert(position)", "F.np.insert(a, V, 9, axis=0)", _floats(3, 2), n=3, np=True, kinds="number", hybrid=False)
_add(
    "np.insert(positions)",
    "F.np.insert(a, b, c, axis=0)",
    _floats(3, 2),
    "numpy.array([1, V], T)",
    _floats(2, 2),
    n=3,
    np=True,
    hybrid=False,
)
_add("np.bincount", "F.np.bincount(a, minlength=3)", "numpy.array([1, V], T)", n=3, np=True, hybrid=False)

# --- numbers of elements ---------------------------------------------------------------------------------------------

_family = "Flat indices"
_add("ravel_multi_index", "F.ravel_multi_index(a, shape=(3, 4))", "numpy.array([[1, V], [1, 2]], T)", n=3)
_add("ravel_multi_index, last axis", "F.ravel_multi_index(a, shape=(2, 3))", "numpy.array([[1, 1], [1, V]], T)", n=3)
_add("unravel_index", "F.unravel_index(a, shape=(2, 3))", "numpy.array([1, V], T)", n=6)
_add("np.unravel_index", "F.np.unravel_index(a, (2, 3))", "numpy.array([1, V], T)", n=6, np=True, hybrid=False)

# --- an array's own brackets -----------------------------------------------------------------------------------------

_family = "Indexing with brackets"
for _np in (False, True):
    _p = "np " if _np else ""
    _add(_p + "a[i]", "y = a[V]", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[:, i]", "y = a[:, V]", _floats(2, 3), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[i:]", "y = a[V:]", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[:i]", "y = a[:V]", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[i::-1]", "y = a[V::-1]", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[[1, i]]", "y = a[[1, V]]", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[array]", "y = a[b]", _floats(3, 2), "numpy.array([1, V], T)", n=3, np=_np, hybrid=False)
    _add(
        _p + "a[array of NumPy]",
        "y = a[b.asnumpy()]",
        _floats(3, 2),
        "numpy.array([1, V], T)",
        n=3,
        np=_np,
        hybrid=False,
    )
    _add(_p + "a[:, array]", "y = a[:, b]", _floats(2, 3), "numpy.array([1, V], T)", n=3, np=_np, hybrid=False)
    _add(_p + "a[array, array]", "y = a[b, b]", _floats(3, 3), "numpy.array([1, V], T)", n=3, np=_np, hybrid=False)
    _add(_p + "a[i] = 9", "y = a.copy(); y[V] = 9", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[i:] = 9", "y = a.copy(); y[V:] = 9", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(_p + "a[[1, i]] = 9", "y = a.copy(); y[[1, V]] = 9", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")
    _add(
        _p + "a[array] = 9",
        "y = a.copy(); y[b] = 9",
        _floats(3, 2),
        "numpy.array([1, V], T)",
        n=3,
        np=_np,
        hybrid=False,
    )
    _add(_p + "a.slice_assign", "y = a.copy(); y[V:2] = 9", _floats(3, 2), n=3, np=_np, hybrid=False, kinds="number")

# --- lengths ---------------------------------------------------------------------------------------------------------

_family = "Lengths of sequences"
_LENGTHS = "numpy.array([2, V], T)"
for _axis, _shape in ((0, (3, 2)), (1, (2, 3))):
    for _op, _more in (("SequenceMask", "value=-1, "), ("SequenceLast", ""), ("SequenceReverse", "")):
        if _op == "SequenceReverse" and _axis:
            continue
        _add(f"{_op}(axis={_axis})", f"F.{_op}(a, b, use_sequence_length=True, {_more}axis={_axis})",
             _floats(*_shape), _LENGTHS, n=3)  # fmt: skip
_add(
    "npx.sequence_mask",
    "F.npx.sequence_mask(a, b, use_sequence_length=True, value=-1)",
    _floats(3, 2),
    _LENGTHS,
    n=3,
    np=True,
)
_add("softmax(use_length=True)", "F.softmax(a, b, use_length=True)", _waves(2, 3), _LENGTHS, n=3)
_add("softmax(use_length=True, axis=0)", "F.softmax(a, b, axis=0, use_length=True)", _waves(3, 2), _LENGTHS, n=3)
_add("CTCLoss(data_lengths)", "F.CTCLoss(a, c, b, use_data_lengths=True)", _waves(4, 2, 3),
     "numpy.array([3, V], T)", "numpy.array([[1, 2], [2, 0]], 'float32')", n=4)  # fmt: skip
_add("CTCLoss(label_lengths)", "F.CTCLoss(a, c, b, use_label_lengths=True)", _waves(4, 2, 3),
     "numpy.array([1, V], T)", "numpy.array([[1, 2], [2, 1]], 'float32')", n=2)  # fmt: skip

# --- classes ---------------------------------------------------------------------------------------------------------

_family = "Classes"
_LABELS = "numpy.array([1, V], T)"
_add("SoftmaxOutput", "F.SoftmaxOutput(a, b)", _waves(2, 3), _LABELS, n=3)
_add(
    "SoftmaxOutput(use_ignore=True)",
    "F.SoftmaxOutput(a, b, use_ignore=True, ignore_label=-1)",
    _waves(2, 3),
    _LABELS,
    n=3,
)
_add("SoftmaxOutput(multi_output=True)", "F.SoftmaxOutput(a, b, multi_output=True)", _waves(1, 3, 2),
     "numpy.array([[1, V]], T)", n=3)  # fmt: skip
_add("SoftmaxOutput(smooth_alpha=0.1)", "F.SoftmaxOutput(a, b, smooth_alpha=0.1)", _waves(2, 3), _LABELS, n=3)
_add("softmax_cross_entropy", "F.softmax_cross_entropy(a, b)", _waves(2, 3), _LABELS, n=3)
_add("SVMOutput", "F.SVMOutput(a, b)", _waves(2, 3), _LABELS, n=3)
_add("SVMOutput(use_linear=True)", "F.SVMOutput(a, b, use_linear=True)", _waves(2, 3), _LABELS, n=3)
_add("CTCLoss(labels)", "F.CTCLoss(a, b)", _waves(4, 2, 3), "numpy.array([[1, 2], [2, V]], T)", n=3)
_add("CTCLoss(labels, blank_label='last')", "F.CTCLoss(a, b, blank_label='last')", _waves(4, 2, 3),
     "numpy.array([[1, 0], [1, V]], T)", n=3)  # fmt: skip

# --- parts -----------------------------------------------------------------------------------------------------------

_family = "Slices"
for _np, _name in ((False, "slice"), (True, "npx.slice")):
    _f = "F." + _name
    _add(_name + "(begin=i)", _f + "(a, begin=(V,), end=(None,))", _floats(3, 2), n=3, np=_np, kinds="number")
    _add(_name + "(end=i)", _f + "(a, begin=(None,), end=(V,))", _floats(3, 2), n=3, np=_np, kinds="number")
    _add(
        _name + "(begin=i, step=-1)",
        _f + "(a, begin=(V,), end=(None,), step=(-1,))",
        _floats(3, 2),
        n=3,
        np=_np,
        kinds="number",
    )
    _add(
        _name + "(end=i, step=-1)",
        _f + "(a, begin=(None,), end=(V,), step=(-1,))",
        _floats(3, 2),
        n=3,
        np=_np,
        kinds="number",
    )
_add("slice_axis(begin=i)", "F.slice_axis(a, axis=0, begin=V, end=None)", _floats(3, 2), n=3, kinds="number")
_add("slice_axis(end=i)", "F.slice_axis(a, axis=0, begin=0, end=V)", _floats(3, 2), n=3, kinds="number")
_add("slice_like(axes=i)", "F.slice_like(a, b, axes=(V,))", _floats(3, 2), _floats(1, 1), n=2, kinds="number")
_add("Crop(offset=i)", "F.Crop(a, offset=(V, 0), h_w=(2, 2))", _floats(1, 1, 3, 3), n=3, kinds="number")
_add("Crop(h_w=i)", "F.Crop(a, offset=(0, 0), h_w=(V, 2))", _floats(1, 1, 3, 3), n=3, kinds="number")
_add("image.crop(x=i)", "F.image.crop(a, V, 0, 2, 2)", _floats(3, 3, 1), n=3, kinds="number")
_add("image.crop(width=i)", "F.image.crop(a, 0, 0, V, 2)", _floats(3, 3, 1), n=3, kinds="number")
_add("split_v2(indices)", "F.split_v2(a, (1, V))", _floats(3, 2), n=3, kinds="number")
_add("np.split(indices)", "F.np.split(a, (1, V))", _floats(3, 2), n=3, np=True, kinds="number")
_add("np.hsplit(indices)", "F.np.hsplit(a, (1, V))", _floats(2, 3), n=3, np=True, kinds="number")
_add("diag(k=i)", "F.diag(a, k=V)", _floats(3, 3), n=3, kinds="number")
_add("np.diag(k=i)", "F.np.diag(a, k=V)", _floats(3, 3), n=3, np=True, kinds="number")
_add("np.diagonal(offset=i)", "F.np.diagonal(a, offset=V)", _floats(3, 3), n=3, np=True, kinds="number")
_add("np.tril(k=i)", "F.np.tril(a, k=V)", _floats(3, 3), n=3, np=True, kinds="number")
_add("np.roll(shift=i)", "F.np.roll(a, V, axis=0)", _floats(3, 2), n=3, np=True, kinds="number")
_add("linalg.extractdiag(offset=i)", "F.linalg.extractdiag(a, offset=V)", _floats(3, 3), n=3, kinds="number")
_add("linalg.extracttrian(offset=i)", "F.linalg.extracttrian(a, offset=V)", _floats(3, 3), n=3, kinds="number")
_add("contrib.boolean_mask", "F.contrib.boolean_mask(a, b)", _floats(2, 2), "numpy.array([1, V], T)", n=2)
_add("where", "F.where(b, a, c)", _floats(2, 2), "numpy.array([[0, 1], [0, V]], T)", "-" + _floats(2, 2), n=2)

# --- regions ---------------------------------------------------------------------------------------------------------

_family = "Regions of interest"
_IMAGE = "numpy.array([[0, 0, 0, 2, 2], [V, 1, 0, 3, 2]], T)"
_EDGE = "numpy.array([[0, 0, 0, 2, 2], [1, %s, 3, 2]], T)"
_POOLED = "pooled_size=(2, 2), spatial_scale=1"
_ROI_CALLS = (
    ("ROIPooling", f"F.ROIPooling(a, b, {_POOLED})", _waves(2, 1, 3, 4), False),
    ("npx.roi_pooling", f"F.npx.roi_pooling(a, b, {_POOLED})", _waves(2, 1, 3, 4), True),
    ("contrib.ROIAlign(sample_ratio=2)", f"F.contrib.ROIAlign(a, b, {_POOLED}, sample_ratio=2)",
     _waves(2, 1, 3, 4), False),
    ("contrib.ROIAlign(aligned=True)", f"F.contrib.ROIAlign(a, b, {_POOLED}, sample_ratio=1, aligned=True)",
     _waves(2, 1, 3, 4), False),
    ("contrib.ROIAlign(position_sensitive=True)",
     f"F.contrib.ROIAlign(a, b, {_POOLED}, sample_ratio=1, position_sensitive=True)", _waves(2, 4, 3, 4), False),
    ("contrib.ROIAlign", f"F.contrib.ROIAlign(a, b, {_POOLED})", _waves(2, 1, 3, 4), False),
    ("contrib.PSROIPooling", "F.contrib.PSROIPooling(a, b, spatial_scale=1, output_dim=1, pooled_size=2)",
     _waves(2, 4, 3, 4), False),
    ("contrib.DeformablePSROIPooling",
     "F.contrib.DeformablePSROIPooling(a, b, no_trans=True, spatial_scale=1, output_dim=1, group_size=1, "
     "pooled_size=2, "
     "sample_per_part=2)", _waves(2, 1, 3, 4), False),
)  # fmt: skip
for _name, _code, _data, _np in _ROI_CALLS:
    _add(_name + ", image", _code, _data, _IMAGE, n=2, np=_np, kinds="real")
    if not _np:
        _add(_name + ", left", _code, _data, _EDGE % "V, 0", n=4, kinds="real")
        _add(_name + ", right", _code, _data, "numpy.array([[0, 0, 0, 2, 2], [1, 1, 0, V, 2]], T)", n=4, kinds="real")
_TURNED = "numpy.array([[0, 1, 1, 2, 2, 0], [%s, 2, 20]], T)"
_RROI = f"F.contrib.RROIAlign(a, b, {_POOLED}, sampling_ratio=2)"
_add("contrib.RROIAlign, image", _RROI, _waves(2, 1, 3, 4), _TURNED % "V, 1, 1, 2", n=2, kinds="real")
_add("contrib.RROIAlign, centre", _RROI, _waves(2, 1, 3, 4), _TURNED % "1, V, 1, 2", n=4, kinds="real")
_add("contrib.RROIAlign, width", _RROI, _waves(2, 1, 3, 4), _TURNED % "1, 1, 1, V", n=4, kinds="real")
_add("contrib.DeformablePSROIPooling, offset",
     "F.contrib.DeformablePSROIPooling(a, b, c, spatial_scale=1, output_dim=1, group_size=1, pooled_size=2, "
     "sample_per_part=2, part_size=2, trans_std=1)", _waves(2, 1, 3, 4), "numpy.array([[0, 0, 0, 2, 2]], 'float32')",
     "numpy.array([0, 0, 0, V, 0, 0, 0, 0.25], T).reshape(1, 2, 2, 2)", n=4, kinds="real")  # fmt: skip

# --- boxes -----------------------------------------------------------------------------------------------------------

_family = "Boxes"
_BOXES = "numpy.array([[[0, .9, .1, .1, .5, .5], [V, .8, .1, .1, .5, .6], [1, .7, .1, .1, .5, .5]]], T)"
_NMS = "F.contrib.box_nms(a, overlap_thresh=.3, coord_start=2, score_index=1, id_index=0%s)"
_add("contrib.box_nms, class", _NMS % "", _BOXES, n=2, kinds="real")
_add("contrib.box_nms, class (background_id=0)", _NMS % ", background_id=0", _BOXES, n=2, kinds="real")
_add("contrib.box_nms, score", _NMS % "",
     "numpy.array([[[0, .9, .1, .1, .5, .5], [0, V, .6, .6, .9, .9], [1, .7, .1, .1, .5, .5]]], "
     "T)", n=1, kinds="real")  # fmt: skip
_add("contrib.box_nms, corner", _NMS % "",
     "numpy.array([[[0, .9, .1, .1, .5, .5], [0, .8, V, .1, .5, .6], [1, .7, .1, .1, .5, .5]]], "
     "T)", n=1, kinds="real")  # fmt: skip
for _attribute in ("id_index", "score_index", "coord_start"):
    _settings = {"coord_start": "2", "score_index": "1", "id_index": "0"}
    _settings[_attribute] = "V"
    _add(f"contrib.box_nms({_attribute}=i)",
         "F.contrib.box_nms(a, overlap_thresh=.3, "
         "{})".format(", ".join("{}={}".format(*item) for item in sorted(_settings.items()))),
         _BOXES.replace("V", "0").replace("T", "'float32'"), n=6, kinds="number")  # fmt: skip
_add(
    "contrib.box_nms(topk=i)",
    _NMS % ", topk=V",
    _BOXES.replace("V", "0").replace("T", "'float32'"),
    n=3,
    kinds="number",
)
_add("contrib.box_iou, corner", "F.contrib.box_iou(a, b)", "numpy.array([[0, 0, 1, 1], [V, 0, 1, 1]], T)",
     "numpy.array([[0, 0, 2, 2]], 'float32')", n=1, kinds="real")  # fmt: skip
_add("contrib.bipartite_matching, score", "F.contrib.bipartite_matching(a, threshold=.1)",
     "numpy.array([[.5, V], [.4, .3]], T)", n=1, kinds="real")  # fmt: skip
_add("contrib.box_encode, match",
     "F.contrib.box_encode(a, b, c, c, F.zeros((4,)), F.ones((4,)))", "numpy.array([[1, 1]], 'float32')",
     "numpy.array([[1, V]], "
     "T)", "numpy.array([[[.1, .1, .5, .5], [.2, .2, .7, .8]]], 'float32')", n=2, kinds="real")  # fmt: skip
_ANCHORS = "numpy.array([[[.1, .1, .5, .5], [.4, .4, .9, .9], [0, 0, .3, .3]]], 'float32')"
_add("contrib.MultiBoxTarget, class", "F.contrib.MultiBoxTarget(a, b, c)", _ANCHORS,
     "numpy.array([[[0, .1, .1, .5, .5], [V, .4, .4, .9, .8]]], T)", _waves(1, 3, 3), n=2, kinds="real")  # fmt: skip
_add("contrib.MultiBoxTarget, corner", "F.contrib.MultiBoxTarget(a, b, c)", _ANCHORS,
     "numpy.array([[[0, .1, .1, .5, .5], [1, V, .4, .9, .8]]], T)", _waves(1, 3, 3), n=1, kinds="real")  # fmt: skip
_add("contrib.MultiBoxDetection, probability", "F.contrib.MultiBoxDetection(a, b, c)",
     "numpy.array([[[.1, .2, .7], [.6, V, .2], [.3, .4, .1]]], T)", "numpy.zeros((1, 12), 'float32')", _ANCHORS, n=1,
     kinds="real")  # fmt: skip
_add("contrib.MultiBoxDetection(background_id=i)", "F.contrib.MultiBoxDetection(a, b, c, background_id=V)",
     "numpy.array([[[.1, .2, .7], [.6, .4, .2], [.3, .4, .1]]], "
     "'float32')", "numpy.zeros((1, 12), 'float32')", _ANCHORS, n=3,
     kinds="number")  # fmt: skip
_PROPOSAL = (
    "F.contrib.%s(a, b, c, scales=(2,), ratios=(1,), feature_stride=4, rpn_pre_nms_top_n=4, rpn_post_nms_top_n=3, "
    "rpn_min_size=1)"
)
for _name in ("Proposal", "MultiProposal"):
    _add(f"contrib.{_name}, image size", _PROPOSAL % _name, f"abs({_waves(1, 2, 2, 2)})", f"{_waves(1, 4, 2, 2)} / 10",
         "numpy.array([[V, 8, 1]], T)", n=8, kinds="real")  # fmt: skip
    _add(f"contrib.{_name}, score", _PROPOSAL % _name,
         "numpy.array([.1, .2, .3, .4, .5, V, .7, .8], T).reshape(1, 2, 2, 2)", f"{_waves(1, 4, 2, 2)} / 10",
         "numpy.array([[8, 8, 1]], 'float32')", n=1, kinds="real")  # fmt: skip

# --- points between elements -----------------------------------------------------------------------------------------

_family = "Sampling points"
_GRID = "numpy.array([-.5, V, .3, 1, -1, .2, .5, .8], T).reshape(1, 2, 2, 2)"
_add("BilinearSampler", "F.BilinearSampler(a, b)", _waves(1, 1, 3, 3), _GRID, n=1, kinds="real")
_add("GridGenerator('warp')", "F.GridGenerator(a, transform_type='warp')", _GRID, n=2, kinds="real")
_add("GridGenerator('affine')", "F.GridGenerator(a, transform_type='affine', target_shape=(2, 2))",
     "numpy.array([[1, 0, V, 0, 1, 0]], T)", n=1, kinds="real")  # fmt: skip
_add("SpatialTransformer", "F.SpatialTransformer(a, b, target_shape=(2, 2), "
     "transform_type='affine', sampler_type='bilinear')",
     _waves(1, 1, 3, 3), "numpy.array([[1, .1, V, 0, 1, .1]], T)", n=1, kinds="real")  # fmt: skip
_OFFSETS = "numpy.array([0, V] + [.25] * 30, T).reshape(1, 8, 2, 2)"
_add("contrib.DeformableConvolution",
     "F.contrib.DeformableConvolution(a, b, c, kernel=(2, 2), num_filter=1, no_bias=True)",
     _waves(1, 1, 3, 3), _OFFSETS, _floats(1, 1, 2, 2), n=3, kinds="real")  # fmt: skip
_add("contrib.ModulatedDeformableConvolution",
     "F.contrib.ModulatedDeformableConvolution(a, b, F.ones((1, 4, 2, 2)), c, kernel=(2, 2), num_filter=1, "
     "no_bias=True)",
     _waves(1, 1, 3, 3), _OFFSETS, _floats(1, 1, 2, 2), n=3, kinds="real")  # fmt: skip
_add("contrib.hawkesll, mark",
     "F.contrib.hawkesll(a, F.array([.2, .3]), F.array([2., 1.]), F.zeros((1, 2)), F.array([[1., 1.]]), b, "
     "F.array([2.]), "
     "F.array([5.]))", "numpy.array([[1, 2]], 'float32')", "numpy.array([[1, V]], T)", n=2, hybrid=False)  # fmt: skip
