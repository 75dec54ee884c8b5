from d2lhybrid.gluon import nn


# %%
class Affine(nn.HybridBlock):
    def __init__(self, units, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self.units = units
        with self.name_scope():
            self.scale = self.params.get("scale", grad_req="write", shape=(self.units,), init="ones")
            self.shift = self.params.get("shift", grad_req="write", shape=(self.units,), init="zeros")

    def hybrid_forward(self, F, x, shift, scale):
        return F.broadcast_plus(F.broadcast_mul(scale, x), shift)
