from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.reshape(F.sum(x) > 1e-4, (1, 1))
        return F.broadcast_mul(x, positive * 3 - 2)
