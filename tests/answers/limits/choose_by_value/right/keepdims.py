from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(x, axis=(0, 1), keepdims=True) > 0
        return F.where(F.broadcast_like(positive, x), x, -2 * x)
