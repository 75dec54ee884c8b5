# The checker says: contains NaN

from d2lhybrid.gluon import nn


# %%
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        e = F.exp(x)
        return F.broadcast_div(e, F.sum(e, axis=1, keepdims=True))
