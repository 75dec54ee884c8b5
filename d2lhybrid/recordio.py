"""``mx.recordio``: files of many records, and records that contain an image and its label.

A record consists of a magic number, the length with a flag in the upper three bits, the content, and zeros up to a
multiple of four. If the magic number occurs in the bytes of a record at a multiple of four, the record is split there:
the parts are flagged as first, middle, and last, and the magic number between the parts is omitted. A reader that
starts at any position can therefore find the next record. Numbers are little-endian, as MXNet writes them on all common
machines.
"""

from __future__ import annotations

import numbers
import os
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from .error import MXNetError
from .internals.formats.image_codec import decode, encode
from .internals.support.display import Shown
from .internals.support.filesystem import open_error
from .internals.support.plural import counted

__all__ = ["IRHeader", "MXIndexedRecordIO", "MXRecordIO", "pack", "pack_img", "unpack", "unpack_img"]

_MARK = struct.pack("<I", 0xCED7230A)
_PREFIX = struct.Struct("<4sI")
_LENGTH_BITS = 29
_LONGEST = 1 << _LENGTH_BITS
_LARGE = 1 << 20

#: The flags of a whole record, and of the first, a middle, and the last part of a record.
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)


# --- records ---------------------------------------------------------------------------------------------


class MXRecordIO(Shown):
    """A file of records that are written or read sequentially.

    Parameters
    ----------
    uri : str
        Path of the file.
    flag : {"r", "w"}
        Whether to read the file or to write a new file.

    Raises
    ------
    ValueError
        If ``flag`` is neither ``"r"`` nor ``"w"``.
    MXNetError
        If the file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "some.rec")
    >>> writer = MXRecordIO(path, "w")
    >>> writer.write(b"first"), writer.write(b"second"), writer.close()
    (None, None, None)
    >>> reader = MXRecordIO(path, "r")
    >>> reader.read(), reader.read(), reader.read()
    (b'first', b'second', None)
    >>> reader.close()
    """

    uri: str
    flag: str

    def __init__(self, uri: str, flag: str) -> None:
        self.uri, self.flag = os.fspath(uri), flag
        self.pid: int | None = None
        self.is_open: bool = False
        self.writable: bool = flag == "w"
        self._stream: Any = None
        self.open()

    def open(self) -> None:
        """Open the file and start at its beginning.

        Raises
        ------
        ValueError
            If ``flag`` is neither ``"r"`` nor ``"w"``.
        MXNetError
            If the file cannot be opened.
        """
        if self.flag not in ("r", "w"):
            raise ValueError(f"Invalid flag {self.flag}")
        try:
            self._stream = open(self.uri, self.flag + "b")  # noqa: SIM115
        except OSError as problem:
            raise open_error(self.uri, problem.strerror or str(problem)) from None
        self.writable = self.flag == "w"
        self.pid = os.getpid()
        self.is_open = True

    def close(self) -> None:
        """Close the file."""
        if self.is_open:
            self._stream.close()
            self.is_open, self.pid = False, None

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, without the open file."""
        if self.is_open and self.writable:
            raise MXNetError(
                f"the writer of {self.uri!r} cannot be copied or pickled while the file is open: call close() first"
            )
        return {**self.__dict__, "_stream": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state and open the file at its beginning."""
        self.__dict__.update(state, is_open=False)
        if state["is_open"]:
            self.open()

    def _check(self, writable: bool, allow_reset: bool = False) -> None:
        """Check that the operation is allowed. In a new process, reopen the file if ``allow_reset`` is True."""
        if self.writable != writable:
            refused, opened = ("read", "writing") if self.writable else ("write to", "reading")
            raise AssertionError(
                f"cannot {refused} {self.uri!r}: the file was opened for {opened}, with flag={self.flag!r}"
            )
        if not self.is_open:
            error = MXNetError(f"the record file {self.uri!r} is closed")
            emptied = "Write all records before close(): calling open() empties the file."
            error.add_note(emptied if writable else "Call open() first.")
            raise error
        if self.pid != os.getpid():
            if not allow_reset:
                error = RuntimeError("Forbidden operation in multiple processes")
                remedy = (
                    "Write each file in the process that opened it, because reset() would empty the file."
                    if writable
                    else "Call reset() in this process first, which goes to the beginning of the file."
                )
                error.add_note(f"Process {self.pid} opened the record file {self.uri!r}. {remedy}")
                raise error
            self.reset()

    def reset(self) -> None:
        """Go to the beginning of the file. In write mode, empty the file."""
        self.close()
        self.open()

    def write(self, buf: bytes) -> None:
        """Append a record to the file.

        Parameters
        ----------
        buf : bytes
            Content of the record.

        Raises
        ------
        TypeError
            If ``buf`` is not a bytes-like object.
        MXNetError
            If ``buf`` has 2**29 bytes or more, or if the file is closed.
        AssertionError
            If the file was opened for reading.
        """
        self._check(writable=True)
        if not isinstance(buf, bytes | bytearray | memoryview):
            raise TypeError(f"a record must be bytes, not {type(buf).__name__}")
        buf = bytes(buf)
        if len(buf) >= _LONGEST:
            raise MXNetError(
                f"Check failed: size < (1 << 29U) : RecordIO only accept record less than 2^29 bytes, not {len(buf)}"
            )
        cuts = _marks(buf)
        starts, ends = [0, *(cut + 4 for cut in cuts)], [*cuts, len(buf)]
        for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
            flag = _WHOLE if not cuts else _FIRST if i == 0 else _LAST if i == len(cuts) else _MIDDLE
            padding = bytes(-(end - start) % 4)
            self._stream.write(_PREFIX.pack(_MARK, flag << _LENGTH_BITS | (end - start)) + buf[start:end] + padding)

    def read(self) -> bytes | None:
        """Return the next record, or None at the end of the file.

        Returns
        -------
        bytes or None
            Content of the record.

        Raises
        ------
        MXNetError
            If the file is damaged or ends in the middle of a record. A note contains the position.
        """
        self._check(writable=False)
        parts: list[bytes] = []
        while True:
            flag, part = self._read_part()
            if part is None:
                if parts:
                    self._damaged("the file ends between two parts of a record")
                return None
            if (flag in (_WHOLE, _FIRST) and parts) or (flag in (_MIDDLE, _LAST) and not parts):
                self._damaged("parts of records are out of order")
            parts.append(part)
            if flag in (_WHOLE, _LAST):
                return _MARK.join(parts)

    def position(self) -> int:
        """Return the byte offset of the next record to read.

        Returns
        -------
        int
            The offset, an argument of :meth:`go_to`.
        """
        self._check(writable=False)
        return self._stream.tell()

    def go_to(self, position: int) -> None:
        """Continue reading at a byte offset.

        Parameters
        ----------
        position : int
            An offset from :meth:`position`.

        Raises
        ------
        MXNetError
            If the offset is negative or exceeds the maximum file size.
        """
        self._check(writable=False, allow_reset=True)
        try:
            self._stream.seek(position)
        except (OSError, ValueError, OverflowError) as problem:  # beyond the maximum file size
            raise MXNetError(f"position {position} is invalid for the record file {self.uri!r}: {problem}") from None

    def _read_part(self) -> tuple[int, bytes | None]:
        prefix = self._stream.read(8)
        if not prefix:
            return _WHOLE, None
        if len(prefix) < 8:
            self._damaged("the file ends in the middle of a record")
        mark, word = _PREFIX.unpack(prefix)
        if mark != _MARK:
            self._damaged("Check failed: header[0] == RecordIOWriter::kMagic : Invalid RecordIO File")
        flag, length = word >> _LENGTH_BITS, word & (_LONGEST - 1)
        if flag > _LAST:
            self._damaged(f"a record has the unknown flag {flag}")
        padded = length + -length % 4
        if padded > _LARGE and padded > os.fstat(self._stream.fileno()).st_size - self._stream.tell():
            padded = 0  # a damaged length exceeds the memory
        part = self._stream.read(padded)
        if len(part) < length:
            self._damaged("the file ends in the middle of a record")
        return flag, part[:length]

    def _damaged(self, what: str) -> None:
        error = MXNetError(what)
        error.add_note(f"The record file {self.uri!r} is damaged before byte {self._stream.tell()}.")
        raise error


