# The checker says: write F.broadcast_sub

from d2lhybrid.gluon import nn


# %%
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        e = F.exp(x - F.max(x, axis=1, keepdims=True))
        return e / F.sum(e, axis=1, keepdims=True)
