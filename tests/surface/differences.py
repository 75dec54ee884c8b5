"""Where names of MXNet 1.9.1 are here, and something about them is different: members of classes, and parameters."""

from __future__ import annotations

__all__ = ["MEMBERS", "PARAMETERS"]

#: Member of classes that is not here -> why, and what to use instead.
MEMBERS: dict[str, tuple[str, str]] = {
    "reset_ctx": ("of `SymbolBlock`", "`collect_params().reset_ctx`"),
    "pretrained_archive_name_sha1": ("nothing is fetched here", "`CustomEmbedding` of a file"),
    "clean": ("of `DataLoader`: it keeps no batches of the last epoch", "nothing"),
    "refresh": ("of `DataLoader`: it keeps no batches of the last epoch", "nothing"),
    "hybrid_forward": ("of `SequentialRNNCell`, which only calls its cells", "`forward`"),
    "debug_skip_load": ("of the iterators in C", "nothing"),
    "global_sum_metric": ("of `PCC`, which sums a table", "`get`"),
    "sum_metric": ("of `PCC`, which sums a table", "`get`"),
    "reset_micro": ("the inside of `PearsonCorrelation`", "`reset`"),
    "update_cov": ("the inside of `PearsonCorrelation`", "`update`"),
    "update_variance": ("the inside of `PearsonCorrelation`", "`update`"),
}

_OF_MANY = "takes its arrays by position, as in MXNet, whose signature says `*data`"
_OPTIONS = "has the arguments that are documented by name, where MXNet says `*args, **kwargs`"
_NUMPY = "the signature is that of the NumPy that is installed"
_NAMES = "some parameters are missing or come besides, or have another name or place"

#: Function -> in which way its parameters are not MXNet's.
PARAMETERS: dict[str, str] = {
    **dict.fromkeys(
        [
            *("Concat", "Crop", "UpSampling", "amp_multicast", "concat", "multi_all_finite", "multi_mp_sgd_mom_update"),
            *("multi_mp_sgd_update", "multi_sgd_mom_update", "multi_sgd_update", "multi_sum_sq", "reset_arrays"),
            *("preloaded_multi_mp_sgd_mom_update", "preloaded_multi_mp_sgd_update", "preloaded_multi_sgd_mom_update"),
            *("preloaded_multi_sgd_update", "stack"),
        ],
        _OF_MANY,
    ),
    **dict.fromkeys(
        ["linalg_potrf", "linalg_potri", "potrf", "potri"], "`lower` is named; MXNet takes it and does not say so"
    ),
    "BatchNorm_v1": "`moving_mean` and `moving_var` are named; MXNet takes them and does not say so",
    **dict.fromkeys(
        [
            *(
                "CSVIter",
                "ImageRecordInt8Iter",
                "ImageDetRecordIter",
                "ImageRecordIter",
                "ImageRecordIter_v1",
                "ImageRecordUInt8Iter",
            ),
            *("ImageRecordUInt8Iter_v1", "LibSVMIter", "MNISTIter", "imdecode", "imread", "imresize", "copyMakeBorder"),
        ],
        _OPTIONS,
    ),
    **dict.fromkeys(
        [
            *("alltrue", "corrcoef", "histogram2d", "histogramdd", "in1d", "isin", "msort", "nanpercentile"),
            *("nanquantile", "trim_zeros", "set_printoptions"),
        ],
        _NUMPY,
    ),
    **dict.fromkeys(
        [
            *("empty", "from_numpy", "zeros", "power", "pow", "var", "Variable", "matrix_rank"),
            *("constraint_check", "nonzero", "set_np", "exponential", "gamma", "normal", "poisson", "randint"),
            *("generalized_negative_binomial", "negative_binomial", "uniform"),
        ],
        _NAMES,
    ),
}
