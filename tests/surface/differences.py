"""Where names of MXNet 1.9.1 are here, and something about them is different: members of classes, and parameters."""

from __future__ import annotations

__all__ = ["MEMBERS", "PARAMETERS", "WIDER"]

#: Member of classes that is not here -> why, and what to use instead.
MEMBERS: dict[str, tuple[str, str]] = {}

_OPTIONS = "names what MXNet's `*args, **kwargs` stand for; every argument that MXNet documents is taken"
_BLOCK = "names what MXNet's `**kwargs` stand for: `prefix` and `params`"
_OPTIMIZER = "names what MXNet's `*args, **kwargs` stand for: the arguments of every optimizer"
_TAIL = "takes `out`, and `name`, as other functions of arrays do"
_REFUSES = "refuses, whatever it is given; MXNet refuses, too"

#: Function -> how it takes every call that works in MXNet, with parameters that look different. ``calls.py`` has tried.
WIDER: dict[str, str] = {
    **dict.fromkeys(["CSVIter", "LibSVMIter", "MNISTIter", "ImageDetRecordIter"], _OPTIONS),
    **dict.fromkeys(["ImageRecordInt8Iter", "ImageRecordIter", "ImageRecordUInt8Iter"], _OPTIONS),
    **dict.fromkeys(["ImageRecordIter_v1", "ImageRecordUInt8Iter_v1"], _OPTIONS),
    **dict.fromkeys(["copyMakeBorder", "imdecode", "imread", "imresize", "Symbol.astype"], _OPTIONS),
    **dict.fromkeys(["Flatten", "GELU", "RELU6", "SELU"], _BLOCK),
    **dict.fromkeys(
        ["RandomFlipLeftRight", "RandomFlipTopBottom", "ToTensor"], "takes `prefix` and `params`, as blocks do"
    ),
    **dict.fromkeys(["SGLD", "Test", "ccSGD"], _OPTIMIZER),
    **dict.fromkeys(["isfinite", "isinf", "isnan", "row_stack"], _TAIL),
    **dict.fromkeys([f"Symbol.{name}" for name in ("asnumpy", "asscalar", "backward", "copy", "detach")], _REFUSES),
    "Symbol.wait_to_read": _REFUSES,
    **dict.fromkeys([f"ndarray.{name}" for name in ("asscalar", "broadcast_like", "diag", "tostype")], _REFUSES),
    "constraint_check": "MXNet's signature says `x`, and its call takes `input` alone, as here",
    "nonzero": "MXNet's signature says `a`, and its call takes `x` alone, as here",
    "reshape": "of `npx`: what is left out is written otherwise, and means the same",
    "cast_storage": "`data` and `stype` are required; MXNet says so when it is called without",
    "RowSparseNDArray.retain": "names its arguments; MXNet's fails, whatever it is given",
    "retain": "`data` and `indices` are required; MXNet says so when it is called without",
    "pad": "of `np`: `pad_width` is required; MXNet says so when it is called without",
    "multinomial": "of `np.random`: MXNet's `**kwargs` refuses whatever it is given",
    "alltrue": "names what MXNet's `*args, **kwargs` stand for: the arguments of `all`",
    "register": "of `initializer`: takes a name for the class, too",
}

_HANDLE = "made of something else than a handle of C"

#: Function -> in which way its parameters are not MXNet's.
PARAMETERS: dict[str, str] = {
    **dict.fromkeys(["KVStore", "MXDataIter", "Symbol"], _HANDLE),
    **dict.fromkeys(
        ["Caffe.update", "Loss.update", "Torch.update"],
        "the labels are called `labels`, and not `_`",
    ),
    "rayleigh": "of `sym.np.random`: `scale` is 1, as of `np.random`; a symbol's is 0 in MXNet, which draws zeros",
}
