from d2lhybrid.gluon import nn


# %%
from d2lhybrid import init


class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.params.get("scale", shape=(units,), init=init.One())
        self.shift = self.params.get("shift", shape=(units,), init=init.Zero())

    def hybrid_forward(self, F, x, scale, shift):
        scaled = F.broadcast_mul(x, F.expand_dims(scale, axis=0))
        return F.broadcast_add(scaled, F.expand_dims(shift, axis=0))
