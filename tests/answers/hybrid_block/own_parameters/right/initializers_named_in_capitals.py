from d2lhybrid.gluon import nn


# %%
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        for name, start in (("shift", "Zero"), ("scale", "One")):
            setattr(self, name, self.params.get(name, shape=(units,), init=start.lower() + "s"))

    def hybrid_forward(self, F, x, scale, shift):
        y = F.broadcast_mul(x, scale)
        return F.broadcast_add(y, shift)
