"""A reader of arrays from untrusted files.

Every number in a file is compared with the number of remaining bytes before it becomes the size of an allocation or the
bound of a loop. No content of a file is ever executed.
"""

from __future__ import annotations

import io
import os

from d2lhybrid.error import MXNetError

from ...support.filesystem import PathLike, open_file
from ...support.plural import counted
from .byte_reader import MAX_DIMENSIONS, ByteReader
from .saved_array import FILE_MAGIC, STORAGE_TYPES, V1, V2, V3, Buffer, SavedArray, Storage
from .sparse import read_sparse

__all__ = ["array_from_bytes", "from_bytes", "read_arrays"]

_SEMANTICS_OFF = (
    "Check failed: Imperative: :Get()->is_np_shape(): ndarray was saved in np shape semantics, must be "
    "loaded in the same semantics. Please turn on np shape semantics in Python using "
    "`with np_shape(True)` or decorator `use_np_shape` to scope the code of loading the ndarray."
)
_SEMANTICS_ON = (
    "Check failed: Imperative: :Get()->is_np_shape() == GlobalOn || !Imperative::Get()->is_np_shape(): "
    "ndarray was not saved in np shape semantics, but being loaded in np shape semantics. Please turn "
    "off np shape semantics in Python using `with np_shape(False)` to scope the code of loading the ndarray."
)
# Arrays without values share these objects, so that a file full of such arrays needs no more memory than its size.
_NO_VALUES = [SavedArray(None, version=version) for version in range(4)]


