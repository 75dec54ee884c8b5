from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)

    def hybrid_forward(self, F, x):
        h = self.dense(x)
        return (h + F.abs(h)) / 2 + x
