# The checker says: Hybridized, the output

from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (len(x), -1))
        n = F.sum(F.ones_like(rows), axis=1, keepdims=True)
        return F.broadcast_div(rows, n)
