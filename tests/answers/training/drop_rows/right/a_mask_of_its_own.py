from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        ones = F.ones_like(F.slice_axis(x, axis=1, begin=0, end=1))
        kept = F.Dropout(ones, p=self.p) > 0
        training = F.Dropout(F.ones((64,)), p=0.5)
        factor = F.where(F.max(training) > 1.5, F.ones((1,)) / (1 - self.p), F.ones((1,)))
        return F.broadcast_mul(F.broadcast_mul(x, kept), factor)
