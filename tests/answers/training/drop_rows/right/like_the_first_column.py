from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        first = x.slice_axis(axis=1, begin=0, end=1).ones_like()
        return F.broadcast_mul(F.Dropout(first, self.p), x)
