"""Names that MXNet 1.9.1 has and this package lacks, with the reason and the alternative.

Errors and the documentation use this table. ``tests/surface`` compares the table with names recorded from MXNet, and
writes a section of ``docs/compatibility.md``.
"""

from __future__ import annotations

import functools
import opcode
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["ABSENT", "Absent", "no_attribute", "reason", "refusing"]

_PACKAGE = __name__.partition(".")[0]
_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]


class Absent(NamedTuple):
    """A group of names that are missing for the same reason.

    Attributes
    ----------
    what : str
        A short description of the group.
    modules : tuple of str
        MXNet's modules that contain the names, without ``mxnet.``; ``""`` for the package itself.
    names : tuple of str
        The names; ``"*"`` for all names of these modules.
    why, instead : str
        Why the names are missing, and the alternative, each as a clause.
    """

    what: str
    modules: tuple[str, ...]
    names: tuple[str, ...]
    why: str
    instead: str


_OPERATORS = ("ndarray.contrib", "symbol.contrib", "contrib.ndarray", "contrib.symbol")
_BOTH = ("ndarray", "symbol", "ndarray.op", "symbol.op")
_ARRAYS = ("ndarray", "ndarray.ndarray")


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: Every name of MXNet's public API that is missing here.
ABSENT: tuple[Absent, ...] = (
    Absent(
        "quantized recurrent layers",
        _OPERATORS,
        _names("calibrate_entropy quantize_asym quantized_rnn"),
        "MXNet quantizes recurrent layers only with oneDNN",
        "nd.RNN, or contrib.quantization.quantize_net, which determines ranges but does not quantize recurrent layers",
    ),
    Absent(
        "TensorRT",
        ("contrib",),
        ("tensorrt",),
        "this module passes MXNet's own graphs to NVIDIA's compiler TensorRT",
        'net.export(path, format="onnx"), which TensorRT reads, or net.hybridize() on mx.gpu()',
    ),
    Absent(
        "importing ONNX models",
        ("contrib.onnx",),
        ("import_model", "import_to_gluon"),
        "MXNet 1.9 has deprecated the import of ONNX models",
        "ONNX Runtime, which runs an ONNX model without conversion",
    ),
    Absent(
        "graph sampling",
        _OPERATORS,
        _names(
            "dgl_adjacency dgl_csr_neighbor_non_uniform_sample dgl_csr_neighbor_uniform_sample dgl_graph_compact "
            "dgl_subgraph edge_id getnnz"
        ),
        "graph sampling needs sparse storage, but d2lhybrid's sparse arrays store all elements",
        "scipy.sparse to sample the graph before you pass the data to the net",
    ),
    Absent(
        "gradient operators",
        _OPERATORS,
        _names("backward_gradientmultiplier backward_hawkesll backward_index_copy backward_quadratic"),
        "only MXNet's backward pass calls such operators",
        "autograd.record() and backward()",
    ),
    Absent(
        "a regularizer from before version 1.0",
        _BOTH,
        _names("IdentityAttachKLSparseReg"),
        "it adds a penalty to the gradient, but not to the loss",
        "a loss that includes the penalty, computed with nd.mean and nd.log",
    ),
    Absent(
        "operators on sparse storage",
        (*_BOTH, "ndarray.sparse", "symbol.sparse"),
        _names("_contrib_round_ste _contrib_sign_ste"),
        "sparse arrays store all elements, so they need no operators of their own",
        "nd.contrib.round_ste or nd.contrib.sign_ste",
    ),
    Absent(
        "sparse arrays from C handles",
        ("ndarray.sparse",),
        ("_ndarray_cls",),
        "it wraps a handle of MXNet's C library, which d2lhybrid does not have",
        "nd.sparse.csr_matrix or nd.sparse.row_sparse_array",
    ),
    Absent(
        "internals of arrays",
        _ARRAYS,
        _names(
            "DLContext DLDataType DLManagedTensor DLTensor _new_empty_handle check_boolean_array_dimension "
            "get_indexing_dispatch_code get_oshape_of_gather_nd_op indexing_key_expand_implicit_axes"
        ),
        "such names belong to the implementation of MXNet's arrays",
        "public functions of arrays, such as nd.empty, nd.from_dlpack, or x[index]",
    ),
    Absent(
        "interfaces to C, TVM, and CUDA sources",
        ("",),
        _names("api library rtc th torch tvmop"),
        "such modules need MXNet's compiled library, which d2lhybrid does not have",
        "mx.operator.CustomOp to write your own operator",
    ),
    Absent(
        "MXNet's internal texts and tables",
        ("",),
        _names("ndarray_doc np_symbol numpy_op_fallback numpy_op_signature symbol_doc notebook"),
        "nets do not need MXNet's internal texts and tables",
        "help() for documentation, or mx.log for logging",
    ),
    Absent(
        "manual training on several devices",
        ("executor_manager",),
        _names("DataParallelExecutorGroup DataParallelExecutorManager"),
        "MXNet itself has replaced these classes",
        "mx.mod.Module",
    ),
    Absent(
        "the exchange of arrays between workers",
        ("gluon.data.dataloader",),
        _names(
            "ConnectionWrapper DataLoaderV1 Queue SimpleQueue fetcher_loop_v1 rebuild_ndarray rebuild_np_ndarray "
            "reduce_ndarray reduce_np_ndarray worker_loop_v1"
        ),
        "d2lhybrid's DataLoader exchanges batches between processes in a different way",
        "gluon.data.DataLoader",
    ),
    Absent(
        "names from other packages, and small helpers",
        ("image", "image.image", "recordio"),
        ("cv2",),
        "d2lhybrid reads images with Pillow, not OpenCV",
        "mx.image",
    ),
    Absent(
        "names from other packages, and small helpers",
        ("lr_scheduler", "model", "optimizer", "optimizer.optimizer", "gluon.model_zoo.vision.inception"),
        _names("pi SKLEARN_INSTALLED NDabs make_aux"),
        "only the module that defines such a name uses it",
        "math.pi for pi, or nd.abs for NDabs",
    ),
    Absent(
        "names from other packages, and small helpers",
        ("util", "numpy_extension"),
        _names("get_cuda_compute_capability np_ufunc_legal_option wrap_np_binary_func wrap_np_unary_func"),
        "only MXNet's own modules use such helpers",
        "mx.context.num_gpus to count GPUs, or the functions of np",
    ),
    Absent(
        "financial functions",
        ("numpy.multiarray",),
        _names("mirr npv ppmt pv rate"),
        "NumPy has removed its financial functions",
        "the package numpy-financial",
    ),
    Absent(
        "helpers of MXNet's own tests",
        ("test_utils",),
        _names("download_model get_im2rec_path"),
        "such helpers need MXNet's model server, which no longer exists, or MXNet's source files",
        "gluon.model_zoo.vision for models, or mx.recordio for record files",
    ),
)


