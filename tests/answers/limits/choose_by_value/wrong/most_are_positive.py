from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.mean(x > 0) > 0.5
        return F.broadcast_mul(x, positive * 3 - 2)
