"""Where names of MXNet 1.9.1 are here, and something about them is different: members of classes, and parameters."""

from __future__ import annotations

__all__ = ["MEMBERS", "PARAMETERS", "WIDER"]

#: Member of classes that is not here -> why, and what to use instead.
MEMBERS: dict[str, tuple[str, str]] = {}

_OPTIONS = "lists the arguments of MXNet's `*args, **kwargs`; every argument that MXNet documents is accepted"
_BLOCK = "lists the arguments of MXNet's `**kwargs`: `prefix` and `params`"
_OPTIMIZER = "lists the arguments of MXNet's `*args, **kwargs`: those of every optimizer"
_TAIL = "takes `out` and `name`, as other functions of arrays do"
_REFUSES = "raises an error, whatever its arguments, as in MXNet"

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
    "constraint_check": "MXNet's signature says `x`, but its call accepts only `input`, as here",
    "nonzero": "MXNet's signature says `a`, but its call accepts only `x`, as here",
    "reshape": "of `npx`: the defaults are written differently, but have the same meaning",
    "cast_storage": "`data` and `stype` are required; MXNet reports this only in a call without them",
    "RowSparseNDArray.retain": "names its arguments; MXNet's always fails",
    "retain": "`data` and `indices` are required; MXNet reports this only in a call without them",
    "pad": "of `np`: `pad_width` is required; MXNet reports this only in a call without it",
    "multinomial": "of `np.random`: MXNet's `**kwargs` rejects every argument",
    "alltrue": "lists the arguments of MXNet's `*args, **kwargs`: those of `all`",
    "register": "of `initializer`: also takes a name for the class",
}

_HANDLE = "created from something other than a C handle"

#: Function -> in which way its parameters are not MXNet's.
PARAMETERS: dict[str, str] = {
    **dict.fromkeys(["KVStore", "MXDataIter", "Symbol"], _HANDLE),
    **dict.fromkeys(
        ["Caffe.update", "Loss.update", "Torch.update"],
        "the labels are called `labels` instead of `_`",
    ),
    "rayleigh": (
        "of `sym.np.random`: `scale` is 1, as in `np.random`; in MXNet, the default in `sym.np.random` is 0, which "
        "draws zeros"
    ),
}
