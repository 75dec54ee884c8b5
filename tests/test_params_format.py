"""The container of .params files: files of real MXNet, round trips, damaged and hostile files."""

import json
import os
import struct
import tracemalloc
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.formats.serialization import SavedArray, from_bytes, read_arrays, to_bytes, write_arrays
from d2lhybrid.internals.support.dtypes import CODES

GOLDEN = Path(__file__).parent / "golden_data"
FILES = json.loads((GOLDEN / "files" / "manifest.json").read_text("utf-8"))["files"]
by_file = pytest.mark.parametrize("entry", FILES, ids=[entry["file"] for entry in FILES])

V0, V1, V2, V3 = None, 0xF993FAC8, 0xF993FAC9, 0xF993FACA
INVALID = "Invalid NDArray file format"


# Files made by real MXNet --------------------------------------------------------------------------


@by_file
def test_reads_files_of_mxnet(entry):
    arrays, names = read_arrays(GOLDEN / "files" / entry["file"], np_shape=entry["np"])
    with numpy.load(GOLDEN / "files" / "expected.npz") as stored:
        expected = dict(stored)
    assert names == ([name for name, _, _ in entry["items"]] if entry["kind"] == "dict" else [])
    assert len(arrays) == len(entry["items"])
    for array, (_, key, storage) in zip(arrays, entry["items"], strict=True):
        assert array.storage == storage
        assert array.shape == expected[key].shape
        dense = array.to_dense()
        assert dense is not None and dense.dtype == expected[key].dtype
        numpy.testing.assert_array_equal(dense, expected[key])


@by_file
def test_writes_the_same_bytes_as_mxnet(entry):
    data = (GOLDEN / "files" / entry["file"]).read_bytes()
    arrays, names = from_bytes(data)
    if arrays and arrays[0].version < 2:
        pytest.skip("an old form, which nobody writes any more")
    assert to_bytes(arrays, names, np_shape=entry["np"]) == data


@pytest.mark.parametrize("path", sorted((GOLDEN / "models").glob("*.params")), ids=lambda path: path.stem)
def test_writes_the_same_bytes_as_export(path, tmp_path):
    np_shape = path.name.startswith("np_")
    arrays, names = read_arrays(path, np_shape)
    assert all(name.startswith(("arg:", "aux:")) for name in names)
    write_arrays(tmp_path / "again.params", arrays, names, np_shape)
    assert (tmp_path / "again.params").read_bytes() == path.read_bytes()


def test_context_and_version_are_kept():
    (array,), _ = read_arrays(GOLDEN / "files" / "v2_gpu_ctx.nd")
    assert (array.device_type, array.device_id, array.version) == (2, 3, 2)
    assert read_arrays(GOLDEN / "files" / "legacy_v0.nd")[0][0].version == 0
    assert read_arrays(GOLDEN / "files" / "legacy_v1.nd")[0][0].version == 1
    assert read_arrays(GOLDEN / "files" / "np_v3.nd")[0][0].version == 3


# Files made by hand --------------------------------------------------------------------------------


def _shape(*sizes, dimensions=None):
    return struct.pack(f"<i{len(sizes)}q", len(sizes) if dimensions is None else dimensions, *sizes)


def _array(sizes=(2,), magic=V2, storage=0, flag=0, values=b"\0" * 8, dimensions=None):
    if magic is V0:
        head = struct.pack(f"<I{len(sizes)}I", len(sizes), *sizes)
    elif magic == V1:
        head = struct.pack("<I", magic) + _shape(*sizes, dimensions=dimensions)
    else:
        head = struct.pack("<Ii", magic, storage) + _shape(*sizes, dimensions=dimensions)
    return head + struct.pack("<3i", 1, 0, flag) + values


def _sparse(storage, stored, sizes, *aux, magic=V2):
    head = struct.pack("<Ii", magic, storage) + _shape(*stored) + _shape(*sizes) + struct.pack("<3i", 1, 0, 0)
    for indices in aux:
        head += struct.pack("<i", CODES[indices.dtype]) + _shape(*indices.shape)
    values = numpy.ones(stored, "float32").tobytes()
    return head + values + b"".join(indices.tobytes() for indices in aux)


