"""``gluon.contrib.cnn``: deformable convolution."""

from __future__ import annotations

from .conv_layers import DeformableConvolution, ModulatedDeformableConvolution

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]
