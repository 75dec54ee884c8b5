"""Functions that create random arrays, shapes, and matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..context import Context
from ..ndarray import sparse
from ..ndarray.ndarray import NDArray, array
from .surroundings import default_context
from .tolerances import default_dtype

__all__ = [
    "assign_each", "assign_each2", "collapse_sum_like", "create_2d_tensor", "create_sparse_array",
    "create_sparse_array_zd", "create_vector", "get_identity_mat", "get_identity_mat_batch",
    "new_matrix_with_real_eigvals_2d", "new_matrix_with_real_eigvals_nd", "new_orthonormal_matrix_2d",
    "new_sym_matrix_with_real_eigvals_2d", "new_sym_matrix_with_real_eigvals_nd", "np_reduce", "rand_coord_2d",
    "rand_ndarray", "rand_shape_2d", "rand_shape_3d", "rand_shape_nd", "rand_sparse_ndarray", "random_arrays",
    "random_sample", "random_uniform_arrays", "shuffle_csr_column_indices",
]  # fmt: skip

Change = Callable[[Any], Any] | None

# --- shapes and elements -------------------------------------------------------------------------------


def _sizes(limits: Sequence[int], allow_zero_size: bool) -> tuple[int, ...]:
    return tuple(int(numpy.random.randint(0 if allow_zero_size else 1, limit + 1)) for limit in limits)


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return a random shape with two axes.

    Parameters
    ----------
    dim0, dim1 : int
        The largest sizes.
    allow_zero_size : bool
        Whether sizes may be 0.

    Returns
    -------
    tuple of int
        The size of each axis.

    Examples
    --------
    >>> len(rand_shape_2d())
    2
    """
    return _sizes((dim0, dim1), allow_zero_size)


