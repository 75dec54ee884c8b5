"""A writer of arrays, whose files are byte-identical to MXNet's."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy

from d2lhybrid.error import MXNetError

from ...support.dtypes import CODES
from ...support.filesystem import PathLike, replace_file
from ...support.plural import counted
from .saved_array import FILE_MAGIC, STORAGE_TYPES, V2, V3, Buffer, SavedArray

__all__ = ["array_to_bytes", "to_bytes", "write_arrays"]


def write_arrays(
    path: PathLike, arrays: Sequence[SavedArray], names: Sequence[str] = (), np_shape: bool = False
) -> None:
    """Write a file of arrays that is byte-identical to the file that MXNet writes.

    An incomplete file never replaces an existing file; see
    :func:`d2lhybrid.internals.support.filesystem.replace_file`.

    Parameters
    ----------
    path : str or os.PathLike
        The name of the file; an existing file is replaced.
    arrays : sequence of SavedArray
        The arrays to save.
    names : sequence of str
        One name for each array; empty to save a list.
    np_shape : bool
        Whether NumPy shape semantics are on. If they are on, the file's version is V3, which supports scalars;
        otherwise, it is V2.

    Raises
    ------
    MXNetError
        If the file can't be written, or if the format can't hold an array or a name.
    """
    with replace_file(path) as stream:
        for piece in _pieces(arrays, names, np_shape):
            stream.write(piece)


def to_bytes(arrays: Sequence[SavedArray], names: Sequence[str] = (), np_shape: bool = False) -> bytes:
    """Return the bytes that :func:`write_arrays` writes.

    Parameters
    ----------
    arrays, names, np_shape
        As for :func:`write_arrays`.

    Returns
    -------
    bytes
        The contents of a file.

    Raises
    ------
    MXNetError
        If the format can't hold an array or a name.

    Examples
    --------
    >>> to_bytes([SavedArray(numpy.zeros(2, "float32"))])[24:28].hex()
    'c9fa93f9'
    """
    return b"".join(_pieces(arrays, names, np_shape))


def array_to_bytes(array: SavedArray, np_shape: bool = False) -> bytes:
    """Return the bytes of one array without the header of a file, as in MXNet's pickles.

    Parameters
    ----------
    array : SavedArray
        The array to write.
    np_shape : bool
        As for :func:`write_arrays`.

    Returns
    -------
    bytes
        The bytes in MXNet's format.

    Raises
    ------
    MXNetError
        If the format can't hold the array.

    Examples
    --------
    >>> array_to_bytes(SavedArray(numpy.zeros(2, "float32")))[:4].hex()
    'c9fa93f9'
    """
    return b"".join(_array_pieces(array, "the array", np_shape))


def _pieces(arrays: Sequence[SavedArray], names: Sequence[str], np_shape: bool) -> Iterator[Buffer]:
    if names and len(names) != len(arrays):
        error = MXNetError(
            "Check failed: keys->size() == 0 || keys->size() == data->size(): Invalid NDArray file format"
        )
        error.add_note(
            f"Pass one name for each array, not {counted(len(names), 'name')} for {counted(len(arrays), 'array')}."
        )
        raise error
    yield struct.pack("<3Q", FILE_MAGIC, 0, len(arrays))
    for number, array in enumerate(arrays):
        what = f"array {names[number]!r}" if names else f"array {number}"
        yield from _array_pieces(array, what, np_shape)
    yield struct.pack("<Q", len(names))
    for name in names:
        encoded = _encode_name(name)
        yield struct.pack("<Q", len(encoded)) + encoded


def _array_pieces(array: SavedArray, what: str, np_shape: bool) -> Iterator[Buffer]:
    storage = STORAGE_TYPES[array.storage]
    if np_shape and storage:
        raise MXNetError(
            f"Check failed: storage_type() == kDefaultStorage ({storage} vs. 0) : only allow serializing "
            "ndarray of default storage type in np shape semantics"
        )
    head = struct.pack("<Ii", V3 if np_shape else V2, storage)
    if array.data is None:
        if np_shape:
            raise MXNetError(f"{what} has no values yet and cannot be saved with np shape semantics")
        yield head + struct.pack("<i", 0)
        return
    if not np_shape and array.shape == ():
        # MXNet would write a file that it can't read back.
        error = MXNetError(f"{what} is a scalar (shape ()) and can be saved only with np shape semantics")
        error.add_note("Save it inside `with np_shape(True)`, or as an array of shape (1,).")
        raise error
    if storage:
        head += _pack_shape(array.data.shape)
    head += _pack_shape(array.shape)
    head += struct.pack("<3i", array.device_type, array.device_id, _type_flag(array.data, what))
    for auxiliary in array.aux:
        head += struct.pack("<i", _type_flag(auxiliary, what)) + _pack_shape(auxiliary.shape)
    yield head
    for values in (array.data, *array.aux):
        flat = numpy.ascontiguousarray(values, values.dtype.newbyteorder("<")).reshape(-1)
        yield flat.view(numpy.uint8).data


def _pack_shape(shape: tuple[int, ...]) -> bytes:
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def _type_flag(array: numpy.ndarray, what: str) -> int:
    try:
        return CODES[array.dtype.newbyteorder("=")]
    except KeyError:
        error = MXNetError(f"{what} has the element type {array.dtype}, which MXNet does not support")
        error.add_note('Convert the array before saving, for example with astype("float32").')
        raise error from None


def _encode_name(name: str) -> bytes:
    try:
        encoded = name.encode("utf-8")
    except UnicodeEncodeError:
        raise MXNetError(f"the array name {name!r} cannot be encoded as UTF-8") from None
    # In MXNet, NUL ends a name, so that two names could become equal.
    if b"\0" in encoded:
        raise MXNetError(f"the array name {name!r} contains a NUL character, which would end the name in MXNet")
    return encoded
