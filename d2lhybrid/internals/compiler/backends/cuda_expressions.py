"""CUDA C definitions of the functions that the expressions in ``c_expressions.py`` call."""

from __future__ import annotations

__all__ = ["CUDA_PRELUDE"]

_ONE_TYPE = r"""
__device__ __forceinline__ TYPE exp_of_TYPE(TYPE x) { return exp@(x); }
__device__ __forceinline__ TYPE tanh_of_TYPE(TYPE x) { return tanh@(x); }
__device__ __forceinline__ TYPE sigmoid_TYPE(TYPE x) { return (TYPE) 1 / ((TYPE) 1 + exp@(-x)); }
__device__ __forceinline__ TYPE log_of_TYPE(TYPE x) { return log@(x); }
__device__ __forceinline__ TYPE root_TYPE(TYPE x) { return sqrt@(x); }
__device__ __forceinline__ TYPE magnitude_TYPE(TYPE x) { return fabs@(x); }
__device__ __forceinline__ TYPE larger_TYPE(TYPE x, TYPE y) { return x != x || x > y ? x : y; }
__device__ __forceinline__ TYPE largest_TYPE(TYPE x, TYPE y) { return x != x || x < y ? y : x; }
__device__ __forceinline__ TYPE smaller_TYPE(TYPE x, TYPE y) { return x != x || x < y ? x : y; }
"""

#: The functions in the expressions, for ``float`` and ``double``. ``larger`` and ``smaller`` propagate NaN, as NumPy
#: does (CUDA's ``fmaxf`` would not); ``largest`` ignores NaN. NVRTC has no header with NaN and infinity.
CUDA_PRELUDE = "\n".join(
    [
        "#ifndef NAN",
        "#define NAN __int_as_float(0x7fffffff)",
        "#endif",
        "#ifndef INFINITY",
        "#define INFINITY __int_as_float(0x7f800000)",
        "#endif",
        _ONE_TYPE.replace("TYPE", "float").replace("@", "f"),
        _ONE_TYPE.replace("TYPE", "double").replace("@", ""),
    ]
)