def _name(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def _file(*arrays, names=(), count=None, name_count=None, magic=0x112):
    head = struct.pack("<3Q", magic, 0, len(arrays) if count is None else count)
    tail = struct.pack("<Q", len(names) if name_count is None else name_count)
    return head + b"".join(arrays) + tail + b"".join(map(_name, names))


ONE_OF_EACH = {0: _array(magic=V0), 1: _array(magic=V1), 2: _array(), 3: _array(magic=V3)}
MUST_TURN_ON = "Check failed: Imperative: :Get()->is_np_shape(): ndarray was saved in np shape semantics"
MUST_TURN_OFF = (
    "Check failed: Imperative: :Get()->is_np_shape() == GlobalOn || !Imperative::Get()->is_np_shape(): "
    "ndarray was not saved in np shape semantics"
)


@pytest.mark.parametrize("version", ONE_OF_EACH)
def test_every_version_is_read(version):
    (array,), names = from_bytes(_file(ONE_OF_EACH[version], names=["x"]))
    assert array.version == version and names == ["x"]
    assert array.data is not None and array.data.tolist() == [0, 0]


@pytest.mark.parametrize("version", ONE_OF_EACH)
@pytest.mark.parametrize("np_shape", [False, True])
def test_semantics_must_fit_the_version(version, np_shape):
    data = _file(ONE_OF_EACH[version])
    if np_shape == (version == 3):
        from_bytes(data, np_shape)
        return
    with pytest.raises(MXNetError) as caught:
        from_bytes(data, np_shape)
    assert str(caught.value).startswith(MUST_TURN_OFF if np_shape else MUST_TURN_ON)
    assert f"V{version}" in caught.value.__notes__[0]


def test_files_of_mxnet_need_the_semantics_they_were_made_in():
    with pytest.raises(MXNetError, match="ndarray was saved in np shape semantics"):
        read_arrays(GOLDEN / "files" / "np_v3.nd", np_shape=False)
    with pytest.raises(MXNetError, match="ndarray was not saved in np shape semantics"):
        read_arrays(GOLDEN / "files" / "dict.nd", np_shape=True)


def test_bfloat16_becomes_float32():
    (array,), _ = from_bytes(_file(_array(flag=12, values=struct.pack("<2H", 0x3F80, 0xC040))))
    assert array.data is not None and array.data.dtype == numpy.float32
    assert array.data.tolist() == [1.0, -3.0]


def test_any_byte_but_zero_is_true():
    (array,), _ = from_bytes(_file(_array((4,), flag=7, values=b"\0\1\2\xff")))
    assert array.data is not None and array.data.dtype == numpy.bool_
    assert array.data.view("uint8").tolist() == [0, 1, 1, 1]


def test_arrays_own_their_memory_and_can_be_written():
    data = bytearray(to_bytes([SavedArray(numpy.ones((2, 3), "float32"))]))
    (array,), _ = from_bytes(data)
    data[:] = b"\0" * len(data)
    assert array.data is not None and array.data.min() == 1
    array.data[:] = 2


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_array_without_values(version):
    empty = {
        0: struct.pack("<I", 0),
        1: struct.pack("<Ii", V1, 0),
        2: struct.pack("<2Ii", V2, 0, 0),
        3: struct.pack("<2Ii", V3, 0, -1),
    }[version]
    arrays, _ = from_bytes(_file(empty, ONE_OF_EACH[version]))
    assert arrays[0].data is None and arrays[0].shape == () and arrays[0].to_dense() is None
    assert arrays[1].data is not None


def test_names_may_be_empty_equal_and_in_any_language():
    names = ["", "same", "same", "权重", "é\n\t\"'"]
    arrays = [SavedArray(numpy.full((1,), k, "int8")) for k in range(5)]
    again, again_names = from_bytes(to_bytes(arrays, names))
    assert again_names == names
    assert [array.data.tolist() for array in again if array.data is not None] == [[k] for k in range(5)]


def test_bytes_after_the_end_are_ignored():
    assert len(from_bytes(_file(_array()) + b"more")[0]) == 1


# Writing -------------------------------------------------------------------------------------------


def test_layout_in_memory_does_not_matter(tmp_path):
    values = numpy.arange(24, dtype="float32").reshape(2, 3, 4)
    expected = to_bytes([SavedArray(values.transpose(2, 0, 1).copy())])
    assert to_bytes([SavedArray(values.transpose(2, 0, 1))]) == expected
    assert to_bytes([SavedArray(values.transpose(2, 0, 1).astype(">f4"))]) == expected
    write_arrays(tmp_path / "x.params", [SavedArray(values.transpose(2, 0, 1))])
    assert (tmp_path / "x.params").read_bytes() == expected


def test_sparse_arrays_round_trip():
    rows = SavedArray(numpy.ones((2, 3), "float16"), storage="row_sparse", aux=(numpy.array([1, 4]),), shape=(5, 3))
    csr = SavedArray(
        numpy.array([1.0, 2.0, 3.0]),
        storage="csr",
        aux=(numpy.array([0, 2, 2, 3]), numpy.array([0, 3, 1])),
        shape=(3, 4),
    )
    again, _ = from_bytes(to_bytes([rows, csr]))
    dense = numpy.zeros((5, 3), "float16")
    dense[[1, 4]] = 1
    numpy.testing.assert_array_equal(again[0].to_dense(), dense)
    numpy.testing.assert_array_equal(again[1].to_dense(), [[1, 0, 0, 2], [0, 0, 0, 0], [0, 3, 0, 0]])


def test_sparse_zeros():
    none = numpy.zeros(0, "int64")
    rows = _sparse(1, (0, 3), (5, 3), none)
    csr = _sparse(2, (0,), (2, 3), numpy.zeros(3, "int64"), none)
    no_pointers = _sparse(2, (0,), (2, 3), none, none)
    for array in from_bytes(_file(rows, csr, no_pointers))[0]:
        dense = array.to_dense()
        assert dense is not None and not dense.any() and dense.shape == array.shape


@pytest.mark.parametrize(
    ("array", "np_shape", "message"),
    [
        (SavedArray(numpy.array(1.0)), False, "array 'x' is a scalar"),
        (SavedArray(numpy.ones(2, "int16")), False, "array 'x' has the element type int16, which MXNet does not"),
        (SavedArray(numpy.array(["a"])), True, "array 'x' has the element type <U1, which MXNet does not support"),
        (SavedArray(numpy.array([None])), True, "array 'x' has the element type object, which MXNet does not support"),
        (SavedArray(None), True, "array 'x' has no values yet"),
        (
            SavedArray(numpy.ones((1, 2)), storage="row_sparse", aux=(numpy.array([0]),), shape=(3, 2)),
            True,
            r"Check failed: storage_type\(\) == kDefaultStorage \(1 vs. 0\) : "
            "only allow serializing ndarray of default storage type in np shape semantics",
        ),
    ],
)
def test_what_cannot_be_written(array, np_shape, message, tmp_path):
    path = tmp_path / "x.params"
    path.write_bytes(b"older")
    with pytest.raises(MXNetError, match=message):
        write_arrays(path, [SavedArray(numpy.ones(3)), array], ["w", "x"], np_shape)
    assert path.read_bytes() == b"older"
    assert os.listdir(tmp_path) == ["x.params"]


@pytest.mark.parametrize("names", [["a\0b", "c"], ["\ud800", "c"], ["a"], ["a", "b", "c"]])
def test_names_that_cannot_be_written(names):
    with pytest.raises(MXNetError):
        to_bytes([SavedArray(numpy.ones(1)), SavedArray(numpy.ones(1))], names)


ARRAYS = st.builds(
    SavedArray,
    data=st.sampled_from(list(CODES)).flatmap(
        lambda dtype: st_numpy.arrays(dtype, st_numpy.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
    ),
    device_type=st.sampled_from([1, 2, 3]),
    device_id=st.integers(0, 7),
)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(st.lists(st.tuples(NAMES, ARRAYS), max_size=5), st.booleans(), st.booleans())
@settings(deadline=None)
def test_round_trip(named_arrays, named, np_shape):
    arrays = [
        SavedArray(array.data[None], array.device_type, array.device_id)
        if not np_shape and array.data.ndim == 0
        else array
        for _, array in named_arrays
    ]
    names = [name for name, _ in named_arrays] if named else []
    data = to_bytes(arrays, names, np_shape)
    again, again_names = from_bytes(data, np_shape)
    assert again_names == names
    assert len(again) == len(arrays)
    for new, old in zip(again, arrays, strict=True):
        assert (new.device_type, new.device_id, new.shape) == (old.device_type, old.device_id, old.shape)
        assert new.data is not None and new.data.dtype == old.data.dtype
        assert new.data.tobytes() == old.data.tobytes()
    assert to_bytes(again, again_names, np_shape) == data


# Damaged and hostile files -------------------------------------------------------------------------

SMALL = _file(
    _array(),
    _array(magic=V1),
    _array(magic=V0),
    _array((), magic=V3, values=b"\0" * 4),
    _sparse(1, (1, 2), (3, 2), numpy.array([2])),
    _sparse(2, (1,), (2, 2), numpy.array([0, 0, 1]), numpy.array([1])),
    names=["a", "b", "é", "", "e", "f"],
)


def _read_or_fail(data, most_memory=200_000):
    """Read damaged data: a result or an MXNetError with a note, and little memory."""
    tracemalloc.start()
    try:
        return from_bytes(data)
    except MXNetError as error:
        assert str(error) and "byte" in error.__notes__[0]
        return None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < most_memory


def test_truncation_at_every_byte(tmp_path):
    path = tmp_path / "short.params"
    assert len(from_bytes(SMALL)[0]) == 6
    for length in range(len(SMALL)):
        assert _read_or_fail(SMALL[:length]) is None
        path.write_bytes(SMALL[:length])
        with pytest.raises(MXNetError, match=INVALID) as caught:
            read_arrays(path)
        assert "short.params" in caught.value.__notes__[0]


def test_every_byte_replaced():
    for position in range(len(SMALL)):
        for value in (0x00, 0x01, 0x7F, 0x80, 0xFF, SMALL[position] ^ 0x10):
            _read_or_fail(SMALL[:position] + bytes([value]) + SMALL[position + 1 :])


@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.binary(max_size=9), st.integers(0, 9)), max_size=4))
@settings(max_examples=300, deadline=None)
def test_random_damage(changes):
    data = SMALL
    for position, new, removed in changes:
        data = data[:position] + new + data[position + removed :]
    result = _read_or_fail(data)
    if result is not None:
        for array in result[0]:
            try:
                array.to_dense()
            except MXNetError as error:  # a few bytes that would become gigabytes are refused
                assert "raise the limit" in error.__notes__[0]


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_random_bytes(data):
    _read_or_fail(data)
    _read_or_fail(SMALL[:24] + data)


