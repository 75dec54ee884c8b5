from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.b = self.params.get("b", shape=(units,), init="zeros")
        self.w = self.params.get("w", shape=(units, units))

    def hybrid_forward(self, F, x, w, b):
        return F.relu(F.FullyConnected(x, w, b, num_hidden=self.units)) + x
