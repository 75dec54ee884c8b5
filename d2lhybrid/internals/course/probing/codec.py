"""Encoding of plain data as bytes: numbers, strings, lists, dictionaries, and arrays.

The format is JSON with two additions, arrays and bytes. Decoding never runs code, so data may come from an untrusted
sender, unlike with pickle. A placeholder with the type's name replaces every other object.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

import numpy

from d2lhybrid.ndarray.ndarray import NDArray

__all__ = ["CodecError", "Opaque", "decode", "encode"]

_MARK = "__kind__"
_ARRAY_KINDS = "biuf"


class CodecError(ValueError):
    """An error about bytes that :func:`encode` cannot have written."""


@dataclass(frozen=True)
class Opaque:
    """A placeholder for an object that cannot be encoded.

    Attributes
    ----------
    type_name : str
        Name of the object's class.
    text : str
        Beginning of the object's ``repr``.
    """

    type_name: str
    text: str = ""

    def __str__(self) -> str:
        return f"a {self.type_name}"


def encode(value: Any) -> bytes:
    """Return plain data encoded as bytes; each other object becomes an :class:`Opaque`.

    Examples
    --------
    >>> decode(encode({"sizes": (1, 2), "name": "net"}))
    {'sizes': [1, 2], 'name': 'net'}
    >>> decode(encode(numpy.float32([1, 2])))
    array([1., 2.], dtype=float32)
    >>> decode(encode(object))
    Opaque(type_name='type', text="<class 'object'>")
    """
    return json.dumps(_plain(value)).encode()


def _plain(value: Any) -> Any:
    if value is None or value is True or value is False or type(value) in (int, float, str):
        return value
    if isinstance(value, NDArray):
        value = value.asnumpy()
    if isinstance(value, numpy.generic):
        value = value.item()
        return value if type(value) in (bool, int, float, str) else _opaque(value)
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind not in _ARRAY_KINDS:
            return _opaque(value)
        data = numpy.ascontiguousarray(value)
        text = base64.b64encode(data.tobytes()).decode()
        return {_MARK: "array", "dtype": value.dtype.str, "shape": list(value.shape), "data": text}
    if isinstance(value, bytes):
        return {_MARK: "bytes", "data": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        if all(type(key) is str for key in value) and _MARK not in value:
            return {key: _plain(item) for key, item in value.items()}
        return {_MARK: "items", "items": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return {_MARK: "set", "items": sorted((_plain(item) for item in value), key=repr)}
    if isinstance(value, int | float | str):  # subclasses, such as enumerations
        return (
            _plain(type(value).__mro__[-2](value)) if type(value).__mro__[-2] in (int, float, str) else _opaque(value)
        )
    if value is Ellipsis:
        return {_MARK: "ellipsis"}
    if isinstance(value, Opaque):
        return {_MARK: "opaque", "type": value.type_name, "text": value.text}
    return _opaque(value)


def _opaque(value: Any) -> dict[str, Any]:
    try:
        text = repr(value)[:200]
    except Exception:
        text = ""
    return {_MARK: "opaque", "type": type(value).__name__, "text": text}


def decode(data: bytes) -> Any:
    """Return the data that :func:`encode` encoded as bytes; tuples become lists.

    Raises
    ------
    CodecError
        If the bytes are invalid.
    """
    try:
        return _restore(json.loads(data))
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error) as error:
        raise CodecError(f"the data cannot be decoded: {error}") from None


def _restore(value: Any) -> Any:
    if isinstance(value, list):
        return [_restore(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value.get(_MARK)
    if kind is None:
        return {key: _restore(item) for key, item in value.items()}
    if kind == "array":
        return _restore_array(value)
    if kind == "bytes":
        return base64.b64decode(value["data"], validate=True)
    if kind == "items":
        return {_hashable(_restore(key)): _restore(item) for key, item in value["items"]}
    if kind == "set":
        return {_hashable(_restore(item)) for item in value["items"]}
    if kind == "ellipsis":
        return Ellipsis
    if kind == "opaque":
        return Opaque(str(value["type"])[:200], str(value["text"])[:200])
    raise CodecError(f"values of the kind {str(kind)[:50]!r} cannot be decoded")


def _restore_array(value: dict[str, Any]) -> numpy.ndarray:
    dtype = numpy.dtype(str(value["dtype"]))
    if dtype.kind not in _ARRAY_KINDS:
        raise CodecError(f"arrays with the element type {dtype} cannot be decoded")
    shape = tuple(int(size) for size in value["shape"])
    data = base64.b64decode(value["data"], validate=True)
    count = 1
    for size in shape:
        count *= size
    if len(shape) > 32 or any(size < 0 for size in shape) or count * dtype.itemsize != len(data):
        raise CodecError(f"an array of shape {str(shape)[:200]} and type {dtype} cannot consist of {len(data)} bytes")
    return numpy.frombuffer(data, dtype).reshape(shape).copy()


def _hashable(key: Any) -> Any:
    return tuple(_hashable(item) for item in key) if isinstance(key, list) else key
