from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        keep = F.Dropout(F.ones_like(F.sum(x, axis=1)), p=self.p)
        return F.broadcast_mul(x, F.expand_dims(keep, axis=1))
