"""Operators that talk with the host when they run on a GPU: few, and each for a reason.

A program with one of them is not recorded as a CUDA graph. A value that is brought to the host has none yet while a
graph is recorded; and an array that is brought to the device would be read again by every launch, from memory of the
host that has long been used for something else.
"""

from __future__ import annotations

from ...core.node import Node

__all__ = ["ASK_THE_DEVICE", "TELL_THE_DEVICE", "trip_of"]

_SIZE = "the size of the result depends on values"
_MASK = "how many elements a mask chooses has to be known"

#: Operators that bring values to the host, and why.
ASK_THE_DEVICE: dict[str, str] = {
    **dict.fromkeys(("_contrib_boolean_mask", "_backward_contrib_boolean_mask", "_npi_bincount", "_npi_delete"), _SIZE),
    **dict.fromkeys(("_npx_nonzero", "_npi_unique"), _SIZE),
    **dict.fromkeys(("_npi_boolean_mask_assign_tensor", "_backward_mask_assign_value"), _MASK),
    **dict.fromkeys(("_npi_eig", "_npi_eigvals"), "raises an error if an eigenvalue is not real"),
    "take": "mode='raise' looks at the indices",
    "_npx_constraint_check": "raises an error if a value is false",
    "_image_random_color_jitter": "draws in which order an image is changed",
    "_sample_unique_zipfian": "draws until there are enough numbers that differ",
}

_TABLE = "a small table that follows from shapes and attributes"
_ATTRIBUTE = "numbers that the caller gave as attributes"
_ANSWER = "a result that is known without the device"

#: Operators that bring values to the device, and which.
TELL_THE_DEVICE: dict[str, str] = {
    **dict.fromkeys(("_linalg_extracttrian", "_linalg_maketrian", "_npi_delete", "_npi_insert_slice"), _TABLE),
    **dict.fromkeys(
        ("_image_resize", "_image_random_contrast", "_image_random_saturation", "_image_random_hue"), _TABLE
    ),
    **dict.fromkeys(("_image_random_color_jitter", "_image_random_lighting"), _TABLE),
    **dict.fromkeys(("_contrib_AdaptiveAvgPooling2D", "_backward_contrib_AdaptiveAvgPooling2D"), _TABLE),
    **dict.fromkeys(("_contrib_BilinearResize2D", "_backward_contrib_BilinearResize2D"), _TABLE),
    **dict.fromkeys(("_adaptive_avg_pooling_like", "_cvimresize"), _TABLE),
    "_cvcopyMakeBorder": _ATTRIBUTE,
    **dict.fromkeys(("_image_normalize", "_image_adjust_lighting", "_npi_multinomial", "_constant"), _ATTRIBUTE),
    **dict.fromkeys(
        ("shape_array", "size_array", "_npi_share_memory", "_npi_average", "_sample_unique_zipfian"), _ANSWER
    ),
}


def trip_of(node: Node) -> str:
    """Return what a node has to do with the host, in words; empty if nothing.

    Examples
    --------
    >>> from d2lhybrid.core.operator import get_operator
    >>> trip_of(Node(get_operator("_npx_nonzero"), "found"))
    '_npx_nonzero asks the device: the size of the result depends on values'
    >>> trip_of(Node(get_operator("take"), "taken", params={"mode": "clip"}))
    ''
    """
    name = "" if node.op is None else node.op.name
    if name == "take" and node.params.get("mode", "clip") != "raise":
        return ""
    if name in ASK_THE_DEVICE:
        return f"{name} asks the device: {ASK_THE_DEVICE[name]}"
    if name in TELL_THE_DEVICE and name != "_constant":  # a program holds its constants already
        return f"{name} brings something to the device: {TELL_THE_DEVICE[name]}"
    return ""
