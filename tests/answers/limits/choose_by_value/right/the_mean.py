from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.broadcast_like(F.reshape(F.mean(x), (1, 1)), x) > 0
        return F.where(positive, x, x * -2)
