from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = x.sum() > 0
        return F.broadcast_mul(x, positive) - 2 * F.broadcast_mul(x, F.logical_not(positive))
