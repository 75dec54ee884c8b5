"""The file format of ``nd.save`` and ``.params`` files.

All numbers are little-endian. A file is::

    uint64 0x112 · uint64 0 · uint64 number of arrays · arrays · uint64 number of names · names

For a list of arrays, the number of names is 0. A name is a uint64 length and UTF-8 text. One array is::

    uint32 magic             0xF993FAC9 (V2), or 0xF993FACA (V3) under NumPy shape semantics
    int32  storage type      0 dense, 1 row_sparse, 2 csr
    shape  of the values     only for sparse arrays
    shape                    int32 number of dimensions, that many int64
    int32 × 2                device type (1 cpu, 2 gpu, 3 cpu_pinned), device id
    int32  type flag         see :mod:`d2lhybrid.internals.support.dtypes`
    type flag, shape         for each auxiliary array: indices, or indptr and indices
    values, auxiliary arrays raw, in C order

An array without dimensions has no values in V2 (nothing follows), and is a scalar in V3. Two older versions can be
read. V1 has no storage type. V0 has neither a storage type nor a magic number, and its sizes have 32 bits.

=================  ==================================================================================
``saved_array``    :class:`SavedArray`, one array of a file, and the constants of the format
``writer``         :func:`write_arrays` and :func:`to_bytes`; one array for a pickle
``reader``         :func:`read_arrays` and :func:`from_bytes`; dense arrays; one array of a pickle
``sparse``         the reader of row_sparse and csr arrays
``byte_reader``    a stream that compares each declared size with the remaining bytes
``compressed``     :func:`open_unpacked`, a compressed file with a limit on its expansion
``limits``         :data:`limits`, the limits on time and memory for reading a file
=================  ==================================================================================
"""

from .compressed import open_unpacked
from .limits import limits
from .reader import array_from_bytes, from_bytes, read_arrays
from .saved_array import SavedArray
from .writer import array_to_bytes, to_bytes, write_arrays

__all__ = [
    "SavedArray",
    "array_from_bytes",
    "array_to_bytes",
    "from_bytes",
    "limits",
    "open_unpacked",
    "read_arrays",
    "to_bytes",
    "write_arrays",
]
