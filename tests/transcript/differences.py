"""Where this package shows something else than MXNet 1.9.1 on purpose: the table, with the reasons.

``docs/compatibility.md`` says the same in prose.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One difference.

    Attributes
    ----------
    session : str
        The session in which it shows.
    what : str
        A probe (``>>> expression``), or a part of a text that MXNet prints, or (``cell: title``) a
        whole cell.
    here : str or None
        What the probe shows here, or what is printed in that part's place, or what is seen of the
        cell; None where that does not matter.
    why : str
        The reason.
    """

    session: str
    what: str
    here: str | None
    why: str


_LEGACY_PROTOCOL = "NumPy takes an array for an array here; MXNet's has no __array__, and NumPy nests it 32 deep."
_OWN_SENTENCES = "The list of arguments has their types and defaults; MXNet's has a sentence on each, too."
_MODULES = "dir() also names modules of this package, and not the ones that it does not have."
_NOT_HERE = "Not part of this package."
_UNCHECKED = "MXNet does not check this, and reads memory that is not the array's."
_BFLOAT16 = "NumPy has no bfloat16."
_AT_THE_CALL = "Execution is synchronous: an error comes at the call that made it, not at a later one."
_COUNTERS = "Nodes and variables of the tape are counted anew for each graph."
_TRUE_SIGNATURE = "The signature says what there is."

_ATTRIBUTES_OF_ACTIVATION = (
    "MXNetError: Cannot find argument 'foo', Possible Arguments:\n----------------\n"
    "act_type : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}, required\n"
    ', in operator Activation(name="", act_type="relu", foo="1")'
)

