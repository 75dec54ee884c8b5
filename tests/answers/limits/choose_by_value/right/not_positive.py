from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        negative = F.reshape(F.sum(x) <= 0, (1, 1))
        return F.where(F.broadcast_like(negative, x), -2 * x, x)
