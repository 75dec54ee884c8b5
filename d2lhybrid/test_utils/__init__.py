"""``mx.test_utils``: functions for tests, which lessons and example programs also use."""

from ..internals.support.absent import refusing
from .chance import (
    chi_square_check,
    gen_buckets_probs_with_ppf,
    mean_check,
    var_check,
    verify_generator,
)
from .comparing import (
    almost_equal,
    assert_allclose,
    assert_almost_equal,
    assert_almost_equal_ignore_nan,
    assert_almost_equal_with_err,
    assert_exception,
    checkShapes,
    compare_ndarray_tuple,
    locationError,
    retry,
    same,
    same_array,
    same_symbol_structure,
)
from .data import (
    download,
    get_bz2_data,
    get_cifar10,
    get_mnist,
    get_mnist_iterator,
    get_mnist_pkl,
    get_mnist_ubyte,
    get_zip_data,
)
from .gradients import (
    check_numeric_gradient,
    check_symbolic_backward,
    check_symbolic_forward,
    numeric_grad,
    simple_forward,
)
from .making import (
    assign_each,
    assign_each2,
    collapse_sum_like,
    create_2d_tensor,
    create_sparse_array,
    create_sparse_array_zd,
    create_vector,
    get_identity_mat,
    get_identity_mat_batch,
    new_matrix_with_real_eigvals_2d,
    new_matrix_with_real_eigvals_nd,
    new_orthonormal_matrix_2d,
    new_sym_matrix_with_real_eigvals_2d,
    new_sym_matrix_with_real_eigvals_nd,
    np_reduce,
    rand_coord_2d,
    rand_ndarray,
    rand_shape_2d,
    rand_shape_3d,
    rand_shape_nd,
    rand_sparse_ndarray,
    random_arrays,
    random_sample,
    random_uniform_arrays,
    shuffle_csr_column_indices,
)
from .running import (
    check_consistency,
    check_gluon_hybridize_consistency,
    check_speed,
    compare_optimizer,
)
from .surroundings import (
    DummyIter,
    default_context,
    discard_stderr,
    environment,
    has_tvm_ops,
    is_aarch64_run,
    is_cd_run,
    is_op_runnable,
    list_gpus,
    set_default_context,
)
from .tolerances import (
    default_atols,
    default_dtype,
    default_numeric_eps,
    default_rtols,
    effective_dtype,
    get_atol,
    get_etol,
    get_rtol,
    get_tolerance,
    get_tols,
)

__all__ = [
    "DummyIter", "almost_equal", "assert_allclose", "assert_almost_equal", "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err", "assert_exception", "assign_each", "assign_each2", "checkShapes",
    "check_consistency", "check_gluon_hybridize_consistency", "check_numeric_gradient", "check_speed",
    "check_symbolic_backward", "check_symbolic_forward", "chi_square_check", "collapse_sum_like",
    "compare_ndarray_tuple", "compare_optimizer", "create_2d_tensor", "create_sparse_array", "create_sparse_array_zd",
    "create_vector", "default_atols", "default_context", "default_dtype", "default_numeric_eps", "default_rtols",
    "discard_stderr", "download", "effective_dtype", "environment", "gen_buckets_probs_with_ppf", "get_atol",
    "get_bz2_data", "get_cifar10", "get_etol", "get_identity_mat", "get_identity_mat_batch", "get_mnist",
    "get_mnist_iterator", "get_mnist_pkl", "get_mnist_ubyte", "get_rtol", "get_tolerance", "get_tols", "get_zip_data",
    "has_tvm_ops", "is_aarch64_run", "is_cd_run", "is_op_runnable", "list_gpus", "locationError", "mean_check",
    "new_matrix_with_real_eigvals_2d", "new_matrix_with_real_eigvals_nd", "new_orthonormal_matrix_2d",
    "new_sym_matrix_with_real_eigvals_2d", "new_sym_matrix_with_real_eigvals_nd", "np_reduce", "numeric_grad",
    "rand_coord_2d", "rand_ndarray", "rand_shape_2d", "rand_shape_3d", "rand_shape_nd", "rand_sparse_ndarray",
    "random_arrays", "random_sample", "random_uniform_arrays", "retry", "same", "same_array", "same_symbol_structure",
    "set_default_context", "shuffle_csr_column_indices", "simple_forward", "var_check", "verify_generator",
]  # fmt: skip

globals()["__getattr__"] = refusing(__name__)
