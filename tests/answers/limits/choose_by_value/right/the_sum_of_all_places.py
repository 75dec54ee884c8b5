from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        sums = F.broadcast_mul(F.ones_like(x), F.sum(x))
        return F.where(sums > 0, x, -2 * x)
