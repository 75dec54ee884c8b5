from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(x) > 0  # of shape (1,)
        return F.where(F.broadcast_like(F.reshape(positive, (1, 1)), x), x, -2 * x)