def rand_shape_3d(dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return a random shape with three axes.

    Parameters
    ----------
    dim0, dim1, dim2 : int
        The largest sizes.
    allow_zero_size : bool
        Whether sizes may be 0.

    Returns
    -------
    tuple of int
        The size of each axis.

    Examples
    --------
    >>> len(rand_shape_3d())
    3
    """
    return _sizes((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return a random shape.

    Parameters
    ----------
    num_dim : int
        Number of axes.
    dim : int
        The largest size.
    allow_zero_size : bool
        Whether sizes may be 0.

    Returns
    -------
    tuple of int
        The size of each axis.

    Examples
    --------
    >>> len(rand_shape_nd(4))
    4
    """
    return _sizes([dim] * num_dim, allow_zero_size)


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """Return a random pair of integer coordinates.

    Parameters
    ----------
    x_low, x_high, y_low, y_high : int
        Lower bounds (inclusive) and upper bounds (exclusive).

    Returns
    -------
    tuple of (int, int)
        The coordinates.

    Examples
    --------
    >>> tuple(map(int, rand_coord_2d(3, 4, 5, 6)))
    (3, 5)
    """
    x, y = (numpy.random.randint(low, high, dtype=numpy.int64) for low, high in ((x_low, x_high), (y_low, y_high)))
    return x, y  # type: ignore[return-value]


def random_arrays(*shapes: tuple[int, ...]) -> Any:
    """Return NumPy arrays with normally distributed elements.

    Parameters
    ----------
    *shapes : tuple of int
        Shape of each array.

    Returns
    -------
    numpy.ndarray or list of numpy.ndarray
        The array for a single shape, or a list of arrays for several shapes.

    Examples
    --------
    >>> random_arrays((2, 3)).shape, [x.shape for x in random_arrays((2,), ())]
    ((2, 3), [(2,), ()])
    """
    made = [numpy.asarray(numpy.random.randn(*shape)).astype(default_dtype()) for shape in shapes]
    return made[0] if len(made) == 1 else made


def random_uniform_arrays(*shapes: tuple[int, ...], **kwargs: Any) -> list[numpy.ndarray]:
    """Return NumPy arrays with uniformly distributed elements.

    Parameters
    ----------
    *shapes : tuple of int
        Shape of each array.
    **kwargs
        ``low`` and ``high`` (0 and 1 by default), and ``dtype``.

    Returns
    -------
    list of numpy.ndarray
        The arrays.

    Raises
    ------
    TypeError
        If another keyword argument is passed.

    Examples
    --------
    >>> [x.shape for x in random_uniform_arrays((2, 3), low=-1)]
    [(2, 3)]
    """
    low, high = kwargs.pop("low", 0.0), kwargs.pop("high", 1.0)
    dtype = kwargs.pop("dtype", default_dtype())
    if kwargs:
        raise TypeError(f"Got unexpected argument/s : {kwargs.keys()}")
    return [numpy.random.uniform(low, high, size=shape).astype(dtype) for shape in shapes]


def random_sample(population: Sequence[Any], k: int) -> Sequence[Any]:
    """Return ``k`` randomly chosen elements of a sequence, in random order.

    Parameters
    ----------
    population : sequence
        The sequence.
    k : int
        Number of elements to return.

    Returns
    -------
    list
        The elements.

    Examples
    --------
    >>> len(random_sample([1, 2, 3], 2))
    2
    """
    assert 0 <= k <= len(population)
    shuffled = population[:]
    numpy.random.shuffle(shuffled)  # type: ignore[arg-type]
    return shuffled[:k]


def assign_each(the_input: Any, function: Change) -> numpy.ndarray:
    """Apply a function to each element of an array, and return the results as an array.

    Parameters
    ----------
    the_input : numpy.ndarray
        The array.
    function : callable or None
        Function of one number. None copies the array.

    Returns
    -------
    numpy.ndarray
        An array of the same shape.

    Examples
    --------
    >>> assign_each(numpy.array([1.0, 2.0]), lambda x: x * 10)
    array([10., 20.])
    """
    if function is None:
        return numpy.array(the_input)
    return numpy.array([function(x) for x in the_input.flat], numpy.float64).reshape(the_input.shape)


def assign_each2(input1: Any, input2: Any, function: Callable[[Any, Any], Any] | None) -> numpy.ndarray:
    """Apply a function to each pair of elements of two arrays, and return the results as an array.

    Parameters
    ----------
    input1, input2 : numpy.ndarray
        The arrays, of the same shape.
    function : callable or None
        Function of two numbers. None copies the first array.

    Returns
    -------
    numpy.ndarray
        An array of the same shape.

    Examples
    --------
    >>> assign_each2(numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0]), lambda x, y: x * y)
    array([3., 8.])
    """
    if function is None:
        return numpy.array(input1)
    assert input1.shape == input2.shape
    pairs = zip(input1.flat, input2.flat, strict=True)
    return numpy.array([function(x, y) for x, y in pairs], numpy.float64).reshape(input1.shape)


def np_reduce(dat: Any, axis: Any, keepdims: bool, numpy_reduce_func: Callable[..., Any]) -> Any:
    """Reduce an array along several axes, one after the other.

    Parameters
    ----------
    dat : numpy.ndarray
        The array.
    axis : int, sequence of int or None
        The axes. None means all axes.
    keepdims : bool
        Whether to keep the axes, with size 1.
    numpy_reduce_func : callable
        ``numpy.sum``, ``numpy.max``, or a similar function.

    Returns
    -------
    numpy.ndarray
        The reduced array.

    Examples
    --------
    >>> np_reduce(numpy.ones((2, 3, 4)), (0, 2), True, numpy.sum).shape
    (1, 3, 1)
    """
    axes = [axis] if isinstance(axis, int) else range(dat.ndim) if axis is None else list(axis)
    result = dat
    for number in sorted(axes, reverse=True):
        result = numpy_reduce_func(result, axis=number)
    return result.reshape([1 if i in axes else size for i, size in enumerate(dat.shape)]) if keepdims else result


def collapse_sum_like(a: numpy.ndarray, shape: tuple[int, ...]) -> numpy.ndarray:
    """Sum an array over the axes along which ``shape`` would be broadcast, as in the backward pass of a broadcast.

    Parameters
    ----------
    a : numpy.ndarray
        The array.
    shape : tuple of int
        Shape of the result.

    Returns
    -------
    numpy.ndarray
        The sums, with the shape ``shape``.

    Examples
    --------
    >>> collapse_sum_like(numpy.ones((2, 3, 4)), (3, 1))
    array([[8.],
           [8.],
           [8.]])
    """
    more = a.ndim - len(shape)
    assert more >= 0
    if not a.size or 0 in shape:
        return numpy.zeros(shape, a.dtype)
    gone = [i for i, size in enumerate(shape, more) if size != a.shape[i]]
    assert all(shape[i - more] == 1 for i in gone)
    return a.sum(axis=(*range(more), *gone)).reshape(shape)


# --- large arrays and matrices -----------------------------------------------------------------------------


def create_2d_tensor(rows: int, columns: int, dtype: Any = numpy.int64) -> NDArray:
    """Return an array in which each element is the index of its row.

    Parameters
    ----------
    rows, columns : int
        Number of rows, and number of columns.
    dtype : dtype
        Element type of the array.

    Returns
    -------
    NDArray
        An array of shape (rows, columns).

    Examples
    --------
    >>> create_2d_tensor(2, 3).asnumpy()
    array([[0, 0, 0],
           [1, 1, 1]])
    """
    return array(numpy.arange(rows)[:, None].repeat(columns, axis=1), dtype=dtype)


def create_vector(size: int, dtype: Any = numpy.int64) -> NDArray:
    """Return the integers from 0 to ``size - 1``.

    Parameters
    ----------
    size : int
        Number of elements.
    dtype : dtype
        Element type of the array.

    Returns
    -------
    NDArray
        A vector of shape (size,).

    Examples
    --------
    >>> create_vector(3).asnumpy()
    array([0, 1, 2])
    """
    return array(numpy.arange(size), dtype=dtype)


def get_identity_mat(size: int) -> NDArray:
    """Return an identity matrix.

    Parameters
    ----------
    size : int
        Number of rows.

    Returns
    -------
    NDArray
        A float32 matrix of shape (size, size).

    Examples
    --------
    >>> get_identity_mat(2).asnumpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return array(numpy.eye(size), dtype="float32")


def get_identity_mat_batch(size: int) -> NDArray:
    """Return a batch of two identity matrices.

    Parameters
    ----------
    size : int
        Number of rows.

    Returns
    -------
    NDArray
        A float32 array of shape (2, size, size).

    Examples
    --------
    >>> get_identity_mat_batch(2).shape
    (2, 2, 2)
    """
    return array(numpy.stack([numpy.eye(size)] * 2), dtype="float32")


def _turned(turn: numpy.ndarray, back: numpy.ndarray) -> numpy.ndarray:
    """Return a matrix whose eigenvalues are between -10 and 10."""
    return back @ numpy.diag(numpy.random.uniform(-10.0, 10.0, len(turn))) @ turn


def new_matrix_with_real_eigvals_2d(n: int) -> numpy.ndarray:
    """Return a random matrix with well-conditioned real eigenvalues.

    Parameters
    ----------
    n : int
        Number of rows.

    Returns
    -------
    numpy.ndarray
        A matrix of shape (n, n).

    Examples
    --------
    >>> bool(numpy.isreal(numpy.linalg.eigvals(new_matrix_with_real_eigvals_2d(3))).all())
    True
    """
    while True:
        v = numpy.random.uniform(-1.0, 1.0, n)
        mirror = numpy.eye(n) - 2 * numpy.outer(v, v) / (v @ v)
        turn = mirror * numpy.random.uniform(-1.0, 1.0, n)
        if numpy.linalg.cond(turn, 2) < 3:
            return _turned(turn, numpy.linalg.inv(turn))


def new_orthonormal_matrix_2d(n: int) -> numpy.ndarray:
    """Return a random orthonormal matrix.

    Parameters
    ----------
    n : int
        Number of rows.

    Returns
    -------
    numpy.ndarray
        A matrix of shape (n, n).

    Examples
    --------
    >>> q = new_orthonormal_matrix_2d(3)
    >>> numpy.allclose(q @ q.T, numpy.eye(3))
    True
    """
    x = numpy.random.randn(n, n)
    return numpy.linalg.qr(x.T @ x)[0]


def new_sym_matrix_with_real_eigvals_2d(n: int) -> numpy.ndarray:
    """Return a random symmetric matrix with real eigenvalues.

    Parameters
    ----------
    n : int
        Number of rows.

    Returns
    -------
    numpy.ndarray
        A matrix of shape (n, n).

    Examples
    --------
    >>> a = new_sym_matrix_with_real_eigvals_2d(3)
    >>> numpy.allclose(a, a.T)
    True
    """
    turn = new_orthonormal_matrix_2d(n)
    return _turned(turn, turn.T)


def _stacked(make: Callable[[int], numpy.ndarray], shape: tuple[int, ...]) -> numpy.ndarray:
    return numpy.array([make(shape[-1]) for _ in range(int(numpy.prod(shape[:-2])))]).reshape(shape)


def new_matrix_with_real_eigvals_nd(shape: tuple[int, ...]) -> numpy.ndarray:
    """Return random matrices with real eigenvalues.

    Parameters
    ----------
    shape : tuple of int
        Shape of the result. The last two sizes are the sizes of each matrix.

    Returns
    -------
    numpy.ndarray
        An array of shape ``shape``.

    Examples
    --------
    >>> new_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _stacked(new_matrix_with_real_eigvals_2d, shape)


def new_sym_matrix_with_real_eigvals_nd(shape: tuple[int, ...]) -> numpy.ndarray:
    """Return random symmetric matrices with real eigenvalues.

    Parameters
    ----------
    shape : tuple of int
        Shape of the result. The last two sizes are the sizes of each matrix.

    Returns
    -------
    numpy.ndarray
        An array of shape ``shape``.

    Examples
    --------
    >>> new_sym_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _stacked(new_sym_matrix_with_real_eigvals_2d, shape)


# --- sparse arrays ------------------------------------------------------------------------------------------


def shuffle_csr_column_indices(csr: Any) -> None:
    """Shuffle the column indices of each row in place.

    Parameters
    ----------
    csr : scipy.sparse.csr_matrix
        The matrix, or another object with writable ``indptr`` and ``indices``.

    Examples
    --------
    >>> import types
    >>> csr = types.SimpleNamespace(indptr=numpy.array([0, 2, 3]), indices=numpy.array([0, 4, 1]))
    >>> shuffle_csr_column_indices(csr)
    >>> sorted(csr.indices[:2].tolist()), csr.indices[2].tolist()
    ([0, 4], 1)
    """
    for start, end in zip(csr.indptr[:-1], csr.indptr[1:], strict=True):
        columns = numpy.array(csr.indices[start:end])
        numpy.random.shuffle(columns)
        csr.indices[start:end] = columns


def _equally(rows: int, columns: int, density: float) -> numpy.ndarray:
    """Return a matrix with random numbers at random positions, with a given density."""
    flat = numpy.zeros(rows * columns)
    places = numpy.random.choice(flat.size, round(rows * columns * density), replace=False)
    flat[places] = numpy.random.rand(places.size)
    return flat.reshape(rows, columns)


def _twice_as_many(rows: int, columns: int, density: float) -> numpy.ndarray:
    """Return a matrix in which each row has at least one number, and twice as many numbers as the previous row."""
    left, limit = int(rows * columns * density), 2
    shape = f"for this shape ({rows}, {columns})"
    if left < 2 * rows:
        raise ValueError(
            f"not supported for this density: {density} {shape} Please keep : "
            "num_rows * num_cols * density >= 2 * num_rows"
        )
    dense = numpy.zeros((rows, columns))
    dense[:, 0] = 1 + numpy.random.uniform(0.001, 2, rows)
    left -= rows
    for row in dense:
        count = min(columns, limit, left + 1)
        row[1:count] = 1 + numpy.random.uniform(0.001, 2, max(0, count - 1))
        left, limit = left - max(0, count - 1), limit * 2
    if left > 0:
        raise ValueError(f"not supported for this density: {density} {shape.replace(', ', ',')}")
    return dense


def rand_sparse_ndarray(
    shape: tuple[int, ...],
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,
    modifier_func: Change = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[NDArray, tuple[Any, ...]]:
    """Return a random sparse array and its components.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    stype : {'row_sparse', 'csr'}
        Storage type.
    density : float, optional
        For a row-sparse array, the probability of storing each row. For a CSR matrix, the fraction of stored elements.
        Random by default.
    dtype : dtype, optional
        Element type; float32 by default.
    distribution : {'uniform', 'powerlaw'}, optional
        Distribution of the elements of a CSR matrix: uniform, or with twice as many elements in each row as in the
        previous row.
    data_init : float, optional
        Value of all stored elements. A ``powerlaw`` matrix ignores this value.
    rsp_indices : array of int, optional
        Indices of the stored rows.
    modifier_func : callable, optional
        Function that is applied to each value of a row-sparse array.
    shuffle_csr_indices : bool
        Ignored, because the order of the columns changes no value.
    ctx : Context, optional
        Device of the array.

    Returns
    -------
    tuple
        The array, and a tuple of its components: values and row indices for ``"row_sparse"``, or row pointers, column
        indices, and values for ``"csr"``.

    Raises
    ------
    AssertionError
        If the storage type or the distribution is not supported, or if there are too many ``rsp_indices``.
    ValueError
        If the density of a CSR matrix is not between 0 and 1 or is impossible for ``powerlaw``, or if the matrix has no
        rows or no columns.

    Examples
    --------
    >>> x, (values, rows) = rand_sparse_ndarray((4, 2), "row_sparse", rsp_indices=numpy.array([1, 3]), data_init=5)
    >>> x.asnumpy()[:, 0]
    array([0., 5., 0., 5.], dtype=float32)
    """
    ctx, dtype = ctx or default_context(), default_dtype() if dtype is None else dtype
    density = float(numpy.random.rand()) if density is None else density
    distribution = distribution or "uniform"
    if stype == "row_sparse":
        assert distribution == "uniform", f"Distribution {distribution} not supported for row_sparse"
        rows = numpy.flatnonzero(numpy.random.rand(shape[0]) < density) if rsp_indices is None else rsp_indices
        assert len(rows) <= shape[0]
        if not len(rows):
            return sparse.zeros(stype, shape, ctx, dtype), (numpy.array([], dtype=dtype), numpy.array([]))
        values = numpy.random.rand(len(rows), *shape[1:]).astype(dtype)
        if data_init is not None:
            values.fill(data_init)
        if modifier_func is not None:
            values = assign_each(values, modifier_func)
        return sparse.row_sparse_array((values, rows), shape=shape, ctx=ctx, dtype=dtype), (values, rows)
    assert stype == "csr", "unknown storage type"
    rows, columns = shape
    assert distribution in ("uniform", "powerlaw"), f"Distribution not supported: {distribution}"
    if not 0 <= density <= 1:
        raise ValueError("density has to be between 0 and 1")
    if rows <= 0 or columns <= 0:
        raise ValueError("num_rows or num_cols should be greater than 0")
    dense = (_equally if distribution == "uniform" else _twice_as_many)(rows, columns, density)
    if data_init is not None and distribution == "uniform":
        dense[dense != 0] = data_init
    made = array(dense, ctx, dtype).tostype("csr")
    return made, (made.indptr, made.indices, made.data)  # type: ignore[attr-defined]


def rand_ndarray(
    shape: Any,
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Change = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """Return a random dense array with normally distributed elements, or a random sparse array.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    stype : {'default', 'row_sparse', 'csr'}
        Storage type.
    density, dtype, modifier_func, shuffle_csr_indices, distribution, ctx
        Arguments of :func:`rand_sparse_ndarray`.

    Returns
    -------
    NDArray
        An array of the storage type, on the device.

    Examples
    --------
    >>> rand_ndarray((2, 3)).shape, rand_ndarray((2, 3), "csr").stype
    ((2, 3), 'csr')
    """
    if stype == "default":
        return array(random_arrays(shape), ctx or default_context(), dtype)
    return rand_sparse_ndarray(
        shape, stype, density, dtype, distribution, None, None, modifier_func, shuffle_csr_indices, ctx
    )[0]


def create_sparse_array(
    shape: tuple[int, ...],
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Change = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> NDArray:
    """Return a random sparse array. The row indices of a row-sparse array are sorted.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    stype : {'row_sparse', 'csr'}
        Storage type.
    data_init, rsp_indices, dtype, modifier_func, density, shuffle_csr_indices
        Arguments of :func:`rand_sparse_ndarray`.

    Returns
    -------
    RowSparseNDArray or CSRNDArray
        An array of the storage type, on the default device.

    Raises
    ------
    AssertionError
        If the storage type is unknown.

    Examples
    --------
    >>> create_sparse_array((3, 2), "row_sparse", data_init=1, rsp_indices=[2, 0]).indices.asnumpy()
    array([0, 2])
    """
    if stype not in ("row_sparse", "csr"):
        raise AssertionError(f"Unknown storage type: {stype}")
    rows = None if rsp_indices is None or stype == "csr" else numpy.sort(numpy.asarray(rsp_indices))
    return rand_sparse_ndarray(shape, stype, density, dtype, None, data_init, rows, modifier_func, shuffle_csr_indices)[
        0
    ]


def create_sparse_array_zd(
    shape: tuple[int, ...],
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Change = None,
    shuffle_csr_indices: bool = False,
) -> NDArray:
    """Return a random sparse array. A row-sparse array stores exactly the rows ``rsp_indices``.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    stype : {'row_sparse', 'csr'}
        Storage type.
    density : float
        Density of a CSR matrix; ignored for row-sparse arrays.
    data_init, rsp_indices, dtype, modifier_func, shuffle_csr_indices
        Arguments of :func:`create_sparse_array`.

    Returns
    -------
    NDArray
        An array of the storage type, on the default device.

    Examples
    --------
    >>> create_sparse_array_zd((3, 2), "row_sparse", 0.9).asnumpy().any()
    np.False_
    """
    if stype == "row_sparse":
        density = 0.0
        assert rsp_indices is None or len(rsp_indices) <= shape[0]
    return create_sparse_array(shape, stype, data_init, rsp_indices, dtype, modifier_func, density, shuffle_csr_indices)
