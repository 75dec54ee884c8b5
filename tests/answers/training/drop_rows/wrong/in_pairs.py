from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        half = F.slice(x, begin=(None, None), end=(None, None), step=(2, None))
        keep = F.Dropout(F.ones_like(F.slice_axis(half, axis=1, begin=0, end=1)), p=self.p)
        return F.broadcast_mul(x, F.repeat(keep, repeats=2, axis=0))