@functools.cache
def _by_name() -> dict[tuple[str, str], Absent]:
    return {(module, name): group for group in ABSENT for module in group.modules for name in group.names}


def reason(module: str, name: str) -> str:
    """Return why MXNet's ``module.name`` is missing and what to use instead, or an empty string for any other name.

    Parameters
    ----------
    module : str
        MXNet's name of the module, without ``mxnet``; empty for the package itself.
    name : str
        The name in the module.

    Returns
    -------
    str
        The reason and the alternative, as sentences.

    Examples
    --------
    >>> reason("executor_manager", "DataParallelExecutorManager")
    'MXNet has it, but d2lhybrid does not: MXNet itself has replaced these classes. Use mx.mod.Module.'
    >>> reason("", "nd")
    ''
    """
    table = _by_name()
    below = f"{module}.{name}".removeprefix(".")  # the name may be a missing module
    group = table.get((module, name)) or table.get((module, "*")) or table.get((below, "*"))
    return f"MXNet has it, but {_PACKAGE} does not: {group.why}. Use {group.instead}." if group else ""


def no_attribute(module: str, name: str) -> AttributeError | ImportError:
    """Return Python's error for a name that a module lacks. If MXNet has the name, a note gives the alternative.

    For ``from module import name``, Python would replace an AttributeError with an error without the note. Therefore,
    if MXNet has the name, the result for such an import is an ImportError whose message contains the text of the note.

    Parameters
    ----------
    module : str
        The full name of the module, such as ``"d2lhybrid.gluon"``.
    name : str
        The name that the module lacks.

    Returns
    -------
    AttributeError or ImportError
        The error to raise.
    """
    told = reason(module.removeprefix(_PACKAGE).removeprefix("mxnet").removeprefix("."), name)
    if told and _imports_from():
        return ImportError(f"cannot import name {name!r} from {module!r}. {told}", name=module)
    error = AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    if told:
        error.add_note(told)
    return error


def _imports_from() -> bool:
    """Return whether the name is looked up by a statement ``from ... import ...`` outside of this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM


def refusing(module: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a module. It raises the error of :func:`no_attribute` for every missing name.

    Parameters
    ----------
    module : str
        The full name of the module, such as ``"d2lhybrid.gluon"``.

    Returns
    -------
    callable
        The function.
    """

    def refuse(name: str) -> Any:
        raise no_attribute(module, name)

    return refuse
