# The checker says: Gradients arrive at only 0 of the 2 parameters

from d2lhybrid.gluon import nn


# %%
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.params.get("scale", shape=(units,), grad_req="null", init="ones")
        self.shift = self.params.get("shift", shape=(units,), grad_req="null", init="zeros")

    def hybrid_forward(self, F, x, scale, shift):
        return F.broadcast_add(F.broadcast_mul(x, scale), shift)
