"""Record files that MXNet and d2lhybrid write alike, and read alike.

``python record_files.py write FOLDER`` writes them, ``read FOLDER`` prints what is in them. Runs on Python 3.8.
"""

from __future__ import annotations

import json
import os
import struct
import sys

import numpy

#: What marks the start of a record: it is left out of contents, and put in again.
MARK = struct.pack("<I", 0xCED7230A)

CONTENTS = [
    b"", b"a", b"abcd", MARK, b"x" + MARK, b"abcd" + MARK + b"efg" + MARK + MARK, MARK + MARK + b"q",
    b"ab" + MARK + MARK + b"zz" + MARK, bytes(range(256)) * 3, MARK[:3], MARK * 3 + MARK[:2],
]  # fmt: skip
HEADERS = [(0, 4.0, 7, 0), (0, 2, 2**40, 3), (9, [1.0, 2.5], 1, 2), (0, numpy.arange(5), 0, 2**63)]


def write(mx, folder):
    """Write a file of records with an index, and one of images."""
    writer = mx.recordio.MXIndexedRecordIO(os.path.join(folder, "some.idx"), os.path.join(folder, "some.rec"), "w")
    for i, content in enumerate(CONTENTS):
        writer.write_idx(3 * i, content)
    writer.close()
    writer = mx.recordio.MXRecordIO(os.path.join(folder, "packed.rec"), "w")
    for header in HEADERS:
        writer.write(mx.recordio.pack(header, b"pixels"))
    writer.close()


def read(mx, folder):
    """Return what is in the files."""
    reader = mx.recordio.MXIndexedRecordIO(os.path.join(folder, "some.idx"), os.path.join(folder, "some.rec"), "r")
    keys = [list(reversed(reader.keys)), [reader.read_idx(key).hex() for key in reversed(reader.keys)]]
    reader.reset()
    in_order = [reader.read().hex() for _ in CONTENTS]
    end = reader.read()
    reader.close()
    reader = mx.recordio.MXRecordIO(os.path.join(folder, "packed.rec"), "r")
    packed = []
    for _ in HEADERS:
        header, rest = mx.recordio.unpack(reader.read())
        packed.append([header.flag, numpy.array(header.label).tolist(), header.id, header.id2, rest.hex()])
    reader.close()
    return {"keys": keys, "in order": in_order, "end": end, "packed": packed}


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    if sys.argv[1] == "write":
        write(mxnet, sys.argv[2])
    else:
        print(json.dumps(read(mxnet, sys.argv[2])))
