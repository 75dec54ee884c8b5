# The checker says: Hybridized, in train mode, first called in predict mode, the output equals the input

from d2lhybrid import autograd
from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        if not autograd.is_training():
            return F.identity(x)
        mask = F.random.uniform_like(F.slice_axis(x, axis=1, begin=0, end=1)) > self.p
        return F.broadcast_mul(x, mask) / (1 - self.p)