def _marks(buf: bytes) -> list[int]:
    """Return the positions of the magic number in bytes, at multiples of four."""
    positions, position = [], buf.find(_MARK)
    while position >= 0:
        if position % 4 == 0:
            positions.append(position)
        position = buf.find(_MARK, position + (4 if position % 4 == 0 else 1))
    return positions


class MXIndexedRecordIO(MXRecordIO):
    """A file of records with keys, and an index file with the position of each record.

    Parameters
    ----------
    idx_path : str
        The index file, with a line ``key TAB position`` for each record.
    uri : str
        Path of the record file.
    flag : {"r", "w"}
        Whether to read the files or to write new files.
    key_type : type
        Type of the keys.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> paths = os.path.join(folder, "some.idx"), os.path.join(folder, "some.rec")
    >>> writer = MXIndexedRecordIO(*paths, "w")
    >>> for i in range(3):
    ...     writer.write_idx(i, b"record %d" % i)
    >>> writer.close()
    >>> reader = MXIndexedRecordIO(*paths, "r")
    >>> reader.keys, reader.read_idx(1)
    ([0, 1, 2], b'record 1')
    >>> reader.close()
    """

    idx_path: str

    def __init__(self, idx_path: str, uri: str, flag: str, key_type: Callable[[Any], Any] = int) -> None:
        self.idx_path, self.key_type = os.fspath(idx_path), key_type
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.fidx: Any = None
        super().__init__(uri, flag)

    def open(self) -> None:
        """Open both files. In read mode, read the keys and positions.

        Raises
        ------
        MXNetError
            If a file cannot be opened, or if a line of the index file is malformed.
        """
        new_index = self.flag == "w" and self._try_index()
        try:
            super().open()
        except MXNetError:
            if new_index:
                os.remove(self.idx_path)
            raise
        self.idx, self.keys = {}, []
        try:
            # Use MXNet's line endings on Windows, too.
            self.fidx = open(  # noqa: SIM115
                self.idx_path,
                self.flag,
                encoding="utf-8",
                errors="strict" if self.writable else "surrogateescape",  # a line with undecodable bytes is invalid
                newline="\n" if self.writable else None,
            )
        except OSError as problem:
            super().close()
            raise open_error(self.idx_path, problem.strerror or str(problem)) from None
        if not self.writable:
            for number, line in enumerate(self.fidx, 1):
                self._read_line(number, line)

    def _try_index(self) -> bool:
        """Return whether the index is new. Raise an error if it is not writable, before the record file is emptied."""
        new = not os.path.exists(self.idx_path)
        try:
            with open(self.idx_path, "ab"):
                return new
        except OSError as problem:
            raise open_error(self.idx_path, problem.strerror or str(problem)) from None

    def _read_line(self, number: int, line: str) -> None:
        if not line.strip():
            return
        try:
            name, position, *_ = line.strip().split("\t")
            key, start = self.key_type(name), int(position)
            if start < 0:
                raise ValueError(f"the position {start} is negative")
        except ValueError as problem:
            self.close()
            raise MXNetError(
                f"line {number} of the index file {self.idx_path!r} must be a key, a tab, and a position: {problem}"
            ) from None
        self.idx[key] = start
        self.keys.append(key)

    def close(self) -> None:
        """Close both files."""
        if self.is_open:
            super().close()
            if self.fidx is not None:
                self.fidx.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, without the open files."""
        return {**super().__getstate__(), "fidx": None}

    def seek(self, idx: Any) -> None:
        """Move to the record of a key, so that :meth:`read` returns this record next.

        Parameters
        ----------
        idx : int
            Key of the record.

        Raises
        ------
        KeyError
            If there is no record with this key.
        """
        self._check(writable=False, allow_reset=True)
        if idx not in self.idx:
            error = KeyError(idx)
            error.add_note(
                f"The index file {self.idx_path!r} has {counted(len(self.idx), 'key')}, and {idx!r} is not among them."
            )
            raise error
        self.go_to(self.idx[idx])

    def tell(self) -> int:
        """Return the byte offset of the next record to write.

        Returns
        -------
        int
            The offset.
        """
        self._check(writable=True)
        return self._stream.tell()

    def read_idx(self, idx: Any) -> bytes:
        """Return the record of a key.

        Parameters
        ----------
        idx : int
            Key of the record.

        Returns
        -------
        bytes
            The content of the record.

        Raises
        ------
        KeyError
            If there is no record with this key.
        MXNetError
            If the file has no record at the position from the index.
        """
        self.seek(idx)
        record = self.read()
        if record is None:
            error = MXNetError(
                f"the index file {self.idx_path!r} places record {idx!r} at the end of the record file {self.uri!r}"
            )
            error.add_note("The index file is damaged, or belongs to another record file.")
            raise error
        return record

    def write_idx(self, idx: Any, buf: bytes) -> None:
        """Append a record with a key.

        Parameters
        ----------
        idx : int
            Key of the record.
        buf : bytes
            Content of the record.
        """
        key = self.key_type(idx)
        position = self.tell()
        self.write(buf)
        self.fidx.write(f"{key}\t{position}\n")
        self.idx[key] = position
        self.keys.append(key)


# --- images in records -----------------------------------------------------------------------------------


class IRHeader(NamedTuple):
    """The header of an image record.

    Parameters
    ----------
    flag : int
        Number of elements of the label; 0 if the label is a single number.
    label : float or array
        The label: a number, or an array of `flag` numbers.
    id : int
        Identifier of the image.
    id2 : int
        Upper half of the identifier, usually 0.
    """

    flag: int
    label: Any
    id: int
    id2: int

    def __repr__(self) -> str:
        return f"HEADER(flag={self.flag}, label={self.label!r}, id={self.id}, id2={self.id2})"


_HEADER = struct.Struct("<IfQQ")


def pack(header: Any, s: bytes) -> bytes:
    """Return a record that consists of a header and the bytes of an image file.

    Parameters
    ----------
    header : IRHeader
        The header, whose label is one or several numbers.
    s : bytes
        Contents of the image file.

    Returns
    -------
    bytes
        Content of the record.

    Raises
    ------
    TypeError
        If ``s`` is not a bytes-like object.
    MXNetError
        If a number of the header does not fit into its field.

    Examples
    --------
    >>> unpack(pack(IRHeader(0, [1, 2], 7, 0), b"pixels"))
    (HEADER(flag=2, label=array([1., 2.], dtype=float32), id=7, id2=0), b'pixels')
    """
    header = IRHeader(*header)
    if not isinstance(s, bytes | bytearray | memoryview):
        raise TypeError(f"a record must be bytes, not {type(s).__name__}")
    if isinstance(header.label, numbers.Number):
        header = header._replace(flag=0)
    else:
        values = header.label.asnumpy() if hasattr(header.label, "asnumpy") else header.label
        label = numpy.asarray(values, dtype="<f4")
        header = header._replace(flag=label.size, label=0)
        s = label.tobytes() + s
    try:
        return _HEADER.pack(*header) + s
    except struct.error as problem:
        raise MXNetError(f"the header {header} cannot be written: {problem}") from None


def unpack(s: bytes) -> tuple[IRHeader, bytes]:
    """Return the header and the image file of a record.

    Parameters
    ----------
    s : bytes
        A record from :meth:`MXRecordIO.read`.

    Returns
    -------
    tuple of (IRHeader, bytes)
        The header, and the contents of the image file.

    Raises
    ------
    MXNetError
        If the record is too short for an image record.
    """
    if len(s) < _HEADER.size:
        raise MXNetError(f"an image record has at least {_HEADER.size} bytes, but this record has {len(s)}")
    header = IRHeader(*_HEADER.unpack(s[: _HEADER.size]))
    rest = s[_HEADER.size :]
    if header.flag > 0:
        if len(rest) < 4 * header.flag:
            raise MXNetError(
                f"the record is truncated: the label requires {4 * header.flag} bytes, but the header is followed by "
                f"{counted(len(rest), 'byte')}"
            )
        header = header._replace(label=numpy.frombuffer(rest, "<f4", header.flag).astype(numpy.float32))
        rest = rest[4 * header.flag :]
    return header, rest


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[IRHeader, numpy.ndarray]:
    """Return the header and the pixels of a record.

    Parameters
    ----------
    s : bytes
        A record from :meth:`MXRecordIO.read`.
    iscolor : {-1, 0, 1}
        -1 to keep the file's channels, 0 to read a grayscale image, 1 to read a color image.

    Returns
    -------
    IRHeader
        The header.
    numpy.ndarray
        Pixels of shape (H, W) or (H, W, channels), uint8, **blue first**, as in OpenCV.
    """
    header, data = unpack(s)
    pixels = decode(data, iscolor)
    return header, pixels[..., 0] if iscolor == 0 else _swapped(pixels)


def pack_img(header: Any, img: numpy.ndarray, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """Return a record that consists of a header and encoded pixels.

    Parameters
    ----------
    header : IRHeader
        The header, as in :func:`pack`.
    img : numpy.ndarray
        Pixels of shape (H, W) or (H, W, channels), uint8, **blue first**, as in OpenCV.
    quality : int
        Quality from 1 to 100 for JPEG, or compression level from 0 to 9 for PNG.
    img_fmt : str
        ``".jpg"`` or ``".png"``.

    Returns
    -------
    bytes
        Content of the record.
    """
    return pack(header, encode(_swapped(numpy.asarray(img)), img_fmt, quality))


def _swapped(pixels: numpy.ndarray) -> numpy.ndarray:
    """Swap the red and blue channels."""
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        return pixels
    return numpy.ascontiguousarray(pixels[..., [2, 1, 0, 3][: pixels.shape[2]]])
