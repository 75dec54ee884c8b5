from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(F.slice_axis(x, axis=0, begin=0, end=1)) > 0
        return F.broadcast_mul(x, positive * 3 - 2)
