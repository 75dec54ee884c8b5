"""``mx.runtime``: the features of this build, under MXNet's names."""

from __future__ import annotations

import collections
from typing import ClassVar

from .internals.device import array_modules

__all__ = ["Feature", "Features", "feature_list"]

#: All of MXNet's features, followed by those that are enabled without a GPU.
_NAMES = (
    "CUDA", "CUDNN", "NCCL", "CUDA_RTC", "TENSORRT", "CPU_SSE", "CPU_SSE2", "CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2",
    "CPU_SSE4A", "CPU_AVX", "CPU_AVX2", "OPENMP", "SSE", "F16C", "JEMALLOC", "BLAS_OPEN", "BLAS_ATLAS", "BLAS_MKL",
    "BLAS_APPLE", "LAPACK", "MKLDNN", "OPENCV", "CAFFE", "PROFILER", "DIST_KVSTORE", "CXX14", "INT64_TENSOR_SIZE",
    "SIGNAL_HANDLER", "DEBUG", "TVM_OP",
)  # fmt: skip
_ON = {"LAPACK", "PROFILER", "INT64_TENSOR_SIZE"}


class Feature:
    """A feature of this build, which is enabled or disabled."""

    def __init__(self, name: str, enabled: bool) -> None:
        self._name, self._enabled = name, enabled

    @property
    def name(self) -> str:
        """The name of the feature."""
        return self._name

    @property
    def enabled(self) -> bool:
        """Whether the feature is available."""
        return self._enabled

    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def feature_list() -> list[Feature]:
    """Return all features of MXNet, each of which is enabled or disabled in this build."""
    on = _ON | ({"CUDA", "CUDA_RTC"} if array_modules.num_gpus() else set())
    return [Feature(name, name in on) for name in _NAMES]


class Features(collections.OrderedDict[str, Feature]):
    """The dictionary of all features by name. All calls return the same object.

    Examples
    --------
    >>> Features().is_enabled("TENSORRT")
    False
    """

    instance: ClassVar[Features | None] = None

    def __new__(cls) -> Features:
        """Return the only instance, which the first call creates."""
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            collections.OrderedDict.__init__(cls.instance, [(f.name, f) for f in feature_list()])
        return cls.instance

    def __init__(self) -> None:
        pass

    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Return whether a feature is enabled. The name is case-insensitive.

        Parameters
        ----------
        feature_name : str
            Name of the feature.

        Returns
        -------
        bool
            Whether the feature is enabled.

        Raises
        ------
        RuntimeError
            If there is no feature of that name.
        """
        name = feature_name.upper()
        if name not in self:
            raise RuntimeError(f"Feature '{name}' is unknown, known features are: {list(self)}")
        return self[name].enabled
