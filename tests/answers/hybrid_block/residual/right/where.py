from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)

    def hybrid_forward(self, F, x):
        h = self.dense(x)
        return F.where(h > 0, h, F.zeros_like(h)) + x
