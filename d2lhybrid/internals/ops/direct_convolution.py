"""Convolutions on a GPU with the batch as the last axis, which read windows from the image without copying them.

Only the compiler creates these operators, which replace the operators in ``batch_last.py``. The kernels in
``batch_last.py`` copy all windows along W and pass the copy to the gradient of the weights, whereas the kernels in this
file read the windows from the image, also for the gradients.
"""

from __future__ import annotations

from ..core.operator import REQUIRED, Array, Shape, operator
from . import batch_last, flops, rules
from .batch_last import convolution_size, hw

__all__: list[str] = []

FAMILY = "convolution"


@operator("_convolution_direct", differentiable=False, threaded=True)
def convolution(xp, data: Array, matrix: Array, kernel: Shape = REQUIRED, stride: Shape = (), pad: Shape = ()):
    """Return the 2-D convolution of data of shape ``(C, H, W, N)`` with weights of shape ``(O, KH * C * KW)``."""
    return batch_last.convolution.kernel(xp, data, matrix, kernel, stride, pad)[0]


@convolution.infer_shape
def _(data, matrix, *, kernel, stride, pad):
    if not (rules.is_complete(data) and rules.is_complete(matrix)):
        return [data, matrix], [None]
    (_, h, w, n), (sh, sw), (ph, pw) = data, hw(stride, 1), hw(pad, 0)
    oh, ow = convolution_size(h, kernel[0], sh, ph), convolution_size(w, kernel[1], sw, pw)
    return [data, matrix], [(matrix[0], oh, ow, n)]


convolution.infer_type(rules.type_of_first)
convolution.flops(flops.convolution)


@operator("_backward_convolution_direct_weight", differentiable=False, threaded=True)
def weight_gradient(
    xp, dy: Array, data: Array, matrix: Array, kernel: Shape = REQUIRED, stride: Shape = (), pad: Shape = ()
):
    """Return the gradient of the weights, from the image instead of its windows."""
    windows = batch_last.windows_of(xp, data, kernel[1], hw(stride, 1)[1], hw(pad, 0))
    return batch_last.convolution_weight_gradient.kernel(xp, dy, windows, matrix, kernel, stride)


weight_gradient.infer_shape(lambda dy, data, matrix, **_: ([dy, data, matrix], [matrix]))
weight_gradient.infer_type(rules.type_of_first)
weight_gradient.flops(flops.convolution_weight_gradient)