DIFFERENCES: list[Difference] = [
    # --- arrays ---
    Difference(
        "ndarray",
        ">>> iter(nd.array(1))",
        "TypeError: iteration over a 0-d array",
        "At once, as of NumPy's arrays, for Matplotlib asks; MXNet raises it at the first item.",
    ),
    Difference("ndarray", ">>> onp.array(nd.array([1,2]))", "array([1., 2.], dtype=float32)", _LEGACY_PROTOCOL),
    Difference("ndarray", ">>> onp.asarray(nd.array([1,2])).dtype", "dtype('float32')", _LEGACY_PROTOCOL),
    Difference(
        "ndarray",
        "VisibleDeprecationWarning: Creating an ndarray from nested sequences exceeding the maximum number of "
        "dimensions of 32 is deprecated. If you mean to do this, you must specify 'dtype=object' when creating the "
        "ndarray.",
        "",
        _LEGACY_PROTOCOL,
    ),
    Difference(
        "ndarray",
        ">>> nd.stack(nd.ones((2,3)), nd.ones((3,2)))",
        "MXNetError: Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
        "expected [2,3], got [3,2]",
        _UNCHECKED,
    ),
    Difference(
        "ndarray",
        ">>> nd.reshape(nd.ones((2,3)), (4,4))",
        "MXNetError: Check failed: src.Size() == dst->Size() (6 vs. 16) : Cannot reshape array of shape [2,3] into "
        "shape [4,4]",
        _UNCHECKED,
    ),
    Difference(
        "ndarray", ">>> nd.Activation(nd.ones((2,)), foo=1, act_type='relu')", _ATTRIBUTES_OF_ACTIVATION, _OWN_SENTENCES
    ),
    Difference(
        "ndarray",
        ">>> nd.ones((2,), ctx=mx.gpu())",
        "MXNetError: GPU is not enabled",
        "One message wherever a GPU is asked for, with a note that says how to get one.",
    ),
    Difference(
        "ndarray",
        ">>> str(inspect.signature(nd.concat))",
        "'(*data, dim=_Null, out=None, name=None, **kwargs)'",
        _TRUE_SIGNATURE,
    ),
    *(
        Difference(
            "ndarray",
            f">>> {name}.relu.__module__",
            f"'mxnet.{module}'",
            "The name of the module, so that pickle finds it.",
        )
        for name, module in (("sym", "symbol"), ("nd", "ndarray"))
    ),
    Difference(
        "ndarray", ">>> nd.concat.__module__", "'mxnet.ndarray'", "The name of the module, so that pickle finds it."
    ),
    Difference(
        "ndarray",
        ">>> nd.batch_take(nd.array([[1,2],[3,4]]), nd.array([0,1]))",
        "[1. 4.] <NDArray 2 @cpu(0)>",
        "Indices may be floats, as for take and pick.",
    ),
    Difference(
        "ndarray",
        ">>> nd.contrib.foreach.__module__",
        "'mxnet.ndarray.control_flow'",
        "Where it is defined; it is found under MXNet's name all the same.",
    ),
    # --- symbols ---
    Difference(
        "symbol",
        ">>> out.infer_shape((5,3))",
        "([(5, 3), (4, 3), (4,), (2, 4), (2,), (5,)], [(5, 2)], [])",
        "Shapes by position are documented, and fail in MXNet.",
    ),
    Difference(
        "symbol",
        ">>> sym.load_json('{}')",
        'MXNetError: Check failed: visited.count(it->first) != 0U (0 vs. 0) : Missing field "arg_nodes"',
        "Without a place in the file, because it is missing everywhere.",
    ),
    Difference(
        "symbol",
        ">>> sym.load_json('junk')",
        "MXNetError: Error at Line 1, around ^`junk`, Expecting value",
        "The sentence of Python's parser of JSON, with line and text.",
    ),
    Difference(
        "symbol",
        ">>> ex.debug_str()[:60]",
        "'Symbol Outputs:\\n\\toutput[0]=_plusscalar2(0)\\nVariable:a\\nVariab'",
        "The graph that was bound; MXNet shows the one that it has made for the backward pass, too.",
    ),
    Difference(
        "symbol",
        ">>> a.__setitem__(0, 1)",
        "TypeError: 'Symbol' object does not support item assignment",
        "The method is there to say the same as `a[0] = 1`, with the remedy.",
    ),
    Difference("symbol", ">>> sym.Activation(a, act_type='relu', foo=1)", _ATTRIBUTES_OF_ACTIVATION, _OWN_SENTENCES),
    Difference(
        "symbol",
        ">>> sym.FullyConnected(a, num_hidden=-1)",
        "MXNetError: value -1 for Parameter num_hidden should be greater equal to 1\n"
        ', in operator FullyConnected(name="", num_hidden="-1")',
        "MXNet also says what the attribute means.",
    ),
    # --- files ---
    Difference(
        "files",
        ">>> nd.save(5, [nd.ones((1,))])",
        "TypeError: expected str, bytes or os.PathLike object, not int",
        "Any path will do, a pathlib.Path, too.",
    ),
    Difference(
        "files",
        "bfloat16  type_flag=12  item bytes=2 [('bfloat16', '<u2')]",
        "bfloat16  KeyError <class 'numpy.void'>",
        _BFLOAT16,
    ),
    *(
        # The session prints the first hundred characters of a message.
        Difference(
            "files",
            "valid values are: {'bfloat16', 'bool', 'float16', 'float32', 'f" + mxnets,
            "valid values are: {'bool', 'float16', 'float32', 'float64', 'int32', 'int64" + ours,
            _BFLOAT16,
        )
        for mxnets, ours in (("l", "'"), ("", ""))
    ),
    Difference(
        "files",
        ">>> nd.save('z.nd', [nd.array(5)])",
        "MXNetError: array 0 is a scalar (shape ()) and can be saved only with np shape semantics",
        "MXNet writes a file that it cannot read.",
    ),
    Difference("files", ">>> nd.load('z.nd')", None, "The file of the scalar was not written."),
    Difference(
        "files",
        "MXNetError: :bad_alloc",
        "MXNetError: Check failed: fi->Read(keys): Invalid NDArray file format",
        "A damaged file is refused before memory is asked for.",
    ),
    # --- autograd ---
    Difference(
        "autograd",
        ">>> y.backward(nd.ones((2,)))",
        "MXNetError: Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
        "expected [2], got [3]",
        "What is recorded has no name.",
    ),
    Difference(
        "autograd",
        "cell: autograd.grad and higher order",
        """
[ 3. 12.]
<NDArray 2 @cpu(0)>
[ 6. 12.]
<NDArray 2 @cpu(0)>
>>> autograd.grad(y, [x])  -> [ [2. 2.] <NDArray 2 @cpu(0)>]
>>> autograd.grad(y, nd.ones((2,)))  -> MXNetError: Check failed: !AGInfo: :IsNone(*i): Cannot differentiate node \
because it is not in a computational graph. You need to set is_recording to true or use autograd.record() to save \
computational graphs for backward. If you want to differentiate the same graph twice, you need to pass \
retain_graph=True to backward.
>>> autograd.grad(x, x)  -> [ [1. 1.] <NDArray 2 @cpu(0)>]""",
        "The gradient of a power can be differentiated again here.",
    ),
    Difference(
        "autograd",
        "[7. 7.]\n<NDArray 2 @cpu(0)> False",
        "[7. 7.]\n<NDArray 2 @cpu(0)> True",
        "x.grad is the very array that was given to mark_variables.",
    ),
    Difference(
        "autograd",
        "<Symbol node_46> ['var18'] ['var18', 'node_44_output', 'node_45_output', 'node_46_output']",
        "<Symbol node_2> ['var0'] ['var0', 'node_0_output', 'node_1_output', 'node_2_output']",
        _COUNTERS,
    ),
    # --- training ---
    Difference(
        "training",
        ">>> nd.random.uniform(1, 0, (2,)).shape",
        "MXNetError: Check failed: param.high >= param.low (0 vs. 1) : low must be less or equal to high in uniform "
        "distribution",
        _AT_THE_CALL,
    ),
    Difference(
        "training",
        ">>> nd.random.normal(0, -1, (2,))",
        "MXNetError: Check failed: param.scale > 0 (-1 vs. 0) : scale parameter in gaussian has to be positive",
        "MXNet raises the error of the call before here. " + _AT_THE_CALL,
    ),
    Difference(
        "training",
        ">>> nd.random.uniform(0,1,shape=(2,), dtype='int32')",
        "MXNetError: Invalid Input: 'int32', valid values are: {'None', 'float16', 'float32', 'float64'}, in operator "
        '_random_uniform(name="", dtype="int32")',
        "Only the attribute that is wrong is named.",
    ),
    Difference(
        "training",
        ">>> gluon.loss.L2Loss()(p, nd.ones((5,)))",
        "MXNetError: Check failed: (*in_attrs)[0].Size() == oshape.Size() (5 vs. 6) : Cannot reshape lhs with shape "
        "[5]to new shape [2,3] because they have different size.",
        "The loss uses the same operator, reshape_like, imperatively and hybridized.",
    ),
    Difference("training", ">>> mx.viz is mx.visualization", None, "There are no pictures of graphs yet."),
    Difference("training", ">>> mx.__version__", None, "The version of this package."),
    *(
        Difference("training", f">>> {probe}", None, _MODULES)
        for probe in (
            "sorted(k for k in dir(init) if k[0].isupper())",
            "sorted(x for x in dir(mx) if not x.startswith('_'))",
            "sorted(x for x in dir(gluon.loss) if x[0].isupper())",
            "sorted(x for x in dir(gluon) if not x.startswith('_'))",
            "len([x for x in dir(nd) if not x.startswith('_')])",
            "len([x for x in dir(sym) if not x.startswith('_')])",
            "sorted(set(x for x in dir(nd) if not x.startswith('_')) - set(dir(sym)))",
            "sorted(set(x for x in dir(sym) if not x.startswith('_')) - set(dir(nd)))",
        )
    ),
    *(
        Difference("training", f">>> {probe}", None, "The newer name as_in_ctx is there, too.")
        for probe in (
            "sorted(x for x in dir(nd.NDArray) if not x.startswith('_'))",
            "sorted(set(x for x in dir(nd.NDArray) if not x.startswith('_')) - set(dir(sym.Symbol)))",
        )
    ),
]
