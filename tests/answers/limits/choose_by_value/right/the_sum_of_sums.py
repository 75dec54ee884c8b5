from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        total = F.sum(F.sum(x, axis=0), axis=0)
        return F.broadcast_mul(x, (F.broadcast_greater(total, F.zeros_like(total))) * 3 - 2)