def read_arrays(source: PathLike | Buffer, np_shape: bool | None = None) -> tuple[list[SavedArray], list[str]]:
    """Read arrays and their names from a file.

    Parameters
    ----------
    source : str, os.PathLike or bytes
        The name of the file, or its contents (see :func:`from_bytes`).
    np_shape : bool, optional
        Whether NumPy shape semantics are on. As in MXNet, only V3 is read if they are on, and only other versions if
        they are off. By default, all versions are read.

    Returns
    -------
    arrays : list of SavedArray
        The arrays, which own their memory; bfloat16 values become float32 without loss.
    names : list of str
        One name for each array; empty if the file contains a list.

    Raises
    ------
    MXNetError
        If the file can't be opened, is damaged, or has another format or version. For an invalid file, a note names the
        byte position.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return from_bytes(source, np_shape)
    path = os.fspath(source)
    with open_file(path) as (stream, size):
        try:
            return _read(ByteReader(stream, size, path), np_shape)
        except OSError as reason:
            raise MXNetError(f'LocalFileSystem: reading "{path}" failed: {reason.strerror}') from reason


def from_bytes(buffer: Buffer, np_shape: bool | None = None) -> tuple[list[SavedArray], list[str]]:
    """Read arrays from the contents of a file.

    Parameters
    ----------
    buffer : bytes
        The contents of a file that ``nd.save`` wrote.
    np_shape : bool, optional
        As for :func:`read_arrays`.

    Returns
    -------
    tuple of (list of SavedArray, list of str)
        The arrays, and their names.

    Raises
    ------
    MXNetError
        If the contents are damaged, or have another format or version.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid.internals.formats.serialization import to_bytes
    >>> arrays, names = from_bytes(to_bytes([SavedArray(numpy.ones(3, "int8"))], ["x"]))
    >>> arrays[0].data, names
    (array([1, 1, 1], dtype=int8), ['x'])
    """
    stream = io.BytesIO(buffer)
    return _read(ByteReader(stream, stream.getbuffer().nbytes, None), np_shape)


def array_from_bytes(buffer: Buffer) -> SavedArray:
    """Read one array without the header of a file, as in MXNet's pickles.

    Parameters
    ----------
    buffer : bytes
        The bytes of the array.

    Returns
    -------
    SavedArray
        The array, which owns its memory.

    Raises
    ------
    MXNetError
        If the bytes are damaged.
    """
    stream = io.BytesIO(buffer)
    return _read_array(ByteReader(stream, stream.getbuffer().nbytes, None), None)


def _read(reader: ByteReader, np_shape: bool | None) -> tuple[list[SavedArray], list[str]]:
    (magic,) = reader.unpack("<Q", "the magic number")
    reader.stage = "&reserved"
    reader.unpack("<Q", "the reserved word")
    if magic != FILE_MAGIC:
        reader.fail(
            f"the first word must be {FILE_MAGIC:#x} in a .params file, not {magic:#x}.",
            "Check failed: header == kMXAPINDArrayListMagic: Invalid NDArray file format",
            position=0,
        )
    reader.stage = "data"
    (count,) = reader.unpack("<Q", "the number of arrays")
    if count > reader.left // 4:  # the smallest array, which is V0 and has no values, takes four bytes
        reader.fail(f"the file declares {counted(count, 'array')}, but has only {counted(reader.left, 'byte')} left.")
    arrays = []
    for number in range(count):
        reader.what = f"array {number} of {count}"
        arrays.append(_read_array(reader, np_shape))
    reader.stage = "keys"
    reader.what = "the names"
    (name_count,) = reader.unpack("<Q", "the number of names")
    if name_count > reader.left // 8:
        reader.fail(
            f"the file declares {counted(name_count, 'name')}, but has only {counted(reader.left, 'byte')} left."
        )
    if name_count not in (0, count):
        reader.fail(
            f"the file contains {counted(name_count, 'name')} for {counted(count, 'array')}.",
            "Check failed: keys->size() == 0 || keys->size() == data->size(): Invalid NDArray file format",
        )
    return arrays, [_read_name(reader, number) for number in range(name_count)]


def _read_name(reader: ByteReader, number: int) -> str:
    reader.what = f"name {number}"
    (length,) = reader.unpack("<Q", "the length of the name")
    start = reader.position
    try:
        return reader.take(length, "the name").decode("utf-8")
    except UnicodeDecodeError as reason:
        reader.fail(f"the name is not valid UTF-8 ({reason.reason}).", position=start + reason.start)


def _read_array(reader: ByteReader, np_shape: bool | None) -> SavedArray:
    start = reader.position
    (magic,) = reader.unpack("<I", "the magic number")
    version = {V1: 1, V2: 2, V3: 3}.get(magic, 0)
    if version == 0 and magic > MAX_DIMENSIONS:
        reader.fail(f"an array must begin with {V2:#x} or {V3:#x}, not with {magic:#x}.", position=start)
    _check_semantics(reader, start, version, np_shape)
    if version >= 2:
        storage = _read_storage(reader, version)
        if storage != "default":
            return read_sparse(reader, storage) or _NO_VALUES[version]
    # In V0, the first word is the number of dimensions.
    shape = reader.unpack(f"<{magic}I", "the shape") if version == 0 else reader.shape("the shape")
    if shape is None or (shape == () and version < 3):
        return _NO_VALUES[version]
    device_type, device_id, flag = reader.unpack("<3i", "context and element type")
    data = reader.values(flag, shape, "values")
    return SavedArray(data, device_type, device_id, version=version)


def _check_semantics(reader: ByteReader, start: int, version: int, np_shape: bool | None) -> None:
    """Raise MXNet's error for V3 without NumPy shape semantics, and for other versions with these semantics."""
    if np_shape is None or np_shape == (version == 3):
        return
    if np_shape:
        note = (
            f"the array has version V{version}, which is written without np shape semantics. Call npx.reset_np() "
            "before loading."
        )
        reader.fail(note, _SEMANTICS_ON, position=start)
    note = "the array has version V3, which is written with np shape semantics. Call npx.set_np() before loading."
    reader.fail(note, _SEMANTICS_OFF, position=start)


def _read_storage(reader: ByteReader, version: int) -> Storage:
    (number,) = reader.unpack("<i", "the storage type")
    storage: Storage | None = next((name for name, code in STORAGE_TYPES.items() if code == number), None)
    if storage is None:
        note = "the storage type must be 0 (default), 1 (row_sparse), or 2 (csr)."
        reader.fail(note, f"Unknown storage type{number}", reader.position - 4)
    if number and version == 3:
        reader.fail(
            f"a {storage} array cannot have version V3.",
            f"Check failed: stype == kDefaultStorage ({number} vs. 0) : only allow deserializing "
            "ndarray of default storage type in np shape semantics",
            reader.position - 4,
        )
    return storage
