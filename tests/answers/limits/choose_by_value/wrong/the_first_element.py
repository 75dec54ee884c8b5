from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        first = F.slice(x, begin=(0, 0), end=(1, 1))
        return F.broadcast_mul(x, (first > 0) * 3 - 2)
