from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        count = F.sum(F.ones_like(x))
        mean = F.sum(x) / count
        largest = F.max(F.sqrt(F.square(x)))
        return F.broadcast_mul(F.broadcast_sub(x, mean), 1 / (largest + 1))
