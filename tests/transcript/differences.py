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
    Difference("ndarray", ">>> iter(nd.array(1))", "<generator object NDArray.__iter__>", "An iterator all the same."),
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
        Difference("ndarray", f">>> {name}.relu.__module__", f"'mxnet.{module}'", "The name of the module, so that pickle finds it.")
        for name, module in (("sym", "symbol"), ("nd", "ndarray"))
    ),
    Difference("ndarray", ">>> nd.concat.__module__", "'mxnet.ndarray'", "The name of the module, so that pickle finds it."),
    Difference(
        "ndarray",
        ">>> nd.batch_take(nd.array([[1,2],[3,4]]), nd.array([0,1]))",
        "[1. 4.] <NDArray 2 @cpu(0)>",
        "Indices may be floats, as for take and pick.",
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
        "<Symbol fullyconnected2>",
        "The ranges of attributes are checked when shapes are inferred, not when a node is made.",
    ),
    # --- files ---
    Difference(
        "files",
        ">>> nd.save(5, [nd.ones((1,))])",
        "TypeError: expected str, bytes or os.PathLike object, not int",
        "Any path will do, a pathlib.Path, too.",
    ),
    Difference("files", "bfloat16  type_flag=12  item bytes=2 [('bfloat16', '<u2')]", "bfloat16  KeyError <class 'numpy.void'>", _BFLOAT16),
    *(
        Difference(
            "files",
            f"{name:<10}MXNetError {shown[:100]}"[:111],
            f"{name:<10}MXNetError {shown.replace(chr(39) + 'bfloat16' + chr(39) + ', ', '')[:100 - 11]}",
            _BFLOAT16,
        )
        for name in ()
        for shown in ()
    ),
    Difference(
        "files",
        ">>> nd.save('z.nd', [nd.array(5)])",
        "MXNetError: array 0 is a scalar (shape ()): it can only be saved in np shape semantics",
        "MXNet writes a file that it cannot read.",
    ),
    Difference("files", ">>> nd.load('z.nd')", None, "The file of the scalar was not written."),
    Difference(
        "files",
        "MXNetError: :bad_alloc",
        "MXNetError: Check failed: fi->Read(keys): Invalid NDArray file format",
        "A damaged file is refused before memory is asked for.",
    ),
]
