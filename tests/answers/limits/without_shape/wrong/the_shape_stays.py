from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        ones = F.ones_like(x)
        return F.broadcast_div(x, F.sum(F.slice_axis(ones, axis=0, begin=0, end=1)))
