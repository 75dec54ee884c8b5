from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        ones = F.ones_like(F.slice_axis(x, axis=1, begin=0, end=1))
        return x * F.broadcast_like(F.Dropout(ones, p=self.p, mode="training"), x)
