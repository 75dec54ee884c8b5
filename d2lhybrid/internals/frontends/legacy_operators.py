"""The error for a call of a legacy operator with an ``mx.np`` array."""

from __future__ import annotations

from ..core.operator import Operator, is_registered

__all__ = ["legacy_operator_error"]

#: The prefixes of registered names in the sub-namespaces of ``nd``.
_CORNERS = ("", "_contrib_", "_image_", "_linalg_", "_random_", "_sample_", "_sparse_")


def legacy_operator_error(op: Operator, name: str) -> TypeError:
    """Return MXNet's error for an ``mx.np`` array as an argument of a legacy operator."""
    registered = next((prefix + name for prefix in _CORNERS if prefix + name in op.names), name)
    error = TypeError(
        f"Operator `{registered}` registered in backend is known as `{name}` in Python. This is a legacy operator "
        "which can only accept legacy ndarrays, while received an MXNet numpy ndarray. Please call `as_nd_ndarray()` "
        "upon the numpy ndarray to convert it to a legacy ndarray, and then feed the converted array to this "
        "operator."
    )
    for prefix, place in (("_npx_", "npx"), ("_npi_", "np"), ("_np_", "np")):
        if is_registered(prefix + name):
            error.add_note(f"With np semantics, call {place}.{name}; in hybrid_forward, call F.{place}.{name}.")
            break
    return error
