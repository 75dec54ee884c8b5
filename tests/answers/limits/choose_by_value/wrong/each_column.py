from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(x, axis=0, keepdims=True) > 0
        return F.broadcast_mul(x, positive * 3 - 2)
