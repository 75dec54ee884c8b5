from d2lhybrid import gluon
from d2lhybrid.gluon import nn


# %%
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.scale = gluon.Parameter("scale", shape=(units,), init="ones")
        self.shift = gluon.Parameter("shift", shape=(units,), init="zeros")

    def hybrid_forward(self, F, x, scale, shift):
        return F.broadcast_add(F.broadcast_mul(x, scale), shift)