INT_MAX = 2**31 - 1
INDICES = numpy.array([0])
HOSTILE = {
    "arrays": (_file(_array(), count=2**60), INVALID),
    "arrays that might fit": (_file(_array(), count=9), "buffer_size_"),
    "names": (_file(_array(), name_count=2**60), INVALID),
    "a milliard names": (_file(_array(), name_count=10**9), INVALID),
    "fewer names": (_file(_array(), _array(), names=["a"]), "Check failed: keys->size"),
    "more names": (_file(_array(), names=["a", "b"]), "Check failed: keys->size"),
    "length of a name": (_file(_array(), name_count=1) + struct.pack("<Q", 2**63) + b"a", "buffer_size_"),
    "name is no text": (_file(_array(), names=[b"\xff\xfe"]), INVALID),
    "elements": (_file(_array((2**60,))), "buffer_size_"),
    "elements beyond 64 bits": (_file(_array((2**62, 2**62, 2**62))), "buffer_size_"),
    "nothing times too much": (_file(_array((0, 2**62), values=b"")), "Failed to allocate CPU Memory"),
    "negative size": (_file(_array((-1,))), "dim_size_is_known"),
    "negative sizes": (_file(_array((-2, -1))), "shape dim size must be >= -1, while received -2"),
    "negative dimensions": (_file(_array((), dimensions=-2)), "ndim cannot be less than -1, received -2"),
    "dimensions": (_file(_array((), dimensions=INT_MAX)), "buffer_size_"),
    "65 dimensions": (_file(_array((1,) * 65)), INVALID),
    "65 dimensions in V0": (_file(_array((1,) * 65, magic=V0)), INVALID),
    "elements in V0": (_file(_array((2**32 - 1,) * 64, magic=V0)), "buffer_size_"),
    "magic": (_file(_array(magic=0xF993FACB)), INVALID),
    "file magic": (_file(_array(), magic=0x113), "Check failed: header == kMXAPINDArrayListMagic"),
    "storage type": (_file(_array(storage=3)), "Unknown storage type3"),
    "negative storage type": (_file(_array(storage=-1)), "Unknown storage type-1"),
    "int16": (_file(_array(flag=8)), "Unknown type enum 8"),
    "type flag": (_file(_array(flag=-1)), "Unknown type enum -1"),
    "sparse V3": (
        _file(_sparse(1, (1, 2), (3, 2), INDICES, magic=V3)),
        r"Check failed: stype == kDefaultStorage \(1 vs. 0\)",
    ),
    "row index": (_file(_sparse(1, (1, 2), (3, 2), numpy.array([3]))), INVALID),
    "negative row index": (_file(_sparse(1, (1, 2), (3, 2), numpy.array([-1]))), INVALID),
    "row index is no integer": (_file(_sparse(1, (1, 2), (3, 2), numpy.array([0.0]))), INVALID),
    "row shapes": (_file(_sparse(1, (1, 3), (3, 2), INDICES)), INVALID),
    "rows and indices": (_file(_sparse(1, (2, 2), (3, 2), INDICES)), INVALID),
    "no row": (_file(_sparse(1, (), (3, 2), INDICES)), INVALID),
    "column": (_file(_sparse(2, (1,), (1, 2), numpy.array([0, 1]), numpy.array([2]))), INVALID),
    "pointers": (_file(_sparse(2, (1,), (1, 2), numpy.array([0, 0, 1]), INDICES)), INVALID),
    "pointers go back": (_file(_sparse(2, (1,), (2, 2), numpy.array([0, 2, 1]), INDICES)), INVALID),
    "last pointer": (_file(_sparse(2, (1,), (1, 2), numpy.array([0, 2]), INDICES)), INVALID),
    "csr of three dimensions": (_file(_sparse(2, (1,), (1, 2, 1), numpy.array([0, 1]), INDICES)), INVALID),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_file(case):
    data, message = HOSTILE[case]
    with pytest.raises(MXNetError, match=message):
        from_bytes(data)
    assert _read_or_fail(data) is None


def test_huge_sparse_array_is_not_made_dense():
    (array,), _ = from_bytes(_file(_sparse(1, (1, 2), (2**50, 2), INDICES)))
    with pytest.raises(MXNetError, match="Failed to allocate CPU Memory"):
        array.to_dense()


def test_many_arrays_without_values_cost_no_memory():
    data = _file(struct.pack("<I", 0) * 100_000, count=100_000)
    tracemalloc.start()
    arrays, _ = from_bytes(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(arrays) == 100_000 and peak < 5 * len(data)


@pytest.mark.parametrize(
    ("length", "message"),
    [
        (0, "Check failed: fi->Read(&header): Invalid NDArray file format"),
        (4, "Check failed: fi->Read(&header): Invalid NDArray file format"),
        (8, "Check failed: fi->Read(&reserved): Invalid NDArray file format"),
        (16, "Check failed: fi->Read(data): Invalid NDArray file format"),
        (24, "Check failed: fi->Read(data): Invalid NDArray file format"),
        (40, "Check failed: fi->Read(data): Invalid NDArray file format"),
        (60, "Check failed: fi->Read(data): Invalid NDArray file format"),
        (80, "Check failed: fi->Read(keys): Invalid NDArray file format"),
    ],
)
def test_messages_for_short_files(length, message, tmp_path):
    data = to_bytes([SavedArray(numpy.array([1, 2], "float32"))], ["w"])
    path = tmp_path / "short.nd"
    path.write_bytes(data[:length])
    with pytest.raises(MXNetError) as caught:
        read_arrays(path)
    assert str(caught.value) == message
    assert f'"{path}" ({length} bytes)' in caught.value.__notes__[0]


def test_message_for_another_kind_of_file(tmp_path):
    (tmp_path / "junk.params").write_text("hello world")
    with pytest.raises(MXNetError) as caught:
        read_arrays(tmp_path / "junk.params")
    assert str(caught.value) == "Check failed: fi->Read(&reserved): Invalid NDArray file format"
    with pytest.raises(MXNetError, match="Check failed: curr_ptr_"):
        from_bytes(b"")
    with pytest.raises(MXNetError) as caught:
        read_arrays(GOLDEN / "files" / "expected.npz")
    assert "0x112" in caught.value.__notes__[0]


def test_note_says_where(tmp_path):
    with pytest.raises(MXNetError) as caught:
        from_bytes(_file(_array(), _array((1000,)), names=["a", "b"]))
    assert caught.value.__notes__ == [
        "At byte 96 of the buffer (130 bytes), array 1 of 2: "
        "reading values of shape (1000,) requires 4000 bytes, but the input has only 34 bytes left."
    ]


def test_message_for_a_missing_file():
    with pytest.raises(MXNetError) as caught:
        read_arrays("nofile.params")
    assert str(caught.value) == (
        'LocalFileSystem: Check failed: allow_null: :Open "nofile.params": No such file or directory'
    )
