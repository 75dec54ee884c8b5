"""What is done to an honest file: to its bytes, and, where it is JSON, to its values."""

from __future__ import annotations

import gzip
import json
import random
import struct
from collections.abc import Callable
from typing import Any

__all__ = ["damaged", "damaged_json", "damaged_packed"]

_NUMBERS = [
    0,
    1,
    2,
    3,
    127,
    128,
    255,
    2**15,
    2**16 - 1,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**40,
    2**63 - 1,
    2**63,
    2**64 - 1,
]


def _flip_bits(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16, 64])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set_bytes(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    data[start : start + rng.randint(1, 16)] = bytes([rng.choice([0, 1, 0x7F, 0x80, 0xFF])]) * rng.randint(1, 16)


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


def _remove(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice([1, 2, 4, 8, 100])]


def _repeat(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.choice([1, 4, 8, 64, 512])]
    data[start:start] = piece * rng.choice([1, 2, 1000])


def _set_number(rng: random.Random, data: bytearray) -> None:
    """Write a number of four or eight bytes where perhaps a length stands."""
    layout, size = rng.choice([("<I", 4), ("<Q", 8), (">I", 4), ("<H", 2)])
    start = rng.randrange(max(1, len(data) - size)) // 4 * 4
    data[start : start + size] = struct.pack(layout, rng.choice(_NUMBERS) % 2 ** (8 * size))


def _swap(rng: random.Random, data: bytearray) -> None:
    a, b = (rng.randrange(max(1, len(data) - 8)) for _ in range(2))
    data[a : a + 8], data[b : b + 8] = data[b : b + 8], data[a : a + 8]


def _append(rng: random.Random, data: bytearray) -> None:
    data += rng.randbytes(rng.choice([1, 8, 1000]))


_OF_BYTES: list[Callable[[random.Random, bytearray], None]] = [
    _flip_bits, _flip_bits, _set_bytes, _cut, _remove, _repeat, _set_number, _set_number, _set_number, _swap, _append,
]  # fmt: skip


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Return a file with some of its bytes changed."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        if not changed:
            break
        rng.choice(_OF_BYTES)(rng, changed)
    return bytes(changed)


def damaged_packed(rng: random.Random, data: bytes) -> bytes:
    """Return a packed file that is damaged outside, or inside, or is a bomb."""
    way = rng.random()
    if way < 0.4:
        return damaged(rng, data)
    inner = gzip.decompress(data)
    if way < 0.9:
        return gzip.compress(damaged(rng, inner), 1)
    return gzip.compress(inner[: rng.choice([4, 16, len(inner)])] + bytes(rng.choice([10**6, 5 * 10**7])), 1)


# JSON --------------------------------------------------------------------------------------------------

_TEXTS = [
    "", "null", "None", "True", "()", "(1,)", "(0, -1)", "(" * 5000, "-" * 5000 + "1", "9" * 10_000, "1e400", "nan",
    "inf", "-1", "0", "1", "3", "999999999999", "(99999999999,)", "(100000, 100000, 100000)", "\ud800", "\0",
    "a" * 100_000,
    "__import__('os').system('true')", "{'a': 1}", "[[1], [2]]", "1.5", "٣", "(1, 2, 3", "float16", "float64", "int32",
    "_fused", "_constant", "relu", "Concat", "_foreach", "_while_loop", "_cond", "Reshape", "RNN",
    "_arange", "_zeros", "tile", "one_hot", "topk", "SliceChannel", "Pooling", "Embedding", "take", "dot", "batch_dot",
]  # fmt: skip
_VALUES = [
    None, True, False, -1, 0, 1, 2, 2**31, 2**32 - 1, 2**64, 10**30, 1.5, -0.0, 1e308, float("nan"), float("inf"), "",
    [], {}, [[]], [[0, 0, 0]], [0, 0, 0], {"a": "b"}, [None], ["a"],
]  # fmt: skip


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return (container, key) of everything in a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found.append((value, key))
        _places(inner, found)
    return found


def _change_value(rng: random.Random, data: Any) -> Any:
    places = _places(data, [])
    if not places:
        return data
    container, key = rng.choice(places)
    old = container[key]
    if isinstance(old, str) and rng.random() < 0.8:
        container[key] = rng.choice([*_TEXTS, old + rng.choice(["0", ")", "L", " "])])
    elif isinstance(old, int) and rng.random() < 0.7:
        container[key] = rng.choice([old + 1, old - 1, *_NUMBERS[:8]])
    elif isinstance(container, dict) and rng.random() < 0.2:
        container[rng.choice([*_TEXTS, "attrs", "attr", "param", "subgraphs", "num_args", "__shape__"])] = (
            container.pop(key)
        )
    elif isinstance(container, list) and rng.random() < 0.3:
        container.insert(key, json.loads(json.dumps(rng.choice([old, rng.choice(places)[0]]))))
    elif rng.random() < 0.2:
        del container[key]
    else:
        container[key] = json.loads(json.dumps(rng.choice(_VALUES)))
    return data


def _add_attribute(rng: random.Random, data: Any) -> Any:
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if isinstance(nodes, list) and nodes and isinstance(node := rng.choice(nodes), dict):
        names = ["__shape__", "__dtype__", "__init__", "__lr_mult__", "num_args", "shape", "axis", "num_hidden", "dim"]
        attrs = node.setdefault("attrs", {})
        if isinstance(attrs, dict):
            attrs[rng.choice(names)] = rng.choice(_TEXTS)
    return data


def _change_text(rng: random.Random, text: str) -> str:
    """Damage the text itself: duplicate keys, depth, numbers of a million digits, constants that are no JSON."""
    way = rng.randrange(6)
    at = rng.randrange(len(text))
    if way == 0:
        return text[:at] + rng.choice(["[", "{", '{"a":']) * rng.choice([10, 1000, 200_000]) + text[at:]
    if way == 1:
        return text.replace("0", "9" * rng.choice([20, 5000, 1_000_000]), 1)
    if way == 2:
        return text.replace("0", rng.choice(["NaN", "Infinity", "-Infinity", "1e400", "-0", "0x1", "1.0", "01"]), 1)
    if way == 3:
        return text.replace('"name"', '"op": "null", "name"', 1)
    if way == 4:
        return text[:at] + "\\ud800" + text[at:]
    return text * 2


def damaged_json(rng: random.Random, data: bytes) -> bytes:
    """Return a JSON file with some of its values changed, or its text, or its bytes."""
    way = rng.random()
    if way < 0.15:
        return damaged(rng, data)
    if way < 0.3:
        return _change_text(rng, data.decode()).encode("utf-8", "surrogatepass")
    value = json.loads(data, strict=False)
    for _ in range(rng.choice([1, 1, 2, 5])):
        value = rng.choice([_change_value, _change_value, _add_attribute])(rng, value)
    return json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
