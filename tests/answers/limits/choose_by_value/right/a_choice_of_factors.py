from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        total = F.sum(x)
        factor = F.where(total > 0, F.ones_like(total), F.ones_like(total) * -2)
        return F.broadcast_mul(x, factor)
