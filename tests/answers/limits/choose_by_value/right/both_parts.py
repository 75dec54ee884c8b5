from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(x) > 0
        return F.broadcast_mul(x, positive) + F.broadcast_mul(-2 * x, 1 - positive)
